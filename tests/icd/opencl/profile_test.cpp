// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pretended devices through the API (run with UNDERSTUDY_DEVICE=h200,rx7900xtx,mali-g610,understudy): each reports its
// limits, and what a real one could not do fails here.
#include "tests/icd/opencl/opencl_test.h"

#include <algorithm>
#include <cstdlib>

namespace us::test {
namespace {

#ifndef CL_DEVICE_WARP_SIZE_NV
#define CL_DEVICE_WARP_SIZE_NV 0x4003
#endif
#ifndef CL_DEVICE_WAVEFRONT_WIDTH_AMD
#define CL_DEVICE_WAVEFRONT_WIDTH_AMD 0x4043
#endif
constexpr cl_device_info kBoardName = 0x4038;

class Profile : public OpenCl {
protected:
  void SetUp() override {
    const char *words = std::getenv("UNDERSTUDY_DEVICE");
    if (!words || std::string(words) != "h200,rx7900xtx,mali-g610,understudy") GTEST_SKIP() << "run with other devices";
    OpenCl::SetUp();
    devices_ = ourDevices();
    ASSERT_EQ(4u, devices_.size());
    h200_ = devices_[0], amd_ = devices_[1], mali_ = devices_[2], own_ = devices_[3];
  }
  std::string text(cl_device_id of, cl_device_info query) { return askText(clGetDeviceInfo, query, of); }
  bool offers(cl_device_id of, const char *extension) {
    return (" " + text(of, CL_DEVICE_EXTENSIONS) + " ").find(std::string(" ") + extension + " ") != std::string::npos;
  }
  cl_int build(const char *source, std::string *log = nullptr) {
    cl_program program = makeProgram(source);
    cl_int result = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    if (log) *log = logOf(program);
    return result;
  }
  cl_kernel kernel(const char *source) { return makeKernel(buildProgram(source), "k"); }
  cl_int launch(cl_kernel kernel, std::vector<size_t> global, std::vector<size_t> local) {
    return clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  }
  std::vector<cl_device_id> devices_;
  cl_device_id h200_ = nullptr, amd_ = nullptr, mali_ = nullptr, own_ = nullptr;
};

TEST_F(Profile, StringsAndVendorQueries) {
  EXPECT_EQ("NVIDIA H200", text(h200_, CL_DEVICE_NAME));
  EXPECT_EQ("gfx1100", text(amd_, CL_DEVICE_NAME));
  EXPECT_EQ("Understudy", askText(clGetPlatformInfo, CL_PLATFORM_NAME, platform));
  for (cl_device_id one : devices_) EXPECT_NE(std::string::npos, text(one, CL_DRIVER_VERSION).find("Understudy"));
  EXPECT_EQ(32u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_WARP_SIZE_NV, h200_));
  EXPECT_EQ(32u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_WAVEFRONT_WIDTH_AMD, amd_));
  EXPECT_EQ("Radeon RX 7900 XTX", text(amd_, kBoardName));
  cl_uint value = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(amd_, CL_DEVICE_WARP_SIZE_NV, sizeof value, &value, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(h200_, CL_DEVICE_WAVEFRONT_WIDTH_AMD, sizeof value, &value, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(own_, CL_DEVICE_WARP_SIZE_NV, sizeof value, &value, nullptr));
  EXPECT_TRUE(offers(h200_, "cl_nv_device_attribute_query"));
  EXPECT_FALSE(offers(own_, "cl_nv_device_attribute_query"));
  EXPECT_FALSE(offers(h200_, "cl_khr_fp16"));
  EXPECT_FALSE(offers(mali_, "cl_khr_fp64"));
  EXPECT_EQ(cl_device_local_mem_type(CL_GLOBAL),
            ask<cl_device_local_mem_type>(clGetDeviceInfo, CL_DEVICE_LOCAL_MEM_TYPE, mali_));
  // The platform lists what all of its devices have.
  std::string common = askText(clGetPlatformInfo, CL_PLATFORM_EXTENSIONS, platform);
  EXPECT_EQ(std::string::npos, common.find("cl_khr_fp16"));
  EXPECT_NE(std::string::npos, common.find("cl_khr_icd"));
}

TEST_F(Profile, WorkGroupsAreTheRealDevices) {
  cl_kernel k = kernel("kernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }");
  cl_mem buffer = makeBuffer(8192);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_SUCCESS, launch(k, {1024}, {1024}));
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE, launch(k, {2048}, {2048}));
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE, launch(k, {1, 1, 128}, {1, 1, 128})); // 64 in dimension 2
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, launch(k, {1000}, {64}));            // no ragged groups
  EXPECT_TRUE(eventually([&] { return hasHeard("not a multiple of local size 64"); }));
  EXPECT_CL(CL_SUCCESS, launch(k, {1, 1, 2048}, {})); // chosen within the limits
  EXPECT_CL(CL_SUCCESS, launch(k, {1009}, {}));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(Profile, LocalAndConstantMemoryEnd) {
  cl_kernel k = kernel("kernel void k(global int *x, local int *l, constant int *c) { l[0] = c[0]; x[0] = l[0]; }");
  cl_mem buffer = makeBuffer(64), constants = makeBuffer(65536), tooMany = makeBuffer(65536 + 4);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(k, 1, 49152, nullptr));
  ASSERT_CL(clSetKernelArg(k, 2, sizeof constants, &constants));
  EXPECT_CL(CL_SUCCESS, launch(k, {1}, {1}));
  ASSERT_CL(clSetKernelArg(k, 1, 49153, nullptr));
  EXPECT_CL(CL_OUT_OF_RESOURCES, launch(k, {1}, {1}));
  ASSERT_CL(clSetKernelArg(k, 1, 16, nullptr));
  ASSERT_CL(clSetKernelArg(k, 2, sizeof tooMany, &tooMany));
  EXPECT_CL(CL_OUT_OF_RESOURCES, launch(k, {1}, {1}));
  EXPECT_TRUE(
      eventually([&] { return hasHeard("is a constant buffer of 65540 bytes, NVIDIA H200 has at most 65536"); }));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(Profile, ProgramsBeyondTheDeviceDoNotBuild) {
  std::string log;
  EXPECT_CL(CL_SUCCESS, build("constant int c[] = {1, 2, 3}; kernel void k(global int *x) { x[0] = c[x[1]]; }"));
  EXPECT_CL(CL_SUCCESS, build("kernel void k(global double *x) { x[0] *= 2; }"));
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build("kernel void k(global half *x) { x[0] = x[1] + (half)1; }", &log));
  std::string arguments, constants;
  for (int i = 0; i < 257; ++i) arguments += (i ? ", long16 a" : "long16 a") + std::to_string(i);
  for (int i = 0; i < 10; ++i) constants += ", constant int *c" + std::to_string(i);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(("kernel void k(" + arguments + ") {}").c_str(), &log));
  EXPECT_NE(std::string::npos, log.find("32764")) << log;
  // It reads depth images and names no extension for them.
  EXPECT_FALSE(offers(h200_, "cl_khr_depth_images"));
  EXPECT_CL(CL_SUCCESS,
            build("kernel void k(read_only image2d_depth_t i, read_only image2d_array_depth_t a, global float "
                  "*x) { x[0] = read_imagef(i, (int2)(0)) + read_imagef(a, (int4)(0)); }"));
  // It names 9 constant arguments, and must pass Khronos's get_kernel_arg_info, which has kernels of up to 128.
  EXPECT_CL(CL_SUCCESS, build(("kernel void k(global int *x" + constants + ") { x[0] = c0[0]; }").c_str()));
}

