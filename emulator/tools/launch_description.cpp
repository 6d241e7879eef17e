// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/tools/launch_description.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

namespace us::tools {
namespace {

constexpr ElementType kTypes[] = {
    {"char", Element::Char, 1, false},     {"uchar", Element::Uchar, 1, false},  {"short", Element::Short, 2, false},
    {"ushort", Element::Ushort, 2, false}, {"int", Element::Int, 4, false},      {"uint", Element::Uint, 4, false},
    {"long", Element::Long, 8, false},     {"ulong", Element::Ulong, 8, false},  {"half", Element::Half, 2, true},
    {"float", Element::Float, 4, true},    {"double", Element::Double, 8, true},
};

/// Calls function with a zero of the C++ type of an element type.
template <class Function> auto withType(Element element, Function function) {
  switch (element) {
  case Element::Char:
    return function(int8_t{});
  case Element::Uchar:
    return function(uint8_t{});
  case Element::Short:
    return function(int16_t{});
  case Element::Ushort:
    return function(uint16_t{});
  case Element::Int:
    return function(int32_t{});
  case Element::Uint:
    return function(uint32_t{});
  case Element::Long:
    return function(int64_t{});
  case Element::Ulong:
    return function(uint64_t{});
  case Element::Half:
    return function(_Float16{});
  case Element::Float:
    return function(float{});
  case Element::Double:
    break;
  }
  return function(double{});
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// Takes the first word (up to a space or an opening parenthesis) off the text.
std::string_view takeWord(std::string_view &text) {
  text = trimmed(text);
  size_t size = std::min(text.find_first_of(" (\t"), text.size());
  std::string_view word = text.substr(0, size);
  text = trimmed(text.substr(size));
  return word;
}

/// Takes "( … )" with balanced parentheses off the text; nothing if there is none.
std::optional<std::string_view> takeParentheses(std::string_view &text) {
  text = trimmed(text);
  if (!text.starts_with("(")) return std::nullopt;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth != 0) continue;
    std::string_view inner = text.substr(1, at - 1);
    text = trimmed(text.substr(at + 1));
    return inner;
  }
  return std::nullopt;
}

Expected<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not a number");
  return value;
}

Expected<double> realNumber(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not a number");
  return value;
}

Expected<uint32_t> sizes(std::string_view text, Size3 &into) {
  uint32_t count = 0;
  while (!(text = trimmed(text)).empty()) {
    if (count == 3) return fail(ErrorCode::InvalidValue, "more than three sizes");
    US_TRY(into[count], number(takeWord(text)));
    ++count;
  }
  if (count == 0) return fail(ErrorCode::InvalidValue, "a size is missing");
  return count;
}

/// Splits at commas outside of parentheses and brackets.
std::vector<std::string_view> splitList(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth > 0) continue;
    parts.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return parts;
}

struct Flag {
  std::string_view name;
  void (*set)(ArgumentDescription &argument);
};
constexpr Flag kFlags[] = {
    {"dump", [](ArgumentDescription &argument) { argument.dump = true; }},
    {"readonly", [](ArgumentDescription &argument) { argument.access.writes = false; }},
    {"writeonly", [](ArgumentDescription &argument) { argument.access.reads = false; }},
    {"part", [](ArgumentDescription &argument) { argument.isPart = true; }},
    {"unwritten", [](ArgumentDescription &argument) { argument.isUnwritten = true; }},
    {"hosts", [](ArgumentDescription &argument) { argument.isHosts = true; }},
};

/// fill(…) random(…) expect(…) tolerance(…) hash(…) and flags, in any order.
Expected<void> parseClauses(std::string_view text, ArgumentDescription &argument) {
  while (!text.empty()) {
    std::string_view word = takeWord(text);
    const auto flag = std::ranges::find(kFlags, word, &Flag::name);
    if (flag != std::end(kFlags)) {
      flag->set(argument);
      continue;
    }
    std::optional<std::string_view> inner = takeParentheses(text);
    if (!inner) return fail(ErrorCode::InvalidValue, "'" + std::string(word) + "' needs something in parentheses");
    if (word == "fill") {
      US_TRY(argument.fill, Expression::parse(*inner));
    } else if (word == "expect") {
      US_TRY(argument.expect, Expression::parse(*inner));
    } else if (word == "tolerance") {
      US_TRY(argument.tolerance, realNumber(*inner));
    } else if (word == "written") {
      US_TRY(const double elements, realNumber(*inner));
      argument.isUnwritten = true;
      argument.writtenElements = uint64_t(elements);
    } else if (word == "hash") {
      argument.hash = trimmed(*inner);
    } else if (word == "random") {
      std::vector<std::string_view> range = splitList(*inner);
      if (range.size() != 2) return fail(ErrorCode::InvalidValue, "random needs two numbers");
      US_TRY(double low, realNumber(range[0]));
      US_TRY(double high, realNumber(range[1]));
      argument.random = {low, high};
    } else {
      return fail(ErrorCode::InvalidValue, "'" + std::string(word) +
                                               "' is not one of fill, random, expect, tolerance, hash, dump, readonly, "
                                               "writeonly, part, unwritten, written, hosts");
    }
  }
  return {};
}

