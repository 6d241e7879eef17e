// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace us::frontend::cuda {

/// Two passes that leave in the PTX what the device's code generation makes fast code of, and one without which it
/// would be wrong. PTX says neither that a number does not overflow nor how a loop was written.
///
/// widen_indices: an index that is known not to overflow is calculated in the width of addresses.
///   before:  %sum = add nsw i32 %row, %column     %index = sext i32 %sum to i64
///   after:   %row64 = sext i32 %row to i64  …     %index = add nsw i64 %row64, %column64
///
/// keep_barrier_loops: a loop that waits for other threads is not unrolled, unless the source asks for it and that
/// makes no more than 4,096 instructions: it becomes loops over work-items between barriers, one after the other.
///
/// split_loads: a load of 16 bytes, which the back end does not look at the alignment of, becomes aligned ones.
///   before:  %16 = load <16 x i8>, align 4
///   after:   %0 = load i32, align 4  …  %3 = load i32, align 4     %16 = bitcast <4 x i32> … to <16 x i8>
void shapeForDevice(llvm::PassBuilder &builder);

} // namespace us::frontend::cuda
