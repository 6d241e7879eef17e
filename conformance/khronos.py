#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a local build of Khronos's OpenCL tests, one test function at a time, and records the counts. Nothing of those
tests is part of this repository: `--tests` names the build's folder `test_conformance`.

What has an outcome already is not run again (`--state` holds it), so that a long run can be interrupted and continued.
The results say of each test that did not pass why (conformance/expected/khronos.json)."""
import argparse
import concurrent.futures
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from run import Device

HERE = Path(__file__).resolve().parent
# suite: options. `=` stands for a space. Wimpy mode (-w) and scalars (-1) where the whole takes days.
SUITES = {
    "api": [],
    "basic": [],
    "compiler": [],
    "computeinfo": [],
    "commonfns": [],
    "geometrics": [],
    "relationals": [],
    "thread_dimensions": [],
    "multiple_device_context": [],
    "atomics": [],
    "profiling": [],
    "events": [],
    "vectors": [],
    "printf": [],
    "device_partition": [],
    "buffers": [],
    "mem_host_flags": [],
    "contractions": [],
    "half": ["-w"],
    "select": ["-w"],
    "integer_ops": [],
    "generic_address_space": [],
    "non_uniform_work_group": [],
    "workgroups": [],
    "subgroups": [],
    "device_timer": [],
    "allocations": [],
    "c11_atomics": ["-internalIterations=100", "-maxDeviceThreads=256"],
    "conversions": ["-w", "-1"],
    "math_brute_force": ["-w", "-1"],
}
# What the releases of 2026 are called; the programs of both take the same options.
RELEASES_2026 = {"2026-07": "v2026-07-09-00", "2026-08": "of 18 August 2026 (b8f8906c)"}
# Of these releases; a suite's name is its folder.
SUITES_2026 = {
    **SUITES,
    "spirv_new": [],
    "extensions/cl_khr_command_buffer": [],
    "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch": [],
    "extensions/cl_khr_semaphore": [],
    "extensions/cl_khr_kernel_clock": [],
    "extensions/cl_khr_external_memory_dma_buf": [],
    "extensions/cl_ext_buffer_device_address": [],
    "extensions/cl_ext_cxx_for_opencl": [],
    "pipes": [],
    "device_execution": ["-w"],
    "SVM": [],
    "spir": [],
    "integer_ops": ["-w"],
    "non_uniform_work_group": ["-w"],
    "thread_dimensions": ["-w"],
    "conversions": ["-w"],
    "math_brute_force": ["-w"],
    "images/kernel_image_methods": ["-w"],
    "images/kernel_read_write": ["-w"],
    "images/clCopyImage": ["-w"],
    "images/clFillImage": ["-w"],
    "images/clGetInfo": ["-w"],
    "images/clReadWriteImage": ["-w"],
    "images/samplerlessReads": ["-w"],
}
PROGRAMS = {
    "math_brute_force": "test_bruteforce",
    "multiple_device_context": "test_multiples",
    "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch": "test_cl_khr_mutable_dispatch",
    "SVM": "test_svm",
    "images/kernel_read_write": "test_image_streams",
    "images/clCopyImage": "test_cl_copy_images",
    "images/clFillImage": "test_cl_fill_images",
    "images/clGetInfo": "test_cl_get_info",
    "images/clReadWriteImage": "test_cl_read_write_images",
    "images/samplerlessReads": "test_samplerless_reads",
}
# Where the names are not printed, or one function takes arguments.
OPTIONS_LAST = {"c11_atomics"}
NO_TESTS = {"overwrite", "cl_offline_compiler"}  # words of the options' help
TESTS = {"allocations": ["single 5 all", "multiple 5 all"]}
# Each test of such a name in each of these modes, which stand before it.
MODES_2026 = {
    "allocations": (r"\w+", ["single", "multiple"]),
    "images/kernel_read_write": (
        r"\dD\w*",
        ["read CL_FILTER_NEAREST", "read CL_FILTER_LINEAR", "write", "read_write"]
        + [f"use_pitches {mode}" for mode in ("read CL_FILTER_NEAREST", "read CL_FILTER_LINEAR", "write", "read_write")]
        + [f"test_mipmaps {mode}" for mode in ("read CL_FILTER_NEAREST", "read CL_FILTER_LINEAR", "write")],
    ),
    "images/clCopyImage": (r"\w+", ["", "use_pitches", "test_mipmaps"]),
    "images/clFillImage": (r"\w+", ["", "use_pitches"]),
    "images/clReadWriteImage": (r"\w+", ["", "use_pitches", "test_mipmaps"]),
    "images/samplerlessReads": (r"\w+", ["", "use_pitches"]),
}
# What --exhaustive runs, of scalars, each test on one thread: all values of 32 bits and less, and 2^32 of what has more
# (wider types, several arguments). Of all functions of doubles first a 64th of these, or a 128th.
SUITES_EXHAUSTIVE = {"contractions": [], "conversions": ["-1", "-m"], "math_brute_force": ["-1", "-m"]}
# These switch types off, so that each type is a test of its own: float, some values of double, half, double.
MODES_EXHAUSTIVE = {
    "math_brute_force": (r"(?!half_|.*_cr$|negation)\w+", ["-d -g", "-f -r -g -w -[4]", "-f -r -d", "-f -r -g"]),
}


def conversions(half):
    """Every conversion has a name of its own; the program lists them in the release of July 2026 alone."""
    types = ["uchar", "char", "ushort", "short", "uint", "int", *["half"] * half, "float", "double", "ulong", "long"]
    return [
        f"{to}{saturated}{rounding}_{source}"
        for to in types
        for saturated in ("", "_sat")
        if not saturated or to not in ("half", "float", "double")
        for rounding in ("", "_rte", "_rtp", "_rtn", "_rtz")
        for source in types
    ]


class Khronos:
    def __init__(self, device, tests, listed, modes):
        self.device, self.tests, self.listed, self.modes = device, tests, listed, modes

    def command(self, suite, arguments):
        return self.device.command(["./" + PROGRAMS.get(suite, f"test_{Path(suite).name}"), *arguments], launches=0)

    def names(self, suite):
        if suite in TESTS and not self.listed:
            return TESTS[suite]
        if suite == "conversions" and not self.listed:
            return conversions(half=False)
        flag = "--list" if self.listed else "-p" if suite == "math_brute_force" else "-h"
        text = subprocess.run(
            self.command(suite, [flag]),
            cwd=self.tests / suite,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=100,
        ).stdout
        listed = re.split(r"(?:Test|Math function) names:", text)[-1]
        names = [name for name in re.findall(r"^\s+(\w+)$", listed, re.M) if name not in NO_TESTS]
        if suite == "conversions" and names == ["conversions"]:
            # This name converts nothing, and passes.
            return conversions(half=True)
        if suite not in self.modes:
            return names
        which, modes = self.modes[suite]
        return [f"{mode} {name}".strip() for name in names for mode in (modes if re.fullmatch(which, name) else [""])]

    def run(self, suite, test, options, limit, scratch):
        name = f"{suite.replace('/', '.')}.{test.replace(' ', '_')}"
        report = scratch / f"{name}.json"
        report.unlink(missing_ok=True)
        split = [part for option in options for part in option.split("=")]
        arguments = test.split() + split if suite in OPTIONS_LAST else split + test.split()
        environment = {
            **os.environ,
            "CL_CONFORMANCE_RESULTS_FILENAME": str(report),
            "CL_DEVICE_TYPE": "CL_DEVICE_TYPE_" + self.device.device_type.upper(),
        }
        with open(scratch / f"{name}.log", "w") as log:
            process = subprocess.Popen(
                self.command(suite, arguments),
                cwd=self.tests / suite,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                process_group=0,
            )
            # Processor time is what counts on a busy machine; a test that waits ends too.
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit))
            end = time.monotonic() + 10 * limit
            while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
                if time.monotonic() > end:
                    os.killpg(process.pid, signal.SIGKILL)
                time.sleep(0.02)
            code, used = os.waitstatus_to_exitcode(ended[1]), ended[2].ru_utime + ended[2].ru_stime
            process.returncode = code
        named = json.loads(report.read_text()).get("results", {}) if report.exists() else {}
        # Some programs report no names: the exit code is their word.
        stopped = used >= limit or time.monotonic() > end
        status = "stopped" if stopped else named.get(test.split()[-1]) or ("pass" if code == 0 else "fail")
        return {"status": status, "seconds": round(used, 1), "options": options}


def groups(suite, tests):
    """Modes that were run apart have entries of their own in the results: those told by an option, and images with
    pitches and with levels."""
    groups = {}
    for test, result in tests.items():
        mode = re.match(r"((-\S+|use_pitches|test_mipmaps) )*", test)[0]
        groups.setdefault(f"{suite} {mode}".strip(), {})[test[len(mode) :]] = result
    return groups


def summary(state, rules, device=None):
    suites = {}
    for suite, tests in sorted(state.items()):
        counts = {s: sum(t["status"] == s for t in tests.values()) for s in ("pass", "fail", "skip", "stopped")}
        entry = {k: v for k, v in counts.items() if v or k in ("pass", "fail")}
        options = sorted({" ".join(t["options"]) for t in tests.values() if t["options"]})
        if options:
            entry["options"] = options
        for status in ("fail", "skip", "stopped"):
            names = {}
            for test in sorted(t for t, r in tests.items() if r["status"] == status):
                rule = next(
                    (
                        r
                        for r in rules
                        if re.fullmatch(r["suite"], suite.split()[0])
                        and re.fullmatch(r["test"], test)
                        and r["status"] == status
                        and device in r.get("devices", [device])
                    ),
                    None,
                )
                reason = rule["reason"] if rule else "ran into the time limit" if status == "stopped" else "unexplained"
                names.setdefault(reason, []).append(test)
            if names:
                entry[status + " because"] = names
        entry["seconds"] = round(sum(t["seconds"] for t in tests.values()))
        suites[suite] = entry
    return suites


def added(before, entry):
    """A suite's entry with that of tests which it counted as not run."""
    if not before:
        return entry
    both = {**before, "date": entry["date"], "seconds": before.get("seconds", 0) + entry["seconds"]}
    for status in ("pass", "fail", "skip", "stopped"):
        if count := before.get(status, 0) + entry.get(status, 0):
            both[status] = count
        because = f"{status} because"
        for reason, tests in entry.get(because, {}).items():
            both.setdefault(because, {})[reason] = sorted([*both.get(because, {}).get(reason, []), *tests])
    run = sum(entry.get(status, 0) for status in ("pass", "fail", "skip", "stopped"))
    if run > before.get("not run", 0):
        raise SystemExit(f"{run} tests to add where {before.get('not run', 0)} were not run")
    both["not run"] = before["not run"] - run
    if not both["not run"]:
        del both["not run"]
    if entry["commit"] != before["commit"]:
        both["commit"] = f"{before['commit']}, {run} tests {entry['commit']}"
    return both


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="all of them if none is named")
    parser.add_argument("--tests", type=Path, help="the folder test_conformance of the build")
    parser.add_argument("--build", type=Path, default=HERE.parent / "build" / "release")
    parser.add_argument("--device-type", default="gpu")
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time for a test")
    parser.add_argument("--state", type=Path, default=HERE.parent / "build" / "khronos")
    parser.add_argument("--release", choices=["2023-05", *RELEASES_2026], default="2023-05", help="of the tests")
    parser.add_argument("--commit", help="what was run, with a release of 2026")
    parser.add_argument("--only", help="a regular expression: only the tests it matches")
    parser.add_argument("--devices", help="the device to pretend to be, with a release of 2026")
    parser.add_argument(
        "--exhaustive", action="store_true", help="numerical suites without wimpy mode, with a release of 2026"
    )
    parser.add_argument(
        "--add", action="store_true", help="the tests of the state are some of those that the results count as not run"
    )
    parser.add_argument("--jobs", type=int, default=1, help="tests that run at a time")
    arguments = parser.parse_args()
    if arguments.devices:
        os.environ["UNDERSTUDY_DEVICES"] = arguments.devices
    arguments.state = arguments.state.absolute()
    arguments.state.mkdir(parents=True, exist_ok=True)
    is_2026 = arguments.release in RELEASES_2026
    options, modes = (SUITES_2026, MODES_2026) if is_2026 else (SUITES, {})
    if arguments.exhaustive:
        options, modes = SUITES_EXHAUSTIVE, MODES_EXHAUSTIVE
    record = arguments.state / "state.json"
    state = json.loads(record.read_text()) if record.exists() else {}
    missing = {}
    if arguments.tests:
        device = Device(arguments.build.absolute(), arguments.device_type, sys.executable)
        khronos = Khronos(device, arguments.tests.absolute(), listed=is_2026, modes=modes)
        writing = threading.Lock()

        def run(suite, test):
            outcome = khronos.run(suite, test, options.get(suite, []), arguments.limit, arguments.state)
            with writing:
                state[suite][test] = outcome
                record.write_text(json.dumps(state, indent=1))
                print(f"{suite} {test}: {outcome['status']}, {outcome['seconds']} s", flush=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            runs = []
            for suite in arguments.suites or options:
                known = state.setdefault(suite, {})
                names = khronos.names(suite)
                if not names and arguments.suites:
                    sys.exit(f"{suite}: {arguments.tests / suite} has no program that lists tests")
                for test in names:
                    if known.get(test, {"status": "stopped"})["status"] != "stopped":
                        continue
                    if not arguments.only or re.fullmatch(arguments.only, test):
                        runs.append(pool.submit(run, suite, test))
            for outcome in concurrent.futures.as_completed(runs):
                outcome.result()
        for suite, tests in state.items():
            left = dict.fromkeys(name for name in khronos.names(suite) if name not in tests) if tests else {}
            missing.update({name: len(group) for name, group in groups(suite, left).items()})
    prefix = "khronos_2026" if arguments.release == "2026-07" else f"khronos_{arguments.release}"
    name = f"{prefix}-{arguments.devices or arguments.device_type}" if is_2026 else "khronos"
    name += "-exhaustive" if arguments.exhaustive else ""
    rules = json.loads((HERE / "expected" / ("khronos_2026.json" if is_2026 else "khronos.json")).read_text())
    grouped = {name: group for suite, tests in state.items() for name, group in groups(suite, tests).items()}
    suites = summary(grouped, rules, arguments.devices)
    results = HERE / "results" / f"{name}.json"
    how = (
        "Khronos OpenCL-CTS, release of May 2023, built locally, run by conformance/khronos.py on the GPU-type device. Counts "
        "of test functions. `stopped`: ran into the time limit of the run, on a machine with two shared cores. This is no "
        "conformance submission."
    )
    if is_2026:
        how = (
            f"Khronos OpenCL-CTS {RELEASES_2026[arguments.release]}, built locally, run by conformance/khronos.py "
            f"--release {arguments.release} on our "
            f"{arguments.devices or arguments.device_type.upper() + '-type'} device, each test function in a process of its "
            "own. Each suite has its commit, its date and its seconds of processor time, where a release build ran it. "
            "Suites that are not listed were not run. This is no conformance submission."
        )
        if arguments.exhaustive:
            how = how.replace(arguments.release, f"{arguments.release} --exhaustive") + (
                " Scalars, without wimpy mode: every value of 32 bits and less, 2^32 values of what has more; with "
                "-w -[4] a 64th or a 128th of these, for the functions of doubles too, all of which ran whole. -d -g: "
                "functions of floats, relaxed ones too; "
                "-f -r -d: of halves; -f -r -g: of doubles. -m: one thread of the host, for which the suite itself "
                "calls a run invalid as a submission."
            )
        for suite, entry in suites.items():
            entry.update(commit=arguments.commit, date=time.strftime("%Y-%m-%d"))
            if missing.get(suite):
                entry["not run"] = missing[suite]
        # What this state does not know was run before.
        before = json.loads(results.read_text())["suites"] if results.exists() else {}
        if arguments.add:
            suites = {suite: added(before.get(suite), entry) for suite, entry in suites.items()}
        suites = dict(sorted({**before, **suites}.items()))
    results.write_text(json.dumps({"how": how, "suites": suites}, indent=1) + "\n")
    unexplained = [
        f"{s}: {n}"
        for s, e in suites.items()
        for k in ("fail because", "skip because")
        for n in e.get(k, {}).get("unexplained", [])
    ]
    print("\n".join(unexplained) or "as expected")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
