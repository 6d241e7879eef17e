// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_clustered_reduce: reductions within clusters of 1, 2, 4, 8, 16 or 32 neighbours. "Behavior is
// undefined if clustersize is [...] not a power of two"; ours takes the next smaller power and at most the sub-group.
#include "emulator/builtins/opencl/subgroup/collective.h"

US_INLINE uint us_cluster_size(uint size) {
  size = size > us_sub_group_size() ? us_sub_group_size() : size;
  return size == 0 ? 1u : 1u << (31 - __builtin_clz(size));
}
#define REDUCE(T, OPERATION)                                                                                           \
  US_REDUCE_SLOTS(T, OPERATION)                                                                                        \
  US_OVERLOAD US_CONVERGENT T sub_group_clustered_reduce_##OPERATION(T x, uint size) {                                 \
    return us_reduce_##OPERATION(x, us_cluster_size(size));                                                            \
  }
US_SUB_GROUP_OPERATIONS(REDUCE)
