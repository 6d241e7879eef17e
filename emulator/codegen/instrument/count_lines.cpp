// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/count_lines.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

constexpr const char *kCounted = "us.counted";

/// The location that a user knows: of what came from the library, that of its call.
const llvm::DILocation *placeOf(const llvm::Instruction &instruction, const llvm::DISubprogram &function) {
  const llvm::DILocation *place = instruction.getDebugLoc();
  while (place && place->getFilename() != function.getFilename() && place->getInlinedAt())
    place = place->getInlinedAt();
  return place && place->getLine() ? place : nullptr;
}

uint64_t lanesOf(const llvm::Type &type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector ? vector->getNumElements() : 1;
}

bool isCountedMemory(const llvm::Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == 1 || space == 2 || space == 4;
}

void add(abi::CountedLine &line, const llvm::Instruction &instruction, const llvm::DataLayout &layout) {
  const auto bytesOf = [&](llvm::Type *type) { return layout.getTypeStoreSize(type).getFixedValue(); };
  llvm::Type *type = instruction.getType();
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (isCountedMemory(*load->getPointerOperand())) line.bytesRead += bytesOf(type);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (isCountedMemory(*store->getPointerOperand())) line.bytesWritten += bytesOf(store->getValueOperand()->getType());
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    if (!isCountedMemory(*update->getPointerOperand())) return;
    line.bytesRead += bytesOf(type);
    line.bytesWritten += bytesOf(type);
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    if (!isCountedMemory(*exchange->getPointerOperand())) return;
    line.bytesRead += bytesOf(exchange->getNewValOperand()->getType());
    line.bytesWritten += bytesOf(exchange->getNewValOperand()->getType());
  } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    const llvm::Intrinsic::ID id = call->getIntrinsicID();
    if (id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd) line.floatOperations += 2 * lanesOf(*type);
    if (id == llvm::Intrinsic::sqrt) line.floatOperations += lanesOf(*type);
  } else if (instruction.isBinaryOp() || instruction.isUnaryOp()) {
    (type->isFPOrFPVectorTy() ? line.floatOperations : line.integerOperations) += lanesOf(*type);
  }
}

class Counting {
public:
  Counting(llvm::Module &module, uint64_t counters) : module_(module), counters_(counters) {}

  bool run() {
    for (llvm::Function &function : module_)
      if (const llvm::DISubprogram *source = function.getSubprogram(); source && !function.isDeclaration())
        for (llvm::BasicBlock &block : function) count(block, *source);
    return used_ != 0;
  }

private:
  void count(llvm::BasicBlock &block, const llvm::DISubprogram &function) {
    if (used_ == abi::kCounters) return;
    llvm::MapVector<std::pair<unsigned, unsigned>, abi::CountedLine> lines; // of a copy
    for (const llvm::Instruction &instruction : block) {
      if (instruction.isDebugOrPseudoInst() || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) continue;
      const llvm::DILocation *place = placeOf(instruction, function);
      if (!place) continue;
      const unsigned copy = copies_.try_emplace(place->getInlinedAt(), copies_.size()).first->second;
      abi::CountedLine &line = lines[{copy, place->getLine()}];
      line.copy = copy;
      line.line = place->getLine();
      line.file = place->getFilename().str();
      add(line, instruction, module_.getDataLayout());
    }
    if (lines.empty()) return;
    llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
    while (llvm::isa<llvm::AllocaInst>(*builder.GetInsertPoint())) builder.SetInsertPoint(&*++builder.GetInsertPoint());
    llvm::Constant *counter =
        llvm::ConstantExpr::getIntToPtr(builder.getInt64(counters_ + sizeof(uint64_t) * used_), builder.getPtrTy(1));
    builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, builder.getInt64(1), llvm::MaybeAlign(8),
                            llvm::AtomicOrdering::Monotonic);
    for (const auto &[key, line] : lines) note(line);
    ++used_;
  }

  void note(const abi::CountedLine &line) {
    llvm::LLVMContext &context = module_.getContext();
    llvm::SmallVector<llvm::Metadata *, 8> row{llvm::MDString::get(context, line.file)};
    for (const uint64_t number : {uint64_t{used_}, uint64_t{line.copy}, uint64_t{line.line}, line.floatOperations,
                                  line.integerOperations, line.bytesRead, line.bytesWritten})
      row.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), number)));
    module_.getOrInsertNamedMetadata(kCounted)->addOperand(llvm::MDNode::get(context, row));
  }

  llvm::Module &module_;
  const uint64_t counters_;
  uint32_t used_ = 0;
  llvm::DenseMap<const llvm::DILocation *, unsigned> copies_; ///< by the call that they are in the place of
};

} // namespace

llvm::PreservedAnalyses CountLines::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const uint64_t counters = request.specialization.counters;
  return counters && Counting(module, counters).run() ? llvm::PreservedAnalyses::none()
                                                      : llvm::PreservedAnalyses::all();
}

std::vector<abi::CountedLine> countedLines(const llvm::Module &module) {
  std::vector<abi::CountedLine> lines;
  const llvm::NamedMDNode *rows = module.getNamedMetadata(kCounted);
  for (unsigned i = 0; rows && i < rows->getNumOperands(); ++i) {
    const llvm::MDNode &row = *rows->getOperand(i);
    const auto number = [&](unsigned at) {
      return llvm::mdconst::extract<llvm::ConstantInt>(row.getOperand(at))->getZExtValue();
    };
    lines.push_back({.counter = uint32_t(number(1)),
                     .copy = uint32_t(number(2)),
                     .line = uint32_t(number(3)),
                     .file = llvm::cast<llvm::MDString>(row.getOperand(0))->getString().str(),
                     .floatOperations = number(4),
                     .integerOperations = number(5),
                     .bytesRead = number(6),
                     .bytesWritten = number(7)});
  }
  return lines;
}

} // namespace us::codegen
