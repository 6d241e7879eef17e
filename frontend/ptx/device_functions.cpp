// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/device_functions.h"

#include "frontend/ptx/device_runtime.h"

namespace us::frontend::ptx {
namespace {

using Arguments = llvm::ArrayRef<llvm::Value *>;

/// Generic addresses are what the machine has (docs/decisions/0030-ptx.md).
llvm::Value *pointer(FunctionTranslation &f, llvm::Value *address, unsigned space) {
  return f.builder.CreateIntToPtr(address, f.builder.getPtrTy(space));
}

/// (.b32 result) vprintf (.b64 format, .b64 arguments): the format says what lies behind the second address.
void print(FunctionTranslation &f, Arguments arguments) {
  constexpr uint32_t kFormatSaysSize = ~0u; // docs/ir-conventions.md, us.printf
  llvm::Value *count = f.callMachine(
      "us.printf", f.builder.getInt32Ty(),
      {pointer(f, arguments[1], kConstant), pointer(f, arguments[2], kPrivate), f.builder.getInt32(kFormatSaysSize)});
  f.builder.CreateStore(count, arguments[0]);
}

/// (.b64 address) malloc (.b64 size)
void allocate(FunctionTranslation &f, Arguments arguments) {
  f.builder.CreateStore(f.callMachine("us.allocate", f.builder.getInt64Ty(), {arguments[1]}), arguments[0]);
}

/// (.b32 error) cudaMalloc (.b64 where the address goes, .b64 size)
void allocateForRuntime(FunctionTranslation &f, Arguments arguments) {
  constexpr uint32_t kMemoryAllocation = 2; // cudaErrorMemoryAllocation
  llvm::Value *address = f.callMachine("us.allocate", f.builder.getInt64Ty(), {arguments[2]});
  f.builder.CreateStore(address, pointer(f, arguments[1], kGeneric));
  f.builder.CreateStore(f.builder.CreateSelect(f.builder.CreateICmpEQ(address, f.builder.getInt64(0)),
                                               f.builder.getInt32(kMemoryAllocation), f.builder.getInt32(0)),
                        arguments[0]);
}

/// (.b32 error) cudaFree (.b64 address)
void releaseForRuntime(FunctionTranslation &f, Arguments arguments) {
  f.callMachine("us.release", f.builder.getVoidTy(), {arguments[1]});
  f.builder.CreateStore(f.builder.getInt32(0), arguments[0]);
}

/// free (.b64 address)
void release(FunctionTranslation &f, Arguments arguments) {
  f.callMachine("us.release", f.builder.getVoidTy(), {arguments[0]});
}

/// __assertfail (.b64 message, .b64 file, .b32 line, .b64 function, .b64 bytes of a character)
void assertFail(FunctionTranslation &f, Arguments arguments) {
  llvm::CallInst *call = f.callMachine("us.assert_fail", f.builder.getVoidTy(),
                                       {pointer(f, arguments[0], kGeneric), pointer(f, arguments[1], kGeneric),
                                        arguments[2], pointer(f, arguments[3], kGeneric)});
  call->getCalledFunction()->setDoesNotReturn();
  f.builder.CreateUnreachable();
  f.beginBlock("unreached");
}

struct DeviceFunctionRow {
  std::string_view name;
  std::vector<uint32_t> results, parameters; ///< bits
  void (*translate)(FunctionTranslation &function, Arguments arguments);
};

bool fit(const std::vector<Variable> &variables, const std::vector<uint32_t> &bits) {
  if (variables.size() != bits.size()) return false;
  for (size_t i = 0; i < bits.size(); ++i)
    if (variables[i].isArray || variables[i].lanes != 1 || variables[i].type->bits != bits[i] ||
        variables[i].type->isFloat())
      return false;
  return true;
}

} // namespace

Expected<void> callDeviceFunction(FunctionTranslation &f, const FunctionText &callee, Place place,
                                  Arguments arguments) {
  static const auto &functions = *new std::vector<DeviceFunctionRow>{
      {"vprintf", {32}, {64, 64}, print},
      {"malloc", {64}, {64}, allocate},
      {"free", {}, {64}, release},
      {"cudaMalloc", {32}, {64, 64}, allocateForRuntime},
      {"cudaFree", {32}, {64}, releaseForRuntime},
      {"__assertfail", {}, {64, 64, 32, 64, 64}, assertFail},
  };
  for (const DeviceFunctionRow &function : functions) {
    if (function.name != callee.name) continue;
    // Some declare vprintf without the result that they do not look at.
    const bool dropsResult = callee.results.empty() && !function.results.empty();
    if ((!dropsResult && !fit(callee.results, function.results)) || !fit(callee.parameters, function.parameters))
      return failAt(callee.place, "'" + std::string(callee.name) + "' is declared otherwise than this device has it");
    llvm::SmallVector<llvm::Value *, 8> all(arguments);
    if (dropsResult) all.insert(all.begin(), f.temporary(f.builder.getIntNTy(function.results.front())));
    function.translate(f, all);
    return {};
  }
  if (isDeviceRuntime(callee.name)) return callDeviceRuntime(f, callee, arguments);
  return failAt(place,
                "'" + std::string(callee.name) + "' is defined nowhere, and is no function that this device has");
}

} // namespace us::frontend::ptx
