/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuSPARSE: the generic interface, conversions and sorting, incomplete factors, systems of few diagonals, blocks.
   Written for this project from public documentation. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include <cuComplex.h>
#include <driver_types.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12600

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC,
  CUSPARSE_MATRIX_TYPE_HERMITIAN,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
/* Every algorithm has the same results here. */
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL, CUSPARSE_SPSV_UPDATE_DIAGONAL } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL, CUSPARSE_SPSM_UPDATE_DIAGONAL } cusparseSpSMUpdate_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csric02Info *csric02Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value);
const char *cusparseGetErrorName(cusparseStatus_t status);
const char *cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t value);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t value);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t value);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t value);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *descr, int64_t size, int64_t nnz, void *indices,
                                     void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                     cudaDataType valueType);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *descr, int64_t size, void *values, cudaDataType valueType);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *descr, int64_t rows, int64_t cols, int64_t ld, void *values,
                                     cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, void *offsets,
                                   void *indices, void *values, cusparseIndexType_t offsetsType,
                                   cusparseIndexType_t indicesType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, void *offsets,
                                   void *indices, void *values, cusparseIndexType_t offsetsType,
                                   cusparseIndexType_t indicesType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, void *rowInd,
                                   void *colInd, void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descr, int64_t size, int64_t nnz,
                                          const void *indices, const void *values, cusparseIndexType_t idxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descr, int64_t size, const void *values,
                                          cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descr, int64_t rows, int64_t cols, int64_t ld,
                                          const void *values, cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *offsets, const void *indices, const void *values,
                                        cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *offsets, const void *indices, const void *values,
                                        cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,
                                        cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                                        const void *rowInd, const void *colInd, const void *values,
                                        cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t descr);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t descr, void **values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t descr, void *values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t descr, const void **values);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descr);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t descr, void **values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t descr, void *values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t descr, const void **values);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t descr);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t descr, void **values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t descr, void *values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t descr, const void **values);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descr);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t descr, void **values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t descr, void *values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t descr, const void **values);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t descr, int64_t *size, int64_t *nnz, void **indices,
                                  void **values, cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                  cudaDataType *valueType);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t descr, int64_t *size, int64_t *nnz,
                                       const void **indices, const void **values, cusparseIndexType_t *idxType,
                                       cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr, cusparseIndexBase_t *idxBase);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t descr, int64_t *size, const void **values,
                                       cudaDataType *valueType);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *ld,
                                       const void **values, cudaDataType *type, cusparseOrder_t *order);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount, int64_t batchStride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int *batchCount, int64_t *batchStride);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int *batchCount);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount, int64_t batchStride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount, int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz, void **offsets,
                                void **indices, void **values, cusparseIndexType_t *offsetsType,
                                cusparseIndexType_t *indicesType, cusparseIndexBase_t *idxBase,
                                cudaDataType *valueType);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                     const void **offsets, const void **indices, const void **values,
                                     cusparseIndexType_t *offsetsType, cusparseIndexType_t *indicesType,
                                     cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz, void **offsets,
                                void **indices, void **values, cusparseIndexType_t *offsetsType,
                                cusparseIndexType_t *indicesType, cusparseIndexBase_t *idxBase,
                                cudaDataType *valueType);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                     const void **offsets, const void **indices, const void **values,
                                     cusparseIndexType_t *offsetsType, cusparseIndexType_t *indicesType,
                                     cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz, void **rowInd,
                                void **colInd, void **values, cusparseIndexType_t *idxType,
                                cusparseIndexBase_t *idxBase, cudaDataType *valueType);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz,
                                     const void **rowInd, const void **colInd, const void **values,
                                     cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase,
                                     cudaDataType *valueType);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t descr, int64_t *size, void **values, cudaDataType *valueType);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *ld, void **values,
                                  cudaDataType *type, cusparseOrder_t *order);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t *format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr, cusparseIndexBase_t *idxBase);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t dataSize);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr, cusparseSpMatAttribute_t attribute,
                                           void *data, size_t dataSize);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t descr, void *offsets, void *indices, void *values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t descr, void *offsets, void *indices, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void *rows, void *columns, void *values);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
                               const void *beta, cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY, cusparseSpVecDescr_t vecX);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                         const void *result, cudaDataType computeType, size_t *bufferSize);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX, cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result, cudaDataType computeType, void *buffer);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t *bufferSize);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void *buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void *beta,
                              cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg, void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, size_t *bufferSize);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpMMAlg_t alg, void *buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                              const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void *buffer);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, size_t *bufferSize);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          const void *alpha, cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                          cudaDataType computeType, cusparseSDDMMAlg_t alg, void *buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                               const void *alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                               cusparseSDDMMAlg_t alg, void *buffer);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                         cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t descr, size_t *bufferSize);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                       cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                       cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t descr, void *buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                                    cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr, void *newValues,
                                           cusparseSpSVUpdate_t updatePart);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                         size_t *bufferSize);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                       const void *alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t alg, cusparseSpSMDescr_t descr,
                                       void *buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                    const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMAlg_t alg,
                                    cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr, void *newValues,
                                           cusparseSpSMUpdate_t updatePart);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                               cusparseOperation_t opB, const void *alpha,
                                               cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                               const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, size_t *bufferSize,
                                               void *buffer);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                        const void *alpha, cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
                                        cudaDataType computeType, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                        size_t *bufferSize, void *buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                     const void *alpha, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void *beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                                     cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *num_prods);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                                    cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                                    cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                                    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr,
                                                    size_t *bufferSize1, void *externalBuffer1);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                         cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                         cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
                                         cusparseSpGEMMDescr_t descr, size_t *bufferSize2, void *externalBuffer2,
                                         size_t *bufferSize3, void *externalBuffer3, size_t *bufferSize4,
                                         void *externalBuffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                          cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                          cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t descr, size_t *bufferSize5, void *externalBuffer5);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                             const void *alpha, cusparseConstSpMatDescr_t matA,
                                             cusparseConstSpMatDescr_t matB, const void *beta,
                                             cusparseSpMatDescr_t matC, cudaDataType computeType,
                                             cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                                  size_t *bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg, void *buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                  size_t *bufferSize);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
                                                void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg, void *buffer);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                               const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                               int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                               size_t *bufferSize);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
                                    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
                                    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *buffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m, int *csrRowPtr,
                                  cusparseIndexBase_t idxBase);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrRowPtr, int nnz, int m, int *cooRowInd,
                                  cusparseIndexBase_t idxBase);

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *info);
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *info);
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *info);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t info);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *info);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t info);

