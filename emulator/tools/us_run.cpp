// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us-run: builds one kernel file, launches it as the file says, in one tier or in all, and says as JSON what came of
// it.
#include "emulator/abi/pipe_abi.h"
#include "emulator/device/emulated_devices.h"
#include "emulator/device/emulated_kernel.h"
#include "emulator/tools/launch_description.h"
#include "runtime/base/options.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

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

struct Waiter final : CommandObserver {
  void started(uint64_t time) override { begin = time; }
  void finished(uint64_t time, Expected<void> how) override {
    end = time;
    result = std::move(how);
  }
  uint64_t begin = 0, end = 0;
  Expected<void> result;
};

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

/// One argument's memory: what it holds before each tier's run, and where the kernel sees it.
struct BoundArgument {
  std::vector<std::byte> initial;
  std::unique_ptr<DeviceMemory> memory;
  std::unique_ptr<DeviceImage> image;
  uint64_t pipe = 0; ///< what the kernel gets for it
  std::unique_ptr<DeviceQueue> queue;
};

/// A pipe's packets, from the oldest that can be read on; the rest of `bytes` is zero.
std::vector<std::byte> packetsOf(const abi::PipeHeader &pipe, size_t bytes) {
  std::vector<std::byte> packets(bytes);
  const auto *first = reinterpret_cast<const std::byte *>(&pipe) + pipe.packets;
  for (uint64_t place = pipe.readPosition; place < pipe.writePosition; ++place)
    std::memcpy(packets.data() + (place - pipe.readPosition) * pipe.packetSize,
                first + place % pipe.maxPackets * pipe.packetSize, pipe.packetSize);
  return packets;
}

/// Puts so many packets into an empty pipe.
void putPackets(abi::PipeHeader &pipe, const std::byte *from, uint64_t count) {
  auto *memory = reinterpret_cast<std::byte *>(&pipe);
  auto *states = reinterpret_cast<uint32_t *>(&pipe + 1);
  std::memcpy(memory + pipe.packets, from, count * pipe.packetSize);
  std::fill(states, states + count, 1u); // may be read in lap 0
  pipe.writePosition = count;
  pipe.written = static_cast<uint32_t>(count);
}

struct Runner {
  const LaunchDescription &description;
  Device &device;
  Ref<DeviceKernel> kernel;
  uint64_t seed;
  std::vector<BoundArgument> bound{};
  std::unique_ptr<DeviceQueue> defaultQueue{}; ///< null where the device has none

  Number initialElement(unsigned argument, int64_t index) const {
    if (argument >= bound.size() || !description.arguments[argument].type) return {};
    const ElementType &type = *description.arguments[argument].type;
    int64_t count = static_cast<int64_t>(bound[argument].initial.size() / type.size);
    if (index < 0 || index >= count) return Number::of(int64_t{0});
    return loadElement(type, bound[argument].initial.data() + index * type.size);
  }

  Surroundings around(int64_t i, int64_t n) const {
    return {i, n, [this](unsigned argument, int64_t index) { return initialElement(argument, index); }};
  }

  /// Contents and memory of every argument; arguments may refer to earlier ones.
  Expected<void> bind() {
    bound.resize(description.arguments.size());
    if (device.info().maxDeviceQueues) {
      US_TRY(defaultQueue, device.createQueue(device.info().deviceQueuePreferredSize));
    }
    for (size_t index = 0; index < bound.size(); ++index) {
      const ArgumentDescription &argument = description.arguments[index];
      BoundArgument &into = bound[index];
      if (argument.use == ArgumentUse::Local || argument.use == ArgumentUse::Sampler) continue;
      if (argument.use == ArgumentUse::Queue) {
        US_TRY(into.queue, device.createQueue(static_cast<uint32_t>(argument.count)));
        continue;
      }
      // A 3-vector takes the room of a 4-vector.
      uint64_t room = argument.use == ArgumentUse::Value && argument.count == 3 ? 4 : argument.count;
      into.initial.assign(room * argument.type->size, std::byte{0});
      std::mt19937_64 random(seed * 1000003 + index);
      Surroundings here = around(0, static_cast<int64_t>(argument.count));
      for (uint64_t i = 0; i < argument.count; ++i) {
        std::byte *at = into.initial.data() + i * argument.type->size;
        here.i = static_cast<int64_t>(i);
        if (argument.use == ArgumentUse::Value)
          storeElement(*argument.type, at, argument.values[i](here));
        else if (argument.fill)
          storeElement(*argument.type, at, (*argument.fill)(here));
        else if (argument.random) {
          auto [low, high] = *argument.random;
          double fraction = static_cast<double>(random() >> 11) * 0x1p-53;
          storeElement(*argument.type, at, Number::of(low + fraction * (high - low)));
        }
      }
      if (argument.use == ArgumentUse::Value) continue;
      if (argument.use == ArgumentUse::Pipe) {
        const PipeDescription pipe{argument.type->size, static_cast<uint32_t>(argument.count)};
        US_TRY(into.memory, device.allocate({device.pipeBytes(pipe), 0, nullptr}));
        continue;
      }
      US_TRY(into.memory, device.allocate({into.initial.size(), 0, nullptr}));
      if (argument.use == ArgumentUse::Image) {
        US_TRY(into.image, device.createImage(argument.image, into.memory->hostAddress()));
      }
    }
    return {};
  }

