// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/lane_function.h"

#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/step_together.h"
#include "emulator/codegen/vectorize/wide_calls.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

namespace us::codegen {
namespace {

/// What the uniformity analysis asks a target: which values differ.
class Lanes : public llvm::TargetTransformInfoImplCRTPBase<Lanes> {
public:
  Lanes(const llvm::DataLayout &layout, const LaneFunction &lanes)
      : TargetTransformInfoImplCRTPBase(layout), lanes_(lanes) {}
  bool hasBranchDivergence(const llvm::Function * = nullptr) const { return true; }
  bool isAlwaysUniform(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && (isOfSubGroup(*instruction) || ofLanes(*instruction) != OfLanes::Nothing ||
                           lanes_.isTakenForSame(*instruction));
  }
  bool isSourceOfDivergence(const llvm::Value *value) const {
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      return (lanes_.isCollected(*argument) && !lanes_.collected(*argument).isSet) ||
             (lanes_.isInduction(*argument) && lanes_.inductions()[argument->getArgNo()].step != 0);
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return false;
    if (instruction->isAtomic() || lanes_.isChosenApart(*instruction) || isOfAllLanes(*instruction)) return true;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return load->isVolatile() || lanes_.privateMemory(const_cast<llvm::Value *>(load->getPointerOperand()));
    auto *call = llvm::dyn_cast<llvm::CallBase>(instruction);
    return call && !call->doesNotAccessMemory() && !isOfSubGroup(*call);
  }

private:
  const LaneFunction &lanes_;
};

} // namespace

namespace {

/// Whether all that is done with a number is to set bits in it, and to choose among such numbers by control flow.
bool onlyCollects(llvm::PHINode &phi, const llvm::Loop &loop) {
  if (!phi.getType()->isIntegerTy()) return false;
  auto *last = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!last || !loop.contains(last) || last == &phi) return false;
  llvm::SmallPtrSet<llvm::Value *, 8> numbers{&phi};
  llvm::SmallVector<llvm::Instruction *, 8> open{&phi}, chosen;
  while (!open.empty()) {
    llvm::Instruction *number = open.pop_back_val();
    for (llvm::User *user : number->users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction == &phi) continue;
      if (!loop.contains(instruction)) {
        if (number != last) return false;
        continue;
      }
      const bool isChoice = llvm::isa<llvm::PHINode>(instruction);
      if (!isChoice && instruction->getOpcode() != llvm::Instruction::Or) return false;
      if (!numbers.insert(instruction).second) continue;
      if (isChoice) chosen.push_back(instruction);
      open.push_back(instruction);
    }
  }
  for (llvm::Value *number : numbers) {
    auto *instruction = llvm::cast<llvm::Instruction>(number);
    if (instruction->getOpcode() == llvm::Instruction::Or && numbers.contains(instruction->getOperand(0)) &&
        numbers.contains(instruction->getOperand(1)))
      return false;
  }
  return numbers.contains(last) && llvm::all_of(chosen, [&](llvm::Instruction *choice) {
           return llvm::all_of(choice->operands(), [&](llvm::Value *value) { return numbers.contains(value); });
         });
}

/// A vector as a number, or a number as a vector; null: it is neither.
llvm::Value *bitsBetween(llvm::IRBuilder<> &builder, llvm::Value *from, llvm::Type *to) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(from->getType()->isVectorTy() ? from->getType() : to);
  if (!vector || (from->getType()->isVectorTy() && to->isVectorTy())) return nullptr;
  const unsigned bits = vector->getScalarSizeInBits(), all = unsigned(vector->getPrimitiveSizeInBits());
  if (all > 64) return nullptr;
  llvm::Type *number = builder.getIntNTy(all), *part = builder.getIntNTy(bits);
  if (from->getType()->isVectorTy()) {
    llvm::Value *sum = nullptr;
    for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
      llvm::Value *one = builder.CreateBitCast(builder.CreateExtractElement(from, lane), part);
      one = builder.CreateZExt(one, number);
      sum = lane == 0 ? one : builder.CreateOr(sum, builder.CreateShl(one, lane * bits));
    }
    return builder.CreateBitCast(sum, to);
  }
  from = builder.CreateBitCast(from, number);
  llvm::Value *made = llvm::PoisonValue::get(vector);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    llvm::Value *one = builder.CreateTrunc(lane == 0 ? from : builder.CreateLShr(from, lane * bits), part);
    made = builder.CreateInsertElement(made, builder.CreateBitCast(one, vector->getElementType()), lane);
  }
  return made;
}

