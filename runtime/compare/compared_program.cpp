// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/compared_program.h"

#include <algorithm>

namespace us::compare {
namespace {

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Where the name stands as a word, with an opening parenthesis behind it and "kernel" somewhere before it since the
/// last statement: macros that make kernels are not seen through.
size_t definitionOf(const std::string &source, const std::string &kernel) {
  for (size_t at = source.find(kernel); at != std::string::npos; at = source.find(kernel, at + 1)) {
    const size_t end = at + kernel.size();
    if ((at > 0 && isNameCharacter(source[at - 1])) || (end < source.size() && isNameCharacter(source[end]))) continue;
    const size_t next = source.find_first_not_of(" \t\r\n", end);
    if (next == std::string::npos || source[next] != '(') continue;
    const size_t before = at == 0 ? std::string::npos : source.find_last_of(";}", at - 1);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    if (source.substr(begin, at - begin).find("kernel") != std::string::npos) return at;
  }
  return std::string::npos;
}

} // namespace

KernelPlace placeOf(const ProgramNotes &notes, const std::string &kernel) {
  KernelPlace place{notes.number, 0, {}};
  for (const std::shared_ptr<const std::string> &source : notes.sources) {
    const size_t at = definitionOf(*source, kernel);
    if (at == std::string::npos) continue;
    place.line =
        1 + static_cast<uint32_t>(std::count(source->begin(), source->begin() + static_cast<ptrdiff_t>(at), '\n'));
    const size_t before = at == 0 ? std::string::npos : source->find_last_of('\n', at - 1);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    place.text = source->substr(begin, source->find('\n', at) - begin);
    break;
  }
  return place;
}

ComparedProgram::ComparedProgram(Ref<DeviceProgram> reference, Ref<DeviceProgram> candidate, std::string obstacle,
                                 std::shared_ptr<const ProgramNotes> notes)
    : reference_(std::move(reference)), candidate_(std::move(candidate)), obstacle_(std::move(obstacle)),
      notes_(std::move(notes)) {
  const bool areThere = reference_->globalVariableSize() != 0 || (candidate_ && candidate_->globalVariableSize() != 0);
  if (!candidate_ || !areThere || kind() != ProgramKind::Executable) return;
  // One memory for both: what launches leave in it is put back with the rest.
  if (candidate_->shareVariables(*reference_))
    if (const Expected<DeviceVariable> all = reference_->variables()) variables_ = *all;
  if (variables_.size == 0) obstacle_ = "its program has variables, of which each device has its own";
}

Expected<Ref<DeviceKernel>> ComparedProgram::kernel(std::string_view name) {
  US_TRY(Ref<DeviceKernel> reference, reference_->kernel(name));
  Ref<DeviceKernel> candidate;
  std::string obstacle = obstacle_;
  if (candidate_) {
    Expected<Ref<DeviceKernel>> made = candidate_->kernel(name);
    if (made)
      candidate = *std::move(made);
    else
      obstacle = "the candidate has no such kernel: " + made.error().message;
  }
  return Ref<DeviceKernel>(
      new ComparedKernel(std::move(reference), std::move(candidate), std::move(obstacle), notes_, variables_));
}

Ref<DeviceKernel> referenceKernel(const Ref<DeviceKernel> &kernel) {
  const auto *const compared = dynamic_cast<const ComparedKernel *>(kernel.get());
  return compared ? compared->reference() : kernel;
}

} // namespace us::compare
