// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What analyses say and work finds of pivots, and those who ask for it.
#pragma once

#include "icd/cusparse/blocks.h"

#include <atomic>
#include <memory>

namespace us::cusparse {

/// What work leaves for whoever asks; it may outlive the structure that it was asked with.
struct State {
  std::atomic<int> zero = -1; ///< the first row (of blocks) without a pivot, in the matrix's base

  void keep(const Blocks &A, int row) { zero = row < 0 ? -1 : row / A.size + A.base; }
};
struct Pivots {
  std::shared_ptr<State> state = std::make_shared<State>();
  bool isAnalysed = false;
  cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
};

inline bool isPolicy(cusparseSolvePolicy_t policy) {
  return policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || policy == CUSPARSE_SOLVE_POLICY_USE_LEVEL;
}

/// "if analysis is called with NO_LEVEL, it can only accept NO_LEVEL; otherwise INVALID_VALUE is returned"
inline void requireAnalysis(Call &call, const Pivots *info, cusparseSolvePolicy_t policy, const void *buffer) {
  call.require(info && isPolicy(policy) && info->isAnalysed &&
               (policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || info->policy == policy));
  call.buffer(buffer);
}

constexpr size_t kNowhere = size_t(-1);

/// Each row with the places of its elements by their columns: calls use(row, where), where(column) is kNowhere if there
/// is none.
template <class Use> void forRows(const Pattern &A, Use use) {
  std::vector<size_t> where(size_t(A.size()), kNowhere);
  for (int row = 0; row < A.size(); ++row) {
    for (size_t i = A.rows[row]; i < A.rows[row + 1]; ++i) where[A.columns[i]] = i;
    use(row, where);
    for (size_t i = A.rows[row]; i < A.rows[row + 1]; ++i) where[A.columns[i]] = kNowhere;
  }
}
inline void keepFirst(int &first, int row) {
  if (first < 0) first = row;
}

/// The first row without an element on the diagonal, or -1.
inline int firstWithoutDiagonal(const Pattern &A) {
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    if (where[row] == kNowhere) keepFirst(first, row);
  });
  return first;
}

template <class Size>
cusparseStatus_t sizeOfBuffer(Call call, const Blocks &A, const cusparseMatDescr *descr, const Pivots *info,
                              Size *bytes) {
  call.general(descr);
  call.require(A.rows >= 0 && A.count >= 0 && A.size > 0 && info);
  return bufferSize(call, bytes);
}

/// "reports a structural zero": nothing else is prepared. What has a diagonal of ones by its descriptor has none.
template <class T>
cusparseStatus_t analyse(Call call, const Blocks &A, const cusparseMatDescr *descr, const T *values, Pivots *info,
                         cusparseSolvePolicy_t policy, const void *buffer, bool isUnit = false) {
  call.require(info && isPolicy(policy));
  call.buffer(buffer);
  check(call, A, descr, values);
  if (!call.isOk()) return call.status();
  info->isAnalysed = true;
  info->policy = policy;
  return call.run([A, isUnit, state = info->state] { state->keep(A, isUnit ? -1 : firstWithoutDiagonal(Pattern(A))); });
}

/// "a blocking call"
inline cusparseStatus_t zeroPivot(Call call, const Pivots *info, int *position) {
  call.require(info != nullptr);
  call.answer(position, sizeof *position);
  if (!call.isOk()) return call.status();
  if (const cusparseStatus_t status = call.synchronize(); status != CUSPARSE_STATUS_SUCCESS) return status;
  *position = info->state->zero;
  return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <class T> cusparseStatus_t create(T **info) {
  if (!info) return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new T;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace us::cusparse

#define US_INFO(NAME, TYPE)                                                                                            \
  US_EXPORT cusparseStatus_t cusparseCreate##NAME(TYPE##_t *info) { return us::cusparse::create(info); }               \
  US_EXPORT cusparseStatus_t cusparseDestroy##NAME(TYPE##_t info) {                                                    \
    delete info;                                                                                                       \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
