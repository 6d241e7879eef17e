#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the tree against docs/architecture.md: what is in its root, include direction, cycles between folders, exported
symbols, a test for every entry point, a hand-written version of every benchmark's kernel, that the paths named in the
docs exist, and what docs/security.md promises of the sources and of where programs look for libraries.
Usage: check.py CHECK [BUILD_DIR], with one of CHECKS"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What includes of a library begin with. The include table of docs/architecture.md names folders, headers and these.
LIBRARIES = {
    "LLVM": ["llvm/", "llvm-c/"],
    "Clang": ["clang/"],
    "TBB": ["oneapi/", "tbb/"],
    "Boost.Context": ["boost/context/"],
    "sanitizers": ["sanitizer/"],
    "OpenCL-Headers": ["CL/"],
    "SPIRV-Headers": ["spirv/"],
    "SPIRV-Tools": ["spirv-tools/"],
    "nlohmann-json": ["nlohmann/"],
    "CLI11": ["CLI/"],
    "hwloc": ["hwloc.h"],
    "xxHash": ["xxhash.h"],
    "zstd": ["zstd.h"],
    "lz4": ["lz4.h"],
}
LLVM, CLANG, TBB = LIBRARIES["LLVM"], LIBRARIES["Clang"], LIBRARIES["TBB"]


def include_table():
    """Folder (the longest prefix wins) -> what it may include besides itself, as docs/architecture.md says."""
    table = {}
    for line in (ROOT / "docs/architecture.md").read_text().splitlines():
        row = re.fullmatch(r"\| `([\w/]+)` \|.*\| ([^|]+) \|", line)
        if not row:
            continue
        table[row[1]] = allowed = []
        for item in row[2].split(", "):
            if path := re.fullmatch(r"`([\w/.]+)`", item):
                allowed.append(path[1])
            elif item != "nothing":
                allowed += LIBRARIES[item]
    if len(table) < 15:
        sys.exit(f"docs/architecture.md: the include table has only {len(table)} rows that can be read")
    return table


ALLOWED = include_table()
TOPS = ("runtime", "emulator", "frontend", "icd", "tests", "conformance", "docs", "benchmarks")
ROOT_FILES = (
    ".clang-format",
    ".clang-tidy",
    ".gitignore",
    "CMakeLists.txt",
    "CMakePresets.json",
    "LICENSE",
    "README.md",
    "dev",
)
# A header the rest of the tree sees must not bring these in.
HEAVY = [*LLVM, *CLANG, *TBB]
MAY_BE_HEAVY = [
    "emulator/codegen",
    "emulator/builtins",
    "emulator/compiler",
    "frontend/cuda",
    "frontend/opencl",
    "frontend/spirv",
    "frontend/ptx",
    "emulator/tools",
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def sources():
    for top in ("runtime", "frontend", "emulator", "icd"):
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            # What is compiled for devices has include roots of its own: the builtin library, CUDA's headers and
            # functions.
            if path.suffix in (".h", ".cpp", ".c", ".inc") and not name.startswith(
                ("emulator/builtins/opencl/", "frontend/cuda/include/", "frontend/cuda/device/")
            ):
                yield path, name


def row_of(name):
    rows = [row for row in ALLOWED if name == row or name.startswith(row + "/")]
    return max(rows, key=len) if rows else None


def check_includes(_):
    problems, edges = [], {}
    for path, name in sources():
        row = row_of(name)
        if row is None:
            problems.append(f"{name}: its folder has no row in the include table")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, target = match[1] == '"', match[2]
            allowed = ALLOWED[row]
            inside = target.startswith(row + "/")
            fits = any(target == a or target.startswith(a if a.endswith("/") else a + "/") for a in allowed)
            known_library = any(
                target.startswith(h) for prefixes in LIBRARIES.values() for h in (*prefixes, "boost/", "gtest")
            )
            if quoted and "/" not in target:
                problems.append(f"{name}:{number}: includes are written from the root: {target}")
            elif quoted and not (inside or fits) and not target.endswith(".inc"):
                problems.append(f"{name}:{number}: {row} may not include {target}")
            elif not quoted and known_library and not fits:
                problems.append(f"{name}:{number}: {row} may not include <{target}>")
            if (
                path.suffix == ".h"
                and any(target.startswith(h) for h in HEAVY)
                and row_of(name)
                and not any(name.startswith(m) for m in MAY_BE_HEAVY)
            ):
                problems.append(f"{name}:{number}: a header others include must not include <{target}>")
            if quoted and row_of(target) and row_of(target) != row:
                edges.setdefault(row, set()).add(row_of(target))

    def visit(row, trail):
        if row in trail:
            problems.append("a cycle of folders: " + " -> ".join([*trail[trail.index(row) :], row]))
            return
        for other in sorted(edges.get(row, ())):
            visit(other, [*trail, row])

    for row in sorted(edges):
        visit(row, [])
    return sorted(set(problems))


# What only developers run.
TOOLS = ("emulator/tools/", "emulator/builtins/tools/")
LETTERS = "the host's locale must not decide what a letter is"
FORBIDDEN = {
    r"(?<!secure_)getenv": "secure_getenv: a program with more rights than its user takes nothing from the environment",
    r"strtof|strtod|strtold|atof|stof|stod|stold|setlocale|imbue": "the host's locale must not decide what a number is",
    r"isalpha|isalnum|islower|isupper|isspace|ispunct|isprint|isgraph|iscntrl": LETTERS,
    r"tolower|toupper|strcasecmp|strncasecmp": LETTERS,
    r"tmpnam|tempnam|mktemp|tmpfile": "mkstemp, or a file of runtime/base/private_folder.h",
}


# Who may ask for the process's options. Everybody else is given what he needs (docs/decisions/0047-engine.md).
ASKS_FOR_OPTIONS = ("icd/", "frontend/cuda/", "emulator/tools/", "runtime/base/")


def check_options(_):
    return [
        f"{name}:{number}: the process's options are for whoever makes its devices"
        for path, name in sources()
        if not name.startswith(ASKS_FOR_OPTIONS)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"(?<![\w.>])options\(\)", line)
    ]


