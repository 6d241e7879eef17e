// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective functions of the sub-group. us_sub_group_sync says who takes part: where the sub-group has diverged only
// some work-items do, and the others may be in the middle of another function. So everybody writes only into the slots
// of participants: each its own, and the leader (the participant with the lowest id) those of its fellows.
#pragma once
#include "emulator/builtins/opencl/workgroup/tree.h"

US_INLINE uint us_first_of(uint participants) { return __builtin_ctz(participants); }
US_INLINE uint us_participants(void) { return us_sub_group_sync(CLK_LOCAL_MEM_FENCE, ~0u); }

// The first thing that a function waits for; where all work-items of the sub-group must call it, US_CALLERS says so
// before this file is included.
#define US_WHOLE_SUB_GROUP (CLK_LOCAL_MEM_FENCE | US_FOR_WHOLE_SUB_GROUP)
#ifndef US_CALLERS
#define US_CALLERS CLK_LOCAL_MEM_FENCE
#endif
US_INLINE uint us_callers(void) { return us_sub_group_sync(US_CALLERS, ~0u); }

// The slots of this sub-group, one of 128 bytes for each sub-group local id, which holds a T. In divergent sub-groups
// others may be at values of another size: nobody's slot may be a part of another's.
#define US_SLOTS(T) ((__local T *)((__local char *)us_exchange() + us_sub_group_first() * 128u))
#define US_AT(slots, lane) slots[(lane) * (128u / sizeof(*slots))]
// The same where each only puts its value down and takes another's up: side by side nobody else is in the middle of
// anything, and the values of neighbors lie together.
#define US_NEXT_AT(slots, lane) slots[(lane) * (us_side_by_side() ? 1u : 128u / sizeof(*slots))]

#define US_SUB_GROUP_INTEGERS(X, ...)                                                                                  \
  X(char, __VA_ARGS__)                                                                                                 \
  X(uchar, __VA_ARGS__)                                                                                                \
  X(short, __VA_ARGS__)                                                                                                \
  X(ushort, __VA_ARGS__) X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define US_SUB_GROUP_TYPES(X, ...)                                                                                     \
  US_SUB_GROUP_INTEGERS(X, __VA_ARGS__) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)

// The types and operations that the extensions' collectives have.
#define US_SUB_GROUP_OPERATIONS(X)                                                                                     \
  US_SUB_GROUP_TYPES(X, add)                                                                                           \
  US_SUB_GROUP_TYPES(X, mul)                                                                                           \
  US_SUB_GROUP_TYPES(X, min)                                                                                           \
  US_SUB_GROUP_TYPES(X, max)                                                                                           \
  US_SUB_GROUP_INTEGERS(X, and)                                                                                        \
  US_SUB_GROUP_INTEGERS(X, or) US_SUB_GROUP_INTEGERS(X, xor) X(int, logical_and) X(int, logical_or) X(int, logical_xor)

// All of a full sub-group are here, at once: each may calculate for itself. Families of very many functions leave that
// out (US_ONE_CALCULATES).
#ifdef US_ONE_CALCULATES
US_INLINE bool us_all_at_once(void) { return false; }
#else
US_INLINE bool us_all_at_once(void) { return us_side_by_side() && us_votes(1) == us_full_sub_group(); }
#endif
// The value of another of them.
#define US_VALUE_OF(T, ...)                                                                                            \
  US_INLINE T us_value_of(T x, uint from) {                                                                            \
    __local T *slots = US_SLOTS(T);                                                                                    \
    US_NEXT_AT(slots, us_sub_group_lane()) = x;                                                                        \
    us_participants();                                                                                                 \
    T result = US_NEXT_AT(slots, from);                                                                                \
    us_participants();                                                                                                 \
    return result;                                                                                                     \
  }
US_SUB_GROUP_TYPES(US_VALUE_OF, )

