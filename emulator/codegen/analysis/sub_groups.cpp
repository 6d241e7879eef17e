// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/sub_groups.h"

#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool isQuery(const Value *value, StringRef name, unsigned dimension) {
  return machineName(value) == name && queryDimension(*cast<CallBase>(value)) == dimension;
}

/// The linear local id as builtins make it, where sizes are not known.
bool isLinearId(const Value &value) {
  const Value *id[3], *size[2];
  return match(&value, m_TruncOrSelf(m_Add(
                           m_Mul(m_Add(m_Mul(m_Value(id[2]), m_Value(size[1])), m_Value(id[1])), m_Value(size[0])),
                           m_Value(id[0])))) &&
         isQuery(id[0], "local_id", 0) && isQuery(id[1], "local_id", 1) && isQuery(id[2], "local_id", 2) &&
         isQuery(size[0], "local_size", 0) && isQuery(size[1], "local_size", 1);
}

/// The only thing the analysis asks a target for is where differences come from.
class SubGroupItems : public TargetTransformInfoImplCRTPBase<SubGroupItems> {
public:
  SubGroupItems(const DataLayout &layout, const abi::Specialization &specialization,
                const SmallPtrSetImpl<const Instruction *> &chosenApart)
      : TargetTransformInfoImplCRTPBase(layout), subGroups_(specialization), chosenApart_(chosenApart) {}
  bool hasBranchDivergence(const Function * = nullptr) const { return true; }
  bool isSourceOfDivergence(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && chosenApart_.contains(instruction)) return true;
    return differsBetweenItems(value) && !isAlwaysUniform(value) && !isReadOnce(instruction);
  }
  bool isAlwaysUniform(const Value *value) const { return subGroups_.isSame(*value); }

private:
  /// A sub-group reads a place of local memory once for all of it, and only its own thread writes there.
  static bool isReadOnce(const Instruction *instruction) {
    auto *load = dyn_cast_or_null<LoadInst>(instruction);
    return load && load->isVolatile() && load->getPointerAddressSpace() == 3;
  }

  SubGroups subGroups_;
  const SmallPtrSetImpl<const Instruction *> &chosenApart_;
};

} // namespace

SubGroups::SubGroups(const abi::Specialization &specialization) : size_(specialization.subGroupSize) {
  uint64_t step = 1;
  for (unsigned d = 0; d < specialization.workDimensions; ++d) {
    const uint64_t size = specialization.localSize[d];
    dimensions_[d] = {size != 1, step, specialization.zeroOffset && size != 0 && size % size_ == 0};
    step = specialization.ragged ? 0 : step * size;
  }
}

bool SubGroups::isSame(const Value &value) const {
  const StringRef name = machineName(&value);
  if (name == "votes") return true;
  if (name == "local_id" || name == "global_id") {
    const std::optional<unsigned> dimension = queryDimension(cast<CallBase>(value));
    return dimension && hasOne(dimensions_[*dimension]);
  }
  const Value *place = nullptr;
  const APInt *number = nullptr;
  // The bits that say where in a sub-group it is are all left out, or all set.
  const bool isCleared = match(&value, m_And(m_Value(place), m_APInt(number)));
  if (isCleared || match(&value, m_Or(m_Value(place), m_APInt(number)))) {
    const APInt *shift = nullptr;
    if (!match(place, m_Shl(m_Value(place), m_APInt(shift)))) shift = nullptr;
    if (shift && shift->uge(number->getBitWidth())) return false;
    const APInt bits = APInt(number->getBitWidth(), size_ - 1).shl(shift ? unsigned(shift->getZExtValue()) : 0);
    return (isCleared ? (*number & bits).isZero() : bits.isSubsetOf(*number)) && isPlace(*place);
  }
  if (match(&value, m_UDiv(m_Value(place), m_APInt(number)))) return isWhole(*number) && isPlace(*place);
  if (match(&value, m_LShr(m_Value(place), m_APInt(number))))
    return number->uge(llvm::countr_zero(size_)) && isPlace(*place);
  // Compared with the first of a sub-group.
  ICmpInst::Predicate predicate;
  if (!match(&value, m_ICmp(predicate, m_Value(place), m_APInt(number)))) return false;
  const bool isBelow = predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_UGE ||
                       predicate == ICmpInst::ICMP_SLT || predicate == ICmpInst::ICMP_SGE;
  const bool isAtMost = predicate == ICmpInst::ICMP_UGT || predicate == ICmpInst::ICMP_ULE ||
                        predicate == ICmpInst::ICMP_SGT || predicate == ICmpInst::ICMP_SLE;
  return ((isBelow && isWhole(*number)) || (isAtMost && isWhole(*number + 1))) && isPlace(*place);
}

