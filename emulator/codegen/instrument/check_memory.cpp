// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_memory.h"

#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/launch_ranges.h"
#include "emulator/codegen/instrument/local_ranges.h"
#include "emulator/codegen/instrument/pointer_bounds.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

/// An element is asked for that its array does not have.
struct WrongIndex {
  llvm::Value *isRight, *index;
  uint64_t elements;
};

/// Whether `pointer` lies in the array that `place` names with its first `steps` indices.
llvm::Value *liesIn(llvm::IRBuilderBase &builder, llvm::Value *pointer, llvm::GEPOperator &place, unsigned steps) {
  const llvm::SmallVector<llvm::Value *, 4> indices(place.idx_begin(), place.idx_begin() + steps);
  llvm::Type *type = place.getSourceElementType();
  llvm::Value *array = builder.CreateGEP(type, place.getPointerOperand(), indices);
  const uint64_t bytes = builder.GetInsertBlock()->getDataLayout().getTypeAllocSize(
      llvm::GetElementPtrInst::getIndexedType(type, indices));
  llvm::Value *distance = builder.CreateSub(builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                                            builder.CreatePtrToInt(array, builder.getInt64Ty()));
  return builder.CreateICmpULT(distance, builder.getInt64(bytes));
}

/// Arrays inside of what `pointer` was made from whose elements are asked for by number.
llvm::SmallVector<WrongIndex, 2> indicesOf(llvm::IRBuilderBase &builder, llvm::Value *pointer,
                                           const PointerBounds &bounds) {
  llvm::SmallVector<WrongIndex, 2> wrong;
  llvm::Value *const accessed = pointer;
  bool goesOn = false; // from the element to another one, by a step that names no array
  while (true) {
    auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!place && !llvm::isa<llvm::AddrSpaceCastOperator>(pointer)) return wrong;
    if (!place) {
      pointer = llvm::cast<llvm::AddrSpaceCastOperator>(pointer)->getPointerOperand();
      continue;
    }
    const llvm::DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
    llvm::Type *type = place->getSourceElementType();
    // The first number goes from one such object to the next.
    for (const auto &[before, step] : llvm::drop_begin(llvm::enumerate(place->indices()))) {
      auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
      type = llvm::GetElementPtrInst::getTypeAtIndex(type, step.get());
      // An array of one at the end of a structure is the old way to say: and more of these.
      if (!array || array->getNumElements() <= 1) continue;
      auto *whole = llvm::dyn_cast_or_null<llvm::ConstantInt>(bounds.size);
      if (bounds.variable && whole && whole->getZExtValue() == layout.getTypeAllocSize(array)) continue; // they say it
      llvm::Value *index = builder.CreateSExtOrTrunc(step.get(), builder.getInt64Ty());
      llvm::Value *isRight = builder.CreateICmpULT(index, builder.getInt64(array->getNumElements()));
      if (auto *certain = llvm::dyn_cast<llvm::ConstantInt>(isRight); certain && certain->isOne()) continue;
      // A pointer to behind the last element is right, and so is what comes back from there.
      if (goesOn) isRight = builder.CreateOr(isRight, liesIn(builder, accessed, *place, unsigned(before)));
      wrong.push_back({isRight, index, array->getNumElements()});
    }
    goesOn = goesOn || !llvm::PatternMatch::match(place->idx_begin()->get(), llvm::PatternMatch::m_Zero());
    pointer = place->getPointerOperand();
  }
}

/// Whether nothing but a branch of another check, of those in front of this one, comes of a value.
bool onlyDecidesChecks(const llvm::User &user) {
  if (llvm::isa<llvm::BranchInst>(user))
    return llvm::cast<llvm::BranchInst>(user).hasMetadata(llvm::LLVMContext::MD_nosanitize);
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  if (!llvm::isa<llvm::CmpInst>(user) && !(intrinsic && intrinsic->doesNotAccessMemory())) return false;
  return llvm::all_of(user.users(), [](const llvm::User *next) { return onlyDecidesChecks(*next); });
}

