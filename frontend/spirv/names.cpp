// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/names.h"

#include <bit>

namespace us::frontend::spirv {

Expected<void> checkOuterName(Translation &translation, const Instruction &instruction, const std::string &name) {
  if (name.empty()) return failAt(instruction, "has an empty name");
  if (name.starts_with("us.") || name.starts_with("llvm."))
    return failAt(instruction, "has the reserved name \"" + name + "\"");
  if (translation.module.getNamedValue(name))
    return failAt(instruction, "has the name \"" + name + "\", which is taken");
  return {};
}

std::string innerName(const std::string &name, const char *otherwise) {
  // The dot keeps it apart from names that are looked for: C has none with dots, and "us." and "llvm." come first.
  return "il." + (name.empty() ? std::string(otherwise) : name);
}

Expected<llvm::Align> alignmentFrom(const Instruction &instruction, uint32_t bytes) {
  constexpr uint32_t kLargest = 65536;
  if (!std::has_single_bit(bytes) || bytes > kLargest)
    return failAt(instruction, "has an alignment of " + std::to_string(bytes));
  return llvm::Align(bytes);
}

Expected<llvm::MaybeAlign> alignmentOf(const Translation &translation, const Instruction &instruction) {
  const std::optional<uint32_t> bytes = translation.decorations.number(instruction.result, spv::Decoration::Alignment);
  if (!bytes || *bytes == 0) return llvm::MaybeAlign();
  US_TRY(const llvm::Align alignment, alignmentFrom(instruction, *bytes));
  return llvm::MaybeAlign(alignment);
}

} // namespace us::frontend::spirv
