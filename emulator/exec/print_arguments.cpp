// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/print_arguments.h"

#include "runtime/base/align.h"

#include <cstring>

namespace us::exec {
namespace {

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
  using enum abi::PrintType;
  Reader reader{arguments};
  for (const char *at = std::strchr(format, '%'); at; at = std::strchr(at, '%')) {
    ++at;
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
        reader.take(Int32, 4, into);
        ++at;
      }
      at += std::strspn(at, "0123456789");
    }
    const bool isLong = *at == 'l' || *at == 'z' || *at == 'j' || *at == 't';
    at += std::strspn(at, "hljzt");
    if (*at && std::strchr("diouxXc", *at))
      reader.take(isLong ? Int64 : Int32, isLong ? 8 : 4, into);
    else if (*at && std::strchr("fFeEgGaA", *at))
      reader.take(Float64, 8, into);
    else if (*at == 's')
      reader.take(String, 8, into);
    else if (*at == 'p' || *at == 'n')
      reader.take(Pointer, 8, into);
  }
}

} // namespace us::exec
