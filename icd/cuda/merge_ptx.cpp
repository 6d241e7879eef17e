// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/merge_ptx.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace us::cuda {
namespace {

/// Every text with names of its own.
std::vector<std::string> separated(const std::vector<PtxInput> &inputs) {
  std::map<std::string, unsigned, std::less<>> uses;
  for (const PtxInput &input : inputs) {
    std::set<std::string_view> names;
    for (const PtxSymbol &symbol : outlineOf(input.text).symbols) names.insert(symbol.name);
    for (const std::string_view name : names) ++uses[std::string(name)];
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::vector<std::string_view> own;
    for (const PtxSymbol &symbol : outlineOf(inputs[i].text).symbols)
      if (!symbol.isGlobal() && symbol.kind != PtxKind::Kernel && uses.find(symbol.name)->second > 1)
        own.push_back(symbol.name);
    std::sort(own.begin(), own.end());
    texts.push_back(renamed(inputs[i].text, own, "$in" + std::to_string(i)));
  }
  return texts;
}

std::string merged(const std::vector<std::string> &texts) {
  std::vector<PtxOutline> outlines;
  outlines.reserve(texts.size());
  for (const std::string &text : texts) outlines.push_back(outlineOf(text));
  unsigned version = 0, target = 0;
  // Who defines a name: the first that does so for good, else the first at all.
  std::map<std::string_view, const PtxSymbol *> definitions;
  for (const PtxOutline &outline : outlines) {
    version = std::max(version, outline.major * 10 + outline.minor);
    target = std::max(target, outline.target);
    for (const PtxSymbol &symbol : outline.symbols) {
      if (!symbol.isDefinition) continue;
      const PtxSymbol *&best = definitions[symbol.name];
      const auto yields = [](const PtxSymbol &one) { return one.linkage == "weak" || one.linkage == "common"; };
      if (!best || (yields(*best) && !yields(symbol))) best = &symbol;
    }
  }
  std::string result = ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) +
                       "\n.target sm_" + std::to_string(target) + "\n.address_size 64\n";
  std::set<std::string_view> declared;
  for (const PtxOutline &outline : outlines) {
    for (const PtxSymbol &symbol : outline.symbols) {
      const auto found = definitions.find(symbol.name);
      const bool isDefined = found != definitions.end();
      if (symbol.isDefinition && found->second != &symbol) continue;
      // Functions may be declared as often as one likes, variables not.
      if (!symbol.isDefinition && symbol.kind == PtxKind::Variable &&
          (isDefined || !declared.insert(symbol.name).second))
        continue;
      result.append(symbol.statement).append("\n");
    }
    for (const std::string_view other : outline.others) result.append(other).append("\n");
  }
  return result;
}

} // namespace

std::string mergedPtx(const std::vector<PtxInput> &inputs) {
  // An H200 links nothing to nothing.
  return inputs.empty() ? ".version 8.0\n.target sm_50\n.address_size 64\n" : merged(separated(inputs));
}

std::string clashOf(const PtxOutline &outline, const std::string &input, StrongNames &names) {
  for (const PtxSymbol &symbol : outline.symbols) {
    const bool isStrong = symbol.isDefinition && (symbol.linkage == "visible" || symbol.kind == PtxKind::Kernel) &&
                          symbol.linkage != "weak";
    if (!isStrong) continue;
    const auto [found, isNew] = names.emplace(symbol.name, input);
    if (!isNew) return "'" + std::string(symbol.name) + "' is defined in " + found->second + " and in " + input;
  }
  return {};
}

std::optional<std::vector<std::string_view>> archiveMembers(std::string_view bytes) {
  constexpr std::string_view kMagic = "!<arch>\n";
  constexpr size_t kHeader = 60, kSizeAt = 48, kSizeLength = 10;
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  std::vector<std::string_view> members;
  for (size_t at = kMagic.size(); bytes.size() - at >= kHeader;) {
    const std::string_view digits = bytes.substr(at + kSizeAt, kSizeLength);
    size_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    at += kHeader;
    if (size > bytes.size() - at) return std::nullopt;
    members.push_back(bytes.substr(at, size));
    at = std::min(at + size + size % 2, bytes.size());
  }
  return members;
}

} // namespace us::cuda
