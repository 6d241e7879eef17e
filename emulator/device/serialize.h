// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled programs and machine code as bytes, for program binaries and the disk cache. Reading trusts nothing: every
// length is checked against what is left, so any bytes give a value or a refusal.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::emulator {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// What one build of a program left behind: a cache entry or a program binary.
struct StoredProgram {
  abi::ModuleData module;
  std::string log; ///< a hit shows the warnings again
};

Bytes serialize(const StoredProgram &program);
Bytes serialize(const abi::CodeData &code);
/// Nothing if the bytes are not exactly one such value.
std::optional<StoredProgram> readProgram(ByteView bytes);
std::optional<abi::CodeData> readCode(ByteView bytes);

/// What a container holds.
enum class ContentKind : uint32_t { Program = 1, Code = 2 };

/// Wraps a payload: magic, format, kind, checksum, the identity of the code generator, and the payload compressed.
Bytes pack(ContentKind kind, std::string_view identity, ByteView payload);
/// The payload; nothing if any byte is wrong, or if kind or identity differ.
std::optional<Bytes> unpack(ContentKind kind, std::string_view identity, ByteView container);

} // namespace us::emulator