/// Whether each work-item sets it, in a loop that goes on to the end of the last sub-group: what is not set there is
/// that of turns without a work-item. Values that a whole work-group shares are such.
bool isSetByAll(llvm::PHINode &phi, const llvm::Loop &loop) {
  auto *last = llvm::dyn_cast<llvm::PHINode>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!waitsForSubGroup(loop) || !last || last->getParent() != loop.getLoopLatch() || !phi.hasOneUse()) return false;
  return phi.user_back() == last && last->getBasicBlockIndex(loop.getHeader()) >= 0 &&
         last->getIncomingValueForBlock(loop.getHeader()) == &phi;
}

/// Whether the memory's address was made a number or put elsewhere before the loop. Each lane's memory is at another
/// address, which that would not know.
bool goesElsewhereBefore(const llvm::Loop &loop, llvm::AllocaInst &memory) {
  llvm::SmallPtrSet<llvm::Value *, 16> seen{&memory};
  llvm::SmallVector<llvm::Value *, 16> open{&memory};
  while (!open.empty())
    for (llvm::Use &use : open.pop_back_val()->uses()) {
      auto &user = llvm::cast<llvm::Instruction>(*use.getUser());
      if (loop.contains(&user)) continue;
      if (llvm::isa<llvm::PtrToIntInst>(user) || (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 0))
        return true;
      if (user.getType()->isPointerTy() && seen.insert(&user).second) open.push_back(&user);
    }
  return false;
}

/// Whether a value from before the loop was calculated from the address of memory that each work-item has for itself.
bool isMadeOfPrivateAddress(llvm::Value &value) {
  llvm::SmallPtrSet<llvm::Value *, 16> seen{&value};
  llvm::SmallVector<llvm::Value *, 16> open{&value};
  while (!open.empty()) {
    auto *made = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!made || made->mayReadFromMemory()) continue;
    if (llvm::isa<llvm::AllocaInst>(made)) {
      if (!made->hasMetadata(kOfGroup)) return true;
      continue;
    }
    for (llvm::Value *operand : made->operands())
      if (seen.insert(operand).second) open.push_back(operand);
  }
  return false;
}

/// Counters of 32 bits of which LLVM has made ones of 64 whose upper half nobody looks at are such again: of these the
/// lanes' differ in no way that is known.
class Narrower {
public:
  explicit Narrower(llvm::Function &function)
      : function_(function), short_(llvm::Type::getInt32Ty(function.getContext())) {}

  void run() {
    llvm::SmallVector<llvm::PHINode *, 8> phis;
    for (llvm::Instruction &instruction : llvm::instructions(function_))
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction); phi && isOnlyLowHalf(*phi)) phis.push_back(phi);
    for (llvm::PHINode *phi : phis) {
      narrow_[phi] = llvm::PHINode::Create(short_, phi->getNumIncomingValues(), phi->getName(), phi->getIterator());
      old_.push_back(phi);
    }
    for (llvm::PHINode *phi : phis)
      for (auto [value, from] : llvm::zip(phi->incoming_values(), phi->blocks()))
        llvm::cast<llvm::PHINode>(narrow_[phi])->addIncoming(narrow(*value, *from->getTerminator()), from);
    for (llvm::Instruction *instruction : llvm::to_vector(llvm::make_pointer_range(llvm::instructions(function_)))) {
      llvm::IRBuilder<> builder(instruction);
      llvm::Value *of = instruction->getNumOperands() ? instruction->getOperand(0) : nullptr, *made = nullptr;
      if (const std::optional<unsigned> shift = signedHalf(*instruction, of); shift && narrow_.contains(of))
        made = builder.CreateShl(builder.CreateSExt(narrow_.lookup(of), instruction->getType()), *shift);
      else if (isLowHalf(*instruction) && narrow_.contains(of))
        made = builder.CreateZExt(narrow_.lookup(of), instruction->getType());
      if (!made) continue;
      instruction->replaceAllUsesWith(made);
      old_.push_back(instruction);
    }
    for (llvm::WeakTrackingVH &value : old_)
      if (auto *phi = llvm::dyn_cast_or_null<llvm::PHINode>(value)) llvm::RecursivelyDeleteDeadPHINode(phi);
    llvm::SmallVector<llvm::WeakTrackingVH, 8> dead;
    for (llvm::WeakTrackingVH &value : old_)
      if (value && llvm::isInstructionTriviallyDead(llvm::cast<llvm::Instruction>(value))) dead.push_back(value);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);
  }

