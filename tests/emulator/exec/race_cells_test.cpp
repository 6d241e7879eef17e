// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where cells lie beside the memory of a launch's arguments, and which work-groups they name.
#include "emulator/exec/race_cells.h"

#include <gtest/gtest.h>

namespace us::exec {
namespace {

using abi::AccessKind;

/// As code does it.
void touch(const abi::MemoryCells &memory, abi::CellPlane plane, uint64_t at, uint64_t now, uint64_t item,
           uint64_t site) {
  memory.cells[uint64_t(plane) * (memory.count + abi::kMostCells) + at] = now | item << abi::kCellItemShift | site;
}

TEST(RaceCells, ArgumentsThatShareMemoryShareCells) {
  const GlobalCells::Range ranges[] = {{4096, 64}, {0, 0}, {9000, 40}, {4128, 64}, {9040, 8}};
  const GlobalCells::Handle cells = GlobalCells::acquire(ranges, 4);
  ASSERT_NE(cells, nullptr);
  const abi::MemoryCells *of = cells->arguments();
  EXPECT_EQ(of[0].begin, 4096u);
  EXPECT_EQ(of[0].count, 24u);
  EXPECT_EQ(of[0].cells, of[3].cells);
  EXPECT_EQ(of[0].begin, of[3].begin);
  EXPECT_EQ(of[1].count, 0u);
  EXPECT_EQ(of[2].begin, 9000u);
  EXPECT_EQ(of[2].count, 10u); // the next one begins where it ends
  EXPECT_NE(of[2].cells, of[4].cells);
  EXPECT_GE(of[2].cells, of[0].cells + (of[0].count + abi::kMostCells) * abi::kCellPlanes);
  EXPECT_EQ(cells->at(4095), nullptr);
  EXPECT_EQ(cells->at(4191)->begin, 4096u);
  EXPECT_EQ(cells->at(4192), nullptr);
}

TEST(RaceCells, NameTheGroupAndForgetEarlierLaunches) {
  const GlobalCells::Range ranges[] = {{4096, 64}};
  abi::CellEpochs epochs;
  for (int launch = 0; launch < 2; ++launch) {
    const GlobalCells::Handle cells = GlobalCells::acquire(ranges, 4);
    const abi::MemoryCells &memory = cells->arguments()[0];
    const auto other = [&](uint64_t item) { return findToucher(memory, 4, epochs, 4100, 4, AccessKind::Write, item); };
    cells->begin(7, epochs);
    EXPECT_FALSE(other(0)) << "launch " << launch;
    touch(memory, abi::CellPlane::FirstRead, 1, epochs.now, 3, 42);
    EXPECT_FALSE(other(3)); // itself
    ASSERT_TRUE(other(0));
    EXPECT_EQ(other(0)->kind, AccessKind::Read);
    EXPECT_EQ(other(0)->item, 3u);
    EXPECT_EQ(other(0)->site, 42u);
    EXPECT_EQ(cells->groupIn(other(0)->epoch), 7u);
    cells->passBarrier(epochs);
    EXPECT_FALSE(other(0));
    cells->begin(5, epochs);
    ASSERT_TRUE(other(3)); // another group's
    EXPECT_EQ(cells->groupIn(other(3)->epoch), 7u);
    EXPECT_EQ(cells->groupIn(uint32_t(epochs.now >> abi::kCellEpochShift)), 5u);
  }
}

TEST(RaceCells, SayWhatTheLaunchHasTouched) {
  const GlobalCells::Range ranges[] = {{4096, 64}, {8192, 16}};
  abi::CellEpochs epochs;
  {
    const GlobalCells::Handle earlier = GlobalCells::acquire(ranges, 4);
    earlier->begin(0, epochs);
    touch(earlier->arguments()[0], abi::CellPlane::Write, 9, epochs.now, 0, 0);
  }
  const GlobalCells::Handle cells = GlobalCells::acquire(ranges, 4);
  cells->begin(0, epochs);
  for (uint64_t place : {2, 3, 4}) touch(cells->arguments()[0], abi::CellPlane::Write, place, epochs.now, 0, 0);
  touch(cells->arguments()[0], abi::CellPlane::FirstRead, 4, epochs.now, 0, 0);
  touch(cells->arguments()[1], abi::CellPlane::FirstUpdate, 0, epochs.now, 0, 0);
  const std::vector<TouchedRange> touched = cells->touched();
  ASSERT_EQ(touched.size(), 3u);
  EXPECT_EQ(touched[0].begin, 4104u);
  EXPECT_EQ(touched[0].end, 4112u);
  EXPECT_TRUE(touched[0].writes && !touched[0].reads && !touched[0].isAtomic);
  EXPECT_EQ(touched[1].begin, 4112u);
  EXPECT_TRUE(touched[1].writes && touched[1].reads);
  EXPECT_EQ(touched[2].begin, 8192u);
  EXPECT_TRUE(touched[2].isAtomic && !touched[2].writes && !touched[2].reads);
}

TEST(RaceCells, TooMuchMemoryHasNone) {
  const GlobalCells::Range ranges[] = {{4096, uint64_t(1) << 44}};
  EXPECT_EQ(GlobalCells::acquire(ranges, 1), nullptr);
}

} // namespace
} // namespace us::exec
