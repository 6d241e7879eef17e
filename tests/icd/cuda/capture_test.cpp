// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream capture. What is expected is what the documentation of the driver and the programming guide say; with
// UNDERSTUDY_TEST_CUDA_LIBRARY the same tests ask a real driver.
#include "tests/icd/cuda/cuda_test.h"

#include <thread>

namespace us::cuda_test {
namespace {

/// *p = *p * factor + addend.
const std::string kStep = kHead + R"(
.visible .entry step(.param .u64 p, .param .u32 factor, .param .u32 addend)
{
  .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [p];
  ld.param.u32 %r1, [factor];
  ld.param.u32 %r2, [addend];
  ld.global.u32 %r3, [%d];
  mad.lo.u32 %r3, %r3, %r1, %r2;
  st.global.u32 [%d], %r3;
  ret;
}
)";

class StreamCaptures : public Cuda {
protected:
  void SetUp() override {
    Cuda::SetUp();
    if (!context) return;
    step_ = function(load(kStep), "step");
    ASSERT_OK(CU(cuStreamCreate)(&stream_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(CU(cuStreamCreate)(&other_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(CU(cuStreamCreate)(&blocking_, CU_STREAM_DEFAULT));
    ASSERT_OK(CU(cuEventCreate)(&event_, CU_EVENT_DISABLE_TIMING));
    ASSERT_OK(CU(cuEventCreate)(&second_, CU_EVENT_DISABLE_TIMING));
    p_ = upload<unsigned>({1});
  }
  CUresult step(CUstream stream, unsigned factor, unsigned addend) {
    void *pointers[] = {&p_, &factor, &addend};
    return CU(cuLaunchKernel)(step_, 1, 1, 1, 1, 1, 1, 0, stream, pointers, nullptr);
  }
  void begin(CUstream stream, CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    ASSERT_OK(CU(cuStreamBeginCapture_v2)(stream, mode));
  }
  CUstreamCaptureStatus status(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    EXPECT_OK(CU(cuStreamIsCapturing)(stream, &status));
    return status;
  }
  /// Ends a capture that was invalidated.
  void expectInvalid(CUstream stream) {
    EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, step(stream, 1, 1));
    CUgraph graph = reinterpret_cast<CUgraph>(uintptr_t(8));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, CU(cuStreamEndCapture)(stream, &graph));
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status(stream), CU_STREAM_CAPTURE_STATUS_NONE);
  }
  CUgraph end(CUstream stream) {
    CUgraph graph = nullptr;
    EXPECT_OK(CU(cuStreamEndCapture)(stream, &graph));
    return graph;
  }
  void runAndDestroy(CUgraph graph) {
    CUgraphExec exec = nullptr;
    ASSERT_OK(CU(cuGraphInstantiateWithFlags)(&exec, graph, 0));
    ASSERT_OK(CU(cuGraphLaunch)(exec, stream_));
    ASSERT_OK(CU(cuStreamSynchronize)(stream_));
    ASSERT_OK(CU(cuGraphExecDestroy)(exec));
    ASSERT_OK(CU(cuGraphDestroy)(graph));
  }
  unsigned value() { return download<unsigned>(p_, 1)[0]; }
  std::vector<CUgraphNodeType> types(CUgraph graph) {
    size_t count = 0;
    EXPECT_OK(CU(cuGraphGetNodes)(graph, nullptr, &count));
    std::vector<CUgraphNode> nodes(count);
    EXPECT_OK(CU(cuGraphGetNodes)(graph, nodes.data(), &count));
    std::vector<CUgraphNodeType> types;
    for (const CUgraphNode node : nodes) {
      CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
      EXPECT_OK(CU(cuGraphNodeGetType)(node, &type));
      types.push_back(type);
    }
    return types;
  }

  CUfunction step_ = nullptr;
  CUstream stream_ = nullptr, other_ = nullptr, blocking_ = nullptr;
  CUevent event_ = nullptr, second_ = nullptr;
  CUdeviceptr p_ = 0;
};

TEST_F(StreamCaptures, whatIsGivenToTheStreamIsNotRunButRecorded) {
  static unsigned seen = 0;
  seen = 0;
  begin(stream_);
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_OK(step(stream_, 2, 1));
  ASSERT_OK(CU(cuMemsetD32Async)(p_ + 0, 7, 1, stream_));
  ASSERT_OK(step(stream_, 10, 3));
  ASSERT_OK(CU(cuMemcpyDtoHAsync_v2)(&seen, p_, 4, stream_));
  ASSERT_OK(CU(cuLaunchHostFunc)(stream_, [](void *) { seen += 1000; }, nullptr));
  const CUgraph graph = end(stream_);
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(value(), 1u);
  EXPECT_EQ(seen, 0u);
  EXPECT_EQ(types(graph), (std::vector{CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_KERNEL,
                                       CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_HOST}));
  size_t edges = 0;
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 4u);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 73u);
  EXPECT_EQ(seen, 1073u);
}

