// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front ends: source in, kernel IR and a log out. Nothing is read from disk but what the source includes.
#pragma once

#include "frontend/kernel_module.h"
#include "runtime/device/compile_request.h"

#include <string_view>

namespace us::frontend {

/// By the front end of the source's language. The log has warnings too. Needs a stack of 64 MiB; thread-safe.
Logged<KernelModule> compile(const CompileRequest &request, const LanguageFacts &facts);

#define US_LANGUAGE(name, ending, frontEnd)                                                                            \
  Logged<KernelModule> frontEnd(const CompileRequest &request, const LanguageFacts &facts);
#include "runtime/device/languages.def"
#undef US_LANGUAGE

/// What clLinkProgram's options ask for.
struct LinkOptions {
  bool createLibrary = false;
  bool enableLinkOptions = false;
};

Expected<LinkOptions> parseLinkOptions(std::string_view options);

} // namespace us::frontend