TEST_F(Profile, CoarseGrainMemoryOnly) {
  EXPECT_EQ(cl_device_svm_capabilities(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
            ask<cl_device_svm_capabilities>(clGetDeviceInfo, CL_DEVICE_SVM_CAPABILITIES, h200_));
  EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  EXPECT_TRUE(eventually([&] { return hasHeard("NVIDIA H200 has 0x1"); }));
  auto *x = static_cast<int *>(clSVMAlloc(context, 0, 64, 0));
  ASSERT_NE(nullptr, x);
  x[0] = 20;
  int host[16] = {}, zero = 0;
  cl_kernel k = kernel("kernel void k(global int *x) { x[0] += 1; }");
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, x));
  EXPECT_CL(CL_SUCCESS, launch(k, {1}, {}));
  EXPECT_CL(CL_SUCCESS,
            clEnqueueSVMMemcpy(queue, CL_TRUE, host, x, 64, 0, nullptr, nullptr)); // host memory is fine here
  EXPECT_EQ(21, host[0]);
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, host));
  EXPECT_CL(CL_INVALID_OPERATION, launch(k, {1}, {}));
  EXPECT_TRUE(eventually([&] { return hasHeard("cannot reach other memory of the host"); }));
  cl_bool yes = CL_TRUE;
  EXPECT_CL(CL_INVALID_OPERATION, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, host, &zero, 4, 64, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, host, 64, 0, nullptr, nullptr));
  clSVMFree(context, x);
}

