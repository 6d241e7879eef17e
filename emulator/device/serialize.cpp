// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Field by field, in order; one `fields` function per struct serves both directions, so they cannot differ.
#include "emulator/device/serialize.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <xxhash.h>
#include <zstd.h>

namespace us::emulator {
namespace {

class Writer {
public:
  Bytes take() { return std::move(bytes_); }

  void raw(const void *data, size_t size) {
    const auto *begin = static_cast<const std::byte *>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T &value) {
    raw(&value, sizeof(T));
  }
  template <class Text>
    requires std::is_same_v<Text, std::string> || std::is_same_v<Text, std::vector<char>>
  void operator()(Text &value) {
    count(value.size());
    raw(value.data(), value.size());
  }
  template <class T, class Each> void list(std::vector<T> &values, size_t, Each each) {
    count(values.size());
    for (T &value : values) each(*this, value);
  }
  void refuse() {}

private:
  void count(uint64_t number) { raw(&number, sizeof(number)); }
  Bytes bytes_;
};

class Reader {
public:
  explicit Reader(ByteView bytes) : rest_(bytes) {}
  bool atEnd() const { return ok_ && rest_.empty(); }
  void refuse() {
    ok_ = false;
    rest_ = {};
  }

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T &value) {
    if (rest_.size() < sizeof(T)) return refuse();
    if constexpr (std::is_same_v<T, bool>) {
      // Any other bit pattern in a bool is undefined behaviour.
      if (rest_[0] > std::byte{1}) return refuse();
      value = rest_[0] == std::byte{1};
    } else {
      std::memcpy(&value, rest_.data(), sizeof(T));
    }
    rest_ = rest_.subspan(sizeof(T));
  }
  template <class Text>
    requires std::is_same_v<Text, std::string> || std::is_same_v<Text, std::vector<char>>
  void operator()(Text &value) {
    uint64_t size = count();
    if (size > rest_.size()) return refuse();
    const char *begin = reinterpret_cast<const char *>(rest_.data());
    value.assign(begin, begin + size);
    rest_ = rest_.subspan(size);
  }
  /// `least`: bytes that each element takes at least; bounds the length before anything is allocated.
  template <class T, class Each> void list(std::vector<T> &values, size_t least, Each each) {
    uint64_t size = count();
    if (size > rest_.size() / least) return refuse();
    values.resize(size);
    for (T &value : values) {
      if (!ok_) return;
      each(*this, value);
    }
  }

private:
  uint64_t count() {
    uint64_t number = 0;
    (*this)(number);
    return number;
  }
  ByteView rest_;
  bool ok_ = true;
};

/// Refuses enumerators that do not exist.
template <class Archive, class Enum> void enumerator(Archive &archive, Enum &value, Enum last) {
  archive(value);
  if (value > last) archive.refuse();
}

template <class Archive> void fields(Archive &archive, Size3 &size) {
  for (uint64_t &one : size) archive(one);
}

template <class Archive> void fields(Archive &archive, ArgumentInfo &argument) {
  enumerator(archive, argument.kind, ArgumentKind::Queue);
  enumerator(archive, argument.access, AccessQualifier::ReadWrite);
  archive(argument.typeQualifiers);
  archive(argument.size);
  archive(argument.alignment);
  archive(argument.offset);
  archive(argument.pointeeAlignment);
  archive(argument.read);
  archive(argument.written);
  archive(argument.typeName);
  archive(argument.elementName);
  archive(argument.name);
  archive(argument.texture);
}

template <class Archive> void fields(Archive &archive, KernelInfo &kernel) {
  archive(kernel.name);
  archive.list(kernel.arguments, 16, [](auto &each, ArgumentInfo &argument) { fields(each, argument); });
  archive(kernel.argumentBlockSize);
  archive(kernel.hasArgumentNames);
  fields(archive, kernel.requiredWorkGroupSize);
  fields(archive, kernel.maxWorkGroupSize);
  fields(archive, kernel.requiredClusterSize);
  archive(kernel.maxClusterGroups);
  archive(kernel.wantsClusters);
  archive(kernel.languageTarget);
  fields(archive, kernel.workGroupSizeHint);
  archive(kernel.requiredSubGroupSize);
  archive(kernel.attributes);
  archive(kernel.localMemory);
  archive(kernel.privateMemory);
  archive(kernel.instructions);
  archive(kernel.usesBarrier);
  archive(kernel.usesSubGroupSync);
  archive(kernel.usesMatrices);
  archive(kernel.usesLocalMemory);
  archive(kernel.usesExchange);
  archive(kernel.usesPrintf);
  archive(kernel.usesWorkGroupShape);
  archive(kernel.usesAtomics);
  archive(kernel.watchesMemory);
  archive(kernel.hasLoops);
  archive(kernel.usesHeap);
  archive(kernel.usesDeviceQueue);
  archive.list(kernel.tierObstacles, 16, [](auto &each, TierObstacle &obstacle) {
    each(obstacle.tier);
    each(obstacle.reason);
  });
  archive(kernel.uniformWorkGroups);
}

template <class Archive, class First, class Second> void fields(Archive &archive, std::pair<First, Second> &pair) {
  archive(pair.first);
  archive(pair.second);
}

template <class Archive> void fields(Archive &archive, abi::NamedVariable &variable) {
  archive(variable.name);
  archive(variable.offset);
  archive(variable.size);
}

template <class Archive> void fields(Archive &archive, StoredProgram &program) {
  abi::ModuleData &module = program.module;
  archive(module.kind);
  archive(module.ir);
  archive.list(module.kernels, 64, [](auto &each, KernelInfo &kernel) { fields(each, kernel); });
  archive(module.variables.size);
  archive(module.variables.alignment);
  archive(module.variables.image);
  archive.list(module.variables.relocations, 16, [](auto &each, auto &pair) { fields(each, pair); });
  archive.list(module.variables.names, 24, [](auto &each, abi::NamedVariable &variable) { fields(each, variable); });
  archive(module.options);
  archive(module.expandedSource);
  archive.list(module.includedFiles, 16, [](auto &each, auto &pair) { fields(each, pair); });
  archive(program.log);
}

template <class Archive> void fields(Archive &archive, abi::CodeData &code) {
  archive(code.object);
  archive(code.symbol);
  archive(code.frameBytes);
  archive(code.baseline);
  archive(code.waits);
  archive(code.inOrder);
  archive(code.writesByPointer);
  archive(code.writesUnseen);
  archive(code.localCellBytes);
  archive(code.globalCellBytes);
  archive.list(code.cellArguments, 4, [](auto &each, uint32_t &number) { each(number); });
  archive.list(code.copies, 9, [](auto &each, abi::ArgumentCopy &copy) {
    each(copy.argument);
    each(copy.bytes);
    each(copy.combination);
  });
  archive(code.vectors);
}

template <class T> Bytes write(const T &value) {
  Writer writer;
  fields(writer, const_cast<T &>(value)); // the writer changes nothing
  return writer.take();
}

template <class T> std::optional<T> read(ByteView bytes) {
  Reader reader(bytes);
  T value;
  fields(reader, value);
  if (!reader.atEnd()) return std::nullopt;
  return value;
}

/// Addresses are rounded to it, and it is given to allocators.
bool isAlignment(uint64_t number, uint64_t most) {
  return number <= most && std::has_single_bit(number); // 0 has none
}

/// A work-group size, or zeros: others are divided by it. Products of three do not wrap.
bool isGroupSize(const Size3 &size) {
  if (size == Size3{}) return true;
  return std::ranges::all_of(size, [](uint64_t one) { return one >= 1 && one <= 1 << 20; });
}

/// What holds between fields, so that later code need not doubt it.
bool consistent(const abi::ModuleData &module) {
  const abi::ProgramVariables &variables = module.variables;
  if (module.kind < 1 || module.kind > 3) return false;
  if (!isAlignment(variables.alignment, 4096) || variables.image.size() > variables.size) return false;
  for (auto &[at, target] : variables.relocations)
    if (at > variables.size || variables.size - at < 8 || target > variables.size) return false;
  for (const abi::NamedVariable &variable : variables.names)
    if (variable.offset > variables.size || variable.size > variables.size - variable.offset) return false;
  for (const KernelInfo &kernel : module.kernels) {
    if (!isGroupSize(kernel.requiredWorkGroupSize) || !isGroupSize(kernel.workGroupSizeHint)) return false;
    uint64_t values = 0;
    for (const ArgumentInfo &argument : kernel.arguments) {
      if (argument.offset > kernel.argumentBlockSize || argument.size > kernel.argumentBlockSize - argument.offset)
        return false;
      // A launch writes a word for all that is no value, and keeps the values one behind the other.
      const bool isValue = argument.kind == ArgumentKind::Value;
      if (!isValue && kernel.argumentBlockSize - argument.offset < sizeof(uint64_t)) return false;
      if (isValue) values += argument.size;
      if (!isAlignment(argument.alignment, 1 << 20) || !isAlignment(argument.pointeeAlignment, 1 << 20)) return false;
    }
    if (values > kernel.argumentBlockSize) return false;
  }
  return true;
}

constexpr char kMagic[8] = {'u', 's', 'c', 'o', 'd', 'e', '\r', '\n'};
constexpr uint32_t kFormat = 2;
constexpr uint64_t kLargestPayload = 1ull << 30;

struct Header {
  char magic[8];
  uint32_t format;
  uint32_t kind;
  uint64_t checksum; ///< xxh64 of all that follows
  uint64_t payloadSize;
  uint64_t identitySize;
};
static_assert(sizeof(Header) == 40);
constexpr size_t kChecksummedFrom = offsetof(Header, checksum) + sizeof(uint64_t);

} // namespace

