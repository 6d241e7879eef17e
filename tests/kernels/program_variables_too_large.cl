// Refused before their initial bytes are made.
//! kernel k
//! options -cl-std=CL3.0
//! build-error the program's variables take 8000000000 bytes
//! global 1
//! arg buffer int 1
global int large[1000000000] = {1};
global int larger[1000000000] = {1};
kernel void k(global int *x) { *x = large[*x] + larger[*x]; }
