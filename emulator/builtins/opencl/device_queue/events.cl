// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events on the device.
#include "emulator/builtins/opencl/device_queue/request.h"

void us_retain_event(us_handle event) __asm("_Z12retain_event12ocl_clkevent");
void us_retain_event(us_handle event) {
  us_request request = {.subjectEvent = event};
  us_ask(US_RetainEvent, &request);
}

void us_release_event(us_handle event) __asm("_Z13release_event12ocl_clkevent");
void us_release_event(us_handle event) {
  us_request request = {.subjectEvent = event};
  us_ask(US_ReleaseEvent, &request);
}

us_handle us_create_user_event(void) __asm("_Z17create_user_eventv");
us_handle us_create_user_event(void) {
  us_request request = {.flags = 0};
  return (us_handle)us_ask(US_CreateUserEvent, &request);
}

void us_set_user_event_status(us_handle event, int status) __asm("_Z21set_user_event_status12ocl_clkeventi");
void us_set_user_event_status(us_handle event, int status) {
  us_request request = {.status = status, .subjectEvent = event};
  us_ask(US_SetUserEventStatus, &request);
}

bool us_is_valid_event(us_handle event) __asm("_Z14is_valid_event12ocl_clkevent");
bool us_is_valid_event(us_handle event) {
  us_request request = {.subjectEvent = event};
  return us_ask(US_IsValidEvent, &request) != 0;
}

// There is one kind of information, CLK_PROFILING_COMMAND_EXEC_TIME.
void us_capture(us_handle event, int name,
                __global void *value) __asm("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v");
void us_capture(us_handle event, int name, __global void *value) {
  us_request request = {.subjectEvent = event, .destination = value};
  if (name == CLK_PROFILING_COMMAND_EXEC_TIME) us_ask(US_CaptureProfiling, &request);
}
