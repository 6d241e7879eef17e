# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`understudy doctor`: what it says of a machine that is well, and of each thing that is not.

Usage: doctor_test.py COMMAND"""

import os
import subprocess
import sys
import tempfile
import unittest

COMMAND = sys.argv.pop()


def doctor(*flags, **environment):
    """The lines and the exit code, in an environment in which nothing of the caller's is set."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("UNDERSTUDY_", "OCL_", "OPENCL_"))
    }
    done = subprocess.run([COMMAND, "doctor", *flags], capture_output=True, text=True, env=kept | environment)
    return done.stdout.splitlines(), done.returncode


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = os.path.join(self.folder, "cache")
        self.vendors = os.path.join(self.folder, "vendors")
        os.mkdir(self.vendors)

    def vendor(self, name, text):
        with open(os.path.join(self.vendors, name), "w") as file:
            file.write(text)

    def ask(self, *flags, **environment):
        settings = {
            "UNDERSTUDY_CACHE_DIRECTORY": self.cache,
            "OCL_ICD_VENDORS": self.vendors,
            "UNDERSTUDY_FORWARD": "none",
        }
        return doctor(*flags, **settings | environment)

    def find(self, lines, *words):
        found = [line for line in lines if all(word in line for word in words)]
        self.assertEqual(len(found), 1, (words, lines))
        return found[0].split()[0]

    def icd(self):
        beside = os.path.join(os.path.dirname(COMMAND), "..", "lib", "libunderstudy-icd.so")
        return os.path.realpath(beside)

    def test_what_is_well(self):
        self.vendor("understudy.icd", self.icd())
        lines, code = self.ask()
        self.assertEqual(self.find(lines, "libOpenCL.so.1 is /"), "ok")
        self.assertEqual(self.find(lines, "a loader opens", "(this is ours)"), "ok")
        self.assertEqual(self.find(lines, "our OpenCL library opens"), "ok")
        self.assertEqual(self.find(lines, "our platform has the device Understudy"), "ok")
        self.assertEqual(self.find(lines, "compiled kernels are kept in " + self.cache), "ok")
        self.assertEqual([line for line in lines if line.startswith("wrong") and "/dev/" not in line], [])
        self.assertEqual(code, 1 if any(line.startswith("wrong") for line in lines) else 0)

    def test_a_vendors_file_that_is_empty(self):
        self.vendor("broken.icd", "")
        lines, code = self.ask()
        self.assertEqual(self.find(lines, "a loader cannot use", "broken.icd"), "wrong")
        self.assertEqual(code, 1)

    def test_no_vendors_file(self):
        lines, code = self.ask()
        self.assertEqual(self.find(lines, "a loader sees no driver at all"), "wrong")
        self.assertEqual(self.find(lines, "a loader does not see us"), "ok")
        self.assertEqual(code, 1)

    def test_a_driver_that_is_no_library(self):
        library = os.path.join(self.folder, "libnothing.so")
        with open(library, "w") as file:
            file.write("no library")
        self.vendor("nothing.icd", library)
        lines, code = self.ask("--devices", "both", UNDERSTUDY_FORWARD="nothing.icd")
        self.assertEqual(self.find(lines, "driver " + library, "passed over"), "wrong")
        self.assertEqual(code, 1)

    def test_no_device(self):
        lines, code = self.ask("--devices", "real")
        self.assertEqual(self.find(lines, "our platform has no device"), "wrong")
        self.assertEqual(code, 1)

    def test_a_cache_that_cannot_be(self):
        with open(self.cache, "w"):
            pass
        lines, code = self.ask()
        self.assertEqual(self.find(lines, "compiled kernels are not kept"), "wrong")
        self.assertEqual(code, 1)

    def test_the_library_of_a_name(self):
        done = subprocess.run([COMMAND, "doctor", "--library", "libc.so.6"], capture_output=True, text=True)
        self.assertTrue(done.stdout.strip().endswith("libc.so.6"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(subprocess.run([COMMAND, "doctor", "--library", "libnot.so.7"]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
