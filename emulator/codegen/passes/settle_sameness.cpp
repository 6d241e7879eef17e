// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/settle_sameness.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/chosen_apart.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <array>

namespace us::codegen {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// Which work-items of a group a sub-group is.
class SubGroups {
public:
  explicit SubGroups(const abi::Specialization &specialization) : size_(specialization.subGroupSize) {
    uint64_t step = 1;
    for (unsigned d = 0; d < specialization.workDimensions; ++d) {
      const uint64_t size = specialization.localSize[d];
      dimensions_[d] = {size != 1, step};
      step = specialization.ragged ? 0 : step * size;
    }
  }

  /// The same for all of a sub-group: an id of a dimension of which it has only one, and its beginning or its number,
  /// which are made of the linear local id.
  bool isSame(const Value &value) const {
    const StringRef name = machineName(&value);
    if (name == "local_id" || name == "global_id") {
      const std::optional<unsigned> dimension = queryDimension(cast<CallBase>(value));
      return dimension && hasOne(dimensions_[*dimension]);
    }
    const Value *place = nullptr;
    const APInt *number = nullptr;
    if (match(&value, m_And(m_Value(place), m_APInt(number))) || match(&value, m_UDiv(m_Value(place), m_APInt(number))))
      return number->countr_zero() >= llvm::countr_zero(size_) && isPlace(*place);
    if (match(&value, m_LShr(m_Value(place), m_APInt(number))))
      return number->uge(llvm::countr_zero(size_)) && isPlace(*place);
    return false;
  }

private:
  struct Dimension {
    bool varies = false;
    uint64_t step = 0; ///< how much the linear local id grows with this one; 0: not known
  };
  using Steps = std::array<uint64_t, 3>;

  bool hasOne(const Dimension &dimension) const {
    return !dimension.varies || (dimension.step != 0 && dimension.step % size_ == 0);
  }

  /// Whether a value is the linear local id, but for a multiple of the sub-group's size that is the same for all of it.
  bool isPlace(const Value &value) const {
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
  std::optional<Steps> stepsOf(const Value &value, unsigned depth) const {
    const Value *x = nullptr, *y = nullptr;
    const APInt *factor = nullptr;
    if (depth > 8) return std::nullopt;
    if (machineName(&value) == "local_id") {
      const std::optional<unsigned> dimension = queryDimension(cast<CallBase>(value));
      if (!dimension) return std::nullopt;
      Steps steps{};
      steps[*dimension] = 1;
      return steps;
    }
    if (match(&value, m_ZExtOrSExt(m_Value(x))) || match(&value, m_Trunc(m_Value(x)))) return stepsOf(*x, depth + 1);
    if (match(&value, m_Mul(m_Value(x), m_APInt(factor)))) return times(stepsOf(*x, depth + 1), factor->getZExtValue());
    if (match(&value, m_Shl(m_Value(x), m_APInt(factor))) && factor->ult(32))
      return times(stepsOf(*x, depth + 1), uint64_t(1) << factor->getZExtValue());
    if (!match(&value, m_Add(m_Value(x), m_Value(y))) && !match(&value, m_DisjointOr(m_Value(x), m_Value(y))))
      return std::nullopt;
    std::optional<Steps> sum = stepsOf(*x, depth + 1);
    const std::optional<Steps> other = stepsOf(*y, depth + 1);
    if (!sum || !other) return std::nullopt;
    for (unsigned d = 0; d < 3; ++d) (*sum)[d] += (*other)[d];
    return sum;
  }
  static std::optional<Steps> times(std::optional<Steps> steps, uint64_t factor) {
    if (steps)
      for (uint64_t &step : *steps) step *= factor;
    return steps;
  }

  uint32_t size_;
  std::array<Dimension, 3> dimensions_{};
};

} // namespace

PreservedAnalyses SettleSameness::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  const auto questions = machineCalls(kernel, "same_in_sub_group");
  if (questions.empty()) return PreservedAnalyses::all();
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const SubGroups subGroups(request.specialization);
  const Uniformity uniformity = Uniformity::compute(kernel, analyses.getResult<DominatorTreeAnalysis>(kernel),
                                                    analyses.getResult<CycleAnalysis>(kernel),
                                                    [&](const Value &value) { return subGroups.isSame(value); });
  SmallVector<bool, 8> answers;
  for (CallInst *question : questions) {
    auto *value = dyn_cast<Instruction>(question->getArgOperand(0));
    answers.push_back(!value || uniformity.isUniform(*value));
  }
  for (auto [question, answer] : zip(questions, answers)) {
    question->replaceAllUsesWith(ConstantInt::get(question->getType(), answer));
    question->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace us::codegen
