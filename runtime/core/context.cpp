// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/context.h"

#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/core/runtime.h"

#include <algorithm>

namespace us::core {
namespace {
std::vector<Ref<Device>> withoutDuplicates(std::vector<Ref<Device>> devices) {
  std::vector<Ref<Device>> unique;
  for (Ref<Device> &device : devices)
    if (std::find(unique.begin(), unique.end(), device) == unique.end()) unique.push_back(std::move(device));
  return unique;
}
} // namespace

Ref<Context> Context::create(std::vector<Ref<Device>> devices, ErrorCallback onError, FindingCallback onFinding) {
  watchFork();
  return Ref<Context>(new Context(withoutDuplicates(std::move(devices)), std::move(onError), std::move(onFinding)));
}

Context::Context(std::vector<Ref<Device>> devices, ErrorCallback onError, FindingCallback onFinding)
    : devices_(std::move(devices)),
      hasSeparateMemory_(
          std::ranges::any_of(devices_, [](const Ref<Device> &device) { return !device->info().sharesHostMemory; })),
      onError_(std::move(onError)), onFinding_(std::move(onFinding)) {}

bool Context::has(const Device &device) const {
  return std::any_of(devices_.begin(), devices_.end(), [&](const Ref<Device> &d) { return d.get() == &device; });
}

namespace {
std::string lineOf(const Error &error) {
  const std::string &sentence = error.message.empty() ? errorSentence(error.code) : error.message;
  return std::string(errorName(error.code)) + ": " + sentence;
}
} // namespace

void Context::reportCommand(const Error &error) noexcept {
  (void)withoutExceptions([&]() -> Expected<void> {
    // An assertion has told where it failed already, as the language demands.
    if (!onError_ && error.code != ErrorCode::KernelAssert)
      notice(lineOf(error));
    else
      log(LogLevel::Error, lineOf(error));
    tell(error);
    return {};
  });
}

void Context::report(const Error &error) {
  if (logs(LogLevel::Info)) log(LogLevel::Info, lineOf(error));
  tell(error);
}

void Context::reportFinding(const std::string &sentence, const std::string &json) {
  if (!onFinding_ || runtimeDead()) return;
  runUserCode([self = Ref<Context>(this), sentence, json] { self->onFinding_(sentence, json); });
}

void Context::tell(const Error &error) {
  if (!onError_ || runtimeDead()) return;
  runUserCode([self = Ref<Context>(this), error] { self->onError_(error); });
}

void Context::lastReferenceGone() {
  if (runtimeDead()) return;
  destructorCallbacks_.runAndDelete(*this);
}

} // namespace us::core
