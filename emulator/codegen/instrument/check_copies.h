// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Metadata of accesses of which something else tells.
inline constexpr const char *kToldElsewhere = "us.told_elsewhere";

/// check_copies — tells of asynchronous copies, of fences between them, and of who waits for them.
///
///   before:  %event = call @async_work_group_copy(to, from, count, event)        call @wait_group_events(1, %list)
///   after:   %event = call i64 @us.async_copy(to, 0, 0, from, 0, 0, 4, count, 1, 1, 1, event, site)
///            call @async_work_group_copy(…), which does it                       call void @us.await_copies(1, %list,
///            site)
///                                                                                call @wait_group_events(1, %list)
///
/// What is said of a copy: where it goes, from line to line and plane to plane there; where it comes from, likewise;
/// bytes of an element, elements of a line, lines of a plane, planes; whether it goes to local memory.
///
/// So events are what tells copies apart. Of what the library reads and writes to make a copy check_races tells
/// nothing.
///
/// Requires: no calls are inlined (inline_calls); the library's functions have the names that Clang gave them.
struct CheckCopies : llvm::PassInfoMixin<CheckCopies> {
  explicit CheckCopies(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
