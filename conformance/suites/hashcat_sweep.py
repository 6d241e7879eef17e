# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Thirty modes of hashcat's benchmark. Each mode recovers the password of hashcat's own example hash, with nothing
cached, where its self-test runs before and says so, and then runs `hashcat -b`. Starting (until self-test and tuning
are over) may not take longer, on the clock and of processor time, than on Intel's CPU runtime, where that is installed
beside the Python that run.py was given (pip install intel-opencl-rt intel-cmplr-lib-rt).

How hashcat's self-tests show: `--hash-info` says whether a mode has one; without --quiet an attack prints "Starting
self-test" and "Finished self-test", or "ATTENTION! ... kernel self-test failed", and then ends. A benchmark runs them,
too, unless --self-test-disable is given, but prints failures only, and goes on.

UNDERSTUDY_HASHCAT_MODES=0,1500 runs some of the modes."""
import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

PACKAGES = ["hashcat"]
# All that hashcat 6.2.6 runs by itself for -b, and of the 448 others of --benchmark-all, in the order of their numbers,
# the first of each fifth.
MODES = [
    0,
    100,
    1400,
    1700,
    22000,
    1000,
    3000,
    5500,
    5600,
    1500,
    500,
    3200,
    1800,
    7500,
    13100,
    15300,
    15900,
    7100,
    11600,
    12500,
    13000,
    6211,
    13400,
    6800,
    11300,
    10,
    4700,
    11750,
    18200,
    26100,
]
OPTIONS = ["--potfile-disable", "--restore-disable", "--logfile-disable"]
LIMIT = 900
STARTED = "Finished autotune"


def example(mode):
    """hashcat's example for a mode: {"example_hash": …, "example_pass": …, …}."""
    text = subprocess.run(
        ["hashcat", "--hash-info", "--machine-readable", "-m", str(mode)],
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout
    return json.loads(text[text.index("{") :], strict=False)[str(mode)]


def attack_arguments(mode, info, folder):
    """Arguments that make hashcat look for the example's password, and nothing else."""
    target = folder / "hash"
    binary = "binary" in info.get("example_hash_format", "")
    target.write_bytes(bytes.fromhex(info["example_hash"]) if binary else info["example_hash"].encode() + b"\n")
    mask = info["example_pass"].replace("?", "??")
    return ["hashcat", "-m", str(mode), "-a", "3", "-O", *OPTIONS, "--session", f"sweep{mode}", str(target), mask]


def processor_time(session):
    """Seconds that the processes of a session have used."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = process.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def attack(command, environment, folder, whole=True):
    """Runs an attack; returns ((seconds, seconds of processor time) until it has started, or None; its text). It is
    ended then if not `whole`."""
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    text, started = b"", None
    while chunk := process.stdout.read1(65536):
        text += chunk
        if started is None and STARTED.encode() in text:
            started = time.monotonic() - began, processor_time(process.pid)
            if not whole:
                process.kill()
        if time.monotonic() - began > LIMIT:
            process.kill()
    process.wait()
    return started, text.decode(errors="replace")


def intel_environment(python, folder):
    """Of a program that is to find Intel's runtime and no other; None if it is not installed."""
    library = python.parent.parent / "lib" / "libintelocl.so"
    if not library.exists():
        return None
    (folder / "vendors").mkdir()
    (folder / "vendors" / "intel.icd").write_text(f"{library}\n")
    return {**os.environ, "OCL_ICD_VENDORS": str(folder / "vendors"), "LD_LIBRARY_PATH": str(library.parent)}


def fresh(environment, folder):
    """The same environment with no cache of anybody's."""
    home = Path(tempfile.mkdtemp(dir=folder))
    return {
        **environment,
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "data"),
        "UNDERSTUDY_CACHE_DIRECTORY": str(home / "understudy"),
    }


def what_failed(text, started, info):
    """The first thing in an attack's text that should not be there, or what is missing."""
    for wrong in ("self-test failed", "autotune failure", "CL_", "CUDA_ERROR", "cuLaunch"):
        if found := re.search(rf"^.*{re.escape(wrong)}.*$", text, re.M):
            return found[0].strip()[:200]
    if info["self_test_enabled"] and "Finished self-test" not in text:
        return "no self-test ran"
    if started is None:
        return "the tuning did not end"
    if not re.search(r"^Status\.+: Cracked", text, re.M):
        return "the password was not found"
    return ""


def seconds(started):
    return f"{started[0]:.1f} s ({started[1]:.1f} s of processor time)"


def run_mode(device, mode, api, intel, scratch):
    info = example(mode)
    ours = fresh(os.environ, scratch)
    folder = Path(tempfile.mkdtemp(dir=scratch))
    command = attack_arguments(mode, info, folder)
    started, text = attack(device.command(command + api), ours, folder)
    problem = what_failed(text, started, info)
    note = f"started in {seconds(started)}" if started else "did not start"
    if intel and not problem:
        theirs, _ = attack(command, fresh(intel, scratch), folder, whole=False)
        if theirs:
            note += f", on Intel in {seconds(theirs)}"
            problem = "slower to start" if started[0] > theirs[0] and started[1] > theirs[1] else ""
        else:
            note += ", on Intel not at all"
    done = device.run(["hashcat", "-b", "-m", str(mode), *OPTIONS, *api], timeout=LIMIT, cwd=folder, env=ours)
    speed = re.search(r"Speed\.#\d+\.+:\s+(.*?/s)", done.stdout)
    note += f"; {re.sub(r' +', ' ', speed[1])}" if speed else ""
    ran = speed and not speed[1].startswith("0 ") and "self-test failed" not in done.stdout
    if not problem and not ran:
        problem = "the benchmark: " + " ".join(done.stdout[-300:].split())
    return {"status": "fail" if problem else "pass", "note": f"{problem + ': ' if problem else ''}{note}"}


def run(device, scratch, api=("--backend-ignore-cuda",)):
    modes = [int(m) for m in os.environ.get("UNDERSTUDY_HASHCAT_MODES", "").split(",") if m] or MODES
    intel = intel_environment(device.python, scratch)
    results = {}
    for mode in modes:
        results[str(mode)] = run_mode(device, mode, [*api, "-D", "1,2,3"], intel, scratch)
        print(f"hashcat {mode}: {results[str(mode)]['status']}: {results[str(mode)]['note']}", flush=True)
    return results
