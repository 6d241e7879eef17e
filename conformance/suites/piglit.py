# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""piglit's OpenCL profile: every test and sub-test."""
import bz2
import gzip
import json
import lzma

PACKAGES = ["piglit"]


def read(scratch):
    for path in sorted((scratch / "out").glob("results.json*")):
        opener = {".bz2": bz2.open, ".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
        with opener(path, "rt") as file:
            return json.load(file)
    return {"tests": {}}


def run(device, scratch):
    done = device.run(
        ["piglit", "run", "-p", "surfaceless_egl", "-l", "quiet", "--timeout", "120", "cl", scratch / "out"],
        timeout=3000,
    )
    status = {"pass": "pass", "skip": "skip"}
    results = {}
    for name, test in read(scratch)["tests"].items():
        note = "" if test["result"] == "pass" else (test.get("out", "")[-600:] + test.get("err", "")[-300:])
        results[name] = {"status": status.get(test["result"], "fail"), "note": note}
        for sub, result in test.get("subtests", {}).items():
            if sub == "__type__":  # how piglit marks the table itself
                continue
            results[f"{name}@{sub}"] = {"status": status.get(result, "fail"), "note": ""}
    if not results:
        results["run"] = {"status": "fail", "note": done.stdout[-400:]}
    return results
