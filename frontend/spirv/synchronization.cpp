// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and fences, as calls of OpenCL C's functions.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// OpenCL C's memory_scope for a SPIR-V scope.
Result scopeOf(FunctionTranslation &f, const Instruction &in, size_t place) {
  // CrossDevice, Device, Workgroup, Subgroup, Invocation.
  constexpr uint32_t kScopes[] = {3, 2, 1, 4, 0};
  US_TRY(const uint64_t scope, f.number(in, place));
  if (scope >= std::size(kScopes)) return failAt(in, "has the scope " + std::to_string(scope));
  return f.builder.getInt32(kScopes[scope]);
}

/// CLK_*_MEM_FENCE for memory semantics.
uint32_t fenceFlags(uint64_t semantics) {
  const auto has = [&](spv::MemorySemanticsMask mask) { return (semantics & uint32_t(mask)) != 0; };
  uint32_t flags = 0;
  if (has(spv::MemorySemanticsMask::WorkgroupMemory)) flags |= 1;
  if (has(spv::MemorySemanticsMask::CrossWorkgroupMemory)) flags |= 2;
  if (has(spv::MemorySemanticsMask::ImageMemory)) flags |= 4;
  return flags;
}

/// OpenCL C's memory_order for memory semantics.
uint32_t orderOf(uint64_t semantics) {
  const auto has = [&](spv::MemorySemanticsMask mask) { return (semantics & uint32_t(mask)) != 0; };
  if (has(spv::MemorySemanticsMask::SequentiallyConsistent)) return 5;
  if (has(spv::MemorySemanticsMask::AcquireRelease)) return 4;
  if (has(spv::MemorySemanticsMask::Release)) return 3;
  return has(spv::MemorySemanticsMask::Acquire) ? 2 : 0;
}

constexpr std::string_view kScopeName = "12memory_scope";

Result controlBarrier(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const uint64_t execution, f.number(in, 0));
  US_TRY(llvm::Value * scope, scopeOf(f, in, 1));
  US_TRY(const uint64_t semantics, f.number(in, 2));
  const bool ofWorkGroup = spv::Scope(execution) == spv::Scope::Workgroup;
  if (!ofWorkGroup && spv::Scope(execution) != spv::Scope::Subgroup)
    return failAt(in, "waits for neither a work-group nor a sub-group");
  const BuiltinArgument arguments[] = {argumentOf(f.builder.getInt32(fenceFlags(semantics)), "j"),
                                       argumentOf(scope, kScopeName)};
  return callBuiltin(f, in, ofWorkGroup ? "work_group_barrier" : "sub_group_barrier", f.builder.getVoidTy(), arguments);
}

Result memoryBarrier(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(llvm::Value * scope, scopeOf(f, in, 0));
  US_TRY(const uint64_t semantics, f.number(in, 1));
  const BuiltinArgument arguments[] = {argumentOf(f.builder.getInt32(fenceFlags(semantics)), "j"),
                                       argumentOf(f.builder.getInt32(orderOf(semantics)), "12memory_order"),
                                       argumentOf(scope, kScopeName)};
  return callBuiltin(f, in, "atomic_work_item_fence", f.builder.getVoidTy(), arguments);
}

/// Operand: a scope. The time is a number of 64 bits, or its halves.
Result readClock(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const uint64_t scope, f.number(in, 0));
  US_TRY(const Type *type, f.resultType(in));
  std::string name = type->is(TypeKind::Vector) ? "clock_read_hilo_" : "clock_read_";
  switch (spv::Scope(scope)) {
  case spv::Scope::Device:
    name += "device";
    break;
  case spv::Scope::Workgroup:
    name += "work_group";
    break;
  case spv::Scope::Subgroup:
    name += "sub_group";
    break;
  default:
    return failAt(in, "reads a clock of a scope that has none");
  }
  const bool fits = type->isIntegers() && type->lanes() * type->scalar().width == 64 && type->lanes() <= 2;
  if (!fits) return failAt(in, "reads a clock into another type than an integer of 64 bits or two of 32");
  return callBuiltin(f, in, name, type->llvm, {});
}

constexpr InstructionRow kSynchronizationRows[] = {
    {spv::Op::OpReadClockKHR, readClock},
    {spv::Op::OpControlBarrier, controlBarrier},
    {spv::Op::OpMemoryBarrier, memoryBarrier},
};

} // namespace

std::span<const InstructionRow> synchronizationRows() { return kSynchronizationRows; }

} // namespace us::frontend::spirv
