// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of memory: two openings hold the same bytes, and no file that somebody could shorten is taken.
#include "runtime/base/memory_file.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

namespace us {
namespace {

TEST(MemoryFile, TwoOpeningsAreOneFile) {
  const std::shared_ptr<MemoryFile> made = *MemoryFile::create("test");
  ASSERT_TRUE(made->resize(8192));
  ASSERT_TRUE(made->write(4096, "hello", 6));
  const int descriptor = *made->duplicate();
  const std::shared_ptr<MemoryFile> opened = *MemoryFile::open(descriptor);
  close(descriptor);
  char text[6] = "";
  ASSERT_TRUE(opened->read(4096, text, 6));
  EXPECT_STREQ(text, "hello");
  EXPECT_EQ(opened->identity(), made->identity());
  EXPECT_NE(opened->identity(), (*MemoryFile::create("test"))->identity());
  EXPECT_EQ(opened->size(), 8192u);
  EXPECT_EQ(opened->read(8190, text, 6).error().code, ErrorCode::InvalidValue);
}

TEST(MemoryFile, NobodyMakesItShorter) {
  const std::shared_ptr<MemoryFile> made = *MemoryFile::create("test");
  ASSERT_TRUE(made->resize(8192));
  EXPECT_NE(ftruncate(made->descriptor(), 4096), 0);
  EXPECT_FALSE(made->resize(4096));
  EXPECT_EQ(made->size(), 8192u);
}

TEST(MemoryFile, OtherFilesAreNotTaken) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int plain = memfd_create("plain", 0);
  for (const int descriptor : {-1, 12345, ends[0], plain})
    EXPECT_EQ(MemoryFile::open(descriptor).error().code, ErrorCode::InvalidValue) << descriptor;
  for (const int descriptor : {ends[0], ends[1], plain}) close(descriptor);
}

} // namespace
} // namespace us
