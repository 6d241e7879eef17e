# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of our own on client libraries (ViennaCL, Boost.Compute, CLBlast), checked against the host."""
import subprocess
from pathlib import Path

PACKAGES = ["libviennacl-dev", "libboost-dev", "libclblast-dev", "ocl-icd-opencl-dev", "g++"]
PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
LIBRARIES = {"clblast_gemm": ["-lclblast"]}


def run(device, scratch):
    results = {}
    for source in sorted(PROGRAMS.glob("*.cpp")):
        program = scratch / source.stem
        built = subprocess.run(
            [
                "g++",
                "-O1",
                "-w",
                "-std=c++17",
                "-DCL_TARGET_OPENCL_VERSION=120",
                source,
                "-o",
                program,
                *LIBRARIES.get(source.stem, []),
                "-lOpenCL",
            ],
            capture_output=True,
            text=True,
        )
        if built.returncode:
            results[source.stem] = {"status": "fail", "note": "does not compile: " + built.stderr[-400:]}
            continue
        done = device.run([program])
        results[source.stem] = {
            "status": "pass" if done.returncode == 0 else "fail",
            "note": done.stdout[-400:] if done.returncode else "",
        }
    return results
