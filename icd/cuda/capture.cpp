// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/capture.h"

#include "icd/cuda/entry_points.h"

#include <algorithm>

namespace us::cuda {
namespace {

/// Those that have not ended; guarded by graphMutex.
auto &captures() {
  static auto &all = *new std::vector<Ref<Capture>>;
  return all;
}
std::atomic<uint64_t> nextId{1};
thread_local constinit CUstreamCaptureMode threadMode = CU_STREAM_CAPTURE_MODE_GLOBAL;

Expected<void> checkMode(CUstreamCaptureMode mode) {
  if (unsigned(mode) <= CU_STREAM_CAPTURE_MODE_RELAXED) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no capture mode {}", int(mode)));
}

/// "When any stream in the same context is being captured, and it was not created with cudaStreamNonBlocking, any
/// attempted use of the legacy stream is invalid."
Capture *capturedBeside(const Stream &legacy) {
  Context &context = legacy.context();
  if (&legacy != context.legacyIfMade()) return nullptr;
  for (const Ref<Stream> &stream : context.streams())
    if (stream->isBlocking() && stream->capture) return stream->capture->capture.get();
  return nullptr;
}

/// The stream's commands run again.
void release(Stream &stream) {
  if (std::exchange(stream.capture, nullptr)) --detail::capturing;
}

/// All of its streams do.
void end(Capture &capture) {
  const Ref<Capture> keep(&capture);
  for (const Ref<Stream> &stream : capture.streams) release(*stream);
  capture.streams.clear();
  capture.left.clear();
  capture.graph = nullptr;
  std::erase(captures(), keep);
}

void join(Capture &capture, Stream &stream) {
  stream.capture = std::make_shared<StreamCapture>();
  stream.capture->capture = Ref<Capture>(&capture);
  capture.streams.emplace_back(&stream);
  ++detail::capturing;
}

/// "A stream that was forked has not been joined": not all that it has last is before what the origin has last.
bool isJoined(const Capture &capture) {
  std::set<const Node *> before;
  std::vector<const Node *> open;
  for (const HeldDependency &one : capture.origin->capture->before) open.push_back(one.node.get());
  while (!open.empty()) {
    const Node *const node = open.back();
    open.pop_back();
    if (!before.insert(node).second) continue;
    for (const Dependency &one : node->before) open.push_back(one.node);
  }
  // "Nodes that become unreachable due to direct actions on the graph do not trigger" the error.
  const auto isBefore = [&](const HeldDependency &one) {
    return before.count(one.node.get()) || capture.released.count(one.node.get()) || !one.node->graph;
  };
  for (const Ref<Stream> &stream : capture.streams)
    if (!std::ranges::all_of(stream->capture->before, isBefore)) return false;
  return std::ranges::all_of(capture.left, isBefore);
}

Expected<void> begin(CUstream handle, const Ref<Graph> &given, std::vector<HeldDependency> before,
                     CUstreamCaptureMode mode) {
  US_CHECK(checkMode(mode));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  // "Capture may not be initiated if stream is CU_STREAM_LEGACY."
  if (stream.get() == &stream->context().legacyStream())
    return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy stream captures nothing");
  const GraphLock lock(graphMutex());
  // "it may only be initiated if the stream is not already in capture mode"
  if (stream->capture) return fail(CUDA_ERROR_ILLEGAL_STATE, "the stream captures already");
  const Ref<Graph> graph = given ? given : Ref<Graph>(new Graph);
  if (!given) addGraph(graph);
  const Ref<Capture> capture(new Capture(graph, mode, *stream));
  captures().push_back(capture);
  join(*capture, *stream);
  stream->capture->before = std::move(before);
  return {};
}

Expected<std::vector<HeldDependency>> heldOf(const CUgraphNode *nodes, const CUgraphEdgeData *edges, size_t count,
                                             const Graph &graph) {
  US_TRY(const std::vector<Dependency> given, dependenciesOf(nodes, edges, count));
  std::vector<HeldDependency> held;
  for (const Dependency &one : given) {
    if (one.node->graph != &graph) return fail(CUDA_ERROR_INVALID_VALUE, "a dependency is a node of another graph");
    held.push_back({Ref<Node>(one.node), one.data});
  }
  return held;
}

/// The stream's state without an effect on it. CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: "The blocking stream capture is not
/// invalidated."
Expected<StreamCapture *> stateOf(const Stream &stream) {
  if (!stream.capture && capturedBeside(stream))
    return fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream is asked while a blocking stream captures");
  return stream.capture.get();
}

CUstreamCaptureStatus statusOf(const StreamCapture *state) {
  if (!state) return CU_STREAM_CAPTURE_STATUS_NONE;
  return state->capture->isInvalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/// What all versions of cuStreamGetCaptureInfo tell; null where it is not asked for.
struct Asked {
  CUstreamCaptureStatus *status;
  cuuint64_t *id;
  CUgraph *graph = nullptr;
  const CUgraphNode **nodes = nullptr;
  const CUgraphEdgeData **edges = nullptr;
  size_t *count = nullptr;
};
Expected<void> tell(CUstream handle, const Asked &asked) {
  US_CHECK(checkOut(asked.status, "the status"));
  // "If edgeData_out is non-NULL then dependencies_out must be as well."
  if (asked.edges && !asked.nodes) return fail(CUDA_ERROR_INVALID_VALUE, "edges are asked for without nodes");
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  const GraphLock lock(graphMutex());
  US_TRY(StreamCapture *const state, stateOf(*stream));
  const CUstreamCaptureStatus status = statusOf(state);
  if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    state->shownNodes.clear();
    state->shownEdges.clear();
    bool hasData = false;
    for (const HeldDependency &one : state->before) {
      state->shownNodes.push_back(handleOf(*one.node));
      state->shownEdges.push_back(one.data);
      hasData |= !(one.data == CUgraphEdgeData{});
    }
    // "If dependencies_out is non-NULL and edgeData_out is NULL, but there is non-zero edge data for one or more of the
    // current stream dependencies, the call will return CUDA_ERROR_LOSSY_QUERY."
    if (asked.nodes && !asked.edges && hasData)
      return fail(CUDA_ERROR_LOSSY_QUERY, "a dependency has data that this query does not tell");
    if (asked.id) *asked.id = state->capture->id;
    if (asked.graph) *asked.graph = handleOf(*state->capture->graph);
    if (asked.nodes) *asked.nodes = state->shownNodes.data();
    if (asked.edges) *asked.edges = state->shownEdges.data();
    if (asked.count) *asked.count = state->shownNodes.size();
  }
  *asked.status = status;
  return {};
}

} // namespace

Capture::Capture(Ref<Graph> into, CUstreamCaptureMode mode, Stream &origin)
    : id(nextId++), mode(mode), thread(std::this_thread::get_id()), origin(&origin), graph(std::move(into)) {}

Expected<void> Capture::add(Stream &stream, Work work) {
  const GraphLock lock(graphMutex());
  if (isInvalid || hasEnded() || !stream.capture)
    return fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier call");
  std::vector<Dependency> before;
  for (const HeldDependency &one : stream.capture->before)
    if (one.node->graph == graph.get()) before.push_back({one.node.get(), one.data});
  Expected<Ref<Node>> node = graph->add(std::move(work), before);
  if (!node) {
    invalidate();
    return std::unexpected(std::move(node).error());
  }
  stream.capture->before = {{*node}};
  return {};
}

Expected<void> Capture::record(Stream &stream, Event &event) {
  const GraphLock lock(graphMutex());
  if (isInvalid || !stream.capture)
    return fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier call");
  if (event.shared()) {
    invalidate();
    return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "an event of several processes is not captured");
  }
  event.capture = std::make_shared<EventCapture>(EventCapture{Ref<Capture>(this), stream.capture->before});
  event.isCaptured.store(true, std::memory_order_release);
  return {};
}

