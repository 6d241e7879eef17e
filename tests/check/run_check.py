#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel with all checks and compares what is found with the comments of its file, then its corrected twin, in
which nothing may be found.
A file is OpenCL C, PTX, or CUDA C++, which NVCC makes PTX of.
Usage: run_check.py US-RUN NVCC FILE TIER..."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def expected(path):
    """(line, kind, items) of each comment; "//~0": of a line that is not known; "//~?", None: of some line."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if comment := re.search(r"//~([0?]?) (.*)$", line):
            for one in comment[2].split(" | "):
                kind, _, items = one.partition(": ")
                found.append(({"0": 0, "?": None, "": number}[comment[1]], kind, items))
    return found


def preprocessed(text, fixed):
    """Of PTX, which has no preprocessor: lines that are not chosen are empty."""
    lines, chosen = [], True
    for line in text.splitlines():
        word = line.split(maxsplit=1)[0] if line.startswith("#") else ""
        if word in ("#ifdef", "#ifndef"):
            chosen = fixed == (word == "#ifdef")
        elif word:
            chosen = word == "#endif" or not chosen
        lines.append(line if chosen and not word else "")
    return "\n".join(lines) + "\n"


def program(nvcc, path, fixed, folder):
    """What us-run is given for one variant."""
    if path.suffix == ".cu":
        ptx = Path(folder) / "module.ptx"
        define = ["-DFIXED"] if fixed else []
        subprocess.run([nvcc, "--ptx", "-lineinfo", "-arch=sm_80", *define, "-o", str(ptx), str(path)], check=True)
        return ["--ptx", str(ptx), str(path)]
    if path.suffix == ".ptx":
        chosen = Path(folder) / path.name
        chosen.write_text(preprocessed(path.read_text(), fixed))
        return [str(chosen)]
    return ["--options", "-cl-kernel-arg-info" + (" -DFIXED" if fixed else ""), str(path)]


def reported(us_run, nvcc, path, tier, fixed):
    """The same of a run, and what else is wrong with it."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as report, tempfile.TemporaryDirectory() as folder:
        settings = {"CACHE": "no", "CHECK": "all", "CHECK_REPORT": report.name, "THREADS": "1"}
        settings |= {"CHECK_STEPS": "65536", "CHECK_WAIT": "200"}
        command = [us_run, "--tier", tier, "--compact"]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        run = subprocess.run(command + program(nvcc, path, fixed, folder), capture_output=True, text=True)
        lines = [json.loads(line) for line in Path(report.name).read_text().splitlines()]
    problems = []
    # What has no end is ended.
    if run.returncode not in (0, 1, 4):
        problems.append(f"us-run exits with {run.returncode}: {run.stdout}{run.stderr}")
    ends = [line for line in lines if line.get("ended")]
    if not ends or ends[-1]["launches"] == 0:
        problems.append(f"nothing was checked: {run.stdout}{run.stderr}")
    found = [line["finding"] for line in lines if "finding" in line]
    for one in list(found):
        found += [{**follow, "kind": "> " + follow["kind"]} for follow in one.get("followOns", [])]
    if path.suffix == ".cu":
        for one in found:
            if "place" in one and Path(one["place"]["file"]).name != path.name:
                one["place"]["line"] = 0
    return found, run, problems


def check(us_run, nvcc, path, tier):
    problems = []
    found, _, more = reported(us_run, nvcc, path, tier, False)
    problems += more
    # A work-group of one tier may say less than another's: who is compared as the report says it.
    seen = [(one.get("place", {}).get("line", 0), one["kind"], one["items"]) for one in found]
    for one in expected(path):
        found_there = [
            other for other in seen if one[1:] == other[1:] and (one[0] == other[0] or (one[0] is None and other[0]))
        ]
        if found_there:
            seen.remove(found_there[0])
        else:
            problems.append(f"missing: line {one[0]}, {one[1]}: {one[2]}")
    problems += [f"not expected: line {line}, {kind}: {items}" for line, kind, items in seen]
    if problems:
        problems += [one["sentence"] for one in found]
    found, run, more = reported(us_run, nvcc, path, tier, True)
    problems += more
    problems += [f"found in the corrected twin: {one['sentence']}" for one in found]
    if run.returncode != 0:
        problems.append(f"the corrected twin computes something else: {run.stdout}")
    return problems


def main():
    us_run, nvcc, path, tiers = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
    if not expected(path):
        sys.exit(f"{path}: no comment says what is found")
    failed = False
    for tier in tiers:
        for problem in check(us_run, nvcc, path, tier):
            print(f"{path.name}, {tier} tier: {problem}")
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
