// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/candidate_launch.h"

#include "runtime/base/align.h"
#include "runtime/device/argument_words.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace us::compare {
namespace {

class Translation {
public:
  Translation(const LaunchCommand &launch, const ComparedKernel &kernel, const Translate &translate,
              const Translate &translateImage)
      : launch_(launch), translate_(translate), translateImage_(translateImage), from_(kernel.info()),
        to_(kernel.candidate()->info()), result_(launch) {
    result_.kernel = kernel.candidate();
    result_.arguments.clear();
    result_.arguments.resize(to_.argumentBlockSize);
    result_.localMemory = to_.localMemory;
  }

  Expected<LaunchCommand> run() {
    if (from_.arguments.size() != to_.arguments.size())
      return fail(ErrorCode::Unsupported, "the devices' compilers do not agree how many arguments the kernel has");
    for (size_t i = 0; i < from_.arguments.size(); ++i) US_CHECK(translate(i));
    // What the launch has beyond the kernel's own, and no argument is.
    const uint64_t added = launch_.localMemory - std::min(launch_.localMemory, from_.localMemory);
    result_.localMemory = std::max(result_.localMemory, to_.localMemory + added);
    return std::move(result_);
  }

private:
  Expected<void> translate(size_t index) {
    const ArgumentInfo &from = from_.arguments[index], &to = to_.arguments[index];
    const bool isAlike = from.kind == to.kind || (takesBuffer(from.kind) && takesBuffer(to.kind));
    const bool isValue = from.kind == ArgumentKind::Value;
    if (!isAlike || (isValue && from.size != to.size))
      return fail(ErrorCode::Unsupported,
                  "the devices' compilers do not agree what argument " + std::to_string(index) + " is");
    if (isValue) {
      std::memcpy(result_.arguments.data() + to.offset, launch_.arguments.data() + from.offset, to.size);
      return {};
    }
    uint64_t word = argumentWord(launch_, from);
    if (from.kind == ArgumentKind::Image) {
      word = translateImage_(word);
    } else if (takesBuffer(from.kind)) {
      if (const uint64_t address = std::exchange(word, 0)) word = translate_(address);
    } else if (from.kind == ArgumentKind::LocalPointer) {
      // As runtime/core/argument_block.cpp places it.
      const uint64_t place = alignTo(result_.localMemory, std::max<uint64_t>(to.pointeeAlignment, 16));
      result_.localMemory = place + localArgumentSize(launch_, from_, index);
      word = place;
    }
    std::memcpy(result_.arguments.data() + to.offset, &word, sizeof word);
    return {};
  }

  const LaunchCommand &launch_;
  const Translate &translate_, &translateImage_;
  const KernelInfo &from_, &to_;
  LaunchCommand result_;
};

} // namespace

Expected<LaunchCommand> candidateLaunch(const LaunchCommand &launch, const ComparedKernel &kernel,
                                        const Translate &translate, const Translate &translateImage) {
  return Translation(launch, kernel, translate, translateImage).run();
}

} // namespace us::compare
