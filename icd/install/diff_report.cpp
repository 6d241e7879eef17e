// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/diff_report.h"

#include "icd/install/words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace us::install {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(uint64_t number) { return std::to_string(number); }

std::string sizeText(const Json &size) {
  return textOf(size.at(0)) + " x " + textOf(size.at(1)) + " x " + textOf(size.at(2));
}

/// "[7].s1: 1.5, the candidate has 1.25 (4194304 ulps)"
std::string textOf(const Json &difference, bool isVector) {
  constexpr const char *kLanes = "0123456789abcdef";
  std::string text = "[" + std::to_string(difference.at("element").get<int64_t>()) + "]";
  if (isVector) text += std::string(".s") + kLanes[difference.at("lane").get<uint32_t>() % 16];
  text += ": " + difference.at("reference").get<std::string>() + ", the candidate has " +
          difference.at("candidate").get<std::string>();
  if (difference.contains("ulps")) text += " (" + textOf(difference.at("ulps").get<uint64_t>()) + " ulps)";
  return text + "\n";
}

std::string memoryText(const Json &memory) {
  std::string text = memory.contains("argument") ? "argument " + textOf(memory.at("argument").get<uint64_t>())
                                                 : std::string("memory that no argument points to");
  if (memory.contains("name")) text += " '" + memory.at("name").get<std::string>() + "'";
  if (memory.contains("type")) text += " (" + memory.at("type").get<std::string>() + ")";
  text += ": " + textOf(memory.at("differing").get<uint64_t>()) + " of " +
          textOf(memory.at("elements").get<uint64_t>()) + " elements differ\n";
  const bool isVector =
      std::ranges::any_of(memory.at("first"), [](const Json &one) { return one.at("lane").get<uint32_t>() != 0; });
  for (const Json &difference : memory.at("first")) text += "    " + textOf(difference, isVector);
  if (memory.at("first").size() < memory.at("differing").get<uint64_t>()) text += "    …\n";
  return text;
}

std::string blockOf(const Json &record) {
  std::string text = "understudy: launch " + textOf(record.at("launch").get<uint64_t>()) + " of process " +
                     textOf(record.at("process").get<uint64_t>()) + " differs: kernel '" +
                     record.at("kernel").get<std::string>() + "', program " +
                     textOf(record.at("program").get<uint64_t>());
  if (record.contains("line"))
    text += ", line " + textOf(record.at("line").get<uint64_t>()) + ": " + record.at("text").get<std::string>();
  text += "\n  global size " + sizeText(record.at("globalSize"));
  if (record.contains("localSize")) text += ", local size " + sizeText(record.at("localSize"));
  text += "\n  reference '" + record.at("reference").get<std::string>() + "', candidate '" +
          record.at("candidate").get<std::string>() + "'\n";
  if (record.contains("failure")) text += "  " + record.at("failure").get<std::string>() + "\n";
  if (record.contains("memory"))
    for (const Json &memory : record.at("memory"))
      if (memory.at("differing").get<uint64_t>()) text += "  " + memoryText(memory);
  return text;
}

std::string buildText(const Json &record) {
  return "understudy: program " + textOf(record.at("program").get<uint64_t>()) + " of process " +
         textOf(record.at("process").get<uint64_t>()) + " is not built for the candidate '" +
         record.at("candidate").get<std::string>() + "': " + record.at("reason").get<std::string>() + "\n" +
         record.at("log").get<std::string>() + "\n";
}

} // namespace

Expected<void> DiffReport::start(const std::string &json) {
  char path[] = "/tmp/understudy-diff-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return fail(ErrorCode::OutOfResources, std::string("no temporary file: ") + std::strerror(errno));
  close(file);
  path_ = path;
  setenv("UNDERSTUDY_DIFF_REPORT", path, 1);
  json_ = json;
  if (json_.empty()) return {};
  // Known before the program has run for an hour.
  if (!std::ofstream(json_))
    return fail(ErrorCode::OutOfResources, "'" + json_ + "' cannot be written: " + std::strerror(errno));
  return {};
}

