// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms on several devices: one that is divided, by its definition and by the transform of one device, in the
// orders that the documentation says; and many, of which each device has some.
//! environment: UNDERSTUDY_DEVICES=4
//! nvcc: -lcufft
//! output: done
#include "transforms.h"

#include <algorithm>
#include <cufftXt.h>
#include <numeric>

#define IS(result, ...) CHECK((__VA_ARGS__) == (result))

template <class R> using Numbers = std::vector<std::complex<R>>;

template <class R> Numbers<R> someNumbers(int64_t count) {
  Numbers<R> numbers(count);
  for (int64_t i = 0; i < count; ++i) numbers[i] = {R(some(2 * i)), R(some(2 * i + 1))};
  return numbers;
}

cufftHandle planFor(std::vector<int> devices) {
  cufftHandle plan = 0;
  FFT(cufftCreate(&plan));
  FFT(cufftXtSetGPUs(plan, int(devices.size()), devices.data()));
  return plan;
}

/// What is in a device's part of the memory.
template <class T> std::vector<T> partOf(const cudaLibXtDesc *memory, int i, size_t count) {
  std::vector<T> part(count);
  CHECK(memory->descriptor->size[i] >= count * sizeof(T));
  OK(cudaSetDevice(memory->descriptor->GPUs[i]));
  OK(cudaMemcpy(part.data(), memory->descriptor->data[i], count * sizeof(T), cudaMemcpyDeviceToHost));
  OK(cudaSetDevice(0));
  return part;
}

template <class R> cufftResult runOn(cufftHandle plan, cudaLibXtDesc *memory, int direction) {
  return sizeof(R) == 4 ? cufftXtExecDescriptorC2C(plan, memory, memory, direction)
                        : cufftXtExecDescriptorZ2Z(plan, memory, memory, direction);
}

/// What two H200 had with CUDA 13.0: each number of a device, by where a transform left it.
void checkFactors(int n, const cufftXt1dFactors &factors) {
  static constexpr struct {
    int64_t size, factor1, substringLength;
  } kSeen[] = {{64, 16, 8},     {128, 16, 2},    {256, 32, 4},    {512, 64, 8},     {1024, 64, 8},
               {2048, 128, 16}, {4096, 256, 32}, {8192, 256, 32}, {16384, 512, 64}, {32768, 1024, 128}};
  for (const auto &seen : kSeen)
    if (seen.size == n) CHECK(factors.factor1 == seen.factor1 && factors.substringLength == seen.substringLength);
}

