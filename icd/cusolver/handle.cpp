// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, and what is told and asked beside them.
#include "icd/cusolver/call.h"

namespace us::cusolver {

cusolverStatus_t statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return CUSOLVER_STATUS_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return CUSOLVER_STATUS_ALLOC_FAILED;
  case CUDA_ERROR_NOT_SUPPORTED:
    return CUSOLVER_STATUS_ARCH_MISMATCH;
  case CUDA_ERROR_NOT_INITIALIZED:
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  default:
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

namespace {

// "CUSOLVER_STATUS_ALLOC_FAILED: The resources could not be allocated", "... NOT_INITIALIZED: The CUDA Runtime
// initialization failed", "... ARCH_MISMATCH"
template <class Context> cusolverStatus_t create(Context **handle, const char *function) {
  if (!handle) return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!cublas::routineOf<"getrf", double>()) {
    math::say(function, "there is no LAPACK that computes: install libopenblas0, or another liblapack.so.3");
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  }
  if (const CUresult result = math::makeHandle(handle, function); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUSOLVER_STATUS_ARCH_MISMATCH : CUSOLVER_STATUS_NOT_INITIALIZED;
  return CUSOLVER_STATUS_SUCCESS;
}

template <class Context> cusolverStatus_t destroy(Context *handle) {
  return math::endHandle(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

template <class Context> cusolverStatus_t setStream(Context *handle, cudaStream_t stream) {
  if (!math::isHandle(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->session.stream = reinterpret_cast<CUstream>(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

template <class Context> cusolverStatus_t getStream(Context *handle, cudaStream_t *stream) {
  if (!math::isHandle(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!stream) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = reinterpret_cast<cudaStream_t>(handle->session.stream);
  return CUSOLVER_STATUS_SUCCESS;
}

/// Structures that are no handles.
template <class T> cusolverStatus_t make(T **made) {
  if (!made) return CUSOLVER_STATUS_INVALID_VALUE;
  *made = new T;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T> cusolverStatus_t unmake(T *made) {
  delete made;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T, class Base, class Value>
cusolverStatus_t tell(T *told, Value Base::*field, Value value, cusolverStatus_t otherwise, bool isValid = true) {
  if (!told) return otherwise;
  if (!isValid) return CUSOLVER_STATUS_INVALID_VALUE;
  told->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T, class Base, class Value>
cusolverStatus_t ask(const T *asked, Value Base::*field, Value *value, cusolverStatus_t otherwise) {
  if (!asked) return otherwise;
  if (!value) return CUSOLVER_STATUS_INVALID_VALUE;
  *value = asked->*field;
  return CUSOLVER_STATUS_SUCCESS;
}

/// "If the user calls this function after gesvdjBatched, the error CUSOLVER_STATUS_NOT_SUPPORTED is returned."
template <class Value>
cusolverStatus_t askJacobi(cusolverDnHandle_t handle, const JacobiInfo *info, Value JacobiInfo::*field, Value *value) {
  if (!math::isHandle(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (info && info->wasBatched) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return ask(info, field, value, CUSOLVER_STATUS_INVALID_VALUE);
}

} // namespace
} // namespace us::cusolver

using namespace us;
using namespace us::cusolver;

constexpr int kVersion[] = {US_CUSOLVER_MAJOR, US_CUSOLVER_MAJOR == 11 ? 7 : 0, US_CUSOLVER_MAJOR == 11 ? 1 : 3};

US_EXPORT cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSOLVER_STATUS_INVALID_VALUE;
  *value = kVersion[type];
  return CUSOLVER_STATUS_SUCCESS;
}
US_EXPORT cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = kVersion[0] * 1000 + kVersion[1] * 100 + kVersion[2];
  return CUSOLVER_STATUS_SUCCESS;
}

US_EXPORT cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) { return create(handle, __func__); }
US_EXPORT cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle) { return create(handle, __func__); }
US_EXPORT cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) { return destroy(handle); }
US_EXPORT cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) { return destroy(handle); }
US_EXPORT cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return setStream(handle, stream);
}
US_EXPORT cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  return setStream(handle, stream);
}
US_EXPORT cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
  return getStream(handle, stream);
}
US_EXPORT cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t *stream) {
  return getStream(handle, stream);
}

// Every result is the same each time.
US_EXPORT cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode) {
  return tell(math::isHandle(handle) ? handle : nullptr, &cusolverDnContext::determinism, mode,
              CUSOLVER_STATUS_NOT_INITIALIZED,
              mode == CUSOLVER_DETERMINISTIC_RESULTS || mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
}
US_EXPORT cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                          cusolverDeterministicMode_t *mode) {
  return ask(math::isHandle(handle) ? handle : nullptr, &cusolverDnContext::determinism, mode,
             CUSOLVER_STATUS_NOT_INITIALIZED);
}

US_EXPORT cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params) { return make(params); }
US_EXPORT cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) { return unmake(params); }
US_EXPORT cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                                   cusolverAlgMode_t algo) {
  // "Wrong combination of function and algo."
  if (!params || function > CUSOLVERDN_SYEVBATCHED || algo > CUSOLVER_ALG_2) return CUSOLVER_STATUS_INVALID_VALUE;
  params->algorithms[function] = algo;
  return CUSOLVER_STATUS_SUCCESS;
}

