// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/texture.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"

#include <cstring>
#include <unordered_map>

namespace us::cuda {
namespace {

/// A format as kernels read it, and as the queries name it: in numbers, as integers and as fractions of 1.
struct FormatRow {
  CUarray_format format;
  TexelType type;
  ChannelType asInteger, asFraction;
};
constexpr FormatRow kFormats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, TexelType::UInt8, ChannelType::UnsignedInt8, ChannelType::UnormInt8},
    {CU_AD_FORMAT_UNSIGNED_INT16, TexelType::UInt16, ChannelType::UnsignedInt16, ChannelType::UnormInt16},
    {CU_AD_FORMAT_UNSIGNED_INT32, TexelType::UInt32, ChannelType::UnsignedInt32, ChannelType::UnsignedInt32},
    {CU_AD_FORMAT_SIGNED_INT8, TexelType::SInt8, ChannelType::SignedInt8, ChannelType::SnormInt8},
    {CU_AD_FORMAT_SIGNED_INT16, TexelType::SInt16, ChannelType::SignedInt16, ChannelType::SnormInt16},
    {CU_AD_FORMAT_SIGNED_INT32, TexelType::SInt32, ChannelType::SignedInt32, ChannelType::SignedInt32},
    {CU_AD_FORMAT_HALF, TexelType::Half, ChannelType::HalfFloat, ChannelType::HalfFloat},
    {CU_AD_FORMAT_FLOAT, TexelType::Float, ChannelType::Float, ChannelType::Float},
};

void putFormat(TexelLayout &into, CUarray_format format, unsigned channels, bool asInteger) {
  for (const FormatRow &row : kFormats) {
    if (row.format != format) continue;
    into.type = row.type;
    into.format.type = asInteger ? row.asInteger : row.asFraction;
  }
  into.format.order = channels == 1 ? ChannelOrder::R : channels == 2 ? ChannelOrder::RG : ChannelOrder::RGBA;
  into.channels = channels;
  into.elementSize = *channelBytes(format) * channels;
}

