// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <pthread.h>
#include <sstream>

namespace us::fuzz {
namespace {

/// Numbers that length fields and loops get wrong.
constexpr uint64_t kNotable[] = {0,          1,          7,         8,          16,          255,         256,
                                 4096,       0x7fff,     0x10000,   0x7fffffff, 0x80000000u, 0xffffffffu, 0x100000000u,
                                 1ull << 40, 1ull << 62, 1ull << 63};

size_t below(Random &random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

/// One thread, which does what it is given: a new one each time would cost more than most runs.
class LargeStack {
public:
  LargeStack() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t(64) << 20);
    const auto start = [](void *self) -> void * {
      static_cast<LargeStack *>(self)->loop();
      return nullptr;
    };
    pthread_t thread;
    if (pthread_create(&thread, &attributes, start, this) != 0) abort();
    pthread_detach(thread);
    pthread_attr_destroy(&attributes);
  }

  void run(const std::function<void()> &work) {
    std::unique_lock hold(mutex_);
    work_ = &work;
    changed_.notify_all();
    changed_.wait(hold, [this] { return work_ == nullptr; });
  }

private:
  void loop() {
    std::unique_lock hold(mutex_);
    for (;;) {
      changed_.wait(hold, [this] { return work_ != nullptr; });
      (*work_)();
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_; // guards work_
  std::condition_variable changed_;
  const std::function<void()> *work_ = nullptr;
};

} // namespace

void found(const std::string &what) {
  std::fprintf(stderr, "found: %s\n", what.c_str());
  abort();
}

void must(int code, const char *call) {
  if (code != 0) found(std::string(call) + " is refused with " + std::to_string(code) + ", and must not be");
}

std::vector<std::string> filesIn(const std::string &folder, std::string_view ending) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && (ending.empty() || entry.path().extension() == ending))
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> files;
  for (const std::filesystem::path &path : paths) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    files.push_back(std::move(bytes).str());
  }
  return files;
}

void onLargeStack(const std::function<void()> &work) {
  static auto &stack = *new LargeStack;
  stack.run(work);
}

void damageBytes(std::string &input, Random &random) {
  const size_t at = below(random, input.size() + 1), left = input.size() - at;
  switch (random() % 8) {
  case 0: // a bit flips
    if (left) input[at] = char(input[at] ^ 1 << below(random, 8));
    break;
  case 1: // any byte becomes anything
    if (left) input[at] = char(random());
    break;
  case 2: { // a notable number, or nearly so, in 1, 2, 4 or 8 bytes
    const uint64_t number = kNotable[below(random, std::size(kNotable))] + (random() % 2 ? 0 : random() % 9 - 4);
    std::memcpy(input.data() + at, &number, std::min<size_t>(left, size_t(1) << below(random, 4)));
    break;
  }
  case 3: // the end is missing
    input.resize(at);
    break;
  case 4: // a piece goes
    input.erase(at, 1 + below(random, 16));
    break;
  case 5: { // a piece comes twice
    const std::string piece = input.substr(at, 1 + below(random, 32));
    input.insert(below(random, input.size() + 1), piece);
    break;
  }
  case 6: // new bytes
    input.insert(at, 1 + below(random, 8), char(random()));
    break;
  default: // a little more or less
    if (left) input[at] = char(input[at] + int(random() % 9) - 4);
    break;
  }
}

uint8_t Choices::byte() {
  if (rest_.empty()) return 0;
  const auto value = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return value;
}

uint64_t Choices::number() {
  uint64_t value = 0;
  const size_t size = std::min(rest_.size(), sizeof value);
  std::memcpy(&value, rest_.data(), size);
  rest_.remove_prefix(size);
  return value;
}

uint64_t Choices::size(uint64_t whole, uint64_t factor) {
  const uint8_t kind = byte();
  const uint64_t little = byte();
  switch (kind % 16) {
  case 0:
    return 0;
  case 1: // around the whole
    return whole + little - 128;
  case 2: // just below 2^64
    return 0 - little;
  case 3: // around a power of two
    return (uint64_t(1) << kind / 16 * 4) + (little - 128);
  case 4: // times `factor` it is a little more than 2^64, or than 2^32
    return (kind & 16 ? ~uint64_t(0) : 0xffffffffu) / std::max<uint64_t>(factor, 1) + little % 8;
  case 5:
    return number();
  case 6: // times `factor` it is the whole
    return whole / std::max<uint64_t>(factor, 1) + little - 128;
  case 7: // so that one more such wraps
    return 0 - whole + little - 128;
  default:
    return little % std::max<uint64_t>(std::min<uint64_t>(whole / std::max<uint64_t>(factor, 1) + 1, 256), 1);
  }
}

} // namespace us::fuzz
