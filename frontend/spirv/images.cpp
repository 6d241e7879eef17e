// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images: OpenCL C's functions by the image's type. SPIR-V's integers have no sign: where the module does not say which
// of read_imagei and read_imageui is meant, the image's format decides when the kernel runs.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

Expected<Value> imageAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value image, f.operand(in, place));
  if (!image.type->is(TypeKind::Image)) return failOperand(in, place, *image.type, "an image");
  return image;
}

/// Elements of a coordinate as OpenCL C takes it: three are passed as four.
Expected<Value> coordinateAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value coordinate, f.operand(in, place));
  const bool isNumber = coordinate.type->isIntegers() || coordinate.type->isFloats();
  if (!isNumber || coordinate.type->scalar().width != 32)
    return failOperand(in, place, *coordinate.type, "coordinates of 32 bits");
  if (coordinate.type->lanes() != 3) return coordinate;
  Type *four = f.module.vectorOf(*coordinate.type->element, 4);
  constexpr int kPlaces[] = {0, 1, 2, -1};
  return Value{f.builder.CreateShuffleVector(coordinate.llvm, kPlaces), four};
}

/// What the function's name ends with for values of this type: "f", "h", "i"; "" if there is none.
const char *endingFor(const Type &type) {
  const Type &scalar = type.scalar();
  if (scalar.is(TypeKind::Integer)) return scalar.width == 32 ? "i" : "";
  if (!scalar.is(TypeKind::Float)) return "";
  return scalar.width == 32 ? "f" : scalar.width == 16 ? "h" : "";
}

enum class Known : uint8_t { Signed, Unsigned, Neither };

struct ImageOperands {
  Known known = Known::Neither;
  std::vector<Value> level; ///< of a mipmap: nothing (the first), a number, or two gradients
};

/// The word of image operands at this place, and what follows it.
Expected<ImageOperands> imageOperands(FunctionTranslation &f, const Instruction &in, size_t place) {
  ImageOperands found;
  if (in.operands.size() <= place) return found;
  const uint32_t bits = in.operands[place];
  const auto has = [&](spv::ImageOperandsMask mask) { return (bits & uint32_t(mask)) != 0; };
  const uint32_t known = uint32_t(spv::ImageOperandsMask::Lod) | uint32_t(spv::ImageOperandsMask::Grad) |
                         uint32_t(spv::ImageOperandsMask::SignExtend) | uint32_t(spv::ImageOperandsMask::ZeroExtend) |
                         uint32_t(spv::ImageOperandsMask::Nontemporal); // a hint
  if (bits & ~known) return failAt(in, "has image operands that kernels do not have");
  const bool hasLevel = has(spv::ImageOperandsMask::Lod), hasGradients = has(spv::ImageOperandsMask::Grad);
  if (hasLevel && hasGradients) return failAt(in, "has both a level of detail and gradients");
  if (hasLevel) {
    US_TRY(const Value level, f.operand(in, place + 1));
    auto *constant = llvm::dyn_cast<llvm::Constant>(level.llvm);
    if (!constant || !constant->isZeroValue()) found.level = {level};
  } else if (hasGradients) {
    US_TRY(const Value x, coordinateAt(f, in, place + 1));
    US_TRY(const Value y, coordinateAt(f, in, place + 2));
    found.level = {x, y};
  }
  const std::vector<std::string> &offered = f.module.facts.extensions;
  if (!found.level.empty() && std::ranges::find(offered, "cl_khr_mipmap_image") == offered.end())
    return failAt(in, "takes a level of a mipmap, which the device does not have");
  for (const Value &one : found.level)
    if (one.type->scalar().width != 32) return failAt(in, "has a level of detail of type " + typeName(*one.type));
  if (has(spv::ImageOperandsMask::ZeroExtend))
    found.known = Known::Unsigned;
  else if (has(spv::ImageOperandsMask::SignExtend))
    found.known = Known::Signed;
  return found;
}

