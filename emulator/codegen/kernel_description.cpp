// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/kernel_description.h"

#include "emulator/codegen/analysis/argument_access.h"
#include "emulator/codegen/analysis/memory_watching.h"
#include "emulator/codegen/analysis/reachable.h"
#include "emulator/codegen/analysis/texture_arguments.h"
#include "emulator/codegen/argument_layout.h"
#include "emulator/codegen/local_memory_layout.h"
#include "emulator/codegen/machine_functions.h"
#include "emulator/codegen/tiers/tier_rules.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace us::codegen {
namespace {

std::string_view stringOperand(const llvm::MDNode *node, unsigned index) {
  if (!node || index >= node->getNumOperands()) return {};
  auto *text = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
  return text ? std::string_view(text->getString()) : std::string_view();
}

uint64_t integerOperand(const llvm::MDNode *node, unsigned index) {
  if (!node || index >= node->getNumOperands()) return 0;
  auto *value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(index));
  return value ? value->getZExtValue() : 0;
}

Size3 sizesOf(const llvm::MDNode *node) {
  Size3 sizes{};
  if (node)
    for (unsigned i = 0; i < 3; ++i) sizes[i] = integerOperand(node, i);
  return sizes;
}

// ---- arguments

struct OpaqueType {
  std::string_view ending; ///< of the base type's name
  ArgumentKind kind;
};
constexpr OpaqueType kOpaqueTypes[] = {{"sampler_t", ArgumentKind::Sampler},
                                       {"queue_t", ArgumentKind::Queue},
                                       {"image1d_t", ArgumentKind::Image},
                                       {"image1d_buffer_t", ArgumentKind::Image},
                                       {"image1d_array_t", ArgumentKind::Image},
                                       {"image2d_t", ArgumentKind::Image},
                                       {"image2d_array_t", ArgumentKind::Image},
                                       {"image2d_depth_t", ArgumentKind::Image},
                                       {"image2d_array_depth_t", ArgumentKind::Image},
                                       {"image3d_t", ArgumentKind::Image},
                                       {"image2d_msaa_t", ArgumentKind::Image},
                                       {"image2d_array_msaa_t", ArgumentKind::Image},
                                       {"image2d_msaa_depth_t", ArgumentKind::Image},
                                       {"image2d_array_msaa_depth_t", ArgumentKind::Image}};

struct NamedBit {
  std::string_view name;
  uint8_t bit;
};
constexpr NamedBit kTypeQualifiers[] = {
    {"const", kTypeConst}, {"restrict", kTypeRestrict}, {"volatile", kTypeVolatile}, {"pipe", kTypePipe}};

uint8_t typeQualifiersFrom(std::string_view text) {
  uint8_t bits = 0;
  for (const NamedBit &known : kTypeQualifiers)
    if (text.find(known.name) != text.npos) bits |= known.bit;
  return bits;
}

AccessQualifier accessFrom(std::string_view text) {
  if (text == "read_only") return AccessQualifier::ReadOnly;
  if (text == "write_only") return AccessQualifier::WriteOnly;
  if (text == "read_write") return AccessQualifier::ReadWrite;
  return AccessQualifier::None;
}

/// "read_only" says what an image's memory is used for; samplers have none.
void describeOpaque(ArgumentInfo &info) {
  info.read = info.kind == ArgumentKind::Image && info.access != AccessQualifier::WriteOnly;
  info.written = info.kind == ArgumentKind::Image && info.access != AccessQualifier::ReadOnly;
}

ArgumentKind kindOf(const llvm::Argument &argument, std::string_view baseType, uint8_t qualifiers) {
  if (!argument.getType()->isPointerTy() || argument.hasByValAttr()) return ArgumentKind::Value;
  if (qualifiers & kTypePipe) return ArgumentKind::Pipe;
  for (const OpaqueType &opaque : kOpaqueTypes)
    if (baseType == opaque.ending) return opaque.kind;
  switch (argument.getType()->getPointerAddressSpace()) {
  case 2:
    return ArgumentKind::ConstantPointer;
  case 3:
    return ArgumentKind::LocalPointer;
  default:
    return ArgumentKind::GlobalPointer;
  }
}

