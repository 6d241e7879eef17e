// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/graph_exec.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph_memory.h"
#include "icd/cuda/managed_access.h"

#include <algorithm>

namespace us::cuda {
namespace {

auto &execs() {
  static auto &set = *new HandleSet<GraphExec, CUgraphExec>;
  return set;
}

Expected<Ref<GraphExec>> execOf(CUgraphExec handle) {
  US_CHECK(checkInitialised());
  Ref<GraphExec> exec = execs().find(handle);
  if (!exec) return fail(CUDA_ERROR_INVALID_VALUE, "the executable graph is not valid");
  return exec;
}

/// Makes a program of a graph that has an order.
class Builder {
public:
  explicit Builder(GraphProgram &program) : program_(program) {}

  void build(const Graph &graph) {
    assign(graph);
    add(graph);
    close();
    settleMemory();
  }

private:
  void use(const Work &work) {
    for (const auto &range : memoryOf(work)) program_.memory.push_back(range);
  }
  void keep(const Ref<Object> &object) {
    if (object) program_.keep.push_back(object);
  }

  /// "Applied at the beginning of each graph execution if CU_GRAPH_COND_ASSIGN_DEFAULT is set in flags."
  void assign(const Graph &graph) {
    for (const Ref<Condition> &one : graph.conditions) {
      keep(one);
      if (!one->isAssigned) continue;
      FillCommand fill;
      fill.to = reinterpret_cast<std::byte *>(one->word());
      fill.size = fill.patternSize = sizeof one->value;
      std::memcpy(fill.pattern.data(), &one->value, sizeof one->value);
      into(*one->context).push_back(fill);
    }
    for (const Ref<Node> &node : graph.nodes) {
      if (const auto *child = std::get_if<ChildWork>(&node->work)) assign(*child->graph);
      if (const auto *branch = std::get_if<ConditionalWork>(&node->work))
        for (const Ref<Graph> &body : branch->bodies) assign(*body);
    }
  }

  void add(const Graph &graph) {
    const std::optional<std::vector<Node *>> order = graph.sorted(); // there is one: instantiate looked
    for (Node *const node : *order) {
      keep(Ref<Object>(node));
      if (node->isEnabled) std::visit([&](const auto &work) { put(work, node->work); }, node->work);
    }
  }

  /// Where commands for a context's device go now.
  std::vector<Command> &into(Context &context) {
    if (inner_) return *inner_;
    if (!list_ || &context.device() != &context_->device()) {
      close();
      list_ = std::make_shared<CommandList>();
      context_ = Ref<Context>(&context);
      launches_ = false;
    }
    program_.contexts.insert(&context);
    keep(Ref<Object>(&context));
    return list_->commands;
  }

  void close() {
    if (list_) program_.steps.push_back({.context = context_, .list = std::move(list_), .launches = launches_});
    list_ = nullptr;
  }

  void put(const EmptyWork &, const Work &) {}
  void put(const KernelWork &work, const Work &) {
    into(work.function->context()).push_back(work.launch);
    launches_ = true;
    keep(work.function);
    for (const Ref<Object> &object : work.keep) keep(object);
  }
  void put(const CopyWork &work, const Work &whole) {
    into(*work.context).push_back(work.command);
    keep(work.to);
    keep(work.from);
    use(whole);
  }
  void put(const FillWork &work, const Work &whole) {
    into(*work.context).push_back(work.command);
    use(whole);
  }
  void put(const HostWork &work, const Work &) {
    close();
    program_.steps.emplace_back().host = work;
    program_.callsHost = true;
  }
  void put(const EventWork &work, const Work &) {
    close();
    program_.steps.emplace_back().event = work;
  }
  void put(const ChildWork &work, const Work &) { add(*work.graph); }
  void put(const AllocWork &work, const Work &) { program_.allocated.push_back(work.memory); }
  void put(const FreeWork &work, const Work &) { program_.freed.push_back(work.memory); }
  void put(const ConditionalWork &work, const Work &) {
    Context &context = *work.condition->context;
    BranchCommand branch;
    branch.word = work.condition->word();
    branch.rule = work.type == CU_GRAPH_COND_TYPE_WHILE    ? BranchCommand::Rule::While
                  : work.type == CU_GRAPH_COND_TYPE_SWITCH ? BranchCommand::Rule::Number
                                                           : BranchCommand::Rule::NonZero;
    std::vector<Command> &outer = into(context);
    for (const Ref<Graph> &body : work.bodies) {
      const auto list = std::make_shared<CommandList>();
      std::vector<Command> *const before = std::exchange(inner_, &list->commands);
      add(*body);
      inner_ = before;
      branch.lists.push_back(list);
    }
    outer.emplace_back(std::move(branch));
    launches_ = true;
    keep(work.condition);
  }

