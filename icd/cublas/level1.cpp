// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors with vectors.
#include "icd/cublas/call.h"

#include <cmath>
#include <string_view>

namespace us::cublas {
namespace {

/// Where the first element of a vector is: one whose increment is negative begins at its end.
template <class T> T *first(T *x, int64_t n, int64_t increment) { return increment < 0 ? x - (n - 1) * increment : x; }

template <class T>
cublasStatus_t axpy(Call call, int64_t n, const T *alpha, const T *x, int64_t incx, T *y, int64_t incy) {
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n <= 0) return call.status();
  call.sizes(n, std::abs(incx), std::abs(incy));
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] { cublas::call<"axpy", Host<T>>(int(n), a(), host(x), int(incx), host(y), int(incy)); });
}

template <class T> cublasStatus_t copy(Call call, int64_t n, const T *x, int64_t incx, T *y, int64_t incy) {
  if (!call.isOk() || n <= 0) return call.status();
  call.sizes(n, std::abs(incx), std::abs(incy));
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] { cublas::call<"copy", Host<T>>(int(n), host(x), int(incx), host(y), int(incy)); });
}

template <class T> cublasStatus_t swap(Call call, int64_t n, T *x, int64_t incx, T *y, int64_t incy) {
  if (!call.isOk() || n <= 0) return call.status();
  call.sizes(n, std::abs(incx), std::abs(incy));
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] { cublas::call<"swap", Host<T>>(int(n), host(x), int(incx), host(y), int(incy)); });
}

/// By a number of T or, if that is complex, of its parts.
template <class A, class T> cublasStatus_t scal(Call call, int64_t n, const A *alpha, T *x, int64_t incx) {
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n <= 0 || incx <= 0) return call.status();
  call.sizes(n, incx);
  call.vector(x, n, incx);
  return call.run([=] { cublas::call<"scal", Host<T>>(int(n), Host<T>(a()), host(x), int(incx)); });
}

enum class Conjugated { No, Yes };

/// A sum of doubles, of which several are under way at a time: one of floats would stand still after some millions.
template <class Term> double sumOf(int64_t n, Term term) {
  constexpr int64_t lanes = 8;
  double sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane) sums[lane] += term(i + lane);
  for (; i < n; ++i) sums[i % lanes] += term(i);
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

template <class T>
cublasStatus_t dot(Call call, int64_t n, const T *x, int64_t incx, const T *y, int64_t incy, T *result,
                   Conjugated conjugated = Conjugated::No) {
  call.result(result);
  if (!call.isOk()) return call.status();
  n = std::max<int64_t>(n, 0); // the sum of nothing
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run(
      [=] {
        using H = Host<T>;
        const H *const a = first(host(x), n, incx), *const b = first(host(y), n, incy);
        if constexpr (kIsComplex<H>) {
          std::complex<double> sum = 0;
          for (int64_t i = 0; i < n; ++i) {
            const std::complex<double> left(a[i * incx]), right(b[i * incy]);
            sum += (conjugated == Conjugated::Yes ? std::conj(left) : left) * right;
          }
          *host(result) = H(sum);
        } else {
          *result = H(sumOf(n, [=](int64_t i) { return double(a[i * incx]) * double(b[i * incy]); }));
        }
      },
      !call.isOnDevice());
}

/// nrm2 or asum. In doubles no square of a float is too large or too small.
template <Name name, class T, class R> cublasStatus_t norm(Call call, int64_t n, const T *x, int64_t incx, R *result) {
  call.result(result);
  if (!call.isOk()) return call.status();
  n = incx <= 0 ? 0 : std::max<int64_t>(n, 0);
  call.vector(x, n, incx);
  if constexpr (std::is_same_v<R, double>) {
    call.sizes(n, std::abs(incx));
    return call.run([=] { *result = function<R, name>(int(n), host(x), int(incx)); }, !call.isOnDevice());
  }
  return call.run(
      [=] {
        constexpr bool isNorm = std::string_view(name.text).find("nrm2") != std::string_view::npos;
        const double sum = sumOf(n, [=](int64_t i) {
          const std::complex<double> value(host(x)[i * incx]);
          return isNorm ? std::norm(value) : std::abs(value.real()) + std::abs(value.imag());
        });
        *result = R(isNorm ? std::sqrt(sum) : sum);
      },
      !call.isOnDevice());
}

