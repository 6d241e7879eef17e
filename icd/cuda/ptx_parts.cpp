// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/ptx_parts.h"

#include <algorithm>

namespace us::cuda {
namespace {

/// A shorter text is built in less than a tenth of a second, and what is wrong with it is said when it is loaded.
constexpr size_t kLongText = 64 << 10;

bool isKernel(const PtxSymbol &symbol) { return symbol.kind == PtxKind::Kernel && symbol.isDefinition; }

} // namespace

std::optional<PtxParts> PtxParts::of(std::shared_ptr<const std::string> text) {
  if (text->size() < kLongText) return std::nullopt;
  PtxOutline outline = outlineOf(*text);
  const auto isAlias = [](std::string_view statement) { return statement.starts_with(".alias"); };
  if (std::ranges::count_if(outline.symbols, isKernel) < 2 || std::ranges::any_of(outline.others, isAlias))
    return std::nullopt;
  return PtxParts(std::move(text), std::move(outline));
}

PtxParts::PtxParts(std::shared_ptr<const std::string> text, PtxOutline outline)
    : text_(std::move(text)), outline_(std::move(outline)) {
  for (size_t i = 0; i < outline_.symbols.size(); ++i) {
    byName_[outline_.symbols[i].name].push_back(i);
    if (isKernel(outline_.symbols[i])) kernels_.emplace_back(outline_.symbols[i].name);
  }
}

bool PtxParts::hasKernel(std::string_view name) const {
  const auto found = byName_.find(name);
  return found != byName_.end() &&
         std::ranges::any_of(found->second, [&](size_t i) { return isKernel(outline_.symbols[i]); });
}

bool PtxParts::hasVariable(std::string_view name) const {
  const auto found = byName_.find(name);
  return found != byName_.end() && std::ranges::any_of(found->second, [&](size_t i) { return isShared(i); });
}

/// Shared memory is each block's own.
bool PtxParts::isShared(size_t symbol) const {
  return outline_.symbols[symbol].kind == PtxKind::Variable && outline_.symbols[symbol].space != "shared";
}

const PtxNames &PtxParts::namesOf(size_t symbol) {
  const auto [found, isNew] = names_.try_emplace(symbol);
  const PtxSymbol &what = outline_.symbols[symbol];
  const bool isVariable = what.kind == PtxKind::Variable;
  if (isNew && isVariable) found->second = namesIn(what.statement);
  if (isNew && !isVariable && what.isDefinition)
    found->second = namesIn(what.statement.substr(what.bodyAt - size_t(what.statement.data() - text_->data())));
  return found->second;
}

PtxParts::Reached PtxParts::reachedFrom(Symbols begin) {
  Reached reached;
  std::vector<size_t> waiting(begin.begin(), begin.end());
  reached.symbols = std::move(begin);
  while (!waiting.empty()) {
    const size_t symbol = waiting.back();
    waiting.pop_back();
    const PtxNames &names = namesOf(symbol);
    reached.shares |= names.callsThroughPointer || isShared(symbol);
    for (const bool isCalled : {true, false})
      for (const std::string_view name : isCalled ? names.called : names.others) {
        const auto known = byName_.find(name);
        if (known == byName_.end()) continue;
        for (const size_t other : known->second) {
          const PtxKind kind = outline_.symbols[other].kind;
          reached.shares |= kind == PtxKind::Kernel || (kind == PtxKind::Function && !isCalled);
          if (reached.symbols.insert(other).second) waiting.push_back(other);
        }
      }
  }
  return reached;
}

const PtxParts::Reached &PtxParts::reachedFromKernel(size_t kernel) {
  const auto [found, isNew] = reached_.try_emplace(kernel);
  if (isNew) found->second = reachedFrom({kernel});
  return found->second;
}

std::optional<std::string> PtxParts::partOf(std::string_view kernel) {
  const auto found = byName_.find(kernel);
  if (found == byName_.end()) return std::nullopt;
  Symbols all;
  for (const size_t symbol : found->second) {
    const Reached &reached = reachedFromKernel(symbol);
    if (reached.shares) return std::nullopt;
    all.insert(reached.symbols.begin(), reached.symbols.end());
  }
  return textOf(all);
}

std::string PtxParts::commonPart() {
  Symbols begin;
  for (size_t i = 0; i < outline_.symbols.size(); ++i)
    if (isShared(i) || (isKernel(outline_.symbols[i]) && reachedFromKernel(i).shares)) begin.insert(i);
  return textOf(reachedFrom(std::move(begin)).symbols);
}

std::string PtxParts::textOf(const Symbols &symbols) const {
  std::vector<std::string_view> left = outline_.sections;
  for (size_t i = 0; i < outline_.symbols.size(); ++i)
    if (!symbols.contains(i)) left.push_back(outline_.symbols[i].statement);
  std::ranges::sort(left, {}, [](std::string_view statement) { return statement.data(); });
  std::string part;
  const char *copied = text_->data();
  for (const std::string_view statement : left) {
    part.append(copied, statement.data());
    part.append(size_t(std::ranges::count(statement, '\n')), '\n');
    copied = statement.data() + statement.size();
  }
  return part.append(copied, text_->data() + text_->size());
}

} // namespace us::cuda
