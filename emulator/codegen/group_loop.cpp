// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/group_loop.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Intrinsics.h>

namespace us::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

uint64_t fullSize(const abi::Specialization &specialization, unsigned dimension) {
  return std::max(1u, specialization.localSize[dimension]);
}

llvm::Value *launchField(Builder &builder, llvm::Function &entry, size_t offset, const llvm::Twine &name) {
  return loadInvariant(builder, builder.getInt64Ty(), entry.getArg(0), offset, name);
}

/// `exists`: which turns have a work-item; null: all.
void makeBody(WorkItemLoop &loop, Builder &builder, const llvm::Twine &name, llvm::Value *exists = nullptr) {
  llvm::Function *entry = builder.GetInsertBlock()->getParent();
  loop.body = llvm::BasicBlock::Create(builder.getContext(), name, entry);
  loop.latch = llvm::BasicBlock::Create(builder.getContext(), name + ".latch", entry);
  if (exists)
    builder.CreateCondBr(exists, loop.body, loop.latch);
  else
    builder.CreateBr(loop.body);
  builder.SetInsertPoint(loop.body);
  builder.CreateUnreachable();
}

} // namespace

GroupLoop beginGroupLoop(llvm::Function &entry, const abi::Specialization &specialization, bool fused) {
  llvm::LLVMContext &context = entry.getContext();
  GroupLoop groups;
  groups.fused = fused;
  for (unsigned d = 0; d < 3; ++d) groups.fullItems *= fullSize(specialization, d);

  for (auto [argument, name] :
       llvm::zip(entry.args(), std::initializer_list<const char *>{"launch", "group", "first", "last"}))
    argument.setName(name);
  entry.getArg(0)->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::LaunchContext)));
  entry.getArg(1)->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::GroupContext)));

  auto *top = llvm::BasicBlock::Create(context, "entry", &entry);
  auto *head = llvm::BasicBlock::Create(context, "group.head", &entry);
  groups.groupLatch = llvm::BasicBlock::Create(context, "group.latch", &entry);
  groups.head = head;
  Builder launch(top);
  llvm::Type *i64 = launch.getInt64Ty();

  // Group ids run along with the linear number: one division at the start of the range.
  const unsigned dimensions = specialization.workDimensions;
  llvm::Value *numGroups[3] = {}, *globalSize[3] = {}, *offset[3] = {}, *firstGroup[3] = {};
  llvm::Value *rest = entry.getArg(2);
  for (unsigned d = 0; d < 3; ++d) {
    if (d >= dimensions) {
      firstGroup[d] = launch.getInt64(0);
      continue;
    }
    globalSize[d] = launchField(launch, entry, offsetof(abi::LaunchContext, globalSize) + 8ull * d, "global.size");
    if (!specialization.zeroOffset)
      offset[d] = launchField(launch, entry, offsetof(abi::LaunchContext, globalOffset) + 8ull * d, "global.offset");
    if (d + 1 == dimensions) {
      firstGroup[d] = rest;
    } else {
      numGroups[d] = launchField(launch, entry, offsetof(abi::LaunchContext, numGroups) + 8ull * d, "num.groups");
      firstGroup[d] = launch.CreateURem(rest, numGroups[d]);
      rest = launch.CreateUDiv(rest, numGroups[d]);
    }
  }
  if (fused && dimensions == 1)
    numGroups[0] = launchField(launch, entry, offsetof(abi::LaunchContext, numGroups), "num.groups");
  launch.CreateBr(head);
  groups.launchPoint = top->getTerminator();

  Builder builder(head);
  groups.group = builder.CreatePHI(i64, 2, "linear.group");
  groups.group->addIncoming(entry.getArg(2), top);
  llvm::PHINode *ids[3] = {};
  for (unsigned d = 0; d < dimensions; ++d) {
    if (d + 1 == dimensions && d == 0) {
      ids[d] = groups.group;
    } else {
      ids[d] = builder.CreatePHI(i64, 2, "group.id");
      ids[d]->addIncoming(firstGroup[d], top);
    }
  }
  for (unsigned d = 0; d < 3; ++d)
    groups.groupId[d] = ids[d] ? static_cast<llvm::Value *>(ids[d]) : builder.getInt64(0);
  builder.CreateStore(groups.group, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry.getArg(1),
                                                                       offsetof(abi::GroupContext, linearGroup)));

  // A fused stretch ends with the range or with its row.
  llvm::Value *stretch = builder.getInt64(1);
  if (fused) {
    llvm::Value *left = builder.CreateNUWSub(entry.getArg(3), groups.group);
    llvm::Value *inRow = builder.CreateNUWSub(numGroups[0] ? numGroups[0] : builder.getInt64(1), groups.groupId[0]);
    stretch = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, inRow);
  }
  llvm::Type *index = specialization.smallIndex ? builder.getInt32Ty() : i64;
  for (unsigned d = 0; d < 3; ++d) {
    const uint64_t full = fullSize(specialization, d);
    if (d >= dimensions) {
      groups.localSize[d] = builder.getInt64(1);
      groups.firstId[d] = llvm::ConstantInt::get(index, 0);
      continue;
    }
    llvm::Value *begin = builder.CreateMul(groups.groupId[d], builder.getInt64(full), "", true, true);
    const bool stretched = fused && d == 0;
    llvm::Value *items = builder.getInt64(full);
    if (stretched) items = builder.CreateMul(stretch, items, "", true, true);
    if (specialization.ragged)
      items = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, items, builder.CreateNUWSub(globalSize[d], begin));
    groups.localSize[d] = items;
    if (offset[d]) begin = builder.CreateAdd(begin, offset[d], "", true, true);
    groups.firstId[d] = builder.CreateTrunc(begin, index, "first.id");
    // Counters of work-items of one group fit 32 bits; those of a stretch need the index type.
    llvm::Type *counter = stretched ? index : builder.getInt32Ty();
    if (full > 1 || stretched) groups.count[d] = builder.CreateTrunc(items, counter, "items");
    // A stretch has a first group: loops over its work-items have a turn, and vectors that divide a group have no rest.
    if (stretched) {
      const uint64_t least = specialization.ragged ? 1 : full;
      builder.CreateAssumption(builder.CreateICmpUGE(groups.count[d], llvm::ConstantInt::get(counter, least)));
    }
  }
  // Everything from here up to the placeholder is of the group; the caller adds to it.
  groups.groupPoint = builder.CreateUnreachable();
  for (llvm::Instruction &instruction : *head)
    if (!instruction.getType()->isVoidTy()) groups.values.push_back(&instruction);

  Builder latch(groups.groupLatch);
  groups.nextGroup = latch.CreateAdd(groups.group, stretch, "next.group", true, true);
  groups.group->addIncoming(groups.nextGroup, groups.groupLatch);
  llvm::Value *carry = nullptr;
  for (unsigned d = 0; d < dimensions; ++d) {
    if (ids[d] == groups.group) break;
    llvm::Value *next = latch.CreateAdd(ids[d], d == 0 ? stretch : latch.CreateZExt(carry, i64), "", true, true);
    if (d + 1 < dimensions) {
      llvm::Value *wraps = latch.CreateICmpEQ(next, numGroups[d]);
      next = latch.CreateSelect(wraps, latch.getInt64(0), next);
      carry = wraps;
    }
    ids[d]->addIncoming(next, groups.groupLatch);
  }
  return groups;
}

