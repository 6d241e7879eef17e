// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clBuildProgram, clCompileProgram, clLinkProgram.
#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/program.h"

#include <algorithm>

namespace us::opencl {
namespace {

using BuildFunction = void(CL_CALLBACK *)(cl_program, void *);

/// "CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL."
Expected<void> checkCallback(BuildFunction callback, void *userData) {
  if (!callback && userData) return fail(ErrorCode::InvalidValue, "user data without a callback");
  return {};
}

/// "CL_COMPILER_NOT_AVAILABLE if ... a compiler is not available, i.e. CL_DEVICE_COMPILER_AVAILABLE ... is set to
/// CL_FALSE."
Expected<void> checkCompiler(const std::vector<Ref<ClDevice>> &devices) {
  for (const Ref<ClDevice> &device : devices)
    if (!device->info().compilerAvailable)
      return fail(ErrorCode::CompilerNotAvailable, device->info().name + " has no compiler");
  return {};
}

/// The application's callback; the program's handle stays valid until it has returned.
core::BuildCallback tellApplication(ClProgram &program, BuildFunction callback, void *userData) {
  if (!callback) return {};
  return [=, keep = Ref<ClProgram>(&program)] { callback(keep->handle(), userData); };
}

} // namespace

// clBuildProgram
Expected<void> buildProgram(cl_program handle, cl_uint count, const cl_device_id *list, const char *options,
                            BuildFunction callback, void *userData) {
  // "CL_INVALID_PROGRAM if program is not a valid program object."
  US_TRY(ClProgram & program, programFrom(handle));
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesAmong(program.devices, count, list, "program"));
  US_CHECK(checkCallback(callback, userData));
  if (program.core->origin() != core::ProgramOrigin::Binary) US_CHECK(checkCompiler(devices));
  // "CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource, clCreateProgramWithIL or
  // clCreateProgramWithBinary." The core knows the rest: builds in progress, attached kernels, missing binaries.
  if (program.core->origin() == core::ProgramOrigin::Linked)
    return fail(ErrorCode::InvalidOperation, "the program was linked, it has nothing to build");
  return program.core->build(coreDevices(devices), options ? options : "",
                             tellApplication(program, callback, userData));
}

// clCompileProgram
Expected<void> compileProgram(cl_program handle, cl_uint count, const cl_device_id *list, const char *options,
                              cl_uint headerCount, const cl_program *headerHandles, const char **headerNames,
                              BuildFunction callback, void *userData) {
  US_TRY(ClProgram & program, programFrom(handle));
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesAmong(program.devices, count, list, "program"));
  US_CHECK(checkCallback(callback, userData));
  // "CL_INVALID_VALUE if num_input_headers is zero and header_include_names or input_headers are not NULL or if
  // num_input_headers is not zero and header_include_names or input_headers are NULL."
  if ((headerCount > 0) != (headerHandles != nullptr) || (headerCount > 0) != (headerNames != nullptr))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} headers, lists at {} and {}", headerCount, static_cast<const void *>(headerHandles),
                            static_cast<const void *>(headerNames)));
  US_CHECK(checkCompiler(devices));
  std::vector<core::Program::Header> headers;
  for (cl_uint i = 0; i < headerCount; ++i) {
    US_TRY(ClProgram & header, fromHandle<ClProgram>(headerHandles[i]));
    // "CL_INVALID_CONTEXT if the context associated with program and programs in input_headers are not the same."
    if (header.context != program.context)
      return fail(ErrorCode::InvalidContext, icd::format("header {} is of another context", i));
    if (!headerNames[i]) return fail(ErrorCode::InvalidValue, icd::format("the name of header {} is NULL", i));
    headers.push_back({headerNames[i], header.core});
  }
  return program.core->compile(coreDevices(devices), options ? options : "", headers,
                               tellApplication(program, callback, userData));
}

// clLinkProgram
Expected<cl_program> linkProgram(cl_context handle, cl_uint count, const cl_device_id *list, const char *options,
                                 cl_uint inputCount, const cl_program *inputHandles, BuildFunction callback,
                                 void *userData) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  US_TRY(std::vector<Ref<ClDevice>> devices, devicesAmong(context.devices, count, list, "context"));
  // "CL_INVALID_VALUE if num_input_programs is zero and input_programs is NULL or if num_input_programs is zero and
  // input_programs is not NULL or if num_input_programs is not zero and input_programs is NULL."
  if (inputCount == 0 || !inputHandles) return fail(ErrorCode::InvalidValue, "there is nothing to link");
  US_CHECK(checkCallback(callback, userData));
  // "CL_LINKER_NOT_AVAILABLE if a linker is not available, i.e. CL_DEVICE_LINKER_AVAILABLE ... is set to CL_FALSE."
  for (const Ref<ClDevice> &device : devices)
    if (!device->info().linkerAvailable)
      return fail(ErrorCode::LinkerNotAvailable, device->info().name + " has no linker");
  std::vector<Ref<core::Program>> inputs;
  for (cl_uint i = 0; i < inputCount; ++i) {
    // "CL_INVALID_PROGRAM if programs specified in input_programs are not valid program objects."
    US_TRY(ClProgram & input, fromHandle<ClProgram>(inputHandles[i]));
    // "CL_INVALID_CONTEXT if the context associated with programs in input_programs is not the same as context."
    if (input.context.get() != &context)
      return fail(ErrorCode::InvalidContext, icd::format("program {} is of another context", i));
    inputs.push_back(input.core);
  }
  US_TRY(Ref<ClProgram> program, makeObject<ClProgram>());
  program->context = Ref<ClContext>(&context);
  program->devices = devices;
  Expected<void> outcome;
  US_TRY(program->core, core::Program::link(*context.core, coreDevices(devices), inputs, options ? options : "",
                                            tellApplication(*program, callback, userData), &outcome));
  // "clLinkProgram returns a valid non-zero program object ... CL_LINK_PROGRAM_FAILURE if there is a failure to link":
  // the program comes with the error, so that its log can be read. Not so for options that are no options.
  if (!outcome) {
    if (outcome.error().code != ErrorCode::LinkProgramFailure) return std::unexpected(std::move(outcome).error());
    failWithResult(outcome.error());
  }
  return giveToApplication(std::move(program));
}

} // namespace us::opencl
