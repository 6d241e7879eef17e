# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`understudy check`: check_test.py <understudy>

What the command prints, and does, with the lines that processes report."""
import json
import os
import pty
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from checked_program import HOSTILE, OUT, PROGRAM, RACE, UNDERSTUDY, WithFolder, began, check, ended, found


class ExitCode(unittest.TestCase):
    def test_says_that_something_was_found(self):
        self.assertEqual(check([], began(), found(OUT), ended()).returncode, 123)
        self.assertEqual(check([], began(), found(OUT), ended(), "fail").returncode, 123)

    def test_is_the_programs_if_nothing_was_found(self):
        self.assertEqual(check([], began(), ended()).returncode, 0)
        self.assertEqual(check([], began(), ended(), "fail").returncode, 7)
        self.assertEqual(check([], began(), ended(), "die").returncode, 128 + 9)

    def test_says_that_nothing_ran(self):
        for lines in ([], [began()[:-1] + "\n", ended(launches=0, kernels=0, workItems=0)]):
            done = check([], *lines)
            self.assertEqual(done.returncode, 124, lines)
            self.assertIn("understudy: nothing ran on a checked device\n", done.stderr)
        done = check([], "fail")
        self.assertEqual(done.returncode, 7)
        self.assertIn("understudy: nothing ran on a checked device\n", done.stderr)

    def test_of_a_program_that_cannot_be_started(self):
        done = subprocess.run([UNDERSTUDY, "check", "--", "/no/such/program"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 127)
        self.assertIn("understudy: cannot start '/no/such/program': No such file or directory", done.stderr)

    def test_without_a_program_is_an_error_of_the_command_line(self):
        done = subprocess.run([UNDERSTUDY, "check", "--checks", "memory"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 106)
        self.assertIn("understudy check [options] -- program", done.stderr)


class Environment(unittest.TestCase):
    SHOW = ["sh", "-c", 'echo "$UNDERSTUDY_CHECK|$UNDERSTUDY_DEVICES|$UNDERSTUDY_SEED"']

    def shown(self, *options, **environment):
        clean = {name: text for name, text in os.environ.items() if not name.startswith("UNDERSTUDY_")}
        command = [UNDERSTUDY, "check", *options, "--", *self.SHOW]
        return subprocess.run(command, capture_output=True, text=True, env={**clean, **environment}).stdout.strip()

    def test_names_the_checks_and_emulated_devices(self):
        self.assertEqual(self.shown(), "default|emulated|")
        self.assertEqual(self.shown("--checks", "memory,barriers", "--seed", "7"), "memory,barriers|emulated|7")
        self.assertEqual(self.shown("--checks=memory", "--devices", "2"), "memory|2|")

    def test_keeps_what_was_set(self):
        self.assertEqual(self.shown(UNDERSTUDY_CHECK="memory", UNDERSTUDY_DEVICES="3"), "memory|3|")

    def test_refuses_checks_that_are_not_there(self):
        done = check(["--checks", "memory,spelling"])
        self.assertEqual(done.returncode, 125)
        self.assertRegex(done.stderr, "^understudy: .*'spelling' is not .*memory.*\n$")

    def test_leaves_no_file(self):
        command = [UNDERSTUDY, "check", "--", "sh", "-c", "echo $UNDERSTUDY_CHECK_REPORT"]
        path = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        self.assertTrue(path)
        self.assertFalse(os.path.exists(path))


class Text(unittest.TestCase):
    maxDiff = None

    def test_of_a_finding(self):
        counts = {OUT["key"]: 512}, {OUT["key"]: 4}
        done = check([], began(), found(OUT), ended(1, *counts))
        self.assertEqual(
            done.stderr,
            """\
understudy: checks on 'Understudy GPU': memory, races
understudy: memory: out of bounds write in kernel 'saxpy'
  kernel 'saxpy' wrote 4 bytes past the end of buffer 'out'.
  memory: element [64] of buffer 'out', 64 floats
  who: work-items 16-31 of work-groups 0-7 (128 work-items)
  where: kernels/saxpy.cl:5:5, in 'store', launch 3
    5 | out[i] = a * x[i];
      |   ^
    inlined into: kernels/saxpy.cl:20, in 'saxpy'
      20 | store(out, i);
  value: 1.5
  made: main.cpp:12
  follows from it: arithmetic: division by zero, kernels/saxpy.cl:6, work-item 16 of work-group 0
  key: memory/out-of-bounds-write/store/out[i] = a \\* x[i];
