// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// form_sorting_networks — loops that sort a small private array of integers become minima and maxima.
///
///   before:  for (s = 0; s < 3; ++s) {                       the least is selected
///              least = s; for (i = s + 1; i < 5; ++i) if (v[i] < v[least]) least = i;
///              swap(v[s], v[least]); }
///            for (s = 0; s < 3; ++s)                         or exchanged at once
///              for (i = s + 1; i < 5; ++i) if (v[i] < v[s]) swap(v[i], v[s]);
///            for (s = 0; s < 3; ++s)                         or the greatest rises
///              for (i = 0; i + 1 < 5 - s; ++i) if (v[i] > v[i + 1]) swap(v[i], v[i + 1]);
///            x = v[2];
///   after:   t0 = min(v[0], v[1]); t1 = max(v[0], v[1]); ... v[2] = t9;
///            x = v[2];
///
/// Which numbers are where after a sort is known without the way it took, as equal integers are the same. What was not
/// sorted yet when the loop ended must not be read again. Only what is read is calculated, by Batcher's merge exchange
/// or, of a few of many, by the exchanges that the loop does.
struct FormSortingNetworks : llvm::PassInfoMixin<FormSortingNetworks> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
