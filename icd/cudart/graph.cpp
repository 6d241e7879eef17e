// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and stream capture. Where the two APIs say the same with other words, parameters are put into the driver's.
#include "icd/cudart/copy_description.h"
#include "icd/cudart/entry_points.h"
#include "icd/cudart/registry.h"
#include "icd/cudart/thread_state.h"

#include <cstring>

namespace us::cudart {
namespace {

// The numbers of kinds, flags and results are the driver's, and so are the layouts of these.
static_assert(sizeof(cudaGraphNodeParams) == sizeof(CUgraphNodeParams));
static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));
static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS));
static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
static_assert(sizeof(cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS));
static_assert(sizeof(cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS));
static_assert(sizeof(cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));

CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
const CUgraphEdgeData *driversOf(const cudaGraphEdgeData *edges) {
  return reinterpret_cast<const CUgraphEdgeData *>(edges);
}
CUgraphEdgeData *driversOf(cudaGraphEdgeData *edges) { return reinterpret_cast<CUgraphEdgeData *>(edges); }
const CUDA_MEMSET_NODE_PARAMS *driversOf(const cudaMemsetParams *parameters) {
  return reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS *>(parameters);
}
const CUDA_HOST_NODE_PARAMS *driversOf(const cudaHostNodeParams *parameters) {
  return reinterpret_cast<const CUDA_HOST_NODE_PARAMS *>(parameters);
}

cudaError_t contextNow(CUcontext *context) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuCtxGetCurrent(context));
}

/// A kernel by the address that the host knows it by.
cudaError_t kernelNode(const cudaKernelNodeParams *given, CUDA_KERNEL_NODE_PARAMS *driverGiven) {
  if (!given) return cudaErrorInvalidValue;
  CUkernel kernel = nullptr;
  US_RETURN_IF_ERROR(kernelOf(given->func, &kernel));
  *driverGiven = {};
  driverGiven->kern = kernel;
  driverGiven->gridDimX = given->gridDim.x, driverGiven->gridDimY = given->gridDim.y;
  driverGiven->gridDimZ = given->gridDim.z;
  driverGiven->blockDimX = given->blockDim.x, driverGiven->blockDimY = given->blockDim.y;
  driverGiven->blockDimZ = given->blockDim.z;
  driverGiven->sharedMemBytes = given->sharedMemBytes;
  driverGiven->kernelParams = given->kernelParams;
  driverGiven->extra = given->extra;
  return contextNow(&driverGiven->ctx);
}

/// A copy between memory, or from or to a variable.
cudaError_t flatCopy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, CUDA_MEMCPY3D *copy) {
  cudaMemcpy3DParms whole = {};
  whole.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
  whole.dstPtr = {to, bytes, bytes, 1};
  whole.extent = {bytes, 1, 1};
  whole.kind = kind;
  return describeCopy(&whole, copy);
}
cudaError_t toSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                     CUDA_MEMCPY3D *copy) {
  US_RETURN_IF_ERROR(useContext());
  Variable variable;
  US_RETURN_IF_ERROR(variableOf(symbol, &variable));
  if (offset > variable.size || bytes > variable.size - offset) return cudaErrorInvalidValue;
  return flatCopy(reinterpret_cast<void *>(variable.address + offset), from, bytes, kind, copy);
}
cudaError_t fromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                       CUDA_MEMCPY3D *copy) {
  US_RETURN_IF_ERROR(useContext());
  Variable variable;
  US_RETURN_IF_ERROR(variableOf(symbol, &variable));
  if (offset > variable.size || bytes > variable.size - offset) return cudaErrorInvalidValue;
  return flatCopy(to, reinterpret_cast<const void *>(variable.address + offset), bytes, kind, copy);
}

cudaError_t addCopy(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                    const CUDA_MEMCPY3D &copy) {
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  return errorOf(driver().cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context));
}
cudaError_t setCopy(cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_MEMCPY3D &copy) {
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  if (!exec) return errorOf(driver().cuGraphMemcpyNodeSetParams(node, &copy));
  return errorOf(driver().cuGraphExecMemcpyNodeSetParams(exec, node, &copy, context));
}

