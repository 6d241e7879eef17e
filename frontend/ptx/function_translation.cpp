// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/function_translation.h"

#include "emulator/abi/checks.h"
#include "runtime/base/work_limit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace us::frontend::ptx {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }
llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

constexpr auto kLocalAlignment = llvm::Align::Constant<16>();

} // namespace

// --- Names ---

llvm::AllocaInst *FunctionTranslation::slot(llvm::Type *type, std::string_view name) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  llvm::AllocaInst *slot = at.CreateAlloca(type, nullptr, ref(name));
  // A register that nothing has written is unspecified, not undefined: it begins as zero.
  at.CreateStore(llvm::Constant::getNullValue(type), slot);
  return slot;
}

Register FunctionTranslation::makeRegister(Type type, uint32_t lanes, std::string_view name) {
  llvm::Type *scalar = llvmType(type);
  return {type, slot(lanes == 1 ? scalar : llvm::ArrayType::get(scalar, lanes), name), lanes};
}

/// "%r<10>" declares %r0 to %r9: the declaration that the name belongs to, if there is one.
const Variable *FunctionTranslation::familyOf(const Scope &scope, std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (size_t split = digits; split < name.size(); ++split) {
    const auto family = scope.families.find(name.substr(0, split));
    uint32_t index = 0;
    if (family == scope.families.end() || (name[split] == '0' && split + 1 != name.size())) continue;
    const auto [end, failure] = std::from_chars(name.data() + split, name.data() + name.size(), index);
    if (failure == std::errc() && index < family->second->count) return family->second;
  }
  return nullptr;
}

std::optional<Register> FunctionTranslation::findRegister(std::string_view name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope &scope = scopes_[i];
    if (const auto found = scope.registers.find(name); found != scope.registers.end()) {
      Register &reg = found->second;
      if (!reg.slot) reg = makeRegister(reg.type, reg.lanes, name);
      return reg;
    }
    const Variable *family = familyOf(scope, name);
    if (!family || family->space != StateSpace::Register) continue;
    const Register reg = makeRegister(family->type, family->lanes, name);
    scope.registers.emplace(name, reg);
    return reg;
  }
  return std::nullopt;
}

std::optional<Register> FunctionTranslation::findRegister(const Operand &operand) {
  const std::optional<Register> reg = findRegister(operand.name);
  if (!reg || reg->lanes == 1) return operand.component.empty() ? reg : std::nullopt;
  // "Vector elements are extracted with the suffixes .x .y .z .w, and .r .g .b .a."
  const std::string_view names[] = {"xyzw", "rgba"};
  for (const std::string_view lanes : names) {
    const size_t lane = operand.component.size() == 1 ? lanes.find(operand.component[0]) : lanes.npos;
    if (lane >= reg->lanes) continue;
    llvm::Type *vector = llvm::ArrayType::get(llvmType(reg->type), reg->lanes);
    return Register{reg->type, builder.CreateConstInBoundsGEP2_32(vector, reg->slot, 0, unsigned(lane)), 1};
  }
  return std::nullopt;
}

const Memory *FunctionTranslation::findMemory(std::string_view name) {
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope &scope = scopes_[i];
    if (const auto found = scope.memory.find(name); found != scope.memory.end()) return &found->second;
    const Variable *family = familyOf(scope, name);
    if (family && family->space != StateSpace::Register)
      return &scope.memory.emplace(name, makeRoom(*family, name)).first->second;
  }
  const auto found = module.variables.find(name);
  return found == module.variables.end() ? nullptr : &found->second;
}

Expected<llvm::BasicBlock *> FunctionTranslation::labelled(const Operand &operand) {
  for (size_t i = scopes_.size(); i-- > 0;)
    if (const auto found = scopes_[i].labels.find(operand.name); found != scopes_[i].labels.end()) return found->second;
  return failAt(operand.place, "there is no label " + quoted(operand.name));
}

const TargetList *FunctionTranslation::findTargets(std::string_view name) {
  for (size_t i = scopes_.size(); i-- > 0;)
    if (const auto found = scopes_[i].targets.find(name); found != scopes_[i].targets.end()) return found->second;
  return nullptr;
}

