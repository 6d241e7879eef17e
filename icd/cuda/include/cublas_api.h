/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cuBLAS: matrices lie column by column. Written for this project from public documentation. */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <cuComplex.h>
#include <driver_types.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#elif defined(__cplusplus)
struct __half;
#else
typedef struct __half __half;
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLASWINAPI

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N,
  CUBLAS_OP_T,
  CUBLAS_OP_C,
  CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
  CUBLAS_OP_CONJG
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
/* Every algorithm has the same results here. */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *message);

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t workspaceSizeInBytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int smCountTarget);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *smCountTarget);
size_t cublasGetCudartVersion(void);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char *logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback userCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *userCallback);
void cublasXerbla(const char *srName, int info);

/* The routines, for each kind of number (P: its letter, T: its type, R: that of its parts), with sizes of 32 and of 64
 * bits. */
#define US_CUBLAS_COPIES(I, W)                                                                                         \
  cublasStatus_t cublasSetVector##W(I n, I elemSize, const void *x, I incx, void *devicePtr, I incy);                  \
  cublasStatus_t cublasGetVector##W(I n, I elemSize, const void *x, I incx, void *y, I incy);                          \
  cublasStatus_t cublasSetMatrix##W(I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb);                 \
  cublasStatus_t cublasGetMatrix##W(I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb);                 \
  cublasStatus_t cublasSetVectorAsync##W(I n, I elemSize, const void *x, I incx, void *devicePtr, I incy,              \
                                         cudaStream_t stream);                                                         \
  cublasStatus_t cublasGetVectorAsync##W(I n, I elemSize, const void *x, I incx, void *y, I incy,                      \
                                         cudaStream_t stream);                                                         \
  cublasStatus_t cublasSetMatrixAsync##W(I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb,             \
                                         cudaStream_t stream);                                                         \
  cublasStatus_t cublasGetMatrixAsync##W(I rows, I cols, I elemSize, const void *A, I lda, void *B, I ldb,             \
                                         cudaStream_t stream);

#define US_CUBLAS_ALL(P, T, I, W)                                                                                      \
  cublasStatus_t cublas##P##axpy_v2##W(cublasHandle_t handle, I n, const T *alpha, const T *x, I incx, T *y, I incy);  \
  cublasStatus_t cublas##P##copy_v2##W(cublasHandle_t handle, I n, const T *x, I incx, T *y, I incy);                  \
  cublasStatus_t cublas##P##scal_v2##W(cublasHandle_t handle, I n, const T *alpha, T *x, I incx);                      \
  cublasStatus_t cublas##P##swap_v2##W(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy);                        \
  cublasStatus_t cublas##P##gemv_v2##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha,       \
                                       const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy);            \
  cublasStatus_t cublas##P##gbmv_v2##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku,           \
                                       const T *alpha, const T *A, I lda, const T *x, I incx, const T *beta, T *y,     \
                                       I incy);                                                                        \
  cublasStatus_t cublas##P##trmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, const T *A, I lda, T *x, I incx);                   \
  cublasStatus_t cublas##P##tbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, I k, const T *A, I lda, T *x, I incx);              \
  cublasStatus_t cublas##P##tpmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, const T *AP, T *x, I incx);                         \
  cublasStatus_t cublas##P##trsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, const T *A, I lda, T *x, I incx);                   \
  cublasStatus_t cublas##P##tbsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, I k, const T *A, I lda, T *x, I incx);              \
  cublasStatus_t cublas##P##tpsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                       cublasDiagType_t diag, I n, const T *AP, T *x, I incx);                         \
  cublasStatus_t cublas##P##symv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *A,  \
                                       I lda, const T *x, I incx, const T *beta, T *y, I incy);                        \
  cublasStatus_t cublas##P##syr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,   \
                                      I incx, T *A, I lda);                                                            \
  cublasStatus_t cublas##P##syr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,  \
                                       I incx, const T *y, I incy, T *A, I lda);                                       \
  cublasStatus_t cublas##P##gemm_v2##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, \
                                       I n, I k, const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta,  \
                                       T *C, I ldc);                                                                   \
  cublasStatus_t cublas##P##symm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n,  \
                                       const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C,      \
                                       I ldc);                                                                         \
  cublasStatus_t cublas##P##syrk_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n,     \
                                       I k, const T *alpha, const T *A, I lda, const T *beta, T *C, I ldc);            \
  cublasStatus_t cublas##P##syr2k_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n,    \
                                        I k, const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta,      \
                                        T *C, I ldc);                                                                  \
  cublasStatus_t cublas##P##trmm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                       cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha,       \
                                       const T *A, I lda, const T *B, I ldb, T *C, I ldc);                             \
  cublasStatus_t cublas##P##trsm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                       cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha,       \
                                       const T *A, I lda, T *B, I ldb);

