// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of the driver API. What is expected is what the documentation says; with UNDERSTUDY_TEST_CUDA_LIBRARY the same
// tests ask a real driver.
#include "tests/icd/cuda/cuda_test.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace us::cuda_test {
namespace {

/// add: p[i] += value for i < n, on one block; scale: p[i] *= value; set: *(u32*)handle = value, as
/// cudaGraphSetConditional does here; countDown: --*counter, and the handle is set while it is not 0.
const std::string kKernels = kHead + R"(
.visible .entry add(.param .u64 p, .param .u32 value, .param .u32 n)
{
  .reg .pred %q; .reg .b32 %r<5>; .reg .b64 %d<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [n];
  setp.ge.u32 %q, %r1, %r2;
  @%q ret;
  ld.param.u64 %d1, [p];
  mad.wide.u32 %d2, %r1, 4, %d1;
  ld.global.u32 %r3, [%d2];
  ld.param.u32 %r4, [value];
  add.u32 %r3, %r3, %r4;
  st.global.u32 [%d2], %r3;
  ret;
}
.visible .entry scale(.param .u64 p, .param .u32 value, .param .u32 n)
{
  .reg .pred %q; .reg .b32 %r<5>; .reg .b64 %d<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u32 %r2, [n];
  setp.ge.u32 %q, %r1, %r2;
  @%q ret;
  ld.param.u64 %d1, [p];
  mad.wide.u32 %d2, %r1, 4, %d1;
  ld.global.u32 %r3, [%d2];
  ld.param.u32 %r4, [value];
  mul.lo.u32 %r3, %r3, %r4;
  st.global.u32 [%d2], %r3;
  ret;
}
)";
/// Only here: what a device function of the vendor's does on a real device.
const std::string kSetCondition = kHead + R"(
.visible .entry set(.param .u64 handle, .param .u32 value)
{
  .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [handle];
  ld.param.u32 %r, [value];
  st.global.u32 [%d], %r;
  ret;
}
.visible .entry countDown(.param .u64 counter, .param .u64 handle)
{
  .reg .b32 %r; .reg .b64 %d<2>;
  ld.param.u64 %d0, [counter];
  ld.param.u64 %d1, [handle];
  ld.global.u32 %r, [%d0];
  sub.u32 %r, %r, 1;
  st.global.u32 [%d0], %r;
  st.global.u32 [%d1], %r;
  ret;
}
)";

class Graphs : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    if (!context) return;
    module_ = load(kKernels);
    add_ = function(module_, "add");
    scale_ = function(module_, "scale");
    ASSERT_OK(CU(cuStreamCreate)(&stream_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(CU(cuGraphCreate)(&graph_, 0));
  }
  void TearDown() override {
    if (graph_) EXPECT_OK(CU(cuGraphDestroy)(graph_));
    if (stream_) CU(cuStreamDestroy_v2)(stream_);
    Cuda::TearDown();
  }

  /// `f` on p, with a value, over n elements.
  CUDA_KERNEL_NODE_PARAMS parameters(CUfunction f, CUdeviceptr &p, unsigned &value, unsigned &n) {
    pointers_[0] = &p, pointers_[1] = &value, pointers_[2] = &n;
    return {f, 1, 1, 1, 32, 1, 1, 0, pointers_, nullptr, nullptr, nullptr};
  }
  CUgraphNode kernel(CUgraph graph, CUfunction f, CUdeviceptr p, unsigned value, std::vector<CUgraphNode> before = {},
                     unsigned n = 4) {
    const CUDA_KERNEL_NODE_PARAMS given = parameters(f, p, value, n);
    CUgraphNode node = nullptr;
    EXPECT_OK(CU(cuGraphAddKernelNode_v2)(&node, graph, before.data(), before.size(), &given));
    return node;
  }
  CUgraphNode empty(CUgraph graph, std::vector<CUgraphNode> before = {}) {
    CUgraphNode node = nullptr;
    EXPECT_OK(CU(cuGraphAddEmptyNode)(&node, graph, before.data(), before.size()));
    return node;
  }
  CUgraphExec instantiate(CUgraph graph, unsigned long long flags = 0) {
    CUgraphExec exec = nullptr;
    EXPECT_OK(CU(cuGraphInstantiateWithFlags)(&exec, graph, flags));
    return exec;
  }
  void run(CUgraphExec exec) {
    EXPECT_OK(CU(cuGraphLaunch)(exec, stream_));
    EXPECT_OK(CU(cuStreamSynchronize)(stream_));
  }
  std::vector<CUgraphNode> nodesOf(CUgraph graph) {
    size_t count = 0;
    EXPECT_OK(CU(cuGraphGetNodes)(graph, nullptr, &count));
    std::vector<CUgraphNode> nodes(count);
    EXPECT_OK(CU(cuGraphGetNodes)(graph, nodes.data(), &count));
    return nodes;
  }
  using Values = std::vector<unsigned>;
  Values values(CUdeviceptr p) { return download<unsigned>(p, 4); }

  CUmodule module_ = nullptr;
  CUfunction add_ = nullptr, scale_ = nullptr;
  CUstream stream_ = nullptr;
  CUgraph graph_ = nullptr;
  void *pointers_[3] = {};
};

