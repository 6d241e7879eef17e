// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvrtc.so.12 and .13: CUDA C++ compiled while a program runs. Chapters and sentences are those of NVIDIA's "NVRTC"
// documentation. Machine code is what a driver makes: where a cubin is asked for, PTX is what drivers take as well.
#include "icd/cuda/include/nvrtc.h"

#include "frontend/cuda/architecture.h"
#include "icd/nvrtc/cache.h"
#include "icd/nvrtc/compiler.h"
#include "icd/nvrtc/handles.h"
#include "icd/nvrtc/nvrtc_options.h"
#include "icd/nvrtc/shipped_headers.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <vector>

namespace us::nvrtc {
namespace {

constexpr CudaRelease kRelease = {US_NVRTC_MAJOR, US_NVRTC_MINOR};
using frontend::cuda::Product;

struct Header {
  std::string name, text;
};

struct Program {
  std::mutex mutex; ///< guards what follows; one thread compiles
  std::string source, name;
  std::vector<Header> headers;
  std::vector<std::string> names; ///< name expressions
  bool compiled = false, succeeded = false, forRealArchitecture = false, linkTime = false, precompiled = false;
  frontend::cuda::Compiled result;
  std::string log;
  int (*callback)(void *, void *) = nullptr;
  void *payload = nullptr;
};

Handles<Program> &programs() {
  static auto &all = *new Handles<Program>;
  return all;
}

/// No exception leaves a C function.
template <class Body> nvrtcResult guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// "NVRTC_ERROR_INVALID_PROGRAM" if there is none.
template <class Body> nvrtcResult withProgram(nvrtcProgram handle, Body body) noexcept {
  return guarded([&] {
    const std::shared_ptr<Program> program = programs().find(handle);
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    std::scoped_lock lock(program->mutex);
    return body(*program);
  });
}

void addTo(std::string &key, std::string_view part) {
  key += '\0' + std::to_string(part.size()) + '\0' + std::string(part);
}

/// All that precompiled headers follow from but what is on the disk.
std::string keyOf(std::span<const char *const> options) {
  std::string key = "nvrtc 1";
  const auto add = [&](std::string_view part) { addTo(key, part); };
  add(kRelease.text());
  add(compilerIdentity());
  std::error_code error;
  add(std::filesystem::current_path(error).string()); // relative names of folders and files
  // What Clang's driver reads besides.
  for (const char *variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (const char *value = secure_getenv(variable)) add(std::string(variable) + value);
  add(std::to_string(options.size()));
  for (const char *option : options) add(option);
  return key;
}

/// All that the result follows from but what is on the disk.
std::string keyOf(const Program &program, std::span<const char *const> options) {
  std::string key = keyOf(options);
  const auto add = [&](std::string_view part) { addTo(key, part); };
  add(program.name);
  add(program.source);
  add(std::to_string(program.headers.size()));
  for (const Header &header : program.headers) {
    add(header.name);
    add(header.text);
  }
  for (const std::string &name : program.names) add(name);
  return key;
}

bool isAsItWas(const frontend::cuda::FileLog &files) {
  return std::ranges::all_of(files,
                             [](const auto &file) { return frontend::cuda::stateOf(file.first) == file.second; });
}

/// Whether a compilation looked for a file that a header in memory stands for.
bool lookedFor(const frontend::cuda::FileLog &files, std::string_view header) {
  const std::string ending = "/" + std::string(header);
  return std::ranges::any_of(files, [&](const auto &file) { return file.first.ends_with(ending); });
}

/// How much of a source, in whole lines, does nothing but include headers by `<>` and define macros, up to the last
/// line that includes one. It means the same wherever the source lies.
size_t beginningOf(std::string_view source) {
  size_t beginning = 0;
  for (size_t at = 0, end = source.find('\n'); end != source.npos; at = end + 1, end = source.find('\n', at)) {
    std::string_view line = source.substr(at, end - at);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line.starts_with("//")) continue;
    // What does not end with the line.
    if (line.find("/*") != line.npos || line.find('\\') != line.npos || line.find("R\"") != line.npos) break;
    const bool includes = line.starts_with("#include <");
    if (!includes && !line.starts_with("#define ") && !line.starts_with("#undef ")) break;
    if (includes) beginning = end + 1;
  }
  return beginning;
}

/// Whether this was asked before with the same key.
bool wasSeen(const std::string &key) {
  static std::mutex mutex; // guards what follows
  static auto &seen = *new std::set<std::string>;
  std::scoped_lock lock(mutex);
  return !seen.insert(key).second;
}

/// The headers that every source begins with, and CompileInput::beginning of this one, as the compiler has read them:
/// it takes longer to read them than to compile a small kernel. Null: they cannot be read, and the compilation of a
/// source will say why. Sets `isNew` if they were not there before.
std::shared_ptr<const Cached> precompiledHeaders(const frontend::cuda::CompilerApi &compiler,
                                                 frontend::cuda::CompileInput input, bool cache, const std::string &key,
                                                 bool &isNew) {
  static std::mutex mutex; // guards what follows
  static std::string lastKey;
  static auto &last = *new std::shared_ptr<const Cached>;
  static auto &unusable = *new std::set<std::string>;
  {
    std::scoped_lock lock(mutex);
    if (unusable.contains(key)) return nullptr;
    if (last && lastKey == key && isAsItWas(last->compiled.files)) return last;
  }
  std::shared_ptr<const Cached> headers;
  if (std::optional<Cached> found = cache ? findCached(key) : std::nullopt) {
    headers = std::make_shared<const Cached>(*std::move(found));
  } else {
    input.product = Product::Precompiled;
    input.headers.clear();
    input.names.clear();
    Logged<frontend::cuda::Compiled> made = compiler.compile(input);
    if (!made) {
      std::scoped_lock lock(mutex);
      unusable.insert(key);
      return nullptr;
    }
    isNew = true;
    std::string log = std::move(made.log);
    headers = std::make_shared<const Cached>(*std::move(made), std::move(log));
    if (cache) storeCached(key, *headers);
  }
  std::scoped_lock lock(mutex);
  lastKey = key;
  last = headers;
  return headers;
}

/// What the compiler said of the headers that a source of this name begins with.
std::string logOf(const Cached &precompiled, const std::string &name) {
  std::string log = precompiled.log;
  const std::string_view beginning = frontend::cuda::kBeginning;
  for (size_t at = log.find(beginning); at != log.npos; at = log.find(beginning, at + name.size()))
    log.replace(at, beginning.size(), name);
  return log;
}

/// The headers that a source begins with, as the compiler has read them: one of these, or none.
struct HeadersAsRead {
  std::shared_ptr<const Cached> own; ///< for these options, and maybe with what the source includes first
  std::shared_ptr<const ShippedHeaders> shipped;
};

/// Has `input` begin with them.
HeadersAsRead useHeadersAsRead(const frontend::cuda::CompilerApi &compiler, Program &program,
                               const NvrtcOptions &options, std::span<const char *const> words,
                               frontend::cuda::CompileInput &input) {
  const std::string key = keyOf(words);
  HeadersAsRead headers;
  bool isNew = false;
  // Headers in memory may be other ones the next time.
  if (program.headers.empty()) input.beginning = beginningOf(program.source);
  if (input.beginning != 0) {
    std::string withBeginning = key;
    addTo(withBeginning, std::string_view(program.source).substr(0, input.beginning));
    // For one source alone it takes longer.
    if (options.precompile || wasSeen(withBeginning))
      headers.own = precompiledHeaders(compiler, input, options.cache, withBeginning, isNew);
    if (!headers.own) input.beginning = 0;
  }
  program.precompiled = options.precompile && isNew;
  if (!headers.own) headers.shipped = shippedHeadersFor(input);
  if (headers.shipped) {
    input.precompiled = headers.shipped->content;
    input.precompiledElsewhere = true;
    return headers;
  }
  if (!headers.own) headers.own = precompiledHeaders(compiler, input, options.cache, key, isNew);
  if (headers.own && std::ranges::none_of(program.headers, [&](const Header &header) {
        return lookedFor(headers.own->compiled.files, header.name);
      }))
    input.precompiled = headers.own->compiled.content;
  return headers;
}

nvrtcResult compileProgram(Program &program, const NvrtcOptions &options,
                           const frontend::cuda::Architecture &architecture, std::span<const char *const> words) {
  const std::string key = options.cache ? keyOf(program, words) : std::string();
  if (options.cache) {
    if (std::optional<Cached> found = findCached(key)) {
      program.result = std::move(found->compiled);
      program.log = std::move(found->log);
      program.succeeded = true;
      return NVRTC_SUCCESS;
    }
  }
  const Expected<std::string> toolkit = toolkitFolder();
  const Expected<const frontend::cuda::CompilerApi *> compiler = compilerLibrary();
  if (!toolkit || !compiler) {
    program.log = "nvrtc: error: " + (toolkit ? compiler.error().message : toolkit.error().message) + "\n";
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  frontend::cuda::CompileInput input{
      .source = program.source, .name = program.name, .options = options.code, .toolkit = *toolkit};
  for (const Header &header : program.headers) input.headers.push_back({header.name, header.text});
  input.options.withoutHost = true;
  input.architecture = architecture;
  input.release = kRelease;
  input.product = options.linkTime ? Product::Bitcode : Product::Ptx;
  if (options.linkTime) input.options.relocatable = true;
  input.names = program.names;
  const HeadersAsRead headers = useHeadersAsRead(**compiler, program, options, words, input);
  Logged<frontend::cuda::Compiled> made = (*compiler)->compile(input);
  if (!made && headers.shipped) {
    // Damaged ones, or of another Clang, must not be what is wrong with a source.
    input.precompiled = {};
    input.precompiledElsewhere = false;
    made = (*compiler)->compile(input);
  }
  if (input.beginning != 0) program.log = logOf(*headers.own, program.name);
  program.log += made.log;
  if (!made) return NVRTC_ERROR_COMPILATION;
  program.result = *std::move(made);
  // Also what the headers did not find.
  if (headers.shipped) {
    const std::string path = shippedHeadersPath(*toolkit, kRelease.major);
    program.result.files.emplace(path, frontend::cuda::stateOf(path));
  } else if (!input.precompiled.empty()) {
    program.result.files.insert(headers.own->compiled.files.begin(), headers.own->compiled.files.end());
  }
  program.succeeded = true;
  if (options.cache) storeCached(key, {program.result, program.log});
  return NVRTC_SUCCESS;
}

nvrtcResult createProgram(nvrtcProgram *handle, const char *source, const char *name, int headerCount,
                          const char *const *headers, const char *const *names) {
  // "NVRTC_ERROR_INVALID_INPUT"
  if (!handle || !source || headerCount < 0 || (headerCount > 0 && (!headers || !names)))
    return NVRTC_ERROR_INVALID_INPUT;
  const auto program = std::make_shared<Program>();
  program->source = source;
  // "name can be NULL; "default_program" is used when name is NULL or """."
  program->name = name && *name ? name : "default_program";
  for (int i = 0; i < headerCount; ++i) {
    if (!headers[i] || !names[i]) return NVRTC_ERROR_INVALID_INPUT;
    program->headers.push_back({names[i], headers[i]});
  }
  *handle = static_cast<nvrtcProgram>(programs().add(program));
  return NVRTC_SUCCESS;
}

nvrtcResult compileProgram(Program &program, int count, const char *const *words) {
  // "NVRTC_ERROR_INVALID_INPUT"
  if (count < 0 || (count > 0 && !words)) return NVRTC_ERROR_INVALID_INPUT;
  const std::span<const char *const> options(words, static_cast<size_t>(count));
  for (const char *option : options)
    if (!option) return NVRTC_ERROR_INVALID_INPUT;
  program.compiled = true;
  program.succeeded = program.precompiled = false;
  program.result = {};
  program.log.clear();
  // "NVRTC_ERROR_INVALID_OPTION"
  Expected<NvrtcOptions> parsed = parseNvrtcOptions(options);
  if (!parsed) {
    program.log = "nvrtc: error: " + parsed.error().message + "\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  const Expected<frontend::cuda::Architecture> architecture =
      frontend::cuda::architectureNamed(parsed->architecture, kRelease);
  const bool isName = parsed->architecture.empty() || parsed->architecture.starts_with("compute_") ||
                      parsed->architecture.starts_with("sm_");
  if (!architecture || !isName) {
    program.log = "nvrtc: error: invalid value for --gpu-architecture (-arch): '" + parsed->architecture + "'\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  program.forRealArchitecture = parsed->architecture.starts_with("sm_");
  program.linkTime = parsed->linkTime;
  // "the callback must return 1 to cancel compilation or 0 to continue"
  if (program.callback && program.callback(program.payload, nullptr) == 1) return NVRTC_ERROR_CANCELLED;
  return compileProgram(program, *parsed, *architecture, options);
}

/// The bytes that one of the getters is for, a zero at their end included; empty if the compilation did not make them.
std::string_view withEnd(const std::string &text, bool made) {
  return made ? std::string_view(text.c_str(), text.size() + 1) : std::string_view();
}
std::string_view ptxOf(const Program &program) { return withEnd(program.result.content, !program.linkTime); }
/// "The value of cubinSizeRet is set to 0 if the value specified to -arch is a virtual architecture instead of an
/// actual architecture."
std::string_view cubinOf(const Program &program) {
  return withEnd(program.result.content, !program.linkTime && program.forRealArchitecture);
}
/// "The value of LTOIRSizeRet is set to 0 if the program was not compiled with -dlto."
std::string_view linkTimeCodeOf(const Program &program) {
  return program.linkTime ? std::string_view(program.result.content) : std::string_view();
}

using Part = std::string_view (*)(const Program &);

nvrtcResult sizeOf(nvrtcProgram handle, size_t *size, Part part) {
  return withProgram(handle, [&](Program &program) {
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    if (!program.succeeded) return NVRTC_ERROR_INVALID_PROGRAM;
    *size = part(program).size();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult copyOf(nvrtcProgram handle, char *to, Part part) {
  return withProgram(handle, [&](Program &program) {
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    if (!program.succeeded) return NVRTC_ERROR_INVALID_PROGRAM;
    const std::string_view bytes = part(program);
    // What the compilation did not make.
    if (bytes.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
    std::memcpy(to, bytes.data(), bytes.size());
    return NVRTC_SUCCESS;
  });
}

std::atomic<size_t> pchHeapSize{size_t{256} << 20};

} // namespace
} // namespace us::nvrtc

using namespace us::nvrtc;

#define US_EXPORT extern "C" __attribute__((visibility("default")))

// ---- Error handling
// --------------------------------------------------------------------------------------------------

/// "Helper function that returns a string describing the given nvrtcResult code, e.g., NVRTC_SUCCESS to
/// "NVRTC_SUCCESS". For unrecognized enumeration values, it returns "NVRTC_ERROR unknown"."
US_EXPORT const char *nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define US_NAME(name)                                                                                                  \
  case name:                                                                                                           \
    return #name;
    US_NAME(NVRTC_SUCCESS)
    US_NAME(NVRTC_ERROR_OUT_OF_MEMORY)
    US_NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    US_NAME(NVRTC_ERROR_INVALID_INPUT)
    US_NAME(NVRTC_ERROR_INVALID_PROGRAM)
    US_NAME(NVRTC_ERROR_INVALID_OPTION)
    US_NAME(NVRTC_ERROR_COMPILATION)
    US_NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE)
    US_NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    US_NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    US_NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    US_NAME(NVRTC_ERROR_INTERNAL_ERROR)
    US_NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED)
    US_NAME(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED)
    US_NAME(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED)
    US_NAME(NVRTC_ERROR_PCH_CREATE)
    US_NAME(NVRTC_ERROR_CANCELLED)
    US_NAME(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED)
#undef US_NAME
  }
  return "NVRTC_ERROR unknown";
}

// ---- General information query
// ---------------------------------------------------------------------------------------

/// "nvrtcVersion sets the output parameters major and minor with the CUDA Runtime Compilation version number."
/// NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = static_cast<int>(kRelease.major);
  *minor = static_cast<int>(kRelease.minor);
  return NVRTC_SUCCESS;
}

/// "nvrtcGetNumSupportedArchs sets the output parameter numArchs with the number of architectures supported by NVRTC."
/// NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs) {
  if (!numArchs) return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = static_cast<int>(us::frontend::cuda::architecturesOf(kRelease).size());
  return NVRTC_SUCCESS;
}

/// "nvrtcGetSupportedArchs populates the array passed via the output parameter supportedArchs with the architectures
/// supported by NVRTC. The array is sorted in the ascending order." NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs) {
  if (!supportedArchs) return NVRTC_ERROR_INVALID_INPUT;
  for (const unsigned number : us::frontend::cuda::architecturesOf(kRelease))
    *supportedArchs++ = static_cast<int>(number);
  return NVRTC_SUCCESS;
}

