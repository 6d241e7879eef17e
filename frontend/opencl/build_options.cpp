// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/opencl/build_options.h"
#include "frontend/frontend.h"

#include <span>

namespace us::frontend {
namespace opencl {
namespace {

enum class Steps { Compile, Link, Both };

struct Flag {
  std::string_view spelling;
  Steps steps;
  void (*apply)(BuildOptions &options);
};

constexpr Flag kFlags[] = {
#define US_BUILD_OPTION(spelling, step, member, value, meaning)                                                        \
  {spelling, Steps::step, [](BuildOptions &options) { options.member = value; }},
#include "frontend/opencl/build_options.def"
#undef US_BUILD_OPTION
};

/// The options that take a word, joined or as the next one.
struct WordOption {
  std::string_view spelling;
  std::vector<std::string> BuildOptions::*words;
};

constexpr WordOption kWordOptions[] = {{"-D", &BuildOptions::definitions}, {"-I", &BuildOptions::includePaths}};

struct StepFacts {
  ErrorCode error;
  std::string_view what;
};

constexpr StepFacts kSteps[] = {{ErrorCode::InvalidBuildOptions, "build"},
                                {ErrorCode::InvalidCompilerOptions, "compiler"},
                                {ErrorCode::InvalidLinkerOptions, "linker"}};

std::unexpected<Error> refuse(BuildStep step, std::string_view option, std::string_view why) {
  const StepFacts &facts = kSteps[static_cast<size_t>(step)];
  return fail(facts.error, std::string(facts.what) + " option '" + std::string(option) + "' " + std::string(why));
}

/// Takes a -D or -I with its word from the front of the list; false if it is neither.
Expected<bool> takeWordOption(BuildOptions &options, BuildStep step, std::span<const std::string> &words) {
  const std::string &first = words[0];
  for (const WordOption &known : kWordOptions) {
    if (!first.starts_with(known.spelling)) continue;
    std::string word = first.substr(known.spelling.size());
    if (word.empty()) {
      if (words.size() < 2) return refuse(step, first, "lacks its argument");
      word = words[1];
      words = words.subspan(1);
    }
    if (word.empty()) return refuse(step, first, "has an empty argument");
    (options.*known.words).push_back(std::move(word));
    words = words.subspan(1);
    return true;
  }
  return false;
}

bool takeFlag(BuildOptions &options, BuildStep step, std::string_view word) {
  for (const Flag &flag : kFlags) {
    if (flag.spelling != word) continue;
    if (flag.steps == (step == BuildStep::Link ? Steps::Compile : Steps::Link)) return false;
    flag.apply(options);
    return true;
  }
  return false;
}

} // namespace

std::vector<std::string> splitOptions(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes =
        c == '\\' && quote != '\'' && i + 1 < text.size() && (quote == 0 || text[i + 1] == '"' || text[i + 1] == '\\');
    if (escapes) {
      word += text[++i];
      inWord = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      if (inWord) words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord) words.push_back(std::move(word));
  return words;
}

Expected<BuildOptions> parseBuildOptions(std::string_view text, BuildStep step) {
  BuildOptions options;
  const std::vector<std::string> words = splitOptions(text);
  for (std::span<const std::string> rest = words; !rest.empty();) {
    if (takeFlag(options, step, rest[0])) {
      rest = rest.subspan(1);
      continue;
    }
    if (step != BuildStep::Link) {
      US_TRY(const bool taken, takeWordOption(options, step, rest));
      if (taken) continue;
    }
    return refuse(step, rest[0], "is not one that this device knows");
  }
  // "-enable-link-options: ... This option must be specified with the create-library option."
  if (options.enableLinkOptions && !options.createLibrary)
    return refuse(step, "-enable-link-options", "needs -create-library");
  return options;
}

} // namespace opencl

Expected<LinkOptions> parseLinkOptions(std::string_view options) {
  US_TRY(const opencl::BuildOptions parsed, opencl::parseBuildOptions(options, opencl::BuildStep::Link));
  return LinkOptions{parsed.createLibrary, parsed.enableLinkOptions};
}

} // namespace us::frontend