  void settleMemory() {
    for (const Ref<GraphMemory> &one : program_.allocated)
      if (std::erase(program_.freed, one)) program_.transient.push_back(one);
    std::erase_if(program_.allocated, [&](const Ref<GraphMemory> &one) {
      return std::find(program_.transient.begin(), program_.transient.end(), one) != program_.transient.end();
    });
  }

  GraphProgram &program_;
  std::shared_ptr<CommandList> list_;
  Ref<Context> context_;
  bool launches_ = false;
  std::vector<Command> *inner_ = nullptr; ///< of the body of a conditional node
};

// --- Which changes an executable graph takes ---

struct Update {
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  const Node *node = nullptr, *from = nullptr;
  explicit operator bool() const { return result == CU_GRAPH_EXEC_UPDATE_SUCCESS; }
};
using Pairs = std::vector<std::pair<Node *, Node *>>;

/// "The source/destination memory must be allocated from the same contexts as the original source/destination memory."
const Context *ownerOf(const std::byte *address) {
  const Ref<Allocation> found = findMemory(reinterpret_cast<uint64_t>(address));
  return found ? found->context : nullptr;
}

CUgraphExecUpdateResult mayBecome(const Work &old, const Work &now) {
  if (typeOf(old) != typeOf(now)) return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  if (const auto *kernel = std::get_if<KernelWork>(&now)) {
    const auto &before = std::get<KernelWork>(old);
    // "The owning context of the function cannot change. A node whose function originally did not use CUDA dynamic
    // parallelism cannot be updated to a function which uses CDP."
    if (&kernel->function->context() != &before.function->context() ||
        (kernel->function->info().usesDeviceQueue && !before.function->info().usesDeviceQueue))
      return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
    // "A cooperative node cannot be updated to a non-cooperative node, and vice-versa."
    if (kernel->shape.isCooperative != before.shape.isCooperative) return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
  }
  if (const auto *copy = std::get_if<CopyWork>(&now)) {
    const auto &before = std::get<CopyWork>(old);
    // "Changing either the source or destination memory type is not supported."
    if (copy->text.srcMemoryType != before.text.srcMemoryType ||
        copy->text.dstMemoryType != before.text.dstMemoryType ||
        &copy->context->device() != &before.context->device() ||
        ownerOf(copy->command.to) != ownerOf(before.command.to) ||
        ownerOf(copy->command.from) != ownerOf(before.command.from))
      return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  if (const auto *fill = std::get_if<FillWork>(&now)) {
    const auto &before = std::get<FillWork>(old);
    const CUDA_MEMSET_NODE_PARAMS &a = fill->text, &b = before.text;
    // "For 2d memsets, only address and assigned value may be updated."
    const bool isFlat = a.height <= 1 && b.height <= 1;
    const bool isSame = a.height == b.height && a.width == b.width && a.pitch == b.pitch;
    if ((!isFlat && (!isSame || a.elementSize != b.elementSize)) ||
        ownerOf(fill->command.to) != ownerOf(before.command.to))
      return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  if (const auto *alloc = std::get_if<AllocWork>(&now))
    if (alloc->memory != std::get<AllocWork>(old).memory) return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  if (const auto *free = std::get_if<FreeWork>(&now))
    if (free->memory != std::get<FreeWork>(old).memory) return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  if (const auto *branch = std::get_if<ConditionalWork>(&now)) {
    const auto &before = std::get<ConditionalWork>(old);
    // "Conditional nodes: Changing node parameters is not supported."
    if (branch->type != before.type || branch->bodies.size() != before.bodies.size())
      return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/// Which nodes stand for which: "exit nodes in their order, then dependencies in the order of the edges".
Update pair(Graph &mine, Graph &other, Pairs &pairs) {
  if (mine.nodes.size() != other.nodes.size()) return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED};
  const auto exits = [](const Graph &graph) {
    std::vector<Node *> found;
    for (const Ref<Node> &node : graph.nodes)
      if (node->after.empty()) found.push_back(node.get());
    return found;
  };
  const std::vector<Node *> ours = exits(mine), theirs = exits(other);
  if (ours.size() != theirs.size())
    return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, theirs.size() > ours.size() ? theirs[ours.size()] : nullptr};
  std::map<const Node *, Node *> twin, back;
  Pairs work;
  for (size_t i = 0; i < ours.size(); ++i) {
    work.emplace_back(ours[i], theirs[i]);
    twin[ours[i]] = theirs[i];
    back[theirs[i]] = ours[i];
  }
  for (size_t i = 0; i < work.size(); ++i) {
    const auto [a, b] = work[i];
    if (a->type() != b->type()) return {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, b};
    if (a->before.size() != b->before.size()) return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b};
    for (size_t k = 0; k < a->before.size(); ++k) {
      Node *const x = a->before[k].node, *const y = b->before[k].node;
      const auto known = twin.find(x), knownBack = back.find(y);
      if (known == twin.end() && knownBack == back.end()) {
        twin[x] = y;
        back[y] = x;
        work.emplace_back(x, y);
      } else if (known == twin.end() || knownBack == back.end() || known->second != y || knownBack->second != x) {
        return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b, y};
      }
    }
  }
  if (work.size() != mine.nodes.size()) return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED}; // a cycle
  for (const auto &[a, b] : work) {
    if (const CUgraphExecUpdateResult result = mayBecome(a->work, b->work)) return {result, b};
    pairs.emplace_back(a, b);
    if (const auto *child = std::get_if<ChildWork>(&a->work)) {
      const Update inner = pair(*child->graph, *std::get<ChildWork>(b->work).graph, pairs);
      if (!inner) return inner;
    }
    if (const auto *branch = std::get_if<ConditionalWork>(&a->work))
      for (size_t i = 0; i < branch->bodies.size(); ++i) {
        const Update inner = pair(*branch->bodies[i], *std::get<ConditionalWork>(b->work).bodies[i], pairs);
        if (!inner) return inner;
      }
  }
  return {};
}

/// Children keep their own nodes, which have pairs of their own.
void take(const Pairs &pairs) {
  for (const auto &[mine, other] : pairs) {
    if (std::holds_alternative<ChildWork>(mine->work)) continue;
    if (auto *const branch = std::get_if<ConditionalWork>(&mine->work)) {
      branch->condition = std::get<ConditionalWork>(other->work).condition;
      continue;
    }
    mine->work = other->work;
  }
}

Expected<void> instantiate(CUgraphExec *handle, CUgraph graphHandle, cuuint64_t flags,
                           CUDA_GRAPH_INSTANTIATE_PARAMS *told) {
  US_CHECK(checkOut(handle, "the result"));
  const auto failed = [&](CUgraphInstantiateResult result, const Node *node, auto error) {
    if (told) told->result_out = result, told->hErrNode_out = node ? handleOf(*node) : nullptr;
    return error;
  };
  if (told) told->result_out = CUDA_GRAPH_INSTANTIATE_ERROR, told->hErrNode_out = nullptr;
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  constexpr cuuint64_t kAll = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                              CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  // CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH "cannot be used in conjunction with
  // CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH"; CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD needs a stream.
  constexpr cuuint64_t kNotBoth =
      CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
  if ((flags & ~kAll) || (flags & kNotBoth) == kNotBoth || (!told && (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)))
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not possible", flags));
  if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
    return fail(CUDA_ERROR_NOT_SUPPORTED, "kernels do not launch graphs");
  if (isInDestroyedContext(*graph)) return fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "a node's context was destroyed");
  Node *offender = nullptr;
  if (!hasOrder(*graph, &offender))
    return failed(CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, offender,
                  fail(CUDA_ERROR_INVALID_VALUE, "the nodes depend on each other in a circle"));
  // "Handles not associated with a conditional node may cause graph instantiation to fail."
  for (const Ref<Condition> &one : graph->conditions)
    if (!one->isUsed)
      return failed(CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, nullptr,
                    fail(CUDA_ERROR_INVALID_VALUE, "a conditional handle has no node"));
  // "If hGraph contains any allocation or free nodes, there can be at most one executable graph in existence for that
  // graph at a time"; of conditional nodes: "Only one instantiation of the graph may exist at any point in time."
  if (*graph->instances != 0 && (graph->has<AllocWork>() || graph->has<FreeWork>() || graph->has<ConditionalWork>()))
    return fail(CUDA_ERROR_NOT_SUPPORTED, "an executable graph of the graph exists, and there can be no other");
  *handle = execs().add(Ref<GraphExec>(new GraphExec(*graph, graph->copy(true), flags)));
  if (told) told->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  return {};
}