Expected<void> FunctionTranslation::declare(Scope &scope, const Variable &variable) {
  const std::string_view name = variable.name;
  if (scope.registers.contains(name) || scope.families.contains(name) || scope.memory.contains(name))
    return failAt(variable.place, quoted(name) + " is declared twice");
  if (variable.space == StateSpace::Register) {
    hasVectors_ |= variable.lanes > 1;
    if (variable.count)
      scope.families[name] = &variable;
    else
      scope.registers[name] = {variable.type, nullptr, variable.lanes};
    return {};
  }
  if (isDynamicShared(variable)) {
    scope.memory[name] = {StateSpace::Shared, dynamicShared, &variable};
    return {};
  }
  const bool isShared = variable.space == StateSpace::Shared;
  if (!isShared && variable.space != StateSpace::Local && variable.space != StateSpace::Parameter)
    return failAt(variable.place, "a ." + std::string(nameOf(variable.space)) +
                                      " variable inside of a function is not supported on this device");
  const uint64_t size = sizeOf(variable);
  if (size == 0 || (!isShared && size > 1u << 24))
    return failAt(variable.place,
                  "a ." + std::string(nameOf(variable.space)) + " variable of this size is not possible");
  if (isShared && variable.initializer)
    return failAt(variable.initializer->place, "a .shared variable has no initial value");
  if (variable.count)
    scope.families[name] = &variable;
  else
    scope.memory[name] = makeRoom(variable, name);
  return {};
}

/// Memory of the function's: the block's, or the thread's own. What is passed to a function lies there too.
Memory FunctionTranslation::makeRoom(const Variable &variable, std::string_view name) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  llvm::Type *bytes = llvm::ArrayType::get(at.getInt8Ty(), sizeOf(variable));
  const llvm::Align alignment(alignmentOf(variable));
  if (variable.space == StateSpace::Shared) {
    auto *memory = new llvm::GlobalVariable(
        module.module, bytes, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(bytes),
        llvm::Twine(function.getName()) + "." + ref(name), nullptr, llvm::GlobalValue::NotThreadLocal, kShared);
    memory->setAlignment(alignment);
    return {StateSpace::Shared, memory, &variable};
  }
  llvm::AllocaInst *room = at.CreateAlloca(bytes, nullptr, ref(name));
  // Compilers declare the alignment of an array's elements and read it as vectors: a device's frame begins at 16 bytes.
  room->setAlignment(variable.space == StateSpace::Local ? std::max(alignment, kLocalAlignment) : alignment);
  if (variable.space == StateSpace::Local && !anchor_) anchor_ = room;
  return {variable.space, room, &variable};
}

// --- Sources ---

llvm::Value *FunctionTranslation::dynamicSharedOfLaunch() {
  llvm::Value *const all = callMachine("us.local_memory", builder.getInt64Ty(), {});
  llvm::Value *const added = callMachine("us.dynamic_local_memory", builder.getInt64Ty(), {});
  llvm::Value *const arena = callMachine("us.local_arena", builder.getPtrTy(kShared), {});
  return builder.CreateGEP(builder.getInt8Ty(), arena, builder.CreateSub(all, added));
}

llvm::Value *FunctionTranslation::sharedBase() {
  return callMachine(module.usesClusters ? "us.cluster_arena" : "us.local_arena", builder.getPtrTy(kShared), {});
}

/// All of a thread's private memory lies within 2 GiB, all .const variables do: the upper half of such an address is
/// that of an anchor, any place there, less the lower half: the nearest multiple of 4 GiB. Of the anchor's own address
/// nothing is left of this, once it is optimised. What is found may be another object than the anchor, and so must not
/// look like a distance from it, which recover_pointers would make it.
llvm::Value *FunctionTranslation::shortPointer(StateSpace space, llvm::Value *address) {
  constexpr uint64_t kLower = 0xffffffff, kHalf = uint64_t(1) << 31;
  llvm::Value *anchor = module.constAnchor;
  if (space == StateSpace::Local) anchor = anchor_ ? anchor_ : anchor_ = temporary(builder.getInt8Ty());
  llvm::Value *lower = builder.CreateAnd(address, builder.getInt64(kLower));
  llvm::Value *upper = builder.CreateSub(builder.CreatePtrToInt(anchor, builder.getInt64Ty()), lower);
  upper = builder.CreateAnd(builder.CreateAdd(upper, builder.getInt64(kHalf)), builder.getInt64(~kLower));
  return builder.CreateIntToPtr(builder.CreateAdd(upper, lower), anchor->getType());
}

