// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices by rows of blocks: products, systems of triangles, from and to rows of elements.
#include "icd/cusparse/numbers.h"
#include "icd/cusparse/pivots.h"

#include <utility>

struct bsrsv2Info : us::cusparse::Pivots {};
struct bsrsm2Info : us::cusparse::Pivots {};

namespace us::cusparse {
namespace {

#define US_BSR const cusparseMatDescr *descr, const T *values, const int *offsets, const int *columns, int dim

/// A dense matrix column by column, or if turned its rows; without either a vector.
template <class T> struct Dense {
  T *values;
  int64_t leading;
  bool isTurned = false;
  T &operator()(int64_t row, int64_t column) const {
    return isTurned ? values[row * leading + column] : values[column * leading + row];
  }
};
template <class T> void check(Call &call, const Dense<T> &B, int64_t rows, int64_t columns) {
  if (B.isTurned) std::swap(rows, columns);
  call.require(B.leading >= std::max<int64_t>(1, rows));
  if (call.isOk() && rows > 0 && columns > 0) call.vector(B.values, (columns - 1) * B.leading + rows);
}

/// "Only CUSPARSE_OPERATION_NON_TRANSPOSE is supported", and for B the transposed.
void only(Call &call, cusparseOperation_t op, cusparseOperation_t most) {
  call.operation(op);
  if (call.isOk() && op > most) call.fail(CUSPARSE_STATUS_NOT_SUPPORTED);
}

template <class T>
cusparseStatus_t multiply(Call call, const Blocks &A, int width, const cusparseMatDescr *descr, const T *values, int n,
                          const T *alpha, const Dense<const T> &B, const T *beta, const Dense<T> &C) {
  const auto a = call.scalar(alpha, kType<T>), b = call.scalar(beta, kType<T>);
  call.require(width >= 0 && n >= 0);
  cusparse::check(call, A, descr, values);
  check(call, B, int64_t(width) * A.size, n);
  check(call, C, int64_t(A.rows) * A.size, n);
  return call.run([=] {
    using W = Wide<T>;
    const W factor = math::convert<W>(a()), kept = math::convert<W>(b());
    for (int row = 0; row < A.rows; ++row)
      for (int i = 0; i < A.size; ++i)
        for (int column = 0; column < n; ++column) {
          W sum{};
          A.forRow(row, width, [&](int other, int block) {
            for (int j = 0; j < A.size; ++j)
              sum += W(host(values)[A.place(block, i, j)]) * W(*host(&B(int64_t(other) * A.size + j, column)));
          });
          Host<T> &into = *host(&C(int64_t(row) * A.size + i, column));
          sum *= factor;
          if (kept != W{}) sum += kept * W(into);
          into = Host<T>(sum);
        }
  });
}

template <class T>
cusparseStatus_t bsrmv(Call call, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nb, int nnzb,
                       const T *alpha, US_BSR, const T *x, const T *beta, T *y) {
  only(call, op, CUSPARSE_OPERATION_NON_TRANSPOSE);
  const int64_t rows = std::max<int64_t>(1, int64_t(nb) * dim), into = std::max<int64_t>(1, int64_t(mb) * dim);
  return multiply<T>(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), nb, descr, values, 1, alpha,
                     {x, rows}, beta, {y, into});
}
template <class T>
cusparseStatus_t bsrmm(Call call, cusparseDirection_t direction, cusparseOperation_t opA, cusparseOperation_t opB,
                       int mb, int n, int kb, int nnzb, const T *alpha, US_BSR, const T *B, int ldb, const T *beta,
                       T *C, int ldc) {
  only(call, opA, CUSPARSE_OPERATION_NON_TRANSPOSE);
  only(call, opB, CUSPARSE_OPERATION_TRANSPOSE);
  return multiply<T>(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), kb, descr, values, n, alpha,
                     {B, ldb, opB != CUSPARSE_OPERATION_NON_TRANSPOSE}, beta, {C, ldc});
}

