// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/compiler_library.h"

#include "emulator/device/compile_threads.h"
#include "emulator/exec/signals.h"
#include "emulator/profiles/machine.h"
#include "emulator/profiles/profile.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

namespace us::emulator {
namespace {

constexpr const char *kFileName = "libunderstudy-compiler.so";
std::atomic<const abi::CompilerApi *> openedApi{nullptr};

std::string findCompiler() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void *>(&compilerIsOpen), &self) || !self.dli_fname) return {};
  std::string folder = self.dli_fname;
  // A program that holds us statically is named as it was called: never look in the folder one happens to be in.
  if (char program[4096]; !folder.contains('/')) {
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0) return {};
    folder.assign(program, static_cast<size_t>(length));
  }
  folder.resize(folder.find_last_of('/'));
  // Beside us in an installation; one folder over when a program of the build holds us statically.
  for (const char *relative : {"/", "/../lib/", "/../lib/understudy/"}) {
    char *absolute = realpath((folder + relative + kFileName).c_str(), nullptr);
    if (!absolute) continue;
    std::string path = absolute;
    std::free(absolute);
    return path;
  }
  return {};
}

Expected<const abi::CompilerApi *> open() {
  if (const abi::CompilerApi *api = openedApi.load(std::memory_order_acquire)) return api;
  static std::mutex mutex; // one thread opens
  std::scoped_lock lock(mutex);
  if (const abi::CompilerApi *api = openedApi.load(std::memory_order_acquire)) return api;
  const std::string &path = compilerPath();
  if (path.empty())
    return fail(ErrorCode::CompilerNotAvailable,
                std::string("the compiler library ") + kFileName + " was not found beside the runtime library");
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return fail(ErrorCode::CompilerNotAvailable, "the compiler library could not be opened: " +
                                                     std::string(reason ? reason : "the loader gives no reason"));
  }
  auto getter = reinterpret_cast<abi::CompilerApiGetter>(dlsym(library, abi::kCompilerApiSymbol));
  const abi::CompilerApi *api = getter ? getter() : nullptr;
  if (!api || api->size < sizeof(abi::CompilerApi) || api->codeVersion != abi::kCodeVersion)
    return fail(ErrorCode::CompilerNotAvailable, "the compiler library " + path + " belongs to another version");
  guardProcessExit();
  openedApi.store(api, std::memory_order_release);
  return api;
}

Expected<void> callHere(const std::function<void(const abi::CompilerApi &)> &call) {
  US_TRY(const abi::CompilerApi *const api, open());
  // What a crashed build held (memory, locks of its own) is lost; the process goes on.
  std::string sentence;
  if (!exec::guardedCompiler([&] { call(*api); }, sentence))
    return fail(ErrorCode::Internal, "the compiler crashed: " + sentence);
  return {};
}

} // namespace

bool compilerIsOpen() { return openedApi.load(std::memory_order_acquire) != nullptr; }

const std::string &compilerPath() {
  // Found early and kept: a relative path would change its meaning with the working directory.
  static const std::string &path = *new std::string(findCompiler());
  return path;
}

const std::string &codeIdentity(abi::Target target) {
  static const auto &identities = *new std::array<std::string, std::size(abi::kTargets)>([] {
    std::string text = "understudy " + std::string(profiles::versionText()) + " code " +
                       std::to_string(abi::kCodeVersion) + " abi " + std::to_string(abi::kAbiVersion);
    // A compiler that was built anew may generate other code under the same version.
    struct stat file{};
    if (!compilerPath().empty() && stat(compilerPath().c_str(), &file) == 0)
      text += " compiler " + std::to_string(file.st_size) + "." + std::to_string(file.st_mtim.tv_sec) + "." +
              std::to_string(file.st_mtim.tv_nsec);
    text += " on " + profiles::processorIdentity();
    std::array<std::string, std::size(abi::kTargets)> all;
    for (const abi::TargetInfo &known : abi::kTargets)
      all[size_t(known.target)] = known.target == abi::Target::Host ? text : text + " for " + std::string(known.name);
    return all;
  }());
  return identities[size_t(target)];
}

Expected<void> callCompiler(const std::function<void(const abi::CompilerApi &)> &call) {
  Expected<void> result;
  US_CHECK(runOnCompileThread([&] { result = callHere(call); }));
  return result;
}

std::vector<abi::SourceLine> hostLines(const std::string &file, uint64_t address) {
  std::vector<abi::SourceLine> lines;
  const auto look = [&](const abi::CompilerApi &api) { lines = api.hostLines(file, address); };
  // The threads that compile end before the process does.
  if (!callCompiler(look) && lines.empty()) (void)callHere(look);
  return lines;
}

} // namespace us::emulator
