// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dense part's symbols, of the lists in its header.
#include "icd/cusolver/generic.h"

using namespace us::cusolver;

US_CUSOLVERDN(US_DEFINE)
