// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel build
//! global 8
//! local 8
//! arg buffer int 32 unwritten
//! arg buffer int 8
// The nodes are reached by pointers that lie in memory; the last one has no next one.
struct Node {
  Node *next;
  int value;
};
extern "C" __global__ void build(Node *nodes, int *out) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i == 7) nodes[i].next = nullptr;
#endif
  if (i < 7) nodes[i].next = nodes + i + 1;
  nodes[i].value = i;
  __syncthreads();
  if (nodes[i].next) //~ uninitialized branch: work-item 7 of work-group 0
    out[i] = nodes[i].next->value;
}