void limitItems(Builder &builder, GroupLoop &groups, unsigned dimension, llvm::Value *bound) {
  llvm::Value *first = builder.CreateZExt(groups.firstId[dimension], builder.getInt64Ty());
  llvm::Value *left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, bound, first);
  llvm::Value *any = builder.CreateICmpNE(left, builder.getInt64(0));
  groups.anyItems = groups.anyItems ? builder.CreateAnd(groups.anyItems, any) : any;
  llvm::Value *&count = groups.count[dimension];
  if (!count) return;
  llvm::Value *all = builder.CreateZExt(count, builder.getInt64Ty());
  count = builder.CreateTrunc(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, all, left), count->getType());
}

void finishGroupLoop(llvm::Function &entry, GroupLoop &groups) {
  auto *done = llvm::BasicBlock::Create(entry.getContext(), "done", &entry);
  Builder(done).CreateRetVoid();
  Builder latch(groups.groupLatch);
  llvm::Value *word =
      latch.CreateConstInBoundsGEP1_64(latch.getInt8Ty(), entry.getArg(0), offsetof(abi::LaunchContext, abortWord));
  llvm::LoadInst *aborted = latch.CreateAlignedLoad(latch.getInt32Ty(), word, llvm::Align(4), "aborted");
  aborted->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::Value *more = latch.CreateAnd(latch.CreateICmpULT(groups.nextGroup, entry.getArg(3)),
                                      latch.CreateICmpEQ(aborted, latch.getInt32(0)));
  latch.CreateCondBr(more, groups.head, done);
}

