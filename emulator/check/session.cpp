// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/session.h"

#include "runtime/base/finding_listener.h"
#include "runtime/base/log.h"
#include "runtime/device/device.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace us::check {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const FoundPlace &place) {
  // "<source>": a text that has no file.
  Json json = {{"file", place.place.file.starts_with('<') ? "" : place.place.file}, {"line", place.place.line}};
  if (place.place.column) json["column"] = place.place.column;
  json["function"] = place.function;
  if (!place.text.empty()) json["text"] = place.text;
  return json;
}

Json toJson(const CheckFinding &found, uint64_t launch) {
  const Finding &finding = found.finding;
  Json json = {{"key", found.key},         {"class", found.checkClass},
               {"kind", found.kind},       {"sentence", textOf(finding)},
               {"kernel", finding.kernel}, {"launch", launch}};
  if (launch == 0) json.erase("launch"); // the host did it
  if (found.place.place.line) json["place"] = toJson(found.place);
  for (const FoundPlace &caller : found.inlinedFrom) json["inlinedFrom"].push_back(toJson(caller));
  const bool hasMemory = found.checkClass == "memory" && finding.kind != FindingKind::WrongIndex &&
                         finding.kind != FindingKind::OutsideImage;
  if (hasMemory) json["memory"] = textOf(finding.address, finding.memory);
  if (!found.secondWhat.empty())
    json["second"] = {{"what", found.secondWhat}, {"place", toJson(found.second)}, {"items", found.secondItems}};
  json["items"] = finding.items.several;
  json["itemCount"] = found.items.size();
  for (const auto &[label, text] : found.details) json["details"].push_back({label, text});
  if (found.items.size()) {
    const Size3 &groups = found.shape.numGroups;
    const uint64_t group = found.items.firstGroup(), row = group / groups[0];
    json["grid"] = {{"localSize", found.shape.localSize},
                    {"numGroups", groups},
                    {"group", {group % groups[0], row % groups[1], row / groups[1]}},
                    {"items", found.items.itemsOfFirstGroup()}};
  }
  for (const CheckFinding &one : found.followOns)
    json["followOns"].push_back({{"key", one.key},
                                 {"class", one.checkClass},
                                 {"kind", one.kind},
                                 {"sentence", textOf(one.finding)},
                                 {"place", toJson(one.place)},
                                 {"items", one.finding.items.several}});
  if (found.touchedTo != found.touchedFrom)
    json["strip"] = {
        {"bytes", finding.memory.size}, {"from", int64_t(found.touchedFrom)}, {"to", int64_t(found.touchedTo)}};
  return json;
}

} // namespace

Session::Session(abi::CheckSet checks, std::string report, HostPlaces::Lines lines)
    : checks_(checks), report_(std::move(report)), places_(lines) {}

void Session::deviceMade(const std::string &name) {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(hasBegun_, true) || report_.empty()) return;
  Json names = Json::array();
  for (const abi::CheckClassInfo &one : abi::kCheckClasses)
    if (abi::isIn(checks_, one.checkClass)) names.push_back(one.name);
  write(Json{{"began", true}, {"process", getpid()}, {"checks", std::move(names)}, {"device", name}}.dump());
}

void Session::launched(const std::string &kernel, uint64_t workItems, std::vector<CheckFinding> findings,
                       const CallSite *enqueuedAt, CommandObserver *observer) {
  for (CheckFinding &found : findings) addSites(found, enqueuedAt);
  std::vector<const CheckFinding *> news;
  uint64_t launch = 0;
  {
    const std::scoped_lock lock(mutex_);
    launch = ++launches_;
    workItems_ += workItems;
    ++kernels_[kernel];
    for (const CheckFinding &found : findings) {
      Count &count = counts_[found.key];
      if (count.launches++ == 0) news.push_back(&found);
      count.items += found.items.size();
    }
    for (const CheckFinding *found : news) say(*found, launch);
  }
  const auto tellObserver = [observer](const std::string &sentence, const std::string &json) {
    if (observer) observer->foundByCheck(sentence, json);
  };
  for (const CheckFinding *found : news) tellProgram(*found, launch, tellObserver);
}

