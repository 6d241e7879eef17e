// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Attribute of a kernel whose vectors shall become scalars before its work-item loops are formed.
inline constexpr const char *kSplitVectors = "us.split-vectors";

/// choose_vector_form — says of a kernel with vector types whether lanes of work-items serve it better.
///
///   before:  define … @k(…)                               after:   define … @k(…) "us.split-vectors"
///            %v = load <4 x float>, ptr %p ; p[global id]          (nothing else changes)
///
/// The loop vectorizer takes scalars only. Split, `float4` fills whole registers with one component of many
/// work-items, and neighbouring components become wide loads with shuffles. That needs vector accesses which all
/// work-items do side by side; what is left must be worth trying: whether the loops were vectorized is seen afterwards
/// (emulator/codegen/analysis/work_item_vectors.h).
///
/// Requires: limit_work_items. For the loop tier only.
struct ChooseVectorForm : llvm::PassInfoMixin<ChooseVectorForm> {
  explicit ChooseVectorForm(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
