// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of matrices, counts, matrices without what is small, and sorting, against dense matrices.
//! nvcc: -lcusparse
#include "common.h"

#include <algorithm>

#define ONE(P, T)                                                                                                      \
  template <> struct Api<T> {                                                                                          \
    static constexpr auto sumSize = cusparse##P##csrgeam2_bufferSizeExt;                                               \
    static constexpr auto sum = cusparse##P##csrgeam2;                                                                 \
    static constexpr auto count = cusparse##P##nnz;                                                                    \
    static constexpr auto countLarger = cusparse##P##nnz_compress;                                                     \
    static constexpr auto keepLarger = cusparse##P##csr2csr_compress;                                                  \
  };
KINDS(ONE)

template <class T> struct Csr {
  Dense dense;
  std::vector<int> offsets, columns;
  std::vector<T> values;
  Csr(int m, int n, int base, int seed) : dense(m, n) {
    offsets.push_back(base);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        if ((i * 3 + j * 2 + seed) % 5 > 1) continue;
        T value;
        set(value, number(i * n + j + seed));
        dense(i, j) = wide(value);
        columns.push_back(j + base);
        values.push_back(value);
      }
      offsets.push_back(int(columns.size()) + base);
    }
  }
};

template <class T> static void sums(int baseA, int baseB, int baseC, bool onDevice) {
  using X = Api<T>;
  const int m = 7, n = 9;
  const Csr<T> a(m, n, baseA, 0), b(m, n, baseB, 1);
  const int countA = int(a.values.size()), countB = int(b.values.size());
  Array<int> offsetsA(a.offsets), columnsA(a.columns), offsetsB(b.offsets), columnsB(b.columns);
  Array<T> valuesA(a.values), valuesB(b.values);
  Array<int> offsetsC(std::vector<int>(m + 1)), columnsC(std::vector<int>(m * n)), total(std::vector<int>{-1});
  Array<T> valuesC{std::vector<T>(m * n)}, scalars{std::vector<T>(2)};
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, {-0.5, 0.25});
  scalars.data[0] = alpha;
  scalars.data[1] = beta;
  const T *const pAlpha = onDevice ? &scalars.data[0] : &alpha, *const pBeta = onDevice ? &scalars.data[1] : &beta;
  int count = -1;
  size_t bytes = 1;
  const Descriptor A(baseA), B(baseB), C(baseC);
  SPARSE(cusparseSetPointerMode(handle, onDevice ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
#define FIRST(VALUES) A, countA, VALUES offsetsA.data, columnsA.data
#define SECOND(VALUES) B, countB, VALUES offsetsB.data, columnsB.data
#define V(X) X,
  SPARSE(X::sumSize(handle, m, n, pAlpha, FIRST(V(valuesA.data)), pBeta, SECOND(V(valuesB.data)), C, valuesC.data,
                    offsetsC.data, columnsC.data, &bytes));
  SPARSE(
      cusparseXcsrgeam2Nnz(handle, m, n, FIRST(), SECOND(), C, offsetsC.data, onDevice ? total.data : &count, nullptr));
  SPARSE(X::sum(handle, m, n, pAlpha, FIRST(V(valuesA.data)), pBeta, SECOND(V(valuesB.data)), C, valuesC.data,
                offsetsC.data, columnsC.data, nullptr));
  OK(cudaDeviceSynchronize());
  if (onDevice) count = total.data[0];
  CHECK(offsetsC.data[0] == baseC && offsetsC.data[m] == baseC + count);
  int place = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const Wide x = a.dense(i, j), y = b.dense(i, j);
      if (x == 0.0 && y == 0.0) continue;
      CHECK(place < count && columnsC.data[place] == j + baseC);
      CHECK(near(wide(valuesC.data[place]), wide(alpha) * x + wide(beta) * y));
      ++place;
    }
    CHECK(offsetsC.data[i + 1] == place + baseC);
  }
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseXcsrgeam2Nnz(handle, -1, n, FIRST(), SECOND(), C, offsetsC.data, &count, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseXcsrgeam2Nnz(handle, m, n, FIRST(), SECOND(), C, offsetsC.data, nullptr, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::sum(handle, m, n, nullptr, FIRST(V(valuesA.data)), &beta, SECOND(V(valuesB.data)), C, valuesC.data,
            offsetsC.data, columnsC.data, nullptr));
  SPARSE(cusparseSetMatType(B, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
  IS(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
     cusparseXcsrgeam2Nnz(handle, m, n, FIRST(), SECOND(), C, offsetsC.data, &count, nullptr));
}

template <class T> static void counts(int base) {
  using X = Api<T>;
  const int m = 7, n = 9, lda = 8;
  const Csr<T> a(m, n, base, 0);
  const Descriptor descr(base);
  Array<T> dense(numbers<T>(lda * n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) set(dense.data[j * lda + i], a.dense(i, j));
  int total = -1;
  for (const bool isByRow : {true, false}) {
    const int lines = isByRow ? m : n;
    Array<int> each{std::vector<int>(lines, -1)};
    const auto direction = isByRow ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
    SPARSE(X::count(handle, direction, m, n, descr, dense.data, lda, each.data, &total));
    int sum = 0;
    for (int line = 0; line < lines; ++line) {
      int wanted = 0;
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) wanted += (isByRow ? i : j) == line && a.dense(i, j) != 0.0;
      CHECK(each.data[line] == wanted);
      sum += wanted;
    }
    CHECK(total == sum);
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::count(handle, direction, m, n, descr, dense.data, 6, each.data, &total));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       X::count(handle, cusparseDirection_t(5), m, n, descr, dense.data, lda, each.data, &total));
  }
  const int count = int(a.values.size());
  Array<int> offsets(a.offsets), columns(a.columns), each{std::vector<int>(m)};
  Array<T> values(a.values);
  T tolerance;
  set(tolerance, 0.75);
  SPARSE(X::countLarger(handle, m, descr, values.data, offsets.data, each.data, &total, tolerance));
  Array<int> offsetsC{std::vector<int>(m + 1)}, columnsC{std::vector<int>(total)};
  Array<T> valuesC{std::vector<T>(total)};
  SPARSE(X::keepLarger(handle, m, n, descr, values.data, columns.data, offsets.data, count, each.data, valuesC.data,
                       columnsC.data, offsetsC.data, tolerance));
  OK(cudaDeviceSynchronize());
  int place = 0;
  CHECK(offsetsC.data[0] == base);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      if (std::abs(a.dense(i, j)) > 0.75) {
        CHECK(place < total && columnsC.data[place] == j + base && wide(valuesC.data[place]) == a.dense(i, j));
        ++place;
      }
    CHECK(offsetsC.data[i + 1] == place + base);
  }
  CHECK(place == total);
  set(tolerance, -1);
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::countLarger(handle, m, descr, values.data, offsets.data, each.data, &total, tolerance));
}