void Session::tellProgram(const CheckFinding &found, uint64_t launch, const Listener &listener) const {
  const std::string sentence = textOf(found.finding);
  const std::string json = toJson(found, launch).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (listener) listener(sentence, json);
  tellFindingListener(sentence, json);
}

/// Where the host has made the memory and enqueued the launch.
void Session::addSites(CheckFinding &found, const CallSite *enqueuedAt) {
  if (const CallSite *const made = found.finding.memory.owner.madeAt)
    found.details.emplace_back("made", places_.textOf(*made));
  if (enqueuedAt) found.details.emplace_back("enqueued", places_.textOf(*enqueuedAt));
}

namespace {
abi::CheckClass classOf(HostCheck check) {
  constexpr abi::CheckClass kClasses[] = {abi::CheckClass::Api, abi::CheckClass::Leaks, abi::CheckClass::Races};
  return kClasses[size_t(check)];
}
} // namespace

bool Session::wants(HostCheck check) const { return abi::isIn(checks_, classOf(check)); }

CheckFinding Session::describe(const HostFinding &told) {
  CheckFinding found;
  found.finding.kind = FindingKind::HostMistake;
  found.finding.text = told.sentence;
  found.checkClass = abi::kCheckClasses[size_t(classOf(told.check))].name;
  found.kind = told.kind;
  if (told.where) {
    const std::vector<FoundPlace> &places = places_.of(*told.where);
    if (places.empty())
      found.place.function = told.where->call;
    else
      found.place = places.front();
    for (size_t i = 1; i < places.size(); ++i) found.details.emplace_back("called from", textOf(places[i]));
  }
  if (told.second) {
    const std::vector<FoundPlace> &places = places_.of(*told.second);
    found.secondWhat = told.second->call;
    if (!places.empty()) found.second = places.front();
  }
  for (const auto &[what, site] : told.others)
    if (site) found.details.emplace_back(what, places_.textOf(*site));
  found.key = keyOf(found);
  return found;
}

void Session::tell(const HostFinding &told) {
  if (!wants(told.check)) return;
  const CheckFinding found = describe(told);
  {
    const std::scoped_lock lock(mutex_);
    if (counts_[found.key].launches++ != 0) return;
    say(found, 0);
  }
  if (!told.isLate) tellProgram(found, 0, told.alsoTold);
}

void Session::refused(const CheckFinding &found) {
  uint64_t launch = 0;
  {
    const std::scoped_lock lock(mutex_);
    launch = ++launches_;
    ++kernels_[found.finding.kernel];
    if (counts_[found.key].launches++ != 0) return;
    say(found, launch);
  }
  tellProgram(found, launch, {}); // the call itself has failed
}

void Session::say(const CheckFinding &found, uint64_t launch) const {
  if (!report_.empty())
    return write(Json{{"process", getpid()}, {"finding", toJson(found, launch)}}.dump(-1, ' ', false,
                                                                                      Json::error_handler_t::replace));
  std::string text = "understudy: " + textOf(found.finding);
  // A kernel's sentence says where it is.
  if (found.finding.kernel.empty() && found.place.place.line) text += ", " + textOf(found.place);
  text += "\n";
  if (!found.place.text.empty()) text += "  " + found.place.text + "\n";
  for (const auto &[label, detail] : found.details) text += "  " + label + ": " + detail + "\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

void Session::end() {
  const std::scoped_lock lock(mutex_);
  if (report_.empty()) return;
  Json counts = Json::object(), launches = Json::object();
  for (const auto &[key, count] : counts_) {
    counts[key] = count.items;
    launches[key] = count.launches;
  }
  write(Json{{"process", getpid()},
             {"ended", true},
             {"kernels", kernels_.size()},
             {"launches", launches_},
             {"workItems", workItems_},
             {"counts", std::move(counts)},
             {"launchesOf", std::move(launches)},
             {"launchesByKernel", kernels_}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// In one write: other processes append, too.
void Session::write(std::string line) const {
  line += '\n';
  const int file = open(report_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    log(LogLevel::Error, "what was checked could not be written to " + report_);
  if (file >= 0) close(file);
}

} // namespace us::check