private:
  bool isLowHalf(const llvm::Instruction &user) const {
    using namespace llvm::PatternMatch;
    return (llvm::isa<llvm::TruncInst>(user) && user.getType() == short_) ||
           match(&user, m_And(m_Value(), m_SpecificInt(0xffffffff)));
  }

  /// The lower half made longer with its sign, and shifted by so much.
  static std::optional<unsigned> signedHalf(llvm::Instruction &user, llvm::Value *&of) {
    using namespace llvm::PatternMatch;
    const llvm::APInt *back;
    llvm::Value *half;
    if (!user.getType()->isIntegerTy(64) ||
        !match(&user, m_AShr(m_Shl(m_Value(half), m_SpecificInt(32)), m_APInt(back))))
      return std::nullopt;
    if (back->ugt(32) || back->ult(16)) return std::nullopt;
    of = half;
    return 32 - unsigned(back->getZExtValue());
  }

  bool isOnlyLowHalf(const llvm::PHINode &phi) const {
    return phi.getType()->isIntegerTy(64) && !phi.use_empty() && llvm::all_of(phi.users(), [&](const llvm::User *user) {
             llvm::Value *of = nullptr;
             const auto *shifted = llvm::dyn_cast<llvm::ShlOperator>(user);
             return isLowHalf(*llvm::cast<llvm::Instruction>(user)) ||
                    (shifted && llvm::all_of(shifted->users(), [&](const llvm::User *one) {
                       auto &instruction = *const_cast<llvm::Instruction *>(llvm::cast<llvm::Instruction>(one));
                       return signedHalf(instruction, of) && of == &phi;
                     }));
           });
  }

  llvm::Value *narrow(llvm::Value &value, llvm::Instruction &before, unsigned depth = 0) {
    using namespace llvm::PatternMatch;
    llvm::Value *within;
    if (llvm::Value *made = narrow_.lookup(&value)) return made;
    if (match(&value, m_ZExtOrSExt(m_Value(within))) && within->getType() == short_) return within;
    if (match(&value, m_And(m_Value(within), m_SpecificInt(0xffffffff))) ||
        match(&value, m_AShr(m_Shl(m_Value(within), m_SpecificInt(32)), m_SpecificInt(32))))
      return narrow(*within, before, depth);
    llvm::IRBuilder<> builder(&before);
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (!sum || depth > 2 || (sum->getOpcode() != llvm::Instruction::Add && sum->getOpcode() != llvm::Instruction::Sub))
      return builder.CreateTrunc(&value, short_);
    builder.SetInsertPoint(sum);
    llvm::Value *left = narrow(*sum->getOperand(0), *sum, depth + 1);
    llvm::Value *right = narrow(*sum->getOperand(1), *sum, depth + 1);
    return narrow_[sum] = builder.CreateBinOp(sum->getOpcode(), left, right);
  }

  llvm::Function &function_;
  llvm::Type *short_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> narrow_;
  llvm::SmallVector<llvm::WeakTrackingVH, 8> old_;
};

} // namespace

bool waitsForSubGroup(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) { return llvm::any_of(*block, isOfSubGroup); });
}

LaneFunction::LaneFunction(llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::FunctionAnalysisManager &manager,
                           Vectors vectors)
    : manager_(manager), vectors_(vectors) {
  llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch || !loop.getUniqueExitBlock()) {
    obstacle_ = "work-items may end the loop";
    return;
  }
  findInductions(loop, evolution);
  if (!obstacle_.empty()) return;
  clone(loop);
  if (obstacle_.empty()) makeCanonical(manager, vectors);
}

