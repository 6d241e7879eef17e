// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The account, DeviceMemory over the reserved range, and what the machine allows.
#include "emulator/memory/global_heap.h"

#include "emulator/memory/address_space.h"
#include "emulator/memory/host_access.h"
#include "emulator/memory/unwritten_buffers.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace us::memory {
namespace {

/// The host's memory; what derives from it gives back memory of the reserved range.
class HostMemory : public DeviceMemory {
public:
  HostMemory(std::byte *begin, uint64_t size) : begin_(begin), size_(size) {}
  uint64_t address() const override { return reinterpret_cast<uint64_t>(begin_); }
  std::byte *hostAddress() const override { return begin_; }
  uint64_t size() const override { return size_; }

protected:
  std::byte *const begin_;
  const uint64_t size_;
};

/// Pages of the reserved range, which a part of a file may lie over.
class OwnMemory final : public HostMemory {
public:
  OwnMemory(Ref<MemoryAccount> account, std::byte *begin, const MemoryRequest &request)
      : HostMemory(begin, request.size), account_(std::move(account)), isCharged_(!request.isForeign),
        isRestrictable_(request.isRestrictable), startsUnwritten_(request.startsUnwritten),
        isMapped_(request.file >= 0) {
    if (isRestrictable_) countRestrictable(1);
    if (startsUnwritten_) UnwrittenBuffers::instance().add(address(), size());
  }
  ~OwnMemory() override {
    if (startsUnwritten_) UnwrittenBuffers::instance().remove(address());
    if (isRestrictable_) {
      memory::restrictHostAccess(address(), pages(), nullptr);
      countRestrictable(-1);
    }
    // Pages of its own again, as the range's keeper gave them out.
    if (isMapped_)
      (void)mmap(begin_, pages(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                 0);
    AddressSpace::instance().release(begin_);
    if (isCharged_) account_->uncharge(size_);
  }
  Expected<std::shared_ptr<MemoryFile>> share() override {
    std::lock_guard hold(mutex_);
    if (file_) return file_;
    if (startsUnwritten_) UnwrittenBuffers::instance().remove(address());
    if (isMapped_) return fail(ErrorCode::Unsupported, "the memory is a part of a file already");
    US_TRY(std::shared_ptr<MemoryFile> file, MemoryFile::create("understudy-memory", pages()));
    US_CHECK(file->write(0, begin_, pages()));
    if (mmap(begin_, pages(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file->descriptor(), 0) == MAP_FAILED)
      return fail(ErrorCode::MapFailure,
                  std::to_string(size_) + " bytes cannot be shared: " + std::string(std::strerror(errno)));
    isMapped_ = true;
    return file_ = std::move(file);
  }
  std::byte *hostAddress() const override {
    if (startsUnwritten_) UnwrittenBuffers::instance().remove(address());
    return begin_;
  }
  void restrictHostAccess(const char *reason) override { memory::restrictHostAccess(address(), pages(), reason); }

private:
  uint64_t pages() const { return alignTo(size_, kPageSize); }

  const Ref<MemoryAccount> account_;
  const bool isCharged_, isRestrictable_, startsUnwritten_;
  std::mutex mutex_; // guards all below
  bool isMapped_;
  std::shared_ptr<MemoryFile> file_; ///< that `share` made
};

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

/// The number a control file holds; "max", a missing file and anything else mean no limit.
uint64_t readLimit(const std::string &path) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? value : kUnlimited;
}

/// The smallest limit on the way from a group up to the root of its hierarchy.
uint64_t limitUpwards(const std::string &root, std::string group, const char *file) {
  uint64_t limit = readLimit(root + "/" + file);
  while (group.size() > 1) {
    limit = std::min(limit, readLimit(root + group + "/" + file));
    group.resize(std::min(group.rfind('/'), group.size()));
  }
  return limit;
}

uint64_t controlGroupLimit() {
  uint64_t limit = kUnlimited;
  std::ifstream file("/proc/self/cgroup");
  // Each line is hierarchy:controllers:group; version 2 has the one line 0::group.
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",", group = line.substr(second + 1);
    if (line.starts_with("0::"))
      limit = std::min(limit, limitUpwards("/sys/fs/cgroup", group, "memory.max"));
    else if (controllers.find(",memory,") != std::string::npos)
      limit = std::min(limit, limitUpwards("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return limit;
}

} // namespace

bool MemoryAccount::charge(uint64_t bytes) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (used > limit_ || bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

Expected<std::unique_ptr<DeviceMemory>> allocateGlobal(Ref<MemoryAccount> account, const MemoryRequest &request,
                                                       uint64_t baseAlignment) {
  if (request.hostPointer) return std::make_unique<HostMemory>(request.hostPointer, request.size);
  const bool isCharged = !request.isForeign;
  if (isCharged && !account->charge(request.size))
    return fail(ErrorCode::MemObjectAllocationFailure, "asked for " + std::to_string(request.size) + " bytes; " +
                                                           std::to_string(account->used()) + " of " +
                                                           std::to_string(account->limit()) + " are in use");
  std::byte *begin = AddressSpace::instance().allocate(
      RangeKind::Buffer, request.size, request.alignment ? request.alignment : baseAlignment, request.owner);
  const bool isMapped =
      begin && (request.file < 0 || mmap(begin, request.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                         request.file, off_t(request.fileOffset)) != MAP_FAILED);
  if (!isMapped) {
    if (begin) AddressSpace::instance().release(begin);
    if (isCharged) account->uncharge(request.size);
    return fail(ErrorCode::MemObjectAllocationFailure,
                "asked for " + std::to_string(request.size) + " bytes; the machine has no room for them");
  }
  return std::make_unique<OwnMemory>(std::move(account), begin, request);
}

uint64_t availableMemory() {
  uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t limit = std::min(machine, controlGroupLimit());
  return limit / 10 * 8;
}

} // namespace us::memory