understudy:   memory: out of bounds write, kernels/saxpy.cl:5:5, in 'store': 512 work-items in 4 launches of 1 process
understudy: 2 kernels, 10 launches, 640 work-items: 1 finding (memory 1)
""",
        )

    def test_of_the_other_side(self):
        done = check([], began(), found(RACE), ended())
        self.assertIn(
            """\
  where: line 9, column 3, launch 1
    9 | *total += x[i];
      | ^
  other side: write of 4 bytes, with no barrier between, work-item 4 of work-group 0
    where: line 12
      12 | *total = 0;
""",
            done.stderr,
        )

    def test_of_what_the_host_did(self):
        mistake = {"key": "api/x/main/f();", "class": "api", "kind": "x", "sentence": "f does x.", "kernel": ""}
        place = {"file": "main.c", "line": 3, "function": "main", "text": "  f();"}
        line = found(
            {**mistake, "launch": 0, "place": place, "items": "", "itemCount": 0, "details": [["made", "main.c:1"]]}
        )
        done = check([], line, ended(1, {}, {mistake["key"]: 3}, launches=0, kernels=0, workItems=0))
        self.assertEqual(done.returncode, 123)
        self.assertEqual(
            done.stderr,
            """\
understudy: api: x
  f does x.
  where: main.c:3, in 'main'
    3 | f();
  made: main.c:1
  key: api/x/main/f();
