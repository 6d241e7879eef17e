// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and triangles of matrices by rows of blocks, and from and to rows of elements, against dense matrices.
//! nvcc: -lcusparse
#include "blocks.h"

#define ONE(P, T)                                                                                                      \
  template <> struct Api<T> {                                                                                          \
    static constexpr auto mv = cusparse##P##bsrmv;                                                                     \
    static constexpr auto mm = cusparse##P##bsrmm;                                                                     \
    static constexpr auto svSize = cusparse##P##bsrsv2_bufferSize;                                                     \
    static constexpr auto svSizeExt = cusparse##P##bsrsv2_bufferSizeExt;                                               \
    static constexpr auto svAnalysis = cusparse##P##bsrsv2_analysis;                                                   \
    static constexpr auto sv = cusparse##P##bsrsv2_solve;                                                              \
    static constexpr auto smSize = cusparse##P##bsrsm2_bufferSize;                                                     \
    static constexpr auto smAnalysis = cusparse##P##bsrsm2_analysis;                                                   \
    static constexpr auto sm = cusparse##P##bsrsm2_solve;                                                              \
    static constexpr auto csr2bsr = cusparse##P##csr2bsr;                                                              \
    static constexpr auto bsr2csr = cusparse##P##bsr2csr;                                                              \
  };
KINDS(ONE)

constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE, kTurned = CUSPARSE_OPERATION_TRANSPOSE;

template <class T> static void products(int base, int size, bool isByRow) {
  using X = Api<T>;
  const Descriptor descr(base);
  const auto direction = isByRow ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
  const Blocks<T> A(5, size, base, isByRow, false);
  const int mb = 5, count = int(A.columns.size()), rows = mb * size, n = 3, ldb = rows + 2, ldc = rows + 1;
  Array<int> offsets(A.offsets), columns(A.columns);
  Array<T> values(A.values);
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, {-0.5, 0.25});
#define MATRIX descr, values.data, offsets.data, columns.data, size
  const auto x0 = numbers<T>(rows, 1), y0 = numbers<T>(rows, 4);
  Array<T> x(x0), y(y0);
  SPARSE(X::mv(handle, direction, kPlain, mb, mb, count, &alpha, MATRIX, x.data, &beta, y.data));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < rows; ++i) {
    Wide sum = 0;
    for (int j = 0; j < rows; ++j) sum += A.dense(i, j) * wide(x0[j]);
    CHECK(near(wide(y.data[i]), wide(alpha) * sum + wide(beta) * wide(y0[i])));
  }
  IS(CUSPARSE_STATUS_NOT_SUPPORTED,
     X::mv(handle, direction, kTurned, mb, mb, count, &alpha, MATRIX, x.data, &beta, y.data));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::mv(handle, direction, kPlain, mb, mb, count, nullptr, MATRIX, x.data, &beta, y.data));
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     X::mv(handle, direction, kPlain, -1, mb, count, &alpha, MATRIX, x.data, &beta, y.data));
  for (const auto op : {kPlain, kTurned}) {
    const bool isTurned = op == kTurned;
    const int leading = isTurned ? n + 1 : ldb;
    const auto b0 = numbers<T>(ldb * ldb, 2), c0 = numbers<T>(ldc * n, 5);
    Array<T> b(b0), c(c0);
    SPARSE(X::mm(handle, direction, kPlain, op, mb, n, mb, count, &alpha, MATRIX, b.data, leading, &beta, c.data, ldc));
    OK(cudaDeviceSynchronize());
    for (int column = 0; column < n; ++column)
      for (int i = 0; i < rows; ++i) {
        Wide sum = 0;
        for (int j = 0; j < rows; ++j)
          sum += A.dense(i, j) * wide(b0[isTurned ? j * leading + column : column * leading + j]);
        CHECK(near(wide(c.data[column * ldc + i]), wide(alpha) * sum + wide(beta) * wide(c0[column * ldc + i])));
      }
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       X::mm(handle, direction, kPlain, op, mb, n, mb, count, &alpha, MATRIX, b.data, n - 1, &beta, c.data, ldc));
  }
}

