// Between two stores that a vector of work-items could do at once, what the first has written is read by another name,
// and a part of it is written again.
//! kernel between
//! options -cl-std=CL3.0
//! global 64
//! arg buffer uint 128 expect(i - i % 2)
//! arg buffer uint 128 expect(i % 2 ? 7 : 65536 + i / 2)
//! arg value uint 0
kernel void between(global uint *p, global uint *q, uint n) {
  uint i = get_global_id(0);
  p[2 * i] = 2 * i;
  p[2 * i + 1] = p[2 * i + n];
  global ushort *part = (global ushort *)(q + 2 * i);
  q[2 * i] = i;
  part[1] = 1;
  q[2 * i + 1] = 7;
}
