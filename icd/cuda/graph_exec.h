// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable graphs: a copy of a graph, and what of it is given to a stream at each launch.
#pragma once

#include "icd/cuda/graph.h"

namespace us::cuda {

/// What a launch gives to a stream, made once for all launches until parameters change.
class GraphProgram final : public Object {
public:
  struct Step {
    Ref<Context> context;                    ///< whose device runs it
    std::shared_ptr<const CommandList> list; ///< null: one of those below
    bool launches = false;                   ///< the list has kernels
    HostWork host{};
    EventWork event{};
  };
  std::vector<Step> steps;
  std::vector<Ref<Object>> keep;
  std::vector<std::pair<uint64_t, uint64_t>> memory; ///< that copies and fills use
  std::vector<Ref<GraphMemory>> allocated, freed;    ///< those that a launch leaves allocated, or frees of others
  std::vector<Ref<GraphMemory>> transient;           ///< both
  std::set<const Context *> contexts;
  bool callsHost = false;
};

class GraphExec final : public Object {
public:
  GraphExec(const Graph &graph, Ref<Graph> copy, cuuint64_t flags);
  ~GraphExec() override;

  cuuint64_t flags() const { return flags_; }
  /// Behind what is in the stream, and behind the launch before.
  Expected<void> launch(Stream &stream);
  /// The node that is a copy of that one, also within children; null: there is none.
  Node *twinOf(const Node &node);
  Graph &graph() { return *graph_; }
  /// Parameters have changed: with graphMutex held.
  void changed();

private:
  Expected<void> prepare();

  const Ref<Graph> graph_; ///< its own
  const cuuint64_t flags_;
  const std::shared_ptr<unsigned> instances_; ///< of the graph that it was made of; guarded by graphMutex
  std::mutex mutex_;                          // guards all below; taken after graphMutex
  Ref<GraphProgram> program_;                 ///< null: to be made
  Ref<core::Event> last_;
  std::map<const Context *, Ref<Stream>> others_; ///< for parts that another device than the stream's runs
};

} // namespace us::cuda
