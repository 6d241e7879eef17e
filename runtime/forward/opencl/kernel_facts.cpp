// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/kernel_facts.h"

#include "runtime/base/align.h"
#include "runtime/forward/loader/driver_text.h"

#include <algorithm>
#include <bit>
#include <string>

namespace us::forward {
namespace {

class KernelQuestions {
public:
  KernelQuestions(const RealDevice &device, cl_kernel kernel) : device_(device), kernel_(kernel) {}

  template <class T> T number(cl_kernel_info what) const {
    T value{};
    device_.call().clGetKernelInfo(kernel_, what, sizeof value, &value, nullptr);
    return value;
  }
  std::string text(cl_kernel_info what) const {
    return textFrom([&](size_t size, void *into, size_t *needed) {
      return device_.call().clGetKernelInfo(kernel_, what, size, into, needed);
    });
  }
  template <class T> T onDevice(cl_kernel_work_group_info what) const {
    T value{};
    device_.call().clGetKernelWorkGroupInfo(kernel_, device_.id(), what, sizeof value, &value, nullptr);
    return value;
  }
  template <class T> bool argument(cl_uint index, cl_kernel_arg_info what, T &value) const {
    return device_.call().clGetKernelArgInfo(kernel_, index, what, sizeof value, &value, nullptr) == CL_SUCCESS;
  }
  std::string argumentText(cl_uint index, cl_kernel_arg_info what) const {
    return textFrom([&](size_t size, void *into, size_t *needed) {
      return device_.call().clGetKernelArgInfo(kernel_, index, what, size, into, needed);
    });
  }
  bool accepts(cl_uint index, size_t size, const void *value) const {
    return device_.call().clSetKernelArg(kernel_, index, size, value) == CL_SUCCESS;
  }

