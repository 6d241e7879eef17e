// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that the threads of a warp hold together: mma, wmma, ldmatrix, stmatrix, movmatrix; and wgmma, of which a
// warp holds 16 rows of D.
//
// The lane 4 * g + t holds of A, in each register, elements of row g or g + 8 that lie in columns t * n to t * n + n -
// 1 of a chunk of 4 * n columns, if n fit a register; of B the same of column g; of C and D the columns 2 * t and 2 * t
// + 1 of row g or g + 8. That is how the ISA manual's figures of mma have it for all shapes but .m8n8k4 of halves. What
// wmma's fragments are it does not say: ours are tiles of mma's. Registers count: tiles of 16 rows, chunks, halves of 8
// rows; of B tiles of 8 columns, chunks; of C tiles of rows, tiles of columns, halves.
#include "frontend/ptx/halves.h"
#include "frontend/ptx/handlers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace us::frontend::ptx {
namespace {

/// An element of A or B. `library` multiplies them as what they are converted to.
struct ElementType {
  std::string_view name;
  uint32_t bits;
  std::string_view library;
  bool isSigned = false;
};
constexpr ElementType kElementTypes[] = {
    {"f16", 16, "f32"}, {"bf16", 16, "f32"},    {"tf32", 32, "f32"},     {"e4m3", 8, "f32"},     {"e5m2", 8, "f32"},
    {"f64", 64, "f64"}, {"s8", 8, "s32", true}, {"u8", 8, "s32"},        {"s4", 4, "s32", true}, {"u4", 4, "s32"},
    {"b1", 1, "popc"},  {"f32", 32, "f32"},     {"s32", 32, "s32", true}};

const ElementType *elementNamed(std::string_view name) {
  for (const ElementType &type : kElementTypes)
    if (type.name == name) return &type;
  return nullptr;
}

struct Shape {
  uint32_t rows = 0, columns = 0, depth = 0;
};

/// "m16n8k16"
Shape shapeOf(const Operation &op) {
  for (const std::string_view word : op.text.modifiers) {
    const size_t n = word.find('n'), k = word.find('k');
    if (!word.starts_with('m') || n == word.npos || k == word.npos || n < 2 || word[1] < '0' || word[1] > '9') continue;
    const auto number = [&](size_t at) {
      uint32_t value = 0;
      std::from_chars(word.data() + at, word.data() + word.size(), value);
      return value;
    };
    return {number(1), number(n + 1), number(k + 1)};
  }
  return {};
}

/// The types of D, A, B and C, as far as they are named.
std::vector<const ElementType *> typesOf(const Operation &op) {
  std::vector<const ElementType *> types;
  for (const std::string_view word : op.text.modifiers)
    if (const ElementType *type = elementNamed(word)) types.push_back(type);
  return types;
}

/// How a warp holds the matrices of one product.
struct Layout {
  Shape shape;
  const ElementType *element;
  uint32_t inRegister; ///< elements of A or B
  uint32_t rowTiles, halves, columnTiles, chunks;

  Layout(Shape shape, const ElementType *element)
      : shape(shape), element(element), inRegister(element->bits > 32 ? 1 : 32 / element->bits),
        rowTiles(std::max(1u, shape.rows / 16)), halves(shape.rows == 8 ? 1 : 2), columnTiles(shape.columns / 8),
        chunks(shape.depth / (4 * inRegister)) {}

