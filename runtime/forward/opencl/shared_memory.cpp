// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/shared_memory.h"

#include "runtime/forward/opencl/last_event.h"

#include <chrono>
#include <thread>

using namespace std::chrono_literals;

namespace us::forward {
namespace {

constexpr std::chrono::milliseconds kLongestPause = 15ms;

// The bits of DeviceInfo::svmCapabilities are the driver's.
constexpr uint64_t kForwarded =
    CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;

cl_svm_mem_flags flagsFor(uint64_t capabilities) {
  cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
  if (capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
  if (capabilities & CL_DEVICE_SVM_ATOMICS) flags |= CL_MEM_SVM_ATOMICS;
  return flags;
}

/// Calls `use(row, offset of the row in one layout, in the other)` for each row.
template <class Use>
Expected<void> forEachRow(const Size3 &region, const PitchedLayout &a, const PitchedLayout &b, Use use) {
  const auto begin = [](const PitchedLayout &layout, uint64_t y, uint64_t z) {
    return layout.offset + y * layout.rowPitch + z * layout.slicePitch;
  };
  for (uint64_t z = 0; z < region[2]; ++z)
    for (uint64_t y = 0; y < region[1]; ++y) US_CHECK(use(begin(a, y, z), begin(b, y, z)));
  return {};
}

} // namespace

uint64_t sharedCapabilities(const RealDevice &device) {
  const cl_icd_dispatch &call = device.call();
  // They are of 2.0: a table of an older driver ends before them, or has none.
  if (!call.clSVMAlloc || !call.clSVMFree || !call.clEnqueueSVMMemcpy || !call.clEnqueueSVMMemFill ||
      !call.clEnqueueSVMMap || !call.clEnqueueSVMUnmap || !call.clSetKernelArgSVMPointer || !call.clSetKernelExecInfo)
    return 0;
  return deviceValue<cl_device_svm_capabilities>(device.platform(), device.id(), CL_DEVICE_SVM_CAPABILITIES) &
         kForwarded;
}

Expected<std::unique_ptr<DeviceMemory>> SharedMemory::create(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table,
                                                             const MemoryRequest &request, uint64_t deviceMemory) {
  US_CHECK(table->charge(request.size, deviceMemory));
  std::unique_ptr<SharedMemory> memory(new SharedMemory(std::move(device), std::move(table), request.size));
  const RealDevice &real = *memory->device_;
  // NVIDIA's driver has none now and then while its other calls are under way in another thread, and has soon after.
  void *begin = nullptr;
  for (std::chrono::milliseconds pause(0); !begin && pause <= kLongestPause; pause = 2 * pause + 1ms) {
    std::this_thread::sleep_for(pause);
    begin = real.call().clSVMAlloc(real.context(), flagsFor(request.shared), request.size,
                                   static_cast<cl_uint>(request.alignment));
  }
  // "If clSVMAlloc fails, a NULL pointer is returned": it has no code.
  if (!begin)
    return fail(ErrorCode::MemObjectAllocationFailure,
                "the driver's clSVMAlloc of " + std::to_string(request.size) + " bytes fails");
  memory->begin_ = static_cast<std::byte *>(begin);
  memory->table_->addShared(memory->address(), memory->size_);
  return memory;
}

SharedMemory::~SharedMemory() {
  if (begin_) {
    table_->removeShared(address());
    device_->call().clSVMFree(device_->context(), begin_);
  }
  table_->giveBack(size_);
}

Expected<Begun> beginSharedCopy(const RealQueue &on, std::byte *to, const PitchedLayout &toLayout,
                                const std::byte *from, const PitchedLayout &fromLayout, const Size3 &region) {
  LastEvent last(on);
  US_CHECK(forEachRow(region, toLayout, fromLayout, [&](uint64_t toOffset, uint64_t fromOffset) {
    cl_event event = nullptr;
    const cl_int code = on.call().clEnqueueSVMMemcpy(on.queue(), CL_FALSE, to + toOffset, from + fromOffset, region[0],
                                                     0, nullptr, &event);
    return last.keep("clEnqueueSVMMemcpy", code, event);
  }));
  return last.take();
}

Expected<Begun> beginSharedFill(const RealQueue &on, const FillCommand &fill) {
  LastEvent last(on);
  const PitchedLayout layout{0, fill.rowPitch, fill.slicePitch};
  US_CHECK(forEachRow({fill.size, fill.rows, fill.slices}, layout, layout, [&](uint64_t offset, uint64_t) {
    cl_event event = nullptr;
    const cl_int code = on.call().clEnqueueSVMMemFill(on.queue(), fill.to + offset, fill.pattern.data(),
                                                      fill.patternSize, fill.size, 0, nullptr, &event);
    return last.keep("clEnqueueSVMMemFill", code, event);
  }));
  return last.take();
}

Expected<Begun> beginSharedMap(const RealQueue &on, const MapCommand &map) {
  LastEvent last(on);
  cl_event event = nullptr;
  auto *const begin = reinterpret_cast<void *>(map.address);
  if (map.unmap) {
    US_CHECK(last.keep("clEnqueueSVMUnmap", on.call().clEnqueueSVMUnmap(on.queue(), begin, 0, nullptr, &event), event));
  } else {
    const cl_map_flags flags = (map.willRead ? CL_MAP_READ : 0) | (map.willWrite ? CL_MAP_WRITE : 0);
    US_CHECK(last.keep("clEnqueueSVMMap",
                       on.call().clEnqueueSVMMap(on.queue(), CL_FALSE, flags, begin, map.size, 0, nullptr, &event),
                       event));
  }
  return last.take();
}

} // namespace us::forward
