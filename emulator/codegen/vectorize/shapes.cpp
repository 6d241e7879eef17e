// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/shapes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace us::codegen {
namespace {

constexpr Shape kVarying{Shape::Varying};
constexpr Shape kUniform{Shape::Uniform, true, true, 0, 0};
/// Longer strides are not worth the care that their products take.
constexpr int64_t kLongest = int64_t(1) << 40;
constexpr unsigned kMostZeros = 16;
/// What is likely to lie apart by more than components do is not worth asking about.
constexpr int64_t kLongestGuess = 16;
constexpr unsigned kMostRoots = 2;

Shape affineBy(int64_t stride, bool isSigned, bool isUnsigned, unsigned zeros = 0) {
  if (stride > kLongest || stride < -kLongest) return kVarying;
  if (stride == 0) return kUniform;
  return {Shape::Affine, isSigned, isUnsigned, uint8_t(std::min(zeros, kMostZeros)), stride};
}

/// Of integers, that nobody need have asked for.
bool isCalculation(const llvm::Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy()) return false;
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return !operation->isIntDivRem();
  return llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::ICmpInst, llvm::SelectInst,
                   llvm::MinMaxIntrinsic>(instruction);
}

bool isNumber(const llvm::Type &type) { return type.isIntegerTy() && type.getIntegerBitWidth() >= 8; }

} // namespace

Shapes::Shapes(LaneFunction &lanes, unsigned width) : lanes_(lanes), width_(width) {
  for (llvm::Argument &argument : lanes.function().args()) {
    if (lanes.isCollected(argument) && !lanes.collected(argument).isSet) shapes_[&argument] = kVarying;
    if (!lanes.isInduction(argument)) continue;
    const Induction &induction = lanes.inductions()[argument.getArgNo()];
    shapes_[&argument] =
        induction.step == 0 ? kUniform
        : argument.getType()->isPointerTy() || isNumber(*argument.getType())
            ? affineBy(induction.step, induction.isSigned, induction.isUnsigned,
                       width ? std::min(induction.zeros, unsigned(llvm::countr_zero(uint64_t(induction.step) * width)))
                             : 0)
            : kVarying;
  }
  // What is not known yet is left out, until nothing changes: a loop's phi is at first what it begins with.
  for (bool changes = true; changes;) {
    changes = false;
    for (llvm::BasicBlock *block : lanes.order())
      for (llvm::Instruction &instruction : *block) {
        if (instruction.getType()->isVoidTy()) continue;
        std::optional<Shape> shape;
        if (!lanes.isDivergent(instruction))
          shape = kUniform;
        else
          shape = affine(instruction);
        if (!shape) continue;
        const auto found = shapes_.find(&instruction);
        if (found != shapes_.end() && found->second == *shape) continue;
        if (found != shapes_.end() && !found->second.isVarying()) {
          // It may lose, never gain.
          const Shape old = found->second;
          if (shape->kind != old.kind || shape->stride != old.stride) shape = kVarying;
          shape->isSignedExact &= old.isSignedExact;
          shape->isUnsignedExact &= old.isUnsignedExact;
          shape->zeros = std::min(shape->zeros, old.zeros);
          if (old == *shape) continue;
        } else if (found != shapes_.end()) {
          continue;
        }
        shapes_[&instruction] = *shape;
        changes = true;
      }
  }
  isGuessing_ = true;
  for (llvm::BasicBlock *block : lanes.order())
    for (llvm::Instruction &instruction : *block)
      if (auto one = of(instruction).isVarying() ? guess(instruction) : std::nullopt)
        guesses_[&instruction] = std::move(*one);
}

const Guess *Shapes::guess(const llvm::Value &value) const {
  const auto found = guesses_.find(&value);
  return found == guesses_.end() ? nullptr : &found->second;
}

Shape Shapes::of(const llvm::Value &value) const {
  if (const auto found = shapes_.find(&value); found != shapes_.end()) return found->second;
  return llvm::isa<llvm::Instruction>(value) ? kVarying : kUniform;
}

std::optional<Shape> Shapes::known(llvm::Value &value) const {
  if (const Guess *likely = isGuessing_ ? guess(value) : nullptr) return likely->shape;
  if (const auto found = shapes_.find(&value); found != shapes_.end()) return found->second;
  if (llvm::isa<llvm::Instruction>(value)) return std::nullopt;
  return kUniform;
}

