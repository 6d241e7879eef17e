// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cusolver/orderings.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace us::cusolver {
namespace {

/// Breadth first from a row, over rows of a part: seen[row] says which walk has been there.
class Walks {
public:
  explicit Walks(const Graph &graph) : graph_(graph), seen_(graph.size(), kOutside) {}
  void enter(const std::vector<int> &part) {
    for (const int row : part) seen_[row] = 0;
  }
  void leave(const std::vector<int> &part) {
    for (const int row : part) seen_[row] = kOutside;
  }
  bool wasSeen(int row) const { return seen_[row] != 0; }

  /// All that is connected with it, nearest first; where each distance begins, and the end.
  std::vector<int> from(int start, std::vector<size_t> *levels = nullptr) {
    ++walk_;
    std::vector<int> found = {start};
    seen_[start] = walk_;
    if (levels) levels->assign(1, 0);
    for (size_t i = 0, end = 1; i < found.size(); ++i) {
      if (i == end) {
        if (levels) levels->push_back(end);
        end = found.size();
      }
      for (const int next : graph_[found[i]])
        if (seen_[next] != walk_ && seen_[next] != kOutside) {
          seen_[next] = walk_;
          found.push_back(next);
        }
    }
    if (levels) levels->push_back(found.size());
    return found;
  }
  /// The same from one end of what is connected.
  std::vector<int> fromEnd(int start, std::vector<size_t> *levels = nullptr) {
    return from(from(from(start).back()).back(), levels);
  }

private:
  static constexpr int kOutside = -1;
  const Graph &graph_;
  std::vector<int> seen_;
  int walk_ = 0;
};

std::vector<int> all(const Graph &graph) {
  std::vector<int> rows(graph.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

} // namespace

void connect(Graph &graph, int row, int column) {
  if (row == column) return;
  graph[row].push_back(column);
  graph[column].push_back(row);
}

void finish(Graph &graph) {
  for (std::vector<int> &near : graph) {
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
  }
}

std::vector<int> placesOf(const std::vector<int> &order) {
  std::vector<int> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = int(i);
  return places;
}

std::vector<int> reverseCuthillMcKee(const Graph &graph) {
  const auto byDegree = [&](int a, int b) { return std::pair(graph[a].size(), a) < std::pair(graph[b].size(), b); };
  Graph sorted = graph;
  for (std::vector<int> &near : sorted) std::sort(near.begin(), near.end(), byDegree);
  std::vector<int> starts = all(graph), order;
  std::sort(starts.begin(), starts.end(), byDegree);
  Walks walks(sorted);
  walks.enter(starts);
  for (const int start : starts)
    if (!walks.wasSeen(start)) {
      const std::vector<int> part = walks.fromEnd(start);
      order.insert(order.end(), part.begin(), part.end());
    }
  std::reverse(order.begin(), order.end());
  return order;
}

// Eliminated rows become elements, which stand for all the neighbours that they connect. Degrees are upper bounds:
// elements are not looked at for what they share.
std::vector<int> minimumDegree(const Graph &graph) {
  const int n = int(graph.size());
  Graph rows = graph, elements(graph.size()),
        members(graph.size()); // a row's neighbours and elements; an element's rows
  std::vector<size_t> degrees(graph.size());
  std::vector<int> order, mark(graph.size(), -1);
  std::vector<bool> isGone(graph.size()), isAbsorbed(graph.size());
  std::set<std::pair<size_t, int>> queue;
  for (int row = 0; row < n; ++row) queue.emplace(degrees[row] = graph[row].size(), row);
  while (!queue.empty()) {
    const int row = queue.begin()->second;
    queue.erase(queue.begin());
    order.push_back(row);
    isGone[row] = true;
    std::vector<int> &front = members[row];
    mark[row] = row;
    const auto join = [&](const std::vector<int> &others) {
      for (const int other : others)
        if (!isGone[other] && mark[other] != row) {
          mark[other] = row;
          front.push_back(other);
        }
    };
    join(rows[row]);
    for (const int element : elements[row]) {
      join(members[element]);
      isAbsorbed[element] = true;
      members[element].clear();
    }
    for (const int other : front) {
      // What the new element connects need not be remembered otherwise.
      std::erase_if(rows[other], [&](int next) { return isGone[next] || mark[next] == row; });
      std::erase_if(elements[other], [&](int element) { return isAbsorbed[element]; });
      elements[other].push_back(row);
      size_t degree = rows[other].size();
      for (const int element : elements[other]) degree += members[element].size() - 1;
      queue.erase({degrees[other], other});
      queue.emplace(degrees[other] = std::min(degree, size_t(n)), other);
    }
    rows[row].clear();
    elements[row].clear();
  }
  return order;
}

std::vector<int> nestedDissection(const Graph &graph) {
  constexpr size_t kSmall = 16;
  struct Task {
    std::vector<int> part;
    bool isDone; ///< nothing is parted any more
  };
  std::vector<int> order;
  Walks walks(graph);
  std::vector<Task> stack;
  stack.push_back({all(graph), graph.size() <= kSmall});
  while (!stack.empty()) { // built from the end: what parts others is taken first
    Task task = std::move(stack.back());
    stack.pop_back();
    if (task.part.empty()) continue;
    if (task.isDone) {
      order.insert(order.end(), task.part.rbegin(), task.part.rend());
      continue;
    }
    std::vector<size_t> levels;
    walks.enter(task.part);
    const std::vector<int> found = walks.fromEnd(task.part.front(), &levels);
    const size_t count = levels.size() - 1;
    std::vector<int> rest;
    for (const int row : task.part)
      if (!walks.wasSeen(row)) rest.push_back(row);
    walks.leave(task.part);
    size_t middle = 0; // the level that half of the rows come before
    while (middle + 1 < count && levels[middle + 1] < found.size() / 2) ++middle;
    const auto piece = [&](size_t from, size_t to) {
      return std::vector<int>(found.begin() + ptrdiff_t(from), found.begin() + ptrdiff_t(to));
    };
    const bool isSmall = found.size() <= kSmall || count < 3;
    const auto push = [&](std::vector<int> part, bool isDone) {
      isDone = isDone || part.size() <= kSmall;
      stack.push_back({std::move(part), isDone});
    };
    push(std::move(rest), false);
    if (isSmall) {
      push(found, true);
    } else {
      push(piece(0, levels[middle]), false);
      push(piece(levels[middle + 1], found.size()), false);
      push(piece(levels[middle], levels[middle + 1]), true);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

int zeroFreeDiagonal(const Graph &columns, std::vector<int> &order) {
  const int n = int(columns.size());
  order.assign(columns.size(), -1); // which row a column has
  std::vector<int> seen(columns.size(), -1), next(columns.size()), before;
  int matched = 0;
  for (int start = 0; start < n; ++start) {
    // Rows on the way to a free column: each but the last wants the column that the next one has.
    std::vector<int> path = {start}, wanted = {-1};
    next[start] = 0;
    while (!path.empty()) {
      const int row = path.back();
      if (next[row] == int(columns[row].size())) {
        path.pop_back();
        wanted.pop_back();
        continue;
      }
      const int column = columns[row][size_t(next[row]++)];
      if (seen[column] == start) continue;
      seen[column] = start;
      wanted.back() = column;
      if (order[column] < 0) {
        for (size_t i = 0; i < path.size(); ++i) order[wanted[i]] = path[i];
        ++matched;
        break;
      }
      path.push_back(order[column]);
      next[order[column]] = 0;
      wanted.push_back(-1);
    }
  }
  std::vector<bool> isUsed(columns.size());
  for (const int row : order)
    if (row >= 0) isUsed[row] = true;
  int free = 0;
  for (int &row : order)
    if (row < 0) {
      while (isUsed[free]) ++free;
      row = free++;
    }
  return matched;
}

} // namespace us::cusolver
