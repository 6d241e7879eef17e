#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/results.md from the data in conformance/results and benchmarks/results. Without arguments it writes the page;
with --check it says whether the page is what the data give."""
import json
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "results.md"


def load(path):
    return json.loads((ROOT / path).read_text())


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |" for row in rows]


def made(data):
    """When and on what a result was made, where its file says so."""
    return f"{data['commit']}, {data['date']}" if "commit" in data and "date" in data else data.get("commit", "")


# What our issues want of the overheads that `./dev bench` measures.
WANTED = {
    "process start to first result, cold, ms": 50,
    "process start to first result, warm, ms": 25,
    "second small program built and run, ms": 15,
    "14-kernel program: build and run all, ms": 400,
    "launch of 1 item + finish, us": 2,
    "10,000 enqueues then finish, us each": 1.3,
    "blocking read of 4 bytes, us": 1,
    "blocking write of 4 bytes, us": 1,
    "SVM map and unmap of 1 MB, us": 3,
    "resident before the first build, MB": 15,
    "resident after the first result, cold, MB": 80,
    "CUDA launch and synchronise, us": 3,
    "CUDA cold 1,000 instructions, ms": 60,
    "CUDA cached 1,000 instructions, ms": 5,
    "CUDA graph of 100 kernels in a row, launch and synchronise, us": 20,
}
PEERS = {"pocl": ("PoCL's", 1.1), "intel": ("Intel's", 1.1), "limit": ("the hand-written versions'", 2)}


def benchmarks():
    """What `./dev bench --json` wrote, without the times of single kernels."""
    data = load("benchmarks/results/bench.json")
    yield "## Speed and memory"
    yield f"{data['how']}; {data['machine']}; {made(data)}."
    yield ""

    def figure(values):
        middle = statistics.median(values) if values else None
        return "" if middle is None else f"{middle:.3g}" if middle < 1000 else f"{middle:,.0f}"

    yield from table(
        ["what", "ours (median)", "wanted", "PoCL", "Intel"],
        [
            [
                name,
                figure(found["understudy"]),
                WANTED.get(name, ""),
                figure(found.get("pocl")),
                figure(found.get("intel")),
            ]
            for name, found in data["overheads"].items()
        ],
    )
    yield ""
    for peer, clocks in data["beside"].items():
        whose, much = PEERS[peer]
        for clock, kinds in clocks.items():
            means = " and ".join(
                f"{means['geometric mean']} ({len(means['ratios'])} kernels {kind})" for kind, means in kinds.items()
            )
            ratios = {
                name: ratio for means in kinds.values() for name, ratio in means["ratios"].items() if ratio > much
            }
            above = ", ".join(f"{name} {ratio}" for name, ratio in sorted(ratios.items(), key=lambda item: -item[1]))
            yield f"Kernels, our {clock} by {whose}, geometric mean: {means}. More than {much}: {above or 'none'}."
            yield ""


def suites():
    yield "## Suites and programs that nobody here wrote"
    yield "`conformance/run.py SUITE`; what fails or is skipped has its reason below."
    yield ""
    rows, reasons = [], []
    for path in sorted((ROOT / "conformance" / "results").glob("*.json")):
        data = json.loads(path.read_text())
        if "counts" not in data:
            continue
        suite, _, device = path.stem.rpartition("-")
        counts = data["counts"]
        rows.append([suite, device, counts["pass"], counts["fail"], counts["skip"], made(data.get("made", {}))])
        for test, result in data["not passed"].items():
            reason = result.get("reason") or result.get("note", "")
            reasons.append(
                [f"{suite} ({device})", f"`{test}`", result["status"], " ".join(reason.split())[:300].replace("|", "/")]
            )
    yield from table(["suite", "device type", "pass", "fail", "skip", "made"], rows)
    for path in sorted((ROOT / "conformance" / "results").glob("khronos*.json")):
        khronos = json.loads(path.read_text())
        total = {
            key: sum(suite.get(key, 0) for suite in khronos["suites"].values())
            for key in ("pass", "fail", "skip", "stopped", "not run")
        }
        yield ""
        yield (
            f"Khronos's tests (`conformance/khronos.py`), functions: {total['pass']} pass, {total['fail']} fail, {total['skip']} skip, "
            f"{total['stopped']} stopped by the time limit, {total['not run']} of these suites not run. {khronos['how']}"
        )
    yield ""
    yield "### What did not pass"
    yield from table(["suite", "test", "status", "reason"], reasons)


def cuda_collections():
    yield "## CUDA programs of public collections"
    yield (
        "`conformance/cuda_collections.py`: built by understudy-nvcc as `nvcc` with their own Makefiles and CMake projects, run with their own arguments, "
        "what they call repetitions set to 1. Late: not through within the limit of processor time. Rodinia's inputs "
        "are not in its repository: most are numbers of ours in the formats that its programs read."
    )
    yield ""
    rows, reasons, smaller = [], [], []
    for path in sorted((ROOT / "conformance" / "results").glob("cuda_collections-*.json")):
        data = json.loads(path.read_text())
        name = path.stem.partition("-")[2]
        rows.append([name, data["rule"], *data["totals"].values(), data["limits"], made(data["made"])])
        for program, result in data["programs"].items():
            if "late" in result:
                smaller.append(
                    [name, f"`{program}`", f"`{result['late']}`", f"`{result['command']}`", result["status"]]
                )
            if result["status"] in ("wrong", "late", "not ours"):
                said = result.get("reason") or result["seen"]
                reasons.append([name, f"`{program}`", result["status"], " ".join(said.split())[:200].replace("|", "/")])
    totals = ["programs", "built", "right", "wrong", "late", "not ours", "right by their own verdict"]
    yield from table(["collection", "which", *totals, "limits", "made"], rows)
    yield ""
    yield from table(["collection", "program", "status", "reason, or what was seen"], reasons)
    if smaller:
        yield ""
        yield "Late with their own arguments, and run with smaller ones:"
        yield ""
        yield from table(["collection", "program", "its own", "smaller", "status"], smaller)


def checks():
    data = load("conformance/results/checks.json")
    yield "## Checked execution"
    yield (
        "`understudy check`, emulated GPU type (docs/howto/check.md); findings with the same key count once. Each finding was looked at: it is a bug of that program, or a "
        f"fault of ours, which was mended. {made(data['made'])}, where a row says nothing else."
    )
    yield ""
    yield from table(
        ["program", "launches", "result as unchecked", "true findings", "false findings", "which"],
        [
            [row["program"] + (f" ({made(row['made'])})" if "made" in row else "")]
            + [row[key] for key in ("launches", "same", "true", "false", "which")]
            for row in data["programs"]
        ],
    )
    yield ""
    yield data["host"]["what"]
    yield ""
    yield from table(
        ["program", "launches", "result as unchecked", "true findings", "false findings", "which"],
        [
            [row[key] for key in ("program", "launches", "same", "true", "false", "which")]
            for row in data["host"]["programs"]
        ],
    )
    yield ""
    for corpus in data["corpora"]:
        yield corpus["what"]
        yield ""
        yield from table(
            ["class", "wrong kernels", "found, line right", "missed", "false", "why"],
            [[row[key] for key in ("class", "wrong", "right", "missed", "false", "why")] for row in corpus["rows"]],
        )
        yield ""
    cost = data["cost"]
    yield (
        f"What it costs (`./dev bench check`, {cost['how']}): CPU time by that of the unchecked run, geometric mean over {cost['kernels']} "
        "kernels: " + ", ".join(f"{name} {ratio}" for name, ratio in cost["means"].items()) + f". {cost['notes']}"
    )
    for beside in cost["beside"]:
        columns = {"checks": "checks", "kernels": "kernels", "ours": "ours", "theirs": beside["peer"]}
        if "milliseconds" in beside["rows"][0]:
            columns["milliseconds"] = "our milliseconds by theirs"
        yield ""
        yield f"Beside {beside['peer']} ({beside['how']}), by the unchecked run:"
        yield ""
        yield from table(list(columns.values()), [[row[key] for key in columns] for row in beside["rows"]])


def by_hand():
    data = load("conformance/results/by_hand.json")
    yield "## Runs by hand"
    yield f"As of {data['commit']}, where a row names no other commit."
    yield ""
    yield from table(
        ["component", "what", "result", "how"],
        [
            [
                row["component"],
                row["what"],
                row["result"] + (f" ({row['commit']})" if "commit" in row else ""),
                row["how"],
            ]
            for row in data["rows"]
        ],
    )


def page():
    parts = [
        [
            "# Results",
            "Generated by `conformance/results_page.py` from the data in `conformance/results` and `benchmarks/results`: change those, "
            "not this page.",
        ],
        benchmarks(),
        suites(),
        cuda_collections(),
        checks(),
        by_hand(),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def main():
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != page():
            print("docs/results.md is not what the data give: run conformance/results_page.py")
            return 1
        print("docs/results.md: as the data say")
        return 0
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
