// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a person is told of each kind of finding.
#include "runtime/device/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace us {
namespace {

using testing::HasSubstr;

Finding finding(FindingKind kind) {
  Finding made;
  made.kind = kind;
  made.kernel = "k";
  made.isPlaced = true;
  made.place = {"a.cl", 7};
  made.items = {.dimensions = 2, .group = {3, 1, 0}};
  made.address = 0x1040;
  made.memory = {.kind = FoundMemory::Kind::Allocation, .base = 0x1000, .size = 60};
  made.number = 12;
  made.text = "x > 0' in a.cu:3, function 'f";
  return made;
}

TEST(Finding, EachKindHasItsSentenceAndItsError) {
  const std::string at = " at a.cl:7, in work-group (3,1)";
  Finding deadlock = finding(FindingKind::Deadlock);
  deadlock.waits = {{FoundWait::What::Barrier, {"", 5}, {{0, 16}, {17, 18}}},
                    {FoundWait::What::SubGroup, {}, {{16, 17}}}};
  const struct {
    Finding finding;
    ErrorCode code;
    std::string sentence;
  } kinds[] = {
      {finding(FindingKind::Read), ErrorCode::KernelFault,
       "kernel 'k' read from 0x1040, 4 bytes past the end of a 60-byte buffer," + at},
      {finding(FindingKind::Write), ErrorCode::KernelFault,
       "kernel 'k' wrote to 0x1040, 4 bytes past the end of a 60-byte buffer," + at},
      {finding(FindingKind::Call), ErrorCode::KernelFault,
       "kernel 'k' called a function at 0x1040, where there is none," + at},
      {finding(FindingKind::Address), ErrorCode::KernelFault,
       "kernel 'k' used an address that no memory can have or that is not aligned for the vector there," + at},
      {finding(FindingKind::Arithmetic), ErrorCode::KernelFault, "kernel 'k' had an arithmetic fault" + at},
      {finding(FindingKind::Misaligned), ErrorCode::KernelMisaligned,
       "kernel 'k' accessed memory at an address that is not a multiple of what it accessed," + at},
      {finding(FindingKind::StackOverflow), ErrorCode::KernelStackOverflow,
       "kernel 'k' overflowed its stack of 12 bytes" + at},
      {finding(FindingKind::NoStack), ErrorCode::OutOfResources,
       "kernel 'k' got no memory for a work-item's stack, in work-group (3,1)"},
      {finding(FindingKind::TrapInstruction), ErrorCode::KernelTrap, "kernel 'k' executed a trap instruction" + at},
      {finding(FindingKind::Trap), ErrorCode::KernelTrap, "kernel 'k' ended itself with trap 12" + at},
      {finding(FindingKind::WildCall), ErrorCode::KernelTrap,
       "kernel 'k' called a function by a pointer that is none's," + at},
      {finding(FindingKind::WildBranch), ErrorCode::KernelTrap,
       "kernel 'k' branched to a label that its list has not," + at},
      {finding(FindingKind::Assertion), ErrorCode::KernelAssert,
       "kernel 'k' ended because an assertion does not hold: 'x > 0' in a.cu:3, function 'f', in work-group (3,1)"},
      {deadlock, ErrorCode::KernelDeadlock,
       "kernel 'k' cannot go on, in work-group (3,1): work-items 0-15, 17 wait at the barrier at line 5; work-items 16 "
       "wait at the sub-group operation at an unknown line"},
      {finding(FindingKind::TimeLimit), ErrorCode::KernelTimeout,
       "kernel 'k' ran longer than the time limit of 12 ms" + at},
      {finding(FindingKind::Interrupted), ErrorCode::KernelInterrupted, "kernel 'k' was interrupted" + at},
  };
  for (const auto &kind : kinds) {
    EXPECT_EQ(textOf(kind.finding), kind.sentence);
    EXPECT_EQ(errorOf(kind.finding).code, kind.code);
    EXPECT_EQ(errorOf(kind.finding).message, kind.sentence);
  }
}

TEST(Finding, LaunchesOfKernels) {
  Finding found{.kind = FindingKind::TreeTimeLimit, .kernel = "k", .number = 5, .text = "launched"};
  EXPECT_EQ(textOf(found), "kernel 'k' and what it launched ran longer than the time limit of 5 ms");
  found.kind = FindingKind::EventsNeverComplete;
  EXPECT_EQ(textOf(found),
            "kernel 'k': 5 of the commands that were enqueued on the device wait for events that nothing "
            "that runs can complete");
}

TEST(Finding, WhoIsToldAsExactlyAsIsKnown) {
  Finding found = finding(FindingKind::Arithmetic);
  found.items.known = FoundItems::Known::Item;
  found.items.item = {4, 0, 0};
  EXPECT_EQ(textOf(found), "kernel 'k' had an arithmetic fault at a.cl:7, work-item (4,0) of work-group (3,1)");
  found.items.known = FoundItems::Known::Range;
  found.items.first = {24, 8, 0};
  found.items.last = {31, 8, 0};
  EXPECT_EQ(textOf(found), "kernel 'k' had an arithmetic fault at a.cl:7, in one of the work-items (24,8) to (31,8)");
}

TEST(Finding, WhereAKernelThatWasStoppedWas) {
  Finding found = finding(FindingKind::Interrupted);
  found.isPlaced = false;
  EXPECT_EQ(textOf(found), "kernel 'k' was interrupted");
  const std::vector<FoundWait> waits = {{FoundWait::What::Memory, {"", 9}, {{0, 8}}}};
  found.waitingGroups = {{{0, 0, 0}, {4, 0, 0}, waits}, {{6, 0, 0}, {6, 0, 0}, waits}};
  const std::string groups =
      "in work-groups (0,0) to (4,0): work-items 0-7 wait in a loop for memory to change at line 9; in "
      "work-group (6,0): work-items 0-7 wait in a loop for memory to change at line 9";
  EXPECT_EQ(textOf(found), "kernel 'k' was interrupted, " + groups);
  found.isPlaced = true;
  found.moreWait = true;
  EXPECT_EQ(textOf(found), "kernel 'k' was interrupted at a.cl:7, in work-group (3,1); " + groups + "; and others");
}

TEST(Finding, WhatIsAtAnAddress) {
  FoundMemory memory{.kind = FoundMemory::Kind::Allocation, .base = 0x2000, .size = 16};
  EXPECT_EQ(textOf(0x2003, memory), "byte 3 of a 16-byte buffer");
  EXPECT_EQ(textOf(0x2010, memory), "one past the end of a 16-byte buffer");
  EXPECT_EQ(textOf(0x1fff, memory), "1 byte before a 16-byte buffer");
  memory.released = true;
  memory.owner = {"variable", "table"};
  EXPECT_EQ(textOf(0x2014, memory), "4 bytes past the end of a released 16-byte variable 'table'");
  memory.argument = "argument 2 'in'";
  EXPECT_EQ(textOf(0x2014, memory), "4 bytes past the end of a released 16-byte variable 'table', its argument 2 'in'");
  EXPECT_EQ(textOf(4, memory), "4 bytes after a null pointer");
  EXPECT_EQ(textOf(0, {}), "a null pointer");
  EXPECT_EQ(textOf(0x2000, {}), "not device memory");
  EXPECT_EQ(textOf(0x2000, {.kind = FoundMemory::Kind::Unused}), "no memory in use");
  EXPECT_EQ(textOf(0x2000, {.kind = FoundMemory::Kind::Code}), "machine code");
}

TEST(Finding, SaysHowManyBytesWhereThatIsKnown) {
  Finding found = finding(FindingKind::OutOfBoundsRead);
  found.number = 1;
  EXPECT_THAT(textOf(found), HasSubstr("read 1 byte out of bounds"));
  found.number = 0;
  EXPECT_THAT(textOf(found), HasSubstr("read bytes out of bounds"));
}

} // namespace
} // namespace us
