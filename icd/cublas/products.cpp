// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cublas/batched.h"
#include "icd/math/numbers.h"

#include <vector>

namespace us::cublas {
namespace {

using math::load;

/// A number of a type that is known only now, in the host's memory (then it is read at once) or the device's.
template <class T> class AnyScalar {
public:
  AnyScalar(const void *pointer, cudaDataType type, bool isOnDevice)
      : value_(isOnDevice ? T() : load<T>(type, pointer)), address_(isOnDevice ? pointer : nullptr), type_(type) {}
  T operator()() const { return address_ ? load<T>(type_, address_) : value_; }

private:
  T value_;
  const void *address_;
  cudaDataType type_;
};

/// A matrix as numbers of T: itself, or a copy.
template <class T> class Matrix {
public:
  Matrix(const void *memory, cudaDataType type, int64_t rows, int64_t columns, int64_t leading, bool isRead = true)
      : data_(static_cast<T *>(const_cast<void *>(memory))), leading_(leading) {
    if (type == typeOf()) return;
    copy_.resize(size_t(rows) * columns);
    if (isRead)
      math::withType(type, [&](auto *null) {
        const auto *from = static_cast<const std::remove_pointer_t<decltype(null)> *>(memory);
        for (int64_t column = 0; column < columns; ++column)
          for (int64_t row = 0; row < rows; ++row)
            copy_[column * rows + row] = math::convert<T>(from[column * leading + row]);
      });
    data_ = copy_.data();
    leading_ = std::max<int64_t>(rows, 1);
  }
  T *data() const { return data_; }
  int64_t leading() const { return leading_; }

  void writeTo(void *memory, cudaDataType type, int64_t rows, int64_t columns, int64_t leading) const {
    if (type == typeOf()) return;
    math::withType(type, [&](auto *null) {
      using To = std::remove_pointer_t<decltype(null)>;
      for (int64_t column = 0; column < columns; ++column)
        for (int64_t row = 0; row < rows; ++row)
          static_cast<To *>(memory)[column * leading + row] = math::convert<To>(copy_[column * rows + row]);
    });
  }

private:
  static constexpr cudaDataType typeOf() {
    return kIsComplex<T> ? (sizeof(T) == 8 ? CUDA_C_32F : CUDA_C_64F) : sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  }

  std::vector<T> copy_;
  T *data_;
  int64_t leading_;
};

template <class T>
cublasStatus_t run(Call &call, char opA, char opB, int64_t m, int64_t n, int64_t k, const void *alpha, const Inputs &A,
                   const Inputs &B, const void *beta, const Outputs &C, cudaDataType scaleType, int64_t count) {
  const AnyScalar<T> a(alpha, scaleType, call.isOnDevice()), b(beta, scaleType, call.isOnDevice());
  return call.run([=, function = call.function()] {
    const T factor = a(), kept = b();
    const int64_t rowsA = opA == 'N' ? m : k, rowsB = opB == 'N' ? k : n;
    for (int64_t i = 0; i < count; ++i) {
      const auto reaches = [&](const auto &batch, int64_t rows, int64_t columns) {
        if (!batch.pointers || rows == 0 || columns == 0) return true;
        return reachesLater(function, batch.pointers[i],
                            (uint64_t(columns - 1) * batch.leading + rows) * math::sizeOf(batch.type));
      };
      if (!reaches(A, rowsA, m + k - rowsA) || !reaches(B, rowsB, k + n - rowsB) || !reaches(C, m, n)) continue;
      void *const out = C.at(i, math::sizeOf(C.type));
      const Matrix<T> first(A.at(i, math::sizeOf(A.type)), A.type, rowsA, m + k - rowsA, A.leading);
      const Matrix<T> second(B.at(i, math::sizeOf(B.type)), B.type, rowsB, k + n - rowsB, B.leading);
      const Matrix<T> result(out, C.type, m, n, C.leading, kept != T(0));
      cublas::call<"gemm", T>(opA, opB, int(m), int(n), int(k), factor, first.data(), int(first.leading()),
                              second.data(), int(second.leading()), kept, result.data(), int(result.leading()));
      result.writeTo(out, C.type, m, n, C.leading);
    }
  });
}

} // namespace

cublasStatus_t products(Call call, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                        const void *alpha, const Inputs &A, const Inputs &B, const void *beta, const Outputs &C,
                        cudaDataType scaleType, int64_t count) {
  const char opA = call.operation(transa), opB = call.operation(transb);
  call.sizes(m, n, k, count);
  const int64_t rowsA = opA == 'N' ? m : k, rowsB = opB == 'N' ? k : n;
  call.leading(A.leading, rowsA);
  call.leading(B.leading, rowsB);
  call.leading(C.leading, m);
  call.require(alpha && beta);
  if (!math::sizeOf(A.type) || !math::sizeOf(B.type) || !math::sizeOf(C.type) || !math::sizeOf(scaleType)) {
    if (call.isOk())
      math::say(call.function(), "matrices of the types %d, %d and %d, scaled by type %d, are not supported",
                int(A.type), int(B.type), int(C.type), int(scaleType));
    call.fail(CUBLAS_STATUS_NOT_SUPPORTED);
  }
  if (!call.isOk() || m == 0 || n == 0 || count == 0) return call.status();
  const auto check = [&](const auto &batch, int64_t rows, int64_t columns) {
    call.require(batch.stride >= 0);
    if (batch.pointers)
      call.memory(batch.pointers, count * sizeof(void *));
    else if (rows > 0 && columns > 0)
      call.memory(batch.memory, (uint64_t(count - 1) * batch.stride + uint64_t(columns - 1) * batch.leading + rows) *
                                    math::sizeOf(batch.type));
  };
  check(A, rowsA, m + k - rowsA);
  check(B, rowsB, k + n - rowsB);
  check(C, m, n);
  if (call.isOnDevice()) {
    call.memory(alpha, math::sizeOf(scaleType));
    call.memory(beta, math::sizeOf(scaleType));
  }
  if (!call.isOk()) return call.status();

  // Sums of products of bytes are exact in doubles.
  const bool isWide = scaleType == CUDA_R_32I || scaleType == CUDA_R_64F || scaleType == CUDA_C_64F ||
                      A.type == CUDA_R_64F || A.type == CUDA_C_64F;
  const bool isComplex = math::isComplex(A.type) || math::isComplex(C.type);
  const auto with = [&](auto number) {
    return run<decltype(number)>(call, opA, opB, m, n, k, alpha, A, B, beta, C, scaleType, count);
  };
  if (isComplex) return isWide ? with(std::complex<double>()) : with(std::complex<float>());
  return isWide ? with(double()) : with(float());
}

namespace {

/// "The scale type" that goes with how is computed: a number of that kind, complex if the matrices are.
cudaDataType scaleOf(cublasComputeType_t compute, cudaDataType type) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
  case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    return math::isComplex(type) ? CUDA_C_32F : CUDA_R_32F;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return math::isComplex(type) ? CUDA_C_64F : CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  // Since CUDA 11 the type is another enumeration, but numbers of the old one are still taken.
  default:
    return static_cast<cudaDataType>(compute);
  }
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_GEMM_ARGUMENTS(I) cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k
#define US_BATCHED(P, T, I, W)                                                                                         \
  US_EXPORT cublasStatus_t cublas##P##gemmBatched##W(cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const T *alpha,      \
                                                     const T *const A[], I lda, const T *const B[], I ldb,             \
                                                     const T *beta, T *const C[], I ldc, I batchCount) {               \
    return products(US_CALL, transa, transb, m, n, k, alpha,                                                           \
                    {nullptr, kDataType<T>, lda, 0, reinterpret_cast<const void *const *>(A)},                         \
                    {nullptr, kDataType<T>, ldb, 0, reinterpret_cast<const void *const *>(B)}, beta,                   \
                    {nullptr, kDataType<T>, ldc, 0, reinterpret_cast<void *const *>(C)}, kDataType<T>, batchCount);    \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gemmStridedBatched##W(                                                           \
      cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const T *alpha, const T *A, I lda, long long strideA, const T *B,   \
      I ldb, long long strideB, const T *beta, T *C, I ldc, long long strideC, I batchCount) {                         \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, kDataType<T>, lda, strideA},                          \
                    {B, kDataType<T>, ldb, strideB}, beta, {C, kDataType<T>, ldc, strideC}, kDataType<T>, batchCount); \
  }
