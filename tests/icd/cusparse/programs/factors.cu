// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors by what they are: their product has the matrix's elements wherever the matrix has any.
//! nvcc: -lcusparse
#include "blocks.h"

#define ONE(P, T)                                                                                                      \
  template <> struct Api<T> {                                                                                          \
    static constexpr auto luSize = cusparse##P##csrilu02_bufferSize;                                                   \
    static constexpr auto luSizeExt = cusparse##P##csrilu02_bufferSizeExt;                                             \
    static constexpr auto luAnalysis = cusparse##P##csrilu02_analysis;                                                 \
    static constexpr auto lu = cusparse##P##csrilu02;                                                                  \
    static constexpr auto luBoost = cusparse##P##csrilu02_numericBoost;                                                \
    static constexpr auto choleskySize = cusparse##P##csric02_bufferSize;                                              \
    static constexpr auto choleskyAnalysis = cusparse##P##csric02_analysis;                                            \
    static constexpr auto cholesky = cusparse##P##csric02;                                                             \
    static constexpr auto blockLuSize = cusparse##P##bsrilu02_bufferSize;                                              \
    static constexpr auto blockLuAnalysis = cusparse##P##bsrilu02_analysis;                                            \
    static constexpr auto blockLu = cusparse##P##bsrilu02;                                                             \
    static constexpr auto blockLuBoost = cusparse##P##bsrilu02_numericBoost;                                           \
    static constexpr auto blockCholeskySize = cusparse##P##bsric02_bufferSize;                                         \
    static constexpr auto blockCholeskyAnalysis = cusparse##P##bsric02_analysis;                                       \
    static constexpr auto blockCholesky = cusparse##P##bsric02;                                                        \
  };
KINDS(ONE)

/// (L U)(i, j) or (L L^H)(i, j), of factors in one matrix.
static Wide product(const Dense &F, int i, int j, bool isCholesky) {
  Wide sum = 0;
  for (int k = 0; k <= (i < j ? i : j); ++k)
    sum += isCholesky ? F(i, k) * std::conj(F(j, k)) : (k == i ? Wide(1) : F(i, k)) * F(k, j);
  return sum;
}

template <class T> static void holds(const Blocks<T> &A, const T *factors, bool isCholesky) {
  const Dense F = A.read(factors);
  for (int i = 0; i < F.rows; ++i)
    for (int j = 0; j < F.rows; ++j) {
      if (A.isThere(i, j) == 0.0) continue;
      if (isCholesky && j > i)
        CHECK(F(i, j) == A.dense(i, j)); // "only takes the lower triangular part"
      else
        CHECK(near(product(F, i, j, isCholesky), A.dense(i, j)));
    }
}

template <class T> static void scalar(int base) {
  using X = Api<T>;
  const Descriptor descr(base);
  int position = -99, bytes = -1;
  size_t bytesExt = 1;
  {
    const Blocks<T> A(11, 1, base, true, false);
    Array<int> offsets(A.offsets), columns(A.columns);
    Array<T> values(A.values);
    const int n = A.rows, count = int(A.columns.size());
    csrilu02Info_t info;
    SPARSE(cusparseCreateCsrilu02Info(&info));
#define MATRIX handle, n, count, descr, values.data, offsets.data, columns.data, info
    SPARSE(X::luSize(MATRIX, &bytes));
    SPARSE(X::luSizeExt(MATRIX, &bytesExt));
    CHECK(bytes >= 0 && bytesExt == size_t(bytes));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::lu(MATRIX, kNoLevel, nullptr)); // not analysed
    SPARSE(X::luAnalysis(MATRIX, kNoLevel, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::lu(MATRIX, kLevel, nullptr));
    SPARSE(X::luAnalysis(MATRIX, kLevel, nullptr));
    SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &position));
    CHECK(position == -1);
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::lu(MATRIX, kLevel, reinterpret_cast<void *>(64)));
    SPARSE(X::lu(MATRIX, kLevel, nullptr));
    SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &position)); // waits
    CHECK(position == -1);
    holds(A, values.data, false);
    SPARSE(cusparseDestroyCsrilu02Info(info));
  }
  {
    const Blocks<T> A(11, 1, base, true, true);
    Array<int> offsets(A.offsets), columns(A.columns);
    Array<T> values(A.values);
    const int n = A.rows, count = int(A.columns.size());
    csric02Info_t info;
    SPARSE(cusparseCreateCsric02Info(&info));
    SPARSE(X::choleskySize(MATRIX, &bytes));
    SPARSE(X::choleskyAnalysis(MATRIX, kLevel, nullptr));
    SPARSE(X::cholesky(MATRIX, kNoLevel, nullptr));
    SPARSE(cusparseXcsric02_zeroPivot(handle, info, &position));
    CHECK(position == -1);
    holds(A, values.data, true);
    // One on the diagonal that makes the matrix indefinite.
    Array<T> other(A.values);
    A.each([&](int i, int j, int place) {
      if (i == 6 && j == 6) set(other.data[place], -1);
    });
    SPARSE(X::cholesky(handle, n, count, descr, other.data, offsets.data, columns.data, info, kLevel, nullptr));
    IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXcsric02_zeroPivot(handle, info, &position));
    CHECK(position == 6 + base);
    SPARSE(cusparseDestroyCsric02Info(info));
  }
}

