// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files named <directory>/<two digits>/<rest of the key>.<kind>.
#include "emulator/device/object_cache.h"

#include "runtime/base/log.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
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

struct File {
  explicit File(int descriptor) : descriptor(descriptor) {}
  ~File() {
    if (descriptor >= 0) close(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int descriptor;
};

std::optional<Bytes> readFile(const std::string &path, bool touch) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  Bytes bytes(static_cast<size_t>(status.st_size));
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t got = ::read(file.descriptor, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<size_t>(got);
  }
  if (touch && time(nullptr) - status.st_mtime > kTouchEvery) futimens(file.descriptor, nullptr);
  return bytes;
}

bool writeAll(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

/// Every file that the build read from disk must still hold what it held.
bool includesUnchanged(const abi::ModuleData &module) {
  return std::ranges::all_of(module.includedFiles, [](const auto &included) {
    std::optional<Bytes> bytes = readFile(included.first, false);
    return bytes && XXH64(bytes->data(), bytes->size(), 0) == included.second;
  });
}

} // namespace

KeyBuilder::KeyBuilder() : state_(XXH3_createState()) { XXH3_128bits_reset(static_cast<XXH3_state_t *>(state_)); }
KeyBuilder::~KeyBuilder() { XXH3_freeState(static_cast<XXH3_state_t *>(state_)); }

KeyBuilder &KeyBuilder::add(std::string_view part) {
  add(static_cast<uint64_t>(part.size()));
  XXH3_128bits_update(static_cast<XXH3_state_t *>(state_), part.data(), part.size());
  return *this;
}

KeyBuilder &KeyBuilder::add(uint64_t number) {
  XXH3_128bits_update(static_cast<XXH3_state_t *>(state_), &number, sizeof(number));
  return *this;
}

CacheKey KeyBuilder::key() const {
  XXH128_hash_t hash = XXH3_128bits_digest(static_cast<XXH3_state_t *>(state_));
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

ObjectCache::ObjectCache(std::string directory, std::string identity, uint64_t sizeLimit)
    : directory_(std::move(directory)), identity_(std::move(identity)), sizeLimit_(sizeLimit) {}

std::optional<Bytes> ObjectCache::read(ContentKind kind, const CacheKey &key) const {
  if (!enabled()) return std::nullopt;
  std::string path = directory_ + "/" + key.substr(0, 2) + "/" + key.substr(2) + suffixOf(kind);
  std::optional<Bytes> container = readFile(path, true);
  if (!container) return std::nullopt;
  std::optional<Bytes> payload = unpack(kind, identity_, *container);
  if (!payload) log(LogLevel::Info, "cache: " + path + " is damaged and will be replaced");
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
  static std::atomic<uint32_t> counter{0};
  uint32_t number = counter.fetch_add(1, std::memory_order_relaxed);
  std::string folder = directory_ + "/" + key.substr(0, 2);
  std::string path = folder + "/" + key.substr(2) + suffixOf(kind);
  std::string temporary = path + "." + std::to_string(getpid()) + "." + std::to_string(number) + ".tmp";

  std::error_code error;
  fs::create_directories(folder, error);
  File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  bool written = file.descriptor >= 0 && writeAll(file.descriptor, pack(kind, identity_, payload));
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
      log(LogLevel::Info,
          "cache: " + directory_ + " cannot be written (" + std::strerror(errno) + "): nothing is kept");
    unlink(temporary.c_str());
    return;
  }
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
  for (fs::recursive_directory_iterator at(directory_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone; // another process may remove it meanwhile
    if (!at->is_regular_file(gone)) continue;
    Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (gone) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
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
