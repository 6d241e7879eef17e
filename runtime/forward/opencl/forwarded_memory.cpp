// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_memory.h"

#include "runtime/base/align.h"
#include "runtime/forward/opencl/forwarded_image.h"

#include <algorithm>

namespace us::forward {
namespace {

/// Bit 62 alone among the upper ones: addresses of programs have less than 57 bits.
constexpr uint64_t kFirstAddress = uint64_t(1) << 62;
constexpr uint64_t kLeastAlignment = 4096, kGap = 65536;

/// A range that no other device's memory has either: whoever holds an address can tell whose it is.
uint64_t reserveAddresses(uint64_t size, uint64_t alignment) {
  static std::mutex mutex;
  static uint64_t next = kFirstAddress; // guarded by mutex
  std::lock_guard hold(mutex);
  const uint64_t address = alignTo(next, std::max(alignment, kLeastAlignment));
  next = address + size + kGap;
  return address;
}

} // namespace

Expected<void> MemoryTable::charge(uint64_t size, uint64_t all) {
  // A driver may grant more than there is, and fail when it is used.
  const uint64_t before = used_.fetch_add(size);
  if (size <= all && before <= all - size) return {};
  used_.fetch_sub(size);
  return fail(ErrorCode::MemObjectAllocationFailure, std::to_string(size) + " bytes were asked for, " +
                                                         std::to_string(before) + " of the device's " +
                                                         std::to_string(all) + " are in use");
}

void MemoryTable::add(ForwardedMemory &memory) {
  std::lock_guard hold(mutex_);
  byAddress_.emplace(memory.address(), &memory);
}

void MemoryTable::remove(const ForwardedMemory &memory) {
  std::lock_guard hold(mutex_);
  byAddress_.erase(memory.address());
}

MemoryPlace MemoryTable::find(uint64_t address) const {
  if (address < kFirstAddress) return {};
  std::lock_guard hold(mutex_);
  auto after = byAddress_.upper_bound(address);
  if (after == byAddress_.begin()) return {};
  const auto &[begin, memory] = *std::prev(after);
  return address - begin <= memory->size() ? MemoryPlace{memory, address - begin} : MemoryPlace{};
}

void MemoryTable::addShared(uint64_t begin, uint64_t size) {
  std::lock_guard hold(mutex_);
  shared_.emplace(begin, size);
  isAnyShared_.store(true, std::memory_order_release);
}

void MemoryTable::removeShared(uint64_t begin) {
  std::lock_guard hold(mutex_);
  shared_.erase(begin);
}

bool MemoryTable::isShared(uint64_t address) const {
  if (!isAnyShared_.load(std::memory_order_acquire)) return false;
  std::lock_guard hold(mutex_);
  const auto after = shared_.upper_bound(address);
  if (after == shared_.begin()) return false;
  const auto &[begin, size] = *std::prev(after);
  return address - begin < size;
}

ForwardedMemory::ForwardedMemory(Ref<RealDevice> device, std::shared_ptr<MemoryTable> table,
                                 const MemoryRequest &request)
    : device_(std::move(device)), table_(std::move(table)), size_(request.size),
      image_(request.image ? std::optional(*request.image) : std::nullopt), shared_(request.hostPointer) {}

Expected<std::unique_ptr<DeviceMemory>> ForwardedMemory::create(Ref<RealDevice> device,
                                                                std::shared_ptr<MemoryTable> table,
                                                                const MemoryRequest &request, uint64_t deviceMemory) {
  if ((request.hostPointer && !table->isShared(request.hostPointer)) || request.file >= 0)
    return fail(ErrorCode::Unsupported, "memory of a real device lies where its driver wants it");
  if (!request.hostPointer) US_CHECK(table->charge(request.size, deviceMemory));
  std::unique_ptr<ForwardedMemory> memory(new ForwardedMemory(std::move(device), std::move(table), request));
  const RealDevice &real = *memory->device_;
  if (request.image) {
    US_TRY(memory->object_, createDriversImage(real, *request.image));
  } else {
    cl_int code = CL_SUCCESS;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (request.hostPointer ? CL_MEM_USE_HOST_PTR : 0);
    memory->object_ = real.call().clCreateBuffer(real.context(), flags, request.size, request.hostPointer, &code);
    US_CHECK(driverResult("clCreateBuffer", code));
  }
  memory->address_ = reserveAddresses(request.size, request.alignment);
  memory->table_->add(*memory);
  return memory;
}

ForwardedMemory::~ForwardedMemory() {
  if (address_) table_->remove(*this);
  for (const auto &[offset, part] : parts_) device_->call().clReleaseMemObject(part);
  if (object_) device_->call().clReleaseMemObject(object_);
  if (!shared_) table_->giveBack(size_);
}

Expected<cl_mem> ForwardedMemory::objectFrom(uint64_t offset) {
  if (offset == 0) return object_;
  if (image_) return fail(ErrorCode::InvalidMemObject, "a pointer into an image was asked for");
  std::lock_guard hold(mutex_);
  cl_mem &part = parts_[offset];
  if (part) return part;
  const cl_buffer_region region{offset, size_ - offset};
  cl_int code = CL_SUCCESS;
  part = device_->call().clCreateSubBuffer(object_, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (code != CL_SUCCESS) {
    parts_.erase(offset);
    return std::unexpected(driverError("clCreateSubBuffer", code));
  }
  return part;
}

} // namespace us::forward