/// Sets the parameters of a node of an executable graph: of that which is a copy of the given one.
Expected<void> setParameters(CUgraphExec handle, CUgraphNode nodeHandle, CUgraphNodeParams &parameters) {
  Work old; // goes without the lock
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<GraphExec> exec, execOf(handle));
  // "hNode must not have been removed from the original graph."
  US_TRY(const Ref<Node> node, nodeOf(nodeHandle));
  Node *const twin = exec->twinOf(*node);
  if (!twin) return fail(CUDA_ERROR_INVALID_VALUE, "the executable graph has no copy of the node");
  if (parameters.type != twin->type())
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("parameters of type {} for a node of type {}", int(parameters.type), int(twin->type())));
  if (auto *const child = std::get_if<ChildWork>(&twin->work)) {
    // "The topology of childGraph, as well as the node insertion order, must match that of the graph contained in
    // hNode. Differences in edge order and node order are not supported."
    US_TRY(const Ref<Graph> other, graphOf(parameters.graph.graph));
    Pairs pairs;
    if (!pair(*child->graph, *other, pairs))
      return fail(CUDA_ERROR_INVALID_VALUE, "the child is another graph than the one that it is to take the place of");
    take(pairs);
    exec->changed();
    return {};
  }
  const bool isFixed = std::holds_alternative<AllocWork>(twin->work) || std::holds_alternative<FreeWork>(twin->work) ||
                       std::holds_alternative<ConditionalWork>(twin->work);
  if (isFixed) return fail(CUDA_ERROR_NOT_SUPPORTED, format("a node of type {} keeps what it does", int(twin->type())));
  US_TRY(Work work, workOf(parameters, &twin->work));
  if (const CUgraphExecUpdateResult result = mayBecome(twin->work, work))
    return fail(CUDA_ERROR_INVALID_VALUE, format("the node cannot change so: {}", int(result)));
  old = std::exchange(twin->work, std::move(work));
  exec->changed();
  return {};
}