TEST_F(Graphs, nodesRunInTheOrderOfTheirDependencies) {
  const CUdeviceptr p = upload<unsigned>({1, 2, 3, 4});
  // Added in another order than the one they run in: (x + 1) * 10 + 5.
  const CUgraphNode last = kernel(graph_, add_, p, 5);
  const CUgraphNode middle = kernel(graph_, scale_, p, 10);
  const CUgraphNode first = kernel(graph_, add_, p, 1);
  const CUgraphNode from[] = {first, middle}, to[] = {middle, last};
  ASSERT_OK(CU(cuGraphAddDependencies_v2)(graph_, from, to, nullptr, 2));
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{25, 35, 45, 55}));
  run(exec);
  EXPECT_EQ(values(p), (Values{265, 365, 465, 565}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, structureIsTold) {
  const CUgraphNode a = empty(graph_), b = empty(graph_, {a}), c = empty(graph_, {a}), d = empty(graph_, {b, c});
  EXPECT_EQ(nodesOf(graph_), (std::vector{a, b, c, d}));
  size_t count = 0;
  ASSERT_OK(CU(cuGraphGetRootNodes)(graph_, nullptr, &count));
  EXPECT_EQ(count, 1u);
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph_, nullptr, nullptr, nullptr, &count));
  ASSERT_EQ(count, 4u);
  std::vector<CUgraphNode> from(count), to(count);
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph_, from.data(), to.data(), nullptr, &count));
  std::set<std::pair<CUgraphNode, CUgraphNode>> edges;
  for (size_t i = 0; i < count; ++i) edges.insert({from[i], to[i]});
  EXPECT_EQ(edges, (std::set<std::pair<CUgraphNode, CUgraphNode>>{{a, b}, {a, c}, {b, d}, {c, d}}));
  // More places than there are nodes: "the remaining entries will be set to NULL".
  CUgraphNode four[4] = {a, a, a, a};
  count = 4;
  ASSERT_OK(CU(cuGraphNodeGetDependencies_v2)(d, four, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ((std::vector(four, four + 4)), (std::vector<CUgraphNode>{b, c, nullptr, nullptr}));
  count = 1;
  CUgraphNode one = nullptr;
  ASSERT_OK(CU(cuGraphNodeGetDependentNodes_v2)(a, &one, nullptr, &count));
  EXPECT_EQ(one, b);
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
  ASSERT_OK(CU(cuGraphNodeGetType)(a, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_EMPTY);
  // A node that goes takes its edges with it.
  ASSERT_OK(CU(cuGraphDestroyNode)(b));
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph_, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphNodeGetType)(b, &type));
  const CUgraphNode from2[] = {a}, to2[] = {c};
  ASSERT_OK(CU(cuGraphRemoveDependencies_v2)(graph_, from2, to2, nullptr, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphRemoveDependencies_v2)(graph_, from2, to2, nullptr, 1));
}

TEST_F(Graphs, wrongStructuresAreRefused) {
  const CUgraphNode a = empty(graph_), b = empty(graph_, {a});
  CUgraphNode node = nullptr;
  const CUgraphNode twice[] = {a, a};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddEmptyNode)(&node, graph_, twice, 2));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddDependencies_v2)(graph_, &a, &b, nullptr, 1)); // there already
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddDependencies_v2)(graph_, &a, &a, nullptr, 1));
  CUgraph other = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&other, 0));
  const CUgraphNode foreign = empty(other);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddEmptyNode)(&node, graph_, &foreign, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddDependencies_v2)(graph_, &a, &foreign, nullptr, 1));
  ASSERT_OK(CU(cuGraphDestroy)(other));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphDestroy)(other));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphCreate)(&other, 1));
  // A circle is found by who instantiates: "CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, if the graph structure is
  // invalid".
  ASSERT_OK(CU(cuGraphAddDependencies_v2)(graph_, &b, &a, nullptr, 1));
  CUgraphExec exec = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS told = {};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphInstantiateWithParams)(&exec, graph_, &told));
  EXPECT_EQ(told.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  EXPECT_TRUE(told.hErrNode_out == a || told.hErrNode_out == b);
}

TEST_F(Graphs, wrongHandlesAndPointersAreErrors) {
  CUgraphNode node = nullptr;
  size_t count = 0;
  const auto wild = reinterpret_cast<CUgraph>(uintptr_t(0x1234560));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddEmptyNode)(&node, wild, nullptr, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddEmptyNode)(nullptr, graph_, nullptr, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddEmptyNode)(&node, graph_, nullptr, 3));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphGetNodes)(graph_, nullptr, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphGetNodes)(nullptr, nullptr, &count));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphDestroyNode)(nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddKernelNode_v2)(&node, graph_, nullptr, 0, nullptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphLaunch)(nullptr, stream_));
  CUDA_HOST_NODE_PARAMS host = {};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddHostNode)(&node, graph_, nullptr, 0, &host));
  CUgraphExec exec = nullptr;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphInstantiateWithFlags)(&exec, graph_, 1 << 10));
}

