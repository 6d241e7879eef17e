#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checked execution costs: the kernels of cases.py unchecked and checked, each class alone and all of them, in
interleaved rounds of one run, as ratios of CPU time. `./dev bench check` builds what it needs. With --peer another
checker runs the same kernels, once each: it may be thousands of times slower than what it checks."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import HERE, ROOT, case_names, geometric_mean, kernel_rounds, vendors

CLASSES = ["memory", "arithmetic", "uninitialized", "printf", "races", "barriers", "progress"]
TOGETHER = ["default", "all"]
TARGETS = {"memory": 3, "uninitialized": 4, "races": 10, "all": 15}

# Another checker's library, and what is set for which of its checks.
PEERS = {
    "oclgrind": (
        "/usr/lib/oclgrind/liboclgrind-rt-icd.so",
        {"memory": {}, "all": {"OCLGRIND_DATA_RACES": "1", "OCLGRIND_UNINITIALIZED": "1"}},
    )
}


def settings(build, scratch, report, checks):
    """Name -> environment; the first one is not checked."""
    ours = vendors(scratch, "understudy", (build / "lib" / "libunderstudy-icd.so").resolve())
    report = {"UNDERSTUDY_CHECK_REPORT": str(report)}
    checked = {name: {**ours, "UNDERSTUDY_CHECK": name, **report} for name in checks}
    return {"unchecked": ours, **checked}


def ratios(results, names):
    """{case: {setting: its time by that of the unchecked run}}, without cases that did not run everywhere."""
    found = {}
    for case, by_setting in results.items():
        if any("error" in by_setting[name] for name in names):
            continue
        time = {name: statistics.median(by_setting[name]["cpu_ms"]) for name in names}
        found[case] = {name: time[name] / time["unchecked"] for name in names[1:]}
    return found


def peer_times(peer, scratch, cases, limit):
    """{case: {checks: CPU ms}} of the peer's runs that end within `limit` seconds, each in a process of its own."""
    library, by_checks = PEERS[peer]
    platform = vendors(scratch, peer, library)
    found = {case: {} for case in cases}
    for case in cases:
        for checks, options in by_checks.items():
            command = [sys.executable, HERE / "measure.py", "0", case]
            environment = {**os.environ, **platform, **options}
            try:
                done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=limit)
                record = json.loads(done.stdout or '{"error": "the process died"}')
            except subprocess.TimeoutExpired:
                record = {"error": f"longer than {limit:g} s"}
            print(f"{peer} {checks} {case}: " + record.get("error", f"{record.get('cpu_ms', 0):.0f} ms"), flush=True)
            if "error" in record:
                break  # more checks take longer
            found[case][checks] = record["cpu_ms"]
    return found


def report_peer(peer, times, results, by_case):
    """The peer's ratios and ours, each over the same kernels."""
    means = {}
    for checks in PEERS[peer][1]:
        ratio = {}
        for case, ours in by_case.items():
            if checks in ours and checks in times[case]:
                unchecked = statistics.median(results[case]["unchecked"]["cpu_ms"])
                ratio[case] = (ours[checks], times[case][checks] / unchecked)
        ours, theirs = (geometric_mean([both[i] for both in ratio.values()]) for i in range(2))
        means[checks] = {"kernels": len(ratio), "ours": ours, peer: theirs}
        print(f"{checks}, {len(ratio)} kernels that {peer} ended: ours {ours:.2f}, {peer} {theirs:.0f}")
    return means


def report(results, by_case, names):
    print(f"\n{'kernel':<18}{'unchecked (CPU ms)':>20}" + "".join(f"{name:>15}" for name in names[1:]))
    for case, by_setting in results.items():
        if case in by_case:
            time = statistics.median(by_setting["unchecked"]["cpu_ms"])
            print(f"{case:<18}{time:>20.2f}" + "".join(f"{by_case[case][name]:>15.2f}" for name in names[1:]))
        for name in names:
            if "error" in by_setting[name]:
                print(f"{case}, {name}: {by_setting[name]['error']}")
    print(f"geometric means over {len(by_case)} kernels:")
    means = {name: geometric_mean([ratio[name] for ratio in by_case.values()]) for name in names[1:]}
    for name, mean in means.items():
        print(f"  {name:<15}{mean:>8.2f}" + (f" (wanted: at most {TARGETS[name]})" if name in TARGETS else ""))
    return means


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--checks", nargs="*", default=CLASSES + TOGETHER, metavar="CHECKS", help="default: all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=0.2, help="seconds per case and round")
    parser.add_argument("--peer", choices=PEERS, help="another checker that runs the same kernels")
    parser.add_argument("--limit", type=float, default=60, help="seconds that it may take for one of them")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "check_cost.json")
    arguments = parser.parse_args()
    cases = arguments.cases or case_names()
    if arguments.peer and not Path(PEERS[arguments.peer][0]).exists():
        raise SystemExit(f"{PEERS[arguments.peer][0]} is not there: Debian has a package {arguments.peer}")
    with tempfile.TemporaryDirectory() as scratch:
        findings = Path(scratch) / "findings.jsonl"
        found = settings(arguments.build, scratch, findings, arguments.checks)
        names = list(found)
        results = kernel_rounds(found, arguments.build, cases, arguments.rounds, arguments.budget)
        lines = [json.loads(line) for line in findings.read_text().splitlines()]
        times = peer_times(arguments.peer, scratch, cases, arguments.limit) if arguments.peer else {}
    by_case = ratios(results, names)
    means = report(results, by_case, names)
    for line in lines:
        if "finding" in line:
            print("found: " + line["finding"]["sentence"])
    if not any(line.get("ended") and line["launches"] for line in lines):
        raise SystemExit("nothing was checked: the device says nothing of its launches")
    kept = {"means": means, "ratios": by_case}
    if arguments.peer:
        kept[arguments.peer] = {
            "means": report_peer(arguments.peer, times, results, by_case),
            "cpu_ms": times,
        }
    arguments.json.write_text(json.dumps(kept, indent=1) + "\n")
    print(f"written to {arguments.json}")


if __name__ == "__main__":
    main()
