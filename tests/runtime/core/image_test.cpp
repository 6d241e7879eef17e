// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: formats, memory, views of other objects, maps of boxes, and images and samplers as kernel arguments.
#include "tests/runtime/core/core_fixture.h"

#include "runtime/core/image.h"

#include <cstring>

namespace us::core {
namespace {

ImageDescription imageOf(ImageKind kind, uint64_t width, uint64_t height, uint64_t depth, uint64_t layers) {
  ImageDescription image;
  image.kind = kind;
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.arraySize = layers;
  image.rowPitch = width * image.elementSize;
  image.slicePitch = image.rowPitch * height;
  return image;
}

class ImageTest : public CoreTest {
protected:
  void SetUp() override {
    useDevice({.images = true});
    // look(image, image, image to write, sampler, sampler): the pixels' first byte of the first, plus the samplers
    device->addKernel(kernelInfo(), [this](const test::FakeLaunch &launch) {
      seen = launch.argument<const DeviceImage *>(0);
      samplers[0] = launch.argument<uint64_t>(3);
      samplers[1] = launch.argument<uint64_t>(4);
      return Expected<void>();
    });
  }
  static KernelInfo kernelInfo() {
    using enum ArgumentKind;
    KernelInfo info = test::fakeKernelInfo("look", {Image, Image, Image, Sampler, Sampler});
    info.arguments[0].access = info.arguments[1].access = AccessQualifier::ReadOnly;
    info.arguments[2].access = AccessQualifier::WriteOnly;
    return info;
  }
  Ref<Kernel> makeKernel(const char *name) {
    Ref<Program> program = Program::fromSource(*context, name);
    EXPECT_TRUE(program->build({}, ""));
    return *program->createKernel(name);
  }
  Expected<void> prepare(Kernel &kernel) {
    LaunchCommand command;
    KeepList keep;
    if (auto prepared = kernel.prepareLaunch(*device, command, keep); !prepared)
      return std::unexpected(prepared.error());
    return {};
  }
  Ref<Image> make(const ImageDescription &description) {
    return *Image::create(*context, {.description = description});
  }

