// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue. SPIR-V names any function and any memory, the runtime takes what Clang makes of a block: a
// kernel whose first argument points to a literal that begins with its size. So the memory is copied behind such a
// head, and a kernel of our own skips the head and calls the function.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/opaque_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

constexpr OpaqueCall kCalls[] = {
    {spv::Op::OpEnqueueMarker, "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_", "qnmm", 'i'},
    {spv::Op::OpGetDefaultQueue, "_Z17get_default_queuev", "", 'q'},
    {spv::Op::OpRetainEvent, "_Z12retain_event12ocl_clkevent", "e", 'v'},
    {spv::Op::OpReleaseEvent, "_Z13release_event12ocl_clkevent", "e", 'v'},
    {spv::Op::OpCreateUserEvent, "_Z17create_user_eventv", "", 'e'},
    {spv::Op::OpIsValidEvent, "_Z14is_valid_event12ocl_clkevent", "e", 'b'},
    {spv::Op::OpSetUserEventStatus, "_Z21set_user_event_status12ocl_clkeventi", "en", 'v'},
    {spv::Op::OpCaptureEventProfilingInfo, "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", "end", 'v'},
};

Result callQueue(FunctionTranslation &f, const Instruction &in, uint32_t call) {
  return callOpaque(f, in, kCalls[call]);
}

constexpr unsigned kGeneric = 4, kLocal = 3;
/// Of the head before a copy of the parameters: as much as any type of OpenCL C is aligned to.
constexpr uint64_t kHeadBytes = 128;
constexpr uint64_t kMostParameterBytes = uint64_t(1) << 20;

/// Memory of the function's own.
llvm::AllocaInst *ownMemory(FunctionTranslation &f, llvm::Type *type, uint64_t alignment) {
  llvm::IRBuilderBase::InsertPointGuard here(f.builder);
  llvm::BasicBlock &entry = f.function.getEntryBlock();
  f.builder.SetInsertPoint(&entry, entry.begin());
  llvm::AllocaInst *memory = f.builder.CreateAlloca(type);
  memory->setAlignment(llvm::Align(alignment));
  return memory;
}

bool isThreeSizes(const Type &type) {
  return type.is(TypeKind::Array) && type.count == 3 && type.element->is(TypeKind::Integer) &&
         type.element->width == 64;
}

/// "ndrange_t": the number of dimensions, then offset, global and local size.
bool isRange(const Type &type) {
  return type.is(TypeKind::Struct) && type.members.size() == 4 && type.members[0]->is(TypeKind::Integer) &&
         type.members[0]->width == 32 && isThreeSizes(*type.members[1]) && isThreeSizes(*type.members[2]) &&
         isThreeSizes(*type.members[3]);
}

/// OpBuildNDRange: global size, local size, offset; numbers, or arrays of two or three.
Result buildRange(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  if (!isRange(*type)) return failAt(in, "gives the type " + typeName(*type) + ", which is no ndrange_t");
  US_TRY(const Value first, f.operand(in, 0));
  const uint64_t dimensions = first.type->is(TypeKind::Array) ? first.type->count : 1;
  if (dimensions > 3) return failOperand(in, 0, *first.type, "at most three sizes");
  auto &b = f.builder;
  llvm::Value *range = llvm::Constant::getNullValue(type->llvm);
  range = b.CreateInsertValue(range, b.getInt32(uint32_t(dimensions)), 0);
  constexpr unsigned kMembers[] = {2, 3, 1};
  for (size_t place = 0; place < std::size(kMembers); ++place) {
    US_TRY(const Value sizes, f.operand(in, place));
    if (sizes.type->llvm != first.type->llvm) return failOperand(in, place, *sizes.type, "what operand 0 is");
    for (unsigned i = 0; i < dimensions; ++i) {
      llvm::Value *size = sizes.type->is(TypeKind::Array) ? b.CreateExtractValue(sizes.llvm, i) : sizes.llvm;
      if (!size->getType()->isIntegerTy()) return failOperand(in, place, *sizes.type, "sizes");
      range = b.CreateInsertValue(range, b.CreateZExtOrTrunc(size, b.getInt64Ty()), {kMembers[place], i});
    }
  }
  return range;
}

