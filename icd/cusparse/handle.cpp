// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, and what is told of a matrix beside its numbers.
#include "icd/cusparse/call.h"
#include "icd/cusparse/descriptor.h"

#include <iterator>
#include <memory>

namespace us::cusparse {
namespace {

const char *const kNames[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "feature absent from the device"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "memory could not be accessed"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "the device failed to execute"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

template <class T> cusparseStatus_t tell(cusparseMatDescr_t descr, T cusparseMatDescr::*field, T value, int most) {
  if (!descr || int(value) < 0 || int(value) > most) return CUSPARSE_STATUS_INVALID_VALUE;
  descr->*field = value;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

US_EXPORT cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  if (const CUresult result = math::makeHandle(handle, __func__); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUSPARSE_STATUS_ARCH_MISMATCH : CUSPARSE_STATUS_NOT_INITIALIZED;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return math::endHandle(handle) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}
US_EXPORT cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!version) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSPARSE_STATUS_INVALID_VALUE;
  const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT const char *cusparseGetErrorName(cusparseStatus_t status) {
  return unsigned(status) < std::size(kNames) ? kNames[status][0] : "unrecognized error code";
}
US_EXPORT const char *cusparseGetErrorString(cusparseStatus_t status) {
  return unsigned(status) < std::size(kNames) ? kNames[status][1] : "unrecognized error code";
}
US_EXPORT cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->session.stream = reinterpret_cast<CUstream>(stream);
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!stream) return CUSPARSE_STATUS_INVALID_VALUE;
  *stream = reinterpret_cast<cudaStream_t>(handle->session.stream);
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE) return CUSPARSE_STATUS_INVALID_VALUE;
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!mode) return CUSPARSE_STATUS_INVALID_VALUE;
  *mode = handle->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

US_EXPORT cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) {
  if (!descr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
#define US_FIELD(NAME, TYPE, FIELD, MOST)                                                                              \
  US_EXPORT cusparseStatus_t cusparseSetMat##NAME(cusparseMatDescr_t descr, TYPE value) {                              \
    return tell(descr, &cusparseMatDescr::FIELD, value, MOST);                                                         \
  }                                                                                                                    \
  US_EXPORT TYPE cusparseGetMat##NAME(const cusparseMatDescr_t descr) { return descr ? descr->FIELD : TYPE(0); }
US_FIELD(Type, cusparseMatrixType_t, type, 3)
US_FIELD(FillMode, cusparseFillMode_t, fill, 1)
US_FIELD(DiagType, cusparseDiagType_t, diagonal, 1)
US_FIELD(IndexBase, cusparseIndexBase_t, base, 1)
