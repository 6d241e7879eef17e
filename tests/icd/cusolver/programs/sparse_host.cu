// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is done of sparse matrices in the host's own memory: systems, orders, permutations; and eigenvalues.
//! nvcc: -O0 -lcusolver -lcusparse
#include "sparse.h"

template <class T, class R, class Solve> static void solves(Solve solve, const Matrix &A, int tolerated = -1) {
  const int n = A.rows;
  const Matrix right = random(n, 1, 63, kIsComplex<T>);
  std::vector<T> b(n), x(n);
  for (int i = 0; i < n; ++i) set(b[i], right(i, 0));
  for (const int base : {0, 1})
    for (int reorder = 0; reorder <= 3; ++reorder) {
      const HostCsr<T> csr(A, base);
      int singularity = -99;
#define SYSTEM csr.n, csr.count, csr.descriptor, csr.values.data(), csr.offsets.data(), csr.columns.data()
      SOLVER(solve(sparse, SYSTEM, b.data(), R(1e-5), reorder, x.data(), &singularity));
      if (tolerated < 0) {
        CHECK(singularity == -1);
        NEAR(A * column(x), right);
      } else {
        CHECK(reorder ? singularity >= 0 : singularity == tolerated);
      }
      STATUS(CUSOLVER_STATUS_INVALID_VALUE, solve(sparse, SYSTEM, b.data(), R(0), 4, x.data(), &singularity));
      STATUS(CUSOLVER_STATUS_INVALID_VALUE, solve(sparse, SYSTEM, nullptr, R(0), 0, x.data(), &singularity));
      STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, solve(nullptr, SYSTEM, b.data(), R(0), 0, x.data(), &singularity));
    }
}

/// Mu is one of the plane's eigenvalues, the nearest, and x its vector.
template <class T, class R, class Host, class Device> static void eigenvalue(Host host, Device device) {
  const int side = 4, n = side * side;
  const Matrix A = plane(side, kIsComplex<T>);
  const HostCsr<T> csr(A, 1);
  const double kPi = 3.14159265358979;
  double wanted = 0;
  for (int i = 1; i <= side; ++i) // the elements beside the diagonal have absolute values of one
    for (int j = 1; j <= side; ++j) {
      const double one = 5 - 2 * std::cos(i * kPi / (side + 1)) - 2 * std::cos(j * kPi / (side + 1));
      if (std::abs(one - 1.6) < std::abs(wanted - 1.6)) wanted = one;
    }
  std::vector<T> x0(n), x(n);
  for (int i = 0; i < n; ++i) set(x0[i], 1.0 + i * 0.01);
  T mu0, mu;
  set(mu0, 1.6);
  SOLVER(host(sparse, SYSTEM, mu0, x0.data(), 50, R(1e-5), &mu, x.data()));
  CHECK(std::abs(wide(mu) - wanted) < 1e-4);
  Matrix vector = column(x), scaled = vector;
  for (Wide &value : scaled.values) value *= wide(mu);
  CHECK(distance(A * vector, scaled) < 1e-4);
  double norm = 0;
  for (const Wide &value : vector.values) norm += std::norm(value);
  CHECK(std::abs(norm - 1) < 1e-4);

  Array<T> values(csr.count, 1), from(column(x0)), into(n, 1), found(1, 1);
  Integers offsets(n + 1), columns(csr.count);
  for (int i = 0; i < csr.count; ++i) values.data[i] = csr.values[i];
  std::copy(csr.offsets.begin(), csr.offsets.end(), offsets.data);
  std::copy(csr.columns.begin(), csr.columns.end(), columns.data);
  SOLVER(device(sparse, n, csr.count, csr.descriptor, values.data, offsets.data, columns.data, mu0, from.data, 50,
                R(1e-5), found.data, into.data));
  CHECK(distance(found.get(), column(std::vector<T>{mu})) < 1e-5);
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, device(sparse, n, csr.count, csr.descriptor, values.data, offsets.data,
                                               columns.data, mu0, from.data, 0, R(1e-5), found.data, into.data));
}

