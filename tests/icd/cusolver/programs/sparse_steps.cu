// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors of sparse matrices that are kept: each system that is solved with them has its solution put in.
//! nvcc: -O0 -lcusolver -lcusparse
#include "sparse.h"

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

template <class T> struct Api;
#define ONE(P, T)                                                                                                      \
  template <> struct Api<T> {                                                                                          \
    static constexpr auto cholBuffer = cusolverSp##P##csrcholBufferInfo;                                               \
    static constexpr auto cholFactor = cusolverSp##P##csrcholFactor;                                                   \
    static constexpr auto cholPivot = cusolverSp##P##csrcholZeroPivot;                                                 \
    static constexpr auto cholSolve = cusolverSp##P##csrcholSolve;                                                     \
    static constexpr auto cholBufferHost = cusolverSp##P##csrcholBufferInfoHost;                                       \
    static constexpr auto cholFactorHost = cusolverSp##P##csrcholFactorHost;                                           \
    static constexpr auto cholPivotHost = cusolverSp##P##csrcholZeroPivotHost;                                         \
    static constexpr auto cholSolveHost = cusolverSp##P##csrcholSolveHost;                                             \
    static constexpr auto qrBuffer = cusolverSp##P##csrqrBufferInfo;                                                   \
    static constexpr auto qrSetup = cusolverSp##P##csrqrSetup;                                                         \
    static constexpr auto qrFactor = cusolverSp##P##csrqrFactor;                                                       \
    static constexpr auto qrPivot = cusolverSp##P##csrqrZeroPivot;                                                     \
    static constexpr auto qrSolve = cusolverSp##P##csrqrSolve;                                                         \
    static constexpr auto qrBufferHost = cusolverSp##P##csrqrBufferInfoHost;                                           \
    static constexpr auto qrSetupHost = cusolverSp##P##csrqrSetupHost;                                                 \
    static constexpr auto qrFactorHost = cusolverSp##P##csrqrFactorHost;                                               \
    static constexpr auto qrPivotHost = cusolverSp##P##csrqrZeroPivotHost;                                             \
    static constexpr auto qrSolveHost = cusolverSp##P##csrqrSolveHost;                                                 \
    static constexpr auto luBufferHost = cusolverSp##P##csrluBufferInfoHost;                                           \
    static constexpr auto luFactorHost = cusolverSp##P##csrluFactorHost;                                               \
    static constexpr auto luPivotHost = cusolverSp##P##csrluZeroPivotHost;                                             \
    static constexpr auto luExtractHost = cusolverSp##P##csrluExtractHost;                                             \
    static constexpr auto luSolveHost = cusolverSp##P##csrluSolveHost;                                                 \
  };
ONE(S, float)
ONE(D, double)
ONE(C, cuComplex)
ONE(Z, cuDoubleComplex)

