/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A host program of the driver API in C, as people write them: loads the kernels beside it, which understudy-nvcc
 * compiled, launches each and compares with plain loops. Usage: host MODULES, a folder that holds NAME.cubin. */
#include "icd/cuda/include/cuda.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;
static int failures;

static void check(CUresult result, const char *call) {
  const char *name = NULL;
  if (result == CUDA_SUCCESS) return;
  cuGetErrorName(result, &name);
  printf("%s: %s\n", call, name ? name : "an unknown error");
  exit(1);
}
#define CHECK(call) check(call, #call)

static CUmodule load(const char *name) {
  char path[4096];
  CUmodule module;
  snprintf(path, sizeof(path), "%s/%s.cubin", folder, name);
  CHECK(cuModuleLoad(&module, path));
  return module;
}

static CUfunction functionOf(CUmodule module, const char *name) {
  CUfunction function;
  CHECK(cuModuleGetFunction(&function, module, name));
  return function;
}

/* Device memory with a content, or zeros where there is none. */
static CUdeviceptr buffer(const void *content, size_t size) {
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, size));
  if (content) {
    CHECK(cuMemcpyHtoD(memory, content, size));
  } else {
    CHECK(cuMemsetD8(memory, 0, size));
    CHECK(cuCtxSynchronize()); /* a fill returns early, and other streams need not wait for it */
  }
  return memory;
}

static void *contentOf(CUdeviceptr memory, size_t size) {
  void *content = malloc(size);
  CHECK(cuMemcpyDtoH(content, memory, size));
  return content;
}

static void launch(CUfunction function, unsigned gridX, unsigned gridY, unsigned blockX, unsigned blockY,
                   unsigned shared, void **arguments) {
  CHECK(cuLaunchKernel(function, gridX, gridY, 1, blockX, blockY, 1, shared, NULL, arguments, NULL));
  CHECK(cuCtxSynchronize());
}

static void say(const char *name, int right) {
  printf("%s: %s\n", name, right ? "right" : "WRONG");
  failures += !right;
}

static void vectorAdd(void) {
  enum { kCount = 1000 };
  static float a[kCount], b[kCount];
  int n = kCount, right = 1;
  for (int i = 0; i < n; ++i) a[i] = (float)i, b[i] = 0.25f * (float)i;
  CUdeviceptr da = buffer(a, sizeof(a)), db = buffer(b, sizeof(b)), dc = buffer(NULL, sizeof(a));
  void *arguments[] = {&dc, &da, &db, &n};
  launch(functionOf(load("vector_add"), "vector_add"), 3, 1, 128, 1, 0, arguments);
  float *c = contentOf(dc, sizeof(a));
  for (int i = 0; i < n; ++i) right &= c[i] == a[i] + b[i];
  say("vector_add", right);
}

static void matrixProduct(void) {
  enum { kSize = 37 };
  static float a[kSize][kSize], b[kSize][kSize];
  int n = kSize, right = 1;
  for (int i = 0; i < n * n; ++i) a[i / n][i % n] = (float)(i * 7 % 11 - 5), b[i / n][i % n] = (float)(i * 5 % 11 - 5);
  CUdeviceptr da = buffer(a, sizeof(a)), db = buffer(b, sizeof(b)), dc = buffer(NULL, sizeof(a));
  void *arguments[] = {&dc, &da, &db, &n};
  launch(functionOf(load("matrix_product"), "matrix_product"), 3, 3, 16, 16, 0, arguments);
  float(*c)[kSize] = contentOf(dc, sizeof(a));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i][k] * b[k][j];
      right &= c[i][j] == sum; /* small whole numbers: exact in any order */
    }
  say("matrix_product", right);
}

static void reduction(void) {
  enum { kCount = 10007 };
  static int values[kCount];
  int n = kCount, sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] = i * 37 % 101 - 50;
  CUdeviceptr from = buffer(values, sizeof(values)), total = buffer(NULL, 4);
  void *arguments[] = {&total, &from, &n};
  launch(functionOf(load("reduction"), "reduction"), 6, 1, 256, 1, 0, arguments);
  say("reduction", *(int *)contentOf(total, 4) == sum);
}

