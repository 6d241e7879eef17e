#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs client programs and suites on the device, records results as data, and says what differs from what is
expected."""
import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUITES = [
    "clinfo",
    "clpeak",
    "clblast",
    "hashcat",
    "hashcat_sweep",
    "programs",
    "piglit",
    "pyopencl",
    "opencl_for_python",
    "opencv",
    "ffmpeg",
    "gegl",
    "pycuda",
    "cuda_bindings",
    "tinygrad",
]
# These take a copy of somebody's repository, or long: they run when they are named.
BY_HAND = ["hashcat_sweep_cuda", "taichi", "triton", "halide", "openvino", "tinygrad_tests"]


class Device:
    """How a suite starts a program on our device."""

    def __init__(self, build, device_type, python):
        self.understudy = build / "bin" / "understudy"
        self.device_type = device_type
        self.python = python

    def command(self, program, launches=1, options=()):
        needed = ["--require-launches", str(launches)] if launches else []
        return [
            str(self.understudy),
            "run",
            "--device-type",
            self.device_type,
            *needed,
            *options,
            "--",
            *map(str, program),
        ]

    def run(self, program, launches=1, options=(), timeout=600, **keywords):
        """Runs a program; the result's stdout and stderr are one text. A timeout is exit code 124."""
        try:
            return subprocess.run(
                self.command(program, launches, options),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=timeout,
                **keywords,
            )
        except subprocess.TimeoutExpired as late:
            text = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
            return subprocess.CompletedProcess(program, 124, text + "\ntimed out\n")


def need_packages(names):
    """Installs Debian packages that are missing."""
    missing = [
        n
        for n in names
        if subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", n], capture_output=True, text=True).stdout
        != "installed"
    ]
    if missing:
        root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run(
            [*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )


def compare(suite, device_type, results):
    """results: {test: {"status": pass|fail|skip, "note": text}}. Returns the differences from what is expected."""
    path = HERE / "expected" / f"{suite}.json"
    rules = json.loads(path.read_text()) if path.exists() else []
    differences = []
    for test, result in sorted(results.items()):
        rule = next((r for r in rules if r["test"] == test and device_type in r.get("devices", [device_type])), None)
        expected = rule["status"] if rule else "pass"
        if rule:
            result["reason"] = rule["reason"]
        if result["status"] != expected:
            differences.append(
                f"{suite}: {test}: {result['status']}, expected {expected}: {result.get('note', '')[:300]}"
            )
    return differences


def made(seconds):
    """When, of which commit and on what a result was made."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return {"commit": commit, "date": time.strftime("%Y-%m-%d"), "cores": os.cpu_count(), "seconds": round(seconds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=SUITES, metavar="SUITE")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--python", type=Path, default=ROOT / "build" / "venv" / "bin" / "python")
    parser.add_argument("--device-type", default="gpu", choices=["gpu", "cpu", "accelerator"])
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(SUITES + BY_HAND))
        return 0
    sys.path.insert(0, str(HERE))
    # Suites run in folders of their own. The Python stays a link: resolving it would leave its virtual environment.
    device = Device(arguments.build.absolute(), arguments.device_type, arguments.python.absolute())
    differences, passed, failed, skipped = [], 0, 0, 0
    for name in arguments.suites:
        suite = importlib.import_module(f"suites.{name}")
        need_packages(suite.PACKAGES)
        with tempfile.TemporaryDirectory() as scratch:
            began = time.monotonic()
            results = suite.run(device, Path(scratch))
        if not results:
            differences.append(f"{name}: no test ran")
        counts = {s: sum(r["status"] == s for r in results.values()) for s in ("pass", "fail", "skip")}
        seconds = time.monotonic() - began
        print(
            f"{name} ({arguments.device_type}): {counts['pass']} pass, {counts['fail']} fail, {counts['skip']} skip; {seconds:.0f} s"
        )
        differences += compare(name, arguments.device_type, results)
        passed, failed, skipped = passed + counts["pass"], failed + counts["fail"], skipped + counts["skip"]
        (HERE / "results").mkdir(exist_ok=True)
        (HERE / "results" / f"{name}-{arguments.device_type}.json").write_text(
            json.dumps(
                {
                    "made": made(seconds),
                    "counts": counts,
                    "not passed": {k: v for k, v in sorted(results.items()) if v["status"] != "pass"},
                    "notes": {k: v["note"] for k, v in sorted(results.items()) if v["status"] == "pass" and v["note"]},
                },
                indent=1,
            )
            + "\n"
        )
    print("\n".join(differences) or "as expected")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
