// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/device_contract/device_contract.h"

#include "runtime/device/device_runtime.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

namespace us::test {
namespace {

/// Waits for one command, whichever thread ends it, and checks the order of what it is told.
class Watcher final : public CommandObserver {
public:
  void started(uint64_t time) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts++, 0);
    EXPECT_EQ(ends, 0);
    begin = time;
  }
  void codeAwaited(uint64_t nanoseconds) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts, 0); // here, no kernel launches one that is new
    awaited += nanoseconds;
  }
  void finished(uint64_t time, Expected<void> how) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts, 1);
    EXPECT_EQ(ends++, 0);
    end = time;
    result_ = std::move(how);
    changed_.notify_all();
  }
  Expected<void> wait() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ends > 0; }));
    return result_;
  }
  int starts = 0, ends = 0;
  uint64_t begin = 0, end = 0, awaited = 0;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Expected<void> result_;
};

Expected<void> run(Device &device, const Command &command) {
  Watcher watcher;
  uint64_t before = device.now();
  device.submit(command, watcher);
  Expected<void> result = watcher.wait();
  EXPECT_LE(before, watcher.begin);
  EXPECT_LE(watcher.begin, watcher.end);
  EXPECT_LE(watcher.end, device.now());
  return result;
}

std::unique_ptr<DeviceMemory> allocate(Device &device, uint64_t size) {
  Expected<std::unique_ptr<DeviceMemory>> memory = device.allocate({size, 0, nullptr});
  EXPECT_TRUE(memory) << memory.error().message;
  return memory ? std::move(*memory) : nullptr;
}

Ref<DeviceProgram> build(Device &device, const std::string &source) {
  BuildResult result = device.compile({source, "", {}, true});
  EXPECT_TRUE(result) << result.log;
  return *result;
}

// The host may not be able to reach memory of a device: it is read and written as queues do it.

std::byte *begin(const DeviceMemory &memory, uint64_t offset = 0) {
  return reinterpret_cast<std::byte *>(memory.address() + offset);
}

template <class T> void put(Device &device, std::byte *to, const std::vector<T> &from) {
  ASSERT_TRUE(
      run(device,
          CopyCommand{to, {}, reinterpret_cast<const std::byte *>(from.data()), {}, {from.size() * sizeof(T), 1, 1}}));
}

template <class T = std::byte> std::vector<T> take(Device &device, const std::byte *from, uint64_t count) {
  std::vector<T> into(count);
  EXPECT_TRUE(
      run(device, CopyCommand{reinterpret_cast<std::byte *>(into.data()), {}, from, {}, {count * sizeof(T), 1, 1}}));
  return into;
}

/// All bytes of the memory are that one.
void clear(Device &device, const DeviceMemory &memory, int byte) {
  put(device, begin(memory), std::vector<std::byte>(memory.size(), std::byte(byte)));
}

/// With arguments of 8 bytes.
LaunchCommand launchOf(DeviceProgram &program, const char *name, const std::vector<uint64_t> &arguments,
                       uint64_t items) {
  LaunchCommand launch;
  Expected<Ref<DeviceKernel>> kernel = program.kernel(name);
  EXPECT_TRUE(kernel) << kernel.error().message;
  launch.kernel = *kernel;
  launch.globalSize = {items, 1, 1};
  launch.arguments.resize(launch.kernel->info().argumentBlockSize);
  for (size_t i = 0; i < arguments.size(); ++i)
    std::memcpy(launch.arguments.data() + launch.kernel->info().arguments[i].offset, &arguments[i], 8);
  return launch;
}
LaunchCommand launchOf(DeviceProgram &program, uint64_t address, uint64_t items) {
  return launchOf(program, "twice", {address}, items);
}

/// Doubles `items` numbers in the program's kernel and checks all.
void expectTwice(Device &device, DeviceProgram &program, uint64_t items, Size3 local) {
  std::unique_ptr<DeviceMemory> memory = allocate(device, items * sizeof(int));
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  put(device, begin(*memory), numbers);
  LaunchCommand launch = launchOf(program, memory->address(), items);
  launch.localSize = local;
  Expected<void> result = run(device, launch);
  ASSERT_TRUE(result) << result.error().message;
  numbers = take<int>(device, begin(*memory), items);
  for (uint64_t i = 0; i < items; ++i) ASSERT_EQ(numbers[i], static_cast<int>(2 * i)) << i;
}

} // namespace

