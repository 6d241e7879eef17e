// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid's children run when its own threads have ended, depth first and in the order in which they were launched: so
// every stream is in order, whatever waits for an event comes behind what it waits for, and a grid is complete before
// the next begins. What was launched to be the tail comes last.
#include "icd/cuda/device_runtime.h"

#include "icd/cuda/device.h"
#include "icd/cuda/device_runtime_errors.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/launch.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <unordered_map>

namespace us::cuda {
namespace {

struct Grid;

/// What was launched, and has not begun.
struct Pending {
  Command command;
  std::unique_ptr<Grid> grid; ///< of a launch
};

struct Grid : DeviceRuntime::Launch {
  Grid *parent = nullptr;
  unsigned depth = 0; ///< 0: the host's
  // Guarded by the run's mutex:
  std::deque<Pending> children, tail;
  std::unordered_map<uint64_t, uint32_t> errors; ///< of its threads
  Pending running;                               ///< the child whose turn it is
};

constexpr unsigned kMostDepth = 24; ///< "The maximum nesting depth of the device runtime is limited to 24 levels."

// Streams that need not be created.
constexpr uint64_t kTailLaunch = 3, kFireAndForget = 4, kFirstHandle = 0x10000;
constexpr uint64_t kBufferAlignment = 64; ///< the most that may be asked for
constexpr uint32_t kNonBlocking = 1, kDisableTiming = 2;

class Run final : public DeviceRuntime::Run {
public:
  using Launch = DeviceRuntime::Launch;
  using Work = DeviceRuntime::Work;
  Run(Module &module, KernelMemory &memory) : module_(module), memory_(memory) {}

  Launch &root() override { return root_; }
  std::optional<uint64_t> call(Launch &caller, DeviceFunction function, DeviceCall &call) override;
  Expected<Work> next(Launch &top, Launch *&at, bool isOver) override;

private:
  struct Caller {
    Grid &grid;
    uint64_t workItem;
  };
  /// What a kernel fills with parameters.
  struct Buffer {
    uint64_t size = 0;
    Ref<Function> function; ///< null: of the first version, which says it at the launch
    LaunchCommand command;
  };
  struct Row {
    uint64_t (Run::*act)(const Caller &caller, uint64_t *words);
    bool keepsError; ///< a result that is not 0 becomes the thread's last error
  };
  static const Row kFunctions[];

  uint64_t limit(CUlimit which) const { return module_.context().limits[which]; }
  uint64_t record(const Caller &caller, uint64_t error) {
    if (error == kSuccess) return error;
    std::lock_guard hold(mutex_);
    return caller.grid.errors[caller.workItem] = uint32_t(error);
  }
  bool knowsStream(uint64_t handle) {
    if (handle <= kFireAndForget) return true;
    std::lock_guard hold(mutex_);
    return streams_.contains(handle);
  }
  uint64_t putLaunch(const Caller &caller, uint64_t stream, LaunchCommand &&command, bool hasSlot);
  /// Of a copy or fill.
  uint64_t putTransfer(const Caller &caller, uint64_t stream, Command &&transfer);
  uint64_t addBuffer(Buffer &&buffer);
  Expected<LaunchCommand> prepare(const Function &function, const uint64_t *grid, const uint64_t *block,
                                  uint64_t shared);