template <class Kind>
Expected<void> setKind(CUgraphExec exec, CUgraphNode node, CUgraphNodeType type, Kind CUgraphNodeParams::*member,
                       const Kind &value) {
  CUgraphNodeParams parameters = {};
  parameters.type = type;
  parameters.*member = value;
  return setParameters(exec, node, parameters);
}

/// "Currently only kernel, memset and memcpy nodes are supported."
Expected<Node *> switchable(GraphExec &exec, CUgraphNode handle) {
  US_TRY(const Ref<Node> node, nodeOf(handle));
  Node *const twin = exec.twinOf(*node);
  if (!twin) return fail(CUDA_ERROR_INVALID_VALUE, "the executable graph has no copy of the node");
  const CUgraphNodeType type = twin->type();
  if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMSET && type != CU_GRAPH_NODE_TYPE_MEMCPY)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a node of type {} is always enabled", int(type)));
  return twin;
}

Expected<void> update(CUgraphExec execHandle, CUgraph graphHandle, CUgraphExecUpdateResultInfo &info) {
  info = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<GraphExec> exec, execOf(execHandle));
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  Pairs pairs;
  const Update done = pair(exec->graph(), *graph, pairs);
  info.result = done.result;
  info.errorNode = done.node ? handleOf(*done.node) : nullptr;
  info.errorFromNode = done.from ? handleOf(*done.from) : nullptr;
  if (!done)
    return fail(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, format("the graph differs too much: {}", int(done.result)));
  take(pairs);
  exec->graph().conditions = graph->conditions;
  exec->graph().userObjects = graph->userObjects;
  exec->changed();
  return {};
}

} // namespace

