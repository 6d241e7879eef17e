// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/image_format.h"

#include <algorithm>
#include <iterator>

namespace us::forward {
namespace {

// Our numbers are theirs, counted from these.
constexpr cl_channel_order kFirstOrder = CL_R;
constexpr cl_channel_type kFirstType = CL_SNORM_INT8;
static_assert(kFirstOrder + static_cast<uint32_t>(ChannelOrder::Depth) == CL_DEPTH);
static_assert(kFirstOrder + static_cast<uint32_t>(ChannelOrder::ABGR) == CL_ABGR);
static_assert(kFirstType + static_cast<uint32_t>(ChannelType::UnormInt101010_2) == CL_UNORM_INT_101010_2);

/// Of channels that are ignored, or of two kinds in a pixel: nobody says for certain what is stored.
constexpr ChannelOrder kUnknownOrders[] = {ChannelOrder::Rx,           ChannelOrder::RGx,  ChannelOrder::RGBx,
                                           ChannelOrder::DepthStencil, ChannelOrder::sRGB, ChannelOrder::sRGBx};

} // namespace

cl_mem_object_type driversType(ImageKind kind) {
  constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                           CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                           CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
  return kTypes[static_cast<size_t>(kind)];
}

cl_image_format driversFormat(const ImageFormat &format) {
  return {kFirstOrder + static_cast<cl_channel_order>(format.order),
          kFirstType + static_cast<cl_channel_type>(format.type)};
}

std::optional<ImageFormat> formatFrom(const cl_image_format &format) {
  if (format.image_channel_order < CL_R || format.image_channel_order > CL_ABGR ||
      format.image_channel_data_type < CL_SNORM_INT8 || format.image_channel_data_type > CL_UNORM_INT_101010_2)
    return std::nullopt;
  const ImageFormat known{static_cast<ChannelOrder>(format.image_channel_order - kFirstOrder),
                          static_cast<ChannelType>(format.image_channel_data_type - kFirstType)};
  if (std::ranges::find(kUnknownOrders, known.order) != std::end(kUnknownOrders)) return std::nullopt;
  // RGB has packed pixels only.
  if (known.order == ChannelOrder::RGB && known.type != ChannelType::UnormShort565 &&
      known.type != ChannelType::UnormShort555 && known.type != ChannelType::UnormInt101010)
    return std::nullopt;
  return known;
}

} // namespace us::forward
