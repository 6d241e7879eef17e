// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as a text in the language of Graphviz: children are clusters.
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph.h"
#include "icd/cuda/graph_memory.h"
#include "runtime/base/file.h"

namespace us::cuda {
namespace {

constexpr unsigned kAllFlags = (CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS << 1) - 1;

class DotWriter {
public:
  explicit DotWriter(unsigned flags) : flags_(flags) {}

  std::string textOf(const Graph &graph) {
    out_ = "digraph dot {\n";
    cluster(graph);
    return std::move(out_) + "}\n";
  }

private:
  bool tells(unsigned flag) const { return (flags_ & (flag | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)) != 0; }

  static std::string name(const Node &node) { return format("\"graph_{}_node_{}\"", node.graph->id, node.id); }

  void cluster(const Graph &graph) {
    const std::string id = std::to_string(graph.id);
    out_ += "subgraph cluster_" + id + " {\nlabel=\"graph_" + id + "\" graph[style=\"dashed\"]\n";
    for (const Ref<Node> &node : graph.nodes) {
      std::string label =
          format("{}\n{}", node->id, std::visit([&](const auto &work) { return text(work); }, node->work));
      if (tells(CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES))
        label += format("\nhandle {:#x}", reinterpret_cast<uint64_t>(handleOf(*node)));
      out_ += format("{}[shape=\"box\" label=\"{}\"];\n", name(*node), escaped(label));
    }
    for (const Ref<Node> &node : graph.nodes) {
      if (const auto *child = std::get_if<ChildWork>(&node->work)) cluster(*child->graph);
      if (const auto *branch = std::get_if<ConditionalWork>(&node->work))
        for (const Ref<Graph> &body : branch->bodies) cluster(*body);
    }
    out_ += "}\n";
    for (const Ref<Node> &node : graph.nodes)
      for (const Dependency &one : node->before) out_ += format("{} -> {};\n", name(*one.node), name(*node));
  }

  static std::string escaped(const std::string &text) {
    std::string escaped;
    for (const char c : text) {
      if (c == '"' || c == '\\') escaped += '\\';
      if (c == '\n')
        escaped += "\\n";
      else
        escaped += c;
    }
    return escaped;
  }

  std::string text(const EmptyWork &) { return "EMPTY"; }
  std::string text(const KernelWork &work) {
    std::string label = "KERNEL\n" + work.function->name();
    const LaunchShape &s = work.shape;
    if (tells(CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS))
      label += format("\n<<<({}, {}, {}), ({}, {}, {}), {}>>>", s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1],
                      s.block[2], s.sharedBytes);
    if (tells(CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES))
      label += format("\npriority {}, cooperative {}", work.priority, int(s.isCooperative));
    return label;
  }
  std::string text(const CopyWork &work) {
    const CUDA_MEMCPY3D &t = work.text;
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS)) return "MEMCPY";
    return format("MEMCPY\nfrom type {} to type {}\n{} x {} x {}", int(t.srcMemoryType), int(t.dstMemoryType),
                  t.WidthInBytes, t.Height, t.Depth);
  }
  std::string text(const FillWork &work) {
    const CUDA_MEMSET_NODE_PARAMS &t = work.text;
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS)) return "MEMSET";
    return format("MEMSET\n{:#x} = {} ({} bytes)\n{} x {}, pitch {}", uint64_t(t.dst), t.value, t.elementSize, t.width,
                  t.height, t.pitch);
  }
  std::string text(const HostWork &work) {
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS)) return "HOST";
    return format("HOST\n{:#x}({:#x})", reinterpret_cast<uint64_t>(work.function),
                  reinterpret_cast<uint64_t>(work.data));
  }
  std::string text(const ChildWork &work) { return format("CHILD GRAPH\ngraph_{}", work.graph->id); }
  std::string text(const EventWork &work) {
    const char *const kind = work.records ? "EVENT_RECORD" : "EVENT_WAIT";
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS)) return kind;
    return format("{}\n{:#x}", kind, reinterpret_cast<uint64_t>(work.handle));
  }
  std::string text(const AllocWork &work) {
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS)) return "MEM_ALLOC";
    return format("MEM_ALLOC\n{:#x}, {} bytes", work.memory->address(), work.memory->size());
  }
  std::string text(const FreeWork &work) {
    if (!tells(CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS)) return "MEM_FREE";
    return format("MEM_FREE\n{:#x}", work.memory->address());
  }
  std::string text(const ConditionalWork &work) {
    constexpr const char *kKinds[] = {"IF", "WHILE", "SWITCH"};
    return format("CONDITIONAL\n{}, {} graphs", kKinds[work.type], work.bodies.size());
  }

  std::string out_;
  const unsigned flags_;
};

} // namespace

Expected<void> graphDebugDotPrint(CUgraph handle, const char *path, unsigned flags) {
  US_CHECK(checkOut(path, "the path"));
  if (flags & ~kAllFlags) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(handle));
  // "CUDA_ERROR_OPERATING_SYSTEM" where the file cannot be written.
  if (const auto written = writeFile(path, DotWriter(flags).textOf(*graph)); !written)
    return fail(CUDA_ERROR_OPERATING_SYSTEM, written.error().message);
  return {};
}

} // namespace us::cuda
