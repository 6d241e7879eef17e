// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/decorations.h"

namespace us::frontend::spirv {
namespace {

uint64_t keyOf(uint32_t id) { return id; }
uint64_t keyOf(uint32_t structure, uint32_t member) { return structure | (uint64_t(member) + 1) << 32; }

} // namespace

bool Decorations::add(const Instruction &instruction) {
  const std::span<const uint32_t> operands = instruction.operands;
  switch (instruction.opcode) {
  case spv::Op::OpDecorate:
  case spv::Op::OpDecorateId:
  case spv::Op::OpDecorateString:
    decorations_[keyOf(operands[0])].push_back({spv::Decoration(operands[1]), operands.subspan(2)});
    return true;
  case spv::Op::OpMemberDecorate:
  case spv::Op::OpMemberDecorateString:
    decorations_[keyOf(operands[0], operands[1])].push_back({spv::Decoration(operands[2]), operands.subspan(3)});
    return true;
  case spv::Op::OpDecorationGroup:
    return true;
  case spv::Op::OpGroupDecorate: {
    const std::vector<Decoration> group = decorations_[keyOf(operands[0])];
    for (const uint32_t target : operands.subspan(1)) {
      std::vector<Decoration> &into = decorations_[keyOf(target)];
      into.insert(into.end(), group.begin(), group.end());
    }
    return true;
  }
  case spv::Op::OpGroupMemberDecorate: {
    const std::vector<Decoration> group = decorations_[keyOf(operands[0])];
    for (size_t i = 1; i + 1 < operands.size(); i += 2) {
      std::vector<Decoration> &into = decorations_[keyOf(operands[i], operands[i + 1])];
      into.insert(into.end(), group.begin(), group.end());
    }
    return true;
  }
  default:
    return false;
  }
}

std::span<const Decoration> Decorations::of(uint32_t id) const {
  const auto found = decorations_.find(keyOf(id));
  return found == decorations_.end() ? std::span<const Decoration>() : found->second;
}

std::span<const Decoration> Decorations::ofMember(uint32_t structure, uint32_t member) const {
  const auto found = decorations_.find(keyOf(structure, member));
  return found == decorations_.end() ? std::span<const Decoration>() : found->second;
}

const Decoration *Decorations::find(uint32_t id, spv::Decoration kind) const {
  for (const Decoration &decoration : of(id))
    if (decoration.kind == kind) return &decoration;
  return nullptr;
}

std::optional<uint32_t> Decorations::number(uint32_t id, spv::Decoration kind) const {
  const Decoration *decoration = find(id, kind);
  if (!decoration || decoration->operands.empty()) return std::nullopt;
  return decoration->operands[0];
}

std::optional<Linkage> linkageOf(const Decorations &decorations, uint32_t id) {
  const Decoration *decoration = decorations.find(id, spv::Decoration::LinkageAttributes);
  if (!decoration) return std::nullopt;
  size_t words = 0;
  Linkage linkage{stringIn(decoration->operands, &words)};
  if (words < decoration->operands.size()) {
    const auto type = spv::LinkageType(decoration->operands[words]);
    linkage.isImport = type == spv::LinkageType::Import;
    linkage.mayRepeat = type == spv::LinkageType::LinkOnceODR;
  }
  return linkage;
}

} // namespace us::frontend::spirv
