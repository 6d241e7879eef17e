// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of loading a module, and what is written back into them.
#pragma once

#include "icd/cuda/api.h"

#include <string>

namespace us::cuda {

class JitOptions {
public:
  /// CUDA_ERROR_INVALID_VALUE for an option that there is not.
  static Expected<JitOptions> read(unsigned count, CUjit_option *options, void **values);

  /// Writes the logs, their used sizes, and the time. Called once, in either outcome.
  void write(const std::string &info, const std::string &error, float milliseconds) const;

  /// What is said where a log is not asked for.
  bool wantsInfo() const { return info_.size != nullptr; }

  unsigned target = 0;          ///< 90 for sm_90; 0: not asked for
  unsigned mostRegisters = 0;   ///< of a thread; 0: not said
  unsigned threadsPerBlock = 0; ///< at least; 0: not said

private:
  struct Log {
    char *buffer = nullptr;
    void **size = nullptr; ///< where the room stands, and the used size goes
  };
  static void writeLog(const Log &log, const std::string &text);

  Log info_, error_;
  void **wallTime_ = nullptr, **threads_ = nullptr;
};

} // namespace us::cuda