TEST_F(StreamCaptures, eventsForkAndJoinStreams) {
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  ASSERT_OK(CU(cuStreamWaitEvent)(other_, event_, 0));
  EXPECT_EQ(status(other_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_OK(step(other_, 5, 0));
  ASSERT_OK(CU(cuEventRecord)(second_, other_));
  ASSERT_OK(CU(cuStreamWaitEvent)(stream_, second_, 0));
  ASSERT_OK(step(stream_, 1, 2));
  // "The capture was not initiated in this stream."
  CUgraph wrong = nullptr;
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, CU(cuStreamEndCapture)(other_, &wrong));
}

TEST_F(StreamCaptures, joinedStreamsBecomeOneGraph) {
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  ASSERT_OK(CU(cuStreamWaitEvent)(other_, event_, 0));
  ASSERT_OK(step(other_, 5, 0));
  ASSERT_OK(CU(cuEventRecord)(second_, other_));
  ASSERT_OK(CU(cuStreamWaitEvent)(stream_, second_, 0));
  ASSERT_OK(step(stream_, 1, 2));
  const CUgraph graph = end(stream_);
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(status(other_), CU_STREAM_CAPTURE_STATUS_NONE);
  size_t edges = 0;
  ASSERT_OK(CU(cuGraphGetEdges_v2)(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 3u); // the last one depends on both
  runAndDestroy(graph);
  EXPECT_EQ(value(), 12u);
}

TEST_F(StreamCaptures, aForkThatIsNotJoinedIsAnError) {
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  ASSERT_OK(CU(cuStreamWaitEvent)(other_, event_, 0));
  ASSERT_OK(step(other_, 5, 0));
  CUgraph graph = nullptr;
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, CU(cuStreamEndCapture)(stream_, &graph));
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(status(other_), CU_STREAM_CAPTURE_STATUS_NONE);
}

// As the sample graphMemoryNodes does it.
TEST_F(StreamCaptures, aForkThatWasJoinedMayBeDestroyedMeanwhile) {
  begin(stream_);
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  ASSERT_OK(CU(cuStreamWaitEvent)(other_, event_, 0));
  ASSERT_OK(step(other_, 5, 0));
  ASSERT_OK(CU(cuEventRecord)(second_, other_));
  ASSERT_OK(CU(cuStreamWaitEvent)(stream_, second_, 0));
  ASSERT_OK(CU(cuStreamDestroy_v2)(other_));
  other_ = nullptr;
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_OK(step(stream_, 1, 2));
  const CUgraph graph = end(stream_);
  ASSERT_NE(graph, nullptr);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 7u);
}

// As the sample graphConditionalNodes does it.
TEST_F(StreamCaptures, aGraphThatIsThereNeedNotBeAskedFor) {
  CUgraph graph = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&graph, 0));
  ASSERT_OK(CU(cuStreamBeginCaptureToGraph)(stream_, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(step(stream_, 1, 2));
  EXPECT_OK(CU(cuStreamEndCapture)(stream_, nullptr));
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 3u);
}

