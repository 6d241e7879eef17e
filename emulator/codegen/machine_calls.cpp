// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/machine_calls.h"

#include "emulator/abi/kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

const llvm::Align kLocalArenaAlignment(128); ///< GroupContext::localArena

/// How a us.* function may be treated by optimisers; one that is not listed keeps what the front end declared.
struct MachineFunction {
  const char *name;
  bool pure;             ///< memory(none): may be duplicated, moved and removed
  uint64_t dereferenced; ///< bytes known to be there behind a returned pointer
};
constexpr MachineFunction kMachineFunctions[] = {
    {"global_id", true, 0},
    {"local_id", true, 0},
    {"group_id", true, 0},
    {"global_size", true, 0},
    {"local_size", true, 0},
    {"enqueued_local_size", true, 0},
    {"num_groups", true, 0},
    {"global_offset", true, 0},
    {"work_dim", true, 0},
    {"grid_workspace", true, 0},
    {"local_memory", true, 0},
    {"dynamic_local_memory", true, 0},
    {"exchange", true, 0},
    {"local_arena", true, 0},
    {"launch", true, sizeof(abi::LaunchContext)},
    {"group", true, sizeof(abi::GroupContext)},
    {"item", true, sizeof(abi::ItemContext)},
    {"barrier", false, 0},
    {"boundary", false, 0},
    {"limit", false, 0},
    {"sub_group_sync", false, 0},
    {"yield", false, 0},
    {"printf", false, 0},
    {"misaligned", false, 0},
    {"clock", false, 0},
    {"address_space", true, 0},
    {"device_queue", false, 0},
    {"named_barrier", false, 0},
    {"allocate", false, 0},
    {"release", false, 0},
};

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
  return name == "barrier" || name == "boundary";
}

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
  llvm::StringRef name = declaration.getName();
  if (!name.consume_front("us.")) return;
  declaration.setDoesNotThrow();
  for (const MachineFunction &known : kMachineFunctions) {
    if (name != known.name) continue;
    declaration.addFnAttr(llvm::Attribute::WillReturn);
    if (name == "misaligned") { // no loads and stores are kept from moving by it
      declaration.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
      declaration.addFnAttr(llvm::Attribute::NoSync);
      declaration.addFnAttr(llvm::Attribute::NoFree);
    }
    if (!known.pure) break;
    declaration.setMemoryEffects(llvm::MemoryEffects::none());
    declaration.addFnAttr(llvm::Attribute::Speculatable);
    declaration.addFnAttr(llvm::Attribute::NoSync);
    declaration.addFnAttr(llvm::Attribute::NoFree);
    declaration.removeFnAttr(llvm::Attribute::Convergent);
    if (known.dereferenced) {
      llvm::LLVMContext &context = declaration.getContext();
      declaration.addRetAttr(llvm::Attribute::getWithDereferenceableBytes(context, known.dereferenced));
      declaration.addRetAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
      declaration.addRetAttr(llvm::Attribute::NonNull);
      declaration.addRetAttr(llvm::Attribute::NoUndef);
    }
    break;
  }
  if (name == "barrier" || name == "sub_group_sync" || name == "named_barrier")
    declaration.addFnAttr(llvm::Attribute::Convergent);
  if (name == "local_arena")
    declaration.addRetAttr(llvm::Attribute::getWithAlignment(declaration.getContext(), kLocalArenaAlignment));
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

llvm::Value *loadLaunchField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset, const llvm::Twine &name) {
  return loadInvariant(builder, type, createMachineCall(builder, "launch", builder.getPtrTy()), offset, name);
}

llvm::Value *loadGroupField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset, const llvm::Twine &name) {
  return loadInvariant(builder, type, createMachineCall(builder, "group", builder.getPtrTy()), offset, name);
}

llvm::Value *loadLocalArena(llvm::IRBuilderBase &builder, llvm::Type *type) {
  llvm::Value *arena = loadGroupField(builder, type, offsetof(abi::GroupContext, localArena), "arena");
  auto *alignment = llvm::ConstantAsMetadata::get(builder.getInt64(kLocalArenaAlignment.value()));
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(arena))
    load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(builder.getContext(), alignment));
  return arena;
}

} // namespace us::codegen
