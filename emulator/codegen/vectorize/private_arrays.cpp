// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/private_arrays.h"

#include "emulator/codegen/tiers/tier_rules.h"
#include "emulator/codegen/unroll_loop.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <map>

namespace us::codegen {
namespace {

/// Elements of an array in registers.
constexpr uint64_t kMostElements = 64;
/// Turns of a loop that is taken apart, and instructions of all of them.
constexpr unsigned kMostTurns = 64, kMostUnrolled = 5000;
/// Elements that indexes are compared with.
constexpr uint64_t kMostCompared = 16000;
/// Accesses that a fill or a copy becomes.
constexpr uint64_t kMostCopied = 64;
/// Bits of an index that tell elements from each other.
constexpr unsigned kFewestBits = 8;
static_assert(kMostElements < 1u << kFewestBits);

/// All accesses to private memory, unless something else is done with it.
struct Accesses {
  llvm::SmallVector<llvm::Instruction *, 32> accesses; ///< loads and stores
  llvm::SmallVector<llvm::MemIntrinsic *, 4> copies;
  llvm::SmallVector<llvm::Instruction *, 4> marks; ///< of its lifetime
  bool areAll = true;

  explicit Accesses(llvm::Value &memory) {
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallVector<llvm::Value *, 16> open{&memory};
    while (!open.empty()) {
      llvm::Value *pointer = open.pop_back_val();
      if (!seen.insert(pointer).second) continue;
      for (llvm::User *user : pointer->users()) {
        auto *instruction = llvm::cast<llvm::Instruction>(user);
        auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
        if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::AddrSpaceCastInst>(instruction))
          open.push_back(instruction);
        else if (intrinsic && intrinsic->isLifetimeStartOrEnd())
          marks.push_back(instruction);
        else if (llvm::getLoadStorePointerOperand(instruction) == pointer && !instruction->isAtomic() &&
                 !instruction->isVolatile() && !isStored(*instruction, *pointer))
          accesses.push_back(instruction);
        else if (auto *copy = llvm::dyn_cast<llvm::MemIntrinsic>(instruction); copy && !copy->isVolatile())
          copies.push_back(copy);
        else
          areAll = false;
      }
    }
    areAll &= llvm::all_of(seen, [&](llvm::Value *pointer) { return pointer == &memory || isOf(*pointer, seen); });
  }

private:
  static bool isStored(llvm::Instruction &instruction, llvm::Value &pointer) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && store->getValueOperand() == &pointer;
  }

  /// Not a choice between this memory and another.
  static bool isOf(llvm::Value &pointer, const llvm::SmallPtrSetImpl<llvm::Value *> &places) {
    auto &made = llvm::cast<llvm::Instruction>(pointer);
    return llvm::all_of(made.operands(), [&](llvm::Value *operand) {
      return !operand->getType()->isPointerTy() || places.contains(operand);
    });
  }
};

/// Whether all offsets in its memory are multiples of `size`.
bool isSteppedBy(llvm::Value &pointer, const llvm::Value &memory, uint64_t size) {
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> open{&pointer};
  while (!open.empty()) {
    llvm::Value *one = open.pop_back_val();
    if (!seen.insert(one).second || one == &memory) continue;
    if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(one)) {
      const llvm::DataLayout &layout = llvm::cast<llvm::Instruction>(place)->getDataLayout();
      unsigned bits = layout.getIndexTypeSizeInBits(place->getType());
      llvm::MapVector<llvm::Value *, llvm::APInt> variable;
      llvm::APInt constant(bits, 0);
      if (!place->collectOffset(layout, bits, variable, constant) || constant.urem(size) != 0) return false;
      for (auto &[index, scale] : variable)
        if (scale.urem(size) != 0) return false;
      open.push_back(place->getPointerOperand());
    } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(one)) {
      open.append(phi->value_op_begin(), phi->value_op_end());
    } else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(one)) {
      open.append({select->getTrueValue(), select->getFalseValue()});
    } else if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(one)) {
      open.push_back(cast->getPointerOperand());
    } else {
      return false;
    }
  }
  return true;
}

/// The number of an element is `what` * `scale` + `offset` as far as the last `bits` bits of `what` tell, which they
/// do: there are not so many elements.
struct Index {
  llvm::Value *what = nullptr;
  int64_t scale = 1, offset = 0;
  unsigned bits = 64;

  uint64_t number(const llvm::ConstantInt &constant) const {
    const uint64_t sum = uint64_t(llvm::SignExtend64(constant.getZExtValue(), bits) * scale + offset);
    if (bits > 48) return sum;
    const int64_t all = (int64_t(1) << bits) * std::abs(scale);
    return uint64_t((int64_t(sum) % all + all) % all);
  }
  /// What `what` is if the element has this number; nothing: it cannot have it.
  std::optional<int64_t> of(uint64_t number) const {
    const int64_t distance = int64_t(number) - offset;
    if (distance % scale != 0) return std::nullopt;
    return distance / scale;
  }

