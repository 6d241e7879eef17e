// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines for band, packed, symmetric, Hermitian and triangular matrices, their updates, and many small systems, in
// part with sizes of 64 bits, against the definitions as loops over whole matrices.
//! nvcc: -O0 -lcublas
#include "../../cudart/check.h"

#include <cmath>
#include <complex>
#include <cublas_v2.h>
#include <functional>
#include <vector>

#define BLAS(...) CHECK((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)

using Wide = std::complex<double>;
using At = std::function<Wide(int, int)>;
static Wide wide(float x) { return x; }
static Wide wide(double x) { return x; }
static Wide wide(cuComplex x) { return {x.x, x.y}; }
static Wide wide(cuDoubleComplex x) { return {x.x, x.y}; }
static void set(float &x, Wide value) { x = float(value.real()); }
static void set(double &x, Wide value) { x = value.real(); }
static void set(cuComplex &x, Wide value) { x = {float(value.real()), float(value.imag())}; }
static void set(cuDoubleComplex &x, Wide value) { x = {value.real(), value.imag()}; }
template <class T> struct PartOf {
  using Type = T;
};
template <> struct PartOf<cuComplex> {
  using Type = float;
};
template <> struct PartOf<cuDoubleComplex> {
  using Type = double;
};

template <class T> struct Array { ///< memory that host and device see
  T *data;
  int size;
  explicit Array(int size, int seed) : size(size) {
    OK(cudaMallocManaged(&data, size * sizeof(T)));
    for (int i = 0; i < size; ++i) set(data[i], Wide((i * 7 + seed) % 13 - 6, (i * 5 + seed) % 11 - 5) / 4.0);
  }
  ~Array() { cudaFree(data); }
  std::vector<Wide> values() const {
    OK(cudaDeviceSynchronize());
    std::vector<Wide> copied;
    for (int i = 0; i < size; ++i) copied.push_back(wide(data[i]));
    return copied;
  }
};
template <class T> bool near(Wide got, Wide wanted) {
  return std::abs(got - wanted) <= (sizeof(typename PartOf<T>::Type) == 4 ? 2e-4 : 1e-9) * (1 + std::abs(wanted));
}

static cublasHandle_t handle;
constexpr int n = 5, m = 4, ld = 6, increment = 2;
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

static Wide op(const At &A, cublasOperation_t how, int row, int column) {
  if (how == CUBLAS_OP_N) return A(row, column);
  return how == CUBLAS_OP_T ? A(column, row) : std::conj(A(column, row));
}
static bool isStored(cublasFillMode_t fill, int row, int column) {
  return fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
}
/// Where a triangle's element is when only those of the triangle are stored, column by column.
static int packed(cublasFillMode_t fill, int row, int column) {
  return fill == CUBLAS_FILL_MODE_LOWER ? row + (2 * n - column - 1) * column / 2 : row + column * (column + 1) / 2;
}
/// ... or when each column has its diagonal and k more.
static int banded(cublasFillMode_t fill, int row, int column, int k) {
  return (fill == CUBLAS_FILL_MODE_LOWER ? row - column : k + row - column) + column * ld;
}
/// A whole matrix of which one triangle is stored: mirrored, or conjugated too.
static At mirrored(cublasFillMode_t fill, bool isConjugated, At stored) {
  return [=](int row, int column) -> Wide {
    if (row == column) return isConjugated ? Wide(stored(row, row).real()) : stored(row, row);
    if (isStored(fill, row, column)) return stored(row, column);
    return isConjugated ? std::conj(stored(column, row)) : stored(column, row);
  };
}

#define ROUTINES(P, DECLARE)                                                                                           \
  DECLARE(P, gbmv)                                                                                                     \
  DECLARE(P, trmv)                                                                                                     \
  DECLARE(P, trsv)                                                                                                     \
  DECLARE(P, tbmv)                                                                                                     \
  DECLARE(P, tbsv)                                                                                                     \
  DECLARE(P, tpmv)                                                                                                     \
  DECLARE(P, tpsv)                                                                                                     \
  DECLARE(P, symv)                                                                                                     \
  DECLARE(P, syr)                                                                                                      \
  DECLARE(P, syr2)                                                                                                     \
  DECLARE(P, symm)                                                                                                     \
  DECLARE(P, syrk)                                                                                                     \
  DECLARE(P, syr2k)                                                                                                    \
  DECLARE(P, syrkx)                                                                                                    \
  DECLARE(P, dgmm)                                                                                                     \
  DECLARE(P, gemvBatched)                                                                                              \
  DECLARE(P, gemvStridedBatched)                                                                                       \
  DECLARE(P, trsmBatched)