/// Whether what is read is at most written back, beside what the source writes: Clang stores an element of a vector by
/// storing the whole of it.
bool isPartOfWrite(llvm::Instruction &instruction) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load || !load->getType()->isVectorTy()) return false;
  llvm::SmallVector<llvm::Value *, 4> open{load};
  while (!open.empty()) {
    llvm::Value *value = open.pop_back_val();
    for (llvm::User *user : value->users()) {
      if (onlyDecidesChecks(*user)) continue;
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getPointerOperand() != load->getPointerOperand() || store->getValueOperand() != value) return false;
        continue;
      }
      const bool keepsRest = llvm::isa<llvm::InsertElementInst>(user) ? user->getOperand(0) == value
                                                                      : llvm::isa<llvm::ShuffleVectorInst>(user);
      if (!keepsRest) return false;
      open.push_back(user);
    }
  }
  return true;
}

/// How many places an access can begin at: a number where both are.
llvm::Value *placesIn(llvm::IRBuilderBase &builder, llvm::Value *size, llvm::Value *last) {
  auto *whole = llvm::dyn_cast<llvm::ConstantInt>(size), *less = llvm::dyn_cast<llvm::ConstantInt>(last);
  if (whole && less) return builder.getInt(whole->getValue().usub_sat(less->getValue()));
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, size, last);
}

/// Without what is certain.
llvm::Value *both(llvm::IRBuilderBase &builder, llvm::Value *first, llvm::Value *second) {
  const auto isTrue = [](llvm::Value *value) { return llvm::PatternMatch::match(value, llvm::PatternMatch::m_One()); };
  return isTrue(first) ? second : isTrue(second) ? first : builder.CreateAnd(first, second);
}

/// The branch to a block that was made here is none of the source's: what decides it may be told where it is used.
void notChecked(llvm::Instruction &end) {
  llvm::Instruction *branch = end.getParent()->getSinglePredecessor()->getTerminator();
  branch->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(branch->getContext(), {}));
}

constexpr const char *kAwaitCopies = "await_copies";

/// The lists of events that waits for copies read (check_copies).
void addEventLists(llvm::Function &kernel, llvm::SmallVectorImpl<Access> &accesses) {
  for (llvm::CallInst *wait : machineCalls(kernel, kAwaitCopies)) {
    auto *list = llvm::dyn_cast<llvm::PtrToIntOperator>(wait->getArgOperand(1));
    if (!list) continue;
    llvm::IRBuilder<> builder(wait);
    llvm::Value *count = builder.CreateZExt(wait->getArgOperand(0), builder.getInt64Ty());
    llvm::Value *bytes = builder.CreateMul(count, builder.getInt64(sizeof(uint64_t)));
    accesses.push_back({wait, list->getPointerOperand(), bytes, llvm::Align(), "read"});
  }
}

class Checker {
public:
  Checker(llvm::Function &kernel, const abi::Specialization &specialization)
      : kernel_(kernel), checks_(specialization.instrumentation), bounds_(kernel), first_(kernel.getContext()) {
    promoteVariables(kernel_, checks_);
    if (abi::isIn(specialization.exhaustive, abi::CheckClass::Memory)) return;
    ranges_.emplace(kernel_, specialization);
    if (llvm::is_contained(specialization.localSize, 0u)) return;
    localRanges_.emplace(kernel_, specialization);
  }

  bool run() {
    // What is there may move.
    first_.SetInsertPoint(&*kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Instruction *place = first_.CreateIntrinsic(llvm::Intrinsic::donothing, {}, {});
    first_.SetInsertPoint(place);
    llvm::SmallVector<Access, 32> accesses;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_)) accesses.append(accessesOf(instruction));
    addEventLists(kernel_, accesses);
    // All bounds first: to make them, pointers are looked at as the source has them.
    for (const Access &access : accesses) (void)bounds_.of(access.pointer);
    findLocalArguments(accesses);
    for (const Access &access : accesses) check(access);
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
        step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    if (ranges_ && ranges_->condition()) createRequire(first_, abi::CheckClass::Memory, ranges_->condition());
    place->eraseFromParent();
    return true;
  }

