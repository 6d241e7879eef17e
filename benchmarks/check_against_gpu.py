#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA kernels under checks: on the emulated device by ours, on a real device by NVIDIA's compute-sanitizer, wall time
of a launch. First `compile FOLDER` where understudy-nvcc is; then `measure FOLDER --ours LIBCUDA --real LIBCUDA` where
the GPU is, each way in a process of its own for each kernel. Needs NumPy."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from ptx_against_opencl import CASES, Ptx, first_launch, ptx_of

# Ours as UNDERSTUDY_CHECK has them; on the real device its tools.
OURS = ["", "memory", "races", "uninitialized", "default"]
TOOLS = ["", "memcheck", "racecheck", "initcheck", "synccheck"]
BEST_OF = 5


def one(folder, name, library):
    """This process's: milliseconds of the best launch of some."""
    texts = json.loads((folder / "kernels.json").read_text())
    side = Ptx(lambda text: texts[text], library)
    launch, best = first_launch(name, side), None
    for _ in range(BEST_OF):
        begin = time.perf_counter()
        launch()
        side.finish()
        best = min(best or 1e9, (time.perf_counter() - begin) * 1e3)
        if best > 2e3:
            break  # it says enough
    print(json.dumps(best))


def run(command, limit, environment):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None, f"longer than {limit:g} s"
    for line in done.stdout.splitlines():
        if line.replace(".", "", 1).replace("e-", "", 1).isdigit():
            return float(line), None
    return None, (done.stdout + done.stderr)[-400:]


def measure(arguments):
    results = {}
    for name in arguments.cases or CASES:
        mine = [sys.executable, __file__, "one", arguments.folder, "--case", name, "--library"]
        row = {}
        for checks in OURS:
            environment = {"UNDERSTUDY_CHECK": checks, "UNDERSTUDY_CHECK_REPORT": "/dev/null"}
            row["ours " + (checks or "unchecked")] = run([*mine, arguments.ours], arguments.limit, environment)
        for tool in TOOLS if arguments.real else []:
            under = ["compute-sanitizer", "--tool", tool] if tool else []
            row["real " + (tool or "unchecked")] = run([*under, *mine, arguments.real], arguments.limit, {})
        for way, (milliseconds, error) in row.items():
            if error:
                print(f"{name}, {way}: {error}", flush=True)
        results[name] = {way: milliseconds for way, (milliseconds, _) in row.items() if milliseconds}
        print(name, {way: round(value, 3) for way, value in results[name].items()}, flush=True)
    print("geometric means of the ratio to the unchecked launch of the same device, and its kernels:")
    for side, ways in (("ours", OURS), ("real", TOOLS)):
        for way in ways[1:]:
            ratios = [
                row[f"{side} {way}"] / row[f"{side} unchecked"] for row in results.values() if f"{side} {way}" in row
            ]
            if ratios:
                print(f"  {side} {way:<14}{statistics.geometric_mean(ratios):>10.2f}{len(ratios):>4}")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["compile", "measure", "one"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--nvcc", default="understudy-nvcc")
    parser.add_argument("--ours", metavar="LIBCUDA")
    parser.add_argument("--real", metavar="LIBCUDA")
    parser.add_argument("--limit", type=float, default=60, help="seconds of one process")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--case", help="of one")
    parser.add_argument("--library", help="of one")
    arguments = parser.parse_args()
    if arguments.what == "compile":
        arguments.folder.mkdir(parents=True, exist_ok=True)
        texts = {text: ptx_of(text, arguments.nvcc) for text in (case()[0] for case in CASES.values())}
        (arguments.folder / "kernels.json").write_text(json.dumps(texts))
    elif arguments.what == "one":
        one(arguments.folder, arguments.case, arguments.library)
    else:
        measure(arguments)


if __name__ == "__main__":
    main()