/// Parameters of any kind; what is handed out comes back into `given`.
template <class Call> cudaError_t withAnyParameters(cudaGraphNodeParams *given, Call call) {
  if (!given) return cudaErrorInvalidValue;
  CUgraphNodeParams driverGiven = {};
  driverGiven.type = static_cast<CUgraphNodeType>(given->type);
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  switch (given->type) {
  case cudaGraphNodeTypeKernel:
    US_RETURN_IF_ERROR(kernelNode(&given->kernel, &driverGiven.kernel));
    break;
  case cudaGraphNodeTypeMemcpy:
    US_RETURN_IF_ERROR(describeCopy(&given->memcpy.copyParams, &driverGiven.memcpy.copyParams));
    driverGiven.memcpy.copyCtx = context;
    break;
  case cudaGraphNodeTypeMemset:
    std::memcpy(&driverGiven.memset, &given->memset, sizeof given->memset);
    driverGiven.memset.ctx = context;
    break;
  case cudaGraphNodeTypeConditional:
    driverGiven.conditional.handle = given->conditional.handle;
    driverGiven.conditional.type = static_cast<CUgraphConditionalNodeType>(given->conditional.type);
    driverGiven.conditional.size = given->conditional.size;
    driverGiven.conditional.ctx = context;
    break;
  default:
    std::memcpy(driverGiven.reserved1, given->reserved1, sizeof given->reserved1);
  }
  US_RETURN_IF_ERROR(errorOf(call(&driverGiven)));
  if (given->type == cudaGraphNodeTypeConditional) given->conditional.phGraph_out = driverGiven.conditional.phGraph_out;
  if (given->type == cudaGraphNodeTypeMemAlloc) given->alloc.dptr = reinterpret_cast<void *>(driverGiven.alloc.dptr);
  return cudaSuccess;
}

CUstreamCaptureMode driverMode(cudaStreamCaptureMode mode) { return static_cast<CUstreamCaptureMode>(mode); }

/// What the driver can do with handles alone.
template <class Call> cudaError_t inContext(Call call) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(call(driver()));
}

} // namespace

// ---- stream capture

cudaError_t streamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return inContext([&](const Driver &cu) { return cu.cuStreamBeginCapture_v2(streamOf(stream), driverMode(mode)); });
}

cudaError_t streamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                      const cudaGraphEdgeData *edges, size_t count, cudaStreamCaptureMode mode) {
  return inContext([&](const Driver &cu) {
    return cu.cuStreamBeginCaptureToGraph(streamOf(stream), graph, dependencies, driversOf(edges), count,
                                          driverMode(mode));
  });
}

cudaError_t streamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return inContext([&](const Driver &cu) { return cu.cuStreamEndCapture(streamOf(stream), graph); });
}

cudaError_t threadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode *>(mode)));
}

cudaError_t streamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                 cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                 const cudaGraphEdgeData **edges, size_t *count) {
  cuuint64_t number = 0;
  const cudaError_t error = inContext([&](const Driver &cu) {
    return cu.cuStreamGetCaptureInfo_v3(streamOf(stream), reinterpret_cast<CUstreamCaptureStatus *>(status), &number,
                                        graph, dependencies, reinterpret_cast<const CUgraphEdgeData **>(edges), count);
  });
  if (error == cudaSuccess && id && *status == cudaStreamCaptureStatusActive) *id = number;
  return error;
}

cudaError_t streamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                            const cudaGraphEdgeData *edges, size_t count, unsigned flags) {
  return inContext([&](const Driver &cu) {
    return cu.cuStreamUpdateCaptureDependencies_v2(streamOf(stream), dependencies, driversOf(edges), count, flags);
  });
}

// ---- structure