void putArray(TexelLayout &into, const Array &array, bool asInteger) {
  const CUDA_ARRAY3D_DESCRIPTOR &d = array.description();
  putFormat(into, d.Format, d.NumChannels, asInteger);
  const bool isLayered = (d.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  into.address = array.begin();
  into.rowPitch = array.rowPitch();
  into.slicePitch = array.slicePitch();
  into.width = uint32_t(d.Width);
  into.height = uint32_t(array.rows());
  into.depth = isLayered ? 1 : uint32_t(array.slices());
  into.layers = isLayered ? uint32_t(d.Depth) : 1;
}

/// Views: what an array's texels can be taken for.
struct ViewRow {
  CUresourceViewFormat view;
  CUarray_format format;
  unsigned channels;
};
constexpr ViewRow kViews[] = {
    {CU_RES_VIEW_FORMAT_UINT_1X8, CU_AD_FORMAT_UNSIGNED_INT8, 1},
    {CU_RES_VIEW_FORMAT_UINT_2X8, CU_AD_FORMAT_UNSIGNED_INT8, 2},
    {CU_RES_VIEW_FORMAT_UINT_4X8, CU_AD_FORMAT_UNSIGNED_INT8, 4},
    {CU_RES_VIEW_FORMAT_SINT_1X8, CU_AD_FORMAT_SIGNED_INT8, 1},
    {CU_RES_VIEW_FORMAT_SINT_2X8, CU_AD_FORMAT_SIGNED_INT8, 2},
    {CU_RES_VIEW_FORMAT_SINT_4X8, CU_AD_FORMAT_SIGNED_INT8, 4},
    {CU_RES_VIEW_FORMAT_UINT_1X16, CU_AD_FORMAT_UNSIGNED_INT16, 1},
    {CU_RES_VIEW_FORMAT_UINT_2X16, CU_AD_FORMAT_UNSIGNED_INT16, 2},
    {CU_RES_VIEW_FORMAT_UINT_4X16, CU_AD_FORMAT_UNSIGNED_INT16, 4},
    {CU_RES_VIEW_FORMAT_SINT_1X16, CU_AD_FORMAT_SIGNED_INT16, 1},
    {CU_RES_VIEW_FORMAT_SINT_2X16, CU_AD_FORMAT_SIGNED_INT16, 2},
    {CU_RES_VIEW_FORMAT_SINT_4X16, CU_AD_FORMAT_SIGNED_INT16, 4},
    {CU_RES_VIEW_FORMAT_UINT_1X32, CU_AD_FORMAT_UNSIGNED_INT32, 1},
    {CU_RES_VIEW_FORMAT_UINT_2X32, CU_AD_FORMAT_UNSIGNED_INT32, 2},
    {CU_RES_VIEW_FORMAT_UINT_4X32, CU_AD_FORMAT_UNSIGNED_INT32, 4},
    {CU_RES_VIEW_FORMAT_SINT_1X32, CU_AD_FORMAT_SIGNED_INT32, 1},
    {CU_RES_VIEW_FORMAT_SINT_2X32, CU_AD_FORMAT_SIGNED_INT32, 2},
    {CU_RES_VIEW_FORMAT_SINT_4X32, CU_AD_FORMAT_SIGNED_INT32, 4},
    {CU_RES_VIEW_FORMAT_FLOAT_1X16, CU_AD_FORMAT_HALF, 1},
    {CU_RES_VIEW_FORMAT_FLOAT_2X16, CU_AD_FORMAT_HALF, 2},
    {CU_RES_VIEW_FORMAT_FLOAT_4X16, CU_AD_FORMAT_HALF, 4},
    {CU_RES_VIEW_FORMAT_FLOAT_1X32, CU_AD_FORMAT_FLOAT, 1},
    {CU_RES_VIEW_FORMAT_FLOAT_2X32, CU_AD_FORMAT_FLOAT, 2},
    {CU_RES_VIEW_FORMAT_FLOAT_4X32, CU_AD_FORMAT_FLOAT, 4},
};
const ViewRow *viewRow(CUresourceViewFormat view) {
  for (const ViewRow &row : kViews)
    if (row.view == view) return &row;
  return nullptr;
}

Expected<void> checkView(const CUDA_RESOURCE_VIEW_DESC &view, const Array &array, size_t levels) {
  const CUDA_ARRAY3D_DESCRIPTOR &d = array.description();
  const ViewRow *row = viewRow(view.format);
  // "the format must have the same size as that of the array's texels"
  if (!row || *channelBytes(row->format) * row->channels != array.elementSize())
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("the view's format {} does not fit texels of {} bytes", int(view.format), array.elementSize()));
  const bool isLayered = (d.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  if (view.width != d.Width || view.height != d.Height || (!isLayered && view.depth != d.Depth))
    return fail(CUDA_ERROR_INVALID_VALUE, format("a view of {} x {} x {} of an array of {} x {} x {}", view.width,
                                                 view.height, view.depth, d.Width, d.Height, d.Depth));
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= levels)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("a view of levels {} to {}, there are {}", view.firstMipmapLevel, view.lastMipmapLevel, levels));
  const unsigned layers = isLayered ? unsigned(d.Depth) : 1;
  if (view.firstLayer > view.lastLayer || view.lastLayer >= layers)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("a view of layers {} to {}, there are {}", view.firstLayer, view.lastLayer, layers));
  return {};
}

// --- Objects: a handle is what kernels know the device's texture by ---

class TextureObject final : public Object {
public:
  TextureObject(Context &context, TextureSource source, Ref<DeviceTexture> texture, bool isSurface)
      : context(&context), source(std::move(source)), texture(std::move(texture)), isSurface(isSurface) {}
  Context *const context;
  const TextureSource source;
  const Ref<DeviceTexture> texture;
  const bool isSurface;
};