/// op(A) X = alpha B for a triangle of A, element by element: of a block on the diagonal its triangle too.
template <class T>
cusparseStatus_t solve(Call call, const Blocks &A, cusparseOperation_t op, int n, const T *alpha,
                       const cusparseMatDescr *descr, const T *values, Pivots *info, const Dense<const T> &B,
                       const Dense<T> &X, cusparseSolvePolicy_t policy, const void *buffer) {
  call.operation(op);
  const auto a = call.scalar(alpha, kType<T>);
  call.require(n >= 0);
  requireAnalysis(call, info, policy, buffer);
  cusparse::check(call, A, descr, values);
  check(call, B, int64_t(A.rows) * A.size, n);
  check(call, X, int64_t(A.rows) * A.size, n);
  if (!call.isOk()) return call.status();
  const bool isTurned = op != CUSPARSE_OPERATION_NON_TRANSPOSE, isUnit = descr->diagonal == CUSPARSE_DIAG_TYPE_UNIT,
             isLower = (descr->fill == CUSPARSE_FILL_MODE_LOWER) != isTurned;
  return call.run([=, state = info->state] {
    using W = Wide<T>;
    const Pattern pattern(A);
    const int size = pattern.size();
    std::vector<std::vector<std::pair<int, W>>> rows(static_cast<size_t>(size));
    std::vector<W> pivots(size_t(size), isUnit ? W(1) : W{}), x(static_cast<size_t>(size));
    for (int i = 0; i < size; ++i)
      for (size_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
        const int row = isTurned ? pattern.columns[k] : i, column = isTurned ? i : pattern.columns[k];
        W value = W(host(values)[pattern.places[k]]);
        if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) value = cublas::conjugate(value);
        if (row != column && isLower == (column < row)) rows[row].emplace_back(column, value);
        if (row == column && !isUnit) pivots[row] = value;
      }
    const auto zero = std::find(pivots.begin(), pivots.end(), W{});
    state->keep(A, zero == pivots.end() ? -1 : int(zero - pivots.begin()));
    const W factor = math::convert<W>(a());
    for (int column = 0; column < n; ++column) {
      for (int step = 0; step < size; ++step) {
        const int row = isLower ? step : size - 1 - step;
        W value = factor * W(*host(&B(row, column)));
        for (const auto &[other, element] : rows[row]) value -= element * x[other];
        x[row] = value / pivots[row];
      }
      for (int row = 0; row < size; ++row) *host(&X(row, column)) = Host<T>(x[row]);
    }
  });
}

template <class T>
cusparseStatus_t analyseTriangle(Call call, const Blocks &A, cusparseOperation_t op, const cusparseMatDescr *descr,
                                 const T *values, Pivots *info, cusparseSolvePolicy_t policy, const void *buffer) {
  call.operation(op);
  return analyse(call, A, descr, values, info, policy, buffer, descr && descr->diagonal == CUSPARSE_DIAG_TYPE_UNIT);
}

template <class T, class Size>
cusparseStatus_t bsrsv2_bufferSize(Call call, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nnzb,
                                   const cusparseMatDescr *descr, T *, const int *offsets, const int *columns, int dim,
                                   const Pivots *info, Size *bytes) {
  call.operation(op);
  return sizeOfBuffer(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, info, bytes);
}
template <class T>
cusparseStatus_t bsrsv2_analysis(Call call, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nnzb,
                                 US_BSR, Pivots *info, cusparseSolvePolicy_t policy, void *buffer) {
  return analyseTriangle(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), op, descr, values, info,
                         policy, buffer);
}
template <class T>
cusparseStatus_t bsrsv2_solve(Call call, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nnzb,
                              const T *alpha, US_BSR, Pivots *info, const T *f, T *x, cusparseSolvePolicy_t policy,
                              void *buffer) {
  const int64_t leading = std::max<int64_t>(1, int64_t(mb) * dim);
  return solve<T>(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), op, 1, alpha, descr, values, info,
                  {f, leading}, {x, leading}, policy, buffer);
}