TEST_F(StreamCaptures, beginningsAndEndsThatCannotBe) {
  // "Capture may not be initiated if stream is CU_STREAM_LEGACY."
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuStreamBeginCapture_v2)(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuStreamBeginCapture_v2)(stream_, CUstreamCaptureMode(7)));
  CUgraph graph = nullptr;
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, CU(cuStreamEndCapture)(stream_, &graph));
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, CU(cuStreamBeginCapture_v2)(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(CU(cuGraphDestroy)(end(stream_)));
}

TEST_F(StreamCaptures, waitingForACapturingStreamInvalidates) {
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuStreamSynchronize)(stream_));
  expectInvalid(stream_);
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuStreamQuery)(stream_));
  expectInvalid(stream_);
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuCtxSynchronize)());
  expectInvalid(stream_);
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
            CU(cuStreamAddCallback)(stream_, [](CUstream, CUresult, void *) {}, nullptr, 0));
  expectInvalid(stream_);
}

TEST_F(StreamCaptures, capturedEventsAreNotWaitedForByTheHost) {
  begin(stream_);
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, CU(cuEventQuery)(event_));
  expectInvalid(stream_);
  EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, CU(cuEventSynchronize)(event_));
  // Recorded again, it is an event as others.
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  EXPECT_OK(CU(cuEventSynchronize)(event_));
}

TEST_F(StreamCaptures, dependenciesDoNotCrossTheBoundary) {
  ASSERT_OK(CU(cuEventRecord)(event_, other_));
  begin(stream_);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, CU(cuStreamWaitEvent)(stream_, event_, 0));
  expectInvalid(stream_);
  begin(stream_);
  begin(other_);
  ASSERT_OK(CU(cuEventRecord)(event_, other_));
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_MERGE, CU(cuStreamWaitEvent)(stream_, event_, 0));
  expectInvalid(stream_);
  expectInvalid(other_);
}

TEST_F(StreamCaptures, theLegacyStreamIsOutOfBoundsBesideABlockingOne) {
  begin(blocking_);
  CUstreamCaptureStatus told = CU_STREAM_CAPTURE_STATUS_NONE;
  // "The blocking stream capture is not invalidated."
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, CU(cuStreamIsCapturing)(nullptr, &told));
  EXPECT_EQ(status(blocking_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, step(nullptr, 1, 1));
  expectInvalid(blocking_);
  begin(blocking_);
  unsigned zero = 0;
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, CU(cuMemcpyHtoD_v2)(p_, &zero, 4));
  expectInvalid(blocking_);
  // Beside one that does not block it is used as ever.
  begin(stream_);
  EXPECT_OK(step(nullptr, 1, 4));
  ASSERT_OK(CU(cuGraphDestroy)(end(stream_)));
  EXPECT_EQ(value(), 5u);
}

TEST_F(StreamCaptures, unsafeCallsDependOnTheMode) {
  CUdeviceptr memory = 0;
  begin(stream_, CU_STREAM_CAPTURE_MODE_RELAXED);
  EXPECT_OK(CU(cuMemAlloc_v2)(&memory, 64));
  ASSERT_OK(CU(cuGraphDestroy)(end(stream_)));
  begin(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  std::thread([&] {
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    CUdeviceptr own = 0;
    EXPECT_OK(CU(cuMemAlloc_v2)(&own, 64));
  }).join();
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuMemAlloc_v2)(&memory, 64));
  expectInvalid(stream_);
  begin(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL);
  std::thread([&] {
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    CUdeviceptr own = 0;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    ASSERT_OK(CU(cuThreadExchangeStreamCaptureMode)(&mode));
    EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    EXPECT_OK(CU(cuMemAlloc_v2)(&own, 64));
    ASSERT_OK(CU(cuThreadExchangeStreamCaptureMode)(&mode));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CU(cuMemAlloc_v2)(&own, 64));
  }).join();
  expectInvalid(stream_);
  CUstreamCaptureMode wrong = CUstreamCaptureMode(3);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuThreadExchangeStreamCaptureMode)(&wrong));
}

