// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where programs look for the keywords.
#pragma once

#include "crt/host_defines.h"
