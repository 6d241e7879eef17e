// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any allocation of cuMemAlloc can be exported later: the device lays it into a file of memory. The other process opens
// that file through the first one's, which the system allows to the same user.
#include "icd/cuda/ipc.h"

#include "icd/cuda/entry_points.h"
#include "icd/cuda/event.h"
#include "icd/cuda/memory.h"
#include "runtime/base/align.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace us::cuda {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint32_t kMemoryMark = 0x4d435355, kEventMark = 0x45435355; // "USCM", "USCE"

/// What a handle's 64 bytes hold.
struct Ticket {
  uint32_t mark = 0;
  int32_t process = 0, file = 0;
  uint32_t reserved = 0;
  uint64_t inode = 0;  ///< the file's, since numbers of files and processes come again
  uint64_t offset = 0; ///< where the allocation begins in it
  uint64_t size = 0;
};
static_assert(sizeof(Ticket) <= CU_IPC_HANDLE_SIZE);

template <class Handle> Handle toHandle(const Ticket &ticket) {
  Handle handle = {};
  std::memcpy(handle.reserved, &ticket, sizeof ticket);
  return handle;
}
template <class Handle> Expected<Ticket> fromHandle(const Handle &handle, uint32_t mark) {
  Ticket ticket;
  std::memcpy(&ticket, handle.reserved, sizeof ticket);
  if (ticket.mark != mark) return fail(CUDA_ERROR_INVALID_VALUE, "the handle is none of this driver's");
  // As an H200 answers.
  if (ticket.process == getpid())
    return fail(CUDA_ERROR_INVALID_CONTEXT, "the handle was made in this process, which has the thing itself");
  return ticket;
}

/// The file of another process. A handle is only bytes, and whoever made them up would have us write to any file that a
/// process of the same user has open, or read past the end of one: only what such handles are given for is opened, and
/// is looked at again then. Only files of memory have seals.
Expected<int> openFile(const Ticket &ticket, uint64_t size) {
  const std::string path = format("/proc/{}/fd/{}", ticket.process, ticket.file);
  constexpr std::string_view kOurs = "/memfd:understudy-";
  char name[64];
  const ssize_t length = readlink(path.c_str(), name, sizeof name);
  const bool isNamed = length > 0 && std::string_view(name, size_t(length)).starts_with(kOurs);
  const int file = isNamed ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
  if (file < 0)
    return fail(CUDA_ERROR_MAP_FAILED,
                format("process {} does not share it: {}", ticket.process,
                       length > 0 && !isNamed ? "it is a file of another kind" : strerror(errno)));
  struct stat facts = {};
  const bool isOurs = fstat(file, &facts) == 0 && uint64_t(facts.st_ino) == ticket.inode &&
                      uint64_t(facts.st_size) == size && fcntl(file, F_GET_SEALS) == MemoryFile::kFixedSeals;
  if (isOurs) return file;
  close(file);
  return fail(CUDA_ERROR_MAP_FAILED, format("process {} does not share {} bytes of it any more", ticket.process, size));
}

struct Import {
  uint64_t pointer = 0;
  unsigned uses = 0;
};
struct Shared {
  std::mutex mutex;                 // guards all, and Allocation::shared
  std::map<uint64_t, Import> taken; ///< by the file's inode
};
Shared &shared() {
  static auto &all = *new Shared;
  return all;
}

} // namespace

Expected<void> ipcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr pointer) {
  US_CHECK(checkOut(handle, "the handle"));
  US_CHECK(currentContext());
  const Ref<Allocation> found = findMemory(pointer);
  if (!found || found->kind != MemoryKind::Device || found->pool)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} lies in no allocation of cuMemAlloc", pointer));
  std::lock_guard hold(shared().mutex);
  if (!found->shared) {
    US_CHECK(found->context->synchronise());
    US_TRY(found->shared, found->share());
  }
  Ticket ticket;
  ticket.mark = kMemoryMark;
  ticket.process = getpid();
  ticket.file = found->shared->descriptor();
  ticket.inode = found->shared->identity();
  ticket.size = found->size();
  *handle = toHandle<CUipcMemHandle>(ticket);
  return {};
}

Expected<void> ipcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle handle, unsigned flags) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not possible", flags));
  US_TRY(const Ticket ticket, fromHandle(handle, kMemoryMark));
  if (ticket.size == 0 || ticket.offset >= kPage || ticket.size > ~uint64_t(0) - 2 * kPage)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a handle of {} bytes at {}", ticket.size, ticket.offset));
  std::lock_guard hold(shared().mutex);
  Import &import = shared().taken[ticket.inode];
  // The memory ends with the context that opened it first.
  if (import.uses == 0 || !findMemory(import.pointer)) {
    import.uses = 0;
    const uint64_t room = alignTo(ticket.offset + ticket.size, kPage);
    US_TRY(const int file, openFile(ticket, room));
    Expected<std::unique_ptr<DeviceMemory>> memory = context->device().allocate(
        {.size = room, .alignment = kPage, .file = file, .isPointedTo = true, .isForeign = true});
    close(file);
    if (!memory) return fail(CUDA_ERROR_MAP_FAILED, format("{} bytes cannot be mapped", room));
    import.pointer = (*memory)->address() + ticket.offset;
    core::AllocationMap::instance().add(makeRef<Allocation>(
        import.pointer, ticket.size, Allocation::Facts{.kind = MemoryKind::Imported, .context = context.get()},
        std::move(*memory)));
  }
  ++import.uses;
  *pointer = import.pointer;
  return {};
}

