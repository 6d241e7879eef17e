# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An OpenCL and CUDA device in software, in this process.

`import understudy` lets whoever looks for libcuda.so.1 later find ours, unless the machine has a GPU of NVIDIA's;
PyOpenCL of its wheel lists us beside all other drivers with no import at all. `understudy.enable(...)` does what
`understudy run` does for a whole program: this platform only, with the devices and options that are named."""
import ctypes
import glob
import os
import subprocess
from pathlib import Path

__version__ = "@version@"
_package = Path(__file__).parent
_libraries = _package / "lib/understudy"
_held = []


def command(name="understudy"):
    """The path of one of our programs: understudy, understudy-nvcc."""
    return str(_package / "bin" / name)


def _loaded(name):
    """The file that this process has as the library of that name, or None."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            path = line.split(None, 5)[-1].rstrip("\n")
            if os.path.basename(path) == name:
                return path
    return None


def _hold_cuda():
    """From here on libcuda.so.1, looked for by its name, is ours: the dynamic linker takes the library of that name
    that it has.
    False: the process has another one."""
    present = _loaded("libcuda.so.1")
    if present and not os.path.samefile(present, _libraries / "cuda/libcuda.so.1"):
        return False
    if not _held:
        for name in ("libcuda.so.1", "libcurand.so.10", "libcudart.so.12", "libcudart.so.13"):
            _held.append(ctypes.CDLL(str(_libraries / "cuda" / name), mode=ctypes.RTLD_LOCAL))
    return True


def _has_nvidia_gpu():
    """What the driver of a GPU puts there, also in a container; /dev/dxg is Windows's."""
    return bool(glob.glob("/dev/nvidia[0-9]*")) or os.path.exists("/dev/dxg")


def enable(devices=None, **options):
    """This process and those that it starts see our platform only, as below `understudy run`. `devices`: what the
    emulated devices pretend to be ("h200", or ["h200", "rx7900xtx"]; `understudy run --device list` names them);
    further options are those of `understudy run --help`, as in enable(seed=7, check="memory,races"). To be called
    before the first call of OpenCL or CUDA."""
    if devices is not None:
        options["device"] = devices if isinstance(devices, str) else ",".join(devices)
    line = [command(), "run"]
    for name, value in options.items():
        text = {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
        line.append(f"--{name.replace('_', '-')}={text}")
    told = subprocess.run(line + ["--", "/usr/bin/env", "-0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if told.returncode:
        raise ValueError(told.stderr.decode(errors="replace").strip())
    for entry in told.stdout.decode(errors="surrogateescape").split("\0"):
        name, equals, value = entry.partition("=")
        if equals and os.environ.get(name) != value:
            os.environ[name] = value
    if not _hold_cuda():
        raise RuntimeError(f"this process has another CUDA driver already: {_loaded('libcuda.so.1')}")


if not _has_nvidia_gpu():
    _hold_cuda()
