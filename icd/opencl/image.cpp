// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that make images, from nothing or from another memory object.
#include "icd/common/info_table.h"
#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/external_memory.h"
#include "icd/opencl/image_format.h"
#include "icd/opencl/memory.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

struct Creation {
  ClContext &context;
  std::vector<cl_mem_properties> properties;
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *description;
  void *hostPointer;
  ExternalMemory external{};
};

bool hasImages(const ClContext &context) {
  return std::any_of(context.devices.begin(), context.devices.end(),
                     [](const Ref<ClDevice> &device) { return device->info().images; });
}

/// "if values specified in image_desc are not valid": what does not depend on the format.
Expected<ImageKind> kindFrom(const ClContext &context, const cl_image_desc *description) {
  // "CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid or if image_desc is NULL."
  if (!description) return fail(ErrorCode::InvalidImageDescriptor, "the image description is NULL");
  // "image_type describes the image type and must be either CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, ..."
  std::optional<ImageKind> kind = imageKindFrom(description->image_type);
  if (!kind)
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("{:#x} is no image type", description->image_type));
  // "num_mip_levels must be 0, indicating that the image has a single mipmap level, unless the cl_khr_mipmap_image
  // extension is supported. When the cl_khr_mipmap_image extension is supported, num_mip_levels may additionally
  // specify the total number of mipmap levels in the image, including the base level."
  const cl_uint levels = description->num_mip_levels;
  if (levels && !haveImageExtension(context.devices, "cl_khr_mipmap_image"))
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("{} mipmap levels: there are no mipmaps", levels));
  // "Mip-mapped images cannot be created for CL_MEM_OBJECT_IMAGE1D_BUFFER images, depth images": of depth, Khronos's
  // tests do create them, and OpenCL C has functions that read and write their levels.
  if (levels > 1 && *kind == ImageKind::Image1DBuffer)
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("a 1D image buffer of {} mipmap levels", levels));
  // "num_samples must be 0."
  if (description->num_samples)
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("{} samples a pixel", description->num_samples));
  return *kind;
}

/// The sizes of a description; what the image's kind has not is 1.
Expected<ImageDescription> sizesFrom(const cl_image_desc &given, ImageKind kind, const ImageFormat &format) {
  ImageDescription image;
  image.kind = kind;
  image.format = format;
  image.elementSize = core::pixelSize(format);
  const bool isArray = kind == ImageKind::Image1DArray || kind == ImageKind::Image2DArray;
  const bool isFlat = kind == ImageKind::Image2D || kind == ImageKind::Image2DArray;
  image.width = given.image_width;
  // "image_height ... is only used if the image is a 2D image, 2D image array, or 3D image." "image_depth ... is only
  // used if the image is a 3D image." "image_array_size ... is only used if the image is a 1D image array or 2D image
  // array."
  if (isFlat || kind == ImageKind::Image3D) image.height = given.image_height;
  if (kind == ImageKind::Image3D) image.depth = given.image_depth;
  if (isArray) image.arraySize = given.image_array_size;
  // "CL_INVALID_IMAGE_SIZE if the image dimensions specified in image_desc are not valid": each is at least one.
  if (image.width == 0 || image.height == 0 || image.depth == 0 || image.arraySize == 0)
    return fail(ErrorCode::InvalidImageSize, icd::format("an image of {} x {} x {}, {} layers", image.width,
                                                         image.height, image.depth, image.arraySize));
  image.levels = std::max<cl_uint>(given.num_mip_levels, 1);
  // "Each successively smaller mipmap level is half the size of the previous level": of levels beyond that of one pixel
  // nothing is said, and Khronos's tests make some. No size can be halved more often than this.
  constexpr cl_uint kMostLevels = std::numeric_limits<cl_uint>::digits;
  if (image.levels > kMostLevels)
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("{} mipmap levels", image.levels));
  return image;
}

