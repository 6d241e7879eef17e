// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/current_side.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace us::cuda {
namespace {

/// What nearly every call asks. Not in static storage of threads: what is left of that is little, and where it is used
/// up nobody can open us any more.
thread_local constinit CudaSide current = CudaSide::Real;

/// Never destroyed: calls come while a thread ends.
std::vector<CudaSide> &stack() {
  thread_local constinit std::vector<CudaSide> *mine = nullptr;
  if (!mine) mine = new std::vector<CudaSide>;
  return *mine;
}

void learnCurrent() { current = stack().empty() ? CudaSide::Real : stack().back(); }

} // namespace

CudaSide currentSide() { return current; }

bool hasCurrentSide() { return !stack().empty(); }

void pushSide(CudaSide side) {
  stack().push_back(side);
  learnCurrent();
}

void popSide() {
  if (!stack().empty()) stack().pop_back();
  learnCurrent();
}

void dropSide(CudaSide side) {
  const auto found = std::find(stack().rbegin(), stack().rend(), side);
  if (found != stack().rend()) stack().erase(std::next(found).base());
  learnCurrent();
}

} // namespace us::cuda
