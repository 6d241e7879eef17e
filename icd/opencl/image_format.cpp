// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetSupportedImageFormats, and what it shares with the creation of images.
#include "icd/opencl/image_format.h"

#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"
#include "runtime/core/image.h"

#include <algorithm>

namespace us::opencl {
namespace {

// The runtime's numbers are the API's, counted from these.
constexpr cl_channel_order kFirstOrder = CL_R;
constexpr cl_channel_type kFirstType = CL_SNORM_INT8;
static_assert(kFirstOrder + static_cast<uint32_t>(ChannelOrder::RGBA) == CL_RGBA);
static_assert(kFirstOrder + static_cast<uint32_t>(ChannelOrder::Depth) == CL_DEPTH);
static_assert(kFirstOrder + static_cast<uint32_t>(ChannelOrder::ABGR) == CL_ABGR);
static_assert(kFirstType + static_cast<uint32_t>(ChannelType::SignedInt8) == CL_SIGNED_INT8);
static_assert(kFirstType + static_cast<uint32_t>(ChannelType::Float) == CL_FLOAT);
static_assert(kFirstType + static_cast<uint32_t>(ChannelType::UnormInt101010_2) == CL_UNORM_INT_101010_2);

struct KindRow {
  cl_mem_object_type type;
  ImageKind kind;
};
constexpr KindRow kKindRows[] = {
    {CL_MEM_OBJECT_IMAGE1D, ImageKind::Image1D},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, ImageKind::Image1DBuffer},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, ImageKind::Image1DArray},
    {CL_MEM_OBJECT_IMAGE2D, ImageKind::Image2D},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, ImageKind::Image2DArray},
    {CL_MEM_OBJECT_IMAGE3D, ImageKind::Image3D},
};

} // namespace

Expected<ImageFormat> imageFormatFrom(const cl_image_format *format) {
  // "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if image_format is NULL"
  if (!format) return fail(ErrorCode::InvalidImageFormatDescriptor, "the image format is NULL");
  // "if values specified in image_format are not valid"
  const uint32_t order = format->image_channel_order - kFirstOrder, type = format->image_channel_data_type - kFirstType;
  ImageFormat known{static_cast<ChannelOrder>(order), static_cast<ChannelType>(type)};
  if (order > UINT8_MAX || type > UINT8_MAX || !core::isImageFormat(known))
    return fail(ErrorCode::InvalidImageFormatDescriptor,
                icd::format("the channel order {:#x} and the channel type {:#x} make no image format",
                            format->image_channel_order, format->image_channel_data_type));
  // "CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support image_format": none ever will.
  if (core::pixelSize(known) == 0)
    return fail(ErrorCode::ImageFormatNotSupported,
                icd::format("images of channel order {:#x} are not supported", format->image_channel_order));
  return known;
}

cl_image_format imageFormatOf(const ImageFormat &format) {
  return {kFirstOrder + static_cast<cl_channel_order>(format.order),
          kFirstType + static_cast<cl_channel_type>(format.type)};
}

std::optional<ImageKind> imageKindFrom(cl_mem_object_type type) {
  for (const KindRow &row : kKindRows)
    if (row.type == type) return row.kind;
  return std::nullopt;
}

bool formatSuits(const ImageFormat &format, ImageKind kind) {
  // "If the kernel argument is a 2D depth image ...", "a 2D depth image array": there are no other depth images.
  return format.order != ChannelOrder::Depth || kind == ImageKind::Image2D || kind == ImageKind::Image2DArray;
}

std::vector<ImageFormat> formatsFor(const DeviceInfo &device, cl_mem_flags flags, ImageKind kind) {
  if (!device.images) return {};
  // "flags may be CL_MEM_READ_WRITE to query image formats that may be read from and written to by different
  // kernel-instances ..., or CL_MEM_READ_ONLY ..., or CL_MEM_WRITE_ONLY ..., or CL_MEM_KERNEL_READ_AND_WRITE to query
  // image formats that may be both read from and written to by the same kernel instance."
  // "flags may also be CL_MEM_IMMUTABLE_EXT to query image formats that may be used to create immutable images."
  const bool sameKernel = flags & CL_MEM_KERNEL_READ_AND_WRITE,
             reads = flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT), writes = flags & CL_MEM_WRITE_ONLY;
  // "Returns an empty set ..., indicating that no image formats are supported for reading and writing in the same
  // kernel, if no devices in context support read-write images."
  if (sameKernel && device.maxReadWriteImageArguments == 0) return {};
  auto has = [](const std::vector<ImageFormat> &list, const ImageFormat &format) {
    return std::find(list.begin(), list.end(), format) != list.end();
  };
  std::vector<ImageFormat> formats;
  for (const ImageFormat &format :
       sameKernel ? device.formatsReadWrite : (writes ? device.formatsWrite : device.formatsRead))
    if (formatSuits(format, kind) && std::ranges::count(device.formatExceptions, std::pair(kind, format)) == 0 &&
        (sameKernel || reads || writes || has(device.formatsWrite, format)))
      formats.push_back(format);
  return formats;
}

// clGetSupportedImageFormats
Expected<void> getSupportedImageFormats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type, cl_uint entries,
                                        cl_image_format *formats, cl_uint *count) {
  // "CL_INVALID_CONTEXT if context is not a valid context"
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_VALUE if flags is not valid"
  US_CHECK(checkMemoryFlags(context, flags & ~cl_mem_flags(CL_MEM_KERNEL_READ_AND_WRITE)));
  // "if image_type is not valid"
  std::optional<ImageKind> kind = imageKindFrom(type);
  if (!kind) return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no image type", type));
  // "if num_entries is zero and image_formats is not NULL"
  if (entries == 0 && formats) return fail(ErrorCode::InvalidValue, "no room for formats was given");
  // "clGetSupportedImageFormats returns a union of image formats supported by all devices in the context."
  std::vector<ImageFormat> all;
  for (const Ref<ClDevice> &device : context.devices)
    for (const ImageFormat &format : formatsFor(device->info(), flags, *kind))
      if (std::find(all.begin(), all.end(), format) == all.end()) all.push_back(format);
  if (count) *count = static_cast<cl_uint>(all.size());
  for (size_t i = 0; formats && i < all.size() && i < entries; ++i) formats[i] = imageFormatOf(all[i]);
  return {};
}

} // namespace us::opencl
