#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conformance/cuda_collections.py: what it concludes, and what it builds. Usage: cuda_collections_test.py FOLDER"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv.pop(1))
import cuda_collections

ASSERTION = "kernel.cu:64: void kernel(int): block: [1,0,0], thread: [28,0,0] Assertion `id < N` failed.\n"


class Verdicts(unittest.TestCase):
    def status(self, text, code=0):
        return cuda_collections.verdict_of(text, code)[0]

    def test_failures(self):
        self.assertEqual(self.status("Test failed!"), "wrong")
        self.assertEqual(self.status("Result = PASS, 0 failed"), "right")
        self.assertEqual(self.status("10 failed"), "wrong")
        self.assertEqual(self.status("all well", code=1), "wrong")

    def test_assertions_on_purpose(self):
        """Where the program says that it waited for them, and not otherwise."""
        self.assertEqual(self.status(ASSERTION), "wrong")
        self.assertEqual(self.status(ASSERTION + "Device assert failed as expected, CUDA error message is: x"), "right")
        self.assertEqual(self.status(ASSERTION + "it failed as expected\nTest failed!"), "wrong")


class Samples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.group = Path(folder.name).resolve() / "Samples" / "group"
        (self.group / "alone").mkdir(parents=True)
        (self.group / "part").mkdir()
        (self.group / "alone" / "CMakeLists.txt").write_text("project(alone)\nadd_executable(alone a.cu)\n")
        (self.group / "part" / "CMakeLists.txt").write_text(
            'if(FALSE)\nadd_executable(one a.c)\nendif()\nadd_test(NAME t COMMAND true "a b")\n'
        )
        (self.group / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.10)\nproject(group LANGUAGES NONE)\n"
            "enable_testing()\nadd_subdirectory(part)\n"
        )
        self.samples = cuda_collections.Samples(Path(folder.name).resolve(), Path("/nowhere"))

    def test_a_sample_alone(self):
        configure, build = self.samples.build(self.group / "alone")
        self.assertIn(f"cmake -S {self.group}/alone ", configure)
        self.assertEqual(build, "cmake --build build")

    def test_a_part_of_a_project(self):
        """The project around it is configured, of which its programs are built; its tests say how they are run."""
        part = self.group / "part"
        configure, build = self.samples.build(part)
        self.assertIn(f"cmake -S {self.group} ", configure)
        self.assertEqual(build, "cmake --build build --target one")
        subprocess.run(configure, shell=True, cwd=part, check=True, capture_output=True)
        (run,) = self.samples.runs(part)
        self.assertRegex(run, r'^env -C build/part .*true"? "a b"$')


if __name__ == "__main__":
    unittest.main()