#define REAL(P, DECLARE)                                                                                               \
  DECLARE(P, ger)                                                                                                      \
  DECLARE(P, sbmv)                                                                                                     \
  DECLARE(P, spmv)                                                                                                     \
  DECLARE(P, spr)                                                                                                      \
  DECLARE(P, spr2)
#define COMPLEX(P, DECLARE)                                                                                            \
  DECLARE(P, geru)                                                                                                     \
  DECLARE(P, gerc)                                                                                                     \
  DECLARE(P, hemv)                                                                                                     \
  DECLARE(P, hbmv)                                                                                                     \
  DECLARE(P, hpmv)                                                                                                     \
  DECLARE(P, her)                                                                                                      \
  DECLARE(P, her2)                                                                                                     \
  DECLARE(P, hpr)                                                                                                      \
  DECLARE(P, hpr2)                                                                                                     \
  DECLARE(P, hemm)                                                                                                     \
  DECLARE(P, herk)                                                                                                     \
  DECLARE(P, her2k)                                                                                                    \
  DECLARE(P, herkx)                                                                                                    \
  DECLARE(P, gemm3m)
#define DECLARE_BOTH(P, NAME)                                                                                          \
  static constexpr auto NAME = cublas##P##NAME;                                                                        \
  static constexpr auto NAME##64 = cublas##P##NAME##_64;
#define DECLARE_ONE(P, NAME) static constexpr auto NAME = cublas##P##NAME;
#define SYSTEMS(P)                                                                                                     \
  DECLARE_ONE(P, getrfBatched)                                                                                         \
  DECLARE_ONE(P, getrsBatched)                                                                                         \
  DECLARE_ONE(P, matinvBatched)                                                                                        \
  DECLARE_ONE(P, geqrfBatched)                                                                                         \
  DECLARE_ONE(P, gelsBatched)
struct S {
  using T = float;
  ROUTINES(S, DECLARE_BOTH) REAL(S, DECLARE_BOTH) SYSTEMS(S)
};
struct D {
  using T = double;
  ROUTINES(D, DECLARE_BOTH) REAL(D, DECLARE_BOTH) SYSTEMS(D)
};
struct C {
  using T = cuComplex;
  ROUTINES(C, DECLARE_BOTH) COMPLEX(C, DECLARE_BOTH) SYSTEMS(C)
};
struct Z {
  using T = cuDoubleComplex;
  ROUTINES(Z, DECLARE_BOTH) COMPLEX(Z, DECLARE_BOTH) SYSTEMS(Z)
};
#define CALL(NAME, ...) BLAS(is64 ? P::NAME##64(handle, __VA_ARGS__) : P::NAME(handle, __VA_ARGS__))

/// Numbers of a test: alpha and beta, also as reals.
template <class T> struct Scalars {
  using R = typename PartOf<T>::Type;
  T alpha, beta, one;
  R realAlpha = R(1.5), realBeta = R(-0.5);
  Scalars() {
    set(alpha, {1.5, 0.5});
    set(beta, {-0.5, 0.25});
    set(one, 1);
  }
};

/// y = alpha A x + beta y of a matrix of so many rows and columns; x goes backwards, and y has gaps.
template <class T>
static void checkProduct(int rows, int columns, const At &A, std::function<void(const T *, int, T *, int)> call,
                         const Scalars<T> &scalars) {
  Array<T> x(columns, 4), y(rows * increment, 5);
  const auto x0 = x.values(), y0 = y.values();
  call(x.data, -1, y.data, increment);
  const auto got = y.values();
  for (int row = 0; row < rows; ++row) {
    Wide sum = 0;
    for (int column = 0; column < columns; ++column) sum += A(row, column) * x0[columns - 1 - column];
    CHECK(near<T>(got[row * increment], wide(scalars.alpha) * sum + wide(scalars.beta) * y0[row * increment]));
    CHECK(got[row * increment + 1] == y0[row * increment + 1]);
  }
}