  uint32_t registersOfA() const { return rowTiles * chunks * halves; }
  uint32_t registersOfB() const { return columnTiles * chunks; }
  uint32_t pairsOfC() const { return rowTiles * columnTiles * halves; }
  /// So many registers wmma has of a matrix of halves, whatever its size: some hold the same.
  uint32_t fragment(uint32_t registers) const { return element->name == "f16" ? std::max(8u, registers) : registers; }
};

std::vector<Operand> asList(const Operand &operand) {
  return operand.kind == OperandKind::Vector ? operand.elements : std::vector{operand};
}

Expected<std::vector<llvm::Value *>> readRegisters(FunctionTranslation &f, const Operand &operand, Type type,
                                                   size_t count) {
  const std::vector<Operand> list = asList(operand);
  if (list.size() != count)
    return failAt(operand.place, "a vector of " + std::to_string(count) + " elements is expected");
  std::vector<llvm::Value *> values;
  for (const Operand &element : list) {
    US_TRY(llvm::Value * value, f.valueOf(element, type, false));
    values.push_back(value);
  }
  return values;
}

Expected<void> writeRegisters(FunctionTranslation &f, const Operand &operand, Type type,
                              const std::vector<llvm::Value *> &values) {
  const std::vector<Operand> list = asList(operand);
  if (list.size() != values.size())
    return failAt(operand.place, "a vector of " + std::to_string(values.size()) + " registers is expected");
  for (size_t i = 0; i < values.size(); ++i) US_CHECK(f.assign(list[i], type, false, values[i]));
  return {};
}

Type registerType(const ElementType *type) { return typeNamed(type->bits == 64 ? "f64" : "b32"); }

/// The elements in a register, as f32, s32 or f64.
void unpack(FunctionTranslation &f, const ElementType *type, llvm::Value *value, std::vector<llvm::Value *> &elements) {
  llvm::IRBuilderBase &builder = f.builder;
  llvm::Type *number = builder.getFloatTy();
  if (type->bits == 16) {
    for (llvm::Value *half : widened(f, typeNamed(type->name == "f16" ? "f16x2" : "bf16x2"), value))
      elements.push_back(half);
  } else if (type->name == "tf32") {
    // "The lower 13 bits are ignored."
    elements.push_back(builder.CreateBitCast(builder.CreateAnd(value, builder.getInt32(0xffffe000)), number));
  } else if (type->library == "f32") {
    for (uint32_t i = 0; i < 4; ++i) {
      llvm::Value *byte = builder.CreateTrunc(builder.CreateLShr(value, 8 * i), builder.getInt8Ty());
      elements.push_back(callLibrary(f, "us_ptx_from_f8", number, {byte, builder.getInt32(type->name == "e5m2")}));
    }
  } else if (type->library == "s32" && type->bits < 32) {
    for (uint32_t at = 0; at < 32; at += type->bits) {
      llvm::Value *moved = builder.CreateShl(value, 32 - type->bits - at);
      elements.push_back(type->isSigned ? builder.CreateAShr(moved, 32 - type->bits)
                                        : builder.CreateLShr(moved, 32 - type->bits));
    }
  } else {
    elements.push_back(value);
  }
}

/// The warp's words of the caller, one beside the other's (opencl/ptx/matrix.h).
class Words {
public:
  explicit Words(FunctionTranslation &f, bool isDouble = false)
      : f_(f), type_(isDouble ? f.builder.getDoubleTy() : f.builder.getInt32Ty()),
        base_(callLibrary(f, isDouble ? "us_ptx_matrix_numbers" : "us_ptx_matrix_words", f.builder.getPtrTy(kShared),
                          {})) {}

  void put(size_t number, llvm::Value *value) {
    f_.builder.CreateStore(f_.builder.CreateBitCast(value, type_), place(number));
  }
  void put(size_t first, const std::vector<llvm::Value *> &values) {
    for (size_t i = 0; i < values.size(); ++i) put(first + i, values[i]);
  }
  llvm::Value *get(size_t number) { return f_.builder.CreateLoad(type_, place(number)); }
  llvm::Value *get(size_t number, llvm::Type *type) { return f_.builder.CreateBitCast(get(number), type); }

private:
  llvm::Value *place(size_t number) { return f_.builder.CreateConstGEP1_32(type_, base_, unsigned(32 * number)); }