def check_calls(_):
    return [
        f"{name}:{number}: {match[1]}: {reason}"
        for path, name in sources()
        if not name.startswith(TOOLS)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for words, reason in FORBIDDEN.items()
        if (match := re.search(rf"(?<![\w.:])(?:std::|::)?({words})\(", line))
    ]


# Words of an API, which the code below icd does not have: not its comments, which quote the specifications.
API_WORDS = re.compile(r"(?i:cuda|opencl|khronos|nvidia)|\b(?:CL|CU|cl|cu)_[A-Za-z]|\bcu[A-Z]\w*\(|\bcl[A-Z]\w*\(")
NEUTRAL = ("runtime/", "emulator/")
# File or folder -> the words that it has, and why.
WITH_API_WORDS = {
    "emulator/builtins/": (".", "the OpenCL C library"),
    "emulator/profiles/": (".", "facts of real devices, under the names of the queries that told them"),
    "emulator/tools/": (".", "developers say which language they mean"),
    "emulator/codegen/passes/retarget_module.cpp": (r"\"opencl\.[a-z.]+\"", "names of metadata that Clang gives"),
    "emulator/device/emulated_device.cpp": (r"opencl(CFeatures|Version)", "a fact of devices"),
    "emulator/device/cache_key.cpp": (r"openclVersion", "a fact of devices"),
    "runtime/base/options.def": (
        r"(lib)?cuda[\w.]*|CUDA\w*|openclVersion|OPENCL_VERSION|OpenCL",
        "options that users set, and what they say of them",
    ),
    "runtime/device/compile_request.h": (r"openclVersion", "a fact of devices"),
    "runtime/device/device_info.h": (r"opencl\w+|cuda\w+", "facts that only one API can ask for"),
    "runtime/device/languages.def": (r"OpenClC|compileOpenCl", "languages have names"),
    "runtime/device/spirv.def": (
        r"\"(cl|__opencl_c)_\w+\"|\"OpenCL\.[\w.]+\"",
        "names of extensions and of instruction sets",
    ),
    "runtime/forward/": (".", "the API of the driver that they talk to"),
    "SourceLanguage": (r"SourceLanguage::OpenClC|\{ OpenClC,", "languages have names"),
}
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\')|//[^\n]*|/\*.*?\*/', re.S)


