// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvvm.so.4: NVVM IR to PTX while a program runs. Sentences are those of NVIDIA's "libNVVM API" documentation.
#include "icd/cuda/include/nvvm.h"

#include "frontend/cuda/architecture.h"
#include "icd/nvrtc/compiler.h"
#include "icd/nvrtc/handles.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace us::nvrtc {
namespace {

/// Whose architectures are known: the newest release has them all but the oldest, and the one before has those.
constexpr CudaRelease kReleases[] = {{13, 0}, {12, 9}};
/// Of NVVM IR and its debug information.
constexpr int kIrVersion[] = {2, 0}, kDebugVersion[] = {3, 2};
constexpr int kLlvmVersion = 19;

struct Module {
  std::string name, bytes;
  bool lazy = false;
};

struct Program {
  std::mutex mutex; ///< guards what follows; one thread compiles
  std::vector<Module> modules;
  bool compiled = false;
  std::string result, log;
};

Handles<Program> &programs() {
  static auto &all = *new Handles<Program>;
  return all;
}

/// No exception leaves a C function.
template <class Body> nvvmResult guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return NVVM_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVVM_ERROR_COMPILATION;
  }
}

/// "NVVM_ERROR_INVALID_PROGRAM" if there is none.
template <class Body> nvvmResult withProgram(nvvmProgram handle, Body body) noexcept {
  return guarded([&] {
    const std::shared_ptr<Program> program = programs().find(handle);
    if (!program) return NVVM_ERROR_INVALID_PROGRAM;
    std::scoped_lock lock(program->mutex);
    return body(*program);
  });
}

nvvmResult addModule(nvvmProgram handle, const char *buffer, size_t size, const char *name, bool lazy) {
  return withProgram(handle, [&](Program &program) {
    if (!buffer || size == 0) return NVVM_ERROR_INVALID_INPUT;
    // ""<unnamed>" is used as the name if the name of the NVVM IR module is NULL."
    program.modules.push_back({name ? name : "<unnamed>", std::string(buffer, size), lazy});
    return NVVM_SUCCESS;
  });
}

Expected<frontend::cuda::Architecture> architectureOf(const std::string &name) {
  Expected<frontend::cuda::Architecture> found = frontend::cuda::architectureNamed(name, kReleases[0]);
  return found ? found : frontend::cuda::architectureNamed(name, kReleases[1]);
}

/// "-g (enable generation of full debugging information)", "-generate-line-info", "-opt=", "-arch=", "-ftz=",
/// "-prec-sqrt=", "-prec-div=", "-fma=", "-gen-lto" and others, which say nothing about PTX.
Expected<void> parseOption(const std::string &word, frontend::cuda::IrInput &input) {
  const size_t equals = word.find('=');
  std::string name = word.substr(0, equals);
  if (name.starts_with("--")) name.erase(0, 1);
  const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
  const auto wrong = [&](const char *what) { return fail(ErrorCode::InvalidValue, word + what); };
  if (name == "-g" || name == "-generate-line-info" || name == "-gen-lto") {
    if (equals != std::string::npos) return wrong(" takes no value");
    (name == "-g" ? input.deviceDebug : name == "-gen-lto" ? input.toBitcode : input.lineInfo) = true;
    return {};
  }
  if (name == "-opt") {
    if (value.size() != 1 || value[0] < '0' || value[0] > '3') return wrong(" is no level from 0 to 3");
    input.optimisation = static_cast<unsigned>(value[0] - '0');
    return {};
  }
  if (name == "-arch") {
    if (!value.starts_with("compute_")) return wrong(" is not supported (compute_XX is)");
    US_TRY(input.architecture, architectureOf(value));
    return {};
  }
  const struct {
    const char *name;
    bool *flag;
  } kFlags[] = {{"-ftz", &input.flushToZero},
                {"-prec-sqrt", &input.preciseRoot},
                {"-prec-div", &input.preciseDivision},
                {"-fma", &input.fuse}};
  for (const auto &row : kFlags) {
    if (name != row.name) continue;
    if (value != "0" && value != "1") return wrong(" is neither 0 nor 1");
    *row.flag = value == "1";
    return {};
  }
  for (const char *other : {"-split-compile", "-jump-table-density", "-opt-fast-compile", "-Ofc", "-maxreg", "-v"})
    if (name == other) return {};
  return wrong(" is an unsupported option");
}

