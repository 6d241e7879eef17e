# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CLBlast's tuners: hundreds of generated kernel variants, each compared with a reference result by the tuner
itself."""
import re

PACKAGES = ["clblast-utils"]
# Small problems: the tuner checks every variant whatever the size.
TUNERS = {
    "xaxpy": ["-n", "65536"],
    "xdot": ["-n", "65536"],
    "xgemv": ["-m", "1024", "-n", "1024"],  # variants handle up to 512 rows at once, and need a multiple of that
    "xgemm": ["-m", "128", "-n", "128", "-k", "128", "-fraction", "256"],
}


def run(device, scratch):
    results = {}
    for tuner, arguments in TUNERS.items():
        for precision in ("32", "64"):
            done = device.run(
                [f"clblast_tuner_{tuner}", "-precision", precision, "-runs", "1", *arguments], timeout=3000, cwd=scratch
            )
            lines = [l for l in done.stdout.splitlines() if re.match(r"\|\s*\d+\s*\|", l)]
            bad = [l for l in lines if "results match" not in l]
            matched = len(lines) - len(bad)
            good = done.returncode == 0 and matched > 0 and not bad
            results[f"{tuner}-{precision}"] = {
                "status": "pass" if good else "fail",
                "note": f"{matched} variants match, {len(bad)} do not"
                + ("" if good else f"; exit {done.returncode}; {bad[:2]} {done.stdout[-300:]}"),
            }
    return results