class ObjectPool {
public:
  uint64_t add(Ref<TextureObject> object) {
    std::lock_guard hold(mutex_);
    const uint64_t handle = object->texture->handle();
    objects_[handle] = std::move(object);
    return handle;
  }
  Ref<TextureObject> find(uint64_t handle, bool isSurface) {
    std::lock_guard hold(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() || found->second->isSurface != isSurface ? nullptr : found->second;
  }
  void remove(uint64_t handle) {
    Ref<TextureObject> gone; // destroyed with no lock held
    std::lock_guard hold(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return;
    gone = std::move(found->second);
    objects_.erase(found);
  }
  std::vector<uint64_t> of(const Context &context) {
    std::lock_guard hold(mutex_);
    std::vector<uint64_t> handles;
    for (const auto &[handle, object] : objects_)
      if (object->context == &context) handles.push_back(handle);
    return handles;
  }

private:
  std::mutex mutex_; // guards objects_
  std::unordered_map<uint64_t, Ref<TextureObject>> objects_;
};
ObjectPool &pool() {
  static auto &instance = *new ObjectPool;
  return instance;
}

Expected<Ref<TextureObject>> objectOf(uint64_t handle, bool isSurface) {
  Ref<TextureObject> object = pool().find(handle, isSurface);
  if (!object)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is no {} object", handle, isSurface ? "surface" : "texture"));
  return object;
}

Expected<void> destroyObject(uint64_t handle, bool isSurface) {
  US_CHECK(currentContext());
  if (handle == 0) return {};
  US_TRY(const Ref<TextureObject> object, objectOf(handle, isSurface));
  (void)object->context->synchronise();
  pool().remove(handle);
  return {};
}

Expected<void> checkResource(const Device &device, TextureSource &source) {
  const CUDA_RESOURCE_DESC &resource = source.resource;
  if (resource.flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "a resource has the flags 0");
  switch (resource.resType) {
  case CU_RESOURCE_TYPE_ARRAY: {
    Expected<Ref<Array>> array = arrayOf(resource.res.array.hArray);
    if (!array) return fail(CUDA_ERROR_INVALID_VALUE, "the resource's array is not valid");
    source.array = std::move(*array);
    return {};
  }
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
    Expected<Ref<MipmappedArray>> mipmaps = mipmappedArrayOf(resource.res.mipmap.hMipmappedArray);
    if (!mipmaps) return fail(CUDA_ERROR_INVALID_VALUE, "the resource's mipmapped array is not valid");
    source.mipmaps = std::move(*mipmaps);
    source.array = source.mipmaps->levels()[0];
    return {};
  }
  case CU_RESOURCE_TYPE_LINEAR: {
    const auto &linear = resource.res.linear;
    return checkLinear(device, linear.devPtr, linear.format, linear.numChannels, linear.sizeInBytes);
  }
  case CU_RESOURCE_TYPE_PITCH2D: {
    const auto &rows = resource.res.pitch2D;
    return checkRows(device, rows.devPtr, rows.format, rows.numChannels, rows.width, rows.height, rows.pitchInBytes,
                     true);
  }
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no resource type {}", int(resource.resType)));
}

} // namespace

Expected<void> checkTexels(CUarray_format format, unsigned channels) {
  if (!channelBytes(format))
    return fail(CUDA_ERROR_INVALID_VALUE, us::cuda::format("there is no format {}", int(format)));
  if (channels != 1 && channels != 2 && channels != 4)
    return fail(CUDA_ERROR_INVALID_VALUE, us::cuda::format("texels of {} channels", channels));
  return {};
}

Expected<void> checkTextureFlags(unsigned flags) {
  constexpr unsigned kKnown = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                              CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  if (flags & ~kKnown)
    return fail(CUDA_ERROR_INVALID_VALUE, format("texture flags {:#x}, of which {:#x} are defined", flags, kKnown));
  return {};
}

Expected<void> checkAddressMode(CUaddress_mode mode) {
  if (mode < CU_TR_ADDRESS_MODE_WRAP || mode > CU_TR_ADDRESS_MODE_BORDER)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no address mode {}", int(mode)));
  return {};
}

Expected<void> checkFilterMode(CUfilter_mode mode) {
  if (mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no filter mode {}", int(mode)));
  return {};
}

uint64_t textureAlignment(const Device &device) {
  return uint64_t(attributeOf(device, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).value_or(512));
}

namespace {

Expected<void> checkBase(const Device &device, uint64_t pointer) {
  if (!findMemory(pointer))
    return fail(CUDA_ERROR_INVALID_VALUE, format("the texture's memory {:#x} is no address of a device", pointer));
  if (pointer % textureAlignment(device) != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a texture's memory begins at multiples of {}, not at {:#x}",
                                                 textureAlignment(device), pointer));
  return {};
}

/// 0: the device states none.
uint64_t limitOf(const Device &device, CUdevice_attribute attribute) {
  const int64_t most = attributeOf(device, attribute).value_or(0);
  return most == 0 ? ~uint64_t(0) : uint64_t(most);
}

} // namespace

Expected<void> checkLinear(const Device &device, uint64_t pointer, CUarray_format format, unsigned channels,
                           uint64_t bytes) {
  US_CHECK(checkTexels(format, channels));
  US_CHECK(checkBase(device, pointer));
  // The attribute is for texels of 16 bytes.
  const uint64_t most = limitOf(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  const uint64_t texels = bytes / (uint64_t(*channelBytes(format)) * channels);
  if (texels > most && texels / 4 > most / channels)
    return fail(CUDA_ERROR_INVALID_VALUE, us::cuda::format("a texture of {} texels", texels));
  return {};
}

Expected<void> checkRows(const Device &device, uint64_t pointer, CUarray_format format, unsigned channels,
                         uint64_t width, uint64_t height, uint64_t pitch, bool checksPitch) {
  US_CHECK(checkTexels(format, channels));
  US_CHECK(checkBase(device, pointer));
  const uint64_t row = width * *channelBytes(format) * channels;
  const uint64_t alignment = limitOf(device, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
  if (checksPitch && (pitch == 0 || pitch % alignment != 0))
    return fail(CUDA_ERROR_INVALID_VALUE,
                us::cuda::format("a pitch of {}: rows begin at multiples of {}", pitch, alignment));
  if (pitch < row)
    return fail(CUDA_ERROR_INVALID_VALUE, us::cuda::format("a pitch of {} for rows of {} bytes", pitch, row));
  if (width > limitOf(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH) ||
      height > limitOf(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT) ||
      pitch > limitOf(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH))
    return fail(CUDA_ERROR_INVALID_VALUE,
                us::cuda::format("a texture of {} x {} texels, pitch {}", width, height, pitch));
  return {};
}

namespace {

/// Of one level, or of what has none.
TexelLayout texelsOf(const TextureSource &source, const Array *array) {
  TexelLayout texels;
  const bool asInteger = (source.texture.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  if (array) {
    putArray(texels, *array, asInteger);
    if (const ViewRow *row = source.view ? viewRow(source.view->format) : nullptr) {
      putFormat(texels, row->format, row->channels, asInteger);
      texels.address += source.view->firstLayer * texels.slicePitch;
      if (texels.layers > 1) texels.layers = source.view->lastLayer - source.view->firstLayer + 1;
    }
  } else if (source.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto &linear = source.resource.res.linear;
    putFormat(texels, linear.format, linear.numChannels, asInteger);
    texels.address = linear.devPtr;
    texels.width = uint32_t(linear.sizeInBytes / texels.elementSize);
    texels.height = texels.depth = texels.layers = 1;
  } else {
    const auto &rows = source.resource.res.pitch2D;
    putFormat(texels, rows.format, rows.numChannels, asInteger);
    texels.address = rows.devPtr;
    texels.rowPitch = rows.pitchInBytes;
    texels.width = rows.height == 0 ? 0 : uint32_t(rows.width);
    texels.height = uint32_t(rows.height);
    texels.depth = texels.layers = 1;
  }
  return texels;
}

TextureSampling samplingOf(const TextureSource &source, TexelType type) {
  const CUDA_TEXTURE_DESC &texture = source.texture;
  TextureSampling sampling;
  sampling.isPlainMemory = !source.array && source.resource.resType == CU_RESOURCE_TYPE_LINEAR;
  sampling.staysInteger = (texture.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  sampling.normalized = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  sampling.linear = texture.filterMode == CU_TR_FILTER_MODE_LINEAR;
  // "for 8-bit unsigned texels"
  sampling.srgb = (texture.flags & CU_TRSF_SRGB) && type == TexelType::UInt8;
  sampling.seamless = (texture.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  static_assert(CU_TR_ADDRESS_MODE_BORDER == int(TextureAddressing::Border));
  for (uint32_t i = 0; i < 3; ++i) sampling.addressing[i] = TextureAddressing(texture.addressMode[i]);
  std::memcpy(sampling.border.data(), texture.borderColor, sizeof sampling.border);
  sampling.mixesLevels = texture.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
  sampling.levelBias = texture.mipmapLevelBias;
  sampling.leastLevel = texture.minMipmapLevelClamp;
  sampling.mostLevel = texture.maxMipmapLevelClamp;
  return sampling;
}

} // namespace

TextureRequest requestOf(const TextureSource &source) {
  TextureRequest request;
  request.isMipmapped = source.mipmaps != nullptr;
  if (source.mipmaps) {
    const size_t first = source.view ? source.view->firstMipmapLevel : 0;
    const size_t last = source.view ? source.view->lastMipmapLevel : source.mipmaps->levels().size() - 1;
    for (size_t level = first; level <= last; ++level)
      request.levels.push_back(texelsOf(source, source.mipmaps->levels()[level].get()));
  } else {
    request.levels.push_back(texelsOf(source, source.array.get()));
  }
  request.sampling = samplingOf(source, request.levels.front().type);
  return request;
}

TextureRequest requestOfSurface(const Array &array) {
  TextureRequest request;
  putArray(request.levels.emplace_back(), array, true);
  return request;
}

/// "The CUDA array must have been created with CUDA_ARRAY3D_SURFACE_LDST."
Expected<void> checkSurface(const Array &array) {
  if (!array.has(CUDA_ARRAY3D_SURFACE_LDST))
    return fail(CUDA_ERROR_INVALID_VALUE, "the array was made without CUDA_ARRAY3D_SURFACE_LDST");
  return {};
}

void forgetTexturesOf(const Context &context) {
  for (const uint64_t handle : pool().of(context)) pool().remove(handle);
}

// --- Texture objects ---

Expected<void> texObjectCreate(CUtexObject *handle, const CUDA_RESOURCE_DESC *resource,
                               const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(resource, "the resource"));
  US_CHECK(checkOut(texture, "the texture's description"));
  US_TRY(const Ref<Context> context, currentContext());
  TextureSource source;
  source.resource = *resource;
  source.texture = *texture;
  US_CHECK(checkResource(context->device(), source));
  US_CHECK(checkTextureFlags(texture->flags));
  US_CHECK(checkFilterMode(texture->filterMode));
  for (const CUaddress_mode mode : texture->addressMode) US_CHECK(checkAddressMode(mode));
  if (view) {
    // "pResViewDesc can only be specified if the type of resource is a CUDA array or a CUDA mipmapped array."
    if (!source.array) return fail(CUDA_ERROR_INVALID_VALUE, "memory has no resource view");
    US_CHECK(checkView(*view, *source.array, source.mipmaps ? source.mipmaps->levels().size() : 1));
    source.view = *view;
  }
  // "must be set for mipmapped arrays": levels have no texels in common.
  if (source.mipmaps && !(texture->flags & CU_TRSF_NORMALIZED_COORDINATES))
    return fail(CUDA_ERROR_INVALID_VALUE, "mipmaps are read with normalized coordinates");
  US_CHECK(checkFilterMode(texture->mipmapFilterMode));
  US_TRY(Ref<DeviceTexture> made, context->device().createTexture(requestOf(source)));
  *handle = pool().add(makeRef<TextureObject>(*context, std::move(source), std::move(made), false));
  return {};
}

Expected<void> texObjectDestroy(CUtexObject handle) { return destroyObject(handle, false); }

Expected<void> texObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject handle) {
  US_CHECK(checkOut(resource, "the result"));
  US_TRY(const Ref<TextureObject> object, objectOf(handle, false));
  *resource = object->source.resource;
  return {};
}

Expected<void> texObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject handle) {
  US_CHECK(checkOut(texture, "the result"));
  US_TRY(const Ref<TextureObject> object, objectOf(handle, false));
  *texture = object->source.texture;
  return {};
}

Expected<void> texObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject handle) {
  US_CHECK(checkOut(view, "the result"));
  US_TRY(const Ref<TextureObject> object, objectOf(handle, false));
  // "If no resource view was specified, CUDA_ERROR_INVALID_VALUE is returned."
  if (!object->source.view) return fail(CUDA_ERROR_INVALID_VALUE, "the texture was made without a resource view");
  *view = *object->source.view;
  return {};
}

// --- Surface objects ---

Expected<void> surfObjectCreate(CUsurfObject *handle, const CUDA_RESOURCE_DESC *resource) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(resource, "the resource"));
  US_TRY(const Ref<Context> context, currentContext());
  // "pResDesc::resType must be CU_RESOURCE_TYPE_ARRAY"
  if (resource->resType != CU_RESOURCE_TYPE_ARRAY)
    return fail(CUDA_ERROR_INVALID_VALUE, "a surface looks into an array");
  TextureSource source;
  source.resource = *resource;
  US_CHECK(checkResource(context->device(), source));
  US_CHECK(checkSurface(*source.array));
  US_TRY(Ref<DeviceTexture> made, context->device().createTexture(requestOfSurface(*source.array)));
  *handle = pool().add(makeRef<TextureObject>(*context, std::move(source), std::move(made), true));
  return {};
}

Expected<void> surfObjectDestroy(CUsurfObject handle) { return destroyObject(handle, true); }

Expected<void> surfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject handle) {
  US_CHECK(checkOut(resource, "the result"));
  US_TRY(const Ref<TextureObject> object, objectOf(handle, true));
  *resource = object->source.resource;
  return {};
}

} // namespace us::cuda
