# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of cuda-bindings 13: the package from PyPI, its examples from a copy of NVIDIA's repository cuda-python
in the build folder. What compiles with NVRTC is compiled by understudy-nvcc:
conformance/programs/cuda_bindings_example.py."""
import subprocess
import sys
from pathlib import Path

PACKAGES = []
ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77  # what an example exits with where a device lacks what it wants


def prepare(folder):
    environment = folder / "cuda-bindings-venv"
    python = environment / "bin" / "python"
    if not (environment / "built").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "cuda-bindings==13.*", "numpy"], check=True)
        (environment / "built").touch()
    repository = folder / "cuda-python"
    if not repository.exists():
        raise SystemExit(
            f"cuda_bindings: the examples are in NVIDIA's repository cuda-python; a copy of it is wanted at {repository}"
        )
    return python, repository


def run(device, scratch):
    python, repository = prepare(device.understudy.parent.parent)
    results = {}
    for example in sorted((repository / "cuda_bindings" / "examples").glob("[0-9e]*/*.py")):
        done = device.run(
            [
                "env",
                f"CUDA_BINDINGS_SKIP_EXAMPLE={SKIPPED}",
                python,
                ROOT / "conformance" / "programs" / "cuda_bindings_example.py",
                repository,
                example,
                "--stand-ins",
            ],
            cwd=scratch,
            timeout=300,
        )
        status = "pass" if done.returncode == 0 else "skip" if done.returncode == SKIPPED else "fail"
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        results[example.stem] = {"status": status, "note": lines[-1][:300] if lines and status != "pass" else ""}
    return results
