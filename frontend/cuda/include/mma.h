// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that a warp holds together: nvcuda::wmma over Clang's functions for PTX's wmma instructions.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__CUDA__) // to other compilers it has nothing to say

#define US_MMA __device__ __forceinline__

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};

namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
struct tf32 {};
} // namespace precision

namespace experimental {
namespace precision = nvcuda::wmma::precision;
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
using experimental::bmmaAccumulateOp;
using experimental::bmmaAccumulateOpPOPC;
using experimental::bmmaBitOp;
using experimental::bmmaBitOpAND;
using experimental::bmmaBitOpXOR;

namespace details {

template <class Layout> struct is_column {
  static constexpr int value = 0;
};
template <> struct is_column<col_major> {
  static constexpr int value = 1;
};

/// A thread's part of a matrix. Of numbers shorter than a byte, several are in one that is stored.
template <class Element, class Storage, int Count, int Packed = 1> struct part {
  using element_type = Element;
  using storage_element_type = Storage;
  static constexpr int num_elements = Count * Packed, num_storage_elements = Count;
  Storage x[Count];
};

/// The registers of a part, as Clang's functions take them.
template <class Word, int Count> struct registers {
  Word words[Count];
  registers() = default;
  template <class Part> US_MMA explicit registers(const Part &from) {
    static_assert(sizeof(words) == sizeof(from.x), "a part fills its registers");
    memcpy(words, from.x, sizeof(words));
  }
  template <class Part> US_MMA void to(Part &part) const { memcpy(part.x, words, sizeof(words)); }
};

} // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;

#define US_FRAGMENT(USE, M, N, K, T, STORAGE, COUNT, PACKED)                                                           \
  template <class Layout> class fragment<USE, M, N, K, T, Layout> : public details::part<T, STORAGE, COUNT, PACKED> {};
#define US_SUM(M, N, K, T, COUNT)                                                                                      \
  template <> class fragment<accumulator, M, N, K, T, void> : public details::part<T, T, COUNT> {};

#define US_LOAD(USE, M, N, K, T, POINTER, WORD, COUNT, FUNCTION)                                                       \
  template <class Layout>                                                                                              \
  US_MMA void load_matrix_sync(fragment<USE, M, N, K, T, Layout> &to, const POINTER *from, unsigned int stride) {      \
    details::registers<WORD, COUNT> loaded;                                                                            \
    FUNCTION(loaded.words, reinterpret_cast<const WORD *>(from), stride, details::is_column<Layout>::value);           \
    loaded.to(to);                                                                                                     \
  }
#define US_LOAD_SUM(M, N, K, T, WORD, COUNT, LOAD, STORE)                                                              \
  US_MMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from, unsigned int stride,              \
                               layout_t layout) {                                                                      \
    details::registers<WORD, COUNT> loaded;                                                                            \
    if (layout == mem_row_major)                                                                                       \
      LOAD(loaded.words, reinterpret_cast<const WORD *>(from), stride, 0);                                             \
    else                                                                                                               \
      LOAD(loaded.words, reinterpret_cast<const WORD *>(from), stride, 1);                                             \
    loaded.to(to);                                                                                                     \
  }                                                                                                                    \
  US_MMA void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from, unsigned int stride,             \
                                layout_t layout) {                                                                     \
    const details::registers<WORD, COUNT> stored(from);                                                                \
    if (layout == mem_row_major)                                                                                       \
      STORE(reinterpret_cast<WORD *>(to), stored.words, stride, 0);                                                    \
    else                                                                                                               \
      STORE(reinterpret_cast<WORD *>(to), stored.words, stride, 1);                                                    \
  }
#define US_PRODUCT(M, N, K, T, A, B, WORD, D, WORDS_D, C, WORDS_C, COUNT_D, COUNT_C, FUNCTION)                         \
  template <class OfA, class OfB>                                                                                      \
  US_MMA void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, OfA> &a,             \
                       const fragment<matrix_b, M, N, K, T, OfB> &b, const fragment<accumulator, M, N, K, C> &c,       \
                       bool saturates = false) {                                                                       \
    constexpr int kLayouts = 2 * details::is_column<OfA>::value + details::is_column<OfB>::value;                      \
    const details::registers<WORD, A> first(a);                                                                        \
    const details::registers<WORD, B> second(b);                                                                       \
    const details::registers<WORDS_C, COUNT_C> added(c);                                                               \
    details::registers<WORDS_D, COUNT_D> result;                                                                       \
    US_PRODUCT_##FUNCTION;                                                                                             \
    result.to(d);                                                                                                      \
  }
#define US_PRODUCT_PLAIN(FUNCTION) FUNCTION(result.words, first.words, second.words, added.words, kLayouts, 0)
#define US_PRODUCT_EITHER(FUNCTION)                                                                                    \
  if (saturates)                                                                                                       \
    FUNCTION(result.words, first.words, second.words, added.words, kLayouts, 1);                                       \
  else                                                                                                                 \
    FUNCTION(result.words, first.words, second.words, added.words, kLayouts, 0)