understudy:   api: x, main.c:3, in 'main': 3 times in 1 process
understudy: 0 kernels, 0 launches, 0 work-items: 1 finding (api 1)
""",
        )

    def test_of_a_clean_run(self):
        done = check([], began(), ended())
        self.assertIn("understudy: 2 kernels, 10 launches, 640 work-items: nothing was found\n", done.stderr)

    def test_has_no_control_characters(self):
        place = {"file": HOSTILE, "line": 1, "column": 30, "function": HOSTILE, "text": HOSTILE + "\r\n" + "x" * 40}
        done = check([], began(device=HOSTILE), found(OUT, kernel=HOSTILE, place=place, sentence=HOSTILE), ended())
        self.assertNotRegex(done.stderr, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
        self.assertIn(r"\x1b[31m\u202e", done.stderr)

    def test_cuts_long_lines_around_the_column(self):
        place = {"line": 1, "column": 5001, "text": "ä" * 2500 + "here" + "b" * 9000}
        done = check([], began(), found(OUT, place=place), ended())
        line, caret = re.search(r"    1 \| (.*)\n      \| ( *)\^\n", done.stderr).groups()
        self.assertLess(len(line), 200)
        self.assertEqual(line[len(caret) :][:4], "here")

    def test_is_in_color_on_a_terminal_only(self):
        self.assertNotIn("\x1b", check([], began(), found(OUT), ended(), env={**os.environ, "TERM": "xterm"}).stderr)
        self.assertIn("\x1b[1;31mmemory: out of bounds write\x1b[0m", on_a_terminal({"TERM": "xterm"}))
        self.assertNotIn("\x1b", on_a_terminal({"TERM": "xterm", "NO_COLOR": "1"}))
        self.assertNotIn("\x1b", on_a_terminal({"TERM": "dumb"}))

    def test_says_on_a_terminal_that_the_program_still_runs(self):
        self.assertRegex(on_a_terminal({"TERM": "dumb"}, "sleep 5.5"), r"understudy: 5 s, 1 finding so far\r\n")
        self.assertNotIn(" so far", check([], began(), "sleep 5.5", ended()).stderr)

    def test_is_there_while_the_program_runs(self):
        command = [UNDERSTUDY, "check", "--", sys.executable, "-c", PROGRAM, began(), found(OUT), "wait", ended()]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            lines = read_until("key: ", run.stderr)
            self.assertIsNone(run.poll())
            self.assertNotIn("1 finding (", lines)
            self.assertIn("1 finding (memory 1)", run.communicate("go\n")[1])

    def test_is_there_though_the_program_is_ended(self):
        command = [UNDERSTUDY, "check", "--", sys.executable, "-c", PROGRAM, began(), found(OUT), "wait"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            read_until("key: ", run.stderr)
            run.send_signal(signal.SIGTERM)
            text = run.communicate()[1]
        self.assertEqual(run.returncode, 123)
        self.assertIn("1 finding (memory 1)\nunderstudy: the program's exit code is 143\n", text)

    def test_prints_so_many_findings_in_full(self):
        lines = [found(OUT, key=f"key {number}") for number in range(5)]
        done = check(["--blocks", "2"], began(), *lines, ended())
        self.assertEqual(done.stderr.count("\n  key: "), 2)
        self.assertIn("understudy:   and 3 findings more\n", done.stderr)
        self.assertIn("5 findings (memory 5)", done.stderr)


def read_until(word, stream):
    """The lines up to the one with the word."""
    lines = ""
    while word not in lines:
        line = stream.readline()
        assert line, f"'{word}' did not come: {lines}"
        lines += line
    return lines


def on_a_terminal(environment, *words):
    """What the command writes to its standard error, if that is a terminal."""
    ours, its = pty.openpty()
    clean = {name: text for name, text in os.environ.items() if name not in ("TERM", "NO_COLOR")}
    command = [UNDERSTUDY, "check", "--", sys.executable, "-c", PROGRAM, began(), found(OUT), *words, ended()]
    with subprocess.Popen(command, stderr=its, env={**clean, **environment}):
        os.close(its)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # as the end of a terminal shows
            pass
    os.close(ours)
    return text.decode()


class Merging(WithFolder):
    def summary(self, *lines):
        done = check(["--json", self.path("all.json")], *lines)
        self.report = json.loads((self.folder / "all.json").read_text())
        self.text = done.stderr
        return self.report["summary"]

    def test_of_the_same_key_in_several_processes(self):
        one, other = ({OUT["key"]: 1000}, {OUT["key"]: 7}), ({OUT["key"]: 24}, {OUT["key"]: 2})
        lines = [began(1), began(2), found(OUT, 1), found(OUT, 2), ended(1, *one), ended(2, *other)]
        summary = self.summary(*lines)
        self.assertEqual(summary["findings"], 1)
        self.assertEqual(summary["launches"], 20)
        [finding] = self.report["findings"]
        self.assertEqual((finding["workItems"], finding["launches"], finding["processes"]), (1024, 9, [1, 2]))
        self.assertEqual(self.text.count("\n  key: "), 1)
        self.assertEqual(self.text.count("understudy: checks on"), 1)

    def test_of_a_process_that_was_killed(self):
        summary = self.summary(began(1), began(2), found(OUT, 1), found(OUT, 2), ended(2, {OUT["key"]: 500}))
        self.assertEqual((summary["processes"], summary["silentProcesses"]), (2, 1))
        self.assertEqual(self.report["findings"][0]["workItems"], 128 + 500)
        self.assertIn("1 of 2 processes ended without a word (killed, or by _exit)", self.text)

    def test_of_a_process_that_became_another_program(self):
        self.summary(began(1), found(OUT, 1), began(1), found(OUT, 1), ended(1, {OUT["key"]: 200}, {OUT["key"]: 3}))
        [finding] = self.report["findings"]
        self.assertEqual((finding["workItems"], finding["launches"], finding["processes"]), (128 + 200, 4, [1]))

    def test_says_all_checks_and_devices(self):
        self.summary(began(1, ["memory"], "GPU"), began(2, ["races"], "CPU"), ended(1), ended(2))
        self.assertEqual((self.report["checks"], self.report["devices"]), (["memory", "races"], ["GPU", "CPU"]))

    def test_takes_lines_in_pieces(self):
        line = found(OUT)
        summary = self.summary(began(), line[:40], "sleep 0.2", line[40:90], "sleep 0.2", line[90:], ended())
        self.assertEqual(summary["findings"], 1)


class BadLines(unittest.TestCase):
    def test_are_our_failure(self):
        for line, why in (
            ("nonsense\n", "as it is not JSON: nonsense"),
            ("[" * 100000 + "\n", "as it is not JSON: [[["),
            ("{}\n", "as it has no 'process': {}"),
            ('{"process": 1}\n', "as it says neither 'began' nor 'finding' nor 'ended'"),
            ('{"process": -1, "began": true}\n', "as 'process' is not a number from 0 on"),
            ("[1]\n", "as what should be an object is none"),
            ('{"process": 1, "finding": 7}\n', "as 'finding' is not an object"),
            (found(OUT, sentence=None), "as 'sentence' is not text"),
            (found(OUT, key=""), "as 'key' is empty"),
            (found(OUT, key="two\nlines"), "as 'key' is not one line"),
            (found(OUT, inlinedFrom=["here"]), "as what should be an object is none"),
            (found(OUT, details=[["label"]]), "as 'details' is not a list of pairs of texts"),
            (found(OUT, grid={"localSize": [1, 2]}), "as 'localSize' is not a list of three numbers"),
            (found(OUT, followOns=[{"class": "memory"}]), "as it has no 'kind'"),
            (found(OUT, strip={"bytes": 4}), "as it has no 'from'"),
            (ended(counts={"unheard": 1}), "as process 1 counts a finding that it did not report: unheard"),
            ('{"process": 1, "ended": true, "counts": {"a": "b"}}\n', "as 'counts' is not an object of numbers"),
            ('{"process": 1, "began": true', "as its end is missing"),
            ('\udcff\udcfe\x1b{"process": 1}\n', "as it is not JSON"),
        ):
            done = check([], began(), ended(), line, errors="backslashreplace")
            self.assertEqual(done.returncode, 125, line)
            self.assertIn("understudy: a line of what the checks found cannot be read, " + why, done.stderr)
            self.assertNotIn("\x1b", done.stderr)

    def test_do_not_hide_the_others(self):
        done = check([], began(), "nonsense\n", found(OUT), ended())
        self.assertEqual(done.returncode, 125)
        self.assertIn("1 finding (memory 1)", done.stderr)


class Files(WithFolder):
    def test_that_cannot_be_written_are_told_before_the_program_runs(self):
        for option in ("--json", "--sarif", "--junit", "--html", "--write-suppressions"):
            done = check([option, "/nowhere/at/all"], began(), found(OUT), ended())
            self.assertEqual(done.returncode, 125)
            self.assertEqual(
                done.stderr, "understudy: '/nowhere/at/all' cannot be written: No such file or directory\n"
            )

    def test_that_get_full_are_told(self):
        done = check(["--json", "/dev/full"], began(), ended())
        self.assertEqual(done.returncode, 125)
        self.assertIn("understudy: '/dev/full' could not be written: No space left on device", done.stderr)

    def test_are_not_written_twice_or_over_what_is_read(self):
        done = check(["--json", self.path("a"), "--sarif", self.path("a")])
        self.assertEqual(done.returncode, 125)
        self.assertIn("two reports would be written to", done.stderr)
        known = self.write("known", "# by hand\n")
        done = check(["--suppressions", known, "--write-suppressions", known])
        self.assertEqual(done.returncode, 125)
        self.assertIn("is read, and would be written over", done.stderr)
        self.assertEqual(Path(known).read_text(), "# by hand\n")

    def test_of_json_have_all_fields(self):
        check(["--json", self.path("all.json")], began(), found(OUT), found(RACE), ended(), "fail")
        report = json.loads((self.folder / "all.json").read_text())
        counted = {"processes": [1], "launches": 1, "workItems": 128, "followOnCount": 1}
        self.assertEqual(report["findings"][0], {**OUT, **counted})
        self.assertEqual(report["findings"][1]["second"], RACE["second"])
        self.assertEqual(
            report["summary"],
            {
                "processes": 1,
                "silentProcesses": 0,
                "kernels": 2,
                "launches": 10,
                "workItems": 640,
                "findings": 2,
                "findingsByClass": {"memory": 1, "races": 1},
                "suppressed": 0,
                "programExitCode": 7,
                "exitCode": 123,
            },
        )


class Suppressed(WithFolder):
    def test_are_counted_and_not_shown(self):
        known = self.write("known", f"# of saxpy\n\n  memory/*write/store/*;\r\n")
        for options in (
            ["--suppressions", known],
            ["--accept", "memory*"],
            ["--accept", "x", "--accept", "*store*[i];"],
        ):
            done = check([*options, "--json", self.path("all.json")], began(), found(OUT), ended())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("key:", done.stderr)
            self.assertIn("640 work-items: nothing else was found, 1 suppressed\n", done.stderr)
            report = json.loads((self.folder / "all.json").read_text())
            self.assertTrue(report["findings"][0]["suppressedBy"])

    def test_are_only_those_that_match(self):
        key = OUT["key"]
        for pattern, matches in (
            (key, True),
            (key.replace("*", r"\*"), True),
            (key.replace("a * x", r"b \* x"), False),
            (key[:-1], False),
            (key[1:], False),
            (key[:-1] + "*", True),
            ("*" + key[1:], True),
            ("*store*out*x*", True),
            ("*x*out*store*", False),
            ("memory*memory*", False),
            ("memory**;", True),
            (key + "*" + key, False),
            (r"*\\*", False),
            ("*" * 5000 + "!", False),
        ):
            done = check(["--accept", pattern], began(), found(OUT), ended())
            self.assertEqual(done.returncode, 0 if matches else 123, pattern)

    def test_say_once_what_matched_nothing(self):
        known = self.write("known", "memory*\nraces *\n")
        done = check(["--suppressions", known, "--accept", "api*"], began(), found(OUT), found(OUT, 2), ended())
        self.assertEqual(done.stderr.count("matched nothing"), 2)
        self.assertIn(f"understudy: the suppression 'races *' ({known}:2) matched nothing\n", done.stderr)
        self.assertIn("understudy: the suppression 'api*' (--accept) matched nothing\n", done.stderr)

    def test_are_those_that_were_written(self):
        odd = {"key": "# a \\* key \\", "sentence": "two\nlines"}
        lines = [began(), found(OUT), found(RACE), found(RACE, **odd), ended()]
        done = check(["--write-suppressions", self.path("found")], *lines)
        self.assertEqual(done.returncode, 123)
        self.assertIn(
            "# " + RACE["sentence"] + "\nraces/write-and-write/sum/\\*total += x[i];\n",
            (self.folder / "found").read_text(),
        )
        done = check(["--suppressions", self.path("found"), "--write-suppressions", self.path("again")], *lines)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("matched nothing", done.stderr)
        self.assertEqual((self.folder / "found").read_text(), (self.folder / "again").read_text())
        # Exactly those.
        other = found(RACE, key=RACE["key"].replace("*", "x"))
        self.assertEqual(check(["--suppressions", self.path("found")], began(), other, ended()).returncode, 123)

    def test_must_be_readable(self):
        for path in ("/nowhere/at/all", str(self.folder)):
            done = check(["--suppressions", path])
            self.assertEqual(done.returncode, 125)
            self.assertRegex(done.stderr, f"understudy: the suppressions '{path}' cannot be read: .+\n")


# A program of the API: runs the kernels that its arguments name, on 64 work-items with a buffer for 60 of them;
# "name:same" gives a kernel of two arguments the same buffer twice.
REAL_PROGRAM = r"""
import ctypes, os, sys
cl = ctypes.CDLL("libOpenCL.so.1")

