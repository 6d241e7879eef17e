// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations of a work-group, or of a sub-group when all its work-items take part: calls of OpenCL C's.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// "work_group_" or "sub_group_".
Expected<std::string> prefixOf(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const uint64_t scope, f.number(in, 0));
  if (spv::Scope(scope) == spv::Scope::Workgroup) return std::string("work_group_");
  if (spv::Scope(scope) == spv::Scope::Subgroup) return std::string("sub_group_");
  return failAt(in, "has a scope that is neither the work-group nor the sub-group");
}

Expected<std::string> operationOf(const Instruction &in, size_t place) {
  constexpr const char *kNames[] = {"reduce_", "scan_inclusive_", "scan_exclusive_"};
  const uint32_t operation = in.operands[place];
  if (operation >= std::size(kNames)) return failAt(in, "has a group operation that it cannot have");
  return std::string(kNames[operation]);
}

struct Arithmetic {
  const char *name;
  Sign sign;
};
constexpr Arithmetic kArithmetic[] = {{"add", Sign::Signed},   {"min", Sign::Signed},   {"max", Sign::Signed},
                                      {"min", Sign::Unsigned}, {"max", Sign::Unsigned}, {"mul", Sign::Signed},
                                      {"and", Sign::Signed},   {"or", Sign::Signed},    {"xor", Sign::Signed}};
constexpr uint32_t kAdd = 0, kMin = 1, kMax = 2, kUnsignedMin = 3, kUnsignedMax = 4, kMul = 5, kAnd = 6, kOr = 7,
                   kXor = 8;

/// Operands: scope, group operation, value. `detail` is a place in kArithmetic.
Result arithmetic(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(std::string prefix, prefixOf(f, in));
  if (prefix == "sub_group_" && detail >= kMul) prefix = "sub_group_non_uniform_"; // OpenCL C has no other
  US_TRY(const std::string operation, operationOf(in, 1));
  US_TRY(const Value value, f.operand(in, 2));
  const BuiltinArgument argument = argumentOf(value, kArithmetic[detail].sign);
  return callBuiltin(f, in, prefix + operation + kArithmetic[detail].name, value.type->llvm, {&argument, 1});
}

/// The same of booleans, in OpenCL C ints.
Result logical(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(std::string prefix, prefixOf(f, in));
  if (prefix == "sub_group_") prefix = "sub_group_non_uniform_";
  US_TRY(const std::string operation, operationOf(in, 1));
  US_TRY(const Value value, f.operand(in, 2));
  if (!value.type->is(TypeKind::Bool)) return failOperand(in, 2, *value.type, "a boolean");
  auto &b = f.builder;
  const BuiltinArgument argument = argumentOf(b.CreateZExt(value.llvm, b.getInt32Ty()), "i");
  const std::string name = prefix + operation + "logical_" + kArithmetic[detail].name;
  US_TRY(llvm::Value * result, callBuiltin(f, in, name, b.getInt32Ty(), {&argument, 1}));
  return b.CreateICmpNE(result, b.getInt32(0));
}

template <const char *const &name> Result vote(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const std::string prefix, prefixOf(f, in));
  US_TRY(const Value predicate, f.operand(in, 1));
  if (!predicate.type->is(TypeKind::Bool)) return failOperand(in, 1, *predicate.type, "a boolean");
  auto &b = f.builder;
  const BuiltinArgument argument = argumentOf(b.CreateZExt(predicate.llvm, b.getInt32Ty()), "i");
  US_TRY(llvm::Value * result, callBuiltin(f, in, prefix + name, b.getInt32Ty(), {&argument, 1}));
  return b.CreateICmpNE(result, b.getInt32(0));
}
constexpr const char *kAll = "all", *kAny = "any";

