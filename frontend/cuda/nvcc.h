// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace us::frontend::cuda {

/// The program understudy-nvcc: its exit code.
int nvcc(int argc, char **argv);

} // namespace us::frontend::cuda
