# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad 0.14 from PyPI through OpenCL, through PTX that it writes itself, and through CUDA C++ that understudy-nvcc
compiles: the tests in its source package, and operations and a training of our own against NumPy. It writes a kernel
for each operation and shape."""
import re
import subprocess
import sys
from pathlib import Path

PACKAGES = ["python3-venv"]
REQUIREMENT = "tinygrad==0.14.0"
ROOT = Path(__file__).resolve().parents[2]
# Products of halves would use matrix instructions on a device of this compute capability: TC=0.
BACKENDS = {"CL": [], "CUDA:PTX": ["TC=0"], "CUDA:NVCC": ["TC=0"]}


def prepare(scratch):
    python = scratch / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", REQUIREMENT, "numpy", "pytest"], check=True)
    subprocess.run(
        [python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", scratch, REQUIREMENT],
        check=True,
    )
    subprocess.run(["tar", "xzf", next(scratch.glob("tinygrad-*.tar.gz")), "-C", scratch], check=True)
    return python, next(scratch.glob("tinygrad-*/test/test_tiny.py"))


def run(device, scratch):
    python, tiny = prepare(scratch)
    program = ROOT / "conformance" / "programs" / "tinygrad_operations.py"
    operations = subprocess.run([python, program, "--list"], check=True, capture_output=True, text=True).stdout.split()
    results = {}
    for backend, settings in BACKENDS.items():
        environment = ["env", f"DEV={backend}", "CACHELEVEL=0", *settings]
        for operation in operations:
            done = device.run([*environment, python, program, operation], cwd=scratch, timeout=200)
            results[f"{backend}.{operation}"] = {
                "status": "fail" if done.returncode else "pass",
                "note": done.stdout[-400:] if done.returncode else "",
            }
        done = device.run(
            [*environment, python, "-m", "pytest", "-v", "-p", "no:cacheprovider", tiny],
            cwd=tiny.parent.parent,
            timeout=1200,
        )
        found = re.findall(r"::(test_\w+) (PASSED|FAILED|SKIPPED)", done.stdout)
        results |= {
            f"{backend}.test_tiny.{name}": {
                "status": {"PASSED": "pass", "FAILED": "fail", "SKIPPED": "skip"}[outcome],
                "note": "",
            }
            for name, outcome in found
        }
        if not found or done.returncode not in (0, 1):
            results[f"{backend}.test_tiny"] = {"status": "fail", "note": done.stdout[-400:]}
    return results
