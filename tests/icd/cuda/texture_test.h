// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of textures and surfaces share: kernels around one instruction, and arrays with content.
#pragma once

#include "tests/icd/cuda/cuda_test.h"

#include <array>
#include <cmath>
#include <cstring>

namespace us::cuda_test {

/// Four numbers of 32 bits: coordinates, or a texel.
struct Quad {
  std::array<uint32_t, 4> words{};
  static Quad floats(float x, float y = 0, float z = 0, float w = 0) {
    Quad q;
    const float values[] = {x, y, z, w};
    std::memcpy(q.words.data(), values, sizeof values);
    return q;
  }
  static Quad integers(int x, int y = 0, int z = 0, int w = 0) {
    Quad q;
    const int values[] = {x, y, z, w};
    std::memcpy(q.words.data(), values, sizeof values);
    return q;
  }
  float at(unsigned i) const {
    float value = 0;
    std::memcpy(&value, &words[i], 4);
    return value;
  }
  bool operator==(const Quad &) const = default;
};

class CudaTextures : public Cuda {
protected:
  /// A kernel of one thread per element: %rd0 is a handle, %f0 to %f3 and %r0 to %r3 are its coordinates, %r10 to %r13
  /// its result.
  CUfunction kernel(const std::string &body, const std::string &globals = "") {
    const std::string text = kHead + globals + R"(
.visible .entry k(.param .u64 handle, .param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<4>;
  .reg .b32 %r<32>;
  .reg .f32 %f<16>;
  .reg .b64 %rd<16>;
  .reg .b16 %h<8>;
  mov.u32 %r20, %tid.x;
  ld.param.u32 %r21, [n];
  setp.ge.u32 %p0, %r20, %r21;
  @%p0 ret;
  ld.param.u64 %rd0, [handle];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mad.wide.u32 %rd1, %r20, 16, %rd1;
  mad.wide.u32 %rd2, %r20, 16, %rd2;
  ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd1];
)" + body + R"(
  st.global.v4.u32 [%rd2], {%r10, %r11, %r12, %r13};
  ret;
}
)";
    module = load(text);
    return module ? function(module, "k") : nullptr;
  }
  /// "tex.2d.v4.f32.f32" with its result in %r10 to %r13.
  CUfunction read(const std::string &instruction, const std::string &coordinates) {
    return kernel(instruction + " {%r10, %r11, %r12, %r13}, [%rd0, " + coordinates + "];");
  }

  std::vector<Quad> run(CUfunction function, uint64_t handle, const std::vector<Quad> &in,
                        CUresult expected = CUDA_SUCCESS) {
    CUdeviceptr from = upload(in), to = upload(std::vector<Quad>(in.size()));
    unsigned count = unsigned(in.size());
    void *parameters[] = {&handle, &from, &to, &count};
    EXPECT_OK(CU(cuLaunchKernel)(function, 1, 1, 1, count, 1, 1, 0, nullptr, parameters, nullptr));
    EXPECT_EQ(CU(cuCtxSynchronize)(), expected);
    return expected == CUDA_SUCCESS ? download<Quad>(to, in.size()) : std::vector<Quad>();
  }

  template <class T>
  CUarray array(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels, unsigned flags,
                const std::vector<T> &content) {
    CUDA_ARRAY3D_DESCRIPTOR d = {};
    d.Width = width;
    d.Height = height;
    d.Depth = depth;
    d.Format = format;
    d.NumChannels = channels;
    d.Flags = flags;
    CUarray made = nullptr;
    EXPECT_OK(CU(cuArray3DCreate_v2)(&made, &d));
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = content.data();
    copy.srcHeight = std::max<size_t>(height, 1);
    copy.srcPitch = content.size() * sizeof(T) / copy.srcHeight / std::max<size_t>(depth, 1);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = made;
    copy.WidthInBytes = copy.srcPitch;
    copy.Height = copy.srcHeight;
    copy.Depth = std::max<size_t>(depth, 1);
    EXPECT_OK(CU(cuMemcpy3D_v2)(&copy));
    return made;
  }

  static CUDA_RESOURCE_DESC resource(CUarray array) {
    CUDA_RESOURCE_DESC r = {};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = array;
    return r;
  }
  CUtexObject texture(const CUDA_RESOURCE_DESC &resource, CUaddress_mode mode, CUfilter_mode filter, unsigned flags,
                      std::array<float, 4> border = {}) {
    CUDA_TEXTURE_DESC t = {};
    for (CUaddress_mode &each : t.addressMode) each = mode;
    t.filterMode = filter;
    t.flags = flags;
    std::memcpy(t.borderColor, border.data(), sizeof t.borderColor);
    CUtexObject object = 0;
    EXPECT_OK(CU(cuTexObjectCreate)(&object, &resource, &t, nullptr));
    return object;
  }
  CUsurfObject surface(CUarray array) {
    const CUDA_RESOURCE_DESC r = resource(array);
    CUsurfObject object = 0;
    EXPECT_OK(CU(cuSurfObjectCreate)(&object, &r));
    return object;
  }

  CUmodule module = nullptr;
};

} // namespace us::cuda_test
