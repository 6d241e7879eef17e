// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes by their parameters. The functions of each kind say the same as those that take any kind: all go the same way.
#include "icd/cuda/cluster.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph.h"
#include "icd/cuda/graph_memory.h"
#include "icd/cuda/library.h"

#include <algorithm>

namespace us::cuda {
namespace {

Expected<Ref<Context>> contextOrCurrent(CUcontext handle) { return handle ? contextOf(handle) : currentContext(); }

Expected<Work> kernelOf(const CUDA_KERNEL_NODE_PARAMS &given, const Work *old) {
  // "func: Kernel to launch; kern: Kernel to launch, will only be referenced if func is NULL"
  Ref<Function> function;
  CUkernel kernel = nullptr;
  if (given.func) {
    US_TRY(function, functionOf(given.func));
    if (isKernel(reinterpret_cast<CUkernel>(given.func))) kernel = reinterpret_cast<CUkernel>(given.func);
  } else {
    // "ctx: Context for the kernel task to run in. The value NULL will indicate the current context should be used by
    // the api. This field is ignored if func is set."
    US_TRY(const Ref<Context> context, contextOrCurrent(given.ctx));
    US_TRY(function, functionOfKernel(given.kern, *context));
    kernel = given.kern;
  }
  LaunchShape shape{{given.gridDimX, given.gridDimY, given.gridDimZ},
                    {given.blockDimX, given.blockDimY, given.blockDimZ},
                    given.sharedMemBytes};
  // Attributes stay when parameters change.
  const auto *const before = old ? std::get_if<KernelWork>(old) : nullptr;
  if (before) shape.isCooperative = before->shape.isCooperative;
  if (before) std::copy_n(before->shape.cluster, 3, shape.cluster);
  US_TRY(LaunchCommand launch, launchOf(*function, shape, given.kernelParams, given.extra));
  KernelWork work = kernelWork(*function, shape, std::move(launch), before ? before->priority : 0);
  work.kernel = kernel;
  if (before) work.attributes = before->attributes;
  return Work(std::move(work));
}

Expected<Work> childOf(const CUDA_CHILD_GRAPH_NODE_PARAMS &given) {
  US_TRY(const Ref<Graph> graph, graphOf(given.graph));
  if (given.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
    if (graph->parent || *graph->instances) return fail(CUDA_ERROR_INVALID_VALUE, "the graph cannot be moved");
    return Work(ChildWork{graph});
  }
  if (given.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no ownership {}", int(given.ownership)));
  // "If childGraph contains allocation nodes, free nodes, or conditional nodes, this call will return an error."
  if (graph->has<AllocWork>() || graph->has<FreeWork>() || graph->has<ConditionalWork>())
    return fail(CUDA_ERROR_NOT_SUPPORTED, "the child has nodes that are not copied: of memory, or conditional ones");
  return Work(ChildWork{graph->copy()});
}

Expected<Work> conditionalOf(CUDA_CONDITIONAL_NODE_PARAMS &given) {
  US_TRY(const Ref<Condition> condition, conditionOf(given.handle));
  if (condition->isUsed) return fail(CUDA_ERROR_INVALID_VALUE, "the conditional handle has a node already");
  // "Allowed values are 1 for CU_GRAPH_COND_TYPE_WHILE, 1 or 2 for CU_GRAPH_COND_TYPE_IF, or any value greater than
  // zero for CU_GRAPH_COND_TYPE_SWITCH."
  const bool fits = given.size > 0 && ((given.type == CU_GRAPH_COND_TYPE_WHILE && given.size == 1) ||
                                       (given.type == CU_GRAPH_COND_TYPE_IF && given.size <= 2) ||
                                       (given.type == CU_GRAPH_COND_TYPE_SWITCH && given.size <= 1u << 16));
  if (!fits)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} graphs for a condition of type {}", given.size, int(given.type)));
  ConditionalWork work;
  work.condition = condition;
  work.type = given.type;
  for (unsigned i = 0; i < given.size; ++i) {
    work.bodies.emplace_back(new Graph);
    work.bodies.back()->isBody = true;
    work.handles.push_back(addGraph(work.bodies.back()));
  }
  return Work(std::move(work));
}

/// "Allowed node types are kernel nodes, empty nodes, child graphs, memsets, memcopies, and conditionals. This applies
/// recursively to child graphs and conditional bodies."
bool isForBodies(const Work &work) {
  if (const auto *child = std::get_if<ChildWork>(&work))
    return std::all_of(child->graph->nodes.begin(), child->graph->nodes.end(),
                       [](const Ref<Node> &node) { return isForBodies(node->work); });
  return !std::holds_alternative<HostWork>(work) && !std::holds_alternative<EventWork>(work) &&
         !std::holds_alternative<AllocWork>(work) && !std::holds_alternative<FreeWork>(work);
}

bool isInBody(const Graph &graph) {
  for (const Graph *one = &graph; one; one = one->parent ? one->parent->graph : nullptr)
    if (one->isBody) return true;
  return false;
}

Expected<void> addNode(CUgraphNode *handle, CUgraph graphHandle, const CUgraphNode *dependencies,
                       const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams &parameters) {
  US_CHECK(checkOut(handle, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  US_TRY(const std::vector<Dependency> before, dependenciesOf(dependencies, edges, count));
  US_TRY(Work work, workOf(parameters, nullptr));
  if (isInBody(*graph) && !isForBodies(work))
    return fail(CUDA_ERROR_NOT_SUPPORTED, "a node of that type cannot be in the body of a conditional node");
  auto *const free = std::get_if<FreeWork>(&work);
  if (free) US_CHECK(checkFree(*free->memory, *graph));
  US_TRY(const Ref<Node> node, graph->add(std::move(work), before));
  if (auto *const child = std::get_if<ChildWork>(&node->work); child) addGraph(child->graph);
  if (auto *const branch = std::get_if<ConditionalWork>(&node->work)) {
    branch->condition->isUsed = true;
    parameters.conditional.phGraph_out = branch->handles.data();
  }
  if (const auto *alloc = std::get_if<AllocWork>(&node->work)) parameters.alloc.dptr = alloc->memory->address();
  *handle = handleOf(*node);
  return {};
}

/// Parameters of one kind, as those of any.
template <class Kind>
CUgraphNodeParams anyKind(CUgraphNodeType type, Kind CUgraphNodeParams::*member, const Kind &value) {
  CUgraphNodeParams parameters = {};
  parameters.type = type;
  parameters.*member = value;
  return parameters;
}

CUDA_KERNEL_NODE_PARAMS newForm(const CUDA_KERNEL_NODE_PARAMS_v1 &old) {
  return {old.func,      old.gridDimX,       old.gridDimY,     old.gridDimZ, old.blockDimX, old.blockDimY,
          old.blockDimZ, old.sharedMemBytes, old.kernelParams, old.extra,    nullptr,       nullptr};
}

Expected<void> setParameters(CUgraphNode handle, CUgraphNodeParams &parameters) {
  Work old; // goes without the lock
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  // "The type of the node cannot be changed."
  if (parameters.type != node->type())
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("parameters of type {} for a node of type {}", int(parameters.type), int(node->type())));
  // Of these there are no parameters that could be set later.
  const bool isFixed = std::holds_alternative<AllocWork>(node->work) || std::holds_alternative<FreeWork>(node->work) ||
                       std::holds_alternative<ConditionalWork>(node->work) ||
                       std::holds_alternative<ChildWork>(node->work);
  if (isFixed) return fail(CUDA_ERROR_NOT_SUPPORTED, format("a node of type {} keeps what it does", int(node->type())));
  US_TRY(Work work, workOf(parameters, &node->work));
  old = std::exchange(node->work, std::move(work));
  return {};
}

/// What a node of one kind does.
template <class Kind> Expected<Kind *> workOfNode(const Ref<Node> &node, const char *what) {
  Kind *const work = std::get_if<Kind>(&node->work);
  if (!work) return fail(CUDA_ERROR_INVALID_VALUE, format("the node is no {}", what));
  return work;
}

Expected<void> getKernel(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS &into) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(KernelWork *const work, workOfNode<KernelWork>(node, "kernel"));
  const LaunchShape &shape = work->shape;
  work->pointers.clear();
  for (const ArgumentInfo &one : work->function->parameters())
    work->pointers.push_back(work->launch.arguments.data() + one.offset);
  into = {};
  if (work->kernel) {
    into.kern = work->kernel;
    into.ctx = handleOf(work->function->context());
  } else {
    into.func = handleOf(*work->function);
  }
  into.gridDimX = shape.grid[0], into.gridDimY = shape.grid[1], into.gridDimZ = shape.grid[2];
  into.blockDimX = shape.block[0], into.blockDimY = shape.block[1], into.blockDimZ = shape.block[2];
  into.sharedMemBytes = shape.sharedBytes;
  // "The kernelParams or extra array returned in nodeParams, as well as the argument values it points to, are owned by
  // the node. This memory remains valid until the node is destroyed or its parameters are modified."
  into.kernelParams = work->pointers.empty() ? nullptr : work->pointers.data();
  return {};
}

/// What an attribute of kernels is before it is set.
CUkernelNodeAttrValue initialAttribute(const KernelWork &work, CUkernelNodeAttrID attribute) {
  CUkernelNodeAttrValue value = initialStreamAttribute(attribute);
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) value.cooperative = work.shape.isCooperative;
  if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
    value.clusterDim = {work.shape.cluster[0], work.shape.cluster[1], work.shape.cluster[2]};
  if (attribute == CU_LAUNCH_ATTRIBUTE_PRIORITY) value.priority = work.priority;
  return value;
}

/// "Valid for graph nodes."
Expected<void> checkKernelAttribute(CUkernelNodeAttrID attribute) {
  constexpr CUlaunchAttributeID kAll[] = {
      CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
      CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,    CU_LAUNCH_ATTRIBUTE_PRIORITY,
      CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,  CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN};
  if (std::find(std::begin(kAll), std::end(kAll), attribute) != std::end(kAll)) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("kernel nodes have no attribute {}", int(attribute)));
}

