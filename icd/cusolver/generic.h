// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface whose matrices' kinds of numbers are arguments, over the other one's bodies.
#pragma once

#include "icd/cusolver/refined.h"
#include "icd/cusolver/spectral.h"

namespace us::cusolver {

/// Calls use with a null pointer to the type. "only supports the following four combinations"
template <class Use> cusolverStatus_t withKind(cudaDataType type, Use use) {
  switch (type) {
  case CUDA_R_32F:
    return use(static_cast<float *>(nullptr));
  case CUDA_R_64F:
    return use(static_cast<double *>(nullptr));
  case CUDA_C_32F:
    return use(static_cast<std::complex<float> *>(nullptr));
  case CUDA_C_64F:
    return use(static_cast<std::complex<double> *>(nullptr));
  default:
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
}
inline cudaDataType realOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}
#define US_KIND auto *kind
#define US_TYPE std::remove_pointer_t<decltype(kind)>

inline cusolverStatus_t xsize(Call call, size_t *onDevice, size_t *onHost, cudaDataType type, cublasFillMode_t uplo,
                              int64_t rows, int64_t columns, int64_t leading) {
  call.require(onDevice && onHost);
  int ignored = 0;
  const cusolverStatus_t status = size(call, &ignored, uplo, rows, columns, leading);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return withKind(type, [&](US_KIND) {
    *onDevice = sizeof *kind;
    *onHost = 0;
    return CUSOLVER_STATUS_SUCCESS;
  });
}

inline cusolverStatus_t xpotrf(Call call, cublasFillMode_t uplo, int64_t n, cudaDataType type, void *A, int64_t lda,
                               void *work, size_t bytes, int *info) {
  return withKind(
      type, [&](US_KIND) { return potrf(call, uplo, n, static_cast<US_TYPE *>(A), lda, work, int64_t(bytes), info); });
}

inline cusolverStatus_t xpotrs(Call call, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                               const void *A, int64_t lda, cudaDataType typeB, void *B, int64_t ldb, int *info) {
  call.require(typeB == type);
  return withKind(type, [&](US_KIND) {
    return potrs(call, uplo, n, nrhs, static_cast<const US_TYPE *>(A), lda, static_cast<US_TYPE *>(B), ldb, info);
  });
}

inline cusolverStatus_t xgetrf(Call call, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                               int64_t *pivots, void *work, size_t bytes, int *info) {
  return withKind(type, [&](US_KIND) {
    return getrf(call, m, n, static_cast<US_TYPE *>(A), lda, work, int64_t(bytes), pivots, info);
  });
}

inline cusolverStatus_t xgetrs(Call call, cublasOperation_t trans, int64_t n, int64_t nrhs, cudaDataType type,
                               const void *A, int64_t lda, const int64_t *pivots, cudaDataType typeB, void *B,
                               int64_t ldb, int *info) {
  call.require(typeB == type);
  return withKind(type, [&](US_KIND) {
    return getrs(call, trans, n, nrhs, static_cast<const US_TYPE *>(A), lda, pivots, static_cast<US_TYPE *>(B), ldb,
                 info);
  });
}

inline cusolverStatus_t xgeqrf(Call call, int64_t m, int64_t n, cudaDataType type, void *A, int64_t lda,
                               cudaDataType typeTau, void *tau, void *work, size_t bytes, int *info) {
  call.require(typeTau == type);
  return withKind(type, [&](US_KIND) {
    return geqrf(call, m, n, static_cast<US_TYPE *>(A), lda, static_cast<US_TYPE *>(tau), work, int64_t(bytes), info);
  });
}

inline cusolverStatus_t xsytrs(Call call, cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                               const void *A, int64_t lda, const int64_t *pivots, cudaDataType typeB, void *B,
                               int64_t ldb, void *work, size_t bytes, int *info) {
  call.require(typeB == type);
  return withKind(type, [&](US_KIND) {
    return sytrs(call, uplo, n, nrhs, static_cast<const US_TYPE *>(A), lda, pivots, static_cast<US_TYPE *>(B), ldb,
                 work, int64_t(bytes), info);
  });
}

inline cusolverStatus_t xtrtri(Call call, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, cudaDataType type,
                               void *A, int64_t lda, void *work, size_t bytes, int *info) {
  return withKind(type, [&](US_KIND) {
    return trtri(call, uplo, diag, n, static_cast<US_TYPE *>(A), lda, work, int64_t(bytes), info);
  });
}

inline cusolverStatus_t xsyevd(Call call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type,
                               void *A, int64_t lda, cudaDataType typeW, void *W, void *work, size_t bytes, int *infos,
                               int64_t count) {
  call.require(typeW == realOf(type));
  return withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    return syevd(call, jobz, uplo, n, static_cast<T *>(A), lda, static_cast<Part<T> *>(W), work, int64_t(bytes), infos,
                 count);
  });
}

