// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of cuBLAS and of cuSOLVER check alike; they differ in the names of their statuses.
#pragma once

#include "icd/cuda/include/cublas_api.h"
#include "icd/math/session.h"

#include <algorithm>
#include <climits>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace us::cublas {

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

/// `Statuses` names the library's: kSuccess, kInvalidValue, kExecutionFailed, kNotSupported.
template <class Statuses> class Checks {
public:
  using Status = std::remove_const_t<decltype(Statuses::kSuccess)>;

  bool isOk() const { return status_ == Statuses::kSuccess; }
  Status status() const { return status_; }
  const char *function() const { return function_; }

  void fail(Status status) {
    if (isOk()) status_ = status;
  }
  /// "INVALID_VALUE: the parameters ... < 0", or another that is not as its chapter says.
  void require(bool isSo) {
    if (!isSo) fail(Statuses::kInvalidValue);
  }
  template <class... Sizes> void sizes(Sizes... values) {
    for (const int64_t value : {int64_t(values)...}) {
      require(value >= 0);
      fits(value);
    }
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

  /// Memory outside of every allocation makes a real device fail when it gets there; here the call does.
  void memory(const void *pointer, uint64_t bytes) {
    if (!isOk() || math::Session::reaches(pointer, bytes)) return;
    math::say(function_, "%llu bytes at %p are not all in one allocation that the device can reach",
              static_cast<unsigned long long>(bytes), pointer);
    fail(Statuses::kExecutionFailed);
  }
  /// The routine that the work calls must be there.
  void needs(void *routine) {
    if (!isOk() || routine) return;
    math::say(function_, "the host's library has no such routine; install libopenblas0 or liblapack3");
    fail(Statuses::kNotSupported);
  }

protected:
  explicit Checks(const char *function) : function_(function) {}

  /// Sizes of which Fortran's integers have no room are refused with a sentence.
  void fits(int64_t value) {
    if (!isOk() || std::abs(value) <= INT_MAX) return;
    math::say(function_, "%lld: sizes beyond 31 bits are not supported", static_cast<long long>(value));
    fail(Statuses::kNotSupported);
  }

private:
  const char *function_;
  Status status_ = Statuses::kSuccess;
};

/// Work that finds memory unreachable when its turn comes leaves it alone and says so.
inline bool reachesLater(const char *function, const void *pointer, uint64_t bytes) {
  if (math::Session::reaches(pointer, bytes)) return true;
  math::say(function, "%llu bytes at %p, one of an array of pointers, are not all in one allocation; it is left out",
            static_cast<unsigned long long>(bytes), pointer);
  return false;
}

} // namespace us::cublas
