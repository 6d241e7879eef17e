#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our device against the peers, in one run: kernels (CPU time and wall time) and overheads, as ratios.

Peers: PoCL (Debian's pocl-opencl-icd) and Intel's CPU runtime (PyPI's intel-opencl-rt), when installed; for kernels
also what is written by hand for this machine (benchmarks/limits), when it was built. Rounds are interleaved, because
the machine's speed drifts; a figure is the median over rounds."""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def case_names(*files):
    """Of both files, if none is named."""
    return [
        name
        for file in files or ("cases.py", "unseen.py")
        for name in re.findall(r"@case\ndef (\w+)", (HERE / file).read_text())
    ]


def vendors(scratch, name, library):
    folder = Path(scratch) / name
    folder.mkdir()
    (folder / f"{name}.icd").write_text(f"{library}\n")
    return {"OCL_ICD_VENDORS": str(folder)}


def runtimes(build, before, intel, scratch):
    """Name -> environment of every runtime that is installed; ours first, then another build of ours if one is to be
    compared."""
    found = {"understudy": vendors(scratch, "understudy", (build / "lib" / "libunderstudy-icd.so").resolve())}
    if before:
        found["before"] = vendors(scratch, "before", (before / "lib" / "libunderstudy-icd.so").resolve())
    pocl = Path("/etc/OpenCL/vendors/pocl.icd")
    if pocl.exists():
        found["pocl"] = vendors(scratch, "pocl", pocl.read_text().strip())
    library = intel / "lib" / "libintelocl.so" if intel else None
    if library and library.exists():
        found["intel"] = {**vendors(scratch, "intel", library), "LD_LIBRARY_PATH": str(library.parent)}
    return found


def limits(build):
    """The hand-written versions, as one more runtime that has kernels alone. Threads that wait take no CPU time."""
    library = build / "lib" / "libus_limits.so"
    waiting = {"OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
    return {"limit": {"BENCH_LIMITS": str(library.resolve()), **waiting}} if library.exists() else {}


def kernel_rounds(found, build, cases, rounds, budget):
    """{case: {runtime: {"cpu_ms": [...], "wall_ms": [...]} or {"error": text}}}"""
    launches = build / "lib" / "libus_launches.so"
    same = {"BENCH_LAUNCHES": str(launches.resolve())} if launches.exists() else {}
    results = {c: {r: {"cpu_ms": [], "wall_ms": []} for r in found} for c in cases}
    for _ in range(rounds):
        for runtime, environment in found.items():
            done = subprocess.run(
                [sys.executable, HERE / "measure.py", str(budget), *cases],
                capture_output=True,
                text=True,
                env={**os.environ, **same, **environment},
            )
            seen = set()
            for line in done.stdout.splitlines():
                record = json.loads(line)
                seen.add(record["case"])
                into = results[record["case"]][runtime]
                if "error" in record:
                    into["error"] = record["error"]
                else:
                    into["cpu_ms"].append(record["cpu_ms"])
                    into["wall_ms"].append(record["wall_ms"])
            for lost in set(cases) - seen:
                results[lost][runtime]["error"] = "the process died: " + done.stderr[-200:]
    return results


def overhead_rounds(found, build, rounds):
    """{metric: {runtime: [figures]}} from the overheads program, a fresh process and cache state each time."""
    results = {}
    program = build / "bin" / "overheads"
    for _ in range(rounds):
        for runtime, environment in found.items():
            with tempfile.TemporaryDirectory() as cache:
                fresh = {**os.environ, **environment, "XDG_CACHE_HOME": cache, "POCL_CACHE_DIR": cache + "/pocl"}
                for mode in ("cold", "warm", "steady"):
                    done = subprocess.run([program, mode], capture_output=True, text=True, env=fresh)
                    if done.returncode:
                        continue
                    for name, figure in json.loads(done.stdout).items():
                        results.setdefault(name, {}).setdefault(runtime, []).append(figure)
                # With the interpreter that Debian's OpenCV is made for; it says so when there is none.
                done = subprocess.run(
                    ["/usr/bin/python3", HERE / "filter_chain.py"],
                    capture_output=True,
                    text=True,
                    env={**fresh, "OPENCV_OPENCL_DEVICE": "::"},
                )  # any platform, any type
                for name, figure in (json.loads(done.stdout) if done.returncode == 0 else {}).items():
                    results.setdefault(name, {}).setdefault(runtime, []).append(figure)
    return results


def cuda_rounds(build, rounds):
    """The CUDA driver library's own figures: {metric: {"understudy": [figures]}}."""
    results = {}
    program = [build / "bin" / "understudy", "run", "--", build / "bin" / "cuda_overheads"]
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            fresh = {**os.environ, "XDG_CACHE_HOME": cache}
            for label, mode in (("cold", ["first"]), ("cached", ["first"]), ("", ["launch"]), ("", ["graph"])):
                done = subprocess.run([*program, *mode], capture_output=True, text=True, env=fresh)
                for name, figure in (json.loads(done.stdout) if done.returncode == 0 else {}).items():
                    results.setdefault(f"CUDA {label} {name}".replace("  ", " "), {}).setdefault(
                        "understudy", []
                    ).append(figure)
    return results


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def ratios(kernels, peer, clock):
    """{case: ours by the peer's}, of cases that both ran."""
    found = {}
    for case, by_runtime in kernels.items():
        both = [by_runtime[runtime] for runtime in ("understudy", peer)]
        if not any("error" in one for one in both):
            ours, theirs = (statistics.median(one[clock]) for one in both)
            found[case] = ours / theirs
    return found


def beside(kernels, peer):
    """What is kept of a peer: each ratio, and geometric means of both kinds of kernels."""
    unseen = set(case_names("unseen.py"))
    kept = {}
    for clock, name in (("cpu_ms", "CPU time"), ("wall_ms", "wall time")):
        by_case = ratios(kernels, peer, clock)
        kept[name] = {
            kind: {
                "geometric mean": round(geometric_mean(some.values()), 2),
                "ratios": {case: round(ratio, 2) for case, ratio in some.items()},
            }
            for kind, some in (
                ("that tuning saw", {case: ratio for case, ratio in by_case.items() if case not in unseen}),
                ("that no tuning saw", {case: ratio for case, ratio in by_case.items() if case in unseen}),
            )
            if some
        }
    return kept


def report_kernels(found, kernels):
    peers = [r for r in found if r != "understudy"]
    print(f"\n{'kernel (CPU ms)':<18}" + "".join(f"{r:>12}" for r in found) + "".join(f"{'/ ' + p:>10}" for p in peers))
    by_peer = {peer: beside(kernels, peer) for peer in peers}
    for case, by_runtime in kernels.items():
        row = f"{case:<18}"
        for runtime in found:
            figures = by_runtime[runtime]
            row += f"{'failed':>12}" if "error" in figures else f"{statistics.median(figures['cpu_ms']):>12.2f}"
        for peer in peers:
            ratio = [kind["ratios"][case] for kind in by_peer[peer]["CPU time"].values() if case in kind["ratios"]]
            row += f"{ratio[0]:>10.2f}" if ratio else f"{'-':>10}"
        print(row)
    for peer, kept in by_peer.items():
        for clock, kinds in kept.items():
            for kind, means in kinds.items():
                count = len(means["ratios"])
                print(f"ours / {peer}, {clock}, geometric mean over {count} {kind}: {means['geometric mean']:.2f}")
    for case, by_runtime in kernels.items():
        for runtime, value in by_runtime.items():
            if "error" in value:
                print(f"{case} on {runtime}: {value['error']}")
    return by_peer


def report_overheads(found, overheads):
    print(f"\n{'overhead':<44}" + "".join(f"{r:>12}" for r in found))
    for name, by_runtime in overheads.items():
        print(
            f"{name:<44}"
            + "".join(
                f"{statistics.median(by_runtime[r]):>12.2f}" if r in by_runtime else f"{'failed':>12}" for r in found
            )
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--before", type=Path, help="the build folder of another state of ours, to compare with")
    parser.add_argument(
        "--intel", type=Path, default=ROOT / "build" / "venv", help="where pip installed intel-opencl-rt"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per case and round")
    parser.add_argument("--only", choices=["kernels", "overheads"])
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "bench.json")
    arguments = parser.parse_args()
    cases = arguments.cases or case_names()
    with tempfile.TemporaryDirectory() as scratch:
        found = runtimes(arguments.build, arguments.before, arguments.intel, scratch)
        kernels, overheads = {}, {}
        with_limits = {**found, **limits(arguments.build)}
        if arguments.only != "overheads":
            kernels = kernel_rounds(with_limits, arguments.build, cases, arguments.rounds, arguments.budget)
        if arguments.only != "kernels":
            overheads = overhead_rounds(found, arguments.build, arguments.rounds)
            overheads.update(cuda_rounds(arguments.build, arguments.rounds))
    kept = {"kernels": kernels, "overheads": overheads}
    if kernels:
        kept["beside"] = report_kernels(with_limits, kernels)
    if overheads:
        report_overheads(found, overheads)
    arguments.json.write_text(json.dumps(kept, indent=1) + "\n")
    print(f"written to {arguments.json}")


if __name__ == "__main__":
    main()
