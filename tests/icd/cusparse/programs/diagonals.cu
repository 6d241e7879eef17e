// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of three and five diagonals: the matrix times what comes out is what went in.
//! nvcc: -lcusparse
#include "common.h"

#include <functional>

#define ONE(P, T)                                                                                                      \
  template <> struct Api<T> {                                                                                          \
    static constexpr auto gtsv2 = cusparse##P##gtsv2;                                                                  \
    static constexpr auto gtsv2Size = cusparse##P##gtsv2_bufferSizeExt;                                                \
    static constexpr auto nopivot = cusparse##P##gtsv2_nopivot;                                                        \
    static constexpr auto nopivotSize = cusparse##P##gtsv2_nopivot_bufferSizeExt;                                      \
    static constexpr auto strided = cusparse##P##gtsv2StridedBatch;                                                    \
    static constexpr auto stridedSize = cusparse##P##gtsv2StridedBatch_bufferSizeExt;                                  \
    static constexpr auto three = cusparse##P##gtsvInterleavedBatch;                                                   \
    static constexpr auto threeSize = cusparse##P##gtsvInterleavedBatch_bufferSizeExt;                                 \
    static constexpr auto five = cusparse##P##gpsvInterleavedBatch;                                                    \
    static constexpr auto fiveSize = cusparse##P##gpsvInterleavedBatch_bufferSizeExt;                                  \
  };
KINDS(ONE)

/// Element k of row i of A is left or right of the diagonal by its distance; x by its row.
using Element = std::function<Wide(int row, int distance)>;
static bool solves(int m, int reach, const Element &A, const std::function<Wide(int)> &x,
                   const std::function<Wide(int)> &b) {
  for (int row = 0; row < m; ++row) {
    Wide sum = 0;
    double most = 1;
    for (int k = -reach; k <= reach; ++k)
      if (row + k >= 0 && row + k < m) {
        sum += A(row, k) * x(row + k);
        most = std::max(most, std::abs(A(row, k) * x(row + k)));
      }
    if (!(std::abs(sum - b(row)) < 2e-4 * most)) return false;
  }
  return true;
}

/// Diagonals of `count` systems; element i of system j is at i * stride + j * between. What is outside is zero, as it
/// should be, unless the main diagonal is weak: then rows want to be exchanged.
template <class T> struct Diagonals {
  std::vector<T> of[5], right;
  int stride, between;
  Diagonals(int m, int count, int stride, int between, int reach, bool isWeak) : stride(stride), between(between) {
    const int size = (m - 1) * stride + (count - 1) * between + 1;
    right = numbers<T>(size, 3);
    for (int k = -2; k <= 2; ++k) {
      of[k + 2] = numbers<T>(size, 5 * k + 20);
      for (int j = 0; j < count; ++j)
        for (int i = 0; i < m; ++i) {
          T &element = of[k + 2][i * stride + j * between];
          if (std::abs(k) > reach || i + k < 0 || i + k >= m) set(element, 0);
          if (k == 0) set(element, isWeak ? (i % 3 ? 0.125 : 0.0) : 9.0 + wide(element));
        }
    }
  }
  Element system(int j) const {
    return [this, j](int row, int k) { return wide(of[k + 2][row * stride + j * between]); };
  }
};
template <class T> static std::function<Wide(int)> line(const T *values, int stride) {
  return [values, stride](int i) { return wide(values[i * stride]); };
}

