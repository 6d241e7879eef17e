// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/specialize_queries.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/cost.h"
#include "emulator/codegen/vectorize/wide_calls.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace us::codegen {
namespace {

constexpr uint64_t kSmall = uint64_t(1) << 31; ///< what smallIndex promises

/// What is known of a query: a constant, or an exclusive upper bound (0: none).
struct Answer {
  std::optional<uint64_t> constant;
  uint64_t bound = 0;
};
Answer below(uint64_t bound) { return {std::nullopt, bound}; }
using Answerer = Answer (*)(const abi::Specialization &, unsigned dimension);

bool absent(const abi::Specialization &s, unsigned dimension) { return dimension >= s.workDimensions; }
uint64_t small(const abi::Specialization &s, uint64_t bound) { return s.smallIndex ? bound : 0; }
uint64_t localSize(const abi::Specialization &s, unsigned dimension) { return s.localSize[dimension]; }

Answer sizeOne(const abi::Specialization &s, unsigned d) {
  return absent(s, d) ? Answer{1, 0} : below(small(s, kSmall + 1));
}
Answer globalId(const abi::Specialization &s, unsigned d) {
  return absent(s, d) ? Answer{0, 0} : below(small(s, kSmall));
}
Answer localId(const abi::Specialization &s, unsigned d) {
  if (absent(s, d) || localSize(s, d) == 1) return {0, 0};
  return below(localSize(s, d) ? localSize(s, d) : kSmall);
}
Answer groupId(const abi::Specialization &s, unsigned d) {
  if (absent(s, d)) return {0, 0};
  const uint64_t size = std::max<uint64_t>(localSize(s, d), 1);
  return below(small(s, (kSmall + size - 1) / size));
}
Answer localSizeOf(const abi::Specialization &s, unsigned d) {
  if (absent(s, d) || localSize(s, d) == 1) return {1, 0};
  if (localSize(s, d) && !s.ragged) return {localSize(s, d), 0};
  return below(localSize(s, d) ? localSize(s, d) + 1 : kSmall);
}
Answer enqueuedLocalSize(const abi::Specialization &s, unsigned d) {
  if (absent(s, d)) return {1, 0};
  if (localSize(s, d)) return {localSize(s, d), 0};
  return below(kSmall);
}
Answer globalOffset(const abi::Specialization &s, unsigned d) {
  return absent(s, d) || s.zeroOffset ? Answer{0, 0} : below(small(s, kSmall));
}

constexpr std::pair<const char *, Answerer> kQueries[] = {
    {"global_id", globalId},  {"local_id", localId},           {"group_id", groupId},
    {"global_size", sizeOne}, {"local_size", localSizeOf},     {"enqueued_local_size", enqueuedLocalSize},
    {"num_groups", sizeOne},  {"global_offset", globalOffset},
};

/// A dimension that is not a constant: one query for each, and a choice.
void enumerateDimensions(llvm::CallInst &call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *dimension = call.getArgOperand(0);
  auto query = [&](unsigned d) { return createMachineCall(builder, name, call.getType(), {builder.getInt32(d)}); };
  llvm::Value *result = query(2);
  for (unsigned d : {1u, 0u})
    result = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(d)), query(d), result);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void specialize(llvm::CallInst &call, const Answer &answer) {
  if (answer.constant) {
    call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), *answer.constant));
    call.eraseFromParent();
  } else if (answer.bound) {
    const llvm::APInt low(64, 0), high(64, answer.bound);
    call.setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(call.getContext()).createRange(low, high));
  }
}

} // namespace

llvm::PreservedAnalyses SpecializeQueries::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  for (llvm::CallInst *call : machineCalls(kernel, "side_by_side"))
    specialize(*call, {uint64_t(request.specialization.tier == abi::Tier::Loop)});
  for (llvm::CallInst *call : machineCalls(kernel, "register_bits")) {
    const VectorCosts *costs = vectorCosts(request.specialization.target); // few ask, and it wants a target machine
    specialize(*call, {uint64_t(costs ? costs->longestBits : 128)});
  }
  // Nobody gets there any more.
  if (request.specialization.tier != abi::Tier::Loop) dropWideCalls(module);
  for (auto [name, answerer] : kQueries) {
    for (llvm::CallInst *call : machineCalls(kernel, name))
      if (!queryDimension(*call)) enumerateDimensions(*call, name);
    for (llvm::CallInst *call : machineCalls(kernel, name))
      specialize(*call, answerer(request.specialization, *queryDimension(*call)));
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
