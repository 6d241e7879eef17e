// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, offsets, pitches and positions of the CUDA driver API against a model: computed in 128 bits it says which
// calls must be refused, which must be accepted, and what is then in every byte of every allocation and array.
#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"
#include "tests/fuzz/model_target.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace us::fuzz {
namespace {

using Wide = unsigned __int128;
using Bytes = std::vector<unsigned char>;
using Sizes = std::array<size_t, 3>;

/// What copies come from and go to.
struct Place {
  enum Kind { Device, Pinned, Managed, Pageable, InArray } kind;
  uint64_t base = 0;
  CUarray array = nullptr;
  Sizes extent{}; ///< of an array: bytes, rows, slices
  Bytes bytes;    ///< as the model has them; of an array without gaps
};

struct End {
  Place *place = nullptr;
  uint64_t address = 0; ///< as given
  Sizes at{};           ///< bytes, rows, slices
  size_t pitch = 0, height = 0;
  CUmemorytype type{};
};

constexpr size_t kHost = 1 << 16;

class World final : public Model {
public:
  World() {
    must(cuInit(0), "cuInit");
    must(cuCtxCreate_v2(&context_, 0, 0), "cuCtxCreate");
    int pitch = 0;
    must(cuDeviceGetAttribute(&pitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0), "cuDeviceGetAttribute");
    maxPitch_ = size_t(pitch);
    must(cuDeviceTotalMem_v2(&total_, 0), "cuDeviceTotalMem");
    CUdeviceptr pointer = 0;
    must(cuMemAlloc_v2(&pointer, 4096), "cuMemAlloc");
    places_.push_back({Place::Device, pointer, nullptr, {}, Bytes(4096)});
    must(cuMemAllocPitch_v2(&pointer, &allocatedPitch_, 100, 16, 4), "cuMemAllocPitch");
    places_.push_back({Place::Device, pointer, nullptr, {}, Bytes(allocatedPitch_ * 16)});
    must(cuMemAllocManaged(&pointer, 2048, CU_MEM_ATTACH_GLOBAL), "cuMemAllocManaged");
    places_.push_back({Place::Managed, pointer, nullptr, {}, Bytes(2048)});
    void *host = nullptr;
    must(cuMemHostAlloc(&host, 4096, 0), "cuMemHostAlloc");
    places_.push_back({Place::Pinned, reinterpret_cast<uint64_t>(host), nullptr, {}, Bytes(4096)});
    host_.resize(kHost);
    places_.push_back({Place::Pageable, reinterpret_cast<uint64_t>(host_.data()), nullptr, {}, Bytes(kHost)});
    addArray({64, 8, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, {64, 8, 1});
    addArray({16, 4, 3, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0}, {64, 4, 3});
    addArray({100, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, {100, 1, 1});
    addArray({20, 3, 5, CU_AD_FORMAT_UNSIGNED_INT16, 1, CUDA_ARRAY3D_LAYERED}, {40, 3, 5});
  }

  void call(Choices &choices) override {
    using Operation = void (World::*)(Choices &);
    static constexpr Operation kOperations[] = {
        &World::copy2D,       &World::copy2D,       &World::copy3D,   &World::copy3D,
        &World::copyLinear,   &World::copyLinear,   &World::copyRow,  &World::fill,
        &World::fill,         &World::allocate,     &World::newArray, &World::newMipmaps,
        &World::registerHost, &World::managedRange, &World::texture,  &World::pointerFacts};
    (this->*kOperations[choices.below(std::size(kOperations))])(choices);
  }

private:
  void addArray(const CUDA_ARRAY3D_DESCRIPTOR &description, const Sizes &extent) {
    CUarray array = nullptr;
    must(cuArray3DCreate_v2(&array, &description), "cuArray3DCreate");
    places_.push_back({Place::InArray, 0, array, extent, Bytes(extent[0] * extent[1] * extent[2])});
  }

  // --- Contents ---

  CUresult moveWhole(Place &place, unsigned char *bytes, bool isRead) {
    if (place.kind != Place::InArray)
      return isRead ? cuMemcpy(reinterpret_cast<uint64_t>(bytes), place.base, place.bytes.size())
                    : cuMemcpy(place.base, reinterpret_cast<uint64_t>(bytes), place.bytes.size());
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = place.extent[0];
    copy.Height = place.extent[1];
    copy.Depth = place.extent[2];
    if (isRead) {
      copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
      copy.srcArray = place.array;
      copy.dstMemoryType = CU_MEMORYTYPE_HOST;
      copy.dstHost = bytes;
      copy.dstPitch = place.extent[0];
      copy.dstHeight = place.extent[1];
    } else {
      copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
      copy.dstArray = place.array;
      copy.srcMemoryType = CU_MEMORYTYPE_HOST;
      copy.srcHost = bytes;
      copy.srcPitch = place.extent[0];
      copy.srcHeight = place.extent[1];
    }
    return cuMemcpy3D_v2(&copy);
  }

  void reset() override {
    must(cuCtxSetCurrent(context_), "cuCtxSetCurrent");
    unsigned char value = 0;
    for (Place &place : places_) {
      for (unsigned char &byte : place.bytes) byte = value++ * 7 + 3;
      must(moveWhole(place, place.bytes.data(), false), "a copy to the whole");
    }
  }

  void compare() override {
    must(cuCtxSynchronize(), "cuCtxSynchronize");
    Bytes now;
    for (Place &place : places_) {
      now.resize(place.bytes.size());
      must(moveWhole(place, now.data(), true), "a copy of the whole");
      if (now != place.bytes)
        found("memory of kind " + std::to_string(int(place.kind)) + " and " + std::to_string(now.size()) +
              " bytes holds something else");
    }
  }

  // --- Copies of boxes ---

  Place &anyPlace(Choices &choices) { return places_[choices.below(places_.size())]; }
  Place &anyMemory(Choices &choices) { return places_[choices.below(5)]; }
  Place &anyArray(Choices &choices) { return places_[5 + choices.below(places_.size() - 5)]; }

  End anyEnd(Choices &choices, const Sizes &region) {
    End end;
    end.place = &anyPlace(choices);
    const Place &place = *end.place;
    const size_t whole = place.bytes.size();
    if (place.kind == Place::InArray) {
      end.type = CU_MEMORYTYPE_ARRAY;
      for (unsigned d = 0; d < 3; ++d) end.at[d] = choices.below(2) ? 0 : choices.size(place.extent[d]);
      return end;
    }
    end.address = place.base + (choices.below(2) ? 0 : choices.size(whole));
    end.pitch = choices.size(choices.below(2) ? 512 : whole, choices.below(2) ? 1 : std::max<size_t>(region[1], 1));
    end.height = choices.size(8, std::max<size_t>(end.pitch, 1));
    if (choices.below(2)) end.pitch = std::max<size_t>(end.pitch, region[0]);
    if (choices.below(2)) end.height = std::max<size_t>(end.height, region[1]);
    end.at[0] = choices.below(2) ? 0 : choices.size(64);
    end.at[1] = choices.below(2) ? 0 : choices.size(4, std::max<size_t>(end.pitch, 1));
    end.at[2] = choices.below(2) ? 0 : choices.size(2, std::max<size_t>(end.pitch * end.height, 1));
    if (choices.below(4)) end.pitch = std::max(end.pitch, region[0] + end.at[0]);
    const bool isInside = end.address - place.base < whole;
    end.type = place.kind == Place::Pageable       ? CU_MEMORYTYPE_HOST
               : isInside && choices.below(4) == 0 ? CU_MEMORYTYPE_UNIFIED
                                                   : CU_MEMORYTYPE_DEVICE;
    return end;
  }

  struct Judged {
    Answer answer = Answer::Accepted;
    bool maySkip = false;                          ///< only the caller can know
    size_t first = 0, row = 0, slice = 0, end = 0; ///< in the place's bytes, if it is not refused
  };

  Judged judge(const End &end, const Sizes &region, bool is3D) {
    const Place &place = *end.place;
    Judged result;
    const auto refused = [&] {
      result.answer = Answer::Refused;
      return result;
    };
    if (place.kind == Place::InArray) {
      const unsigned dimensions = is3D ? 3 : 2;
      for (unsigned d = 0; d < dimensions; ++d)
        if (Wide(end.at[d]) + region[d] > place.extent[d]) return refused();
      result.row = place.extent[0];
      result.slice = place.extent[0] * place.extent[1];
      result.first = end.at[0] + end.at[1] * result.row + (is3D ? end.at[2] : 0) * result.slice;
      result.end = result.first + (region[2] - 1) * result.slice + (region[1] - 1) * result.row + region[0];
      return result;
    }
    // "any pitch is greater than the maximum allowed (CU_DEVICE_ATTRIBUTE_MAX_PITCH)"
    if (end.pitch > maxPitch_) return refused();
    // "srcPitch must be greater than or equal to WidthInBytes + srcXInBytes"; of 0 the documents say nothing.
    Wide pitch = end.pitch;
    if (pitch == 0) {
      result.answer = Answer::Either;
      pitch = Wide(region[0]) + end.at[0];
    }
    if (pitch < Wide(region[0]) + end.at[0]) return refused();
    // "and srcHeight must be greater than or equal to Height + srcY"; otherwise slices overlap.
    Wide height = is3D ? Wide(end.height) : Wide(region[1]) + end.at[1];
    if (is3D && height < Wide(region[1]) + end.at[1]) {
      result.answer = Answer::Either;
      if (height == 0)
        height = Wide(region[1]) + end.at[1];
      else if (region[2] > 1 || end.at[2] > 0)
        result.maySkip = true;
    }
    const Wide slice = pitch * height;
    const Wide first = Wide(end.address) + end.at[0] + end.at[1] * pitch + (is3D ? end.at[2] : 0) * slice;
    // 128 bits hold three such factors only if they are small; what they do not hold is outside of everything.
    const bool isHuge = is3D && end.at[2] != 0 && slice > (~Wide(0) >> 2) / end.at[2];
    const bool isLong = slice != 0 && region[2] > (~Wide(0) >> 2) / slice;
    const Wide last = isLong ? ~Wide(0) : first + (region[2] - 1) * slice + (region[1] - 1) * pitch + region[0];
    const bool isInside = !isHuge && first >= place.base && last <= Wide(place.base) + place.bytes.size();
    if (!isInside) {
      // The host's memory is what the caller says that it is; what lies in another place may be right.
      if (place.kind == Place::Pageable) result.maySkip = true;
      if (!isHuge && !isLong && isInOtherPlace(first, last, place)) result.maySkip = true;
      return refused();
    }
    if (end.address - place.base >= place.bytes.size()) result.answer = Answer::Either;
    result.first = size_t(first - place.base);
    result.end = size_t(last - place.base);
    result.row = size_t(pitch);
    result.slice = size_t(slice);
    return result;
  }

  bool isInOtherPlace(Wide first, Wide last, const Place &except) const {
    return std::ranges::any_of(places_, [&](const Place &place) {
      return &place != &except && place.kind != Place::InArray && first < Wide(place.base) + place.bytes.size() &&
             last > place.base;
    });
  }

  void copyBox(Choices &choices, bool is3D) {
    Sizes region{choices.size(64), choices.size(8), is3D ? choices.size(3) : 1};
    if (choices.below(8))
      for (size_t &one : region) one = std::max<size_t>(one, 1);
    const End from = anyEnd(choices, region), to = anyEnd(choices, region);
    const bool isEmpty = !region[0] || !region[1] || !region[2];
    Judged a, b;
    if (!isEmpty) {
      a = judge(from, region, is3D);
      b = judge(to, region, is3D);
      if (a.maySkip || b.maySkip) return;
      const bool fits = a.answer != Answer::Refused && b.answer != Answer::Refused;
      // "If source and destination overlap, the result is undefined."
      if (fits && from.place == to.place && a.first < b.end && b.first < a.end) return;
    }
    const CUresult result = is3D ? call3D(from, to, region) : call2D(from, to, region);
    Answer expected = Answer::Accepted;
    if (isEmpty || a.answer == Answer::Either || b.answer == Answer::Either) expected = Answer::Either;
    if (!isEmpty && (a.answer == Answer::Refused || b.answer == Answer::Refused)) expected = Answer::Refused;
    if (!check(expected, result, is3D ? "cuMemcpy3D" : "cuMemcpy2D") || isEmpty) return;
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        std::memcpy(to.place->bytes.data() + b.first + z * b.slice + y * b.row,
                    from.place->bytes.data() + a.first + z * a.slice + y * a.row, region[0]);
  }
  void copy2D(Choices &choices) { copyBox(choices, false); }
  void copy3D(Choices &choices) { copyBox(choices, true); }

  static CUresult call2D(const End &from, const End &to, const Sizes &region) {
    CUDA_MEMCPY2D c{};
    c.srcXInBytes = from.at[0];
    c.srcY = from.at[1];
    c.srcMemoryType = from.type;
    c.srcHost = reinterpret_cast<const void *>(from.address);
    c.srcDevice = from.address;
    c.srcArray = from.place->array;
    c.srcPitch = from.pitch;
    c.dstXInBytes = to.at[0];
    c.dstY = to.at[1];
    c.dstMemoryType = to.type;
    c.dstHost = reinterpret_cast<void *>(to.address);
    c.dstDevice = to.address;
    c.dstArray = to.place->array;
    c.dstPitch = to.pitch;
    c.WidthInBytes = region[0];
    c.Height = region[1];
    return cuMemcpy2D_v2(&c);
  }
  static CUresult call3D(const End &from, const End &to, const Sizes &region) {
    CUDA_MEMCPY3D c{};
    c.srcXInBytes = from.at[0];
    c.srcY = from.at[1];
    c.srcZ = from.at[2];
    c.srcMemoryType = from.type;
    c.srcHost = reinterpret_cast<const void *>(from.address);
    c.srcDevice = from.address;
    c.srcArray = from.place->array;
    c.srcPitch = from.pitch;
    c.srcHeight = from.height;
    c.dstXInBytes = to.at[0];
    c.dstY = to.at[1];
    c.dstZ = to.at[2];
    c.dstMemoryType = to.type;
    c.dstHost = reinterpret_cast<void *>(to.address);
    c.dstDevice = to.address;
    c.dstArray = to.place->array;
    c.dstPitch = to.pitch;
    c.dstHeight = to.height;
    c.WidthInBytes = region[0];
    c.Height = region[1];
    c.Depth = region[2];
    return cuMemcpy3D_v2(&c);
  }

  // --- Copies and fills of rows ---

  void copyLinear(Choices &choices) {
    Place &from = anyMemory(choices), &to = anyMemory(choices);
    const size_t fromOffset = choices.size(from.bytes.size()), toOffset = choices.size(to.bytes.size());
    const size_t size = choices.size(std::min(from.bytes.size(), to.bytes.size()));
    const bool fromFits = Wide(fromOffset) + size <= from.bytes.size(),
               toFits = Wide(toOffset) + size <= to.bytes.size();
    // What is outside may be another place, or the host's, of which only the caller knows.
    const auto isOpen = [&](const Place &place, size_t offset, bool fits) {
      const uint64_t begin = place.base + offset;
      return !fits && (place.kind == Place::Pageable || begin - place.base >= place.bytes.size() ||
                       isInOtherPlace(begin, Wide(begin) + size, place));
    };
    if (isOpen(from, fromOffset, fromFits) || isOpen(to, toOffset, toFits)) return;
    const bool fits = fromFits && toFits;
    if (fits && &from == &to && fromOffset < toOffset + size && toOffset < fromOffset + size) return;
    const uint64_t source = from.base + fromOffset, target = to.base + toOffset;
    const bool fromDevice = from.kind != Place::Pageable, toDevice = to.kind != Place::Pageable;
    CUresult result = CUDA_SUCCESS;
    if (choices.below(2))
      result = cuMemcpy(target, source, size);
    else if (fromDevice && toDevice)
      result = cuMemcpyDtoD_v2(target, source, size);
    else if (toDevice)
      result = cuMemcpyHtoD_v2(target, reinterpret_cast<const void *>(source), size);
    else if (fromDevice)
      result = cuMemcpyDtoH_v2(reinterpret_cast<void *>(target), source, size);
    else
      return;
    const Answer expected = size == 0 ? Answer::Either : fits ? Answer::Accepted : Answer::Refused;
    if (check(expected, result, "a copy") && size)
      std::memcpy(to.bytes.data() + toOffset, from.bytes.data() + fromOffset, size);
  }

  void copyRow(Choices &choices) {
    Place &array = anyArray(choices);
    const size_t offset = choices.size(array.extent[0]), size = choices.size(array.extent[0]);
    const bool fits = Wide(offset) + size <= array.extent[0];
    // Whether a row may be passed is not said.
    const Answer expected = size == 0                                  ? Answer::Either
                            : fits                                     ? Answer::Accepted
                            : Wide(offset) + size > array.bytes.size() ? Answer::Refused
                                                                       : Answer::Either;
    if (!fits && expected == Answer::Either) return;
    Bytes buffer(fits ? size : 1, static_cast<unsigned char>(offset + 1));
    if (choices.below(2)) {
      if (check(expected, cuMemcpyHtoA_v2(array.array, offset, buffer.data(), size), "cuMemcpyHtoA") && size)
        std::memcpy(array.bytes.data() + offset, buffer.data(), size);
    } else if (check(expected, cuMemcpyAtoH_v2(buffer.data(), array.array, offset, size), "cuMemcpyAtoH") && size) {
      if (std::memcmp(buffer.data(), array.bytes.data() + offset, size) != 0)
        found("an array's row holds something else");
    }
  }

  void fill(Choices &choices) {
    Place &place = places_[choices.below(4)];
    const size_t element = size_t(1) << choices.below(3);
    size_t offset = choices.size(place.bytes.size());
    if (choices.below(4)) offset -= offset % element;
    const bool is2D = choices.below(2);
    const size_t width = choices.size(place.bytes.size(), element), height = is2D ? choices.size(8) : 1;
    size_t pitch = is2D ? choices.size(place.bytes.size(), std::max<size_t>(height, 1)) : 0;
    if (choices.below(4)) pitch -= pitch % element;
    const uint64_t address = place.base + offset;
    const Wide bytes = Wide(width) * element;
    const bool isEmpty = width == 0 || height == 0;
    const Wide size = isEmpty ? 0 : Wide(pitch) * (height - 1) + bytes;
    Answer expected = Answer::Accepted;
    if (isEmpty || (is2D && pitch % element != 0) || (is2D && height == 1 && pitch < bytes)) expected = Answer::Either;
    if (!isEmpty) {
      if (isInOtherPlace(address, address + size, place)) return;
      if (address % element != 0 || (height > 1 && pitch < bytes) || offset >= place.bytes.size() ||
          size > place.bytes.size() - offset)
        expected = Answer::Refused;
    }
    const uint32_t value = 0x11223344u + uint32_t(choices.byte()) * 0x01010101u;
    CUresult result = CUDA_SUCCESS;
    if (is2D)
      result = element == 1   ? cuMemsetD2D8_v2(address, pitch, static_cast<unsigned char>(value), width, height)
               : element == 2 ? cuMemsetD2D16_v2(address, pitch, static_cast<unsigned short>(value), width, height)
                              : cuMemsetD2D32_v2(address, pitch, value, width, height);
    else
      result = element == 1   ? cuMemsetD8_v2(address, static_cast<unsigned char>(value), width)
               : element == 2 ? cuMemsetD16_v2(address, static_cast<unsigned short>(value), width)
                              : cuMemsetD32_v2(address, value, width);
    if (!check(expected, result, "a fill") || isEmpty) return;
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < size_t(bytes); ++x)
        place.bytes[offset + y * pitch + x] = static_cast<unsigned char>(value >> (x % element * 8));
  }

  // --- Allocations ---

  /// Its last byte is memory of its own.
  static void touch(uint64_t last) { must(cuMemsetD8_v2(last, 1, 1), "a fill of the last byte"); }

  void allocate(Choices &choices) {
    const size_t size = choices.size(total_);
    const auto expected = [&](Wide bytes) {
      return bytes == 0 || bytes > total_ ? Answer::Refused : bytes > (1 << 20) ? Answer::Either : Answer::Accepted;
    };
    CUdeviceptr pointer = 0;
    void *host = nullptr;
    switch (choices.below(4)) {
    case 0:
      if (!check(expected(size), cuMemAlloc_v2(&pointer, size), "cuMemAlloc")) return;
      touch(pointer + size - 1);
      must(cuMemFree_v2(pointer), "cuMemFree");
      break;
    case 1:
      if (!check(expected(size), cuMemAllocManaged(&pointer, size, CU_MEM_ATTACH_GLOBAL), "cuMemAllocManaged")) return;
      touch(pointer + size - 1);
      must(cuMemFree_v2(pointer), "cuMemFree");
      break;
    case 2:
      if (size == 0 || !check(expected(size) == Answer::Refused ? Answer::Either : expected(size),
                              cuMemHostAlloc(&host, size, 0), "cuMemHostAlloc"))
        return;
      static_cast<char *>(host)[size - 1] = 1;
      must(cuMemFreeHost(host), "cuMemFreeHost");
      break;
    default: {
      const size_t height = choices.size(64, std::max<size_t>(size, 1));
      size_t pitch = 0;
      if (!check(expected(Wide(size) * height), cuMemAllocPitch_v2(&pointer, &pitch, size, height, 4),
                 "cuMemAllocPitch"))
        return;
      if (pitch < size) found("cuMemAllocPitch gives a pitch less than a row");
      touch(pointer + (height - 1) * pitch + size - 1);
      must(cuMemFree_v2(pointer), "cuMemFree");
      break;
    }
    }
  }

  static CUDA_ARRAY3D_DESCRIPTOR anyDescription(Choices &choices) {
    static constexpr CUarray_format kFormats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT,
                                                  CUarray_format(31)};
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Format = kFormats[choices.below(16) ? choices.below(3) : 3];
    d.NumChannels = choices.below(8) ? 1u << choices.below(3) : choices.byte();
    d.Flags = choices.below(2) ? 0 : choices.byte() & (choices.below(8) ? 0x2f : 0xff);
    const size_t element = d.NumChannels * 4;
    d.Width = choices.size(choices.below(2) ? 64 : 32768, element);
    d.Height = choices.below(4) ? choices.size(16, std::max<size_t>(d.Width * element, 1)) : 0;
    d.Depth = choices.below(2) ? choices.size(6, std::max<size_t>(d.Width * d.Height * element, 1)) : 0;
    return d;
  }

