// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/array.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"

#include <algorithm>
#include <bit>
#include <set>

namespace us::cuda {
namespace {

auto &arrays() {
  static auto &set = *new HandleSet<Array, CUarray>;
  return set;
}

auto &mipmappedArrays() {
  static auto &set = *new HandleSet<MipmappedArray, CUmipmappedArray>;
  return set;
}

/// All that there are: textures keep some that are no valid handles any more.
struct Living {
  std::mutex mutex; // guards arrays
  std::set<Array *> arrays;
};
Living &living() {
  static auto &instance = *new Living;
  return instance;
}

struct FormatRow {
  CUarray_format format;
  unsigned bytes;
};
constexpr FormatRow kFormats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1},  {CU_AD_FORMAT_UNSIGNED_INT16, 2},
                                  {CU_AD_FORMAT_UNSIGNED_INT32, 4}, {CU_AD_FORMAT_SIGNED_INT8, 1},
                                  {CU_AD_FORMAT_SIGNED_INT16, 2},   {CU_AD_FORMAT_SIGNED_INT32, 4},
                                  {CU_AD_FORMAT_HALF, 2},           {CU_AD_FORMAT_FLOAT, 4}};

/// The largest array of a kind, by flags and by which sizes are not 0. A size that the device does not state is free.
struct LimitRow {
  unsigned flags;      ///< of LAYERED, CUBEMAP and SURFACE_LDST
  unsigned dimensions; ///< without layers
  CUdevice_attribute width, height, depth;
};
#define US_LIMIT(name) CU_DEVICE_ATTRIBUTE_MAXIMUM_##name
constexpr CUdevice_attribute kNone{};
constexpr unsigned kLayered = CUDA_ARRAY3D_LAYERED, kCube = CUDA_ARRAY3D_CUBEMAP, kSurface = CUDA_ARRAY3D_SURFACE_LDST,
                   kGather = CUDA_ARRAY3D_TEXTURE_GATHER;
constexpr LimitRow kLimits[] = {
    {0, 1, US_LIMIT(TEXTURE1D_WIDTH), kNone, kNone},
    {0, 2, US_LIMIT(TEXTURE2D_WIDTH), US_LIMIT(TEXTURE2D_HEIGHT), kNone},
    {0, 3, US_LIMIT(TEXTURE3D_WIDTH), US_LIMIT(TEXTURE3D_HEIGHT), US_LIMIT(TEXTURE3D_DEPTH)},
    // "or the alternate dimensions"
    {0, 3, US_LIMIT(TEXTURE3D_WIDTH_ALTERNATE), US_LIMIT(TEXTURE3D_HEIGHT_ALTERNATE),
     US_LIMIT(TEXTURE3D_DEPTH_ALTERNATE)},
    {kLayered, 1, US_LIMIT(TEXTURE1D_LAYERED_WIDTH), kNone, US_LIMIT(TEXTURE1D_LAYERED_LAYERS)},
    {kLayered, 2, US_LIMIT(TEXTURE2D_LAYERED_WIDTH), US_LIMIT(TEXTURE2D_LAYERED_HEIGHT),
     US_LIMIT(TEXTURE2D_LAYERED_LAYERS)},
    {kCube, 2, US_LIMIT(TEXTURECUBEMAP_WIDTH), US_LIMIT(TEXTURECUBEMAP_WIDTH), kNone},
    {kCube | kLayered, 2, US_LIMIT(TEXTURECUBEMAP_LAYERED_WIDTH), US_LIMIT(TEXTURECUBEMAP_LAYERED_WIDTH),
     US_LIMIT(TEXTURECUBEMAP_LAYERED_LAYERS)},
    {kGather, 2, US_LIMIT(TEXTURE2D_GATHER_WIDTH), US_LIMIT(TEXTURE2D_GATHER_HEIGHT), kNone},
    {kSurface, 1, US_LIMIT(SURFACE1D_WIDTH), kNone, kNone},
    {kSurface, 2, US_LIMIT(SURFACE2D_WIDTH), US_LIMIT(SURFACE2D_HEIGHT), kNone},
    {kSurface, 3, US_LIMIT(SURFACE3D_WIDTH), US_LIMIT(SURFACE3D_HEIGHT), US_LIMIT(SURFACE3D_DEPTH)},
    {kSurface | kLayered, 1, US_LIMIT(SURFACE1D_LAYERED_WIDTH), kNone, US_LIMIT(SURFACE1D_LAYERED_LAYERS)},
    {kSurface | kLayered, 2, US_LIMIT(SURFACE2D_LAYERED_WIDTH), US_LIMIT(SURFACE2D_LAYERED_HEIGHT),
     US_LIMIT(SURFACE2D_LAYERED_LAYERS)},
    {kSurface | kCube, 2, US_LIMIT(SURFACECUBEMAP_WIDTH), US_LIMIT(SURFACECUBEMAP_WIDTH), kNone},
    {kSurface | kCube | kLayered, 2, US_LIMIT(SURFACECUBEMAP_LAYERED_WIDTH), US_LIMIT(SURFACECUBEMAP_LAYERED_WIDTH),
     US_LIMIT(SURFACECUBEMAP_LAYERED_LAYERS)},
};
#undef US_LIMIT

