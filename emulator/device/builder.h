// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and machine code, from the disk cache if they are there, else from the compiler.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/device/engine.h"
#include "emulator/device/object_linker.h"
#include "runtime/device/device.h"

#include <memory>

namespace us::emulator {

Logged<StoredProgram> compileProgram(Engine &engine, const CompileRequest &request, const LanguageFacts &facts);
Logged<StoredProgram> linkPrograms(Engine &engine, const abi::LinkInput &input, const LanguageFacts &facts);

/// Machine code in place, for one specialization of one kernel. Unloads itself.
struct ReadyCode {
  ReadyCode() = default;
  ReadyCode(const ReadyCode &) = delete;
  ReadyCode &operator=(const ReadyCode &) = delete;
  ~ReadyCode();

  abi::Specialization specialization;
  abi::CodeData data;
  abi::LoadedCode loaded;
  LinkedCode linked;         ///< where our own linker placed it; else the compiler's did
  ReadyCode *next = nullptr; ///< the list of its kernel

  /// The source line of an address in this code: what exec::LaunchPlan wants; `user` is the ReadyCode.
  static abi::SourceLine sourceLine(void *user, uint64_t pc);
};

/// Finds or generates machine code, and loads it. Unsupported: this tier cannot run the kernel. OutOfResources: the
/// compiler failed or crashed, or there is no room.
Expected<std::unique_ptr<ReadyCode>> makeCode(Engine &engine, const abi::ModuleData &module, const CacheKey &programKey,
                                              const std::string &kernel, const abi::Specialization &wanted);

} // namespace us::emulator
