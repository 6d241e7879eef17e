// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/ptx_text.h"

#include <algorithm>
#include <charconv>

namespace us::cuda {
namespace {

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Words (with their leading dot), numbers, strings, and single characters; comments are passed over.
class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) { next(); }

  std::string_view token() const { return token_; }
  bool atEnd() const { return token_.empty(); }
  size_t begin() const { return size_t(token_.data() - text_.data()); }
  size_t end() const { return begin() + token_.size(); }
  bool take(std::string_view wanted) {
    if (token_ != wanted) return false;
    next();
    return true;
  }

  /// Where the token before this one ends.
  size_t previousEnd() const { return previousEnd_; }

  void next() {
    previousEnd_ = token_.empty() ? at_ : end();
    skipBlanks();
    const size_t from = at_;
    if (at_ < text_.size()) {
      const char first = text_[at_++];
      if (first == '"') {
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_ + 1, text_.size());
      } else if (isWordStart(first) || isDigit(first) ||
                 (first == '.' && at_ < text_.size() && isWordStart(text_[at_]))) {
        while (at_ < text_.size() && (isWordStart(text_[at_]) || isDigit(text_[at_]))) ++at_;
      }
    }
    token_ = text_.substr(from, at_ - from);
  }

private:
  void skipBlanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')
        ++at_;
      else if (text_.substr(at_, 2) == "//")
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_, 2) == "/*")
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }

  std::string_view text_, token_;
  size_t at_ = 0, previousEnd_ = 0;
};

uint64_t numberOf(std::string_view text) {
  const bool isHex = text.starts_with("0x") || text.starts_with("0X");
  uint64_t value = 0;
  const std::string_view digits = isHex ? text.substr(2) : text;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
  return value;
}

/// Bytes of .u32 and the like; 0 for a word that is no type. Predicates take a register, not memory.
uint64_t typeBytes(std::string_view word) {
  if (word == ".pred") return 4;
  if (word == ".f16x2" || word == ".bf16x2") return 4;
  const size_t digits = word.find_first_of("0123456789");
  if (word.size() < 3 || digits == word.npos) return 0;
  const uint64_t bits = numberOf(word.substr(digits));
  return bits % 8 == 0 && bits <= 128 ? bits / 8 : 0;
}

class Outliner {
public:
  explicit Outliner(std::string_view text) : text_(text), reader_(text) {}

  PtxOutline run() {
    while (!reader_.atEnd()) statement();
    return std::move(outline_);
  }

private:
  void statement() {
    const size_t begin = reader_.begin();
    const std::string_view word = reader_.token();
    if (word == ".version") {
      reader_.next();
      outline_.major = unsigned(numberOf(reader_.token()));
      reader_.next();
      if (reader_.take(".")) {
        outline_.minor = unsigned(numberOf(reader_.token()));
        reader_.next();
      }
      return;
    }
    if (word == ".target") {
      do {
        reader_.next();
        if (reader_.token().starts_with("sm_")) outline_.target = unsigned(numberOf(reader_.token().substr(3)));
        reader_.next();
      } while (reader_.token() == ",");
      return;
    }
    if (word == ".address_size") {
      reader_.next();
      reader_.next();
      return;
    }
    if (word == ".file") return fileStatement();
    if (word == ".section") {
      while (!reader_.atEnd() && reader_.token() != "{") reader_.next();
      braces();
      outline_.sections.push_back(since(begin));
      return;
    }
    if (word == ".alias" || word == ".pragma") {
      while (!reader_.atEnd() && reader_.token() != ";") reader_.next();
      reader_.take(";");
      outline_.others.push_back(since(begin));
      return;
    }
    symbol(begin);
  }

  /// .file number "name", and perhaps a time and a size.
  void fileStatement() {
    for (unsigned i = 0; i < 3; ++i) reader_.next();
    while (reader_.take(",")) reader_.next();
  }

  void symbol(size_t begin) {
    PtxSymbol made;
    for (const std::string_view linkage : {".visible", ".extern", ".weak", ".common"})
      if (reader_.take(linkage)) made.linkage = linkage.substr(1);
    const std::string_view word = reader_.token();
    if (word == ".func" || word == ".entry") {
      made.kind = word == ".func" ? PtxKind::Function : PtxKind::Kernel;
      reader_.next();
      return function(begin, made);
    }
    for (const std::string_view space : {".global", ".const", ".shared", ".local", ".tex"})
      if (word == space) {
        made.space = space.substr(1);
        reader_.next();
        return variables(begin, made);
      }
    // Anything else: on to its end.
    while (!reader_.atEnd() && reader_.token() != ";" && reader_.token() != "{") reader_.next();
    if (reader_.token() == "{")
      braces();
    else
      reader_.take(";");
  }

  void function(size_t begin, PtxSymbol &made) {
    if (reader_.token() == "(") parentheses();
    made.name = reader_.token();
    reader_.next();
    while (!reader_.atEnd() && reader_.token() != ";" && reader_.token() != "{") {
      if (reader_.token() == ".maxnreg") {
        reader_.next();
        made.mostRegisters = unsigned(numberOf(reader_.token()));
      }
      reader_.next();
    }
    made.isDefinition = reader_.token() == "{";
    made.bodyAt = reader_.begin();
    if (made.isDefinition)
      body(made);
    else
      reader_.take(";");
    made.statement = since(begin);
    outline_.symbols.push_back(made);
  }

