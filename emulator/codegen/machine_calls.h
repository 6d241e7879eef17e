// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `us.*` functions inside code generation: those of docs/ir-conventions.md, and those that only its own passes
// use on the way: `ptr us.launch()`, `ptr us.group()`, `ptr us.item()`, the contexts of emulator/abi/kernel_abi.h, and
// `void us.boundary()`, which parts regions without being a barrier,
// `void us.yield()`: the work-item waits for memory to change and gives up its turn, and
// `void us.limit(i32 dimension, i64 bound)`: work-items whose global id reaches the bound do nothing.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace us::codegen {

/// A wait for the sub-group, or a vote in it: of its work-items side by side those that are asked are those that come.
bool isOfSubGroup(const llvm::Instruction &instruction);
/// A work-item takes up the value of another one of its sub-group (lower_lane_reads).
bool isLaneRead(const llvm::Value *value);
/// Whether a kernel waits for sub-groups, or asks what their work-items think.
bool usesSubGroups(llvm::Function &kernel);

/// "local_id" for a call to us.local_id, "" for anything else.
llvm::StringRef machineName(const llvm::Value *value);
/// Where the loop tier's regions end: at a barrier of the source, at a us.boundary() of interchange_uniform_loops, and
/// where a work-item waits for memory to change.
inline constexpr llvm::StringRef kRegionEnds[] = {"barrier", "boundary", "yield"};
bool isBarrier(const llvm::Value *value);
/// Some work-items wait for memory to change.
bool waitsForMemory(llvm::Function &kernel);

/// The constant dimension of a query; nothing if it is not a constant.
std::optional<unsigned> queryDimension(const llvm::CallBase &call);

/// Every call to us.<name> in the function.
llvm::SmallVector<llvm::CallInst *, 8> machineCalls(llvm::Function &function, llvm::StringRef name);

/// A call of us.<name>(arguments), declaring it if need be. Contexts and queries get their memory(none) attributes.
llvm::CallInst *createMachineCall(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                                  llvm::ArrayRef<llvm::Value *> arguments = {});
/// The attributes that say what optimisers may assume of a declared us.* function.
void attributeMachineFunction(llvm::Function &declaration);

/// An id of three dimensions ("local_id", "group_id") as one number, dimension 0 fastest, by the name of its sizes.
llvm::Value *createLinear(llvm::IRBuilderBase &builder, const char *id, const char *size);
/// A call of the function of abi::RuntimeFunctions at `slot`; `launch` is the launch's context.
llvm::CallInst *callRuntime(llvm::IRBuilderBase &builder, llvm::Value *launch, uint64_t slot, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> arguments);

/// Loads a field that does not change while the kernel runs.
llvm::Value *loadInvariant(llvm::IRBuilderBase &builder, llvm::Type *type, llvm::Value *base, uint64_t offset,
                           const llvm::Twine &name = "");
/// A field of the contexts: us.launch() or us.group() plus an offset.
llvm::Value *loadLaunchField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset,
                             const llvm::Twine &name = "");
llvm::Value *loadGroupField(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t offset,
                            const llvm::Twine &name = "");
/// The beginning of the work-group's local memory, how it is aligned, and how many bytes of it there are at least.
llvm::Value *loadLocalArena(llvm::IRBuilderBase &builder, llvm::Type *type, uint64_t bytes = 0);

} // namespace us::codegen
