/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuSOLVER's dense part: matrices lie column by column. Written for this project from public documentation. */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include <cuComplex.h>
#include <cublas_v2.h>
#include <cusolver_common.h>
#include <driver_types.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { CUSOLVERDN_GETRF, CUSOLVERDN_POTRF, CUSOLVERDN_SYEVBATCHED } cusolverDnFunction_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char *functionName, const char *message);

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId);
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t *mode);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo);
cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t callback);
cusolverStatus_t cusolverDnLoggerSetFile(FILE *file);
cusolverStatus_t cusolverDnLoggerOpenFile(const char *logFile);
cusolverStatus_t cusolverDnLoggerSetLevel(int level);
cusolverStatus_t cusolverDnLoggerSetMask(int mask);
cusolverStatus_t cusolverDnLoggerForceDisable(void);

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double *residual);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int *executed_sweeps);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double *residual);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int *executed_sweeps);

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t precision);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                             cusolverPrecType_t precision);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main_precision,
                                                        cusolverPrecType_t lowest_precision);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double value);
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double value);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t maxiters);
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params, cusolver_int_t maxiters_inner);
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t *maxiters);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params);
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *niters);
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos, cusolver_int_t *outer_niters);
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos, cusolver_int_t *maxiters);
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos);
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos, void **residual_history);

/* The routines are lists of DO(symbol, what does it, its parameters, what that is given after the handle), so that the
   library is made of the same. First those that there are for each kind of number: P is its letter, T its type, R that
   of its parts; SY and OR are how names begin that differ between real and complex matrices. */
