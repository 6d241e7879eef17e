// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a device.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/memory_file.h"
#include "runtime/device/memory_owner.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace us {

struct ImageDescription;

/// An allocation on one device; freed by its destructor (which also gives the bytes back to the device's account).
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// The device's address of the first byte. On a device that shares host memory, also the host's.
  virtual uint64_t address() const = 0;
  /// The host's address of the first byte, or null if the host cannot reach it.
  virtual std::byte *hostAddress() const = 0;
  virtual uint64_t size() const = 0; ///< bytes

  /// Lets other processes map this memory (MemoryRequest::file): from now on it lies at the beginning of a file, always
  /// the same one. Address and contents stay, but nothing may use it during the call. OutOfResources, MapFailure;
  /// Unsupported where it cannot be.
  virtual Expected<std::shared_ptr<MemoryFile>> share() {
    return fail(ErrorCode::Unsupported, "the memory cannot be shared with other processes");
  }
  /// From now on the host may not touch the memory, and whoever does is told why on standard error; `reason` is not
  /// copied. Null: it may again. Commands are not hindered. Only where MemoryRequest::isRestrictable said so; nothing
  /// to do where the host reaches nothing anyway.
  virtual void restrictHostAccess(const char *reason) { (void)reason; }
};

/// What kernels may do with memory (CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY): whoever does something else has made a
/// mistake.
struct KernelAccess {
  bool reads = true, writes = true;
};

struct MemoryRequest {
  uint64_t size = 0;      ///< bytes
  uint64_t alignment = 0; ///< bytes, a power of two; 0: the device's base address alignment
  /// Use this host memory instead of allocating (CL_MEM_USE_HOST_PTR); it must outlive the DeviceMemory. A device with
  /// memory of its own takes only what lies in shared memory of its own.
  std::byte *hostPointer = nullptr;
  /// Map this part of a MemoryFile, both in whole pages of 4,096 bytes, instead of memory of this process alone; -1: no
  /// file. It may be closed afterwards.
  int file = -1;
  uint64_t fileOffset = 0;
  /// Kernels may find its address in memory, too, not only in a launch's argument block.
  bool isPointedTo = false;
  /// DeviceMemory::restrictHostAccess will be called. Begins and ends with a page of 4,096 bytes.
  bool isRestrictable = false;
  /// The file's memory is charged to another process's device.
  bool isForeign = false;
  /// The memory is for this image alone, and as large as it: a device may keep the pixels as it likes, where commands
  /// that name bytes of the image by the description's pitches find them. The caller's during the call.
  const ImageDescription *image = nullptr;
  /// Shared virtual memory: the host has the device's address for it. What it must be able to (bits of
  /// DeviceInfo::svmCapabilities); without the fine-grained ones the host touches it only between commands that map and
  /// unmap it. 0: other memory. Nothing to do where device memory is the host's own.
  uint64_t shared = 0;
  /// All who write it do so by commands, or after they have asked for `hostAddress`; a device may say who reads it
  /// before.
  bool startsUnwritten = false;
  /// Whose it is: told where a kernel goes wrong near it.
  MemoryOwner owner = {};
};

} // namespace us
