// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/object_cache.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
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

// What is found is executed.
TEST_F(ObjectCacheTest, IsOfNoUseWhereSomebodyElseMayWrite) {
  const mode_t before = umask(0);
  ObjectCache cache(folder_ + "/cache", "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program());
  umask(before);
  ASSERT_EQ(files().size(), 1u);
  ASSERT_TRUE(cache.findProgram(key));
  const fs::path file = files()[0];
  for (const fs::path &path : {file, file.parent_path(), fs::path(folder_ + "/cache")}) {
    const fs::perms mode = fs::status(path).permissions();
    EXPECT_EQ(mode & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << path;
    for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
      fs::permissions(path, others, fs::perm_options::add);
      EXPECT_FALSE(cache.findProgram(key)) << path;
      fs::permissions(path, mode);
    }
    EXPECT_TRUE(cache.findProgram(key));
  }
  fs::permissions(folder_ + "/cache", fs::perms::all);
  cache.store(KeyBuilder().add("another").key(), program());
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(ObjectCacheTest, IsOfNoUseWhereItIsSomebodyElses) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make other users' files";
  ObjectCache cache(folder_ + "/cache", "id", 1 << 20);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program());
  ASSERT_EQ(files().size(), 1u);
  const fs::path file = files()[0];
  for (const fs::path &path : {file, file.parent_path(), fs::path(folder_ + "/cache")}) {
    ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(cache.findProgram(key)) << path;
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
    EXPECT_TRUE(cache.findProgram(key)) << path;
  }
}

// The user may have named a folder that holds other things.
TEST_F(ObjectCacheTest, RemovesNothingButEntries) {
  const std::string others[] = {folder_ + "/letter.txt", folder_ + "/ab/letter.txt", folder_ + "/vendors-1/x.icd",
                                folder_ + "/cd/ef/0123456789abcdef0123456789abcd.code"};
  for (const std::string &other : others) {
    fs::create_directories(fs::path(other).parent_path());
    std::ofstream(other) << std::string(5000, 'x');
    fs::permissions(fs::path(other).parent_path(), fs::perms::owner_all);
  }
  ObjectCache cache(folder_, "id", 1);
  CacheKey key = KeyBuilder().add("source").key();
  cache.store(key, program());
  // Left behind by a process that was killed.
  std::ofstream(folder_ + "/" + key.substr(0, 2) + "/" + key.substr(2) + ".code.1234.0.tmp") << "half";
  cache.shrink();
  for (const std::string &other : others) EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_EQ(files().size(), std::size(others));
}

} // namespace
} // namespace us::emulator
