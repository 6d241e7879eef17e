// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/program_variable_layout.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstring>

namespace us::codegen {
namespace {

using VariableSet = llvm::SmallPtrSet<llvm::GlobalVariable *, 16>;

/// The variables that an initial value refers to.
void collectVariables(const llvm::Constant *constant, VariableSet &found) {
  if (llvm::isa<llvm::ConstantData>(constant)) return;
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    found.insert(const_cast<llvm::GlobalVariable *>(variable));
    return;
  }
  for (const llvm::Use &operand : constant->operands())
    collectVariables(llvm::cast<llvm::Constant>(operand.get()), found);
}

/// Address space 1, then to a fixed point: constants whose initial value refers to a stored variable, and whatever a
/// stored variable's initial value refers to.
VariableSet storedVariables(llvm::Module &module) {
  VariableSet stored;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == 1) stored.insert(&variable);
  if (stored.empty()) return stored;
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::GlobalVariable &variable : module.globals()) {
      if (!variable.hasInitializer() || variable.getAddressSpace() == 3) continue;
      VariableSet referenced;
      collectVariables(variable.getInitializer(), referenced);
      if (!stored.contains(&variable) && llvm::any_of(referenced, [&](auto *v) { return stored.contains(v); }))
        changed |= stored.insert(&variable).second;
      if (stored.contains(&variable))
        for (llvm::GlobalVariable *other : referenced) changed |= stored.insert(other).second;
    }
  }
  return stored;
}

/// Capped, so that sums of it do not wrap: no memory holds as much.
uint64_t bytesOf(const llvm::GlobalVariable &variable) {
  return std::min<uint64_t>(variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType()),
                            uint64_t{1} << 48);
}

struct ImageWriter {
  const llvm::DataLayout &layout;
  const llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> &offsets;
  abi::ProgramVariables &variables;

  /// Where the bytes go. The image ends behind the last one that is written: what follows is zero.
  char *place(uint64_t at, uint64_t size) {
    if (variables.image.size() < at + size) variables.image.resize(at + size);
    return variables.image.data() + at;
  }

  bool write(const llvm::Constant *constant, uint64_t at) {
    if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return true;
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant)) return bits(number->getValue(), at);
    if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant))
      return bits(number->getValueAPF().bitcastToAPInt(), at);
    if (auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
      const llvm::StringRef raw = data->getRawDataValues();
      std::memcpy(place(at, raw.size()), raw.data(), raw.size());
      return true;
    }
    if (auto *structure = llvm::dyn_cast<llvm::ConstantStruct>(constant)) {
      const llvm::StructLayout *places = layout.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i)
        if (!write(structure->getOperand(i), at + places->getElementOffset(i))) return false;
      return true;
    }
    if (llvm::isa<llvm::ConstantArray, llvm::ConstantVector>(constant)) {
      for (unsigned i = 0; i < constant->getNumOperands(); ++i) {
        auto *element = llvm::cast<llvm::Constant>(constant->getOperand(i));
        if (!write(element, at + i * layout.getTypeAllocSize(element->getType()))) return false;
      }
      return true;
    }
    return pointer(constant, at);
  }

  bool bits(const llvm::APInt &value, uint64_t at) {
    const unsigned bytes = (value.getBitWidth() + 7) / 8;
    char *const to = place(at, bytes);
    for (unsigned byte = 0; byte < bytes; ++byte)
      to[byte] = char(value.extractBitsAsZExtValue(std::min(8u, value.getBitWidth() - byte * 8), byte * 8));
    return true;
  }

  bool pointer(const llvm::Constant *constant, uint64_t at) {
    uint64_t addend = 0;
    for (;;) {
      if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
        auto found = offsets.find(variable);
        if (found == offsets.end()) return false;
        variables.relocations.push_back({at, found->second + addend});
        return true;
      }
      if (constant->isNullValue()) return bits(llvm::APInt(64, addend), at);
      auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
      if (!expression) return false;
      if (auto *address = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
        llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
        if (!address->accumulateConstantOffset(layout, offset)) return false;
        addend += offset.getSExtValue();
      } else if (expression->getOpcode() == llvm::Instruction::IntToPtr) {
        auto *number = llvm::dyn_cast<llvm::ConstantInt>(expression->getOperand(0));
        if (number) return bits(llvm::APInt(64, number->getZExtValue() + addend), at);
      } else if (!expression->isCast()) {
        return false;
      }
      constant = expression->getOperand(0);
    }
  }
};

} // namespace

ProgramVariableOffsets programVariableOffsets(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  const VariableSet stored = storedVariables(module);
  ProgramVariableOffsets result;
  uint64_t size = 0;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (!stored.contains(&variable)) continue;
    size = llvm::alignTo(size, layout.getPreferredAlign(&variable));
    result.push_back({&variable, size});
    size += bytesOf(variable);
  }
  return result;
}

Expected<abi::ProgramVariables> programVariables(llvm::Module &module, uint64_t most) {
  const llvm::DataLayout &layout = module.getDataLayout();
  const ProgramVariableOffsets places = programVariableOffsets(module);
  abi::ProgramVariables result;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> offsets;
  for (auto [variable, offset] : places) {
    offsets[variable] = offset;
    const uint64_t size = bytesOf(*variable);
    if (variable->getAddressSpace() == 1) result.names.push_back({variable->getName().str(), offset, size});
    result.size = offset + size;
    result.alignment = std::max(result.alignment, layout.getPreferredAlign(variable).value());
  }
  // Before the image is made: a short source may ask for any number of bytes.
  if (most != 0 && result.size > most)
    return fail(ErrorCode::BuildProgramFailure, "the program's variables take " + std::to_string(result.size) +
                                                    " bytes, at most " + std::to_string(most) + " are possible");
  ImageWriter writer{layout, offsets, result};
  for (auto [variable, offset] : places)
    if (variable->hasInitializer() && !writer.write(variable->getInitializer(), offset))
      return fail(ErrorCode::BuildProgramFailure, "the initial value of the program-scope variable " +
                                                      variable->getName().str() +
                                                      " is not a constant this device can store");
  return result;
}

} // namespace us::codegen
