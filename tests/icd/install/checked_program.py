# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `understudy check` share: a program that writes lines as a process that is checked reports them, so
that each can be what a test needs. The command is the first argument of the test."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

UNDERSTUDY = os.path.abspath(sys.argv.pop(1))

# Appends each of its arguments as a line; other words are what it does.
PROGRAM = r"""
import os, signal, sys, time
for word in sys.argv[1:]:
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "fail":
        sys.exit(7)
    elif word.startswith("sleep"):
        time.sleep(float(word.split()[1]))
    elif word == "wait":
        sys.stdin.readline()
    else:
        file = os.open(os.environ["UNDERSTUDY_CHECK_REPORT"], os.O_WRONLY | os.O_APPEND)
        os.write(file, os.fsencode(word))
        os.close(file)
"""

OUT = {
    "key": "memory/out-of-bounds-write/store/out[i] = a * x[i];",
    "class": "memory",
    "kind": "out of bounds write",
    "sentence": "kernel 'saxpy' wrote 4 bytes past the end of buffer 'out'.",
    "kernel": "saxpy",
    "launch": 3,
    "place": {
        "file": "kernels/saxpy.cl",
        "line": 5,
        "column": 5,
        "function": "store",
        "text": "\t\tout[i] = a * x[i];",
    },
    "inlinedFrom": [{"file": "kernels/saxpy.cl", "line": 20, "function": "saxpy", "text": "  store(out, i);"}],
    "memory": "element [64] of buffer 'out', 64 floats",
    "items": "work-items 16-31 of work-groups 0-7",
    "itemCount": 128,
    "details": [["value", "1.5"], ["made", "main.cpp:12"]],
    "grid": {"localSize": [64, 1, 1], "numGroups": [8, 1, 1], "group": [2, 0, 0], "items": list(range(16, 32))},
    "strip": {"bytes": 256, "from": 256, "to": 260},
    "followOns": [
        {
            "key": "arithmetic/division-by-zero/saxpy/n / out[i]",
            "class": "arithmetic",
            "kind": "division by zero",
            "sentence": "kernel 'saxpy' divided 1 by zero.",
            "place": {"file": "kernels/saxpy.cl", "line": 6},
            "items": "work-item 16 of work-group 0",
        }
    ],
}
RACE = {
    "key": "races/write-and-write/sum/*total += x[i];",
    "class": "races",
    "kind": "write and write",
    "sentence": "work-items of kernel 'sum' write to the same memory and nothing orders them.",
    "kernel": "sum",
    "launch": 1,
    "place": {"file": "", "line": 9, "column": 3, "text": "  *total += x[i];"},
    "items": "work-items 0-3 of work-group 0",
    "itemCount": 4,
    "second": {
        "what": "write of 4 bytes, with no barrier between",
        "place": {"file": "", "line": 12, "text": "*total = 0;"},
        "items": "work-item 4 of work-group 0",
    },
}
HOSTILE = "<script>alert(1)</script>\"'&\x1b[31m\u202e]]>"


def began(process=1, checks=("memory", "races"), device="Understudy GPU"):
    return json.dumps({"began": True, "process": process, "checks": list(checks), "device": device}) + "\n"


def found(finding, process=1, **changes):
    return json.dumps({"process": process, "finding": {**finding, **changes}}) + "\n"


def ended(process=1, counts=None, launches_of=None, **changes):
    line = {"process": process, "ended": True, "kernels": 2, "launches": 10, "workItems": 640}
    return json.dumps({**line, "counts": counts or {}, "launchesOf": launches_of or {}, **changes}) + "\n"


def check(options, *lines, **keywords):
    command = [UNDERSTUDY, "check", *options, "--", sys.executable, "-c", PROGRAM, *lines]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **keywords)


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.path(name)
