// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .entry functions as kernels: arguments, what the directives say, and the metadata that Clang would write.
#include "frontend/ptx/calls.h"
#include "frontend/ptx/function_translation.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <set>

namespace us::frontend::ptx {
namespace {

/// Of local memory as a whole.
constexpr uint64_t kMostDynamicAlignment = 1024;

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

/// Names of operands, in all parts of them.
bool mentions(const Operand &operand, const std::set<std::string_view> &names) {
  if (names.contains(operand.name)) return true;
  for (const Operand &element : operand.elements)
    if (mentions(element, names)) return true;
  return false;
}

/// The `.extern .shared` arrays that are known in the block.
void dynamicNames(const Block &block, std::set<std::string_view> &names) {
  for (const Variable &variable : block.variables)
    if (isDynamicShared(variable)) names.insert(variable.name);
}

bool usesDynamicShared(const Block &block, std::set<std::string_view> names) {
  dynamicNames(block, names);
  if (names.empty()) {
    for (const Statement &statement : block.statements)
      if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement);
          inner && usesDynamicShared(**inner, names))
        return true;
    return false;
  }
  for (const Statement &statement : block.statements) {
    if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement)) {
      if (usesDynamicShared(**inner, names)) return true;
    } else if (const auto *instruction = std::get_if<Instruction>(&statement)) {
      for (const Operand &operand : instruction->operands)
        if (mentions(operand, names)) return true;
    }
  }
  return false;
}

/// OpenCL C's name of a parameter's type, which says size and sign.
std::string typeNameOf(const Variable &parameter) {
  struct Row {
    std::string_view type;
    const char *name;
  };
  constexpr Row kNames[] = {{"s8", "char"},    {"u8", "uchar"},  {"b8", "uchar"}, {"s16", "short"}, {"u16", "ushort"},
                            {"b16", "ushort"}, {"s32", "int"},   {"u32", "uint"}, {"b32", "uint"},  {"s64", "long"},
                            {"u64", "ulong"},  {"b64", "ulong"}, {"f16", "half"}, {"f32", "float"}, {"f64", "double"}};
  if (isBlob(parameter)) return "struct";
  for (const Row &row : kNames)
    if (row.type == parameter.type->name) return row.name;
  return std::string(parameter.type->name);
}

void addMetadata(Translation &translation, const FunctionText &function, llvm::Function &kernel) {
  llvm::LLVMContext &context = translation.context;
  const auto text = [&](llvm::StringRef value) -> llvm::Metadata * { return llvm::MDString::get(context, value); };
  const auto number = [&](uint64_t value) -> llvm::Metadata * {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), uint32_t(value)));
  };
  std::vector<llvm::Metadata *> spaces, accesses, types, qualifiers, names;
  for (const Variable &parameter : function.parameters) {
    spaces.push_back(number(0));
    types.push_back(text(typeNameOf(parameter)));
    names.push_back(text(ref(parameter.name)));
  }
  if (kernel.arg_size() > function.parameters.size()) {
    spaces.push_back(number(kShared));
    types.push_back(text("char*"));
    names.push_back(text("dynamic shared memory"));
  }
  accesses.assign(spaces.size(), text("none"));
  qualifiers.assign(spaces.size(), text(""));
  const auto add = [&](const char *kind, const std::vector<llvm::Metadata *> &values) {
    kernel.setMetadata(kind, llvm::MDNode::get(context, values));
  };
  add("kernel_arg_addr_space", spaces);
  add("kernel_arg_access_qual", accesses);
  add("kernel_arg_type", types);
  add("kernel_arg_base_type", types);
  add("kernel_arg_type_qual", qualifiers);
  add("kernel_arg_name", names);
  add("us_language_target", {number(translation.text.target)});
  // A thread may wait for any other of its block.
  kernel.addFnAttr("us_forward_progress");
  kernel.addFnAttr("us_barriers_may_be_skipped");
  for (const PerformanceDirective &directive : function.directives) {
    if (directive.name == "explicitcluster") kernel.addFnAttr("us_explicit_cluster");
    if (directive.name == "maxclusterrank" && !directive.values.empty())
      add("us_max_cluster", {number(directive.values.front())});
    constexpr std::pair<std::string_view, const char *> kSizes[] = {{"maxntid", "us_max_work_group_size"},
                                                                    {"reqntid", "reqd_work_group_size"},
                                                                    {"reqnctapercluster", "us_cluster_size"}};
    for (const auto &[name, kind] : kSizes) {
      if (directive.name != name) continue;
      std::vector<llvm::Metadata *> sizes;
      for (size_t i = 0; i < 3; ++i) sizes.push_back(number(i < directive.values.size() ? directive.values[i] : 1));
      add(kind, sizes);
    }
  }
}

