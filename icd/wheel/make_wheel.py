#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of a build: the installation inside of the package `understudy`, and a driver's entry in PyOpenCL's
folder. Usage: make_wheel.py BUILD_DIRECTORY OUTPUT_DIRECTORY [PLATFORM_TAG]"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
SMALL = 300_000  # bytes of a library
# What those who install it are promised, of a wheel that is made for them: megabytes.
MOST_PACKED, MOST_UNPACKED = 60, 160
EXTRAS = {"pyopencl": "pyopencl", "pytest": "pytest"}
ENTRY_POINTS = """[console_scripts]
understudy = _understudy_commands:understudy
understudy-nvcc = _understudy_commands:understudy_nvcc

[pytest11]
understudy = _understudy_pytest
"""


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def cache_entry(build, name):
    return re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


def replace_links(folder):
    """A wheel holds no links: a library has one file, under its SONAME. What is found under another name, too, is a copy
    where it is small, else for the linker's -l a script that names it, and not there under a SONAME in a second folder;
    a program is a script that starts the other one under its own name, by which some know what they are."""
    for link in [path for path in folder.rglob("*") if path.is_symlink()]:
        target = link.resolve(strict=True)
        where = link.readlink()
        link.unlink()
        if target.parent.name == "bin":
            link.write_text(f'#!/bin/bash\nexec -a "$0" "$(dirname "$(readlink -f "$0")")/{where}" "$@"\n')
            link.chmod(0o755)
        elif link.parent != target.parent and target.stat().st_size <= SMALL:
            shutil.copy(target, link)
        elif link.parent != target.parent and link.suffix == ".so":
            link.write_text(f"INPUT ( {os.path.relpath(target, link.parent)} )\n")


def show_libraries(folder):
    """What `understudy run` shows lies there itself, where an installation has a link: who loads a library finds it by
    its SONAME."""
    for link in [path for path in folder.glob("*.so.*") if path.is_symlink() and path.resolve().parent != folder]:
        target = link.resolve(strict=True)
        others = [path for path in target.parent.iterdir() if path.is_symlink() and path.resolve() == target]
        target.replace(link)
        for other in [target, *others]:
            other.unlink(missing_ok=True)
            other.symlink_to(os.path.relpath(link, other.parent))


def stage(build, folder):
    """The wheel's contents but its metadata."""
    package = folder / "understudy"
    run("cmake", "--install", build, "--prefix", package, "--strip")
    run("cmake", "--install", build, "--prefix", folder, "--strip", "--component", "wheel")
    shutil.rmtree(package / "etc")  # names the library by the path that it was staged at
    shutil.rmtree(package / "share", ignore_errors=True)
    for driver in list(package.rglob("libcuda.so.1")):
        show_libraries(driver.parent)
    replace_links(package)
    for archive in package.rglob("*.a"):
        if archive.read_bytes().startswith(b"!<arch>"):  # others are scripts for the linker
            run("strip", "--strip-debug", archive)
    version = cache_entry(build, "CMAKE_PROJECT_VERSION")
    for source in (HERE / "python").rglob("*.py"):
        place = folder / source.relative_to(HERE / "python")
        place.write_text(source.read_text().replace("@version@", version))
    (folder / "pyopencl/.libs/understudy.icd").write_text("libunderstudy-pyopencl.so\n")
    return version


def metadata(version, tag):
    lines = [
        "Metadata-Version: 2.1",
        "Name: understudy",
        f"Version: {version}",
        "Summary: CUDA and OpenCL without a GPU: a device in software",
        "License: Apache-2.0 WITH LLVM-exception",
        "Requires-Python: >=3.9",
        "Classifier: Framework :: Pytest",
        "Classifier: Operating System :: POSIX :: Linux",
        *(f"Provides-Extra: {name}\nRequires-Dist: {package}; extra == '{name}'" for name, package in EXTRAS.items()),
    ]
    wheel = f"Wheel-Version: 1.0\nGenerator: understudy\nRoot-Is-Purelib: false\nTag: {tag}\n"
    page = (HERE / "python/README.md").read_text()
    return {"METADATA": "\n".join(lines) + "\n\n" + page, "WHEEL": wheel, "entry_points.txt": ENTRY_POINTS}


def main(build, output, platform="linux_x86_64"):
    build, output = Path(build).resolve(), Path(output)
    is_for_others = platform != "linux_x86_64"
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        version = stage(build, folder)
        tag = f"py3-none-{platform}"
        information = folder / f"understudy-{version}.dist-info"
        information.mkdir()
        for name, text in metadata(version, tag).items():
            (information / name).write_text(text)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        record = information / "RECORD"
        rows = []
        for path in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            rows.append(f"{path.relative_to(folder)},sha256={digest},{path.stat().st_size}")
        record.write_text("\n".join([*rows, f"{record.relative_to(folder)},,"]) + "\n")
        wheel = output / f"understudy-{version}-{tag}.whl"
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in [*files, record]:
                # The same build makes the same wheel.
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (2020, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if path.stat().st_mode & 0o100 else 0o100644) << 16
                archive.writestr(entry, path.read_bytes(), compresslevel=9)
        if is_for_others and shutil.which("advzip"):  # the same format, 3 % smaller
            run("advzip", "-z", "-2", wheel)
        unpacked = sum(path.stat().st_size for path in files)
    packed, unpacked = wheel.stat().st_size / 1e6, unpacked / 1e6
    print(f"{wheel}: {packed:.1f} MB, {unpacked:.1f} MB unpacked")
    if is_for_others and (packed > MOST_PACKED or unpacked > MOST_UNPACKED):
        sys.exit(f"make_wheel.py: that is more than {MOST_PACKED} MB, {MOST_UNPACKED} MB unpacked")


if __name__ == "__main__":
    main(*sys.argv[1:])