/// Operands: scope, value, local id: a number, or a vector of two or three.
Result broadcast(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const std::string prefix, prefixOf(f, in));
  US_TRY(const Value value, f.operand(in, 1));
  US_TRY(const Value id, integersAt(f, in, 2));
  const bool ofWorkGroup = prefix == "work_group_";
  std::vector<BuiltinArgument> arguments = {argumentOf(value)};
  for (unsigned i = 0; i < id.type->lanes(); ++i) {
    llvm::Value *part = id.type->is(TypeKind::Vector) ? f.builder.CreateExtractElement(id.llvm, uint64_t(i)) : id.llvm;
    part = f.builder.CreateZExtOrTrunc(part, f.builder.getIntNTy(ofWorkGroup ? 64 : 32));
    arguments.push_back(argumentOf(part, ofWorkGroup ? "m" : "j"));
  }
  if (arguments.size() > (ofWorkGroup ? 4u : 2u)) return failOperand(in, 2, *id.type, "a local id");
  if (!ofWorkGroup || !value.type->is(TypeKind::Vector))
    return callBuiltin(f, in, prefix + "broadcast", value.type->llvm, arguments);
  // Those of a work-group take numbers only.
  llvm::Value *whole = llvm::PoisonValue::get(value.type->llvm);
  for (unsigned i = 0; i < value.type->lanes(); ++i) {
    arguments[0] = argumentOf(Value{f.builder.CreateExtractElement(value.llvm, uint64_t(i)), value.type->element});
    US_TRY(llvm::Value * part, callBuiltin(f, in, prefix + "broadcast", value.type->element->llvm, arguments));
    whole = f.builder.CreateInsertElement(whole, part, uint64_t(i));
  }
  return whole;
}

/// Operands: scope, destination, source, number of elements, stride, event.
Result asyncCopy(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value destination, pointerAt(f, in, 1));
  US_TRY(const Value source, pointerAt(f, in, 2));
  US_TRY(llvm::Value * count, integerAs(f, in, 3, 64));
  US_TRY(llvm::Value * stride, integerAs(f, in, 4, 64));
  US_TRY(const Value event, f.operand(in, 5));
  if (!event.type->is(TypeKind::Event)) return failOperand(in, 5, *event.type, "an event");
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(stride);
  const bool isDense = constant && constant->isOne();
  std::vector<BuiltinArgument> arguments = {argumentOf(destination), argumentOf(source, Sign::Signed, true),
                                            argumentOf(count, "m")};
  if (!isDense) arguments.push_back(argumentOf(stride, "m"));
  arguments.push_back(argumentOf(event));
  return callBuiltin(f, in, isDense ? "async_work_group_copy" : "async_work_group_strided_copy", event.type->llvm,
                     arguments);
}

/// Operands: scope, number of events, a pointer to them.
Result waitEvents(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(llvm::Value * count, integerAs(f, in, 1, 32));
  US_TRY(const Value events, pointerAt(f, in, 2));
  if (!events.type->element->is(TypeKind::Event)) return failOperand(in, 2, *events.type, "a pointer to events");
  const BuiltinArgument arguments[] = {argumentOf(count, "i"), argumentOf(events)};
  return callBuiltin(f, in, "wait_group_events", f.builder.getVoidTy(), arguments);
}

constexpr InstructionRow kGroupRows[] = {
    {spv::Op::OpGroupAll, vote<kAll>},
    {spv::Op::OpGroupAny, vote<kAny>},
    {spv::Op::OpGroupBroadcast, broadcast},
    {spv::Op::OpGroupIAdd, arithmetic, kAdd},
    {spv::Op::OpGroupFAdd, arithmetic, kAdd},
    {spv::Op::OpGroupFMin, arithmetic, kMin},
    {spv::Op::OpGroupSMin, arithmetic, kMin},
    {spv::Op::OpGroupUMin, arithmetic, kUnsignedMin},
    {spv::Op::OpGroupFMax, arithmetic, kMax},
    {spv::Op::OpGroupSMax, arithmetic, kMax},
    {spv::Op::OpGroupUMax, arithmetic, kUnsignedMax},
    {spv::Op::OpGroupIMulKHR, arithmetic, kMul},
    {spv::Op::OpGroupFMulKHR, arithmetic, kMul},
    {spv::Op::OpGroupBitwiseAndKHR, arithmetic, kAnd},
    {spv::Op::OpGroupBitwiseOrKHR, arithmetic, kOr},
    {spv::Op::OpGroupBitwiseXorKHR, arithmetic, kXor},
    {spv::Op::OpGroupLogicalAndKHR, logical, kAnd},
    {spv::Op::OpGroupLogicalOrKHR, logical, kOr},
    {spv::Op::OpGroupLogicalXorKHR, logical, kXor},
    {spv::Op::OpGroupAsyncCopy, asyncCopy},
    {spv::Op::OpGroupWaitEvents, waitEvents},
};

} // namespace

std::span<const InstructionRow> groupRows() { return kGroupRows; }

} // namespace us::frontend::spirv
