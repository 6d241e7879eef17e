// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references of CUDA 11: variables that are bound to memory and arrays.
//! nvcc:
//! nvcc: -cudart shared
//! environment: UNDERSTUDY_CUDA_VERSION=11.8
#include "../check.h"

texture<float, cudaTextureType1D, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> plane(0, cudaFilterModeLinear, cudaAddressModeClamp);
static texture<uchar4, 1, cudaReadModeNormalizedFloat> colours;
texture<int, 1> numbers; // bound by nobody
surface<void, cudaSurfaceType2D> result;
texture<float, 2> rows;

__global__ void read(float *out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch(line, i);
  out[8 + i] = tex2D(plane, i + 1.0f, 1.0f); // between four
  out[16 + i] = tex1Dfetch(colours, i).z;
  out[24 + i] = tex2D(rows, 2.5f, i / 4 + 0.5f);
  surf2Dwrite(i * 3.0f, result, i * 4, 1);
}

int main() {
  float *memory, *out, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i * i;
  OK(cudaMalloc(&memory, sizeof host));
  OK(cudaMalloc(&out, 32 * sizeof(float)));
  OK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(0, line, memory)); // all that there is
  size_t offset = 9;
  OK(cudaGetTextureAlignmentOffset(&offset, line));
  CHECK(offset == 0);

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray *array, *written;
  OK(cudaMallocArray(&array, &format, 16, 4));
  OK(cudaMallocArray(&written, &format, 8, 2, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 4, cudaMemcpyHostToDevice));
  OK(cudaBindTextureToArray(plane, array));
  OK(cudaBindSurfaceToArray(result, written));

  unsigned char bytes[32];
  for (int i = 0; i < 32; ++i) bytes[i] = static_cast<unsigned char>(i * 8);
  void *pixels;
  OK(cudaMalloc(&pixels, sizeof bytes));
  OK(cudaMemcpy(pixels, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(&offset, colours, pixels, cudaCreateChannelDesc<uchar4>(), sizeof bytes));

  float *pitched;
  size_t pitch = 0;
  OK(cudaMallocPitch(&pitched, &pitch, 16, 2));
  OK(cudaMemcpy2D(pitched, pitch, host, 16, 16, 2, cudaMemcpyHostToDevice));
  OK(cudaBindTexture2D(0, rows, pitched, 4, 2, pitch));

  read<<<1, 8>>>(out);
  OK(cudaDeviceSynchronize());
  float got[32], surfaces[16];
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy2DFromArray(surfaces, 32, written, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) {
    CHECK(got[i] == host[i]);
    CHECK(got[8 + i] == (host[i] + host[i + 1] + host[16 + i] + host[17 + i]) / 4);
    CHECK(got[16 + i] == bytes[4 * i + 2] / 255.0f);
    CHECK(got[24 + i] == host[i / 4 * 4 + 2]);
    CHECK(surfaces[8 + i] == i * 3.0f);
  }

  // What they say of themselves may change between two bindings.
  plane.filterMode = cudaFilterModePoint;
  OK(cudaBindTextureToArray(plane, array));
  // What does not lie where textures may begin is so far behind that place.
  EXPECT(cudaErrorInvalidValue, cudaBindTexture(0, line, memory + 4, 8 * sizeof(float)));
  OK(cudaBindTexture(&offset, line, memory + 4, 8 * sizeof(float)));
  CHECK(offset == 4 * sizeof(float));
  OK(cudaGetTextureAlignmentOffset(&offset, line));
  CHECK(offset == 4 * sizeof(float));
  read<<<1, 8>>>(out);
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) CHECK(got[i] == host[i]);
  for (int i = 0; i < 8; ++i) CHECK(got[8 + i] == host[17 + i]);

  const textureReference *found = nullptr;
  OK(cudaGetTextureReference(&found, &line));
  CHECK(found == &line);
  textureReference stranger = {};
  EXPECT(cudaErrorInvalidTexture, cudaGetTextureReference(&found, &stranger));
  EXPECT(cudaErrorInvalidTexture, cudaBindTexture(nullptr, &stranger, memory, &format, 32));
  OK(cudaUnbindTexture(line));
  return failures;
}