  /// Without what does not change it, as it is one of an element.
  Index stripped(llvm::Value &index) const {
    using namespace llvm::PatternMatch;
    Index found = *this;
    llvm::Value *value = &index, *inner = nullptr;
    for (;;) {
      const llvm::APInt *number = nullptr, *other = nullptr;
      found.bits = std::min(found.bits, value->getType()->getIntegerBitWidth());
      if (match(value, m_AddLike(m_Value(inner), m_APInt(number))) && number->getSignificantBits() <= kMostBits)
        found.offset += number->getSExtValue() * found.scale;
      else if (match(value, m_Mul(m_Value(inner), m_APInt(number))) && found.isExact(*value) && !number->isZero() &&
               number->getSignificantBits() <= kMostBits && std::abs(found.scale) < 1 << kMostBits)
        found.scale *= number->getSExtValue();
      else if (match(value, m_Shl(m_Value(inner), m_APInt(number))) && found.isExact(*value) &&
               number->ult(kMostBits) && std::abs(found.scale) < 1 << kMostBits)
        found.scale *= int64_t(1) << number->getZExtValue();
      else if (match(value, m_AShr(m_Shl(m_Value(inner), m_APInt(number)), m_APInt(other))) && *number == *other &&
               found.bits >= number->getZExtValue() + kFewestBits)
        found.bits -= unsigned(number->getZExtValue());
      else if (!match(value, m_ZExtOrSExt(m_Value(inner))) && !match(value, m_Trunc(m_Value(inner))))
        break;
      if (inner->getType()->getIntegerBitWidth() < kFewestBits) break;
      value = inner;
    }
    found.what = value;
    return found;
  }

private:
  static constexpr unsigned kMostBits = 16;

  /// The product is not one that has lost bits.
  bool isExact(const llvm::Value &product) const {
    const auto &operation = llvm::cast<llvm::OverflowingBinaryOperator>(product);
    return product.getType()->getIntegerBitWidth() == bits && (bits == 64 || operation.hasNoSignedWrap());
  }
};

/// Instructions that become some in the end.
unsigned countOf(const llvm::BasicBlock &block) {
  unsigned count = 0;
  for (const llvm::Instruction &instruction : block)
    count += !instruction.isTerminator() &&
             !llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(
                 instruction);
  return count;
}

/// Whether it is calculated from what changes from one turn of a loop to the next, other than by what is read.
bool dependsOnTurn(llvm::Value &value, const llvm::Loop &loop) {
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  llvm::SmallVector<llvm::Value *, 16> open{&value};
  while (!open.empty()) {
    auto *made = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!made || !loop.contains(made) || !seen.insert(made).second) continue;
    if (llvm::isa<llvm::PHINode>(made) && made->getParent() == loop.getHeader()) return true;
    if (!made->mayReadOrWriteMemory()) open.append(made->value_op_begin(), made->value_op_end());
  }
  return false;
}

class Unroller {
public:
  Unroller(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays, llvm::FunctionAnalysisManager &manager)
      : arrays_(arrays), manager_(manager), loops_(manager.getResult<llvm::LoopAnalysis>(function)),
        evolution_(manager.getResult<llvm::ScalarEvolutionAnalysis>(function)) {}

  bool run() {
    while (llvm::Loop *loop = next()) {
      unsigned turns = evolution_.getSmallConstantMaxTripCount(loop);
      total_ += turns * size(*loop);
      if (total_ > kMostUnrolled) return false;
      llvm::UnrollLoopOptions options{turns, /*Force=*/true, false, false, false, /*ForgetAllSCEV=*/false, nullptr};
      if (unrollLoop(*loop, options, manager_) != llvm::LoopUnrollResult::FullyUnrolled) return false;
    }
    return true;
  }

private:
  /// The outermost of the loops that can be taken apart: how often the inner ones turn may be known then.
  llvm::Loop *next() {
    llvm::SmallVector<llvm::Value *, 32> places;
    for (const PrivateArray &array : arrays_)
      for (llvm::Instruction *access : Accesses(*array.memory).accesses)
        places.push_back(llvm::getLoadStorePointerOperand(access));
    const auto goesOver = [&](const llvm::Loop *loop) {
      return llvm::any_of(places, [&](llvm::Value *place) { return dependsOnTurn(*place, *loop); });
    };
    for (llvm::Loop *loop : loops_.getLoopsInPreorder()) {
      const unsigned turns = evolution_.getSmallConstantMaxTripCount(loop);
      if (turns == 0 || turns > kMostTurns || !loop->isLoopSimplifyForm()) continue;
      if (goesOver(loop) || llvm::any_of(loop->getLoopsInPreorder(), [&](const llvm::Loop *inner) {
            return inner != loop && hasTurnsBy(*inner, *loop) && goesOver(inner);
          }))
        return loop;
    }
    return nullptr;
  }

