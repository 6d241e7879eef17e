// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/argument_copies.h"

#include "emulator/abi/image_abi.h"
#include "emulator/memory/address_space.h"
#include "runtime/device/command.h"
#include "runtime/device/device.h"
#include "runtime/device/executable.h"

#include <cstring>
#include <gtest/gtest.h>

namespace us::emulator {
namespace {

using memory::AddressSpace;

constexpr uint64_t kManyItems = 1 << 20, kBytes = 4096;
constexpr unsigned kThreads = 4;

struct Released {
  void operator()(std::byte *memory) const { AddressSpace::instance().release(memory); }
};
using Memory = std::unique_ptr<std::byte, Released>;

Memory allocate(uint64_t size, const char *owner = "buffer") {
  return Memory(AddressSpace::instance().allocate(memory::RangeKind::Buffer, size, 4096, {.what = owner}));
}

/// A launch with these pointers as arguments.
struct Launch {
  explicit Launch(std::initializer_list<const void *> pointers) {
    kernel.usesAtomics = true;
    for (const void *pointer : pointers) {
      ArgumentInfo argument;
      argument.kind = ArgumentKind::GlobalPointer;
      argument.offset = uint32_t(8 * kernel.arguments.size());
      kernel.arguments.push_back(argument);
      command.arguments.resize(argument.offset + 8);
      std::memcpy(command.arguments.data() + argument.offset, &pointer, 8);
    }
  }
  uint64_t copied(uint64_t items = kManyItems) const { return copiedArguments(command, kernel, items, kThreads); }

  KernelInfo kernel;
  LaunchCommand command;
};

TEST(CopiedArguments, BuffersOfTheirOwn) {
  const Memory counts = allocate(kBytes), data = allocate(1 << 20);
  EXPECT_EQ(Launch({data.get(), counts.get()}).copied(), 2u);
  EXPECT_EQ(Launch({counts.get() + 256, nullptr}).copied(), 1u);
}

TEST(CopiedArguments, NotWhereAnotherArgumentPoints) {
  const Memory counts = allocate(kBytes);
  EXPECT_EQ(Launch({counts.get(), counts.get() + 2048}).copied(), 0u);
  Launch withImage({counts.get(), nullptr});
  abi::ImageDescriptor image;
  image.data = counts.get() + 64;
  const void *descriptor = &image;
  withImage.kernel.arguments[1].kind = ArgumentKind::Image;
  std::memcpy(withImage.command.arguments.data() + 8, &descriptor, 8);
  EXPECT_EQ(withImage.copied(), 0u);
}

TEST(CopiedArguments, NotWhatTheHostMayLookAt) {
  for (const char *owner : {"SVM allocation", "managed allocation", "allocation of the host's"})
    EXPECT_EQ(Launch({allocate(kBytes, owner).get()}).copied(), 0u) << owner;
  const uint32_t own = 0;
  EXPECT_EQ(Launch({&own}).copied(), 0u);
}

TEST(CopiedArguments, OnlyWhereItIsWorthIt) {
  const Memory counts = allocate(kBytes), many = allocate(1 << 20);
  EXPECT_EQ(Launch({counts.get()}).copied(2 * kThreads * kBytes), 1u);
  EXPECT_EQ(Launch({counts.get()}).copied(2 * kThreads * kBytes - 1), 0u);
  EXPECT_EQ(Launch({many.get()}).copied(UINT64_MAX), 0u);
  Launch others({counts.get()});
  others.kernel.arguments[0].read = false;
  EXPECT_EQ(others.copied(), 0u);
  others.kernel.arguments[0].read = true;
  others.kernel.usesAtomics = false;
  EXPECT_EQ(others.copied(), 0u);
}

/// A launch of which that is known without its arguments is the same whenever it runs again.
TEST(CopiedArguments, NeverWhereLittleIsDone) {
  const Memory counts = allocate(64);
  Launch launch({counts.get()});
  EXPECT_TRUE(mayCopyArguments(launch.kernel, kManyItems));
  EXPECT_FALSE(mayCopyArguments(launch.kernel, 1000));
  EXPECT_EQ(launch.copied(1000), 0u);
  launch.kernel.usesAtomics = false;
  EXPECT_FALSE(mayCopyArguments(launch.kernel, kManyItems));
}

} // namespace
} // namespace us::emulator
