// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a routine, from its checks to its work on the stream.
#pragma once

#include "icd/cublas/blas.h"
#include "icd/cublas/checks.h"

struct cublasContext {
  us::math::Session session;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
};

namespace us::cublas {

cublasStatus_t statusOf(CUresult result);

/// A number that the host gave, or that lies in memory of the device until the work is done.
template <class T> class Scalar {
public:
  Scalar() = default;
  Scalar(T value) : value_(value) {}
  static Scalar at(const T *address) {
    Scalar scalar;
    scalar.address_ = address;
    return scalar;
  }
  T operator()() const { return address_ ? *address_ : value_; }
  bool isKnownToBe(T value) const { return !address_ && value_ == value; }

private:
  T value_{};
  const T *address_ = nullptr;
};

struct Statuses {
  static constexpr cublasStatus_t kSuccess = CUBLAS_STATUS_SUCCESS, kInvalidValue = CUBLAS_STATUS_INVALID_VALUE,
                                  kExecutionFailed = CUBLAS_STATUS_EXECUTION_FAILED,
                                  kNotSupported = CUBLAS_STATUS_NOT_SUPPORTED;
};

class Call : public Checks<Statuses> {
public:
  Call(cublasHandle_t handle, const char *function) : Checks(function), handle_(handle) {
    // "CUBLAS_STATUS_NOT_INITIALIZED: the library was not initialized"
    if (!math::isHandle(handle)) fail(CUBLAS_STATUS_NOT_INITIALIZED);
  }

  cublasContext &handle() const { return *handle_; }
  bool isOnDevice() const { return isOk() && handle_->pointerMode == CUBLAS_POINTER_MODE_DEVICE; }

  /// "the parameters incx, incy ... = 0"
  void increment(int64_t value) {
    require(value != 0);
    fits(value);
  }
  char diagonal(cublasDiagType_t value) {
    require(value == CUBLAS_DIAG_NON_UNIT || value == CUBLAS_DIAG_UNIT);
    return value == CUBLAS_DIAG_UNIT ? 'U' : 'N';
  }
  char side(cublasSideMode_t value) {
    require(value == CUBLAS_SIDE_LEFT || value == CUBLAS_SIDE_RIGHT);
    return value == CUBLAS_SIDE_LEFT ? 'L' : 'R';
  }

  template <class T> Scalar<Host<T>> scalar(const T *pointer) {
    require(pointer != nullptr);
    if (!isOk()) return {};
    if (!isOnDevice()) return Scalar<Host<T>>(*host(pointer));
    memory(pointer, sizeof(T));
    return Scalar<Host<T>>::at(host(pointer));
  }

  template <class T> void vector(const T *pointer, int64_t n, int64_t increment) {
    if (n > 0) memory(pointer, (uint64_t(n - 1) * std::abs(increment) + 1) * sizeof(T));
  }
  template <class T> void matrix(const T *pointer, int64_t rows, int64_t columns, int64_t leading) {
    if (rows > 0 && columns > 0) memory(pointer, (uint64_t(columns - 1) * leading + rows) * sizeof(T));
  }
  /// So many matrices, each so far behind the one before.
  template <class T>
  void matrices(const T *pointer, int64_t rows, int64_t columns, int64_t leading, int64_t stride, int64_t count) {
    require(stride >= 0);
    if (isOk() && count > 0 && rows > 0 && columns > 0)
      memory(pointer, (uint64_t(count - 1) * stride + uint64_t(columns - 1) * leading + rows) * sizeof(T));
  }
  /// What a call writes into memory of the host, it has written when it returns.
  template <class T> void result(T *pointer) {
    require(pointer != nullptr);
    if (isOnDevice()) memory(pointer, sizeof(T));
  }

  template <class Work> cublasStatus_t run(Work work, bool wait = false) {
    if (!isOk()) return status();
    return statusOf(handle_->session.run(std::move(work), wait));
  }

private:
  cublasHandle_t handle_;
};

#define US_EXPORT extern "C" __attribute__((visibility("default")))

} // namespace us::cublas
