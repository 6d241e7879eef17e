// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_sarif.h"

#include "icd/install/check_kinds.h"
#include "icd/install/check_text.h"
#include "icd/install/words.h"
#include "runtime/base/fnv.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>

namespace us::install {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// RFC 3986, 2.3: the characters that need no escape, and the slash.
std::string uriPath(const std::string &path) {
  std::string uri;
  for (const char c : path) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        std::string_view("-._~/").contains(c)) {
      uri += c;
      continue;
    }
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", static_cast<unsigned>(static_cast<uint8_t>(c)));
    uri += escape;
  }
  return uri;
}

class Sarif {
public:
  explicit Sarif(std::string root) : root_(std::move(root)) {}

  Json artifactOf(const CheckPlace &place, const std::string &kernel) const {
    // A host refuses results without a file. Compilers name what is none as "<source>".
    if (place.file.empty() || place.file.front() == '<')
      return {{"uri", uriPath("kernels/" + (kernel.empty() ? std::string("host") : kernel))},
              {"description", {{"text", "a source that the program passes as text, or no source at all"}}}};
    const fs::path path = fs::path(place.file).is_absolute() ? fs::path(place.file) : fs::current_path() / place.file;
    const fs::path normal = path.lexically_normal(), inRoot = normal.lexically_relative(root_);
    if (!inRoot.empty() && *inRoot.begin() != "..")
      return {{"uri", uriPath(inRoot.string())}, {"uriBaseId", "%SRCROOT%"}};
    return {{"uri", "file://" + uriPath(normal.string())}};
  }

  Json locationOf(const CheckPlace &place, const std::string &kernel, const std::string &message = {}) const {
    Json location{{"physicalLocation", {{"artifactLocation", artifactOf(place, kernel)}, {"region", regionOf(place)}}}};
    if (!place.function.empty())
      location["logicalLocations"] = Json::array({{{"name", place.function}, {"kind", "function"}}});
    if (!message.empty()) location["message"]["text"] = message;
    return location;
  }

  Json resultOf(const CheckedFinding &finding, size_t rule) const {
    const CheckFinding &first = finding.first;
    std::string text = first.sentence;
    const auto add = [&](const std::string &label, const std::string &what) {
      if (!what.empty()) text += "\n" + label + ": " + what;
    };
    add("memory", first.memory);
    add("who", whoText(first));
    for (const auto &[label, what] : first.details) add(label, what);
    if (first.second) add("other side", first.second->what + " " + first.second->items);
    for (const CheckFollowOn &one : first.followOns) add("follows from it", followOnText(one));
    add("in all", timesText(finding));
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(fnv1a(first.key)));
    Json result{
        {"ruleId", ruleIdOf(first.category, first.kind)},
        {"ruleIndex", rule},
        {"level", "error"},
        {"message", {{"text", text}}},
        {"locations", Json::array({locationOf(first.place, first.kernel)})},
        // The second is what hosts call the line's own; each key is there once.
        {"partialFingerprints", {{"understudyKey/v1", hash}, {"primaryLocationLineHash", hash + std::string(":1")}}},
        {"properties", {{"key", first.key}, {"kernel", first.kernel}}}};
    Json &related = result["relatedLocations"] = Json::array();
    if (const auto &second = first.second)
      related.push_back(locationOf(second->place, first.kernel, "the other side: " + second->what));
    for (const CheckPlace &call : first.inlinedFrom)
      related.push_back(locationOf(call, first.kernel, "inlined into " + placeText(call)));
    for (const CheckFollowOn &one : first.followOns)
      related.push_back(locationOf(one.place, first.kernel, "follows from it: " + one.sentence));
    for (size_t i = 0; i < related.size(); ++i) related[i]["id"] = i + 1;
    return result;
  }

private:
  static Json regionOf(const CheckPlace &place) {
    // Lines are counted from 1 on; findings without one stand at the first.
    Json region{{"startLine", place.line ? place.line : 1}};
    const std::string &text = place.text;
    // Ours count bytes.
    const bool hasColumn = place.column && place.column <= text.size();
    region["startColumn"] = hasColumn ? charactersOf(std::string_view(text).substr(0, place.column - 1)) + 1 : 1;
    region["endLine"] = region["startLine"];
    if (text.empty()) return region;
    region["endColumn"] = charactersOf(text) + 1;
    region["snippet"]["text"] = text;
    return region;
  }

  const fs::path root_;
};

Json ruleOf(const CheckFinding &finding) {
  const std::string name = titleOf(finding.category) + ": " + finding.kind;
  const std::string help(helpOf(finding.category, finding.kind));
  return {{"id", ruleIdOf(finding.category, finding.kind)},
          {"name", name},
          {"shortDescription", {{"text", name}}},
          {"fullDescription", {{"text", help}}},
          {"help", {{"text", help}, {"markdown", help}}},
          {"defaultConfiguration", {{"level", "error"}}},
          {"properties",
           {{"tags", Json::array({"kernel", finding.category})},
            {"precision", "very-high"},
            {"problem.severity", "error"}}}};
}

} // namespace

std::string sourceRootOf(const std::string &folder) {
  std::error_code ignored; // what cannot be read holds no repository
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path())
    if (fs::exists(at / ".git", ignored)) return at.string();
  return folder;
}

std::string sarifOf(const CheckReport &report, const CheckOutcome &outcome, const std::string &root) {
  const Sarif sarif(root);
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, size_t> indices;
  for (const CheckedFinding *const finding : report.shown()) {
    const auto [rule, isNew] = indices.emplace(ruleIdOf(finding->first.category, finding->first.kind), indices.size());
    if (isNew) rules.push_back(ruleOf(finding->first));
    results.push_back(sarif.resultOf(*finding, rule->second));
  }
  const std::string slash = root.ends_with('/') ? "" : "/";
  const Json run{{"tool",
                  {{"driver",
                    {{"name", "Understudy"},
                     {"version", outcome.version},
                     {"semanticVersion", outcome.version},
                     {"rules", rules}}}}},
                 {"columnKind", "unicodeCodePoints"},
                 {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", "file://" + uriPath(root) + slash}}}}},
                 {"invocations", Json::array({{{"executionSuccessful", !report.hasBadLines() && !report.nothingRan()},
                                               {"exitCode", outcome.code},
                                               {"startTimeUtc", outcome.began},
                                               {"endTimeUtc", outcome.ended},
                                               {"properties",
                                                {{"programExitCode", outcome.programCode},
                                                 {"checks", report.checks()},
                                                 {"devices", report.devices()},
                                                 {"launches", report.launches()},
                                                 {"suppressed", report.suppressed()}}}}})},
                 {"results", results}};
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return log.dump(1) + "\n";
}

} // namespace us::install