llvm::CallInst *FunctionTranslation::callMachine(const char *name, llvm::Type *result,
                                                 llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee = module.module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::CallInst *call = builder.CreateCall(callee, arguments);
  call->setDoesNotThrow();
  return call;
}

/// A register's value as another type: what is read narrower, and bits as what they mean.
llvm::Value *FunctionTranslation::fitted(llvm::Value *value, Type from, Type to) {
  if (from == to || value->getType() == llvmType(to)) return value;
  if (from->bits != to->bits) {
    if (value->getType()->isFloatingPointTy()) value = builder.CreateBitCast(value, builder.getIntNTy(from->bits));
    value = builder.CreateTrunc(value, builder.getIntNTy(to->bits));
  }
  return builder.CreateBitCast(value, llvmType(to));
}

Expected<llvm::Value *> FunctionTranslation::constant(const Operand &operand, Type type) {
  if (type->kind == TypeClass::Predicate) return builder.getInt1(operand.bits != 0);
  if (operand.kind == OperandKind::Integer) {
    // Of 16 bits there are no floating-point literals: "0x3C00" is how 1.0 is written.
    if (type->isFloat() && type->bits == 16)
      return builder.CreateBitCast(builder.getInt16(uint16_t(operand.bits)), llvmType(type));
    if (type->isFloat())
      return failAt(operand.place, "an integer is given where a ." + std::string(type->name) + " is wanted");
    return llvm::ConstantInt::get(builder.getContext(), llvm::APInt(type->bits, operand.bits));
  }
  if (type->isInteger() || (type->bits != 32 && type->bits != 64))
    return failAt(operand.place, "a floating-point number is given where a ." + std::string(type->name) + " is wanted");
  // "Floating-point literals are 64 bits; in an instruction of 32 bits they are rounded."
  uint64_t bits = operand.bits;
  if (operand.isDouble && type->bits == 32) bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
  if (!operand.isDouble && type->bits == 64)
    bits = std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
  llvm::Constant *number = llvm::ConstantInt::get(builder.getContext(), llvm::APInt(type->bits, bits));
  if (!type->isFloat()) return number;
  return llvm::ConstantFP::get(
      builder.getContext(), llvm::APFloat(type->bits == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble(),
                                          llvm::APInt(type->bits, bits)));
}

Expected<llvm::Value *> FunctionTranslation::specialRegister(const Operand &operand, Type type, bool relaxed) {
  Type own = nullptr;
  US_TRY(llvm::Value * value, readSpecialRegister(*this, operand, own));
  if (!value) return failAt(operand.place, quoted(operand.name) + " is not declared");
  if (agrees(type, own, relaxed)) return fitted(value, own, type);
  // "%tid was once of 16 bits": both spellings of a wider or narrower read are taken.
  if (type->isFloat() || type->kind == TypeClass::Predicate)
    return failAt(operand.place, quoted(operand.name) + " is of type ." + std::string(own->name));
  return builder.CreateZExtOrTrunc(value, llvmType(type));
}

Expected<llvm::Value *> FunctionTranslation::valueOf(const Operand &operand, Type type, bool relaxed) {
  switch (operand.kind) {
  case OperandKind::Integer:
  case OperandKind::Float:
    return constant(operand, type);
  case OperandKind::Name:
    break;
  default:
    return failAt(operand.place, "a register or a constant is expected");
  }
  if (operand.bits != 0 || !operand.second.empty())
    return failAt(operand.place, "a register or a constant is expected");
  if (operand.name == "WARP_SZ") return builder.getIntN(type->bits, 32);
  const std::optional<Register> reg = findRegister(operand);
  if (!reg) return specialRegister(operand, type, relaxed);
  if (!agrees(type, reg->type, relaxed))
    return failAt(operand.place, quoted(operand.name) + " is of type ." + std::string(reg->type->name) +
                                     ", the instruction takes ." + std::string(type->name));
  llvm::Value *value = builder.CreateLoad(llvmType(reg->type), reg->slot);
  if (operand.isNegated) {
    if (type->kind != TypeClass::Predicate) return failAt(operand.place, "only predicates are negated");
    value = builder.CreateNot(value);
  }
  return fitted(value, reg->type, type);
}

