// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// suld, sust and sured. A builtin finds the address of what they access, by the boundary mode; for .trap that is an
// address at which nothing can be, for .zero it is null where nothing is to be done.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"
#include "frontend/ptx/textures.h"

#include <algorithm>

namespace us::frontend::ptx {
namespace {

/// Where the three coordinates come from: -1 is none.
struct SurfaceGeometryRow {
  std::string_view name;
  unsigned coordinates, elements;
  bool hasLayer;
};
constexpr SurfaceGeometryRow kSurfaceGeometries[] = {
    {"1d", 1, 1, false}, {"2d", 2, 2, false}, {"3d", 3, 4, false}, {"a1d", 1, 2, true}, {"a2d", 2, 4, true}};

constexpr std::string_view kModes[] = {"trap", "clamp", "zero"}; // numbers of opencl/texture/surface.cl

struct Access {
  llvm::Value *surface = nullptr, *x = nullptr, *y = nullptr, *z = nullptr, *mode = nullptr;
  bool isZero = false;
};

/// The address operand [surface, {coordinates}].
Expected<Access> accessOf(FunctionTranslation &f, const Operation &op, size_t place) {
  const Operand &address = op.operand(place);
  if (address.kind != OperandKind::Address || address.elements.size() != 1)
    return failAt(address.place, "a surface and coordinates are expected: [surface, {coordinates}]");
  Access access;
  US_TRY(access.surface, handleNamed(f, address, StateSpace::Surface));
  for (uint32_t i = 0; i < std::size(kModes); ++i)
    if (op.has(kModes[i])) access.mode = f.builder.getInt32(i);
  access.isZero = op.has("zero");
  access.x = access.y = access.z = f.builder.getInt32(0);
  for (const SurfaceGeometryRow &geometry : kSurfaceGeometries) {
    if (!op.has(geometry.name)) continue;
    US_TRY(const std::vector<llvm::Value *> values,
           coordinatesOf(f, address, geometry.coordinates, geometry.elements, geometry.hasLayer, typeNamed("s32")));
    const size_t first = geometry.hasLayer ? 1 : 0;
    if (geometry.hasLayer) access.z = values[0];
    access.x = values[first];
    if (geometry.coordinates > 1) access.y = values[first + 1];
    if (geometry.coordinates > 2) access.z = values[first + 2];
    break;
  }
  return access;
}

/// `isTexel`: x counts texels, not bytes.
llvm::Value *addressOf(FunctionTranslation &f, const Access &access, uint32_t bytes, bool isTexel) {
  return callTextureFunction(f, isTexel ? "ptx.surface.texel" : "ptx.surface.address", f.builder.getInt64Ty(),
                             {access.surface, access.x, access.y, access.z, f.builder.getInt32(bytes), access.mode});
}

/// Leaves the builder in a block that is run where there is something to access; returns what comes after it.
llvm::BasicBlock *beginAccess(FunctionTranslation &f, const Access &access, llvm::Value *address) {
  if (!access.isZero) return nullptr;
  auto *then = llvm::BasicBlock::Create(f.module.context, "inside", &f.function);
  auto *after = llvm::BasicBlock::Create(f.module.context, "after", &f.function);
  f.builder.CreateCondBr(f.builder.CreateICmpNE(address, f.builder.getInt64(0)), then, after);
  f.builder.SetInsertPoint(then);
  return after;
}
void endAccess(FunctionTranslation &f, llvm::BasicBlock *after) {
  if (!after) return;
  f.builder.CreateBr(after);
  f.builder.SetInsertPoint(after);
}

llvm::Value *pointerTo(FunctionTranslation &f, llvm::Value *address, uint32_t bytes) {
  llvm::Value *pointer = f.builder.CreateIntToPtr(address, f.builder.getPtrTy(kGlobal));
  return bytes == 0 ? pointer : f.builder.CreateConstGEP1_64(f.builder.getInt8Ty(), pointer, bytes);
}

uint32_t lanesOf(const Operation &op) { return op.has("v2") ? 2 : op.has("v4") ? 4 : 1; }

/// {a, b, …}, or without braces where there is one.
std::span<const Operand> elementsOf(const Operand &operand) {
  return operand.kind == OperandKind::Vector ? std::span(operand.elements) : std::span(&operand, 1);
}

Expected<std::vector<llvm::Value *>> valuesOf(FunctionTranslation &f, const Operation &op, size_t place) {
  const std::span<const Operand> elements = elementsOf(op.operand(place));
  if (elements.size() != lanesOf(op))
    return failAt(op.operand(place).place, std::to_string(lanesOf(op)) + " values are expected");
  std::vector<llvm::Value *> values;
  for (const Operand &element : elements) {
    US_TRY(llvm::Value * value, f.valueOf(element, op.types[0], true));
    values.push_back(value);
  }
  return values;
}

} // namespace

/// suld.b.2d.v2.b32.clamp {a, b}, [surface, {x, y}]
Expected<void> loadSurface(FunctionTranslation &f, const Operation &op) {
  const uint32_t lanes = lanesOf(op), bytes = op.types[0]->bytes();
  US_TRY(const Access access, accessOf(f, op, 1));
  llvm::Value *address = addressOf(f, access, bytes * lanes, false);
  llvm::BasicBlock *before = f.builder.GetInsertBlock();
  llvm::BasicBlock *after = beginAccess(f, access, address);
  std::vector<llvm::Value *> values;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    values.push_back(
        f.builder.CreateAlignedLoad(f.llvmType(op.types[0]), pointerTo(f, address, lane * bytes), llvm::Align(1)));
  llvm::BasicBlock *inside = f.builder.GetInsertBlock();
  endAccess(f, after);
  if (after) {
    for (llvm::Value *&value : values) {
      llvm::PHINode *either = f.builder.CreatePHI(value->getType(), 2);
      either->addIncoming(value, inside);
      either->addIncoming(llvm::Constant::getNullValue(value->getType()), before);
      value = either;
    }
  }
  const std::span<const Operand> into = elementsOf(op.operand(0));
  if (into.size() != lanes) return failAt(op.operand(0).place, std::to_string(lanes) + " registers are expected");
  for (uint32_t lane = 0; lane < lanes; ++lane) US_CHECK(f.assign(into[lane], op.types[0], true, values[lane]));
  return {};
}

/// sust.b.2d.v2.b32.clamp [surface, {x, y}], {a, b}
Expected<void> storeSurface(FunctionTranslation &f, const Operation &op) {
  const uint32_t bytes = op.types[0]->bytes();
  US_TRY(const Access access, accessOf(f, op, 0));
  US_TRY(const std::vector<llvm::Value *> values, valuesOf(f, op, 1));
  llvm::Value *address = addressOf(f, access, bytes * uint32_t(values.size()), false);
  llvm::BasicBlock *after = beginAccess(f, access, address);
  for (uint32_t lane = 0; lane < values.size(); ++lane)
    f.builder.CreateAlignedStore(values[lane], pointerTo(f, address, lane * bytes), llvm::Align(1));
  endAccess(f, after);
  return {};
}

/// sust.p: values are converted to the surface's format; x counts texels.
Expected<void> storeFormatted(FunctionTranslation &f, const Operation &op) {
  US_TRY(const Access access, accessOf(f, op, 0));
  US_TRY(const std::vector<llvm::Value *> values, valuesOf(f, op, 1));
  llvm::Value *address = addressOf(f, access, 0, true);
  llvm::BasicBlock *after = beginAccess(f, access, address);
  llvm::Value *texel = llvm::Constant::getNullValue(llvm::FixedVectorType::get(f.builder.getInt32Ty(), 4));
  for (uint32_t lane = 0; lane < values.size(); ++lane)
    texel = f.builder.CreateInsertElement(texel, f.builder.CreateBitCast(values[lane], f.builder.getInt32Ty()), lane);
  callTextureFunction(f, "ptx.surface.store", f.builder.getVoidTy(), {access.surface, address, texel});
  endAccess(f, after);
  return {};
}

/// sured.b.add.2d.u32.clamp [surface, {x, y}], c; for .p x counts texels. `detail` is 1 for .p.
Expected<void> reduceSurface(FunctionTranslation &f, const Operation &op) {
  using Rmw = llvm::AtomicRMWInst;
  struct Row {
    std::string_view name;
    Rmw::BinOp ofUnsigned, ofSigned;
  };
  constexpr Row kOperations[] = {{"add", Rmw::Add, Rmw::Add},
                                 {"min", Rmw::UMin, Rmw::Min},
                                 {"max", Rmw::UMax, Rmw::Max},
                                 {"and", Rmw::And, Rmw::And},
                                 {"or", Rmw::Or, Rmw::Or}};
  const Type type = op.types[0];
  US_TRY(const Access access, accessOf(f, op, 0));
  const std::span<const Operand> value = elementsOf(op.operand(1));
  if (value.size() != 1) return failAt(op.operand(1).place, "one value is expected");
  US_TRY(llvm::Value * operand, f.valueOf(value.front(), type, false));
  llvm::Value *address = addressOf(f, access, type->bytes(), op.form.detail == 1);
  llvm::BasicBlock *after = beginAccess(f, access, address);
  for (const Row &row : kOperations)
    if (op.has(row.name))
      f.builder.CreateAtomicRMW(type->isSigned() ? row.ofSigned : row.ofUnsigned, pointerTo(f, address, 0), operand,
                                llvm::Align(type->bytes()), llvm::AtomicOrdering::Monotonic);
  endAccess(f, after);
  return {};
}

} // namespace us::frontend::ptx
