#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the kernels of tests/kernels/ptx mean to a real GPU what they mean to us?

`record` runs each on the emulated device and writes down what goes in and what comes out; `replay` runs the same on the
driver of another machine (it needs Python and a libcuda.so.1, nothing else) and compares, byte for byte but for buffers
whose expectation has a tolerance.

    conformance/ptx_on_a_gpu.py record --build build/release FOLDER
    conformance/ptx_on_a_gpu.py replay FOLDER [--library libcuda.so.1]
"""
import argparse
import ctypes
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "tests" / "kernels" / "ptx"
# Tests that are about our device and no other.
OURS = {
    "textures": "makes a descriptor as our driver lays it out",
    "surfaces": "makes a descriptor as our driver lays it out",
}
FORMATS = {
    "char": "b",
    "uchar": "B",
    "short": "h",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "long": "q",
    "ulong": "Q",
    "half": "e",
    "float": "f",
    "double": "d",
}
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}


def packed(kind, values):
    if kind in BITS:
        low, bits = (0 if kind[0] == "u" else -(1 << BITS[kind] - 1)), BITS[kind]
        values = [(int(v) - low) % (1 << bits) + low for v in values]
    else:
        values = [float("nan") if v is None else v for v in values]
    return struct.pack(f"<{len(values)}{FORMATS[kind]}", *values)


def described(source):
    """The //! lines: (word, rest)."""
    return [
        tuple((line[3:].strip().split(None, 1) + [""])[:2]) for line in source.splitlines() if line.startswith("//!")
    ]


def contents_after(us_run, source):
    """What each buffer holds after a run."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(re.sub(r"(?m)^(//! arg buffer .*)$", r"\1 dump", source))
        file.flush()
        done = subprocess.run(
            [us_run, "--tier", "auto", "--set", "CACHE=no", file.name], capture_output=True, text=True
        )
    tier = json.loads(done.stdout)["tiers"][0]
    return [argument["contents"] for argument in tier["arguments"] if "contents" in argument]


def record(us_run, path):
    """A test as data, or a sentence that says why it is none for another device."""
    source = path.read_text()
    lines = described(source)
    words = {word: rest for word, rest in lines}
    if path.stem in OURS:
        return OURS[path.stem]
    if "build-error" in words or "launch-error" in words:
        return "is about an error's text or name"
    size = [int(n) for n in words.get("global", "1").split()]
    local = [int(n) for n in words["local"].split()] if "local" in words else size
    if "offset" in words or any(s % l for s, l in zip(size, local)):
        return "is launched as CUDA cannot"
    if "local" not in words:
        source = f"//! local {' '.join(map(str, local))}\n" + source
    name = words.get("kernel") or re.search(r"\.entry\s+(\w+)", source)[1]
    body = re.search(rf"\.entry\s+{name}\s*(\([^)]*\))?[^{{]*", source).end()
    before = contents_after(us_run, source[: body + 1] + "\n  ret;\n" + source[body + 1 :])
    after = contents_after(us_run, source)
    test = {
        "name": path.stem,
        "kernel": name,
        "shared": 0,
        "arguments": [],
        "repeat": int(words.get("repeat", 1)),
        "grid": [s // l for s, l in zip(size, local)],
        "block": local,
        "ptx": source,
    }
    buffers = iter(zip(before, after))
    for word, rest in lines:
        if word != "arg":
            continue
        use, kind, rest = (rest.split(None, 2) + [""])[:3]
        if use == "buffer":
            into, out = next(buffers)
            test["arguments"].append(
                {
                    "in": packed(kind, into).hex(),
                    "out": packed(kind, out).hex(),
                    "type": kind,
                    "expected": "expect(" in rest,
                    "exact": "tolerance(" not in rest,
                }
            )
        elif use == "value":
            base = kind.rstrip("0123456789")
            test["arguments"].append(
                {
                    "value": packed(
                        base, [float(v) if base in ("float", "double", "half") else int(v, 0) for v in rest.split(",")]
                    ).hex()
                }
            )
        elif use == "local":
            test["shared"] = int(rest)
        else:
            return f"has an argument of the kind {use}"
    return test


class Driver:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value.decode() if text.value else code}")

    def load(self, ptx):
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(4096)
        # CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
        options = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode(), 2, options, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}: {log.value.decode(errors='replace').strip()[:300]}") from error
        return module

    def run(self, test):
        """The sentences that say what was different."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.load(test["ptx"]), test["kernel"].encode())
        held, memory = [], []
        for argument in test["arguments"]:
            if "value" in argument:
                held.append(ctypes.create_string_buffer(bytes.fromhex(argument["value"])))
                continue
            data, address = bytes.fromhex(argument["in"]), ctypes.c_uint64()
            self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(len(data), 1)))
            self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
            held.append(address)
            memory.append((address, argument))
        parameters = (ctypes.c_void_p * max(len(held), 1))(*[ctypes.addressof(each) for each in held])
        shape = [(n + [1, 1, 1])[:3] for n in (test["grid"], test["block"])]
        for _ in range(test["repeat"]):
            self.call("cuLaunchKernel", function, *shape[0], *shape[1], test["shared"], None, parameters, None)
        self.call("cuCtxSynchronize")
        different = []
        for index, (address, argument) in enumerate(memory):
            wanted = bytes.fromhex(argument["out"])
            found = ctypes.create_string_buffer(len(wanted))
            self.call("cuMemcpyDtoH_v2", found, address, ctypes.c_size_t(len(wanted)))
            different += compare(index, argument, wanted, found.raw)
        return different


