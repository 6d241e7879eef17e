// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code as the disk cache keeps it: read, and put into place. It is never run.
#include "emulator/device/object_linker.h"
#include "emulator/device/serialize.h"
#include "tests/fuzz/fuzz_target.h"

namespace us::fuzz {
using emulator::Bytes;

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const std::string &object : filesIn(US_OBJECTS, ".o")) {
    const Bytes bytes = emulator::serialize(abi::CodeData{{object.begin(), object.end()}, "linked_entry", 4096});
    result.emplace_back(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  return result;
}

void run(std::string_view input) {
  const std::vector<char> bytes(input.begin(), input.end());
  std::optional<abi::CodeData> code = emulator::readCode(std::as_bytes(std::span(bytes)));
  if (!code) return;
  code->object.shrink_to_fit(); // one byte more is seen
  const emulator::LinkedCode linked = emulator::linkObject(*code);
  if (!linked.pages) return;
  if (linked.codeBegin < linked.pages || linked.codeEnd > linked.pages + linked.size ||
      linked.entry < linked.codeBegin || linked.entry >= linked.codeEnd)
    found("code that lies outside of its pages");
  emulator::unlinkObject(linked);
}

bool damage(std::string &, Random &) { return false; }

} // namespace us::fuzz
