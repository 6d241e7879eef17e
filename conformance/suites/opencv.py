# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV's transparent API: each operation on the device against OpenCV's code for the processor, a process and a
launch each."""
import os
import re
import subprocess
from pathlib import Path

PACKAGES = ["python3-opencv"]
PYTHON = "/usr/bin/python3"  # Debian's, which its OpenCV is made for
PROGRAM = Path(__file__).resolve().parent.parent / "programs" / "opencv_umat.py"


def run(device, scratch):
    # OpenCV takes the first GPU or CPU it finds; this names the platform, of whatever type its device is.
    environment = {**os.environ, "OPENCV_OPENCL_DEVICE": "Understudy::", "XDG_CACHE_HOME": str(scratch)}
    operations = subprocess.run([PYTHON, PROGRAM, "--list"], check=True, capture_output=True, text=True).stdout.split()
    results = {}
    for name in operations:
        done = device.run([PYTHON, PROGRAM, name], timeout=120, env=environment)
        good = done.returncode == 0 and "allowed" in done.stdout and "KernelFault" not in done.stdout
        differed = re.search(r"largest difference \S+(?=,)", done.stdout)
        results[name] = {
            "status": "pass" if good else "fail",
            "note": differed[0] if good and differed else done.stdout[-300:],
        }
    return results