/* The routines are lists of DO(symbol, what does it, its parameters, what that is given after the handle), so that the
   library is made of the same. Those that there are for each kind of number have its letter P and its type T. */
#define US_CUSPARSE_KINDS(LIST, DO)                                                                                    \
  LIST(DO, S, float) LIST(DO, D, double) LIST(DO, C, cuComplex) LIST(DO, Z, cuDoubleComplex)
#define US_CUSPARSE_FACTORS_OF(DO, P, T)                                                                               \
  DO(cusparse##P##csric02_bufferSize, csr_bufferSize,                                                                  \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csric02Info_t info, int *pBufferSizeInBytes),            \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, pBufferSizeInBytes))                       \
  DO(cusparse##P##csric02_bufferSizeExt, csr_bufferSize,                                                               \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csric02Info_t info, size_t *pBufferSizeInBytes),         \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, pBufferSizeInBytes))                       \
  DO(cusparse##P##csric02_analysis, csr_analysis,                                                                      \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrSortedVal,                 \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csric02Info_t info, cusparseSolvePolicy_t policy,        \
      void *pBuffer),                                                                                                  \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, policy, pBuffer))                          \
  DO(cusparse##P##csric02, csric02,                                                                                    \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csric02Info_t info, cusparseSolvePolicy_t policy,        \
      void *pBuffer),                                                                                                  \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, policy, pBuffer))                          \
  DO(cusparse##P##csrilu02_bufferSize, csr_bufferSize,                                                                 \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csrilu02Info_t info, int *pBufferSizeInBytes),           \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, pBufferSizeInBytes))                       \
  DO(cusparse##P##csrilu02_bufferSizeExt, csr_bufferSize,                                                              \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csrilu02Info_t info, size_t *pBufferSizeInBytes),        \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, pBufferSizeInBytes))                       \
  DO(cusparse##P##csrilu02_analysis, csr_analysis,                                                                     \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrSortedVal,                 \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csrilu02Info_t info, cusparseSolvePolicy_t policy,       \
      void *pBuffer),                                                                                                  \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, policy, pBuffer))                          \
  DO(cusparse##P##csrilu02, csrilu02,                                                                                  \
     (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T *csrSortedVal,                       \
      const int *csrSortedRowPtr, const int *csrSortedColInd, csrilu02Info_t info, cusparseSolvePolicy_t policy,       \
      void *pBuffer),                                                                                                  \
     (m, nnz, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, info, policy, pBuffer))                          \
  DO(cusparse##P##csrilu02_numericBoost, numericBoost,                                                                 \
     (cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double *tol, T *boost_val),                      \
     (info, enable_boost, tol, boost_val))                                                                             \
  DO(cusparse##P##bsric02_bufferSize, bsr_bufferSize,                                                                  \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsric02Info_t info,       \
      int *pBufferSizeInBytes),                                                                                        \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, pBufferSizeInBytes))     \
  DO(cusparse##P##bsric02_bufferSizeExt, bsr_bufferSize,                                                               \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsric02Info_t info,       \
      size_t *pBufferSizeInBytes),                                                                                     \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, pBufferSizeInBytes))     \
  DO(cusparse##P##bsric02_analysis, bsr_analysis,                                                                      \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      const T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsric02Info_t info, \
      cusparseSolvePolicy_t policy, void *pBuffer),                                                                    \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, policy, pBuffer))        \
  DO(cusparse##P##bsric02, bsric02,                                                                                    \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsric02Info_t info,       \
      cusparseSolvePolicy_t policy, void *pBuffer),                                                                    \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, policy, pBuffer))        \
  DO(cusparse##P##bsrilu02_bufferSize, bsr_bufferSize,                                                                 \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info,      \
      int *pBufferSizeInBytes),                                                                                        \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, pBufferSizeInBytes))     \
  DO(cusparse##P##bsrilu02_bufferSizeExt, bsr_bufferSize,                                                              \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info,      \
      size_t *pBufferSizeInBytes),                                                                                     \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, pBufferSizeInBytes))     \
  DO(cusparse##P##bsrilu02_analysis, bsr_analysis,                                                                     \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info,      \
      cusparseSolvePolicy_t policy, void *pBuffer),                                                                    \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, policy, pBuffer))        \
  DO(cusparse##P##bsrilu02, bsrilu02,                                                                                  \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb, const cusparseMatDescr_t descrA,            \
      T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrilu02Info_t info,      \
      cusparseSolvePolicy_t policy, void *pBuffer),                                                                    \
     (dirA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, policy, pBuffer))        \
  DO(cusparse##P##bsrilu02_numericBoost, numericBoost,                                                                 \
     (cusparseHandle_t handle, bsrilu02Info_t info, int enable_boost, double *tol, T *boost_val),                      \
     (info, enable_boost, tol, boost_val))
