// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, as calls of the functions that Clang calls for OpenCL C's, and pipes in memory of the program (PipeStorage).
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// Operands of an instruction, one letter each: p a pipe, r a reservation, n a number, m memory for a packet, s the
/// scope of a group, which the function's name says. What the instruction gives: i a number, r a reservation, b a
/// boolean, v nothing. A function whose name ends with '_' has two forms, for pipes that are read and pipes that are
/// written.
struct PipeFunction {
  spv::Op opcode;
  const char *symbol, *operands;
  char result;
};
constexpr PipeFunction kFunctions[] = {
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

const PipeFunction &functionFor(spv::Op opcode) {
  for (const PipeFunction &function : kFunctions)
    if (function.opcode == opcode) return function;
  return kFunctions[0]; // every row below is of the table above
}

/// "__work" or "__sub": what the names of a group's functions begin with.
Expected<const char *> groupOf(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const uint64_t scope, f.number(in, place));
  if (spv::Scope(scope) == spv::Scope::Workgroup) return "__work";
  if (spv::Scope(scope) == spv::Scope::Subgroup) return "__sub";
  return failAt(in, "is of neither a work-group nor a sub-group");
}

Result opaqueAt(FunctionTranslation &f, const Instruction &in, size_t place, TypeKind kind, const char *wanted) {
  US_TRY(const Value value, f.operand(in, place));
  if (!value.type->is(kind)) return failOperand(in, place, *value.type, wanted);
  return value.llvm;
}

Result packetAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value pointer, pointerAt(f, in, place));
  constexpr unsigned kGeneric = 4;
  if (pointer.llvm->getType()->getPointerAddressSpace() == kGeneric) return pointer.llvm;
  return f.builder.CreateAddrSpaceCast(pointer.llvm, f.builder.getPtrTy(kGeneric));
}

const char *accessEnding(const Type &pipe) {
  return spv::AccessQualifier(pipe.pipeAccess) == spv::AccessQualifier::WriteOnly ? "wo" : "ro";
}

Result callPipeFunction(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const PipeFunction &row = functionFor(in.opcode);
  std::string symbol = row.symbol;
  std::vector<llvm::Value *> arguments;
  for (size_t i = 0; row.operands[i] != '\0'; ++i) {
    llvm::Value *argument = nullptr;
    switch (row.operands[i]) {
    case 's': {
      US_TRY(const std::string begin, groupOf(f, in, i));
      symbol = begin + symbol;
      continue;
    }
    case 'p': {
      US_TRY(const Value pipe, f.operand(in, i));
      if (!pipe.type->is(TypeKind::Pipe)) return failOperand(in, i, *pipe.type, "a pipe");
      if (symbol.ends_with('_')) symbol += accessEnding(*pipe.type);
      argument = pipe.llvm;
      break;
    }
    case 'r': {
      US_TRY(argument, opaqueAt(f, in, i, TypeKind::ReserveId, "a reservation"));
      break;
    }
    case 'm': {
      US_TRY(argument, packetAt(f, in, i));
      break;
    }
    default: {
      US_TRY(argument, integerAs(f, in, i, 32));
    }
    }
    arguments.push_back(argument);
  }
  llvm::Type *const result = row.result == 'v'   ? f.builder.getVoidTy()
                             : row.result == 'b' ? f.builder.getInt1Ty()
                             : row.result == 'r' ? llvm::TargetExtType::get(f.module.context, "spirv.ReserveId")
                                                 : static_cast<llvm::Type *>(f.builder.getInt32Ty());
  return callSymbol(f, in, symbol, result, arguments);
}

/// A pipe of the program: either end may be made of its memory.
Result pipeOfStorage(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Pipe)) return failAt(in, "gives the type " + typeName(*type));
  US_TRY(llvm::Value * storage, opaqueAt(f, in, 0, TypeKind::PipeStorage, "a pipe's storage"));
  return callSymbol(f, in, std::string("__us_pipe_of_storage_") + accessEnding(*type), type->llvm, {storage});
}

constexpr InstructionRow kRows[] = {
    {spv::Op::OpReadPipe, callPipeFunction},
    {spv::Op::OpWritePipe, callPipeFunction},
    {spv::Op::OpReservedReadPipe, callPipeFunction},
    {spv::Op::OpReservedWritePipe, callPipeFunction},
    {spv::Op::OpReserveReadPipePackets, callPipeFunction},
    {spv::Op::OpReserveWritePipePackets, callPipeFunction},
    {spv::Op::OpCommitReadPipe, callPipeFunction},
    {spv::Op::OpCommitWritePipe, callPipeFunction},
    {spv::Op::OpIsValidReserveId, callPipeFunction},
    {spv::Op::OpGetNumPipePackets, callPipeFunction},
    {spv::Op::OpGetMaxPipePackets, callPipeFunction},
    {spv::Op::OpGroupReserveReadPipePackets, callPipeFunction},
    {spv::Op::OpGroupReserveWritePipePackets, callPipeFunction},
    {spv::Op::OpGroupCommitReadPipe, callPipeFunction},
    {spv::Op::OpGroupCommitWritePipe, callPipeFunction},
    {spv::Op::OpCreatePipeFromPipeStorage, pipeOfStorage},
};

} // namespace

std::span<const InstructionRow> pipeRows() { return kRows; }

} // namespace us::frontend::spirv
