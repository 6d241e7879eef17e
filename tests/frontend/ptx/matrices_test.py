#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices by PTX's mma and wmma, each form in a kernel of its own, against exact arithmetic: of small
integers, which no order of sums rounds, and of random numbers, which are summed up as docs/decisions/0071 says.
matrices_test.py [--library libcuda.so.1] [--gpu sm_90a] [--print] [FORM…]. On a GPU the former have to be right, and
how it rounds the latter is shown."""
import argparse
import ctypes as c
import functools
import random
import re
import struct
import sys
from fractions import Fraction

from instructions_test import Driver

WARPS = 2  # the first has small integers
FLOATS = {  # bits of the exponent, of the fraction, and below these
    "f16": (5, 10, 0),
    "bf16": (8, 7, 0),
    "tf32": (8, 10, 13),
    "e4m3": (4, 3, 0),
    "e5m2": (5, 2, 0),
    "f32": (8, 23, 0),
    "f64": (11, 52, 0),
}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "f32": 32, "f64": 64}
BITS |= {"s32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}


@functools.cache
def decoded(kind, bits):
    """The number that these bits are, an integer if it is one; None: infinite or not a number."""
    if kind not in FLOATS:
        return bits - (1 << BITS[kind]) if kind[0] == "s" and bits >> (BITS[kind] - 1) else bits
    exponents, fractions, below = FLOATS[kind]
    bits >>= below
    fraction, exponent = bits % (1 << fractions), bits >> fractions & ((1 << exponents) - 1)
    sign, bias = -1 if bits >> (exponents + fractions) & 1 else 1, (1 << (exponents - 1)) - 1
    if exponent == (1 << exponents) - 1 and not (kind == "e4m3" and fraction != 7):
        return None
    if exponent == 0:
        number = Fraction(fraction, 1 << fractions) / 2 ** (bias - 1)
    else:
        number = (1 + Fraction(fraction, 1 << fractions)) * Fraction(2) ** (exponent - bias)
    return sign * (number.numerator if number.denominator == 1 else number)


@functools.cache
def encoded(kind, number):
    """The nearest bits, ties to even."""
    if kind not in FLOATS:
        return int(number) % (1 << BITS[kind])
    exponents, fractions, below = FLOATS[kind]
    bias = (1 << (exponents - 1)) - 1
    sign = 1 << (exponents + fractions) if number < 0 else 0
    number = abs(Fraction(number))
    exponent = number.numerator.bit_length() - number.denominator.bit_length() if number else 1 - bias
    while number and Fraction(2) ** exponent > number:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    scaled = round(number / Fraction(2) ** (exponent - fractions))  # ties to even
    bits = scaled + ((exponent + bias - 1) << fractions)
    return (sign | min(bits, ((1 << exponents) - 1) << fractions)) << below


def rounded(kind, number):
    if kind == "f32":
        # To f64 first, unless that is half way between two numbers.
        wide = float(number)
        if struct.unpack("<Q", struct.pack("<d", wide))[0] & 0x1FFFFFFF != 0x10000000 and abs(wide) > 2.0**-120:
            return Fraction(struct.unpack("<f", struct.pack("<f", wide))[0])
    return decoded(kind, encoded(kind, number))


class Form:
    def __init__(self, text):
        self.text = text
        words = text.split(".")
        self.is_fragment = words[0] == "wmma"
        self.m, self.n, self.k = map(int, re.search(r"\.m(\d+)n(\d+)k(\d+)", text).groups())
        types = [w for w in words if w in BITS]
        self.d, self.a, self.b, self.c = types if len(types) == 4 else [types[0], "f16", "f16", types[1]]
        self.saturates = "satfinite" in words
        self.bit_operation = "and" if "and" in words else "xor" if "xor" in words else None
        self.layouts = [w for w in words if w in ("row", "col")]
        self.is_sparse = any(w.startswith("sp") for w in words)
        self.is_by_quads = words[0] == "mma" and "m8n8k4" in words and self.a == "f16"
        self.selector = 0

    # --- the numbers ---

    def draw(self, generator, kind, small):
        if kind == "b1":
            return generator.getrandbits(1)
        if kind not in FLOATS:
            low, high = (-(1 << (BITS[kind] - 1)), (1 << (BITS[kind] - 1)) - 1)
            low, high = (0, 2 * high + 1) if kind[0] == "u" else (low, high)
            if kind == "s32" and small:
                low, high = -1000, 1000
            return encoded(kind, generator.randint(low, high))
        if small:
            return encoded(kind, generator.randint(-6, 6))
        exponents, fractions, below = FLOATS[kind]
        spread = min(6, (1 << (exponents - 1)) - 3)
        exponent = (1 << (exponents - 1)) - 1 + generator.randint(-spread, spread // 2)
        return (generator.getrandbits(1) << exponents | exponent) << (fractions + below) | generator.getrandbits(
            fractions
        ) << below

    def metadata_bits(self):
        """Of a place among those stored: two bits, and of .tf32 four."""
        return 4 if self.a == "tf32" else 2

    def draw_metadata(self, generator):
        """Of each row, where its stored elements stand: two of four (pairs of .s4), of .tf32 one of two."""
        if self.a == "tf32":
            return [[generator.choice((0b0100, 0b1110)) for _ in range(self.k // 2)] for _ in range(self.m)]
        units = self.k // 4 if BITS[self.a] == 4 else self.k // 2
        return [
            [place for _ in range(units // 2) for place in sorted(generator.sample(range(4), 2))] for _ in range(self.m)
        ]

    def dense(self, a, metadata):
        """A with its zeros as None."""
        rows = []
        for stored, places in zip(a, metadata):
            row = [None] * self.k
            unit = 2 if BITS[self.a] == 4 else 1
            for number, place in enumerate(places):
                at = 2 * number + (place >> 1 & 1) if self.a == "tf32" else number // 2 * 4 + place
                for i in range(unit):
                    row[at * unit + i] = stored[number * unit + i]
            rows.append(row)
        return rows

    def metadata_words(self, metadata):
        """Of each lane. The manual: the metadata of 16 bits of rows g and g + 8 are one thread's, the lower half first;
        of 32 bits they are two threads'."""
        rows = [sum(place << self.metadata_bits() * i for i, place in enumerate(places)) for places in metadata]
        per_row = self.metadata_bits() * len(metadata[0])
        words = []
        for lane in range(32):
            group, thread = lane // 4, lane % 4
            if BITS[self.a] >= 16:
                threads = per_row // 16
                part = thread - threads * self.selector
                mine = (
                    [rows[group] >> 16 * part & 0xFFFF, rows[group + 8] >> 16 * part & 0xFFFF] if 0 <= part else [0, 0]
                )
                word = mine[0] | mine[1] << 16 if 0 <= part < threads else 0xDEADBEEF
            else:
                threads = per_row // 16
                part = thread - threads * self.selector
                word = rows[group + part % 2 * 8] >> part // 2 * 32 & 0xFFFFFFFF if 0 <= part < threads else 0xDEADBEEF
            words.append(word)
        return words

    def expected(self, a, b, c, small):
        """D by the decision: a chain for each element, k ascending, in f32 (f64, exactly in integers); results of 16
        bits are rounded once more. And the exact one."""
        kind = "f64" if self.a == "f64" else "f32"
        found, exact = [], []
        for row in range(self.m):
            for column in range(self.n):
                first = decoded(self.c, c[row][column])
                pairs = [
                    (decoded(self.a, a[row][k]), decoded(self.b, b[k][column]))
                    for k in range(self.k)
                    if a[row][k] is not None
                ]
                if self.bit_operation:
                    value = first + sum((x & y) if self.bit_operation == "and" else (x ^ y) for x, y in pairs)
                    found.append(encoded("s32", value))
                    exact.append(value)
                    continue
                exact.append(first + sum(x * y for x, y in pairs))
                if self.d == "s32":
                    value = exact[-1]
                    if self.saturates:
                        value = max(-(1 << 31), min((1 << 31) - 1, value))
                    found.append(encoded("s32", value))
                    continue
                value = exact[-1] if small else first
                for x, y in pairs if not small else ():
                    value = rounded(kind, value + x * y)
                found.append(encoded(self.d, value))
        return found, exact

    # --- where the ISA manual's figures have the elements ---

    def registers(self, matrix):
        """(lanes of) registers of 32 or 64 bits, each as its elements' rows and columns, the lowest first."""
        kind = getattr(self, matrix)
        if self.is_by_quads:
            return self.registers_by_quads(matrix, kind)
        in_register = max(1, 32 // BITS[kind])
        halves = self.m // 8
        lanes = []
        for lane in range(32):
            group, thread = lane // 4, lane % 4
            found = []
            if matrix in "ab":
                depth = self.k // 2 if matrix == "a" and self.is_sparse else self.k
                for chunk in range(depth // (4 * in_register)):
                    along = [chunk * 4 * in_register + thread * in_register + i for i in range(in_register)]
                    if matrix == "b":
                        found.append([(k, group) for k in along])
                    else:
                        found += [[(group + 8 * half, k) for k in along] for half in range(halves)]
            else:
                for half in range(halves):
                    pair = [(group + 8 * half, 2 * thread + i) for i in range(2)]
                    found += [pair] if kind == "f16" else [[place] for place in pair]
            lanes.append(found)
        return lanes

    def registers_by_quads(self, matrix, kind):
        """Four products in one; that of threads 4q to 4q + 3 and 16 + 4q to 19 + 4q is rows 8q to 8q + 7 of all (of B,
        columns)."""
        lanes = []
        for lane in range(32):
            quad, x, upper = lane % 16 // 4, lane % 4, lane // 16 * 4
            if matrix == "a":
                places = [(x + upper, i) if self.layouts[0] == "row" else (i + upper, x) for i in range(4)]
            elif matrix == "b":
                places = [(x, i + upper) if self.layouts[1] == "row" else (i, x + upper) for i in range(4)]
            elif kind == "f16":
                places = [(x + upper, i) for i in range(8)]
            else:
                places = [((lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)) for i in range(8)]
            places = [(r, q + 8 * quad) if matrix == "b" else (r + 8 * quad, q) for r, q in places]
            step = 2 if kind == "f16" else 1
            lanes.append([places[i : i + step] for i in range(0, len(places), step)])
        return lanes

    def size(self, matrix):
        return max(4, BITS[getattr(self, matrix)] // 8)

    def packed(self, matrix, values):
        """Of each lane, its registers one behind the other."""
        kind, content = getattr(self, matrix), b""
        for lane in self.registers(matrix):
            for places in lane:
                word = sum(values[row][column] << BITS[kind] * i for i, (row, column) in enumerate(places))
                content += word.to_bytes(self.size(matrix), "little")
        return content

    def unpacked(self, content):
        rows, columns = self.dimensions("d")
        values = [[0] * columns for _ in range(rows)]
        at = 0
        for lane in self.registers("d"):
            for places in lane:
                word = int.from_bytes(content[at : at + self.size("d")], "little")
                at += self.size("d")
                for i, (row, column) in enumerate(places):
                    values[row][column] = word >> BITS[self.d] * i & ((1 << BITS[self.d]) - 1)
        return [value for row in values for value in row]

    def in_memory(self, matrix, values, layout):
        """Of wmma: a matrix by rows or by columns."""
        kind = getattr(self, matrix)
        rows, columns = len(values), len(values[0])
        order = [(r, q) for r in range(rows) for q in range(columns)]
        if layout == "col":
            order = [(r, q) for q in range(columns) for r in range(rows)]
        number = sum(values[r][q] << BITS[kind] * i for i, (r, q) in enumerate(order))
        return number.to_bytes(rows * columns * BITS[kind] // 8, "little")

    # --- the kernel ---

    def prologue(self, sizes):
        lines = [
            ".reg .b64 %rd<8>;\n.reg .b32 %r<8>;",
            "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];",
            "mov.u32 %r0, %tid.x;",
        ]
        for number, (size, of_warp) in enumerate(sizes):
            index = "%r0"
            if of_warp:
                lines.append("shr.u32 %r2, %r0, 5;")
                index = "%r2"
            lines.append(f"mul.wide.u32 %rd{number + 2}, {index}, {size};")
        return "\n".join(lines)

    def kernel(self, offsets):
        if self.is_fragment:
            return self.fragment_kernel(offsets)
        lines, operands = [], []
        counts = {m: len(self.registers(m)[0]) for m in "dabc"}
        extra = ""
        sizes = [(counts[m] * self.size(m), False) for m in "dabc"]
        lines.append(self.prologue(sizes))
        for place, matrix in enumerate("dabc"):
            type_of = "f64" if self.size(matrix) == 8 else "f32" if matrix in "cd" and self.d == "f32" else "b32"
            if matrix in "cd":
                type_of = {"f16": "b32", "s32": "b32"}.get(getattr(self, matrix), getattr(self, matrix))
            names = [f"%{matrix}{i}" for i in range(counts[matrix])]
            lines.append(f".reg .{type_of} {', '.join(names)};")
            operands.append("{" + ", ".join(names) + "}")
            base = "%rd1" if matrix == "d" else "%rd0"
            lines.append(f"add.u64 %rd{place + 2}, %rd{place + 2}, {base};")
            if matrix != "d":
                lines += [
                    f"ld.global.{type_of} {name}, [%rd{place + 2}+{offsets[matrix] + i * self.size(matrix)}];"
                    for i, name in enumerate(names)
                ]
        if self.is_sparse:
            lines.append(".reg .b32 %e;\nmul.wide.u32 %rd6, %r0, 4;\nadd.u64 %rd6, %rd6, %rd0;")
            lines.append(f"ld.global.b32 %e, [%rd6+{offsets['e']}];")
            extra = f", %e, {self.selector}"
        lines.append(f"{self.text} {', '.join(operands)}{extra};")
        type_of = {"f16": "b32", "s32": "b32"}.get(self.d, self.d)
        lines += [f"st.global.{type_of} [%rd2+{i * self.size('d')}], %d{i};" for i in range(counts["d"])]
        return "\n".join(lines)

    def dimensions(self, matrix):
        """Of what is stored."""
        if self.is_by_quads:
            return {"a": (32, 4), "b": (4, 32)}.get(matrix, (32, 8))
        depth = self.k // 2 if self.is_sparse else self.k
        return {"a": (self.m, depth), "b": (self.k, self.n)}.get(matrix, (self.m, self.n))

    def fragment_registers(self, matrix):
        kind = getattr(self, matrix)
        if kind == "f16" and matrix in "ab":
            return 8
        rows, columns = self.dimensions(matrix)
        return max(1, rows * columns * BITS[kind] // 32 // max(32, BITS[kind]))

    def fragment_kernel(self, offsets):
        shape = re.search(r"m\d+n\d+k\d+", self.text)[0]
        layouts = dict(zip("ab", self.layouts)) | {"c": self.order_of_c, "d": self.order_of_d}
        sizes = [(self.dimensions(m)[0] * self.dimensions(m)[1] * BITS[getattr(self, m)] // 8, True) for m in "dabc"]
        lines, operands = [self.prologue(sizes)], {}
        for place, matrix in enumerate("dabc"):
            kind = getattr(self, matrix)
            type_of = "f64" if kind == "f64" else "f32" if kind == "f32" else "b32"
            names = [f"%{matrix}{i}" for i in range(self.fragment_registers(matrix))]
            lines.append(f".reg .{type_of} {', '.join(names)};")
            operands[matrix] = "{" + ", ".join(names) + "}"
            base = "%rd1" if matrix == "d" else "%rd0"
            lines.append(f"add.u64 %rd{place + 2}, %rd{place + 2}, {base};")
            if matrix != "d":
                rows, columns = self.dimensions(matrix)
                stride = columns if layouts[matrix] == "row" else rows
                lines.append(f"add.u64 %rd{place + 2}, %rd{place + 2}, {offsets[matrix]};")
                lines.append(f"mov.u32 %r3, {stride};")
                lines.append(
                    f"wmma.load.{matrix}.sync.aligned.{layouts[matrix]}.{shape}.global.{kind} {operands[matrix]}, "
                    f"[%rd{place + 2}], %r3;"
                )
        lines.append(f"{self.text} {', '.join(operands[m] for m in 'dabc')};")
        lines.append(f"wmma.store.d.sync.aligned.{self.order_of_d}.{shape}.global.{self.d} [%rd2], {operands['d']};")
        return "\n".join(lines)

    order_of_c = order_of_d = "row"

    # --- a run ---

    def prepare(self):
        generator = random.Random(self.text)
        inputs, results = {m: b"" for m in ("abce" if self.is_sparse else "abc")}, []
        for warp in range(WARPS):
            small = warp == 0
            matrices = {
                m: [
                    [self.draw(generator, getattr(self, m), small) for _ in range(self.dimensions(m)[1])]
                    for _ in range(self.dimensions(m)[0])
                ]
                for m in "abc"
            }
            layouts = dict(zip("ab", self.layouts)) | {"c": self.order_of_c}
            for m in "abc":
                inputs[m] += (
                    self.in_memory(m, matrices[m], layouts[m]) if self.is_fragment else self.packed(m, matrices[m])
                )
            if self.is_sparse:
                metadata = self.draw_metadata(generator)
                inputs["e"] += b"".join(struct.pack("<I", word) for word in self.metadata_words(metadata))
                matrices["a"] = self.dense(matrices["a"], metadata)
            if self.is_by_quads:
                parts = [
                    self.expected(
                        matrices["a"][8 * q : 8 * q + 8],
                        [row[8 * q : 8 * q + 8] for row in matrices["b"]],
                        matrices["c"][8 * q : 8 * q + 8],
                        small,
                    )
                    for q in range(4)
                ]
                results.append(tuple(sum((part[i] for part in parts), []) for i in range(2)))
            else:
                results.append(self.expected(*(matrices[m] for m in "abc"), small))
        offsets, content = {}, b""
        for m in inputs:
            offsets[m] = len(content)
            content += inputs[m] + bytes(-len(inputs[m]) % 64)
        return content, offsets, results

    def result_bytes(self):
        if self.is_fragment:
            return self.m * self.n * BITS[self.d] // 8
        return 32 * len(self.registers("d")[0]) * self.size("d")

    def results_of(self, content):
        if not self.is_fragment:
            return self.unpacked(content)
        size = BITS[self.d] // 8
        values = [int.from_bytes(content[i : i + size], "little") for i in range(0, len(content), size)]
        if self.order_of_d == "col":
            values = [values[column * self.m + row] for row in range(self.m) for column in range(self.n)]
        return values


def forms():
    found = []
    mma = "mma.sync.aligned."
    for k in (8, 16):
        for d, a, cc in (("f32", "f16", "f32"), ("f16", "f16", "f16"), ("f32", "bf16", "f32")):
            found.append(f"{mma}m16n8k{k}.row.col.{d}.{a}.{a}.{cc}")
    found += [f"{mma}m16n8k{k}.row.col.f32.tf32.tf32.f32" for k in (4, 8)]
    found += [f"{mma}m16n8k32.row.col.f32.{a}.{b}.f32" for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    found.append(f"{mma}m16n8k16.row.col.f16.e4m3.e5m2.f16")
    found += [f"{mma}{shape}.row.col.f64.f64.f64.f64" for shape in ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16")]
    for kinds, shapes in ((("s8", "u8"), "m8n8k16 m16n8k16 m16n8k32"), (("s4", "u4"), "m8n8k32 m16n8k32 m16n8k64")):
        for shape in shapes.split():
            for number, (a, b) in enumerate((a, b) for a in kinds for b in kinds):
                saturates = ".satfinite" if number % 2 else ""
                found.append(f"{mma}{shape}.row.col{saturates}.s32.{a}.{b}.s32")
    for shape in ("m8n8k128", "m16n8k128", "m16n8k256"):
        found += [f"{mma}{shape}.row.col.s32.b1.b1.s32.{op}.popc" for op in ("and", "xor")]
    found += [
        f"{mma}m8n8k4.{a}.{b}.{d}.f16.f16.{cc}"
        for a, b, d, cc in (
            ("row", "col", "f32", "f32"),
            ("col", "row", "f16", "f16"),
            ("row", "row", "f32", "f16"),
            ("col", "col", "f16", "f32"),
        )
    ]
    sparse = []
    for shapes, kinds in (
        ("m16n8k16 m16n8k32", "f32.f16.f16.f32 f16.f16.f16.f16 f32.bf16.bf16.f32"),
        ("m16n8k8 m16n8k16", "f32.tf32.tf32.f32"),
        ("m16n8k64", "f32.e4m3.e5m2.f32 f32.e5m2.e4m3.f32"),
        ("m16n8k32 m16n8k64", "s32.s8.u8.s32 satfinite.s32.u8.s8.s32"),
        ("m16n8k64 m16n8k128", "s32.s4.u4.s32 satfinite.s32.u4.s4.s32"),
    ):
        for shape in shapes.split():
            sparse += [f"{shape}.row.col.{kind}" for kind in kinds.split()]
    found += [
        f"mma.sp{'::ordered_metadata' if number % 2 else ''}.sync.aligned.{text}" for number, text in enumerate(sparse)
    ]
    wmma = "wmma.mma.sync.aligned."
    orders = [(a, b) for a in ("row", "col") for b in ("row", "col")]
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for a, b in orders:
            found += [f"{wmma}{a}.{b}.{shape}.{d}.{cc}" for d in ("f16", "f32") for cc in ("f16", "f32")]
            found.append(f"{wmma}{a}.{b}.{shape}.f32.bf16.bf16.f32")
            found += [f"{wmma}{a}.{b}.{shape}.s32.{e}.{e}.s32{s}" for e, s in (("s8", ""), ("u8", ".satfinite"))]
    for a, b in orders:
        found.append(f"{wmma}{a}.{b}.m16n16k8.f32.tf32.tf32.f32")
        found.append(f"{wmma}{a}.{b}.m8n8k4.rn.f64.f64.f64.f64")
    found += [f"{wmma}row.col.m8n8k32.s32.{e}.{e}.s32{s}" for e, s in (("s4", ""), ("u4", ".satfinite"))]
    found += [f"wmma.mma.{op}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32" for op in ("and", "xor")]
    forms = [Form(text) for text in found]
    for number, form in enumerate(forms):
        if form.is_sparse:
            threads = form.metadata_bits() * (form.k // 4 if BITS[form.a] == 4 else form.k // 2) // 16
            form.selector = 4 // threads - 1
        form.order_of_c, form.order_of_d = ("row", "col")[number & 1], ("row", "col")[number >> 1 & 1]
    return forms


TARGET = "sm_100"


def module(form, offsets):
    version = "9.0" if TARGET == "sm_100" else "8.5"
    return (
        f".version {version}\n.target {TARGET}\n.address_size 64\n"
        f".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n{form.kernel(offsets)}\nret;\n}}\n"
    )


class Warps(Driver):
    """One block."""

    def launch(self, text, content, size):
        log, module, function = c.create_string_buffer(4096), c.c_void_p(), c.c_void_p()
        keys, values = (c.c_int * 2)(5, 6), (c.c_void_p * 2)(c.cast(log, c.c_void_p), 4096)
        if self.library.cuModuleLoadDataEx(c.byref(module), text.encode() + b"\0", 2, keys, values):
            raise RuntimeError(log.value.decode(errors="replace"))
        self.call("cuModuleGetFunction", c.byref(function), module, b"k")
        pointers = [c.c_uint64(), c.c_uint64()]
        for pointer, bytes_ in zip(pointers, (len(content), size)):
            self.call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(bytes_))
        self.call("cuMemcpyHtoD_v2", pointers[0], content, c.c_size_t(len(content)))
        arguments = (c.c_void_p * 2)(*(c.cast(c.pointer(p), c.c_void_p) for p in pointers))
        dimensions = [c.c_uint(1), c.c_uint(1), c.c_uint(1), c.c_uint(32 * WARPS), c.c_uint(1), c.c_uint(1)]
        self.call("cuLaunchKernel", function, *dimensions, c.c_uint(0), None, arguments, None)
        found = c.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", found, pointers[1], c.c_size_t(size))
        for pointer in pointers:
            self.call("cuMemFree_v2", pointer)
        self.call("cuModuleUnload", module)
        return found.raw


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*", help="parts of names")
    parser.add_argument("--library", default="libcuda.so.1")
    parser.add_argument("--gpu", metavar="TARGET", help="a real one: modules are for this target")
    parser.add_argument("--print", action="store_true", help="the PTX only")
    chosen = parser.parse_args()
    global TARGET
    TARGET = chosen.gpu or TARGET
    every = [form for form in forms() if not chosen.forms or any(part in form.text for part in chosen.forms)]
    if chosen.print:
        for form in every:
            print(module(form, {m: 0 for m in "abce"}))
        return 0
    driver, wrong = Warps(chosen.library), 0
    for form in every:
        content, offsets, results = form.prepare()
        size = form.result_bytes()
        try:
            found = driver.launch(module(form, offsets), content, WARPS * size)
        except RuntimeError as error:
            wrong += 1
            print(f"{form.text}: {str(error).strip()}")
            continue
        for warp, (expected, exact) in enumerate(results):
            numbers = form.results_of(found[warp * size : (warp + 1) * size])
            other = sum(value != wanted for value, wanted in zip(numbers, expected))
            is_wrong = other and (warp == 0 or not chosen.gpu)
            wrong += bool(is_wrong)
            text = f"{other} of {len(numbers)} {'integers' if warp == 0 else 'sums'} differ"
            if form.d in FLOATS and warp > 0:
                far = sum(value != encoded(form.d, true) for value, true in zip(numbers, exact))
                errors = [
                    abs(decoded(form.d, value) - true) / abs(true)
                    for value, true in zip(numbers, exact)
                    if true and decoded(form.d, value) is not None
                ]
                text += f", {far} are not the nearest to the exact one, relative error up to {float(max(errors)):.3g}"
            if is_wrong or chosen.gpu:
                print(f"{form.text}: {text}")
    print(f"{len(every)} forms, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