TEST_F(Graphs, copiesFillsAndCallsOfTheHost) {
  const CUdeviceptr a = allocate(16), b = allocate(16);
  static unsigned out[4];
  static std::vector<int> order;
  order.clear();
  CUgraphNode fill = nullptr, copy = nullptr, back = nullptr, call = nullptr;
  const CUDA_MEMSET_NODE_PARAMS set{a, 0, 0x01020304, 4, 4, 1};
  ASSERT_OK(CU(cuGraphAddMemsetNode)(&fill, graph_, nullptr, 0, &set, context));
  CUDA_MEMCPY3D text = {};
  text.srcMemoryType = CU_MEMORYTYPE_DEVICE, text.srcDevice = a;
  text.dstMemoryType = CU_MEMORYTYPE_DEVICE, text.dstDevice = b;
  text.WidthInBytes = 12, text.Height = text.Depth = 1;
  ASSERT_OK(CU(cuGraphAddMemcpyNode)(&copy, graph_, &fill, 1, &text, context));
  CUDA_MEMCPY3D down = text;
  down.srcDevice = b, down.dstMemoryType = CU_MEMORYTYPE_HOST, down.dstHost = out;
  ASSERT_OK(CU(cuGraphAddMemcpyNode)(&back, graph_, &copy, 1, &down, context));
  const CUDA_HOST_NODE_PARAMS host{[](void *what) { order.push_back(int(out[0]) + *static_cast<int *>(what)); },
                                   new int(7)};
  ASSERT_OK(CU(cuGraphAddHostNode)(&call, graph_, &back, 1, &host));
  ASSERT_OK(CU(cuMemsetD32_v2)(b, 0, 4));
  ASSERT_OK(CU(cuCtxSynchronize)()); // the graph runs beside the legacy stream
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(order, std::vector{0x01020304 + 7});
  EXPECT_EQ(values(b), (Values{0x01020304, 0x01020304, 0x01020304, 0}));
  // What nodes were given they tell.
  CUDA_MEMCPY3D told = {};
  ASSERT_OK(CU(cuGraphMemcpyNodeGetParams)(copy, &told));
  EXPECT_EQ(told.srcDevice, a);
  EXPECT_EQ(told.dstDevice, b);
  EXPECT_EQ(told.WidthInBytes, 12u);
  CUDA_MEMSET_NODE_PARAMS toldSet = {};
  ASSERT_OK(CU(cuGraphMemsetNodeGetParams)(fill, &toldSet));
  EXPECT_EQ(toldSet.dst, a);
  EXPECT_EQ(toldSet.value, 0x01020304u);
  EXPECT_EQ(toldSet.elementSize, 4u);
  CUDA_HOST_NODE_PARAMS toldHost = {};
  ASSERT_OK(CU(cuGraphHostNodeGetParams)(call, &toldHost));
  EXPECT_EQ(toldHost.fn, host.fn);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphMemsetNodeGetParams)(copy, &toldSet)); // another kind of node
  CUDA_MEMSET_NODE_PARAMS wrong = set;
  wrong.elementSize = 3;
  CUgraphNode node = nullptr;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddMemsetNode)(&node, graph_, nullptr, 0, &wrong, context));
  CUDA_MEMCPY3D level = text;
  level.srcLOD = 1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddMemcpyNode)(&node, graph_, nullptr, 0, &level, context));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, kernelsTellTheirParameters) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphNode node = kernel(graph_, add_, p, 3);
  CUDA_KERNEL_NODE_PARAMS told = {};
  ASSERT_OK(CU(cuGraphKernelNodeGetParams_v2)(node, &told));
  EXPECT_EQ(told.func, add_);
  EXPECT_EQ(told.blockDimX, 32u);
  ASSERT_NE(told.kernelParams, nullptr);
  EXPECT_EQ(*static_cast<CUdeviceptr *>(told.kernelParams[0]), p);
  EXPECT_EQ(*static_cast<unsigned *>(told.kernelParams[1]), 3u);
  // They are the node's own, and can be given back, changed.
  unsigned seven = 7, n = 2;
  told.kernelParams = pointers_;
  told = parameters(scale_, p, seven, n);
  ASSERT_OK(CU(cuGraphKernelNodeSetParams_v2)(node, &told));
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{7, 7, 1, 1}));
  told.blockDimX = 5000;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphKernelNodeSetParams_v2)(node, &told));
  CUkernelNodeAttrValue value = {};
  ASSERT_OK(CU(cuGraphKernelNodeGetAttribute)(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  EXPECT_EQ(value.cooperative, 0);
  value.cooperative = 1;
  ASSERT_OK(CU(cuGraphKernelNodeSetAttribute)(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  const CUgraphNode other = kernel(graph_, add_, p, 1, {node});
  ASSERT_OK(CU(cuGraphKernelNodeCopyAttributes)(other, node));
  value = {};
  ASSERT_OK(CU(cuGraphKernelNodeGetAttribute)(other, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
  EXPECT_EQ(value.cooperative, 1);
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, childrenRunAsPartsOfTheirParents) {
  CUdeviceptr p = upload<unsigned>({1, 2, 3, 4});
  CUgraph inner = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&inner, 0));
  const CUgraphNode one = kernel(inner, add_, p, 1);
  kernel(inner, scale_, p, 2, {one});
  const CUgraphNode first = kernel(graph_, add_, p, 10);
  CUgraphNode child = nullptr;
  ASSERT_OK(CU(cuGraphAddChildGraphNode)(&child, graph_, &first, 1, inner));
  // "The child graph is cloned in this call."
  kernel(inner, scale_, p, 1000);
  kernel(graph_, add_, p, 1, {child});
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{25, 27, 29, 31}));
  CUgraph embedded = nullptr;
  ASSERT_OK(CU(cuGraphChildGraphNodeGetGraph)(child, &embedded));
  EXPECT_NE(embedded, inner);
  EXPECT_EQ(nodesOf(embedded).size(), 2u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphDestroy)(embedded)); // it is the node's
  ASSERT_OK(CU(cuGraphDestroy)(inner));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, clonesAreApart) {
  CUdeviceptr p = upload<unsigned>({1, 2, 3, 4});
  const CUgraphNode a = kernel(graph_, add_, p, 1), b = kernel(graph_, scale_, p, 2, {a});
  CUgraph clone = nullptr;
  ASSERT_OK(CU(cuGraphClone)(&clone, graph_));
  CUgraphNode twin = nullptr;
  ASSERT_OK(CU(cuGraphNodeFindInClone)(&twin, b, clone));
  EXPECT_NE(twin, b);
  size_t count = 0;
  ASSERT_OK(CU(cuGraphNodeGetDependencies_v2)(twin, nullptr, nullptr, &count));
  EXPECT_EQ(count, 1u);
  ASSERT_OK(CU(cuGraphDestroyNode)(b)); // of the original only
  const CUgraphExec exec = instantiate(clone);
  run(exec);
  EXPECT_EQ(values(p), (Values{4, 6, 8, 10}));
  ASSERT_OK(CU(cuGraphDestroyNode)(twin));
  const CUgraphNode later = empty(graph_);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphNodeFindInClone)(&twin, later, clone));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuGraphDestroy)(clone));
}