static bool isPermutation(std::vector<int> p) {
  std::sort(p.begin(), p.end());
  for (size_t i = 0; i < p.size(); ++i)
    if (p[i] != int(i)) return false;
  return true;
}
/// How many elements elimination in that order makes of A's pattern, A's included.
static int filled(const Matrix &A, const std::vector<int> &p) {
  std::vector<std::vector<bool>> is(A.rows, std::vector<bool>(A.rows));
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.rows; ++j) is[i][j] = A(p[i], p[j]) != 0.0 || A(p[j], p[i]) != 0.0;
  int count = 0;
  for (int k = 0; k < A.rows; ++k)
    for (int i = k; i < A.rows; ++i)
      if (is[i][k]) {
        ++count;
        for (int j = k + 1; j < A.rows; ++j)
          if (is[k][j]) is[i][j] = true;
      }
  return count;
}
static int width(const Matrix &A, const std::vector<int> &p) {
  int most = 0;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.rows; ++j)
      if (A(p[i], p[j]) != 0.0) most = std::max(most, std::abs(i - j));
  return most;
}

static void orders() {
  for (const int base : {0, 1}) {
    const int side = 9, n = side * side;
    const Matrix A = plane(side, false);
    const HostCsr<double> csr(A, base);
    std::vector<int> natural(n), p(n, -1);
    for (int i = 0; i < n; ++i) natural[i] = i;
    const int before = filled(A, natural);
#define PATTERN csr.n, csr.count, csr.descriptor, csr.offsets.data(), csr.columns.data()
    SOLVER(cusolverSpXcsrsymrcmHost(sparse, PATTERN, p.data()));
    CHECK(isPermutation(p) && width(A, p) <= side + 1 && width(A, natural) > 3 * side);
    SOLVER(cusolverSpXcsrsymamdHost(sparse, PATTERN, p.data()));
    CHECK(isPermutation(p) && 2 * filled(A, p) < before);
    SOLVER(cusolverSpXcsrsymmdqHost(sparse, PATTERN, p.data()));
    CHECK(isPermutation(p) && 2 * filled(A, p) < before);
    SOLVER(cusolverSpXcsrmetisndHost(sparse, PATTERN, nullptr, p.data()));
    CHECK(isPermutation(p) && 4 * filled(A, p) < 3 * before);
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverSpXcsrsymrcmHost(sparse, PATTERN, nullptr));
    STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverSpXcsrsymrcmHost(nullptr, PATTERN, p.data()));

    // Rows that nothing is connected with, and a matrix without symmetry.
    Matrix loose = scattered(40, false);
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 40; ++j)
        if (i < 5 || j < 5) loose(i, j) = i == j;
    const HostCsr<double> other(loose, base);
