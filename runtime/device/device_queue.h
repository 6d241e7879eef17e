// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue on the device, into which kernels enqueue other kernels.
#pragma once

#include <cstdint>

namespace us {

class DeviceQueue {
public:
  virtual ~DeviceQueue() = default;
  virtual uint32_t size() const = 0; ///< bytes
  /// The 8 bytes that a launch's argument block holds for this queue; valid while this object lives.
  virtual uint64_t argument() const = 0;
};

} // namespace us