  Expected<void> fill() {
    for (size_t index = 0; index < bound.size(); ++index) {
      BoundArgument &argument = bound[index];
      const ArgumentDescription &described = description.arguments[index];
      if (described.use == ArgumentUse::Pipe) {
        const PipeDescription pipe{described.type->size, static_cast<uint32_t>(described.count)};
        US_TRY(argument.pipe, device.createPipe(pipe, argument.memory->hostAddress()));
        putPackets(*reinterpret_cast<abi::PipeHeader *>(argument.pipe), argument.initial.data(), described.packets);
      } else if (argument.memory) {
        std::memcpy(argument.memory->hostAddress(), argument.initial.data(), argument.initial.size());
      }
    }
    return {};
  }

  Expected<LaunchCommand> command() const {
    const KernelInfo &info = kernel->info();
    if (info.arguments.size() != bound.size())
      return fail(ErrorCode::InvalidKernelArgs, "kernel '" + info.name + "' has " +
                                                    std::to_string(info.arguments.size()) + " arguments, " +
                                                    std::to_string(bound.size()) + " are described");
    LaunchCommand command;
    command.kernel = kernel;
    command.workDimensions = description.dimensions;
    command.globalSize = description.global;
    command.globalOffset = description.offset;
    command.localSize = description.local;
    command.arguments.resize(info.argumentBlockSize);
    command.localMemory = info.localMemory;
    if (defaultQueue) command.defaultQueue = defaultQueue->argument();
    for (size_t index = 0; index < bound.size(); ++index) {
      const ArgumentInfo &argument = info.arguments[index];
      const ArgumentDescription &described = description.arguments[index];
      const std::byte *from = bound[index].initial.data();
      uint64_t word = 0, size = bound[index].initial.size();
      if (described.use == ArgumentUse::Buffer) {
        word = bound[index].memory->address();
      } else if (described.use == ArgumentUse::Image) {
        word = bound[index].image->argument();
      } else if (described.use == ArgumentUse::Queue) {
        word = bound[index].queue->argument();
      } else if (described.use == ArgumentUse::Pipe) {
        word = bound[index].pipe;
      } else if (described.use == ArgumentUse::Sampler) {
        word = samplerBits(described.sampler);
      } else if (described.use == ArgumentUse::Local) {
        word = (command.localMemory + 127) / 128 * 128;
        command.localMemory = word + described.count * described.type->size;
      }
      if (described.use != ArgumentUse::Value) from = reinterpret_cast<std::byte *>(&word), size = 8;
      bool pointer = argument.kind != ArgumentKind::Value;
      bool opaque = (argument.kind == ArgumentKind::Image) == (described.use == ArgumentUse::Image) &&
                    (argument.kind == ArgumentKind::Queue) == (described.use == ArgumentUse::Queue) &&
                    (argument.kind == ArgumentKind::Pipe) == (described.use == ArgumentUse::Pipe) &&
                    (argument.kind == ArgumentKind::Sampler) == (described.use == ArgumentUse::Sampler);
      if (!opaque)
        return fail(ErrorCode::InvalidArgValue,
                    "argument " + std::to_string(index) + " is a " + argument.typeName + ", which is not described");
      // PTX passes addresses as numbers.
      bool isAddress = !pointer && described.use == ArgumentUse::Buffer && argument.size == 8;
      if ((!isAddress && pointer != (described.use != ArgumentUse::Value)) || argument.size != size)
        return fail(ErrorCode::InvalidArgSize, "argument " + std::to_string(index) + " ('" + argument.name +
                                                   "') takes " + std::to_string(argument.size) + " bytes, " +
                                                   std::to_string(size) + " are described");
      std::memcpy(command.arguments.data() + argument.offset, from, size);
    }
    return command;
  }

