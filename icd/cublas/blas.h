// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's BLAS and LAPACK by their Fortran names, which are the same in every implementation. They are looked for
// when they are first called.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <type_traits>

namespace us::cublas {

/// The address of "sgemm_", or null. OpenBLAS is asked first, then whatever the system has as BLAS and LAPACK.
void *findRoutine(const char *symbol);

/// A name as a template's argument.
template <size_t size> struct Name {
  char text[size];
  constexpr Name(const char (&name)[size]) { std::copy_n(name, size, text); }
};

template <class T> inline constexpr char kLetter = 0;
template <> inline constexpr char kLetter<float> = 's';
template <> inline constexpr char kLetter<double> = 'd';
template <> inline constexpr char kLetter<std::complex<float>> = 'c';
template <> inline constexpr char kLetter<std::complex<double>> = 'z';

template <class T> struct PartOf {
  using Type = T;
};
template <class T> struct PartOf<std::complex<T>> {
  using Type = T;
};
template <class T> using Part = typename PartOf<T>::Type;
template <class T> inline constexpr bool kIsComplex = !std::is_same_v<T, Part<T>>;
template <class T> T conjugate(T x) {
  if constexpr (kIsComplex<T>) return std::conj(x);
  return x;
}

template <Name name> void *routine() {
  static void *const found = findRoutine(name.text);
  return found;
}

/// What is passed as a whole: scalars by their address, memory as it is.
template <class T> const T *addressOf(const T &value) { return &value; }
template <class T> T *addressOf(T *const &memory) { return memory; }

template <Name name, class T> void *routineOf() {
  constexpr auto symbol = [] {
    char text[sizeof name.text + 2] = {};
    text[0] = kLetter<T>;
    std::copy_n(name.text, sizeof name.text - 1, text + 1);
    text[sizeof name.text] = '_';
    return Name(text);
  }();
  return routine<symbol>();
}

/// call<"gemm", float>(...) is sgemm_. Fortran passes the lengths of texts at the end; without texts nobody looks
/// there.
template <Name name, class T, class... Arguments> void call(const Arguments &...arguments) {
  using Function = void(decltype(addressOf(arguments))..., size_t, size_t, size_t, size_t);
  reinterpret_cast<Function *>(routineOf<name, T>())(addressOf(arguments)..., 1, 1, 1, 1);
}
/// The one of that whole name.
template <class Result, Name name, class... Arguments> Result function(const Arguments &...arguments) {
  using Function = Result(decltype(addressOf(arguments))..., size_t, size_t, size_t, size_t);
  return reinterpret_cast<Function *>(routine<name>())(addressOf(arguments)..., 1, 1, 1, 1);
}

} // namespace us::cublas
