// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/report_html.h"

#include "icd/install/words.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

namespace us::install {
namespace {

constexpr const char *kStyle = R"css(
:root { color-scheme: light dark; --line: #ccc; --quiet: #666; --bar: #9ec5fe; --code: #f6f6f6; --heat: 255, 140, 0 }
@media (prefers-color-scheme: dark) { :root { --line: #444; --quiet: #aaa; --bar: #2a5c9e; --code: #1c1c1c } }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .9rem }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: left; vertical-align: top }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.share { background: linear-gradient(var(--bar), var(--bar)) no-repeat left / var(--share) 100% }
table.source { background: var(--code); width: 100% }
table.source td { border: 0; padding: 0 .6rem }
table.source td.text { font: .85rem/1.4 ui-monospace, monospace; tab-size: 4; white-space: pre; width: 100% }
.quiet { color: var(--quiet) }
dl { display: grid; gap: .15rem .75rem; grid-template-columns: max-content 1fr }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
)css";

struct Kernel {
  std::string name;
  uint64_t launches = 0, nanoseconds = 0, longest = 0, items = 0;
  /// What all of it says, in the order of first use: "loop", "its sub-groups …".
  std::vector<std::string> tiers, reasons, vectors;
  bool usesSubGroups = false, usesBarriers = false;
  std::map<std::tuple<std::array<uint64_t, 3>, std::array<uint64_t, 3>>, std::pair<uint64_t, uint64_t>> shapes;
  uint64_t countedLaunches = 0;
  std::map<std::pair<std::string, uint32_t>, TimedLine> lines;
};

void addOnce(std::vector<std::string> &texts, const std::string &text) {
  if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

std::string listOf(const std::vector<std::string> &texts, const char *ifNone) {
  std::string list;
  for (const std::string &text : texts) list += (list.empty() ? "" : "; ") + text;
  return markup(list.empty() ? ifNone : list);
}

uint64_t itemsOf(const TimedEvent &event) { return event.globalSize[0] * event.globalSize[1] * event.globalSize[2]; }

/// "1.23 ms"; three digits.
std::string scaled(double number, std::initializer_list<const char *> units, double step) {
  const char *unit = *units.begin();
  for (const char *larger : units) {
    unit = larger;
    if (number < step || larger == *(units.end() - 1)) break;
    number /= step;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.*f %s", number < 10 ? 2 : number < 100 ? 1 : 0, number, unit);
  return text;
}
std::string timeText(uint64_t nanoseconds) { return scaled(double(nanoseconds), {"ns", "µs", "ms", "s"}, 1000); }
std::string bytesText(uint64_t bytes) {
  return bytes < 1000 ? std::to_string(bytes) + " B" : scaled(double(bytes), {"B", "kB", "MB", "GB", "TB"}, 1000);
}
std::string countText(uint64_t count) {
  return count < 10'000 ? std::to_string(count) : scaled(double(count), {"", "k", "M", "G", "T"}, 1000);
}

std::string sizeText(const std::array<uint64_t, 3> &size) {
  std::string text = std::to_string(size[0]);
  if (size[1] != 1 || size[2] != 1) text += " × " + std::to_string(size[1]);
  if (size[2] != 1) text += " × " + std::to_string(size[2]);
  return text;
}

std::vector<Kernel> kernelsOf(const std::vector<TimedEvent> &events, const std::vector<TimedEvent> &counted) {
  std::map<std::string, Kernel> byName;
  for (const TimedEvent &event : events) {
    if (event.what != "launch") continue;
    Kernel &kernel = byName[event.name];
    const uint64_t time = event.end - event.begin;
    ++kernel.launches;
    kernel.nanoseconds += time;
    kernel.longest = std::max(kernel.longest, time);
    kernel.items += itemsOf(event);
    addOnce(kernel.tiers, event.tier + (event.isBaseline ? ", not optimized (little work)" : ""));
    for (const auto &[tier, reason] : event.obstacles) addOnce(kernel.reasons, "not " + tier + ": " + reason);
    addOnce(kernel.vectors, event.vectors);
    kernel.usesSubGroups |= event.usesSubGroups;
    kernel.usesBarriers |= event.usesBarriers;
    auto &[times, sum] = kernel.shapes[{event.globalSize, event.localSize}];
    ++times;
    sum += time;
  }
  for (const TimedEvent &event : counted) {
    if (event.lines.empty() || !byName.contains(event.name)) continue;
    Kernel &kernel = byName[event.name];
    ++kernel.countedLaunches;
    for (const TimedLine &line : event.lines) {
      TimedLine &sum = kernel.lines.try_emplace({line.file, line.line}, line).first->second;
      if (kernel.countedLaunches == 1) continue;
      sum.isCounted |= line.isCounted;
      sum.runs += line.runs;
      sum.floatOperations += line.floatOperations;
      sum.integerOperations += line.integerOperations;
      sum.bytesRead += line.bytesRead;
      sum.bytesWritten += line.bytesWritten;
    }
  }
  std::vector<Kernel> kernels;
  for (auto &[name, kernel] : byName) {
    kernel.name = name;
    kernels.push_back(std::move(kernel));
  }
  std::ranges::stable_sort(kernels, std::greater<>(), &Kernel::nanoseconds);
  return kernels;
}

std::string cell(const std::string &text, bool isNumber = true) {
  return std::string("<td") + (isNumber ? " class=\"n\"" : "") + ">" + text + "</td>";
}

std::string overviewOf(const std::vector<Kernel> &kernels, uint64_t total) {
  std::string rows;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Kernel &kernel = kernels[i];
    const double share = total ? 100.0 * double(kernel.nanoseconds) / double(total) : 0;
    const std::string percent = std::to_string(unsigned(share + 0.5)) + "%";
    rows += "<tr><td><a href=\"#kernel-" + std::to_string(i) + "\">" + markup(kernel.name) + "</a></td>" +
            cell(timeText(kernel.nanoseconds)) + "<td class=\"n share\" style=\"--share: " + percent + "\">" + percent +
            "</td>" + cell(std::to_string(kernel.launches)) + cell(timeText(kernel.nanoseconds / kernel.launches)) +
            cell(countText(kernel.items)) + cell(listOf(kernel.tiers, ""), false) +
            cell(listOf(kernel.vectors, "none"), false) + cell(kernel.usesSubGroups ? "yes" : "no", false) + "</tr>\n";
  }
  return "<div class=\"wide\"><table>\n<thead><tr><th>kernel</th><th class=\"n\">time</th><th "
         "class=\"n\">share</th><th "
         "class=\"n\">launches</th><th class=\"n\">each</th><th "
         "class=\"n\">work-items</th><th>tier</th><th>vectors</th>"
         "<th>waits for sub-groups</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string row(const std::string &label, const std::string &text) {
  return text.empty() ? "" : "<dt>" + label + "</dt><dd>" + text + "</dd>\n";
}

std::string sourceOf(const Kernel &kernel) {
  uint64_t most = 1;
  for (const auto &[place, line] : kernel.lines) most = std::max(most, line.runs);
  std::string rows, file;
  uint32_t next = 0;
  for (const auto &[place, line] : kernel.lines) {
    if (rows.empty() || place.first != file)
      rows += "<tr><td colspan=\"7\" class=\"quiet\">" +
              markup(place.first.starts_with("<") || place.first.empty() ? "the program's source" : place.first) +
              "</td></tr>\n";
    else if (place.second != next)
      rows += "<tr><td class=\"quiet n\">…</td></tr>\n";
    file = place.first;
    next = place.second + 1;
    const double heat = double(line.runs) / double(most) * 0.5;
    char style[64] = "";
    if (line.runs) std::snprintf(style, sizeof style, " style=\"background: rgba(var(--heat), %.3f)\"", heat);
    const auto number = [&](uint64_t value, std::string (*text)(uint64_t)) { return cell(value ? text(value) : ""); };
    rows += "<tr>" + cell("<span class=\"quiet\">" + std::to_string(place.second) + "</span>") + "<td class=\"n\"" +
            style + ">" + (line.isCounted ? countText(line.runs) : "") + "</td>" +
            number(line.floatOperations, countText) + number(line.integerOperations, countText) +
            number(line.bytesRead, bytesText) + number(line.bytesWritten, bytesText) + "<td class=\"text\">" +
            markup(line.text) + "</td></tr>\n";
  }
  return "<div class=\"wide\"><table class=\"source\">\n<thead><tr><th class=\"n\">line</th><th "
         "class=\"n\">runs</th><th "
         "class=\"n\">float</th><th class=\"n\">integer</th><th class=\"n\">read</th><th "
         "class=\"n\">written</th><th>source"
         "</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string sectionOf(const Kernel &kernel, size_t number) {
  std::string shapes;
  for (const auto &[shape, sums] : kernel.shapes) {
    const auto &[global, local] = shape;
    shapes += (shapes.empty() ? "" : "<br>") + plural(sums.first, "launch") + " of " + sizeText(global) +
              " work-items in groups of " + sizeText(local) + ": " + timeText(sums.second);
  }
  TimedLine sum;
  for (const auto &[place, line] : kernel.lines) {
    sum.floatOperations += line.floatOperations;
    sum.integerOperations += line.integerOperations;
    sum.bytesRead += line.bytesRead;
    sum.bytesWritten += line.bytesWritten;
  }
  std::string html = "<section id=\"kernel-" + std::to_string(number) + "\">\n<h2>" + markup(kernel.name) +
                     "</h2>\n<dl>\n" + row("tier", listOf(kernel.tiers, "")) +
                     row("why", listOf(kernel.reasons, "it is the fastest")) +
                     row("vectors", listOf(kernel.vectors, "none: work-items run one after the other")) +
                     row("barriers", kernel.usesBarriers ? "yes" : "no") +
                     row("waits for sub-groups", kernel.usesSubGroups ? "yes" : "no") +
                     row("longest launch", timeText(kernel.longest)) + row("launches", shapes);
  if (!kernel.lines.empty()) {
    const uint64_t operations = sum.floatOperations + sum.integerOperations, bytes = sum.bytesRead + sum.bytesWritten;
    html += row("counted",
                plural(kernel.countedLaunches, "launch") + ", the first: " + countText(sum.floatOperations) +
                    " operations of floating-point and " + countText(sum.integerOperations) + " of whole numbers, " +
                    bytesText(sum.bytesRead) + " read from and " + bytesText(sum.bytesWritten) +
                    " written to global memory" +
                    (bytes ? ", " + scaled(double(operations) / double(bytes), {""}, 1e9) + "operations a byte" : ""));
  }
  html += "</dl>\n";
  if (!kernel.lines.empty()) html += sourceOf(kernel);
  return html + "</section>\n";
}

} // namespace

std::string htmlReportOf(const std::vector<std::string> &program, int exitCode, const std::vector<TimedEvent> &events,
                         const std::vector<TimedEvent> &counted) {
  const std::vector<Kernel> kernels = kernelsOf(events, counted);
  std::map<std::string, std::tuple<uint64_t, uint64_t, uint64_t>> sums; // number, nanoseconds, bytes
  std::vector<std::string> devices;
  std::set<uint64_t> processes;
  for (const TimedEvent &event : events) {
    auto &[number, time, bytes] = sums[event.what];
    ++number;
    time += event.end - event.begin;
    bytes += event.bytes;
    addOnce(devices, event.device);
    processes.insert(event.process);
  }
  const uint64_t total = std::get<1>(sums["launch"]);
  std::string command, totals, sections;
  for (const std::string &word : program) command += (command.empty() ? "" : " ") + word;
  for (const auto &[what, label] : {std::pair("launch", "launches"),
                                    {"build", "builds of programs"},
                                    {"code", "machine code of kernels"},
                                    {"copy", "copies"},
                                    {"fill", "fills"}})
    if (const auto &[number, time, bytes] = sums[what]; number)
      totals += row(label, std::to_string(number) + " in " + timeText(time) + (bytes ? ", " + bytesText(bytes) : ""));
  if (!events.empty()) {
    const auto last = std::ranges::max(events, {}, &TimedEvent::end).end;
    totals += row("from the first to the last of these", timeText(last - events.front().begin));
  }
  for (size_t i = 0; i < kernels.size(); ++i) sections += sectionOf(kernels[i], i);
  const std::string title = "understudy report: " + plural(kernels.size(), "kernel");
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n<dl>\n" +
         row("program", markup(command)) + row("exit code", std::to_string(exitCode)) +
         row("devices", listOf(devices, "none")) + row("processes", std::to_string(processes.size())) + totals +
         "</dl>\n<p class=\"quiet\">Times are of an emulation on the processor. Counts are of what the source says, "
         "before "
         "optimization, in all work-items of a launch; what the library does counts for the line that calls it.</p>\n" +
         overviewOf(kernels, total) + sections + "</body>\n</html>\n";
}

} // namespace us::install
