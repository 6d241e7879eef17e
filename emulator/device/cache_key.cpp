// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each description is taken apart by a structured binding, which names all of its fields: with a new one it compiles no
// more until that is named too, and hashed.
#include "emulator/device/cache_key.h"

#include <cstdio>
#include <type_traits>
#include <xxhash.h>

namespace us::emulator {
namespace {

class Description {
public:
  template <class... Parts> static CacheKey keyOf(const Parts &...parts) {
    Description all;
    all.putAll(parts...);
    return all.key_.key();
  }

private:
  template <class... Parts> void putAll(const Parts &...parts) { (put(parts), ...); }
  template <class Part> void putEach(const std::vector<Part> &list) {
    put(list.size());
    for (const Part &one : list) put(one);
  }

  template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void put(Number number) {
    key_.add(static_cast<uint64_t>(number));
  }
  void put(std::string_view text) { key_.add(text); }
  void put(const std::vector<char> &bytes) { key_.add(bytes); }
  void put(const std::vector<std::byte> &bytes) {
    key_.add(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  }

  void put(const NamedText &header) {
    const auto &[name, text] = header;
    putAll(name, text);
  }
  void put(const SpecializationValue &value) {
    const auto &[id, bytes] = value;
    putAll(id, bytes);
  }
  void put(const CompileRequest &request) {
    const auto &[source, options, headers, link, language, specializations] = request;
    putAll(source, options, link, language);
    putEach(headers);
    putEach(specializations);
  }
  void put(const LanguageFacts &facts) {
    const auto &[extensions, features, openclVersion, hasFma, localMemory, maxProgramVariable, keepsNames] = facts;
    putEach(extensions);
    putEach(features);
    putAll(openclVersion, hasFma, localMemory, maxProgramVariable, keepsNames);
  }
  /// What is linked is the IR; the rest of an object says where that comes from.
  void put(const abi::ModuleData *object) {
    const auto &[kind, ir, kernels, variables, options, expandedSource, includedFiles] = *object;
    putAll(kind, ir, options);
  }
  void put(const abi::LinkInput &input) {
    const auto &[inputs, options] = input;
    putEach(inputs);
    put(options);
  }
  void put(const abi::Specialization &wanted) {
    const auto &[tier, target, baseline, workDimensions, localSize, subGroupSize, smallIndex, zeroOffset, ragged,
                 vectorPlan, instrumentation, exhaustive, followed, tellsAccesses, copied, opaque, counters] = wanted;
    putAll(tier, target, baseline, workDimensions, subGroupSize, smallIndex, zeroOffset, ragged, vectorPlan,
           instrumentation, exhaustive, followed, tellsAccesses, copied);
    for (uint32_t size : localSize) put(size);
    for (uint16_t bits : opaque) put(bits);
  }

  KeyBuilder key_;
};

} // namespace

KeyBuilder::KeyBuilder() : state_(XXH3_createState()) { XXH3_128bits_reset(static_cast<XXH3_state_t *>(state_)); }
KeyBuilder::~KeyBuilder() { XXH3_freeState(static_cast<XXH3_state_t *>(state_)); }

KeyBuilder &KeyBuilder::add(std::string_view part) {
  add(static_cast<uint64_t>(part.size()));
  XXH3_128bits_update(static_cast<XXH3_state_t *>(state_), part.data(), part.size());
  return *this;
}

KeyBuilder &KeyBuilder::add(uint64_t number) {
  XXH3_128bits_update(static_cast<XXH3_state_t *>(state_), &number, sizeof(number));
  return *this;
}

CacheKey KeyBuilder::key() const {
  XXH128_hash_t hash = XXH3_128bits_digest(static_cast<XXH3_state_t *>(state_));
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

CacheKey compileKey(std::string_view identity, const CompileRequest &request, const LanguageFacts &facts) {
  return Description::keyOf(std::string_view("compile"), identity, request, facts);
}

CacheKey linkKey(std::string_view identity, const abi::LinkInput &input, const LanguageFacts &facts) {
  return Description::keyOf(std::string_view("link"), identity, input, facts);
}

CacheKey programKey(const abi::ModuleData &module) { return Description::keyOf(module.ir); }

CacheKey codeKey(std::string_view identity, const CacheKey &program, std::string_view kernel,
                 const abi::Specialization &wanted) {
  return Description::keyOf(std::string_view("code"), identity, program, kernel, wanted);
}

} // namespace us::emulator
