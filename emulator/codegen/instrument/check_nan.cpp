// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_nan.h"

#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"
#include "emulator/codegen/vectorize/wide_calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace us::codegen {
namespace {

bool isFloats(const llvm::Type &type) { return type.isFPOrFPVectorTy(); }

/// The place of a function's result among what is passed.
constexpr uint32_t kResult = ~0u;

/// "sqrt" of "_Z4sqrtf", "fma" of "llvm.fmuladd.f32".
std::string nameOf(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) return "a function";
  llvm::StringRef name = callee->getName();
  if (name.consume_front("llvm.")) {
    name.consume_front("experimental.constrained.");
    return name.split('.').first.str();
  }
  const std::string text = llvm::demangle(name.str());
  return text.substr(0, text.find('('));
}

const char *nameOf(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
    return "+";
  case llvm::Instruction::FSub:
    return "-";
  case llvm::Instruction::FMul:
    return "*";
  case llvm::Instruction::FDiv:
    return "/";
  case llvm::Instruction::FRem:
    return "fmod";
  case llvm::Instruction::FPTrunc:
    return "conversion";
  default:
    return nullptr;
  }
}

/// A function that is looked at itself.
bool isSources(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() && callee->getSubprogram();
}

class Follower {
public:
  Follower(llvm::Function &function, bool isKernel)
      : function_(function), isKernel_(isKernel), builder_(function.getContext()) {}

