// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only a driver can say, where one stands behind a device.
#pragma once

#include "runtime/base/expected.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace us {

/// A second base of such a Device, which is asked about itself, and of such a DeviceKernel, which is asked about its
/// sub-groups.
class DriverAnswers {
public:
  virtual ~DriverAnswers() = default;
  /// Passes a question on by its number in the driver's own interface, with what it takes as input. Writes the answer
  /// to `value`, of `size` bytes, unless that is null. Returns how many bytes the answer has, or the driver's error.
  virtual Expected<size_t> answer(uint32_t question, std::span<const std::byte> input, void *value,
                                  size_t size) const = 0;
};

} // namespace us