/// Of a value that differs; nothing: an operand is not known yet.
std::optional<Shape> Shapes::affine(llvm::Instruction &instruction) const {
  const auto first = [&]() { return known(*instruction.getOperand(0)); };
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(phi->getParent());
    const bool isHeader = loop && loop->getHeader() == phi->getParent();
    if (!isHeader) {
      // Which of several values is right may differ.
      auto *decides = lanes_.dominators().getNode(phi->getParent())->getIDom();
      if (phi->getNumIncomingValues() > 1 && (!decides || lanes_.hasDivergentBranch(*decides->getBlock())))
        return kVarying;
      // A value of a loop that work-items leave one after another.
      for (llvm::BasicBlock *from : phi->blocks()) {
        const llvm::Loop *left = lanes_.loops().getLoopFor(from);
        if (left && left != loop && !left->contains(phi->getParent())) return kVarying;
      }
      if (phi->getNumIncomingValues() > 1) return kVarying; // parts of the way may be divergent
    }
    std::optional<Shape> shape;
    for (llvm::Value *value : phi->incoming_values()) {
      const auto one = known(*value);
      if (!one) continue;
      if (!shape)
        shape = *one;
      else if (shape->kind != one->kind || shape->stride != one->stride)
        return kVarying;
      else
        shape->isSignedExact &= one->isSignedExact, shape->isUnsignedExact &= one->isUnsignedExact;
    }
    if (shape) shape->zeros = 0;
    if (shape && shape->isAffine() && isHeader) keepExact(*phi, *loop, *shape);
    return shape;
  }
  if (isCalculation(instruction)) {
    // Of what all work-items share, though its operands' operands may differ: a number without its lowest bits.
    bool areKnown = true, areShared = true;
    for (const llvm::Use &operand : instruction.operands()) {
      const std::optional<Shape> one = known(*operand);
      areKnown &= one.has_value();
      areShared &= !one || one->isUniform();
    }
    if (areShared) return areKnown ? std::optional(kUniform) : std::nullopt;
  }
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    const std::optional<Shape> number = first();
    return number ? std::optional(ofComparison(*compare, *number)) : std::nullopt;
  }
  if (!instruction.getType()->isPointerTy() && !isNumber(*instruction.getType())) return kVarying;
  if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    auto base = known(*place->getPointerOperand());
    if (!base) return std::nullopt;
    if (base->isVarying()) return kVarying;
    const llvm::DataLayout &layout = lanes_.function().getDataLayout();
    int64_t stride = base->stride;
    for (auto step = llvm::gep_type_begin(place); step != llvm::gep_type_end(place); ++step) {
      const auto index = known(*step.getOperand());
      if (!index) return std::nullopt;
      if (index->isUniform()) continue;
      if (index->isVarying() || step.isStruct()) return kVarying;
      // A shorter index is made longer with its sign.
      if (step.getOperand()->getType()->getIntegerBitWidth() < 64 && !index->isSignedExact) return kVarying;
      const uint64_t size = step.getSequentialElementStride(layout).getFixedValue();
      if (size > (1u << 20) || index->stride > INT32_MAX || index->stride < INT32_MIN) return kVarying;
      stride += index->stride * int64_t(size);
    }
    return affineBy(stride, false, false);
  }
  const auto operand = first();
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SExt:
    if (!operand) return std::nullopt;
    return operand->isAffine() && operand->isSignedExact ? affineBy(operand->stride, true, false, operand->zeros)
                                                         : kVarying;
  case llvm::Instruction::ZExt:
    if (!operand) return std::nullopt;
    if (!operand->isAffine()) return kVarying;
    if (operand->isUnsignedExact || (operand->isSignedExact && instruction.hasNonNeg()))
      return affineBy(operand->stride, true, true, operand->zeros);
    return kVarying;
  case llvm::Instruction::Trunc: {
    if (!operand) return std::nullopt;
    const auto &shorter = llvm::cast<llvm::TruncInst>(instruction);
    return operand->isAffine() ? affineBy(operand->stride, shorter.hasNoSignedWrap() && operand->isSignedExact,
                                          shorter.hasNoUnsignedWrap() && operand->isUnsignedExact, operand->zeros)
                               : kVarying;
  }
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Freeze:
    return operand;
  default:
    break;
  }
  auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (!operation) return kVarying;
  const auto second = known(*operation->getOperand(1));
  if (!operand || !second) return std::nullopt;
  if (operand->isVarying() || second->isVarying()) return kVarying;
  if (const auto shape = ofBits(*operation, *operand)) return shape;
  auto *wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(operation);
  const auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(operation);
  const bool isOr = disjoint && disjoint->isDisjoint();
  const bool isSigned =
      (isOr || (wraps && wraps->hasNoSignedWrap())) && operand->isSignedExact && second->isSignedExact;
  const bool isUnsigned =
      (isOr || (wraps && wraps->hasNoUnsignedWrap())) && operand->isUnsignedExact && second->isUnsignedExact;
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  const auto times = [&](int64_t factor) {
    if (factor > INT32_MAX || factor < INT32_MIN || operand->stride > INT32_MAX || operand->stride < INT32_MIN)
      return kVarying;
    const unsigned zeros = factor ? operand->zeros + unsigned(llvm::countr_zero(uint64_t(factor))) : 0;
    return affineBy(operand->stride * factor, isSigned, isUnsigned, zeros);
  };
  const unsigned zeros =
      std::min(this->zeros(*operation->getOperand(0), *operand), this->zeros(*operation->getOperand(1), *second));
  switch (operation->getOpcode()) {
  case llvm::Instruction::Or:
    if (!isOr) return kVarying;
    [[fallthrough]];
  case llvm::Instruction::Add:
    return affineBy(operand->stride + second->stride, isSigned, isUnsigned, zeros);
  case llvm::Instruction::Sub:
    return affineBy(operand->stride - second->stride, isSigned, isUnsigned, zeros);
  case llvm::Instruction::Mul:
    return number && number->getValue().getSignificantBits() <= 32 ? times(number->getSExtValue()) : kVarying;
  case llvm::Instruction::Shl:
    return number && number->getValue().ult(31) ? times(int64_t(1) << number->getZExtValue()) : kVarying;
  default:
    return kVarying;
  }
}

