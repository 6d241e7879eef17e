/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuSOLVER's sparse factors, step by step: analysis, factors, solutions. Written for this project from public
   documentation and from how programs call it. */
#ifndef CUSOLVERSP_LOWLEVEL_PREVIEW_H_
#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include <cusolverSp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csrcholInfo *csrcholInfo_t;
typedef struct csrcholInfoHost *csrcholInfoHost_t;
typedef struct csrqrInfo *csrqrInfo_t;
typedef struct csrqrInfoHost *csrqrInfoHost_t;
typedef struct csrluInfoHost *csrluInfoHost_t;

cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t *info);
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t info);
cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t *info);
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info);
cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *info);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info);
cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t *info);
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info);
cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t *info);
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info);

/* Lists as in cusolverDn.h. */
#define US_CUSOLVERSP_STEPS_OF(DO, P, T, R)                                                                            \
  DO(cusolverSp##P##csrcholBufferInfo, bufferInfo<kDevice>,                                                            \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrcholInfo_t info, size_t *internalDataInBytes,                   \
      size_t *workspaceInBytes),                                                                                       \
     (n, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, internalDataInBytes, workspaceInBytes))               \
  DO(cusolverSp##P##csrcholBufferInfoHost, bufferInfo<kHost>,                                                          \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrcholInfoHost_t info, size_t *internalDataInBytes,               \
      size_t *workspaceInBytes),                                                                                       \
     (n, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, internalDataInBytes, workspaceInBytes))               \
  DO(cusolverSp##P##csrcholFactor, factorNow<kDevice>,                                                                 \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrcholInfo_t info, void *pBuffer),                                \
     (n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, pBuffer))                                                \
  DO(cusolverSp##P##csrcholFactorHost, factorNow<kHost>,                                                               \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrcholInfoHost_t info, void *pBuffer),                            \
     (n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, pBuffer))                                                \
  DO(cusolverSp##P##csrcholZeroPivot, zeroPivot<kDevice>,                                                              \
     (cusolverSpHandle_t handle, csrcholInfo_t info, R tol, int *position), (info, tol, position))                     \
  DO(cusolverSp##P##csrcholZeroPivotHost, zeroPivot<kHost>,                                                            \
     (cusolverSpHandle_t handle, csrcholInfoHost_t info, R tol, int *position), (info, tol, position))                 \
  DO(cusolverSp##P##csrcholSolve, solveStep<kDevice>,                                                                  \
     (cusolverSpHandle_t handle, int n, const T *b, T *x, csrcholInfo_t info, void *pBuffer),                          \
     (n, n, b, x, info, pBuffer))                                                                                      \
  DO(cusolverSp##P##csrcholSolveHost, solveStep<kHost>,                                                                \
     (cusolverSpHandle_t handle, int n, const T *b, T *x, csrcholInfoHost_t info, void *pBuffer),                      \
     (n, n, b, x, info, pBuffer))                                                                                      \
  DO(cusolverSp##P##csrluBufferInfoHost, bufferInfo<kHost>,                                                            \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrluInfoHost_t info, size_t *internalDataInBytes,                 \
      size_t *workspaceInBytes),                                                                                       \
     (n, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, internalDataInBytes, workspaceInBytes))               \
  DO(cusolverSp##P##csrluFactorHost, factorNow<kHost>,                                                                 \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,                   \
      const int *csrRowPtrA, const int *csrColIndA, csrluInfoHost_t info, R pivot_threshold, void *pBuffer),           \
     (n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, pBuffer))                                                \
  DO(cusolverSp##P##csrluZeroPivotHost, zeroPivot<kHost>,                                                              \
     (cusolverSpHandle_t handle, csrluInfoHost_t info, R tol, int *position), (info, tol, position))                   \
  DO(cusolverSp##P##csrluSolveHost, solveStep<kHost>,                                                                  \
     (cusolverSpHandle_t handle, int n, const T *b, T *x, csrluInfoHost_t info, void *pBuffer),                        \
     (n, n, b, x, info, pBuffer))                                                                                      \
  DO(cusolverSp##P##csrqrBufferInfo, bufferInfo<kDevice>,                                                              \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,            \
      const int *csrRowPtrA, const int *csrColIndA, csrqrInfo_t info, size_t *internalDataInBytes,                     \
      size_t *workspaceInBytes),                                                                                       \
     (m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, internalDataInBytes, workspaceInBytes))               \
  DO(cusolverSp##P##csrqrBufferInfoHost, bufferInfo<kHost>,                                                            \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,            \
      const int *csrRowPtrA, const int *csrColIndA, csrqrInfoHost_t info, size_t *internalDataInBytes,                 \
      size_t *workspaceInBytes),                                                                                       \
     (m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, info, internalDataInBytes, workspaceInBytes))               \
  DO(cusolverSp##P##csrqrSetup, setUp<kDevice>,                                                                        \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,            \
      const int *csrRowPtrA, const int *csrColIndA, T mu, csrqrInfo_t info),                                           \
     (m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, mu, info))                                                  \
  DO(cusolverSp##P##csrqrSetupHost, setUp<kHost>,                                                                      \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T *csrValA,            \
      const int *csrRowPtrA, const int *csrColIndA, T mu, csrqrInfoHost_t info),                                       \
     (m, n, nnzA, descrA, csrValA, csrRowPtrA, csrColIndA, mu, info))                                                  \
  DO(cusolverSp##P##csrqrFactor, factorStep<kDevice>,                                                                  \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, T *b, T *x, csrqrInfo_t info, void *pBuffer),                 \
     (m, n, nnzA, b, x, info, pBuffer))                                                                                \
  DO(cusolverSp##P##csrqrFactorHost, factorStep<kHost>,                                                                \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, T *b, T *x, csrqrInfoHost_t info, void *pBuffer),             \
     (m, n, nnzA, b, x, info, pBuffer))                                                                                \
  DO(cusolverSp##P##csrqrZeroPivot, zeroPivot<kDevice>,                                                                \
     (cusolverSpHandle_t handle, csrqrInfo_t info, R tol, int *position), (info, tol, position))                       \
  DO(cusolverSp##P##csrqrZeroPivotHost, zeroPivot<kHost>,                                                              \
     (cusolverSpHandle_t handle, csrqrInfoHost_t info, R tol, int *position), (info, tol, position))                   \
  DO(cusolverSp##P##csrqrSolve, solveStep<kDevice>,                                                                    \
     (cusolverSpHandle_t handle, int m, int n, T *b, T *x, csrqrInfo_t info, void *pBuffer),                           \
     (m, n, b, x, info, pBuffer))                                                                                      \
  DO(cusolverSp##P##csrqrSolveHost, solveStep<kHost>,                                                                  \
     (cusolverSpHandle_t handle, int m, int n, T *b, T *x, csrqrInfoHost_t info, void *pBuffer),                       \
     (m, n, b, x, info, pBuffer))                                                                                      \
  DO(cusolverSp##P##csrluExtractHost, luExtract,                                                                       \
     (cusolverSpHandle_t handle, int *permutationP, int *permutationQ, const cusparseMatDescr_t descrL, T *csrValL,    \
      int *csrRowPtrL, int *csrColIndL, const cusparseMatDescr_t descrU, T *csrValU, int *csrRowPtrU, int *csrColIndU, \
      csrluInfoHost_t info, void *pBuffer),                                                                            \
     (permutationP, permutationQ, descrL, csrValL, csrRowPtrL, csrColIndL, descrU, csrValU, csrRowPtrU, csrColIndU,    \
      info, pBuffer))