/// "CL_INVALID_IMAGE_SIZE if the image dimensions specified in image_desc ... exceed the maximum image dimensions ...
/// for all devices in context"; "CL_IMAGE_FORMAT_NOT_SUPPORTED if there are no devices in context that support
/// image_format": for these flags and this kind of image.
Expected<void> checkDevices(const ClContext &context, const ImageDescription &image, cl_mem_flags flags) {
  Expected<void> result;
  bool hasFormat = false;
  for (const Ref<ClDevice> &device : context.devices) {
    const std::vector<ImageFormat> formats = formatsFor(device->info(), flags, image.kind);
    if (std::find(formats.begin(), formats.end(), image.format) == formats.end()) continue;
    hasFormat = true;
    Expected<void> fits = core::checkImage(device->info(), image);
    if (fits) return {};
    result = std::move(fits);
  }
  if (hasFormat) return result;
  const cl_image_format format = imageFormatOf(image.format);
  return fail(ErrorCode::ImageFormatNotSupported,
              icd::format("no device has images of channel order {:#x} and channel type {:#x} for this use",
                          format.image_channel_order, format.image_channel_data_type));
}

bool hasSlices(ImageKind kind) {
  return kind == ImageKind::Image3D || kind == ImageKind::Image2DArray || kind == ImageKind::Image1DArray;
}

/// Whether an image of the kind is a single scanline in its buffer.
bool isOneRow(ImageKind kind) { return kind == ImageKind::Image1D || kind == ImageKind::Image1DBuffer; }

/// Which pitches a description may have.
struct AllowedPitches {
  bool row, slice;
};

/// Takes over the pitches of a description, or works them out. Sizes are within the devices' limits. `rowPitch`
/// receives what CL_IMAGE_ROW_PITCH returns.
Expected<void> setPitches(ImageDescription &image, const cl_image_desc &given, AllowedPitches allowed,
                          size_t &rowPitch) {
  const uint64_t row = image.width * image.elementSize;
  if ((given.image_row_pitch && !allowed.row) || (given.image_slice_pitch && !allowed.slice))
    return fail(ErrorCode::InvalidImageDescriptor,
                icd::format("a row pitch of {} and a slice pitch of {} without memory that has them",
                            given.image_row_pitch, given.image_slice_pitch));
  // "If image_row_pitch is non-zero, then it must be greater than or equal to the image_width times the size of an
  // image element in bytes, and must be a multiple of the size of an image element in bytes."
  if (given.image_row_pitch && (given.image_row_pitch < row || given.image_row_pitch % image.elementSize))
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("a row pitch of {} for rows of {} pixels of {} bytes",
                                                               given.image_row_pitch, image.width, image.elementSize));
  rowPitch = given.image_row_pitch ? given.image_row_pitch : row;
  // What a 1D image takes of a buffer is its row: programs, Khronos's tests among them, give a pitch, often the
  // buffer's size, and other runtimes take that.
  image.rowPitch = isOneRow(image.kind) && given.mem_object ? row : rowPitch;
  uint64_t slice = 0;
  if (__builtin_mul_overflow(image.rowPitch, image.height, &slice))
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("a row pitch of {}", given.image_row_pitch));
  image.slicePitch = slice;
  // "The image slice pitch must be >= the image row pitch x image_height for a 2D image array or a 3D image, must be >=
  // the image row pitch for a 1D image array, and must be a multiple of the image row pitch."
  const bool givesSlices = hasSlices(image.kind) && given.image_slice_pitch;
  if (givesSlices && (given.image_slice_pitch < slice || given.image_slice_pitch % image.rowPitch))
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("a slice pitch of {} for {} rows of pitch {}",
                                                               given.image_slice_pitch, image.height, image.rowPitch));
  if (givesSlices) image.slicePitch = given.image_slice_pitch;
  uint64_t all = 0;
  if (__builtin_mul_overflow(image.slicePitch, image.depth * image.arraySize, &all))
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("a slice pitch of {}", image.slicePitch));
  // The rows of an array of 1D images are its layers.
  if (image.kind == ImageKind::Image1DArray) image.rowPitch = image.slicePitch;
  return {};
}

