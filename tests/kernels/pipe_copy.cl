// Packets go from one pipe to another, each exactly once, whatever the order in which work-items come.
//! kernel copy
//! options -cl-std=CL3.0
//! global 4096
//! local 64
//! arg pipe uint 5000 4096 fill(i * 7)
//! arg pipe ulong 4500 404 fill(i)
//! arg buffer uint 4096 expect(1)
//! arg buffer int 4096 expect(0)
kernel void copy(read_only pipe uint in, write_only pipe ulong out, global uint *seen, global int *errors) {
  uint packet = ~0u;
  errors[get_global_id(0)] = read_pipe(in, &packet);
  ulong wide = packet;
  // All of them fit: it had 4500 places, 404 of them taken.
  errors[get_global_id(0)] |= write_pipe(out, &wide);
  atomic_inc(&seen[packet / 7]);
}
