// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler library's only export: the table of emulator/abi/compiler_api.h.
#include "emulator/codegen/codegen.h"
#include "emulator/compiler/build.h"

extern "C" [[gnu::visibility("default")]] const us::abi::CompilerApi *understudy_compiler_api_1() {
  static constinit const us::abi::CompilerApi api = {
      .hostIdentity = us::codegen::hostIdentity,
      .compile = us::compiler::compile,
      .link = us::compiler::link,
      .generate = us::codegen::generate,
      .load = us::codegen::load,
      .unload = us::codegen::unload,
      .sourceLine = us::codegen::sourceLine,
  };
  return &api;
}