template <class T> struct Word {
  std::string_view name;
  T meaning;
};
template <class T, size_t N> Expected<T> meaningOf(std::string_view name, const Word<T> (&words)[N], const char *what) {
  for (const Word<T> &word : words)
    if (word.name == name) return word.meaning;
  std::string known;
  for (const Word<T> &word : words) known += (known.empty() ? "" : ", ") + std::string(word.name);
  return fail(ErrorCode::InvalidValue, "'" + std::string(name) + "' is no " + what + "; there are " + known);
}

struct KindOfImage {
  ImageKind kind;
  int sizes;
};
constexpr Word<KindOfImage> kImageKinds[] = {
    {"1d", {ImageKind::Image1D, 1}},
    {"1d_buffer", {ImageKind::Image1DBuffer, 1}},
    {"1d_array", {ImageKind::Image1DArray, 2}},
    {"2d", {ImageKind::Image2D, 2}},
    {"2d_array", {ImageKind::Image2DArray, 3}},
    {"3d", {ImageKind::Image3D, 3}},
};
struct ChannelsOfPixel {
  ChannelOrder order;
  uint32_t channels;
};
constexpr Word<ChannelsOfPixel> kOrders[] = {
    {"r", {ChannelOrder::R, 1}},
    {"a", {ChannelOrder::A, 1}},
    {"rg", {ChannelOrder::RG, 2}},
    {"ra", {ChannelOrder::RA, 2}},
    {"rgb", {ChannelOrder::RGB, 1}}, // with packed types only
    {"rgba", {ChannelOrder::RGBA, 4}},
    {"bgra", {ChannelOrder::BGRA, 4}},
    {"argb", {ChannelOrder::ARGB, 4}},
    {"abgr", {ChannelOrder::ABGR, 4}},
    {"srgba", {ChannelOrder::sRGBA, 4}},
    {"sbgra", {ChannelOrder::sBGRA, 4}},
    {"intensity", {ChannelOrder::Intensity, 1}},
    {"luminance", {ChannelOrder::Luminance, 1}},
    {"depth", {ChannelOrder::Depth, 1}},
};
struct StoredChannel {
  ChannelType type;
  std::string_view element;
  bool packed = false;
};
constexpr Word<StoredChannel> kChannelTypes[] = {
    {"snorm_int8", {ChannelType::SnormInt8, "char"}},
    {"snorm_int16", {ChannelType::SnormInt16, "short"}},
    {"unorm_int8", {ChannelType::UnormInt8, "uchar"}},
    {"unorm_int16", {ChannelType::UnormInt16, "ushort"}},
    {"unorm_short_565", {ChannelType::UnormShort565, "ushort", true}},
    {"unorm_short_555", {ChannelType::UnormShort555, "ushort", true}},
    {"unorm_int_101010", {ChannelType::UnormInt101010, "uint", true}},
    {"unorm_int_101010_2", {ChannelType::UnormInt101010_2, "uint", true}},
    {"signed_int8", {ChannelType::SignedInt8, "char"}},
    {"signed_int16", {ChannelType::SignedInt16, "short"}},
    {"signed_int32", {ChannelType::SignedInt32, "int"}},
    {"unsigned_int8", {ChannelType::UnsignedInt8, "uchar"}},
    {"unsigned_int16", {ChannelType::UnsignedInt16, "ushort"}},
    {"unsigned_int32", {ChannelType::UnsignedInt32, "uint"}},
    {"half_float", {ChannelType::HalfFloat, "half"}},
    {"float", {ChannelType::Float, "float"}},
};
constexpr Word<AddressingMode> kAddressingModes[] = {{"none", AddressingMode::None},
                                                     {"clamp_to_edge", AddressingMode::ClampToEdge},
                                                     {"clamp", AddressingMode::Clamp},
                                                     {"repeat", AddressingMode::Repeat},
                                                     {"mirrored_repeat", AddressingMode::MirroredRepeat}};