/// A pointer to the range, which is a value; the translator of LLVM gives a pointer to one.
Result rangeAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value range, f.operand(in, place));
  if (range.type->is(TypeKind::Pointer) && isRange(*range.type->element) &&
      range.llvm->getType()->getPointerAddressSpace() == 0)
    return range.llvm;
  if (!isRange(*range.type)) return failOperand(in, place, *range.type, "an ndrange_t");
  llvm::AllocaInst *memory = ownMemory(f, range.type->llvm, 8);
  f.builder.CreateStore(range.llvm, memory);
  return memory;
}

/// The kernel that calls the function behind this operand with what lies after the head.
Result kernelAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  const auto found = f.module.functions.find(in.operands[place]);
  if (found == f.module.functions.end()) return failAt(in, "does not name a function to enqueue");
  llvm::Function &invoke = *found->second.llvm;
  llvm::FunctionType *const type = invoke.getFunctionType();
  if (!type->getReturnType()->isVoidTy() || type->getNumParams() == 0)
    return failAt(in, "enqueues a function that returns a value or takes nothing");
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    if (!type->getParamType(i)->isPointerTy() || (i > 0 && type->getParamType(i)->getPointerAddressSpace() != kLocal))
      return failAt(in, "enqueues a function that takes more than a pointer and local memory");
  llvm::Module &module = f.module.module;
  const std::string name = (invoke.getName() + ".enqueued").str();
  llvm::Function *kernel = module.getFunction(name);
  if (!kernel) {
    std::vector<llvm::Type *> parameters(type->param_begin(), type->param_end());
    parameters[0] = llvm::PointerType::get(f.module.context, kGeneric);
    kernel = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), parameters, false),
                                    llvm::GlobalValue::InternalLinkage, name, module);
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    kernel->addFnAttr(llvm::Attribute::Convergent);
    kernel->setDoesNotThrow();
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(f.module.context, "", kernel));
    std::vector<llvm::Value *> arguments;
    for (llvm::Argument &argument : kernel->args()) arguments.push_back(&argument);
    arguments[0] = b.CreateInBoundsGEP(b.getInt8Ty(), arguments[0], b.getInt64(kHeadBytes));
    if (arguments[0]->getType() != type->getParamType(0))
      arguments[0] = b.CreateAddrSpaceCast(arguments[0], type->getParamType(0));
    llvm::CallInst *call = b.CreateCall(&invoke, arguments);
    call->setCallingConv(invoke.getCallingConv());
    call->setAttributes(invoke.getAttributes());
    b.CreateRetVoid();
  }
  return f.builder.CreateAddrSpaceCast(kernel, f.builder.getPtrTy(kGeneric));
}

/// The literal: a head of size and alignment, then the parameters. `place`: of the pointer; their size follows.
Result literalAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value parameters, f.operand(in, place));
  if (!parameters.type->is(TypeKind::Pointer)) return failOperand(in, place, *parameters.type, "a pointer");
  US_TRY(const uint64_t size, f.number(in, place + 1));
  if (size > kMostParameterBytes) return failAt(in, "passes " + std::to_string(size) + " bytes, at most 2^20 go");
  auto &b = f.builder;
  llvm::AllocaInst *literal = ownMemory(f, llvm::ArrayType::get(b.getInt8Ty(), kHeadBytes + size), kHeadBytes);
  b.CreateStore(b.getInt32(uint32_t(kHeadBytes + size)), literal);
  b.CreateStore(b.getInt32(uint32_t(kHeadBytes)), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), literal, 4));
  b.CreateMemCpy(b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), literal, kHeadBytes), llvm::Align(kHeadBytes),
                 parameters.llvm, llvm::Align(1), size);
  return b.CreateAddrSpaceCast(literal, b.getPtrTy(kGeneric));
}

