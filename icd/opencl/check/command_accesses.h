// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a command may use, as far as that is known before it runs.
#pragma once

#include "icd/opencl/check/host_side.h"
#include "runtime/core/buffer.h"
#include "runtime/core/queue.h"

#include <optional>
#include <vector>

namespace us::opencl {

/// The buffer that is divided.
const core::Buffer &wholeOf(const core::Buffer &buffer);

/// What a command does with a range of memory.
struct CheckedAccess {
  Ref<core::WeakLink<core::Buffer>> memory; ///< the whole that is divided
  uint64_t begin = 0, end = 0;
  bool reads = false, writes = false;
};

/// Which side of a command's copy is the program's own memory, as its type says.
enum class Side : uint8_t { Neither, From, To };
Side hostSideOf(uint32_t type);
/// The same of a command; nothing if it has none.
std::optional<HostSide> hostSideOf(const core::CommandRequest &request);
/// Where it is from, and where to, may be the program's own memory.
bool isSvmTransfer(uint32_t type);

class CommandAccesses {
public:
  CommandAccesses(const core::CommandRequest &request, const Device &device);

  std::vector<CheckedAccess> take() { return std::move(accesses_); }
  std::vector<core::Buffer *> memories() const;
  /// The kernel has pointers that are no buffers.
  bool followsPointers() const { return followsPointers_; }

private:
  void add(const core::Buffer &buffer, uint64_t begin, uint64_t end, bool reads, bool writes);
  void addArguments(const LaunchCommand &launch);
  void addRange(const std::byte *memory, uint64_t size, bool reads, bool writes);

  const Device &device_;
  std::vector<core::Buffer *> buffers_, images_;
  std::vector<CheckedAccess> accesses_;
  bool followsPointers_ = false;
};

} // namespace us::opencl
