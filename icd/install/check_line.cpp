// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_line.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace us::install {
namespace {

using Parsed = nlohmann::json;

enum class Must : bool { No, Yes };

/// The fields of an object. One that has another type than is asked for, or is not there though it must be, is nothing,
/// and remembered as what is wrong with the line.
class Fields {
public:
  Fields(const Parsed &object, std::string &wrong) : object_(object), wrong_(wrong) {
    if (!object.is_object()) wrong_ = "what should be an object is none";
  }

  std::string text(const char *name, Must must = Must::No) const {
    const Parsed *const field = at(name, must, &Parsed::is_string, "text");
    std::string text = field ? field->get<std::string>() : std::string();
    if (must == Must::Yes && text.empty() && wrong_.empty()) wrong_ = "'" + std::string(name) + "' is empty";
    return text;
  }
  uint64_t number(const char *name, Must must = Must::No) const {
    const Parsed *const field = at(name, must, &Parsed::is_number_unsigned, "a number from 0 on");
    return field ? field->get<uint64_t>() : 0;
  }
  int64_t signedNumber(const char *name) const {
    const Parsed *const field = at(name, Must::Yes, &Parsed::is_number_integer, "a whole number");
    return field ? field->get<int64_t>() : 0;
  }
  const Parsed *object(const char *name) const { return at(name, Must::No, &Parsed::is_object, "an object"); }
  /// An array's elements; of none, none.
  const Parsed &list(const char *name) const {
    static const Parsed kNone = Parsed::array();
    const Parsed *const field = at(name, Must::No, &Parsed::is_array, "a list");
    return field ? *field : kNone;
  }
  std::vector<std::string> texts(const char *name) const {
    std::vector<std::string> texts;
    for (const Parsed &one : list(name))
      if (one.is_string())
        texts.push_back(one.get<std::string>());
      else
        isNot(name, "a list of texts");
    return texts;
  }
  std::vector<uint64_t> numbers(const char *name) const {
    std::vector<uint64_t> numbers;
    for (const Parsed &one : list(name))
      if (one.is_number_unsigned())
        numbers.push_back(one.get<uint64_t>());
      else
        isNot(name, "a list of numbers from 0 on");
    return numbers;
  }
  std::array<uint64_t, 3> size(const char *name) const {
    const std::vector<uint64_t> numbers = this->numbers(name);
    if (numbers.size() != 3) isNot(name, "a list of three numbers");
    std::array<uint64_t, 3> size{};
    std::copy_n(numbers.begin(), std::min<size_t>(numbers.size(), 3), size.begin());
    return size;
  }
  std::map<std::string, uint64_t> counts(const char *name) const {
    std::map<std::string, uint64_t> counts;
    const Parsed *const field = object(name);
    for (const auto &[key, count] : (field ? *field : Parsed::object()).items())
      if (count.is_number_unsigned())
        counts[key] = count.get<uint64_t>();
      else
        isNot(name, "an object of numbers from 0 on");
    return counts;
  }
  std::string &wrong() const { return wrong_; }

  void isNot(const char *name, const char *what) const {
    if (wrong_.empty()) wrong_ = "'" + std::string(name) + "' is not " + what;
  }

private:
  const Parsed *at(const char *name, Must must, bool (Parsed::*is)() const noexcept, const char *what) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    if (found != object_.end() && ((*found).*is)()) return &*found;
    if (found != object_.end())
      isNot(name, what);
    else if (must == Must::Yes && wrong_.empty())
      wrong_ = "it has no '" + std::string(name) + "'";
    return nullptr;
  }

  const Parsed &object_;
  std::string &wrong_;
};

CheckPlace placeOf(const Fields &fields) {
  return {fields.text("file"), fields.text("function"), fields.text("text"), fields.number("line"),
          fields.number("column")};
}

CheckPlace placeAt(const Fields &fields, const char *name) {
  const Parsed *const place = fields.object(name);
  return place ? placeOf(Fields(*place, fields.wrong())) : CheckPlace{};
}

CheckFinding findingOf(const Fields &fields) {
  CheckFinding finding{.key = fields.text("key", Must::Yes),
                       .category = fields.text("class", Must::Yes),
                       .kind = fields.text("kind", Must::Yes),
                       .sentence = fields.text("sentence", Must::Yes),
                       .kernel = fields.text("kernel"),
                       .launch = fields.number("launch"),
                       .place = placeAt(fields, "place"),
                       .memory = fields.text("memory"),
                       .items = fields.text("items"),
                       .itemCount = fields.number("itemCount")};
  // Suppressions are lines.
  if (finding.key.find_first_of("\r\n") != std::string::npos) fields.isNot("key", "one line");
  for (const Parsed &place : fields.list("inlinedFrom"))
    finding.inlinedFrom.push_back(placeOf(Fields(place, fields.wrong())));
  for (const Parsed &detail : fields.list("details"))
    if (detail.is_array() && detail.size() == 2 && detail[0].is_string() && detail[1].is_string())
      finding.details.emplace_back(detail[0], detail[1]);
    else
      fields.isNot("details", "a list of pairs of texts");
  if (const Parsed *const second = fields.object("second")) {
    const Fields side(*second, fields.wrong());
    finding.second = CheckOtherSide{side.text("what"), placeAt(side, "place"), side.text("items")};
  }
  if (const Parsed *const grid = fields.object("grid")) {
    const Fields sizes(*grid, fields.wrong());
    finding.grid =
        CheckGrid{sizes.size("localSize"), sizes.size("numGroups"), sizes.size("group"), sizes.numbers("items")};
  }
  if (const Parsed *const strip = fields.object("strip")) {
    const Fields range(*strip, fields.wrong());
    finding.strip = CheckStrip{range.number("bytes", Must::Yes), range.signedNumber("from"), range.signedNumber("to")};
  }
  for (const Parsed &one : fields.list("followOns")) {
    const Fields follow(one, fields.wrong());
    finding.followOns.push_back({follow.text("key"), follow.text("class", Must::Yes), follow.text("kind", Must::Yes),
                                 follow.text("sentence"), placeAt(follow, "place"), follow.text("items")});
  }
  return finding;
}

} // namespace

Expected<CheckLine> checkLineOf(const std::string &line) {
  const Parsed record = Parsed::parse(line, nullptr, false);
  if (record.is_discarded()) return fail(ErrorCode::InvalidValue, "it is not JSON");
  std::string wrong;
  const Fields fields(record, wrong);
  CheckLine read{.process = fields.number("process", Must::Yes)};
  if (record.contains("began"))
    read.says = CheckBegan{fields.texts("checks"), fields.text("device")};
  else if (record.contains("ended"))
    read.says = CheckEnded{fields.number("kernels"), fields.number("launches"),   fields.number("workItems"),
                           fields.counts("counts"),  fields.counts("launchesOf"), fields.counts("launchesByKernel")};
  else if (const Parsed *const finding = fields.object("finding"))
    read.says = findingOf(Fields(*finding, wrong));
  else if (wrong.empty())
    wrong = "it says neither 'began' nor 'finding' nor 'ended'";
  if (!wrong.empty()) return fail(ErrorCode::InvalidValue, wrong);
  return read;
}

} // namespace us::install
