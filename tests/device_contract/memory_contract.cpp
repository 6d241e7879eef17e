// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do with memory: how it is given and shared, and how commands copy and fill it.
#include "tests/device_contract/contract_steps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace us::test {

TEST_P(DeviceContract, MemoryIsAlignedAndItsOwn) {
  std::unique_ptr<DeviceMemory> a = allocate(*device, 100), b = allocate(*device, 5000);
  for (DeviceMemory *memory : {a.get(), b.get()})
    EXPECT_EQ(memory->address() % (device->info().baseAddressAlignBits / 8), 0u);
  EXPECT_EQ(a->size(), 100u);
  EXPECT_TRUE(a->address() + 100 <= b->address() || b->address() + 5000 <= a->address());
  clear(*device, *a, 1);
  clear(*device, *b, 2);
  EXPECT_EQ(take(*device, begin(*a), 100)[99], std::byte{1});
  if (device->info().sharesHostMemory)
    EXPECT_EQ(a->address(), reinterpret_cast<uint64_t>(a->hostAddress()));
  else
    EXPECT_EQ(a->hostAddress(), nullptr);
}

TEST_P(DeviceContract, MemoryIsAlignedAsAsked) {
  for (uint64_t alignment : {1, 64, 4096, 65536}) {
    Expected<std::unique_ptr<DeviceMemory>> memory = device->allocate({100, alignment, nullptr});
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_EQ((*memory)->address() % alignment, 0u) << alignment;
  }
}

TEST_P(DeviceContract, SharedVirtualMemoryNeedsOneAddress) {
  if (device->info().svmCapabilities == 0) return;
  Expected<std::unique_ptr<DeviceMemory>> made = device->allocate({.size = 4096, .shared = 1});
  ASSERT_TRUE(made) << made.error().message;
  std::byte *const shared = (*made)->hostAddress();
  ASSERT_EQ((*made)->address(), reinterpret_cast<uint64_t>(shared));
  EXPECT_EQ((*made)->size(), 4096u);

  // Mapped, the host writes; unmapped, commands do.
  MapCommand map;
  map.address = (*made)->address();
  map.size = 4096;
  const auto whenMapped = [&](const auto &use) {
    map.unmap = false;
    ASSERT_TRUE(run(*device, map));
    use(reinterpret_cast<int *>(shared));
    map.unmap = true;
    ASSERT_TRUE(run(*device, map));
  };
  whenMapped([](int *numbers) { std::iota(numbers, numbers + 1024, 0); });
  const Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(run(*device, launchOf(*program, (*made)->address(), 512)));
  FillCommand fill;
  fill.to = shared + 3072;
  fill.size = 512;
  fill.patternSize = 4;
  fill.pattern[0] = std::byte{9};
  ASSERT_TRUE(run(*device, fill));
  std::unique_ptr<DeviceMemory> other = allocate(*device, 1024);
  ASSERT_TRUE(run(*device, CopyCommand{begin(*other), {}, shared, {}, {1024, 1, 1}}));
  const std::vector<int> copied = take<int>(*device, begin(*other), 256);
  put(*device, shared + 3584, std::vector<int>(64, 77));
  // A pointer into it is as good as one to where it begins.
  ASSERT_TRUE(run(*device, launchOf(*program, (*made)->address() + 3584, 64)));
  whenMapped([&](const int *numbers) {
    for (int i = 0; i < 1024; ++i)
      ASSERT_EQ(numbers[i], i < 512 ? 2 * i : i < 768 ? i : i < 896 ? 9 : i < 960 ? 154 : i) << i;
    for (int i = 0; i < 256; ++i) ASSERT_EQ(copied[i], 2 * i);
  });
}

TEST_P(DeviceContract, HostMemoryIsUsedInPlace) {
  alignas(128) std::byte host[256];
  Expected<std::unique_ptr<DeviceMemory>> memory = device->allocate({256, 0, host});
  if (!memory) {
    EXPECT_EQ(memory.error().code, ErrorCode::Unsupported);
    EXPECT_FALSE(device->info().sharesHostMemory);
    return;
  }
  EXPECT_EQ((*memory)->hostAddress(), host);
  EXPECT_EQ((*memory)->size(), 256u);
}

TEST_P(DeviceContract, TheAccountIsKept) {
  const uint64_t all = device->info().globalMemory;
  const uint64_t part = std::min(all / 4 - (64 << 10), device->info().maxAllocation);
  std::vector<std::unique_ptr<DeviceMemory>> held;
  for (uint64_t used = 0; all - used >= part; used += part) held.push_back(allocate(*device, part));
  Expected<std::unique_ptr<DeviceMemory>> tooMuch = device->allocate({part, 0, nullptr});
  ASSERT_FALSE(tooMuch);
  EXPECT_EQ(tooMuch.error().code, ErrorCode::MemObjectAllocationFailure);
  held.pop_back();
  EXPECT_TRUE(device->allocate({part, 0, nullptr}));
}

