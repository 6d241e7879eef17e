// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a variable lies and an address points to, as PTX says it.
#pragma once

#include <cstdint>
#include <string_view>

namespace us::frontend::ptx {

enum class StateSpace : uint8_t {
  Generic, ///< an instruction names none
  Register,
  Global,
  Constant,
  Shared,
  Local,
  Parameter,
  Texture, ///< what a texture's, sampler's or surface's variable holds is no memory of the program
  Sampler,
  Surface
};

/// As a declaration writes it, without the dot.
std::string_view nameOf(StateSpace space);
/// shared::cta, param::entry and param::func are the spaces that they are parts of. Generic: the word names none.
StateSpace spaceNamed(std::string_view word);

} // namespace us::frontend::ptx
