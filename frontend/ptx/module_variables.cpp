// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables outside of functions, and initial values. `.const` variables lie beside `.global` ones, since the host
// may write both.
#include "frontend/ptx/calls.h"
#include "frontend/ptx/textures.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <bit>

namespace us::frontend::ptx {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

struct Filler {
  Translation &translation;
  const Variable &variable;
  llvm::Type *scalar;

  Expected<llvm::Constant *> number(const Initializer &from) {
    const Operand &value = from.value;
    const Type type = variable.type;
    if (value.kind == OperandKind::Address) return address(from);
    if (value.kind == OperandKind::Integer) {
      if (type->isFloat()) {
        if (value.bits != 0)
          return failAt(from.place, "an integer is the initial value of a ." + std::string(type->name));
        return llvm::Constant::getNullValue(scalar);
      }
      return llvm::ConstantInt::get(translation.context, llvm::APInt(type->bits, value.bits));
    }
    if (!type->isFloat() && type->kind != TypeClass::Bits)
      return failAt(from.place, "a floating-point number is the initial value of a ." + std::string(type->name));
    uint64_t bits = value.bits;
    if (value.isDouble && type->bits == 32) bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
    if (!value.isDouble && type->bits == 64)
      bits = std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
    if (type->bits != 32 && type->bits != 64)
      return failAt(from.place, "a floating-point number is the initial value of a ." + std::string(type->name));
    llvm::Constant *raw = llvm::ConstantInt::get(translation.context, llvm::APInt(type->bits, bits));
    return type->isFloat() ? llvm::ConstantExpr::getBitCast(raw, scalar) : raw;
  }

  Expected<llvm::Constant *> address(const Initializer &from) {
    if (const std::optional<uint64_t> function = addressOfFunction(translation, from.value.name)) {
      if (variable.type->bits != 64 || variable.type->isFloat()) return failAt(from.place, "an address needs 64 bits");
      return llvm::ConstantInt::get(llvm::Type::getInt64Ty(translation.context), *function);
    }
    const auto found = translation.variables.find(from.value.name);
    if (found == translation.variables.end() || !found->second.pointer || found->second.space == StateSpace::Shared)
      return failAt(from.place, "the address of " + quoted(from.value.name) + " cannot be an initial value here");
    if (variable.type->bits != 64 || variable.type->isFloat()) return failAt(from.place, "an address needs 64 bits");
    llvm::Type *word = llvm::Type::getInt64Ty(translation.context);
    auto *base = llvm::cast<llvm::Constant>(found->second.pointer);
    llvm::Constant *place = llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(translation.context), base,
                                                                 llvm::ConstantInt::get(word, from.value.bits));
    return llvm::ConstantExpr::getPtrToInt(place, word);
  }

  /// What is left out is zero, and not written out: the constant is a structure then, of what is given and of zeros.
  Expected<llvm::Constant *> fill(llvm::Type *type, const Initializer &from) {
    auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
    if (!array) {
      if (!from.isList) return number(from);
      if (from.elements.size() != 1) return failAt(from.place, "one number is expected");
      return number(from.elements.front());
    }
    if (!from.isList) return failAt(from.place, "an array's initial value is a list");
    if (from.elements.size() > array->getNumElements())
      return failAt(from.place, quoted(variable.name) + " has " + std::to_string(array->getNumElements()) +
                                    " elements there, " + std::to_string(from.elements.size()) + " are given");
    std::vector<llvm::Constant *> elements;
    bool sameType = true;
    for (const Initializer &element : from.elements) {
      US_TRY(llvm::Constant * value, fill(array->getElementType(), element));
      elements.push_back(value);
      sameType &= value->getType() == array->getElementType();
    }
    const uint64_t left = array->getNumElements() - elements.size();
    if (sameType && left == 0) return llvm::ConstantArray::get(array, elements);
    if (sameType)
      elements = {llvm::ConstantArray::get(llvm::ArrayType::get(array->getElementType(), elements.size()), elements)};
    if (left) elements.push_back(llvm::ConstantAggregateZero::get(llvm::ArrayType::get(array->getElementType(), left)));
    return llvm::ConstantStruct::getAnon(translation.context, elements, /*Packed=*/true);
  }
};

/// The variable with that initial value: a new one in its place if the value is of another type (and the same size).
llvm::GlobalVariable *initialized(llvm::GlobalVariable *variable, llvm::Constant *value) {
  if (value->getType() == variable->getValueType()) {
    variable->setInitializer(value);
    return variable;
  }
  auto *made = new llvm::GlobalVariable(*variable->getParent(), value->getType(), false, variable->getLinkage(), value,
                                        "", variable, llvm::GlobalValue::NotThreadLocal, variable->getAddressSpace());
  made->setAlignment(variable->getAlign());
  made->takeName(variable);
  variable->replaceAllUsesWith(made); // also in the value: it may hold its own address
  variable->eraseFromParent();
  return made;
}

} // namespace

