// Trees of 1 to 40 nodes, as a heap, with a stack of what is yet to be looked at: each work-item has another tree, and
// comes to its nodes in another turn. `popped` takes each node from the stack; `followed` goes on to one child at once.
//! kernel walks
//! global 160
//! local 32
//! arg buffer uint 64 fill(i * 3 + 1)
//! arg buffer uint 160 expect(3 * (i * 7 % 40) * (i * 7 % 40 + 1) / 2 + i * 7 % 40 + 1)
//! arg buffer uint 160 expect(3 * (i * 7 % 40) * (i * 7 % 40 + 1) / 2 + i * 7 % 40 + 1)
uint popped(global const uint *values, uint size) {
  uint stack[8], sum = 0;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    uint node = stack[--top];
    sum += values[node];
    if (2 * node + 2 < size) stack[top++] = 2 * node + 2;
    if (2 * node + 1 < size) stack[top++] = 2 * node + 1;
  }
  return sum;
}
uint followed(global const uint *values, uint size) {
  uint stack[8], node = 0, sum = 0;
  int top = 0;
  while (true) {
    sum += values[node];
    if (2 * node + 2 < size) stack[top++] = 2 * node + 2;
    if (2 * node + 1 < size) {
      node = 2 * node + 1;
      continue;
    }
    if (top == 0) break;
    node = stack[--top];
  }
  return sum;
}
kernel void walks(global const uint *values, global uint *ones, global uint *others) {
  uint size = get_global_id(0) * 7 % 40 + 1;
  ones[get_global_id(0)] = popped(values, size);
  others[get_global_id(0)] = followed(values, size);
}
