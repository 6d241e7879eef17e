// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do with the pixels of images: commands that copy and fill find them as the description lays
// them out, however the device keeps them. What is expected comes from an array of the host's that has that layout.
#include "tests/device_contract/contract_steps.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace us::test {
namespace {

using Bytes = std::vector<std::byte>;

/// {bytes, rows, slices} of an image, and the pitches of commands that name its pixels.
struct Shape {
  ImageDescription image;
  Size3 extent;
  PitchedLayout layout;
  uint64_t bytes = 0;
};

Shape shapeOf(ImageKind kind, uint64_t width, uint64_t height, uint64_t depth, uint64_t padding) {
  Shape shape;
  ImageDescription &image = shape.image;
  image.kind = kind;
  image.width = width;
  const uint64_t row = (width + padding) * image.elementSize;
  image.rowPitch = image.slicePitch = row;
  switch (kind) {
  case ImageKind::Image1D:
  case ImageKind::Image1DBuffer:
    height = depth = 1;
    break;
  case ImageKind::Image1DArray:
    image.arraySize = height;
    depth = 1;
    break;
  case ImageKind::Image2D:
    image.height = height;
    image.slicePitch = row * height;
    depth = 1;
    break;
  case ImageKind::Image2DArray:
    image.height = height;
    image.slicePitch = row * (height + padding);
    image.arraySize = depth;
    break;
  case ImageKind::Image3D:
    image.height = height;
    image.slicePitch = row * (height + padding);
    image.depth = depth;
    break;
  }
  shape.extent = {width * image.elementSize, height, depth};
  shape.layout = {0, row, depth > 1 ? image.slicePitch : row * height};
  shape.bytes = shape.layout.slicePitch * depth;
  return shape;
}

/// What the tests do to a device.
class Pixels {
public:
  explicit Pixels(Ref<Device> tested) : device(std::move(tested)) {}

  /// An image of the device, and the same as an array.
  struct Twin {
    Shape shape;
    std::unique_ptr<DeviceMemory> memory;
    Bytes expected;
    std::byte *begin() const { return reinterpret_cast<std::byte *>(memory->address()); }
  };

  Twin make(const Shape &shape) {
    Twin twin{shape, nullptr, Bytes(shape.bytes)};
    Expected<std::unique_ptr<DeviceMemory>> made = device->allocate({.size = shape.bytes, .image = &twin.shape.image});
    EXPECT_TRUE(made) << made.error().message;
    twin.memory = std::move(*made);
    Bytes first = random(shape.bytes);
    ok(CopyCommand{twin.begin(), {}, first.data(), {}, {shape.bytes, 1, 1}});
    twin.expected = std::move(first);
    return twin;
  }
  Bytes random(uint64_t count) {
    Bytes bytes(count);
    for (std::byte &byte : bytes) byte = std::byte(number(0, 255));
    return bytes;
  }
  uint64_t number(uint64_t least, uint64_t most) {
    return std::uniform_int_distribution<uint64_t>(least, most)(random_);
  }
  void ok(const Command &command) {
    const Expected<void> result = run(*device, command);
    EXPECT_TRUE(result) << result.error().message;
  }
  /// Somewhere within the image: {bytes, rows, slices}, and where that begins.
  Size3 anyRegion(const Shape &shape, PitchedLayout &layout) {
    const uint64_t pixel = shape.image.elementSize;
    layout = shape.layout;
    Size3 region{};
    const uint64_t pitches[3] = {pixel, shape.layout.rowPitch, shape.layout.slicePitch};
    for (size_t d = 0; d < 3; ++d) {
      const uint64_t most = d == 0 ? shape.image.width : shape.extent[d];
      region[d] = number(1, most);
      layout.offset += number(0, most - region[d]) * pitches[d];
    }
    region[0] *= pixel;
    return region;
  }
  /// The same in memory with rows of its own.
  PitchedLayout anyLayout(const Size3 &region, bool isPacked) {
    PitchedLayout layout{isPacked ? 0 : 4 * number(0, 3), region[0], 0};
    if (!isPacked) layout.rowPitch += 4 * number(0, 3);
    layout.slicePitch = layout.rowPitch * region[1];
    if (!isPacked) layout.slicePitch += layout.rowPitch * number(0, 1);
    return layout;
  }
  /// The pixels; what lies between rows is nobody's.
  void expectSame(const Twin &twin) {
    Bytes found(twin.shape.bytes);
    ok(CopyCommand{found.data(), twin.shape.layout, twin.begin(), twin.shape.layout, twin.shape.extent});
    const uint64_t rowPitch = twin.shape.layout.rowPitch, slicePitch = twin.shape.layout.slicePitch;
    for (uint64_t z = 0; z < twin.shape.extent[2]; ++z)
      for (uint64_t y = 0; y < twin.shape.extent[1]; ++y)
        ASSERT_EQ(std::memcmp(found.data() + z * slicePitch + y * rowPitch,
                              twin.expected.data() + z * slicePitch + y * rowPitch, twin.shape.extent[0]),
                  0)
            << "row " << y << " of slice " << z;
  }

