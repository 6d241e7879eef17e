// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/form_item_entry.h"

#include "emulator/codegen/entry_function.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// What comes later in every execution comes later here too: uses are in no order once code was inlined.
llvm::SmallVector<llvm::CallInst *, 8> inProgramOrder(llvm::SmallVector<llvm::CallInst *, 8> calls) {
  if (calls.size() < 2) return calls;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> place; // blocks that nothing reaches: 0, wherever
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(calls.front()->getFunction()))
    place.try_emplace(block, unsigned(place.size()));
  llvm::sort(calls, [&](const llvm::CallInst *a, const llvm::CallInst *b) {
    if (a->getParent() == b->getParent()) return a->comesBefore(b);
    return place.lookup(a->getParent()) < place.lookup(b->getParent());
  });
  return calls;
}

struct ItemEntryBuilder {
  llvm::Function &kernel;
  llvm::Argument *item;
  llvm::Value *group = nullptr, *launch = nullptr;
  llvm::IRBuilder<> top;

  explicit ItemEntryBuilder(llvm::Function &kernel)
      : kernel(kernel), item(kernel.getArg(0)), top(&*kernel.getEntryBlock().getFirstInsertionPt()) {
    llvm::LLVMContext &context = kernel.getContext();
    item->setName("item");
    item->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::ItemContext)));
    group = contextAt(item, offsetof(abi::ItemContext, group), sizeof(abi::GroupContext), "group");
    launch = contextAt(group, offsetof(abi::GroupContext, launch), sizeof(abi::LaunchContext), "launch");
  }

  llvm::Value *contextAt(llvm::Value *base, uint64_t offset, uint64_t size, const char *name) {
    auto *load = llvm::cast<llvm::LoadInst>(loadInvariant(top, top.getPtrTy(), base, offset, name));
    auto *bytes = llvm::ConstantAsMetadata::get(top.getInt64(size));
    load->setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(top.getContext(), bytes));
    return load;
  }

  void replace(const char *name, llvm::Value *value) {
    for (llvm::CallInst *call : machineCalls(kernel, name)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }

  llvm::Value *field(llvm::IRBuilder<> &builder, llvm::Value *base, uint64_t offset, unsigned dimension) {
    return loadInvariant(builder, builder.getInt64Ty(), base, offset + 8ull * dimension);
  }

  void lowerQueries(const abi::Specialization &specialization) {
    auto each = [&](const char *name, auto make) {
      for (llvm::CallInst *call : machineCalls(kernel, name)) {
        llvm::IRBuilder<> builder(call);
        call->replaceAllUsesWith(make(builder, *queryDimension(*call)));
        call->eraseFromParent();
      }
    };
    using Builder = llvm::IRBuilder<>;
    each("local_id", [&](Builder &b, unsigned d) { return field(b, item, offsetof(abi::ItemContext, localId), d); });
    each("group_id", [&](Builder &b, unsigned d) { return field(b, group, offsetof(abi::GroupContext, groupId), d); });
    each("local_size",
         [&](Builder &b, unsigned d) { return field(b, group, offsetof(abi::GroupContext, localSize), d); });
    each("global_id", [&](Builder &b, unsigned d) {
      llvm::Value *first = b.CreateMul(field(b, group, offsetof(abi::GroupContext, groupId), d),
                                       field(b, launch, offsetof(abi::LaunchContext, localSize), d));
      llvm::Value *id = b.CreateAdd(first, field(b, item, offsetof(abi::ItemContext, localId), d));
      if (specialization.zeroOffset) return id;
      return b.CreateAdd(id, field(b, launch, offsetof(abi::LaunchContext, globalOffset), d));
    });
  }

  void lowerSync(const MachineFunction &function) {
    uint32_t site = 0;
    for (llvm::CallInst *call : inProgramOrder(machineCalls(kernel, function.name))) {
      llvm::IRBuilder<> builder(call);
      llvm::Value *table = loadInvariant(builder, builder.getPtrTy(), launch, offsetof(abi::LaunchContext, runtime));
      llvm::Value *target = loadInvariant(builder, builder.getPtrTy(), table, function.runtime->slot);
      llvm::SmallVector<llvm::Value *, 6> arguments{item};
      arguments.append(call->arg_begin(), call->arg_end());
      arguments.push_back(builder.getInt32(site++));
      llvm::SmallVector<llvm::Type *, 6> types;
      for (llvm::Value *argument : arguments) types.push_back(argument->getType());
      auto *sync = builder.CreateCall(llvm::FunctionType::get(call->getType(), types, false), target, arguments);
      sync->setConvergent();
      sync->setDoesNotThrow();
      call->replaceAllUsesWith(sync);
      call->eraseFromParent();
    }
  }
};