Bytes serialize(const StoredProgram &program) { return write(program); }
Bytes serialize(const abi::CodeData &code) { return write(code); }

std::optional<StoredProgram> readProgram(ByteView bytes) {
  std::optional<StoredProgram> program = read<StoredProgram>(bytes);
  if (program && !consistent(program->module)) return std::nullopt;
  return program;
}

std::optional<abi::CodeData> readCode(ByteView bytes) { return read<abi::CodeData>(bytes); }

Bytes pack(ContentKind kind, std::string_view identity, ByteView payload) {
  size_t bound = ZSTD_compressBound(payload.size());
  Bytes bytes(sizeof(Header) + identity.size() + bound);
  std::byte *body = bytes.data() + sizeof(Header) + identity.size();
  size_t compressed = ZSTD_compress(body, bound, payload.data(), payload.size(), 1);
  if (ZSTD_isError(compressed)) return {};
  bytes.resize(sizeof(Header) + identity.size() + compressed);
  std::memcpy(bytes.data() + sizeof(Header), identity.data(), identity.size());

  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.format = kFormat;
  header.kind = static_cast<uint32_t>(kind);
  header.payloadSize = payload.size();
  header.identitySize = identity.size();
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.checksum = XXH64(bytes.data() + kChecksummedFrom, bytes.size() - kChecksummedFrom, header.kind);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

std::optional<Bytes> unpack(ContentKind kind, std::string_view identity, ByteView container) {
  Header header;
  if (container.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, container.data(), sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 || header.format != kFormat ||
      header.kind != static_cast<uint32_t>(kind))
    return std::nullopt;
  ByteView checked = container.subspan(kChecksummedFrom), rest = container.subspan(sizeof(header));
  if (header.checksum != XXH64(checked.data(), checked.size(), header.kind)) return std::nullopt;
  if (header.identitySize != identity.size() || rest.size() < identity.size() ||
      std::memcmp(rest.data(), identity.data(), identity.size()) != 0)
    return std::nullopt;
  rest = rest.subspan(identity.size());
  // A checksum is no proof of good will: sizes are still only claims.
  if (header.payloadSize > kLargestPayload || ZSTD_getFrameContentSize(rest.data(), rest.size()) != header.payloadSize)
    return std::nullopt;
  Bytes payload(header.payloadSize);
  if (ZSTD_decompress(payload.data(), payload.size(), rest.data(), rest.size()) != payload.size()) return std::nullopt;
  return payload;
}

} // namespace us::emulator
