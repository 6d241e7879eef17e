// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/image.h"

#include "runtime/core/runtime.h"

#include <algorithm>
#include <bit>
#include <string>

namespace us::core {
namespace {

constexpr uint32_t bit(ChannelType type) { return 1u << static_cast<uint32_t>(type); }

// Sets of channel types that the specification's table of channel orders names.
constexpr uint32_t kIntegers = bit(ChannelType::SignedInt8) | bit(ChannelType::SignedInt16) |
                               bit(ChannelType::SignedInt32) | bit(ChannelType::UnsignedInt8) |
                               bit(ChannelType::UnsignedInt16) | bit(ChannelType::UnsignedInt32);
constexpr uint32_t kNormalized = bit(ChannelType::SnormInt8) | bit(ChannelType::SnormInt16) |
                                 bit(ChannelType::UnormInt8) | bit(ChannelType::UnormInt16);
constexpr uint32_t kFloats = bit(ChannelType::HalfFloat) | bit(ChannelType::Float);
constexpr uint32_t kPlain = kIntegers | kNormalized | kFloats;
constexpr uint32_t kPacked =
    bit(ChannelType::UnormShort565) | bit(ChannelType::UnormShort555) | bit(ChannelType::UnormInt101010);
constexpr uint32_t kBytes = bit(ChannelType::UnormInt8) | bit(ChannelType::SnormInt8) | bit(ChannelType::SignedInt8) |
                            bit(ChannelType::UnsignedInt8);

constexpr uint32_t kByte = bit(ChannelType::UnormInt8);

struct OrderRow {
  uint32_t channels; ///< as stored; 0: we do not know, and support it with no type
  uint32_t types;    ///< bits of the types that may be combined with it
};
/// By ChannelOrder.
constexpr OrderRow kOrders[] = {
    {1, kPlain},                                                 // R
    {1, kPlain},                                                 // A
    {2, kPlain},                                                 // RG
    {2, kPlain},                                                 // RA
    {3, kPacked},                                                // RGB
    {4, kPlain | bit(ChannelType::UnormInt101010_2)},            // RGBA
    {4, kBytes},                                                 // BGRA
    {4, kBytes},                                                 // ARGB
    {1, kNormalized | kFloats},                                  // Intensity
    {1, kNormalized | kFloats},                                  // Luminance
    {0, kPlain},                                                 // Rx
    {0, kPlain},                                                 // RGx
    {0, kPacked},                                                // RGBx
    {1, bit(ChannelType::UnormInt16) | bit(ChannelType::Float)}, // Depth
    {0, 0},                                                      // DepthStencil
    {0, kByte},                                                  // sRGB
    {0, kByte},                                                  // sRGBx
    {4, kByte},                                                  // sRGBA
    {4, kByte},                                                  // sBGRA
    {4, kBytes},                                                 // ABGR
};

struct TypeRow {
  uint32_t channelBytes, pixelBytes; ///< one of them: bytes of each channel, or of all channels of a packed type
};
/// By ChannelType.
constexpr TypeRow kTypes[] = {
    {1, 0}, // SnormInt8
    {2, 0}, // SnormInt16
    {1, 0}, // UnormInt8
    {2, 0}, // UnormInt16
    {0, 2}, // UnormShort565
    {0, 2}, // UnormShort555
    {0, 4}, // UnormInt101010
    {1, 0}, // SignedInt8
    {2, 0}, // SignedInt16
    {4, 0}, // SignedInt32
    {1, 0}, // UnsignedInt8
    {2, 0}, // UnsignedInt16
    {4, 0}, // UnsignedInt32
    {2, 0}, // HalfFloat
    {4, 0}, // Float
    {0, 0}, // UnormInt24
    {0, 4}, // UnormInt101010_2
};

bool among(const std::vector<ImageFormat> &formats, const ImageFormat &format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string textOf(const ImageDescription &image) {
  std::string text = std::to_string(image.width) + " x " + std::to_string(image.height);
  if (image.kind == ImageKind::Image3D) text += " x " + std::to_string(image.depth);
  if (image.arraySize > 1) text += ", " + std::to_string(image.arraySize) + " layers";
  return text;
}

} // namespace

bool isImageFormat(const ImageFormat &format) {
  const auto order = static_cast<size_t>(format.order), type = static_cast<size_t>(format.type);
  return order < std::size(kOrders) && type < std::size(kTypes) && (kOrders[order].types & bit(format.type));
}

uint32_t pixelSize(const ImageFormat &format) {
  if (!isImageFormat(format)) return 0;
  const auto order = static_cast<size_t>(format.order), type = static_cast<size_t>(format.type);
  if (kOrders[order].channels == 0) return 0;
  return kTypes[type].pixelBytes ? kTypes[type].pixelBytes : kTypes[type].channelBytes * kOrders[order].channels;
}

ImageLimits imageLimits(const DeviceInfo &device, ImageKind kind) {
  switch (kind) {
  case ImageKind::Image1D:
    return {device.image2DMaxWidth, 1, 1, 1};
  case ImageKind::Image1DBuffer:
    return {device.imageMaxBufferSize, 1, 1, 1};
  case ImageKind::Image1DArray:
    return {device.image2DMaxWidth, 1, 1, device.imageMaxArraySize};
  case ImageKind::Image2D:
    return {device.image2DMaxWidth, device.image2DMaxHeight, 1, 1};
  case ImageKind::Image2DArray:
    return {device.image2DMaxWidth, device.image2DMaxHeight, 1, device.imageMaxArraySize};
  case ImageKind::Image3D:
    return {device.image3DMaxWidth, device.image3DMaxHeight, device.image3DMaxDepth, 1};
  }
  return {};
}

bool isWithin(const ImageLimits &most, const ImageDescription &image) {
  return image.width <= most.width && image.height <= most.height && image.depth <= most.depth &&
         image.arraySize <= most.layers;
}

uint64_t imageBytes(const ImageDescription &image) { return levelOf(image, image.levels).offset; }

Expected<void> checkImage(const DeviceInfo &device, const ImageDescription &image) {
  if (!device.images) return fail(ErrorCode::Unsupported, device.name + " has no images");
  const ImageLimits most = imageLimits(device, image.kind);
  if (!isWithin(most, image))
    return fail(ErrorCode::InvalidImageSize, "an image of " + textOf(image) + " was asked for, " + device.name +
                                                 " has at most " + std::to_string(most.width) + " x " +
                                                 std::to_string(most.height) + " x " + std::to_string(most.depth) +
                                                 " and " + std::to_string(most.layers) + " layers of this kind");
  if (!among(device.formatsRead, image.format) && !among(device.formatsWrite, image.format))
    return fail(ErrorCode::ImageFormatNotSupported, device.name + " does not have the image format of order " +
                                                        std::to_string(static_cast<unsigned>(image.format.order)) +
                                                        " and type " +
                                                        std::to_string(static_cast<unsigned>(image.format.type)));
  return {};
}

Image::Image(Ref<Buffer> memory, const ImageDescription &description)
    : memory_(std::move(memory)), description_(description), weak_(makeRef<WeakLink<Image>>(this)) {}

void Image::lastReferenceGone() {
  if (runtimeDead()) return;
  weak_->cut();
  delete this;
}

Expected<Ref<Image>> Image::create(Context &context, const ImageRequest &request) {
  BufferRequest memory;
  memory.size = imageBytes(request.description);
  memory.hostMemory = request.hostMemory;
  memory.hostPointer = request.hostPointer;
  memory.shared = request.shared;
  memory.copyFrom = request.copyFrom;
  memory.madeAt = request.madeAt;
  memory.what = "image";
  memory.image = std::make_shared<const ImageDescription>(request.description);
  Expected<Ref<Buffer>> made = Buffer::create(context, memory);
  // A size that suits an image, but no memory of the device, is no fault of the description.
  if (!made && made.error().code == ErrorCode::InvalidBufferSize)
    return fail(ErrorCode::MemObjectAllocationFailure,
                "an image of " + textOf(request.description) + ": " + made.error().message);
  if (!made) return std::unexpected(std::move(made).error());
  return Ref<Image>(new Image(*std::move(made), request.description));
}

Ref<Image> Image::createFrom(Buffer &memory, const ImageDescription &description) {
  return Ref<Image>(new Image(memory.createView(imageBytes(description)), description));
}

PitchedLayout Image::layoutAt(const Size3 &origin, uint32_t level) const {
  const auto [image, begin] = levelOf(description_, level);
  PitchedLayout layout;
  layout.rowPitch = image.rowPitch;
  layout.slicePitch = image.slicePitch;
  if (image.kind == ImageKind::Image1DArray) layout.rowPitch = image.slicePitch;
  // Where there is one slice only, its pitch says where it ends.
  if (image.kind != ImageKind::Image2DArray && image.kind != ImageKind::Image3D) layout.slicePitch = imageBytes(image);
  layout.base = begin;
  layout.offset = begin + origin[0] * image.elementSize + origin[1] * layout.rowPitch + origin[2] * layout.slicePitch;
  return layout;
}

Size3 Image::bytesOf(const Size3 &region) const { return {region[0] * description_.elementSize, region[1], region[2]}; }

Expected<DeviceImage *> Image::on(Device &device) {
  if (runtimeDead()) return failDead();
  US_CHECK(checkImage(device.info(), description_));
  // First of all: making memory may wait for other commands, which is done with no lock held.
  US_TRY(std::byte *const pixels, memory_->addressOn(device));
  std::lock_guard hold(mutex_);
  for (const auto &[place, image] : places_)
    if (place.get() == &device) return image.get();
  US_TRY(std::unique_ptr<DeviceImage> image, device.createImage(description_, pixels));
  places_.emplace_back(Ref<Device>(&device), std::move(image));
  return places_.back().second.get();
}

} // namespace us::core
