# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A context for each test, as PyCUDA's own tests have one."""
import gc

import numpy as np
import pycuda.driver as cuda
import pytest

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"

# to[i] = from[i] * factor + add, for one block; `factor` is a global variable, `shared` counts on what a launch adds
PTX = (
    HEAD
    + """
.visible .global .align 4 .f32 factor = 2.0;
.extern .shared .align 4 .b8 room[];
.visible .entry scale(.param .u64 to, .param .u64 from, .param .f32 add)
{
  .reg .b32 %r<6>;
  .reg .f32 %f<5>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.param.f32 %f3, [add];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r1, %r3, %r2, %r1;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd2];
  ld.global.f32 %f2, [factor];
  fma.rn.f32 %f1, %f1, %f2, %f3;
  st.global.f32 [%rd1], %f1;
  ret;
}
.visible .entry turn(.param .u64 data)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r3, [%rd2];
  mov.u32 %r4, room;
  mad.lo.u32 %r5, %r1, 4, %r4;
  st.shared.u32 [%r5], %r3;
  bar.sync 0;
  sub.u32 %r6, %r2, %r1;
  sub.u32 %r6, %r6, 1;
  mad.lo.u32 %r5, %r6, 4, %r4;
  ld.shared.u32 %r3, [%r5];
  st.global.u32 [%rd2], %r3;
  ret;
}
"""
)


@pytest.fixture(scope="session")
def device():
    cuda.init()
    return cuda.Device(0)


@pytest.fixture
def context(device):
    made = device.make_context()
    yield made
    made.pop()
    gc.collect()


@pytest.fixture
def module(context):
    return cuda.module_from_buffer(PTX.encode())


@pytest.fixture
def numbers():
    return np.arange(64, dtype=np.float32)