  FunctionTranslation &f_;
  llvm::Type *type_;
  llvm::Value *base_;
};

void callConvergent(FunctionTranslation &f, const std::string &name, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = callLibrary(f, name.c_str(), f.builder.getVoidTy(), arguments);
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
}

/// All of the warp go on together.
void meet(FunctionTranslation &f) { callConvergent(f, "us_ptx_matrix_meet", {}); }

llvm::Type *numberType(FunctionTranslation &f, std::string_view library) {
  return library == "f32"   ? f.builder.getFloatTy()
         : library == "f64" ? f.builder.getDoubleTy()
                            : f.builder.getInt32Ty();
}

constexpr size_t kWords = 32;

/// The registers of one product, as numbers that the library multiplies.
struct Product {
  const Layout &layout;
  std::string library;             ///< f32, s32, f64, and, xor
  std::vector<llvm::Value *> a, b; ///< by registers and elements
  std::vector<llvm::Value *> c;    ///< by tiles and halves, two each
};

/// Replaces the caller's four numbers of C by those of D.
void multiplyTile(FunctionTranslation &f, const std::string &name, std::vector<llvm::Value *> arguments,
                  llvm::Value **sums) {
  llvm::Type *type = f.builder.getFloatTy();
  llvm::AllocaInst *room = f.temporary(llvm::ArrayType::get(type, 4));
  const auto place = [&](unsigned i) { return f.builder.CreateConstGEP1_32(type, room, i); };
  for (unsigned i = 0; i < 4; ++i) f.builder.CreateStore(f.builder.CreateBitCast(sums[i], type), place(i));
  arguments.push_back(room);
  callConvergent(f, name, arguments);
  for (unsigned i = 0; i < 4; ++i) sums[i] = f.builder.CreateLoad(type, place(i));
}

/// Replaces C by D = A B + C.
void multiply(FunctionTranslation &f, Product &product) {
  const Layout &layout = product.layout;
  const uint32_t n = uint32_t(product.a.size()) / layout.registersOfA(); // of bits, a register is one number
  const bool isDouble = product.library == "f64";
  Words words(f, isDouble);
  const size_t a = product.c.size();
  // All chunks at once if there is room. The library takes up to 4 elements of a register; of integers, 8 are as well
  // two chunks of 4.
  const size_t most = isDouble ? kWords / 2 : kWords;
  const uint32_t atOnce = product.c.size() + product.a.size() + product.b.size() <= most ? layout.chunks : 1;
  const uint32_t step = std::min(n, 4u);
  const auto number = [&](size_t value) { return f.builder.getInt32(uint32_t(value)); };
  // The product that is asked for most: two chunks of 16 rows. Its C has no words that others know.
  const bool isTile = product.library == "f32" && layout.halves == 2 && step <= 2 && atOnce * n / step == 2;
  if (!isTile) words.put(0, product.c);
  const auto partOfA = [&](uint32_t chunk, uint32_t half, uint32_t element) {
    const auto of = [&](uint32_t half) { return product.a[(chunk * layout.halves + half) * n + element]; };
    if (!isTile) return of(half);
    return static_cast<llvm::Value *>(
        callLibrary(f, "us_ptx_matrix_rows", f.builder.getFloatTy(), {of(0), of(1), number(half)}));
  };
  for (uint32_t first = 0; first < layout.chunks; first += atOnce) {
    // In the order: tile, chunk, part of a register, half, element.
    size_t at = a;
    for (uint32_t tile = 0; tile < layout.rowTiles; ++tile)
      for (uint32_t chunk = first; chunk < first + atOnce; ++chunk)
        for (uint32_t part = 0; part < n; part += step)
          for (uint32_t half = 0; half < layout.halves; ++half)
            for (uint32_t i = 0; i < step; ++i) words.put(at++, partOfA(tile * layout.chunks + chunk, half, part + i));
    const size_t b = at;
    for (uint32_t tile = 0; tile < layout.columnTiles; ++tile)
      for (uint32_t chunk = first; chunk < first + atOnce; ++chunk)
        for (uint32_t i = 0; i < n; ++i) words.put(at++, product.b[(tile * layout.chunks + chunk) * n + i]);
    for (uint32_t row = 0; row < layout.rowTiles; ++row)
      for (uint32_t column = 0; column < layout.columnTiles; ++column) {
        const uint32_t c = (row * layout.columnTiles + column) * layout.halves * 2;
        std::vector<llvm::Value *> arguments{number(a + row * atOnce * layout.halves * n),
                                             number(b + column * atOnce * n), number(c)};
        const std::string name = "us_ptx_matrix_" + product.library + (isTile ? "_tile_" : "_") + std::to_string(step);
        if (isTile) {
          multiplyTile(f, name, std::move(arguments), product.c.data() + c);
        } else {
          arguments.insert(arguments.end(), {number(atOnce * n / step), number(layout.halves)});
          callConvergent(f, name, arguments);
        }
      }
  }
  llvm::Type *type = numberType(f, product.library);
  for (size_t i = 0; !isTile && i < product.c.size(); ++i) product.c[i] = words.get(i, type);
  meet(f);
}

/// ".satfinite: results are clamped to the largest finite numbers"; NaN stays.
llvm::Value *clamped(FunctionTranslation &f, llvm::Value *number, double largest) {
  for (const double limit : {largest, -largest}) {
    llvm::Value *end = llvm::ConstantFP::get(number->getType(), limit);
    llvm::Value *isBeyond = limit > 0 ? f.builder.CreateFCmpOGT(number, end) : f.builder.CreateFCmpOLT(number, end);
    number = f.builder.CreateSelect(isBeyond, end, number);
  }
  return number;
}

/// The elements of C, of which halves lie in pairs.
Expected<std::vector<llvm::Value *>> readSums(FunctionTranslation &f, const Operand &operand, const ElementType *type,
                                              uint32_t pairs) {
  const bool areHalves = type->name == "f16";
  US_TRY(const std::vector<llvm::Value *> values,
         readRegisters(f, operand, typeNamed(areHalves ? "b32" : type->name), areHalves ? pairs : 2 * pairs));
  if (!areHalves) return values;
  std::vector<llvm::Value *> elements;
  for (llvm::Value *value : values) unpack(f, type, value, elements);
  return elements;
}

Expected<void> writeSums(FunctionTranslation &f, const Operand &operand, const ElementType *type,
                         const std::vector<llvm::Value *> &values) {
  if (type->name != "f16") return writeRegisters(f, operand, typeNamed(type->name), values);
  std::vector<llvm::Value *> pairs;
  for (size_t i = 0; i < values.size(); i += 2)
    pairs.push_back(narrowed(f, typeNamed("f16x2"), {values[i], values[i + 1]}));
  return writeRegisters(f, operand, typeNamed("b32"), pairs);
}

/// mma's and wmma's operands are D, A, B, C.
Expected<void> multiplyRegisters(FunctionTranslation &f, const Operation &op, const Layout &layout,
                                 const ElementType *d, const ElementType *a, const ElementType *b,
                                 const ElementType *c) {
  const bool isFragment = op.text.opcode == "wmma";
  const auto count = [&](uint32_t registers) { return isFragment ? layout.fragment(registers) : registers; };
  Product product{layout, std::string(a->library), {}, {}, {}};
  if (product.library == "popc") product.library = op.has("and") ? "and" : "xor";
  US_TRY(std::vector<llvm::Value *> inA,
         readRegisters(f, op.operand(1), registerType(a), count(layout.registersOfA())));
  inA.resize(layout.registersOfA());
  for (llvm::Value *value : inA) unpack(f, a, value, product.a);
  US_TRY(std::vector<llvm::Value *> inB,
         readRegisters(f, op.operand(2), registerType(b), count(layout.registersOfB())));
  inB.resize(layout.registersOfB());
  for (llvm::Value *value : inB) unpack(f, b, value, product.b);
  US_TRY(product.c, readSums(f, op.operand(3), c, layout.pairsOfC()));
  const bool saturates = op.has("satfinite"), isSaturatedSum = saturates && product.library == "s32";
  const std::vector<llvm::Value *> added = product.c;
  if (isSaturatedSum) std::fill(product.c.begin(), product.c.end(), f.builder.getInt32(0));
  multiply(f, product);
  for (size_t i = 0; i < product.c.size(); ++i)
    if (isSaturatedSum)
      product.c[i] = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product.c[i], added[i]);
    else if (saturates)
      product.c[i] = clamped(f, product.c[i], d->name == "f16" ? 65504.0 : 0x1.fffffep127);
  return writeSums(f, op.operand(0), d, product.c);
}