/// "Kernel parameters: 4352 bytes; 32764 since PTX 8.1 for sm_70 and higher."
Expected<void> checkParameterSpace(const Translation &translation, const FunctionText &kernel) {
  const uint64_t most = translation.text.version >= 81 && translation.text.target >= 70 ? 32764 : 4352;
  uint64_t bytes = 0;
  for (const Variable &parameter : kernel.parameters) {
    const uint64_t alignment = alignmentOf(parameter);
    bytes = llvm::alignTo(bytes, alignment);
    if (__builtin_add_overflow(bytes, sizeOf(parameter), &bytes)) bytes = UINT64_MAX;
    if (bytes > most)
      return failAt(kernel.place, "the parameters of '" + std::string(kernel.name) + "' take more than " +
                                      std::to_string(most) + " bytes");
  }
  return {};
}

/// "The total number of CTAs in a cluster"; which of these a launch may have, its API says.
Expected<void> checkClusterSize(const FunctionText &text) {
  constexpr uint64_t kMostBlocks = 16;
  for (const PerformanceDirective &directive : text.directives) {
    const bool isSize = directive.name == "reqnctapercluster";
    if (!isSize && directive.name != "maxclusterrank") continue;
    if (directive.values.empty()) return failAt(directive.place, "." + std::string(directive.name) + " has a number");
    uint64_t blocks = 1;
    for (const uint64_t size : directive.values)
      blocks = std::min(blocks, kMostBlocks + 1) * std::min(size, kMostBlocks + 1);
    if (blocks == 0 || (isSize && blocks > kMostBlocks))
      return failAt(directive.place, "a cluster has 1 to " + std::to_string(kMostBlocks) + " blocks");
  }
  return {};
}

/// What the function's first .loc says of the function itself.
SourceLine sourceOf(const Block &block) {
  for (const Statement &statement : block.statements) {
    SourceLine source;
    if (const auto *const instruction = std::get_if<Instruction>(&statement);
        instruction && !instruction->source.inlinedAt)
      source = instruction->source;
    if (const auto *const inner = std::get_if<std::unique_ptr<Block>>(&statement)) source = sourceOf(**inner);
    if (source.place.line) return source;
  }
  return {};
}

void addDebugFunction(Translation &translation, const FunctionText &function, llvm::Function &kernel) {
  const SourceLine source = sourceOf(*function.body);
  llvm::DIFile *const file = source.place.line ? translation.fileOf(source) : nullptr;
  kernel.setSubprogram(file ? translation.debugFunction(kernel.getName(), file, source.place.line)
                            : translation.debugFunction(kernel.getName(), translation.debugFile, function.place.line));
}

bool usesDynamicShared(const Translation &translation, const FunctionText &text) {
  std::set<std::string_view> names;
  for (const auto &[name, variable] : translation.dynamicShared) names.insert(name);
  return usesDynamicShared(*text.body, std::move(names));
}

} // namespace

void surveyDynamicShared(Translation &translation) {
  for (const FunctionText &function : translation.text.functions)
    if (function.body && !function.isEntry && usesDynamicShared(translation, function))
      translation.functionsUseDynamicShared = true;
}

