// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that are an instruction or a few: arithmetic and conversions with a rounding mode, integers, bits.
// C++, because the machine's builtins have `long long` operands, which OpenCL C takes to be of 128 bits.
using uint = unsigned;
using ushort = unsigned short;
using ulong = unsigned long long;
using slong = long long;

namespace {
template <typename To, typename From> To as(From x) { return __builtin_bit_cast(To, x); }
/// What rounding half away from zero adds to the truncated value.
template <typename T> T awayFromHalf(T x) {
  T fraction = x - __builtin_elementwise_trunc(x);
  return fraction >= T(0.5) ? T(1) : fraction <= T(-0.5) ? T(-1) : T(0);
}
} // namespace

extern "C" {
// Whether subnormal floats are zeros (-ftz=true): LLVM replaces it by a number when a program is compiled. By its own
// name Clang takes it for a function that does not return.
int reflected(const char *what) asm("__nvvm_reflect");
#define US_FLUSHING(NAME, ENDING, ...)                                                                                 \
  (reflected("__CUDA_FTZ") ? __nvvm_##NAME##_ftz##ENDING(__VA_ARGS__) : __nvvm_##NAME##ENDING(__VA_ARGS__))
#define US_F(NAME, ...) US_FLUSHING(NAME, _f, __VA_ARGS__)

#define US_ROUNDED(R, M)                                                                                               \
  float __nv_fadd_##R(float x, float y) { return US_F(add_##M, x, y); }                                                \
  float __nv_fsub_##R(float x, float y) { return US_F(add_##M, x, -y); }                                               \
  float __nv_fmul_##R(float x, float y) { return US_F(mul_##M, x, y); }                                                \
  float __nv_fdiv_##R(float x, float y) { return US_F(div_##M, x, y); }                                                \
  float __nv_frcp_##R(float x) { return US_F(rcp_##M, x); }                                                            \
  float __nv_fsqrt_##R(float x) { return US_F(sqrt_##M, x); }                                                          \
  float __nv_fmaf_##R(float x, float y, float z) { return US_F(fma_##M, x, y, z); }                                    \
  float __nv_fmaf_ieee_##R(float x, float y, float z) { return __nvvm_fma_##M##_f(x, y, z); }                          \
  double __nv_dadd_##R(double x, double y) { return __nvvm_add_##M##_d(x, y); }                                        \
  double __nv_dsub_##R(double x, double y) { return __nvvm_add_##M##_d(x, -y); }                                       \
  double __nv_dmul_##R(double x, double y) { return __nvvm_mul_##M##_d(x, y); }                                        \
  double __nv_ddiv_##R(double x, double y) { return __nvvm_div_##M##_d(x, y); }                                        \
  double __nv_drcp_##R(double x) { return __nvvm_rcp_##M##_d(x); }                                                     \
  double __nv_dsqrt_##R(double x) { return __nvvm_sqrt_##M##_d(x); }                                                   \
  double __nv_fma_##R(double x, double y, double z) { return __nvvm_fma_##M##_d(x, y, z); }                            \
  float __nv_double2float_##R(double x) { return US_FLUSHING(d2f_##M, , x); }                                          \
  float __nv_int2float_##R(int x) { return __nvvm_i2f_##M(x); }                                                        \
  float __nv_uint2float_##R(uint x) { return __nvvm_ui2f_##M(x); }                                                     \
  float __nv_ll2float_##R(slong x) { return __nvvm_ll2f_##M(x); }                                                      \
  float __nv_ull2float_##R(ulong x) { return __nvvm_ull2f_##M(x); }                                                    \
  double __nv_ll2double_##R(slong x) { return __nvvm_ll2d_##M(x); }                                                    \
  double __nv_ull2double_##R(ulong x) { return __nvvm_ull2d_##M(x); }
US_ROUNDED(rn, rn)
US_ROUNDED(rz, rz)
US_ROUNDED(ru, rp)
US_ROUNDED(rd, rm)

#define US_TO_INTEGER(R, M)                                                                                            \
  int __nv_double2int_##R(double x) { return __nvvm_d2i_##M(x); }                                                      \
  uint __nv_double2uint_##R(double x) { return __nvvm_d2ui_##M(x); }                                                   \
  slong __nv_double2ll_##R(double x) { return __nvvm_d2ll_##M(x); }                                                    \
  ulong __nv_double2ull_##R(double x) { return __nvvm_d2ull_##M(x); }                                                  \
  int __nv_float2int_##R(float x) { return US_FLUSHING(f2i_##M, , x); }                                                \
  uint __nv_float2uint_##R(float x) { return US_FLUSHING(f2ui_##M, , x); }                                             \
  slong __nv_float2ll_##R(float x) { return US_FLUSHING(f2ll_##M, , x); }                                              \
  ulong __nv_float2ull_##R(float x) { return __nvvm_f2ull_##M(x); }
US_TO_INTEGER(rn, rn)
US_TO_INTEGER(ru, rp)
US_TO_INTEGER(rd, rm)

// Towards zero written out: LLVM makes a plain conversion of that builtin, and folds the ones of constants that do not
// fit to poison, where the instruction saturates.
#define US_TO_INTEGER_RZ(NAME, INTEGER, TYPES, HOLDS, FLOAT, FROM)                                                     \
  INTEGER __nv_##NAME##_rz(FLOAT x) {                                                                                  \
    INTEGER result;                                                                                                    \
    asm("cvt.rzi." TYPES " %0, %1;" : "=" HOLDS(result) : FROM(x));                                                    \
    return result;                                                                                                     \
  }
US_TO_INTEGER_RZ(double2int, int, "s32.f64", "r", double, "d")
US_TO_INTEGER_RZ(double2uint, uint, "u32.f64", "r", double, "d")
US_TO_INTEGER_RZ(double2ll, slong, "s64.f64", "l", double, "d")
US_TO_INTEGER_RZ(double2ull, ulong, "u64.f64", "l", double, "d")
US_TO_INTEGER_RZ(float2int, int, "s32.f32", "r", float, "f")
US_TO_INTEGER_RZ(float2uint, uint, "u32.f32", "r", float, "f")
US_TO_INTEGER_RZ(float2ll, slong, "s64.f32", "l", float, "f")
US_TO_INTEGER_RZ(float2ull, ulong, "u64.f32", "l", float, "f")

double __nv_int2double_rn(int x) { return (double)x; }
double __nv_uint2double_rn(uint x) { return (double)x; }
// 1 / root x in f64 has bits enough that the second rounding is the right one but for halfway cases of f64's error.
float __nv_frsqrt_rn(float x) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)x)); }

