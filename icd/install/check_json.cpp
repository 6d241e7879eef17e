// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_json.h"

#include <nlohmann/json.hpp>

namespace us::install {
namespace {

using Json = nlohmann::ordered_json;

Json placeJson(const CheckPlace &place) {
  Json json{{"file", place.file}, {"line", place.line}};
  if (place.column) json["column"] = place.column;
  if (!place.function.empty()) json["function"] = place.function;
  if (!place.text.empty()) json["text"] = place.text;
  return json;
}

Json findingJson(const CheckedFinding &finding) {
  const CheckFinding &first = finding.first;
  Json json{{"key", first.key},
            {"class", first.category},
            {"kind", first.kind},
            {"sentence", first.sentence},
            {"kernel", first.kernel},
            {"launch", first.launch},
            {"place", placeJson(first.place)}};
  for (const CheckPlace &call : first.inlinedFrom) json["inlinedFrom"].push_back(placeJson(call));
  if (!first.memory.empty()) json["memory"] = first.memory;
  json["items"] = first.items;
  json["itemCount"] = first.itemCount;
  for (const auto &[label, text] : first.details) json["details"].push_back(Json::array({label, text}));
  if (const auto &second = first.second)
    json["second"] = {{"what", second->what}, {"place", placeJson(second->place)}, {"items", second->items}};
  if (const auto &grid = first.grid)
    json["grid"] = {
        {"localSize", grid->localSize}, {"numGroups", grid->numGroups}, {"group", grid->group}, {"items", grid->items}};
  if (const auto &strip = first.strip)
    json["strip"] = {{"bytes", strip->bytes}, {"from", strip->from}, {"to", strip->to}};
  if (!first.followOns.empty()) json["followOnCount"] = first.followOns.size();
  for (const CheckFollowOn &one : first.followOns)
    json["followOns"].push_back({{"key", one.key},
                                 {"class", one.category},
                                 {"kind", one.kind},
                                 {"sentence", one.sentence},
                                 {"place", placeJson(one.place)},
                                 {"items", one.items}});
  json["processes"] = finding.processes;
  json["launches"] = finding.launches;
  json["workItems"] = finding.workItems;
  if (!finding.suppressedBy.empty()) json["suppressedBy"] = finding.suppressedBy;
  return json;
}

} // namespace

std::string jsonOf(const CheckReport &report, const CheckOutcome &outcome) {
  Json json{{"version", outcome.version}, {"began", outcome.began},      {"ended", outcome.ended},
            {"checks", report.checks()},  {"devices", report.devices()}, {"findings", Json::array()}};
  for (const CheckedFinding &finding : report.all()) json["findings"].push_back(findingJson(finding));
  json["summary"] = {{"processes", report.processes()},
                     {"silentProcesses", report.silentProcesses()},
                     {"kernels", report.kernels()},
                     {"launches", report.launches()},
                     {"workItems", report.workItems()},
                     {"findings", report.shown().size()},
                     {"findingsByClass", report.shownByClass()},
                     {"suppressed", report.suppressed()},
                     {"programExitCode", outcome.programCode},
                     {"exitCode", outcome.code}};
  return json.dump(1) + "\n";
}

} // namespace us::install