#define US_CUBLAS_REAL(P, T, I, W)                                                                                     \
  cublasStatus_t cublas##P##dot_v2##W(cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, T *result);  \
  cublasStatus_t cublas##P##ger_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx, const T *y, \
                                      I incy, T *A, I lda);                                                            \
  cublasStatus_t cublas##P##sbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T *alpha,         \
                                       const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy);            \
  cublasStatus_t cublas##P##spmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *AP, \
                                       const T *x, I incx, const T *beta, T *y, I incy);                               \
  cublasStatus_t cublas##P##spr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,   \
                                      I incx, T *AP);                                                                  \
  cublasStatus_t cublas##P##spr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,  \
                                       I incx, const T *y, I incy, T *AP);                                             \
  cublasStatus_t cublas##P##rotm_v2##W(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy, const T *param);

#define US_CUBLAS_COMPLEX(P, T, R, I, W)                                                                               \
  cublasStatus_t cublas##P##dotu_v2##W(cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, T *result); \
  cublasStatus_t cublas##P##dotc_v2##W(cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, T *result); \
  cublasStatus_t cublas##P##geru_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,            \
                                       const T *y, I incy, T *A, I lda);                                               \
  cublasStatus_t cublas##P##gerc_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,            \
                                       const T *y, I incy, T *A, I lda);                                               \
  cublasStatus_t cublas##P##hemv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *A,  \
                                       I lda, const T *x, I incx, const T *beta, T *y, I incy);                        \
  cublasStatus_t cublas##P##hbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T *alpha,         \
                                       const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy);            \
  cublasStatus_t cublas##P##hpmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *AP, \
                                       const T *x, I incx, const T *beta, T *y, I incy);                               \
  cublasStatus_t cublas##P##her_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha, const T *x,   \
                                      I incx, T *A, I lda);                                                            \
  cublasStatus_t cublas##P##her2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,  \
                                       I incx, const T *y, I incy, T *A, I lda);                                       \
  cublasStatus_t cublas##P##hpr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha, const T *x,   \
                                      I incx, T *AP);                                                                  \
  cublasStatus_t cublas##P##hpr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha, const T *x,  \
                                       I incx, const T *y, I incy, T *AP);                                             \
  cublasStatus_t cublas##P##hemm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n,  \
                                       const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C,      \
                                       I ldc);                                                                         \
  cublasStatus_t cublas##P##herk_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n,     \
                                       I k, const R *alpha, const T *A, I lda, const R *beta, T *C, I ldc);            \
  cublasStatus_t cublas##P##her2k_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n,    \
                                        I k, const T *alpha, const T *A, I lda, const T *B, I ldb, const R *beta,      \
                                        T *C, I ldc);