private:
  void check(const Access &access) {
    PointerBounds bounds = bounds_.of(access.pointer);
    llvm::IRBuilder<> builder(access.instruction);
    if (bounds.size) bounds.size = permitted(builder, access, bounds);
    llvm::Value *isRight = builder.getTrue();
    if (bounds.size) isRight = within(builder, access, bounds);
    llvm::SmallVector<WrongIndex, 2> indices = indicesOf(builder, access.pointer, bounds);
    llvm::Value *const inside = isRight;
    llvm::Value *rest = builder.getTrue(); // whatever else may be wrong
    for (const WrongIndex &index : indices) rest = both(builder, rest, index.isRight);
    const llvm::Align known = knownAlignment(access);
    const bool isAligned = !bounds.size || known >= access.alignment;
    const llvm::Align asked = isAligned ? llvm::Align() : access.alignment;
    if (llvm::PatternMatch::match(rest, llvm::PatternMatch::m_One()) && isInRange(access, asked)) return;
    if (isAligned && isInLocalRange(access, bounds, indices)) return;
    if (!isAligned) {
      llvm::Value *address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
      rest = both(builder, rest,
                  builder.CreateIsNull(builder.CreateAnd(address, builder.getInt64(access.alignment.value() - 1))));
    }
    isRight = both(builder, isRight, rest);
    if (auto *certain = llvm::dyn_cast<llvm::ConstantInt>(isRight); certain && certain->isOne()) return;
    suppress(access, isRight, inside, rest, bounds, indices);
  }

  /// Also through a cast to the generic address space, of which LLVM takes nothing for granted.
  llvm::Align knownAlignment(const Access &access) const {
    const llvm::DataLayout &layout = kernel_.getDataLayout();
    const auto of = [&](llvm::Value *pointer) { return llvm::getKnownAlignment(pointer, layout, access.instruction); };
    llvm::Align known = of(withoutSteps(access.pointer));
    for (llvm::Value *one = access.pointer; auto *step = llvm::dyn_cast<llvm::Operator>(one);) {
      if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(step))
        known = std::min(known, place->getMaxPreservedAlignment(layout));
      else if (!llvm::isa<llvm::AddrSpaceCastOperator, llvm::FreezeInst>(step))
        break;
      one = step->getOperand(0);
    }
    return std::max(known, of(access.pointer));
  }

  /// Whether that is asked once of the launch, and its alignment, too.
  bool isInRange(const Access &access, llvm::Align alignment) {
    const PointerBounds bounds = bounds_.of(access.pointer);
    const bool isArgument = bounds.object.what && llvm::StringRef(bounds.object.what) == "argument";
    if (!ranges_ || !isArgument || !bounds.size || !bounds.begin) return false;
    llvm::Argument &argument = *kernel_.getArg(bounds.object.argument);
    if (argument.hasByValAttr() || argumentKind(argument) == ArgumentKind::LocalPointer) return false;
    return ranges_->add(first_, access, alignment, argument, bounds.begin, permitted(first_, access, bounds));
  }

  /// What all work-items do by a local argument says how much of it a launch has to have, if it is right.
  void findLocalArguments(llvm::ArrayRef<Access> accesses) {
    if (!localRanges_) return;
    for (const Access &access : accesses) {
      auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(localRootOf(access.pointer));
      if (!argument || !localRanges_->isMadeByAll(access, *argument)) continue;
      if (const std::optional<uint64_t> bytes = localRanges_->bytesFor(access, *argument))
        localBytes_[argument] = std::max(localBytes_[argument], *bytes);
    }
  }

  /// Whether all work-items keep to the local or private memory that a pointer was made from; of an argument's size
  /// launches are asked.
  bool isInLocalRange(const Access &access, const PointerBounds &bounds, llvm::ArrayRef<WrongIndex> indices) {
    if (!localRanges_ || !bounds.size) return false;
    llvm::Value *root = localRootOf(access.pointer);
    if (!root) root = privateRootOf(access.pointer);
    const auto isRight = [&](const WrongIndex &index) {
      return localRanges_->isBelow(access, index.index, index.elements);
    };
    if (!root || !llvm::all_of(indices, isRight)) return false;
    const std::optional<uint64_t> bytes = localRanges_->bytesFor(access, *root);
    if (!bytes) return false;
    if (auto *size = llvm::dyn_cast<llvm::ConstantInt>(bounds.size)) return *bytes <= size->getZExtValue();
    const uint64_t asked = localBytes_.lookup(root);
    if (*bytes > asked) return false;
    ranges_->require(
        first_, first_.CreateICmpUGE(permitted(first_, access, bounds_.of(access.pointer)), first_.getInt64(asked)));
    return true;
  }

  /// Bytes that it may touch as it does; 0 of memory that it may only touch otherwise.
  llvm::Value *permitted(llvm::IRBuilderBase &builder, const Access &access, const PointerBounds &bounds) {
    const llvm::StringRef operation = access.operation;
    if (bounds.size == bounds.writable) return bounds.size;
    if (operation == "read" && isPartOfWrite(*access.instruction))
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, bounds.size, bounds.writable);
    if (operation == "read") return bounds.size;
    if (operation == "write") return bounds.writable;
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, bounds.size, bounds.writable);
  }

  /// distance < bytes of the memory - (bytes of the access - 1), where there are as many; nothing is touched by none.
  llvm::Value *within(llvm::IRBuilderBase &builder, const Access &access, const PointerBounds &bounds) {
    llvm::Value *distance = bounds_.distance(builder, access.pointer, bounds);
    llvm::Value *bytes = builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty());
    llvm::Value *last = builder.CreateSub(bytes, builder.getInt64(1));
    llvm::Value *places = placesIn(builder, bounds.size, last);
    llvm::Value *isInside = builder.CreateICmpULT(distance, places);
    if (llvm::isa<llvm::ConstantInt>(bytes)) return isInside;
    return builder.CreateOr(isInside, builder.CreateIsNull(bytes));
  }

  void suppress(const Access &access, llvm::Value *isRight, llvm::Value *inside, llvm::Value *rest,
                const PointerBounds &bounds, llvm::ArrayRef<WrongIndex> indices) {
    llvm::Instruction *made = nullptr, *failed = nullptr;
    llvm::MDNode *likely = llvm::MDBuilder(kernel_.getContext()).createLikelyBranchWeights();
    llvm::SplitBlockAndInsertIfThenElse(isRight, access.instruction, &made, &failed, likely);
    notChecked(*made);
    access.instruction->moveBefore(made);
    llvm::IRBuilder<> builder(failed);
    builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
    say(builder, access, inside, bounds, indices);
    if (machineName(access.instruction) == kAwaitCopies) return awaitWhatIsThere(access, bounds, failed);
    llvm::Value *without = makeForbidden(access, rest, bounds, failed);
    if (access.instruction->getType()->isVoidTy() || access.instruction->use_empty()) return;
    llvm::BasicBlock *after = made->getSuccessor(0);
    llvm::IRBuilder<> joined(&after->front());
    llvm::PHINode *value = joined.CreatePHI(access.instruction->getType(), 2);
    access.instruction->replaceAllUsesWith(value);
    bounds_.replaced(access.instruction, value);
    value->addIncoming(access.instruction, made->getParent());
    value->addIncoming(without, failed->getParent());
  }

  /// A wait whose list of events ends before their number does is for those that are there.
  void awaitWhatIsThere(const Access &access, const PointerBounds &bounds, llvm::Instruction *end) {
    llvm::IRBuilder<> builder(end);
    llvm::Value *distance = bounds_.distance(builder, access.pointer, bounds);
    llvm::Value *left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, bounds.size, distance);
    llvm::Value *count = builder.CreateUDiv(left, builder.getInt64(sizeof(uint64_t)));
    llvm::Instruction *made = access.instruction->clone();
    made->setOperand(0, builder.CreateTrunc(count, made->getOperand(0)->getType()));
    made->insertBefore(end->getIterator());
  }

  /// What is only forbidden is made after it was told, in front of `end`: it does no damage, and programs go on as they
  /// do elsewhere. Returns what is read: 0 of what is not made.
  llvm::Value *makeForbidden(const Access &access, llvm::Value *rest, PointerBounds bounds, llvm::Instruction *end) {
    llvm::Instruction *instruction = access.instruction;
    llvm::Value *nothing =
        instruction->getType()->isVoidTy() ? nullptr : llvm::Constant::getNullValue(instruction->getType());
    // Of a copy the other side is looked at by a check of its own.
    if (!bounds.whole || llvm::isa<llvm::MemIntrinsic>(instruction)) return nothing;
    llvm::IRBuilder<> builder(end);
    bounds.size = bounds.whole;
    llvm::Value *isThere = both(builder, within(builder, access, bounds), rest);
    llvm::BasicBlock *before = end->getParent();
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(isThere, end->getIterator(), /*Unreachable=*/false);
    notChecked(*then);
    llvm::Instruction *made = instruction->clone();
    made->insertBefore(then->getIterator());
    if (!nothing) return nullptr;
    llvm::IRBuilder<> joined(end);
    llvm::PHINode *value = joined.CreatePHI(instruction->getType(), 2);
    value->addIncoming(made, then->getParent());
    value->addIncoming(nothing, before);
    return value;
  }

  /// An index is told only where the address is inside of the memory: else that says more.
  void say(llvm::IRBuilderBase &builder, const Access &access, llvm::Value *inside, const PointerBounds &bounds,
           llvm::ArrayRef<WrongIndex> indices) {
    llvm::json::Object site = sourceSite(*access.instruction);
    addReads(site, {access.pointer});
    site["operation"] = access.operation;
    if (auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes)) site["bytes"] = int64_t(bytes->getZExtValue());
    site["alignment"] = int64_t(access.alignment.value());
    if (bounds.object.what) {
      site["object"] = bounds.object.what;
      site["name"] = bounds.object.name;
      if (llvm::StringRef(bounds.object.what) == "argument") site["argument"] = bounds.object.argument;
    }
    if (auto *variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(bounds.variable))
      site["size"] = int64_t(kernel_.getDataLayout().getTypeAllocSize(variable->getValueType()));
    llvm::Value *address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    llvm::Instruction *last = &*builder.GetInsertPoint();
    for (const WrongIndex &index : indices) {
      llvm::Value *isWrong = builder.CreateAnd(inside, builder.CreateNot(index.isRight));
      llvm::Instruction *then = nullptr, *otherwise = nullptr;
      llvm::SplitBlockAndInsertIfThenElse(isWrong, last, &then, &otherwise);
      notChecked(*then);
      builder.SetInsertPoint(then);
      createCheckFailed(builder, abi::CheckKind::Index, site, {index.index, builder.getInt64(index.elements), address});
      builder.SetInsertPoint(otherwise);
      last = otherwise;
      inside = builder.CreateAnd(inside, index.isRight);
    }
    llvm::Value *begin = bounds.begin;
    if (bounds.variable) begin = builder.CreatePtrToInt(bounds.variable, builder.getInt64Ty());
    createCheckFailed(builder, abi::CheckKind::Access, std::move(site),
                      {address, begin ? begin : builder.getInt64(0), bounds.size ? bounds.size : builder.getInt64(0)});
  }

  llvm::Function &kernel_;
  const abi::CheckSet checks_;
  BoundsOfPointers bounds_;
  llvm::IRBuilder<> first_; ///< behind what bounds are made of
  std::optional<LaunchRanges> ranges_;
  std::optional<LocalRanges> localRanges_;
  llvm::DenseMap<llvm::Value *, uint64_t> localBytes_; ///< by argument, that launches are asked about
};

} // namespace

llvm::PreservedAnalyses CheckMemory::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const abi::CheckSet checks = request.specialization.instrumentation;
  if (!abi::isIn(checks, abi::CheckClass::Memory)) return llvm::PreservedAnalyses::all();
  Checker(*module.getFunction(request.kernel), request.specialization).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
