// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/library_names.h"

#include <llvm/IR/Function.h>

#include <bit>

namespace us::codegen {

llvm::StringRef takeName(llvm::StringRef &parameters) {
  size_t length = 0;
  llvm::StringRef rest = parameters;
  if (rest.consumeInteger(10, length) || length > rest.size()) return {};
  parameters = rest.drop_front(length);
  return rest.take_front(length);
}

LibraryName libraryName(const llvm::CallBase &call) {
  const llvm::Function *function = call.getCalledFunction();
  LibraryName name;
  if (!function) return name;
  name.parameters = function->getName();
  if (!name.parameters.consume_front("_Z")) return {};
  name.function = takeName(name.parameters);
  return name;
}

uint64_t pointeeBytes(llvm::StringRef parameters) {
  unsigned space = 0;
  if (!parameters.consume_front("P")) return 0;
  if (parameters.consume_front("U3AS") && parameters.consumeInteger(10, space)) return 0;
  while (!parameters.empty() && llvm::StringRef("VK").contains(parameters.front()))
    parameters = parameters.drop_front();
  uint64_t elements = 1;
  if (parameters.consume_front("Dv") && (parameters.consumeInteger(10, elements) || !parameters.consume_front("_")))
    return 0;
  static constexpr std::pair<llvm::StringLiteral, uint64_t> kScalars[] = {{"Dh", 2}, {"c", 1}, {"a", 1}, {"h", 1},
                                                                          {"s", 2},  {"t", 2}, {"i", 4}, {"j", 4},
                                                                          {"l", 8},  {"m", 8}, {"f", 4}, {"d", 8}};
  for (const auto &[letter, bytes] : kScalars)
    if (parameters.starts_with(letter)) return bytes * std::bit_ceil(elements); // three take the room of four
  return 0;
}

} // namespace us::codegen