/// Every element of a stored matrix is as wanted, others as they were; `where` is none for what is not stored.
template <class T>
static void checkStored(const Array<T> &A, const std::vector<Wide> &before, std::function<int(int, int)> where,
                        int rows, int columns, const At &wanted) {
  const auto got = A.values();
  std::vector<bool> isChanged(got.size());
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row)
      if (const int place = where(row, column); place >= 0) {
        CHECK(near<T>(got[place], wanted(row, column)));
        isChanged[place] = true;
      }
  for (size_t i = 0; i < got.size(); ++i) CHECK(isChanged[i] || got[i] == before[i]);
}

/// The product's routine, then the solver's, which must give x back.
template <class T>
static void checkTriangle(cublasFillMode_t fill, cublasOperation_t trans, cublasDiagType_t diagonal, int k,
                          const At &stored, std::function<void(T *)> multiply, std::function<void(T *)> solve,
                          const Array<T> &x) {
  const auto x0 = x.values();
  multiply(x.data);
  const auto product = x.values();
  const At A = [&](int row, int column) -> Wide {
    if (row == column && diagonal == CUBLAS_DIAG_UNIT) return 1;
    return isStored(fill, row, column) && std::abs(row - column) <= k ? stored(row, column) : 0;
  };
  for (int row = 0; row < n; ++row) {
    Wide sum = 0;
    for (int column = 0; column < n; ++column) sum += op(A, trans, row, column) * x0[column * increment];
    CHECK(near<T>(product[row * increment], sum));
  }
  solve(x.data);
  const auto back = x.values();
  for (int i = 0; i < n; ++i) CHECK(std::abs(back[i * increment] - x0[i * increment]) < 2e-2);
}

