// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison and selection.
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

constexpr uint32_t kHalfOne = 0x3c00, kBrainOne = 0x3f80; ///< 1.0

using P = llvm::CmpInst;
struct Comparison {
  std::string_view name;
  P::Predicate ofSigned, ofUnsigned, ofFloats;
};
constexpr P::Predicate kNo = P::BAD_ICMP_PREDICATE;
constexpr Comparison kComparisons[] = {
    {"eq", P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ},
    {"ne", P::ICMP_NE, P::ICMP_NE, P::FCMP_ONE},
    {"lt", P::ICMP_SLT, P::ICMP_ULT, P::FCMP_OLT},
    {"le", P::ICMP_SLE, P::ICMP_ULE, P::FCMP_OLE},
    {"gt", P::ICMP_SGT, P::ICMP_UGT, P::FCMP_OGT},
    {"ge", P::ICMP_SGE, P::ICMP_UGE, P::FCMP_OGE},
    {"lo", kNo, P::ICMP_ULT, kNo},
    {"ls", kNo, P::ICMP_ULE, kNo},
    {"hi", kNo, P::ICMP_UGT, kNo},
    {"hs", kNo, P::ICMP_UGE, kNo},
    {"equ", kNo, kNo, P::FCMP_UEQ},
    {"neu", kNo, kNo, P::FCMP_UNE},
    {"ltu", kNo, kNo, P::FCMP_ULT},
    {"leu", kNo, kNo, P::FCMP_ULE},
    {"gtu", kNo, kNo, P::FCMP_UGT},
    {"geu", kNo, kNo, P::FCMP_UGE},
    {"num", kNo, kNo, P::FCMP_ORD},
    {"nan", kNo, kNo, P::FCMP_UNO},
};

/// The comparison that the instruction names, of numbers of that type.
Expected<llvm::Value *> compared(FunctionTranslation &f, const Operation &op, Type type, llvm::Value *a,
                                 llvm::Value *b) {
  const bool isFloat = a->getType()->isFloatingPointTy();
  for (const Comparison &comparison : kComparisons) {
    if (!op.has(comparison.name)) continue;
    P::Predicate predicate = isFloat            ? comparison.ofFloats
                             : type->isSigned() ? comparison.ofSigned
                                                : comparison.ofUnsigned;
    // "For untyped bits, only eq and ne are allowed."
    if (type->kind == TypeClass::Bits && comparison.name != "eq" && comparison.name != "ne") predicate = kNo;
    if (predicate == kNo)
      return failAt(op.text.place,
                    "there is no comparison ." + std::string(comparison.name) + " of ." + std::string(type->name));
    return f.builder.CreateCmp(predicate, a, b);
  }
  return failAt(op.text.place, "a comparison such as .eq is expected");
}

using Numbers = llvm::SmallVector<llvm::Value *, 2>;

/// What is compared; of a pair two numbers.
Expected<Numbers> comparable(FunctionTranslation &f, const Operation &op, size_t place, Type type) {
  if (type->bits != 16 && type->kind != TypeClass::Packed) {
    US_TRY(llvm::Value * number, floatSource(f, op, place));
    return Numbers{number};
  }
  US_TRY(llvm::Value * value, f.source(op, place));
  if (!type->isFloat() && type->kind != TypeClass::Packed) return Numbers{value};
  Numbers numbers = widened(f, type, value);
  if (op.has("ftz") && !isBrain(type))
    for (llvm::Value *&number : numbers) number = flushedBelow(f, 0x1p-14, number);
  return numbers;
}

/// The result for each number.
Expected<Numbers> comparisons(FunctionTranslation &f, const Operation &op, Type type) {
  US_TRY(const Numbers a, comparable(f, op, 1, type));
  US_TRY(const Numbers b, comparable(f, op, 2, type));
  Numbers results;
  for (size_t i = 0; i < a.size(); ++i) {
    US_TRY(llvm::Value * result, compared(f, op, type, a[i], b[i]));
    results.push_back(result);
  }
  return results;
}

/// The result combined with the third operand, where there is one.
Expected<llvm::Value *> combined(FunctionTranslation &f, const Operation &op, llvm::Value *value) {
  if (op.count() < 4) return value;
  US_TRY(llvm::Value * c, f.source(op, 3));
  if (op.has("and")) return f.builder.CreateAnd(value, c);
  return op.has("or") ? f.builder.CreateOr(value, c) : f.builder.CreateXor(value, c);
}

} // namespace

Expected<void> setPredicate(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Numbers results, comparisons(f, op, op.types[0]));
  llvm::Value *result = results[0];
  US_TRY(llvm::Value * p, combined(f, op, result));
  // "p = BoolOp(t, c); q = BoolOp(!t, c)"
  llvm::Value *q = nullptr;
  if (!op.operand(0).second.empty()) {
    US_TRY(q, combined(f, op, f.builder.CreateNot(result)));
  }
  return f.definePair(op, 0, p, q);
}

/// setp of pairs: p is the lower number's result, q the upper one's.
Expected<void> setPredicates(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Numbers results, comparisons(f, op, op.types[0]));
  if (op.operand(0).second.empty()) return failAt(op.operand(0).place, "two predicates are expected: p|q");
  US_TRY(llvm::Value * p, combined(f, op, results[0]));
  US_TRY(llvm::Value * q, combined(f, op, results[1]));
  return f.definePair(op, 0, p, q);
}

/// "true is 1.0f for floating-point results, 0xffffffff for integer results"
Expected<void> setRegister(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Numbers compare, comparisons(f, op, op.types[1]));
  US_TRY(llvm::Value * result, combined(f, op, compare[0]));
  llvm::Type *type = f.llvmType(op.types[0]);
  llvm::Constant *yes = type->isFloatingPointTy() ? llvm::ConstantFP::get(type, 1.0)
                        : isBrain(op.types[0])    ? llvm::ConstantInt::get(type, kBrainOne)
                                                  : llvm::Constant::getAllOnesValue(type);
  return f.define(op, 0, f.builder.CreateSelect(result, yes, llvm::Constant::getNullValue(type)));
}

/// set of pairs: each number's result is 16 bits.
Expected<void> setPair(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Numbers compare, comparisons(f, op, op.types[1]));
  const uint32_t yes = !isPair(op.types[0]) ? 0xffff : isBrain(op.types[0]) ? kBrainOne : kHalfOne;
  Numbers parts;
  for (size_t i = 0; i < 2; ++i) {
    US_TRY(llvm::Value * result, combined(f, op, compare[i]));
    parts.push_back(f.builder.CreateSelect(result, f.builder.getInt32(yes << 16 * i), f.builder.getInt32(0)));
  }
  return f.define(op, 0, f.builder.CreateOr(parts[0], parts[1]));
}

Expected<void> select(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, f.source(op, 3));
  return f.define(op, 0, f.builder.CreateSelect(c, a, b));
}

/// "d = (c >= 0) ? a : b"; -0.0 is 0, NaN chooses b.
Expected<void> selectBySign(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * a, f.source(op, 1));
  US_TRY(llvm::Value * b, f.source(op, 2));
  US_TRY(llvm::Value * c, floatSource(f, op, 3));
  llvm::Value *zero = llvm::Constant::getNullValue(c->getType());
  llvm::Value *chosen = op.types[1]->isFloat() ? f.builder.CreateFCmpOGE(c, zero) : f.builder.CreateICmpSGE(c, zero);
  return f.define(op, 0, f.builder.CreateSelect(chosen, a, b));
}

} // namespace us::frontend::ptx
