// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The disk cache of compiled programs and machine code. Lives here and not with code generation, because a hit must not
// open the compiler library (docs/decisions/0010-object-cache-beside-the-device.md).
#pragma once

#include "emulator/device/cache_key.h"
#include "emulator/device/serialize.h"
#include "runtime/base/private_folder.h"

#include <atomic>
#include <optional>
#include <string>

namespace us::emulator {

/// One directory of entries, shared by any number of processes: an entry is written to a file of its own and renamed,
/// so a reader sees all of it or nothing. Failures to write are logged once and mean that nothing is kept; so does a
/// folder that somebody else owns or may write, in which nothing is looked up either.
class ObjectCache {
public:
  /// An empty directory: nothing is kept or found.
  ObjectCache(std::string directory, std::string identity, uint64_t sizeLimit);

  bool enabled() const { return !directory_.empty(); }
  const std::string &directory() const { return directory_; }

  /// A stored build whose included files still have the contents they had.
  std::optional<StoredProgram> findProgram(const CacheKey &key) const;
  std::optional<abi::CodeData> findCode(const CacheKey &key) const;
  void store(const CacheKey &key, const StoredProgram &program);
  void store(const CacheKey &key, const abi::CodeData &code);

  /// Removes the entries used longest ago until they are below the limit. Runs by itself now and then.
  void shrink();

private:
  std::optional<Bytes> read(ContentKind kind, const CacheKey &key) const;
  void write(ContentKind kind, const CacheKey &key, ByteView payload);

  std::optional<PrivateFolder> open() const;

  const std::string directory_, identity_;
  const uint64_t sizeLimit_;
  mutable std::atomic<bool> cannotBeUsed_{false}, cannotBeWritten_{false}; ///< said
  std::atomic<uint32_t> writes_{0};
};

} // namespace us::emulator
