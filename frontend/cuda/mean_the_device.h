// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace us::frontend::cuda {

/// What C++ leaves undefined, and nvcc to the device.
///
/// convert_as_device: a floating-point number that an integer cannot hold. The instructions saturate, and make 0 of
/// what is not a number; there are none for the integers below 32 bits, which get the low bits of those of 32.
///   before:  %byte = call i8 @llvm.fptoui.sat.i8.f32(float %x)      ; Clang's -fno-strict-float-cast-overflow
///   after:   %word = call i32 @llvm.fptoui.sat.i32.f32(float %x)    %byte = trunc i32 %word to i8
///
/// select_conversions: the same at the end of the pipeline, as Clang's back end has no instruction for it, and its
/// optimizer takes the functions below for conversions that may be undefined.
///   before:  %word = call i32 @llvm.fptoui.sat.i32.f32(float %x)
///   after:   %word = call i32 @llvm.nvvm.f2ui.rz(float %x)
///
/// read_truth_as_byte: a bool in memory that is neither 0 nor 1 is true.
///   before:  %byte = load i8, ptr %p, !range [0, 2)                 %truth = trunc i8 %byte to i1
///   after:   %byte = load i8, ptr %p                                %truth = icmp ne i8 %byte, 0
void meanTheDevice(llvm::PassBuilder &builder);

} // namespace us::frontend::cuda
