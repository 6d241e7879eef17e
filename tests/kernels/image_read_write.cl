// A read_write image: a work-item sees its own write after atomic_work_item_fence, another's after a barrier.
//! kernel readWrite
//! global 64
//! local 64
//! arg image 1d r unsigned_int32 64 fill(i) expect((63 - i) * 2 + 1)
//! arg buffer uint 64 expect(i * 2 + 1)
kernel void readWrite(read_write image1d_t image, global uint *seen) {
  int i = get_global_id(0);
  write_imageui(image, i, read_imageui(image, i) * 2 + 1);
  atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
  seen[i] = read_imageui(image, i).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  uint other = read_imageui(image, 63 - i).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  write_imageui(image, i, other);
}
//! options -cl-std=CL3.0
