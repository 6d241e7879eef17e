// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/frontend.h"

namespace us::frontend {

Logged<KernelModule> compile(const CompileRequest &request, const LanguageFacts &facts) {
  static constexpr Logged<KernelModule> (*kFrontEnds[])(const CompileRequest &, const LanguageFacts &) = {
#define US_LANGUAGE(name, ending, frontEnd) frontEnd,
#include "runtime/device/languages.def"
#undef US_LANGUAGE
  };
  return kFrontEnds[size_t(request.language)](request, facts);
}

} // namespace us::frontend