#define US_CUSPARSE_FACTORS(DO)                                                                                        \
  US_CUSPARSE_KINDS(US_CUSPARSE_FACTORS_OF, DO)                                                                        \
  DO(cusparseXcsric02_zeroPivot, zeroPivot, (cusparseHandle_t handle, csric02Info_t info, int *position),              \
     (info, position))                                                                                                 \
  DO(cusparseXcsrilu02_zeroPivot, zeroPivot, (cusparseHandle_t handle, csrilu02Info_t info, int *position),            \
     (info, position))                                                                                                 \
  DO(cusparseXbsric02_zeroPivot, zeroPivot, (cusparseHandle_t handle, bsric02Info_t info, int *position),              \
     (info, position))                                                                                                 \
  DO(cusparseXbsrilu02_zeroPivot, zeroPivot, (cusparseHandle_t handle, bsrilu02Info_t info, int *position),            \
     (info, position))
#define US_CUSPARSE_DIAGONALS_OF(DO, P, T)                                                                             \
  DO(cusparse##P##gtsv2_bufferSizeExt, gtsv2_bufferSizeExt,                                                            \
     (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *B, int ldb,                \
      size_t *bufferSizeInBytes),                                                                                      \
     (m, n, dl, d, du, B, ldb, bufferSizeInBytes))                                                                     \
  DO(cusparse##P##gtsv2, gtsv2,                                                                                        \
     (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb, void *pBuffer),      \
     (m, n, dl, d, du, B, ldb, pBuffer))                                                                               \
  DO(cusparse##P##gtsv2_nopivot_bufferSizeExt, gtsv2_nopivot_bufferSizeExt,                                            \
     (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, const T *B, int ldb,                \
      size_t *bufferSizeInBytes),                                                                                      \
     (m, n, dl, d, du, B, ldb, bufferSizeInBytes))                                                                     \
  DO(cusparse##P##gtsv2_nopivot, gtsv2_nopivot,                                                                        \
     (cusparseHandle_t handle, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb, void *pBuffer),      \
     (m, n, dl, d, du, B, ldb, pBuffer))                                                                               \
  DO(cusparse##P##gtsv2StridedBatch_bufferSizeExt, gtsv2StridedBatch_bufferSizeExt,                                    \
     (cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, const T *x, int batchCount,                \
      int batchStride, size_t *bufferSizeInBytes),                                                                     \
     (m, dl, d, du, x, batchCount, batchStride, bufferSizeInBytes))                                                    \
  DO(cusparse##P##gtsv2StridedBatch, gtsv2StridedBatch,                                                                \
     (cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du, T *x, int batchCount, int batchStride,     \
      void *pBuffer),                                                                                                  \
     (m, dl, d, du, x, batchCount, batchStride, pBuffer))                                                              \
  DO(cusparse##P##gtsvInterleavedBatch_bufferSizeExt, gtsvInterleavedBatch_bufferSizeExt,                              \
     (cusparseHandle_t handle, int algo, int m, const T *dl, const T *d, const T *du, const T *x, int batchCount,      \
      size_t *pBufferSizeInBytes),                                                                                     \
     (algo, m, dl, d, du, x, batchCount, pBufferSizeInBytes))                                                          \
  DO(cusparse##P##gtsvInterleavedBatch, gtsvInterleavedBatch,                                                          \
     (cusparseHandle_t handle, int algo, int m, T *dl, T *d, T *du, T *x, int batchCount, void *pBuffer),              \
     (algo, m, dl, d, du, x, batchCount, pBuffer))                                                                     \
  DO(cusparse##P##gpsvInterleavedBatch_bufferSizeExt, gpsvInterleavedBatch_bufferSizeExt,                              \
     (cusparseHandle_t handle, int algo, int m, const T *ds, const T *dl, const T *d, const T *du, const T *dw,        \
      const T *x, int batchCount, size_t *pBufferSizeInBytes),                                                         \
     (algo, m, ds, dl, d, du, dw, x, batchCount, pBufferSizeInBytes))                                                  \
  DO(cusparse##P##gpsvInterleavedBatch, gpsvInterleavedBatch,                                                          \
     (cusparseHandle_t handle, int algo, int m, T *ds, T *dl, T *d, T *du, T *dw, T *x, int batchCount,                \
      void *pBuffer),                                                                                                  \
     (algo, m, ds, dl, d, du, dw, x, batchCount, pBuffer))
