// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/support/fake_device.h"

#include "runtime/base/clock.h"
#include "runtime/base/without_exceptions.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <sstream>
#include <sys/mman.h>
#include <thread>

namespace us::test {
namespace {
constexpr std::string_view kMagic = "fake-binary";

template <class... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};
} // namespace

KernelInfo fakeKernelInfo(std::string name, const std::vector<ArgumentKind> &arguments) {
  KernelInfo info;
  info.name = std::move(name);
  for (const ArgumentKind kind : arguments) {
    ArgumentInfo argument;
    argument.kind = kind;
    argument.size = kind == ArgumentKind::Value ? 4 : 8;
    argument.alignment = 8;
    argument.pointeeAlignment = 4;
    argument.offset = info.argumentBlockSize;
    info.argumentBlockSize += 8;
    info.arguments.push_back(argument);
  }
  return info;
}

/// Bit 63 is set and bit 62 is not: no machine has memory there.
constexpr uint64_t kForeign = uint64_t(1) << 63;

class FakeMemory final : public DeviceMemory {
public:
  FakeMemory(Ref<FakeDevice> device, const MemoryRequest &request)
      : device_(std::move(device)), size_(request.size), isShared_(request.file >= 0) {
    const uint64_t alignment = std::max<uint64_t>(request.alignment, 128);
    if (isShared_)
      bytes_ = static_cast<std::byte *>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, request.file,
                                             static_cast<off_t>(request.fileOffset)));
    else if (request.hostPointer)
      bytes_ = request.hostPointer;
    else
      own_.reset(bytes_ = static_cast<std::byte *>(
                     std::aligned_alloc(alignment, (size_ + alignment - 1) / alignment * alignment)));
    address_ = reinterpret_cast<uint64_t>(bytes_);
    isReachable_ = device_->info_.sharesHostMemory || request.hostPointer || request.shared;
    if (device_->info_.sharesHostMemory || request.shared) return;
    std::lock_guard hold(device_->mutex_);
    // Between two there is a gap.
    address_ = (device_->nextAddress_ + alignment - 1) / alignment * alignment;
    device_->nextAddress_ = address_ + size_ + 4096;
    device_->foreign_[address_] = {size_, bytes_};
  }
  ~FakeMemory() override {
    {
      std::lock_guard hold(device_->mutex_);
      device_->foreign_.erase(address_);
    }
    if (isShared_) munmap(bytes_, size_);
    if (own_) device_->used_.fetch_sub(size_);
  }
  uint64_t address() const override { return address_; }
  std::byte *hostAddress() const override { return isReachable_ ? bytes_ : nullptr; }
  uint64_t size() const override { return size_; }

  Expected<std::shared_ptr<MemoryFile>> share() override {
    if (file_) return file_;
    const uint64_t whole = (size_ + 4095) / 4096 * 4096;
    US_TRY(file_, MemoryFile::create("fake-memory", whole));
    US_CHECK(file_->write(0, bytes_, size_));
    void *mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file_->descriptor(), 0);
    // Memory of the host's cannot move: only that of a device is anywhere.
    std::lock_guard hold(device_->mutex_);
    const auto found = device_->foreign_.find(address_);
    if (found == device_->foreign_.end() || isShared_) return fail(ErrorCode::Unsupported);
    bytes_ = found->second.bytes = static_cast<std::byte *>(mapped);
    isShared_ = true;
    return file_;
  }

private:
  struct Free {
    void operator()(std::byte *bytes) const { std::free(bytes); }
  };
  const Ref<FakeDevice> device_;
  const uint64_t size_;
  std::unique_ptr<std::byte, Free> own_;
  std::byte *bytes_ = nullptr;
  uint64_t address_ = 0;
  bool isShared_, isReachable_ = false;
  std::shared_ptr<MemoryFile> file_;
};

class FakeTexture final : public DeviceTexture {
public:
  FakeTexture(Ref<FakeDevice> device, const TextureRequest &request) : device_(std::move(device)) {
    std::lock_guard hold(device_->mutex_);
    handle_ = device_->nextHandle_++;
    device_->textures_[handle_] = request.levels.front().address;
  }
  ~FakeTexture() override {
    std::lock_guard hold(device_->mutex_);
    device_->textures_.erase(handle_);
  }
  uint64_t handle() const override { return handle_; }

private:
  const Ref<FakeDevice> device_;
  uint64_t handle_ = 0;
};

