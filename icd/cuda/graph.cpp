// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What graphs consist of: nodes, edges, copies.
#include "icd/cuda/graph.h"

#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph_memory.h"

#include <algorithm>

namespace us::cuda {
namespace {

auto &graphs() {
  static auto &set = *new HandleSet<Graph, CUgraph>;
  return set;
}
auto &nodes() {
  static auto &set = *new HandleSet<Node, CUgraphNode>;
  return set;
}

std::atomic<uint64_t> nextId{1};

Expected<void> checkEdge(const CUgraphEdgeData &data, const Node &from, const Node *to) {
  const bool isReserved = std::any_of(std::begin(data.reserved), std::end(data.reserved), [](char c) { return c; });
  // "This field must be set to zero", of to_port; "these bytes must be zeroed", of the rest.
  if (data.to_port != 0 || isReserved || data.from_port > CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER ||
      data.type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
    return fail(CUDA_ERROR_INVALID_VALUE, format("an edge from port {} to port {} of type {}", int(data.from_port),
                                                 int(data.to_port), int(data.type)));
  // "Only kernel nodes define non-zero ports"; a programmatic dependency "may only be used between kernel nodes, and
  // must be used with" one of them.
  const bool isKernel = from.type() == CU_GRAPH_NODE_TYPE_KERNEL;
  if (data.from_port != 0 && !isKernel)
    return fail(CUDA_ERROR_INVALID_VALUE, format("an edge from port {} of a node that is no kernel", data.from_port));
  const bool isProgrammatic = data.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  if (isProgrammatic && (!isKernel || data.from_port == 0 || (to && to->type() != CU_GRAPH_NODE_TYPE_KERNEL)))
    return fail(CUDA_ERROR_INVALID_VALUE, "a programmatic dependency is not between kernels");
  return {};
}

/// "Nodes and edges of the graph cannot be deleted", of one with allocation or free nodes.
Expected<void> checkMayShrink(const Graph &graph) {
  if (graph.allocated.empty() && graph.freed.empty()) return {};
  return fail(CUDA_ERROR_NOT_SUPPORTED, "the graph has allocation or free nodes: nothing of it can be deleted");
}

Dependency *edgeBetween(Node &from, Node &to) {
  const auto found =
      std::find_if(to.before.begin(), to.before.end(), [&](const Dependency &one) { return one.node == &from; });
  return found == to.before.end() ? nullptr : &*found;
}

void unlink(Node &from, Node &to) {
  std::erase_if(to.before, [&](const Dependency &one) { return one.node == &from; });
  std::erase(from.after, &to);
}

/// Fills the caller's arrays, whose length `count` has; null arrays: only the number is asked for. "If more entries are
/// asked for than there are, the remaining ones are set to NULL, and the number is that of those actually obtained."
Expected<void> give(size_t *count, size_t there, bool wanted, const std::function<void(size_t)> &put,
                    const std::function<void(size_t)> &putNothing) {
  if (wanted) {
    for (size_t i = 0; i < *count && i < there; ++i) put(i);
    for (size_t i = there; i < *count; ++i) putNothing(i);
  }
  *count = wanted ? std::min(*count, there) : there;
  return {};
}

struct Edge {
  Node *from, *to;
  CUgraphEdgeData data;
};

/// "If edgeData is NULL and there is non-zero edge data for one or more of the edges, the call returns
/// CUDA_ERROR_LOSSY_QUERY."
Expected<void> giveEdges(const std::vector<Edge> &edges, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                         size_t *count) {
  const bool wanted = from || to;
  if (!data && wanted)
    for (const Edge &edge : edges)
      if (!(edge.data == CUgraphEdgeData{}))
        return fail(CUDA_ERROR_LOSSY_QUERY, "an edge has data that this query does not tell");
  return give(
      count, edges.size(), wanted,
      [&](size_t i) {
        if (from) from[i] = handleOf(*edges[i].from);
        if (to) to[i] = handleOf(*edges[i].to);
        if (data) data[i] = edges[i].data;
      },
      [&](size_t i) {
        if (from) from[i] = nullptr;
        if (to) to[i] = nullptr;
        if (data) data[i] = {};
      });
}

Expected<void> giveNodes(const std::vector<Node *> &all, CUgraphNode *into, size_t *count) {
  return give(
      count, all.size(), into != nullptr, [&](size_t i) { into[i] = handleOf(*all[i]); },
      [&](size_t i) { into[i] = nullptr; });
}

Expected<void> addDependencies(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                               const CUgraphEdgeData *data, size_t count) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  if (count == 0) return {};
  US_CHECK(checkOut(from, "the list of nodes that come first"));
  US_CHECK(checkOut(to, "the list of nodes that depend on them"));
  std::vector<Edge> edges;
  for (size_t i = 0; i < count; ++i) {
    US_TRY(const Ref<Node> first, nodeOf(from[i]));
    US_TRY(const Ref<Node> second, nodeOf(to[i]));
    if (first->graph != graph.get() || second->graph != graph.get())
      return fail(CUDA_ERROR_INVALID_VALUE, format("edge {} is to or from a node of another graph", i));
    // "Specifying an existing dependency will return an error", and a node does not depend on itself.
    const bool isThere = first == second || edgeBetween(*first, *second) ||
                         std::any_of(edges.begin(), edges.end(),
                                     [&](const Edge &e) { return e.from == first.get() && e.to == second.get(); });
    if (isThere) return fail(CUDA_ERROR_INVALID_VALUE, format("dependency {} is there already", i));
    const CUgraphEdgeData edge = data ? data[i] : CUgraphEdgeData{};
    US_CHECK(checkEdge(edge, *first, second.get()));
    edges.push_back({first.get(), second.get(), edge});
  }
  for (const Edge &edge : edges) {
    edge.to->before.push_back({edge.from, edge.data});
    edge.from->after.push_back(edge.to);
  }
  return {};
}

Expected<void> removeDependencies(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                  const CUgraphEdgeData *data, size_t count) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  if (count == 0) return {};
  US_CHECK(checkOut(from, "the list of nodes that come first"));
  US_CHECK(checkOut(to, "the list of nodes that depend on them"));
  US_CHECK(checkMayShrink(*graph));
  std::vector<Edge> edges;
  for (size_t i = 0; i < count; ++i) {
    US_TRY(const Ref<Node> first, nodeOf(from[i]));
    US_TRY(const Ref<Node> second, nodeOf(to[i]));
    const Dependency *const there = first->graph == graph.get() ? edgeBetween(*first, *second) : nullptr;
    // "Specifying an edge that does not exist in the graph, with data matching edgeData, results in an error."
    if (!there || !(there->data == (data ? data[i] : CUgraphEdgeData{})))
      return fail(CUDA_ERROR_INVALID_VALUE, format("dependency {} is not there", i));
    edges.push_back({first.get(), second.get(), {}});
  }
  for (const Edge &edge : edges) unlink(*edge.from, *edge.to);
  return {};
}

/// A copy of what a node does. Children are copied, too.
Work copyOf(const Work &work, bool forExecution) {
  Work copied = work;
  if (auto *child = std::get_if<ChildWork>(&copied)) child->graph = child->graph->copy(forExecution);
  if (auto *branch = std::get_if<ConditionalWork>(&copied))
    for (Ref<Graph> &body : branch->bodies) body = body->copy(forExecution);
  if (auto *kernel = std::get_if<KernelWork>(&copied)) kernel->pointers.clear();
  return copied;
}

void adoptChildren(Node &node) {
  if (const auto *child = std::get_if<ChildWork>(&node.work)) child->graph->parent = &node;
  if (const auto *branch = std::get_if<ConditionalWork>(&node.work))
    for (const Ref<Graph> &body : branch->bodies) body->parent = &node;
}

} // namespace