cudaError_t graphCreate(cudaGraph_t *graph, unsigned flags) {
  return inContext([&](const Driver &cu) { return cu.cuGraphCreate(graph, flags); });
}
cudaError_t graphDestroy(cudaGraph_t graph) {
  return inContext([&](const Driver &cu) { return cu.cuGraphDestroy(graph); });
}
cudaError_t graphClone(cudaGraph_t *clone, cudaGraph_t original) {
  return inContext([&](const Driver &cu) { return cu.cuGraphClone(clone, original); });
}
cudaError_t graphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone) {
  return inContext([&](const Driver &cu) { return cu.cuGraphNodeFindInClone(node, original, clone); });
}
cudaError_t graphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphNodeGetType(node, reinterpret_cast<CUgraphNodeType *>(type)); });
}
cudaError_t graphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return inContext([&](const Driver &cu) { return cu.cuGraphGetNodes(graph, nodes, count); });
}
cudaError_t graphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return inContext([&](const Driver &cu) { return cu.cuGraphGetRootNodes(graph, nodes, count); });
}
cudaError_t graphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                          size_t *count) {
  return inContext([&](const Driver &cu) { return cu.cuGraphGetEdges_v2(graph, from, to, driversOf(edges), count); });
}
cudaError_t graphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, cudaGraphEdgeData *edges,
                                     size_t *count) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphNodeGetDependencies_v2(node, dependencies, driversOf(edges), count); });
}
cudaError_t graphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, cudaGraphEdgeData *edges,
                                       size_t *count) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphNodeGetDependentNodes_v2(node, dependents, driversOf(edges), count); });
}
cudaError_t graphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                 const cudaGraphEdgeData *edges, size_t count) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddDependencies_v2(graph, from, to, driversOf(edges), count); });
}
cudaError_t graphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                    const cudaGraphEdgeData *edges, size_t count) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphRemoveDependencies_v2(graph, from, to, driversOf(edges), count); });
}
cudaError_t graphDestroyNode(cudaGraphNode_t node) {
  return inContext([&](const Driver &cu) { return cu.cuGraphDestroyNode(node); });
}
cudaError_t graphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  return inContext([&](const Driver &cu) { return cu.cuGraphDebugDotPrint(graph, path, flags); });
}

// ---- nodes

cudaError_t graphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                         const cudaGraphEdgeData *edges, size_t count, cudaGraphNodeParams *given) {
  return withAnyParameters(given, [&](CUgraphNodeParams *driverGiven) {
    return driver().cuGraphAddNode_v2(node, graph, dependencies, driversOf(edges), count, driverGiven);
  });
}
cudaError_t graphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *given) {
  return withAnyParameters(
      given, [&](CUgraphNodeParams *driverGiven) { return driver().cuGraphNodeSetParams(node, driverGiven); });
}

cudaError_t graphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                               size_t count, const cudaKernelNodeParams *given) {
  CUDA_KERNEL_NODE_PARAMS driverGiven;
  US_RETURN_IF_ERROR(kernelNode(given, &driverGiven));
  return errorOf(driver().cuGraphAddKernelNode_v2(node, graph, dependencies, count, &driverGiven));
}
cudaError_t graphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *into) {
  if (!into) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_KERNEL_NODE_PARAMS told = {};
  US_RETURN_IF_ERROR(errorOf(driver().cuGraphKernelNodeGetParams_v2(node, &told)));
  // The host's name for the kernel; what the runtime does not know stays the driver's function.
  const void *const host = told.kern ? hostFunctionOf(told.kern) : told.func;
  *into = {const_cast<void *>(host),
           dim3(told.gridDimX, told.gridDimY, told.gridDimZ),
           dim3(told.blockDimX, told.blockDimY, told.blockDimZ),
           told.sharedMemBytes,
           told.kernelParams,
           told.extra};
  return cudaSuccess;
}
cudaError_t graphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *given) {
  CUDA_KERNEL_NODE_PARAMS driverGiven;
  US_RETURN_IF_ERROR(kernelNode(given, &driverGiven));
  return errorOf(driver().cuGraphKernelNodeSetParams_v2(node, &driverGiven));
}
cudaError_t graphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return inContext([&](const Driver &cu) { return cu.cuGraphKernelNodeCopyAttributes(to, from); });
}
cudaError_t graphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                        cudaLaunchAttributeValue *value) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphKernelNodeGetAttribute(node, static_cast<CUlaunchAttributeID>(attribute),
                                            reinterpret_cast<CUlaunchAttributeValue *>(value));
  });
}
cudaError_t graphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                        const cudaLaunchAttributeValue *value) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphKernelNodeSetAttribute(node, static_cast<CUlaunchAttributeID>(attribute),
                                            reinterpret_cast<const CUlaunchAttributeValue *>(value));
  });
}

