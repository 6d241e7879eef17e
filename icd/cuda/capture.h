// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream capture: what is given to a stream becomes nodes of a graph. Which streams capture, what orders their nodes,
// and which calls must not be made meanwhile.
#pragma once

#include "icd/cuda/graph.h"

namespace us::cuda {

/// What the next node of a stream depends on.
struct HeldDependency {
  Ref<Node> node;
  CUgraphEdgeData data{};
};

class Capture final : public Object {
public:
  Capture(Ref<Graph> graph, CUstreamCaptureMode mode, Stream &origin);

  const uint64_t id;
  const CUstreamCaptureMode mode;
  const std::thread::id thread;
  const Ref<Stream> origin;

  // Guarded by graphMutex:
  Ref<Graph> graph; ///< null once it has ended
  bool isInvalid = false;
  bool hasEnded() const { return !graph; }
  std::vector<Ref<Stream>> streams;
  std::set<const Node *> released;  ///< need not be joined: the program has taken them out of a stream's set
  std::vector<HeldDependency> left; ///< what streams had last that were destroyed meanwhile

  /// The next node of a stream.
  Expected<void> add(Stream &stream, Work work);
  /// The event stands for what the stream's next node depends on.
  Expected<void> record(Stream &stream, Event &event);
  void invalidate();
};

/// What a stream that captures has of it; guarded by graphMutex.
struct StreamCapture {
  Ref<Capture> capture;
  std::vector<HeldDependency> before;
  std::vector<CUgraphNode> shownNodes; ///< what cuStreamGetCaptureInfo gave last
  std::vector<CUgraphEdgeData> shownEdges;
};
/// What an event stands for that was last recorded in a stream that captured; guarded by graphMutex.
struct EventCapture {
  Ref<Capture> capture;
  std::vector<HeldDependency> before;
};

namespace detail {
inline constinit std::atomic<unsigned> capturing{0}; ///< streams
}
/// False: nothing below has anything to say.
inline bool anyCapture() { return detail::capturing.load(std::memory_order_relaxed) != 0; }

Expected<Ref<Capture>> captureOfBusy(Stream &stream);
/// What a command for the stream is captured by; null: nothing, it is to run. CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
/// CUDA_ERROR_STREAM_CAPTURE_IMPLICIT for the legacy stream where a blocking one captures.
inline Expected<Ref<Capture>> captureOf(Stream &stream) {
  if (!anyCapture()) return Ref<Capture>();
  return captureOfBusy(stream);
}

Expected<void> refuseWhileBusy(Stream &stream, const char *what);
/// For what cannot be captured: invalidates, and CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.
inline Expected<void> refuseCapture(Stream &stream, const char *what) {
  if (!anyCapture()) return {};
  return refuseWhileBusy(stream, what);
}
/// The same for a call that waits for a whole context.
Expected<void> refuseCaptureIn(const Context &context, const char *what);
/// For "potentially unsafe API calls", which a thread may be prohibited from (cuThreadExchangeStreamCaptureMode).
Expected<void> checkSafeToCall();
/// CUDA_ERROR_CAPTURED_EVENT, which invalidates the capture, for an event that was last recorded in one.
Expected<void> checkNotCaptured(const Event &event);

/// The stream is to run behind an event, and one of them has to do with a capture. False: neither has, it is to wait.
Expected<bool> captureWait(Stream &stream, const Ref<Event> &event, CUevent handle, bool isExternal);

/// A stream or a context goes.
void endCaptureOf(Stream &stream);
void endCapturesOf(const Context &context);

} // namespace us::cuda
