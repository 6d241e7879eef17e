#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the CUDA programs of a public collection as their authors wrote them, with understudy-nvcc as `nvcc`:

    cuda_collections.py COLLECTION CHECKOUT [--every N] [--only NAME…] [--build build/release]

COLLECTION is samples (cuda-samples), hecbench, rodinia or polybench; CHECKOUT is a copy of it, which is built in. Each
program is built by its own Makefile or CMake project and run with its own arguments. A program is right if it ends with 0
and says nothing of a failure; of those that compare their results and say so it is noted. What a program calls its
number of repetitions is 1: they are for clocks. Inputs that Rodinia keeps elsewhere are made. What fails has its reason in
conformance/expected/cuda_collections.json, where an entry may also say that a program is not ours to run, and which
`smaller` arguments of its own are taken where the usual ones are late: its result then has both commands. The result is
conformance/results/cuda_collections-COLLECTION.json. CMake would find libraries of NVIDIA's toolkit where it usually
lies: on a machine that has one, run this with an empty folder mounted over it."""
import argparse
import concurrent.futures
import datetime
import itertools
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
REASONS = ROOT / "conformance" / "expected" / "cuda_collections.json"

# Libraries whose headers and archives no compiler has: a program that stops for one of them says nothing about ours.
FOREIGN = (
    r"cublas|cusparse|cusolver|curand|cufft|cudnn|cutensor|cutlass|nccl|nvshmem|nvjpeg|nvToolsExt|nvtx3|npp|cuda_gl_interop|"
    r"cudaEGL|cudaGL|cudaVDPAU|vdpau|nvsci|GL/|GLFW|glut|glew|EGL|vulkan|d3d|DirectX|X11|mpi|gsl|hdf5|boost|cudla|nvscibuf|FreeImage|nvml|cupti|"
    r"opencv|sycl|tbb|zlib|png|jpeg|fftw|Eigen|thrust/|cub/|cuda/|nv/|nvmedia|screen/"
)
WRONG = re.compile(
    r"\bFAIL(ED|URE)?\b|\bfail(ed|ure)\b|mismatch(?!es\s*[:=]?\s*0)|\bincorrect\b|Segmentation fault|\bcore dumped\b|"
    r"\berror at\b|\berror reading\b|CUDA error|cuda error|an illegal memory|Test failed|\bverification failed",
    re.I,
)
NOT_WRONG = re.compile(
    r"failed as expected|\b0 (failed|failures|mismatches|errors)|fail(ed|ures?|ures? count)?\s*[:=]\s*0\b|"
    r"mismatch(es)?\s*[:=]\s*0\b|no mismatch",
    re.I,
)
RIGHT = re.compile(
    r"\bPASS(ED)?\b|\bpass(ed)?\b|\bsuccess|\bcorrect\b|verified|Result = PASS|matches|Outputs .*: 0\b", re.I
)
REPEATED = re.compile(
    r"(?:repeats?|repetitions?|reps?|n?iter(?:ations?|s)?|num_?(?:iterations?|iters?|repeats?|reps?|trials?)|ntimes|trials?|"
    r"loops?|nruns?|timesteps|steps|kernel_?iter\w*|nsteps|numIter\w*|passes)\s*=\s*"
    r"(?:\([^()]*\)\s*)?(?:std::)?(?:atoi|stoi|strtol|strtoul|atol|stoul)\(\s*argv\[(\d+)\]",
    re.I,
)


def run(command, folder, limit):
    """The exit code (124: it took longer than limit seconds of processor time) and what was printed, at most its first
    and last 200,000 characters."""
    log = open(folder / ".collections.log", "w+b")
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=log,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1)),
    )
    try:
        code = process.wait(timeout=10 * limit)
    except subprocess.TimeoutExpired:
        code = 124
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    if code in (-signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGXCPU, 128 + signal.SIGKILL):
        code = 124
    size = log.seek(0, 2)
    log.seek(0)
    text = log.read(200_000)
    if size > 400_000:
        log.seek(-200_000, 2)
    text += log.read(200_000)
    log.close()
    return code, text.decode(errors="replace")


class Collection:
    """What differs from one collection to the next."""

    release = "13.0"  # of CUDA, whose functions and architectures there are
    projects = ("Makefile", "makefile", "CMakeLists.txt")  # what builds a program

    def __init__(self, checkout, toolkit):
        self.checkout = checkout
        self.toolkit = toolkit

    def programs(self):
        """Folders, in the order of their names."""

    def build(self, folder):
        """Prepares the folder; returns commands, of which each must end with 0."""
        return ["make"]

    def runs(self, folder):
        """Commands of the shell."""


def recipe(folder, target):
    """The commands that make would run for a target that is built already."""
    done = subprocess.run(["make", "-n", target], cwd=folder, capture_output=True, text=True)
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if "./" in line and not re.match(r"\s*(make|nvcc|g\+\+|gcc)\b", line)]


class HecBench(Collection):
    projects = ("Makefile", "makefile")

    def programs(self):
        return sorted((self.checkout / "src").glob("*-cuda"))

    def build(self, folder):
        # Their sm_60 went with CUDA 13; the variable is there to be set.
        makefile = next(folder.glob("[mM]akefile"))
        number = re.search(r"^ARCH\s*[:?]?=\s*(sm_)?\d+", makefile.read_text(), re.M)
        return [f"make ARCH={number[1] or ''}80" if number else "make"]

    def runs(self, folder):
        return recipe(folder, "run")


class Samples(Collection):
    def programs(self):
        config = (self.checkout / "Samples").glob("**/CMakeLists.txt")
        return sorted({p.parent for p in config if "add_executable" in p.read_text()}, key=lambda p: p.name)

    def project(self, folder):
        """The folder that is configured: a sample may be a part of the project around it."""
        while "project(" not in (folder / "CMakeLists.txt").read_text() and folder != self.checkout:
            folder = folder.parent
        return folder

    def build(self, folder):
        project = self.project(folder)
        here = shlex.quote(str(project))
        # One of their nine architectures.
        file = folder / "CMakeLists.txt"
        text = re.sub(
            r"^(\s*)set\(CMAKE_CUDA_ARCHITECTURES.*\)",
            r"\1set(CMAKE_CUDA_ARCHITECTURES 80)",
            file.read_text(),
            flags=re.M,
        )
        file.write_text(text)
        # What CMake found out of the compilers for one of them holds for all.
        files = (self.checkout / "Samples").glob("**/build/CMakeFiles/*/CMakeCUDACompiler.cmake")
        found = next((file for file in files if f'"{self.toolkit}/bin/nvcc"' in file.read_text()), None)
        if found and not (folder / "build").exists():
            known = folder / "build" / "CMakeFiles" / found.parent.name
            known.mkdir(parents=True)
            for file in found.parent.glob("*.cmake"):
                shutil.copy(file, known)
        targets = [] if project == folder else re.findall(r"\badd_executable\(\s*(\w+)", text)
        return [
            f"cmake -S {here} -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER_WORKS=1 -DCMAKE_CXX_COMPILER_WORKS=1 -DCMAKE_C_COMPILER_WORKS=1",
            shlex.join(["cmake", "--build", "build"] + (["--target", *targets] if targets else [])),
        ]

    def tests(self, folder):
        """What a part of a project calls its tests, which know the arguments."""
        below = f"build/{folder.relative_to(self.project(folder))}"
        words = ["ctest", "--test-dir", below, "-N", "-V"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        return [f"env -C {below} {test}" for test in re.findall(r"^\d+: Test command: (.*)$", done.stdout, re.M)]

    def runs(self, folder):
        if self.project(folder) != folder:
            return self.tests(folder)
        arguments = json.loads((self.checkout / "test_args.json").read_text())
        found = []
        for program in sorted((folder / "build").rglob("*")):
            if program.is_file() and os.access(program, os.X_OK) and "CMakeFiles" not in program.parts:
                if program.suffix in (".so", ".py", ".sh"):
                    continue
                entry = arguments.get(program.name, {})
                for one in entry.get("runs", [entry]):
                    # As their run_tests.py does it: in the folder of the program.
                    words = ["env", "-C", str(program.parent.relative_to(folder)), "./" + program.name]
                    found.append(shlex.join(words + [str(word) for word in one.get("args", [])]))
        return found


def rodinia_inputs():
    """Path and content of the inputs that Rodinia keeps elsewhere: numbers of ours in the formats that its programs
    read, of the sizes that their command lines name."""
    random = Random(1)

    def numbers(count, low, high):
        return "".join(f"{random.uniform(low, high):.6f}\n" for _ in range(count))

    def graph(nodes):
        degrees = [random.randint(1, 6) for _ in range(nodes)]
        begins = [0, *itertools.accumulate(degrees)]
        edges = [f"{random.randrange(nodes)} {random.randint(1, 9)}" for _ in range(begins[-1])]
        return "\n".join([str(nodes), *(f"{begins[i]} {degrees[i]}" for i in range(nodes)), "", "0", "",
                          str(len(edges)), *edges, ""])  # fmt: skip

    def matrix(size):
        rows = [" ".join(f"{random.uniform(-1, 1) + 9 * (i == j):.3f}" for j in range(size)) for i in range(size)]
        return "\n".join([str(size), "", *rows, "", " ".join(f"{random.uniform(-1, 1):.3f}" for _ in range(size)), ""])

    def storms(count):
        form = "1950 12 27  0 {:2d}    {:<9}{:4.1f} {:4.1f}          \n"
        return "".join(
            form.format(i % 24, "HURRICAN", random.uniform(0, 60), random.uniform(10, 99)) for i in range(count)
        )

    yield "b+tree/mil.txt", "1000000\n" + "".join(f"{random.randrange(1000000)}\n" for _ in range(1000000))
    yield "b+tree/command.txt", "j 6000 3000\n\n\nk 10000\n\n\n"
    yield "bfs/graph65536.txt", graph(65536)
    yield "dwt2d/192.bmp", random.randbytes(192 * 192 * 3)
    yield "dwt2d/rgb.bmp", random.randbytes(1024 * 1024 * 3)
    yield "gaussian/matrix4.txt", matrix(4)
    yield "hotspot/temp_512", numbers(512 * 512, 323, 341)
    yield "hotspot/power_512", numbers(512 * 512, 0, 0.01)
    yield "hotspot3D/temp_512x8", numbers(512 * 512 * 8, 323, 341)
    yield "hotspot3D/power_512x8", numbers(512 * 512 * 8, 0, 0.01)
    yield "huffman/test1024_H2.206587175259.in", bytes(min(random.getrandbits(16) % 7, 5) for _ in range(1 << 20))
    rows = (" ".join(f"{random.uniform(0, 99):.3f}" for _ in range(34)) for _ in range(20000))
    yield "kmeans/kdd_cup", "".join(f"{i} {row}\n" for i, row in enumerate(rows))
    for i in range(4):
        yield f"nn/cane4_{i}.db", storms(10691)


class Rodinia(Collection):
    release = "11.8"

    def __init__(self, checkout, toolkit):
        super().__init__(checkout, toolkit)
        for name, content in rodinia_inputs():
            path = checkout / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def programs(self):
        folders = [p for p in (self.checkout / "cuda").iterdir() if p.is_dir() and p.name != "util"]
        return sorted([p for p in folders if p.name != "srad"] + list((self.checkout / "cuda/srad").glob("srad_v*")))

    def build(self, folder):
        # A folder whose lib64 has the runtime of that release.
        toolkit = self.checkout / ".toolkit"
        toolkit.mkdir(exist_ok=True)
        for entry in self.toolkit.iterdir():
            link, target = toolkit / entry.name, entry / "cuda12" if entry.name == "lib64" else entry
            link.unlink(missing_ok=True)
            link.symlink_to(target)
        # Their architectures went before CUDA 11.8, and some name folders where their authors had them.
        for file in [p for p in folder.rglob("*") if p.name.lower() == "makefile"]:
            text = re.sub(r"\b(sm|compute)_[123]\d\b", r"\1_52", file.read_text())
            text = text.replace("~/rodinia_3.0", str(self.checkout))
            file.write_text(text.replace("/usr/local/cuda/", f"{toolkit}/"))
        toolkit = shlex.quote(str(toolkit))
        return [f"make CUDA_DIR={toolkit} CUDA_INSTALL_PATH={toolkit} CUDA_LIB_DIR={toolkit}/lib64"]

    def runs(self, folder):
        for name in ("run", "run.sh"):
            if (folder / name).exists():
                lines = map(str.strip, (folder / name).read_text().splitlines())
                return [line for line in lines if re.match(r"(\./|cuda/|bin/)", line)]
        return []


class PolyBench(Collection):
    release = "12.9"

    def programs(self):
        return sorted({p.parent for p in (self.checkout / "CUDA").glob("**/*.cu")}, key=lambda p: p.name)

    def runs(self, folder):
        return ["./" + p.name for p in sorted(folder.glob("*.exe"))]


COLLECTIONS = {"hecbench": HecBench, "samples": Samples, "rodinia": Rodinia, "polybench": PolyBench}


def once(command, folder):
    """The command with its number of repetitions set to 1; None: its source names none."""
    places = set()
    for source in [p for p in folder.rglob("*") if p.suffix in (".cu", ".cpp", ".c", ".h", ".cc")]:
        places |= {int(place) for place in REPEATED.findall(source.read_text(errors="replace"))}
    words = shlex.split(command)
    starts = [i for i, word in enumerate(words) if word.startswith("./")]
    starts = starts or [i for i, word in enumerate(words) if "/" in word]
    changed = False
    for place in places:
        at = starts[0] + place if starts else place
        if at < len(words) and words[at].isdigit() and int(words[at]) > 1:
            words[at] = "1"
            changed = True
    return shlex.join(words) if changed else None


def interesting(text):
    """The line of a log that says most."""
    for pattern in (r".*fatal error:.*", r".*\berror:.*", r".*undefined reference.*", r".*cannot find -l.*",
                    r".*(CMake Error).*\n.*", r".*\*\*\*.*", r".*[Ee]rror.*", r".*FAIL.*"):  # fmt: skip
        found = re.search(pattern, text)
        if found:
            return " ".join(found.group(0).split())[:300]
    lines = text.strip().splitlines()
    return lines[-1][:300] if lines else ""


def attempt(collection, folder, device, limits, known):
    """What became of a program: its status, and what was seen. `known`: its entry in REASONS."""
    name = folder.name
    begin = time.time()
    under = [*device, "--"]
    if not any((folder / file).exists() for file in collection.projects):
        return name, {"status": "not ours", "seen": "It has no " + " and no ".join(collection.projects) + "."}
    for command in collection.build(folder):
        code, text = run([*under, "bash", "-c", command], folder, limits.build)
        (folder / ".collections.build").write_text(text)
        if code:
            seen = "not built in time" if code == 124 else interesting(text)
            foreign = re.search(rf"'(?:[^']*/)?({FOREIGN})[^']*' file not found|cannot find -l({FOREIGN})|"
                                rf"fatal error: (?:[^ ]*/)?({FOREIGN})[^ ]*: No such|cannot open '?-l({FOREIGN})|"
                                rf"[Ll]ibrary[^\n]*({FOREIGN})[^\n]*not found|CUDA::({FOREIGN})\w*\s+but the target|"
                                rf"Could NOT find ({FOREIGN}|OpenGL|GLUT|MPI|OpenCV)", text, re.I)  # fmt: skip
            status = "not ours" if foreign else "wrong"
            return name, {"status": status, "built": False, "seen": seen, "seconds": round(time.time() - begin)}
    commands = collection.runs(folder)
    result = {"built": True}
    if not commands:
        return name, {"status": "not ours", **result, "seen": "It says no command that runs it."}

    def outcome(command):
        code, text = run([*under, "bash", "-c", command], folder, limits.run)
        (folder / ".collections.run").write_text(text)
        return text, *verdict_of(text, code)

    verdict = False
    for command in commands:
        shorter = once(command, folder)
        if shorter:
            result["repetitions"] = 1
        text, status, seen = outcome(shorter or command)
        if status == "late" and "smaller" in known:
            late, command = command, known["smaller"]
            result.update(command=command, late=late)
            text, status, seen = outcome(command)
        verdict |= bool(RIGHT.search(text))
        if status != "right":
            return name, {"status": status, **result, "seen": seen, "command": command}
    return name, {"status": "right", **result, "verdict": verdict, "seconds": round(time.time() - begin)}


def verdict_of(text, code):
    if code == 124:
        return "late", "not through in time"
    wrong = [line for line in text.splitlines() if WRONG.search(line) and not NOT_WRONG.search(line)]
    # A program that is about assertions says so behind those that fail on purpose.
    if "failed as expected" in text:
        wrong = [line for line in wrong if not re.search(r"Assertion `.*` failed", line)]
    if code == 2 and re.search(r"waiv|not supported|requires", text, re.I):
        return "not ours", interesting(text)
    if re.search(r"No such file|[Cc]an ?not open|[Cc]ould not open|[Uu]nable to (open|read)|[Ee]rror [Rr]eading|[Ee]rror opening|file not found"
                 r"|[Ff]ailed to (open|load)", text) and (code or wrong):  # fmt: skip
        return "not ours", "data: " + interesting(text)
    if code or wrong:
        return "wrong", f"exit code {code}: " + (wrong[0].strip() if wrong else interesting(text))[:200]
    return "right", ""


# What a program stopped for that no compiler and no runtime has.
NOT_OURS = [
    (
        rf"(?:{FOREIGN})[^ ]*'? ?(?:file not found|: No such file)|cannot find -l(?:{FOREIGN})|Could NOT find",
        "a library",
    ),
    (
        r"could not be opened|[Cc]an ?not open|[Cc]ould not open|[Uu]nable to open|[Ee]rror opening|[Ff]ailed to open",
        "data",
    ),
    (r"out of memory|bad_alloc", "more memory than the device has"),
]


def write(path, options, programs):
    """The result as it is so far; returns its totals."""
    for result in programs.values():
        for key in {"seen", "command", "late"} & result.keys():  # whose machine it was is of no interest
            result[key] = result[key].replace(f"{options.checkout.resolve()}/", "")
        for pattern, what in NOT_OURS:
            if result["status"] == "wrong" and re.search(pattern, result["seen"], re.I):
                result.update(status="not ours", reason=f"It needs {what}.")
    statuses = [result["status"] for result in programs.values()]
    totals = {
        "programs": len(programs),
        "built": sum(result.get("built", False) for result in programs.values()),
        **{status: statuses.count(status) for status in ("right", "wrong", "late", "not ours")},
        "right by their own verdict": sum(result.get("verdict", False) for result in programs.values()),
    }
    data = {
        "made": {"commit": options.commit, "date": datetime.date.today().isoformat(), "cores": os.cpu_count()},
        "rule": (f"every {options.every}th by name" if options.every > 1 else "all") + options.left,
        "limits": f"{options.build_limit} s of processor time for each process of a build, {options.run_limit} s for a run",
        "totals": totals,
        "programs": dict(sorted(programs.items())),
    }
    path.write_text(json.dumps(data, indent=1) + "\n")
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", choices=COLLECTIONS)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--every", type=int, default=1, help="every N-th program by name, beginning with the first")
    parser.add_argument("--only", nargs="+", default=[], help="these programs; what else is in the result stays")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build-limit", type=int, default=120)
    parser.add_argument("--run-limit", type=int, default=20)
    parser.add_argument("--device", default="", help="the profile of the emulated device")
    parser.add_argument("--include", nargs="+", type=Path, default=[], help="folders of headers, such as those of CCCL")
    options = parser.parse_args()
    # That of the beginning: later ones are not what is run.
    words = ["git", "rev-parse", "--short", "HEAD"]
    options.commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    os.environ["NVCC_APPEND_FLAGS"] = " ".join(f"-I{folder.resolve()}" for folder in options.include)
    limits = argparse.Namespace(build=options.build_limit, run=options.run_limit)
    toolkit = (options.build / "cuda").resolve()
    collection = COLLECTIONS[options.collection](options.checkout.resolve(), toolkit)
    device = [str((options.build / "bin/understudy").resolve()), "run", "--cuda-version", collection.release]
    if options.device:
        device += ["--device", options.device]
    chosen = collection.programs()[:: options.every]
    total = len(chosen)
    path = ROOT / "conformance" / "results" / f"cuda_collections-{options.collection}.json"
    reasons = json.loads(REASONS.read_text()).get(options.collection, {}) if REASONS.exists() else {}
    # What was interrupted goes on.
    programs = json.loads(path.read_text())["programs"] if path.exists() else {}
    chosen = [
        folder for folder in chosen if folder.name in (options.only or {p.name for p in chosen} - programs.keys())
    ]
    options.left = f"; {total - len(programs)} of {total} were not come to" if len(programs) < total else ""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [
            pool.submit(attempt, collection, folder, device, limits, reasons.get(folder.name, {})) for folder in chosen
        ]
        for done in concurrent.futures.as_completed(waiting):
            name, result = done.result()
            programs[name] = result
            options.left = f"; {total - len(programs)} of {total} were not come to" if len(programs) < total else ""
            print(name, result["status"], result.get("seen", ""), flush=True)
            write(path, options, programs)
    for name, result in programs.items():
        if result["status"] != "right" and name in reasons:
            result.update({key: value for key, value in reasons[name].items() if key != "smaller"})
    print(write(path, options, programs))
    unexplained = [name for name, result in programs.items() if result["status"] == "wrong" and "reason" not in result]
    if unexplained:
        print("without a reason:", " ".join(sorted(unexplained)))
    return bool(unexplained)


if __name__ == "__main__":
    sys.exit(main())
