// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of two and three dimensions, many of them, with strides and distances of their own; what lies between the
// numbers stays as it is.
//! nvcc: -lcufft
#include "transforms.h"

#include <cstring>
#include <cufftXt.h>

struct Case {
  std::vector<long long> n;
  long long batch = 1;
  std::vector<long long> inembed, onembed; // none: what numbers that follow one another have
  long long istride = 1, idist = 0, ostride = 1, odist = 0;
  bool isInPlace = false;
};

/// The sums by each dimension in turn, of numbers that follow one another.
static std::vector<Wide> wanted(std::vector<Wide> numbers, const Case &c, int sign) {
  long long stride = 1;
  for (size_t dimension = c.n.size(); dimension-- > 0;) {
    const long long n = c.n[dimension];
    const Definition definition(n);
    std::vector<Wide> next(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
      const long long k = i / stride % n, first = i - k * stride;
      next[i] = definition.at(k, sign, [&](int64_t j) { return numbers[first + j * stride]; });
    }
    numbers = next;
    stride *= n;
  }
  return numbers;
}

enum class Kind { Complex, ToComplex, ToReal };

template <class R, Kind kind> void test(const Case &c) {
  using Complex = typename Types<R>::Complex;
  using In = std::conditional_t<kind == Kind::ToComplex, R, Complex>;
  using Out = std::conditional_t<kind == Kind::ToReal, R, Complex>;
  const size_t rank = c.n.size();
  const long long last = c.n[rank - 1], half = last / 2 + 1;
  const bool isGiven = !c.inembed.empty();
  // How long lines are: in all, and of numbers that are there.
  const auto line = [&](bool isReal) { return kind == Kind::Complex || isReal ? last : half; };
  const auto place = [&](bool isInput, long long batch, std::vector<long long> at) {
    const bool isReal = kind == (isInput ? Kind::ToComplex : Kind::ToReal);
    std::vector<long long> embed = isInput ? c.inembed : c.onembed;
    if (!isGiven) {
      embed = c.n;
      embed[rank - 1] = isReal && c.isInPlace ? 2 * half : line(isReal);
    }
    long long index = at[0], size = embed[0];
    for (size_t i = 1; i < rank; ++i) index = index * embed[i] + at[i], size *= embed[i];
    if (!isGiven) return batch * size + index;
    return isInput ? batch * c.idist + index * c.istride : batch * c.odist + index * c.ostride;
  };
  long long total = 1;
  for (long long n : c.n) total *= n;
  const auto indexOf = [&](long long i) {
    std::vector<long long> at(rank);
    for (size_t d = rank; d-- > 0; i /= c.n[d]) at[d] = i % c.n[d];
    return at;
  };
  // What is meant: all numbers, of which half are stored where they are those of a real transform.
  std::vector<std::vector<Wide>> numbers(c.batch);
  for (long long b = 0; b < c.batch; ++b)
    for (long long i = 0; i < total; ++i) {
      const long double im = kind == Kind::ToComplex ? 0 : R(some(2 * (b * total + i) + 1));
      numbers[b].push_back({R(some(2 * (b * total + i))), im});
    }
  if (kind == Kind::ToReal) // a real transform's inverse has partners that are each other's conjugate
    for (auto &all : numbers) {
      const std::vector<Wide> before = all;
      for (long long i = 0; i < total; ++i) {
        auto at = indexOf(i);
        for (size_t d = 0; d < rank; ++d) at[d] = (c.n[d] - at[d]) % c.n[d];
        long long other = at[0];
        for (size_t d = 1; d < rank; ++d) other = other * c.n[d] + at[d];
        all[i] =
            Wide(R((before[i].real() + before[other].real()) / 2), R((before[i].imag() - before[other].imag()) / 2));
      }
    }
  const long long bytes = 1 << 18;
  Array<char> in(bytes), out(bytes);
  cufftHandle plan;
  const cufftType type = kind == Kind::Complex     ? Types<R>::complex
                         : kind == Kind::ToComplex ? Types<R>::toComplex
                                                   : Types<R>::toReal;
  std::vector<int> n(c.n.begin(), c.n.end()), inembed(c.inembed.begin(), c.inembed.end()),
      onembed(c.onembed.begin(), c.onembed.end());
  FFT(cufftPlanMany(&plan, rank, n.data(), isGiven ? inembed.data() : nullptr, c.istride, c.idist,
                    isGiven ? onembed.data() : nullptr, c.ostride, c.odist, type, c.batch));
  for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    if (kind == Kind::ToComplex && direction == CUFFT_INVERSE) continue;
    if (kind == Kind::ToReal && direction == CUFFT_FORWARD) continue;
    std::memset(in.data, 0x77, bytes);
    std::memset(out.data, 0x77, bytes);
    In *const from = reinterpret_cast<In *>(in.data);
    Out *const into = reinterpret_cast<Out *>(c.isInPlace ? in.data : out.data);
    for (long long b = 0; b < c.batch; ++b)
      for (long long i = 0; i < total; ++i) {
        const auto at = indexOf(i);
        if (at[rank - 1] >= line(kind == Kind::ToComplex)) continue;
        if constexpr (std::is_same_v<In, R>)
          from[place(true, b, at)] = R(numbers[b][i].real());
        else
          from[place(true, b, at)] = {R(numbers[b][i].real()), R(numbers[b][i].imag())};
      }
    const std::vector<char> before(out.data, out.data + bytes);
    FFT(cufftXtExec(plan, from, into, direction));
    OK(cudaDeviceSynchronize());
    Errors errors;
    std::vector<char> isWritten(bytes);
    for (long long b = 0; b < c.batch; ++b) {
      const std::vector<Wide> right = wanted(numbers[b], c, direction);
      for (long long i = 0; i < total; ++i) {
        const auto at = indexOf(i);
        if (at[rank - 1] >= line(kind == Kind::ToReal)) continue;
        const long long here = place(false, b, at);
        std::memset(isWritten.data() + here * sizeof(Out), 1, sizeof(Out));
        if constexpr (std::is_same_v<Out, R>)
          errors.add(into[here], right[i].real());
        else
          errors.add({into[here].x, into[here].y}, right[i]);
      }
    }
    CHECK(errors.relative() <= kBound<R>);
    if (!c.isInPlace)
      for (long long i = 0; i < bytes; ++i) CHECK(isWritten[i] || out.data[i] == before[i]);
  }
  FFT(cufftDestroy(plan));
}