inline cusolverStatus_t xsyevdx(Call call, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                int64_t n, cudaDataType type, void *A, int64_t lda, const void *vl, const void *vu,
                                int64_t il, int64_t iu, int64_t *found, cudaDataType typeW, void *W, void *work,
                                size_t bytes, int *info) {
  call.require(typeW == realOf(type));
  // vl and vu are of W's type, and in memory of the host
  if (range == CUSOLVER_EIG_RANGE_V) call.require(vl && vu);
  return withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    using R = Part<T>;
    const bool isUsed = call.isOk() && range == CUSOLVER_EIG_RANGE_V;
    const R lower = isUsed ? *static_cast<const R *>(vl) : 0, upper = isUsed ? *static_cast<const R *>(vu) : 0;
    return syevdx(call, jobz, range, uplo, n, static_cast<T *>(A), lda, lower, upper, il, iu, found,
                  static_cast<R *>(W), work, int64_t(bytes), info);
  });
}

inline cusolverStatus_t xgesvdSize(Call call, size_t *onDevice, size_t *onHost, cudaDataType type, int64_t m, int64_t n,
                                   int64_t lda) {
  call.require(m >= n);
  return xsize(call, onDevice, onHost, type, anyFill, m, n, lda);
}

inline cusolverStatus_t xgesvd(Call call, signed char jobu, signed char jobvt, int64_t m, int64_t n, cudaDataType type,
                               void *A, int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U,
                               int64_t ldu, cudaDataType typeVT, void *VT, int64_t ldvt, void *work, size_t bytes,
                               int *info) {
  call.require(typeS == realOf(type) && typeU == type && typeVT == type);
  return withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    return gesvd(call, jobu, jobvt, m, n, static_cast<T *>(A), lda, static_cast<Part<T> *>(S), static_cast<T *>(U), ldu,
                 static_cast<T *>(VT), ldvt, work, int64_t(bytes), static_cast<Part<T> *>(nullptr), info);
  });
}

inline cusolverStatus_t xgesvdp(Call call, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, cudaDataType type,
                                void *A, int64_t lda, cudaDataType typeS, void *S, cudaDataType typeU, void *U,
                                int64_t ldu, cudaDataType typeV, void *V, int64_t ldv, void *work, size_t bytes,
                                int *info, double *perturbation) {
  call.require(typeS == realOf(type) && typeU == type && typeV == type);
  const cusolverStatus_t status = withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    return gesvdp(call, jobz, econ, m, n, static_cast<T *>(A), lda, static_cast<Part<T> *>(S), static_cast<T *>(U), ldu,
                  static_cast<T *>(V), ldv, work, int64_t(bytes), info, 1);
  });
  // how much A was changed so that its polar decomposition exists, which is not used here
  if (status == CUSOLVER_STATUS_SUCCESS && perturbation) *perturbation = 0;
  return status;
}

inline cusolverStatus_t xgesvdr(Call call, signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t k,
                                int64_t p, cudaDataType type, void *A, int64_t lda, cudaDataType typeS, void *S,
                                cudaDataType typeU, void *U, int64_t ldu, cudaDataType typeV, void *V, int64_t ldv,
                                void *work, size_t bytes, int *info) {
  call.require(typeS == realOf(type) && typeU == type && typeV == type);
  return withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    return gesvdr(call, jobu, jobv, m, n, k, p, static_cast<T *>(A), lda, static_cast<Part<T> *>(S),
                  static_cast<T *>(U), ldu, static_cast<T *>(V), ldv, work, int64_t(bytes), info);
  });
}