TEST_P(DeviceContract, FactsAgreeWithEachOther) {
  const DeviceInfo &info = device->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.maxComputeUnits, 1u);
  EXPECT_GE(info.maxWorkGroupSize, 1u);
  EXPECT_LE(info.maxAllocation, info.globalMemory);
  EXPECT_GT(info.maxAllocation, 0u);
  EXPECT_GE(info.baseAddressAlignBits, 128u * 8);
  EXPECT_EQ(&device->info(), &info);
}

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

TEST_P(DeviceContract, CommandsWithoutWorkFinish) {
  EXPECT_TRUE(run(*device, NoCommand{}));
  EXPECT_TRUE(run(*device, MapCommand{}));
  bool called = false;
  EXPECT_TRUE(run(*device, HostCallCommand{[&] { called = true; }}));
  EXPECT_TRUE(called);
}

// Else a queue waits for it for ever.
TEST_P(DeviceContract, ACommandThatThrowsFinishes) {
  EXPECT_EQ(run(*device, HostCallCommand{[] { throw std::bad_alloc(); }}).error().code, ErrorCode::OutOfHostMemory);
  const Expected<void> result = run(*device, HostCallCommand{[] { throw std::runtime_error("out of luck"); }});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("out of luck"), std::string::npos);
  EXPECT_FALSE(run(*device, HostCallCommand{[] { throw 1; }}));
  EXPECT_TRUE(run(*device, NoCommand{}));
}

TEST_P(DeviceContract, SequencesRunInOrderUntilTheFirstFailure) {
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 64);
  FillCommand ones, twos;
  ones.to = twos.to = begin(*memory);
  ones.size = 32, twos.size = 16;
  ones.patternSize = twos.patternSize = 1;
  ones.pattern[0] = std::byte{1}, twos.pattern[0] = std::byte{2};
  CopyCommand copy;
  copy.to = begin(*memory, 32);
  copy.from = begin(*memory);
  copy.region = {32, 1, 1};
  auto list = std::make_shared<CommandList>(CommandList{{ones, twos, copy}});
  for (int round = 0; round < 2; ++round) {
    clear(*device, *memory, 0);
    ASSERT_TRUE(run(*device, SequenceCommand{list}));
    const std::vector<std::byte> bytes = take(*device, begin(*memory), 64);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(bytes[i], std::byte(i % 32 < 16 ? 2 : 1)) << i;
  }
  // A launch that cannot be: no device has that much local memory.
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  LaunchCommand bad = launchOf(*program, memory->address(), 1);
  bad.localMemory = UINT64_MAX;
  clear(*device, *memory, 0);
  Expected<void> result = run(*device, SequenceCommand{std::make_shared<CommandList>(CommandList{{ones, bad, twos}})});
  if (result) return; // this device takes it
  EXPECT_EQ(take(*device, begin(*memory), 1)[0], std::byte{1});
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

TEST_P(DeviceContract, VariablesAreMemoryOfTheProgram) {
  if (GetParam().textures.empty()) GTEST_SKIP() << "the device has neither";
  BuildResult built = device->compile({GetParam().textures, "", {}, true, GetParam().texturesLanguage});
  ASSERT_TRUE(built) << built.log;
  Expected<DeviceVariable> number = (*built)->variable("number");
  ASSERT_TRUE(number) << number.error().message;
  EXPECT_EQ(number->size, 4u);
  EXPECT_EQ((*built)->variable("number")->address, number->address);
  EXPECT_EQ((*built)->variable("none").error().code, ErrorCode::InvalidValue);
  EXPECT_EQ((*built)->textureVariable("number").error().code, ErrorCode::InvalidValue);
  auto *const place = reinterpret_cast<std::byte *>(number->address);
  EXPECT_EQ(take<uint32_t>(*device, place, 1)[0], 7u);
  put(*device, place, std::vector<uint32_t>{9});
  std::unique_ptr<DeviceMemory> out = allocate(*device, 4);
  ASSERT_TRUE(run(*device, launchOf(**built, "fetchNumber", {out->address()}, 1)));
  EXPECT_EQ(take<uint32_t>(*device, begin(*out), 1)[0], 9u);
}