TEST_F(StreamCaptures, captureEndsInItsThreadUnlessItIsRelaxed) {
  CUgraph graph = nullptr;
  begin(stream_);
  std::thread([&] {
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, CU(cuStreamEndCapture)(stream_, &graph));
  }).join();
  CU(cuStreamEndCapture)(stream_, &graph);
  begin(stream_, CU_STREAM_CAPTURE_MODE_RELAXED);
  std::thread([&] {
    ASSERT_OK(CU(cuCtxSetCurrent)(context));
    EXPECT_OK(CU(cuStreamEndCapture)(stream_, &graph));
  }).join();
  ASSERT_NE(graph, nullptr);
  ASSERT_OK(CU(cuGraphDestroy)(graph));
}

TEST_F(StreamCaptures, theStateIsToldAndDependenciesAreChanged) {
  CUstreamCaptureStatus told = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  cuuint64_t id = 0, again = 0;
  CUgraph graph = nullptr;
  const CUgraphNode *nodes = nullptr;
  size_t count = 9;
  ASSERT_OK(CU(cuStreamGetCaptureInfo_v3)(stream_, &told, &id, &graph, &nodes, nullptr, &count));
  EXPECT_EQ(told, CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, CU(cuStreamUpdateCaptureDependencies_v2)(stream_, nullptr, nullptr, 0, 0));
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuStreamGetCaptureInfo_v3)(stream_, &told, &id, &graph, &nodes, nullptr, &count));
  EXPECT_EQ(told, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(count, 1u);
  // The program may add to the graph by hand.
  CUgraphNode mine = nullptr;
  ASSERT_OK(CU(cuGraphAddEmptyNode)(&mine, graph, nodes, 1));
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuStreamUpdateCaptureDependencies_v2)(stream_, &mine, nullptr, 1, 5));
  ASSERT_OK(CU(cuStreamUpdateCaptureDependencies_v2)(stream_, &mine, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  ASSERT_OK(step(stream_, 3, 0));
  ASSERT_OK(CU(cuStreamGetCaptureInfo_v3)(stream_, &told, &again, nullptr, &nodes, nullptr, &count));
  EXPECT_EQ(again, id);
  ASSERT_EQ(count, 1u);
  CUgraphNode before = nullptr;
  const CUgraphNode last = nodes[0];
  count = 1;
  ASSERT_OK(CU(cuGraphNodeGetDependencies_v2)(last, &before, nullptr, &count));
  EXPECT_EQ(before, mine);
  EXPECT_EQ(end(stream_), graph);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 6u);
}

TEST_F(StreamCaptures, intoAGraphThatIsThere) {
  CUgraph graph = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&graph, 0));
  unsigned factor = 1, addend = 9;
  void *pointers[] = {&p_, &factor, &addend};
  const CUDA_KERNEL_NODE_PARAMS given{step_, 1, 1, 1, 1, 1, 1, 0, pointers, nullptr, nullptr, nullptr};
  CUgraphNode node = nullptr;
  ASSERT_OK(CU(cuGraphAddKernelNode_v2)(&node, graph, nullptr, 0, &given));
  ASSERT_OK(CU(cuStreamBeginCaptureToGraph)(stream_, graph, &node, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(step(stream_, 4, 0));
  EXPECT_EQ(end(stream_), graph);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 40u);
}

