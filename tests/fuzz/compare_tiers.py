# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the fuzzers share: runs the same random kernels in every tier, and compares.

A fuzzer has a class whose kernel() is the text for a seed, and whose launch() says how it is launched; us-run-kernels
(run_kernels.cpp) builds it once and runs it in all tiers, many kernels in a process, a process for each core."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

TIERS = {
    "loop": "TIER=loop,OPTIMIZE=always,VECTORIZE=never",
    "masks": "TIER=loop,OPTIMIZE=always,VECTORIZE=always",
    "fiber": "TIER=fiber,OPTIMIZE=always",
    "baseline": "OPTIMIZE=never",
}
# For other processors: named with --tiers, and left out where the machine cannot execute it.
WITHOUT_FMA = "sse4.2"  # products and sums of floating-point numbers are rounded apart: a group of its own
TARGETS = [WITHOUT_FMA, "avx2", "avx2-gather", "avx512-256", "avx512-no-gather", "avx512"]
TARGET_TIERS = {f"loop-{WITHOUT_FMA}": f"{TIERS['loop']},TARGET={WITHOUT_FMA}"} | {
    f"masks-{target}": f"{TIERS['masks']},TARGET={target}" for target in TARGETS
}
ALL_TIERS = TIERS | TARGET_TIERS
PIECE = 100  # kernels of a process, which limits its processor time for each
SECONDS = 3600  # that a process may wait


def can_run(arguments, tier):
    """Whether the machine executes what the tier makes; says so if not."""
    tried = subprocess.run(
        [arguments.runner, arguments.language, f"{tier}={ALL_TIERS[tier]}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    print(tried.stderr, end="", file=sys.stderr)
    return tried.returncode == 0


def tiers_of(arguments, first):
    """Of a piece: those that were asked for; with --in-turn, masks for one processor and what they are compared with."""
    if not arguments.in_turn:
        return arguments.tiers
    masks = [tier for tier in arguments.tiers if tier.startswith("masks")]
    mine = masks[first // PIECE % len(masks)]
    return [f"loop-{WITHOUT_FMA}" if mine.endswith(WITHOUT_FMA) else "loop", mine]


def run_kernels(arguments, tiers, first, count):
    """The kernels' results, by seed. A process that ends, or does not go on, takes the kernel it was at with it."""
    command = [arguments.runner, arguments.language] + [f"{tier}={ALL_TIERS[tier]}" for tier in tiers]
    kernels = "".join(
        json.dumps({"seed": seed} | arguments.generator(seed, arguments.statements).launch()) + "\n"
        for seed in range(first, first + count)
    )
    environment = dict(os.environ, UNDERSTUDY_TIME_LIMIT="20000")
    try:
        done = subprocess.run(
            command, input=kernels, capture_output=True, text=True, timeout=SECONDS, env=environment, errors="replace"
        )
        lines, end = done.stdout, f"the process ended ({done.returncode}): {done.stderr[-300:]}"
    except subprocess.TimeoutExpired as late:
        lines, end = (late.stdout or b"").decode(), "the process did not end"
    results = dict(json.loads(line) for line in lines.splitlines())
    missing = next((seed for seed in range(first, first + count) if seed not in results), None)
    if missing is not None:
        results[missing] = dict.fromkeys(tiers, f"error: {end}")
        rest = first + count - missing - 1
        if rest:
            results |= run_kernels(arguments, tiers, missing + 1, rest)
    return results


def is_different(outcomes):
    groups = {(tier.endswith(WITHOUT_FMA), outcome) for tier, outcome in outcomes.items()}
    return len(groups) > len({group for group, _ in groups}) or any(o.startswith("error") for o in outcomes.values())


def run_piece(arguments, first, count):
    """Says what differs. Which tiers ran the kernels, and how many differ; None if it is too late to begin."""
    if time.monotonic() > arguments.until:
        return None
    tiers = tiers_of(arguments, first)
    results = run_kernels(arguments, tiers, first, count)
    different = [seed for seed, outcomes in sorted(results.items()) if is_different(outcomes)]
    for seed in different:
        print(f"seed {seed}: {results[seed]}", flush=True)
    return tiers, count, different


def main(description, language, generator, count, more=None):
    """`count`: so many kernels unless the command line says otherwise. `more`: the generator for --more. The exit code:
    1 if anything differs."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--runner", default="build/dev/bin/us-run-kernels")
    parser.set_defaults(generator=generator)
    if more:
        parser.add_argument(
            "--more", action="store_const", const=more, dest="generator", help="kernels of more instructions"
        )
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument(
        "--tiers", default=",".join(TIERS), help=f"of {', '.join(ALL_TIERS)}; targets: those of other processors"
    )
    parser.add_argument(
        "--in-turn",
        action="store_true",
        help=f"{PIECE} kernels each for one of the tiers with masks, compared with the loop tier without",
    )
    parser.add_argument(
        "--statements", type=int, default=generator.STATEMENTS, help="of a kernel, at most: short ones take less time"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many processes side by side")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after that time")
    parser.add_argument("--show", action="store_true", help="print the kernels instead")
    arguments = parser.parse_args()
    arguments.language = language
    end = arguments.first + arguments.count
    if arguments.show:
        for seed in range(arguments.first, end):
            print(arguments.generator(seed, arguments.statements).kernel())
        return 0
    begin = time.monotonic()
    arguments.until = begin + arguments.minutes * 60
    asked = arguments.tiers.replace("targets", ",".join(TARGET_TIERS)).split(",")
    arguments.tiers = [tier for tier in asked if can_run(arguments, tier)]
    done, by_tier, different = 0, dict.fromkeys(ALL_TIERS, 0), []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        pieces = [(first, min(PIECE, end - first)) for first in range(arguments.first, end, PIECE)]
        for piece in concurrent.futures.as_completed(pool.submit(run_piece, arguments, *piece) for piece in pieces):
            if piece.result() is None:
                continue  # so it is for all behind it: pieces begin in order
            tiers, kernels, bad = piece.result()
            done += kernels
            different += bad
            for tier in tiers:
                by_tier[tier] += kernels
            print(f"{done} of {arguments.count} kernels", file=sys.stderr, flush=True)
    ran = ", ".join(f"{tier} {number}" for tier, number in by_tier.items() if number)
    seeds = f"seeds {arguments.first} to {arguments.first + done - 1}, {time.monotonic() - begin:.0f} s"
    print(f"{done} kernels, {len(different)} differences or errors; {ran}; {seeds}")
    return 1 if different else 0
