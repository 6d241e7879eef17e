// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch of the reference's, as the candidate is to run it.
#pragma once

#include "runtime/compare/compared_program.h"

#include <functional>

namespace us::compare {

/// Where the candidate finds what the reference has at an address; 0: it has no copy. Of images what kernels are given.
using Translate = std::function<uint64_t(uint64_t address)>;

/// The same launch of the candidate's kernel, with an argument block as that one has it. Unsupported says why there is
/// none.
Expected<LaunchCommand> candidateLaunch(const LaunchCommand &launch, const ComparedKernel &kernel,
                                        const Translate &translate, const Translate &translateImage);

} // namespace us::compare