#define US_SIZE(I, W)                                                                                                  \
  US_BATCHED(S, float, I, W)                                                                                           \
  US_BATCHED(D, double, I, W)                                                                                          \
  US_BATCHED(C, cuComplex, I, W)                                                                                       \
  US_BATCHED(Z, cuDoubleComplex, I, W)                                                                                 \
  US_BATCHED(H, __half, I, W)                                                                                          \
  US_EXPORT cublasStatus_t cublasHgemm##W(cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const __half *alpha,            \
                                          const __half *A, I lda, const __half *B, I ldb, const __half *beta,          \
                                          __half *C, I ldc) {                                                          \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, CUDA_R_16F, lda}, {B, CUDA_R_16F, ldb}, beta,         \
                    {C, CUDA_R_16F, ldc}, CUDA_R_16F, 1);                                                              \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasSgemmEx##W(                                                                           \
      cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const float *alpha, const void *A, cudaDataType Atype, I lda,       \
      const void *B, cudaDataType Btype, I ldb, const float *beta, void *C, cudaDataType Ctype, I ldc) {               \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, Atype, lda}, {B, Btype, ldb}, beta, {C, Ctype, ldc},  \
                    CUDA_R_32F, 1);                                                                                    \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasCgemmEx##W(                                                                           \
      cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const cuComplex *alpha, const void *A, cudaDataType Atype, I lda,   \
      const void *B, cudaDataType Btype, I ldb, const cuComplex *beta, void *C, cudaDataType Ctype, I ldc) {           \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, Atype, lda}, {B, Btype, ldb}, beta, {C, Ctype, ldc},  \
                    CUDA_C_32F, 1);                                                                                    \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGemmEx##W(cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const void *alpha,             \
                                           const void *A, cudaDataType Atype, I lda, const void *B,                    \
                                           cudaDataType Btype, I ldb, const void *beta, void *C, cudaDataType Ctype,   \
                                           I ldc, cublasComputeType_t computeType, cublasGemmAlgo_t) {                 \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, Atype, lda}, {B, Btype, ldb}, beta, {C, Ctype, ldc},  \
                    scaleOf(computeType, Ctype), 1);                                                                   \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGemmBatchedEx##W(                                                                     \
      cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const void *alpha, const void *const A[], cudaDataType Atype,       \
      I lda, const void *const B[], cudaDataType Btype, I ldb, const void *beta, void *const C[], cudaDataType Ctype,  \
      I ldc, I batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {                                        \
    return products(US_CALL, transa, transb, m, n, k, alpha, {nullptr, Atype, lda, 0, A}, {nullptr, Btype, ldb, 0, B}, \
                    beta, {nullptr, Ctype, ldc, 0, C}, scaleOf(computeType, Ctype), batchCount);                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGemmStridedBatchedEx##W(                                                              \
      cublasHandle_t handle, US_GEMM_ARGUMENTS(I), const void *alpha, const void *A, cudaDataType Atype, I lda,        \
      long long strideA, const void *B, cudaDataType Btype, I ldb, long long strideB, const void *beta, void *C,       \
      cudaDataType Ctype, I ldc, long long strideC, I batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) { \
    return products(US_CALL, transa, transb, m, n, k, alpha, {A, Atype, lda, strideA}, {B, Btype, ldb, strideB}, beta, \
                    {C, Ctype, ldc, strideC}, scaleOf(computeType, Ctype), batchCount);                                \
  }
US_SIZE(int, )
US_SIZE(int64_t, _64)