/// Of numbers that are made of a work-item's: by how much they grow from one to the next, if nothing is in their way.
/// 0: nobody knows.
int64_t Shapes::likelyStride(const llvm::Value &value, unsigned depth) const {
  constexpr unsigned kDeepest = 12;
  if (const Guess *likely = guess(value)) return likely->shape.stride;
  if (const Shape shape = of(value); !shape.isVarying()) return shape.stride;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == kDeepest) return 0;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul: // by what it was divided by before, or will be
  case llvm::Instruction::FDiv:
  case llvm::Instruction::Select:
    break;
  case llvm::Instruction::Call:
    if (!llvm::isa<llvm::IntrinsicInst>(instruction) || !instruction->getType()->isFloatingPointTy()) return 0;
    break;
  default:
    return 0;
  }
  for (const llvm::Value *operand : instruction->operand_values()) {
    if (operand->getType()->isIntegerTy(1) ||
        !(operand->getType()->isIntegerTy() || operand->getType()->isFloatingPointTy()))
      continue;
    if (const int64_t stride = likelyStride(*operand, depth + 1)) return stride;
  }
  return 0;
}

/// Of a value that differs in a way that is not known.
std::optional<Guess> Shapes::guess(llvm::Instruction &instruction) const {
  if (!instruction.getType()->isPointerTy() && !isNumber(*instruction.getType())) return std::nullopt;
  const auto asRoot = [&](int64_t stride) -> std::optional<Guess> {
    if (stride == 0 || stride > kLongestGuess || stride < -kLongestGuess) return std::nullopt;
    return Guess{affineBy(stride, false, false), {&instruction}};
  };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt: {
    llvm::Value &number = *instruction.getOperand(0);
    const Shape shape = known(number).value_or(kVarying);
    if (!shape.isAffine() || std::abs(shape.stride) > kLongestGuess || !isNumber(*number.getType()))
      return std::nullopt;
    return Guess{affineBy(shape.stride, true, true), {&number}};
  }
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
    return asRoot(likelyStride(*instruction.getOperand(0), 0));
  case llvm::Instruction::Select: // one of two limits, or what goes round
    for (llvm::Value *side : {instruction.getOperand(1), instruction.getOperand(2)})
      if (const Shape shape = known(*side).value_or(kVarying); shape.isAffine() && !side->getType()->isPointerTy())
        return asRoot(shape.stride);
    return std::nullopt;
  case llvm::Instruction::Call: {
    auto *limit = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    if (!limit) return std::nullopt;
    for (llvm::Value *side : {limit->getLHS(), limit->getRHS()})
      if (const Shape shape = known(*side).value_or(kVarying); shape.isAffine()) return asRoot(shape.stride);
    return std::nullopt;
  }
  case llvm::Instruction::And:
  case llvm::Instruction::URem: {
    const Shape shape = known(*instruction.getOperand(0)).value_or(kVarying);
    if (shape.isAffine() && of(*instruction.getOperand(1)).isUniform()) return asRoot(shape.stride);
    return std::nullopt;
  }
  case llvm::Instruction::PHI:
    return std::nullopt;
  default:
    break;
  }
  const Shape shape = affine(instruction).value_or(kVarying);
  if (!shape.isAffine()) return std::nullopt;
  Guess made{affineBy(shape.stride, false, false), {}};
  for (llvm::Value *operand : instruction.operand_values())
    if (const Guess *likely = guess(*operand))
      for (llvm::Value *root : likely->roots)
        if (!llvm::is_contained(made.roots, root)) made.roots.push_back(root);
  if (made.roots.empty() || made.roots.size() > kMostRoots) return std::nullopt;
  return made;
}

