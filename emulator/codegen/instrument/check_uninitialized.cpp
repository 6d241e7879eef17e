// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_uninitialized.h"

#include "emulator/abi/bounds.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/abi/origins.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/written_memory.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/MemorySanitizer.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

constexpr unsigned kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4; // address spaces

/// Nothing but loads, stores, copies and the sanitizer's own functions has the variable's address.
bool staysHere(const llvm::Value &pointer) {
  return llvm::all_of(pointer.uses(), [](const llvm::Use &use) {
    const llvm::User *user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) return store->getPointerOperand() == use.get();
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) return staysHere(*user);
    // Its address as a number is what check_memory and check_nan tell.
    if (llvm::isa<llvm::PtrToIntInst>(user))
      return llvm::all_of(user->users(), [](const llvm::User *told) {
        return machineName(told) == "check_failed" || machineName(told).starts_with("nan_");
      });
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName().starts_with("__msan_") || llvm::isa<llvm::MemIntrinsic>(user) ||
                      llvm::isa<llvm::LifetimeIntrinsic>(user));
  });
}

/// Of what begins as zeros and is written for nobody: loads are zeros, so that what follows from them is known when the
/// code is made, and stores are none.
void dissolve(llvm::Instruction &place) {
  llvm::SmallVector<llvm::Instruction *, 32> open{&place};
  llvm::SmallVector<llvm::WeakTrackingVH, 64> dead{&place};
  while (!open.empty()) {
    llvm::Instruction *one = open.pop_back_val();
    for (llvm::User *user : llvm::make_early_inc_range(one->users())) {
      auto *next = llvm::cast<llvm::Instruction>(user);
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(next)) {
        open.push_back(next);
        dead.push_back(next);
      } else if (llvm::isa<llvm::LoadInst>(next)) {
        next->replaceAllUsesWith(llvm::Constant::getNullValue(next->getType()));
        next->eraseFromParent();
      } else if (llvm::isa<llvm::StoreInst>(next) && llvm::getLoadStorePointerOperand(next) == one) {
        next->eraseFromParent();
      }
    }
  }
  // Copies of memory may still need it.
  const bool isNeeded = llvm::any_of(place.users(), [](const llvm::User *user) {
    return llvm::isa<llvm::CallBase>(user) && !llvm::isa<llvm::MemSetInst>(user);
  });
  if (!isNeeded)
    for (llvm::User *user : llvm::make_early_inc_range(place.users()))
      if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(user)) fill->eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// By whole bytes, as structures are put together, or as bit-fields are, which are cut out or joined with other bits.
/// What is left are products by small powers of 2.
bool movesLeft(const llvm::Instruction &shift) {
  using namespace llvm::PatternMatch;
  const llvm::APInt *bits = nullptr;
  if (!match(&shift, m_Shl(m_Value(), m_APInt(bits)))) return false;
  const auto isOfField = [](const llvm::Value *value) {
    return match(value, m_CombineOr(m_And(m_Value(), m_Value()), m_Or(m_Value(), m_Value())));
  };
  constexpr unsigned kByte = 8;
  return bits->uge(kByte) || isOfField(shift.getOperand(0)) || llvm::any_of(shift.users(), isOfField);
}

/// Bits are put elsewhere and no more.
bool movesBits(const llvm::Instruction &instruction) {
  using namespace llvm;
  if (isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst, FPTruncInst, FPExtInst>(instruction)) return false;
  if (isa<CastInst, FreezeInst, PHINode, SelectInst, InsertElementInst, ExtractElementInst, ShuffleVectorInst,
          InsertValueInst, ExtractValueInst>(instruction))
    return true;
  const unsigned operation = instruction.getOpcode();
  return operation == Instruction::Or || operation == Instruction::And ||
         (operation == Instruction::LShr && isa<Constant>(instruction.getOperand(1))) || movesLeft(instruction);
}

/// It is what memory holds, as it is, in parts and put together again.
bool isMoved(llvm::Value *value) {
  constexpr size_t kMost = 100;
  llvm::SmallSetVector<llvm::Value *, 8> open;
  open.insert(value);
  for (size_t i = 0; i < open.size(); ++i) {
    auto *one = llvm::dyn_cast<llvm::Instruction>(open[i]);
    if (!one || llvm::isa<llvm::LoadInst>(one)) continue;
    if (i > kMost || !movesBits(*one)) return false;
    for (llvm::Value *operand : one->operands()) open.insert(operand);
  }
  return true;
}