#define US_CUBLAS_NEWER(P, T, I, W)                                                                                    \
  cublasStatus_t cublas##P##gemvBatched##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha,   \
                                           const T *const A[], I lda, const T *const x[], I incx, const T *beta,       \
                                           T *const y[], I incy, I batchCount);                                        \
  cublasStatus_t cublas##P##gemvStridedBatched##W(                                                                     \
      cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha, const T *A, I lda, long long strideA,  \
      const T *x, I incx, long long stridex, const T *beta, T *y, I incy, long long stridey, I batchCount);            \
  cublasStatus_t cublas##P##gemmBatched##W(                                                                            \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, const T *alpha,        \
      const T *const A[], I lda, const T *const B[], I ldb, const T *beta, T *const C[], I ldc, I batchCount);         \
  cublasStatus_t cublas##P##gemmStridedBatched##W(cublasHandle_t handle, cublasOperation_t transa,                     \
                                                  cublasOperation_t transb, I m, I n, I k, const T *alpha, const T *A, \
                                                  I lda, long long strideA, const T *B, I ldb, long long strideB,      \
                                                  const T *beta, T *C, I ldc, long long strideC, I batchCount);        \
  cublasStatus_t cublas##P##trsmBatched##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,        \
                                           cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T *alpha,   \
                                           const T *const A[], I lda, T *const B[], I ldb, I batchCount);              \
  cublasStatus_t cublas##P##syrkx##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,  \
                                     const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta, T *C,        \
                                     I ldc);                                                                           \
  cublasStatus_t cublas##P##geam##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m,    \
                                    I n, const T *alpha, const T *A, I lda, const T *beta, const T *B, I ldb, T *C,    \
                                    I ldc);                                                                            \
  cublasStatus_t cublas##P##dgmm##W(cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *A, I lda,         \
                                    const T *x, I incx, T *C, I ldc);

#define US_CUBLAS_NEWER_COMPLEX(P, T, R, I, W)                                                                         \
  cublasStatus_t cublas##P##gemm3m##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m,  \
                                      I n, I k, const T *alpha, const T *A, I lda, const T *B, I ldb, const T *beta,   \
                                      T *C, I ldc);                                                                    \
  cublasStatus_t cublas##P##herkx##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,  \
                                     const T *alpha, const T *A, I lda, const T *B, I ldb, const R *beta, T *C,        \
                                     I ldc);

#define US_CUBLAS_LAPACK(P, T)                                                                                         \
  cublasStatus_t cublas##P##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *AP, T *A, int lda);    \
  cublasStatus_t cublas##P##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda, T *AP);    \
  cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *pivots, int *info,  \
                                         int batchSize);                                                               \
  cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda, const int *pivots, \
                                         T *const C[], int ldc, int *info, int batchSize);                             \
  cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,              \
                                         const T *const A[], int lda, const int *pivots, T *const B[], int ldb,        \
                                         int *info, int batchSize);                                                    \
  cublasStatus_t cublas##P##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda, T *const Ainv[],  \
                                          int ldainv, int *info, int batchSize);                                       \
  cublasStatus_t cublas##P##geqrfBatched(cublasHandle_t handle, int m, int n, T *const A[], int lda, T *const Tau[],   \
                                         int *info, int batchSize);                                                    \
  cublasStatus_t cublas##P##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs,        \
                                        T *const A[], int lda, T *const C[], int ldc, int *info, int *devInfoArray,    \
                                        int batchSize);