#define US_CUSPARSE_DIAGONALS(DO) US_CUSPARSE_KINDS(US_CUSPARSE_DIAGONALS_OF, DO)
#define US_CUSPARSE_SUMS_OF(DO, P, T)                                                                                  \
  DO(cusparse##P##csrgeam2_bufferSizeExt, csrgeam2_bufferSizeExt,                                                      \
     (cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA, int nnzA,                \
      const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,                 \
      const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB, const int *csrSortedRowPtrB,                  \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC, const T *csrSortedValC,                            \
      const int *csrSortedRowPtrC, const int *csrSortedColIndC, size_t *pBufferSizeInBytes),                           \
     (m, n, alpha, descrA, nnzA, beta, descrB, nnzB, descrC, pBufferSizeInBytes))                                      \
  DO(cusparse##P##csrgeam2, csrgeam2,                                                                                  \
     (cusparseHandle_t handle, int m, int n, const T *alpha, const cusparseMatDescr_t descrA, int nnzA,                \
      const T *csrSortedValA, const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,                 \
      const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB, const int *csrSortedRowPtrB,                  \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC, T *csrSortedValC, int *csrSortedRowPtrC,           \
      int *csrSortedColIndC, void *pBuffer),                                                                           \
     (m, n, alpha, descrA, nnzA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA, beta, descrB, nnzB, csrSortedValB, \
      csrSortedRowPtrB, csrSortedColIndB, descrC, csrSortedValC, csrSortedRowPtrC, csrSortedColIndC, pBuffer))