#define US_CUSOLVERDN_ROUTINES(DO, P, T, R, SY, OR)                                                                    \
  DO(cusolverDn##P##potrf_bufferSize, size,                                                                            \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *lwork), (lwork, uplo, n, n, lda))   \
  DO(cusolverDn##P##potrf, potrf,                                                                                      \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, T *work, int lwork, int *devInfo),       \
     (uplo, n, A, lda, work, lwork, devInfo))                                                                          \
  DO(cusolverDn##P##potrs, potrs,                                                                                      \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T *A, int lda, T *B, int ldb,           \
      int *devInfo),                                                                                                   \
     (uplo, n, nrhs, A, lda, B, ldb, devInfo))                                                                         \
  DO(cusolverDn##P##potri_bufferSize, size,                                                                            \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *lwork), (lwork, uplo, n, n, lda))   \
  DO(cusolverDn##P##potri, potri,                                                                                      \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, T *work, int lwork, int *devInfo),       \
     (uplo, n, A, lda, work, lwork, devInfo))                                                                          \
  DO(cusolverDn##P##potrfBatched, potrfBatched,                                                                        \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *Aarray[], int lda, int *infoArray, int batchSize),   \
     (uplo, n, Aarray, lda, infoArray, batchSize))                                                                     \
  DO(cusolverDn##P##potrsBatched, potrsBatched,                                                                        \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T *A[], int lda, T *B[], int ldb, int *info,  \
      int batchSize),                                                                                                  \
     (uplo, n, nrhs, A, lda, B, ldb, info, batchSize))                                                                 \
  DO(cusolverDn##P##getrf_bufferSize, size, (cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *lwork),      \
     (lwork, anyFill, m, n, lda))                                                                                      \
  DO(cusolverDn##P##getrf, getrf,                                                                                      \
     (cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *work, int *devIpiv, int *devInfo),                    \
     (m, n, A, lda, work, 1, devIpiv, devInfo))                                                                        \
  DO(cusolverDn##P##getrs, getrs,                                                                                      \
     (cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T *A, int lda, const int *devIpiv,    \
      T *B, int ldb, int *devInfo),                                                                                    \
     (trans, n, nrhs, A, lda, devIpiv, B, ldb, devInfo))                                                               \
  DO(cusolverDn##P##laswp, laswp,                                                                                      \
     (cusolverDnHandle_t handle, int n, T *A, int lda, int k1, int k2, const int *devIpiv, int incx),                  \
     (n, A, lda, k1, k2, devIpiv, incx))                                                                               \
  DO(cusolverDn##P##geqrf_bufferSize, size, (cusolverDnHandle_t handle, int m, int n, T *A, int lda, int *lwork),      \
     (lwork, anyFill, m, n, m > 1 ? m : 1)) /* CuPy gives the columns as lda, and the query takes it */                \
  DO(cusolverDn##P##geqrf, geqrf,                                                                                      \
     (cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *tau, T *work, int lwork, int *devInfo),               \
     (m, n, A, lda, tau, work, lwork, devInfo))                                                                        \
  DO(cusolverDn##P##OR##gqr_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, int m, int n, int k, const T *A, int lda, const T *tau, int *lwork),                  \
     (lwork, anyFill, m, n, lda))                                                                                      \
  DO(cusolverDn##P##OR##gqr, orgqr,                                                                                    \
     (cusolverDnHandle_t handle, int m, int n, int k, T *A, int lda, const T *tau, T *work, int lwork, int *devInfo),  \
     (m, n, k, A, lda, tau, work, lwork, devInfo))                                                                     \
  DO(cusolverDn##P##OR##mqr_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T *A,      \
      int lda, const T *tau, const T *C, int ldc, int *lwork),                                                         \
     (lwork, anyFill, m, n, ldc))                                                                                      \
  DO(cusolverDn##P##OR##mqr, ormqr,                                                                                    \
     (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T *A,      \
      int lda, const T *tau, T *C, int ldc, T *work, int lwork, int *devInfo),                                         \
     (side, trans, m, n, k, A, lda, tau, C, ldc, work, lwork, devInfo))                                                \
  DO(cusolverDn##P##sytrf_bufferSize, size, (cusolverDnHandle_t handle, int n, T *A, int lda, int *lwork),             \
     (lwork, anyFill, n, n, lda))                                                                                      \
  DO(cusolverDn##P##sytrf, sytrf,                                                                                      \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *A, int lda, int *ipiv, T *work, int lwork,           \
      int *devInfo),                                                                                                   \
     (uplo, n, A, lda, ipiv, work, lwork, devInfo))                                                                    \
  DO(cusolverDn##P##gebrd_bufferSize, size, (cusolverDnHandle_t handle, int m, int n, int *lwork),                     \
     (lwork, anyFill, m, n, m > 1 ? m : 1))                                                                            \
  DO(cusolverDn##P##gebrd, gebrd,                                                                                      \
     (cusolverDnHandle_t handle, int m, int n, T *A, int lda, R *D, R *E, T *tauQ, T *tauP, T *work, int lwork,        \
      int *devInfo),                                                                                                   \
     (m, n, A, lda, D, E, tauQ, tauP, work, lwork, devInfo))                                                           \
  DO(cusolverDn##P##gesvd_bufferSize, gesvdSize, (cusolverDnHandle_t handle, int m, int n, int *lwork), (m, n, lwork)) \
  DO(cusolverDn##P##gesvd, gesvd,                                                                                      \
     (cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *A, int lda, R *S, T *U,         \
      int ldu, T *VT, int ldvt, T *work, int lwork, R *rwork, int *devInfo),                                           \
     (jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, lwork, rwork, devInfo))                                    \
  DO(cusolverDn##P##gesvdj_bufferSize, size,                                                                           \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T *A, int lda, const R *S,      \
      const T *U, int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params),                                      \
     (lwork, anyFill, m, n, lda))                                                                                      \
  DO(cusolverDn##P##gesvdj, gesvdj,                                                                                    \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T *A, int lda, R *S, T *U, int ldu,   \
      T *V, int ldv, T *work, int lwork, int *info, gesvdjInfo_t params),                                              \
     (jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params))                                         \
  DO(cusolverDn##P##gesvdjBatched_bufferSize, size,                                                                    \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T *A, int lda, const R *S, const T *U,    \
      int ldu, const T *V, int ldv, int *lwork, gesvdjInfo_t params, int batchSize),                                   \
     (lwork, anyFill, m, n, lda))                                                                                      \
  DO(cusolverDn##P##gesvdjBatched, gesvdjBatched,                                                                      \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *V,       \
      int ldv, T *work, int lwork, int *info, gesvdjInfo_t params, int batchSize),                                     \
     (jobz, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, params, batchSize))                                    \
  DO(cusolverDn##P##gesvdaStridedBatched_bufferSize, size,                                                             \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *A, int lda,                  \
      long long int strideA, const R *S, long long int strideS, const T *U, int ldu, long long int strideU,            \
      const T *V, int ldv, long long int strideV, int *lwork, int batchSize),                                          \
     (lwork, anyFill, m, n, lda))                                                                                      \
  DO(cusolverDn##P##gesvdaStridedBatched, gesvda,                                                                      \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T *A, int lda,                  \
      long long int strideA, R *S, long long int strideS, T *U, int ldu, long long int strideU, T *V, int ldv,         \
      long long int strideV, T *work, int lwork, int *info, double *h_R_nrmF, int batchSize),                          \
     (jobz, rank, m, n, A, lda, strideA, S, strideS, U, ldu, strideU, V, ldv, strideV, work, lwork, info, h_R_nrmF,    \
      batchSize))                                                                                                      \
  DO(cusolverDn##P##SY##evd_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda,            \
      const R *W, int *lwork),                                                                                         \
     (lwork, uplo, n, n, lda))                                                                                         \
  DO(cusolverDn##P##SY##evd, syevd,                                                                                    \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,   \
      int lwork, int *devInfo),                                                                                        \
     (jobz, uplo, n, A, lda, W, work, lwork, devInfo, 1))                                                              \
  DO(cusolverDn##P##SY##evdx_bufferSize, size,                                                                         \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n,       \
      const T *A, int lda, R vl, R vu, int il, int iu, int *meig, const R *W, int *lwork),                             \
     (lwork, uplo, n, n, lda))                                                                                         \
  DO(cusolverDn##P##SY##evdx, syevdx,                                                                                  \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int n, T *A, \
      int lda, R vl, R vu, int il, int iu, int *meig, R *W, T *work, int lwork, int *devInfo),                         \
     (jobz, range, uplo, n, A, lda, vl, vu, il, iu, meig, W, work, lwork, devInfo))                                    \
  DO(cusolverDn##P##SY##evj_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda,            \
      const R *W, int *lwork, syevjInfo_t params),                                                                     \
     (lwork, uplo, n, n, lda))                                                                                         \
  DO(cusolverDn##P##SY##evj, syevj,                                                                                    \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,   \
      int lwork, int *info, syevjInfo_t params),                                                                       \
     (jobz, uplo, n, A, lda, W, work, lwork, info, params, 1, false))                                                  \
  DO(cusolverDn##P##SY##evjBatched_bufferSize, size,                                                                   \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T *A, int lda,            \
      const R *W, int *lwork, syevjInfo_t params, int batchSize),                                                      \
     (lwork, uplo, n, n, lda))                                                                                         \
  DO(cusolverDn##P##SY##evjBatched, syevj,                                                                             \
     (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,   \
      int lwork, int *info, syevjInfo_t params, int batchSize),                                                        \
     (jobz, uplo, n, A, lda, W, work, lwork, info, params, batchSize, true))                                           \
  DO(cusolverDn##P##SY##gvd_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,        \
      const T *A, int lda, const T *B, int ldb, const R *W, int *lwork),                                               \
     (lwork, uplo, n, n, lda < ldb ? lda : ldb))                                                                       \
  DO(cusolverDn##P##SY##gvd, sygvd,                                                                                    \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,  \
      int lda, T *B, int ldb, R *W, T *work, int lwork, int *devInfo),                                                 \
     (itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, devInfo))                                                  \
  DO(cusolverDn##P##SY##gvdx_bufferSize, size,                                                                         \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,            \
      cublasFillMode_t uplo, int n, const T *A, int lda, const T *B, int ldb, R vl, R vu, int il, int iu, int *meig,   \
      const R *W, int *lwork),                                                                                         \
     (lwork, uplo, n, n, lda < ldb ? lda : ldb))                                                                       \
  DO(cusolverDn##P##SY##gvdx, sygvdx,                                                                                  \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,            \
      cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R vl, R vu, int il, int iu, int *meig, R *W,         \
      T *work, int lwork, int *devInfo),                                                                               \
     (itype, jobz, range, uplo, n, A, lda, B, ldb, vl, vu, il, iu, meig, W, work, lwork, devInfo))                     \
  DO(cusolverDn##P##SY##gvj_bufferSize, size,                                                                          \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,        \
      const T *A, int lda, const T *B, int ldb, const R *W, int *lwork, syevjInfo_t params),                           \
     (lwork, uplo, n, n, lda < ldb ? lda : ldb))                                                                       \
  DO(cusolverDn##P##SY##gvj, sygvj,                                                                                    \
     (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,  \
      int lda, T *B, int ldb, R *W, T *work, int lwork, int *info, syevjInfo_t params),                                \
     (itype, jobz, uplo, n, A, lda, B, ldb, W, work, lwork, info, params))