TEST_F(Profile, ImagesEndWhereTheRealOnesDo) {
  if (!ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_IMAGE_SUPPORT, own_)) GTEST_SKIP() << "no device has images";
  EXPECT_EQ(0u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, h200_));
  EXPECT_EQ(16u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_SAMPLERS, amd_));
  const size_t widest = ask<size_t>(clGetDeviceInfo, CL_DEVICE_IMAGE2D_MAX_WIDTH, h200_);
  cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = widest + 1;
  description.image_height = 1;
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateImage(context, CL_MEM_READ_ONLY, &format, &description, nullptr, &error));
  EXPECT_CL(CL_INVALID_IMAGE_SIZE, error);
  // Not among the formats of NVIDIA's driver; nor are there 2D images in buffers.
  description.image_width = 4;
  format = {CL_ABGR, CL_UNORM_INT8};
  EXPECT_EQ(nullptr, clCreateImage(context, CL_MEM_READ_ONLY, &format, &description, nullptr, &error));
  EXPECT_CL(CL_IMAGE_FORMAT_NOT_SUPPORTED, error);
  format = {CL_RGBA, CL_UNORM_INT8};
  description.buffer = makeBuffer(4096);
  EXPECT_EQ(nullptr, clCreateImage(context, CL_MEM_READ_ONLY, &format, &description, nullptr, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
}

TEST_F(Profile, FormatsOfReadWriteImagesAreThoseOfDevicesThatHaveThem) {
  const auto formats = [](cl_device_id of) {
    cl_context context = clCreateContext(nullptr, 1, &of, nullptr, nullptr, nullptr);
    cl_uint count = 0;
    EXPECT_CL(CL_SUCCESS, clGetSupportedImageFormats(context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 0,
                                                     nullptr, &count));
    EXPECT_CL(CL_SUCCESS, clReleaseContext(context));
    return count;
  };
  EXPECT_EQ(0u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, h200_));
  EXPECT_EQ(0u, formats(h200_));
  EXPECT_NE(0u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, own_));
  EXPECT_NE(0u, formats(own_));
}

TEST_F(Profile, QueuesPartsAndAllocations) {
  cl_int error = 0;
  cl_context amd = keep(clCreateContext(nullptr, 1, &amd_, nullptr, nullptr, &error), clReleaseContext);
  EXPECT_EQ(nullptr, clCreateCommandQueue(amd, amd_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error));
  EXPECT_CL(CL_INVALID_QUEUE_PROPERTIES, error);
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  EXPECT_CL(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(h200_, equally, 0, nullptr, nullptr));
  const cl_ulong largest = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, h200_);
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, largest + 1, nullptr, &error));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, error);
  // Sub-buffers begin where the device can address them: every 512 bytes.
  cl_buffer_region region{256, 256};
  EXPECT_EQ(nullptr, clCreateSubBuffer(makeBuffer(4096), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  EXPECT_CL(CL_MISALIGNED_SUB_BUFFER_OFFSET, error);
}

TEST_F(Profile, OnlyWhoOffersImmutableMemoryTakesItsFlag) {
  for (cl_device_id one : devices_) {
    const bool offers = askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, one).find("cl_ext_immutable_memory_objects") !=
                        std::string::npos;
    cl_int error = 0;
    cl_context own = keep(clCreateContext(nullptr, 1, &one, nullptr, nullptr, &error), clReleaseContext);
    char host[64] = {};
    constexpr cl_mem_flags kImmutable = 1 << 6; // CL_MEM_IMMUTABLE_EXT
    cl_mem made = clCreateBuffer(own, kImmutable | CL_MEM_COPY_HOST_PTR, sizeof host, host, &error);
    EXPECT_CL(offers ? CL_SUCCESS : CL_INVALID_VALUE, error);
    if (made) keep(made, clReleaseMemObject);
  }
}

