// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one format into another.
#include "icd/cusparse/call.h"

#include <cstring>

namespace us::cusparse {
namespace {

/// Offsets from indices in their order, counted.
void countOffsets(int *offsets, int lines, int base, const std::vector<int> &counts) {
  int sum = base;
  for (int line = 0; line < lines; ++line) {
    offsets[line] = sum;
    sum += counts[size_t(line)];
  }
  offsets[lines] = sum;
}

/// The lines of so many elements, as numbers of each and as offsets.
void checkRows(Call &call, const int *numbers, int elements, const int *offsets, int lines, cusparseIndexBase_t base) {
  call.require(elements >= 0 && lines >= 0 && isBase(base));
  if (!call.isOk()) return;
  call.memory(numbers, size_t(elements) * 4);
  call.memory(offsets, (size_t(lines) + 1) * 4);
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

US_EXPORT cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                            cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                                            size_t *size) {
  Call call(__func__, handle);
  call.require(matA && matB);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                 cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t, void *) {
  Call call(__func__, handle);
  call.sparse(matA);
  if (!call.isOk()) return call.status();
  call.matrix(matB, matA->rows, matA->columns);
  return call.run([A = *matA, B = *matB] {
    const bool isByColumn = B.order == CUSPARSE_ORDER_COL;
    const size_t size = math::sizeOf(B.type), length = size_t(isByColumn ? B.rows : B.columns);
    for (int64_t line = 0; line < (isByColumn ? B.columns : B.rows); ++line) // zeros of all types are zeros
      std::memset(static_cast<char *>(B.values) + size_t(line * B.leading) * size, 0, length * size);
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      math::store<Number>(B.type, B.values, math::load<Number>(A.type, A.values, place), B.at(row, column));
    });
  });
}
US_EXPORT cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                            cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                            size_t *size) {
  Call call(__func__, handle);
  call.require(matA && matB);
  return bufferSize(call, size);
}
namespace {
/// Calls use(line, place in it) for what is not 0, by rows or, into CSC, by columns.
template <class Use> void forNonZeros(const Matrix &A, bool isByColumn, Use use) {
  const int64_t lines = isByColumn ? A.columns : A.rows, length = isByColumn ? A.rows : A.columns;
  const Reader values(A.values, A.type);
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t i = 0; i < length; ++i) {
      const Number value = values[isByColumn ? A.at(i, line) : A.at(line, i)];
      if (value != 0.0) use(line, i, value);
    }
}
} // namespace
// The host learns how many there are, so that this waits.
US_EXPORT cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                          cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                          void *) {
  Call call(__func__, handle);
  call.require(matA && matB);
  if (!call.isOk()) return call.status();
  call.matrix(matA, matB->rows, matB->columns);
  int64_t count = 0;
  const cusparseStatus_t status =
      call.run([&count, A = *matA] { forNonZeros(A, false, [&](int64_t, int64_t, Number) { ++count; }); }, true);
  if (status == CUSPARSE_STATUS_SUCCESS) matB->count = count;
  return status;
}
US_EXPORT cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                         cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                         void *) {
  Call call(__func__, handle);
  call.require(matA && matB);
  if (!call.isOk()) return call.status();
  call.matrix(matA, matB->rows, matB->columns);
  call.sparse(matB);
  return call.run([A = *matA, B = *matB] {
    const bool isByColumn = B.format == CUSPARSE_FORMAT_CSC, isListed = B.format == CUSPARSE_FORMAT_COO;
    int64_t place = 0, next = 0; // entries written, lines begun
    forNonZeros(A, isByColumn, [&](int64_t line, int64_t i, Number value) {
      if (place == B.count) return; // more than there were
      while (!isListed && next <= line) setIndex(B.offsets, B.offsetType, next++, place + B.base);
      if (isListed) setIndex(B.offsets, B.offsetType, place, line + B.base);
      setIndex(B.indices, B.indexType, place, i + B.base);
      math::store<Number>(B.type, B.values, value, place++);
    });
    const int64_t lines = isByColumn ? B.columns : B.rows;
    while (!isListed && next <= lines) setIndex(B.offsets, B.offsetType, next++, place + B.base);
  });
}

#define US_CSR2CSC                                                                                                     \
  cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal, const int *csrRowPtr, const int *csrColInd,      \
      void *cscVal, int *cscColPtr, int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,                 \
      cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t
US_EXPORT cusparseStatus_t cusparseCsr2cscEx2_bufferSize(US_CSR2CSC, size_t *size) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && isBase(idxBase));
  call.type(valType);
  return bufferSize(call, size);
}
// Within a column rows stay in their order.
US_EXPORT cusparseStatus_t cusparseCsr2cscEx2(US_CSR2CSC, void *) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && isBase(idxBase));
  call.type(valType);
  const bool isNumeric = copyValues == CUSPARSE_ACTION_NUMERIC;
  const size_t size = math::sizeOf(valType), count = size_t(std::max(nnz, 0));
  if (call.isOk()) {
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
    call.memory(csrColInd, count * 4);
    call.memory(cscColPtr, (size_t(n) + 1) * 4);
    call.memory(cscRowInd, count * 4);
    if (isNumeric) {
      call.memory(csrVal, count * size);
      call.memory(cscVal, count * size);
    }
  }
  return call.run([=] {
    const Sparse A = {CUSPARSE_FORMAT_CSR,
                      m,
                      n,
                      nnz,
                      const_cast<int *>(csrRowPtr),
                      const_cast<int *>(csrColInd),
                      nullptr,
                      CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I,
                      idxBase,
                      valType};
    std::vector<int> counts(static_cast<size_t>(n)), next(static_cast<size_t>(n));
    forEntries(A, [&](int64_t, int64_t column, int64_t) { ++counts[size_t(column)]; });
    countOffsets(cscColPtr, n, idxBase, counts);
    for (int column = 0; column < n; ++column) next[size_t(column)] = cscColPtr[column] - idxBase;
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      const int to = next[size_t(column)]++;
      cscRowInd[to] = int(row) + idxBase;
      if (isNumeric)
        std::memcpy(static_cast<char *>(cscVal) + size_t(to) * size,
                    static_cast<const char *>(csrVal) + size_t(place) * size, size);
    });
  });
}

US_EXPORT cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m,
                                            int *csrRowPtr, cusparseIndexBase_t idxBase) {
  Call call(__func__, handle);
  checkRows(call, cooRowInd, nnz, csrRowPtr, m, idxBase);
  return call.run([=] {
    std::vector<int> counts(static_cast<size_t>(m));
    for (int i = 0; i < nnz; ++i)
      if (const int row = cooRowInd[i] - idxBase; row >= 0 && row < m) ++counts[size_t(row)];
    countOffsets(csrRowPtr, m, idxBase, counts);
  });
}
US_EXPORT cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrRowPtr, int nnz, int m,
                                            int *cooRowInd, cusparseIndexBase_t idxBase) {
  Call call(__func__, handle);
  checkRows(call, cooRowInd, nnz, csrRowPtr, m, idxBase);
  return call.run([=] {
    for (int row = 0; row < m; ++row)
      for (int i = std::max(csrRowPtr[row] - int(idxBase), 0); i < std::min(csrRowPtr[row + 1] - int(idxBase), nnz);
           ++i)
        cooRowInd[i] = row + idxBase;
  });
}