template <class T> static void triangles(int base, int size, bool isByRow) {
  using X = Api<T>;
  const auto direction = isByRow ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
  const Blocks<T> A(5, size, base, isByRow, false);
  const int mb = 5, count = int(A.columns.size()), rows = mb * size, n = 3, ld = rows + 1;
  Array<int> offsets(A.offsets), columns(A.columns);
  Array<T> values(A.values);
  T alpha;
  set(alpha, {1.5, 0.5});
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (const auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (const auto op : kOperations) {
        if (diagonal == CUSPARSE_DIAG_TYPE_UNIT) // numbers that do not grow
          for (size_t i = 0; i < A.values.size(); ++i) set(values.data[i], wide(A.values[i]) / 16.0);
        else
          for (size_t i = 0; i < A.values.size(); ++i) values.data[i] = A.values[i];
        const Dense M = A.read(values.data);
        const Descriptor descr(base);
        SPARSE(cusparseSetMatFillMode(descr, fill));
        SPARSE(cusparseSetMatDiagType(descr, diagonal));
        const auto element = [&](int i, int j) -> Wide { // of op(triangle)
          const int row = op ? j : i, column = op ? i : j;
          if (row == column && diagonal == CUSPARSE_DIAG_TYPE_UNIT) return 1;
          if (fill == CUSPARSE_FILL_MODE_LOWER ? column > row : column < row) return 0;
          return ::op(op, M(row, column));
        };
        const auto f0 = numbers<T>(ld * ld, 3);
        Array<T> f(f0), x(numbers<T>(rows)), many(numbers<T>(ld * ld));
        bsrsv2Info_t one;
        bsrsm2Info_t all;
        int bytes = -1, position = -99;
        size_t bytesExt = 1;
        SPARSE(cusparseCreateBsrsv2Info(&one));
        SPARSE(cusparseCreateBsrsm2Info(&all));
#define VECTOR(ALPHA) handle, direction, op, mb, count, ALPHA MATRIX, one
#define A_ &alpha,
        SPARSE(X::svSize(VECTOR(), &bytes));
        SPARSE(X::svSizeExt(VECTOR(), &bytesExt));
        IS(CUSPARSE_STATUS_INVALID_VALUE, X::sv(VECTOR(A_), f.data, x.data, kLevel, nullptr)); // not analysed
        SPARSE(X::svAnalysis(VECTOR(), kLevel, nullptr));
        SPARSE(X::sv(VECTOR(A_), f.data, x.data, kLevel, nullptr));
        SPARSE(cusparseXbsrsv2_zeroPivot(handle, one, &position)); // waits
        CHECK(position == -1);
        for (int i = 0; i < rows; ++i) {
          Wide sum = 0;
          for (int j = 0; j < rows; ++j) sum += element(i, j) * wide(x.data[j]);
          CHECK(std::abs(sum - wide(alpha) * wide(f0[i])) < 1e-3);
        }
        for (const auto turned : {kPlain, kTurned}) {
          const auto at = [&](int i, int column) { return turned ? i * (n + 2) + column : column * ld + i; };
          const int leading = turned ? n + 2 : ld;
#define MATRICES(ALPHA) handle, direction, op, turned, mb, n, count, ALPHA MATRIX, all
          SPARSE(X::smSize(MATRICES(), &bytes));
          SPARSE(X::smAnalysis(MATRICES(), kLevel, nullptr));
          SPARSE(X::sm(MATRICES(A_), f.data, leading, many.data, leading, kLevel, nullptr));
          SPARSE(cusparseXbsrsm2_zeroPivot(handle, all, &position));
          CHECK(position == -1);
          for (int column = 0; column < n; ++column)
            for (int i = 0; i < rows; ++i) {
              Wide sum = 0;
              for (int j = 0; j < rows; ++j) sum += element(i, j) * wide(many.data[at(j, column)]);
              CHECK(std::abs(sum - wide(alpha) * wide(f0[at(i, column)])) < 1e-3);
            }
        }
        // The second element of block 3's diagonal is zero.
        const int zero = 3 * size + size / 2;
        A.each([&](int i, int j, int place) {
          if (i == zero && j == zero) set(values.data[place], 0);
        });
        SPARSE(X::sv(VECTOR(A_), f.data, x.data, kLevel, nullptr));
        IS(diagonal == CUSPARSE_DIAG_TYPE_UNIT ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT,
           cusparseXbsrsv2_zeroPivot(handle, one, &position));
        CHECK(position == (diagonal == CUSPARSE_DIAG_TYPE_UNIT ? -1 : 3 + base));
        SPARSE(cusparseDestroyBsrsv2Info(one));
        SPARSE(cusparseDestroyBsrsm2Info(all));
      }
}

/// Seven rows and nine columns: the last blocks are not full.
template <class T> static void conversions(int base, int baseC, int size, bool isByRow) {
  using X = Api<T>;
  const auto direction = isByRow ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
  const int m = 7, n = 9, mb = (m + size - 1) / size, nb = (n + size - 1) / size;
  Dense dense(m, n);
  std::vector<int> offsets0 = {base}, columns0;
  std::vector<T> values0;
  for (int i = 0; i < m; ++i) {
    for (int j = n - 1; j >= 0; --j) { // not in order
      if ((i * 3 + j * 2) % 7 > 1) continue;
      T value;
      set(value, number(i * n + j));
      dense(i, j) = wide(value);
      columns0.push_back(j + base);
      values0.push_back(value);
    }
    offsets0.push_back(int(columns0.size()) + base);
  }
  const Descriptor from(base), into(baseC);
  Array<int> offsets(offsets0), columns(columns0), offsetsC(std::vector<int>(mb + 1));
  Array<T> values(values0);
  int count = -1;
  SPARSE(cusparseXcsr2bsrNnz(handle, direction, m, n, from, offsets.data, columns.data, size, into, offsetsC.data,
                             &count));
  Array<int> columnsC{std::vector<int>(count)};
  Array<T> valuesC{std::vector<T>(count * size * size)};
  SPARSE(X::csr2bsr(handle, direction, m, n, from, values.data, offsets.data, columns.data, size, into, valuesC.data,
                    offsetsC.data, columnsC.data));
  OK(cudaDeviceSynchronize());
  CHECK(offsetsC.data[0] == baseC && offsetsC.data[mb] == count + baseC);
  Dense got(mb * size, nb * size);
  int blocks = 0;
  for (int row = 0; row < mb; ++row)
    for (int block = offsetsC.data[row] - baseC; block < offsetsC.data[row + 1] - baseC; ++block) {
      CHECK(block == offsetsC.data[row] - baseC || columnsC.data[block] > columnsC.data[block - 1]);
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
          got(row * size + i, (columnsC.data[block] - baseC) * size + j) =
              wide(valuesC.data[block * size * size + (isByRow ? i * size + j : j * size + i)]);
    }
  for (int row = 0; row < mb; ++row)
    for (int column = 0; column < nb; ++column) {
      bool isThere = false;
      for (int i = row * size; i < (row + 1) * size; ++i)
        for (int j = column * size; j < (column + 1) * size; ++j) {
          const Wide wanted = i < m && j < n ? dense(i, j) : 0.0;
          CHECK(got(i, j) == wanted);
          isThere = isThere || wanted != 0.0;
        }
      blocks += isThere;
    }
  CHECK(blocks == count);

  // And back: all elements of blocks.
  Array<int> offsetsB{std::vector<int>(mb * size + 1)}, columnsB{std::vector<int>(count * size * size)};
  Array<T> valuesB{std::vector<T>(count * size * size)};
  SPARSE(X::bsr2csr(handle, direction, mb, nb, into, valuesC.data, offsetsC.data, columnsC.data, size, from,
                    valuesB.data, offsetsB.data, columnsB.data));
  OK(cudaDeviceSynchronize());
  Dense back(mb * size, nb * size);
  CHECK(offsetsB.data[0] == base && offsetsB.data[mb * size] == count * size * size + base);
  for (int i = 0; i < mb * size; ++i)
    for (int k = offsetsB.data[i] - base; k < offsetsB.data[i + 1] - base; ++k)
      back(i, columnsB.data[k] - base) += wide(valuesB.data[k]);
  for (size_t i = 0; i < back.values.size(); ++i) CHECK(back.values[i] == got.values[i]);
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseXcsr2bsrNnz(handle, direction, m, n, from, offsets.data, columns.data, 0, into, offsetsC.data, &count));
}

template <class T> static void all() {
  for (const int base : {0, 1})
    for (const int size : {1, 2, 3})
      for (const bool isByRow : {false, true}) {
        products<T>(base, size, isByRow);
        triangles<T>(base, size, isByRow);
        for (const int baseC : {0, 1}) conversions<T>(base, baseC, size, isByRow);
      }
}

int main() {
  SPARSE(cusparseCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  SPARSE(cusparseDestroy(handle));
  return failures != 0;
}
