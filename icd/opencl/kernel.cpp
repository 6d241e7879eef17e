// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points about kernels and their arguments.
#include "icd/opencl/kernel.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/extensions.h"
#include "icd/opencl/memory.h"
#include "icd/opencl/platform.h"
#include "icd/opencl/queue.h"
#include "icd/opencl/sampler.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
namespace {

Expected<Ref<ClKernel>> makeKernel(ClProgram &program, Ref<core::Kernel> core) {
  US_TRY(Ref<ClKernel> kernel, makeObject<ClKernel>());
  kernel->core = std::move(core);
  kernel->program = Ref<ClProgram>(&program);
  return kernel;
}

Expected<void> setLocal(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "If the argument is declared with the local qualifier, the arg_value entry must be NULL."
  if (value)
    return fail(ErrorCode::InvalidArgValue, icd::format("argument {} is local memory: its value must be NULL", index));
  // "CL_INVALID_ARG_SIZE if the kernel argument is a pointer to the local address space and arg_size is zero. This
  // error condition does not apply if the platform associated with kernel is OpenCL 3.1 or newer."
  if (size == 0 && versionOf(platformVersion()) < CL_MAKE_VERSION(3, 1, 0))
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} is local memory of no size", index));
  return kernel.core->setLocal(index, size);
}

Expected<void> setBuffer(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "CL_INVALID_ARG_SIZE if arg_value points to a memory object and arg_size is not equal to sizeof(cl_mem)"
  if (size != sizeof(cl_mem))
    return fail(ErrorCode::InvalidArgSize,
                icd::format("argument {} is a memory object, {} bytes were given", index, size));
  // "If the argument is a buffer object, the arg_value pointer can be NULL or point to a NULL value in which case a
  // NULL value will be used as the value for the argument"
  cl_mem handle = value ? *static_cast<const cl_mem *>(value) : nullptr;
  if (!handle) return kernel.core->setBuffer(index, nullptr);
  // "CL_INVALID_MEM_OBJECT if arg_value is not NULL, and does not point to NULL, and does not point to a valid memory
  // object"
  US_TRY(ClMem & memory, bufferFrom(handle));
  // "CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the
  // same"
  if (memory.context != kernel.program->context)
    return fail(ErrorCode::InvalidContext, icd::format("the buffer for argument {} is of another context", index));
  // The specification says it of images only; Khronos's tests want "CL_INVALID_ARG_VALUE when a buffer created with
  // CL_MEM_IMMUTABLE_EXT is passed to a non-constant kernel argument". Ours may be read through any.
  if ((memory.flags & CL_MEM_IMMUTABLE_EXT) && kernel.core->info().arguments[index].written)
    return fail(ErrorCode::InvalidArgValue, icd::format("argument {} writes a buffer that is immutable", index));
  return kernel.core->setBuffer(index, memory.buffer.get());
}

/// A device of another driver may not tell what an argument of 8 bytes is, in a program from a binary: its driver would
/// take our object for one of its own.
Expected<void> checkIsNoObject(cl_uint index, const void *value) {
  void *handle = nullptr;
  std::memcpy(&handle, value, sizeof handle);
  if (!isHandleOf<ClMem>(handle) && !isHandleOf<ClSampler>(handle)) return {};
  return fail(ErrorCode::InvalidArgValue, icd::format("argument {} is given an image or a sampler, but the device's "
                                                      "driver does not tell what arguments of a binary are",
                                                      index));
}

Expected<void> setValue(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  const ArgumentInfo &argument = kernel.core->info().arguments[index];
  // "CL_INVALID_ARG_SIZE if arg_value points to the data to be used as the kernel argument value and arg_size does not
  // match the size of the data type for the argument"
  if (size != argument.size)
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} ({}) has {} bytes, {} were given", index,
                                                       argument.typeName, argument.size, size));
  // "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value."
  if (!value) return fail(ErrorCode::InvalidArgValue, icd::format("the value of argument {} is NULL", index));
  if (argument.maybeObject) US_CHECK(checkIsNoObject(index, value));
  return kernel.core->setValue(index, {static_cast<const std::byte *>(value), size});
}

/// What an image parameter takes, by the type's name in OpenCL C (OpenCL 3.0, clSetKernelArg: "If the kernel argument
/// is a 1D image, then the image memory object must be of image type CL_MEM_OBJECT_IMAGE1D", and so on).
struct ImageTypeRow {
  std::string_view name;
  cl_mem_object_type type;
  bool depth;
};
constexpr ImageTypeRow kImageTypes[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, false},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, false},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, false},
};

