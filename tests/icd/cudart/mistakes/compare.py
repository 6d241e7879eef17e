#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what our runtime answers to wrong calls with NVIDIA's answers: compare.py UNDERSTUDY PROGRAM LIBRARY.
NVIDIA's are in runtime_mistakes.expected, where a line behind "ours:" says what we answer instead of the line above it, and why."""
import subprocess
import sys
from pathlib import Path

understudy, program, library = sys.argv[1:4]


def scenarios(text):
    """The lines of each part."""
    parts = {}
    for line in text.splitlines():
        if line.startswith("== "):
            parts[line] = []
        elif line.startswith("ours: "):
            parts[list(parts)[-1]][-1] = line.removeprefix("ours: ").split(" # ")[0]
        else:
            parts[list(parts)[-1]].append(line)
    return parts


done = subprocess.run([understudy, "run", "--", program, library], capture_output=True, text=True)
got = scenarios(done.stdout)
wrong = []
for name, lines in scenarios((Path(__file__).parent / "runtime_mistakes.expected").read_text()).items():
    answers = got.get(name, [])
    wrong += [f"{name}: expected: {a}\n     got: {b}" for a, b in zip(lines, answers) if a != b]
    if len(answers) < len(lines):
        wrong.append(f"{name}: {len(answers)} answers instead of {len(lines)}")
if done.returncode or wrong:
    sys.exit("\n".join(wrong) + f"\nexit code {done.returncode}\n{done.stderr[-500:]}")
