// A format that no literal is may lie anywhere: where nothing is, the kernel faults, and not the program that reads it later.
//! kernel wild
//! global 2
//! arg buffer int 2 fill(i)
//! launch-error KernelFault
kernel void wild(global int *x) { printf((constant char *)(size_t)(x[1] * 64), x[0]); }
