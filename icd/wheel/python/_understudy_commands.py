# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The console commands: each becomes the program of its name."""
import os
import subprocess
import sys
from pathlib import Path

# Not by `import understudy`, which loads libraries that the programs need not have.
_packages = Path(__file__).parent
_programs = _packages / "understudy/bin"


def _pyopencl():
    """What `doctor` says of PyOpenCL beside us: "ok" or "wrong", and a sentence."""
    folder = _packages / "pyopencl"
    libraries = folder / ".libs"
    if not (folder / "__init__.py").exists():
        return (
            "ok",
            "PyOpenCL is not beside us ('import pyopencl' finds our driver's empty folder): pip install pyopencl",
        )
    if not all((libraries / name).exists() for name in ("understudy.icd", "libunderstudy-pyopencl.so")):
        again = "pip install --force-reinstall --no-deps understudy"
        return "wrong", f"our driver is gone from PyOpenCL's folder {libraries}: {again}"
    if not list(libraries.glob("libOpenCL*")):
        return "ok", "this PyOpenCL has no loader of its own: its programs see us under 'python -m understudy'"
    return "ok", f"PyOpenCL's own loader finds us by {libraries / 'understudy.icd'}"


def understudy():
    program = _programs / "understudy"
    if sys.argv[1:] == ["doctor"]:
        state, sentence = _pyopencl()
        print(f"{state:<6} {sentence}", flush=True)
        if state == "wrong":
            subprocess.run([program, "doctor"])
            sys.exit(1)
    os.execv(program, ["understudy", *sys.argv[1:]])


def understudy_nvcc():
    os.execv(_programs / "understudy-nvcc", ["understudy-nvcc", *sys.argv[1:]])
