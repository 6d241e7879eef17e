// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `understudy-nvcc --cubin` and `--fatbin` write, and the CUDA module loader reads: PTX texts in one image. An
// image comes without a length, so it says its own. All numbers are little-endian:
//
//   header   char magic[8] = "USTDYPTX", u32 version = 1, u32 entries, u64 size of the whole image
//   entries  each u32 architecture (86 of sm_86), u32 flags, u64 offset from the image's start, u64 size without the
//   NUL texts    PTX, each followed by a NUL
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us {

constexpr std::string_view kPtxContainerMagic = "USTDYPTX";
constexpr uint32_t kPtxContainerVersion = 1;

enum PtxFlags : uint32_t {
  kPtxRelocatable = 1, ///< made to be linked with other modules (-rdc=true)
  kPtxDebug = 2,       ///< made for a debugger (-G)
};

struct PtxContainerHeader {
  char magic[8];
  uint32_t version, entries;
  uint64_t size;
};
struct PtxContainerEntry {
  uint32_t architecture, flags;
  uint64_t offset, size;
};

struct PtxText {
  uint32_t architecture, flags;
  std::string_view text; ///< a NUL follows it
};

/// Does an image begin like a container? Reads eight bytes at most, and no further than the first that differs.
inline bool isPtxContainer(const void *image) {
  return std::strncmp(static_cast<const char *>(image), kPtxContainerMagic.data(), kPtxContainerMagic.size()) == 0;
}

/// The texts of an image that isPtxContainer; nothing if it is of another version or its numbers do not fit together,
/// or the image is shorter than it says. They point into the image.
inline std::optional<std::vector<PtxText>> readPtxContainer(std::string_view image) {
  const char *bytes = image.data();
  PtxContainerHeader header;
  if (image.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes, sizeof(header));
  const uint64_t head = sizeof(header) + header.entries * uint64_t{sizeof(PtxContainerEntry)};
  if (header.version != kPtxContainerVersion || header.entries > 1024 || header.size < head ||
      header.size > image.size())
    return std::nullopt;
  std::vector<PtxText> texts;
  uint64_t end = head;
  for (uint32_t i = 0; i < header.entries; ++i) {
    PtxContainerEntry entry;
    std::memcpy(&entry, bytes + sizeof(header) + i * sizeof(entry), sizeof(entry));
    if (entry.offset < head || entry.offset >= header.size || entry.size >= header.size - entry.offset ||
        bytes[entry.offset + entry.size] != 0)
      return std::nullopt;
    texts.push_back({entry.architecture, entry.flags, {bytes + entry.offset, entry.size}});
    end = entry.offset + entry.size + 1;
  }
  if (end != header.size) return std::nullopt;
  return texts;
}

inline std::string writePtxContainer(std::span<const PtxText> texts) {
  PtxContainerHeader header = {{}, kPtxContainerVersion, static_cast<uint32_t>(texts.size()), 0};
  std::memcpy(header.magic, kPtxContainerMagic.data(), sizeof(header.magic));
  uint64_t offset = sizeof(header) + texts.size() * sizeof(PtxContainerEntry);
  std::string entries, bodies;
  for (const PtxText &text : texts) {
    const PtxContainerEntry entry = {text.architecture, text.flags, offset, text.text.size()};
    entries.append(reinterpret_cast<const char *>(&entry), sizeof(entry));
    bodies.append(text.text).push_back(0);
    offset += text.text.size() + 1;
  }
  header.size = offset;
  std::string image(reinterpret_cast<const char *>(&header), sizeof(header));
  return image + entries + bodies;
}

} // namespace us
