// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/machine_functions.h"

#include "emulator/abi/kernel_abi.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <cstddef>

namespace us::codegen {
namespace {

using enum MachineType;

template <MachineType... types> constexpr MachineType kSignature[] = {types...};

constexpr MachineFunction kMachineFunctions[] = {
#define US_TYPES(...) kSignature<__VA_ARGS__>
#define US_MACHINE_FUNCTION(name, signature, effects, difference, home, fact)                                          \
  {#name, US_TYPES signature, MachineEffects::effects, Difference::difference, Home::home, fact},
#define US_RUNTIME_FUNCTION(name, signature, effects, difference, home, fact, context, slot)                           \
  {#name,                                                                                                              \
   US_TYPES signature,                                                                                                 \
   MachineEffects::effects,                                                                                            \
   Difference::difference,                                                                                             \
   Home::home,                                                                                                         \
   fact,                                                                                                               \
   RuntimeCall{RuntimeContext::context, offsetof(abi::RuntimeFunctions, slot)}},
#define US_PASS_FUNCTION(name, effects, difference, dereferenceable)                                                   \
  {#name, {}, MachineEffects::effects, Difference::difference, Home::Kernel, nullptr, {}, dereferenceable},
#include "emulator/abi/machine_functions.def"
#undef US_TYPES
};

} // namespace

llvm::ArrayRef<MachineFunction> machineFunctions() { return kMachineFunctions; }

const MachineFunction *machineFunction(llvm::StringRef symbol) {
  if (!symbol.consume_front("us.")) return nullptr;
  for (const MachineFunction &known : kMachineFunctions)
    if (known.name == symbol) return &known;
  return nullptr;
}

const MachineFunction *calledMachineFunction(const llvm::Value *value) {
  auto *call = llvm::dyn_cast_or_null<llvm::CallBase>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? machineFunction(callee->getName()) : nullptr;
}

} // namespace us::codegen
