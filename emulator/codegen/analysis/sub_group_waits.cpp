// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/sub_group_waits.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// What differs between the work-items of one sub-group, which are neighbours in dimension 0.
class SubGroupItems : public llvm::TargetTransformInfoImplCRTPBase<SubGroupItems> {
public:
  SubGroupItems(const llvm::DataLayout &layout, const abi::Specialization &specialization,
                const llvm::SmallPtrSetImpl<const llvm::Instruction *> &chosenApart)
      : TargetTransformInfoImplCRTPBase(layout), size_(specialization.localSize),
        subGroupSize_(specialization.subGroupSize), chosenApart_(chosenApart) {}
  bool hasBranchDivergence(const llvm::Function * = nullptr) const { return true; }
  bool isSourceOfDivergence(const llvm::Value *value) const {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && chosenApart_.contains(instruction)) return true;
    return differsBetweenItems(value) && !isAlwaysUniform(value);
  }
  bool isAlwaysUniform(const llvm::Value *value) const {
    if (machineName(value) == "votes") return true;
    if (!isOneRow() && size_[0] % subGroupSize_ != 0) return false;
    if (machineName(value) == "local_id") return queryDimension(llvm::cast<llvm::CallBase>(*value)).value_or(0) != 0;
    return isOfSubGroupNumber(value);
  }

private:
  bool isOneRow() const { return size_[1] * size_[2] == 1; }

  /// The local id without what makes the difference: divided, masked, or compared with the first one of a sub-group.
  bool isOfSubGroupNumber(const llvm::Value *value) const {
    const llvm::Value *id = nullptr;
    const llvm::APInt *number = nullptr;
    if (match(value, m_LShr(m_Value(id), m_APInt(number))))
      return isLocalId(id) && number->uge(llvm::Log2_32(subGroupSize_));
    if (match(value, m_UDiv(m_Value(id), m_APInt(number)))) return isLocalId(id) && isWhole(*number);
    if (match(value, m_And(m_Value(id), m_APInt(number)))) return isLocalId(id) && isWhole(*number);
    llvm::ICmpInst::Predicate predicate;
    if (!match(value, m_ICmp(predicate, m_Value(id), m_APInt(number))) || !isLocalId(id)) return false;
    const bool isLess = predicate == llvm::ICmpInst::ICMP_ULT || predicate == llvm::ICmpInst::ICMP_UGE ||
                        predicate == llvm::ICmpInst::ICMP_SLT || predicate == llvm::ICmpInst::ICMP_SGE;
    const bool isAtMost = predicate == llvm::ICmpInst::ICMP_UGT || predicate == llvm::ICmpInst::ICMP_ULE ||
                          predicate == llvm::ICmpInst::ICMP_SGT || predicate == llvm::ICmpInst::ICMP_SLE;
    return (isLess && isWhole(*number)) || (isAtMost && isWhole(*number + 1));
  }

  bool isWhole(const llvm::APInt &number) const { return number.countr_zero() >= llvm::Log2_32(subGroupSize_); }

  static bool isLocalId(const llvm::Value *value) {
    const llvm::Value *inner = nullptr;
    while (match(value, m_CombineOr(m_Trunc(m_Value(inner)), m_ZExtOrSExt(m_Value(inner))))) value = inner;
    return machineName(value) == "local_id" && queryDimension(llvm::cast<llvm::CallBase>(*value)) == 0u;
  }

  const uint32_t *size_;
  uint32_t subGroupSize_;
  const llvm::SmallPtrSetImpl<const llvm::Instruction *> &chosenApart_;
};

/// Whether the first of those that are come to, from the beginning of one of the blocks on, may be something that a
/// sub-group does as one, before a barrier.
bool mayComeToSubGroups(const llvm::BasicBlock &branch) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> seen;
  llvm::SmallVector<const llvm::BasicBlock *, 16> open(llvm::successors(&branch));
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.pop_back_val();
    if (!seen.insert(block).second) continue;
    const auto found = llvm::find_if(*block, [](const llvm::Instruction &instruction) {
      return isOfSubGroup(instruction) || machineName(&instruction) == "barrier";
    });
    if (found == block->end())
      open.append(llvm::succ_begin(block), llvm::succ_end(block));
    else if (isOfSubGroup(*found))
      return true;
  }
  return false;
}

} // namespace

bool waitsTogether(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                   const abi::Specialization &specialization) {
  const auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(kernel);
  const auto &cycles = analyses.getResult<llvm::CycleAnalysis>(kernel);
  const Meetings meetings(kernel);
  llvm::SmallPtrSet<const llvm::Instruction *, 4> chosenApart;
  const llvm::TargetTransformInfo items(SubGroupItems(kernel.getDataLayout(), specialization, chosenApart));
  llvm::UniformityInfo uniformity =
      uniformityOf(kernel, dominators, cycles, items, meetings, NothingIs::TheSame, chosenApart);
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> waits;
  for (llvm::CallInst *call : machineCalls(kernel, "yield")) waits.insert(call->getParent());
  return llvm::none_of(kernel, [&](llvm::BasicBlock &block) {
    if (!uniformity.hasDivergentTerminator(block)) return false;
    const auto apart = blocksApart(block, meetings);
    return llvm::any_of(apart, [&](llvm::BasicBlock *one) { return waits.contains(one); }) && mayComeToSubGroups(block);
  });
}

} // namespace us::codegen