namespace {

/// One loop in the order of the linear ids, for groups whose sub-groups are not parts of rows.
WorkItemLoop beginLinearLoop(Builder &builder, const GroupLoop &groups, const abi::Specialization &specialization) {
  llvm::Function *entry = builder.GetInsertBlock()->getParent();
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  WorkItemLoop loop;
  WorkItemLoop::Level level;
  auto *before = builder.GetInsertBlock();
  level.header = llvm::BasicBlock::Create(builder.getContext(), "items.linear", entry);
  level.latch = llvm::BasicBlock::Create(builder.getContext(), "items.latch", entry);
  builder.CreateBr(level.header);
  builder.SetInsertPoint(level.header);
  level.counter = builder.CreatePHI(i32, 2, "linear");
  level.counter->addIncoming(builder.getInt32(0), before);
  level.count = builder.getInt32(llvm::alignTo(groups.fullItems, specialization.subGroupSize));
  loop.linearId = builder.CreateZExt(level.counter, i64, "", true);
  llvm::Value *exists = groups.fullItems % specialization.subGroupSize == 0
                            ? nullptr
                            : builder.CreateICmpULT(level.counter, builder.getInt32(groups.fullItems));
  llvm::Value *rest = level.counter;
  for (unsigned d = 0; d < 3; ++d) {
    const uint64_t size = fullSize(specialization, d);
    llvm::Value *id = builder.getInt32(0);
    if (size > 1) {
      id = d == 2 ? rest : builder.CreateURem(rest, builder.getInt32(size), "local");
      rest = builder.CreateUDiv(rest, builder.getInt32(size));
    }
    loop.localId[d] = builder.CreateZExt(id, i64, "", true);
    llvm::Value *global =
        builder.CreateAdd(groups.firstId[d], builder.CreateZExtOrTrunc(id, groups.firstId[d]->getType()));
    loop.globalId[d] = builder.CreateZExt(global, i64, "", specialization.smallIndex);
    // Fewer than all, where a guard says that the others do nothing.
    if (groups.count[d] && !llvm::isa<llvm::ConstantInt>(groups.count[d])) {
      llvm::Value *isIn = builder.CreateICmpULT(id, builder.CreateZExtOrTrunc(groups.count[d], i32));
      exists = exists ? builder.CreateAnd(exists, isIn) : isIn;
    }
  }
  loop.levels.push_back(level);
  makeBody(loop, builder, "item", exists);
  return loop;
}

} // namespace