/// "The first element ... of the minimum or maximum magnitude", counted from 1; of complex numbers that is the sum of
/// their parts' magnitudes.
template <class T, class I>
cublasStatus_t extreme(Call call, bool isLargest, int64_t n, const T *x, int64_t incx, I *result) {
  call.result(result);
  if (!call.isOk()) return call.status();
  n = incx <= 0 ? 0 : std::max<int64_t>(n, 0);
  call.vector(x, n, incx);
  return call.run(
      [=] {
        const auto magnitude = [](Host<T> value) {
          if constexpr (kIsComplex<Host<T>>)
            return std::abs(value.real()) + std::abs(value.imag());
          else
            return std::abs(value);
        };
        I found = n > 0;
        auto best = n > 0 ? magnitude(*host(x)) : 0;
        for (int64_t i = 1; i < n; ++i) {
          const auto here = magnitude(host(x)[i * incx]);
          if (isLargest ? here > best : here < best) best = here, found = I(i + 1);
        }
        *result = found;
      },
      !call.isOnDevice());
}

template <class T, class R, class S>
cublasStatus_t rot(Call call, int64_t n, T *x, int64_t incx, T *y, int64_t incy, const R *cosine, const S *sine) {
  const auto c = call.scalar(cosine);
  const auto s = call.scalar(sine);
  if (!call.isOk() || n <= 0) return call.status();
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] {
    Host<T> *a = first(host(x), n, incx), *b = first(host(y), n, incy);
    for (int64_t i = 0; i < n; ++i, a += incx, b += incy) {
      const Host<T> old = *a;
      *a = c() * old + s() * *b;
      *b = c() * *b - conjugate(s()) * old;
    }
  });
}

template <class T, class R> cublasStatus_t rotg(Call call, T *a, T *b, R *c, T *s) {
  call.result(a);
  call.result(b);
  call.result(c);
  call.result(s);
  return call.run([=] { cublas::call<"rotg", Host<T>>(host(a), host(b), c, host(s)); }, !call.isOnDevice());
}

template <class T>
cublasStatus_t rotm(Call call, int64_t n, T *x, int64_t incx, T *y, int64_t incy, const T *parameters) {
  call.require(parameters != nullptr);
  if (call.isOnDevice()) call.memory(parameters, 5 * sizeof(T));
  if (!call.isOk() || n <= 0) return call.status();
  call.sizes(n, std::abs(incx), std::abs(incy));
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  const bool isOnDevice = call.isOnDevice();
  T copied[5] = {};
  if (!isOnDevice && call.isOk()) std::copy_n(parameters, 5, copied);
  return call.run([=] {
    const T *const p = isOnDevice ? parameters : copied;
    cublas::call<"rotm", T>(int(n), x, int(incx), y, int(incy), p);
  });
}

template <class T> cublasStatus_t rotmg(Call call, T *d1, T *d2, T *x1, const T *y1, T *parameters) {
  for (T *pointer : {d1, d2, x1, parameters}) call.result(pointer);
  const auto y = call.scalar(y1);
  return call.run([=] { cublas::call<"rotmg", T>(d1, d2, x1, y(), parameters); }, !call.isOnDevice());
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_ALL(P, T, I, W)                                                                                             \
  US_EXPORT cublasStatus_t cublas##P##axpy_v2##W(cublasHandle_t handle, I n, const T *alpha, const T *x, I incx, T *y, \
                                                 I incy) {                                                             \
    return axpy(US_CALL, n, alpha, x, incx, y, incy);                                                                  \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##copy_v2##W(cublasHandle_t handle, I n, const T *x, I incx, T *y, I incy) {       \
    return copy(US_CALL, n, x, incx, y, incy);                                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##swap_v2##W(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy) {             \
    return swap(US_CALL, n, x, incx, y, incy);                                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##scal_v2##W(cublasHandle_t handle, I n, const T *alpha, T *x, I incx) {           \
    return scal(US_CALL, n, alpha, x, incx);                                                                           \
  }
#define US_EXTREMES(P, T, I, W)                                                                                        \
  US_EXPORT cublasStatus_t cublasI##P##amax_v2##W(cublasHandle_t handle, I n, const T *x, I incx, I *result) {         \
    return extreme(US_CALL, true, n, x, incx, result);                                                                 \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasI##P##amin_v2##W(cublasHandle_t handle, I n, const T *x, I incx, I *result) {         \
    return extreme(US_CALL, false, n, x, incx, result);                                                                \
  }
#define US_DOT(P, NAME, T, I, W, CONJUGATED)                                                                           \
  US_EXPORT cublasStatus_t cublas##P##NAME##_v2##W(cublasHandle_t handle, I n, const T *x, I incx, const T *y, I incy, \
                                                   T *result) {                                                        \
    return dot(US_CALL, n, x, incx, y, incy, result, Conjugated::CONJUGATED);                                          \
  }
