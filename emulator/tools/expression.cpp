// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/tools/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace us::tools {

int64_t Number::asInteger() const {
  if (!real) return integer;
  if (!(value > -9.2e18 && value < 9.2e18)) return 0;
  return static_cast<int64_t>(value);
}

namespace {

/// The variables of sum(), innermost last.
using Locals = std::vector<int64_t>;

} // namespace

struct Expression::Node {
  virtual ~Node() = default;
  virtual Number value(const Surroundings &around, Locals &locals) const = 0;
};

namespace {

using Node = Expression::Node;
using NodeRef = std::shared_ptr<const Node>;

template <class Function> struct Lambda final : Node {
  explicit Lambda(Function function) : function(std::move(function)) {}
  Number value(const Surroundings &around, Locals &locals) const override { return function(around, locals); }
  Function function;
};
template <class Function> NodeRef node(Function function) {
  return std::make_shared<Lambda<Function>>(std::move(function));
}

using Binary = Number (*)(Number, Number);

template <class Integer, class Real> Number arithmetic(Number a, Number b, Integer integer, Real real) {
  if (a.real || b.real) return Number::of(static_cast<double>(real(a.asReal(), b.asReal())));
  return Number::of(static_cast<int64_t>(integer(static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer))));
}
template <class Compare> Number comparison(Number a, Number b, Compare compare) {
  bool result = a.real || b.real ? compare(a.asReal(), b.asReal()) : compare(a.integer, b.integer);
  return Number::of(static_cast<int64_t>(result));
}
Number divide(Number a, Number b) {
  if (a.real || b.real) return Number::of(a.asReal() / b.asReal());
  bool undefined = b.integer == 0 || (b.integer == -1 && a.integer == std::numeric_limits<int64_t>::min());
  return Number::of(undefined ? int64_t{0} : a.integer / b.integer);
}
Number remainder(Number a, Number b) {
  if (a.real || b.real) return Number::of(std::fmod(a.asReal(), b.asReal()));
  return Number::of(b.integer == 0 || b.integer == -1 ? int64_t{0} : a.integer % b.integer);
}
template <class Integer> Number bits(Number a, Number b, Integer integer) {
  return Number::of(
      static_cast<int64_t>(integer(static_cast<uint64_t>(a.asInteger()), static_cast<uint64_t>(b.asInteger()))));
}

struct Operator {
  std::string_view text;
  int precedence;
  Binary apply;
};
/// Longer texts first where one begins another.
constexpr Operator kOperators[] = {
    {"<<", 8, [](Number a, Number b) { return bits(a, b, [](uint64_t x, uint64_t y) { return x << (y & 63); }); }},
    {">>", 8, [](Number a, Number b) { return Number::of(a.asInteger() >> (b.asInteger() & 63)); }},
    {"<=", 7, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x <= y; }); }},
    {">=", 7, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x >= y; }); }},
    {"==", 6, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x == y; }); }},
    {"!=", 6, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x != y; }); }},
    {"&&", 2, [](Number a, Number b) { return Number::of(static_cast<int64_t>(a.truth() && b.truth())); }},
    {"||", 1, [](Number a, Number b) { return Number::of(static_cast<int64_t>(a.truth() || b.truth())); }},
    {"<", 7, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x < y; }); }},
    {">", 7, [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x > y; }); }},
    {"*", 10, [](Number a, Number b) { return arithmetic(a, b, std::multiplies<>(), std::multiplies<>()); }},
    {"/", 10, divide},
    {"%", 10, remainder},
    {"+", 9, [](Number a, Number b) { return arithmetic(a, b, std::plus<>(), std::plus<>()); }},
    {"-", 9, [](Number a, Number b) { return arithmetic(a, b, std::minus<>(), std::minus<>()); }},
    {"&", 5, [](Number a, Number b) { return bits(a, b, std::bit_and<>()); }},
    {"^", 4, [](Number a, Number b) { return bits(a, b, std::bit_xor<>()); }},
    {"|", 3, [](Number a, Number b) { return bits(a, b, std::bit_or<>()); }},
};

struct Function {
  std::string_view name;
  unsigned arguments;
  Binary apply;
};
constexpr Function kFunctions[] = {
    {"min", 2,
     [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x < y; }).truth() ? a : b; }},
    {"max", 2,
     [](Number a, Number b) { return comparison(a, b, [](auto x, auto y) { return x > y; }).truth() ? a : b; }},
    {"abs", 1,
     [](Number a, Number) { return a.real ? Number::of(std::fabs(a.value)) : Number::of(std::abs(a.integer)); }},
    {"sqrt", 1, [](Number a, Number) { return Number::of(std::sqrt(a.asReal())); }},
    {"floor", 1, [](Number a, Number) { return Number::of(std::floor(a.asReal())); }},
    {"int", 1, [](Number a, Number) { return Number::of(a.asInteger()); }},
    {"float", 1, [](Number a, Number) { return Number::of(static_cast<double>(static_cast<float>(a.asReal()))); }},
};

class Parser {
public:
  explicit Parser(std::string_view text) : rest_(text) {}