template <class P, bool is64> static void testAll() {
  using T = typename P::T;
  const Scalars<T> s;
  const Wide alpha = wide(s.alpha), beta = wide(s.beta);
  for (const auto trans : kOperations) {
    const int kl = 1, ku = 2;
    Array<T> A(ld * n, 1);
    const auto a = A.values();
    const At band = [&](int row, int column) -> Wide {
      return row - column > kl || column - row > ku ? 0 : a[ku + row - column + column * ld];
    };
    checkProduct<T>(
        trans == CUBLAS_OP_N ? m : n, trans == CUBLAS_OP_N ? n : m,
        [&](int row, int column) { return op(band, trans, row, column); },
        [&](const T *x, int incx, T *y, int incy) {
          CALL(gbmv, trans, m, n, kl, ku, &s.alpha, A.data, ld, x, incx, &s.beta, y, incy);
        },
        s);
    for (const auto fill : kFills)
      for (const auto diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
        Array<T> whole(ld * n, 1), x(n * increment, 4);
        for (int i = 0; i < n; ++i) set(whole.data[i * ld + i], 4 + i);
        const auto w = whole.values();
        checkTriangle<T>(
            fill, trans, diagonal, n, [&](int row, int column) { return w[column * ld + row]; },
            [&](T *to) { CALL(trmv, fill, trans, diagonal, n, whole.data, ld, to, increment); },
            [&](T *to) { CALL(trsv, fill, trans, diagonal, n, whole.data, ld, to, increment); }, x);
        const int k = 2;
        Array<T> narrow(ld * n, 1);
        for (int i = 0; i < n; ++i) set(narrow.data[banded(fill, i, i, k)], 4 + i);
        const auto b = narrow.values();
        checkTriangle<T>(
            fill, trans, diagonal, k, [&](int row, int column) { return b[banded(fill, row, column, k)]; },
            [&](T *to) { CALL(tbmv, fill, trans, diagonal, n, k, narrow.data, ld, to, increment); },
            [&](T *to) { CALL(tbsv, fill, trans, diagonal, n, k, narrow.data, ld, to, increment); }, x);
        Array<T> dense(n * (n + 1) / 2, 1);
        for (int i = 0; i < n; ++i) set(dense.data[packed(fill, i, i)], 4 + i);
        const auto p = dense.values();
        checkTriangle<T>(
            fill, trans, diagonal, n, [&](int row, int column) { return p[packed(fill, row, column)]; },
            [&](T *to) { CALL(tpmv, fill, trans, diagonal, n, dense.data, to, increment); },
            [&](T *to) { CALL(tpsv, fill, trans, diagonal, n, dense.data, to, increment); }, x);
      }
  }
  for (const auto fill : kFills) {
    Array<T> A(ld * n, 1), x(n, 4), y(n * increment, 5);
    const auto a = A.values(), x0 = x.values(), y0 = y.values();
    const At stored = [&](int row, int column) { return a[column * ld + row]; };
    const auto triangle = [&](int row, int column) { return isStored(fill, row, column) ? column * ld + row : -1; };
    const At whole = mirrored(fill, false, stored);
    checkProduct<T>(
        n, n, whole,
        [&](const T *from, int incx, T *into, int incy) {
          CALL(symv, fill, n, &s.alpha, A.data, ld, from, incx, &s.beta, into, incy);
        },
        s);
    Array<T> one(ld * n, 1), two(ld * n, 1);
    CALL(syr, fill, n, &s.alpha, x.data, 1, one.data, ld);
    checkStored<T>(one, a, triangle, n, n,
                   [&](int row, int column) { return stored(row, column) + alpha * x0[row] * x0[column]; });
    CALL(syr2, fill, n, &s.alpha, x.data, 1, y.data, increment, two.data, ld);
    checkStored<T>(two, a, triangle, n, n, [&](int row, int column) {
      return stored(row, column) + alpha * (x0[row] * y0[column * increment] + y0[row * increment] * x0[column]);
    });
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      const int rows = side == CUBLAS_SIDE_LEFT ? n : m, columns = side == CUBLAS_SIDE_LEFT ? m : n;
      Array<T> B(ld * n, 2), into(ld * n, 3);
      const auto b = B.values(), c = into.values();
      CALL(symm, side, fill, rows, columns, &s.alpha, A.data, ld, B.data, ld, &s.beta, into.data, ld);
      checkStored<T>(
          into, c, [](int row, int column) { return column * ld + row; }, rows, columns,
          [&](int row, int column) {
            Wide sum = 0;
            for (int i = 0; i < n; ++i)
              sum += side == CUBLAS_SIDE_LEFT ? whole(row, i) * b[column * ld + i] : b[i * ld + row] * whole(i, column);
            return alpha * sum + beta * c[column * ld + row];
          });
    }
    for (const auto trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      Array<T> B(ld * n, 2), first(ld * n, 3), second(ld * n, 3), third(ld * n, 3);
      const auto b = B.values(), c = first.values();
      const At other = [&](int row, int column) { return b[column * ld + row]; };
      // op(A) has n rows and m columns.
      const auto product = [&](const At &left, const At &right, int row, int column) {
        Wide sum = 0;
        for (int i = 0; i < m; ++i) sum += op(left, trans, row, i) * op(right, trans, column, i);
        return sum;
      };
      CALL(syrk, fill, trans, n, m, &s.alpha, A.data, ld, &s.beta, first.data, ld);
      checkStored<T>(first, c, triangle, n, n, [&](int row, int column) {
        return alpha * product(stored, stored, row, column) + beta * c[column * ld + row];
      });
      CALL(syr2k, fill, trans, n, m, &s.alpha, A.data, ld, B.data, ld, &s.beta, second.data, ld);
      checkStored<T>(second, c, triangle, n, n, [&](int row, int column) {
        return alpha * (product(stored, other, row, column) + product(other, stored, row, column)) +
               beta * c[column * ld + row];
      });
      CALL(syrkx, fill, trans, n, m, &s.alpha, A.data, ld, B.data, ld, &s.beta, third.data, ld);
      checkStored<T>(third, c, triangle, n, n, [&](int row, int column) {
        return alpha * product(stored, other, row, column) + beta * c[column * ld + row];
      });
    }
  }
  for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    Array<T> A(ld * n, 1), x(n * increment, 4), into(ld * n, 3);
    const auto a = A.values(), x0 = x.values(), c = into.values();
    CALL(dgmm, side, m, n, A.data, ld, x.data, increment, into.data, ld);
    checkStored<T>(
        into, c, [](int row, int column) { return column * ld + row; }, m, n,
        [&](int row, int column) {
          return a[column * ld + row] * x0[(side == CUBLAS_SIDE_LEFT ? row : column) * increment];
        });
  }
  // Two of them at a time: by pointers, and so far from one another.
  T **pointers;
  int *numbers;
  OK(cudaMallocManaged(&pointers, 8 * sizeof(T *)));
  OK(cudaMallocManaged(&numbers, 32 * sizeof(int)));
  {
    Array<T> A(2 * ld * n, 1), x(2 * n, 4), y(2 * m, 5), z(2 * m, 5);
    const auto a = A.values(), x0 = x.values(), y0 = y.values();
    for (int i = 0; i < 2; ++i) {
      pointers[i] = A.data + i * ld * n;
      pointers[2 + i] = x.data + i * n;
      pointers[4 + i] = y.data + i * m;
    }
    CALL(gemvBatched, CUBLAS_OP_N, m, n, &s.alpha, pointers, ld, pointers + 2, 1, &s.beta, pointers + 4, 1, 2);
    CALL(gemvStridedBatched, CUBLAS_OP_N, m, n, &s.alpha, A.data, ld, ld * n, x.data, 1, n, &s.beta, z.data, 1, m, 2);
    const auto one = y.values(), two = z.values();
    for (int i = 0; i < 2; ++i)
      for (int row = 0; row < m; ++row) {
        Wide sum = 0;
        for (int column = 0; column < n; ++column) sum += a[i * ld * n + column * ld + row] * x0[i * n + column];
        const Wide wanted = alpha * sum + beta * y0[i * m + row];
        CHECK(near<T>(one[i * m + row], wanted) && near<T>(two[i * m + row], wanted));
      }
  }
  {
    Array<T> A(2 * ld * n, 1), B(2 * ld * n, 2);
    for (int i = 0; i < 2; ++i) {
      pointers[i] = A.data + i * ld * n;
      pointers[2 + i] = B.data + i * ld * n;
      for (int k = 0; k < n; ++k) set(pointers[i][k * ld + k], 6 + k);
    }
    const auto a = A.values(), b = B.values();
    CALL(trsmBatched, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, m, &s.alpha,
         pointers, ld, pointers + 2, ld, 2);
    const auto x = B.values();
    for (int i = 0; i < 2; ++i)
      for (int column = 0; column < m; ++column)
        for (int row = 0; row < n; ++row) {
          Wide sum = 0;
          for (int k = 0; k <= row; ++k) sum += a[i * ld * n + k * ld + row] * x[i * ld * n + column * ld + k];
          CHECK(std::abs(sum - alpha * b[i * ld * n + column * ld + row]) < 1e-4);
        }
  }
  if (is64) { // these have no such form
    OK(cudaFree(pointers));
    OK(cudaFree(numbers));
    return;
  }
  for (int i = 0; i < 32; ++i) numbers[i] = -9;
  { // Systems of n unknowns: factors that solve for two right sides, and the whole inverse.
    Array<T> A(2 * ld * n, 1), B(2 * ld * n, 2), inverse(2 * ld * n, 3);
    for (int i = 0; i < 2; ++i) {
      pointers[i] = A.data + i * ld * n;
      pointers[2 + i] = B.data + i * ld * n;
      pointers[4 + i] = inverse.data + i * ld * n;
      for (int k = 0; k < n; ++k) set(pointers[i][k * ld + k], 6 + k);
    }
    const auto a = A.values(), b = B.values();
    BLAS(P::matinvBatched(handle, n, pointers, ld, pointers + 4, ld, numbers, 2));
    BLAS(P::getrfBatched(handle, n, pointers, ld, numbers + 8, numbers + 2, 2));
    int info = -1;
    BLAS(P::getrsBatched(handle, CUBLAS_OP_N, n, 2, pointers, ld, numbers + 8, pointers + 2, ld, &info, 2));
    const auto x = B.values(), inverted = inverse.values();
    CHECK(info == 0 && numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0 && numbers[3] == 0);
    for (int i = 0; i < 2; ++i)
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < n; ++row) {
          Wide sum = 0, unit = 0;
          for (int k = 0; k < n; ++k) {
            sum += a[i * ld * n + k * ld + row] * x[i * ld * n + column * ld + k];
            unit += a[i * ld * n + k * ld + row] * inverted[i * ld * n + column * ld + k];
          }
          CHECK(column >= 2 || std::abs(sum - b[i * ld * n + column * ld + row]) < 1e-4);
          CHECK(std::abs(unit - Wide(row == column)) < 1e-4);
        }
    // One that has no inverse says in which column that was found.
    for (int k = 0; k < ld * n; ++k) set(A.data[k], 0);
    BLAS(P::matinvBatched(handle, n, pointers, ld, pointers + 4, ld, numbers, 1));
    OK(cudaDeviceSynchronize());
    CHECK(numbers[0] == 1);
  }
  { // More equations than unknowns: factors Q and R, and the least squares.
    const int rows = n, columns = 3;
    Array<T> A(ld * columns, 1), again(ld * columns, 1), tau(columns, 2), B(ld, 3);
    for (int k = 0; k < columns; ++k) {
      set(A.data[k * ld + k], 6 + k);
      set(again.data[k * ld + k], 6 + k);
    }
    const auto a = A.values(), b = B.values();
    pointers[0] = A.data;
    pointers[1] = tau.data;
    pointers[2] = again.data;
    pointers[3] = B.data;
    int info = -1;
    BLAS(P::geqrfBatched(handle, rows, columns, pointers, ld, pointers + 1, &info, 1));
    CHECK(info == 0);
    const auto qr = A.values(), factors = tau.values();
    // Q is the product of I - tau v v^H; applied to R it must give A.
    for (int column = 0; column < columns; ++column) {
      std::vector<Wide> q(rows);
      for (int row = 0; row <= column; ++row) q[row] = qr[column * ld + row];
      for (int k = columns; k-- > 0;) {
        const auto v = [&](int row) { return row < k ? Wide(0) : row == k ? Wide(1) : qr[k * ld + row]; };
        Wide dot = 0;
        for (int row = 0; row < rows; ++row) dot += std::conj(v(row)) * q[row];
        for (int row = 0; row < rows; ++row) q[row] -= factors[k] * dot * v(row);
      }
      for (int row = 0; row < rows; ++row) CHECK(near<T>(q[row], a[column * ld + row]));
    }
    info = -1;
    BLAS(P::gelsBatched(handle, CUBLAS_OP_N, rows, columns, 1, pointers + 2, ld, pointers + 3, ld, &info, numbers, 1));
    const auto x = B.values();
    CHECK(info == 0 && numbers[0] == 0);
    // What is left is orthogonal to every column.
    for (int column = 0; column < columns; ++column) {
      Wide dot = 0;
      for (int row = 0; row < rows; ++row) {
        Wide left = b[row];
        for (int k = 0; k < columns; ++k) left -= a[k * ld + row] * x[k];
        dot += std::conj(a[column * ld + row]) * left;
      }
      CHECK(std::abs(dot) < 1e-3);
    }
  }
  OK(cudaFree(pointers));
  OK(cudaFree(numbers));
}

