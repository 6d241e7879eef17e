# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texture and surface references, which CUDA C++ had until release 12: run with UNDERSTUDY_CUDA_VERSION=11.8."""
import os

import numpy as np
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
import pytest
from pycuda.compiler import SourceModule, compile

pytestmark = pytest.mark.skipif(os.environ.get("UNDERSTUDY_CUDA_VERSION") != "11.8", reason="of CUDA 11.8")

SOURCE = """
texture<float, 2, cudaReadModeElementType> plane;
texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 1, cudaReadModeNormalizedFloat> bytes;
texture<unsigned char, 2, cudaReadModeElementType> whole;
surface<void, 2> result;
__global__ void read_plane(float *to, const float2 *at) { to[threadIdx.x] = tex2D(plane, at[threadIdx.x].x, at[threadIdx.x].y); }
__global__ void read_line(float *to, int first) { to[threadIdx.x] = tex1Dfetch(line, threadIdx.x + first); }
__global__ void read_bytes(float *to) { float4 v = tex1Dfetch(bytes, threadIdx.x); to[threadIdx.x] = v.x + v.w; }
__global__ void read_whole(int *to) { to[threadIdx.x] = tex2D(whole, threadIdx.x + 0.5f, 0.5f); }
__global__ void write_result() { surf2Dwrite(threadIdx.x * 3.0f, result, threadIdx.x * 4, threadIdx.y); }
"""


@pytest.fixture(scope="module")
def compiled():
    """The image: a module belongs to a context, the compilation need not be made again."""
    cuda.init()
    context = cuda.Device(0).make_context()
    yield compile(SOURCE)
    context.pop()


@pytest.fixture
def module(context, compiled):
    return cuda.module_from_buffer(compiled)


def read_plane(module, reference, points):
    got = np.zeros(len(points), np.float32)
    module.get_function("read_plane")(
        cuda.Out(got), cuda.In(np.array(points, np.float32)), block=(len(points), 1, 1), texrefs=[reference]
    )
    return list(got)


def test_array_and_modes(module):
    matrix = np.arange(32, dtype=np.float32).reshape(4, 8)
    array = cuda.matrix_to_array(matrix, "C")
    reference = module.get_texref("plane")
    reference.set_array(array)
    assert reference.get_array().handle == array.handle
    reference.set_filter_mode(cuda.filter_mode.POINT)
    assert reference.get_filter_mode() == cuda.filter_mode.POINT
    for dimension in (0, 1):
        reference.set_address_mode(dimension, cuda.address_mode.CLAMP)
        assert reference.get_address_mode(dimension) == cuda.address_mode.CLAMP
    assert read_plane(module, reference, [(2.5, 1.5), (-3, 0.5), (100, 3.5)]) == [
        matrix[1, 2],
        matrix[0, 0],
        matrix[3, 7],
    ]
    reference.set_filter_mode(cuda.filter_mode.LINEAR)
    assert reference.get_filter_mode() == cuda.filter_mode.LINEAR
    assert read_plane(module, reference, [(3.0, 1.5), (2.5, 2.0)]) == [10.5, 14.0]
    # Normalised coordinates, and what only they have.
    reference.set_filter_mode(cuda.filter_mode.POINT)
    reference.set_flags(cuda.TRSF_NORMALIZED_COORDINATES)
    assert reference.get_flags() & cuda.TRSF_NORMALIZED_COORDINATES
    center = (2.5 / 8, 1.5 / 4)
    for mode, x, expected in (
        (cuda.address_mode.WRAP, center[0] + 1, matrix[1, 2]),
        (cuda.address_mode.MIRROR, -center[0], matrix[1, 2]),
        (cuda.address_mode.BORDER, center[0] + 1, 0),
        (cuda.address_mode.CLAMP, center[0] + 1, matrix[1, 7]),
    ):
        reference.set_address_mode(0, mode)
        assert read_plane(module, reference, [(x, center[1])]) == [expected], mode


