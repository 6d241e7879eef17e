// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a routine, from its checks to its work on the stream.
#pragma once

#include "icd/cublas/blas.h"
#include "icd/cuda/include/cublas_api.h"
#include "icd/math/session.h"

#include <cstdint>
#include <cstdlib>

struct cublasContext {
  us::math::Session session;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  int smCountTarget = 0;
};

namespace us::cublas {

cublasStatus_t statusOf(CUresult result);

/// The types that we calculate with, of those in the API.
template <class T> struct HostType {
  using Type = T;
};
template <> struct HostType<cuComplex> {
  using Type = std::complex<float>;
};
template <> struct HostType<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <class T> using Host = typename HostType<std::remove_const_t<T>>::Type;
template <class T> const Host<T> *host(const T *pointer) { return reinterpret_cast<const Host<T> *>(pointer); }
template <class T> Host<T> *host(T *pointer) { return reinterpret_cast<Host<T> *>(pointer); }

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

class Call {
public:
  Call(cublasHandle_t handle, const char *function) : handle_(handle), function_(function) {
    // "CUBLAS_STATUS_NOT_INITIALIZED: the library was not initialized"
    if (!math::isHandle(handle)) status_ = CUBLAS_STATUS_NOT_INITIALIZED;
  }

  bool isOk() const { return status_ == CUBLAS_STATUS_SUCCESS; }
  cublasStatus_t status() const { return status_; }
  cublasContext &handle() const { return *handle_; }
  const char *function() const { return function_; }
  bool isOnDevice() const { return isOk() && handle_->pointerMode == CUBLAS_POINTER_MODE_DEVICE; }

  void fail(cublasStatus_t status) {
    if (isOk()) status_ = status;
  }
  /// "CUBLAS_STATUS_INVALID_VALUE: the parameters ... < 0", or another that is not as its chapter says.
  void require(bool isSo) {
    if (!isSo) fail(CUBLAS_STATUS_INVALID_VALUE);
  }
  template <class... Sizes> void sizes(Sizes... values) {
    for (const int64_t value : {int64_t(values)...}) {
      require(value >= 0);
      fits(value);
    }
  }
  /// "the parameters incx, incy ... = 0"
  void increment(int64_t value) {
    require(value != 0);
    fits(value);
  }
  /// "lda < max(1, rows)"
  void leading(int64_t value, int64_t rows) {
    require(value >= std::max<int64_t>(1, rows));
    fits(value);
  }

  char operation(cublasOperation_t value) {
    require(value >= CUBLAS_OP_N && value <= CUBLAS_OP_C);
    return "NTC"[isOk() ? value : 0];
  }
  char triangle(cublasFillMode_t value) {
    require(value == CUBLAS_FILL_MODE_LOWER || value == CUBLAS_FILL_MODE_UPPER);
    return value == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U';
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

  /// Memory outside of every allocation makes a real device fail when it gets there; here the call does.
  void memory(const void *pointer, uint64_t bytes);
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

  /// The routine that the work calls must be there.
  void needs(void *routine);

  template <class Work> cublasStatus_t run(Work work, bool wait = false) {
    if (!isOk()) return status_;
    return statusOf(handle_->session.run(std::move(work), wait));
  }

private:
  void fits(int64_t value); ///< Fortran's integers

  cublasHandle_t handle_;
  const char *function_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

/// Work that finds memory unreachable when its turn comes leaves it alone and says so.
bool reachesLater(const char *function, const void *pointer, uint64_t bytes);

#define US_EXPORT extern "C" __attribute__((visibility("default")))

} // namespace us::cublas