#define OTHER other.n, other.count, other.descriptor, other.offsets.data(), other.columns.data()
    for (const auto order : {cusolverSpXcsrsymrcmHost, cusolverSpXcsrsymamdHost, cusolverSpXcsrsymmdqHost}) {
      std::vector<int> q(40, -1);
      SOLVER(order(sparse, OTHER, q.data()));
      CHECK(isPermutation(q));
    }
    std::vector<int> q(40, -1);
    SOLVER(cusolverSpXcsrmetisndHost(sparse, OTHER, nullptr, q.data()));
    CHECK(isPermutation(q));

    int issym = -1;
    SOLVER(cusolverSpXcsrissymHost(sparse, n, csr.count, csr.descriptor, csr.offsets.data(), csr.offsets.data() + 1,
                                   csr.columns.data(), &issym));
    CHECK(issym == 1);
    SOLVER(cusolverSpXcsrissymHost(sparse, 40, other.count, other.descriptor, other.offsets.data(),
                                   other.offsets.data() + 1, other.columns.data(), &issym));
    CHECK(issym == 0);

    // A(p, q), with where each element was.
    std::vector<int> rows(40), offsets = other.offsets, columns = other.columns, map(other.count);
    for (int i = 0; i < 40; ++i) rows[i] = (i * 7 + 3) % 40;
    for (int i = 0; i < other.count; ++i) map[i] = i;
    size_t bytes = 0;
    SOLVER(cusolverSpXcsrperm_bufferSizeHost(sparse, 40, 40, other.count, other.descriptor, offsets.data(),
                                             columns.data(), rows.data(), q.data(), &bytes));
    std::vector<char> buffer(bytes);
    SOLVER(cusolverSpXcsrpermHost(sparse, 40, 40, other.count, other.descriptor, offsets.data(), columns.data(),
                                  rows.data(), q.data(), map.data(), buffer.data()));
    CHECK(offsets[0] == base && offsets[40] == other.count + base);
    Matrix permuted(40, 40);
    for (int i = 0; i < 40; ++i)
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
        CHECK(k == offsets[i] - base || columns[k] > columns[k - 1]);
        permuted(i, columns[k] - base) = other.values[map[k]];
      }
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 40; ++j) CHECK(permuted(i, j) == loose(rows[i], q[j]));
    rows[3] = 40;
    STATUS(CUSOLVER_STATUS_INVALID_VALUE,
           cusolverSpXcsrpermHost(sparse, 40, 40, other.count, other.descriptor, offsets.data(), columns.data(),
                                  rows.data(), q.data(), map.data(), buffer.data()));

    // Rows exchanged so that no zero is left on the diagonal, and a matrix that has one row too few for that.
    for (const bool isShort : {false, true}) {
      Matrix turned(6, 6);
      for (int i = 0; i < 6; ++i) turned(i, (i + 2) % 6) = turned(i, (i + 5) % 6) = 1.5;
      if (isShort)
        for (int j = 0; j < 6; ++j) turned(4, j) = 0;
      const HostCsr<double> free(turned, base);
      std::vector<int> P(6, -1);
      int count = -1;
      SOLVER(cusolverSpDcsrzfdHost(sparse, 6, free.count, free.descriptor, free.values.data(), free.offsets.data(),
                                   free.columns.data(), P.data(), &count));
      CHECK(isPermutation(P) && count == (isShort ? 5 : 6));
      int there = 0;
      for (int i = 0; i < 6; ++i) there += turned(P[i], i) != 0.0;
      CHECK(there == count);
    }
  }
}

template <class T, class R, class LU, class QR, class Cholesky> static void all(LU lu, QR qr, Cholesky cholesky) {
  solves<T, R>(lu, scattered(37, kIsComplex<T>));
  solves<T, R>(lu, plane(6, kIsComplex<T>));
  solves<T, R>(qr, scattered(37, kIsComplex<T>));
  solves<T, R>(qr, plane(6, kIsComplex<T>));
  solves<T, R>(cholesky, plane(6, kIsComplex<T>));
  Matrix A = scattered(12, kIsComplex<T>); // two columns are the same
  for (int row = 0; row < 12; ++row) A(row, 1) = A(row, 0);
  solves<T, R>(qr, A, 1);
  solves<T, R>(lu, A, 1);
  A = plane(6, kIsComplex<T>);
  A(6, 6) = -1;
  solves<T, R>(cholesky, A, 6);
}

int main() {
  SOLVER(cusolverSpCreate(&sparse));
  all<float, float>(cusolverSpScsrlsvluHost, cusolverSpScsrlsvqrHost, cusolverSpScsrlsvcholHost);
  all<double, double>(cusolverSpDcsrlsvluHost, cusolverSpDcsrlsvqrHost, cusolverSpDcsrlsvcholHost);
  all<cuComplex, float>(cusolverSpCcsrlsvluHost, cusolverSpCcsrlsvqrHost, cusolverSpCcsrlsvcholHost);
  all<cuDoubleComplex, double>(cusolverSpZcsrlsvluHost, cusolverSpZcsrlsvqrHost, cusolverSpZcsrlsvcholHost);
  eigenvalue<float, float>(cusolverSpScsreigvsiHost, cusolverSpScsreigvsi);
  eigenvalue<double, double>(cusolverSpDcsreigvsiHost, cusolverSpDcsreigvsi);
  eigenvalue<cuComplex, float>(cusolverSpCcsreigvsiHost, cusolverSpCcsreigvsi);
  eigenvalue<cuDoubleComplex, double>(cusolverSpZcsreigvsiHost, cusolverSpZcsreigvsi);
  orders();
  SOLVER(cusolverSpDestroy(sparse));
  return failures != 0;
}
