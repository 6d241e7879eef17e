// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/device_choice.h"

#include "runtime/base/list_text.h"

#include <algorithm>
#include <charconv>

namespace us::platform {
namespace {

void add(DeviceChoice &choice, DeviceSource source) {
  if (std::ranges::find(choice.sources, source) == choice.sources.end()) choice.sources.push_back(source);
}

bool isNumber(std::string_view word, uint64_t &number) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

} // namespace

Expected<DeviceChoice> parseDeviceChoice(std::string_view text, std::span<const std::string> known) {
  DeviceChoice choice;
  if (text.empty() || text == "auto") {
    choice.isAutomatic = true;
    return choice;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::string word(takeItem(rest, ","));
    if (word == "real") {
      add(choice, DeviceSource::Real);
    } else if (word == "emulated") {
      add(choice, DeviceSource::Emulated);
    } else if (word == "both") {
      // What programs take that take the first stays what it is.
      add(choice, DeviceSource::Emulated);
      add(choice, DeviceSource::Real);
    } else if (isNumber(word, choice.emulatedCount)) {
      add(choice, DeviceSource::Emulated);
    } else if (std::ranges::find(known, word) != known.end()) {
      choice.pretended += (choice.pretended.empty() ? "" : ",") + word;
      add(choice, DeviceSource::Emulated);
    } else if (word == "auto") {
      return fail(ErrorCode::InvalidValue, "'auto' stands alone");
    } else {
      return fail(ErrorCode::InvalidValue,
                  "'" + word +
                      "' is not auto, real, emulated, both, a number of emulated devices, or a "
                      "device that one pretends to be ('--device list' lists these)");
    }
  }
  // As ever, 0 is 1.
  choice.emulatedCount = std::max<uint64_t>(choice.emulatedCount, 1);
  return choice;
}

} // namespace us::platform