bool SubGroups::isWhole(const APInt &number) const {
  return number.countr_zero() >= unsigned(llvm::countr_zero(size_));
}

bool SubGroups::hasOne(const Dimension &dimension) const {
  return !dimension.varies || (dimension.step != 0 && dimension.step % size_ == 0);
}

/// Whether a value is the linear local id, but for a multiple of the sub-group's size that is the same for all of it.
bool SubGroups::isPlace(const Value &value) const {
  if (isLinearId(value)) return true;
  const std::optional<Steps> steps = stepsOf(value, 0);
  if (!steps) return false;
  for (unsigned d = 0; d < 3; ++d) {
    if (!dimensions_[d].varies || (dimensions_[d].step != 0 && (*steps)[d] == dimensions_[d].step)) continue;
    if (!hasOne(dimensions_[d]) || (*steps)[d] % size_ != 0) return false;
  }
  return true;
}

/// How much a value grows with the local ids of which it is a sum.
std::optional<SubGroups::Steps> SubGroups::stepsOf(const Value &value, unsigned depth) const {
  const Value *x = nullptr, *y = nullptr;
  const APInt *factor = nullptr;
  if (depth > 8) return std::nullopt;
  const auto times = [&](uint64_t by) {
    std::optional<Steps> steps = stepsOf(*x, depth + 1);
    if (steps)
      for (uint64_t &step : *steps) step *= by;
    return steps;
  };
  // A global id is the local one and a multiple of the local size.
  const StringRef name = machineName(&value);
  if (name == "local_id" || name == "global_id") {
    const std::optional<unsigned> dimension = queryDimension(cast<CallBase>(value));
    if (!dimension || (name == "global_id" && !dimensions_[*dimension].isWhole)) return std::nullopt;
    Steps steps{};
    steps[*dimension] = 1;
    return steps;
  }
  if (match(&value, m_ZExtOrSExt(m_Value(x))) || match(&value, m_Trunc(m_Value(x)))) return stepsOf(*x, depth + 1);
  if (match(&value, m_Mul(m_Value(x), m_APInt(factor))) && factor->getActiveBits() <= 32)
    return times(factor->getZExtValue());
  if (match(&value, m_Shl(m_Value(x), m_APInt(factor))) && factor->ult(32))
    return times(uint64_t(1) << factor->getZExtValue());
  if (!match(&value, m_Add(m_Value(x), m_Value(y))) && !match(&value, m_DisjointOr(m_Value(x), m_Value(y))))
    return std::nullopt;
  std::optional<Steps> sum = stepsOf(*x, depth + 1);
  const std::optional<Steps> other = stepsOf(*y, depth + 1);
  if (!sum || !other) return std::nullopt;
  for (unsigned d = 0; d < 3; ++d) (*sum)[d] += (*other)[d];
  return sum;
}

UniformityInfo uniformityOfSubGroups(Function &kernel, FunctionAnalysisManager &analyses, const Meetings &meetings,
                                     NothingIs nothing, const abi::Specialization &specialization,
                                     SmallPtrSetImpl<const Instruction *> &phis) {
  const TargetTransformInfo items(SubGroupItems(kernel.getDataLayout(), specialization, phis)); // asked while computing
  return uniformityOf(kernel, analyses.getResult<DominatorTreeAnalysis>(kernel),
                      analyses.getResult<CycleAnalysis>(kernel), items, meetings, nothing, phis);
}

} // namespace us::codegen
