// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/shape_for_device.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <map>

namespace us::frontend::cuda {
namespace {

using namespace llvm;

/// One function's numbers in 64 bits, each made once.
class Widening {
public:
  explicit Widening(Function &function) : function_(function) {}

  /// The sign-extended (or zero-extended) form of a 32-bit number.
  Value *wide(Value *number, bool isSigned) {
    if (auto *constant = dyn_cast<ConstantInt>(number)) {
      const APInt value = isSigned ? constant->getValue().sext(64) : constant->getValue().zext(64);
      return ConstantInt::get(number->getContext(), value);
    }
    Value *&known = made_[{number, isSigned}]; // stays where it is while others are added
    if (known) return known;
    if (auto *counter = dyn_cast<PHINode>(number); counter && isSigned)
      if (Value *made = wideCounter(*counter)) return made;
    auto *operation = dyn_cast<BinaryOperator>(number);
    // Code that nothing reaches may use itself: there is an end to depth.
    if (!operation || depth_ > 64 || isThreadId(*operation) || !keepsItsValue(*operation, isSigned))
      return known = extended(number, isSigned);
    ++depth_;
    Value *left = wide(operation->getOperand(0), isSigned);
    Value *right = wide(operation->getOperand(1), isSigned && operation->getOpcode() != Instruction::Shl);
    --depth_;
    auto *result = BinaryOperator::Create(operation->getOpcode(), left, right, operation->getName());
    result->insertAfter(operation);
    result->setDebugLoc(operation->getDebugLoc());
    result->copyIRFlags(operation);
    return known = result;
  }

private:
  /// A loop's counter that does not overflow gets a twin of 64 bits. Null: it is something else.
  Value *wideCounter(PHINode &counter) {
    if (counter.getNumIncomingValues() != 2) return nullptr;
    for (unsigned latch : {0u, 1u}) {
      auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValue(latch));
      if (!next || next->getOpcode() != Instruction::Add || !next->hasNoSignedWrap() ||
          next->getOperand(0) != &counter || next->getOperand(1) == &counter)
        continue;
      auto *twin = PHINode::Create(Type::getInt64Ty(counter.getContext()), 2, counter.getName(), counter.getIterator());
      auto *added = BinaryOperator::CreateNSWAdd(twin, twin, next->getName());
      added->insertAfter(next);
      made_[{&counter, true}] = twin;
      made_[{next, true}] = added;
      added->setOperand(1, wide(next->getOperand(1), true));
      twin->addIncoming(wide(counter.getIncomingValue(1 - latch), true), counter.getIncomingBlock(1 - latch));
      twin->addIncoming(added, counter.getIncomingBlock(latch));
      return twin;
    }
    return nullptr;
  }

  /// The last addition of a thread's id: the device knows an id that is left in one piece.
  static bool isThreadId(const BinaryOperator &operation) {
    return any_of(operation.operands(), [](const Value *operand) {
      const auto *call = dyn_cast<IntrinsicInst>(operand);
      return call && is_contained({Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                   Intrinsic::nvvm_read_ptx_sreg_tid_z},
                                  call->getIntrinsicID());
    });
  }

  /// Whether the operation on extended operands gives the extended result.
  static bool keepsItsValue(const BinaryOperator &operation, bool isSigned) {
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return isSigned ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
    case Instruction::Or:
      return cast<PossiblyDisjointInst>(operation).isDisjoint();
    default:
      return false;
    }
  }

  Value *extended(Value *number, bool isSigned) {
    auto *instruction = dyn_cast<Instruction>(number);
    BasicBlock::iterator place = function_.getEntryBlock().getFirstInsertionPt();
    if (instruction) {
      const std::optional<BasicBlock::iterator> behind = instruction->getInsertionPointAfterDef();
      place = *behind; // numbers are not made by invoke or callbr
    }
    IRBuilder<> builder(place->getParent(), place);
    Type *type = Type::getInt64Ty(number->getContext());
    return isSigned ? builder.CreateSExt(number, type) : builder.CreateZExt(number, type);
  }

  Function &function_;
  unsigned depth_ = 0;
  std::map<std::pair<Value *, bool>, Value *> made_;
};

