// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, as calls of the functions that Clang calls for OpenCL C's, and pipes in memory of the program (PipeStorage).
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/opaque_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

constexpr OpaqueCall kCalls[] = {
    {spv::Op::OpReadPipe, "__read_pipe_2", "pmnn", 'i'},
    {spv::Op::OpWritePipe, "__write_pipe_2", "pmnn", 'i'},
    {spv::Op::OpReservedReadPipe, "__read_pipe_4", "prnmnn", 'i'},
    {spv::Op::OpReservedWritePipe, "__write_pipe_4", "prnmnn", 'i'},
    {spv::Op::OpReserveReadPipePackets, "__reserve_read_pipe", "pnnn", 'r'},
    {spv::Op::OpReserveWritePipePackets, "__reserve_write_pipe", "pnnn", 'r'},
    {spv::Op::OpCommitReadPipe, "__commit_read_pipe", "prnn", 'v'},
    {spv::Op::OpCommitWritePipe, "__commit_write_pipe", "prnn", 'v'},
    {spv::Op::OpIsValidReserveId, "_Z19is_valid_reserve_id13ocl_reserveid", "r", 'b'},
    {spv::Op::OpGetNumPipePackets, "__get_pipe_num_packets_", "pnn", 'i'},
    {spv::Op::OpGetMaxPipePackets, "__get_pipe_max_packets_", "pnn", 'i'},
    {spv::Op::OpGroupReserveReadPipePackets, "_group_reserve_read_pipe", "spnnn", 'r'},
    {spv::Op::OpGroupReserveWritePipePackets, "_group_reserve_write_pipe", "spnnn", 'r'},
    {spv::Op::OpGroupCommitReadPipe, "_group_commit_read_pipe", "sprnn", 'v'},
    {spv::Op::OpGroupCommitWritePipe, "_group_commit_write_pipe", "sprnn", 'v'},
};

Result callPipe(FunctionTranslation &f, const Instruction &in, uint32_t call) {
  return callOpaque(f, in, kCalls[call]);
}

/// A pipe of the program: either end may be made of its memory.
Result pipeOfStorage(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Pipe)) return failAt(in, "gives the type " + typeName(*type));
  US_TRY(const Value storage, f.operand(in, 0));
  if (!storage.type->is(TypeKind::PipeStorage)) return failOperand(in, 0, *storage.type, "a pipe's storage");
  return callSymbol(f, in, std::string("__us_pipe_of_storage_") + accessEnding(*type), type->llvm, {storage.llvm});
}

} // namespace

std::span<const InstructionRow> pipeRows() {
  static const std::vector<InstructionRow> *const rows = [] {
    auto *all = new std::vector<InstructionRow>{{spv::Op::OpCreatePipeFromPipeStorage, pipeOfStorage}};
    for (uint32_t call = 0; call < std::size(kCalls); ++call) all->push_back({kCalls[call].opcode, callPipe, call});
    return all;
  }();
  return *rows;
}

} // namespace us::frontend::spirv