  // The functions. The result is an error's number, or what the function gives; words are arguments, then results.
  uint64_t getParameterBuffer(const Caller &caller, uint64_t *words);
  uint64_t getParameterBufferV2(const Caller &caller, uint64_t *words);
  uint64_t launchDevice(const Caller &caller, uint64_t *words);
  uint64_t launchDeviceV2(const Caller &caller, uint64_t *words);
  uint64_t getLastError(const Caller &caller, uint64_t *words);
  uint64_t peekAtLastError(const Caller &caller, uint64_t *words);
  uint64_t getErrorString(const Caller &caller, uint64_t *words);
  uint64_t getErrorName(const Caller &caller, uint64_t *words);
  uint64_t getDeviceCount(const Caller &caller, uint64_t *words);
  uint64_t getDevice(const Caller &caller, uint64_t *words);
  uint64_t deviceGetAttribute(const Caller &caller, uint64_t *words);
  uint64_t deviceGetLimit(const Caller &caller, uint64_t *words);
  uint64_t runtimeGetVersion(const Caller &caller, uint64_t *words);
  uint64_t streamCreate(const Caller &caller, uint64_t *words);
  uint64_t streamDestroy(const Caller &caller, uint64_t *words);
  uint64_t streamWaitEvent(const Caller &caller, uint64_t *words);
  uint64_t eventCreate(const Caller &caller, uint64_t *words);
  uint64_t eventRecord(const Caller &caller, uint64_t *words);
  uint64_t eventDestroy(const Caller &caller, uint64_t *words);
  uint64_t funcGetAttributes(const Caller &caller, uint64_t *words);
  uint64_t memcpy(const Caller &caller, uint64_t *words);
  uint64_t memcpy2D(const Caller &caller, uint64_t *words);
  uint64_t memset(const Caller &caller, uint64_t *words);
  uint64_t memset2D(const Caller &caller, uint64_t *words);
  uint64_t maxActiveBlocks(const Caller &caller, uint64_t *words);
  uint64_t deviceSynchronize(const Caller &caller, uint64_t *words);

