# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton from PyPI without PyTorch: kernels of our own of thirteen kinds, each against NumPy. In place of the
ptxas that it bundles runs ours. Run by hand: conformance/run.py triton."""
import subprocess
import sys
from pathlib import Path

PACKAGES = ["gcc", "python3-venv"]  # Triton compiles its launcher
REQUIREMENT = "triton==3.9.0"
ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "conformance" / "programs"
# What a kernel's prints have to be among.
PRINTED = {"print_and_assert": ["value: 0", "value: 93", "'a negative value'"]}


def prepare(folder):
    environment = folder / "triton-venv"
    python = environment / "bin" / "python"
    if not (environment / "built").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", REQUIREMENT, "numpy", "setuptools"], check=True)
        (environment / "built").touch()
    return python


def run(device, scratch):
    python, program = prepare(device.understudy.parent.parent), PROGRAMS / "triton_kernels.py"
    stand_in = device.understudy.parent.parent / "cuda" / "bin" / "ptxas"
    environment = [
        "env",
        f"TRITON_PTXAS_PATH={stand_in}",
        f"TRITON_PTXAS_BLACKWELL_PATH={stand_in}",
        f"TRITON_CACHE_DIR={scratch}",
    ]
    kernels = device.run([*environment, python, program, "--list"], launches=0).stdout.splitlines()[-1].split()
    results = {}
    for kernel in kernels:
        done = device.run([*environment, python, program, kernel], options=["--log", "info"], cwd=scratch, timeout=300)
        missing = [text for text in PRINTED.get(kernel, []) if text not in done.stdout]
        passed = done.returncode == 0 and not missing
        # What the driver says of PTX that it does not take, or else the last line.
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        told = [line for line in lines if "<ptx>" in line or "cuModuleLoad" in line] or lines
        results[kernel] = {
            "status": "pass" if passed else "fail",
            "note": "" if passed else f"not printed: {missing}" if done.returncode == 0 else told[-1][:300],
        }
    return results
