// A sub-group reserves as one, also where only some sub-groups of the work-group come by.
//! kernel together
//! options -cl-std=CL3.0
//! global 256
//! local 128
//! arg pipe int 256 256 fill(i)
//! arg buffer int 256 expect(i < 128 ? 1 : 0)
//! arg buffer int 256 expect(i / 32 % 2 ? -1 : i % 32)
kernel void together(read_only pipe int in, global int *seen, global int *distance) {
  int i = get_global_id(0);
  distance[i] = -1;
  if (get_sub_group_id() % 2) return;
  reserve_id_t id = sub_group_reserve_read_pipe(in, get_sub_group_size());
  int packet = 0;
  if (is_valid_reserve_id(id)) read_pipe(in, id, get_sub_group_local_id(), &packet);
  sub_group_commit_read_pipe(in, id);
  atomic_inc(&seen[packet]);
  distance[i] = packet - sub_group_broadcast(packet, 0);
}
