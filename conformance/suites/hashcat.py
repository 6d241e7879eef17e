# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hashcat recovers known passwords with its OpenCL kernels."""
import hashlib

PACKAGES = ["hashcat"]
CASES = {"md5": ("0", hashlib.md5, "k9z4"), "sha256": ("1400", hashlib.sha256, "q7d2")}


def run(device, scratch):
    results = {}
    for name, (mode, function, password) in CASES.items():
        digest = function(password.encode()).hexdigest()
        done = device.run(
            [
                "hashcat",
                "-m",
                mode,
                "-a",
                "3",
                "-D",
                "1,2,3",
                "--force",
                "--potfile-disable",
                "--quiet",
                "--session",
                name,
                digest,
                "?l?d?l?d",
            ],
            timeout=900,
            cwd=scratch,
        )
        good = f"{digest}:{password}" in done.stdout
        results[name] = {"status": "pass" if good else "fail", "note": done.stdout[-400:] if not good else ""}
    return results