void Capture::invalidate() { isInvalid = true; }

Expected<Ref<Capture>> captureOfBusy(Stream &stream) {
  const GraphLock lock(graphMutex());
  if (Capture *const beside = stream.capture ? nullptr : capturedBeside(stream)) {
    beside->invalidate();
    return fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream is used while a blocking stream captures");
  }
  if (!stream.capture) return Ref<Capture>();
  if (stream.capture->capture->isInvalid)
    return fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier call");
  return stream.capture->capture;
}

Expected<void> refuseWhileBusy(Stream &stream, const char *what) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Capture> capture, captureOfBusy(stream));
  if (!capture) return {};
  capture->invalidate();
  return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, format("the stream captures, and was given {}", what));
}

/// "It is also invalid to query the execution status of or synchronize a broader handle which encompasses an active
/// stream capture, such as a device or context handle when any associated stream is in capture mode."
Expected<void> refuseCaptureIn(const Context &context, const char *what) {
  if (!anyCapture()) return {};
  const GraphLock lock(graphMutex());
  bool isAny = false;
  for (const Ref<Capture> &capture : captures())
    for (const Ref<Stream> &stream : capture->streams)
      if (&stream->context() == &context) {
        capture->invalidate();
        isAny = true;
      }
  if (!isAny) return {};
  return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, format("a stream of the context captures, which is {}", what));
}

