// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests to the queues and events on the device (emulator/abi/device_queue_abi.h, same layout and numbers). Kernel IR
// has plain pointers in the place of queue_t and clk_event_t; functions that Clang mangles are defined by those names.
#pragma once
#include "emulator/builtins/opencl/support.h"

typedef __private void *us_handle;

typedef struct {
  us_handle queue;
  uint flags, eventCount;
  const __private ndrange_t *range;
  const __generic void *waitList;
  __generic void *event;
  const __generic void *kernelName, *block;
  const __private size_t *localSizes;
  uint localCount;
  int status;
  us_handle subjectEvent;
  __global void *destination;
} us_request;

enum {
  US_ENQUEUE_KERNEL,
  US_ENQUEUE_MARKER,
  US_DEFAULT_QUEUE,
  US_RETAIN_EVENT,
  US_RELEASE_EVENT,
  US_CREATE_USER_EVENT,
  US_SET_USER_EVENT_STATUS,
  US_IS_VALID_EVENT,
  US_CAPTURE_PROFILING,
  US_WORK_GROUP_SIZE,
  US_PREFERRED_MULTIPLE
};

US_INLINE long us_ask(uint operation, const __private us_request *request) {
  return us_device_queue(operation, request);
}
