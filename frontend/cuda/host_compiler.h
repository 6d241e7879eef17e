// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler of the host's languages, which also links: nvcc leaves to it what is no CUDA C++.
#pragma once
#include "frontend/cuda/command_line.h"
#include "runtime/base/memory_file.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace us::frontend::cuda {

/// An object that has no file: the linker reads it by its descriptor.
using MemoryObject = std::shared_ptr<MemoryFile>;
Expected<MemoryObject> memoryObject(std::string_view content);

/// What a link consists of, in the order of the command line: names of files, libraries (-l...) and objects in memory.
struct LinkItem {
  std::string word;
  MemoryObject object = nullptr; ///< if there is one, it is meant
};

class HostCompiler {
public:
  HostCompiler(const CommandLine &line, CudaRelease release, std::string toolkit);

  /// Where a link finds our libraries.
  std::vector<std::string> libraryOptions() const;
  /// Each returns the program's exit status.
  Expected<int> compile(const std::string &source, const std::string &object) const;
  Expected<int> link(std::span<const LinkItem> items, const std::string &output) const;
  Expected<int> archive(std::span<const LinkItem> items, const std::string &output) const;
  /// An object with nothing in it.
  Expected<int> emptyObject(const std::string &output) const;
  /// By nvlink.
  Expected<int> linkDeviceCode(std::span<const std::string> inputs, const std::string &architecture,
                               const std::string &output) const;
  /// Runs a program that was made.
  Expected<int> start(const std::string &program) const;

private:
  std::vector<std::string> compileOptions() const;
  Expected<int> run(const std::vector<std::string> &words, std::span<const LinkItem> items = {}) const;

  const CommandLine &line_;
  const CudaRelease release_;
  const std::string toolkit_, program_;
};

} // namespace us::frontend::cuda