def check_words(_):
    problems, used = [], set()
    for path in sorted(p for top in NEUTRAL for p in (ROOT / top).rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix not in (".h", ".cpp", ".def", ".inc", ".S"):
            continue
        code = COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), path.read_text())
        for number, line in enumerate(code.splitlines(), 1):
            for place, (words, _reason) in WITH_API_WORDS.items():
                if (name.startswith(place) or place == "SourceLanguage") and API_WORDS.search(line):
                    line, count = re.subn(f".*{words}.*" if words == "." else words, "", line)
                    if count:
                        used.add(place)
            if match := API_WORDS.search(line):
                problems.append(f"{name}:{number}: '{match[0]}': below icd nothing knows an API")
    problems += [f"{place} needs no exception any more" for place in WITH_API_WORDS if place not in used]
    return problems


def check_run_paths(build):
    """An empty entry, or one that is relative, is a folder that somebody else may have filled."""
    problems = []
    for path in sorted(p for folder in ("bin", "lib") for p in (Path(build) / folder).rglob("*") if p.is_file()):
        if path.is_symlink() or path.open("rb").read(4) != b"\x7fELF":
            continue
        listing = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        for folders in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", listing):
            if not all(re.match(r"/|\$ORIGIN(/|$)", folder) for folder in folders.split(":")):
                problems.append(f"{path} looks for libraries in '{folders}'")
    return problems


# Library -> patterns of which every exported symbol must match one, and symbols that must be there.
EXPORTS = {
    "libunderstudy-icd.so": (
        [r"clGetExtensionFunctionAddress", r"clIcdGetPlatformIDsKHR", r"clGetPlatformInfo"],
        ["clGetExtensionFunctionAddress", "clIcdGetPlatformIDsKHR", "clGetPlatformInfo"],
    ),
    "libunderstudy-compiler.so": ([r"understudy_compiler_api_1"], ["understudy_compiler_api_1"]),
    "libcuda.so.1": (
        [r"cu[A-Z]\w*", r"cudbg[A-Z]\w*"],
        ["cuInit", "cuGetProcAddress_v2", "cuMemAlloc_v2", "cuLaunchKernel"],
    ),
    "libcudart.so.12": (
        [r"(__)?cuda\w+"],
        ["cudaMalloc", "cudaMemcpyAsync_ptsz", "cudaGetDeviceProperties", "cudaGetDeviceProperties_v2"],
    ),
    "libcudart.so.13": ([r"(__)?cuda\w+"], ["cudaMalloc", "cudaMemcpy_ptds", "cudaGetDeviceProperties"]),
    "libunderstudy-cuda-compiler.so": ([r"understudy_cuda_compiler_1"], ["understudy_cuda_compiler_1"]),
    "libnvrtc.so.12": ([r"nvrtc\w+"], ["nvrtcCompileProgram", "nvrtcGetNVVM"]),
    "libnvrtc.so.13": ([r"nvrtc\w+"], ["nvrtcCompileProgram", "nvrtcGetLoweredName"]),
    "libnvJitLink.so.12": ([r"(__)?nvJitLink\w+"], ["nvJitLinkCreate", "__nvJitLinkCreate_12_9"]),
    "libnvJitLink.so.13": ([r"(__)?nvJitLink\w+"], ["nvJitLinkCreate", "__nvJitLinkCreate_13_0"]),
    "libnvvm.so.4": ([r"nvvm\w+"], ["nvvmCompileProgram", "nvvmLazyAddModuleToProgram"]),
    "libcublas.so.12": ([r"cublas\w+"], ["cublasCreate_v2", "cublasSgemm_v2", "cublasDgemm_v2_64", "cublasGemmEx"]),
    "libcublas.so.13": ([r"cublas\w+"], ["cublasCreate_v2", "cublasSgemm_v2", "cublasHgemmBatched"]),
    "libcublasLt.so.12": ([r"cublasLt\w+"], ["cublasLtMatmul"]),
    "libcublasLt.so.13": ([r"cublasLt\w+"], ["cublasLtMatmulAlgoGetHeuristic"]),
    "libcusparse.so.12": ([r"cusparse\w+"], ["cusparseSpMV", "cusparseSpGEMM_copy"]),
    "libcusolver.so.11": ([r"cusolver\w+"], ["cusolverDnCreate", "cusolverDnXsyevd", "cusolverSpDcsrlsvqr"]),
    "libcusolver.so.12": ([r"cusolver\w+"], ["cusolverDnDpotrf", "cusolverDnDDgesv"]),
    "libcufft.so.11": ([r"(__)?cufft\w+"], ["cufftPlan1d", "cufftExecC2C", "__cufftXtSetJITCallback_12_7"]),
    "libcufft.so.12": ([r"(__)?cufft\w+"], ["cufftPlanMany", "cufftExecD2Z", "cufftXtSetJITCallback"]),
    "libcurand.so.10": ([r"curand\w+"], ["curandGetVersion"]),
    "libunderstudy.so": ([r"_Z(N|T[ISV]N|NK|GVN|ThN?|Z?N|Zn)?.*2us.*", r"understudy[A-Z]\w*"], ["understudySummary"]),
}


