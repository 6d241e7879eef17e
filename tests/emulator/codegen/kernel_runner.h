// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs generated code in either tier without the executor: an independent, simple implementation of the kernel ABI. In
// the fiber tier each work-item has a stack of its own and they take turns, each running up to its next sync point.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace us::test {

struct LaunchShape {
  uint32_t dimensions = 1;
  std::array<uint32_t, 3> global{1, 1, 1}, local{1, 1, 1};
  std::array<uint32_t, 3> offset{0, 0, 0};
};

struct LaunchInput {
  LaunchShape shape;
  std::vector<std::byte> arguments;
  std::byte *programVariables = nullptr;
  uint64_t localMemory = 1 << 16;
};

/// The specialization the runtime would ask for.
abi::Specialization specializationFor(const LaunchShape &shape, abi::Tier tier);

/// Generates, loads, runs and unloads. Returns an error sentence, empty if it ran.
std::string runKernel(std::span<const char> ir, std::string_view kernel, const abi::Specialization &specialization,
                      const LaunchInput &input);

} // namespace us::test