def test_linear_memory(module, numbers):
    reference, got = module.get_texref("line"), np.zeros(8, np.float32)
    reference.set_format(cuda.array_format.FLOAT, 1)
    assert reference.get_format() == (cuda.array_format.FLOAT, 1)
    memory = cuda.to_device(numbers)
    assert reference.set_address(memory, numbers.nbytes) == 0
    assert int(reference.get_address()) == int(memory)
    module.get_function("read_line")(cuda.Out(got), np.int32(60), block=(8, 1, 1), texrefs=[reference])
    assert list(got) == [60, 61, 62, 63, 0, 0, 0, 0]  # beyond the end: 0
    # An address that is not aligned as textures are gives an offset, which has to be asked for.
    with pytest.raises(cuda.LogicError):
        reference.set_address(int(memory) + 16, 64)
    assert reference.set_address(int(memory) + 16, 64, allow_offset=True) == 16


def test_pitched_memory(module):
    matrix = np.arange(32, dtype=np.float32).reshape(4, 8)
    memory, pitch = cuda.mem_alloc_pitch(32, 4, 4)
    copy = cuda.Memcpy2D()
    copy.set_src_host(matrix)
    copy.set_dst_device(memory)
    copy.src_pitch, copy.dst_pitch, copy.width_in_bytes, copy.height = 32, pitch, 32, 4
    copy(aligned=True)
    descriptor = cuda.ArrayDescriptor()
    descriptor.width, descriptor.height, descriptor.format, descriptor.num_channels = 8, 4, cuda.array_format.FLOAT, 1
    reference = module.get_texref("plane")
    reference.set_address_2d(memory, descriptor, pitch)
    assert read_plane(module, reference, [(2.5, 1.5), (7.5, 3.5)]) == [matrix[1, 2], matrix[3, 7]]
    with pytest.raises(cuda.LogicError):
        reference.set_address_2d(memory, descriptor, pitch + 4)


def test_flags_and_formats(module):
    pixels = np.arange(32, dtype=np.uint8)
    memory, got = cuda.to_device(pixels), np.zeros(8, np.float32)
    reference = module.get_texref("bytes")
    reference.set_format(cuda.array_format.UNSIGNED_INT8, 4)
    reference.set_address(memory, 32)
    module.get_function("read_bytes")(cuda.Out(got), block=(8, 1, 1), texrefs=[reference])
    assert np.allclose(got, (pixels[0::4].astype(float) + pixels[3::4]) / 255, rtol=1e-6)
    reference, whole = module.get_texref("whole"), np.zeros(8, np.int32)
    reference.set_array(cuda.matrix_to_array(pixels.reshape(4, 8), "C"))
    reference.set_flags(cuda.TRSF_READ_AS_INTEGER)
    assert reference.get_flags() == cuda.TRSF_READ_AS_INTEGER
    module.get_function("read_whole")(cuda.Out(whole), block=(8, 1, 1), texrefs=[reference])
    assert list(whole) == list(range(8))


def test_helpers_that_bind(module):
    matrix = np.arange(32, dtype=np.float32).reshape(4, 8)
    reference = module.get_texref("plane")
    cuda.matrix_to_texref(matrix, reference, order="C")
    assert read_plane(module, reference, [(5.5, 2.5)]) == [matrix[2, 5]]
    cuda.bind_array_to_texref(cuda.matrix_to_array(matrix * 2, "C"), reference)
    assert read_plane(module, reference, [(5.5, 2.5)]) == [2 * matrix[2, 5]]
    line = module.get_texref("line")
    there = gpuarray.to_gpu(np.arange(8, dtype=np.float32))
    there.bind_to_texref(line)
    got = np.zeros(8, np.float32)
    module.get_function("read_line")(cuda.Out(got), np.int32(0), block=(8, 1, 1), texrefs=[line])
    assert list(got) == list(range(8))