  /// Whether it depends on the turn of the outer loop how often the inner one turns.
  bool hasTurnsBy(const llvm::Loop &inner, const llvm::Loop &outer) {
    llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
    inner.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](llvm::BasicBlock *block) {
      const llvm::SCEV *turns = evolution_.getExitCount(&inner, block);
      return !llvm::isa<llvm::SCEVCouldNotCompute>(turns) && !evolution_.isLoopInvariant(turns, &outer);
    });
  }

  unsigned size(llvm::Loop &loop) {
    unsigned all = 0;
    for (llvm::BasicBlock *block : loop.blocks()) all += countOf(*block);
    return all;
  }

  llvm::ArrayRef<PrivateArray> arrays_;
  llvm::FunctionAnalysisManager &manager_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  unsigned total_ = 0;
};

/// An array as one value, a vector; who reads and sets an element that is not constant chooses among them.
class Registers {
  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;

public:
  explicit Registers(llvm::Function &function)
      : function_(function), layout_(function.getDataLayout()), dominators_(function) {}

  void add(const PrivateArray &array) {
    const Accesses all(*array.memory);
    for (llvm::Instruction *mark : all.marks) mark->eraseFromParent();
    const uint64_t size = elementSize(*array.memory);
    llvm::Type *element = llvm::getLoadStoreType(all.accesses.front());
    auto *type = llvm::FixedVectorType::get(element, unsigned(array.bytes / size));
    Builder top = at(&*function_.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *slot = top.CreateAlloca(type);
    top.CreateStore(llvm::Constant::getNullValue(type), slot); // a branch by what was never set goes some way, too
    for (llvm::Instruction *access : all.accesses) {
      llvm::Value *index = place(*llvm::getLoadStorePointerOperand(access), *array.memory, size);
      Builder builder = at(access);
      llvm::Value *whole = builder.CreateLoad(type, slot);
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access)) {
        llvm::Value *value = builder.CreateBitOrPointerCast(store->getValueOperand(), element);
        builder.CreateStore(builder.Insert(llvm::InsertElementInst::Create(whole, value, index)), slot);
      } else {
        llvm::Value *value = builder.Insert(llvm::ExtractElementInst::Create(whole, index));
        access->replaceAllUsesWith(builder.CreateBitOrPointerCast(value, access->getType()));
      }
      access->eraseFromParent();
    }
    slots_.push_back(slot);
  }

  void run() {
    llvm::PromoteMemToReg(slots_, dominators_);
    llvm::SmallVector<llvm::Instruction *, 32> open;
    for (llvm::BasicBlock *block : llvm::depth_first(&function_.getEntryBlock()))
      for (llvm::Instruction &instruction : *block)
        if (llvm::isa<llvm::InsertElementInst>(instruction)) open.push_back(&instruction);
    for (llvm::Instruction *instruction : open) setElement(llvm::cast<llvm::InsertElementInst>(*instruction));
    open.clear();
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (llvm::isa<llvm::ExtractElementInst>(instruction)) open.push_back(&instruction);
    for (llvm::Instruction *instruction : open) {
      auto &read = llvm::cast<llvm::ExtractElementInst>(*instruction);
      if (llvm::isa<llvm::ConstantInt>(read.getIndexOperand())) continue;
      read.replaceAllUsesWith(element(*read.getVectorOperand(), Index().stripped(*read.getIndexOperand())));
      dead_.push_back(&read);
    }
    for (llvm::Instruction *instruction : llvm::reverse(dead_)) {
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
  }

private:
  struct Key {
    const llvm::Value *of;
    Index index;
    unsigned bits;

    auto parts() const { return std::tuple(of, index.what, index.scale, index.offset, index.bits, bits); }
    bool operator<(const Key &other) const { return parts() < other.parts(); }
  };

  Builder at(llvm::Instruction *before) const {
    return {before->getParent(), before->getIterator(), llvm::InstSimplifyFolder(layout_)};
  }

  /// The number of the element at a place.
  llvm::Value *place(llvm::Value &pointer, llvm::Value &memory, uint64_t size) {
    llvm::Type *number = llvm::Type::getInt64Ty(function_.getContext());
    if (&pointer == &memory) return llvm::ConstantInt::get(number, 0);
    llvm::Value *&found = places_[&pointer];
    if (found) return found;
    auto &made = llvm::cast<llvm::Instruction>(pointer);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&made)) {
      llvm::PHINode *numbers = at(phi).CreatePHI(number, phi->getNumIncomingValues());
      found = numbers;
      for (auto [value, block] : llvm::zip(phi->incoming_values(), phi->blocks()))
        numbers->addIncoming(place(*value, memory, size), block);
      return numbers;
    }
    llvm::Value *result = nullptr;
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&made)) {
      llvm::Value *first = place(*select->getTrueValue(), memory, size);
      llvm::Value *second = place(*select->getFalseValue(), memory, size);
      result = at(&made).CreateSelect(select->getCondition(), first, second);
    } else if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&made)) {
      const unsigned bits = layout_.getIndexTypeSizeInBits(step->getType());
      llvm::MapVector<llvm::Value *, llvm::APInt> variable;
      llvm::APInt constant(bits, 0);
      step->collectOffset(layout_, bits, variable, constant);
      result = place(*step->getPointerOperand(), memory, size);
      Builder builder = at(&made);
      for (auto &[index, scale] : variable) {
        llvm::Value *elements = builder.CreateSExtOrTrunc(index, number);
        if (const int64_t factor = scale.getSExtValue() / int64_t(size); factor != 1)
          elements = builder.CreateMul(elements, builder.getInt64(uint64_t(factor)));
        result = builder.CreateAdd(result, elements);
      }
      result = builder.CreateAdd(result, builder.getInt64(uint64_t(constant.getSExtValue() / int64_t(size))));
    } else {
      result = place(*made.getOperand(0), memory, size);
    }
    return places_[&pointer] = result;
  }

  static unsigned count(const llvm::Value &whole) {
    return llvm::cast<llvm::FixedVectorType>(whole.getType())->getNumElements();
  }

  /// Where an element of a vector can be read as soon as its index is known, too.
  llvm::Instruction *behind(llvm::Value &whole, llvm::Value &index) {
    auto *first = llvm::dyn_cast<llvm::Instruction>(&whole), *second = llvm::dyn_cast<llvm::Instruction>(&index);
    if (!first || (second && dominators_.dominates(first, second))) first = second;
    if (!first) return &*function_.getEntryBlock().getFirstInsertionPt();
    if (llvm::isa<llvm::PHINode>(first)) return &*first->getParent()->getFirstInsertionPt();
    return first->getNextNode();
  }

  /// A vector as it comes to a block by one of its ways; null: it is not known there.
  llvm::Value *before(llvm::Value &whole, const llvm::BasicBlock &block, const llvm::BasicBlock &from) const {
    auto *made = llvm::dyn_cast<llvm::Instruction>(&whole);
    if (!made) return &whole;
    auto *phi = llvm::dyn_cast<llvm::PHINode>(made);
    if (phi && phi->getParent() == &block) return phi->getIncomingValueForBlock(&from);
    return dominators_.dominates(made, from.getTerminator()) ? made : nullptr;
  }

  /// What a block that is not the beginning of a loop is come to with, by each way, can be asked for there.
  bool isKnownBefore(llvm::Value &whole, const llvm::PHINode &index) const {
    const llvm::BasicBlock &block = *index.getParent();
    return llvm::all_of(index.blocks(), [&](const llvm::BasicBlock *from) {
      return !dominators_.dominates(&block, from) && before(whole, block, *from);
    });
  }

  llvm::Value *element(llvm::Value &whole, const Index &index) {
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(index.what)) return element(whole, index.number(*number));
    const Key key{&whole, index, 0};
    if (const auto found = elements_.find(key); found != elements_.end()) return found->second;
    Builder builder = at(behind(whole, *index.what));
    llvm::Value *result = nullptr;
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(index.what)) {
      llvm::Value *first = element(whole, index.stripped(*select->getTrueValue()));
      llvm::Value *second = element(whole, index.stripped(*select->getFalseValue()));
      result = builder.CreateSelect(select->getCondition(), first, second);
    } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(index.what); phi && isKnownBefore(whole, *phi)) {
      llvm::PHINode *made = at(phi).CreatePHI(whole.getType()->getScalarType(), phi->getNumIncomingValues());
      for (auto [value, from] : llvm::zip(phi->incoming_values(), phi->blocks()))
        made->addIncoming(element(*before(whole, *phi->getParent(), *from), index.stripped(*value)), from);
      result = made;
    } else {
      for (const uint64_t number : numbers(index, count(whole))) {
        llvm::Value *one = element(whole, number);
        result = result ? builder.CreateSelect(equals(builder, index, number, whole), one, result) : one;
      }
      if (!result) result = llvm::PoisonValue::get(whole.getType()->getScalarType());
    }
    elements_[key] = result;
    return result;
  }

  llvm::Value *element(llvm::Value &whole, uint64_t number) {
    llvm::Type *type = whole.getType()->getScalarType();
    if (number >= count(whole)) return llvm::PoisonValue::get(type);
    if (llvm::isa<llvm::UndefValue>(whole)) return llvm::UndefValue::get(type);
    llvm::WeakTrackingVH &found = constantElements_[{&whole, number}];
    if (!found) found = at(behind(whole, whole)).CreateExtractElement(&whole, number);
    return found;
  }

  /// The elements that an index may be one of.
  llvm::SmallVector<uint64_t, 16> numbers(const Index &index, unsigned count) const {
    llvm::SmallVector<uint64_t, 16> found;
    llvm::SmallDenseMap<llvm::Value *, int64_t, 16> seen;
    if (collect(index, count, found, seen) && !found.empty()) return found;
    llvm::ConstantRange range = llvm::computeConstantRange(index.what, /*ForSigned=*/false);
    const llvm::KnownBits known = llvm::computeKnownBits(index.what, layout_);
    range = range.intersectWith(llvm::ConstantRange::fromKnownBits(known, /*IsSigned=*/false));
    range = range.zextOrTrunc(index.bits);
    found.clear();
    for (uint64_t number = 0; number < count; ++number)
      if (const auto value = index.of(number);
          value && range.contains(llvm::APInt(64, uint64_t(*value)).zextOrTrunc(index.bits)))
        found.push_back(number);
    return found;
  }

  /// Those among which an index is chosen; false: it is not.
  static bool collect(const Index &index, unsigned count, llvm::SmallVectorImpl<uint64_t> &numbers,
                      llvm::SmallDenseMap<llvm::Value *, int64_t, 16> &seen) {
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index.what)) {
      const uint64_t number = index.number(*constant);
      if (number < count && !llvm::is_contained(numbers, number)) numbers.push_back(number);
      return true;
    }
    // Round a loop it may be another one.
    if (const auto [known, isNew] = seen.insert({index.what, index.offset}); !isNew)
      return known->second == index.offset;
    const auto next = [&](llvm::Value *value) { return collect(index.stripped(*value), count, numbers, seen); };
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(index.what))
      return next(select->getTrueValue()) && next(select->getFalseValue());
    auto *phi = llvm::dyn_cast<llvm::PHINode>(index.what);
    return phi && llvm::all_of(phi->incoming_values(), next);
  }

  /// Compared in a type as short as the elements, as masks have their lengths.
  llvm::Value *equals(Builder &builder, const Index &index, uint64_t number, llvm::Value &whole) {
    const unsigned length = std::clamp(unsigned(whole.getType()->getScalarSizeInBits()), 8u, 32u);
    const unsigned bits = std::min(length, index.bits);
    if (llvm::isa<llvm::SelectInst>(index.what))
      return builder.CreateICmpEQ(shortened(index, bits), builder.getIntN(bits, number));
    const llvm::APInt wanted = llvm::APInt(64, uint64_t(*index.of(number))).zextOrTrunc(bits);
    llvm::Value *value = at(behind(*index.what, *index.what)).CreateTrunc(index.what, builder.getIntNTy(bits));
    return builder.CreateICmpEQ(value, builder.getInt(wanted));
  }

  /// The last bits of an element's number.
  llvm::Value *shortened(const Index &index, unsigned bits) {
    llvm::Type *type = llvm::Type::getIntNTy(function_.getContext(), bits);
    const auto low = [&](uint64_t number) {
      return llvm::ConstantInt::get(type, number & llvm::maskTrailingOnes<uint64_t>(bits));
    };
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index.what)) return low(index.number(*constant));
    const Key key{&function_, index, bits};
    if (const auto found = elements_.find(key); found != elements_.end()) return found->second;
    Builder builder = at(behind(*index.what, *index.what));
    llvm::Value *result = nullptr;
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(index.what)) {
      llvm::Value *first = shortened(index.stripped(*select->getTrueValue()), bits);
      llvm::Value *second = shortened(index.stripped(*select->getFalseValue()), bits);
      result = builder.CreateSelect(select->getCondition(), first, second);
    } else {
      result = builder.CreateMul(builder.CreateTrunc(index.what, type), low(uint64_t(index.scale)));
      result = builder.CreateAdd(result, low(uint64_t(index.offset)));
    }
    elements_[key] = result;
    return result;
  }

  void setElement(llvm::InsertElementInst &set) {
    llvm::Value &whole = *set.getOperand(0), &value = *set.getOperand(1);
    if (llvm::isa<llvm::ConstantInt>(set.getOperand(2))) return;
    const Index index = Index().stripped(*set.getOperand(2));
    llvm::Value *result = setBefore(set, index);
    if (!result) {
      Builder builder = at(&set);
      result = &whole;
      for (const uint64_t number : numbers(index, count(whole))) {
        llvm::Value *isIt = equals(builder, index, number, whole);
        result =
            builder.CreateInsertElement(result, builder.CreateSelect(isIt, &value, element(whole, number)), number);
      }
    }
    set.replaceAllUsesWith(result);
    dead_.push_back(&set);
  }

  /// Where several ways meet that each know the element it is set on each of them; null: there are none.
  llvm::Value *setBefore(llvm::InsertElementInst &set, const Index &index) {
    auto *phi = llvm::dyn_cast<llvm::PHINode>(index.what);
    llvm::Value &whole = *set.getOperand(0), &value = *set.getOperand(1);
    auto *made = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!phi || set.getParent() != phi->getParent() || !isKnownBefore(whole, *phi)) return nullptr;
    for (auto [constant, from] : llvm::zip(phi->incoming_values(), phi->blocks()))
      if (!llvm::isa<llvm::ConstantInt>(constant) || (made && !dominators_.dominates(made, from->getTerminator())))
        return nullptr;
    llvm::PHINode *result = at(phi).CreatePHI(set.getType(), phi->getNumIncomingValues());
    llvm::SmallDenseMap<llvm::BasicBlock *, llvm::Value *, 8> done; // a block may come here by several edges
    for (auto [constant, from] : llvm::zip(phi->incoming_values(), phi->blocks())) {
      llvm::Value *&to = done[from];
      const uint64_t number = index.number(*llvm::cast<llvm::ConstantInt>(constant));
      if (!to)
        to =
            number < count(whole)
                ? at(from->getTerminator()).CreateInsertElement(before(whole, *phi->getParent(), *from), &value, number)
                : llvm::PoisonValue::get(set.getType());
      result->addIncoming(to, from);
    }
    return result;
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::DominatorTree dominators_;
  llvm::SmallVector<llvm::AllocaInst *, 4> slots_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> places_;
  // An element may be one that is read from another array, or from this one before: it follows what that is made of.
  std::map<Key, llvm::WeakTrackingVH> elements_; ///< and numbers of elements, cut to so many bits
  llvm::DenseMap<std::pair<llvm::Value *, uint64_t>, llvm::WeakTrackingVH> constantElements_;
  llvm::SmallVector<llvm::Instruction *, 32> dead_; ///< until the end, so that nothing else has their addresses
};

