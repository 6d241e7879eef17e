// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which numbers devices have where emulated and real ones are listed together.
#include "icd/cuda/forward/listed_devices.h"

#include <gtest/gtest.h>

namespace us::cuda {
namespace {

constexpr CudaSide E = CudaSide::Emulated, R = CudaSide::Real;

std::string textOf(const std::vector<ListedDevice> &devices) {
  std::string text;
  for (const ListedDevice &one : devices) text += (one.side == E ? "E" : "R") + std::to_string(one.number) + " ";
  return text;
}

/// Two emulated devices before three real ones.
std::string planned(const char *visible) {
  const CudaSide order[] = {E, R};
  const int counts[] = {2, 3};
  const DeviceList list = planDevices(order, counts, visible);
  return textOf(list.devices) + "| " + list.visibleToDriver;
}

TEST(DeviceList, HasTheOrderOfThePolicy) {
  EXPECT_EQ(planned(nullptr), "E0 E1 R0 R1 R2 | ");
  const CudaSide order[] = {R, E};
  const int counts[] = {1, 2};
  EXPECT_EQ(textOf(planDevices(order, counts, nullptr).devices), "R0 E0 E1 ");
}

TEST(DeviceList, OfCudaVisibleDevicesIsSplit) {
  EXPECT_EQ(planned("0,1,2,3,4"), "E0 E1 R0 R1 R2 | 0,1,2");
  EXPECT_EQ(planned("4,1,2"), "R0 E1 R1 | 2,0"); // the driver numbers anew what it shows
  EXPECT_EQ(planned("1"), "E1 | ");
  EXPECT_EQ(planned("3"), "R0 | 1");
  EXPECT_EQ(planned(""), "| ");
  EXPECT_EQ(planned("NoDevFiles"), "R0 | NoDevFiles"); // the driver may know it
  EXPECT_EQ(planned("GPU-8f6d,0"), "R0 E0 | GPU-8f6d");
}

TEST(DeviceList, EndsAtWhatIsNotThere) {
  EXPECT_EQ(planned("0,-1,1"), "E0 | ");
  EXPECT_EQ(planned("3,5,0"), "R0 | 1");
  EXPECT_EQ(planned("3,0,3,1"), "R0 E0 | 1");
  EXPECT_EQ(planned("99999999999999999999"), "| ");
  const std::vector<ListedDevice> list{{R, 0}, {E, 0}, {R, 1}, {E, 1}};
  EXPECT_EQ(textOf(shownDevices(list, 2)), "R0 E0 R1 E1 ");
  EXPECT_EQ(textOf(shownDevices(list, 1)), "R0 E0 ");
  EXPECT_EQ(textOf(shownDevices(list, 0)), "");
}

TEST(DeviceList, NumbersGoBothWaysUntilOnlyRealOnesAreLeft) {
  listDevices({{E, 0}, {R, 1}, {R, 0}});
  EXPECT_EQ(listedNumber(R, 0), 2);
  EXPECT_EQ(listedNumber(E, 0), 0);
  EXPECT_EQ(listedNumber(E, 1), CU_DEVICE_INVALID);
  EXPECT_EQ(ownNumber(R, 1), 1);
  EXPECT_EQ(ownNumber(R, 2), 0);
  EXPECT_GT(ownNumber(R, 0), 255) << "is no device of that side";
  EXPECT_EQ(ownNumber(R, 17), 17);
  EXPECT_EQ(ownNumber(E, CU_DEVICE_CPU), CU_DEVICE_CPU);
  hideEmulatedDevices();
  EXPECT_EQ(listedDevices().size(), 2u);
  EXPECT_EQ(listedNumber(R, 0), 0);
  EXPECT_EQ(listedNumber(R, 1), 1);
  EXPECT_EQ(listedNumber(E, 0), CU_DEVICE_INVALID);
}

} // namespace
} // namespace us::cuda
