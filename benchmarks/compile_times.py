#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What vectors of work-items cost when code is made: the kernels of cases.py built and launched anew, without the
cache, once with and once without them, in interleaved rounds of one run. A figure is the CPU time of the build and the
first launch less that of a later one; the least over rounds. --before has another build of ours in the same rounds."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import HERE, ROOT, case_names, geometric_mean, vendors

PLANS = ["auto", "never"]


def child(names, repeats=4):
    """In a process of its own: one JSON line for each case."""
    sys.path.insert(0, str(HERE))
    import pyopencl as cl
    from measure import Runtime, cpu_seconds
    import unseen  # its cases join the others
    from cases import CASES

    class Building(Runtime):
        """Its kernels can be built anew, so that all else is warm."""

        def __init__(self):
            super().__init__()
            self.sources, self.kernels = [], []

        def build(self):
            self.kernels = [cl.Kernel(cl.Program(self.context, source).build(), name) for source, name in self.sources]

        def kernel(self, source, name):
            number = len(self.sources)
            self.sources.append((source, name))
            self.build()

            def launch(global_size, local_size, *arguments):
                self.kernels[number](self.queue, global_size, local_size, *arguments)

            return launch

    def timed(*steps):
        begun = cpu_seconds()
        for step in steps:
            step()
        return cpu_seconds() - begun

    for name in names:
        rt = Building()
        rt.case = name
        run, _ = CASES[name](rt)
        run()
        rt.finish()
        both = [(timed(rt.build, run, rt.finish), timed(run, rt.finish)) for _ in range(repeats)]
        made, ran = (min(times) for times in zip(*both))
        print(json.dumps({"case": name, "ms": (made - ran) * 1e3}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--before", type=Path, help="the build folder of another state of ours, to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return child(arguments.cases)
    cases = arguments.cases or case_names()
    builds = {"ours": arguments.build, **({"before": arguments.before} if arguments.before else {})}
    best = {}
    with tempfile.TemporaryDirectory() as scratch:
        settings = {
            (name, plan): {
                **vendors(scratch, f"{name}-{plan}", (build / "lib" / "libunderstudy-icd.so").resolve()),
                "UNDERSTUDY_CACHE": "no",
                "UNDERSTUDY_VECTORIZE": plan,
                "PYOPENCL_NO_CACHE": "1",
            }
            for name, build in builds.items()
            for plan in PLANS
        }
        for _ in range(arguments.rounds):
            for setting, environment in settings.items():
                command = [sys.executable, __file__, "--child", *cases]
                done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
                for line in done.stdout.splitlines():
                    record = json.loads(line)
                    times = best.setdefault(record["case"], {})
                    times[setting] = min(times.get(setting, record["ms"]), record["ms"])
    titles = [f"{name} {plan}" for name, plan in settings]
    print(f"{'built and launched (CPU ms)':<28}" + "".join(f"{t:>14}" for t in titles + [f"{n} ratio" for n in builds]))
    ratios = {name: {case: t[name, "auto"] / t[name, "never"] for case, t in best.items()} for name in builds}
    for case, times in sorted(best.items(), key=lambda item: -ratios["ours"][item[0]]):
        row = "".join(f"{times[setting]:>14.1f}" for setting in settings)
        print(f"{case:<28}{row}" + "".join(f"{ratios[name][case]:>14.2f}" for name in builds))
    for name, by_case in ratios.items():
        print(f"{name}: geometric mean {geometric_mean(by_case.values()):.2f}")


if __name__ == "__main__":
    main()
