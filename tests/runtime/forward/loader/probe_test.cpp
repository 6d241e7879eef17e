// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/probe.h"

#include "runtime/base/clock.h"
#include "runtime/forward/loader/driver_library.h"

#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace us::forward {
namespace {

using testing::HasSubstr;

DriverReport ask(const std::string &library, const char *misbehaviour = "", uint64_t milliseconds = 20000) {
  setenv("US_TEST_ICD", misbehaviour, 1);
  return probe({{}, library, {}}, {US_DRIVER_PROBE, milliseconds, {"0:0"}});
}
DriverReport askMisbehaving(const char *how, uint64_t milliseconds = 20000) {
  return ask(US_MISBEHAVING_ICD, how, milliseconds);
}

TEST(Probe, SaysWhichDevicesThereAre) {
  const DriverReport report = askMisbehaving("");
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.library, std::filesystem::canonical(US_MISBEHAVING_ICD).string());
  ASSERT_EQ(report.platforms.size(), 1u);
  EXPECT_EQ(report.platforms[0], "Misbehaving platform with breaks, OpenCL 1.2 test");
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_EQ(report.devices[0].type, 4u); // CL_DEVICE_TYPE_GPU
  EXPECT_EQ(report.devices[0].name, "Nothing");
  EXPECT_EQ(report.devices[0].driverVersion, "0.1");
  EXPECT_EQ(dlopen(US_MISBEHAVING_ICD, RTLD_LAZY | RTLD_NOLOAD), nullptr) << "it is not loaded here";
}

TEST(Probe, SurvivesADriverThatCrashes) {
  EXPECT_THAT(askMisbehaving("crashes when it is opened").problem, HasSubstr("signal 11"));
  EXPECT_THAT(askMisbehaving("crashes when it is asked for devices").problem, HasSubstr("signal 6"));
  EXPECT_THAT(askMisbehaving("exits when it is opened").problem, HasSubstr("exit code 7"));
}

TEST(Probe, SurvivesADriverThatHangs) {
  for (const char *how : {"hangs when it is opened", "hangs when it is asked for devices"}) {
    const uint64_t before = monotonicNanoseconds();
    const DriverReport report = askMisbehaving(how, 300);
    EXPECT_EQ(report.problem, "did not say within 300 ms which devices it has");
    EXPECT_FALSE(report.isQuiet);
    EXPECT_LT(monotonicNanoseconds() - before, 5'000'000'000u);
  }
}

TEST(Probe, WaitsForASlowDriverAsLongAsItMay) {
  EXPECT_EQ(askMisbehaving("takes its time", 100).problem, "did not say within 100 ms which devices it has");
  for (const uint64_t milliseconds : {uint64_t{0}, uint64_t{20000}, UINT64_MAX}) {
    const DriverReport report = askMisbehaving("takes its time", milliseconds);
    EXPECT_EQ(report.problem, "") << milliseconds;
    EXPECT_EQ(report.devices.size(), 1u) << milliseconds;
  }
}

TEST(Probe, SurvivesNonsense) {
  EXPECT_EQ(askMisbehaving("has four billion platforms").problem, "claims to have 4294967295 platforms");
  EXPECT_EQ(askMisbehaving("has four billion devices").problem, "claims to have 4294967295 devices");
  EXPECT_EQ(askMisbehaving("has a device that is NULL").problem, "gives a device that is NULL");
  EXPECT_EQ(askMisbehaving("has a platform without functions").problem,
            "gives a platform without a table of functions");
  EXPECT_EQ(askMisbehaving("is for no loader").problem, "is made for no loader: it has no clIcdGetPlatformIDsKHR");
  EXPECT_EQ(askMisbehaving("fails").problem, "answers clIcdGetPlatformIDsKHR with -6");
  EXPECT_EQ(askMisbehaving("has endless names").problem, "");
  // What it writes is not taken for an answer.
  const DriverReport forged = askMisbehaving("writes to standard output");
  EXPECT_THAT(forged.problem, HasSubstr("signal 9"));
  EXPECT_TRUE(forged.devices.empty());
}

TEST(Probe, WithoutItsHardwareADriverIsNoFault) {
  const DriverReport report = askMisbehaving("has no device");
  EXPECT_EQ(report.problem, "has no device on this machine");
  EXPECT_TRUE(report.isQuiet);
}

TEST(Probe, SaysWhatCannotBeOpened) {
  EXPECT_THAT(ask("/nowhere/libfoo.so").problem, HasSubstr("cannot be opened: /nowhere/libfoo.so"));
  EXPECT_EQ(ask("libc.so.6").problem, "is no OpenCL driver: it has no clGetExtensionFunctionAddress");
  EXPECT_EQ(probe({"/etc/foo.icd", {}, "names no library"}, {}).problem, "names no library");
  EXPECT_EQ(sentenceOf(probe({"/etc/foo.icd", {}, "names no library"}, {})),
            "the driver /etc/foo.icd is passed over: it names no library");
}

TEST(Probe, NeverAsksOurselves) {
  const std::string own = fileIdentity(US_MISBEHAVING_ICD);
  ASSERT_FALSE(own.empty());
  const DriverReport report = probe({{}, US_MISBEHAVING_ICD, {}}, {US_DRIVER_PROBE, 20000, {own}});
  EXPECT_EQ(report.problem, "is this library itself");
  EXPECT_TRUE(report.isQuiet);
  // Nor under another name, nor from the other process.
  const std::string other = testing::TempDir() + "/us_other_name.so";
  std::filesystem::remove(other);
  std::filesystem::create_symlink(US_MISBEHAVING_ICD, other);
  EXPECT_EQ(probe({{}, other, {}}, {US_DRIVER_PROBE, 20000, {own}}).problem, "is this library itself");
  EXPECT_FALSE(openDriver(other, {own}));
}

TEST(Probe, WorksWhereChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(askMisbehaving("").problem, "");
  EXPECT_THAT(askMisbehaving("crashes when it is opened").problem, HasSubstr("ended the process"));
  std::signal(SIGCHLD, before);
}

} // namespace
} // namespace us::forward
