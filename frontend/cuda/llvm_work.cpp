// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/llvm_work.h"

#include "frontend/llvm_guard.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <pthread.h>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeX86AsmParser();
}

namespace us::frontend::cuda {
namespace {

constexpr size_t kStackBytes = size_t{64} << 20;

struct Shared {
  std::mutex mutex;
  std::condition_variable free;
  std::optional<std::vector<std::string>> options; ///< that LLVM has; nothing before the first, and after bad ones
  unsigned users = 0;
};

Shared &shared() {
  static Shared &all = *new Shared;
  return all;
}

} // namespace

UseOfLlvmOptions::UseOfLlvmOptions(const std::vector<std::string> &options, llvm::raw_ostream &messages) {
  Shared &all = shared();
  std::unique_lock lock(all.mutex);
  all.free.wait(lock, [&] { return all.users == 0 || all.options == options; });
  ++all.users;
  if (all.options == options) return;
  // Also without any: those of the compilation before are forgotten.
  std::vector<const char *> words = {"understudy"};
  for (const std::string &option : options) words.push_back(option.c_str());
  llvm::cl::ResetAllOptionOccurrences();
  good_ = llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), "", &messages);
  if (good_)
    all.options = options;
  else
    all.options.reset();
}

UseOfLlvmOptions::~UseOfLlvmOptions() {
  Shared &all = shared();
  {
    std::lock_guard lock(all.mutex);
    --all.users;
  }
  all.free.notify_all();
}

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
}

std::string runOnLargeStack(const std::function<void(std::optional<UseOfLlvmOptions> &options)> &work) {
  std::string fatal;
  const std::function<void()> all = [&] {
    std::optional<UseOfLlvmOptions> options;
    fatal = runGuarded([&] { work(options); });
  };
  const auto start = [](void *argument) -> void * {
    (*static_cast<const std::function<void()> *>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, start, const_cast<std::function<void()> *>(&all)) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    all(); // where there is no room for another thread the caller's stack has to do
  return fatal;
}

} // namespace us::frontend::cuda