std::recursive_mutex &graphMutex() {
  static auto &mutex = *new std::recursive_mutex;
  return mutex;
}

CUgraphNodeType typeOf(const Work &work) {
  struct Type {
    CUgraphNodeType operator()(const EmptyWork &) const { return CU_GRAPH_NODE_TYPE_EMPTY; }
    CUgraphNodeType operator()(const KernelWork &) const { return CU_GRAPH_NODE_TYPE_KERNEL; }
    CUgraphNodeType operator()(const CopyWork &) const { return CU_GRAPH_NODE_TYPE_MEMCPY; }
    CUgraphNodeType operator()(const FillWork &) const { return CU_GRAPH_NODE_TYPE_MEMSET; }
    CUgraphNodeType operator()(const HostWork &) const { return CU_GRAPH_NODE_TYPE_HOST; }
    CUgraphNodeType operator()(const ChildWork &) const { return CU_GRAPH_NODE_TYPE_GRAPH; }
    CUgraphNodeType operator()(const EventWork &event) const {
      return event.records ? CU_GRAPH_NODE_TYPE_EVENT_RECORD : CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    }
    CUgraphNodeType operator()(const AllocWork &) const { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }
    CUgraphNodeType operator()(const FreeWork &) const { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
    CUgraphNodeType operator()(const ConditionalWork &) const { return CU_GRAPH_NODE_TYPE_CONDITIONAL; }
  };
  return std::visit(Type(), work);
}

Node::Node(Graph &graph, Work made, uint64_t origin)
    : id(nextId++), origin(origin), graph(&graph), work(std::move(made)) {
  adoptChildren(*this);
}

Graph::Graph() : id(nextId++) {}
Graph::~Graph() {
  const GraphLock lock(graphMutex());
  removeAll();
}

Expected<Ref<Node>> Graph::add(Work work, std::span<const Dependency> wanted, uint64_t from) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].node->graph != this)
      return fail(CUDA_ERROR_INVALID_VALUE, format("dependency {} is a node of another graph", i));
    // "dependencies may not have any duplicate entries"
    for (size_t k = 0; k < i; ++k)
      if (wanted[k].node == wanted[i].node)
        return fail(CUDA_ERROR_INVALID_VALUE, format("dependency {} is dependency {} again", i, k));
  }
  if (const auto *alloc = std::get_if<AllocWork>(&work)) allocated.insert(alloc->memory.get());
  if (const auto *free = std::get_if<FreeWork>(&work)) freed.insert(free->memory.get());
  if (const auto *child = std::get_if<ChildWork>(&work)) {
    allocated.insert(child->graph->allocated.begin(), child->graph->allocated.end());
    freed.insert(child->graph->freed.begin(), child->graph->freed.end());
  }
  Ref<Node> node(new Node(*this, std::move(work), from));
  node->before.assign(wanted.begin(), wanted.end());
  for (const Dependency &one : wanted) one.node->after.push_back(node.get());
  this->nodes.push_back(node);
  if (!isExecutable) cuda::nodes().add(node);
  return node;
}