template <class T, class R> static void onHost(int base) {
  using X = Api<T>;
  const bool isComplex = kIsComplex<T>;
  const Matrix A = plane(6, isComplex), B = scattered(36, isComplex), right = random(36, 1, 64, isComplex);
  const HostCsr<T> definite(A, base), general(B, base);
  const int n = 36;
  std::vector<T> b(n), x(n);
  for (int i = 0; i < n; ++i) set(b[i], right(i, 0));
  size_t internal = 0, workspace = 0;
  int position = -99;
#define PATTERN(M) M.count, M.descriptor, M.offsets.data(), M.columns.data()
#define MATRIX(M) M.count, M.descriptor, M.values.data(), M.offsets.data(), M.columns.data()
  {
    csrcholInfoHost_t info;
    SOLVER(cusolverSpCreateCsrcholInfoHost(&info));
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, X::cholFactorHost(sparse, n, MATRIX(definite), info, nullptr));
    SOLVER(cusolverSpXcsrcholAnalysisHost(sparse, n, PATTERN(definite), info));
    SOLVER(X::cholBufferHost(sparse, n, MATRIX(definite), info, &internal, &workspace));
    CHECK(workspace > 0);
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, X::cholSolveHost(sparse, n, b.data(), x.data(), info, nullptr));
    SOLVER(X::cholFactorHost(sparse, n, MATRIX(definite), info, nullptr));
    SOLVER(X::cholPivotHost(sparse, info, R(1e-6), &position));
    CHECK(position == -1);
    for (const int times : {1, 2}) { // often
      (void)times;
      SOLVER(X::cholSolveHost(sparse, n, b.data(), x.data(), info, nullptr));
      NEAR(A * column(x), right);
    }
    // What is not definite.
    Matrix other = A;
    other(7, 7) = -3;
    const HostCsr<T> indefinite(other, base);
    SOLVER(X::cholFactorHost(sparse, n, MATRIX(indefinite), info, nullptr));
    SOLVER(X::cholPivotHost(sparse, info, R(1e-6), &position));
    CHECK(position >= 0 && position < n);
    SOLVER(cusolverSpDestroyCsrcholInfoHost(info));
  }
  {
    csrqrInfoHost_t info;
    SOLVER(cusolverSpCreateCsrqrInfoHost(&info));
    SOLVER(cusolverSpXcsrqrAnalysisHost(sparse, n, n, PATTERN(general), info));
    SOLVER(X::qrBufferHost(sparse, n, n, MATRIX(general), info, &internal, &workspace));
    T mu;
    set(mu, 0.5);
    SOLVER(X::qrSetupHost(sparse, n, n, MATRIX(general), mu, info));
    SOLVER(X::qrFactorHost(sparse, n, n, general.count, nullptr, nullptr, info, nullptr));
    SOLVER(X::qrPivotHost(sparse, info, R(1e-6), &position));
    CHECK(position == -1);
    SOLVER(X::qrSolveHost(sparse, n, n, b.data(), x.data(), info, nullptr));
    Matrix shifted = B;
    for (int i = 0; i < n; ++i) shifted(i, i) -= 0.5;
    NEAR(shifted * column(x), right);
    STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, // is said
           cusolverSpXcsrqrAnalysisHost(sparse, n + 1, n, PATTERN(general), info));
    SOLVER(cusolverSpDestroyCsrqrInfoHost(info));
  }
  {
    csrluInfoHost_t info;
    SOLVER(cusolverSpCreateCsrluInfoHost(&info));
    SOLVER(cusolverSpXcsrluAnalysisHost(sparse, n, PATTERN(general), info));
    SOLVER(X::luBufferHost(sparse, n, MATRIX(general), info, &internal, &workspace));
    SOLVER(X::luFactorHost(sparse, n, MATRIX(general), info, R(1), nullptr));
    SOLVER(X::luPivotHost(sparse, info, R(1e-6), &position));
    CHECK(position == -1);
    SOLVER(X::luSolveHost(sparse, n, b.data(), x.data(), info, nullptr));
    NEAR(B * column(x), right);
    // "P B Q^T = L U"
    int nnzL = -1, nnzU = -1;
    SOLVER(cusolverSpXcsrluNnzHost(sparse, &nnzL, &nnzU, info));
    std::vector<int> P(n), Q(n), offsetsL(n + 1), columnsL(nnzL), offsetsU(n + 1), columnsU(nnzU);
    std::vector<T> valuesL(nnzL), valuesU(nnzU);
    SOLVER(X::luExtractHost(sparse, P.data(), Q.data(), general.descriptor, valuesL.data(), offsetsL.data(),
                            columnsL.data(), general.descriptor, valuesU.data(), offsetsU.data(), columnsU.data(), info,
                            nullptr));
    Matrix L = unit(n), U(n, n), permuted(n, n);
    for (int i = 0; i < n; ++i) {
      for (int k = offsetsL[i] - base; k < offsetsL[i + 1] - base; ++k) {
        CHECK(columnsL[k] - base < i);
        L(i, columnsL[k] - base) = wide(valuesL[k]);
      }
      for (int k = offsetsU[i] - base; k < offsetsU[i + 1] - base; ++k) {
        CHECK(columnsU[k] - base >= i);
        U(i, columnsU[k] - base) = wide(valuesU[k]);
      }
      for (int j = 0; j < n; ++j) permuted(i, j) = B(P[i], Q[j]);
    }
    NEAR(L * U, permuted);
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpXcsrluNnzHost(sparse, nullptr, &nnzU, info));
    SOLVER(cusolverSpDestroyCsrluInfoHost(info));
  }
}