constexpr Word<FilterMode> kFilters[] = {{"nearest", FilterMode::Nearest}, {"linear", FilterMode::Linear}};

/// image <kind> <order> <type> <width> [<height>] [<depth or layers>] clauses
Expected<ArgumentDescription> parseImage(std::string_view text) {
  ArgumentDescription argument;
  argument.use = ArgumentUse::Image;
  US_TRY(KindOfImage kind, meaningOf(takeWord(text), kImageKinds, "kind of image"));
  US_TRY(ChannelsOfPixel order, meaningOf(takeWord(text), kOrders, "channel order"));
  US_TRY(StoredChannel stored, meaningOf(takeWord(text), kChannelTypes, "channel type"));
  uint64_t sizes[3] = {1, 1, 1};
  for (int i = 0; i < kind.sizes; ++i) {
    US_TRY(sizes[i], number(takeWord(text)));
  }
  argument.type = elementType(stored.element);
  const uint64_t channels = stored.packed ? 1 : order.channels;
  ImageDescription &image = argument.image;
  image.kind = kind.kind;
  image.format = {order.order, stored.type};
  image.width = sizes[0];
  if (kind.kind == ImageKind::Image1DArray)
    image.arraySize = sizes[1];
  else
    image.height = sizes[1];
  (kind.kind == ImageKind::Image2DArray ? image.arraySize : image.depth) = sizes[2];
  image.elementSize = argument.type->size * channels;
  image.rowPitch = image.elementSize * image.width;
  image.slicePitch = image.rowPitch * image.height;
  argument.count = sizes[0] * sizes[1] * sizes[2] * channels;
  US_CHECK(parseClauses(text, argument));
  return argument;
}

/// sampler [normalized] <addressing mode> <filter>
Expected<ArgumentDescription> parseSampler(std::string_view text) {
  ArgumentDescription argument;
  argument.use = ArgumentUse::Sampler;
  std::string_view word = takeWord(text);
  argument.sampler.normalizedCoordinates = word == "normalized";
  if (argument.sampler.normalizedCoordinates) word = takeWord(text);
  US_TRY(argument.sampler.addressing, meaningOf(word, kAddressingModes, "addressing mode"));
  US_TRY(argument.sampler.filter, meaningOf(takeWord(text), kFilters, "filter"));
  return argument;
}

/// pipe <type> <capacity> <packets in it> clauses: what is expected are the packets from the oldest on, then zeros
Expected<ArgumentDescription> parsePipe(std::string_view text) {
  ArgumentDescription argument;
  argument.use = ArgumentUse::Pipe;
  argument.type = elementType(takeWord(text));
  if (!argument.type) return fail(ErrorCode::InvalidValue, "a pipe needs a scalar type");
  US_TRY(argument.count, number(takeWord(text)));
  US_TRY(argument.packets, number(takeWord(text)));
  if (argument.packets > argument.count) return fail(ErrorCode::InvalidValue, "more packets than the pipe can hold");
  US_CHECK(parseClauses(text, argument));
  return argument;
}

/// queue <bytes>: a queue on the device
Expected<ArgumentDescription> parseQueue(std::string_view text) {
  ArgumentDescription argument;
  argument.use = ArgumentUse::Queue;
  US_TRY(argument.count, number(takeWord(text)));
  return argument;
}

/// buffer <type> <count> clauses | local <type> <count> | value <type><width> formula, formula …
Expected<ArgumentDescription> parseArgument(std::string_view text) {
  ArgumentDescription argument;
  std::string_view use = takeWord(text);
  if (use == "image") return parseImage(text);
  if (use == "sampler") return parseSampler(text);
  if (use == "pipe") return parsePipe(text);
  if (use == "queue") return parseQueue(text);
  std::string_view type = takeWord(text);
  if (use == "value") {
    argument.use = ArgumentUse::Value;
    size_t digits = std::min(type.find_first_of("0123456789"), type.size());
    if (digits < type.size()) {
      US_TRY(argument.count, number(type.substr(digits)));
      type = type.substr(0, digits);
    }
    for (std::string_view part : splitList(text)) {
      US_TRY(Expression value, Expression::parse(part));
      argument.values.push_back(std::move(value));
    }
    if (argument.values.size() != argument.count)
      return fail(ErrorCode::InvalidValue,
                  "a value with " + std::to_string(argument.count) + " components needs as many formulas");
  } else if (use == "buffer" || use == "local") {
    argument.use = use == "local" ? ArgumentUse::Local : ArgumentUse::Buffer;
    US_TRY(argument.count, number(takeWord(text)));
    US_CHECK(parseClauses(text, argument));
  } else {
    return fail(ErrorCode::InvalidValue,
                "'" + std::string(use) + "' is not one of buffer, value, local, image, sampler, pipe, queue");
  }
  argument.type = elementType(type);
  if (!argument.type) return fail(ErrorCode::InvalidValue, "'" + std::string(type) + "' is not a scalar type");
  return argument;
}

