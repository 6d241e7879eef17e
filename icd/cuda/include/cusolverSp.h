/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuSOLVER's sparse part: systems, eigenvalues and orders of matrices by rows (CSR). Written for this project from
   public documentation. */
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
  DO(cusolverSp##P##csrlsvluHost, csrlsvluHost,                                                                        \
     (cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,                     \
      const int *csrRowPtr, const int *csrColInd, const T *b, R tol, int reorder, T *x, int *singularity),             \
     (n, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, reorder, x, singularity))                                  \
  DO(cusolverSp##P##csrlsvqrHost, csrlsvqrHost,                                                                        \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,                     \
      const int *csrRowPtr, const int *csrColInd, const T *b, R tol, int reorder, T *x, int *singularity),             \
     (m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, reorder, x, singularity))                                  \
  DO(cusolverSp##P##csrlsvcholHost, csrlsvcholHost,                                                                    \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrVal,                     \
      const int *csrRowPtr, const int *csrColInd, const T *b, R tol, int reorder, T *x, int *singularity),             \
     (m, nnz, descrA, csrVal, csrRowPtr, csrColInd, b, tol, reorder, x, singularity))                                  \
  DO(cusolverSp##P##csreigvsi, csreigvsi,                                                                              \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrValA,                    \
      const int *csrRowPtrA, const int *csrColIndA, T mu0, const T *x0, int maxite, R eps, T *mu, T *x),               \
     (m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, mu0, x0, maxite, eps, mu, x))                                   \
  DO(cusolverSp##P##csreigvsiHost, csreigvsiHost,                                                                      \
     (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T *csrValA,                    \
      const int *csrRowPtrA, const int *csrColIndA, T mu0, const T *x0, int maxite, R eps, T *mu, T *x),               \
     (m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, mu0, x0, maxite, eps, mu, x))                                   \
  DO(cusolverSp##P##csrzfdHost, csrzfdHost,                                                                            \
     (cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descrA, const T *csrValA,                    \
      const int *csrRowPtrA, const int *csrColIndA, int *permutation, int *numnz),                                     \
     (n, nnz, descrA, csrValA, csrRowPtrA, csrColIndA, permutation, numnz))
#define US_CUSOLVERSP(DO)                                                                                              \
  US_CUSOLVERSP_ROUTINES(DO, S, float, float)                                                                          \
  US_CUSOLVERSP_ROUTINES(DO, D, double, double)                                                                        \
  US_CUSOLVERSP_ROUTINES(DO, C, cuComplex, float)                                                                      \
  US_CUSOLVERSP_ROUTINES(DO, Z, cuDoubleComplex, double)                                                               \
  DO(cusolverSpXcsrsymrcmHost, csrsymrcmHost,                                                                          \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, int *p),                                                                                  \
     (n, nnzA, descrA, csrRowPtrA, csrColIndA, p))                                                                     \
  DO(cusolverSpXcsrsymmdqHost, csrsymmdqHost,                                                                          \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, int *p),                                                                                  \
     (n, nnzA, descrA, csrRowPtrA, csrColIndA, p))                                                                     \
  DO(cusolverSpXcsrsymamdHost, csrsymamdHost,                                                                          \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, int *p),                                                                                  \
     (n, nnzA, descrA, csrRowPtrA, csrColIndA, p))                                                                     \
  DO(cusolverSpXcsrmetisndHost, csrmetisndHost,                                                                        \
     (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrColIndA, const int64_t *options, int *p),                                                          \
     (n, nnzA, descrA, csrRowPtrA, csrColIndA, options, p))                                                            \
  DO(cusolverSpXcsrissymHost, csrissymHost,                                                                            \
     (cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,              \
      const int *csrEndPtrA, const int *csrColIndA, int *issym),                                                       \
     (m, nnzA, descrA, csrRowPtrA, csrEndPtrA, csrColIndA, issym))                                                     \
  DO(cusolverSpXcsrperm_bufferSizeHost, csrperm_bufferSizeHost,                                                        \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const int *csrRowPtrA,       \
      const int *csrColIndA, const int *p, const int *q, size_t *bufferSizeInBytes),                                   \
     (m, n, nnzA, descrA, csrRowPtrA, csrColIndA, p, q, bufferSizeInBytes))                                            \
  DO(cusolverSpXcsrpermHost, csrpermHost,                                                                              \
     (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, int *csrRowPtrA,             \
      int *csrColIndA, const int *p, const int *q, int *map, void *pBuffer),                                           \
     (m, n, nnzA, descrA, csrRowPtrA, csrColIndA, p, q, map, pBuffer))
#define US_CUSOLVER_DECLARE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS) cusolverStatus_t SYMBOL PARAMETERS;
US_CUSOLVERSP(US_CUSOLVER_DECLARE)
#undef US_CUSOLVER_DECLARE

#ifdef __cplusplus
}
#endif

#endif