struct ScalarType {
  std::string_view name;
  uint32_t size;
};
constexpr ScalarType kScalarTypes[] = {{"char", 1},  {"uchar", 1},  {"bool", 1},  {"short", 2}, {"ushort", 2},
                                       {"half", 2},  {"int", 4},    {"uint", 4},  {"float", 4}, {"long", 8},
                                       {"ulong", 8}, {"double", 8}, {"size_t", 8}};

/// Alignment of what a pointer points to, from Clang's name of the type, e.g. "float
/// __attribute__((ext_vector_type(4)))*". For structs and other types that the name does not tell, the largest
/// alignment that OpenCL C has.
uint32_t pointeeAlignment(llvm::StringRef baseType) {
  if (!baseType.consume_back("*")) return 1;
  if (baseType.ends_with("*")) return 8;
  auto [name, attribute] = baseType.split(" __attribute__((ext_vector_type(");
  unsigned elements = 1;
  attribute.consumeInteger(10, elements);
  for (const ScalarType &scalar : kScalarTypes)
    if (name == llvm::StringRef(scalar.name)) return scalar.size * (elements == 3 ? 4 : elements);
  return name == "void" ? 1 : 128;
}

/// What a pointer points to, from the same name: "float4"; as Clang calls it where it is no vector.
std::string elementName(llvm::StringRef baseType) {
  if (!baseType.consume_back("*")) return {};
  auto [name, attribute] = baseType.split(" __attribute__((ext_vector_type(");
  return (name + attribute.split(')').first).str();
}

std::vector<ArgumentInfo> describeArguments(llvm::Function &kernel, const ArgumentLayout &layout) {
  const llvm::MDNode *access = kernel.getMetadata("kernel_arg_access_qual");
  const llvm::MDNode *types = kernel.getMetadata("kernel_arg_type");
  const llvm::MDNode *baseTypes = kernel.getMetadata("kernel_arg_base_type");
  const llvm::MDNode *qualifiers = kernel.getMetadata("kernel_arg_type_qual");
  const llvm::MDNode *names = kernel.getMetadata("kernel_arg_name");
  const llvm::SmallVector<ArgumentAccess> accesses = argumentAccess(kernel);
  std::vector<ArgumentInfo> arguments;
  for (const llvm::Argument &argument : kernel.args()) {
    const unsigned i = argument.getArgNo();
    ArgumentInfo info;
    info.typeQualifiers = typeQualifiersFrom(stringOperand(qualifiers, i));
    info.access = accessFrom(stringOperand(access, i));
    info.kind = kindOf(argument, stringOperand(baseTypes, i), info.typeQualifiers);
    info.size = layout.places[i].size;
    info.alignment = layout.places[i].alignment;
    info.offset = layout.places[i].offset;
    const bool isMemory = info.kind == ArgumentKind::GlobalPointer || info.kind == ArgumentKind::ConstantPointer ||
                          info.kind == ArgumentKind::LocalPointer;
    if (isMemory) {
      info.pointeeAlignment = pointeeAlignment(stringOperand(baseTypes, i));
      info.elementName = elementName(stringOperand(baseTypes, i));
      if (const llvm::MaybeAlign declared = argument.getParamAlign())
        info.pointeeAlignment = std::max(info.pointeeAlignment, uint32_t(declared->value()));
    }
    info.read = accesses[i].read;
    info.written = accesses[i].written;
    if (info.kind == ArgumentKind::Image || info.kind == ArgumentKind::Sampler) describeOpaque(info);
    info.typeName = stringOperand(types, i);
    info.name = stringOperand(names, i);
    arguments.push_back(std::move(info));
  }
  for (const auto &[call, argument] : textureReads(kernel)) arguments[argument->getArgNo()].texture = true;
  return arguments;
}

// ---- what it uses

struct CodeFacts {
  bool atomics = false, watches = false, loops = false;
  uint64_t privateBytes = 0;
};

/// Of which other groups see nothing.
bool isOfLocalMemory(const llvm::Instruction &instruction) {
  return llvm::any_of(instruction.operand_values(), [](const llvm::Value *value) {
    return value->getType()->isPointerTy() && value->getType()->getPointerAddressSpace() == 3;
  });
}