template <class P, bool is64> static void testReal() {
  using T = typename P::T;
  const Scalars<T> s;
  const Wide alpha = wide(s.alpha);
  const auto everywhere = [](int row, int column) { return column * ld + row; };
  Array<T> x(n, 4), y(n * increment, 5), G(ld * n, 1);
  const auto x0 = x.values(), y0 = y.values(), g = G.values();
  CALL(ger, m, n, &s.alpha, x.data, 1, y.data, increment, G.data, ld);
  checkStored<T>(G, g, everywhere, m, n,
                 [&](int row, int column) { return g[column * ld + row] + alpha * x0[row] * y0[column * increment]; });
  for (const auto fill : kFills) {
    const int k = 2;
    Array<T> band(ld * n, 1), dense(n * (n + 1) / 2, 1), second(n * (n + 1) / 2, 1);
    const auto b = band.values(), p = dense.values();
    const At stored = [&](int row, int column) { return p[packed(fill, row, column)]; };
    const auto where = [&](int row, int column) {
      return isStored(fill, row, column) ? packed(fill, row, column) : -1;
    };
    checkProduct<T>(
        n, n,
        mirrored(fill, false,
                 [&](int row, int column) { return std::abs(row - column) > k ? 0 : b[banded(fill, row, column, k)]; }),
        [&](const T *from, int incx, T *into, int incy) {
          CALL(sbmv, fill, n, k, &s.alpha, band.data, ld, from, incx, &s.beta, into, incy);
        },
        s);
    checkProduct<T>(
        n, n, mirrored(fill, false, stored),
        [&](const T *from, int incx, T *into, int incy) {
          CALL(spmv, fill, n, &s.alpha, dense.data, from, incx, &s.beta, into, incy);
        },
        s);
    CALL(spr, fill, n, &s.alpha, x.data, 1, dense.data);
    checkStored<T>(dense, p, where, n, n,
                   [&](int row, int column) { return stored(row, column) + alpha * x0[row] * x0[column]; });
    CALL(spr2, fill, n, &s.alpha, x.data, 1, y.data, increment, second.data);
    checkStored<T>(second, p, where, n, n, [&](int row, int column) {
      return stored(row, column) + alpha * (x0[row] * y0[column * increment] + y0[row * increment] * x0[column]);
    });
  }
}

