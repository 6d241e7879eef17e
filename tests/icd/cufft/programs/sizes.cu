// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of one dimension of every size to 130, of powers, products and large primes, in both directions, between
// real and complex numbers, in and out of place. The error's norm is below 6e-7 of the result's for floats and below
// 1e-15 for doubles.
//! nvcc: -lcufft
#include "transforms.h"

static long double worst[2];

template <class R> void note(const Errors &errors, int64_t n, const char *what) {
  long double &most = worst[sizeof(R) == 8];
  most = std::max(most, errors.relative());
  if (!(errors.relative() <= kBound<R>)) std::printf("%s %lld: %Lg\n", what, (long long)n, errors.relative());
  CHECK(errors.relative() <= kBound<R>);
}

/// All numbers of a short transform, a dozen of a long one.
template <class R> void test(int64_t n, int batch) {
  using Complex = typename Types<R>::Complex;
  const int64_t half = n / 2 + 1, step = n <= 300 ? 1 : n / 6;
  std::vector<Wide> numbers;
  for (int64_t i = 0; i < n * batch; ++i) numbers.emplace_back(R(some(2 * i)), R(some(2 * i + 1)));
  const auto at = [&](int b, int64_t j) { return numbers[b * n + j]; };
  const Definition wanted(n);
  Array<Complex> in(n * batch), out(n * batch);
  cufftHandle plan;
  FFT(cufftPlan1d(&plan, n, Types<R>::complex, batch));
  for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE})
    for (bool isInPlace : {false, true}) {
      for (int b = 0; b < batch; ++b)
        for (int64_t j = 0; j < n; ++j) in.data[b * n + j] = {R(at(b, j).real()), R(at(b, j).imag())};
      Complex *const result = isInPlace ? in.data : out.data;
      FFT(run(plan, in.data, result, direction));
      OK(cudaDeviceSynchronize());
      Errors errors;
      for (int b = 0; b < batch; b += batch > 1 ? batch - 1 : 1)
        for (int64_t k = 0; k < n; k += k % 2 ? step : 1)
          errors.add({result[b * n + k].x, result[b * n + k].y},
                     wanted.at(k, direction, [&](int64_t j) { return numbers[b * n + j]; }));
      note<R>(errors, n, "complex");
    }
  FFT(cufftDestroy(plan));

  // In place, real numbers are padded so that the complex ones fit.
  for (bool isInPlace : {false, true}) {
    const int64_t pitch = isInPlace ? 2 * half : n;
    Array<R> real(2 * half * batch);
    Array<Complex> complex(half * batch);
    Complex *const result = isInPlace ? reinterpret_cast<Complex *>(real.data) : complex.data;
    for (int b = 0; b < batch; ++b)
      for (int64_t j = 0; j < n; ++j) real.data[b * pitch + j] = R(at(b, j).real());
    FFT(cufftPlan1d(&plan, n, Types<R>::toComplex, batch));
    FFT(run(plan, real.data, result));
    OK(cudaDeviceSynchronize());
    Errors errors;
    for (int b = 0; b < batch; b += batch > 1 ? batch - 1 : 1)
      for (int64_t k = 0; k < half; k += k % 2 ? step : 1)
        errors.add({result[b * half + k].x, result[b * half + k].y},
                   wanted.at(k, -1, [&](int64_t j) { return Wide(numbers[b * n + j].real()); }));
    note<R>(errors, n, "to complex");
    FFT(cufftDestroy(plan));

    // And back, from numbers of which those without a partner have imaginary parts that do not count.
    const auto given = [&](int b, int64_t k) {
      const Wide value = at(b, k <= n / 2 ? k : n - k);
      return k == 0 || 2 * k == n ? Wide(value.real()) : k <= n / 2 ? value : std::conj(value);
    };
    for (int b = 0; b < batch; ++b)
      for (int64_t k = 0; k < half; ++k) result[b * half + k] = {R(at(b, k).real()), R(at(b, k).imag())};
    FFT(cufftPlan1d(&plan, n, Types<R>::toReal, batch));
    FFT(run(plan, result, real.data));
    OK(cudaDeviceSynchronize());
    Errors back;
    for (int b = 0; b < batch; b += batch > 1 ? batch - 1 : 1)
      for (int64_t j = 0; j < n; j += j % 2 ? step : 1)
        back.add(real.data[b * pitch + j], wanted.at(j, 1, [&](int64_t k) { return given(b, k); }));
    note<R>(back, n, "to real");
    if (!isInPlace) // "preserves its input"
      for (int64_t k = 0; k < half; ++k) CHECK(result[k].x == R(at(0, k).real()) && result[k].y == R(at(0, k).imag()));
    FFT(cufftDestroy(plan));
  }
}

int main() {
  for (int n = 1; n <= 130; ++n) {
    test<float>(n, 1 + n % 11);
    test<double>(n, 1 + n % 7);
  }
  for (int64_t n :
       {131,  169,  243,  256,  257,  343,  360,  500,  509,   512,   517,   1009,  1024,  1331,   2048,
        2187, 3125, 4093, 4096, 4099, 5000, 8192, 8209, 16807, 30030, 65536, 65537, 90002, 100000, 131072}) {
    test<float>(n, n < 2000 ? 9 : 1);
    test<double>(n, n < 2000 ? 5 : 1);
  }
  std::printf("worst: %.2Lg of floats, %.2Lg of doubles\n", worst[0], worst[1]);
  return failures != 0;
}