CodeFacts factsOf(const llvm::Function &function) {
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  CodeFacts facts;
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 8> backEdges;
  if (!function.isDeclaration()) llvm::FindFunctionBackedges(function, backEdges);
  facts.loops = !backEdges.empty();
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (instruction.isAtomic() && !llvm::isa<llvm::FenceInst>(instruction)) facts.atomics = true;
    facts.watches |= watchesMemory(instruction) && !isOfLocalMemory(instruction);
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (const auto size = slot->getAllocationSize(layout)) facts.privateBytes += size->getFixedValue();
  }
  return facts;
}

/// The functions that can call themselves, directly or not.
llvm::SmallPtrSet<const llvm::Function *, 4> recursiveFunctions(llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Function *, 4> recursive;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (llvm::CallGraphNode *node : *component)
        if (node->getFunction()) recursive.insert(node->getFunction());
  return recursive;
}

KernelInfo describe(llvm::Function &kernel, const llvm::SmallPtrSetImpl<const llvm::Function *> &recursive) {
  KernelInfo info;
  info.name = kernel.getName();
  const ArgumentLayout layout = argumentLayout(kernel);
  info.arguments = describeArguments(kernel, layout);
  info.argumentBlockSize = layout.size;
  info.hasArgumentNames = kernel.hasMetadata("kernel_arg_name");
  info.requiredWorkGroupSize = sizesOf(kernel.getMetadata("reqd_work_group_size"));
  info.maxWorkGroupSize = sizesOf(kernel.getMetadata("us_max_work_group_size"));
  info.requiredClusterSize = sizesOf(kernel.getMetadata("us_cluster_size"));
  info.maxClusterGroups = integerOperand(kernel.getMetadata("us_max_cluster"), 0);
  info.wantsClusters = kernel.hasFnAttribute("us_explicit_cluster");
  info.languageTarget = uint32_t(integerOperand(kernel.getMetadata("us_language_target"), 0));
  info.workGroupSizeHint = sizesOf(kernel.getMetadata("work_group_size_hint"));
  info.requiredSubGroupSize = uint32_t(integerOperand(kernel.getMetadata("intel_reqd_sub_group_size"), 0));
  info.attributes = stringOperand(kernel.getMetadata("us_attributes"), 0);
  info.localMemory = localMemoryLayout(kernel).size;
  info.usesLocalMemory = info.localMemory != 0 || std::ranges::any_of(info.arguments, [](const ArgumentInfo &argument) {
                           return argument.kind == ArgumentKind::LocalPointer;
                         });
  info.uniformWorkGroups = kernel.getFnAttribute("uniform-work-group-size").getValueAsBool();
  const Reachable reachable = reachableFrom(kernel);
  for (const llvm::Function *function : reachable.functions) {
    if (const MachineFunction *used = machineFunction(function->getName()); used && used->fact) info.*used->fact = true;
    info.usesMatrices |= function->getName().starts_with("us_once_") || function->getName().starts_with("us_wide_");
    const CodeFacts facts = factsOf(*function);
    info.usesAtomics |= facts.atomics;
    info.watchesMemory |= facts.watches;
    info.hasLoops |= facts.loops;
    info.privateMemory += facts.privateBytes;
    info.instructions += function->getInstructionCount();
  }
  for (const abi::TierInfo &known : abi::kTiers)
    if (std::string reason = tierRules(known.tier).obstacle({info, reachable, recursive}); !reason.empty())
      info.tierObstacles.push_back({std::string(known.name), std::move(reason)});
  return info;
}

} // namespace

ArgumentKind argumentKind(const llvm::Argument &argument) {
  const llvm::Function &kernel = *argument.getParent();
  const unsigned i = argument.getArgNo();
  return kindOf(argument, stringOperand(kernel.getMetadata("kernel_arg_base_type"), i),
                typeQualifiersFrom(stringOperand(kernel.getMetadata("kernel_arg_type_qual"), i)));
}

std::vector<KernelInfo> describeKernels(llvm::Module &module) {
  const llvm::SmallPtrSet<const llvm::Function *, 4> recursive = recursiveFunctions(module);
  std::vector<KernelInfo> kernels;
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration())
      kernels.push_back(describe(function, recursive));
  return kernels;
}

} // namespace us::codegen
