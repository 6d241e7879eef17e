// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/neighbors.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <mutex>
#include <string_view>

namespace us::cuda {
namespace {

/// Folders of distributions have everybody's libraries: what is the driver's is known by its name.
bool isDriversName(std::string_view name) {
  constexpr std::array<std::string_view, 4> kBeginnings{"libnvidia-", "libnvcuvid.", "libnvoptix.", "libcudadebugger."};
  return std::ranges::any_of(kBeginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
}

std::string driverBeside(std::string_view library) {
  const size_t end = library.find_last_of('/');
  if (end == std::string_view::npos || !isDriversName(library.substr(end + 1))) return {};
  const std::string driver = std::string(library.substr(0, end)) + "/libcuda.so.1";
  char *const real = realpath(driver.c_str(), nullptr);
  if (!real) return {};
  std::string path = real;
  std::free(real);
  return path;
}

/// A library that was loaded, and where: another one may come to be described at the same address later.
struct Place {
  const void *map = nullptr, *begin = nullptr;
  bool operator==(const Place &) const = default;
  auto operator<=>(const Place &) const = default;
};

const std::string &rememberedDriverOf(const Place &place, const link_map *map) {
  static std::mutex mutex;
  static auto &drivers = *new std::map<Place, std::string>; // guarded by it; what is in it stays
  std::lock_guard hold(mutex);
  if (const auto found = drivers.find(place); found != drivers.end()) return found->second;
  return drivers.emplace(place, driverBeside(map->l_name ? map->l_name : "")).first->second;
}

} // namespace

const std::string &driverOfNeighbor(const void *code) {
  static const auto &none = *new std::string;
  dl_find_object object;
  if (_dl_find_object(const_cast<void *>(code), &object) != 0 || !object.dlfo_link_map) return none;
  const Place place{object.dlfo_link_map, object.dlfo_map_start};
  // Calls come from few libraries, and mostly from the one before.
  thread_local constinit Place last;
  thread_local constinit const std::string *lastDriver = nullptr;
  if (!lastDriver || place != last) {
    lastDriver = &rememberedDriverOf(place, object.dlfo_link_map);
    last = place;
  }
  return *lastDriver;
}

} // namespace us::cuda