  /// The last byte of an array that was made is its own.
  void touchArray(CUarray array, const CUDA_ARRAY3D_DESCRIPTOR &d) {
    const size_t channel = d.Format == CU_AD_FORMAT_UNSIGNED_INT8 ? 1 : d.Format == CU_AD_FORMAT_HALF ? 2 : 4;
    const size_t height = std::max<size_t>(d.Height, 1), depth = std::max<size_t>(d.Depth, 1);
    const Wide size = Wide(d.Width) * channel * d.NumChannels * height * depth;
    if (size > total_) found("an array is larger than the device");
    unsigned char byte = 1, back = 0;
    CUDA_MEMCPY3D c{};
    c.dstXInBytes = d.Width * channel * d.NumChannels - 1;
    c.dstY = height - 1;
    c.dstZ = depth - 1;
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    c.dstArray = array;
    c.srcMemoryType = CU_MEMORYTYPE_HOST;
    c.srcHost = &byte;
    c.srcPitch = c.srcHeight = c.WidthInBytes = c.Height = c.Depth = 1;
    must(cuMemcpy3D_v2(&c), "a copy to the last byte of an array");
    std::swap(c.dstXInBytes, c.srcXInBytes);
    std::swap(c.dstY, c.srcY);
    std::swap(c.dstZ, c.srcZ);
    c.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    c.srcArray = array;
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = &back;
    c.dstPitch = c.dstHeight = 1;
    must(cuMemcpy3D_v2(&c), "a copy from the last byte of an array");
    if (back != byte) found("the last byte of an array is lost");
  }