TEST_F(StreamCaptures, memoryAndGraphsBecomeNodes) {
  CUdeviceptr memory = 0;
  begin(stream_);
  ASSERT_OK(CU(cuMemAllocAsync)(&memory, 256, stream_));
  ASSERT_NE(memory, 0u);
  ASSERT_OK(CU(cuMemsetD8Async)(memory, 1, 256, stream_));
  ASSERT_OK(CU(cuMemcpyDtoDAsync_v2)(p_, memory, 4, stream_));
  ASSERT_OK(CU(cuMemFreeAsync)(memory, stream_));
  const CUgraph graph = end(stream_);
  EXPECT_EQ(types(graph), (std::vector{CU_GRAPH_NODE_TYPE_MEM_ALLOC, CU_GRAPH_NODE_TYPE_MEMSET,
                                       CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEM_FREE}));
  runAndDestroy(graph);
  EXPECT_EQ(value(), 0x01010101u);
  begin(other_);
  ASSERT_OK(step(other_, 0, 5));
  const CUgraph inner = end(other_);
  CUgraphExec exec = nullptr;
  ASSERT_OK(CU(cuGraphInstantiateWithFlags)(&exec, inner, 0));
  begin(stream_);
  ASSERT_OK(CU(cuGraphLaunch)(exec, stream_));
  ASSERT_OK(step(stream_, 2, 1));
  const CUgraph outer = end(stream_);
  EXPECT_EQ(types(outer), (std::vector{CU_GRAPH_NODE_TYPE_GRAPH, CU_GRAPH_NODE_TYPE_KERNEL}));
  runAndDestroy(outer);
  EXPECT_EQ(value(), 11u);
  ASSERT_OK(CU(cuGraphExecDestroy)(exec));
  ASSERT_OK(CU(cuGraphDestroy)(inner));
}

TEST_F(StreamCaptures, externalEventsBecomeNodes) {
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuEventRecordWithFlags)(event_, stream_, CU_EVENT_RECORD_EXTERNAL));
  ASSERT_OK(CU(cuStreamWaitEvent)(stream_, event_, CU_EVENT_WAIT_EXTERNAL));
  const CUgraph graph = end(stream_);
  EXPECT_EQ(types(graph),
            (std::vector{CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_EVENT_RECORD, CU_GRAPH_NODE_TYPE_WAIT_EVENT}));
  runAndDestroy(graph);
  EXPECT_OK(CU(cuEventQuery)(event_));
  EXPECT_EQ(value(), 2u);
}

TEST_F(StreamCaptures, whatGoesAwayMeanwhileDoesNoHarm) {
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuEventRecord)(event_, stream_));
  ASSERT_OK(CU(cuStreamWaitEvent)(other_, event_, 0));
  ASSERT_OK(step(other_, 5, 0));
  ASSERT_OK(CU(cuStreamDestroy_v2)(other_));
  other_ = nullptr;
  CUgraph graph = nullptr;
  EXPECT_NE(CU(cuStreamEndCapture)(stream_, &graph), CUDA_SUCCESS);
  begin(stream_);
  ASSERT_OK(step(stream_, 1, 1));
  ASSERT_OK(CU(cuCtxDestroy_v2)(context)); // with the stream, and its capture
  context = nullptr;
}

TEST_F(StreamCaptures, olderFormsMeanTheSame) {
  ASSERT_OK(CU(cuStreamBeginCapture)(stream_));
  ASSERT_OK(step(stream_, 1, 1));
  CUstreamCaptureStatus told = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0, again = 0;
  CUgraph graph = nullptr;
  const CUgraphNode *nodes = nullptr;
  size_t count = 0;
  ASSERT_OK(CU(cuStreamGetCaptureInfo)(stream_, &told, &id));
  EXPECT_EQ(told, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_OK(CU(cuStreamGetCaptureInfo_v2)(stream_, &told, &again, &graph, &nodes, &count));
  EXPECT_EQ(again, id);
  ASSERT_EQ(count, 1u);
  CUgraphNode mine = nullptr;
  ASSERT_OK(CU(cuGraphAddEmptyNode)(&mine, graph, nodes, 1));
  ASSERT_OK(CU(cuStreamUpdateCaptureDependencies)(stream_, &mine, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  ASSERT_OK(CU(cuStreamGetCaptureInfo_v2)(stream_, &told, nullptr, nullptr, &nodes, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(end(stream_), graph);
  runAndDestroy(graph);
  EXPECT_EQ(value(), 2u);
}

} // namespace
} // namespace us::cuda_test
