// One work-item: packets come out in the order in which they went in, past the end of the ring; a full pipe takes
// nothing, an empty one gives nothing, and both say so.
//! kernel order
//! options -cl-std=CL3.0
//! global 1
//! arg pipe int 3 2 fill(10 + i) expect(0)
//! arg pipe int 3 2 fill(20 + i) expect(i == 0 ? 20 : i == 1 ? 21 : 77)
//! arg buffer int 8 expect(i == 0 ? 2 : i == 1 ? 3 : i == 2 ? 10 : i == 3 ? 1 : i == 4 ? 11 : i == 5 ? -1 : i == 6 ? 0 : -1)
//! arg pipe uchar 1 1 fill(5)
//! arg buffer int 3 expect(i == 1 ? 5 : i == 2 ? 1 : 0)
kernel void order(read_only pipe int in, write_only pipe int out, global int *seen, read_only pipe uchar small,
                  global int *single) {
  int packet = 0;
  seen[0] = get_pipe_num_packets(in);
  seen[1] = get_pipe_max_packets(in);
  read_pipe(in, &packet);
  seen[2] = packet;
  seen[3] = get_pipe_num_packets(in);
  read_pipe(in, &packet);
  seen[4] = packet;
  seen[5] = read_pipe(in, &packet) < 0 ? -1 : 1;
  packet = 77;
  seen[6] = write_pipe(out, &packet);
  seen[7] = write_pipe(out, &packet) < 0 ? -1 : 1;
  uchar byte = 0;
  single[0] = read_pipe(small, &byte);
  single[1] = byte;
  single[2] = read_pipe(small, &byte) < 0 && get_pipe_num_packets(small) == 0;
}
