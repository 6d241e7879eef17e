// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, streams, pointer modes, batches, small types, and what is refused.
//! nvcc: -lcublas
#include "../../cudart/check.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <vector>

#define BLAS(...) STATUS(CUBLAS_STATUS_SUCCESS, __VA_ARGS__)
#define STATUS(status, ...)                                                                                            \
  do {                                                                                                                 \
    const cublasStatus_t got_ = (__VA_ARGS__);                                                                         \
    if (got_ != (status) && ++failures < 20)                                                                           \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #__VA_ARGS__, cublasGetStatusName(got_));                     \
  } while (false)

__global__ void fill(float *x, float value, int turns) {
  float sum = 0;
  for (int i = 0; i < turns; ++i) sum += sinf(float(i));
  x[threadIdx.x] = sum == 12345.f ? 0 : value;
}

int main() {
  cublasHandle_t handle = nullptr;
  STATUS(CUBLAS_STATUS_INVALID_VALUE, cublasCreate(nullptr));
  BLAS(cublasCreate(&handle));
  int version = 0;
  BLAS(cublasGetVersion(handle, &version));
  CHECK(version >= 120000);

  // Copies keep the elements between those that they set.
  const std::vector<float> source = {1, 2, 3, 4, 5, 6};
  std::vector<float> back(6, -1);
  float *x, *y;
  OK(cudaMalloc(&x, 64 * sizeof(float)));
  OK(cudaMalloc(&y, 64 * sizeof(float)));
  OK(cudaMemset(x, 0, 64 * sizeof(float)));
  BLAS(cublasSetVector(3, sizeof(float), source.data(), 2, x, 3)); // 1 0 0 3 0 0 5
  BLAS(cublasGetVector(7, sizeof(float), x, 1, std::vector<float>(7).data(), 1));
  BLAS(cublasGetVector(3, sizeof(float), x, 3, back.data(), 2));
  CHECK(back == std::vector<float>({1, -1, 3, -1, 5, -1}));
  BLAS(cublasSetMatrix(2, 2, sizeof(float), source.data(), 3, x, 2)); // 1 2 4 5
  BLAS(cublasGetMatrix(2, 2, sizeof(float), x, 2, back.data(), 3));
  CHECK(back == std::vector<float>({1, 2, 3, 4, 5, -1}));
  STATUS(CUBLAS_STATUS_INVALID_VALUE, cublasSetVector(3, 0, source.data(), 1, x, 1));

  // Work waits for what is before it on its stream, and what is behind it waits for it.
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  BLAS(cublasSetStream(handle, stream));
  const float two = 2;
  fill<<<1, 32, 0, stream>>>(x, 3, 20000);
  fill<<<1, 32, 0, stream>>>(y, 1, 1);
  BLAS(cublasSaxpy(handle, 32, &two, x, 1, y, 1));
  OK(cudaMemcpyAsync(back.data(), y, 6 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(back == std::vector<float>(6, 7));

  // In a graph it is done at each launch, also when the handle is gone.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cublasHandle_t second;
  BLAS(cublasCreate(&second));
  BLAS(cublasSetStream(second, stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  BLAS(cublasSaxpy(second, 32, &two, x, 1, y, 1));
  OK(cudaStreamEndCapture(stream, &graph));
  BLAS(cublasDestroy(second));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaMemcpyAsync(back.data(), y, 6 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(back == std::vector<float>(6, 19));
  OK(cudaGraphExecDestroy(exec));

  // Scalars in memory of the device are read when the work is done, and results lie there.
  float *scalar;
  OK(cudaMalloc(&scalar, 2 * sizeof(float)));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  fill<<<1, 1, 0, stream>>>(scalar, 10, 20000);
  BLAS(cublasSscal(handle, 32, scalar, x, 1));
  BLAS(cublasSdot(handle, 2, x, 1, x, 1, scalar + 1));
  OK(cudaMemcpyAsync(back.data(), scalar, 2 * sizeof(float), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(back[0] == 10 && back[1] == 1800);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

  // Halves, and bytes into integers, by one call each; many products by two ways to say where they are.
  __half *halves;
  int *sums;
  signed char *bytes;
  OK(cudaMallocManaged(&halves, 12 * sizeof(__half)));
  OK(cudaMallocManaged(&bytes, 8));
  OK(cudaMallocManaged(&sums, 4 * sizeof(int)));
  for (int i = 0; i < 12; ++i) halves[i] = __float2half(float(i % 4 + 1));
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<signed char>(i % 2 ? -127 : 100 + i);
  const __half one = __float2half(1), none = __float2half(0);
  BLAS(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, halves, 2, halves + 4, 2, &none, halves + 8, 2));
  const int oneInteger = 1, noInteger = 0;
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &oneInteger, bytes, CUDA_R_8I, 2, bytes + 4, CUDA_R_8I,
                    2, &noInteger, sums, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
  OK(cudaDeviceSynchronize());
  // (1 3; 2 4) times (1 2; 3 4)
  for (int i = 0; i < 4; ++i) CHECK(__half2float(halves[8 + i]) == (i == 0 ? 10 : i == 3 ? 20 : 14));
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column)
      CHECK(sums[2 * column + row] == bytes[row] * bytes[4 + 2 * column] + bytes[2 + row] * bytes[5 + 2 * column]);

  float *many, **pointers;
  OK(cudaMallocManaged(&many, 36 * sizeof(float)));
  OK(cudaMallocManaged(&pointers, 9 * sizeof(float *)));
  for (int i = 0; i < 36; ++i) many[i] = float(i), pointers[i / 4] = many + i / 4 * 4;
  const float zero = 0, unit = 1;
  BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &unit, many, 2, 4, many + 12, 2, 0, &zero,
                                 many + 24, 2, 4, 3));
  OK(cudaDeviceSynchronize());
  const std::vector<float> strided(many + 24, many + 36);
  for (int i = 0; i < 3; ++i)
    for (int row = 0; row < 2; ++row)
      for (int column = 0; column < 2; ++column)
        CHECK(strided[4 * i + 2 * column + row] ==
              many[4 * i + row] * many[12 + 2 * column] + many[4 * i + 2 + row] * many[13 + 2 * column]);
  for (int i = 0; i < 3; ++i) pointers[3 + i] = many + 12;
  BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &two, pointers, 2, pointers + 3, 2, &zero,
                          pointers + 6, 2, 3));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 12; ++i) CHECK(many[24 + i] == 2 * strided[i]);

  // Sums of many floats go on where a float would not.
  constexpr int large = 3 << 23;
  float *ones, sum = 0, norm = 0, product = 0;
  OK(cudaMallocManaged(&ones, large * sizeof(float)));
  for (int i = 0; i < large; ++i) ones[i] = 1;
  BLAS(cublasSasum(handle, large, ones, 1, &sum));
  BLAS(cublasSnrm2(handle, large, ones, 1, &norm));
  BLAS(cublasSdot(handle, large, ones, 1, ones, 1, &product));
  CHECK(sum == large && product == large && norm == sqrtf(large));
  OK(cudaFree(ones));

  // A triangle without gaps, and back: what lies beside it stays as it is.
  const float full[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  float *matrix, *packed;
  OK(cudaMallocManaged(&matrix, sizeof full));
  OK(cudaMallocManaged(&packed, 6 * sizeof(float)));
  for (const cublasFillMode_t triangle : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    const bool isLower = triangle == CUBLAS_FILL_MODE_LOWER;
    OK(cudaMemcpy(matrix, full, sizeof full, cudaMemcpyDefault));
    BLAS(cublasStrttp(handle, triangle, 3, matrix, 3, packed));
    OK(cudaDeviceSynchronize());
    OK(cudaMemset(matrix, 0, sizeof full));
    OK(cudaDeviceSynchronize());
    BLAS(cublasStpttr(handle, triangle, 3, packed, matrix, 3));
    OK(cudaDeviceSynchronize());
    for (int column = 0, next = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) {
        const int at = row + 3 * column;
        const bool isIn = isLower ? row >= column : row <= column;
        CHECK(matrix[at] == (isIn ? full[at] : 0));
        if (isIn) CHECK(packed[next++] == full[at]);
      }
  }
  // "cublasGemmEx: the compute type as a cudaDataType", as older programs say it in C++.
  OK(cudaMemcpy(matrix, full, sizeof full, cudaMemcpyDefault));
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 3, &two, matrix, CUDA_R_32F, 3, matrix, CUDA_R_32F, 3,
                    &zero, packed, CUDA_R_32F, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT));
  OK(cudaDeviceSynchronize());
  CHECK(packed[0] == 2 * (1 * 1 + 4 * 2 + 7 * 3));
  STATUS(CUBLAS_STATUS_INVALID_VALUE, cublasStrttp(handle, CUBLAS_FILL_MODE_LOWER, 3, matrix, 2, packed));
  OK(cudaFree(matrix));
  OK(cudaFree(packed));

  // What is wrong is refused before anything is touched.
  STATUS(CUBLAS_STATUS_NOT_INITIALIZED, cublasSscal(nullptr, 1, &two, x, 1));
  STATUS(CUBLAS_STATUS_NOT_INITIALIZED, cublasSscal(reinterpret_cast<cublasHandle_t>(&version), 1, &two, x, 1));
  STATUS(CUBLAS_STATUS_INVALID_VALUE, cublasSscal(handle, 1, nullptr, x, 1));
  STATUS(CUBLAS_STATUS_INVALID_VALUE,
         cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &two, x, 2, y, 2, &two, y, 2));
  STATUS(CUBLAS_STATUS_INVALID_VALUE,
         cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 2, &two, x, 2, y, 2, &two, y, 4));
  STATUS(CUBLAS_STATUS_INVALID_VALUE, cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &two, x, 2, y, 0, &two, y, 1));
  STATUS(CUBLAS_STATUS_EXECUTION_FAILED, cublasSscal(handle, 65, &two, x, 1));
  STATUS(CUBLAS_STATUS_EXECUTION_FAILED, cublasSscal(handle, 1, &two, back.data(), 1));
  CHECK(back[0] == 10);

  OK(cudaStreamDestroy(stream));
  for (void *memory : {(void *)x, (void *)y, (void *)scalar, (void *)halves, (void *)bytes, (void *)sums, (void *)many,
                       (void *)pointers})
    OK(cudaFree(memory));
  BLAS(cublasDestroy(handle));
  STATUS(CUBLAS_STATUS_NOT_INITIALIZED, cublasDestroy(handle));
  return failures != 0;
}
