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
  // What only some of the items of a group do may not go as far as all of them would.
  if (place.usesGroups() && !evolution_.isDoneByAll(*access.instruction)) return false;

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
    const auto ask = [&](const char *name) {
      return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
    };
    const auto needWholeGroups = [&] {
      require(builder, builder.CreateIsNull(builder.CreateURem(ask("global_size"), ask("enqueued_local_size"))));
    };
    if (const llvm::SCEV *ofGroups = place.groupSteps[dimension]) {
      // By the group's id and the local one, which are apart from each other: a global one is made of both.
      needWholeGroups();
      llvm::Value *last = builder.CreateSub(ask("num_groups"), builder.getInt64(1));
      llvm::Value *step = evolution_.build(builder, ofGroups);
      const auto keepsBelow = [&](llvm::Value *one, llvm::Value *times) { // also by itself, in a narrow number
        isBelow(builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, one, builder.getFalse()), 29);
        isBelow(times, 31);
        llvm::Value *reach = builder.CreateMul(one, times);
        if (place.bits < 64)
          isBelow(builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, reach, builder.getFalse()), place.bits - 3);
      };
      keepsBelow(step, last);
      if (place.steps[dimension]) {
        llvm::Value *own = evolution_.build(builder, place.steps[dimension]), *offset = ask("global_offset");
        keepsBelow(own, builder.CreateAdd(ask("global_size"), offset));
        llvm::Value *first = builder.CreateMul(own, offset);
        least = builder.CreateAdd(least, first);
        most = builder.CreateAdd(most, first);
        addTimes(own, builder.CreateSub(ask("enqueued_local_size"), builder.getInt64(1)));
        step = builder.CreateAdd(step, builder.CreateMul(own, ask("enqueued_local_size")));
      }
      addTimes(step, last);
      continue;
    }
    if (!place.steps[dimension]) continue;
    llvm::Value *step = evolution_.build(builder, place.steps[dimension]);
    llvm::Value *offset = ask("global_offset");
    isBelow(offset, 31);
    llvm::Value *lastId = builder.CreateSub(builder.CreateAdd(offset, ask("global_size")), builder.getInt64(1));
    llvm::Value *firstId = offset;
    const llvm::SCEV *largest = evolution_.largestId(*access.instruction, dimension);
    const llvm::SCEV *smallest = evolution_.smallestId(*access.instruction, dimension);
    if (largest || smallest) isBelow(lastId, 31); // ids do not wrap in the narrow number that was compared
    if (largest)
      lastId = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, lastId, evolution_.build(builder, largest));
    if (smallest) {
      firstId = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, firstId, evolution_.build(builder, smallest));
      isBelow(firstId, 31);
    }
    llvm::Value *further = builder.CreateSub(lastId, firstId);
    if (largest || smallest) further = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, further, zero);
    llvm::Value *first = builder.CreateMul(step, firstId);
    least = builder.CreateAdd(least, first);
    most = builder.CreateAdd(most, first);
    addTimes(step, further);
    if (evolution_.usesLocalSize()) needWholeGroups();
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
    for (const auto &steps : {place.steps, place.groupSteps})
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
        if (steps[dimension]) parts = builder.CreateOr(parts, evolution_.build(builder, steps[dimension]));
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
