// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of a queue's commands by itself: what becomes ready when, on no device and no thread but this.
#include "runtime/core/unfinished_commands.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace us::core {
namespace {

struct Node {
  CommandLinks<Node> links_;
  int issues = 0;
  void issued() { ++issues; }
};

class UnfinishedCommandsTest : public testing::Test {
protected:
  using List = UnfinishedCommands<Node>;
  Node &add(List &list, int waitsFor = 0) {
    Node &node = nodes.emplace_back();
    node.links_.open += waitsFor;
    list.append(node);
    return node;
  }
  Node &addBarrier(List &list) {
    Node &node = nodes.emplace_back();
    node.links_.barrier = true;
    list.append(node);
    return node;
  }
  /// What a dependency that ends does.
  void release(List &list, Node &node) {
    if (--node.links_.open == 0) list.becameReady(node);
  }
  static CommandStage stage(const Node &node) { return node.links_.stage; }
  /// Runs all that can run, one after the other.
  static std::vector<Node *> runAll(List &list) {
    std::vector<Node *> ran;
    while (Node *node = list.takeAny()) {
      EXPECT_EQ(stage(*node), CommandStage::Taken);
      EXPECT_EQ(node->issues, 1);
      ran.push_back(node);
      list.remove(*node);
    }
    return ran;
  }
  using Nodes = std::vector<Node *>;
  List inOrder{false}, outOfOrder{true};
  std::deque<Node> nodes;
};

TEST_F(UnfinishedCommandsTest, NothingRunsBeforeItIsSubmitted) {
  for (List *list : {&inOrder, &outOfOrder}) {
    EXPECT_FALSE(list->hasPending());
    Node &node = add(*list);
    EXPECT_TRUE(list->hasPending());
    EXPECT_EQ(list->pending(), &node);
    EXPECT_FALSE(list->runnable());
    EXPECT_EQ(stage(node), CommandStage::Pending);
    list->submit();
    EXPECT_TRUE(list->runnable());
    EXPECT_FALSE(list->hasPending());
    EXPECT_EQ(stage(node), CommandStage::Ready);
    EXPECT_EQ(list->size(), 1u);
    EXPECT_EQ(runAll(*list), Nodes{&node});
    EXPECT_EQ(list->size(), 0u);
    EXPECT_EQ(list->first(), nullptr);
    EXPECT_EQ(list->last(), nullptr);
  }
}

TEST_F(UnfinishedCommandsTest, OneIsReadyOnceItWaitsForNothing) {
  for (List *list : {&inOrder, &outOfOrder}) {
    Node &node = add(*list, 2);
    list->submit();
    list->releaseDue();
    EXPECT_EQ(stage(node), CommandStage::Released);
    release(*list, node);
    EXPECT_FALSE(list->runnable());
    release(*list, node);
    EXPECT_EQ(stage(node), CommandStage::Ready);
    EXPECT_EQ(runAll(*list), Nodes{&node});
  }
}

TEST_F(UnfinishedCommandsTest, InOrderOneBehindAnotherThatWaitsStaysAsItIs) {
  Node &first = add(inOrder, 1), &second = add(inOrder), &third = add(inOrder, 1);
  inOrder.submit();
  inOrder.releaseDue();
  EXPECT_EQ(stage(second), CommandStage::Released);
  release(inOrder, third);
  EXPECT_FALSE(inOrder.runnable());
  release(inOrder, first);
  EXPECT_EQ(stage(third), CommandStage::Ready);
  EXPECT_EQ(runAll(inOrder), (Nodes{&first, &second, &third}));
}

TEST_F(UnfinishedCommandsTest, InOrderOneRunsAtATime) {
  Node &first = add(inOrder), &second = add(inOrder);
  inOrder.submit();
  EXPECT_EQ(inOrder.takeAny(), &first);
  EXPECT_TRUE(inOrder.occupied());
  EXPECT_EQ(inOrder.takeAny(), nullptr);
  inOrder.remove(first);
  inOrder.occupy();
  EXPECT_EQ(inOrder.takeAny(), nullptr);
  inOrder.vacate();
  EXPECT_EQ(runAll(inOrder), Nodes{&second});
  EXPECT_FALSE(inOrder.occupied());
}

TEST_F(UnfinishedCommandsTest, OutOfOrderWhatIsReadyFirstRunsFirst) {
  Node &first = add(outOfOrder, 1), &second = add(outOfOrder), &third = add(outOfOrder);
  outOfOrder.submit();
  release(outOfOrder, first);
  EXPECT_EQ(outOfOrder.takeAny(), &second);
  EXPECT_EQ(outOfOrder.takeAny(), &third);
  EXPECT_EQ(outOfOrder.takeAny(), &first);
  outOfOrder.remove(third);
  outOfOrder.remove(first);
  EXPECT_EQ(outOfOrder.first(), &second);
  EXPECT_EQ(outOfOrder.last(), &second);
  outOfOrder.remove(second);
}

TEST_F(UnfinishedCommandsTest, OutOfOrderAnyReadyOneCanBeTaken) {
  Node &first = add(outOfOrder), &second = add(outOfOrder), &third = add(outOfOrder);
  outOfOrder.submit();
  outOfOrder.take(second);
  outOfOrder.take(third);
  EXPECT_EQ(outOfOrder.takeAny(), &first);
  EXPECT_EQ(outOfOrder.takeAny(), nullptr);
  for (Node *node : {&first, &second, &third}) outOfOrder.remove(*node);
  EXPECT_EQ(outOfOrder.size(), 0u);
}

TEST_F(UnfinishedCommandsTest, PartOfThePendingOnesIsSubmitted) {
  for (List *list : {&inOrder, &outOfOrder}) {
    Node &first = add(*list), &second = add(*list);
    list->submit(&second);
    EXPECT_EQ(runAll(*list), Nodes{&first});
    EXPECT_EQ(list->pending(), &second);
    list->submit();
    EXPECT_EQ(runAll(*list), Nodes{&second});
  }
}

// Whoever runs them releases them, some at a time.
TEST_F(UnfinishedCommandsTest, InOrderALongRowIsReleasedAsItRuns) {
  for (int i = 0; i < 1000; ++i) add(inOrder);
  inOrder.submit();
  EXPECT_EQ(stage(nodes.front()), CommandStage::Pending);
  EXPECT_TRUE(inOrder.runnable());
  EXPECT_EQ(stage(nodes.front()), CommandStage::Ready);
  EXPECT_EQ(stage(nodes.back()), CommandStage::Pending);
  EXPECT_EQ(runAll(inOrder).size(), 1000u);
}

TEST_F(UnfinishedCommandsTest, LazyOnesAtTheEnd) {
  EXPECT_EQ(inOrder.lazyTail(), nullptr);
  Node &first = add(inOrder), &second = add(inOrder), &third = add(inOrder);
  first.links_.lazy = second.links_.lazy = true;
  EXPECT_EQ(inOrder.lazyTail(), nullptr);
  third.links_.lazy = true;
  EXPECT_EQ(inOrder.lazyTail(), &first);
  inOrder.submit(&second);
  inOrder.releaseDue();
  EXPECT_EQ(inOrder.lazyTail(), &second); // not those that are submitted
  inOrder.submit();
  inOrder.releaseDue();
  EXPECT_EQ(inOrder.lazyTail(), nullptr);
}

TEST_F(UnfinishedCommandsTest, WhatANewOneWaitsForByItsPlace) {
  const auto earlier = [](const List &list, bool all) {
    Nodes found;
    list.visitEarlier(all, [&](Node &node) { found.push_back(&node); });
    return found;
  };
  Node &first = add(outOfOrder), &second = add(outOfOrder);
  EXPECT_EQ(earlier(outOfOrder, true), (Nodes{&first, &second}));
  EXPECT_EQ(earlier(outOfOrder, false), Nodes{});
  Node &barrier = addBarrier(outOfOrder), &after = add(outOfOrder);
  EXPECT_EQ(earlier(outOfOrder, true), (Nodes{&barrier, &after}));
  EXPECT_EQ(earlier(outOfOrder, false), Nodes{&barrier});
  outOfOrder.submit();
  outOfOrder.take(barrier);
  outOfOrder.remove(barrier);
  EXPECT_EQ(earlier(outOfOrder, false), Nodes{});
  add(inOrder);
  addBarrier(inOrder);
  EXPECT_EQ(earlier(inOrder, true), Nodes{}); // its turn comes after theirs
}

TEST_F(UnfinishedCommandsTest, TheNextMayBeTakenOnceOneIsHandedOver) {
  Node &one = add(inOrder), &two = add(inOrder), &three = add(inOrder);
  inOrder.submit();
  ASSERT_EQ(inOrder.takeAny(), &one);
  EXPECT_EQ(inOrder.takeAny(), nullptr);
  inOrder.handOver(one);
  EXPECT_EQ(stage(one), CommandStage::HandedOver);
  EXPECT_EQ(inOrder.towards(one).ready, nullptr); // the device has it
  EXPECT_EQ(inOrder.towards(three).ready, &two);
  // What cannot run now is the next one again.
  ASSERT_EQ(inOrder.takeAny(), &two);
  inOrder.putBack(two);
  EXPECT_EQ(stage(two), CommandStage::Ready);
  ASSERT_EQ(inOrder.takeAny(), &two);
  inOrder.handOver(two);
  EXPECT_FALSE(inOrder.isAllHandedOver());
  ASSERT_EQ(inOrder.takeAny(), &three);
  // The device may end it before whoever took it says that it has it.
  inOrder.remove(three);
  inOrder.handOver(three);
  EXPECT_EQ(stage(three), CommandStage::Removed);
  EXPECT_TRUE(inOrder.isAllHandedOver());
  EXPECT_FALSE(inOrder.occupied());
  inOrder.remove(one);
  EXPECT_TRUE(inOrder.isAnyHandedOver());
  inOrder.remove(two);
  EXPECT_FALSE(inOrder.isAnyHandedOver());
  EXPECT_EQ(inOrder.size(), 0u);
}

TEST_F(UnfinishedCommandsTest, StepsTowardsOne) {
  Node &first = add(outOfOrder, 1), &second = add(outOfOrder);
  outOfOrder.submit();
  EXPECT_EQ(outOfOrder.towards(first).blocked, &first);
  EXPECT_EQ(outOfOrder.towards(second).ready, &second);
  outOfOrder.take(second);
  EXPECT_EQ(outOfOrder.towards(second).ready, nullptr);
  EXPECT_EQ(outOfOrder.towards(second).blocked, nullptr);

  Node &one = add(inOrder, 1), &two = add(inOrder);
  inOrder.submit();
  EXPECT_EQ(inOrder.towards(two).blocked, &one);
  release(inOrder, one);
  EXPECT_EQ(inOrder.towards(two).ready, &one);
  inOrder.take(one);
  EXPECT_EQ(inOrder.towards(two).ready, nullptr); // one runs
  inOrder.remove(one);
  EXPECT_EQ(inOrder.towards(one).ready, nullptr); // it has ended
  EXPECT_EQ(inOrder.towards(one).blocked, nullptr);
  EXPECT_EQ(inOrder.towards(two).ready, &two);
}

} // namespace
} // namespace us::core
