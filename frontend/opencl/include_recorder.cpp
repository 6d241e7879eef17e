// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/opencl/include_recorder.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#define XXH_INLINE_ALL // one library less to load
#include <xxhash.h>

namespace us::frontend::opencl {
namespace {

/// "#line" for what follows from `offset` on.
std::string lineMarker(const clang::SourceManager &sources, clang::FileID file, size_t offset) {
  const clang::SourceLocation begin = sources.getLocForStartOfFile(file);
  const clang::PresumedLoc place = sources.getPresumedLoc(begin.getLocWithOffset(int(offset)));
  if (place.isInvalid()) return {};
  std::string name;
  llvm::raw_string_ostream(name).write_escaped(place.getFilename());
  return "#line " + std::to_string(place.getLine()) + " \"" + name + "\"\n";
}

} // namespace

class IncludeRecorder::Listener : public clang::PPCallbacks {
public:
  Listener(IncludeRecorder &recorder, const clang::SourceManager &sources) : recorder_(recorder), sources_(sources) {}

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef, bool,
                          clang::CharSourceRange name, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    if (!file) return;
    const auto [includer, begin] = sources_.getDecomposedExpansionLoc(hash);
    const auto [endFile, end] = sources_.getDecomposedExpansionLoc(name.getEnd());
    recorder_.inclusions_.push_back({includer, begin, endFile == includer ? end : begin, {}});
  }

  void LexedFileChanged(clang::FileID file, LexedFileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                        clang::FileID, clang::SourceLocation) override {
    if (reason != LexedFileChangeReason::EnterFile || recorder_.inclusions_.empty()) return;
    Inclusion &last = recorder_.inclusions_.back();
    if (sources_.getFileID(sources_.getIncludeLoc(file)) == last.includer && last.entered.isInvalid())
      last.entered = file;
  }

private:
  IncludeRecorder &recorder_;
  const clang::SourceManager &sources_;
};

void IncludeRecorder::attach(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Listener>(*this, preprocessor.getSourceManager()));
}

void IncludeRecorder::expandFile(const clang::SourceManager &sources, clang::FileID file, std::string &out) const {
  const llvm::StringRef text = sources.getBufferData(file);
  size_t copied = 0;
  for (const Inclusion &inclusion : inclusions_) {
    if (inclusion.includer != file || inclusion.begin < copied) continue;
    out += text.slice(copied, inclusion.begin);
    copied = std::min(text.find('\n', inclusion.end), text.size() - 1) + 1;
    if (inclusion.entered.isValid()) {
      out += lineMarker(sources, inclusion.entered, 0);
      expandFile(sources, inclusion.entered, out);
      if (out.back() != '\n') out += '\n';
    }
    out += lineMarker(sources, file, copied);
  }
  out += text.substr(copied);
}

std::string IncludeRecorder::expand(const clang::SourceManager &sources) const {
  std::string out;
  expandFile(sources, sources.getMainFileID(), out);
  return out;
}

std::vector<std::pair<std::string, uint64_t>> IncludeRecorder::filesOnDisk(const clang::SourceManager &sources,
                                                                           std::string_view memoryRoot) const {
  std::vector<std::pair<std::string, uint64_t>> files;
  for (const Inclusion &inclusion : inclusions_) {
    const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(inclusion.entered);
    if (!entry || entry->getName().starts_with(llvm::StringRef(memoryRoot))) continue;
    const std::string path = entry->getName().str();
    if (std::ranges::any_of(files, [&](auto &known) { return known.first == path; })) continue;
    const llvm::StringRef text = sources.getBufferData(inclusion.entered);
    files.emplace_back(path, XXH64(text.data(), text.size(), 0));
  }
  return files;
}

} // namespace us::frontend::opencl
