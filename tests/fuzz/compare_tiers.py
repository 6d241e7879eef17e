# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the fuzzers share: runs the same random kernels in every tier, each in processes of its own, and compares.

A fuzzer has a class whose kernel() is the text for a seed, and a function that runs kernels in its process and prints a
JSON line for each: the seed, and a hash of the results or a text that begins with "error"."""
import argparse
import json
import subprocess
import sys

TIERS = {
    "loop": ["--tier", "loop", "--optimize", "always", "--vectorize", "never"],
    "masks": ["--tier", "loop", "--optimize", "always", "--vectorize", "always"],
    "fiber": ["--tier", "fiber", "--optimize", "always"],
    "baseline": ["--optimize", "never"],
}
SECONDS_EACH = 2  # a kernel takes a tenth of a second
# For other processors: named with --tiers, and left out where the machine cannot execute it.
WITHOUT_FMA = "sse4.2"  # products and sums of floating-point numbers are rounded apart: a group of its own
TARGETS = [WITHOUT_FMA, "avx2", "avx2-gather", "avx512-256", "avx512"]
TARGET_TIERS = {f"loop-{WITHOUT_FMA}": [*TIERS["loop"], "--target", WITHOUT_FMA]} | {
    f"masks-{target}": [*TIERS["masks"], "--target", target] for target in TARGETS
}


def can_run(understudy, name):
    """Whether the machine executes what the tier makes; says so if not."""
    if name in TIERS:
        return True
    tried = subprocess.run([understudy, "run", *TARGET_TIERS[name], "--", "true"], capture_output=True, text=True)
    print(tried.stderr, end="", file=sys.stderr)
    return tried.returncode == 0


def run_tier(script, understudy, name, first, count):
    """The kernels' results. A process that ends, or does not go on, takes the kernel it was at with it."""
    command = [understudy, "run", *(TIERS | TARGET_TIERS)[name], "--cache", "0", "--time-limit", "20000", "--"]
    command += [sys.executable, script, "--worker", "--first", str(first), "--count", str(count)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_EACH * count + 60)
        lines, end = done.stdout, f"the process ended ({done.returncode}): {done.stderr[-300:]}"
    except subprocess.TimeoutExpired as late:
        lines, end = (late.stdout or b"").decode(), "the process did not end"
    results = dict(json.loads(line) for line in lines.splitlines())
    missing = next((seed for seed in range(first, first + count) if seed not in results), None)
    if missing is not None:
        results[missing] = f"error: {end}"
        rest = first + count - missing - 1
        if rest:
            results |= run_tier(script, understudy, name, missing + 1, rest)
    return results


def main(script, description, generator, run_in_process, count):
    """`count`: so many kernels unless the command line says otherwise. The exit code: 1 if anything differs."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--understudy", default="build/dev/bin/understudy")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument(
        "--tiers",
        default=",".join(TIERS),
        help=f"of {', '.join(TIERS | TARGET_TIERS)}; targets: those of other processors",
    )
    parser.add_argument("--show", action="store_true", help="print the kernels instead")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.show:
        for seed in range(arguments.first, arguments.first + arguments.count):
            print(generator(seed).kernel())
        return 0
    if arguments.worker:
        run_in_process(arguments.first, arguments.count)
        return 0
    asked = arguments.tiers.replace("targets", ",".join(TARGET_TIERS)).split(",")
    tiers = [tier for tier in asked if can_run(arguments.understudy, tier)]
    bad, done = 0, 0
    for first in range(arguments.first, arguments.first + arguments.count, 100):
        some = min(100, arguments.first + arguments.count - first)
        by_tier = {t: run_tier(script, arguments.understudy, t, first, some) for t in tiers}
        for seed in range(first, first + some):
            outcomes = {t: r.get(seed, "error: not run") for t, r in by_tier.items()}
            done += 1
            groups = {(t.endswith(WITHOUT_FMA), outcome) for t, outcome in outcomes.items()}
            if len(groups) > len({group for group, _ in groups}) or any(
                o.startswith("error") for o in outcomes.values()
            ):
                bad += 1
                print(f"seed {seed}: {outcomes}", flush=True)
        print(f"{done} of {arguments.count} kernels", file=sys.stderr, flush=True)
    print(f"{done} kernels, {bad} differences or errors")
    return 1 if bad else 0