/// A call of read_imageX or write_imageX. Integers of unknown sign go through a function of our own that looks at the
/// image's format.
Result access(FunctionTranslation &f, const Instruction &in, const std::string &name, const Type &texel, Known known,
              llvm::Type *result, const std::vector<BuiltinArgument> &arguments) {
  const std::string ending = endingFor(texel);
  if (ending.empty()) return failAt(in, "has a texel of type " + typeName(texel));
  auto argumentsAs = [&](Sign sign) {
    std::vector<BuiltinArgument> all = arguments;
    if (result->isVoidTy()) all.back().mangled.sign = sign; // the texel to write
    return all;
  };
  if (ending != "i") return callBuiltin(f, in, name + ending, result, arguments);
  if (known == Known::Signed) return callBuiltin(f, in, name + "i", result, argumentsAs(Sign::Signed));
  if (known == Known::Unsigned) return callBuiltin(f, in, name + "ui", result, argumentsAs(Sign::Unsigned));

  std::vector<MangledArgument> mangled;
  std::vector<llvm::Type *> types;
  std::vector<llvm::Value *> values;
  for (const BuiltinArgument &argument : arguments) {
    mangled.push_back(argument.mangled);
    types.push_back(argument.value->getType());
    values.push_back(argument.value);
  }
  const std::string symbol = "il." + mangledName(name, mangled);
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::Function *chooser = f.module.module.getFunction(symbol);
  if (!chooser) {
    chooser = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, symbol, f.module.module);
    chooser->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    chooser->addFnAttr(llvm::Attribute::Convergent);
    chooser->addFnAttr(llvm::Attribute::AlwaysInline);
    chooser->setDoesNotThrow();
    FunctionTranslation inside(f.module, *chooser);
    auto &b = inside.builder;
    auto *entry = llvm::BasicBlock::Create(f.module.context, "", chooser);
    auto *isSigned = llvm::BasicBlock::Create(f.module.context, "", chooser);
    auto *isUnsigned = llvm::BasicBlock::Create(f.module.context, "", chooser);
    auto passed = [&](Sign sign) {
      std::vector<BuiltinArgument> all = argumentsAs(sign);
      for (size_t i = 0; i < all.size(); ++i) all[i].value = chooser->getArg(unsigned(i));
      return all;
    };
    b.SetInsertPoint(entry);
    const BuiltinArgument image = passed(Sign::Signed)[0];
    US_TRY(llvm::Value * format, callBuiltin(inside, in, "get_image_channel_data_type", b.getInt32Ty(), {&image, 1}));
    // CLK_UNSIGNED_INT8, _INT16, _INT32.
    constexpr uint32_t kFirstUnsigned = 0x10DA;
    b.CreateCondBr(b.CreateICmpULT(b.CreateSub(format, b.getInt32(kFirstUnsigned)), b.getInt32(3)), isUnsigned,
                   isSigned);
    for (const auto &[block, sign, last] :
         {std::tuple(isSigned, Sign::Signed, "i"), std::tuple(isUnsigned, Sign::Unsigned, "ui")}) {
      b.SetInsertPoint(block);
      US_TRY(llvm::Value * value, callBuiltin(inside, in, name + last, result, passed(sign)));
      if (result->isVoidTy())
        b.CreateRetVoid();
      else
        b.CreateRet(value);
    }
  }
  if (chooser->getFunctionType() != type) return failAt(in, "reads images of one type in two ways");
  llvm::CallInst *call = f.builder.CreateCall(chooser, values);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setAttributes(chooser->getAttributes());
  return call;
}

