// Text comes out in the order of groups and work-items, vectors and lengths as in OpenCL C.
//! kernel hello
//! global 4
//! local 2
//! prints item 0 of group 0: 0.50
//! prints item 1 of group 0: 1.50
//! prints item 2 of group 1: 2.50
//! prints item 3 of group 1: 3.50
//! prints vector 1,2,3,4 0x2a 7 text%
kernel void hello(void) {
  int i = get_global_id(0);
  printf("item %d of group %lu: %.2f\n", i, (ulong)get_group_id(0), i + 0.5f);
  if (i == 3) printf("vector %v4hld %#x %ld %s%%\n", (int4)(1, 2, 3, 4), 42, 7L, "text");
}