struct WidenIndices : PassInfoMixin<WidenIndices> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    std::vector<WeakVH> indices; // one that is deleted may take others with it
    for (Instruction &instruction : instructions(function)) {
      auto *cast = dyn_cast<CastInst>(&instruction);
      if (!cast || !(isa<SExtInst>(cast) || isa<ZExtInst>(cast)) || !cast->getType()->isIntegerTy(64) ||
          !cast->getSrcTy()->isIntegerTy(32) || isa<Constant>(cast->getOperand(0)))
        continue;
      if (any_of(cast->users(), [](const User *user) { return isa<GetElementPtrInst>(user); }) ||
          isa<PHINode>(cast->getOperand(0)))
        indices.push_back(cast);
    }
    Widening widening(function);
    bool changed = false;
    for (const WeakVH &index : indices) {
      auto *cast = llvm::cast<CastInst>(static_cast<Value *>(index));
      const bool isSigned = isa<SExtInst>(cast) || cast->hasNonNeg();
      Value *result = widening.wide(cast->getOperand(0), isSigned);
      if (isa<CastInst>(result) || isa<Constant>(result)) continue; // nothing could be said
      cast->replaceAllUsesWith(result);
      changed = true;
    }
    for (const WeakVH &index : indices)
      if (Value *cast = index; cast && cast->use_empty()) RecursivelyDeleteTriviallyDeadInstructions(cast);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

bool isBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || !call->getCalledFunction()) return false;
  const StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("llvm.nvvm.barrier") || name.starts_with("llvm.nvvm.bar.sync");
}

/// Of a loop with barriers, if its source asks for copies. More than these take the device minutes to compile.
constexpr uint64_t kMostUnrolled = 4096; ///< instructions

struct KeepBarrierLoops : PassInfoMixin<KeepBarrierLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &known, LPMUpdater &) {
    const TransformationMode wish = hasUnrollTransformation(&loop);
    const bool isWished = wish == TM_ForcedByUser;
    if (wish != TM_Unspecified && !isWished) return PreservedAnalyses::all();
    bool waits = false;
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks()) {
      size += block->size();
      waits |= any_of(*block, isBarrier);
    }
    if (waits && (!isWished || size * known.SE.getSmallConstantTripCount(&loop) > kMostUnrolled))
      loop.setLoopAlreadyUnrolled();
    return PreservedAnalyses::all();
  }
};

/// LLVM 19 takes each load of 16 bytes for one that is aligned, also of an address at which nothing of 16 bytes can be.
class SplitLoads : public PassInfoMixin<SplitLoads> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    SmallVector<LoadInst *, 8> loads;
    for (Instruction &instruction : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && isOfBytes(*load->getType()) && load->getAlign() < kBytes)
        loads.push_back(load);
    for (LoadInst *load : loads) split(*load);
    return loads.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  static constexpr unsigned kBytes = 16;

  static bool isOfBytes(const Type &type) {
    const auto *vector = dyn_cast<FixedVectorType>(&type);
    return vector && vector->getNumElements() == kBytes && vector->getElementType()->isIntegerTy(8);
  }

  /// Into the widest words that are aligned.
  static void split(LoadInst &load) {
    IRBuilder<> builder(&load);
    const unsigned bytes = unsigned(load.getAlign().value()), words = kBytes / bytes;
    Type *word = builder.getIntNTy(8 * bytes);
    Value *all = PoisonValue::get(FixedVectorType::get(word, words));
    for (unsigned i = 0; i < words; ++i) {
      Value *place =
          i ? builder.CreateConstInBoundsGEP1_64(word, load.getPointerOperand(), i) : load.getPointerOperand();
      all = builder.CreateInsertElement(all, builder.CreateAlignedLoad(word, place, load.getAlign(), load.isVolatile()),
                                        i);
    }
    load.replaceAllUsesWith(builder.CreateBitCast(all, load.getType()));
    load.eraseFromParent();
  }
};

} // namespace

void shapeForDevice(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(KeepBarrierLoops()); });
  // Before sums are reassociated, which forgets that they do not overflow; and once more what became of narrower ones.
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(WidenIndices()); });
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) passes.addPass(createModuleToFunctionPassAdaptor(WidenIndices()));
    passes.addPass(createModuleToFunctionPassAdaptor(SplitLoads()));
  });
}

} // namespace us::frontend::cuda
