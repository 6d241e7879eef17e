#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a tarball of a build: one folder that works wherever it is unpacked, or moved to.
Usage: make_tarball.py BUILD_DIRECTORY OUTPUT_DIRECTORY"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

README = """Understudy {version}: CUDA and OpenCL without a GPU. Nothing has to be installed: this folder may lie anywhere.

bin/understudy run -- PROGRAM       runs a program on the device in software
bin/understudy info                 what the device has; `bin/understudy --help` and share/man say more
bin/understudy-nvcc prog.cu         compiles CUDA C++ (g++ has to be there)

For ICD loaders that are to list it beside other drivers, the library is lib/understudy/libunderstudy-icd.so.
"""


def main(build, output):
    build, output = Path(build), Path(output)
    output.mkdir(parents=True, exist_ok=True)
    cache = (build / "CMakeCache.txt").read_text()
    version = re.search(r"^CMAKE_PROJECT_VERSION:\w+=(.*)$", cache, re.MULTILINE).group(1)
    name = f"understudy-{version}-linux-x86_64"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / name
        subprocess.run(
            ["cmake", "--install", build, "--prefix", folder, "--strip"], check=True, stdout=subprocess.DEVNULL
        )
        shutil.rmtree(folder / "etc")  # names the library by the path that it was staged at
        shutil.rmtree(folder / "share/lintian", ignore_errors=True)
        (folder / "README").write_text(README.format(version=version))
        tarball = output.resolve() / f"{name}.tar.xz"
        # The same build makes the same tarball.
        subprocess.run(
            ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=2020-01-01", "--mode=go-w"]
            + ["-I", "xz -T0", "-cf", tarball, "-C", scratch, name],
            check=True,
        )
        unpacked = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{tarball}: {tarball.stat().st_size / 1e6:.1f} MB, {unpacked / 1e6:.1f} MB unpacked")


if __name__ == "__main__":
    main(*sys.argv[1:])
