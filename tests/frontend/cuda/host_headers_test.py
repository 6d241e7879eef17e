#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The toolkit's headers in files of the host's own compiler: host_headers_test.py TOOLKIT. Each is read alone, in C++
and, where the toolkit's are for C, in C; and small floating-point numbers are calculated there as their formats say."""
import fractions
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLKIT = Path(sys.argv[1]).resolve()
HEADERS = sorted(path.name for path in (TOOLKIT / "include").glob("*.h"))
# Of CUDA's own these are for C++ only.
CXX_ONLY = {"cuda_fp4.h", "cuda_fp6.h", "cuda_fp8.h", "curand_kernel.h"}
INCLUDE = ["-I", str(TOOLKIT / "include")]

PROGRAM = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cstdio>
#include <cstring>
template <class T, class Raw> T numberOf(unsigned bits) {
  Raw raw;
  raw.x = (unsigned short)bits;
  return T(raw);
}
template <class T> unsigned bitsOf(T value) {
  unsigned short bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T, class Raw> float floatOf(unsigned bits) { return (float)numberOf<T, Raw>(bits); }
template <class T, class Raw> void calculate(const unsigned *bits) {
  const T a = numberOf<T, Raw>(bits[0]), b = numberOf<T, Raw>(bits[1]), c = numberOf<T, Raw>(bits[2]);
  std::printf("%x %x %x %x %x", bitsOf(a + b), bitsOf(a - b), bitsOf(a * b), bitsOf(__hfma(a, b, c)), bitsOf(-a));
  std::printf(" %d %d", a < b, a == b);
}
int main() {
  unsigned kind, bits[3];
  double value;
  while (std::scanf("%u %x %x %x %lf", &kind, &bits[0], &bits[1], &bits[2], &value) == 5) {
    if (kind == 5) {
      calculate<__half, __half_raw>(bits);
      std::printf(" %x %a\\n", bitsOf(__double2half(value)), floatOf<__half, __half_raw>(bits[0]));
    } else {
      calculate<__nv_bfloat16, __nv_bfloat16_raw>(bits);
      std::printf(" %x %a\\n", bitsOf(__double2bfloat16(value)), floatOf<__nv_bfloat16, __nv_bfloat16_raw>(bits[0]));
    }
  }
}
"""


def number_of(bits, exponent_bits):
    """The exact value; None: infinity or NaN."""
    mantissa, bias = 15 - exponent_bits, (1 << (exponent_bits - 1)) - 1
    exponent, fraction = bits >> mantissa & ((1 << exponent_bits) - 1), bits & ((1 << mantissa) - 1)
    if exponent == (1 << exponent_bits) - 1:
        return None
    units = fraction | (1 << mantissa if exponent else 0)
    size = fractions.Fraction(units) * fractions.Fraction(2) ** (max(exponent, 1) - bias - mantissa)
    return -size if bits >> 15 else size


def bits_of(value, exponent_bits):
    """To the nearest, ties to even; None for 0, whose sign the exact value does not tell."""
    if value == 0:
        return None
    mantissa, bias = 15 - exponent_bits, (1 << (exponent_bits - 1)) - 1
    size = abs(value)
    exponent = max(size.numerator.bit_length() - size.denominator.bit_length() - 1, 1 - bias)
    if size >= fractions.Fraction(2) ** (exponent + 1):
        exponent += 1
    units = round(size / fractions.Fraction(2) ** (exponent - mantissa))  # Python's is to even, too
    infinity = ((1 << exponent_bits) - 1) << mantissa
    return (0x8000 if value < 0 else 0) | min(units + (exponent - (1 - bias) << mantissa), infinity)


class HostHeaders(unittest.TestCase):
    def compile(self, arguments, text, language):
        return subprocess.run(
            [*arguments, *INCLUDE, "-x", language, "-"], input=text, capture_output=True, text=True, check=False
        )

    def test_each_header_alone(self):
        self.assertIn("cuda_fp16.h", HEADERS)
        for header in HEADERS:
            text = f"#include <{header}>\n"
            for command, language in (("g++ -std=c++11", "c++"), ("g++ -std=c++20", "c++"), ("gcc", "c")):
                if language == "c" and header in CXX_ONLY:
                    continue
                with self.subTest(header=header, command=command):
                    done = self.compile([*command.split(), "-fsyntax-only"], text, language)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_small_numbers(self):
        state = 88172645463325252

        def random():
            nonlocal state
            state ^= state << 13 & 0xFFFFFFFFFFFFFFFF
            state ^= state >> 7
            state ^= state << 17 & 0xFFFFFFFFFFFFFFFF
            return state

        cases = []
        for index in range(8000):
            kind = 5 if index % 2 else 8
            near = random() % 0x800  # of one size, so that sums are not the larger operand
            bits = [random() % 0x10000 if index % 3 else 0x3800 + (random() ^ near) % 0x800 for _ in range(3)]
            # A number of the format, a tie, or near one of them.
            exact = number_of(bits[1] & 0x7BFF, kind) + number_of((bits[1] & 0x7BFF) + 1, kind)
            cases.append((kind, bits, float(exact) * (0.5 if index % 5 else 0.5000000001)))
        text = "".join(f"{kind} {a:x} {b:x} {c:x} {value.hex()}\n" for kind, (a, b, c), value in cases)
        for command in ("g++ -std=c++14 -O2", "g++ -std=c++17 -O3 -march=native -ffp-contract=fast"):
            with tempfile.TemporaryDirectory() as folder, self.subTest(command=command):
                program = f"{folder}/program"
                done = self.compile([*command.split(), "-o", program], PROGRAM, "c++")
                self.assertEqual(done.stderr, "")
                lines = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
                checked = 0
                for (kind, bits, value), line in zip(cases, lines.splitlines(), strict=True):
                    got = line.split()
                    a, b, c = (number_of(one, kind) for one in bits)
                    self.assertEqual(int(got[7], 16), bits_of(fractions.Fraction(value), kind) or 0, (kind, value))
                    if kind == 5 and abs(value) < 65504:
                        self.assertEqual(int(got[7], 16), struct.unpack("<H", struct.pack("<e", value))[0])
                    if a is not None:
                        self.assertEqual(int(got[4], 16), bits[0] ^ 0x8000)
                        self.assertEqual(fractions.Fraction(float.fromhex(got[8])), a)
                    if None in (a, b, c):
                        continue
                    self.assertEqual(got[5:7], [str(int(a < b)), str(int(a == b))])
                    for result, exact in zip(got, (a + b, a - b, a * b, a * b + c)):
                        wanted = bits_of(exact, kind)
                        checked += wanted is not None
                        self.assertIn(wanted, (None, int(result, 16)), (kind, bits, exact))
                self.assertGreater(checked, 20000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