/// Reads a texel: a vector of four, of which a depth image fills the first.
Result readTexel(FunctionTranslation &f, const Instruction &in, const Type &image, Known known,
                 const std::vector<BuiltinArgument> &arguments) {
  US_TRY(const Type *type, f.resultType(in));
  const bool isScalar = type->lanes() == 1;
  if (!isScalar && type->lanes() != 4) return failAt(in, "gives the type " + typeName(*type));
  if (isScalar != image.image.depth && isScalar) return failAt(in, "gives one number of an image of colours");
  if (!image.image.depth) return access(f, in, "read_image", *type, known, type->llvm, arguments);
  if (!type->isFloats()) return failAt(in, "reads the depth as " + typeName(*type));
  US_TRY(llvm::Value * depth, access(f, in, "read_image", *type, known, type->scalar().llvm, arguments));
  if (isScalar) return depth;
  return f.builder.CreateInsertElement(llvm::Constant::getNullValue(type->llvm), depth, uint64_t(0));
}

/// OpSampledImage: no value of kernel IR, but two.
Result sampledImage(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Value sampler, f.operand(in, 1));
  if (!sampler.type->is(TypeKind::Sampler)) return failOperand(in, 1, *sampler.type, "a sampler");
  if (!type->is(TypeKind::SampledImage) || type->element->llvm != image.type->llvm)
    return failAt(in, "gives the type " + typeName(*type));
  f.sampledImages[in.result] = {image, sampler};
  return nullptr;
}

Expected<SampledImage> sampledAt(FunctionTranslation &f, const Instruction &in) {
  const auto found = f.sampledImages.find(in.operands[0]);
  if (found == f.sampledImages.end()) return failAt(in, "does not take an image with its sampler");
  return found->second;
}

Result sample(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const SampledImage sampled, sampledAt(f, in));
  US_TRY(const Value coordinate, coordinateAt(f, in, 1));
  US_TRY(const ImageOperands operands, imageOperands(f, in, 2));
  std::vector<BuiltinArgument> arguments = {argumentOf(sampled.image), argumentOf(sampled.sampler),
                                            argumentOf(coordinate)};
  for (const Value &level : operands.level) {
    if (!level.type->isFloats() || !coordinate.type->isFloats())
      return failAt(in, "reads a level of a mipmap by integers");
    arguments.push_back(argumentOf(level));
  }
  return readTexel(f, in, *sampled.image.type, operands.known, arguments);
}

Result imageOf(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const SampledImage sampled, sampledAt(f, in));
  return sampled.image.llvm;
}

/// The number of a level, of an access to a pixel.
Expected<void> addLevel(const Instruction &in, const ImageOperands &operands, std::vector<BuiltinArgument> &arguments) {
  if (operands.level.empty()) return {};
  if (operands.level.size() != 1 || !operands.level[0].type->is(TypeKind::Integer))
    return failAt(in, "names a level of a mipmap by what is no integer");
  arguments.push_back(argumentOf(operands.level[0]));
  return {};
}

Result read(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Value coordinate, coordinateAt(f, in, 1));
  US_TRY(const ImageOperands operands, imageOperands(f, in, 2));
  std::vector<BuiltinArgument> arguments = {argumentOf(image), argumentOf(coordinate)};
  US_CHECK(addLevel(in, operands, arguments));
  return readTexel(f, in, *image.type, operands.known, arguments);
}

Result write(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Value coordinate, coordinateAt(f, in, 1));
  US_TRY(Value texel, f.operand(in, 2));
  US_TRY(const ImageOperands operands, imageOperands(f, in, 3));
  if (image.type->image.depth && texel.type->is(TypeKind::Vector))
    texel = {f.builder.CreateExtractElement(texel.llvm, uint64_t(0)), texel.type->element};
  if (!image.type->image.depth && texel.type->lanes() != 4) return failOperand(in, 2, *texel.type, "four numbers");
  std::vector<BuiltinArgument> arguments = {argumentOf(image), argumentOf(coordinate)};
  US_CHECK(addLevel(in, operands, arguments));
  arguments.push_back(argumentOf(texel));
  return access(f, in, "write_image", *texel.type, operands.known, f.builder.getVoidTy(), arguments);
}