// Halves.
#define US_HALVES(M, N, K, SHAPE)                                                                                      \
  US_FRAGMENT(matrix_a, M, N, K, __half, __half, 16, 1)                                                                \
  US_FRAGMENT(matrix_b, M, N, K, __half, __half, 16, 1)                                                                \
  US_SUM(M, N, K, __half, 8)                                                                                           \
  US_SUM(M, N, K, float, 8)                                                                                            \
  US_LOAD(matrix_a, M, N, K, __half, __half, int, 8, __hmma_##SHAPE##_ld_a)                                            \
  US_LOAD(matrix_b, M, N, K, __half, __half, int, 8, __hmma_##SHAPE##_ld_b)                                            \
  US_LOAD_SUM(M, N, K, __half, int, 4, __hmma_##SHAPE##_ld_c_f16, __hmma_##SHAPE##_st_c_f16)                           \
  US_LOAD_SUM(M, N, K, float, float, 8, __hmma_##SHAPE##_ld_c_f32, __hmma_##SHAPE##_st_c_f32)                          \
  US_PRODUCT(M, N, K, __half, 8, 8, int, __half, int, __half, int, 4, 4, EITHER(__hmma_##SHAPE##_mma_f16f16))          \
  US_PRODUCT(M, N, K, __half, 8, 8, int, float, float, __half, int, 8, 4, EITHER(__hmma_##SHAPE##_mma_f32f16))         \
  US_PRODUCT(M, N, K, __half, 8, 8, int, __half, int, float, float, 4, 8, EITHER(__hmma_##SHAPE##_mma_f16f32))         \
  US_PRODUCT(M, N, K, __half, 8, 8, int, float, float, float, float, 8, 8, EITHER(__hmma_##SHAPE##_mma_f32f32))
US_HALVES(16, 16, 16, m16n16k16)
US_HALVES(32, 8, 16, m32n8k16)
US_HALVES(8, 32, 16, m8n32k16)
#undef US_HALVES

// Integers of 8 bits, in so many registers of A and B.
#define US_BYTES(M, N, K, SHAPE, A, B)                                                                                 \
  US_SUM(M, N, K, int, 8)                                                                                              \
  US_LOAD_SUM(M, N, K, int, int, 8, __imma_##SHAPE##_ld_c, __imma_##SHAPE##_st_c_i32)                                  \
  US_BYTES_OF(M, N, K, SHAPE, A, B, signed char, s8)                                                                   \
  US_BYTES_OF(M, N, K, SHAPE, A, B, unsigned char, u8)
#define US_BYTES_OF(M, N, K, SHAPE, A, B, T, NAME)                                                                     \
  US_FRAGMENT(matrix_a, M, N, K, T, T, 4 * A, 1)                                                                       \
  US_FRAGMENT(matrix_b, M, N, K, T, T, 4 * B, 1)                                                                       \
  US_LOAD(matrix_a, M, N, K, T, T, int, A, __imma_##SHAPE##_ld_a_##NAME)                                               \
  US_LOAD(matrix_b, M, N, K, T, T, int, B, __imma_##SHAPE##_ld_b_##NAME)                                               \
  US_PRODUCT(M, N, K, T, A, B, int, int, int, int, int, 8, 8, EITHER(__imma_##SHAPE##_mma_##NAME))
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
US_BYTES(16, 16, 16, m16n16k16, 2, 2)
US_BYTES(32, 8, 16, m32n8k16, 4, 1)
US_BYTES(8, 32, 16, m8n32k16, 1, 4)
#endif
#undef US_BYTES
#undef US_BYTES_OF

// Integers of 4 bits, and bits.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
US_SUM(8, 8, 32, int, 2)
US_LOAD_SUM(8, 8, 32, int, int, 2, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
#define US_NIBBLES(NAME, STORAGE)                                                                                      \
  US_FRAGMENT(matrix_a, 8, 8, 32, precision::NAME, STORAGE, 1, 8)                                                      \
  US_FRAGMENT(matrix_b, 8, 8, 32, precision::NAME, STORAGE, 1, 8)                                                      \
  US_LOAD(matrix_a, 8, 8, 32, precision::NAME, void, int, 1, __imma_m8n8k32_ld_a_##NAME)                               \
  US_LOAD(matrix_b, 8, 8, 32, precision::NAME, void, int, 1, __imma_m8n8k32_ld_b_##NAME)                               \
  US_PRODUCT(8, 8, 32, precision::NAME, 1, 1, int, int, int, int, int, 2, 2, NIBBLES(__imma_m8n8k32_mma_##NAME))
// Of these shapes A lies by rows and B by columns.
#define US_PRODUCT_NIBBLES(FUNCTION)                                                                                   \
  static_assert(kLayouts == 1, "A is row_major, B is col_major");                                                      \
  if (saturates)                                                                                                       \
    FUNCTION(result.words, first.words, second.words, added.words, 1, 1);                                              \
  else                                                                                                                 \
    FUNCTION(result.words, first.words, second.words, added.words, 1, 0)
US_NIBBLES(s4, int)
US_NIBBLES(u4, unsigned int)
#undef US_NIBBLES

US_SUM(8, 8, 128, int, 2)
US_LOAD_SUM(8, 8, 128, int, int, 2, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
US_FRAGMENT(matrix_a, 8, 8, 128, precision::b1, unsigned int, 1, 32)
US_FRAGMENT(matrix_b, 8, 8, 128, precision::b1, unsigned int, 1, 32)
US_LOAD(matrix_a, 8, 8, 128, precision::b1, void, int, 1, __bmma_m8n8k128_ld_a_b1)
US_LOAD(matrix_b, 8, 8, 128, precision::b1, void, int, 1, __bmma_m8n8k128_ld_b_b1)
/// How many bits two rows have different, or both have set.
template <class OfA, class OfB>
US_MMA void
bmma_sync(fragment<accumulator, 8, 8, 128, int> &d, const fragment<matrix_a, 8, 8, 128, precision::b1, OfA> &a,
          const fragment<matrix_b, 8, 8, 128, precision::b1, OfB> &b, const fragment<accumulator, 8, 8, 128, int> &c,
          bmmaBitOp operation = bmmaBitOpXOR, bmmaAccumulateOp = bmmaAccumulateOpPOPC) {
  const details::registers<int, 1> first(a), second(b);
  const details::registers<int, 2> added(c);
  details::registers<int, 2> result;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if (operation == bmmaBitOpAND)
    __bmma_m8n8k128_mma_and_popc_b1(result.words, first.words, second.words, added.words, 1);
  else
#endif
    __bmma_m8n8k128_mma_xor_popc_b1(result.words, first.words, second.words, added.words, 1);
  result.to(d);
}
#endif

// bfloat16, f32 of which 10 bits behind the leading one count, and doubles.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define US_BFLOATS(M, N, K, SHAPE, A, B)                                                                               \
  US_FRAGMENT(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, 2 * A, 1)                                               \
  US_FRAGMENT(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, 2 * B, 1)                                               \
  US_LOAD(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, int, A, __mma_bf16_##SHAPE##_ld_a)                          \
  US_LOAD(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, int, B, __mma_bf16_##SHAPE##_ld_b)                          \
  US_PRODUCT(M, N, K, __nv_bfloat16, A, B, int, float, float, float, float, 8, 8, PLAIN(__mma_bf16_##SHAPE##_mma_f32))
US_BFLOATS(16, 16, 16, m16n16k16, 4, 4)
US_BFLOATS(32, 8, 16, m32n8k16, 8, 2)
US_BFLOATS(8, 32, 16, m8n32k16, 2, 8)
#undef US_BFLOATS

US_FRAGMENT(matrix_a, 16, 16, 8, precision::tf32, float, 4, 1)
US_FRAGMENT(matrix_b, 16, 16, 8, precision::tf32, float, 4, 1)
US_SUM(16, 16, 8, float, 8)
US_LOAD(matrix_a, 16, 16, 8, precision::tf32, float, int, 4, __mma_tf32_m16n16k8_ld_a)
US_LOAD(matrix_b, 16, 16, 8, precision::tf32, float, int, 4, __mma_tf32_m16n16k8_ld_b)
US_LOAD_SUM(16, 16, 8, float, float, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
US_PRODUCT(16, 16, 8, precision::tf32, 4, 4, int, float, float, float, float, 8, 8, PLAIN(__mma_tf32_m16n16k8_mma_f32))
US_MMA float __float_to_tf32(float value) {
  float result = value;
#if defined(__CUDA__)
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  memcpy(&result, &bits, sizeof(result));
#endif
  return result;
}

US_FRAGMENT(matrix_a, 8, 8, 4, double, double, 1, 1)
US_FRAGMENT(matrix_b, 8, 8, 4, double, double, 1, 1)
US_SUM(8, 8, 4, double, 2)
US_LOAD(matrix_a, 8, 8, 4, double, double, double, 1, __dmma_m8n8k4_ld_a)
US_LOAD(matrix_b, 8, 8, 4, double, double, double, 1, __dmma_m8n8k4_ld_b)
US_LOAD_SUM(8, 8, 4, double, double, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
US_PRODUCT(8, 8, 4, double, 1, 1, double, double, double, double, double, 2, 2, PLAIN(__dmma_m8n8k4_mma_f64))
#endif

template <class Use, int M, int N, int K, class T, class Layout, class Value>
US_MMA void fill_fragment(fragment<Use, M, N, K, T, Layout> &to, const Value &value) {
  for (auto &element : to.x) element = value;
}

#undef US_FRAGMENT
#undef US_SUM
#undef US_LOAD
#undef US_LOAD_SUM
#undef US_PRODUCT
#undef US_PRODUCT_PLAIN
#undef US_PRODUCT_EITHER
#undef US_PRODUCT_NIBBLES

} // namespace wmma
} // namespace nvcuda

#undef US_MMA
#endif
