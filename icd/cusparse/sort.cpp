// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries in the order of their indices.
#include "icd/cusparse/call.h"
#include "icd/cusparse/descriptor.h"

#include <utility>

using namespace us;
using namespace us::cusparse;

US_EXPORT cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *,
                                                          const int *, size_t *size) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0);
  return bufferSize(call, size);
}
// "P is the permutation": sorted along with the columns.
US_EXPORT cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                            const cusparseMatDescr_t descr, const int *csrRowPtr, int *csrColInd,
                                            int *P, void *) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && descr);
  if (call.isOk()) {
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
    call.memory(csrColInd, size_t(nnz) * 4);
    if (P) call.memory(P, size_t(nnz) * 4);
  }
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descr->base)] {
    std::vector<std::pair<int, int>> row;
    for (int i = 0; i < m; ++i) {
      const int first = std::max(csrRowPtr[i] - base, 0), end = std::min(csrRowPtr[i + 1] - base, nnz);
      row.clear();
      for (int place = first; place < end; ++place) row.emplace_back(csrColInd[place], P ? P[place] : 0);
      std::stable_sort(row.begin(), row.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
      for (size_t place = 0; place < row.size(); ++place) {
        csrColInd[first + int(place)] = row[place].first;
        if (P) P[first + int(place)] = row[place].second;
      }
    }
  });
}
US_EXPORT cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  Call call(__func__, handle);
  call.require(n >= 0);
  if (call.isOk()) call.memory(p, size_t(n) * 4);
  return call.run([=] {
    for (int i = 0; i < n; ++i) p[i] = i;
  });
}