Expected<cl_mem> finish(const Creation &asked, Ref<core::Image> image, cl_mem_flags flags, size_t rowPitch,
                        ClMem *parent) {
  US_TRY(Ref<ClMem> memory, makeObject<ClMem>());
  memory->buffer = Ref<core::Buffer>(&image->memory());
  memory->image = std::move(image);
  memory->context = Ref<ClContext>(&asked.context);
  memory->parent = Ref<ClMem>(parent);
  memory->flags = flags;
  memory->hostPointer = flags & CL_MEM_USE_HOST_PTR ? (parent ? parent->hostPointer : asked.hostPointer) : nullptr;
  memory->properties = asked.properties;
  memory->type = asked.description->image_type;
  memory->format = *asked.format;
  memory->imageRowPitch = rowPitch;
  memory->mipLevels = asked.description->num_mip_levels;
  if (asked.external.descriptor)
    memory->externalDevices = asked.external.devices.empty() ? asked.context.devices : asked.external.devices;
  if (CommandChecks *const checks = commandChecks(); checks && memory->hostPointer) checks->usesHostMemory(*memory);
  return giveToApplication(std::move(memory));
}

Expected<cl_mem> makeFromNothing(const Creation &asked, ImageDescription image) {
  const cl_mem_flags flags = asked.flags;
  US_CHECK(checkMemoryFlags(asked.context, flags));
  US_CHECK(checkExternalMemory(asked.context, asked.external, flags, asked.hostPointer));
  US_CHECK(checkImmutableHasContents(flags, asked.external.descriptor.has_value()));
  // "CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR cannot be specified if a mipmapped image is created."
  if (image.levels > 1 && (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(ErrorCode::InvalidValue, "a mipmapped image with contents of the host's");
  // "The host_ptr argument to clCreateImage must be a NULL value."
  US_CHECK(checkHostPointer(flags, asked.hostPointer));
  // How levels lie in memory is nobody's affair but ours.
  if (image.levels > 1 && asked.external.descriptor)
    return fail(ErrorCode::InvalidImageDescriptor, "a mipmapped image of external memory");
  US_CHECK(checkDevices(asked.context, image, flags));
  size_t rowPitch = 0;
  // "The image_row_pitch must be zero if host_ptr is NULL, the image is not an image created from an external memory
  // handle, ..." "The image_slice_pitch must be zero if host_ptr is NULL and ..."
  const bool hasMemory = asked.hostPointer || asked.external.descriptor;
  US_CHECK(setPitches(image, *asked.description, {.row = hasMemory, .slice = hasMemory}, rowPitch));
  core::ImageRequest request;
  if (apiChecks()) request.madeAt = ApiChecks::site();
  request.description = image;
  if (flags & CL_MEM_USE_HOST_PTR) {
    request.hostMemory = core::HostMemory::Use;
    request.hostPointer = static_cast<std::byte *>(asked.hostPointer);
    request.shared = asked.context.core->svm().find(asked.hostPointer);
    if (request.shared && !request.shared->contains(asked.hostPointer, core::imageBytes(image)))
      return fail(ErrorCode::InvalidHostPtr, icd::format("an image of {} bytes on shared memory of {}",
                                                         core::imageBytes(image), request.shared->size()));
  } else if (flags & CL_MEM_ALLOC_HOST_PTR) {
    request.hostMemory = core::HostMemory::Allocate;
  }
  if (flags & CL_MEM_COPY_HOST_PTR) request.copyFrom = static_cast<const std::byte *>(asked.hostPointer);
  std::optional<MappedDescriptor> mapped;
  if (asked.external.descriptor) {
    US_TRY(MappedDescriptor && there, MappedDescriptor::map(*asked.external.descriptor, core::imageBytes(image)));
    mapped.emplace(std::move(there));
    request.hostMemory = core::HostMemory::Use;
    request.hostPointer = mapped->begin();
  }
  // "CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory for the image object"
  US_TRY(Ref<core::Image> made, core::Image::create(*asked.context.core, request));
  if (mapped) mapped->giveTo(made->memory(), *asked.external.descriptor);
  return finish(asked, std::move(made), flags, rowPitch, nullptr);
}

/// The largest alignment, in pixels, that a device with images asks of an image in a buffer.
uint64_t alignmentOf(const ClContext &context, uint32_t DeviceInfo::*field) {
  uint64_t most = 1;
  for (const Ref<ClDevice> &device : context.devices)
    if (device->info().images) most = std::max<uint64_t>(most, device->info().*field);
  return most;
}

/// "This extension enables all types of images to be created from an existing buffer object."
constexpr std::string_view kFromBuffer = "cl_ext_image_from_buffer";

/// "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if an image is created from a buffer and the row pitch, or slice pitch, if the
/// cl_ext_image_from_buffer extension is supported, or base address alignment do not follow the rules described for
/// creating an image from a buffer"
Expected<void> checkAlignment(const ClContext &context, const ImageDescription &image, const cl_image_desc &given,
                              const ClMem &parent) {
  const uint64_t row = image.width * image.elementSize, rowPitch = given.image_row_pitch ? given.image_row_pitch : row;
  if (!isOneRow(image.kind)) {
    // CL_DEVICE_IMAGE_PITCH_ALIGNMENT: "This value must be 0 for devices that do not support 2D images created from a
    // buffer".
    for (const Ref<ClDevice> &device : context.devices)
      if (device->info().images && device->info().imagePitchAlignment == 0)
        return fail(ErrorCode::InvalidOperation, device->info().name + " makes no images with rows from buffers");
    // "For an image created from a buffer, the image_row_pitch must also be a multiple of the
    // CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT value for the image_format, image_type, and flags used to create
    // the image, if the cl_ext_image_requirements_info extension is supported, or ... of the maximum of the
    // CL_DEVICE_IMAGE_PITCH_ALIGNMENT value for all devices in the context": both are the same.
    const uint64_t pitch = alignmentOf(context, &DeviceInfo::imagePitchAlignment) * image.elementSize;
    if (rowPitch % pitch || rowPitch < row)
      return fail(
          ErrorCode::InvalidImageFormatDescriptor,
          icd::format("a row pitch of {} for rows of {} bytes; multiples of {} are possible", rowPitch, row, pitch));
    // "the image slice pitch must be a multiple of the CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT value": which is
    // that of rows.
    if (hasSlices(image.kind) && given.image_slice_pitch % pitch)
      return fail(ErrorCode::InvalidImageFormatDescriptor,
                  icd::format("a slice pitch of {}; multiples of {} are possible", given.image_slice_pitch, pitch));
  } else if (!haveImageExtension(context.devices, kFromBuffer)) {
    return {}; // 1D images of buffers begin anywhere: the specification without this extension has no rule for them
  }
  // "the host_ptr specified to clCreateBuffer ... must be aligned to the
  // CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT value ... or to the maximum of the
  // CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT value for all devices in the context"
  const uint64_t base = alignmentOf(context, &DeviceInfo::imageBaseAddressAlignment) * image.elementSize;
  if ((parent.flags & CL_MEM_USE_HOST_PTR) && reinterpret_cast<uintptr_t>(parent.hostPointer) % base)
    return fail(ErrorCode::InvalidImageFormatDescriptor,
                icd::format("the buffer's memory begins at {}, no multiple of {}",
                            static_cast<const void *>(parent.hostPointer), base));
  return {};
}

Expected<cl_mem> makeFromBuffer(const Creation &asked, ImageDescription image, ClMem &parent) {
  US_TRY(cl_mem_flags flags, inheritMemoryFlags(parent, asked.flags));
  US_CHECK(checkHostPointer(0, asked.hostPointer));
  US_CHECK(checkDevices(asked.context, image, flags));
  const cl_image_desc &given = *asked.description;
  // Nothing is said of how levels would lie in a buffer.
  if (image.levels > 1)
    return fail(ErrorCode::InvalidImageDescriptor, icd::format("{} mipmap levels in a buffer", image.levels));
  US_CHECK(checkAlignment(asked.context, image, given, parent));
  size_t rowPitch = 0;
  US_CHECK(setPitches(image, given, {.row = true, .slice = hasSlices(image.kind)}, rowPitch));
  // "CL_INVALID_IMAGE_SIZE if ... the buffer passed in mem_object is too small to be used as a data store for the
  // image, e.g. if its size is smaller than the value returned for CL_IMAGE_REQUIREMENTS_SIZE_EXT". "For a 1D image
  // buffer created from a buffer object, the image_width x size of element in bytes must be <= size of the buffer
  // object." "For a 2D image ... the image_row_pitch x image_height"; "For a 3D image ... the image_slice_pitch x
  // image_depth"; "For a 1D image array ... the image_slice_pitch x image_array_size", and of a 2D image array the
  // same.
  if (core::imageBytes(image) > parent.buffer->size())
    return fail(ErrorCode::InvalidImageSize,
                icd::format("an image of {} bytes in a buffer of {}", core::imageBytes(image), parent.buffer->size()));
  return finish(asked, core::Image::createFrom(*parent.buffer, image), flags, rowPitch, &parent);
}

/// "Compatible Image Channel Orders": of the new image, of the one it is made from.
constexpr ChannelOrder kCompatibleOrders[][2] = {
    {ChannelOrder::sBGRA, ChannelOrder::BGRA}, {ChannelOrder::BGRA, ChannelOrder::sBGRA},
    {ChannelOrder::sRGBA, ChannelOrder::RGBA}, {ChannelOrder::RGBA, ChannelOrder::sRGBA},
    {ChannelOrder::sRGB, ChannelOrder::RGB},   {ChannelOrder::RGB, ChannelOrder::sRGB},
    {ChannelOrder::sRGBx, ChannelOrder::RGBx}, {ChannelOrder::RGBx, ChannelOrder::sRGBx},
    {ChannelOrder::Depth, ChannelOrder::R},
};

Expected<cl_mem> makeFromImage(const Creation &asked, ImageDescription image, ClMem &parent) {
  US_TRY(cl_mem_flags flags, inheritMemoryFlags(parent, asked.flags));
  US_CHECK(checkHostPointer(0, asked.hostPointer));
  const ImageDescription &other = parent.image->description();
  // "The image channel data type specified in image_format must match the image channel data type associated with
  // mem_object." "The image channel order specified in image_format must be compatible with the image channel order
  // associated with mem_object"
  const bool compatible = std::any_of(std::begin(kCompatibleOrders), std::end(kCompatibleOrders), [&](const auto &row) {
    return row[0] == image.format.order && row[1] == other.format.order;
  });
  if (!compatible || image.format.type != other.format.type)
    return fail(ErrorCode::InvalidImageFormatDescriptor,
                icd::format("order {:#x} and type {:#x} for an image whose pixels are {:#x} and {:#x}",
                            asked.format->image_channel_order, asked.format->image_channel_data_type,
                            parent.format.image_channel_order, parent.format.image_channel_data_type));
  US_CHECK(checkDevices(asked.context, image, flags));
  // "All of the values specified in image_desc must match the image descriptor information associated with mem_object,
  // except for mem_object."; pitches that are not given are taken over.
  const cl_image_desc &given = *asked.description;
  if (image.width != other.width || image.height != other.height || image.levels != other.levels ||
      (given.image_row_pitch && given.image_row_pitch != other.rowPitch) || given.image_slice_pitch)
    return fail(ErrorCode::InvalidImageDescriptor,
                icd::format("{} x {}, row pitch {}, {} levels, for an image of {} x {}, row pitch {}, {} levels",
                            image.width, image.height, given.image_row_pitch, image.levels, other.width, other.height,
                            other.rowPitch, other.levels));
  image.rowPitch = other.rowPitch;
  image.slicePitch = other.slicePitch;
  return finish(asked, core::Image::createFrom(*parent.buffer, image), flags, parent.imageRowPitch, &parent);
}

Expected<cl_mem> makeImage(const Creation &asked) {
  // "CL_INVALID_OPERATION if there are no devices in context that support images"
  if (!hasImages(asked.context)) return fail(ErrorCode::InvalidOperation, "the context has no device with images");
  US_TRY(ImageFormat format, imageFormatFrom(asked.format));
  US_TRY(ImageKind kind, kindFrom(asked.context, asked.description));
  US_TRY(ImageDescription image, sizesFrom(*asked.description, kind, format));
  if (!formatSuits(format, kind))
    return fail(ErrorCode::ImageFormatNotSupported, "depth images are 2D images or arrays of them");
  const cl_mem source = asked.description->mem_object;
  if (source && asked.external.descriptor)
    return fail(ErrorCode::InvalidImageDescriptor, "an image of external memory, made from another memory object");
  if (!source) {
    // "mem_object can be a buffer memory object if image_type is CL_MEM_OBJECT_IMAGE1D_BUFFER": it must be.
    if (kind == ImageKind::Image1DBuffer)
      return fail(ErrorCode::InvalidImageDescriptor, "a 1D image buffer without a buffer");
    return makeFromNothing(asked, image);
  }
  // "mem_object may refer to a valid buffer or image memory object."
  US_TRY(ClMem & parent, fromHandle<ClMem>(source));
  if (parent.context.get() != &asked.context)
    return fail(ErrorCode::InvalidContext, "the memory object is of another context");
  // "CL_INVALID_VALUE if CL_MEM_IMMUTABLE_EXT is not set in flags and mem_object was created with CL_MEM_IMMUTABLE_EXT"
  if ((parent.flags & CL_MEM_IMMUTABLE_EXT) && !(asked.flags & CL_MEM_IMMUTABLE_EXT))
    return fail(ErrorCode::InvalidValue, "an image made from an immutable memory object, without CL_MEM_IMMUTABLE_EXT");
  // "mem_object can be a buffer memory object if image_type is CL_MEM_OBJECT_IMAGE1D_BUFFER or CL_MEM_OBJECT_IMAGE2D,
  // or any other image_type if the cl_ext_image_from_buffer extension is supported. mem_object can be an image object
  // if image_type is CL_MEM_OBJECT_IMAGE2D. Otherwise it must be NULL."
  const bool isForBuffers = kind == ImageKind::Image1DBuffer || kind == ImageKind::Image2D;
  if (!parent.isImage() && !parent.isPipe() && (isForBuffers || haveImageExtension(asked.context.devices, kFromBuffer)))
    return makeFromBuffer(asked, image, parent);
  if (parent.isImage() && kind == ImageKind::Image2D && parent.type == CL_MEM_OBJECT_IMAGE2D)
    return makeFromImage(asked, image, parent);
  return fail(ErrorCode::InvalidImageDescriptor, "an image of this type cannot be made from this memory object");
}

/// clCreateImage2D and clCreateImage3D: "CL_INVALID_IMAGE_SIZE ... if values specified by image_row_pitch do not follow
/// rules described in the argument description above."
Expected<cl_mem> makeDeprecated(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                                const cl_image_desc &description, void *hostPointer) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  Expected<cl_mem> made = makeImage({context, {}, flags, format, &description, hostPointer});
  if (made || made.error().code != ErrorCode::InvalidImageDescriptor) return made;
  return fail(ErrorCode::InvalidImageSize, made.error().message);
}

// cl_ext_image_requirements_info

/// What is asked about: images of these kinds, on devices that have images.
struct Requirements {
  std::vector<const DeviceInfo *> devices{};
  std::vector<ImageKind> kinds;
  uint64_t elementSize = 0;                ///< of the format that was given, or of the largest
  std::optional<ImageDescription> image{}; ///< where all of it was described
};

/// One of the numbers of a limit, the same for all that is asked about.
template <class Limit> uint64_t smallest(const Requirements &asked, Limit limit) {
  uint64_t least = ~uint64_t(0);
  for (const DeviceInfo *const device : asked.devices)
    for (const ImageKind kind : asked.kinds) least = std::min(least, limit(core::imageLimits(*device, kind)));
  return least;
}

/// "image_type must be either 0, ..., otherwise CL_INVALID_IMAGE_DESCRIPTOR is returned": only those kinds count.
template <class Limit>
Expected<void> putLimit(Requirements &asked, InfoWriter &w, std::initializer_list<ImageKind> having, Limit limit) {
  std::erase_if(asked.kinds, [&](ImageKind kind) { return std::ranges::find(having, kind) == having.end(); });
  if (asked.kinds.empty()) return fail(ErrorCode::InvalidImageDescriptor, "images of this type have no such size");
  return w.put(static_cast<cl_uint>(std::min<uint64_t>(smallest(asked, limit), ~cl_uint(0))));
}

/// `pixels` to bytes: "The value returned is a power of two."
Expected<void> putAlignment(const Requirements &asked, InfoWriter &w, uint32_t DeviceInfo::*pixels) {
  uint64_t most = 1;
  for (const DeviceInfo *const device : asked.devices) most = std::max<uint64_t>(most, device->*pixels);
  return w.put<size_t>(std::bit_ceil(most * asked.elementSize));
}

using enum ImageKind;
constexpr std::initializer_list<ImageKind> kKinds = {Image1D, Image1DBuffer, Image1DArray,
                                                     Image2D, Image2DArray,  Image3D};

constexpr InfoRow<Requirements> kRequirements[] = {
    {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
     [](auto &a, InfoWriter &w) { return putAlignment(a, w, &DeviceInfo::imageBaseAddressAlignment); }},
    {CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
     [](auto &a, InfoWriter &w) { return putAlignment(a, w, &DeviceInfo::imagePitchAlignment); }},
    // cl_ext_image_from_buffer. A slice begins where a row may.
    {CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT,
     [](auto &a, InfoWriter &w) { return putAlignment(a, w, &DeviceInfo::imagePitchAlignment); }},
    // "Both image_format and image_desc must be non-NULL, otherwise CL_INVALID_VALUE is returned."
    {CL_IMAGE_REQUIREMENTS_SIZE_EXT,
     [](auto &a, InfoWriter &w) -> Expected<void> {
       if (!a.image) return fail(ErrorCode::InvalidValue, "the size of an image without a format or a description");
       return w.put<size_t>(core::imageBytes(*a.image));
     }},
    {CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT,
     [](auto &a, InfoWriter &w) { return putLimit(a, w, kKinds, [](const auto &most) { return most.width; }); }},
    {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT,
     [](auto &a, InfoWriter &w) {
       return putLimit(a, w, {Image2D, Image2DArray, Image3D}, [](const auto &most) { return most.height; });
     }},
    {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
     [](auto &a, InfoWriter &w) { return putLimit(a, w, {Image3D}, [](const auto &most) { return most.depth; }); }},
    {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT,
     [](auto &a, InfoWriter &w) {
       return putLimit(a, w, {Image1DArray, Image2DArray}, [](const auto &most) { return most.layers; });
     }},
};

bool asksForLimit(cl_image_requirements_info_ext name) {
  return name >= CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT && name <= CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
}

/// The description of a query: all of an image, or its type and what else is known of it.
Expected<void> describe(const ClContext &context, Requirements &asked, const cl_image_desc &given,
                        cl_image_requirements_info_ext name, const std::optional<ImageFormat> &format) {
  // "The value of all other members, except mem_object may be 0 to require that the value returned be supported for all
  // possible values": of limits.
  if (asksForLimit(name) && given.image_type == 0) return {};
  US_TRY(ImageKind kind, kindFrom(context, &given));
  asked.kinds = {kind};
  if (asksForLimit(name)) return {};
  // "CL_INVALID_IMAGE_DESCRIPTOR if values specified in image_desc are not valid".
  Expected<ImageDescription> image = sizesFrom(given, kind, format.value_or(ImageFormat{}));
  if (!image) return fail(ErrorCode::InvalidImageDescriptor, std::move(image).error().message);
  for (const DeviceInfo *const device : asked.devices)
    if (!core::isWithin(core::imageLimits(*device, kind), *image))
      return fail(ErrorCode::InvalidImageDescriptor, "the image is larger than the devices have any of its type");
  if (!format) return {};
  size_t rowPitch = 0;
  US_CHECK(setPitches(*image, given, {.row = true, .slice = true}, rowPitch));
  asked.image = *image;
  return {};
}

} // namespace

