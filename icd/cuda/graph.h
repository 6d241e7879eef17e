// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes that each do one thing, and the edges between them. A node has its command made when its parameters are
// set, by the code that makes it for a stream; an executable graph is a copy (docs/decisions/0069-cuda-graphs.md).
#pragma once

#include "icd/cuda/array.h"
#include "icd/cuda/event.h"
#include "icd/cuda/graph_memory.h"
#include "icd/cuda/launch.h"
#include "icd/cuda/memory.h"

#include <cstring>
#include <memory>
#include <variant>

namespace us::cuda {

class Graph;
class Node;

/// "Graph objects are not internally synchronized"; ours are, by one lock: guards everything about graphs and captures
/// but what executable graphs have of their own.
std::recursive_mutex &graphMutex();
using GraphLock = std::lock_guard<std::recursive_mutex>;

inline bool operator==(const CUgraphEdgeData &a, const CUgraphEdgeData &b) { return !std::memcmp(&a, &b, sizeof a); }

/// An edge, as the node at its end has it.
struct Dependency {
  Node *node = nullptr;
  CUgraphEdgeData data{};
};

// --- What nodes do ---

struct EmptyWork {};
struct KernelWork {
  Ref<Function> function;
  CUkernel kernel = nullptr; ///< null: given as a function
  LaunchShape shape;
  LaunchCommand launch;
  core::KeepList keep;
  int priority = 0;
  std::map<CUkernelNodeAttrID, CUkernelNodeAttrValue> attributes; ///< those that were set
  std::vector<void *> pointers;                                   ///< what GetParams gave last
};
struct CopyWork {
  CUDA_MEMCPY3D text{};
  Ref<Context> context;
  CopyCommand command;
  Ref<Array> to, from; ///< null: memory
};
struct FillWork {
  CUDA_MEMSET_NODE_PARAMS text{};
  Ref<Context> context;
  FillCommand command;
};
struct HostWork {
  CUhostFn function = nullptr;
  void *data = nullptr;
};
struct ChildWork {
  Ref<Graph> graph;
};
struct EventWork {
  bool records = false; ///< else it waits
  Ref<Event> event;
  CUevent handle = nullptr;
};

/// Memory of an allocation node. Its address is there from the node's creation on; between launches it is "live" or
/// not.
class GraphMemory;
struct AllocWork {
  Ref<GraphMemory> memory;
};
struct FreeWork {
  Ref<GraphMemory> memory;
};

struct ConditionalWork {
  Ref<Condition> condition;
  CUgraphConditionalNodeType type = CU_GRAPH_COND_TYPE_IF;
  std::vector<Ref<Graph>> bodies;
  std::vector<CUgraph> handles; ///< phGraph_out
};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork, EventWork, AllocWork,
                          FreeWork, ConditionalWork>;

CUgraphNodeType typeOf(const Work &work);

class Node final : public Object {
public:
  Node(Graph &graph, Work made, uint64_t origin);

  CUgraphNodeType type() const { return typeOf(work); }
  const uint64_t id;
  /// The node of which this is a copy; 0: none.
  const uint64_t origin;

  // Guarded by graphMutex:
  Graph *graph; ///< null once it is removed
  Work work;
  std::vector<Dependency> before; ///< in the order in which they were added
  std::vector<Node *> after;
  bool isEnabled = true; ///< of executable graphs
};

class Graph final : public Object {
public:
  Graph();
  ~Graph() override;

  const uint64_t id;

  // Guarded by graphMutex:
  std::vector<Ref<Node>> nodes; ///< in the order of their creation
  uint64_t origin = 0;          ///< the graph of which this is a copy
  Node *parent = nullptr;       ///< the node that it belongs to; such a graph is not destroyed by itself
  bool isBody = false;          ///< of a conditional node
  bool isExecutable = false;    ///< an executable graph's own copy, whose nodes nobody has handles of
  const std::shared_ptr<unsigned> instances = std::make_shared<unsigned>(0); ///< executable graphs of it that are there
  std::map<CUuserObject, std::pair<Ref<Object>, unsigned>> userObjects;
  std::vector<Ref<Condition>> conditions;
  std::set<GraphMemory *> allocated, freed; ///< by its nodes

  /// CUDA_ERROR_INVALID_VALUE: a dependency is not in the graph, or there twice.
  Expected<Ref<Node>> add(Work work, std::span<const Dependency> before, uint64_t origin = 0);
  void remove(Node &node);
  void removeAll();
  /// Nodes so that each comes behind those that it depends on; null: there is a cycle, through `offender`.
  std::optional<std::vector<Node *>> sorted(Node **offender = nullptr) const;
  /// What of it a kind of node is, children included.
  template <class Kind> bool has() const;
  /// With all its children. The copies' `origin` says whose they are.
  Ref<Graph> copy(bool forExecution = false) const;
};

template <class Kind> bool Graph::has() const {
  for (const Ref<Node> &node : nodes) {
    if (std::holds_alternative<Kind>(node->work)) return true;
    if (const auto *child = std::get_if<ChildWork>(&node->work); child && child->graph->template has<Kind>())
      return true;
    if (const auto *branch = std::get_if<ConditionalWork>(&node->work))
      for (const Ref<Graph> &body : branch->bodies)
        if (body->template has<Kind>()) return true;
  }
  return false;
}

/// Neither it nor a child has a cycle; else `offender` is in one.
bool hasOrder(const Graph &graph, Node **offender);
bool isInDestroyedContext(const Graph &graph);

CUgraph handleOf(const Graph &graph);
CUgraphNode handleOf(const Node &node);
CUgraph addGraph(const Ref<Graph> &graph);
/// Its handle, and those of its nodes, are valid no more.
void forgetGraph(const Graph &graph);
/// CUDA_ERROR_INVALID_VALUE, as real drivers say of graphs and nodes that are none.
Expected<Ref<Graph>> graphOf(CUgraph handle);
Expected<Ref<Node>> nodeOf(CUgraphNode handle);
/// The dependencies of a call.
Expected<std::vector<Dependency>> dependenciesOf(const CUgraphNode *nodes, const CUgraphEdgeData *edges, size_t count);

// --- Work from parameters (graph_nodes.cpp) ---

KernelWork kernelWork(Function &function, const LaunchShape &shape, LaunchCommand &&launch, int priority);
/// What cuGraphAddNode and the functions that set parameters of any kind take. `old`: what the node did before.
Expected<Work> workOf(CUgraphNodeParams &parameters, const Work *old);
/// transfer.cpp. The errors of the functions that copy and fill at once, and CUDA_ERROR_INVALID_VALUE for nothing at
/// all.
Expected<CopyWork> copyWorkOf(const CUDA_MEMCPY3D &text, const Ref<Context> &context);
Expected<FillWork> fillWorkOf(const CUDA_MEMSET_NODE_PARAMS &text, const Ref<Context> &context);
/// Memory of devices that a copy or a fill uses: address and size.
std::vector<std::pair<uint64_t, uint64_t>> memoryOf(const Work &work);

} // namespace us::cuda
