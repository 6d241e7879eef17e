// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX: every text is translated, or refused with a place and a reason.
#include "frontend/frontend.h"
#include "tests/fuzz/fuzz_target.h"

namespace us::fuzz {
namespace {

/// Words and marks, as the lexer cuts roughly.
std::vector<std::string> pieces(const std::string &text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    const bool isWord = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$' || c == '.';
    if (!isWord) result.emplace_back();
    result.back() += c;
    if (!isWord) result.emplace_back();
  }
  return result;
}

const std::vector<std::string> &texts() {
  static const auto &all = *new std::vector<std::string>(filesIn(US_PTX_KERNELS, ".ptx"));
  return all;
}

/// Numbers at the edges of what counts bits, bytes, elements and registers.
constexpr const char *kNumbers[] = {"0",
                                    "1",
                                    "-1",
                                    "3",
                                    "17",
                                    "64",
                                    "128",
                                    "4096",
                                    "65536",
                                    "2147483647",
                                    "2147483648",
                                    "4294967295",
                                    "4294967296",
                                    "1073741824",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "18446744073709551615",
                                    "18446744073709551616",
                                    "0x",
                                    "0xFFFFFFFFFFFFFFFF",
                                    "0f7F800000",
                                    "0d7FF8000000000000",
                                    "1e999",
                                    "0.5"};

} // namespace

std::vector<std::string> seeds() { return texts(); }

void run(std::string_view input) {
  // "Source modules are ASCII text": the loader's texts end at the first NUL.
  const std::string text(input.substr(0, input.find('\0')));
  onLargeStack([&] {
    const Logged<frontend::KernelModule> result = frontend::compilePtx({text, {}, {}}, {});
    if (result) return;
    if (!result.log.starts_with("<ptx>:")) found("an error without a place: " + result.log);
    if (result.log.starts_with("<ptx>: error: the translation made invalid IR")) found(result.log);
  });
}

bool damage(std::string &input, Random &random) {
  std::vector<std::string> parts = pieces(input);
  const std::vector<std::string> others = pieces(texts()[random() % texts().size()]);
  std::string &part = parts[random() % parts.size()];
  const std::string &other = others[random() % others.size()];
  switch (random() % 6) {
  case 0:
    part.clear();
    break;
  case 1:
    part = other;
    break;
  case 2:
    part += other;
    break;
  case 3:
    part = kNumbers[random() % std::size(kNumbers)];
    break;
  case 4: // another piece of the same text
    part = parts[random() % parts.size()];
    break;
  default: { // a whole statement of another text
    const std::string &text = texts()[random() % texts().size()];
    const size_t end = text.find(';', random() % (text.size() + 1));
    if (end == text.npos) return false;
    const size_t begin = text.find_last_of(";{}", end == 0 ? 0 : end - 1);
    const size_t from = begin == text.npos ? 0 : begin + 1;
    part += text.substr(from, end + 1 - from);
    break;
  }
  }
  input.clear();
  for (const std::string &one : parts) input += one;
  return true;
}

} // namespace us::fuzz
