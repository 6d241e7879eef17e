/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuSOLVER's sparse part: systems and eigenvalues of matrices by rows (CSR). Written for this project from public
   documentation. */
#ifndef CUSOLVERSP_H_
#define CUSOLVERSP_H_

#include <cublas_v2.h>
#include <cusolver_common.h>
#include <cusparse.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverSpContext *cusolverSpHandle_t;

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *streamId);

/* Lists as in cusolverDn.h. */
#define US_CUSOLVERSP_ROUTINES(DO, P, T, R)                                                                            \
  DO(cusolverSp##P##csrlsvqr, csrlsvqr,                                                                                \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,                     \
      const int *csrRowPtr, const int *csrColInd, const T *b, R tol, int reorder, T *x, int *singularity),             \
     (m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, reorder, x, singularity))                                  \
  DO(cusolverSp##P##csrlsvchol, csrlsvchol,                                                                            \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,                     \
      const int *csrRowPtr, const int *csrColInd, const T *b, R tol, int reorder, T *x, int *singularity),             \
     (m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, reorder, x, singularity))                                  \
  DO(cusolverSp##P##csreigvsi, missing,                                                                                \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrValA,                    \
      const int *csrRowPtrA, const int *csrColIndA, T mu0, const T *x0, int maxite, R eps, T *mu, T *x),               \
     ())
#define US_CUSOLVERSP(DO)                                                                                              \
  US_CUSOLVERSP_ROUTINES(DO, S, float, float)                                                                          \
  US_CUSOLVERSP_ROUTINES(DO, D, double, double)                                                                        \
  US_CUSOLVERSP_ROUTINES(DO, C, cuComplex, float)                                                                      \
  US_CUSOLVERSP_ROUTINES(DO, Z, cuDoubleComplex, double)
#define US_CUSOLVER_DECLARE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS) cusolverStatus_t SYMBOL PARAMETERS;
US_CUSOLVERSP(US_CUSOLVER_DECLARE)
#undef US_CUSOLVER_DECLARE

#ifdef __cplusplus
}
#endif

#endif
