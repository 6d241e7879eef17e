# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyCUDA, built from its PyPI source package against our own header and library, with no toolkit: a kernel in PTX."""
import os
import subprocess
import sys
import tarfile
from pathlib import Path

PACKAGES = ["g++", "python3-dev"]
VERSION = "2026.1"
ROOT = Path(__file__).resolve().parents[2]
# What its configure script would write. (curand needs our libcurand, which a later step brings.)
CONFIGURATION = """
USE_SHIPPED_BOOST = True
CUDA_ROOT = {root!r}
CUDA_ENABLE_CURAND = False
CUDADRV_LIB_DIR = [{root!r} + "/lib64"]
CUDADRV_LIBNAME = ["cuda"]
CXXFLAGS = ["-O1", "-g0"]
"""


def build(device, scratch):
    """A virtual environment of its own, beside the build: it is made once."""
    environment = device.understudy.parent.parent / "pycuda-venv"
    python = environment / "bin" / "python"
    if (environment / "built").exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [python, "-m", "pip"]
    subprocess.run([*pip, "install", "-q", "numpy", "pytools", "mako", "platformdirs", "setuptools", "wheel"], check=True)
    # Its build wants to be configured before pip may look at it: the archive is taken from pip's own folder.
    subprocess.run([*pip, "download", "-q", "--no-deps", "--no-binary", "pycuda", "--no-build-isolation", "-d", scratch,
                    f"pycuda=={VERSION}"], check=True, env={**os.environ, "CUDA_ROOT": str(scratch)})
    with tarfile.open(next(scratch.glob("pycuda*.tar.gz"))) as archive:
        archive.extractall(scratch, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    source = next(p for p in scratch.glob("pycuda-*") if p.is_dir())
    toolkit = scratch / "toolkit"
    (toolkit / "lib64").mkdir(parents=True)
    (toolkit / "include").symlink_to(ROOT / "icd" / "cuda" / "include")
    (toolkit / "lib64" / "libcuda.so").symlink_to(device.understudy.parent.parent / "lib" / "cuda" / "libcuda.so")
    (source / "siteconf.py").write_text(CONFIGURATION.format(root=str(toolkit)))
    path = {**os.environ, "PATH": "/usr/bin:/bin"}
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-build-isolation", source], check=True, env=path)
    (environment / "built").touch()
    return python


def run(device, scratch):
    python = build(device, scratch)
    done = device.run([python, ROOT / "conformance" / "programs" / "pycuda_vector_add.py"], launches=3, cwd=scratch)
    results = {}
    for line in done.stdout.splitlines():
        name, colon, text = line.partition(": ")
        if colon and text.split(" ")[0] in ("pass", "fail"):
            results[name] = {"status": text[:4], "note": text[5:500]}
    if done.returncode != 0 or not results:
        results["run"] = {"status": "fail", "note": done.stdout[-600:]}
    return results
