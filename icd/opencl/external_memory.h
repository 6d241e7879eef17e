// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_external_memory_opaque_fd: memory objects on memory that another API, or another process, has a descriptor of.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/memory.h"

#include <optional>
#include <vector>

namespace us::opencl {

/// What a list of properties says of external memory.
struct ExternalMemory {
  std::optional<int> descriptor;
  std::vector<Ref<ClDevice>> devices; ///< CL_MEM_DEVICE_HANDLE_LIST_KHR; empty: all of the context
  bool hasDevices = false;
};

/// Takes the property that `list` points to, if it is one of external memory; `list` is behind it then.
/// InvalidProperty, InvalidDevice.
Expected<bool> takeExternalProperty(const ClContext &context, const cl_mem_properties *&list, ExternalMemory &into);
/// What can only be said once all properties are known: InvalidProperty, InvalidDevice, InvalidValue, InvalidHostPtr.
Expected<void> checkExternalMemory(const ClContext &context, const ExternalMemory &external, cl_mem_flags flags,
                                   const void *hostPointer);

/// Memory of a descriptor in this process, until it is handed to a memory object.
class MappedDescriptor {
public:
  /// InvalidProperty for a descriptor of no memory, InvalidBufferSize if it has fewer bytes.
  static Expected<MappedDescriptor> map(int descriptor, uint64_t size);
  MappedDescriptor(MappedDescriptor &&other) noexcept;
  MappedDescriptor &operator=(MappedDescriptor &&) = delete;
  ~MappedDescriptor();

  std::byte *begin() const { return begin_; }
  /// The memory lives as long as the buffer's; the descriptor is closed: "importing ... transfers ownership".
  void giveTo(core::Buffer &buffer, int descriptor);

private:
  MappedDescriptor(std::byte *begin, uint64_t size) : begin_(begin), size_(size) {}
  std::byte *begin_;
  uint64_t size_;
};

} // namespace us::opencl
