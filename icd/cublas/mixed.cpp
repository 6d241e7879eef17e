// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors whose types are known when the program runs: sums are made of doubles, whatever the type of execution.
#include "icd/cublas/call.h"
#include "icd/math/numbers.h"

#include <cmath>

namespace us::cublas {
namespace {

using Number = std::complex<double>;

template <class Byte> class Vector {
public:
  Vector(Call &call, Byte *memory, cudaDataType type, int64_t n, int64_t increment)
      : memory_(memory), type_(type), start_(increment < 0 ? -(n - 1) * increment : 0), increment_(increment) {
    const size_t size = math::sizeOf(type);
    if (!size) call.fail(CUBLAS_STATUS_NOT_SUPPORTED);
    if (n > 0) call.memory(memory, (uint64_t(n - 1) * std::abs(increment) + 1) * size);
  }
  Number operator[](int64_t i) const { return math::load<Number>(type_, memory_, start_ + i * increment_); }
  void set(int64_t i, Number value) const { math::store(type_, memory_, value, start_ + i * increment_); }

private:
  Byte *memory_;
  cudaDataType type_;
  int64_t start_, increment_;
};
using Input = Vector<const void>;
using Output = Vector<void>;

cublasStatus_t axpyEx(Call call, int64_t n, const void *alpha, cudaDataType alphaType, const void *x,
                      cudaDataType xType, int64_t incx, void *y, cudaDataType yType, int64_t incy) {
  call.require(alpha != nullptr);
  if (!call.isOk() || n <= 0) return call.status();
  const Input from(call, x, xType, n, incx);
  const Output into(call, y, yType, n, incy);
  const bool isOnDevice = call.isOnDevice();
  if (isOnDevice) call.memory(alpha, math::sizeOf(alphaType));
  const Number known = isOnDevice || !call.isOk() ? Number() : math::load<Number>(alphaType, alpha);
  return call.run([=] {
    const Number factor = isOnDevice ? math::load<Number>(alphaType, alpha) : known;
    for (int64_t i = 0; i < n; ++i) into.set(i, into[i] + factor * from[i]);
  });
}

cublasStatus_t scalEx(Call call, int64_t n, const void *alpha, cudaDataType alphaType, void *x, cudaDataType xType,
                      int64_t incx) {
  call.require(alpha != nullptr);
  if (!call.isOk() || n <= 0 || incx <= 0) return call.status();
  const Output vector(call, x, xType, n, incx);
  const bool isOnDevice = call.isOnDevice();
  if (isOnDevice) call.memory(alpha, math::sizeOf(alphaType));
  const Number known = isOnDevice || !call.isOk() ? Number() : math::load<Number>(alphaType, alpha);
  return call.run([=] {
    const Number factor = isOnDevice ? math::load<Number>(alphaType, alpha) : known;
    for (int64_t i = 0; i < n; ++i) vector.set(i, factor * vector[i]);
  });
}

cublasStatus_t copyEx(Call call, int64_t n, const void *x, cudaDataType xType, int64_t incx, void *y,
                      cudaDataType yType, int64_t incy) {
  if (!call.isOk() || n <= 0) return call.status();
  const Input from(call, x, xType, n, incx);
  const Output into(call, y, yType, n, incy);
  return call.run([=] {
    for (int64_t i = 0; i < n; ++i) into.set(i, from[i]);
  });
}

cublasStatus_t swapEx(Call call, int64_t n, void *x, cudaDataType xType, int64_t incx, void *y, cudaDataType yType,
                      int64_t incy) {
  if (!call.isOk() || n <= 0) return call.status();
  const Output a(call, x, xType, n, incx), b(call, y, yType, n, incy);
  return call.run([=] {
    for (int64_t i = 0; i < n; ++i) {
      const Number old = a[i];
      a.set(i, b[i]);
      b.set(i, old);
    }
  });
}

/// What comes of a vector, or two: one number.
template <class Sum> cublasStatus_t reduce(Call call, void *result, cudaDataType resultType, Sum sum) {
  call.require(result != nullptr);
  if (!math::sizeOf(resultType)) call.fail(CUBLAS_STATUS_NOT_SUPPORTED);
  if (call.isOnDevice()) call.memory(result, math::sizeOf(resultType));
  return call.run([=] { math::store(resultType, result, Number(sum())); }, !call.isOnDevice());
}

cublasStatus_t dotEx(Call call, bool isConjugated, int64_t n, const void *x, cudaDataType xType, int64_t incx,
                     const void *y, cudaDataType yType, int64_t incy, void *result, cudaDataType resultType) {
  const Input a(call, x, xType, n, incx), b(call, y, yType, n, incy);
  return reduce(call, result, resultType, [=] {
    Number sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += (isConjugated ? std::conj(a[i]) : a[i]) * b[i];
    return sum;
  });
}

cublasStatus_t nrm2Ex(Call call, int64_t n, const void *x, cudaDataType xType, int64_t incx, void *result,
                      cudaDataType resultType) {
  if (incx <= 0) n = 0;
  const Input vector(call, x, xType, n, incx);
  return reduce(call, result, resultType, [=] {
    // By the largest, so that no square overflows.
    double largest = 0, sum = 0;
    for (int64_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(vector[i]));
    if (largest == 0 || !std::isfinite(largest)) return largest;
    for (int64_t i = 0; i < n; ++i) sum += std::norm(vector[i] / largest);
    return largest * std::sqrt(sum);
  });
}

double magnitude(Number value) { return std::abs(value.real()) + std::abs(value.imag()); }

cublasStatus_t asumEx(Call call, int64_t n, const void *x, cudaDataType xType, int64_t incx, void *result,
                      cudaDataType resultType) {
  if (incx <= 0) n = 0;
  const Input vector(call, x, xType, n, incx);
  return reduce(call, result, resultType, [=] {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += magnitude(vector[i]);
    return sum;
  });
}

template <class I>
cublasStatus_t extremeEx(Call call, bool isLargest, int64_t n, const void *x, cudaDataType xType, int64_t incx,
                         I *result) {
  if (incx <= 0) n = 0;
  const Input vector(call, x, xType, n, incx);
  call.result(result);
  return call.run(
      [=] {
        I found = n > 0;
        for (int64_t i = 1; i < n; ++i) {
          const double here = magnitude(vector[i]), best = magnitude(vector[found - 1]);
          if (isLargest ? here > best : here < best) found = I(i + 1);
        }
        *result = found;
      },
      !call.isOnDevice());
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_SIZE(I, W)                                                                                                  \
  US_EXPORT cublasStatus_t cublasAxpyEx##W(cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType,      \
                                           const void *x, cudaDataType xType, I incx, void *y, cudaDataType yType,     \
                                           I incy, cudaDataType) {                                                     \
    return axpyEx(US_CALL, n, alpha, alphaType, x, xType, incx, y, yType, incy);                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasScalEx##W(cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType,      \
                                           void *x, cudaDataType xType, I incx, cudaDataType) {                        \
    return scalEx(US_CALL, n, alpha, alphaType, x, xType, incx);                                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasCopyEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,      \
                                           void *y, cudaDataType yType, I incy) {                                      \
    return copyEx(US_CALL, n, x, xType, incx, y, yType, incy);                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasSwapEx##W(cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y,   \
                                           cudaDataType yType, I incy) {                                               \
    return swapEx(US_CALL, n, x, xType, incx, y, yType, incy);                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasDotEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,       \
                                          const void *y, cudaDataType yType, I incy, void *result,                     \
                                          cudaDataType resultType, cudaDataType) {                                     \
    return dotEx(US_CALL, false, n, x, xType, incx, y, yType, incy, result, resultType);                               \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasDotcEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,      \
                                           const void *y, cudaDataType yType, I incy, void *result,                    \
                                           cudaDataType resultType, cudaDataType) {                                    \
    return dotEx(US_CALL, true, n, x, xType, incx, y, yType, incy, result, resultType);                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasNrm2Ex##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,      \
                                           void *result, cudaDataType resultType, cudaDataType) {                      \
    return nrm2Ex(US_CALL, n, x, xType, incx, result, resultType);                                                     \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasAsumEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,      \
                                           void *result, cudaDataType resultType, cudaDataType) {                      \
    return asumEx(US_CALL, n, x, xType, incx, result, resultType);                                                     \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasIamaxEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,     \
                                            I *result) {                                                               \
    return extremeEx(US_CALL, true, n, x, xType, incx, result);                                                        \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasIaminEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx,     \
                                            I *result) {                                                               \
    return extremeEx(US_CALL, false, n, x, xType, incx, result);                                                       \
  }
US_SIZE(int, )
US_SIZE(int64_t, _64)
