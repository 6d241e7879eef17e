// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, offsets, origins, regions and pitches of the OpenCL API against a model: computed in 128 bits it says which
// calls must be refused, which must be accepted, and what is then in every byte of every object.
#include "tests/fuzz/model_target.h"
#include "tests/fuzz/targets/opencl_device.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace us::fuzz {
namespace {

using Wide = unsigned __int128;
using Bytes = std::vector<unsigned char>;
using Sizes = std::array<size_t, 3>;

/// A box in linear memory.
struct Box {
  Wide offset = 0, row = 0, slice = 0;
  Wide end(const Sizes &region) const { return offset + (region[2] - 1) * slice + (region[1] - 1) * row + region[0]; }
  size_t at(size_t y, size_t z) const { return size_t(offset + z * slice + y * row); }
};

void copyBox(Bytes &to, const Box &toBox, const Bytes &from, const Box &fromBox, const Sizes &region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      std::memcpy(to.data() + toBox.at(y, z), from.data() + fromBox.at(y, z), region[0]);
}

/// Whether two boxes within one memory share a byte.
bool shareBytes(size_t size, const Box &a, const Box &b, const Sizes &region) {
  std::vector<bool> used(size);
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x) used[a.at(y, z) + x] = true;
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        if (used[b.at(y, z) + x]) return true;
  return false;
}

struct Memory {
  cl_mem handle = nullptr;
  size_t root = 0;             ///< whose bytes these are
  size_t origin = 0, size = 0; ///< in them
};

struct Image {
  cl_mem handle = nullptr;
  cl_mem_object_type type = 0;
  size_t pixel = 0;
  Sizes extent{}; ///< as origins and regions count
  Bytes bytes;
  bool hasSlices() const {
    return type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  }
  Box box(const Sizes &origin) const {
    const Wide row = extent[0] * pixel, slice = row * extent[1];
    return {origin[0] * pixel + origin[1] * row + origin[2] * slice, row, slice};
  }
  /// Region in bytes.
  Sizes bytesOf(const Sizes &region) const { return {region[0] * pixel, region[1], region[2]}; }
  bool contains(const Sizes &origin, const Sizes &region) const {
    for (unsigned d = 0; d < 3; ++d)
      if (region[d] == 0 || Wide(origin[d]) + region[d] > extent[d]) return false;
    return true;
  }
};

constexpr size_t kHost = 1 << 16;

class World final : public Model {
public:
  World() : our_(OpenClDevice::instance()), host_(kHost), hostModel_(kHost), limits_(our_) {
    for (const size_t size : {size_t(4096), size_t(1000)}) {
      roots_.emplace_back(size);
      cl_int code = 0;
      memories_.push_back({cl().clCreateBuffer(our_.context, 0, size, nullptr, &code), roots_.size() - 1, 0, size});
      must(code, "clCreateBuffer");
    }
    const cl_buffer_region part{limits_.alignment * 2, 700};
    cl_int code = 0;
    memories_.push_back({cl().clCreateSubBuffer(memories_[0].handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code), 0,
                         part.origin, part.size});
    must(code, "clCreateSubBuffer");
    addImage(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, 4, {13, 7, 1});
    addImage(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, 4, {9, 9, 1});
    addImage(CL_MEM_OBJECT_IMAGE3D, CL_RGBA, 4, {5, 4, 3});
    addImage(CL_MEM_OBJECT_IMAGE1D, CL_R, 1, {100, 1, 1});
    addImage(CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_R, 1, {33, 5, 1});
    addImage(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, 1, {11, 6, 4});
    svm_ = static_cast<unsigned char *>(cl().clSVMAlloc(our_.context, CL_MEM_READ_WRITE, kSvm, 0));
    if (!svm_) found("clSVMAlloc");
  }

  void call(Choices &choices) override {
    using Operation = void (World::*)(Choices &);
    static constexpr Operation kOperations[] = {
        &World::transfer,      &World::copy,          &World::fill,      &World::transferRect,  &World::transferRect,
        &World::copyRect,      &World::copyRect,      &World::mapBuffer, &World::subBuffer,     &World::buffer,
        &World::transferImage, &World::transferImage, &World::copyImage, &World::copyBetween,   &World::fillImage,
        &World::mapImage,      &World::newImage,      &World::newImage,  &World::imageOnBuffer, &World::svmAlloc,
        &World::svmCopy,       &World::svmFill,       &World::svmMap,    &World::pipe,          &World::query,
        &World::partition};
    (this->*kOperations[choices.below(std::size(kOperations))])(choices);
  }

private:
  static constexpr size_t kSvm = 2048;