  void newArray(Choices &choices) {
    const CUDA_ARRAY3D_DESCRIPTOR d = anyDescription(choices);
    CUarray array = nullptr;
    if (!check(d.Width == 0 ? Answer::Refused : Answer::Either, cuArray3DCreate_v2(&array, &d), "cuArray3DCreate"))
      return;
    CUDA_ARRAY3D_DESCRIPTOR back{};
    must(cuArray3DGetDescriptor_v2(&back, array), "cuArray3DGetDescriptor");
    if (back.Width != d.Width || back.Height != d.Height || back.Depth != d.Depth) found("an array has another size");
    touchArray(array, d);
    must(cuArrayDestroy(array), "cuArrayDestroy");
  }

  void newMipmaps(Choices &choices) {
    const CUDA_ARRAY3D_DESCRIPTOR d = anyDescription(choices);
    const auto levels = unsigned(choices.size(12));
    CUmipmappedArray array = nullptr;
    if (!check(d.Width == 0 || levels == 0 ? Answer::Refused : Answer::Either,
               cuMipmappedArrayCreate(&array, &d, levels), "cuMipmappedArrayCreate"))
      return;
    CUarray level = nullptr;
    must(cuMipmappedArrayGetLevel(&level, array, 0), "cuMipmappedArrayGetLevel");
    touchArray(level, d);
    if (cuMipmappedArrayGetLevel(&level, array, std::max(levels, 64u)) == CUDA_SUCCESS)
      found("a level that there is not");
    must(cuMipmappedArrayDestroy(array), "cuMipmappedArrayDestroy");
  }