Expected<llvm::Value *> FunctionTranslation::source(const Operation &operation, size_t place) {
  const Operand &operand = operation.operand(place);
  if (operand.isNegated && operation.rule(place).kind != RuleKind::Predicate)
    return failAt(operand.place, "this operand cannot be negated");
  return valueOf(operand, operation.typeAt(place), operation.rule(place).isRelaxed);
}

Expected<std::vector<llvm::Value *>> FunctionTranslation::sources(const Operation &operation, size_t place,
                                                                  uint32_t lanes) {
  const Operand &operand = operation.operand(place);
  // A vector of one is its element.
  if (lanes == 1 && operand.kind != OperandKind::Vector) {
    US_TRY(llvm::Value * value, source(operation, place));
    return std::vector{value};
  }
  if (operand.kind != OperandKind::Vector || operand.elements.size() != lanes)
    return failAt(operand.place, lanes == 1 ? "a register or a constant is expected"
                                            : "a vector of " + std::to_string(lanes) + " elements is expected");
  std::vector<llvm::Value *> values;
  for (const Operand &element : operand.elements) {
    US_TRY(llvm::Value * value, valueOf(element, operation.typeAt(place), operation.rule(place).isRelaxed));
    values.push_back(value);
  }
  return values;
}

llvm::Value *FunctionTranslation::loadCarry() {
  if (!carry_) carry_ = slot(builder.getInt1Ty(), "carry");
  return builder.CreateLoad(builder.getInt1Ty(), carry_);
}

void FunctionTranslation::storeCarry(llvm::Value *carry) {
  if (!carry_) carry_ = slot(builder.getInt1Ty(), "carry");
  builder.CreateStore(carry, carry_);
}

// --- Results ---

Expected<void> FunctionTranslation::assign(const Operand &operand, Type type, bool relaxed, llvm::Value *value) {
  if (operand.kind == OperandKind::Sink) return {};
  if (operand.kind != OperandKind::Name || operand.isNegated || operand.bits != 0)
    return failAt(operand.place, "the result needs a register");
  const std::optional<Register> reg = findRegister(operand);
  if (!reg) return failAt(operand.place, quoted(operand.name) + " is not a register that can be written");
  if (!agrees(type, reg->type, relaxed))
    return failAt(operand.place, quoted(operand.name) + " is of type ." + std::string(reg->type->name) +
                                     ", the instruction gives ." + std::string(type->name));
  if (reg->type->bits > type->bits) {
    // "a destination wider than the instruction's type is sign- or zero-extended"
    if (value->getType()->isFloatingPointTy()) value = builder.CreateBitCast(value, builder.getIntNTy(type->bits));
    llvm::Type *wide = builder.getIntNTy(reg->type->bits);
    value = type->isSigned() ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  }
  if (value->getType() != llvmType(reg->type)) value = builder.CreateBitCast(value, llvmType(reg->type));
  builder.CreateStore(value, reg->slot);
  return {};
}

Expected<void> FunctionTranslation::define(const Operation &operation, size_t place, llvm::Value *value) {
  if (!operation.operand(place).second.empty())
    return failAt(operation.operand(place).place, "the instruction has one result");
  return assign(operation.operand(place), operation.typeAt(place), operation.rule(place).isRelaxed, value);
}

Expected<void> FunctionTranslation::defineAll(const Operation &operation, size_t place,
                                              const std::vector<llvm::Value *> &values) {
  const Operand &operand = operation.operand(place);
  if (values.size() == 1 && operand.kind != OperandKind::Vector) return define(operation, place, values.front());
  if (operand.kind != OperandKind::Vector || operand.elements.size() != values.size())
    return failAt(operand.place, values.size() == 1
                                     ? "the result needs a register"
                                     : "a vector of " + std::to_string(values.size()) + " registers is expected");
  for (size_t i = 0; i < values.size(); ++i)
    US_CHECK(assign(operand.elements[i], operation.typeAt(place), operation.rule(place).isRelaxed, values[i]));
  return {};
}

Expected<void> FunctionTranslation::defineBoth(const Operation &operation, llvm::Value *number,
                                               llvm::Value *predicate) {
  Operand first = operation.operand(0), second = first;
  first.second = {};
  if (first.name == "_") first.kind = OperandKind::Sink;
  US_CHECK(assign(first, typeNamed("b32"), false, number));
  if (second.second.empty()) return {};
  second.name = second.second;
  second.second = {};
  second.kind = second.name == "_" ? OperandKind::Sink : OperandKind::Name;
  return assign(second, typeNamed("pred"), false, predicate);
}