/// Integers of 4 bits as pairs of 16 bits.
std::vector<llvm::Value *> paired(FunctionTranslation &f, const std::vector<llvm::Value *> &elements) {
  std::vector<llvm::Value *> pairs;
  for (size_t i = 0; i < elements.size(); i += 2)
    pairs.push_back(f.builder.CreateOr(f.builder.CreateAnd(elements[i], f.builder.getInt32(0xffff)),
                                       f.builder.CreateShl(elements[i + 1], 16)));
  return pairs;
}

llvm::Value *laneId(FunctionTranslation &f) { return callLibrary(f, "us_ptx_matrix_lane", f.builder.getInt32Ty(), {}); }

/// Does something in those lanes only that are below a number.
template <class Body> Expected<void> inLanesBelow(FunctionTranslation &f, uint32_t count, Body body) {
  if (count == 32) return body();
  auto *then = llvm::BasicBlock::Create(f.module.context, "lanes", &f.function);
  auto *after = llvm::BasicBlock::Create(f.module.context, "after", &f.function);
  f.builder.CreateCondBr(f.builder.CreateICmpULT(laneId(f), f.builder.getInt32(count)), then, after);
  f.builder.SetInsertPoint(then);
  US_CHECK(body());
  f.builder.CreateBr(after);
  f.builder.SetInsertPoint(after);
  return {};
}

/// The caller's row of a matrix among the warp's words.
llvm::Value *rowWords(FunctionTranslation &f) {
  return callLibrary(f, "us_ptx_matrix_row", f.builder.getPtrTy(kShared), {});
}

uint32_t matricesOf(const Operation &op) { return op.has("x4") ? 4 : op.has("x2") ? 2 : 1; }

void transpose(FunctionTranslation &f, uint32_t count) {
  callConvergent(f, "us_ptx_matrix_transpose", {f.builder.getInt32(count)});
}

constexpr uint32_t kRowBytes = 16;

void copyRow(FunctionTranslation &f, llvm::Value *to, llvm::Value *from) {
  llvm::Type *word = f.builder.getInt32Ty();
  const llvm::Align alignment(4); // whatever it should be: what is misaligned is reported, not a fault
  std::array<llvm::Value *, 4> values;
  for (unsigned i = 0; i < 4; ++i)
    values[i] = f.builder.CreateAlignedLoad(word, f.builder.CreateConstGEP1_32(word, from, i), alignment);
  for (unsigned i = 0; i < 4; ++i)
    f.builder.CreateAlignedStore(values[i], f.builder.CreateConstGEP1_32(word, to, i), alignment);
}

/// Where the parts of a fragment lie in memory.
class FragmentPlaces {
public:
  FragmentPlaces(FunctionTranslation &f, const Layout &layout, char matrix, bool isRowMajor, llvm::Value *stride)
      : f_(f), layout_(layout), matrix_(matrix), isRowMajor_(isRowMajor), stride_(stride) {
    llvm::Value *lane = f.builder.CreateZExt(laneId(f), f.builder.getInt64Ty());
    group_ = f.builder.CreateLShr(lane, 2);
    thread_ = f.builder.CreateAnd(lane, f.builder.getInt64(3));
  }

  uint32_t registers() const {
    if (matrix_ == 'a') return layout_.registersOfA();
    return matrix_ == 'b' ? layout_.registersOfB() : layout_.pairsOfC();
  }
  /// Elements that lie in a register, or in the pair of registers of C, one behind the other.
  bool isContiguous() const { return matrix_ == 'b' ? !isRowMajor_ : isRowMajor_; }