def test_prepared_and_old_launches(module):
    matrix = np.arange(32, dtype=np.float32).reshape(4, 8)
    reference = module.get_texref("plane")
    cuda.matrix_to_texref(matrix, reference, order="C")
    function, got = module.get_function("read_plane"), cuda.mem_alloc(4)
    points = cuda.to_device(np.array([(5.5, 2.5)], np.float32))
    function.prepare("PP", texrefs=[reference])
    function.prepared_call((1, 1), (1, 1, 1), got, points)
    assert cuda.from_device(got, 1, np.float32)[0] == matrix[2, 5]
    function.param_set_texref(reference)


def test_a_reference_of_its_own(context):
    reference = cuda.TextureReference()
    reference.set_format(cuda.array_format.SIGNED_INT16, 2)
    assert reference.get_format() == (cuda.array_format.SIGNED_INT16, 2)


def test_surface(module):
    descriptor = cuda.ArrayDescriptor3D()
    descriptor.width, descriptor.height, descriptor.depth = 8, 2, 0
    descriptor.format, descriptor.num_channels, descriptor.flags = (
        cuda.array_format.FLOAT,
        1,
        cuda.array3d_flags.SURFACE_LDST,
    )
    array = cuda.Array(descriptor)
    reference = module.get_surfref("result")
    reference.set_array(array)
    assert reference.get_array().handle == array.handle
    module.get_function("write_result")(block=(8, 2, 1))
    got, copy = np.zeros((2, 8), np.float32), cuda.Memcpy2D()
    copy.set_src_array(array)
    copy.set_dst_host(got)
    copy.dst_pitch = copy.width_in_bytes = 32
    copy.height = 2
    copy(aligned=True)
    assert (got == np.arange(8) * 3.0).all()


# The reference's example: a texture and a surface over one array of np_to_array, in each type that its helpers know.
# What the texture reads at (i, j, k) goes back through the surface, negated, and is read again.
KINDS = {
    np.float32: ("float", "float"),
    np.float64: ("fp_tex_double", "double"),
    np.complex64: ("fp_tex_cfloat", "pycuda::complex<float>"),
    np.complex128: ("fp_tex_cdouble", "pycuda::complex<double>"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_np_to_array_example(context, kind):
    texture, value = KINDS[kind]
    module = SourceModule(
        """
    #include <pycuda-helpers.hpp>
    texture<TEXTURE, 3, cudaReadModeElementType> my_tex;
    surface<void, 3> my_surf;
    __global__ void negate(VALUE *seen) {
      const int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, at = (k * blockDim.y + j) * blockDim.x + i;
      seen[at] = fp_tex3D(my_tex, i, j, k);
      fp_surf3Dwrite(-seen[at], my_surf, i, j, k, cudaBoundaryModeClamp);
    }
    __global__ void read(VALUE *seen) {
      const int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z, at = (k * blockDim.y + j) * blockDim.x + i;
      VALUE there = 0;
      fp_surf3Dread(&there, my_surf, i, j, k, cudaBoundaryModeClamp);
      seen[at] = there;
    }
    """.replace(
            "TEXTURE", texture
        ).replace(
            "VALUE", value
        )
    )
    numbers = np.arange(2 * 3 * 4).reshape(2, 3, 4) + 0.25
    numbers = (numbers + 1j * (numbers - 7)).astype(kind) if np.iscomplexobj(kind()) else numbers.astype(kind)
    array = cuda.np_to_array(numbers, "C", allowSurfaceBind=True)
    reference, seen = module.get_texref("my_tex"), np.zeros_like(numbers)
    reference.set_array(array)
    module.get_surfref("my_surf").set_array(array)
    module.get_function("negate")(cuda.Out(seen), block=(4, 3, 2), texrefs=[reference])
    assert (seen == numbers).all()
    module.get_function("read")(cuda.Out(seen), block=(4, 3, 2))
    assert (seen == -numbers).all()
