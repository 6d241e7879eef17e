// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mov, and conversions between state spaces. Shared addresses count from the beginning of the work-group's memory (of
// its cluster's, in modules that know clusters) and fit into 32 bits; all others are what they are, but of .local and
// .const ones the lower 32 bits suffice (docs/decisions/0030-ptx.md).
#include "frontend/ptx/addresses.h"
#include "frontend/ptx/calls.h"
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

llvm::Value *distanceFromArena(FunctionTranslation &f, llvm::Value *pointer) {
  llvm::Type *type = f.builder.getInt64Ty();
  return f.builder.CreateSub(f.builder.CreatePtrToInt(pointer, type), f.builder.CreatePtrToInt(f.sharedBase(), type));
}

} // namespace

Expected<llvm::Value *> addressOfVariable(FunctionTranslation &f, const Operand &operand) {
  auto inItsSpace = [&](const Memory &memory, llvm::Value *pointer) {
    return memory.space == StateSpace::Shared ? distanceFromArena(f, pointer)
                                              : f.builder.CreatePtrToInt(pointer, f.builder.getInt64Ty());
  };
  if (operand.kind == OperandKind::Element) {
    US_TRY(llvm::Value * pointer, f.elementPointer(operand));
    return inItsSpace(*f.findMemory(operand.name), pointer);
  }
  if (operand.kind != OperandKind::Name || !operand.component.empty() || f.findRegister(operand.name)) return nullptr;
  const Memory *memory = f.findMemory(operand.name);
  if (!memory) {
    const std::optional<uint64_t> function = addressOfFunction(f.module, operand.name);
    return function ? f.builder.getInt64(*function) : nullptr;
  }
  if (!memory->pointer) return failAt(operand.place, "'" + std::string(operand.name) + "' cannot be reached from here");
  llvm::Value *address = inItsSpace(*memory, memory->pointer);
  return operand.bits ? f.builder.CreateAdd(address, f.builder.getInt64(operand.bits)) : address;
}

namespace {

/// mov d, {a, b, …}
Expected<void> pack(FunctionTranslation &f, const Operation &op) {
  const Operand &from = op.operand(1);
  const Type type = op.types[0];
  const uint32_t bits = type->bits / uint32_t(std::max<size_t>(from.elements.size(), 1));
  const Type part = typeOf(TypeClass::Bits, bits);
  if (type->kind != TypeClass::Bits || !part || bits * from.elements.size() != type->bits)
    return failAt(from.place, "so many elements do not make a ." + std::string(type->name));
  llvm::Type *whole = f.builder.getIntNTy(type->bits);
  llvm::Value *result = llvm::ConstantInt::get(whole, 0);
  for (size_t i = 0; i < from.elements.size(); ++i) {
    US_TRY(llvm::Value * value, f.valueOf(from.elements[i], part, false));
    llvm::Value *moved =
        f.builder.CreateShl(f.builder.CreateZExt(value, whole), llvm::ConstantInt::get(whole, i * bits));
    result = f.builder.CreateOr(result, moved);
  }
  return f.assign(op.operand(0), type, false, result);
}

/// mov {a, b, …}, d
Expected<void> unpack(FunctionTranslation &f, const Operation &op) {
  const Operand &into = op.operand(0);
  const Type type = op.types[0];
  const uint32_t bits = type->bits / uint32_t(std::max<size_t>(into.elements.size(), 1));
  const Type part = typeOf(TypeClass::Bits, bits);
  if (type->kind != TypeClass::Bits || !part || bits * into.elements.size() != type->bits)
    return failAt(into.place, "a ." + std::string(type->name) + " is not made of so many elements");
  US_TRY(llvm::Value * whole, f.valueOf(op.operand(1), type, false));
  for (size_t i = 0; i < into.elements.size(); ++i) {
    llvm::Value *moved = f.builder.CreateLShr(whole, llvm::ConstantInt::get(whole->getType(), i * bits));
    US_CHECK(f.assign(into.elements[i], part, false, f.builder.CreateTrunc(moved, f.builder.getIntNTy(bits))));
  }
  return {};
}

} // namespace

Expected<void> move(FunctionTranslation &f, const Operation &op) {
  if (op.operand(0).kind == OperandKind::Vector) return unpack(f, op);
  if (op.operand(1).kind == OperandKind::Vector) return pack(f, op);
  const Type type = op.types[0];
  US_TRY(llvm::Value * value, addressOfVariable(f, op.operand(1)));
  if (value) {
    if (type->isFloat() || type->bits < 32) return failAt(op.text.place, "an address does not fit into the register");
    value = f.builder.CreateTrunc(value, f.llvmType(type));
  } else {
    US_TRY(value, f.valueOf(op.operand(1), type, false));
  }
  return f.assign(op.operand(0), type, false, value);
}

