// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// skip_unselected_work — branches around vector work of which no lane would use the result.
///
///   before:  %rare = … much work of %x …                         after:  %any = icmp ne i16 (bitcast %mask), 0
///            %r = select <16 x i1> %mask, %rare, %usual                  br %any, %selected, %joined
///                                                                selected: %rare = … ; %s = select %mask, %rare,
///                                                                %usual joined:   %r = phi [%s, %selected], [%usual,
///                                                                …]
///
/// The loop vectorizer turns every `if` into selects and runs both sides always: the reduction of huge angles in sin
/// would cost several times the rest. Only work that is pure, belongs to the selects of one mask alone and is large
/// against a branch is moved. The false side is treated alike (skipped if all lanes are true).
struct SkipUnselectedWork : llvm::PassInfoMixin<SkipUnselectedWork> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

} // namespace us::codegen
