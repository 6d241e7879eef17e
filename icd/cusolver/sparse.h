// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What routines of sparse matrices share: matrices by rows, in memory of the device or of the host.
#pragma once

#include "icd/cusolver/bands.h"
#include "icd/cusolver/call.h"
#include "icd/cusparse/descriptor.h"

#include <memory>
#include <new>

namespace us::cusolver {

enum class Where { kDevice, kHost };

struct Csr {
  int rows, count, base;
  const int *offsets, *columns;

  /// Elements outside of the matrix are left out. Without values these are not read.
  template <class H> std::vector<Entry<H>> entries(const H *values) const {
    std::vector<Entry<H>> all;
    for (int row = 0; row < rows; ++row)
      for (int i = std::max(0, offsets[row] - base); i < std::min(count, offsets[row + 1] - base); ++i)
        if (const int column = columns[i] - base; column >= 0 && column < rows)
          all.push_back({row, column, values ? values[i] : H{}});
    return all;
  }
};
inline Csr csrOf(int rows, int count, const cusparseMatDescr *descriptor, const int *offsets, const int *columns) {
  return {rows, count, descriptor ? int(descriptor->base) : 0, offsets, columns};
}

template <class T> void vector(Call &call, Where where, const T *pointer, int64_t n) {
  if (where == Where::kDevice)
    call.vector(pointer, n);
  else if (n > 0)
    call.require(pointer != nullptr);
}
template <class T>
void check(Call &call, Where where, const Csr &A, const cusparseMatDescr *descriptor, const T *values,
           bool hasValues = true) {
  call.require(descriptor != nullptr);
  if (call.isOk() && descriptor->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    call.fail(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  vector(call, where, A.offsets, int64_t(A.rows) + 1);
  vector(call, where, A.columns, A.count);
  if (hasValues) vector(call, where, values, A.count);
}

/// Does the work, for the host at once, for the device when the stream gets there; it waits for that. What has no room
/// for its factors is CUSOLVER_STATUS_ALLOC_FAILED.
template <class Work> cusolverStatus_t compute(Call &call, Where where, Work work) {
  if (!call.isOk()) return call.status();
  const auto isTooLarge = std::make_shared<bool>(false);
  const auto attempt = [=] {
    try {
      work();
    } catch (const std::bad_alloc &) {
      *isTooLarge = true;
    }
  };
  cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
  if (where == Where::kHost)
    attempt();
  else
    status = call.run(attempt, true);
  return *isTooLarge ? CUSOLVER_STATUS_ALLOC_FAILED : status;
}

} // namespace us::cusolver