  /// With a buffer of its own, which the kernel does not keep.
  bool acceptsBuffer(cl_uint index) const {
    cl_int status = CL_SUCCESS;
    const cl_mem buffer = device_.call().clCreateBuffer(device_.context(), 0, sizeof(cl_mem), nullptr, &status);
    if (status != CL_SUCCESS) return false;
    const bool does = accepts(index, sizeof buffer, &buffer);
    accepts(index, sizeof(cl_mem), nullptr);
    device_.call().clReleaseMemObject(buffer);
    return does;
  }

private:
  const RealDevice &device_;
  const cl_kernel kernel_;
};

/// Of a value: the largest size that the driver accepts. Some take a vector of three also with the size of three; one
/// that takes any size does not know. 0: it does not tell.
uint32_t acceptedSize(const KernelQuestions &ask, cl_uint index) {
  constexpr size_t kLargest = 4352; // of all arguments together, on the devices that have most room for them
  static constexpr std::byte kZeros[kLargest]{};
  if (ask.accepts(index, kLargest, kZeros) && ask.accepts(index, 1, kZeros)) return 0;
  for (size_t size = kLargest; size > 0; --size)
    if (ask.accepts(index, size, kZeros)) return static_cast<uint32_t>(size);
  return 0;
}

/// "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value", which for a value NULL is; "If the argument is
/// declared with the local qualifier, the arg_value entry must be NULL", and its size is any; of a buffer it "can be a
/// NULL value" and the size that of an object. NVIDIA's driver looks at no size where the value is NULL.
ArgumentKind acceptedKind(const KernelQuestions &ask, cl_uint index) {
  if (!ask.accepts(index, sizeof(cl_mem), nullptr)) return ArgumentKind::Value;
  if (!ask.accepts(index, 2 * sizeof(cl_mem), nullptr)) return ArgumentKind::GlobalPointer;
  return ask.acceptsBuffer(index) ? ArgumentKind::GlobalPointer : ArgumentKind::LocalPointer;
}

/// What clGetKernelArgInfo adds, where it answers.
void addNames(const KernelQuestions &ask, cl_uint index, ArgumentInfo &argument) {
  cl_kernel_arg_address_qualifier address = 0;
  if (!ask.argument(index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, address)) return;
  if (argument.kind == ArgumentKind::GlobalPointer && address == CL_KERNEL_ARG_ADDRESS_CONSTANT)
    argument.kind = ArgumentKind::ConstantPointer;
  cl_kernel_arg_type_qualifier qualifiers = 0;
  if (ask.argument(index, CL_KERNEL_ARG_TYPE_QUALIFIER, qualifiers))
    argument.typeQualifiers = static_cast<uint8_t>(qualifiers);
  argument.written = argument.kind != ArgumentKind::ConstantPointer && !(argument.typeQualifiers & kTypeConst);
  argument.typeName = ask.argumentText(index, CL_KERNEL_ARG_TYPE_NAME);
  argument.name = ask.argumentText(index, CL_KERNEL_ARG_NAME);
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  if (ask.argument(index, CL_KERNEL_ARG_ACCESS_QUALIFIER, access) && access != CL_KERNEL_ARG_ACCESS_NONE)
    argument.kind = ArgumentKind::Image;
  if (argument.typeName == "sampler_t") argument.kind = ArgumentKind::Sampler;
}

Expected<void> askForArguments(const KernelQuestions &ask, cl_uint count, KernelInfo &info) {
  for (cl_uint index = 0; index < count; ++index) {
    ArgumentInfo argument;
    argument.kind = acceptedKind(ask, index);
    argument.size = sizeof(cl_mem);
    addNames(ask, index, argument);
    if (argument.kind == ArgumentKind::Value) {
      argument.size = acceptedSize(ask, index);
      if (argument.size == 0)
        return fail(ErrorCode::InvalidKernelDefinition, "the driver does not tell what argument " +
                                                            std::to_string(index) + " of kernel " + info.name + " is");
      // Images and samplers are handles to drivers, and some look at none when they are set.
      argument.maybeObject = argument.size == sizeof(cl_mem) && argument.typeName.empty();
    }
    argument.alignment = std::min(std::bit_floor(argument.size), 16u);
    argument.pointeeAlignment = argument.kind == ArgumentKind::LocalPointer ? 128 : 1; // of any type
    info.argumentBlockSize = alignTo(info.argumentBlockSize, std::max(argument.alignment, 8u));
    argument.offset = info.argumentBlockSize;
    info.argumentBlockSize += argument.size;
    info.arguments.push_back(std::move(argument));
  }
  info.hasArgumentNames = count > 0 && !info.arguments.front().name.empty();
  return {};
}

} // namespace

Expected<KernelInfo> kernelFacts(const RealDevice &device, cl_kernel kernel, const KernelInfo *described) {
  const KernelQuestions ask(device, kernel);
  KernelInfo info;
  info.name = ask.text(CL_KERNEL_FUNCTION_NAME);
  const auto count = ask.number<cl_uint>(CL_KERNEL_NUM_ARGS);
  if (described && described->arguments.size() == count) {
    info.arguments = described->arguments;
    info.argumentBlockSize = described->argumentBlockSize;
    info.hasArgumentNames = described->hasArgumentNames;
    info.workGroupSizeHint = described->workGroupSizeHint;
    info.usesPrintf = described->usesPrintf;
    info.usesAtomics = described->usesAtomics;
  } else {
    US_CHECK(askForArguments(ask, count, info));
  }
  info.attributes = ask.text(CL_KERNEL_ATTRIBUTES);
  const auto required = ask.onDevice<std::array<size_t, 3>>(CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  for (size_t i = 0; i < 3; ++i) info.requiredWorkGroupSize[i] = required[i];
  info.largestWorkGroup = ask.onDevice<size_t>(CL_KERNEL_WORK_GROUP_SIZE);
  info.preferredMultiple = ask.onDevice<size_t>(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  info.localMemory = ask.onDevice<cl_ulong>(CL_KERNEL_LOCAL_MEM_SIZE);
  info.privateMemory = ask.onDevice<cl_ulong>(CL_KERNEL_PRIVATE_MEM_SIZE);
  info.usesLocalMemory = info.localMemory != 0;
  return info;
}

} // namespace us::forward