class FakeImage final : public DeviceImage {
public:
  FakeImage(const ImageDescription &description, std::byte *pixels) : pixels(pixels), description_(description) {}
  const ImageDescription &description() const override { return description_; }
  uint64_t argument() const override { return reinterpret_cast<uint64_t>(static_cast<const DeviceImage *>(this)); }
  std::byte *const pixels;

private:
  const ImageDescription description_;
};

class FakeKernel final : public DeviceKernel {
public:
  explicit FakeKernel(FakeKernelEntry entry, Ref<DeviceProgram> program = {})
      : entry_(std::move(entry)), program_(std::move(program)) {}
  const KernelInfo &info() const override { return entry_.info; }
  bool wantsPreparation() const override { return !prepared.load(); }
  const FakeKernelEntry entry_;
  const Ref<DeviceProgram> program_;
  std::atomic<bool> prepared{false};
};

Ref<DeviceKernel> fakeKernel(KernelInfo info, FakeKernelFunction function) {
  return makeRef<FakeKernel>(FakeKernelEntry{std::move(info), std::move(function)});
}

class FakeProgram final : public DeviceProgram {
public:
  FakeProgram(Ref<FakeDevice> device, ProgramKind kind, std::vector<std::string> names)
      : device_(std::move(device)), kind_(kind), names_(std::move(names)) {
    for (const std::string &name : names_) infos_.push_back(device_->kernels_.at(name).info);
  }
  ProgramKind kind() const override { return kind_; }
  std::span<const KernelInfo> kernels() const override {
    return kind_ == ProgramKind::Executable ? std::span<const KernelInfo>(infos_) : std::span<const KernelInfo>();
  }
  Expected<Ref<DeviceKernel>> kernel(std::string_view name) override {
    for (const std::string &own : names_)
      if (own == name)
        return Ref<DeviceKernel>(makeRef<FakeKernel>(device_->kernels_.at(own), Ref<DeviceProgram>(this)));
    return fail(ErrorCode::InvalidKernelName);
  }
  Expected<std::vector<std::byte>> binary() override {
    std::string text(kMagic);
    text += " " + std::to_string(static_cast<int>(kind_));
    for (const std::string &name : names_) text += " " + name;
    const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
    return std::vector<std::byte>(bytes, bytes + text.size());
  }
  uint64_t globalVariableSize() const override { return 0; }
  Expected<DeviceVariable> variable(std::string_view name) override {
    const auto wanted = device_->variables_.find(std::string(name));
    if (wanted == device_->variables_.end()) return fail(ErrorCode::InvalidValue);
    std::unique_ptr<DeviceMemory> &memory = variables_[wanted->first];
    if (!memory) {
      US_TRY(memory, device_->allocate({.size = wanted->second.size()}));
      memcpy(device_->at(memory->address()), wanted->second.data(), wanted->second.size());
    }
    return DeviceVariable{memory->address(), memory->size()};
  }
  Expected<TextureVariable> textureVariable(std::string_view name) override {
    US_TRY(const DeviceVariable found, variable(name));
    if (found.size != sizeof(uint64_t)) return fail(ErrorCode::InvalidValue);
    return TextureVariable{found.address, {}};
  }
  const std::vector<std::string> &names() const { return names_; }

private:
  const Ref<FakeDevice> device_;
  const ProgramKind kind_;
  const std::vector<std::string> names_;
  std::vector<KernelInfo> infos_;
  std::map<std::string, std::unique_ptr<DeviceMemory>> variables_;
};

struct FakeDevice::Worker {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable ran;
  struct Given {
    const Command *command;
    CommandObserver *observer;
    uint64_t number;
  };
  std::deque<Given> commands;
  uint64_t given = 0, wanted = 0, ended = 0; ///< numbers: the latest; the last that shall run; the last that has
  bool stop = false;
  std::thread thread;
};

Ref<FakeDevice> FakeDevice::create(Setup setup) { return Ref<FakeDevice>(new FakeDevice(std::move(setup))); }

