// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/expand_gathers.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

constexpr uint64_t kLargestElement = 8, kPlace = 8;

/// A gather, or a scatter.
struct MaskedAccess {
  explicit MaskedAccess(llvm::IntrinsicInst &call)
      : call(call), isGather(call.getIntrinsicID() == llvm::Intrinsic::masked_gather),
        value(isGather ? nullptr : call.getArgOperand(0)), places(call.getArgOperand(isGather ? 0 : 1)),
        mask(call.getArgOperand(isGather ? 2 : 3)), otherwise(isGather ? call.getArgOperand(3) : nullptr),
        type(llvm::cast<llvm::FixedVectorType>(isGather ? call.getType() : value->getType())),
        alignment(llvm::cast<llvm::ConstantInt>(call.getArgOperand(isGather ? 1 : 2))->getAlignValue()) {}

  /// Whether it is one of those that this pass is for. Lanes that are not asked get zeros.
  bool isExpanded(const llvm::DataLayout &layout) const {
    const auto isAnything = [](llvm::Value *value) {
      auto *constant = llvm::dyn_cast<llvm::Constant>(value);
      return constant && (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant));
    };
    return !llvm::isa<llvm::Constant>(mask) && layout.getTypeStoreSize(type->getElementType()) <= kLargestElement &&
           layout.getTypeStoreSize(places->getType()->getScalarType()) == kPlace &&
           (!isGather || isAnything(otherwise));
  }

  llvm::IntrinsicInst &call;
  bool isGather;
  llvm::Value *value, *places, *mask, *otherwise;
  llvm::FixedVectorType *type;
  llvm::Align alignment;
};

/// Places that are made of scalars and of one vector of numbers of 32 bits: of each lane they can be made by
/// themselves.
class LanePlaces {
public:
  static bool areMadeOfNumbers(const MaskedAccess &access, const llvm::DataLayout &layout) {
    return match(access.mask, llvm::PatternMatch::m_AllOnes()) && access.type->getNumElements() % 2 == 0 &&
           layout.getTypeStoreSize(access.type->getElementType()) <= kLargestElement &&
           llvm::isa<llvm::GetElementPtrInst>(access.places) && isMadeOfNumbers(*access.places, layout);
  }

  llvm::Value *of(llvm::IRBuilder<> &builder, llvm::Value &places, unsigned lane) {
    if (!places.getType()->isVectorTy()) return &places;
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&places)) return constant->getAggregateElement(lane);
    if (llvm::Value *same = llvm::getSplatValue(&places)) return same;
    llvm::SmallVector<llvm::Value *, 16> &known = lanes_[{&places, builder.GetInsertBlock()}];
    if (known.empty()) known.resize(llvm::cast<llvm::FixedVectorType>(places.getType())->getNumElements());
    if (known[lane]) return known[lane];
    llvm::Value *made;
    if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&places)) {
      llvm::SmallVector<llvm::Value *, 4> indices;
      for (llvm::Value *index : place->indices()) indices.push_back(of(builder, *index, lane));
      made = builder.CreateGEP(place->getSourceElementType(), of(builder, *place->getPointerOperand(), lane), indices);
    } else {
      auto &longer = llvm::cast<llvm::CastInst>(places);
      made = builder.CreateCast(longer.getOpcode(), number(builder, *longer.getOperand(0), lane), builder.getInt64Ty());
    }
    return lanes_[{&places, builder.GetInsertBlock()}][lane] = made;
  }

  /// Says which places there will be, so that numbers which differ by what all lanes share are taken out once.
  void expect(const MaskedAccess &access) {
    llvm::SmallVector<llvm::Value *, 4> numbers;
    findNumbers(*access.places, numbers);
    for (llvm::Value *number : numbers) {
      taken_.insert({number, access.call.getParent()});
      if (const Sum sum = sumOf(*number)) {
        llvm::Value *&first = users_[{sum.number, access.call.getParent()}];
        if (first && first != number) taken_.insert({sum.number, access.call.getParent()});
        first = number;
      }
    }
  }