  bool close(const ArgumentDescription &argument, Number expected, Number found) const {
    if (!argument.type->real) return expected.integer == found.integer;
    double a = expected.value, b = found.value;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
    return a == b || std::fabs(a - b) <= argument.tolerance * std::max(1.0, std::fabs(a));
  }

  /// One argument's contents after the launch; false if they are not as expected.
  bool report(size_t index, ordered_json &json) const {
    const ArgumentDescription &argument = description.arguments[index];
    const std::byte *contents = bound[index].memory->hostAddress();
    std::vector<std::byte> packets;
    if (argument.use == ArgumentUse::Pipe) {
      packets = packetsOf(*reinterpret_cast<const abi::PipeHeader *>(bound[index].pipe), bound[index].initial.size());
      contents = packets.data();
    }
    const ElementType &type = *argument.type;
    char hash[17];
    std::snprintf(hash, sizeof(hash), "%016llx",
                  static_cast<unsigned long long>(XXH64(contents, bound[index].initial.size(), 0)));
    json["index"] = index;
    json["hash"] = hash;
    if (argument.dump)
      for (uint64_t i = 0; i < argument.count; ++i) {
        Number found = loadElement(type, contents + i * type.size);
        if (type.real)
          json["contents"].push_back(found.value);
        else
          json["contents"].push_back(found.integer);
      }
    bool good = argument.hash.empty() || argument.hash == hash;
    if (!argument.expect) return good;
    uint64_t wrong = 0;
    Surroundings here = around(0, static_cast<int64_t>(argument.count));
    std::byte rounded[8];
    for (uint64_t i = 0; i < argument.count; ++i) {
      here.i = static_cast<int64_t>(i);
      storeElement(type, rounded, (*argument.expect)(here));
      Number expected = loadElement(type, rounded), found = loadElement(type, contents + i * type.size);
      if (close(argument, expected, found)) continue;
      if (wrong++ == 0)
        json["first_difference"] = {{"element", i}, {"expected", expected.asReal()}, {"found", found.asReal()}};
    }
    if (wrong) json["differences"] = wrong;
    return good && wrong == 0;
  }
};

struct Arguments {
  std::string file, launchFile, ilFile, ptxFile, tier = "auto", options, deviceType;
  uint64_t seed = 1, time = 0;
  std::vector<std::string> settings;
  bool compact = false;
};

bool readText(const std::string &path, std::string &into) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  into = text.str();
  return static_cast<bool>(file);
}

const char *tierName(Tier tier) { return tier == Tier::Fiber ? "fiber" : tier == Tier::Loop ? "loop" : "auto"; }

/// A way to run a kernel. Baseline code is made of kernels without loops only; others run optimized once more.
struct Variant {
  const char *name;
  Tier tier;
  uint64_t baselineLimit;
};
const Variant kVariants[] = {{"loop", Tier::Loop, 0}, {"fiber", Tier::Fiber, 0}, {"baseline", Tier::Auto, UINT64_MAX}};

/// What `--tier` names.
std::vector<Variant> variantsOf(const std::string &name) {
  if (name == "all") return {std::begin(kVariants), std::end(kVariants)};
  for (const Variant &variant : kVariants)
    if (variant.name == name) return {variant};
  return {{"auto", Tier::Auto, emulator::baselineLimit()}};
}

