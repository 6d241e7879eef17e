#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what functions and conversions of OpenCL C give for vectors, of all widths, with what they give for scalars,
in bits (but any NaN equals any other). The scalars are compared with an independent reference by Khronos's suites
without wimpy mode (`conformance/khronos.py --exhaustive`), which take days for vectors; these are the same in hours.

Of one operand all values run where these are no more than `--values`, else that many that are spread over all bits, of
which some are special ones. Scalars and vectors are results of kernels of their own: each work-item reads, computes and
writes one."""
import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy
import pyopencl

WIDTHS = (2, 3, 4, 8, 16)
# In one launch: a multiple of all widths.
BLOCK = 3 << 17
BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "half": 16, "float": 32, "double": 64}
BITS |= {f"u{name}": BITS[name] for name in ("char", "short", "int", "long")}
UNSIGNED = {8: "uchar", 16: "ushort", 32: "uint", 64: "ulong"}
SIGNED = {8: "char", 16: "short", 32: "int", 64: "long"}
FLOATS = ("half", "float", "double")

UNARY = (
    "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erf erfc exp exp2 exp10 expm1 fabs "
    "floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc"
).split()
UNARY_NATIVE = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
BINARY = "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder".split()
RELATIONS = "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered".split()
CLASSES = "isfinite isinf isnan isnormal signbit".split()
# What has a second result: how many operands, and the type of that result (None: the function's).
SECOND = {
    "fract": (1, None),
    "modf": (1, None),
    "sincos": (1, None),
    "frexp": (1, "int"),
    "lgamma_r": (1, "int"),
    "remquo": (2, "int"),
}


@dataclass(frozen=True)
class Case:
    """One function. `scalar` and `vector` are expressions of a, b and c; {n} stands for the width. They set `second`
    where there is a second result, whose type is given."""

    name: str
    operands: tuple
    result: str
    scalar: str
    vector: str
    second: str = ""
    options: str = ""


def math_cases(kind):
    """All functions of one floating-point type."""
    relation = SIGNED[BITS[kind]]

    def same(name, operands, result, expression, second="", options=""):
        label = f"{name} {kind}{' ' + options if options else ''}"
        return Case(label, operands, result, expression, expression, second, options)

    def plain(name, count, options=""):
        return same(name, (kind,) * count, kind, f"{name}({', '.join('abc'[:count])})", options=options)

    for name in UNARY:
        yield plain(name, 1)
    for name in BINARY:
        yield plain(name, 2)
    for name in ("fma", "mad"):
        yield plain(name, 3)
    for name, sign in {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}.items():
        yield same(name, (kind, kind), kind, f"a {sign} b")
    for name in ("ldexp", "pown", "rootn"):
        yield same(name, (kind, "int"), kind, f"{name}(a, b)")
    yield same("ilogb", (kind,), "int", "ilogb(a)")
    yield same("nan", (UNSIGNED[BITS[kind]],), kind, "nan(a)")
    for name, (count, second) in SECOND.items():
        operands = ", ".join("ab"[:count])
        yield same(name, (kind,) * count, kind, f"{name}({operands}, &second)", second or kind)
    # True is 1 of a scalar and -1 of a vector (OpenCL C, 6.15.6).
    for names, count in ((RELATIONS, 2), (CLASSES, 1)):
        for name in names:
            call = f"{name}({', '.join('ab'[:count])})"
            yield Case(f"{name} {kind}", (kind,) * count, relation, f"-{call}", call)
    if kind != "float":
        return
    for name in UNARY_NATIVE:
        yield plain(f"native_{name}", 1)
        yield plain(f"half_{name}", 1)
    for name in ("powr", "divide"):
        yield plain(f"native_{name}", 2)
        yield plain(f"half_{name}", 2)
    relaxed = "-cl-fast-relaxed-math"
    for name in UNARY:
        yield plain(name, 1, relaxed)
    for name in ("pow", "powr", "atan2", "atan2pi"):
        yield plain(name, 2, relaxed)
    yield same("sincos", (kind,), kind, "sincos(a, &second)", kind, relaxed)
    yield same("divide", (kind, kind), kind, "a / b", options=relaxed)


def conversion_cases(source):
    """All conversions from one type."""
    for to in BITS:
        for saturated in ("", "_sat"):
            if saturated and to in FLOATS:
                continue
            for rounding in ("", "_rte", "_rtp", "_rtn", "_rtz"):
                ending = saturated + rounding
                yield Case(
                    f"convert_{to}{ending} {source}",
                    (source,),
                    to,
                    f"convert_{to}{ending}(a)",
                    f"convert_{to}{{n}}{ending}(a)",
                )


# Operands are made of the number of the value: all values of one operand, or mixed bits, of which one in 16 is a
# special value: zeros, ones, infinities, NaN, the smallest and largest numbers.
FILL = """
ulong mixed(ulong x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
  return x ^ (x >> 31);
}
kernel void fill(ulong first, uint place, uint every, ulong sign, ulong one, ulong infinity, global U *to) {
  size_t i = get_global_id(0);
  ulong n = first + i;
  if (every) {
    to[i] = (U)n;
    return;
  }
  ulong bits = mixed(n * 4 + place);
  if (bits >> 60 == 0) {
    ulong specials[8] = {0, 1, one, infinity, infinity + 1, infinity - 1, one - 1, infinity / 2};
    bits = specials[bits >> 56 & 7] ^ (bits >> 55 & 1 ? sign : 0);
  }
  to[i] = (U)bits;
}
"""

DIFFER = """
kernel void differ(global const U *expected, global const U *found, ulong first, ulong sign, ulong infinity,
                   global uint *out) {
  size_t i = get_global_id(0);
  U e = expected[i], f = found[i];
  if (e == f) return;
  if (infinity && (e & (U)~sign) > (U)infinity && (f & (U)~sign) > (U)infinity) return;
  atomic_inc(out);
  atomic_min(out + 1, (uint)(first + i));
}
"""


def layout(kind):
    """Of a type: the bits of its sign, of one, and of infinity (0 for integers, of which sign is the highest bit)."""
    bits = BITS[kind]
    sign = 1 << bits - 1
    if kind not in FLOATS:
        return sign, 1, 0
    bias, digits = {"half": (15, 10), "float": (127, 23), "double": (1023, 52)}[kind]
    return sign, bias << digits, (2 * bias + 1) << digits


def kernel(case, width):
    """`kernel void run(…)`, in which each work-item reads, computes and writes one vector of `width`."""
    n = "" if width == 1 else str(width)
    expression = (case.scalar if width == 1 else case.vector).replace("{n}", n)
    lines = []
    parameters = []
    for letter, kind in zip("abc", case.operands):
        parameters.append(f"global const {kind} *{letter}s")
        read = f"{letter}s[i]" if width == 1 else f"vload{n}(i, {letter}s)"
        lines.append(f"{kind}{n} {letter} = {read};")
    results = {"result": case.result}
    if case.second:
        results["second"] = case.second
        lines.append(f"{case.second}{n} second;")
    lines.append(f"{case.result}{n} result = {expression};")
    for name, kind in results.items():
        parameters.append(f"global {kind} *{name}s")
        lines.append(f"{name}s[i] = {name};" if width == 1 else f"vstore{n}({name}, i, {name}s);")
    body = "\n  ".join(lines)
    return f"kernel void run({', '.join(parameters)}) {{\n  size_t i = get_global_id(0);\n  {body}\n}}\n"


class Comparison:
    def __init__(self, values):
        self.values = values
        self.context = pyopencl.create_some_context(interactive=False)
        self.queue = pyopencl.CommandQueue(self.context)
        self.helpers = {}

    def built(self, source, name, options=""):
        return getattr(pyopencl.Program(self.context, source).build(["-cl-std=CL3.0", *options.split()]), name)

    def helper(self, name, kind):
        """`fill` or `differ` for one type."""
        if (name, kind) not in self.helpers:
            source = f"typedef {UNSIGNED[BITS[kind]]} U;\n" + {"fill": FILL, "differ": DIFFER}[name]
            self.helpers[name, kind] = self.built(source, name)
        return self.helpers[name, kind]

    def memory(self, kind):
        return pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE, BLOCK * BITS[kind] // 8)

    def fill(self, case, operands, first, whole):
        for place, (kind, memory) in enumerate(zip(case.operands, operands)):
            sign, one, infinity = layout(kind)
            numbers = [numpy.uint64(number) for number in (sign, one, infinity or sign - 1)]
            fill = self.helper("fill", kind)
            fill(
                self.queue,
                (BLOCK,),
                None,
                numpy.uint64(first),
                numpy.uint32(place),
                numpy.uint32(whole),
                *numbers,
                memory,
            )

    def run(self, case):
        """Of the widths for which values differ: how many, and the number of the first."""
        all_values = 1 << BITS[case.operands[0]] * len(case.operands)
        whole = len(case.operands) == 1 and all_values <= self.values
        values = all_values if whole else self.values
        kernels = {width: self.built(kernel(case, width), "run", case.options) for width in (1, *WIDTHS)}
        results = [case.result] + [case.second] * bool(case.second)
        operands = [self.memory(kind) for kind in case.operands]
        expected, found = [self.memory(kind) for kind in results], [self.memory(kind) for kind in results]
        flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
        none = numpy.array([0, 0xFFFFFFFF], numpy.uint32)
        counts = {width: pyopencl.Buffer(self.context, flags, hostbuf=none) for width in WIDTHS}
        # Fewer values than a block has come several times; the last block begins earlier.
        for first in range(0, values, BLOCK):
            first = max(min(first, values - BLOCK), 0)
            self.fill(case, operands, first, whole)
            kernels[1](self.queue, (BLOCK,), None, *operands, *expected)
            for width in WIDTHS:
                for memory in found if first == 0 else ():  # what another width left
                    pyopencl.enqueue_fill_buffer(self.queue, memory, numpy.uint8(0xA5), 0, memory.size)
                kernels[width](self.queue, (BLOCK // width,), None, *operands, *found)
                for kind, right, seen in zip(results, expected, found):
                    sign, _, infinity = layout(kind)
                    differ = self.helper("differ", kind)
                    numbers = [numpy.uint64(number) for number in (first, sign, infinity)]
                    differ(self.queue, (BLOCK,), None, right, seen, *numbers, counts[width])
            self.queue.finish()
        differing = {}
        for width, memory in counts.items():
            count = numpy.empty_like(none)
            pyopencl.enqueue_copy(self.queue, count, memory)
            if count[0]:
                differing[str(width)] = [int(count[0]), int(count[1])]
        return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, required=True, help="what ran already, as data; it is continued")
    parser.add_argument("--values", type=int, default=1 << 32, help="at most, of a function (default: 2^32)")
    parser.add_argument("--minutes", type=float, default=1e9, help="no function is begun later")
    parser.add_argument("cases", nargs="*", help="float, half, double, conversions, or functions as they are listed")
    arguments = parser.parse_args()
    groups = {kind: list(math_cases(kind)) for kind in FLOATS}
    groups["conversions"] = [case for kind in BITS for case in conversion_cases(kind)]
    chosen = [
        case
        for name, cases in groups.items()
        for case in cases
        if not arguments.cases or name in arguments.cases or case.name in arguments.cases
    ]
    state = json.loads(arguments.state.read_text()) if arguments.state.exists() else {}
    comparison = Comparison(arguments.values)
    begin = time.monotonic()
    for case in chosen:
        if case.name in state:
            continue
        if time.monotonic() - begin > arguments.minutes * 60:
            break
        start = time.process_time()
        state[case.name] = comparison.run(case)
        print(f"{case.name}: {state[case.name] or 'equal'}, {time.process_time() - start:.1f} s", flush=True)
        arguments.state.write_text(json.dumps(state, indent=1))
    done = [case.name for case in chosen if case.name in state]
    differing = [name for name in done if state[name]]
    print(f"{len(done)} of {len(chosen)} compared, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