static void scan(void) {
  enum { kCount = 512 };
  int values[kCount], sum = 0, right = 1;
  for (int i = 0; i < kCount; ++i) values[i] = i * 13 % 29 - 7;
  CUdeviceptr from = buffer(values, sizeof(values)), to = buffer(NULL, sizeof(values));
  void *arguments[] = {&to, &from};
  launch(functionOf(load("scan"), "scan"), 1, 1, kCount, 1, 2 * sizeof(values), arguments);
  int *sums = contentOf(to, sizeof(values));
  for (int i = 0; i < kCount; ++i) right &= sums[i] == (sum += values[i]);
  say("scan", right);
}

static void histogram(void) {
  enum { kCount = 20000 };
  static unsigned char values[kCount];
  unsigned expected[256] = {0};
  int n = kCount;
  for (int i = 0; i < n; ++i) ++expected[values[i] = (unsigned char)(i * i % 251)];
  CUdeviceptr from = buffer(values, sizeof(values)), counts = buffer(NULL, sizeof(expected));
  void *arguments[] = {&counts, &from, &n};
  launch(functionOf(load("histogram"), "histogram"), 5, 1, 192, 1, 0, arguments);
  say("histogram", memcmp(contentOf(counts, sizeof(expected)), expected, sizeof(expected)) == 0);
}

static int within(int x, int size) { return x < 0 ? 0 : x >= size ? size - 1 : x; }

static CUarray arrayOf(const float *content, size_t width, size_t height) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
  CUDA_MEMCPY2D copy = {0};
  CUarray array;
  descriptor.Width = width, descriptor.Height = height;
  descriptor.Format = CU_AD_FORMAT_FLOAT, descriptor.NumChannels = 1, descriptor.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CHECK(cuArray3DCreate(&array, &descriptor));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = content, copy.srcPitch = 4 * width;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = 4 * width, copy.Height = height;
  CHECK(cuMemcpy2D(&copy));
  return array;
}

static void convolution(void) {
  enum { kWidth = 40, kHeight = 24 };
  static float image[kHeight][kWidth], result[kHeight][kWidth];
  const float weights[5] = {1, 2, 4, 2, 1};
  int width = kWidth, height = kHeight, right = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image[y][x] = (float)((x * 3 + y * 5) % 17);
  CUarray from = arrayOf(&image[0][0], kWidth, kHeight), to = arrayOf(&result[0][0], kWidth, kHeight);
  CUDA_RESOURCE_DESC resource = {0};
  CUDA_TEXTURE_DESC sampling = {0};
  CUtexObject texture;
  CUsurfObject surface;
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = from;
  sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CHECK(cuTexObjectCreate(&texture, &resource, &sampling, NULL));
  resource.res.array.hArray = to;
  CHECK(cuSurfObjectCreate(&surface, &resource));
  CUmodule module = load("convolution");
  CUdeviceptr constant;
  size_t size;
  CHECK(cuModuleGetGlobal(&constant, &size, module, "weights"));
  CHECK(cuMemcpyHtoD(constant, weights, sizeof(weights)));
  void *arguments[] = {&surface, &texture, &width, &height};
  launch(functionOf(module, "convolution"), 3, 2, 16, 16, 0, arguments);
  CUDA_MEMCPY2D copy = {0};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = to;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = result, copy.dstPitch = sizeof(result[0]);
  copy.WidthInBytes = sizeof(result[0]), copy.Height = kHeight;
  CHECK(cuMemcpy2D(&copy));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          sum += weights[i] * weights[j] * image[within(y + j - 2, height)][within(x + i - 2, width)];
      right &= result[y][x] == sum;
    }
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuArrayDestroy(from));
  CHECK(cuArrayDestroy(to));
  say("convolution", size == sizeof(weights) && right);
}

