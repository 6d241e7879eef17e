// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/launch_ranges.h"

#include "emulator/codegen/machine_calls.h"

#include <algorithm>

namespace us::codegen {

void LaunchRanges::require(llvm::IRBuilderBase &builder, llvm::Value *condition) {
  condition_ = condition_ ? builder.CreateAnd(condition_, condition) : condition;
}

bool LaunchRanges::add(llvm::IRBuilderBase &builder, const Access &access, llvm::Align alignment,
                       llvm::Argument &argument, llvm::Value *begin, llvm::Value *size) {
  auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  Place place;
  if (!bytes || !evolution_.placeOf(access, argument, place) || place.extendsUnsigned) return false;
  if (llvm::any_of(place.repetitions, [](const Repetition &one) { return !one.last; })) return false;

  const auto isBelow = [&](llvm::Value *number, unsigned bits) {
    require(builder, builder.CreateICmpULE(number, builder.getInt64(uint64_t(1) << bits)));
  };
  llvm::Value *const zero = builder.getInt64(0);
  llvm::Value *least = evolution_.build(builder, place.rest);
  isBelow(builder.CreateAdd(least, builder.getInt64(uint64_t(1) << 60)), 61);
  llvm::Value *most = least;
  unsigned bits = place.bits;
  const auto addTimes = [&](llvm::Value *step, llvm::Value *last) {
    isBelow(builder.CreateAdd(step, builder.getInt64(uint64_t(1) << 28)), 29);
    isBelow(last, 31);
    llvm::Value *reach = builder.CreateMul(step, last);
    least = builder.CreateAdd(least, builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, reach, zero));
    most = builder.CreateAdd(most, builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, reach, zero));
  };
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    if (!place.steps[dimension]) continue;
    const auto ask = [&](const char *name) {
      return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
    };
    llvm::Value *step = evolution_.build(builder, place.steps[dimension]);
    llvm::Value *offset = ask("global_offset");
    isBelow(offset, 31);
    llvm::Value *first = builder.CreateMul(step, offset);
    least = builder.CreateAdd(least, first);
    most = builder.CreateAdd(most, first);
    llvm::Value *last = builder.CreateSub(ask("global_size"), builder.getInt64(1));
    if (const llvm::SCEV *largest = evolution_.largestId(*access.instruction, dimension)) {
      // Ids do not wrap in the narrow number that was compared.
      isBelow(builder.CreateAdd(offset, last), 31);
      llvm::Value *guarded = builder.CreateSub(evolution_.build(builder, largest), offset);
      last = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, last, guarded);
      last = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, last, zero);
    }
    addTimes(step, last);
    if (evolution_.usesLocalSize())
      require(builder, builder.CreateIsNull(builder.CreateURem(ask("global_size"), ask("enqueued_local_size"))));
  }
  for (const Repetition &one : place.repetitions) {
    addTimes(evolution_.build(builder, one.step), evolution_.build(builder, one.last));
    bits = std::min(bits, one.bits);
  }
  // Numbers of fewer bits have not wrapped.
  if (bits < 64) {
    llvm::Value *limit = builder.getInt64(uint64_t(1) << (bits - 2));
    require(builder, builder.CreateICmpSGE(least, builder.CreateNeg(limit)));
    require(builder, builder.CreateICmpSLE(most, limit));
    for (const llvm::SCEV *part : place.narrowRest)
      isBelow(builder.CreateAdd(evolution_.build(builder, part), builder.getInt64(uint64_t(1) << (bits - 4))),
              bits - 3);
  }
  llvm::Value *address = argument.getType()->isPointerTy() ? builder.CreatePtrToInt(&argument, builder.getInt64Ty())
                                                           : static_cast<llvm::Value *>(&argument);
  if (alignment > 1) {
    // Each part of the sum is a multiple of it.
    llvm::Value *parts = builder.CreateAdd(address, evolution_.build(builder, place.rest));
    for (const llvm::SCEV *step : place.steps)
      if (step) parts = builder.CreateOr(parts, evolution_.build(builder, step));
    for (const Repetition &one : place.repetitions)
      parts = builder.CreateOr(parts, evolution_.build(builder, one.step));
    require(builder, builder.CreateIsNull(builder.CreateAnd(parts, builder.getInt64(alignment.value() - 1))));
  }
  llvm::Value *distance = builder.CreateSub(address, begin);
  isBelow(distance, 60);
  isBelow(size, 60);
  require(builder, builder.CreateICmpSGE(builder.CreateAdd(distance, least), zero));
  require(builder, builder.CreateICmpSLE(builder.CreateAdd(builder.CreateAdd(distance, most),
                                                           builder.CreateZExt(bytes, distance->getType())),
                                         size));
  return true;
}

} // namespace us::codegen
