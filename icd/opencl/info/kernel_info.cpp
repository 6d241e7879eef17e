// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo, clGetKernelSubGroupInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/kernel.h"
#include "runtime/device/driver_answers.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

constexpr InfoRow<ClKernel> kKernelRows[] = {
    {CL_KERNEL_FUNCTION_NAME, [](auto &k, InfoWriter &w) { return w.putString(k.core->name()); }},
    {CL_KERNEL_NUM_ARGS, [](auto &k, InfoWriter &w) { return w.put<cl_uint>(k.core->info().arguments.size()); }},
    {CL_KERNEL_REFERENCE_COUNT, [](auto &k, InfoWriter &w) { return w.put<cl_uint>(k.applicationCount()); }},
    {CL_KERNEL_CONTEXT, [](auto &k, InfoWriter &w) { return w.put<cl_context>(k.program->context->handle()); }},
    {CL_KERNEL_PROGRAM, [](auto &k, InfoWriter &w) { return w.put<cl_program>(k.program->handle()); }},
    // "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the string returned from
    // this query will be empty."
    {CL_KERNEL_ATTRIBUTES,
     [](auto &k, InfoWriter &w) {
       const bool fromBinary = k.core->program().origin() == core::ProgramOrigin::Binary;
       return w.putString(fromBinary ? std::string() : k.core->info().attributes);
     }},
};

cl_kernel_arg_address_qualifier addressOf(ArgumentKind kind) {
  // Images and pipes lie in global memory, samplers and values are private.
  constexpr cl_kernel_arg_address_qualifier kAddress[] = {
      CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT,
      CL_KERNEL_ARG_ADDRESS_LOCAL,   CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_PRIVATE,
      CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_PRIVATE,
  };
  return kAddress[static_cast<size_t>(kind)];
}

cl_kernel_arg_access_qualifier accessOf(AccessQualifier access) {
  constexpr cl_kernel_arg_access_qualifier kAccess[] = {CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY,
                                                        CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
                                                        CL_KERNEL_ARG_ACCESS_READ_WRITE};
  return kAccess[static_cast<size_t>(access)];
}

// TypeQualifier has the bits of cl_kernel_arg_type_qualifier.
static_assert(kTypeConst == CL_KERNEL_ARG_TYPE_CONST && kTypeRestrict == CL_KERNEL_ARG_TYPE_RESTRICT &&
              kTypeVolatile == CL_KERNEL_ARG_TYPE_VOLATILE && kTypePipe == CL_KERNEL_ARG_TYPE_PIPE);

constexpr InfoRow<const ArgumentInfo> kArgumentRows[] = {
    {CL_KERNEL_ARG_ADDRESS_QUALIFIER,
     [](auto &a, InfoWriter &w) { return w.put<cl_kernel_arg_address_qualifier>(addressOf(a.kind)); }},
    {CL_KERNEL_ARG_ACCESS_QUALIFIER,
     [](auto &a, InfoWriter &w) { return w.put<cl_kernel_arg_access_qualifier>(accessOf(a.access)); }},
    {CL_KERNEL_ARG_TYPE_QUALIFIER,
     [](auto &a, InfoWriter &w) { return w.put<cl_kernel_arg_type_qualifier>(a.typeQualifiers); }},
    {CL_KERNEL_ARG_TYPE_NAME, [](auto &a, InfoWriter &w) { return w.putString(a.typeName); }},
    {CL_KERNEL_ARG_NAME, [](auto &a, InfoWriter &w) { return w.putString(a.name); }},
};

/// A kernel on one device, and the input of the query.
struct OnDevice {
  ClKernel &kernel;
  ClDevice &device;
  const KernelInfo &info;
  const void *input = nullptr;
  size_t inputSize = 0;
};

Expected<void> putSize3(InfoWriter &w, const Size3 &size) {
  size_t values[3] = {size[0], size[1], size[2]};
  return w.putArray<size_t>(values);
}

