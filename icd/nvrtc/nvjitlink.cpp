// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvJitLink.so.12 and .13: device code linked while a program runs. Sentences are those of NVIDIA's "nvJitLink"
// documentation. PTX texts are linked as the driver links them, code for linking (-lto) by LLVM; the result is PTX.
#include "icd/cuda/include/nvJitLink.h"

#include "frontend/cuda/architecture.h"
#include "icd/cuda/image.h"
#include "icd/cuda/merge_ptx.h"
#include "icd/nvrtc/compiler.h"
#include "icd/nvrtc/handles.h"
#include "runtime/base/file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace us::nvrtc {
namespace {

constexpr CudaRelease kRelease = {US_NVRTC_MAJOR, US_NVRTC_MINOR};
using frontend::cuda::IrInput;

struct Linker {
  std::mutex mutex; ///< guards what follows
  IrInput options;  ///< without modules
  bool linkTime = false, wantsPtx = false;
  unsigned registers = 0;
  std::vector<cuda::PtxInput> texts;
  std::vector<cuda::PtxInput> bitcode; ///< name and bytes
  cuda::StrongNames strong;
  bool complete = false;
  std::string ptx, errors, infos;
};

Handles<Linker> &linkers() {
  static auto &all = *new Handles<Linker>;
  return all;
}

/// No exception leaves a C function.
template <class Body> nvJitLinkResult guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return NVJITLINK_ERROR_INTERNAL;
  }
}

/// "NVJITLINK_ERROR_INVALID_INPUT" if there is none.
template <class Body> nvJitLinkResult withLinker(nvJitLinkHandle handle, Body body) noexcept {
  return guarded([&] {
    const std::shared_ptr<Linker> linker = linkers().find(handle);
    if (!linker) return NVJITLINK_ERROR_INVALID_INPUT;
    std::scoped_lock lock(linker->mutex);
    return body(*linker);
  });
}

nvJitLinkResult failed(Linker &linker, nvJitLinkResult result, const std::string &what) {
  linker.errors += "ERROR " + std::to_string(result) + ": " + what + "\n";
  return result;
}

bool readNumber(std::string_view text, unsigned &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// "-arch=sm_<N>", "-maxrregcount=<N>", "-lto", "-ptx", "-O<N>", "-g", "-lineinfo", "-ftz=<n>", "-prec-div=<n>",
/// "-prec-sqrt=<n>", "-fma=<n>"; the others say nothing about PTX.
nvJitLinkResult parseOption(Linker &linker, const std::string &word, bool &hasArchitecture) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (name == "-arch") {
    Expected<frontend::cuda::Architecture> found = frontend::cuda::architectureNamed(value, kRelease);
    if (!found || !(value.starts_with("sm_") || value.starts_with("compute_")))
      return failed(linker, NVJITLINK_ERROR_UNRECOGNIZED_ARCH, "'" + value + "' is no architecture");
    linker.options.architecture = *std::move(found);
    hasArchitecture = true;
    return NVJITLINK_SUCCESS;
  }
  const auto wrong = [&] {
    return failed(linker, NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unrecognized option '" + word + "'");
  };
  if (name == "-maxrregcount") return readNumber(value, linker.registers) ? NVJITLINK_SUCCESS : wrong();
  const struct {
    const char *name;
    bool *flag;
  } kSwitches[] = {{"-ftz", &linker.options.flushToZero},
                   {"-prec-div", &linker.options.preciseDivision},
                   {"-prec-sqrt", &linker.options.preciseRoot},
                   {"-fma", &linker.options.fuse}},
    kFlags[] = {{"-lto", &linker.linkTime},
                {"-ptx", &linker.wantsPtx},
                {"-g", &linker.options.deviceDebug},
                {"-lineinfo", &linker.options.lineInfo}};
  for (const auto &row : kSwitches) {
    if (name != row.name) continue;
    const bool yes = value == "1" || value == "true";
    if (!yes && value != "0" && value != "false") return wrong();
    *row.flag = yes;
    return NVJITLINK_SUCCESS;
  }
  for (const auto &row : kFlags) {
    if (word != row.name) continue;
    *row.flag = true;
    return NVJITLINK_SUCCESS;
  }
  if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
    linker.options.optimisation = static_cast<unsigned>(word[2] - '0');
    return NVJITLINK_SUCCESS;
  }
  for (const char *other : {"-time", "-verbose", "-optimize-unused-variables", "-no-cache", "-kernels-used",
                            "-variables-used", "-Xptxas", "-Xnvvm", "-split-compile", "-split-compile-extended",
                            "-jump-table-density", "-device-stack-protector", "-r", "-no-opt"})
    if (name == other) return NVJITLINK_SUCCESS;
  return wrong();
}

