// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/nvrtc/cache.h"

#include "runtime/base/cache_directory.h"
#include "runtime/base/options.h"
#include "runtime/base/private_folder.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <xxhash.h>

namespace us::nvrtc {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMagic = 0x31435452'4e5355ull; ///< changes with the layout
constexpr const char *kFolder = "nvrtc";
constexpr uint64_t kShrinkEvery = 64; ///< writes

std::string folderPath() {
  const std::string all = options().cache ? cacheDirectory(options()) : std::string();
  return all.empty() ? all : all + "/" + kFolder;
}

std::string nameOf(std::string_view key) {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return name;
}

class Writer {
public:
  void number(uint64_t value) { bytes_.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  std::string &bytes() { return bytes_; }

private:
  std::string bytes_;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    good_ = good_ && bytes_.size() >= sizeof value;
    if (!good_) return 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const uint64_t size = number();
    good_ = good_ && size <= bytes_.size();
    if (!good_) return {};
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  bool good() const { return good_; }
  bool atEnd() const { return good_ && bytes_.empty(); }

private:
  std::string_view bytes_;
  bool good_ = true;
};

std::string readAll(const Descriptor &file) {
  struct stat facts = {};
  if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  std::string content(static_cast<size_t>(facts.st_size), '\0');
  size_t have = 0;
  while (have < content.size()) {
    const ssize_t got = read(file.get(), content.data() + have, content.size() - have);
    if (got <= 0) return {};
    have += static_cast<size_t>(got);
  }
  return content;
}

std::string serialize(std::string_view key, const Cached &made) {
  Writer writer;
  writer.number(kMagic);
  writer.text(key);
  writer.text(made.log);
  writer.text(made.compiled.content);
  writer.number(made.compiled.loweredNames.size());
  for (const std::string &name : made.compiled.loweredNames) writer.text(name);
  writer.number(made.compiled.files.size());
  for (const auto &[path, state] : made.compiled.files) {
    writer.text(path);
    writer.number(state.exists);
    writer.number(state.size);
    writer.number(static_cast<uint64_t>(state.changed));
  }
  writer.number(XXH3_64bits(writer.bytes().data(), writer.bytes().size()));
  return std::move(writer.bytes());
}

/// Nothing: it is damaged, of another key, or a file changed.
std::optional<Cached> deserialize(std::string_view key, std::string_view bytes) {
  if (bytes.size() < sizeof(uint64_t)) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (Reader(bytes.substr(body.size())).number() != XXH3_64bits(body.data(), body.size())) return std::nullopt;
  Reader reader(body);
  if (reader.number() != kMagic || reader.text() != key) return std::nullopt;
  Cached made;
  made.log = reader.text();
  made.compiled.content = reader.text();
  for (uint64_t count = reader.number(); count > 0 && reader.good(); --count)
    made.compiled.loweredNames.push_back(reader.text());
  for (uint64_t count = reader.number(); count > 0 && reader.good(); --count) {
    const std::string path = reader.text();
    frontend::cuda::FileState state{.exists = reader.number() != 0};
    state.size = reader.number();
    state.changed = static_cast<int64_t>(reader.number());
    if (frontend::cuda::stateOf(path) != state) return std::nullopt;
    made.compiled.files.emplace(path, state);
  }
  return reader.atEnd() ? std::optional(std::move(made)) : std::nullopt;
}

/// Removes what was used longest ago until a tenth of the cache's size is left for this kind of entry.
void shrink(const std::string &folder) {
  struct Entry {
    fs::path path;
    uint64_t size;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone; // another process may remove it meanwhile
    Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (gone || !at->is_regular_file(gone)) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  const uint64_t limit = options().cacheSize / 10;
  if (total <= limit) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry &entry : entries) {
    if (total <= limit / 10 * 9) break;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

} // namespace

std::optional<Cached> findCached(std::string_view key) {
  const std::string path = folderPath();
  if (path.empty()) return std::nullopt;
  const Expected<PrivateFolder> folder = PrivateFolder::open(path);
  if (!folder) return std::nullopt;
  const Descriptor file = folder->fileToRead(nameOf(key));
  if (!file) return std::nullopt;
  std::optional<Cached> found = deserialize(key, readAll(file));
  if (found) futimens(file.get(), nullptr); // used
  return found;
}

void storeCached(std::string_view key, const Cached &made) {
  const std::string path = folderPath();
  if (path.empty()) return;
  const Expected<PrivateFolder> folder = PrivateFolder::open(path);
  if (!folder) return;
  const std::string bytes = serialize(key, made);
  folder->replaceFile(nameOf(key), std::as_bytes(std::span(bytes)));
  static std::atomic<uint64_t> writes{0};
  if (writes++ % kShrinkEvery == 0) shrink(path);
}

} // namespace us::nvrtc