LaneFunction::~LaneFunction() {
  uniformity_.reset();
  if (!function_) return;
  llvm::Function *marker = marker_ ? marker_->getCalledFunction() : nullptr;
  llvm::Module &module = *function_->getParent();
  manager_.clear(*function_, function_->getName()); // the next one may have its address
  function_->eraseFromParent();
  if (marker) marker->eraseFromParent();
  dropLaneFunctions(module);
}

void LaneFunction::findInductions(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  for (llvm::PHINode &phi : loop.getHeader()->phis()) {
    const llvm::SCEV *what = evolution.isSCEVable(phi.getType()) ? evolution.getSCEV(&phi) : nullptr;
    auto *recurrence = llvm::dyn_cast_or_null<llvm::SCEVAddRecExpr>(what);
    auto *step = recurrence && recurrence->getLoop() == &loop && recurrence->isAffine()
                     ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))
                     : nullptr;
    const bool isSet = !step && isSetByAll(phi, loop);
    if (isSet || (!step && onlyCollects(phi, loop))) {
      collected_.push_back({&phi, isSet, 0});
      continue;
    }
    if (!step || step->getAPInt().getSignificantBits() > 32) {
      obstacle_ = "a value goes from one work-item to the next";
      return;
    }
    inductions_.push_back({&phi, step->getAPInt().getSExtValue(), recurrence->hasNoSignedWrap(),
                           recurrence->hasNoUnsignedWrap(), evolution.getMinTrailingZeros(recurrence->getStart()),
                           evolution.getUnsignedRangeMax(recurrence).getLimitedValue()});
  }
}

void LaneFunction::clone(llvm::Loop &loop) {
  llvm::Function &whole = *loop.getHeader()->getParent();
  llvm::LLVMContext &context = whole.getContext();
  for (const Induction &induction : inductions_) outer_.push_back(induction.phi);
  for (const Collected &one : collected_) outer_.push_back(one.phi);
  llvm::SmallPtrSet<llvm::Value *, 32> seen(outer_.begin(), outer_.end());
  // A place in private memory that was calculated before the loop is calculated again: each lane has its own.
  llvm::SmallVector<llvm::Instruction *, 8> places;
  const auto import = [&](auto &self, llvm::Value *value) -> void {
    auto *made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!(llvm::isa<llvm::Argument>(value) || (made && !loop.contains(made))) || !seen.insert(value).second) return;
    if (value->getType()->isPointerTy() && !llvm::isa<llvm::AllocaInst>(value)) {
      llvm::SmallVector<const llvm::Value *, 4> objects;
      llvm::getUnderlyingObjects(value, objects, nullptr, 0);
      const auto isPrivate = [](const llvm::Value *object) {
        auto *memory = llvm::dyn_cast<llvm::AllocaInst>(object);
        return memory && !memory->hasMetadata(kOfGroup);
      };
      if (llvm::any_of(objects, isPrivate)) {
        if (!llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(value)) {
          obstacle_ = "a pointer to private memory was chosen before";
          return;
        }
        for (llvm::Value *operand : made->operands()) self(self, operand);
        places.push_back(made);
        return;
      }
    }
    outer_.push_back(value);
  };
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      for (llvm::Value *operand : instruction.operands()) import(import, operand);
      if (llvm::any_of(instruction.users(),
                       [&](llvm::User *user) { return !loop.contains(llvm::cast<llvm::Instruction>(user)); }))
        results_.push_back(&instruction);
    }
  for (Collected &one : collected_) {
    auto *last = llvm::cast<llvm::Instruction>(one.phi->getIncomingValueForBlock(loop.getLoopLatch()));
    if (!llvm::is_contained(results_, last)) results_.push_back(last);
    one.result = unsigned(llvm::find(results_, last) - results_.begin());
  }
  llvm::SmallVector<llvm::Type *, 16> types;
  for (llvm::Value *value : outer_) types.push_back(value->getType());
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  function_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, "lane", whole.getParent());
  llvm::ValueToValueMapTy map;
  for (auto [value, argument] : llvm::zip(outer_, function_->args())) map[value] = &argument;
  auto *entry = llvm::BasicBlock::Create(context, "entry", function_);
  for (llvm::Instruction *place : places) {
    llvm::Instruction *copy = place->clone();
    copy->insertInto(entry, entry->end());
    llvm::RemapInstruction(copy, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    map[place] = copy;
  }
  for (llvm::BasicBlock *block : loop.blocks()) {
    auto *made = llvm::BasicBlock::Create(context, block->getName(), function_);
    map[block] = made;
    for (llvm::Instruction &instruction : *block) {
      if (block == loop.getHeader() && llvm::isa<llvm::PHINode>(instruction)) continue;
      llvm::Instruction *copy = instruction.clone();
      copy->setName(instruction.getName());
      copy->insertInto(made, made->end());
      map[&instruction] = copy;
    }
  }
  llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(map[loop.getHeader()]), entry);
  auto *latch = llvm::cast<llvm::BasicBlock>(map[loop.getLoopLatch()]);
  for (llvm::BasicBlock &block : *function_)
    for (llvm::Instruction &instruction : block)
      if (&instruction != latch->getTerminator() && &block != entry)
        llvm::RemapInstruction(&instruction, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  latch->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(latch);
  // The last turn's values stay alive: something of which nothing is known reads them.
  llvm::SmallVector<llvm::Value *, 2> values;
  llvm::SmallVector<llvm::Type *, 2> kinds;
  for (llvm::Instruction *result : results_) {
    llvm::Value *value = map[result];
    values.push_back(value);
    kinds.push_back(value->getType());
  }
  auto *marks = llvm::FunctionType::get(llvm::Type::getVoidTy(context), kinds, false);
  marker_ = builder.CreateCall(
      llvm::Function::Create(marks, llvm::Function::ExternalLinkage, "lane.results", whole.getParent()), values);
  builder.CreateRetVoid();
  for (llvm::Argument &argument : function_->args()) {
    auto *memory = llvm::dyn_cast<llvm::AllocaInst>(outer(argument));
    if (memory && !memory->hasMetadata(kPrivate) && !memory->hasMetadata(kOfGroup))
      obstacle_ = "it is not known whose memory '" + memory->getName().str() + "' is";
    if (memory ? memory->hasMetadata(kPrivate) && goesElsewhereBefore(loop, *memory)
               : isMadeOfPrivateAddress(*outer(argument)))
      obstacle_ = "the address of private memory was made a number or stored before";
  }
}