constexpr InfoRow<const OnDevice> kWorkGroupRows[] = {
    {CL_KERNEL_WORK_GROUP_SIZE,
     [](auto &k, InfoWriter &w) {
       // A required size is also the largest: no other can be enqueued.
       const Size3 &required = k.info.requiredWorkGroupSize;
       const uint64_t most = k.info.largestWorkGroup ? k.info.largestWorkGroup : k.device.info().maxWorkGroupSize;
       return w.put<size_t>(required[0] ? required[0] * required[1] * required[2] : most);
     }},
    {CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
     [](auto &k, InfoWriter &w) { return putSize3(w, k.info.requiredWorkGroupSize); }},
    {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](auto &k, InfoWriter &w) {
       return w.put<size_t>(k.info.preferredMultiple ? k.info.preferredMultiple
                                                     : k.device.info().preferredWorkGroupSizeMultiple);
     }},
    // "This includes ... local memory ... for which the arguments are currently set."
    {CL_KERNEL_LOCAL_MEM_SIZE,
     [](auto &k, InfoWriter &w) -> Expected<void> {
       US_TRY(uint64_t bytes, k.kernel.core->localMemoryOn(*k.device.device));
       return w.put<cl_ulong>(bytes);
     }},
    {CL_KERNEL_PRIVATE_MEM_SIZE, [](auto &k, InfoWriter &w) { return w.put<cl_ulong>(k.info.privateMemory); }},
    {CL_KERNEL_SPILL_MEM_SIZE_INTEL, [](auto &, InfoWriter &w) { return w.put<cl_ulong>(0); }}, // we know of none
    // "CL_INVALID_VALUE if param_name is CL_KERNEL_GLOBAL_WORK_SIZE and kernel is not a built-in kernel."
    {CL_KERNEL_GLOBAL_WORK_SIZE,
     [](auto &, InfoWriter &) -> Expected<void> {
       return fail(ErrorCode::InvalidValue, "only built-in kernels and custom devices have a largest global size");
     }},
};

/// Sub-groups are runs of this many work-items.
uint64_t subGroupSize(const OnDevice &k) {
  return k.info.requiredSubGroupSize ? k.info.requiredSubGroupSize : k.device.info().subGroupSize;
}

/// The work-items of the local size in the query's input: an array of one to three sizes.
Expected<uint64_t> inputWorkItems(const OnDevice &k) {
  // "CL_INVALID_VALUE if param_name is CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ... and the size in bytes specified by
  // input_value_size is not valid or if input_value is NULL."
  size_t dimensions = k.inputSize / sizeof(size_t);
  if (!k.input || k.inputSize % sizeof(size_t) || dimensions < 1 || dimensions > k.device.info().maxWorkItemDimensions)
    return fail(ErrorCode::InvalidValue, icd::format("a local size of {} bytes at {}", k.inputSize, k.input));
  uint64_t items = 1;
  for (size_t i = 0; i < dimensions; ++i) items *= static_cast<const size_t *>(k.input)[i];
  return items;
}

Expected<void> putMaxSubGroupSize(const OnDevice &k, InfoWriter &w) {
  US_TRY(uint64_t items, inputWorkItems(k));
  return w.put<size_t>(std::min(items, subGroupSize(k)));
}

Expected<void> putSubGroupCount(const OnDevice &k, InfoWriter &w) {
  US_TRY(uint64_t items, inputWorkItems(k));
  return w.put<size_t>((items + subGroupSize(k) - 1) / subGroupSize(k));
}

Expected<void> putLocalSizeForCount(const OnDevice &k, InfoWriter &w) {
  if (!k.input || k.inputSize != sizeof(size_t))
    return fail(ErrorCode::InvalidValue, icd::format("a sub-group count of {} bytes at {}", k.inputSize, k.input));
  // The answer has as many dimensions as there is room for.
  size_t dimensions = w.value() ? w.size() / sizeof(size_t) : 1;
  if (dimensions < 1 || w.size() % sizeof(size_t) != 0)
    return fail(ErrorCode::InvalidValue, icd::format("room of {} bytes for a local size", w.size()));
  dimensions = std::min<size_t>(dimensions, k.device.info().maxWorkItemDimensions);
  size_t count = *static_cast<const size_t *>(k.input), items = count * subGroupSize(k);
  // "If there is no work-group size that can accommodate the requested number of sub-groups, 0 will be returned in each
  // element of the return array."
  bool possible = count > 0 && count <= k.device.info().maxWorkGroupSize / subGroupSize(k) &&
                  items <= k.device.info().maxWorkItemSizes[0];
  const Size3 &required = k.info.requiredWorkGroupSize;
  if (required[0] && (required[0] != items || required[1] != 1 || required[2] != 1)) possible = false;
  size_t size[3] = {possible ? items : 0, possible ? size_t(1) : 0, possible ? size_t(1) : 0};
  return w.putArray<size_t>({size, dimensions});
}

