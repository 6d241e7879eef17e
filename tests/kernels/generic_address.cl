//! kernel where
//! options -cl-std=CL3.0
//! global 4
//! local 4
//! arg buffer int 4 fill(i) expect(i == 0 ? 2 : i == 1 ? 3 * 16 + 1 : i == 2 ? 5 : 2)
// What a generic pointer points into is only known while the kernel runs.
kernel void where(global int *out) {
  local int shared[4];
  int own = 7;
  int id = out[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[id] = id;
  int *p = id == 1 ? (__generic int *)&shared[id] : id == 2 ? (__generic int *)&own : (__generic int *)&out[id];
  int answer = (to_local(p) ? 1 : 0) + (to_global(p) ? 2 : 0) + (to_private(p) ? 4 : 0);
  if (get_fence(p) == CLK_LOCAL_MEM_FENCE) answer += 3 * 16;
  if (id == 2) answer += *to_private(p) == 7;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[id] = answer;
}
