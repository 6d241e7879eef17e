// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution control, and occupancy.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/registry.h"
#include "icd/cudart/thread_state.h"

#include <type_traits>

namespace us::cudart {
namespace {

/// "cudaErrorInvalidConfiguration: ... a kernel launch is requesting resources that can never be satisfied by the
/// current device. Requesting more shared memory per block than the device supports will trigger this error, as will
/// requesting too many threads or blocks." Drivers call all of that an invalid value.
bool canNeverRun(dim3 grid, dim3 block) {
  int device = 0;
  if (currentDevice(&device) != cudaSuccess) return false;
  struct Limit {
    CUdevice_attribute attribute;
    size_t asked;
  };
  const Limit limits[] = {{CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, grid.x},
                          {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, grid.y},
                          {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, grid.z},
                          {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, block.x},
                          {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, block.y},
                          {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, block.z},
                          {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, size_t{block.x} * block.y * block.z}};
  for (const Limit &limit : limits) {
    int most = 0;
    if (driver().cuDeviceGetAttribute(&most, limit.attribute, device) != CUDA_SUCCESS) return false;
    if (limit.asked == 0 || limit.asked > static_cast<size_t>(most)) return true;
  }
  return false;
}

cudaError_t launchError(CUresult result, dim3 grid, dim3 block) {
  return result == CUDA_ERROR_INVALID_VALUE && canNeverRun(grid, block) ? cudaErrorInvalidConfiguration
                                                                        : errorOf(result);
}

/// "A CUkernel may be given in the place of a function": it means the one of the current context.
CUfunction asFunction(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

CUlaunchConfig sameConfig(const cudaLaunchConfig_t &config) {
  const dim3 grid = config.gridDim, block = config.blockDim;
  CUlaunchConfig same = {};
  same.gridDimX = grid.x, same.gridDimY = grid.y, same.gridDimZ = grid.z;
  same.blockDimX = block.x, same.blockDimY = block.y, same.blockDimZ = block.z;
  same.sharedMemBytes = static_cast<unsigned>(config.dynamicSmemBytes);
  same.hStream = streamOf(config.stream);
  same.attrs = reinterpret_cast<CUlaunchAttribute *>(config.attrs);
  same.numAttrs = config.numAttrs;
  return same;
}

template <class Ask>
cudaError_t askOfClusters(int *answer, const void *function, const cudaLaunchConfig_t *config, Ask ask) {
  if (!answer || !config) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  const CUlaunchConfig same = sameConfig(*config);
  return errorOf(ask(answer, known, &same));
}

} // namespace

cudaError_t launchKernelOf(CUkernel kernel, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                           cudaStream_t stream) {
  return launchError(driver().cuLaunchKernel(asFunction(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                             static_cast<unsigned>(sharedBytes), streamOf(stream), arguments, nullptr),
                     grid, block);
}

cudaError_t launchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                         cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  CUkernel kernel = nullptr;
  US_RETURN_IF_ERROR(kernelOf(function, &kernel));
  return launchKernelOf(kernel, grid, block, arguments, sharedBytes, stream);
}

cudaError_t launchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes,
                                    cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction kernel = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &kernel));
  return launchError(driver().cuLaunchCooperativeKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                        static_cast<unsigned>(sharedBytes), streamOf(stream),
                                                        arguments),
                     grid, block);
}

cudaError_t launchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  if (!config) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUkernel kernel = nullptr;
  US_RETURN_IF_ERROR(kernelOf(function, &kernel));
  const CUlaunchConfig same = sameConfig(*config);
  return launchError(driver().cuLaunchKernelEx(&same, asFunction(kernel), arguments, nullptr), config->gridDim,
                     config->blockDim);
}

cudaError_t funcSetCacheConfig(const void *function, cudaFuncCache config) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuFuncSetCacheConfig(known, static_cast<CUfunc_cache>(config)));
}

cudaError_t funcSetSharedMemConfig(const void *function, cudaSharedMemConfig config) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuFuncSetSharedMemConfig(known, static_cast<CUsharedconfig>(config)));
}

cudaError_t funcGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  if (!attributes) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  cudaFuncAttributes all = {};
  auto read = [&](auto &member, CUfunction_attribute attribute) {
    int value = 0;
    const CUresult result = driver().cuFuncGetAttribute(&value, attribute, known);
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    return errorOf(result);
  };
  US_RETURN_IF_ERROR(read(all.sharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  US_RETURN_IF_ERROR(read(all.constSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
  US_RETURN_IF_ERROR(read(all.localSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  US_RETURN_IF_ERROR(read(all.maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  US_RETURN_IF_ERROR(read(all.numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS));
  US_RETURN_IF_ERROR(read(all.ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION));
  US_RETURN_IF_ERROR(read(all.binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION));
  US_RETURN_IF_ERROR(read(all.cacheModeCA, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA));
  US_RETURN_IF_ERROR(read(all.maxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  US_RETURN_IF_ERROR(read(all.preferredShmemCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT));
  // Of clusters, which not every driver knows.
  read(all.clusterDimMustBeSet, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET);
  read(all.requiredClusterWidth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
  read(all.requiredClusterHeight, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT);
  read(all.requiredClusterDepth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH);
  read(all.clusterSchedulingPolicyPreference, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  read(all.nonPortableClusterSizeAllowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  *attributes = all;
  return cudaSuccess;
}

cudaError_t funcSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuFuncSetAttribute(known, static_cast<CUfunction_attribute>(attribute), value));
}

cudaError_t funcGetName(const char **name, const void *function) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuFuncGetName(name, known));
}

cudaError_t funcGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuFuncGetParamInfo(known, index, offset, size));
}

cudaError_t getFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  if (!function) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return functionOf(symbol, function);
}

cudaError_t getKernel(cudaKernel_t *kernel, const void *symbol) {
  if (!kernel) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  US_RETURN_IF_ERROR(kernelOf(symbol, kernel));
  noteKernel(*kernel, nullptr);
  return cudaSuccess;
}

cudaError_t occupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                      size_t dynamicShared) {
  return occupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamicShared,
                                                            cudaOccupancyDefault);
}

cudaError_t occupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                               size_t dynamicShared, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(
      driver().cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, known, threads, dynamicShared, flags));
}

cudaError_t occupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config) {
  return askOfClusters(clusters, function, config, driver().cuOccupancyMaxActiveClusters);
}

cudaError_t occupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *config) {
  return askOfClusters(size, function, config, driver().cuOccupancyMaxPotentialClusterSize);
}

cudaError_t occupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads) {
  US_RETURN_IF_ERROR(useContext());
  CUfunction known = nullptr;
  US_RETURN_IF_ERROR(functionOf(function, &known));
  return errorOf(driver().cuOccupancyAvailableDynamicSMemPerBlock(bytes, known, blocks, threads));
}

} // namespace us::cudart

using namespace us::cudart;

// What nvcc of CUDA 13 makes of <<<>>>.
extern "C" __attribute__((visibility("default"))) cudaError_t __cudaGetKernel(cudaKernel_t *kernel,
                                                                              const void *function) {
  return noteError(getKernel(kernel, function));
}

extern "C" __attribute__((visibility("default"))) cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid,
                                                                                 dim3 block, void **arguments,
                                                                                 size_t sharedBytes,
                                                                                 cudaStream_t stream) {
  const cudaError_t error = useContext();
  return noteError(error == cudaSuccess ? launchKernelOf(kernel, grid, block, arguments, sharedBytes, stream) : error);
}
