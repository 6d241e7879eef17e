// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors and matrices of all four kinds of numbers, against the definitions as loops.
//! nvcc: -lcublas
//! nvcc: -arch=sm_80 -lcublas
#include "../../cudart/check.h"

#include <cmath>
#include <complex>
#include <cublas_v2.h>
#include <vector>

#define BLAS(...) CHECK((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

using Wide = std::complex<double>;
static Wide wide(float x) { return x; }
static Wide wide(double x) { return x; }
static Wide wide(cuComplex x) { return {x.x, x.y}; }
static Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }
static void set(float &x, Wide value) { x = float(value.real()); }
static void set(double &x, Wide value) { x = value.real(); }
static void set(cuComplex &x, Wide value) { x = {float(value.real()), float(value.imag())}; }
static void set(cuDoubleComplex &x, Wide value) { x = {value.real(), value.imag()}; }

/// Memory that host and device see.
template <class T> struct Array {
  T *data;
  explicit Array(int size, int seed) {
    OK(cudaMallocManaged(&data, size * sizeof(T)));
    for (int i = 0; i < size; ++i) set(data[i], Wide((i * 7 + seed) % 13 - 6, (i * 5 + seed) % 11 - 5) / 4.0);
  }
  ~Array() { cudaFree(data); }
  std::vector<Wide> values(int size) const {
    OK(cudaDeviceSynchronize());
    std::vector<Wide> copied;
    for (int i = 0; i < size; ++i) copied.push_back(wide(data[i]));
    return copied;
  }
};
template <class T> bool near(T got, Wide wanted) {
  return std::abs(wide(got) - wanted) <=
         (sizeof(got) == sizeof(float) || sizeof(T) == 8 ? 1e-4 : 1e-10) * (1 + std::abs(wanted));
}
static Wide op(const std::vector<Wide> &A, cublasOperation_t how, int lda, int row, int column) {
  if (how == CUBLAS_OP_N) return A[column * lda + row];
  return how == CUBLAS_OP_T ? A[row * lda + column] : std::conj(A[row * lda + column]);
}

static cublasHandle_t handle;
constexpr int m = 5, n = 4, k = 3, ld = 7, size = ld * ld;
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

