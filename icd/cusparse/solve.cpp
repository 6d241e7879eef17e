// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of triangles.
#include "icd/cusparse/call.h"

#include <memory>
#include <utility>

namespace us::cusparse {
namespace {

/// What a matrix's values were replaced with after its analysis; work reads and writes it in the stream's order.
struct Update {
  std::vector<Number> values, diagonal;
};
struct Analysis {
  bool isDone = false;
  int64_t rows = 0, count = 0;
  cudaDataType type = CUDA_R_32F;
  std::shared_ptr<Update> update;

  void of(const Sparse &A) { *this = {true, A.rows, A.count, A.type, std::make_shared<Update>()}; }
};

} // namespace
} // namespace us::cusparse

struct cusparseSpSVDescr : us::cusparse::Analysis {};
struct cusparseSpSMDescr : us::cusparse::Analysis {};

namespace us::cusparse {
namespace {

/// op(A) C = alpha op(B) for a triangle of A.
cusparseStatus_t solve(Call call, const Analysis *analysis, cusparseOperation_t opA, cusparseOperation_t opB,
                       const void *alpha, const Sparse *A, const Matrix *B, const Matrix *C, cudaDataType type) {
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, type);
  // "cusparseSpSV_analysis() must be called before": without it there is nothing to solve with.
  call.require(analysis && analysis->isDone);
  call.sparse(A);
  if (!call.isOk()) return call.status();
  call.require(A && B && C && A->rows == A->columns && A->rows == analysis->rows && A->count == analysis->count);
  if (!call.isOk()) return call.status();
  const bool isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t size = A->rows, columns = C->columns;
  call.matrix(B, isTurnedB ? columns : size, isTurnedB ? size : columns);
  call.matrix(C, size, columns);
  return call.run([=, A = *A, B = *B, C = *C, update = analysis->update] {
    const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isUnit = A.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    const bool isLower = (A.fill == CUSPARSE_FILL_MODE_LOWER) != isTurned;
    std::vector<std::vector<Entry>> rows(static_cast<size_t>(size));
    std::vector<Number> diagonal(size_t(size), isUnit ? 1.0 : 0.0);
    const Reader values(A.values, A.type);
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      if (isTurned) std::swap(row, column);
      Number value = op(opA, update->values.empty() ? values[place] : update->values[size_t(place)]);
      if (row == column && !update->diagonal.empty()) value = op(opA, update->diagonal[size_t(row)]);
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

cusparseStatus_t update(Call call, const Analysis *analysis, const void *values, bool isDiagonal) {
  call.require(analysis && analysis->isDone);
  if (!call.isOk()) return call.status();
  const int64_t count = isDiagonal ? analysis->rows : analysis->count;
  call.memory(values, uint64_t(count) * math::sizeOf(analysis->type));
  return call.run([=, type = analysis->type, update = analysis->update] {
    std::vector<Number> &into = isDiagonal ? update->diagonal : update->values;
    const Reader from(values, type);
    into.resize(size_t(count));
    for (int64_t i = 0; i < count; ++i) into[size_t(i)] = from[i];
    if (!isDiagonal) update->diagonal.clear();
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
    if (call.isOk()) descr->of(*matA);                                                                                 \
    return call.status();                                                                                              \
  }
US_SOLVER(SpSV, US_SPSV, vecX, vecY)
US_SOLVER(SpSM, US_SPSM, matB, matC)
US_EXPORT cusparseStatus_t cusparseSpSV_solve(US_SPSV) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!vecX || !vecY) return CUSPARSE_STATUS_INVALID_VALUE;
  const Matrix x = columnOf(*vecX), y = columnOf(*vecY);
  return solve({__func__, handle}, descr, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matA, &x, &y, computeType);
}
US_EXPORT cusparseStatus_t cusparseSpSM_solve(US_SPSM) {
  return solve({__func__, handle}, descr, opA, opB, alpha, matA, matB, matC, computeType);
}
US_EXPORT cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr,
                                                     void *newValues, cusparseSpSVUpdate_t updatePart) {
  return update({__func__, handle}, descr, newValues, updatePart == CUSPARSE_SPSV_UPDATE_DIAGONAL);
}
US_EXPORT cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr,
                                                     void *newValues, cusparseSpSMUpdate_t updatePart) {
  return update({__func__, handle}, descr, newValues, updatePart == CUSPARSE_SPSM_UPDATE_DIAGONAL);
}