Expected<void> applyLine(std::string_view word, std::string_view rest, LaunchDescription &into) {
  if (word == "kernel")
    into.kernel = rest;
  else if (word == "options")
    into.options = rest;
  else if (word == "build-error")
    into.buildError = rest;
  else if (word == "launch-error")
    into.launchError = rest;
  else if (word == "repeat") {
    US_TRY(into.repeat, number(rest));
  } else if (word == "together") {
    into.together = true;
  } else if (word == "cluster") {
    into.cluster = {1, 1, 1};
    US_CHECK(sizes(rest, into.cluster));
  } else if (word == "global") {
    US_TRY(into.dimensions, sizes(rest, into.global));
  } else if (word == "local") {
    into.local = {1, 1, 1};
    US_CHECK(sizes(rest, into.local));
  } else if (word == "offset") {
    US_CHECK(sizes(rest, into.offset));
  } else if (word == "prints") {
    into.checksPrint = true;
    into.print.emplace_back(rest);
  } else if (word == "arg") {
    US_TRY(ArgumentDescription argument, parseArgument(rest));
    into.arguments.push_back(std::move(argument));
  } else {
    return fail(ErrorCode::InvalidValue, "'" + std::string(word) +
                                             "' is not one of kernel, options, global, local, offset, arg, repeat, "
                                             "cluster, together, prints, build-error, launch-error");
  }
  return {};
}

/// A JSON value as the text after the word: lists of numbers become words.
std::string textOf(const nlohmann::json &value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const nlohmann::json &one : value) text += (text.empty() ? "" : " ") + textOf(one);
  return text;
}

} // namespace

const ElementType *elementType(std::string_view name) {
  for (const ElementType &type : kTypes)
    if (name == type.name) return &type;
  return nullptr;
}

void storeElement(const ElementType &type, std::byte *at, Number number) {
  withType(type.element, [&](auto zero) {
    using T = decltype(zero);
    T value = type.real ? static_cast<T>(number.asReal()) : static_cast<T>(number.asInteger());
    std::memcpy(at, &value, sizeof(value));
  });
}

Number loadElement(const ElementType &type, const std::byte *at) {
  return withType(type.element, [&](auto zero) {
    std::memcpy(&zero, at, sizeof(zero));
    return type.real ? Number::of(static_cast<double>(zero)) : Number::of(static_cast<int64_t>(zero));
  });
}

Expected<LaunchDescription> describeFromSource(std::string_view source) {
  LaunchDescription description;
  size_t lineNumber = 0;
  while (!source.empty()) {
    size_t end = source.find('\n');
    std::string_view line = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    ++lineNumber;
    line = trimmed(line);
    const std::string_view mark = line.starts_with(";!") ? ";!" : "//!"; // a comment of SPIR-V's assembly
    if (!line.starts_with(mark)) continue;
    line = line.substr(mark.size());
    std::string_view word = takeWord(line);
    if (Expected<void> applied = applyLine(word, line, description); !applied)
      return fail(applied.error().code, "line " + std::to_string(lineNumber) + ": " + applied.error().message);
  }
  return description;
}

Expected<LaunchDescription> describeFromJson(std::string_view json) {
  nlohmann::json parsed = nlohmann::json::parse(json, nullptr, false, true);
  if (!parsed.is_object()) return fail(ErrorCode::InvalidValue, "the launch description is not a JSON object");
  LaunchDescription description;
  for (auto &[word, value] : parsed.items()) {
    bool each = value.is_array() && (word == "arg" || word == "prints");
    for (const nlohmann::json &one : each ? value : nlohmann::json::array({value}))
      if (Expected<void> applied = applyLine(word, textOf(one), description); !applied)
        return fail(applied.error().code, "'" + word + "': " + applied.error().message);
  }
  return description;
}

} // namespace us::tools
