// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// understudy-nvcc: compiles CUDA C++, the device's code to PTX and the host's to objects that hold it, and has the
// host's compiler link them. As NVIDIA's nvcc does, it is silent when all is well, writes messages to standard error,
// and ends with a code other than 0 on errors.
#include "frontend/cuda/nvcc.h"

#include "frontend/cuda/architecture.h"
#include "frontend/cuda/command_line.h"
#include "frontend/cuda/compile.h"
#include "frontend/cuda/host_compiler.h"
#include "frontend/cuda/ptx_container.h"
#include "frontend/cuda/toolkit.h"
#include "runtime/base/file.h"

#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace us::frontend::cuda {
namespace {
namespace fs = std::filesystem;

int failed(const std::string &message) {
  std::fprintf(stderr, "understudy-nvcc: error: %s\n", message.c_str());
  return 1;
}

/// Changes with everything that changes what is generated: programs keep compiled code under a key that contains it.
uint64_t buildNumber(const std::string &toolkit) {
  std::set<std::string> files = {toolkit + "/device/device_library.bc"};
  std::error_code error;
  for (const auto &entry : fs::recursive_directory_iterator(toolkit + "/include", error))
    if (entry.is_regular_file(error)) files.insert(entry.path().string());
  // Of the library that this is in, which is large, when it was made.
  Dl_info library = {};
  struct stat program = {};
  if (dladdr(reinterpret_cast<const void *>(&buildNumber), &library)) stat(library.dli_fname, &program);
  uint64_t number = static_cast<uint64_t>(program.st_mtim.tv_sec) * 1000000000 +
                    static_cast<uint64_t>(program.st_mtim.tv_nsec) + static_cast<uint64_t>(program.st_size);
  for (const std::string &file : files)
    if (Expected<std::string> content = readFile(file); content)
      number = number * 0x9e3779b97f4a7c15 + llvm::xxh3_64bits(llvm::StringRef(*content));
  return number;
}

int printVersion(const Release &release, const std::string &toolkit) {
  // CMake takes for nvcc what begins with its first words.
  std::printf("nvcc: NVIDIA (R) Cuda compiler driver: this stands in for it. understudy-nvcc %s, CUDA C++ by Clang %s; "
              "not NVIDIA's compiler\n"
              "Cuda compilation tools, release %s, V%s.0\n"
              "Build understudy_%s.%016llx\n",
              US_VERSION, clangVersion().c_str(), release.text().c_str(), release.text().c_str(),
              release.text().c_str(), static_cast<unsigned long long>(buildNumber(toolkit)));
  return 0;
}

/// What build systems ask the compiler of the host's half, by -Xcompiler, to choose its options by: that is Clang here.
/// No input need be there. Nothing: they do not ask.
std::optional<std::string> answerOfHostCompiler(const CommandLine &line) {
  for (const std::string &option : line.host.compiler) {
    if (option == "--version") return "clang version " + clangVersion();
    if (option == "-dumpversion" || option == "-dumpfullversion") return clangVersion();
  }
  return std::nullopt;
}

int printHelp() {
  std::printf("usage: nvcc [options] file.cu\n"
              "Compiles CUDA C++ to a program (-o), an object (-c), PTX (--ptx) or a module for the understudy device\n"
              "(--cubin, --fatbin). Options that say nothing here are accepted.\n%s",
              optionsText().c_str());
  return 0;
}

void printArchitectures(const Release &release, const char *prefix) {
  for (unsigned number : architecturesOf(release)) std::printf("%s_%u\n", prefix, number);
}

Expected<std::vector<Architecture>> architecturesFor(const CommandLine &line, const Release &release);

/// What --dryrun and -v begin with: build systems read from it where the toolkit is, what it adds to a link, and for
/// which architecture code is made by default.
void printPlan(const CommandLine &line, const Release &release, const std::string &toolkit) {
  if (!line.dryRun && !line.verbose) return;
  std::string libraries;
  for (const std::string &word : HostCompiler(line, release, toolkit).libraryOptions())
    libraries += (libraries.empty() ? "\"" : " \"") + word + "\"";
  std::string architectures;
  if (const Expected<std::vector<Architecture>> all = architecturesFor(line, release))
    for (const Architecture &one : *all) architectures += " -arch compute_" + std::to_string(one.number);
  std::fprintf(stderr,
               "#$ _NVVM_BRANCH_=nvvm\n#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ "
               "INCLUDES=\"-I%s/include\"\n#$ LIBRARIES=  %s\n#$ ARCHITECTURES=%s\n",
               toolkit.c_str(), toolkit.c_str(), toolkit.c_str(), libraries.c_str(), architectures.c_str());
}

Expected<std::vector<Architecture>> architecturesFor(const CommandLine &line, const Release &release) {
  std::vector<Architecture> result;
  auto add = [&](const std::string &name) -> Expected<void> {
    US_TRY(Architecture architecture, architectureNamed(name, release));
    for (const Architecture &known : result)
      if (known.number == architecture.number && known.suffix == architecture.suffix) return {};
    result.push_back(std::move(architecture));
    return {};
  };
  for (const Target &target : line.targets) {
    US_CHECK(add(target.arch));
  }
  if (line.targets.empty() || !line.arch.empty()) {
    US_CHECK(add(line.arch));
  }
  // Code is made from the architecture's PTX; its names are checked, nothing else follows from them.
  for (const std::string &code : line.codes) {
    US_CHECK(architectureNamed(code, release));
  }
  return result;
}

bool isAnyOf(const std::string &word, std::initializer_list<const char *> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether an input is CUDA C++, by its name or because -x says so.
bool isCuda(const CommandLine &line, const std::string &input) {
  if (!line.language.empty()) return line.language == "cu";
  return isAnyOf(fs::path(input).extension().string(), {".cu", ".cup", ".gpu", ".ptx"});
}
/// ... or of a language of the host's.
bool isHostSource(const CommandLine &line, const std::string &input) {
  if (!line.language.empty()) return line.language != "cu";
  return isAnyOf(fs::path(input).extension().string(),
                 {".c", ".cc", ".cpp", ".cxx", ".C", ".c++", ".i", ".ii", ".s", ".S"});
}

/// As other compilers say it: the source is what comes through standard input.
constexpr const char *kStandardInput = "-";

/// What the names of files made from a source begin with.
std::string stemOf(const std::string &source) {
  return source == kStandardInput ? "stdin" : fs::path(source).stem().string();
}

bool makesHostCode(Phase phase) { return phase <= Phase::Object; }

const char *endingOf(Phase phase) {
  switch (phase) {
  case Phase::Object:
    return ".o";
  case Phase::Ptx:
    return ".ptx";
  case Phase::Cubin:
    return ".cubin";
  case Phase::Fatbin:
    return ".fatbin";
  default:
    return "";
  }
}

class Run {
public:
  Run(const CommandLine &line, const Release &release, std::string toolkit, std::vector<Architecture> architectures)
      : line_(line), release_(release), toolkit_(std::move(toolkit)), architectures_(std::move(architectures)),
        host_(line, release, toolkit_) {}

  /// A program, a library, or an archive of all inputs.
  Expected<int> link() {
    std::vector<LinkItem> items;
    for (const std::string &input : line_.inputs) {
      if (!isCuda(line_, input)) {
        items.push_back({input});
        continue;
      }
      US_TRY(const std::optional<std::string> object, objectOf(input, ""));
      if (!object) return 1;
      US_TRY(MemoryObject inMemory, memoryObject(*object));
      items.push_back({input, std::move(inMemory)});
    }
    const std::string output = !line_.output.empty()           ? line_.output
                               : line_.phase == Phase::Library ? "a.a"
                                                               : (fs::path(line_.outputFolder) / "a.out").string();
    US_TRY(const int status, line_.phase == Phase::Library ? host_.archive(items, output) : host_.link(items, output));
    if (status != 0 || !line_.run || line_.dryRun) return status;
    return host_.start(output);
  }

  /// -dlink: the runtime links device code itself, when it is used.
  Expected<int> linkDeviceCode() {
    const std::string output =
        line_.output.empty() ? (fs::path(line_.outputFolder) / "a_dlink.o").string() : line_.output;
    return host_.emptyObject(output);
  }

  /// ... and into an image it is linked by nvlink, as NVIDIA's nvcc has it done.
  Expected<int> linkImage() {
    std::string output = line_.output;
    if (output.empty())
      output = (fs::path(line_.outputFolder) / (std::string("a_dlink") + endingOf(line_.phase))).string();
    const Architecture &architecture = architectures_.front();
    US_TRY(
        const int status,
        host_.linkDeviceCode(line_.inputs, "sm_" + std::to_string(architecture.number) + architecture.suffix, output));
    if (status != 0 || line_.dryRun || line_.phase != Phase::Fatbin) return status;
    US_TRY(const std::string text, readFile(output));
    US_CHECK(writeFile(output, imageOf({text.substr(0, text.find('\0'))})));
    return 0;
  }

  /// False: the compiler has said why.
  Expected<bool> input(const std::string &source) {
    const std::string stem = stemOf(source);
    std::string output = line_.output;
    if (output.empty() && *endingOf(line_.phase))
      output = (fs::path(line_.outputFolder) / (stem + endingOf(line_.phase))).string();
    if (line_.phase == Phase::Object) return object(source, output);
    if (line_.phase == Phase::Preprocessed || line_.phase == Phase::Dependencies) {
      const Product product = line_.phase == Phase::Preprocessed ? Product::Preprocessed : Product::Dependencies;
      US_TRY(const std::optional<std::string> text, through(source, "-", product, architectures_.front()));
      if (text && (output.empty() || output == "-")) {
        std::fwrite(text->data(), 1, text->size(), stdout);
      } else if (text && !text->empty()) {
        US_CHECK(writeFile(output, *text));
      }
      return text.has_value();
    }
    US_TRY(const std::optional<std::vector<std::string>> texts, textsOf(source, output));
    if (!texts) return false;
    if (line_.dryRun) return true;
    US_CHECK(writeFile(output, line_.phase == Phase::Ptx ? texts->front() : imageOf(*texts)));
    return true;
  }

private:
  /// The PTX for each architecture. Nothing: the compiler has said why.
  Expected<std::optional<std::vector<std::string>>> textsOf(const std::string &source, const std::string &output) {
    const std::string stem = stemOf(source);
    const bool isPtx = source.ends_with(".ptx");
    if (line_.keep && !line_.dryRun && !isPtx) {
      US_TRY(const std::optional<std::string> text,
             through(source, "-", Product::Preprocessed, architectures_.front()));
      if (!text) return std::nullopt;
      US_CHECK(writeFile(keptAs(stem + ".cpp1.ii"), *text));
    }
    std::vector<std::string> texts;
    for (const Architecture &architecture : architectures_) {
      US_TRY(std::optional<std::string> text,
             isPtx ? readFile(source) : through(source, output, Product::Ptx, architecture));
      if (!text) return std::nullopt;
      if (line_.keep) {
        US_CHECK(writeFile(keptAs(stem + ".ptx"), *text));
      }
      texts.push_back(std::move(*text));
    }
    return texts;
  }

  std::string imageOf(const std::vector<std::string> &texts) const {
    std::vector<PtxText> entries;
    const uint32_t flags = (line_.relocatable ? kPtxRelocatable : 0) | (line_.deviceDebug ? kPtxDebug : 0);
    for (size_t i = 0; i < texts.size(); ++i) entries.push_back({architectures_[i].number, flags, texts[i]});
    return writePtxContainer(entries);
  }

  /// The host's object of a source. Nothing: the compiler has said why.
  Expected<std::optional<std::string>> objectOf(const std::string &source, const std::string &output) {
    US_TRY(const std::optional<std::vector<std::string>> texts, textsOf(source, output));
    if (!texts) return std::nullopt;
    const std::string image = imageOf(*texts);
    return through(source, output, Product::Object, architectures_.front(), image);
  }

  Expected<bool> object(const std::string &source, const std::string &output) {
    if (isHostSource(line_, source)) {
      US_TRY(const int status, host_.compile(source, output));
      return status == 0;
    }
    US_TRY(const std::optional<std::string> content, objectOf(source, output));
    if (content && !line_.dryRun) {
      US_CHECK(writeFile(output, *content));
    }
    return content.has_value();
  }

  std::string keptAs(const std::string &name) const { return (fs::path(line_.keepFolder) / name).string(); }

  /// Nothing: the compiler has said why.
  Expected<std::optional<std::string>> through(const std::string &source, const std::string &output, Product product,
                                               const Architecture &architecture, std::string_view image = {}) {
    const bool isStandardInput = source == kStandardInput;
    if (isStandardInput && !standardInput_) {
      US_TRY(standardInput_, readFile("/dev/stdin"));
    }
    US_TRY(const std::string text, isStandardInput ? Expected<std::string>(*standardInput_) : readFile(source));
    CompileInput input{
        .source = text, .name = isStandardInput ? "<stdin>" : source, .options = line_, .toolkit = toolkit_};
    input.image = image;
    // Of two compilations of a source the last one says what it depends on.
    if (product != Product::Ptx || !makesHostCode(line_.phase))
      input.options.clang.insert(input.options.clang.end(), line_.dependencies.begin(), line_.dependencies.end());
    for (const std::string &option : line_.host.compiler)
      if (option == "-P" || option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I"))
        input.options.clang.push_back(option);
    input.architecture = architecture;
    input.release = release_;
    input.output = output;
    input.colors = true;
    input.product = product;
    const auto made = [&](bool onlyCommand) -> std::optional<std::string> {
      input.onlyCommand = onlyCommand;
      Logged<Compiled> result = compile(input);
      std::fputs(result.log.c_str(), stderr);
      return result ? std::optional(std::move(result->content)) : std::nullopt;
    };
    if (line_.dryRun || line_.verbose) {
      const std::optional<std::string> command = made(true);
      if (!command) return std::nullopt;
      std::fputs(command->c_str(), stderr);
      if (line_.dryRun) return std::optional<std::string>("");
    }
    return made(false);
  }

  const CommandLine &line_;
  const Release &release_;
  std::string toolkit_;
  std::vector<Architecture> architectures_;
  HostCompiler host_;
  std::optional<std::string> standardInput_; ///< once it was read
};

Expected<int> compileAll(const CommandLine &line, const Release &release, const std::string &toolkit) {
  if (line.inputs.empty()) return fail(ErrorCode::InvalidValue, "no input file was given (--help lists the options)");
  const bool linksImage = line.linksDeviceCode && (line.phase == Phase::Cubin || line.phase == Phase::Fatbin);
  const bool makesOne = line.phase < Phase::Object || linksImage;
  const auto files = std::ranges::count_if(line.inputs, [](const std::string &one) { return !one.starts_with("-l"); });
  if (files > 1 && !line.output.empty() && !makesOne)
    return fail(ErrorCode::InvalidValue, "one output file was named for " + std::to_string(files) + " inputs");
  if (std::ranges::count(line.inputs, kStandardInput) != 0 && line.language.empty())
    return fail(ErrorCode::InvalidValue, "what standard input is in is not known: -x cu says that it is CUDA C++");
  for (const std::string &input : line.inputs)
    if (!input.starts_with("-l") && input != kStandardInput && access(input.c_str(), R_OK) != 0)
      return fail(ErrorCode::InvalidValue, "there is no file '" + input + "'");
  US_TRY(std::vector<Architecture> architectures, architecturesFor(line, release));
  if (architectures.size() > 1 && line.phase != Phase::Fatbin && !makesHostCode(line.phase))
    return fail(ErrorCode::InvalidValue,
                "several architectures were named: only programs, objects and --fatbin hold more than one");
  Run run(line, release, toolkit, std::move(architectures));
  if (line.phase == Phase::DeviceLink) return run.linkDeviceCode();
  if (linksImage) return run.linkImage();
  if (makesOne) return run.link();
  for (const std::string &input : line.inputs) {
    if (input.starts_with("-l")) continue;
    US_TRY(bool good, run.input(input));
    if (!good) return 1;
  }
  return 0;
}

} // namespace

int nvcc(int argc, char **argv) {
  Expected<CommandLine> line = parseCommandLine({argv + 1, argv + argc});
  if (!line) return failed(line.error().message);
  Expected<Release> release = cudaRelease();
  if (!release) return failed(release.error().message);
  Expected<std::string> toolkit = toolkitFolder();
  if (!toolkit) return failed(toolkit.error().message);
  if (line->help) return printHelp();
  if (line->version) return printVersion(*release, *toolkit);
  if (line->listArchitectures) printArchitectures(*release, "compute");
  if (line->listCodes) printArchitectures(*release, "sm");
  if (line->listArchitectures || line->listCodes) return 0;
  if (const std::optional<std::string> answer = answerOfHostCompiler(*line)) {
    std::printf("%s\n", answer->c_str());
    return 0;
  }
  printPlan(*line, *release, *toolkit);
  Expected<int> code = compileAll(*line, *release, *toolkit);
  return code ? *code : failed(code.error().message);
}

} // namespace us::frontend::cuda