# Of archives: whatever else is in them must be no name that a program could ask for.
ARCHIVES = {"libcudart_static.a": (r"(__)?cuda\w+", ["cudaMalloc", "__cudaRegisterFatBinaryPart"])}


def check_symbols(build):
    problems = []
    for archive, (pattern, required) in ARCHIVES.items():
        found = list(Path(build).rglob(archive))
        for path in found:
            lines = subprocess.run(["nm", "--defined-only", "-g", path], capture_output=True, text=True, check=True)
            names = [l.split()[2] for l in lines.stdout.splitlines() if len(l.split()) == 3]
            problems += [f"{path} defines {name}" for name in names if not re.fullmatch(pattern, name)]
            problems += [f"{path} does not define {name}" for name in required if name not in names]
        if not found:
            problems.append(f"{archive} was not built")
    for library, (patterns, required) in EXPORTS.items():
        found = list(Path(build).rglob(library))
        if not found:
            problems.append(f"{library} was not built")
            continue
        lines = subprocess.run(["nm", "-D", "--defined-only", found[0]], capture_output=True, text=True, check=True)
        names = [
            l.split()[2].split("@")[0] for l in lines.stdout.splitlines() if len(l.split()) == 3 and l.split()[1] != "A"
        ]
        for name in names:
            if not any(re.fullmatch(p, name) for p in patterns):
                problems.append(f"{library} exports {name}")
        problems += [f"{library} does not export {name}" for name in required if name not in names]
    return problems


def check_entry_points(_):
    table = (ROOT / "icd/opencl/functions.def").read_text()
    rows = re.findall(r"^US_(IMPLEMENTED|UNSUPPORTED|UNIMPLEMENTED|ABSENT|ABSENT_POINTER)\((\w+)", table, re.M)
    if len(rows) < 120:
        return [f"functions.def lists only {len(rows)} entry points"]
    tests = "\n".join(p.read_text() for p in (ROOT / "tests/icd/opencl").rglob("*.cpp"))
    cuda = (ROOT / "icd/cuda/functions.def").read_text()
    declared = sorted(set(re.findall(r"^US_CU\(\w+, (\w+)", cuda, re.M)))
    cuda_tests = "\n".join(p.read_text() for p in (ROOT / "tests/icd/cuda").rglob("*.cpp"))
    untested = [
        f"{name} has no test in tests/icd/cuda" for name in declared if not re.search(rf"\bCU\({name}\)", cuda_tests)
    ]
    # An unsupported one has a body with checks too; a test is named after its entry point.
    return untested + [
        f"{name} ({status}) has no test in tests/icd/opencl"
        for status, name in rows
        if status in ("IMPLEMENTED", "UNSUPPORTED") and not re.search(rf"\bTEST(_F)?\(\w+, {name}\)", tests)
    ]


