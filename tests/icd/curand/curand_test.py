#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libcurand's host functions: each direction vector table must make every dimension a permutation of the dyadic
fractions. Usage: curand_test.py LIBRARY"""
import ctypes as c
import sys
import unittest

LIBRARY = c.CDLL(sys.argv.pop(1))


class Curand(unittest.TestCase):
    def test_curandGetVersion(self):
        version = c.c_int()
        self.assertEqual(LIBRARY.curandGetVersion(c.byref(version)), 0)
        self.assertEqual(version.value // 1000, 10)
        self.assertEqual(LIBRARY.curandGetVersion(None), 104)

    def vectors(self, name, kind, bits, sets):
        table = c.POINTER(kind * bits)()
        for number in sets:
            self.assertEqual(getattr(LIBRARY, name)(c.byref(table), number), 0)
        self.assertEqual(getattr(LIBRARY, name)(c.byref(table), 1), 104)
        # The first is van der Corput's sequence.
        self.assertEqual(list(table[0]), [1 << (bits - 1 - k) for k in range(bits)])
        # "v_k = m_k / 2^k" with odd m_k: the lowest bit of vector k is bit k from the top, so the matrix is regular.
        for dimension in [*range(200), *range(200, 20000, 97), 19999]:
            for k, v in enumerate(table[dimension]):
                self.assertEqual(v & -v, 1 << (bits - 1 - k), (dimension, k))
        # No two dimensions have the same polynomial and start.
        rows = {tuple(table[d]) for d in range(20000)}
        self.assertEqual(len(rows), 20000)
        return table

    def test_curandGetDirectionVectors32(self):
        table = self.vectors("curandGetDirectionVectors32", c.c_uint32, 32, (101, 102))
        # The second polynomial is x + 1: every vector is the one before, exclusive or itself shifted by one.
        row = list(table[1])
        self.assertEqual(row[1:], [v ^ v >> 1 for v in row[:-1]])

    def test_curandGetDirectionVectors64(self):
        self.vectors("curandGetDirectionVectors64", c.c_uint64, 64, (103, 104))

    def test_curandGetScrambleConstants32(self):
        table = c.POINTER(c.c_uint32)()
        self.assertEqual(LIBRARY.curandGetScrambleConstants32(c.byref(table)), 0)
        self.assertGreater(len(set(table[:20000])), 19990)

    def test_curandGetScrambleConstants64(self):
        table = c.POINTER(c.c_uint64)()
        self.assertEqual(LIBRARY.curandGetScrambleConstants64(c.byref(table)), 0)
        self.assertEqual(len(set(table[:20000])), 20000)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