/// Its value decides what is there afterwards, or whether anything is changed.
bool dependsOnMemory(const llvm::Instruction &instruction) {
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getOperation() != llvm::AtomicRMWInst::Xchg;
  return llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
}

/// The one argument that a pointer to global memory was made from, whichever way it came here; null: it is no argument,
/// or one of several.
llvm::Argument *argumentOf(llvm::Value *root) {
  llvm::Argument *found = nullptr;
  llvm::SmallSetVector<llvm::Value *, 8> open;
  open.insert(root);
  for (size_t i = 0; i < open.size(); ++i) {
    llvm::Value *one = open[i];
    if (auto *merged = llvm::dyn_cast<llvm::PHINode>(one)) {
      for (llvm::Value *incoming : merged->incoming_values()) open.insert(withoutSteps(incoming));
      continue;
    }
    if (auto *chosen = llvm::dyn_cast<llvm::SelectInst>(one)) {
      open.insert(withoutSteps(chosen->getTrueValue()));
      open.insert(withoutSteps(chosen->getFalseValue()));
      continue;
    }
    auto *argument = llvm::dyn_cast<llvm::Argument>(one);
    if (llvm::Operator::getOpcode(one) == llvm::Instruction::IntToPtr)
      argument = baseOfNumber(llvm::cast<llvm::User>(one)->getOperand(0));
    if (!argument || argument->hasByValAttr() || (found && found != argument)) return nullptr;
    found = argument;
  }
  if (!found) return nullptr;
  const ArgumentKind kind = argumentKind(*found);
  const bool isMemory =
      kind == ArgumentKind::GlobalPointer || kind == ArgumentKind::ConstantPointer || kind == ArgumentKind::Value;
  return isMemory ? found : nullptr;
}

/// A function that stays one, or what it calls, may write global memory.
bool writesGlobal(const llvm::Function &function, llvm::SmallPtrSetImpl<const llvm::Function *> &seen) {
  if (!seen.insert(&function).second || function.onlyReadsMemory()) return false;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    for (const Access &access : accessesOf(const_cast<llvm::Instruction &>(instruction)))
      if (llvm::StringRef(access.operation) != "read") {
        const unsigned space = withoutSteps(access.pointer)->getType()->getPointerAddressSpace();
        if (space == kGlobal || space == kGeneric) return true;
      }
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (call && (!callee || (!callee->isDeclaration() && writesGlobal(*callee, seen)))) return true;
  }
  return false;
}

/// The memory beside a private variable.
struct Companions {
  llvm::AllocaInst *shadow = nullptr, *origins = nullptr;
  uint8_t origin = 0;
};

/// What Clang writes behind the third component of a vector, and whatever else need not have a value, is a zero: the
/// sanitizer's shadow of it would have none either.
void definePadding(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
    if (!shuffle || !llvm::isa<llvm::UndefValue>(shuffle->getOperand(1))) continue;
    auto *type = llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
    llvm::SmallVector<int, 16> mask(shuffle->getShuffleMask());
    std::replace(mask.begin(), mask.end(), llvm::PoisonMaskElem, int(type->getNumElements()));
    shuffle->setOperand(1, llvm::Constant::getNullValue(type));
    shuffle->setShuffleMask(mask);
  }
}

/// Puts our own in the place of what the sanitizer calls.
class Runtime {
public:
  Runtime(llvm::Function &kernel, uint64_t followed)
      : kernel_(kernel), followed_(followed), layout_(kernel.getDataLayout()),
        bytes_(llvm::Type::getInt8Ty(kernel.getContext())), pointer_(llvm::PointerType::get(kernel.getContext(), 0)) {}

  /// Before the sanitizer has put its own there.
  void findWritten(const abi::Specialization &specialization) {
    const auto isFollowed = [this](llvm::Value *root) { return this->isFollowed(root); };
    const auto hasShadow = [this](llvm::AllocaInst &variable) {
      return variable.getAllocationSize(layout_) && staysHere(variable);
    };
    isWritten_ = findWrittenMemory(kernel_, specialization, isFollowed, hasShadow);
  }

