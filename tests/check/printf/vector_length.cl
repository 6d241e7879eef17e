// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 2
//! local 2
//! arg buffer float 8 fill(i)
//! arg buffer uchar 8 fill(i)
// "If a vector specifier appears without a length modifier, the behavior is undefined." The type "must match the data
// type of the argument".
kernel void show(global const float *in, global const uchar *bytes) {
  int i = get_global_id(0);
  float4 f = vload4(i, in);
  uchar4 b = vload4(i, bytes);
#ifdef FIXED
  printf("%v4hlf %v4hhx\n", f, b);
  printf("%v2hlf\n", f.xy);
  printf("%v4hhx\n", b);
#else
  printf("%v4f\n", f);   //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("%v4hlf\n", f.xy); //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("%v4hlx\n", b); //~ wrong printf argument: work-items 0-1 of work-group 0
#endif
}