Expected<void> putMaxSubGroups(const OnDevice &k, InfoWriter &w) {
  return w.put<size_t>((k.device.info().maxWorkGroupSize + subGroupSize(k) - 1) / subGroupSize(k));
}

constexpr InfoRow<const OnDevice> kSubGroupRows[] = {
    {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, putMaxSubGroupSize},
    {CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, putSubGroupCount},
    {CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, putLocalSizeForCount},
    {CL_KERNEL_MAX_NUM_SUB_GROUPS, putMaxSubGroups},
    // "If the sub-group count is not specified using the above attribute then 0 is returned."
    {CL_KERNEL_COMPILE_NUM_SUB_GROUPS, [](auto &, InfoWriter &w) { return w.put<size_t>(0); }},
    // "Returns the required sub-group size specified in the program source", 0 if there is none.
    {CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
     [](auto &k, InfoWriter &w) { return w.put<size_t>(k.info.requiredSubGroupSize); }},
};

} // namespace

// clGetKernelInfo
Expected<void> getKernelInfo(cl_kernel handle, cl_kernel_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_KERNEL if kernel is a not a valid kernel object."
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  return icd::answer(kKernelRows, kernel, name, size, value, sizeReturned);
}

// clGetKernelArgInfo
Expected<void> getKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size, void *value,
                                size_t *sizeReturned) {
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  const KernelInfo &info = kernel.core->info();
  // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
  if (index >= info.arguments.size())
    return fail(ErrorCode::InvalidArgIndex, icd::format("argument {} of {}", index, info.arguments.size()));
  // "CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel."
  if (!info.hasArgumentNames)
    return fail(ErrorCode::KernelArgInfoNotAvailable, "the program was built without -cl-kernel-arg-info");
  return icd::answer(kArgumentRows, info.arguments[index], name, size, value, sizeReturned);
}

// clGetKernelWorkGroupInfo
Expected<void> getKernelWorkGroupInfo(cl_kernel handle, cl_device_id deviceHandle, cl_kernel_work_group_info name,
                                      size_t size, void *value, size_t *sizeReturned) {
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  US_TRY(ClDevice & device, deviceOfKernel(kernel, deviceHandle));
  US_TRY(Ref<DeviceKernel> compiled, kernel.core->on(*device.device));
  const OnDevice subject{kernel, device, compiled->info()};
  return icd::answer(kWorkGroupRows, subject, name, size, value, sizeReturned);
}

// clGetKernelSubGroupInfo
Expected<void> getKernelSubGroupInfo(cl_kernel handle, cl_device_id deviceHandle, cl_kernel_sub_group_info name,
                                     size_t inputSize, const void *input, size_t size, void *value,
                                     size_t *sizeReturned) {
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  US_TRY(ClDevice & device, deviceOfKernel(kernel, deviceHandle));
  // "CL_INVALID_OPERATION if device does not support sub-groups."
  if (device.info().maxSubGroups == 0) return fail(ErrorCode::InvalidOperation, "the device has no sub-groups");
  US_TRY(Ref<DeviceKernel> compiled, kernel.core->on(*device.device));
  if (const auto *const driver = dynamic_cast<const DriverAnswers *>(compiled.get())) {
    const std::span given(static_cast<const std::byte *>(input), input ? inputSize : 0);
    US_TRY(const size_t needed, driver->answer(name, given, value, size));
    if (sizeReturned) *sizeReturned = needed;
    return {};
  }
  const OnDevice subject{kernel, device, compiled->info(), input, inputSize};
  return icd::answer(kSubGroupRows, subject, name, size, value, sizeReturned);
}

// clGetKernelSubGroupInfoKHR
Expected<void> getKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                        size_t inputSize, const void *input, size_t size, void *value,
                                        size_t *sizeReturned) {
  return getKernelSubGroupInfo(kernel, device, name, inputSize, input, size, value, sizeReturned);
}

} // namespace us::opencl
