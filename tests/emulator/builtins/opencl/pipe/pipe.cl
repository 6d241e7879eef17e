// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipe functions, called by threads that read and write at the same time, for pipe_test.cpp.

// Until `count` packets were written, which are first, first + 1, …: one by one, or by reservations of up to `batch`
// that are committed late: each after the next was made. Returns how often there was no room.
uint produce(write_only pipe ulong out, ulong first, uint count, uint batch) {
  uint refused = 0;
  reserve_id_t earlier;
  bool pending = false;
  for (uint done = 0; done < count;) {
    if (batch == 0) {
      ulong packet = first + done;
      if (write_pipe(out, &packet) == 0)
        ++done;
      else
        ++refused;
      continue;
    }
    const uint n = min(batch, count - done);
    reserve_id_t id = reserve_write_pipe(out, n);
    const bool valid = is_valid_reserve_id(id);
    for (uint i = n; valid && i-- > 0;) {
      ulong packet = first + done + i;
      write_pipe(out, id, i, &packet);
    }
    if (pending) commit_write_pipe(out, earlier);
    if (valid) {
      earlier = id;
      done += n;
    } else {
      ++refused;
    }
    pending = valid;
  }
  if (pending) commit_write_pipe(out, earlier);
  return refused;
}

// Reads until `count` packets were read, into `to`.
void consume(read_only pipe ulong in, global ulong *to, uint count, uint batch) {
  for (uint done = 0; done < count;) {
    if (batch == 0) {
      done += read_pipe(in, to + done) == 0;
      continue;
    }
    const uint n = min(batch, count - done);
    reserve_id_t id = reserve_read_pipe(in, n);
    if (!is_valid_reserve_id(id)) continue;
    for (uint i = 0; i < n; ++i) read_pipe(in, id, i, to + done + i);
    commit_read_pipe(in, id);
    done += n;
  }
}

uint packets(read_only pipe ulong in) { return get_pipe_num_packets(in); }
uint capacity(write_only pipe ulong out) { return get_pipe_max_packets(out) + (get_pipe_num_packets(out) << 16); }

// A whole work-group at once; `seen` tells what each work-item learned.
void group_write(write_only pipe ulong out, uint n, ulong first, global int *seen) {
  uint id = get_local_linear_id();
  reserve_id_t place = work_group_reserve_write_pipe(out, n);
  seen[id] = is_valid_reserve_id(place);
  ulong packet = first + id;
  if (seen[id] && id < n) write_pipe(out, place, id, &packet);
  work_group_commit_write_pipe(out, place);
}
void group_read(read_only pipe ulong in, uint n, global ulong *to, global int *seen) {
  uint id = get_local_linear_id();
  reserve_id_t place = work_group_reserve_read_pipe(in, n);
  seen[id] = is_valid_reserve_id(place);
  if (seen[id] && id < n) read_pipe(in, place, id, to + id);
  work_group_commit_read_pipe(in, place);
}
void sub_group_copy(read_only pipe ulong in, write_only pipe ulong out, global int *seen) {
  uint id = get_local_linear_id(), n = get_sub_group_size(), lane = get_sub_group_local_id();
  reserve_id_t from = sub_group_reserve_read_pipe(in, n), to = sub_group_reserve_write_pipe(out, n);
  seen[id] = is_valid_reserve_id(from) && is_valid_reserve_id(to);
  ulong packet = 0;
  if (seen[id]) {
    read_pipe(in, from, lane, &packet);
    write_pipe(out, to, lane, &packet);
  }
  sub_group_commit_read_pipe(in, from);
  sub_group_commit_write_pipe(out, to);
}