// ---- fast forms: the machine's approximations
// --------------------------------------------------------------------------
float __nv_fast_sinf(float x) { return US_F(sin_approx, x); }
float __nv_fast_cosf(float x) { return US_F(cos_approx, x); }
void __nv_fast_sincosf(float x, float *sine, float *cosine) {
  *sine = US_F(sin_approx, x);
  *cosine = US_F(cos_approx, x);
}
float __nv_fast_tanf(float x) { return US_F(div_approx, US_F(sin_approx, x), US_F(cos_approx, x)); }
float __nv_fast_log2f(float x) { return US_F(lg2_approx, x); }
float __nv_fast_logf(float x) { return US_F(lg2_approx, x) * 0x1.62e430p-1f; }
float __nv_fast_log10f(float x) { return US_F(lg2_approx, x) * 0x1.344136p-2f; }
float __nv_fast_expf(float x) { return US_F(ex2_approx, x * 0x1.715476p+0f); }
float __nv_fast_exp10f(float x) { return US_F(ex2_approx, x * 0x1.a934f0p+1f); }
float __nv_fast_powf(float x, float y) { return US_F(ex2_approx, y * US_F(lg2_approx, x)); }
float __nv_fast_fdividef(float x, float y) { return US_F(div_approx, x, y); }
float __nv_saturatef(float x) { return US_F(saturate, x); }