Expected<void> addKernel(Translation &translation, const FunctionText &text) {
  if (!text.body) return {}; // declared only
  if (text.isEntry && !text.results.empty()) return failAt(text.place, "a kernel has no result");
  US_CHECK(checkClusterSize(text));
  for (const Variable &parameter : text.parameters)
    if (text.isEntry && parameter.space == StateSpace::Register)
      return failAt(parameter.place, "the parameters of a kernel are .param variables");
  if (text.isEntry) US_CHECK(checkParameterSpace(translation, text));
  US_TRY(std::vector<llvm::Type *> types, parameterTypes(translation, text.parameters));
  llvm::Function *kernel = nullptr;
  bool hasDynamic = false;
  if (text.isEntry) {
    if (translation.module.getNamedValue(ref(text.name)))
      return failAt(text.place, "'" + std::string(text.name) + "' is defined twice");
    hasDynamic = translation.functionsUseDynamicShared || usesDynamicShared(translation, text);
    if (hasDynamic) types.push_back(llvm::PointerType::get(translation.context, kShared));
    kernel = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(translation.context), types, false),
                                    llvm::GlobalValue::ExternalLinkage, ref(text.name), translation.module);
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    kernel->setDoesNotThrow();
    kernel->addFnAttr("uniform-work-group-size", "true"); // a grid is made of whole blocks
    addMetadata(translation, text, *kernel);
  } else {
    US_TRY(kernel, functionFor(translation, text));
    if (!kernel->empty()) return failAt(text.place, "'" + std::string(text.name) + "' is defined twice");
    // Another declaration may have come first, and said something else.
    types.insert(types.begin(), text.results.size(), llvm::PointerType::get(translation.context, kPrivate));
    if (kernel->getFunctionType()->params() != llvm::ArrayRef<llvm::Type *>(types))
      return failAt(text.place, "'" + std::string(text.name) + "' was declared with other parameters");
  }
  addDebugFunction(translation, text, *kernel);

  FunctionTranslation f(translation, *kernel, text);
  auto *entry = llvm::BasicBlock::Create(translation.context, "entry", kernel);
  f.builder.SetInsertPoint(entry);
  f.builder.SetCurrentDebugLocation(
      llvm::DILocation::get(translation.context, kernel->getSubprogram()->getLine(), 0, kernel->getSubprogram()));
  f.scopes_.emplace_back();
  FunctionTranslation::Scope &scope = f.scopes_.back();
  for (size_t i = 0; i < text.results.size(); ++i) {
    const Variable &result = text.results[i];
    if (result.space == StateSpace::Register)
      scope.registers[result.name] = {result.type, f.temporary(f.llvmType(result.type)), 1};
    else
      scope.memory[result.name] = {StateSpace::Parameter, kernel->getArg(unsigned(i)), &result};
  }
  for (size_t i = 0; i < text.parameters.size(); ++i) {
    const Variable &parameter = text.parameters[i];
    llvm::Argument *argument = kernel->getArg(unsigned(text.results.size() + i));
    if (scope.memory.contains(parameter.name) || scope.registers.contains(parameter.name))
      return failAt(parameter.place, "'" + std::string(parameter.name) + "' is declared twice");
    if (isBlob(parameter)) {
      // A function reads its caller's bytes where they are.
      if (text.isEntry) {
        llvm::Type *bytes = llvm::ArrayType::get(f.builder.getInt8Ty(), sizeOf(parameter));
        argument->addAttr(llvm::Attribute::getWithByValType(translation.context, bytes));
        argument->addAttr(llvm::Attribute::getWithAlignment(translation.context, llvm::Align(alignmentOf(parameter))));
      }
      scope.memory[parameter.name] = {StateSpace::Parameter, argument, &parameter};
      continue;
    }
    llvm::AllocaInst *room = f.builder.CreateAlloca(argument->getType());
    room->setAlignment(llvm::Align(alignmentOf(parameter)));
    f.builder.CreateStore(argument, room);
    if (parameter.space == StateSpace::Register)
      scope.registers[parameter.name] = {parameter.type, room, 1};
    else
      scope.memory[parameter.name] = {StateSpace::Parameter, room, &parameter};
  }
  if (hasDynamic) {
    f.dynamicShared = kernel->getArg(kernel->arg_size() - 1);
    // The launch puts it where the variables say.
    uint64_t alignment = 1;
    for (const auto &[name, variable] : translation.dynamicShared)
      alignment = std::max(alignment, std::min(alignmentOf(*variable), kMostDynamicAlignment));
    kernel->getArg(kernel->arg_size() - 1)
        ->addAttr(llvm::Attribute::getWithAlignment(translation.context, llvm::Align(alignment)));
  }
  if (!text.isEntry && usesDynamicShared(translation, text)) f.dynamicShared = f.dynamicSharedOfLaunch();
  if (f.dynamicShared) {
    for (const auto &[name, variable] : translation.dynamicShared)
      scope.memory[name] = {StateSpace::Shared, f.dynamicShared, variable};
  }
  f.beginBlock("body");
  llvm::BasicBlock *body = f.builder.GetInsertBlock();
  US_CHECK(f.translateBody(*text.body));
  f.builder.SetInsertPoint(entry);
  f.builder.CreateBr(body);
  return {};
}

} // namespace us::frontend::ptx
