# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The console commands: each becomes the program of its name."""
import os
import sys
from pathlib import Path

# Not by `import understudy`, which loads libraries that the programs need not have.
_programs = Path(__file__).parent / "bin"


def understudy():
    os.execv(_programs / "understudy", ["understudy", *sys.argv[1:]])


def understudy_nvcc():
    os.execv(_programs / "understudy-nvcc", ["understudy-nvcc", *sys.argv[1:]])
