// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// An attribute of a kernel whose sub-group operations did not become operations on vectors: why.
inline constexpr const char *kVectorObstacle = "us_vector_obstacle";
/// The metadata of a loop whose turns are vectors of work-items, and of that over those behind the last vector.
inline constexpr const char *kOfVectors = "us.of_vectors";

/// vectorize_work_items — a work-item loop takes several work-items at each turn.
///
///   before:  for (i = 0; i != n; ++i) { x = a[i]; while (x > 1) x = f(x); b[i] = x; }
///   after:   for (i = 0; i != n - n % 8; i += 8) {
///              <8 x float> x = a[i..i+7]; mask = x > 1;
///              while (any(mask)) { x = f(x); mask &= x > 1; }     each lane has its x of when it left
///              b[i..i+7] = x; }
///            and the loop as it was for the rest
///
/// Control flow that the work-items do not share becomes masks (widen.h); what they share stays. LLVM's loop vectorizer
/// takes what it can of the loops that have no other loops in them, and this pass, behind it, what it has left. A loop
/// with something of which nothing is known, or that would be slower (cost.h), stays as it is; a remark says why.
///
/// Requires: loops in simplified form, form_work_item_loops' metadata.
struct VectorizeWorkItems : llvm::PassInfoMixin<VectorizeWorkItems> {
  /// `isLast`: behind the loop vectorizer, to take what it has left.
  explicit VectorizeWorkItems(const KernelRequest &request, bool isLast) : request(request), isLast(isLast) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
  const bool isLast;
};

} // namespace us::codegen
