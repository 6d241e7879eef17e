// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/memory_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace us {
namespace {

std::unexpected<Error> failBecause(ErrorCode code, const std::string &what) {
  return fail(code, what + ": " + std::strerror(errno));
}

} // namespace

Expected<std::shared_ptr<MemoryFile>> MemoryFile::create(const char *name) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return failBecause(ErrorCode::OutOfResources, "no file of memory");
  // A file that nobody can shorten never takes mapped pages away from another process.
  (void)fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK);
  return std::shared_ptr<MemoryFile>(new MemoryFile(descriptor));
}

const int MemoryFile::kFixedSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

Expected<std::shared_ptr<MemoryFile>> MemoryFile::create(const char *name, uint64_t size) {
  US_TRY(std::shared_ptr<MemoryFile> file, create(name));
  US_CHECK(file->resize(size));
  if (fcntl(file->descriptor(), F_ADD_SEALS, kFixedSeals) != 0)
    return failBecause(ErrorCode::OutOfResources, "a file that keeps its size");
  return file;
}

Expected<std::shared_ptr<MemoryFile>> MemoryFile::open(int descriptor) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  if (seals < 0 || !(seals & F_SEAL_SHRINK))
    return fail(ErrorCode::InvalidValue,
                std::to_string(descriptor) + " is no file of memory that was made to be shared");
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return failBecause(ErrorCode::OutOfResources, "no descriptor");
  return std::shared_ptr<MemoryFile>(new MemoryFile(own));
}

MemoryFile::~MemoryFile() { close(descriptor_); }

Expected<int> MemoryFile::duplicate() const {
  const int copy = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return failBecause(ErrorCode::OutOfResources, "no descriptor");
  return copy;
}

uint64_t MemoryFile::identity() const {
  struct stat facts = {};
  return fstat(descriptor_, &facts) == 0 ? uint64_t(facts.st_ino) : 0;
}

uint64_t MemoryFile::size() const {
  struct stat facts = {};
  return fstat(descriptor_, &facts) == 0 ? uint64_t(facts.st_size) : 0;
}

Expected<void> MemoryFile::resize(uint64_t size) {
  if (ftruncate(descriptor_, off_t(size)) != 0)
    return failBecause(ErrorCode::OutOfResources, "a file of " + std::to_string(size) + " bytes");
  return {};
}

Expected<void> MemoryFile::read(uint64_t offset, void *into, uint64_t size) const {
  if (pread(descriptor_, into, size, off_t(offset)) != ssize_t(size))
    return fail(ErrorCode::InvalidValue, "the file is shorter than " + std::to_string(offset + size) + " bytes");
  return {};
}

Expected<void> MemoryFile::write(uint64_t offset, const void *from, uint64_t size) {
  // One call moves two gigabytes at most.
  for (uint64_t at = 0; at < size;) {
    const ssize_t moved = pwrite(descriptor_, static_cast<const char *>(from) + at, size - at, off_t(offset + at));
    if (moved <= 0)
      return failBecause(ErrorCode::OutOfResources, "no memory for " + std::to_string(size) + " bytes of a file");
    at += uint64_t(moved);
  }
  return {};
}

} // namespace us
