// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of one pattern factored again and again, with the exchanges and the pattern of factors that are there.
#include "icd/cuda/include/cusolverRf.h"
#include "icd/cusolver/fill.h"
#include "icd/cusolver/sparse.h"

#include <memory>

namespace us::cusolver {
namespace {

/// P A Q^T = L U: what work reads and writes, in its order.
struct Refactored {
  Filled pattern;
  std::vector<double> values; ///< of P A Q^T until it is factored
  int missing = -1;
  bool wasBoosted = false;
};

} // namespace
} // namespace us::cusolver

struct cusolverRfCommon {
  us::math::Session session;
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solution = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t mode = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  us::cusolver::Boost boost;
  std::shared_ptr<us::cusolver::Refactored> state;
  bool isAnalysed = false;
};

namespace us::cusolver {
namespace {

bool isPermutation(const int *p, int n) {
  std::vector<bool> seen(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    if (p[i] < 0 || p[i] >= n || seen[p[i]]) return false;
    seen[p[i]] = true;
  }
  return true;
}

/// The values of P A Q^T at the places of the factors; what these have no place for is left out.
void reset(Refactored &state, const Csr &A, const double *values, const int *P, const int *Q) {
  const Filled &F = state.pattern;
  state.values.assign(F.columns.size(), 0);
  if (!isPermutation(P, A.rows) || !isPermutation(Q, A.rows)) return;
  const std::vector<int> columns = placesOf(std::vector<int>(Q, Q + A.rows));
  for (int row = 0; row < A.rows; ++row)
    for (int i = std::max(0, A.offsets[P[row]]); i < std::min(A.count, A.offsets[P[row] + 1]); ++i) {
      if (A.columns[i] < 0 || A.columns[i] >= A.rows) continue;
      const auto begin = F.columns.begin() + F.offsets[row], end = F.columns.begin() + F.offsets[row + 1];
      const auto found = std::lower_bound(begin, end, columns[A.columns[i]]);
      if (found != end && *found == columns[A.columns[i]]) state.values[size_t(found - F.columns.begin())] += values[i];
    }
}

struct Given {
  int count;
  const int *offsets, *columns;
  const double *values;
};

cusolverStatus_t setUp(Call call, Where where, int n, const Given &A, const Given &L, const Given &U, const int *P,
                       const int *Q, cusolverRfHandle_t handle) {
  call.require(n > 0);
  for (const Given &part : {A, L, U}) {
    call.require(part.count >= 0);
    vector(call, where, part.offsets, int64_t(n) + 1);
    vector(call, where, part.columns, part.count);
    vector(call, where, part.values, part.count);
  }
  vector(call, where, P, n);
  vector(call, where, Q, n);
  if (!call.isOk()) return call.status();
  if (handle->format != CUSOLVERRF_MATRIX_FORMAT_CSR || handle->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_U ||
      handle->diagonal == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U) {
    math::say(call.function(), "only matrices by rows whose L has the diagonal of ones are supported");
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
  const auto state = std::make_shared<Refactored>();
  handle->state = state;
  handle->isAnalysed = false;
  return compute(call, where, [=] {
    std::vector<int> row;
    for (int i = 0; i < n; ++i) {
      row.clear();
      for (const Given &part : {L, U})
        for (int k = std::max(0, part.offsets[i]); k < std::min(part.count, part.offsets[i + 1]); ++k)
          if (part.columns[k] >= 0 && part.columns[k] < n) row.push_back(part.columns[k]);
      state->pattern.add(row);
    }
    reset(*state, {n, A.count, 0, A.offsets, A.columns}, A.values, P, Q);
  });
}

/// What a handle is told and asked.
template <class Value, class... Rest>
cusolverStatus_t tell(cusolverRfHandle_t handle, bool isValid, Value cusolverRfCommon::*field, Value value) {
  if (!math::isHandle(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!isValid) return CUSOLVER_STATUS_INVALID_VALUE;
  handle->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t canAsk(cusolverRfHandle_t handle, bool hasPlaces) {
  if (!math::isHandle(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return hasPlaces ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

} // namespace
} // namespace us::cusolver

using namespace us;
using namespace us::cusolver;

US_EXPORT cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t *handle) {
  if (!handle) return CUSOLVER_STATUS_INVALID_VALUE;
  if (const CUresult result = math::makeHandle(handle, __func__); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUSOLVER_STATUS_ARCH_MISMATCH : CUSOLVER_STATUS_NOT_INITIALIZED;
  return CUSOLVER_STATUS_SUCCESS;
}
US_EXPORT cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
  return math::endHandle(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}
US_EXPORT cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t format,
                                                     cusolverRfUnitDiagonal_t diag) {
  const bool isValid = unsigned(format) <= CUSOLVERRF_MATRIX_FORMAT_CSC && unsigned(diag) <= 3;
  const cusolverStatus_t status = tell(handle, isValid, &cusolverRfCommon::format, format);
  return status == CUSOLVER_STATUS_SUCCESS ? tell(handle, true, &cusolverRfCommon::diagonal, diag) : status;
}
US_EXPORT cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle, cusolverRfMatrixFormat_t *format,
                                                     cusolverRfUnitDiagonal_t *diag) {
  const cusolverStatus_t status = canAsk(handle, format && diag);
  if (status == CUSOLVER_STATUS_SUCCESS) *format = handle->format, *diag = handle->diagonal;
  return status;
}
US_EXPORT cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero, double boost) {
  return tell(handle, zero >= 0, &cusolverRfCommon::boost, {zero, boost});
}
US_EXPORT cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double *zero, double *boost) {
  const cusolverStatus_t status = canAsk(handle, zero && boost);
  if (status == CUSOLVER_STATUS_SUCCESS) *zero = handle->boost.zero, *boost = handle->boost.boost;
  return status;
}
US_EXPORT cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                           cusolverRfNumericBoostReport_t *report) {
  const cusolverStatus_t status = canAsk(handle, report);
  if (status == CUSOLVER_STATUS_SUCCESS)
    *report =
        handle->state && handle->state->wasBoosted ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  return status;
}
// Every method has the same results.
US_EXPORT cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                             cusolverRfTriangularSolve_t solveAlg) {
  const bool isValid = unsigned(factAlg) <= CUSOLVERRF_FACTORIZATION_ALG2 &&
                       solveAlg >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 && solveAlg <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3;
  const cusolverStatus_t status = tell(handle, isValid, &cusolverRfCommon::factorization, factAlg);
  return status == CUSOLVER_STATUS_SUCCESS ? tell(handle, true, &cusolverRfCommon::solution, solveAlg) : status;
}
US_EXPORT cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t *factAlg,
                                             cusolverRfTriangularSolve_t *solveAlg) {
  const cusolverStatus_t status = canAsk(handle, factAlg && solveAlg);
  if (status == CUSOLVER_STATUS_SUCCESS) *factAlg = handle->factorization, *solveAlg = handle->solution;
  return status;
}
US_EXPORT cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                            cusolverRfResetValuesFastMode_t fastMode) {
  return tell(handle, unsigned(fastMode) <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON, &cusolverRfCommon::mode, fastMode);
}
US_EXPORT cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                            cusolverRfResetValuesFastMode_t *fastMode) {
  const cusolverStatus_t status = canAsk(handle, fastMode);
  if (status == CUSOLVER_STATUS_SUCCESS) *fastMode = handle->mode;
  return status;
}

