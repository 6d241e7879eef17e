// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// THE interface: what the runtime asks of a device, emulated or real. No logic here.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/command.h"
#include "runtime/device/compile_request.h"
#include "runtime/device/device_info.h"
#include "runtime/device/executable.h"
#include "runtime/device/host_findings.h"
#include "runtime/device/image.h"
#include "runtime/device/memory.h"
#include "runtime/device/pipe.h"
#include "runtime/device/texture.h"
#include "runtime/device/touched_range.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us {

struct Finding;

/// A kernel of one executable on one device; code is generated when it first runs.
class DeviceKernel : public Object {
public:
  virtual const KernelInfo &info() const = 0;
  /// True if Device::prepare may be of use: no launch of it was prepared yet.
  virtual bool wantsPreparation() const { return false; }
  /// The kernel that a block of the same program was made into, by the name that kernels have of it; null if there is
  /// none. A program has no such kernel for others.
  virtual Ref<DeviceKernel> block(std::string_view name) const {
    (void)name;
    return nullptr;
  }
};

/// Memory of a program-scope variable; commands read and write it.
struct DeviceVariable {
  uint64_t address = 0, size = 0;
};

/// The result of a build on one device: an object, a library or an executable.
class DeviceProgram : public Object {
public:
  virtual ProgramKind kind() const = 0;
  /// Every kernel, in source order. Valid for the program's life. Empty unless Executable.
  virtual std::span<const KernelInfo> kernels() const = 0;
  /// The kernel of that name. Errors: InvalidKernelName, InvalidProgramExecutable.
  virtual Expected<Ref<DeviceKernel>> kernel(std::string_view name) = 0;
  /// A binary that Device::load of a device with the same codeIdentity accepts. The caller owns the bytes.
  virtual Expected<std::vector<std::byte>> binary() = 0;
  /// Bytes of program-scope variables.
  virtual uint64_t globalVariableSize() const = 0;
  /// The program-scope variable of that name, made (with its initial value) at the first call; it lives as long as the
  /// program. Errors: InvalidValue if there is none, OutOfResources, Unsupported.
  virtual Expected<DeviceVariable> variable(std::string_view name) {
    return fail(ErrorCode::Unsupported, "the device does not tell where '" + std::string(name) + "' is");
  }
  /// The memory of all of them together, made at the first call; of size 0 if there are none. Errors: OutOfResources,
  /// Unsupported.
  virtual Expected<DeviceVariable> variables() {
    return fail(ErrorCode::Unsupported, "the device does not tell where variables are");
  }
  /// From now on the variables are those of `other`, built from the same source by a device that shares this one's
  /// memory. False if they cannot be: they are not alike, or are in use.
  virtual bool shareVariables(DeviceProgram &other) {
    (void)other;
    return false;
  }
  /// The same of one that stands for a texture; InvalidValue for others, too.
  virtual Expected<TextureVariable> textureVariable(std::string_view name) {
    return fail(ErrorCode::Unsupported, "the device does not bind textures to '" + std::string(name) + "'");
  }
};

struct LinkRequest {
  std::vector<Ref<DeviceProgram>> inputs; ///< objects and libraries, in order
  std::string_view options;
};

/// Errors: InvalidBuildOptions / InvalidCompilerOptions / InvalidLinkerOptions, BuildProgramFailure,
/// CompileProgramFailure, LinkProgramFailure, CompilerNotAvailable, OutOfHostMemory.
using BuildResult = Logged<Ref<DeviceProgram>>;

/// How whoever submits a command wants to learn that it has ended. All but DeviceInfo::handsOver devices always tell.
enum class Attention : uint8_t {
  Told,   ///< the device tells as soon as it knows, on a thread of its own
  Asks,   ///< by Device::await, or by polling; else the device tells once Device::watch was called
  Leaves, ///< as Asks, and it is not likely that anybody asks for this command alone
  Waits,  ///< submit may take until the command has ended
};