  /// How many elements lie before the `part`th one of a register (of C: of a pair).
  llvm::Value *elementsBefore(uint32_t number, uint32_t part) {
    llvm::IRBuilderBase &builder = f_.builder;
    const auto sum = [&](llvm::Value *value, uint32_t more) {
      return builder.CreateAdd(value, builder.getInt64(more));
    };
    const uint32_t n = matrix_ == 'a' || matrix_ == 'b' ? layout_.inRegister : 2;
    llvm::Value *along = builder.CreateMul(thread_, builder.getInt64(n)), *row = nullptr, *column = nullptr;
    if (matrix_ == 'a') {
      const uint32_t half = number % layout_.halves, chunk = number / layout_.halves % layout_.chunks;
      row = sum(group_, 16 * (number / layout_.halves / layout_.chunks) + 8 * half);
      column = sum(along, chunk * 4 * n + part);
    } else if (matrix_ == 'b') {
      row = sum(along, number % layout_.chunks * 4 * n + part);
      column = sum(group_, 8 * (number / layout_.chunks));
    } else {
      const uint32_t tile = number / layout_.halves;
      row = sum(group_, 16 * (tile / layout_.columnTiles) + 8 * (number % layout_.halves));
      column = sum(along, 8 * (tile % layout_.columnTiles) + part);
    }
    llvm::Value *far = isRowMajor_ ? row : column, *near = isRowMajor_ ? column : row;
    return builder.CreateAdd(builder.CreateMul(far, stride_), near);
  }

private:
  FunctionTranslation &f_;
  const Layout &layout_;
  char matrix_;
  bool isRowMajor_;
  llvm::Value *stride_, *group_, *thread_;
};

/// What wmma.load and wmma.store have in common.
struct FragmentAccess {
  Layout layout;
  const ElementType *type; ///< in memory
  char matrix;
  bool isRowMajor;
};

FragmentAccess accessOf(const Operation &op) {
  const ElementType *type = typesOf(op).front();
  const char matrix = op.has("a") ? 'a' : op.has("b") ? 'b' : 'c';
  // C does not say of which products it is; its own layout does not depend on that.
  return {Layout(shapeOf(op), matrix == 'c' ? elementNamed("tf32") : type), type, matrix, op.has("row")};
}

/// "stride: the number of elements between the starting elements of consecutive rows (columns)"; if it is not given,
/// they follow each other.
Expected<llvm::Value *> strideOf(FunctionTranslation &f, const Operation &op, size_t place,
                                 const FragmentAccess &access) {
  if (op.count() > place) {
    US_TRY(llvm::Value * stride, f.source(op, place));
    return f.builder.CreateZExt(stride, f.builder.getInt64Ty());
  }
  const Shape &shape = access.layout.shape;
  const uint32_t rows = access.matrix == 'b' ? shape.depth : shape.rows;
  const uint32_t columns = access.matrix == 'a' ? shape.depth : shape.columns;
  return f.builder.getInt64(access.isRowMajor ? columns : rows);
}

/// The pointer to an element that so many others lie before.
llvm::Value *elementAt(FunctionTranslation &f, llvm::Value *base, const ElementType *type, llvm::Value *before) {
  llvm::Value *bytes = type->bits < 8 ? f.builder.CreateUDiv(before, f.builder.getInt64(8 / type->bits))
                                      : f.builder.CreateMul(before, f.builder.getInt64(type->bits / 8));
  return f.builder.CreateGEP(f.builder.getInt8Ty(), base, bytes);
}

} // namespace

Expected<void> multiplyMatrices(FunctionTranslation &f, const Operation &op) {
  std::vector<const ElementType *> types = typesOf(op);
  if (types.size() == 2) types = {types[0], elementNamed("f16"), elementNamed("f16"), types[1]}; // wmma of halves
  return multiplyRegisters(f, op, Layout(shapeOf(op), types[1]), types[0], types[1], types[2], types[3]);
}

