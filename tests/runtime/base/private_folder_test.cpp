// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose a folder must be, and what it is made as. What needs another user's files is skipped where we are not root.
#include "runtime/base/private_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace us {
namespace {
namespace fs = std::filesystem;

constexpr uid_t kOther = 65534;

class PrivateFolderTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "us-folder-XXXXXX";
    top_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(top_); }

  static unsigned modeOf(const std::string &path) {
    struct stat facts{};
    return lstat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777 : 0;
  }
  static std::string errorOf(const std::string &path) {
    const auto folder = PrivateFolder::open(path);
    return folder ? "" : folder.error().message;
  }
  static bool write(const PrivateFolder &folder, const std::string &name, std::string_view text) {
    return folder.replaceFile(name, std::as_bytes(std::span(text)));
  }
  static std::string textOf(const PrivateFolder &folder, const std::string &name) {
    const Descriptor file = folder.fileToRead(name);
    if (!file) return "(none)";
    char text[100];
    const ssize_t length = ::read(file.get(), text, sizeof text);
    return std::string(text, length > 0 ? size_t(length) : 0);
  }
  std::string top_;
};

// XDG base directory specification: "If, when attempting to write a file, the destination directory is non-existent an
// attempt should be made to create it with permission 0700."
TEST_F(PrivateFolderTest, isMadeForItsOwnerAlone) {
  for (const mode_t mask : {0, 022, 077}) {
    const mode_t before = umask(mask);
    const std::string above = top_ + "/" + std::to_string(mask), path = above + "/b/c";
    const auto folder = PrivateFolder::open(path);
    ASSERT_TRUE(folder) << folder.error().message;
    ASSERT_TRUE(folder->folder("d"));
    EXPECT_TRUE(write(*folder, "file", "text"));
    umask(before);
    for (const std::string &made : {above, above + "/b", path, path + "/d"}) EXPECT_EQ(modeOf(made), 0700u) << made;
    EXPECT_EQ(modeOf(path + "/file"), 0600u);
    EXPECT_EQ(textOf(*folder, "file"), "text");
    EXPECT_TRUE(write(*folder, "file", "more"));
    EXPECT_EQ(textOf(*folder, "file"), "more");
    EXPECT_EQ(std::distance(fs::directory_iterator(path), fs::directory_iterator()), 2) << "no temporary file is left";
  }
}

TEST_F(PrivateFolderTest, isRefusedWhereOthersMayWrite) {
  const std::string path = top_ + "/folder";
  ASSERT_TRUE(PrivateFolder::open(path));
  for (const mode_t mode : {0770, 0707, 0777, 01777, 0720}) {
    chmod(path.c_str(), mode);
    EXPECT_NE(errorOf(path).find(path + " can be written by other users (its mode is "), std::string::npos)
        << errorOf(path);
    const auto above = PrivateFolder::open(top_);
    ASSERT_TRUE(above);
    EXPECT_FALSE(above->folder("folder"));
  }
  for (const mode_t mode : {0700, 0755, 0750}) {
    chmod(path.c_str(), mode);
    EXPECT_EQ(errorOf(path), "");
  }
}

TEST_F(PrivateFolderTest, readsNoFileThatOthersMayWriteNorALinkNorAPipe) {
  const auto folder = PrivateFolder::open(top_);
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write(*folder, "file", "text"));
  chmod((top_ + "/file").c_str(), 0622);
  EXPECT_EQ(textOf(*folder, "file"), "(none)");
  chmod((top_ + "/file").c_str(), 0644);
  EXPECT_EQ(textOf(*folder, "file"), "text");
  ASSERT_EQ(symlink("file", (top_ + "/link").c_str()), 0);
  EXPECT_EQ(textOf(*folder, "link"), "(none)");
  ASSERT_EQ(mkfifo((top_ + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(textOf(*folder, "pipe"), ""); // and it does not wait for somebody to write
  // In the place of a link comes a file: what the link leads to stays.
  EXPECT_TRUE(write(*folder, "link", "new"));
  EXPECT_EQ(textOf(*folder, "link"), "new");
  EXPECT_EQ(textOf(*folder, "file"), "text");
}

TEST_F(PrivateFolderTest, saysWhatIsInItsPlace) {
  std::ofstream(top_ + "/file") << "text";
  EXPECT_EQ(errorOf(top_ + "/file"), top_ + "/file cannot be opened: Not a directory");
  EXPECT_EQ(errorOf(top_ + "/file/below"), top_ + "/file/below cannot be opened: Not a directory");
  // One's own link is one's own choice.
  ASSERT_EQ(symlink(top_.c_str(), (top_ + "/link").c_str()), 0);
  EXPECT_EQ(errorOf(top_ + "/link"), "");
}

TEST_F(PrivateFolderTest, isRefusedWhereItIsAnotherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make other users' folders";
  const std::string path = top_ + "/folder";
  ASSERT_EQ(mkdir(path.c_str(), 0755), 0);
  // Root's folder is as good as one's own.
  chmod(top_.c_str(), 0755);
  ASSERT_EQ(seteuid(kOther), 0);
  EXPECT_EQ(errorOf(path), "");
  ASSERT_EQ(seteuid(0), 0);

  ASSERT_EQ(chown(path.c_str(), kOther, kOther), 0);
  EXPECT_EQ(errorOf(path), path + " belongs to user 65534");
  // Root leaves nothing behind in it that its owner could not remove.
  EXPECT_EQ(errorOf(path + "/a/b"), path + " belongs to user 65534: root makes nothing there");
  EXPECT_FALSE(fs::exists(path + "/a"));
  const auto folder = PrivateFolder::open(top_);
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write(*folder, "file", "text"));
  ASSERT_EQ(chown((top_ + "/file").c_str(), kOther, kOther), 0);
  EXPECT_EQ(textOf(*folder, "file"), "(none)");
  // Another user's link may lead anywhere.
  const std::string link = top_ + "/link";
  ASSERT_EQ(mkdir((top_ + "/ours").c_str(), 0700), 0);
  ASSERT_EQ(symlink((top_ + "/ours").c_str(), link.c_str()), 0);
  ASSERT_EQ(lchown(link.c_str(), kOther, kOther), 0);
  EXPECT_EQ(errorOf(link), link + " cannot be opened: Operation not permitted");
  ASSERT_EQ(seteuid(kOther), 0);
  EXPECT_EQ(errorOf(path), "");
  EXPECT_EQ(errorOf(path + "/a/b"), "");
  ASSERT_EQ(seteuid(0), 0);
}

} // namespace
} // namespace us