Expected<void> checkImageArgument(const ArgumentInfo &argument, cl_uint index, const ClMem &image) {
  // "CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only qualifier and arg_value points to an
  // image object created with the memory flag CL_MEM_WRITE_ONLY"; "declared with the write_only qualifier and ...
  // CL_MEM_READ_ONLY"
  const bool reads = argument.access != AccessQualifier::WriteOnly;
  const bool writes = argument.access == AccessQualifier::WriteOnly || argument.access == AccessQualifier::ReadWrite;
  if ((reads && (image.flags & CL_MEM_WRITE_ONLY)) ||
      (writes && (image.flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT))))
    return fail(ErrorCode::InvalidArgValue,
                icd::format("argument {} {} an image that was created {}", index, reads ? "reads" : "writes",
                            image.flags & CL_MEM_WRITE_ONLY  ? "write-only"
                            : image.flags & CL_MEM_READ_ONLY ? "read-only"
                                                             : "immutable"));
  for (const ImageTypeRow &row : kImageTypes)
    if (argument.typeName == row.name &&
        (image.type != row.type || row.depth != (image.format.image_channel_order == CL_DEPTH)))
      return fail(ErrorCode::InvalidArgValue,
                  icd::format("argument {} is an {}, an image of type {:#x} and channel order {:#x} was given", index,
                              argument.typeName, image.type, image.format.image_channel_order));
  return {};
}

Expected<void> setImage(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "CL_INVALID_ARG_SIZE if arg_value points to a memory object and arg_size is not equal to sizeof(cl_mem)"
  if (size != sizeof(cl_mem))
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} is an image, {} bytes were given", index, size));
  // "CL_INVALID_MEM_OBJECT if arg_value is NULL and it must point to a valid memory object"; "if arg_value points to
  // NULL ..."; "if arg_value is not NULL, and does not point to NULL, and does not point to a valid memory object"
  US_TRY(ClMem & image, imageFrom(value ? *static_cast<const cl_mem *>(value) : nullptr));
  // "CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the
  // same"
  if (image.context != kernel.program->context)
    return fail(ErrorCode::InvalidContext, icd::format("the image for argument {} is of another context", index));
  US_CHECK(checkImageArgument(kernel.core->info().arguments[index], index, image));
  return kernel.core->setImage(index, *image.image);
}

Expected<void> setSampler(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "CL_INVALID_ARG_SIZE if arg_value points to a sampler object and arg_size is not equal to sizeof(cl_sampler)"
  if (size != sizeof(cl_sampler))
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} is a sampler, {} bytes were given", index, size));
  // "CL_INVALID_SAMPLER if the kernel argument is a sampler, but arg_value does not point to a valid sampler object"
  US_TRY(ClSampler & sampler, fromHandle<ClSampler>(value ? *static_cast<const cl_sampler *>(value) : nullptr));
  // "CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the
  // same"
  if (sampler.context != kernel.program->context)
    return fail(ErrorCode::InvalidContext, icd::format("the sampler for argument {} is of another context", index));
  return kernel.core->setSampler(index, sampler.sampler);
}

Expected<void> setPipe(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "CL_INVALID_ARG_SIZE if arg_value points to a memory object and arg_size is not equal to sizeof(cl_mem)"
  if (size != sizeof(cl_mem))
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} is a pipe, {} bytes were given", index, size));
  // "CL_INVALID_MEM_OBJECT if arg_value is NULL and it must point to a valid memory object"; "if arg_value is not NULL,
  // and does not point to NULL, and does not point to a valid memory object"
  US_TRY(ClMem & pipe, pipeFrom(value ? *static_cast<const cl_mem *>(value) : nullptr));
  // "CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the
  // same"
  if (pipe.context != kernel.program->context)
    return fail(ErrorCode::InvalidContext, icd::format("the pipe for argument {} is of another context", index));
  return kernel.core->setPipe(index, *pipe.pipe);
}

Expected<void> setQueue(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  // "CL_INVALID_ARG_SIZE if arg_value points to a device queue object and arg_size is not equal to
  // sizeof(cl_command_queue)"
  if (size != sizeof(cl_command_queue))
    return fail(ErrorCode::InvalidArgSize, icd::format("argument {} is a queue, {} bytes were given", index, size));
  // "CL_INVALID_DEVICE_QUEUE for an argument declared to be of type queue_t when the specified arg_value is not a valid
  // device queue object."
  const auto found = deviceQueueFrom(value ? *static_cast<const cl_command_queue *>(value) : nullptr);
  if (!found) return fail(ErrorCode::InvalidDeviceQueue, found.error().message);
  ClQueue &queue = found->get();
  // "CL_INVALID_CONTEXT if the context associated with kernel and an OpenCL object pointed to by arg_value are not the
  // same"
  if (queue.context != kernel.program->context)
    return fail(ErrorCode::InvalidContext, icd::format("the queue for argument {} is of another context", index));
  return kernel.core->setQueue(index, *queue.onDevice);
}

/// What most calls ask for: a value of the right size, or a buffer that was set there before and was looked at then.
/// False: nothing was done.
bool setQuickly(ClKernel &kernel, cl_uint index, size_t size, const void *value) {
  if (!value) return false;
  if (kernel.core->setValueQuickly(index, value, size)) return true;
  if (size != sizeof(cl_mem)) return false;
  cl_mem handle;
  std::memcpy(&handle, value, sizeof handle);
  const ClMem *const memory = objectBehind<ClMem>(handle);
  return memory && memory->type == CL_MEM_OBJECT_BUFFER && kernel.core->setBufferQuickly(index, *memory->buffer);
}

