// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/nvrtc/shipped_headers.h"

#include "runtime/base/file.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
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

} // namespace

std::string shippedHeadersPath(const std::string &toolkit, unsigned release) {
  return toolkit + "/device/headers_" + std::to_string(release) + ".pch.zst";
}

std::string packed(const ShippedHeaders &headers) {
  std::string text;
  for (const std::vector<std::string> *const lines : {&headers.identifiers, &headers.files}) {
    for (const std::string &line : *lines) text += line + '\n';
    text += '\n';
  }
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
  size_t begin = 0;
  // Each list ends with an empty line.
  for (std::vector<std::string> *const lines : {&headers->identifiers, &headers->files})
    for (;;) {
      const size_t end = text.find('\n', begin);
      if (end == std::string::npos) return nullptr;
      std::string line = text.substr(begin, end - begin);
      begin = end + 1;
      if (line.empty()) break;
      lines->push_back(std::move(line));
    }
  headers->content = text.substr(begin);
  return headers;
}

std::shared_ptr<const ShippedHeaders> shippedHeadersFor(const frontend::cuda::CompileInput &input) {
  static std::mutex mutex; // guards what follows
  static auto &path = *new std::string;
  static auto &headers = *new std::shared_ptr<const ShippedHeaders>;
  if (!isOfFamily(input.architecture) || !isOrdinary(input.options)) return nullptr;
  std::scoped_lock lock(mutex);
  if (std::string wanted = shippedHeadersPath(input.toolkit, input.release.major); wanted != path) {
    const Expected<std::string> bytes = readFile(wanted);
    headers = bytes ? unpacked(*bytes) : nullptr;
    path = std::move(wanted);
  }
  if (!headers || !meanNothingTo(*headers, input.options) || hidesOneOf(*headers, input)) return nullptr;
  return headers;
}

} // namespace us::nvrtc