#define US_NORM(NAME, ROUTINE, T, R, I, W)                                                                             \
  US_EXPORT cublasStatus_t cublas##NAME##_v2##W(cublasHandle_t handle, I n, const T *x, I incx, R *result) {           \
    return norm<ROUTINE>(US_CALL, n, x, incx, result);                                                                 \
  }
#define US_ROT(P, T, R, S, I, W)                                                                                       \
  US_EXPORT cublasStatus_t cublas##P##rot_v2##W(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy, const R *c,    \
                                                const S *s) {                                                          \
    return rot(US_CALL, n, x, incx, y, incy, c, s);                                                                    \
  }
#define US_ROTM(P, T, I, W)                                                                                            \
  US_EXPORT cublasStatus_t cublas##P##rotm_v2##W(cublasHandle_t handle, I n, T *x, I incx, T *y, I incy,               \
                                                 const T *param) {                                                     \
    return rotm(US_CALL, n, x, incx, y, incy, param);                                                                  \
  }
#define US_SIZE(I, W)                                                                                                  \
  US_ALL(S, float, I, W)                                                                                               \
  US_ALL(D, double, I, W)                                                                                              \
  US_ALL(C, cuComplex, I, W)                                                                                           \
  US_ALL(Z, cuDoubleComplex, I, W)                                                                                     \
  US_EXTREMES(s, float, I, W)                                                                                          \
  US_EXTREMES(d, double, I, W)                                                                                         \
  US_EXTREMES(c, cuComplex, I, W)                                                                                      \
  US_EXTREMES(z, cuDoubleComplex, I, W)                                                                                \
  US_DOT(S, dot, float, I, W, No)                                                                                      \
  US_DOT(D, dot, double, I, W, No)                                                                                     \
  US_DOT(C, dotu, cuComplex, I, W, No)                                                                                 \
  US_DOT(Z, dotu, cuDoubleComplex, I, W, No)                                                                           \
  US_DOT(C, dotc, cuComplex, I, W, Yes)                                                                                \
  US_DOT(Z, dotc, cuDoubleComplex, I, W, Yes)                                                                          \
  US_NORM(Snrm2, "snrm2_", float, float, I, W)                                                                         \
  US_NORM(Dnrm2, "dnrm2_", double, double, I, W)                                                                       \
  US_NORM(Scnrm2, "scnrm2_", cuComplex, float, I, W)                                                                   \
  US_NORM(Dznrm2, "dznrm2_", cuDoubleComplex, double, I, W)                                                            \
  US_NORM(Sasum, "sasum_", float, float, I, W)                                                                         \
  US_NORM(Dasum, "dasum_", double, double, I, W)                                                                       \
  US_NORM(Scasum, "scasum_", cuComplex, float, I, W)                                                                   \
  US_NORM(Dzasum, "dzasum_", cuDoubleComplex, double, I, W)                                                            \
  US_ROT(S, float, float, float, I, W)                                                                                 \
  US_ROT(D, double, double, double, I, W)                                                                              \
  US_ROT(Cs, cuComplex, float, float, I, W)                                                                            \
  US_ROT(Zd, cuDoubleComplex, double, double, I, W)                                                                    \
  US_ROT(C, cuComplex, float, cuComplex, I, W)                                                                         \
  US_ROT(Z, cuDoubleComplex, double, cuDoubleComplex, I, W)                                                            \
  US_ROTM(S, float, I, W)                                                                                              \
  US_ROTM(D, double, I, W)                                                                                             \
  US_EXPORT cublasStatus_t cublasCsscal_v2##W(cublasHandle_t handle, I n, const float *alpha, cuComplex *x, I incx) {  \
    return scal(US_CALL, n, alpha, x, incx);                                                                           \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasZdscal_v2##W(cublasHandle_t handle, I n, const double *alpha, cuDoubleComplex *x,     \
                                              I incx) {                                                                \
    return scal(US_CALL, n, alpha, x, incx);                                                                           \
  }
US_SIZE(int, )
US_SIZE(int64_t, _64)

#define US_ROTG(P, T, R)                                                                                               \
  US_EXPORT cublasStatus_t cublas##P##rotg_v2(cublasHandle_t handle, T *a, T *b, R *c, T *s) {                         \
    return rotg(US_CALL, a, b, c, s);                                                                                  \
  }
US_ROTG(S, float, float)
US_ROTG(D, double, double)
US_ROTG(C, cuComplex, float)
US_ROTG(Z, cuDoubleComplex, double)
#define US_ROTMG(P, T)                                                                                                 \
  US_EXPORT cublasStatus_t cublas##P##rotmg_v2(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {    \
    return rotmg(US_CALL, d1, d2, x1, y1, param);                                                                      \
  }
US_ROTMG(S, float)
US_ROTMG(D, double)
