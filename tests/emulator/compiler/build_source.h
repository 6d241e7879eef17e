// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: the compiler library's compile and link, for a device with most of what OpenCL C makes optional.
#pragma once

#include "emulator/compiler/build.h"
#include "runtime/device/executable.h"
#include "tests/support/compile_source.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace us::compiler::tests {

inline abi::LanguageFacts facts() {
  const frontend::LanguageFacts ample = frontend::tests::ampleFacts();
  abi::LanguageFacts facts;
  facts.extensions = ample.extensions;
  facts.features = ample.features;
  facts.localMemory = 32768;
  return facts;
}

inline abi::ModuleOutput compileWith(const abi::CompileInput &input) {
  abi::ModuleOutput output;
  frontend::tests::onLargeStack([&] { compile(input, output); });
  return output;
}

inline abi::ModuleOutput build(std::string_view source, std::string_view options = {}) {
  abi::CompileInput input;
  input.source = source;
  input.options = options;
  input.facts = facts();
  return compileWith(input);
}

inline abi::ModuleOutput compileObject(std::string_view source, std::string_view options = {}) {
  abi::CompileInput input;
  input.source = source;
  input.options = options;
  input.link = false;
  input.facts = facts();
  return compileWith(input);
}

inline abi::ModuleOutput linkAll(std::vector<const abi::ModuleData *> inputs, std::string_view options = {}) {
  abi::LinkInput input;
  input.inputs = std::move(inputs);
  input.options = options;
  input.facts = facts();
  abi::ModuleOutput output;
  frontend::tests::onLargeStack([&] { link(input, output); });
  return output;
}

/// The only kernel of a source that must build.
inline KernelInfo kernelOf(std::string_view source, std::string_view options = "-cl-std=CL3.0") {
  abi::ModuleOutput output = build(source, options);
  EXPECT_TRUE(output.ok) << output.log;
  if (!output.ok || output.module.kernels.size() != 1) {
    ADD_FAILURE() << "not one kernel";
    return {};
  }
  return std::move(output.module.kernels[0]);
}

} // namespace us::compiler::tests
