// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a kernel once it is compiled: its arguments, attributes, memory and tiers. Plain data, shared by
// the front ends, code generation, the object cache, program binaries and both APIs' queries.
#pragma once

#include "runtime/base/geometry.h"

#include <cstdint>
#include <string>
#include <vector>

namespace us {

enum class ProgramKind : uint8_t { None, CompiledObject, Library, Executable };

enum class ArgumentKind : uint8_t { Value, GlobalPointer, ConstantPointer, LocalPointer, Image, Sampler, Pipe, Queue };
constexpr bool takesBuffer(ArgumentKind kind) {
  return kind == ArgumentKind::GlobalPointer || kind == ArgumentKind::ConstantPointer;
}
enum class AccessQualifier : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };
/// Bits of ArgumentInfo::typeQualifiers.
enum TypeQualifier : uint8_t { kTypeConst = 1, kTypeRestrict = 2, kTypeVolatile = 4, kTypePipe = 8 };

struct ArgumentInfo {
  ArgumentKind kind = ArgumentKind::Value;
  AccessQualifier access = AccessQualifier::None; ///< images and pipes
  uint8_t typeQualifiers = 0;
  uint32_t size = 0;      ///< bytes the API must pass for a Value; 8 for pointers and handles
  uint32_t alignment = 1; ///< bytes
  uint32_t offset = 0;    ///< where it lies in the argument block (LocalPointer: a 64-bit offset into the local arena)
  uint32_t pointeeAlignment = 1; ///< alignment of what a pointer argument points to
  bool read = true;              ///< the kernel may read through this pointer
  bool written = true;           ///< the kernel may write through this pointer
  std::string typeName;          ///< as written in the source, e.g. "float4*"
  std::string elementName;       ///< of pointers: what they point to, whatever the source calls it, e.g. "float4"
  std::string name;              ///< empty if the program was built without argument info
  bool texture = false;          ///< a Value that is the handle of a texture wherever one is read with it
  bool maybeObject = false;      ///< a Value, but nobody could tell that it is no image and no sampler
};

/// A way of running kernels that the device has, and why it may not run this one that way.
struct TierObstacle {
  std::string tier, reason;
};

struct KernelInfo {
  std::string name;
  std::vector<ArgumentInfo> arguments;
  uint32_t argumentBlockSize = 0;
  bool hasArgumentNames = false;     ///< built with -cl-kernel-arg-info
  Size3 requiredWorkGroupSize{};     ///< reqd_work_group_size, or zeros
  Size3 maxWorkGroupSize{};          ///< the source's own limit (PTX: .maxntid), or zeros
  Size3 requiredClusterSize{};       ///< work-groups of a cluster, or zeros
  uint64_t maxClusterGroups = 0;     ///< of all dimensions; 0: the device's own limit
  bool wantsClusters = false;        ///< a launch has to say how large they are, or the source does
  uint32_t languageTarget = 0;       ///< PTX: the number of its .target, 86 of sm_86
  Size3 workGroupSizeHint{};         ///< work_group_size_hint, or zeros
  uint32_t requiredSubGroupSize = 0; ///< or 0
  std::string attributes;            ///< CL_KERNEL_ATTRIBUTES: space-separated, as in the source
  uint64_t localMemory = 0;          ///< bytes of static local memory (without __local arguments)
  uint64_t privateMemory = 0;        ///< bytes of private memory a work-item needs, at least
  uint64_t instructions = 0;         ///< of the kernel and what it calls, as its program has them
  bool usesBarrier = false;          ///< a work-group barrier or collective is reachable
  bool usesSubGroupSync = false;     ///< a sub-group operation that waits is reachable: fiber tier
  bool usesMatrices = false;         ///< calculates for a sub-group as a whole, which is much work of each
  bool usesLocalMemory = false;      ///< static or argument
  bool usesExchange = false;         ///< needs the exchange memory (collectives)
  bool usesPrintf = false;
  bool usesWorkGroupShape = false; ///< asks for local ids, local sizes, group ids or group counts
  bool usesAtomics = false;
  bool watchesMemory = false; ///< reads what other groups may change meanwhile: atomically, or as volatile
  bool hasLoops = false;
  bool usesHeap = false;                   ///< allocates or releases memory of the launch's heap
  bool usesDeviceQueue = false;            ///< may enqueue kernels, or ask about events and queues on the device
  std::vector<TierObstacle> tierObstacles; ///< as far as the program tells before code is made
  bool uniformWorkGroups = false;          ///< compiled so that the global size must be a multiple of the local size
  /// Of the device that it was compiled for; 0: as for any kernel.
  uint64_t largestWorkGroup = 0, preferredMultiple = 0; ///< work-items
};

} // namespace us
