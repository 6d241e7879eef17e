// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang 19 hands its builtins of these the mask as the value: ours take their place.
#define __reduce_add_sync us_swapped_reduce_add_sync
#define __reduce_min_sync us_swapped_reduce_min_sync
#define __reduce_max_sync us_swapped_reduce_max_sync
#define __reduce_and_sync us_swapped_reduce_and_sync
#define __reduce_or_sync us_swapped_reduce_or_sync
#define __reduce_xor_sync us_swapped_reduce_xor_sync
