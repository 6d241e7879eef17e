// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/model_target.h"

namespace us::fuzz {

bool check(Answer expected, int code, const char *call) {
  if (expected == Answer::Refused && code == 0) found(std::string(call) + " is accepted, and must not be");
  if (expected == Answer::Accepted && code != 0)
    found(std::string(call) + " is refused with " + std::to_string(code) + ", and must not be");
  return code == 0;
}

std::vector<std::string> seeds() {
  Random random(1);
  std::vector<std::string> result(64);
  for (std::string &seed : result)
    for (unsigned i = 0; i < 200; ++i) seed += char(random());
  return result;
}

void run(std::string_view input) {
  Model &calls = model();
  Choices choices(input);
  calls.reset();
  for (unsigned step = 0; step < 12 && !choices.empty(); ++step) {
    calls.call(choices);
    calls.compare();
  }
}

bool damage(std::string &, Random &) { return false; }

} // namespace us::fuzz