bool hasOrder(const Graph &graph, Node **offender) {
  if (!graph.sorted(offender)) return false;
  for (const Ref<Node> &node : graph.nodes) {
    if (const auto *child = std::get_if<ChildWork>(&node->work))
      if (!hasOrder(*child->graph, offender)) return false;
    if (const auto *branch = std::get_if<ConditionalWork>(&node->work))
      for (const Ref<Graph> &body : branch->bodies)
        if (!hasOrder(*body, offender)) return false;
  }
  return true;
}

bool isInDestroyedContext(const Graph &graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Ref<Node> &node) {
    if (const auto *kernel = std::get_if<KernelWork>(&node->work))
      return kernel->function->context().destroyed.load(std::memory_order_acquire);
    if (const auto *copy = std::get_if<CopyWork>(&node->work))
      return copy->context->destroyed.load(std::memory_order_acquire);
    if (const auto *fill = std::get_if<FillWork>(&node->work))
      return fill->context->destroyed.load(std::memory_order_acquire);
    const auto *const child = std::get_if<ChildWork>(&node->work);
    return child && isInDestroyedContext(*child->graph);
  });
}

GraphExec::GraphExec(const Graph &graph, Ref<Graph> copy, cuuint64_t flags)
    : graph_(std::move(copy)), flags_(flags), instances_(graph.instances) {
  ++*instances_;
}

GraphExec::~GraphExec() {
  for (const auto &[context, stream] : others_) stream->context().forget(*stream);
  const GraphLock lock(graphMutex());
  --*instances_;
}

void GraphExec::changed() {
  std::lock_guard hold(mutex_);
  program_ = nullptr;
}

Node *GraphExec::twinOf(const Node &node) {
  const auto find = [&](const auto &self, const Graph &graph) -> Node * {
    for (const Ref<Node> &one : graph.nodes) {
      if (one->origin == node.id) return one.get();
      if (const auto *child = std::get_if<ChildWork>(&one->work))
        if (Node *const found = self(self, *child->graph)) return found;
      if (const auto *branch = std::get_if<ConditionalWork>(&one->work))
        for (const Ref<Graph> &body : branch->bodies)
          if (Node *const found = self(self, *body)) return found;
    }
    return nullptr;
  };
  return find(find, *graph_);
}

Expected<void> GraphExec::prepare() {
  if (program_) return {};
  const Ref<GraphProgram> made(new GraphProgram);
  Builder(*made).build(*graph_);
  program_ = made;
  return {};
}