// What would be logged is said on standard error, and nothing else.
US_EXPORT cusolverStatus_t cusolverDnLoggerSetCallback(cusolverDnLoggerCallback_t) { return CUSOLVER_STATUS_SUCCESS; }
US_EXPORT cusolverStatus_t cusolverDnLoggerSetFile(FILE *) { return CUSOLVER_STATUS_SUCCESS; }
US_EXPORT cusolverStatus_t cusolverDnLoggerOpenFile(const char *) { return CUSOLVER_STATUS_SUCCESS; }
US_EXPORT cusolverStatus_t cusolverDnLoggerSetLevel(int) { return CUSOLVER_STATUS_SUCCESS; }
US_EXPORT cusolverStatus_t cusolverDnLoggerSetMask(int) { return CUSOLVER_STATUS_SUCCESS; }
US_EXPORT cusolverStatus_t cusolverDnLoggerForceDisable(void) { return CUSOLVER_STATUS_SUCCESS; }

#define US_JACOBI(NAME, CREATE, TYPE)                                                                                  \
  US_EXPORT cusolverStatus_t cusolverDnCreate##CREATE(TYPE *info) { return make(info); }                               \
  US_EXPORT cusolverStatus_t cusolverDnDestroy##CREATE(TYPE info) { return unmake(info); }                             \
  US_EXPORT cusolverStatus_t cusolverDnX##NAME##SetTolerance(TYPE info, double tolerance) {                            \
    return tell(info, &JacobiInfo::tolerance, tolerance, CUSOLVER_STATUS_INVALID_VALUE);                               \
  }                                                                                                                    \
  US_EXPORT cusolverStatus_t cusolverDnX##NAME##SetMaxSweeps(TYPE info, int max_sweeps) {                              \
    return tell(info, &JacobiInfo::maxSweeps, max_sweeps, CUSOLVER_STATUS_INVALID_VALUE);                              \
  }                                                                                                                    \
  US_EXPORT cusolverStatus_t cusolverDnX##NAME##SetSortEig(TYPE info, int sort) {                                      \
    return tell(info, &JacobiInfo::sort, sort, CUSOLVER_STATUS_INVALID_VALUE);                                         \
  }                                                                                                                    \
  US_EXPORT cusolverStatus_t cusolverDnX##NAME##GetResidual(cusolverDnHandle_t handle, TYPE info, double *residual) {  \
    return askJacobi(handle, info, &JacobiInfo::residual, residual);                                                   \
  }                                                                                                                    \
  US_EXPORT cusolverStatus_t cusolverDnX##NAME##GetSweeps(cusolverDnHandle_t handle, TYPE info, int *sweeps) {         \
    return askJacobi(handle, info, &JacobiInfo::sweeps, sweeps);                                                       \
  }
US_JACOBI(syevj, SyevjInfo, syevjInfo_t)
US_JACOBI(gesvdj, GesvdjInfo, gesvdjInfo_t)

// "CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED: The Params structure was not created."
#define US_PARAMS CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED
US_EXPORT cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *params) { return make(params); }
US_EXPORT cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  return params ? unmake(params) : US_PARAMS;
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                                  cusolverIRSRefinement_t solver) {
  return tell(params, &cusolverDnIRSParams::refinement, solver, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params,
                                                                     cusolverPrecType_t precision) {
  return tell(params, &cusolverDnIRSParams::main, precision, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                                       cusolverPrecType_t precision) {
  return tell(params, &cusolverDnIRSParams::lowest, precision, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                                                  cusolverPrecType_t lowest) {
  if (!params) return US_PARAMS;
  params->main = main;
  params->lowest = lowest;
  return CUSOLVER_STATUS_SUCCESS;
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double value) {
  return tell(params, &cusolverDnIRSParams::tolerance, value, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double value) {
  return tell(params, &cusolverDnIRSParams::toleranceInner, value, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params, int iterations) {
  return tell(params, &cusolverDnIRSParams::maxIterations, iterations, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params, int iterations) {
  return tell(params, &cusolverDnIRSParams::maxIterationsInner, iterations, US_PARAMS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, int *iterations) {
  return ask(params, &cusolverDnIRSParams::maxIterations, iterations, US_PARAMS);
}
// There is nothing to fall back from: all is computed in the main precision.
US_EXPORT cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  return params ? CUSOLVER_STATUS_SUCCESS : US_PARAMS;
}
US_EXPORT cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  return params ? CUSOLVER_STATUS_SUCCESS : US_PARAMS;
}

// "CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED: The Infos structure was not created."
#define US_INFOS CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED
US_EXPORT cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *infos) { return make(infos); }
US_EXPORT cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  return infos ? unmake(infos) : US_INFOS;
}
US_EXPORT cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, int *iterations) {
  return ask(infos, &cusolverDnIRSInfos::iterations, iterations, US_INFOS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos, int *iterations) {
  return ask(infos, &cusolverDnIRSInfos::iterations, iterations, US_INFOS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos, int *iterations) {
  return ask(infos, &cusolverDnIRSInfos::maxIterations, iterations, US_INFOS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos) {
  return tell(infos, &cusolverDnIRSInfos::wantsResidual, true, US_INFOS);
}
US_EXPORT cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos, void **history) {
  if (!infos) return US_INFOS;
  // "This function was called without calling cusolverDnIRSInfosRequestResidual() in advance."
  if (!history || !infos->wantsResidual) return CUSOLVER_STATUS_INVALID_VALUE;
  math::say(__func__, "not supported: nothing is refined, so there is no history");
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}
