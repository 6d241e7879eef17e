// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// walk_tiles_by_rows — work-items that share the elements of a tile by their linear numbers go along its rows.
///
///   before:  for (y = 0; y != 16; ++y)                       after:  for (r = 0; r != 18; ++r)
///              for (x = 0; x != 16; ++x)                               for (c = 0; c != 18; ++c)
///                for (l = y * 16 + x; l < 324; l += 256)                 t[r][c] = a[(b + r) * n + c];
///                  t[l / 18][l % 18] = a[(b + l / 18) * n + l % 18];
///
/// How a tile with a border comes to local memory: without divisions, and with places side by side. Work-items run in
/// any order between barriers, and what each does keeps its order. The loop along a row is over work-items: it is no
/// longer than there are of them, so each turn is another's.
///
/// Requires: loops over work-items in simplified form; numbers of turns, and the length of rows, that are constants.
struct WalkTilesByRows : llvm::PassInfoMixin<WalkTilesByRows> {
  explicit WalkTilesByRows(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
