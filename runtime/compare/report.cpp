// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/report.h"

#include "runtime/base/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace us::compare {
namespace {

using Json = nlohmann::ordered_json;

/// Sources and messages need not be UTF-8, which JSON is.
std::string lineOf(const Json &record) { return record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json toJson(const Difference &difference) {
  Json json = {{"element", difference.element}, {"lane", difference.lane}};
  json["reference"] = difference.reference;
  json["candidate"] = difference.candidate;
  if (difference.ulps) json["ulps"] = *difference.ulps;
  return json;
}

Json toJson(const MemoryRecord &memory) {
  const Judgement &judgement = memory.judgement;
  Json json;
  if (memory.argument >= 0) json["argument"] = memory.argument;
  if (!memory.name.empty()) json["name"] = memory.name;
  if (!memory.type.empty()) json["type"] = memory.type;
  json["bytes"] = memory.size;
  json["elements"] = judgement.elements;
  json["differing"] = judgement.differing;
  json["unsteady"] = judgement.unsteady;
  json["reordered"] = judgement.reordered;
  json["tolerated"] = judgement.tolerated;
  json["largestUlps"] = judgement.largestUlps;
  for (const Difference &difference : judgement.first) json["first"].push_back(toJson(difference));
  return json;
}

bool isWorthALine(const MemoryRecord &memory) {
  const Judgement &judgement = memory.judgement;
  return judgement.differing || judgement.unsteady || judgement.reordered || judgement.tolerated;
}

} // namespace

bool LaunchRecord::differs() const {
  return !failure.empty() ||
         std::ranges::any_of(memory, [](const MemoryRecord &one) { return one.judgement.differing != 0; });
}

void Report::add(const LaunchRecord &record) const {
  Json json = {{"process", getpid()}, {"launch", record.launch}, {"kernel", record.kernel}};
  json["state"] = !record.obstacle.empty() ? "not compared" : record.differs() ? "different" : "same";
  if (!record.obstacle.empty()) json["reason"] = record.obstacle;
  if (!record.failure.empty()) json["failure"] = record.failure;
  json["program"] = record.place.program;
  if (record.place.line) json["line"] = record.place.line, json["text"] = record.place.text;
  json["globalSize"] = record.globalSize;
  if (record.localSize[0]) json["localSize"] = record.localSize;
  json["reference"] = record.reference;
  json["candidate"] = record.candidate;
  for (const MemoryRecord &memory : record.memory)
    if (isWorthALine(memory)) json["memory"].push_back(toJson(memory));
  write(lineOf(json));
}

void Report::add(const BuildRecord &record) const {
  write(lineOf({{"process", getpid()},
                {"program", record.program},
                {"state", "not built"},
                {"candidate", record.candidate},
                {"reason", record.failure},
                {"log", record.log}}));
}

/// In one write: a program may start others, and each adds its lines.
void Report::write(std::string line) const {
  const int file = file_.empty() ? STDERR_FILENO : open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    notice("the report of a comparison could not be written to " + (file_.empty() ? "standard error" : file_));
  if (file > STDERR_FILENO) close(file);
}

} // namespace us::compare