/// A size of local memory; the translator of LLVM gives a pointer to one.
Result localSizeAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value size, f.operand(in, place));
  if (!size.type->is(TypeKind::Pointer)) return integerAs(f, in, place, 64);
  if (!size.type->element->is(TypeKind::Integer)) return failOperand(in, place, *size.type, "a size");
  return f.builder.CreateZExtOrTrunc(f.builder.CreateLoad(size.type->element->llvm, size.llvm), f.builder.getInt64Ty());
}

/// OpEnqueueKernel: queue, flags, range, events to wait for, event, function, its parameters, sizes of local memory.
Result enqueueKernel(FunctionTranslation &f, const Instruction &in, uint32_t) {
  auto &b = f.builder;
  constexpr size_t kFirstLocal = 10;
  US_TRY(llvm::Value * queue, opaqueOperand(f, in, 0, 'q'));
  US_TRY(llvm::Value * flags, integerAs(f, in, 1, 32));
  US_TRY(llvm::Value * range, rangeAt(f, in, 2));
  US_TRY(llvm::Value * eventCount, integerAs(f, in, 3, 32));
  US_TRY(llvm::Value * waitList, opaqueOperand(f, in, 4, 'm'));
  US_TRY(llvm::Value * event, opaqueOperand(f, in, 5, 'm'));
  US_TRY(llvm::Value * kernel, kernelAt(f, in, 6));
  US_TRY(llvm::Value * literal, literalAt(f, in, 7));
  const uint32_t locals = uint32_t(in.operands.size() - kFirstLocal);
  if (f.module.functions.at(in.operands[6]).llvm->arg_size() != locals + 1)
    return failAt(in, "does not have a size for each local argument of what it enqueues");
  llvm::AllocaInst *sizes = ownMemory(f, llvm::ArrayType::get(b.getInt64Ty(), locals), 8);
  for (uint32_t i = 0; i < locals; ++i) {
    US_TRY(llvm::Value * size, localSizeAt(f, in, kFirstLocal + i));
    b.CreateStore(size, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), sizes, i));
  }
  return callSymbol(f, in, "__enqueue_kernel_events_varargs", b.getInt32Ty(),
                    {queue, flags, range, eventCount, waitList, event, kernel, literal, b.getInt32(locals), sizes});
}

/// Queries about a function that may be enqueued: for a range (`detail` 1), or by themselves.
struct Query {
  spv::Op opcode;
  const char *symbol;
  bool hasRange;
};
constexpr Query kQueries[] = {
    {spv::Op::OpGetKernelNDrangeSubGroupCount, "__get_kernel_sub_group_count_for_ndrange_impl", true},
    {spv::Op::OpGetKernelNDrangeMaxSubGroupSize, "__get_kernel_max_sub_group_size_for_ndrange_impl", true},
    {spv::Op::OpGetKernelWorkGroupSize, "__get_kernel_work_group_size_impl", false},
    {spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple, "__get_kernel_preferred_work_group_size_multiple_impl", false},
};

Result query(FunctionTranslation &f, const Instruction &in, uint32_t which) {
  const Query &row = kQueries[which];
  std::vector<llvm::Value *> arguments;
  if (row.hasRange) {
    US_TRY(llvm::Value * range, rangeAt(f, in, 0));
    arguments.push_back(range);
  }
  US_TRY(llvm::Value * kernel, kernelAt(f, in, row.hasRange));
  US_TRY(llvm::Value * literal, literalAt(f, in, row.hasRange + 1));
  arguments.insert(arguments.end(), {kernel, literal});
  return callSymbol(f, in, row.symbol, f.builder.getInt32Ty(), arguments);
}

} // namespace

std::span<const InstructionRow> deviceEnqueueRows() {
  static const std::vector<InstructionRow> *const rows = [] {
    auto *all = new std::vector<InstructionRow>{{spv::Op::OpBuildNDRange, buildRange},
                                                {spv::Op::OpEnqueueKernel, enqueueKernel}};
    for (uint32_t call = 0; call < std::size(kCalls); ++call) all->push_back({kCalls[call].opcode, callQueue, call});
    for (uint32_t i = 0; i < std::size(kQueries); ++i) all->push_back({kQueries[i].opcode, query, i});
    return all;
  }();
  return *rows;
}

} // namespace us::frontend::spirv
