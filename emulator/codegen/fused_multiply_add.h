// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generated code calls for a multiply-add of doubles where the processor has no instruction.
#pragma once

namespace us::codegen {

/// x * y + z, rounded once, in the usual rounding mode. The C library's changes the mode and back, which takes ten
/// times as long as all of this.
double fusedMultiplyAdd(double x, double y, double z);

} // namespace us::codegen
