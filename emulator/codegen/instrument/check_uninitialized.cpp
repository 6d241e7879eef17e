// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_uninitialized.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/abi/origins.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Instrumentation/MemorySanitizer.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

constexpr unsigned kLocal = 3, kGeneric = 4; // address spaces

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
  explicit Runtime(llvm::Function &kernel)
      : kernel_(kernel), layout_(kernel.getDataLayout()), bytes_(llvm::Type::getInt8Ty(kernel.getContext())),
        pointer_(llvm::PointerType::get(kernel.getContext(), 0)) {}

  void replaceCalls() {
    llvm::SmallVector<llvm::CallInst *, 64> calls;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !nameOf(*call).empty())
        calls.push_back(call);
    // Variables are numbered where they begin, so before their names are asked for.
    for (llvm::CallInst *call : calls)
      if (nameOf(*call) == "poison_alloca") number(*call);
    for (llvm::CallInst *call : calls) replace(*call);
    for (llvm::CallInst *call : calls) call->eraseFromParent();
    for (llvm::AllocaInst *place : {state_, written_, lost_})
      if (place) dissolve(*place);
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
    if (!variable || !staysHere(*variable)) return;
    Companions &companions = companionsOf(*variable);
    if (companions.origin) return;
    companions.origin = count_ < abi::kMostOrigins ? ++count_ : abi::kManyOrigin;
    if (companions.origin == abi::kManyOrigin) return;
    llvm::json::Object site = sourceSite(call);
    site["name"] = variable->getName();
    names_.push_back(std::move(site));
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
    if (variable || isExchange(root) || !mayBeLocal(root)) {
      // Nothing is known: all was written; what is said of it is lost.
      llvm::AllocaInst *&place = isStore ? lost_ : written_;
      if (!place) {
        llvm::IRBuilder<> first(&kernel_.getEntryBlock().front());
        place = first.CreateAlloca(llvm::ArrayType::get(bytes_, abi::kLargestShadowed));
        place->setAlignment(llvm::Align(128));
        if (!isStore) first.CreateMemSet(place, first.getInt8(0), abi::kLargestShadowed, place->getAlign());
      }
      return {place, place};
    }
    kernel_.addFnAttr(kLocalIsChecked);
    llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
    const auto ask = [&](const char *name) {
      llvm::Value *at = createMachineCall(builder, name, builder.getInt64Ty(), {address, builder.getInt32(isStore)});
      return builder.CreateIntToPtr(at, pointer_);
    };
    return {ask("shadow_of"), ask("origins_of")};
  }

  /// Where work-items hand each other values, for the library alone.
  static bool isExchange(const llvm::Value *root) { return machineName(root) == "exchange"; }
  static bool mayBeLocal(const llvm::Value *root) {
    const unsigned space = root->getType()->getPointerAddressSpace();
    return space == kLocal || space == kGeneric;
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
    const auto [shadow, origins] = placesOf(builder, call.getArgOperand(0), isStore);
    for (llvm::User *user : llvm::make_early_inc_range(call.users())) {
      auto *one = llvm::cast<llvm::ExtractValueInst>(user);
      put(*one, one->getIndices()[0] == 0 ? shadow : origins);
    }
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
  llvm::Value *names(llvm::IRBuilder<> &builder) {
    if (!namesText_) namesText_ = siteText(*kernel_.getParent(), llvm::json::Value(llvm::json::Array(names_)));
    return builder.CreatePtrToInt(namesText_, builder.getInt64Ty());
  }

  void say(llvm::CallInst &call, const char *operation) {
    llvm::IRBuilder<> builder(&call);
    llvm::json::Object site = sourceSite(call);
    site["operation"] = operation;
    createCheckFailed(builder, abi::CheckKind::Uninitialized, std::move(site),
                      {builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty()), names(builder)});
  }

  void warn(llvm::CallInst &call) {
    const llvm::BasicBlock *next = call.getParent()->getSingleSuccessor();
    const llvm::Instruction *use = next ? next->getFirstNonPHIOrDbg() : nullptr;
    const bool isBranch = use && llvm::isa<llvm::BranchInst, llvm::SwitchInst>(use);
    const bool isAddress = use && use->mayReadOrWriteMemory();
    say(call, isBranch ? "branch" : isAddress ? "address" : "value");
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
    if (last) {
      const llvm::Value *root = withoutSteps(last->getArgOperand(0));
      if (!llvm::isa<llvm::AllocaInst>(root) && !mayBeLocal(root)) say(call, "store");
    }
    call.replaceAllUsesWith(call.getArgOperand(0));
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
    // The places of unknown memory have no room for more.
    if (!bytes || bytes->getZExtValue() > abi::kLargestShadowed) return clear(builder, to, size);
    const auto [toShadow, toOrigins] = placesOf(builder, to, true);
    const auto [fromShadow, fromOrigins] = placesOf(builder, from, false);
    builder.CreateMemMove(toShadow, {}, fromShadow, {}, size);
    const uint64_t words = llvm::alignDown(bytes->getZExtValue(), 4);
    if (words) builder.CreateMemMove(toOrigins, {}, fromOrigins, {}, words);
  }

  void fill(llvm::CallInst &call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Value *to = call.getArgOperand(0), *size = call.getArgOperand(2);
    builder.CreateMemSet(to, builder.CreateTrunc(call.getArgOperand(1), builder.getInt8Ty()), size, {});
    call.replaceAllUsesWith(to);
    clear(builder, to, size);
  }

  void clear(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *size) {
    llvm::Value *root = withoutSteps(to);
    const bool isKnown = llvm::isa<llvm::AllocaInst>(root) ? companions_.contains(llvm::cast<llvm::AllocaInst>(root))
                                                           : mayBeLocal(root) && !isExchange(root);
    if (isKnown) builder.CreateMemSet(placesOf(builder, to, true).first, builder.getInt8(0), size, {});
  }

  llvm::Function &kernel_;
  const llvm::DataLayout &layout_;
  llvm::Type *const bytes_;
  llvm::Type *const pointer_;
  llvm::MapVector<llvm::AllocaInst *, Companions> companions_;
  llvm::AllocaInst *state_ = nullptr, *written_ = nullptr, *lost_ = nullptr;
  llvm::json::Array names_;
  llvm::Constant *namesText_ = nullptr;
  uint8_t count_ = 0;
};

} // namespace

llvm::PreservedAnalyses CheckUninitialized::run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Uninitialized))
    return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  definePadding(kernel);
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
  Runtime(kernel).replaceCalls();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