// ---- Compilation
// -----------------------------------------------------------------------------------------------------

/// "nvrtcCreateProgram creates an instance of nvrtcProgram with the given input parameters."
/// NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                                         const char *const *headers, const char *const *includeNames) {
  return guarded([&] { return createProgram(prog, src, name, numHeaders, headers, includeNames); });
}

/// "nvrtcDestroyProgram destroys the given program." It is NULL afterwards. NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog) {
  return guarded([&] {
    if (!prog || !programs().remove(*prog)) return NVRTC_ERROR_INVALID_PROGRAM;
    *prog = nullptr;
    return NVRTC_SUCCESS;
  });
}

/// "nvrtcCompileProgram compiles the given program." NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM,
/// NVRTC_ERROR_INVALID_OPTION, NVRTC_ERROR_COMPILATION, NVRTC_ERROR_BUILTIN_OPERATION_FAILURE (there is no compiler),
/// NVRTC_ERROR_CANCELLED; the log says more.
US_EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options) {
  return withProgram(prog, [&](Program &program) { return compileProgram(program, numOptions, options); });
}

/// "nvrtcGetPTXSize sets the value of ptxSizeRet with the size of the PTX generated by the previous compilation of prog
/// (including the trailing NULL)." NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM (none was compiled).
US_EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet) { return sizeOf(prog, ptxSizeRet, ptxOf); }

