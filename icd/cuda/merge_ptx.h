// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several PTX texts become one. Names that a text keeps to itself are made different where two texts have them; what
// one declares and another defines is one thing.
#pragma once

#include "icd/cuda/ptx_text.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::cuda {

struct PtxInput {
  std::string name, text;
};

std::string mergedPtx(const std::vector<PtxInput> &inputs);

/// Who defines a name that may be defined once.
using StrongNames = std::map<std::string, std::string>;

/// Adds the names that an input defines; a sentence about the first that another one has, too, or nothing.
std::string clashOf(const PtxOutline &outline, const std::string &input, StrongNames &names);

/// The members of an archive (of ar's). Nothing: it is none, or it is damaged.
std::optional<std::vector<std::string_view>> archiveMembers(std::string_view bytes);

} // namespace us::cuda
