// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine provides to the builtin library: the `us.*` functions of docs/ir-conventions.md, by OpenCL C names.
#pragma once

#define US_WARP_SIZE 32u
#define US_LARGEST_SUB_GROUP 32u

#define US_MACHINE(name) __asm("us." name)
#define US_CONVERGENT __attribute__((convergent))

size_t us_global_id(uint dim) US_MACHINE("global_id");
size_t us_local_id(uint dim) US_MACHINE("local_id");
size_t us_group_id(uint dim) US_MACHINE("group_id");
size_t us_global_size(uint dim) US_MACHINE("global_size");
size_t us_local_size(uint dim) US_MACHINE("local_size");
size_t us_enqueued_local_size(uint dim) US_MACHINE("enqueued_local_size");
size_t us_num_groups(uint dim) US_MACHINE("num_groups");
size_t us_global_offset(uint dim) US_MACHINE("global_offset");
uint us_work_dim(void) US_MACHINE("work_dim");
void us_barrier(uint flags, uint scope) US_CONVERGENT US_MACHINE("barrier");
// `members`: the lanes that the caller waits for, ~0 for all of its sub-group. A flag says that all of it has to come
// here: the number is that of emulator/abi/launch_checks.h.
#define US_FOR_WHOLE_SUB_GROUP 0x100
uint us_sub_group_sync(uint flags, uint members) US_CONVERGENT US_MACHINE("sub_group_sync");
// The work-items of a full sub-group, a power of two: what the kernel requires, or the device has.
uint us_sub_group_size(void) US_MACHINE("sub_group_size");
// Whether all work-items of a sub-group that come somewhere come there at once; only then a bit for each that comes
// with another predicate than 0.
uint us_side_by_side(void) US_MACHINE("side_by_side");
uint us_votes(uint predicate) US_CONVERGENT US_MACHINE("votes");
// The value of another work-item of the sub-group: `own` and `other` are their places in the exchange memory.
uint us_lane_byte(uint value, __local uchar *own, __local uchar *other) US_CONVERGENT US_MACHINE("lane_byte");
uint us_lane_short(uint value, __local ushort *own, __local ushort *other) US_CONVERGENT US_MACHINE("lane_short");
uint us_lane_word(uint value, __local uint *own, __local uint *other) US_CONVERGENT US_MACHINE("lane_word");
ulong us_lane_long(ulong value, __local ulong *own, __local ulong *other) US_CONVERGENT US_MACHINE("lane_long");
// Whether all of a sub-group that come here are known to have this value.
uint us_same_in_sub_group(ulong value) US_MACHINE("same_in_sub_group");
// The length of the registers that code is made for.
uint us_register_bits(void) US_MACHINE("register_bits");
__local void *us_exchange(void) US_MACHINE("exchange");
// The number and the call are those of runtime/device/device_functions.h.
long us_device_call(uint function, __private void *call) US_MACHINE("device_call");
ulong us_clock(void) US_MACHINE("clock");
uint us_address_space(const __generic void *p) US_MACHINE("address_space");