cudaError_t graphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                               size_t count, const cudaMemcpy3DParms *given) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(describeCopy(given, &copy));
  return addCopy(node, graph, dependencies, count, copy);
}
cudaError_t graphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                 size_t count, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(flatCopy(to, from, bytes, kind, &copy));
  return addCopy(node, graph, dependencies, count, copy);
}
cudaError_t graphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                       size_t count, const void *symbol, const void *from, size_t bytes, size_t offset,
                                       cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(toSymbol(symbol, from, bytes, offset, kind, &copy));
  return addCopy(node, graph, dependencies, count, copy);
}
cudaError_t graphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                         size_t count, void *to, const void *symbol, size_t bytes, size_t offset,
                                         cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(fromSymbol(to, symbol, bytes, offset, kind, &copy));
  return addCopy(node, graph, dependencies, count, copy);
}
cudaError_t graphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *into) {
  if (!into) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  CUDA_MEMCPY3D copy = {};
  US_RETURN_IF_ERROR(errorOf(driver().cuGraphMemcpyNodeGetParams(node, &copy)));
  return describeCopy(copy, into);
}
cudaError_t graphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *given) {
  return graphExecMemcpyNodeSetParams(nullptr, node, given);
}
cudaError_t graphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                       cudaMemcpyKind kind) {
  return graphExecMemcpyNodeSetParams1D(nullptr, node, to, from, bytes, kind);
}
cudaError_t graphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *from, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return graphExecMemcpyNodeSetParamsToSymbol(nullptr, node, symbol, from, bytes, offset, kind);
}
cudaError_t graphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to, const void *symbol, size_t bytes,
                                               size_t offset, cudaMemcpyKind kind) {
  return graphExecMemcpyNodeSetParamsFromSymbol(nullptr, node, to, symbol, bytes, offset, kind);
}

cudaError_t graphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                               size_t count, const cudaMemsetParams *given) {
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  return errorOf(driver().cuGraphAddMemsetNode(node, graph, dependencies, count, driversOf(given), context));
}
cudaError_t graphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *into) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphMemsetNodeGetParams(node, reinterpret_cast<CUDA_MEMSET_NODE_PARAMS *>(into));
  });
}
cudaError_t graphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *given) {
  return inContext([&](const Driver &cu) { return cu.cuGraphMemsetNodeSetParams(node, driversOf(given)); });
}

cudaError_t graphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             size_t count, const cudaHostNodeParams *given) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddHostNode(node, graph, dependencies, count, driversOf(given)); });
}
cudaError_t graphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *into) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphHostNodeGetParams(node, reinterpret_cast<CUDA_HOST_NODE_PARAMS *>(into));
  });
}
cudaError_t graphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *given) {
  return inContext([&](const Driver &cu) { return cu.cuGraphHostNodeSetParams(node, driversOf(given)); });
}

cudaError_t graphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                   size_t count, cudaGraph_t child) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
cudaError_t graphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  return inContext([&](const Driver &cu) { return cu.cuGraphChildGraphNodeGetGraph(node, graph); });
}
cudaError_t graphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                              size_t count) {
  return inContext([&](const Driver &cu) { return cu.cuGraphAddEmptyNode(node, graph, dependencies, count); });
}

cudaError_t graphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                    size_t count, cudaEvent_t event) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
cudaError_t graphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphEventRecordNodeGetEvent(node, event); });
}
cudaError_t graphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphEventRecordNodeSetEvent(node, event); });
}
cudaError_t graphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                  size_t count, cudaEvent_t event) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
cudaError_t graphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphEventWaitNodeGetEvent(node, event); });
}
cudaError_t graphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphEventWaitNodeSetEvent(node, event); });
}

cudaError_t graphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                 size_t count, cudaMemAllocNodeParams *given) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphAddMemAllocNode(node, graph, dependencies, count,
                                     reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(given));
  });
}
cudaError_t graphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *into) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphMemAllocNodeGetParams(node, reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(into));
  });
}
cudaError_t graphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                size_t count, void *pointer) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphAddMemFreeNode(node, graph, dependencies, count, addressOf(pointer)); });
}
cudaError_t graphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr *>(pointer)); });
}
cudaError_t deviceGraphMemTrim(int device) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGraphMemTrim(device));
}
cudaError_t deviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void *value) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value));
}
cudaError_t deviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void *value) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value));
}