static void sorts(int base) {
  const std::vector<int> rows = {3, 0, 2, 3, 1, 0, 2, 3}, columns = {2, 4, 1, 0, 3, 1, 5, 1};
  const int m = 4, n = 6, count = int(rows.size());
  size_t bytes = 1;
  for (const bool isByRow : {true, false}) {
    Array<int> r(rows), c(columns), P(std::vector<int>(count, -1));
    SPARSE(cusparseXcoosort_bufferSizeExt(handle, m, n, count, r.data, c.data, &bytes));
    SPARSE(cusparseCreateIdentityPermutation(handle, count, P.data));
    SPARSE((isByRow ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(handle, m, n, count, r.data, c.data, P.data,
                                                                        nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < count; ++i) {
      CHECK(P.data[i] >= 0 && P.data[i] < count && rows[P.data[i]] == r.data[i] && columns[P.data[i]] == c.data[i]);
      if (i == 0) continue;
      const int before = isByRow ? r.data[i - 1] * n + c.data[i - 1] : c.data[i - 1] * m + r.data[i - 1];
      CHECK(before < (isByRow ? r.data[i] * n + c.data[i] : c.data[i] * m + r.data[i]));
    }
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       cusparseXcoosortByRow(handle, m, n, count, r.data, c.data, P.data, reinterpret_cast<void *>(8)));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseXcoosortByRow(handle, m, n, -1, r.data, c.data, P.data, nullptr));
  }
  // Two columns of three and four rows.
  const std::vector<int> unsorted = {2, 0, 1, 3, 1, 2, 0};
  std::vector<int> based = unsorted;
  for (int &row : based) row += base;
  Array<int> offsets(std::vector<int>{base, 3 + base, 7 + base}), r(based), P(std::vector<int>(7));
  const Descriptor descr(base);
  SPARSE(cusparseXcscsort_bufferSizeExt(handle, 4, 2, 7, offsets.data, r.data, &bytes));
  SPARSE(cusparseCreateIdentityPermutation(handle, 7, P.data));
  SPARSE(cusparseXcscsort(handle, 4, 2, 7, descr, offsets.data, r.data, P.data, nullptr));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 7; ++i) {
    CHECK(r.data[i] == (i < 3 ? i : i - 3) + base);
    CHECK((P.data[i] < 3) == (i < 3) && unsorted[P.data[i]] + base == r.data[i]);
  }
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseXcscsort(handle, 4, 2, 7, nullptr, offsets.data, r.data, P.data, nullptr));
}

template <class T> static void all() {
  for (const bool onDevice : {false, true})
    for (const int bases : {0, 1, 2, 3, 4, 5, 6, 7}) sums<T>(bases & 1, bases >> 1 & 1, bases >> 2, onDevice);
  for (const int base : {0, 1}) counts<T>(base);
}

int main() {
  SPARSE(cusparseCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  for (const int base : {0, 1}) sorts(base);
  SPARSE(cusparseDestroy(handle));
  return failures != 0;
}