/// The number of the element at a place, all of it in `offset` if it is constant; nothing: it depends on several
/// values.
std::optional<Index> indexOf(llvm::Value &pointer, const llvm::Value &memory, uint64_t size) {
  llvm::Value *place = &pointer, *value = nullptr;
  Index index{nullptr, 0, 0};
  while (place != &memory) {
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(place)) {
      place = cast->getPointerOperand();
      continue;
    }
    auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(place);
    if (!step) return std::nullopt;
    const llvm::DataLayout &layout = step->getDataLayout();
    const unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
    llvm::MapVector<llvm::Value *, llvm::APInt> variable;
    llvm::APInt constant(bits, 0);
    if (!step->collectOffset(layout, bits, variable, constant) || variable.size() + (value ? 1 : 0) > 1)
      return std::nullopt;
    index.offset += constant.getSExtValue() / int64_t(size);
    for (auto &[one, scale] : variable) {
      value = one;
      index.scale = scale.getSExtValue() / int64_t(size);
    }
    place = step->getPointerOperand();
  }
  return value ? index.stripped(*value) : index;
}

/// Elements that are chosen in a loop that sets none.
class Chooser {
public:
  Chooser(llvm::Loop &loop, const PrivateArray &array, uint64_t size, const llvm::DominatorTree &dominators)
      : loop_(loop), memory_(*array.memory), size_(size), dominators_(dominators) {
    const Accesses all(memory_);
    setsSome_ = llvm::any_of(all.copies, [&](llvm::Instruction *copy) { return loop.contains(copy); });
    for (llvm::Instruction *access : all.accesses) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(access);
      if (!loop.contains(access)) continue;
      setsSome_ |= !load;
      if (load)
        if (const auto index = indexOf(*load->getPointerOperand(), memory_, size)) reads_.push_back({load, *index});
    }
  }

  void run() {
    if (setsSome_ || !loop_.getLoopPreheader() || !loop_.getLoopLatch()) return;
    for (const auto &[load, index] : reads_) {
      // It is read in the first turn, whatever happens.
      auto *phi = llvm::dyn_cast_or_null<llvm::PHINode>(index.what);
      if (phi && phi->getParent() == loop_.getHeader() && load->getParent() == phi->getParent() && index.bits >= 32 &&
          llvm::isa<llvm::SelectInst, llvm::PHINode>(
              index.stripped(*phi->getIncomingValueForBlock(loop_.getLoopLatch())).what))
        choose(*load, index, *phi);
    }
    for (const auto &[load, index] : reads_)
      if (load->use_empty()) load->eraseFromParent();
  }

