// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeping and formatting what kernels print.
#include "emulator/exec/printf_buffer.h"

#include "emulator/exec/kernel_guard.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <utility>

namespace us::exec {
namespace {

constexpr size_t kMaxString = 64 * 1024;

constexpr uint32_t kTypeBytes[] = {0, 1, 2, 4, 8, 2, 4, 8, 8, 8};

/// Steps through a record's arguments.
struct RecordReader {
  const std::byte *at, *end;

  /// False at the end, or where the record is malformed.
  bool next(abi::PrintTag &tag, const std::byte *&values) {
    if (end - at < static_cast<ptrdiff_t>(sizeof tag)) return false;
    std::memcpy(&tag, at, sizeof tag);
    const auto type = static_cast<size_t>(tag.type);
    if (type == 0 || type >= std::size(kTypeBytes)) return false;
    const uint32_t bytes = kTypeBytes[type] * tag.elements;
    if (end - at - static_cast<ptrdiff_t>(sizeof tag) < static_cast<ptrdiff_t>(bytes)) return false;
    values = at + sizeof tag;
    at = values + bytes;
    return true;
  }
};

template <class T> T load(const std::byte *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

double halfToDouble(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, sizeof half);
  return static_cast<double>(half);
}

double loadFloat(abi::PrintType type, const std::byte *from) {
  switch (type) {
  case abi::PrintType::Float16:
    return halfToDouble(load<uint16_t>(from));
  case abi::PrintType::Float32:
    return load<float>(from);
  case abi::PrintType::Float64:
    return load<double>(from);
  default:
    return 0;
  }
}

/// The value, sign-extended.
int64_t loadInteger(abi::PrintType type, const std::byte *from) {
  switch (type) {
  case abi::PrintType::Int8:
    return load<int8_t>(from);
  case abi::PrintType::Int16:
    return load<int16_t>(from);
  case abi::PrintType::Int32:
    return load<int32_t>(from);
  case abi::PrintType::Float16:
  case abi::PrintType::Float32:
  case abi::PrintType::Float64:
    return 0;
  default:
    return load<int64_t>(from);
  }
}

bool isFloat(abi::PrintType type) { return type >= abi::PrintType::Float16 && type <= abi::PrintType::Float64; }

enum class Length : uint8_t { None, Char, Short, VectorInt, Long };

/// One conversion specification.
struct Conversion {
  std::string flagsAndWidth; ///< "-08.3", as printf wants it; a '*' stands for an argument
  uint32_t elements = 1;
  Length length = Length::None;
  char specifier = 0;
};

/// Parses what follows a '%'; false if it is no conversion. `at` is left behind it.
bool parse(const char *&at, Conversion &into) {
  const char *begin = at;
  at += std::strspn(at, "-+ #0");
  at += *at == '*' ? 1 : std::strspn(at, "0123456789");
  if (*at == '.') at += 1 + (at[1] == '*' ? 1 : std::strspn(at + 1, "0123456789"));
  into.flagsAndWidth.assign(begin, at);
  if (*at == 'v') {
    ++at;
    into.elements = 0;
    for (; *at >= '0' && *at <= '9' && into.elements < 100; ++at)
      into.elements = into.elements * 10 + static_cast<uint32_t>(*at - '0');
  }
  if (at[0] == 'h' && at[1] == 'h')
    into.length = Length::Char, at += 2;
  else if (at[0] == 'h' && at[1] == 'l')
    into.length = Length::VectorInt, at += 2;
  else if (at[0] == 'h')
    into.length = Length::Short, at += 1;
  // "ll" is not OpenCL C, but programs write it and can only mean 64 bits.
  else if (at[0] == 'l')
    into.length = Length::Long, at += at[1] == 'l' ? 2 : 1;
  else if (*at == 'z' || *at == 'j' || *at == 't')
    into.length = Length::Long, at += 1;
  into.specifier = *at;
  if (!*at || !std::strchr("diouxXfFeEgGaAcspn", *at) || into.elements == 0) return false;
  ++at;
  return true;
}

template <class T> void appendFormatted(std::string &text, const std::string &format, T value) {
  char small[128];
  int length = std::snprintf(small, sizeof small, format.c_str(), value);
  if (length < 0) return;
  if (static_cast<size_t>(length) < sizeof small) {
    text.append(small, static_cast<size_t>(length));
    return;
  }
  const size_t at = text.size();
  text.resize(at + static_cast<size_t>(length) + 1);
  std::snprintf(text.data() + at, static_cast<size_t>(length) + 1, format.c_str(), value);
  text.resize(at + static_cast<size_t>(length));
}

/// An integer as wide as the length modifier says.
uint64_t truncated(int64_t value, Length length, bool isSigned) {
  switch (length) {
  case Length::Char:
    return isSigned ? static_cast<uint64_t>(static_cast<int8_t>(value)) : static_cast<uint8_t>(value);
  case Length::Short:
    return isSigned ? static_cast<uint64_t>(static_cast<int16_t>(value)) : static_cast<uint16_t>(value);
  case Length::Long:
    return static_cast<uint64_t>(value);
  default:
    return isSigned ? static_cast<uint64_t>(static_cast<int32_t>(value)) : static_cast<uint32_t>(value);
  }
}

void appendElement(std::string &text, const Conversion &conversion, abi::PrintType type, const std::byte *from) {
  const std::string start = "%" + conversion.flagsAndWidth;
  const char specifier = conversion.specifier;
  if (std::strchr("fFeEgGaA", specifier))
    // A mismatched argument has no defined meaning; an integer is shown as its value.
    return appendFormatted(text, start + specifier,
                           isFloat(type) ? loadFloat(type, from) : static_cast<double>(loadInteger(type, from)));
  if (specifier == 's') {
    const char *string = type == abi::PrintType::String ? load<const char *>(from) : nullptr;
    return appendFormatted(text, start + 's', string ? string : "(null)");
  }
  if (specifier == 'p') return appendFormatted(text, start + 'p', reinterpret_cast<void *>(loadInteger(type, from)));
  if (specifier == 'n') return;
  const int64_t value = isFloat(type) ? static_cast<int64_t>(loadFloat(type, from)) : loadInteger(type, from);
  if (specifier == 'c') return appendFormatted(text, start + 'c', static_cast<int>(value));
  const bool isSigned = specifier == 'd' || specifier == 'i';
  appendFormatted(text, start + "ll" + specifier,
                  static_cast<unsigned long long>(truncated(value, conversion.length, isSigned)));
}

/// A '*' is the next argument, an integer. False if there is none.
bool takeWidths(RecordReader &reader, Conversion &conversion) {
  std::string &text = conversion.flagsAndWidth;
  for (size_t star = text.find('*'); star != text.npos; star = text.find('*')) {
    abi::PrintTag tag;
    const std::byte *value;
    if (!reader.next(tag, value) || isFloat(tag.type)) return false;
    text.replace(star, 1, std::to_string(loadInteger(tag.type, value)));
  }
  return true;
}

} // namespace

std::string formatRecord(const char *format, const std::byte *record, uint32_t size) {
  std::string text;
  RecordReader reader{record, record + size};
  for (const char *at = format; *at;) {
    const char *percent = std::strchr(at, '%');
    if (!percent) percent = at + std::strlen(at);
    text.append(at, percent);
    at = percent;
    if (!*at) break;
    if (at[1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    Conversion conversion;
    const char *behind = at + 1;
    abi::PrintTag tag;
    const std::byte *values;
    if (!parse(behind, conversion) || !takeWidths(reader, conversion) || !reader.next(tag, values)) {
      // Not a conversion, or nothing left to convert: shown as it stands.
      text.append(at, std::max(behind, at + 1));
      at = std::max(behind, at + 1);
      continue;
    }
    at = behind;
    const size_t bytes = kTypeBytes[static_cast<size_t>(tag.type)];
    const uint32_t count = std::min<uint32_t>(conversion.elements, tag.elements);
    for (uint32_t i = 0; i < count; ++i) {
      if (i) text += ',';
      appendElement(text, conversion, tag.type, values + i * bytes);
    }
  }
  return text;
}

bool PrintfBuffer::append(uint64_t group, uint64_t item, const char *format, const std::byte *record, uint32_t size,
                          KernelGuard *guard, PrintStyle style) {
  // A wild string faults here, where the kernel can still be left.
  const bool isCuda = style == PrintStyle::Cuda;
  uint64_t stringBytes = isCuda ? strnlen(format, kMaxString) + 1 : 0;
  abi::PrintTag tag;
  const std::byte *values;
  for (RecordReader reader{record, record + size}; reader.next(tag, values);)
    if (tag.type == abi::PrintType::String)
      if (const char *string = load<const char *>(values)) stringBytes += strnlen(string, kMaxString) + 1;

  if (guard) guard->setInRuntime(true);
  const uint64_t cost = sizeof(Entry) + size + stringBytes;
  bool kept = false;
  {
    std::lock_guard lock(mutex_);
    // "It is circular and if more output is produced […] than can fit in the buffer, older output is overwritten."
    while (isCuda && used_ + cost > limit_ && !entries_.empty()) {
      used_ -= entries_.front().cost;
      entries_.pop_front();
    }
    kept = used_ + cost <= limit_;
    if (kept) {
      Entry &entry = entries_.emplace_back(
          Entry{group, item, sequence_++, format, std::make_unique<std::byte[]>(size + stringBytes), size, cost});
      used_ += cost;
      if (size) std::memcpy(entry.bytes.get(), record, size);
      auto *copy = reinterpret_cast<char *>(entry.bytes.get() + size), *const end = copy + stringBytes;
      const auto keep = [&copy, end](const char *string) -> const char * {
        // It may have become longer meanwhile.
        if (copy == end) return "";
        const size_t length = strnlen(string, std::min(kMaxString, size_t(end - copy) - 1));
        std::memcpy(copy, string, length);
        copy[length] = 0;
        return std::exchange(copy, copy + length + 1);
      };
      for (RecordReader reader{entry.bytes.get(), entry.bytes.get() + size}; reader.next(tag, values);)
        if (tag.type == abi::PrintType::String)
          if (const char *string = load<const char *>(values)) {
            const char *kept = keep(string);
            std::memcpy(entry.bytes.get() + (values - entry.bytes.get()), &kept, sizeof kept);
          }
      if (isCuda) entry.format = keep(format);
    }
    any_.store(!entries_.empty(), std::memory_order_relaxed);
  }
  if (guard) guard->setInRuntime(false);
  return kept;
}

std::string PrintfBuffer::take() {
  std::lock_guard lock(mutex_);
  // One thread runs a group at a time, so what a work-item printed lies in the sequence it was printed in.
  std::ranges::sort(entries_, {},
                    [](const Entry &entry) { return std::tuple(entry.group, entry.item, entry.sequence); });
  std::string text;
  for (const Entry &entry : entries_) text += formatRecord(entry.format, entry.bytes.get(), entry.size);
  entries_.clear();
  used_ = 0;
  any_.store(false, std::memory_order_relaxed);
  return text;
}

void PrintfBuffer::flush() {
  const std::string text = take();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace us::exec
