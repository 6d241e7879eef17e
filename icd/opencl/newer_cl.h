// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What we offer and the oldest OpenCL headers that we build with (of Debian 12) do not have, or have in an older form:
// OpenCL 3.1, cl_khr_command_buffer 0.9.8, its multi_device 0.9.2 and mutable_dispatch 0.9.5, and
// cl_khr_semaphore 1.0.0. The types stand in our namespace, where they hide the headers' own; with newer headers the
// compiler checks that both are the same.
#pragma once

#include "icd/opencl/cl.h"

#include <type_traits>

// cl_device_info
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
// cl_device_fp_atomic_capabilities_ext, a bit field
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#endif
// cl_mem_properties, cl_mem_info and cl_kernel_exec_info of cl_ext_buffer_device_address
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif
// cl_device_info of cl_ext_cxx_for_opencl
#ifndef CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT
#define CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT 0x4230
#endif
// cl_device_info and cl_mem_properties of cl_khr_external_memory
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
// cl_mem_flags of cl_ext_immutable_memory_objects
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif
// cl_image_requirements_info_ext
#ifndef CL_IMAGE_REQUIREMENTS_SIZE_EXT
#define CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT 0x1290
#define CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT 0x1292
#define CL_IMAGE_REQUIREMENTS_SIZE_EXT 0x12B2
#define CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT 0x12B3
#define CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT 0x12B4
#define CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT 0x12B5
#define CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT 0x12B6
#endif
// the same, of cl_ext_image_from_buffer
#ifndef CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT
#define CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT 0x1291
#endif
// cl_command_buffer_info_khr
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
// cl_khr_command_buffer_multi_device: cl_platform_info, cl_platform_command_buffer_capabilities_khr (a bit field),
// cl_device_info, cl_device_command_buffer_capabilities_khr, cl_command_buffer_flags_khr
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif
#ifndef CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME
#define CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME "cl_khr_command_buffer_multi_device"
#endif
// cl_command_buffer_state_khr
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
// cl_command_buffer_properties_khr
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
// cl_command_properties_khr
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#endif
// cl_mutable_command_info_khr
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
// cl_mutable_dispatch_asserts_khr, a bit field
#ifndef CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
// cl_command_buffer_update_type_khr: another one in older headers.
#undef CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 0

// cl_semaphore_info_khr and cl_semaphore_properties_khr
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

namespace us::opencl {

using cl_device_fp_atomic_capabilities_ext = cl_bitfield;
using cl_command_properties_khr = cl_properties;
using cl_command_buffer_update_type_khr = cl_uint;
using cl_mutable_dispatch_asserts_khr = cl_bitfield;
using cl_platform_command_buffer_capabilities_khr = cl_bitfield;

struct cl_mutable_dispatch_arg_khr {
  cl_uint arg_index;
  size_t arg_size;
  const void *arg_value;
};

struct cl_mutable_dispatch_exec_info_khr {
  cl_uint param_name;
  size_t param_value_size;
  const void *param_value;
};

struct cl_mutable_dispatch_config_khr {
  cl_mutable_command_khr command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const cl_mutable_dispatch_arg_khr *arg_list;
  const cl_mutable_dispatch_arg_khr *arg_svm_list;
  const cl_mutable_dispatch_exec_info_khr *exec_info_list;
  const size_t *global_work_offset;
  const size_t *global_work_size;
  const size_t *local_work_size;
};

using cl_image_requirements_info_ext = cl_uint;
using clGetImageRequirementsInfoEXT_fn = cl_int(CL_API_CALL *)(cl_context, const cl_mem_properties *, cl_mem_flags,
                                                               const cl_image_format *, const cl_image_desc *,
                                                               cl_image_requirements_info_ext, size_t, void *,
                                                               size_t *);

using cl_mem_device_address_ext = cl_ulong;
using clSetKernelArgDevicePointerEXT_fn = cl_int(CL_API_CALL *)(cl_kernel, cl_uint, cl_mem_device_address_ext);

/// OpenCL 3.1 took the extension's function over.
using clGetKernelSuggestedLocalWorkSize_fn = clGetKernelSuggestedLocalWorkSizeKHR_fn;

/// A call that records a command: what all have before and behind the command's own parameters.
template <class... Own>
using RecordingFunction = cl_int(CL_API_CALL *)(cl_command_buffer_khr, cl_command_queue,
                                                const cl_command_properties_khr *, Own..., cl_uint,
                                                const cl_sync_point_khr *, cl_sync_point_khr *,
                                                cl_mutable_command_khr *);

using clCommandBarrierWithWaitListKHR_fn = RecordingFunction<>;
using clCommandCopyBufferKHR_fn = RecordingFunction<cl_mem, cl_mem, size_t, size_t, size_t>;
using clCommandCopyBufferRectKHR_fn =
    RecordingFunction<cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t>;
using clCommandCopyBufferToImageKHR_fn = RecordingFunction<cl_mem, cl_mem, size_t, const size_t *, const size_t *>;
using clCommandCopyImageKHR_fn = RecordingFunction<cl_mem, cl_mem, const size_t *, const size_t *, const size_t *>;
using clCommandCopyImageToBufferKHR_fn = RecordingFunction<cl_mem, cl_mem, const size_t *, const size_t *, size_t>;
using clCommandFillBufferKHR_fn = RecordingFunction<cl_mem, const void *, size_t, size_t, size_t>;
using clCommandFillImageKHR_fn = RecordingFunction<cl_mem, const void *, const size_t *, const size_t *>;
using clCommandNDRangeKernelKHR_fn =
    RecordingFunction<cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *>;
using clCommandSVMMemcpyKHR_fn = RecordingFunction<void *, const void *, size_t>;
using clCommandSVMMemFillKHR_fn = RecordingFunction<void *, const void *, size_t, size_t>;
using clUpdateMutableCommandsKHR_fn = cl_int(CL_API_CALL *)(cl_command_buffer_khr, cl_uint,
                                                            const cl_command_buffer_update_type_khr *, const void **);
using clRemapCommandBufferKHR_fn = cl_command_buffer_khr(CL_API_CALL *)(cl_command_buffer_khr, cl_bool, cl_uint,
                                                                        const cl_command_queue *, cl_uint,
                                                                        const cl_mutable_command_khr *,
                                                                        cl_mutable_command_khr *, cl_int *);

#if defined(CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION) &&                                                                \
    CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION >= CL_MAKE_VERSION(0, 9, 8)
#define US_SAME(name) static_assert(std::is_same_v<name##_fn, ::name##_fn>)
US_SAME(clCommandBarrierWithWaitListKHR);
US_SAME(clCommandCopyBufferKHR);
US_SAME(clCommandCopyBufferRectKHR);
US_SAME(clCommandCopyBufferToImageKHR);
US_SAME(clCommandCopyImageKHR);
US_SAME(clCommandCopyImageToBufferKHR);
US_SAME(clCommandFillBufferKHR);
US_SAME(clCommandFillImageKHR);
US_SAME(clCommandNDRangeKernelKHR);
US_SAME(clCommandSVMMemcpyKHR);
US_SAME(clCommandSVMMemFillKHR);
US_SAME(clUpdateMutableCommandsKHR);
US_SAME(clRemapCommandBufferKHR);
static_assert(sizeof(cl_mutable_dispatch_config_khr) == sizeof(::cl_mutable_dispatch_config_khr));
#undef US_SAME
#endif

} // namespace us::opencl
