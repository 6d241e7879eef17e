// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryFile: memory that has a file descriptor instead of a name, so that processes can hand it to each other.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <memory>

namespace us {

class MemoryFile {
public:
  /// A new one of no bytes. OutOfResources when the system has no more.
  static Expected<std::shared_ptr<MemoryFile>> create(const char *name);
  /// A new one whose size is for ever, so that whoever maps it never finds it shorter.
  static Expected<std::shared_ptr<MemoryFile>> create(const char *name, uint64_t size);
  /// The seals of such a file.
  static const int kFixedSeals;
  /// Another process's, by a descriptor that stays the caller's. InvalidValue if it is no such file.
  static Expected<std::shared_ptr<MemoryFile>> open(int descriptor);
  ~MemoryFile();
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int descriptor() const { return descriptor_; }
  /// One more descriptor, which is the caller's.
  Expected<int> duplicate() const;
  /// Tells this file from every other one of the machine.
  uint64_t identity() const;
  uint64_t size() const;
  /// Makes it longer; what is new is zero, and takes memory when it is touched.
  Expected<void> resize(uint64_t size);
  Expected<void> read(uint64_t offset, void *into, uint64_t size) const;
  Expected<void> write(uint64_t offset, const void *from, uint64_t size);

private:
  explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
  const int descriptor_;
};

} // namespace us