Expected<void> GraphExec::launch(Stream &stream) {
  {
    // The nodes' parameters are looked at under the graphs' lock, and only where they have changed.
    std::unique_lock hold(mutex_);
    if (!program_) {
      hold.unlock();
      const GraphLock lock(graphMutex());
      hold.lock();
      US_CHECK(prepare());
    }
  }
  std::lock_guard hold(mutex_);
  const Ref<GraphProgram> program = program_;
  if (!program) return fail(CUDA_ERROR_INVALID_VALUE, "the executable graph is changed by another thread");
  for (const Context *const context : program->contexts) US_CHECK(context->check());
  for (const auto &[address, size] : program->memory) US_CHECK(checkDeviceRange(address, size, "memory of a node"));
  // "If any allocations created by hGraphExec remain unfreed (from a previous launch) and hGraphExec was not
  // instantiated with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, the launch will fail with
  // CUDA_ERROR_INVALID_VALUE."
  const bool frees = (flags_ & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  for (const Ref<GraphMemory> &one : program->allocated)
    if (one->isLive() && !frees)
      return fail(CUDA_ERROR_INVALID_VALUE,
                  format("the allocation at {:#x} of the last launch was not freed", one->address()));
  for (const Ref<GraphMemory> &one : program->freed)
    if (!one->isLive())
      return fail(CUDA_ERROR_INVALID_VALUE, format("the memory at {:#x} is not allocated", one->address()));
  for (const Ref<GraphMemory> &one : program->transient) US_CHECK(one->allocate());
  for (const Ref<GraphMemory> &one : program->allocated) {
    if (one->isLive()) US_CHECK(one->free());
    US_CHECK(one->allocate());
  }

  Ref<core::Event> previous = last_ && !last_->peekStatus().ended() ? last_ : nullptr;
  const auto give = [&](Stream &to, core::CommandRequest &&request) -> Expected<void> {
    const Ref<core::Event> list[] = {previous};
    if (previous) request.waitList = list;
    request.keep.push_back(program);
    US_TRY(previous, to.enqueue(std::move(request)));
    return {};
  };
  bool hasAny = false, isAbroad = false;
  for (const GraphProgram::Step &step : program->steps) {
    Stream *target = &stream;
    if (step.list && &step.context->device() != &stream.context().device()) {
      Ref<Stream> &other = others_[step.context.get()];
      if (!other) other = step.context->makeStream(CU_STREAM_NON_BLOCKING, 0);
      target = other.get();
      if (!hasAny) US_CHECK(give(stream, {}));
    }
    hasAny = true;
    isAbroad = target != &stream;
    if (const Ref<Event> &event = step.event.event) {
      US_CHECK(step.event.records ? recordEvent(*event, stream) : waitForEvent(stream, *event));
      continue;
    }
    core::CommandRequest request;
    if (step.list)
      request.command = SequenceCommand{step.list};
    else
      request.command = HostCallCommand{[function = step.host.function, data = step.host.data] { function(data); }};
    US_CHECK(give(*target, std::move(request)));
    if (step.launches && guardsManaged()) managedLaunched(*target);
  }
  if (!hasAny || isAbroad) US_CHECK(give(stream, {}));
  last_ = previous;
  for (const Ref<GraphMemory> &one : program->transient) US_CHECK(one->free());
  for (const Ref<GraphMemory> &one : program->freed) US_CHECK(one->free());
  if (program->callsHost) return stream.queue().flush();
  return {};
}

// --- Entry points ---

Expected<void> graphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  return instantiate(exec, graph, flags, nullptr);
}

Expected<void> graphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
  US_CHECK(checkOut(parameters, "the parameters"));
  if (parameters->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) US_CHECK(streamOf(parameters->hUploadStream));
  return instantiate(exec, graph, parameters->flags, parameters);
}

/// The first form: what goes wrong is told by a text.
Expected<void> graphInstantiateOld(CUgraphExec *exec, CUgraph graph, CUgraphNode *errorNode, char *log, size_t size) {
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters = {};
  const Expected<void> done = instantiate(exec, graph, 0, &parameters);
  if (errorNode) *errorNode = parameters.hErrNode_out;
  if (log && size) {
    const std::string text = done ? std::string() : done.error().message;
    const size_t length = std::min(text.size(), size - 1);
    std::copy_n(text.data(), length, log);
    log[length] = 0;
  }
  return done;
}

Expected<void> graphExecGetFlags(CUgraphExec handle, cuuint64_t *flags) {
  US_CHECK(checkOut(flags, "the result"));
  US_TRY(const Ref<GraphExec> exec, execOf(handle));
  // "CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD is not returned": it is an order, not a property.
  *flags = exec->flags() & ~cuuint64_t(CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD);
  return {};
}

