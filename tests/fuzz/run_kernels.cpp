// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us-run-kernels .cl|.ptx NAME=OPTION=VALUE,… …: runs random kernels in all ways that are named, for compare_tiers.py.
// Standard input has a kernel a line, as JSON; standard output gets, as a line each, its seed and what came of it: by
// way a hash of the results, or a text that begins with "error".
//
// A kernel's arguments are 256 words, its outputs, of so many elements for each work-item, and numbers.
#include "emulator/abi/targets.h"
#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_devices.h"
#include "emulator/device/emulated_program.h"
#include "runtime/base/options.h"
#include "runtime/device/command_outcome.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <ranges>
#include <sys/resource.h>
#include <xxhash.h>

namespace us {
namespace {

using nlohmann::json;

struct Way {
  std::string name;
  Ref<Device> device;
};

/// `text`: NAME=OPTION=VALUE,OPTION=VALUE…
Expected<Way> wayOf(std::string_view text) {
  const size_t nameEnd = text.find('=');
  if (nameEnd == text.npos) return fail(ErrorCode::InvalidValue, "a way is NAME=OPTION=VALUE,…");
  Options chosen = options();
  chosen.cache = false;
  chosen.threads = 1;
  for (const auto part : std::views::split(text.substr(nameEnd + 1), ',')) {
    const std::string_view option(part);
    const size_t end = option.find('=');
    if (end == option.npos) return fail(ErrorCode::InvalidValue, "an option is OPTION=VALUE");
    US_CHECK(setOption(chosen, option.substr(0, end), option.substr(end + 1)));
  }
  US_CHECK(emulator::checkTarget(chosen));
  return Way{std::string(text.substr(0, nameEnd)), emulator::createDevices(chosen).front()};
}

/// What kernels read.
std::vector<uint32_t> words() {
  std::vector<uint32_t> all(256);
  std::mt19937 random(7);
  for (uint32_t &word : all) word = random();
  return all;
}

struct Output {
  uint64_t bytes = 0;
  bool isFloat = false;
  std::unique_ptr<DeviceMemory> memory{};
};

/// Which NaN a result is, nobody says.
void makeNansAlike(std::span<float> numbers) {
  for (float &number : numbers)
    if (std::isnan(number)) number = std::numeric_limits<float>::quiet_NaN();
}

/// A hash of what the kernel makes on that device.
Expected<std::string> run(Device &device, DeviceProgram &program, const json &described) {
  LaunchCommand command;
  US_TRY(command.kernel, program.kernel("fuzz"));
  const KernelInfo &info = command.kernel->info();
  command.arguments.resize(info.argumentBlockSize);
  command.localMemory = info.localMemory;
  const std::vector<uint64_t> local = described["local"], groups = described["groups"];
  command.workDimensions = static_cast<uint32_t>(local.size());
  command.localSize = {1, 1, 1};
  uint64_t items = 1;
  for (size_t dimension = 0; dimension < local.size(); ++dimension) {
    command.localSize[dimension] = local[dimension];
    command.globalSize[dimension] = local[dimension] * groups[dimension];
    items *= command.globalSize[dimension];
  }

  size_t index = 0;
  const auto pass = [&](const auto &value) {
    std::memcpy(command.arguments.data() + info.arguments.at(index++).offset, &value, sizeof value);
  };
  static const std::vector<uint32_t> input = words();
  US_TRY(const std::unique_ptr<DeviceMemory> read, device.allocate({.size = input.size() * 4}));
  std::memcpy(read->hostAddress(), input.data(), input.size() * 4);
  pass(read->address());
  std::vector<Output> outputs;
  for (const json &output : described["outputs"]) {
    const uint64_t bytes = items * output["elements"].get<uint64_t>() * 4;
    US_TRY(std::unique_ptr<DeviceMemory> memory, device.allocate({.size = bytes}));
    std::memset(memory->hostAddress(), 0, bytes);
    pass(memory->address());
    outputs.push_back({bytes, output["type"] == "float", std::move(memory)});
  }
  for (const json &number : described["numbers"]) pass(number.get<uint32_t>());

  CommandOutcome outcome;
  device.submit(command, outcome);
  US_CHECK(outcome.result);
  XXH64_hash_t hash = 0;
  for (const Output &output : outputs) {
    if (output.isFloat) makeNansAlike({reinterpret_cast<float *>(output.memory->hostAddress()), output.bytes / 4});
    hash = XXH64(output.memory->hostAddress(), output.bytes, hash);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// The kernel built once for all ways whose processors have, or have not, fused multiply-add: nothing else of a
/// processor is in kernel IR.
class Programs {
public:
  Programs(const json &described, SourceLanguage language)
      : source_(described["source"]), options_(described["options"]), language_(language) {}

  Expected<Ref<DeviceProgram>> of(Device &device) {
    emulator::Engine &engine = static_cast<emulator::EmulatedDevice &>(device).engine();
    Ref<DeviceProgram> &built = built_[abi::targetInfo(engine.target).hasFma];
    if (built) {
      const auto &module = static_cast<emulator::EmulatedProgram &>(*built).module();
      return Ref<DeviceProgram>(
          new emulator::EmulatedProgram(Ref<emulator::Engine>(&engine), emulator::StoredProgram{module, {}}));
    }
    BuildResult result = device.compile({source_, options_, {}, true, language_});
    if (!result) return fail(result.error().code, result.error().message + " " + result.log);
    return built = *std::move(result);
  }

private:
  const std::string source_, options_;
  const SourceLanguage language_;
  std::map<bool, Ref<DeviceProgram>> built_;
};

Expected<std::string> runOneWay(const Way &way, Programs &programs, const json &described) {
  US_TRY(const Ref<DeviceProgram> program, programs.of(*way.device));
  return run(*way.device, *program, described);
}

/// Of processor time, for a kernel in all ways: the process is ended that takes longer, as in a compiler that does not
/// come to an end.
constexpr rlim_t kSecondsEach = 60;

void limitTime() {
  rusage used;
  rlimit limit;
  if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
  limit.rlim_cur = rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + kSecondsEach;
  setrlimit(RLIMIT_CPU, &limit);
}

} // namespace
} // namespace us

int main(int argc, char **argv) {
  using namespace us;
  std::vector<Way> ways;
  for (int i = 2; i < argc; ++i) {
    Expected<Way> way = wayOf(argv[i]);
    if (!way) return std::fprintf(stderr, "us-run-kernels: %s\n", way.error().message.c_str()), 2;
    ways.push_back(*std::move(way));
  }
  if (ways.empty()) return std::fprintf(stderr, "us-run-kernels LANGUAGE NAME=OPTION=VALUE,… …\n"), 2;
  const SourceLanguage language = languageOfFile(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    limitTime();
    const json described = json::parse(line);
    Programs programs(described, language);
    json results = json::object();
    for (const Way &way : ways) {
      const Expected<std::string> hash = runOneWay(way, programs, described);
      results[way.name] = hash ? *hash : "error: " + hash.error().message;
    }
    const std::string text =
        json::array({described["seed"], std::move(results)}).dump(-1, ' ', false, json::error_handler_t::replace);
    std::puts(text.c_str());
    std::fflush(stdout);
  }
  return 0;
}