  /// Looks for the variables and registers of a body.
  void body(PtxSymbol &made) {
    unsigned depth = 0;
    do {
      const std::string_view word = reader_.token();
      // Not a part of an instruction, st.local
      const bool isFirst =
          reader_.begin() == 0 || !(isWordStart(text_[reader_.begin() - 1]) || isDigit(text_[reader_.begin() - 1]));
      if (word == "{") ++depth;
      if (word == "}") --depth;
      reader_.next();
      if (!isFirst || (word != ".reg" && word != ".local")) continue;
      PtxSymbol inside;
      const uint64_t size = declared(inside, word == ".reg");
      if (word == ".reg")
        made.registers += (size + 3) / 4;
      else
        made.localBytes += size;
    } while (!reader_.atEnd() && depth > 0);
  }

  /// One or more names behind a space; bytes of all of them. `inRegisters`: %r<8> is eight.
  uint64_t declared(PtxSymbol &into, bool inRegisters) {
    uint64_t lanes = 1, bytes = 0, all = 0;
    while (reader_.token().starts_with(".")) {
      const std::string_view word = reader_.token();
      reader_.next();
      if (word == ".align")
        reader_.next();
      else if (word == ".attribute")
        into.isManaged |= attributes();
      else if (word == ".v2" || word == ".v4" || word == ".v8")
        lanes = uint64_t(word[2] - '0');
      else if (const uint64_t known = typeBytes(word))
        bytes = known;
      else if (word == ".texref" || word == ".samplerref" || word == ".surfref")
        bytes = 8;
    }
    for (;;) {
      into.name = reader_.token();
      reader_.next();
      uint64_t size = bytes * lanes;
      if (inRegisters && reader_.take("<")) {
        size *= numberOf(reader_.token());
        reader_.next();
        reader_.take(">");
      }
      while (reader_.take("[")) {
        size *= reader_.token() == "]" ? 0 : numberOf(reader_.token());
        while (!reader_.atEnd() && !reader_.take("]")) reader_.next();
      }
      all += size;
      if (!reader_.take(",")) return all;
    }
  }

  /// .attribute(.managed, .unified(1, 2)): whether .managed is among them.
  bool attributes() {
    const size_t begin = reader_.begin();
    balanced("(", ")");
    return since(begin).find(".managed") != std::string_view::npos;
  }

  void variables(size_t begin, PtxSymbol &made) {
    made.size = declared(made, false);
    made.isDefinition = made.linkage != "extern";
    while (!reader_.atEnd() && reader_.token() != ";") {
      if (reader_.token() == "{")
        braces();
      else
        reader_.next();
    }
    reader_.take(";");
    made.statement = since(begin);
    outline_.symbols.push_back(made);
  }

  void balanced(std::string_view open, std::string_view close) {
    unsigned depth = 0;
    do {
      if (reader_.token() == open) ++depth;
      if (reader_.token() == close) --depth;
      reader_.next();
    } while (!reader_.atEnd() && depth > 0);
  }
  void braces() { balanced("{", "}"); }
  void parentheses() { balanced("(", ")"); }

  /// From `begin` to what has just been read.
  std::string_view since(size_t begin) const { return text_.substr(begin, reader_.previousEnd() - begin); }

  const std::string_view text_;
  Reader reader_;
  PtxOutline outline_;
};

} // namespace

PtxOutline outlineOf(std::string_view text) { return Outliner(text).run(); }

PtxNames namesIn(std::string_view body) {
  PtxNames found;
  bool isCall = false;
  for (Reader reader(body); !reader.atEnd(); reader.next()) {
    const std::string_view word = reader.token();
    if (word == ";") isCall = false;
    if (word == ".callprototype" || word == ".calltargets") found.callsThroughPointer = true;
    if (!isWordStart(word.front()) || word.front() == '%') continue;
    (isCall ? found.called : found.others).push_back(word);
    if (word == "call") isCall = true;
  }
  return found;
}

std::string limitedTo(unsigned registers, std::string_view text) {
  std::string result;
  size_t copied = 0;
  for (const PtxSymbol &symbol : outlineOf(text).symbols) {
    if (symbol.kind != PtxKind::Kernel || !symbol.isDefinition || symbol.mostRegisters != 0 || registers == 0) continue;
    result.append(text.substr(copied, symbol.bodyAt - copied)).append(".maxnreg " + std::to_string(registers) + " ");
    copied = symbol.bodyAt;
  }
  return result.append(text.substr(copied));
}

std::string renamed(std::string_view text, const std::vector<std::string_view> &names, std::string_view suffix) {
  std::string result;
  size_t copied = 0;
  for (Reader reader(text); !reader.atEnd(); reader.next()) {
    if (!std::binary_search(names.begin(), names.end(), reader.token())) continue;
    result.append(text.substr(copied, reader.end() - copied)).append(suffix);
    copied = reader.end();
  }
  return result.append(text.substr(copied));
}

} // namespace us::cuda
