# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clinfo: every query it knows, with no error line."""
PACKAGES = ["clinfo"]


def run(device, scratch):
    results = {}
    for mode, arguments in (("human", []), ("raw", ["--raw"]), ("list", ["-l"])):
        done = device.run(["clinfo", *arguments], launches=0)
        errors = [l for l in done.stdout.splitlines() if "error" in l.lower() or "<n/a>" in l.lower() and mode == "raw"]
        seen = "Understudy" in done.stdout
        results[mode] = {"status": "pass" if done.returncode == 0 and seen and not errors else "fail",
                         "note": "; ".join(errors[:10]) or f"exit {done.returncode}, platform seen: {seen}"}
    return results
