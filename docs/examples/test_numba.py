# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of CUDA kernels in Python, without a GPU: understudy run -- python -m pytest docs/examples/test_numba.py
(pip install numba numba-cuda pytest)"""
import math

import numpy as np
from numba import cuda


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


@cuda.jit
def sine(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = math.sin(x[i])


def test_saxpy():
    x, y = np.arange(10000, dtype=np.float32), np.ones(10000, dtype=np.float32)
    device = cuda.to_device(y)
    saxpy[40, 256](2, cuda.to_device(x), device)
    np.testing.assert_array_equal(device.copy_to_host(), 1 + 2 * x)


def test_functions_of_the_device_library():
    x = np.linspace(-3, 3, 1000)
    device = cuda.to_device(x)
    sine[8, 128](device)
    np.testing.assert_allclose(device.copy_to_host(), np.sin(x), rtol=1e-14, atol=1e-16)