  struct Limits {
    explicit Limits(const OpenClDevice &our)
        : alignment(our.info<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8),
          allocation(our.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE)),
          width(our.info<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH)), height(our.info<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT)),
          width3(our.info<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH)),
          height3(our.info<size_t>(CL_DEVICE_IMAGE3D_MAX_HEIGHT)),
          depth3(our.info<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH)),
          layers(our.info<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)),
          packet(our.info<cl_uint>(CL_DEVICE_PIPE_MAX_PACKET_SIZE)),
          units(our.info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS)) {}
    size_t alignment, allocation, width, height, width3, height3, depth3, layers, packet, units;
  };

  void addImage(cl_mem_object_type type, cl_channel_order order, size_t pixel, const Sizes &extent) {
    const cl_image_format format{order, CL_UNSIGNED_INT8};
    cl_image_desc description{};
    description.image_type = type;
    description.image_width = extent[0];
    description.image_height = extent[1];
    description.image_depth = extent[2];
    description.image_array_size = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? extent[1] : extent[2];
    cl_int code = 0;
    Image image{cl().clCreateImage(our_.context, 0, &format, &description, nullptr, &code), type, pixel, extent,
                Bytes(extent[0] * extent[1] * extent[2] * pixel)};
    must(code, "clCreateImage");
    images_.push_back(std::move(image));
  }

  // --- Contents ---

  void readImage(const Image &image, Bytes &into) {
    const size_t origin[3] = {};
    must(cl().clEnqueueReadImage(our_.queue, image.handle, CL_TRUE, origin, image.extent.data(), 0, 0, into.data(), 0,
                                 nullptr, nullptr),
         "clEnqueueReadImage of the whole");
  }

  /// All objects as they always begin, and the model with them.
  void reset() override {
    unsigned char value = 0;
    const auto number = [&](Bytes &bytes) {
      for (unsigned char &byte : bytes) byte = value++ * 7 + 3;
    };
    for (size_t i = 0; i < roots_.size(); ++i) {
      number(roots_[i]);
      must(cl().clEnqueueWriteBuffer(our_.queue, memories_[i].handle, CL_TRUE, 0, roots_[i].size(), roots_[i].data(), 0,
                                     nullptr, nullptr),
           "clEnqueueWriteBuffer of the whole");
    }
    for (Image &image : images_) {
      number(image.bytes);
      const size_t origin[3] = {};
      must(cl().clEnqueueWriteImage(our_.queue, image.handle, CL_TRUE, origin, image.extent.data(), 0, 0,
                                    image.bytes.data(), 0, nullptr, nullptr),
           "clEnqueueWriteImage of the whole");
    }
    number(host_);
    hostModel_ = host_;
    svmModel_.resize(kSvm);
    number(svmModel_);
    std::memcpy(svm_, svmModel_.data(), kSvm);
  }

  void compare() override {
    must(cl().clFinish(our_.queue), "clFinish");
    Bytes now;
    for (size_t i = 0; i < roots_.size(); ++i) {
      now.resize(roots_[i].size());
      must(cl().clEnqueueReadBuffer(our_.queue, memories_[i].handle, CL_TRUE, 0, now.size(), now.data(), 0, nullptr,
                                    nullptr),
           "clEnqueueReadBuffer of the whole");
      if (now != roots_[i]) found("a buffer holds something else");
    }
    for (const Image &image : images_) {
      now.resize(image.bytes.size());
      readImage(image, now);
      if (now != image.bytes) found("an image holds something else");
    }
    if (host_ != hostModel_) found("the host's memory holds something else");
    if (std::memcmp(svm_, svmModel_.data(), kSvm) != 0) found("shared memory holds something else");
  }

  // --- Choices ---

  Memory &anyMemory(Choices &choices) { return memories_[choices.below(memories_.size())]; }
  Image &anyImage(Choices &choices) { return images_[choices.below(images_.size())]; }
  Bytes &bytesOf(const Memory &memory) { return roots_[memory.root]; }
  static bool inside(Wide offset, Wide size, Wide whole) { return offset + size <= whole; }

  static Sizes sizes(Choices &choices, const Sizes &whole, const Sizes &factor = {1, 1, 1}) {
    Sizes result;
    for (unsigned d = 0; d < 3; ++d) result[d] = choices.size(whole[d], factor[d]);
    return result;
  }
  /// A region that may fit: most are not empty.
  static Sizes region(Choices &choices, const Sizes &whole) {
    Sizes result = sizes(choices, whole);
    if (choices.below(8) != 0)
      for (size_t &one : result) one = std::max<size_t>(one, 1);
    return result;
  }

  // --- Buffers ---

  void transfer(Choices &choices) {
    const Memory &memory = anyMemory(choices);
    const size_t offset = choices.size(memory.size), size = choices.size(memory.size);
    const bool fits = inside(offset, size, memory.size);
    const Answer expected = fits && size == 0 ? Answer::Either : acceptedIf(fits);
    const bool reads = choices.below(2);
    const cl_int code = reads ? cl().clEnqueueReadBuffer(our_.queue, memory.handle, CL_TRUE, offset, size, host_.data(),
                                                         0, nullptr, nullptr)
                              : cl().clEnqueueWriteBuffer(our_.queue, memory.handle, CL_TRUE, offset, size,
                                                          host_.data() + 77, 0, nullptr, nullptr);
    if (!check(expected, code, "a transfer")) return;
    unsigned char *const bytes = bytesOf(memory).data() + memory.origin + offset;
    if (reads)
      std::memcpy(hostModel_.data(), bytes, size);
    else
      std::memcpy(bytes, hostModel_.data() + 77, size);
  }

  void copy(Choices &choices) {
    const Memory &from = anyMemory(choices), &to = anyMemory(choices);
    const size_t fromOffset = choices.size(from.size), toOffset = choices.size(to.size), size = choices.size(from.size);
    bool fits = inside(fromOffset, size, from.size) && inside(toOffset, size, to.size);
    const size_t a = from.origin + fromOffset, b = to.origin + toOffset;
    if (fits && from.root == to.root && (a < b ? b - a < size : a - b < size)) fits = false;
    const Answer expected = size == 0 && fits ? Answer::Either : acceptedIf(fits);
    if (check(expected,
              cl().clEnqueueCopyBuffer(our_.queue, from.handle, to.handle, fromOffset, toOffset, size, 0, nullptr,
                                       nullptr),
              "a copy"))
      std::memcpy(bytesOf(to).data() + b, bytesOf(from).data() + a, size);
  }

  void fill(Choices &choices) {
    const Memory &memory = anyMemory(choices);
    unsigned char pattern[256];
    for (unsigned char &byte : pattern) byte = choices.byte() + 5;
    const size_t patternSize = choices.below(4) ? size_t(1) << choices.below(10) : choices.size(128);
    size_t offset = choices.size(memory.size), size = choices.size(memory.size);
    if (choices.below(4)) {
      offset -= patternSize ? offset % patternSize : 0;
      size -= patternSize ? size % patternSize : 0;
    }
    const bool isPattern = patternSize && patternSize <= 128 && (patternSize & (patternSize - 1)) == 0;
    const bool fits =
        isPattern && inside(offset, size, memory.size) && offset % patternSize == 0 && size % patternSize == 0;
    const cl_int code =
        cl().clEnqueueFillBuffer(our_.queue, memory.handle, pattern, patternSize, offset, size, 0, nullptr, nullptr);
    if (!check(fits && size == 0 ? Answer::Either : acceptedIf(fits), code, "a fill")) return;
    for (size_t i = 0; i < size; ++i) bytesOf(memory)[memory.origin + offset + i] = pattern[i % patternSize];
  }

  struct Side {
    Sizes origin;
    size_t row, slice;
    /// "If row_pitch is 0, row_pitch is computed as region[0]"; of slice_pitch "region[1] x row_pitch".
    Box box(const Sizes &region) const {
      const Wide rows = row ? row : region[0], slices = slice ? Wide(slice) : Wide(region[1]) * rows;
      return {origin[2] * slices + origin[1] * rows + origin[0], rows, slices};
    }
    bool hasRightPitches(const Sizes &region) const {
      const Wide rows = row ? row : region[0];
      return (row == 0 || row >= region[0]) && (slice == 0 || (slice >= Wide(region[1]) * rows && slice % rows == 0));
    }
    bool fits(const Sizes &region, size_t size) const { return box(region).end(region) <= size; }
  };
  static Side side(Choices &choices, const Sizes &region, size_t whole) {
    Side result{};
    result.row = choices.below(2) ? 0 : choices.size(whole, std::max<size_t>(region[1], 1));
    const size_t rows = result.row ? result.row : region[0];
    result.slice = choices.below(2) ? 0 : choices.size(whole, std::max<size_t>(region[2], 1));
    if (result.slice && rows && choices.below(4)) result.slice -= result.slice % rows;
    const size_t slices = result.slice ? result.slice : rows * region[1];
    result.origin = sizes(choices, {whole, whole, whole}, {1, std::max<size_t>(rows, 1), std::max<size_t>(slices, 1)});
    return result;
  }
  static bool isEmpty(const Sizes &region) { return !region[0] || !region[1] || !region[2]; }
  static Sizes boxRegion(Choices &choices, size_t whole) { return region(choices, {whole, whole / 8, whole / 32}); }

  void transferRect(Choices &choices) {
    const Memory &memory = anyMemory(choices);
    const Sizes region = boxRegion(choices, memory.size);
    const Side buffer = side(choices, region, memory.size), host = side(choices, region, memory.size);
    const bool right = !isEmpty(region) && buffer.hasRightPitches(region) && host.hasRightPitches(region) &&
                       buffer.fits(region, memory.size);
    // The host's memory is what the caller says that it is.
    if (right && !host.fits(region, kHost) && host.box(region).end(region) <= ~size_t(0)) return;
    const bool fits = right && host.fits(region, kHost), reads = choices.below(2);
    const cl_int code = reads
                            ? cl().clEnqueueReadBufferRect(our_.queue, memory.handle, CL_TRUE, buffer.origin.data(),
                                                           host.origin.data(), region.data(), buffer.row, buffer.slice,
                                                           host.row, host.slice, host_.data(), 0, nullptr, nullptr)
                            : cl().clEnqueueWriteBufferRect(our_.queue, memory.handle, CL_TRUE, buffer.origin.data(),
                                                            host.origin.data(), region.data(), buffer.row, buffer.slice,
                                                            host.row, host.slice, host_.data(), 0, nullptr, nullptr);
    if (!check(acceptedIf(fits), code, "a transfer of a box")) return;
    Box inRoot = buffer.box(region);
    inRoot.offset += memory.origin;
    if (reads)
      fuzz::copyBox(hostModel_, host.box(region), bytesOf(memory), inRoot, region);
    else
      fuzz::copyBox(bytesOf(memory), inRoot, hostModel_, host.box(region), region);
  }

  void copyRect(Choices &choices) {
    const Memory &from = anyMemory(choices), &to = anyMemory(choices);
    const Sizes region = boxRegion(choices, from.size);
    const Side source = side(choices, region, from.size);
    Side target = side(choices, region, to.size);
    if (&from == &to && choices.below(4)) {
      target.row = source.row;
      target.slice = source.slice;
    }
    bool fits = !isEmpty(region) && source.hasRightPitches(region) && target.hasRightPitches(region) &&
                source.fits(region, from.size) && target.fits(region, to.size);
    bool open = false;
    Box a = source.box(region), b = target.box(region);
    if (fits && from.root == to.root) {
      a.offset += from.origin;
      b.offset += to.origin;
      if (shareBytes(bytesOf(from).size(), a, b, region)) fits = false;
    } else {
      a.offset += from.origin;
      b.offset += to.origin;
    }
    // "... are the same buffer object and src_slice_pitch is not equal to dst_slice_pitch and src_row_pitch is not
    // equal to dst_row_pitch": where one of them differs, it may be refused.
    if (&from == &to && (source.row != target.row || source.slice != target.slice)) {
      if (source.row != target.row && source.slice != target.slice)
        fits = false;
      else
        open = true;
    }
    const cl_int code = cl().clEnqueueCopyBufferRect(our_.queue, from.handle, to.handle, source.origin.data(),
                                                     target.origin.data(), region.data(), source.row, source.slice,
                                                     target.row, target.slice, 0, nullptr, nullptr);
    if (check(fits && open ? Answer::Either : acceptedIf(fits), code, "a copy of a box"))
      fuzz::copyBox(bytesOf(to), b, Bytes(bytesOf(from)), a, region);
  }

  void mapBuffer(Choices &choices) {
    const Memory &memory = anyMemory(choices);
    const size_t offset = choices.size(memory.size), size = choices.size(memory.size);
    const bool fits = size && inside(offset, size, memory.size);
    cl_int code = 0;
    void *const mapped = cl().clEnqueueMapBuffer(our_.queue, memory.handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, offset,
                                                 size, 0, nullptr, nullptr, &code);
    if (!check(acceptedIf(fits), code, "a map")) return;
    unsigned char *const bytes = bytesOf(memory).data() + memory.origin + offset;
    if (std::memcmp(mapped, bytes, size) != 0) found("a map shows something else");
    std::memset(mapped, 0x5b, size);
    std::memset(bytes, 0x5b, size);
    must(cl().clEnqueueUnmapMemObject(our_.queue, memory.handle, mapped, 0, nullptr, nullptr),
         "clEnqueueUnmapMemObject");
  }

  void subBuffer(Choices &choices) {
    const Memory &memory = memories_[choices.below(2)];
    cl_buffer_region part{choices.size(memory.size), choices.size(memory.size)};
    if (choices.below(2)) part.origin -= part.origin % limits_.alignment;
    const bool fits = part.size && inside(part.origin, part.size, memory.size) && part.origin % limits_.alignment == 0;
    cl_int code = 0;
    const cl_mem made = cl().clCreateSubBuffer(memory.handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    if (check(acceptedIf(fits), code, "a sub-buffer")) must(cl().clReleaseMemObject(made), "clReleaseMemObject");
  }

  void buffer(Choices &choices) {
    const size_t size = choices.size(limits_.allocation);
    cl_int code = 0;
    const cl_mem made = cl().clCreateBuffer(our_.context, 0, size, nullptr, &code);
    // Memory is found when it is used, or not: both are right.
    const bool fits = size && size <= limits_.allocation;
    if (!check(fits ? Answer::Either : Answer::Refused, code, "a buffer")) return;
    unsigned char last = 1, pattern = 9;
    const cl_int filled = cl().clEnqueueFillBuffer(our_.queue, made, &pattern, 1, size - 1, 1, 0, nullptr, nullptr);
    if (filled == CL_SUCCESS)
      must(cl().clEnqueueReadBuffer(our_.queue, made, CL_TRUE, size - 1, 1, &last, 0, nullptr, nullptr),
           "a read of the last byte");
    if (filled == CL_SUCCESS && last != pattern) found("the last byte of a buffer is lost");
    must(cl().clReleaseMemObject(made), "clReleaseMemObject");
  }

  // --- Images ---

  void transferImage(Choices &choices) {
    Image &image = anyImage(choices);
    const Sizes origin = sizes(choices, image.extent), region = World::region(choices, image.extent);
    const size_t row =
        choices.below(2) ? 0 : choices.size(image.extent[0] * image.pixel * 2, std::max<size_t>(region[1], 1));
    const size_t slice = choices.below(2) ? 0 : choices.size(image.bytes.size(), std::max<size_t>(region[2], 1));
    const bool layersAreRows = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const Wide rows = row ? row : region[0] * image.pixel;
    const Wide slices = slice ? Wide(slice) : rows * (layersAreRows ? 1 : region[1]);
    bool fits = image.contains(origin, region) && rows >= region[0] * image.pixel &&
                (slice == 0 || (image.hasSlices() && slice >= rows * (layersAreRows ? 1 : region[1])));
    Box host{0, layersAreRows ? slices : rows, slices};
    const Sizes bytes = image.bytesOf(region);
    bool open = false;
    if (fits && host.end(bytes) > kHost) {
      if (host.end(bytes) <= ~size_t(0)) return; // the caller answers for its memory
      open = true; // no memory is that large: what is said of it does not matter, and nothing may be copied
      fits = false;
    }
    if (open) return;
    const bool reads = choices.below(2);
    const cl_int code = reads ? cl().clEnqueueReadImage(our_.queue, image.handle, CL_TRUE, origin.data(), region.data(),
                                                        row, slice, host_.data(), 0, nullptr, nullptr)
                              : cl().clEnqueueWriteImage(our_.queue, image.handle, CL_TRUE, origin.data(),
                                                         region.data(), row, slice, host_.data(), 0, nullptr, nullptr);
    if (!check(acceptedIf(fits), code, "a transfer of an image")) return;
    if (reads)
      fuzz::copyBox(hostModel_, host, image.bytes, image.box(origin), bytes);
    else
      fuzz::copyBox(image.bytes, image.box(origin), hostModel_, host, bytes);
  }

  void copyImage(Choices &choices) {
    Image &from = anyImage(choices), &to = anyImage(choices);
    const Sizes a = sizes(choices, from.extent), b = sizes(choices, to.extent),
                region = World::region(choices, from.extent);
    bool fits = from.pixel == to.pixel && from.contains(a, region) && to.contains(b, region);
    if (fits && &from == &to && shareBytes(from.bytes.size(), from.box(a), to.box(b), from.bytesOf(region)))
      fits = false;
    const cl_int code = cl().clEnqueueCopyImage(our_.queue, from.handle, to.handle, a.data(), b.data(), region.data(),
                                                0, nullptr, nullptr);
    if (check(acceptedIf(fits), code, "a copy of an image"))
      fuzz::copyBox(to.bytes, to.box(b), Bytes(from.bytes), from.box(a), from.bytesOf(region));
  }

  void copyBetween(Choices &choices) {
    Image &image = anyImage(choices);
    const Memory &memory = anyMemory(choices);
    const Sizes origin = sizes(choices, image.extent), region = World::region(choices, image.extent);
    const size_t offset = choices.size(memory.size);
    const Sizes bytes = image.bytesOf(region);
    const bool inImage = image.contains(origin, region);
    const bool fits = inImage && Wide(offset) + bytes[0] * bytes[1] * bytes[2] <= memory.size;
    const bool toBuffer = choices.below(2);
    const cl_int code = toBuffer
                            ? cl().clEnqueueCopyImageToBuffer(our_.queue, image.handle, memory.handle, origin.data(),
                                                              region.data(), offset, 0, nullptr, nullptr)
                            : cl().clEnqueueCopyBufferToImage(our_.queue, memory.handle, image.handle, offset,
                                                              origin.data(), region.data(), 0, nullptr, nullptr);
    if (!check(acceptedIf(fits), code, "a copy between an image and a buffer")) return;
    const Box linear{memory.origin + offset, bytes[0], bytes[0] * bytes[1]};
    if (toBuffer)
      fuzz::copyBox(bytesOf(memory), linear, image.bytes, image.box(origin), bytes);
    else
      fuzz::copyBox(image.bytes, image.box(origin), bytesOf(memory), linear, bytes);
  }

  void fillImage(Choices &choices) {
    Image &image = anyImage(choices);
    const Sizes origin = sizes(choices, image.extent), region = World::region(choices, image.extent);
    const cl_uint colour[4] = {choices.byte(), choices.byte(), choices.byte(), choices.byte()};
    const bool fits = image.contains(origin, region);
    if (!check(acceptedIf(fits),
               cl().clEnqueueFillImage(our_.queue, image.handle, colour, origin.data(), region.data(), 0, nullptr,
                                       nullptr),
               "a fill of an image"))
      return;
    const Box box = image.box(origin);
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        for (size_t x = 0; x < region[0] * image.pixel; ++x)
          image.bytes[box.at(y, z) + x] = static_cast<unsigned char>(colour[x % image.pixel]);
  }

  void mapImage(Choices &choices) {
    Image &image = anyImage(choices);
    const Sizes origin = sizes(choices, image.extent), region = World::region(choices, image.extent);
    size_t row = 0, slice = 0;
    cl_int code = 0;
    void *const mapped = cl().clEnqueueMapImage(our_.queue, image.handle, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                origin.data(), region.data(), &row, &slice, 0, nullptr, nullptr, &code);
    if (!check(acceptedIf(image.contains(origin, region)), code, "a map of an image")) return;
    const Box box = image.box(origin);
    if (image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) row = slice;
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        if (std::memcmp(static_cast<char *>(mapped) + z * slice + y * row, image.bytes.data() + box.at(y, z),
                        region[0] * image.pixel) != 0)
          found("a map of an image shows something else");
    must(cl().clEnqueueUnmapMemObject(our_.queue, image.handle, mapped, 0, nullptr, nullptr),
         "clEnqueueUnmapMemObject");
  }

  static constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                                  CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                                  CL_MEM_OBJECT_IMAGE3D};

  void newImage(Choices &choices) {
    cl_image_desc d{};
    d.image_type = kTypes[choices.below(std::size(kTypes))];
    const bool is3 = d.image_type == CL_MEM_OBJECT_IMAGE3D,
               isArray = d.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY || d.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const bool isFlat = d.image_type == CL_MEM_OBJECT_IMAGE2D || d.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const bool usesHeight = isFlat || is3;
    // Most within what the host's memory holds.
    d.image_width = choices.size(choices.below(4) ? 64 : limits_.width);
    d.image_height = choices.size(choices.below(4) ? 16 : limits_.height);
    d.image_depth = choices.size(choices.below(4) ? 4 : limits_.depth3);
    d.image_array_size = choices.size(choices.below(4) ? 4 : limits_.layers);
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    constexpr size_t kPixel = 4;
    const cl_mem_flags flags[] = {0, CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR};
    const cl_mem_flags flag = flags[choices.below(3)];
    d.image_row_pitch = choices.below(2) ? 0 : choices.size(512);
    if (choices.below(4)) d.image_row_pitch -= d.image_row_pitch % kPixel;
    d.image_slice_pitch = choices.below(2) ? 0 : choices.size(8192);
    const size_t height = usesHeight ? d.image_height : 1, depth = is3 ? d.image_depth : 1,
                 layers = isArray ? d.image_array_size : 1;
    const Wide row = d.image_row_pitch ? Wide(d.image_row_pitch) : Wide(d.image_width) * kPixel;
    if (d.image_slice_pitch && row && choices.below(4)) d.image_slice_pitch -= size_t(d.image_slice_pitch % row);
    const bool givesSlices = d.image_slice_pitch && (is3 || isArray);
    const Wide slice = givesSlices ? Wide(d.image_slice_pitch) : row * height;
    bool fits = d.image_width && height && depth && layers && d.image_width <= (is3 ? limits_.width3 : limits_.width) &&
                height <= (is3 ? limits_.height3 : limits_.height) && depth <= (is3 ? limits_.depth3 : 1) &&
                layers <= limits_.layers;
    if (flag == 0) fits = fits && d.image_row_pitch == 0 && d.image_slice_pitch == 0;
    fits = fits && row >= Wide(d.image_width) * kPixel && row % kPixel == 0;
    fits = fits && (!givesSlices || (slice >= row * height && slice % row == 0));
    const Wide all = fits ? slice * depth * layers : 0;
    if (flag && fits && all > kHost) return; // the caller answers for its memory
    // "image_height ... is only used if ..."; a pitch of slices of an image that has none may be an error or not.
    const bool open = fits && d.image_slice_pitch && !givesSlices;
    if (all > limits_.allocation) fits = false;
    cl_int code = 0;
    const cl_mem made = cl().clCreateImage(our_.context, flag, &format, &d, flag ? host_.data() : nullptr, &code);
    // Without memory of the host there may be no room.
    const Answer expected = open || (fits && all > (1 << 24)) ? Answer::Either : acceptedIf(fits);
    if (!check(expected, code, "an image")) return;
    if (flag && all <= kHost) {
      const size_t origin[3] = {}, region[3] = {1, 1, 1};
      unsigned char pixel[kPixel];
      must(cl().clEnqueueReadImage(our_.queue, made, CL_TRUE, origin, region, 0, 0, pixel, 0, nullptr, nullptr),
           "a read of a new image");
      if (std::memcmp(pixel, hostModel_.data(), kPixel) != 0) found("a new image holds something else");
    }
    must(cl().clReleaseMemObject(made), "clReleaseMemObject");
  }

  void imageOnBuffer(Choices &choices) {
    const Memory &memory = anyMemory(choices);
    cl_image_desc d{};
    const bool isLine = choices.below(2);
    d.image_type = isLine ? CL_MEM_OBJECT_IMAGE1D_BUFFER : CL_MEM_OBJECT_IMAGE2D;
    d.image_width = choices.size(memory.size, 4);
    d.image_height = choices.size(memory.size, 64);
    d.image_row_pitch = choices.below(2) ? 0 : choices.size(memory.size, std::max<size_t>(d.image_height, 1));
    if (choices.below(4)) d.image_row_pitch -= d.image_row_pitch % 256;
    d.mem_object = memory.handle;
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    const Wide row = d.image_row_pitch ? Wide(d.image_row_pitch) : Wide(d.image_width) * 4;
    // What a pitch says beyond the one row of a 1D image lies in no memory.
    const bool fits = d.image_width && (isLine || d.image_height) && row >= Wide(d.image_width) * 4 &&
                      (isLine ? Wide(d.image_width) * 4 : row * d.image_height) <= memory.size;
    cl_int code = 0;
    const cl_mem made = cl().clCreateImage(our_.context, 0, &format, &d, nullptr, &code);
    if (!check(fits ? Answer::Either : Answer::Refused, code, "an image on a buffer")) return;
    // Its last pixel is the buffer's memory.
    const size_t origin[3] = {d.image_width - 1, isLine ? 0 : d.image_height - 1, 0}, region[3] = {1, 1, 1};
    unsigned char pixel[4];
    must(cl().clEnqueueReadImage(our_.queue, made, CL_TRUE, origin, region, 0, 0, pixel, 0, nullptr, nullptr),
         "a read of an image on a buffer");
    if (std::memcmp(pixel, bytesOf(memory).data() + memory.origin + size_t(origin[1] * row) + origin[0] * 4, 4) != 0)
      found("an image on a buffer shows something else");
    must(cl().clReleaseMemObject(made), "clReleaseMemObject");
  }

  // --- Shared virtual memory ---

  void svmAlloc(Choices &choices) {
    const size_t size = choices.size(limits_.allocation);
    const auto alignment = cl_uint(choices.size(128));
    void *const made = cl().clSVMAlloc(our_.context, CL_MEM_READ_WRITE, size, alignment);
    // A larger alignment than that of the largest type need not be possible.
    const bool fits = size && size <= limits_.allocation && (alignment & (alignment - 1)) == 0;
    if (made && !fits) found("clSVMAlloc gives what it must not give");
    if (!made && fits && size < (1 << 20) && alignment <= 128) found("clSVMAlloc gives nothing");
    if (made && alignment && reinterpret_cast<uintptr_t>(made) % alignment) found("clSVMAlloc does not align");
    if (!made) return;
    static_cast<char *>(made)[size - 1] = 1;
    cl().clSVMFree(our_.context, made);
  }

  void svmCopy(Choices &choices) {
    // Addresses that are no shared memory are the host's: of those the caller must be sure.
    const size_t from = choices.size(kSvm) % kSvm, to = choices.size(kSvm) % kSvm, size = choices.size(kSvm);
    const bool fits =
        inside(from, size, kSvm) && inside(to, size, kSvm) && (from < to ? to - from >= size : from - to >= size);
    const cl_int code = cl().clEnqueueSVMMemcpy(our_.queue, CL_TRUE, svm_ + to, svm_ + from, size, 0, nullptr, nullptr);
    if (check(size == 0 && fits ? Answer::Either : acceptedIf(fits), code, "a copy of shared memory"))
      std::memcpy(svmModel_.data() + to, svmModel_.data() + from, size);
  }

  void svmFill(Choices &choices) {
    unsigned char pattern[256];
    for (unsigned char &byte : pattern) byte = choices.byte() + 11;
    const size_t patternSize = choices.below(4) ? size_t(1) << choices.below(10) : choices.size(128);
    size_t at = choices.size(kSvm) % kSvm, size = choices.size(kSvm);
    if (patternSize && choices.below(4)) {
      at -= at % patternSize;
      size -= size % patternSize;
    }
    const bool isPattern = patternSize && patternSize <= 128 && (patternSize & (patternSize - 1)) == 0;
    const bool fits = isPattern && inside(at, size, kSvm) &&
                      reinterpret_cast<uintptr_t>(svm_ + at) % patternSize == 0 && size % patternSize == 0;
    const cl_int code =
        cl().clEnqueueSVMMemFill(our_.queue, svm_ + at, pattern, patternSize, size, 0, nullptr, nullptr);
    if (!check(fits && size == 0 ? Answer::Either : acceptedIf(fits), code, "a fill of shared memory")) return;
    for (size_t i = 0; i < size; ++i) svmModel_[at + i] = pattern[i % patternSize];
  }

  void svmMap(Choices &choices) {
    const size_t at = choices.size(kSvm) % kSvm, size = choices.size(kSvm);
    const void *pointer = svm_ + at;
    const bool inSvm = inside(at, size, kSvm);
    const cl_int code = cl().clEnqueueSVMMap(our_.queue, CL_TRUE, CL_MAP_READ, svm_ + at, size, 0, nullptr, nullptr);
    if (check(acceptedIf(inSvm && size), code, "a map of shared memory"))
      must(cl().clEnqueueSVMUnmap(our_.queue, svm_ + at, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
    check(acceptedIf(inSvm), cl().clEnqueueSVMMigrateMem(our_.queue, 1, &pointer, &size, 0, 0, nullptr, nullptr),
          "a migration of shared memory");
  }

  // --- Others ---

  void pipe(Choices &choices) {
    const auto packet = cl_uint(choices.size(limits_.packet)),
               count = cl_uint(choices.size(1024, std::max(packet, 1u)));
    cl_int code = 0;
    const cl_mem made = cl().clCreatePipe(our_.context, 0, packet, count, nullptr, &code);
    const bool fits = packet && count && packet <= limits_.packet;
    if (check(fits ? Answer::Either : Answer::Refused, code, "a pipe"))
      must(cl().clReleaseMemObject(made), "clReleaseMemObject");
  }

  /// "CL_INVALID_VALUE if ... size in bytes specified by param_value_size is < size of return type": no byte behind.
  void query(Choices &choices) {
    const size_t size = choices.below(40);
    std::vector<char> value(size);
    size_t needed = 0;
    const Memory &memory = anyMemory(choices);
    const Image &image = anyImage(choices);
    const cl_uint name = choices.byte();
    cl_int code = 0;
    switch (choices.below(5)) {
    case 0:
      code = cl().clGetDeviceInfo(our_.device, CL_DEVICE_TYPE + name, size, value.data(), &needed);
      break;
    case 1:
      code = cl().clGetContextInfo(our_.context, CL_CONTEXT_REFERENCE_COUNT + name % 8, size, value.data(), &needed);
      break;
    case 2:
      code = cl().clGetCommandQueueInfo(our_.queue, CL_QUEUE_CONTEXT + name % 8, size, value.data(), &needed);
      break;
    case 3:
      code = cl().clGetMemObjectInfo(memory.handle, CL_MEM_TYPE + name % 16, size, value.data(), &needed);
      break;
    default:
      code = cl().clGetImageInfo(image.handle, CL_IMAGE_FORMAT + name % 16, size, value.data(), &needed);
      break;
    }
    if (code == CL_SUCCESS && size > 0 && needed > size) found("a query writes more than there is room for");
  }

  void partition(Choices &choices) {
    std::vector<cl_device_partition_property> properties{choices.below(2) ? CL_DEVICE_PARTITION_EQUALLY
                                                                          : CL_DEVICE_PARTITION_BY_COUNTS};
    Wide sum = 0;
    const size_t count = choices.below(6);
    for (size_t i = 0; i < count; ++i) {
      properties.push_back(cl_device_partition_property(choices.size(limits_.units)));
      sum += cl_uint(properties.back());
    }
    const bool equally = properties[0] == CL_DEVICE_PARTITION_EQUALLY;
    if (equally) properties.resize(2);
    properties.push_back(0);
    properties.push_back(0);
    cl_device_id devices[8];
    cl_uint made = 0;
    const cl_int code = cl().clCreateSubDevices(our_.device, properties.data(), 8, devices, &made);
    // Too many for the list is an error of its own.
    if (!equally && count && sum > limits_.units && code == CL_SUCCESS &&
        std::find(properties.begin(), properties.begin() + long(count) + 1, 0) == properties.begin() + long(count) + 1)
      found("a device has more parts than compute units");
    if (code != CL_SUCCESS) return;
    for (cl_uint i = 0; i < std::min(made, 8u); ++i) must(cl().clReleaseDevice(devices[i]), "clReleaseDevice");
  }

  const OpenClDevice &our_;
  std::vector<Bytes> roots_; ///< of the first memories, by number
  std::vector<Memory> memories_;
  std::vector<Image> images_;
  Bytes host_, hostModel_, svmModel_;
  unsigned char *svm_ = nullptr;
  const Limits limits_;
};

} // namespace

Model &model() {
  static auto &world = *new World;
  return world;
}

} // namespace us::fuzz