nvvmResult build(Program &program, int count, const char **words, bool onlyCheck) {
  program.log.clear();
  if (!onlyCheck) {
    program.compiled = false;
    program.result.clear();
  }
  if (count < 0 || (count > 0 && !words)) return NVVM_ERROR_INVALID_OPTION;
  if (program.modules.empty()) return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
  frontend::cuda::IrInput input;
  input.onlyCheck = onlyCheck;
  input.architecture = *architectureOf("compute_75"); // "default": the oldest of CUDA 13
  for (const char *word : std::span(words, static_cast<size_t>(count))) {
    const Expected<void> parsed =
        word ? parseOption(word, input) : Expected<void>(fail(ErrorCode::InvalidValue, "an option is null"));
    if (parsed) continue;
    program.log = "libnvvm : error: " + parsed.error().message + "\n";
    return NVVM_ERROR_INVALID_OPTION;
  }
  for (const Module &module : program.modules) input.modules.push_back({module.name, module.bytes, module.lazy});
  const Expected<const frontend::cuda::CompilerApi *> compiler = compilerLibrary();
  if (!compiler) {
    program.log = "error: " + compiler.error().message + "\n";
    return NVVM_ERROR_COMPILATION;
  }
  Logged<std::string> made = (*compiler)->compileIr(input);
  program.log = std::move(made.log);
  if (!made) return made.error().code == ErrorCode::InvalidValue ? NVVM_ERROR_INVALID_IR : NVVM_ERROR_COMPILATION;
  if (onlyCheck) return NVVM_SUCCESS;
  program.compiled = true;
  program.result = *std::move(made);
  if (!input.toBitcode) program.result.push_back('\0');
  return NVVM_SUCCESS;
}

} // namespace
} // namespace us::nvrtc

using namespace us::nvrtc;

#define US_EXPORT extern "C" __attribute__((visibility("default")))

/// "Get the message string for the given nvvmResult code."
US_EXPORT const char *nvvmGetErrorString(nvvmResult result) {
  switch (result) {
#define US_NAME(name)                                                                                                  \
  case name:                                                                                                           \
    return #name;
    US_NAME(NVVM_SUCCESS)
    US_NAME(NVVM_ERROR_OUT_OF_MEMORY)
    US_NAME(NVVM_ERROR_PROGRAM_CREATION_FAILURE)
    US_NAME(NVVM_ERROR_IR_VERSION_MISMATCH)
    US_NAME(NVVM_ERROR_INVALID_INPUT)
    US_NAME(NVVM_ERROR_INVALID_PROGRAM)
    US_NAME(NVVM_ERROR_INVALID_IR)
    US_NAME(NVVM_ERROR_INVALID_OPTION)
    US_NAME(NVVM_ERROR_NO_MODULE_IN_PROGRAM)
    US_NAME(NVVM_ERROR_COMPILATION)
    US_NAME(NVVM_ERROR_CANCELLED)
#undef US_NAME
  }
  return "NVVM_ERROR unknown";
}

/// "Get the NVVM version." NVVM_ERROR_INVALID_INPUT.
US_EXPORT nvvmResult nvvmVersion(int *major, int *minor) {
  if (!major || !minor) return NVVM_ERROR_INVALID_INPUT;
  *major = kIrVersion[0];
  *minor = kIrVersion[1];
  return NVVM_SUCCESS;
}

/// "Get the NVVM IR version." NVVM_ERROR_INVALID_INPUT.
US_EXPORT nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg) {
  if (!majorIR || !minorIR || !majorDbg || !minorDbg) return NVVM_ERROR_INVALID_INPUT;
  *majorIR = kIrVersion[0];
  *minorIR = kIrVersion[1];
  *majorDbg = kDebugVersion[0];
  *minorDbg = kDebugVersion[1];
  return NVVM_SUCCESS;
}

/// "Get the LLVM version supported by libNVVM for a given architecture." NVVM_ERROR_INVALID_INPUT.
US_EXPORT nvvmResult nvvmLLVMVersion(const char *arch, int *major) {
  return guarded([&] {
    if (!arch || !major || !architectureOf(arch)) return NVVM_ERROR_INVALID_INPUT;
    *major = kLlvmVersion;
    return NVVM_SUCCESS;
  });
}