#define US_CUSPARSE_SUMS(DO)                                                                                           \
  US_CUSPARSE_KINDS(US_CUSPARSE_SUMS_OF, DO)                                                                           \
  DO(cusparseXcsrgeam2Nnz, csrgeam2Nnz,                                                                                \
     (cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, int nnzA, const int *csrSortedRowPtrA,   \
      const int *csrSortedColIndA, const cusparseMatDescr_t descrB, int nnzB, const int *csrSortedRowPtrB,             \
      const int *csrSortedColIndB, const cusparseMatDescr_t descrC, int *csrSortedRowPtrC, int *nnzTotalDevHostPtr,    \
      void *workspace),                                                                                                \
     (m, n, descrA, nnzA, csrSortedRowPtrA, csrSortedColIndA, descrB, nnzB, csrSortedRowPtrB, csrSortedColIndB,        \
      descrC, csrSortedRowPtrC, nnzTotalDevHostPtr, workspace))
#define US_CUSPARSE_COUNTS_OF(DO, P, T)                                                                                \
  DO(cusparse##P##nnz, nnz,                                                                                            \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, const cusparseMatDescr_t descrA, const T *A,    \
      int lda, int *nnzPerRowCol, int *nnzTotalDevHostPtr),                                                            \
     (dirA, m, n, descrA, A, lda, nnzPerRowCol, nnzTotalDevHostPtr))                                                   \
  DO(cusparse##P##nnz_compress, nnz_compress,                                                                          \
     (cusparseHandle_t handle, int m, const cusparseMatDescr_t descr, const T *csrSortedValA,                          \
      const int *csrSortedRowPtrA, int *nnzPerRow, int *nnzC, T tol),                                                  \
     (m, descr, csrSortedValA, csrSortedRowPtrA, nnzPerRow, nnzC, tol))                                                \
  DO(cusparse##P##csr2csr_compress, csr2csr_compress,                                                                  \
     (cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T *csrSortedValA,                  \
      const int *csrSortedColIndA, const int *csrSortedRowPtrA, int nnzA, const int *nnzPerRow, T *csrSortedValC,      \
      int *csrSortedColIndC, int *csrSortedRowPtrC, T tol),                                                            \
     (m, n, descrA, csrSortedValA, csrSortedColIndA, csrSortedRowPtrA, nnzA, nnzPerRow, csrSortedValC,                 \
      csrSortedColIndC, csrSortedRowPtrC, tol))
#define US_CUSPARSE_COUNTS(DO) US_CUSPARSE_KINDS(US_CUSPARSE_COUNTS_OF, DO)
#define US_CUSPARSE_SORTS(DO)                                                                                          \
  DO(cusparseXcoosort_bufferSizeExt, sort_bufferSizeExt,                                                               \
     (cusparseHandle_t handle, int m, int n, int nnz, const int *cooRowsA, const int *cooColsA,                        \
      size_t *pBufferSizeInBytes),                                                                                     \
     (m, n, nnz, cooRowsA, cooColsA, pBufferSizeInBytes))                                                              \
  DO(cusparseXcoosortByRow, coosortByRow,                                                                              \
     (cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P, void *pBuffer),            \
     (m, n, nnz, cooRowsA, cooColsA, P, pBuffer))                                                                      \
  DO(cusparseXcoosortByColumn, coosortByColumn,                                                                        \
     (cusparseHandle_t handle, int m, int n, int nnz, int *cooRowsA, int *cooColsA, int *P, void *pBuffer),            \
     (m, n, nnz, cooRowsA, cooColsA, P, pBuffer))                                                                      \
  DO(cusparseXcscsort_bufferSizeExt, sort_bufferSizeExt,                                                               \
     (cusparseHandle_t handle, int m, int n, int nnz, const int *cscColPtrA, const int *cscRowIndA,                    \
      size_t *pBufferSizeInBytes),                                                                                     \
     (m, n, nnz, cscColPtrA, cscRowIndA, pBufferSizeInBytes))                                                          \
  DO(cusparseXcscsort, cscsort,                                                                                        \
     (cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const int *cscColPtrA,          \
      int *cscRowIndA, int *P, void *pBuffer),                                                                         \
     (m, n, nnz, descrA, cscColPtrA, cscRowIndA, P, pBuffer))                                                          \
  DO(cusparseXcsrsort_bufferSizeExt, sort_bufferSizeExt,                                                               \
     (cusparseHandle_t handle, int m, int n, int nnz, const int *csrRowPtrA, const int *csrColIndA,                    \
      size_t *pBufferSizeInBytes),                                                                                     \
     (m, n, nnz, csrRowPtrA, csrColIndA, pBufferSizeInBytes))                                                          \
  DO(cusparseXcsrsort, csrsort,                                                                                        \
     (cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const int *csrRowPtrA,          \
      int *csrColIndA, int *P, void *pBuffer),                                                                         \
     (m, n, nnz, descrA, csrRowPtrA, csrColIndA, P, pBuffer))                                                          \
  DO(cusparseCreateIdentityPermutation, identity, (cusparseHandle_t handle, int n, int *p), (n, p))
