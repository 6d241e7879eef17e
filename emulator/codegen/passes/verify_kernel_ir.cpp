// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/verify_kernel_ir.h"

#include "emulator/abi/checks.h"
#include "emulator/codegen/host_layout.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace us::codegen {
namespace {

bool isOf(const llvm::Type *type, MachineType expected) {
  switch (expected) {
  case MachineType::Void:
    return type->isVoidTy();
  case MachineType::I32:
    return type->isIntegerTy(32);
  case MachineType::I64:
    return type->isIntegerTy(64);
  case MachineType::Private:
    return type->isPointerTy() && type->getPointerAddressSpace() == 0;
  case MachineType::Constant:
    return type->isPointerTy() && type->getPointerAddressSpace() == 2;
  case MachineType::Local:
    return type->isPointerTy() && type->getPointerAddressSpace() == 3;
  case MachineType::Generic:
    return type->isPointerTy() && type->getPointerAddressSpace() == 4;
  }
  return false;
}

bool hasSignature(const llvm::FunctionType *type, llvm::ArrayRef<MachineType> expected) {
  if (type->isVarArg() || type->getNumParams() + 1 != expected.size() || !isOf(type->getReturnType(), expected[0]))
    return false;
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    if (!isOf(type->getParamType(i), expected[i + 1])) return false;
  return true;
}

class Checker {
public:
  explicit Checker(llvm::Module &module) : module_(module) {}

  void check() {
    std::string details;
    llvm::raw_string_ostream stream(details);
    if (llvm::verifyModule(module_, &stream)) return report(details);
    if (module_.getTargetTriple() != hostLayout().triple || module_.getDataLayoutStr() != hostLayout().dataLayout)
      report("the module is not for the host");
    for (const llvm::GlobalVariable &variable : module_.globals()) checkVariable(variable);
    for (const llvm::Function &function : module_) {
      if (function.getName().starts_with("us.")) checkMachineFunction(function);
      if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) checkKernel(function);
      for (const llvm::Instruction &instruction : llvm::instructions(function)) checkInstruction(instruction);
    }
  }

private:
  void report(const llvm::Twine &what) { module_.getContext().emitError("kernel IR: " + what); }

  void checkVariable(const llvm::GlobalVariable &variable) {
    if (variable.getAddressSpace() == 3 && variable.hasInitializer() &&
        !llvm::isa<llvm::UndefValue>(variable.getInitializer()))
      report("local variable '" + variable.getName() + "' has an initial value");
  }

  void checkMachineFunction(const llvm::Function &function) {
    const MachineFunction *known = machineFunction(function.getName());
    if (!known || known->signature.empty()) return report("the machine has no function '" + function.getName() + "'");
    if (!hasSignature(function.getFunctionType(), known->signature))
      report("'" + function.getName() + "' has the wrong signature");
    if (!function.isDeclaration()) report("'" + function.getName() + "' has a body");
  }

  void checkKernel(const llvm::Function &kernel) {
    // LLVM's verifier knows the rest of the convention: a void result and fixed arguments.
    // A declared kernel lies in another part of the program; what calls it gets its own copy when all are linked.
    if (!kernel.isDeclaration() && !kernel.use_empty())
      report("kernel '" + kernel.getName() + "' is called or its address taken");
  }

  void checkInstruction(const llvm::Instruction &instruction) {
    if (llvm::isa<llvm::FPMathOperator>(instruction) && instruction.getFastMathFlags().any())
      report("an instruction of '" + instruction.getFunction()->getName() + "' has fast-math flags");
    const MachineFunction *called = calledMachineFunction(&instruction);
    if (called && called->name == "check") checkKind(llvm::cast<llvm::CallBase>(instruction));
    if (llvm::isa<llvm::TargetExtType>(instruction.getType()))
      report("'" + instruction.getFunction()->getName() + "' has a value of an opaque type");
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::fmuladd)
      report("'" + instruction.getFunction()->getName() + "' has an undecided multiply-add");
  }

  void checkKind(const llvm::CallBase &call) {
    auto *kind = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (!kind || kind->getZExtValue() >= abi::kCheckKinds)
      report("a check of '" + call.getFunction()->getName() + "' is of no known kind");
  }

  llvm::Module &module_;
};

} // namespace

llvm::PreservedAnalyses VerifyKernelIr::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  Checker(module).check();
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
