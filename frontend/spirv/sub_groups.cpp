// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpGroupNonUniform*: operations among those work-items of a sub-group that reach the same place, as calls of the
// cl_khr_subgroup_* functions. Operand 0 is always the scope.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

#include <array>

namespace us::frontend::spirv {
namespace {

/// How an operand is passed: as it is, or as one of OpenCL C's types.
enum class Pass : uint8_t { None, Value, UnsignedValue, Bool, Index, Distance, Mask };
enum class Give : uint8_t { Value, Bool, Number, Mask };

struct Call {
  spv::Op opcode;
  const char *name;
  Pass first, second;
  Give result;
};
constexpr Call kCalls[] = {
    {spv::Op::OpGroupNonUniformElect, "sub_group_elect", Pass::None, Pass::None, Give::Bool},
    {spv::Op::OpGroupNonUniformAll, "sub_group_non_uniform_all", Pass::Bool, Pass::None, Give::Bool},
    {spv::Op::OpGroupNonUniformAny, "sub_group_non_uniform_any", Pass::Bool, Pass::None, Give::Bool},
    {spv::Op::OpGroupNonUniformAllEqual, "sub_group_non_uniform_all_equal", Pass::Value, Pass::None, Give::Bool},
    {spv::Op::OpGroupNonUniformBroadcast, "sub_group_non_uniform_broadcast", Pass::Value, Pass::Index, Give::Value},
    {spv::Op::OpGroupNonUniformBroadcastFirst, "sub_group_broadcast_first", Pass::Value, Pass::None, Give::Value},
    {spv::Op::OpGroupNonUniformBallot, "sub_group_ballot", Pass::Bool, Pass::None, Give::Mask},
    {spv::Op::OpGroupNonUniformInverseBallot, "sub_group_inverse_ballot", Pass::Mask, Pass::None, Give::Bool},
    {spv::Op::OpGroupNonUniformBallotBitExtract, "sub_group_ballot_bit_extract", Pass::Mask, Pass::Index, Give::Bool},
    {spv::Op::OpGroupNonUniformBallotFindLSB, "sub_group_ballot_find_lsb", Pass::Mask, Pass::None, Give::Number},
    {spv::Op::OpGroupNonUniformBallotFindMSB, "sub_group_ballot_find_msb", Pass::Mask, Pass::None, Give::Number},
    {spv::Op::OpGroupNonUniformShuffle, "sub_group_shuffle", Pass::Value, Pass::Index, Give::Value},
    {spv::Op::OpGroupNonUniformShuffleXor, "sub_group_shuffle_xor", Pass::Value, Pass::Index, Give::Value},
    {spv::Op::OpGroupNonUniformShuffleUp, "sub_group_shuffle_up", Pass::Value, Pass::Index, Give::Value},
    {spv::Op::OpGroupNonUniformShuffleDown, "sub_group_shuffle_down", Pass::Value, Pass::Index, Give::Value},
    {spv::Op::OpGroupNonUniformRotateKHR, "sub_group_rotate", Pass::Value, Pass::Distance, Give::Value},
};

Expected<void> checkScope(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const uint64_t scope, f.number(in, 0));
  if (spv::Scope(scope) != spv::Scope::Subgroup) return failAt(in, "has a scope that is not the sub-group");
  return {};
}

bool isMask(const Type &type) { return type.isIntegers() && type.lanes() == 4 && type.scalar().width == 32; }

Expected<BuiltinArgument> passed(FunctionTranslation &f, const Instruction &in, size_t place, Pass how) {
  auto &b = f.builder;
  US_TRY(const Value value, f.operand(in, place));
  const Type &type = *value.type;
  if (how == Pass::Bool) {
    if (!type.is(TypeKind::Bool)) return failOperand(in, place, type, "a boolean");
    return argumentOf(b.CreateZExt(value.llvm, b.getInt32Ty()), "i");
  }
  if (how == Pass::Index || how == Pass::Distance) {
    US_TRY(llvm::Value * index, integerAs(f, in, place, 32));
    return argumentOf(index, how == Pass::Index ? "j" : "i");
  }
  if (how == Pass::Mask && !isMask(type)) return failOperand(in, place, type, "four integers of 32 bits");
  const bool isUnsigned = how == Pass::Mask || how == Pass::UnsignedValue;
  return argumentOf(value, isUnsigned ? Sign::Unsigned : Sign::Signed);
}

/// `detail` is a place in kCalls.
Result call(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  const Call &row = kCalls[detail];
  US_CHECK(checkScope(f, in));
  std::vector<BuiltinArgument> arguments;
  std::string name = row.name;
  for (const auto &[place, how] : {std::pair(size_t(1), row.first), std::pair(size_t(2), row.second)}) {
    if (how == Pass::None) continue;
    US_TRY(arguments.emplace_back(), passed(f, in, place, how));
  }
  // The optional size of a cluster.
  if (in.opcode == spv::Op::OpGroupNonUniformRotateKHR && in.operands.size() > 3) {
    name = "sub_group_clustered_rotate";
    US_TRY(arguments.emplace_back(), passed(f, in, 3, Pass::Index));
  }
  auto &b = f.builder;
  US_TRY(const Type *type, f.resultType(in));
  llvm::Type *const results[] = {type->llvm, b.getInt32Ty(), b.getInt32Ty(),
                                 llvm::FixedVectorType::get(b.getInt32Ty(), 4)};
  US_TRY(llvm::Value * value, callBuiltin(f, in, name, results[size_t(row.result)], arguments));
  return row.result == Give::Bool ? b.CreateICmpNE(value, b.getInt32(0)) : value;
}

/// Operands: scope, group operation, mask.
Result countBallot(FunctionTranslation &f, const Instruction &in, uint32_t) {
  constexpr const char *kNames[] = {"sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                                    "sub_group_ballot_exclusive_scan"};
  US_CHECK(checkScope(f, in));
  if (in.operands[1] >= std::size(kNames)) return failAt(in, "has a group operation that it cannot have");
  US_TRY(const BuiltinArgument mask, passed(f, in, 2, Pass::Mask));
  return callBuiltin(f, in, kNames[in.operands[1]], f.builder.getInt32Ty(), {&mask, 1});
}

struct Arithmetic {
  spv::Op opcode;
  const char *name;
  Pass pass;
};
constexpr Arithmetic kArithmetic[] = {
    {spv::Op::OpGroupNonUniformIAdd, "add", Pass::Value},
    {spv::Op::OpGroupNonUniformFAdd, "add", Pass::Value},
    {spv::Op::OpGroupNonUniformIMul, "mul", Pass::Value},
    {spv::Op::OpGroupNonUniformFMul, "mul", Pass::Value},
    {spv::Op::OpGroupNonUniformSMin, "min", Pass::Value},
    {spv::Op::OpGroupNonUniformUMin, "min", Pass::UnsignedValue},
    {spv::Op::OpGroupNonUniformFMin, "min", Pass::Value},
    {spv::Op::OpGroupNonUniformSMax, "max", Pass::Value},
    {spv::Op::OpGroupNonUniformUMax, "max", Pass::UnsignedValue},
    {spv::Op::OpGroupNonUniformFMax, "max", Pass::Value},
    {spv::Op::OpGroupNonUniformBitwiseAnd, "and", Pass::Value},
    {spv::Op::OpGroupNonUniformBitwiseOr, "or", Pass::Value},
    {spv::Op::OpGroupNonUniformBitwiseXor, "xor", Pass::Value},
    {spv::Op::OpGroupNonUniformLogicalAnd, "logical_and", Pass::Bool},
    {spv::Op::OpGroupNonUniformLogicalOr, "logical_or", Pass::Bool},
    {spv::Op::OpGroupNonUniformLogicalXor, "logical_xor", Pass::Bool},
};

/// Operands: scope, group operation, value, size of a cluster. `detail` is a place in kArithmetic.
Result arithmetic(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  constexpr const char *kOperations[] = {"sub_group_non_uniform_reduce_", "sub_group_non_uniform_scan_inclusive_",
                                         "sub_group_non_uniform_scan_exclusive_", "sub_group_clustered_reduce_"};
  constexpr uint32_t kClustered = 3;
  const Arithmetic &row = kArithmetic[detail];
  US_CHECK(checkScope(f, in));
  const uint32_t operation = in.operands[1];
  if (operation >= std::size(kOperations)) return failAt(in, "has a group operation that it cannot have");
  std::vector<BuiltinArgument> arguments;
  US_TRY(arguments.emplace_back(), passed(f, in, 2, row.pass));
  if (operation == kClustered) {
    if (in.operands.size() < 4) return failAt(in, "lacks the size of its clusters");
    US_TRY(arguments.emplace_back(), passed(f, in, 3, Pass::Index));
  }
  llvm::Type *type = arguments[0].value->getType();
  US_TRY(llvm::Value * value, callBuiltin(f, in, std::string(kOperations[operation]) + row.name, type, arguments));
  return row.pass == Pass::Bool ? f.builder.CreateICmpNE(value, f.builder.getInt32(0)) : value;
}

/// sub_group_shuffle of a number, or of each of a vector's.
Result shuffle(FunctionTranslation &f, const Instruction &in, size_t place, llvm::Value *index) {
  auto &b = f.builder;
  US_TRY(const Value value, f.operand(in, place));
  const Type &type = *value.type;
  if (!type.is(TypeKind::Vector)) {
    const BuiltinArgument arguments[] = {argumentOf(value), argumentOf(index, "j")};
    return callBuiltin(f, in, "sub_group_shuffle", type.llvm, arguments);
  }
  llvm::Value *whole = llvm::PoisonValue::get(type.llvm);
  for (unsigned i = 0; i < type.lanes(); ++i) {
    const Value one{b.CreateExtractElement(value.llvm, uint64_t(i)), type.element};
    const BuiltinArgument arguments[] = {argumentOf(one), argumentOf(index, "j")};
    US_TRY(llvm::Value * part, callBuiltin(f, in, "sub_group_shuffle", type.element->llvm, arguments));
    whole = b.CreateInsertElement(whole, part, uint64_t(i));
  }
  return whole;
}

/// SPV_INTEL_subgroups. Operands: value, and the work-item or the mask.
Result shuffleByIndex(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(llvm::Value * index, integerAs(f, in, 1, 32));
  if (in.opcode == spv::Op::OpSubgroupShuffleXorINTEL) {
    US_TRY(llvm::Value * lane, callBuiltin(f, in, "get_sub_group_local_id", f.builder.getInt32Ty(), {}));
    index = f.builder.CreateXor(lane, index);
  }
  return shuffle(f, in, 0, index);
}

/// Operands: two values, as if the sub-group's of the one followed those of the other, and a distance.
Result shuffleByDistance(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const bool isUp = in.opcode == spv::Op::OpSubgroupShuffleUpINTEL;
  auto &b = f.builder;
  US_TRY(llvm::Value * distance, integerAs(f, in, 2, 32));
  US_TRY(llvm::Value * lane, callBuiltin(f, in, "get_sub_group_local_id", b.getInt32Ty(), {}));
  US_TRY(llvm::Value * size, callBuiltin(f, in, "get_max_sub_group_size", b.getInt32Ty(), {}));
  // Up: previous, current. Down: current, next.
  llvm::Value *index = isUp ? b.CreateSub(lane, distance) : b.CreateAdd(lane, distance);
  llvm::Value *inFirst = isUp ? b.CreateICmpULT(lane, distance) : b.CreateICmpULT(index, size);
  index = b.CreateAnd(index, b.CreateSub(size, b.getInt32(1))); // a power of two
  US_TRY(llvm::Value * first, shuffle(f, in, 0, index));
  US_TRY(llvm::Value * second, shuffle(f, in, 1, index));
  return b.CreateSelect(inFirst, first, second);
}

/// The operands of blocks: a pointer to global or local memory, or an image of two dimensions and a place in it.
Expected<Value> blockPointer(FunctionTranslation &f, const Instruction &in, const Type &element) {
  US_TRY(const Value pointer, pointerAt(f, in, 0));
  const Type &target = *pointer.type->element;
  const spv::StorageClass storage = pointer.type->storage;
  const bool isMemory = storage == spv::StorageClass::CrossWorkgroup || storage == spv::StorageClass::Workgroup;
  if (!isMemory || !target.is(TypeKind::Integer) || target.width != element.width)
    return failOperand(in, 0, *pointer.type, "a pointer to such integers in global or local memory");
  return pointer;
}
Expected<Value> flatImage(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const Value image, f.operand(in, 0));
  const bool isFlat = image.type->is(TypeKind::Image) && image.type->image.dimension == uint32_t(spv::Dim::Dim2D) &&
                      !image.type->image.arrayed && !image.type->image.depth;
  if (!isFlat) return failOperand(in, 0, *image.type, "an image of two dimensions");
  return image;
}
Expected<Value> placeInImage(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const Value at, integersAt(f, in, 1));
  if (at.type->lanes() != 2 || at.type->scalar().width != 32)
    return failOperand(in, 1, *at.type, "two integers of 32 bits");
  return at;
}

