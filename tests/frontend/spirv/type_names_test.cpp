// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mangled names, against what Clang 19 writes for the same declarations.
#include "frontend/spirv/type_names.h"

#include <llvm/IR/LLVMContext.h>

#include <gtest/gtest.h>

namespace us::frontend::spirv {
namespace {

struct MangledNames : testing::Test {
  llvm::LLVMContext context;
  Type half{.kind = TypeKind::Float, .width = 16, .size = 2};
  Type single{.kind = TypeKind::Float, .width = 32, .size = 4};
  Type integer{.kind = TypeKind::Integer, .width = 32, .size = 4};
  Type byte{.kind = TypeKind::Integer, .width = 8, .size = 1};
  Type float4{.kind = TypeKind::Vector, .count = 4, .element = &single, .size = 16};
  Type event{.kind = TypeKind::Event, .size = 8};

  Type pointerTo(const Type &element, unsigned space) {
    Type pointer{.kind = TypeKind::Pointer, .element = &element};
    pointer.llvm = llvm::PointerType::get(context, space);
    pointer.size = 8;
    return pointer;
  }
  std::string name(std::string_view function, std::vector<MangledArgument> arguments) {
    return mangledName(function, arguments);
  }
};

TEST_F(MangledNames, scalars) {
  EXPECT_EQ("_Z12get_work_dimv", name("get_work_dim", {}));
  EXPECT_EQ("_Z3maxij", name("max", {{&integer, Sign::Signed}, {&integer, Sign::Unsigned}}));
  EXPECT_EQ("_Z3absh", name("abs", {{&byte, Sign::Unsigned}}));
  EXPECT_EQ("_Z3fmaDhDhDh", name("fma", {{&half}, {&half}, {&half}}));
}

TEST_F(MangledNames, vectorsReferBack) {
  EXPECT_EQ("_Z4fmaxDv4_fS_", name("fmax", {{&float4}, {&float4}}));
  EXPECT_EQ("_Z4fmaxDv4_ff", name("fmax", {{&float4}, {&single}}));
}

TEST_F(MangledNames, pointersReferBack) {
  const Type global = pointerTo(float4, 1), constant = pointerTo(float4, 1), local = pointerTo(float4, 3);
  const Type own = pointerTo(integer, 0);
  EXPECT_EQ("_Z5fractDv4_fPU3AS1S_", name("fract", {{&float4}, {&global}}));
  EXPECT_EQ("_Z6vload4mPU3AS1KDv4_f",
            name("vload4", {{nullptr, Sign::Signed, false, "m"}, {&constant, Sign::Signed, true}}));
  EXPECT_EQ("_Z5frexpfPi", name("frexp", {{&single}, {&own}}));
  EXPECT_EQ("_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event",
            name("async_work_group_copy",
                 {{&local}, {&global, Sign::Signed, true}, {nullptr, Sign::Signed, false, "m"}, {&event}}));
}

TEST_F(MangledNames, enumerations) {
  EXPECT_EQ("_Z22atomic_work_item_fencej12memory_order12memory_scope",
            name("atomic_work_item_fence", {{nullptr, Sign::Signed, false, "j"},
                                            {nullptr, Sign::Signed, false, "12memory_order"},
                                            {nullptr, Sign::Signed, false, "12memory_scope"}}));
}

TEST_F(MangledNames, namesOfTypes) {
  const Type global = pointerTo(float4, 1);
  EXPECT_EQ("float4*", typeName(global));
  EXPECT_EQ("float __attribute__((ext_vector_type(4)))*", baseTypeName(global));
  EXPECT_EQ("uchar", typeName(byte, Sign::Unsigned));
}

} // namespace
} // namespace us::frontend::spirv