nvJitLinkResult create(nvJitLinkHandle *handle, uint32_t count, const char **words) {
  if (!handle || (count > 0 && !words)) return NVJITLINK_ERROR_NULL_INPUT;
  const auto linker = std::make_shared<Linker>();
  // The log of a failed call can be asked for.
  *handle = static_cast<nvJitLinkHandle>(linkers().add(linker));
  bool hasArchitecture = false;
  for (const char *word : std::span(words, count)) {
    if (!word) return failed(*linker, NVJITLINK_ERROR_NULL_INPUT, "an option is null");
    if (const nvJitLinkResult parsed = parseOption(*linker, word, hasArchitecture); parsed != NVJITLINK_SUCCESS)
      return parsed;
  }
  // "-arch=sm_<N>: Pass SM architecture value. This is a required option."
  if (!hasArchitecture) return failed(*linker, NVJITLINK_ERROR_MISSING_ARCH, "-arch not specified");
  // "-ptx: ... only supported with -lto"
  if (linker->wantsPtx && !linker->linkTime)
    return failed(*linker, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "-ptx wants -lto");
  return NVJITLINK_SUCCESS;
}

bool isBitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

nvJitLinkResult addText(Linker &linker, const std::string &name, std::string text) {
  const cuda::PtxOutline outline = cuda::outlineOf(text);
  if (outline.major == 0 || outline.target == 0)
    return failed(linker, NVJITLINK_ERROR_PTX_COMPILE, name + ": .version and .target are missing");
  if (const std::string clash = cuda::clashOf(outline, name, linker.strong); !clash.empty())
    return failed(linker, NVJITLINK_ERROR_INVALID_INPUT, "multiple definition: " + clash);
  linker.texts.push_back({name, cuda::limitedTo(linker.registers, text)});
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult addTexts(Linker &linker, const std::string &name, const std::vector<std::string> &texts) {
  for (const std::string &text : texts)
    if (const nvJitLinkResult added = addText(linker, name, text); added != NVJITLINK_SUCCESS) return added;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult add(Linker &linker, nvJitLinkInputType type, std::string_view bytes, const std::string &name) {
  const auto mismatch = [&](const char *wanted) {
    return failed(linker, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
                  "bad input: does not match type NVJITLINK_INPUT_" + std::string(wanted) + " <" + name + ">");
  };
  switch (type) {
  case NVJITLINK_INPUT_LTOIR:
    if (!isBitcode(bytes)) return mismatch("LTOIR");
    // "-lto: Do link time optimization."
    if (!linker.linkTime) return failed(linker, NVJITLINK_ERROR_LTO_NOT_ENABLED, name + ": -lto was not specified");
    linker.bitcode.push_back({name, std::string(bytes)});
    return NVJITLINK_SUCCESS;
  case NVJITLINK_INPUT_LIBRARY: {
    const std::optional<std::vector<std::string>> texts = cuda::ptxsOfArchive(bytes);
    return texts ? addTexts(linker, name, *texts) : mismatch("LIBRARY");
  }
  case NVJITLINK_INPUT_ANY:
    if (isBitcode(bytes)) return add(linker, NVJITLINK_INPUT_LTOIR, bytes, name);
    if (bytes.starts_with("!<arch>\n")) return add(linker, NVJITLINK_INPUT_LIBRARY, bytes, name);
    [[fallthrough]];
  case NVJITLINK_INPUT_CUBIN:
  case NVJITLINK_INPUT_PTX:
  case NVJITLINK_INPUT_FATBIN:
  case NVJITLINK_INPUT_OBJECT: {
    const auto texts = cuda::ptxsOfLinkerInput(bytes);
    if (texts) return addTexts(linker, name, *texts);
    linker.errors += name + ": " + texts.error().message + "\n";
    if (type == NVJITLINK_INPUT_PTX) return failed(linker, NVJITLINK_ERROR_PTX_COMPILE, name + " is no PTX");
    return type == NVJITLINK_INPUT_ANY ? failed(linker, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name)
                                       : mismatch(type == NVJITLINK_INPUT_CUBIN    ? "CUBIN"
                                                  : type == NVJITLINK_INPUT_FATBIN ? "FATBIN"
                                                                                   : "OBJECT");
  }
  default:
    return failed(linker, NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
                  name + ": there is no kind of input " + std::to_string(type));
  }
}

/// What the device has by itself.
bool isOfTheDevice(std::string_view name) {
  for (const char *known : {"vprintf", "malloc", "free", "__assertfail"})
    if (name == known) return true;
  return name.starts_with("cuda") || name.starts_with("__cuda");
}

nvJitLinkResult complete(Linker &linker) {
  std::vector<cuda::PtxInput> texts = linker.texts;
  if (!linker.bitcode.empty()) {
    const Expected<const frontend::cuda::CompilerApi *> compiler = compilerLibrary();
    const Expected<std::string> toolkit = toolkitFolder();
    if (!compiler) return failed(linker, NVJITLINK_ERROR_INTERNAL, compiler.error().message);
    if (!toolkit) return failed(linker, NVJITLINK_ERROR_INTERNAL, toolkit.error().message);
    IrInput input = linker.options;
    for (const cuda::PtxInput &module : linker.bitcode) input.modules.push_back({module.name, module.text});
    input.deviceFunctions = *toolkit + "/device/device_library.bc";
    // What PTX refers to has to stay.
    input.wholeProgram = texts.empty();
    Logged<std::string> made = (*compiler)->compileIr(input);
    if (!made) return failed(linker, NVJITLINK_ERROR_NVVM_COMPILE, made.log);
    linker.infos += made.log;
    const cuda::PtxOutline outline = cuda::outlineOf(*made);
    if (const std::string clash = cuda::clashOf(outline, "code for linking", linker.strong); !clash.empty())
      return failed(linker, NVJITLINK_ERROR_INVALID_INPUT, "multiple definition: " + clash);
    texts.push_back({"code for linking", cuda::limitedTo(linker.registers, *made)});
  }
  std::string ptx = texts.size() == 1 ? texts.front().text : cuda::mergedPtx(texts);
  const cuda::PtxOutline outline = cuda::outlineOf(ptx);
  for (const cuda::PtxSymbol &symbol : outline.symbols) {
    if (symbol.isDefinition || symbol.space == "shared" || isOfTheDevice(symbol.name)) continue;
    const auto isSame = [&](const cuda::PtxSymbol &other) { return other.isDefinition && other.name == symbol.name; };
    if (std::ranges::none_of(outline.symbols, isSame))
      return failed(linker, NVJITLINK_ERROR_INVALID_INPUT, "undefined reference to '" + std::string(symbol.name) + "'");
  }
  linker.ptx = std::move(ptx);
  linker.complete = true;
  return NVJITLINK_SUCCESS;
}

/// The text with the zero behind it.
nvJitLinkResult sizeOf(size_t *size, const std::string &text) {
  if (!size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = text.size() + 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult copyOf(void *to, const std::string &text) {
  if (!to) return NVJITLINK_ERROR_NULL_INPUT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVJITLINK_SUCCESS;
}

} // namespace
} // namespace us::nvrtc

using namespace us::nvrtc;

#define US_EXPORT extern "C" __attribute__((visibility("default")))
// Programs link with names of the release that their header is of; others look the plain name up.
#define US_ALIAS(name, release) US_EXPORT decltype(name) __##name##_##release __attribute__((alias(#name)));
#if US_NVRTC_MAJOR >= 13
#define US_ALIASES(name) US_ALIAS(name, 13_0) US_ALIAS(name, 13_1) US_ALIAS(name, 13_2)
#else
#define US_ALIASES(name)                                                                                               \
  US_ALIAS(name, 12_0)                                                                                                 \
  US_ALIAS(name, 12_1)                                                                                                 \
  US_ALIAS(name, 12_2)                                                                                                 \
  US_ALIAS(name, 12_3)                                                                                                 \
  US_ALIAS(name, 12_4)                                                                                                 \
  US_ALIAS(name, 12_5) US_ALIAS(name, 12_6) US_ALIAS(name, 12_7) US_ALIAS(name, 12_8) US_ALIAS(name, 12_9)
#endif
#define US_FUNCTION(name, parameters, ...) US_EXPORT nvJitLinkResult name parameters{__VA_ARGS__} US_ALIASES(name)

/// "nvJitLinkCreate creates an instance of nvJitLinkHandle with the given input options, and sets the output parameter
/// handle." NVJITLINK_ERROR_UNRECOGNIZED_OPTION, NVJITLINK_ERROR_MISSING_ARCH, NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
/// NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkCreate, (nvJitLinkHandle * handle, uint32_t numOptions, const char **options),
            return guarded([&] { return create(handle, numOptions, options); });)

/// "nvJitLinkDestroy frees the memory associated with the given handle and sets it to NULL."
/// NVJITLINK_ERROR_INVALID_INPUT, NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkDestroy, (nvJitLinkHandle * handle), return guarded([&] {
              if (!handle) return NVJITLINK_ERROR_NULL_INPUT;
              if (!linkers().remove(*handle)) return NVJITLINK_ERROR_INVALID_INPUT;
              *handle = nullptr;
              return NVJITLINK_SUCCESS;
            });)