def compare(index, argument, wanted, found):
    form = FORMATS[argument["type"]]
    size = struct.calcsize(form)
    if wanted == found or not argument["expected"]:
        return []
    sentences = []
    for at in range(0, len(wanted), size):
        ours, theirs = (struct.unpack_from(f"<{form}", each, at)[0] for each in (wanted, found))
        both_nan = form in "efd" and ours != ours and theirs != theirs
        close = not argument["exact"] and abs(ours - theirs) <= 1e-3 * max(abs(ours), abs(theirs))
        if wanted[at : at + size] != found[at : at + size] and not both_nan and not close:
            sentences.append(f"buffer {index}, element {at // size}: {ours!r} here, {theirs!r} there")
    return sentences[:4] + ([f"and {len(sentences) - 4} more of buffer {index}"] if len(sentences) > 4 else [])


def replay(folder, library):
    failed = 0
    for path in sorted(folder.glob("*.json")):
        # Each in a process of its own: an error of a kernel stays with the context.
        done = subprocess.run(
            [sys.executable, __file__, "one", str(path), "--library", library],
            capture_output=True,
            text=True,
            timeout=120,
        )
        good = done.returncode == 0
        failed += not good
        print(
            f"{'same' if good else 'DIFFERENT'}: {path.stem}"
            + (
                ""
                if good
                else "\n  "
                + (
                    done.stdout
                    + done.stderr[-400:]
                    + (f"ended by signal {-done.returncode}" if done.returncode < 0 else "")
                )
                .strip()
                .replace("\n", "\n  ")
            )
        )
    print(f"{failed} of {len(list(folder.glob('*.json')))} differ")
    return failed != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["record", "replay", "one"], help="one: a single recorded test")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--library", default="libcuda.so.1")
    arguments = parser.parse_args()
    if arguments.step == "replay":
        return replay(arguments.folder, arguments.library)
    if arguments.step == "one":
        different = Driver(arguments.library).run(json.loads(arguments.folder.read_text()))
        print("\n".join(different))
        return bool(different)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(KERNELS.glob("*.ptx")):
        test = record(arguments.build / "bin" / "us-run", path)
        if isinstance(test, str):
            print(f"left out: {path.stem} {test}")
        else:
            (arguments.folder / f"{path.stem}.json").write_text(json.dumps(test))
    return 0


if __name__ == "__main__":
    sys.exit(main())
