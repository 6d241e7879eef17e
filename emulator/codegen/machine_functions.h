// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of emulator/abi/machine_functions.def, whose columns are explained there.
#pragma once

#include "runtime/device/executable.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace us::codegen {

enum class MachineType : uint8_t { Void, I32, I64, Private, Constant, Local, Generic };
enum class MachineEffects : uint8_t { Query, Inaccessible, Memory, Convergent, NoReturn };
enum class Difference : uint8_t { Launches, Groups, Items };
enum class Home : uint8_t { Kernel, Anywhere };
enum class RuntimeContext : uint8_t { Nothing, Group, GroupAndItem, GroupAndIds, ItemAndSite };

/// How a call of abi::RuntimeFunctions replaces a machine function.
struct RuntimeCall {
  RuntimeContext context;
  uint64_t slot; ///< offset in abi::RuntimeFunctions
};

struct MachineFunction {
  llvm::StringRef name;                  ///< without "us."
  llvm::ArrayRef<MachineType> signature; ///< result first; empty: not for front ends
  MachineEffects effects;
  Difference difference;
  Home home;
  bool KernelInfo::*fact = nullptr; ///< says that a kernel uses it, or null
  std::optional<RuntimeCall> runtime = {};
  uint64_t dereferenceable = 0; ///< bytes behind the pointer that it returns
};

llvm::ArrayRef<MachineFunction> machineFunctions();
/// The row of "us.NAME"; null for any other name.
const MachineFunction *machineFunction(llvm::StringRef symbol);
/// The row of the function that is called; null if the value is no such call.
const MachineFunction *calledMachineFunction(const llvm::Value *value);

} // namespace us::codegen