Expected<void> FunctionTranslation::definePair(const Operation &operation, size_t place, llvm::Value *p,
                                               llvm::Value *q) {
  Operand first = operation.operand(place), second = first;
  first.second = {};
  US_CHECK(assign(first, operation.typeAt(place), false, p));
  if (second.second.empty()) return {};
  second.name = second.second;
  second.second = {};
  if (second.name == "_") second.kind = OperandKind::Sink;
  return assign(second, operation.typeAt(place), false, q);
}

// --- Addresses ---

Expected<llvm::Value *> FunctionTranslation::address(const Operation &operation, size_t place, StateSpace space) {
  const Operand &operand = operation.operand(place);
  if (operand.kind == OperandKind::Address && !operand.elements.empty())
    return failAt(operand.place, "an address has one part here");
  return addressOf(operand, space);
}

Expected<llvm::Value *> FunctionTranslation::addressOf(const Operand &operand, StateSpace space) {
  const auto checkSpace = [&](const Memory &memory) -> Expected<void> {
    if (space == StateSpace::Generic || memory.space == space) return {};
    return failAt(operand.place, quoted(operand.name) + " lies in ." + std::string(nameOf(memory.space)) +
                                     " memory, the instruction is for ." + std::string(nameOf(space)));
  };
  if (operand.kind == OperandKind::Element) {
    if (const Memory *memory = findMemory(operand.name)) US_CHECK(checkSpace(*memory));
    return elementPointer(operand);
  }
  if (operand.kind != OperandKind::Address) return failAt(operand.place, "an address is expected: [register + number]");
  llvm::Value *offset = builder.getInt64(operand.bits);
  llvm::Type *const byte = builder.getInt8Ty();

  const std::optional<Register> reg = operand.name.empty() ? std::nullopt : findRegister(operand.name);
  if (!operand.name.empty() && !reg) {
    const Memory *memory = findMemory(operand.name);
    if (!memory) return failAt(operand.place, quoted(operand.name) + " is not declared");
    if (!memory->pointer) return failAt(operand.place, quoted(operand.name) + " cannot be reached from here");
    US_CHECK(checkSpace(*memory));
    return operand.bits ? builder.CreateGEP(byte, memory->pointer, offset) : memory->pointer;
  }
  llvm::Value *value = builder.getInt64(0);
  if (reg) {
    if (reg->type->isFloat() || reg->type->bits < 32 || reg->type->bits > 64 || reg->lanes > 1)
      return failAt(operand.place,
                    quoted(operand.name) + " is of type ." + std::string(reg->type->name) + ", which is no address");
    value = builder.CreateZExt(builder.CreateLoad(llvmType(reg->type), reg->slot), builder.getInt64Ty());
  }
  llvm::Value *base = nullptr;
  if (space == StateSpace::Shared) {
    base = builder.CreateGEP(byte, sharedBase(), value);
  } else if (reg && module.hasShortAddresses(space)) {
    base = shortPointer(space, value);
  } else {
    const bool isGlobal = space == StateSpace::Global || space == StateSpace::Constant;
    const unsigned number = space == StateSpace::Generic ? kGeneric : isGlobal ? kGlobal : kPrivate;
    base = builder.CreateIntToPtr(value, builder.getPtrTy(number));
  }
  return operand.bits ? builder.CreateGEP(byte, base, offset) : base;
}

