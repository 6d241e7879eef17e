// Division by zero and of the least by -1 give one value and lose nothing that follows.
//! kernel divide
//! global 8
//! arg buffer int 8 fill(i < 4 ? i : -2147483648)
//! arg buffer int 8 fill(i % 2 == 0 ? 0 : -1)
//! arg buffer int 8 expect(42)
kernel void divide(global const int *a, global const int *b, global int *out) {
  int i = get_global_id(0);
  volatile int quotient = a[i] / b[i], rest = a[i] % b[i];
  out[i] = 42;
}
