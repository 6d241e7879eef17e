#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libNVVM's functions: what NVIDIA's documentation says of each, and the functions of the NVVM IR specification, which
the driver runs. Usage: nvvm_test.py LIBRARY TOOLKIT, in `understudy run`"""
import base64
import ctypes as c
import sys
import unittest
import zlib

from compilers import Driver, Nvvm, strings

TOOLKIT, LIBRARY = sys.argv.pop(2), c.CDLL(sys.argv.pop(1))
LIBRARY.nvvmGetErrorString.restype = c.c_char_p
INVALID_INPUT, INVALID_PROGRAM, INVALID_IR, INVALID_OPTION, NO_MODULE = 4, 5, 6, 7, 8
DRIVER = Driver()

HEAD = """target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0, i32 3, i32 1}
!nvvm.annotations = !{!1}
"""
KERNEL = HEAD + '!1 = !{void (i32*)* @kernel, !"kernel", i32 1}\n'
STORE = """  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr inbounds i32, i32* %a, i32 %t
"""
TID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
# A kernel "old" with the types of its pointers, as LLVM 14 wrote it: out[t] = table[t] with 1, 2, 3, 4.
OLD = (
    "eNpNVH9ME3cU/7ZXeofW64lV23jX3VF09Rc7KgNqW1N6ztWNP0q2JZi4rMWCMJGV0pWCZrn+cIezMwVJZJlLymaW7K/VhcxfZIEe"
    "c9V0Bt1iMCOEjuKPBR2ZzpnMZPsehc1v8n3v3rv3/d77vPfu4+BGp1/WAFAEAGhUsWWv7fuu+eO/h79eWc/XyaCPUQHQCR9Wyhkg"
    "h/Y6uNGwoa82o9irJEzmfllMtbEI0+kVJxp54hW5o3+lI0aYNDWY9vUVJkev0zfOGHaXCHGitl/uzWDnNDS3p5e+KjM5Ytotxi2J"
    "iqOp/X30eAbee5wGgIDaVIoV0417ALO1bJBgNkKhe1F17GzC7fDup8u8kdFPDADZyNfGaFY2EQeEdijeTvPy46j98zLtRL+sXguA"
    "At6zITHzD1yoXW5M4tDeC/0SpjURuDd1pdBQEj2aQna2IF0pIUALAUyo0go9tOCbTCjnJpT33WggiQbt6OEE3kFL0ZKcUD4h0CB8"
    "dqOH3epOGu1hUf+E8uGiUzKlU495gin2ZpzFhN0Qu7o5/elPc61/3T7PyT8atSvB4qKNPPPWjVX2xVQLq4g9WxLNgeeWERxfJT/2"
    "O6z8N3aASbXRw2qsrkvEize9ekXBRUqMkdW8Kak9gcXC0oFzEONpqHdgPDmeI5s1MlsvVxMT4w4e7Q6hnYMdqjtA/YDAH/P4DpVD"
    "nx6jrg+RzWzRYlh0QxaxZThbHLFlQ/GADz2Cod1OwedDe3xIMCT4aEGXXY3PJ/Acq25n1bML+IIL30GMU9MMOclQaY++mT1uGYla"
    "JjjzMGIdiVpjiCW7oAm60SMtaHWL4IeSF3wJwedGg0Y0+LQIXtvFC+9gQodW8A8K3YPhbQ8X8Icz+J+j+DyLNGaGyPwQmV2UUx7y"
    "GkOOh6lrHuWtBGfOcObBRXlBrBnganoRy4D4Evzos4jlZ8SSElU/tAq+BsHviwZa0JBbCGiFQFLQXX9D/RCo/3Dh+QQ+a1fnaHwe"
    "oqCN1NSYPl2rv8mQU2H91AyZz1G/yfTN2vqaFLfzTNSSdZUtAXELXSE0NFhf9zihliqgf1d/zUPeY6jpMeoDmV5KmKEWPMo3j0Vr"
    "sqIlxdlgQZ6lrXnO0gtNMf79CohU6IL5YGiPEfUPhvfPEvj8KD7nwh+xhrGbtfp8bv1kjpqGCTh1llTUNhzdEBNr4pw5K1ovjJkz"
    "IsRozTqHOzAUZtUBC9gg6H65gs+71Q9mlAu0eo5Vz9HqJy68ncBnWRyaj2aU92fwvAt/yhp+nfeQ6TA1mVs/z1B3GGqcoWAH7zEv"
    "NNOfWUY42wXEPBA1ZxtGYPch2B6Yp1Po8qEAdMP/VA9nzK930lyvSlfsNzlpQzje13djd5Iweq0VJsfJBPOFllgBpGE/1ORvb2oD"
    "wID1shGgMmCgIgI0BoyvEGmFqFLUa6NxxSYjU225XHWarT5ffYm9NFx9/mK93EBB37eV5vWXTRcvQld9BIH3fQVnnIF65Qq/Ec4O"
    "2tPgG4T5irBL5gkxcoe8MrTqXq002nckQFJP1lXOuvG7LthqdV5quPquC3+c4sNot3FxEkNCR6EPDb4zYs2wzHI2ahsQ5YfgUJNT"
    "OXKKJvMeSd4L69MecmKIzBSKJ7sBCUvCiGatZ6OWM3AAEVsyaoXDmBAlrvHAWlES5yjGemUyntaqnFuu2T4cJYx8xZpzANk8TEXK"
    "dFV0JAqM7E07dtKDlBqVdlH6mSXOeuICSr4SdRE/ajy37M4TO/Y52Nvy+t34ASKd16ZnXKc2a9YQ22JmTVHJ3lMVmrUp13980gG/"
    "LdXLhBOlMfmkfNnfBDl9K9QlyIBbylGK2QgKOOpAgSMblmIblt4nl2zp3Bq4d8Et8VHRkj/5HGkhy3QGCtiXtUTG2DYASpdilrXk"
    "B2X/n1nWi/6l9TbMeW0h5y8lO+BpbGtqawseLm8PQuFv8njLfYFQeae/6WB5oNVbHnqvzVtRWc6WV7UH4Yuqyu3twVZvq2f7gfe9"
    "HmtnwN/afnBX4e5/Aa1KJt8="
)


def kernel(body, more=""):
    """@kernel(i32* %a), where %t is the thread and %p points to its element."""
    return (KERNEL + TID + more + "define void @kernel(i32* %a) {\n" + STORE + body + "  ret void\n}\n").encode()


def run(body, more="", threads=32, options=(), values=None):
    made = Nvvm(LIBRARY, [kernel(body, more)], options)
    assert made.result == 0, made.log
    return DRIVER.run(made.text, "kernel", values or [0] * threads, threads=threads)


class Interface(unittest.TestCase):
    def test_nvvmGetErrorString(self):
        self.assertEqual(LIBRARY.nvvmGetErrorString(6), b"NVVM_ERROR_INVALID_IR")
        self.assertEqual(LIBRARY.nvvmGetErrorString(4711), b"NVVM_ERROR unknown")

    def test_versions(self):
        numbers = [c.c_int() for _ in range(4)]
        self.assertEqual(LIBRARY.nvvmVersion(c.byref(numbers[0]), c.byref(numbers[1])), 0)
        self.assertEqual(numbers[0].value, 2)
        self.assertEqual(LIBRARY.nvvmIRVersion(*map(c.byref, numbers)), 0)
        self.assertEqual([n.value for n in numbers], [2, 0, 3, 2])
        self.assertEqual(LIBRARY.nvvmVersion(None, c.byref(numbers[0])), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvvmIRVersion(None, *map(c.byref, numbers[1:])), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvvmLLVMVersion(b"compute_90", c.byref(numbers[0])), 0)
        self.assertEqual(numbers[0].value, 19)
        self.assertEqual(LIBRARY.nvvmLLVMVersion(b"compute_1", c.byref(numbers[0])), INVALID_INPUT)

    def test_programs(self):
        self.assertEqual(LIBRARY.nvvmCreateProgram(None), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvvmDestroyProgram(None), INVALID_PROGRAM)
        program, size = c.c_void_p(), c.c_size_t()
        LIBRARY.nvvmCreateProgram(c.byref(program))
        self.assertEqual(LIBRARY.nvvmCompileProgram(program, 0, None), NO_MODULE)
        self.assertEqual(LIBRARY.nvvmVerifyProgram(program, 0, None), NO_MODULE)
        for add in (LIBRARY.nvvmAddModuleToProgram, LIBRARY.nvvmLazyAddModuleToProgram):
            self.assertEqual(add(program, None, c.c_size_t(1), b""), INVALID_INPUT)
            self.assertEqual(add(program, b"x", c.c_size_t(0), None), INVALID_INPUT)
        self.assertEqual(LIBRARY.nvvmGetCompiledResultSize(program, c.byref(size)), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvvmGetProgramLogSize(program, None), INVALID_INPUT)
        gone = c.c_void_p(program.value)
        self.assertEqual(LIBRARY.nvvmDestroyProgram(c.byref(program)), 0)
        self.assertIsNone(program.value)
        self.assertEqual(LIBRARY.nvvmDestroyProgram(c.byref(gone)), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvvmAddModuleToProgram(gone, b"x", c.c_size_t(1), b""), INVALID_PROGRAM)
        self.assertEqual(LIBRARY.nvvmCompileProgram(gone, 0, None), INVALID_PROGRAM)

    def test_options(self):
        good = kernel("  store i32 1, i32* %p\n")
        for option in ("-arch=sm_80", "-opt=4", "-ftz=2", "-nonsense", "", "-arch=compute_12", "-g=1"):
            made = Nvvm(LIBRARY, [good], [option])
            self.assertEqual(made.result, INVALID_OPTION, option)
            self.assertIn(option.split("=")[-1], made.log)
        self.assertIn(b".target sm_86", Nvvm(LIBRARY, [good], ["-arch=compute_86"]).text)
        self.assertEqual(Nvvm(LIBRARY, [good], ["-gen-lto", "-opt=0"]).text[:2], b"BC")
        product = """  %q = bitcast i32* %p to float*
  %f = load float, float* %q
  %x = fmul float %f, %f
  %y = fadd float %x, %f
  store float %y, float* %q