TEST_F(Graphs, executableGraphsTakeNewParameters) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1}), q = upload<unsigned>({0, 0, 0, 0});
  const CUgraphNode node = kernel(graph_, add_, p, 1);
  const CUDA_MEMSET_NODE_PARAMS set{q, 0, 9, 4, 4, 1};
  CUgraphNode fill = nullptr;
  ASSERT_OK(CU(cuGraphAddMemsetNode)(&fill, graph_, &node, 1, &set, context));
  const CUgraphExec exec = instantiate(graph_);
  unsigned hundred = 100, n = 4;
  const CUDA_KERNEL_NODE_PARAMS given = parameters(add_, p, hundred, n);
  ASSERT_OK(CU(cuGraphExecKernelNodeSetParams_v2)(exec, node, &given));
  CUDA_MEMSET_NODE_PARAMS other = set;
  other.value = 3;
  ASSERT_OK(CU(cuGraphExecMemsetNodeSetParams)(exec, fill, &other, context));
  run(exec);
  EXPECT_EQ(values(p), (Values{101, 101, 101, 101}));
  EXPECT_EQ(values(q), (Values{3, 3, 3, 3}));
  // "hNode is also not modified by this call": the graph has the old ones.
  const CUgraphExec again = instantiate(graph_);
  run(again);
  EXPECT_EQ(values(p), (Values{102, 102, 102, 102}));
  // "Disabled nodes are functionally equivalent to empty nodes."
  unsigned enabled = 0;
  ASSERT_OK(CU(cuGraphNodeGetEnabled)(exec, fill, &enabled));
  EXPECT_EQ(enabled, 1u);
  ASSERT_OK(CU(cuMemsetD32_v2)(q, 0, 4));
  ASSERT_OK(CU(cuCtxSynchronize)());
  ASSERT_OK(CU(cuGraphNodeSetEnabled)(exec, fill, 0));
  run(exec);
  EXPECT_EQ(values(q), (Values{0, 0, 0, 0}));
  ASSERT_OK(CU(cuGraphNodeSetEnabled)(exec, fill, 1));
  run(exec);
  EXPECT_EQ(values(q), (Values{3, 3, 3, 3}));
  const CUgraphNode nothing = empty(graph_);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphNodeSetEnabled)(exec, nothing, 0));
  CUDA_HOST_NODE_PARAMS host{[](void *) {}, nullptr};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphExecHostNodeSetParams)(exec, node, &host)); // a kernel
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuGraphExecDestroy)(again));
}

TEST_F(Graphs, executableGraphsAreUpdatedByGraphsLikeTheirs) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphNode a = kernel(graph_, add_, p, 1);
  kernel(graph_, scale_, p, 3, {a});
  const CUgraphExec exec = instantiate(graph_);
  CUgraph other = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&other, 0));
  const CUgraphNode x = kernel(other, add_, p, 4), y = kernel(other, add_, p, 100, {x});
  CUgraphExecUpdateResultInfo info = {};
  ASSERT_OK(CU(cuGraphExecUpdate_v2)(exec, other, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  run(exec);
  EXPECT_EQ(values(p), (Values{105, 105, 105, 105}));
  // "A node has a different number of dependencies ... errorNode is set to the node from hGraph."
  ASSERT_OK(CU(cuGraphRemoveDependencies_v2)(other, &x, &y, nullptr, 1));
  EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, CU(cuGraphExecUpdate_v2)(exec, other, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  // Another number of nodes: "errorNode is set to NULL".
  empty(other);
  EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, CU(cuGraphExecUpdate_v2)(exec, other, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_EQ(info.errorNode, nullptr);
  ASSERT_OK(CU(cuGraphDestroy)(other));
  // Another kind of node.
  ASSERT_OK(CU(cuGraphCreate)(&other, 0));
  const CUgraphNode first = kernel(other, add_, p, 1), second = empty(other, {first});
  EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, CU(cuGraphExecUpdate_v2)(exec, other, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
  EXPECT_EQ(info.errorNode, second);
  ASSERT_OK(CU(cuGraphDestroy)(other));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, eventsAreRecordedAndWaitedFor) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  CUevent begin = nullptr, end = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&begin, 0));
  ASSERT_OK(CU(cuEventCreate)(&end, 0));
  CUgraphNode first = nullptr, last = nullptr;
  ASSERT_OK(CU(cuGraphAddEventRecordNode)(&first, graph_, nullptr, 0, begin));
  const CUgraphNode node = kernel(graph_, add_, p, 1, {first});
  ASSERT_OK(CU(cuGraphAddEventRecordNode)(&last, graph_, &node, 1, end));
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  float milliseconds = -1;
  EXPECT_OK(CU(cuEventQuery)(end));
  ASSERT_OK(CU(cuEventElapsedTime)(&milliseconds, begin, end));
  EXPECT_GE(milliseconds, 0);
  CUevent told = nullptr;
  ASSERT_OK(CU(cuGraphEventRecordNodeGetEvent)(last, &told));
  EXPECT_EQ(told, end);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphEventWaitNodeGetEvent)(last, &told));
  CUgraph waiting = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&waiting, 0));
  CUgraphNode wait = nullptr;
  ASSERT_OK(CU(cuGraphAddEventWaitNode)(&wait, waiting, nullptr, 0, end));
  kernel(waiting, scale_, p, 5, {wait});
  const CUgraphExec waits = instantiate(waiting);
  run(waits);
  EXPECT_EQ(values(p), (Values{10, 10, 10, 10}));
  ASSERT_OK(CU(cuGraphExecDestroy)(waits));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuGraphDestroy)(waiting));
  ASSERT_OK(CU(cuEventDestroy_v2)(begin));
  ASSERT_OK(CU(cuEventDestroy_v2)(end));
}