  void run() {
    // Those of the source, in an order in which operands come first: what is added is not looked at.
    llvm::SmallVector<llvm::Instruction *, 64> all;
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&function_))
      for (llvm::Instruction &instruction : *block) all.push_back(&instruction);
    arguments();
    for (llvm::Instruction *instruction : all) visit(*instruction);
    for (llvm::PHINode *phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(births_[phi])
            ->addIncoming(birthOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
  }

private:
  llvm::Value *none() { return builder_.getInt64(0); }

  llvm::Value *birthOf(llvm::Value *value) {
    const auto known = births_.find(value);
    return known == births_.end() ? none() : known->second;
  }

  static bool isNone(const llvm::Value *birth) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(birth);
    return number && number->isZero();
  }

  /// Per element: NaN or infinite.
  llvm::Value *isBad(llvm::Value *value) {
    llvm::Value *size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    return builder_.CreateFCmpUGE(size, llvm::ConstantFP::getInfinity(value->getType()));
  }
  llvm::Value *any(llvm::Value *bits) { return bits->getType()->isVectorTy() ? builder_.CreateOrReduce(bits) : bits; }

  /// What `make` says where the value is bad, else 0. The builder stands behind.
  template <typename Make> llvm::Value *where(llvm::Value *isIt, llvm::Instruction *next, Make make) {
    llvm::MDNode *unlikely = llvm::MDBuilder(builder_.getContext()).createUnlikelyBranchWeights();
    llvm::BasicBlock *before = next->getParent();
    llvm::Instruction *then =
        llvm::SplitBlockAndInsertIfThen(isIt, next->getIterator(), /*Unreachable=*/false, unlikely);
    // The branch is none of the source's.
    before->getTerminator()->setMetadata(llvm::LLVMContext::MD_nosanitize,
                                         llvm::MDNode::get(builder_.getContext(), {}));
    builder_.SetInsertPoint(then);
    builder_.SetCurrentDebugLocation(place_);
    llvm::Value *made = make();
    llvm::BasicBlock *from = builder_.GetInsertBlock();
    builder_.SetInsertPoint(next->getParent(), next->getParent()->begin());
    if (!made) return nullptr;
    llvm::PHINode *phi = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    phi->addIncoming(none(), before);
    phi->addIncoming(made, from);
    return phi;
  }

  llvm::Value *machine(const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
    return createMachineCall(builder_, name, result, arguments);
  }

  /// That of the first of them that has one.
  llvm::Value *firstBirth(llvm::iterator_range<llvm::User::op_iterator> operands) {
    llvm::Value *first = none();
    for (llvm::Use &operand : llvm::reverse(operands)) {
      llvm::Value *birth = birthOf(operand);
      if (isNone(birth)) continue;
      first = isNone(first) ? birth : builder_.CreateSelect(builder_.CreateIsNotNull(birth), birth, first);
    }
    return first;
  }

  void arguments() {
    if (isKernel_) return;
    for (llvm::Argument &argument : function_.args()) {
      if (!isFloats(*argument.getType())) continue;
      llvm::Instruction *first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      builder_.SetInsertPoint(first);
      // Whether it is asked for or not: it is gone afterwards.
      births_[&argument] = machine("nan_passed", builder_.getInt64Ty(), {builder_.getInt32(argument.getArgNo())});
    }
  }

  void visit(llvm::Instruction &instruction) {
    place_ = instruction.getDebugLoc();
    // What a program promises never to be is looked for, too.
    if (llvm::isa<llvm::FPMathOperator>(instruction)) {
      instruction.setHasNoNaNs(false);
      instruction.setHasNoInfs(false);
    }
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return stored(*store, store->getValueOperand(), store->getPointerOperand());
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return stored(*update, update->getValOperand(), update->getPointerOperand());
    if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) return returned(*end);
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return called(*call);
    if (!isFloats(*instruction.getType())) return;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      builder_.SetInsertPoint(phi);
      births_[phi] = builder_.CreatePHI(builder_.getInt64Ty(), phi->getNumIncomingValues());
      phis_.push_back(phi);
      return;
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return loaded(*load);
    if (const char *name = nameOf(instruction)) return made(instruction, name, instruction.operands());
    behind(instruction);
    auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (choice && !choice->getCondition()->getType()->isVectorTy())
      births_[choice] = builder_.CreateSelect(choice->getCondition(), birthOf(choice->getTrueValue()),
                                              birthOf(choice->getFalseValue()));
    else if (llvm::isa<llvm::SelectInst, llvm::UnaryOperator, llvm::FreezeInst, llvm::CastInst,
                       llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction))
      births_[&instruction] = firstBirth(instruction.operands());
  }

  /// The instruction before which the builder now stands.
  llvm::Instruction *behind(llvm::Instruction &instruction) {
    llvm::Instruction *next = instruction.getNextNode();
    builder_.SetInsertPoint(next);
    builder_.SetCurrentDebugLocation(place_);
    return next;
  }

  llvm::Value *addressOf(llvm::Value *pointer) { return builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()); }

  void loaded(llvm::LoadInst &load) {
    llvm::Instruction *next = behind(load);
    births_[&load] = where(any(isBad(&load)), next, [&] {
      return machine("nan_at", builder_.getInt64Ty(), {addressOf(load.getPointerOperand())});
    });
  }

  void stored(llvm::Instruction &store, llvm::Value *value, llvm::Value *pointer) {
    if (!isFloats(*value->getType())) return;
    builder_.SetInsertPoint(&store);
    builder_.SetCurrentDebugLocation(place_);
    llvm::Value *birth = birthOf(value);
    const uint64_t bytes = function_.getDataLayout().getTypeStoreSize(value->getType());
    where(any(isBad(value)), &store, [&]() -> llvm::Value * {
      llvm::json::Object site = sourceSite(store);
      machine("nan_stored", builder_.getVoidTy(),
              {addressOf(pointer), builder_.getInt32(uint32_t(bytes)),
               siteText(*function_.getParent(), std::move(site)), birth});
      return nullptr;
    });
  }

  void returned(llvm::ReturnInst &end) {
    if (isKernel_ || !end.getReturnValue() || !isFloats(*end.getReturnValue()->getType())) return;
    pass(end, kResult, end.getReturnValue());
  }

  void pass(llvm::Instruction &before, uint32_t place, llvm::Value *value) {
    llvm::Value *birth = birthOf(value);
    if (isNone(birth)) return;
    builder_.SetInsertPoint(&before);
    builder_.SetCurrentDebugLocation(place_);
    machine("nan_pass", builder_.getVoidTy(), {builder_.getInt32(place), birth});
  }

  void called(llvm::CallBase &call) {
    if (calledMachineFunction(&call) || call.isTerminator() || isOfAllLanes(call)) return;
    if (isSources(call)) {
      for (llvm::Use &argument : call.args())
        if (isFloats(*argument->getType())) pass(call, call.getArgOperandNo(&argument), argument);
      if (!isFloats(*call.getType())) return;
      behind(call);
      births_[&call] = machine("nan_passed", builder_.getInt64Ty(), {builder_.getInt32(kResult)});
    } else if (isFloats(*call.getType())) {
      made(call, nameOf(call), call.args());
    } else if (call.getType()->isVoidTy()) {
      // The library's: vstore, an image's texel.
      llvm::Value *pointer = nullptr;
      for (llvm::Use &argument : call.args())
        if (argument->getType()->isPointerTy()) pointer = argument;
      for (llvm::Use &argument : call.args())
        if (pointer) stored(call, argument, pointer);
    }
  }

  /// A scalar's bits as a double's; 0 for vectors.
  llvm::Value *numberOf(llvm::Value *value) {
    if (!value || value->getType()->isVectorTy()) return none();
    return builder_.CreateBitCast(builder_.CreateFPCast(value, builder_.getDoubleTy()), builder_.getInt64Ty());
  }

  void made(llvm::Instruction &operation, const std::string &name,
            llvm::iterator_range<llvm::User::op_iterator> operands) {
    llvm::SmallVector<llvm::Value *, 3> floats;
    for (llvm::Use &operand : operands)
      if (isFloats(*operand->getType())) floats.push_back(operand);
    if (floats.empty()) return;
    llvm::Instruction *next = behind(operation);
    llvm::Value *bad = isBad(&operation);
    const auto make = [&] {
      llvm::Value *born = bad;
      for (llvm::Value *operand : floats) {
        llvm::Value *wasBad = isBad(operand);
        if (wasBad->getType() != born->getType()) {
          wasBad = any(wasBad);
          born = any(born);
        }
        if (wasBad->getType() == born->getType()) born = builder_.CreateAnd(born, builder_.CreateNot(wasBad));
      }
      llvm::Value *isNan = any(builder_.CreateFCmpUNO(&operation, &operation));
      llvm::Value *what = builder_.CreateOr(
          builder_.CreateZExt(any(born), builder_.getInt32Ty()),
          builder_.CreateShl(builder_.CreateZExt(isNan, builder_.getInt32Ty()), builder_.getInt32(1)));
      llvm::json::Object site = sourceSite(operation);
      addReads(site, floats);
      site["operation"] = name;
      site["type"] = typeText(*operation.getType(), true);
      site["operands"] = int64_t(floats.size());
      return machine("nan_born", builder_.getInt64Ty(),
                     {what, siteText(*function_.getParent(), std::move(site)), numberOf(floats[0]),
                      numberOf(floats.size() > 1 ? floats[1] : nullptr), firstBirth(operands)});
    };
    births_[&operation] = where(any(bad), next, make);
  }

  llvm::Function &function_;
  const bool isKernel_;
  llvm::IRBuilder<> builder_;
  llvm::DebugLoc place_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> births_;
  llvm::SmallVector<llvm::PHINode *, 16> phis_;
};

} // namespace

llvm::PreservedAnalyses CheckNan::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const abi::CheckSet checks = request.specialization.instrumentation;
  if (!abi::isIn(checks, abi::CheckClass::Nan)) return llvm::PreservedAnalyses::all();
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    if (!abi::isIn(checks, abi::CheckClass::Uninitialized))
      promoteTypes(function, [](const llvm::AllocaInst &variable) { // these need not be told of
        return isFloats(*variable.getAllocatedType());
      });
    for (const char *promise : {"no-nans-fp-math", "no-infs-fp-math"}) function.removeFnAttr(promise);
    Follower(function, function.getName() == request.kernel).run();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
