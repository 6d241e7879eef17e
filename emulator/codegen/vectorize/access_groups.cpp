// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/access_groups.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <compare>
#include <map>

namespace us::codegen {
namespace {

/// Of shorter elements, whose shuffles take more, all must be asked for; of longer strides most is not.
constexpr int64_t kShortest = 4;
constexpr int64_t kMostMembers = 4;
/// In place of a stride: places that differ in no way that is known. Of two elements of 32 bits one number is gathered.
constexpr int64_t kApart = 0, kHalf = 4;
/// Elements of a work-item that are asked about at once. More would leave no registers.
constexpr unsigned kMostTogether = 8;
/// Operations that are brought before others for one of them.
constexpr unsigned kLongestWay = 64;

/// An access at a distance from a pointer.
struct Access {
  llvm::Instruction *instruction;
  int64_t offset;
};
/// Accesses that may become one, from one base, in the order in which they are done.
using Run = std::vector<Access>;
struct Kind {
  llvm::Value *base;
  llvm::Type *type;
  int64_t stride;
  bool isStore;

  auto operator<=>(const Kind &) const = default;
};

/// Takes from a run what lies in the first window of one stride.
AccessGroup takeGroup(Run &run, int64_t size, unsigned members) {
  const auto isBefore = [](const Access &a, const Access &b) { return a.offset < b.offset; };
  const int64_t begin = llvm::min_element(run, isBefore)->offset;
  const bool isStore = llvm::isa<llvm::StoreInst>(run.front().instruction);
  AccessGroup group;
  group.members = members;
  group.isStore = isStore;
  group.accesses.assign(members, nullptr);
  Run rest;
  for (const Access &access : run) {
    const int64_t distance = access.offset - begin, member = distance / size;
    if (member >= members || distance % size != 0 || group.accesses[size_t(member)]) {
      rest.push_back(access);
      continue;
    }
    group.accesses[size_t(member)] = access.instruction;
    if (!group.place || isStore) group.place = access.instruction, group.before = distance;
  }
  // The first work-item may be one that does not access it.
  group.alignment = llvm::commonAlignment(llvm::getLoadStoreAlignment(group.accesses[0]), members * uint64_t(size));
  run = std::move(rest);
  return group;
}

/// Brings what a value is made of before `place`, in the same block; false: that cannot be.
bool bring(llvm::Value &value, llvm::Instruction &place) {
  llvm::SmallVector<llvm::Instruction *, 16> found;
  const auto look = [&](auto &self, llvm::Value &one) -> bool {
    auto *made = llvm::dyn_cast<llvm::Instruction>(&one);
    if (!made || made->getParent() != place.getParent() || made->comesBefore(&place)) return true;
    if (llvm::is_contained(found, made)) return true;
    if (made == &place || llvm::isa<llvm::PHINode>(made) || made->mayReadOrWriteMemory() || found.size() > kLongestWay)
      return false;
    for (llvm::Value *operand : made->operand_values())
      if (!self(self, *operand)) return false;
    found.push_back(made);
    return true;
  };
  if (!look(look, value)) return false;
  for (llvm::Instruction *made : found) made->moveBefore(&place);
  return true;
}

} // namespace

unsigned AccessGroup::count() const {
  return unsigned(llvm::count_if(accesses, [](llvm::Instruction *access) { return access != nullptr; }));
}

AccessGroups::AccessGroups(LaneFunction &lanes, const Shapes &shapes) {
  for (llvm::BasicBlock *block : lanes.order()) {
    find(*block, lanes, shapes);
    join(*block);
  }
}

void AccessGroups::add(AccessGroup group, const Shapes &shapes) {
  if (!group.isApart) group.guess = shapes.guess(*llvm::getLoadStorePointerOperand(group.place));
  all_.push_back(std::make_unique<AccessGroup>(std::move(group)));
  for (llvm::Instruction *access : all_.back()->accesses)
    if (access) groups_[access] = all_.back().get();
}

void AccessGroups::find(llvm::BasicBlock &block, LaneFunction &lanes, const Shapes &shapes) {
  const llvm::DataLayout &layout = lanes.function().getDataLayout();
  std::map<Kind, Run> open;
  llvm::SmallVector<Kind, 8> order; // of `open`: addresses have none that is the same each time
  const auto close = [&](const Kind &kind) {
    Run &run = open[kind];
    const int64_t size = int64_t(layout.getTypeStoreSize(kind.type));
    const bool isApart = kind.stride == kApart;
    if (isApart && kind.isStore && run.size() > 2) return run.clear(); // their order may matter
    while (!run.empty()) {
      AccessGroup group = takeGroup(run, size, isApart ? 2 : unsigned(kind.stride / size));
      group.isApart = isApart;
      const unsigned count = group.count();
      if (kind.isStore && (!run.empty() || count < group.members)) return run.clear(); // their order may matter
      const bool isEnough = size < kShortest ? count == group.members : 2 * count >= group.members;
      if (count >= 2 && isEnough) add(std::move(group), shapes);
    }
  };
  const auto closeAll = [&](auto which) {
    for (const Kind &kind : order)
      if (which(kind)) close(kind);
    llvm::erase_if(order, [&](const Kind &kind) { return open[kind].empty(); });
  };
  for (llvm::Instruction &instruction : block) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    std::optional<Kind> kind;
    int64_t offset = 0;
    if (pointer && !instruction.isAtomic() && !instruction.isVolatile() && !lanes.privateMemory(pointer)) {
      const Guess *likely = shapes.guess(*pointer);
      const Shape shape = likely ? likely->shape : shapes.of(*pointer);
      llvm::Type *type = llvm::getLoadStoreType(&instruction);
      const auto size = int64_t(layout.getTypeStoreSize(type));
      const bool isCovered =
          shape.isAffine() && shape.stride > size && shape.stride % size == 0 && shape.stride / size <= kMostMembers;
      const bool isApart = !shape.isUniform() && size == kHalf && !type->isVectorTy();
      if (shape.isAffine() && shape.stride == size) {
        Run alone{{&instruction, 0}};
        add(takeGroup(alone, size, 1), shapes);
      } else if (isCovered || isApart) {
        llvm::APInt distance(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true);
        kind = {base, type, isCovered ? shape.stride : kApart, llvm::isa<llvm::StoreInst>(instruction)};
        offset = distance.getSExtValue();
      }
    }
    // What is moved past it must not meet it in memory.
    if (instruction.mayWriteToMemory())
      closeAll([&](const Kind &one) { return !kind || one != *kind; });
    else
      closeAll([&](const Kind &one) { return one.isStore; });
    if (!kind) continue;
    if (!llvm::is_contained(order, *kind)) order.push_back(*kind);
    open[*kind].push_back({&instruction, offset});
  }
  closeAll([](const Kind &) { return true; });
}

/// Loads that are likely to lie side by side become one question.
void AccessGroups::join(llvm::BasicBlock &block) {
  AccessGroup *first = nullptr;
  unsigned members = 0;
  for (llvm::Instruction &instruction : block) {
    if (instruction.mayWriteToMemory()) first = nullptr;
    AccessGroup *group = groups_.lookup(&instruction);
    if (!group || group->place != &instruction || group->isStore || !group->guess) continue;
    if (first && members + group->members <= kMostTogether &&
        bring(*llvm::getLoadStorePointerOperand(group->place), *first->place)) {
      first->together.push_back(group);
      group->isTaken = true;
      members += group->members;
      continue;
    }
    first = group;
    members = group->members;
  }
}

} // namespace us::codegen
