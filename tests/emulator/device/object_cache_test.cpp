// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/object_cache.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <xxhash.h>

namespace us::emulator {
namespace {

namespace fs = std::filesystem;

class ObjectCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "us-cache-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (auto &entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file()) found.push_back(entry.path());
    return found;
  }
  std::string folder_;
};

StoredProgram program(std::string log = "") {
  StoredProgram stored;
  stored.module.kind = 3;
  stored.module.ir = {'i', 'r'};
  stored.log = std::move(log);
  return stored;
}

TEST(KeyBuilder, PartsDoNotRunTogether) {
  EXPECT_EQ(KeyBuilder().add("ab").add("c").key(), KeyBuilder().add("ab").add("c").key());
  EXPECT_NE(KeyBuilder().add("ab").add("c").key(), KeyBuilder().add("a").add("bc").key());
  EXPECT_EQ(KeyBuilder().add("x").key().size(), 32u);
}

TEST_F(ObjectCacheTest, FindsWhatWasStoredAlsoInAnotherProcess) {
  CacheKey key = KeyBuilder().add("source").key();
  ObjectCache(folder_, "id", 1 << 20).store(key, program("note"));
  ObjectCache later(folder_, "id", 1 << 20);
  ASSERT_TRUE(later.findProgram(key));
  EXPECT_EQ(later.findProgram(key)->log, "note");
  EXPECT_FALSE(later.findProgram(KeyBuilder().add("other").key()));
  EXPECT_FALSE(later.findCode(key));
  EXPECT_FALSE(ObjectCache(folder_, "other compiler", 1 << 20).findProgram(key));
}

TEST_F(ObjectCacheTest, ADamagedEntryIsNotFoundAndCanBeReplaced) {
  ObjectCache cache(folder_, "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program());
  ASSERT_EQ(files().size(), 1u);
  fs::resize_file(files()[0], 20);
  EXPECT_FALSE(cache.findProgram(key));
  cache.store(key, program());
  EXPECT_TRUE(cache.findProgram(key));
}

TEST_F(ObjectCacheTest, AChangedIncludedFileIsAMiss) {
  std::string header = folder_ + "/header.h";
  std::ofstream(header) << "#define N 1";
  ObjectCache cache(folder_ + "/cache", "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  StoredProgram stored = program();
  stored.module.includedFiles = {{header, XXH64("#define N 1", 11, 0)}};
  cache.store(key, stored);
  EXPECT_TRUE(cache.findProgram(key));
  std::ofstream(header) << "#define N 2";
  EXPECT_FALSE(cache.findProgram(key));
  fs::remove(header);
  EXPECT_FALSE(cache.findProgram(key));
}

TEST_F(ObjectCacheTest, TheOldestGoWhenItIsTooLarge) {
  ObjectCache cache(folder_, "id", 20000);
  std::vector<CacheKey> keys;
  std::mt19937 random(3);
  for (int i = 0; i < 20; ++i) {
    StoredProgram stored = program();
    // Nothing a compressor could make smaller.
    for (int byte = 0; byte < 2000; ++byte) stored.module.ir.push_back(static_cast<char>(random()));
    keys.push_back(KeyBuilder().add(static_cast<uint64_t>(i)).key());
    cache.store(keys.back(), stored);
    auto age = std::chrono::hours(100 - i);
    for (const fs::path &file : files())
      if (file.string().find(keys.back().substr(2)) != std::string::npos)
        fs::last_write_time(file, fs::file_time_type::clock::now() - age);
  }
  cache.shrink();
  uint64_t total = 0;
  for (const fs::path &file : files()) total += fs::file_size(file);
  EXPECT_LE(total, 20000u);
  EXPECT_FALSE(cache.findProgram(keys.front()));
  EXPECT_TRUE(cache.findProgram(keys.back()));
}

TEST_F(ObjectCacheTest, WithoutAWritablePlaceNothingIsKept) {
  std::ofstream(folder_ + "/file") << "not a directory";
  ObjectCache cache(folder_ + "/file/cache", "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program());
  EXPECT_FALSE(cache.findProgram(key));
  ObjectCache off("", "id", 1 << 20);
  off.store(key, program());
  EXPECT_FALSE(off.findProgram(key));
}

TEST_F(ObjectCacheTest, ReadersNeverSeeHalfAnEntry) {
  ObjectCache cache(folder_, "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program(std::string(100000, 'x')));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) cache.store(key, program(std::string(100000, 'x')));
  });
  for (int i = 0; i < 500; ++i) {
    std::optional<StoredProgram> found = cache.findProgram(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->log.size(), 100000u);
  }
  stop = true;
  writer.join();
}

} // namespace
} // namespace us::emulator
