// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_printf.h"

#include "emulator/abi/kernel_abi.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// The conversion letters of a format, one per argument; a '*' takes an argument too. Empty if the format is unknown.
std::string conversionsOf(const llvm::Value *format) {
  llvm::StringRef text;
  std::string conversions;
  if (!llvm::getConstantStringInfo(format, text)) return conversions;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    for (++i; i < text.size() && llvm::StringRef("-+ #0123456789.*vhlLjzt").contains(text[i]); ++i)
      if (text[i] == '*') conversions += '*';
    if (i < text.size() && text[i] != '%') conversions += text[i];
  }
  return conversions;
}

/// Zero if printf cannot take such a value.
abi::PrintType printTypeOf(const llvm::Type *element, char conversion) {
  using enum abi::PrintType;
  if (element->isPointerTy()) return conversion == 's' ? String : Pointer;
  if (element->isHalfTy()) return Float16;
  if (element->isFloatTy()) return Float32;
  if (element->isDoubleTy()) return Float64;
  if (element->isIntegerTy(8)) return Int8;
  if (element->isIntegerTy(16)) return Int16;
  if (element->isIntegerTy(32)) return Int32;
  if (element->isIntegerTy(64)) return Int64;
  return {};
}

struct RecordedArgument {
  llvm::Value *value;
  llvm::Type *element;
  abi::PrintTag tag;
  uint64_t size; ///< bytes of the values
};

/// Empty if an argument is of a type that printf cannot take.
std::optional<llvm::SmallVector<RecordedArgument>> argumentsOf(const llvm::CallInst &call) {
  const llvm::DataLayout &layout = call.getModule()->getDataLayout();
  const std::string conversions = conversionsOf(call.getArgOperand(0));
  llvm::SmallVector<RecordedArgument> arguments;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    llvm::Value *value = call.getArgOperand(i);
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    llvm::Type *element = vector ? vector->getElementType() : value->getType();
    const unsigned elements = vector ? vector->getNumElements() : 1;
    const abi::PrintType type = printTypeOf(element, i - 1 < conversions.size() ? conversions[i - 1] : '\0');
    if (type == abi::PrintType{}) return std::nullopt;
    arguments.push_back({value, element, {type, uint8_t(elements)}, elements * layout.getTypeStoreSize(element)});
  }
  return arguments;
}

void lowerCall(llvm::CallInst &call, llvm::FunctionCallee print) {
  llvm::LLVMContext &context = call.getContext();
  const std::optional<llvm::SmallVector<RecordedArgument>> arguments = argumentsOf(call);
  if (!arguments) {
    context.emitError(&call, "printf cannot print an argument of this type");
    return;
  }
  uint64_t size = 0;
  for (const RecordedArgument &argument : *arguments) size += sizeof(abi::PrintTag) + argument.size;

  llvm::IRBuilder<> atEntry(context);
  llvm::BasicBlock &entry = call.getFunction()->getEntryBlock();
  atEntry.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  llvm::Value *record = llvm::ConstantPointerNull::get(atEntry.getPtrTy());
  if (size != 0) record = atEntry.CreateAlloca(llvm::ArrayType::get(atEntry.getInt8Ty(), size), nullptr, "record");

  llvm::IRBuilder<> builder(&call);
  uint64_t offset = 0;
  auto store = [&](llvm::Value *value, uint64_t bytes) {
    builder.CreateAlignedStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset),
                               llvm::Align(1));
    offset += bytes;
  };
  for (const RecordedArgument &argument : *arguments) {
    store(builder.getInt8(uint8_t(argument.tag.type)), 1);
    store(builder.getInt8(argument.tag.elements), 1);
    if (!argument.value->getType()->isVectorTy()) {
      store(argument.value, argument.size);
      continue;
    }
    // Element by element: a vector of three is stored as four, and vectors of small integers need not be packed.
    for (unsigned i = 0; i < argument.tag.elements; ++i)
      store(builder.CreateExtractElement(argument.value, i), argument.size / argument.tag.elements);
  }
  llvm::CallInst *lowered =
      builder.CreateCall(print, {call.getArgOperand(0), record, builder.getInt32(uint32_t(size))});
  lowered->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call.replaceAllUsesWith(lowered);
  call.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses LowerPrintf::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function *printf = module.getFunction("printf");
  if (!printf || !printf->isDeclaration() || !printf->isVarArg()) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::FunctionCallee print = module.getOrInsertFunction(
      "us.printf", llvm::FunctionType::get(
                       i32, {llvm::PointerType::get(context, 2), llvm::PointerType::get(context, 0), i32}, false));
  auto *function = llvm::cast<llvm::Function>(print.getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  for (llvm::User *user : llvm::make_early_inc_range(printf->users()))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == printf)
      lowerCall(*call, print);
  if (printf->use_empty()) printf->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
