#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products by PTX's wgmma, with the matrices where its descriptors say, against exact arithmetic: of small integers,
which no order of sums rounds, and of random numbers, which are summed up as docs/decisions/0071 says.
wgmma_test.py [--library libcuda.so.1] [--gpu] [--print] [PART…]. On a GPU the former have to be right, and how it
rounds the latter is shown. A case is written SHAPE.TYPES with what follows: A in registers (ra) or by rows or columns
of some swizzle (k0 k32 k64 k128 m0 m32 m64 m128), B likewise, and more of scale-d false (zero), negated A or B (na nb),
saturation (sat), and the place along K (+1, of pieces of 32 bytes)."""
import argparse
import ctypes as c
import random
import re
import sys

from instructions_test import Driver
from matrices_test import BITS, FLOATS, decoded, encoded, rounded

ROWS, WARPS = 64, 4


class Case:
    def __init__(self, text, small):
        self.text, self.small = text, small
        shape, *words = text.split()
        self.n, self.k = map(int, re.match(r"m64n(\d+)k(\d+)", shape).groups())
        self.d, self.a, self.b = [w for w in shape.split(".")[1:] if w in BITS]
        self.places = {m: w for m, w in zip("ab", words)}
        self.rest = words[2:]
        self.along = next((int(w[1:]) for w in self.rest if w[0] == "+"), 0)
        random_of = random.Random(text + str(small))
        self.values = {
            "a": [[self.draw(random_of, self.a) for _ in range(self.k)] for _ in range(ROWS)],
            "b": [[self.draw(random_of, self.b) for _ in range(self.k)] for _ in range(self.n)],
            "d": [[self.draw(random_of, self.d) for _ in range(self.n)] for _ in range(ROWS)],
        }
        self.random = random_of

    def draw(self, random_of, kind):
        if kind == "b1":
            return random_of.getrandbits(1)
        if kind == "s32":
            high = (1 << 31) - 1 if not self.small else 1000
            return encoded(kind, random_of.randint(-high, high))
        if kind not in FLOATS:
            return random_of.getrandbits(8)
        if self.small:
            return encoded(kind, random_of.randint(-6, 6))
        exponents, fractions, below = FLOATS[kind]
        spread = min(6, (1 << (exponents - 1)) - 3)
        exponent = (1 << (exponents - 1)) - 1 + random_of.randint(-spread, spread // 2)
        sign = random_of.getrandbits(1) << exponents
        return (sign | exponent) << (fractions + below) | random_of.getrandbits(fractions) << below

    def expected(self):
        """By the decision: a chain for each element, k ascending, in f32; results of 16 bits are rounded once more."""
        a = [[decoded(self.a, x) for x in row] for row in self.values["a"]]
        b = [[decoded(self.b, x) for x in row] for row in self.values["b"]]
        sign = -1 if ("na" in self.rest) != ("nb" in self.rest) else 1
        found = []
        for i, row in enumerate(a):
            for j, column in enumerate(b):
                first = 0 if "zero" in self.rest else decoded(self.d, self.values["d"][i][j])
                if self.a == "b1":
                    found.append(encoded("s32", first + sum(x & y for x, y in zip(row, column))))
                elif self.d == "s32":
                    value = first + sum(x * y for x, y in zip(row, column))
                    if "sat" in self.rest:
                        value = max(-(1 << 31), min((1 << 31) - 1, value))
                    found.append(encoded("s32", value))
                elif self.small:
                    found.append(encoded(self.d, first + sign * sum(x * y for x, y in zip(row, column))))
                else:
                    value = first
                    for x, y in zip(row, column):
                        value = rounded("f32", value + sign * x * y)
                    found.append(encoded(self.d, value))
        return found

    # --- where the ISA manual has the elements ---

    def layout(self, matrix):
        """Leading and stride offsets, bytes in all, and the place of an element."""
        place, lines = self.places[matrix], {"a": ROWS, "b": self.n}[matrix]
        width = int(place[1:]) or 16
        bits = BITS[getattr(self, matrix)]
        across = width // 16
        if place[0] == "k":
            if width == 16:
                leading, stride, extent = 128, 256, lines // 8 * 256
                at = lambda line, k: line % 8 * 16 + line // 8 * stride + k * bits // 128 * leading + k * bits // 8 % 16
            else:
                leading, stride, extent = 16, 8 * width, lines * width
                at = lambda line, k: line % 8 * width + line // 8 * stride + k * bits // 8 + 32 * self.along
        else:
            per = 128 // bits
            if width == 16:
                leading, stride = lines // per * 128, 128
                extent = self.k // 8 * leading
                at = lambda line, k: line // per * stride + k % 8 * 16 + k // 8 * leading + line % per * bits // 8
            else:
                leading, stride = self.k * width, 8 * width
                extent = (lines // per + across - 1) // across * leading

                def at(line, k):
                    piece = line // per
                    offset = piece % across * 16 + piece // across * leading + k % 8 * width + k // 8 * stride
                    return offset + line % per * bits // 8

        def swizzled(line, k):
            byte = at(line, k)
            return byte ^ (byte // 128 % across * 16)

        return leading, stride, extent, swizzled

    def image(self, matrix):
        _, _, extent, at = self.layout(matrix)
        content = bytearray(self.random.getrandbits(8) for _ in range(extent))
        bits = BITS[getattr(self, matrix)]
        for line, row in enumerate(self.values[matrix]):
            for k, value in enumerate(row):
                byte = at(line, k)
                if bits < 8:
                    content[byte] = content[byte] & ~(1 << k % 8) | value << k % 8
                else:
                    content[byte : byte + bits // 8] = value.to_bytes(bits // 8, "little")
        return bytes(content)

    def held(self, matrix):
        """By warps, lanes and registers: the elements that each register has."""
        kind = getattr(self, matrix)
        each = 32 // BITS[kind]
        threads = []
        for warp in range(WARPS):
            for lane in range(32):
                group, thread = 16 * warp + lane // 4, lane % 4
                registers = []
                if matrix == "a":
                    for chunk in range(self.k // (4 * each)):
                        for half in range(2):
                            along = [chunk * 4 * each + thread * each + i for i in range(each)]
                            registers.append([(group + 8 * half, k) for k in along])
                else:
                    for tile in range(self.n // 8):
                        for half in range(2):
                            pair = [(group + 8 * half, 8 * tile + 2 * thread + i) for i in range(2)]
                            registers += [pair] if kind == "f16" else [[place] for place in pair]
                threads.append(registers)
        return threads

    def packed(self, matrix):
        kind, content = getattr(self, matrix), b""
        for registers in self.held(matrix):
            for places in registers:
                word = sum(self.values[matrix][i][j] << BITS[kind] * at for at, (i, j) in enumerate(places))
                content += word.to_bytes(4, "little")
        return content

    def unpacked(self, content):
        values, at = [[0] * self.n for _ in range(ROWS)], 0
        for registers in self.held("d"):
            for places in registers:
                word = int.from_bytes(content[at : at + 4], "little")
                at += 4
                for number, (i, j) in enumerate(places):
                    values[i][j] = word >> BITS[self.d] * number & ((1 << BITS[self.d]) - 1)
        return [value for row in values for value in row]

    # --- the kernel ---

    def content(self):
        """D's registers, then A (its registers or its image), then B's image."""
        parts = [self.packed("d"), self.packed("a") if self.places["a"] == "ra" else self.image("a"), self.image("b")]
        content, offsets = b"", []
        for part in parts:
            offsets.append(len(content))
            content += part + bytes(-len(part) % 1024)
        return content, offsets

    def instruction(self):
        words = self.text.split()[0].split(".")
        saturates = ".satfinite" if "sat" in self.rest else ""
        operation = ".and.popc" if self.a == "b1" else ""
        return f"wgmma.mma_async.sync.aligned.{'.'.join(words)}{operation}{saturates}"

    def choices(self):
        found = []
        if self.a in FLOATS:
            found += [-1 if "na" in self.rest else 1, -1 if "nb" in self.rest else 1]
        if BITS[self.a] == 16:
            found += [int(self.places[m][0] == "m") for m in "ab" if self.places[m] != "ra"]
        return "".join(f", {choice}" for choice in found)

    def descriptor(self, matrix, register, begin):
        leading, stride, _, _ = self.layout(matrix)
        mode = {16: 0, 128: 1, 64: 2, 32: 3}[int(self.places[matrix][1:]) or 16]
        word = leading // 16 << 16 | stride // 16 << 32 | mode << 62
        return (
            f"add.u32 %r3, %r2, {begin + 32 * self.along};\nand.b32 %r3, %r3, 0x3ffff;\nshr.u32 %r3, %r3, 4;\n"
            f"cvt.u64.u32 {register}, %r3;\nor.b64 {register}, {register}, {word:#x};"
        )

    def kernel(self, size, offsets):
        registers = {m: len(self.held(m)[0]) for m in "da"}
        type_of = "f32" if self.d == "f32" else "b32"
        names = {m: [f"%{m}{i}" for i in range(registers[m])] for m in "da"}
        shared = size - offsets[1]
        lines = [
            f".reg .b64 %rd<12>;\n.reg .b32 %r<8>;\n.reg .pred %p<4>;\n.reg .{type_of} {', '.join(names['d'])};",
            f".shared .align 1024 .b8 memory[{shared}];",
            "ld.param.u64 %rd0, [in];\nld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\nmov.u32 %r2, memory;",
            # All threads copy.
            f"shl.b32 %r1, %r0, 2;\nadd.u64 %rd2, %rd0, {offsets[1]};\nfill:",
            "cvt.u64.u32 %rd3, %r1;\nadd.u64 %rd4, %rd2, %rd3;\nld.global.b32 %r4, [%rd4];\nadd.u32 %r5, %r2, %r1;",
            "st.shared.b32 [%r5], %r4;",
            f"add.u32 %r1, %r1, 512;\nsetp.lt.u32 %p0, %r1, {shared};\n@%p0 bra fill;",
            "fence.proxy.async.shared::cta;\nbar.sync 0;",
            f"mul.wide.u32 %rd5, %r0, {4 * registers['d']};\nadd.u64 %rd6, %rd0, %rd5;\nadd.u64 %rd7, %rd1, %rd5;",
        ]
        lines += [f"ld.global.{type_of} {name}, [%rd6+{4 * i}];" for i, name in enumerate(names["d"])]
        if self.places["a"] == "ra":
            lines.append(f".reg .b32 {', '.join(names['a'])};\nmul.wide.u32 %rd8, %r0, {4 * registers['a']};")
            lines.append(f"add.u64 %rd8, %rd8, %rd0;")
            lines += [f"ld.global.b32 {n}, [%rd8+{offsets[1] + 4 * i}];" for i, n in enumerate(names["a"])]
            a = "{" + ", ".join(names["a"]) + "}"
        else:
            lines.append(self.descriptor("a", "%rd9", 0))
            a = "%rd9"
        lines.append(self.descriptor("b", "%rd10", offsets[2] - offsets[1]))
        lines.append(f"setp.ne.u32 %p1, {int('zero' not in self.rest)}, 0;")
        lines.append("wgmma.fence.sync.aligned;")
        d = "{" + ", ".join(names["d"]) + "}"
        lines.append(f"{self.instruction()} {d}, {a}, %rd10, %p1{self.choices()};")
        lines.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;")
        lines += [f"st.global.{type_of} [%rd7+{4 * i}], {name};" for i, name in enumerate(names["d"])]
        return "\n".join(lines)

    def module(self):
        content, offsets = self.content()
        return (
            ".version 8.5\n.target sm_90a\n.address_size 64\n"
            f".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n{self.kernel(len(content), offsets)}\nret;\n}}\n"
        )


def cases():
    places = ["k0", "k32", "k64", "k128", "m0", "m32", "m64", "m128"]
    found = []
    for number, place in enumerate(places):
        other = places[(number + 3) % len(places)]
        found.append(f"m64n64k16.f32.f16.f16 {place} {other}")
        found.append(f"m64n32k16.f32.bf16.bf16 ra {place}")
        found.append(f"m64n128k16.f16.f16.f16 {other} {place} zero")
    found += [f"m64n8k16.f32.f16.f16 {a} {b}" for a, b in (("k128", "k128"), ("m128", "m128"), ("ra", "m32"))]
    found += [f"m64n16k16.f32.f16.f16 k128 k128 +{i}" for i in range(1, 4)]
    found += ["m64n16k16.f32.bf16.bf16 k64 k64 +1", "m64n24k16.f32.f16.f16 ra k128 +2"]
    found += ["m64n256k16.f32.f16.f16 k128 m128", "m64n256k16.f16.f16.f16 ra k128", "m64n96k16.f32.bf16.bf16 m128 k64"]
    for number, place in enumerate(places[:4]):
        found.append(f"m64n{(8, 24, 40, 72)[number]}k8.f32.tf32.tf32 {place} {places[3 - number]}")
        found.append(f"m64n16k8.f32.tf32.tf32 ra {place} {('na', 'nb', 'zero', '')[number]}".strip())
        found.append(f"m64n{(8, 24, 48, 112)[number]}k32.s32.s8.u8 {place} {places[3 - number]}")
        found.append(f"m64n16k32.s32.u8.s8 ra {place} sat")
        found.append(f"m64n16k256.s32.b1.b1 {place} {places[3 - number]}")
        found.append(f"m64n8k256.s32.b1.b1 ra {place} zero")
        for a, b in (("e4m3", "e5m2"), ("e5m2", "e4m3")):
            found.append(f"m64n16k32.f32.{a}.{b} {place} {places[3 - number]}")
            found.append(f"m64n24k32.f16.{b}.{a} ra {place} nb")
    found += ["m64n32k32.s32.s8.s8 k128 k128 +3 sat", "m64n16k32.s32.u8.u8 k128 k128 +2"]
    found += [f"m64n16k16.f32.f16.f16 k128 k128 {w}" for w in ("na", "nb", "na nb", "zero na")]
    every = []
    for text in found:
        shape = re.match(r"m64n(\d+)k(\d+)", text)
        # Exact fractions take their time.
        every.append(Case(text, True))
        if int(shape[1]) <= 32 or "s32" in text:
            every.append(Case(text, False))
    return every


class WarpGroup(Driver):
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
    parser.add_argument("parts", nargs="*", help="parts of names")
    parser.add_argument("--library", default="libcuda.so.1")
    parser.add_argument("--gpu", action="store_true", help="a real one")
    parser.add_argument("--print", action="store_true", help="the PTX only")
    chosen = parser.parse_args()
    every = [case for case in cases() if not chosen.parts or any(part in case.text for part in chosen.parts)]
    if chosen.print:
        for case in every:
            print(case.module())
        return
    driver, failures = WarpGroup(chosen.library), 0
    for case in every:
        name = f"{case.text} {'small' if case.small else 'random'}"
        content, offsets = case.content()
        size = 4 * len(case.held("d")[0]) * 32 * WARPS
        text = (
            ".version 8.5\n.target sm_90a\n.address_size 64\n"
            f".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n{case.kernel(len(content), offsets)}\nret;\n}}\n"
        )
        found, expected = case.unpacked(driver.launch(text, content, size)), case.expected()
        wrong = [i for i, (x, y) in enumerate(zip(found, expected)) if x != y]
        rounds = chosen.gpu and not case.small and case.d != "s32"
        if wrong and not rounds:
            failures += 1
            i = wrong[0]
            print(
                f"{name}: {len(wrong)} of {len(found)} wrong, row {i // case.n} column {i % case.n}: "
                f"{found[i]:#x}, {expected[i]:#x} expected"
            )
        elif rounds:
            print(f"{name}: {len(wrong)} of {len(found)} rounded otherwise")
        elif chosen.gpu:
            print(f"{name}: right")
    print(f"{len(every)} cases, {failures} failures")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
