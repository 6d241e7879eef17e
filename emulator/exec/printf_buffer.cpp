// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeping and formatting what kernels print.
#include "emulator/exec/printf_buffer.h"

#include "emulator/exec/kernel_guard.h"
#include "runtime/base/c_locale.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <unistd.h>
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

/// "The number of characters that can be produced by any single conversion shall be at least 4095": a wider field would
/// let one work-item ask for gigabytes of the host's memory.
constexpr int64_t kWidest = 4095;

/// A field width or a precision.
struct Size {
  bool isArgument = false; ///< '*'
  int64_t value = -1;      ///< negative: none was given
};

/// One conversion specification.
struct Conversion {
  std::string flags;
  Size width, precision;
  uint32_t elements = 1;
  Length length = Length::None;
  char specifier = 0;

  /// "%-08.3", as snprintf wants it.
  std::string start() const {
    std::string text = "%" + flags;
    if (width.value > 0) text += std::to_string(std::min(width.value, kWidest));
    // Of a string the precision is the most that is read of it, and no string kept is longer.
    const int64_t most = specifier == 's' ? static_cast<int64_t>(kMaxString) : kWidest;
    if (precision.value >= 0) text += "." + std::to_string(std::min(precision.value, most));
    return text;
  }
};

/// Parses a width or precision, which may be missing.
Size parseSize(const char *&at) {
  if (*at == '*') return ++at, Size{.isArgument = true};
  if (*at < '0' || *at > '9') return {};
  Size size{.value = 0};
  for (; *at >= '0' && *at <= '9'; ++at) size.value = std::min(size.value * 10 + (*at - '0'), kWidest * 1000);
  return size;
}

