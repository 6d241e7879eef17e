# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Taichi 1.7.4 from PyPI, which writes PTX with an LLVM of its own: of its repository's tests for CUDA every ninth. The
repository at v1.7.4 is wanted in the build folder. Run by hand: conformance/run.py taichi."""
from suites import pytest_files

PACKAGES = ["python3-venv"]
EVERY, BATCH = 9, 12
# They open windows, write modules for other programs, look at the package's own command line, or need pictures.
LEFT_OUT = [
    "aot",
    "ggui",
    "gui",
    "offline_cache",
    "cli",
    "image_io",
    "tools",
    "callable_template_mapper",
    "api",
    "deprecation",
    "exception",
]


def run(device, scratch):
    python, repository = pytest_files.prepare(
        device,
        "taichi",
        "taichi-dev/taichi at v1.7.4",
        ["taichi==1.7.4", "numpy", "pytest", "pytest-rerunfailures", "psutil", "pillow", "requests", "setuptools"],
    )
    files = [
        str(path.relative_to(repository))
        for path in sorted((repository / "tests" / "python").rglob("test_*.py"))
        if path.stem.removeprefix("test_") not in LEFT_OUT
    ]
    environment = {
        "TI_WANTED_ARCHS": "cuda",
        "TI_OFFLINE_CACHE": "0",
        "TI_LITE_TEST": "0",
        "PYTHONPATH": str(repository / "tests"),
    }
    return pytest_files.run(device, scratch, python, files, environment, repository, EVERY, BATCH)