/// Told how a submitted command goes on; called from any thread, with no lock of the device held. It may submit more
/// from within a call, but not wait.
class CommandObserver {
public:
  virtual ~CommandObserver() = default;
  virtual Attention attention() const { return Attention::Told; }
  /// False: the times below are not looked at, and need not be taken.
  virtual bool wantsTimes() const { return true; }
  /// The device has begun; `time` is Device::now().
  virtual void started(uint64_t time) = 0;
  /// Before `finished`: machine code for the command, or for what it launches, was made or waited for so many
  /// nanoseconds long. Not called for a launch that finds its code.
  virtual void codeAwaited(uint64_t /*nanoseconds*/) {}
  /// The work-items of a launch have ended; what they enqueued on the device has not. Only for launches that may
  /// enqueue.
  virtual void ownPartEnded(uint64_t /*time*/) {}
  /// Before `finished`, which says the same in a sentence: what is wrong with a kernel of the command.
  virtual void found(const Finding & /*finding*/) {}
  /// Whether `touched` has to have all that a launch touches.
  virtual bool wantsTouched() const { return false; }
  /// Before `finished`: what a launch has touched, as far as it is known. Only where somebody looks for races.
  virtual void touched(const std::vector<TouchedRange> & /*ranges*/) {}
  /// Before `finished`: a finding of checked code that was not told before in this process, and all of it as JSON.
  virtual void foundByCheck(const std::string & /*sentence*/, const std::string & /*json*/) {}
  /// The device has ended, `result` says how. The command may be destroyed as soon as this is called.
  virtual void finished(uint64_t time, Expected<void> result) = 0;
};

/// What an argument has become (DeviceQueue::changeArguments).
struct ArgumentChange {
  uint32_t index = 0;
  std::span<const std::byte> value{}; ///< of a Value: all its bytes
  DeviceMemory *memory = nullptr;     ///< of a GlobalPointer: it points there
  uint64_t offset = 0;                ///< bytes from its beginning
};

/// A command that a device has, and that nothing else stands for (DeviceQueue::passAgain). Whoever has it owes a
/// DeviceQueue::releasePassed.
struct PassedCommand {
  void *handle = nullptr; ///< the device's; null: none
  uint64_t number = 0;    ///< the device's
};

/// Whoever passes commands on (Device::pass). Held by the device until they have ended.
class CommandOwner : public Object {
public:
  /// One or several of them have failed. Called as CommandObserver's functions are.
  virtual void passedOnFailed(const Error &error) = 0;
};

enum class PartitionKind : uint8_t { Equally, ByCounts, ByAffinityDomain };

struct Partition {
  PartitionKind kind = PartitionKind::Equally;
  std::vector<uint32_t> counts; ///< Equally: one number, units per sub-device; ByCounts: units of each
  uint64_t affinityDomain = 0;  ///< bits of cl_device_affinity_domain
};

/// Memory from which kernels allocate.
class KernelHeap : public Object {
public:
  /// False if kernels have begun to use it.
  virtual bool resize(uint64_t size) = 0;
};

/// Takes commands: a device, or one of several queues of it (Device::createQueue).
class DeviceQueue : public Object {
public:
  /// Runs a command whose dependencies are met. The emulated device runs it on the calling thread (helped by others)
  /// and returns when it has finished; a real device may return at once. `command` and `observer` stay valid until
  /// finished() is called. The one choke point: everything a device does for a queue goes through here. Throws nothing,
  /// not even what a host call throws: that is how the command has finished.
  virtual void submit(const Command &command, CommandObserver &observer) = 0;

  // Of devices with DeviceInfo::handsOver: submit returns when the device has the command, and commands run and end in
  // the order in which they were submitted. Where nobody asks for the end of a command, it may be told of late.

