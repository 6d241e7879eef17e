// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call, from its checks to its work on the stream.
#pragma once

#include "icd/cusparse/descriptor.h"
#include "icd/cusparse/matrices.h"
#include "icd/math/session.h"

#include <new>

#define US_EXPORT extern "C" __attribute__((visibility("default")))
/// The symbols of a header's list: each makes a call of its routine.
#define US_UNPACK(...) __VA_OPT__(, ) __VA_ARGS__
#define US_DEFINE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS)                                                              \
  US_EXPORT cusparseStatus_t SYMBOL PARAMETERS {                                                                       \
    return us::cusparse::ROUTINE(us::cusparse::Call(#SYMBOL, handle) US_UNPACK ARGUMENTS);                             \
  }

struct cusparseContext {
  us::math::Session session;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};

namespace us::cusparse {

/// What a call checks before its work is given to the stream.
class Call {
public:
  Call(const char *function, cusparseHandle_t handle) : function_(function), handle_(handle) {
    if (!math::isHandle(handle)) fail(CUSPARSE_STATUS_NOT_INITIALIZED);
  }
  void fail(cusparseStatus_t status) {
    if (status_ == CUSPARSE_STATUS_SUCCESS) status_ = status;
  }
  /// "CUSPARSE_STATUS_INVALID_VALUE: an unsupported value or parameter was passed to the function"
  void require(bool isSo) {
    if (!isSo) fail(CUSPARSE_STATUS_INVALID_VALUE);
  }
  const char *function() const { return function_; }
  bool isOk() const { return status_ == CUSPARSE_STATUS_SUCCESS; }
  cusparseStatus_t status() const { return status_; }

  void type(cudaDataType type) {
    if (!math::sizeOf(type)) fail(CUSPARSE_STATUS_NOT_SUPPORTED);
  }
  void memory(const void *pointer, uint64_t bytes) {
    if (!isOk() || math::Session::reaches(pointer, bytes)) return;
    math::say(function_, "%llu bytes at %p are not all in one allocation that the device can reach",
              static_cast<unsigned long long>(bytes), pointer);
    fail(CUSPARSE_STATUS_INVALID_VALUE);
  }
  template <class T> void vector(const T *pointer, int64_t n) {
    if (isOk() && n > 0) memory(pointer, uint64_t(n) * sizeof(T));
  }
  /// "The supported matrix type is CUSPARSE_MATRIX_TYPE_GENERAL."
  void general(const cusparseMatDescr *descr) {
    require(descr != nullptr);
    if (isOk() && descr->type != CUSPARSE_MATRIX_TYPE_GENERAL) fail(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  }
  /// "The address of pBuffer must be multiple of 128 bytes. If not, CUSPARSE_STATUS_INVALID_VALUE is returned."
  void buffer(const void *pointer) { require(reinterpret_cast<uintptr_t>(pointer) % 128 == 0); }
  void operation(cusparseOperation_t op) {
    require(op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  }
  void vector(const Vector *x, int64_t size) {
    require(x && x->size == size);
    if (isOk()) memory(x->values, uint64_t(x->size) * math::sizeOf(x->type));
  }
  void matrix(const Matrix *B, int64_t rows, int64_t columns) {
    require(B && B->rows == rows && B->columns == columns);
    for (int i = 0; isOk() && rows > 0 && columns > 0 && i < B->batches; ++i)
      memory(B->of(i).values, uint64_t(B->at(rows - 1, columns - 1) + 1) * math::sizeOf(B->type));
  }
  void sparse(const Sparse *A) {
    require(A != nullptr);
    if (!isOk()) return;
    const int64_t lines = A->format == CUSPARSE_FORMAT_COO   ? A->count
                          : A->format == CUSPARSE_FORMAT_CSR ? A->rows + 1
                                                             : A->columns + 1;
    for (int i = 0; isOk() && i < A->batches; ++i) {
      const Sparse one = A->of(i);
      memory(one.offsets, uint64_t(lines) * sizeOfIndex(A->offsetType));
      memory(one.indices, uint64_t(A->count) * sizeOfIndex(A->indexType));
      memory(one.values, uint64_t(A->count) * math::sizeOf(A->type));
    }
  }

  /// A number that the host gave, or that lies in memory of the device until the work is done.
  struct Scalar {
    Number value;
    const void *address;
    cudaDataType type;
    Number operator()() const { return address ? math::load<Number>(type, address) : value; }
  };
  Scalar scalar(const void *pointer, cudaDataType type) {
    require(pointer != nullptr);
    this->type(type);
    if (!isOk()) return {};
    if (handle_->mode == CUSPARSE_POINTER_MODE_HOST) return {math::load<Number>(type, pointer), nullptr, type};
    memory(pointer, math::sizeOf(type));
    return {{}, pointer, type};
  }

  /// An answer goes to the host, which waits for it, or into memory of the device, as the handle's mode says.
  bool answersHost() const { return handle_->mode == CUSPARSE_POINTER_MODE_HOST; }
  void answer(const void *pointer, size_t size) {
    require(pointer != nullptr);
    if (isOk() && !answersHost()) memory(pointer, size);
  }
  cusparseStatus_t synchronize() const {
    return handle_->session.synchronize() == CUDA_SUCCESS ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
  }

  template <class Work> cusparseStatus_t run(Work work, bool wait = false) {
    if (!isOk()) return status_;
    const CUresult result = handle_->session.run(
        [work = std::move(work), function = function_] {
          try {
            work();
          } catch (const std::bad_alloc &) {
            math::say(function, "there is no memory for sums: the work is left out");
          }
        },
        wait);
    return result == CUDA_SUCCESS ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
  }

private:
  const char *function_;
  cusparseHandle_t handle_;
  cusparseStatus_t status_ = CUSPARSE_STATUS_SUCCESS;
};

/// Nothing here needs memory of the device. But cuMemAlloc, with which some programs make their buffers (Taichi),
/// refuses a size of 0.
constexpr int kBufferSize = 128;
template <class Size> cusparseStatus_t bufferSize(Call &call, Size *size) {
  call.require(size != nullptr);
  if (call.isOk()) *size = kBufferSize;
  return call.status();
}

} // namespace us::cusparse