TEST_F(Profile, OnlyWhoOffersItMakesImagesOfEveryKindFromBuffers) {
  for (cl_device_id one : devices_) {
    const bool offers =
        askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, one).find("cl_ext_image_from_buffer") != std::string::npos;
    cl_int error = 0;
    cl_context own = keep(clCreateContext(nullptr, 1, &one, nullptr, nullptr, &error), clReleaseContext);
    cl_image_desc line{};
    line.image_type = CL_MEM_OBJECT_IMAGE1D;
    line.image_width = 16;
    line.mem_object = keep(clCreateBuffer(own, 0, 64, nullptr, &error), clReleaseMemObject);
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_mem made = clCreateImage(own, 0, &format, &line, nullptr, &error);
    EXPECT_CL(offers ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR, error);
    if (made) keep(made, clReleaseMemObject);
    // 1D images of buffers, which every version has, begin anywhere.
    alignas(16) static char host[128] = {};
    line.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    line.mem_object = keep(clCreateBuffer(own, CL_MEM_USE_HOST_PTR, 64, host + 1, &error), clReleaseMemObject);
    made = clCreateImage(own, 0, &format, &line, nullptr, &error);
    EXPECT_CL(offers ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : CL_SUCCESS, error);
    if (made) keep(made, clReleaseMemObject);
  }
}

TEST_F(Profile, OnlyWhoOffersMipmapsMakesThem) {
  for (cl_device_id one : devices_) {
    const bool has = offers(one, "cl_khr_mipmap_image");
    cl_int error = 0;
    cl_context own = keep(clCreateContext(nullptr, 1, &one, nullptr, nullptr, &error), clReleaseContext);
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc flat{};
    flat.image_type = CL_MEM_OBJECT_IMAGE2D;
    flat.image_width = flat.image_height = 4;
    for (cl_uint levels : {1u, 2u}) {
      flat.num_mip_levels = levels;
      cl_mem made = clCreateImage(own, 0, &format, &flat, nullptr, &error);
      EXPECT_CL(has ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR, error);
      if (made) keep(made, clReleaseMemObject);
    }
    const cl_sampler_properties list[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(own, list, &error);
    EXPECT_CL(has ? CL_SUCCESS : CL_INVALID_VALUE, error);
    if (sampler) keep(sampler, clReleaseSampler);
    sampler = keep(clCreateSampler(own, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &error), clReleaseSampler);
    cl_filter_mode mode = 0;
    EXPECT_CL(has ? CL_SUCCESS : CL_INVALID_VALUE,
              clGetSamplerInfo(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, sizeof mode, &mode, nullptr));
  }
}

TEST_F(Profile, OnlyWhoOffersCppForOpenClBuildsIt) {
  for (cl_device_id one : devices_) {
    const bool offers =
        askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, one).find("cl_ext_cxx_for_opencl") != std::string::npos;
    cl_int error = 0;
    cl_context own = keep(clCreateContext(nullptr, 1, &one, nullptr, nullptr, &error), clReleaseContext);
    const char *source = "kernel void k(global int *x) { auto y = 1; x[0] = y; }";
    cl_program program = keep(clCreateProgramWithSource(own, 1, &source, nullptr, &error), clReleaseProgram);
    EXPECT_CL(offers ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 0, nullptr, "-cl-std=CLC++", nullptr, nullptr));
    cl_version version = 0;
    EXPECT_CL(offers ? CL_SUCCESS : CL_INVALID_VALUE, clGetDeviceInfo(one, 0x4230, sizeof version, &version, nullptr));
  }
}

TEST_F(Profile, DevicesOfSeveralKindsWorkInOneContext) {
  cl_int error = 0;
  cl_context all = keep(clCreateContext(nullptr, 4, devices_.data(), nullptr, nullptr, &error), clReleaseContext);
  ASSERT_CL(error);
  const char *source = "kernel void k(global int *x) { x[get_global_id(0)] += 1; }";
  cl_program program = keep(clCreateProgramWithSource(all, 1, &source, nullptr, &error), clReleaseProgram);
  ASSERT_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  cl_kernel k = makeKernel(program, "k");
  int zeros[64] = {};
  cl_mem buffer = keep(clCreateBuffer(all, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &error), clReleaseMemObject);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof buffer, &buffer));
  for (cl_device_id one : devices_) {
    cl_command_queue q = keep(clCreateCommandQueue(all, one, 0, &error), clReleaseCommandQueue);
    size_t global = 64;
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(q, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr));
  }
  EXPECT_EQ(4, zeros[63]);
}

} // namespace
} // namespace us::test