static void transpose(void) {
  enum { kRows = 50, kColumns = 70 };
  static int values[kRows][kColumns];
  int rows = kRows, columns = kColumns, right = 1;
  for (int i = 0; i < rows * columns; ++i) values[i / columns][i % columns] = i;
  CUdeviceptr from = buffer(values, sizeof(values)), to = buffer(NULL, sizeof(values));
  void *arguments[] = {&to, &from, &rows, &columns};
  launch(functionOf(load("transpose"), "transpose"), 3, 2, 32, 8, 0, arguments);
  int(*turned)[kRows] = contentOf(to, sizeof(values));
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) right &= turned[x][y] == values[y][x];
  say("transpose", right);
}

static void bodies(void) {
  enum { kCount = 70 };
  float all[kCount][4], softening = 0.125f;
  int n = kCount, right = 1;
  unsigned dice = 1;
  for (int i = 0; i < 4 * n; ++i)
    dice = dice * 1664525u + 1013904223u, all[i / 4][i % 4] = (float)(dice >> 8) / 8388608.0f - 1.0f;
  CUdeviceptr from = buffer(all, sizeof(all)), to = buffer(NULL, sizeof(all));
  void *arguments[] = {&to, &from, &n, &softening};
  launch(functionOf(load("n_body"), "n_body"), 3, 1, 32, 1, 32 * 16, arguments);
  float(*found)[4] = contentOf(to, sizeof(all));
  for (int i = 0; i < n; ++i) {
    double sums[3] = {0, 0, 0};
    for (int j = 0; j < n; ++j) {
      double delta[3], square = softening;
      for (int k = 0; k < 3; ++k) delta[k] = (double)all[j][k] - all[i][k], square += delta[k] * delta[k];
      for (int k = 0; k < 3; ++k) sums[k] += all[j][3] * delta[k] * pow(square, -1.5);
    }
    for (int k = 0; k < 3; ++k) right &= fabs(found[i][k] - sums[k]) <= 1e-3 + 1e-4 * fabs(sums[k]);
  }
  say("n_body", right);
}

static void monteCarlo(void) {
  int points = 200, right = 1;
  CUdeviceptr hits = buffer(NULL, 24);
  void *arguments[] = {&hits, &points};
  launch(functionOf(load("monte_carlo"), "monte_carlo"), 4, 1, 64, 1, 0, arguments);
  unsigned long long *counts = contentOf(hits, 24);
  const double total = 4.0 * 64 * points, share = atan(1.0);
  /* Five standard deviations of the count of each generator. */
  for (int i = 0; i < 3; ++i) right &= fabs((double)counts[i] - total * share) < 5 * sqrt(total * share * (1 - share));
  say("monte_carlo", right);
}

static void sorted(void) {
  enum { kCount = 1024 };
  unsigned keys[kCount], right = 1;
  unsigned long long before = 0, after = 0;
  for (unsigned i = 0; i < kCount; ++i) before += keys[i] = i * 2654435761u;
  CUdeviceptr memory = buffer(keys, sizeof(keys));
  void *arguments[] = {&memory};
  launch(functionOf(load("sort"), "sort"), 1, 1, kCount, 1, 0, arguments);
  unsigned *found = contentOf(memory, sizeof(keys));
  for (unsigned i = 0; i < kCount; ++i) after += found[i], right &= i == 0 || found[i - 1] < found[i];
  say("sort", right && before == after);
}

