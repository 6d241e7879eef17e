// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/builder.h"

#include "emulator/device/compiler_library.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/log.h"

#include <cstdio>

namespace us::emulator {
namespace {

/// Somebody who wants to see what the compiler makes wants it to be made.
bool mayUseCache(const Engine &engine) {
  return engine.options.dump.empty() && !engine.options.remarks && engine.cache.enabled();
}

void addFacts(KeyBuilder &key, const abi::LanguageFacts &facts) {
  key.add(facts.extensions.size());
  for (const std::string &name : facts.extensions) key.add(name);
  key.add(facts.features.size());
  for (const std::string &name : facts.features) key.add(name);
  key.add(facts.subGroupSize).add(facts.localMemory).add(facts.hasFma ? 1 : 0);
}

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// Looks the key up, else calls the compiler; `whenCrashed` is the code for a compiler that fell over.
template <class Call> BuildOutcome build(Engine &engine, const CacheKey &key, ErrorCode whenCrashed, Call call) {
  BuildOutcome outcome;
  if (mayUseCache(engine))
    if (std::optional<StoredProgram> stored = engine.cache.findProgram(key)) {
      ++engine.statistics.programHits;
      ++engine.statistics.builds;
      outcome.log = stored->log;
      outcome.program = std::move(*stored);
      outcome.ok = true;
      return outcome;
    }
  abi::ModuleOutput output;
  Expected<void> called = callCompiler([&](const abi::CompilerApi &api) { call(api, output); });
  if (!called) {
    outcome.error = called.error();
    if (outcome.error.code == ErrorCode::Internal) outcome.error.code = whenCrashed;
    outcome.log = outcome.error.message + "\n";
  } else if (!output.ok) {
    outcome.error = std::move(output.error);
    outcome.log = std::move(output.log);
  } else {
    outcome.ok = true;
    outcome.log = output.log;
    outcome.program = {std::move(output.module), std::move(output.log)};
    if (mayUseCache(engine)) engine.cache.store(key, outcome.program);
  }
  ++(outcome.ok ? engine.statistics.builds : engine.statistics.failedBuilds);
  return outcome;
}

CacheKey codeKey(const CacheKey &programKey, const std::string &kernel, const abi::Specialization &wanted) {
  KeyBuilder key;
  key.add("code").add(codeIdentity()).add(programKey).add(kernel);
  key.add(static_cast<uint64_t>(wanted.tier)).add(wanted.baseline).add(wanted.workDimensions);
  for (uint32_t size : wanted.localSize) key.add(size);
  key.add(wanted.smallIndex).add(wanted.zeroOffset).add(wanted.ragged).add(wanted.instrumentation);
  for (uint16_t bits : wanted.opaque) key.add(bits);
  return key.key();
}

/// Without the compiler library, if the code is simple enough and no debugger wants to know of it.
bool placeCode(const Engine &engine, ReadyCode &code) {
  if (!engine.options.debugInfo) code.linked = linkObject(code.data);
  if (!code.linked.pages) return false;
  code.loaded = {.ok = true, .entry = code.linked.entry};
  code.loaded.codeBegin = code.linked.codeBegin;
  code.loaded.codeEnd = code.linked.codeEnd;
  return true;
}

void loadCode(const Engine &engine, const abi::CompilerApi &api, ReadyCode &code) {
  if (placeCode(engine, code)) return;
  if (logs(LogLevel::Debug)) log(LogLevel::Debug, "the compiler's linker places " + code.data.symbol);
  api.load(code.data, memory::AddressSpace::instance().codeMemory(), engine.options.debugInfo, code.loaded);
}

/// From the cache, in place; null if there is none that is of use.
std::unique_ptr<ReadyCode> findCode(Engine &engine, const CacheKey &key, const abi::Specialization &specialization) {
  std::optional<abi::CodeData> stored = engine.cache.findCode(key);
  if (!stored) return nullptr;
  auto code = std::make_unique<ReadyCode>();
  code->specialization = specialization;
  code->data = std::move(*stored);
  Expected<void> called;
  if (!placeCode(engine, *code))
    called = callCompiler([&](const abi::CompilerApi &api) { loadCode(engine, api, *code); });
  // Whole, yet of no use: it is made anew and replaced.
  if (!called || !code->loaded.ok) return nullptr;
  ++engine.statistics.kernelHits;
  return code;
}

} // namespace

BuildOutcome compileProgram(Engine &engine, const CompileRequest &request, const abi::LanguageFacts &facts) {
  KeyBuilder key;
  key.add("compile").add(codeIdentity()).add(request.link ? 1 : 0);
  key.add(request.source).add(request.options).add(request.headers.size());
  key.add(static_cast<uint64_t>(request.language));
  abi::CompileInput input;
  input.source = request.source;
  input.options = request.options;
  input.link = request.link;
  input.language = request.language;
  input.facts = facts;
  input.dumpDirectory = engine.options.dump;
  input.timeLimit = engine.options.compileLimit;
  for (const SourceHeader &header : request.headers) {
    key.add(header.name).add(header.text);
    input.headers.push_back({header.name, header.text});
  }
  input.il = request.il;
  key.add(textOf(request.il)).add(request.specializations.size());
  for (const SpecializationValue &value : request.specializations) {
    key.add(value.id).add(textOf(value.bytes));
    input.specializations.push_back({value.id, value.bytes});
  }
  addFacts(key, facts);
  return build(engine, key.key(), request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure,
               [&](const abi::CompilerApi &api, abi::ModuleOutput &output) { api.compile(input, output); });
}

BuildOutcome linkPrograms(Engine &engine, std::span<const abi::ModuleData *const> inputs, std::string_view options,
                          const abi::LanguageFacts &facts) {
  KeyBuilder key;
  key.add("link").add(codeIdentity()).add(options).add(inputs.size());
  for (const abi::ModuleData *input : inputs)
    key.add(static_cast<uint64_t>(input->kind)).add(input->ir).add(input->options);
  addFacts(key, facts);
  abi::LinkInput input{{inputs.begin(), inputs.end()}, options, facts, engine.options.compileLimit};
  return build(engine, key.key(), ErrorCode::LinkProgramFailure,
               [&](const abi::CompilerApi &api, abi::ModuleOutput &output) { api.link(input, output); });
}

CacheKey programKey(const abi::ModuleData &module) {
  // The source lines in error messages come from the IR, so the IR is all that code depends on.
  return KeyBuilder().add(module.ir).key();
}

Expected<std::unique_ptr<ReadyCode>> makeCode(Engine &engine, const abi::ModuleData &module, const CacheKey &programKey,
                                              const std::string &kernel, const abi::Specialization &wanted) {
  abi::Specialization optimized = wanted;
  optimized.baseline = false;
  if (mayUseCache(engine)) {
    if (auto code = findCode(engine, codeKey(programKey, kernel, optimized), optimized)) return code;
    if (wanted.baseline)
      if (auto code = findCode(engine, codeKey(programKey, kernel, wanted), wanted)) return code;
  }

  auto code = std::make_unique<ReadyCode>();
  abi::CodeOutput output;
  Expected<void> called = callCompiler([&](const abi::CompilerApi &api) {
    api.generate({module.ir, kernel, wanted, engine.options.dump, engine.options.remarks, engine.options.compileLimit},
                 output);
    for (const std::string &remark : output.remarks)
      std::fprintf(stderr, "understudy: kernel '%s': %s\n", kernel.c_str(), remark.c_str());
    if (!output.ok) return;
    code->data = std::move(output.code);
    loadCode(engine, api, *code);
  });
  auto failed = [&](const Error &error) {
    ErrorCode errorCode = error.code == ErrorCode::Internal ? ErrorCode::OutOfResources : error.code;
    return fail(errorCode, error.message);
  };
  if (!called) return failed(called.error());
  if (!output.ok) return failed(output.error);
  if (!code->loaded.ok) return failed(code->loaded.error);
  ++engine.statistics.kernelsGenerated;
  if (code->data.baseline) ++engine.statistics.baselineGenerated;
  code->specialization = code->data.baseline ? wanted : optimized;
  if (mayUseCache(engine)) engine.cache.store(codeKey(programKey, kernel, code->specialization), code->data);
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
