// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/nvrtc/shipped_headers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <zstd.h>

namespace us::nvrtc {
namespace {

constexpr int kLevel = 19; ///< read often, written once
constexpr size_t kMost = 64 << 20;

bool isOfFamily(const frontend::cuda::Architecture &architecture) {
  return architecture.number / 10 == kShippedFamily && architecture.suffix.empty();
}

/// Whether device code is as the headers were precompiled for, options for Clang aside. What is not compared here says
/// nothing about headers.
bool isOrdinary(const frontend::cuda::CodeOptions &options) {
  frontend::cuda::CodeOptions ordinary{.withoutHost = true};
  ordinary.clang = options.clang;
  ordinary.maxRegisters = options.maxRegisters;
  ordinary.relocatable = options.relocatable;
  ordinary.lineInfo = options.lineInfo;
  ordinary.noWarnings = options.noWarnings;
  ordinary.deviceByDefault = options.deviceByDefault;
  return options == ordinary;
}

/// Whether a header of a folder, or of memory, stands before one of these.
bool hidesOneOf(const ShippedHeaders &headers, const frontend::cuda::CompileInput &input) {
  const auto has = [&](const std::string &name) {
    return std::ranges::any_of(input.headers, [&](const NamedText &header) { return header.name == name; });
  };
  if (std::ranges::any_of(headers.files, has)) return true;
  std::error_code error;
  return std::ranges::any_of(input.options.clang, [&](const std::string &option) {
    const std::filesystem::path folder = option.starts_with("-I") ? option.substr(2) : "";
    if (folder.empty() || std::filesystem::equivalent(folder, input.toolkit + "/include", error)) return false;
    return std::ranges::any_of(headers.files,
                               [&](const std::string &name) { return std::filesystem::exists(folder / name, error); });
  });
}

/// Whether the options for Clang are folders, and macros that the headers do not mention.
bool meanNothingTo(const ShippedHeaders &headers, const frontend::cuda::CodeOptions &options) {
  const auto mentions = [&](const std::string &name) { return std::ranges::binary_search(headers.identifiers, name); };
  if (options.relocatable && mentions("__CUDACC_RDC__")) return false;
  return std::ranges::all_of(options.clang, [&](const std::string &option) {
    if (option.starts_with("-I")) return true;
    return option.starts_with("-D") && !mentions(option.substr(2, option.find_first_of("=(", 2) - 2));
  });
}

std::shared_ptr<const ShippedHeaders> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return unpacked(bytes);
}

} // namespace

std::string shippedHeadersPath(const std::string &toolkit, unsigned release) {
  return toolkit + "/device/headers_" + std::to_string(release) + ".pch.zst";
}

std::string packed(const ShippedHeaders &headers) {
  std::string text = std::to_string(headers.identifiers.size()) + ' ' + std::to_string(headers.files.size()) + '\n';
  for (const std::vector<std::string> *lines : {&headers.identifiers, &headers.files})
    for (const std::string &line : *lines) text += line + '\n';
  text += headers.content;
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), kLevel));
  return bytes;
}

std::shared_ptr<const ShippedHeaders> unpacked(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMost) return nullptr;
  std::string text(size, '\0');
  if (ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size()) != text.size()) return nullptr;
  const auto headers = std::make_shared<ShippedHeaders>();
  size_t identifiers = 0, files = 0;
  std::istringstream lines(text);
  std::string line;
  if (!(lines >> identifiers >> files) || !std::getline(lines, line)) return nullptr;
  const auto fill = [&](std::vector<std::string> &list, size_t count) {
    while (list.size() < count && std::getline(lines, line)) list.push_back(line);
    return list.size() == count;
  };
  if (!fill(headers->identifiers, identifiers) || !fill(headers->files, files)) return nullptr;
  headers->content = text.substr(static_cast<size_t>(lines.tellg()));
  return headers;
}

std::shared_ptr<const ShippedHeaders> shippedHeadersFor(const frontend::cuda::CompileInput &input) {
  static std::mutex mutex; // guards what follows
  static auto &path = *new std::string;
  static auto &headers = *new std::shared_ptr<const ShippedHeaders>;
  if (!isOfFamily(input.architecture) || !isOrdinary(input.options)) return nullptr;
  std::scoped_lock lock(mutex);
  if (std::string wanted = shippedHeadersPath(input.toolkit, input.release.major); wanted != path) {
    headers = read(wanted);
    path = std::move(wanted);
  }
  if (!headers || !meanNothingTo(*headers, input.options) || hidesOneOf(*headers, input)) return nullptr;
  return headers;
}

} // namespace us::nvrtc