TEST_P(DeviceContract, TexturesAreKnownByHandleOrVariable) {
  if (GetParam().textures.empty()) GTEST_SKIP() << "the device has neither";
  BuildResult built = device->compile({GetParam().textures, "", {}, true, GetParam().texturesLanguage});
  ASSERT_TRUE(built) << built.log;
  std::unique_ptr<DeviceMemory> texels = allocate(*device, 2 * 4096), out = allocate(*device, 4);
  put(*device, begin(*texels), std::vector<uint32_t>{11});
  put(*device, begin(*texels, 4096), std::vector<uint32_t>{22});
  Ref<DeviceTexture> textures[2];
  for (uint64_t i = 0; i < 2; ++i) {
    TextureRequest request;
    request.levels.push_back({.address = texels->address() + i * 4096,
                              .rowPitch = 16,
                              .slicePitch = 16,
                              .width = 4,
                              .height = 1,
                              .depth = 1,
                              .layers = 1,
                              .type = TexelType::UInt32,
                              .channels = 1,
                              .elementSize = 4,
                              .format = {ChannelOrder::R, ChannelType::UnsignedInt32}});
    request.sampling.staysInteger = true;
    request.sampling.addressing.fill(TextureAddressing::Clamp);
    Expected<Ref<DeviceTexture>> made = device->createTexture(request);
    ASSERT_TRUE(made) << made.error().message;
    textures[i] = std::move(*made);
    EXPECT_NE(textures[i]->handle(), 0u);
  }
  EXPECT_NE(textures[0]->handle(), textures[1]->handle());
  const auto fetched = [&](const char *kernel, std::vector<uint64_t> arguments) {
    arguments.insert(arguments.begin(), out->address());
    EXPECT_TRUE(run(*device, launchOf(**built, kernel, arguments, 1)));
    return take<uint32_t>(*device, begin(*out), 1)[0];
  };
  EXPECT_EQ(fetched("fetch", {textures[0]->handle()}), 11u);
  EXPECT_EQ(fetched("fetch", {textures[1]->handle()}), 22u);

  Expected<TextureVariable> bound = (*built)->textureVariable("texref.bound");
  ASSERT_TRUE(bound) << bound.error().message;
  for (const Ref<DeviceTexture> &texture : textures) {
    ASSERT_TRUE(run(*device, BindCommand{bound->address, texture.get()}));
    EXPECT_EQ(fetched("fetchBound", {}), texture == textures[0] ? 11u : 22u);
  }
  // A kernel with a stale handle finds zeros.
  const uint64_t stale = textures[0]->handle();
  textures[0] = nullptr;
  EXPECT_EQ(fetched("fetch", {stale}), 0u);
  EXPECT_EQ(fetched("fetch", {textures[1]->handle()}), 22u);
}

TEST_P(DeviceContract, ImagesSayWhatTheyAre) {
  const DeviceInfo &info = device->info();
  ImageDescription wanted;
  wanted.kind = ImageKind::Image2DArray;
  wanted.width = 16, wanted.height = 8, wanted.arraySize = 3;
  wanted.rowPitch = 80, wanted.slicePitch = 1024;
  if (!info.images) {
    std::unique_ptr<DeviceMemory> memory = allocate(*device, 16 * 1024);
    Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, begin(*memory));
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, ErrorCode::Unsupported);
    EXPECT_TRUE(info.formatsRead.empty());
    return;
  }
  Expected<std::unique_ptr<DeviceMemory>> memory = device->allocate({.size = 3 * 1024, .image = &wanted});
  ASSERT_TRUE(memory) << memory.error().message;
  Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, begin(**memory));
  ASSERT_TRUE(image) << image.error().message;
  const ImageDescription &is = (*image)->description();
  EXPECT_TRUE(is.kind == wanted.kind && is.format == wanted.format && is.width == 16 && is.height == 8 &&
              is.arraySize == 3 && is.rowPitch == 80 && is.slicePitch == 1024);
  Expected<std::unique_ptr<DeviceImage>> other = device->createImage(wanted, begin(**memory));
  ASSERT_TRUE(other);
  EXPECT_NE((*image)->argument(), (*other)->argument());
  EXPECT_EQ((*image)->argument(), (*image)->argument());

  EXPECT_GE(info.maxReadImageArguments, 1u);
  EXPECT_GE(info.maxSamplers, 1u);
  EXPECT_FALSE(info.formatsRead.empty() || info.formatsWrite.empty());
  for (const auto *formats : {&info.formatsRead, &info.formatsWrite, &info.formatsReadWrite})
    for (size_t i = 0; i < formats->size(); ++i)
      for (size_t j = 0; j < i; ++j) EXPECT_FALSE((*formats)[i] == (*formats)[j]) << i << " and " << j;
}

