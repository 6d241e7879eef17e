# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEGL's OpenCL operations against its code for the processor, or, where GEGL's two codes differ, against the same
kernels on PoCL."""
import os
import re
import subprocess

PACKAGES = ["gegl", "pocl-opencl-icd"]
WIDTH, HEIGHT = 211, 157
# The operation, and whether the peer says what is expected.
OPERATIONS = {
    "bilateral-filter": False,
    "box-blur radius=3": False,
    "brightness-contrast contrast=1.4 brightness=0.1": False,
    "exposure exposure=0.5": False,
    "levels in-low=0.1 in-high=0.8": False,
    "motion-blur-linear length=10 angle=30": True,
    "noise-hurl seed=3": False,
    "pixelize size-x=7 size-y=5": False,
    "snn-mean": True,
    "value-invert": False,
}


def write_picture(path):
    pixels = bytes(
        (x * a + y * b + (37 * ((x // 16 + y // 16) % 3))) % 256
        for y in range(HEIGHT)
        for x in range(WIDTH)
        for a, b in ((1, 0), (0, 1), (2, 3))
    )
    path.write_bytes(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + pixels)


def read_picture(path):
    """(the largest value, the values) of what GEGL wrote; None if it wrote nothing."""
    header = re.match(rb"P6\s(?:#.*\n)*(\d+)\s+(\d+)\s+(\d+)\s", path.read_bytes()) if path.exists() else None
    if not header:
        return None
    data, largest = path.read_bytes()[header.end() :], int(header[3])
    return largest, data if largest < 256 else [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]


def run(device, scratch):
    source, ours, theirs = (scratch / f"{name}.ppm" for name in ("source", "ours", "theirs"))
    write_picture(source)
    # GEGL takes GPUs unless it is told another type.
    kind = "yes" if device.device_type == "gpu" else device.device_type
    results = {}
    for operation, of_peer in OPERATIONS.items():
        for old in (ours, theirs):
            old.unlink(missing_ok=True)
        graph = ["--", *f"gegl:{operation}".split()]
        done = device.run(
            ["gegl", source, "-o", ours, *graph],
            options=["--summary"],
            timeout=200,
            env={**os.environ, "GEGL_USE_OPENCL": kind},
        )
        # Kernels that change formats, which run for every operation, prove nothing.
        ran = [k for k in re.findall(r"kernel +(\w+) +\d+ launches", done.stdout) if "_to_" not in k]
        peer = {
            **os.environ,
            "GEGL_USE_OPENCL": "cpu" if of_peer else "no",
            "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd",
        }
        subprocess.run(["gegl", source, "-o", theirs, *graph], check=True, capture_output=True, env=peer)
        seen, expected = read_picture(ours), read_picture(theirs)
        gap = (
            max(abs(a - b) for a, b in zip(seen[1], expected[1]))
            if seen and expected and len(seen[1]) == len(expected[1])
            else None
        )
        good = done.returncode == 0 and ran and gap is not None and gap <= 1 and "KernelFault" not in done.stdout
        results[operation.split()[0]] = {
            "status": "pass" if good else "fail",
            "note": f"largest difference {gap} of {seen[0]}"
            if good
            else f"exit {done.returncode}, kernels {ran}, difference {gap}: {done.stdout[:200]}",
        }
    return results
