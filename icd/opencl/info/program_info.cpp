// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetProgramInfo, clGetProgramBuildInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/info/handles.h"
#include "icd/opencl/program.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

Expected<void> putBinarySizes(ClProgram &program, InfoWriter &writer) {
  std::vector<size_t> sizes;
  for (const Ref<ClDevice> &device : program.devices) {
    // "If no binary is available for any specific device, 0 is returned for that device": before a build, too.
    US_TRY(std::vector<std::byte> binary, program.core->binaryFor(*device->device));
    sizes.push_back(binary.size());
  }
  return writer.putArray<size_t>(sizes);
}

/// CL_PROGRAM_BINARIES: the caller gives an array of pointers, and memory behind each that is not NULL.
Expected<void> putBinaries(ClProgram &program, InfoWriter &writer) {
  size_t needed = program.devices.size() * sizeof(unsigned char *);
  if (writer.value() && writer.size() < needed)
    return fail(ErrorCode::InvalidValue, icd::format("{} binaries need {} bytes of pointers, room was given for {}",
                                                     program.devices.size(), needed, writer.size()));
  writer.returnSize(needed);
  if (!writer.value()) return {};
  auto **into = static_cast<unsigned char **>(writer.value());
  for (const Ref<ClDevice> &device : program.devices) {
    // "If an entry value in the array is NULL, the implementation skips copying the program binary for the specific
    // device".
    if (unsigned char *place = *into++) {
      US_TRY(std::vector<std::byte> binary, program.core->binaryFor(*device->device));
      if (!binary.empty()) std::memcpy(place, binary.data(), binary.size());
    }
  }
  return {};
}

Expected<void> putKernelCount(ClProgram &program, InfoWriter &writer) {
  // "CL_INVALID_PROGRAM_EXECUTABLE if param_name is CL_PROGRAM_NUM_KERNELS ... and a successful program executable has
  // not been built for at least one device in the list of devices associated with program."
  US_TRY(std::vector<std::string> names, program.core->kernelNames());
  return writer.put<size_t>(names.size());
}

Expected<void> putKernelNames(ClProgram &program, InfoWriter &writer) {
  US_TRY(std::vector<std::string> names, program.core->kernelNames());
  std::string joined; // "Returns a semi-colon separated list of kernel names"
  for (const std::string &name : names) joined += (joined.empty() ? "" : ";") + name;
  return writer.putString(joined);
}

constexpr InfoRow<ClProgram> kProgramRows[] = {
    {CL_PROGRAM_REFERENCE_COUNT, [](auto &p, InfoWriter &w) { return w.put<cl_uint>(p.applicationCount()); }},
    {CL_PROGRAM_CONTEXT, [](auto &p, InfoWriter &w) { return w.put<cl_context>(p.context->handle()); }},
    {CL_PROGRAM_NUM_DEVICES, [](auto &p, InfoWriter &w) { return w.put<cl_uint>(p.devices.size()); }},
    {CL_PROGRAM_DEVICES,
     [](auto &p, InfoWriter &w) { return w.template putArray<cl_device_id>(handlesOf(p.devices)); }},
    // "If program is created using clCreateProgramWithBinary ... a null string or the appropriate program source code
    // is returned".
    {CL_PROGRAM_SOURCE, [](auto &p, InfoWriter &w) { return w.putString(p.core->source()); }},
    // "If program is created with clCreateProgramWithSource ... the memory pointed to by param_value will be unchanged
    // and param_value_size_ret will be set to zero."
    {CL_PROGRAM_IL, [](auto &p, InfoWriter &w) { return w.template putArray<std::byte>(p.core->il()); }},
    {CL_PROGRAM_BINARY_SIZES, putBinarySizes},
    {CL_PROGRAM_BINARIES, putBinaries},
    {CL_PROGRAM_NUM_KERNELS, putKernelCount},
    {CL_PROGRAM_KERNEL_NAMES, putKernelNames},
    // "Returns CL_FALSE if no devices in the context associated with program support program initialization and
    // clean-up kernels."
    {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, [](auto &, InfoWriter &w) { return w.put<cl_bool>(CL_FALSE); }},
    {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, [](auto &, InfoWriter &w) { return w.put<cl_bool>(CL_FALSE); }},
};

cl_build_status statusOf(core::BuildStatus status) {
  constexpr cl_build_status kStatus[] = {CL_BUILD_NONE, CL_BUILD_IN_PROGRESS, CL_BUILD_SUCCESS, CL_BUILD_ERROR};
  return kStatus[static_cast<size_t>(status)];
}

cl_program_binary_type binaryTypeOf(ProgramKind kind) {
  constexpr cl_program_binary_type kTypes[] = {CL_PROGRAM_BINARY_TYPE_NONE, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                                               CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_PROGRAM_BINARY_TYPE_EXECUTABLE};
  return kTypes[static_cast<size_t>(kind)];
}

constexpr InfoRow<core::BuildState> kBuildRows[] = {
    {CL_PROGRAM_BUILD_STATUS, [](auto &b, InfoWriter &w) { return w.put<cl_build_status>(statusOf(b.status)); }},
    {CL_PROGRAM_BUILD_OPTIONS, [](auto &b, InfoWriter &w) { return w.putString(b.options); }},
    {CL_PROGRAM_BUILD_LOG, [](auto &b, InfoWriter &w) { return w.putString(b.log); }},
    {CL_PROGRAM_BINARY_TYPE,
     [](auto &b, InfoWriter &w) { return w.put<cl_program_binary_type>(binaryTypeOf(b.kind())); }},
    {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
     [](auto &b, InfoWriter &w) { return w.put<size_t>(b.program ? b.program->globalVariableSize() : 0); }},
};

} // namespace

// clGetProgramInfo
Expected<void> getProgramInfo(cl_program handle, cl_program_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_PROGRAM if program is a not a valid program object."
  US_TRY(ClProgram & program, programFrom(handle));
  return icd::answer(kProgramRows, program, name, size, value, sizeReturned);
}

// clGetProgramBuildInfo
Expected<void> getProgramBuildInfo(cl_program handle, cl_device_id deviceHandle, cl_program_build_info name,
                                   size_t size, void *value, size_t *sizeReturned) {
  US_TRY(ClProgram & program, programFrom(handle));
  // "CL_INVALID_DEVICE if device is not in the list of devices associated with program."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(deviceHandle));
  US_TRY(core::BuildState state, program.core->stateOn(*device.device));
  return icd::answer(kBuildRows, state, name, size, value, sizeReturned);
}

} // namespace us::opencl
