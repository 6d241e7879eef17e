// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front ends: source in, kernel IR and a log out. Nothing is read from disk but what the source includes.
#pragma once

#include "frontend/kernel_module.h"
#include "runtime/base/expected.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::frontend {

/// What the language must know of the device.
struct LanguageFacts {
  std::vector<std::string> extensions; ///< names of the extensions offered: exactly these macros are defined
  std::vector<std::string> features;   ///< names of the OpenCL C 3.0 features offered: likewise
  bool hasFma = true;                  ///< defines the FP_FAST_FMA macros
};

/// A header the program includes by name, from memory.
struct HeaderText {
  std::string_view name, text;
};

struct CompileRequest {
  std::string_view source;
  std::string_view options; ///< as the API took them
  std::span<const HeaderText> headers;
  bool link = true; ///< builds a whole program (decides which error invalid options are)
  LanguageFacts facts;
};

struct CompileResult {
  bool ok = false;
  KernelModule output; ///< if ok
  std::string log;     ///< warnings too
  Error error{};       ///< if not ok
};

/// The application's value for a specialization constant.
struct Specialization {
  uint32_t id = 0;
  std::span<const std::byte> bytes;
};

struct IlRequest {
  std::span<const std::byte> module; ///< SPIR-V, in either byte order
  std::string_view options;          ///< as the API took them
  std::span<const Specialization> specializations;
  bool link = true; ///< as of CompileRequest
  LanguageFacts facts;
};

/// Compiles OpenCL C. Needs a stack of 64 MiB; thread-safe.
CompileResult compileOpenCl(const CompileRequest &request);
/// Translates SPIR-V. The same needs.
CompileResult compileSpirv(const IlRequest &request);
/// Translates PTX, which has neither options nor headers. The same needs.
CompileResult compilePtx(const CompileRequest &request);

/// What clLinkProgram's options ask for.
struct LinkOptions {
  bool createLibrary = false;
  bool enableLinkOptions = false;
};

Expected<LinkOptions> parseLinkOptions(std::string_view options);

} // namespace us::frontend
