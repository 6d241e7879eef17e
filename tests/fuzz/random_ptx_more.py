# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of fuzz_ptx.py --more: those of random_ptx.py with more instructions, for 16 bits, for pairs, for
floating-point numbers of 8 and 16 bits, for vectors in memory and atomic ones among them. The generator is a class of
its own so that a seed of Generator's stays the kernel that it was when somebody wrote it down."""
from random_ptx import INTS, WIDE, Generator


class MoreInstructions(Generator):
    START = """  .reg .b16 %s<5>;
  mov.b16 %s1, 7;
  mov.b16 %s2, 65535;
  mov.b16 %s3, 9;
  mov.b16 %s4, 1;
"""

    def simple(self):
        return super().simple() + [
            self.guarded,
            self.short,
            self.more_integer,
            self.more_wide,
            self.more_carries,
            self.more_comparisons,
            self.more_single,
            self.more_double,
            self.more_halves,
            self.pair_of_halves,
            self.bfloat,
            self.widths,
            self.more_to_integers,
            self.small_floats,
            self.pieces,
            self.more_local,
            self.vectors,
            self.atomic_shared,
            self.atomic_global,
        ]

    def one_of(self, *choices):
        """Emits one of them: functions, so that registers are drawn for this one only."""
        self.emit(self.pick(*choices)())

    def q(self):
        """A predicate that is written, or asked where it cannot be negated."""
        return f"%p{self.r.randint(1, 3)}"

    def integral(self):
        return self.pick("rni", "rzi", "rmi", "rpi")

    def clean_half(self, register):
        self.emit(f"setp.num.f16 %p9, {register}, {register};")
        self.emit(f"selp.b16 {register}, {register}, 15360, %p9;")

    # --- Integers ---

    def guarded(self):
        """An instruction that only some of the threads execute."""
        self.integer()
        self.lines.append(f"  @{self.p()} {self.lines.pop().strip()}")

    def short(self):
        """Numbers of 16 bits. %s4 is a divisor: not 0."""
        t = self.pick("u16", "s16")
        self.emit(f"cvt.u16.u32 %s1, {self.i()};")
        self.emit(f"cvt.u16.u32 %s2, {self.i()};")
        self.emit("or.b16 %s4, %s2, 2;")
        self.one_of(
            lambda: f"{self.pick('add', 'sub', 'mul.lo', 'mul.hi', 'min', 'max')}.{t} %s3, %s1, %s2;",
            lambda: f"{self.pick('div', 'rem')}.{t} %s3, %s1, %s4;",
            lambda: f"{self.pick('and', 'or', 'xor')}.b16 %s3, %s1, %s2;",
            lambda: f"{self.pick('not', 'cnot')}.b16 %s3, %s1;",
            lambda: f"{self.pick('abs', 'neg')}.s16 %s3, %s1;",
            lambda: f"{self.pick('shl.b16', 'shr.u16', 'shr.s16')} %s3, %s1, {self.si()};",
            lambda: f"{self.pick('mad.lo', 'mad.hi', 'sad')}.{t} %s3, %s1, %s2, %s3;",
            lambda: f"mul.wide.{t} {self.i()}, %s1, %s2;",
            lambda: f"mad.wide.{t} {self.i()}, %s1, %s2, {self.i()};",
            lambda: f"selp.b16 %s3, %s1, %s2, {self.q()};",
            lambda: f"set.{self.pick('lt', 'ge', 'ne')}.{self.r.choice(INTS)}.{t} {self.i()}, %s1, %s2;",
            lambda: f"setp.{self.pick('lt', 'ge', 'eq')}.{t} {self.q()}, %s1, %s2;",
        )
        self.emit(f"cvt.{self.r.choice(INTS)}.{self.pick('u16', 's16')} {self.i()}, %s3;")

    def more_integer(self):
        t = self.r.choice(INTS)
        a, b, z = self.i(), self.si(), self.i()
        self.one_of(
            lambda: f"mul24.{self.pick('lo', 'hi')}.{t} {self.i()}, {a}, {b};",
            lambda: f"mad24.{self.pick('lo', 'hi')}.{t} {self.i()}, {a}, {b}, {z};",
            lambda: f"{self.pick('mad', 'mad24')}.hi.sat.s32 {self.i()}, {a}, {b}, {z};",
            lambda: f"dp2a.{self.pick('lo', 'hi')}.{t}.{self.r.choice(INTS)} {self.i()}, {a}, {b}, {z};",
            lambda: f"bmsk.{self.pick('clamp', 'wrap')}.b32 {self.i()}, {a}, {b};",
            lambda: f"szext.{self.pick('clamp', 'wrap')}.{t} {self.i()}, {a}, {b};",
        )

    def more_wide(self):
        t = self.r.choice(WIDE)
        a, b, z, to = self.w(), self.w(), self.w(), self.w()
        self.one_of(
            lambda: f"{self.pick('brev', 'not', 'cnot')}.b64 {to}, {a};",
            lambda: f"{self.pick('abs', 'neg')}.s64 {to}, {a};",
            lambda: f"{self.pick('sad', 'mad.lo', 'mad.hi')}.{t} {to}, {a}, {b}, {z};",
            lambda: f"clz.b64 {self.i()}, {a};",
            lambda: f"bfind{self.pick('', '.shiftamt')}.{t} {self.i()}, {a};",
            lambda: f"selp.b64 {to}, {a}, {b}, {self.q()};",
            lambda: f"slct.{t}.s32 {to}, {a}, {b}, {self.i()};",
            lambda: f"set.{self.pick('lt', 'ge', 'ne')}.{self.r.choice(INTS)}.{t} {self.i()}, {a}, {b};",
            lambda: f"setp.{self.pick('eq', 'lt', 'le', 'gt')}.{t} {self.q()}, {a}, {b};",
        )

    def more_carries(self):
        """Of 64 bits, of products, and two in a row."""
        a, b, x, y = self.i(), self.i(), self.i(), self.i()
        v, z = self.w(), self.w()
        for line in self.pick(
            [f"add.cc.u64 {v}, {v}, {z};", f"addc.u64 {z}, {self.w()}, {self.w()};"],
            [f"sub.cc.u64 {v}, {v}, {z};", f"subc.u64 {z}, {self.w()}, {self.w()};"],
            [f"mad.lo.cc.u32 {a}, {x}, {y}, {a};", f"madc.hi.cc.u32 {b}, {x}, {y}, {b};", f"addc.u32 {x}, {y}, 0;"],
            [f"add.cc.u32 {a}, {x}, {y};", f"addc.cc.u32 {b}, {y}, {x};", f"addc.u32 {x}, {y}, {self.si()};"],
            [f"sub.cc.u32 {a}, {x}, {y};", f"subc.cc.u32 {b}, {y}, {x};", f"subc.u32 {x}, {y}, {self.si()};"],
        ):
            self.emit(line)

    def more_comparisons(self):
        t, q = self.r.choice(INTS), self.q()
        ftz, logical = self.pick("", "", ".ftz"), self.pick("and", "or", "xor")
        self.one_of(
            lambda: f"setp.{self.pick('lo', 'ls', 'hi', 'hs')}.u32 {q}, {self.i()}, {self.si()};",
            lambda: f"setp.{self.pick('lt', 'ge', 'ne')}.{logical}.f32 {q}, {self.f()}, {self.f()}, {self.p()};",
            lambda: f"setp.{self.pick('lt', 'geu', 'ne')}.f64 {q}, {self.d()}, {self.d()};",
            lambda: f"setp.{self.pick('lt', 'ge', 'ne')}{ftz}.f16 {q}, {self.h()}, {self.h()};",
            lambda: f"testp.{self.pick('finite', 'normal', 'subnormal', 'infinite', 'number')}.f64 {q}, {self.d()};",
            lambda: f"set.{self.pick('eq', 'ne', 'lt', 'ge')}{ftz}.{t}.f32 {self.i()}, {self.f()}, {self.f()};",
            lambda: f"set.{self.pick('ne', 'lt', 'gtu')}.{t}.f64 {self.i()}, {self.d()}, {self.d()};",
            lambda: f"set.{self.pick('lt', 'ge')}{ftz}.{t}.f16 {self.i()}, {self.h()}, {self.h()};",
            lambda: f"set.{self.pick('lt', 'ge')}.{logical}.{self.r.choice(INTS)}.{t} "
            f"{self.i()}, {self.i()}, {self.i()}, {self.p()};",
            lambda: f"slct.s32.f32 {self.i()}, {self.i()}, {self.i()}, {self.f()};",
        )

    # --- Floating-point numbers ---

    def more_single(self):
        a, b, to, ftz = self.f(), self.f(), self.f(), self.pick("", "", ".ftz")
        self.one_of(
            lambda: f"set.{self.pick('lt', 'ge')}.f32.{self.r.choice(INTS)} {to}, {self.i()}, {self.i()};",
            lambda: f"set.{self.pick('lt', 'ge')}{ftz}.f32.f32 {to}, {a}, {b};",
            lambda: f"slct.f32.s32 {to}, {a}, {b}, {self.i()};",
            lambda: f"slct{ftz}.f32.f32 {to}, {a}, {b}, {self.f()};",
            lambda: f"{self.pick('min', 'max')}.NaN.f32 {to}, {a}, {b};",
            lambda: f"cvt{ftz}.sat.f32.f32 {to}, {a};",
            lambda: f"cvt.{self.rounding()}.ftz.f32.f64 {to}, {self.d()};",
            lambda: f"cvt.sat.f32.f16 {to}, {self.h()};",
        )
        self.clean("f32", to)

    def more_double(self):
        a, b, to = self.d(), self.d(), self.d()
        self.one_of(
            lambda: f"{self.pick('abs', 'neg')}.f64 {to}, {a};",
            lambda: f"rcp.{self.rounding()}.f64 {to}, {a};",
            lambda: f"copysign.f64 {to}, {a}, {b};",
            lambda: f"selp.f64 {to}, {a}, {b}, {self.q()};",
            lambda: f"slct.f64.s32 {to}, {a}, {b}, {self.i()};",
            lambda: f"slct.f64.f32 {to}, {a}, {b}, {self.f()};",
            lambda: f"cvt.{self.integral()}.f64.f64 {to}, {a};",
            lambda: f"cvt.sat.f64.f64 {to}, {a};",
            lambda: f"cvt.f64.f16 {to}, {self.h()};",
            lambda: f"cvt.{self.rounding()}.f64.{self.pick('u32', 's32', 's16', 'u8')} {to}, {self.i()};",
        )
        self.clean("f64", to)

    def more_halves(self):
        to = self.h()
        self.one_of(
            lambda: f"cvt.{self.rounding()}.f16.f64 {to}, {self.d()};",
            lambda: f"cvt.{self.rounding()}.f16.{self.pick('u32', 's32', 'u16', 's8')} {to}, {self.i()};",
            lambda: f"cvt.{self.rounding()}{self.pick('', '.sat')}.f16.f32 {to}, {self.f()};",
            lambda: f"cvt.{self.integral()}.f16.f16 {to}, {self.h()};",
        )
        self.clean_half(to)

    def pair_of_halves(self):
        self.emit(f"mov.b32 %r9, {{{self.h()}, {self.h()}}};")
        self.emit(f"mov.b32 %r10, {{{self.h()}, {self.h()}}};")
        ftz, comparison = self.pick("", "", ".ftz"), self.pick("lt", "ge", "ne")
        self.one_of(
            lambda: f"{self.pick('add', 'sub', 'mul')}{self.pick('', '.ftz', '.sat')}.f16x2 %r9, %r9, %r10;",
            lambda: f"fma.rn{self.pick('', '.ftz', '.sat', '.relu')}.f16x2 %r9, %r9, %r10, %r9;",
            lambda: f"{self.pick('min', 'max')}{self.pick('', '.ftz', '.xorsign.abs')}.f16x2 %r9, %r9, %r10;",
            lambda: f"{self.pick('abs', 'neg')}.f16x2 %r9, %r9;",
            lambda: f"set.{comparison}{ftz}.f16x2.f16x2 %r9, %r9, %r10;",
            lambda: f"setp.{comparison}{ftz}.f16x2 %p1|%p2, %r9, %r10;",
        )
        low, high = "%h1", self.pick("%h2", "%h3")
        self.emit(f"mov.b32 {{{low}, {high}}}, %r9;")
        self.clean_half(low)
        self.clean_half(high)

    def bfloat(self):
        to = self.f()
        self.emit(f"cvt.{self.pick('rn', 'rz')}{self.pick('', '.relu')}.bf16.f32 %s1, {self.f()};")
        self.emit(f"cvt.rn.bf16.f32 %s2, {self.f()};")
        self.one_of(
            lambda: f"{self.pick('add', 'sub', 'mul')}.rn.bf16 %s1, %s1, %s2;",
            lambda: f"fma.rn{self.pick('', '.relu')}.bf16 %s1, %s1, %s2, %s1;",
            lambda: f"{self.pick('min', 'max')}{self.pick('', '.xorsign.abs')}.bf16 %s1, %s1, %s2;",
            lambda: f"{self.pick('abs', 'neg')}.bf16 %s1, %s1;",
        )
        self.emit(f"cvt.f32.bf16 {to}, %s1;")
        self.clean("f32", to)

    # --- Conversions ---

    def widths(self):
        """From integers to others."""
        small = self.pick("u8", "s8", "u16", "s16")
        self.one_of(
            lambda: f"cvt{self.pick('', '.sat')}.{small}.{self.r.choice(INTS)} {self.i()}, {self.i()};",
            lambda: f"cvt.sat.{self.pick('u32.s32', 's32.u32')} {self.i()}, {self.i()};",
            lambda: f"cvt.sat.{self.pick('u64.s64', 's64.u64')} {self.w()}, {self.w()};",
            lambda: f"cvt.{self.r.choice(WIDE)}.{small} {self.w()}, {self.i()};",
            lambda: f"cvt.pack.sat.{self.pick('u16', 's16')}.s32 {self.i()}, {self.i()}, {self.i()};",
            lambda: f"cvt.pack.sat.{self.pick('u8', 's8', 'u4', 's4', 'u2', 's2')}.s32.b32 "
            f"{self.i()}, {self.i()}, {self.i()}, {self.i()};",
        )

    def more_to_integers(self):
        mode = self.integral()
        self.one_of(
            lambda: f"cvt.{mode}{self.pick('', '.ftz')}.{self.r.choice(WIDE)}.f32 {self.w()}, {self.f()};",
            lambda: f"cvt.{mode}{self.pick('', '.sat')}.{self.pick('s32', 's16', 'u8')}.f32 {self.i()}, {self.f()};",
            lambda: f"cvt.{mode}.{self.pick('u32', 's32', 's16', 'u8')}.f64 {self.i()}, {self.d()};",
            lambda: f"cvt.{mode}.{self.pick('u32', 's32', 's16', 'u8')}.f16 {self.i()}, {self.h()};",
            lambda: f"cvt.{mode}.{self.r.choice(WIDE)}.f16 {self.w()}, {self.h()};",
        )

    def small_floats(self):
        """Conversions that make pairs, and those to tf32: its bits are a device's own, and the tiers are one device."""
        pair, relu = self.pick("e4m3x2", "e5m2x2"), self.pick("", ".relu")
        self.emit(f"cvt.rn.satfinite{relu}.{pair}.f32 %s1, {self.f()}, {self.f()};")
        self.one_of(
            lambda: f"cvt.u32.u16 {self.i()}, %s1;",
            lambda: f"cvt.rn{self.pick('', '.relu')}.f16x2.{pair} {self.i()}, %s1;",
            lambda: f"cvt.{self.pick('rn', 'rz')}{relu}.{self.pick('bf16x2', 'f16x2')}.f32 "
            f"{self.i()}, {self.f()}, {self.f()};",
            lambda: f"cvt.{self.pick('rn', 'rz')}{relu}.tf32.f32 {self.i()}, {self.f()};",
            lambda: f"cvt.rna.tf32.f32 {self.i()}, {self.f()};",
        )

    def pieces(self):
        """Registers in parts, and of parts."""
        self.emit(f"mov.b32 {{%s1, %s2}}, {self.i()};")
        self.one_of(
            lambda: f"mov.b32 {self.i()}, {{%s2, %s1}};",
            lambda: f"mov.b64 {self.w()}, {{%s1, %s2, %s2, %s1}};",
            lambda: f"mov.b64 {{%s4, %s3, %s2, %s1}}, {self.w()};",
        )
        self.emit(f"cvt.{self.r.choice(INTS)}.{self.pick('u16', 's16')} {self.i()}, %s2;")

    # --- Memory ---

    def more_local(self):
        """Half of the eight words, also as generic memory."""
        self.emit(f"and.b32 %r9, {self.i()}, 1;")
        self.emit("mad.wide.u32 %rd9, %r9, 16, %rd20;")
        space = self.pick("", ".local")
        if not space:
            self.emit("cvta.local.u64 %rd9, %rd9;")
        word, place = self.pick(0, 8), self.r.randrange(16)
        self.one_of(
            lambda: f"st{space}.v2.u32 [%rd9+8], {{{self.i()}, {self.i()}}};",
            lambda: f"st{space}.v4.u32 [%rd9], {{{self.i()}, {self.i()}, {self.i()}, {self.i()}}};",
            lambda: f"st{space}.u64 [%rd9+{word}], {self.w()};",
            lambda: f"st{space}.f64 [%rd9+{word}], {self.d()};",
            lambda: f"st{space}.u8 [%rd9+{place}], {self.i()};",
            lambda: f"ld{space}.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd9];",
            lambda: f"ld{space}.u64 {self.w()}, [%rd9+{word}];",
            lambda: f"ld{space}.s16 {self.i()}, [%rd9+{place // 2 * 2}];",
            lambda: f"ld{space}.v2.f32 {{%f1, %f2}}, [%rd9];",
        )
        self.clean("f32", "%f1")
        self.clean("f32", "%f2")

    def vectors(self):
        """Of what all threads read, beginning where a vector may."""
        self.emit(f"and.b32 %r9, {self.i()}, 63;")
        self.emit("mad.wide.u32 %rd9, %r9, 16, %rd21;")
        self.one_of(
            lambda: "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd9];",
            lambda: "ld.global.nc.v2.u64 {%rd1, %rd2}, [%rd9];",
            lambda: "ld.global.v2.u16 {%s1, %s2}, [%rd9+4];",
            lambda: "ld.v2.s8 {%r5, %r6}, [%rd9+2];",
        )
        self.emit(f"mov.b32 {self.i()}, {{%s2, %s1}};")

    def atomic_shared(self):
        """On the word that is the thread's own: others read it between barriers only."""
        t = self.r.choice(INTS)
        self.one_of(
            lambda: f"atom.shared.{self.pick('add', 'min', 'max')}.{t} {self.i()}, [%r20], {self.i()};",
            lambda: f"atom.shared.{self.pick('and', 'or', 'xor', 'exch')}.b32 {self.i()}, [%r20], {self.i()};",
            lambda: f"atom.shared.{self.pick('inc', 'dec')}.u32 {self.i()}, [%r20], {self.si()};",
            lambda: f"atom.shared.cas.b32 {self.i()}, [%r20], {self.i()}, {self.i()};",
            lambda: f"red.shared.{self.pick('add', 'max')}.{t} [%r20], {self.i()};",
        )

    def atomic_global(self):
        """And others, on the thread's own output."""
        self.emit("ld.param.u64 %rd9, [out];")
        self.emit("mad.wide.u32 %rd9, %r25, 48, %rd9;")
        wide = self.pick("add.u64", "min.s64", "max.u64", "min.u64", "and.b64", "xor.b64", "exch.b64")
        word = self.pick("add.u32", "max.s32", "inc.u32", "dec.u32", "xor.b32")
        self.one_of(
            lambda: f"atom.global.{wide} {self.w()}, [%rd9+16], {self.w()};",
            lambda: f"atom.global.cas.b64 {self.w()}, [%rd9+24], {self.w()}, {self.w()};",
            lambda: f"atom.global.{word} {self.i()}, [%rd9+8], {self.i()};",
            lambda: f"red.global.{self.pick('add.u32', 'min.s32', 'or.b32')} [%rd9+8], {self.i()};",
            lambda: f"st.global.v2.u32 [%rd9], {{{self.i()}, {self.i()}}};",
            lambda: f"st.global.u8 [%rd9+{self.r.randrange(16)}], {self.i()};",
            lambda: "ld.global.v2.u32 {%r1, %r2}, [%rd9];",
            lambda: f"ld.global.u64 {self.w()}, [%rd9+{self.pick(0, 8, 16)}];",
        )
