// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/print_arguments.h"

#include "runtime/base/align.h"

#include <cstring>
#include <string_view>

namespace us::exec {
namespace {

/// Calls `take` for each argument that a format asks for: with its type and bytes, and the text from '%' on.
template <class Take> void readFormat(const char *format, Take take) {
  using enum abi::PrintType;
  for (const char *at = std::strchr(format, '%'); at; at = std::strchr(at, '%')) {
    const std::string_view text(at++);
    if (*at == '%') {
      ++at;
      continue;
    }
    at += std::strspn(at, "-+ #0");
    for (int part = 0; part < 2; ++part) { // width and precision
      if (part == 1 && *at++ != '.') {
        --at;
        break;
      }
      if (*at == '*') {
        take(Int32, 4u, text.substr(0, size_t(at + 1 - text.data())));
        ++at;
      }
      at += std::strspn(at, "0123456789");
    }
    const bool isLong = *at == 'l' || *at == 'z' || *at == 'j' || *at == 't';
    at += std::strspn(at, "hljzt");
    const std::string_view whole = text.substr(0, size_t(at + 1 - text.data()));
    if (*at && std::strchr("diouxXc", *at))
      take(isLong ? Int64 : Int32, isLong ? 8u : 4u, whole);
    else if (*at && std::strchr("fFeEgGaA", *at))
      take(Float64, 8u, whole);
    else if (*at == 's')
      take(String, 8u, whole);
    else if (*at == 'p' || *at == 'n')
      take(Pointer, 8u, whole);
  }
}

struct Reader {
  const std::byte *arguments;
  uint64_t offset = 0;

  void take(abi::PrintType type, uint32_t size, PrintRecord &into) {
    if (into.count == PrintRecord::kMostArguments) return;
    offset = alignTo(offset, size);
    const abi::PrintTag tag{type, 1};
    std::memcpy(into.bytes + into.size, &tag, sizeof tag);
    std::memcpy(into.bytes + into.size + sizeof tag, arguments + offset, size);
    into.size += uint32_t(sizeof tag) + size;
    ++into.count;
    offset += size;
  }
};

} // namespace

void readPrintArguments(const char *format, const std::byte *arguments, PrintRecord &into) {
  Reader reader{arguments};
  readFormat(format, [&](abi::PrintType type, uint32_t size, std::string_view) { reader.take(type, size, into); });
}

std::string printMismatch(const char *format, const uint8_t *stored, uint64_t size) {
  using enum abi::StoredArgument;
  const auto at = [&](uint64_t byte) { return stored && byte < size ? abi::StoredArgument(stored[byte]) : None; };
  std::string mismatch;
  uint64_t offset = 0;
  readFormat(format, [&](abi::PrintType, uint32_t wanted, std::string_view text) {
    offset = alignTo(offset, wanted);
    const abi::StoredArgument first = at(offset), behind = at(offset + wanted - 1);
    offset += wanted;
    if (!mismatch.empty()) return;
    const std::string subject = "'" + std::string(text) + "'";
    // Of a constant of 8 bytes nobody knows whether a compiler has made one of two; two of 4 bytes may have been one.
    const bool isShort = wanted == 8 && (first == Word || first == ConstantWord) &&
                         (behind == None || (first == Word && behind == Word));
    if (first == None)
      mismatch = "there is no argument for " + subject;
    else if (isShort || (wanted == 4 && first == TwoWords))
      mismatch = subject + " takes " + std::to_string(wanted) + " bytes and is given " + (isShort ? "4" : "8");
  });
  return mismatch;
}

} // namespace us::exec
