// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The argument block where the kernel's code may load its widest argument: what a command holds is aligned as malloc
// aligns, which is too little for vectors of 32 to 128 bytes and for structs that ask for more.
#pragma once

#include "runtime/base/align.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace us::emulator {

class AlignedArguments {
public:
  AlignedArguments(std::span<const std::byte> block, uint32_t alignment) : data_(block.data()) {
    if (reinterpret_cast<uintptr_t>(data_) % alignment == 0) return;
    copy_.reset(static_cast<std::byte *>(std::aligned_alloc(alignment, alignTo(block.size(), alignment))));
    if (!copy_) throw std::bad_alloc();
    std::memcpy(copy_.get(), block.data(), block.size());
    data_ = copy_.get();
  }
  const std::byte *data() const { return data_; }

private:
  struct Free {
    void operator()(std::byte *memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> copy_;
  const std::byte *data_;
};

} // namespace us::emulator