// ---- bit patterns
// ------------------------------------------------------------------------------------------------------
int __nv_float_as_int(float x) { return as<int>(x); }
uint __nv_float_as_uint(float x) { return as<uint>(x); }
float __nv_int_as_float(int x) { return as<float>(x); }
float __nv_uint_as_float(uint x) { return as<float>(x); }
slong __nv_double_as_longlong(double x) { return as<slong>(x); }
double __nv_longlong_as_double(slong x) { return as<double>(x); }
int __nv_double2hiint(double x) { return (int)(as<ulong>(x) >> 32); }
int __nv_double2loint(double x) { return (int)as<ulong>(x); }
double __nv_hiloint2double(int high, int low) { return as<double>((ulong)(uint)high << 32 | (uint)low); }
ushort __nv_float2half_rn(float x) { return as<ushort>((_Float16)x); }
float __nv_half2float(ushort x) { return (float)as<_Float16>(x); }
double __nv_rcp64h(double x) { return __nvvm_rcp_rn_d(as<double>(as<ulong>(x) & 0xffffffff00000000)); }

// ---- integers
// ----------------------------------------------------------------------------------------------------------
int __nv_abs(int x) { return x < 0 ? (int)-(uint)x : x; }
slong __nv_llabs(slong x) { return x < 0 ? (slong) - (ulong)x : x; }
#define US_LEAST(PREFIX, T)                                                                                            \
  T __nv_##PREFIX##min(T x, T y) { return x < y ? x : y; }                                                             \
  T __nv_##PREFIX##max(T x, T y) { return x < y ? y : x; }
US_LEAST(, int)
US_LEAST(u, uint)
US_LEAST(ll, slong)
US_LEAST(ull, ulong)
int __nv_mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
uint __nv_umulhi(uint x, uint y) { return __nvvm_mulhi_ui(x, y); }
slong __nv_mul64hi(slong x, slong y) { return __nvvm_mulhi_ll(x, y); }
ulong __nv_umul64hi(ulong x, ulong y) { return __nvvm_mulhi_ull(x, y); }
int __nv_mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
uint __nv_umul24(uint x, uint y) { return (x & 0xffffffu) * (y & 0xffffffu); }
uint __nv_sad(int x, int y, uint z) { return (x < y ? (uint)y - (uint)x : (uint)x - (uint)y) + z; }
uint __nv_usad(uint x, uint y, uint z) { return (x < y ? y - x : x - y) + z; }
int __nv_hadd(int x, int y) { return (int)(((slong)x + y) >> 1); }
int __nv_rhadd(int x, int y) { return (int)(((slong)x + y + 1) >> 1); }
uint __nv_uhadd(uint x, uint y) { return (uint)(((ulong)x + y) >> 1); }
uint __nv_urhadd(uint x, uint y) { return (uint)(((ulong)x + y + 1) >> 1); }
int __nv_clz(int x) { return x == 0 ? 32 : __builtin_clz((uint)x); }
int __nv_clzll(slong x) { return x == 0 ? 64 : __builtin_clzll((ulong)x); }
int __nv_ffs(int x) { return x == 0 ? 0 : __builtin_ctz((uint)x) + 1; }
int __nv_ffsll(slong x) { return x == 0 ? 0 : __builtin_ctzll((ulong)x) + 1; }
int __nv_popc(int x) { return __builtin_popcount((uint)x); }
int __nv_popcll(slong x) { return __builtin_popcountll((ulong)x); }
uint __nv_brev(uint x) { return __builtin_bitreverse32(x); }
ulong __nv_brevll(ulong x) { return __builtin_bitreverse64(x); }
// "selector[0] = s<2:0>, selector[1] = s<6:4>": what the instruction makes of the fourth bit is not wanted.
uint __nv_byte_perm(uint x, uint y, uint selector) { return __nvvm_prmt(x, y, selector & 0x7777); }

// Rounded to the nearest, ties to even or away from zero; out of range and NaN as the machine's conversions have it.
slong __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
slong __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
slong __nv_llround(double x) { return __nvvm_d2ll_rz(__builtin_elementwise_trunc(x) + awayFromHalf(x)); }
slong __nv_llroundf(float x) { return __nvvm_f2ll_rz(__builtin_elementwise_trunc(x) + awayFromHalf(x)); }
}