  Module &module_;
  KernelMemory &memory_;
  Grid root_;
  std::mutex mutex_; // guards all below, and the grids
  std::unordered_map<uint64_t, Buffer> buffers_;
  std::set<uint64_t> streams_, events_;
  uint64_t nextHandle_ = kFirstHandle;
  uint64_t outstanding_ = 0; ///< launches that are not complete, and buffers for some
};

// --- Order ---

Expected<DeviceRuntime::Work> Run::next(Launch &top, Launch *&at, bool isOver) {
  std::lock_guard hold(mutex_);
  const auto begin = [&](Grid &parent) {
    if (parent.running.grid) at = parent.running.grid.get();
    return Work{&parent.running.command, parent.running.grid.get()};
  };
  for (;;) {
    Grid &grid = static_cast<Grid &>(*at);
    if (!grid.children.empty()) {
      grid.running = std::move(grid.children.front());
      grid.children.pop_front();
      return begin(grid);
    }
    // The tail is for when nothing else is left; a grid that only waits has not come so far.
    const bool isTop = &grid == &top;
    if (!grid.tail.empty() && (!isTop || isOver)) {
      Pending last = std::move(grid.tail.front());
      grid.tail.pop_front();
      if (isTop || !last.grid || !grid.tail.empty()) {
        grid.running = std::move(last);
        return begin(grid);
      }
      // The end of a grid takes its place: grids may follow each other for ever in this way.
      Grid &parent = *grid.parent;
      last.grid->parent = &parent;
      --outstanding_;
      parent.running = std::move(last);
      return begin(parent);
    }
    if (isTop) return Work{};
    at = grid.parent;
    --outstanding_;
    grid.parent->running = {}; // the grid is complete, and gone
  }
}

uint64_t Run::putTransfer(const Caller &caller, uint64_t stream, Command &&transfer) {
  if (!knowsStream(stream)) return kInvalidResourceHandle;
  std::lock_guard hold(mutex_);
  (stream == kTailLaunch ? caller.grid.tail : caller.grid.children).push_back({std::move(transfer), nullptr});
  return kSuccess;
}

// --- Launches ---

/// Everything but the parameters.
Expected<LaunchCommand> Run::prepare(const Function &function, const uint64_t *grid, const uint64_t *block,
                                     uint64_t shared) {
  LaunchShape shape;
  for (unsigned i = 0; i < 3; ++i) {
    shape.grid[i] = unsigned(grid[i]);
    shape.block[i] = unsigned(block[i]);
  }
  shape.sharedBytes = unsigned(shared);
  US_TRY(LaunchCommand command, beginLaunch(function, shape));
  command.heap = module_.context().heap().get(); // the host's launch keeps it
  return command;
}

uint64_t Run::addBuffer(Buffer &&buffer) {
  const uint64_t address = memory_.allocate(buffer.size, kBufferAlignment);
  if (address == 0) return 0;
  std::lock_guard hold(mutex_);
  buffers_[address] = std::move(buffer);
  return address;
}

/// What the kernel has written there.
using Parameters = InlineVector<std::byte, 256>;
Parameters parametersAt(KernelMemory &memory, uint64_t address, uint64_t size) {
  Parameters bytes;
  bytes.resize(size);
  memory.take(address, std::span(bytes.data(), size));
  return bytes;
}

uint64_t Run::putLaunch(const Caller &caller, uint64_t stream, LaunchCommand &&command, bool hasSlot) {
  const bool isTail = stream == kTailLaunch;
  auto grid = std::make_unique<Grid>();
  grid->parent = &caller.grid;
  // A tail takes the place of the grid that launched it.
  grid->depth = caller.grid.depth + (isTail ? 0 : 1);
  const uint64_t error = !knowsStream(stream)       ? kInvalidResourceHandle
                         : grid->depth > kMostDepth ? kLaunchMaxDepthExceeded
                                                    : kSuccess;
  std::lock_guard hold(mutex_);
  if (!hasSlot && outstanding_ >= limit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT)) return kLaunchPendingCountExceeded;
  if (error != kSuccess) {
    outstanding_ -= hasSlot;
    return error;
  }
  outstanding_ += !hasSlot;
  (isTail ? caller.grid.tail : caller.grid.children).push_back({std::move(command), std::move(grid)});
  return kSuccess;
}

/// (alignment, size): the address, or 0.
uint64_t Run::getParameterBuffer(const Caller &caller, uint64_t *words) {
  constexpr uint64_t kMostParameters = 4096;
  const uint64_t alignment = words[0], size = words[1];
  if (alignment > kBufferAlignment || (alignment & (alignment - 1)) || size > kMostParameters)
    return record(caller, kInvalidValue), 0;
  Buffer buffer;
  buffer.size = size;
  const uint64_t address = addBuffer(std::move(buffer));
  if (address == 0) record(caller, kMemoryAllocation);
  return address;
}

/// (kernel, parameters, grid, block, shared bytes, stream)
uint64_t Run::launchDevice(const Caller &caller, uint64_t *words) {
  Buffer buffer;
  if (words[1]) { // a kernel without parameters needs no buffer
    std::lock_guard hold(mutex_);
    const auto found = buffers_.find(words[1]);
    if (found == buffers_.end() || found->second.function) return kInvalidValue;
    buffer = std::move(found->second);
    buffers_.erase(found);
  }
  const Parameters bytes = parametersAt(memory_, words[1], buffer.size);
  const Expected<Ref<Function>> function = module_.functionAt(words[0]);
  if (!function) return kInvalidDeviceFunction;
  Expected<LaunchCommand> command = prepare(**function, words + 2, words + 5, words[8]);
  if (!command) return kInvalidConfiguration;
  if (!putPacked(**function, std::span(bytes.data(), bytes.size()), *command)) return kInvalidValue;
  return putLaunch(caller, words[9], std::move(*command), false);
}

/// (kernel, grid, block, shared bytes): the address, or 0; in the second word its bytes, as they are there in the older
/// form.
uint64_t Run::getParameterBufferV2(const Caller &caller, uint64_t *words) {
  Expected<Ref<Function>> function = module_.functionAt(words[0]);
  if (!function) return record(caller, kInvalidDeviceFunction), 0;
  Expected<LaunchCommand> command = prepare(**function, words + 1, words + 4, words[7]);
  if (!command) return record(caller, kInvalidConfiguration), 0;
  bool isFull;
  {
    std::lock_guard hold(mutex_);
    isFull = outstanding_ >= limit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
    outstanding_ += !isFull; // the buffer is one that is going to be
  }
  if (isFull) return record(caller, kLaunchPendingCountExceeded), 0;
  Buffer buffer;
  for (const ArgumentInfo &parameter : (*function)->parameters())
    buffer.size = alignTo(buffer.size, parameter.alignment) + parameter.size;
  buffer.function = std::move(*function);
  buffer.command = std::move(*command);
  words[1] = buffer.size;
  const uint64_t address = addBuffer(std::move(buffer));
  if (address) return address;
  {
    std::lock_guard hold(mutex_);
    --outstanding_;
  }
  return record(caller, kMemoryAllocation), 0;
}

/// (parameters, stream)
uint64_t Run::launchDeviceV2(const Caller &caller, uint64_t *words) {
  Buffer buffer;
  {
    std::lock_guard hold(mutex_);
    const auto found = buffers_.find(words[0]);
    if (found == buffers_.end() || !found->second.function) return kInvalidValue;
    buffer = std::move(found->second);
    buffers_.erase(found);
  }
  const Parameters bytes = parametersAt(memory_, words[0], buffer.size);
  (void)putPacked(*buffer.function, std::span(bytes.data(), bytes.size()), buffer.command); // made to fit
  return putLaunch(caller, words[1], std::move(buffer.command), true);
}

uint64_t Run::deviceSynchronize(const Caller &caller, uint64_t *) {
  return caller.grid.depth < limit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) ? kSuccess : kSyncDepthExceeded;
}

