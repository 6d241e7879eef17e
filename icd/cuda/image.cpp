// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/image.h"

#include "runtime/base/ptx_container.h"

#include <algorithm>
#include <cstring>
#include <lz4.h>
#include <optional>
#include <span>
#include <zstd.h>

namespace us::cuda {
namespace {

constexpr uint32_t kElf = 0x464c457f;        // "\x7f" "ELF"
constexpr uint32_t kFatbin = 0xba55ed50;     // the container itself
constexpr uint32_t kFatbinWrap = 0x466243b1; // what compilers put around it in a program

/// PTX may begin with blanks and comments; what counts is that .version is its first word.
bool looksLikePtx(const char *text) {
  for (;;) {
    while (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n') ++text;
    if (text[0] == '/' && text[1] == '/') {
      while (*text != '\0' && *text != '\n') ++text;
    } else if (text[0] == '/' && text[1] == '*') {
      const char *end = std::strstr(text + 2, "*/");
      if (!end) return false;
      text = end + 2;
    } else {
      break;
    }
  }
  // Text that begins like a directive is PTX, good or bad: its errors have lines and columns.
  return *text == '.' || std::strncmp(text, "version", 7) == 0;
}

/// A block of LZ4, without a frame. False if it is damaged.
bool expandLz4(std::span<const unsigned char> from, std::string &into, size_t size) {
  into.resize(size);
  const int made =
      LZ4_decompress_safe(reinterpret_cast<const char *>(from.data()), into.data(), int(from.size()), int(size));
  return made >= 0 && size_t(made) == size;
}

bool expandZstd(std::span<const unsigned char> from, std::string &into, size_t size) {
  into.resize(size);
  return ZSTD_decompress(into.data(), size, from.data(), from.size()) == size;
}

/// Text of a container: its newest entry of the kind PTX.
Expected<std::string> ptxOfFatbin(const std::byte *container) {
  struct Header {
    uint32_t magic;
    uint16_t version, headerSize;
    uint64_t size;
  } header;
  std::memcpy(&header, container, sizeof header);
  struct Entry {
    uint16_t kind, version;
    uint32_t headerSize;
    uint64_t size;
    uint32_t compressedSize, optionsOffset;
    uint16_t minor, major;
    uint32_t target, nameOffset, nameSize;
    uint64_t flags, reserved, uncompressedSize;
  };
  static_assert(sizeof(Entry) == 64);
  constexpr uint16_t kPtx = 1;
  constexpr uint64_t kLz4 = 0x2000, kZstd = 0x8000, kMostText = uint64_t(1) << 30;
  std::optional<Entry> newest;
  const std::byte *payload = nullptr;
  for (uint64_t at = 0; header.size >= sizeof(Entry) && at <= header.size - sizeof(Entry);) {
    Entry entry;
    const std::byte *begin = container + header.headerSize + at;
    std::memcpy(&entry, begin, sizeof entry);
    if (entry.headerSize < sizeof(Entry) || entry.size > header.size - at - sizeof(Entry)) break;
    if (entry.kind == kPtx && (!newest || entry.target > newest->target)) {
      newest = entry;
      payload = begin + entry.headerSize;
    }
    at += entry.headerSize + entry.size;
  }
  if (!newest)
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the container holds no PTX: build it with -code=compute_XX, or to PTX (nvcc -ptx)");
  std::string text;
  if (newest->flags & (kLz4 | kZstd)) {
    const std::span packed(reinterpret_cast<const unsigned char *>(payload), newest->compressedSize);
    const bool whole = newest->compressedSize <= newest->size && newest->uncompressedSize <= kMostText &&
                       newest->compressedSize <= kMostText &&
                       (newest->flags & kLz4 ? expandLz4 : expandZstd)(packed, text, newest->uncompressedSize);
    if (!whole) return fail(CUDA_ERROR_INVALID_IMAGE, "the container's compressed PTX is damaged");
  } else {
    text.assign(reinterpret_cast<const char *>(payload), newest->size);
  }
  text.resize(strnlen(text.data(), text.size()));
  return text;
}

} // namespace

Expected<std::string> ptxOf(const void *image) {
  if (!image) return fail(CUDA_ERROR_INVALID_VALUE, "the image is null");
  if (isPtxContainer(image)) {
    // What understudy-nvcc made; of several targets the newest.
    const std::optional<std::vector<PtxText>> texts = readPtxContainer(image);
    if (!texts || texts->empty())
      return fail(CUDA_ERROR_INVALID_IMAGE, "the container of PTX is damaged, or of another version");
    const auto newest = std::max_element(texts->begin(), texts->end(), [](const PtxText &a, const PtxText &b) {
      return a.architecture < b.architecture;
    });
    return std::string(newest->text);
  }
  // Byte by byte: a short text may end before the fourth.
  const auto *bytes = static_cast<const unsigned char *>(image);
  uint32_t magic = 0;
  for (unsigned i = 0; i < 4 && (i == 0 || bytes[i - 1] != 0); ++i) magic |= uint32_t(bytes[i]) << (8 * i);
  if (magic == kElf)
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the image is machine code of a real device (a cubin), which nobody else can "
                "run: build it to PTX instead (nvcc -ptx)");
  if (magic == kFatbinWrap) {
    const void *inner = nullptr;
    std::memcpy(&inner, bytes + 8, sizeof inner);
    // Clang puts PTX text itself behind the wrapper.
    return ptxOf(inner);
  }
  if (magic == kFatbin) return ptxOfFatbin(reinterpret_cast<const std::byte *>(bytes));
  const auto *text = static_cast<const char *>(image);
  if (!looksLikePtx(text)) return fail(CUDA_ERROR_INVALID_IMAGE, "the image is neither PTX nor a container of it");
  return std::string(text);
}

} // namespace us::cuda