/* With refinement: the first letter is the matrices' kind of number, the second that of the factors. */
#define US_CUSOLVERDN_REFINED(DO, P, T)                                                                                \
  DO(cusolverDn##P##gesv_bufferSize, refinedSize,                                                                      \
     (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda,                   \
      cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace,              \
      size_t *lwork_bytes),                                                                                            \
     (n, n, nrhs, lwork_bytes))                                                                                        \
  DO(cusolverDn##P##gesv, gesv,                                                                                        \
     (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda,                   \
      cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace,              \
      size_t lwork_bytes, cusolver_int_t *iter, cusolver_int_t *dInfo),                                                \
     (n, nrhs, dA, ldda, dipiv, dB, lddb, dX, lddx, dWorkspace, lwork_bytes, iter, dInfo))                             \
  DO(cusolverDn##P##gels_bufferSize, refinedSize,                                                                      \
     (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
      T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace, size_t *lwork_bytes),                \
     (m, n, nrhs, lwork_bytes))                                                                                        \
  DO(cusolverDn##P##gels, gels,                                                                                        \
     (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
      T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes,                  \
      cusolver_int_t *iter, cusolver_int_t *dInfo),                                                                    \
     (m, n, nrhs, dA, ldda, dB, lddb, dX, lddx, dWorkspace, lwork_bytes, iter, dInfo))

