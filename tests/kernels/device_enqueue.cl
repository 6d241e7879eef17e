// Kernels enqueue kernels: blocks with captured values, of each kind of range, called directly too, from several
// work-items and from inside others. The launch is complete when all of it is.
//! kernel parent
//! options -cl-std=CL3.0
//! global 8
//! local 4
//! arg buffer int 8 fill(i * 10) expect(i * 10)
//! arg buffer int 128 expect((i / 16) * 10 + i % 16)
//! arg buffer int 24 expect(i + 1)
//! arg buffer int 4 expect(i == 0 ? 8 : i == 1 ? 40 : i == 2 ? 0 : 7)
int twice(int x) { return 2 * x; }
typedef struct { int offset; long unused; short step; } Captured;
kernel void parent(global const int *in, global int *out, global int *cube, global int *counts) {
  int i = get_global_id(0), base = in[i];
  float4 vector = (float4)(base, 1, 2, 3);
  Captured captured = {i * 16, 0, 1};
  int result = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16), ^{
    int k = get_global_id(0);
    out[captured.offset + k * captured.step] = (int)vector.x + k * (int)vector.y;
    if (k == 0) atomic_inc(&counts[0]);
  });
  if (result != CLK_SUCCESS) atomic_inc(&counts[2]);
  void (^again)(int) = ^(int by) { atomic_add(&counts[3], by); };
  if (i == 0) {
    again(7);
    size_t offset[3] = {1, 0, 0}, size[3] = {2, 3, 4}, local_size[3] = {2, 1, 2};
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_3D(offset, size, local_size), ^{
      int x = get_global_id(0) - 1, y = get_global_id(1), z = get_global_id(2);
      cube[(z * 3 + y) * 2 + x] = get_global_linear_id() + 1;
      if (get_local_size(2) == 2 && x == 0 && y == 0 && z == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(20, 5),
                       ^{ atomic_add(&counts[1], twice(1)); });
    });
  }
}
