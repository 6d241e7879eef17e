// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/state_space.h"

namespace us::frontend::ptx {
namespace {

struct SpaceRow {
  std::string_view name;
  StateSpace space;
};
/// The first name of a space is that of its declarations.
constexpr SpaceRow kSpaces[] = {
    {"reg", StateSpace::Register},
    {"global", StateSpace::Global},
    {"const", StateSpace::Constant},
    {"shared", StateSpace::Shared},
    {"shared::cta", StateSpace::Shared},
    {"shared::cluster", StateSpace::Shared},
    {"local", StateSpace::Local},
    {"param", StateSpace::Parameter},
    {"param::entry", StateSpace::Parameter},
    {"param::func", StateSpace::Parameter},
    {"texref", StateSpace::Texture},
    {"samplerref", StateSpace::Sampler},
    {"surfref", StateSpace::Surface},
};

} // namespace

std::string_view nameOf(StateSpace space) {
  for (const SpaceRow &row : kSpaces)
    if (row.space == space) return row.name;
  return "generic";
}

StateSpace spaceNamed(std::string_view word) {
  for (const SpaceRow &row : kSpaces)
    if (row.name == word) return row.space;
  return StateSpace::Generic;
}

} // namespace us::frontend::ptx
