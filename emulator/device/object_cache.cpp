// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files named <directory>/<two digits>/<rest of the key>.<kind>. They hold machine code: nothing is read that somebody
// else can have written (docs/security.md).
#include "emulator/device/object_cache.h"

#include "runtime/base/log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace us::emulator {
namespace {

namespace fs = std::filesystem;

/// An entry's time is its last use, but it is written at most this often.
constexpr time_t kTouchEvery = 3600;
/// One write of so many looks at the size of the whole.
constexpr uint32_t kShrinkEvery = 256;

const char *suffixOf(ContentKind kind) { return kind == ContentKind::Program ? ".program" : ".code"; }

std::optional<Bytes> readAll(const Descriptor &file, bool touch) {
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  Bytes bytes(static_cast<size_t>(status.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<size_t>(got);
  }
  if (touch && time(nullptr) - status.st_mtime > kTouchEvery) futimens(file.get(), nullptr);
  return bytes;
}

/// Every file that the build read from disk must still hold what it held.
bool includesUnchanged(const abi::ModuleData &module) {
  return std::ranges::all_of(module.includedFiles, [](const auto &included) {
    // Any file of the user's; a pipe in its place must not stop us.
    const Descriptor file(open(included.first.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::optional<Bytes> bytes = readAll(file, false);
    return bytes && XXH64(bytes->data(), bytes->size(), 0) == included.second;
  });
}

std::string fileNameOf(const CacheKey &key, ContentKind kind) { return key.substr(2) + suffixOf(kind); }

/// Of an entry, or of one that was never completed.
bool isEntryName(std::string_view name) {
  return name.size() > 31 && name[30] == '.' && name.find_first_not_of("0123456789abcdef") == 30;
}
bool isFolderName(std::string_view name) {
  return name.size() == 2 && name.find_first_not_of("0123456789abcdef") == name.npos;
}

} // namespace

ObjectCache::ObjectCache(std::string directory, std::string identity, uint64_t sizeLimit)
    : directory_(std::move(directory)), identity_(std::move(identity)), sizeLimit_(sizeLimit) {}

/// The folder, looked at each time: a cache is used rarely, and for as long as the process lives.
std::optional<PrivateFolder> ObjectCache::open() const {
  Expected<PrivateFolder> folder = PrivateFolder::open(directory_);
  if (folder) return *std::move(folder);
  if (!cannotBeUsed_.exchange(true)) log(LogLevel::Error, "cache: " + folder.error().message + ": it is not used");
  return std::nullopt;
}

std::optional<Bytes> ObjectCache::read(ContentKind kind, const CacheKey &key) const {
  if (!enabled()) return std::nullopt;
  const std::optional<PrivateFolder> cache = open();
  if (!cache) return std::nullopt;
  const Expected<PrivateFolder> folder = cache->folder(key.substr(0, 2));
  if (!folder) return std::nullopt;
  const std::string name = fileNameOf(key, kind);
  std::optional<Bytes> container = readAll(folder->fileToRead(name), true);
  if (!container) return std::nullopt;
  std::optional<Bytes> payload = unpack(kind, identity_, *container);
  if (!payload) log(LogLevel::Info, "cache: " + name + " is damaged and will be replaced");
  return payload;
}

std::optional<StoredProgram> ObjectCache::findProgram(const CacheKey &key) const {
  std::optional<Bytes> payload = read(ContentKind::Program, key);
  if (!payload) return std::nullopt;
  std::optional<StoredProgram> program = readProgram(*payload);
  if (program && !includesUnchanged(program->module)) return std::nullopt;
  return program;
}

std::optional<abi::CodeData> ObjectCache::findCode(const CacheKey &key) const {
  std::optional<Bytes> payload = read(ContentKind::Code, key);
  return payload ? readCode(*payload) : std::nullopt;
}

void ObjectCache::store(const CacheKey &key, const StoredProgram &program) {
  if (enabled()) write(ContentKind::Program, key, serialize(program));
}

void ObjectCache::store(const CacheKey &key, const abi::CodeData &code) {
  if (enabled()) write(ContentKind::Code, key, serialize(code));
}

void ObjectCache::write(ContentKind kind, const CacheKey &key, ByteView payload) {
  const std::optional<PrivateFolder> cache = open();
  if (!cache) return;
  const Expected<PrivateFolder> folder = cache->folder(key.substr(0, 2));
  if (!folder || !folder->replaceFile(fileNameOf(key, kind), pack(kind, identity_, payload))) {
    const std::string reason = folder ? std::strerror(errno) : folder.error().message;
    if (!cannotBeWritten_.exchange(true))
      log(LogLevel::Info, "cache: " + directory_ + " cannot be written (" + reason + "): nothing is kept");
    return;
  }
  const uint32_t number = writes_.fetch_add(1, std::memory_order_relaxed);
  // Processes that write once each must shrink it too: the process number takes part.
  if ((number + static_cast<uint32_t>(getpid())) % kShrinkEvery == 0) shrink();
}

void ObjectCache::shrink() {
  struct Entry {
    fs::path path;
    uint64_t size;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  // Only what is ours: the user may have named a folder that holds other things.
  for (fs::directory_iterator folder(directory_, error), end; !error && folder != end; folder.increment(error)) {
    if (!isFolderName(folder->path().filename().string())) continue;
    std::error_code gone; // another process may remove it meanwhile
    for (fs::directory_iterator at(folder->path(), gone); !gone && at != end; at.increment(gone)) {
      std::error_code problem;
      if (!isEntryName(at->path().filename().string()) || !at->is_regular_file(problem)) continue;
      Entry entry{at->path(), at->file_size(problem), at->last_write_time(problem)};
      if (problem) continue;
      total += entry.size;
      entries.push_back(std::move(entry));
    }
  }
  if (total <= sizeLimit_) return;
  std::ranges::sort(entries, {}, &Entry::used);
  // Some room is made, so that the next write does not come here again.
  for (const Entry &entry : entries) {
    if (total <= sizeLimit_ / 10 * 9) break;
    if (fs::remove(entry.path, error)) total -= entry.size;
  }
}

} // namespace us::emulator
