// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures of findings for the page: SVG, colored by its style.
#pragma once

#include "icd/install/check_line.h"

#include <string>

namespace us::install {

/// The work-items of a group, those with the finding marked; empty if there are too many to be drawn.
std::string gridPicture(const CheckGrid &grid);
/// An allocation, and what was touched in or beside it.
std::string stripPicture(const CheckStrip &strip);

} // namespace us::install
