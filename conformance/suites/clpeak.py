# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clpeak: its bandwidth, compute, transfer and latency kernels run to their end and print a figure each."""
import re

PACKAGES = ["clpeak"]
SECTIONS = [
    "global-bandwidth",
    "compute-sp",
    "compute-dp",
    "compute-integer",
    "compute-intfast",
    "transfer-bandwidth",
    "kernel-latency",
]


def run(device, scratch):
    results = {}
    for section in SECTIONS:
        # Transfers launch nothing. On a GPU-type device clpeak does 30 times the work: minutes on a processor's cores.
        done = device.run(
            ["clpeak", f"--{section}"], launches=0 if section == "transfer-bandwidth" else 1, timeout=1500
        )
        figures = re.findall(r":\s+(-?\d+\.?\d*(?:e[+-]?\d+)?)", done.stdout.split("Driver version")[-1])
        good = (
            done.returncode == 0
            and "Understudy" in done.stdout
            and figures
            and "rror" not in done.stdout
            and all(float(f) > 0 for f in figures[-2:])
        )
        results[section] = {"status": "pass" if good else "fail", "note": done.stdout[-400:] if not good else ""}
    return results
