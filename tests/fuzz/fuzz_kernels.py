#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels, the same in every tier: structured control flow, barriers, local memory, private arrays, vectors.

A kernel is race-free and depends on nothing the specification leaves open but what we fix (division by zero,
out-of-range conversions), so every tier must give the same bytes (a NaN equals a NaN). A difference is printed with its
seed: `fuzz_kernels.py --first SEED --count 1 --show` prints the kernel."""
import random
import sys

import compare_tiers


class Generator:
    """Writes one kernel. Unsigned arithmetic throughout: signed overflow is undefined in OpenCL C."""

    STATEMENTS = 22  # at most, unless the command line says otherwise
    TABLES = [("kWords", 64), ("kBytes", 256), ("kHalves", 100), ("kReals", 40), ("kLongs", 32)]

    def __init__(self, seed, statements=STATEMENTS):
        self.seed, self.statements, self.r = seed, statements, random.Random(seed)
        self.lines, self.depth, self.names = [], 1, 0
        self.local = self.r.choice([(8,), (16,), (7,), (64,), (4, 4), (5, 3), (2, 3, 4), (33,)])
        self.groups = [self.r.randint(1, 3) for _ in self.local]
        self.loops = self.r.random() < 0.6  # without: baseline code can run it
        self.sub_groups, self.turns = seed % 4 == 3, 0
        # Those of 32 work-items need not be asked for.
        self.sub_group_size = [32, 16, 8][seed // 4 % 3] if self.sub_groups else 32
        if self.sub_groups:
            shapes = [(64,), (32,), (96,), (33,), (7,), (100,), (32, 3), (64, 2), (16, 4), (16, 16), (5, 7), (3, 4, 5)]
            self.local = self.r.choice(shapes)
            self.groups = [self.r.randint(1, 3) for _ in self.local]
        self.tiles = seed % 5 == 4 and not self.sub_groups
        if self.tiles:
            self.local = self.r.choice([(16, 16), (8, 8), (16, 4), (8, 6), (32, 8), (64, 2)])
            self.groups = [self.r.randint(1, 3) for _ in self.local]
        self.sorts = seed % 5 == 3
        self.walks = seed % 5 == 2 and self.loops
        self.tables = seed % 5 == 1 and self.loops
        self.size = 1
        for s in self.local:
            self.size *= s

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def uniform(self):
        return self.r.choice(["a", "b", "(a + b)", "(a ^ 5u)", f"{self.r.randint(0, 9)}u", "(uint)get_group_id(0)"])

    def uint(self, depth=0):
        r = self.r
        if self.tables and r.random() < 0.08:
            return self.look_up(depth)
        if depth > 3 or r.random() < 0.25:
            return r.choice(
                [
                    "x",
                    "y",
                    "z",
                    "lid",
                    "gid",
                    "a",
                    "b",
                    f"{r.choice([0, 1, 2, 3, 7, 31, 255, 65537, 4294967295])}u",
                    "v.x",
                    "v.w",
                    "p[x & 7u]",
                    f"p[{r.randint(0, 7)}]",
                    "in[(x + gid) & 255u]",
                    "in[gid & 255u]",
                    self.read(),
                ]
            )
        e = lambda: self.uint(depth + 1)
        return r.choice(
            [
                lambda: f"({e()} {r.choice(['+', '-', '*', '&', '|', '^', '/', '%', '<<', '>>'])} {e()})",
                lambda: f"({e()} {r.choice(['+', '-', '*', '^'])} {e()})",
                lambda: f"(uint)((int){e()} {r.choice(['/', '%', '>>', '<', '>', '=='])} (int){e()})",
                lambda: f"{r.choice(['min', 'max', 'rotate', 'mul_hi', 'add_sat', 'sub_sat', 'hadd', 'rhadd', 'abs_diff'])}({e()}, {e()})",
                lambda: f"{r.choice(['popcount', 'clz', 'abs'])}({e()})",
                lambda: f"({self.condition(depth + 1)} ? {e()} : {e()})",
                lambda: f"select({e()}, {e()}, {e()})",
                lambda: f"(uint)convert_{r.choice(['uchar', 'short', 'char_sat', 'ushort_sat', 'int_sat'])}({e()})",
                lambda: f"convert_uint{r.choice(['', '_sat', '_rte', '_sat_rtp'])}({self.float(depth + 1)})",
                lambda: f"(uint)isless({self.float(depth + 1)}, {self.float(depth + 1)})",
            ]
        )()

    def read(self):
        """What neighbors have side by side, nearly always; components of vectors, and numbers that are not words."""
        place = self.r.choice(
            [
                "in[min(gid + 1u, 200u)]",
                "in[clamp((int)gid - 3, 0, 255)]",
                "in[(int)clamp((float)gid * 1.01f - 1.5f, 0.0f, 255.0f)]",
                "in[(int)fmax(254.5f - (float)lid, 0.0f)]",
                "in[(gid + 250u) % 256u]",
                "in[lid < 9u ? lid + 100u : lid & 255u]",
                "((global const uchar *)in)[y & 1023u]",
                "((global const ushort *)in)[min(gid + 7u, 511u)]",
                f"((global const uchar4 *)in)[(gid + 1u) & 255u].s{self.r.randint(0, 3)}",
                f"((global const ushort4 *)in)[x & 127u].s{self.r.randint(0, 3)}",
                f"vload4(min(gid, 63u), in).s{self.r.randint(0, 3)}",
                "dot(convert_float3(vload3(lid & 63u, in) & 15u), (float3)(1.0f, 2.0f, 3.0f))",
            ]
        )
        return f"(uint){place}"

    def look_up(self, depth):
        """Elements of tables that registers may hold."""
        table, length = self.r.choice(self.TABLES + [("table", 256)])
        few = self.r.choice([n for n in (4, 16, 32, 64, 128, 256) if n <= length])
        begin = self.r.choice([0, 0, self.r.randint(0, length - few)])
        index = self.uint(max(depth + 1, 3))
        return f"(uint){table}[({index} & {few - 1}u){f' + {begin}u' if begin else ''}]"

    def float(self, depth=0):
        r = self.r
        if depth > 3 or r.random() < 0.3:
            return r.choice(
                [
                    "f",
                    "g",
                    f"{r.choice([0.0, 1.0, -2.5, 0.1, 1e10, 3e-5])}f",
                    "(float)lid",
                    "(float)(x & 1023u)",
                    "w.y",
                    "w.z",
                ]
            )
        e = lambda: self.float(depth + 1)
        return r.choice(
            [
                lambda: f"({e()} {r.choice(['+', '-', '*', '/'])} {e()})",
                lambda: f"{r.choice(['fabs', 'floor', 'sqrt', 'trunc', 'rint', 'exp2', 'sin', 'log'])}({e()})",
                lambda: self.of_two_floats(r.choice(["fmin", "fmax", "fdim", "fmod", "copysign", "atan2"]), e(), e()),
                lambda: f"{r.choice(['fma', 'mad', 'mix', 'clamp'])}({e()}, {e()}, {e()})",
                lambda: f"(float){self.uint(depth + 1)}",
                lambda: f"({self.condition(depth + 1)} ? {e()} : {e()})",
            ]
        )()

    def of_two_floats(self, function, one, other):
        """No specification says which sign a NaN has that an operation makes: copysign takes none from it."""
        return f"{function}({one}, {f'fmax({other}, -1e30f)' if function == 'copysign' else other})"

    def condition(self, depth=0):
        r = self.r
        return r.choice(
            [
                lambda: f"({self.uint(depth + 1)} {r.choice(['<', '>', '==', '!=', '<='])} {self.uint(depth + 1)})",
                lambda: f"(({self.uint(depth + 1)} & {r.choice([1, 3, 4])}u) == 0u)",
                lambda: f"({self.float(depth + 1)} < {self.float(depth + 1)})",
                lambda: f"(lid % {r.randint(2, 5)}u == {r.randint(0, 1)}u)",
                lambda: f"(lid / {r.choice([4, 8, 16, 32])}u % {r.randint(2, 4)}u == {r.randint(0, 1)}u)",
            ]
        )()

    def simple(self):
        r = self.r
        r.choice(
            [
                lambda: self.emit(f"{r.choice('xyz')} {r.choice(['=', '+=', '^=', '-='])} {self.uint()};"),
                lambda: self.emit(f"{r.choice('fg')} = {self.float()};"),
                lambda: self.emit(f"p[{self.uint(2)} & 7u] = {self.uint(1)};"),
                lambda: self.emit(
                    f"v = v {r.choice(['+', '^', '*', '-'])} (uint4)({self.uint(2)}, {self.uint(2)}, {self.uint(3)}, x);"
                ),
                lambda: self.emit(f"v.{r.choice(['xy', 'zw', 'yx', 'xz'])} = v.{r.choice(['wz', 'xx', 'zy'])};"),
                lambda: self.emit(
                    f"w = {r.choice(['fmax(w, (float4)(f, g, 1.0f, f))', 'w * 0.5f + g', 'convert_float4(v & 255u)', 'fabs(w) - f'])};"
                ),
                lambda: self.emit(
                    f"z += {r.choice(['any(convert_int4(v) < 3)', 'all(isequal(w, w))', 'v.s1', '(uint)dot(convert_float4(v & 15u), (float4)(1.0f))'])};"
                ),
            ]
        )()

    def block(self, budget, uniform):
        while budget > 0:
            budget -= self.statement(budget, uniform)

    def nested(self, budget, uniform):
        self.depth += 1
        self.block(budget, uniform)
        self.depth -= 1

    def barrier_phase(self):
        k = self.r.randint(1, 6)
        target = self.r.choice(["x", "y", "z"])
        self.emit(f"t[lid] = {self.uint(1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        row = self.r.choice([4, 8, 16, 32])
        places = [
            f"t[(lid + {k}u) % SIZE]",
            f"t[lid / {row}u * {row}u]",
            f"t[lid / {row}u * {row}u + lid % {row}u / 2u]",
            f"(lid >= {k}u ? t[lid - {k}u] : {k}u)",
            f"(lid > (z & 15u) ? t[lid - (z & 15u)] : y)",
        ]
        self.emit(f"{target} ^= {self.r.choice(places)} + t[SIZE - 1u - lid];")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def collective(self):
        self.emit(
            self.r.choice(
                [
                    "x += work_group_reduce_add(y);",
                    "y ^= work_group_scan_exclusive_add(z);",
                    "z += work_group_scan_inclusive_max(x);",
                    "x ^= (uint)work_group_any((int)(y & 64u));",
                    "f += (float)work_group_reduce_min(x);",
                    "y += work_group_broadcast(z, " + ", ".join(["0"] * len(self.local)) + ");",
                ]
            )
        )

    def of_all_in_the_sub_group(self):
        r, one = self.r, lambda: self.r.choice("xyz")
        self.emit(
            r.choice(
                [
                    f"x += sub_group_{r.choice(['reduce', 'scan_inclusive', 'scan_exclusive'])}_{r.choice(['add', 'min', 'max'])}({one()});",
                    f"y ^= sub_group_broadcast({one()}, {self.uniform()} % get_sub_group_size());",
                    f"z += sub_group_shuffle({one()}, {self.uint(2)} & 31u);",
                    f"x ^= sub_group_shuffle_{r.choice(['xor', 'up', 'down'])}({one()}, {r.choice(['1u', '5u', '16u', 'lid & 3u'])});",
                    f"y += sub_group_rotate({one()}, (int)({self.uniform()} & 31u));",
                    f"z ^= sub_group_clustered_reduce_{r.choice(['add', 'min', 'xor'])}({one()}, {r.choice([1, 2, 4, 8, 16, 32])}u);",
                    f"x += (uint)sub_group_{r.choice(['any', 'all'])}((int)({one()} & 3u));",
                    f"f += sub_group_{r.choice(['reduce', 'scan_inclusive', 'scan_exclusive'])}_add(g);",
                    f"v.x += sub_group_shuffle(v.y, lid ^ {r.randint(0, 31)}u);",
                    "sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
                ]
            )
        )

    def of_those_that_come(self):
        r, one = self.r, lambda: self.r.choice("xyz")
        self.emit(
            r.choice(
                [
                    f"x ^= sub_group_ballot({one()} & 1u).x;",
                    f"y += sub_group_non_uniform_{r.choice(['reduce', 'scan_inclusive', 'scan_exclusive'])}_{r.choice(['add', 'mul', 'min', 'xor'])}({one()});",
                    f"z ^= sub_group_broadcast_first({one()});",
                    f"x += (uint)sub_group_non_uniform_{r.choice(['any', 'all', 'all_equal'])}((int)({one()} & 3u));",
                    "y += (uint)sub_group_elect();",
                    f"f += sub_group_non_uniform_{r.choice(['reduce', 'scan_inclusive'])}_add(g);",
                ]
            )
        )

    def private_array(self):
        """What is done with small arrays: sorted, shifted, used as a stack, as a table of counts."""
        r, n = self.r, self.r.choice([3, 5, 8, 9, 12, 16, 25])
        kind = r.choice(["uchar", "ushort", "uint", "uint", "float", "ulong"])
        q, i, j, s, t = (self.fresh("q") for _ in range(5))
        of = lambda number: f"({kind})(({number}) & {r.choice([7, 255, 1023])}u)"
        self.emit("{" + f" {kind} {q}[{n}]{r.choice([' = {0}', ''])};")
        self.emit(f"  for (int {i} = 0; {i} < {n}; ++{i}) {q}[{i}] = {of(f'{self.uint(2)} >> {i}')};")
        for _ in range(r.randint(1, 3)):
            self.emit(
                "  "
                + r.choice(
                    [
                        f"for (int {s} = 0; {s} < {r.randint(1, n)}; ++{s}) {{ int {i} = {s}; for (int {j} = {s} + 1; {j} < {n}; ++{j}) "
                        f"if ({q}[{j}] < {q}[{i}]) {i} = {j}; {kind} {t} = {q}[{s}]; {q}[{s}] = {q}[{i}]; {q}[{i}] = {t}; }}",
                        f"for (int {i} = 1; {i} < {n}; ++{i}) {{ {kind} {t} = {q}[{i}]; int {s} = {i}; "
                        f"while ({s} > 0 && {q}[{s} - 1] > {t}) {{ {q}[{s}] = {q}[{s} - 1]; --{s}; }} {q}[{s}] = {t}; }}",
                        f"for (int {i} = 0; {i} < {n}; ++{i}) for (int {j} = {i} + 1; {j} < {n}; ++{j}) "
                        f"if ({q}[{i}] > {q}[{j}]) {{ {kind} {t} = {q}[{i}]; {q}[{i}] = {q}[{j}]; {q}[{j}] = {t}; }}",
                        f"for (int {i} = {n - 1}; {i} > 0; --{i}) {q}[{i}] = {q}[{i} - 1];",
                        f"for (uint {i} = 0; {i} < ({self.uint(2)} & 15u); ++{i}) {q}[({self.uint(2)} + {i}) % {n}u] += ({kind})1;",
                        f"{q}[{self.uint(2)} % {n}u] = {of(self.uint(1))};",
                        f"{q}[{self.condition(2)} ? {r.randint(0, n - 1)} : {r.randint(0, n - 1)}] = {of(self.uint(1))};",
                        f"if {self.condition(2)} {q}[{r.randint(0, n - 1)}] = {q}[{self.uint(2)} % {n}u];",
                        f"{{ int {s} = {n}; while ({s} > 0) {{ {kind} {t} = {q}[--{s}]; if ({t} > ({kind})100 && {s} < {n - 1}) {{ {q}[{s}] = "
                        f"{t} / ({kind})2; {q}[{s} + 1] = {q}[{s}]; {s} += 2; }} else x += (uint){t}; }} }}",
                    ]
                )
            )
        self.emit(f"  for (int {i} = 0; {i} < {n}; ++{i}) y = y * 31u + (uint){q}[{i}]; }}")

    def sorted_array(self):
        """A small array of integers, sorted in part or as a whole, of which only what is sorted is read."""
        r, n = self.r, self.r.choice([3, 5, 8, 9, 16, 25])
        kind = r.choice(["uchar", "char", "ushort", "short", "uint", "int", "ulong", "long"])
        turns, less = r.choice([1, 2, n // 2 + 1, n - 1]), r.choice(["<", "<=", ">", ">="])
        q, i, j, s, t, of = (self.fresh("q") for _ in range(6))
        rises = r.random() < 0.3  # the greatest to the end
        swap = lambda one, other: f"{{ {kind} {t} = {q}[{one}]; {q}[{one}] = {q}[{other}]; {q}[{other}] = {t}; }}"
        rest = f"for (int {j} = {s} + 1; {j} < {n}; ++{j})"
        form = r.choice(
            [
                f"{rest} if ({q}[{j}] {less} {q}[{s}]) {swap(s, j)}",
                f"int {i} = {s}; {rest} if ({q}[{j}] {less} {q}[{i}]) {i} = {j}; {swap(s, i)}",
                f"int {i} = {s}; {rest} if ({q}[{j}] {less} {q}[{i}]) {i} = {j}; if ({i} != {s}) {swap(s, i)}",
                f"int {i} = {s}; {kind} {of} = {q}[{s}]; {rest} if ({q}[{j}] {less} {of}) "
                f"{{ {i} = {j}; {of} = {q}[{j}]; }} "
                f"{q}[{i}] = {q}[{s}]; {q}[{s}] = {of};",
            ]
        )
        if rises:
            end = r.choice([f"{n} - {s}", f"{n}"])
            form = f"for (int {j} = 0; {j} + 1 < {end}; ++{j}) if ({q}[{j}] {less} {q}[{j} + 1]) {swap(j, f'{j} + 1')}"
        few = r.choice([3, 255, 4294967295])
        self.emit(f"{{ {kind} {q}[{n}];")
        self.emit(
            f"  for (int {i} = 0; {i} < {n}; ++{i}) {q}[{i}] = ({kind})(({self.uint(2)} * (uint)({i} + 1)) & {few}u);"
        )
        if r.random() < 0.3:
            self.emit(f"  if {self.condition(2)} {q}[{r.randrange(n)}] = ({kind}){self.uint(2)};")
        self.emit(f"  for (int {s} = 0; {s} < {turns}; ++{s}) {{ {form} }}")
        whole = turns + 1 >= n
        first, last = (0, n) if whole else (n - turns, n) if rises else (0, turns)
        if r.random() < 0.5:
            first = last - 1 if rises else first
            last = first + 1
        self.emit(f"  for (int {i} = {first}; {i} < {last}; ++{i}) y = y * 31u + (uint){q}[{i}]; }}")

    def bordered_tile(self):
        """A tile with a border that comes to local memory by linear numbers, and what work-items see around them."""
        r, (w, h) = self.r, self.local
        wide, high = w + 2, h + r.choice([1, 2])
        i = self.fresh("q")
        self.emit(f"for (uint {i} = lid; {i} < {wide * high}u; {i} += SIZE)")
        row, column = f"{i} / {wide}u", f"{i} % {wide}u"
        place = r.choice(
            [f"({row}) * 13u + {column}", f"(a + {row}) * {wide}u + b + {column}", f"({column}) * 9u + {row}"]
        )
        self.emit(f"  edged[{i}] = in[({place}) & 255u]{r.choice(['', f' + {row}', f' * {i}'])};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        around = [
            f"edged[(get_local_id(1) + {y}u) * {wide}u + get_local_id(0) + {x}u]" for y in (0, 1) for x in (0, 1, 2)
        ]
        self.emit(f"x += {' + '.join(r.sample(around, 3))};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def diagonals(self):
        """Steps with a barrier behind each: a work-item goes along its row, one element behind the one before it."""
        r, (w, h) = self.r, self.local
        length = r.choice([h, 2, h + 1]) if w * (h + 2) + h + 2 <= (w + 2) * (h + 2) else 2
        pitch, i = length + 1, self.fresh("q")
        self.emit(f"for (uint {i} = lid; {i} < {(w + 1) * pitch}u; {i} += SIZE) edged[{i}] = in[{i} & 255u];")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        left, up = f"edged[(lid + 1u) * {pitch}u + {i} - lid]", f"edged[lid * {pitch}u + {i} - lid + 1u]"
        corner = f"edged[lid * {pitch}u + {i} - lid]"
        value = r.choice([f"max({left}, {up}) + {corner}", f"{left} * 3u + {up}", f"min({left} + 1u, {corner} ^ {up})"])
        self.emit(f"for (uint {i} = 0u; {i} < {w + length - 1}u; ++{i}) {{")
        self.emit(
            f"  if (lid < {w}u && {i} - lid < {length}u) edged[(lid + 1u) * {pitch}u + {i} - lid + 1u] = {value};"
        )
        self.emit("  barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("}")
        self.emit(f"z += edged[(lid * 5u) % {(w + 1) * pitch}u];")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def turned_places(self):
        """Places whose number has bits turned over alike for all: what one there has, or exchanges."""
        r, o = self.r, self.fresh("q")
        self.emit(f"t[lid] = {self.uint(1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"uint {o} = lid ^ {r.choice(['(a & 7u)', 'b', '(a ^ 5u)', '(b & 1u)', '3u', '8u', '(a * 16u)'])};")
        self.emit(
            r.choice(
                [
                    f"if ({o} < SIZE && {self.condition(2)}) x ^= t[{o}];",
                    f"y += {o} < SIZE ? t[{o}] : z;",
                    f"if ({o} > lid && {o} < SIZE) {{ uint s = t[lid], n = t[{o}]; "
                    f"if ((s > n) == ((lid & {r.choice(['1u', 'b', '8u'])}) == 0u)) {{ t[lid] = n; t[{o}] = s; }} }}",
                ]
            )
        )
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("z ^= t[lid];")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def tile_sums(self):
        """Products of what a row and a column of a tile have: rows of work-items, and those of a row, share elements."""
        r, (w, h) = self.r, self.local
        n, kind = r.choice([1, 1, 2, 3, 7, 16, 20]), r.choice(["uint", "uint", "float"])
        q, i, j = (self.fresh("q") for _ in range(3))
        self.emit(f"t[lid] = {self.uint(1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"{{ {kind} {q}[{n}]; for (uint {j} = 0u; {j} < {n}u; ++{j}) {q}[{j}] = ({kind})({j} ^ (y & 15u));")
        row, column = f"t[get_local_id(1) * {w}u + {i}]", f"t[{i} * {w}u + get_local_id(0)]"
        factors = r.choice([(row, column), (column, row), (row, f"in[{i}]"), (column, "z")])
        few = " & 255u" if kind == "float" else ""
        self.emit(f"  for (uint {i} = 0u; {i} < {r.choice([min(w, h), 2])}u; ++{i})")
        self.emit(
            f"    for (uint {j} = 0u; {j} < {n}u; ++{j}) "
            f"{q}[{j}] += ({kind})(({factors[0]} + {j}){few}) * ({kind})({factors[1]}{few});"
        )
        self.emit(f"  for (uint {j} = 0u; {j} < {n}u; ++{j}) x = x * 31u + (uint){q}[{j}]; }}")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def transposed_tile(self):
        """Columns of a tile, which go to a buffer side by side: rows that are read at once."""
        r, (w, h) = self.r, self.local
        self.emit(f"t[lid] = {self.uint(1)};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        column = f"t[get_local_id(0) * {h}u + get_local_id(1)]"
        self.emit(f"out[gid] = {r.choice([column, f'{column} * 3u', f'{column} + z'])};")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("y ^= out[gid];")

    def counting(self):
        self.emit("if (lid == 0u) counter = 0u;")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        result, operation = self.r.choice(["", "x += ", "z ^= "]), self.r.choice(
            ["add", "add", "sub", "max", "min", "xor"]
        )
        operand = self.r.choice([f"{self.uint(2)} & 255u", f"{self.uniform()} & 255u"])
        self.emit(f"if {self.condition(2)} {result}atomic_{operation}(&counter, {operand});")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("y += counter;")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    def walk(self):
        """A tree of numbers, with a stack of those yet to be looked at; one that is not pushed is looked at next."""
        r, s, n, node, value, left = self.r, *(self.fresh(name) for name in ("s", "n", "node", "value", "left"))
        goes_on = r.random() < 0.5
        self.emit(f"uint {s}[12]; int {n} = {0 if goes_on else 1}; uint {left} = {r.randint(5, 30)}u;")
        start = f"{self.uint(2)} & {r.choice([1, 7, 63])}u"
        if goes_on:
            self.emit(f"uint {node} = {start};")
            self.emit(f"for (; {left} > 0u; --{left}) {{")
        else:
            self.emit(f"{s}[0] = {start};")
            self.emit(f"for (; {n} > 0 && {left} > 0u; --{left}) {{ uint {node} = {s}[--{n}];")
        self.emit(f"  uint {value} = in[{node} & 255u];")
        self.emit(f"  {r.choice('xyz')} += {value} ^ {self.uint(2)};")
        self.emit(f"  if ({n} < 10 && ({value} & {r.choice([1, 3])}u) == 0u) {{")
        self.emit(f"    {s}[{n}++] = {node} * 2u + 1u;")
        if goes_on:
            self.emit(f"    {node} = {node} * 2u + 2u; continue; }}")
            self.emit(f"  if ({n} == 0) break;")
            self.emit(f"  {node} = {s}[--{n}];")
        else:
            self.emit(f"    {s}[{n}++] = {node} * 2u + 2u; }}")
        self.emit("}")

    def statement(self, budget, uniform):
        r = self.r
        choice = r.random()
        # Where they part in a loop, it is nowhere said who is in which turn meanwhile.
        if self.sub_groups and (uniform or self.turns == 0) and r.random() < 0.2:
            (self.of_all_in_the_sub_group if uniform and r.random() < 0.7 else self.of_those_that_come)()
            return 1
        if self.tiles and uniform and r.random() < 0.3:
            r.choice([self.tile_sums, self.tile_sums, self.bordered_tile, self.diagonals, self.transposed_tile])()
            return 2
        if self.tables and uniform and r.random() < 0.15:
            self.turned_places()
            return 2
        if self.sorts and r.random() < 0.2:
            self.sorted_array()
            return 2
        if self.walks and self.depth < 3 and r.random() < 0.2:
            self.walk()
            return 2
        if uniform and choice < 0.22:
            r.choice([self.barrier_phase, self.barrier_phase, self.collective, self.counting])()
            return 2
        if budget > 3 and choice < 0.5 and self.depth < 5:
            inner = r.randint(2, budget - 1)
            if uniform and r.random() < 0.5:  # a uniform construct may hold barriers
                if self.loops and r.random() < 0.5:
                    i = self.fresh("u")
                    self.emit(f"for (uint {i} = 0u; {i} < ({self.uniform()} & 3u) + {r.randint(0, 2)}u; ++{i}) {{")
                    if r.random() < 0.3:
                        self.emit(f"  if ({i} == ({self.uniform()} & 3u)) {r.choice(['break', 'continue'])};")
                    self.turns += 1
                    self.nested(inner, True)
                    self.turns -= 1
                    self.emit("}")
                else:
                    self.emit(f"if ({self.uniform()} {r.choice(['<', '>', '!='])} {self.uniform()}) {{")
                    self.nested(inner, True)
                    if r.random() < 0.5:
                        self.emit("} else {")
                        self.nested(2, True)
                    self.emit("}")
                return inner + 1
            kind = r.choice(["if", "ifelse", "switch"] + ["for", "while"] * self.loops)
            if kind in ("if", "ifelse"):
                self.emit(f"if {self.condition()} {{")
                self.nested(inner, False)
                if kind == "ifelse":
                    self.emit("} else {")
                    self.nested(2, False)
                self.emit("}")
            elif kind == "switch":
                self.emit(f"switch ({self.uint(2)} & 3u) {{")
                for label in r.sample(range(4), 3):
                    self.emit(f"case {label}:")
                    self.nested(2, False)
                    if r.random() < 0.7:
                        self.emit("  break;")
                self.emit("default: z += 1u;")
                self.emit("}")
            else:
                i = self.fresh("i")
                self.emit(f"for (uint {i} = 0u; {i} < ({self.uint(2)} & 7u); ++{i}) {{")
                if r.random() < 0.5:
                    self.emit(f"  if {self.condition(2)} {r.choice(['break', 'continue'])};")
                self.turns += 1
                self.nested(inner, False)
                self.turns -= 1
                self.emit("}")
            return inner + 1
        if self.loops and choice > 0.95:
            self.private_array()
            return 2
        self.simple()
        return 1

    def eight(self, statement):
        if self.loops:
            return "  for (uint i = 0u; i < 8u; ++i) " + statement.replace("{i}", "i")
        return "  " + " ".join(statement.replace("{i}", f"{i}u") for i in range(8))

    def kernel(self):
        linear = [
            "get_local_id(0)",
            "get_local_id(1) * get_local_size(0) + get_local_id(0)",
            "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)",
        ][len(self.local) - 1]
        group = [
            "get_group_id(0)",
            "get_group_id(1) * get_num_groups(0) + get_group_id(0)",
            "(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)",
        ][len(self.local) - 1]
        if self.tables:
            kinds = ["uint", "uchar", "ushort", "float", "ulong"]
            for kind, shift, (name, length) in zip(kinds, (0, 24, 16, 8, 0), self.TABLES):
                elements = [str((i * 2654435761 + 7) % 2**32 >> shift) for i in range(length)]
                self.lines.append(f"constant {kind} {name}[] = {{{', '.join(elements)}}};")
        self.lines += [
            *[f"__attribute__((intel_reqd_sub_group_size({self.sub_group_size})))"] * (self.sub_group_size != 32),
            "kernel void fuzz(global const uint *in, global uint *out, global float *fout, uint a, uint b) {",
            f"  local uint t[{self.size}]; local uint counter;",
            *self.edged(),
            *["  local uint table[256];"] * self.tables,
            f"  const uint SIZE = {self.size}u;",
            f"  uint lid = (uint)({linear}), gid = (uint)({group}) * SIZE + lid;",
            "  uint x = in[gid & 255u], y = gid * 2654435761u, z = lid; float f = (float)lid * 0.5f, g = 1.0f;",
            "  uint4 v = (uint4)(x, y, z, gid); float4 w = (float4)(f, g, -f, 2.0f); uint p[8];",
            self.eight("p[{i}] = {i} * x;"),
        ]
        if self.tables:
            self.emit("for (uint i = lid; i < 256u; i += SIZE) table[i] = (i + a) * 2246822519u;")
            self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.block(self.r.randint(4, self.statements), True)
        self.lines += [
            "  uint h = x ^ y * 3u ^ z * 5u ^ v.x ^ v.y * 7u ^ v.z * 11u ^ v.w * 13u;",
            self.eight("h = h * 31u + p[{i}];"),
            "  "
            + self.r.choice(
                [
                    "out[gid] = h;",
                    "((global uchar4 *)out)[gid] = as_uchar4(h);",
                    "if ((h & 3u) == 0u) ((global ushort2 *)out)[gid] = as_ushort2(h); else out[gid] = h;",
                ]
            ),
            "  fout[gid * 2u] = f + w.x * w.y; fout[gid * 2u + 1u] = g - w.z * w.w;",
            "}",
        ]
        return "\n".join(self.lines) + "\n"

    def edged(self):
        if not self.tiles:
            return []
        w, h = self.local
        return [f"  local uint edged[{max((w + 2) * (h + 2), (w + 1) * (h + 2))}];"]

    def launch(self):
        return {
            "source": self.kernel(),
            "options": "-cl-std=CL3.0",
            "local": self.local,
            "groups": self.groups,
            "outputs": [{"type": "uint", "elements": 1}, {"type": "float", "elements": 2}],
            "numbers": [self.seed % 5, self.seed % 11],
        }


if __name__ == "__main__":
    sys.exit(compare_tiers.main(__doc__, ".cl", Generator, 200))
