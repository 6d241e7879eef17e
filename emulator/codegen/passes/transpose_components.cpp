// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/transpose_components.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>

namespace us::codegen {
namespace {

using namespace llvm;

constexpr unsigned kMembers = 4, kElementBytes = 4, kItemBytes = kMembers * kElementBytes;

/// "0, 8, 1, 9, 4, 12, 5, 13": what the processor's instructions do in each 128 bits.
SmallVector<int, 8> unpacked(unsigned lanes, bool isHigh) {
  SmallVector<int, 8> from;
  for (unsigned part = isHigh ? 2 : 0; part < lanes; part += kMembers)
    for (unsigned i = part; i < part + 2; ++i) from.append({int(i), int(lanes + i)});
  return from;
}

struct Unpack {
  IRBuilderBase &builder;
  unsigned lanes;

  Value *low(Value *a, Value *b) { return builder.CreateShuffleVector(a, b, unpacked(lanes, false)); }
  Value *high(Value *a, Value *b) { return builder.CreateShuffleVector(a, b, unpacked(lanes, true)); }
};

bool isShort(const FixedVectorType *type) {
  return type && type->getScalarSizeInBits() == 8 * kElementBytes && !type->getElementType()->isPointerTy() &&
         type->getNumElements() % (kMembers * kMembers) == 0;
}

/// Lanes that are transposed together: two in a register's half each, or one.
unsigned together(unsigned lanes, const VectorCosts &costs) {
  return costs.longestBits > 128 && lanes % (2 * kMembers) == 0 ? 2 * kMembers : kMembers;
}

/// Elements of each lane, of which each user takes one.
struct Components {
  Instruction *access = nullptr;
  Value *pointer = nullptr;
  Align alignment;
  FixedVectorType *type = nullptr;
  std::array<SmallVector<Instruction *, 1>, kMembers> users;
  unsigned last = kMembers - 1; ///< that may be accessed

  unsigned lanes() const { return type->getNumElements() / kMembers; }
};

/// The member that all lanes take of what lies there; none: they take something else.
std::optional<unsigned> memberOf(const User &user, const Components &all) {
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&user);
  if (!shuffle || shuffle->getOperand(0) != all.access || shuffle->getOperand(1) == all.access) return std::nullopt;
  const ArrayRef<int> mask = shuffle->getShuffleMask();
  if (mask.size() != all.lanes() || mask[0] < 0 || unsigned(mask[0]) >= kMembers) return std::nullopt;
  for (auto [lane, from] : enumerate(mask))
    if (from != mask[0] + int(lane * kMembers)) return std::nullopt;
  return unsigned(mask[0]);
}

/// Whether the mask leaves out whole components, if any; the first is there.
bool takesMask(Components &all, const Constant &mask) {
  std::array<bool, kMembers> isAsked{};
  for (unsigned i = 0; i < all.type->getNumElements(); ++i) {
    const Constant *const one = mask.getAggregateElement(i);
    if (!one || !isa<ConstantInt>(one)) return false;
    if (i < kMembers) isAsked[i] = one->isOneValue();
    if (isAsked[i % kMembers] != one->isOneValue()) return false;
  }
  for (unsigned member = 0; member < kMembers; ++member) {
    if (isAsked[member]) all.last = member;
    if (!isAsked[member] && !all.users[member].empty()) return false;
  }
  return isAsked[0];
}

std::optional<Components> loaded(Instruction &instruction) {
  Components all;
  all.access = &instruction;
  all.type = dyn_cast<FixedVectorType>(instruction.getType());
  const Constant *mask = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->isSimple()) return std::nullopt;
    all.pointer = load->getPointerOperand();
    all.alignment = load->getAlign();
  } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
             call && call->getIntrinsicID() == Intrinsic::masked_load) {
    all.pointer = call->getArgOperand(0);
    all.alignment = cast<ConstantInt>(call->getArgOperand(1))->getAlignValue();
    mask = dyn_cast<Constant>(call->getArgOperand(2));
    if (!mask) return std::nullopt;
  } else {
    return std::nullopt;
  }
  if (!isShort(all.type) || instruction.use_empty()) return std::nullopt;
  for (User *user : instruction.users()) {
    const std::optional<unsigned> member = memberOf(*user, all);
    if (!member) return std::nullopt;
    all.users[*member].push_back(cast<Instruction>(user));
  }
  if (mask && !takesMask(all, *mask)) return std::nullopt;
  return all;
}

/// One lane's four elements, of which those behind the last that may be accessed are anything.
Value *loadItem(IRBuilderBase &builder, const Components &all, unsigned lane) {
  Type *const element = all.type->getElementType();
  const auto load = [&](unsigned first, Type *type) {
    const uint64_t offset = lane * kItemBytes + first * kElementBytes;
    LoadInst *const made =
        builder.CreateAlignedLoad(type, builder.CreateConstGEP1_64(builder.getInt8Ty(), all.pointer, offset),
                                  commonAlignment(all.alignment, offset));
    made->copyMetadata(*all.access);
    return made;
  };
  const unsigned members = lane + 1 == all.lanes() ? all.last + 1 : kMembers;
  if (members == kMembers) return load(0, FixedVectorType::get(element, kMembers));
  Value *item = PoisonValue::get(FixedVectorType::get(element, kMembers));
  if (members == 1) return builder.CreateInsertElement(item, load(0, element), uint64_t(0));
  item = builder.CreateShuffleVector(load(0, FixedVectorType::get(element, 2)), {0, 1, -1, -1});
  return members == 2 ? item : builder.CreateInsertElement(item, load(2, element), uint64_t(2));
}