Expected<void> ipcCloseMemHandle(CUdeviceptr pointer) {
  US_TRY(const Ref<Context> context, currentContext());
  std::lock_guard hold(shared().mutex);
  for (auto at = shared().taken.begin(); at != shared().taken.end(); ++at) {
    if (at->second.uses == 0 || at->second.pointer != pointer) continue;
    if (--at->second.uses > 0) return {};
    (void)context->synchronise();
    removeMemory(pointer);
    shared().taken.erase(at);
    return {};
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} was not opened with a handle", pointer));
}

// --- Events ---

namespace {

void raise(std::atomic<uint64_t> &value, uint64_t least) {
  uint64_t before = value.load();
  while (before < least && !value.compare_exchange_weak(before, least)) {
  }
}

/// A lock of one byte of the file, of this opening of it; which kind there is of somebody else's.
short lockByte(int file, int what, short kind, uint64_t byte) {
  struct flock lock = {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t(byte);
  lock.l_len = 1;
  (void)fcntl(file, what, &lock);
  return lock.l_type;
}

} // namespace

struct SharedEvent::Page {
  std::atomic<uint64_t> given, recorded, completed;
};

Expected<std::shared_ptr<SharedEvent>> SharedEvent::map(int file, const CUipcEventHandle &handle) {
  void *page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) {
    close(file);
    return fail(CUDA_ERROR_MAP_FAILED, "the event cannot be mapped");
  }
  return std::shared_ptr<SharedEvent>(new SharedEvent(file, static_cast<Page *>(page), handle));
}

Expected<std::shared_ptr<SharedEvent>> SharedEvent::create() {
  const Expected<std::shared_ptr<MemoryFile>> made = MemoryFile::create("understudy-cuda-event", kPage);
  if (!made) return fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for an event of two processes");
  US_TRY(const int file, (*made)->duplicate());
  Ticket ticket;
  ticket.mark = kEventMark;
  ticket.process = getpid();
  ticket.file = file;
  ticket.inode = (*made)->identity();
  return map(file, toHandle<CUipcEventHandle>(ticket));
}

Expected<std::shared_ptr<SharedEvent>> SharedEvent::open(const CUipcEventHandle &handle) {
  US_TRY(const Ticket ticket, fromHandle(handle, kEventMark));
  US_TRY(const int file, openFile(ticket, kPage));
  return map(file, handle);
}

SharedEvent::~SharedEvent() {
  munmap(page_, kPage);
  close(file_);
}

CUipcEventHandle SharedEvent::handle() const { return handle_; }

uint64_t SharedEvent::record() {
  const uint64_t number = page_->given.fetch_add(1) + 1;
  {
    std::lock_guard hold(mutex_);
    lockByte(file_, F_OFD_SETLK, F_WRLCK, number);
    pending_.insert(number);
  }
  raise(page_->recorded, number); // seen by others when it is locked
  return number;
}
uint64_t SharedEvent::recorded() const { return page_->recorded.load(); }

/// Does the process that recorded it live?
bool SharedEvent::isHeld(uint64_t number) {
  std::lock_guard hold(mutex_);
  return pending_.contains(number) || lockByte(file_, F_OFD_GETLK, F_WRLCK, number) != F_UNLCK;
}

bool SharedEvent::hasCompleted(uint64_t number) {
  if (page_->completed.load() >= number) return true;
  if (isHeld(number)) return false;
  // It has ended meanwhile, or nobody is left to end it.
  raise(page_->completed, number);
  return true;
}

void SharedEvent::completed(uint64_t number) {
  raise(page_->completed, number);
  std::lock_guard hold(mutex_);
  if (pending_.erase(number)) lockByte(file_, F_OFD_SETLK, F_UNLCK, number);
}

void SharedEvent::wait(uint64_t number) {
  for (timespec pause{0, 1000}; !hasCompleted(number); pause.tv_nsec = std::min(pause.tv_nsec * 2, 1000000L))
    nanosleep(&pause, nullptr);
}

Expected<void> ipcGetEventHandle(CUipcEventHandle *handle, CUevent eventHandle) {
  US_CHECK(checkOut(handle, "the handle"));
  US_TRY(const Ref<Event> event, eventOf(eventHandle));
  // As an H200 answers.
  if (!event->shared()) return fail(CUDA_ERROR_INVALID_HANDLE, "the event was not made with CU_EVENT_INTERPROCESS");
  *handle = event->shared()->handle();
  return {};
}

Expected<void> ipcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  US_CHECK(checkOut(event, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(std::shared_ptr<SharedEvent> opened, SharedEvent::open(handle));
  *event =
      addEvent(Ref<Event>(new Event(*context, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS, std::move(opened))));
  return {};
}

} // namespace us::cuda
