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
    const CompileResult result = compilePtx({text, {}, {}, true, {}});
    if (result.ok) continue;
    ++refused;
    EXPECT_TRUE(result.log.starts_with("<ptx>:")) << result.log << "\n" << text;
    EXPECT_EQ(result.log.find("invalid IR"), std::string::npos) << result.log << "\n" << text;
  }
  EXPECT_GT(refused, rounds / 4);
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