template <Kind kind> void testBoth(const Case &c) {
  test<float, kind>(c);
  test<double, kind>(c);
}

int main() {
  const std::vector<std::vector<long long>> shapes = {{1, 1},    {2, 3},    {8, 8},    {5, 6},   {16, 9},
                                                      {7, 32},   {33, 2},   {1, 12},   {11, 1},  {2, 3, 4},
                                                      {5, 4, 3}, {8, 8, 8}, {1, 6, 5}, {3, 1, 7}};
  for (const auto &n : shapes)
    for (long long batch : {1, 3})
      for (bool isInPlace : {false, true}) {
        const Case c = {n, batch, {}, {}, 1, 0, 1, 0, isInPlace};
        testBoth<Kind::Complex>(c);
        testBoth<Kind::ToComplex>(c);
        testBoth<Kind::ToReal>(c);
      }
  // Columns of a matrix: transforms that lie side by side.
  for (long long n : {8, 9, 31, 53}) {
    const Case columns = {{n}, 10, {n}, {n}, 10, 1, 10, 1};
    testBoth<Kind::Complex>(columns);
    testBoth<Kind::ToComplex>(columns);
    testBoth<Kind::ToReal>(columns);
    Case inPlace = columns;
    inPlace.isInPlace = true;
    testBoth<Kind::Complex>(inPlace);
    // Another order in than out.
    const Case turned = {{n}, 6, {n}, {n}, 6, 1, 1, n + 2};
    testBoth<Kind::Complex>(turned);
    testBoth<Kind::ToComplex>(turned);
    testBoth<Kind::ToReal>(turned);
    Case turnedInPlace = turned;
    turnedInPlace.isInPlace = true;
    testBoth<Kind::Complex>(turnedInPlace);
    testBoth<Kind::ToComplex>(turnedInPlace);
    testBoth<Kind::ToReal>(turnedInPlace);
  }
  // Parts of larger boxes, with gaps.
  const Case boxes = {{4, 6}, 3, {5, 9}, {7, 8}, 3, 140, 2, 120};
  testBoth<Kind::Complex>(boxes);
  testBoth<Kind::ToComplex>(boxes);
  testBoth<Kind::ToReal>(boxes);
  const Case cubes = {{3, 4, 5}, 2, {3, 6, 7}, {4, 5, 6}, 2, 300, 3, 400};
  testBoth<Kind::Complex>(cubes);
  testBoth<Kind::ToComplex>(cubes);
  testBoth<Kind::ToReal>(cubes);
  return failures != 0;
}