def make(name, *arguments):
    function = getattr(cl, name)
    function.restype = ctypes.c_void_p
    made = function(*arguments)
    assert made, name
    return ctypes.c_void_p(made)

platform, device = ctypes.c_void_p(), ctypes.c_void_p()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
assert cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
context = make("clCreateContext", None, 1, ctypes.byref(device), None, None, None)
queue = make("clCreateCommandQueue", context, device, ctypes.c_ulong(0), None)
source = ctypes.c_char_p(b'''kernel void fine(global int *x) {
  if (get_global_id(0) < 60) x[get_global_id(0)] = 1;
}
kernel void beyond(global int *x) {
  x[get_global_id(0)] = 1;
}
kernel void quotient(global int *x) {
  if (get_local_id(0) == 0) x[get_group_id(0)] = 7 / (int)get_local_id(0);
}
kernel void neighbors(global int *out, global const int *in) {
  if (get_global_id(0) < 60) out[get_global_id(0)] = in[get_global_id(0) ^ 1];
}
''')
program = make("clCreateProgramWithSource", context, 1, ctypes.byref(source), None, None)
assert cl.clBuildProgram(program, 0, None, None, None, None) == 0
memory, other = (make("clCreateBuffer", context, ctypes.c_ulong(1), ctypes.c_size_t(240), None, None) for _ in "12")
whole, group = ctypes.c_size_t(64), ctypes.c_size_t(16)
for word in sys.argv[1:]:
    name, _, how = word.partition(":")
    kernel = make("clCreateKernel", program, name.encode(), None)
    assert cl.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(memory)) == 0
    second = memory if how == "same" else other
    assert name != "neighbors" or cl.clSetKernelArg(kernel, 1, ctypes.c_size_t(8), ctypes.byref(second)) == 0
    sizes = ctypes.byref(whole), ctypes.byref(group)
    assert cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, *sizes, 0, None, None) == 0
    assert cl.clFinish(queue) == 0
