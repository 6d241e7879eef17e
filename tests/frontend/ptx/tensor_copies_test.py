#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of tensors by PTX's cp.async.bulk.tensor with maps of cuTensorMapEncodeTiled, against what their manual says,
by Python: boxes at many coordinates, also outside, swizzled, with steps, back and with reductions, to several blocks of
a cluster; and what cuTensorMapEncodeTiled refuses. tensor_copies_test.py [--library libcuda.so.1] [--gpu] [PART…]."""
import argparse
import ctypes as c
import random
import struct
import sys

from instructions_test import Driver

TYPES = "u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32.ftz tf32 tf32.ftz".split()
BYTES = dict(zip(TYPES, (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)))
NAN = 0x7FF77FF77FF77FF7  # what an H100 fills with, as much of it as an element has
INVALID, NOT_SUPPORTED = 1, 801


class Tensor:
    """Its map, and Python's idea of a copy."""

    def __init__(self, kind, sizes, box, swizzle=0, steps=None, pads=None, nan=0):
        self.kind, self.sizes, self.box, self.swizzle = kind, sizes, box, swizzle
        self.steps, self.nan = steps or [1] * len(sizes), nan
        self.bytes = BYTES[kind]
        self.strides, pads = [], pads or [0] * len(sizes)
        row = sizes[0] * self.bytes
        for i in range(1, len(sizes)):
            row = (row + pads[i - 1] + 15) // 16 * 16
            self.strides.append(row)
            row *= sizes[i]
        self.size = row

    def counts(self):
        return [self.box[0]] + [-(-b // s) for b, s in zip(self.box[1:], self.steps[1:])]

    def box_bytes(self):
        size = self.bytes
        for count in self.counts():
            size *= count
        return size

    def pitch(self):
        """Of rows in shared memory: as long as what is swizzled."""
        return 16 << self.swizzle if self.swizzle else self.counts()[0] * self.bytes

    def shared_bytes(self):
        return self.box_bytes() // (self.counts()[0] * self.bytes) * self.pitch()

    def places(self, first):
        """(place in shared memory, place in global memory or None) of each element."""
        counts = self.counts()
        total = self.box_bytes() // self.bytes
        for number in range(total):
            rest, at, inside = number, 0, True
            for i, count in enumerate(counts):
                step = self.steps[i] if i else 1
                x = first[i] + rest % count * step
                rest //= count
                inside &= 0 <= x < self.sizes[i]
                at += x * (self.strides[i - 1] if i else self.bytes)
            shared = number // counts[0] * self.pitch() + number % counts[0] * self.bytes
            shared ^= shared // 128 % (1 << self.swizzle) * 16
            yield shared, at if inside else None

    def filler(self):
        return NAN.to_bytes(8, "little")[: self.bytes] if self.nan else bytes(self.bytes)

    def load(self, memory, first):
        box = bytearray(self.shared_bytes())
        for shared, at in self.places(first):
            box[shared : shared + self.bytes] = self.filler() if at is None else memory[at : at + self.bytes]
        return bytes(box)

    def store(self, memory, box, first, combine=None):
        memory = bytearray(memory)
        for shared, at in self.places(first):
            if at is None:
                continue
            value = box[shared : shared + self.bytes]
            if combine:
                value = combine(memory[at : at + self.bytes], value)
            memory[at : at + self.bytes] = value
        return bytes(memory)


def integers(kind, function):
    bits = 8 * BYTES[kind]

    def combine(old, value):
        x, y = (int.from_bytes(v, "little", signed=kind[0] == "s") for v in (old, value))
        return (function(x, y) % (1 << bits)).to_bytes(bits // 8, "little")

    return combine


def floats(letter, function):
    def combine(old, value):
        x, y = (struct.unpack("<" + letter, v)[0] for v in (old, value))
        return struct.pack("<" + letter, function(x, y))

    return combine


REDUCTIONS = {
    ("add", "u32"): integers("u32", lambda x, y: x + y),
    ("add", "s32"): integers("s32", lambda x, y: x + y),
    ("add", "u64"): integers("u64", lambda x, y: x + y),
    ("min", "s32"): integers("s32", min),
    ("max", "u32"): integers("u32", max),
    ("min", "s64"): integers("s64", min),
    ("inc", "u32"): integers("u32", lambda x, y: 0 if x >= y else x + 1),
    ("dec", "u32"): integers("u32", lambda x, y: y if x == 0 or x > y else x - 1),
    ("and", "u32"): integers("u32", lambda x, y: x & y),
    ("or", "u64"): integers("u64", lambda x, y: x | y),
    ("xor", "s32"): integers("s32", lambda x, y: x ^ y),
    ("add", "f16"): floats("e", lambda x, y: x + y),
    ("max", "f16"): floats("e", max),
    ("add", "f32"): floats("f", lambda x, y: x + y),
}


def kernel(rank, size, what, blocks, copied=None):
    """One thread of each block copies; all give what is in shared memory to the host. `copied`: bytes of these."""
    coordinates = ", ".join(f"%c{i}" for i in range(rank))
    load = what is None
    lines = [f"ld.param.u32 %c{i}, [c{i}];" for i in range(rank)]
    if load:
        cast = ".multicast::cluster" if blocks > 1 else ""
        mask = ", %h0" if blocks > 1 else ""
        body = f"""
  mbarrier.init.shared::cta.b64 [mbar], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], {copied or size};
wait_others:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  @!%p1 bra copied;
  mov.u32 %r3, box;
  mov.u32 %r4, mbar;
  mov.u16 %h0, {(1 << blocks) - 1};
  cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{cast}
    [%r3], [%rd0, {{{coordinates}}}], [%r4]{mask};
copied:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [mbar], 0;
  @!%p2 bra copied;"""
    else:
        operation = f".{what}" if what else ""
        name = "cp.reduce.async" if what else "cp.async"
        body = f"""
  mov.u32 %r3, box;
  fence.proxy.async.shared::cta;
  {name}.bulk.tensor.{rank}d.global.shared::cta{operation}.tile.bulk_group [%rd0, {{{coordinates}}}], [%r3];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;"""
    move = (
        "ld.shared.b32 %r5, [%r6];\n  st.global.b32 [%rd4], %r5;"
        if load
        else "ld.global.b32 %r5, [%rd4];\n  st.shared.b32 [%r6], %r5;"
    )
    parameters = "".join(f", .param .u32 c{i}" for i in range(rank))
    return f""".version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 buffer{parameters})
{{
  .reg .pred %p<4>;
  .reg .b16 %h<2>;
  .reg .b32 %r<16>, %c<5>;
  .reg .b64 %rd<8>;
  .shared .align 1024 .b8 box[{size}];
  .shared .align 8 .b64 mbar;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd0, %rd1;
  ld.param.u64 %rd2, [buffer];
  {" ".join(lines)}
  mov.u32 %r0, %cluster_ctarank;
  setp.eq.u32 %p1, %r0, 0;
  {'' if not load else body}
  mov.u32 %r1, 0;
  mul.wide.u32 %rd5, %r0, {size};
  add.u64 %rd2, %rd2, %rd5;
each:
  cvt.u64.u32 %rd3, %r1;
  add.u64 %rd4, %rd2, %rd3;
  mov.u32 %r6, box;
  add.u32 %r6, %r6, %r1;
  {move}
  add.u32 %r1, %r1, 4;
  setp.lt.u32 %p0, %r1, {size};
  @%p0 bra each;
  {'' if load else body}
  ret;
}}
"""


class Device(Driver):
    def allocate(self, content):
        pointer = c.c_uint64()
        self.call("cuMemAlloc_v2", c.byref(pointer), c.c_size_t(len(content)))
        self.call("cuMemcpyHtoD_v2", pointer, bytes(content), c.c_size_t(len(content)))
        return pointer

    def read(self, pointer, size):
        found = c.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", found, pointer, c.c_size_t(size))
        self.call("cuMemFree_v2", pointer)
        return found.raw

    def encode(self, tensor, address, **other):
        rank = len(tensor.sizes)
        given = {
            "map": aligned_map(),
            "type": TYPES.index(tensor.kind),
            "rank": rank,
            "address": address,
            "sizes": (c.c_uint64 * rank)(*tensor.sizes),
            "strides": (c.c_uint64 * rank)(*tensor.strides, 0),
            "box": (c.c_uint32 * rank)(*tensor.box),
            "steps": (c.c_uint32 * rank)(*tensor.steps),
            "interleave": 0,
            "swizzle": tensor.swizzle,
            "promotion": 0,
            "fill": tensor.nan,
        } | other
        code = self.library.cuTensorMapEncodeTiled(
            given["map"],
            c.c_int(given["type"]),
            c.c_uint32(given["rank"]),
            c.c_void_p(given["address"]),
            given["sizes"],
            given["strides"],
            given["box"],
            given["steps"],
            *(c.c_int(given[name]) for name in ("interleave", "swizzle", "promotion", "fill")),
        )
        return code, given["map"]

    def launch(self, text, map_, buffer, coordinates, blocks=1):
        log, module, function = c.create_string_buffer(4096), c.c_void_p(), c.c_void_p()
        keys, values = (c.c_int * 2)(5, 6), (c.c_void_p * 2)(c.cast(log, c.c_void_p), 4096)
        if self.library.cuModuleLoadDataEx(c.byref(module), text.encode() + b"\0", 2, keys, values):
            raise RuntimeError(log.value.decode(errors="replace"))
        self.call("cuModuleGetFunction", c.byref(function), module, b"k")
        numbers = [c.c_int(x) for x in coordinates]
        pointers = [c.cast(map_, c.c_void_p), c.cast(c.pointer(buffer), c.c_void_p)]
        pointers += [c.cast(c.pointer(x), c.c_void_p) for x in numbers]
        arguments = (c.c_void_p * len(pointers))(*pointers)
        attribute = struct.pack("<i4xIII52x", 4, blocks, 1, 1)
        attributes = c.create_string_buffer(attribute, len(attribute))

        class Config(c.Structure):
            _fields_ = [(n, c.c_uint) for n in "gx gy gz bx by bz shared".split()] + [
                ("stream", c.c_void_p),
                ("attributes", c.c_void_p),
                ("count", c.c_uint),
            ]

        config = Config(blocks, 1, 1, 1, 1, 1, 0, None, c.addressof(attributes), 1)
        self.call("cuLaunchKernelEx", c.byref(config), function, arguments, None)
        self.call("cuCtxSynchronize")
        self.call("cuModuleUnload", module)


def aligned_map(offset=0):
    raw = c.create_string_buffer(256 + 64)
    return (c.c_char * 128).from_buffer(raw, -c.addressof(raw) % 64 + offset)


def copies():
    """(name, tensor, coordinates, blocks)"""
    yield "1d", Tensor("u32", [100], [16]), [[0], [8], [88], [-4], [96], [200]], 1
    yield "1d bytes", Tensor("u8", [1000], [256]), [[16], [896], [-240]], 1
    yield "2d", Tensor("f32", [40, 30], [8, 5]), [[0, 0], [32, 27], [-4, -2], [36, 1]], 1
    for swizzle in (1, 2, 3):
        for kind in ("f16", "u8", "f32", "u64"):
            width = (16 << swizzle) // BYTES[kind]
            yield f"2d {kind} swizzle {swizzle}", Tensor(kind, [width * 3, 50], [width, 24], swizzle), [
                [0, 0],
                [width, 8],
                [16 // BYTES[kind], 40],
            ], 1
    yield "2d halves of a swizzle", Tensor("f16", [64, 20], [32, 16], 3), [[8, 2]], 1
    yield "3d", Tensor("bf16", [24, 10, 9], [16, 3, 4], 1), [[8, 5, 6], [-8, 8, -1]], 1
    yield "3d steps", Tensor("u16", [64, 40, 20], [16, 9, 5], 0, [1, 2, 4]), [[0, 0, 0], [8, 33, 11]], 1
    yield "4d", Tensor("s32", [12, 6, 5, 4], [8, 2, 3, 2], 0, None, [16, 32, 0, 0]), [[4, 2, 3, 3], [-4, 5, -1, 0]], 1
    yield "5d", Tensor("f64", [6, 5, 4, 3, 3], [2, 2, 3, 2, 2]), [[2, 2, 2, 1, 2], [4, -1, 0, 2, -1]], 1
    yield "nan", Tensor("f16", [20, 10], [16, 6], 1, nan=1), [[-8, 7]], 1
    yield "nan f32", Tensor("f32", [20, 10], [8, 6], nan=1), [[16, -2]], 1
    yield "all blocks", Tensor("f16", [200, 40], [64, 16], 3), [[16, 30]], 4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="parts of names")
    parser.add_argument("--library", default="libcuda.so.1")
    parser.add_argument("--gpu", action="store_true", help="a real one: say what is right, too")
    parser.add_argument("--print", action="store_true", help="the PTX only")
    chosen = parser.parse_args()
    if chosen.print:
        for rank in range(1, 6):
            print(kernel(rank, 64, None, 1), kernel(rank, 64, None, 2), kernel(rank, 64, "", 1))
        for operation, _ in REDUCTIONS:
            print(kernel(2, 64, operation, 1))
        return
    device, count, failures = Device(chosen.library), 0, 0

    def check(name, found, expected):
        nonlocal count, failures
        if chosen.parts and not any(part in name for part in chosen.parts):
            return
        count += 1
        if found != expected:
            failures += 1
            where = (
                next(i for i, (x, y) in enumerate(zip(found, expected)) if x != y) if isinstance(found, bytes) else ""
            )
            print(
                f"{name}: wrong {where} {found if not where else found[where:where+8].hex()} "
                f"{expected if not where else expected[where:where+8].hex()} expected"
            )
        elif chosen.gpu:
            print(f"{name}: right")

    generator = random.Random(17)
    for name, tensor, all_coordinates, blocks in copies():
        content = generator.randbytes(tensor.size)
        for coordinates in all_coordinates:
            memory = device.allocate(content)
            code, map_ = device.encode(tensor, memory.value)
            check(f"map of {name}", code, 0)
            size = tensor.shared_bytes()
            into = device.allocate(bytes(size * blocks))
            text = kernel(len(tensor.sizes), size, None, blocks, tensor.box_bytes())
            device.launch(text, map_, into, coordinates, blocks)
            found = device.read(into, size * blocks)
            if size > tensor.box_bytes():  # of what is between the rows nothing is known
                there = {shared + i for shared, _ in tensor.places(coordinates) for i in range(tensor.bytes)}
                found = bytes(x if i in there else 0 for i, x in enumerate(found))
            check(f"load {name} at {coordinates}", found, tensor.load(content, coordinates) * blocks)
            if blocks > 1 or min(coordinates) < 0:
                continue
            box = generator.randbytes(size)
            device.launch(kernel(len(tensor.sizes), size, "", 1), map_, device.allocate(box), coordinates)
            found = device.read(memory, len(content))
            check(f"store {name} at {coordinates}", found, tensor.store(content, box, coordinates))
    for (operation, kind), combine in REDUCTIONS.items():
        tensor = Tensor(kind, [24, 10], [16 // BYTES[kind] * 2, 4], 1)
        letter = {"f16": "e", "f32": "f"}.get(kind)
        numbers = lambda size: (
            b"".join(struct.pack("<" + letter, generator.randint(-50, 50) / 4) for _ in range(size // tensor.bytes))
            if letter
            else generator.randbytes(size)
        )
        content, box = numbers(tensor.size), numbers(tensor.box_bytes())
        memory = device.allocate(content)
        code, map_ = device.encode(tensor, memory.value)
        for coordinates in ([16 // BYTES[kind], 3], [16 // BYTES[kind] * 2, 8]):
            device.launch(kernel(2, tensor.box_bytes(), operation, 1), map_, device.allocate(box), coordinates)
            content = tensor.store(content, box, coordinates, combine)
        check(f"{operation} {kind}", device.read(memory, len(content)), content)

    # The address is replaced.
    tensor = Tensor("u32", [64], [16])
    first, second = generator.randbytes(256), generator.randbytes(256)
    memory, other = device.allocate(first), device.allocate(second)
    _, map_ = device.encode(tensor, memory.value)
    check("replace", device.library.cuTensorMapReplaceAddress(map_, c.c_void_p(other.value)), 0)
    into = device.allocate(bytes(64))
    device.launch(kernel(1, 64, None, 1), map_, into, [4])
    check("replaced", device.read(into, 64), second[16:80])
    check("replace by an odd one", device.library.cuTensorMapReplaceAddress(map_, c.c_void_p(other.value + 8)), INVALID)

    # What is refused.
    plain, wide = Tensor("u32", [64, 8], [8, 4]), Tensor("u32", [64, 8, 4], [8, 4, 2])
    at = memory.value
    array = lambda *values: (c.c_uint32 * len(values))(*values)
    longs = lambda *values: (c.c_uint64 * len(values))(*values)
    for name, tensor, other, wanted in (
        ("no map", plain, {"map": None}, INVALID),
        ("a map at 8", plain, {"map": aligned_map(8)}, INVALID),
        ("type 99", plain, {"type": 99}, INVALID),
        ("rank 0", plain, {"rank": 0}, INVALID),
        ("rank 6", plain, {"rank": 6}, INVALID),
        ("no address", plain, {"address": None}, INVALID),
        ("address at 8", plain, {"address": at + 8}, INVALID),
        ("no sizes", plain, {"sizes": None}, INVALID),
        ("size 0", plain, {"sizes": longs(64, 0)}, INVALID),
        ("size 2^32 + 1", plain, {"sizes": longs(64, (1 << 32) + 1)}, INVALID),
        ("size 2^32", plain, {"sizes": longs(64, 1 << 32)}, 0),
        ("stride of 8", plain, {"strides": longs(8, 0)}, INVALID),
        ("stride of 2^40", plain, {"strides": longs(1 << 40, 0)}, INVALID),
        ("box of 0", plain, {"box": array(8, 0)}, INVALID),
        ("box of 257", plain, {"box": array(8, 257)}, INVALID),
        ("box of 256", plain, {"box": array(8, 256)}, 0),
        ("rows of 12 bytes", plain, {"box": array(3, 4)}, INVALID),
        ("step 0", plain, {"steps": array(1, 0)}, INVALID),
        ("step 9", plain, {"steps": array(1, 9)}, INVALID),
        ("step 8", plain, {"steps": array(1, 8)}, 0),
        ("interleave 7", wide, {"interleave": 7}, INVALID),
        ("interleaved in two dimensions", plain, {"interleave": 1}, INVALID),
        ("interleaved by 32, not swizzled so", wide, {"interleave": 2, "swizzle": 2}, INVALID),
        ("swizzle 99", plain, {"swizzle": 99}, INVALID),
        ("rows of 64 bytes swizzled by 32", plain, {"box": array(16, 4), "swizzle": 1}, INVALID),
        ("rows of 256 bytes swizzled by 128", plain, {"box": array(64, 4), "swizzle": 3}, INVALID),
        ("promotion 9", plain, {"promotion": 9}, INVALID),
        ("fill 2", plain, {"fill": 2}, INVALID),
        ("NaN of integers", plain, {"fill": 1}, INVALID),
    ):
        check(
            name,
            device.encode(tensor, at, **other)[0]
            if "address" not in other
            else device.encode(tensor, other.pop("address"), **other)[0],
            wanted,
        )
    if not chosen.gpu:
        for name, tensor, other in (
            ("interleaved", wide, {"interleave": 1}),
            ("packed numbers", plain, {"type": 13}),
            ("a swizzle of pieces of 32 bytes", plain, {"swizzle": 4}),
        ):
            check(name, device.encode(tensor, at, **other)[0], NOT_SUPPORTED)
    # The last, since nothing of the context works after it.
    _, map_ = device.encode(Tensor("u32", [64], [16]), memory.value)
    try:
        device.launch(kernel(1, 64, None, 1), map_, into, [7])
        ended = "well"
    except RuntimeError as error:
        ended = str(error)
    check("a box that begins between pieces of 16 bytes", ended.startswith("cuCtxSynchronize returned "), True)
    print(f"{count} checks, {failures} failures")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