#define US_CUSPARSE_BLOCKS_OF(DO, P, T)                                                                                \
  DO(cusparse##P##bsrmv, bsrmv,                                                                                        \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nb, int nnzb,         \
      const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,              \
      const int *bsrSortedColInd, int blockDim, const T *x, const T *beta, T *y),                                      \
     (dirA, transA, mb, nb, nnzb, alpha, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, x, beta,    \
      y))                                                                                                              \
  DO(cusparse##P##bsrmm, bsrmm,                                                                                        \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, cusparseOperation_t transB,       \
      int mb, int n, int kb, int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedVal,         \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, const T *B, int ldb, const T *beta, T *C,  \
      int ldc),                                                                                                        \
     (dirA, transA, transB, mb, n, kb, nnzb, alpha, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim,  \
      B, ldb, beta, C, ldc))                                                                                           \
  DO(cusparse##P##bsrsv2_bufferSize, bsrsv2_bufferSize,                                                                \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nnzb,                 \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd,        \
      int blockDim, bsrsv2Info_t info, int *pBufferSizeInBytes),                                                       \
     (dirA, transA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info,                  \
      pBufferSizeInBytes))                                                                                             \
  DO(cusparse##P##bsrsm2_bufferSize, bsrsm2_bufferSize,                                                                \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, cusparseOperation_t transXY,      \
      int mb, int n, int nnzb, const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,           \
      const int *bsrSortedColInd, int blockDim, bsrsm2Info_t info, int *pBufferSizeInBytes),                           \
     (dirA, transA, transXY, mb, n, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info,      \
      pBufferSizeInBytes))                                                                                             \
  DO(cusparse##P##bsrsv2_bufferSizeExt, bsrsv2_bufferSize,                                                             \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nnzb,                 \
      const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd,        \
      int blockDim, bsrsv2Info_t info, size_t *pBufferSize),                                                           \
     (dirA, transA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, pBufferSize))    \
  DO(cusparse##P##bsrsm2_bufferSizeExt, bsrsm2_bufferSize,                                                             \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, cusparseOperation_t transXY,      \
      int mb, int n, int nnzb, const cusparseMatDescr_t descrA, T *bsrSortedVal, const int *bsrSortedRowPtr,           \
      const int *bsrSortedColInd, int blockDim, bsrsm2Info_t info, size_t *pBufferSize),                               \
     (dirA, transA, transXY, mb, n, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info,      \
      pBufferSize))                                                                                                    \
  DO(cusparse##P##bsrsv2_analysis, bsrsv2_analysis,                                                                    \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nnzb,                 \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd,  \
      int blockDim, bsrsv2Info_t info, cusparseSolvePolicy_t policy, void *pBuffer),                                   \
     (dirA, transA, mb, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, policy,          \
      pBuffer))                                                                                                        \
  DO(cusparse##P##bsrsm2_analysis, bsrsm2_analysis,                                                                    \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, cusparseOperation_t transXY,      \
      int mb, int n, int nnzb, const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr,     \
      const int *bsrSortedColInd, int blockDim, bsrsm2Info_t info, cusparseSolvePolicy_t policy, void *pBuffer),       \
     (dirA, transA, transXY, mb, n, nnzb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info,      \
      policy, pBuffer))                                                                                                \
  DO(cusparse##P##bsrsv2_solve, bsrsv2_solve,                                                                          \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nnzb, const T *alpha, \
      const cusparseMatDescr_t descrA, const T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd,  \
      int blockDim, bsrsv2Info_t info, const T *f, T *x, cusparseSolvePolicy_t policy, void *pBuffer),                 \
     (dirA, transA, mb, nnzb, alpha, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, info, f, x,     \
      policy, pBuffer))                                                                                                \
  DO(cusparse##P##bsrsm2_solve, bsrsm2_solve,                                                                          \
     (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, cusparseOperation_t transXY,      \
      int mb, int n, int nnzb, const T *alpha, const cusparseMatDescr_t descrA, const T *bsrSortedVal,                 \
      const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim, bsrsm2Info_t info, const T *B, int ldb,    \
      T *X, int ldx, cusparseSolvePolicy_t policy, void *pBuffer),                                                     \
     (dirA, transA, transXY, mb, n, nnzb, alpha, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim,     \
      info, B, ldb, X, ldx, policy, pBuffer))                                                                          \
  DO(cusparse##P##csr2bsr, csr2bsr,                                                                                    \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, const cusparseMatDescr_t descrA,                \
      const T *csrSortedVal, const int *csrSortedRowPtr, const int *csrSortedColInd, int blockDim,                     \
      const cusparseMatDescr_t descrC, T *bsrSortedVal, int *bsrSortedRowPtr, int *bsrSortedColInd),                   \
     (dirA, m, n, descrA, csrSortedVal, csrSortedRowPtr, csrSortedColInd, blockDim, descrC, bsrSortedVal,              \
      bsrSortedRowPtr, bsrSortedColInd))                                                                               \
  DO(cusparse##P##bsr2csr, bsr2csr,                                                                                    \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, const cusparseMatDescr_t descrA,              \
      const T *bsrSortedVal, const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,                     \
      const cusparseMatDescr_t descrC, T *csrSortedVal, int *csrSortedRowPtr, int *csrSortedColInd),                   \
     (dirA, mb, nb, descrA, bsrSortedVal, bsrSortedRowPtr, bsrSortedColInd, blockDim, descrC, csrSortedVal,            \
      csrSortedRowPtr, csrSortedColInd))
