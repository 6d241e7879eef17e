// A function that is called from several places and holds a barrier; generic pointers.
//! kernel calls
//! options -cl-std=CL3.0
//! global 32
//! local 8
//! arg buffer int 32 expect(2 * (i / 8 * 8 + 7 - i % 8) + 1)
int exchange(local int *place, int value) {
  size_t l = get_local_id(0);
  place[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = place[7 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}
void add(int *where, int amount) { *where += amount; }
kernel void calls(global int *out) {
  local int place[8];
  int i = get_global_id(0);
  int twice = exchange(place, i) + exchange(place, i);
  out[i] = twice;
  add(&out[i], 1);
}
