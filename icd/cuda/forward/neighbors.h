// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries that belong to a real driver. Some open libcuda.so.1 by that name and then find ours (NVIDIA's OpenCL
// does); they mean the driver that they lie beside, and no device but its own.
#pragma once

#include <string>

namespace us::cuda {

/// The real driver that the code at this address belongs to: the absolute path of its libcuda; empty if it belongs to
/// none. A few nanoseconds where that is known of the library.
const std::string &driverOfNeighbor(const void *code);

} // namespace us::cuda
