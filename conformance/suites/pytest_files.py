# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For suites of pytest: a process for some files, and for each test that failed there another one, since a kernel's
error stays with a process and fails whatever comes after it."""
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parents[1]
NO_TESTS = 5


def prepare(device, name, source, packages):
    """A Python with the packages and the client's repository, both in the folder of the build; the repository is the
    user's to fetch."""
    folder = device.understudy.parent.parent
    environment = folder / f"{name}-venv"
    python = environment / "bin" / "python"
    if not (environment / "built").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        (environment / "built").touch()
    repository = folder / name
    if not repository.exists():
        raise SystemExit(f"{name}: its tests are in the repository {source}; a copy is wanted at {repository}")
    return python, repository


def read(report):
    """By (file's name without .py, test)."""
    results = {}
    for case in xml.parse(report).iter("testcase") if report.exists() else []:
        bad = [c for c in case if c.tag in ("failure", "error")]
        skip = [c for c in case if c.tag == "skipped"]
        note = " ".join((bad or skip)[0].get("message", "").split())[:300] if bad or skip else ""
        status = "fail" if bad else "skip" if skip else "pass"
        if skip and skip[0].get("type") == "pytest.xfail":
            status, note = "pass", ""  # what the suite itself expects to fail
        parts = case.get("classname").split(".")
        at = next((i for i, part in enumerate(parts) if part.startswith("test_")), 0)
        results[parts[at], "::".join([*parts[at + 1 :], case.get("name")])] = {"status": status, "note": note}
    return results


def start(device, scratch, python, what, environment, folder, every, timeout):
    report = scratch / "report.xml"
    report.unlink(missing_ok=True)
    environ = {
        **os.environ,
        **environment,
        "EVERY_NTH": str(every),
        "PYTHONPATH": f"{CONFORMANCE}:{environment.get('PYTHONPATH', '')}",
    }
    done = device.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "every_nth", f"--junitxml={report}", *what],
        launches=0,
        cwd=folder,
        timeout=timeout,
        env=environ,
    )
    return read(report), done


def run(device, scratch, python, files, environment, folder, every=1, batch=1, timeout=1200):
    """`files` below `folder`, `batch` of them in a process. Results by "file::test"."""
    results = {}
    for first in range(0, len(files), batch):
        these = {Path(file).stem: file for file in files[first : first + batch]}
        found, done = start(device, scratch, python, these.values(), environment, folder, every, timeout)
        if not found and done.returncode != NO_TESTS:
            results["::".join(these)] = {"status": "fail", "note": " ".join(done.stdout.split())[-300:]}
        for (name, test), result in found.items():
            if result["status"] == "fail" and name in these:
                again, _ = start(device, scratch, python, [f"{these[name]}::{test}"], environment, folder, 1, 300)
                result = again.get((name, test), result)
            results[f"{name}::{test}"] = result
        print(
            f"  {' '.join(these)}: {sum(r['status'] == 'pass' for r in results.values())} of {len(results)} so far",
            flush=True,
        )
    return results