cudaError_t graphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value,
                                         unsigned flags) {
  if (!handle) return cudaErrorInvalidValue;
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  CUgraphConditionalHandle made = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuGraphConditionalHandleCreate(&made, graph, context, value, flags)));
  *handle = made;
  return cudaSuccess;
}

// ---- executable graphs

cudaError_t graphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return inContext([&](const Driver &cu) { return cu.cuGraphInstantiateWithFlags(exec, graph, flags); });
}
cudaError_t graphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *given) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphInstantiateWithParams(exec, graph, reinterpret_cast<CUDA_GRAPH_INSTANTIATE_PARAMS *>(given));
  });
}
cudaError_t graphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  return inContext(
      [&](const Driver &cu) { return cu.cuGraphExecGetFlags(exec, reinterpret_cast<cuuint64_t *>(flags)); });
}
cudaError_t graphExecDestroy(cudaGraphExec_t exec) {
  return inContext([&](const Driver &cu) { return cu.cuGraphExecDestroy(exec); });
}
cudaError_t graphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return inContext([&](const Driver &cu) { return cu.cuGraphUpload(exec, streamOf(stream)); });
}
cudaError_t graphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return inContext([&](const Driver &cu) { return cu.cuGraphLaunch(exec, streamOf(stream)); });
}
cudaError_t graphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *result) {
  return inContext([&](const Driver &cu) {
    return cu.cuGraphExecUpdate_v2(exec, graph, reinterpret_cast<CUgraphExecUpdateResultInfo *>(result));
  });
}
cudaError_t graphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return inContext([&](const Driver &cu) { return cu.cuGraphNodeSetEnabled(exec, node, enabled); });
}
cudaError_t graphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
  return inContext([&](const Driver &cu) { return cu.cuGraphNodeGetEnabled(exec, node, enabled); });
}
cudaError_t graphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams *given) {
  return withAnyParameters(given, [&](CUgraphNodeParams *driverGiven) {
    return driver().cuGraphExecNodeSetParams(exec, node, driverGiven);
  });
}
cudaError_t graphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                         const cudaKernelNodeParams *given) {
  CUDA_KERNEL_NODE_PARAMS driverGiven;
  US_RETURN_IF_ERROR(kernelNode(given, &driverGiven));
  return errorOf(driver().cuGraphExecKernelNodeSetParams_v2(exec, node, &driverGiven));
}
cudaError_t graphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemcpy3DParms *given) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(describeCopy(given, &copy));
  return setCopy(exec, node, copy);
}
cudaError_t graphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(flatCopy(to, from, bytes, kind, &copy));
  return setCopy(exec, node, copy);
}
cudaError_t graphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
                                                 const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(toSymbol(symbol, from, bytes, offset, kind, &copy));
  return setCopy(exec, node, copy);
}
cudaError_t graphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                                   const void *symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  CUDA_MEMCPY3D copy;
  US_RETURN_IF_ERROR(fromSymbol(to, symbol, bytes, offset, kind, &copy));
  return setCopy(exec, node, copy);
}
cudaError_t graphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemsetParams *given) {
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(contextNow(&context));
  return errorOf(driver().cuGraphExecMemsetNodeSetParams(exec, node, driversOf(given), context));
}
cudaError_t graphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaHostNodeParams *given) {
  return inContext([&](const Driver &cu) { return cu.cuGraphExecHostNodeSetParams(exec, node, driversOf(given)); });
}
cudaError_t graphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return inContext([&](const Driver &cu) { return cu.cuGraphExecChildGraphNodeSetParams(exec, node, child); });
}
cudaError_t graphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
cudaError_t graphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return inContext([&](const Driver &cu) { return cu.cuGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

// ---- user objects

cudaError_t userObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy, unsigned count,
                             unsigned flags) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuUserObjectCreate(object, pointer, destroy, count, flags));
}
cudaError_t userObjectRetain(cudaUserObject_t object, unsigned count) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuUserObjectRetain(object, count));
}
cudaError_t userObjectRelease(cudaUserObject_t object, unsigned count) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuUserObjectRelease(object, count));
}
cudaError_t graphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return inContext([&](const Driver &cu) { return cu.cuGraphRetainUserObject(graph, object, count, flags); });
}
cudaError_t graphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return inContext([&](const Driver &cu) { return cu.cuGraphReleaseUserObject(graph, object, count); });
}

} // namespace us::cudart
