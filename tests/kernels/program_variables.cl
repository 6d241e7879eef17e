// Program-scope variables keep their values between launches; one begins with the address of another.
//! kernel count
//! options -cl-std=CL3.0
//! global 1
//! repeat 3
//! arg buffer int 3 expect(i == 0 ? 13 : i == 1 ? 13 : 7)
global int counter = 10;
global int *global pointer = &counter;
constant int kTable[] = {5, 6, 7};
kernel void count(global int *out) {
  counter += 1;
  out[0] = counter;
  out[1] = *pointer;
  out[2] = kTable[get_work_dim() + 1];
}
