// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_images.h"

#include "emulator/abi/image_abi.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/library_names.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace us::codegen {
namespace {

using abi::ImageDescriptor;

struct ImageKindRow {
  llvm::StringLiteral name;
  unsigned directions;
  bool hasLayers; ///< the coordinate behind them is a layer
};
constexpr ImageKindRow kKinds[] = {
    {"image1d", 1, false},       {"image1d_buffer", 1, false}, {"image1d_array", 1, true},       {"image2d", 2, false},
    {"image2d_depth", 2, false}, {"image2d_array", 2, true},   {"image2d_array_depth", 2, true}, {"image3d", 3, false},
};

/// A call that goes to a pixel.
struct PixelAccess {
  llvm::CallInst *call;
  const ImageKindRow *kind;
  bool isWrite, hasSampler;

  llvm::Value *image() const { return call->getArgOperand(0); }
  llvm::Value *samplerBits(llvm::IRBuilderBase &builder) const {
    return builder.CreatePtrToInt(call->getArgOperand(1), builder.getInt64Ty());
  }
  llvm::Value *coordinates() const { return call->getArgOperand(hasSampler ? 2 : 1); }
  /// Of a mipmap, if the call names one: write_image's. Null: the first.
  llvm::Value *level() const { return isWrite && call->arg_size() == 4 ? call->getArgOperand(2) : nullptr; }
};

/// "_Z12write_imagef14ocl_image2d_woDv2_iDv4_f"
std::optional<PixelAccess> pixelAccess(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return {};
  LibraryName name = libraryName(*call);
  const bool isWrite = name.function.starts_with("write_image");
  if (!isWrite && !name.function.starts_with("read_image")) return {};
  llvm::StringRef image = takeName(name.parameters);
  if (!image.consume_front("ocl_")) return {};
  const auto kind = llvm::find_if(kKinds, [&](const ImageKindRow &row) { return row.name == image.drop_back(3); });
  if (kind == std::end(kKinds)) return {};
  return PixelAccess{call, kind, isWrite, takeName(name.parameters) == "ocl_sampler"};
}

llvm::Value *sizeAlong(llvm::IRBuilderBase &builder, const PixelAccess &access, llvm::Value *image,
                       unsigned direction) {
  static constexpr uint64_t kOffsets[] = {offsetof(ImageDescriptor, width), offsetof(ImageDescriptor, height),
                                          offsetof(ImageDescriptor, depth)};
  const bool isLayer = direction == access.kind->directions;
  return loadInvariant(builder, builder.getInt32Ty(), image,
                       isLayer ? offsetof(ImageDescriptor, arraySize) : kOffsets[direction]);
}

/// Whether the coordinate names a pixel of the image.
llvm::Value *isInside(llvm::IRBuilderBase &builder, const PixelAccess &access, llvm::Value *image, unsigned direction,
                      llvm::Value *coordinate) {
  llvm::Value *size = sizeAlong(builder, access, image, direction);
  llvm::Type *type = coordinate->getType();
  if (type->isIntegerTy()) return builder.CreateICmpULT(coordinate, size);
  // "CLK_NORMALIZED_COORDS_TRUE": bit 0
  llvm::Value *length = builder.CreateUIToFP(size, type);
  llvm::Value *isNormalized = builder.CreateTrunc(access.samplerBits(builder), builder.getInt1Ty());
  llvm::Value *place = builder.CreateSelect(isNormalized, builder.CreateFMul(coordinate, length), coordinate);
  return builder.CreateAnd(builder.CreateFCmpOGE(place, llvm::ConstantFP::get(type, 0)),
                           builder.CreateFCmpOLT(place, length));
}

/// 32 bits of a coordinate; 0 if there is none.
llvm::Value *bitsOf(llvm::IRBuilderBase &builder, llvm::Value *coordinate) {
  if (!coordinate) return builder.getInt64(0);
  return builder.CreateZExt(builder.CreateBitCast(coordinate, builder.getInt32Ty()), builder.getInt64Ty());
}

void check(const PixelAccess &access) {
  llvm::IRBuilder<> builder(access.call);
  llvm::Value *all = access.coordinates();
  // "clamp(rint(w), 0, d_t - 1)": layers that are read are brought inside.
  const unsigned checked = access.kind->directions + (access.kind->hasLayers && access.isWrite ? 1 : 0);
  const unsigned told = access.kind->directions + (access.kind->hasLayers ? 1 : 0);
  llvm::Value *coordinates[3] = {}, *isRight = nullptr, *image = access.image();
  if (llvm::Value *level = access.level()) {
    // Its descriptor; that of the first level where there is no such one.
    llvm::Value *levels = loadInvariant(builder, builder.getInt32Ty(), image, offsetof(ImageDescriptor, mipLevels));
    isRight = builder.CreateICmpULT(level, levels);
    llvm::Value *number = builder.CreateSelect(isRight, level, builder.getInt32(0));
    llvm::Value *distance =
        builder.CreateMul(builder.CreateZExt(number, builder.getInt64Ty()), builder.getInt64(sizeof(ImageDescriptor)));
    image = builder.CreatePtrAdd(image, distance);
  }
  for (unsigned i = 0; i < told; ++i) {
    coordinates[i] = all->getType()->isVectorTy() ? builder.CreateExtractElement(all, i) : all;
    if (i >= checked) continue;
    llvm::Value *one = isInside(builder, access, image, i, coordinates[i]);
    isRight = isRight ? builder.CreateAnd(isRight, one) : one;
  }
  llvm::Value *isWrong = builder.CreateNot(isRight);
  if (access.hasSampler) {
    llvm::Value *mode = builder.CreateAnd(builder.CreateLShr(access.samplerBits(builder), 1), 7);
    isWrong = builder.CreateAnd(isWrong, builder.CreateIsNull(mode));
  }
  if (auto *certain = llvm::dyn_cast<llvm::ConstantInt>(isWrong); certain && certain->isZero()) return;
  llvm::MDNode *unlikely = llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
  llvm::Instruction *then =
      llvm::SplitBlockAndInsertIfThen(isWrong, access.call->getIterator(), /*Unreachable=*/false, unlikely);
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(access.call->getDebugLoc());
  llvm::json::Object site = sourceSite(*access.call);
  site["operation"] = access.isWrite ? "write" : "read";
  site["type"] = typeText(*coordinates[0]->getType(), true);
  site["coordinates"] = int64_t(told);
  site["layers"] = access.kind->hasLayers;
  site["level"] = access.level() != nullptr;
  llvm::Value *second = builder.CreateShl(bitsOf(builder, coordinates[1]), 32);
  llvm::Value *third = bitsOf(builder, coordinates[2]);
  if (access.level()) third = builder.CreateOr(third, builder.CreateShl(bitsOf(builder, access.level()), 32));
  createCheckFailed(builder, abi::CheckKind::Image, std::move(site),
                    {builder.CreateOr(bitsOf(builder, coordinates[0]), second), third,
                     builder.CreatePtrToInt(image, builder.getInt64Ty())});
}

} // namespace

llvm::PreservedAnalyses CheckImages::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Memory))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<PixelAccess, 8> accesses;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (std::optional<PixelAccess> access = pixelAccess(instruction)) accesses.push_back(*access);
  for (const PixelAccess &access : accesses) check(access);
  return accesses.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