Expected<void> setAttribute(KernelWork &work, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue &value) {
  if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
    LaunchShape shape = work.shape;
    US_CHECK(setCluster(shape, value));
    US_TRY(work.launch.clusterSize, clusterOf(*work.function, shape));
    work.shape = shape;
  }
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
    work.shape.isCooperative = value.cooperative != 0;
    work.launch.allTogether = work.shape.isCooperative;
  }
  work.attributes[attribute] = value;
  return {};
}

Expected<void> addEvent(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, CUevent event,
                        CUgraphNodeType type) {
  CUgraphNodeParams parameters = {};
  parameters.type = type;
  parameters.eventRecord.event = event;
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}

Expected<void> getEvent(CUgraphNode handle, CUevent *event, bool records) {
  US_CHECK(checkOut(event, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const EventWork *const work, workOfNode<EventWork>(node, "node of an event"));
  if (work->records != records) return fail(CUDA_ERROR_INVALID_VALUE, "the node does the other thing with its event");
  *event = work->handle;
  return {};
}

Expected<void> setEvent(CUgraphNode node, CUevent event, CUgraphNodeType type) {
  CUgraphNodeParams parameters = {};
  parameters.type = type;
  parameters.eventRecord.event = event;
  return setParameters(node, parameters);
}

} // namespace

