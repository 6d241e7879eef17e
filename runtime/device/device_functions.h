// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a front end and the API behind a launch agree on: the functions of the API that kernels call while they run.
#pragma once

#include "runtime/base/fnv.h"

#include <cstdint>
#include <string_view>

namespace us {

/// The functions that there are.
enum class DeviceFunction : uint32_t {
#define US_DEVICE_FUNCTION(name) name,
#include "runtime/device/device_functions.def"
};

/// One call, whose address us.device_call gets: the arguments, each in a word of its own (dim3: three), and in their
/// places what goes out through pointers.
struct DeviceCall {
  uint64_t workItem; ///< which of the launch calls; 0 where nobody asks
  uint64_t words[15];
};

/// What a pointer to a kernel holds on the device: no address of memory, and the same in every kernel.
constexpr uint64_t addressOfDeviceFunction(std::string_view name) {
  // No machine has memory there: bit 63 is set, bit 62 is not. Aligned, as programs expect of addresses.
  return (fnv1a(name) & ~(uint64_t(3) << 62) & ~uint64_t(15)) | uint64_t(1) << 63;
}

} // namespace us
