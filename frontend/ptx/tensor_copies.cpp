// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between a box of a tensor and shared memory, and reductions. They are done when they are executed
// (opencl/ptx/tensor.cl).
#include "frontend/ptx/clusters.h"
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

/// As tensor.cl numbers what is done; a copy to shared memory is 0, one to the tensor 1.
constexpr std::string_view kReductions[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
uint32_t storeOf(const Operation &op) {
  for (uint32_t i = 0; i < std::size(kReductions); ++i)
    if (op.has(kReductions[i])) return 2 + i;
  return 1;
}

/// [tensorMap, {coordinates}]
struct TensorPlace {
  llvm::Value *map;
  uint32_t rank = 0;
  std::array<llvm::Value *, 5> coordinates;
};

Expected<TensorPlace> tensorPlace(FunctionTranslation &f, const Operation &op, size_t place) {
  const Operand &operand = op.operand(place);
  if (operand.kind != OperandKind::Address || operand.elements.size() != 1)
    return failAt(operand.place, "a tensor map with coordinates is expected: [map, {x, y}]");
  TensorPlace found;
  US_TRY(found.map, f.addressOf(operand, StateSpace::Generic));
  found.map = f.builder.CreateAddrSpaceCast(found.map, f.builder.getPtrTy(kGeneric));
  const Operand &coordinates = operand.elements.front();
  const std::vector<Operand> all =
      coordinates.kind == OperandKind::Vector ? coordinates.elements : std::vector{coordinates};
  for (const std::string_view word : op.text.modifiers)
    if (word.size() == 2 && word[1] == 'd' && word[0] >= '1' && word[0] <= '5') found.rank = uint32_t(word[0] - '0');
  if (all.size() != found.rank)
    return failAt(coordinates.place, std::to_string(found.rank) + " coordinates are expected");
  found.coordinates.fill(f.builder.getInt32(0));
  for (uint32_t i = 0; i < found.rank; ++i) {
    US_TRY(found.coordinates[i], f.valueOf(all[i], typeNamed("s32"), false));
  }
  return found;
}

/// Bytes of the box. What is no such map ends the launch.
llvm::Value *move(FunctionTranslation &f, const TensorPlace &tensor, llvm::Value *memory, uint32_t what) {
  llvm::IRBuilderBase &builder = f.builder;
  llvm::SmallVector<llvm::Value *, 9> arguments{tensor.map, builder.getInt32(tensor.rank)};
  arguments.append(tensor.coordinates.begin(), tensor.coordinates.end());
  arguments.append({memory, builder.getInt32(what)});
  llvm::Value *bytes = callLibrary(f, "us_ptx_tensor_copy", builder.getInt32Ty(), arguments);
  auto *wrong = llvm::BasicBlock::Create(f.module.context, "wrong", &f.function);
  auto *after = llvm::BasicBlock::Create(f.module.context, "after", &f.function);
  builder.CreateCondBr(builder.CreateICmpEQ(bytes, builder.getInt32(0)), wrong, after);
  builder.SetInsertPoint(wrong);
  f.trap(kNoTensorMap);
  builder.SetInsertPoint(after);
  return bytes;
}

/// "The shared memory address has to be 128-byte aligned."
constexpr uint64_t kTensorAlignment = 128;

} // namespace

/// cp.async.bulk.tensor [to], [map, {coordinates}], [mbar]{, blocks}
Expected<void> loadTensor(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * to, f.alignedAddress(op, 0, StateSpace::Shared, kTensorAlignment));
  US_TRY(const TensorPlace tensor, tensorPlace(f, op, 1));
  US_TRY(llvm::Value * barrier, completionBarrier(f, op, 2));
  if (!op.has("multicast::cluster")) {
    completeBytes(f, barrier, move(f, tensor, to, 0));
    return {};
  }
  US_TRY(llvm::Value * blocks, f.source(op, 3));
  return forEachBlock(f, blocks, [&](llvm::Value *rank) -> Expected<void> {
    llvm::Value *bytes = move(f, tensor, inBlock(f, to, rank), 0);
    completeBytes(f, inBlock(f, barrier, rank), bytes);
    return {};
  });
}

/// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor [map, {coordinates}], [from]
Expected<void> storeTensor(FunctionTranslation &f, const Operation &op) {
  US_TRY(const TensorPlace tensor, tensorPlace(f, op, 0));
  US_TRY(llvm::Value * from, f.alignedAddress(op, 1, StateSpace::Shared, kTensorAlignment));
  move(f, tensor, from, storeOf(op));
  return {};
}

} // namespace us::frontend::ptx