void Graph::remove(Node &node) {
  const Ref<Node> keep(&node);
  while (!node.before.empty()) unlink(*node.before.back().node, node);
  while (!node.after.empty()) unlink(node, *node.after.back());
  node.graph = nullptr;
  if (const auto *child = std::get_if<ChildWork>(&node.work)) (void)graphs().remove(handleOf(*child->graph));
  if (const auto *branch = std::get_if<ConditionalWork>(&node.work))
    for (const Ref<Graph> &body : branch->bodies) (void)graphs().remove(handleOf(*body));
  if (!isExecutable) (void)cuda::nodes().remove(handleOf(node));
  std::erase(nodes, keep);
}

void Graph::removeAll() {
  for (const Ref<Node> &node : nodes) {
    node->before.clear();
    node->after.clear();
    node->graph = nullptr;
    if (isExecutable) continue;
    (void)cuda::nodes().remove(handleOf(*node));
    if (const auto *child = std::get_if<ChildWork>(&node->work)) (void)graphs().remove(handleOf(*child->graph));
    if (const auto *branch = std::get_if<ConditionalWork>(&node->work))
      for (const Ref<Graph> &body : branch->bodies) (void)graphs().remove(handleOf(*body));
  }
  nodes.clear();
}

std::optional<std::vector<Node *>> Graph::sorted(Node **offender) const {
  std::map<const Node *, size_t> open;
  std::vector<Node *> order;
  order.reserve(nodes.size());
  for (const Ref<Node> &node : nodes) {
    if (node->before.empty())
      order.push_back(node.get());
    else
      open[node.get()] = node->before.size();
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (Node *next : order[i]->after)
      if (--open[next] == 0) {
        order.push_back(next);
        open.erase(next);
      }
  if (order.size() == nodes.size()) return order;
  if (offender) *offender = const_cast<Node *>(open.begin()->first);
  return std::nullopt;
}

Ref<Graph> Graph::copy(bool forExecution) const {
  Ref<Graph> made(new Graph);
  made->origin = id;
  made->isBody = isBody;
  made->isExecutable = forExecution;
  made->userObjects = userObjects;
  made->conditions = conditions;
  std::map<const Node *, Node *> twins;
  for (const Ref<Node> &node : nodes) {
    const Ref<Node> twin = *made->add(copyOf(node->work, forExecution), {}, node->id);
    twins[node.get()] = twin.get();
  }
  for (const Ref<Node> &node : nodes) {
    Node *const twin = twins[node.get()];
    for (const Dependency &one : node->before) twin->before.push_back({twins[one.node], one.data});
    for (const Node *one : node->after) twin->after.push_back(twins[one]);
  }
  if (!forExecution)
    for (const Ref<Node> &node : made->nodes)
      if (const auto *child = std::get_if<ChildWork>(&node->work)) addGraph(child->graph);
  return made;
}

CUgraph handleOf(const Graph &graph) { return handleTo<CUgraph>(graph); }
CUgraphNode handleOf(const Node &node) { return handleTo<CUgraphNode>(node); }
CUgraph addGraph(const Ref<Graph> &graph) { return graphs().add(graph); }

void forgetGraph(const Graph &graph) {
  (void)graphs().remove(handleOf(graph));
  for (const Ref<Node> &node : graph.nodes) (void)nodes().remove(handleOf(*node));
}

Expected<Ref<Graph>> graphOf(CUgraph handle) {
  US_CHECK(checkInitialised());
  Ref<Graph> graph = graphs().find(handle);
  if (!graph) return fail(CUDA_ERROR_INVALID_VALUE, "the graph is not valid");
  return graph;
}

Expected<Ref<Node>> nodeOf(CUgraphNode handle) {
  US_CHECK(checkInitialised());
  Ref<Node> node = nodes().find(handle);
  if (!node) return fail(CUDA_ERROR_INVALID_VALUE, "the node is not valid");
  return node;
}

Expected<std::vector<Dependency>> dependenciesOf(const CUgraphNode *handles, const CUgraphEdgeData *edges,
                                                 size_t count) {
  std::vector<Dependency> found;
  if (count == 0) return found;
  // "dependencies may be null if numDependencies is 0"
  US_CHECK(checkOut(handles, "the list of dependencies"));
  for (size_t i = 0; i < count; ++i) {
    US_TRY(const Ref<Node> node, nodeOf(handles[i]));
    const CUgraphEdgeData edge = edges ? edges[i] : CUgraphEdgeData{};
    US_CHECK(checkEdge(edge, *node, nullptr));
    found.push_back({node.get(), edge});
  }
  return found;
}

// --- Graphs ---

Expected<void> graphCreate(CUgraph *handle, unsigned flags) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkInitialised());
  // "flags must be 0"
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  *handle = addGraph(Ref<Graph>(new Graph));
  return {};
}

