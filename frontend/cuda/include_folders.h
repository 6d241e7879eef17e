// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folders of headers that a command line names.
#pragma once

#include <string>
#include <vector>

namespace us::frontend::cuda {

/// The words with each folder (-I, -isystem) that holds the headers of another CUDA toolkit behind all others
/// (-idirafter). Build systems name them, and so do NVRTC's clients; each of our headers needs its neighbours to be
/// ours.
std::vector<std::string> otherToolkitsBehind(const std::vector<std::string> &words);

} // namespace us::frontend::cuda