Expected<void> convertAddress(FunctionTranslation &f, const Operation &op) {
  const bool toSpace = op.form.detail == 1;
  const StateSpace space = op.space();
  US_TRY(llvm::Value * value, addressOfVariable(f, op.operand(1)));
  if (!value) {
    US_TRY(value, f.valueOf(op.operand(1), typeNamed("u64"), false));
  }
  if (space == StateSpace::Shared) {
    llvm::Value *arena = f.builder.CreatePtrToInt(f.sharedBase(), f.builder.getInt64Ty());
    value = toSpace ? f.builder.CreateSub(value, arena) : f.builder.CreateAdd(value, arena);
  }
  // "cvta.local.u64 d, a" of an address that was kept in 32 bits
  if (!toSpace && f.module.hasShortAddresses(space))
    value = f.builder.CreatePtrToInt(f.shortPointer(space, value), f.builder.getInt64Ty());
  return f.define(op, 0, value);
}

/// mov of a vector register, or of what has as many elements
Expected<void> moveVector(FunctionTranslation &f, const Operation &op) {
  US_TRY(const std::vector<llvm::Value *> values, f.sources(op, 1, op.has("v2") ? 2 : 4));
  return f.defineAll(op, 0, values);
}

/// alloca d, size, alignment: "the default alignment is 8 bytes"; the memory goes when the function returns.
Expected<void> allocateOnStack(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * size, f.source(op, 1));
  uint64_t alignment = 8;
  if (op.count() == 3) {
    const Operand &wanted = op.operand(2);
    alignment = wanted.bits;
    if (wanted.kind != OperandKind::Integer || alignment == 0 || alignment > 1024 || (alignment & (alignment - 1)))
      return failAt(wanted.place, "the alignment of alloca is a power of two");
  }
  llvm::AllocaInst *room = f.builder.CreateAlloca(f.builder.getInt8Ty(), size);
  room->setAlignment(llvm::Align(alignment));
  return f.define(op, 0, f.builder.CreatePtrToInt(room, f.llvmType(op.types[0])));
}

Expected<void> stackPointer(FunctionTranslation &f, const Operation &op) {
  if (op.form.detail == 0) {
    llvm::Value *pointer = f.callIntrinsic(llvm::Intrinsic::stacksave, {f.builder.getPtrTy()}, {});
    return f.define(op, 0, f.builder.CreatePtrToInt(pointer, f.llvmType(op.types[0])));
  }
  US_TRY(llvm::Value * value, f.source(op, 0));
  f.callIntrinsic(llvm::Intrinsic::stackrestore, {f.builder.getPtrTy()},
                  {f.builder.CreateIntToPtr(value, f.builder.getPtrTy())});
  return {};
}

Expected<void> isSpace(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  // Numbers of address spaces (us.address_space). .const and .param variables lie in global and private memory.
  constexpr std::pair<StateSpace, AddressSpace> kNumbers[] = {
      {StateSpace::Global, kGlobal}, {StateSpace::Shared, kShared}, {StateSpace::Local, kPrivate}};
  for (const auto &[space, number] : kNumbers) {
    if (op.space() != space) continue;
    if (space == StateSpace::Shared && f.module.usesClusters && !op.has("shared::cluster")) {
      // Only the block's own.
      llvm::Value *arena = f.callMachine("us.local_arena", f.builder.getPtrTy(kShared), {});
      llvm::Value *before = f.builder.CreateSub(value, f.builder.CreatePtrToInt(arena, f.builder.getInt64Ty()));
      return f.define(op, 0,
                      f.builder.CreateICmpULT(before, f.callMachine("us.local_memory", f.builder.getInt64Ty(), {})));
    }
    llvm::Value *pointer = f.builder.CreateIntToPtr(value, f.builder.getPtrTy(kGeneric));
    llvm::Value *found = f.callMachine("us.address_space", f.builder.getInt32Ty(), {pointer});
    return f.define(op, 0, f.builder.CreateICmpEQ(found, f.builder.getInt32(number)));
  }
  return f.define(op, 0, f.builder.getFalse());
}

} // namespace us::frontend::ptx