using Description = CUDA_ARRAY3D_DESCRIPTOR;

/// Width, height and depth (with layers) in words.
std::string sizeText(const Description &d) { return format("{} x {} x {}", d.Width, d.Height, d.Depth); }

Expected<void> checkLimits(const Device &device, const Description &d) {
  const bool isLayered = (d.Flags & (kLayered | kCube)) != 0;
  const unsigned dimensions = d.Height == 0 ? 1 : d.Depth == 0 || isLayered ? 2 : 3;
  const auto within = [&](size_t size, CUdevice_attribute attribute) {
    if (attribute == kNone) return true;
    const int64_t most = attributeOf(device, attribute).value_or(0);
    return most == 0 || size <= size_t(most);
  };
  bool isKnown = false, fits = false;
  for (const LimitRow &row : kLimits) {
    if (row.flags != (d.Flags & (kLayered | kCube | kSurface | kGather)) || row.dimensions != dimensions) continue;
    isKnown = true;
    fits |= within(d.Width, row.width) && within(d.Height, row.height) && within(d.Depth, row.depth);
  }
  if (isKnown && !fits) return fail(CUDA_ERROR_INVALID_VALUE, format("an array of {} is too large", sizeText(d)));
  return {};
}

Expected<void> checkDescription(const Device &device, const Description &d) {
  if (!channelBytes(d.Format)) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no format {}", int(d.Format)));
  // "NumChannels specifies the number of packed components per CUDA array element; it may be 1, 2, or 4"
  if (d.NumChannels != 1 && d.NumChannels != 2 && d.NumChannels != 4)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} channels", d.NumChannels));
  constexpr unsigned kKnown = kLayered | kSurface | kCube | kGather | CUDA_ARRAY3D_COLOR_ATTACHMENT;
  constexpr unsigned kAbsent = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
  if (d.Flags & kAbsent) return fail(CUDA_ERROR_NOT_SUPPORTED, "sparse and deferred arrays are not supported");
  if (d.Flags & ~kKnown)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x}, of which {:#x} are defined", d.Flags, kKnown));
  // "A 1D array is allocated if Height and Depth extents are both zero", "a 3D array if all three are non-zero"; with
  // LAYERED the depth is the number of layers.
  if (d.Width == 0 || (d.Height == 0 && d.Depth != 0 && !(d.Flags & kLayered)))
    return fail(CUDA_ERROR_INVALID_VALUE, format("an array of {}", sizeText(d)));
  if ((d.Flags & kLayered) && d.Depth == 0) return fail(CUDA_ERROR_INVALID_VALUE, "a layered array without layers");
  // "Width must be equal to Height, and Depth must be six" or "a multiple of six"
  if ((d.Flags & kCube) &&
      (d.Width != d.Height || d.Depth == 0 || d.Depth % 6 != 0 || (!(d.Flags & kLayered) && d.Depth != 6)))
    return fail(CUDA_ERROR_INVALID_VALUE, format("a cube map of {}", sizeText(d)));
  // "can only be performed on 2D CUDA arrays"
  if ((d.Flags & kGather) && (d.Height == 0 || d.Depth != 0))
    return fail(CUDA_ERROR_INVALID_VALUE, format("an array of {} for gathering", sizeText(d)));
  return checkLimits(device, d);
}