/// Truth values, and vectors of them, lie in memory as numbers of whole bytes.
bool isTruth(llvm::Type &type) {
  return type.isIntOrIntVectorTy() && type.getScalarSizeInBits() % 8 != 0 &&
         type.getPrimitiveSizeInBits().getFixedValue() <= 64;
}

/// A vector of short elements that lies in memory as one number does: there it is loaded and stored at once, which is
/// one element of a gather or a scatter instead of several.
bool liesAsNumber(llvm::Type &type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || vector->getScalarSizeInBits() < 8 || vector->getScalarSizeInBits() > 16) return false;
  const uint64_t bits = vector->getPrimitiveSizeInBits().getFixedValue();
  return bits <= 64 && llvm::isPowerOf2_64(bits);
}

/// Truth values lie in memory as bytes, and a vector that is looked at as one number is put together by shifts: what is
/// left are elements.
void LaneFunction::takeApart(Vectors vectors) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(*function_))) {
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction), *made = nullptr;
    llvm::Type *const accessed = pointer ? llvm::getLoadStoreType(&instruction) : nullptr;
    const bool isJoined = accessed && vectors == Vectors::Split && !instruction.isAtomic() && liesAsNumber(*accessed) &&
                          !privateMemory(pointer);
    if (isJoined || (accessed && isTruth(*accessed))) {
      const auto bits = unsigned(accessed->getPrimitiveSizeInBits().getFixedValue());
      llvm::Type *number = builder.getIntNTy(bits), *bytes = builder.getIntNTy(unsigned(llvm::alignTo(bits, 8)));
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        llvm::Value *value = store->getValueOperand();
        // A number is not known if one of its parts is not, and one that nobody reads may be such.
        if (accessed->isVectorTy()) value = bitsBetween(builder, builder.CreateFreeze(value), number);
        store->setOperand(0, builder.CreateZExt(value, bytes));
      } else {
        llvm::Instruction *whole = instruction.clone();
        whole->mutateType(bytes);
        whole->setMetadata(llvm::LLVMContext::MD_range, nullptr);
        builder.Insert(whole);
        made = builder.CreateTrunc(whole, number);
        if (accessed->isVectorTy()) made = bitsBetween(builder, made, accessed);
      }
    } else if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction); cast && vectors == Vectors::Split) {
      made = bitsBetween(builder, cast->getOperand(0), cast->getType());
    }
    if (!made) continue;
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }
}