private:
  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;

  void choose(llvm::LoadInst &load, const Index &index, llvm::PHINode &phi) {
    const llvm::InstSimplifyFolder folder(load.getDataLayout());
    llvm::BasicBlock *before = loop_.getLoopPreheader(), *latch = loop_.getLoopLatch();
    Builder header(phi.getParent(), phi.getIterator(), folder);
    llvm::PHINode *chosen = header.CreatePHI(load.getType(), 2, load.getName());
    made_.clear();
    made_[&phi] = chosen;
    if (llvm::Value *next = value(index, *phi.getIncomingValueForBlock(latch), *latch->getTerminator(), load)) {
      Builder builder(before, before->getTerminator()->getIterator(), folder);
      llvm::Value *number = builder.CreateTrunc(phi.getIncomingValueForBlock(before), builder.getInt32Ty());
      number = builder.CreateMul(number, builder.getInt32(uint32_t(index.scale)));
      number =
          builder.CreateZExt(builder.CreateAdd(number, builder.getInt32(uint32_t(index.offset))), builder.getInt64Ty());
      llvm::Value *place = builder.CreateGEP(builder.getIntNTy(unsigned(8 * size_)), &memory_, number);
      chosen->addIncoming(builder.CreateAlignedLoad(load.getType(), place, load.getAlign()), before);
      chosen->addIncoming(next, latch);
      load.replaceAllUsesWith(chosen);
    } else {
      chosen->replaceAllUsesWith(llvm::PoisonValue::get(chosen->getType()));
      chosen->eraseFromParent();
    }
  }

  /// The element whose index is `number` when `at` is come to; null: it is not read in this turn.
  llvm::Value *value(const Index &base, llvm::Value &number, llvm::Instruction &at, llvm::LoadInst &load) {
    const Index index = base.stripped(number);
    if (index.scale != base.scale) return nullptr;
    if (index.offset == base.offset)
      if (llvm::Value *found = made_.lookup(index.what)) return found;
    for (const auto &[other, known] : reads_)
      if (known.what == index.what && known.scale == index.scale && known.offset == index.offset && other != &load &&
          other->getType() == load.getType() && dominators_.dominates(other, &at))
        return other;
    auto *made = llvm::dyn_cast<llvm::Instruction>(index.what);
    if (!made || !loop_.contains(made) || index.offset != base.offset) return nullptr;
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(made)) {
      llvm::Value *first = value(base, *select->getTrueValue(), *made, load);
      llvm::Value *second = first ? value(base, *select->getFalseValue(), *made, load) : nullptr;
      return second ? made_[made] = llvm::SelectInst::Create(select->getCondition(), first, second, "",
                                                             std::next(made->getIterator()))
                    : nullptr;
    }
    auto *phi = llvm::dyn_cast<llvm::PHINode>(made);
    if (!phi || phi->getParent() == loop_.getHeader()) return nullptr;
    llvm::SmallVector<llvm::Value *, 4> values;
    for (auto [one, from] : llvm::zip(phi->incoming_values(), phi->blocks())) {
      values.push_back(dominators_.dominates(phi->getParent(), from) ? nullptr
                                                                     : value(base, *one, *from->getTerminator(), load));
      if (!values.back()) return nullptr;
    }
    auto *result = llvm::PHINode::Create(load.getType(), unsigned(values.size()), "", phi->getIterator());
    for (auto [one, from] : llvm::zip(values, phi->blocks())) result->addIncoming(one, from);
    return made_[made] = result;
  }

  llvm::Loop &loop_;
  llvm::Value &memory_;
  const uint64_t size_;
  const llvm::DominatorTree &dominators_;
  llvm::SmallVector<std::pair<llvm::LoadInst *, Index>, 8> reads_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> made_; ///< for indexes
  bool setsSome_ = false;
};