inline cusolverStatus_t xgeev(Call call, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, cudaDataType type,
                              void *A, int64_t lda, cudaDataType typeW, void *W, cudaDataType typeVR, void *VR,
                              int64_t ldvr, void *work, size_t bytes, int *info) {
  call.require(typeVR == type && realOf(typeW) == realOf(type) && (typeW == type || realOf(type) == type));
  return withKind(type, [&](US_KIND) {
    using T = US_TYPE;
    const auto compute = [&](auto *values) {
      return geev(call, jobvl, jobvr, n, static_cast<T *>(A), lda, values, static_cast<T *>(VR), ldvr, work,
                  int64_t(bytes), info);
    };
    if (typeW != realOf(type)) return compute(static_cast<std::complex<Part<T>> *>(W));
    if constexpr (!kIsComplex<T>) return compute(static_cast<T *>(W));
    return call.status();
  });
}

/// The kind of matrices that parameters tell of, as others say it; -1 if they do not.
inline cudaDataType mainKind(const cusolverDnIRSParams *params) {
  static constexpr struct {
    cusolverPrecType_t precision;
    cudaDataType type;
  } kKinds[] = {{CUSOLVER_R_32F, CUDA_R_32F},
                {CUSOLVER_R_64F, CUDA_R_64F},
                {CUSOLVER_C_32F, CUDA_C_32F},
                {CUSOLVER_C_64F, CUDA_C_64F}};
  for (const auto &kind : kKinds)
    if (params->main == kind.precision) return kind.type;
  return cudaDataType(-1);
}
inline void checkParams(Call &call, const cusolverDnIRSParams *params, int64_t nrhs) {
  if (!params) return call.fail(CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  // "The main and/or the lowest precision configuration parameter ... is not valid", "... the refinement solver ..."
  if (mainKind(params) == cudaDataType(-1) || params->lowest == 0) call.fail(CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  if (params->refinement == CUSOLVER_IRS_REFINE_NOT_SET) call.fail(CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE);
  // "For example if nrhs >1, and refinement solver was set to CUSOLVER_IRS_REFINE_GMRES"
  if (nrhs > 1 && params->refinement == CUSOLVER_IRS_REFINE_GMRES) call.fail(CUSOLVER_STATUS_IRS_NOT_SUPPORTED);
}
inline void checkInfos(Call &call, const cusolverDnIRSParams *params, cusolverDnIRSInfos *infos) {
  if (!infos) return call.fail(CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
  if (call.isOk()) infos->maxIterations = params->maxIterations;
}

inline cusolverStatus_t xrefinedSize(Call call, const cusolverDnIRSParams *params, int64_t m, int64_t n, int64_t nrhs,
                                     size_t *bytes) {
  checkParams(call, params, nrhs);
  return refinedSize(call, m, n, nrhs, bytes);
}
inline cusolverStatus_t xgesv(Call call, const cusolverDnIRSParams *params, cusolverDnIRSInfos *infos, int n, int nrhs,
                              void *A, int lda, void *B, int ldb, void *X, int ldx, void *work, size_t bytes,
                              int *iterations, int *info) {
  checkParams(call, params, nrhs);
  checkInfos(call, params, infos);
  if (!call.isOk()) return call.status();
  return withKind(mainKind(params), [&](US_KIND) {
    using T = US_TYPE;
    return gesv(call, n, nrhs, static_cast<T *>(A), lda, nullptr, static_cast<T *>(B), ldb, static_cast<T *>(X), ldx,
                work, bytes, iterations, info);
  });
}
inline cusolverStatus_t xgels(Call call, const cusolverDnIRSParams *params, cusolverDnIRSInfos *infos, int m, int n,
                              int nrhs, void *A, int lda, void *B, int ldb, void *X, int ldx, void *work, size_t bytes,
                              int *iterations, int *info) {
  checkParams(call, params, nrhs);
  checkInfos(call, params, infos);
  if (!call.isOk()) return call.status();
  return withKind(mainKind(params), [&](US_KIND) {
    using T = US_TYPE;
    return gels(call, m, n, nrhs, static_cast<T *>(A), lda, static_cast<T *>(B), ldb, static_cast<T *>(X), ldx, work,
                bytes, iterations, info);
  });
}

#undef US_KIND
#undef US_TYPE

} // namespace us::cusolver
