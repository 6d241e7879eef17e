// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the functions for queues and events on the device (a DeviceCall of runtime/device/device_functions.h).
// Kernel IR has plain pointers in the place of queue_t and clk_event_t; functions that Clang mangles are defined by
// those names.
#pragma once
#include "emulator/builtins/opencl/support.h"

typedef __private void *us_handle;

// The words that each function looks at have the same places in all calls; runtime/core/enqueue_runtime.cpp reads them.
typedef struct {
  ulong workItem;
  us_handle queue;
  ulong flags;
  const __private ndrange_t *range;
  ulong eventCount;
  const __generic void *waitList;
  __generic void *event;
  const __generic void *kernelName, *block;
  ulong localCount;
  const __private size_t *localSizes;
  us_handle subjectEvent;
  long status;
  __global void *destination;
  ulong rest[2];
} us_request;

enum {
#define US_DEVICE_FUNCTION(name) US_##name,
#include "runtime/device/device_functions.def"
};

US_INLINE long us_ask(uint function, __private us_request *request) { return us_device_call(function, request); }
