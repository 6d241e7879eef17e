// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions: their declarations, attributes and names.
#include "frontend/spirv/names.h"
#include "frontend/spirv/translation.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace us::frontend::spirv {
namespace {

/// Kernels take structs and arrays in memory, as Clang passes them.
bool isPassedInMemory(const Type &type) { return type.is(TypeKind::Struct) || type.is(TypeKind::Array); }

llvm::FunctionType *kernelType(Translation &translation, const Type &type) {
  std::vector<llvm::Type *> parameters;
  parameters.reserve(type.members.size());
  for (const Type *parameter : type.members)
    parameters.push_back(isPassedInMemory(*parameter) ? llvm::PointerType::get(translation.context, 0)
                                                      : parameter->llvm);
  return llvm::FunctionType::get(type.element->llvm, parameters, false);
}

Expected<void> addByValue(const Translation &translation, const Instruction &parameter, const Type &content,
                          llvm::AttrBuilder &attributes) {
  if (content.size == 0) return failAt(parameter, "is passed by value and has no size");
  US_TRY(const llvm::MaybeAlign given, alignmentOf(translation, parameter));
  attributes.addByValAttr(content.llvm);
  attributes.addAlignmentAttr(given ? *given : translation.layout().getABITypeAlign(content.llvm));
  return {};
}

/// FuncParamAttr decorations of a parameter, or of a function for its result.
Expected<void> addAttributes(const Translation &translation, const Instruction &instruction, const Type &type,
                             llvm::AttrBuilder &attributes) {
  const bool isPointer = type.is(TypeKind::Pointer) && type.element;
  for (const Decoration &decoration : translation.decorations.of(instruction.result)) {
    if (decoration.kind != spv::Decoration::FuncParamAttr) continue;
    const auto attribute = spv::FunctionParameterAttribute(decoration.operands[0]);
    const bool extends =
        attribute == spv::FunctionParameterAttribute::Zext || attribute == spv::FunctionParameterAttribute::Sext;
    if (extends && type.is(TypeKind::Integer))
      attributes.addAttribute(attribute == spv::FunctionParameterAttribute::Zext ? llvm::Attribute::ZExt
                                                                                 : llvm::Attribute::SExt);
    if (extends || !isPointer) continue;
    if (attribute == spv::FunctionParameterAttribute::ByVal)
      US_CHECK(addByValue(translation, instruction, *type.element, attributes));
    if (attribute == spv::FunctionParameterAttribute::Sret && type.element->size != 0)
      attributes.addStructRetAttr(type.element->llvm);
    if (attribute == spv::FunctionParameterAttribute::NoAlias) attributes.addAttribute(llvm::Attribute::NoAlias);
    if (attribute == spv::FunctionParameterAttribute::NoCapture) attributes.addAttribute(llvm::Attribute::NoCapture);
    if (attribute == spv::FunctionParameterAttribute::NoWrite) attributes.addAttribute(llvm::Attribute::ReadOnly);
  }
  return {};
}

struct FunctionName {
  std::string name;
  const EntryPoint *entry = nullptr; ///< if it is a kernel
  bool isOuter = false, isImport = false, mayRepeat = false;
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::not_intrinsic; ///< that is imported
};

/// What producers that translate LLVM IR import where SPIR-V lacks an intrinsic, for an integer type.
constexpr llvm::Intrinsic::ID kIntrinsics[] = {
    llvm::Intrinsic::uadd_sat, llvm::Intrinsic::sadd_sat, llvm::Intrinsic::usub_sat, llvm::Intrinsic::ssub_sat,
    llvm::Intrinsic::umin,     llvm::Intrinsic::umax,     llvm::Intrinsic::smin,     llvm::Intrinsic::smax,
    llvm::Intrinsic::fshl,     llvm::Intrinsic::fshr,     llvm::Intrinsic::ctpop,    llvm::Intrinsic::bitreverse};

llvm::Intrinsic::ID intrinsicOf(const std::string &name, const llvm::FunctionType &type) {
  llvm::Type *number = type.getReturnType();
  if (!number->isIntegerTy()) return llvm::Intrinsic::not_intrinsic;
  const auto *found = llvm::find_if(kIntrinsics, [&](llvm::Intrinsic::ID one) {
    return name == llvm::Intrinsic::getNameNoUnnamedTypes(one, {number}) &&
           &type == llvm::Intrinsic::getType(type.getContext(), one, {number});
  });
  return found != std::end(kIntrinsics) ? *found : llvm::Intrinsic::not_intrinsic;
}

/// The body of a function that stands for an intrinsic.
void callIntrinsic(llvm::Function &function, llvm::Intrinsic::ID intrinsic) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  llvm::SmallVector<llvm::Value *, 3> operands(llvm::make_pointer_range(function.args()));
  builder.CreateRet(builder.CreateIntrinsic(intrinsic, {function.getReturnType()}, operands));
}