/// mma.sp: "half of A's elements in each row are zero, and are not there; where the others stand, say the metadata of
/// threads that the selector names".
Expected<void> multiplySparse(FunctionTranslation &f, const Operation &op) {
  const std::vector<const ElementType *> types = typesOf(op);
  const ElementType *a = types[1], *b = types[2];
  Shape stored = shapeOf(op);
  stored.depth /= 2;
  const Layout layout(stored, a);
  std::vector<llvm::Value *> inA, inB;
  US_TRY(const std::vector<llvm::Value *> ofA, readRegisters(f, op.operand(1), registerType(a), layout.registersOfA()));
  for (llvm::Value *value : ofA) unpack(f, a, value, inA);
  US_TRY(const std::vector<llvm::Value *> ofB,
         readRegisters(f, op.operand(2), registerType(b), 2 * layout.registersOfB()));
  for (llvm::Value *value : ofB) unpack(f, b, value, inB);
  US_TRY(std::vector<llvm::Value *> sums, readSums(f, op.operand(3), types[3], layout.pairsOfC()));
  US_TRY(llvm::Value * metadata, f.source(op, 4));
  const bool isNibble = a->bits == 4, isShort = a->bits >= 16;
  if (isNibble) inA = paired(f, inA), inB = paired(f, inB);
  // Threads 0 and 2 of four have metadata of 2 or 4 of them, or any one has that of all.
  const Operand &selector = op.operand(5);
  const uint32_t choices = layout.chunks == 2 ? (isShort ? 2 : 1) : (isShort ? 4 : 2);
  if (selector.kind != OperandKind::Integer || selector.bits >= choices)
    return failAt(selector.place, "the sparsity selector is a constant below " + std::to_string(choices));
  const uint32_t chosen = uint32_t(selector.bits);

  const bool saturates = op.has("satfinite");
  const std::vector<llvm::Value *> added = sums;
  if (saturates) std::fill(sums.begin(), sums.end(), f.builder.getInt32(0));
  const std::string library = isNibble ? "pair" : std::string(a->library);
  const uint32_t n = isNibble ? 4 : layout.inRegister;
  const auto number = [&](uint32_t value) { return f.builder.getInt32(value); };
  Words words(f);
  words.put(0, sums);
  for (uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
    size_t at = sums.size();
    for (uint32_t i = 0; i < 2 * n; ++i) words.put(at++, inA[chunk * 2 * n + i]);
    for (uint32_t i = 0; i < 2 * n; ++i) words.put(at++, inB[chunk * 2 * n + i]);
    words.put(at, metadata);
    const uint32_t first =
        isShort ? (layout.chunks == 2 ? 2 * chosen + chunk : chosen) : (layout.chunks == 2 ? 2 * chunk : 2 * chosen);
    callConvergent(
        f, "us_ptx_sparse_" + library,
        {number(n), number(a->bits == 32 ? 2 : 4), number(first), number(first + !isShort), number(isShort ? 16 : 0)});
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = words.get(i, numberType(f, a->library));
    if (saturates) sums[i] = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, sums[i], added[i]);
  }
  meet(f);
  return writeSums(f, op.operand(0), types[0], sums);
}

/// mma.m8n8k4 of halves: four products, each by 8 threads.
Expected<void> multiplyInQuads(FunctionTranslation &f, const Operation &op) {
  const std::vector<const ElementType *> types = typesOf(op);
  std::vector<llvm::Value *> numbers;
  US_TRY(numbers, readSums(f, op.operand(3), types[3], 4));
  for (const size_t place : {size_t(1), size_t(2)}) {
    US_TRY(const std::vector<llvm::Value *> values, readRegisters(f, op.operand(place), typeNamed("b32"), 2));
    for (llvm::Value *value : values) unpack(f, types[1], value, numbers);
  }
  Words words(f);
  words.put(0, numbers);
  const auto orders = std::find_if(op.text.modifiers.begin(), op.text.modifiers.end(),
                                   [](std::string_view word) { return word == "row" || word == "col"; });
  const uint32_t columns = (orders[0] == "col" ? 1u : 0u) | (orders[1] == "col" ? 2u : 0u);
  const uint32_t pairs = (types[3]->name == "f32" ? 1u : 0u) | (types[0]->name == "f32" ? 2u : 0u);
  callConvergent(f, "us_ptx_quads", {f.builder.getInt32(columns), f.builder.getInt32(pairs)});
  std::vector<llvm::Value *> sums;
  for (size_t i = 0; i < 8; ++i) sums.push_back(words.get(i, f.builder.getFloatTy()));
  meet(f);
  return writeSums(f, op.operand(0), types[0], sums);
}

/// ldmatrix: "each thread's address is that of a row; lane 8 * m + r has row r of matrix m".
Expected<void> loadMatrices(FunctionTranslation &f, const Operation &op) {
  const uint32_t count = matricesOf(op);
  US_CHECK(inLanesBelow(f, 8 * count, [&]() -> Expected<void> {
    US_TRY(llvm::Value * from, f.alignedAddress(op, 1, op.space(), kRowBytes));
    copyRow(f, rowWords(f), from);
    return {};
  }));
  meet(f);
  if (op.has("trans")) transpose(f, count);
  Words words(f);
  std::vector<llvm::Value *> values;
  for (uint32_t i = 0; i < count; ++i) values.push_back(words.get(i));
  meet(f);
  return writeRegisters(f, op.operand(0), typeNamed("b32"), values);
}

Expected<void> storeMatrices(FunctionTranslation &f, const Operation &op) {
  const uint32_t count = matricesOf(op);
  US_TRY(const std::vector<llvm::Value *> values, readRegisters(f, op.operand(1), typeNamed("b32"), count));
  Words(f).put(0, values);
  meet(f);
  if (op.has("trans")) transpose(f, count);
  US_CHECK(inLanesBelow(f, 8 * count, [&]() -> Expected<void> {
    US_TRY(llvm::Value * to, f.alignedAddress(op, 0, op.space(), kRowBytes));
    copyRow(f, to, rowWords(f));
    return {};
  }));
  meet(f);
  return {};
}

