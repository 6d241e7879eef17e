// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of one pattern factored again with the exchanges of the first: solutions are put in.
//! nvcc: -O0 -lcusolver -lcusparse
#include "sparse.h"

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

template <class T> struct Filled { // memory that host and device see, with these values
  T *data;
  explicit Filled(const std::vector<T> &values) {
    OK(cudaMallocManaged(&data, (values.size() + 1) * sizeof(T)));
    std::copy(values.begin(), values.end(), data);
  }
  ~Filled() { cudaFree(data); }
};

int main() {
  SOLVER(cusolverSpCreate(&sparse));
  const int n = 36;
  const Matrix A = scattered(n, false);
  const HostCsr<double> csr(A, 0);
  csrluInfoHost_t info;
  int nnzL = 0, nnzU = 0;
  SOLVER(cusolverSpCreateCsrluInfoHost(&info));
  SOLVER(
      cusolverSpXcsrluAnalysisHost(sparse, n, csr.count, csr.descriptor, csr.offsets.data(), csr.columns.data(), info));
  SOLVER(cusolverSpDcsrluFactorHost(sparse, n, csr.count, csr.descriptor, csr.values.data(), csr.offsets.data(),
                                    csr.columns.data(), info, 1, nullptr));
  SOLVER(cusolverSpXcsrluNnzHost(sparse, &nnzL, &nnzU, info));
  std::vector<int> p(n), q(n), rowsL(n + 1), columnsL(nnzL), rowsU(n + 1), columnsU(nnzU);
  std::vector<double> valuesL(nnzL), valuesU(nnzU);
  SOLVER(cusolverSpDcsrluExtractHost(sparse, p.data(), q.data(), csr.descriptor, valuesL.data(), rowsL.data(),
                                     columnsL.data(), csr.descriptor, valuesU.data(), rowsU.data(), columnsU.data(),
                                     info, nullptr));
  SOLVER(cusolverSpDestroyCsrluInfoHost(info));

  cusolverRfHandle_t handle;
  SOLVER(cusolverRfCreate(&handle));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverRfAnalyze(handle)); // nothing is set up
  SOLVER(cusolverRfSetNumericProperties(handle, 0, 0));
  SOLVER(cusolverRfSetAlgs(handle, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE,
         cusolverRfSetAlgs(handle, cusolverRfFactorization_t(7), CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  SOLVER(cusolverRfSetResetValuesFastMode(handle, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  cusolverRfResetValuesFastMode_t mode;
  SOLVER(cusolverRfGetResetValuesFastMode(handle, &mode));
  CHECK(mode == CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);

  Filled<int> offsets(csr.offsets), columns(csr.columns), P(p), Q(q), dRowsL(rowsL), dColumnsL(columnsL), dRowsU(rowsU),
      dColumnsU(columnsU);
  Filled<double> values(csr.values), dValuesL(valuesL), dValuesU(valuesU);
  const Matrix right = random(n, 2, 66, false);
  const auto set_up = [&](bool onDevice) {
    return onDevice
               ? cusolverRfSetupDevice(n, csr.count, offsets.data, columns.data, values.data, nnzL, dRowsL.data,
                                       dColumnsL.data, dValuesL.data, nnzU, dRowsU.data, dColumnsU.data, dValuesU.data,
                                       P.data, Q.data, handle)
               : cusolverRfSetupHost(n, csr.count, const_cast<int *>(csr.offsets.data()),
                                     const_cast<int *>(csr.columns.data()), const_cast<double *>(csr.values.data()),
                                     nnzL, rowsL.data(), columnsL.data(), valuesL.data(), nnzU, rowsU.data(),
                                     columnsU.data(), valuesU.data(), p.data(), q.data(), handle);
  };
  SOLVER(cusolverRfSetMatrixFormat(handle, CUSOLVERRF_MATRIX_FORMAT_CSC, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, set_up(false)); // is said
  SOLVER(cusolverRfSetMatrixFormat(handle, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  for (const bool onDevice : {false, true}) {
    SOLVER(set_up(onDevice));
    SOLVER(cusolverRfAnalyze(handle));
    Matrix M = A;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < n; ++i) // other values at the same places
        for (int k = csr.offsets[i]; k < csr.offsets[i + 1]; ++k) {
          values.data[k] = csr.values[k] * (1 + 0.05 * round * ((i + k) % 3));
          M(i, csr.columns[k]) = values.data[k];
        }
      SOLVER(cusolverRfResetValues(n, csr.count, offsets.data, columns.data, values.data, P.data, Q.data, handle));
      SOLVER(cusolverRfRefactor(handle));
      Array<double> x(right, n + 2);
      SOLVER(cusolverRfSolve(handle, P.data, Q.data, 2, nullptr, n, x.data, n + 2));
      CHECK(distance(M * x.get(), right) < 1e-9);
    }
  }
  // A row of zeros has no pivot, unless one is given.
  cusolverRfNumericBoostReport_t report;
  for (int k = csr.offsets[p[0]]; k < csr.offsets[p[0] + 1]; ++k) values.data[k] = 0;
  SOLVER(cusolverRfResetValues(n, csr.count, offsets.data, columns.data, values.data, P.data, Q.data, handle));
  STATUS(CUSOLVER_STATUS_ZERO_PIVOT, cusolverRfRefactor(handle));
  SOLVER(cusolverRfGetNumericBoostReport(handle, &report));
  CHECK(report == CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
  SOLVER(cusolverRfSetNumericProperties(handle, 1e-12, 2));
  double zero = 0, boost = 0;
  SOLVER(cusolverRfGetNumericProperties(handle, &zero, &boost));
  CHECK(zero == 1e-12 && boost == 2);
  SOLVER(cusolverRfResetValues(n, csr.count, offsets.data, columns.data, values.data, P.data, Q.data, handle));
  SOLVER(cusolverRfRefactor(handle));
  SOLVER(cusolverRfGetNumericBoostReport(handle, &report));
  CHECK(report == CUSOLVERRF_NUMERIC_BOOST_USED);

  STATUS(CUSOLVER_STATUS_INVALID_VALUE,
         cusolverRfResetValues(n - 1, csr.count, offsets.data, columns.data, values.data, P.data, Q.data, handle));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverRfSolve(handle, P.data, Q.data, 1, nullptr, n, values.data, n - 1));
  SOLVER(cusolverRfDestroy(handle));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverRfRefactor(handle));
  SOLVER(cusolverSpDestroy(sparse));
  return failures != 0;
}