#define US_SETUP(NAME, WHERE)                                                                                          \
  US_EXPORT cusolverStatus_t cusolverRf##NAME(int n, int nnzA, int *rowsA, int *columnsA, double *valuesA, int nnzL,   \
                                              int *rowsL, int *columnsL, double *valuesL, int nnzU, int *rowsU,        \
                                              int *columnsU, double *valuesU, int *P, int *Q,                          \
                                              cusolverRfHandle_t handle) {                                             \
    return setUp(Call(handle, __func__), WHERE, n, {nnzA, rowsA, columnsA, valuesA}, {nnzL, rowsL, columnsL, valuesL}, \
                 {nnzU, rowsU, columnsU, valuesU}, P, Q, handle);                                                      \
  }
US_SETUP(SetupHost, Where::kHost)
US_SETUP(SetupDevice, Where::kDevice)

US_EXPORT cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
  Call call(handle, __func__);
  call.require(call.isOk() && handle->state);
  if (call.isOk()) handle->isAnalysed = true;
  return call.status();
}
US_EXPORT cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int *csrRowPtrA, int *csrColIndA, double *csrValA,
                                                 int *P, int *Q, cusolverRfHandle_t handle) {
  Call call(handle, __func__);
  if (call.isOk()) call.require(handle->state && handle->state->pattern.size() == n && nnzA >= 0);
  call.vector(csrRowPtrA, int64_t(n) + 1);
  call.vector(csrColIndA, nnzA);
  call.vector(csrValA, nnzA);
  call.vector(P, n);
  call.vector(Q, n);
  if (!call.isOk()) return call.status();
  return compute(call, Where::kDevice,
                 [=, state = handle->state] { reset(*state, {n, nnzA, 0, csrRowPtrA, csrColIndA}, csrValA, P, Q); });
}
US_EXPORT cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
  Call call(handle, __func__);
  if (call.isOk()) call.require(handle->state && handle->isAnalysed);
  if (!call.isOk()) return call.status();
  const cusolverStatus_t status = compute(call, Where::kDevice, [state = handle->state, boost = handle->boost] {
    state->wasBoosted = false;
    state->missing = eliminate(state->pattern, state->values, boost, &state->wasBoosted);
  });
  return status == CUSOLVER_STATUS_SUCCESS && handle->state->missing >= 0 ? CUSOLVER_STATUS_ZERO_PIVOT : status;
}
US_EXPORT cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int *P, int *Q, int nrhs, double *, int,
                                           double *XF, int ldxf) {
  Call call(handle, __func__);
  if (call.isOk()) call.require(handle->state && handle->isAnalysed && nrhs >= 0);
  if (!call.isOk()) return call.status();
  const int n = handle->state->pattern.size();
  call.require(ldxf >= n);
  call.vector(P, n);
  call.vector(Q, n);
  call.matrix(XF, n, nrhs, ldxf);
  return compute(call, Where::kDevice, [=, state = handle->state] {
    if (!isPermutation(P, n) || !isPermutation(Q, n)) return;
    std::vector<double> x(static_cast<size_t>(n));
    for (int64_t column = 0; column < nrhs; ++column) {
      double *const in = XF + column * ldxf;
      for (int i = 0; i < n; ++i) x[i] = in[P[i]];
      substitute(state->pattern, state->values, x);
      for (int i = 0; i < n; ++i) in[Q[i]] = x[i];
    }
  });
}