  const Ref<Device> device;

private:
  std::mt19937 random_{7};
};

// Each of them with every kind of image, some of them with space between rows.
std::vector<Shape> everyShape() {
  std::vector<Shape> shapes;
  for (const ImageKind kind :
       {ImageKind::Image1D, ImageKind::Image1DArray, ImageKind::Image2D, ImageKind::Image2DArray, ImageKind::Image3D})
    for (const uint64_t padding : {0, 3}) shapes.push_back(shapeOf(kind, 13, 7, 5, padding));
  return shapes;
}

template <class Test> void forEveryShape(const Ref<Device> &device, Test test) {
  if (!device->info().images) GTEST_SKIP() << "the device has no images";
  Pixels pixels(device);
  for (const Shape &shape : everyShape()) {
    SCOPED_TRACE(testing::Message() << "kind " << int(shape.image.kind) << ", row pitch " << shape.image.rowPitch);
    test(pixels, shape);
  }
}

} // namespace

TEST_P(DeviceContract, ImagesSayWhatTheyAre) {
  const DeviceInfo &info = device->info();
  ImageDescription wanted;
  wanted.kind = ImageKind::Image2DArray;
  wanted.width = 16, wanted.height = 8, wanted.arraySize = 3;
  wanted.rowPitch = 80, wanted.slicePitch = 1024;
  if (!info.images) {
    std::unique_ptr<DeviceMemory> memory = allocate(*device, 16 * 1024);
    Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, begin(*memory));
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, ErrorCode::Unsupported);
    EXPECT_TRUE(info.formatsRead.empty());
    return;
  }
  Expected<std::unique_ptr<DeviceMemory>> memory = device->allocate({.size = 3 * 1024, .image = &wanted});
  ASSERT_TRUE(memory) << memory.error().message;
  Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, begin(**memory));
  ASSERT_TRUE(image) << image.error().message;
  const ImageDescription &is = (*image)->description();
  EXPECT_TRUE(is.kind == wanted.kind && is.format == wanted.format && is.width == 16 && is.height == 8 &&
              is.arraySize == 3 && is.rowPitch == 80 && is.slicePitch == 1024);
  Expected<std::unique_ptr<DeviceImage>> other = device->createImage(wanted, begin(**memory));
  ASSERT_TRUE(other);
  EXPECT_NE((*image)->argument(), (*other)->argument());
  EXPECT_EQ((*image)->argument(), (*image)->argument());

  EXPECT_GE(info.maxReadImageArguments, 1u);
  EXPECT_GE(info.maxSamplers, 1u);
  EXPECT_FALSE(info.formatsRead.empty() || info.formatsWrite.empty());
  for (const auto *formats : {&info.formatsRead, &info.formatsWrite, &info.formatsReadWrite})
    for (size_t i = 0; i < formats->size(); ++i)
      for (size_t j = 0; j < i; ++j) EXPECT_FALSE((*formats)[i] == (*formats)[j]) << i << " and " << j;
}