// --- Errors and facts ---

uint64_t Run::getLastError(const Caller &caller, uint64_t *) {
  std::lock_guard hold(mutex_);
  const auto found = caller.grid.errors.extract(caller.workItem);
  return found ? found.mapped() : kSuccess;
}

uint64_t Run::peekAtLastError(const Caller &caller, uint64_t *) {
  std::lock_guard hold(mutex_);
  const auto found = caller.grid.errors.find(caller.workItem);
  return found == caller.grid.errors.end() ? uint64_t(kSuccess) : found->second;
}

const RuntimeErrorText &textOf(uint64_t error) {
  const auto *found = std::ranges::find(kRuntimeErrors, uint64_t(uint32_t(error)), &RuntimeErrorText::error);
  return found == std::end(kRuntimeErrors) ? std::end(kRuntimeErrors)[-1] : *found;
}

uint64_t Run::getErrorString(const Caller &, uint64_t *words) { return memory_.addressOf(textOf(words[0]).sentence); }

uint64_t Run::getErrorName(const Caller &, uint64_t *words) { return memory_.addressOf(textOf(words[0]).name); }

uint64_t Run::getDeviceCount(const Caller &, uint64_t *words) {
  words[0] = devices().size();
  return kSuccess;
}

uint64_t Run::getDevice(const Caller &, uint64_t *words) {
  words[0] = uint64_t(module_.context().number());
  return kSuccess;
}

/// (where the value goes, attribute, device); the attributes have the driver's numbers.
uint64_t Run::deviceGetAttribute(const Caller &, uint64_t *words) {
  if (words[2] >= devices().size()) return kInvalidDevice;
  const Expected<int64_t> value = attributeOf(*devices()[words[2]], CUdevice_attribute(words[1]));
  if (!value) return kInvalidValue;
  words[0] = uint64_t(*value);
  return kSuccess;
}

/// (where the value goes, limit); the limits have the driver's numbers.
uint64_t Run::deviceGetLimit(const Caller &, uint64_t *words) {
  if (words[1] > CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) return kInvalidValue;
  words[0] = limit(CUlimit(words[1]));
  return kSuccess;
}

uint64_t Run::runtimeGetVersion(const Caller &, uint64_t *words) {
  int version = 0;
  if (!driverGetVersion(&version)) return kUnknown;
  words[0] = uint64_t(version);
  return kSuccess;
}

