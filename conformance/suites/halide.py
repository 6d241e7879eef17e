# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Halide 21 from PyPI, which writes PTX with an LLVM of its own: of its repository's correctness tests that use a GPU
every fourth, built against the wheel. The repository at v21.0.0 is wanted in the build folder. Run by hand:
conformance/run.py halide."""
import os
import re
import subprocess
import sys

PACKAGES = ["g++", "python3-venv"]
TARGET = "host-cuda-cuda_capability_80"
TOO_FEW_LAUNCHES = 124
EVERY = 4  # Halide compiles for minutes in some of them


def prepare(folder):
    environment = folder / "halide-venv"
    python = environment / "bin" / "python"
    if not (environment / "built").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "halide==21.0.0"], check=True)
        (environment / "built").touch()
    package = next(environment.glob("lib/python3*/site-packages/halide"))
    repository = folder / "halide"
    if not repository.exists():
        raise SystemExit(
            f"halide: its tests are in the repository halide/Halide; a copy of v21.0.0 is wanted at {repository}"
        )
    return package, repository / "test"


def run(device, scratch):
    package, tests = prepare(device.understudy.parent.parent)
    # Their one large header takes longer than all of a test.
    compiler = [
        "g++",
        "-std=c++17",
        "-O0",
        "-w",
        f"-I{scratch}",
        f"-I{package / 'include'}",
        f"-I{tests / 'correctness'}",
        f"-I{tests / 'common'}",
    ]
    (scratch / "Halide.h").write_text((package / "include" / "Halide.h").read_text())
    subprocess.run([*compiler, "-x", "c++-header", scratch / "Halide.h", "-o", scratch / "Halide.h.gch"], check=True)
    library = next(package.glob("lib*/libHalide.so")).parent
    environ = {**os.environ, "HL_JIT_TARGET": TARGET, "HL_TARGET": TARGET}
    results = {}
    sources = [
        path for path in sorted((tests / "correctness").glob("*.cpp")) if re.search(r"gpu|GPU", path.read_text())
    ]
    for source in sources[::EVERY]:
        program = scratch / source.stem
        built = subprocess.run(
            [
                *compiler,
                "-include",
                "Halide.h",
                source,
                "-o",
                program,
                f"-L{library}",
                f"-Wl,-rpath,{library}",
                "-lHalide",
                "-lpthread",
                "-ldl",
                "-rdynamic",
            ],
            capture_output=True,
            text=True,
        )
        if built.returncode:
            errors = [line for line in built.stderr.splitlines() if "error" in line] or ["it does not build"]
            results[source.stem] = {"status": "skip", "note": errors[0][-200:]}
            continue
        done = device.run([program], cwd=scratch, timeout=600, env=environ)
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        skipped = [line for line in lines if "[SKIP]" in line]
        status, note = (
            ("pass", "")
            if done.returncode == 0
            else ("fail", lines[-1][:300] if lines else f"exit code {done.returncode}")
        )
        if skipped:
            status, note = "skip", skipped[0][:200]
        elif done.returncode == TOO_FEW_LAUNCHES and "were to run, 0 did" in done.stdout:
            status, note = "skip", "nothing of it runs on the GPU"
        results[source.stem] = {"status": status, "note": note}
        print(f"  {source.stem}: {status}", flush=True)
        program.unlink()
    return results
