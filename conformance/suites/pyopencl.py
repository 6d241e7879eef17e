# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyOpenCL's own test suite, from its PyPI source package, against its PyPI wheel."""
import os
import re
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml

PACKAGES = []
VERSION = "2026.1.4"
EXPECTED_VALUES = ["scipy", "pyfmmlib"]  # some tests compare with these, and skip without


def sources(device, scratch):
    if not device.python.exists():
        subprocess.run([sys.executable, "-m", "venv", device.python.parent.parent], check=True)
    subprocess.run(
        [
            device.python,
            "-m",
            "pip",
            "install",
            "-q",
            f"pyopencl=={VERSION}",
            "numpy",
            "pytest",
            "mako",
            *EXPECTED_VALUES,
        ],
        check=True,
    )
    subprocess.run(
        [
            device.python,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--no-binary",
            "pyopencl",
            "-d",
            scratch,
            f"pyopencl=={VERSION}",
        ],
        check=True,
    )
    with tarfile.open(next(scratch.glob("pyopencl*.tar.gz"))) as archive:
        archive.extractall(scratch, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return next(p for p in scratch.glob("pyopencl-*") if p.is_dir()) / "test"


def run(device, scratch):
    tests = sources(device, scratch)
    report = scratch / "report.xml"
    # Cold caches, ours and PyOpenCL's: every kernel is compiled.
    done = device.run(
        [device.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", tests],
        cwd=tests,
        timeout=3000,
        env={**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")},
    )
    results = {}
    if report.exists():
        for case in xml.parse(report).iter("testcase"):
            name = re.sub(r"\[.*Understudy.*?\]", "", f"{case.get('classname').split('.')[-1]}::{case.get('name')}")
            while name in results:
                name += "'"
            bad = [c for c in case if c.tag in ("failure", "error")]
            skip = [c for c in case if c.tag == "skipped"]
            status = "fail" if bad else "skip" if skip else "pass"
            note = (bad or skip)[0].get("message", "")[:500] if bad or skip else ""
            results[name] = {"status": status, "note": note}
    if not results:
        results["run"] = {"status": "fail", "note": done.stdout[-600:]}
    return results
