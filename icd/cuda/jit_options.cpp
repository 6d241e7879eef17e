// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/jit_options.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace us::cuda {

Expected<JitOptions> JitOptions::read(unsigned count, CUjit_option *options, void **values) {
  JitOptions result;
  if (count > 0 && (!options || !values)) return fail(CUDA_ERROR_INVALID_VALUE, "JIT options without an array");
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
      result.info_.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      result.info_.size = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      result.error_.buffer = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      result.error_.size = &values[i];
      break;
    case CU_JIT_WALL_TIME:
      result.wallTime_ = &values[i];
      break;
    case CU_JIT_TARGET:
      result.target = unsigned(reinterpret_cast<uintptr_t>(values[i]));
      break;
    case CU_JIT_MAX_REGISTERS:
      result.mostRegisters = unsigned(reinterpret_cast<uintptr_t>(values[i]));
      break;
    case CU_JIT_THREADS_PER_BLOCK:
      result.threadsPerBlock = unsigned(reinterpret_cast<uintptr_t>(values[i]));
      result.threads_ = &values[i];
      break;
    default:
      // The rest asks for what makes no difference here: optimisation, strategy, caches. An H200 takes any value.
      if (options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS)
        return fail(CUDA_ERROR_INVALID_VALUE, format("there is no JIT option {}", int(options[i])));
    }
  }
  return result;
}

void JitOptions::writeLog(const Log &log, const std::string &text) {
  if (!log.size) return;
  const auto room = size_t(unsigned(reinterpret_cast<uintptr_t>(*log.size)));
  size_t used = 0;
  if (log.buffer && room > 0) {
    used = std::min(text.size(), room - 1);
    std::memcpy(log.buffer, text.data(), used);
    log.buffer[used] = '\0';
  }
  *log.size = reinterpret_cast<void *>(uintptr_t(used));
}

void JitOptions::write(const std::string &info, const std::string &error, float milliseconds) const {
  writeLog(info_, info);
  writeLog(error_, error);
  // "The number of threads the compiler actually targeted": code is good for as many as there may be.
  if (threads_)
    *threads_ = reinterpret_cast<void *>(uintptr_t(threadsPerBlock ? std::min(threadsPerBlock, 1024u) : 1024u));
  // A float in the place of a pointer, as the API has it.
  if (wallTime_) *wallTime_ = reinterpret_cast<void *>(uintptr_t(std::bit_cast<uint32_t>(milliseconds)));
}

} // namespace us::cuda
