// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/pass_table.h"

#include "emulator/codegen/instrument/check_arithmetic.h"
#include "emulator/codegen/instrument/check_copies.h"
#include "emulator/codegen/instrument/check_images.h"
#include "emulator/codegen/instrument/check_memory.h"
#include "emulator/codegen/instrument/check_nan.h"
#include "emulator/codegen/instrument/check_order.h"
#include "emulator/codegen/instrument/check_printf.h"
#include "emulator/codegen/instrument/check_progress.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/instrument/check_uninitialized.h"
#include "emulator/codegen/instrument/count_lines.h"
#include "emulator/codegen/passes/assign_memory_offsets.h"
#include "emulator/codegen/passes/check_alignment.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/passes/copy_updated_arguments.h"
#include "emulator/codegen/passes/decide_contraction.h"
#include "emulator/codegen/passes/expand_conversions.h"
#include "emulator/codegen/passes/expand_fused.h"
#include "emulator/codegen/passes/expand_masks.h"
#include "emulator/codegen/passes/extend_differences.h"
#include "emulator/codegen/passes/extend_index_sums.h"
#include "emulator/codegen/passes/extract_kernel.h"
#include "emulator/codegen/passes/form_global_ids.h"
#include "emulator/codegen/passes/form_item_entry.h"
#include "emulator/codegen/passes/form_long_turns.h"
#include "emulator/codegen/passes/form_work_item_loops.h"
#include "emulator/codegen/passes/guard_undefined_operations.h"
#include "emulator/codegen/passes/hide_wrapping_numbers.h"
#include "emulator/codegen/passes/inline_calls.h"
#include "emulator/codegen/passes/interchange_uniform_loops.h"
#include "emulator/codegen/passes/join_indices.h"
#include "emulator/codegen/passes/keep_access_order.h"
#include "emulator/codegen/passes/keep_barrier_loops.h"
#include "emulator/codegen/passes/keep_disjoint_bits.h"
#include "emulator/codegen/passes/limit_work_items.h"
#include "emulator/codegen/passes/link_builtins.h"
#include "emulator/codegen/passes/lower_checks.h"
#include "emulator/codegen/passes/lower_kernel_arguments.h"
#include "emulator/codegen/passes/lower_launch_queries.h"
#include "emulator/codegen/passes/lower_local_memory.h"
#include "emulator/codegen/passes/lower_printf.h"
#include "emulator/codegen/passes/lower_program_variables.h"
#include "emulator/codegen/passes/lower_runtime_calls.h"
#include "emulator/codegen/passes/mark_forward_progress.h"
#include "emulator/codegen/passes/name_block_kernels.h"
#include "emulator/codegen/passes/narrow_arithmetic.h"
#include "emulator/codegen/passes/recover_pointers.h"
#include "emulator/codegen/passes/retarget_module.h"
#include "emulator/codegen/passes/set_blocks_apart.h"
#include "emulator/codegen/passes/settle_turns.h"
#include "emulator/codegen/passes/skip_unselected_work.h"
#include "emulator/codegen/passes/specialize_images.h"
#include "emulator/codegen/passes/specialize_queries.h"
#include "emulator/codegen/passes/specialize_textures.h"
#include "emulator/codegen/passes/spill_across_barriers.h"
#include "emulator/codegen/passes/split_at_barriers.h"
#include "emulator/codegen/passes/split_at_borders.h"
#include "emulator/codegen/passes/split_called_kernels.h"
#include "emulator/codegen/passes/split_memory.h"
#include "emulator/codegen/passes/transpose_row_walks.h"
#include "emulator/codegen/passes/trim_guarded_loops.h"
#include "emulator/codegen/passes/unroll_over_arrays.h"
#include "emulator/codegen/passes/verify_kernel_ir.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/passes/yield_in_waiting_loops.h"
#include "emulator/codegen/vectorize/vectorize_work_items.h"

namespace us::codegen {

bool addPassByName(llvm::StringRef name, const KernelRequest &request, llvm::ModulePassManager &passes) {
#define US_PASS(passName, construction)                                                                                \
  if (name == passName) {                                                                                              \
    passes.addPass(construction);                                                                                      \
    return true;                                                                                                       \
  }
#include "emulator/codegen/passes.def"
#undef US_PASS
  return false;
}

} // namespace us::codegen
