// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/cuda_libraries.h"

#include "runtime/base/file.h"
#include "runtime/base/list_text.h"
#include "runtime/forward/loader/driver_library.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace us::forward {
namespace {

constexpr std::string_view kName = "libcuda.so.1";

// The cache as glibc has written it since 2.2: a head, entries, and the strings that they point to, from its beginning.
constexpr std::string_view kCacheMagic = "glibc-ld.so.cache1.1";
struct CacheHead {
  char magic[20];
  uint32_t entries, stringBytes;
  uint32_t unused[5];
};
struct CacheEntry {
  uint32_t flags, name, path, unused;
  uint64_t capabilities;
};
/// A library for this machine's programs; other ones of the same name may be for programs of 32 bits.
constexpr uint32_t kIsOurMachines = 0x0303;
static_assert(sizeof(CacheHead) == 48 && sizeof(CacheEntry) == 24);

std::string_view textAt(const std::string &cache, uint32_t offset) {
  if (offset >= cache.size()) return {};
  const size_t end = cache.find('\0', offset);
  return end == std::string::npos ? std::string_view() : std::string_view(cache).substr(offset, end - offset);
}

void addFolder(std::vector<std::string> &paths, std::string_view folder) {
  // An empty entry is the folder one happens to be in, and so is every relative one: nobody's driver is there.
  if (folder.starts_with('/')) paths.push_back(std::string(folder) + "/" + std::string(kName));
}

} // namespace

CudaPlaces cudaPlaces() {
  CudaPlaces places;
  if (const char *path = secure_getenv("LD_LIBRARY_PATH")) places.libraryPath = path;
  places.folders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
                    "/usr/local/nvidia/lib64", // containers
                    "/usr/lib/wsl/lib",        // Linux on Windows
                    "/run/opengl-driver/lib",  // NixOS
                    "/usr/local/cuda/compat"}; // a newer driver's user side over an older kernel's
  places.own = ownLibraries();
  return places;
}

std::vector<std::string> pathsInLoaderCache(const std::string &cache, std::string_view name) {
  const std::string bytes = readFile(cache).value_or("");
  CacheHead head{};
  // An older form may stand before it.
  const size_t begin = bytes.find(kCacheMagic);
  if (begin == std::string::npos || bytes.size() - begin < sizeof head) return {};
  const std::string part = bytes.substr(begin);
  std::memcpy(&head, part.data(), sizeof head);
  const size_t most = (part.size() - sizeof head) / sizeof(CacheEntry);
  std::vector<std::string> paths;
  for (size_t i = 0; i < std::min<size_t>(head.entries, most); ++i) {
    CacheEntry entry{};
    std::memcpy(&entry, part.data() + sizeof head + i * sizeof entry, sizeof entry);
    if (entry.flags == kIsOurMachines && textAt(part, entry.name) == name) paths.emplace_back(textAt(part, entry.path));
  }
  return paths;
}

std::vector<Candidate> cudaDrivers(const CudaPlaces &places) {
  std::vector<std::string> paths;
  for (std::string_view rest = places.libraryPath; !rest.empty();) addFolder(paths, takeItem(rest, ":;"));
  for (std::string &path : pathsInLoaderCache(places.loaderCache, kName)) paths.push_back(std::move(path));
  for (const std::string &folder : places.folders) addFolder(paths, folder);

  std::vector<Candidate> found;
  std::vector<std::string> known = places.own;
  for (const std::string &path : paths) {
    std::string identity = fileIdentity(path);
    if (identity.empty() || std::ranges::find(known, identity) != known.end()) continue;
    known.push_back(std::move(identity));
    // What it points to says its version, and is what the dynamic linker cannot take for us, who have the same name.
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    found.push_back({{}, error ? path : real.string(), {}});
  }
  return found;
}

bool isCudaItem(std::string_view item) {
  return item == "cuda" || item.substr(item.find_last_of('/') + 1).starts_with("libcuda.so");
}

std::vector<Candidate> namedCudaDrivers(std::string_view list, const CudaPlaces &places) {
  std::vector<Candidate> found;
  while (!list.empty()) {
    const std::string item(takeItem(list, ","));
    if (!isCudaItem(item)) continue;
    if (item == "cuda")
      std::ranges::move(cudaDrivers(places), std::back_inserter(found));
    else if (item.starts_with('/'))
      found.push_back({{}, item, {}});
    else
      // The dynamic linker would find ours under that name.
      found.push_back({{}, item, "is named without its folder"});
  }
  return found;
}

} // namespace us::forward
