// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references: variables of a module that the host binds. The codes are an H200's.
#include "tests/icd/cuda/texture_test.h"

#include <atomic>
#include <numeric>
#include <thread>

namespace us::cuda_test {
namespace {

constexpr CUresult kBad = CUDA_ERROR_INVALID_VALUE;

TEST_F(CudaTextures, freshReference) {
  CUtexref reference = nullptr;
  ASSERT_OK(CU(cuTexRefCreate)(&reference));
  EXPECT_EQ(CU(cuTexRefCreate)(nullptr), kBad);
  CUdeviceptr pointer = 0;
  CUarray bound = nullptr;
  CUaddress_mode mode = CU_TR_ADDRESS_MODE_WRAP;
  CUfilter_mode filter = CU_TR_FILTER_MODE_LINEAR;
  CUarray_format format = CU_AD_FORMAT_HALF;
  int channels = 0, anisotropy = 5;
  unsigned flags = 7;
  float color[4] = {9, 9, 9, 9}, bias = 9, least = 9, most = 9;
  EXPECT_EQ(CU(cuTexRefGetAddress_v2)(&pointer, reference), kBad);
  EXPECT_EQ(CU(cuTexRefGetArray)(&bound, reference), kBad);
  EXPECT_OK(CU(cuTexRefGetAddressMode)(&mode, reference, 2));
  EXPECT_EQ(mode, CU_TR_ADDRESS_MODE_CLAMP);
  EXPECT_EQ(CU(cuTexRefGetAddressMode)(&mode, reference, 3), kBad);
  EXPECT_OK(CU(cuTexRefGetFilterMode)(&filter, reference));
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_POINT);
  EXPECT_OK(CU(cuTexRefGetFormat)(&format, &channels, reference));
  EXPECT_EQ(format, CU_AD_FORMAT_FLOAT);
  EXPECT_EQ(channels, 1);
  EXPECT_OK(CU(cuTexRefGetFlags)(&flags, reference));
  EXPECT_EQ(flags, 0u);
  EXPECT_OK(CU(cuTexRefGetBorderColor)(color, reference));
  EXPECT_EQ(color[3], 0);
  EXPECT_OK(CU(cuTexRefGetMaxAnisotropy)(&anisotropy, reference));
  EXPECT_EQ(anisotropy, 0);
  EXPECT_OK(CU(cuTexRefGetMipmapFilterMode)(&filter, reference));
  EXPECT_OK(CU(cuTexRefGetMipmapLevelBias)(&bias, reference));
  EXPECT_OK(CU(cuTexRefGetMipmapLevelClamp)(&least, &most, reference));
  EXPECT_EQ(bias + least + most, 0);
  EXPECT_OK(CU(cuTexRefDestroy)(reference));
  EXPECT_EQ(CU(cuTexRefDestroy)(reference), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuTexRefGetFlags)(&flags, reference), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(CudaTextures, gettersReturnWhatWasSet) {
  CUtexref reference = nullptr;
  ASSERT_OK(CU(cuTexRefCreate)(&reference));
  EXPECT_OK(CU(cuTexRefSetFormat)(reference, CU_AD_FORMAT_HALF, 4));
  EXPECT_OK(CU(cuTexRefSetAddressMode)(reference, 1, CU_TR_ADDRESS_MODE_MIRROR));
  EXPECT_OK(CU(cuTexRefSetFilterMode)(reference, CU_TR_FILTER_MODE_LINEAR));
  EXPECT_OK(CU(cuTexRefSetFlags)(reference, CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER));
  float wanted[4] = {1, 2, 3, 4};
  EXPECT_OK(CU(cuTexRefSetBorderColor)(reference, wanted));
  EXPECT_OK(CU(cuTexRefSetMaxAnisotropy)(reference, 4));
  EXPECT_OK(CU(cuTexRefSetMipmapFilterMode)(reference, CU_TR_FILTER_MODE_LINEAR));
  EXPECT_OK(CU(cuTexRefSetMipmapLevelBias)(reference, 0.5f));
  EXPECT_OK(CU(cuTexRefSetMipmapLevelClamp)(reference, 0.25f, 2));
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  int channels = 0, anisotropy = 0;
  EXPECT_OK(CU(cuTexRefGetFormat)(&format, &channels, reference));
  EXPECT_EQ(format, CU_AD_FORMAT_HALF);
  EXPECT_EQ(channels, 4);
  CUaddress_mode mode = CU_TR_ADDRESS_MODE_WRAP;
  EXPECT_OK(CU(cuTexRefGetAddressMode)(&mode, reference, 1));
  EXPECT_EQ(mode, CU_TR_ADDRESS_MODE_MIRROR);
  CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
  EXPECT_OK(CU(cuTexRefGetFilterMode)(&filter, reference));
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  EXPECT_OK(CU(cuTexRefGetMipmapFilterMode)(&filter, reference));
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  unsigned flags = 0;
  EXPECT_OK(CU(cuTexRefGetFlags)(&flags, reference));
  EXPECT_EQ(flags, 3u);
  float color[4] = {}, bias = 0, least = 0, most = 0;
  EXPECT_OK(CU(cuTexRefGetBorderColor)(color, reference));
  EXPECT_EQ(color[2], 3);
  EXPECT_OK(CU(cuTexRefGetMaxAnisotropy)(&anisotropy, reference));
  EXPECT_EQ(anisotropy, 4);
  EXPECT_OK(CU(cuTexRefGetMipmapLevelBias)(&bias, reference));
  EXPECT_EQ(bias, 0.5f);
  EXPECT_OK(CU(cuTexRefGetMipmapLevelClamp)(&least, &most, reference));
  EXPECT_EQ(least, 0.25f);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(CU(cuTexRefSetFormat)(reference, CU_AD_FORMAT_HALF, 3), kBad);
  EXPECT_EQ(CU(cuTexRefSetFormat)(reference, CUarray_format(5), 1), kBad);
  EXPECT_EQ(CU(cuTexRefSetAddressMode)(reference, 3, CU_TR_ADDRESS_MODE_WRAP), kBad);
  EXPECT_EQ(CU(cuTexRefSetAddressMode)(reference, 0, CUaddress_mode(8)), kBad);
  EXPECT_EQ(CU(cuTexRefSetFilterMode)(reference, CUfilter_mode(8)), kBad);
  EXPECT_EQ(CU(cuTexRefSetFlags)(reference, 0x1000), kBad);
  EXPECT_OK(CU(cuTexRefDestroy)(reference));
}

TEST_F(CudaTextures, whatReferencesAreBoundTo) {
  CUtexref reference = nullptr;
  ASSERT_OK(CU(cuTexRefCreate)(&reference));
  const CUdeviceptr memory = allocate(8192);
  size_t offset = 77;
  CUdeviceptr pointer = 0;
  CUarray bound = nullptr;
  EXPECT_OK(CU(cuTexRefSetAddress_v2)(&offset, reference, memory, 64));
  EXPECT_EQ(offset, 0u);
  // What is not aligned is bound before it, and the offset says by how much.
  EXPECT_OK(CU(cuTexRefSetAddress_v2)(&offset, reference, memory + 532, 64));
  EXPECT_EQ(offset, 20u);
  EXPECT_OK(CU(cuTexRefGetAddress_v2)(&pointer, reference));
  EXPECT_EQ(pointer, memory + 512);
  EXPECT_EQ(CU(cuTexRefSetAddress_v2)(nullptr, reference, memory + 20, 64), kBad);
  EXPECT_OK(CU(cuTexRefSetAddress_v2)(nullptr, reference, memory, 64));
  EXPECT_EQ(CU(cuTexRefSetAddress_v2)(&offset, reference, memory, size_t(1) << 36), kBad);
  EXPECT_EQ(CU(cuTexRefGetArray)(&bound, reference), kBad);

  const CUarray a = array(4, 2, 0, CU_AD_FORMAT_HALF, 2, 0, std::vector<uint16_t>(16));
  EXPECT_OK(CU(cuTexRefSetArray)(reference, a, CU_TRSA_OVERRIDE_FORMAT));
  EXPECT_OK(CU(cuTexRefGetArray)(&bound, reference));
  EXPECT_EQ(bound, a);
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  int channels = 0;
  EXPECT_OK(CU(cuTexRefGetFormat)(&format, &channels, reference));
  EXPECT_EQ(format, CU_AD_FORMAT_HALF);
  EXPECT_EQ(channels, 2);
  EXPECT_EQ(CU(cuTexRefGetAddress_v2)(&pointer, reference), kBad);
  EXPECT_EQ(CU(cuTexRefSetArray)(reference, a, 2), kBad);
  EXPECT_EQ(CU(cuTexRefSetArray)(reference, nullptr, 1), CUDA_ERROR_INVALID_HANDLE);

  const CUDA_ARRAY_DESCRIPTOR plane = {8, 4, CU_AD_FORMAT_FLOAT, 1};
  EXPECT_OK(CU(cuTexRefSetAddress2D_v3)(reference, &plane, memory, 32));
  EXPECT_OK(CU(cuTexRefGetAddress_v2)(&pointer, reference));
  EXPECT_EQ(pointer, memory);
  EXPECT_OK(CU(cuTexRefGetFormat)(&format, &channels, reference));
  EXPECT_EQ(format, CU_AD_FORMAT_FLOAT);
  for (const size_t pitch : {36, 48, 16})
    EXPECT_EQ(CU(cuTexRefSetAddress2D_v3)(reference, &plane, memory, pitch), kBad);
  EXPECT_EQ(CU(cuTexRefSetAddress2D_v3)(reference, &plane, memory + 16, 64), kBad);
  EXPECT_OK(CU(cuTexRefSetAddress2D_v2)(reference, &plane, memory, 36)); // the older form took any pitch
  EXPECT_OK(CU(cuTexRefDestroy)(reference));
}

const std::string kReferences = R"(
.global .texref image;
.global .texref bytes;
.global .texref fixed = { addr_mode_0 = clamp_to_border, addr_mode_1 = mirror, filter_mode = linear, normalized_coords = 1 };
.global .surfref result;
.global .u32 number;
)";

TEST_F(CudaTextures, namesOfReferences) {
  kernel("mov.u64 %rd3, image;", kReferences);
  CUtexref one = nullptr, two = nullptr;
  CUsurfref surface = nullptr, again = nullptr;
  EXPECT_OK(CU(cuModuleGetTexRef)(&one, module, "image"));
  EXPECT_OK(CU(cuModuleGetTexRef)(&two, module, "image"));
  EXPECT_EQ(one, two);
  EXPECT_OK(CU(cuModuleGetSurfRef)(&surface, module, "result"));
  EXPECT_OK(CU(cuModuleGetSurfRef)(&again, module, "result"));
  EXPECT_EQ(surface, again);
  for (const char *name : {"result", "number", "nothing"})
    EXPECT_EQ(CU(cuModuleGetTexRef)(&two, module, name), CUDA_ERROR_NOT_FOUND) << name;
  EXPECT_EQ(CU(cuModuleGetSurfRef)(&surface, module, "image"), CUDA_ERROR_NOT_FOUND);
  CUdeviceptr pointer = 0;
  size_t size = 0;
  EXPECT_NE(CU(cuModuleGetGlobal_v2)(&pointer, &size, module, "image"), CUDA_SUCCESS);
  // What the text of a variable says of its sampler.
  CUtexref fixed = nullptr;
  EXPECT_OK(CU(cuModuleGetTexRef)(&fixed, module, "fixed"));
  CUaddress_mode mode = CU_TR_ADDRESS_MODE_WRAP;
  EXPECT_OK(CU(cuTexRefGetAddressMode)(&mode, fixed, 0));
  EXPECT_EQ(mode, CU_TR_ADDRESS_MODE_BORDER);
  EXPECT_OK(CU(cuTexRefGetAddressMode)(&mode, fixed, 1));
  EXPECT_EQ(mode, CU_TR_ADDRESS_MODE_MIRROR);
  CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
  EXPECT_OK(CU(cuTexRefGetFilterMode)(&filter, fixed));
  EXPECT_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  // A module takes its references with it.
  EXPECT_OK(CU(cuModuleUnload)(module));
  EXPECT_EQ(CU(cuTexRefSetFlags)(one, 0), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(CudaTextures, readsThroughReferences) {
  std::vector<float> values(15);
  std::iota(values.begin(), values.end(), 1.0f);
  const CUarray first = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  for (float &value : values) value += 100;
  const CUarray second = array(5, 3, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  // By name, and by the handle that the name stands for.
  const CUfunction reads = kernel(R"(
  tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [image, {%f0, %f1}];
  mov.b32 %r10, %f4;
  mov.u64 %rd3, image;
  tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd3, {%f1, %f0}];
  mov.b32 %r11, %f4;
  tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [bytes, {%r3}];
  mov.b32 %r12, %f4;
  mov.b32 %r13, %f7;)",
                                  kReferences);
  CUtexref image = nullptr, bytes = nullptr;
  ASSERT_OK(CU(cuModuleGetTexRef)(&image, module, "image"));
  ASSERT_OK(CU(cuModuleGetTexRef)(&bytes, module, "bytes"));
  Quad at = Quad::floats(3.5f, 1.5f);
  at.words[3] = 2;
  EXPECT_EQ(run(reads, 0, {at})[0], Quad()); // nothing is bound
  EXPECT_OK(CU(cuTexRefSetArray)(image, first, CU_TRSA_OVERRIDE_FORMAT));
  EXPECT_OK(CU(cuTexRefSetFormat)(bytes, CU_AD_FORMAT_UNSIGNED_INT8, 4));
  const CUdeviceptr memory = upload(std::vector<unsigned char>{1, 2, 3, 4, 5, 6, 7, 8, 51, 102, 153, 255});
  EXPECT_OK(CU(cuTexRefSetAddress_v2)(nullptr, bytes, memory, 12));
  EXPECT_OK(CU(cuParamSetTexRef)(reads, CU_PARAM_TR_DEFAULT, image));
  EXPECT_EQ(CU(cuParamSetTexRef)(reads, 0, image), kBad);
  EXPECT_EQ(run(reads, 0, {at})[0], Quad::floats(9, 12, 0.2f, 1));
  // A launch reads what was bound before it.
  CUdeviceptr in = upload(std::vector{at}), out = upload(std::vector<Quad>(1));
  unsigned count = 1;
  uint64_t none = 0;
  void *parameters[] = {&none, &in, &out, &count};
  EXPECT_OK(CU(cuLaunchKernel)(reads, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_OK(CU(cuTexRefSetArray)(image, second, CU_TRSA_OVERRIDE_FORMAT));
  EXPECT_OK(CU(cuTexRefSetFlags)(bytes, CU_TRSF_READ_AS_INTEGER));
  const std::vector<Quad> after = run(reads, 0, {at});
  EXPECT_EQ(download<Quad>(out, 1)[0].at(0), 9);
  EXPECT_EQ(after[0].at(0), 109);
  EXPECT_EQ(after[0].words[2], 51u);
}

// What is bound for one launch is another's business: none waits for the other on the host, in whatever streams they
// are.
TEST_F(CudaTextures, bindingsFollowTheLaunches) {
  const CUarray arrays[] = {array(4, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0, std::vector<float>(4, 1)),
                            array(4, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0, std::vector<float>(4, 2))};
  const CUfunction reads = kernel(R"(
  tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [image, {%f0, %f1}];
  mov.b32 %r10, %f4;)",
                                  kReferences);
  CUtexref image = nullptr;
  ASSERT_OK(CU(cuModuleGetTexRef)(&image, module, "image"));
  CUstream streams[2] = {};
  for (CUstream &stream : streams) ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  std::atomic<bool> goesOn{false};
  const CUhostFn waits = [](void *goesOn) {
    while (!*static_cast<std::atomic<bool> *>(goesOn)) std::this_thread::yield();
  };
  ASSERT_OK(CU(cuLaunchHostFunc)(streams[0], waits, &goesOn));
  constexpr unsigned kLaunches = 6;
  CUdeviceptr in = upload(std::vector{Quad::floats(0.5f, 0.5f)}), out = upload(std::vector<Quad>(kLaunches));
  unsigned count = 1;
  uint64_t none = 0;
  for (unsigned i = 0; i < kLaunches; ++i) {
    CUdeviceptr to = out + i * sizeof(Quad);
    void *parameters[] = {&none, &in, &to, &count};
    EXPECT_OK(CU(cuTexRefSetArray)(image, arrays[i % 2], CU_TRSA_OVERRIDE_FORMAT));
    EXPECT_OK(CU(cuLaunchKernel)(reads, 1, 1, 1, 1, 1, 1, 0, streams[i / 2 % 2], parameters, nullptr));
  }
  EXPECT_EQ(CU(cuStreamQuery)(streams[1]), CUDA_ERROR_NOT_READY); // behind what the function holds
  goesOn = true;
  EXPECT_OK(CU(cuCtxSynchronize)());
  const std::vector<Quad> results = download<Quad>(out, kLaunches);
  for (unsigned i = 0; i < kLaunches; ++i) EXPECT_EQ(results[i].at(0), float(i % 2 + 1)) << i;
}

TEST_F(CudaTextures, surfacesThroughReferences) {
  const CUarray plain = array(4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0, std::vector<uint32_t>(8));
  const CUarray a = array(4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST,
                          std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
  const CUfunction doubles = kernel(R"(
  suld.b.2d.b32.trap {%r10}, [result, {%r0, %r1}];
  add.u32 %r11, %r10, %r10;
  sust.b.2d.b32.trap [result, {%r0, %r1}], {%r11};)",
                                    kReferences);
  CUsurfref result = nullptr;
  ASSERT_OK(CU(cuModuleGetSurfRef)(&result, module, "result"));
  CUarray bound = nullptr;
  EXPECT_EQ(CU(cuSurfRefGetArray)(&bound, result), kBad);
  EXPECT_EQ(CU(cuSurfRefSetArray)(result, plain, 0), kBad); // made without SURFACE_LDST
  EXPECT_EQ(CU(cuSurfRefSetArray)(result, a, 1), kBad);
  EXPECT_OK(CU(cuSurfRefSetArray)(result, a, 0));
  EXPECT_OK(CU(cuSurfRefGetArray)(&bound, result));
  EXPECT_EQ(bound, a);
  EXPECT_EQ(run(doubles, 0, {Quad::integers(8, 0)})[0], Quad::integers(3, 6));
  EXPECT_EQ(run(doubles, 0, {Quad::integers(8, 0)})[0], Quad::integers(6, 12));
}

/// Independent mode: the sampler is a variable of its own.
TEST_F(CudaTextures, independentSamplers) {
  const std::vector<float> values = {1, 2, 3, 4};
  const CUarray a = array(4, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, values);
  const CUfunction reads = kernel(R"(
  tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [image, nearest, {%f0}];
  mov.b32 %r10, %f4;
  tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [image, linear, {%f0}];
  mov.b32 %r11, %f4;
  txq.filter_mode.b32 %r12, [linear];)",
                                  R"(
.global .texref image;
.global .samplerref nearest = { filter_mode = nearest, addr_mode_0 = clamp_to_edge };
.global .samplerref linear = { filter_mode = linear, addr_mode_0 = wrap, normalized_coords = 1 };
)");
  CUtexref image = nullptr;
  ASSERT_OK(CU(cuModuleGetTexRef)(&image, module, "image"));
  EXPECT_OK(CU(cuTexRefSetArray)(image, a, CU_TRSA_OVERRIDE_FORMAT));
  const Quad got = run(reads, 0, {Quad::floats(1)})[0];
  EXPECT_EQ(got.at(0), 2);     // texel 1
  EXPECT_EQ(got.at(1), 2.5f);  // 1.0 is 0.0, between the last and the first
  EXPECT_EQ(got.words[2], 1u); // linear
}

} // namespace
} // namespace us::cuda_test
