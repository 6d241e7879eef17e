// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNativeKernel.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

#include <cstring>
#include <memory>

namespace us::opencl {

// clEnqueueNativeKernel
Expected<void> enqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *arguments,
                                   size_t size, cl_uint memories, const cl_mem *list, const void **places,
                                   cl_uint count, const cl_event *waitList, cl_event *event) {
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_NATIVE_KERNEL, {count, waitList, event}));
  // "CL_INVALID_OPERATION if the device associated with command_queue cannot execute the native kernel."
  if (!command.queue().device->info().executesNativeKernels)
    return fail(ErrorCode::InvalidOperation, "the device does not execute native kernels");
  // "CL_INVALID_VALUE if user_func is NULL."
  if (!function) return fail(ErrorCode::InvalidValue, "the function is NULL");
  // "CL_INVALID_VALUE if args is a NULL value and cb_args > 0, or if args is a NULL value and num_mem_objects > 0."
  // "CL_INVALID_VALUE if args is not NULL and cb_args is 0."
  if ((!arguments && (size || memories)) || (arguments && !size))
    return fail(ErrorCode::InvalidValue, icd::format("{} bytes of arguments at {}", size, arguments));
  // "CL_INVALID_VALUE if num_mem_objects > 0 and mem_list or args_mem_loc are NULL." "CL_INVALID_VALUE if
  // num_mem_objects = 0 and mem_list or args_mem_loc are not NULL."
  if ((memories > 0) != (list != nullptr) || (memories > 0) != (places != nullptr))
    return fail(ErrorCode::InvalidValue,
                icd::format("{} memory objects, lists at {} and {}", memories, static_cast<const void *>(list),
                            static_cast<const void *>(places)));
  // "args is a pointer to the args list that user_func should be called with": copied before the call returns.
  auto *given = static_cast<const std::byte *>(arguments);
  auto copy = std::make_shared<std::vector<std::byte>>(given, given + size);
  for (cl_uint i = 0; i < memories; ++i) {
    US_TRY(ClMem & memory, command.buffer(list[i]));
    US_TRY(std::byte * address, command.addressOf(memory));
    auto place = static_cast<size_t>(static_cast<const std::byte *>(places[i]) - given);
    if (size < sizeof(void *) || place > size - sizeof(void *))
      return fail(ErrorCode::InvalidValue, icd::format("the place of memory object {} is not inside the arguments", i));
    // "the memory object handles are replaced by pointers to global memory"
    std::memcpy(copy->data() + place, &address, sizeof address);
  }
  command.request.command = HostCallCommand{[=] { function(size ? copy->data() : nullptr); }};
  return command.enqueue();
}

} // namespace us::opencl
