// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_html.h"

#include "icd/install/check_kinds.h"
#include "icd/install/check_pictures.h"
#include "icd/install/check_text.h"
#include "icd/install/words.h"

#include <algorithm>

namespace us::install {
namespace {

constexpr const char *kStyle = R"css(
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --quiet: #59636e; --line: #d1d9e0; --code: #f6f8fa;
  --found: #c21c2c; --link: #0757b5 }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --quiet: #9198a1; --line: #3d444d;
  --code: #161b22; --found: #ff7b72; --link: #6cb0ff } }
* { box-sizing: border-box }
body { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 72rem; padding: 1rem }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { left: -100rem; position: absolute }
.skip:focus { position: static }
h1 { font-size: 1.5rem } h2 { font-size: 1.25rem; margin-top: 2rem } h3 { font-size: 1.05rem; margin: 0 }
h4 { font-size: 1rem; margin: 0 }
article { border: 1px solid var(--line); border-left: 4px solid var(--found); border-radius: 4px; margin: 1rem 0;
  padding: .75rem 1rem }
article p { margin: .5rem 0 }
dl { display: grid; gap: .15rem .75rem; grid-template-columns: max-content 1fr; margin: .5rem 0 }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
.sites { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)) }
pre { background: var(--code); border-radius: 4px; margin: .25rem 0; overflow-x: auto; padding: .5rem; tab-size: 4 }
code, pre { font: .875rem/1.4 ui-monospace, monospace } code { overflow-wrap: anywhere }
pre b { color: var(--found) }
.quiet { color: var(--quiet) }
figure { margin: .75rem 0 } figcaption { color: var(--quiet); font-size: .875rem }
.wide { overflow-x: auto }
svg { height: auto; max-width: 100% } .wide svg.exact { max-width: none }
svg .plain { fill: none; stroke: var(--quiet) } svg .found { fill: var(--found) }
svg text { fill: var(--quiet); font: 11px system-ui, sans-serif } svg .ids { text-anchor: end }
input + label { margin-right: 1rem }
)css";

std::string row(const std::string &label, const std::string &what) {
  return what.empty() ? "" : "<dt>" + markup(label) + "</dt><dd>" + markup(what) + "</dd>\n";
}

std::string sourceOf(const CheckPlace &place) {
  std::string html = "<p class=\"quiet\">" + markup(placeText(place)) + "</p>\n";
  const SourceExcerpt excerpt = excerptOf(place);
  if (excerpt.text.empty()) return html;
  // The line break between the two is the only one: their own are escapes.
  html += "<pre tabindex=\"0\"><code>" + markup(excerpt.text);
  if (!excerpt.caret.empty()) html += "\n<b>" + excerpt.caret + "</b>";
  return html + "</code></pre>\n";
}

std::string sitesOf(const CheckFinding &finding) {
  std::string html = "<div class=\"sites\">\n<section><h4>" + markup(finding.second ? "one side" : "where") +
                     "</h4>\n" + sourceOf(finding.place);
  for (const CheckPlace &call : finding.inlinedFrom) html += "<p class=\"quiet\">inlined into</p>\n" + sourceOf(call);
  html += "</section>\n";
  if (const auto &second = finding.second)
    html += "<section><h4>other side: " + markup(second->what) + "</h4>\n" + sourceOf(second->place) +
            (second->items.empty() ? "" : "<p>" + markup(second->items) + "</p>\n") + "</section>\n";
  return html + "</div>\n";
}

std::string articleOf(const CheckedFinding &finding, size_t number) {
  const CheckFinding &first = finding.first;
  const std::string id = "finding-" + std::to_string(number);
  std::string html = "<article id=\"" + id + "\" aria-labelledby=\"" + id + "-title\">\n<h3 id=\"" + id +
                     "-title\"><a href=\"#" + id + "\">" + std::to_string(number) + "</a> " + markup(first.kind) +
                     (first.kernel.empty() ? "" : " in kernel <code>" + markup(first.kernel) + "</code>") +
                     "</h3>\n<p>" + markup(first.sentence) + "</p>\n<dl>\n" + row("memory", first.memory) +
                     row("who", whoText(first));
  for (const auto &[label, what] : first.details) html += row(label, what);
  for (const CheckFollowOn &one : first.followOns) html += row("follows from it", followOnText(one));
  html += row("first in", first.launch ? "launch " + std::to_string(first.launch) : "") +
          row("in all", timesText(finding)) + "</dl>\n" + sitesOf(first);
  if (first.grid) html += gridPicture(*first.grid);
  if (first.strip) html += stripPicture(*first.strip);
  return html + "<p class=\"quiet\">" + markup(helpOf(first.category, first.kind)) +
         "</p>\n<p class=\"quiet\">key: <code>" + markup(patternOf(first.key)) + "</code></p>\n</article>\n";
}

std::string listOf(const std::vector<std::string> &texts) {
  std::string list;
  for (const std::string &text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

/// The classes with findings, in the order of the table.
std::vector<std::pair<std::string, uint64_t>> classesOf(const CheckReport &report) {
  const auto counts = report.shownByClass();
  std::vector<std::pair<std::string, uint64_t>> classes(counts.begin(), counts.end());
  std::ranges::sort(classes, {}, [](const auto &one) { return std::pair(orderOf(one.first), one.first); });
  return classes;
}

} // namespace

std::string htmlOf(const CheckReport &report, const CheckOutcome &outcome) {
  const auto classes = classesOf(report);
  const std::string title = "understudy check: " + plural(report.shown().size(), "finding");
  std::string style = kStyle, filters, sections;
  size_t number = 0;
  for (size_t i = 0; i < classes.size(); ++i) {
    const auto &[category, count] = classes[i];
    const std::string index = std::to_string(i), name = markup(titleOf(category));
    // A checked box stands before what it shows, so that the style alone can hide it.
    style += "#show-" + index + ":not(:checked) ~ main #class-" + index + " { display: none }\n";
    filters += "<input type=\"checkbox\" id=\"show-" + index + "\" checked><label for=\"show-" + index + "\">" + name +
               " (" + std::to_string(count) + ")</label>\n";
    sections += "<section id=\"class-" + index + "\">\n<h2>" + name + "</h2>\n";
    for (const CheckedFinding *const finding : report.shown())
      if (finding->first.category == category) sections += articleOf(*finding, ++number);
    sections += "</section>\n";
  }
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<style>" + style +
         "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#findings\">To the findings</a>\n<header>\n<h1>" + title +
         "</h1>\n<p>" + markup(summaryText(report)) + "</p>\n<dl>\n" + row("checks", listOf(report.checks())) +
         row("devices", listOf(report.devices())) + row("program's exit code", std::to_string(outcome.programCode)) +
         row("ran", outcome.began + " to " + outcome.ended) + row("Understudy", outcome.version) +
         "</dl>\n</header>\n" + (classes.size() > 1 ? "<span>Show: </span>\n" + filters : filters) +
         "<main id=\"findings\" tabindex=\"-1\">\n" + sections + "</main>\n</body>\n</html>\n";
}

} // namespace us::install
