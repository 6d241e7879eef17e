# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyCUDA's driver module on a kernel that is written in PTX by hand: one line per check, "name: pass" or "name: fail
…"."""
import sys

import numpy
import pycuda.driver as cuda

PTX = b"""
.version 8.0
.target sm_80
.address_size 64

.visible .const .align 4 .f32 factor = 1.0;

.visible .entry vector_add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .f32 %f<5>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [n];
  setp.ge.u32 %p1, %r4, %r5;
  @%p1 ret;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  mad.wide.u32 %rd4, %r4, 4, %rd1;
  mad.wide.u32 %rd5, %r4, 4, %rd2;
  mad.wide.u32 %rd6, %r4, 4, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  ld.const.f32 %f4, [factor];
  fma.rn.f32 %f3, %f2, %f4, %f1;
  st.global.f32 [%rd6], %f3;
  ret;
}
"""
N = 100000
failures = 0


def check(name, good, note=""):
    global failures
    failures += not good
    print(f"{name}: {'pass' if good else 'fail ' + str(note)}")


cuda.init()
device = cuda.Device(0)
check("version", cuda.get_driver_version() == 13000, cuda.get_driver_version())
check("name", len(device.name()) > 0)
check("attributes", device.get_attributes()[cuda.device_attribute.WARP_SIZE] == 32)
check("pci", cuda.Device(device.pci_bus_id()) == device)
context = device.make_context()
try:
    a, b = numpy.arange(N, dtype=numpy.float32), numpy.linspace(-3, 3, N, dtype=numpy.float32)
    module = cuda.module_from_buffer(PTX)
    add = module.get_function("vector_add")
    result = numpy.zeros_like(a)
    add(cuda.In(a), cuda.In(b), cuda.Out(result), numpy.uint32(N), block=(256, 1, 1), grid=((N + 255) // 256, 1))
    check("call", numpy.array_equal(result, a + b))

    add.prepare("PPPI")
    on_device = [cuda.mem_alloc(a.nbytes) for _ in range(3)]
    cuda.memcpy_htod(on_device[0], a)
    cuda.memcpy_htod(on_device[1], b)
    start, end = cuda.Event(), cuda.Event()
    start.record()
    add.prepared_call(((N + 255) // 256, 1), (256, 1, 1), *on_device, N)
    end.record()
    end.synchronize()
    cuda.memcpy_dtoh(result, on_device[2])
    check("prepared call", numpy.array_equal(result, a + b))
    check("event times", end.time_since(start) >= 0)

    address, size = module.get_global("factor")
    check("global's size", size == 4, size)
    cuda.memcpy_htod(address, numpy.float32(2))
    stream = cuda.Stream()
    add.prepared_async_call(((N + 255) // 256, 1), (256, 1, 1), stream, *on_device, N)
    stream.synchronize()
    check("changed constant", numpy.array_equal(cuda.from_device_like(on_device[2], a), a + 2 * b))
    check("attribute", add.get_attribute(cuda.function_attribute.PTX_VERSION) == 80)

    pinned = cuda.pagelocked_empty(N, numpy.float32)
    pinned[:] = b
    cuda.memcpy_htod_async(on_device[0], pinned, stream)
    stream.synchronize()
    check("page-locked memory", numpy.array_equal(cuda.from_device_like(on_device[0], b), b))
    try:
        cuda.module_from_buffer(PTX.replace(b"fma.rn", b"fma.xx"))
        check("bad PTX", False, "was loaded")
    except cuda.CompileError as error:
        check("bad PTX", "fma.xx" in str(error), error)
    except cuda.Error as error:
        check("bad PTX", "PTX" in str(error), error)
    try:
        module.get_function("missing")
        check("missing function", False, "was found")
    except cuda.LogicError:
        check("missing function", True)
finally:
    context.pop()
sys.exit(failures != 0)