#define FOR_TYPE(P, T, SUM, DOT, NRM2, ASUM, AMAX, AMIN)                                                               \
  static void test##P() {                                                                                              \
    T alpha, beta, zero;                                                                                               \
    set(alpha, {1.5, 0.5});                                                                                            \
    set(beta, {-0.5, 0.25});                                                                                           \
    set(zero, 0);                                                                                                      \
    for (auto opA : kOperations)                                                                                       \
      for (auto opB : kOperations) {                                                                                   \
        Array<T> A(size, 1), B(size, 2), C(size, 3);                                                                   \
        const auto a = A.values(size), b = B.values(size), c = C.values(size);                                         \
        BLAS(cublas##P##gemm(handle, opA, opB, m, n, k, &alpha, A.data, ld, B.data, ld, &beta, C.data, ld));           \
        OK(cudaDeviceSynchronize());                                                                                   \
        for (int column = 0; column < ld; ++column)                                                                    \
          for (int row = 0; row < ld; ++row) {                                                                         \
            Wide sum = 0;                                                                                              \
            for (int i = 0; i < k; ++i) sum += op(a, opA, ld, row, i) * op(b, opB, ld, i, column);                     \
            const Wide old = c[column * ld + row];                                                                     \
            CHECK(                                                                                                     \
                near(C.data[column * ld + row], row < m && column < n ? wide(alpha) * sum + wide(beta) * old : old));  \
          }                                                                                                            \
        Array<T> sums(size, 3);                                                                                        \
        BLAS(cublas##P##geam(handle, opA, opB, m, n, &alpha, A.data, ld, &beta, B.data, ld, sums.data, ld));           \
        Array<T> x(20, 4), y(20, 5);                                                                                   \
        const auto x0 = x.values(20), y0 = y.values(20);                                                               \
        BLAS(cublas##P##gemv(handle, opA, m, n, &alpha, A.data, ld, x.data, 2, &beta, y.data, 3));                     \
        OK(cudaDeviceSynchronize());                                                                                   \
        for (int column = 0; column < n; ++column)                                                                     \
          for (int row = 0; row < m; ++row)                                                                            \
            CHECK(near(sums.data[column * ld + row],                                                                   \
                       wide(alpha) * op(a, opA, ld, row, column) + wide(beta) * op(b, opB, ld, row, column)));         \
        for (int row = 0; row < (opA == CUBLAS_OP_N ? m : n); ++row) {                                                 \
          Wide sum = 0;                                                                                                \
          for (int i = 0; i < (opA == CUBLAS_OP_N ? n : m); ++i) sum += op(a, opA, ld, row, i) * x0[2 * i];            \
          CHECK(near(y.data[3 * row], wide(alpha) * sum + wide(beta) * y0[3 * row]));                                  \
        }                                                                                                              \
      }                                                                                                                \
    /* What is solved for, multiplied again: trsm, then trmm into another matrix. */                                   \
    for (auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})                                                            \
      for (auto fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})                                               \
        for (auto trans : kOperations)                                                                                 \
          for (auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {                                             \
            Array<T> A(size, 1), B(size, 2), C(size, 3);                                                               \
            for (int i = 0; i < ld; ++i) set(A.data[i * ld + i], 4);                                                   \
            const auto a = A.values(size), b = B.values(size);                                                         \
            T one;                                                                                                     \
            set(one, 1);                                                                                               \
            BLAS(cublas##P##trsm(handle, side, fill, trans, diagonal, m, n, &alpha, A.data, ld, B.data, ld));          \
            const auto solved = B.values(size);                                                                        \
            BLAS(                                                                                                      \
                cublas##P##trmm(handle, side, fill, trans, diagonal, m, n, &one, A.data, ld, B.data, ld, C.data, ld)); \
            OK(cudaDeviceSynchronize());                                                                               \
            const auto at = [&](int row, int column) -> Wide {                                                         \
              if (trans != CUBLAS_OP_N) std::swap(row, column);                                                        \
              if (row == column && diagonal == CUBLAS_DIAG_UNIT) return 1;                                             \
              if (fill == CUBLAS_FILL_MODE_LOWER ? row < column : row > column) return 0;                              \
              return trans == CUBLAS_OP_C ? std::conj(a[column * ld + row]) : a[column * ld + row];                    \
            };                                                                                                         \
            for (int column = 0; column < n; ++column)                                                                 \
              for (int row = 0; row < m; ++row) {                                                                      \
                Wide sum = 0;                                                                                          \
                for (int i = 0; i < (side == CUBLAS_SIDE_LEFT ? m : n); ++i)                                           \
                  sum += side == CUBLAS_SIDE_LEFT ? at(row, i) * solved[column * ld + i]                               \
                                                  : solved[i * ld + row] * at(i, column);                              \
                CHECK(near(C.data[column * ld + row], sum));                                                           \
                CHECK(std::abs(sum - wide(alpha) * b[column * ld + row]) < 1e-3 * (1 + std::abs(sum)));                \
              }                                                                                                        \
          }                                                                                                            \
    /* Vectors; one that goes backwards begins at its end. */                                                          \
    Array<T> x(20, 4), y(20, 5);                                                                                       \
    const auto x0 = x.values(20), y0 = y.values(20);                                                                   \
    Wide product = 0;                                                                                                  \
    double squares = 0, magnitudes = 0;                                                                                \
    int largest = 0, smallest = 0;                                                                                     \
    const auto magnitude = [&](int i) { return std::abs(x0[2 * i].real()) + std::abs(x0[2 * i].imag()); };             \
    for (int i = 0; i < 6; ++i) {                                                                                      \
      product += x0[2 * i] * y0[3 * (5 - i)];                                                                          \
      squares += std::norm(x0[2 * i]);                                                                                 \
      magnitudes += magnitude(i);                                                                                      \
      if (magnitude(i) > magnitude(largest)) largest = i;                                                              \
      if (magnitude(i) < magnitude(smallest)) smallest = i;                                                            \
    }                                                                                                                  \
    T dot;                                                                                                             \
    SUM norm, sum;                                                                                                     \
    int first = 0, last = 0;                                                                                           \
    BLAS(cublas##DOT(handle, 6, x.data, 2, y.data, -3, &dot));                                                         \
    CHECK(near(dot, product));                                                                                         \
    BLAS(cublas##NRM2(handle, 6, x.data, 2, &norm));                                                                   \
    CHECK(near(norm, std::sqrt(squares)));                                                                             \
    BLAS(cublas##ASUM(handle, 6, x.data, 2, &sum));                                                                    \
    CHECK(near(sum, magnitudes));                                                                                      \
    BLAS(cublas##AMAX(handle, 6, x.data, 2, &first));                                                                  \
    CHECK(first == largest + 1);                                                                                       \
    BLAS(cublas##AMIN(handle, 6, x.data, 2, &last));                                                                   \
    CHECK(last == smallest + 1);                                                                                       \
    BLAS(cublas##P##axpy(handle, 6, &alpha, x.data, 2, y.data, 3));                                                    \
    OK(cudaDeviceSynchronize());                                                                                       \
    for (int i = 0; i < 6; ++i) CHECK(near(y.data[3 * i], y0[3 * i] + wide(alpha) * x0[2 * i]));                       \
    BLAS(cublas##P##scal(handle, 6, &zero, y.data, 3));                                                                \
    BLAS(cublas##P##swap(handle, 6, x.data, 2, y.data, 3));                                                            \
    OK(cudaDeviceSynchronize());                                                                                       \
    for (int i = 0; i < 6; ++i) CHECK(near(y.data[3 * i], x0[2 * i]) && near(x.data[2 * i], 0));                       \
    /* Factors of matrices, and what they solve. */                                                                    \
    Array<T> A(9, 1), C(9, 2);                                                                                         \
    for (int i = 0; i < 3; ++i) set(A.data[4 * i], 5 + i);                                                             \
    const auto a = A.values(9);                                                                                        \
    T **pointers;                                                                                                      \
    int *numbers;                                                                                                      \
    OK(cudaMallocManaged(&pointers, 2 * sizeof(T *)));                                                                 \
    OK(cudaMallocManaged(&numbers, 8 * sizeof(int)));                                                                  \
    pointers[0] = A.data;                                                                                              \
    pointers[1] = C.data;                                                                                              \
    BLAS(cublas##P##getrfBatched(handle, 3, pointers, 3, numbers, numbers + 4, 1));                                    \
    BLAS(cublas##P##getriBatched(handle, 3, pointers, 3, numbers, pointers + 1, 3, numbers + 5, 1));                   \
    OK(cudaDeviceSynchronize());                                                                                       \
    CHECK(numbers[4] == 0 && numbers[5] == 0);                                                                         \
    for (int row = 0; row < 3; ++row)                                                                                  \
      for (int column = 0; column < 3; ++column) {                                                                     \
        Wide total = row == column ? -1 : 0;                                                                           \
        for (int i = 0; i < 3; ++i) total += a[i * 3 + row] * wide(C.data[column * 3 + i]);                            \
        CHECK(std::abs(total) < 1e-5);                                                                                 \
      }                                                                                                                \
    OK(cudaFree(pointers));                                                                                            \
    OK(cudaFree(numbers));                                                                                             \
  }
FOR_TYPE(S, float, float, Sdot, Snrm2, Sasum, Isamax, Isamin)
FOR_TYPE(D, double, double, Ddot, Dnrm2, Dasum, Idamax, Idamin)
FOR_TYPE(C, cuComplex, float, Cdotu, Scnrm2, Scasum, Icamax, Icamin)
FOR_TYPE(Z, cuDoubleComplex, double, Zdotu, Dznrm2, Dzasum, Izamax, Izamin)

int main() {
  BLAS(cublasCreate(&handle));
  testS();
  testD();
  testC();
  testZ();
  BLAS(cublasDestroy(handle));
  return failures != 0;
}