TEST_P(DeviceContract, CopiesLinesAndBoxes) {
  std::unique_ptr<DeviceMemory> from = allocate(*device, 4096), to = allocate(*device, 4096);
  std::vector<std::byte> source(4096);
  for (int i = 0; i < 4096; ++i) source[i] = static_cast<std::byte>(i * 7);
  put(*device, begin(*from), source);
  clear(*device, *to, 0);
  ASSERT_TRUE(run(*device, CopyCommand{begin(*to), {10, 0, 0}, begin(*from), {20, 0, 0}, {1000, 1, 1}}));
  std::vector<std::byte> target = take(*device, begin(*to), 4096);
  EXPECT_EQ(std::memcmp(&target[10], &source[20], 1000), 0);
  EXPECT_EQ(target[9], std::byte{0});
  EXPECT_EQ(target[1010], std::byte{0});

  PitchedLayout sourceLayout{5, 16, 160}, targetLayout{3, 20, 300};
  ASSERT_TRUE(run(*device, CopyCommand{begin(*to), targetLayout, begin(*from), sourceLayout, {11, 7, 4}}));
  target = take(*device, begin(*to), 4096);
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 11; ++x)
        ASSERT_EQ(target[3 + x + y * 20 + z * 300], static_cast<std::byte>((5 + x + y * 16 + z * 160) * 7));
}

TEST_P(DeviceContract, CopiesAndFillsWhatNoCacheHolds) {
  constexpr uint64_t kSize = (40 << 20) + 100;
  if (device->info().globalMemory < 2 * kSize + 4096) GTEST_SKIP() << "the device is too small";
  std::unique_ptr<DeviceMemory> from = allocate(*device, kSize), to = allocate(*device, kSize);
  std::vector<uint32_t> numbers(kSize / 4);
  for (uint64_t i = 0; i < kSize / 4; ++i) numbers[i] = static_cast<uint32_t>(i * 2654435761u);
  put(*device, begin(*from), numbers);
  const auto *source = reinterpret_cast<const std::byte *>(numbers.data());
  // Off the alignment, so that beginning and end are pieces of lines.
  ASSERT_TRUE(run(*device, CopyCommand{begin(*to), {3, 0, 0}, begin(*from), {1, 0, 0}, {kSize - 7, 1, 1}}));
  std::vector<std::byte> target = take(*device, begin(*to), kSize);
  EXPECT_EQ(std::memcmp(&target[3], source + 1, kSize - 7), 0);
  // A box whose rows lie apart.
  clear(*device, *to, 0);
  ASSERT_TRUE(run(*device, CopyCommand{begin(*to), {0, 8192, 0}, begin(*from), {0, 8200, 0}, {8000, 5000, 1}}));
  target = take(*device, begin(*to), kSize);
  for (uint64_t row = 0; row < 5000; ++row)
    ASSERT_EQ(std::memcmp(&target[row * 8192], source + row * 8200, 8000), 0) << row;

  FillCommand fill;
  fill.to = begin(*to);
  fill.size = kSize - kSize % 16;
  fill.patternSize = 16;
  for (int i = 0; i < 16; ++i) fill.pattern[i] = static_cast<std::byte>(i + 1);
  ASSERT_TRUE(run(*device, fill));
  target = take(*device, begin(*to), kSize);
  for (uint64_t at = 0; at < fill.size; ++at) ASSERT_EQ(target[at], fill.pattern[at % 16]) << at;
}

TEST_P(DeviceContract, FillsWithEveryPatternSize) {
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 2048);
  for (uint32_t size = 1; size <= 128; size *= 2) {
    clear(*device, *memory, 0xee);
    FillCommand fill;
    fill.to = begin(*memory, 128); // as the API wants it, a multiple of the pattern
    fill.size = 5 * 128 + size;
    fill.patternSize = size;
    for (uint32_t i = 0; i < size; ++i) fill.pattern[i] = static_cast<std::byte>(i + size);
    ASSERT_TRUE(run(*device, fill));
    const std::vector<std::byte> bytes = take(*device, begin(*memory), 2048);
    for (uint64_t at = 0; at < fill.size; ++at) ASSERT_EQ(bytes[128 + at], fill.pattern[at % size]) << size;
    EXPECT_EQ(bytes[127], std::byte{0xee});
    EXPECT_EQ(bytes[128 + fill.size], std::byte{0xee});
  }
}