Expected<FunctionName> nameFunction(Translation &translation, const Instruction &begin,
                                    const llvm::FunctionType &type) {
  FunctionName name;
  for (const EntryPoint &entry : translation.entryPoints)
    if (entry.function == begin.result && !name.entry) name.entry = &entry;
  const std::optional<Linkage> linkage = linkageOf(translation.decorations, begin.result);
  if (name.entry) {
    name.name = name.entry->name;
    name.isOuter = true;
  } else if (linkage) {
    name.name = linkage->name;
    name.isImport = linkage->isImport;
    name.mayRepeat = linkage->mayRepeat;
    name.isOuter = true;
    // Some producers export the body of a kernel under the kernel's own name, and have the kernel call it.
    for (const EntryPoint &entry : translation.entryPoints)
      if (!name.isImport && entry.name == name.name) name.isOuter = false;
    // Producers that translate LLVM IR export bodies for intrinsics which SPIR-V lacks: each module has its own.
    if (!name.isImport && name.name.starts_with("llvm.")) name.isOuter = false;
    if (name.isImport) name.intrinsic = intrinsicOf(name.name, type);
    if (name.intrinsic) name.isOuter = false;
  }
  if (name.isOuter) {
    US_CHECK(checkOuterName(translation, begin, name.name));
    return name;
  }
  name.name = innerName(name.name.empty() ? translation.nameOf(begin.result) : name.name, "function");
  return name;
}

Expected<void> declareFunction(Translation &translation, FunctionDeclaration &function) {
  const Instruction &begin = *function.begin;
  US_TRY(function.type, translation.typeAt(begin, begin.operands[1]));
  US_TRY(const Type *result, translation.resultType(begin));
  if (!function.type->is(TypeKind::Function) || function.type->element != result)
    return failAt(begin, "is of a type that is no function type with its result");
  if (function.parameters.size() != function.type->members.size())
    return failAt(begin, "has " + std::to_string(function.parameters.size()) + " parameters, its type has " +
                             std::to_string(function.type->members.size()));
  US_TRY(const FunctionName name,
         nameFunction(translation, begin, *llvm::cast<llvm::FunctionType>(function.type->llvm)));
  if (function.body.empty() && !name.isImport) return failAt(begin, "has no body and is not imported");
  if (!function.body.empty() && name.isImport) return failAt(begin, "has a body and is imported");
  if (name.entry && !result->is(TypeKind::Void)) return failAt(begin, "is a kernel and returns a value");

  auto *type =
      name.entry ? kernelType(translation, *function.type) : llvm::cast<llvm::FunctionType>(function.type->llvm);
  function.llvm =
      llvm::Function::Create(type, !name.isOuter ? llvm::GlobalValue::InternalLinkage : outerLinkage(name.mayRepeat),
                             name.name, translation.module);
  function.llvm->setCallingConv(name.entry ? llvm::CallingConv::SPIR_KERNEL : llvm::CallingConv::SPIR_FUNC);
  function.llvm->addFnAttr(llvm::Attribute::Convergent);
  function.llvm->setDoesNotThrow();
  llvm::AttrBuilder ofResult(translation.context);
  US_CHECK(addAttributes(translation, begin, *result, ofResult));
  function.llvm->addRetAttrs(ofResult);
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Instruction &parameter = *function.parameters[i];
    const Type &expected = *function.type->members[i];
    US_TRY(const Type *parameterType, translation.resultType(parameter));
    if (parameterType != &expected) return failAt(parameter, "is of another type than its function's type says");
    llvm::AttrBuilder attributes(translation.context);
    US_CHECK(addAttributes(translation, parameter, expected, attributes));
    if (name.entry && isPassedInMemory(expected)) US_CHECK(addByValue(translation, parameter, expected, attributes));
    function.llvm->addParamAttrs(unsigned(i), attributes);
  }
  translation.define(begin, function.llvm, function.type);
  if (name.intrinsic) callIntrinsic(*function.llvm, name.intrinsic);
  if (name.entry) US_CHECK(addKernelMetadata(translation, function, *function.llvm, *name.entry));
  return {};
}

/// A further entry point of a function that has one: a kernel that calls the first.
Expected<void> addFurtherKernel(Translation &translation, const FunctionDeclaration &function,
                                const EntryPoint &entry) {
  US_CHECK(checkOuterName(translation, *function.begin, entry.name));
  auto *kernel = llvm::Function::Create(function.llvm->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                                        entry.name, translation.module);
  kernel->copyAttributesFrom(function.llvm);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(translation.context, "", kernel));
  std::vector<llvm::Value *> arguments;
  for (llvm::Argument &argument : kernel->args()) arguments.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(function.llvm, arguments);
  call->setCallingConv(function.llvm->getCallingConv());
  call->setAttributes(function.llvm->getAttributes());
  builder.CreateRetVoid();
  return addKernelMetadata(translation, function, *kernel, entry);
}

} // namespace

Expected<void> declareFunctions(Translation &translation) {
  for (const EntryPoint &entry : translation.entryPoints)
    if (!translation.functions.contains(entry.function))
      return fail(ErrorCode::BuildProgramFailure,
                  "the entry point \"" + entry.name + "\" is no function of the module");
  for (const uint32_t id : translation.functionOrder) US_CHECK(declareFunction(translation, translation.functions[id]));
  std::vector<uint32_t> seen;
  for (const EntryPoint &entry : translation.entryPoints) {
    const FunctionDeclaration &function = translation.functions[entry.function];
    if (llvm::is_contained(seen, entry.function)) US_CHECK(addFurtherKernel(translation, function, entry));
    seen.push_back(entry.function);
  }
  return {};
}

} // namespace us::frontend::spirv
