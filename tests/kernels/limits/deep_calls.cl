// Sixteen functions, each of which calls the next twice and all of which are needed in the kernel: 65,536 copies of the last.
//! kernel k
//! global 1
//! arg buffer int 1
int f0(int x) { return x * 3 + get_global_id(0); }
int f1(int x) { return f0(x ^ 1) * 1 + f0(x + 1); }
int f2(int x) { return f1(x ^ 2) * 2 + f1(x + 2); }
int f3(int x) { return f2(x ^ 3) * 3 + f2(x + 3); }
int f4(int x) { return f3(x ^ 4) * 4 + f3(x + 4); }
int f5(int x) { return f4(x ^ 5) * 5 + f4(x + 5); }
int f6(int x) { return f5(x ^ 6) * 6 + f5(x + 6); }
int f7(int x) { return f6(x ^ 7) * 7 + f6(x + 7); }
int f8(int x) { return f7(x ^ 8) * 8 + f7(x + 8); }
int f9(int x) { return f8(x ^ 9) * 9 + f8(x + 9); }
int f10(int x) { return f9(x ^ 10) * 10 + f9(x + 10); }
int f11(int x) { return f10(x ^ 11) * 11 + f10(x + 11); }
int f12(int x) { return f11(x ^ 12) * 12 + f11(x + 12); }
int f13(int x) { return f12(x ^ 13) * 13 + f12(x + 13); }
int f14(int x) { return f13(x ^ 14) * 14 + f13(x + 14); }
int f15(int x) { return f14(x ^ 15) * 15 + f14(x + 15); }
kernel void k(global int *x) { x[0] = f15(x[0]); }
