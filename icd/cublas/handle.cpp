// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, what they are told, and copies of vectors and matrices.
#include "icd/cublas/call.h"

namespace us::cublas {

cublasStatus_t statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return CUBLAS_STATUS_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return CUBLAS_STATUS_ALLOC_FAILED;
  case CUDA_ERROR_NOT_SUPPORTED:
    return CUBLAS_STATUS_ARCH_MISMATCH;
  case CUDA_ERROR_NOT_INITIALIZED:
    return CUBLAS_STATUS_NOT_INITIALIZED;
  case CUDA_ERROR_INVALID_VALUE:
    return CUBLAS_STATUS_MAPPING_ERROR;
  default:
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

namespace {

constexpr int kVersion = US_CUBLAS_MAJOR * 10000;

struct StatusText {
  cublasStatus_t status;
  const char *name, *text;
};
constexpr StatusText kStatuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as input"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "an absent device architectural feature is required"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "the functionality requires a license"},
};

/// Rows of elements: a vector's are each one element, a matrix's columns are rows of bytes that follow one another.
cublasStatus_t copy(int64_t rows, int64_t elements, int64_t size, const void *from, int64_t fromPitch, void *into,
                    int64_t intoPitch, const cudaStream_t *stream) {
  // "the parameters incx, incy, elemSize <= 0", "rows, cols < 0", "lda, ldb <= 0"
  if (rows < 0 || elements < 0 || size <= 0 || fromPitch <= 0 || intoPitch <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || elements == 0) return CUBLAS_STATUS_SUCCESS;
  if (rows > 1 && (fromPitch < elements || intoPitch < elements)) return CUBLAS_STATUS_INVALID_VALUE;
  if (fromPitch == elements && intoPitch == elements) { // one piece
    elements *= rows;
    fromPitch = intoPitch = elements;
    rows = 1;
  }
  math::Session session;
  if (!stream) return statusOf(session.copy(from, fromPitch * size, into, intoPitch * size, elements * size, rows));
  return statusOf(session.copyAsync(from, fromPitch * size, into, intoPitch * size, elements * size, rows,
                                    reinterpret_cast<CUstream>(*stream)));
}

template <class T> cublasStatus_t ask(cublasHandle_t handle, const T cublasContext::*field, T *value) {
  if (!math::isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!value) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T> cublasStatus_t tell(cublasHandle_t handle, T cublasContext::*field, T value, bool isValid) {
  if (!math::isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isValid) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

cublasLogCallback logCallback = nullptr;

} // namespace
} // namespace us::cublas

using namespace us;
using namespace us::cublas;

US_EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!routineOf<"gemm", double>()) {
    math::say("cublasCreate", "there is no BLAS that computes: install libopenblas0, or another libblas.so.3");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (const CUresult result = math::makeHandle(handle, "cublasCreate"); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUBLAS_STATUS_ARCH_MISMATCH : CUBLAS_STATUS_NOT_INITIALIZED;
  return CUBLAS_STATUS_SUCCESS;
}

US_EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  // "The release of GPU resources may be deferred"
  return math::endHandle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

US_EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = kVersion;
  return CUBLAS_STATUS_SUCCESS;
}

US_EXPORT cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? US_CUBLAS_MAJOR : 0;
  return CUBLAS_STATUS_SUCCESS;
}

US_EXPORT size_t cublasGetCudartVersion(void) { return US_CUBLAS_MAJOR * 1000; }

US_EXPORT cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (!math::isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->session.stream = reinterpret_cast<CUstream>(stream);
  return CUBLAS_STATUS_SUCCESS;
}

US_EXPORT cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream) {
  if (!math::isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!stream) return CUBLAS_STATUS_INVALID_VALUE;
  *stream = reinterpret_cast<cudaStream_t>(handle->session.stream);
  return CUBLAS_STATUS_SUCCESS;
}

// No work here needs memory of the device.
US_EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *, size_t) {
  return math::isHandle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

US_EXPORT cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return tell(handle, &cublasContext::pointerMode, mode,
              mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
US_EXPORT cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode) {
  return ask(handle, &cublasContext::pointerMode, mode);
}
US_EXPORT cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return tell(handle, &cublasContext::atomicsMode, mode,
              mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
US_EXPORT cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) {
  return ask(handle, &cublasContext::atomicsMode, mode);
}
US_EXPORT cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return tell(handle, &cublasContext::mathMode, mode, int(mode) >= 0 && int(mode) < 64);
}
US_EXPORT cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) {
  return ask(handle, &cublasContext::mathMode, mode);
}
US_EXPORT cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return tell(handle, &cublasContext::smCountTarget, count, count >= 0);
}
US_EXPORT cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count) {
  return ask(handle, &cublasContext::smCountTarget, count);
}

US_EXPORT const char *cublasGetStatusName(cublasStatus_t status) {
  for (const StatusText &known : kStatuses)
    if (known.status == status) return known.name;
  return "unknown status";
}
US_EXPORT const char *cublasGetStatusString(cublasStatus_t status) {
  for (const StatusText &known : kStatuses)
    if (known.status == status) return known.text;
  return "unknown status";
}

// What would be logged is said on standard error, and nothing else.
US_EXPORT cublasStatus_t cublasLoggerConfigure(int, int, int, const char *) { return CUBLAS_STATUS_SUCCESS; }
US_EXPORT cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  logCallback = callback;
  return CUBLAS_STATUS_SUCCESS;
}
US_EXPORT cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *callback) {
  if (!callback) return CUBLAS_STATUS_INVALID_VALUE;
  *callback = logCallback;
  return CUBLAS_STATUS_SUCCESS;
}
US_EXPORT void cublasXerbla(const char *routine, int parameter) {
  math::say(routine ? routine : "cublasXerbla", "parameter %d has a wrong value", parameter);
}

// A vector's elements are the rows of a copy, so that increments are its pitches.
#define US_COPIES(I, W)                                                                                                \
  US_EXPORT cublasStatus_t cublasSetVector##W(I n, I size, const void *x, I incx, void *y, I incy) {                   \
    return copy(n, n > 0, size, x, incx, y, incy, nullptr);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGetVector##W(I n, I size, const void *x, I incx, void *y, I incy) {                   \
    return copy(n, n > 0, size, x, incx, y, incy, nullptr);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasSetVectorAsync##W(I n, I size, const void *x, I incx, void *y, I incy,                \
                                                   cudaStream_t stream) {                                              \
    return copy(n, n > 0, size, x, incx, y, incy, &stream);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGetVectorAsync##W(I n, I size, const void *x, I incx, void *y, I incy,                \
                                                   cudaStream_t stream) {                                              \
    return copy(n, n > 0, size, x, incx, y, incy, &stream);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasSetMatrix##W(I rows, I cols, I size, const void *A, I lda, void *B, I ldb) {          \
    return copy(cols, rows, size, A, lda, B, ldb, nullptr);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGetMatrix##W(I rows, I cols, I size, const void *A, I lda, void *B, I ldb) {          \
    return copy(cols, rows, size, A, lda, B, ldb, nullptr);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasSetMatrixAsync##W(I rows, I cols, I size, const void *A, I lda, void *B, I ldb,       \
                                                   cudaStream_t stream) {                                              \
    return copy(cols, rows, size, A, lda, B, ldb, &stream);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasGetMatrixAsync##W(I rows, I cols, I size, const void *A, I lda, void *B, I ldb,       \
                                                   cudaStream_t stream) {                                              \
    return copy(cols, rows, size, A, lda, B, ldb, &stream);                                                            \
  }
US_COPIES(int, )
US_COPIES(int64_t, _64)