llvm::SmallVector<PrivateArray, 4> LaneFunction::arrays() const {
  llvm::SmallVector<PrivateArray, 4> found;
  for (llvm::Argument &argument : function_->args()) {
    if (privateMemory(&argument) != &argument) continue;
    auto *memory = llvm::cast<llvm::AllocaInst>(outer(argument));
    if (const auto size = memory->getAllocationSize(function_->getDataLayout()))
      found.push_back({&argument, size->getFixedValue()});
  }
  return found;
}

llvm::SmallVector<llvm::Value *, 4> LaneFunction::arraysForRegisters() const {
  llvm::SmallVector<llvm::Value *, 4> memories;
  const auto divergent = divergentBlocks();
  const auto isApart = [&](llvm::Instruction *access) {
    return isDivergent(*llvm::getLoadStorePointerOperand(access)) ||
           (llvm::isa<llvm::StoreInst>(access) && divergent.contains(access->getParent()));
  };
  for (const PrivateArray &array : arrays())
    if (fitsRegisters(array) && llvm::any_of(accessesIn(array), isApart))
      memories.push_back(outer(*llvm::cast<llvm::Argument>(array.memory)));
  return memories;
}

bool LaneFunction::unrollOverArrays(llvm::ArrayRef<llvm::Value *> memories, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<PrivateArray, 4> chosen = arrays();
  llvm::erase_if(chosen, [&](const PrivateArray &array) {
    return !llvm::is_contained(memories, outer(*llvm::cast<llvm::Argument>(array.memory)));
  });
  if (!codegen::unrollOverArrays(*function_, chosen, manager)) return false;
  analyze(manager);
  return obstacle_.empty();
}

void LaneFunction::putArraysInRegisters(llvm::ArrayRef<llvm::Value *> memories,
                                        llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<PrivateArray, 4> chosen = arrays();
  llvm::erase_if(chosen, [&](const PrivateArray &array) {
    return !llvm::is_contained(memories, outer(*llvm::cast<llvm::Argument>(array.memory))) &&
           !(fitsRegisters(array) && hasConstantPlaces(array));
  });
  putInRegisters(*function_, chosen, manager);
  analyze(manager);
}

void LaneFunction::stepTogether(llvm::FunctionAnalysisManager &manager) {
  stepsTogether_ = codegen::stepTogether(
      *loops_, [&](llvm::Value *pointer) { return privateMemory(pointer) != nullptr; },
      [&](llvm::Value *value) { return isDivergent(*value); });
  if (stepsTogether_) analyze(manager);
}

void LaneFunction::makeCanonical(llvm::FunctionAnalysisManager &manager, Vectors vectors) {
  takeCopiesApart(arrays());
  takeApart(vectors);
  Narrower(*function_).run();
  llvm::ScalarizerPassOptions everything;
  everything.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  if (vectors == Vectors::Split) passes.addPass(llvm::ScalarizerPass(everything));
  passes.addPass(llvm::DCEPass());
  passes.addPass(llvm::LowerSwitchPass());
  passes.run(*function_, manager);
  chooseWithIndex(*function_, arrays());
  analyze(manager);
}

