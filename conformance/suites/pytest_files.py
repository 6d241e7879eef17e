# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For suites of pytest: a process for each file, and for each test that failed in it another one, since a kernel's error stays with a
process and fails whatever comes after it."""
import os
import xml.etree.ElementTree as xml
from pathlib import Path

CONFORMANCE = Path(__file__).resolve().parents[1]


def read(report):
    results = {}
    for case in xml.parse(report).iter("testcase") if report.exists() else []:
        bad = [c for c in case if c.tag in ("failure", "error")]
        skip = [c for c in case if c.tag == "skipped"]
        note = " ".join((bad or skip)[0].get("message", "").split())[:300] if bad or skip else ""
        status = "fail" if bad else "skip" if skip else "pass"
        if skip and skip[0].get("type") == "pytest.xfail":
            status, note = "pass", ""  # what the suite itself expects to fail
        results[case.get("name")] = {"status": status, "note": note}
    return results


def start(device, scratch, python, what, environment, folder, every, timeout):
    report = scratch / "report.xml"
    report.unlink(missing_ok=True)
    environ = {**os.environ, **environment, "EVERY_NTH": str(every), "PYTHONPATH": f"{CONFORMANCE}:{environment.get('PYTHONPATH', '')}"}
    done = device.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "every_nth", f"--junitxml={report}", what],
                      launches=0, cwd=folder, timeout=timeout, env=environ)
    return read(report), done


def run(device, scratch, python, files, environment, folder, every=1, timeout=1200):
    """`files` below `folder`. Results by "file::test"."""
    results = {}
    for file in files:
        name = Path(file).stem
        found, done = start(device, scratch, python, file, environment, folder, every, timeout)
        if not found and done.returncode != 5:  # 5: it has no tests
            found = {"file": {"status": "fail", "note": " ".join(done.stdout.split())[-300:]}}
        for test, result in found.items():
            if result["status"] == "fail" and test != "file":
                again, _ = start(device, scratch, python, f"{file}::{test}", environment, folder, 1, 300)
                result = again.get(test, result)
            results[f"{name}::{test}"] = result
        print(f"  {name}: {sum(r['status'] == 'pass' for r in found.values())} of {len(found)}", flush=True)
    return results
