// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/types.h"

namespace us::frontend::ptx {
namespace {

constexpr ScalarType kTypes[] = {
    {"pred", TypeClass::Predicate, 1}, {"b8", TypeClass::Bits, 8},        {"b16", TypeClass::Bits, 16},
    {"b32", TypeClass::Bits, 32},      {"b64", TypeClass::Bits, 64},      {"b128", TypeClass::Bits, 128},
    {"u8", TypeClass::Unsigned, 8},    {"u16", TypeClass::Unsigned, 16},  {"u32", TypeClass::Unsigned, 32},
    {"u64", TypeClass::Unsigned, 64},  {"s8", TypeClass::Signed, 8},      {"s16", TypeClass::Signed, 16},
    {"s32", TypeClass::Signed, 32},    {"s64", TypeClass::Signed, 64},    {"f16", TypeClass::Float, 16},
    {"f32", TypeClass::Float, 32},     {"f64", TypeClass::Float, 64},     {"bf16", TypeClass::BrainFloat, 16},
    {"f16x2", TypeClass::Packed, 32},  {"bf16x2", TypeClass::Packed, 32}, {"u16x2", TypeClass::Packed, 32},
    {"s16x2", TypeClass::Packed, 32},  {"f32x2", TypeClass::Packed, 64}};

} // namespace

std::unexpected<Error> failAt(Place place, const std::string &message) {
  return fail(ErrorCode::BuildProgramFailure,
              "<ptx>:" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + message);
}

Type typeNamed(std::string_view name) {
  for (const ScalarType &type : kTypes)
    if (type.name == name) return &type;
  return nullptr;
}

Type typeOf(TypeClass kind, uint32_t bits) {
  for (const ScalarType &type : kTypes)
    if (type.kind == kind && type.bits == bits) return &type;
  return nullptr;
}

bool agrees(Type instruction, Type reg, bool relaxed) {
  if (instruction->kind == TypeClass::Predicate || reg->kind == TypeClass::Predicate) return instruction == reg;
  if (relaxed && reg->bits > instruction->bits) return !reg->isFloat() || !instruction->isFloat();
  if (reg->bits != instruction->bits) return false;
  if (instruction->kind == TypeClass::Bits || reg->kind == TypeClass::Bits) return true;
  return instruction->isInteger() ? reg->isInteger() : instruction == reg;
}

} // namespace us::frontend::ptx