/// "nvrtcGetPTX stores the PTX generated by the previous compilation of prog in the memory pointed by ptx." As above.
US_EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx) { return copyOf(prog, ptx, ptxOf); }

/// "nvrtcGetCUBINSize sets the value of cubinSizeRet with the size of the cubin generated by the previous compilation
/// of prog": here, of the PTX. NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet) {
  return sizeOf(prog, cubinSizeRet, cubinOf);
}

/// "nvrtcGetCUBIN stores the cubin generated by the previous compilation of prog in the memory pointed by cubin."
US_EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin) { return copyOf(prog, cubin, cubinOf); }

/// "nvrtcGetLTOIRSize sets the value of LTOIRSizeRet with the size of the LTO IR generated by the previous compilation
/// of prog": LLVM's bitcode, for nvJitLink of ours. NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet) {
  return sizeOf(prog, LTOIRSizeRet, linkTimeCodeOf);
}

/// "nvrtcGetLTOIR stores the LTO IR generated by the previous compilation of prog in the memory pointed by LTOIR."
US_EXPORT nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR) { return copyOf(prog, LTOIR, linkTimeCodeOf); }

/// "The value of optixirSizeRet is set to 0 if the program was compiled with options incompatible with OptiX IR
/// generation": all are. NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet) {
  return sizeOf(prog, optixirSizeRet, [](const Program &) { return std::string_view(); });
}