/// What is known of the function, whatever was before.
void LaneFunction::analyze(llvm::FunctionAnalysisManager &manager) {
  manager.clear(*function_, function_->getName());
  chosenApart_.clear();
  takenForSame_.clear();
  order_.clear();
  llvm::removeUnreachableBlocks(*function_);
  dominators_ = std::make_unique<llvm::DominatorTree>(*function_);
  loops_ = std::make_unique<llvm::LoopInfo>(*dominators_);
  llvm::AssumptionCache assumptions(*function_);
  const llvm::SmallVector<llvm::Loop *, 8> tops(loops_->begin(), loops_->end());
  for (llvm::Loop *top : tops)
    llvm::simplifyLoop(top, dominators_.get(), loops_.get(), nullptr, &assumptions, nullptr, false);
  for (llvm::Loop *top : *loops_) llvm::formLCSSARecursively(*top, *dominators_, loops_.get(), nullptr);
  dominators_->recalculate(*function_);
  loops_->releaseMemory();
  loops_->analyze(*dominators_);
  cycles_ = std::make_unique<llvm::CycleInfo>();
  cycles_->compute(*function_);
  for (llvm::BasicBlock &block : *function_) {
    llvm::Instruction *end = block.getTerminator();
    if (llvm::isa<llvm::ReturnInst>(end)) {
      if (end->getPrevNode() != marker_) obstacle_ = "there are several ends";
    } else if (!llvm::isa<llvm::BranchInst>(end)) {
      obstacle_ = "control goes by " + std::string(end->getOpcodeName());
    }
    for (auto *cycle = cycles_->getCycle(&block); cycle; cycle = cycle->getParentCycle())
      if (!cycle->isReducible()) obstacle_ = "a loop has several entries";
  }
  for (llvm::Loop *loop : loops_->getLoopsInPreorder())
    if (!loop->isLoopSimplifyForm() || loop->hasNoExitBlocks()) obstacle_ = "a loop never ends";
  if (!obstacle_.empty()) return;
  meetings_ = std::make_unique<Meetings>(*function_);
  findDivergence();
  putInOrder(function_->getEntryBlock(), nullptr);
}

void LaneFunction::findDivergence() {
  const llvm::TargetTransformInfo target(Lanes(function_->getDataLayout(), *this)); // asked while computing only
  chosenApart_.clear();
  uniformity_ = std::make_unique<llvm::UniformityInfo>(
      uniformityOf(*function_, *dominators_, *cycles_, target, *meetings_, NothingIs::TheSame, chosenApart_));
}

void LaneFunction::takeForSame(llvm::ArrayRef<const llvm::Instruction *> values) {
  if (values.empty() && takenForSame_.empty()) return;
  takenForSame_.clear();
  takenForSame_.insert(values.begin(), values.end());
  findDivergence();
}

const Collected &LaneFunction::collected(const llvm::Argument &argument) const {
  return collected_[argument.getArgNo() - inductions_.size()];
}

llvm::Value *LaneFunction::result(unsigned number) const { return marker_->getArgOperand(number); }

llvm::SmallPtrSet<const llvm::BasicBlock *, 16> LaneFunction::divergentBlocks() const {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> divergent;
  for (llvm::BasicBlock &block : *function_) {
    if (!hasDivergentBranch(block)) continue;
    for (llvm::BasicBlock *apart : blocksApart(block, *meetings_)) divergent.insert(apart);
  }
  return divergent;
}

llvm::Argument *LaneFunction::privateMemory(llvm::Value *pointer) const {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  for (const llvm::Value *object : objects)
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(object))
      if (auto *memory = llvm::dyn_cast<llvm::AllocaInst>(outer(*argument)); memory && memory->hasMetadata(kPrivate))
        return const_cast<llvm::Argument *>(argument);
  return nullptr;
}

void LaneFunction::putInOrder(llvm::BasicBlock &first, llvm::Loop *loop) {
  llvm::DenseMap<llvm::BasicBlock *, unsigned> position;
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(function_))
    position.insert({block, unsigned(position.size())});
  const auto visit = [&](auto &self, llvm::BasicBlock &block, llvm::Loop *around) -> void {
    llvm::Loop *inner = loops_->getLoopFor(&block);
    const bool isHeader = inner && inner != around && inner->getHeader() == &block;
    llvm::SmallVector<llvm::BasicBlock *, 8> next;
    const auto addChildren = [&](llvm::BasicBlock &of) {
      for (auto *child : *dominators_->getNode(&of)) {
        llvm::BasicBlock *candidate = child->getBlock();
        if (isHeader && inner->contains(candidate)) continue;
        if (around && !around->contains(candidate)) continue;
        next.push_back(candidate);
      }
    };
    if (isHeader) {
      self(self, block, inner);
      for (llvm::BasicBlock *member : inner->blocks()) addChildren(*member);
    } else {
      order_.push_back(&block);
      addChildren(block);
    }
    llvm::sort(next, [&](llvm::BasicBlock *a, llvm::BasicBlock *b) { return position[a] < position[b]; });
    for (llvm::BasicBlock *child : next) self(self, *child, around);
  };
  visit(visit, first, loop);
}

} // namespace us::codegen