TEST_P(DeviceContract, BoxesOfImagesAreReadAndWritten) {
  forEveryShape(device, [&](Pixels &pixels, const Shape &shape) {
    Pixels::Twin image = pixels.make(shape);
    for (int round = 0; round < 20; ++round) {
      PitchedLayout inImage;
      const Size3 region = pixels.anyRegion(shape, inImage);
      const PitchedLayout outside = pixels.anyLayout(region, false);
      const Bytes source = pixels.random(outside.offset + spanOf({0, outside.rowPitch, outside.slicePitch}, region));
      pixels.ok(CopyCommand{image.begin(), inImage, source.data(), outside, region});
      copyPitched(image.expected.data(), inImage, source.data(), outside, region);
      Bytes read(source.size());
      pixels.ok(CopyCommand{read.data(), outside, image.begin(), inImage, region});
      Bytes wanted(source.size());
      copyPitched(wanted.data(), outside, source.data(), outside, region);
      EXPECT_EQ(read, wanted);
    }
    pixels.expectSame(image);
  });
}

TEST_P(DeviceContract, RangesOfImagesAreReadAndWritten) {
  forEveryShape(device, [&](Pixels &pixels, const Shape &shape) {
    Pixels::Twin image = pixels.make(shape);
    for (int round = 0; round < 20; ++round) {
      const uint64_t all = shape.bytes / 4, first = pixels.number(0, all - 1), count = pixels.number(1, all - first);
      const Bytes source = pixels.random(count * 4);
      pixels.ok(CopyCommand{image.begin() + first * 4, {}, source.data(), {}, {source.size(), 1, 1}});
      std::ranges::copy(source, image.expected.begin() + static_cast<ptrdiff_t>(first * 4));
    }
    pixels.expectSame(image);
  });
}

TEST_P(DeviceContract, BuffersAndImagesAreCopiedToEachOther) {
  forEveryShape(device, [&](Pixels &pixels, const Shape &shape) {
    Pixels::Twin image = pixels.make(shape), other = pixels.make(shape);
    Expected<std::unique_ptr<DeviceMemory>> made = device->allocate({.size = 2 * shape.bytes + 4096});
    ASSERT_TRUE(made) << made.error().message;
    auto *const buffer = reinterpret_cast<std::byte *>((*made)->address());
    for (int round = 0; round < 20; ++round) {
      PitchedLayout from, to;
      const Size3 region = pixels.anyRegion(shape, from);
      // The same box, elsewhere in the other image.
      do {
        pixels.anyRegion(shape, to);
      } while (to.offset % shape.layout.rowPitch + region[0] > shape.extent[0] ||
               to.offset % shape.layout.slicePitch / shape.layout.rowPitch + region[1] > shape.extent[1] ||
               to.offset / shape.layout.slicePitch + region[2] > shape.extent[2]);
      const PitchedLayout between = pixels.anyLayout(region, round % 2);
      pixels.ok(CopyCommand{buffer, between, image.begin(), from, region});
      pixels.ok(CopyCommand{other.begin(), to, buffer, between, region});
      copyPitched(other.expected.data(), to, image.expected.data(), from, region);
      // Directly, and to where it came from.
      pixels.ok(CopyCommand{image.begin(), from, other.begin(), to, region});
    }
    pixels.expectSame(other);
    pixels.expectSame(image);
  });
}

TEST_P(DeviceContract, BoxesOfImagesAreFilled) {
  forEveryShape(device, [&](Pixels &pixels, const Shape &shape) {
    Pixels::Twin image = pixels.make(shape);
    for (int round = 0; round < 10; ++round) {
      PitchedLayout layout;
      const Size3 region = pixels.anyRegion(shape, layout);
      FillCommand fill;
      fill.to = image.begin() + layout.offset;
      fill.size = region[0], fill.rows = region[1], fill.slices = region[2];
      fill.rowPitch = layout.rowPitch, fill.slicePitch = layout.slicePitch;
      fill.patternSize = 4;
      std::ranges::copy(pixels.random(4), fill.pattern.begin());
      pixels.ok(fill);
      for (uint64_t z = 0; z < region[2]; ++z)
        for (uint64_t y = 0; y < region[1]; ++y)
          for (uint64_t x = 0; x < region[0]; ++x)
            image.expected[layout.offset + z * layout.slicePitch + y * layout.rowPitch + x] = fill.pattern[x % 4];
    }
    pixels.expectSame(image);
  });
}

} // namespace us::test
