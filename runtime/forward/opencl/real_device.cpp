// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/real_device.h"

namespace us::forward {
namespace {

/// Every function that we call: a table with holes is no driver of 1.2.
const char *missingFunction(const cl_icd_dispatch &call) {
#define US_NEEDED(name)                                                                                                \
  if (!call.name) return #name;
  US_NEEDED(clCreateContext)
  US_NEEDED(clReleaseContext)
  US_NEEDED(clCreateCommandQueue)
  US_NEEDED(clReleaseCommandQueue)
  US_NEEDED(clFlush)
  US_NEEDED(clFinish)
  US_NEEDED(clCreateBuffer)
  US_NEEDED(clCreateSubBuffer)
  US_NEEDED(clReleaseMemObject)
  US_NEEDED(clEnqueueReadBuffer)
  US_NEEDED(clEnqueueReadBufferRect)
  US_NEEDED(clEnqueueWriteBuffer)
  US_NEEDED(clEnqueueWriteBufferRect)
  US_NEEDED(clEnqueueCopyBuffer)
  US_NEEDED(clEnqueueCopyBufferRect)
  US_NEEDED(clEnqueueFillBuffer)
  US_NEEDED(clRetainMemObject)
  US_NEEDED(clCreateImage)
  US_NEEDED(clGetSupportedImageFormats)
  US_NEEDED(clEnqueueReadImage)
  US_NEEDED(clEnqueueWriteImage)
  US_NEEDED(clEnqueueCopyImage)
  US_NEEDED(clEnqueueCopyImageToBuffer)
  US_NEEDED(clEnqueueCopyBufferToImage)
  US_NEEDED(clCreateSampler)
  US_NEEDED(clReleaseSampler)
  US_NEEDED(clCreateProgramWithSource)
  US_NEEDED(clCreateProgramWithBinary)
  US_NEEDED(clBuildProgram)
  US_NEEDED(clCompileProgram)
  US_NEEDED(clLinkProgram)
  US_NEEDED(clReleaseProgram)
  US_NEEDED(clGetProgramInfo)
  US_NEEDED(clGetProgramBuildInfo)
  US_NEEDED(clCreateKernel)
  US_NEEDED(clReleaseKernel)
  US_NEEDED(clSetKernelArg)
  US_NEEDED(clGetKernelInfo)
  US_NEEDED(clGetKernelArgInfo)
  US_NEEDED(clGetKernelWorkGroupInfo)
  US_NEEDED(clEnqueueNDRangeKernel)
  US_NEEDED(clEnqueueMarkerWithWaitList)
  US_NEEDED(clEnqueueBarrierWithWaitList)
  US_NEEDED(clWaitForEvents)
  US_NEEDED(clGetEventInfo)
  US_NEEDED(clGetEventProfilingInfo)
  US_NEEDED(clRetainEvent)
  US_NEEDED(clReleaseEvent)
#undef US_NEEDED
  return nullptr;
}

} // namespace

Expected<Ref<RealDevice>> RealDevice::create(const DriverPlatform &platform, cl_device_id device, bool owns) {
  if (const char *const missing = missingFunction(*platform.call))
    return fail(ErrorCode::DeviceNotAvailable, std::string("the driver has no function ") + missing);
  Ref<RealDevice> made(new RealDevice(platform, device, owns));
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform.id),
                                              0};
  cl_int code = CL_SUCCESS;
  made->context_ = platform.call->clCreateContext(properties, 1, &device, nullptr, nullptr, &code);
  US_CHECK(driverResult("clCreateContext", code));
  return made;
}

RealDevice::~RealDevice() {
  samplers_ = nullptr;
  if (context_) call().clReleaseContext(context_);
  if (owns_) call().clReleaseDevice(id_);
}

Expected<Ref<RealQueue>> RealQueue::create(Ref<RealDevice> device) {
  Ref<RealQueue> made(new RealQueue(std::move(device)));
  cl_int code = CL_SUCCESS;
  made->queue_ = made->call().clCreateCommandQueue(made->device_->context(), made->device_->id(), 0, &code);
  US_CHECK(driverResult("clCreateCommandQueue", code));
  return made;
}

Expected<void> RealQueue::takeTimes() {
  if (withoutTimes_) return {};
  cl_int code = CL_SUCCESS;
  const cl_command_queue with =
      call().clCreateCommandQueue(device_->context(), device_->id(), CL_QUEUE_PROFILING_ENABLE, &code);
  US_CHECK(driverResult("clCreateCommandQueue", code));
  // Order is kept across the two. The old one stays: somebody may be waiting in it.
  call().clFinish(queue());
  withoutTimes_ = queue_.exchange(with);
  return {};
}

RealQueue::~RealQueue() {
  if (withoutTimes_) call().clReleaseCommandQueue(withoutTimes_);
  if (queue_) call().clReleaseCommandQueue(queue_);
}

} // namespace us::forward