private:
  using Place = std::pair<const llvm::Value *, const llvm::BasicBlock *>;

  /// A number of each lane and one of all of them, in an operation that scalars do as fast as they are taken out.
  struct Sum {
    llvm::BinaryOperator *operation = nullptr;
    llvm::Value *number = nullptr, *shared = nullptr;
    bool isSwapped = false;
    explicit operator bool() const { return operation; }
  };

  static Sum sumOf(llvm::Value &value) {
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (!operation) return {};
    switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Or:
    case llvm::Instruction::And:
    case llvm::Instruction::Xor:
      break;
    case llvm::Instruction::Shl:
      if (llvm::isa<llvm::Constant>(operation->getOperand(1))) break;
      return {};
    default:
      return {};
    }
    llvm::Value *left = operation->getOperand(0), *right = operation->getOperand(1);
    if (llvm::Value *shared = llvm::getSplatValue(right)) return {operation, left, shared, false};
    llvm::Value *shared = operation->getOpcode() == llvm::Instruction::Shl ? nullptr : llvm::getSplatValue(left);
    return shared ? Sum{operation, right, shared, true} : Sum{};
  }

  static void findNumbers(llvm::Value &places, llvm::SmallVectorImpl<llvm::Value *> &numbers) {
    if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&places)) {
      for (llvm::Value *operand : place->operands()) findNumbers(*operand, numbers);
    } else if (auto *longer = llvm::dyn_cast<llvm::CastInst>(&places);
               longer && longer->getType()->isVectorTy() && !llvm::getSplatValue(longer)) {
      numbers.push_back(longer->getOperand(0));
    }
  }

  /// Numbers of 32 bits are calculated as such again: they may wrap.
  llvm::Value *number(llvm::IRBuilder<> &builder, llvm::Value &numbers, unsigned lane) {
    const Place place{&numbers, builder.GetInsertBlock()};
    llvm::SmallVector<llvm::Value *, 16> &known = lanes_[place];
    if (known.empty()) known.resize(llvm::cast<llvm::FixedVectorType>(numbers.getType())->getNumElements());
    if (known[lane]) return known[lane];
    llvm::Value *made;
    if (const Sum sum = sumOf(numbers); sum && taken_.contains({sum.number, builder.GetInsertBlock()})) {
      llvm::Value *one = number(builder, *sum.number, lane);
      made = builder.CreateBinOp(sum.operation->getOpcode(), sum.isSwapped ? sum.shared : one,
                                 sum.isSwapped ? one : sum.shared);
    } else { // Not two at a time: LLVM 19 forgets that the lower one ends.
      made = builder.CreateExtractElement(&numbers, lane);
    }
    return lanes_[place][lane] = made;
  }

  static bool isMadeOfNumbers(const llvm::Value &places, const llvm::DataLayout &layout) {
    if (!places.getType()->isVectorTy() || llvm::getSplatValue(&places)) return true;
    if (llvm::isa<llvm::ConstantDataVector, llvm::ConstantVector>(places)) return true;
    if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&places))
      return llvm::all_of(place->operands(),
                          [&](const llvm::Use &operand) { return isMadeOfNumbers(*operand, layout); });
    return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(places) && places.getType()->getScalarSizeInBits() == 64 &&
           llvm::cast<llvm::CastInst>(places).getSrcTy()->getScalarSizeInBits() == 32;
  }

  llvm::DenseMap<Place, llvm::SmallVector<llvm::Value *, 16>> lanes_;
  llvm::DenseSet<Place> taken_;                ///< numbers that places are made of, or several such numbers
  llvm::DenseMap<Place, llvm::Value *> users_; ///< one that is made of a number
};

class Expansion {
public:
  explicit Expansion(llvm::Function &function) : function_(function), top_(function.getContext()) {}

  void expect(const MaskedAccess &access) {
    if (llvm::isa<llvm::Constant>(access.mask)) places_.expect(access);
  }

