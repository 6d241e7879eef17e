// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/device_runtime.h"

#include "runtime/device/device_functions.h"

#include <algorithm>

namespace us::frontend::ptx {
namespace {

/// As bits of a parameter: a dim3 in 12 bytes.
constexpr uint32_t kDim3 = 96;

/// What goes out through a parameter that is a pointer.
struct Output {
  uint32_t parameter, offset, bits;
};

struct Row {
  std::string_view name;
  DeviceFunction function;
  uint32_t result; ///< bits
  std::vector<uint32_t> parameters;
  std::vector<Output> outputs = {};
};

/// Names and parameters as the C++ programming guide has them.
const std::vector<Row> &rows() {
  using enum DeviceFunction;
  static const auto &table = *new std::vector<Row>{
      {"cudaGetParameterBuffer", GetParameterBuffer, 64, {64, 64}},
      {"cudaGetParameterBufferV2", GetParameterBufferV2, 64, {64, kDim3, kDim3, 32}},
      {"cudaLaunchDevice", LaunchDevice, 32, {64, 64, kDim3, kDim3, 32, 64}},
      {"cudaLaunchDeviceV2", LaunchDeviceV2, 32, {64, 64}},
      {"cudaGetLastError", GetLastError, 32, {}},
      {"cudaPeekAtLastError", PeekAtLastError, 32, {}},
      {"cudaGetErrorString", GetErrorString, 64, {32}},
      {"cudaGetErrorName", GetErrorName, 64, {32}},
      {"cudaGetDeviceCount", GetDeviceCount, 32, {64}, {{0, 0, 32}}},
      {"cudaGetDevice", GetDevice, 32, {64}, {{0, 0, 32}}},
      {"cudaDeviceGetAttribute", DeviceGetAttribute, 32, {64, 32, 32}, {{0, 0, 32}}},
      {"cudaDeviceGetLimit", DeviceGetLimit, 32, {64, 32}, {{0, 0, 64}}},
      {"cudaRuntimeGetVersion", RuntimeGetVersion, 32, {64}, {{0, 0, 32}}},
      {"cudaStreamCreateWithFlags", StreamCreate, 32, {64, 32}, {{0, 0, 64}}},
      {"cudaStreamDestroy", StreamDestroy, 32, {64}},
      {"cudaStreamWaitEvent", StreamWaitEvent, 32, {64, 64, 32}},
      {"cudaEventCreateWithFlags", EventCreate, 32, {64, 32}, {{0, 0, 64}}},
      {"cudaEventRecord", EventRecord, 32, {64, 64}},
      {"cudaEventDestroy", EventDestroy, 32, {64}},
      {"cudaFuncGetAttributes",
       FuncGetAttributes,
       32,
       {64, 64},
       {{0, 0, 64},
        {0, 8, 64},
        {0, 16, 64},
        {0, 24, 32},
        {0, 28, 32},
        {0, 32, 32},
        {0, 36, 32},
        {0, 40, 32},
        {0, 44, 32},
        {0, 48, 32}}},
      {"cudaMemcpyAsync", Memcpy, 32, {64, 64, 64, 32, 64}},
      {"cudaMemcpy2DAsync", Memcpy2D, 32, {64, 64, 64, 64, 64, 64, 32, 64}},
      {"cudaMemsetAsync", Memset, 32, {64, 32, 64, 64}},
      {"cudaMemset2DAsync", Memset2D, 32, {64, 64, 32, 64, 64, 64}},
      {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", MaxActiveBlocks, 32, {64, 64, 32, 64}, {{0, 0, 32}}},
      {"cudaDeviceSynchronize", DeviceSynchronize, 32, {}},
  };
  return table;
}

/// nvcc of CUDA 12 and later calls the same functions by other names.
std::string documentedName(std::string_view name) {
  constexpr std::string_view kOther = "__cudaCDP2";
  return name.starts_with(kOther) ? "cuda" + std::string(name.substr(kOther.size())) : std::string(name);
}

const Row *rowOf(std::string_view name) {
  const auto found = std::ranges::find(rows(), documentedName(name), &Row::name);
  return found == rows().end() ? nullptr : &*found;
}

bool fits(const Variable &variable, uint32_t bits) {
  if (bits == kDim3) return variable.isArray && sizeOf(variable) == bits / 8;
  return !variable.isArray && variable.lanes == 1 && !variable.type->isFloat() && variable.type->bits == bits;
}

bool fits(const FunctionText &callee, const Row &row) {
  if (callee.results.size() != 1 || !fits(callee.results[0], row.result) ||
      callee.parameters.size() != row.parameters.size())
    return false;
  for (size_t i = 0; i < row.parameters.size(); ++i)
    if (!fits(callee.parameters[i], row.parameters[i])) return false;
  return true;
}

/// The number of the thread in its grid.
llvm::Value *thread(FunctionTranslation &f) {
  llvm::Type *word = f.builder.getInt64Ty();
  llvm::Value *number = nullptr;
  for (uint32_t i = 3; i-- > 0;) {
    llvm::Value *id = f.callMachine("us.global_id", word, {f.builder.getInt32(i)});
    number = number
                 ? f.builder.CreateAdd(
                       f.builder.CreateMul(number, f.callMachine("us.global_size", word, {f.builder.getInt32(i)})), id)
                 : id;
  }
  return number;
}

class Call {
public:
  Call(FunctionTranslation &f) : f_(f), words_(llvm::ArrayType::get(word(), sizeof(DeviceCall) / sizeof(uint64_t))) {
    request_ = f.temporary(words_);
    put(thread(f));
  }

  void put(llvm::Value *value) { f_.builder.CreateStore(f_.builder.CreateZExt(value, word()), place(used_++)); }
  void put(llvm::Value *value, uint32_t bits) {
    if (bits != kDim3) return put(value);
    for (uint32_t i = 0; i < 3; ++i)
      put(f_.builder.CreateAlignedLoad(
          f_.builder.getInt32Ty(), f_.builder.CreateConstGEP1_64(f_.builder.getInt32Ty(), value, i), llvm::Align(4)));
  }
  llvm::Value *make(DeviceFunction function) {
    return f_.callMachine("us.device_call", word(), {f_.builder.getInt32(uint32_t(function)), request_});
  }
  llvm::Value *output(uint32_t number, uint32_t bits) {
    return f_.builder.CreateTrunc(f_.builder.CreateLoad(word(), place(1 + number)), f_.builder.getIntNTy(bits));
  }

private:
  llvm::Type *word() { return f_.builder.getInt64Ty(); }
  llvm::Value *place(uint32_t number) { return f_.builder.CreateConstGEP2_64(words_, request_, 0, number); }

  FunctionTranslation &f_;
  llvm::Type *words_;
  llvm::AllocaInst *request_;
  uint32_t used_ = 0;
};

} // namespace

bool isDeviceRuntime(std::string_view name) { return rowOf(name); }

Expected<void> callDeviceRuntime(FunctionTranslation &f, const FunctionText &callee,
                                 llvm::ArrayRef<llvm::Value *> arguments) {
  const Row &row = *rowOf(callee.name);
  if (!fits(callee, row))
    return failAt(callee.place, "'" + std::string(callee.name) + "' is declared otherwise than this device has it");
  Call call(f);
  for (size_t i = 0; i < row.parameters.size(); ++i) call.put(arguments[i + 1], row.parameters[i]);
  llvm::Value *result = f.builder.CreateTrunc(call.make(row.function), f.builder.getIntNTy(row.result));
  f.builder.CreateStore(result, arguments[0]);
  if (row.outputs.empty()) return {};

  // What a call gives is written by the kernel itself, whose pointer it is.
  auto *good = llvm::BasicBlock::Create(f.module.context, "good", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "done", &f.function);
  f.builder.CreateCondBr(f.builder.CreateICmpEQ(result, f.builder.getIntN(row.result, 0)), good, done);
  f.builder.SetInsertPoint(good);
  for (uint32_t i = 0; i < row.outputs.size(); ++i) {
    const Output &output = row.outputs[i];
    llvm::Value *address = f.builder.CreateAdd(arguments[1 + output.parameter], f.builder.getInt64(output.offset));
    f.builder.CreateAlignedStore(call.output(i, output.bits),
                                 f.builder.CreateIntToPtr(address, f.builder.getPtrTy(kGeneric)),
                                 llvm::Align(output.bits / 8));
  }
  f.builder.CreateBr(done);
  f.builder.SetInsertPoint(done);
  return {};
}

} // namespace us::frontend::ptx
