// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/type_names.h"

#include <bit>

namespace us::frontend::spirv {
namespace {

std::string scalarName(const Type &type, Sign sign) {
  constexpr const char *kIntegers[] = {"char", "short", "int", "long"};
  constexpr const char *kFloats[] = {"half", "float", "double"};
  if (type.is(TypeKind::Bool)) return "bool";
  const unsigned place = std::bit_width(type.width) - 4;
  if (type.is(TypeKind::Float)) return kFloats[place - 1];
  return (sign == Sign::Unsigned ? "u" : "") + std::string(kIntegers[place]);
}

std::string scalarCode(const Type &type, Sign sign) {
  constexpr const char *kIntegers[][2] = {{"c", "h"}, {"s", "t"}, {"i", "j"}, {"l", "m"}};
  constexpr const char *kFloats[] = {"Dh", "f", "d"};
  if (type.is(TypeKind::Bool)) return "b";
  const unsigned place = std::bit_width(type.width) - 4;
  if (type.is(TypeKind::Float)) return kFloats[place - 1];
  return kIntegers[place][sign == Sign::Unsigned];
}

/// "image2d_array_depth", without "_t" and access.
std::string imageName(const ImageFacts &image) {
  constexpr const char *kDimensions[] = {"1d", "2d", "3d"};
  std::string name = "image";
  if (spv::Dim(image.dimension) == spv::Dim::Buffer) return name + "1d_buffer";
  name += image.dimension < std::size(kDimensions) ? kDimensions[image.dimension] : "2d";
  if (image.arrayed) name += "_array";
  if (image.multisampled) name += "_msaa";
  if (image.depth) name += "_depth";
  return name;
}

std::string sourceName(const std::string &name) { return std::to_string(name.size()) + name; }

/// Writes types and remembers what later ones may refer back to.
class Mangler {
public:
  std::string text;

  void add(const MangledArgument &argument) {
    if (!argument.encoding.empty())
      candidate(std::string(argument.encoding), argument.encoding.size() > 1);
    else
      type(*argument.type, argument.sign, argument.constPointee);
  }

private:
  /// The type written in full, without references back: what identifies it.
  static std::string full(const Type &type, Sign sign, bool constPointee) {
    switch (type.kind) {
    case TypeKind::Vector:
      return "Dv" + std::to_string(type.count) + "_" + full(*type.element, sign, false);
    case TypeKind::Pointer:
      return "P" + qualifiers(type, constPointee) + full(*type.element, sign, false);
    case TypeKind::Event:
      return "9ocl_event";
    case TypeKind::Sampler:
      return "11ocl_sampler";
    case TypeKind::Image: {
      constexpr const char *kAccess[] = {"_ro", "_wo", "_rw"};
      return sourceName("ocl_" + imageName(type.image) + (type.image.access < 3 ? kAccess[type.image.access] : "_ro"));
    }
    case TypeKind::Struct:
      return sourceName(type.name.starts_with("struct.") ? type.name.substr(7) : type.name);
    case TypeKind::Void:
      return "v";
    default:
      return scalarCode(type, sign);
    }
  }

  static std::string qualifiers(const Type &pointer, bool isConst) {
    const unsigned space = pointer.llvm->getPointerAddressSpace();
    return (space == 0 ? "" : "U3AS" + std::to_string(space)) + (isConst ? "K" : "");
  }

  void type(const Type &type, Sign sign, bool constPointee) {
    const std::string whole = full(type, sign, constPointee);
    if (refersBack(whole)) return;
    if (type.is(TypeKind::Vector)) {
      text += "Dv" + std::to_string(type.count) + "_";
      this->type(*type.element, sign, false);
    } else if (type.is(TypeKind::Pointer)) {
      text += "P";
      const std::string pointee = qualifiers(type, constPointee);
      const std::string qualified = pointee + full(*type.element, sign, false);
      if (pointee.empty() || !refersBack(qualified)) {
        text += pointee;
        this->type(*type.element, sign, false);
        if (!pointee.empty()) remember(qualified);
      }
    } else {
      text += whole;
    }
    const bool isBuiltin =
        type.is(TypeKind::Void) || type.is(TypeKind::Bool) || type.is(TypeKind::Integer) || type.is(TypeKind::Float);
    if (!isBuiltin) remember(whole);
  }

  void candidate(const std::string &whole, bool substitutable) {
    if (refersBack(whole)) return;
    text += whole;
    if (substitutable) remember(whole);
  }

  bool refersBack(const std::string &whole) {
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] != whole) continue;
      constexpr const char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
      text += "S";
      if (i > 0) text += kDigits[(i - 1) % 36];
      text += "_";
      return true;
    }
    return false;
  }

  void remember(const std::string &whole) { seen_.push_back(whole); }

  std::vector<std::string> seen_;
};

} // namespace

std::string typeName(const Type &type, Sign sign) {
  switch (type.kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Bool:
  case TypeKind::Integer:
  case TypeKind::Float:
    return scalarName(type, sign);
  case TypeKind::Vector:
    return scalarName(*type.element, sign) + std::to_string(type.count);
  case TypeKind::Pointer:
    return (type.element && !type.element->is(TypeKind::Pointer) ? typeName(*type.element, sign) : "void*") +
           std::string("*");
  case TypeKind::Event:
    return "event_t";
  case TypeKind::Sampler:
    return "sampler_t";
  case TypeKind::Image:
    return imageName(type.image) + "_t";
  case TypeKind::Pipe:
    return "pipe";
  case TypeKind::ReserveId:
    return "reserve_id_t";
  case TypeKind::Queue:
    return "queue_t";
  case TypeKind::DeviceEvent:
    return "clk_event_t";
  case TypeKind::Struct:
    return type.name.starts_with("struct.") ? type.name.substr(7) : type.name.empty() ? "struct" : type.name;
  default:
    return type.name.empty() ? "opaque" : type.name;
  }
}

std::string baseTypeName(const Type &type) {
  if (type.is(TypeKind::Pointer) && type.element && !type.element->is(TypeKind::Pointer))
    return baseTypeName(*type.element) + "*";
  if (type.is(TypeKind::Vector))
    return scalarName(*type.element, Sign::Signed) + " __attribute__((ext_vector_type(" + std::to_string(type.count) +
           ")))";
  return typeName(type);
}

std::string mangledName(std::string_view function, std::span<const MangledArgument> arguments) {
  Mangler mangler;
  mangler.text = "_Z" + std::to_string(function.size()) + std::string(function);
  for (const MangledArgument &argument : arguments) mangler.add(argument);
  if (arguments.empty()) mangler.text += "v";
  return mangler.text;
}

} // namespace us::frontend::spirv
