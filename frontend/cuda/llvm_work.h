// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM and Clang need around their work. LLVM's options are the process's: compilations that want the same ones
// run side by side, others wait for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace us::frontend::cuda {

/// While it lives LLVM has these options. False: `messages` say what is wrong with them.
class UseOfLlvmOptions {
public:
  UseOfLlvmOptions(const std::vector<std::string> &options, llvm::raw_ostream &messages);
  ~UseOfLlvmOptions();
  UseOfLlvmOptions(const UseOfLlvmOptions &) = delete;
  UseOfLlvmOptions &operator=(const UseOfLlvmOptions &) = delete;
  explicit operator bool() const { return good_; }

private:
  bool good_ = true;
};

/// The back ends that we have.
void initializeTargets();

/// Runs `work` on a thread of its own, whose stack is large enough for what Clang takes. A fatal error of LLVM leaves
/// it and is returned as a sentence; the options that `work` took are given back in any case.
std::string runOnLargeStack(const std::function<void(std::optional<UseOfLlvmOptions> &options)> &work);

} // namespace us::frontend::cuda
