// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/copy_updated_arguments.h"

#include "emulator/codegen/analysis/combining_updates.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/remarks.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

namespace us::codegen {
namespace {

using llvm::AtomicRMWInst;
using Objects = llvm::SmallVector<const llvm::Value *, 4>;

Objects objectsOf(const llvm::Value *pointer) {
  Objects objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return objects;
}

/// An image's pixels, by its descriptor. Whoever launches the kernel knows where they are, as with arguments.
bool isFromImage(const llvm::Value &object) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&object);
  if (!load) return false;
  const Objects from = objectsOf(load->getPointerOperand());
  auto *image = from.size() == 1 ? llvm::dyn_cast<llvm::Argument>(from.front()) : nullptr;
  return image && argumentKind(*image) == ArgumentKind::Image;
}

/// What lies there can be no argument's memory but that of the argument itself.
bool isKnown(const llvm::Value *pointer) {
  return llvm::all_of(objectsOf(pointer), [](const llvm::Value *object) {
    return llvm::isa<llvm::Argument, llvm::AllocaInst, llvm::GlobalVariable>(object) ||
           object->getType()->getPointerAddressSpace() == 3 || machineName(object) == "exchange" ||
           isFromImage(*object);
  });
}

/// Accesses memory of which nobody knows whose it is.
bool reachesAnything(const llvm::Instruction &instruction) {
  if (!instruction.mayReadOrWriteMemory() || llvm::isa<llvm::FenceInst>(instruction)) return false;
  if (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false; // of the launch
  if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) return !isKnown(pointer);
  if (auto *update = llvm::dyn_cast<AtomicRMWInst>(&instruction)) return !isKnown(update->getPointerOperand());
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return !isKnown(exchange->getPointerOperand());
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return !isKnown(copy->getRawDest()) || !isKnown(copy->getRawSource());
  if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) return !isKnown(fill->getRawDest());
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return !intrinsic->isAssumeLikeIntrinsic() && !intrinsic->isLifetimeStartOrEnd();
  return machineName(&instruction).empty(); // what the machine does is told by the uses of the argument
}

/// All operations on the argument's memory, if they are of one kind and nothing else is done with it.
class Updates {
public:
  /// `isChecked`: places are compared with the memory's bounds.
  Updates(llvm::Argument &argument, bool isChecked) : argument_(argument), isChecked_(isChecked) {
    follow(argument);
    while (!open_.empty()) {
      llvm::Value *pointer = open_.pop_back_val();
      for (llvm::Use &use : pointer->uses())
        if (!take(use)) {
          copy_.reset();
          return;
        }
    }
  }
  const std::optional<abi::ArgumentCopy> &copy() const { return copy_; }
  const llvm::SmallVectorImpl<AtomicRMWInst *> &all() const { return all_; }
  /// It is asked where it is, which is no use of what lies there.
  bool isCompared() const { return isCompared_; }

private:
  void follow(llvm::Value &pointer) {
    if (seen_.insert(&pointer).second) open_.push_back(&pointer);
  }

  bool take(llvm::Use &use) {
    llvm::User *user = use.getUser();
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst>(user)) {
      follow(*user);
      return true;
    }
    // Whoever makes a pointer of it again reaches anything.
    if (isChecked_ && llvm::isa<llvm::PtrToIntInst>(user)) return isCompared_ = true;
    auto *update = llvm::dyn_cast<AtomicRMWInst>(user);
    if (!update || update->getPointerOperand() != use.get() || update->getValOperand() == use.get()) return false;
    const CombiningUpdate *kind = combiningUpdate(*update);
    if (!kind || !update->use_empty() || update->isVolatile()) return false;
    const unsigned bits = update->getType()->getIntegerBitWidth();
    if ((bits != 32 && bits != 64) || update->getAlign().value() * 8 < bits) return false;
    const abi::ArgumentCopy copy{argument_.getArgNo(), bits / 8, kind->combination};
    if (copy_ && *copy_ != copy) return false;
    const Objects objects = objectsOf(update->getPointerOperand());
    if (objects.size() != 1 || objects.front() != &argument_) return false;
    copy_ = copy;
    all_.push_back(update);
    return true;
  }

  llvm::Argument &argument_;
  const bool isChecked_;
  bool isCompared_ = false;
  std::optional<abi::ArgumentCopy> copy_;
  llvm::SmallVector<AtomicRMWInst *, 4> all_;
  llvm::SmallPtrSet<llvm::Value *, 16> seen_;
  llvm::SmallVector<llvm::Value *, 16> open_;
};

/// What is compared is the place in the argument's own memory. Behind a check nobody puts work-items side by side, and
/// what it leaves out may be joined with what it does: so they are made plain here.
void moveTo(llvm::Value &copy, llvm::Argument &argument, llvm::ArrayRef<AtomicRMWInst *> updates) {
  for (AtomicRMWInst *update : updates) {
    llvm::IRBuilder<> builder(update);
    llvm::Value *place = builder.CreateAddrSpaceCast(update->getPointerOperand(), argument.getType());
    llvm::Value *distance = builder.CreatePtrDiff(builder.getInt8Ty(), place, &argument);
    llvm::Value *there = builder.CreatePtrAdd(&copy, distance);
    update->setOperand(0, builder.CreateAddrSpaceCast(there, update->getPointerOperand()->getType()));
    llvm::lowerAtomicRMWInst(update);
  }
}

} // namespace

llvm::PreservedAnalyses CopyUpdatedArguments::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (request.specialization.copied == 0) return llvm::PreservedAnalyses::all();
  // Who waits may wait for an update by another thread; and a group that waits may go on in another.
  if (waitsForMemory(kernel)) return llvm::PreservedAnalyses::all();
  std::string numbers;
  llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  for (llvm::Argument &argument : kernel.args()) {
    const unsigned number = argument.getArgNo();
    if (number >= 64 || !(request.specialization.copied >> number & 1) || !argument.getType()->isPointerTy()) continue;
    const Updates updates(argument, bool(request.specialization.instrumentation));
    if (!updates.copy()) continue;
    if (numbers.empty() && llvm::any_of(llvm::instructions(kernel), reachesAnything)) break;
    llvm::MDNode *mark = llvm::MDNode::get(module.getContext(), {});
    for (AtomicRMWInst *update : updates.all()) update->setMetadata(kOnPrivateCopy, mark);
    llvm::Value *copies =
        loadGroupField(builder, builder.getPtrTy(), offsetof(abi::GroupContext, argumentCopies), "copies");
    llvm::Value *own =
        loadInvariant(builder, argument.getType(), copies, uint64_t(number) * 8, argument.getName() + ".copy");
    const abi::ArgumentCopy &copy = *updates.copy();
    for (const unsigned part : {number, copy.bytes, unsigned(copy.combination)}) numbers += std::to_string(part) + " ";
    remark(kernel.getEntryBlock(), updates.all().front()->getDebugLoc(), [&] {
      return "each thread counts in a copy of argument " + std::to_string(number) +
             ", and they are combined at the end";
    });
    if (updates.isCompared())
      moveTo(*own, argument, updates.all());
    else
      argument.replaceAllUsesWith(own);
  }
  if (numbers.empty()) return llvm::PreservedAnalyses::all();
  kernel.addFnAttr(kArgumentCopies, numbers);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