/// Functions that remain beside the kernel (recursive ones) and ask the machine for something, or call one that does.
llvm::SmallVector<llvm::Function *, 4> functionsThatAsk(llvm::Module &module, const llvm::Function &kernel) {
  llvm::SmallPtrSet<llvm::Function *, 4> asking;
  for (bool grows = true; grows;) {
    grows = false;
    for (llvm::Function &function : module) {
      if (&function == &kernel || function.isDeclaration() || asking.contains(&function)) continue;
      const bool asks = llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call && (!machineName(call).empty() || asking.contains(call->getCalledFunction()));
      });
      if (asks) grows |= asking.insert(&function).second;
    }
  }
  llvm::SmallVector<llvm::Function *, 4> ordered;
  for (llvm::Function &function : module)
    if (asking.contains(&function)) ordered.push_back(&function);
  return ordered;
}

/// The same function with the work-item as its first argument; calls are not changed yet.
llvm::Function *withItem(llvm::Function &old) {
  llvm::SmallVector<llvm::Type *, 8> types{llvm::PointerType::get(old.getContext(), 0)};
  types.append(old.getFunctionType()->param_begin(), old.getFunctionType()->param_end());
  auto *made = llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), types, false),
                                      llvm::GlobalValue::InternalLinkage, "", old.getParent());
  made->takeName(&old);
  made->setDSOLocal(true);
  made->setDoesNotThrow();
  made->setCallingConv(old.getCallingConv());
  made->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);
  made->splice(made->begin(), &old);
  for (llvm::Argument &argument : old.args()) argument.replaceAllUsesWith(made->getArg(argument.getArgNo() + 1));
  return made;
}

void passItem(llvm::Function &old, llvm::Function &made) {
  for (llvm::User *user : llvm::make_early_inc_range(old.users())) {
    auto &call = llvm::cast<llvm::CallInst>(*user);
    llvm::SmallVector<llvm::Value *, 8> arguments{call.getFunction()->getArg(0)};
    arguments.append(call.arg_begin(), call.arg_end());
    llvm::IRBuilder<> builder(&call);
    llvm::CallInst *now = builder.CreateCall(&made, arguments);
    now->setCallingConv(call.getCallingConv());
    now->setDoesNotThrow();
    call.replaceAllUsesWith(now);
    call.eraseFromParent();
  }
  old.eraseFromParent();
}

void lowerAll(llvm::Function &function, const abi::Specialization &specialization) {
  ItemEntryBuilder builder(function);
  builder.replace("launch", builder.launch);
  builder.replace("group", builder.group);
  builder.replace("item", builder.item);
  builder.lowerQueries(specialization);
  for (const MachineFunction &known : machineFunctions())
    if (known.runtime && known.runtime->context == RuntimeContext::ItemAndSite) builder.lowerSync(known);
}

} // namespace

llvm::PreservedAnalyses FormItemEntry::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &old = *module.getFunction(request.kernel);
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function &kernel = createEntry(old, request.specialization.target, {pointer});
  kernel.splice(kernel.begin(), &old);
  old.eraseFromParent();

  llvm::SmallVector<std::pair<llvm::Function *, llvm::Function *>, 4> changed;
  for (llvm::Function *function : functionsThatAsk(module, kernel)) changed.emplace_back(function, withItem(*function));
  for (auto [before, after] : changed) passItem(*before, *after);
  for (auto [before, after] : changed) lowerAll(*after, request.specialization);
  lowerAll(kernel, request.specialization);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
