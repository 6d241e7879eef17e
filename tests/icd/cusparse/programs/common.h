// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs beside it share: numbers of all kinds, memory that host and device see.
#pragma once
#include "../../cudart/check.h"

#include <cmath>
#include <complex>
#include <cusparse.h>
#include <vector>

#define SPARSE(...) CHECK((__VA_ARGS__) == CUSPARSE_STATUS_SUCCESS)
#define IS(status, ...) CHECK((__VA_ARGS__) == (status))

using Wide = std::complex<double>;
inline Wide wide(float x) { return x; }
inline Wide wide(double x) { return x; }
inline Wide wide(cuComplex x) { return {x.x, x.y}; }
inline Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }
inline void set(float &x, Wide value) { x = float(value.real()); }
inline void set(double &x, Wide value) { x = value.real(); }
inline void set(cuComplex &x, Wide value) { x = {float(value.real()), float(value.imag())}; }
inline void set(cuDoubleComplex &x, Wide value) { x = {value.real(), value.imag()}; }
template <class T> constexpr cudaDataType kType = CUDA_R_32F;
template <> constexpr cudaDataType kType<double> = CUDA_R_64F;
template <> constexpr cudaDataType kType<cuComplex> = CUDA_C_32F;
template <> constexpr cudaDataType kType<cuDoubleComplex> = CUDA_C_64F;
template <class I> constexpr cusparseIndexType_t kIndex = sizeof(I) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;

template <class T> struct Array { ///< memory that host and device see
  T *data;
  explicit Array(const std::vector<T> &values) {
    OK(cudaMallocManaged(&data, values.size() * sizeof(T) + 1));
    for (size_t i = 0; i < values.size(); ++i) data[i] = values[i];
  }
  ~Array() { cudaFree(data); }
};
inline Wide number(int i) { return Wide((i * 7 + 3) % 13 - 6.5, (i * 5 + 1) % 11 - 5.5) / 4.0; }
template <class T> std::vector<T> numbers(int n, int first = 0) {
  std::vector<T> all(n);
  for (int i = 0; i < n; ++i) set(all[i], number(i + first));
  return all;
}
inline bool near(Wide a, Wide b) { return std::abs(a - b) <= 1e-4 * (1 + std::abs(b)); }

inline cusparseHandle_t handle;
constexpr cusparseOperation_t kOperations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
inline Wide op(cusparseOperation_t how, Wide x) {
  return how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
}

/// The functions of a kind of numbers; KINDS makes one of these for each letter and type.
template <class T> struct Api;
#define KINDS(ONE) ONE(S, float) ONE(D, double) ONE(C, cuComplex) ONE(Z, cuDoubleComplex)
template <class T> constexpr bool kIsComplex = false;
template <> constexpr bool kIsComplex<cuComplex> = true;
template <> constexpr bool kIsComplex<cuDoubleComplex> = true;

/// A dense matrix, row by row.
struct Dense {
  int rows, columns;
  std::vector<Wide> values;
  Dense(int rows, int columns) : rows(rows), columns(columns), values(rows * columns) {}
  Wide &operator()(int row, int column) { return values[row * columns + column]; }
  Wide operator()(int row, int column) const { return values[row * columns + column]; }
};

/// What is said of a matrix.
struct Descriptor {
  cusparseMatDescr_t descr = nullptr;
  explicit Descriptor(int base) {
    SPARSE(cusparseCreateMatDescr(&descr));
    SPARSE(cusparseSetMatIndexBase(descr, cusparseIndexBase_t(base)));
  }
  ~Descriptor() { SPARSE(cusparseDestroyMatDescr(descr)); }
  operator cusparseMatDescr_t() const { return descr; }
};
