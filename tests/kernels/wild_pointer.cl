// A store far outside of any buffer ends the launch, not the process.
//! kernel wild
//! global 64
//! arg buffer int 64
//! launch-error KernelFault
kernel void wild(global int *out) {
  size_t i = get_global_id(0);
  out[i == 40 ? 1ul << 40 : i] = 1;
}