/// movmatrix: the transpose of a matrix of 8 by 8 elements of 16 bits.
Expected<void> moveMatrix(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * value, f.source(op, 1));
  Words words(f);
  words.put(0, value);
  transpose(f, 1);
  value = words.get(0);
  meet(f);
  return f.define(op, 0, value);
}

/// wmma.load
Expected<void> loadFragment(FunctionTranslation &f, const Operation &op) {
  const FragmentAccess access = accessOf(op);
  US_TRY(llvm::Value * base, f.address(op, 1, op.space()));
  US_TRY(llvm::Value * stride, strideOf(f, op, 2, access));
  FragmentPlaces places(f, access.layout, access.matrix, access.isRowMajor, stride);
  const uint32_t bits = access.type->bits;
  const auto load = [&](uint32_t size, uint32_t number, uint32_t part) {
    llvm::Value *at = elementAt(f, base, access.type, places.elementsBefore(number, part));
    return f.builder.CreateAlignedLoad(f.builder.getIntNTy(size), at, llvm::Align(1));
  };
  llvm::Type *word = f.builder.getInt32Ty();
  std::vector<llvm::Value *> values;
  for (uint32_t number = 0; number < places.registers(); ++number) {
    if (access.matrix == 'c' && bits >= 32) {
      for (uint32_t part = 0; part < 2; ++part) values.push_back(load(bits, number, part));
    } else if (bits >= 32 || places.isContiguous()) {
      values.push_back(load(std::max(bits, 32u), number, 0));
    } else {
      llvm::Value *sum = f.builder.getInt32(0);
      for (uint32_t part = 0; part < 32 / bits; ++part)
        sum = f.builder.CreateOr(
            sum, f.builder.CreateShl(f.builder.CreateZExt(load(bits, number, part), word), part * bits));
      values.push_back(sum);
    }
  }
  const size_t held = values.size();
  if (access.matrix != 'c')
    for (size_t i = held; i < access.layout.fragment(uint32_t(held)); ++i) values.push_back(values[i % held]);
  if (bits == 64)
    for (llvm::Value *&value : values) value = f.builder.CreateBitCast(value, f.builder.getDoubleTy());
  return writeRegisters(f, op.operand(0), typeNamed(bits == 64 ? "f64" : "b32"), values);
}

/// wmma.store
Expected<void> storeFragment(FunctionTranslation &f, const Operation &op) {
  const FragmentAccess access = accessOf(op);
  US_TRY(llvm::Value * base, f.address(op, 0, op.space()));
  US_TRY(llvm::Value * stride, strideOf(f, op, 2, access));
  FragmentPlaces places(f, access.layout, 'c', access.isRowMajor, stride);
  const uint32_t bits = access.type->bits, perPair = bits == 16 ? 1 : 2;
  US_TRY(const std::vector<llvm::Value *> values,
         readRegisters(f, op.operand(1), typeNamed(bits == 64 ? "f64" : "b32"), places.registers() * perPair));
  for (uint32_t number = 0; number < places.registers(); ++number)
    for (uint32_t part = 0; part < 2; ++part) {
      llvm::Value *value = values[number * perPair + (bits == 16 ? 0 : part)];
      if (bits == 16) value = f.builder.CreateTrunc(f.builder.CreateLShr(value, 16 * part), f.builder.getInt16Ty());
      f.builder.CreateAlignedStore(value, elementAt(f, base, access.type, places.elementsBefore(number, part)),
                                   llvm::Align(1));
    }
  return {};
}