/// CU_STREAM_CAPTURE_MODE_GLOBAL: "This is the default mode. If the local thread has an ongoing capture sequence that
/// was not initiated with CU_STREAM_CAPTURE_MODE_RELAXED at cuStreamBeginCapture, or if any other thread has a
/// concurrent capture sequence initiated with CU_STREAM_CAPTURE_MODE_GLOBAL, this thread is prohibited from potentially
/// unsafe API calls." THREAD_LOCAL: the first of these only. RELAXED: neither.
Expected<void> checkSafeToCall() {
  if (!anyCapture() || threadMode == CU_STREAM_CAPTURE_MODE_RELAXED) return {};
  const GraphLock lock(graphMutex());
  for (const Ref<Capture> &capture : captures()) {
    const bool isMine = capture->thread == std::this_thread::get_id();
    const bool prohibits =
        isMine ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
               : threadMode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!prohibits) continue;
    capture->invalidate();
    return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the call is not permitted while a stream captures");
  }
  return {};
}

Expected<void> checkNotCaptured(const Event &event) {
  if (!event.isCaptured.load(std::memory_order_acquire)) return {};
  const GraphLock lock(graphMutex());
  if (event.capture) event.capture->capture->invalidate();
  return fail(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a stream that captured");
}

Expected<bool> captureWait(Stream &stream, const Ref<Event> &event, CUevent handle, bool isExternal) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Capture> mine, captureOfBusy(stream));
  // "CU_EVENT_WAIT_EXTERNAL: When using stream capture, create an event wait node instead of the default behavior."
  if (mine && isExternal) {
    US_CHECK(mine->add(stream, EventWork{false, event, handle}));
    return true;
  }
  if (event->isCaptured.load(std::memory_order_acquire) && event->capture) {
    const Ref<Capture> theirs = event->capture->capture;
    if (theirs->hasEnded()) return fail(CUDA_ERROR_CAPTURED_EVENT, "the event's capture has ended");
    if (theirs->isInvalid)
      return fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the event's capture was invalidated by an earlier call");
    if (mine && mine != theirs) {
      mine->invalidate();
      theirs->invalidate();
      return fail(CUDA_ERROR_STREAM_CAPTURE_MERGE, "the stream and the event belong to two captures");
    }
    if (&stream == &stream.context().legacyStream()) {
      theirs->invalidate();
      return fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream captures nothing");
    }
    if (!mine) join(*theirs, stream);
    std::vector<HeldDependency> &before = stream.capture->before;
    for (const HeldDependency &one : event->capture->before) {
      const bool isThere = std::any_of(before.begin(), before.end(),
                                       [&](const HeldDependency &other) { return other.node == one.node; });
      if (!isThere) before.push_back(one);
    }
    return true;
  }
  if (!mine) return false;
  // "A dependency would have been created which crosses the capture sequence boundary. Only implicit in-stream ordering
  // dependencies are allowed to cross the boundary."
  mine->invalidate();
  return fail(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "the event was not recorded in the stream's capture");
}

void endCaptureOf(Stream &stream) {
  if (!anyCapture()) return;
  const GraphLock lock(graphMutex());
  if (!stream.capture) return;
  const Ref<Capture> capture = stream.capture->capture;
  if (capture->origin.get() == &stream) return end(*capture);
  // What a stream had last is to be joined although it is gone.
  std::ranges::copy(stream.capture->before, std::back_inserter(capture->left));
  release(stream);
  std::erase(capture->streams, Ref<Stream>(&stream));
}

