#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the fuzz targets of the preset `fuzz`, side by side, so many minutes in all, and prints a line for each.

Inputs that reach new code are kept in a folder of the corpus for the next time. What is found is kept beside them and
named: `fuzz_TARGET FILE` shows it again. The exit code is then 1."""
import argparse
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

# An input that takes longer, or memory beyond this, is a find too.
LIMITS = ["-timeout=60", "-rss_limit_mb=3072", "-malloc_limit_mb=1536"]
# Names of what the sanitizers and the driver say when something was found.
MARKS = re.compile(r"(^found: .*|ERROR: \w+Sanitizer: .*|ERROR: libFuzzer: .*|.*runtime error: .*)", re.MULTILINE)


def run(target, arguments, seconds):
    corpus = arguments.corpus / target
    corpus.mkdir(parents=True, exist_ok=True)
    finds = arguments.corpus / "found"
    finds.mkdir(exist_ok=True)
    before = set(finds.iterdir())
    environment = dict(
        os.environ,
        US_FUZZ_SEEDS=str(corpus),
        UNDERSTUDY_CACHE="0",
        UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
        ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=1",
    )
    begin = time.monotonic()
    log = arguments.corpus / f"{target}.log"
    command = [
        "nice",
        arguments.build / "bin" / f"fuzz_{target}",
        corpus,
        *LIMITS,
        "-print_final_stats=1",
        f"-max_total_time={seconds:.0f}",
        f"-max_len={arguments.longest}",
        f"-seed={arguments.seed}",
        f"-artifact_prefix={finds}/{target}-",
    ]
    with open(log, "w", encoding="utf-8", errors="replace") as output:
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, check=False)
    took = time.monotonic() - begin
    text = log.read_text(encoding="utf-8", errors="replace")
    runs = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)\s", text, re.M)[-1:]
    count = int(runs[0]) if runs else 0
    line = f"{target:16} {count:10} runs in {took:6.0f} s, {count / max(took, 1):8.0f} a second, "
    if done.returncode == 0:
        print(line + "nothing found", flush=True)
        return True
    mark = MARKS.search(text)
    files = sorted(str(path) for path in set(finds.iterdir()) - before)
    print(
        line + f"FOUND: {mark.group(0) if mark else f'exit code {done.returncode}'}\n"
        f"  {' '.join(files) or 'no input was kept'}; all that was said: {log}",
        flush=True,
    )
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=10, help="of all targets together (10)")
    parser.add_argument("targets", nargs="*", metavar="target", help="all, unless some are named")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="targets at a time (2)")
    parser.add_argument("--longest", type=int, default=16384, help="bytes of an input (16384)")
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    arguments = parser.parse_args()
    known = sorted(path.name.removeprefix("fuzz_") for path in (arguments.build / "bin").glob("fuzz_*"))
    wanted = arguments.targets or known
    if unknown := set(wanted) - set(known):
        parser.error(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # Side by side: each gets its share of the time of all jobs.
    seconds = arguments.minutes * 60 * min(arguments.jobs, len(wanted)) / len(wanted)
    left, results, lock = list(wanted), [], threading.Lock()

    def work():
        while True:
            with lock:
                if not left:
                    return
                target = left.pop(0)
            good = run(target, arguments, seconds)
            with lock:
                results.append(good)

    workers = [threading.Thread(target=work) for _ in range(arguments.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return 0 if all(results) and len(results) == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
