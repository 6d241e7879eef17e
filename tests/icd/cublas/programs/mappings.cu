// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix over two mappings in a row, as pools of clients grow; one that goes on where nothing is mapped is refused.
//! nvcc: -lcublas -lcuda
#include "../../cudart/check.h"

#include <cublas_v2.h>
#include <cuda.h>
#include <vector>

#define CU(...) CHECK((__VA_ARGS__) == CUDA_SUCCESS)

int main() {
  OK(cudaFree(nullptr));
  CUmemAllocationProp what = {};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  what.location.id = 0;
  size_t part = 0;
  CU(cuMemGetAllocationGranularity(&part, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr place = 0;
  CU(cuMemAddressReserve(&place, 3 * part, 0, 0, 0));
  const CUmemAccessDesc access = {what.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  for (int i = 0; i < 2; ++i) {
    CUmemGenericAllocationHandle handle = 0;
    CU(cuMemCreate(&handle, part, &what, 0));
    CU(cuMemMap(place + i * part, part, 0, handle, 0));
    CU(cuMemRelease(handle));
  }
  CU(cuMemSetAccess(place, 2 * part, &access, 1));

  // A column across the border: y = A x with A of one column.
  const int rows = 1024, begin = int(part / sizeof(float)) - rows / 2;
  float *const matrix = reinterpret_cast<float *>(place) + begin, *one, *y;
  std::vector<float> values(rows), result(rows);
  for (int i = 0; i < rows; ++i) values[i] = float(i + 1);
  OK(cudaMemcpy(matrix, values.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMalloc(&one, sizeof(float)));
  OK(cudaMalloc(&y, rows * sizeof(float)));
  const float two = 2, alpha = 1, beta = 0;
  OK(cudaMemcpy(one, &two, sizeof two, cudaMemcpyHostToDevice));
  cublasHandle_t handle = nullptr;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, rows, 1, 1, &alpha, matrix, rows, one, 1, &beta, y, rows) ==
        CUBLAS_STATUS_SUCCESS);
  OK(cudaMemcpy(result.data(), y, rows * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows; ++i) CHECK(result[i] == 2 * values[i]);

  float *const beyond = reinterpret_cast<float *>(place + 2 * part) - rows / 2;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, rows, 1, 1, &alpha, beyond, rows, one, 1, &beta, y, rows) ==
        CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  CU(cuMemUnmap(place, 2 * part));
  CU(cuMemAddressFree(place, 3 * part));
  return failures != 0;
}
