// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_text.h"

#include "icd/install/words.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace us::install {
namespace {

constexpr uint64_t kFirstProgress = 5; // seconds
constexpr size_t kWidth = 160;         // bytes of a source line

bool wantsColor() {
  // no-color.org: "when present and not an empty string (regardless of its value), prevents the addition of ANSI color"
  const char *const none = secure_getenv("NO_COLOR"), *const terminal = secure_getenv("TERM");
  return !(none && *none) && terminal && std::strcmp(terminal, "dumb") != 0;
}

class Paint {
public:
  explicit Paint(bool isOn) : isOn_(isOn) {}
  std::string bad(const std::string &text) const { return painted("1;31", text); }
  std::string bold(const std::string &text) const { return painted("1", text); }
  std::string caret(const std::string &text) const { return painted("1;32", text); }
  std::string dim(const std::string &text) const { return painted("2", text); }

private:
  std::string painted(const char *color, const std::string &text) const {
    return isOn_ ? std::string("\033[") + color + "m" + text + "\033[0m" : text;
  }
  const bool isOn_;
};

std::string sourceLines(const CheckPlace &place, const std::string &indent, const Paint &paint) {
  const SourceExcerpt excerpt = excerptOf(place);
  if (excerpt.text.empty()) return {};
  const std::string number = std::to_string(place.line);
  std::string lines = indent + number + " | " + excerpt.text + "\n";
  if (!excerpt.caret.empty())
    lines += indent + std::string(number.size(), ' ') + " | " + paint.caret(excerpt.caret) + "\n";
  return lines;
}

} // namespace

