// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/argument_access.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace us::codegen {
namespace {

/// Follows one argument forwards, through private variables that hold it and through calls.
class PointerWalk {
public:
  ArgumentAccess run(llvm::Argument &argument) {
    visit(&argument);
    while (!pending_.empty() && !(access_.read && access_.written)) {
      llvm::Value *value = pending_.pop_back_val();
      for (llvm::Use &use : value->uses()) followUse(use);
    }
    return access_;
  }

private:
  void visit(llvm::Value *value) {
    if (known_.insert(value).second) pending_.push_back(value);
  }

  void loseTrack() { access_ = {true, true}; }

  void followUse(llvm::Use &use) {
    llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user)) {
      access_.read = true;
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getPointerOperand() == use.get() && store->getValueOperand() != use.get())
        access_.written = true;
      else
        followIntoVariable(store->getPointerOperand());
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
      followCall(*call, use);
    } else if (llvm::isa<llvm::GEPOperator, llvm::BitCastOperator, llvm::AddrSpaceCastOperator, llvm::PHINode,
                         llvm::SelectInst, llvm::FreezeInst, llvm::InsertElementInst, llvm::ExtractElementInst,
                         llvm::ShuffleVectorInst, llvm::InsertValueInst, llvm::ExtractValueInst>(user)) {
      visit(user);
    } else if (llvm::isa<llvm::ReturnInst>(user)) {
      followReturn(*llvm::cast<llvm::ReturnInst>(user)->getFunction());
    } else if (!llvm::isa<llvm::ICmpInst>(user)) {
      loseTrack(); // atomic operations too: they read and write
    }
  }

  /// The pointer was stored: if in a private variable that does nothing but hold values, whatever is loaded from it may
  /// be the pointer.
  void followIntoVariable(llvm::Value *address) {
    while (auto *element = llvm::dyn_cast<llvm::GEPOperator>(address)) address = element->getPointerOperand();
    auto *slot = llvm::dyn_cast<llvm::AllocaInst>(address);
    if (!slot) return loseTrack();
    if (!variables_.insert(slot).second) return;
    llvm::SmallVector<llvm::Value *> addresses{slot};
    for (size_t i = 0; i < addresses.size(); ++i) {
      for (llvm::Use &use : addresses[i]->uses()) {
        llvm::User *user = use.getUser();
        if (llvm::isa<llvm::GetElementPtrInst>(user))
          addresses.push_back(user);
        else if (llvm::isa<llvm::LoadInst>(user))
          visit(user);
        else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->getValueOperand() == use.get()) return loseTrack();
        } else if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                   !intrinsic || !intrinsic->isLifetimeStartOrEnd())
          return loseTrack();
      }
    }
  }

  void followCall(llvm::CallBase &call, llvm::Use &use) {
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
      if (use.get() == transfer->getRawDest()) access_.written = true;
      if (use.get() == transfer->getRawSource()) access_.read = true;
      return;
    }
    if (llvm::isa<llvm::MemSetInst>(call)) {
      access_.written = true;
      return;
    }
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
        intrinsic && (intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)))
      return;
    llvm::Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !call.isArgOperand(&use)) return loseTrack();
    visit(callee->getArg(call.getArgOperandNo(&use)));
  }

  void followReturn(llvm::Function &function) {
    for (llvm::User *user : function.users()) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != &function) return loseTrack();
      visit(call);
    }
  }

  ArgumentAccess access_;
  llvm::DenseSet<llvm::Value *> known_;
  llvm::DenseSet<llvm::AllocaInst *> variables_;
  llvm::SmallVector<llvm::Value *, 32> pending_;
};

} // namespace

llvm::SmallVector<ArgumentAccess> argumentAccess(llvm::Function &kernel) {
  llvm::SmallVector<ArgumentAccess> all;
  for (llvm::Argument &argument : kernel.args())
    all.push_back(argument.getType()->isPointerTy() && !argument.hasByValAttr() ? PointerWalk().run(argument)
                                                                                : ArgumentAccess{});
  return all;
}

} // namespace us::codegen
