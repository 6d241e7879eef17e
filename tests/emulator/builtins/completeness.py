#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""completeness.py CLANG FAMILIES.rsp: does the builtin library define all that Clang declares?

The declarations come from Clang's own header (read as JSON) for OpenCL C 1.2, 2.0 and 3.0. Then a program that calls
each of them is compiled the way user programs are, by Clang's table of builtins: what it leaves undefined must be in
the library too.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

# What the library does not hold, and why.
ELSEWHERE = {
    r"get_image_num_samples": "multi-sampled images are not offered",
    r"amd_|intel_": "extensions of other vendors",
}
# The same of functions that share a name with others, by their types.
ELSEWHERE_TYPES = {
    r"msaa": "multi-sampled images are not offered",
}
SKIP_TYPES = re.compile("(" + "|".join(ELSEWHERE_TYPES) + ")")
SKIP = re.compile("(" + "|".join(ELSEWHERE) + ")")
VERSIONS = ("CL1.2", "CL2.0", "CL3.0")


def declarations(clang, folder, version):
    """(name, mangled name, parameter types) of every builtin of the header."""
    source = pathlib.Path(folder, f"empty{version}.cl")
    source.write_text("kernel void k() {}\n")
    resources = subprocess.run(
        [clang, "-print-resource-dir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    command = [
        clang,
        "-cc1",
        "-triple",
        "spir64",
        f"-cl-std={version}",
        "-internal-isystem",
        resources + "/include",
        "-finclude-default-header",
        "-ast-dump=json",
        "-x",
        "cl",
        str(source),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found, name, mangled = {}, None, None
    line_of = re.compile(r'^ {6}"(name|mangledName)": "(.*)"')
    type_of = re.compile(r'^ {8}"qualType": "(.*)"')
    for line in process.stdout:
        if match := line_of.match(line):
            if match[1] == "name":
                name = match[2]
            else:
                mangled = match[2]
        elif mangled and (match := type_of.match(line)):
            if mangled.startswith("_Z") and not SKIP.match(name) and not SKIP_TYPES.search(match[1]):
                found[mangled] = (name, match[1])
            mangled = None
    process.wait()
    if len(found) < 5000:
        sys.exit(f"only {len(found)} declarations found for {version}: has the format of Clang's dump changed?")
    return found


def program(functions):
    """One C function for each declaration, which calls the builtin with arguments of exactly these types."""
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"]
    for number, (name, signature) in enumerate(functions):
        result, parameters = re.fullmatch(r"(.*?) ?\((.*)\)(?: __attribute__.*)?", signature).groups()
        types = [] if parameters in ("", "void") else [part.strip() for part in parameters.split(",")]
        declared = ", ".join(f"{kind} a{i}" for i, kind in enumerate(types))
        call = f"{name}({', '.join(f'a{i}' for i in range(len(types)))})"
        lines.append(
            f"{result} call{number}({declared or 'void'}) {{ {'' if result == 'void' else 'return '}{call}; }}"
        )
    return "\n".join(lines) + "\n"


def undefined(clang, folder, version, functions):
    source = pathlib.Path(folder, f"calls{version}.cl")
    source.write_text(program(functions))
    result = subprocess.run(
        [
            clang,
            "-target",
            "spir64",
            f"-cl-std={version}",
            "-O0",
            "-S",
            "-emit-llvm",
            "-o",
            "-",
            "-ferror-limit=0",
            "-w",
            str(source),
        ],
        capture_output=True,
        text=True,
    )
    if result.returncode:
        # The header and the table differ in a few places; what the table lacks no program can call.
        bad = {int(n) for n in re.findall(rf"^{re.escape(str(source))}:(\d+):\d+: error", result.stderr, re.M)}
        kept = [function for line, function in enumerate(functions, 2) if line not in bad]
        if not bad or len(bad) > 400:
            sys.exit(result.stderr[:3000])
        refused = [function for line, function in enumerate(functions, 2) if line in bad]
        names, _, more = undefined(clang, folder, version, kept)
        return names, kept, refused + more
    return re.findall(r"^declare .*@\"?(_Z\w+)", result.stdout, re.M), functions, []


def check(clang, folder, version, symbols):
    declared = declarations(clang, folder, version)
    missing = sorted(name for name in declared if name not in symbols)
    called, _, refused = undefined(clang, folder, version, list(declared.values()))
    missing += sorted(
        name
        for name in set(called) - set(declared)
        if name not in symbols and not SKIP.match(re.sub(r"_Z\d+", "", name))
    )
    return version, len(declared), len(called), refused, missing


def main():
    clang, families = sys.argv[1], pathlib.Path(sys.argv[2])
    symbols = set()
    # The list that the index was made from: the folder may hold families that are no more.
    for line in families.read_text().split():
        symbols |= set((families.parent / line.split(",")[1]).read_text().split())
    failed = False
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for version, declared, called, refused, missing in pool.map(
            lambda v: check(clang, scratch, v, symbols), VERSIONS
        ):
            print(
                f"{version}: {declared} declared, {called} called, {len(refused)} not callable, {len(missing)} missing"
            )
            for name, signature in refused[:10]:
                print(f"  not callable: {name}: {signature}")
            for name in missing[:40]:
                print("  missing:", name)
            failed |= bool(missing)
    sys.exit(failed)


if __name__ == "__main__":
    main()
