// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Damaged PTX: every text is translated or refused with a place and a reason; nothing crashes, and no invalid IR is
// made. US_MUTATIONS says how many texts.
#include "frontend/frontend.h"
#include "frontend/ptx/grammar.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace us::frontend {
namespace {

std::vector<std::string> kernels() {
  std::vector<std::string> texts;
  std::set<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(US_PTX_KERNELS)) files.insert(entry.path());
  for (const std::filesystem::path &file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// Words and marks, as the lexer cuts roughly.
std::vector<std::string> pieces(const std::string &text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    const bool isWord = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$';
    if (!isWord) result.emplace_back();
    result.back() += c;
    if (!isWord) result.emplace_back();
  }
  return result;
}

TEST(Ptx, damagedTextsAreRefusedOrTranslated) {
  const char *const wanted = std::getenv("US_MUTATIONS");
  const int rounds = wanted ? std::atoi(wanted) : 300;
  const std::vector<std::string> texts = kernels();
  ASSERT_GT(texts.size(), 10u);
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::string> parts = pieces(texts[random() % texts.size()]);
    const std::vector<std::string> others = pieces(texts[random() % texts.size()]);
    for (unsigned changes = 1 + random() % 4; changes-- > 0;) {
      std::string &part = parts[random() % parts.size()];
      const unsigned kind = random() % 4;
      if (kind == 0) part.clear();
      if (kind == 1) part = others[random() % others.size()];
      if (kind == 2) part += others[random() % others.size()];
      if (kind == 3 && !part.empty()) part[random() % part.size()] = char(random() % 127 + 1);
    }
    std::string text;
    for (const std::string &part : parts) text += part;
    const Logged<KernelModule> result = compilePtx({text, {}, {}}, {});
    if (result) continue;
    ++refused;
    EXPECT_TRUE(result.log.starts_with("<ptx>:")) << result.log << "\n" << text;
    EXPECT_EQ(result.log.find("invalid IR"), std::string::npos) << result.log << "\n" << text;
  }
  EXPECT_GT(refused, rounds / 4);
}

/// Every version that there has been, and none that has not come yet.
TEST(Ptx, versions) {
  const auto compile = [](const std::string &version) {
    return compilePtx({".version " + version + "\n.target sm_10\n.entry k() { ret; }\n", {}, {}}, {});
  };
  for (const char *version :
       {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0", "2.1", "2.2", "2.3", "3.0", "3.1", "3.2", "4.0", "4.1",
        "4.2", "4.3", "5.0", "6.0", "6.1", "6.2", "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4", "7.5",
        "7.6", "7.7", "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", "8.8", "9.0"})
    EXPECT_TRUE(compile(version)) << version;
  for (const char *version : {"9.1", "10.0", "8", "x"})
    EXPECT_TRUE(compile(version).log.starts_with("<ptx>:1:10: error: ")) << version;
}

TEST(Ptx, addressesHave64Bits) {
  const Logged<KernelModule> result =
      compilePtx({".version 2.3\n.target sm_20\n.address_size 32\n.entry k() { ret; }\n", {}, {}}, {});
  EXPECT_FALSE(result);
  EXPECT_EQ(result.log, "<ptx>:3:15: error: addresses of 32 bits: this device has 64\n");
}

/// What looks at instructions before the grammar does must not count on operands.
TEST(Ptx, everyFormWithTooFewOperands) {
  for (const ptx::Form &form : ptx::allForms()) {
    std::string instruction(form.opcode);
    for (const ptx::ModifierSlot &slot : form.slots)
      if (!slot.words.empty()) instruction.append(".").append(slot.words.front());
    for (size_t count = 0; count < form.operands.size(); ++count) {
      std::string operands;
      for (size_t i = 0; i < count; ++i) operands += i == 0 ? " %r1" : ", %r1";
      const std::string text = ".version 8.8\n.target sm_90\n.entry k()\n{\n  .reg .b32 %r<2>;\n  " + instruction +
                               operands + ";\n  ret;\n}\n";
      const Logged<KernelModule> result = compilePtx({text, {}, {}}, {});
      EXPECT_TRUE(result || result.log.starts_with("<ptx>:")) << text << result.log;
    }
  }
}

TEST(Ptx, everyFormIsWellWritten) {
  for (const ptx::Form &form : ptx::allForms()) {
    EXPECT_FALSE(form.opcode.empty()) << form.text;
    EXPECT_NE(form.handler, nullptr) << form.text;
    for (const ptx::ModifierSlot &slot : form.slots)
      for (const std::string_view word : slot.words)
        EXPECT_EQ(word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:"), word.npos)
            << form.text << ": " << word;
    for (const ptx::OperandRule &rule : form.operands)
      EXPECT_TRUE(rule.type != ptx::OperandRule::Fixed || rule.fixed) << form.text;
  }
}

} // namespace
} // namespace us::frontend