#define US_CUBLAS_NAMED(I, W)                                                                                          \
  cublasStatus_t cublasSnrm2_v2##W(cublasHandle_t handle, I n, const float *x, I incx, float *result);                 \
  cublasStatus_t cublasDnrm2_v2##W(cublasHandle_t handle, I n, const double *x, I incx, double *result);               \
  cublasStatus_t cublasScnrm2_v2##W(cublasHandle_t handle, I n, const cuComplex *x, I incx, float *result);            \
  cublasStatus_t cublasDznrm2_v2##W(cublasHandle_t handle, I n, const cuDoubleComplex *x, I incx, double *result);     \
  cublasStatus_t cublasSasum_v2##W(cublasHandle_t handle, I n, const float *x, I incx, float *result);                 \
  cublasStatus_t cublasDasum_v2##W(cublasHandle_t handle, I n, const double *x, I incx, double *result);               \
  cublasStatus_t cublasScasum_v2##W(cublasHandle_t handle, I n, const cuComplex *x, I incx, float *result);            \
  cublasStatus_t cublasDzasum_v2##W(cublasHandle_t handle, I n, const cuDoubleComplex *x, I incx, double *result);     \
  cublasStatus_t cublasIsamax_v2##W(cublasHandle_t handle, I n, const float *x, I incx, I *result);                    \
  cublasStatus_t cublasIdamax_v2##W(cublasHandle_t handle, I n, const double *x, I incx, I *result);                   \
  cublasStatus_t cublasIcamax_v2##W(cublasHandle_t handle, I n, const cuComplex *x, I incx, I *result);                \
  cublasStatus_t cublasIzamax_v2##W(cublasHandle_t handle, I n, const cuDoubleComplex *x, I incx, I *result);          \
  cublasStatus_t cublasIsamin_v2##W(cublasHandle_t handle, I n, const float *x, I incx, I *result);                    \
  cublasStatus_t cublasIdamin_v2##W(cublasHandle_t handle, I n, const double *x, I incx, I *result);                   \
  cublasStatus_t cublasIcamin_v2##W(cublasHandle_t handle, I n, const cuComplex *x, I incx, I *result);                \
  cublasStatus_t cublasIzamin_v2##W(cublasHandle_t handle, I n, const cuDoubleComplex *x, I incx, I *result);          \
  cublasStatus_t cublasCsscal_v2##W(cublasHandle_t handle, I n, const float *alpha, cuComplex *x, I incx);             \
  cublasStatus_t cublasZdscal_v2##W(cublasHandle_t handle, I n, const double *alpha, cuDoubleComplex *x, I incx);      \
  cublasStatus_t cublasSrot_v2##W(cublasHandle_t handle, I n, float *x, I incx, float *y, I incy, const float *c,      \
                                  const float *s);                                                                     \
  cublasStatus_t cublasDrot_v2##W(cublasHandle_t handle, I n, double *x, I incx, double *y, I incy, const double *c,   \
                                  const double *s);                                                                    \
  cublasStatus_t cublasCsrot_v2##W(cublasHandle_t handle, I n, cuComplex *x, I incx, cuComplex *y, I incy,             \
                                   const float *c, const float *s);                                                    \
  cublasStatus_t cublasZdrot_v2##W(cublasHandle_t handle, I n, cuDoubleComplex *x, I incx, cuDoubleComplex *y, I incy, \
                                   const double *c, const double *s);                                                  \
  cublasStatus_t cublasCrot_v2##W(cublasHandle_t handle, I n, cuComplex *x, I incx, cuComplex *y, I incy,              \
                                  const float *c, const cuComplex *s);                                                 \
  cublasStatus_t cublasZrot_v2##W(cublasHandle_t handle, I n, cuDoubleComplex *x, I incx, cuDoubleComplex *y, I incy,  \
                                  const double *c, const cuDoubleComplex *s);

cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float *a, float *b, float *c, float *s);
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double *a, double *b, double *c, double *s);
cublasStatus_t cublasCrotg_v2(cublasHandle_t handle, cuComplex *a, cuComplex *b, float *c, cuComplex *s);
cublasStatus_t cublasZrotg_v2(cublasHandle_t handle, cuDoubleComplex *a, cuDoubleComplex *b, double *c,
                              cuDoubleComplex *s);
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float *d1, float *d2, float *x1, const float *y1, float *param);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double *d1, double *d2, double *x1, const double *y1,
                               double *param);