FakeDevice::FakeDevice(Setup setup) : setup_(std::move(setup)), nextAddress_(kForeign) {
  info_.name = setup_.name;
  info_.globalMemory = setup_.memory;
  info_.maxAllocation = setup_.maxAllocation;
  info_.sharesHostMemory = setup_.sharesHostMemory;
  info_.checksArguments = setup_.checksArguments;
  info_.svmCapabilities = setup_.sharesHostMemory || setup_.sharedMemory ? 1 : 0;
  info_.localMemory = 4096;
  info_.images = setup_.images;
  info_.maxDeviceQueues = setup_.deviceQueues;
  if (setup_.images) {
    info_.maxReadImageArguments = info_.maxSamplers = 2;
    info_.maxWriteImageArguments = info_.maxReadWriteImageArguments = 1;
    info_.image2DMaxWidth = info_.image2DMaxHeight = 64;
    info_.image3DMaxWidth = info_.image3DMaxHeight = info_.image3DMaxDepth = 64;
    info_.imageMaxBufferSize = info_.imageMaxArraySize = 64;
    info_.imagePitchAlignment = info_.imageBaseAddressAlignment = 4;
    info_.formatsRead = {{ChannelOrder::RGBA, ChannelType::UnormInt8}, {ChannelOrder::R, ChannelType::Float}};
    info_.formatsWrite = {{ChannelOrder::RGBA, ChannelType::UnormInt8}};
  }
  info_.handsOver = setup_.submission == Submission::HandsOver;
  if (setup_.submission == Submission::Runs) return;
  worker_ = std::make_shared<Worker>();
  worker_->thread = std::thread([this, worker = worker_] {
    std::unique_lock hold(worker->mutex);
    for (;;) {
      const auto isWanted = [&] { return !worker->commands.empty() && worker->ended < worker->wanted; };
      worker->wake.wait(hold, [&] { return worker->stop || isWanted(); });
      if (!isWanted()) return;
      const Worker::Given next = worker->commands.front();
      worker->commands.pop_front();
      hold.unlock();
      execute(*next.command, *next.observer);
      hold.lock();
      worker->ended = next.number;
      worker->ran.notify_all();
    }
  });
}

void FakeDevice::prepare(const LaunchCommand &command) {
  static_cast<FakeKernel &>(*command.kernel).prepared.store(true);
  preparations_.fetch_add(1);
}

FakeDevice::~FakeDevice() {
  if (!worker_) return;
  {
    std::lock_guard hold(worker_->mutex);
    worker_->stop = true;
  }
  worker_->wake.notify_one();
  // The last reference may go in the worker itself, when it ends a command.
  if (worker_->thread.get_id() == std::this_thread::get_id())
    worker_->thread.detach();
  else
    worker_->thread.join();
}

void FakeDevice::addKernel(KernelInfo info, FakeKernelFunction function) {
  const std::string name = info.name;
  kernels_[name] = {std::move(info), std::move(function)};
}

uint64_t FakeDevice::now() const { return monotonicNanoseconds(); }

Expected<std::unique_ptr<DeviceMemory>> FakeDevice::allocate(const MemoryRequest &request) {
  latestOwner_ = request.owner.what;
  if (request.shared && !info_.svmCapabilities) return fail(ErrorCode::Unsupported);
  // Memory of the host's costs the account nothing.
  if (request.hostPointer) return std::make_unique<FakeMemory>(Ref<FakeDevice>(this), request);
  if (used_.fetch_add(request.size) + request.size > setup_.memory) {
    used_.fetch_sub(request.size);
    return fail(ErrorCode::MemObjectAllocationFailure);
  }
  return std::make_unique<FakeMemory>(Ref<FakeDevice>(this), request);
}

Expected<std::unique_ptr<DeviceImage>> FakeDevice::createImage(const ImageDescription &image, std::byte *memory) {
  if (!info_.images) return fail(ErrorCode::Unsupported);
  return std::make_unique<FakeImage>(image, memory);
}

Expected<Ref<DeviceTexture>> FakeDevice::createTexture(const TextureRequest &texture) {
  return Ref<DeviceTexture>(new FakeTexture(Ref<FakeDevice>(this), texture));
}

std::byte *FakeLaunch::variable(std::string_view name) const { return device.at(program->variable(name)->address); }

std::byte *FakeDevice::at(uint64_t address) {
  if (!(address & kForeign)) return reinterpret_cast<std::byte *>(address);
  std::lock_guard hold(mutex_);
  const auto after = foreign_.upper_bound(address);
  if (after == foreign_.begin()) return nullptr;
  const auto &[begin, memory] = *std::prev(after);
  return address - begin <= memory.size ? memory.bytes + (address - begin) : nullptr;
}

