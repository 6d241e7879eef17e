// All queries in three dimensions, with offsets: each work-item folds them into one number.
//! kernel ids
//! global 8 6 4
//! local 4 2 2
//! offset 100 10 1
//! arg buffer int 192 expect((100 + i % 8) + 1000 * (10 + i / 8 % 6) + 100000 * (1 + i / 48) + 1000000 * (i % 4) + 4000000 * (i / 8 % 2) + 8000000 * (i / 48 % 2) + 16000000 * (i % 8 / 4) + 32000000 * (i / 16 % 3) + 128000000 * (i / 96))
//! arg buffer int 1 expect(3)
kernel void ids(global int *out, global int *dimensions) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t at = (x - get_global_offset(0)) + 8 * (y - get_global_offset(1)) + 48 * (z - get_global_offset(2));
  out[at] = x + 1000 * y + 100000 * z + 1000000 * get_local_id(0) + 4000000 * get_local_id(1) +
            8000000 * get_local_id(2) + 16000000 * get_group_id(0) + 32000000 * get_group_id(1) +
            128000000 * get_group_id(2);
  if (at == 0) *dimensions = get_work_dim();
}
