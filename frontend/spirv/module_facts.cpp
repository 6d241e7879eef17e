// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module says of itself before its types: capabilities, memory model, entry points, execution modes, names.
#include "frontend/frontend.h"
#include "frontend/spirv/grammar.h"
#include "frontend/spirv/translation.h"

#include <algorithm>

namespace us::frontend::spirv {
namespace {

struct Capability {
  spv::Capability capability;
  std::string_view needs;
};
constexpr Capability kCapabilities[] = {
#define US_SPIRV_CAPABILITY(name, number, needs) {spv::Capability::name, needs},
#include "runtime/device/spirv.def"
};

// Who is told what modules may declare is told numbers.
#define US_SPIRV_CAPABILITY(name, number, needs) static_assert(uint32_t(spv::Capability::name) == (number));
#include "runtime/device/spirv.def"

bool has(const std::vector<std::string> &names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Expected<void> noteCapability(Translation &translation, const Instruction &instruction) {
  const uint32_t wanted = instruction.operands[0];
  for (const Capability &known : kCapabilities) {
    if (uint32_t(known.capability) != wanted) continue;
    const LanguageFacts &facts = translation.facts;
    if (known.needs.empty() || has(facts.extensions, known.needs) || has(facts.features, known.needs)) return {};
    return failAt(instruction,
                  "asks for " + nameOfCapability(wanted) + ", for which the device lacks " + std::string(known.needs));
  }
  return failAt(instruction, "asks for " + nameOfCapability(wanted) + ", which the device does not have");
}

Expected<void> noteInstructionSet(Translation &translation, const Instruction &instruction) {
  const std::string name = stringIn(instruction.operands);
  const auto debugOrRemark = [&](std::string_view begin) { return name.starts_with(begin); };
  InstructionSet set = InstructionSet::None;
  if (name == "OpenCL.std") set = InstructionSet::OpenCl;
  if (name == "SPIRV.debug" || debugOrRemark("OpenCL.DebugInfo.") || debugOrRemark("NonSemantic."))
    set = InstructionSet::Ignored;
  if (set == InstructionSet::None) return failAt(instruction, "asks for the unknown instructions \"" + name + "\"");
  translation.instructionSets[instruction.result] = set;
  return {};
}

Expected<void> noteMemoryModel(Translation &, const Instruction &instruction) {
  if (spv::AddressingModel(instruction.operands[0]) != spv::AddressingModel::Physical64)
    return failAt(instruction, "does not have 64-bit addresses (Physical64), which the device has");
  if (spv::MemoryModel(instruction.operands[1]) != spv::MemoryModel::OpenCL)
    return failAt(instruction, "is not of OpenCL's memory model");
  return {};
}

Expected<void> noteEntryPoint(Translation &translation, const Instruction &instruction) {
  if (spv::ExecutionModel(instruction.operands[0]) != spv::ExecutionModel::Kernel)
    return failAt(instruction, "is no kernel");
  translation.entryPoints.push_back({instruction.operands[1], stringIn(instruction.operands.subspan(2))});
  if (translation.entryPoints.back().name.empty()) return failAt(instruction, "has no name");
  return {};
}

Expected<void> noteExecutionMode(Translation &translation, const Instruction &instruction) {
  translation.executionModes.push_back({instruction.operands[0], spv::ExecutionMode(instruction.operands[1]),
                                        instruction.operands.subspan(2),
                                        instruction.opcode == spv::Op::OpExecutionModeId});
  return {};
}

Expected<void> noteName(Translation &translation, const Instruction &instruction) {
  translation.names[instruction.operands[0]] = stringIn(instruction.operands.subspan(1));
  return {};
}

Expected<void> noteString(Translation &translation, const Instruction &instruction) {
  translation.strings[instruction.result] = stringIn(instruction.operands);
  return {};
}

/// Extensions bring capabilities and instructions, which are looked at where they are used.
Expected<void> noteExtension(Translation &, const Instruction &) { return {}; }

struct FactRow {
  spv::Op opcode;
  Expected<void> (*note)(Translation &, const Instruction &);
};
constexpr FactRow kFactRows[] = {
    {spv::Op::OpCapability, noteCapability},
    {spv::Op::OpExtension, noteExtension},
    {spv::Op::OpExtInstImport, noteInstructionSet},
    {spv::Op::OpMemoryModel, noteMemoryModel},
    {spv::Op::OpEntryPoint, noteEntryPoint},
    {spv::Op::OpExecutionMode, noteExecutionMode},
    {spv::Op::OpExecutionModeId, noteExecutionMode},
    {spv::Op::OpName, noteName},
    {spv::Op::OpString, noteString},
};

} // namespace

Expected<bool> noteModuleFact(Translation &translation, const Instruction &instruction) {
  for (const FactRow &row : kFactRows) {
    if (row.opcode != instruction.opcode) continue;
    US_CHECK(row.note(translation, instruction));
    return true;
  }
  return false;
}

} // namespace us::frontend::spirv