/// The elements of a fill, or of a copy's source, one by one; then where they go.
void takeApart(llvm::MemIntrinsic &copy, uint64_t size) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || length->getZExtValue() % size != 0 || length->getZExtValue() / size > kMostCopied) return;
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *type = builder.getIntNTy(unsigned(8 * size));
  const auto place = [&](llvm::Value *from, uint64_t number) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), from, number * size);
  };
  llvm::SmallVector<llvm::Value *, 16> values;
  for (uint64_t number = 0; number < length->getZExtValue() / size; ++number) {
    if (auto *moved = llvm::dyn_cast<llvm::MemTransferInst>(&copy)) {
      const llvm::Align alignment = llvm::commonAlignment(moved->getSourceAlign().valueOrOne(), number * size);
      values.push_back(builder.CreateAlignedLoad(type, place(moved->getSource(), number), alignment));
    } else {
      llvm::Value *byte = builder.CreateZExt(llvm::cast<llvm::MemSetInst>(copy).getValue(), type);
      const llvm::APInt each = llvm::APInt::getSplat(unsigned(8 * size), llvm::APInt(8, 1));
      values.push_back(builder.CreateMul(byte, llvm::ConstantInt::get(type, each)));
    }
  }
  const llvm::Align alignment = copy.getDestAlign().valueOrOne();
  for (auto [number, value] : llvm::enumerate(values))
    builder.CreateAlignedStore(value, place(copy.getDest(), number), llvm::commonAlignment(alignment, number * size));
  copy.eraseFromParent();
}

