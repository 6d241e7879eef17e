// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/ptx_container.h"

#include <gtest/gtest.h>

namespace us {
namespace {

std::string twoTexts() {
  const PtxText texts[] = {{80, 0, ".version 7.0\n"}, {86, kPtxDebug, ".version 8.3\n.target sm_86\n"}};
  return writePtxContainer(texts);
}

TEST(PtxContainer, is_told_by_its_first_bytes) {
  EXPECT_TRUE(isPtxContainer(twoTexts().c_str()));
  EXPECT_FALSE(isPtxContainer(".version 7.0"));
  EXPECT_FALSE(isPtxContainer(""));
  EXPECT_FALSE(isPtxContainer("USTDY"));
}

TEST(PtxContainer, gives_back_what_was_written) {
  const std::string image = twoTexts();
  const auto texts = readPtxContainer(image);
  ASSERT_TRUE(texts);
  ASSERT_EQ(texts->size(), 2u);
  EXPECT_EQ((*texts)[0].architecture, 80u);
  EXPECT_EQ((*texts)[0].text, ".version 7.0\n");
  EXPECT_EQ((*texts)[1].architecture, 86u);
  EXPECT_EQ((*texts)[1].flags, kPtxDebug);
  EXPECT_EQ((*texts)[1].text, ".version 8.3\n.target sm_86\n");
  // A text is also a C string.
  EXPECT_EQ((*texts)[1].text.data()[(*texts)[1].text.size()], '\0');
}

// Byte numbers as the header's comment has them.
TEST(PtxContainer, refuses_numbers_that_do_not_fit_together) {
  const std::string good = twoTexts();
  for (size_t at : {8, 12, 16, 32, 40}) {
    std::string image = good;
    image[at] = '\x7f';
    image[at + 2] = '\x01';
    EXPECT_FALSE(readPtxContainer(image)) << at;
  }
}

// However a file was cut, nothing behind its end is read: the string ends where its bytes do.
TEST(PtxContainer, refuses_what_is_shorter_than_it_says) {
  const std::string good = twoTexts();
  for (size_t size = 0; size < good.size(); ++size) {
    const std::vector<char> part(good.begin(), good.begin() + ptrdiff_t(size));
    EXPECT_FALSE(readPtxContainer({part.data(), part.size()})) << size;
  }
}

} // namespace
} // namespace us