template <class T> static void one() {
  using X = Api<T>;
  size_t bytes = 1;
  for (const bool isPivoted : {true, false}) {
    const int m = 10, n = 3, ldb = 12;
    const Diagonals<T> A(m, 1, 1, 0, 1, isPivoted);
    Array<T> dl(A.of[1]), d(A.of[2]), du(A.of[3]);
    const auto b = numbers<T>(ldb * n, 1);
    Array<T> B(b);
    const auto solve = isPivoted ? X::gtsv2 : X::nopivot;
    SPARSE((isPivoted ? X::gtsv2Size : X::nopivotSize)(handle, m, n, dl.data, d.data, du.data, B.data, ldb, &bytes));
    SPARSE(solve(handle, m, n, dl.data, d.data, du.data, B.data, ldb, nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) {
      CHECK(solves(m, 1, A.system(0), line(B.data + i * ldb, 1), line(&b[i * ldb], 1)));
      for (int row = m; row < ldb; ++row) CHECK(wide(B.data[i * ldb + row]) == wide(b[i * ldb + row]));
    }
    IS(CUSPARSE_STATUS_INVALID_VALUE, solve(handle, 2, n, dl.data, d.data, du.data, B.data, ldb, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, solve(handle, m, -1, dl.data, d.data, du.data, B.data, ldb, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, solve(handle, m, n, dl.data, d.data, du.data, B.data, 9, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, solve(handle, m, n, dl.data, d.data, nullptr, B.data, ldb, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       solve(handle, m, n, dl.data, d.data, du.data, B.data, ldb, reinterpret_cast<void *>(16)));
    IS(CUSPARSE_STATUS_NOT_INITIALIZED, solve(nullptr, m, n, dl.data, d.data, du.data, B.data, ldb, nullptr));
  }
}

template <class T> static void many() {
  using X = Api<T>;
  const int m = 9, count = 4;
  size_t bytes = 1;
  { // one after the other
    const int between = 11;
    const Diagonals<T> A(m, count, 1, between, 1, false);
    Array<T> dl(A.of[1]), d(A.of[2]), du(A.of[3]), x(A.right);
    SPARSE(X::stridedSize(handle, m, dl.data, d.data, du.data, x.data, count, between, &bytes));
    SPARSE(X::strided(handle, m, dl.data, d.data, du.data, x.data, count, between, nullptr));
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < count; ++j)
      CHECK(solves(m, 1, A.system(j), line(x.data + j * between, 1), line(&A.right[j * between], 1)));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::strided(handle, m, dl.data, d.data, du.data, x.data, count, 8, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::strided(handle, m, dl.data, d.data, du.data, x.data, -1, between, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::strided(handle, m, dl.data, d.data, du.data, x.data, 99, between, nullptr));
  }
  for (const int algo : {0, 1, 2}) { // interleaved
    const Diagonals<T> A(m, count, count, 1, 1, algo != 0);
    Array<T> dl(A.of[1]), d(A.of[2]), du(A.of[3]), x(A.right);
    SPARSE(X::threeSize(handle, algo, m, dl.data, d.data, du.data, x.data, count, &bytes));
    SPARSE(X::three(handle, algo, m, dl.data, d.data, du.data, x.data, count, nullptr));
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < count; ++j) CHECK(solves(m, 1, A.system(j), line(x.data + j, count), line(&A.right[j], count)));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::three(handle, 3, m, dl.data, d.data, du.data, x.data, count, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE, X::three(handle, algo, -1, dl.data, d.data, du.data, x.data, count, nullptr));
  }
  for (const bool isWeak : {false, true}) { // five diagonals
    const Diagonals<T> A(m, count, count, 1, 2, isWeak);
    Array<T> ds(A.of[0]), dl(A.of[1]), d(A.of[2]), du(A.of[3]), dw(A.of[4]), x(A.right);
    SPARSE(X::fiveSize(handle, 0, m, ds.data, dl.data, d.data, du.data, dw.data, x.data, count, &bytes));
    SPARSE(X::five(handle, 0, m, ds.data, dl.data, d.data, du.data, dw.data, x.data, count, nullptr));
    OK(cudaDeviceSynchronize());
    for (int j = 0; j < count; ++j) CHECK(solves(m, 2, A.system(j), line(x.data + j, count), line(&A.right[j], count)));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       X::five(handle, 1, m, ds.data, dl.data, d.data, du.data, dw.data, x.data, count, nullptr));
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       X::five(handle, 0, m, ds.data, dl.data, d.data, du.data, dw.data, nullptr, count, nullptr));
  }
}

template <class T> static void all() {
  one<T>();
  many<T>();
}

int main() {
  SPARSE(cusparseCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  SPARSE(cusparseDestroy(handle));
  return failures != 0;
}
