// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of a sparse matrix's rows and columns.
#pragma once

#include <cstddef>
#include <vector>

namespace us::cusolver {

/// Each row's neighbours: those columns of A + A^T that it has elements in, each once, without itself.
using Graph = std::vector<std::vector<int>>;

void connect(Graph &graph, int row, int column);
/// Sorts neighbours and makes each be there once.
void finish(Graph &graph);
template <class Entries> Graph graphOf(int n, const Entries &entries) {
  Graph graph(static_cast<size_t>(n));
  for (const auto &entry : entries) connect(graph, entry.row, entry.column);
  finish(graph);
  return graph;
}

/// Which row comes at each place. Neighbours get numbers near one another:
std::vector<int> reverseCuthillMcKee(const Graph &graph);
/// Rows with few neighbours come first, those that elimination makes being counted:
std::vector<int> minimumDegree(const Graph &graph);
/// Halves of the graph come before what parts them:
std::vector<int> nestedDissection(const Graph &graph);

/// Where each row goes.
std::vector<int> placesOf(const std::vector<int> &order);

/// Which row comes at each place so that as many places as can be have an element on the diagonal; the columns of each
/// row are given. How many these are.
int zeroFreeDiagonal(const Graph &columns, std::vector<int> &order);

} // namespace us::cusolver
