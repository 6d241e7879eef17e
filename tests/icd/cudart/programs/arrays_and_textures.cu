// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, and textures and surfaces over them and over memory.
#include "../check.h"
#include <vector>

__global__ void sample(cudaTextureObject_t texture, float *to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width) to[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
__global__ void between(cudaTextureObject_t texture, float *to) { *to = tex2D<float>(texture, 1.0f, 0.5f); }
__global__ void fetch(cudaTextureObject_t texture, int *to, int n) {
  const int i = threadIdx.x;
  if (i < n) to[i] = tex1Dfetch<int>(texture, n - 1 - i);
}
__global__ void write(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width) surf2Dwrite(x * 10.0f + y, surface, x * (int)sizeof(float), y);
}

int main() {
  const int width = 33, height = 9;
  std::vector<float> image(width * height), back(width * height);
  for (size_t i = 0; i < image.size(); ++i) image[i] = i * 0.5f;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
  cudaArray_t array;
  OK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                         cudaMemcpyHostToDevice));
  cudaChannelFormatDesc known;
  cudaExtent extent;
  unsigned flags;
  OK(cudaArrayGetInfo(&known, &extent, &flags, array));
  CHECK(known.x == 32 && known.f == cudaChannelFormatKindFloat && extent.width == width && extent.height == height);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  float *device;
  OK(cudaMalloc(&device, image.size() * sizeof(float)));
  sample<<<dim3(2, height), 32>>>(texture, device, width, height);
  OK(cudaMemcpy(back.data(), device, image.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(back == image);
  between<<<1, 1>>>(texture, device);
  float middle = 0;
  OK(cudaMemcpy(&middle, device, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(middle == 0.25f);
  cudaTextureDesc told;
  OK(cudaGetTextureObjectTextureDesc(&told, texture));
  CHECK(told.filterMode == cudaFilterModeLinear && told.addressMode[1] == cudaAddressModeClamp);
  OK(cudaDestroyTextureObject(texture));

  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  write<<<height, 64>>>(surface, width);
  OK(cudaMemcpy2DFromArray(back.data(), width * sizeof(float), array, 0, 0, width * sizeof(float), height,
                           cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) CHECK(back[y * width + x] == x * 10.0f + y);
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(array));

  const int values[5] = {1, 2, 3, 4, 5};
  int *linear, *results, got[5];
  OK(cudaMalloc(&linear, sizeof(values)));
  OK(cudaMalloc(&results, sizeof(values)));
  OK(cudaMemcpy(linear, values, sizeof(values), cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  resource.res.linear.sizeInBytes = sizeof(values);
  description = {};
  description.readMode = cudaReadModeElementType;
  OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  fetch<<<1, 5>>>(texture, results, 5);
  OK(cudaMemcpy(got, results, sizeof(got), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 5; ++i) CHECK(got[i] == 5 - i);
  cudaResourceDesc toldResource;
  OK(cudaGetTextureObjectResourceDesc(&toldResource, texture));
  CHECK(toldResource.resType == cudaResourceTypeLinear && toldResource.res.linear.devPtr == linear);
  CHECK(toldResource.res.linear.desc.x == 32 && toldResource.res.linear.desc.f == cudaChannelFormatKindSigned);
  OK(cudaDestroyTextureObject(texture));

  // Three channels are none of the formats.
  const cudaChannelFormatDesc wrong = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  EXPECT(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &wrong, 4, 4));
  return failures != 0;
}
