# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO's GPU plugin from PyPI, whose kernels are OpenCL C: models of one operation, and small networks, against its
CPU plugin, which computes with floats; the GPU plugin with these, and with halves. Run by hand, on the GPU type, which
is all that the plugin takes: conformance/run.py openvino."""
import subprocess
import sys
from pathlib import Path

PACKAGES = ["python3-venv"]
REQUIREMENT = "openvino==2026.4.1"
PROGRAM = Path(__file__).resolve().parent.parent / "programs" / "openvino_operations.py"


def run(device, scratch):
    python = scratch / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", REQUIREMENT], check=True)
    operations = subprocess.run([python, PROGRAM, "--list"], check=True, capture_output=True, text=True).stdout.split()
    results = {}
    for operation in [name + halves for halves in ("", " f16") for name in operations]:
        done = device.run([python, PROGRAM, *operation.split()], cwd=scratch, timeout=200)
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        results[operation] = {
            "status": "fail" if done.returncode else "pass",
            "note": lines[-1][:300] if done.returncode and lines else "",
        }
    return results
