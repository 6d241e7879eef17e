// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA programs load and link: fatbins, containers, archives, PTX. There is no compiler here: a module fails when
// its text has been taken out, and a link when the texts have become one.
#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/include/cuda.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstring>
#include <lz4.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

namespace us::fuzz {
namespace {

constexpr uint32_t kFatbin = 0xba55ed50, kWrap = 0x466243b1;

/// As compilers write them.
struct FatbinHeader {
  uint32_t magic = kFatbin;
  uint16_t version = 1, headerSize = 16;
  uint64_t size = 0;
};
struct FatbinEntry {
  uint16_t kind = 1, version = 0x101;
  uint32_t headerSize = 64;
  uint64_t size = 0;
  uint32_t compressedSize = 0, optionsOffset = 0;
  uint16_t minor = 0, major = 8;
  uint32_t target = 80, nameOffset = 0, nameSize = 0;
  uint64_t flags = 0, reserved = 0, uncompressedSize = 0;
};
static_assert(sizeof(FatbinEntry) == 64);

template <class T> std::string bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

std::string entry(const std::string &text, uint64_t flags, uint32_t target) {
  FatbinEntry head;
  std::string payload = text;
  head.flags = flags;
  head.target = target;
  if (flags) {
    payload.resize(flags == 0x2000 ? size_t(LZ4_compressBound(int(text.size()))) : ZSTD_compressBound(text.size()));
    const size_t size =
        flags == 0x2000
            ? size_t(LZ4_compress_default(text.data(), payload.data(), int(text.size()), int(payload.size())))
            : ZSTD_compress(payload.data(), payload.size(), text.data(), text.size(), 1);
    payload.resize(size);
    head.compressedSize = uint32_t(size);
    head.uncompressedSize = text.size();
  }
  payload.resize((payload.size() + 7) / 8 * 8);
  head.size = payload.size();
  return bytesOf(head) + payload;
}

std::string fatbin(const std::string &entries) {
  FatbinHeader header;
  header.size = entries.size();
  return bytesOf(header) + entries;
}

std::string archive(const std::vector<std::string> &members) {
  std::string result = "!<arch>\n";
  for (const std::string &member : members) {
    std::string size = std::to_string(member.size());
    size.resize(10, ' ');
    result += "member/         0           0     0     644     " + size + "`\n" + member;
    if (member.size() % 2) result += '\n';
  }
  return result;
}

const std::string kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";
const std::string kKernel = kHead + ".visible .entry k(.param .u64 p)\n{\n  ret;\n}\n";
/// Not complete in itself, so that it is kept until the link.
const std::string kOpen = kHead + R"(.extern .func (.param .b32 r) f(.param .b32 a);
.global .align 4 .b32 same = 7;
.const .align 8 .b8 table[16] = {1, 2, 3};
.extern .shared .align 16 .b8 pool[];
.alias g, h;
.weak .func h() { ret; }
.visible .entry open(.param .u64 p) .maxntid 64 .maxnreg 32
{
  .local .align 8 .b8 depot[24];
  .reg .b32 %r<9>;
  { .param .b32 a; .param .b32 r; call (r), f, (a); }
  ret;
}
)";

struct Shared {
  CUcontext context = nullptr;
  Shared() {
    if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate_v2(&context, 0, 0) != CUDA_SUCCESS) found("no context");
  }
};

void loadFile(const std::string &image) {
  const int file = memfd_create("image", MFD_CLOEXEC);
  if (file < 0 || write(file, image.data(), image.size()) != ssize_t(image.size())) found("no file");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  CUmodule module = nullptr;
  if (cuModuleLoad(&module, path.c_str()) == CUDA_SUCCESS) (void)cuModuleUnload(module);
  close(file);
}

