// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a front end hands to code generation: kernel IR in memory (docs/ir-conventions.md, but still with the front
// end's triple and opaque types) and what is known of its source.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace us::frontend {

struct KernelModule {
  KernelModule();
  KernelModule(KernelModule &&) noexcept;
  KernelModule &operator=(KernelModule &&) noexcept;
  ~KernelModule();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::string expandedSource;                                  ///< the source with its includes expanded
  std::vector<std::pair<std::string, uint64_t>> includedFiles; ///< path and xxh64 of every file read from disk
};

} // namespace us::frontend