/// Those of all accesses whose index is not constant.
uint64_t comparedElements(const PrivateArray &array) {
  const uint64_t size = elementSize(*array.memory), elements = size ? array.bytes / size : 0;
  uint64_t compared = 0;
  for (llvm::Instruction *access : Accesses(*array.memory).accesses) {
    const auto index = indexOf(*llvm::getLoadStorePointerOperand(access), *array.memory, size);
    if (!index || (index->what && !llvm::isa<llvm::Constant>(index->what))) compared += elements;
  }
  return compared;
}

} // namespace

uint64_t elementSize(llvm::Value &memory) {
  uint64_t size = 0;
  for (llvm::Instruction *access : Accesses(memory).accesses) {
    const uint64_t one = access->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(access));
    if ((size && one != size) || !isSteppedBy(*llvm::getLoadStorePointerOperand(access), memory, one)) return 0;
    size = one;
  }
  return size;
}

void takeCopiesApart(llvm::ArrayRef<PrivateArray> arrays) {
  for (const PrivateArray &array : arrays) {
    const uint64_t size = elementSize(*array.memory);
    for (llvm::MemIntrinsic *copy : Accesses(*array.memory).copies) takeApart(*copy, size ? size : 1);
  }
}

void chooseWithIndex(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (const PrivateArray &array : arrays) {
    const uint64_t size = elementSize(*array.memory);
    if (size == 0 || !Accesses(*array.memory).areAll) continue;
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) Chooser(*loop, array, size, dominators).run();
  }
}

