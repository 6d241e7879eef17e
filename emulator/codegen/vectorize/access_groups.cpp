// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/access_groups.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <compare>
#include <map>

namespace us::codegen {
namespace {

/// Shorter elements take more shuffles than they save accesses; of longer strides most is not asked for.
constexpr int64_t kShortest = 4;
constexpr int64_t kMostMembers = 4;

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

} // namespace

unsigned AccessGroup::count() const {
  return unsigned(llvm::count_if(accesses, [](llvm::Instruction *access) { return access != nullptr; }));
}

AccessGroups::AccessGroups(LaneFunction &lanes, const Shapes &shapes) {
  for (llvm::BasicBlock *block : lanes.order()) look(*block, lanes, shapes);
}

void AccessGroups::look(llvm::BasicBlock &block, LaneFunction &lanes, const Shapes &shapes) {
  const llvm::DataLayout &layout = lanes.function().getDataLayout();
  std::map<Kind, Run> open;
  llvm::SmallVector<Kind, 8> order; // of `open`: addresses have none that is the same each time
  const auto close = [&](const Kind &kind) {
    Run &run = open[kind];
    const int64_t size = int64_t(layout.getTypeStoreSize(kind.type));
    while (!run.empty()) {
      AccessGroup group = takeGroup(run, size, unsigned(kind.stride / size));
      const unsigned count = group.count();
      if (kind.isStore && (!run.empty() || count < group.members)) return run.clear(); // their order may matter
      if (count < 2 || 2 * count < group.members) continue;
      all_.push_back(std::make_unique<AccessGroup>(std::move(group)));
      for (llvm::Instruction *access : all_.back()->accesses)
        if (access) groups_[access] = all_.back().get();
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
      const Shape shape = shapes.of(*pointer);
      llvm::Type *type = llvm::getLoadStoreType(&instruction);
      const auto size = int64_t(layout.getTypeStoreSize(type));
      if (shape.isAffine() && size >= kShortest && shape.stride > size && shape.stride % size == 0 &&
          shape.stride / size <= kMostMembers) {
        llvm::APInt distance(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true);
        kind = {base, type, shape.stride, llvm::isa<llvm::StoreInst>(instruction)};
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

} // namespace us::codegen
