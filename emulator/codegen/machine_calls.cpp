// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/machine_calls.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

const llvm::Align kLocalArenaAlignment(1024); ///< GroupContext::localArena

} // namespace

llvm::StringRef machineName(const llvm::Value *value) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return {};
  llvm::StringRef name = callee->getName();
  return name.consume_front("us.") ? name : llvm::StringRef();
}

bool isBarrier(const llvm::Value *value) {
  const llvm::StringRef name = machineName(value);
  return llvm::is_contained(kRegionEnds, name);
}

bool waitsForMemory(llvm::Function &kernel) { return !machineCalls(kernel, "yield").empty(); }

std::optional<unsigned> queryDimension(const llvm::CallBase &call) {
  auto *dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  if (!dimension || dimension->getZExtValue() > 2) return std::nullopt;
  return unsigned(dimension->getZExtValue());
}

llvm::SmallVector<llvm::CallInst *, 8> machineCalls(llvm::Function &function, llvm::StringRef name) {
  llvm::SmallVector<llvm::CallInst *, 8> found;
  llvm::Function *declaration = function.getParent()->getFunction(("us." + name).str());
  if (!declaration) return found;
  for (llvm::User *user : declaration->users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getFunction() == &function)
      found.push_back(call);
  std::reverse(found.begin(), found.end());
  return found;
}

void attributeMachineFunction(llvm::Function &declaration) {
  const MachineFunction *known = machineFunction(declaration.getName());
  if (!known) return;
  llvm::LLVMContext &context = declaration.getContext();
  declaration.setDoesNotThrow();
  if (known->effects == MachineEffects::NoReturn) return;
  declaration.addFnAttr(llvm::Attribute::WillReturn);
  if (known->effects == MachineEffects::Convergent) declaration.addFnAttr(llvm::Attribute::Convergent);
  const bool query = known->effects == MachineEffects::Query;
  if (query || known->effects == MachineEffects::Inaccessible) {
    declaration.setMemoryEffects(query ? llvm::MemoryEffects::none() : llvm::MemoryEffects::inaccessibleMemOnly());
    declaration.addFnAttr(llvm::Attribute::NoSync);
    declaration.addFnAttr(llvm::Attribute::NoFree);
    declaration.removeFnAttr(llvm::Attribute::Convergent);
  }
  if (query) declaration.addFnAttr(llvm::Attribute::Speculatable);
  if (known->dereferenceable) {
    declaration.addRetAttr(llvm::Attribute::getWithDereferenceableBytes(context, known->dereferenceable));
    declaration.addRetAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    declaration.addRetAttr(llvm::Attribute::NonNull);
    declaration.addRetAttr(llvm::Attribute::NoUndef);
  }
  if (known->name == "local_arena")
    declaration.addRetAttr(llvm::Attribute::getWithAlignment(context, kLocalArenaAlignment));
}

llvm::CallInst *createMachineCall(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  auto callee = module.getOrInsertFunction(("us." + name).str(), llvm::FunctionType::get(result, types, false));
  attributeMachineFunction(*llvm::cast<llvm::Function>(callee.getCallee()));
  return builder.CreateCall(callee, arguments);
}

llvm::Value *loadInvariant(llvm::IRBuilderBase &builder, llvm::Type *type, llvm::Value *base, uint64_t offset,
                           const llvm::Twine &name) {
  llvm::Value *address = offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset) : base;
  llvm::LoadInst *load = builder.CreateLoad(type, address, name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

llvm::Value *createLinear(llvm::IRBuilderBase &builder, const char *id, const char *size) {
  auto query = [&](const char *name, unsigned dimension) {
    return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
  };
  llvm::Value *rows = builder.CreateAdd(builder.CreateMul(query(id, 2), query(size, 1)), query(id, 1));
  return builder.CreateAdd(builder.CreateMul(rows, query(size, 0)), query(id, 0));
}

llvm::CallInst *callRuntime(llvm::IRBuilderBase &builder, llvm::Value *launch, uint64_t slot, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::Value *table = loadInvariant(builder, pointer, launch, offsetof(abi::LaunchContext, runtime), "runtime");
  llvm::Value *target = loadInvariant(builder, pointer, table, slot);
  llvm::SmallVector<llvm::Type *, 6> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  llvm::CallInst *call = builder.CreateCall(llvm::FunctionType::get(result, types, false), target, arguments);
  call->setDoesNotThrow();
  return call;
}

llvm::Value *loadLaunchField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset, const llvm::Twine &name) {
  return loadInvariant(builder, type, createMachineCall(builder, "launch", builder.getPtrTy()), offset, name);
}

llvm::Value *loadGroupField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset, const llvm::Twine &name) {
  return loadInvariant(builder, type, createMachineCall(builder, "group", builder.getPtrTy()), offset, name);
}

llvm::Value *loadLocalArena(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t bytes) {
  llvm::Value *arena = loadGroupField(builder, type, offsetof(abi::GroupContext, localArena), "arena");
  auto *load = llvm::dyn_cast<llvm::LoadInst>(arena);
  const auto say = [&](unsigned kind, uint64_t number) {
    auto *constant = llvm::ConstantAsMetadata::get(builder.getInt64(number));
    if (load) load->setMetadata(kind, llvm::MDNode::get(builder.getContext(), constant));
  };
  say(llvm::LLVMContext::MD_align, kLocalArenaAlignment.value());
  if (bytes) say(llvm::LLVMContext::MD_dereferenceable, bytes);
  return arena;
}

bool isOfSubGroup(const llvm::Instruction &instruction) {
  const llvm::StringRef name = machineName(&instruction);
  return name == "sub_group_sync" || name == "votes";
}

bool isLaneRead(const llvm::Value *value) { return machineName(value).starts_with("lane_"); }

bool usesSubGroups(llvm::Function &kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](llvm::Instruction &instruction) {
    return isOfSubGroup(instruction) || isLaneRead(&instruction);
  });
}

} // namespace us::codegen
