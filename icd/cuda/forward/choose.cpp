// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a call goes while its entry does not say: it arrives here with all arguments in place, and goes on so. No type
// of a function is known, and none is needed.
#include "icd/cuda/forward/call_frame.h"
#include "icd/cuda/forward/sides.h"
#include "icd/cuda/table.h"

/// From here the call jumps to what this returns.
extern "C" __attribute__((visibility("hidden"))) void *usCudaTarget(us::cuda::TableRow *function,
                                                                    us::cuda::CallFrame *frame) {
  return us::cuda::targetOf(*function, *frame);
}

// Called by nobody: what jumps here has the function's row in %rax. Saves what may hold arguments as a CallFrame, asks,
// puts it back, and jumps. The frame ends with the return address, behind which the caller's other arguments are.
__asm__(R"(
.text
.globl usCudaChoose
.hidden usCudaChoose
.type usCudaChoose, @function
.p2align 4
usCudaChoose:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $176, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movaps %xmm0, 48(%rsp)
  movaps %xmm1, 64(%rsp)
  movaps %xmm2, 80(%rsp)
  movaps %xmm3, 96(%rsp)
  movaps %xmm4, 112(%rsp)
  movaps %xmm5, 128(%rsp)
  movaps %xmm6, 144(%rsp)
  movaps %xmm7, 160(%rsp)
  movq %rax, %rdi
  movq %rsp, %rsi
  call usCudaTarget
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movaps 48(%rsp), %xmm0
  movaps 64(%rsp), %xmm1
  movaps 80(%rsp), %xmm2
  movaps 96(%rsp), %xmm3
  movaps 112(%rsp), %xmm4
  movaps 128(%rsp), %xmm5
  movaps 144(%rsp), %xmm6
  movaps 160(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
.size usCudaChoose, .-usCudaChoose
)");