TEST_P(DeviceContract, PipesLieInMemoryOfTheDevice) {
  const DeviceInfo &info = device->info();
  const PipeDescription wanted{16, 9};
  if (info.maxPipeArguments == 0) {
    std::byte memory[4096];
    EXPECT_EQ(device->pipeBytes(wanted), 0u);
    Expected<uint64_t> pipe = device->createPipe(wanted, memory);
    ASSERT_FALSE(pipe);
    EXPECT_EQ(pipe.error().code, ErrorCode::Unsupported);
    return;
  }
  EXPECT_GE(info.pipeMaxPacketSize, 1024u);
  EXPECT_GE(info.pipeMaxReservations, 1u);
  EXPECT_GE(device->pipeBytes(wanted), 9 * 16u);
  EXPECT_EQ(device->pipeBytes({0, 9}), 0u);
  EXPECT_EQ(device->pipeBytes({16, 0}), 0u);
  EXPECT_EQ(device->pipeBytes({info.pipeMaxPacketSize + 1, 1}), 0u);
  std::unique_ptr<DeviceMemory> memory = allocate(*device, device->pipeBytes(wanted));
  Expected<uint64_t> pipe = device->createPipe(wanted, begin(*memory));
  ASSERT_TRUE(pipe) << pipe.error().message;
  EXPECT_NE(*pipe, 0u);
}

TEST_P(DeviceContract, QueuesOnTheDeviceAreLargeEnough) {
  const DeviceInfo &info = device->info();
  if (info.maxDeviceQueues == 0) return;
  // "The minimum value is 16 KB", "256 KB", "1024"
  EXPECT_GE(info.deviceQueuePreferredSize, 16u << 10);
  EXPECT_GE(info.deviceQueueMaxSize, 256u << 10);
  EXPECT_GE(info.maxDeviceEvents, 1024u);
}

/// An API with two functions: the first gives a number, the second asks for that one and launches `child`.
class SmallApi final : public DeviceRuntime {
public:
  class OneRun final : public Run {
  public:
    explicit OneRun(const SmallApi &api) : api_(api) {}
    ~OneRun() override { ++api_.ended; }
    Launch &root() override { return root_; }
    std::optional<uint64_t> call(Launch &caller, DeviceFunction function, DeviceCall &call) override {
      EXPECT_EQ(&caller, &root_);
      if (api_.throws) throw std::bad_alloc();
      if (function == api_.missing) return std::nullopt;
      if (function == DeviceFunction::CreateUserEvent) return 77;
      EXPECT_EQ(function, DeviceFunction::IsValidEvent);
      asked_ = true;
      return call.words[10] == 77;
    }
    Expected<Work> next(Launch &top, Launch *&at, bool isOver) override {
      EXPECT_TRUE(&top == &root_ && at == &root_ && isOver);
      if (api_.failure) return std::unexpected(*api_.failure);
      return std::exchange(asked_, false) ? Work{&api_.child, &child_} : Work{};
    }

  private:
    const SmallApi &api_;
    Launch root_, child_;
    bool asked_ = false;
  };
  std::unique_ptr<Run> begin(KernelMemory &memory) const override {
    const uint64_t zeros = memory.allocate(100, 256);
    EXPECT_TRUE(zeros && zeros % 256 == 0);
    ++begun;
    return std::make_unique<OneRun>(*this);
  }
  std::string_view verb() const override { return "started"; }

  Command child;
  DeviceFunction missing = DeviceFunction::GetDevice;
  bool throws = false;
  std::optional<Error> failure;
  mutable std::atomic<int> begun{0}, ended{0};
};