uint64_t FakeDevice::texels(uint64_t handle) {
  std::lock_guard hold(mutex_);
  const auto found = textures_.find(handle);
  return found == textures_.end() ? 0 : found->second;
}

BuildResult FakeDevice::make(const std::string &words, ProgramKind kind, ErrorCode failure) {
  std::vector<std::string> names;
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    if (!kernels_.contains(word)) return {fail(failure, "broken source"), "error: " + word + " is not a kernel"};
    names.push_back(word);
  }
  return {makeRef<FakeProgram>(Ref<FakeDevice>(this), kind, std::move(names)), "built"};
}

BuildResult FakeDevice::compile(const CompileRequest &request) {
  if (onBuild_) onBuild_();
  if (request.options == "-bad") return {fail(ErrorCode::InvalidBuildOptions, "unknown option"), "unknown option"};
  std::string words(request.source);
  for (const NamedText &header : request.headers) words.append(" ").append(header.text);
  return request.link ? make(words, ProgramKind::Executable, ErrorCode::BuildProgramFailure)
                      : make(words, ProgramKind::CompiledObject, ErrorCode::CompileProgramFailure);
}

BuildResult FakeDevice::link(const LinkRequest &request) {
  if (onBuild_) onBuild_();
  std::string words;
  for (const Ref<DeviceProgram> &input : request.inputs)
    for (const std::string &name : static_cast<FakeProgram &>(*input).names()) words += " " + name;
  return make(words, request.options == "-create-library" ? ProgramKind::Library : ProgramKind::Executable,
              ErrorCode::LinkProgramFailure);
}

Expected<Ref<DeviceProgram>> FakeDevice::load(std::span<const std::byte> binary) {
  std::istringstream in(std::string(reinterpret_cast<const char *>(binary.data()), binary.size()));
  std::string magic;
  int kind = 0;
  if (!(in >> magic >> kind) || magic != kMagic) return fail(ErrorCode::InvalidBinary);
  std::string words, word;
  while (in >> word) words += word + " ";
  return make(words, static_cast<ProgramKind>(kind), ErrorCode::InvalidBinary);
}

void FakeDevice::submit(const Command &command, CommandObserver &observer) {
  submissions_.fetch_add(1);
  if (throws_.exchange(false)) throw std::bad_alloc();
  if (refuses_.exchange(false))
    return observer.finished(now(), fail(ErrorCode::InvalidWorkGroupSize, "the device refuses it"));
  // Native kernels run on the thread that submits them: the runtime has chosen it.
  if (!worker_ || std::holds_alternative<HostCallCommand>(command)) {
    if (info_.handsOver) finish();
    return execute(command, observer);
  }
  const Attention attention = info_.handsOver ? observer.attention() : Attention::Told;
  {
    std::lock_guard hold(worker_->mutex);
    worker_->commands.push_back({&command, &observer, ++worker_->given});
    if (attention == Attention::Told) worker_->wanted = worker_->given;
  }
  worker_->wake.notify_one();
  if (attention == Attention::Waits) await(observer);
}

bool FakeDevice::poll() {
  if (!worker_) return false;
  std::lock_guard hold(worker_->mutex);
  if (!ignoresPolls_) {
    worker_->wanted = worker_->given;
    worker_->wake.notify_one();
  }
  return worker_->ended < worker_->given;
}

void FakeDevice::finish() {
  if (!worker_) return;
  std::unique_lock hold(worker_->mutex);
  const uint64_t latest = worker_->wanted = worker_->given;
  worker_->wake.notify_one();
  worker_->ran.wait(hold, [&] { return worker_->ended >= latest; });
}

