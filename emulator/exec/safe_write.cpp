// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system reads and writes for us, and reports instead of faulting.
#include "emulator/exec/safe_write.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace us::exec {
namespace {

/// Through a pipe, whose calls say as well where there is no memory.
bool writeThroughPipe(char *to, const char *from, size_t size) {
  constexpr size_t kMost = 65536; // what a pipe holds
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  size_t written = 0, taken = 0;
  while (taken < size) {
    if (written == taken) {
      const ssize_t moved = write(ends[1], from + written, std::min(size - written, kMost));
      if (moved <= 0) break;
      written += static_cast<size_t>(moved);
    }
    const ssize_t moved = read(ends[0], to + taken, written - taken);
    if (moved <= 0) break;
    taken += static_cast<size_t>(moved);
  }
  close(ends[0]);
  close(ends[1]);
  return taken == size;
}

} // namespace

bool writeSafely(void *to, const void *from, size_t size) {
  constexpr size_t kMost = size_t(1) << 30; // of one call
  auto *target = static_cast<char *>(to);
  auto *source = static_cast<char *>(const_cast<void *>(from));
  for (size_t done = 0; done < size;) {
    iovec local{source + done, std::min(size - done, kMost)}, remote{target + done, local.iov_len};
    const ssize_t moved = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
    // Containers may forbid this call altogether.
    if (moved < 0 && (errno == EPERM || errno == ENOSYS))
      return writeThroughPipe(target + done, source + done, size - done);
    if (moved <= 0) return false;
    done += static_cast<size_t>(moved);
  }
  return true;
}

} // namespace us::exec