/// Runs in one tier. `hashes` receives a text that must be the same in all tiers.
ExitCode runTier(Runner &runner, const Variant &variant, uint64_t timed, ordered_json &json, std::string &hashes) {
  const LaunchDescription &description = runner.description;
  emulator::setRequestedTier(variant.tier);
  emulator::setBaselineLimit(variant.baselineLimit);
  json["tier"] = variant.name;
  Expected<void> filled = runner.fill();
  Expected<LaunchCommand> launch = filled ? runner.command() : std::unexpected(filled.error());
  if (!launch) {
    json["error"] = launch.error().message;
    return kUsage;
  }
  Command command = *std::move(launch);
  Waiter waiter;
  Clock::time_point begin = Clock::now();
  OutputCapture capture;
  for (uint64_t round = 0; round < description.repeat && waiter.result; ++round) runner.device.submit(command, waiter);
  std::string printed = capture.take();
  json["milliseconds"] = millisecondsSince(begin);
  // Known only now: code generation may have refused the loop tier.
  const emulator::KernelCode &code = static_cast<emulator::EmulatedKernel &>(*runner.kernel).code();
  json["ran_in"] = tierName(code.tier());
  json["baseline"] = code.baselineItems() > 0;
  if (!printed.empty()) json["printed"] = printed;
  if (!waiter.result) {
    json["error_code"] = errorName(waiter.result.error().code);
    json["error"] = waiter.result.error().message;
    hashes = errorName(waiter.result.error().code);
    return description.launchError == errorName(waiter.result.error().code) ? kOk : kLaunchError;
  }
  bool good = description.launchError.empty();
  if (!good) json["error"] = "the launch should have failed with " + description.launchError;
  for (size_t index = 0; index < runner.bound.size(); ++index) {
    if (!runner.bound[index].memory) continue;
    ordered_json &argument = json["arguments"].emplace_back();
    good &= runner.report(index, argument);
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
      runner.device.submit(command, waiter);
      best = std::min(best, static_cast<double>(waiter.end - waiter.begin) / 1e3);
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

  Ref<Device> device = emulator::createDevices(options()).front();
  json["device"] = device->info().name;
  Clock::time_point begin = Clock::now();
  std::string buildOptions = description->options + " " + arguments.options;
  CompileRequest request{source, buildOptions, {}, true};
  std::string il;
  if (!arguments.ilFile.empty()) {
    if (!readText(arguments.ilFile, il)) return usage("the SPIR-V file cannot be read");
    request.source = {};
    request.il = std::as_bytes(std::span(il));
  }
  std::string ptx;
  if (!arguments.ptxFile.empty() && !readText(arguments.ptxFile, ptx)) return usage("the PTX file cannot be read");
  if (!ptx.empty() || arguments.file.ends_with(".ptx")) {
    request.source = ptx.empty() ? source : ptx;
    request.language = SourceLanguage::Ptx;
  }
  BuildResult build = device->compile(request);
  json["build_milliseconds"] = millisecondsSince(begin);
  if (!build.log.empty()) json["build_log"] = build.log;
  if (!build.program) {
    json["error_code"] = errorName(build.error.code);
    json["error"] = build.error.message;
    if (build.error.code == ErrorCode::CompilerNotAvailable) return kNoCompiler;
    bool wanted = !description->buildError.empty() && build.log.find(description->buildError) != std::string::npos;
    return wanted ? kOk : kBuildError;
  }
  if (!description->buildError.empty()) {
    json["error"] = "the build should have failed with '" + description->buildError + "'";
    return kMismatch;
  }
  if (description->kernel.empty() && build.program->kernels().size() == 1)
    description->kernel = build.program->kernels()[0].name;
  json["kernel"] = description->kernel;

  const std::vector<Variant> variants = variantsOf(arguments.tier);
  ExitCode worst = kOk;
  std::string first;
  for (const Variant &variant : variants) {
    // Each tier gets a program of its own: program-scope variables begin anew.
    Expected<Ref<DeviceProgram>> program = build.program;
    if (&variant != &variants.front()) {
      Expected<std::vector<std::byte>> binary = build.program->binary();
      if (!binary) return usage(binary.error().message);
      program = device->load(*binary);
    }
    if (!program) return usage(program.error().message);
    Expected<Ref<DeviceKernel>> kernel = (*program)->kernel(description->kernel);
    if (!kernel) return usage(kernel.error().message);
    Runner runner{*description, *device, *kernel, arguments.seed};
    if (Expected<void> bound = runner.bind(); !bound) return usage(bound.error().message);
    std::string hashes;
    ExitCode code = runTier(runner, variant, arguments.time, json["tiers"].emplace_back(), hashes);
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
                 "auto, loop, fiber, baseline (code made quickly) or all (which compares the last three)")
      ->check(CLI::IsMember({"auto", "loop", "fiber", "baseline", "all"}));
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