Expected<llvm::Value *> FunctionTranslation::elementPointer(const Operand &operand) {
  const Memory *memory = findRegister(operand.name) ? nullptr : findMemory(operand.name);
  if (!memory || !memory->text || !memory->text->isArray)
    return failAt(operand.place, quoted(operand.name) + " is not an array");
  if (!memory->pointer) return failAt(operand.place, quoted(operand.name) + " cannot be reached from here");
  if (memory->text->dimensions.size() != 1)
    return failAt(operand.place, "an element of an array of several dimensions is reached by its address only");
  const Operand &place = operand.elements.front();
  llvm::Value *index = builder.getInt64(place.bits);
  if (place.kind == OperandKind::Name) {
    const std::optional<Register> reg = findRegister(place.name);
    if (!reg || !(reg->type->isInteger() || reg->type->kind == TypeClass::Bits))
      return failAt(place.place, quoted(place.name) + " is not a register that holds an integer");
    llvm::Value *value = builder.CreateLoad(llvmType(reg->type), reg->slot);
    value = reg->type->isSigned() ? builder.CreateSExtOrTrunc(value, builder.getInt64Ty())
                                  : builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
    index = builder.CreateAdd(value, index);
  }
  const uint64_t size = uint64_t(memory->text->type->bits) / 8 * memory->text->lanes;
  return builder.CreateGEP(builder.getInt8Ty(), memory->pointer, builder.CreateMul(index, builder.getInt64(size)));
}

Expected<llvm::Value *> FunctionTranslation::alignedAddress(const Operation &operation, size_t place, StateSpace space,
                                                            uint64_t bytes) {
  US_TRY(llvm::Value * pointer, address(operation, place, space));
  // Parameters lie where the module says.
  if (bytes <= 1 || space == StateSpace::Parameter) return pointer;
  llvm::Value *number = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  callMachine(
      "us.check", builder.getVoidTy(),
      {builder.getInt32(uint32_t(abi::Check::Misaligned)), builder.CreateAnd(number, builder.getInt64(bytes - 1))});
  return pointer;
}

// --- Statements ---

void FunctionTranslation::returnToCaller() {
  for (size_t i = 0; i < text.results.size(); ++i)
    if (text.results[i].space == StateSpace::Register) {
      const Register reg = scopes_.front().registers.at(text.results[i].name);
      builder.CreateStore(builder.CreateLoad(llvmType(reg.type), reg.slot), function.getArg(unsigned(i)));
    }
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(builder.getFalse());
}

void FunctionTranslation::endThread() {
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(builder.getTrue());
}

void FunctionTranslation::trap(uint32_t code) {
  llvm::CallInst *call = callMachine("us.trap", builder.getVoidTy(), {builder.getInt32(code)});
  call->getCalledFunction()->setDoesNotReturn();
  builder.CreateUnreachable();
}

void FunctionTranslation::beginBlock(const char *name) {
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.context, name, &function));
}

llvm::DISubprogram *FunctionTranslation::inlinedFunction(const SourceLine &source, llvm::DIFile *file) {
  const std::string name = module.inlinedName(source);
  llvm::DISubprogram *&inlined = inlinedFrom_[{name, file}];
  if (!inlined) inlined = module.debugFunction(name, file, source.place.line);
  return inlined;
}

/// From the outermost caller on: texts may nest deeper than a stack.
llvm::DILocation *FunctionTranslation::callerAt(uint32_t number) {
  std::vector<uint32_t> chain;
  for (uint32_t at = number; at && !callers_.contains(at); at = module.text.callers[at - 1].inlinedAt)
    chain.push_back(at);
  for (; !chain.empty(); chain.pop_back()) {
    const SourceLine &caller = module.text.callers[chain.back() - 1];
    llvm::DIFile *const file = module.fileOf(caller);
    llvm::DIScope *const scope = caller.inlinedAt && file ? inlinedFunction(caller, file) : function.getSubprogram();
    llvm::DILocation *const into = caller.inlinedAt && file ? callers_[caller.inlinedAt] : nullptr;
    callers_[chain.back()] =
        llvm::DILocation::getDistinct(module.context, caller.place.line, caller.place.column, scope, into);
  }
  return callers_[number];
}

/// Where the text was made of a source, that is the place, in a scope that says where it stands in the text
/// (docs/ir-conventions.md). Where .loc does not say so, what comes from another file than the function was inlined
/// into it.
llvm::DILocation *FunctionTranslation::locationOf(const Instruction &instruction) {
  const auto [line, column] = instruction.place;
  llvm::DISubprogram *const whole = function.getSubprogram();
  llvm::DIFile *const source = instruction.source.place.line ? module.fileOf(instruction.source) : nullptr;
  llvm::DIFile *const file = source ? source : module.debugFile;
  const Place place = source ? instruction.source.place : instruction.place;
  llvm::DIScope *scope = whole;
  llvm::DILocation *into = nullptr;
  if (source && instruction.source.inlinedAt) {
    scope = inlinedFunction(instruction.source, file);
    into = callerAt(instruction.source.inlinedAt);
  } else if (file != whole->getFile()) {
    if (!lastOwn_) lastOwn_ = llvm::DILocation::getDistinct(module.context, whole->getLine(), 0, whole);
    scope = inlinedFunction({{}, place}, file);
    into = lastOwn_;
  } else if (!lastOwn_ || lastOwn_->getLine() != place.line || lastOwn_->getColumn() != place.column) {
    lastOwn_ = llvm::DILocation::getDistinct(module.context, place.line, place.column, whole);
  }
  if (source) scope = module.debug.createLexicalBlock(scope, file, line, column);
  return llvm::DILocation::get(module.context, place.line, place.column, scope, into);
}

