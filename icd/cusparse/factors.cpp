// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors: products of these have a matrix's elements where the matrix has any. Of blocks, their elements
// are the matrix's: all of a block's may be filled.
#include "icd/cusparse/numbers.h"
#include "icd/cusparse/pivots.h"

namespace us::cusparse {
namespace {

/// "if tol >= fabs(A(j,j)), then A(j,j)=boost_val"
struct Boost {
  bool isOn = false;
  Call::Scalar tolerance, value;
};
struct Info : Pivots {
  Boost boost;
};

} // namespace
} // namespace us::cusparse

struct csric02Info : us::cusparse::Info {};
struct bsric02Info : us::cusparse::Info {};
struct csrilu02Info : us::cusparse::Info {};
struct bsrilu02Info : us::cusparse::Info {};

namespace us::cusparse {
namespace {

/// L and U take the places of A, L without its diagonal of ones. Returns the first row whose pivot is missing or zero.
template <class W> int factorLU(const Pattern &A, std::vector<W> &values, const Boost &boost) {
  const double tolerance = boost.isOn ? boost.tolerance().real() : -1;
  const W boosted = boost.isOn ? math::convert<W>(boost.value()) : W{};
  std::vector<size_t> above(size_t(A.size())); // where a row's elements right of the diagonal begin
  std::vector<W> pivots(size_t(A.size()), W{});
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    size_t i = A.rows[row];
    for (; i < A.rows[row + 1] && A.columns[i] < row; ++i) {
      const int above_of = A.columns[i];
      const W factor = values[i] /= pivots[above_of];
      for (size_t j = above[above_of]; j < A.rows[above_of + 1]; ++j)
        if (const size_t into = where[A.columns[j]]; into != kNowhere) values[into] -= factor * values[j];
    }
    if (const size_t diagonal = where[row]; diagonal != kNowhere) {
      if (tolerance >= std::abs(values[diagonal])) values[diagonal] = boosted;
      pivots[row] = values[diagonal];
      i = diagonal + 1;
    }
    above[row] = i;
    if (pivots[row] == W{}) keepFirst(first, row);
  });
  return first;
}

/// L takes the places of A's lower triangle; nothing looks at the others. Returns the first row whose pivot is missing
/// or not positive.
template <class W> int factorCholesky(const Pattern &A, std::vector<W> &values) {
  std::vector<double> pivots(size_t(A.size()), 0.0);
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    double squares = 0;
    for (size_t i = A.rows[row]; i < A.rows[row + 1] && A.columns[i] < row; ++i) {
      const int other = A.columns[i];
      for (size_t j = A.rows[other]; j < A.rows[other + 1] && A.columns[j] < other; ++j)
        if (const size_t mine = where[A.columns[j]]; mine != kNowhere)
          values[i] -= values[mine] * cublas::conjugate(values[j]);
      values[i] /= pivots[other];
      squares += std::norm(values[i]);
    }
    if (const size_t diagonal = where[row]; diagonal != kNowhere) {
      const double square = std::real(values[diagonal]) - squares;
      if (square > 0) pivots[row] = std::sqrt(square);
      values[diagonal] = std::sqrt(square);
    }
    if (!(pivots[row] > 0)) keepFirst(first, row);
  });
  return first;
}

template <class T, class Factor>
cusparseStatus_t factor(Call call, const Blocks &A, const cusparseMatDescr *descr, T *values, Info *info,
                        cusparseSolvePolicy_t policy, const void *buffer, Factor factorise) {
  requireAnalysis(call, info, policy, buffer);
  check(call, A, descr, values);
  if (!call.isOk()) return call.status();
  return call.run([A, values, factorise, state = info->state] {
    const Pattern pattern(A);
    std::vector<Wide<T>> numbers;
    for (const size_t place : pattern.places) numbers.push_back(Wide<T>(host(values)[place]));
    const int row = factorise(pattern, numbers);
    for (size_t i = 0; i < numbers.size(); ++i) host(values)[pattern.places[i]] = Host<T>(numbers[i]);
    state->keep(A, row);
  });
}

#define US_CSR int m, int nnz, const cusparseMatDescr *descr
#define US_BSR cusparseDirection_t direction, int mb, int nnzb, const cusparseMatDescr *descr
template <class T, class Size>
cusparseStatus_t csr_bufferSize(Call call, US_CSR, T *, const int *offsets, const int *columns, const Info *info,
                                Size *bytes) {
  return sizeOfBuffer(call, csrOf(m, nnz, descr, offsets, columns), descr, info, bytes);
}
template <class T>
cusparseStatus_t csr_analysis(Call call, US_CSR, const T *values, const int *offsets, const int *columns, Info *info,
                              cusparseSolvePolicy_t policy, void *buffer) {
  return analyse(call, csrOf(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer);
}
template <class T, class Size>
cusparseStatus_t bsr_bufferSize(Call call, US_BSR, T *, const int *offsets, const int *columns, int dim,
                                const Info *info, Size *bytes) {
  return sizeOfBuffer(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, info, bytes);
}
template <class T>
cusparseStatus_t bsr_analysis(Call call, US_BSR, const T *values, const int *offsets, const int *columns, int dim,
                              Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return analyse(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer);
}

constexpr auto kCholesky = [](const Pattern &A, auto &values) { return factorCholesky(A, values); };
auto luOf(const Info *info) {
  return [boost = info ? info->boost : Boost{}](const Pattern &A, auto &values) { return factorLU(A, values, boost); };
}
template <class T>
cusparseStatus_t csric02(Call call, US_CSR, T *values, const int *offsets, const int *columns, csric02Info *info,
                         cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, csrOf(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer, kCholesky);
}
template <class T>
cusparseStatus_t csrilu02(Call call, US_CSR, T *values, const int *offsets, const int *columns, csrilu02Info *info,
                          cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, csrOf(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer, luOf(info));
}
template <class T>
cusparseStatus_t bsric02(Call call, US_BSR, T *values, const int *offsets, const int *columns, int dim,
                         bsric02Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer,
                kCholesky);
}
template <class T>
cusparseStatus_t bsrilu02(Call call, US_BSR, T *values, const int *offsets, const int *columns, int dim,
                          bsrilu02Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, bsrOf(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer,
                luOf(info));
}

/// "If enable_boost=0, tol and boost_val are ignored."
template <class T>
cusparseStatus_t numericBoost(Call call, Info *info, int enable, const double *tolerance, const T *value) {
  call.require(info != nullptr);
  Boost boost;
  if (enable) boost = {true, call.scalar(tolerance, CUDA_R_64F), call.scalar(value, kType<T>)};
  if (call.isOk()) info->boost = boost;
  return call.status();
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_FACTORS(US_DEFINE)

US_INFO(Csric02Info, csric02Info)
US_INFO(Bsric02Info, bsric02Info)
US_INFO(Csrilu02Info, csrilu02Info)
US_INFO(Bsrilu02Info, bsrilu02Info)
