// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/device_choice.h"

#include <gtest/gtest.h>

namespace us::platform {
namespace {

const std::vector<std::string> kKnown{"understudy", "h200", "rx7900xtx"};

std::string said(std::string_view text) {
  const Expected<DeviceChoice> choice = parseDeviceChoice(text, kKnown);
  if (!choice) return "error: " + choice.error().message;
  std::string words = choice->isAutomatic ? "auto" : "";
  for (const DeviceSource source : choice->sources) words += source == DeviceSource::Real ? "real " : "emulated ";
  return words + std::to_string(choice->emulatedCount) + " " + choice->pretended;
}

TEST(DeviceChoice, IsOneWordOrSeveral) {
  EXPECT_EQ(said("auto"), "auto1 ");
  EXPECT_EQ(said(""), "auto1 ");
  EXPECT_EQ(said("real"), "real 1 ");
  EXPECT_EQ(said("emulated"), "emulated 1 ");
  EXPECT_EQ(said("both"), "emulated real 1 ");
  EXPECT_EQ(said("real,emulated"), "real emulated 1 ");
  EXPECT_EQ(said("real,both"), "real emulated 1 ");
  EXPECT_EQ(said("h200,real,rx7900xtx"), "emulated real 1 h200,rx7900xtx");
}

TEST(DeviceChoice, NumbersMeanHowMany) {
  EXPECT_EQ(said("3"), "emulated 3 ");
  EXPECT_EQ(said("0"), "emulated 1 ");
  EXPECT_EQ(said("real,2"), "real emulated 2 ");
}

TEST(DeviceChoice, OtherWordsAreRefused) {
  EXPECT_EQ(said("auto,real"), "error: 'auto' stands alone");
  for (const char *text : {"gpu", "-1", "2x", "real;both", "99999999999999999999999"})
    EXPECT_TRUE(said(text).starts_with("error: '" + std::string(text) + "' is not auto, real, ")) << text;
}

} // namespace
} // namespace us::platform
