// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of triangles.
#include "icd/cusparse/call.h"

struct cusparseSpSVDescr {
  bool isAnalysed = false;
};
struct cusparseSpSMDescr {
  bool isAnalysed = false;
};

namespace us::cusparse {
namespace {

/// op(A) C = alpha op(B) for a triangle of A.
cusparseStatus_t solve(Call call, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, const Sparse *A,
                       const Matrix *B, const Matrix *C, cudaDataType type) {
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, type);
  call.sparse(A);
  call.require(A && B && C && A->rows == A->columns);
  if (!call.isOk()) return call.status();
  const bool isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t size = A->rows, columns = C->columns;
  call.matrix(B, isTurnedB ? columns : size, isTurnedB ? size : columns);
  call.matrix(C, size, columns);
  return call.run([=, A = *A, B = *B, C = *C] {
    const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isUnit = A.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    const bool isLower = (A.fill == CUSPARSE_FILL_MODE_LOWER) != isTurned;
    std::vector<std::vector<Entry>> rows(static_cast<size_t>(size));
    std::vector<Number> diagonal(size_t(size), isUnit ? 1.0 : 0.0);
    const Reader values(A.values, A.type);
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      if (isTurned) std::swap(row, column);
      const Number value = op(opA, values[place]);
      if (row == column) {
        if (!isUnit) diagonal[size_t(row)] += value;
      } else if (isLower == (column < row)) {
        rows[size_t(row)].push_back({column, value});
      }
    });
    const Number factor = a();
    std::vector<Number> x(static_cast<size_t>(size));
    for (int64_t i = 0; i < columns; ++i) {
      for (int64_t step = 0; step < size; ++step) {
        const int64_t row = isLower ? step : size - 1 - step;
        Number value =
            times(factor, op(opB, math::load<Number>(B.type, B.values, isTurnedB ? B.at(i, row) : B.at(row, i))));
        for (const Entry &entry : rows[size_t(row)]) value -= times(entry.value, x[size_t(entry.column)]);
        x[size_t(row)] = value / diagonal[size_t(row)];
      }
      for (int64_t row = 0; row < size; ++row) math::store<Number>(C.type, C.values, x[size_t(row)], C.at(row, i));
    }
  });
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

#define US_SPSV                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha, cusparseConstSpMatDescr_t matA,                 \
      cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t,          \
      cusparseSpSVDescr_t descr
#define US_SPSM                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,                       \
      cudaDataType computeType, cusparseSpSMAlg_t, cusparseSpSMDescr_t descr
#define US_SOLVER(NAME, PARAMETERS, FROM, INTO)                                                                        \
  US_EXPORT cusparseStatus_t cusparse##NAME##_createDescr(cusparse##NAME##Descr_t *descr) {                            \
    if (!descr) return CUSPARSE_STATUS_INVALID_VALUE;                                                                  \
    *descr = new cusparse##NAME##Descr;                                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_destroyDescr(cusparse##NAME##Descr_t descr) {                            \
    delete descr;                                                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_bufferSize(PARAMETERS, size_t *size) {                                   \
    Call call(__func__, handle);                                                                                       \
    call.require(alpha &&matA &&FROM &&INTO &&descr);                                                                  \
    call.operation(opA);                                                                                               \
    call.type(computeType);                                                                                            \
    return bufferSize(call, size);                                                                                     \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_analysis(PARAMETERS, void *) {                                           \
    Call call(__func__, handle);                                                                                       \
    call.require(alpha &&matA &&FROM &&INTO &&descr);                                                                  \
    call.operation(opA);                                                                                               \
    call.type(computeType);                                                                                            \
    if (call.isOk()) descr->isAnalysed = true;                                                                         \
    return call.status();                                                                                              \
  }
US_SOLVER(SpSV, US_SPSV, vecX, vecY)
US_SOLVER(SpSM, US_SPSM, matB, matC)
// "cusparseSpSV_analysis() must be called before": without it there is nothing to solve with.
US_EXPORT cusparseStatus_t cusparseSpSV_solve(US_SPSV) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!vecX || !vecY || !descr || !descr->isAnalysed) return CUSPARSE_STATUS_INVALID_VALUE;
  const Matrix x = columnOf(*vecX), y = columnOf(*vecY);
  return solve({__func__, handle}, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matA, &x, &y, computeType);
}
US_EXPORT cusparseStatus_t cusparseSpSM_solve(US_SPSM) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descr || !descr->isAnalysed) return CUSPARSE_STATUS_INVALID_VALUE;
  return solve({__func__, handle}, opA, opB, alpha, matA, matB, matC, computeType);
}
