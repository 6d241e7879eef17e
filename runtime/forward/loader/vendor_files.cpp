// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/vendor_files.h"

#include "runtime/base/list_text.h"
#include "runtime/forward/loader/cuda_libraries.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace us::forward {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".icd";
/// A vendor's file is one line: what is larger is something else.
constexpr size_t kLongestLine = 4096;

std::string textOf(const char *variable) {
  const char *text = secure_getenv(variable);
  return text ? text : "";
}

Candidate readVendorFile(const std::string &file) {
  std::ifstream in(file);
  if (!in) return {file, {}, std::string("cannot be read: ") + std::strerror(errno)};
  std::string line(kLongestLine + 1, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(in.gcount()));
  line.resize(std::min(line.size(), line.find_first_of(std::string_view("\n\0", 2))));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.pop_back();
  if (line.empty()) return {file, {}, "names no library"};
  if (line.size() > kLongestLine) return {file, {}, "is no vendor's file: its first line is too long"};
  return {file, line, {}};
}

/// Files of a folder that end in .icd, by name: the loaders differ in their order, and any is better than chance.
std::vector<Candidate> readFolder(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.ends_with(kEnding) && !name.starts_with('.')) files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  std::vector<Candidate> found;
  found.reserve(files.size());
  for (const std::string &file : files) found.push_back(readVendorFile(file));
  return found;
}

bool isFolder(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> split(std::string_view list, std::string_view separator) {
  std::vector<std::string> items;
  while (!list.empty())
    if (const std::string_view item = takeItem(list, separator); !item.empty()) items.emplace_back(item);
  return items;
}

} // namespace

VendorPlaces vendorPlaces() {
  VendorPlaces places;
  places.vendors = textOf("OCL_ICD_VENDORS");
  places.vendorPath = textOf("OPENCL_VENDOR_PATH");
  places.libraryList = textOf("OCL_ICD_FILENAMES");
  return places;
}

std::vector<Candidate> visibleDrivers(const VendorPlaces &places) {
  std::vector<Candidate> found;
  const std::string &vendors = places.vendors;
  if (vendors.empty())
    found = readFolder(places.vendorPath.empty() ? places.system : places.vendorPath);
  else if (isFolder(vendors))
    found = readFolder(vendors);
  else if (vendors.ends_with(kEnding))
    found.push_back(readVendorFile(vendors.contains('/') ? vendors : places.system + "/" + vendors));
  else
    found.push_back({{}, vendors, {}});
  for (std::string &library : split(places.libraryList, ":")) found.push_back({{}, std::move(library), {}});
  return found;
}

std::vector<Candidate> systemDrivers(const VendorPlaces &places) { return readFolder(places.system); }

std::vector<Candidate> namedDrivers(std::string_view list, const VendorPlaces &places) {
  std::vector<Candidate> found;
  for (const std::string &item : split(list, ",")) {
    if (isCudaItem(item)) continue;
    if (item.ends_with(kEnding) && item.contains('/')) {
      found.push_back(readVendorFile(item));
    } else if (item.contains('/') || item.contains(".so")) {
      found.push_back({{}, item, {}});
    } else {
      const std::string name = item.ends_with(kEnding) ? item : item + std::string(kEnding);
      std::string file = places.system + "/" + name;
      for (const std::string &folder : {places.vendors, places.vendorPath})
        if (std::error_code error; !folder.empty() && fs::exists(folder + "/" + name, error))
          file = folder + "/" + name;
      found.push_back(readVendorFile(file));
    }
  }
  return found;
}

} // namespace us::forward
