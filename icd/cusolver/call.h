// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of a routine, from its checks to its work on the stream.
#pragma once

#include "icd/cublas/blas.h"
#include "icd/cublas/checks.h"
#include "icd/cuda/include/cusolverDn.h"
#include "icd/cuda/include/cusolverSp.h"

struct cusolverDnContext {
  us::math::Session session;
  cusolverDeterministicMode_t determinism = CUSOLVER_DETERMINISTIC_RESULTS;
};
struct cusolverSpContext {
  us::math::Session session;
};
/// What Jacobi's method would be told, and what it would say. LAPACK's methods leave nothing beside the diagonal.
struct JacobiInfo {
  double tolerance = 0, residual = 0;
  int maxSweeps = 100, sort = 1, sweeps = 0;
  bool wasBatched = false;
};
struct syevjInfo : JacobiInfo {};
struct gesvdjInfo : JacobiInfo {};
struct cusolverDnParams {
  cusolverAlgMode_t algorithms[3] = {};
};
struct cusolverDnIRSParams {
  cusolverPrecType_t main = cusolverPrecType_t(0), lowest = cusolverPrecType_t(0);
  cusolverIRSRefinement_t refinement = CUSOLVER_IRS_REFINE_NOT_SET;
  int maxIterations = 50, maxIterationsInner = 50;
  double tolerance = 0, toleranceInner = 1e-4;
};
struct cusolverDnIRSInfos {
  int iterations = 0, maxIterations = 50;
  bool wantsResidual = false;
};

namespace us::cusolver {

cusolverStatus_t statusOf(CUresult result);

using cublas::Host;
using cublas::host;
using cublas::reachesLater;

struct Statuses {
  static constexpr cusolverStatus_t kSuccess = CUSOLVER_STATUS_SUCCESS, kInvalidValue = CUSOLVER_STATUS_INVALID_VALUE,
                                    kExecutionFailed = CUSOLVER_STATUS_EXECUTION_FAILED,
                                    kNotSupported = CUSOLVER_STATUS_NOT_SUPPORTED;
};

class Call : public cublas::Checks<Statuses> {
public:
  template <class Handle> Call(Handle handle, const char *function) : Checks(function) {
    // "CUSOLVER_STATUS_NOT_INITIALIZED: The library was not initialized."
    if (math::isHandle(handle))
      session_ = &handle->session;
    else
      fail(CUSOLVER_STATUS_NOT_INITIALIZED);
  }

  char vectors(cusolverEigMode_t value) {
    require(value == CUSOLVER_EIG_MODE_NOVECTOR || value == CUSOLVER_EIG_MODE_VECTOR);
    return value == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
  }

  template <class T> void vector(const T *pointer, int64_t n) {
    if (isOk() && n > 0) memory(pointer, uint64_t(n) * sizeof(T));
  }
  /// A matrix with its sizes, or many, each so far behind the one before.
  template <class T>
  void matrix(const T *pointer, int64_t rows, int64_t columns, int64_t leading, int64_t count = 1, int64_t stride = 0) {
    sizes(rows, columns);
    this->leading(leading, rows);
    if (isOk() && count > 0 && rows > 0 && columns > 0)
      memory(pointer, (uint64_t(count - 1) * stride + uint64_t(columns - 1) * leading + rows) * sizeof(T));
  }
  /// The work area, of at least the size that the function's companion says, which is one element.
  template <class T> void workspace(const T *work, int64_t size) {
    require(size >= 1);
    if constexpr (std::is_void_v<T>)
      memory(work, uint64_t(size));
    else
      memory(work, uint64_t(size) * sizeof(T));
  }
  void info(const int *pointer, int64_t count = 1) {
    require(pointer != nullptr);
    vector(pointer, count);
  }

  template <class Work> cusolverStatus_t run(Work work, bool wait = false) {
    if (!isOk()) return status();
    return statusOf(session_->run(std::move(work), wait));
  }

private:
  math::Session *session_ = nullptr;
};

#define US_EXPORT extern "C" __attribute__((visibility("default")))
/// The symbols of a header's list: each makes a call of its routine.
#define US_UNPACK(...) __VA_OPT__(, ) __VA_ARGS__
#define US_DEFINE(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS)                                                              \
  US_EXPORT cusolverStatus_t SYMBOL PARAMETERS {                                                                       \
    return us::cusolver::ROUTINE(Call(handle, #SYMBOL) US_UNPACK ARGUMENTS);                                           \
  }

} // namespace us::cusolver