// Reduces the values of the participants among the work-items first to first + size - 1.
#define US_REDUCE_SLOTS(T, OPERATION)                                                                                  \
  US_TREE_REDUCE(__private, T, OPERATION)                                                                              \
  US_OUT_OF_LINE void us_reduce_clusters_##OPERATION(__local T *slots, uint participants, uint size) {                 \
    for (uint first = 0; first < US_LARGEST_SUB_GROUP; first += size) {                                                \
      T values[US_LARGEST_SUB_GROUP];                                                                                  \
      uint n = 0, leader = 0;                                                                                          \
      for (uint lane = first + size; lane-- > first;)                                                                  \
        if (participants >> lane & 1) leader = lane;                                                                   \
      for (uint lane = first; lane < first + size; ++lane)                                                             \
        if (participants >> lane & 1) values[n++] = US_AT(slots, lane);                                                \
      if (n > 0) US_AT(slots, leader) = us_tree_reduce_##OPERATION(values, n);                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  US_INLINE T us_reduce_##OPERATION(T x, uint size) {                                                                  \
    uint lane = us_sub_group_lane();                                                                                   \
    if (us_all_at_once()) {                                                                                            \
      _Pragma("unroll") for (uint other = 1; other < US_LARGEST_SUB_GROUP; other *= 2) {                               \
        if (other >= size) break;                                                                                      \
        T y = us_value_of(x, lane ^ other);                                                                            \
        x = lane & other ? US_COMBINE_##OPERATION(T, y, x) : US_COMBINE_##OPERATION(T, x, y);                          \
      }                                                                                                                \
      return x;                                                                                                        \
    }                                                                                                                  \
    __local T *slots = US_SLOTS(T);                                                                                    \
    US_AT(slots, lane) = x;                                                                                            \
    uint participants = us_callers();                                                                                  \
    if (lane == us_first_of(participants)) us_reduce_clusters_##OPERATION(slots, participants, size);                  \
    us_participants();                                                                                                 \
    uint cluster = (uint)((ulong)participants >> (lane & ~(size - 1))) & (uint)((1ul << size) - 1);                    \
    T result = US_AT(slots, (lane & ~(size - 1)) + us_first_of(cluster));                                              \
    us_participants();                                                                                                 \
    return result;                                                                                                     \
  }

#define US_SCAN_SLOTS(T, OPERATION)                                                                                    \
  US_TREE_SCAN(__private, T, OPERATION)                                                                                \
  US_OUT_OF_LINE void us_scan_slots_##OPERATION(__local T *slots, uint participants) {                                 \
    T values[US_LARGEST_SUB_GROUP];                                                                                    \
    uint n = 0;                                                                                                        \
    for (uint lane = 0; lane < US_LARGEST_SUB_GROUP; ++lane)                                                           \
      if (participants >> lane & 1) values[n++] = US_AT(slots, lane);                                                  \
    us_tree_scan_##OPERATION(values, n);                                                                               \
    n = 0;                                                                                                             \
    for (uint lane = 0; lane < US_LARGEST_SUB_GROUP; ++lane)                                                           \
      if (participants >> lane & 1) US_AT(slots, lane) = values[n++];                                                  \
  }                                                                                                                    \
  US_INLINE T us_scan_##OPERATION(T x, bool inclusive) {                                                               \
    uint lane = us_sub_group_lane();                                                                                   \
    if (us_all_at_once()) {                                                                                            \
      /* Up the tree: the last of each subtree has its sum. Down: those between add what lies before them. */          \
      _Pragma("unroll") for (uint size = 2; size <= US_LARGEST_SUB_GROUP; size *= 2) {                                 \
        if (size > us_sub_group_size()) break;                                                                         \
        bool isLast = (lane & (size - 1)) == size - 1;                                                                 \
        T y = us_value_of(x, isLast ? lane - size / 2 : lane);                                                         \
        if (isLast) x = US_COMBINE_##OPERATION(T, y, x);                                                               \
      }                                                                                                                \
      _Pragma("unroll") for (uint size = US_LARGEST_SUB_GROUP / 2; size >= 2; size /= 2) {                             \
        if (size >= us_sub_group_size()) continue;                                                                     \
        bool isBetween = ((lane + 1) & (size - 1)) == size / 2 && lane >= size;                                        \
        T y = us_value_of(x, isBetween ? lane - size / 2 : lane);                                                      \
        if (isBetween) x = US_COMBINE_##OPERATION(T, y, x);                                                            \
      }                                                                                                                \
      if (inclusive) return x;                                                                                         \
      T before = us_value_of(x, lane == 0 ? 0 : lane - 1);                                                             \
      return lane == 0 ? US_IDENTITY_##OPERATION(T) : before;                                                          \
    }                                                                                                                  \
    __local T *slots = US_SLOTS(T);                                                                                    \
    US_AT(slots, lane) = x;                                                                                            \
    uint participants = us_callers();                                                                                  \
    if (lane == us_first_of(participants)) us_scan_slots_##OPERATION(slots, participants);                             \
    us_participants();                                                                                                 \
    uint before = participants & ((1u << lane) - 1);                                                                   \
    T result = US_IDENTITY_##OPERATION(T);                                                                             \
    if (inclusive)                                                                                                     \
      result = US_AT(slots, lane);                                                                                     \
    else if (before != 0)                                                                                              \
      result = US_AT(slots, 31 - __builtin_clz(before));                                                               \
    us_participants();                                                                                                 \
    return result;                                                                                                     \
  }

