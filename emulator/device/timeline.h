// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an engine's devices did and when, for UNDERSTUDY_TIMELINE: a line of JSON for each launch, build and transfer.
// `understudy trace` makes a trace of it.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/device/statistics.h"
#include "runtime/base/geometry.h"
#include "runtime/device/executable.h"

#include <mutex>
#include <string>
#include <string_view>

namespace us::emulator {

class Timeline {
public:
  explicit Timeline(std::string path) : path_(std::move(path)) {}
  ~Timeline() { flush(); }

  struct Span {
    uint64_t begin = 0, end = 0; ///< nanoseconds of monotonicNanoseconds()
  };
  struct Launch {
    const std::string &device;
    Span span;
    Size3 globalSize, localSize;
    const KernelInfo *kernel = nullptr;
    const abi::CodeData *code = nullptr;
    uint64_t counters = 0;   ///< Specialization::counters
    std::string_view source; ///< the program's
  };
  void launch(const KernelRun &run, const Launch &launch);
  /// `what` is "build", "code", "copy" or "fill"; of the last two there are bytes.
  void other(const char *what, const std::string &name, Span span, uint64_t bytes);
  /// Lines are kept until there are many: to be called when the process ends.
  void flush();

private:
  void write(const std::string &line);

  const std::string path_;
  std::mutex mutex_; ///< guards the lines
  std::string lines_;
};

} // namespace us::emulator
