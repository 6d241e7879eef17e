# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad's repository, its backend tests through the PTX that it writes itself. The repository (the results are of
a9069c177a) is wanted in the build folder. Run by hand: conformance/run.py tinygrad_tests."""
from suites import pytest_files

PACKAGES = ["python3-venv"]
TESTS = [
    "uops",
    "dtype_alu",
    "custom_kernel",
    "symbolic_ops",
    "schedule",
    "setitem",
    "linearizer",
    "renderer_failures",
    "softmax_fusion",
    "arange",
    "transcendental",
    "jit",
    "graph",
    "multitensor",
]


def run(device, scratch):
    python, repository = pytest_files.prepare(
        device, "tinygrad", "tinygrad/tinygrad", ["numpy", "pytest", "hypothesis"]
    )
    # Products of halves would use matrix instructions on a device of this compute capability: TC=0.
    environment = {"DEV": "CUDA:PTX", "CACHELEVEL": "0", "TC": "0"}
    return pytest_files.run(
        device, scratch, python, [f"test/backend/test_{name}.py" for name in TESTS], environment, repository
    )