Expected<void> FunctionTranslation::translateInstruction(const Instruction &instruction) {
  builder.SetCurrentDebugLocation(locationOf(instruction));
  if (!hasVectors_) return translateOperation(instruction);
  Instruction spread = instruction;
  spreadVectors(spread.operands);
  return translateOperation(spread);
}

/// A vector register as a whole is the vector of its elements: %v becomes {%v.x, %v.y}.
void FunctionTranslation::spreadVectors(std::vector<Operand> &operands) {
  constexpr std::string_view kElements[] = {"x", "y", "z", "w"};
  for (Operand &operand : operands) {
    if (operand.kind == OperandKind::Vector || operand.kind == OperandKind::List) spreadVectors(operand.elements);
    if (operand.kind != OperandKind::Name || !operand.component.empty()) continue;
    const std::optional<Register> reg = findRegister(operand.name);
    if (!reg || reg->lanes == 1) continue;
    Operand vector;
    vector.kind = OperandKind::Vector;
    vector.place = operand.place;
    vector.elements.assign(reg->lanes, operand);
    for (uint32_t lane = 0; lane < reg->lanes; ++lane) vector.elements[lane].component = kElements[lane];
    operand = std::move(vector);
  }
}

Expected<void> FunctionTranslation::translateOperation(const Instruction &instruction) {
  US_TRY(const Operation operation, recognise(instruction));
  if (instruction.guard.empty()) return operation.form.handler(*this, operation);

  Operand guard;
  guard.kind = OperandKind::Name;
  guard.place = instruction.guardPlace;
  guard.name = instruction.guard;
  guard.isNegated = instruction.guardNegated;
  US_TRY(llvm::Value * condition, valueOf(guard, typeNamed("pred"), false));
  auto *then = llvm::BasicBlock::Create(module.context, "then", &function);
  auto *after = llvm::BasicBlock::Create(module.context, "after", &function);
  builder.CreateCondBr(condition, then, after);
  builder.SetInsertPoint(then);
  US_CHECK(operation.form.handler(*this, operation));
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  return {};
}

Expected<void> FunctionTranslation::translateBlock(const Block &block) {
  scopes_.emplace_back();
  for (const Variable &variable : block.variables) US_CHECK(declare(scopes_.back(), variable));
  for (const TargetList &list : block.targetLists)
    if (!scopes_.back().targets.emplace(list.label, &list).second)
      return failAt(list.place, "the label " + quoted(list.label) + " stands twice");
  for (const Statement &statement : block.statements) {
    const auto *label = std::get_if<Label>(&statement);
    if (!label) continue;
    if (scopes_.back().labels.contains(label->name))
      return failAt(label->place, "the label " + quoted(label->name) + " stands twice");
    scopes_.back().labels[label->name] = llvm::BasicBlock::Create(module.context, ref(label->name), &function);
  }
  for (const Statement &statement : block.statements) {
    workStep();
    if (const auto *label = std::get_if<Label>(&statement)) {
      llvm::BasicBlock *begin = scopes_.back().labels[label->name];
      builder.CreateBr(begin);
      builder.SetInsertPoint(begin);
    } else if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement)) {
      US_CHECK(translateBlock(**inner));
    } else {
      US_CHECK(translateInstruction(std::get<Instruction>(statement)));
    }
  }
  scopes_.pop_back();
  return {};
}

Expected<void> FunctionTranslation::translateBody(const Block &block) {
  US_CHECK(translateBlock(block));
  // "a body that ends without ret or exit": control that comes here ends the thread.
  returnToCaller();
  return {};
}

} // namespace us::frontend::ptx
