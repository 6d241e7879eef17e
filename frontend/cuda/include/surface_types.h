// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See texture_types.h.
#pragma once

#include "texture_types.h"