/// (where they go, kernel)
uint64_t Run::funcGetAttributes(const Caller &, uint64_t *words) {
  constexpr CUfunction_attribute kOrder[] = {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                             CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
                                             CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                             CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                             CU_FUNC_ATTRIBUTE_NUM_REGS,
                                             CU_FUNC_ATTRIBUTE_PTX_VERSION,
                                             CU_FUNC_ATTRIBUTE_BINARY_VERSION,
                                             CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
                                             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                             CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT};
  const Expected<Ref<Function>> function = module_.functionAt(words[1]);
  if (!function) return kInvalidDeviceFunction;
  for (size_t i = 0; i < std::size(kOrder); ++i) {
    int value = 0;
    if (!funcGetAttribute(&value, kOrder[i], handleOf(**function))) return kInvalidValue;
    words[i] = uint64_t(int64_t(value));
  }
  return kSuccess;
}

/// (where the number goes, kernel, threads of a block, dynamic shared bytes)
uint64_t Run::maxActiveBlocks(const Caller &, uint64_t *words) {
  const Expected<Ref<Function>> function = module_.functionAt(words[1]);
  if (!function) return kInvalidDeviceFunction;
  int blocks = 0;
  if (!occupancyMaxActiveBlocksPerMultiprocessor(&blocks, handleOf(**function), int(words[2]), words[3]))
    return kInvalidValue;
  words[0] = uint64_t(blocks);
  return kSuccess;
}

// --- Streams and events: all that was launched is in order, so that they only have to be there. ---

/// (where the stream goes, flags)
uint64_t Run::streamCreate(const Caller &, uint64_t *words) {
  // "All device streams must be created with the cudaStreamNonBlocking flag."
  if (words[1] != kNonBlocking) return kInvalidValue;
  std::lock_guard hold(mutex_);
  words[0] = *streams_.insert(nextHandle_++).first;
  return kSuccess;
}

uint64_t Run::streamDestroy(const Caller &, uint64_t *words) {
  std::lock_guard hold(mutex_);
  return streams_.erase(words[0]) ? kSuccess : kInvalidResourceHandle;
}

/// (stream, event, flags)
uint64_t Run::streamWaitEvent(const Caller &, uint64_t *words) {
  if (words[2] != 0) return kInvalidValue;
  if (!knowsStream(words[0])) return kInvalidResourceHandle;
  std::lock_guard hold(mutex_);
  return events_.contains(words[1]) ? kSuccess : kInvalidResourceHandle;
}

/// (where the event goes, flags)
uint64_t Run::eventCreate(const Caller &, uint64_t *words) {
  // "Events must be created with cudaEventDisableTiming": there is no time on the device.
  if (words[1] != kDisableTiming) return kInvalidValue;
  std::lock_guard hold(mutex_);
  words[0] = *events_.insert(nextHandle_++).first;
  return kSuccess;
}

/// (event, stream)
uint64_t Run::eventRecord(const Caller &, uint64_t *words) {
  if (!knowsStream(words[1])) return kInvalidResourceHandle;
  std::lock_guard hold(mutex_);
  return events_.contains(words[0]) ? kSuccess : kInvalidResourceHandle;
}

uint64_t Run::eventDestroy(const Caller &, uint64_t *words) {
  std::lock_guard hold(mutex_);
  return events_.erase(words[0]) ? kSuccess : kInvalidResourceHandle;
}

// --- Copies and fills ---

constexpr uint64_t kCopyKinds = 5;

CopyCommand copyOf(uint64_t to, uint64_t toPitch, uint64_t from, uint64_t fromPitch, uint64_t width, uint64_t height) {
  return {.to = reinterpret_cast<std::byte *>(to),
          .toLayout = {.rowPitch = toPitch},
          .from = reinterpret_cast<const std::byte *>(from),
          .fromLayout = {.rowPitch = fromPitch},
          .region = {width, height, 1},
          .isChecked = true};
}

/// (to, from, size, kind, stream)
uint64_t Run::memcpy(const Caller &caller, uint64_t *words) {
  const uint64_t to = words[0], from = words[1], size = words[2];
  if (words[3] >= kCopyKinds) return kInvalidMemcpyDirection;
  if (size && (to == 0 || from == 0)) return kInvalidValue;
  return putTransfer(caller, words[4], copyOf(to, 0, from, 0, size, 1));
}

