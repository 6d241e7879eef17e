// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files: what is in them, and the system's reason where that cannot be had.
#include "runtime/base/file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace us {
namespace {

class FileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "us-file-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(FileTest, IsReadAsItWasWritten) {
  const std::string path = folder_ + "/file";
  for (const std::string &content : {std::string(100'000, 'x'), std::string("a\0b\n\r\n", 6), std::string()}) {
    ASSERT_TRUE(writeFile(path, content));
    EXPECT_EQ(std::filesystem::file_size(path), content.size());
    EXPECT_EQ(readFile(path), content);
  }
}

TEST_F(FileTest, APipeIsReadToItsEnd) {
  const std::string path = folder_ + "/pipe", content(200'000, 'y');
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::jthread writer([&] { EXPECT_TRUE(writeFile(path, content)); });
  EXPECT_EQ(readFile(path), content);
}

TEST_F(FileTest, TheSystemsReasonIsTold) {
  const std::string none = folder_ + "/none/file";
  EXPECT_EQ(readFile(none).error().message, "'" + none + "' cannot be read: No such file or directory");
  EXPECT_EQ(readFile(folder_).error().message, "'" + folder_ + "' cannot be read: Is a directory");
  EXPECT_EQ(writeFile(none, "x").error().message, "'" + none + "' cannot be written: No such file or directory");
  EXPECT_EQ(writeFile(folder_, "x").error().message, "'" + folder_ + "' cannot be written: Is a directory");
  // What does not fit is noticed when it is written, or at the file's end.
  for (size_t size : {1, 1'000'000})
    EXPECT_EQ(writeFile("/dev/full", std::string(size, 'z')).error().message,
              "'/dev/full' cannot be written: No space left on device");
}

} // namespace
} // namespace us
