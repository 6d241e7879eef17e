// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FakeDevice: the device interface with C++ functions as kernels, on host memory or on memory that the host cannot
// reach. Lets the runtime's core be tested without a compiler, with failures and delays made to order.
#pragma once

#include "runtime/device/device.h"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace us::test {

class FakeDevice;

/// What a fake kernel is called with, once per launch.
struct FakeLaunch {
  const LaunchCommand &command;
  const KernelInfo &info;
  FakeDevice &device;
  /// Argument `index` of the packed block.
  template <class T> T argument(size_t index) const {
    T value;
    memcpy(&value, command.arguments.data() + info.arguments[index].offset, sizeof value);
    return value;
  }
  /// What argument `index`, an address of the device, points to.
  template <class T> T *pointer(size_t index) const;
  /// A variable of the kernel's program.
  std::byte *variable(std::string_view name) const;
  DeviceProgram *program = nullptr; ///< null for a kernel outside of any
};
using FakeKernelFunction = std::function<Expected<void>(const FakeLaunch &)>;

struct FakeKernelEntry {
  KernelInfo info;
  FakeKernelFunction function;
};

/// A kernel's description from its argument kinds; values are 4 bytes, locals point to 4-byte elements.
KernelInfo fakeKernelInfo(std::string name, const std::vector<ArgumentKind> &arguments);

/// A kernel outside of any program.
Ref<DeviceKernel> fakeKernel(KernelInfo info, FakeKernelFunction function);

/// Source text is a list of kernel names, of `object` or `library`, and of `broken` (a build error). Kernels must have
/// been added to the device. Options: any, but "-bad" is an error.
class FakeDevice final : public Device {
public:
  enum class Submission : uint8_t {
    Runs,      ///< the command has ended when submit returns
    Returns,   ///< at once; a thread of the device runs the commands
    HandsOver, ///< the same with DeviceInfo::handsOver: the thread runs what somebody asks for, or polls
  };
  struct Setup {
    uint64_t memory = 1 << 20;
    uint64_t maxAllocation = 1 << 20;
    /// False: an address of its memory is no address of the host, which faults where it follows one.
    bool sharesHostMemory = true;
    bool sharedMemory = false; ///< shared virtual memory, although its memory is its own
    bool images = false;       ///< of a few formats, up to 64 pixels in each direction
    uint32_t deviceQueues = 0; ///< on the device, that a context may have; its kernels enqueue nothing
    Submission submission = Submission::Runs;
    bool checksArguments = false; ///< DeviceInfo::checksArguments
    std::string name = "fake";
  };
  static Ref<FakeDevice> create(Setup setup);
  static Ref<FakeDevice> create() { return create(Setup{}); }
  ~FakeDevice() override;

  void addKernel(KernelInfo info, FakeKernelFunction function);
  /// Programs that are built from now on have a variable of that name and contents, or one that stands for a texture.
  void addVariable(std::string name, std::vector<std::byte> contents) { variables_[name] = std::move(contents); }
  void addTextureVariable(std::string name) { variables_[name].resize(sizeof(uint64_t)); }
  /// Where the host finds what lies at an address that a command or kernel has: of the device, or the host's own.
  std::byte *at(uint64_t address);
  /// What a kernel reads of a texture that it knows by this handle: the first texel's address; 0 of one that is gone.
  uint64_t texels(uint64_t handle);
  /// Every launch from now on says that code was made for it so long.
  void makesCode(uint64_t nanoseconds) { codeTime_ = nanoseconds; }
  /// The next submission breaks the interface's promise: it throws, and the command does not end.
  void throwAtNextSubmission() { throws_ = true; }
  /// Of a device that hands over: polling makes nothing run any more, or again.
  void ignorePolls(bool ignores) { ignoresPolls_ = ignores; }
  /// Of a device that hands over: the next command that is submitted or passed on is refused.
  void refuseNext() { refuses_ = true; }
  /// Commands that it has and has not run.
  size_t waiting() const;
  /// Called at the start of every compile and link, if set (before the device is shared).
  void onBuild(std::function<void()> hook) { onBuild_ = std::move(hook); }

  uint64_t memoryUsed() const { return used_.load(); }
  /// What MemoryRequest::owner says of the latest allocation.
  std::string latestOwner() const { return latestOwner_.load(); }
  uint64_t submissions() const { return submissions_.load(); }
  uint64_t preparations() const { return preparations_.load(); }

  const DeviceInfo &info() const override { return info_; }
  uint64_t now() const override;
  Expected<std::unique_ptr<DeviceMemory>> allocate(const MemoryRequest &request) override;
  /// The argument of an image is the address of the DeviceImage: fake kernels can ask it for its description.
  Expected<std::unique_ptr<DeviceImage>> createImage(const ImageDescription &image, std::byte *memory) override;
  Expected<Ref<DeviceTexture>> createTexture(const TextureRequest &texture) override;
  BuildResult compile(const CompileRequest &request) override;
  BuildResult link(const LinkRequest &request) override;
  Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) override;
  void unloadCompiler() override {}
  Expected<Size3> suggestLocalSize(DeviceKernel &, uint32_t, const Size3 &, const Size3 &) override {
    return Size3{1, 1, 1};
  }
  void submit(const Command &command, CommandObserver &observer) override;
  bool poll() override;
  void finish() override;
  Expected<bool> pass(const LaunchCommand &launch, CommandOwner &owner, InlineVector<Ref<Object>, 4> &keep) override;
  void await(CommandObserver &observer) override { ask(observer, true); }
  void watch(CommandObserver &observer) override { ask(observer, false); }
  void prepare(const LaunchCommand &command) override;
  Expected<std::vector<Ref<Device>>> partition(const Partition &) override {
    return fail(ErrorCode::DevicePartitionFailed);
  }

private:
  explicit FakeDevice(Setup setup);
  struct Worker;
  void execute(const Command &command, CommandObserver &observer);
  void ask(CommandObserver &observer, bool waits);
  Expected<void> perform(const Command &command);
  BuildResult make(const std::string &words, ProgramKind kind, ErrorCode failure);

  friend class FakeMemory;
  friend class FakeProgram;
  friend class FakeTexture;
  const Setup setup_;
  DeviceInfo info_;
  std::map<std::string, FakeKernelEntry> kernels_;
  std::map<std::string, std::vector<std::byte>> variables_;
  std::function<void()> onBuild_;
  std::atomic<uint64_t> used_{0}, submissions_{0}, preparations_{0}, codeTime_{0};
  std::atomic<bool> throws_{false}, ignoresPolls_{false}, refuses_{false};
  std::atomic<const char *> latestOwner_{""};
  std::shared_ptr<Worker> worker_;
  std::mutex mutex_; // guards all below
  struct Foreign {
    uint64_t size = 0;
    std::byte *bytes = nullptr;
  };
  std::map<uint64_t, Foreign> foreign_; ///< memory that the host cannot reach, by address
  uint64_t nextAddress_ = 0;
  std::map<uint64_t, uint64_t> textures_; ///< handle to the first texel's address
  uint64_t nextHandle_ = 1;
};

template <class T> T *FakeLaunch::pointer(size_t index) const {
  return reinterpret_cast<T *>(device.at(argument<uint64_t>(index)));
}

/// A gate that holds threads until it is opened.
class Gate {
public:
  void open();
  /// False after 20 seconds: the test has hung.
  bool pass();
  bool waitUntilReached();

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, reached_ = false;
};

} // namespace us::test