TEST_F(Graphs, memoryIsAllocatedAndFreed) {
  CUDA_MEM_ALLOC_NODE_PARAMS given = {};
  given.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  given.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  given.bytesize = 1 << 16;
  CUgraphNode alloc = nullptr, fill = nullptr, free = nullptr;
  ASSERT_OK(CU(cuGraphAddMemAllocNode)(&alloc, graph_, nullptr, 0, &given));
  ASSERT_NE(given.dptr, 0u);
  const CUDA_MEMSET_NODE_PARAMS set{given.dptr, 0, 7, 4, 4, 1};
  ASSERT_OK(CU(cuGraphAddMemsetNode)(&fill, graph_, &alloc, 1, &set, context));
  CUgraphExec exec = instantiate(graph_);
  // "Only one instantiation of the graph may exist at any point in time."
  CUgraphExec other = nullptr;
  EXPECT_NE(CU(cuGraphInstantiateWithFlags)(&other, graph_, 0), CUDA_SUCCESS);
  run(exec);
  EXPECT_EQ(values(given.dptr), (Values{7, 7, 7, 7}));
  uint64_t used = 0;
  ASSERT_OK(CU(cuDeviceGetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_GE(used, given.bytesize);
  // "If any allocations created by hGraphExec remain unfreed (from a previous launch) ... the launch will fail."
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphLaunch)(exec, stream_));
  ASSERT_OK(CU(cuMemFree_v2)(given.dptr));
  run(exec);
  ASSERT_OK(CU(cuMemFreeAsync)(given.dptr, stream_));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  // "makes each launch behave as though it called cuMemFreeAsync for every unfreed allocation"
  exec = instantiate(graph_, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  run(exec);
  run(exec);
  cuuint64_t flags = 0;
  ASSERT_OK(CU(cuGraphExecGetFlags)(exec, &flags));
  EXPECT_EQ(flags, cuuint64_t(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  ASSERT_OK(CU(cuMemFree_v2)(given.dptr));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  // Freed by a node, it is there during the launch only.
  ASSERT_OK(CU(cuGraphAddMemFreeNode)(&free, graph_, &fill, 1, given.dptr));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddMemFreeNode)(&free, graph_, &fill, 1, given.dptr)); // twice
  exec = instantiate(graph_);
  run(exec);
  run(exec);
  CUdeviceptr freed = 0;
  ASSERT_OK(CU(cuGraphMemFreeNodeGetParams)(free, &freed));
  EXPECT_EQ(freed, given.dptr);
  CUDA_MEM_ALLOC_NODE_PARAMS told = {};
  ASSERT_OK(CU(cuGraphMemAllocNodeGetParams)(alloc, &told));
  EXPECT_EQ(told.dptr, given.dptr);
  EXPECT_EQ(told.bytesize, given.bytesize);
  // "Nodes and edges of the graph cannot be deleted"; "the graph cannot be cloned".
  EXPECT_NE(CU(cuGraphDestroyNode)(fill), CUDA_SUCCESS);
  CUgraph clone = nullptr;
  EXPECT_NE(CU(cuGraphClone)(&clone, graph_), CUDA_SUCCESS);
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  CUdeviceptr plain = allocate(64);
  CUgraph second = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&second, 0));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddMemFreeNode)(&free, second, nullptr, 0, plain));
  ASSERT_OK(CU(cuGraphDestroy)(second));
  ASSERT_OK(CU(cuDeviceGraphMemTrim)(0));
  uint64_t one = 1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuDeviceSetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
  one = 0;
  EXPECT_OK(CU(cuDeviceSetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
}

/// What conditional nodes do is decided by device code that exists here only; on a real driver it is a function of the
/// vendor's library.
class Conditions : public Graphs {
protected:
  void SetUp() override {
    if (std::getenv("UNDERSTUDY_TEST_CUDA_LIBRARY")) GTEST_SKIP() << "handles are the driver's own";
    Graphs::SetUp();
    const CUmodule module = load(kSetCondition);
    set_ = function(module, "set");
    countDown_ = function(module, "countDown");
  }
  CUgraphConditionalHandle handle(unsigned value, unsigned flags = CU_GRAPH_COND_ASSIGN_DEFAULT) {
    CUgraphConditionalHandle made = 0;
    EXPECT_OK(CU(cuGraphConditionalHandleCreate)(&made, graph_, context, value, flags));
    return made;
  }
  std::vector<CUgraph> conditional(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, unsigned size,
                                   std::vector<CUgraphNode> before, CUgraphNode *made = nullptr) {
    CUgraphNodeParams given = {};
    given.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    given.conditional = {handle, type, size, nullptr, context};
    CUgraphNode node = nullptr;
    EXPECT_OK(CU(cuGraphAddNode_v2)(&node, graph_, before.data(), nullptr, before.size(), &given));
    if (made) *made = node;
    if (!given.conditional.phGraph_out) return {};
    return std::vector(given.conditional.phGraph_out, given.conditional.phGraph_out + size);
  }
  CUgraphNode setter(CUgraph graph, CUgraphConditionalHandle handle, unsigned value) {
    void *pointers[] = {&handle, &value};
    const CUDA_KERNEL_NODE_PARAMS given{set_, 1, 1, 1, 1, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
    CUgraphNode node = nullptr;
    EXPECT_OK(CU(cuGraphAddKernelNode_v2)(&node, graph, nullptr, 0, &given));
    return node;
  }
  CUfunction set_ = nullptr, countDown_ = nullptr;
};

TEST_F(Conditions, ifAndElse) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphConditionalHandle h = handle(1);
  const std::vector<CUgraph> bodies = conditional(h, CU_GRAPH_COND_TYPE_IF, 2, {});
  ASSERT_EQ(bodies.size(), 2u);
  kernel(bodies[0], add_, p, 1);
  kernel(bodies[1], add_, p, 100);
  CUgraphExec exec = instantiate(graph_);
  run(exec); // "Optional initial value for the conditional variable, applied at the beginning of each graph execution"
  EXPECT_EQ(values(p), (Values{2, 2, 2, 2}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  const CUgraphNode zero = setter(graph_, h, 0);
  const CUgraphNode branch = nodesOf(graph_)[0];
  ASSERT_OK(CU(cuGraphAddDependencies_v2)(graph_, &zero, &branch, nullptr, 1));
  exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{102, 102, 102, 102}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Conditions, loopsRunUntilTheirConditionIsZero) {
  CUdeviceptr p = upload<unsigned>({0, 0, 0, 0}), counter = upload<unsigned>({5});
  CUgraphConditionalHandle h = handle(1);
  CUgraphNode loop = nullptr;
  const std::vector<CUgraph> bodies = conditional(h, CU_GRAPH_COND_TYPE_WHILE, 1, {}, &loop);
  ASSERT_EQ(bodies.size(), 1u);
  const CUgraphNode step = kernel(bodies[0], add_, p, 2);
  void *pointers[] = {&counter, &h};
  const CUDA_KERNEL_NODE_PARAMS given{countDown_, 1, 1, 1, 1, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
  CUgraphNode node = nullptr;
  ASSERT_OK(CU(cuGraphAddKernelNode_v2)(&node, bodies[0], &step, 1, &given));
  kernel(graph_, scale_, p, 10, {loop});
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{100, 100, 100, 100}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Conditions, switchesTakeTheBodyOfThatNumber) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphConditionalHandle h = handle(0, 0);
  const CUgraphNode sets = setter(graph_, h, 2);
  const std::vector<CUgraph> bodies = conditional(h, CU_GRAPH_COND_TYPE_SWITCH, 3, {sets});
  for (unsigned i = 0; i < bodies.size(); ++i) kernel(bodies[i], scale_, p, i + 10);
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{12, 12, 12, 12}));
  void *pointers[2];
  CUgraphConditionalHandle same = h;
  unsigned nine = 9; // "If the condition >= size, no body graph is executed."
  pointers[0] = &same, pointers[1] = &nine;
  const CUDA_KERNEL_NODE_PARAMS given{set_, 1, 1, 1, 1, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
  ASSERT_OK(CU(cuGraphExecKernelNodeSetParams_v2)(exec, sets, &given));
  run(exec);
  EXPECT_EQ(values(p), (Values{12, 12, 12, 12}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Conditions, wrongOnesAreRefused) {
  CUgraphConditionalHandle h = 0;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphConditionalHandleCreate)(&h, graph_, context, 0, 2));
  h = handle(0);
  CUgraphExec exec = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS told = {};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphInstantiateWithParams)(&exec, graph_, &told)); // it has no node
  EXPECT_EQ(told.result_out, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED);
  CUgraphNodeParams given = {};
  given.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  given.conditional = {h, CU_GRAPH_COND_TYPE_WHILE, 2, nullptr, context};
  CUgraphNode node = nullptr;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddNode_v2)(&node, graph_, nullptr, nullptr, 0, &given));
  const std::vector<CUgraph> bodies = conditional(h, CU_GRAPH_COND_TYPE_IF, 1, {});
  ASSERT_EQ(bodies.size(), 1u);
  // "Allowed node types are kernel nodes, empty nodes, child graphs, memsets, memcopies, and conditionals."
  const CUDA_HOST_NODE_PARAMS host{[](void *) {}, nullptr};
  EXPECT_NE(CU(cuGraphAddHostNode)(&node, bodies[0], nullptr, 0, &host), CUDA_SUCCESS);
  empty(bodies[0]);
  CUgraph clone = nullptr;
  EXPECT_NE(CU(cuGraphClone)(&clone, graph_), CUDA_SUCCESS);
  CUgraphConditionalHandle wild = 0x123450;
  given.conditional = {wild, CU_GRAPH_COND_TYPE_IF, 1, nullptr, context};
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddNode_v2)(&node, graph_, nullptr, nullptr, 0, &given));
}