/// There is none: NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir) {
  return copyOf(prog, optixir, [](const Program &) { return std::string_view(); });
}

/// "nvrtcGetProgramLogSize sets logSizeRet with the size of the log generated by the previous compilation of prog
/// (including the trailing NULL)." NVRTC_ERROR_INVALID_INPUT, NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet) {
  return withProgram(prog, [&](Program &program) {
    if (!logSizeRet) return NVRTC_ERROR_INVALID_INPUT;
    *logSizeRet = program.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}

/// "nvrtcGetProgramLog stores the log generated by the previous compilation of prog in the memory pointed by log."
US_EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log) {
  return withProgram(prog, [&](Program &program) {
    if (!log) return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(log, program.log.c_str(), program.log.size() + 1);
    return NVRTC_SUCCESS;
  });
}

/// "nvrtcAddNameExpression notes the given name expression denoting the address of a __global__ function or
/// __device__/__constant__ variable." NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_INPUT,
/// NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION.
US_EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression) {
  return withProgram(prog, [&](Program &program) {
    if (!name_expression) return NVRTC_ERROR_INVALID_INPUT;
    if (program.compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.names.emplace_back(name_expression);
    return NVRTC_SUCCESS;
  });
}

/// "nvrtcGetLoweredName extracts the lowered (mangled) name for a __global__ function or __device__/__constant__
/// variable, and updates *lowered_name to point to it. The memory containing the name is released when the NVRTC
/// program is destroyed by nvrtcDestroyProgram. The identical name expression must have been previously provided to
/// nvrtcAddNameExpression." NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
/// NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression,
                                          const char **lowered_name) {
  return withProgram(prog, [&](Program &program) {
    if (!name_expression || !lowered_name) return NVRTC_ERROR_INVALID_INPUT;
    if (!program.succeeded) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < program.names.size() && i < program.result.loweredNames.size(); ++i)
      if (program.names[i] == name_expression && !program.result.loweredNames[i].empty()) {
        *lowered_name = program.result.loweredNames[i].c_str();
        return NVRTC_SUCCESS;
      }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  });
}

