// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/validator.h"

#include <spirv-tools/libspirv.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace us::frontend::spirv {

std::string validate(std::span<const std::byte> bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6),
                                                                             spvContextDestroy);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvValidate(context.get(), &binary, &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owned(diagnostic, spvDiagnosticDestroy);
  if (result == SPV_SUCCESS) return {};
  return diagnostic && diagnostic->error ? diagnostic->error : "the module is not valid";
}

} // namespace us::frontend::spirv