TEST_F(Graphs, userObjectsGoWithTheLastThatNeedsThem) {
  static std::atomic<int> destroyed;
  destroyed = 0;
  CUuserObject object = nullptr;
  const CUhostFn destroy = [](void *by) { destroyed += int(reinterpret_cast<intptr_t>(by)); };
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
            CU(cuUserObjectCreate)(&object, nullptr, destroy, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  ASSERT_OK(CU(cuUserObjectCreate)(&object, reinterpret_cast<void *>(intptr_t(1)), destroy, 1,
                                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  ASSERT_OK(CU(cuUserObjectRetain)(object, 2));
  ASSERT_OK(CU(cuUserObjectRelease)(object, 2));
  EXPECT_EQ(destroyed, 0);
  CUgraph graph = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&graph, 0));
  ASSERT_OK(CU(cuGraphRetainUserObject)(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  empty(graph);
  const CUgraphExec exec = instantiate(graph);
  ASSERT_OK(CU(cuGraphDestroy)(graph));
  EXPECT_EQ(destroyed, 0); // the executable graph has references of its own
  run(exec);
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuStreamSynchronize)(stream_));
  for (int i = 0; i < 5000 && destroyed == 0; ++i) usleep(1000); // "asynchronously"
  EXPECT_EQ(destroyed, 1);
}

TEST_F(Graphs, launchesOfOneGraphFollowEachOtherInDifferentStreams) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  CUstream other = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&other, CU_STREAM_NON_BLOCKING));
  const CUgraphNode a = kernel(graph_, scale_, p, 3);
  kernel(graph_, add_, p, 1, {a});
  const CUgraphExec exec = instantiate(graph_);
  unsigned expected = 1;
  for (int i = 0; i < 6; ++i) {
    ASSERT_OK(CU(cuGraphLaunch)(exec, i % 2 ? other : stream_));
    expected = expected * 3 + 1;
  }
  ASSERT_OK(CU(cuGraphUpload)(exec, stream_));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec)); // what is under way goes on
  ASSERT_OK(CU(cuStreamSynchronize)(stream_));
  ASSERT_OK(CU(cuStreamSynchronize)(other));
  EXPECT_EQ(values(p), Values(4, expected));
  CU(cuStreamDestroy_v2)(other);
}

