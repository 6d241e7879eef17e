// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accelerations of bodies that attract each other; positions go through shared memory.
extern "C" __global__ void n_body(float4 *accelerations, const float4 *bodies, int n, float softening) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned j = 0; j < blockDim.x; ++j) {
      const float x = tile[j].x - mine.x, y = tile[j].y - mine.y, z = tile[j].z - mine.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening);
      const float scale = tile[j].w * inverse * inverse * inverse;
      sum.x += x * scale, sum.y += y * scale, sum.z += z * scale;
    }
    __syncthreads();
  }
  if (i < n) accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}
