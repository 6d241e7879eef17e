// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's map of allocations: each context and each API finds its own.
#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

/// Of another API.
struct Foreign final : Allocation {
  Foreign(uint64_t address, uint64_t size) : Allocation(address, size) {}
};

class AllocationTest : public CoreTest {
protected:
  AllocationMap &map = AllocationMap::instance();
};

TEST_F(AllocationTest, ContextsDoNotFindEachOthers) {
  const Ref<Context> other = Context::create({device});
  const Ref<SvmAllocation> mine = *context->svm().allocate(*context, {100, 0});
  const Ref<SvmAllocation> theirs = *other->svm().allocate(*other, {100, 0});
  EXPECT_EQ(map.find(mine->address() + 99), mine);
  EXPECT_EQ(map.find(theirs->address()), theirs);
  EXPECT_NE(mine->id(), theirs->id());
  EXPECT_FALSE(context->svm().find(theirs->begin()));
  EXPECT_FALSE(context->svm().remove(theirs->begin()));
  EXPECT_TRUE(other->svm().remove(theirs->begin()));
  EXPECT_FALSE(map.find(theirs->address()));
}

TEST_F(AllocationTest, ApisDoNotFindEachOthers) {
  constexpr uint64_t kNowhere = uint64_t(1) << 60;
  const auto foreign = makeRef<Foreign>(kNowhere, 100);
  map.add(foreign);
  const Ref<SvmAllocation> shared = *context->svm().allocate(*context, {100, 0});
  EXPECT_EQ(map.find(kNowhere + 99), foreign);
  EXPECT_FALSE(map.find(kNowhere + 100));
  EXPECT_FALSE(context->svm().find(reinterpret_cast<void *>(kNowhere)));
  EXPECT_FALSE(map.remove<SvmAllocation>(kNowhere));
  EXPECT_FALSE(map.remove<Foreign>(kNowhere + 1));
  EXPECT_FALSE(map.remove<Foreign>(shared->address()));
  EXPECT_EQ(map.removeAll<Foreign>([](const Foreign &) { return true; }).size(), 1u);
  EXPECT_FALSE(map.find(kNowhere));
  EXPECT_EQ(map.find(shared->address()), shared);
}

TEST_F(AllocationTest, AContextsEndWithIt) {
  Ref<Context> other = Context::create({device});
  const uint64_t address = (*other->svm().allocate(*other, {100, 0}))->address();
  EXPECT_TRUE(map.find(address));
  EXPECT_EQ(device->memoryUsed(), 100u);
  other = nullptr;
  EXPECT_FALSE(map.find(address));
  EXPECT_EQ(device->memoryUsed(), 0u);
}

} // namespace
} // namespace us::core
