// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one hook of the pipeline: who wants to see what each pass did is told here.
#pragma once

#include <llvm/IR/PassInstrumentation.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class raw_ostream;
} // namespace llvm

namespace us::codegen {

/// Watches the passes of one kernel's code. Each is a step of the work, where that is limited (work_limit.h). In a
/// debug build each pass of ours is verified: invalid IR ends the process with the pass's name. Lives as long as the
/// analyses that were made with callbacks().
class PassWatch {
public:
  /// `directory`: receives `<stem>.NN.<pass>.ll` after each pass of ours and, in the end, `<stem>.times`; empty:
  /// nothing.
  PassWatch(std::string directory, std::string stem);
  PassWatch(const PassWatch &) = delete;
  PassWatch &operator=(const PassWatch &) = delete;
  ~PassWatch();

  llvm::PassInstrumentationCallbacks &callbacks() { return callbacks_; }
  /// Writes `<stem>.<ending>`, if there is a directory.
  void dump(const std::string &ending, llvm::function_ref<void(llvm::raw_ostream &)> write) const;
  void dump(const std::string &ending, const llvm::Module &module) const;
  bool dumps() const { return !directory_.empty(); }

private:
  using Clock = std::chrono::steady_clock;
  void begin();
  void end(llvm::StringRef pass);

  const std::string directory_, stem_;
  llvm::PassInstrumentationCallbacks callbacks_;
  std::vector<Clock::time_point> begun_; ///< of the passes that run, each in the one before
  std::map<std::string, Clock::duration> times_;
  unsigned count_ = 0;
};

} // namespace us::codegen