  /// The device begins what was submitted; it may have done so before.
  virtual void flush() {}
  /// Tells of what has ended by now. Never waits for a command. True if there is some that has not ended.
  virtual bool poll() { return false; }
  /// Waits until all that was submitted or passed on has ended, and was told of.
  virtual void finish() {}
  /// As submit, for a launch of whose end alone nobody will ask, and of which nobody learns: only `owner` that it has
  /// failed. The command may go when this returns; what is moved out of `keep` lives until it has ended. False, and
  /// nothing was done, for what must be submitted. An error is the launch's: the device has not taken it.
  virtual Expected<bool> pass(const LaunchCommand &launch, CommandOwner &owner, InlineVector<Ref<Object>, 4> &keep) {
    (void)launch, (void)owner, (void)keep;
    return false;
  }
  /// The same where the latest launch of the kernel that the device was given had this LaunchCommand::argumentsNumber:
  /// the device has all arguments, and keeps what it needs of them itself. False, and nothing was done: it had not.
  /// The launch runs after those in `after`, which are of queues of the same device that were flushed, and fails if one
  /// of them does. `passed` is null, or gets the launch.
  virtual Expected<bool> passAgain(DeviceKernel &kernel, uint64_t argumentsNumber, const LaunchShape &shape,
                                   std::span<const PassedCommand> after, PassedCommand *passed) {
    (void)kernel, (void)argumentsNumber, (void)shape, (void)after, (void)passed;
    return false;
  }
  /// Makes others of some of the arguments of the latest launch of the kernel that the device was given, which had the
  /// number `from`: launches with these have the number `to`. False: it had not, or one was refused, and launches with
  /// neither number may be passed again.
  virtual bool changeArguments(DeviceKernel &kernel, uint64_t from, uint64_t to,
                               std::span<const ArgumentChange> changes) {
    (void)kernel, (void)from, (void)to, (void)changes;
    return false;
  }
  // Of a command that passAgain has passed on this queue:
  virtual void releasePassed(PassedCommand command) { (void)command; }
  /// Waits until these, of any queue of the device, have ended. False: not all have ended well, or it cannot be told.
  virtual bool awaitPassed(std::span<const PassedCommand> commands) { return (void)commands, false; }
  /// From now on it is one that was submitted with that observer.
  virtual void adopt(PassedCommand command, CommandObserver &observer) { (void)command, (void)observer; }
  /// Makes the device have the arguments of a launch that will be passed again. False: it cannot now; who submits the
  /// launch learns why.
  virtual bool takeArguments(const LaunchCommand &launch) { return (void)launch, false; }
  /// As finish, if there may be anything that passAgain took and that has not ended; `owner` is told if that has
  /// failed. False, and nobody has waited: there is nothing.
  virtual bool finishPassedAgain(CommandOwner &owner) {
    (void)owner;
    return false;
  }
  /// As submit with Attention::Waits, for a command of whose end nobody else learns: when this returns it has ended as
  /// far as the host's memory and what comes after it in this queue can tell (finish waits for it), and an error is its
  /// own. False, and nothing was done, for what must be submitted.
  virtual Expected<bool> runToEnd(const Command &command) {
    (void)command;
    return false;
  }
  /// The same, of a copy between memory of this device and the host's, which runs after those in `after`, as for
  /// passAgain.
  virtual Expected<bool> transfer(DeviceMemory &memory, uint64_t offset, std::byte *host, uint64_t size, bool reads,
                                  std::span<const PassedCommand> after) {
    (void)memory, (void)offset, (void)host, (void)size, (void)reads, (void)after;
    return false;
  }
  /// Waits until the command of this observer has ended and it was told so; returns at once if it was. The command was
  /// submitted, and the observer lives.
  virtual void await(CommandObserver &observer) { (void)observer; }
  /// From now on as with Attention::Told. Nothing to do if the command has ended.
  virtual void watch(CommandObserver &observer) { (void)observer; }
  /// What is submitted or passed on from now on runs after the command of that observer, which was submitted to another
  /// queue of the same device, and lives. Never waits.
  virtual void follow(DeviceQueue &other, const CommandObserver &observer) { (void)other, (void)observer; }
};

