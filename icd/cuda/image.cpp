// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/image.h"

#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/merge_ptx.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <iterator>
#include <lz4.h>
#include <optional>
#include <span>
#include <zstd.h>

namespace us::cuda {
namespace {

constexpr uint32_t kElf = 0x464c457f;        // "\x7f" "ELF"
constexpr uint32_t kFatbin = 0xba55ed50;     // the container itself
constexpr uint32_t kFatbinWrap = 0x466243b1; // what compilers put around it in a program

/// Longer than any text, shorter than what a damaged number says.
constexpr uint64_t kMostText = uint64_t(1) << 30, kMostImage = uint64_t(1) << 40;

/// The first four bytes, one by one: a short text may end before.
uint32_t magicOf(const unsigned char *bytes) {
  uint32_t magic = 0;
  for (unsigned i = 0; i < 4 && (i == 0 || bytes[i - 1] != 0); ++i) magic |= uint32_t(bytes[i]) << (8 * i);
  return magic;
}

/// PTX may begin with blanks and comments; what counts is that .version is its first word.
bool looksLikePtx(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("//") && !text.starts_with("/*")) break;
    const std::string_view closing = text.starts_with("//") ? "\n" : "*/";
    const size_t end = text.find(closing, 2);
    if (end == text.npos) return false;
    text.remove_prefix(end + closing.size());
  }
  // Text that begins like a directive is PTX, good or bad: its errors have lines and columns.
  return text.starts_with(".") || text.starts_with("version");
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

struct FatbinHeader {
  uint32_t magic;
  uint16_t version, headerSize;
  uint64_t size;
};
struct FatbinEntry {
  uint16_t kind, version;
  uint32_t headerSize;
  uint64_t size;
  uint32_t compressedSize, optionsOffset;
  uint16_t minor, major;
  uint32_t target, nameOffset, nameSize;
  uint64_t flags, reserved, uncompressedSize;
};
static_assert(sizeof(FatbinHeader) == 16 && sizeof(FatbinEntry) == 64);

template <class T> T valueAt(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Text of a container: its newest entry of the kind PTX.
Expected<std::string> ptxOfFatbin(std::string_view image) {
  const auto damaged = [](const char *what) {
    return fail(CUDA_ERROR_INVALID_IMAGE, format("the container is damaged: {}", what));
  };
  if (image.size() < sizeof(FatbinHeader)) return damaged("it has no header");
  const auto header = valueAt<FatbinHeader>(image, 0);
  if (header.headerSize < sizeof header || header.headerSize > image.size() ||
      header.size > image.size() - header.headerSize)
    return damaged("it ends before its entries do");
  const std::string_view entries = image.substr(header.headerSize, header.size);
  constexpr uint16_t kPtx = 1;
  constexpr uint64_t kLz4 = 0x2000, kZstd = 0x8000;
  std::optional<FatbinEntry> newest;
  std::string_view payload;
  for (size_t at = 0; entries.size() - at >= sizeof(FatbinEntry);) {
    const auto entry = valueAt<FatbinEntry>(entries, at);
    const size_t room = entries.size() - at;
    if (entry.headerSize < sizeof entry || entry.headerSize > room || entry.size > room - entry.headerSize)
      return damaged("an entry reaches past its end");
    if (entry.kind == kPtx && (!newest || entry.target > newest->target)) {
      newest = entry;
      payload = entries.substr(at + entry.headerSize, entry.size);
    }
    at += entry.headerSize + entry.size;
  }
  if (!newest)
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the container holds no PTX: build it with -code=compute_XX, or to PTX (nvcc -ptx)");
  std::string text;
  if (newest->flags & (kLz4 | kZstd)) {
    const bool fits = newest->compressedSize <= payload.size() && newest->uncompressedSize <= kMostText;
    const std::span packed(reinterpret_cast<const unsigned char *>(payload.data()), newest->compressedSize);
    if (!fits || !(newest->flags & kLz4 ? expandLz4 : expandZstd)(packed, text, newest->uncompressedSize))
      return damaged("its compressed PTX cannot be expanded");
  } else {
    text = payload;
  }
  text.resize(strnlen(text.data(), text.size()));
  return text;
}

/// What understudy-nvcc made; of several targets the newest.
Expected<std::string> ptxOfContainer(std::string_view image) {
  const std::optional<std::vector<PtxText>> texts = readPtxContainer(image);
  if (!texts || texts->empty())
    return fail(CUDA_ERROR_INVALID_IMAGE, "the container of PTX is damaged, or of another version");
  const auto newest = std::max_element(
      texts->begin(), texts->end(), [](const PtxText &a, const PtxText &b) { return a.architecture < b.architecture; });
  return std::string(newest->text);
}

/// An object of the host's, with device code in it or without.
bool isHostObject(std::string_view bytes) {
  constexpr Elf64_Half kMachineOfCubins = 190;
  return bytes.size() >= sizeof(Elf64_Ehdr) && bytes.starts_with(ELFMAG) &&
         valueAt<Elf64_Ehdr>(bytes, 0).e_machine != kMachineOfCubins;
}

/// How long an image in memory says it is; text ends with a zero.
Expected<std::string_view> wholeOf(const char *image) {
  uint64_t size = 0;
  if (isPtxContainer(image)) {
    size = valueAt<PtxContainerHeader>({image, sizeof(PtxContainerHeader)}, 0).size;
  } else if (magicOf(reinterpret_cast<const unsigned char *>(image)) == kFatbin) {
    const auto header = valueAt<FatbinHeader>({image, sizeof(FatbinHeader)}, 0);
    if (__builtin_add_overflow(header.size, header.headerSize, &size)) size = ~uint64_t(0);
  } else {
    return image;
  }
  if (size > kMostImage) return fail(CUDA_ERROR_INVALID_IMAGE, format("an image that says it has {} bytes", size));
  return std::string_view(image, size);
}

} // namespace

Expected<std::string> ptxOfFile(std::string_view bytes) {
  const std::string_view first = bytes.substr(0, 8);
  const uint32_t magic = first.size() < 4 ? 0 : magicOf(reinterpret_cast<const unsigned char *>(first.data()));
  if (first == kPtxContainerMagic) return ptxOfContainer(bytes);
  if (magic == kElf)
    return fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
                "the image is machine code of a real device (a cubin), which nobody else can "
                "run: build it to PTX instead (nvcc -ptx)");
  if (magic == kFatbin) return ptxOfFatbin(bytes);
  const std::string_view text = bytes.substr(0, bytes.find('\0'));
  if (!looksLikePtx(text)) return fail(CUDA_ERROR_INVALID_IMAGE, "the image is neither PTX nor a container of it");
  return std::string(text);
}