/* Of matrices whose kind of number is an argument, with sizes of 64 bits. */
#define US_CUSOLVERDN_GENERIC(DO)                                                                                      \
  DO(cusolverDnXpotrf_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,  \
      const void *A, int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,                          \
      size_t *workspaceInBytesOnHost),                                                                                 \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXpotrf, xpotrf,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,  \
      void *A, int64_t lda, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,           \
      void *bufferOnHost, size_t workspaceInBytesOnHost, int *info),                                                   \
     (uplo, n, dataTypeA, A, lda, bufferOnDevice, workspaceInBytesOnDevice, info))                                     \
  DO(cusolverDnXpotrs, xpotrs,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, int64_t nrhs,            \
      cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeB, void *B, int64_t ldb, int *info),    \
     (uplo, n, nrhs, dataTypeA, A, lda, dataTypeB, B, ldb, info))                                                      \
  DO(cusolverDnXgetrf_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType dataTypeA,              \
      const void *A, int64_t lda, cudaDataType computeType, size_t *workspaceInBytesOnDevice,                          \
      size_t *workspaceInBytesOnHost),                                                                                 \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, anyFill, m, n, lda))                                \
  DO(cusolverDnXgetrf, xgetrf,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType dataTypeA, void *A,     \
      int64_t lda, int64_t *ipiv, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,     \
      void *bufferOnHost, size_t workspaceInBytesOnHost, int *info),                                                   \
     (m, n, dataTypeA, A, lda, ipiv, bufferOnDevice, workspaceInBytesOnDevice, info))                                  \
  DO(cusolverDnXgetrs, xgetrs,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans, int64_t n, int64_t nrhs,          \
      cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB, void *B,        \
      int64_t ldb, int *info),                                                                                         \
     (trans, n, nrhs, dataTypeA, A, lda, ipiv, dataTypeB, B, ldb, info))                                               \
  DO(cusolverDnXgeqrf_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType dataTypeA,              \
      const void *A, int64_t lda, cudaDataType dataTypeTau, const void *tau, cudaDataType computeType,                 \
      size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                                               \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, anyFill, m, n, lda))                                \
  DO(cusolverDnXgeqrf, xgeqrf,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType dataTypeA, void *A,     \
      int64_t lda, cudaDataType dataTypeTau, void *tau, cudaDataType computeType, void *bufferOnDevice,                \
      size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info),                  \
     (m, n, dataTypeA, A, lda, dataTypeTau, tau, bufferOnDevice, workspaceInBytesOnDevice, info))                      \
  DO(cusolverDnXsytrs_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType dataTypeA,               \
      const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb,                   \
      size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                                               \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXsytrs, xsytrs,                                                                                         \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType dataTypeA,               \
      const void *A, int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB, void *B, int64_t ldb,                   \
      void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,        \
      int *info),                                                                                                      \
     (uplo, n, nrhs, dataTypeA, A, lda, ipiv, dataTypeB, B, ldb, bufferOnDevice, workspaceInBytesOnDevice, info))      \
  DO(cusolverDnXtrtri_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA,      \
      void *A, int64_t lda, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                         \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXtrtri, xtrtri,                                                                                         \
     (cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA,      \
      void *A, int64_t lda, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,                 \
      size_t workspaceInBytesOnHost, int *devInfo),                                                                    \
     (uplo, diag, n, dataTypeA, A, lda, bufferOnDevice, workspaceInBytesOnDevice, devInfo))                            \
  DO(cusolverDnXsyevd_bufferSize, xsize,                                                                               \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,  \
      cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW, const void *W,                       \
      cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                     \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXsyevd, xsyevd,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,  \
      cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW, void *W, cudaDataType computeType,         \
      void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,        \
      int *info),                                                                                                      \
     (jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, bufferOnDevice, workspaceInBytesOnDevice, info, 1))              \
  DO(cusolverDnXsyevBatched_bufferSize, xsize,                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,  \
      cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW, const void *W,                       \
      cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost, int64_t batchSize),  \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXsyevBatched, xsyevd,                                                                                   \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,  \
      cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW, void *W, cudaDataType computeType,         \
      void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost,        \
      int *info, int64_t batchSize),                                                                                   \
     (jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W, bufferOnDevice, workspaceInBytesOnDevice, info, batchSize))      \
  DO(cusolverDnXsyevdx_bufferSize, xsize,                                                                              \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cusolverEigRange_t range,          \
      cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, void *vl, void *vu,        \
      int64_t il, int64_t iu, int64_t *meig64, cudaDataType dataTypeW, const void *W, cudaDataType computeType,        \
      size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                                               \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, uplo, n, n, lda))                                   \
  DO(cusolverDnXsyevdx, xsyevdx,                                                                                       \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, cusolverEigRange_t range,          \
      cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, void *vl, void *vu, int64_t il,  \
      int64_t iu, int64_t *meig64, cudaDataType dataTypeW, void *W, cudaDataType computeType, void *bufferOnDevice,    \
      size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info),                  \
     (jobz, range, uplo, n, dataTypeA, A, lda, vl, vu, il, iu, meig64, dataTypeW, W, bufferOnDevice,                   \
      workspaceInBytesOnDevice, info))                                                                                 \
  DO(cusolverDnXgesvd_bufferSize, xgesvdSize,                                                                          \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m, int64_t n, \
      cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,                       \
      cudaDataType dataTypeU, const void *U, int64_t ldu, cudaDataType dataTypeVT, const void *VT, int64_t ldvt,       \
      cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                     \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, m, n, lda))                                         \
  DO(cusolverDnXgesvd, xgesvd,                                                                                         \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt, int64_t m, int64_t n, \
      cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U,  \
      int64_t ldu, cudaDataType dataTypeVT, void *VT, int64_t ldvt, cudaDataType computeType, void *bufferOnDevice,    \
      size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info),                  \
     (jobu, jobvt, m, n, dataTypeA, A, lda, dataTypeS, S, dataTypeU, U, ldu, dataTypeVT, VT, ldvt, bufferOnDevice,     \
      workspaceInBytesOnDevice, info))                                                                                 \
  DO(cusolverDnXgesvdp_bufferSize, xsize,                                                                              \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,    \
      cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,                       \
      cudaDataType dataTypeU, const void *U, int64_t ldu, cudaDataType dataTypeV, const void *V, int64_t ldv,          \
      cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                     \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, anyFill, m, n, lda))                                \
  DO(cusolverDnXgesvdp, xgesvdp,                                                                                       \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,    \
      cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeS, void *S, cudaDataType dataTypeU, void *U,  \
      int64_t ldu, cudaDataType dataTypeV, void *V, int64_t ldv, cudaDataType computeType, void *bufferOnDevice,       \
      size_t workspaceInBytesOnDevice, void *bufferOnHost, size_t workspaceInBytesOnHost, int *info,                   \
      double *h_err_sigma),                                                                                            \
     (jobz, econ, m, n, dataTypeA, A, lda, dataTypeS, S, dataTypeU, U, ldu, dataTypeV, V, ldv, bufferOnDevice,         \
      workspaceInBytesOnDevice, info, h_err_sigma))                                                                    \
  DO(cusolverDnXgesvdr_bufferSize, xsize,                                                                              \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv, int64_t m, int64_t n,  \
      int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA, const void *A, int64_t lda,                        \
      cudaDataType dataTypeSrand, const void *Srand, cudaDataType dataTypeUrand, const void *Urand, int64_t ldUrand,   \
      cudaDataType dataTypeVrand, const void *Vrand, int64_t ldVrand, cudaDataType computeType,                        \
      size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                                               \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, anyFill, m, n, lda))                                \
  DO(cusolverDnXgesvdr, xgesvdr,                                                                                       \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv, int64_t m, int64_t n,  \
      int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeSrand,  \
      void *Srand, cudaDataType dataTypeUrand, void *Urand, int64_t ldUrand, cudaDataType dataTypeVrand, void *Vrand,  \
      int64_t ldVrand, cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice,                \
      void *bufferOnHost, size_t workspaceInBytesOnHost, int *d_info),                                                 \
     (jobu, jobv, m, n, k, p, dataTypeA, A, lda, dataTypeSrand, Srand, dataTypeUrand, Urand, ldUrand, dataTypeVrand,   \
      Vrand, ldVrand, bufferOnDevice, workspaceInBytesOnDevice, d_info))                                               \
  DO(cusolverDnXgeev_bufferSize, xsize,                                                                                \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,          \
      int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW, const void *W,            \
      cudaDataType dataTypeVL, const void *VL, int64_t ldvl, cudaDataType dataTypeVR, const void *VR, int64_t ldvr,    \
      cudaDataType computeType, size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost),                     \
     (workspaceInBytesOnDevice, workspaceInBytesOnHost, dataTypeA, anyFill, n, n, lda))                                \
  DO(cusolverDnXgeev, xgeev,                                                                                           \
     (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,          \
      int64_t n, cudaDataType dataTypeA, void *A, int64_t lda, cudaDataType dataTypeW, void *W,                        \
      cudaDataType dataTypeVL, void *VL, int64_t ldvl, cudaDataType dataTypeVR, void *VR, int64_t ldvr,                \
      cudaDataType computeType, void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,             \
      size_t workspaceInBytesOnHost, int *info),                                                                       \
     (jobvl, jobvr, n, dataTypeA, A, lda, dataTypeW, W, dataTypeVR, VR, ldvr, bufferOnDevice,                          \
      workspaceInBytesOnDevice, info))                                                                                 \
  DO(cusolverDnIRSXgesv_bufferSize, xrefinedSize,                                                                      \
     (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolver_int_t n, cusolver_int_t nrhs,                  \
      size_t *lwork_bytes),                                                                                            \
     (params, n, n, nrhs, lwork_bytes))                                                                                \
  DO(cusolverDnIRSXgesv, xgesv,                                                                                        \
     (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, cusolver_int_t n,           \
      cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB, cusolver_int_t lddb, void *dX,                     \
      cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *dInfo),       \
     (params, infos, n, nrhs, dA, ldda, dB, lddb, dX, lddx, dWorkspace, lwork_bytes, niters, dInfo))                   \
  DO(cusolverDnIRSXgels_bufferSize, xrefinedSize,                                                                      \
     (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolver_int_t m, cusolver_int_t n,                     \
      cusolver_int_t nrhs, size_t *lwork_bytes),                                                                       \
     (params, m, n, nrhs, lwork_bytes))                                                                                \
  DO(cusolverDnIRSXgels, xgels,                                                                                        \
     (cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos, cusolver_int_t m,           \
      cusolver_int_t n, cusolver_int_t nrhs, void *dA, cusolver_int_t ldda, void *dB, cusolver_int_t lddb, void *dX,   \
      cusolver_int_t lddx, void *dWorkspace, size_t lwork_bytes, cusolver_int_t *niters, cusolver_int_t *dInfo),       \
     (params, infos, m, n, nrhs, dA, ldda, dB, lddb, dX, lddx, dWorkspace, lwork_bytes, niters, dInfo))

