// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atom and red. Scopes make no difference: everything shares one memory.
#include "frontend/ptx/atomics.h"
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

using Rmw = llvm::AtomicRMWInst;

struct OperationRow {
  std::string_view name;
  Rmw::BinOp ofUnsigned, ofSigned, ofFloats;
};
/// "inc: (r >= s) ? 0 : r + 1", "dec: (r == 0 || r > s) ? s : r - 1": LLVM's wrapping forms.
constexpr OperationRow kOperations[] = {
    {"add", Rmw::Add, Rmw::Add, Rmw::FAdd},
    {"min", Rmw::UMin, Rmw::Min, Rmw::BAD_BINOP},
    {"max", Rmw::UMax, Rmw::Max, Rmw::BAD_BINOP},
    {"and", Rmw::And, Rmw::And, Rmw::BAD_BINOP},
    {"or", Rmw::Or, Rmw::Or, Rmw::BAD_BINOP},
    {"xor", Rmw::Xor, Rmw::Xor, Rmw::BAD_BINOP},
    {"exch", Rmw::Xchg, Rmw::Xchg, Rmw::BAD_BINOP},
    {"inc", Rmw::UIncWrap, Rmw::UIncWrap, Rmw::BAD_BINOP},
    {"dec", Rmw::UDecWrap, Rmw::UDecWrap, Rmw::BAD_BINOP},
};

/// "If no .sem qualifier is present, atom defaults to .relaxed."
llvm::AtomicOrdering orderingOf(const Operation &op) {
  if (op.has("acq_rel")) return llvm::AtomicOrdering::AcquireRelease;
  if (op.has("acquire")) return llvm::AtomicOrdering::Acquire;
  return op.has("release") ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Monotonic;
}

llvm::Value *updateNumber(FunctionTranslation &f, const Operation &op, llvm::Value *pointer, llvm::Value *value) {
  const Type type = op.types[0];
  const auto *row = std::find_if(std::begin(kOperations), std::end(kOperations),
                                 [&](const OperationRow &one) { return op.has(one.name); });
  const Rmw::BinOp operation = type->isFloat() ? row->ofFloats : type->isSigned() ? row->ofSigned : row->ofUnsigned;
  return f.builder.CreateAtomicRMW(operation, pointer, value, llvm::Align(type->bytes()), orderingOf(op));
}

} // namespace

/// `detail` is where the address stands: 1 in atom, 0 in red, which has no result.
Expected<void> atomic(FunctionTranslation &f, const Operation &op) {
  const size_t at = op.form.detail;
  const Type type = op.types[0];
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, at, op.space(), type->bytes()));
  US_TRY(llvm::Value * value, f.source(op, at + 1));
  llvm::Value *old = updateNumber(f, op, pointer, value);
  if (at == 1) return f.define(op, 0, old);
  return {};
}

namespace {

/// add, min or max of halves: their bits are replaced if nobody has changed them meanwhile. The old ones.
llvm::Value *updateHalves(FunctionTranslation &f, const Operation &op, llvm::Value *pointer, llvm::Value *value) {
  const Type type = op.types[0];
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Type *word = builder.getIntNTy(type->bits);
  const llvm::Align alignment(type->bytes());
  const auto operands = widened(f, type, value);
  llvm::LoadInst *begin = builder.CreateAlignedLoad(word, pointer, alignment);
  begin->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::BasicBlock *before = builder.GetInsertBlock();
  auto *again = llvm::BasicBlock::Create(f.module.context, "again", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "done", &f.function);
  builder.CreateBr(again);
  builder.SetInsertPoint(again);
  llvm::PHINode *old = builder.CreatePHI(word, 2);
  auto results = widened(f, type, builder.CreateBitCast(old, f.llvmType(type)));
  for (size_t i = 0; i < results.size(); ++i)
    results[i] = op.has("add") ? builder.CreateFAdd(results[i], operands[i])
                               : extreme(f, op, op.has("min"), results[i], operands[i]);
  llvm::Value *wanted = builder.CreateBitCast(narrowed(f, type, results), word);
  const llvm::AtomicOrdering ordering = orderingOf(op);
  llvm::Value *pair = builder.CreateAtomicCmpXchg(pointer, old, wanted, alignment, ordering,
                                                  llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering));
  old->addIncoming(begin, before);
  old->addIncoming(builder.CreateExtractValue(pair, 0), builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, again);
  builder.SetInsertPoint(done);
  return builder.CreateBitCast(old, f.llvmType(type));
}

} // namespace

llvm::Value *updateAtomically(FunctionTranslation &f, const Operation &op, llvm::Value *pointer, llvm::Value *value) {
  const bool isHalf = op.types[0]->name.ends_with("f16");
  return isHalf ? updateHalves(f, op, pointer, value) : updateNumber(f, op, pointer, value);
}

Expected<void> atomicHalf(FunctionTranslation &f, const Operation &op) {
  const size_t at = op.form.detail;
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, at, op.space(), op.types[0]->bytes()));
  US_TRY(llvm::Value * value, f.source(op, at + 1));
  llvm::Value *old = updateHalves(f, op, pointer, value);
  if (at == 1) return f.define(op, 0, old);
  return {};
}

/// Each number is updated atomically, the vector as a whole is not.
Expected<void> atomicVector(FunctionTranslation &f, const Operation &op) {
  const size_t at = op.form.detail;
  const Type type = op.types[0];
  const uint32_t lanes = op.has("v2") ? 2 : op.has("v4") ? 4 : 8;
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, at, op.space(), uint64_t{type->bytes()} * lanes));
  US_TRY(const std::vector<llvm::Value *> values, f.sources(op, at + 1, lanes));
  std::vector<llvm::Value *> olds;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    llvm::Value *element = f.builder.CreateConstGEP1_64(f.builder.getInt8Ty(), pointer, uint64_t(lane) * type->bytes());
    olds.push_back(type->bits == 32 && type->isFloat()
                       ? f.builder.CreateAtomicRMW(Rmw::FAdd, element, values[lane], llvm::Align(4), orderingOf(op))
                       : updateHalves(f, op, element, values[lane]));
  }
  if (at == 1) return f.defineAll(op, 0, olds);
  return {};
}

Expected<void> compareAndSwap(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * pointer, f.alignedAddress(op, 1, op.space(), op.types[0]->bytes()));
  US_TRY(llvm::Value * expected, f.source(op, 2));
  US_TRY(llvm::Value * wanted, f.source(op, 3));
  const llvm::AtomicOrdering ordering = orderingOf(op);
  llvm::Value *pair =
      f.builder.CreateAtomicCmpXchg(pointer, expected, wanted, llvm::Align(op.types[0]->bytes()), ordering,
                                    llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering));
  return f.define(op, 0, f.builder.CreateExtractValue(pair, 0));
}

} // namespace us::frontend::ptx