namespace {

/// As matrix_descriptors.cl numbers them.
constexpr std::string_view kDescribedTypes[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8", "b1"};
uint32_t describedType(const ElementType *type) {
  return uint32_t(std::find(std::begin(kDescribedTypes), std::end(kDescribedTypes), type->name) -
                  std::begin(kDescribedTypes));
}

/// The last operands of wgmma: "imm-scale-a, imm-scale-b: -1 or 1; imm-trans-a, imm-trans-b: 0 or 1".
struct Choices {
  bool negates = false, transposesA = false, transposesB = false;
};
Expected<Choices> choicesOf(const Operation &op, const ElementType *type, bool isInRegisters) {
  const bool mayScale = type->library == "f32", mayTranspose = type->bits == 16;
  const size_t scales = mayScale ? 2 : 0, transposes = mayTranspose ? (isInRegisters ? 1 : 2) : 0;
  if (op.count() != 4 + scales + transposes)
    return failAt(op.text.place, "this form of wgmma.mma_async has " + std::to_string(4 + scales + transposes) +
                                     " operands, " + std::to_string(op.count()) + " were given");
  Choices choices;
  for (size_t i = 0; i < scales + transposes; ++i) {
    const Operand &operand = op.operand(4 + i);
    const bool isScale = i < scales;
    const bool fits =
        operand.kind == OperandKind::Integer && (operand.bits == 1 || int64_t(operand.bits) == (isScale ? -1 : 0));
    if (!fits) return failAt(operand.place, isScale ? "a scale is -1 or 1" : "a transpose is 0 or 1");
    if (isScale)
      choices.negates ^= operand.bits != 1;
    else if (i + 1 < scales + transposes)
      choices.transposesA = operand.bits == 1;
    else
      choices.transposesB = operand.bits == 1;
  }
  return choices;
}

} // namespace

/// wgmma.mma_async d, a, b-desc, scale-d, ...: D = A B + D, or A B if scale-d is false. Done when it is executed, each
/// warp for itself.
Expected<void> multiplyDescribed(FunctionTranslation &f, const Operation &op) {
  llvm::IRBuilderBase &builder = f.builder;
  const std::vector<const ElementType *> types = typesOf(op);
  const ElementType *d = types[0], *a = types[1], *b = types[2];
  Shape shape = shapeOf(op);
  shape.rows = 16; // of a warp
  const Layout layout(shape, a);
  const bool isInRegisters = op.operand(1).kind == OperandKind::Vector;
  US_TRY(const Choices choices, choicesOf(op, a, isInRegisters));

  std::vector<llvm::Value *> inA;
  llvm::Value *descriptorOfA = builder.getInt64(0);
  if (isInRegisters) {
    US_TRY(const std::vector<llvm::Value *> values,
           readRegisters(f, op.operand(1), registerType(a), layout.registersOfA()));
    for (llvm::Value *value : values) unpack(f, a, value, inA);
  } else {
    US_TRY(descriptorOfA, f.valueOf(op.operand(1), typeNamed("b64"), false));
  }
  US_TRY(llvm::Value * descriptorOfB, f.source(op, 2));
  US_TRY(llvm::Value * addsToD, f.source(op, 3));
  US_TRY(std::vector<llvm::Value *> sums, readSums(f, op.operand(0), d, layout.pairsOfC()));
  for (llvm::Value *&sum : sums) sum = builder.CreateSelect(addsToD, sum, llvm::Constant::getNullValue(sum->getType()));
  const bool saturates = op.has("satfinite");
  const std::vector<llvm::Value *> added = sums;
  if (saturates) std::fill(sums.begin(), sums.end(), builder.getInt32(0));

  // Warps of a group of four have rows from 0, 16, 32 and 48 on.
  Operand warp;
  warp.kind = OperandKind::Name;
  warp.name = "%warpid";
  Type type = nullptr;
  US_TRY(llvm::Value * row, readSpecialRegister(f, warp, type));
  row = builder.CreateShl(builder.CreateAnd(row, builder.getInt32(3)), 4);
  const auto half = [&](llvm::Value *descriptor, uint64_t shift) {
    return builder.CreateTrunc(builder.CreateLShr(descriptor, shift), builder.getInt32Ty());
  };
  const std::vector<llvm::Value *> told{half(descriptorOfA, 0), half(descriptorOfA, 32), half(descriptorOfB, 0),
                                        half(descriptorOfB, 32), row};
  constexpr uint32_t kWordsOfTile = 4;
  const uint32_t room = uint32_t(kWords - told.size() - inA.size()) / kWordsOfTile;
  const uint32_t form = describedType(a) | describedType(b) << 3 | (isInRegisters ? 64u : 0u) |
                        (choices.transposesA ? 128u : 0u) | (choices.transposesB ? 256u : 0u) |
                        (choices.negates ? 512u : 0u) | uint32_t(inA.size() / layout.registersOfA()) << 10;
  const std::string library = a->library == "popc"  ? "and"
                              : a->library != "f32" ? std::string(a->library)
                              : a->bits == 8        ? "f8"
                                                    : std::string(a->name);
  llvm::Value *arena = f.callMachine("us.local_arena", builder.getPtrTy(kShared), {});
  Words words(f);
  llvm::Type *number = numberType(f, a->library);
  for (uint32_t first = 0; first < layout.columnTiles; first += room) {
    const uint32_t tiles = std::min(room, layout.columnTiles - first), count = tiles * kWordsOfTile;
    for (uint32_t i = 0; i < count; ++i) words.put(i, sums[first * kWordsOfTile + i]);
    words.put(count, inA);
    words.put(kWords - told.size(), told);
    callConvergent(f, "us_ptx_wgmma_" + library,
                   {arena, builder.getInt32(form), builder.getInt32(8 * first), builder.getInt32(tiles)});
    for (uint32_t i = 0; i < count; ++i) sums[first * kWordsOfTile + i] = words.get(i, number);
    meet(f);
  }
  if (saturates)
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] = builder.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, sums[i], added[i]);
  return writeSums(f, op.operand(0), d, sums);
}

} // namespace us::frontend::ptx