Expected<Ref<Array>> makeArray(Context &context, const Description &description) {
  constexpr uint64_t kRowAlignment = 64;
  const uint64_t element = *channelBytes(description.Format) * description.NumChannels;
  // Not every combination of flags has limits of its own.
  uint64_t pitch = 0, size = 0;
  if (__builtin_mul_overflow(description.Width, element, &pitch) ||
      __builtin_add_overflow(pitch, kRowAlignment - 1, &pitch) ||
      __builtin_mul_overflow(pitch / kRowAlignment, kRowAlignment, &pitch) ||
      __builtin_mul_overflow(pitch, std::max<uint64_t>(description.Height, 1), &size) ||
      __builtin_mul_overflow(size, std::max<uint64_t>(description.Depth, 1), &size))
    return fail(CUDA_ERROR_OUT_OF_MEMORY, format("an array of {}", sizeText(description)));
  US_TRY(const uint64_t begin, allocateMemory(context, size, MemoryKind::Array, 0));
  return Ref<Array>(new Array(context, description, begin, pitch));
}

Expected<void> create(CUarray *handle, const Description &description) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_CHECK(checkDescription(context->device(), description));
  US_TRY(Ref<Array> array, makeArray(*context, description));
  *handle = arrays().add(std::move(array));
  return {};
}

/// "Each mipmap level is half of the size of the level before"; layers and faces stay.
Description levelOf(const Description &description, unsigned level) {
  const auto half = [&](size_t size) { return size == 0 ? 0 : std::max<size_t>(size >> level, 1); };
  Description d = description;
  d.Width = half(d.Width);
  d.Height = half(d.Height);
  if (!(d.Flags & (kLayered | kCube))) d.Depth = half(d.Depth);
  return d;
}

/// The oldest forms have sizes of 32 bits.
template <class To, class From> To narrowed(const From &from) {
  To to{};
  to.Width = decltype(to.Width)(from.Width);
  to.Height = decltype(to.Height)(from.Height);
  to.Format = from.Format;
  to.NumChannels = from.NumChannels;
  if constexpr (requires { to.Depth, from.Depth; }) {
    to.Depth = decltype(to.Depth)(from.Depth);
    to.Flags = from.Flags;
  }
  return to;
}

template <class Text> Expected<void> createFrom(CUarray *handle, const Text *text) {
  US_CHECK(checkOut(text, "the descriptor"));
  return create(handle, narrowed<Description>(*text));
}

template <class Text> Expected<void> describe(Text *text, CUarray handle) {
  US_CHECK(checkOut(text, "the result"));
  US_CHECK(currentContext());
  US_TRY(const Ref<Array> array, arrayOf(handle));
  *text = narrowed<Text>(array->description());
  return {};
}

} // namespace

std::optional<unsigned> channelBytes(CUarray_format format) {
  for (const FormatRow &row : kFormats)
    if (row.format == format) return row.bytes;
  return std::nullopt;
}

Array::Array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &description, uint64_t begin, uint64_t rowPitch)
    : context_(&context), description_(description), begin_(begin), rowPitch_(rowPitch) {
  std::lock_guard hold(living().mutex);
  living().arrays.insert(this);
}

