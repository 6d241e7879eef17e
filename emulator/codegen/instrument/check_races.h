// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Attribute of a kernel that tells of its accesses: its work-groups have to run one after the other.
inline constexpr const char *kRacesAreChecked = "us_races_are_checked";
/// Attributes of a kernel that keeps cells beside memory (race_cells.h); their values: bytes for each. Those beside
/// global memory need work-groups that run one after the other, too.
inline constexpr const char *kLocalCells = "us_local_cells", *kGlobalCells = "us_global_cells";
/// And the numbers of the arguments that lead to this global memory, apart by blanks.
inline constexpr const char *kCellArguments = "us_cell_arguments";
/// The code remembers what one work-item has touched when it comes to the next: they may not go on side by side.
bool needsOrder(const llvm::Function &kernel);

/// check_races — tells of every access to memory that work-items share, in front of it.
///
///   before:  store i32 %x, ptr addrspace(3) %p
///   after:   call void @us.memory_access(i64 %p, i32 4, i32 Write and HasValue, site, i64 %x)
///            store i32 %x, ptr addrspace(3) %p
///
/// Private variables and constants are left out, and what does not change while a kernel runs; unless the request says
/// otherwise also what cannot race (unraced_accesses.h), with a call of us.require that says in which launches. Where
/// only barriers order work-items the code itself looks for races instead (race_cells.h).
struct CheckRaces : llvm::PassInfoMixin<CheckRaces> {
  explicit CheckRaces(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