  NodeRef all() {
    NodeRef root = conditional();
    skip();
    return root && rest_.empty() ? root : nullptr;
  }
  std::string_view rest() const { return rest_; }

private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(std::string_view text) {
    skip();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string_view word() {
    skip();
    size_t size = 0;
    while (size < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[size])) || rest_[size] == '_')) ++size;
    std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  NodeRef conditional() {
    NodeRef condition = binary(1);
    if (!condition || !take("?")) return condition;
    NodeRef yes = conditional();
    if (!yes || !take(":")) return nullptr;
    NodeRef no = conditional();
    if (!no) return nullptr;
    return node([=](const Surroundings &around, Locals &locals) {
      return (condition->value(around, locals).truth() ? yes : no)->value(around, locals);
    });
  }

  const Operator *nextOperator(int least) {
    skip();
    for (const Operator &one : kOperators)
      if (rest_.starts_with(one.text)) return one.precedence >= least ? &one : nullptr;
    return nullptr;
  }

  NodeRef binary(int least) {
    NodeRef left = unary();
    while (const Operator *one = left ? nextOperator(least) : nullptr) {
      take(one->text);
      NodeRef right = binary(one->precedence + 1);
      if (!right) return nullptr;
      left = node([=, apply = one->apply](const Surroundings &around, Locals &locals) {
        Number a = left->value(around, locals);
        return apply(a, right->value(around, locals));
      });
    }
    return left;
  }

  NodeRef unary() {
    for (char sign : {'-', '~', '!'})
      if (take(std::string_view(&sign, 1))) {
        NodeRef operand = unary();
        if (!operand) return nullptr;
        return node([=](const Surroundings &around, Locals &locals) {
          Number a = operand->value(around, locals);
          if (sign == '!') return Number::of(static_cast<int64_t>(!a.truth()));
          if (sign == '~') return Number::of(~a.asInteger());
          return a.real ? Number::of(-a.value) : Number::of(static_cast<int64_t>(-static_cast<uint64_t>(a.integer)));
        });
      }
    return primary();
  }

  NodeRef primary() {
    skip();
    if (take("(")) {
      NodeRef inner = conditional();
      return inner && take(")") ? inner : nullptr;
    }
    if (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_.front())) || rest_.front() == '.'))
      return number();
    std::string_view name = word();
    if (name == "i") return node([](const Surroundings &around, Locals &) { return Number::of(around.i); });
    if (name == "n") return node([](const Surroundings &around, Locals &) { return Number::of(around.n); });
    if (name == "sum") return sum();
    for (size_t depth = names_.size(); depth > 0; --depth)
      if (names_[depth - 1] == name)
        return node([depth](const Surroundings &, Locals &locals) { return Number::of(locals[depth - 1]); });
    for (const Function &function : kFunctions)
      if (function.name == name) return call(function);
    if (name.size() > 1 && name.front() == 'a') return element(name.substr(1));
    return nullptr;
  }

  NodeRef number() {
    int64_t integer = 0;
    double value = 0;
    const char *begin = rest_.data(), *end = begin + rest_.size();
    if (rest_.starts_with("0x")) {
      uint64_t pattern = 0;
      auto [stop, error] = std::from_chars(begin + 2, end, pattern, 16);
      if (error != std::errc()) return nullptr;
      rest_.remove_prefix(stop - begin);
      return constant(Number::of(static_cast<int64_t>(pattern)));
    }
    auto [integerStop, integerError] = std::from_chars(begin, end, integer);
    auto [realStop, realError] = std::from_chars(begin, end, value);
    if (realError != std::errc()) return nullptr;
    bool real = integerError != std::errc() || realStop != integerStop;
    rest_.remove_prefix(realStop - begin);
    return constant(real ? Number::of(value) : Number::of(integer));
  }

  static NodeRef constant(Number number) {
    return node([number](const Surroundings &, Locals &) { return number; });
  }

  NodeRef call(const Function &function) {
    if (!take("(")) return nullptr;
    NodeRef first = conditional(), second = first;
    if (function.arguments == 2) {
      if (!take(",")) return nullptr;
      second = conditional();
    }
    if (!first || !second || !take(")")) return nullptr;
    return node([=, apply = function.apply](const Surroundings &around, Locals &locals) {
      Number a = first->value(around, locals);
      return apply(a, second->value(around, locals));
    });
  }

  NodeRef element(std::string_view argument) {
    unsigned index = 0;
    auto [stop, error] = std::from_chars(argument.data(), argument.data() + argument.size(), index);
    if (error != std::errc() || stop != argument.data() + argument.size() || !take("[")) return nullptr;
    NodeRef at = conditional();
    if (!at || !take("]")) return nullptr;
    return node([=](const Surroundings &around, Locals &locals) {
      int64_t place = at->value(around, locals).asInteger();
      return around.element ? around.element(index, place) : Number{};
    });
  }

  NodeRef sum() {
    if (!take("(")) return nullptr;
    std::string name(word());
    if (!take(",")) return nullptr;
    NodeRef from = conditional();
    if (!from || !take(",")) return nullptr;
    NodeRef to = conditional();
    if (!to || !take(",")) return nullptr;
    names_.push_back(name);
    NodeRef each = conditional();
    names_.pop_back();
    if (!each || !take(")")) return nullptr;
    return node([=](const Surroundings &around, Locals &locals) {
      Number total = Number::of(int64_t{0});
      int64_t last = to->value(around, locals).asInteger();
      for (int64_t v = from->value(around, locals).asInteger(); v < last; ++v) {
        locals.push_back(v);
        total = arithmetic(total, each->value(around, locals), std::plus<>(), std::plus<>());
        locals.pop_back();
      }
      return total;
    });
  }

  std::string_view rest_;
  std::vector<std::string> names_; ///< of the sums around the place where we are
};

} // namespace

Expected<Expression> Expression::parse(std::string_view text) {
  Parser parser(text);
  Expression result;
  result.root_ = parser.all();
  if (!result.root_)
    return fail(ErrorCode::InvalidValue,
                "'" + std::string(text) + "' is not a formula: stopped before '" + std::string(parser.rest()) + "'");
  return result;
}

Number Expression::operator()(const Surroundings &surroundings) const {
  Locals locals;
  return root_->value(surroundings, locals);
}

} // namespace us::tools