KernelWork kernelWork(Function &function, const LaunchShape &shape, LaunchCommand &&launch, int priority) {
  KernelWork work;
  work.function = Ref<Function>(&function);
  work.shape = shape;
  work.launch = std::move(launch);
  work.keep = completeLaunch(function, work.launch);
  work.priority = priority;
  return work;
}

Expected<Work> workOf(CUgraphNodeParams &given, const Work *old) {
  switch (given.type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return kernelOf(given.kernel, old);
  case CU_GRAPH_NODE_TYPE_MEMCPY: {
    // "flags: Must be zero; reserved: Must be zero"
    if (given.memcpy.flags != 0 || given.memcpy.reserved != 0)
      return fail(CUDA_ERROR_INVALID_VALUE, "flags of a copy are not defined");
    const auto *const before = old ? std::get_if<CopyWork>(old) : nullptr;
    Ref<Context> context = before ? before->context : nullptr;
    if (!context || given.memcpy.copyCtx) {
      US_TRY(context, contextOrCurrent(given.memcpy.copyCtx));
    }
    US_TRY(CopyWork work, copyWorkOf(given.memcpy.copyParams, context));
    return Work(std::move(work));
  }
  case CU_GRAPH_NODE_TYPE_MEMSET: {
    const auto *const before = old ? std::get_if<FillWork>(old) : nullptr;
    Ref<Context> context = before ? before->context : nullptr;
    if (!context || given.memset.ctx) {
      US_TRY(context, contextOrCurrent(given.memset.ctx));
    }
    const CUDA_MEMSET_NODE_PARAMS_v2 &m = given.memset;
    US_TRY(FillWork work, fillWorkOf({m.dst, m.pitch, m.value, m.elementSize, m.width, m.height}, context));
    return Work(std::move(work));
  }
  case CU_GRAPH_NODE_TYPE_HOST:
    US_CHECK(checkOut(given.host.fn, "the function"));
    return Work(HostWork{given.host.fn, given.host.userData});
  case CU_GRAPH_NODE_TYPE_GRAPH:
    return childOf(given.graph);
  case CU_GRAPH_NODE_TYPE_EMPTY:
    return Work(EmptyWork{});
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD: {
    US_TRY(Ref<Event> event, eventOf(given.eventRecord.event));
    return Work(EventWork{given.type == CU_GRAPH_NODE_TYPE_EVENT_RECORD, std::move(event), given.eventRecord.event});
  }
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
    US_TRY(Ref<GraphMemory> memory, allocateForGraph(given.alloc));
    return Work(AllocWork{std::move(memory)});
  }
  case CU_GRAPH_NODE_TYPE_MEM_FREE: {
    Ref<GraphMemory> memory = graphMemoryAt(given.free.dptr);
    // "CUDA_ERROR_INVALID_VALUE if the user attempts to free an address that was not returned by an allocation node."
    if (!memory)
      return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is of no allocation node", uint64_t(given.free.dptr)));
    return Work(FreeWork{std::move(memory)});
  }
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    return conditionalOf(given.conditional);
  case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
  case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
  case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    return fail(CUDA_ERROR_NOT_SUPPORTED, format("nodes of type {} are not supported", int(given.type)));
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("there are no nodes of type {}", int(given.type)));
}

