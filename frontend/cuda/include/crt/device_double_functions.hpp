/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Clang's own header for CUDA includes a file of this name, whose functions ours has elsewhere. */
