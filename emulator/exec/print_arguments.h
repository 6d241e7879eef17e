// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of CUDA's vprintf, whose types only the format says.
#pragma once

#include "emulator/abi/kernel_abi.h"

#include <string>

namespace us::exec {

struct PrintRecord {
  static constexpr uint32_t kMostArguments = 32; ///< "at most 32 arguments in addition to the format string"
  std::byte bytes[kMostArguments * (sizeof(abi::PrintTag) + 8)];
  uint32_t size = 0, count = 0;
};

/// Takes from `arguments`, where each lies at a multiple of its size, what the format asks for. May fault where these
/// are no addresses.
void readPrintArguments(const char *format, const std::byte *arguments, PrintRecord &into);

/// What is wrong with arguments for a format; empty: nothing that is known. `stored` says of each byte at `arguments`
/// what has written it (abi::StoredArgument), `size` of them; null: nothing.
std::string printMismatch(const char *format, const uint8_t *stored, uint64_t size);

} // namespace us::exec