Expected<bool> FakeDevice::pass(const LaunchCommand &launch, CommandOwner &owner, InlineVector<Ref<Object>, 4> &keep) {
  if (!info_.handsOver) return false;
  if (refuses_.exchange(false)) return fail(ErrorCode::InvalidWorkGroupSize, "the device refuses it");
  /// Lives until it has ended.
  struct Passed final : CommandObserver {
    Attention attention() const override { return Attention::Leaves; }
    void started(uint64_t) override {}
    void finished(uint64_t, Expected<void> result) override {
      const std::unique_ptr<Passed> self(this);
      if (!result) owner->passedOnFailed(result.error());
    }
    Command command;
    Ref<CommandOwner> owner;
    InlineVector<Ref<Object>, 4> keep;
  };
  auto *const passed = new Passed;
  passed->command = launch;
  passed->owner = Ref<CommandOwner>(&owner);
  passed->keep = std::move(keep);
  submit(passed->command, *passed);
  return true;
}

void FakeDevice::ask(CommandObserver &observer, bool waits) {
  if (!worker_) return;
  std::unique_lock hold(worker_->mutex);
  const auto isIts = [&](const Worker::Given &given) { return given.observer == &observer; };
  const auto found = std::ranges::find_if(worker_->commands, isIts);
  // One that is not there runs just now, or has run.
  const uint64_t number = found == worker_->commands.end() ? worker_->given - worker_->commands.size() : found->number;
  worker_->wanted = std::max(worker_->wanted, number);
  worker_->wake.notify_one();
  if (waits) worker_->ran.wait(hold, [&] { return worker_->ended >= number; });
}

size_t FakeDevice::waiting() const {
  std::lock_guard hold(worker_->mutex);
  return worker_->commands.size();
}

void FakeDevice::execute(const Command &command, CommandObserver &observer) {
  if (codeTime_ && std::holds_alternative<LaunchCommand>(command)) observer.codeAwaited(codeTime_);
  observer.started(now());
  Expected<void> result;
  if (const auto *sequence = std::get_if<SequenceCommand>(&command)) {
    for (const Command &one : sequence->list->commands)
      if (result) result = withoutExceptions([&] { return perform(one); });
  } else {
    result = withoutExceptions([&] { return perform(command); });
  }
  observer.finished(now(), std::move(result));
}

Expected<void> FakeDevice::perform(const Command &command) {
  const auto here = [this](const void *address) { return at(reinterpret_cast<uint64_t>(address)); };
  return std::visit(Overloaded{
                        [](const NoCommand &) { return Expected<void>(); },
                        [](const MapCommand &) { return Expected<void>(); },
                        [&](const LaunchCommand &launch) {
                          const FakeKernel &kernel = static_cast<FakeKernel &>(*launch.kernel);
                          return kernel.entry_.function({launch, kernel.entry_.info, *this, kernel.program_.get()});
                        },
                        [&](const CopyCommand &copy) -> Expected<void> {
                          std::byte *to = here(copy.to), *from = here(copy.from);
                          if (!to || !from) return fail(ErrorCode::KernelFault);
                          copyPitched(to, copy.toLayout, from, copy.fromLayout, copy.region);
                          return {};
                        },
                        [&](const FillCommand &fill) -> Expected<void> {
                          std::byte *begin = here(fill.to);
                          if (!begin) return fail(ErrorCode::KernelFault);
                          for (uint64_t row = 0; row < fill.rows * fill.slices; ++row) {
                            std::byte *to = begin + row / fill.rows * fill.slicePitch + row % fill.rows * fill.rowPitch;
                            for (uint64_t at = 0; at < fill.size; at += fill.patternSize)
                              memcpy(to + at, fill.pattern.data(), fill.patternSize);
                          }
                          return {};
                        },
                        [&](const BindCommand &bind) {
                          const uint64_t handle = bind.texture->handle();
                          memcpy(at(bind.variable), &handle, sizeof handle);
                          return Expected<void>();
                        },
                        [](const HostCallCommand &host) {
                          host.call();
                          return Expected<void>();
                        },
                        [](const SequenceCommand &) { return Expected<void>(); }, // never inside another
                        [](const BranchCommand &) { return Expected<void>(); },   // this device is given none
                    },
                    command);
}

void Gate::open() {
  std::lock_guard hold(mutex_);
  open_ = true;
  changed_.notify_all();
}

bool Gate::pass() {
  std::unique_lock hold(mutex_);
  reached_ = true;
  changed_.notify_all();
  return changed_.wait_for(hold, std::chrono::seconds(20), [&] { return open_; });
}

bool Gate::waitUntilReached() {
  std::unique_lock hold(mutex_);
  return changed_.wait_for(hold, std::chrono::seconds(20), [&] { return reached_; });
}

} // namespace us::test
