// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/known_images.h"

#include <algorithm>

namespace us::compare {
namespace {

/// Of a channel; Unknown for pixels whose channels share words.
ElementType channelOf(ChannelType type) {
  switch (type) {
  case ChannelType::SnormInt8:
  case ChannelType::SignedInt8:
    return {ElementKind::Signed, 1, 1, 1};
  case ChannelType::UnormInt8:
  case ChannelType::UnsignedInt8:
    return {ElementKind::Unsigned, 1, 1, 1};
  case ChannelType::SnormInt16:
  case ChannelType::SignedInt16:
    return {ElementKind::Signed, 2, 1, 1};
  case ChannelType::UnormInt16:
  case ChannelType::UnsignedInt16:
    return {ElementKind::Unsigned, 2, 1, 1};
  case ChannelType::SignedInt32:
    return {ElementKind::Signed, 4, 1, 1};
  case ChannelType::UnsignedInt32:
    return {ElementKind::Unsigned, 4, 1, 1};
  case ChannelType::HalfFloat:
    return {ElementKind::Float, 2, 1, 1};
  case ChannelType::Float:
    return {ElementKind::Float, 4, 1, 1};
  case ChannelType::UnormShort565:
  case ChannelType::UnormShort555:
  case ChannelType::UnormInt101010:
  case ChannelType::UnormInt24:
  case ChannelType::UnormInt101010_2:
    break;
  }
  return {};
}

} // namespace

ElementType elementTypeOf(const ImageDescription &image) {
  ElementType element = channelOf(image.format.type);
  const auto bytes = static_cast<uint32_t>(image.elementSize);
  if (element.kind == ElementKind::Unknown) return {ElementKind::Unsigned, bytes, 1, 1};
  element.lanes = element.stride = std::max(bytes / element.size, 1u);
  return element;
}

void ImageTable::add(uint64_t argument, const KnownImage &image) {
  std::lock_guard hold(mutex_);
  byArgument_[argument] = image;
}

void ImageTable::remove(uint64_t argument) {
  std::lock_guard hold(mutex_);
  byArgument_.erase(argument);
}

std::optional<KnownImage> ImageTable::find(uint64_t argument) const {
  std::lock_guard hold(mutex_);
  const auto found = byArgument_.find(argument);
  return found == byArgument_.end() ? std::nullopt : std::optional(found->second);
}

ComparedImage::ComparedImage(std::shared_ptr<ImageTable> table, std::unique_ptr<DeviceImage> image,
                             const std::byte *memory)
    : table_(std::move(table)), image_(std::move(image)) {
  table_->add(image_->argument(),
              {reinterpret_cast<uint64_t>(memory), elementTypeOf(image_->description()), image_->description()});
}

} // namespace us::compare