/// Both right-hand sides and solutions are transposed if either is.
template <class T, class Size>
cusparseStatus_t bsrsm2_bufferSize(Call call, cusparseDirection_t direction, cusparseOperation_t op,
                                   cusparseOperation_t opX, int mb, int n, int nnzb, const cusparseMatDescr *descr, T *,
                                   const int *offsets, const int *columns, int dim, const Pivots *info, Size *bytes) {
  call.operation(op);
  only(call, opX, CUSPARSE_OPERATION_TRANSPOSE);
  call.require(n >= 0);
  return sizeOfBuffer(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, info, bytes);
}
template <class T>
cusparseStatus_t bsrsm2_analysis(Call call, cusparseDirection_t direction, cusparseOperation_t op,
                                 cusparseOperation_t opX, int mb, int n, int nnzb, US_BSR, Pivots *info,
                                 cusparseSolvePolicy_t policy, void *buffer) {
  only(call, opX, CUSPARSE_OPERATION_TRANSPOSE);
  call.require(n >= 0);
  return analyseTriangle(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), op, descr, values, info,
                         policy, buffer);
}
template <class T>
cusparseStatus_t bsrsm2_solve(Call call, cusparseDirection_t direction, cusparseOperation_t op, cusparseOperation_t opX,
                              int mb, int n, int nnzb, const T *alpha, US_BSR, Pivots *info, const T *B, int ldb, T *X,
                              int ldx, cusparseSolvePolicy_t policy, void *buffer) {
  only(call, opX, CUSPARSE_OPERATION_TRANSPOSE);
  const bool isTurned = opX != CUSPARSE_OPERATION_NON_TRANSPOSE;
  return solve<T>(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), op, n, alpha, descr, values, info,
                  {B, ldb, isTurned}, {X, ldx, isTurned}, policy, buffer);
}

/// The blocks of a row that elements are in, columns ascending; how many elements there are is not known before the
/// work's turn comes.
void blocksOf(const Blocks &A, int first, int dim, int n, std::vector<int> &columns) {
  columns.clear();
  for (int row = first; row < std::min(first + dim, A.rows); ++row)
    A.forRow(row, n, [&](int column, int) { columns.push_back(column / dim); });
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}
/// Rows whose indices the driver knows when the work's turn comes.
bool reaches(const char *function, Blocks &A) {
  A.count = A.offsets[A.rows] - A.base;
  return A.count >= 0 && reachesLater(function, A.columns, uint64_t(A.count) * sizeof(int));
}
int blocksFor(int n, int dim) { return dim > 0 && n > 0 ? int((int64_t(n) + dim - 1) / dim) : 0; }

cusparseStatus_t csr2bsrNnz(Call call, cusparseDirection_t direction, int m, int n, const cusparseMatDescr *descr,
                            const int *offsets, const int *columns, int dim, const cusparseMatDescr *descrC,
                            int *offsetsC, int *total) {
  call.require(m >= 0 && n >= 0 && dim > 0 && unsigned(direction) <= CUSPARSE_DIRECTION_COLUMN);
  call.general(descr);
  call.general(descrC);
  call.vector(offsets, int64_t(m) + 1);
  call.vector(offsetsC, int64_t(blocksFor(m, dim)) + 1);
  call.answer(total, sizeof *total);
  if (!call.isOk()) return call.status();
  const Blocks from = csrOf(m, 0, descr, offsets, columns);
  return call.run(
      [=, base = int(descrC->base), function = call.function()] {
        Blocks A = from;
        if (!reaches(function, A)) return;
        std::vector<int> row;
        int count = 0;
        for (int i = 0; i < blocksFor(m, dim); ++i) {
          offsetsC[i] = count + base;
          blocksOf(A, i * dim, dim, n, row);
          count += int(row.size());
        }
        offsetsC[blocksFor(m, dim)] = count + base;
        *total = count;
      },
      call.answersHost());
}