  void replaceCalls() {
    llvm::SmallVector<llvm::CallInst *, 64> calls;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !nameOf(*call).empty())
        calls.push_back(call);
    // Variables are numbered where they begin, so before their names are asked for.
    for (llvm::CallInst *call : calls) {
      if (nameOf(*call) == "poison_alloca") number(*call);
      if (nameOf(*call).starts_with("metadata_ptr_for_")) numberRead(*call);
    }
    for (llvm::CallInst *call : calls) replace(*call);
    for (llvm::CallInst *call : calls) call->eraseFromParent();
    for (llvm::AllocaInst *place : {state_, written_, lost_})
      if (place) dissolve(*place);
    // Ways that all go now: a variable's shadow becomes a value for each place where ways meet.
    for (llvm::BasicBlock &block : kernel_) llvm::ConstantFoldTerminator(&block);
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(kernel_)) llvm::MergeBlockIntoPredecessor(&block);
  }

private:
  static llvm::StringRef nameOf(const llvm::CallInst &call) {
    const llvm::Function *callee = call.getCalledFunction();
    llvm::StringRef name = callee ? callee->getName() : "";
    return name.consume_front("__msan_") ? name : "";
  }

  void replace(llvm::CallInst &call) {
    using Replacement = void (Runtime::*)(llvm::CallInst &);
    const llvm::StringRef name = nameOf(call);
    const auto replacement = llvm::StringSwitch<Replacement>(name)
                                 .Case("get_context_state", &Runtime::state)
                                 .Case("warning", &Runtime::warn)
                                 .Case("chain_origin", &Runtime::chain)
                                 .Case("poison_alloca", &Runtime::poison)
                                 .Case("unpoison_alloca", &Runtime::unpoison)
                                 .Cases("memcpy", "memmove", &Runtime::copy)
                                 .Case("memset", &Runtime::fill)
                                 .StartsWith("metadata_ptr_for_", &Runtime::metadata)
                                 .Default(nullptr); // set_origin and what assembly stores: then an origin is not known
    if (replacement) (this->*replacement)(call);
  }

  /// What the sanitizer passes to functions beside their arguments: none is left.
  void state(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    constexpr uint64_t kBytes = 8192; // more than the structure has
    state_ = builder.CreateAlloca(llvm::ArrayType::get(bytes_, kBytes));
    state_->setAlignment(llvm::Align(16));
    builder.CreateMemSet(state_, builder.getInt8(0), kBytes, state_->getAlign());
    call.replaceAllUsesWith(state_);
  }

  void number(llvm::CallInst &call) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(withoutSteps(call.getArgOperand(0)));
    if (!variable || isWritten_.contains(variable) || !staysHere(*variable)) return;
    Companions &companions = companionsOf(*variable);
    if (companions.origin) return;
    if (count_ + 1 == abi::kGlobalOrigin) {
      ++count_;
      names_.push_back(nullptr);
    }
    companions.origin = count_ < abi::kMostOrigins ? ++count_ : abi::kManyOrigin;
    if (companions.origin == abi::kManyOrigin) return;
    llvm::json::Object site = sourceSite(call);
    site["name"] = variable->getName();
    names_.push_back(std::move(site));
  }

  /// It points to global memory of which it matters whether it was written.
  bool isFollowed(llvm::Value *root) const {
    if (followed_ == 0 || !isGlobal(root)) return false;
    const llvm::Argument *argument = followedArgument(root);
    return argument || ((followed_ & abi::kFollowsPointers) && !argumentOf(root));
  }
  llvm::Argument *followedArgument(llvm::Value *root) const {
    llvm::Argument *argument = followed_ != 0 && isGlobal(root) ? argumentOf(root) : nullptr;
    const bool isIt =
        argument && argument->getArgNo() < abi::kFollowedArguments && (followed_ >> argument->getArgNo() & 1) != 0;
    return isIt ? argument : nullptr;
  }

  /// A number for each place that reads global memory, and its atomic operations.
  void numberRead(llvm::CallInst &call) {
    llvm::Value *root = withoutSteps(call.getArgOperand(0));
    if (!isFollowed(root) || (nameOf(call).contains("store") && !atomicOf(call))) return;
    llvm::json::Object site = sourceSite(call);
    if (const llvm::Argument *argument = argumentOf(root)) site["argument"] = argument->getArgNo();
    reads_.push_back(std::move(site));
    readNumbers_[&call] = (uint32_t(reads_.size()) << 8 | abi::kGlobalOrigin) & ~abi::kCalculated;
  }

  /// What is stored to `address`, or changed there, behind `at`, where the sanitizer has put its own; checks may lie
  /// between.
  static llvm::Instruction *writeBehind(llvm::Instruction &at, const llvm::Value *address) {
    constexpr int kMostBlocks = 4;
    while (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(address)) address = cast->getPointerOperand();
    llvm::Instruction *next = &at;
    for (int i = 0; i < kMostBlocks; ++i) {
      for (; next; next = next->getNextNode()) {
        auto *store = llvm::dyn_cast<llvm::StoreInst>(next);
        if (store && store->getPointerOperand() == address) return store;
        auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(next);
        if (update && update->getPointerOperand() == address) return update;
        auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(next);
        if (exchange && exchange->getPointerOperand() == address) return exchange;
        if (next->isTerminator()) break;
      }
      const unsigned ways = next ? next->getNumSuccessors() : 0;
      if (ways == 0) return nullptr;
      next = &next->getSuccessor(ways - 1)->front();
    }
    return nullptr;
  }

  /// The atomic operation whose shadow the call asks for, and which uses what is there.
  static llvm::Instruction *atomicOf(llvm::CallInst &call) {
    llvm::Instruction *write = writeBehind(call, call.getArgOperand(0));
    return write && dependsOnMemory(*write) ? write : nullptr;
  }

  Companions &companionsOf(llvm::AllocaInst &variable) {
    Companions &made = companions_[&variable];
    if (made.shadow) return made;
    const uint64_t size = variable.getAllocationSize(layout_)->getFixedValue();
    llvm::IRBuilder<> builder(&variable);
    const llvm::Align alignment = std::max(variable.getAlign(), llvm::Align(8));
    const auto beside = [&](uint64_t bytes, const char *what) {
      llvm::AllocaInst *slot =
          builder.CreateAlloca(llvm::ArrayType::get(bytes_, bytes), nullptr, variable.getName() + what);
      slot->setAlignment(alignment);
      return slot;
    };
    made.shadow = beside(size, ".shadow");
    made.origins = beside(llvm::alignTo(size, 8), ".origins");
    return made;
  }

  /// Where the shadow of `pointer` is, and the origins.
  std::pair<llvm::Value *, llvm::Value *> placesOf(llvm::IRBuilder<> &builder, llvm::Value *pointer, bool isStore) {
    llvm::Value *root = withoutSteps(pointer);
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(root);
    if (isWritten_.contains(root)) {
      llvm::Value *place = isStore ? lost() : written();
      return {place, place};
    }
    if (variable && variable->getAllocationSize(layout_) && staysHere(*variable)) {
      Companions &companions = companionsOf(*variable);
      llvm::Value *distance = distanceFrom(builder, pointer, variable);
      llvm::Value *words = builder.CreateAnd(distance, builder.getInt64(~uint64_t(3)));
      return {builder.CreateGEP(bytes_, companions.shadow, distance),
              builder.CreateGEP(bytes_, companions.origins, words)};
    }
    if (root->getType()->getPointerAddressSpace() == kLocal && !isExchange(root)) {
      kernel_.addFnAttr(kLocalIsChecked);
      // As far behind the shadow's beginning as the pointer behind the arena's: made from the pointer itself, it would
      // seem to lie in the variable.
      llvm::Type *number = builder.getInt64Ty(), *local = builder.getPtrTy(kLocal);
      llvm::Value *arena = createMachineCall(builder, "local_arena", local);
      // The sanitizer hands over its pointers as generic ones.
      while (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) pointer = cast->getPointerOperand();
      llvm::Value *place =
          builder.CreateSub(builder.CreatePtrToInt(pointer, number), builder.CreatePtrToInt(arena, number));
      const auto beside = [&](llvm::Value *distance, uint64_t field) {
        return builder.CreateGEP(bytes_, loadGroupField(builder, local, field), distance);
      };
      llvm::Value *word = place;
      if (llvm::getKnownAlignment(pointer, layout_) < 4)
        word = builder.CreateAnd(place, builder.getInt64(~uint64_t(3)));
      return {beside(place, offsetof(abi::GroupContext, localShadow)),
              beside(word, offsetof(abi::GroupContext, localOrigins))};
    }
    if (const llvm::Argument *argument = followedArgument(root)) {
      while (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) pointer = cast->getPointerOperand();
      return {builder.CreateGEP(bytes_, pointer, toShadow(*argument)), lost()};
    }
    if (variable || isExchange(root) || (!mayBeLocal(root) && !isFollowed(root))) {
      // Nothing is known: all was written; what is said of it is lost.
      llvm::Value *place = isStore ? lost() : written();
      return {place, place};
    }
    if (mayBeLocal(root)) kernel_.addFnAttr(kLocalIsChecked);
    llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    const auto ask = [&](const char *name) {
      llvm::Value *at = createMachineCall(builder, name, builder.getInt64Ty(), {address, builder.getInt32(isStore)});
      return builder.CreateIntToPtr(at, pointer_);
    };
    return {ask("shadow_of"), ask("origins_of")};
  }

  llvm::AllocaInst *written() { return written_ ? written_ : written_ = placeOfNone(true); }
  llvm::AllocaInst *lost() { return lost_ ? lost_ : lost_ = placeOfNone(false); }
  llvm::AllocaInst *placeOfNone(bool isZero) {
    llvm::IRBuilder<> first(&kernel_.getEntryBlock().front());
    llvm::AllocaInst *place = first.CreateAlloca(llvm::ArrayType::get(bytes_, abi::kLargestShadowed));
    place->setAlignment(llvm::Align(128));
    if (isZero) first.CreateMemSet(place, first.getInt8(0), abi::kLargestShadowed, place->getAlign());
    return place;
  }

  llvm::Value *toShadow(const llvm::Argument &argument) {
    llvm::Value *&distance = toShadow_[&argument];
    if (distance) return distance;
    llvm::IRBuilder<> builder(&*kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Value *all = loadLaunchField(builder, builder.getPtrTy(), offsetof(abi::LaunchContext, argumentBounds));
    return distance = loadInvariant(builder, builder.getInt64Ty(), all,
                                    sizeof(abi::ArgumentBounds) * argument.getArgNo() +
                                        offsetof(abi::ArgumentBounds, toShadow));
  }

  /// It points to global memory, as far as anybody can tell; not to what the host has put there for the library.
  static bool isGlobal(const llvm::Value *root) {
    const unsigned space = root->getType()->getPointerAddressSpace();
    if (space != kGlobal && space != kConstant && space != kGeneric) return false;
    auto *load = llvm::dyn_cast<llvm::Instruction>(root);
    if (load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
    return !llvm::isa<llvm::GlobalValue, llvm::AllocaInst, llvm::CallBase, llvm::ConstantPointerNull>(root);
  }

  /// Where work-items hand each other values, for the library alone.
  static bool isExchange(const llvm::Value *root) { return machineName(root) == "exchange"; }
  static bool mayBeLocal(const llvm::Value *root) {
    const unsigned space = root->getType()->getPointerAddressSpace();
    return space == kLocal || space == kGeneric;
  }

  /// Local memory that is not known to be written.
  bool isLocalAndUnknown(llvm::Value *pointer) const {
    const llvm::Value *root = withoutSteps(pointer);
    return root->getType()->getPointerAddressSpace() == kLocal && !isExchange(root) && !isWritten_.contains(root);
  }

  llvm::Value *distanceFrom(llvm::IRBuilder<> &builder, llvm::Value *pointer, const llvm::Value *variable) {
    llvm::Value *sum = builder.getInt64(0);
    while (pointer != variable) {
      if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer))
        sum = builder.CreateAdd(sum, llvm::emitGEPOffset(&builder, layout_, place, /*NoAssumptions=*/true));
      pointer = llvm::cast<llvm::User>(pointer)->getOperand(0);
    }
    return sum;
  }

  void metadata(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    const bool isStore = nameOf(call).contains("store");
    auto [shadow, origins] = placesOf(builder, call.getArgOperand(0), isStore);
    noteWrite(call.getArgOperand(0), isStore);
    if (const uint32_t number = readNumbers_.lookup(&call)) {
      if (isStore)
        sayUpdate(call, *atomicOf(call), number);
      else
        origins = constant(number);
    } else if (isStore && isLocalAndUnknown(call.getArgOperand(0))) {
      constexpr uint32_t kLocalOrigins = abi::kLocalOrigin * 0x01010101u;
      if (llvm::Instruction *atomic = atomicOf(call)) sayUpdate(call, *atomic, kLocalOrigins);
    }
    for (llvm::User *user : llvm::make_early_inc_range(call.users())) {
      auto *one = llvm::cast<llvm::ExtractValueInst>(user);
      put(*one, one->getIndices()[0] == 0 ? shadow : origins);
    }
  }

  void noteWrite(llvm::Value *pointer, bool isStore) {
    llvm::Value *root = withoutSteps(pointer);
    const bool isChosen = llvm::isa<llvm::PHINode, llvm::SelectInst>(root); // of several arguments
    if ((isStore || isChosen) && isGlobal(root) && !argumentOf(root)) kernel_.addFnAttr(kWritesByPointer);
  }

  llvm::Constant *constant(uint32_t number) {
    auto *value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(kernel_.getContext()), number);
    auto *made =
        new llvm::GlobalVariable(*kernel_.getParent(), value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                 "us.origin", nullptr, llvm::GlobalValue::NotThreadLocal, kConstant);
    made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return made;
  }

  /// In front of `call`: what `atomic` changes was never written. From there on it counts as written.
  void sayUpdate(llvm::CallInst &call, const llvm::Instruction &atomic, uint32_t number) {
    auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic);
    llvm::Type *type =
        update ? update->getType() : llvm::cast<llvm::AtomicCmpXchgInst>(atomic).getNewValOperand()->getType();
    llvm::IRBuilder<> builder(&call);
    llvm::Value *shadow = placesOf(builder, call.getArgOperand(0), /*isStore=*/false).first;
    llvm::Value *bits = builder.CreateAlignedLoad(builder.getIntNTy(unsigned(layout_.getTypeStoreSizeInBits(type))),
                                                  shadow, llvm::Align(1));
    llvm::Instruction *failed =
        llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(bits), call.getIterator(), false);
    builder.SetInsertPoint(failed);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    say(builder, call, "update", builder.getInt32(number));
  }

  /// In the place of a generic pointer, of which nobody would know that it moves on with the address it was made from.
  static void put(llvm::Instruction &before, llvm::Value *pointer) {
    if (pointer->getType() != before.getType()) {
      for (llvm::Use &use : llvm::make_early_inc_range(before.uses()))
        if (llvm::getLoadStorePointerOperand(use.getUser()) == &before) use.set(pointer);
      if (!before.use_empty()) pointer = llvm::IRBuilder<>(&before).CreateAddrSpaceCast(pointer, before.getType());
    }
    if (!before.use_empty()) before.replaceAllUsesWith(pointer);
    before.eraseFromParent();
  }

  /// Private variables as text, for those who hear of an origin: once, when all are numbered.
  llvm::Value *names(llvm::IRBuilderBase &builder) {
    if (!namesText_)
      namesText_ = siteText(*kernel_.getParent(), llvm::json::Object{{"variables", llvm::json::Array(names_)},
                                                                     {"reads", llvm::json::Array(reads_)}});
    return builder.CreatePtrToInt(namesText_, builder.getInt64Ty());
  }

  void say(llvm::IRBuilderBase &builder, const llvm::Instruction &at, const char *operation, llvm::Value *origin) {
    llvm::json::Object site = sourceSite(at);
    site["operation"] = operation;
    createCheckFailed(builder, abi::CheckKind::Uninitialized, std::move(site),
                      {builder.CreateZExt(origin, builder.getInt64Ty()), names(builder)});
  }

  void warn(llvm::CallInst &call) {
    const llvm::BasicBlock *next = call.getParent()->getSingleSuccessor();
    const llvm::Instruction *use = next ? next->getFirstNonPHIOrDbg() : nullptr;
    const bool isBranch = use && llvm::isa<llvm::BranchInst, llvm::SwitchInst>(use);
    const bool isAddress = use && use->mayReadOrWriteMemory();
    llvm::IRBuilder<> builder(&call);
    say(builder, call, isBranch ? "branch" : isAddress ? "address" : "value", call.getArgOperand(0));
  }

  /// Only what is stored gets a longer history. Global memory is where a value leaves the kernel.
  void chain(llvm::CallInst &call) {
    llvm::BasicBlock *before = call.getParent()->getSinglePredecessor();
    llvm::CallInst *last = nullptr;
    // To remember an origin that nobody asks for costs less than to go another way.
    if (before) before->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof, nullptr);
    if (before)
      for (llvm::Instruction &instruction : *before)
        if (auto *one = llvm::dyn_cast<llvm::CallInst>(&instruction);
            one && nameOf(*one).starts_with("metadata_ptr_for_store"))
          last = one;
    llvm::IRBuilder<> builder(&call);
    llvm::Value *origin = call.getArgOperand(0);
    auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(last ? writeBehind(call, last->getArgOperand(0)) : nullptr);
    const bool isCalculated = followed_ != 0 && store && !isMoved(store->getValueOperand());
    if (last) {
      llvm::Value *root = withoutSteps(last->getArgOperand(0));
      const bool isLeaving = !llvm::isa<llvm::AllocaInst>(root) && (!mayBeLocal(root) || argumentOf(root));
      if (isLeaving) sayStore(builder, call, *last, store, isCalculated);
      // Whose origin it is does not matter where a whole word is written that has a value.
      if (store && llvm::isa<llvm::AllocaInst>(root) && isWhole(*store))
        llvm::cast<llvm::BranchInst>(before->getTerminator())->setCondition(builder.getTrue());
    }
    call.replaceAllUsesWith(isCalculated ? builder.CreateOr(origin, abi::kCalculated) : origin);
  }

  /// Nothing of the words that it writes stays.
  bool isWhole(const llvm::StoreInst &store) const {
    constexpr uint64_t kWord = 4; // bytes with one origin
    return store.getAlign() >= kWord && layout_.getTypeStoreSize(store.getValueOperand()->getType()) % kWord == 0;
  }

  /// What is told counts as written from there on. What is only copied from global memory to global memory is not told.
  void sayStore(llvm::IRBuilder<> &builder, llvm::CallInst &call, llvm::CallInst &shadowCall,
                const llvm::StoreInst *store, bool isCalculated) {
    llvm::Value *origin = call.getArgOperand(0);
    if (followed_ == 0 || !store) return say(builder, call, "store", origin);
    llvm::Value *const address = shadowCall.getArgOperand(0);
    llvm::IRBuilder<> told(&call);
    if (!isCalculated) {
      constexpr uint32_t kWhat = abi::kCalculated | 0xff;
      llvm::Value *isCopy =
          builder.CreateICmpEQ(builder.CreateAnd(origin, kWhat), builder.getInt32(abi::kGlobalOrigin));
      told.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(builder.CreateNot(isCopy), call.getIterator(), false));
      builder.SetInsertPoint(&call);
    }
    told.SetCurrentDebugLocation(call.getDebugLoc());
    say(told, call, "store", origin);
    const uint64_t bytes = layout_.getTypeStoreSize(store->getValueOperand()->getType());
    told.CreateMemSet(placesOf(told, address, true).first, told.getInt8(0), bytes, {});
  }

  void set(llvm::CallInst &call, uint8_t shadow, uint8_t origin) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(withoutSteps(call.getArgOperand(0)));
    if (!variable || !companions_.contains(variable)) return;
    const Companions &companions = companions_[variable];
    llvm::IRBuilder<> builder(&call);
    const uint64_t size = variable->getAllocationSize(layout_)->getFixedValue();
    builder.CreateMemSet(companions.shadow, builder.getInt8(shadow), size, companions.shadow->getAlign());
    builder.CreateMemSet(companions.origins, builder.getInt8(origin), llvm::alignTo(size, 8),
                         companions.origins->getAlign());
  }

  void poison(llvm::CallInst &call) {
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(withoutSteps(call.getArgOperand(0)));
    if (variable) set(call, 0xff, companions_.lookup(variable).origin);
  }
  void unpoison(llvm::CallInst &call) { set(call, 0, 0); }

  void copy(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value *to = call.getArgOperand(0), *from = call.getArgOperand(1), *size = call.getArgOperand(2);
    builder.CreateMemMove(to, {}, from, {}, size);
    auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(size);
    call.replaceAllUsesWith(to);
    noteWrite(to, true);
    // The places of unknown memory have no room for more.
    if (!bytes || bytes->getZExtValue() > abi::kLargestShadowed) return clear(builder, to, size);
    const auto [toShadow, toOrigins] = placesOf(builder, to, true);
    const auto [fromShadow, fromOrigins] = placesOf(builder, from, false);
    builder.CreateMemMove(toShadow, {}, fromShadow, {}, size);
    const uint64_t words = llvm::alignDown(bytes->getZExtValue(), 4);
    llvm::Value *root = withoutSteps(from);
    if (words && isFollowed(root))
      builder.CreateMemSet(toOrigins, builder.getInt8(abi::kGlobalOrigin), words, {});
    else if (words)
      builder.CreateMemMove(toOrigins, {}, fromOrigins, {}, words);
  }

  void fill(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value *to = call.getArgOperand(0), *size = call.getArgOperand(2);
    builder.CreateMemSet(to, builder.CreateTrunc(call.getArgOperand(1), builder.getInt8Ty()), size, {});
    call.replaceAllUsesWith(to);
    noteWrite(to, true);
    clear(builder, to, size);
  }

  void clear(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *size) {
    llvm::Value *root = withoutSteps(to);
    auto *variable = llvm::dyn_cast<llvm::AllocaInst>(root);
    if (variable && !companions_.contains(variable)) return;
    const bool isLocal = root->getType()->getPointerAddressSpace() == kLocal;
    if (isExchange(root) || (llvm::isa<llvm::GlobalValue>(root) && !isLocal)) return;
    if (isWritten_.contains(root)) return;
    const bool isPlaced = variable || isLocal || followedArgument(root);
    if (isPlaced) {
      builder.CreateMemSet(placesOf(builder, to, true).first, builder.getInt8(0), size, {});
    } else if (mayBeLocal(root) || isFollowed(root)) {
      llvm::Type *number = builder.getInt64Ty();
      createMachineCall(builder, "written", builder.getVoidTy(),
                        {builder.CreatePtrToInt(to, number), builder.CreateZExtOrTrunc(size, number)});
    }
  }

  llvm::Function &kernel_;
  const uint64_t followed_; ///< Specialization::followed
  const llvm::DataLayout &layout_;
  llvm::Type *const bytes_;
  llvm::Type *const pointer_;
  llvm::MapVector<llvm::AllocaInst *, Companions> companions_;
  WrittenMemory isWritten_;
  llvm::AllocaInst *state_ = nullptr, *written_ = nullptr, *lost_ = nullptr;
  llvm::DenseMap<const llvm::Argument *, llvm::Value *> toShadow_;
  llvm::DenseMap<const llvm::CallInst *, uint32_t> readNumbers_; ///< as origins have them
  llvm::json::Array names_, reads_;
  llvm::Constant *namesText_ = nullptr;
  uint8_t count_ = 0;
};

} // namespace

llvm::PreservedAnalyses CheckUninitialized::run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Uninitialized))
    return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  definePadding(kernel);
  promoteVariables(kernel, request.specialization.instrumentation);
  Runtime runtime(kernel, request.specialization.followed);
  runtime.findWritten(request.specialization);
  // What stays a function says nothing of what it returns: that counts as written.
  for (llvm::Function &function : module)
    function.addFnAttr(&function == &kernel ? llvm::Attribute::SanitizeMemory
                                            : llvm::Attribute::DisableSanitizerInstrumentation);
  const llvm::MemorySanitizerOptions options(/*TrackOrigins=*/2, /*Recover=*/true, /*Kernel=*/true);
  llvm::MemorySanitizerPass(options).run(module, analyses);
  for (llvm::Function &function : module) {
    function.removeFnAttr(llvm::Attribute::SanitizeMemory);
    function.removeFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
  }
  runtime.replaceCalls();
  llvm::SmallPtrSet<const llvm::Function *, 8> seen;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (call && (!callee || (!callee->isDeclaration() && writesGlobal(*callee, seen)))) kernel.addFnAttr(kWritesUnseen);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