  void registerHost(Choices &choices) {
    const size_t offset = choices.size(kHost) % kHost, size = choices.size(kHost - offset);
    const uint64_t begin = reinterpret_cast<uint64_t>(host_.data()) + offset;
    const bool wraps = begin + size < begin, fits = size <= kHost - offset;
    if (!wraps && !fits) return; // the caller answers for its memory
    const Answer expected = size == 0 || wraps ? Answer::Refused : Answer::Accepted;
    if (!check(expected, cuMemHostRegister_v2(host_.data() + offset, size, 0), "cuMemHostRegister")) return;
    must(cuMemHostUnregister(host_.data() + offset), "cuMemHostUnregister");
  }

  // --- Queries ---

  void managedRange(Choices &choices) {
    const Place &place = places_[2];
    const size_t offset = choices.size(place.bytes.size()), count = choices.size(place.bytes.size());
    const uint64_t address = place.base + offset;
    const bool fits = Wide(offset) + count <= place.bytes.size() && count != 0;
    const Answer expected = fits ? Answer::Either : Answer::Refused;
    if (!fits && isInOtherPlace(address, Wide(address) + count, place)) return;
    const auto choice = choices.byte();
    switch (choices.below(4)) {
    case 0:
      check(expected, cuMemAdvise(address, count, CUmem_advise(choice % 8), 0), "cuMemAdvise");
      break;
    case 1:
      check(expected, cuMemPrefetchAsync(address, count, choice % 2 ? CU_DEVICE_CPU : 0, nullptr),
            "cuMemPrefetchAsync");
      break;
    case 2: {
      Bytes data(choices.below(40));
      check(expected,
            cuMemRangeGetAttribute(data.data(), data.size(), CUmem_range_attribute(choice % 12), address, count),
            "cuMemRangeGetAttribute");
      break;
    }
    default: {
      const size_t number = choices.below(4);
      std::vector<Bytes> data(number);
      std::vector<void *> pointers;
      std::vector<size_t> sizes;
      std::vector<CUmem_range_attribute> attributes;
      for (Bytes &one : data) {
        one.resize(choices.below(40));
        pointers.push_back(one.data());
        sizes.push_back(one.size());
        attributes.push_back(CUmem_range_attribute(choices.below(12)));
      }
      check(expected, cuMemRangeGetAttributes(pointers.data(), sizes.data(), attributes.data(), number, address, count),
            "cuMemRangeGetAttributes");
      break;
    }
    }
  }