SourceExcerpt excerptOf(const CheckPlace &place) {
  std::string_view text = place.text;
  // A column that the line does not have is of another text.
  size_t column = place.column <= text.size() ? place.column : 0; // from 1 on
  const size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
  if (column && column <= indent) column = indent + 1;
  if (indent == text.size()) return {};
  text.remove_prefix(indent);
  if (column) column -= indent;
  std::string before;
  if (column > kWidth) { // else it is near enough to the beginning
    size_t cut = column - kWidth / 2;
    while (cut < text.size() && (static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80) ++cut;
    before = "…";
    text.remove_prefix(cut);
    column = column > cut ? column - cut : 1;
  }
  SourceExcerpt excerpt{.text = before + printable(shortened(text, kWidth))};
  if (!column) return excerpt;
  // Tabs are as wide below as above.
  for (const char c : before + printable(text.substr(0, column - 1)))
    if ((static_cast<uint8_t>(c) & 0xc0) != 0x80) excerpt.caret += c == '\t' ? '\t' : ' ';
  excerpt.caret += '^';
  return excerpt;
}

std::string placeText(const CheckPlace &place) {
  std::string text = place.file;
  if (place.line && place.file.empty())
    text = "line " + std::to_string(place.line) + (place.column ? ", column " + std::to_string(place.column) : "");
  else if (place.line)
    text += ":" + std::to_string(place.line) + (place.column ? ":" + std::to_string(place.column) : "");
  if (!place.function.empty()) text += (text.empty() ? "in '" : ", in '") + place.function + "'";
  return text;
}

std::string followOnText(const CheckFollowOn &one) {
  const std::string place = placeText(one.place);
  return one.category + ": " + one.kind + (place.empty() ? "" : ", " + place) +
         (one.items.empty() ? "" : ", " + one.items);
}

std::string whoText(const CheckFinding &finding) {
  if (finding.itemCount == 0) return finding.items;
  const std::string count = plural(finding.itemCount, "work-item");
  return finding.items.empty() ? count : finding.items + " (" + count + ")";
}

std::string timesText(const CheckedFinding &finding) {
  if (finding.first.kernel.empty())
    return plural(finding.launches, "time") + " in " + plural(finding.processes.size(), "process");
  return (finding.workItems ? plural(finding.workItems, "work-item") + " in " : "") +
         plural(finding.launches, "launch") + " of " + plural(finding.processes.size(), "process");
}

std::string blockOf(const CheckFinding &finding, bool inColor) {
  const Paint paint(inColor);
  std::string text = "understudy: " + paint.bad(printable(finding.category + ": " + finding.kind)) +
                     (finding.kernel.empty() ? "" : " in kernel " + paint.bold("'" + printable(finding.kernel) + "'")) +
                     "\n  " + printable(finding.sentence) + "\n";
  const auto row = [&](const std::string &label, const std::string &what) {
    if (!what.empty()) text += "  " + printable(label) + ": " + printable(what) + "\n";
  };
  row("memory", finding.memory);
  row("who", whoText(finding));
  const std::string launch = finding.launch ? "launch " + std::to_string(finding.launch) : "";
  const std::string place = placeText(finding.place);
  row("where", place.empty() || launch.empty() ? place + launch : place + ", " + launch);
  text += sourceLines(finding.place, "    ", paint);
  for (const CheckPlace &call : finding.inlinedFrom) {
    row("  inlined into", placeText(call));
    text += sourceLines(call, "      ", paint);
  }
  for (const auto &[label, what] : finding.details) row(label, what);
  if (const auto &second = finding.second) {
    row("other side", second->what + (second->items.empty() ? "" : ", " + second->items));
    row("  where", placeText(second->place));
    text += sourceLines(second->place, "      ", paint);
  }
  for (const CheckFollowOn &one : finding.followOns) row("follows from it", followOnText(one));
  return text + "  key: " + paint.dim(printable(patternOf(finding.key))) + "\n";
}

std::string summaryText(const CheckReport &report) {
  std::string text = plural(report.kernels(), "kernel") + ", " + plural(report.launches(), "launch") + ", " +
                     plural(report.workItems(), "work-item") + ": ";
  const uint64_t shown = report.shown().size();
  text +=
      shown ? plural(shown, "finding") : std::string(report.suppressed() ? "nothing else" : "nothing") + " was found";
  const char *before = " (";
  for (const auto &[category, count] : report.shownByClass()) {
    text += before + printable(category) + " " + std::to_string(count);
    before = ", ";
  }
  if (shown) text += ")";
  if (report.suppressed()) text += ", " + std::to_string(report.suppressed()) + " suppressed";
  return text;
}

CheckText::CheckText(FILE *to, uint64_t blocks)
    : to_(to), blocks_(blocks), isTerminal_(isatty(fileno(to)) != 0), inColor_(isTerminal_ && wantsColor()),
      began_(monotonicNanoseconds()), nextProgress_(kFirstProgress) {}

/// In one piece: the program may write there, too.
void CheckText::say(const std::string &text) {
  std::fputs(text.c_str(), to_);
  std::fflush(to_);
}

void CheckText::print(const CheckNews &news) {
  for (const CheckBegan &began : news.began) {
    std::string checks;
    for (const std::string &check : began.checks) checks += (checks.empty() ? "" : ", ") + check;
    say("understudy: checks on '" + printable(began.device) + "': " + printable(checks) + "\n");
  }
  for (const CheckedFinding *const finding : news.findings)
    if (found_++ < blocks_) say(blockOf(finding->first, inColor_));
  for (const std::string &sentence : news.badLines) say("understudy: " + sentence + "\n");
}

void CheckText::printProgress() {
  const uint64_t seconds = (monotonicNanoseconds() - began_) / 1'000'000'000;
  if (!isTerminal_ || seconds < nextProgress_) return;
  nextProgress_ = 2 * seconds;
  // A line of its own each time: the program's text may be on the terminal, too.
  say("understudy: " + std::to_string(seconds) + " s, " + plural(found_, "finding") + " so far\n");
}

void CheckText::printEnd(const CheckReport &report) {
  constexpr size_t kUnused = 10;
  const std::vector<std::string> unused = report.suppressions().unused();
  for (size_t i = 0; i < std::min(unused.size(), kUnused); ++i)
    say("understudy: the suppression " + printable(unused[i]) + " matched nothing\n");
  if (unused.size() > kUnused)
    say("understudy: " + plural(unused.size() - kUnused, "suppression") + " more matched nothing\n");
  if (const uint64_t silent = report.silentProcesses())
    say("understudy: " + std::to_string(silent) + " of " + plural(report.processes(), "process") +
        " ended without a word (killed, or by _exit): what ran there is not counted\n");
  if (report.nothingRan()) return say("understudy: nothing ran on a checked device\n");
  uint64_t number = 0;
  for (const CheckedFinding *const finding : report.shown()) {
    if (number++ == blocks_) break;
    const CheckFinding &first = finding->first;
    const std::string place = placeText(first.place);
    say("understudy:   " + printable(first.category + ": " + first.kind) +
        (place.empty() ? "" : ", " + printable(place)) + ": " + timesText(*finding) + "\n");
  }
  if (found_ > blocks_) say("understudy:   and " + plural(found_ - blocks_, "finding") + " more\n");
  say("understudy: " + summaryText(report) + "\n");
}

} // namespace us::install
