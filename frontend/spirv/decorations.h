// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpDecorate and its like say of ids and struct members.
#pragma once

#include "frontend/spirv/module_reader.h"

#include <optional>
#include <unordered_map>

namespace us::frontend::spirv {

struct Decoration {
  spv::Decoration kind;
  std::span<const uint32_t> operands;
};

class Decorations {
public:
  /// False if the instruction decorates nothing.
  bool add(const Instruction &instruction);

  std::span<const Decoration> of(uint32_t id) const;
  std::span<const Decoration> ofMember(uint32_t structure, uint32_t member) const;
  /// Null if there is none.
  const Decoration *find(uint32_t id, spv::Decoration kind) const;
  bool has(uint32_t id, spv::Decoration kind) const { return find(id, kind) != nullptr; }
  /// The decoration's first operand.
  std::optional<uint32_t> number(uint32_t id, spv::Decoration kind) const;

private:
  std::unordered_map<uint64_t, std::vector<Decoration>> decorations_; ///< by id, and member + 1 above
};

/// LinkageAttributes.
struct Linkage {
  std::string name;
  bool isImport = false;
  bool mayRepeat = false; ///< LinkOnceODR: other modules may define the same
};
std::optional<Linkage> linkageOf(const Decorations &decorations, uint32_t id);

} // namespace us::frontend::spirv