uint64_t sizeOf(const Variable &variable) {
  uint64_t size = uint64_t(variable.type->bytes()) * variable.lanes;
  for (const uint64_t dimension : variable.dimensions)
    if (__builtin_mul_overflow(size, dimension, &size)) return 0;
  return size;
}

uint64_t alignmentOf(const Variable &variable) {
  return std::max<uint64_t>(variable.alignment, uint64_t(variable.type->bytes()) * std::bit_ceil(variable.lanes));
}

bool isDynamicShared(const Variable &variable) {
  return variable.space == StateSpace::Shared && variable.linkage == "extern" && sizeOf(variable) == 0;
}

Expected<llvm::Constant *> initialValue(Translation &translation, const Variable &variable) {
  llvm::Type *type = translation.contentOf(variable);
  if (!variable.initializer) return llvm::Constant::getNullValue(type);
  return Filler{translation, variable, translation.llvmType(variable.type)}.fill(type, *variable.initializer);
}

Expected<void> addModuleVariables(Translation &translation) {
  const auto isDefined = [&](std::string_view name) {
    return std::ranges::any_of(translation.text.variables,
                               [&](const Variable &other) { return other.name == name && other.linkage != "extern"; });
  };
  for (const Variable &variable : translation.text.variables) {
    const std::string_view name = variable.name;
    if (variable.linkage == "extern" && isDefined(name)) continue;
    if (translation.variables.contains(name)) return failAt(variable.place, quoted(name) + " is declared twice");
    if (variable.space == StateSpace::Local)
      return failAt(variable.place, "a .local variable outside of functions is not supported on this device");
    if (isDynamicShared(variable)) {
      translation.dynamicShared[name] = &variable;
      translation.variables[name] = {StateSpace::Shared, nullptr, &variable};
      continue;
    }
    // An array whose first size is missing has as many elements as its initial value.
    auto &dimensions = const_cast<Variable &>(variable).dimensions;
    if (variable.isArray && dimensions.front() == 0 && variable.initializer && variable.initializer->isList)
      dimensions.front() = variable.initializer->elements.size();
    if (variable.linkage == "extern" && variable.space != StateSpace::Shared)
      return failAt(variable.place, quoted(name) + " is defined in another module, and linking is not supported yet");
    if (sizeOf(variable) == 0) return failAt(variable.place, quoted(name) + " has no size");
    if (variable.space == StateSpace::Shared && variable.initializer)
      return failAt(variable.initializer->place, "a .shared variable has no initial value");
    llvm::Type *type = translation.contentOf(variable);
    const bool isShared = variable.space == StateSpace::Shared;
    // A dot is in no name of PTX: nothing else is called so, and the driver knows what it found.
    const std::string full =
        variable.opaque.empty() ? std::string(name) : std::string(variable.opaque) + "." + std::string(name);
    auto *made =
        new llvm::GlobalVariable(translation.module, type, false, llvm::GlobalValue::ExternalLinkage,
                                 isShared ? llvm::UndefValue::get(type) : llvm::Constant::getNullValue(type), full,
                                 nullptr, llvm::GlobalValue::NotThreadLocal, isShared ? kShared : kGlobal);
    made->setAlignment(llvm::Align(alignmentOf(variable)));
    translation.variables[name] = {variable.opaque.empty() ? variable.space : spaceNamed(variable.opaque), made,
                                   &variable};
    if (variable.opaque.empty()) continue;
    US_TRY(llvm::Constant * value, opaqueValue(translation, variable));
    made->setInitializer(value);
  }
  // They may hold each other's addresses.
  for (const Variable &variable : translation.text.variables) {
    if (!variable.initializer) continue;
    US_TRY(llvm::Constant * value, initialValue(translation, variable));
    llvm::Value *&made = translation.variables[variable.name].pointer;
    made = initialized(llvm::cast<llvm::GlobalVariable>(made), value);
  }
  // Now that none is replaced any more.
  const auto isConst = [](const Variable &variable) { return variable.space == StateSpace::Constant; };
  const auto anchor = std::ranges::find_if(translation.text.variables, isConst);
  if (anchor != translation.text.variables.end())
    translation.constAnchor = llvm::cast<llvm::GlobalVariable>(translation.variables[anchor->name].pointer);
  return {};
}

} // namespace us::frontend::ptx