#define US_CUBLAS_EX(I, W)                                                                                             \
  cublasStatus_t cublasAxpyEx##W(cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, const void *x, \
                                 cudaDataType xType, I incx, void *y, cudaDataType yType, I incy,                      \
                                 cudaDataType executionType);                                                          \
  cublasStatus_t cublasCopyEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *y,       \
                                 cudaDataType yType, I incy);                                                          \
  cublasStatus_t cublasSwapEx##W(cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx, void *y,             \
                                 cudaDataType yType, I incy);                                                          \
  cublasStatus_t cublasDotEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, const void *y,  \
                                cudaDataType yType, I incy, void *result, cudaDataType resultType,                     \
                                cudaDataType executionType);                                                           \
  cublasStatus_t cublasDotcEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, const void *y, \
                                 cudaDataType yType, I incy, void *result, cudaDataType resultType,                    \
                                 cudaDataType executionType);                                                          \
  cublasStatus_t cublasNrm2Ex##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *result,  \
                                 cudaDataType resultType, cudaDataType executionType);                                 \
  cublasStatus_t cublasAsumEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, void *result,  \
                                 cudaDataType resultType, cudaDataType executionType);                                 \
  cublasStatus_t cublasScalEx##W(cublasHandle_t handle, I n, const void *alpha, cudaDataType alphaType, void *x,       \
                                 cudaDataType xType, I incx, cudaDataType executionType);                              \
  cublasStatus_t cublasIamaxEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, I *result);   \
  cublasStatus_t cublasIaminEx##W(cublasHandle_t handle, I n, const void *x, cudaDataType xType, I incx, I *result);   \
  cublasStatus_t cublasGemmEx##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,  \
                                 I k, const void *alpha, const void *A, cudaDataType Atype, I lda, const void *B,      \
                                 cudaDataType Btype, I ldb, const void *beta, void *C, cudaDataType Ctype, I ldc,      \
                                 cublasComputeType_t computeType, cublasGemmAlgo_t algo);                              \
  cublasStatus_t cublasGemmBatchedEx##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,     \
                                        I m, I n, I k, const void *alpha, const void *const A[], cudaDataType Atype,   \
                                        I lda, const void *const B[], cudaDataType Btype, I ldb, const void *beta,     \
                                        void *const C[], cudaDataType Ctype, I ldc, I batchCount,                      \
                                        cublasComputeType_t computeType, cublasGemmAlgo_t algo);                       \
  cublasStatus_t cublasGemmStridedBatchedEx##W(                                                                        \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, const void *alpha,     \
      const void *A, cudaDataType Atype, I lda, long long strideA, const void *B, cudaDataType Btype, I ldb,           \
      long long strideB, const void *beta, void *C, cudaDataType Ctype, I ldc, long long strideC, I batchCount,        \
      cublasComputeType_t computeType, cublasGemmAlgo_t algo);                                                         \
  cublasStatus_t cublasSgemmEx##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, \
                                  I k, const float *alpha, const void *A, cudaDataType Atype, I lda, const void *B,    \
                                  cudaDataType Btype, I ldb, const float *beta, void *C, cudaDataType Ctype, I ldc);   \
  cublasStatus_t cublasCgemmEx##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, \
                                  I k, const cuComplex *alpha, const void *A, cudaDataType Atype, I lda,               \
                                  const void *B, cudaDataType Btype, I ldb, const cuComplex *beta, void *C,            \
                                  cudaDataType Ctype, I ldc);

#define US_CUBLAS_HALF(I, W)                                                                                           \
  cublasStatus_t cublasHgemm##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,   \
                                I k, const __half *alpha, const __half *A, I lda, const __half *B, I ldb,              \
                                const __half *beta, __half *C, I ldc);                                                 \
  cublasStatus_t cublasHgemmBatched##W(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, \
                                       I n, I k, const __half *alpha, const __half *const A[], I lda,                  \
                                       const __half *const B[], I ldb, const __half *beta, __half *const C[], I ldc,   \
                                       I batchCount);                                                                  \
  cublasStatus_t cublasHgemmStridedBatched##W(                                                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, const __half *alpha,   \
      const __half *A, I lda, long long strideA, const __half *B, I ldb, long long strideB, const __half *beta,        \
      __half *C, I ldc, long long strideC, I batchCount);

