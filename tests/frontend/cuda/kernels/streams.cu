// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two steps of a pipeline that streams overlap: each chunk is scaled where it lies; then, behind all of them, chunks are added up.
extern "C" __global__ void scale_chunk(float *values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
extern "C" __global__ void add_chunks(float *sums, const float *values, int n, int chunks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int chunk = 0; chunk < chunks; ++chunk) sum += values[chunk * n + i];
  sums[i] = sum;
}
