// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image family against image_reference.h: every format with every kind of image, function, addressing mode and
// filter. Images lie between pages that nobody may touch.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/emulator/builtins/opencl/image/image_reference.h"

namespace us::test {
namespace {

using abi::ImageDescriptor;
struct alignas(16) FloatVector {
  float v[4];
};
struct alignas(16) IntVector {
  int32_t v[4];
};

using Read = void(const ImageDescriptor *, uint64_t sampler, const void *at, void *out, uint32_t n);
using Write = void(const ImageDescriptor *, const void *at, const void *in, uint32_t n);

/// Which functions fit a format: read_imagef and read_imageh, read_imagei, read_imageui.
enum Function { kF, kH, kI, kUi, kFunctions };
constexpr const char *kNames[] = {"f", "h", "i", "ui"};

struct KindRow {
  const char *name;
  ImageKind kind;
  Read *sampled[kFunctions], *integer[kFunctions], *plain[kFunctions][2];
  Write *write[kFunctions][2];
};

#define DECLARE_BOTH(T, ID)                                                                                            \
  Read plain_read_only_##ID##_##T, plain_read_write_##ID##_##T;                                                        \
  Write write_write_only_##ID##_##T, write_read_write_##ID##_##T;
#define DECLARE_SAMPLED(T, ID) Read float_##ID##_##T, int_##ID##_##T;
#define EACH(X, T) X(T, f) X(T, h) X(T, i) X(T, ui)
extern "C" {
EACH(DECLARE_BOTH, image1d_t)
EACH(DECLARE_BOTH, image1d_buffer_t)
EACH(DECLARE_BOTH, image1d_array_t)
EACH(DECLARE_BOTH, image2d_t)
EACH(DECLARE_BOTH, image2d_array_t)
EACH(DECLARE_BOTH, image3d_t)
EACH(DECLARE_SAMPLED, image1d_t)
EACH(DECLARE_SAMPLED, image1d_array_t)
EACH(DECLARE_SAMPLED, image2d_t)
EACH(DECLARE_SAMPLED, image2d_array_t)
EACH(DECLARE_SAMPLED, image3d_t)
DECLARE_BOTH(image2d_depth_t, f)
DECLARE_BOTH(image2d_array_depth_t, f)
DECLARE_SAMPLED(image2d_depth_t, f)
DECLARE_SAMPLED(image2d_array_depth_t, f)
void query(const ImageDescriptor *, const ImageDescriptor *, const ImageDescriptor *, const ImageDescriptor *,
           const ImageDescriptor *, const ImageDescriptor *, const ImageDescriptor *, const ImageDescriptor *,
           int64_t *);
}

#define ROW(S, T) {S##_f_##T, S##_h_##T, S##_i_##T, S##_ui_##T}
#define ROW2(S, A, B, T)                                                                                               \
  {                                                                                                                    \
    {S##_##A##_f_##T, S##_##B##_f_##T}, {S##_##A##_h_##T, S##_##B##_h_##T}, {S##_##A##_i_##T, S##_##B##_i_##T}, {      \
      S##_##A##_ui_##T, S##_##B##_ui_##T                                                                               \
    }                                                                                                                  \
  }
#define KIND(T, K)                                                                                                     \
  {#T,                                                                                                                 \
   ImageKind::K,                                                                                                       \
   ROW(float, T),                                                                                                      \
   ROW(int, T),                                                                                                        \
   ROW2(plain, read_only, read_write, T),                                                                              \
   ROW2(write, write_only, read_write, T)}
#define DEPTH(T, K)                                                                                                    \
  {                                                                                                                    \
    #T, ImageKind::K, {float_f_##T}, {int_f_##T}, {{plain_read_only_f_##T, plain_read_write_f_##T}}, {                 \
      {                                                                                                                \
        write_write_only_f_##T, write_read_write_f_##T                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
  }
const KindRow kKinds[] = {
    KIND(image1d_t, Image1D),
    KIND(image1d_array_t, Image1DArray),
    KIND(image2d_t, Image2D),
    KIND(image2d_array_t, Image2DArray),
    KIND(image3d_t, Image3D),
    {"image1d_buffer_t",
     ImageKind::Image1DBuffer,
     {},
     {},
     ROW2(plain, read_only, read_write, image1d_buffer_t),
     ROW2(write, write_only, read_write, image1d_buffer_t)},
    DEPTH(image2d_depth_t, Image2D),
    DEPTH(image2d_array_depth_t, Image2DArray),
};

/// Every format that the devices may offer.
std::vector<ImageFormat> formats() {
  using enum ChannelOrder;
  using enum ChannelType;
  std::vector<ImageFormat> all;
  for (ChannelOrder order : {R, A, RG, RA, RGBA})
    for (const TypeRow &type : kTypes)
      if (!type.packed[0]) all.push_back({order, type.type});
  for (ChannelOrder order : {BGRA, ARGB, ABGR})
    for (ChannelType type : {UnormInt8, SnormInt8, SignedInt8, UnsignedInt8}) all.push_back({order, type});
  for (ChannelOrder order : {Intensity, Luminance})
    for (ChannelType type : {UnormInt8, UnormInt16, SnormInt8, SnormInt16, HalfFloat, Float})
      all.push_back({order, type});
  for (ChannelOrder order : {RGB, RGBx})
    for (ChannelType type : {UnormShort565, UnormShort555, UnormInt101010}) all.push_back({order, type});
  all.push_back({RGBA, UnormInt101010_2});
  all.push_back({sRGBA, UnormInt8});
  all.push_back({sBGRA, UnormInt8});
  all.push_back({Depth, UnormInt16});
  all.push_back({Depth, Float});
  return all;
}

/// Memory that ends (or begins) where nothing may be touched.
class GuardedMemory {
public:
  GuardedMemory(size_t bytes, bool atEnd) : page_(size_t(sysconf(_SC_PAGESIZE))) {
    size_ = (bytes + page_ - 1) / page_ * page_;
    base_ = static_cast<std::byte *>(mmap(nullptr, size_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + page_, size_, PROT_READ | PROT_WRITE);
    data_ = base_ + page_ + (atEnd ? size_ - bytes : 0);
  }
  ~GuardedMemory() { munmap(base_, size_ + 2 * page_); }
  std::byte *data() const { return data_; }

private:
  size_t page_, size_;
  std::byte *base_, *data_;
};

struct TestImage {
  TestImage(ImageKind kind, const ImageFormat &format, bool atEnd, Place size = {5, 4, 3})
      : what(describe(kind, format, size)) {
    const size_t bytes = what.slicePitch * what.depth * what.arraySize;
    memory = std::make_unique<GuardedMemory>(bytes, atEnd);
    std::mt19937 random(7);
    const TypeRow &type = typeRow(format.type);
    for (size_t at = 0; at < bytes; at += 4) {
      uint32_t word = random();
      if (type.meaning == Meaning::Half) word &= 0xbfffbfff; // below 2
      if (type.meaning == Meaning::Float) word = std::bit_cast<uint32_t>(float(int32_t(word)) * 0x1p-28f);
      std::memcpy(memory->data() + at, &word, std::min<size_t>(4, bytes - at));
    }
    descriptor = {memory->data(),           what.rowPitch,
                  what.slicePitch,          uint32_t(what.width),
                  uint32_t(what.height),    uint32_t(what.depth),
                  uint32_t(what.arraySize), uint32_t(format.order),
                  uint32_t(format.type),    uint32_t(what.elementSize)};
  }
  ReferenceImage reference() const { return {what, memory->data()}; }

  static ImageDescription describe(ImageKind kind, const ImageFormat &format, Place size) {
    const TypeRow &type = typeRow(format.type);
    ImageDescription what{kind, format, uint64_t(size[0])};
    const bool plane = kind == ImageKind::Image2D || kind == ImageKind::Image2DArray || kind == ImageKind::Image3D;
    if (plane) what.height = size[1];
    if (kind == ImageKind::Image3D) what.depth = size[2];
    if (kind == ImageKind::Image1DArray || kind == ImageKind::Image2DArray) what.arraySize = size[2];
    what.elementSize = type.bits / 8 * (type.packed[0] ? 1 : orderRow(format.order).memory.size());
    // Rows are apart; the last one has no room behind its last pixel.
    what.rowPitch = what.elementSize * (what.width + (plane ? 2 : 0));
    what.slicePitch = what.rowPitch * what.height;
    return what;
  }

  ImageDescription what;
  std::unique_ptr<GuardedMemory> memory;
  ImageDescriptor descriptor;
};

std::string textOf(const SamplerDescription &sampler) {
  return std::string(sampler.normalizedCoordinates ? "normalized " : "") +
         std::array{"none", "clamp to edge", "clamp", "repeat", "mirrored"}[size_t(sampler.addressing)] +
         (sampler.filter == FilterMode::Linear ? " linear" : " nearest");
}

std::vector<SamplerDescription> samplers() {
  std::vector<SamplerDescription> all;
  for (bool normalized : {false, true})
    for (AddressingMode mode : {AddressingMode::None, AddressingMode::ClampToEdge, AddressingMode::Clamp,
                                AddressingMode::Repeat, AddressingMode::MirroredRepeat})
      for (FilterMode filter : {FilterMode::Nearest, FilterMode::Linear})
        if (normalized || mode <= AddressingMode::Clamp) all.push_back({normalized, mode, filter});
  return all;
}

/// Coordinates of one direction: fractions that floats hold exactly, times w too, around every place that matters.
std::vector<float> along(const SamplerDescription &sampler, int w, bool few) {
  const float size = float(w);
  std::vector<float> all = {0.5f, 0, size, -0.25f, size - 0.25f, 1.25f};
  if (!few)
    for (float x : {-2.0f,       -1.5f,        -1.25f,      -1.0f,        -0.75f,      -0.5f,    0.25f,
                    0.75f,       1.0f,         1.5f,        2.125f,       size - 1.5f, size - 1, size - 0.75f,
                    size - 0.5f, size + 0.25f, size + 0.5f, size + 0.75f, size + 1.5f, 100.0f})
      all.push_back(x);
  if (!sampler.normalizedCoordinates) return all;
  all = {0, 0.5f, 1, -0.0625f, 1.1875f, 0.96875f};
  if (!few)
    for (float x : {-2.25f, -2.0f,  -1.5f,  -1.125f,  -1.0f, -0.9375f, -0.5f, 0.03125f, 0.0625f, 0.125f,
                    0.375f, 0.625f, 0.875f, 1.03125f, 1.5f,  1.75f,    2.0f,  2.5f,     3.0f,    3.25f})
      all.push_back(x);
  return all;
}

std::vector<Coordinates> coordinatesFor(const ReferenceImage &image, const SamplerDescription &sampler) {
  const int dimensions = image.dimensions();
  const std::vector<float> xs = along(sampler, image.size(0), dimensions > 2);
  const std::vector<float> ys = dimensions > 1 ? along(sampler, image.size(1), dimensions > 2) : std::vector{0.0f};
  const std::vector<float> zs = dimensions > 2 ? along(sampler, image.size(2), true) : std::vector{0.0f};
  const std::vector<float> layers = image.isArray() ? std::vector{0.0f, 0.75f, 1.5f, -3.0f, 9.0f} : std::vector{0.0f};
  std::vector<Coordinates> all;
  for (float x : xs)
    for (float y : ys)
      for (float z : zs)
        for (float layer : layers) {
          Coordinates at{x, y, z};
          if (image.isArray()) at[dimensions] = layer;
          all.push_back(at);
        }
  return all;
}

bool fits(const KindRow &kind, const ImageFormat &format, int function) {
  const Meaning meaning = typeRow(format.type).meaning;
  const bool depth = std::string_view(kind.name).contains("depth");
  if (depth != (format.order == ChannelOrder::Depth) || !kind.plain[function][0]) return false;
  if (meaning == Meaning::Signed) return function == kI;
  if (meaning == Meaning::Unsigned) return function == kUi;
  return function == kF || function == kH;
}

/// Largest magnitude of any channel: what a filter's error is relative to.
double largest(const ReferenceImage &image) {
  double most = 1;
  for (int z = 0; z < int(image.what.depth * image.what.arraySize); ++z)
    for (int y = 0; y < int(image.what.height); ++y)
      for (int x = 0; x < int(image.what.width); ++x)
        for (double c : decode(image.what.format, image.pixel({x, y, z}))) most = std::max(most, std::fabs(c));
  return most;
}

class Comparison {
public:
  Comparison(const KindRow &kind, const ImageFormat &format, int function)
      : kind_(kind), format_(format), function_(function) {}

  /// exact: equal after rounding to the function's type; else within an error relative to `scale`.
  void compare(std::string_view what, const void *out, size_t i, Color expected, bool exact, double scale) {
    if (std::string_view(kind_.name).contains("depth")) expected = {expected[0], 0, 0, 1};
    for (int c = 0; c < 4; ++c) {
      double found, wanted = expected[c], error = 0;
      if (function_ == kI) {
        found = static_cast<const IntVector *>(out)[i].v[c];
      } else if (function_ == kUi) {
        found = uint32_t(static_cast<const IntVector *>(out)[i].v[c]);
      } else {
        found = static_cast<const FloatVector *>(out)[i].v[c];
        wanted = float(wanted);
        if (!exact) error = 4e-7 * scale;
        if (function_ == kH && exact) wanted = double(_Float16(float(wanted)));
        if (function_ == kH && !exact) error += std::fabs(wanted) * 0x1p-10 + 0x1p-24;
      }
      if (std::fabs(found - wanted) <= error) continue;
      if (++wrong_ > 3) return;
      ADD_FAILURE() << kind_.name << " order " << int(format_.order) << " type " << int(format_.type) << " read_image"
                    << kNames[function_] << " " << what << " element " << i << " channel " << c << ": " << found
                    << " instead of " << wanted;
    }
  }
  bool tooMany() const { return wrong_ > 3; }

private:
  const KindRow &kind_;
  const ImageFormat &format_;
  int function_, wrong_ = 0;
};

template <class Body> void forAll(Body body) {
  for (const KindRow &kind : kKinds)
    for (const ImageFormat &format : formats())
      for (int function = 0; function < kFunctions; ++function)
        if (fits(kind, format, function)) {
          const TestImage image(kind.kind, format, (int(format.order) + function) % 2 == 0);
          body(kind, image, function);
        }
}

TEST(Image, SampledReads) {
  forAll([](const KindRow &kind, const TestImage &image, int function) {
    if (!kind.sampled[function]) return;
    const ReferenceImage reference = image.reference();
    const double scale = largest(reference);
    Comparison comparison(kind, image.what.format, function);
    for (const SamplerDescription &sampler : samplers()) {
      const bool linear = sampler.filter == FilterMode::Linear;
      if (linear && (function == kI || function == kUi)) continue; // "nearest only"
      const std::vector<Coordinates> coordinates = coordinatesFor(reference, sampler);
      std::vector<FloatVector> at, out(coordinates.size());
      for (const Coordinates &c : coordinates) at.push_back({{c[0], c[1], c[2], 77}});
      kind.sampled[function](&image.descriptor, samplerBits(sampler), at.data(), out.data(), uint32_t(at.size()));
      for (size_t i = 0; i < at.size() && !comparison.tooMany(); ++i) {
        const std::string what = textOf(sampler) + " at " + std::to_string(at[i].v[0]) + " " +
                                 std::to_string(at[i].v[1]) + " " + std::to_string(at[i].v[2]);
        comparison.compare(what, out.data(), i, reference.read(sampler, coordinates[i]), !linear, scale);
      }
    }
  });
}

std::vector<IntVector> integerPlaces(const ReferenceImage &image, bool outside) {
  std::vector<IntVector> places;
  const int margin = outside ? 2 : 0;
  auto range = [&](int d) {
    const bool layer = image.isArray() && d == image.dimensions();
    const int size = layer ? int(image.what.arraySize) : d < image.dimensions() ? image.size(d) : 0;
    return size == 0 ? std::pair(0, 1) : std::pair(-margin, size + margin);
  };
  for (int z = range(2).first; z < range(2).second; ++z)
    for (int y = range(1).first; y < range(1).second; ++y)
      for (int x = range(0).first; x < range(0).second; ++x) places.push_back({{x, y, z, 77}});
  if (outside)
    for (int extreme : {INT32_MIN, INT32_MAX}) places.push_back({{extreme, extreme, extreme, 0}});
  return places;
}

TEST(Image, IntegerCoordinates) {
  forAll([](const KindRow &kind, const TestImage &image, int function) {
    if (!kind.integer[function]) return;
    const ReferenceImage reference = image.reference();
    Comparison comparison(kind, image.what.format, function);
    for (AddressingMode mode : {AddressingMode::ClampToEdge, AddressingMode::Clamp}) {
      const SamplerDescription sampler{false, mode, FilterMode::Nearest};
      const std::vector<IntVector> at = integerPlaces(reference, true);
      std::vector<FloatVector> out(at.size());
      kind.integer[function](&image.descriptor, samplerBits(sampler), at.data(), out.data(), uint32_t(at.size()));
      for (size_t i = 0; i < at.size() && !comparison.tooMany(); ++i)
        comparison.compare(textOf(sampler) + " integer", out.data(), i,
                           reference.readInteger(sampler, {at[i].v[0], at[i].v[1], at[i].v[2]}), true, 1);
    }
  });
}

TEST(Image, SamplerlessReads) {
  forAll([](const KindRow &kind, const TestImage &image, int function) {
    const ReferenceImage reference = image.reference();
    Comparison comparison(kind, image.what.format, function);
    const SamplerDescription none{false, AddressingMode::None, FilterMode::Nearest};
    for (Read *read : kind.plain[function]) {
      // Outside the specification promises nothing; here it is the edge.
      const std::vector<IntVector> at = integerPlaces(reference, true);
      std::vector<FloatVector> out(at.size());
      read(&image.descriptor, 0, at.data(), out.data(), uint32_t(at.size()));
      for (size_t i = 0; i < at.size() && !comparison.tooMany(); ++i)
        comparison.compare("samplerless", out.data(), i,
                           reference.readInteger(none, {at[i].v[0], at[i].v[1], at[i].v[2]}), true, 1);
    }
  });
}

/// Colours with every kind of saturation, rounding and special value.
std::vector<double> writtenValues(int function) {
  if (function == kI) return {0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32769, 2147483647.0, -2147483648.0, 77};
  if (function == kUi) return {0, 1, 255, 256, 65535, 65536, 4294967295.0, 77};
  std::vector<double> values = {0, 1, -1, 0.5, -0.5, 1.5, -3, 1e-5, 0.25, 0.0030, 0.0032, 0.7, 0.999, 1e30, -1e30};
  for (int k = 0; k < 40; ++k) values.push_back((k + 0.5) / 255), values.push_back(float(k * 0.013));
  if (function == kH)
    for (double &value : values) value = double(_Float16(float(std::clamp(value, -60000.0, 60000.0))));
  else
    values.push_back(NAN);
  return values;
}

TEST(Image, Writes) {
  forAll([](const KindRow &kind, const TestImage &image, int function) {
    const ImageFormat &format = image.what.format;
    const ReferenceImage reference = image.reference();
    const std::vector<double> values = writtenValues(function);
    const std::vector<IntVector> at = integerPlaces(reference, true);
    const size_t bytes = image.what.slicePitch * image.what.depth * image.what.arraySize;
    for (Write *write : kind.write[function])
      for (size_t round = 0; round < values.size(); round += 3) {
        std::vector<std::byte> expected(bytes, std::byte{0x5a});
        std::memset(image.memory->data(), 0x5a, bytes);
        std::vector<FloatVector> colors;
        for (size_t i = 0; i < at.size(); ++i) {
          Color color;
          FloatVector stored{};
          for (int c = 0; c < 4; ++c) {
            const double value = color[c] = values[(round + i + c) % values.size()];
            const int32_t number = function == kUi ? int32_t(uint32_t(value)) : function == kI ? int32_t(value) : 0;
            const float real = float(value);
            std::memcpy(&stored.v[c], function == kF || function == kH ? static_cast<const void *>(&real) : &number, 4);
          }
          colors.push_back(stored);
          if (!std::ranges::all_of(std::array{0, 1, 2}, [&](int d) {
                const bool layer = reference.isArray() && d == reference.dimensions();
                const int size = layer ? int(image.what.arraySize) : d < reference.dimensions() ? reference.size(d) : 0;
                return size == 0 || (at[i].v[d] >= 0 && at[i].v[d] < size);
              }))
            continue;
          encode(format, color,
                 expected.data() +
                     (reference.pixel(reference.placeOf({at[i].v[0], at[i].v[1], at[i].v[2]})) - reference.data));
        }
        write(&image.descriptor, at.data(), colors.data(), uint32_t(at.size()));
        if (std::memcmp(expected.data(), image.memory->data(), bytes) == 0) continue;
        size_t first = 0;
        while (expected[first] == image.memory->data()[first]) ++first;
        ADD_FAILURE() << kind.name << " order " << int(format.order) << " type " << int(format.type) << " write_image"
                      << kNames[function] << " round " << round << " byte " << first << ": "
                      << int(image.memory->data()[first]) << " instead of " << int(expected[first]);
        return;
      }
  });
}

/// Whatever the coordinates: something from the image or its border, and no fault.
TEST(Image, WildCoordinatesStayInside) {
  const float infinity = INFINITY,
              values[] = {NAN, infinity, -infinity, 1e38f, -1e38f, 3e9f, -3e9f, 0x1p24f, -0x1p-149f};
  forAll([&](const KindRow &kind, const TestImage &image, int function) {
    if (!kind.sampled[function]) return;
    std::vector<FloatVector> at;
    for (float x : values)
      for (float y : values) at.push_back({{x, y, x, y}}), at.push_back({{y, 1, x, x}});
    std::vector<FloatVector> out(at.size());
    for (SamplerDescription sampler : samplers()) {
      kind.sampled[function](&image.descriptor, samplerBits(sampler), at.data(), out.data(), uint32_t(at.size()));
      // A literal may combine what no call of the API accepts.
      sampler.normalizedCoordinates ^= true;
      kind.sampled[function](&image.descriptor, samplerBits(sampler), at.data(), out.data(), uint32_t(at.size()));
    }
    for (uint64_t bits = 0; bits < 64; ++bits)
      kind.sampled[function](&image.descriptor, bits, at.data(), out.data(), 4);
  });
}

/// Coordinates that no float product hits exactly: the result lies within what the neighbours and the error of the
/// coordinate allow.
TEST(Image, RandomLinearCoordinates) {
  const TestImage image(ImageKind::Image2D, {ChannelOrder::RGBA, ChannelType::Float}, true, {37, 23, 1});
  const ReferenceImage reference = image.reference();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> spread(-0.2f, 1.2f);
  std::vector<FloatVector> at(20000), out(at.size());
  for (FloatVector &c : at) c = {{spread(random), spread(random), 0, 0}};
  for (AddressingMode mode :
       {AddressingMode::ClampToEdge, AddressingMode::Clamp, AddressingMode::Repeat, AddressingMode::MirroredRepeat}) {
    const SamplerDescription sampler{true, mode, FilterMode::Linear};
    float_f_image2d_t(&image.descriptor, samplerBits(sampler), at.data(), out.data(), uint32_t(at.size()));
    for (size_t i = 0; i < at.size(); ++i) {
      const Color expected = reference.read(sampler, {at[i].v[0], at[i].v[1], 0});
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(out[i].v[c], expected[c], 16 * 37 * 0x1p-22) << textOf(sampler) << " " << i;
    }
  }
}

#define DECLARE_LEVELS(T, ID)                                                                                          \
  Read level_##ID##_##T, gradient_##ID##_##T;                                                                          \
  Write write_level_##ID##_##T;
#define DECLARE_COLOR_LEVELS(T)                                                                                        \
  DECLARE_LEVELS(T, f) DECLARE_LEVELS(T, i) DECLARE_LEVELS(T, ui) int levels_of_##T(const ImageDescriptor *);
extern "C" {
DECLARE_COLOR_LEVELS(image1d_t)
DECLARE_COLOR_LEVELS(image1d_array_t)
DECLARE_COLOR_LEVELS(image2d_t)
DECLARE_COLOR_LEVELS(image2d_array_t)
DECLARE_COLOR_LEVELS(image3d_t)
}
struct MipmapRow {
  const char *name;
  ImageKind kind;
  Read *level[3], *gradient[3]; // of read_imagef, read_imagei, read_imageui
  Write *write[3];
  int (*count)(const ImageDescriptor *);
};
#define MIPMAP(T, K)                                                                                                   \
  {#T,                                                                                                                 \
   ImageKind::K,                                                                                                       \
   {level_f_##T, level_i_##T, level_ui_##T},                                                                           \
   {gradient_f_##T, gradient_i_##T, gradient_ui_##T},                                                                  \
   {write_level_f_##T, write_level_i_##T, write_level_ui_##T},                                                         \
   levels_of_##T}
const MipmapRow kMipmaps[] = {MIPMAP(image1d_t, Image1D), MIPMAP(image1d_array_t, Image1DArray),
                              MIPMAP(image2d_t, Image2D), MIPMAP(image2d_array_t, Image2DArray),
                              MIPMAP(image3d_t, Image3D)};
constexpr ImageFormat kMipmapFormats[] = {{ChannelOrder::RGBA, ChannelType::Float},
                                          {ChannelOrder::RG, ChannelType::SignedInt16},
                                          {ChannelOrder::R, ChannelType::UnsignedInt8}};

/// Four levels, the last of which is a pixel (of each layer); their descriptors lie one behind the other.
struct Mipmap {
  Mipmap(ImageKind kind, const ImageFormat &format) {
    for (const Place size : {Place{11, 8, 9}, Place{5, 4, 4}, Place{2, 2, 2}, Place{1, 1, 1}}) {
      const Place layered{size[0], size[1], kind == ImageKind::Image3D ? size[2] : 3};
      levels.push_back(std::make_unique<TestImage>(kind, format, levels.size() % 2 == 0, layered));
      descriptors.push_back(levels.back()->descriptor);
      descriptors.back().mipLevels = 4;
    }
  }
  /// As the language takes a level of detail between two.
  Color read(const SamplerDescription &sampler, const Coordinates &at, double detail) const {
    detail = std::clamp(std::clamp(detail, double(sampler.leastLevel), double(sampler.mostLevel)), 0.0, 3.0);
    if (sampler.mipFilter == FilterMode::Nearest) return levels[size_t(detail + 0.5)]->reference().read(sampler, at);
    const size_t first = size_t(detail), second = std::min<size_t>(first + 1, 3);
    const Color a = levels[first]->reference().read(sampler, at), b = levels[second]->reference().read(sampler, at);
    Color mixed{};
    for (int c = 0; c < 4; ++c) mixed[c] = a[c] + (b[c] - a[c]) * (detail - double(first));
    return mixed;
  }

  std::vector<std::unique_ptr<TestImage>> levels;
  std::vector<ImageDescriptor> descriptors;
};

void expectColor(int function, const FloatVector &found, const Color &expected, const std::string &what) {
  for (int c = 0; c < 4; ++c) {
    const int32_t number = std::bit_cast<int32_t>(found.v[c]);
    const double value = function == 0 ? found.v[c] : function == 1 ? double(number) : double(uint32_t(number));
    ASSERT_NEAR(value, expected[c], function ? 0 : 1e-5) << what << ", channel " << c;
  }
}

std::vector<SamplerDescription> mipmapSamplers() {
  std::vector<SamplerDescription> all;
  for (FilterMode filter : {FilterMode::Nearest, FilterMode::Linear})
    for (FilterMode mip : {FilterMode::Nearest, FilterMode::Linear})
      for (auto [least, most] : {std::pair(0.0f, std::numeric_limits<float>::max()), std::pair(0.75f, 1.25f),
                                 std::pair(-3.0f, 0.0f), std::pair(2.5f, 100.0f)})
        all.push_back({true, AddressingMode::Clamp, filter, mip, least, most});
  return all;
}

// cl_khr_mipmap_image: a level of detail selects a level, or mixes two.
TEST(Image, LevelsOfDetail) {
  for (const MipmapRow &row : kMipmaps)
    for (int function = 0; function < 3; ++function) {
      const Mipmap mipmap(row.kind, kMipmapFormats[function]);
      EXPECT_EQ(4, row.count(mipmap.descriptors.data()));
      for (const SamplerDescription &sampler : mipmapSamplers()) {
        if (function && (sampler.filter == FilterMode::Linear || sampler.mipFilter == FilterMode::Linear)) continue;
        std::vector<FloatVector> at;
        for (float x : {0.125f, 0.4375f, 0.8125f, 1.0625f})
          for (float detail : {0.0f, 0.25f, 0.75f, 1.0f, 1.375f, 2.0f, 2.875f, 3.0f, 17.0f, -1.0f})
            at.push_back({{x, row.kind == ImageKind::Image1DArray ? 2 : 0.3125f,
                           row.kind == ImageKind::Image2DArray ? 1 : 0.6875f, detail}});
        std::vector<FloatVector> out(at.size());
        row.level[function](mipmap.descriptors.data(), samplerBits(sampler), at.data(), out.data(),
                            uint32_t(at.size()));
        for (size_t i = 0; i < at.size(); ++i)
          ASSERT_NO_FATAL_FAILURE(
              expectColor(function, out[i], mipmap.read(sampler, {at[i].v[0], at[i].v[1], at[i].v[2]}, at[i].v[3]),
                          std::string(row.name) + " " + textOf(sampler) + " at " + std::to_string(at[i].v[0]) +
                              ", level " + std::to_string(at[i].v[3])));
      }
      // What is no number, or none that a level has, is some level all the same.
      std::vector<FloatVector> wild, out(6);
      for (float detail : {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 0x1p-149f}) wild.push_back({{0.5f, 0, 0, detail}});
      for (uint64_t bits : {uint64_t(0x23), uint64_t(0x63), ~uint64_t(0), uint64_t(0x7fc0007fc00063)})
        row.level[function](mipmap.descriptors.data(), bits, wild.data(), out.data(), 6);
    }
}

// The level of detail is the logarithm of the longer of the two steps, in pixels.
TEST(Image, Gradients) {
  const Place size{11, 8, 9};
  std::mt19937 random(5);
  std::uniform_real_distribution<float> exponent(-6, 1), sign(-1, 1);
  for (const MipmapRow &row : kMipmaps)
    for (int function = 0; function < 3; ++function) {
      const Mipmap mipmap(row.kind, kMipmapFormats[function]);
      SamplerDescription sampler{true, AddressingMode::ClampToEdge, FilterMode::Nearest};
      if (function == 0) sampler.mipFilter = FilterMode::Linear;
      std::vector<FloatVector> at, out(200);
      for (size_t i = 0; i < out.size(); ++i) {
        at.push_back({{0.3f, 0.6f, 0.7f, 0}});
        for (int g = 0; g < 2; ++g) {
          FloatVector gradient{};
          for (float &one : gradient.v) one = std::exp2(exponent(random)) * (sign(random) < 0 ? -1 : 1);
          at.push_back(i % 50 ? gradient : FloatVector{});
        }
      }
      row.gradient[function](mipmap.descriptors.data(), samplerBits(sampler), at.data(), out.data(), 200);
      for (size_t i = 0; i < out.size(); ++i) {
        double longest = 0;
        for (int g = 1; g < 3; ++g) {
          double square = 0;
          for (int d = 0; d < mipmap.levels[0]->reference().dimensions(); ++d)
            square += std::pow(double(at[3 * i + g].v[d]) * size[d], 2);
          longest = std::max(longest, std::sqrt(square));
        }
        const double detail = longest > 0 ? std::log2(longest) : -1;
        // Between two levels the last bits decide.
        if (function && std::fabs(detail - std::floor(detail) - 0.5) < 1e-4) continue;
        const Color expected = mipmap.read(sampler, {0.3f, 0.6f, 0.7f}, detail);
        ASSERT_NO_FATAL_FAILURE(expectColor(function, out[i], expected,
                                            std::string(row.name) + ", level of detail " + std::to_string(detail)));
      }
    }
}

// cl_khr_mipmap_image_writes: each pixel of each level; what is outside is not written.
TEST(Image, WritesToLevels) {
  for (const MipmapRow &row : kMipmaps)
    for (int function = 0; function < 3; ++function) {
      const ImageFormat format = kMipmapFormats[function];
      const Mipmap mipmap(row.kind, format);
      std::vector<std::vector<std::byte>> expected;
      std::vector<IntVector> at;
      std::vector<IntVector> colors;
      for (int level = -1; level < 5; ++level) {
        const TestImage &image = *mipmap.levels[size_t(std::clamp(level, 0, 3))];
        const ReferenceImage reference = image.reference();
        const size_t bytes = image.what.slicePitch * image.what.depth * image.what.arraySize;
        const bool isLevel = level >= 0 && level < 4;
        if (isLevel) expected.emplace_back(bytes, std::byte{0x5a});
        if (isLevel) std::memset(image.memory->data(), 0x5a, bytes);
        for (const IntVector &place : integerPlaces(reference, true)) {
          const int number = int(at.size() % 100);
          const Color color{double(number), double(number + 1), double(number + 2), double(number + 3)};
          IntVector stored{};
          for (int c = 0; c < 4; ++c) stored.v[c] = function ? number + c : std::bit_cast<int32_t>(float(number + c));
          at.push_back({{place.v[0], place.v[1], place.v[2], level}});
          colors.push_back(stored);
          const auto isInside = [&](int d) {
            const bool layer = reference.isArray() && d == reference.dimensions();
            const int most = layer ? int(image.what.arraySize) : d < reference.dimensions() ? reference.size(d) : 0;
            return most == 0 || (place.v[d] >= 0 && place.v[d] < most);
          };
          if (!isLevel || !isInside(0) || !isInside(1) || !isInside(2)) continue;
          const Place pixel = reference.placeOf({place.v[0], place.v[1], place.v[2]});
          encode(format, color, expected.back().data() + (reference.pixel(pixel) - reference.data));
        }
      }
      row.write[function](mipmap.descriptors.data(), at.data(), colors.data(), uint32_t(at.size()));
      for (size_t level = 0; level < 4; ++level)
        EXPECT_EQ(0, std::memcmp(expected[level].data(), mipmap.levels[level]->memory->data(), expected[level].size()))
            << row.name << ", level " << level;
    }
}

TEST(Image, Queries) {
  const ImageFormat color{ChannelOrder::BGRA, ChannelType::UnormInt8}, depth{ChannelOrder::Depth, ChannelType::Float};
  const TestImage a(ImageKind::Image1D, color, true, {11, 1, 1}), b(ImageKind::Image1DArray, color, true, {12, 1, 5}),
      c(ImageKind::Image2D, color, true, {13, 3, 1}), d(ImageKind::Image2DArray, color, true, {14, 4, 6}),
      e(ImageKind::Image3D, color, true, {15, 5, 7}), f(ImageKind::Image1DBuffer, color, true, {16, 1, 1}),
      g(ImageKind::Image2D, depth, true, {17, 6, 1}), h(ImageKind::Image2DArray, depth, true, {18, 7, 8});
  const int64_t expected[] = {
      11, int64_t(color.order), int64_t(color.type), 12, 5, 13, 3, 13, 3, 4, 6, 4, 7, 15, 5, 7, 0, 16, 1, 6, 8, 1};
  int64_t found[std::size(expected)];
  query(&a.descriptor, &b.descriptor, &c.descriptor, &d.descriptor, &e.descriptor, &f.descriptor, &g.descriptor,
        &h.descriptor, found);
  for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(found[i], expected[i]) << i;
}

} // namespace
} // namespace us::test
