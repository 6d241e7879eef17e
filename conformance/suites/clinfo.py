# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clinfo: every query it knows, with no error line."""
import re

PACKAGES = ["clinfo"]


def run(device, scratch):
    results = {}
    for mode, arguments in (("human", []), ("raw", ["--raw"]), ("list", ["-l"])):
        done = device.run(["clinfo", *arguments], launches=0)
        errors = re.findall(r"^.*error -\d+.*$", done.stdout, re.M)
        seen = "Understudy" in done.stdout
        results[mode] = {
            "status": "pass" if done.returncode == 0 and seen and not errors else "fail",
            "note": "; ".join(errors[:10])
            or ("" if done.returncode == 0 and seen else f"exit {done.returncode}, platform seen: {seen}"),
        }
    return results
