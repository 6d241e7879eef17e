// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tex, tld4 and the queries: calls of the builtin family opencl/texture. A texture is known by its handle, a 64-bit
// number, or by the name of its variable, whose address is that number.
#include "frontend/ptx/textures.h"

#include "emulator/abi/texture_abi.h"
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

#include <algorithm>

namespace us::frontend::ptx {
namespace {

struct GeometryRow {
  std::string_view name;
  unsigned coordinates; ///< without the layer
  unsigned elements;    ///< of the vector that is written; what is too much is ignored
  bool hasLayer;
};
constexpr GeometryRow kGeometries[] = {{"1d", 1, 1, false},  {"2d", 2, 2, false}, {"3d", 3, 4, false},
                                       {"a1d", 1, 2, true},  {"a2d", 2, 4, true}, {"cube", 3, 4, false},
                                       {"acube", 3, 4, true}};

const GeometryRow &geometryOf(const Operation &op) {
  for (const GeometryRow &row : kGeometries)
    if (op.has(row.name)) return row;
  return kGeometries[0];
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

/// Evaluates what is written and not needed: gradients, which choose no level.
Expected<void> ignore(FunctionTranslation &f, const Operand &operand) {
  const Operand *const one = &operand;
  const std::span<const Operand> all =
      operand.kind == OperandKind::Vector ? std::span(operand.elements) : std::span(one, 1);
  for (const Operand &element : all) US_CHECK(f.valueOf(element, typeNamed("f32"), false));
  return {};
}

constexpr std::string_view kChannels[] = {"r", "g", "b", "a"};

/// What a query asks for, in the numbers of opencl/texture/query.cl: the order of abi::TextureDescriptor's members.
struct QueryRow {
  std::string_view name;
  uint32_t number;
};
constexpr QueryRow kQueries[] = {{"width", 0},
                                 {"height", 1},
                                 {"depth", 2},
                                 {"array_size", 3},
                                 {"channel_order", 4},
                                 {"channel_data_type", 5},
                                 {"filter_mode", 6},
                                 {"addr_mode_0", 7},
                                 {"addr_mode_1", 8},
                                 {"addr_mode_2", 9},
                                 {"normalized_coords", 10},
                                 {"force_unnormalized_coords", 11},
                                 {"num_mipmap_levels", 12},
                                 {"num_samples", 13},
                                 {"memory_layout", 14}};

} // namespace

Expected<llvm::Value *> handleNamed(FunctionTranslation &f, const Operand &operand, StateSpace space) {
  if (operand.bits != 0) return failAt(operand.place, "a handle stands alone");
  if (f.findRegister(operand.name)) {
    Operand name = operand;
    name.kind = OperandKind::Name;
    name.elements.clear();
    return f.valueOf(name, typeNamed("u64"), false);
  }
  const Memory *memory = operand.name.empty() ? nullptr : f.findMemory(operand.name);
  if (!memory) return failAt(operand.place, quoted(operand.name) + " is not declared");
  // "a .param variable that holds a handle"
  if (memory->space == StateSpace::Parameter && memory->text && sizeOf(*memory->text) == 8)
    return f.builder.CreateLoad(f.builder.getInt64Ty(), memory->pointer);
  if (memory->space != space)
    return failAt(operand.place, quoted(operand.name) + " is no ." + std::string(nameOf(space)) + " variable");
  return f.builder.CreatePtrToInt(memory->pointer, f.builder.getInt64Ty());
}

llvm::Value *callTextureFunction(FunctionTranslation &f, const std::string &name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = f.callMachine(name.c_str(), result, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::cast<llvm::Function>(call->getCalledOperand())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

Expected<std::vector<llvm::Value *>> coordinatesOf(FunctionTranslation &f, const Operand &address, unsigned count,
                                                   unsigned elements, bool hasLayer, Type type) {
  const Operand &written = address.elements.back();
  const Operand *const one = &written;
  const bool isVector = written.kind == OperandKind::Vector;
  const std::span<const Operand> all = isVector ? std::span(written.elements) : std::span(one, 1);
  const unsigned needed = count + (hasLayer ? 1 : 0);
  if (all.size() < needed || all.size() > std::max(needed, elements))
    return failAt(written.place, std::to_string(elements) + " coordinates are expected");
  std::vector<llvm::Value *> values;
  for (unsigned i = 0; i < needed; ++i) {
    US_TRY(llvm::Value * value, f.valueOf(all[i], hasLayer && i == 0 ? typeNamed("s32") : type, false));
    values.push_back(value);
  }
  return values;
}

namespace {

/// The level that the detail falls on, and what is mixed in of the next one, if anything is.
llvm::Value *readLevels(FunctionTranslation &f, llvm::Value *texture, llvm::Value *sampler, llvm::Value *detail,
                        llvm::function_ref<llvm::Value *(llvm::Value *)> read) {
  llvm::IRBuilderBase &builder = f.builder;
  const auto levelOf = [&](uint32_t next) {
    return callTextureFunction(f, "ptx.level", builder.getInt64Ty(),
                               {texture, sampler, detail, builder.getInt32(next)});
  };
  llvm::Value *weight = callTextureFunction(f, "ptx.level_weight", builder.getFloatTy(), {texture, sampler, detail});
  llvm::Value *first = read(levelOf(0));
  llvm::BasicBlock *one = builder.GetInsertBlock();
  auto *two = llvm::BasicBlock::Create(f.module.context, "next_level", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "levels", &f.function);
  builder.CreateCondBr(builder.CreateFCmpOGT(weight, llvm::ConstantFP::get(builder.getFloatTy(), 0)), two, done);
  builder.SetInsertPoint(two);
  llvm::Type *numbers = llvm::FixedVectorType::get(builder.getFloatTy(), 4);
  llvm::Value *a = builder.CreateBitCast(first, numbers), *b = builder.CreateBitCast(read(levelOf(1)), numbers);
  llvm::Value *share = builder.CreateVectorSplat(4, weight);
  llvm::Value *sum = builder.CreateFAdd(a, builder.CreateFMul(share, builder.CreateFSub(b, a)));
  llvm::Value *mixed = builder.CreateBitCast(sum, first->getType());
  two = builder.GetInsertBlock();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  llvm::PHINode *texel = builder.CreatePHI(first->getType(), 2);
  texel->addIncoming(first, one);
  texel->addIncoming(mixed, two);
  return texel;
}

} // namespace

/// tex.2d.v4.f32.f32 {r, g, b, a}, [texture, {x, y}] or [texture, sampler, {x, y}].
Expected<void> sampleTexture(FunctionTranslation &f, const Operation &op) {
  const GeometryRow &geometry = geometryOf(op);
  const Operand &address = op.operand(1);
  if (address.kind != OperandKind::Address || address.elements.empty() || address.elements.size() > 2)
    return failAt(address.place, "a texture and coordinates are expected: [texture, {coordinates}]");
  US_TRY(llvm::Value * texture, handleNamed(f, address, StateSpace::Texture));
  llvm::Value *sampler = f.builder.getInt64(0);
  if (address.elements.size() == 2) {
    US_TRY(sampler, handleNamed(f, address.elements[0], StateSpace::Sampler));
  }
  const Type coordinate = op.types[1];
  const bool isGather = op.text.opcode == "tld4", isFetch = coordinate->isInteger();
  US_TRY(const std::vector<llvm::Value *> coordinates,
         coordinatesOf(f, address, geometry.coordinates, geometry.elements, geometry.hasLayer, coordinate));
  llvm::Value *level = nullptr;
  if (op.has("level")) {
    US_TRY(level, f.valueOf(op.operand(2), typeNamed("f32"), false));
  } else {
    for (size_t place = 2; place < op.count(); ++place) US_CHECK(ignore(f, op.operand(place)));
  }
  std::vector<llvm::Value *> arguments = {texture, sampler};
  for (uint32_t i = 0; isGather && i < std::size(kChannels); ++i)
    if (op.has(kChannels[i])) arguments.push_back(f.builder.getInt32(i));
  arguments.insert(arguments.end(), coordinates.begin(), coordinates.end());
  const char *family = isGather ? "ptx.gather." : isFetch ? "ptx.fetch." : "ptx.tex.";
  const auto read = [&](llvm::Value *from) {
    arguments[0] = from;
    return callTextureFunction(f, family + std::string(geometry.name),
                               llvm::FixedVectorType::get(f.builder.getInt32Ty(), 4), arguments);
  };
  return defineTexel(f, op, level ? readLevels(f, texture, sampler, level, read) : read(texture));
}

Expected<void> defineTexel(FunctionTranslation &f, const Operation &op, llvm::Value *texel) {
  const Type type = op.types[0];
  llvm::Type *const element = f.llvmType(type);
  std::vector<llvm::Value *> channels, results;
  for (uint32_t i = 0; i < 4; ++i) channels.push_back(f.builder.CreateExtractElement(texel, i));
  if (type->kind == TypeClass::Packed || type->bits == 16) {
    for (llvm::Value *&channel : channels)
      channel =
          f.builder.CreateFPTrunc(f.builder.CreateBitCast(channel, f.builder.getFloatTy()), f.builder.getHalfTy());
  }
  if (type->kind != TypeClass::Packed) {
    for (llvm::Value *channel : channels) results.push_back(f.builder.CreateBitCast(channel, element));
    return f.defineAll(op, 0, results);
  }
  for (uint32_t i = 0; i < 4; i += 2) {
    llvm::Value *pair = llvm::UndefValue::get(llvm::FixedVectorType::get(f.builder.getHalfTy(), 2));
    for (uint32_t j = 0; j < 2; ++j) pair = f.builder.CreateInsertElement(pair, channels[i + j], j);
    results.push_back(f.builder.CreateBitCast(pair, f.builder.getInt32Ty()));
  }
  const Operand &into = op.operand(0);
  if (into.kind != OperandKind::Vector || into.elements.size() != 2)
    return failAt(into.place, "a vector of 2 registers is expected");
  for (size_t i = 0; i < 2; ++i) US_CHECK(f.assign(into.elements[i], typeNamed("b32"), false, results[i]));
  return {};
}

/// txq.width.b32 d, [texture] and suq.width.b32 d, [surface].
Expected<void> queryTexture(FunctionTranslation &f, const Operation &op) {
  const Operand &address = op.operand(1);
  if (address.kind != OperandKind::Address || !address.elements.empty())
    return failAt(address.place, "[texture] or [surface] is expected");
  const bool isSurface = op.text.opcode == "suq";
  StateSpace space = isSurface ? StateSpace::Surface : StateSpace::Texture;
  const Memory *memory = f.findMemory(address.name);
  if (!isSurface && memory && memory->space == StateSpace::Sampler) space = StateSpace::Sampler;
  US_TRY(llvm::Value * handle, handleNamed(f, address, space));
  if (op.count() > 2) {
    US_TRY(llvm::Value * level, f.valueOf(op.operand(2), typeNamed("u32"), false));
    handle = callTextureFunction(f, "ptx.level_numbered", f.builder.getInt64Ty(), {handle, level});
  }
  for (const QueryRow &row : kQueries) {
    if (!op.has(row.name)) continue;
    return f.define(
        op, 0, callTextureFunction(f, "ptx.query", f.builder.getInt32Ty(), {handle, f.builder.getInt32(row.number)}));
  }
  return {};
}

// --- Variables ---

namespace {

struct FieldRow {
  std::string_view name, value; ///< no value: a number
  uint32_t clear, set;          ///< bits of abi::TextureDescriptor::mode
};
constexpr uint32_t addressingMask(uint32_t dimension) { return 3u << (8 + 2 * dimension); }
#define US_ADDRESSING(name, dimension)                                                                                 \
  {name, "wrap", addressingMask(dimension), abi::addressingBits(dimension, TextureAddressing::Wrap)},                  \
      {name, "mirror", addressingMask(dimension), abi::addressingBits(dimension, TextureAddressing::Mirror)},          \
      {name, "clamp_ogl", addressingMask(dimension), abi::addressingBits(dimension, TextureAddressing::Clamp)},        \
      {name, "clamp_to_edge", addressingMask(dimension), abi::addressingBits(dimension, TextureAddressing::Clamp)}, {  \
    name, "clamp_to_border", addressingMask(dimension), abi::addressingBits(dimension, TextureAddressing::Border)      \
  }
constexpr FieldRow kFields[] = {
    US_ADDRESSING("addr_mode_0", 0),
    US_ADDRESSING("addr_mode_1", 1),
    US_ADDRESSING("addr_mode_2", 2),
    {"filter_mode", "nearest", abi::kTextureLinear, 0},
    {"filter_mode", "linear", abi::kTextureLinear, abi::kTextureLinear},
    {"normalized_coords", "0", abi::kTextureNormalized, 0},
    {"normalized_coords", "1", abi::kTextureNormalized, abi::kTextureNormalized},
    {"force_unnormalized_coords", "0", 0, 0},
    {"force_unnormalized_coords", "1", abi::kTextureNormalized, 0},
};
#undef US_ADDRESSING

} // namespace

Expected<llvm::Constant *> opaqueValue(Translation &translation, const Variable &variable) {
  // What a fresh reference of the driver says: clamp, no filter, coordinates in texels.
  uint32_t mode = 0;
  for (uint32_t i = 0; i < 3; ++i) mode |= abi::addressingBits(i, TextureAddressing::Clamp);
  for (const OpaqueField &field : variable.fields) {
    const FieldRow *found = nullptr;
    for (const FieldRow &row : kFields)
      if (row.name == field.name && row.value == field.value) found = &row;
    if (!found)
      return failAt(field.place, "a variable of this kind has no field " + quoted(field.name) + " with the value " +
                                     quoted(field.value));
    mode = (mode & ~found->clear) | found->set;
  }
  std::vector<uint32_t> words(sizeof(abi::TextureDescriptor) / 4, 0);
  words[offsetof(abi::TextureDescriptor, mode) / 4] = mode;
  return llvm::ConstantDataArray::get(translation.context, words);
}

} // namespace us::frontend::ptx
