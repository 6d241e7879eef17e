// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/parser.h"

#include "emulator/abi/texture_abi.h"
#include "frontend/ptx/token_stream.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace us::frontend::ptx {
namespace {

constexpr std::string_view kLinkages[] = {"extern", "visible", "weak", "common"};
constexpr std::string_view kOpaqueTypes[] = {"texref", "samplerref", "surfref"};
constexpr uint64_t kOpaqueSize = sizeof(abi::TextureDescriptor);
constexpr std::string_view kPerformance[] = {
    "maxntid",  "reqntid",           "minnctapersm",    "maxnctapersm",      "maxnreg",
    "noreturn", "blocksareclusters", "explicitcluster", "reqnctapercluster", "maxclusterrank"};
constexpr std::string_view kTargetLists[] = {"branchtargets", "calltargets", "callprototype"};
constexpr unsigned kDeepestBlock = 64;
/// Of an array. The language knows no limit, but every one is a type around the others, and what walks along types
/// calls itself. Initial values are nested no deeper either.
constexpr unsigned kMostDimensions = 16;
constexpr uint32_t kMostOfOneName = 1u << 20;

template <size_t N> bool isOneOf(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// The space that a declaration begins with; Generic: it does not begin with one.
StateSpace declaredSpace(std::string_view word) {
  const StateSpace space = spaceNamed(word);
  return space <= StateSpace::Parameter && nameOf(space) == word ? space : StateSpace::Generic;
}

class Parser {
public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Expected<ModuleText> module() {
    ModuleText module;
    US_CHECK(header(module));
    while (!tokens_.atEnd()) US_CHECK(moduleItem(module));
    module.files = std::move(files_);
    module.callers = std::move(callers_);
    module.debugStrings = std::move(debugBytes_);
    module.debugLabels = std::move(debugLabels_);
    return module;
  }

private:
  // --- The module ---

  /// "PTX modules must begin with a .version directive", then ".target".
  Expected<void> header(ModuleText &module) {
    if (!tokens_.acceptDot("version")) return tokens_.unexpectedToken(".version");
    // 8.0 is read as a decimal number; its text is what counts.
    const Token &version = tokens_.next();
    const size_t point = version.text.find('.');
    const bool isVersion = version.kind == TokenKind::Float64 && point != version.text.npos && point > 0 &&
                           point + 2 == version.text.size();
    if (!isVersion) return failAt(version.place, "a version such as 8.0 is expected after .version");
    for (const char c : version.text)
      if (c != '.') module.version = module.version * 10 + uint32_t(c - '0');
    if (module.version > kNewestVersion)
      return failAt(version.place,
                    "PTX " + std::string(version.text) + " is newer than 9.0, the newest this device knows");
    if (!tokens_.acceptDot("target")) return tokens_.unexpectedToken(".target");
    do {
      US_TRY(const std::string_view target, tokens_.expectWord("a target such as sm_80"));
      if (!target.starts_with("sm_")) continue; // texmode_independent, debug, map_f64_to_f32
      for (const char c : target.substr(3)) {
        if (c < '0' || c > '9') break; // sm_90a
        module.target = module.target * 10 + uint32_t(c - '0');
      }
    } while (tokens_.accept(","));
    if (tokens_.acceptDot("address_size")) {
      const Place where = tokens_.place();
      US_TRY(const uint64_t size, tokens_.integerExpression());
      if (size != 64) return failAt(where, "addresses of " + std::to_string(size) + " bits: this device has 64");
    }
    return {};
  }

  Expected<void> moduleItem(ModuleText &module) {
    if (tokens_.accept(";")) return {};
    std::string_view linkage;
    const Token first = tokens_.peek();
    if (first.kind != TokenKind::DotWord) {
      // An inlined-function list of debug sections ends with a brace of its own.
      return tokens_.unexpectedToken("a directive");
    }
    if (isOneOf(first.text, kLinkages)) {
      linkage = first.text;
      tokens_.next();
    }
    const Token word = tokens_.peek();
    if (word.isDot("entry") || word.isDot("func")) {
      tokens_.next();
      return function(module, word, linkage);
    }
    const StateSpace space = word.kind == TokenKind::DotWord ? declaredSpace(word.text) : StateSpace::Generic;
    if (space != StateSpace::Generic) {
      if (space == StateSpace::Register || space == StateSpace::Parameter)
        return failAt(word.place, "a ." + std::string(word.text) + " variable outside of functions");
      tokens_.next();
      return variables(module.variables, space, linkage, word.place);
    }
    if (word.isDot("tex")) return oldTextures(module.variables, linkage);
    if (word.isDot("alias")) return alias(module);
    if (word.isDot("file")) return file();
    if (word.isDot("section") && tokens_.peek(1).isDot("debug_str")) return debugStrings();
    if (word.isDot("loc") || word.isDot("pragma") || word.isDot("section")) return skipDirective();
    return failAt(word.place, "a directive that this device does not know: ." + std::string(word.text));
  }

  /// .alias name, function;
  Expected<void> alias(ModuleText &module) {
    AliasText alias;
    alias.place = tokens_.next().place;
    US_TRY(alias.name, tokens_.expectWord("the alias of a function"));
    US_CHECK(tokens_.expect(","));
    US_TRY(alias.of, tokens_.expectWord("the name of a function"));
    module.aliases.push_back(alias);
    return tokens_.expect(";");
  }

  /// .file number "name", and no more that is of interest.
  Expected<void> file() {
    const Token &number = tokens_.peek(1), &name = tokens_.peek(2);
    if (number.kind == TokenKind::Integer && name.kind == TokenKind::String) files_[number.bits] = name.text;
    return skipDirective();
  }

  /// .loc file line column, function_name label + offset, inlined_at file line column
  Expected<void> loc() {
    const uint32_t end = tokens_.place().line;
    size_t at = 1;
    const auto is = [&](TokenKind kind) { return tokens_.peek(at).kind == kind && tokens_.peek(at).place.line == end; };
    const auto takePlace = [&] {
      SourceLine place;
      if (!is(TokenKind::Integer)) return place;
      place.file = tokens_.peek(at++).bits;
      if (!is(TokenKind::Integer) || tokens_.peek(at).bits > UINT32_MAX) return SourceLine{};
      place.place.line = uint32_t(tokens_.peek(at++).bits);
      if (is(TokenKind::Integer))
        place.place.column = uint32_t(std::min<uint64_t>(tokens_.peek(at++).bits, UINT16_MAX));
      return place;
    };
    source_ = takePlace();
    for (; tokens_.peek(at).place.line == end && tokens_.peek(at).kind != TokenKind::End; ++at) {
      if (tokens_.peek(at).text == "function_name") {
        source_.function = tokens_.peek(++at).text;
        if (tokens_.peek(at + 1).isSymbol("+") && tokens_.peek(at + 2).kind == TokenKind::Integer)
          source_.functionOffset = tokens_.peek(at += 2).bits;
      } else if (tokens_.peek(at).text == "inlined_at") {
        ++at;
        const SourceLine caller = takePlace();
        if (caller.place.line) source_.inlinedAt = numberOf(caller);
        break;
      }
    }
    latest_[{source_.file, source_.place.line, source_.place.column}] = source_;
    return skipDirective();
  }

  /// "inlined_at": what was said of that place last says where it was inlined itself.
  uint32_t numberOf(SourceLine caller) {
    const auto known = latest_.find({caller.file, caller.place.line, caller.place.column});
    if (known != latest_.end()) caller = known->second;
    const auto same = std::ranges::find_if(callers_, [&](const SourceLine &one) {
      return one.file == caller.file && one.place.line == caller.place.line &&
             one.place.column == caller.place.column && one.inlinedAt == caller.inlinedAt;
    });
    if (same != callers_.end()) return uint32_t(same - callers_.begin()) + 1;
    callers_.push_back(caller);
    return uint32_t(callers_.size());
  }

  /// .section .debug_str { label: .b8 byte, byte ... }
  Expected<void> debugStrings() {
    while (!tokens_.atEnd() && !tokens_.peek().isSymbol("{")) tokens_.next();
    US_CHECK(tokens_.expect("{"));
    while (!tokens_.atEnd() && !tokens_.peek().isSymbol("}")) {
      const Token &token = tokens_.next();
      if (token.kind == TokenKind::Word && tokens_.peek().isSymbol(":")) debugLabels_[token.text] = debugBytes_.size();
      if (token.kind == TokenKind::Integer) debugBytes_ += char(token.bits);
    }
    return tokens_.expect("}");
  }

  /// .file and .loc end with their line, .pragma with a semicolon, .section with its braces.
  Expected<void> skipDirective() {
    const Token directive = tokens_.next();
    if (directive.text == "pragma") {
      while (!tokens_.atEnd() && !tokens_.peek().isSymbol(";")) tokens_.next();
      return tokens_.expect(";");
    }
    if (directive.text == "section") {
      while (!tokens_.atEnd() && !tokens_.peek().isSymbol("{")) tokens_.next();
      US_CHECK(tokens_.expect("{"));
      while (!tokens_.atEnd() && !tokens_.peek().isSymbol("}")) tokens_.next();
      return tokens_.expect("}");
    }
    while (!tokens_.atEnd() && tokens_.place().line == directive.place.line) tokens_.next();
    return {};
  }

  Expected<void> function(ModuleText &module, const Token &word, std::string_view linkage) {
    FunctionText function;
    function.isEntry = word.text == "entry";
    function.linkage = linkage;
    if (!function.isEntry && tokens_.peek().isSymbol("(")) US_CHECK(parameters(function.results));
    function.place = tokens_.place();
    US_TRY(function.name, tokens_.expectWord("the name of a function"));
    if (tokens_.peek().isSymbol("(")) US_CHECK(parameters(function.parameters));
    while (tokens_.peek().kind == TokenKind::DotWord) {
      if (!isOneOf(tokens_.peek().text, kPerformance)) {
        if (tokens_.peek().isDot("pragma")) {
          US_CHECK(skipDirective());
          continue;
        }
        return failAt(tokens_.place(), "a directive that functions do not have: ." + std::string(tokens_.peek().text));
      }
      PerformanceDirective directive{tokens_.place(), tokens_.next().text, {}};
      if (tokens_.atNumber()) {
        do {
          US_TRY(const uint64_t value, tokens_.integerExpression());
          directive.values.push_back(value);
        } while (tokens_.accept(","));
      }
      function.directives.push_back(std::move(directive));
    }
    if (!tokens_.accept(";")) {
      source_ = {};
      latest_.clear();
      US_TRY(function.body, block());
      if (function.isEntry && module.version < 14) moveParameters(*function.body, function.parameters);
    }
    module.functions.push_back(std::move(function));
    return {};
  }

  /// "For PTX ISA versions 1.0 through 1.3, parameter variables are declared in the kernel body."
  static void moveParameters(Block &body, std::vector<Variable> &into) {
    for (Variable &variable : body.variables)
      if (variable.space == StateSpace::Parameter) into.push_back(std::move(variable));
    std::erase_if(body.variables, [](const Variable &variable) { return variable.space == StateSpace::Parameter; });
  }

  Expected<void> parameters(std::vector<Variable> &into) {
    US_CHECK(tokens_.expect("("));
    if (tokens_.accept(")")) return {};
    do {
      const Token space = tokens_.next();
      if (!space.isDot("param") && !space.isDot("reg"))
        return failAt(space.place, "a parameter begins with .param or .reg");
      Variable variable;
      variable.space = spaceNamed(space.text);
      US_CHECK(variableType(variable));
      US_CHECK(variableName(variable));
      into.push_back(std::move(variable));
    } while (tokens_.accept(","));
    return tokens_.expect(")");
  }

  // --- Variables ---

  /// Everything between the state space and the name.
  Expected<void> variableType(Variable &variable) {
    for (;;) {
      const Token word = tokens_.peek();
      if (word.kind != TokenKind::DotWord) break;
      tokens_.next();
      if (word.text == "align") {
        const Place where = tokens_.place();
        US_TRY(variable.alignment, tokens_.integerExpression());
        if (variable.alignment == 0 || variable.alignment > 1u << 20 || (variable.alignment & (variable.alignment - 1)))
          return failAt(where, "an alignment is a power of two");
      } else if (word.text == "attribute") {
        US_CHECK(attributes());
      } else if (word.text == "v2" || word.text == "v4" || word.text == "v8") {
        variable.lanes = uint32_t(word.text[1] - '0');
      } else if (variable.space == StateSpace::Global && isOneOf(word.text, kOpaqueTypes)) {
        variable.opaque = word.text;
        variable.type = typeNamed("b32");
        variable.alignment = 64;
      } else if (const Type type = typeNamed(word.text)) {
        variable.type = type;
      } else if (word.text == "ptr" || declaredSpace(word.text) != StateSpace::Generic) {
        // What a parameter points to: a hint.
      } else {
        return failAt(word.place, "a type is expected, ." + std::string(word.text) + " was found");
      }
    }
    if (!variable.type) return failAt(tokens_.place(), "a variable has no type");
    if (variable.type->kind == TypeClass::Predicate && variable.space != StateSpace::Register)
      return failAt(tokens_.place(), "predicates are registers only");
    // "The maximum size of a vector is 128 bits"; predicates have none.
    const bool isPredicate = variable.type->kind == TypeClass::Predicate;
    if (variable.space == StateSpace::Register && variable.lanes > 1 &&
        (isPredicate || variable.type->bits * variable.lanes > 128))
      return failAt(tokens_.place(), "there is no register of " + std::to_string(variable.lanes) + " ." +
                                         std::string(variable.type->name));
    return {};
  }

  /// .attribute(.managed, .unified(1, 2)). Where a variable lies is no question for its code.
  Expected<void> attributes() {
    US_CHECK(tokens_.expect("("));
    do {
      const Token word = tokens_.next();
      if (word.isDot("unified")) {
        US_CHECK(tokens_.expect("("));
        US_CHECK(tokens_.integerExpression());
        US_CHECK(tokens_.expect(","));
        US_CHECK(tokens_.integerExpression());
        US_CHECK(tokens_.expect(")"));
      } else if (!word.isDot("managed")) {
        return failAt(word.place, "an attribute of variables is .managed or .unified");
      }
    } while (tokens_.accept(","));
    return tokens_.expect(")");
  }

  Expected<void> variableName(Variable &variable) {
    variable.place = tokens_.place();
    US_TRY(variable.name, tokens_.expectWord("the name of a variable"));
    if (depth_ > 0 && tokens_.accept("<")) {
      const Place where = tokens_.place();
      US_TRY(const uint64_t count, tokens_.integerExpression());
      if (count == 0 || count > kMostOfOneName) return failAt(where, "so many variables are not possible");
      variable.count = uint32_t(count);
      return tokens_.expect(">");
    }
    while (tokens_.accept("[")) {
      variable.isArray = true;
      if (variable.dimensions.size() == kMostDimensions)
        return failAt(tokens_.place(),
                      "an array of more than " + std::to_string(kMostDimensions) + " dimensions is not supported");
      uint64_t size = 0;
      if (!tokens_.peek().isSymbol("]")) {
        const Place where = tokens_.place();
        US_TRY(size, tokens_.integerExpression());
        if (size > uint64_t(1) << 40) return failAt(where, "an array is too large");
      }
      variable.dimensions.push_back(size);
      US_CHECK(tokens_.expect("]"));
    }
    return {};
  }

  /// One directive, which may name several.
  Expected<void> variables(std::vector<Variable> &into, StateSpace space, std::string_view linkage, Place place) {
    Variable shape;
    shape.space = space;
    shape.linkage = linkage;
    shape.place = place;
    US_CHECK(variableType(shape));
    do {
      Variable variable;
      variable.space = space;
      variable.linkage = linkage;
      variable.type = shape.type;
      variable.lanes = shape.lanes;
      variable.alignment = shape.alignment;
      variable.opaque = shape.opaque;
      US_CHECK(variableName(variable));
      if (!variable.opaque.empty()) {
        US_CHECK(opaqueVariable(variable));
        into.push_back(std::move(variable));
        continue;
      }
      if (tokens_.accept("=")) {
        variable.initializer = std::make_unique<Initializer>();
        US_CHECK(initializer(*variable.initializer, 0));
      }
      into.push_back(std::move(variable));
    } while (tokens_.accept(","));
    return tokens_.expect(";");
  }

  /// A texture's, sampler's or surface's: fields in braces may follow.
  Expected<void> opaqueVariable(Variable &variable) {
    if (variable.isArray) return failAt(variable.place, "arrays of textures, samplers or surfaces are not supported");
    variable.isArray = true;
    variable.dimensions = {kOpaqueSize / 4};
    if (!tokens_.accept("=")) return {};
    US_CHECK(tokens_.expect("{"));
    do {
      OpaqueField field{tokens_.place(), {}, {}};
      US_TRY(field.name, tokens_.expectWord("a field such as filter_mode"));
      US_CHECK(tokens_.expect("="));
      field.value = tokens_.next().text;
      variable.fields.push_back(field);
    } while (tokens_.accept(","));
    return tokens_.expect("}");
  }

  /// .tex .u32 a, b; as PTX before 1.5 writes .global .texref a, b;
  Expected<void> oldTextures(std::vector<Variable> &into, std::string_view linkage) {
    tokens_.next();
    const Token type = tokens_.next();
    if (type.kind != TokenKind::DotWord || !typeNamed(type.text)) return failAt(type.place, "a type is expected");
    do {
      Variable variable;
      variable.space = StateSpace::Global;
      variable.linkage = linkage;
      variable.opaque = "texref";
      variable.type = typeNamed("b32");
      variable.alignment = 64;
      US_CHECK(variableName(variable));
      US_CHECK(opaqueVariable(variable));
      into.push_back(std::move(variable));
    } while (tokens_.accept(","));
    return tokens_.expect(";");
  }

  Expected<void> initializer(Initializer &into, unsigned depth) {
    into.place = tokens_.place();
    if (depth > kMostDimensions) return failAt(into.place, "an initial value is nested too deep");
    if (tokens_.accept("{")) {
      into.isList = true;
      if (tokens_.accept("}")) return {};
      do {
        into.elements.emplace_back();
        US_CHECK(initializer(into.elements.back(), depth + 1));
      } while (tokens_.accept(","));
      return tokens_.expect("}");
    }
    if (tokens_.peek().kind == TokenKind::Word) {
      into.value.kind = OperandKind::Address;
      into.value.place = tokens_.place();
      into.value.name = tokens_.next().text;
      if (into.value.name == "generic" && tokens_.accept("(")) {
        into.isGeneric = true;
        US_TRY(into.value.name, tokens_.expectWord("the name of a variable"));
        US_CHECK(tokens_.expect(")"));
      }
      return addend(into.value);
    }
    return number(into.value);
  }

  /// "+ constant" or "- constant" behind a name.
  Expected<void> addend(Operand &operand) {
    if (!tokens_.peek().isSymbol("+") && !tokens_.peek().isSymbol("-")) return {};
    // %r1+-8 is how negative offsets are often written; the expression takes both signs.
    US_TRY(operand.bits, tokens_.integerExpression());
    return {};
  }

  Expected<void> number(Operand &operand) {
    operand.place = tokens_.place();
    const bool isMinus = tokens_.peek().isSymbol("-");
    const Token &token = tokens_.peek(isMinus ? 1 : 0);
    if (token.kind == TokenKind::Float32 || token.kind == TokenKind::Float64) {
      operand.kind = OperandKind::Float;
      operand.isDouble = token.kind == TokenKind::Float64;
      operand.bits = token.bits ^ (isMinus ? uint64_t(1) << (operand.isDouble ? 63 : 31) : 0);
      tokens_.next();
      if (isMinus) tokens_.next();
      return {};
    }
    operand.kind = OperandKind::Integer;
    US_TRY(operand.bits, tokens_.integerExpression());
    return {};
  }

  // --- Function bodies ---

  Expected<std::unique_ptr<Block>> block() {
    auto block = std::make_unique<Block>();
    block->place = tokens_.place();
    if (++depth_ > kDeepestBlock) return failAt(block->place, "blocks are nested too deep");
    US_CHECK(tokens_.expect("{"));
    while (!tokens_.accept("}")) {
      if (tokens_.atEnd()) return failAt(block->place, "a block is not closed");
      US_CHECK(statement(*block));
    }
    --depth_;
    return block;
  }

  Expected<void> statement(Block &into) {
    const Token &token = tokens_.peek();
    if (tokens_.accept(";")) return {};
    if (token.isSymbol("{")) {
      US_TRY(std::unique_ptr<Block> inner, block());
      into.statements.emplace_back(std::move(inner));
      return {};
    }
    if (token.kind == TokenKind::DotWord) return directive(into);
    if (token.kind == TokenKind::Word && tokens_.peek(1).isSymbol(":")) {
      const Token &list = tokens_.peek(2);
      if (list.kind == TokenKind::DotWord && isOneOf(list.text, kTargetLists)) return targetList(into);
      into.statements.emplace_back(Label{token.place, token.text});
      tokens_.next();
      tokens_.next();
      return {};
    }
    return instruction(into);
  }

  /// label: .branchtargets L1, L2; or .calltargets f, g; or .callprototype (results) _ (parameters);
  Expected<void> targetList(Block &into) {
    TargetList list;
    list.place = tokens_.place();
    list.label = tokens_.next().text;
    tokens_.next();
    list.kind = tokens_.next().text;
    if (list.kind != "callprototype") {
      do {
        list.names.emplace_back();
        US_CHECK(operand(list.names.back(), 0));
        if (list.names.back().kind != OperandKind::Name)
          return failAt(list.names.back().place, "a name is expected in a ." + std::string(list.kind));
      } while (tokens_.accept(","));
    } else {
      if (tokens_.peek().isSymbol("(")) US_CHECK(parameters(list.results));
      US_CHECK(tokens_.expectWord("_"));
      if (tokens_.peek().isSymbol("(")) US_CHECK(parameters(list.parameters));
      while (tokens_.peek().kind == TokenKind::DotWord) { // .noreturn, .abi_preserve and their numbers
        tokens_.next();
        if (tokens_.atNumber()) US_CHECK(tokens_.integerExpression());
      }
    }
    into.targetLists.push_back(std::move(list));
    return tokens_.expect(";");
  }

  Expected<void> directive(Block &into) {
    const Token word = tokens_.peek();
    std::string_view linkage;
    if (isOneOf(word.text, kLinkages)) {
      linkage = word.text;
      tokens_.next();
    }
    const Token first = tokens_.peek();
    if (const StateSpace space = declaredSpace(first.text); space != StateSpace::Generic) {
      tokens_.next();
      return variables(into.variables, space, linkage, first.place);
    }
    if (word.text == "file") return file();
    if (word.text == "loc") return loc();
    if (word.text == "pragma") return skipDirective();
    return failAt(word.place, "a directive that functions do not have: ." + std::string(word.text));
  }

  Expected<void> instruction(Block &into) {
    Instruction instruction;
    if (tokens_.accept("@")) {
      instruction.guardNegated = tokens_.accept("!");
      instruction.guardPlace = tokens_.place();
      US_TRY(instruction.guard, tokens_.expectWord("a predicate"));
    }
    instruction.place = tokens_.place();
    instruction.source = source_;
    US_TRY(instruction.opcode, tokens_.expectWord("an instruction"));
    while (tokens_.peek().kind == TokenKind::DotWord) instruction.modifiers.push_back(tokens_.next().text);
    if (!tokens_.peek().isSymbol(";")) {
      do {
        instruction.operands.emplace_back();
        US_CHECK(operand(instruction.operands.back(), 0));
      } while (tokens_.accept(","));
    }
    US_CHECK(tokens_.expect(";"));
    into.statements.emplace_back(std::move(instruction));
    return {};
  }

  Expected<void> operandList(Operand &into, const char *closing, unsigned depth) {
    if (tokens_.accept(closing)) return {};
    do {
      into.elements.emplace_back();
      US_CHECK(operand(into.elements.back(), depth + 1));
    } while (tokens_.accept(","));
    return tokens_.expect(closing);
  }

  Expected<void> operand(Operand &into, unsigned depth) {
    into.place = tokens_.place();
    if (depth > 4) return failAt(into.place, "operands are nested too deep");
    if (tokens_.accept("[")) return address(into, depth);
    if (tokens_.accept("{")) {
      into.kind = OperandKind::Vector;
      return operandList(into, "}", depth);
    }
    // A call's lists; elsewhere a parenthesis begins a constant expression.
    if (tokens_.peek().isSymbol("(") && !isExpression()) {
      tokens_.next();
      into.kind = OperandKind::List;
      return operandList(into, ")", depth);
    }
    into.isNegated = tokens_.accept("!");
    if (tokens_.peek().kind == TokenKind::Word) return name(into);
    if (into.isNegated) return tokens_.unexpectedToken("a predicate");
    const Token &token = tokens_.peek();
    const bool isNumber = tokens_.atNumber() || token.kind == TokenKind::Float32 || token.kind == TokenKind::Float64;
    if (!isNumber) return tokens_.unexpectedToken("an operand");
    return number(into);
  }

  bool isExpression() const {
    for (size_t i = 1;; ++i) {
      const Token &token = tokens_.peek(i);
      if (token.isSymbol("(") || token.isSymbol("-") || token.isSymbol("~")) continue;
      return token.kind == TokenKind::Integer;
    }
  }

  Expected<void> name(Operand &into) {
    into.name = tokens_.next().text;
    if (into.name == "_") {
      into.kind = OperandKind::Sink;
    } else {
      into.kind = OperandKind::Name;
    }
    if (tokens_.peek().kind == TokenKind::DotWord && tokens_.peek().adjacent) into.component = tokens_.next().text;
    if (tokens_.accept("|")) {
      US_TRY(into.second, tokens_.expectWord("a predicate"));
    }
    if (tokens_.peek().isSymbol("[") && tokens_.peek().adjacent) return subscript(into);
    return addend(into);
  }

  Expected<void> subscript(Operand &into) {
    into.kind = OperandKind::Element;
    US_CHECK(tokens_.expect("["));
    Operand &place = into.elements.emplace_back();
    place.place = tokens_.place();
    if (tokens_.peek().kind == TokenKind::Word) {
      place.kind = OperandKind::Name;
      place.name = tokens_.next().text;
      US_CHECK(addend(place));
    } else {
      place.kind = OperandKind::Integer;
      US_TRY(place.bits, tokens_.integerExpression());
    }
    return tokens_.expect("]");
  }

  Expected<void> address(Operand &into, unsigned depth) {
    into.kind = OperandKind::Address;
    if (tokens_.peek().kind == TokenKind::Word) {
      into.name = tokens_.next().text;
      US_CHECK(addend(into));
      while (tokens_.accept(",")) {
        into.elements.emplace_back();
        US_CHECK(operand(into.elements.back(), depth + 1));
      }
    } else {
      US_TRY(into.bits, tokens_.integerExpression());
    }
    return tokens_.expect("]");
  }

  static constexpr uint32_t kNewestVersion = 90;
  TokenStream tokens_;
  unsigned depth_ = 0;
  std::map<uint64_t, std::string_view> files_;
  SourceLine source_; ///< of the next instruction
  std::vector<SourceLine> callers_;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, SourceLine> latest_; ///< by place, in the function
  std::string debugBytes_;
  std::map<std::string_view, size_t> debugLabels_;
};

} // namespace

Expected<ModuleText> parse(std::string_view text) {
  US_TRY(std::vector<Token> tokens, readTokens(text));
  return Parser(std::move(tokens)).module();
}

} // namespace us::frontend::ptx
