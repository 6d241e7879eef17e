// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/command_line.h"

#include "runtime/base/file.h"

#include <charconv>
#include <cstdlib>
#include <deque>

namespace us::frontend::cuda {
namespace {

enum class Kind : uint8_t { Flag, Switch, Text, List, Joined, JoinedList };
/// What is still to be parsed.
using Pending = std::deque<std::string>;

struct OptionRow {
  std::string_view longName, shortName;
  Kind kind;
  Expected<void> (*apply)(CommandLine &c, const std::string &v, Pending &pending);
};

std::vector<std::string> splitAt(const std::string &text, std::string_view separators) {
  std::vector<std::string> parts;
  size_t from = 0;
  while (from <= text.size()) {
    size_t to = text.find_first_of(separators, from);
    if (to == std::string::npos) to = text.size();
    if (to > from) parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

/// What one value means for another tool: NVIDIA's nvcc calls it by a shell, so build systems put several words into
/// one. What is quoted is left as it is.
std::vector<std::string> passedOn(const std::string &value) {
  if (value.find_first_of("\"'\\") != std::string::npos) return {value};
  return splitAt(value, " ");
}

/// The words of an options file. What is quoted has its spaces, and a backslash takes its meaning from the next
/// character.
std::vector<std::string> wordsIn(const std::string &text) {
  std::vector<std::string> words;
  bool isOpen = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
      isOpen = false;
      continue;
    }
    if (!isOpen) words.emplace_back();
    isOpen = true;
    if (c == quote) {
      quote = 0;
    } else if (!quote && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// arch=compute_80,code=[sm_80,compute_80]
Expected<void> addTarget(CommandLine &c, const std::string &text) {
  Target target;
  bool inCode = false;
  for (std::string part : splitAt(text, ",[]")) {
    if (part.starts_with("arch=")) {
      target.arch = part.substr(5);
      inCode = false;
    } else if (part.starts_with("code=")) {
      part.erase(0, 5);
      inCode = true;
      if (!part.empty()) target.codes.push_back(part);
    } else if (inCode) {
      target.codes.push_back(part);
    } else {
      return fail(ErrorCode::InvalidValue, "--generate-code takes arch=…,code=…; it is '" + text + "'");
    }
  }
  if (target.arch.empty())
    return fail(ErrorCode::InvalidValue, "--generate-code names no architecture: '" + text + "'");
  c.targets.push_back(std::move(target));
  return {};
}

void useFastMath(CommandLine &c) {
  c.fastMath = c.flushToZero = c.fuse = true;
  c.preciseDivision = c.preciseRoot = false;
}

Expected<void> limitRegisters(CommandLine &c, const std::string &text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), c.maxRegisters);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return fail(ErrorCode::InvalidValue, "--maxrregcount takes a number of registers; it is '" + text + "'");
}

Expected<void> chooseRuntime(CommandLine &c, const std::string &text) {
  if (text != "none" && text != "shared" && text != "static")
    return fail(ErrorCode::InvalidValue, "--cudart takes none, shared or static; it is '" + text + "'");
  c.runtime = text;
  return {};
}

Expected<void> readOptionsFile(const std::string &path, Pending &pending) {
  US_TRY(const std::string text, readFile(path));
  const std::vector<std::string> words = wordsIn(text);
  pending.insert(pending.begin(), words.begin(), words.end());
  return {};
}

#define NOTHING static_cast<void>(0)
constexpr OptionRow kOptions[] = {
#define US_NVCC_OPTION(longName, shortName, kind, ...)                                                                 \
  {longName, shortName, Kind::kind,                                                                                    \
   []([[maybe_unused]] CommandLine &c, [[maybe_unused]] const std::string &v,                                          \
      [[maybe_unused]] Pending &pending) -> Expected<void> {                                                           \
     __VA_ARGS__;                                                                                                      \
     return {};                                                                                                        \
   }},
#include "frontend/cuda/options.def"
#undef US_NVCC_OPTION
};
#undef NOTHING

const OptionRow *findOption(std::string_view name) {
  for (const OptionRow &row : kOptions)
    if (name == row.longName || name == row.shortName) return &row;
  return nullptr;
}

/// -I/usr/include: the row whose short spelling the word begins with.
const OptionRow *findJoined(std::string_view word) {
  for (const OptionRow &row : kOptions)
    if ((row.kind == Kind::Joined || row.kind == Kind::JoinedList) && word.starts_with(row.shortName)) return &row;
  return nullptr;
}

bool isList(Kind kind) { return kind == Kind::List || kind == Kind::JoinedList; }

Expected<void> applyOption(const OptionRow &row, CommandLine &c, const std::string &value, Pending &pending) {
  if (!isList(row.kind)) return row.apply(c, value, pending);
  for (const std::string &part : splitAt(value, ",")) {
    US_CHECK(row.apply(c, part, pending));
  }
  return {};
}

Expected<void> parseOption(const std::string &word, CommandLine &c, Pending &pending, bool forwardUnknown) {
  const bool twoDashes = word.starts_with("--");
  const std::string body = word.substr(twoDashes ? 2 : 1);
  const size_t equals = body.find('=');
  const OptionRow *row = findOption(std::string_view(body).substr(0, equals));
  std::string value = equals == std::string::npos ? "" : body.substr(equals + 1);
  bool hasValue = equals != std::string::npos;
  if (!row && !twoDashes) {
    row = findJoined(body);
    if (row) {
      value = body.substr(row->shortName.size());
      hasValue = true;
    }
  }
  if (!row) {
    if (!forwardUnknown) return fail(ErrorCode::InvalidValue, "there is no option '" + word + "'");
    c.host.compiler.push_back(word);
    return {};
  }
  if (row->kind == Kind::Flag) {
    if (hasValue) return fail(ErrorCode::InvalidValue, "the option takes no value: '" + word + "'");
    return applyOption(*row, c, "", pending);
  }
  if (row->kind == Kind::Switch) {
    if (!hasValue && !pending.empty() && (pending.front() == "true" || pending.front() == "false")) {
      value = pending.front();
      pending.pop_front();
    } else if (!hasValue) {
      value = "true";
    }
    if (value != "true" && value != "false")
      return fail(ErrorCode::InvalidValue, "true or false was expected, it is '" + word + "'");
    return applyOption(*row, c, value, pending);
  }
  if (!hasValue) {
    if (pending.empty()) return fail(ErrorCode::InvalidValue, "the value of '" + word + "' is missing");
    value = pending.front();
    pending.pop_front();
  }
  return applyOption(*row, c, value, pending);
}

void addWordsOf(const char *variable, Pending &pending) {
  if (const char *text = secure_getenv(variable))
    for (std::string &word : splitAt(text, " \t\n")) pending.push_back(std::move(word));
}

} // namespace

Expected<CommandLine> parseCommandLine(std::vector<std::string> arguments) {
  Pending pending;
  addWordsOf("NVCC_PREPEND_FLAGS", pending);
  for (std::string &argument : arguments) pending.push_back(std::move(argument));
  addWordsOf("NVCC_APPEND_FLAGS", pending);
  bool forwardUnknown = false;
  for (const std::string &word : pending)
    forwardUnknown |= word.find("-forward-unknown-to-host-compiler") != std::string::npos;

  CommandLine c;
  while (!pending.empty()) {
    std::string word = std::move(pending.front());
    pending.pop_front();
    if (word.size() > 1 && word[0] == '-') {
      US_CHECK(parseOption(word, c, pending, forwardUnknown));
    } else if (word.size() > 1 && word[0] == '@') {
      US_CHECK(readOptionsFile(word.substr(1), pending));
    } else {
      c.inputs.push_back(std::move(word));
    }
  }
  return c;
}

std::string optionsText() {
  std::string text;
  for (const OptionRow &row : kOptions) {
    text += "  --" + std::string(row.longName);
    if (row.shortName != row.longName) text += ", -" + std::string(row.shortName);
    if (row.kind == Kind::Switch) text += " true|false";
    if (row.kind == Kind::Text || row.kind == Kind::Joined) text += " VALUE";
    if (isList(row.kind)) text += " VALUE,…";
    text += "\n";
  }
  return text;
}

} // namespace us::frontend::cuda