"""


class RealKernels(WithFolder):
    def of(self, options, *kernels):
        command = [UNDERSTUDY, "check", *options, "--json", self.path("all.json")]
        command += ["--", sys.executable, "-c", REAL_PROGRAM, *kernels]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.report = json.loads((self.folder / "all.json").read_text())
        return done

    def test_that_are_fine(self):
        done = self.of([], "fine", "fine")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^understudy: checks on '.+': memory, ")
        self.assertIn("understudy: 1 kernel, 2 launches, 128 work-items: nothing was found\n", done.stderr)

    def test_whose_arguments_may_lead_to_the_same_memory(self):
        done = self.of(["--checks", "races"], "neighbors")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.of(["--checks", "races"], "neighbors", "neighbors:same")
        self.assertEqual(done.returncode, 123, done.stderr)
        self.assertEqual({one["kind"] for one in self.report["findings"]}, {"race of a read and a write"})

    def test_that_are_not(self):
        done = self.of([], "beyond", "fine", "quotient", "beyond")
        self.assertEqual(done.returncode, 123, done.stderr)
        beyond, quotient = self.report["findings"]
        self.assertEqual(
            (beyond["class"], beyond["kind"], beyond["place"]["line"]), ("memory", "out of bounds write", 5)
        )
        self.assertEqual((beyond["workItems"], beyond["launches"], beyond["launch"]), (8, 2, 1))
        self.assertEqual(beyond["grid"]["items"], [12, 13, 14, 15])
        self.assertEqual((beyond["strip"]["bytes"], beyond["strip"]["from"]), (240, 240))
        self.assertEqual((quotient["kind"], quotient["place"]["line"]), ("division by zero", 8))
        self.assertEqual((quotient["workItems"], quotient["launches"], quotient["launch"]), (4, 1, 3))
        self.assertRegex(done.stderr, r"    5 \| x\[get_global_id\(0\)\] = 1;\n")
        self.assertIn("3 kernels, 4 launches, 256 work-items: 2 findings (arithmetic 1, memory 1)\n", done.stderr)

    def test_that_are_known(self):
        self.assertEqual(self.of(["--write-suppressions", self.path("known")], "beyond").returncode, 123)
        done = self.of(["--suppressions", self.path("known")], "beyond")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.of(["--suppressions", self.path("known")], "beyond", "quotient").returncode, 123)

    def test_that_are_not_checked_for_it(self):
        self.assertEqual(self.of(["--checks", "barriers"], "beyond", "quotient").returncode, 0)


if __name__ == "__main__":
    unittest.main()
