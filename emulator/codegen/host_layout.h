// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's target triple and data layout: what every module of kernel IR carries after retarget_module.
#pragma once

#include <string>

namespace us::codegen {

struct HostLayout {
  std::string triple, dataLayout;
};

/// Asked of LLVM once a process; thread-safe.
const HostLayout &hostLayout();

} // namespace us::codegen
