# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `understudy check` says of programs with mistakes: mistakes_test.py UNDERSTUDY CLIENT SOURCE [PYTHON]

SOURCE is CLIENT's, and says what is expected (tests/icd/opencl/check/mistakes.cpp says how); PYTHON has PyOpenCL."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

UNDERSTUDY, CLIENT = (os.path.abspath(word) for word in sys.argv[1:3])
SOURCE = Path(sys.argv[3]).resolve()
PYTHON = sys.argv[4] if len(sys.argv) > 4 else ""
del sys.argv[1:]
CHECKS = "memory,api,leaks,races"
# Labels of a finding's details; other words are kinds of findings.
LABELS = ("made", "released", "freed", "unmapped", "mapped", "enqueued", "changed before", "other side")


def expectations():
    """By case: kinds with the lines of their statements, and those of details."""
    found, case, begin_of = {}, None, 1
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if begin := re.match(r"void (\w+)\(\) \{", line):
            case = found.setdefault(begin[1], ([], []))
        for what in re.findall(r";\s+//~ ([\w ,]+)", line):
            for word in what.split(", "):
                case[word in LABELS].append((word, range(begin_of, number + 1)))
        if re.search(r"[;{}:](\s+//.*)?$", line) or not line.strip():
            begin_of = number + 1
    return {name: both for name, both in found.items() if any(both)}


PROGRAM = """
import numpy, pyopencl
context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)

def made():
    return pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 256)

def run(program, buffer):
    program.beyond(queue, (64,), None, buffer)

buffer = made()
run(pyopencl.Program(context, "kernel void beyond(global int *x) { x[get_global_id(0) + 1] = 1; }").build(), buffer)
queue.finish()
"""


def check(checks, *words, client=CLIENT):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [UNDERSTUDY, "check", "--checks", checks, "--json", report, "--", client, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return done, json.loads(Path(report).read_text())["findings"]


class Mistake(unittest.TestCase):
    maxDiff = None

    def test_every_case_has_an_expectation(self):
        listed = subprocess.run([CLIENT], capture_output=True, text=True).stdout.split()
        self.assertEqual(sorted(listed), sorted(expectations()))

    def test_is_not_looked_for_by_other_classes(self):
        for case in expectations():
            if case != "outOfBounds":
                done, findings = check("memory", case)
                self.assertEqual(findings, [], done.stderr)
        done, findings = check("default", "leaked")
        self.assertEqual(findings, [], done.stderr)


@unittest.skipUnless(os.path.exists(PYTHON), "there is no Python with PyOpenCL")
class PythonLines(unittest.TestCase):
    """Those of a program in Python, and not of the packages that it uses."""

    def test_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program.py")
            program.write_text(PROGRAM)
            done, [finding] = check("default", str(program), client=PYTHON)
        self.assertIn(["made", f"clCreateBuffer at {program}:7, in 'made'"], finding["details"], done.stderr)
        self.assertIn(["enqueued", f"clEnqueueNDRangeKernel at {program}:10, in 'run'"], finding["details"])


def add(name, kinds, details):
    def wrong(self):
        done, findings = check(CHECKS, name)
        self.assertEqual(done.returncode, 123, done.stderr)
        if kinds:
            self.assertEqual([one["kind"] for one in findings], [kind for kind, _ in kinds], done.stderr)
            for one, (_, lines) in zip(findings, kinds):
                self.assertEqual(Path(one["place"]["file"]).name, SOURCE.name)
                self.assertIn(one["place"]["line"], lines, done.stderr)
        self.assertEqual(len(findings), max(len(kinds), 1), done.stderr)
        told = [tuple(detail) for one in findings for detail in one.get("details", [])]
        sides = [one["second"]["place"] for one in findings if "second" in one]
        told += [("other side", f"/{Path(place['file']).name}:{place['line']}, in ") for place in sides]
        for label, lines in details:
            texts = [
                text
                for other, text in told
                if other == label
                for line in lines
                if f"/{SOURCE.name}:{line}, in " in text
            ]
            self.assertTrue(texts, (label, lines, told))

    def fixed(self):
        done, findings = check(CHECKS, name, "fixed")
        self.assertEqual(findings, [], done.stderr)
        self.assertIn(done.returncode, (0, 124), done.stderr)

    setattr(Mistake, f"test_{name}", wrong)
    setattr(Mistake, f"test_{name}_corrected", fixed)


for name, (kinds, details) in expectations().items():
    add(name, kinds, details)

if __name__ == "__main__":
    unittest.main()