// clGetImageRequirementsInfoEXT
Expected<void> getImageRequirementsInfoEXT(cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags,
                                           const cl_image_format *format, const cl_image_desc *description,
                                           cl_image_requirements_info_ext name, size_t size, void *value,
                                           size_t *sizeReturned) {
  // "CL_INVALID_CONTEXT if context if not a valid context"
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_PROPERTY if a property name in properties is not a supported property name": none changes an answer.
  if (properties && *properties)
    return fail(ErrorCode::InvalidProperty, icd::format("there is no property {:#x} of this query", *properties));
  // "CL_INVALID_VALUE if values specified in flags are not valid"
  US_CHECK(checkMemoryFlags(context, flags & ~cl_mem_flags(CL_MEM_KERNEL_READ_AND_WRITE)));
  if (!hasImages(context)) return fail(ErrorCode::InvalidOperation, "the context has no device with images");
  Requirements asked{.kinds = kKinds, .elementSize = 16};
  for (const Ref<ClDevice> &device : context.devices)
    if (device->info().images) asked.devices.push_back(&device->info());
  // "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid"
  std::optional<ImageFormat> pixels;
  if (format) {
    US_TRY(pixels, imageFormatFrom(format));
    asked.elementSize = core::pixelSize(*pixels);
  }
  if (description) US_CHECK(describe(context, asked, *description, name, pixels));
  return icd::answer(kRequirements, asked, name, size, value, sizeReturned);
}

