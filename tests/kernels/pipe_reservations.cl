// Reservations: packets are written and read in any order of their indices, and commits may come in another order than
// reservations; what is not committed cannot be read, and what is reserved cannot be had again.
//! kernel reserve
//! options -cl-std=CL3.0
//! global 1
//! arg pipe int 8 0 expect(i < 3 ? 100 + i : i < 5 ? 200 + i - 3 : 0)
//! arg pipe int 8 6 fill(i) expect(i == 0 ? 5 : 0)
//! arg buffer int 12 expect(i == 0 ? 1 : i == 1 ? 1 : i == 2 ? 0 : i == 3 ? 0 : i == 4 ? 0 : i == 5 ? 5 : i == 6 ? 0 : i == 7 ? 1 : i == 8 ? 3 : i == 9 ? 2 : i == 10 ? 0 : 1)
kernel void reserve(write_only pipe int out, read_only pipe int in, global int *seen) {
  reserve_id_t first = reserve_write_pipe(out, 3), second = reserve_write_pipe(out, 2);
  seen[0] = is_valid_reserve_id(first);
  seen[1] = is_valid_reserve_id(second);
  seen[2] = is_valid_reserve_id(reserve_write_pipe(out, 4)); // only three places are left
  seen[3] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
  for (int i = 1; i >= 0; --i) {
    int packet = 200 + i;
    write_pipe(out, second, i, &packet);
  }
  commit_write_pipe(out, second);
  for (int i = 2; i >= 0; --i) {
    int packet = 100 + i;
    write_pipe(out, first, i, &packet);
  }
  int packet = 0;
  seen[4] = write_pipe(out, first, 3, &packet) == 0; // not in the reservation
  commit_write_pipe(out, first);
  seen[5] = get_pipe_num_packets(out);

  reserve_id_t more = reserve_read_pipe(in, 7);
  seen[6] = is_valid_reserve_id(more);
  reserve_id_t some = reserve_read_pipe(in, 5);
  seen[7] = get_pipe_num_packets(in);
  read_pipe(in, some, 3, &packet);
  seen[8] = packet;
  read_pipe(in, some, 2, &packet);
  seen[9] = packet;
  seen[10] = read_pipe(in, some, 5, &packet) == 0;
  commit_read_pipe(in, some);
  seen[11] = is_valid_reserve_id(some);
}