/// (to, its pitch, from, its pitch, width, height, kind, stream)
uint64_t Run::memcpy2D(const Caller &caller, uint64_t *words) {
  const uint64_t to = words[0], toPitch = words[1], from = words[2], fromPitch = words[3], width = words[4],
                 height = words[5];
  if (words[6] >= kCopyKinds) return kInvalidMemcpyDirection;
  if (width && height && (to == 0 || from == 0)) return kInvalidValue;
  if (width > toPitch || width > fromPitch) return kInvalidValue;
  return putTransfer(caller, words[7], copyOf(to, toPitch, from, fromPitch, width, height));
}

FillCommand fillOf(uint64_t to, uint64_t pitch, uint64_t value, uint64_t width, uint64_t height) {
  return {.to = reinterpret_cast<std::byte *>(to),
          .size = width,
          .pattern = {std::byte(value)},
          .patternSize = 1,
          .rows = height,
          .rowPitch = pitch,
          .isChecked = true};
}

/// (to, value, size, stream)
uint64_t Run::memset(const Caller &caller, uint64_t *words) {
  const uint64_t to = words[0], value = words[1], size = words[2];
  if (size && to == 0) return kInvalidValue;
  return putTransfer(caller, words[3], fillOf(to, 0, value, size, 1));
}

/// (to, pitch, value, width, height, stream)
uint64_t Run::memset2D(const Caller &caller, uint64_t *words) {
  const uint64_t to = words[0], pitch = words[1], value = words[2], width = words[3], height = words[4];
  if (width && height && to == 0) return kInvalidValue;
  if (width > pitch) return kInvalidValue;
  return putTransfer(caller, words[5], fillOf(to, pitch, value, width, height));
}

/// By DeviceFunction.
const Run::Row Run::kFunctions[] = {
    {&Run::getParameterBuffer, false},
    {&Run::getParameterBufferV2, false},
    {&Run::launchDevice, true},
    {&Run::launchDeviceV2, true},
    {&Run::getLastError, false},
    {&Run::peekAtLastError, false},
    {&Run::getErrorString, false},
    {&Run::getErrorName, false},
    {&Run::getDeviceCount, true},
    {&Run::getDevice, true},
    {&Run::deviceGetAttribute, true},
    {&Run::deviceGetLimit, true},
    {&Run::runtimeGetVersion, true},
    {&Run::streamCreate, true},
    {&Run::streamDestroy, true},
    {&Run::streamWaitEvent, true},
    {&Run::eventCreate, true},
    {&Run::eventRecord, true},
    {&Run::eventDestroy, true},
    {&Run::funcGetAttributes, true},
    {&Run::memcpy, true},
    {&Run::memcpy2D, true},
    {&Run::memset, true},
    {&Run::memset2D, true},
    {&Run::maxActiveBlocks, true},
    {&Run::deviceSynchronize, true},
};

std::optional<uint64_t> Run::call(Launch &caller, DeviceFunction function, DeviceCall &call) {
  if (static_cast<size_t>(function) >= std::size(kFunctions)) return std::nullopt;
  const Row &row = kFunctions[static_cast<size_t>(function)];
  const Caller from{static_cast<Grid &>(caller), call.workItem};
  const uint64_t result = (this->*row.act)(from, call.words);
  return row.keepsError ? record(from, result) : result;
}

class Runtime final : public DeviceRuntime {
public:
  explicit Runtime(Module &module) : module_(&module) {}
  std::unique_ptr<DeviceRuntime::Run> begin(KernelMemory &memory) const override {
    return std::make_unique<cuda::Run>(*module_, memory);
  }
  std::string_view verb() const override { return "launched"; }

private:
  const Ref<Module> module_;
};

} // namespace

Ref<DeviceRuntime> makeDeviceRuntime(Module &module) { return Ref<DeviceRuntime>(new Runtime(module)); }

} // namespace us::cuda