/// An image in memory says how long it is, and a program that gives one has as much; what is behind it is a page that
/// nobody may look at, or a NUL if it is text.
void loadMemory(std::string image) {
  uint32_t magic = 0;
  std::memcpy(&magic, image.data(), std::min(image.size(), sizeof magic));
  if (magic == kWrap) return; // its pointer is the program's
  if (magic == kFatbin && image.size() >= sizeof(FatbinHeader)) {
    FatbinHeader header;
    std::memcpy(&header, image.data(), sizeof header);
    if (header.headerSize > image.size()) return;
    header.size = std::min<uint64_t>(header.size, image.size() - header.headerSize);
    std::memcpy(image.data(), &header, sizeof header);
  } else if (image.starts_with(kPtxContainerMagic) && image.size() >= sizeof(PtxContainerHeader)) {
    PtxContainerHeader header;
    std::memcpy(&header, image.data(), sizeof header);
    header.size = std::min<uint64_t>(header.size, image.size());
    std::memcpy(image.data(), &header, sizeof header);
  } else {
    if (magic == kFatbin || image.starts_with(kPtxContainerMagic)) return; // shorter than what it begins with
    image.push_back('\0');
  }
  const auto exact = std::make_unique<char[]>(image.size());
  std::memcpy(exact.get(), image.data(), image.size());
  CUmodule module = nullptr;
  if (cuModuleLoadData(&module, exact.get()) == CUDA_SUCCESS) (void)cuModuleUnload(module);
}

void link(std::string_view first, std::string_view second, CUjitInputType type) {
  CUlinkState state = nullptr;
  if (cuLinkCreate_v2(0, nullptr, nullptr, &state) != CUDA_SUCCESS) found("no linker");
  for (const std::string_view image : {first, second}) {
    const auto exact = std::make_unique<char[]>(image.size());
    std::memcpy(exact.get(), image.data(), image.size());
    (void)cuLinkAddData_v2(state, type, exact.get(), image.size(), "image", 0, nullptr, nullptr);
  }
  void *image = nullptr;
  size_t size = 0;
  (void)cuLinkComplete(state, &image, &size);
  (void)cuLinkDestroy(state);
}

} // namespace

/// The first byte says how it is given.
std::vector<std::string> seeds() {
  const PtxText texts[] = {{80, kPtxRelocatable, kOpen}, {90, 0, kKernel}};
  const std::string mixed = entry(kKernel, 0, 70) + entry(kOpen, 0x8000, 80) + entry(kKernel, 0x2000, 60);
  const std::string images[] = {kKernel,
                                kOpen,
                                "/* a comment */ // another\n " + kOpen,
                                writePtxContainer(texts),
                                fatbin(mixed),
                                fatbin(entry(kOpen, 0, 80)),
                                fatbin(entry(kOpen, 0x2000, 80)),
                                fatbin(entry(kOpen, 0x8000, 80)),
                                archive({kOpen, fatbin(entry(kKernel, 0, 80)), "odd"}),
                                bytesOf(kWrap) + bytesOf(uint32_t(1)) + bytesOf(uint64_t(4096)) + bytesOf(uint64_t(0)) +
                                    kOpen,
                                "\x7f"
                                "ELF" +
                                    std::string(60, '\0')};
  std::vector<std::string> result;
  for (const std::string &image : images)
    for (const char how : {'\0', '\1', '\2', '\3', '\4', '\5', '\6'}) result.push_back(how + image);
  return result;
}

void run(std::string_view input) {
  static const auto &shared = *new Shared;
  if (input.empty()) return;
  if (cuCtxSetCurrent(shared.context) != CUDA_SUCCESS) found("no context");
  const std::string image(input.substr(1));
  switch (const unsigned how = static_cast<unsigned char>(input[0]) % 8) {
  case 0:
    return loadFile(image);
  case 1:
    return loadMemory(image);
  case 2: // two texts of which each has what the other declares
    return link(image, kOpen, CU_JIT_INPUT_PTX);
  default:
    return link(image, image, CUjitInputType(how - 3));
  }
}

bool damage(std::string &, Random &) { return false; }

} // namespace us::fuzz
