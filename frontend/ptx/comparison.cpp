// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison and selection.
#include "frontend/ptx/floats.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

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

Expected<llvm::Value *> compared(FunctionTranslation &f, const Operation &op, Type type) {
  US_TRY(llvm::Value * a, floatSource(f, op, 1));
  US_TRY(llvm::Value * b, floatSource(f, op, 2));
  for (const Comparison &comparison : kComparisons) {
    if (op.text.modifiers.front() != comparison.name) continue;
    P::Predicate predicate = type->isFloat()    ? comparison.ofFloats
                             : type->isSigned() ? comparison.ofSigned
                                                : comparison.ofUnsigned;
    // "For untyped bits, only eq and ne are allowed."
    if (type->kind == TypeClass::Bits && comparison.name != "eq" && comparison.name != "ne") predicate = kNo;
    if (predicate == kNo) break;
    return f.builder.CreateCmp(predicate, a, b);
  }
  return failAt(op.text.place, "there is no comparison ." + std::string(op.text.modifiers.front()) + " of ." +
                                   std::string(type->name));
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
  US_TRY(llvm::Value * result, compared(f, op, op.types[0]));
  US_TRY(llvm::Value * p, combined(f, op, result));
  // "p = BoolOp(t, c); q = BoolOp(!t, c)"
  llvm::Value *q = nullptr;
  if (!op.operand(0).second.empty()) {
    US_TRY(q, combined(f, op, f.builder.CreateNot(result)));
  }
  return f.definePair(op, 0, p, q);
}

/// "true is 1.0f for floating-point results, 0xffffffff for integer results"
Expected<void> setRegister(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * compare, compared(f, op, op.types[1]));
  US_TRY(llvm::Value * result, combined(f, op, compare));
  llvm::Type *type = f.llvmType(op.types[0]);
  llvm::Constant *yes = type->isFloatTy() ? llvm::ConstantFP::get(type, 1.0) : llvm::Constant::getAllOnesValue(type);
  return f.define(op, 0, f.builder.CreateSelect(result, yes, llvm::Constant::getNullValue(type)));
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