static void streams(void) {
  enum { kCount = 500, kChunks = 4 };
  float *host[kChunks], factors[kChunks];
  int n = kCount, chunks = kChunks, right = 1;
  CUstream stream[kChunks], last;
  CUdeviceptr values = buffer(NULL, kChunks * kCount * 4), sums = buffer(NULL, kCount * 4);
  CUmodule module = load("streams");
  CUfunction scale = functionOf(module, "scale_chunk"), add = functionOf(module, "add_chunks");
  CHECK(cuStreamCreate(&last, CU_STREAM_NON_BLOCKING));
  for (int k = 0; k < kChunks; ++k) {
    CUdeviceptr chunk = values + (size_t)k * kCount * 4;
    CUevent event;
    CHECK(cuMemHostAlloc((void **)&host[k], kCount * 4, 0));
    for (int i = 0; i < n; ++i) host[k][i] = (float)((i * 7 + k) % 31);
    factors[k] = (float)k + 0.5f;
    CHECK(cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    CHECK(cuMemcpyHtoDAsync(chunk, host[k], kCount * 4, stream[k]));
    void *arguments[] = {&chunk, &factors[k], &n};
    CHECK(cuLaunchKernel(scale, 2, 1, 1, 256, 1, 1, 0, stream[k], arguments, NULL));
    CHECK(cuEventRecord(event, stream[k]));
    CHECK(cuStreamWaitEvent(last, event, 0));
    CHECK(cuEventDestroy(event));
  }
  void *arguments[] = {&sums, &values, &n, &chunks};
  CHECK(cuLaunchKernel(add, 2, 1, 1, 256, 1, 1, 0, last, arguments, NULL));
  CHECK(cuStreamSynchronize(last));
  float *found = contentOf(sums, kCount * 4);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < kChunks; ++k) sum += host[k][i] * factors[k];
    right &= found[i] == sum; /* multiples of a half: exact */
  }
  for (int k = 0; k < kChunks; ++k) {
    CHECK(cuStreamDestroy(stream[k]));
    CHECK(cuMemFreeHost(host[k]));
  }
  say("streams", right);
}

static void halves(void) {
  /* Two pairs: 1.5 * (1, 2) + (0.5, -3) and 1.5 * (4, -8) + (1, 1), whose bits binary16 has exactly. */
  const unsigned short x[4] = {0x3C00, 0x4000, 0x4400, 0xC800}, y[4] = {0x3800, 0xC200, 0x3C00, 0x3C00};
  const unsigned short expected[4] = {0x4000, 0x0000, 0x4700, 0xC980};
  CUdeviceptr from = buffer(x, sizeof(x)), to = buffer(y, sizeof(y));
  float factor = 1.5f;
  int n = 2;
  void *arguments[] = {&to, &from, &factor, &n};
  launch(functionOf(load("half_precision"), "half_axpy"), 1, 1, 32, 1, 0, arguments);
  say("half_precision", memcmp(contentOf(to, sizeof(y)), expected, sizeof(y)) == 0);
}

static void lookBackScan(void) {
  enum { kBlocks = 40, kCount = 256 * kBlocks };
  static unsigned values[kCount];
  unsigned sum = 0, right = 1;
  for (unsigned i = 0; i < kCount; ++i) values[i] = i * 7 % 13;
  CUdeviceptr from = buffer(values, sizeof(values)), to = buffer(NULL, sizeof(values));
  CUdeviceptr published = buffer(NULL, 8 * kBlocks), ticket = buffer(NULL, 4);
  void *arguments[] = {&to, &from, &published, &ticket};
  launch(functionOf(load("look_back_scan"), "look_back_scan"), kBlocks, 1, 256, 1, 0, arguments);
  unsigned *sums = contentOf(to, sizeof(values));
  for (unsigned i = 0; i < kCount; sum += values[i++]) right &= sums[i] == sum;
  say("look_back_scan", (int)right);
}

static void spinLock(void) {
  CUdeviceptr lock = buffer(NULL, 4), counter = buffer(NULL, 4);
  void *arguments[] = {&lock, &counter};
  launch(functionOf(load("spin_lock"), "spin_lock"), 3, 1, 96, 1, 0, arguments);
  say("spin_lock", *(int *)contentOf(counter, 4) == 3 * 96);
}

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  if (argc != 2) {
    fprintf(stderr, "usage: host MODULES\n");
    return 2;
  }
  folder = argv[1];
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, NULL, 0, device));
  vectorAdd();
  matrixProduct();
  reduction();
  scan();
  histogram();
  convolution();
  transpose();
  bodies();
  monteCarlo();
  sorted();
  streams();
  halves();
  lookBackScan();
  spinLock();
  CHECK(cuCtxDestroy(context));
  return failures != 0;
}
