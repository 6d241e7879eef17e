// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/builder.h"

#include "emulator/device/code_target.h"
#include "emulator/device/compiler_library.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"

#include <cstdio>

namespace us::emulator {
namespace {

/// Somebody who wants to see what the compiler makes wants it to be made.
bool mayUseCache(const Engine &engine) {
  return engine.options.dump.empty() && !engine.options.remarks && engine.cache.enabled();
}

abi::CompilerSettings compilerSettings(const Engine &engine) {
  return {engine.options.dump, engine.options.compileLimit};
}

/// Looks the key up, else calls the compiler; `whenFailed` is the code for a compiler that cannot be used or fell over.
template <class Call>
Logged<StoredProgram> build(Engine &engine, const CacheKey &key, ErrorCode whenFailed, Call call) {
  if (mayUseCache(engine))
    if (std::optional<StoredProgram> stored = engine.cache.findProgram(key)) {
      ++engine.statistics.programHits;
      ++engine.statistics.builds;
      std::string log = stored->log;
      return {*std::move(stored), std::move(log)};
    }
  std::optional<Logged<abi::ModuleData>> made;
  const uint64_t begin = monotonicNanoseconds();
  Expected<void> called = checkExecutes(profiles::machine(), engine.target);
  if (called) called = callCompiler([&](const abi::CompilerApi &api) { made = call(api); });
  if (!called) {
    Error error = std::move(called.error());
    if (error.code == ErrorCode::Internal || error.code == ErrorCode::InvalidValue) error.code = whenFailed;
    std::string log = error.message + "\n";
    made = {std::unexpected(std::move(error)), std::move(log)};
  }
  if (engine.timeline) engine.timeline->other("build", "build of a program", {begin, monotonicNanoseconds()}, 0);
  ++(*made ? engine.statistics.builds : engine.statistics.failedBuilds);
  if (!*made) return {std::unexpected(std::move(made->error())), std::move(made->log)};
  StoredProgram program{**std::move(made), made->log};
  if (mayUseCache(engine)) engine.cache.store(key, program);
  return {std::move(program), std::move(made->log)};
}

/// Without the compiler library, if the code is simple enough and no debugger wants to know of it.
bool placeCode(const Engine &engine, ReadyCode &code) {
  if (!engine.options.debugInfo) code.linked = linkObject(code.data);
  if (!code.linked.pages) return false;
  code.loaded.entry = code.linked.entry;
  code.loaded.codeBegin = code.linked.codeBegin;
  code.loaded.codeEnd = code.linked.codeEnd;
  return true;
}

Expected<void> loadCode(const Engine &engine, const abi::CompilerApi &api, ReadyCode &code) {
  if (placeCode(engine, code)) return {};
  if (logs(LogLevel::Debug)) log(LogLevel::Debug, "the compiler's linker places " + code.data.symbol);
  US_TRY(code.loaded, api.load(code.data, memory::AddressSpace::instance().codeMemory(), engine.options.debugInfo));
  return {};
}

/// From the cache, in place; null if there is none that is of use.
std::unique_ptr<ReadyCode> findCode(Engine &engine, const CacheKey &key, const abi::Specialization &specialization) {
  std::optional<abi::CodeData> stored = engine.cache.findCode(key);
  if (!stored) return nullptr;
  auto code = std::make_unique<ReadyCode>();
  code->specialization = specialization;
  code->data = std::move(*stored);
  Expected<void> called, loaded;
  if (!placeCode(engine, *code))
    called = callCompiler([&](const abi::CompilerApi &api) { loaded = loadCode(engine, api, *code); });
  // Whole, yet of no use: it is made anew and replaced.
  if (!called || !loaded) return nullptr;
  ++engine.statistics.kernelHits;
  return code;
}

} // namespace

Logged<StoredProgram> compileProgram(Engine &engine, const CompileRequest &request, const LanguageFacts &facts) {
  return build(engine, compileKey(codeIdentity(engine.target), request, facts),
               request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure,
               [&](const abi::CompilerApi &api) { return api.compile(request, facts, compilerSettings(engine)); });
}

Logged<StoredProgram> linkPrograms(Engine &engine, const abi::LinkInput &input, const LanguageFacts &facts) {
  return build(engine, linkKey(codeIdentity(engine.target), input, facts), ErrorCode::LinkProgramFailure,
               [&](const abi::CompilerApi &api) { return api.link(input, facts, compilerSettings(engine)); });
}

Expected<std::unique_ptr<ReadyCode>> makeCode(Engine &engine, const abi::ModuleData &module, const CacheKey &programKey,
                                              const std::string &kernel, const abi::Specialization &wanted) {
  abi::Specialization optimized = wanted;
  optimized.baseline = false;
  const auto keyFor = [&](const abi::Specialization &one) {
    return codeKey(codeIdentity(engine.target), programKey, kernel, one);
  };
  // Counters are this process's.
  const bool isKept = mayUseCache(engine) && !wanted.counters;
  if (isKept) {
    if (auto code = findCode(engine, keyFor(optimized), optimized)) return code;
    if (wanted.baseline)
      if (auto code = findCode(engine, keyFor(wanted), wanted)) return code;
  }

  auto code = std::make_unique<ReadyCode>();
  std::vector<std::string> remarks;
  Expected<void> made;
  const auto make = [&](const abi::CompilerApi &api) -> Expected<void> {
    Expected<abi::CodeData> data = api.generate({module.ir, kernel, wanted}, compilerSettings(engine),
                                                engine.options.remarks ? &remarks : nullptr);
    for (const std::string &remark : remarks)
      std::fprintf(stderr, "understudy: kernel '%s': %s\n", kernel.c_str(), remark.c_str());
    if (!data) return std::unexpected(std::move(data.error()));
    code->data = *std::move(data);
    return loadCode(engine, api, *code);
  };
  const uint64_t begin = monotonicNanoseconds();
  Expected<void> called = callCompiler([&](const abi::CompilerApi &api) { made = make(api); });
  if (engine.timeline) engine.timeline->other("code", "code of " + kernel, {begin, monotonicNanoseconds()}, 0);
  if (const Expected<void> &outcome = called ? made : called; !outcome) {
    const Error &error = outcome.error();
    ErrorCode errorCode = error.code == ErrorCode::Internal ? ErrorCode::OutOfResources : error.code;
    return fail(errorCode, error.message);
  }
  ++engine.statistics.kernelsGenerated;
  if (code->data.baseline) ++engine.statistics.baselineGenerated;
  code->specialization = code->data.baseline ? wanted : optimized;
  if (isKept) engine.cache.store(keyFor(code->specialization), code->data);
  return code;
}

ReadyCode::~ReadyCode() {
  unlinkObject(linked);
  if (!loaded.handle) return;
  // Where that fails (a forked child, process exit) the code just stays.
  (void)callCompiler([&](const abi::CompilerApi &api) { api.unload(loaded.handle); });
}

abi::SourceLine ReadyCode::sourceLine(void *user, uint64_t pc) {
  auto &code = *static_cast<ReadyCode *>(user);
  abi::SourceLine line;
  (void)callCompiler([&](const abi::CompilerApi &api) {
    line = api.sourceLine(code.data, pc - reinterpret_cast<uint64_t>(code.loaded.entry));
  });
  return line;
}

} // namespace us::emulator
