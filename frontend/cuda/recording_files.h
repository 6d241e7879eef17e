// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "frontend/cuda/file_log.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace us::frontend::cuda {

/// The disk, which notes in `log` what is asked of it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordingFileSystem(FileLog &log);

} // namespace us::frontend::cuda
