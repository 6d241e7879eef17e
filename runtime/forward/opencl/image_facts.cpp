// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/image_facts.h"

#include "runtime/forward/opencl/image_format.h"

#include <algorithm>

namespace us::forward {
namespace {

template <class T> T number(const RealDevice &device, cl_device_info what) {
  return deviceValue<T>(device.platform(), device.id(), what);
}

std::vector<ImageFormat> formatsFor(const RealDevice &device, cl_mem_flags flags, ImageKind kind) {
  const cl_mem_object_type type = driversType(kind);
  const auto ask = device.call().clGetSupportedImageFormats;
  cl_uint count = 0;
  if (ask(device.context(), flags, type, 0, nullptr, &count) != CL_SUCCESS || count > (1 << 16)) return {};
  std::vector<cl_image_format> theirs(count);
  if (count && ask(device.context(), flags, type, count, theirs.data(), nullptr) != CL_SUCCESS) return {};
  std::vector<ImageFormat> ours;
  for (const cl_image_format &format : theirs)
    if (const std::optional<ImageFormat> known = formatFrom(format); known && std::ranges::count(ours, *known) == 0)
      ours.push_back(*known);
  return ours;
}

} // namespace

void addImageFacts(const RealDevice &device, DeviceInfo &info) {
  if (!number<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) return;
  // 2D images have every format that any kind has; what the others lack are exceptions.
  info.formatsRead = formatsFor(device, CL_MEM_READ_ONLY, ImageKind::Image2D);
  info.formatsWrite = formatsFor(device, CL_MEM_WRITE_ONLY, ImageKind::Image2D);
  info.formatsReadWrite = formatsFor(device, CL_MEM_KERNEL_READ_AND_WRITE, ImageKind::Image2D);
  if (info.formatsRead.empty()) return;
  info.images = true;
  for (const ImageKind kind : {ImageKind::Image1D, ImageKind::Image1DBuffer, ImageKind::Image1DArray,
                               ImageKind::Image2DArray, ImageKind::Image3D}) {
    const std::vector<ImageFormat> has = formatsFor(device, CL_MEM_READ_ONLY, kind);
    for (const ImageFormat &format : info.formatsRead)
      if (std::ranges::count(has, format) == 0) info.formatExceptions.emplace_back(kind, format);
  }
  info.maxReadImageArguments = number<cl_uint>(device, CL_DEVICE_MAX_READ_IMAGE_ARGS);
  info.maxWriteImageArguments = number<cl_uint>(device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS);
  info.maxReadWriteImageArguments = number<cl_uint>(device, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS);
  info.maxSamplers = number<cl_uint>(device, CL_DEVICE_MAX_SAMPLERS);
  info.image2DMaxWidth = number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  info.image2DMaxHeight = number<size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  info.image3DMaxWidth = number<size_t>(device, CL_DEVICE_IMAGE3D_MAX_WIDTH);
  info.image3DMaxHeight = number<size_t>(device, CL_DEVICE_IMAGE3D_MAX_HEIGHT);
  info.image3DMaxDepth = number<size_t>(device, CL_DEVICE_IMAGE3D_MAX_DEPTH);
  info.imageMaxBufferSize = number<size_t>(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
  info.imageMaxArraySize = number<size_t>(device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  info.imagePitchAlignment = number<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  info.imageBaseAddressAlignment = number<cl_uint>(device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
}

} // namespace us::forward
