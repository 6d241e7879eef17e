#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`understudy report`: the page, what it counts against what the kernels' sources say, and `understudy run --junit`.
Usage: report_test.py UNDERSTUDY PYTHON, one that has PyOpenCL"""
import html
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

UNDERSTUDY, PYTHON = Path(sys.argv[1]).resolve(), sys.argv[2]

# 64 work-items, 10 rounds; a third of the items take the branch; a function of two calls.
PROGRAM = '''
import numpy as np
import pyopencl as cl
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
out = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 256)
program = cl.Program(queue.context, """
float twice(float x) {
  return x * 2.0f;
}
kernel void rounds(global float *out, int n) {
  int id = get_global_id(0);
  float sum = out[id];
  for (int i = 0; i < n; ++i)
    sum += 3.0f;
  if (id % 4 == 0)
    sum = twice(sum) + twice(sum + 1.0f);
  out[id] = sum;
}
kernel void <other>(global float *out) {
  out[get_global_id(0)] = 0;
}
""".replace("<other>", "other")).build()
cl.enqueue_fill_buffer(queue, out, np.float32(0), 0, 256)
for _ in range(3):
    program.rounds(queue, (64,), (16,), out, np.int32(10))
program.other(queue, (64,), None, out)
queue.finish()
'''


def run(*arguments, expect=0, **environment):
    done = subprocess.run([UNDERSTUDY, *arguments], env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == expect, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def rows_of(section):
    """Of a kernel's section: text of the source -> runs, float, integer, read, written."""
    rows = {}
    for line in re.findall(r"<tr>(.*?)</tr>", section.partition('class="source"')[2], re.DOTALL):
        cells = [
            html.unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td[^>]*>(.*?)</td>", line, re.DOTALL)
        ]
        if len(cells) == 7:
            rows[cells[6].strip()] = cells[1:6]
    return rows


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "program.py").write_text(PROGRAM)

    def report(self, *options):
        page = self.folder / "page.html"
        run("report", "-o", page, *options, "--", PYTHON, self.folder / "program.py")
        text = page.read_text()
        sections = {
            re.search("<h2>(.*?)</h2>", section)[1]: section
            for section in re.findall("<section.*?</section>", text, re.DOTALL)
        }
        return text, sections

    def test_page(self):
        text, sections = self.report()
        self.assertEqual(set(sections), {"rounds", "other"})
        self.assertIn("3 launches of 64 work-items", sections["rounds"])
        self.assertIn("1 launch of 64 work-items", sections["other"])
        self.assertRegex(sections["rounds"], "<dt>tier</dt><dd>loop")
        self.assertIn("<dt>devices</dt><dd>Understudy GPU</dd>", text)
        # It needs nothing but itself.
        self.assertNotRegex(text, r"(src|href)=\"(?!#)")
        self.assertNotIn("<script", text)

    def test_counts(self):
        """Of one launch, as the source says: n rounds of 64 items, every fourth of which takes the branch."""
        rows = rows_of(self.report()[1]["rounds"])
        runs = {text: row[0] for text, row in rows.items()}
        self.assertEqual(runs["float sum = out[id];"], "64")
        self.assertEqual(runs["sum += 3.0f;"], "640")
        self.assertEqual(runs["sum = twice(sum) + twice(sum + 1.0f);"], "16")
        self.assertEqual(runs["return x * 2.0f;"], "32")
        self.assertEqual(runs["out[id] = sum;"], "64")
        # float operations, and bytes of global memory
        self.assertEqual(rows["sum += 3.0f;"][1], "640")
        self.assertEqual(rows["return x * 2.0f;"][1], "32")
        self.assertEqual(rows["float sum = out[id];"][3], "256 B")
        self.assertEqual(rows["out[id] = sum;"][4], "256 B")

    def test_more_launches(self):
        rows = rows_of(self.report("--count", "2")[1]["rounds"])
        self.assertEqual(rows["sum += 3.0f;"][:2], ["1280", "1280"])

    def test_no_second_run(self):
        self.assertNotIn('class="source"', self.report("--count", "0")[0])

    def test_what_goes_wrong(self):
        page = self.folder / "page.html"
        run("report", "-o", page, "--", "true", expect=124)
        run("report", "-o", page, "--", "sh", "-c", "exit 7", expect=7)
        self.assertIn("cannot be written", run("report", "-o", "/nowhere/page", "--", "true", expect=125))
        self.assertIn("no program was given", run("report", expect=106))

    def test_junit(self):
        file = self.folder / "launches.xml"
        run("run", "--junit", file, "--", PYTHON, self.folder / "program.py")
        suite = xml.parse(file).getroot().find("testsuite")
        self.assertEqual([case.get("name") for case in suite.iter("testcase")], ["other", "rounds", "the program"])
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("0", "0"))
        self.assertEqual({p.get("name"): p.get("value") for p in suite.iter("property")}["launches"], "4")
        run("run", "--junit", file, "--require-launches", "1", "--", "true", expect=124)
        error = xml.parse(file).getroot().find("testsuite/testcase/error")
        self.assertEqual(error.get("message"), "1 kernels were to run, 0 did")
        run("run", "--junit", file, "--", "sh", "-c", "exit 3", expect=3)
        self.assertEqual(xml.parse(file).getroot().find("testsuite").get("errors"), "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
