// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose an allocation is, for messages: which kind of object of which API, and its name if it has one.
#pragma once

#include <string>

namespace us {

struct CallSite;

struct MemoryOwner {
  const char *what = "buffer"; ///< lives for ever; goes on "a 64-byte …"
  std::string name = {};
  const CallSite *madeAt = nullptr; ///< null: nobody looked
};

} // namespace us
