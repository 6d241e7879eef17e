// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/engine.h"

#include "emulator/device/code_target.h"
#include "emulator/device/compiler_library.h"
#include "emulator/profiles/machine.h"
#include "runtime/base/cache_directory.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace us::emulator {
namespace {

/// About so many work-items run in the time that it takes to optimize: both grow with the kernel's length.
constexpr uint64_t kBaselineItems = 65536;

unsigned threadsOf(const Options &options) {
  const uint64_t asked = options.threads ? options.threads : profiles::machine().cores;
  return static_cast<unsigned>(std::min<uint64_t>(asked, 4096));
}

uint64_t baselineLimitOf(const std::string &optimize) {
  if (optimize == "always") return 0;
  return optimize == "never" ? std::numeric_limits<uint64_t>::max() : kBaselineItems;
}

abi::VectorPlan vectorPlanOf(const std::string &vectorize) {
  if (vectorize == "always") return abi::VectorPlan::Always;
  return vectorize == "never" ? abi::VectorPlan::Never : abi::VectorPlan::WhereFaster;
}

std::unique_ptr<check::Session> checksOf(const Options &options) {
  const abi::CheckSet checks = abi::checksNamed(options.check);
  return checks ? std::make_unique<check::Session>(checks, options.checkReport, hostLines) : nullptr;
}

/// Appended in one write: a program may start others, and each adds its lines.
void writeLine(const std::string &path, std::string text) {
  text += '\n';
  int file = path == "-" ? STDERR_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    log(LogLevel::Error, "the summary could not be written to " + path);
  if (file > STDERR_FILENO) close(file);
}

/// Those that have something to say when the process ends, and live until then.
struct ToldAtExit {
  const pid_t process = getpid();
  std::mutex mutex; ///< guards engines
  std::vector<Ref<Engine>> engines;
};
ToldAtExit &summarized() {
  static ToldAtExit &instance = *new ToldAtExit;
  return instance;
}
ToldAtExit &checked() {
  static ToldAtExit &instance = *new ToldAtExit;
  return instance;
}

/// Behind all exit handlers: those that the program has registered before us release objects, and what is still there
/// then is told before this.
[[gnu::destructor]] void endChecks() {
  ToldAtExit &all = checked();
  if (getpid() != all.process) return;
  std::scoped_lock lock(all.mutex);
  for (const Ref<Engine> &engine : all.engines) engine->checks->end();
}

void writeSummaries() {
  ToldAtExit &all = summarized();
  if (getpid() != all.process) return; // a forked child ran nothing: its runtime is empty
  std::scoped_lock lock(all.mutex);
  std::string process = "\"process\": " + std::to_string(all.process) + ", "; // once: processes are counted by it
  for (const Ref<Engine> &engine : all.engines) {
    writeLine(engine->options.summary, engine->statistics.text().insert(1, process));
    process.clear();
  }
}

} // namespace

Engine::Engine(const Options &chosen, uint64_t memory)
    : options(chosen), account(makeRef<memory::MemoryAccount>(memory)), threads(threadsOf(options)),
      scheduler(options.seed ? exec::makeSeededScheduler(options.seed) : exec::makeParallelScheduler(threads)),
      fastestTier(abi::tierNamed(options.tier).value_or(abi::kTiers[0].tier)), target(targetOf(options)),
      baselineLimit(baselineLimitOf(options.optimize)), vectorPlan(vectorPlanOf(options.vectorize)),
      countsRuns(options.summaryDetail == "kernels"), checks(checksOf(options)),
      cache(options.cache ? cacheDirectory(options) : "", codeIdentity(target), options.cacheSize) {}

void summarizeAtExit(const Ref<Engine> &engine) {
  const std::string &path = engine->options.summary;
  if (path.empty()) return;
  static const int registered = std::atexit(writeSummaries);
  if (registered != 0) return;
  ToldAtExit &all = summarized();
  std::scoped_lock lock(all.mutex);
  // A process that is killed writes nothing at its end: this line tells that it was there.
  if (all.engines.empty() && path != "-")
    writeLine(path, "{\"process\": " + std::to_string(all.process) + ", \"began\": true}");
  all.engines.push_back(engine);
}

std::string summariesSoFar() {
  ToldAtExit &all = summarized();
  std::scoped_lock lock(all.mutex);
  std::string text;
  for (const Ref<Engine> &engine : all.engines) text += engine->statistics.text() + '\n';
  return text;
}

void numberLaunchesFrom(uint64_t next) {
  ToldAtExit &all = summarized();
  std::scoped_lock lock(all.mutex);
  for (const Ref<Engine> &engine : all.engines) engine->nextLaunch.store(next, std::memory_order_relaxed);
}

void endChecksAtExit(const Ref<Engine> &engine) {
  if (!engine->checks) return;
  ToldAtExit &all = checked();
  std::scoped_lock lock(all.mutex);
  all.engines.push_back(engine);
}

} // namespace us::emulator
