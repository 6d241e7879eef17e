# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyCUDA, built from its PyPI source package against our headers and libraries: a kernel in PTX, and its whole test
suite twice, for CUDA 13.0 and for 11.8, where there are texture and surface references."""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

PACKAGES = ["g++", "python3-dev"]
VERSION = "2026.1"
RELEASES = ["13.0", "11.8"]
ROOT = Path(__file__).resolve().parents[2]


def unpack(archive, folder):
    with tarfile.open(archive) as opened:
        opened.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))


def build(folder, scratch):
    """A virtual environment of its own, in the build folder: it is made once. Returns its Python and the package's
    tests."""
    environment = folder / "pycuda-venv"
    python = environment / "bin" / "python"
    if (environment / "built").exists():
        return python, environment / "tests"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [python, "-m", "pip"]
    subprocess.run(
        [*pip, "install", "-q", "numpy", "pytools", "mako", "platformdirs", "setuptools", "wheel", "pytest"], check=True
    )
    # It looks for the toolkit of the nvcc that comes first on PATH: ours, and no other is there.
    environ = {
        **os.environ,
        "PATH": f"{folder / 'cuda' / 'bin'}:/usr/bin:/bin",
        "CFLAGS": "-O0 -g0 -w",
        "MAX_JOBS": "2",
    }
    subprocess.run(
        [
            *pip,
            "download",
            "-q",
            "--no-deps",
            "--no-binary",
            "pycuda",
            "--no-build-isolation",
            "-d",
            scratch,
            f"pycuda=={VERSION}",
        ],
        check=True,
        env=environ,
    )
    archive = next(scratch.glob("pycuda*.tar.gz"))
    unpack(archive, scratch)
    source = next(p for p in scratch.glob("pycuda-*") if p.is_dir())
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-build-isolation", source], check=True, env=environ)
    shutil.copytree(source / "test", environment / "tests", dirs_exist_ok=True)
    (environment / "built").touch()
    return python, environment / "tests"


def vector_add(device, scratch, python):
    done = device.run([python, ROOT / "conformance" / "programs" / "pycuda_vector_add.py"], launches=3, cwd=scratch)
    results = {}
    for line in done.stdout.splitlines():
        name, colon, text = line.partition(": ")
        if colon and text.split(" ")[0] in ("pass", "fail"):
            results[name] = {"status": text[:4], "note": text[5:500]}
    if done.returncode != 0 or not results:
        results["run"] = {"status": "fail", "note": done.stdout[-600:]}
    return results


def suite(device, scratch, python, tests, release):
    report = scratch / f"report-{release}.xml"
    # Cold caches, ours and PyCUDA's: every kernel is compiled.
    cache = scratch / f"cache-{release}"
    done = device.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", tests],
        cwd=scratch,
        timeout=6000,
        options=["--cuda-version", release],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
    )
    results = {}
    for case in xml.parse(report).iter("testcase") if report.exists() else []:
        bad = [c for c in case if c.tag in ("failure", "error")]
        skip = [c for c in case if c.tag == "skipped"]
        status = "fail" if bad else "skip" if skip else "pass"
        note = (bad or skip)[0].get("message", "")[:500] if bad or skip else ""
        results[f"{release} {case.get('classname').split('.')[-1]}::{case.get('name')}"] = {
            "status": status,
            "note": note,
        }
    if not results:
        results[f"{release} run"] = {"status": "fail", "note": done.stdout[-600:]}
    return results


def run(device, scratch):
    python, tests = build(device.understudy.parent.parent, scratch)
    results = vector_add(device, scratch, python)
    for release in RELEASES:
        results.update(suite(device, scratch, python, tests, release))
    return results


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(*build(Path(sys.argv[1]).absolute(), Path(folder)))