#define US_CUBLAS_SIZE(I, W)                                                                                           \
  US_CUBLAS_COPIES(I, W)                                                                                               \
  US_CUBLAS_ALL(S, float, I, W)                                                                                        \
  US_CUBLAS_ALL(D, double, I, W)                                                                                       \
  US_CUBLAS_ALL(C, cuComplex, I, W)                                                                                    \
  US_CUBLAS_ALL(Z, cuDoubleComplex, I, W)                                                                              \
  US_CUBLAS_REAL(S, float, I, W)                                                                                       \
  US_CUBLAS_REAL(D, double, I, W)                                                                                      \
  US_CUBLAS_COMPLEX(C, cuComplex, float, I, W)                                                                         \
  US_CUBLAS_COMPLEX(Z, cuDoubleComplex, double, I, W)                                                                  \
  US_CUBLAS_NEWER(S, float, I, W)                                                                                      \
  US_CUBLAS_NEWER(D, double, I, W)                                                                                     \
  US_CUBLAS_NEWER(C, cuComplex, I, W)                                                                                  \
  US_CUBLAS_NEWER(Z, cuDoubleComplex, I, W)                                                                            \
  US_CUBLAS_NEWER_COMPLEX(C, cuComplex, float, I, W)                                                                   \
  US_CUBLAS_NEWER_COMPLEX(Z, cuDoubleComplex, double, I, W)                                                            \
  US_CUBLAS_NAMED(I, W)                                                                                                \
  US_CUBLAS_EX(I, W)                                                                                                   \
  US_CUBLAS_HALF(I, W)

US_CUBLAS_SIZE(int, )
US_CUBLAS_SIZE(int64_t, _64)
US_CUBLAS_LAPACK(S, float)
US_CUBLAS_LAPACK(D, double)
US_CUBLAS_LAPACK(C, cuComplex)
US_CUBLAS_LAPACK(Z, cuDoubleComplex)

#undef US_CUBLAS_SIZE
#undef US_CUBLAS_COPIES
#undef US_CUBLAS_ALL
#undef US_CUBLAS_REAL
#undef US_CUBLAS_COMPLEX
#undef US_CUBLAS_NEWER
#undef US_CUBLAS_NEWER_COMPLEX
#undef US_CUBLAS_LAPACK
#undef US_CUBLAS_NAMED
#undef US_CUBLAS_EX
#undef US_CUBLAS_HALF

#ifdef __cplusplus
}

/* Until CUDA 11 how to compute was told by a type of numbers; of C++ both are taken. */
static inline cublasComputeType_t us_cublas_compute(cudaDataType type) {
  return type == CUDA_R_16F                         ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_32F || type == CUDA_C_32F ? CUBLAS_COMPUTE_32F
         : type == CUDA_R_64F || type == CUDA_C_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I                       ? CUBLAS_COMPUTE_32I
                                                    : (cublasComputeType_t)type;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void *alpha, const void *A, cudaDataType Atype,
                                          int lda, const void *B, cudaDataType Btype, int ldb, const void *beta,
                                          void *C, cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                      us_cublas_compute(computeType), algo);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                                 const void *const A[], cudaDataType Atype, int lda,
                                                 const void *const B[], cudaDataType Btype, int ldb, const void *beta,
                                                 void *const C[], cudaDataType Ctype, int ldc, int batchCount,
                                                 cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                             batchCount, us_cublas_compute(computeType), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                        cublasOperation_t transb, int m, int n, int k,
                                                        const void *alpha, const void *A, cudaDataType Atype, int lda,
                                                        long long strideA, const void *B, cudaDataType Btype, int ldb,
                                                        long long strideB, const void *beta, void *C,
                                                        cudaDataType Ctype, int ldc, long long strideC, int batchCount,
                                                        cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                    strideB, beta, C, Ctype, ldc, strideC, batchCount, us_cublas_compute(computeType),
                                    algo);
}
#endif

#endif
