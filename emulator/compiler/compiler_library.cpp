// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler library's only export: the table of emulator/abi/compiler_api.h.
#include "emulator/codegen/codegen.h"
#include "emulator/compiler/build.h"
#include "frontend/llvm_guard.h"

namespace us::compiler {
namespace {

/// Code generation, with fatal errors of LLVM as an error.
Expected<abi::CodeData> generate(const abi::CodeInput &input, const abi::CompilerSettings &settings,
                                 std::vector<std::string> *remarks) {
  Expected<abi::CodeData> code;
  const std::string fatal =
      frontend::runGuarded([&] { code = codegen::generate(input, settings, remarks); }, settings.timeLimit);
  if (fatal.empty()) return code;
  return fail(ErrorCode::Internal,
              "the code generator failed for kernel '" + std::string(input.kernel) + "': " + fatal);
}

constinit const abi::CompilerApi api = {
    .hostIdentity = codegen::hostIdentity,
    .compile = compile,
    .link = link,
    .generate = generate,
    .load = codegen::load,
    .unload = codegen::unload,
    .sourceLine = codegen::sourceLine,
    .hostLines = codegen::hostLines,
};

} // namespace
} // namespace us::compiler

extern "C" [[gnu::visibility("default")]] const us::abi::CompilerApi *understudy_compiler_api_1() {
  return &us::compiler::api;
}
