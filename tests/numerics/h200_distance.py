#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far our functions of f32 are from those of a real H200: OpenCL's builtins and PTX's approximations, a line each.

h200_f32.bin.xz holds what an H200 with driver 580 computed: 4,096 inputs (bit patterns of all kinds), then the results
of each function below, in that order. The H200's own error is known, too: the largest over all 2^32 inputs, in ulp of
the exact result. Both devices are right if they keep what is allowed, so that they may differ by the sum of two errors
and no more, and a NaN or an infinity stands in the same places. What is left to the implementation is reported, and
held to nothing."""
import ctypes as c
import lzma
import sys
from pathlib import Path

import numpy as np
import pyopencl as cl

COUNT = 4096
# A function, and the H200's largest error; what OpenCL allows ("Relative Error as ULPs", full profile).
BUILTINS = [
    ("sqrt", 0.943, 3),
    ("rsqrt", 1.514, 2),
    ("recip", 0.984, 2.5),
    ("exp", 1.931, 3),
    ("exp2", 2.383, 3),
    ("exp10", 2.069, 3),
    ("expm1", 1.444, 3),
    ("log", 0.863, 3),
    ("log2", 0.918, 3),
    ("log10", 2.085, 3),
    ("log1p", 0.886, 2),
    ("sin", 1.499, 4),
    ("cos", 1.511, 4),
    ("tan", 3.095, 5),
    ("sinpi", 1.495, 4),
    ("cospi", 1.483, 4),
    ("tanpi", 3.807, 6),
    ("asin", 2.388, 4),
    ("acos", 1.811, 4),
    ("atan", 2.211, 5),
    ("sinh", 2.938, 4),
    ("cosh", 2.332, 4),
    ("tanh", 1.814, 5),
    ("asinh", 1.857, 4),
    ("acosh", 2.457, 4),
    ("atanh", 3.15, 5),
    ("cbrt", 1.167, 2),
    ("erf", 1.14, 16),
    ("erfc", 8.008, 16),
    ("tgamma", 11.459, 16),
    ("lgamma", None, None),
    ("native_exp", None, None),
    ("native_exp2", None, None),
    ("native_log", None, None),
    ("native_log2", None, None),
    ("native_sin", None, None),
    ("native_cos", None, None),
    ("native_tan", None, None),
    ("native_recip", None, None),
]
# The same for instructions of PTX, whose ISA says an error in ulp for some only.
INSTRUCTIONS = [
    ("ex2.approx.f32", 2.383, 2),
    ("ex2.approx.ftz.f32", 2.383, 2),
    ("lg2.approx.f32", None, None),
    ("lg2.approx.ftz.f32", None, None),
    ("sin.approx.f32", None, None),
    ("cos.approx.f32", None, None),
    ("sin.approx.ftz.f32", None, None),
    ("cos.approx.ftz.f32", None, None),
    ("rcp.approx.f32", 0.984, 1),
    ("rcp.approx.ftz.f32", 0.984, 1),
    ("rsqrt.approx.f32", 1.514, 2),
    ("rsqrt.approx.ftz.f32", 1.514, 2),
    ("sqrt.approx.f32", 0.943, 2),
    ("sqrt.approx.ftz.f32", 0.943, 2),
    ("tanh.approx.f32", None, None),
    ("rcp.rn.f32", 0, 0),
    ("sqrt.rn.f32", 0, 0),
]


def read_facts():
    """The inputs, and the results of each function, as bit patterns."""
    raw = lzma.open(Path(__file__).with_name("h200_f32.bin.xz")).read()
    words = np.frombuffer(raw, np.uint32).reshape(-1, COUNT)
    assert len(words) == 1 + len(BUILTINS) + len(INSTRUCTIONS), "the file has another number of functions"
    return words[0], words[1:]


def run_builtins(inputs):
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    words = {"recip": "1.0f / x", "native_recip": "native_recip(x)"}
    source = "".join(
        f"kernel void f_{name}(global const float *in, global float *out) {{\n"
        f"  size_t i = get_global_id(0); float x = in[i]; out[i] = {words.get(name, f'{name}(x)')};\n}}\n"
        for name, _, _ in BUILTINS
    )
    program = cl.Program(context, source).build()
    flags = cl.mem_flags
    given = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=inputs)
    out = cl.Buffer(context, flags.WRITE_ONLY, inputs.nbytes)
    for name, _, _ in BUILTINS:
        getattr(program, f"f_{name}")(queue, (COUNT,), None, given, out)
        found = np.empty_like(inputs)
        cl.enqueue_copy(queue, found, out)
        yield found


def run_instructions(inputs):
    driver = c.CDLL("libcuda.so.1")

    def call(name, *arguments):
        if result := getattr(driver, name)(*arguments):
            raise RuntimeError(f"{name} returned {result}")

    call("cuInit", 0)
    context, module = c.c_void_p(), c.c_void_p()
    call("cuCtxCreate_v2", c.byref(context), 0, 0)
    source = ".version 7.8\n.target sm_80\n.address_size 64\n" + "".join(
        f""".visible .entry f{i}(.param .u64 in, .param .u64 out) {{
  .reg .b32 %r<4>; .reg .b64 %a<4>; .reg .f32 %f<2>;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 256, %r0; mul.wide.u32 %a0, %r2, 4;
  ld.param.u64 %a1, [in]; ld.param.u64 %a2, [out]; add.u64 %a1, %a1, %a0; add.u64 %a2, %a2, %a0;
  ld.global.f32 %f0, [%a1]; {name} %f1, %f0; st.global.f32 [%a2], %f1; ret;
}}
"""
        for i, (name, _, _) in enumerate(INSTRUCTIONS)
    )
    call("cuModuleLoadData", c.byref(module), source.encode())
    given, out = c.c_uint64(), c.c_uint64()
    for pointer in given, out:
        call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(inputs.nbytes))
    call("cuMemcpyHtoD_v2", given, inputs.ctypes.data_as(c.c_void_p), c.c_size_t(inputs.nbytes))
    parameters = (c.c_void_p * 2)(*(c.cast(c.byref(x), c.c_void_p) for x in (given, out)))
    for i in range(len(INSTRUCTIONS)):
        function = c.c_void_p()
        call("cuModuleGetFunction", c.byref(function), module, f"f{i}".encode())
        call("cuLaunchKernel", function, COUNT // 256, 1, 1, 256, 1, 1, 0, None, parameters, None)
        found = np.empty_like(inputs)
        call("cuMemcpyDtoH_v2", found.ctypes.data_as(c.c_void_p), out, c.c_size_t(found.nbytes))
        yield found


def distances(found, wanted):
    """Between each two numbers: how many others lie between them, and one; the second array says where neither is a
    NaN."""
    numbers = ~(np.isnan(found.view(np.float32)) | np.isnan(wanted.view(np.float32)))

    def place(bits):
        signed = bits.view(np.int32).astype(np.int64)
        return np.where(signed < 0, np.int64(-(1 << 31)) - signed, signed)

    return np.abs(place(found) - place(wanted)), numbers


def main():
    inputs, facts = read_facts()
    table = [(name, *bounds) for name, *bounds in BUILTINS + INSTRUCTIONS]
    found_all = [*run_builtins(inputs), *run_instructions(inputs)]
    failures = 0
    print(f"{'function':22} {'equal':>7} {'largest distance':>17} {'allowed':>8}")
    for (name, theirs, ours), found, wanted in zip(table, found_all, facts):
        distance, numbers = distances(found, wanted)
        nans = int((np.isnan(found.view(np.float32)) != np.isnan(wanted.view(np.float32))).sum())
        largest = int(distance[numbers].max())
        allowed = None if ours is None else int(np.ceil(theirs + ours))
        wrong = allowed is not None and (nans or largest > allowed)
        failures += wrong
        equal = float((distance[numbers] == 0).mean())
        print(
            f"{name:22} {equal:7.1%} {largest:17} {'-' if allowed is None else allowed:>8}"
            + (f"  {nans} NaNs are not the other's" if nans else "")
            + ("  FAILED" if wrong else "")
        )
        if wrong:
            at = int(np.where(numbers, distance, -1).argmax())
            x, a, b = (bits[at : at + 1].view(np.float32)[0] for bits in (inputs, found, wanted))
            print(f"  at {x!r} (0x{inputs[at]:08x}): ours {a!r}, the H200's {b!r}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
