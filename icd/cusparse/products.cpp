// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with dense vectors and matrices: what is described is gone through entry by entry, and summed in double
// precision.
#include "icd/cusparse/call.h"

#include <utility>

namespace us::cusparse {
namespace {

/// "C_i = A_i B_i", in which there may be one A, or one B, for all.
bool areAsMany(int batches, int a, int b) { return (a == 1 || a == batches) && (b == 1 || b == batches); }

/// C = factor op(A) op(B) + kept C.
void multiplyOne(cusparseOperation_t opA, cusparseOperation_t opB, Number factor, const Sparse &A, const Matrix &B,
                 Number kept, const Matrix &C) {
  const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t rows = C.rows, columns = C.columns;
  std::vector<Number> sums(size_t(rows) * size_t(columns));
  const Reader values(A.values, A.type), from(B.values, B.type);
  forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
    if (isTurned) std::swap(row, column);
    const Number value = op(opA, values[place]);
    for (int64_t i = 0; i < columns; ++i)
      sums[size_t(row * columns + i)] += times(value, op(opB, from[isTurnedB ? B.at(i, column) : B.at(column, i)]));
  });
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < columns; ++i) {
      Number value = times(factor, sums[size_t(row * columns + i)]);
      if (kept != 0.0) value += times(kept, math::load<Number>(C.type, C.values, C.at(row, i)));
      math::store<Number>(C.type, C.values, value, C.at(row, i));
    }
}

/// What is looked at before a product: whether all is there, and whether there is such a product.
void checkProduct(Call &call, bool isComplete, cusparseOperation_t opA, cusparseOperation_t opB, cudaDataType type) {
  call.require(isComplete);
  call.operation(opA);
  call.operation(opB);
  call.type(type);
}

/// y = alpha op(A) x + beta y, or of matrices: each column of op(B) and C.
cusparseStatus_t multiply(Call call, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
                          const Sparse *A, const Matrix *B, const void *beta, const Matrix *C, cudaDataType type) {
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, type), b = call.scalar(beta, type);
  call.sparse(A);
  call.require(A && B && C && areAsMany(C->batches, A->batches, B->batches));
  if (!call.isOk()) return call.status();
  const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t rows = isTurned ? A->columns : A->rows, inner = isTurned ? A->rows : A->columns, columns = C->columns;
  call.matrix(B, isTurnedB ? columns : inner, isTurnedB ? inner : columns);
  call.matrix(C, rows, columns);
  return call.run([=, A = *A, B = *B, C = *C] {
    for (int i = 0; i < C.batches; ++i) multiplyOne(opA, opB, a(), A.of(i), B.of(i), b(), C.of(i));
  });
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

#define US_SPMV                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha, cusparseConstSpMatDescr_t matA,                 \
      cusparseConstDnVecDescr_t vecX, const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,           \
      cusparseSpMVAlg_t
US_EXPORT cusparseStatus_t cusparseSpMV_bufferSize(US_SPMV, size_t *size) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && vecX && beta && vecY, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSpMV_preprocess(US_SPMV, void *) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && vecX && beta && vecY, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, computeType);
  return call.status();
}
US_EXPORT cusparseStatus_t cusparseSpMV(US_SPMV, void *) {
  if (!vecX || !vecY) return math::isHandle(handle) ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  const Matrix x = columnOf(*vecX), y = columnOf(*vecY);
  return multiply({__func__, handle}, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matA, &x, beta, &y, computeType);
}

#define US_SPMM                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,     \
      cudaDataType computeType, cusparseSpMMAlg_t
US_EXPORT cusparseStatus_t cusparseSpMM_bufferSize(US_SPMM, size_t *size) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && matB && beta && matC, opA, opB, computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSpMM_preprocess(US_SPMM, void *) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && matB && beta && matC, opA, opB, computeType);
  return call.status();
}
US_EXPORT cusparseStatus_t cusparseSpMM(US_SPMM, void *) {
  return multiply({__func__, handle}, opA, opB, alpha, matA, matB, beta, matC, computeType);
}

#define US_SDDMM                                                                                                       \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,     \
      cudaDataType computeType, cusparseSDDMMAlg_t
US_EXPORT cusparseStatus_t cusparseSDDMM_bufferSize(US_SDDMM, size_t *size) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && matB && beta && matC, opA, opB, computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSDDMM_preprocess(US_SDDMM, void *) {
  Call call(__func__, handle);
  checkProduct(call, alpha && matA && matB && beta && matC, opA, opB, computeType);
  return call.status();
}
// "C = alpha (op(A) op(B)) o spy(C) + beta C"
US_EXPORT cusparseStatus_t cusparseSDDMM(US_SDDMM, void *) {
  Call call(__func__, handle);
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, computeType), b = call.scalar(beta, computeType);
  call.require(matA && matB && matC && areAsMany(matC->batches, matA->batches, matB->batches));
  call.sparse(matC);
  if (!call.isOk()) return call.status();
  const bool isTurnedA = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t inner = isTurnedA ? matA->rows : matA->columns;
  call.matrix(matA, isTurnedA ? inner : matC->rows, isTurnedA ? matC->rows : inner);
  call.matrix(matB, isTurnedB ? matC->columns : inner, isTurnedB ? inner : matC->columns);
  return call.run([=, allA = *matA, allB = *matB, allC = *matC] {
    const Number factor = a(), kept = b();
    for (int batch = 0; batch < allC.batches; ++batch) {
      const Matrix A = allA.of(batch), B = allB.of(batch);
      const Sparse C = allC.of(batch);
      const Reader left(A.values, A.type), right(B.values, B.type), old(C.values, C.type);
      forEntries(C, [&](int64_t row, int64_t column, int64_t place) {
        Number sum = 0;
        for (int64_t i = 0; i < inner; ++i)
          sum += times(op(opA, left[isTurnedA ? A.at(i, row) : A.at(row, i)]),
                       op(opB, right[isTurnedB ? B.at(column, i) : B.at(i, column)]));
        sum = times(factor, sum);
        if (kept != 0.0) sum += times(kept, old[place]);
        math::store<Number>(C.type, C.values, sum, place);
      });
    }
  });
}