template <class R> void line(std::vector<int> devices, int n, cufftXtSubFormat format) {
  const cufftHandle plan = planFor(devices);
  const int count = int(devices.size());
  std::vector<size_t> sizes(count + 1, 77);
  FFT(cufftMakePlan1d(plan, n, Types<R>::complex, 1, sizes.data()));
  CHECK(sizes[count - 1] != 77 && sizes[count] == 77); // "one value per GPU"
  const Numbers<R> numbers = someNumbers<R>(n);
  Numbers<R> results(n), again(n);
  cudaLibXtDesc *memory = nullptr, *ordered = nullptr;
  FFT(cufftXtMalloc(plan, &memory, format));
  FFT(cufftXtMalloc(plan, &ordered, CUFFT_XT_FORMAT_INPLACE));
  CHECK(memory->subFormat == format && memory->library == LIB_FORMAT_CUFFT && memory->descriptor->nGPUs == count);
  for (int i = 0; i < count; ++i) CHECK(memory->descriptor->GPUs[i] == devices[i]);
  FFT(cufftXtMemcpy(plan, memory, const_cast<std::complex<R> *>(numbers.data()), CUFFT_COPY_HOST_TO_DEVICE));
  if (format == CUFFT_XT_FORMAT_INPLACE)
    for (int i = 0; i < count; ++i)
      CHECK(partOf<std::complex<R>>(memory, i, n / count) ==
            Numbers<R>(numbers.begin() + i * (n / count), numbers.begin() + (i + 1) * (n / count)));
  FFT(runOn<R>(plan, memory, CUFFT_FORWARD));
  CHECK(memory->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  IS(CUFFT_INVALID_TYPE, runOn<R>(plan, memory, CUFFT_FORWARD));
  FFT(cufftXtMemcpy(plan, results.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
  const Definition definition(n);
  Errors errors;
  for (int k = 0; k < n; k += n > 1024 ? 37 : 1)
    errors.add(results[k], definition.at(k, -1, [&](int64_t j) { return Wide(numbers[j]); }));
  CHECK(errors.relative() < kBound<R>);

  // "Each string is composed of factor2 substrings. Each substring contains contiguous results starting factor1
  // elements subsequent to the start of the previous substring. Each string starts substring size elements after the
  // previous."
  cufftXt1dFactors factors;
  FFT(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS));
  CHECK(factors.size == n && factors.factor1 * factors.factor2 == n && factors.stringCount * factors.stringLength == n);
  CHECK(factors.substringLength * factors.factor2 == factors.stringLength && factors.stringCount % count == 0);
  CHECK(factors.stringMask == factors.stringLength - 1 && 1 << factors.stringShift == factors.stringLength);
  CHECK(factors.substringMask == factors.substringLength - 1 && 1 << factors.substringShift == factors.substringLength);
  CHECK(factors.factor1Mask == factors.factor1 - 1 && 1 << factors.factor1Shift == factors.factor1);
  CHECK(factors.factor2Mask == factors.factor2 - 1 && 1 << factors.factor2Shift == factors.factor2);
  if (count == 2) checkFactors(n, factors);
  for (int i = 0; i < count; ++i) {
    const Numbers<R> part = partOf<std::complex<R>>(memory, i, n / count);
    for (int at = 0; at < n / count; ++at) {
      const int64_t place = int64_t(i) * (n / count) + at, string = place / factors.stringLength;
      const int64_t substring = place % factors.stringLength / factors.substringLength;
      CHECK(part[at] ==
            results[substring * factors.factor1 + string * factors.substringLength + place % factors.substringLength]);
    }
  }
  FFT(cufftXtMemcpy(plan, ordered, memory, CUFFT_COPY_DEVICE_TO_DEVICE));
  for (int i = 0; i < count; ++i)
    CHECK(partOf<std::complex<R>>(ordered, i, n / count) ==
          Numbers<R>(results.begin() + i * (n / count), results.begin() + (i + 1) * (n / count)));
  FFT(cufftXtExecDescriptor(plan, ordered, ordered, CUFFT_INVERSE));
  FFT(cufftXtMemcpy(plan, again.data(), ordered, CUFFT_COPY_DEVICE_TO_HOST));
  errors = {};
  for (int i = 0; i < n; ++i) errors.add(again[i], Wide(numbers[i]) * (long double)n);
  CHECK(errors.relative() < 2 * kBound<R>);
  FFT(cufftXtFree(memory));
  FFT(cufftXtFree(ordered));
  FFT(cufftDestroy(plan));
}

/// Of complex numbers, or (real) of real ones, padded.
template <class R> void grid(std::vector<int> devices, std::vector<int> n, bool isReal) {
  const int count = int(devices.size()), rank = int(n.size());
  const int last = isReal ? n.back() / 2 + 1 : n.back();
  const int64_t lines = std::accumulate(n.begin(), n.end() - 1, int64_t(1), std::multiplies<>()), total = lines * last;
  const auto make = [&](cufftHandle plan, cufftType type, size_t *sizes) {
    return rank == 2 ? cufftMakePlan2d(plan, n[0], n[1], type, sizes)
                     : cufftMakePlan3d(plan, n[0], n[1], n[2], type, sizes);
  };
  std::vector<size_t> sizes(count);
  const cufftHandle plan = planFor(devices), back = isReal ? planFor(devices) : plan;
  cufftHandle one;
  FFT(cufftCreate(&one));
  FFT(make(plan, isReal ? Types<R>::toComplex : Types<R>::complex, sizes.data()));
  FFT(make(one, isReal ? Types<R>::toComplex : Types<R>::complex, sizes.data()));
  if (isReal) FFT(make(back, Types<R>::toReal, sizes.data()));

  Numbers<R> numbers = someNumbers<R>(total), results(total), again(total);
  Array<typename Types<R>::Complex> expected(total);
  OK(cudaMemcpy(expected.data, numbers.data(), total * sizeof(numbers[0]), cudaMemcpyHostToDevice));
  FFT(cufftXtExec(one, expected.data, expected.data, CUFFT_FORWARD));
  OK(cudaDeviceSynchronize());
  cudaLibXtDesc *memory = nullptr;
  FFT(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMemcpy(plan, memory, numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
  // "The first m % n GPUs would get one extra row for 2D transforms, one extra plane for 3D transforms."
  const auto share = [&](int all, int i) { return all / count + (i < all % count); };
  const auto first = [&](int all, int i) { return all / count * i + std::min(i, all % count); };
  for (int i = 0; i < count; ++i) {
    const int64_t row = total / n[0];
    CHECK(partOf<std::complex<R>>(memory, i, share(n[0], i) * row) ==
          Numbers<R>(numbers.begin() + first(n[0], i) * row, numbers.begin() + first(n[0], i + 1) * row));
  }
  FFT(cufftXtExecDescriptor(plan, memory, memory, CUFFT_FORWARD));
  CHECK(memory->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  FFT(cufftXtMemcpy(plan, results.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
  Errors errors;
  for (int64_t i = 0; i < total; ++i) errors.add(results[i], {expected.data[i].x, expected.data[i].y});
  CHECK(errors.relative() < kBound<R>);
  // "After the transform, each GPU again has a portion of the surface, but divided in the y dimension."
  const int second = rank == 2 ? last : n[1], plane = rank == 2 ? 1 : last;
  for (int i = 0; i < count; ++i) {
    const int rows = share(second, i);
    const Numbers<R> part = partOf<std::complex<R>>(memory, i, int64_t(n[0]) * rows * plane);
    for (int x = 0; x < n[0]; ++x)
      CHECK(std::equal(part.begin() + int64_t(x) * rows * plane, part.begin() + int64_t(x + 1) * rows * plane,
                       results.begin() + (int64_t(x) * second + first(second, i)) * plane));
  }
  // Back from that order to the natural one.
  FFT(cufftXtExecDescriptor(back, memory, memory, CUFFT_INVERSE));
  CHECK(memory->subFormat == CUFFT_XT_FORMAT_INPLACE);
  FFT(cufftXtMemcpy(back, again.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
  errors = {};
  for (int64_t i = 0; i < lines; ++i)
    for (int j = 0; j < n.back(); ++j) {
      const R *const is = reinterpret_cast<R *>(again.data()), *const was = reinterpret_cast<R *>(numbers.data());
      for (int half = 0; half < (isReal ? 1 : 2); ++half) {
        const int64_t at = isReal ? i * last * 2 + j : (i * last + j) * 2 + half;
        errors.add(is[at], Wide(was[at]) * (long double)(lines * n.back()));
      }
    }
  CHECK(errors.relative() < 2 * kBound<R>);
  if (isReal && rank == 2) IS(CUFFT_INVALID_TYPE, cufftXtExecDescriptor(back, memory, memory, CUFFT_INVERSE));
  FFT(cufftXtFree(memory));
  FFT(cufftDestroy(one));
  FFT(cufftDestroy(plan));
  if (isReal) FFT(cufftDestroy(back));
}

template <class R> void batches(std::vector<int> devices, int n, int batch) {
  const cufftHandle plan = planFor(devices);
  const int count = int(devices.size());
  std::vector<size_t> sizes(count);
  FFT(cufftMakePlan1d(plan, n, Types<R>::complex, batch, sizes.data()));
  Numbers<R> numbers = someNumbers<R>(int64_t(n) * batch), results(numbers.size());
  cudaLibXtDesc *memory = nullptr;
  FFT(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMemcpy(plan, memory, numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
  FFT(runOn<R>(plan, memory, CUFFT_INVERSE));
  FFT(cufftXtMemcpy(plan, results.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
  const Definition definition(n);
  Errors errors;
  for (int b = 0; b < batch; ++b)
    for (int k = 0; k < n; ++k)
      errors.add(results[b * n + k], definition.at(k, 1, [&](int64_t j) { return Wide(numbers[b * n + j]); }));
  CHECK(errors.relative() < kBound<R>);
  // "The first m % n GPUs execute floor(m / n) + 1 transforms. The remaining GPUs execute floor(m / n)."
  for (int i = 0, first = 0; i < count; ++i) {
    const int some = batch / count + (i < batch % count);
    if (some)
      CHECK(partOf<std::complex<R>>(memory, i, some * n) ==
            Numbers<R>(results.begin() + first * n, results.begin() + (first + some) * n));
    first += some;
  }
  FFT(cufftXtFree(memory));
  FFT(cufftDestroy(plan));
}

/// Real numbers from one memory into another, and with places of their own.
void batchesApart() {
  constexpr int n = 30, batch = 5, padded = 33, half = n / 2 + 1;
  for (const bool isGiven : {false, true}) {
    const cufftHandle plan = planFor({2, 0});
    size_t sizes[2];
    int size[] = {n}, in[] = {padded}, out[] = {half};
    const int from = isGiven ? padded : n;
    FFT(cufftMakePlanMany(plan, 1, size, isGiven ? in : nullptr, 1, padded, isGiven ? out : nullptr, 1, half, CUFFT_D2Z,
                          batch, sizes));
    std::vector<double> numbers(from * batch);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = some(i);
    Numbers<double> results(half * batch);
    cudaLibXtDesc *input = nullptr, *output = nullptr;
    FFT(cufftXtMalloc(plan, &input, CUFFT_XT_FORMAT_INPUT));
    FFT(cufftXtMalloc(plan, &output, CUFFT_XT_FORMAT_OUTPUT));
    FFT(cufftXtMemcpy(plan, input, numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
    FFT(cufftXtExecDescriptorD2Z(plan, input, output));
    FFT(cufftXtMemcpy(plan, results.data(), output, CUFFT_COPY_DEVICE_TO_HOST));
    const Definition definition(n);
    Errors errors;
    for (int b = 0; b < batch; ++b)
      for (int k = 0; k < half; ++k)
        errors.add(results[b * half + k], definition.at(k, -1, [&](int64_t j) { return Wide(numbers[b * from + j]); }));
    CHECK(errors.relative() < kBound<double>);
    if (!isGiven) { // and back into the memory of real numbers
      const cufftHandle back = planFor({2, 0});
      FFT(cufftMakePlan1d(back, n, CUFFT_Z2D, batch, sizes));
      FFT(cufftXtExecDescriptorZ2D(back, output, input));
      std::vector<double> again(n * batch);
      FFT(cufftXtMemcpy(plan, again.data(), input, CUFFT_COPY_DEVICE_TO_HOST));
      errors = {};
      for (size_t i = 0; i < again.size(); ++i) errors.add(again[i], Wide(numbers[i]) * (long double)n);
      CHECK(errors.relative() < 2 * kBound<double>);
      FFT(cufftDestroy(back));
    }
    FFT(cufftXtFree(input));
    FFT(cufftXtFree(output));
    FFT(cufftDestroy(plan));
  }
}

void wrongCalls() {
  size_t sizes[4] = {};
  int absent[] = {0, 99}, same[] = {1, 1}, negative[] = {-1, 0}, two[] = {0, 1};
  cufftHandle plan = planFor({0, 1}), three = planFor({0, 1, 2});
  IS(CUFFT_INVALID_DEVICE, cufftXtSetGPUs(plan, 2, absent));
  FFT(cufftXtSetGPUs(plan, 2, same)); // this and the next answers as NVIDIA's library has them
  FFT(cufftXtSetGPUs(plan, 2, two));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 1, two));
  IS(CUFFT_INVALID_DEVICE, cufftXtSetGPUs(plan, 2, negative));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 2, nullptr));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 0, two));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 17, two));
  IS(CUFFT_INVALID_PLAN, cufftXtSetGPUs(-1, 2, two));
  // One transform of one dimension: complex numbers, a power of 2, at least 64.
  IS(CUFFT_INVALID_SIZE, cufftMakePlan1d(plan, 100, CUFFT_C2C, 1, sizes));
  IS(CUFFT_INVALID_SIZE, cufftMakePlan1d(plan, 32, CUFFT_C2C, 1, sizes));
  IS(CUFFT_INVALID_SIZE, cufftMakePlan1d(plan, 64, CUFFT_R2C, 1, sizes));
  IS(CUFFT_INVALID_SIZE, cufftGetSize1d(plan, 32, CUFFT_C2C, 1, sizes));
  IS(CUFFT_INVALID_VALUE, cufftMakePlan1d(three, 64, CUFFT_C2C, 1, sizes));
  IS(CUFFT_INVALID_SIZE, cufftMakePlan2d(plan, 64, 16, CUFFT_C2C, sizes));
  int n[] = {64}, embed[] = {64};
  IS(CUFFT_NOT_SUPPORTED, cufftMakePlanMany(plan, 1, n, embed, 2, 1, embed, 2, 1, CUFFT_C2C, 1, sizes));
  IS(CUFFT_NOT_SUPPORTED, cufftMakePlanMany(plan, 1, n, embed, 2, 1, embed, 2, 1, CUFFT_C2C, 2, sizes));
  FFT(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, sizes));
  FFT(cufftMakePlan1d(three, 64, CUFFT_C2C, 3, sizes));
  IS(CUFFT_INVALID_PLAN, cufftXtSetGPUs(plan, 2, two));

  cudaLibXtDesc *memory = nullptr, *other = nullptr, *foreign = nullptr;
  IS(CUFFT_INVALID_VALUE, cufftXtMalloc(plan, nullptr, CUFFT_XT_FORMAT_INPLACE));
  IS(CUFFT_INVALID_VALUE, cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_OUTPUT)); // "only in-place mode"
  IS(CUFFT_INVALID_VALUE, cufftXtMalloc(plan, &memory, (cufftXtSubFormat)99));
  FFT(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMalloc(plan, &other, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMalloc(three, &foreign, CUFFT_XT_FORMAT_INPLACE));
  IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, memory, other, CUFFT_FORWARD));
  IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, foreign, foreign, CUFFT_FORWARD)); // "the same GPUs"
  IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, memory, memory, 0));
  IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, nullptr, memory, CUFFT_FORWARD));
  IS(CUFFT_INVALID_TYPE, cufftXtExecDescriptorZ2Z(plan, memory, memory, CUFFT_FORWARD));
  IS(CUFFT_INVALID_TYPE, cufftXtExecDescriptorR2C(plan, memory, memory));
  IS(CUFFT_INVALID_PLAN, cufftExecC2C(plan, (cufftComplex *)memory->descriptor->data[0],
                                      (cufftComplex *)memory->descriptor->data[0], CUFFT_FORWARD));
  IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, memory, foreign, CUFFT_COPY_DEVICE_TO_DEVICE));
  IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, memory, other, CUFFT_COPY_UNDEFINED));
  const size_t size = memory->descriptor->size[1];
  memory->descriptor->size[1] = size - 1;
  IS(CUFFT_INVALID_VALUE, cufftXtExecDescriptorC2C(plan, memory, memory, CUFFT_FORWARD));
  memory->descriptor->size[1] = size;
  cufftXt1dFactors factors;
  IS(CUFFT_INVALID_VALUE, cufftXtQueryPlan(plan, nullptr, CUFFT_QUERY_1D_FACTORS));
  IS(CUFFT_NOT_SUPPORTED, cufftXtQueryPlan(three, &factors, CUFFT_QUERY_1D_FACTORS));
  FFT(cufftGetSize(plan, sizes));
  CHECK(sizes[0] > 0 && sizes[1] > 0);
  void *areas[] = {nullptr, nullptr};
  FFT(cufftXtSetWorkArea(plan, areas));
  FFT(cufftXtFree(memory));
  FFT(cufftXtFree(other));
  FFT(cufftXtFree(foreign));
  FFT(cufftDestroy(plan));
  FFT(cufftDestroy(three));
}

int main() {
  for (const auto format : {CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED}) {
    line<float>({0, 1}, 1024, format);
    line<double>({1, 0}, 64, format);
    for (const int n : {128, 512, 2048, 4096, 16384}) line<float>({0, 1}, n, format);
    line<float>({3, 1, 0, 2}, 8192, format);
    line<double>({0, 1, 2, 3}, 128, format);
  }
  grid<float>({0, 1, 2, 3}, {65, 99}, false);
  grid<double>({1, 0}, {32, 40}, false);
  grid<double>({2, 0, 1}, {37, 34, 32}, false);
  grid<float>({0, 1}, {33, 32, 16}, false);
  grid<float>({1, 1}, {33, 32}, false);
  grid<float>({0, 1}, {64, 70}, true);
  grid<double>({0, 3, 1}, {33, 35, 36}, true);
  batches<float>({0, 1, 2}, 100, 7);
  batches<double>({1, 0}, 37, 2);
  batches<float>({3, 2, 1, 0}, 64, 2); // two have nothing to do
  batchesApart();
  wrongCalls();
  int device = -1;
  OK(cudaGetDevice(&device));
  CHECK(device == 0);
  if (!failures) std::printf("done\n");
  return failures != 0;
}
