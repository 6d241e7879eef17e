// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/safe_write.h"

#include <sys/uio.h>
#include <unistd.h>

namespace us::exec {

bool writeSafely(void *to, const void *from, size_t size) {
  // The system reads and writes for us, and reports instead of faulting: through a pipe where a process may not write
  // into itself.
  iovec local{const_cast<void *>(from), size}, remote{to, size};
  if (process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size)) return true;
  int ends[2];
  if (pipe(ends) != 0) return false;
  const bool good =
      write(ends[1], from, size) == static_cast<ssize_t>(size) && read(ends[0], to, size) == static_cast<ssize_t>(size);
  close(ends[0]);
  close(ends[1]);
  return good;
}

} // namespace us::exec
