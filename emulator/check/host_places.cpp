// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/host_places.h"

#include "emulator/check/source_lines.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <functional>
#include <link.h>
#include <span>
#include <string_view>

namespace us::check {
namespace {

constexpr size_t kMostPlaces = 8;

/// Sources that are not the program's own: those of the system, and packages that were installed.
bool isForeign(std::string_view file) {
  // What names no place on this machine was made elsewhere: the C library.
  return !file.starts_with("/") || file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.starts_with("<") || file.contains("/site-packages/") || file.contains("/dist-packages/");
}

/// It calls main(). Of a program without debug information its lines, which a distribution may have, say nothing.
bool isCLibrary(std::string_view object) { return object.substr(object.rfind('/') + 1).starts_with("libc.so"); }

std::vector<FoundPlace> placesOf(const std::vector<ScriptLine> &script) {
  std::vector<FoundPlace> places;
  for (const ScriptLine &one : script) places.push_back({{one.file, one.line, 0}, one.function, {}});
  return places;
}

std::vector<FoundPlace> placesOf(std::span<const uint64_t> returns, HostPlaces::Lines lines) {
  std::vector<FoundPlace> places;
  for (const uint64_t address : returns) {
    Dl_info info{};
    link_map *map = nullptr;
    void **const into = reinterpret_cast<void **>(&map);
    const uint64_t call = address - 1; // what is at the address may be of another line
    if (!dladdr1(reinterpret_cast<const void *>(call), &info, into, RTLD_DL_LINKMAP) || !map || !info.dli_fname)
      continue;
    // The program's own name is what it was called by.
    const std::string file = *map->l_name ? map->l_name : "/proc/self/exe";
    if (isCLibrary(file)) continue;
    for (abi::SourceLine &line : lines(file, call - map->l_addr))
      if (line.line) places.push_back({{std::move(line.file), line.line, 0}, std::move(line.function), {}});
  }
  return places;
}

} // namespace

const std::vector<FoundPlace> &HostPlaces::of(const CallSite &site) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = places_.find(&site); known != places_.end()) return known->second;
  }
  std::vector<FoundPlace> places = placesOf(site.script);
  if (places.empty() && lines_) places = placesOf(std::span(site.returns).subspan(site.between), lines_);
  const auto isOwn = [](const FoundPlace &one) { return !isForeign(one.place.file); };
  if (std::ranges::any_of(places, isOwn)) std::erase_if(places, std::not_fn(isOwn));
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  for (FoundPlace &place : places) {
    place.place.file = std::filesystem::path(place.place.file).lexically_normal();
    place.text = lineOfFile(place.place);
  }
  const std::scoped_lock lock(mutex_);
  return places_.try_emplace(&site, std::move(places)).first->second;
}

std::string HostPlaces::textOf(const CallSite &site) {
  const std::vector<FoundPlace> &places = of(site);
  return std::string(site.call) + (places.empty() ? " somewhere" : " at " + check::textOf(places.front()));
}

std::string textOf(const FoundPlace &place) {
  return place.place.file + ":" + std::to_string(place.place.line) +
         (place.function.empty() ? "" : ", in '" + place.function + "'");
}

} // namespace us::check
