# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of fuzz_ptx.py: a generator of PTX that is race-free and has nothing in it that the ISA leaves
undefined."""
import random

INTS = ["u32", "s32"]
WIDE = ["u64", "s64"]
WORDS = 12  # of output for each thread


class Generator:
    STATEMENTS = 40  # at most, unless the command line says otherwise
    START = ""  # before the random ones

    def __init__(self, seed, statements=STATEMENTS):
        self.seed, self.statements, self.r = seed, statements, random.Random(seed)
        self.lines, self.labels, self.depth = [], 0, 0
        self.threads = self.r.choice([1, 7, 32, 33, 64, 96, 128])
        self.blocks = self.r.randint(1, 3)
        self.has_barrier = self.r.random() < 0.6
        self.has_warps = seed % 4 == 3
        if self.has_warps and self.threads % 32 and seed % 8 != 3:
            self.threads = (self.threads + 31) // 32 * 32
        # Sums of halves and floats came with sm_100.
        self.target = "sm_100" if seed % 5 == 0 else "sm_90"
        self.has_ends = not self.has_warps and self.r.random() < 0.4
        self.has_meetings = not self.has_ends and self.r.random() < 0.3

    def emit(self, text):
        self.lines.append("  " + text)

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def pick(self, *choices):
        return self.r.choice(choices)

    def i(self):
        return f"%r{self.r.randint(1, 6)}"

    def w(self):
        return f"%rd{self.r.randint(1, 4)}"

    def f(self):
        return f"%f{self.r.randint(1, 4)}"

    def d(self):
        return f"%d{self.r.randint(1, 3)}"

    def h(self):
        return f"%h{self.r.randint(1, 3)}"

    def p(self):
        return self.pick("", "!") + f"%p{self.r.randint(1, 3)}"

    def number(self):
        return str(self.pick(0, 1, 2, 3, 7, 31, 32, 33, 255, 65535, 2147483647, 4294967295, self.r.getrandbits(32)))

    def si(self):
        return self.i() if self.r.random() < 0.8 else self.number()

    def place(self):
        """Where bits begin, or how many: the ISA takes the lower 8 bits, and only constants that are no larger."""
        return self.i() if self.r.random() < 0.8 else str(self.pick(0, 1, 2, 3, 7, 31, 32, 33, 255))

    def places(self):
        """Two of these for 64 bits, in registers: real devices look at all bits there (docs/differences.md)."""
        for register in ("%r9", "%r10"):
            self.emit(f"and.b32 {register}, {self.i()}, 255;")
        return "%r9, %r10"

    def rounding(self):
        return self.pick("rn", "rn", "rn", "rz", "rm", "rp")

    def clean(self, kind, register):
        """No NaN stays."""
        one = {"f32": "0f3F800000", "f64": "0d3FF0000000000000"}[kind]
        self.emit(f"setp.num.{kind} %p9, {register}, {register};")
        self.emit(f"selp.{kind} {register}, {register}, {one}, %p9;")

    # --- One instruction each ---

    def integer(self):
        t = self.r.choice(INTS)
        a, b, z = self.i(), self.si(), self.si()
        n = self.number
        self.emit(
            self.pick(
                lambda: f"{self.pick('add', 'sub', 'mul.lo', 'mul.hi', 'min', 'max', 'div', 'rem')}.{t} {self.i()}, {a}, {b};",
                lambda: f"{self.pick('add.sat', 'sub.sat')}.s32 {self.i()}, {a}, {b};",
                lambda: f"{self.pick('mad.lo', 'mad.hi', 'sad', 'mad24.lo')}.{t} {self.i()}, {a}, {b}, {z};",
                lambda: f"{self.pick('and', 'or', 'xor')}.b32 {self.i()}, {a}, {b};",
                lambda: f"{self.pick('abs', 'neg')}.s32 {self.i()}, {a};",
                lambda: f"{self.pick('not', 'cnot', 'brev', 'popc', 'clz')}.b32 {self.i()}, {a};",
                lambda: f"shl.b32 {self.i()}, {a}, {b};",
                lambda: f"shr.{self.pick('b32', 'u32', 's32')} {self.i()}, {a}, {b};",
                lambda: f"shf.{self.pick('l', 'r')}.{self.pick('clamp', 'wrap')}.b32 {self.i()}, {a}, {b}, {z};",
                lambda: f"lop3.b32 {self.i()}, {a}, {b}, {z}, {self.r.randrange(256)};",
                lambda: f"prmt.b32{self.pick('', '', '.f4e', '.b4e', '.rc8', '.ecl', '.ecr', '.rc16')} {self.i()}, {a}, {b}, {z};",
                lambda: f"lop3.{self.pick('or', 'and')}.b32 {self.i()}|%p{self.r.randint(1, 3)}, {a}, {b}, {z}, {self.r.randrange(256)}, {self.p()};",
                lambda: f"fns.b32 {self.i()}, {a}, {self.r.randrange(32)}, {b};",
                lambda: f"{self.pick('add', 'min', 'max')}.{self.pick('u16x2', 's16x2')} {self.i()}, {a}, {self.i()};",
                lambda: f"{self.pick('min', 'max')}.relu.{self.pick('s32', 's16x2')} {self.i()}, {a}, {self.i()};",
                lambda: f"bfe.{t} {self.i()}, {a}, {self.place()}, {self.place()};",
                lambda: f"bfi.b32 {self.i()}, {a}, {b}, {self.place()}, {self.place()};",
                lambda: f"bfind.{self.pick('', 'shiftamt.')}{t} {self.i()}, {a};",
                lambda: f"dp4a.{self.r.choice(INTS)}.{self.r.choice(INTS)} {self.i()}, {a}, {b}, {z};",
                lambda: f"selp.b32 {self.i()}, {a}, {b}, %p{self.r.randint(1, 3)};",
                lambda: f"slct.u32.s32 {self.i()}, {a}, {b}, {z};",
                lambda: f"set.{self.pick('lt', 'ge', 'eq')}.{t}.{self.r.choice(INTS)} {self.i()}, {a}, {b};",
                lambda: f"{self.pick('vadd', 'vsub', 'vmin', 'vabsdiff')}.{t}.{self.r.choice(INTS)}.{self.r.choice(INTS)}"
                f"{self.pick('', '.sat')} {self.i()}, {a}{self.pick('', '.b1', '.h1')}, {self.i()}{self.pick('', '.b3', '.h0')};",
                lambda: f"{self.pick('vadd4', 'vavrg4', 'vmax2', 'vabsdiff4')}.{t}.{self.r.choice(INTS)}.{self.r.choice(INTS)} "
                f"{self.i()}, {a}, {self.i()}, {self.i()};",
            )()
        )

    def carries(self):
        a, b, x, y = self.i(), self.i(), self.i(), self.i()
        if self.r.random() < 0.5:
            self.emit(f"add.cc.u32 {a}, {x}, {y};")
            self.emit(f"addc.u32 {b}, {y}, {self.si()};")
        else:
            self.emit(f"sub.cc.u32 {a}, {x}, {y};")
            self.emit(f"subc.u32 {b}, {x}, {self.si()};")

    def wide(self):
        t = self.r.choice(WIDE)
        a, b = self.w(), self.w()
        self.emit(
            self.pick(
                lambda: f"{self.pick('add', 'sub', 'mul.lo', 'mul.hi', 'min', 'max', 'div', 'rem')}.{t} {self.w()}, {a}, {b};",
                lambda: f"mul.wide.{self.r.choice(INTS)} {self.w()}, {self.i()}, {self.si()};",
                lambda: f"mad.wide.{self.r.choice(INTS)} {self.w()}, {self.i()}, {self.i()}, {a};",
                lambda: f"{self.pick('and', 'or', 'xor')}.b64 {self.w()}, {a}, {b};",
                lambda: f"{self.pick('shl.b64', 'shr.u64', 'shr.s64')} {self.w()}, {a}, {self.si()};",
                lambda: f"popc.b64 {self.i()}, {a};",
                lambda: f"bfe.{t} {self.w()}, {a}, {self.places()};",
                lambda: f"cvt.{t}.{self.pick('s32', 'u32', 's8', 'u16')} {self.w()}, {self.i()};",
                lambda: f"cvt{self.pick('', '.sat')}.{self.pick('u32', 's32', 'u16', 's8')}.{t} {self.i()}, {a};",
                lambda: f"mov.b64 {self.w()}, {{{self.i()}, {self.i()}}};",
                lambda: f"mov.b64 {{%r1, %r2}}, {a};",
            )()
        )

    def single(self):
        a, b, z, to = self.f(), self.f(), self.f(), self.f()
        ftz, sat = self.pick("", "", ".ftz"), self.pick("", "", ".sat")
        self.emit(
            self.pick(
                lambda: f"{self.pick('add', 'sub', 'mul')}.{self.rounding()}{ftz}{sat}.f32 {to}, {a}, {b};",
                lambda: f"fma.{self.rounding()}{ftz}{sat}.f32 {to}, {a}, {b}, {z};",
                lambda: f"div.{self.rounding()}{ftz}.f32 {to}, {a}, {b};",
                lambda: f"{self.pick('min', 'max')}{ftz}{self.pick('', '.xorsign.abs')}.f32 {to}, {a}, {b};",
                lambda: f"{self.pick('abs', 'neg')}{ftz}.f32 {to}, {a};",
                lambda: f"{self.pick('sqrt', 'rcp')}.{self.rounding()}{ftz}.f32 {to}, {a};",
                lambda: f"{self.pick('ex2', 'lg2', 'sin', 'cos', 'rsqrt')}.approx{ftz}.f32 {to}, {a};",
                lambda: f"cvt.{self.rounding()}.f32.{self.pick('u32', 's32', 'u16', 's8')} {to}, {self.i()};",
                lambda: f"cvt.{self.rounding()}.f32.{self.pick('u64', 's64')} {to}, {self.w()};",
                lambda: f"cvt.{self.rounding()}{sat}.f32.f64 {to}, {self.d()};",
                lambda: f"cvt.{self.pick('rni', 'rzi', 'rmi', 'rpi')}{ftz}.f32.f32 {to}, {a};",
                lambda: f"cvt.f32.f16 {to}, {self.h()};",
                lambda: f"selp.f32 {to}, {a}, {b}, %p{self.r.randint(1, 3)};",
                lambda: f"copysign.f32 {to}, {a}, {b};",
                *self.mixed(to, b, sat),
            )()
        )
        self.clean("f32", to)

    def mixed(self, to, b, sat):
        if self.target != "sm_100":
            return []
        return [
            lambda: f"{self.pick('add', 'sub')}.{self.rounding()}{sat}.f32.f16 {to}, {self.h()}, {b};",
            lambda: f"fma.{self.rounding()}{sat}.f32.f16 {to}, {self.h()}, {self.h()}, {b};",
        ]

    def double(self):
        a, b, to = self.d(), self.d(), self.d()
        self.emit(
            self.pick(
                lambda: f"{self.pick('add', 'sub', 'mul', 'div')}.{self.rounding()}.f64 {to}, {a}, {b};",
                lambda: f"fma.{self.rounding()}.f64 {to}, {a}, {b}, {self.d()};",
                lambda: f"{self.pick('min', 'max')}.f64 {to}, {a}, {b};",
                lambda: f"sqrt.{self.rounding()}.f64 {to}, {a};",
                lambda: f"cvt.{self.rounding()}.f64.{self.pick('u64', 's64')} {to}, {self.w()};",
                lambda: f"cvt.f64.f32 {to}, {self.f()};",
            )()
        )
        self.clean("f64", to)

    def halves(self):
        a, b, to = self.h(), self.h(), self.h()
        if self.r.random() < 0.3:
            self.emit(f"cvt.{self.pick('rn', 'rz')}{self.pick('', '.relu')}.f16.f32 {to}, {self.f()};")
        elif self.r.random() < 0.7:
            self.emit(f"{self.pick('add', 'sub', 'mul')}{self.pick('', '.ftz', '.sat')}.f16 {to}, {a}, {b};")
        else:
            self.emit(f"fma.rn{self.pick('', '.relu')}.f16 {to}, {a}, {b}, {self.h()};")
        self.emit(f"setp.num.f16 %p9, {to}, {to};")
        self.emit(f"selp.b16 {to}, {to}, 15360, %p9;")
        if self.r.random() < 0.3:
            self.emit(f"cvt.u32.u16 {self.i()}, {to};")

    def to_integers(self):
        mode = self.pick("rni", "rzi", "rmi", "rpi")
        self.emit(
            self.pick(
                lambda: f"cvt.{mode}{self.pick('', '.ftz')}.{self.pick('u32', 's32', 'u16', 's8')}.f32 {self.i()}, {self.f()};",
                lambda: f"cvt.{mode}.{self.pick('u64', 's64')}.f64 {self.w()}, {self.d()};",
                lambda: f"mov.b32 {self.i()}, {self.f()};",
                lambda: f"mov.b64 {self.w()}, {self.d()};",
            )()
        )

    def predicate(self):
        q = self.r.randint(1, 3)
        other = self.pick("", f"|%p{q % 3 + 1}")
        self.emit(
            self.pick(
                lambda: f"setp.{self.pick('eq', 'ne', 'lt', 'le', 'gt', 'ge')}.{self.r.choice(INTS)} %p{q}{other}, {self.i()}, {self.si()};",
                lambda: f"setp.{self.pick('lt', 'geu', 'ne')}.{self.pick('and', 'or', 'xor')}.u32 %p{q}, {self.i()}, {self.i()}, {self.p()};".replace(
                    "geu", "ge"
                ),
                lambda: f"setp.{self.pick('eq', 'ltu', 'gt', 'num')}{self.pick('', '.ftz')}.f32 %p{q}{other}, {self.f()}, {self.f()};",
                lambda: f"testp.{self.pick('finite', 'normal', 'subnormal', 'infinite')}.f32 %p{q}, {self.f()};",
                lambda: f"{self.pick('and', 'or', 'xor')}.pred %p{q}, %p1, %p2;",
            )()
        )

    def memory(self):
        index = f"and.b32 %r9, {self.i()}, 7;"
        if self.r.random() < 0.5:  # eight words of local memory
            self.emit(index)
            self.emit("mad.wide.u32 %rd9, %r9, 4, %rd20;")
            self.emit(
                self.pick(
                    f"st.local.u32 [%rd9], {self.i()};",
                    f"ld.local.{self.pick('u32', 's32')} {self.i()}, [%rd9];",
                    f"ld.local.u8 {self.i()}, [%rd9+{self.r.randrange(4)}];",
                    f"st.local.u16 [%rd9+{self.pick(0, 2)}], {self.i()};",
                )
            )
        else:
            self.emit(f"and.b32 %r9, {self.i()}, 255;")
            self.emit("mad.wide.u32 %rd9, %r9, 4, %rd21;")
            self.emit(
                self.pick(
                    f"ld.global.nc.u32 {self.i()}, [%rd9];",
                    f"ld.global.s8 {self.i()}, [%rd9+1];",
                    f"ld.u16 {self.i()}, [%rd9+2];",
                )
            )

    def call(self):
        kind = self.r.randrange(4)
        self.emit("{")
        self.emit("  .param .b32 param0;")
        if kind == 3:
            self.emit(f"and.b32 %r9, {self.i()}, 7;")
            self.emit("  st.param.b32 [param0], %r9;")
        else:
            self.emit(f"  st.param.b32 [param0], {self.i()};")
        self.emit("  .param .b32 retval0;")
        if kind < 2:
            self.emit(f"  call (retval0), helper{kind}, (param0);")
        elif kind == 3:
            self.emit("  call (retval0), recursive, (param0);")
        else:
            self.emit(f"setp.lt.u32 %p9, {self.i()}, {self.i()};")
            self.emit("mov.u64 %rd9, helper0;")
            self.emit("mov.u64 %rd10, helper1;")
            self.emit("selp.b64 %rd9, %rd9, %rd10, %p9;")
            self.emit("prototype : .callprototype (.param .b32 _) _ (.param .b32 _);")
            self.emit("  call (retval0), %rd9, (param0), prototype;")
        self.emit(f"  ld.param.b32 {self.i()}, [retval0];")
        self.emit("}")

    def barrier(self):
        """Everybody writes its word, all wait, everybody reads another's."""
        step = self.r.randrange(self.threads)
        self.emit(f"st.shared.u32 [%r20], {self.i()};")
        if self.r.random() < 0.3:
            self.emit(f"bar.red.popc.u32 {self.i()}, 0, {self.p()};")
        else:
            self.emit("bar.sync 0;")
        self.emit(f"add.u32 %r9, %r21, {step};")
        self.emit(f"rem.u32 %r9, %r9, {self.threads};")
        self.emit("mad.lo.u32 %r9, %r9, 4, %r22;")
        self.emit(f"ld.shared.u32 {self.i()}, [%r9];")
        self.emit("bar.sync 0;")

    def meeting(self):
        """Everybody says that it has come, and looks until another one has said so."""
        step, again = self.r.randrange(self.threads), self.label()
        self.emit("add.u32 %r26, %r26, 1;")
        self.emit("st.volatile.shared.u32 [%r27], %r26;")
        self.emit(f"add.u32 %r9, %r21, {step};")
        self.emit(f"rem.u32 %r9, %r9, {self.threads};")
        self.emit("mad.lo.u32 %r9, %r9, 4, %r28;")
        self.lines.append(f"{again}:")
        self.emit("ld.volatile.shared.u32 %r29, [%r9];")
        self.emit("setp.lt.u32 %p7, %r29, %r26;")
        self.emit(f"@%p7 bra {again};")
        if self.r.random() < 0.5:
            self.emit("bar.sync 0;")

    def warp(self):
        """All threads of a warp come here. Where some do not exist, nobody may ask for their values."""
        shuffle, source = self.pick("idx", "up", "down", "bfly"), self.pick(self.i(), "1", "3", "16", "31")
        clamp = 0 if shuffle == "up" else self.pick(31, 31, 0x181F, 0x1C1F)
        operation, kind = self.pick(
            ("add", "u32"),
            ("min", "s32"),
            ("max", "s32"),
            ("min", "u32"),
            ("max", "u32"),
            ("and", "b32"),
            ("xor", "b32"),
        )
        shuffles = [
            lambda: self.emit(f"shfl.sync.{shuffle}.b32 {self.i()}, {self.i()}, {source}, {clamp}, -1;"),
            lambda: self.emit(f"shfl.sync.{shuffle}.b32 {self.i()}|%p2, {self.i()}, {source}, {clamp}, -1;"),
        ]
        self.r.choice(
            [
                *(shuffles if self.threads % 32 == 0 else []),
                lambda: self.emit(f"vote.sync.{self.pick('all', 'any', 'uni')}.pred %p3, {self.p()}, -1;"),
                lambda: self.emit(f"vote.sync.ballot.b32 {self.i()}, {self.p()}, -1;"),
                lambda: self.emit(f"match.any.sync.b32 {self.i()}, {self.i()}, -1;"),
                lambda: self.emit(f"match.all.sync.b64 {self.i()}|%p1, {self.w()}, -1;"),
                lambda: self.emit(f"redux.sync.{operation}.{kind} {self.i()}, {self.i()}, -1;"),
                lambda: self.emit("bar.warp.sync -1;"),
            ]
        )()

    def ends(self):
        """Some threads end, and the others' barriers do not wait for them."""
        self.emit(f"@{self.p()} {self.pick('bra finish', 'bra finish', 'exit')};")

    # --- Control flow ---

    def uniform(self):
        """A predicate that is the same in the whole block: %p8."""
        self.emit(f"and.b32 %r9, %r23, {self.pick(1, 2, 3)};")
        self.emit(f"setp.{self.pick('eq', 'ne')}.u32 %p8, %r9, {self.pick(0, 1)};")
        return "%p8"

    def branch(self, budget, uniform):
        uniform = uniform and self.r.random() < 0.5
        condition = self.uniform() if uniform else self.p()
        otherwise, end = self.label(), self.label()
        if condition.startswith("!"):
            self.emit(f"@{condition[1:]} bra {otherwise};")
        else:
            self.emit(f"@!{condition} bra {otherwise};")
        self.block(budget // 2, uniform)
        self.emit(f"bra{'.uni' if uniform else ''} {end};")
        self.lines.append(f"{otherwise}:")
        if self.r.random() < 0.6:
            self.block(budget // 2, uniform)
        self.lines.append(f"{end}:")

    def loop(self, budget, uniform):
        uniform = uniform and self.r.random() < 0.5
        counter = f"%r{30 + self.depth}"
        begin, end = self.label(), self.label()
        if uniform:
            self.emit(f"and.b32 {counter}, %r23, 3;")
        else:
            self.emit(f"and.b32 {counter}, {self.i()}, 3;")
        self.lines.append(f"{begin}:")
        self.emit(f"setp.eq.u32 %p7, {counter}, 0;")
        self.emit(f"@%p7 bra {end};")
        self.emit(f"sub.u32 {counter}, {counter}, 1;")
        self.block(budget, uniform)
        if not uniform and self.r.random() < 0.3:
            self.emit(f"@{self.p()} bra {end};")
        self.emit(f"bra {begin};")
        self.lines.append(f"{end}:")

    def switch(self, budget):
        cases, end = [self.label() for _ in range(3)], self.label()
        self.emit(f"and.b32 %r9, {self.i()}, 3;")
        targets = self.label()
        self.lines.append(f"{targets}: .branchtargets {cases[0]}, {cases[1]}, {cases[2]}, {cases[0]};")
        self.emit(f"brx.idx %r9, {targets};")
        for case in cases:
            self.lines.append(f"{case}:")
            self.block(budget // 3, False)
            if self.r.random() < 0.7:
                self.emit(f"bra {end};")
        self.lines.append(f"{end}:")

    def simple(self):
        """What a statement without others in it is, as often as it is here."""
        return (
            [self.integer] * 5
            + [self.single] * 3
            + [
                self.wide,
                self.wide,
                self.double,
                self.predicate,
                self.predicate,
                self.memory,
                self.memory,
                self.carries,
                self.halves,
                self.to_integers,
                self.call,
            ]
        )

    def block(self, budget, uniform):
        self.depth += 1
        simple = self.simple()
        while budget > 0:
            choice = self.r.random()
            if uniform and self.has_warps and self.r.random() < 0.3:
                self.warp()
                budget -= 1
            elif uniform and self.has_barrier and choice < 0.12:
                self.barrier()
                budget -= 2
            elif uniform and self.has_meetings and choice < 0.2:
                self.meeting()
                budget -= 2
            elif self.has_ends and choice < 0.16:
                self.ends()
                budget -= 1
            elif budget > 3 and self.depth < 5 and choice < 0.3:
                inner = self.r.randint(2, budget - 1)
                kind = self.r.randrange(3)
                if kind == 0:
                    self.branch(inner, uniform)
                elif kind == 1:
                    self.loop(inner, uniform)
                else:
                    self.switch(inner)
                budget -= inner + 1
            else:
                self.r.choice(simple)()
                budget -= 1
        self.depth -= 1

    def kernel(self):
        if self.lines:
            return self.text
        self.block(self.r.randint(5, self.statements), True)
        if self.has_meetings:
            self.lines.insert(0, "  bar.sync 0;")
        self.text = (
            HEAD.replace("THREADS", str(self.threads)).replace("TARGET", self.target)
            + self.START
            + "\n".join(self.lines)
            + TAIL
        )
        return self.text

    def launch(self):
        return {
            "source": self.kernel(),
            "options": "",
            "local": [self.threads],
            "groups": [self.blocks],
            "outputs": [{"type": "uint", "elements": WORDS}],
            "numbers": [self.seed % 5],
        }


HEAD = """.version 8.6
.target TARGET
.address_size 64
.func (.param .b32 result) helper0(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [n];
  mad.lo.u32 %r2, %r1, 5, 17;
  xor.b32 %r2, %r2, %r1;
  st.param.b32 [result], %r2;
  ret;
}
.func (.param .b32 result) helper1(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [n];
  setp.gt.s32 %p1, %r1, 100;
  mov.u32 %r2, 3;
  @%p1 rem.u32 %r2, %r1, 100;
  st.param.b32 [result], %r2;
  ret;
}
.func (.param .b32 result) recursive(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  ld.param.b32 %r1, [n];
  mov.u32 %r3, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra done;
  sub.u32 %r2, %r1, 1;
  {
    .param .b32 param0;
    st.param.b32 [param0], %r2;
    .param .b32 retval0;
    call (retval0), recursive, (param0);
    ld.param.b32 %r3, [retval0];
  }
  mad.lo.u32 %r3, %r3, 3, %r1;
done:
  st.param.b32 [result], %r3;
  ret;
}
.visible .entry fuzz(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<10>;
  .reg .b16 %h<4>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<24>;
  .reg .f32 %f<6>;
  .reg .f64 %d<5>;
  .local .align 16 .b8 room[32];
  .shared .align 4 .b32 words[THREADS];
  .shared .align 4 .b32 meetings[THREADS];
  mov.u32 %r21, %tid.x;
  mov.u32 %r24, %ctaid.x;
  mad.lo.u32 %r25, %r24, THREADS, %r21;
  ld.param.u32 %r23, [n];
  add.u32 %r23, %r23, %r24;
  mov.u32 %r22, words;
  mad.lo.u32 %r20, %r21, 4, %r22;
  st.shared.u32 [%r20], %r21;
  mov.u32 %r26, 0;
  mov.u32 %r28, meetings;
  mad.lo.u32 %r27, %r21, 4, %r28;
  st.volatile.shared.u32 [%r27], %r26;
  mov.u64 %rd20, room;
  st.local.v4.u32 [room], {%r21, %r21, %r21, %r21};
  st.local.v4.u32 [room+16], {%r25, %r25, %r25, %r25};
  ld.param.u64 %rd21, [in];
  and.b32 %r1, %r25, 127;
  mad.wide.u32 %rd1, %r1, 4, %rd21;
  ld.global.u32 %r1, [%rd1];
  ld.global.u32 %r2, [%rd1+256];
  mov.u32 %r3, %r25;
  not.b32 %r4, %r21;
  mul.lo.u32 %r5, %r25, -1640531535;
  mov.u32 %r6, 1;
  mov.b64 %rd1, {%r1, %r2};
  mul.wide.u32 %rd2, %r1, %r5;
  cvt.s64.s32 %rd3, %r4;
  mov.u64 %rd4, 12345678901;
  cvt.rn.f32.s32 %f1, %r1;
  cvt.rn.f32.u32 %f2, %r21;
  mov.f32 %f3, 0f3E99999A;
  mov.f32 %f4, 0fBF800000;
  cvt.rn.f64.u64 %d1, %rd1;
  cvt.f64.f32 %d2, %f2;
  mov.f64 %d3, 0d3FD5555555555555;
  cvt.rn.f16.f32 %h1, %f2;
  mov.b16 %h2, 13653;
  mov.b16 %h3, 48128;
  setp.lt.s32 %p1, %r1, 0;
  setp.lt.u32 %p2, %r21, 5;
  and.b32 %r7, %r25, 1;
  setp.eq.u32 %p3, %r7, 0;
"""
TAIL = """
finish:
  ld.param.u64 %rd22, [out];
  mad.wide.u32 %rd22, %r25, 48, %rd22;
  xor.b32 %r1, %r1, %r4;
  xor.b32 %r2, %r2, %r5;
  xor.b32 %r3, %r3, %r6;
  xor.b64 %rd1, %rd1, %rd3;
  xor.b64 %rd2, %rd2, %rd4;
  st.global.v2.u32 [%rd22], {%r1, %r2};
  st.global.u32 [%rd22+8], %r3;
  selp.u32 %r4, 1, 0, %p1;
  @%p2 or.b32 %r4, %r4, 2;
  @%p3 or.b32 %r4, %r4, 4;
  cvt.u32.u16 %r5, %h1;
  shl.b32 %r5, %r5, 8;
  or.b32 %r4, %r4, %r5;
  st.global.u32 [%rd22+12], %r4;
  st.global.u64 [%rd22+16], %rd1;
  st.global.u64 [%rd22+24], %rd2;
  st.global.f32 [%rd22+32], %f1;
  st.global.f32 [%rd22+36], %f2;
  st.global.f64 [%rd22+40], %d1;
  ret;
}
"""
