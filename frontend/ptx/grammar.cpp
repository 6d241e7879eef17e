// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/grammar.h"

#include "frontend/ptx/calls.h"
#include "frontend/ptx/handlers.h"
#include "frontend/ptx/warp.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

namespace us::frontend::ptx {
namespace {

struct SetRow {
  std::string_view name, words;
};
constexpr SetRow kSets[] = {
#define US_PTX_SET(name, words) {#name, words},
#define US_PTX(...)
#include "frontend/ptx/instructions.def"
#undef US_PTX_SET
#undef US_PTX
};

template <auto handler, auto detail> Expected<void> handle(FunctionTranslation &function, const Operation &operation) {
  if constexpr (std::is_enum_v<decltype(detail)>)
    return handler(function, operation, detail);
  else
    return handler(function, operation);
}

struct FormRow {
  std::string_view form, operands;
  Handler handler;
  uint32_t detail;
};
constexpr FormRow kForms[] = {
#define US_PTX_SET(...)
#define US_PTX(form, operands, handler, detail) {form, operands, handle<handler, detail>, uint32_t(detail)},
#include "frontend/ptx/instructions.def"
#undef US_PTX_SET
#undef US_PTX
};

/// Instructions that the ISA has and this device never will, or not yet: a better message than "unknown".
constexpr std::string_view kKnownOpcodes[] = {"clusterlaunchcontrol", "multimem", "tcgen05", "tensormap"};

void addWords(std::string_view text, std::vector<std::string_view> &words) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('|', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto set =
        std::find_if(std::begin(kSets), std::end(kSets), [&](const SetRow &row) { return row.name == word; });
    if (set != std::end(kSets))
      addWords(set->words, words);
    else
      words.push_back(word);
    at = end + 1;
  }
}

template <size_t N> bool isOneOf(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

ModifierSlot::Kind kindOf(std::string_view word) {
  constexpr std::string_view kNotOfRegisters[] = {"tf32", "e4m3x2", "e5m2x2", "e4m3", "e5m2",
                                                  "s4",   "u4",     "s2",     "u2",   "b1"};
  if (typeNamed(word) || isOneOf(word, kNotOfRegisters)) return ModifierSlot::Datatype;
  const StateSpace space = spaceNamed(word); // a copy has two
  return space == StateSpace::Global || space == StateSpace::Shared ? ModifierSlot::Space : ModifierSlot::Other;
}

void readForm(std::string_view text, Form &form) {
  size_t at = std::min(text.find_first_of(".{"), text.size());
  form.opcode = text.substr(0, at);
  while (at < text.size()) {
    ModifierSlot slot;
    slot.isOptional = text[at] == '{';
    if (slot.isOptional) ++at;
    ++at; // the dot
    const size_t end = std::min(text.find_first_of(".{}!", at), text.size());
    addWords(text.substr(at, end - at), slot.words);
    slot.isType = std::all_of(slot.words.begin(), slot.words.end(), [](auto word) { return typeNamed(word); });
    slot.kind = kindOf(slot.words.front());
    form.slots.push_back(std::move(slot));
    at = end < text.size() && text[end] == '}' ? end + 1 : end;
    if (at == text.size() || text[at] != '!') continue;
    form.inName = form.slots.size();
    ++at;
  }
}

struct RuleRow {
  std::string_view code;
  OperandRule rule;
};
using Reference = OperandRule::Reference;
constexpr RuleRow kRules[] = {
    {"t", {.type = Reference::First}},
    {"u", {.type = Reference::Second}},
    {"T", {.isRelaxed = true, .type = Reference::First}},
    {"U", {.isRelaxed = true, .type = Reference::Second}},
    {"w", {.type = Reference::Wide}},
    {"v", {.kind = RuleKind::VectorOrValue, .isRelaxed = true}},
    {"a", {.kind = RuleKind::Address}},
    {"l", {.kind = RuleKind::Label}},
    {"m", {.kind = RuleKind::Moved}},
    {"p", {.kind = RuleKind::Predicate}},
    {"pp", {.kind = RuleKind::PredicatePair}},
};

void readOperands(std::string_view text, Form &form) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    std::string_view code = text.substr(at, end - at);
    const bool isResult = code.starts_with('='), isOptional = code.ends_with('?');
    if (isResult) code.remove_prefix(1);
    if (isOptional) code.remove_suffix(1);
    OperandRule rule{.type = Reference::Fixed, .fixed = typeNamed(code)};
    for (const RuleRow &row : kRules)
      if (row.code == code) rule = row.rule;
    const bool isPredicate = rule.kind == RuleKind::Predicate || rule.kind == RuleKind::PredicatePair;
    if (isPredicate) rule.type = Reference::Fixed, rule.fixed = typeNamed("pred");
    rule.isResult = isResult;
    rule.isOptional = isOptional;
    form.operands.push_back(rule);
    at = end + 1;
  }
}

