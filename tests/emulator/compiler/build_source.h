// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: the compiler library's compile and link, for a device with most of what OpenCL C makes optional.
#pragma once

#include "emulator/compiler/build.h"
#include "runtime/device/executable.h"
#include "tests/support/compile_source.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

namespace us::compiler::tests {

inline LanguageFacts facts() {
  LanguageFacts facts = frontend::tests::ampleFacts();
  facts.localMemory = 32768;
  return facts;
}

/// Calls `make`, which returns a Logged<ModuleData>, on a thread like the product's.
template <class Make> Logged<abi::ModuleData> onLargeStack(Make make) {
  std::optional<Logged<abi::ModuleData>> made;
  frontend::tests::onLargeStack([&] { made = make(); });
  return *std::move(made);
}

inline Logged<abi::ModuleData> compileWith(const CompileRequest &request) {
  return onLargeStack([&] { return compile(request, facts(), {}); });
}

inline Logged<abi::ModuleData> build(std::string_view source, std::string_view options = {}) {
  return compileWith({source, options, {}});
}

inline Logged<abi::ModuleData> compileObject(std::string_view source, std::string_view options = {}) {
  return compileWith({source, options, {}, /*link=*/false});
}

inline Logged<abi::ModuleData> linkAll(std::vector<const abi::ModuleData *> inputs, std::string_view options = {}) {
  return onLargeStack([&] { return link({std::move(inputs), options}, facts(), {}); });
}

/// The only kernel of a source that must build.
inline KernelInfo kernelOf(std::string_view source, std::string_view options = "-cl-std=CL3.0") {
  Logged<abi::ModuleData> made = build(source, options);
  EXPECT_TRUE(made) << made.log;
  if (!made || made->kernels.size() != 1) {
    ADD_FAILURE() << "not one kernel";
    return {};
  }
  return std::move(made->kernels[0]);
}

} // namespace us::compiler::tests
