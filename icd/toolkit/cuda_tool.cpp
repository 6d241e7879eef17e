// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas, fatbinary, nvlink, cuobjdump, nvdisasm and bin2c, by the name that the program is started with: what compilers
// and build systems ask of them. There is no machine code: where NVIDIA's make it the answer is PTX, which drivers
// compile, and what can only be said of machine code is refused with a sentence.
#include "frontend/cuda/architecture.h"
#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/image.h"
#include "icd/cuda/merge_ptx.h"
#include "icd/toolkit/arguments.h"
#include "runtime/base/file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace us::toolkit {
namespace {
namespace fs = std::filesystem;
using frontend::cuda::Architecture;

constexpr int kFailed = 255; ///< as NVIDIA's end

/// An option that says nothing about PTX.
#define US_IGNORED(...)                                                                                                \
  {                                                                                                                    \
    {                                                                                                                  \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
  }
#define US_IGNORED_VALUE(...) {{__VA_ARGS__}, true}

int printVersion(const std::string &tool, const CudaRelease &release) {
  std::printf("%s: of understudy %s; not NVIDIA's\n"
              "Cuda compilation tools, release %s, V%s.0\n"
              "Build understudy_%s.%s\n",
              tool.c_str(), US_VERSION, release.text().c_str(), release.text().c_str(), release.text().c_str(),
              US_VERSION);
  return 0;
}

Expected<void> checkDirectives(const std::string &path, const cuda::PtxOutline &outline) {
  if (outline.major == 0 || outline.target == 0)
    return fail(ErrorCode::InvalidValue, path + ": Missing .version or .target directive");
  return {};
}

/// The PTX of a file, whatever kind of image it is.
Expected<std::string> ptxOf(const std::string &path) {
  US_TRY(const std::string bytes, readFile(path));
  Expected<std::string> ptx = cuda::ptxOfFile(bytes);
  if (!ptx) return fail(ErrorCode::InvalidValue, path + ": " + ptx.error().message);
  US_CHECK(checkDirectives(path, cuda::outlineOf(*ptx)));
  return ptx;
}

// ---- ptxas
// -----------------------------------------------------------------------------------------------------------

Expected<int> ptxas(const std::vector<std::string> &words, const CudaRelease &release) {
  US_TRY(const Arguments arguments,
         parseArguments(words, {{{"output-file", "o"}, true},
                                {{"gpu-name", "arch"}, true},
                                {{"verbose", "v"}},
                                {{"maxrregcount", "r"}, true},
                                US_IGNORED_VALUE("opt-level", "O"),
                                US_IGNORED_VALUE("machine", "m"),
                                US_IGNORED("m64"),
                                US_IGNORED("compile-only", "c"),
                                US_IGNORED("device-debug", "g"),
                                US_IGNORED("generate-line-info", "lineinfo"),
                                US_IGNORED("return-at-end", "ret-end"),
                                US_IGNORED("suppress-debug-info"),
                                US_IGNORED("suppress-stack-size-warning"),
                                US_IGNORED("suppress-async-bulk-multicast-advisory-warning"),
                                US_IGNORED("warn-on-double-precision-use", "warn-double-usage"),
                                US_IGNORED("warn-on-local-memory-usage", "warn-lmem-usage"),
                                US_IGNORED("warn-on-spills", "warn-spills"),
                                US_IGNORED("warning-as-error", "Werror"),
                                US_IGNORED("disable-warnings", "w"),
                                US_IGNORED("disable-optimizer-constants", "disable-optimizer-consts"),
                                US_IGNORED("dont-merge-basicblocks", "no-bb-merge"),
                                US_IGNORED("extensible-whole-program", "ewp"),
                                US_IGNORED("preserve-relocs", "preserve-relocs"),
                                US_IGNORED("position-independent-code", "pic"),
                                US_IGNORED("compile-as-tools-patch", "astoolspatch"),
                                US_IGNORED("sp-bounds-check", "sp-bounds-check"),
                                US_IGNORED_VALUE("regAllocOptLevel"),
                                US_IGNORED_VALUE("fmad"),
                                US_IGNORED_VALUE("allow-expensive-optimizations", "allow-expensive-optimizations"),
                                US_IGNORED_VALUE("def-load-cache", "dlcm"),
                                US_IGNORED_VALUE("def-store-cache", "dscm"),
                                US_IGNORED_VALUE("force-load-cache", "flcm"),
                                US_IGNORED_VALUE("force-store-cache", "fscm"),
                                US_IGNORED_VALUE("entry", "e"),
                                US_IGNORED_VALUE("input-as-string", "ias"),
                                US_IGNORED_VALUE("split-compile"),
                                US_IGNORED_VALUE("jump-table-density", "jtd"),
                                US_IGNORED_VALUE("override-directive-values", "override-directive-values"),
                                US_IGNORED_VALUE("compiler-annotations", "annotate")}));
  if (arguments.files.size() != 1)
    return fail(ErrorCode::InvalidValue,
                "one input file is expected, there are " + std::to_string(arguments.files.size()));
  const std::string name = arguments.has("gpu-name") ? arguments.valueOf("gpu-name") : std::string();
  US_TRY(const Architecture architecture, frontend::cuda::architectureNamed(name, release));
  if (!name.empty() && !name.starts_with("sm_"))
    return fail(ErrorCode::InvalidValue, "Value '" + name + "' is not defined for option 'gpu-name'");
  US_TRY(std::string ptx, ptxOf(arguments.files.front()));
  const cuda::PtxOutline outline = cuda::outlineOf(ptx);
  if (!name.empty() && outline.target > architecture.number)
    return fail(ErrorCode::InvalidValue, "PTX with .target sm_" + std::to_string(outline.target) +
                                             " cannot be compiled to architecture '" + name + "'");
  if (arguments.has("verbose"))
    for (const cuda::PtxSymbol &symbol : outline.symbols)
      if (symbol.kind == cuda::PtxKind::Kernel)
        std::fprintf(stderr, "ptxas info    : '%s' is left as PTX, which the driver compiles\n",
                     std::string(symbol.name).c_str());
  if (const std::string registers = arguments.valueOf("maxrregcount"); !registers.empty())
    ptx = cuda::limitedTo(static_cast<unsigned>(std::strtoul(registers.c_str(), nullptr, 10)), ptx);
  const std::string output = arguments.has("output-file") ? arguments.valueOf("output-file") : "elf.o";
  // Whoever loads it may not know how long it is.
  US_CHECK(writeFile(output, ptx + '\0'));
  return 0;
}

// ---- fatbinary
// -------------------------------------------------------------------------------------------------------

/// "kind=elf,sm=80,file=x.cubin" and "profile=sm_80,file=x.cubin".
Expected<std::string> fileOfImage(const std::string &description) {
  for (size_t from = 0; from < description.size();) {
    const size_t comma = std::min(description.find(',', from), description.size());
    const std::string part = description.substr(from, comma - from);
    if (part.starts_with("file=")) return part.substr(5);
    from = comma + 1;
  }
  return fail(ErrorCode::InvalidValue, "an image names no file: '" + description + "'");
}

Expected<int> fatbinary(const std::vector<std::string> &words, const CudaRelease &) {
  US_TRY(const Arguments arguments, parseArguments(words, {{{"create", "c"}, true},
                                                           {{"image", "image3", "i"}, true},
                                                           {{"embedded-fatbin"}, true},
                                                           US_IGNORED("64"),
                                                           US_IGNORED("cuda"),
                                                           US_IGNORED("host"),
                                                           US_IGNORED("no-asm"),
                                                           US_IGNORED("link", "device-c"),
                                                           US_IGNORED("debug", "g"),
                                                           US_IGNORED("compress-all"),
                                                           US_IGNORED_VALUE("compress", "compress-mode"),
                                                           US_IGNORED_VALUE("ident"),
                                                           US_IGNORED_VALUE("cmdline", "cicc-cmdline")}));
  if (arguments.has("embedded-fatbin"))
    return fail(ErrorCode::InvalidValue, "--embedded-fatbin: no C source is made of an image: nvcc embeds it itself");
  const auto images = arguments.options.find("image");
  if (!arguments.has("create") || images == arguments.options.end())
    return fail(ErrorCode::InvalidValue, "--create=file and at least one --image=profile=…,file=… are expected");
  std::vector<std::string> texts;
  for (const std::string &description : images->second) {
    US_TRY(const std::string path, fileOfImage(description));
    US_TRY(std::string ptx, ptxOf(path));
    texts.push_back(std::move(ptx));
  }
  std::vector<PtxText> entries;
  for (const std::string &text : texts) entries.push_back({cuda::outlineOf(text).target, 0, text});
  US_CHECK(writeFile(arguments.valueOf("create"), writePtxContainer(entries)));
  return 0;
}

// ---- nvlink
// ----------------------------------------------------------------------------------------------------------

/// A file, or what -l and -L find.
Expected<std::string> libraryNamed(const std::string &name, const Arguments &arguments) {
  if (const auto folders = arguments.options.find("library-path"); folders != arguments.options.end())
    for (const std::string &folder : folders->second) {
      const fs::path path = fs::path(folder) / ("lib" + name + ".a");
      std::error_code error;
      if (fs::exists(path, error)) return path.string();
    }
  return fail(ErrorCode::InvalidValue, "library '" + name + "' was not found");
}

Expected<int> nvlink(const std::vector<std::string> &words, const CudaRelease &release) {
  US_TRY(const Arguments arguments, parseArguments(words, {{{"output-file", "o"}, true},
                                                           {{"arch"}, true},
                                                           {{"library", "l"}, true},
                                                           {{"library-path", "L"}, true},
                                                           {{"register-link-binaries"}, true},
                                                           US_IGNORED_VALUE("machine", "m"),
                                                           US_IGNORED("m64"),
                                                           US_IGNORED("verbose", "v"),
                                                           US_IGNORED("debug", "g"),
                                                           US_IGNORED("lineinfo"),
                                                           US_IGNORED("disable-warnings", "w"),
                                                           US_IGNORED("suppress-stack-size-warning"),
                                                           US_IGNORED("preserve-relocs"),
                                                           US_IGNORED("ignore-host-info"),
                                                           US_IGNORED_VALUE("Xptxas"),
                                                           US_IGNORED_VALUE("feature", "mattr"),
                                                           US_IGNORED_VALUE("cpu-arch")}));
  if (arguments.has("register-link-binaries"))
    return fail(ErrorCode::InvalidValue,
                "--register-link-binaries: device code of programs is linked by the runtime library when it is used");
  US_CHECK(frontend::cuda::architectureNamed(arguments.valueOf("arch"), release));
  std::vector<std::string> files = arguments.files;
  if (const auto libraries = arguments.options.find("library"); libraries != arguments.options.end())
    for (const std::string &name : libraries->second) {
      US_TRY(std::string path, libraryNamed(name, arguments));
      files.push_back(std::move(path));
    }
  if (files.empty()) return fail(ErrorCode::InvalidValue, "no input file was given");
  std::vector<cuda::PtxInput> inputs;
  cuda::StrongNames names;
  const auto add = [&](const std::string &file, std::string ptx) -> Expected<void> {
    if (const std::string clash = cuda::clashOf(cuda::outlineOf(ptx), file, names); !clash.empty())
      return fail(ErrorCode::InvalidValue, "Multiple definition: " + clash);
    inputs.push_back({file, std::move(ptx)});
    return {};
  };
  for (const std::string &file : files) {
    US_TRY(const std::string bytes, readFile(file));
    if (const std::optional<std::vector<std::string>> texts = cuda::ptxsOfArchive(bytes)) {
      for (const std::string &ptx : *texts) US_CHECK(add(file, ptx));
      continue;
    }
    const auto texts = cuda::ptxsOfLinkerInput(bytes);
    if (!texts) return fail(ErrorCode::InvalidValue, file + ": " + texts.error().message);
    for (const std::string &ptx : *texts) {
      US_CHECK(checkDirectives(file, cuda::outlineOf(ptx)));
      US_CHECK(add(file, ptx));
    }
  }
  const std::string output = arguments.has("output-file") ? arguments.valueOf("output-file") : "a.out";
  US_CHECK(writeFile(output, cuda::mergedPtx(inputs) + '\0'));
  return 0;
}

// ---- cuobjdump, nvdisasm
// ---------------------------------------------------------------------------------------------

/// The texts of a file: it is an image, or a program or object that holds some.
std::vector<PtxText> textsIn(const std::string &bytes) {
  std::vector<PtxText> texts;
  for (const std::string_view container : cuda::containersIn(bytes)) {
    const std::vector<PtxText> found = *readPtxContainer(container);
    texts.insert(texts.end(), found.begin(), found.end());
  }
  return texts;
}

Expected<int> cuobjdump(const std::vector<std::string> &words, const CudaRelease &) {
  US_TRY(const Arguments arguments, parseArguments(words, {{{"list-elf", "lelf"}},
                                                           {{"list-ptx", "lptx"}},
                                                           {{"dump-ptx", "ptx"}},
                                                           {{"extract-ptx", "xptx"}, true},
                                                           {{"extract-elf", "xelf"}, true},
                                                           {{"dump-sass", "sass"}},
                                                           {{"dump-elf", "elf"}},
                                                           {{"dump-resource-usage", "res-usage"}},
                                                           {{"dump-elf-symbols", "symbols"}},
                                                           US_IGNORED_VALUE("gpu-architecture", "arch"),
                                                           US_IGNORED("all-fatbin", "all")}));
  for (const char *machineCode : {"dump-sass", "dump-elf", "dump-resource-usage", "dump-elf-symbols", "extract-elf"})
    if (arguments.has(machineCode))
      return fail(ErrorCode::InvalidValue,
                  "--" + std::string(machineCode) +
                      ": there is no machine code of NVIDIA's devices; --list-ptx and --dump-ptx show what there is");
  if (arguments.files.empty()) return fail(ErrorCode::InvalidValue, "no input file was given");
  for (const std::string &file : arguments.files) {
    US_TRY(const std::string bytes, readFile(file));
    std::vector<PtxText> texts = textsIn(bytes);
    const Expected<std::string> alone = cuda::ptxOfFile(bytes);
    if (texts.empty() && alone) texts.push_back({cuda::outlineOf(*alone).target, 0, *alone});
    if (texts.empty()) return fail(ErrorCode::InvalidValue, "File '" + file + "' does not contain device code");
    const std::string stem = fs::path(file).stem().string();
    const std::string wanted = arguments.valueOf("extract-ptx");
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::string name =
          stem + "." + std::to_string(i + 1) + ".sm_" + std::to_string(texts[i].architecture) + ".ptx";
      if (arguments.has("list-ptx")) std::printf("PTX file    %zu: %s\n", i + 1, name.c_str());
      if (arguments.has("dump-ptx"))
        std::printf("\nFatbin ptx code:\n================\narch = sm_%u\n%.*s\n", texts[i].architecture,
                    static_cast<int>(texts[i].text.size()), texts[i].text.data());
      if (!wanted.empty() && (wanted == "all" || name.find(wanted) != std::string::npos)) {
        std::printf("Extracting PTX file    %zu: %s\n", i + 1, name.c_str());
        US_CHECK(writeFile(name, texts[i].text));
      }
    }
    // --list-elf: there are none, which is what an empty list says.
  }
  return 0;
}

Expected<int> nvdisasm(const std::vector<std::string> &, const CudaRelease &) {
  return fail(ErrorCode::InvalidValue, "there is no machine code of NVIDIA's devices to disassemble: what "
                                       "understudy's compilers make is PTX, which can be read as it is");
}

// ---- bin2c

struct ArrayType {
  std::string_view name, word;
  const char *suffix;
  size_t bytes;
};
constexpr ArrayType kArrayTypes[] = {{"char", "unsigned char", "", 1},
                                     {"short", "unsigned short", "", 2},
                                     {"int", "unsigned int", "", 4},
                                     {"longlong", "unsigned long long", "ULL", 8}};

/// Bytes between commas, as C writes numbers.
Expected<std::string> trailingBytes(std::string_view list) {
  std::string bytes;
  while (!list.empty()) {
    const std::string number(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(number.size() + 1, list.size()));
    char *end = nullptr;
    const unsigned long value = std::strtoul(number.c_str(), &end, 0);
    if (number.empty() || *end || value > 255)
      return fail(ErrorCode::InvalidValue, "--padd: '" + number + "' is no byte");
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// A file as an array in C, which is written to standard output.
Expected<int> bin2c(const std::vector<std::string> &words, const CudaRelease &) {
  US_TRY(const Arguments arguments, parseArguments(words, {{{"name", "n"}, true},
                                                           {{"type", "t"}, true},
                                                           {{"padd", "p"}, true},
                                                           {{"alignment", "a"}, true},
                                                           {{"section", "s"}, true},
                                                           {{"const", "c"}},
                                                           {{"static", "st"}},
                                                           {{"length", "l"}},
                                                           {{"stdint", "stdint"}},
                                                           US_IGNORED("nvint")}));
  if (arguments.files.size() != 1) return fail(ErrorCode::InvalidValue, "one input file is expected");
  const std::string typeName = arguments.has("type") ? arguments.valueOf("type") : "char";
  const auto *const type = std::ranges::find(kArrayTypes, typeName, &ArrayType::name);
  if (type == std::end(kArrayTypes))
    return fail(ErrorCode::InvalidValue, "--type: '" + typeName + "' is not char, short, int or longlong");
  US_TRY(std::string bytes, readFile(arguments.files.front()));
  US_TRY(const std::string more, trailingBytes(arguments.valueOf("padd")));
  bytes += more;
  const size_t length = bytes.size();
  bytes.resize((length + type->bytes - 1) / type->bytes * type->bytes, '\0');
  const std::string name = arguments.has("name") ? arguments.valueOf("name") : "imageBytes";
  const bool hasWidths = arguments.has("stdint") || arguments.has("length");
  std::string text = hasWidths ? "#include <stdint.h>\n" : "";
  text += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  if (arguments.has("static")) text += "static ";
  if (arguments.has("const")) text += "const ";
  text += arguments.has("stdint") && type->bytes == 8 ? "uint64_t" : std::string(type->word);
  text += " " + name + "[]";
  if (arguments.has("section")) text += " __attribute__((section(\"" + arguments.valueOf("section") + "\")))";
  if (arguments.has("alignment")) text += " __attribute__((aligned(" + arguments.valueOf("alignment") + ")))";
  text += " = {\n";
  for (size_t at = 0; at < bytes.size(); at += type->bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, type->bytes); // the machine's order, as the array is read
    char number[32];
    std::snprintf(number, sizeof number, "%s0x%0*llx%s",
                  at == 0         ? ""
                  : at % 128 == 0 ? ",\n"
                                  : ",",
                  static_cast<int>(2 * type->bytes), static_cast<unsigned long long>(value), type->suffix);
    text += number;
  }
  text += "\n};\n";
  if (arguments.has("length")) text += "\nuint32_t " + name + "Length = " + std::to_string(length) + ";\n";
  text += "\n#ifdef __cplusplus\n}\n#endif\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

struct Tool {
  std::string_view name;
  Expected<int> (*run)(const std::vector<std::string> &words, const CudaRelease &release);
};
constexpr Tool kTools[] = {{"ptxas", ptxas},         {"fatbinary", fatbinary}, {"nvlink", nvlink},
                           {"cuobjdump", cuobjdump}, {"nvdisasm", nvdisasm},   {"bin2c", bin2c}};

int main(int argc, char **argv) {
  const std::string name = fs::path(argc > 0 ? argv[0] : "").filename().string();
  const auto *const tool = std::ranges::find(kTools, name, &Tool::name);
  if (tool == std::end(kTools)) {
    std::fprintf(stderr, "understudy-cuda-tool: it is started as ptxas, fatbinary, nvlink, cuobjdump, nvdisasm or "
                         "bin2c\n");
    return kFailed;
  }
  const Expected<CudaRelease> release = cudaRelease();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool asksForVersion = std::ranges::any_of(
      words, [](const std::string &word) { return word == "--version" || word == "-V" || word == "-version"; });
  if (release && asksForVersion) return printVersion(name, *release);
  const Expected<int> code = release ? tool->run(words, *release) : std::unexpected(release.error());
  if (code) return *code;
  std::fprintf(stderr, "%s fatal   : %s\n", name.c_str(), code.error().message.c_str());
  return kFailed;
}

} // namespace
} // namespace us::toolkit

int main(int argc, char **argv) {
  try {
    return us::toolkit::main(argc, argv);
  } catch (const std::exception &problem) { // of a library: no memory, say
    std::fprintf(stderr, "%s\n", problem.what());
    return 255;
  }
}