TEST_P(DeviceContract, CarriesWhatKernelsCall) {
  if (GetParam().calls.empty()) return;
  BuildResult built = device->compile({GetParam().calls, GetParam().callsOptions, {}, true});
  ASSERT_TRUE(built) << built.log;
  DeviceProgram &program = **built;
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 4);
  const auto api = makeRef<SmallApi>();
  LaunchCommand launch = launchOf(program, "calls", {memory->address()}, 1);
  EXPECT_TRUE(launch.kernel->info().usesDeviceQueue);
  api->child = launchOf(program, memory->address(), 1);
  ASSERT_TRUE(run(*device, api->child)); // the watcher expects no code to be made after a launch has begun
  const auto result = [&] { return take<int>(*device, begin(*memory), 1)[0]; };
  launch.deviceRuntime = api.get();
  // A command may be run again; each run is one of its own.
  const auto list = std::make_shared<CommandList>(CommandList{{launch, launch}});
  for (int i = 1; i <= 3; ++i) {
    clear(*device, *memory, 0);
    const Expected<void> done = run(*device, i < 3 ? Command(launch) : Command(SequenceCommand{list}));
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(result(), 42) << "21, then twice that";
    EXPECT_EQ(api->ended, i < 3 ? i : 4);
    EXPECT_EQ(api->begun, api->ended);
  }
  const auto code = [&] {
    const Expected<void> done = run(*device, launch);
    EXPECT_EQ(api->begun, api->ended);
    return done ? ErrorCode::Internal : done.error().code;
  };
  // What goes wrong is how the launch has ended.
  api->failure = Error{ErrorCode::KernelDeadlock, "as asked"};
  EXPECT_EQ(code(), ErrorCode::KernelDeadlock);
  api->failure.reset();
  api->throws = true;
  EXPECT_EQ(code(), ErrorCode::OutOfHostMemory);
  api->throws = false;
  std::get<LaunchCommand>(api->child).localMemory = UINT64_MAX;
  EXPECT_EQ(device->check(std::get<LaunchCommand>(api->child)).error().code, ErrorCode::OutOfResources);
  EXPECT_EQ(code(), ErrorCode::OutOfResources);
  api->missing = DeviceFunction::CreateUserEvent;
  EXPECT_EQ(code(), ErrorCode::KernelTrap);
  launch.deviceRuntime = nullptr;
  EXPECT_EQ(code(), ErrorCode::KernelTrap);
}

TEST_P(DeviceContract, BuildsAProgram) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kind(), ProgramKind::Executable);
  ASSERT_EQ(program->kernels().size(), 1u);
  EXPECT_EQ(program->kernels()[0].name, "twice");
  ASSERT_EQ(program->kernels()[0].arguments.size(), 1u);
  EXPECT_EQ(program->kernels()[0].arguments[0].kind, ArgumentKind::GlobalPointer);
  Expected<Ref<DeviceKernel>> none = program->kernel("thrice");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidKernelName);
}

TEST_P(DeviceContract, SaysWhyABuildFails) {
  BuildResult result = device->compile({GetParam().broken, "", {}, true});
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_NE(result.log.find("error"), std::string::npos) << result.log;
  result = device->compile({GetParam().broken, "", {}, false});
  EXPECT_EQ(result.error().code, ErrorCode::CompileProgramFailure);
}

TEST_P(DeviceContract, CompilesThenLinks) {
  BuildResult object = device->compile({GetParam().twice, "", {}, false});
  ASSERT_TRUE(object) << object.log;
  EXPECT_EQ((*object)->kind(), ProgramKind::CompiledObject);
  EXPECT_TRUE((*object)->kernels().empty());
  BuildResult library = device->link({{*object}, "-create-library"});
  ASSERT_TRUE(library) << library.log;
  EXPECT_EQ((*library)->kind(), ProgramKind::Library);
  BuildResult executable = device->link({{*library}, ""});
  ASSERT_TRUE(executable) << executable.log;
  EXPECT_EQ((*executable)->kind(), ProgramKind::Executable);
  expectTwice(*device, **executable, 64, {0, 0, 0});
}