/// "bsrRowPtrC" is there; what a block has no elements for is zero.
template <class T>
cusparseStatus_t csr2bsr(Call call, cusparseDirection_t direction, int m, int n, const cusparseMatDescr *descr,
                         const T *values, const int *offsets, const int *columns, int dim,
                         const cusparseMatDescr *descrC, T *valuesC, int *offsetsC, int *columnsC) {
  call.require(m >= 0 && n >= 0 && dim > 0 && unsigned(direction) <= CUSPARSE_DIRECTION_COLUMN);
  call.general(descr);
  call.general(descrC);
  call.vector(offsets, int64_t(m) + 1);
  call.vector(offsetsC, int64_t(blocksFor(m, dim)) + 1);
  if (!call.isOk()) return call.status();
  const Blocks from = csrOf(m, 0, descr, offsets, columns),
               into = bsrOf(direction, blocksFor(m, dim), 0, descrC, offsetsC, columnsC, dim);
  return call.run([=, function = call.function()] {
    Blocks A = from, C = into;
    if (!reaches(function, A) || !reaches(function, C) ||
        !reachesLater(function, values, uint64_t(A.count) * sizeof(T)) ||
        !reachesLater(function, valuesC, uint64_t(C.count) * C.area() * sizeof(T)))
      return;
    std::fill_n(host(valuesC), size_t(C.count) * C.area(), Host<T>{});
    std::vector<int> row;
    for (int i = 0; i < C.rows; ++i) {
      blocksOf(A, i * dim, dim, n, row);
      const int first = offsetsC[i] - C.base;
      if (first < 0 || first + int(row.size()) > C.count) return;
      for (size_t k = 0; k < row.size(); ++k) columnsC[first + int(k)] = row[k] + C.base;
      for (int element = i * dim; element < std::min((i + 1) * dim, m); ++element)
        A.forRow(element, n, [&](int column, int place) {
          const auto block = std::lower_bound(row.begin(), row.end(), column / dim) - row.begin();
          host(valuesC)[C.place(first + int(block), element % dim, column % dim)] = host(values)[place];
        });
    }
  });
}

/// All elements of blocks are elements of rows, those that are zero too.
template <class T>
cusparseStatus_t bsr2csr(Call call, cusparseDirection_t direction, int mb, int nb, US_BSR,
                         const cusparseMatDescr *descrC, T *valuesC, int *offsetsC, int *columnsC) {
  const Blocks from = bsrOf(direction, mb, 0, descr, offsets, columns, dim);
  call.require(nb >= 0);
  cusparse::check(call, from, descr, values);
  call.general(descrC);
  if (call.isOk()) call.vector(offsetsC, int64_t(mb) * dim + 1);
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descrC->base), function = call.function()] {
    Blocks A = from;
    if (!reaches(function, A)) return;
    const uint64_t count = uint64_t(A.count) * A.area();
    if (!reachesLater(function, values, count * sizeof(T)) || !reachesLater(function, valuesC, count * sizeof(T)) ||
        !reachesLater(function, columnsC, count * sizeof(int)))
      return;
    int place = 0;
    for (int row = 0; row < mb * dim; ++row) {
      offsetsC[row] = place + base;
      A.forRow(row / dim, nb, [&](int column, int block) {
        for (int j = 0; j < dim; ++j) {
          columnsC[place] = column * dim + j + base;
          valuesC[place++] = values[A.place(block, row % dim, j)];
        }
      });
    }
    offsetsC[mb * dim] = place + base;
  });
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_BLOCKS(US_DEFINE)

US_INFO(Bsrsv2Info, bsrsv2Info)
US_INFO(Bsrsm2Info, bsrsm2Info)
