// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ex2, lg2, sin, cos and tanh: the builtin library's functions, which are nearer than the ISA asks.
#include "frontend/ptx/floats.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {

Expected<void> approximate(FunctionTranslation &f, const Operation &op) {
  struct Row {
    std::string_view opcode;
    const char *function; ///< as Clang mangles OpenCL C's name
  };
  constexpr Row kFunctions[] = {
      {"ex2", "_Z4exp2f"}, {"lg2", "_Z4log2f"}, {"sin", "_Z3sinf"}, {"cos", "_Z3cosf"}, {"tanh", "_Z4tanhf"}};
  US_TRY(llvm::Value * a, floatSource(f, op, 1));
  for (const Row &row : kFunctions) {
    if (row.opcode != op.text.opcode) continue;
    llvm::FunctionCallee callee =
        f.module.module.getOrInsertFunction(row.function, llvm::FunctionType::get(a->getType(), {a->getType()}, false));
    auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
    if (!function || !function->isDeclaration() || function->arg_size() != 1)
      return failAt(op.text.place, "the module gives the name of a builtin function to something else");
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    llvm::CallInst *call = f.builder.CreateCall(callee, {a});
    call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->setDoesNotThrow();
    return defineFloat(f, op, call);
  }
  return {};
}

} // namespace us::frontend::ptx
