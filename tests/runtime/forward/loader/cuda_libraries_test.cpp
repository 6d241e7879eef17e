// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/cuda_libraries.h"

#include "runtime/forward/loader/driver_library.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace us::forward {
namespace {
namespace fs = std::filesystem;

class CudaLibraries : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::canonical(testing::TempDir()).string() + "/us_cuda_libraries";
    fs::remove_all(folder);
    for (const char *name : {"first", "cached", "container", "ours"}) {
      fs::create_directories(folder + "/" + name);
      std::ofstream(folder + "/" + name + "/libcuda.so.580.1") << name;
      fs::create_symlink("libcuda.so.580.1", folder + "/" + name + "/libcuda.so.1");
    }
    places.loaderCache = folder + "/cache";
    places.folders = {folder + "/container", folder + "/nowhere"};
    places.own = {fileIdentity(folder + "/ours/libcuda.so.1")};
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A cache as the dynamic linker's own program writes it.
  void writeCache(const std::vector<std::tuple<uint32_t, std::string, std::string>> &libraries, uint32_t count) {
    std::string entries, strings;
    const size_t begin = 48 + 24 * libraries.size();
    const auto add = [&](const std::string &text) {
      const auto at = uint32_t(begin + strings.size());
      strings += text + '\0';
      return at;
    };
    const auto put = [](std::string &into, auto value) { into.append(reinterpret_cast<char *>(&value), sizeof value); };
    for (const auto &[flags, name, path] : libraries) {
      put(entries, flags);
      put(entries, add(name));
      put(entries, add(path));
      put(entries, uint32_t(0));
      put(entries, uint64_t(0));
    }
    std::string head = "glibc-ld.so.cache1.1";
    put(head, count);
    put(head, uint32_t(strings.size()));
    head.resize(48);
    std::ofstream(places.loaderCache, std::ios::binary) << head << entries << strings;
  }
  std::string found() const { return joined(cudaDrivers(places)); }
  std::string joined(const std::vector<Candidate> &candidates) const {
    std::string all;
    for (const Candidate &one : candidates)
      all += (one.problem.empty() ? fs::path(one.library).lexically_relative(folder).string() : one.problem) + " ";
    return all;
  }

  std::string folder;
  CudaPlaces places;
};

TEST_F(CudaLibraries, AreFoundWhereProgramsWouldFindThem) {
  writeCache({{0x0303, "libcudart.so.1", "/x"},
              {3, "libcuda.so.1", folder + "/first/libcuda.so.1"}, // for another machine's programs
              {0x0303, "libcuda.so.1", folder + "/cached/libcuda.so.1"}},
             3);
  EXPECT_EQ(found(), "cached/libcuda.so.580.1 container/libcuda.so.580.1 ");
  // Ours comes first under `understudy run`. A library has many names.
  places.libraryPath = folder + "/ours:relative::" + folder + "/first:" + folder + "/container/../first";
  EXPECT_EQ(found(), "first/libcuda.so.580.1 cached/libcuda.so.580.1 container/libcuda.so.580.1 ");
}

TEST_F(CudaLibraries, DamagedCachesHaveNothing) {
  EXPECT_EQ(found(), "container/libcuda.so.580.1 ");
  for (const char *text : {"", "glibc-ld.so.cache1.1", "ld.so-1.7.0 and so on"}) {
    std::ofstream(places.loaderCache) << text;
    EXPECT_EQ(found(), "container/libcuda.so.580.1 ");
  }
  writeCache({{0x0303, "libcuda.so.1", folder + "/cached/libcuda.so.1"}}, 0xffffffff);
  EXPECT_EQ(found(), "cached/libcuda.so.580.1 container/libcuda.so.580.1 ");
  fs::resize_file(places.loaderCache, fs::file_size(places.loaderCache) - 10);
  EXPECT_EQ(found(), "container/libcuda.so.580.1 ");
}

TEST_F(CudaLibraries, AreNamedInTwoWays) {
  EXPECT_EQ(joined(namedCudaDrivers("pocl,cuda,/x/liby.so", places)), "container/libcuda.so.580.1 ");
  EXPECT_EQ(joined(namedCudaDrivers(folder + "/first/libcuda.so.580.1", places)), "first/libcuda.so.580.1 ");
  EXPECT_EQ(joined(namedCudaDrivers("libcuda.so.1", places)), "is named without its folder ");
  EXPECT_EQ(joined(namedCudaDrivers("nvidia", places)), "");
  // And OpenCL leaves them out.
  EXPECT_TRUE(namedDrivers("cuda,/x/libcuda.so.1", vendorPlaces()).empty());
}

TEST_F(CudaLibraries, TheSystemsCacheCanBeRead) {
  const std::vector<std::string> paths = pathsInLoaderCache("/etc/ld.so.cache", "libc.so.6");
  ASSERT_FALSE(paths.empty());
  EXPECT_TRUE(fs::exists(paths[0])) << paths[0];
}

} // namespace
} // namespace us::forward
