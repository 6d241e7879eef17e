# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device under test: the only one that 'understudy run' shows."""
import os

# A program that PyOpenCL takes from its cache is one made of a binary, which has no source, attributes or options to
# ask for. The variable is read on import.
os.environ["PYOPENCL_NO_CACHE"] = "1"

import numpy as np
import pyopencl as cl
import pytest


@pytest.fixture(scope="session")
def device():
    platforms = cl.get_platforms()
    assert [p.name for p in platforms] == ["Understudy"]
    (only,) = platforms[0].get_devices()
    return only


@pytest.fixture(scope="session")
def ctx(device):
    return cl.Context([device])


@pytest.fixture
def queue(ctx):
    with cl.CommandQueue(ctx) as made:
        yield made


@pytest.fixture
def random():
    return np.random.default_rng(20260101)
