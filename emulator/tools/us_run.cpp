// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us-run: builds one kernel file, launches it as the file says, in one tier or in all, and says as JSON what came of
// it.
#include "emulator/device/emulated_devices.h"
#include "emulator/device/emulated_kernel.h"
#include "emulator/tools/bound_launch.h"
#include "runtime/base/file.h"
#include "runtime/base/options.h"
#include "runtime/device/command_outcome.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace us::tools {
namespace {

using nlohmann::ordered_json;

/// What the process ends with. A test script can tell a wrong result from a broken build.
enum ExitCode : int {
  kOk = 0,
  kMismatch = 1,
  kUsage = 2,
  kBuildError = 3,
  kLaunchError = 4,
  kTiersDiffer = 5,
  kNoCompiler = 6
};
constexpr const char *kStatusNames[] = {"ok",           "mismatch",     "usage",      "build-error",
                                        "launch-error", "tiers-differ", "no-compiler"};

using Clock = std::chrono::steady_clock;
double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Collects what is written to standard output while it lives.
class OutputCapture {
public:
  OutputCapture() : file_(memfd_create("printed", MFD_CLOEXEC)), before_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    dup2(file_, STDOUT_FILENO);
  }
  ~OutputCapture() {
    if (before_ >= 0) take();
  }
  std::string take() {
    std::fflush(stdout);
    dup2(before_, STDOUT_FILENO);
    std::string text(static_cast<size_t>(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
    ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    close(file_);
    close(before_);
    before_ = -1;
    return text;
  }

private:
  int file_, before_;
};

struct Arguments {
  std::string file, launchFile, ilFile, ptxFile, tier = "auto", options, deviceType;
  uint64_t seed = 1, time = 0;
  std::vector<std::string> settings;
  bool compact = false;
};

bool readText(const std::string &path, std::string &into) {
  Expected<std::string> text = readFile(path);
  if (text) into = *std::move(text);
  return text.has_value();
}

/// A way to run a kernel, and the device's options for it (empty: as they are). Baseline code is made of kernels
/// without loops only; others run optimized once more.
struct Variant {
  std::string_view name, tier, optimize;
};

/// What `--tier` names: a tier, "baseline", "all", which is each of these, or "auto".
std::vector<Variant> variantsOf(const std::string &name) {
  std::vector<Variant> variants;
  for (const abi::TierInfo &known : abi::kTiers) variants.push_back({known.name, known.name, "always"});
  variants.push_back({"baseline", "auto", "never"});
  if (name == "all") return variants;
  for (const Variant &variant : variants)
    if (variant.name == name) return {variant};
  return {{"auto", {}, {}}};
}

Ref<Device> deviceFor(const Variant &variant) {
  Options chosen = options();
  if (!variant.tier.empty()) chosen.tier = variant.tier;
  if (!variant.optimize.empty()) chosen.optimize = variant.optimize;
  return emulator::createDevices(chosen).front();
}

/// Runs in one tier. `hashes` receives a text that must be the same in all tiers.
ExitCode runTier(BoundLaunch &launch, const Variant &variant, uint64_t timed, ordered_json &json, std::string &hashes) {
  const LaunchDescription &description = launch.description;
  json["tier"] = variant.name;
  Expected<void> filled = launch.fill();
  Expected<LaunchCommand> made = filled ? launch.command() : std::unexpected(filled.error());
  if (!made) {
    json["error"] = made.error().message;
    return kUsage;
  }
  Command command = *std::move(made);
  CommandOutcome outcome;
  Clock::time_point begin = Clock::now();
  OutputCapture capture;
  for (uint64_t round = 0; round < description.repeat && outcome.result; ++round)
    launch.device.submit(command, outcome);
  std::string printed = capture.take();
  json["milliseconds"] = millisecondsSince(begin);
  // Known only now: code generation may have refused a tier.
  const emulator::KernelCode &code = static_cast<emulator::EmulatedKernel &>(*launch.kernel).code();
  json["ran_in"] =
      abi::tierInfo(description.cluster[0] * description.cluster[1] * description.cluster[2] > 1 ? emulator::kTierOfAll
                                                                                                 : code.tier())
          .name;
  json["baseline"] = code.baselineItems() > 0;
  if (!printed.empty()) json["printed"] = printed;
  if (!outcome.result) {
    json["error_code"] = errorName(outcome.result.error().code);
    json["error"] = outcome.result.error().message;
    hashes = errorName(outcome.result.error().code);
    return description.launchError == errorName(outcome.result.error().code) ? kOk : kLaunchError;
  }
  bool good = description.launchError.empty();
  if (!good) json["error"] = "the launch should have failed with " + description.launchError;
  for (size_t index = 0; index < launch.bound.size(); ++index) {
    if (!launch.bound[index].memory) continue;
    ordered_json &argument = json["arguments"].emplace_back();
    good &= launch.report(index, argument);
    // Work-groups come to a pipe in any order, so that tiers may differ where the file does not say what to expect.
    if (description.arguments[index].use != ArgumentUse::Pipe) hashes += argument["hash"].get<std::string>() + " ";
  }
  hashes += printed;
  if (description.checksPrint) {
    std::string expected;
    for (const std::string &line : description.print) expected += line + "\n";
    if (printed != expected) {
      json["expected_print"] = expected;
      good = false;
    }
  }
  if (timed > 0) {
    double best = 1e300;
    for (uint64_t round = 0; round < timed; ++round) {
      launch.device.submit(command, outcome);
      best = std::min(best, static_cast<double>(outcome.end - outcome.begin) / 1e3);
    }
    json["best_microseconds"] = best;
  }
  return good ? kOk : kMismatch;
}

ExitCode run(const Arguments &arguments, ordered_json &json) {
  json["file"] = arguments.file;
  auto usage = [&](const std::string &message) {
    json["error"] = message;
    return kUsage;
  };
  std::string source, launchText;
  if (!readText(arguments.file, source)) return usage("the file cannot be read");
  if (!arguments.launchFile.empty() && !readText(arguments.launchFile, launchText))
    return usage("the launch description cannot be read");
  Expected<LaunchDescription> description =
      arguments.launchFile.empty() ? describeFromSource(source) : describeFromJson(launchText);
  if (!description) return usage(description.error().message);

  const std::vector<Variant> variants = variantsOf(arguments.tier);
  Ref<Device> device = deviceFor(variants.front());
  json["device"] = device->info().name;
  Clock::time_point begin = Clock::now();
  std::string buildOptions = description->options + " " + arguments.options;
  CompileRequest request{source, buildOptions, {}, true, languageOfFile(arguments.file)};
  std::string instead;
  for (const auto &[file, language] :
       {std::pair(&arguments.ilFile, SourceLanguage::SpirV), {&arguments.ptxFile, SourceLanguage::Ptx}}) {
    if (file->empty()) continue;
    if (!readText(*file, instead)) return usage("the file to build cannot be read");
    request.source = instead;
    request.language = language;
  }
  BuildResult build = device->compile(request);
  json["build_milliseconds"] = millisecondsSince(begin);
  if (!build.log.empty()) json["build_log"] = build.log;
  if (!build) {
    json["error_code"] = errorName(build.error().code);
    json["error"] = build.error().message;
    if (build.error().code == ErrorCode::CompilerNotAvailable) return kNoCompiler;
    bool wanted = !description->buildError.empty() && build.log.find(description->buildError) != std::string::npos;
    return wanted ? kOk : kBuildError;
  }
  if (!description->buildError.empty()) {
    json["error"] = "the build should have failed with '" + description->buildError + "'";
    return kMismatch;
  }
  if (description->kernel.empty() && (*build)->kernels().size() == 1) description->kernel = (*build)->kernels()[0].name;
  json["kernel"] = description->kernel;

  ExitCode worst = kOk;
  std::string first;
  for (const Variant &variant : variants) {
    // Each gets a device and a program of its own: program-scope variables begin anew.
    Expected<Ref<DeviceProgram>> program = *build;
    if (&variant != &variants.front()) {
      Expected<std::vector<std::byte>> binary = (*build)->binary();
      if (!binary) return usage(binary.error().message);
      device = deviceFor(variant);
      program = device->load(*binary);
    }
    if (!program) return usage(program.error().message);
    Expected<Ref<DeviceKernel>> kernel = (*program)->kernel(description->kernel);
    if (!kernel) return usage(kernel.error().message);
    BoundLaunch launch{*description, *device, *kernel, arguments.seed};
    if (Expected<void> bound = launch.bind(); !bound) return usage(bound.error().message);
    std::string hashes;
    ExitCode code = runTier(launch, variant, arguments.time, json["tiers"].emplace_back(), hashes);
    if (worst == kOk) worst = code;
    if (&variant == &variants.front())
      first = hashes;
    else if (hashes != first && worst == kOk)
      worst = kTiersDiffer;
  }
  return worst;
}

} // namespace
} // namespace us::tools

