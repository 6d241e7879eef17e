// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a build is made from, described once: the device interface, the cache's key (emulator/device/cache_key.cpp), the
// compiler library's table and the front ends share it.
#pragma once

#include "runtime/base/expected.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace us {

/// What the source of a program is in: the rows of languages.def.
enum class SourceLanguage : uint8_t {
#define US_LANGUAGE(name, ending, frontEnd) name,
#include "runtime/device/languages.def"
#undef US_LANGUAGE
};

/// By language: how the name of a file that holds it ends.
inline constexpr std::string_view kLanguageEndings[] = {
#define US_LANGUAGE(name, ending, frontEnd) ending,
#include "runtime/device/languages.def"
#undef US_LANGUAGE
};
constexpr std::string_view endingOf(SourceLanguage language) { return kLanguageEndings[size_t(language)]; }

/// What the file of that name holds; OpenCL C if its name does not say.
constexpr SourceLanguage languageOfFile(std::string_view name) {
  for (size_t row = 0; row < std::size(kLanguageEndings); ++row)
    if (name.ends_with(kLanguageEndings[row])) return SourceLanguage(row);
  return SourceLanguage::OpenClC;
}

/// A header that a source includes by name, from memory.
struct NamedText {
  std::string_view name; ///< as written in the #include
  std::string_view text;
};

/// The application's value for a specialization constant of an intermediate language.
struct SpecializationValue {
  uint32_t id = 0;
  std::vector<std::byte> bytes;
};

/// What is to be built. Whoever asks owns the texts, for as long as the build takes.
struct CompileRequest {
  std::string_view source;  ///< the text, or the bytes of a module
  std::string_view options; ///< the API's build options, as given
  std::vector<NamedText> headers;
  bool link = true; ///< build (compile and link into an executable), or compile only
  SourceLanguage language = SourceLanguage::OpenClC;
  std::vector<SpecializationValue> specializations = {};
};

/// What the language must know of the device it is built for.
struct LanguageFacts {
  std::vector<std::string> extensions; ///< e.g. "cl_khr_fp64": exactly these macros are defined
  std::vector<std::string> features;   ///< e.g. "__opencl_c_fp64": likewise
  unsigned openclVersion = 310;        ///< __OPENCL_VERSION__; no newer OpenCL C is taken
  bool hasFma = true;                  ///< FP_FAST_FMA macros
  uint64_t localMemory = 0;            ///< bytes; more static local memory in a kernel is a build error (0: no limit)
  uint64_t maxProgramVariable = 0;     ///< bytes; more program-scope variables are a build error (0: no limit)
  bool keepsNames = false;             ///< variables keep their names, and places their columns, for messages
};

/// What a build, or a step of one, gives: a result or an error, and in either case what there is to say.
template <class T> struct [[nodiscard]] Logged : Expected<T> {
  Logged(Expected<T> result, std::string log = {}) : Expected<T>(std::move(result)), log(std::move(log)) {}
  Logged(std::unexpected<Error> error, std::string log = {}) : Expected<T>(std::move(error)), log(std::move(log)) {}
  std::string log;
};

} // namespace us
