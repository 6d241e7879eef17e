// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions say of themselves, and occupancy.
#include "icd/cuda/cluster.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/module.h"
#include "runtime/base/align.h"

#include <algorithm>

namespace us::cuda {
namespace {

int64_t deviceFact(const Function &function, CUdevice_attribute attribute) {
  return attributeOf(function.context().device(), attribute).value_or(0);
}

int maxThreads(const Function &function) {
  uint64_t most = uint64_t(deviceFact(function, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  for (const Size3 &limit : {function.info().maxWorkGroupSize, function.info().requiredWorkGroupSize})
    if (limit[0] != 0) most = std::min(most, limit[0] * limit[1] * limit[2]);
  return int(most);
}

KernelText textOf(const Function &function) { return function.module().textOf(function.name()); }

struct FunctionAttributeRow {
  CUfunction_attribute attribute;
  int64_t (*value)(const Function &function);
};
constexpr FunctionAttributeRow kFunctionAttributes[] = {
    {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, [](const Function &f) -> int64_t { return maxThreads(f); }},
    {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
     [](const Function &f) {
       // As an H200's driver counts: what the launch adds begins at a multiple of 16.
       return int64_t(alignTo(f.info().localMemory, f.takesDynamicShared() ? 16 : 1));
     }},
    {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, [](const Function &f) { return int64_t(textOf(f).constBytes); }},
    {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, [](const Function &f) { return int64_t(textOf(f).localBytes); }},
    {CU_FUNC_ATTRIBUTE_NUM_REGS, [](const Function &f) -> int64_t { return textOf(f).registers; }},
    {CU_FUNC_ATTRIBUTE_PTX_VERSION, [](const Function &f) { return int64_t(f.info().languageTarget); }},
    {CU_FUNC_ATTRIBUTE_BINARY_VERSION,
     [](const Function &f) {
       return deviceFact(f, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
              deviceFact(f, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
     }},
    {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, [](const Function &) -> int64_t { return 0; }},
    {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
     [](const Function &f) -> int64_t {
       if (f.maxDynamicShared >= 0) return f.maxDynamicShared;
       return std::max<int64_t>(
           deviceFact(f, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK) - int64_t(f.info().localMemory), 0);
     }},
    {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, [](const Function &f) -> int64_t { return f.carveout; }},
    {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, [](const Function &f) -> int64_t { return f.info().wantsClusters; }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, [](const Function &f) { return int64_t(requiredCluster(f)[0]); }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, [](const Function &f) { return int64_t(requiredCluster(f)[1]); }},
    {CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, [](const Function &f) { return int64_t(requiredCluster(f)[2]); }},
    {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
     [](const Function &f) -> int64_t { return f.mayBeNonPortable; }},
    {CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
     [](const Function &f) -> int64_t { return f.clusterPolicy; }},
};

} // namespace

Expected<void> funcGetModule(CUmodule *module, CUfunction handle) {
  US_CHECK(checkOut(module, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  *module = handleOf(function->module());
  return {};
}

Expected<void> funcGetName(const char **name, CUfunction handle) {
  US_CHECK(checkOut(name, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  *name = function->name().c_str();
  return {};
}

Expected<void> funcGetParamInfo(CUfunction handle, size_t index, size_t *offset, size_t *size) {
  US_CHECK(checkOut(offset, "the offset"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  uint64_t at = 0;
  for (size_t i = 0; i < function->parameters().size(); ++i) {
    const ArgumentInfo &parameter = function->parameters()[i];
    at = alignTo(at, parameter.alignment);
    if (i == index) {
      *offset = at;
      if (size) *size = parameter.size;
      return {};
    }
    at += parameter.size;
  }
  return fail(CUDA_ERROR_INVALID_VALUE,
              format("parameter {} of {}, which has {}", index, function->name(), function->parameters().size()));
}

Expected<void> funcGetAttribute(int *value, CUfunction_attribute attribute, CUfunction handle) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  for (const FunctionAttributeRow &row : kFunctionAttributes) {
    if (row.attribute != attribute) continue;
    *value = int(row.value(*function));
    return {};
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no function attribute {}", int(attribute)));
}

Expected<void> funcSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    const int64_t most = deviceFact(*function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                         int64_t(function->info().localMemory);
    if (value < 0 || value > most)
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes of shared memory, {} are possible", value, most));
    function->maxDynamicShared = value;
    return {};
  }
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
    if (value < -1 || value > 100) return fail(CUDA_ERROR_INVALID_VALUE, format("{} percent", value));
    function->carveout = value;
    return {};
  }
  if (attribute >= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH && attribute <= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH) {
    // "If the value is set during compile time, it cannot be set at runtime." A real driver takes the same value.
    const Size3 &compiled = function->info().requiredClusterSize;
    const unsigned dimension = attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH;
    if (compiled[0] != 0 && compiled[dimension] == uint64_t(value)) return {};
    if (compiled[0] != 0)
      return fail(CUDA_ERROR_NOT_PERMITTED, format("{} was compiled for clusters of a size", function->name()));
    if (value < 0) return fail(CUDA_ERROR_INVALID_VALUE, format("clusters of {} blocks", value));
    function->requiredCluster[dimension] = value;
    return {};
  }
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
    if (value != 0 && value != 1) return fail(CUDA_ERROR_INVALID_VALUE, format("{} is neither 0 nor 1", value));
    function->mayBeNonPortable = value == 1;
    return {};
  }
  if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) {
    constexpr int kLastPolicy = 2; // default, spread, load balancing
    if (value < 0 || value > kLastPolicy)
      return fail(CUDA_ERROR_INVALID_VALUE, format("there is no scheduling policy {}", value));
    function->clusterPolicy = value;
    return {};
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("function attribute {} cannot be set", int(attribute)));
}

Expected<void> funcSetCacheConfig(CUfunction handle, CUfunc_cache config) {
  US_CHECK(functionOf(handle));
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no cache configuration {}", int(config)));
  return {};
}

Expected<void> funcSetSharedMemConfig(CUfunction handle, CUsharedconfig config) {
  US_CHECK(functionOf(handle));
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no shared memory configuration {}", int(config)));
  return {};
}

Expected<void> funcIsLoaded(CUfunctionLoadingState *state, CUfunction handle) {
  US_CHECK(checkOut(state, "the result"));
  US_CHECK(functionOf(handle));
  // Code is made when it is first needed; what can be wrong with a function was found when its module was loaded.
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return {};
}

Expected<void> funcLoad(CUfunction handle) {
  US_CHECK(functionOf(handle));
  return {};
}

namespace {

/// As many as threads, blocks, registers and shared memory of a multiprocessor allow.
int64_t blocksAtOnce(const Function &function, int blockSize, size_t dynamicBytes) {
  if (blockSize > maxThreads(function)) return 0;
  const auto threads = int64_t(alignTo(uint64_t(blockSize), 32));
  int64_t most = deviceFact(function, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  most = std::min(most, deviceFact(function, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / threads);
  most = std::min(most, deviceFact(function, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) /
                            (threads * std::max<int64_t>(textOf(function).registers, 1)));
  const uint64_t shared = function.info().localMemory + dynamicBytes;
  if (shared)
    most = std::min(most,
                    deviceFact(function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / int64_t(shared));
  return most;
}

Expected<void> checkOccupancyFlags(unsigned flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  return {};
}

} // namespace

int64_t blocksOnDevice(const Function &function, int blockSize, size_t dynamicBytes) {
  return blocksAtOnce(function, blockSize, dynamicBytes) *
         deviceFact(function, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

Expected<void> occupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction handle, int blockSize,
                                                         size_t dynamicBytes) {
  US_CHECK(checkOut(blocks, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (blockSize <= 0) return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} threads", blockSize));
  *blocks = int(blocksAtOnce(*function, blockSize, dynamicBytes));
  return {};
}

Expected<void> occupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int blockSize,
                                                                  size_t dynamicBytes, unsigned flags) {
  US_CHECK(checkOccupancyFlags(flags));
  return occupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, dynamicBytes);
}

/// The block with which most threads are there at once; of several the largest.
Expected<void> occupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction handle,
                                              CUoccupancyB2DSize dynamicBytesOf, size_t dynamicBytes, int limit) {
  US_CHECK(checkOut(minGridSize, "the size of the grid"));
  US_CHECK(checkOut(blockSize, "the size of the block"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  const int most = limit > 0 ? std::min(limit, maxThreads(*function)) : maxThreads(*function);
  int64_t best = 0;
  *blockSize = *minGridSize = 0;
  for (int size = most; size > 0; size = size % 32 ? size / 32 * 32 : size - 32) {
    const int64_t blocks = blocksAtOnce(*function, size, dynamicBytesOf ? dynamicBytesOf(size) : dynamicBytes);
    if (blocks * size <= best) continue;
    best = blocks * size;
    *blockSize = size;
    *minGridSize = int(blocks * deviceFact(*function, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  }
  return {};
}

Expected<void> occupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
                                                       CUoccupancyB2DSize dynamicBytesOf, size_t dynamicBytes,
                                                       int limit, unsigned flags) {
  US_CHECK(checkOccupancyFlags(flags));
  return occupancyMaxPotentialBlockSize(minGridSize, blockSize, function, dynamicBytesOf, dynamicBytes, limit);
}

Expected<void> occupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction handle, int blocks, int blockSize) {
  US_CHECK(checkOut(bytes, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (blocks <= 0 || blockSize <= 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} blocks of {} threads", blocks, blockSize));
  const int64_t all = deviceFact(*function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / blocks;
  const int64_t room = function->maxDynamicShared >= 0
                           ? deviceFact(*function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
                           : deviceFact(*function, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  const int64_t free = std::min(all, room) - int64_t(function->info().localMemory);
  *bytes = blocksAtOnce(*function, blockSize, 0) < blocks ? 0 : size_t(std::max<int64_t>(free, 0));
  return {};
}

} // namespace us::cuda