bool fitsRegisters(const PrivateArray &array) {
  const Accesses all(*array.memory);
  const uint64_t size = elementSize(*array.memory);
  return all.areAll && all.copies.empty() && size && array.bytes % size == 0 && array.bytes / size <= kMostElements;
}

llvm::SmallVector<llvm::Instruction *, 32> accessesIn(const PrivateArray &array) {
  Accesses all(*array.memory);
  if (!all.areAll) all.accesses.clear();
  return std::move(all.accesses);
}

bool hasConstantPlaces(const PrivateArray &array) { return comparedElements(array) == 0; }

bool unrollOverArrays(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays,
                      llvm::FunctionAnalysisManager &manager) {
  llvm::FunctionPassManager shape;
  shape.addPass(llvm::LoopSimplifyPass());
  shape.addPass(llvm::LCSSAPass());
  manager.invalidate(function, shape.run(function, manager));
  bool isDone = Unroller(function, arrays, manager).run();
  for (const PrivateArray &array : arrays) isDone &= comparedElements(array) <= kMostCompared;
  manager.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::EarlyCSEPass());
  clean.addPass(llvm::SimplifyCFGPass());
  manager.invalidate(function, clean.run(function, manager));
  return isDone;
}

void putInRegisters(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays,
                    llvm::FunctionAnalysisManager &manager) {
  Registers registers(function);
  for (const PrivateArray &array : arrays) registers.add(array);
  registers.run();
  manager.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::FunctionPassManager clean;
  clean.addPass(llvm::ScalarizerPass());
  clean.addPass(llvm::ADCEPass());
  clean.addPass(combineInstructions());
  clean.addPass(llvm::EarlyCSEPass());
  clean.addPass(llvm::SimplifyCFGPass());
  clean.addPass(llvm::ADCEPass());
  clean.addPass(llvm::LowerSwitchPass());
  manager.invalidate(function, clean.run(function, manager));
}

} // namespace us::codegen