#define US_CUSOLVERDN(DO)                                                                                              \
  US_CUSOLVERDN_ROUTINES(DO, S, float, float, sy, or)                                                                  \
  US_CUSOLVERDN_ROUTINES(DO, D, double, double, sy, or)                                                                \
  US_CUSOLVERDN_ROUTINES(DO, C, cuComplex, float, he, un)                                                              \
  US_CUSOLVERDN_ROUTINES(DO, Z, cuDoubleComplex, double, he, un)                                                       \
  US_CUSOLVERDN_REFINED(DO, SS, float)                                                                                 \
  US_CUSOLVERDN_REFINED(DO, SH, float)                                                                                 \
  US_CUSOLVERDN_REFINED(DO, SB, float)                                                                                 \
  US_CUSOLVERDN_REFINED(DO, SX, float)                                                                                 \
  US_CUSOLVERDN_REFINED(DO, DD, double)                                                                                \
  US_CUSOLVERDN_REFINED(DO, DS, double)                                                                                \
  US_CUSOLVERDN_REFINED(DO, DH, double)                                                                                \
  US_CUSOLVERDN_REFINED(DO, DB, double)                                                                                \
  US_CUSOLVERDN_REFINED(DO, DX, double)                                                                                \
  US_CUSOLVERDN_REFINED(DO, CC, cuComplex)                                                                             \
  US_CUSOLVERDN_REFINED(DO, CK, cuComplex)                                                                             \
  US_CUSOLVERDN_REFINED(DO, CE, cuComplex)                                                                             \
  US_CUSOLVERDN_REFINED(DO, CY, cuComplex)                                                                             \
  US_CUSOLVERDN_REFINED(DO, ZZ, cuDoubleComplex)                                                                       \
  US_CUSOLVERDN_REFINED(DO, ZC, cuDoubleComplex)                                                                       \
  US_CUSOLVERDN_REFINED(DO, ZK, cuDoubleComplex)                                                                       \
  US_CUSOLVERDN_REFINED(DO, ZE, cuDoubleComplex)                                                                       \
  US_CUSOLVERDN_REFINED(DO, ZY, cuDoubleComplex)                                                                       \
  US_CUSOLVERDN_GENERIC(DO)
#define US_CUSOLVER_DECLARE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS) cusolverStatus_t SYMBOL PARAMETERS;
US_CUSOLVERDN(US_CUSOLVER_DECLARE)
#undef US_CUSOLVER_DECLARE

#ifdef __cplusplus
}
#endif

#endif