#define US_CUSOLVERSP_STEPS(DO)                                                                                        \
  US_CUSOLVERSP_STEPS_OF(DO, S, float, float)                                                                          \
  US_CUSOLVERSP_STEPS_OF(DO, D, double, double)                                                                        \
  US_CUSOLVERSP_STEPS_OF(DO, C, cuComplex, float)                                                                      \
  US_CUSOLVERSP_STEPS_OF(DO, Z, cuDoubleComplex, double)                                                               \
  DO(cusolverSpXcsrcholAnalysis, analyse<kDevice>,                                                                     \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, csrcholInfo_t info),                                                                      \
     (n, n, nnzA, descrA, csrRowPtrA, csrColIndA, info))                                                               \
  DO(cusolverSpXcsrcholAnalysisHost, analyse<kHost>,                                                                   \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, csrcholInfoHost_t info),                                                                  \
     (n, n, nnzA, descrA, csrRowPtrA, csrColIndA, info))                                                               \
  DO(cusolverSpXcsrluAnalysisHost, analyse<kHost>,                                                                     \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, csrluInfoHost_t info),                                                                    \
     (n, n, nnzA, descrA, csrRowPtrA, csrColIndA, info))                                                               \
  DO(cusolverSpXcsrqrAnalysis, analyse<kDevice>,                                                                       \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,       \
      const int *csrColIndA, csrqrInfo_t info),                                                                        \
     (m, n, nnzA, descrA, csrRowPtrA, csrColIndA, info))                                                               \
  DO(cusolverSpXcsrqrAnalysisHost, analyse<kHost>,                                                                     \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,       \
      const int *csrColIndA, csrqrInfoHost_t info),                                                                    \
     (m, n, nnzA, descrA, csrRowPtrA, csrColIndA, info))                                                               \
  DO(cusolverSpXcsrluNnzHost, luNnz, (cusolverSpHandle_t handle, int *nnzLRef, int *nnzURef, csrluInfoHost_t info),    \
     (nnzLRef, nnzURef, info))
#define US_CUSOLVER_DECLARE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS) cusolverStatus_t SYMBOL PARAMETERS;
US_CUSOLVERSP_STEPS(US_CUSOLVER_DECLARE)
#undef US_CUSOLVER_DECLARE

#ifdef __cplusplus
}
#endif

#endif