class Device : public DeviceQueue {
public:
  virtual const DeviceInfo &info() const = 0;
  /// The device that partition() was asked of; null for a root device.
  virtual const Device *parent() const { return nullptr; }

  /// Who is told what is wrong with what the host does; null: nobody looks.
  virtual HostFindings *hostFindings() { return nullptr; }

  /// A clock in nanoseconds that the command times use.
  virtual uint64_t now() const = 0;

  /// Memory, backed lazily, charged to the device's account. MemObjectAllocationFailure when the account is full.
  virtual Expected<std::unique_ptr<DeviceMemory>> allocate(const MemoryRequest &request) = 0;

  /// An image over memory of this device that begins at `memory`: what was allocated for it (MemoryRequest::image), or
  /// for one that it shares the pixels with; or any other memory, by a device that shares the host's or for an image of
  /// a buffer (Image1DBuffer and Image2D). The caller keeps the memory alive and has checked the description against
  /// DeviceInfo. Unsupported on a device without images.
  virtual Expected<std::unique_ptr<DeviceImage>> createImage(const ImageDescription &image, std::byte *memory) {
    (void)image, (void)memory;
    return fail(ErrorCode::Unsupported, "the device has no images");
  }

  /// A texture or surface over memory of this device, which the caller keeps alive and has checked. Unsupported on a
  /// device without.
  virtual Expected<Ref<DeviceTexture>> createTexture(const TextureRequest &texture) {
    (void)texture;
    return fail(ErrorCode::Unsupported, "the device has no textures");
  }

  /// Bytes of memory that a pipe takes; 0 where such a pipe cannot be.
  virtual uint64_t pipeBytes(const PipeDescription &pipe) const {
    (void)pipe;
    return 0;
  }
  /// Makes an empty pipe in memory of this device (pipeBytes of it), which the caller keeps alive. Returns the 8 bytes
  /// that a launch's argument block holds for it. Unsupported on a device without pipes.
  virtual Expected<uint64_t> createPipe(const PipeDescription &pipe, std::byte *memory) {
    (void)pipe, (void)memory;
    return fail(ErrorCode::Unsupported, "the device has no pipes");
  }

  /// Memory of that size from which kernels allocate; null on a device without.
  virtual Ref<KernelHeap> createHeap(uint64_t size) {
    (void)size;
    return nullptr;
  }

  /// Compiles source (and links it, if asked). Blocks; safe from several threads at once.
  virtual BuildResult compile(const CompileRequest &request) = 0;
  virtual BuildResult link(const LinkRequest &request) = 0;
  /// Takes a binary that DeviceProgram::binary made. InvalidBinary when version, device or bytes do not match.
  virtual Expected<Ref<DeviceProgram>> load(std::span<const std::byte> binary) = 0;
  /// Lets go of what the compiler holds; the next build opens it again.
  virtual void unloadCompiler() = 0;

  /// The local size the device would choose for a launch of this range.
  virtual Expected<Size3> suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &globalOffset,
                                           const Size3 &globalSize) = 0;

  /// What submit would say against the launch before it looks at its range: OutOfResources, InvalidKernelArgs,
  /// InvalidWorkGroupSize.
  virtual Expected<void> check(const LaunchCommand &launch) const {
    (void)launch;
    return {};
  }

  /// An order of its own for commands, where the device hands over: those of two queues may overlap. Else, and where it
  /// cannot make one, the device itself.
  virtual Ref<DeviceQueue> createQueue() { return Ref<DeviceQueue>(this); }

  /// This launch will be submitted, behind others: the device may begin to make what it needs. Never waits and never
  /// fails; what is wrong is said when the launch is submitted. The command is not looked at after the call.
  virtual void prepare(const LaunchCommand &command) {}

  /// How this device can be divided; empty if it cannot. Errors: InvalidValue, DevicePartitionFailed,
  /// InvalidDevicePartitionCount.
  virtual Expected<std::vector<Ref<Device>>> partition(const Partition &partition) = 0;
};

} // namespace us
