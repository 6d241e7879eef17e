// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container of program binaries and of the disk cache's files, and what is behind a right checksum in it.
#include "emulator/device/serialize.h"
#include "tests/fuzz/fuzz_target.h"

#include <cstring>
#include <xxhash.h>

namespace us::fuzz {
namespace {

using emulator::Bytes;
using emulator::ContentKind;

constexpr std::string_view kIdentity = "here";
constexpr size_t kChecksum = 16, kHeader = 40; // as serialize.cpp has them

std::string packed(std::string_view payload) {
  const Bytes bytes = emulator::pack(ContentKind::Program, kIdentity, std::as_bytes(std::span(payload)));
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// A forged container has a right checksum.
void repairChecksum(std::string &container) {
  if (container.size() < kHeader) return;
  uint32_t kind = 0;
  std::memcpy(&kind, container.data() + 12, sizeof kind);
  const uint64_t sum = XXH64(container.data() + kChecksum + 8, container.size() - kChecksum - 8, kind);
  std::memcpy(container.data() + kChecksum, &sum, sizeof sum);
}

} // namespace

/// The first byte says whether the checksum is made right.
std::vector<std::string> seeds() {
  std::vector<std::string> result;
  for (const char repair : {'\0', '\1'})
    for (const std::string &payload :
         {std::string(), std::string("payload"), std::string(5000, 'x'), std::string(1 << 17, '\0')})
      result.push_back(repair + packed(payload));
  return result;
}

void run(std::string_view input) {
  if (input.empty()) return;
  std::string container(input.substr(1));
  const bool repair = input[0] & 1;
  if (repair) repairChecksum(container);
  // Exactly these bytes, so that one more is seen.
  const std::vector<char> bytes(container.begin(), container.end());
  const std::optional<Bytes> payload =
      emulator::unpack(ContentKind::Program, kIdentity, std::as_bytes(std::span(bytes)));
  if (!payload) return;
  const std::string_view text(reinterpret_cast<const char *>(payload->data()), payload->size());
  const std::string again = packed(text);
  const std::optional<Bytes> back = emulator::unpack(ContentKind::Program, kIdentity, std::as_bytes(std::span(again)));
  if (back != payload) found("a payload does not come back");
}

bool damage(std::string &, Random &) { return false; }

} // namespace us::fuzz
