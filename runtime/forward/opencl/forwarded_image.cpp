// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_image.h"

#include "runtime/forward/opencl/image_format.h"

namespace us::forward {
namespace {

/// The sizes that the kind has; the pitches are the driver's affair.
cl_image_desc descriptionOf(const ImageDescription &image) {
  cl_image_desc description{};
  description.image_type = driversType(image.kind);
  description.image_width = image.width;
  description.image_height = image.height;
  description.image_depth = image.depth;
  description.image_array_size = image.arraySize;
  return description;
}

/// An image that shares its pixels with a buffer or another image of the driver's.
Expected<cl_mem> createFrom(const RealDevice &device, const ImageDescription &image, cl_mem source, bool hasPitch) {
  cl_image_desc description = descriptionOf(image);
  description.mem_object = source;
  if (hasPitch) description.image_row_pitch = image.rowPitch;
  const cl_image_format format = driversFormat(image.format);
  cl_int code = CL_SUCCESS;
  const cl_mem made = device.call().clCreateImage(device.context(), 0, &format, &description, nullptr, &code);
  US_CHECK(driverResult("clCreateImage", code));
  return made;
}

bool isWhole(const ImageDescription &image, const ImageDescription &memory) {
  return image.kind == memory.kind && image.format == memory.format && image.width == memory.width &&
         image.height == memory.height && image.depth == memory.depth && image.arraySize == memory.arraySize;
}

} // namespace

Expected<cl_mem> createDriversImage(const RealDevice &device, const ImageDescription &image) {
  const cl_image_desc description = descriptionOf(image);
  const cl_image_format format = driversFormat(image.format);
  cl_int code = CL_SUCCESS;
  // For every use, else for those that the driver has the format for: commands of the host may do either with each.
  for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY}) {
    const cl_mem made = device.call().clCreateImage(device.context(), flags, &format, &description, nullptr, &code);
    if (code == CL_SUCCESS) return made;
    if (code != CL_IMAGE_FORMAT_NOT_SUPPORTED) break;
  }
  return std::unexpected(driverError("clCreateImage", code));
}

Expected<std::unique_ptr<DeviceImage>> ForwardedImage::create(Ref<RealDevice> device, const ImageDescription &image,
                                                              MemoryPlace place) {
  if (!place.memory) return fail(ErrorCode::InvalidMemObject, "an image of memory that is not the device's");
  const ImageDescription *const whole = place.memory->image();
  cl_mem object = place.memory->object();
  if (whole && place.offset == 0 && isWhole(image, *whole)) {
    US_CHECK(driverResult("clRetainMemObject", device->call().clRetainMemObject(object)));
  } else if (whole) {
    US_TRY(object, createFrom(*device, image, object, false));
  } else if (image.kind == ImageKind::Image1DBuffer || image.kind == ImageKind::Image2D) {
    US_TRY(object, place.memory->objectFrom(place.offset));
    US_TRY(object, createFrom(*device, image, object, image.kind == ImageKind::Image2D));
  } else {
    return fail(ErrorCode::Unsupported, "images of this kind do not lie in a buffer");
  }
  return std::unique_ptr<DeviceImage>(new ForwardedImage(std::move(device), image, object));
}

} // namespace us::forward
