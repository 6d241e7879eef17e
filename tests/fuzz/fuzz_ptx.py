#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random PTX, the same in every tier: all scalar instructions, divergent and uniform control flow, indexed branches,
calls also through pointers and recursive ones, shared, local and global memory, barriers, halves, video instructions.

A kernel is race-free and has nothing in it that the ISA leaves undefined, so both tiers must give the same bytes. NaN
results have any payload: each floating-point result that is NaN is replaced at once. A difference is printed with its
seed: `fuzz_ptx.py --first SEED --count 1 --show` prints the kernel. With --more there are more instructions, and a seed
stands for another kernel."""
import sys

import compare_tiers
from random_ptx import Generator
from random_ptx_more import MoreInstructions

if __name__ == "__main__":
    sys.exit(compare_tiers.main(__doc__, ".ptx", Generator, 100, MoreInstructions))