/// What adds up round a loop is exact in its own arithmetic only, unless the first work-item, which nobody may have
/// asked for any more, is always the one that is furthest from where numbers end.
void Shapes::keepExact(const llvm::PHINode &phi, const llvm::Loop &loop, Shape &shape) const {
  for (const auto &[value, from] : llvm::zip(phi.incoming_values(), phi.blocks())) {
    if (!loop.contains(from)) continue;
    auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    auto *step = sum && sum->getOpcode() == llvm::Instruction::Add && sum->getOperand(0) == &phi
                     ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1))
                     : nullptr;
    const bool isSigned = step && sum->hasNoSignedWrap() && step->isNegative() == (shape.stride < 0);
    const bool isUnsigned = step && sum->hasNoUnsignedWrap() && shape.stride > 0;
    shape.isSignedExact &= isSigned;
    shape.isUnsignedExact &= isUnsigned;
  }
}

unsigned Shapes::zeros(const llvm::Value &value, const Shape &shape) const {
  if (!shape.isUniform()) return shape.zeros;
  if (width_ == 0) return 0; // nobody will ask
  return llvm::computeKnownBits(&value, lanes_.function().getDataLayout()).countMinTrailingZeros();
}

/// Of a number that grows from one work-item to the next: within the zeros of the first one's.
bool Shapes::growsWithinZeros(const Shape &number) const {
  return width_ != 0 && number.isAffine() && number.stride > 0 &&
         number.stride * int64_t(width_) <= int64_t(1) << number.zeros;
}

/// Bits of such a number: those above are the same for all, those below count the work-items.
std::optional<Shape> Shapes::ofBits(const llvm::BinaryOperator &operation, const Shape &number) const {
  auto *right = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  if (!right || !growsWithinZeros(number)) return std::nullopt;
  const uint64_t below = (uint64_t(1) << number.zeros) - 1;
  if (operation.getOpcode() == llvm::Instruction::LShr || operation.getOpcode() == llvm::Instruction::AShr) {
    const unsigned width = unsigned(llvm::Log2_64_Ceil(uint64_t(number.stride) * width_));
    if (right->getValue().uge(width) && right->getValue().ult(right->getBitWidth())) return kUniform;
    return std::nullopt;
  }
  if (operation.getOpcode() != llvm::Instruction::And || right->getBitWidth() > 64) return std::nullopt;
  const uint64_t kept = right->getZExtValue() & below;
  if (kept == 0) return kUniform;
  if (kept == below) return affineBy(number.stride, true, true, number.zeros);
  return std::nullopt;
}

/// Whether such numbers are below a limit that ends with as many zeros, all of them are asked alike.
Shape Shapes::ofComparison(const llvm::ICmpInst &compare, const Shape &number) const {
  auto *right = llvm::dyn_cast<llvm::ConstantInt>(compare.getOperand(1));
  if (!right || right->getBitWidth() > 64 || compare.isEquality() || !growsWithinZeros(number)) return kVarying;
  if (number.zeros >= right->getBitWidth()) return kVarying;
  const uint64_t below = (uint64_t(1) << number.zeros) - 1, rest = right->getZExtValue() & below;
  const auto predicate = compare.getPredicate();
  const bool isFrom = llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isGE(predicate);
  return rest == (isFrom ? 0 : below) ? kUniform : kVarying;
}

} // namespace us::codegen