// clCreateImage
Expected<cl_mem> createImage(cl_context handle, cl_mem_flags flags, const cl_image_format *format,
                             const cl_image_desc *description, void *hostPointer) {
  // "CL_INVALID_CONTEXT if context is not a valid context"
  US_TRY(ClContext & context, contextFrom(handle));
  return makeImage({context, {}, flags, format, description, hostPointer});
}

// clCreateImageWithProperties
Expected<cl_mem> createImageWithProperties(cl_context handle, const cl_mem_properties *properties, cl_mem_flags flags,
                                           const cl_image_format *format, const cl_image_desc *description,
                                           void *hostPointer) {
  // "CL_INVALID_CONTEXT if context is not a valid context"
  US_TRY(ClContext & context, contextFrom(handle));
  std::vector<cl_mem_properties> copy;
  ExternalMemory external;
  if (const cl_mem_properties *next = properties) {
    while (*next) {
      US_TRY(const bool isTaken, takeExternalProperty(context, next, external));
      // "CL_INVALID_PROPERTY if a property name in properties is not a supported property name"
      if (!isTaken) return fail(ErrorCode::InvalidProperty, icd::format("there is no image property {:#x}", *next));
    }
    copy.assign(properties, next + 1);
  }
  return makeImage({context, std::move(copy), flags, format, description, hostPointer, std::move(external)});
}

// clCreateImage2D
Expected<cl_mem> createImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                               size_t height, size_t rowPitch, void *hostPointer) {
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  description.image_row_pitch = rowPitch;
  return makeDeprecated(context, flags, format, description, hostPointer);
}

// clCreateImage3D
Expected<cl_mem> createImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                               size_t height, size_t depth, size_t rowPitch, size_t slicePitch, void *hostPointer) {
  US_CHECK(contextFrom(context));
  // "image_depth is the depth of the image in pixels. For clCreateImage3D, this must be a value > 1."
  if (depth <= 1) return fail(ErrorCode::InvalidImageSize, icd::format("a 3D image of depth {}", depth));
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = width;
  description.image_height = height;
  description.image_depth = depth;
  description.image_row_pitch = rowPitch;
  description.image_slice_pitch = slicePitch;
  return makeDeprecated(context, flags, format, description, hostPointer);
}

} // namespace us::opencl