template <class T, class R> static void onDevice(int base) {
  using X = Api<T>;
  const bool isComplex = kIsComplex<T>;
  const int n = 36;
  const Matrix A = plane(6, isComplex), right = random(n, 1, 65, isComplex);
  const HostCsr<T> csr(A, base);
  Array<T> values(csr.count, 1), b(right), x(n, 1);
  Integers offsets(n + 1), columns(csr.count);
  for (int i = 0; i < csr.count; ++i) values.data[i] = csr.values[i];
  std::copy(csr.offsets.begin(), csr.offsets.end(), offsets.data);
  std::copy(csr.columns.begin(), csr.columns.end(), columns.data);
  size_t internal = 0, workspace = 0;
  int position = -99;
#define DEVICE csr.count, csr.descriptor, values.data, offsets.data, columns.data
  csrcholInfo_t cholesky;
  SOLVER(cusolverSpCreateCsrcholInfo(&cholesky));
  SOLVER(cusolverSpXcsrcholAnalysis(sparse, n, csr.count, csr.descriptor, offsets.data, columns.data, cholesky));
  SOLVER(X::cholBuffer(sparse, n, DEVICE, cholesky, &internal, &workspace));
  SOLVER(X::cholFactor(sparse, n, DEVICE, cholesky, nullptr));
  SOLVER(X::cholPivot(sparse, cholesky, R(1e-6), &position));
  CHECK(position == -1);
  SOLVER(X::cholSolve(sparse, n, b.data, x.data, cholesky, nullptr));
  NEAR(A * x.get(), right);
  STATUS(CUSOLVER_STATUS_EXECUTION_FAILED, // no memory of the device
         X::cholSolve(sparse, n, csr.values.data(), x.data, cholesky, nullptr));
  SOLVER(cusolverSpDestroyCsrcholInfo(cholesky));

  csrqrInfo_t qr;
  T mu;
  set(mu, 0);
  SOLVER(cusolverSpCreateCsrqrInfo(&qr));
  SOLVER(cusolverSpXcsrqrAnalysis(sparse, n, n, csr.count, csr.descriptor, offsets.data, columns.data, qr));
  SOLVER(X::qrBuffer(sparse, n, n, DEVICE, qr, &internal, &workspace));
  SOLVER(X::qrSetup(sparse, n, n, DEVICE, mu, qr));
  x.put(Matrix(n, 1));
  SOLVER(X::qrFactor(sparse, n, n, csr.count, b.data, x.data, qr, nullptr)); // and solves
  NEAR(A * x.get(), right);
  SOLVER(X::qrPivot(sparse, qr, R(1e-6), &position));
  CHECK(position == -1);
  x.put(Matrix(n, 1));
  SOLVER(X::qrSolve(sparse, n, n, b.data, x.data, qr, nullptr));
  NEAR(A * x.get(), right);
  SOLVER(cusolverSpDestroyCsrqrInfo(qr));
}

int main() {
  SOLVER(cusolverSpCreate(&sparse));
  for (const int base : {0, 1}) {
    onHost<float, float>(base);
    onHost<double, double>(base);
    onHost<cuComplex, float>(base);
    onHost<cuDoubleComplex, double>(base);
    onDevice<float, float>(base);
    onDevice<double, double>(base);
    onDevice<cuComplex, float>(base);
    onDevice<cuDoubleComplex, double>(base);
  }
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpCreateCsrcholInfo(nullptr));
  SOLVER(cusolverSpDestroy(sparse));
  return failures != 0;
}
