// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs by the runtime API: built node by node, captured, updated, with conditions and memory of their own.
#include "../check.h"

#include <cuda_runtime.h>
#include <vector>

__global__ void affine(int *p, int factor, int addend) { p[threadIdx.x] = p[threadIdx.x] * factor + addend; }
__global__ void countDown(int *counter, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, --*counter > 0);
}
__device__ int variable[4];

static std::vector<int> read(const int *p) {
  std::vector<int> values(4);
  OK(cudaMemcpy(values.data(), p, 16, cudaMemcpyDefault));
  return values;
}

static void byHand(cudaStream_t stream, int *p) {
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t fill, first, second, copy, host;
  cudaMemsetParams set = {p, 0, 0, 4, 4, 1};
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  int factor = 1, addend = 5;
  void *arguments[] = {&p, &factor, &addend};
  cudaKernelNodeParams kernel = {(void *)affine, dim3(1), dim3(4), 0, arguments, nullptr};
  OK(cudaGraphAddKernelNode(&first, graph, &fill, 1, &kernel));
  factor = 3;
  OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  static int out[4], sum;
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, out, p, 16, cudaMemcpyDeviceToHost));
  cudaHostNodeParams call = {[](void *) { sum = out[0] + out[1] + out[2] + out[3]; }, nullptr};
  OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &call));
  cudaGraphNode_t toVariable;
  OK(cudaGraphAddMemcpyNodeToSymbol(&toVariable, graph, &second, 1, variable, p, 16, 0, cudaMemcpyDeviceToDevice));
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(sum == 80);
  int back[4];
  OK(cudaMemcpyFromSymbol(back, variable, 16));
  CHECK(back[3] == 20);
  // What nodes tell is what they were given; a kernel has the host's name.
  cudaKernelNodeParams told;
  OK(cudaGraphKernelNodeGetParams(first, &told));
  CHECK(told.func == (void *)affine && told.blockDim.x == 4 && *(int *)told.kernelParams[2] == 5);
  cudaMemcpy3DParms toldCopy;
  OK(cudaGraphMemcpyNodeGetParams(copy, &toldCopy));
  CHECK(toldCopy.dstPtr.ptr == out && toldCopy.srcPtr.ptr == p && toldCopy.kind == cudaMemcpyDeviceToHost);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(host, &type));
  CHECK(type == cudaGraphNodeTypeHost);
  // New parameters for the executable graph alone.
  addend = 100, factor = 1;
  OK(cudaGraphExecKernelNodeSetParams(exec, second, &kernel));
  OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, out, p, 8, cudaMemcpyDeviceToHost));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(sum == 105 + 105 + 20 + 20);
  EXPECT(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(host, &set));
  OK(cudaGetLastError() == cudaErrorInvalidValue ? cudaSuccess : cudaErrorUnknown);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
}

static void captured(cudaStream_t stream, int *p) {
  cudaStream_t side;
  cudaEvent_t fork, join;
  OK(cudaStreamCreate(&side));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  OK(cudaMemset(p, 0, 32));
  OK(cudaDeviceSynchronize());
  cudaGraphExec_t exec = nullptr;
  int expected = 0;
  for (int round = 1; round <= 3; ++round) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    affine<<<1, 4, 0, stream>>>(p, 1, round);
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(side, fork));
    affine<<<1, 4, 0, side>>>(p + 4, 2, 1);
    OK(cudaEventRecord(join, side));
    affine<<<1, 4, 0, stream>>>(p, 2, 0);
    OK(cudaStreamWaitEvent(stream, join));
    OK(cudaMemcpyAsync(p + 4, p, 4, cudaMemcpyDeviceToDevice, stream));
    cudaGraph_t graph;
    OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExecUpdateResultInfo info;
    if (!exec)
      OK(cudaGraphInstantiate(&exec, graph));
    else
      OK(cudaGraphExecUpdate(exec, graph, &info));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphLaunch(exec, stream));
    expected = (expected + round) * 2;
  }
  OK(cudaStreamSynchronize(stream));
  CHECK(read(p)[0] == expected && read(p)[3] == expected);
  CHECK(read(p + 4)[0] == expected && read(p + 4)[1] == 7);
  // A call that is not permitted: the error is told, and the capture is of no use any more.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusInvalidated);
  cudaGraph_t none;
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &none));
  CHECK(none == nullptr);
  (void)cudaGetLastError();
  OK(cudaGraphExecDestroy(exec));
  OK(cudaStreamDestroy(side));
}

static void looped(cudaStream_t stream, int *p) {
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
#else
  OK(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
#endif
  const cudaGraph_t body = parameters.conditional.phGraph_out[0];
  OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  affine<<<1, 4, 0, stream>>>(p, 2, 0);
  countDown<<<1, 1, 0, stream>>>(p + 4, handle);
  cudaGraph_t same;
  OK(cudaStreamEndCapture(stream, &same));
  CHECK(same == body);
  const int start[] = {1, 2, 3, 4, 6};
  OK(cudaMemcpy(p, start, sizeof start, cudaMemcpyHostToDevice));
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(read(p)[0] == 64 && read(p)[3] == 256 && read(p + 4)[0] == 0);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
}

static void withMemory(cudaStream_t stream) {
  int *memory, host[4] = {};
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMallocAsync(&memory, 1 << 20, stream));
  OK(cudaMemsetAsync(memory, 0, 1 << 20, stream));
  affine<<<1, 4, 0, stream>>>(memory, 1, 9);
  OK(cudaMemcpyAsync(host, memory, 16, cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(memory, stream));
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(host[0] == 9 && host[3] == 9);
  unsigned long long used = 1;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  CHECK(used == 0);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  OK(cudaDeviceGraphMemTrim(0));
}

int main() {
  cudaStream_t stream;
  int *p;
  OK(cudaStreamCreate(&stream));
  OK(cudaMalloc(&p, 64));
  byHand(stream, p);
  captured(stream, p);
  looped(stream, p);
  withMemory(stream);
  OK(cudaFree(p));
  return failures != 0;
}
