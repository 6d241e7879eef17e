// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of two matrices by rows.
#include "icd/cusparse/blocks.h"
#include "icd/cusparse/numbers.h"

namespace us::cusparse {
namespace {

/// An element that is in one of two matrices, or in both: where, or -1.
struct Both {
  int column, first, second;
};

/// A row of the sum, columns ascending; elements that a matrix has twice are there twice.
void mergeRow(const Blocks &A, const Blocks &B, int row, int width, std::vector<Both> &merged) {
  merged.clear();
  A.forRow(row, width, [&](int column, int place) { merged.push_back({column, place, -1}); });
  B.forRow(row, width, [&](int column, int place) { merged.push_back({column, -1, place}); });
  std::stable_sort(merged.begin(), merged.end(), [](const Both &a, const Both &b) { return a.column < b.column; });
  size_t kept = 0;
  for (const Both &one : merged) {
    Both *const last = kept ? &merged[kept - 1] : nullptr;
    if (last && last->column == one.column && last->second < 0 && one.second >= 0)
      last->second = one.second;
    else
      merged[kept++] = one;
  }
  merged.resize(kept);
}

cusparseStatus_t csrgeam2Nnz(Call call, int m, int n, const cusparseMatDescr *descrA, int nnzA, const int *offsetsA,
                             const int *columnsA, const cusparseMatDescr *descrB, int nnzB, const int *offsetsB,
                             const int *columnsB, const cusparseMatDescr *descrC, int *offsetsC, int *total, void *) {
  const Blocks A = csrOf(m, nnzA, descrA, offsetsA, columnsA), B = csrOf(m, nnzB, descrB, offsetsB, columnsB);
  call.require(n >= 0);
  check<int>(call, A, descrA, nullptr, false);
  check<int>(call, B, descrB, nullptr, false);
  call.general(descrC);
  call.vector(offsetsC, int64_t(m) + 1);
  call.answer(total, sizeof *total);
  if (!call.isOk()) return call.status();
  return call.run(
      [=, base = int(descrC->base)] {
        std::vector<Both> merged;
        int count = 0;
        for (int row = 0; row < m; ++row) {
          offsetsC[row] = count + base;
          mergeRow(A, B, row, n, merged);
          count += int(merged.size());
        }
        offsetsC[m] = count + base;
        *total = count;
      },
      call.answersHost());
}

template <class T>
cusparseStatus_t csrgeam2_bufferSizeExt(Call call, int m, int n, const T *, const cusparseMatDescr *descrA, int nnzA,
                                        const T *, const cusparseMatDescr *descrB, int nnzB,
                                        const cusparseMatDescr *descrC, size_t *size) {
  call.require(m >= 0 && n >= 0 && nnzA >= 0 && nnzB >= 0);
  for (const cusparseMatDescr *descr : {descrA, descrB, descrC}) call.general(descr);
  return bufferSize(call, size);
}

/// C's offsets are there, so that its size is known when the work's turn comes.
template <class T>
cusparseStatus_t csrgeam2(Call call, int m, int n, const T *alpha, const cusparseMatDescr *descrA, int nnzA,
                          const T *valuesA, const int *offsetsA, const int *columnsA, const T *beta,
                          const cusparseMatDescr *descrB, int nnzB, const T *valuesB, const int *offsetsB,
                          const int *columnsB, const cusparseMatDescr *descrC, T *valuesC, int *offsetsC, int *columnsC,
                          void *) {
  const Blocks A = csrOf(m, nnzA, descrA, offsetsA, columnsA), B = csrOf(m, nnzB, descrB, offsetsB, columnsB);
  const auto a = call.scalar(alpha, kType<T>), b = call.scalar(beta, kType<T>);
  call.require(n >= 0);
  check(call, A, descrA, valuesA);
  check(call, B, descrB, valuesB);
  call.general(descrC);
  call.vector(offsetsC, int64_t(m) + 1);
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descrC->base), function = call.function()] {
    using W = Wide<T>;
    const int64_t count = int64_t(offsetsC[m]) - base;
    if (count < 0 || !reachesLater(function, valuesC, uint64_t(count) * sizeof(T)) ||
        !reachesLater(function, columnsC, uint64_t(count) * sizeof(int)))
      return;
    const W factorA = math::convert<W>(a()), factorB = math::convert<W>(b());
    std::vector<Both> merged;
    for (int row = 0; row < m; ++row) {
      mergeRow(A, B, row, n, merged);
      int64_t place = int64_t(offsetsC[row]) - base;
      for (const Both &one : merged) {
        if (place < 0 || place >= count) break;
        W sum{};
        if (one.first >= 0) sum += factorA * W(host(valuesA)[one.first]);
        if (one.second >= 0) sum += factorB * W(host(valuesB)[one.second]);
        columnsC[place] = one.column + base;
        host(valuesC)[place++] = Host<T>(sum);
      }
    }
  });
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_SUMS(US_DEFINE)
