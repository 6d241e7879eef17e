// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles, versions, the order on a stream, graphs, and what is refused.
//! nvcc: -lcusolver
#include "matrices.h"

__global__ void fill(double *A, int n, double value, int turns) {
  float sum = 0;
  for (int i = 0; i < turns; ++i) sum += sinf(float(i));
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) A[i] = sum == 12345.f ? 0 : i % (n + 1) == 0 ? value : 0;
}

int main() {
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnCreate(nullptr));
  SOLVER(cusolverDnCreate(&handle));
  int version = 0, major = 0, minor = 0, patch = 0;
  SOLVER(cusolverGetVersion(&version));
  SOLVER(cusolverGetProperty(MAJOR_VERSION, &major));
  SOLVER(cusolverGetProperty(MINOR_VERSION, &minor));
  SOLVER(cusolverGetProperty(PATCH_LEVEL, &patch));
  CHECK(version == major * 1000 + minor * 100 + patch && version == CUSOLVER_VERSION);
  cusolverDeterministicMode_t mode;
  SOLVER(cusolverDnSetDeterministicMode(handle, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS));
  SOLVER(cusolverDnGetDeterministicMode(handle, &mode));
  CHECK(mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  cusolverDnParams_t params;
  SOLVER(cusolverDnCreateParams(&params));
  SOLVER(cusolverDnSetAdvOptions(params, CUSOLVERDN_GETRF, CUSOLVER_ALG_1));
  SOLVER(cusolverDnDestroyParams(params));

  // Work waits for what is before it on its stream, and what is behind it waits for it; info is set in this order too.
  constexpr int n = 8;
  double *A, *work, root = 0;
  int *info, result = -1, lwork = 0;
  cudaStream_t stream, got = nullptr;
  OK(cudaMalloc(&A, n * n * sizeof(double)));
  OK(cudaMalloc(&info, sizeof(int)));
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SOLVER(cusolverDnSetStream(handle, stream));
  SOLVER(cusolverDnGetStream(handle, &got));
  CHECK(got == stream);
  SOLVER(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, A, n, &lwork));
  OK(cudaMalloc(&work, lwork * sizeof(double)));
  fill<<<1, 32, 0, stream>>>(A, n, 9, 20000);
  SOLVER(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, A, n, work, lwork, info));
  OK(cudaMemcpyAsync(&root, A + n * n - 1, sizeof root, cudaMemcpyDeviceToHost, stream));
  OK(cudaMemcpyAsync(&result, info, sizeof result, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(root == 3 && result == 0);

  // In a graph it is done at each launch, also when the handle is gone: the root of the root.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cusolverDnHandle_t second;
  SOLVER(cusolverDnCreate(&second));
  SOLVER(cusolverDnSetStream(second, stream));
  fill<<<1, 32, 0, stream>>>(A, n, 81, 1);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SOLVER(cusolverDnDpotrf(second, CUBLAS_FILL_MODE_LOWER, n, A, n, work, lwork, info));
  OK(cudaStreamEndCapture(stream, &graph));
  SOLVER(cusolverDnDestroy(second));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaMemcpyAsync(&root, A, sizeof root, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(root == 3);
  OK(cudaGraphExecDestroy(exec));

  // "If Cholesky factorization failed ... devInfo would indicate smallest leading minor of A which is not positive"
  fill<<<1, 32, 0, stream>>>(A, n, -1, 1);
  SOLVER(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, A, n, work, lwork, info));
  OK(cudaMemcpyAsync(&result, info, sizeof result, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(result == 1);

  // What is refused, and what has nothing to do.
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf_bufferSize(handle, lower, n, A, n - 1, &lwork));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf_bufferSize(handle, lower, -1, A, n, &lwork));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf_bufferSize(handle, lower, n, A, n, nullptr));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf(handle, lower, n, A, n - 1, work, lwork, info));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_FULL, n, A, n, work, lwork, info));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf(handle, lower, n, A, n, work, 0, info));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDpotrf(handle, lower, n, A, n, work, lwork, nullptr));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, cusolverDnDgebrd(handle, n - 1, n, A, n, A, A, A, A, work, lwork, info));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE,
         cusolverDnXpotrf(handle, nullptr, lower, n, CUDA_R_16F, A, n, CUDA_R_16F, work, 8, nullptr, 0, info));
  STATUS(CUSOLVER_STATUS_EXECUTION_FAILED,
         cusolverDnDpotrf(handle, lower, n + 1, A, n + 1, work, lwork, info)); // is said
  STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, cusolverDnXpotrf(handle, nullptr, lower, 1ll << 31, CUDA_R_64F, A, 1ll << 31,
                                                         CUDA_R_64F, work, 8, nullptr, 0, info));
  SOLVER(cusolverDnDpotrf(handle, lower, 0, nullptr, 1, work, lwork, info));
  SOLVER(cusolverDnDgetrf(handle, 0, n, nullptr, 1, work, nullptr, info));
  SOLVER(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, lower, 0, nullptr, 1, nullptr, work, lwork, info));
  SOLVER(cusolverDnDgesvd(handle, 'A', 'A', 0, 0, nullptr, 1, nullptr, nullptr, 1, nullptr, 1, work, lwork, nullptr,
                          info));
  OK(cudaStreamSynchronize(stream));

  SOLVER(cusolverDnDestroy(handle));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverDnDestroy(handle));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverDnDpotrf(handle, lower, n, A, n, work, lwork, info));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverDnSetStream(handle, nullptr));
  OK(cudaFree(A));
  OK(cudaFree(work));
  OK(cudaFree(info));
  OK(cudaStreamDestroy(stream));
  return failures != 0;
}
