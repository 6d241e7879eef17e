//! kernel broken
//! build-error use of undeclared identifier 'undeclared'
kernel void broken(global int *out) { out[0] = undeclared; }