template <class P, bool is64> static void testComplex() {
  using T = typename P::T;
  const Scalars<T> s;
  const Wide alpha = wide(s.alpha), beta = wide(s.beta), realAlpha = s.realAlpha, realBeta = s.realBeta;
  const auto everywhere = [](int row, int column) { return column * ld + row; };
  Array<T> x(n, 4), y(n * increment, 5);
  const auto x0 = x.values(), y0 = y.values();
  {
    Array<T> unconjugated(ld * n, 1), conjugated(ld * n, 1);
    const auto a = conjugated.values();
    CALL(geru, m, n, &s.alpha, x.data, 1, y.data, increment, unconjugated.data, ld);
    CALL(gerc, m, n, &s.alpha, x.data, 1, y.data, increment, conjugated.data, ld);
    checkStored<T>(unconjugated, a, everywhere, m, n, [&](int row, int column) {
      return a[column * ld + row] + alpha * x0[row] * y0[column * increment];
    });
    checkStored<T>(conjugated, a, everywhere, m, n, [&](int row, int column) {
      return a[column * ld + row] + alpha * x0[row] * std::conj(y0[column * increment]);
    });
  }
  // The diagonal of a Hermitian matrix is real, whatever is stored there; after an update it is.
  const auto real = [](int row, int column, Wide value) { return row == column ? Wide(value.real()) : value; };
  for (const auto fill : kFills) {
    const int k = 2;
    Array<T> A(ld * n, 1), dense(n * (n + 1) / 2, 1), second(n * (n + 1) / 2, 1);
    const auto a = A.values(), p = dense.values();
    const At stored = [&](int row, int column) { return a[column * ld + row]; };
    const At inBand = [&](int row, int column) {
      return std::abs(row - column) > k ? 0 : a[banded(fill, row, column, k)];
    };
    const At tight = [&](int row, int column) { return p[packed(fill, row, column)]; };
    const auto triangle = [&](int row, int column) { return isStored(fill, row, column) ? column * ld + row : -1; };
    const auto where = [&](int row, int column) {
      return isStored(fill, row, column) ? packed(fill, row, column) : -1;
    };
    const At whole = mirrored(fill, true, stored);
    checkProduct<T>(
        n, n, whole,
        [&](const T *from, int incx, T *into, int incy) {
          CALL(hemv, fill, n, &s.alpha, A.data, ld, from, incx, &s.beta, into, incy);
        },
        s);
    checkProduct<T>(
        n, n, mirrored(fill, true, inBand),
        [&](const T *from, int incx, T *into, int incy) {
          CALL(hbmv, fill, n, k, &s.alpha, A.data, ld, from, incx, &s.beta, into, incy);
        },
        s);
    checkProduct<T>(
        n, n, mirrored(fill, true, tight),
        [&](const T *from, int incx, T *into, int incy) {
          CALL(hpmv, fill, n, &s.alpha, dense.data, from, incx, &s.beta, into, incy);
        },
        s);
    const auto outer = [&](int row, int column) { return realAlpha * x0[row] * std::conj(x0[column]); };
    const auto outer2 = [&](int row, int column) {
      return alpha * x0[row] * std::conj(y0[column * increment]) +
             std::conj(alpha) * y0[row * increment] * std::conj(x0[column]);
    };
    Array<T> one(ld * n, 1), two(ld * n, 1);
    CALL(her, fill, n, &s.realAlpha, x.data, 1, one.data, ld);
    checkStored<T>(one, a, triangle, n, n,
                   [&](int row, int column) { return real(row, column, stored(row, column) + outer(row, column)); });
    CALL(her2, fill, n, &s.alpha, x.data, 1, y.data, increment, two.data, ld);
    checkStored<T>(two, a, triangle, n, n,
                   [&](int row, int column) { return real(row, column, stored(row, column) + outer2(row, column)); });
    CALL(hpr, fill, n, &s.realAlpha, x.data, 1, dense.data);
    checkStored<T>(dense, p, where, n, n,
                   [&](int row, int column) { return real(row, column, tight(row, column) + outer(row, column)); });
    CALL(hpr2, fill, n, &s.alpha, x.data, 1, y.data, increment, second.data);
    checkStored<T>(second, p, where, n, n,
                   [&](int row, int column) { return real(row, column, tight(row, column) + outer2(row, column)); });
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      const int rows = side == CUBLAS_SIDE_LEFT ? n : m, columns = side == CUBLAS_SIDE_LEFT ? m : n;
      Array<T> B(ld * n, 2), into(ld * n, 3);
      const auto b = B.values(), c = into.values();
      CALL(hemm, side, fill, rows, columns, &s.alpha, A.data, ld, B.data, ld, &s.beta, into.data, ld);
      checkStored<T>(into, c, everywhere, rows, columns, [&](int row, int column) {
        Wide sum = 0;
        for (int i = 0; i < n; ++i)
          sum += side == CUBLAS_SIDE_LEFT ? whole(row, i) * b[column * ld + i] : b[i * ld + row] * whole(i, column);
        return alpha * sum + beta * c[column * ld + row];
      });
    }
    for (const auto trans : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      Array<T> B(ld * n, 2), first(ld * n, 3), other(ld * n, 3), third(ld * n, 3);
      const auto b = B.values(), c = first.values();
      const At bAt = [&](int row, int column) { return b[column * ld + row]; };
      const auto product = [&](const At &left, const At &right, int row, int column) {
        Wide sum = 0;
        for (int i = 0; i < m; ++i) sum += op(left, trans, row, i) * std::conj(op(right, trans, column, i));
        return sum;
      };
      const auto old = [&](int row, int column) { return real(row, column, c[column * ld + row]); };
      CALL(herk, fill, trans, n, m, &s.realAlpha, A.data, ld, &s.realBeta, first.data, ld);
      checkStored<T>(first, c, triangle, n, n, [&](int row, int column) {
        return realAlpha * product(stored, stored, row, column) + realBeta * old(row, column);
      });
      CALL(her2k, fill, trans, n, m, &s.alpha, A.data, ld, B.data, ld, &s.realBeta, other.data, ld);
      checkStored<T>(other, c, triangle, n, n, [&](int row, int column) {
        return alpha * product(stored, bAt, row, column) + std::conj(alpha) * product(bAt, stored, row, column) +
               realBeta * old(row, column);
      });
      // "In the case when the result is in Hermitian form": B is a real multiple of A.
      for (int i = 0; i < ld * n; ++i) set(B.data[i], 2.0 * a[i]);
      CALL(herkx, fill, trans, n, m, &s.one, A.data, ld, B.data, ld, &s.realBeta, third.data, ld);
      checkStored<T>(third, c, triangle, n, n, [&](int row, int column) {
        return 2.0 * product(stored, stored, row, column) + realBeta * old(row, column);
      });
    }
  }
  Array<T> A(ld * n, 1), B(ld * n, 2), into(ld * n, 3);
  const auto a = A.values(), b = B.values(), c = into.values();
  CALL(gemm3m, CUBLAS_OP_C, CUBLAS_OP_N, m, n, 3, &s.alpha, A.data, ld, B.data, ld, &s.beta, into.data, ld);
  checkStored<T>(into, c, everywhere, m, n, [&](int row, int column) {
    Wide sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::conj(a[row * ld + i]) * b[column * ld + i];
    return alpha * sum + beta * c[column * ld + row];
  });
}

int main() {
  BLAS(cublasCreate(&handle));
  // Each with one of the sizes of integers: the bodies of both are one.
  testAll<S, false>();
  testAll<D, true>();
  testAll<C, true>();
  testAll<Z, false>();
  testReal<S, true>();
  testReal<D, false>();
  testComplex<C, false>();
  testComplex<Z, true>();
  BLAS(cublasDestroy(handle));
  return failures != 0;
}