  const DeviceImage *seen = nullptr;
  uint64_t samplers[2] = {};
};

TEST_F(ImageTest, FormatsAreThoseOfTheSpecification) {
  using enum ChannelOrder;
  using enum ChannelType;
  EXPECT_EQ(pixelSize({RGBA, UnormInt8}), 4u);
  EXPECT_EQ(pixelSize({RGBA, Float}), 16u);
  EXPECT_EQ(pixelSize({RG, HalfFloat}), 4u);
  EXPECT_EQ(pixelSize({R, SignedInt32}), 4u);
  EXPECT_EQ(pixelSize({A, UnsignedInt8}), 1u);
  EXPECT_EQ(pixelSize({RGB, UnormShort565}), 2u);
  EXPECT_EQ(pixelSize({RGB, UnormInt101010}), 4u);
  EXPECT_EQ(pixelSize({RGBA, UnormInt101010_2}), 4u);
  EXPECT_EQ(pixelSize({sRGBA, UnormInt8}), 4u);
  EXPECT_EQ(pixelSize({Depth, Float}), 4u);
  // "This format can only be used if channel data type = ..."
  for (const ImageFormat &wrong : {ImageFormat{RGB, UnormInt8},
                                   {RGBA, UnormShort565},
                                   {BGRA, UnormInt16},
                                   {Intensity, SignedInt8},
                                   {Luminance, UnsignedInt32},
                                   {Depth, UnormInt8},
                                   {sRGBA, SnormInt8},
                                   {R, UnormInt101010}}) {
    EXPECT_FALSE(isImageFormat(wrong));
    EXPECT_EQ(pixelSize(wrong), 0u);
  }
  for (const ImageFormat &unsupported :
       {ImageFormat{Rx, UnormInt8}, {RGx, Float}, {RGBx, UnormShort565}, {sRGB, UnormInt8}}) {
    EXPECT_TRUE(isImageFormat(unsupported));
    EXPECT_EQ(pixelSize(unsupported), 0u);
  }
}

TEST_F(ImageTest, LimitsAreTheDevices) {
  const DeviceInfo &info = device->info();
  EXPECT_TRUE(checkImage(info, imageOf(ImageKind::Image2D, 64, 64, 1, 1)));
  EXPECT_EQ(checkImage(info, imageOf(ImageKind::Image2D, 65, 1, 1, 1)).error().code, ErrorCode::InvalidImageSize);
  EXPECT_EQ(checkImage(info, imageOf(ImageKind::Image3D, 1, 1, 65, 1)).error().code, ErrorCode::InvalidImageSize);
  EXPECT_EQ(checkImage(info, imageOf(ImageKind::Image1DArray, 1, 1, 1, 65)).error().code, ErrorCode::InvalidImageSize);
  ImageDescription other = imageOf(ImageKind::Image2D, 4, 4, 1, 1);
  other.format = {ChannelOrder::RG, ChannelType::Float};
  EXPECT_EQ(checkImage(info, other).error().code, ErrorCode::ImageFormatNotSupported);
  EXPECT_EQ(checkImage(FakeDevice::create()->info(), imageOf(ImageKind::Image2D, 4, 4, 1, 1)).error().code,
            ErrorCode::Unsupported);
}

TEST_F(ImageTest, MemoryIsMadeAtTheFirstUseAndGivenBack) {
  Ref<Image> image = make(imageOf(ImageKind::Image3D, 8, 4, 2, 1));
  EXPECT_EQ(device->memoryUsed(), 0u);
  DeviceImage *on = *image->on(*device);
  EXPECT_EQ(device->memoryUsed(), 8u * 4 * 4 * 2);
  EXPECT_EQ(*image->on(*device), on);
  EXPECT_EQ(on->description().depth, 2u);
  image = nullptr;
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(ImageTest, AnImageBeyondEveryAllocationIsNoMemory) {
  ImageDescription large = imageOf(ImageKind::Image2D, 64, 64, 1, 1);
  large.rowPitch = 1 << 20;
  EXPECT_EQ(Image::create(*context, {.description = large}).error().code, ErrorCode::MemObjectAllocationFailure);
}

TEST_F(ImageTest, InitialContentsAndHostPointers) {
  std::vector<std::byte> pixels(64 * 4, std::byte{7});
  const ImageDescription description = imageOf(ImageKind::Image1D, 64, 1, 1, 1);
  Ref<Image> copied = *Image::create(*context, {.description = description, .copyFrom = pixels.data()});
  EXPECT_EQ(device->latestOwner(), "image");
  Ref<Image> used = *Image::create(
      *context, {.description = description, .hostMemory = HostMemory::Use, .hostPointer = pixels.data()});
  pixels.assign(pixels.size(), std::byte{9});
  EXPECT_EQ((*copied->memory().addressOn(*device))[255], std::byte{7});
  EXPECT_EQ(*used->memory().addressOn(*device), pixels.data());
}

TEST_F(ImageTest, ViewsLieInTheOthersMemory) {
  Ref<Buffer> buffer = *Buffer::create(*context, {.size = 1024});
  Ref<Buffer> part = *buffer->createSubBuffer(256, 512);
  Ref<Image> image = Image::createFrom(*part, imageOf(ImageKind::Image2D, 8, 4, 1, 1));
  Ref<Image> again = Image::createFrom(image->memory(), image->description());
  EXPECT_EQ(*image->memory().addressOn(*device), *buffer->addressOn(*device) + 256);
  EXPECT_EQ(*again->memory().addressOn(*device), *part->addressOn(*device));
  EXPECT_EQ(part->extraReferences(), 1u);
  EXPECT_EQ(image->memory().extraReferences(), 1u);
  EXPECT_TRUE(image->memory().overlaps(*buffer));
  EXPECT_EQ(device->memoryUsed(), 1024u);
  buffer = nullptr;
  part = nullptr;
  image = nullptr; // what is made from it keeps it
  EXPECT_EQ(device->memoryUsed(), 1024u);
  again = nullptr;
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(ImageTest, LayoutsOfEveryKind) {
  ImageDescription array = imageOf(ImageKind::Image1DArray, 8, 1, 1, 5);
  array.slicePitch = 48; // the host's images may lie apart
  Ref<Image> image = make(array);
  PitchedLayout layout = image->layoutAt({2, 3, 0});
  EXPECT_EQ(layout.offset, 3u * 48 + 8);
  EXPECT_EQ(layout.rowPitch, 48u);
  EXPECT_EQ(image->bytesOf({3, 2, 1}), (Size3{12, 2, 1}));
  ImageDescription solid = imageOf(ImageKind::Image3D, 8, 4, 3, 1);
  solid.slicePitch = 160;
  layout = make(solid)->layoutAt({1, 2, 1});
  EXPECT_EQ(layout.offset, 160u + 64 + 4);
  EXPECT_EQ(layout.rowPitch, 32u);
  EXPECT_EQ(layout.slicePitch, 160u);
}

// A level begins where no row of its own pitch would: boxes of it are told apart from its own first row.
TEST_F(ImageTest, BoxesOfALevelAreMappedSideBySide) {
  ImageDescription flat = imageOf(ImageKind::Image2D, 13, 6, 1, 1);
  flat.levels = 3;
  Ref<Image> image = make(flat);
  EXPECT_EQ(image->memory().size(), (13u * 6 + 6 * 3 + 3 * 1) * 4);
  const PitchedLayout second = image->layoutAt({1, 2, 0}, 1);
  EXPECT_EQ(second.offset, 13u * 6 * 4 + 2 * 24 + 4);
  EXPECT_EQ(second.rowPitch, 24u);
  const auto map = [&](uint64_t x, uint32_t level) {
    return image->memory().map(*device, image->layoutAt({x, 0, 0}, level), image->bytesOf({1, 3, 1}), false, true);
  };
  for (uint64_t x = 0; x < 6; ++x) EXPECT_TRUE(map(x, 1)) << x;
  EXPECT_TRUE(map(0, 0));
  EXPECT_EQ(map(3, 1).error().code, ErrorCode::InvalidOperation);
}

TEST_F(ImageTest, BoxesAreMappedSideBySide) {
  Ref<Image> image = make(imageOf(ImageKind::Image2D, 16, 16, 1, 1));
  Buffer &memory = image->memory();
  const auto map = [&](const Size3 &origin, const Size3 &region, bool write) {
    return memory.map(*device, image->layoutAt(origin), image->bytesOf(region), !write, write);
  };
  auto left = map({0, 0, 0}, {8, 16, 1}, true);
  ASSERT_TRUE(left);
  EXPECT_EQ(left->pointer, *memory.addressOn(*device));
  EXPECT_EQ(left->size, 15u * 64 + 32);
  auto right = map({8, 0, 0}, {8, 16, 1}, true); // the same rows, other columns
  ASSERT_TRUE(right);
  EXPECT_EQ(right->pointer, left->pointer + 32);
  EXPECT_EQ(map({7, 15, 0}, {1, 1, 1}, false).error().code, ErrorCode::InvalidOperation);
  EXPECT_EQ(memory.mapCount(), 2u);
  EXPECT_TRUE(memory.unmap(left->pointer));
  EXPECT_TRUE(map({7, 15, 0}, {1, 1, 1}, false));
}

TEST_F(ImageTest, ArgumentsReachTheKernel) {
  Ref<Kernel> kernel = makeKernel("look");
  Ref<Image> first = make(imageOf(ImageKind::Image2D, 8, 8, 1, 1)),
             other = make(imageOf(ImageKind::Image1D, 8, 1, 1, 1));
  EXPECT_EQ(prepare(*kernel).error().code, ErrorCode::InvalidKernelArgs);
  ASSERT_TRUE(kernel->setImage(0, *first));
  ASSERT_TRUE(kernel->setImage(1, *other));
  ASSERT_TRUE(kernel->setImage(2, *other));
  ASSERT_TRUE(kernel->setSampler(3, {true, AddressingMode::Repeat, FilterMode::Linear}));
  ASSERT_TRUE(kernel->setSampler(4, {false, AddressingMode::None, FilterMode::Nearest}));
  EXPECT_EQ(kernel->setImage(3, *first).error().code, ErrorCode::InvalidArgValue);
  EXPECT_EQ(kernel->setSampler(0, {}).error().code, ErrorCode::InvalidArgValue);
  EXPECT_EQ(kernel->setBuffer(0, &first->memory()).error().code, ErrorCode::InvalidArgValue);
  EXPECT_EQ(kernel->setImage(5, *first).error().code, ErrorCode::InvalidArgIndex);

  Ref<Queue> queue = inOrder();
  CommandRequest request;
  LaunchCommand command;
  ASSERT_TRUE(kernel->prepareLaunch(*device, command, request.keep));
  request.command = std::move(command);
  ASSERT_TRUE(queue->run(std::move(request)));
  EXPECT_EQ(seen, *first->on(*device));
  EXPECT_EQ(samplers[0], 1u | 3 << 1 | 0x20);
  EXPECT_EQ(samplers[1], 0x10u);

  first->memory().releasedByApplication();
  first = nullptr; // the kernel did not keep it
  EXPECT_EQ(prepare(*kernel).error().code, ErrorCode::InvalidKernelArgs);
}

TEST_F(ImageTest, MoreObjectsThanTheDeviceTakesAreRefused) {
  constexpr auto kImage = ArgumentKind::Image, kSampler = ArgumentKind::Sampler;
  KernelInfo info = test::fakeKernelInfo("three", {kImage, kImage, kImage});
  for (ArgumentInfo &argument : info.arguments) argument.access = AccessQualifier::ReadOnly;
  device->addKernel(info, [](const test::FakeLaunch &) { return Expected<void>(); });
  device->addKernel(test::fakeKernelInfo("samplers", {kSampler, kSampler, kSampler}),
                    [](const test::FakeLaunch &) { return Expected<void>(); });
  Ref<Image> image = make(imageOf(ImageKind::Image2D, 8, 8, 1, 1));
  Ref<Kernel> images = makeKernel("three"), samplers = makeKernel("samplers");
  for (uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(images->setImage(i, *image));
    ASSERT_TRUE(samplers->setSampler(i, {}));
  }
  EXPECT_EQ(prepare(*images).error().code, ErrorCode::OutOfResources);
  EXPECT_EQ(prepare(*samplers).error().code, ErrorCode::OutOfResources);
}

} // namespace
} // namespace us::core
