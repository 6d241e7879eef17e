#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes include/understudy/random_tables.h: how far jumps take the generators of curand_kernel.h. XORWOW's are
polynomials modulo the characteristic polynomial of its linear part, which is found from its output by Berlekamp and
Massey's algorithm; MRG32k3a's are powers of its two matrices. Usage: make_random_tables.py [--check] FILE"""
import sys

MASK = 0xFFFFFFFF


def xorwow_step(v):
    t = v[0] ^ (v[0] >> 2)
    return [v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4) & MASK) ^ (t ^ (t << 1) & MASK)]


def characteristic_polynomial():
    """The connection polynomial of the low output bit, reversed: bit i is the coefficient of x^i, degree 160."""
    v, bits = [1, 2, 3, 4, 5], []
    for _ in range(400):
        v = xorwow_step(v)
        bits.append(v[4] & 1)
    c, b, length, m = 1, 1, 0, 1
    for n, _ in enumerate(bits):
        d = bits[n]
        for i in range(1, length + 1):
            d ^= (c >> i & 1) & bits[n - i]
        if not d:
            m += 1
        elif 2 * length <= n:
            c, b, length, m = c ^ (b << m), c, n + 1 - length, 1
        else:
            c ^= b << m
            m += 1
    assert length == 160, length
    return sum((c >> i & 1) << (length - i) for i in range(length + 1))


def multiply(a, b, p):
    result = 0
    while b:
        if b & 1:
            result ^= a
        b >>= 1
        a <<= 1
        if a >> 160:
            a ^= p
    return result


def matrix_product(a, b, m):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) % m for j in range(3)] for i in range(3)]


def matrix_power_of_two(a, exponent, m):
    for _ in range(exponent):
        a = matrix_product(a, a, m)
    return a


def text():
    p = characteristic_polynomial()
    power, powers = 2, []
    for _ in range(67 + 64):
        powers.append(power)
        power = multiply(power, power, p)
    lines = [
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
        "// Made by frontend/cuda/make_random_tables.py: how far the generators jump.",
        "// clang-format off",
        "#pragma once",
        "",
        "// x^(2^k) modulo XORWOW's characteristic polynomial: k = 0 to 63, then 67 to 130.",
        "static __device__ const unsigned int us_xorwowJumps[128][5] = {",
    ]
    for value in powers[:64] + powers[67:131]:
        lines.append("    {" + ", ".join(f"0x{value >> 32 * i & MASK:08x}u" for i in range(5)) + "},")
    lines.append("};")
    m1, m2 = 4294967087, 4294944443
    a1 = [[0, 1, 0], [0, 0, 1], [m1 - 810728, 1403580, 0]]
    a2 = [[0, 1, 0], [0, 0, 1], [m2 - 1370589, 0, 527612]]
    lines += [
        "",
        "// MRG32k3a's two matrices to the power of 1, 2^76 and 2^127.",
        "static __device__ const unsigned int us_mrgPowers[3][2][9] = {",
    ]
    for exponent in (0, 76, 127):
        rows = [sum(matrix_power_of_two(a, exponent, m), []) for a, m in ((a1, m1), (a2, m2))]
        lines.append("    {" + ",\n     ".join("{" + ", ".join(f"{x}u" for x in row) + "}" for row in rows) + "},")
    lines.append("};")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        sys.exit(None if open(sys.argv[2]).read() == text() else f"{sys.argv[2]} is not what this script writes")
    with open(sys.argv[1], "w") as file:
        file.write(text())