/// "nvJitLinkAddData adds data image to the link." NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, NVJITLINK_ERROR_PTX_COMPILE,
/// NVJITLINK_ERROR_LTO_NOT_ENABLED, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, NVJITLINK_ERROR_INVALID_INPUT,
/// NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkAddData,
            (nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data, size_t size, const char *name),
            return withLinker(handle, [&](Linker &linker) {
              if (!data) return NVJITLINK_ERROR_NULL_INPUT;
              return add(linker, inputType, {static_cast<const char *>(data), size}, name ? name : "<unnamed>");
            });)

/// "nvJitLinkAddFile reads data from file and links it in." As above, and NVJITLINK_ERROR_INVALID_INPUT for a file that
/// cannot be read.
US_FUNCTION(nvJitLinkAddFile, (nvJitLinkHandle handle, nvJitLinkInputType inputType, const char *fileName),
            return withLinker(handle, [&](Linker &linker) {
              if (!fileName) return NVJITLINK_ERROR_NULL_INPUT;
              const us::Expected<std::string> bytes = us::readFile(fileName);
              if (!bytes) return failed(linker, NVJITLINK_ERROR_INVALID_INPUT, bytes.error().message);
              return add(linker, inputType, *bytes, fileName);
            });)

/// "nvJitLinkComplete does the actual link." NVJITLINK_ERROR_INVALID_INPUT (a name is defined twice, or not),
/// NVJITLINK_ERROR_NVVM_COMPILE.
US_FUNCTION(nvJitLinkComplete, (nvJitLinkHandle handle),
            return withLinker(handle, [&](Linker &linker) { return complete(linker); });)