void load(Components &all, const VectorCosts &costs) {
  IRBuilder<> builder(all.access);
  const unsigned step = together(all.lanes(), costs);
  Unpack unpack{builder, step};
  std::array<SmallVector<Value *, 4>, kMembers> parts;
  for (unsigned first = 0; first < all.lanes(); first += step) {
    std::array<Value *, kMembers> rows;
    for (unsigned row = 0; row < kMembers; ++row) {
      rows[row] = loadItem(builder, all, first + row);
      if (step > kMembers)
        rows[row] = concatenateVectors(builder, {rows[row], loadItem(builder, all, first + kMembers + row)});
    }
    const auto join = [&](Value *even, Value *odd, unsigned member) {
      if (!all.users[member].empty()) parts[member].push_back(unpack.low(even, odd));
      if (!all.users[member + 1].empty()) parts[member + 1].push_back(unpack.high(even, odd));
    };
    Value *even = unpack.low(rows[0], rows[2]), *odd = unpack.low(rows[1], rows[3]);
    join(even, odd, 0);
    if (all.users[2].empty() && all.users[3].empty()) continue;
    even = unpack.high(rows[0], rows[2]);
    odd = unpack.high(rows[1], rows[3]);
    join(even, odd, 2);
  }
  for (unsigned member = 0; member < kMembers; ++member) {
    if (all.users[member].empty()) continue;
    Value *const whole = concatenateVectors(builder, parts[member]);
    for (Instruction *user : all.users[member]) {
      user->replaceAllUsesWith(whole);
      user->eraseFromParent();
    }
  }
  all.access->eraseFromParent();
}

/// Where an element of a vector comes from that was put together of others.
std::pair<Value *, int> originOf(Value *value, int element) {
  while (auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
    const auto *const type = cast<FixedVectorType>(shuffle->getType());
    const auto count = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    const int from = shuffle->getMaskValue(unsigned(element));
    if (from < 0 || int(type->getNumElements()) <= count) break;
    value = shuffle->getOperand(from < count ? 0 : 1);
    element = from % count;
  }
  return {value, element};
}

/// By member: all lanes' elements; empty: they are not stored side by side.
SmallVector<Value *, kMembers> stored(const StoreInst &store) {
  auto *const type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  auto *const mixed = dyn_cast<ShuffleVectorInst>(store.getValueOperand());
  if (!store.isSimple() || !mixed || !isShort(type)) return {};
  const unsigned lanes = type->getNumElements() / kMembers;
  SmallVector<Value *, kMembers> members;
  for (unsigned member = 0; member < kMembers; ++member)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const int from = mixed->getMaskValue(lane * kMembers + member);
      if (from < 0) return {};
      const auto count = int(cast<FixedVectorType>(mixed->getOperand(0)->getType())->getNumElements());
      const auto [value, element] = originOf(mixed->getOperand(from < count ? 0 : 1), from % count);
      if (lane == 0) members.push_back(value);
      const bool isWhole = cast<FixedVectorType>(value->getType())->getNumElements() == lanes;
      if (value != members[member] || element != int(lane) || !isWhole) return {};
    }
  return members;
}

void storeItems(StoreInst &store, ArrayRef<Value *> members, const VectorCosts &costs) {
  IRBuilder<> builder(&store);
  const unsigned lanes = cast<FixedVectorType>(members[0]->getType())->getNumElements(), step = together(lanes, costs);
  Unpack unpack{builder, step};
  for (unsigned first = 0; first < lanes; first += step) {
    const auto part = [&](Value *all) {
      return step == lanes ? all : builder.CreateShuffleVector(all, createSequentialMask(first, step, 0));
    };
    Value *const x = part(members[0]), *const y = part(members[1]), *const z = part(members[2]);
    Value *const w = part(members[3]);
    Value *const xz[] = {unpack.low(x, z), unpack.high(x, z)}, *const yw[] = {unpack.low(y, w), unpack.high(y, w)};
    for (unsigned row = 0; row < kMembers; ++row) {
      Value *const a = xz[row / 2], *const b = yw[row / 2],
                   *const items = row % 2 ? unpack.high(a, b) : unpack.low(a, b);
      for (unsigned half = 0; half < step; half += kMembers) {
        const uint64_t offset = (first + half + row) * kItemBytes;
        Value *const item =
            step == kMembers ? items : builder.CreateShuffleVector(items, createSequentialMask(half, kMembers, 0));
        builder
            .CreateAlignedStore(item,
                                builder.CreateConstGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), offset),
                                commonAlignment(store.getAlign(), offset))
            ->copyMetadata(store);
      }
    }
  }
  auto *const mixed = cast<Instruction>(store.getValueOperand());
  store.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(mixed);
}

} // namespace

PreservedAnalyses TransposeComponents::run(Module &module, ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs || costs->hasMaskRegisters()) return PreservedAnalyses::all();
  bool changed = false;
  for (Function &function : module) {
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        if (const auto members = stored(*store); !members.empty()) {
          storeItems(*store, members, *costs);
          changed = true;
        }
    SmallVector<Components, 4> loads;
    for (Instruction &instruction : instructions(function))
      if (auto all = loaded(instruction)) loads.push_back(std::move(*all));
    for (Components &all : loads) load(all, *costs);
    changed |= !loads.empty();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