/// What setting an argument of each kind does, by ArgumentKind.
constexpr Expected<void> (*kSetters[])(ClKernel &, cl_uint, size_t, const void *) = {
    setValue,   // Value
    setBuffer,  // GlobalPointer
    setBuffer,  // ConstantPointer
    setLocal,   // LocalPointer
    setImage,   // Image
    setSampler, // Sampler
    setPipe,    // Pipe
    setQueue,   // Queue
};

} // namespace

ExpectedRef<ClKernel> kernelFrom(cl_kernel handle) {
  auto kernel = fromHandle<ClKernel>(handle);
  if (kernel) noteContext(*kernel->get().program->context);
  return kernel;
}

ExpectedRef<ClDevice> deviceOfKernel(const ClKernel &kernel, cl_device_id handle) {
  std::vector<Ref<Device>> built = kernel.core->devices();
  // "CL_INVALID_DEVICE if device is not in the list of devices associated with kernel or if device is NULL but there is
  // more than one device associated with kernel."
  if (!handle && built.size() > 1)
    return fail(ErrorCode::InvalidDevice, icd::format("the kernel is built for {} devices: name one", built.size()));
  // A sub-device of a device that it was built for is associated with it, too.
  for (const Ref<ClDevice> &device : kernel.program->context->devices)
    if (handle ? device->handle() == handle && kernel.core->on(*device->device) : device->device == built.front())
      return *device;
  return fail(ErrorCode::InvalidDevice, "the kernel is not built for this device");
}

// clCreateKernel
Expected<cl_kernel> createKernel(cl_program handle, const char *name) {
  // "CL_INVALID_PROGRAM if program is not a valid program object."
  US_TRY(ClProgram & program, programFrom(handle));
  // "CL_INVALID_VALUE if kernel_name is NULL."
  if (!name) return fail(ErrorCode::InvalidValue, "the kernel's name is NULL");
  // "CL_INVALID_PROGRAM_EXECUTABLE", "CL_INVALID_KERNEL_NAME", "CL_INVALID_KERNEL_DEFINITION": the core knows.
  US_TRY(Ref<core::Kernel> core, program.core->createKernel(name));
  US_TRY(Ref<ClKernel> kernel, makeKernel(program, std::move(core)));
  return giveToApplication(std::move(kernel));
}

// clCreateKernelsInProgram
Expected<void> createKernelsInProgram(cl_program handle, cl_uint entries, cl_kernel *kernels, cl_uint *count) {
  US_TRY(ClProgram & program, programFrom(handle));
  // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program."
  US_TRY(std::vector<std::string> names, program.core->kernelNames());
  // "CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program."
  if (kernels && entries < names.size())
    return fail(ErrorCode::InvalidValue, icd::format("room for {} kernels, there are {}", entries, names.size()));
  if (kernels) {
    std::vector<Ref<ClKernel>> made;
    for (const std::string &name : names) {
      auto core = program.core->createKernel(name);
      // "Kernel objects are not created for any kernel functions in program that do not have the same function
      // definition across all devices"
      if (!core && core.error().code == ErrorCode::InvalidKernelDefinition) continue;
      if (!core) return std::unexpected(std::move(core).error());
      US_TRY(Ref<ClKernel> kernel, makeKernel(program, *std::move(core)));
      made.push_back(std::move(kernel));
    }
    if (count) *count = static_cast<cl_uint>(made.size());
    for (Ref<ClKernel> &kernel : made) *kernels++ = giveToApplication(std::move(kernel));
    return {};
  }
  if (count) *count = static_cast<cl_uint>(names.size());
  return {};
}

// clCloneKernel
Expected<cl_kernel> cloneKernel(cl_kernel handle) {
  // "CL_INVALID_KERNEL if source_kernel is not a valid kernel object."
  US_TRY(ClKernel & source, kernelFrom(handle));
  US_TRY(Ref<ClKernel> kernel, makeKernel(*source.program, source.core->clone()));
  return giveToApplication(std::move(kernel));
}

// clRetainKernel
Expected<void> retainKernel(cl_kernel kernel) { return retainHandle<ClKernel>(kernel); }

// clReleaseKernel
Expected<void> releaseKernel(cl_kernel kernel) { return releaseHandle<ClKernel>(kernel); }

// clSetKernelArg
Expected<void> setKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *value) {
  if (ClKernel *const valid = objectBehind<ClKernel>(handle); valid && setQuickly(*valid, index, size, value))
    return {};
  // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
  US_TRY(ClKernel & kernel, kernelFrom(handle));
  // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
  const auto &arguments = kernel.core->info().arguments;
  if (index >= arguments.size())
    return fail(ErrorCode::InvalidArgIndex,
                icd::format("argument {} of kernel {}, which has {}", index, kernel.core->name(), arguments.size()));
  return kSetters[static_cast<size_t>(arguments[index].kind)](kernel, index, size, value);
}

} // namespace us::opencl