/// "nvJitLinkGetLinkedCubinSize gets the size of the linked cubin": here, of PTX. NVJITLINK_ERROR_INVALID_INPUT
/// (nothing was linked), NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkGetLinkedCubinSize, (nvJitLinkHandle handle, size_t *size),
            return withLinker(handle, [&](Linker &linker) {
              return linker.complete ? sizeOf(size, linker.ptx) : NVJITLINK_ERROR_INVALID_INPUT;
            });)

/// "nvJitLinkGetLinkedCubin gets the linked cubin. User is responsible for allocating enough space to hold the cubin."
US_FUNCTION(nvJitLinkGetLinkedCubin, (nvJitLinkHandle handle, void *cubin),
            return withLinker(handle, [&](Linker &linker) {
              return linker.complete ? copyOf(cubin, linker.ptx) : NVJITLINK_ERROR_INVALID_INPUT;
            });)

/// "nvJitLinkGetLinkedPtxSize gets the size of the linked ptx. Linked PTX is only available when using the -lto
/// option." NVJITLINK_ERROR_INVALID_INPUT, NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkGetLinkedPtxSize, (nvJitLinkHandle handle, size_t *size),
            return withLinker(handle, [&](Linker &linker) {
              return linker.complete && linker.linkTime ? sizeOf(size, linker.ptx) : NVJITLINK_ERROR_INVALID_INPUT;
            });)

/// "nvJitLinkGetLinkedPtx gets the linked ptx." As above.
US_FUNCTION(nvJitLinkGetLinkedPtx, (nvJitLinkHandle handle, char *ptx), return withLinker(handle, [&](Linker &linker) {
              return linker.complete && linker.linkTime ? copyOf(ptx, linker.ptx) : NVJITLINK_ERROR_INVALID_INPUT;
            });)

/// "nvJitLinkGetErrorLogSize gets the size of the error log." NVJITLINK_ERROR_INVALID_INPUT,
/// NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkGetErrorLogSize, (nvJitLinkHandle handle, size_t *size),
            return withLinker(handle, [&](Linker &linker) { return sizeOf(size, linker.errors); });)

/// "nvJitLinkGetErrorLog puts any error messages in the log."
US_FUNCTION(nvJitLinkGetErrorLog, (nvJitLinkHandle handle, char *log),
            return withLinker(handle, [&](Linker &linker) { return copyOf(log, linker.errors); });)

/// "nvJitLinkGetInfoLogSize gets the size of the info log." NVJITLINK_ERROR_INVALID_INPUT, NVJITLINK_ERROR_NULL_INPUT.
US_FUNCTION(nvJitLinkGetInfoLogSize, (nvJitLinkHandle handle, size_t *size),
            return withLinker(handle, [&](Linker &linker) { return sizeOf(size, linker.infos); });)

/// "nvJitLinkGetInfoLog puts any info messages in the log."
US_FUNCTION(nvJitLinkGetInfoLog, (nvJitLinkHandle handle, char *log),
            return withLinker(handle, [&](Linker &linker) { return copyOf(log, linker.infos); });)

/// "nvJitLinkVersion returns the current version of nvJitLink." NVJITLINK_ERROR_NULL_INPUT.
US_EXPORT nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor) {
  if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
  *major = kRelease.major;
  *minor = kRelease.minor;
  return NVJITLINK_SUCCESS;
}