std::vector<std::string_view> containersIn(std::string_view bytes) {
  std::vector<std::string_view> containers;
  for (size_t at = bytes.find(kPtxContainerMagic); at != std::string_view::npos;
       at = bytes.find(kPtxContainerMagic, at + 1)) {
    if (bytes.size() - at < sizeof(PtxContainerHeader)) continue;
    const auto header = valueAt<PtxContainerHeader>(bytes, at);
    if (header.size > bytes.size() - at) continue;
    if (readPtxContainer(bytes.substr(at, header.size))) containers.push_back(bytes.substr(at, header.size));
  }
  return containers;
}

Expected<std::vector<std::string>> ptxsOfLinkerInput(std::string_view bytes) {
  std::vector<std::string> texts;
  if (isHostObject(bytes)) {
    for (const std::string_view container : containersIn(bytes)) {
      US_TRY(std::string text, ptxOfContainer(container));
      texts.push_back(std::move(text));
    }
    return texts;
  }
  US_TRY(std::string text, ptxOfFile(bytes));
  texts.push_back(std::move(text));
  return texts;
}

std::optional<std::vector<std::string>> ptxsOfArchive(std::string_view bytes) {
  const std::optional<std::vector<std::string_view>> members = archiveMembers(bytes);
  if (!members) return std::nullopt;
  std::vector<std::string> all;
  for (const std::string_view member : *members)
    if (Expected<std::vector<std::string>> texts = ptxsOfLinkerInput(member))
      std::ranges::move(*texts, std::back_inserter(all));
  return all;
}

Expected<std::string> ptxOf(const void *image) {
  if (!image) return fail(CUDA_ERROR_INVALID_VALUE, "the image is null");
  if (magicOf(static_cast<const unsigned char *>(image)) == kFatbinWrap) {
    // Clang puts PTX text itself behind the wrapper; another wrapper is never there.
    std::memcpy(&image, static_cast<const char *>(image) + 8, sizeof image);
    if (!image) return fail(CUDA_ERROR_INVALID_IMAGE, "the wrapper has nothing in it");
  }
  US_TRY(const std::string_view whole, wholeOf(static_cast<const char *>(image)));
  return ptxOfFile(whole);
}

} // namespace us::cuda