/// Textures and surfaces keep what they look into.
Array::~Array() {
  {
    std::lock_guard hold(living().mutex);
    living().arrays.erase(this);
  }
  if (begin_ != 0) removeMemory(begin_);
}

Expected<Ref<Array>> arrayOf(CUarray handle) {
  Ref<Array> array = arrays().find(handle);
  if (!array) return fail(CUDA_ERROR_INVALID_HANDLE, "the array is not valid");
  return array;
}

Expected<Ref<MipmappedArray>> mipmappedArrayOf(CUmipmappedArray handle) {
  Ref<MipmappedArray> array = mipmappedArrays().find(handle);
  if (!array) return fail(CUDA_ERROR_INVALID_HANDLE, "the mipmapped array is not valid");
  return array;
}

void forgetArraysOf(const Context &context) {
  mipmappedArrays().removeIf([&](const MipmappedArray &array) { return &array.context() == &context; });
  {
    std::lock_guard hold(living().mutex);
    for (Array *array : living().arrays)
      if (&array->context() == &context) array->abandon();
  }
  arrays().removeIf([&](const Array &array) { return &array.context() == &context; });
}

Expected<void> arrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *text) { return createFrom(array, text); }
Expected<void> array3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *text) { return createFrom(array, text); }
Expected<void> arrayCreateOld(CUarray *array, const CUDA_ARRAY_DESCRIPTOR_v1 *text) { return createFrom(array, text); }
Expected<void> array3DCreateOld(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR_v1 *text) {
  return createFrom(array, text);
}
Expected<void> arrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *text, CUarray array) { return describe(text, array); }
Expected<void> array3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *text, CUarray array) { return describe(text, array); }
Expected<void> arrayGetDescriptorOld(CUDA_ARRAY_DESCRIPTOR_v1 *text, CUarray array) { return describe(text, array); }
Expected<void> array3DGetDescriptorOld(CUDA_ARRAY3D_DESCRIPTOR_v1 *text, CUarray array) {
  return describe(text, array);
}

Expected<void> arrayDestroy(CUarray handle) {
  US_CHECK(currentContext());
  if (const Ref<Array> array = arrays().find(handle); array && array->isLevel)
    return fail(CUDA_ERROR_INVALID_VALUE, "the array is a level of a mipmapped one, and ends with that");
  const Ref<Array> array = arrays().remove(handle);
  if (!array) return fail(CUDA_ERROR_INVALID_HANDLE, "the array is not valid");
  (void)array->context().synchronise();
  return {};
}

Expected<void> mipmappedArrayCreate(CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *text, unsigned levels) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(text, "the descriptor"));
  US_TRY(const Ref<Context> context, currentContext());
  US_CHECK(checkDescription(context->device(), *text));
  if (levels == 0) return fail(CUDA_ERROR_INVALID_VALUE, "a mipmapped array without levels");
  // "This value is clamped to the range [1, 1 + floor(log2(max(width, height, depth)))]"
  const bool hasLayers = (text->Flags & (kLayered | kCube)) != 0;
  const size_t largest = std::max({text->Width, text->Height, hasLayers ? size_t(0) : text->Depth});
  levels = std::min(levels, unsigned(std::bit_width(largest)));
  std::vector<Ref<Array>> made;
  for (unsigned level = 0; level < levels; ++level) {
    US_TRY(Ref<Array> array, makeArray(*context, levelOf(*text, level)));
    array->isLevel = true;
    made.push_back(std::move(array));
  }
  for (const Ref<Array> &array : made) arrays().add(array);
  *handle = mipmappedArrays().add(Ref<MipmappedArray>(new MipmappedArray(*context, std::move(made))));
  return {};
}

