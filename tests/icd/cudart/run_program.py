#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a CUDA program with understudy-nvcc and runs it on the emulated device: run_program.py NVCC UNDERSTUDY FILE.
Lines of the file say more: "//! nvcc: OPTIONS" (the options of a build; several lines: several builds), "//! with: FILES"
beside it, "//! environment: NAME=VALUE ..." and "//! output: TEXT", a line that is printed. It must exit with 0."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

nvcc, understudy, source = sys.argv[1:4]
text = Path(source).read_text()


def lines(name):
    return re.findall(rf"^//! {name}: ?(.*)$", text, re.M)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=200, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\nexited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


environment = dict(pair.split("=", 1) for line in lines("environment") for pair in line.split())
folder = Path(source).parent
others = [str(folder / name) for line in lines("with") for name in line.split()]
for options in lines("nvcc") or [""]:
    with tempfile.TemporaryDirectory() as scratch:
        program = f"{scratch}/program"
        words = [word.replace("%S", str(folder)).replace("%t", scratch) for word in options.split()]
        built = run(nvcc, *words, "-o", program, source, *others)
        if built.stdout or built.stderr:
            sys.exit(f"nvcc {options}: a message\n{built.stdout}{built.stderr}")
        done = run(understudy, "run", "--", program)
        for wanted in lines("output"):
            if wanted not in done.stdout.splitlines():
                sys.exit(f"nvcc {options}: no line '{wanted}' in\n{done.stdout}")