"""

        def text(*options):
            return Nvvm(LIBRARY, [kernel(product)], options).text

        # "-fma=: Enable FMA contraction", on unless said otherwise
        self.assertIn(b"fma.rn.f32", text())
        self.assertNotIn(b"fma", text("-fma=0"))
        self.assertIn(b"mul.rn.ftz.f32", text("-fma=0", "-ftz=1"))
        self.assertNotIn(b"fma", text("-opt=0"))

    def test_wrong_ir(self):
        for text in (b"nonsense", HEAD.encode() + b"define void @f() { ret i32 0 }", b"BC\xc0\xde nothing"):
            made = Nvvm(LIBRARY, [text])
            self.assertEqual(made.result, INVALID_IR)
            self.assertIn("error", made.log)
            self.assertEqual(Nvvm(LIBRARY, [text], check=True).result, INVALID_IR)
        unknown = kernel("  call void @llvm.nvvm.no.such.thing()\n", "declare void @llvm.nvvm.no.such.thing()\n")
        self.assertIn("llvm.nvvm.no.such.thing", Nvvm(LIBRARY, [unknown]).log)
        self.assertEqual(Nvvm(LIBRARY, [kernel("")], check=True).result, 0)


class Code(unittest.TestCase):
    def test_text_with_types_of_pointers(self):
        self.assertEqual(run("  %v = load i32, i32* %p\n  %w = add i32 %v, %t\n  store i32 %w, i32* %p\n", threads=4,
                             values=[10, 10, 10, 10]), [10, 11, 12, 13])  # fmt: skip

    def test_old_bitcode(self):
        made = Nvvm(LIBRARY, [zlib.decompress(base64.b64decode(OLD))])
        self.assertEqual(made.result, 0, made.log)
        self.assertEqual(DRIVER.run(made.text, "old", [0] * 4, threads=4), [1, 2, 3, 4])

    def test_modules_are_linked(self):
        other = HEAD.replace("!nvvm.annotations = !{!1}\n", "").encode()
        twice = other + b"define i32 @twice(i32 %x) { %y = mul i32 %x, 2 ret i32 %y }\n"
        unused = b"define i32 @unused(i32 %x) { ret i32 %x }\n"
        user = kernel("  %v = call i32 @twice(i32 %t)\n  store i32 %v, i32* %p\n", "declare i32 @twice(i32)\n")
        for modules in ([user, twice + unused], [user, (twice + unused, True)], [(twice + unused, True), user]):
            made = Nvvm(LIBRARY, modules)
            self.assertEqual(made.result, 0, made.log)
            self.assertEqual(DRIVER.run(made.text, "kernel", [0] * 4, threads=4), [0, 2, 4, 6])
            # "the only symbols loaded are those that are required"
            self.assertEqual(b"unused" in made.text, modules[-1] == twice + unused)
        self.assertIn("twice", Nvvm(LIBRARY, [user, twice, twice]).log)

    def test_debug_information(self):
        source = kernel("  store i32 1, i32* %p, !dbg !9\n").replace(
            b"define void @kernel(i32* %a) {", b"define void @kernel(i32* %a) !dbg !5 {"
        )
        source += b"""!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!4}
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!3 = !DIFile(filename: "source.py", directory: "/")
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "kernel", scope: !3, file: !3, line: 7, type: !6, isLocal: false, isDefinition: true, scopeLine: 7, isOptimized: true, unit: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!9 = !DILocation(line: 8, column: 3, scope: !5)
"""
        self.assertNotIn(b".loc", Nvvm(LIBRARY, [source]).text)
        self.assertIn(b".loc", Nvvm(LIBRARY, [source], ["-generate-line-info"]).text)
        self.assertIn(b".debug_info", Nvvm(LIBRARY, [source], ["-g"]).text)
        # "Line number (line info) only generation is also enabled via NVVM IR Debug Metadata"
        for kind in (b"DebugDirectivesOnly", b"LineTablesOnly"):
            lines = Nvvm(LIBRARY, [source.replace(b"FullDebug", kind)]).text
            self.assertRegex(lines, rb'\.file\s+1 "/source.py"')
            self.assertRegex(lines, rb"\.loc\s+1 8 3")
            self.assertEqual(DRIVER.run(lines, "kernel", [0], threads=1), [1])

    def test_clusters(self):
        source = kernel("  store i32 1, i32* %p\n")
        size = source.replace(
            b'!"kernel", i32 1', b'!"kernel", i32 1, !"cluster_dim_x", i32 2, !"cluster_dim_z", i32 3'
        )
        self.assertRegex(Nvvm(LIBRARY, [size], ["-arch=compute_90"]).text, rb"\.reqnctapercluster 2, 1, 3\n")
        most = source.replace(b'!"kernel", i32 1', b'!"kernel", i32 1, !"cluster_max_blocks", i32 4')
        self.assertRegex(Nvvm(LIBRARY, [most], ["-arch=compute_90"]).text, rb"\.maxclusterrank 4\n")


class Intrinsics(unittest.TestCase):
    """The NVVM IR specification's own functions, in a full warp."""

    def test_shfl_sync(self):
        expected = {  # of the thread's number, with 3 for the lane or distance
            0: [3] * 32,
            1: [max(t - 3, 0) if t >= 3 else t for t in range(32)],
            2: [t + 3 if t + 3 < 32 else t for t in range(32)],
            3: [t ^ 3 for t in range(32)],
        }
        for mode, values in expected.items():
            clamp = 0 if mode == 1 else 31
            body = f"""  %r = call {{i32, i1}} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 {mode}, i32 %t, i32 3, i32 {clamp})
  %v = extractvalue {{i32, i1}} %r, 0
  store i32 %v, i32* %p
"""
            self.assertEqual(run(body, "declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)\n"), values)

    def test_vote_sync(self):
        for mode, of in ((0, 0), (1, 1), (2, 0), (3, 0x55555555)):
            index = 0 if mode == 3 else 1
            body = f"""  %bit = and i32 %t, 1
  %even = icmp eq i32 %bit, 0
  %r = call {{i32, i1}} @llvm.nvvm.vote.sync(i32 -1, i32 {mode}, i1 %even)
  %v = extractvalue {{i32, i1}} %r, {index}
  {"%w = add i32 %v, 0" if mode == 3 else "%w = zext i1 %v to i32"}
  store i32 %w, i32* %p
"""
            self.assertEqual(run(body, "declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)\n"), [of] * 32, mode)
        wrong = kernel("  %r = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 %t, i1 true)\n",
                       "declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)\n")  # fmt: skip
        self.assertEqual(Nvvm(LIBRARY, [wrong]).result, INVALID_IR)

    def test_match_sync(self):
        masks = [0x11111111 << (t % 4) for t in range(32)]
        signed = [m - (1 << 32) if m >> 31 else m for m in masks]
        for bits in (32, 64):
            convert = "%k = zext i32 %q to i64" if bits == 64 else "%k = add i32 %q, 0"
            body = f"""  %q = and i32 %t, 3
  {convert}
  %v = call i32 @llvm.nvvm.match.any.sync.i{bits}(i32 -1, i{bits} %k)
  store i32 %v, i32* %p
"""
            self.assertEqual(run(body, f"declare i32 @llvm.nvvm.match.any.sync.i{bits}(i32, i{bits})\n"), signed)
            # All agree: the mask, and yes.
            body = f"""  %r = call {{i32, i1}} @llvm.nvvm.match.all.sync.i{bits}(i32 -1, i{bits} 7)
  %m = extractvalue {{i32, i1}} %r, 0
  %b = extractvalue {{i32, i1}} %r, 1
  %i = zext i1 %b to i32
  %v = sub i32 %m, %i
  store i32 %v, i32* %p
"""
            declared = f"declare {{i32, i1}} @llvm.nvvm.match.all.sync.i{bits}(i32, i{bits})\n"
            self.assertEqual(run(body, declared), [-2] * 32)

    def test_barriers_and_atomics(self):
        body = """  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void @llvm.nvvm.membar.gl()
  %one = icmp sge i32 %t, 0
  %n = zext i1 %one to i32
  %count = call i32 @llvm.nvvm.barrier0.popc(i32 %n)
  %f = bitcast i32* %a to float*
  %old = call float @llvm.nvvm.atomic.load.add.f32.p0f32(float* %f, float 1.0)
  call void @llvm.nvvm.barrier0()
  %sum = load float, float* %f
  %whole = fptosi float %sum to i32
  %v = add i32 %whole, %count
  call void @llvm.cuda.syncthreads()
  store i32 %v, i32* %p
"""
        declared = """declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.barrier0()
declare void @llvm.cuda.syncthreads()
declare float @llvm.nvvm.atomic.load.add.f32.p0f32(float*, float)
"""
        self.assertEqual(run(body, declared), [64] * 32)

    def test_activemask(self):
        body = "  %v = call i32 @llvm.nvvm.activemask()\n  store i32 %v, i32* %p\n"
        self.assertEqual(run(body, "declare i32 @llvm.nvvm.activemask()\n"), [-1] * 32)

    def test_instructions_stay_where_they_are(self):
        """What a warp does together on both sides of a branch is not done in front of it: NVVM IR cannot say so."""
        ask = '= call i32 asm sideeffect "activemask.b32 $0;", "=r"()\n'
        body = f"""  %odd = trunc i32 %t to i1
  br i1 %odd, label %left, label %right
left:
  %l {ask}  store i32 %l, i32* %p
  ret void
right:
  %r {ask}  store i32 %r, i32* %p
"""
        even = 0x55555555
        self.assertEqual(run(body), [even, even - (1 << 32) + even] * 16)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