  void expand(const MaskedAccess &access) {
    llvm::IRBuilder<> builder(&access.call);
    if (!llvm::isa<llvm::Constant>(access.mask)) return expandMasked(builder, access);
    expand(builder, access, [&](unsigned lane) -> llvm::Value * { return places_.of(builder, *access.places, lane); });
  }

private:
  void expandMasked(llvm::IRBuilder<> &builder, const MaskedAccess &access) {
    llvm::Type *place = access.places->getType()->getScalarType();
    const unsigned lanes = access.type->getNumElements();
    llvm::Value *none = builder.CreateAddrSpaceCast(access.isGather ? zeros() : room(), place);
    llvm::Value *places = builder.CreateSelect(access.mask, access.places, builder.CreateVectorSplat(lanes, none));
    llvm::AllocaInst *memory = slot(lanes);
    builder.CreateAlignedStore(places, memory, memory->getAlign());
    expand(builder, access, [&](unsigned lane) -> llvm::Value * {
      llvm::Value *from = builder.CreateConstGEP1_64(builder.getInt8Ty(), memory, lane * kPlace);
      return builder.CreateAlignedLoad(place, from, llvm::Align(kPlace));
    });
  }

  void expand(llvm::IRBuilder<> &builder, const MaskedAccess &access,
              llvm::function_ref<llvm::Value *(unsigned)> placeOf) {
    llvm::Value *made = llvm::PoisonValue::get(access.type);
    for (unsigned lane = 0; lane < access.type->getNumElements(); ++lane) {
      llvm::Value *pointer = placeOf(lane);
      llvm::Instruction *one;
      if (access.isGather) {
        one = builder.CreateAlignedLoad(access.type->getElementType(), pointer, access.alignment);
        made = builder.CreateInsertElement(made, one, lane);
      } else {
        one = builder.CreateAlignedStore(builder.CreateExtractElement(access.value, lane), pointer, access.alignment);
      }
      one->copyMetadata(access.call);
    }
    if (access.isGather) {
      made->takeName(&access.call);
      access.call.replaceAllUsesWith(made);
    }
    access.call.eraseFromParent();
  }

  static constexpr unsigned kSlots = 4; ///< so that one need not be read before the next is written

  llvm::AllocaInst *allocate(llvm::Type *type, const char *name) {
    llvm::BasicBlock &entry = function_.getEntryBlock();
    top_.SetInsertPoint(&entry, entry.begin()); // what stood there may have been expanded
    return top_.CreateAlloca(type, nullptr, name);
  }

  llvm::AllocaInst *slot(unsigned lanes) {
    llvm::AllocaInst *&slot = slots_[next_++ % kSlots];
    llvm::Type *type = llvm::ArrayType::get(top_.getInt64Ty(), lanes);
    if (!slot) {
      slot = allocate(type, "places");
      slot->setAlignment(llvm::Align(64));
    } else if (slot->getAllocatedType()->getArrayNumElements() < lanes) {
      slot->setAllocatedType(type);
    }
    return slot;
  }

  /// What lanes load that are not asked.
  llvm::Value *zeros() {
    llvm::Module &module = *function_.getParent();
    constexpr const char *kName = "us.nowhere";
    if (llvm::GlobalVariable *known = module.getNamedGlobal(kName)) return known;
    llvm::Constant *zero = top_.getIntN(8 * kLargestElement, 0);
    auto *made = new llvm::GlobalVariable(module, zero->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::PrivateLinkage, zero, kName);
    made->setAlignment(llvm::Align(kLargestElement));
    return made;
  }

  /// For what they store.
  llvm::Value *room() {
    if (!room_) room_ = allocate(top_.getIntNTy(8 * kLargestElement), "nowhere");
    return room_;
  }

  llvm::Function &function_;
  llvm::IRBuilder<> top_;
  llvm::AllocaInst *slots_[kSlots] = {}, *room_ = nullptr;
  unsigned next_ = 0;
  LanePlaces places_;
};

} // namespace

llvm::PreservedAnalyses ExpandGathers::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs || costs->gathersWords) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::IntrinsicInst *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const llvm::Intrinsic::ID id = call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
      if (id != llvm::Intrinsic::masked_gather && id != llvm::Intrinsic::masked_scatter) continue;
      const MaskedAccess access(*call);
      if (access.isExpanded(module.getDataLayout()) || LanePlaces::areMadeOfNumbers(access, module.getDataLayout()))
        found.push_back(call);
    }
    if (found.empty()) continue;
    Expansion expansion(function);
    for (llvm::IntrinsicInst *call : found) expansion.expect(MaskedAccess(*call));
    for (llvm::IntrinsicInst *call : found) expansion.expand(MaskedAccess(*call));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
