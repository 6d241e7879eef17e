// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices in their order. "P is the permutation": sorted along with them.
#include "icd/cusparse/call.h"

#include <utility>

namespace us::cusparse {
namespace {

cusparseStatus_t sort_bufferSizeExt(Call call, int m, int n, int nnz, const int *, const int *, size_t *size) {
  call.require(m >= 0 && n >= 0 && nnz >= 0);
  return bufferSize(call, size);
}

/// Rows or columns, each sorted by itself.
cusparseStatus_t sortLines(Call call, int m, int n, int nnz, const cusparseMatDescr *descr, int lines,
                           const int *offsets, int *indices, int *P, const void *buffer) {
  call.require(m >= 0 && n >= 0 && nnz >= 0 && descr);
  call.buffer(buffer);
  call.vector(offsets, int64_t(lines) + 1);
  call.vector(indices, nnz);
  if (P) call.vector(P, nnz);
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descr->base)] {
    std::vector<std::pair<int, int>> sorted;
    for (int line = 0; line < lines; ++line) {
      const int first = std::max(offsets[line] - base, 0), end = std::min(offsets[line + 1] - base, nnz);
      sorted.clear();
      for (int place = first; place < end; ++place) sorted.emplace_back(indices[place], P ? P[place] : 0);
      std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
      for (size_t place = 0; place < sorted.size(); ++place) {
        indices[first + int(place)] = sorted[place].first;
        if (P) P[first + int(place)] = sorted[place].second;
      }
    }
  });
}

cusparseStatus_t csrsort(Call call, int m, int n, int nnz, const cusparseMatDescr *descr, const int *offsets,
                         int *columns, int *P, void *buffer) {
  return sortLines(call, m, n, nnz, descr, m, offsets, columns, P, buffer);
}
cusparseStatus_t cscsort(Call call, int m, int n, int nnz, const cusparseMatDescr *descr, const int *offsets, int *rows,
                         int *P, void *buffer) {
  return sortLines(call, m, n, nnz, descr, n, offsets, rows, P, buffer);
}

/// By the one kind of indices, and where these are the same by the other.
cusparseStatus_t sortPairs(Call call, int m, int n, int nnz, int *first, int *second, int *P, const void *buffer) {
  call.require(m >= 0 && n >= 0 && nnz >= 0);
  call.buffer(buffer);
  call.vector(first, nnz);
  call.vector(second, nnz);
  if (P) call.vector(P, nnz);
  return call.run([=] {
    struct Place {
      int first, second, permuted;
    };
    std::vector<Place> sorted;
    for (int i = 0; i < nnz; ++i) sorted.push_back({first[i], second[i], P ? P[i] : 0});
    std::stable_sort(sorted.begin(), sorted.end(), [](const Place &a, const Place &b) {
      return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    for (int i = 0; i < nnz; ++i) {
      first[i] = sorted[size_t(i)].first;
      second[i] = sorted[size_t(i)].second;
      if (P) P[i] = sorted[size_t(i)].permuted;
    }
  });
}
cusparseStatus_t coosortByRow(Call call, int m, int n, int nnz, int *rows, int *columns, int *P, void *buffer) {
  return sortPairs(call, m, n, nnz, rows, columns, P, buffer);
}
cusparseStatus_t coosortByColumn(Call call, int m, int n, int nnz, int *rows, int *columns, int *P, void *buffer) {
  return sortPairs(call, m, n, nnz, columns, rows, P, buffer);
}

cusparseStatus_t identity(Call call, int n, int *p) {
  call.require(n >= 0);
  call.vector(p, n);
  return call.run([=] {
    for (int i = 0; i < n; ++i) p[i] = i;
  });
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_SORTS(US_DEFINE)