/// intel_sub_group_block_read or _write of values of this type: "_us4".
Expected<std::string> blockFunction(const Instruction &in, const char *name, const Type &type, bool isImage) {
  const unsigned lanes = type.lanes(), width = type.scalar().width;
  const char *ending = width == 8 ? "_uc" : width == 16 ? "_us" : width == 32 ? "" : "_ul";
  const bool isWide = lanes == 16 && width <= 16;
  if (!type.isIntegers() || !(lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || isWide))
    return failAt(in, std::string("moves blocks of ") + (isImage ? "an image" : "memory") + " as " + typeName(type));
  return std::string(name) + ending + (lanes == 1 ? "" : std::to_string(lanes));
}

/// SPV_INTEL_subgroups: blocks of buffers and images.
Result blockRead(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const bool isImage = in.opcode == spv::Op::OpSubgroupImageBlockReadINTEL;
  US_TRY(const Type *type, f.resultType(in));
  US_TRY(const std::string name, blockFunction(in, "intel_sub_group_block_read", *type, isImage));
  if (isImage) {
    US_TRY(const Value image, flatImage(f, in));
    US_TRY(const Value at, placeInImage(f, in));
    return callBuiltin(f, in, name, type->llvm, std::array{argumentOf(image), argumentOf(at)});
  }
  US_TRY(const Value from, blockPointer(f, in, type->scalar()));
  return callBuiltin(f, in, name, type->llvm, std::array{argumentOf(from, Sign::Unsigned, true)});
}