/// "set a callback function that the compiler will invoke at different points": here once, before it begins.
/// NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *), void *payload) {
  return withProgram(prog, [&](Program &program) {
    if (!callback) return NVRTC_ERROR_INVALID_INPUT;
    program.callback = callback;
    program.payload = payload;
    return NVRTC_SUCCESS;
  });
}

// ---- Precompiled headers: --pch makes them, in the user's cache and not in a heap of their own ----------------------

/// "retrieve the current size of the PCH Heap." NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcGetPCHHeapSize(size_t *ret) {
  if (!ret) return NVRTC_ERROR_INVALID_INPUT;
  *ret = pchHeapSize;
  return NVRTC_SUCCESS;
}

/// "set the size of the PCH Heap. The requested size may be rounded up to a platform dependent alignment."
US_EXPORT nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  pchHeapSize = (size + 4095) & ~size_t{4095};
  return NVRTC_SUCCESS;
}

/// "NVRTC_SUCCESS indicates that the PCH was successfully created. NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED indicates that
/// no PCH creation was attempted." NVRTC_ERROR_INVALID_PROGRAM.
US_EXPORT nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return withProgram(
      prog, [](Program &program) { return program.precompiled ? NVRTC_SUCCESS : NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}

/// "retrieve the required size of the PCH heap required to compile the given program": none.
/// NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_INPUT.
US_EXPORT nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size) {
  return withProgram(prog, [&](Program &) {
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    *size = 0;
    return NVRTC_SUCCESS;
  });
}

#if US_NVRTC_MAJOR < 13
// ---- What CUDA 12 still has under another name
// ------------------------------------------------------------------------

/// "DEPRECATION NOTICE: This function will be removed in a future release. Please use nvrtcGetLTOIRSize".
US_EXPORT nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet) {
  return nvrtcGetLTOIRSize(prog, nvvmSizeRet);
}
/// The same of nvrtcGetLTOIR.
US_EXPORT nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm) { return nvrtcGetLTOIR(prog, nvvm); }
#endif