/// Width, height, depth and the number of layers, as far as the image has them. `hasLevel`: of which level, stands
/// there.
Result size(FunctionTranslation &f, const Instruction &in, uint32_t hasLevel) {
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Type *type, f.resultType(in));
  const ImageFacts &facts = image.type->image;
  std::vector<const char *> parts = {"width"};
  if (spv::Dim(facts.dimension) == spv::Dim::Dim2D || spv::Dim(facts.dimension) == spv::Dim::Dim3D)
    parts.push_back("height");
  if (spv::Dim(facts.dimension) == spv::Dim::Dim3D) parts.push_back("depth");
  if (facts.arrayed) parts.push_back("array_size");
  if (!type->isIntegers() || type->lanes() < parts.size()) return failAt(in, "gives the type " + typeName(*type));
  llvm::Value *level = nullptr;
  if (hasLevel) {
    US_TRY(const Value given, f.operand(in, 1));
    if (!given.type->is(TypeKind::Integer)) return failOperand(in, 1, *given.type, "an integer");
    auto *constant = llvm::dyn_cast<llvm::Constant>(given.llvm);
    if (!constant || !constant->isZeroValue()) // no image has as many levels as a size has bits
      level = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                              f.builder.CreateZExtOrTrunc(given.llvm, f.builder.getInt32Ty()),
                                              f.builder.getInt32(31));
  }
  llvm::Value *made = llvm::Constant::getNullValue(type->llvm);
  for (size_t i = 0; i < parts.size(); ++i) {
    const BuiltinArgument argument = argumentOf(image);
    const bool isSize = std::string_view(parts[i]) == "array_size";
    US_TRY(llvm::Value * part, callBuiltin(f, in, "get_image_" + std::string(parts[i]),
                                           f.builder.getIntNTy(isSize ? 64 : 32), {&argument, 1}));
    // Each level is half as large as the one before, and at least a pixel; layers stay.
    if (level && !isSize)
      part = f.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, f.builder.CreateLShr(part, level),
                                             f.builder.getInt32(1));
    part = f.builder.CreateZExtOrTrunc(part, type->scalar().llvm);
    made = type->is(TypeKind::Vector) ? f.builder.CreateInsertElement(made, part, uint64_t(i)) : part;
  }
  return made;
}

constexpr uint32_t kDataType = 0, kOrder = 1;

/// `detail`: which. SPIR-V numbers both from 0, OpenCL C from CLK_SNORM_INT8 and CLK_R on.
Result query(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  const BuiltinArgument argument = argumentOf(image);
  US_TRY(llvm::Value * number,
         callBuiltin(f, in, detail == kOrder ? "get_image_channel_order" : "get_image_channel_data_type",
                     f.builder.getInt32Ty(), {&argument, 1}));
  number = f.builder.CreateSub(number, f.builder.getInt32(detail == kOrder ? 0x10B0 : 0x10D0));
  return f.builder.CreateZExtOrTrunc(number, type->llvm);
}

Result levels(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value image, imageAt(f, in, 0));
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  const BuiltinArgument argument = argumentOf(image);
  US_TRY(llvm::Value * number, callBuiltin(f, in, "get_image_num_mip_levels", f.builder.getInt32Ty(), {&argument, 1}));
  return f.builder.CreateZExtOrTrunc(number, type->llvm);
}

constexpr InstructionRow kImageRows[] = {
    {spv::Op::OpSampledImage, sampledImage},
    {spv::Op::OpImageSampleExplicitLod, sample},
    {spv::Op::OpImageRead, read},
    {spv::Op::OpImageWrite, write},
    {spv::Op::OpImage, imageOf},
    {spv::Op::OpImageQuerySizeLod, size, true},
    {spv::Op::OpImageQuerySize, size, false},
    {spv::Op::OpImageQueryLevels, levels},
    {spv::Op::OpImageQueryFormat, query, kDataType},
    {spv::Op::OpImageQueryOrder, query, kOrder},
};

} // namespace

std::span<const InstructionRow> imageRows() { return kImageRows; }

} // namespace us::frontend::spirv
