// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests that damage SPIR-V: one change of a module, in the ways that its words allow.
#pragma once

#include "tests/support/compile_source.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace us::frontend::tests {

using Words = std::vector<uint32_t>;

/// Where instructions begin.
inline std::vector<size_t> placesOf(const Words &module) {
  std::vector<size_t> places;
  for (size_t place = 5; place < module.size() && module[place] >> 16 != 0; place += module[place] >> 16)
    places.push_back(place);
  return places;
}

inline void damageModule(Words &module, std::mt19937 &random) {
  const auto below = [&](size_t limit) { return size_t(random() % std::max<size_t>(limit, 1)); };
  const std::vector<size_t> places = placesOf(module);
  if (places.empty()) return;
  const size_t place = places[below(places.size())];
  const size_t count = std::min<size_t>(module[place] >> 16, module.size() - place);
  switch (below(9)) {
  case 0: // any word becomes anything
    module[below(module.size())] = uint32_t(random());
    break;
  case 1: // an operand becomes another id
    module[place + below(count)] = uint32_t(below(module[3]));
    break;
  case 2: // a bit flips
    module[place + below(count)] ^= 1u << below(32);
    break;
  case 3: // another instruction of the same length
    module[place] = (module[place] & 0xFFFF0000) | uint32_t(below(420));
    break;
  case 4: // an instruction goes
    module.erase(module.begin() + ptrdiff_t(place), module.begin() + ptrdiff_t(place + count));
    break;
  case 5: { // one comes twice
    const Words copy(module.begin() + ptrdiff_t(place), module.begin() + ptrdiff_t(place + count));
    const size_t target = places[below(places.size())];
    module.insert(module.begin() + ptrdiff_t(target), copy.begin(), copy.end());
    break;
  }
  case 6: // the end is missing
    module.resize(below(module.size()));
    break;
  case 7: // two words change places
    std::swap(module[place + below(count)], module[below(module.size())]);
    break;
  case 8: // small numbers, as literals have them
    module[place + below(count)] = uint32_t(below(70));
    break;
  default:
    break;
  }
}

/// A device with all that modules can ask for.
inline LanguageFacts everything() {
  LanguageFacts facts = ampleFacts();
  for (const char *name :
       {"cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic",
        "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce",
        "cl_khr_subgroup_rotate", "cl_khr_expect_assume", "cl_khr_integer_dot_product"})
    facts.extensions.emplace_back(name);
  for (const char *name : {"__opencl_c_pipes", "__opencl_c_device_enqueue"}) facts.features.emplace_back(name);
  return facts;
}

} // namespace us::frontend::tests