void endCapturesOf(const Context &context) {
  for (const Ref<Stream> &stream : const_cast<Context &>(context).streams()) {
    const GraphLock lock(graphMutex());
    if (stream->capture) stream->capture->capture->invalidate();
    endCaptureOf(*stream);
  }
}

// --- Entry points ---

Expected<void> streamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return begin(stream, nullptr, {}, mode);
}

/// The first form had one mode.
Expected<void> streamBeginCaptureOld(CUstream stream) {
  return begin(stream, nullptr, {}, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

Expected<void> streamBeginCaptureToGraph(CUstream stream, CUgraph graphHandle, const CUgraphNode *dependencies,
                                         const CUgraphEdgeData *edges, size_t count, CUstreamCaptureMode mode) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  US_TRY(std::vector<HeldDependency> before, heldOf(dependencies, edges, count, *graph));
  return begin(stream, graph, std::move(before), mode);
}

Expected<void> streamEndCapture(CUstream handle, CUgraph *graph) {
  if (graph) *graph = nullptr;
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  Ref<Graph> gone; // goes without the lock
  const GraphLock lock(graphMutex());
  US_CHECK(stateOf(*stream));
  if (!stream->capture) return fail(CUDA_ERROR_ILLEGAL_STATE, "the stream captures nothing");
  const Ref<Capture> capture = stream->capture->capture;
  // "Capture must be ended on the same stream in which it was initiated."
  if (capture->origin != stream)
    return fail(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture was begun in another stream");
  // "If mode is not CU_STREAM_CAPTURE_MODE_RELAXED, cuStreamEndCapture must be called on this stream from the same
  // thread."
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != std::this_thread::get_id())
    return fail(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture was begun by another thread");
  const bool isInvalid = capture->isInvalid, joined = isJoined(*capture);
  gone = capture->graph;
  end(*capture);
  if (!isInvalid && joined) {
    // Who gave the graph to cuStreamBeginCaptureToGraph has it.
    if (graph) *graph = handleOf(*gone);
    return {};
  }
  forgetGraph(*gone);
  // "This call will take the associated streams out of capture mode, but will also return an error value and a NULL
  // graph."
  if (isInvalid) return fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an earlier call");
  return fail(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "a stream that was forked was not joined");
}

Expected<void> threadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  US_CHECK(checkOut(mode, "the mode"));
  US_CHECK(checkInitialised());
  US_CHECK(checkMode(*mode));
  std::swap(*mode, threadMode);
  return {};
}

Expected<void> streamIsCapturing(CUstream handle, CUstreamCaptureStatus *status) {
  return tell(handle, {.status = status, .id = nullptr});
}
Expected<void> streamGetCaptureInfoOld(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id) {
  return tell(handle, {.status = status, .id = id});
}
Expected<void> streamGetCaptureInfoWithNodes(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id,
                                             CUgraph *graph, const CUgraphNode **dependencies, size_t *count) {
  return tell(handle, {.status = status, .id = id, .graph = graph, .nodes = dependencies, .count = count});
}
Expected<void> streamGetCaptureInfo(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                    const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count) {
  return tell(handle, {status, id, graph, dependencies, edges, count});
}

Expected<void> streamUpdateCaptureDependencies(CUstream handle, CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                                               size_t count, unsigned flags) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Capture> capture, captureOfBusy(*stream));
  // "Returns CUDA_ERROR_ILLEGAL_STATE if the stream is not capturing."
  if (!capture) return fail(CUDA_ERROR_ILLEGAL_STATE, "the stream captures nothing");
  US_TRY(std::vector<HeldDependency> given, heldOf(dependencies, edges, count, *capture->graph));
  std::vector<HeldDependency> &before = stream->capture->before;
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
    // "Nodes that are removed from the dependency set via this API do not result in
    // CUDA_ERROR_STREAM_CAPTURE_UNJOINED if they are unreachable from the stream at cuStreamEndCapture."
    for (const HeldDependency &one : before) capture->released.insert(one.node.get());
    before.clear();
  }
  for (HeldDependency &one : given) {
    std::erase_if(before, [&](const HeldDependency &other) { return other.node == one.node; });
    before.push_back(std::move(one));
  }
  return {};
}

Expected<void> streamUpdateCaptureDependenciesOld(CUstream stream, CUgraphNode *dependencies, size_t count,
                                                  unsigned flags) {
  return streamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}

} // namespace us::cuda
