// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a type that is known when the program runs, as numbers that we calculate with.
#pragma once

#include "icd/cuda/include/library_types.h"

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace us::math {

/// The upper half of a float, rounded to even.
struct Bfloat16 {
  uint16_t bits = 0;
  Bfloat16() = default;
  explicit Bfloat16(float value) {
    const auto whole = std::bit_cast<uint32_t>(value);
    bits = value != value ? uint16_t(whole >> 16 | 0x40) : uint16_t((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};
template <class T> struct Pair {
  T real, imaginary;
};

/// Calls what is given with a null pointer to the type; false if the type is none that is calculated with.
template <class Use> bool withType(cudaDataType type, Use use) {
  switch (type) {
  case CUDA_R_16F:
    return use(static_cast<_Float16 *>(nullptr)), true;
  case CUDA_R_16BF:
    return use(static_cast<Bfloat16 *>(nullptr)), true;
  case CUDA_R_32F:
    return use(static_cast<float *>(nullptr)), true;
  case CUDA_R_64F:
    return use(static_cast<double *>(nullptr)), true;
  case CUDA_R_8I:
    return use(static_cast<int8_t *>(nullptr)), true;
  case CUDA_R_32I:
    return use(static_cast<int32_t *>(nullptr)), true;
  case CUDA_C_16F:
    return use(static_cast<Pair<_Float16> *>(nullptr)), true;
  case CUDA_C_16BF:
    return use(static_cast<Pair<Bfloat16> *>(nullptr)), true;
  case CUDA_C_32F:
    return use(static_cast<std::complex<float> *>(nullptr)), true;
  case CUDA_C_64F:
    return use(static_cast<std::complex<double> *>(nullptr)), true;
  case CUDA_C_8I:
    return use(static_cast<Pair<int8_t> *>(nullptr)), true;
  default:
    return false;
  }
}

inline size_t sizeOf(cudaDataType type) {
  size_t size = 0;
  withType(type, [&](auto *null) { size = sizeof *null; });
  return size;
}

template <class T> inline constexpr bool kIsComplex = false;
template <class T> inline constexpr bool kIsComplex<std::complex<T>> = true;
template <class T> inline constexpr bool kIsPair = kIsComplex<T>;
template <class T> inline constexpr bool kIsPair<Pair<T>> = true;

inline bool isComplex(cudaDataType type) {
  bool is = false;
  withType(type, [&](auto *null) { is = kIsPair<std::remove_pointer_t<decltype(null)>>; });
  return is;
}

/// Of a complex number that becomes a real one, the real part.
template <class To, class From> To convert(const From &value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>)
      return To(value);
    else if constexpr (kIsPair<To>) {
      using Part = decltype(To{}.real);
      return To{convert<Part>(value.real()), convert<Part>(value.imag())};
    } else
      return convert<To>(value.real());
  } else if constexpr (kIsPair<From>) {
    if constexpr (kIsComplex<To>)
      return To(convert<typename To::value_type>(value.real), convert<typename To::value_type>(value.imaginary));
    else
      return convert<To>(value.real);
  } else if constexpr (kIsComplex<To>) {
    return To(convert<typename To::value_type>(value));
  } else if constexpr (kIsPair<To>) {
    return To{convert<decltype(To{}.real)>(value), {}};
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) { // rounded, and within the type
    const double rounded = std::nearbyint(double(value));
    if (rounded != rounded) return 0;
    if (rounded <= double(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (rounded >= double(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(rounded);
  } else if constexpr (std::is_same_v<From, Bfloat16>) {
    return To(float(value));
  } else if constexpr (std::is_same_v<To, Bfloat16>) {
    return To(float(value));
  } else {
    return static_cast<To>(value);
  }
}

template <class T> T load(cudaDataType type, const void *from, int64_t index = 0) {
  T value{};
  withType(type, [&](auto *null) {
    value = convert<T>(static_cast<const std::remove_pointer_t<decltype(null)> *>(from)[index]);
  });
  return value;
}

template <class T> void store(cudaDataType type, void *into, const T &value, int64_t index = 0) {
  withType(type, [&](auto *null) {
    using To = std::remove_pointer_t<decltype(null)>;
    static_cast<To *>(into)[index] = convert<To>(value);
  });
}

} // namespace us::math