struct Grammar {
  std::vector<Form> forms;
  std::unordered_map<std::string_view, std::vector<const Form *>> byOpcode;

  Grammar() {
    forms.reserve(std::size(kForms));
    for (const FormRow &row : kForms) {
      Form &form = forms.emplace_back();
      form.text = row.form;
      form.handler = row.handler;
      form.detail = row.detail;
      readForm(row.form, form);
      readOperands(row.operands, form);
      byOpcode[form.opcode].push_back(&form);
    }
  }
};

const Grammar &grammar() {
  static const Grammar &instance = *new Grammar;
  return instance;
}

bool takes(const ModifierSlot &slot, std::string_view word) {
  return std::find(slot.words.begin(), slot.words.end(), word) != slot.words.end();
}

/// Matches modifiers [at, …) against slots [slot, …); `farthest` is the first modifier that did not fit.
bool matches(const Form &form, const Instruction &instruction, size_t slot, size_t at, Operation &operation,
             size_t typesFound, size_t &farthest) {
  farthest = std::max(farthest, at);
  if (slot == form.slots.size()) return at == instruction.modifiers.size();
  const ModifierSlot &expected = form.slots[slot];
  if (at < instruction.modifiers.size()) {
    const std::string_view word = instruction.modifiers[at];
    if (takes(expected, word)) {
      const bool isType = expected.isType && typesFound < 2;
      if (isType) operation.types[typesFound] = typeNamed(word);
      if (matches(form, instruction, slot + 1, at + 1, operation, typesFound + isType, farthest)) return true;
    }
  }
  return expected.isOptional && matches(form, instruction, slot + 1, at, operation, typesFound, farthest);
}

/// The same where modifiers stand in another order than the manual has them, which is no error: those behind the
/// instruction's name may be permuted, but not types among themselves. `used` has a bit for each slot; of each kind,
/// slots before `from` are too early.
bool matchesPermuted(const Form &form, const Instruction &instruction, size_t at, uint64_t used,
                     std::array<size_t, 3> from, Operation &operation, size_t typesFound, size_t &farthest) {
  farthest = std::max(farthest, at);
  if (at == instruction.modifiers.size()) {
    for (size_t slot = 0; slot < form.slots.size(); ++slot)
      if (!form.slots[slot].isOptional && !(used >> slot & 1)) return false;
    return true;
  }
  const std::string_view word = instruction.modifiers[at];
  for (size_t slot = form.inName; slot < form.slots.size(); ++slot) {
    const ModifierSlot &expected = form.slots[slot];
    if ((used >> slot & 1) || slot < from[expected.kind] || !takes(expected, word)) continue;
    const bool isType = expected.isType && typesFound < 2;
    if (isType) operation.types[typesFound] = typeNamed(word);
    std::array<size_t, 3> next = from;
    if (expected.kind != ModifierSlot::Other) next[expected.kind] = slot;
    if (matchesPermuted(form, instruction, at + 1, used | uint64_t(1) << slot, next, operation, typesFound + isType,
                        farthest))
      return true;
  }
  return false;
}

bool matchesPermuted(const Form &form, const Instruction &instruction, Operation &operation, size_t &farthest) {
  size_t at = 0;
  uint64_t used = 0;
  for (size_t slot = 0; slot < form.inName; ++slot) {
    if (at < instruction.modifiers.size() && takes(form.slots[slot], instruction.modifiers[at]))
      ++at, used |= uint64_t(1) << slot;
    else if (!form.slots[slot].isOptional)
      return false;
  }
  return matchesPermuted(form, instruction, at, used, {}, operation, 0, farthest);
}