TEST_P(DeviceContract, BinariesComeBack) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  Expected<std::vector<std::byte>> binary = program->binary();
  ASSERT_TRUE(binary);
  Expected<Ref<DeviceProgram>> loaded = device->load(*binary);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->kind(), ProgramKind::Executable);
  ASSERT_EQ((*loaded)->kernels().size(), 1u);
  expectTwice(*device, **loaded, 64, {0, 0, 0});
}

TEST_P(DeviceContract, OtherBytesAreNoBinary) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes(random() % 300);
    for (std::byte &byte : bytes) byte = static_cast<std::byte>(random());
    Expected<Ref<DeviceProgram>> loaded = device->load(bytes);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::InvalidBinary);
  }
}

TEST_P(DeviceContract, LaunchesWithAndWithoutLocalSize) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  expectTwice(*device, *program, 1024, {0, 0, 0});
  expectTwice(*device, *program, 1009, {0, 0, 0});
  if (device->info().maxWorkGroupSize >= 64) expectTwice(*device, *program, 1024, {64, 1, 1});
}

TEST_P(DeviceContract, SuggestsALocalSizeItAccepts) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  Ref<DeviceKernel> kernel = *program->kernel("twice");
  for (uint64_t items : {1, 7, 64, 1000, 1009, 4096}) {
    Expected<Size3> local = device->suggestLocalSize(*kernel, 1, {0, 0, 0}, {items, 1, 1});
    ASSERT_TRUE(local);
    EXPECT_GE((*local)[0], 1u);
    EXPECT_EQ((*local)[1] * (*local)[2], 1u);
    EXPECT_LE((*local)[0], device->info().maxWorkGroupSize);
    if (kernel->info().uniformWorkGroups) EXPECT_EQ(items % (*local)[0], 0u);
    expectTwice(*device, *program, items, *local);
  }
}

TEST_P(DeviceContract, SeveralThreadsMaySubmit) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) expectTwice(*device, *program, 100 + t * 31 + round, {0, 0, 0});
    });
  for (std::thread &thread : threads) thread.join();
}

// The times of a launch are those of its work-items: what the compiler needs comes before them, and is said.
TEST_P(DeviceContract, MachineCodeIsMadeBeforeALaunchBegins) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 4096);
  auto list = std::make_shared<CommandList>();
  list->commands.emplace_back(launchOf(*program, memory->address(), 1024));
  Ref<DeviceProgram> again = build(*device, GetParam().twice);
  const Command commands[] = {launchOf(*again, memory->address(), 1024), launchOf(*again, memory->address(), 1024),
                              SequenceCommand{list}, SequenceCommand{list}};
  uint64_t awaited[4] = {};
  for (int i = 0; i < 4; ++i) {
    Watcher watcher;
    const uint64_t before = device->now();
    device->submit(commands[i], watcher);
    ASSERT_TRUE(watcher.wait());
    EXPECT_LE(watcher.awaited, watcher.begin - before);
    awaited[i] = watcher.awaited;
  }
  const bool compiles = awaited[0] != 0;
  EXPECT_EQ(awaited[1], 0u);
  EXPECT_EQ(awaited[2] != 0, compiles); // of another program
  EXPECT_EQ(awaited[3], 0u);
}

TEST_P(DeviceContract, PartsHaveTheUnitsAskedFor) {
  const uint32_t units = device->info().maxComputeUnits;
  Expected<std::vector<Ref<Device>>> parts = device->partition({PartitionKind::Equally, {1}, 0});
  if (device->info().maxSubDevices == 0) {
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::DevicePartitionFailed);
    return;
  }
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->size(), units);
  for (const Ref<Device> &part : *parts) EXPECT_EQ(part->info().maxComputeUnits, 1u);
  Ref<DeviceProgram> program = build(*parts->front(), GetParam().twice);
  expectTwice(*parts->front(), *program, 100, {0, 0, 0});

  Expected<std::vector<Ref<Device>>> tooMany = device->partition({PartitionKind::ByCounts, {units, 1}, 0});
  ASSERT_FALSE(tooMany);
  EXPECT_EQ(tooMany.error().code, ErrorCode::InvalidDevicePartitionCount);
  Expected<std::vector<Ref<Device>>> none = device->partition({PartitionKind::Equally, {0}, 0});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidValue);
}

} // namespace us::test
