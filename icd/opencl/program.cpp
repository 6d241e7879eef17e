// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that make and count programs; building them is in build.cpp.
#include "icd/opencl/program.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
namespace {

bool anyTakesIl(const std::vector<Ref<ClDevice>> &devices) {
  return std::ranges::any_of(devices, [](const Ref<ClDevice> &device) { return !device->info().ils.empty(); });
}

} // namespace

ExpectedRef<ClProgram> programFrom(cl_program handle) {
  auto program = fromHandle<ClProgram>(handle);
  if (program) noteContext(*program->get().context);
  return program;
}

// clCreateProgramWithSource
Expected<cl_program> createProgramWithSource(cl_context handle, cl_uint count, const char **strings,
                                             const size_t *lengths) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_VALUE if count is zero or if strings or any entry in strings is NULL."
  if (count == 0 || !strings)
    return fail(ErrorCode::InvalidValue, icd::format("{} strings at {}", count, static_cast<const void *>(strings)));
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i]) return fail(ErrorCode::InvalidValue, icd::format("string {} is NULL", i));
    // "If an element in lengths is zero, its accompanying string is null-terminated. If lengths is NULL, all strings in
    // the strings argument are considered null-terminated."
    source.append(strings[i], lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]));
  }
  US_TRY(Ref<ClProgram> program, makeObject<ClProgram>());
  program->core = core::Program::fromSource(*context.core, std::move(source));
  program->context = Ref<ClContext>(&context);
  program->devices = context.devices;
  return giveToApplication(std::move(program));
}

// clCreateProgramWithBinary
Expected<cl_program> createProgramWithBinary(cl_context handle, cl_uint count, const cl_device_id *list,
                                             const size_t *lengths, const unsigned char **binaries, cl_int *statuses) {
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_VALUE if device_list is NULL or num_devices is zero." "CL_INVALID_DEVICE if any device in device_list
  // is not in the list of devices associated with context."
  if (!list || count == 0) return fail(ErrorCode::InvalidValue, "no devices were given");
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesAmong(context.devices, count, list, "context"));
  if (devices.size() != count) return fail(ErrorCode::InvalidValue, "a device is given twice");
  // "CL_INVALID_VALUE if lengths or binaries is NULL or if any entry in lengths[i] is zero or binaries[i] is NULL."
  if (!lengths || !binaries) return fail(ErrorCode::InvalidValue, "the lengths or the binaries are NULL");
  bool missing = false;
  std::vector<std::span<const std::byte>> spans;
  for (cl_uint i = 0; i < count; ++i) {
    bool absent = lengths[i] == 0 || !binaries[i];
    missing |= absent;
    if (statuses) statuses[i] = absent ? CL_INVALID_VALUE : CL_SUCCESS;
    spans.emplace_back(reinterpret_cast<const std::byte *>(binaries[i]), absent ? 0 : lengths[i]);
  }
  if (missing) return fail(ErrorCode::InvalidValue, "a binary is NULL or empty");
  US_TRY(Ref<ClProgram> program, makeObject<ClProgram>());
  // "CL_INVALID_BINARY if an invalid program binary was encountered for any device. binary_status will return specific
  // status for each device."
  std::vector<Expected<void>> results;
  auto made = core::Program::fromBinaries(*context.core, coreDevices(devices), spans, &results);
  for (cl_uint i = 0; statuses && i < results.size() && i < count; ++i)
    statuses[i] = results[i] ? CL_SUCCESS : codeOf(results[i].error().code);
  US_TRY(program->core, std::move(made));
  program->context = Ref<ClContext>(&context);
  program->devices = std::move(devices);
  return giveToApplication(std::move(program));
}

// clCreateProgramWithBuiltInKernels
Expected<cl_program> createProgramWithBuiltInKernels(cl_context handle, cl_uint count, const cl_device_id *list,
                                                     const char *names) {
  US_TRY(ClContext & context, contextFrom(handle));
  if (!list || count == 0) return fail(ErrorCode::InvalidValue, "no devices were given");
  US_CHECK(devicesAmong(context.devices, count, list, "context"));
  // "CL_INVALID_VALUE if kernel_names is NULL or kernel_names contains a kernel name that is not supported by any of
  // the devices in device_list."
  return fail(ErrorCode::InvalidValue,
              icd::format("no device has built-in kernels; '{}' was asked for", names ? names : "NULL"));
}

// clCreateProgramWithIL
Expected<cl_program> createProgramWithIL(cl_context handle, const void *il, size_t length) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  // "CL_INVALID_OPERATION if no devices in context support intermediate language programs."
  if (!anyTakesIl(context.devices))
    return fail(ErrorCode::InvalidOperation, "no device of the context takes intermediate language");
  // "CL_INVALID_VALUE if il is NULL or if length is zero."
  if (!il || length == 0) return fail(ErrorCode::InvalidValue, icd::format("{} bytes at {}", length, il));
  US_TRY(Ref<ClProgram> program, makeObject<ClProgram>());
  // "CL_INVALID_VALUE if the length-byte memory pointed to by il does not contain well-formed intermediate language
  // input that can be consumed by the OpenCL runtime." What a well-formed module means is for its build to find out.
  US_TRY(program->core, core::Program::fromIl(*context.core, {static_cast<const std::byte *>(il), length}));
  program->context = Ref<ClContext>(&context);
  program->devices = context.devices;
  return giveToApplication(std::move(program));
}

// clCreateProgramWithILKHR
Expected<cl_program> createProgramWithILKHR(cl_context context, const void *il, size_t length) {
  return createProgramWithIL(context, il, length);
}

// clSetProgramSpecializationConstant
Expected<void> setProgramSpecializationConstant(cl_program handle, cl_uint id, size_t size, const void *value) {
  // "CL_INVALID_PROGRAM if program is not a valid program object created from an intermediate language (e.g. SPIR-V),
  // or if the intermediate language does not support specialization constants."
  US_TRY(ClProgram & program, programFrom(handle));
  // "CL_INVALID_OPERATION if no devices associated with program support intermediate language programs."
  if (!anyTakesIl(program.devices))
    return fail(ErrorCode::InvalidOperation, "no device of the program takes intermediate language");
  if (program.core->origin() != core::ProgramOrigin::IntermediateLanguage)
    return fail(ErrorCode::InvalidProgram, "the program was not created from an intermediate language");
  // "CL_INVALID_VALUE if spec_size does not match the size of the specialization constant in the intermediate language,
  // or if spec_value is NULL."
  if (!value) return fail(ErrorCode::InvalidValue, "the value is NULL");
  // "CL_INVALID_SPEC_ID if spec_id is not a valid specialization constant ID."
  return program.core->setSpecializationConstant(id, {static_cast<const std::byte *>(value), size});
}

// clSetProgramReleaseCallback
Expected<void> setProgramReleaseCallback(cl_program handle, void(CL_CALLBACK *)(cl_program, void *), void *) {
  US_CHECK(programFrom(handle));
  // "CL_INVALID_OPERATION if no devices in the context associated with program support destructors for program scope
  // global variables."
  return fail(ErrorCode::InvalidOperation, "no device of the context runs destructors of program scope variables");
}

// clRetainProgram
Expected<void> retainProgram(cl_program program) { return retainHandle<ClProgram>(program); }

// clReleaseProgram
Expected<void> releaseProgram(cl_program program) { return releaseHandle<ClProgram>(program); }

} // namespace us::opencl
