// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What plans with callbacks of both kinds are held against: which offsets each is called with, and the transform of
// numbers that the host has changed.
#pragma once
#include "transforms.h"

#include <cstring>
#include <cufftXt.h>
#include <functional>
#include <string>

#include "callback_functions.h"

#define IS(result, ...) CHECK((__VA_ARGS__) == (result))

enum class Kind { Complex, ToComplex, ToReal };

struct Case {
  std::vector<int> n;
  int batch = 1;
  bool isInPlace = false;
  std::vector<int> inembed = {}, onembed = {}; // none: what numbers that follow one another have
  int istride = 1, idist = 0, ostride = 1, odist = 0;
};

/// Sets both callbacks of a handle: before it is made a plan, or after it.
using Attach = std::function<void(cufftHandle plan, cufftXtCallbackType type, Info *info)>;
struct Way {
  Attach before, after;
};

/// The offsets of a plan's input or output, in elements ("Advanced Data Layout", "Data Layout").
inline std::vector<size_t> offsetsOf(const Case &c, Kind kind, bool isInput) {
  const bool isReal = kind == (isInput ? Kind::ToComplex : Kind::ToReal);
  const int rank = c.n.size(), last = c.n[rank - 1], half = last / 2 + 1;
  const int line = kind == Kind::Complex || isReal ? last : half;
  std::vector<int> embed = isInput ? c.inembed : c.onembed;
  size_t stride = isInput ? c.istride : c.ostride, distance = isInput ? c.idist : c.odist;
  if (c.inembed.empty()) {
    embed = c.n;
    embed[rank - 1] = isReal && c.isInPlace ? 2 * half : line;
    stride = distance = 1;
    for (int size : embed) distance *= size;
  }
  std::vector<size_t> offsets;
  for (int b = 0; b < c.batch; ++b)
    for (int x = 0; x < (rank > 2 ? c.n[rank - 3] : 1); ++x)
      for (int y = 0; y < (rank > 1 ? c.n[rank - 2] : 1); ++y)
        for (int z = 0; z < line; ++z)
          offsets.push_back(b * distance +
                            ((size_t(x) * (rank > 1 ? embed[rank - 2] : 1) + y) * embed[rank - 1] + z) * stride);
  return offsets;
}

template <class R> R times(R x, float by) { return x * by; }
inline float2 times(float2 x, float by) { return {x.x * by, x.y * by}; }
inline double2 times(double2 x, float by) { return {x.x * by, x.y * by}; }
template <class R> Wide wide(R x) { return {x, 0}; }
inline Wide wide(float2 x) { return {x.x, x.y}; }
inline Wide wide(double2 x) { return {x.x, x.y}; }

template <class R, Kind kind> void test(const Case &c, const Way &way) {
  using Complex = typename Types<R>::Complex;
  using In = std::conditional_t<kind == Kind::ToComplex, R, Complex>;
  using Out = std::conditional_t<kind == Kind::ToReal, R, Complex>;
  constexpr cufftType type = kind == Kind::Complex     ? Types<R>::complex
                             : kind == Kind::ToComplex ? Types<R>::toComplex
                                                       : Types<R>::toReal;
  constexpr int precision = sizeof(R) == 4 ? 0 : 1;
  constexpr auto load =
      cufftXtCallbackType((kind == Kind::ToComplex ? CUFFT_CB_LD_REAL : CUFFT_CB_LD_COMPLEX) + precision);
  constexpr auto store =
      cufftXtCallbackType((kind == Kind::ToReal ? CUFFT_CB_ST_REAL : CUFFT_CB_ST_COMPLEX) + precision);
  const size_t count = 1 << 14;
  Array<unsigned> loads(count), stores(count);
  Array<Info> infos(2);
  Array<Complex> in(count), other(count), changed(count), plainOut(count);
  infos.data[0] = {loads.data, 2};
  infos.data[1] = {stores.data, 3};
  const std::vector<size_t> from = offsetsOf(c, kind, true), into = offsetsOf(c, kind, false);
  const auto make = [&](cufftHandle plan) {
    Case copy = c;
    const bool isGiven = !c.inembed.empty();
    size_t bytes = 0;
    FFT(cufftMakePlanMany(plan, copy.n.size(), copy.n.data(), isGiven ? copy.inembed.data() : nullptr, c.istride,
                          c.idist, isGiven ? copy.onembed.data() : nullptr, c.ostride, c.odist, type, c.batch, &bytes));
  };
  // Loads only, stores only, both.
  for (int which = 1; which < 4; ++which) {
    cufftHandle plan, plain;
    FFT(cufftCreate(&plan));
    FFT(cufftCreate(&plain));
    if (way.before && (which & 1)) way.before(plan, load, &infos.data[0]);
    if (way.before && (which & 2)) way.before(plan, store, &infos.data[1]);
    make(plan);
    make(plain);
    if (way.after && (which & 1)) way.after(plan, load, &infos.data[0]);
    if (way.after && (which & 2)) way.after(plan, store, &infos.data[1]);
    std::memset(loads.data, 0, count * sizeof(unsigned));
    std::memset(stores.data, 0, count * sizeof(unsigned));
    R *const numbers = reinterpret_cast<R *>(in.data);
    for (size_t i = 0; i < 2 * count; ++i) numbers[i] = R(some(i));
    Complex *const results = c.isInPlace ? in.data : other.data, *const plainResults =
                                                                     c.isInPlace ? changed.data : plainOut.data;
    std::memset(other.data, 0x77, count * sizeof(Complex));
    std::memset(plainOut.data, 0x77, count * sizeof(Complex));
    std::memcpy(changed.data, in.data, count * sizeof(Complex));
    if (which & 1)
      for (size_t offset : from) {
        In &number = reinterpret_cast<In *>(changed.data)[offset];
        number = times(number, FACTOR(2.0f, offset));
      }
    FFT(cufftXtExec(plan, in.data, results, CUFFT_FORWARD));
    FFT(cufftXtExec(plain, changed.data, plainResults, CUFFT_FORWARD));
    FFT(cufftDestroy(plan)); // what is under way goes on
    OK(cudaDeviceSynchronize());
    Errors errors;
    std::vector<unsigned> wantedLoads(count), wantedStores(count);
    for (size_t offset : from) wantedLoads[offset] = which & 1;
    for (size_t offset : into) wantedStores[offset] = which >> 1;
    CHECK(std::equal(wantedLoads.begin(), wantedLoads.end(), loads.data));
    CHECK(std::equal(wantedStores.begin(), wantedStores.end(), stores.data));
    for (size_t offset : into) {
      const Out got = reinterpret_cast<Out *>(results)[offset], before = reinterpret_cast<Out *>(plainResults)[offset];
      errors.add(wide(got), wide(which & 2 ? times(before, FACTOR(3.0f, offset)) : before));
    }
    CHECK(errors.relative() <= kBound<R>);
    FFT(cufftDestroy(plain));
  }
}

