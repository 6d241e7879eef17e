// Packets in local memory and in functions that take the pipe; another type of packet than the pipe's is refused.
//! kernel pass
//! options -cl-std=CL3.0
//! global 32
//! local 32
//! arg pipe double 64 32 fill(i * 0.5)
//! arg pipe double 64 0
//! arg buffer double 32 expect(0.25)
//! arg pipe int 4 4 fill(3) expect(3)
//! arg buffer int 1 expect(1)
int take(read_only pipe double in, local double *to) { return read_pipe(in, to); }
int give(write_only pipe double out, local double *from) { return write_pipe(out, from); }
typedef struct { int a, b; } Pair;
kernel void pass(read_only pipe double in, write_only pipe double out, global double *got, read_only pipe Pair pairs,
                 global int *refused) {
  local double packets[32];
  int i = get_local_id(0);
  take(in, &packets[i]);
  give(out, &packets[i]);
  barrier(CLK_LOCAL_MEM_FENCE);
  got[i] = packets[(i + 1) % 32] > packets[i] ? (packets[(i + 1) % 32] - packets[i]) * 0.5 : 0.25;
  Pair pair;
  if (i == 0) *refused = read_pipe(pairs, &pair) < 0 && !is_valid_reserve_id(reserve_read_pipe(pairs, 1));
}
