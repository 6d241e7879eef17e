// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V: every module is translated, or refused with a reason.
#include "tests/frontend/spirv/damage_module.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstring>

namespace us::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const char *folder : {US_SPIRV_MODULES, US_SPIRV_KERNELS})
    for (std::string &module : filesIn(folder, ".spv")) result.push_back(std::move(module));
  return result;
}

void run(std::string_view input) {
  // Words; the product refuses what is none.
  const std::vector<char> bytes(input.begin(), input.end());
  static const auto &facts = *new LanguageFacts(frontend::tests::everything());
  onLargeStack([&] {
    const Logged<frontend::KernelModule> result =
        frontend::compileSpirv({{bytes.data(), bytes.size()}, {}, {}, false}, facts);
    if (result) return;
    if (result.log.empty()) found("an error without a reason");
    // What the validator finds nothing wrong with breaks no rule: the translation did.
    if (result.log.starts_with("error: the module breaks a rule") && !result.log.contains("\nSPIR-V validator: "))
      found(result.log);
  });
}

bool damage(std::string &input, Random &random) {
  frontend::tests::Words words(input.size() / 4);
  if (words.size() < 6) return false;
  std::memcpy(words.data(), input.data(), words.size() * 4);
  frontend::tests::damageModule(words, random);
  input.assign(reinterpret_cast<const char *>(words.data()), words.size() * 4);
  return true;
}

} // namespace us::fuzz
