// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of arguments' memory, one for each thread of a launch, of memory to which the kernel does nothing but combine
// integers into it (docs/decisions/0060-private-copies.md).
#pragma once

#include "emulator/abi/argument_copies.h"
#include "runtime/device/executable.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace us::exec {

class ArgumentCopies {
public:
  /// The launch's: `arguments` is its argument block, whose pointers have allocations of the device's.
  ArgumentCopies(std::span<const abi::ArgumentCopy> wanted, std::span<const ArgumentInfo> parameters,
                 const std::byte *arguments);
  ArgumentCopies(const ArgumentCopies &) = delete;
  ArgumentCopies &operator=(const ArgumentCopies &) = delete;

  /// For one more thread: by argument, what the code uses in its place. Filled with what changes nothing. Throws
  /// std::bad_alloc. Null: nothing is copied.
  std::byte *const *add();
  /// When all threads are done, combines their copies into the memory, in which other commands may be at work.
  void combine();
  /// Of an address in a copy, or near it, that of the memory itself.
  uint64_t original(uint64_t address) const;

private:
  struct Copied {
    abi::ArgumentCopy kind;
    std::byte *memory; ///< the allocation's
    uint64_t size;     ///< bytes, as asked for
    uint64_t offset;   ///< where the argument points to
    const char *owner;
  };
  struct OfThread {
    OfThread() = default;
    OfThread(OfThread &&) = default;
    ~OfThread();
    std::vector<std::byte *> memory;    ///< by copied argument
    std::vector<std::byte *> arguments; ///< by argument
  };

  std::vector<Copied> copied_;
  size_t parameters_ = 0;
  mutable std::mutex mutex_; ///< guards what is in the next one, but not what its copies hold
  std::vector<OfThread> threads_;
};

} // namespace us::exec