/// Parses what follows a '%'; false if it is no conversion. `at` is left behind it.
bool parse(const char *&at, Conversion &into) {
  const char *begin = at;
  at += std::strspn(at, "-+ #0");
  into.flags.assign(begin, at);
  into.width = parseSize(at);
  if (*at == '.') {
    into.precision = parseSize(++at);
    // "if only the period is specified, the precision is taken as zero"
    if (!into.precision.isArgument) into.precision.value = std::max<int64_t>(into.precision.value, 0);
  }
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
  const std::string start = conversion.start();
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
bool takeSizes(RecordReader &reader, Conversion &conversion) {
  for (Size *size : {&conversion.width, &conversion.precision}) {
    if (!size->isArgument) continue;
    abi::PrintTag tag;
    const std::byte *value;
    if (!reader.next(tag, value) || isFloat(tag.type)) return false;
    size->value = std::clamp(loadInteger(tag.type, value), -kWidest * 1000, kWidest * 1000);
  }
  // "A negative field width argument is taken as a - flag followed by a positive field width. A negative precision
  // argument is taken as if the precision were omitted."
  if (conversion.width.value < 0 && conversion.width.isArgument) {
    conversion.flags += '-';
    conversion.width.value = -conversion.width.value;
  }
  return true;
}

/// Text is written in pieces of about this size, so that it never lies in memory as a whole: a record of a few bytes
/// may be thousands as text.
constexpr size_t kPiece = 64 * 1024;

void appendRecord(std::string &text, const char *format, const std::byte *record, uint32_t size,
                  const std::function<void(std::string &)> &writePiece) {
  const CLocale locale; // what a kernel prints does not depend on the program's
  RecordReader reader{record, record + size};
  for (const char *at = format; *at;) {
    if (writePiece && text.size() >= kPiece) writePiece(text);
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
    if (!parse(behind, conversion) || !takeSizes(reader, conversion) || !reader.next(tag, values)) {
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
}

struct TypeWords {
  const char *one, *several;
};
/// By PrintType. Characters and short integers are promoted, so that only vectors have them.
constexpr TypeWords kTypeWords[] = {{"", ""},
                                    {"a char", "chars"},
                                    {"a short", "shorts"},
                                    {"an int", "ints"},
                                    {"a long", "longs"},
                                    {"a half", "halves"},
                                    {"a float", "floats"},
                                    {"a double", "doubles"},
                                    {"a pointer", "pointers"},
                                    {"a pointer", "pointers"}};

std::string words(abi::PrintType type, uint32_t elements) {
  const TypeWords &both = kTypeWords[size_t(type)];
  return elements == 1 ? both.one : std::to_string(elements) + " " + both.several;
}

/// What a conversion takes, by its length modifier; of scalars None stands for any float, as for an int. 0: undefined.
abi::PrintType typeFor(const Conversion &conversion) {
  using enum abi::PrintType;
  const bool isVector = conversion.elements > 1;
  if (std::strchr("fFeEgGaA", conversion.specifier)) {
    static constexpr abi::PrintType kFloats[] = {{}, {}, Float16, Float32, Float64}; // by Length
    return isVector ? kFloats[size_t(conversion.length)] : Float64;
  }
  if (std::strchr("diouxX", conversion.specifier)) {
    static constexpr abi::PrintType kIntegers[] = {{}, Int8, Int16, Int32, Int64};
    if (isVector) return kIntegers[size_t(conversion.length)];
    return conversion.length == Length::Long        ? Int64
           : conversion.length == Length::VectorInt ? abi::PrintType{}
                                                    : Int32;
  }
  if (isVector || conversion.length != Length::None) return {};
  return conversion.specifier == 'c'   ? Int32
         : conversion.specifier == 's' ? String
         : conversion.specifier == 'p' ? Pointer
                                       : abi::PrintType{};
}

/// Standard output, locked while a launch's text goes out, so that it stays together.
class StandardOutput {
public:
  /// A thread of the host may hold the lock and wait for this launch meanwhile. It would for ever: after a second the
  /// text goes to the descriptor without the lock.
  StandardOutput() {
    for (int i = 0; i < 1000 && !locked_; ++i) {
      if (i) usleep(1000);
      locked_ = ftrylockfile(stdout) == 0;
    }
  }
  ~StandardOutput() {
    if (!locked_) return;
    std::fflush(stdout);
    funlockfile(stdout);
  }
  StandardOutput(const StandardOutput &) = delete;
  StandardOutput &operator=(const StandardOutput &) = delete;

  void write(std::string &text) {
    std::string_view rest = text;
    if (locked_) rest.remove_prefix(std::fwrite(rest.data(), 1, rest.size(), stdout));
    while (!locked_ && !rest.empty()) {
      const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
      if (written < 0 && errno != EINTR) break;
      rest.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
    }
    text.clear();
  }

private:
  bool locked_ = false;
};

} // namespace

std::string formatRecord(const char *format, const std::byte *record, uint32_t size) {
  std::string text;
  appendRecord(text, format, record, size, {});
  return text;
}

std::string formatMismatch(const char *format, const std::byte *record, uint32_t size) {
  RecordReader reader{record, record + size};
  for (const char *at = format; (at = std::strchr(at, '%'));) {
    const char *const begin = at++;
    if (*at == '%') {
      ++at;
      continue;
    }
    Conversion conversion;
    const bool isConversion = parse(at, conversion);
    const std::string text(begin, isConversion ? at : begin + strnlen(begin, size_t(at - begin) + 1));
    const std::string subject = "'" + text + "'";
    // "If a conversion specification is invalid, the behavior is undefined."
    if (!isConversion) return subject + " is no conversion";
    const char *const missing = "there is no argument for ";
    abi::PrintTag tag;
    const std::byte *values;
    for (const Size &one : {conversion.width, conversion.precision}) {
      if (!one.isArgument) continue;
      if (!reader.next(tag, values)) return missing + subject;
      // "The argument ... shall be of type int"
      if (tag.type != abi::PrintType::Int32 || tag.elements != 1)
        return "a '*' in " + subject + " takes an int and is given " + words(tag.type, tag.elements);
    }
    // "If there are insufficient arguments for the format, the behavior is undefined."
    if (!reader.next(tag, values)) return missing + subject;
    // "If a vector specifier appears without a length modifier, the behavior is undefined." "If a length modifier
    // appears with any conversion specifier other than as specified above, the behavior is undefined." hl "can only be
    // used with the vector specifier".
    const abi::PrintType wanted = typeFor(conversion);
    if (wanted == abi::PrintType{})
      return subject + (conversion.elements > 1 && conversion.length == Length::None
                            ? " has a vector specifier and no length modifier"
                            : " has no meaning");
    const bool isAnyFloat = wanted == abi::PrintType::Float64 && conversion.elements == 1;
    // "If any argument is not the correct type for the corresponding conversion specification, the behavior is
    // undefined."
    const bool isRight = tag.elements == conversion.elements && (isAnyFloat ? isFloat(tag.type) : tag.type == wanted);
    if (!isRight)
      return subject + " takes " + words(wanted, conversion.elements) + " and is given " +
             words(tag.type, tag.elements);
  }
  return {};
}

const char *PrintfBuffer::Records::keepFormat(const char *format, size_t length, uint64_t limit) {
  const auto known = formats.find(format);
  if (known != formats.end() && std::strncmp(known->second, format, length) == 0 && !known->second[length])
    return known->second;
  if (formatBytes + length > limit) return nullptr;
  char *const copy = formatTexts.emplace_back(std::make_unique<char[]>(length + 1)).get();
  std::memcpy(copy, format, length);
  formatBytes += length;
  return formats[format] = copy;
}

// CL_DEVICE_PRINTF_BUFFER_SIZE: "Maximum size in bytes of the internal buffer that holds the output of printf calls
// from a kernel." A record of one character takes many bytes: where the records do not fit, the text counts.
bool PrintfBuffer::Records::fits(const Entry &entry, uint64_t limit) {
  if (used + entry.cost <= limit) return true;
  for (; measured < entries.size(); ++measured) {
    const Entry &earlier = entries[measured];
    printed += formatRecord(earlier.format, earlier.bytes.get(), earlier.size).size();
  }
  return printed + formatRecord(entry.format, entry.bytes.get(), entry.size).size() <= limit;
}

bool PrintfBuffer::append(uint64_t group, uint64_t item, const char *format, const std::byte *record, uint32_t size,
                          KernelGuard *guard, PrintStyle style) {
  // A wild string faults here, where the kernel can still be left; a format is one, too, where it is no literal.
  const bool isCircular = style == PrintStyle::Circular;
  const size_t formatLength = strnlen(format, kMaxString);
  uint64_t stringBytes = isCircular ? formatLength + 1 : 0;
  abi::PrintTag tag;
  const std::byte *values;
  for (RecordReader reader{record, record + size}; reader.next(tag, values);)
    if (tag.type == abi::PrintType::String)
      if (const char *string = load<const char *>(values)) stringBytes += strnlen(string, kMaxString) + 1;

  if (guard) guard->setInRuntime(true);
  const uint64_t cost = sizeof(Entry) + size + stringBytes;
  bool kept = false;
  try {
    std::lock_guard lock(mutex_);
    if (!records_) records_ = std::make_unique<Records>();
    Records &records = *records_;
    // "It is circular and if more output is produced […] than can fit in the buffer, older output is overwritten."
    while (isCircular && records.used + cost > limit_ && !records.entries.empty()) {
      records.used -= records.entries.front().cost;
      records.entries.pop_front();
    }
    const char *const keptFormat = isCircular       ? ""
                                   : records.isFull ? nullptr
                                                    : records.keepFormat(format, formatLength, limit_);
    records.isFull |= !keptFormat;
    if (keptFormat && (!isCircular || records.used + cost <= limit_)) {
      auto bytes = std::make_unique<std::byte[]>(size + stringBytes);
      if (size) std::memcpy(bytes.get(), record, size);
      auto *copy = reinterpret_cast<char *>(bytes.get() + size), *const end = copy + stringBytes;
      const auto keep = [&copy, end](const char *string) -> const char * {
        // It may have become longer meanwhile.
        if (copy == end) return "";
        const size_t length = strnlen(string, std::min(kMaxString, size_t(end - copy) - 1));
        std::memcpy(copy, string, length);
        copy[length] = 0;
        return std::exchange(copy, copy + length + 1);
      };
      for (RecordReader reader{bytes.get(), bytes.get() + size}; reader.next(tag, values);)
        if (tag.type == abi::PrintType::String)
          if (const char *string = load<const char *>(values)) {
            const char *const own = keep(string);
            std::memcpy(bytes.get() + (values - bytes.get()), &own, sizeof own);
          }
      const char *const ownFormat = isCircular ? keep(format) : keptFormat;
      Entry entry{group, item, records.sequence++, ownFormat, std::move(bytes), size, cost};
      kept = isCircular || records.fits(entry, limit_);
      records.isFull |= !kept;
      if (kept) records.entries.push_back(std::move(entry));
      if (kept) records.used += cost;
    }
    any_.store(!records.entries.empty(), std::memory_order_relaxed);
  } catch (const std::bad_alloc &) {
    kept = false; // as if it did not fit: nothing can be thrown through a kernel
  }
  if (guard) guard->setInRuntime(false);
  return kept;
}

void PrintfBuffer::takeInPieces(std::string &text, const WritePiece &writePiece) {
  std::lock_guard lock(mutex_);
  if (!records_) return;
  // One thread runs a group at a time, so what a work-item printed lies in the sequence it was printed in.
  std::ranges::sort(records_->entries, {},
                    [](const Entry &entry) { return std::tuple(entry.group, entry.item, entry.sequence); });
  for (const Entry &entry : records_->entries)
    appendRecord(text, entry.format, entry.bytes.get(), entry.size, writePiece);
  records_.reset();
  any_.store(false, std::memory_order_relaxed);
}

std::string PrintfBuffer::take() {
  std::string text;
  takeInPieces(text, {});
  return text;
}

void PrintfBuffer::flush() {
  StandardOutput output;
  std::string text;
  takeInPieces(text, [&](std::string &piece) { output.write(piece); });
  output.write(text);
}

} // namespace us::exec