Result blockWrite(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const bool isImage = in.opcode == spv::Op::OpSubgroupImageBlockWriteINTEL;
  US_TRY(const Value data, f.operand(in, isImage ? 2 : 1));
  US_TRY(const std::string name, blockFunction(in, "intel_sub_group_block_write", *data.type, isImage));
  llvm::Type *nothing = f.builder.getVoidTy();
  if (isImage) {
    US_TRY(const Value image, flatImage(f, in));
    US_TRY(const Value at, placeInImage(f, in));
    return callBuiltin(f, in, name, nothing,
                       std::array{argumentOf(image), argumentOf(at), argumentOf(data, Sign::Unsigned)});
  }
  US_TRY(const Value to, blockPointer(f, in, data.type->scalar()));
  return callBuiltin(f, in, name, nothing,
                     std::array{argumentOf(to, Sign::Unsigned), argumentOf(data, Sign::Unsigned)});
}

} // namespace

std::span<const InstructionRow> subGroupRows() {
  static const std::vector<InstructionRow> &rows = *[] {
    auto *made = new std::vector<InstructionRow>{{spv::Op::OpGroupNonUniformBallotBitCount, countBallot, 0},
                                                 {spv::Op::OpSubgroupShuffleINTEL, shuffleByIndex, 0},
                                                 {spv::Op::OpSubgroupShuffleXorINTEL, shuffleByIndex, 0},
                                                 {spv::Op::OpSubgroupShuffleUpINTEL, shuffleByDistance, 0},
                                                 {spv::Op::OpSubgroupShuffleDownINTEL, shuffleByDistance, 0},
                                                 {spv::Op::OpSubgroupBlockReadINTEL, blockRead, 0},
                                                 {spv::Op::OpSubgroupBlockWriteINTEL, blockWrite, 0},
                                                 {spv::Op::OpSubgroupImageBlockReadINTEL, blockRead, 0},
                                                 {spv::Op::OpSubgroupImageBlockWriteINTEL, blockWrite, 0}};
    for (uint32_t i = 0; i < std::size(kCalls); ++i) made->push_back({kCalls[i].opcode, call, i});
    for (uint32_t i = 0; i < std::size(kArithmetic); ++i) made->push_back({kArithmetic[i].opcode, arithmetic, i});
    return made;
  }();
  return rows;
}

} // namespace us::frontend::spirv