/// Its kernels depend on each other; from some launch on they run as code that was made later, and nodes change.
TEST_F(Graphs, aRowOfSmallKernelsRunsAgainAndAgain) {
  CUdeviceptr p = upload<unsigned>({1, 2, 3, 4});
  std::vector<CUgraphNode> nodes;
  for (unsigned i = 0; i < 100; ++i) {
    const CUgraphNode last = nodes.empty() ? nullptr : nodes.back();
    nodes.push_back(
        kernel(graph_, i % 2 ? scale_ : add_, p, i % 2 ? 3 : i, last ? std::vector{last} : std::vector<CUgraphNode>()));
  }
  CUgraphExec exec = instantiate(graph_);
  Values expected{1, 2, 3, 4};
  unsigned fifth = 5, four = 4;
  for (unsigned round = 0; round < 60; ++round) {
    if (round == 40) {
      const CUDA_KERNEL_NODE_PARAMS given = parameters(scale_, p, fifth, four);
      ASSERT_OK(CU(cuGraphExecKernelNodeSetParams_v2)(exec, nodes[51], &given));
    }
    run(exec);
    for (unsigned &one : expected)
      for (unsigned i = 0; i < 100; ++i) one = i % 2 ? one * (round >= 40 && i == 51 ? 5 : 3) : one + i;
    ASSERT_EQ(values(p), expected) << round;
  }
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

/// What is before it in the graph has run, what is behind it has not, and the sentence names it.
TEST_F(Graphs, aNodeThatFaultsIsNamed) {
  if (std::getenv("UNDERSTUDY_TEST_CUDA_LIBRARY")) GTEST_SKIP() << "an NVIDIA driver gives no context any more";
  CUdeviceptr p = upload<unsigned>({0, 0, 0, 0});
  unsigned *seen = nullptr;
  ASSERT_OK(CU(cuMemHostAlloc)(reinterpret_cast<void **>(&seen), 16, CU_MEMHOSTALLOC_DEVICEMAP));
  std::fill_n(seen, 4, 0u);
  const auto host = reinterpret_cast<CUdeviceptr>(seen);
  std::vector<CUgraphNode> nodes{kernel(graph_, add_, host, 1)};
  nodes.push_back(kernel(graph_, scale_, p, 1, {nodes.back()}));
  nodes.push_back(kernel(graph_, add_, host, 100, {nodes.back()}));
  const CUgraphExec exec = instantiate(graph_);
  for (int i = 0; i < 5; ++i) run(exec);
  EXPECT_EQ(seen[0], 505u);
  CUdeviceptr wild = 0x1000;
  unsigned one = 1, four = 4;
  const CUDA_KERNEL_NODE_PARAMS given = parameters(scale_, wild, one, four);
  ASSERT_OK(CU(cuGraphExecKernelNodeSetParams_v2)(exec, nodes[1], &given));
  testing::internal::CaptureStderr();
  ASSERT_OK(CU(cuGraphLaunch)(exec, stream_));
  EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, CU(cuStreamSynchronize)(stream_));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("kernel 'scale' read from 0x1000"), std::string::npos) << said;
  EXPECT_EQ(seen[3], 506u);
}

TEST_F(Graphs, edgesHaveData) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphNode a = kernel(graph_, add_, p, 1), b = kernel(graph_, scale_, p, 4), e = empty(graph_);
  CUgraphEdgeData data = {};
  data.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
  data.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  ASSERT_OK(CU(cuGraphAddDependencies_v2)(graph_, &a, &b, &data, 1));
  size_t count = 1;
  CUgraphNode from = nullptr, to = nullptr;
  // "If an edge has non-zero (non-default) edge data ... will return CUDA_ERROR_LOSSY_QUERY."
  EXPECT_CU(CUDA_ERROR_LOSSY_QUERY, CU(cuGraphGetEdges_v2)(graph_, &from, &to, nullptr, &count));
  CUgraphEdgeData told = {};
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph_, &from, &to, &told, &count));
  EXPECT_EQ(std::memcmp(&told, &data, sizeof data), 0);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddDependencies_v2)(graph_, &e, &b, &data, 1)); // no kernel
  data.to_port = 1;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphAddDependencies_v2)(graph_, &b, &a, &data, 1));
  const CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(p), (Values{8, 8, 8, 8}));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, aTextForGraphviz) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  const CUgraphNode a = kernel(graph_, add_, p, 1);
  empty(graph_, {a});
  const std::string path = testing::TempDir() + "/understudy_graph_test.dot";
  ASSERT_OK(CU(cuGraphDebugDotPrint)(graph_, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str().rfind("digraph", 0), 0u) << text.str();
  EXPECT_NE(text.str().find("add"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("->"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("subgraph"), std::string::npos) << text.str();
  EXPECT_EQ(std::ranges::count(text.str(), '{'), std::ranges::count(text.str(), '}')) << text.str();
  EXPECT_NE(CU(cuGraphDebugDotPrint)(graph_, "/nowhere/at/all.dot", 0), CUDA_SUCCESS);
}

TEST_F(Graphs, memoryThatWasFreedIsNoticedByTheLaunch) {
  if (std::getenv("UNDERSTUDY_TEST_CUDA_LIBRARY")) GTEST_SKIP() << "a real driver does not look";
  const CUdeviceptr p = allocate(64);
  const CUDA_MEMSET_NODE_PARAMS set{p, 0, 1, 4, 16, 1};
  CUgraphNode fill = nullptr;
  ASSERT_OK(CU(cuGraphAddMemsetNode)(&fill, graph_, nullptr, 0, &set, context));
  const CUgraphExec exec = instantiate(graph_);
  ASSERT_OK(CU(cuMemFree_v2)(p));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphLaunch)(exec, stream_));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, olderFormsMeanTheSame) {
  CUdeviceptr p = upload<unsigned>({1, 1, 1, 1});
  unsigned value = 4, n = 4;
  const CUDA_KERNEL_NODE_PARAMS newer = parameters(add_, p, value, n);
  CUDA_KERNEL_NODE_PARAMS_v1 given{newer.func,         newer.gridDimX,  newer.gridDimY,  newer.gridDimZ,
                                   newer.blockDimX,    newer.blockDimY, newer.blockDimZ, newer.sharedMemBytes,
                                   newer.kernelParams, newer.extra};
  CUgraphNode first = nullptr, second = nullptr, third = nullptr;
  ASSERT_OK(CU(cuGraphAddKernelNode)(&first, graph_, nullptr, 0, &given));
  CUDA_KERNEL_NODE_PARAMS_v1 told = {};
  ASSERT_OK(CU(cuGraphKernelNodeGetParams)(first, &told));
  EXPECT_EQ(told.func, add_);
  value = 6;
  ASSERT_OK(CU(cuGraphKernelNodeSetParams)(first, &given));
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  any.kernel = newer;
  ASSERT_OK(CU(cuGraphAddNode)(&second, graph_, &first, 1, &any));
  value = 10;
  ASSERT_OK(CU(cuGraphNodeSetParams)(second, &any));
  any.type = CU_GRAPH_NODE_TYPE_EMPTY;
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphNodeSetParams)(second, &any)); // it is a kernel
  ASSERT_OK(CU(cuGraphAddEmptyNode)(&third, graph_, nullptr, 0));
  ASSERT_OK(CU(cuGraphAddDependencies)(graph_, &second, &third, 1));
  CUgraphNode from[2], to[2];
  size_t count = 2;
  ASSERT_OK(CU(cuGraphGetEdges)(graph_, from, to, &count));
  EXPECT_EQ(count, 2u);
  count = 1;
  CUgraphNode found = nullptr;
  ASSERT_OK(CU(cuGraphNodeGetDependencies)(third, &found, &count));
  EXPECT_EQ(found, second);
  ASSERT_OK(CU(cuGraphNodeGetDependentNodes)(first, &found, &count));
  EXPECT_EQ(found, second);
  ASSERT_OK(CU(cuGraphRemoveDependencies)(graph_, &second, &third, 1));
  CUgraphExec exec = nullptr;
  CUgraphNode errorNode = first;
  char log[64] = "something";
  ASSERT_OK(CU(cuGraphInstantiate)(&exec, graph_, &errorNode, log, sizeof log));
  EXPECT_EQ(errorNode, nullptr);
  run(exec);
  EXPECT_EQ(values(p), (Values{17, 17, 17, 17}));
  value = 1;
  ASSERT_OK(CU(cuGraphExecKernelNodeSetParams)(exec, first, &given));
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  ASSERT_OK(CU(cuGraphExecNodeSetParams)(exec, second, &any));
  run(exec);
  EXPECT_EQ(values(p), (Values{19, 19, 19, 19}));
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
  ASSERT_OK(CU(cuGraphExecUpdate)(exec, graph_, &errorNode, &result));
  EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
}