def check_docs(_):
    index = (ROOT / "docs/decisions/README.md").read_text()
    problems = [
        f"docs/decisions/README.md does not list {note.name}"
        for note in sorted((ROOT / "docs/decisions").glob("0*.md"))
        if f"({note.name})" not in index
    ]
    if len((ROOT / "docs/open.md").read_text().splitlines()) > 60:
        problems.append("docs/open.md has more than 60 lines: finish something")
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*/**/README.md"))]:
        if "build" in document.parts:
            continue
        for number, line in enumerate(document.read_text().splitlines(), 1):
            for path in re.findall(
                r"`((?:runtime|frontend|emulator|icd|tests|conformance|docs|benchmarks)/[\w./-]+)`", line
            ):
                if not (ROOT / path).exists() and not list(ROOT.glob(path + ".*")):
                    problems.append(f"{document.relative_to(ROOT)}:{number}: {path} does not exist")
            # A folder's README names its own files shortly.
            if document.name == "README.md" and document.parent != ROOT:
                for name in re.findall(r"`([\w./-]+\.(?:cpp|h|def|inc|py|sh|cl|cmake))`", line):
                    if not (ROOT / name).exists() and not list(document.parent.rglob(name)):
                        problems.append(f"{document.relative_to(ROOT)}:{number}: {name} does not exist")
    return problems


def files_of(*patterns):
    """Those that git has, or in a copy without git all of the top-level folders."""
    files = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True).stdout.split()
    return files or [str(path) for top in TOPS for pattern in patterns for path in (ROOT / top).rglob(pattern)]


def check_top(_):
    """Nothing is beside the top-level folders and the root's own files: what a tool left there is not the tree's."""
    known = {*TOPS, *ROOT_FILES, ".ci"}
    return sorted({f"{top} does not belong there" for name in files_of() if (top := name.split("/")[0]) not in known})


def check_python_format(_):
    """As Debian's black formats it: other versions differ in places."""
    if not Path("/usr/bin/black").exists():
        return ["/usr/bin/black is missing: ./dev installs it"]
    done = subprocess.run(
        ["/usr/bin/black", "--check", "--line-length", "120", *files_of("*.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return [line for line in done.stderr.splitlines() if line.startswith(("would reformat", "error"))]


def check_cpp_format(_):
    """Every C++ file is as ./dev format leaves it. Kernels of tests keep their lines: some are compared by number."""
    if not shutil.which("clang-format-19"):
        return ["clang-format-19 is missing: ./dev installs it"]
    done = subprocess.run(
        ["clang-format-19", "--dry-run", "-Werror", *files_of("*.cpp", "*.h")], cwd=ROOT, capture_output=True, text=True
    )
    return sorted(
        {line.split(":")[0] + ": ./dev format changes it" for line in done.stderr.splitlines() if "error:" in line}
    )


def check_limits(_):
    """Each kernel of the benchmarks has a hand-written version to be compared with."""
    folder = ROOT / "benchmarks"
    cases = "".join((folder / name).read_text() for name in ("cases.py", "unseen.py"))
    kernels = re.findall(r"^@case\ndef (\w+)", cases, re.M)
    written = re.findall(r"^LIMIT\((\w+)", "\n".join(p.read_text() for p in (folder / "limits").glob("*.cpp")), re.M)
    problems = [f"{name} has no LIMIT in benchmarks/limits" for name in sorted(set(kernels) - set(written))]
    problems += [f"LIMIT({name}) belongs to no kernel" for name in sorted(set(written) - set(kernels))]
    return problems if kernels else ["benchmarks has no kernels that can be read"]


CHECKS = {
    "includes": check_includes,
    "top": check_top,
    "calls": check_calls,
    "words": check_words,
    "options": check_options,
    "symbols": check_symbols,
    "run-paths": check_run_paths,
    "entry-points": check_entry_points,
    "docs": check_docs,
    "python-format": check_python_format,
    "cpp-format": check_cpp_format,
    "limits": check_limits,
}

if __name__ == "__main__":
    found = CHECKS[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else None)
    print("\n".join(found) or f"{sys.argv[1]}: nothing to report")
    sys.exit(bool(found))
