// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an entry of the cache is found by: a hash of all that its content depends on, made here and nowhere else.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::emulator {

/// 128 bits of hash as 32 hexadecimal digits: the name of an entry.
using CacheKey = std::string;

/// Hashes parts in order; each part's length counts, so that ("ab", "c") and ("a", "bc") differ.
class KeyBuilder {
public:
  KeyBuilder();
  ~KeyBuilder();
  KeyBuilder(const KeyBuilder &) = delete;
  KeyBuilder &operator=(const KeyBuilder &) = delete;
  KeyBuilder &add(std::string_view part);
  KeyBuilder &add(const std::vector<char> &part) { return add(std::string_view(part.data(), part.size())); }
  KeyBuilder &add(uint64_t number);
  CacheKey key() const;

private:
  void *state_;
};

/// `identity` is codeIdentity(): what compiles, and for which processor.
CacheKey compileKey(std::string_view identity, const CompileRequest &request, const LanguageFacts &facts);
CacheKey linkKey(std::string_view identity, const abi::LinkInput &input, const LanguageFacts &facts);
/// Of a program's code: the source lines in error messages come from the IR, so the IR is all that code depends on.
CacheKey programKey(const abi::ModuleData &module);
CacheKey codeKey(std::string_view identity, const CacheKey &program, std::string_view kernel,
                 const abi::Specialization &wanted);

} // namespace us::emulator