// --- Of any kind ---

Expected<void> graphAddNodeWithData(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                    const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *parameters) {
  US_CHECK(checkOut(parameters, "the parameters"));
  return addNode(node, graph, dependencies, edges, count, *parameters);
}
Expected<void> graphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                            CUgraphNodeParams *parameters) {
  return graphAddNodeWithData(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphNodeSetParams(CUgraphNode node, CUgraphNodeParams *parameters) {
  US_CHECK(checkOut(parameters, "the parameters"));
  return setParameters(node, *parameters);
}

// --- Kernels ---

Expected<void> graphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_KERNEL_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_KERNEL, &CUgraphNodeParams::kernel, *given);
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphAddKernelNodeOld(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     const CUDA_KERNEL_NODE_PARAMS_v1 *given) {
  US_CHECK(checkOut(given, "the parameters"));
  const CUDA_KERNEL_NODE_PARAMS form = newForm(*given);
  return graphAddKernelNode(node, graph, dependencies, count, &form);
}
Expected<void> graphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *into) {
  US_CHECK(checkOut(into, "the result"));
  return getKernel(node, *into);
}
Expected<void> graphKernelNodeGetParamsOld(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *into) {
  US_CHECK(checkOut(into, "the result"));
  CUDA_KERNEL_NODE_PARAMS form;
  US_CHECK(getKernel(node, form));
  // There is no place for a kernel of a library but that of the function.
  if (!form.func) form.func = reinterpret_cast<CUfunction>(form.kern);
  *into = {form.func,      form.gridDimX,  form.gridDimY,       form.gridDimZ,     form.blockDimX,
           form.blockDimY, form.blockDimZ, form.sharedMemBytes, form.kernelParams, form.extra};
  return {};
}
Expected<void> graphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_KERNEL, &CUgraphNodeParams::kernel, *given);
  return setParameters(node, parameters);
}
Expected<void> graphKernelNodeSetParamsOld(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *given) {
  US_CHECK(checkOut(given, "the parameters"));
  const CUDA_KERNEL_NODE_PARAMS form = newForm(*given);
  return graphKernelNodeSetParams(node, &form);
}

