// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/global_ids.h"

namespace us::frontend::ptx {
namespace {

llvm::Value *query(FunctionTranslation &f, const char *name, unsigned dimension) {
  return f.callMachine(name, f.builder.getInt64Ty(), {f.builder.getInt32(dimension)});
}

/// The thread's number in its block, dimension x fastest.
llvm::Value *linearId(FunctionTranslation &f) {
  llvm::Value *rows = f.builder.CreateAdd(f.builder.CreateMul(query(f, "us.local_id", 2), query(f, "us.local_size", 1)),
                                          query(f, "us.local_id", 1));
  return f.builder.CreateTrunc(
      f.builder.CreateAdd(f.builder.CreateMul(rows, query(f, "us.local_size", 0)), query(f, "us.local_id", 0)),
      f.builder.getInt32Ty());
}
llvm::Value *laneId(FunctionTranslation &f) { return f.builder.CreateAnd(linearId(f), f.builder.getInt32(31)); }
llvm::Value *warpId(FunctionTranslation &f) { return f.builder.CreateLShr(linearId(f), f.builder.getInt32(5)); }
llvm::Value *warpCount(FunctionTranslation &f) {
  llvm::Value *threads = f.builder.CreateMul(
      f.builder.CreateMul(query(f, "us.local_size", 0), query(f, "us.local_size", 1)), query(f, "us.local_size", 2));
  llvm::Value *count =
      f.builder.CreateLShr(f.builder.CreateAdd(threads, f.builder.getInt64(31)), f.builder.getInt64(5));
  return f.builder.CreateTrunc(count, f.builder.getInt32Ty());
}
llvm::Value *zero32(FunctionTranslation &f) { return f.builder.getInt32(0); }
llvm::Value *one32(FunctionTranslation &f) { return f.builder.getInt32(1); }
llvm::Value *zero64(FunctionTranslation &f) { return f.builder.getInt64(0); }
llvm::Value *laneMaskEqual(FunctionTranslation &f) { return f.builder.CreateShl(f.builder.getInt32(1), laneId(f)); }
llvm::Value *laneMaskLess(FunctionTranslation &f) {
  return f.builder.CreateSub(laneMaskEqual(f), f.builder.getInt32(1));
}
llvm::Value *laneMaskGreaterEqual(FunctionTranslation &f) {
  return f.builder.CreateShl(f.builder.getInt32(~0u), laneId(f));
}
llvm::Value *laneMaskLessEqual(FunctionTranslation &f) { return f.builder.CreateOr(laneMaskLess(f), laneMaskEqual(f)); }
llvm::Value *laneMaskGreater(FunctionTranslation &f) { return f.builder.CreateNot(laneMaskLessEqual(f)); }
llvm::Value *clockValue(FunctionTranslation &f) { return f.callMachine("us.clock", f.builder.getInt64Ty(), {}); }
llvm::Value *clockLow(FunctionTranslation &f) { return f.builder.CreateTrunc(clockValue(f), f.builder.getInt32Ty()); }
llvm::Value *clockHigh(FunctionTranslation &f) {
  return f.builder.CreateTrunc(f.builder.CreateLShr(clockValue(f), f.builder.getInt64(32)), f.builder.getInt32Ty());
}
llvm::Value *launchNumber(FunctionTranslation &f, const char *name) {
  return f.callMachine(name, f.builder.getInt64Ty(), {});
}
llvm::Value *sharedSize(FunctionTranslation &f) {
  return f.builder.CreateTrunc(launchNumber(f, "us.local_memory"), f.builder.getInt32Ty());
}
llvm::Value *dynamicSharedSize(FunctionTranslation &f) {
  return f.builder.CreateTrunc(launchNumber(f, "us.dynamic_local_memory"), f.builder.getInt32Ty());
}
// "The semantics of these registers are defined by the driver": ours says where the launch's workspace is.
llvm::Value *workspaceLow(FunctionTranslation &f) {
  return f.builder.CreateTrunc(launchNumber(f, "us.grid_workspace"), f.builder.getInt32Ty());
}
llvm::Value *workspaceHigh(FunctionTranslation &f) {
  return f.builder.CreateTrunc(f.builder.CreateLShr(launchNumber(f, "us.grid_workspace"), f.builder.getInt64(32)),
                               f.builder.getInt32Ty());
}

// The blocks of a cluster are neighbours in the grid; dimension x of its ranks is fastest.
llvm::Value *clusterId(FunctionTranslation &f, unsigned dimension) {
  return f.builder.CreateUDiv(query(f, "us.group_id", dimension), query(f, "us.cluster_size", dimension));
}
llvm::Value *clusterCount(FunctionTranslation &f, unsigned dimension) {
  return f.builder.CreateUDiv(query(f, "us.num_groups", dimension), query(f, "us.cluster_size", dimension));
}
llvm::Value *idInCluster(FunctionTranslation &f, unsigned dimension) {
  return f.builder.CreateURem(query(f, "us.group_id", dimension), query(f, "us.cluster_size", dimension));
}
llvm::Value *rankInCluster(FunctionTranslation &f) {
  llvm::Value *rows =
      f.builder.CreateAdd(f.builder.CreateMul(idInCluster(f, 2), query(f, "us.cluster_size", 1)), idInCluster(f, 1));
  llvm::Value *rank = f.builder.CreateAdd(f.builder.CreateMul(rows, query(f, "us.cluster_size", 0)), idInCluster(f, 0));
  return f.builder.CreateTrunc(rank, f.builder.getInt32Ty());
}
llvm::Value *blocksOfCluster(FunctionTranslation &f) {
  llvm::Value *blocks = f.builder.CreateMul(query(f, "us.cluster_size", 0), query(f, "us.cluster_size", 1));
  return f.builder.CreateTrunc(f.builder.CreateMul(blocks, query(f, "us.cluster_size", 2)), f.builder.getInt32Ty());
}
llvm::Value *isClustered(FunctionTranslation &f) {
  llvm::Value *said = f.callMachine("us.is_clustered", f.builder.getInt32Ty(), {});
  return f.builder.CreateICmpNE(said, f.builder.getInt32(0));
}

struct SpecialQueryRow {
  std::string_view name, type;
  const char *function;
};
constexpr SpecialQueryRow kSpecialQueries[] = {
#define US_PTX_QUERY(name, type, function) {"%" #name, #type, function},
#define US_PTX_DIMENSIONS(...)
#define US_PTX_REGISTER(...)
#include "frontend/ptx/special_registers.def"
#undef US_PTX_QUERY
#undef US_PTX_DIMENSIONS
#undef US_PTX_REGISTER
    {kGlobalId, "u32", "us.global_id"},
};

struct SpecialRegisterRow {
  std::string_view name, type;
  llvm::Value *(*make)(FunctionTranslation &function);
};
constexpr SpecialRegisterRow kRegisters[] = {
#define US_PTX_QUERY(...)
#define US_PTX_DIMENSIONS(...)
#define US_PTX_REGISTER(name, type, function) {"%" #name, #type, function},
#include "frontend/ptx/special_registers.def"
#undef US_PTX_QUERY
#undef US_PTX_DIMENSIONS
#undef US_PTX_REGISTER
};

struct SpecialDimensionsRow {
  std::string_view name, type;
  llvm::Value *(*make)(FunctionTranslation &function, unsigned dimension);
};
constexpr SpecialDimensionsRow kDimensionsRows[] = {
#define US_PTX_QUERY(...)
#define US_PTX_DIMENSIONS(name, type, function) {"%" #name, #type, function},
#define US_PTX_REGISTER(...)
#include "frontend/ptx/special_registers.def"
#undef US_PTX_QUERY
#undef US_PTX_DIMENSIONS
#undef US_PTX_REGISTER
};

} // namespace

Expected<llvm::Value *> readSpecialRegister(FunctionTranslation &function, const Operand &operand, Type &type) {
  constexpr std::string_view kDimensions = "xyz";
  const size_t dimension = operand.component.size() == 1 ? kDimensions.find(operand.component[0]) : kDimensions.npos;
  for (const SpecialDimensionsRow &row : kDimensionsRows) {
    if (row.name != operand.name) continue;
    if (dimension == kDimensions.npos) return failAt(operand.place, std::string(row.name) + " is read as .x, .y or .z");
    type = typeNamed(row.type);
    return function.builder.CreateTrunc(row.make(function, unsigned(dimension)), function.llvmType(type));
  }
  for (const SpecialQueryRow &row : kSpecialQueries) {
    if (row.name != operand.name) continue;
    if (dimension == kDimensions.npos) return failAt(operand.place, std::string(row.name) + " is read as .x, .y or .z");
    type = typeNamed(row.type);
    return function.builder.CreateTrunc(query(function, row.function, unsigned(dimension)), function.llvmType(type));
  }
  for (const SpecialRegisterRow &row : kRegisters) {
    if (row.name != operand.name || !operand.component.empty()) continue;
    type = typeNamed(row.type);
    return row.make(function);
  }
  return nullptr;
}

} // namespace us::frontend::ptx