void DiffReport::Sums::add(const Json &record) {
  const std::string state = record.at("state");
  (state == "same" ? same : state == "different" ? different : notCompared) += 1;
  if (!record.contains("memory")) return;
  for (const Json &memory : record.at("memory")) {
    unsteady += memory.at("unsteady").get<uint64_t>();
    reordered += memory.at("reordered").get<uint64_t>();
    tolerated += memory.at("tolerated").get<uint64_t>();
    largestUlps = std::max(largestUlps, memory.at("largestUlps").get<uint64_t>());
  }
}

void DiffReport::add(const Json &record) {
  const std::string state = record.at("state");
  if (state == "not built") {
    texts_.push_back(buildText(record));
    return;
  }
  total_.add(record);
  kernels_[record.at("kernel")].add(record);
  if (state == "not compared") ++notCompared_[{record.at("kernel"), record.at("reason")}];
  if (state == "different" && total_.different <= blocks_) texts_.push_back(blockOf(record));
}

Expected<void> DiffReport::finish() {
  std::ifstream file(path_);
  std::ofstream all;
  if (!json_.empty()) all.open(json_);
  all << "{\"launches\": [";
  const char *between = "\n";
  for (std::string line; std::getline(file, line);) {
    const Json record = Json::parse(line, nullptr, false);
    if (!record.is_object()) return fail(ErrorCode::Internal, "a line of the report cannot be read: " + line);
    add(record);
    all << std::exchange(between, ",\n") << line;
  }
  all << "\n],\n\"summary\": " << summary().dump(1) << "}\n";
  all.flush();
  unlink(path_.c_str());
  if (!json_.empty() && !all) return fail(ErrorCode::OutOfResources, "'" + json_ + "' could not be written");
  return {};
}

Json DiffReport::summary() const {
  const auto toJson = [](const Sums &sums) {
    return Json{{"same", sums.same},
                {"different", sums.different},
                {"notCompared", sums.notCompared},
                {"unsteady", sums.unsteady},
                {"reordered", sums.reordered},
                {"tolerated", sums.tolerated},
                {"largestUlps", sums.largestUlps}};
  };
  Json json = toJson(total_);
  for (const auto &[kernel, sums] : kernels_) json["kernels"][kernel] = toJson(sums);
  return json;
}

void DiffReport::print(FILE *to) const {
  for (const std::string &text : texts_) std::fputs(text.c_str(), to);
  if (total_.different > blocks_)
    std::fprintf(to, "understudy: %s more differ\n", plural(total_.different - blocks_, "launch").c_str());
  std::fprintf(to, "understudy: %s compared: %llu the same, %llu different; %llu not compared\n",
               plural(compared(), "launch").c_str(), static_cast<unsigned long long>(total_.same),
               static_cast<unsigned long long>(total_.different), static_cast<unsigned long long>(total_.notCompared));
  for (const auto &[kernel, sums] : kernels_) {
    if (sums.same + sums.different == 0) continue;
    std::string text = "understudy:   kernel " + kernel + ": " + textOf(sums.same) + " the same, " +
                       textOf(sums.different) + " different";
    if (sums.tolerated)
      text += "; " + plural(sums.tolerated, "element") + " near enough, at most " + textOf(sums.largestUlps) +
              " ulps apart";
    if (sums.unsteady) text += "; " + plural(sums.unsteady, "element") + " that the reference does not repeat";
    if (sums.reordered) text += "; " + plural(sums.reordered, "element") + " in another order";
    std::fprintf(to, "%s\n", text.c_str());
  }
  for (const auto &[what, count] : notCompared_)
    std::fprintf(to, "understudy:   kernel %s: %s not compared: %s\n", what.first.c_str(),
                 plural(count, "launch").c_str(), what.second.c_str());
}

} // namespace us::install