Expected<void> graphDestroy(CUgraph handle) {
  Ref<Graph> graph; // goes without the lock: what the program attached to it may be destroyed with it
  const GraphLock lock(graphMutex());
  US_TRY(graph, graphOf(handle));
  if (graph->parent) return fail(CUDA_ERROR_INVALID_VALUE, "the graph belongs to a node of another one");
  forgetGraph(*graph); // executable graphs have copies
  return {};
}

Expected<void> graphClone(CUgraph *handle, CUgraph original) {
  US_CHECK(checkOut(handle, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(original));
  // "Cloning is not supported for graphs which contain memory allocation nodes, memory free nodes, or conditional
  // nodes."
  if (graph->has<AllocWork>() || graph->has<FreeWork>() || graph->has<ConditionalWork>())
    return fail(CUDA_ERROR_NOT_SUPPORTED, "the graph has nodes that are not copied: of memory, or conditional ones");
  *handle = addGraph(graph->copy());
  return {};
}

Expected<void> graphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone) {
  US_CHECK(checkOut(found, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(clone));
  US_TRY(const Ref<Node> node, nodeOf(original));
  // "hClonedGraph must have been cloned from hOriginalGraph", the node must have been in it then, and its copy not
  // removed since.
  for (const Ref<Node> &one : graph->nodes)
    if (one->origin == node->id) {
      *found = handleOf(*one);
      return {};
    }
  return fail(CUDA_ERROR_INVALID_VALUE, "the graph has no copy of the node");
}

Expected<void> graphGetNodes(CUgraph handle, CUgraphNode *into, size_t *count) {
  US_CHECK(checkOut(count, "the number"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  std::vector<Node *> all;
  for (const Ref<Node> &node : graph->nodes) all.push_back(node.get());
  return giveNodes(all, into, count);
}

Expected<void> graphGetRootNodes(CUgraph handle, CUgraphNode *into, size_t *count) {
  US_CHECK(checkOut(count, "the number"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  std::vector<Node *> roots;
  for (const Ref<Node> &node : graph->nodes)
    if (node->before.empty()) roots.push_back(node.get());
  return giveNodes(roots, into, count);
}

Expected<void> graphGetEdgesWithData(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
                                     size_t *count) {
  US_CHECK(checkOut(count, "the number"));
  // "If one of from and to is NULL, so must the other be."
  if (!from != !to || (data && !from)) return fail(CUDA_ERROR_INVALID_VALUE, "one end of the edges is asked for only");
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  std::vector<Edge> edges;
  for (const Ref<Node> &node : graph->nodes)
    for (const Dependency &one : node->before) edges.push_back({one.node, node.get(), one.data});
  return giveEdges(edges, from, to, data, count);
}

Expected<void> graphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return graphGetEdgesWithData(graph, from, to, nullptr, count);
}

Expected<void> graphAddDependenciesWithData(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                            const CUgraphEdgeData *data, size_t count) {
  return addDependencies(graph, from, to, data, count);
}
Expected<void> graphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return addDependencies(graph, from, to, nullptr, count);
}
Expected<void> graphRemoveDependenciesWithData(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                               const CUgraphEdgeData *data, size_t count) {
  return removeDependencies(graph, from, to, data, count);
}
Expected<void> graphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count) {
  return removeDependencies(graph, from, to, nullptr, count);
}

// --- Nodes ---

Expected<void> graphNodeGetType(CUgraphNode handle, CUgraphNodeType *type) {
  US_CHECK(checkOut(type, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  *type = node->type();
  return {};
}

Expected<void> graphNodeGetDependenciesWithData(CUgraphNode handle, CUgraphNode *into, CUgraphEdgeData *data,
                                                size_t *count) {
  US_CHECK(checkOut(count, "the number"));
  if (data && !into) return fail(CUDA_ERROR_INVALID_VALUE, "the data of edges is asked for without their nodes");
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  std::vector<Edge> edges;
  for (const Dependency &one : node->before) edges.push_back({one.node, node.get(), one.data});
  return giveEdges(edges, into, nullptr, data, count);
}

Expected<void> graphNodeGetDependencies(CUgraphNode node, CUgraphNode *into, size_t *count) {
  return graphNodeGetDependenciesWithData(node, into, nullptr, count);
}

Expected<void> graphNodeGetDependentNodesWithData(CUgraphNode handle, CUgraphNode *into, CUgraphEdgeData *data,
                                                  size_t *count) {
  US_CHECK(checkOut(count, "the number"));
  if (data && !into) return fail(CUDA_ERROR_INVALID_VALUE, "the data of edges is asked for without their nodes");
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  std::vector<Edge> edges;
  for (Node *one : node->after) edges.push_back({node.get(), one, edgeBetween(*node, *one)->data});
  return giveEdges(edges, nullptr, into, data, count);
}

Expected<void> graphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *into, size_t *count) {
  return graphNodeGetDependentNodesWithData(node, into, nullptr, count);
}

Expected<void> graphDestroyNode(CUgraphNode handle) {
  Ref<Node> node;
  const GraphLock lock(graphMutex());
  US_TRY(node, nodeOf(handle));
  if (!node->graph) return fail(CUDA_ERROR_INVALID_VALUE, "the node's graph was destroyed");
  US_CHECK(checkMayShrink(*node->graph));
  // "Dependencies of the node are removed, too."
  node->graph->remove(*node);
  return {};
}

} // namespace us::cuda
