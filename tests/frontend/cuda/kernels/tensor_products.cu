// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcuda::wmma of every type: one warp, one product of matrices that lie in memory by rows or by columns.
#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, class T, class Sum, class OfA, class OfB, class Element>
__device__ void product(const Element *a, const Element *b, const Sum *c, Sum *d, unsigned strideOfA,
                        unsigned strideOfB, wmma::layout_t order) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, OfA> first;
  wmma::fragment<wmma::matrix_b, M, N, K, T, OfB> second;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum, added;
  wmma::load_matrix_sync(first, a, strideOfA);
  wmma::load_matrix_sync(second, b, strideOfB);
  wmma::load_matrix_sync(added, c, order == wmma::mem_row_major ? N : M, order);
  wmma::mma_sync(sum, first, second, added);
  wmma::store_matrix_sync(d, sum, order == wmma::mem_row_major ? N : M, order);
}

#define US_KERNEL(NAME, M, N, K, T, ELEMENT, SUM)                                                                      \
  extern "C" __global__ void NAME(const ELEMENT *a, const ELEMENT *b, const SUM *c, SUM *d) {                          \
    product<M, N, K, T, SUM, wmma::row_major, wmma::col_major>(a, b, c, d, K, K, wmma::mem_col_major);                 \
    product<M, N, K, T, SUM, wmma::col_major, wmma::row_major>(a, b, c, d + M * N, M, N, wmma::mem_row_major);         \
  }
US_KERNEL(halves_16_16, 16, 16, 16, __half, __half, float)
US_KERNEL(halves_32_8, 32, 8, 16, __half, __half, float)
US_KERNEL(halves_8_32, 8, 32, 16, __half, __half, float)
US_KERNEL(bfloats_16_16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float)
US_KERNEL(bfloats_32_8, 32, 8, 16, __nv_bfloat16, __nv_bfloat16, float)
US_KERNEL(bfloats_8_32, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float)
US_KERNEL(tf32, 16, 16, 8, wmma::precision::tf32, float, float)
US_KERNEL(doubles, 8, 8, 4, double, double, double)
US_KERNEL(bytes_16_16, 16, 16, 16, signed char, signed char, int)
US_KERNEL(bytes_32_8, 32, 8, 16, unsigned char, unsigned char, int)
US_KERNEL(bytes_8_32, 8, 32, 16, signed char, signed char, int)

extern "C" __global__ void sums_of_halves(const __half *a, const __half *b, const __half *c, __half *d) {
  __shared__ __half tile[256];
  for (unsigned i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> second;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
  wmma::fill_fragment(sum, __float2half(2.0f));
  wmma::load_matrix_sync(first, tile, 16);
  wmma::load_matrix_sync(second, b, 16);
  wmma::mma_sync(sum, first, second, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = __hadd(sum.x[i], sum.x[i]);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (unsigned i = threadIdx.x; i < 256; i += 32) d[i] = __hadd(tile[i], c[i]);
}

extern "C" __global__ void bits(const unsigned *a, const unsigned *b, const int *c, int *d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> second;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum, added;
  wmma::load_matrix_sync(first, a, 128);
  wmma::load_matrix_sync(second, b, 128);
  wmma::load_matrix_sync(added, c, 8, wmma::mem_row_major);
  wmma::bmma_sync(sum, first, second, added);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
  wmma::bmma_sync(sum, first, second, added, wmma::experimental::bmmaBitOpAND);
  wmma::store_matrix_sync(d + 64, sum, 8, wmma::mem_row_major);
}

extern "C" __global__ void nibbles(const unsigned *a, const unsigned *b, const int *c, int *d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, wmma::experimental::precision::s4, wmma::col_major> second;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum, added;
  wmma::load_matrix_sync(first, a, 32);
  wmma::load_matrix_sync(second, b, 32);
  wmma::load_matrix_sync(added, c, 8, wmma::mem_row_major);
  wmma::mma_sync(sum, first, second, added, true);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}
