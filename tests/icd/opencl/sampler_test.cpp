// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers: creation by both calls, properties as given, queries, references.
#include "tests/icd/opencl/opencl_test.h"

#include <CL/cl_ext.h>

namespace us::test {
namespace {

class Samplers : public OpenCl {
protected:
  cl_sampler make(const cl_sampler_properties *properties) {
    cl_int error = 0;
    cl_sampler made = clCreateSamplerWithProperties(context, properties, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseSampler);
  }
  template <class T> T infoOf(cl_sampler sampler, cl_sampler_info name) {
    return ask<T>(clGetSamplerInfo, name, sampler);
  }
};

TEST_F(Samplers, clCreateSampler) {
  cl_int error = 0;
  auto fails = [&](cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    EXPECT_EQ(nullptr, clCreateSampler(context, normalized, addressing, filter, &error));
    EXPECT_CL(CL_INVALID_VALUE, error);
  };
  fails(CL_FALSE, CL_ADDRESS_CLAMP, 0x1234);
  fails(CL_FALSE, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST);
  fails(CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST);
  fails(5, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  EXPECT_EQ(nullptr, clCreateSampler(reinterpret_cast<cl_context>(queue), CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST,
                                     &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
  for (cl_addressing_mode addressing = CL_ADDRESS_NONE; addressing <= CL_ADDRESS_MIRRORED_REPEAT; ++addressing)
    for (cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR})
      for (cl_bool normalized : {CL_FALSE, CL_TRUE}) {
        cl_sampler sampler = keep(clCreateSampler(context, normalized, addressing, filter, &error), clReleaseSampler);
        EXPECT_EQ(normalized, infoOf<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS));
        EXPECT_EQ(addressing, infoOf<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE));
        EXPECT_EQ(filter, infoOf<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE));
      }
}

TEST_F(Samplers, clCreateSamplerWithProperties) {
  cl_int error = 0;
  auto fails = [&](std::vector<cl_sampler_properties> properties) {
    properties.push_back(0);
    EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, properties.data(), &error));
    EXPECT_CL(CL_INVALID_VALUE, error);
  };
  fails({0x1234, 1});
  fails({CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP});
  fails({CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR});
  fails({CL_SAMPLER_NORMALIZED_COORDS, 2});
  fails({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR});

  // The defaults: normalized, clamped to the border colour, nearest.
  for (const cl_sampler_properties *given : {static_cast<const cl_sampler_properties *>(nullptr)}) {
    cl_sampler sampler = make(given);
    EXPECT_EQ(cl_bool(CL_TRUE), infoOf<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS));
    EXPECT_EQ(cl_addressing_mode(CL_ADDRESS_CLAMP), infoOf<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE));
    EXPECT_EQ(cl_filter_mode(CL_FILTER_NEAREST), infoOf<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE));
  }
  const cl_sampler_properties some[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_NORMALIZED_COORDS,
                                        CL_FALSE, 0};
  cl_sampler sampler = make(some);
  EXPECT_EQ(cl_bool(CL_FALSE), infoOf<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS));
  EXPECT_EQ(cl_filter_mode(CL_FILTER_LINEAR), infoOf<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE));
}

TEST_F(Samplers, clGetSamplerInfo) {
  using List = std::vector<cl_sampler_properties>;
  const List given = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  const cl_sampler_properties none[] = {0};
  const auto listOf = [](cl_sampler sampler) {
    return askList<cl_sampler_properties>(clGetSamplerInfo, CL_SAMPLER_PROPERTIES, sampler);
  };
  EXPECT_EQ(given, listOf(make(given.data())));
  EXPECT_EQ(List{0}, listOf(make(none)));
  EXPECT_EQ(List{}, listOf(make(nullptr)));
  cl_int error = 0;
  cl_sampler old =
      keep(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error), clReleaseSampler);
  EXPECT_EQ(List{}, listOf(old));
  EXPECT_EQ(context, infoOf<cl_context>(old, CL_SAMPLER_CONTEXT));
  EXPECT_CL(CL_INVALID_VALUE, clGetSamplerInfo(old, 0x4444, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_SAMPLER,
            clGetSamplerInfo(reinterpret_cast<cl_sampler>(queue), CL_SAMPLER_CONTEXT, 0, nullptr, nullptr));
}

TEST_F(Samplers, clRetainSampler) {
  cl_sampler sampler = make(nullptr);
  EXPECT_EQ(1u, infoOf<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT));
  EXPECT_CL(CL_SUCCESS, clRetainSampler(sampler));
  EXPECT_EQ(2u, infoOf<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT));
  EXPECT_CL(CL_SUCCESS, clReleaseSampler(sampler));
  EXPECT_CL(CL_INVALID_SAMPLER, clRetainSampler(reinterpret_cast<cl_sampler>(queue)));
}

TEST_F(Samplers, clReleaseSampler) {
  cl_int error = 0;
  cl_sampler sampler = clCreateSamplerWithProperties(context, nullptr, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseSampler(sampler));
  EXPECT_CL(CL_INVALID_SAMPLER, clReleaseSampler(sampler));
  EXPECT_CL(CL_INVALID_SAMPLER, clReleaseSampler(nullptr));
}

} // namespace
} // namespace us::test