  void texture(Choices &choices) {
    const Place &place = places_[choices.below(4)];
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC description{};
    const CUdeviceptr address = place.base + (choices.below(2) ? 0 : choices.size(place.bytes.size()));
    const auto format = choices.below(4) ? CU_AD_FORMAT_FLOAT : CUarray_format(choices.below(64));
    const unsigned channels = choices.below(4) ? 1 : choices.byte();
    if (choices.below(2)) {
      resource.resType = CU_RESOURCE_TYPE_LINEAR;
      resource.res.linear = {address, format, channels, choices.size(place.bytes.size(), 16)};
    } else {
      resource.resType = CU_RESOURCE_TYPE_PITCH2D;
      resource.res.pitch2D = {
          address, format, channels, choices.size(64, 16), choices.size(16, 64), choices.size(512, 16)};
    }
    CUtexObject object = 0;
    if (cuTexObjectCreate(&object, &resource, &description, nullptr) == CUDA_SUCCESS)
      must(cuTexObjectDestroy(object), "cuTexObjectDestroy");
  }

  void pointerFacts(Choices &choices) {
    const Place &place = anyMemory(choices);
    const CUdeviceptr address = place.base + choices.size(place.bytes.size());
    uint64_t data[8][4] = {};
    void *pointers[8];
    CUpointer_attribute attributes[8];
    const auto count = unsigned(choices.below(8));
    for (unsigned i = 0; i < 8; ++i) {
      pointers[i] = data[i];
      attributes[i] = CUpointer_attribute(choices.below(24));
    }
    (void)cuPointerGetAttributes(count, attributes, pointers, address);
    CUdeviceptr base = 0;
    size_t size = 0;
    if (cuMemGetAddressRange_v2(&base, &size, address) == CUDA_SUCCESS && (address < base || address - base >= size))
      found("an address lies outside of its allocation");
  }

  CUcontext context_ = nullptr;
  std::vector<Place> places_; ///< two of the device, managed, pinned, pageable, then arrays
  Bytes host_;
  size_t maxPitch_ = 0, total_ = 0, allocatedPitch_ = 0;
};

} // namespace

Model &model() {
  static auto &world = *new World;
  return world;
}

} // namespace us::fuzz