TEST_F(Graphs, nodesTakeNewParameters) {
  static int called;
  called = 0;
  CUdeviceptr p = upload<unsigned>({1, 2, 3, 4}), q = allocate(16);
  const CUDA_MEMSET_NODE_PARAMS set{q, 0, 9, 4, 4, 1}, other{q, 0, 0x05, 1, 16, 1};
  CUgraphNode fill = nullptr, copy = nullptr, call = nullptr, record = nullptr, wait = nullptr, child = nullptr;
  ASSERT_OK(CU(cuGraphAddMemsetNode)(&fill, graph_, nullptr, 0, &set, context));
  ASSERT_OK(CU(cuGraphMemsetNodeSetParams)(fill, &other));
  CUDA_MEMCPY3D text = {};
  text.srcMemoryType = text.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  text.srcDevice = p, text.dstDevice = q;
  text.WidthInBytes = 16, text.Height = text.Depth = 1;
  ASSERT_OK(CU(cuGraphAddMemcpyNode)(&copy, graph_, &fill, 1, &text, context));
  text.WidthInBytes = 8;
  ASSERT_OK(CU(cuGraphMemcpyNodeSetParams)(copy, &text));
  const CUDA_HOST_NODE_PARAMS one{[](void *) { ++called; }, nullptr}, ten{[](void *) { called += 10; }, nullptr};
  ASSERT_OK(CU(cuGraphAddHostNode)(&call, graph_, &copy, 1, &one));
  ASSERT_OK(CU(cuGraphHostNodeSetParams)(call, &ten));
  CUevent a = nullptr, b = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&a, 0));
  ASSERT_OK(CU(cuEventCreate)(&b, 0));
  ASSERT_OK(CU(cuGraphAddEventRecordNode)(&record, graph_, &call, 1, a));
  ASSERT_OK(CU(cuGraphEventRecordNodeSetEvent)(record, b));
  ASSERT_OK(CU(cuGraphAddEventWaitNode)(&wait, graph_, &record, 1, a));
  ASSERT_OK(CU(cuGraphEventWaitNodeSetEvent)(wait, b));
  CUgraph inner = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&inner, 0));
  const CUgraphNode innerNode = kernel(inner, add_, q, 1);
  ASSERT_OK(CU(cuGraphAddChildGraphNode)(&child, graph_, &wait, 1, inner));
  CUgraphExec exec = instantiate(graph_);
  run(exec);
  EXPECT_EQ(values(q), (Values{2, 3, 0x05050506, 0x05050506}));
  EXPECT_EQ(called, 10);
  // The same of the executable graph.
  ASSERT_OK(CU(cuGraphExecMemcpyNodeSetParams)(exec, copy, &text, context));
  ASSERT_OK(CU(cuGraphExecHostNodeSetParams)(exec, call, &one));
  ASSERT_OK(CU(cuGraphExecEventRecordNodeSetEvent)(exec, record, a));
  ASSERT_OK(CU(cuGraphExecEventWaitNodeSetEvent)(exec, wait, a));
  unsigned value = 100, n = 4;
  const CUDA_KERNEL_NODE_PARAMS bigger = parameters(add_, q, value, n);
  ASSERT_OK(CU(cuGraphKernelNodeSetParams_v2)(innerNode, &bigger));
  ASSERT_OK(CU(cuGraphExecChildGraphNodeSetParams)(exec, child, inner));
  run(exec);
  EXPECT_EQ(called, 11);
  EXPECT_EQ(values(q), (Values{101, 102, 0x05050505 + 100, 0x05050505 + 100}));
  empty(inner); // "The topology of childGraph must match that of the graph contained in hNode."
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuGraphExecChildGraphNodeSetParams)(exec, child, inner));
  // A graph gives references back that it has.
  CUuserObject object = nullptr;
  ASSERT_OK(CU(cuUserObjectCreate)(&object, &called, [](void *) {}, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  ASSERT_OK(CU(cuGraphRetainUserObject)(inner, object, 2, 0));
  ASSERT_OK(CU(cuGraphReleaseUserObject)(inner, object, 2));
  ASSERT_OK(CU(cuUserObjectRelease)(object, 2));
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuGraphDestroy)(inner));
}

} // namespace
} // namespace us::cuda_test
