// reqd_work_group_size decides when no local size is given.
//! kernel required
//! global 24 4
//! arg buffer int 96 expect(602)
__attribute__((reqd_work_group_size(6, 2, 1))) kernel void required(global int *out) {
  out[get_global_id(1) * 24 + get_global_id(0)] = get_local_size(0) * 100 + get_local_size(1);
}