template <Kind kind> void testBoth(const Case &c, const Way &way) {
  test<float, kind>(c, way);
  test<double, kind>(c, way);
}
inline void testAll(const Case &c, const Way &way) {
  testBoth<Kind::Complex>(c, way);
  testBoth<Kind::ToComplex>(c, way);
  testBoth<Kind::ToReal>(c, way);
}

inline std::string listed(const std::vector<size_t> &offsets) {
  std::string list;
  for (size_t offset : offsets) list += (list.empty() ? "" : " ") + std::to_string(offset);
  return list;
}

/// The offsets that NVIDIA's library (CUDA 13.0, on an H200) calls with hold for our formula.
inline void testOffsets() {
  const struct {
    Case c;
    Kind kind;
    const char *loads, *stores;
  } kSeen[] = {{{{6}, 2, true}, Kind::ToComplex, "0 1 2 3 4 5 8 9 10 11 12 13", "0 1 2 3 4 5 6 7"},
               {{{3, 5}, 1, true}, Kind::ToComplex, "0 1 2 3 4 6 7 8 9 10 12 13 14 15 16", "0 1 2 3 4 5 6 7 8"},
               {{{6}, 2, true}, Kind::ToReal, "0 1 2 3 4 5 6 7", "0 1 2 3 4 5 8 9 10 11 12 13"},
               {{{3, 5}, 1, true}, Kind::ToReal, "0 1 2 3 4 5 6 7 8", "0 1 2 3 4 6 7 8 9 10 12 13 14 15 16"},
               {{{6}, 2, false}, Kind::ToComplex, "0 1 2 3 4 5 6 7 8 9 10 11", "0 1 2 3 4 5 6 7"},
               {{{3, 5}, 1, false}, Kind::ToReal, "0 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"},
               {{{3, 4}, 2, false, {3, 6}, {3, 5}, 2, 50, 3, 60},
                Kind::Complex,
                "0 2 4 6 12 14 16 18 24 26 28 30 50 52 54 56 62 64 66 68 74 76 78 80",
                "0 3 6 9 15 18 21 24 30 33 36 39 60 63 66 69 75 78 81 84 90 93 96 99"}};
  for (const auto &seen : kSeen) {
    CHECK(listed(offsetsOf(seen.c, seen.kind, true)) == seen.loads);
    CHECK(listed(offsetsOf(seen.c, seen.kind, false)) == seen.stores);
  }
}

inline void testLayouts(const Way &way) {
  testOffsets();
  for (bool isInPlace : {false, true})
    for (const Case &c :
         {Case{{6}, 2, isInPlace}, Case{{1}, 3, isInPlace}, Case{{17}, 5, isInPlace}, Case{{1000}, 3, isInPlace},
          Case{{3, 5}, 2, isInPlace}, Case{{8, 4}, 1, isInPlace}, Case{{4, 3, 6}, 2, isInPlace}})
      testAll(c, way);
  testAll({{3, 4}, 2, false, {3, 6}, {3, 5}, 2, 50, 3, 60}, way);
  testAll({{9}, 10, false, {9}, {9}, 10, 1, 10, 1}, way); // columns of a matrix
  testBoth<Kind::Complex>({{8}, 6, true, {8}, {8}, 6, 1, 1, 10}, way);
}
