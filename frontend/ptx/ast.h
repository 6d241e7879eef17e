// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parser makes of PTX text. Names are parts of the text, which outlives the tree.
#pragma once

#include "frontend/ptx/state_space.h"
#include "frontend/ptx/types.h"

#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace us::frontend::ptx {

enum class OperandKind : uint8_t {
  Name,    ///< a register, a variable, a function, a label; `component` of %tid.x
  Integer, ///< a constant expression
  Float,   ///< `bits` of an f32 or f64, by `isDouble`
  Address, ///< [name + integer] or [integer]
  Element, ///< name[integer] or name[register]: the address of an array's element
  Vector,  ///< {a, b}
  List,    ///< (a, b)
  Sink,    ///< _
};

struct Operand {
  OperandKind kind = OperandKind::Sink;
  Place place;
  std::string_view name, component;
  uint64_t bits = 0;       ///< of a number; what is added to an Address's name
  bool isDouble = false;   ///< Float
  bool isNegated = false;  ///< !name
  std::string_view second; ///< name|second
  std::vector<Operand>
      elements; ///< Vector, List; of an Address: what follows the name after a comma; an Element's place in the array
};

/// What .loc says: where in the source of which the text was made. Line 0: nowhere.
struct SourceLine {
  uint64_t file = 0; ///< ModuleText::files
  Place place;
  uint32_t inlinedAt = 0;         ///< 1 for the first of ModuleText::callers; 0: nowhere
  std::string_view function = {}; ///< of one that was inlined: a label of .debug_str
  uint64_t functionOffset = 0;    ///< and what is added to it
};

struct Instruction {
  Place place;
  SourceLine source;
  std::string_view opcode;
  std::vector<std::string_view> modifiers; ///< without dots
  std::vector<Operand> operands;
  std::string_view guard; ///< the predicate's name; empty: none
  bool guardNegated = false;
  Place guardPlace;
};

struct Label {
  Place place;
  std::string_view name;
};

struct Initializer {
  Place place;
  std::vector<Initializer> elements; ///< of a list
  bool isList = false;
  Operand value;          ///< a number, or an address: name + bits
  bool isGeneric = false; ///< generic(name)
};

/// name = value in the braces of a texture's, sampler's or surface's variable.
struct OpaqueField {
  Place place;
  std::string_view name, value;
};

/// A variable or a parameter; also the registers of one name.
struct Variable {
  Place place;
  StateSpace space = StateSpace::Register;
  std::string_view linkage; ///< extern, visible, weak, common or empty
  std::string_view name;
  Type type = nullptr;
  uint32_t lanes = 1;               ///< .v2, .v4
  uint64_t alignment = 0;           ///< bytes; 0: the type's own
  std::vector<uint64_t> dimensions; ///< of an array; 0: not said
  bool isArray = false;
  uint32_t count = 0; ///< %r<10>: ten of them, %r0 to %r9; 0: one of exactly this name
  std::unique_ptr<Initializer> initializer;
  std::string_view opaque; ///< texref, samplerref, surfref; empty: none of these
  std::vector<OpaqueField> fields;
};

/// A list that a label names: where brx.idx may go (.branchtargets), what a pointer may call (.calltargets), or the
/// shape of what it calls (.callprototype).
struct TargetList {
  Place place;
  std::string_view kind, label;
  std::vector<Operand> names;                ///< of branchtargets and calltargets
  std::vector<Variable> results, parameters; ///< of a callprototype
};

struct Block;
using Statement = std::variant<Instruction, Label, std::unique_ptr<Block>>;

/// The registers and variables of a block are known in all of it.
struct Block {
  Place place;
  std::vector<Variable> variables;
  std::vector<TargetList> targetLists;
  std::vector<Statement> statements;
};

struct PerformanceDirective {
  Place place;
  std::string_view name;
  std::vector<uint64_t> values;
};

struct FunctionText {
  Place place;
  bool isEntry = false;
  std::string_view linkage, name;
  std::vector<Variable> results, parameters;
  std::vector<PerformanceDirective> directives;
  std::unique_ptr<Block> body; ///< null: declared only
};

/// .alias name, of;
struct AliasText {
  Place place;
  std::string_view name, of;
};

struct ModuleText {
  uint32_t version = 0; ///< 80 of .version 8.0
  uint32_t target = 0;  ///< 86 of sm_86
  std::vector<Variable> variables;
  std::vector<FunctionText> functions;
  std::vector<AliasText> aliases;
  std::map<uint64_t, std::string_view> files; ///< .file
  std::vector<SourceLine> callers;            ///< into which code was inlined
  std::string debugStrings;                   ///< the bytes of .debug_str
  std::map<std::string_view, size_t> debugLabels;
};

} // namespace us::frontend::ptx