int main(int argc, char **argv) {
  using namespace us::tools;
  Arguments arguments;
  CLI::App app(
      "Runs one kernel file (OpenCL C or PTX) on the emulated device, as the file's //! lines say, and prints the "
      "outcome as "
      "JSON.\nExit codes: 0 as expected, 1 another result, 2 usage, 3 build error, 4 launch error, 5 the tiers "
      "differ, 6 no compiler library.");
  app.add_option("file", arguments.file, "the kernel file")->required();
  app.add_option("--launch", arguments.launchFile, "a JSON file that describes the launch instead of the //! lines");
  app.add_option("--il", arguments.ilFile,
                 "a SPIR-V module, built instead of the file, which only says what to launch");
  app.add_option("--ptx", arguments.ptxFile,
                 "a PTX file, built instead of the file, which only says what to launch; a file named .ptx is both");
  app.add_option("--tier", arguments.tier,
                 "auto, loop, fiber, baseline (code made quickly) or all (which compares all but the first)")
      ->check(CLI::Validator(
          [](const std::string &name) {
            return name == "auto" || variantsOf(name)[0].name != "auto" ? "" : "there is no tier " + name;
          },
          "TIER"));
  app.add_option("--seed", arguments.seed, "seed of random contents");
  app.add_option("--options", arguments.options, "build options, after those of the file");
  app.add_option("--time", arguments.time, "launches it so many times more and reports the best time");
  app.add_option("--set", arguments.settings, "NAME=VALUE: an option of the device (as UNDERSTUDY_NAME)");
  app.add_flag("--compact", arguments.compact, "the result on one line");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int code = app.exit(error);
    return code == 0 ? kOk : kUsage;
  }
  for (const std::string &setting : arguments.settings) {
    size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      std::fprintf(stderr, "us-run: --set wants NAME=VALUE, not '%s'\n", setting.c_str());
      return kUsage;
    }
    setenv(("UNDERSTUDY_" + setting.substr(0, equals)).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  ordered_json json;
  ExitCode code = run(arguments, json);
  json["status"] = kStatusNames[code];
  std::printf("%s\n",
              json.dump(arguments.compact ? -1 : 2, ' ', false, ordered_json::error_handler_t::replace).c_str());
  return code;
}