Expected<void> graphKernelNodeGetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                           CUkernelNodeAttrValue *value) {
  US_CHECK(checkOut(value, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const KernelWork *const work, workOfNode<KernelWork>(node, "kernel"));
  US_CHECK(checkKernelAttribute(attribute));
  const auto found = work->attributes.find(attribute);
  *value = found == work->attributes.end() ? initialAttribute(*work, attribute) : found->second;
  return {};
}
Expected<void> graphKernelNodeSetAttribute(CUgraphNode handle, CUkernelNodeAttrID attribute,
                                           const CUkernelNodeAttrValue *value) {
  US_CHECK(checkOut(value, "the value"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(KernelWork *const work, workOfNode<KernelWork>(node, "kernel"));
  US_CHECK(checkKernelAttribute(attribute));
  return setAttribute(*work, attribute, *value);
}
Expected<void> graphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> destination, nodeOf(to));
  US_TRY(const Ref<Node> source, nodeOf(from));
  US_TRY(KernelWork *const into, workOfNode<KernelWork>(destination, "kernel"));
  US_TRY(const KernelWork *const work, workOfNode<KernelWork>(source, "kernel"));
  // "Both nodes must have the same context."
  if (&into->function->context() != &work->function->context())
    return fail(CUDA_ERROR_INVALID_CONTEXT, "the kernels are of different contexts");
  const auto attributes = work->attributes;
  for (const auto &[attribute, value] : attributes) US_CHECK(setAttribute(*into, attribute, value));
  return {};
}

// --- Copies and fills ---

Expected<void> graphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_MEMCPY3D *copy, CUcontext context) {
  US_CHECK(checkOut(copy, "the copy"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_MEMCPY, &CUgraphNodeParams::memcpy, {0, 0, context, *copy});
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphMemcpyNodeGetParams(CUgraphNode handle, CUDA_MEMCPY3D *copy) {
  US_CHECK(checkOut(copy, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const CopyWork *const work, workOfNode<CopyWork>(node, "copy"));
  *copy = work->text;
  return {};
}
Expected<void> graphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  US_CHECK(checkOut(copy, "the copy"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_MEMCPY, &CUgraphNodeParams::memcpy, {0, 0, nullptr, *copy});
  return setParameters(node, parameters);
}

Expected<void> graphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                  const CUDA_MEMSET_NODE_PARAMS *given, CUcontext context) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters =
      anyKind(CU_GRAPH_NODE_TYPE_MEMSET, &CUgraphNodeParams::memset,
              {given->dst, given->pitch, given->value, given->elementSize, given->width, given->height, context});
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphMemsetNodeGetParams(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS *into) {
  US_CHECK(checkOut(into, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const FillWork *const work, workOfNode<FillWork>(node, "fill"));
  *into = work->text;
  return {};
}
Expected<void> graphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters =
      anyKind(CU_GRAPH_NODE_TYPE_MEMSET, &CUgraphNodeParams::memset,
              {given->dst, given->pitch, given->value, given->elementSize, given->width, given->height, nullptr});
  return setParameters(node, parameters);
}

// --- The host's functions ---

Expected<void> graphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                const CUDA_HOST_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_HOST, &CUgraphNodeParams::host, *given);
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphHostNodeGetParams(CUgraphNode handle, CUDA_HOST_NODE_PARAMS *into) {
  US_CHECK(checkOut(into, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const HostWork *const work, workOfNode<HostWork>(node, "call of the host's"));
  *into = {work->function, work->data};
  return {};
}
Expected<void> graphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_HOST, &CUgraphNodeParams::host, *given);
  return setParameters(node, parameters);
}

// --- Children and nodes that do nothing ---

Expected<void> graphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                      CUgraph child) {
  CUgraphNodeParams parameters =
      anyKind(CU_GRAPH_NODE_TYPE_GRAPH, &CUgraphNodeParams::graph, {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE});
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}
Expected<void> graphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph) {
  US_CHECK(checkOut(graph, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  US_TRY(const ChildWork *const work, workOfNode<ChildWork>(node, "graph"));
  *graph = handleOf(*work->graph);
  return {};
}
Expected<void> graphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count) {
  CUgraphNodeParams parameters = {};
  parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}

// --- Events ---

Expected<void> graphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                       CUevent event) {
  return addEvent(node, graph, dependencies, count, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}
Expected<void> graphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                     CUevent event) {
  return addEvent(node, graph, dependencies, count, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}
Expected<void> graphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) { return getEvent(node, event, true); }
Expected<void> graphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return setEvent(node, event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}
Expected<void> graphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) { return getEvent(node, event, false); }
Expected<void> graphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return setEvent(node, event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

// --- Memory ---

Expected<void> graphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                    CUDA_MEM_ALLOC_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_MEM_ALLOC, &CUgraphNodeParams::alloc, *given);
  US_CHECK(addNode(node, graph, dependencies, nullptr, count, parameters));
  given->dptr = parameters.alloc.dptr;
  return {};
}
Expected<void> graphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                   CUdeviceptr pointer) {
  CUgraphNodeParams parameters = anyKind(CU_GRAPH_NODE_TYPE_MEM_FREE, &CUgraphNodeParams::free, {pointer});
  return addNode(node, graph, dependencies, nullptr, count, parameters);
}

} // namespace us::cuda