// The value of another work-item; one that does not exist gives the caller's own.
#define US_LANE_OF(T)                                                                                                  \
  US_INLINE T us_lane_of(T x, uint from, uint callers) {                                                               \
    __local T *slots = US_SLOTS(T);                                                                                    \
    uint lane = us_sub_group_lane();                                                                                   \
    US_NEXT_AT(slots, lane) = x;                                                                                       \
    us_sub_group_sync(callers, ~0u);                                                                                   \
    T result = US_NEXT_AT(slots, from < us_sub_group_items() ? from : lane);                                           \
    us_participants();                                                                                                 \
    return result;                                                                                                     \
  }
#define US_READ_NUMBER(T, ENDING)                                                                                      \
  US_INLINE T us_read_number(T x, uint from) {                                                                         \
    __local T *slots = US_SLOTS(T);                                                                                    \
    uint lane = us_sub_group_lane();                                                                                   \
    __local T *other = &US_NEXT_AT(slots, from < us_sub_group_items() ? from : lane);                                  \
    return (T)us_lane_##ENDING(x, &US_NEXT_AT(slots, lane), other);                                                    \
  }
US_READ_NUMBER(uchar, byte)
US_READ_NUMBER(ushort, short)
US_READ_NUMBER(uint, word)
US_READ_NUMBER(ulong, long)

// The same where not all of them need to come, for vectors. Scalars are read as numbers.
#define US_READ_LANE(T)                                                                                                \
  US_LANE_OF(T)                                                                                                        \
  US_INLINE T us_read_lane(T x, uint from) { return us_lane_of(x, from, CLK_LOCAL_MEM_FENCE); }
#define US_READ_SCALAR(T, NUMBER)                                                                                      \
  US_INLINE T us_read_lane(T x, uint from) {                                                                           \
    return __builtin_astype(us_read_number(__builtin_astype(x, NUMBER), from), T);                                     \
  }
US_READ_SCALAR(char, uchar)
US_READ_SCALAR(uchar, uchar)
US_READ_SCALAR(short, ushort)
US_READ_SCALAR(ushort, ushort)
US_READ_SCALAR(half, ushort)
US_READ_SCALAR(int, uint)
US_READ_SCALAR(uint, uint)
US_READ_SCALAR(float, uint)
US_READ_SCALAR(long, ulong)
US_READ_SCALAR(ulong, ulong)
US_READ_SCALAR(double, ulong)

// The value of the first work-item that takes part.
#define US_OF_FIRST(T)                                                                                                 \
  US_INLINE T us_of_first(T x) {                                                                                       \
    __local T *slots = US_SLOTS(T);                                                                                    \
    US_NEXT_AT(slots, us_sub_group_lane()) = x;                                                                        \
    uint participants = us_participants();                                                                             \
    T result = US_NEXT_AT(slots, us_first_of(participants));                                                           \
    us_participants();                                                                                                 \
    return result;                                                                                                     \
  }
