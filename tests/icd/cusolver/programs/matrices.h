// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of the programs beside it: on the host in double precision, to calculate what should be; on the device.
#pragma once
#include "../../cudart/check.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cusolverDn.h>
#include <vector>

#define STATUS(status, ...)                                                                                            \
  do {                                                                                                                 \
    const cusolverStatus_t got_ = (__VA_ARGS__);                                                                       \
    if (got_ != (status) && ++failures < 20) std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #__VA_ARGS__, got_);   \
  } while (false)
#define SOLVER(...) STATUS(CUSOLVER_STATUS_SUCCESS, __VA_ARGS__)

using Wide = std::complex<double>;
inline Wide wide(float x) { return x; }
inline Wide wide(double x) { return x; }
inline Wide wide(cuComplex x) { return {x.x, x.y}; }
inline Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }
inline void set(float &x, Wide value) { x = float(value.real()); }
inline void set(double &x, Wide value) { x = value.real(); }
inline void set(cuComplex &x, Wide value) { x = {float(value.real()), float(value.imag())}; }
inline void set(cuDoubleComplex &x, Wide value) { x = {value.real(), value.imag()}; }

struct Matrix {
  int rows, columns;
  std::vector<Wide> values;
  Matrix(int rows, int columns) : rows(rows), columns(columns), values(size_t(rows) * columns) {}
  Wide &operator()(int row, int column) { return values[row + size_t(column) * rows]; }
  Wide operator()(int row, int column) const { return values[row + size_t(column) * rows]; }
  Matrix part(int height, int width) const {
    Matrix result(height, width);
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < height; ++i) result(i, j) = (*this)(i, j);
    return result;
  }
};
inline Matrix operator*(const Matrix &A, const Matrix &B) {
  Matrix C(A.rows, B.columns);
  for (int j = 0; j < B.columns; ++j)
    for (int k = 0; k < A.columns; ++k)
      for (int i = 0; i < A.rows; ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}
inline Matrix transposed(const Matrix &A, bool isConjugated = false) {
  Matrix B(A.columns, A.rows);
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i) B(j, i) = isConjugated ? std::conj(A(i, j)) : A(i, j);
  return B;
}
inline Matrix adjoint(const Matrix &A) { return transposed(A, true); }
inline Matrix unit(int n) {
  Matrix A(n, n);
  for (int i = 0; i < n; ++i) A(i, i) = 1;
  return A;
}
/// A matrix with these values on its diagonal.
inline Matrix diagonal(int rows, int columns, const Matrix &values) {
  Matrix A(rows, columns);
  for (int i = 0; i < std::min({rows, columns, values.rows}); ++i) A(i, i) = values(i, 0);
  return A;
}
/// One triangle; the rest is zero.
inline Matrix triangle(const Matrix &A, bool isLower, bool isUnit = false) {
  Matrix B(A.rows, A.columns);
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i)
      if (i == j ? !isUnit : (i > j) == isLower) B(i, j) = A(i, j);
  for (int i = 0; isUnit && i < std::min(A.rows, A.columns); ++i) B(i, i) = 1;
  return B;
}
inline double distance(const Matrix &A, const Matrix &B) {
  if (A.rows != B.rows || A.columns != B.columns) return INFINITY;
  double most = 0;
  for (size_t i = 0; i < A.values.size(); ++i) {
    const double one = std::abs(A.values[i] - B.values[i]);
    if (!(one <= most)) most = one; // NaN too
  }
  return most;
}
/// The same numbers each time, between -1 and 1.
inline Matrix random(int rows, int columns, unsigned seed, bool isComplex) {
  Matrix A(rows, columns);
  unsigned state = seed * 2654435761u + 1;
  const auto next = [&] { return int((state = state * 1664525u + 1013904223u) >> 8) / double(1 << 23) - 1; };
  for (Wide &value : A.values) {
    const double real = next(), imaginary = next();
    value = isComplex ? Wide(real, imaginary) : Wide(real);
  }
  return A;
}
inline Matrix hermitian(int n, unsigned seed, bool isComplex, double shift = 0) {
  const Matrix M = random(n, n, seed, isComplex);
  Matrix A(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) A(i, j) = M(i, j) + std::conj(M(j, i)) + (i == j ? shift : 0.0);
  return A;
}

/// Memory that host and device see, with rows between the columns that nothing may touch.
template <class T> struct Array {
  T *data = nullptr;
  int rows, columns, leading;
  Array(int rows, int columns, int leading = 0) : rows(rows), columns(columns), leading(std::max(rows, leading)) {
    OK(cudaMallocManaged(&data, std::max(1, this->leading * columns) * sizeof(T)));
    for (int i = 0; i < this->leading * columns; ++i) set(data[i], kMark);
  }
  explicit Array(const Matrix &A, int leading = 0) : Array(A.rows, A.columns, leading) { put(A); }
  Array(const Array &) = delete;
  ~Array() { cudaFree(data); }
  void put(const Matrix &A) {
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) set(data[i + j * leading], A(i, j));
  }
  Matrix get() const {
    OK(cudaDeviceSynchronize());
    Matrix A(rows, columns);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) A(i, j) = wide(data[i + j * leading]);
      for (int i = rows; i < leading; ++i) CHECK(wide(data[i + j * leading]) == Wide(kMark));
    }
    return A;
  }
  static constexpr double kMark = 77;
};
struct Integers {
  int *data = nullptr;
  explicit Integers(int count = 1) {
    OK(cudaMallocManaged(&data, count * sizeof(int)));
    for (int i = 0; i < count; ++i) data[i] = 1234;
  }
  Integers(const Integers &) = delete;
  ~Integers() { cudaFree(data); }
  int operator[](int i) const {
    OK(cudaDeviceSynchronize());
    return data[i];
  }
};

inline cusolverDnHandle_t handle;
template <class T> inline constexpr bool kIsComplex = false;
template <> inline constexpr bool kIsComplex<cuComplex> = true;
template <> inline constexpr bool kIsComplex<cuDoubleComplex> = true;
template <class T> inline constexpr double kTolerance = 1e-10;
template <> inline constexpr double kTolerance<float> = 2e-4;
template <> inline constexpr double kTolerance<cuComplex> = 2e-4;
template <class T> inline constexpr cudaDataType kKind = CUDA_R_32F;
template <> inline constexpr cudaDataType kKind<double> = CUDA_R_64F;
template <> inline constexpr cudaDataType kKind<cuComplex> = CUDA_C_32F;
template <> inline constexpr cudaDataType kKind<cuDoubleComplex> = CUDA_C_64F;
#define NEAR(...) CHECK(distance(__VA_ARGS__) < kTolerance<T>)
