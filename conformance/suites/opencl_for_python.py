# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opencl-for-python 0.5.2 (2012, Python 2): its 42 tests, with the package ported to Python 3 here as far as it takes
to build it."""
import os
import re
import subprocess
import sys

PACKAGES = ["ocl-icd-opencl-dev", "opencl-headers", "gcc", "python3-dev", "python3-venv"]
REQUIREMENT = "opencl-for-python==0.5.2"
LAUNCHING = ("TestKernel.test_set_args", "TestKernel.test_call")
# The client hands a raw copy of a Python object to clEnqueueNativeKernel and releases the copy's references: on Python
# 3 it crashes every other time, on any runtime. EventTest.clEnqueueNativeKernel proves the call. A GPU-type device does
# not offer it.
CRASHING = ("Test.test_enqueue_native_kernel", "Test.test_enqueue_native_kernel_refcount")


def download(python, scratch):
    """pip runs the package's setup.py, a Python 2 program, and gives up; --no-clean leaves what it unpacked."""
    subprocess.run(
        [
            python,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-clean",
            "--no-deps",
            "--no-build-isolation",
            "--no-binary",
            ":all:",
            "-d",
            scratch,
            REQUIREMENT,
        ],
        env={**os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
    )
    return next(scratch.glob("pip-download-*/*/setup.py")).parent


def port(package):
    """Three kinds of change: statements of Python 2 in setup.py, Cython's language level, enumerations that C does not
    have."""
    setup = package / "setup.py"
    text = re.sub(r"\bprint (\w+)", r"print(\1)", setup.read_text())
    setup.write_text(re.sub(r"\bexec (open\(.*\)\.read\(\))", r"exec(\1)", text))
    for source in (*package.glob("opencl/*.pyx"), *package.glob("opencl/*.pxd")):
        directives = "# cython: language_level=2\n"
        if source.name == "context.pyx":  # turns a char* into a str
            directives += "# cython: c_string_type=str, c_string_encoding=utf8\n"
        source.write_text(directives + source.read_text())
    for stale in package.glob("opencl/*.c"):
        stale.unlink()
    declarations = package / "opencl" / "_cl.pxd"
    text = declarations.read_text()
    typedefs = set(re.findall(r"ctypedef (?!enum)\w+ (cl_\w+)$", text, re.M))

    def enumeration(match):
        # OpenCL's headers have constants and integer types, no enumeration tags. Two names are in no header at all.
        indent, name = match.groups()
        return (
            f"{indent}enum:"
            if name in typedefs | {"cl_event_status", "cl_program_buid_info"}
            else f"{indent}ctypedef enum {name}:"
        )

    declarations.write_text(re.sub(r"^( *)(?:ctypedef )?enum (\w+) *:", enumeration, text, flags=re.M))


def build(scratch):
    venv = scratch / "venv"
    python = venv / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "cython<3", "numpy", "setuptools"], check=True)
    package = download(python, scratch)
    port(package)
    subprocess.run(
        [python, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=package,
        check=True,
        capture_output=True,
        env={**os.environ, "NO_OPENGL": "1", "CFLAGS": "-O1 -w -DCL_TARGET_OPENCL_VERSION=120"},
    )
    return python, package


def tests(python, package):
    code = (
        "import unittest\n"
        "def walk(s):\n"
        "    for t in s:\n"
        "        walk(t) if isinstance(t, unittest.TestSuite) else print(t.id())\n"
        "walk(unittest.defaultTestLoader.loadTestsFromNames(['opencl.test.test_memobj', 'opencl.test.test_platform']))\n"
    )
    return subprocess.run([python, "-c", code], cwd=package, check=True, capture_output=True, text=True).stdout.split()


def run(device, scratch):
    python, package = build(scratch)
    results = {}
    for test in tests(python, package):
        name = test.split(".", 2)[-1]
        if device.device_type != "gpu" and name.endswith(CRASHING):
            results[name] = {"status": "skip", "note": "not run"}
            continue
        # Each in its own process: a crash is then one test's.
        done = device.run(
            [python, "-m", "unittest", "-v", test],
            launches=1 if name.endswith(LAUNCHING) else 0,
            timeout=60,
            cwd=package,
        )
        skipped = re.search(r"\.\.\. skipped", done.stdout)
        status = "fail" if done.returncode else "skip" if skipped else "pass"
        results[name] = {
            "status": status,
            "note": "" if status == "pass" else done.stdout.replace(str(package), "")[-500:],
        }
    return results
