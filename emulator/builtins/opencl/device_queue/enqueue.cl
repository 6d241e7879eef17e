// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enqueue_kernel in the four forms that Clang makes of it, enqueue_marker and get_default_queue.
#include "emulator/builtins/opencl/device_queue/request.h"

// The form with everything; the others leave out events, local arguments or both.
int __enqueue_kernel_events_varargs(us_handle queue, uint flags, const __private ndrange_t *range, uint eventCount,
                                    const __generic void *waitList, __generic void *event, __generic void *kernelName,
                                    __generic void *block, uint localCount, const __private size_t *localSizes) {
  us_request request = {.queue = queue,
                        .flags = flags,
                        .eventCount = eventCount,
                        .range = range,
                        .waitList = waitList,
                        .event = event,
                        .kernelName = kernelName,
                        .block = block,
                        .localSizes = localSizes,
                        .localCount = localCount};
  return (int)us_ask(US_EnqueueKernel, &request);
}

int __enqueue_kernel_basic_events(us_handle queue, uint flags, const __private ndrange_t *range, uint eventCount,
                                  const __generic void *waitList, __generic void *event, __generic void *kernelName,
                                  __generic void *block) {
  return __enqueue_kernel_events_varargs(queue, flags, range, eventCount, waitList, event, kernelName, block, 0, 0);
}

int __enqueue_kernel_varargs(us_handle queue, uint flags, const __private ndrange_t *range, __generic void *kernelName,
                             __generic void *block, uint localCount, const __private size_t *localSizes) {
  return __enqueue_kernel_events_varargs(queue, flags, range, 0, 0, 0, kernelName, block, localCount, localSizes);
}

int __enqueue_kernel_basic(us_handle queue, uint flags, ndrange_t range, __generic void *kernelName,
                           __generic void *block) {
  return __enqueue_kernel_events_varargs(queue, flags, &range, 0, 0, 0, kernelName, block, 0, 0);
}

int us_enqueue_marker(us_handle queue, uint eventCount, const __generic void *waitList,
                      __generic void *event) __asm("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_");
int us_enqueue_marker(us_handle queue, uint eventCount, const __generic void *waitList, __generic void *event) {
  us_request request = {.queue = queue, .eventCount = eventCount, .waitList = waitList, .event = event};
  return (int)us_ask(US_EnqueueMarker, &request);
}

us_handle us_get_default_queue(void) __asm("_Z17get_default_queuev");
us_handle us_get_default_queue(void) {
  us_request request = {.flags = 0};
  return (us_handle)us_ask(US_DefaultQueue, &request);
}