/// "Create a program, and set the value of its handle to *prog." NVVM_ERROR_OUT_OF_MEMORY, NVVM_ERROR_INVALID_PROGRAM.
US_EXPORT nvvmResult nvvmCreateProgram(nvvmProgram *prog) {
  return guarded([&] {
    if (!prog) return NVVM_ERROR_INVALID_PROGRAM;
    *prog = static_cast<nvvmProgram>(programs().add(std::make_shared<Program>()));
    return NVVM_SUCCESS;
  });
}

/// "Destroy a program." It is NULL afterwards. NVVM_ERROR_INVALID_PROGRAM.
US_EXPORT nvvmResult nvvmDestroyProgram(nvvmProgram *prog) {
  return guarded([&] {
    if (!prog || !programs().remove(*prog)) return NVVM_ERROR_INVALID_PROGRAM;
    *prog = nullptr;
    return NVVM_SUCCESS;
  });
}

/// "Add a module level NVVM IR to a program. The buffer should contain an NVVM IR module. The module should have NVVM
/// IR either in the LLVM bitcode representation or in the LLVM text representation." NVVM_ERROR_OUT_OF_MEMORY,
/// NVVM_ERROR_INVALID_INPUT, NVVM_ERROR_INVALID_PROGRAM.
US_EXPORT nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name) {
  return addModule(prog, buffer, size, name, false);
}

/// "A module added using this API is lazily loaded - the only symbols loaded are those that are required by module(s)
/// loaded using nvvmAddModuleToProgram." "All symbols are internalized": as above.
US_EXPORT nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name) {
  return addModule(prog, buffer, size, name, true);
}

/// "Compile the NVVM program. The NVVM IR modules in the program will be linked at the IR level. The linked IR program
/// is compiled to PTX." NVVM_ERROR_INVALID_OPTION, NVVM_ERROR_INVALID_PROGRAM, NVVM_ERROR_NO_MODULE_IN_PROGRAM,
/// NVVM_ERROR_INVALID_IR, NVVM_ERROR_COMPILATION; the log says more.
US_EXPORT nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options) {
  return withProgram(prog, [&](Program &program) { return build(program, numOptions, options, false); });
}

/// "Verify the NVVM program": the same but what makes code. NVVM_ERROR_INVALID_IR and the others above.
US_EXPORT nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options) {
  return withProgram(prog, [&](Program &program) { return build(program, numOptions, options, true); });
}

/// "Get the size of the compiled result": PTX with a zero at its end, or what -gen-lto asks for.
/// NVVM_ERROR_INVALID_INPUT, NVVM_ERROR_INVALID_PROGRAM (nothing was compiled).
US_EXPORT nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet) {
  return withProgram(prog, [&](Program &program) {
    if (!bufferSizeRet) return NVVM_ERROR_INVALID_INPUT;
    if (!program.compiled) return NVVM_ERROR_INVALID_PROGRAM;
    *bufferSizeRet = program.result.size();
    return NVVM_SUCCESS;
  });
}

/// "Get the compiled result. The result is stored in the memory pointed to by 'buffer'." As above.
US_EXPORT nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer) {
  return withProgram(prog, [&](Program &program) {
    if (!buffer) return NVVM_ERROR_INVALID_INPUT;
    if (!program.compiled) return NVVM_ERROR_INVALID_PROGRAM;
    std::memcpy(buffer, program.result.data(), program.result.size());
    return NVVM_SUCCESS;
  });
}

/// "Get the Size of Compiler/Verifier Message. The size of the message string (including the trailing NULL) is stored."
/// NVVM_ERROR_INVALID_INPUT, NVVM_ERROR_INVALID_PROGRAM.
US_EXPORT nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet) {
  return withProgram(prog, [&](Program &program) {
    if (!bufferSizeRet) return NVVM_ERROR_INVALID_INPUT;
    *bufferSizeRet = program.log.size() + 1;
    return NVVM_SUCCESS;
  });
}

/// "Get the Compiler/Verifier Message. The NULL terminated message string is stored in the memory pointed to by
/// 'buffer'." As above.
US_EXPORT nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer) {
  return withProgram(prog, [&](Program &program) {
    if (!buffer) return NVVM_ERROR_INVALID_INPUT;
    std::memcpy(buffer, program.log.c_str(), program.log.size() + 1);
    return NVVM_SUCCESS;
  });
}
