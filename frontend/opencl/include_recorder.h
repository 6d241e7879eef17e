// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers what a source included, to write the source with its includes expanded and to name the files on disk that
// a cache entry depends on.
#pragma once

#include <clang/Lex/PPCallbacks.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Preprocessor;
class SourceManager;
} // namespace clang

namespace us::frontend::opencl {

class IncludeRecorder {
public:
  /// Listens to a preprocessor; the recorder must outlive it.
  void attach(clang::Preprocessor &preprocessor);

  /// The main file, each #include line that entered a file replaced by that file; the others are dropped (include
  /// guards). "#line" says where the lines came from.
  std::string expand(const clang::SourceManager &sources) const;

  /// Path and xxh64 of every file included but those below `memoryRoot`.
  std::vector<std::pair<std::string, uint64_t>> filesOnDisk(const clang::SourceManager &sources,
                                                            std::string_view memoryRoot) const;

private:
  class Listener;
  struct Inclusion {
    clang::FileID includer;
    unsigned begin;        ///< offset of the '#'
    unsigned end;          ///< offset behind the file's name
    clang::FileID entered; ///< invalid: skipped
  };

  void expandFile(const clang::SourceManager &sources, clang::FileID file, std::string &out) const;

  std::vector<Inclusion> inclusions_; ///< in the order the preprocessor met them
};

} // namespace us::frontend::opencl