#define US_CUSPARSE_BLOCKS(DO)                                                                                         \
  US_CUSPARSE_KINDS(US_CUSPARSE_BLOCKS_OF, DO)                                                                         \
  DO(cusparseXbsrsv2_zeroPivot, zeroPivot, (cusparseHandle_t handle, bsrsv2Info_t info, int *position),                \
     (info, position))                                                                                                 \
  DO(cusparseXbsrsm2_zeroPivot, zeroPivot, (cusparseHandle_t handle, bsrsm2Info_t info, int *position),                \
     (info, position))                                                                                                 \
  DO(cusparseXcsr2bsrNnz, csr2bsrNnz,                                                                                  \
     (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n, const cusparseMatDescr_t descrA,                \
      const int *csrSortedRowPtr, const int *csrSortedColInd, int blockDim, const cusparseMatDescr_t descrC,           \
      int *bsrSortedRowPtr, int *nnzTotalDevHostPtr),                                                                  \
     (dirA, m, n, descrA, csrSortedRowPtr, csrSortedColInd, blockDim, descrC, bsrSortedRowPtr, nnzTotalDevHostPtr))
#define US_CUSPARSE_DECLARE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS) cusparseStatus_t SYMBOL PARAMETERS;
US_CUSPARSE_FACTORS(US_CUSPARSE_DECLARE)
US_CUSPARSE_DIAGONALS(US_CUSPARSE_DECLARE)
US_CUSPARSE_SUMS(US_CUSPARSE_DECLARE)
US_CUSPARSE_COUNTS(US_CUSPARSE_DECLARE)
US_CUSPARSE_SORTS(US_CUSPARSE_DECLARE)
US_CUSPARSE_BLOCKS(US_CUSPARSE_DECLARE)
#undef US_CUSPARSE_DECLARE

#ifdef __cplusplus
}
#endif

#endif