WorkItemLoop beginWorkItemLoop(Builder &builder, const GroupLoop &groups, const abi::Specialization &specialization) {
  const bool isRow = specialization.localSize[0] == groups.fullItems;
  if (groups.wholeSubGroups && !isRow && specialization.localSize[0] % specialization.subGroupSize != 0)
    return beginLinearLoop(builder, groups, specialization);
  llvm::LLVMContext &context = builder.getContext();
  llvm::Function *entry = builder.GetInsertBlock()->getParent();
  llvm::Type *i64 = builder.getInt64Ty();
  WorkItemLoop loop;
  for (unsigned d = 3; d-- > 0;) {
    if (!groups.count[d]) {
      loop.localId[d] = builder.getInt64(0);
      loop.globalId[d] = builder.CreateZExt(groups.firstId[d], i64, "", specialization.smallIndex);
      continue;
    }
    auto *before = builder.GetInsertBlock();
    WorkItemLoop::Level level;
    level.count = groups.count[d];
    level.header = llvm::BasicBlock::Create(context, d == 0 ? "items.x" : d == 1 ? "items.y" : "items.z", entry);
    level.latch = llvm::BasicBlock::Create(context, "items.latch", entry);
    builder.CreateBr(level.header);
    builder.SetInsertPoint(level.header);
    level.counter = builder.CreatePHI(groups.count[d]->getType(), 2, "local");
    level.counter->addIncoming(llvm::ConstantInt::get(level.counter->getType(), 0), before);
    level.id = builder.CreatePHI(groups.firstId[d]->getType(), 2, "global");
    level.id->addIncoming(groups.firstId[d], before);
    loop.localId[d] = builder.CreateZExt(level.counter, i64, "", true);
    loop.globalId[d] = builder.CreateZExt(level.id, i64, "", specialization.smallIndex);
    loop.levels.push_back(level);
  }
  llvm::Value *exists = nullptr;
  const auto *known = llvm::dyn_cast_or_null<llvm::ConstantInt>(groups.count[0]);
  const bool isWhole = known && known->getZExtValue() % specialization.subGroupSize == 0;
  if (groups.wholeSubGroups && groups.count[0] && !isWhole) {
    // A vector of work-items is a sub-group.
    WorkItemLoop::Level &level = loop.levels.back();
    exists = builder.CreateICmpULT(level.counter, level.count);
    Builder before(groups.groupPoint);
    llvm::Type *type = level.count->getType();
    const uint64_t size = specialization.subGroupSize;
    level.count =
        before.CreateAnd(before.CreateAdd(level.count, llvm::ConstantInt::get(type, size - 1), "", true, true),
                         llvm::ConstantInt::get(type, -size), "items.with.rest");
  }
  makeBody(loop, builder, "item", exists);
  return loop;
}

WorkItemLoop withoutWorkItemLoop(Builder &builder) {
  WorkItemLoop loop;
  makeBody(loop, builder, "once");
  return loop;
}

llvm::BasicBlock *endWorkItemLoop(WorkItemLoop &loop) {
  llvm::BasicBlock *current = loop.latch;
  Builder builder(current);
  for (WorkItemLoop::Level &level : llvm::reverse(loop.levels)) {
    builder.CreateBr(level.latch);
    builder.SetInsertPoint(level.latch);
    level.latch->moveAfter(current);
    auto step = [&](llvm::PHINode *phi) {
      llvm::Value *next = builder.CreateAdd(phi, llvm::ConstantInt::get(phi->getType(), 1), "", true,
                                            phi->getType()->isIntegerTy(32) || phi == level.counter);
      phi->addIncoming(next, level.latch);
      return next;
    };
    llvm::Value *next = step(level.counter);
    if (level.id) step(level.id);
    auto *after = llvm::BasicBlock::Create(builder.getContext(), "items.done", level.header->getParent());
    builder.CreateCondBr(builder.CreateICmpULT(next, level.count), level.header, after);
    builder.SetInsertPoint(after);
    current = after;
  }
  return current;
}

void setParallel(WorkItemLoop &loop, llvm::MDNode *accessGroup) {
  if (loop.levels.empty()) return;
  llvm::LLVMContext &context = loop.body->getContext();
  auto *parallel = llvm::MDNode::get(context, {llvm::MDString::get(context, kParallelAccesses), accessGroup});
  auto *items = llvm::MDNode::get(context, {llvm::MDString::get(context, kWorkItemLoop)});
  for (WorkItemLoop::Level &level : loop.levels) {
    llvm::SmallVector<llvm::Metadata *, 3> parts{nullptr, parallel};
    if (&level == &loop.levels.back()) parts.push_back(items);
    llvm::MDNode *id = llvm::MDNode::getDistinct(context, parts);
    id->replaceOperandWith(0, id);
    level.latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
  }
}

} // namespace us::codegen
