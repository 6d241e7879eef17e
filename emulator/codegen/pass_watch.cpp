// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/pass_watch.h"

#include "runtime/base/work_limit.h"

#include <llvm/ADT/Any.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace us::codegen {
namespace {

/// "extract_kernel" of a pass of ours, which LLVM knows as us::codegen::ExtractKernel; empty for LLVM's own.
std::string nameOfOurs(llvm::StringRef className) {
  if (!className.consume_front("us::codegen::")) return {};
  std::string name;
  for (char c : className) {
    if (llvm::isUpper(c) && !name.empty()) name += '_';
    name += llvm::toLower(c);
  }
  return name;
}

} // namespace

PassWatch::PassWatch(std::string directory, std::string stem)
    : directory_(std::move(directory)), stem_(std::move(stem)) {
  if (workIsLimited()) {
    callbacks_.registerBeforeNonSkippedPassCallback([](llvm::StringRef, llvm::Any) { workStep(); });
    callbacks_.registerBeforeAnalysisCallback([](llvm::StringRef, llvm::Any) { workStep(); });
  }
#ifdef NDEBUG
  if (!dumps()) return;
#endif
  callbacks_.registerBeforeNonSkippedPassCallback([this](llvm::StringRef, llvm::Any) { begin(); });
  callbacks_.registerAfterPassCallback([this](llvm::StringRef pass, llvm::Any ir, const llvm::PreservedAnalyses &) {
    end(pass);
    const std::string name = nameOfOurs(pass);
    const llvm::Module *const *module = llvm::any_cast<const llvm::Module *>(&ir);
    if (name.empty() || !module) return;
#ifndef NDEBUG
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    if (llvm::verifyModule(**module, &stream))
      llvm::report_fatal_error(llvm::Twine("invalid IR after the pass ") + name + " of " + stem_ + ": " + complaint);
#endif
    if (!dumps()) return;
    dump((count_ < 10 ? "0" : "") + std::to_string(count_) + "." + name + ".ll", **module);
    ++count_;
  });
  callbacks_.registerAfterPassInvalidatedCallback(
      [this](llvm::StringRef pass, const llvm::PreservedAnalyses &) { end(pass); });
}

PassWatch::~PassWatch() {
  if (times_.empty()) return;
  dump("times", [&](llvm::raw_ostream &stream) {
    std::vector<std::pair<std::string, Clock::duration>> rows(times_.begin(), times_.end());
    std::ranges::stable_sort(rows, std::greater(), [](const auto &row) { return row.second; });
    for (const auto &[name, time] : rows)
      stream << llvm::format("%10.1f us  ", std::chrono::duration<double, std::micro>(time).count()) << name << "\n";
  });
}

void PassWatch::begin() { begun_.push_back(Clock::now()); }

/// Each pass's own time: without that of the passes that it ran.
void PassWatch::end(llvm::StringRef pass) {
  const Clock::time_point now = Clock::now();
  const Clock::duration taken = now - begun_.back();
  begun_.pop_back();
  const std::string ours = nameOfOurs(pass);
  times_[ours.empty() ? pass.str() : ours] += taken;
  // What ran it counts from now as if it had begun so much later.
  for (Clock::time_point &outer : begun_) outer += taken;
}

void PassWatch::dump(const std::string &ending, llvm::function_ref<void(llvm::raw_ostream &)> write) const {
  if (!dumps()) return;
  std::error_code failed;
  (void)llvm::sys::fs::create_directories(directory_); // opening the file says so
  llvm::raw_fd_ostream stream(directory_ + "/" + stem_ + "." + ending, failed);
  if (!failed) write(stream);
}

void PassWatch::dump(const std::string &ending, const llvm::Module &module) const {
  dump(ending, [&](llvm::raw_ostream &stream) { module.print(stream, nullptr); });
}

} // namespace us::codegen
