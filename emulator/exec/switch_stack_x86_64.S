// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usCallOnStack and usLeaveStack (switch_stack.h) for the System V x86-64 calling convention. The frame pointer stays
// valid across the switch, so that debuggers and profilers can walk from a kernel to its caller.
  .text
  .globl usCallOnStack
  .hidden usCallOnStack
  .type usCallOnStack, @function
  .p2align 4
usCallOnStack:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  push %rbx
  .cfi_offset %rbx, -24
  push %r12
  .cfi_offset %r12, -32
  push %r13
  .cfi_offset %r13, -40
  push %r14
  .cfi_offset %r14, -48
  push %r15
  .cfi_offset %r15, -56
  mov %rsp, (%rdi)
  mov %rsp, %rbx
  mov %rcx, %rsp
  and $-16, %rsp
  mov %rdx, %rdi
  call *%rsi
  mov %rbx, %rsp
  xor %eax, %eax
.Lpop:
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size usCallOnStack, .-usCallOnStack

  .globl usLeaveStack
  .hidden usLeaveStack
  .type usLeaveStack, @function
  .p2align 4
usLeaveStack:
  .cfi_startproc
  .cfi_undefined %rip
  cld
  mov %rdi, %rsp
  mov %esi, %eax
  jmp .Lpop
  .cfi_endproc
  .size usLeaveStack, .-usLeaveStack

  .section .note.GNU-stack, "", @progbits