/// A pivot that is zero, one that is not there, and what a boost puts in its place.
template <class T> static void pivots(int base) {
  using X = Api<T>;
  const Descriptor descr(base);
  const int n = 3, count = 6; // {{2, 1, 0}, {4, 2, 3}, {0, 5, .}}
  Array<int> offsets(std::vector<int>{base, 2 + base, 5 + base, 6 + base}),
      columns(std::vector<int>{base, 1 + base, base, 1 + base, 2 + base, 1 + base});
  std::vector<T> numbers(count);
  const double given[] = {2, 1, 4, 2, 3, 5};
  for (int i = 0; i < count; ++i) set(numbers[i], given[i]);
  Array<T> values(numbers);
  csrilu02Info_t info;
  int position = -99;
  SPARSE(cusparseCreateCsrilu02Info(&info));
  SPARSE(X::luAnalysis(MATRIX, kLevel, nullptr));
  IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXcsrilu02_zeroPivot(handle, info, &position));
  CHECK(position == 2 + base); // a structural zero
  SPARSE(X::lu(MATRIX, kLevel, nullptr));
  IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXcsrilu02_zeroPivot(handle, info, &position));
  CHECK(position == 1 + base); // 2 - 2 * 1
  for (int i = 0; i < count; ++i) values.data[i] = numbers[i];
  double tolerance = 1e-3;
  T boost;
  set(boost, {0.5, 0.25});
  IS(CUSPARSE_STATUS_INVALID_VALUE, X::luBoost(handle, info, 1, nullptr, &boost));
  SPARSE(X::luBoost(handle, info, 1, &tolerance, &boost));
  SPARSE(X::lu(MATRIX, kLevel, nullptr));
  // The position in memory of the device.
  Array<int> where(std::vector<int>{-99});
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXcsrilu02_zeroPivot(handle, info, where.data));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  CHECK(where.data[0] == 2 + base);
  CHECK(wide(values.data[3]) == wide(boost) && near(wide(values.data[5]), 5.0 / wide(boost)));
  SPARSE(X::luBoost(handle, info, 0, nullptr, nullptr));
  for (int i = 0; i < count; ++i) values.data[i] = numbers[i];
  SPARSE(X::lu(MATRIX, kLevel, nullptr));
  IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXcsrilu02_zeroPivot(handle, info, &position));
  CHECK(position == 1 + base);
  // What is refused.
  IS(CUSPARSE_STATUS_NOT_INITIALIZED,
     X::lu(nullptr, n, count, descr, values.data, offsets.data, columns.data, info, kLevel, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::lu(handle, -1, count, descr, values.data, offsets.data, columns.data, info, kLevel, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::lu(handle, n, count, descr, values.data, offsets.data, columns.data, nullptr, kLevel, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE, X::lu(handle, n, count, descr, numbers.data(), offsets.data, columns.data, info,
                                          kLevel, nullptr)); // not the device's
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseXcsrilu02_zeroPivot(handle, info, nullptr));
  const Descriptor symmetric(base);
  SPARSE(cusparseSetMatType(symmetric, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  IS(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
     X::lu(handle, n, count, symmetric, values.data, offsets.data, columns.data, info, kLevel, nullptr));
  SPARSE(cusparseDestroyCsrilu02Info(info));
}

template <class T> static void blocks(int base, int size, bool isByRow) {
  using X = Api<T>;
  const Descriptor descr(base);
  const auto direction = isByRow ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
  int bytes = -1, position = -99;
  for (const bool isCholesky : {false, true}) {
    const Blocks<T> A(5, size, base, isByRow, isCholesky);
    Array<int> offsets(A.offsets), columns(A.columns);
    Array<T> values(A.values), other(A.values);
    const int n = A.rows, count = int(A.columns.size());
    A.each([&](int i, int j, int place) { // block 2 has no inverse
      if (i / size == 2 && (j < 2 * size || j / size == 2)) set(other.data[place], 0);
    });
#define BLOCKS(VALUES) handle, direction, n, count, descr, VALUES, offsets.data, columns.data, size, info
    if (isCholesky) {
      bsric02Info_t info;
      SPARSE(cusparseCreateBsric02Info(&info));
      SPARSE(X::blockCholeskySize(BLOCKS(values.data), &bytes));
      SPARSE(X::blockCholeskyAnalysis(BLOCKS(values.data), kLevel, nullptr));
      SPARSE(X::blockCholesky(BLOCKS(values.data), kLevel, nullptr));
      SPARSE(cusparseXbsric02_zeroPivot(handle, info, &position));
      CHECK(position == -1);
      const Dense F = A.read(values.data);
      for (int i = 0; i < F.rows; ++i)
        for (int j = 0; j <= i; ++j)
          if (A.isThere(i, j) != 0.0) CHECK(near(product(F, i, j, true), A.dense(i, j)));
      SPARSE(X::blockCholesky(BLOCKS(other.data), kLevel, nullptr));
      IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXbsric02_zeroPivot(handle, info, &position));
      CHECK(position == 2 + base);
      IS(CUSPARSE_STATUS_INVALID_VALUE, X::blockCholesky(handle, direction, n, count, descr, values.data, offsets.data,
                                                         columns.data, 0, info, kLevel, nullptr));
      SPARSE(cusparseDestroyBsric02Info(info));
    } else {
      bsrilu02Info_t info;
      SPARSE(cusparseCreateBsrilu02Info(&info));
      SPARSE(X::blockLuSize(BLOCKS(values.data), &bytes));
      SPARSE(X::blockLuAnalysis(BLOCKS(values.data), kLevel, nullptr));
      SPARSE(X::blockLu(BLOCKS(values.data), kLevel, nullptr));
      SPARSE(cusparseXbsrilu02_zeroPivot(handle, info, &position));
      CHECK(position == -1);
      holds(A, values.data, false);
      SPARSE(X::blockLu(BLOCKS(other.data), kLevel, nullptr));
      IS(CUSPARSE_STATUS_ZERO_PIVOT, cusparseXbsrilu02_zeroPivot(handle, info, &position));
      CHECK(position == 2 + base);
      double tolerance = 0;
      T boost;
      set(boost, 7);
      SPARSE(X::blockLuBoost(handle, info, 1, &tolerance, &boost));
      for (size_t i = 0; i < A.values.size(); ++i) other.data[i] = A.values[i];
      A.each([&](int i, int j, int place) {
        if (i == 0 && j == 0) set(other.data[place], 0);
      });
      SPARSE(X::blockLu(BLOCKS(other.data), kLevel, nullptr));
      SPARSE(cusparseXbsrilu02_zeroPivot(handle, info, &position));
      CHECK(wide(other.data[0]) == 7.0);
      SPARSE(cusparseDestroyBsrilu02Info(info));
    }
  }
}

template <class T> static void all() {
  for (const int base : {0, 1}) {
    scalar<T>(base);
    pivots<T>(base);
    for (const int size : {1, 2, 3})
      for (const bool isByRow : {false, true}) blocks<T>(base, size, isByRow);
  }
}

int main() {
  SPARSE(cusparseCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseCreateCsrilu02Info(nullptr));
  SPARSE(cusparseDestroy(handle));
  return failures != 0;
}
