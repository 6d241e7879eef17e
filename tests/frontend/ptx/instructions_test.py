#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the rows of instructions.txt, each with the result that the ISA manual demands, as one kernel through the driver
library: instructions_test.py TABLE [--library libcuda.so.1] [--gpu sm_90]. On a GPU nothing must be refused; rows that
it is too old for are shown."""
import argparse
import ctypes as c
import re
import struct
import sys
from pathlib import Path

BYTES = {
    "b16": 2,
    "u16": 2,
    "s16": 2,
    "f16": 2,
    "b32": 4,
    "u32": 4,
    "s32": 4,
    "f32": 4,
    "b64": 8,
    "u64": 8,
    "s64": 8,
    "f64": 8,
    "b128": 16,
    "pred": 4,
}
SLOT = 64  # bytes for each value, or for the memory of an address operand


def bits(kind, text):
    """A value as its bytes."""
    size = BYTES[kind]
    if text == "?":
        return bytes(size)
    if kind in ("f32", "f64", "f16") and not text.startswith("0x"):
        return struct.pack({"f32": "<f", "f64": "<d", "f16": "<e"}[kind], float(text))
    return (int(text, 0) % (1 << 8 * size)).to_bytes(size, "little")


class Value:
    """KIND:VALUE; {A,B}: a vector; [SPACE:A,B]: memory that holds these, of which the instruction gets the address;
    =TEXT stands in the instruction as it is."""

    def __init__(self, text):
        self.literal = text[1:] if text.startswith("=") else None
        self.space = self.parts = None
        if self.literal is not None:
            return
        self.is_vector = text.startswith("{")
        if text.startswith("["):
            self.space, text = text[1:-1].split(":", 1)
        elif self.is_vector:
            text = text[1:-1]
        self.parts = [tuple(part.split(":")) for part in text.split(",")]

    def content(self):
        return b"".join(bits(*part) for part in self.parts)


class Row:
    def __init__(self, number, text):
        self.number, self.text = number, text
        before, after = re.split(r"\s*->\s*", text + " ", maxsplit=1)
        self.name, *words = before.split()
        self.sources = [Value(word) for word in words]
        self.is_refused = after.strip() == "!"
        self.results = [] if self.is_refused else [Value(word) for word in after.split()]


def emit(row, index):
    """The PTX of one row. %in and %out are the addresses of its slots."""
    lines, operands, results, stores = [], [], [], []
    registers = 0

    def register(kind):
        nonlocal registers
        name = f"%x{index}_{registers}"
        registers += 1
        lines.append(f".reg .{kind} {name};")
        return name

    def as_operand(names, vector):
        return "{" + ", ".join(names) + "}" if vector else names[0]

    memory = [v for v in row.sources if v.space]
    for place, value in enumerate(row.sources):
        if value.literal is not None:
            operands.append(value.literal)
            continue
        at = f"%in+{(index * 8 + place) * SLOT}"
        if value.space:
            variable = f"m{index}_{place}"
            if value.space in ("shared", "local"):
                lines.append(f".{value.space} .align 16 .b8 {variable}[{SLOT}];")
                for k in range(0, len(value.content()), 2):
                    temporary = register("b16")
                    lines.append(
                        f"ld.global.b16 {temporary}, [{at}+{k}];".replace(
                            f"+{(index * 8 + place) * SLOT}+{k}", f"+{(index * 8 + place) * SLOT + k}"
                        )
                    )
                    lines.append(f"st.{value.space}.b16 [{variable}+{k}], {temporary};")
                operands.append(f"[{variable}]")
            else:
                operands.append(f"[{at}]")
            continue
        names = []
        for k, (kind, _) in enumerate(value.parts):
            offset = (index * 8 + place) * SLOT + sum(BYTES[p[0]] for p in value.parts[:k])
            name = register(kind)
            if kind == "pred":
                word = register("b32")
                lines.append(f"ld.global.b32 {word}, [%in+{offset}];")
                lines.append(f"setp.ne.b32 {name}, {word}, 0;")
            else:
                lines.append(f"ld.global.{kind if kind != 'f16' else 'b16'} {name}, [%in+{offset}];")
            names.append(name)
        operands.append(as_operand(names, value.is_vector))
    slot = 0
    for value in row.results:
        offset = (index * 8 + slot) * SLOT
        slot += 1
        if value.space:
            # What is in the memory of the address operand afterwards.
            place = row.sources.index(memory[0])
            for k in range(0, len(value.content()), 2):
                temporary = register("b16")
                where = (
                    f"m{index}_{place}+{k}"
                    if memory[0].space in ("shared", "local")
                    else f"%in+{(index * 8 + place) * SLOT + k}"
                )
                space = memory[0].space if memory[0].space in ("shared", "local") else "global"
                stores += [
                    f"ld.{space}.b16 {temporary}, [{where}];",
                    f"st.global.b16 [%out+{offset + k}], {temporary};",
                ]
            continue
        names = []
        for k, (kind, _) in enumerate(value.parts):
            name = register(kind)
            if kind == "pred":
                word = register("b32")
                stores += [f"selp.b32 {word}, 1, 0, {name};", f"st.global.b32 [%out+{offset}], {word};"]
            else:
                at = offset + sum(BYTES[p[0]] for p in value.parts[:k])
                stores.append(f"st.global.{kind if kind != 'f16' else 'b16'} [%out+{at}], {name};")
            names.append(name)
        results.append(as_operand(names, value.is_vector))
    # Two predicates, or a value and a predicate, are one operand.
    if len(results) == 2:
        results = ["|".join(results)]
    lines.append(f"{row.name} {', '.join(results + operands)};".replace(" ;", ";"))
    return "{\n" + "\n".join(lines + stores) + "\n}\n"


TARGET = "sm_100"


def module(rows):
    body = "".join(emit(row, i) for i, row in enumerate(rows))
    return (
        f".version {'9.0' if TARGET == 'sm_100' else '8.5'}\n.target {TARGET}\n"
        ".address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b64 %in, %out;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n" + body + "ret;\n}\n"
    )


class Driver:
    def __init__(self, library):
        self.library = c.CDLL(library)
        device, context = c.c_int(), c.c_void_p()
        self.call("cuInit", c.c_uint(0))
        self.call("cuDeviceGet", c.byref(device), c.c_int(0))
        self.call("cuDevicePrimaryCtxRetain", c.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            raise RuntimeError(f"{name} returned {code}")

    def run(self, text, content):
        log, module, function = c.create_string_buffer(4096), c.c_void_p(), c.c_void_p()
        keys, values = (c.c_int * 2)(5, 6), (c.c_void_p * 2)(c.cast(log, c.c_void_p), 4096)
        if self.library.cuModuleLoadDataEx(c.byref(module), text.encode() + b"\0", 2, keys, values):
            raise RuntimeError(log.value.decode(errors="replace"))
        self.call("cuModuleGetFunction", c.byref(function), module, b"k")
        pointers = [c.c_uint64(), c.c_uint64()]
        for pointer in pointers:
            self.call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(len(content)))
            self.call("cuMemcpyHtoD_v2", pointer, content, c.c_size_t(len(content)))
        arguments = (c.c_void_p * 2)(*(c.cast(c.pointer(p), c.c_void_p) for p in pointers))
        self.call("cuLaunchKernel", function, *[c.c_uint(1)] * 6, c.c_uint(0), None, arguments, None)
        found = c.create_string_buffer(len(content))
        self.call("cuMemcpyDtoH_v2", found, pointers[1], c.c_size_t(len(content)))
        for pointer in pointers:
            self.call("cuMemFree_v2", pointer)
        self.call("cuModuleUnload", module)
        return found.raw


def run(driver, rows):
    content = bytearray(len(rows) * 8 * SLOT)
    for i, row in enumerate(rows):
        for place, value in enumerate(row.sources):
            if value.parts:
                at = (i * 8 + place) * SLOT
                content[at : at + len(value.content())] = value.content()
    found = driver.run(module(rows), bytes(content))
    wrong = 0
    for i, row in enumerate(rows):
        for place, value in enumerate(row.results):
            expected, at = value.content(), (i * 8 + place) * SLOT
            is_any = any(text == "?" for _, text in value.parts)
            if found[at : at + len(expected)] != expected and not is_any:
                wrong += 1
                print(f"line {row.number}: {row.text.strip()}: found {found[at:at + len(expected)][::-1].hex()}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--library", default="libcuda.so.1")
    parser.add_argument("--gpu", metavar="TARGET", help="a real one: modules are for this target")
    chosen = parser.parse_args()
    global TARGET
    TARGET = chosen.gpu or TARGET
    rows = [
        Row(i, line)
        for i, line in enumerate(chosen.table.read_text().splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    driver, wrong, count = Driver(chosen.library), 0, len(rows)
    for row in (row for row in rows if row.is_refused and not chosen.gpu):
        try:
            run(driver, [row])
            message = "it was loaded"
        except RuntimeError as error:
            message = str(error)
        if "is not supported on this device" not in message:
            wrong += 1
            print(f"line {row.number}: {row.text.strip()}: {message}")
    rows = [row for row in rows if not row.is_refused]
    for begin in range(0, len(rows), 64):
        part = rows[begin : begin + 64]
        try:
            wrong += run(driver, part)
        except RuntimeError:
            # Which row is it?
            for row in part:
                try:
                    wrong += run(driver, [row])
                except RuntimeError as error:
                    wrong += 1
                    print(f"line {row.number}: {row.text.strip()}: {error}")
    print(f"{count} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