/// "If the graph is executing it is freed when that has ended."
Expected<void> graphExecDestroy(CUgraphExec handle) {
  US_CHECK(checkInitialised());
  if (!execs().remove(handle)) return fail(CUDA_ERROR_INVALID_VALUE, "the executable graph is not valid");
  return {};
}

/// There is nothing to bring anywhere: what a launch needs is made at the first one.
Expected<void> graphUpload(CUgraphExec exec, CUstream stream) {
  US_CHECK(execOf(exec));
  US_CHECK(streamOf(stream));
  return {};
}

Expected<void> graphLaunch(CUgraphExec handle, CUstream streamHandle) {
  US_TRY(const Ref<GraphExec> exec, execOf(handle));
  US_TRY(const Ref<Stream> stream, streamOf(streamHandle));
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (!capture) return exec->launch(*stream);
  const GraphLock lock(graphMutex());
  Graph &graph = exec->graph();
  if (graph.has<AllocWork>() || graph.has<FreeWork>() || graph.has<ConditionalWork>()) {
    capture->invalidate();
    return fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the graph has nodes that cannot be a child's");
  }
  const Ref<Graph> child = graph.copy();
  addGraph(child);
  return capture->add(*stream, ChildWork{child});
}

Expected<void> graphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  US_CHECK(checkOut(info, "the result"));
  return update(exec, graph, *info);
}

Expected<void> graphExecUpdateOld(CUgraphExec exec, CUgraph graph, CUgraphNode *errorNode,
                                  CUgraphExecUpdateResult *result) {
  US_CHECK(checkOut(result, "the result"));
  CUgraphExecUpdateResultInfo info;
  const Expected<void> done = update(exec, graph, info);
  *result = info.result;
  if (errorNode) *errorNode = info.errorNode;
  return done;
}

Expected<void> graphNodeSetEnabled(CUgraphExec handle, CUgraphNode node, unsigned enabled) {
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<GraphExec> exec, execOf(handle));
  US_TRY(Node *const twin, switchable(*exec, node));
  twin->isEnabled = enabled != 0;
  exec->changed();
  return {};
}

Expected<void> graphNodeGetEnabled(CUgraphExec handle, CUgraphNode node, unsigned *enabled) {
  US_CHECK(checkOut(enabled, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<GraphExec> exec, execOf(handle));
  US_TRY(const Node *const twin, switchable(*exec, node));
  *enabled = twin->isEnabled;
  return {};
}

Expected<void> graphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *parameters) {
  US_CHECK(checkOut(parameters, "the parameters"));
  return setParameters(exec, node, *parameters);
}

Expected<void> graphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_KERNEL, &CUgraphNodeParams::kernel, *given);
}
Expected<void> graphExecKernelNodeSetParamsOld(CUgraphExec exec, CUgraphNode node,
                                               const CUDA_KERNEL_NODE_PARAMS_v1 *given) {
  US_CHECK(checkOut(given, "the parameters"));
  CUDA_KERNEL_NODE_PARAMS form = {};
  std::memcpy(&form, given, sizeof *given); // the newer form begins with the older one
  return graphExecKernelNodeSetParams(exec, node, &form);
}
Expected<void> graphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy,
                                            CUcontext context) {
  US_CHECK(checkOut(copy, "the copy"));
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_MEMCPY, &CUgraphNodeParams::memcpy, {0, 0, context, *copy});
}
Expected<void> graphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *given,
                                            CUcontext context) {
  US_CHECK(checkOut(given, "the parameters"));
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_MEMSET, &CUgraphNodeParams::memset,
                 {given->dst, given->pitch, given->value, given->elementSize, given->width, given->height, context});
}
Expected<void> graphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *given) {
  US_CHECK(checkOut(given, "the parameters"));
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_HOST, &CUgraphNodeParams::host, *given);
}
Expected<void> graphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_GRAPH, &CUgraphNodeParams::graph,
                 {child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE});
}
Expected<void> graphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, &CUgraphNodeParams::eventRecord, {event});
}
Expected<void> graphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return setKind(exec, node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, &CUgraphNodeParams::eventWait, {event});
}

} // namespace us::cuda