std::string spelled(const Instruction &instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers) text += "." + std::string(modifier);
  return text;
}

/// An operand for the cache policy stands where .L2::cache_hint says so, and only there.
bool hasPolicyOperand(const Form &form) {
  const bool mayHint = std::any_of(form.slots.begin(), form.slots.end(),
                                   [](const ModifierSlot &slot) { return slot.words.front() == "L2::cache_hint"; });
  return mayHint && form.operands.back().isOptional && form.operands.back().fixed == typeNamed("b64");
}

size_t leastOperands(const Form &form) {
  return size_t(std::count_if(form.operands.begin(), form.operands.end(),
                              [](const OperandRule &rule) { return !rule.isOptional; }));
}

bool countFits(const Operation &operation) {
  const Form &form = operation.form;
  const size_t count = operation.count();
  if (hasPolicyOperand(form)) return count == form.operands.size() - (operation.has("L2::cache_hint") ? 0 : 1);
  return count >= leastOperands(form) && count <= form.operands.size();
}

} // namespace

bool Operation::has(std::string_view modifier) const {
  return std::find(text.modifiers.begin(), text.modifiers.end(), modifier) != text.modifiers.end();
}

std::string_view Operation::firstOf(std::span<const std::string_view> modifiers) const {
  for (const std::string_view modifier : modifiers)
    if (has(modifier)) return modifier;
  return {};
}

StateSpace Operation::space() const {
  for (const std::string_view modifier : text.modifiers)
    if (const StateSpace space = spaceNamed(modifier); space != StateSpace::Generic) return space;
  return StateSpace::Generic;
}

Type Operation::typeAt(size_t place) const {
  const OperandRule &expected = rule(place);
  switch (expected.type) {
  case OperandRule::Fixed:
    return expected.fixed;
  case OperandRule::Second:
    return types[1];
  case OperandRule::Wide:
    return typeOf(types[0]->kind, types[0]->bits * 2);
  case OperandRule::First:
    break;
  }
  return types[0];
}

Expected<Operation> recognise(const Instruction &instruction) {
  const auto found = grammar().byOpcode.find(instruction.opcode);
  const bool isKnown =
      std::find(std::begin(kKnownOpcodes), std::end(kKnownOpcodes), instruction.opcode) != std::end(kKnownOpcodes);
  if (found == grammar().byOpcode.end())
    return failAt(instruction.place, isKnown ? "'" + spelled(instruction) + "' is not supported on this device"
                                             : "there is no instruction '" + std::string(instruction.opcode) + "'");
  size_t farthest = 0;
  const Form *wrongCount = nullptr;
  // Nearly all are as the manual has them.
  for (const bool isPermuted : {false, true})
    for (const Form *form : found->second) {
      Operation operation{instruction, *form};
      const bool isOfForm = isPermuted ? matchesPermuted(*form, instruction, operation, farthest)
                                       : matches(*form, instruction, 0, 0, operation, 0, farthest);
      if (!isOfForm) continue;
      if (countFits(operation)) return operation;
      wrongCount = form;
    }
  const bool readsTexture = instruction.opcode == "tex" || instruction.opcode == "tld4";
  if (wrongCount && readsTexture && instruction.operands.size() > wrongCount->operands.size())
    return failAt(instruction.place, "'" + spelled(instruction) +
                                         "' with offsets, or a depth to compare with, is not supported on this device");
  if (wrongCount)
    return failAt(instruction.place, "'" + spelled(instruction) + "' has " +
                                         std::to_string(leastOperands(*wrongCount)) + " operands, " +
                                         std::to_string(instruction.operands.size()) + " were given");
  if (farthest < instruction.modifiers.size())
    return failAt(instruction.place, "'" + spelled(instruction) + "' is not supported on this device: '." +
                                         std::string(instruction.modifiers[farthest]) + "' fits no form of '" +
                                         std::string(instruction.opcode) + "'");
  return failAt(instruction.place, "'" + spelled(instruction) + "' lacks a modifier");
}

std::span<const Form> allForms() { return grammar().forms; }

} // namespace us::frontend::ptx