TEST_P(DeviceContract, FillsBoxes) {
  struct Shape {
    uint64_t size, rows, slices, rowPitch, slicePitch;
    uint32_t pattern;
  };
  // Rows apart, rows together, slices together, a pattern that is no power of two, one that fills no cache line.
  for (const Shape &shape : {Shape{24, 5, 3, 40, 300, 8}, Shape{32, 4, 2, 32, 200, 16}, Shape{16, 4, 3, 16, 64, 4},
                             Shape{12, 3, 2, 50, 160, 3}, Shape{2, 7, 1, 5, 0, 1}, Shape{64, 1, 4, 0, 100, 2}}) {
    std::unique_ptr<DeviceMemory> memory = allocate(*device, 4096);
    FillCommand fill;
    fill.to = begin(*memory, 64);
    fill.size = shape.size;
    fill.rows = shape.rows;
    fill.slices = shape.slices;
    fill.rowPitch = shape.rowPitch;
    fill.slicePitch = shape.slicePitch;
    fill.patternSize = shape.pattern;
    for (uint32_t i = 0; i < shape.pattern; ++i) fill.pattern[i] = static_cast<std::byte>(i + 1);
    std::vector<std::byte> expected(4096, std::byte{0xee});
    for (uint64_t z = 0; z < shape.slices; ++z)
      for (uint64_t y = 0; y < shape.rows; ++y)
        for (uint64_t x = 0; x < shape.size; ++x)
          expected[64 + z * shape.slicePitch + y * shape.rowPitch + x] = fill.pattern[x % shape.pattern];
    for (const bool isChecked : {false, true}) {
      clear(*device, *memory, 0xee);
      fill.isChecked = isChecked;
      ASSERT_TRUE(run(*device, fill));
      EXPECT_EQ(take(*device, begin(*memory), 4096), expected) << shape.size << " x " << shape.rows;
    }
  }
}

// Their addresses are a kernel's.
TEST_P(DeviceContract, CheckedTransfersFailWhereThereIsNoMemory) {
  std::unique_ptr<DeviceMemory> from = allocate(*device, 4096), to = allocate(*device, 4096);
  auto *const nowhere = reinterpret_cast<std::byte *>(uint64_t(0x8f) << 56);
  clear(*device, *from, 1);
  clear(*device, *to, 0);
  CopyCommand copy{begin(*to), {5, 20, 100}, begin(*from), {0, 30, 150}, {10, 3, 2}};
  copy.isChecked = true;
  ASSERT_TRUE(run(*device, copy));
  const std::vector<std::byte> bytes = take(*device, begin(*to), 4096);
  EXPECT_EQ(std::ranges::count(bytes, std::byte{1}), 60);
  EXPECT_EQ(bytes[5 + 100 + 40 + 9], std::byte{1});
  CopyCommand away = copy, fetch = copy;
  away.to = nowhere;
  fetch.from = nowhere;
  FillCommand fill;
  fill.to = nowhere;
  fill.size = 16;
  fill.patternSize = 1;
  fill.isChecked = true;
  for (const Command &command : {Command(away), Command(fetch), Command(fill)}) {
    const Expected<void> result = run(*device, command);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::KernelFault);
  }
}

TEST_P(DeviceContract, MemoryIsSharedThroughAFile) {
  std::unique_ptr<DeviceMemory> mine = allocate(*device, 5000);
  const uint64_t address = mine->address();
  clear(*device, *mine, 3);
  Expected<std::shared_ptr<MemoryFile>> file = mine->share();
  if (!file) {
    EXPECT_EQ(file.error().code, ErrorCode::Unsupported);
    return;
  }
  EXPECT_EQ(*mine->share(), *file);
  EXPECT_EQ((*file)->size(), 8192u); // whole pages, for ever
  EXPECT_FALSE((*file)->resize(4096));
  EXPECT_EQ(mine->address(), address);
  EXPECT_EQ(take(*device, begin(*mine), 5000), std::vector(5000, std::byte{3}));
  const MemoryRequest request{.size = 8192, .file = (*file)->descriptor(), .isForeign = true};
  Expected<std::unique_ptr<DeviceMemory>> theirs = device->allocate(request);
  ASSERT_TRUE(theirs) << theirs.error().message;
  EXPECT_NE((*theirs)->address(), address);
  EXPECT_EQ(take(*device, begin(**theirs), 5000), std::vector(5000, std::byte{3}));
  clear(*device, **theirs, 4);
  EXPECT_EQ(take(*device, begin(*mine), 5000), std::vector(5000, std::byte{4}));
  mine = nullptr;
  EXPECT_EQ(take(*device, begin(**theirs, 4999), 1)[0], std::byte{4});
}

TEST_P(DeviceContract, CommandsReachWhatTheHostMayNot) {
  Expected<std::unique_ptr<DeviceMemory>> memory =
      device->allocate({.size = 8192, .alignment = 4096, .isRestrictable = true});
  ASSERT_TRUE(memory);
  clear(*device, **memory, 1);
  (*memory)->restrictHostAccess("while the test says so");
  clear(*device, **memory, 2);
  EXPECT_EQ(take(*device, begin(**memory), 8192), std::vector(8192, std::byte{2}));
  (*memory)->restrictHostAccess("and goes on");
  (*memory)->restrictHostAccess(nullptr);
  if (const std::byte *host = (*memory)->hostAddress()) EXPECT_EQ(host[8191], std::byte{2});
  (*memory)->restrictHostAccess("until it goes");
  memory->reset();
  clear(*device, *allocate(*device, 8192), 3);
}

} // namespace us::test
