// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's back end asks each extension that LLVM was configured with for its passes. Debian's was configured with
// Polly, whose archive is not part of its packages: it has none. Part of what links Clang's archives.
#include <llvm/Passes/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
