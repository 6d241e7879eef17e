// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference's images, by what launches have for them: where their pixels are, and what these consist of.
#pragma once

#include "runtime/compare/element.h"
#include "runtime/device/image.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace us::compare {

struct KnownImage {
  uint64_t address = 0; ///< of the first pixel
  ElementType pixel;    ///< its channels are the lanes; packed ones are one number
  ImageDescription description{};
};

ElementType elementTypeOf(const ImageDescription &image);

/// By DeviceImage::argument. Thread-safe.
class ImageTable {
public:
  void add(uint64_t argument, const KnownImage &image);
  void remove(uint64_t argument);
  std::optional<KnownImage> find(uint64_t argument) const;

private:
  mutable std::mutex mutex_; // guards byArgument_
  std::map<uint64_t, KnownImage> byArgument_;
};

/// The reference's image, known as long as it lives.
class ComparedImage final : public DeviceImage {
public:
  ComparedImage(std::shared_ptr<ImageTable> table, std::unique_ptr<DeviceImage> image, const std::byte *memory);
  ~ComparedImage() override { table_->remove(image_->argument()); }
  const ImageDescription &description() const override { return image_->description(); }
  uint64_t argument() const override { return image_->argument(); }

private:
  const std::shared_ptr<ImageTable> table_;
  const std::unique_ptr<DeviceImage> image_;
};

} // namespace us::compare