Expected<void> mipmappedArrayGetLevel(CUarray *array, CUmipmappedArray handle, unsigned level) {
  US_CHECK(checkOut(array, "the result"));
  US_CHECK(currentContext());
  US_TRY(const Ref<MipmappedArray> found, mipmappedArrayOf(handle));
  // "If level is greater than the maximum number of levels in this mipmapped array, CUDA_ERROR_INVALID_VALUE"
  if (level >= found->levels().size())
    return fail(CUDA_ERROR_INVALID_VALUE, format("level {} of {}", level, found->levels().size()));
  *array = handleOf(*found->levels()[level]);
  return {};
}

Expected<void> mipmappedArrayDestroy(CUmipmappedArray handle) {
  US_CHECK(currentContext());
  const Ref<MipmappedArray> found = mipmappedArrays().remove(handle);
  if (!found) return fail(CUDA_ERROR_INVALID_HANDLE, "the mipmapped array is not valid");
  (void)found->context().synchronise();
  for (const Ref<Array> &array : found->levels()) arrays().remove(handleOf(*array));
  return {};
}

Expected<void> mipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements,
                                                   CUmipmappedArray handle, CUdevice number) {
  US_CHECK(checkOut(requirements, "the result"));
  US_CHECK(deviceAt(number));
  US_CHECK(mipmappedArrayOf(handle));
  return fail(CUDA_ERROR_INVALID_VALUE, "the array was not made with CUDA_ARRAY3D_DEFERRED_MAPPING");
}
Expected<void> mipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUmipmappedArray handle) {
  US_CHECK(checkOut(properties, "the result"));
  US_CHECK(mipmappedArrayOf(handle));
  return fail(CUDA_ERROR_INVALID_VALUE, "the array was not made with CUDA_ARRAY3D_SPARSE");
}

// What only arrays of kinds that are not offered have: deferred mapping, sparse, of several planes.
Expected<void> arrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray handle,
                                          CUdevice number) {
  US_CHECK(checkOut(requirements, "the result"));
  US_CHECK(arrayOf(handle));
  US_CHECK(deviceAt(number));
  // "If the returned value in ... size is 0, ... was not allocated with CUDA_ARRAY3D_DEFERRED_MAPPING": an error.
  return fail(CUDA_ERROR_INVALID_VALUE, "the array was not made with CUDA_ARRAY3D_DEFERRED_MAPPING");
}
Expected<void> arrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray handle) {
  US_CHECK(checkOut(properties, "the result"));
  US_CHECK(arrayOf(handle));
  // "If the CUDA array is not allocated with flag CUDA_ARRAY3D_SPARSE CUDA_ERROR_INVALID_VALUE will be returned."
  return fail(CUDA_ERROR_INVALID_VALUE, "the array was not made with CUDA_ARRAY3D_SPARSE");
}
Expected<void> arrayGetPlane(CUarray *plane, CUarray handle, unsigned index) {
  US_CHECK(checkOut(plane, "the result"));
  US_CHECK(arrayOf(handle));
  // "If the format of the array is not multi-planar, then CUDA_ERROR_INVALID_VALUE is returned."
  return fail(CUDA_ERROR_INVALID_VALUE, format("plane {} of an array that has no planes", index));
}

Expected<void> deviceGetTexture1DLinearMaxWidth(size_t *width, CUarray_format format, unsigned channels,
                                                CUdevice number) {
  US_CHECK(checkOut(width, "the result"));
  US_TRY(const Device &device, deviceAt(number));
  const std::optional<unsigned> bytes = channelBytes(format);
  if (!bytes || (channels != 1 && channels != 2 && channels != 4))
    return fail(CUDA_ERROR_INVALID_VALUE, us::cuda::format("{} channels of the format {}", channels, int(format)));
  // As an H200 answers: the attribute is for texels of 16 bytes.
  const int64_t most = attributeOf(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH).value_or(0);
  *width = size_t(most) * 4 / channels;
  return {};
}

} // namespace us::cuda
