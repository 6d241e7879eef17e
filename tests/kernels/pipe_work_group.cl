// A work-group reserves as one; its packets stay together, in the order of its indices.
//! kernel together
//! options -cl-std=CL3.0
//! global 512
//! local 64
//! arg pipe int 512 512 fill(i)
//! arg pipe int 600 0
//! arg buffer int 512 expect(1)
//! arg buffer int 8 expect(64 * 63 / 2)
kernel void together(read_only pipe int in, write_only pipe int out, global int *seen, global int *sums) {
  int local_id = get_local_id(0);
  local int first;
  local reserve_id_t id;
  id = work_group_reserve_read_pipe(in, 64);
  int packet = -1;
  if (is_valid_reserve_id(id)) read_pipe(in, id, local_id, &packet);
  work_group_commit_read_pipe(in, id);
  atomic_inc(&seen[packet]);
  if (local_id == 0) first = packet;
  reserve_id_t to = work_group_reserve_write_pipe(out, 64);
  if (is_valid_reserve_id(to)) write_pipe(out, to, local_id, &packet);
  work_group_commit_write_pipe(out, to);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = work_group_reduce_add(packet - first);
  sums[get_group_id(0)] = sum;
}
