// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics, for atomics_test.cpp: functions that count what went wrong, and loops that several threads run at once.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

static memory_order orderOf(uint i) {
  memory_order orders[5] = {memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acq_rel,
                            memory_order_seq_cst};
  return orders[i % 5];
}
static memory_scope scopeOf(uint i) {
  memory_scope scopes[4] = {memory_scope_work_group, memory_scope_device, memory_scope_all_svm_devices,
                            memory_scope_sub_group};
  return scopes[i % 4];
}

// One operation in its three forms, orders and scopes known only at run time. NOW is what x op y must leave.
#define FETCH(SPACE, A, T, NAME, NOW)                                                                                  \
  for (uint i = 0; i < n; ++i) {                                                                                       \
    T x = a[i], y = b[i], now = NOW;                                                                                   \
    *plain = x;                                                                                                        \
    wrong += NAME(p, y) != x || *plain != now;                                                                         \
    *plain = x;                                                                                                        \
    wrong += NAME##_explicit(p, y, orderOf(i)) != x || *plain != now;                                                  \
    *plain = x;                                                                                                        \
    wrong += NAME##_explicit(p, y, orderOf(i), scopeOf(i)) != x || *plain != now;                                      \
  }
#define COMPARE(SPACE, T, NAME)                                                                                        \
  for (uint i = 0; i < n; ++i) {                                                                                       \
    T x = a[i], y = b[i], expected = x;                                                                                \
    *plain = x;                                                                                                        \
    wrong += !NAME(p, &expected, y) || *plain != y || expected != x;                                                   \
    expected = x;                                                                                                      \
    if (x != y) wrong += NAME(p, &expected, x) || *plain != y || expected != y;                                        \
    *plain = x, expected = x;                                                                                          \
    wrong += !NAME##_explicit(p, &expected, y, orderOf(i), memory_order_relaxed) || *plain != y;                       \
    if (x != y)                                                                                                        \
      wrong += NAME##_explicit(p, &expected, y, orderOf(i), memory_order_relaxed, scopeOf(i)) || expected != y;        \
  }
#define ACCESS(SPACE, A, T)                                                                                            \
  FETCH(SPACE, A, T, atomic_exchange, y)                                                                               \
  for (uint i = 0; i < n; ++i) {                                                                                       \
    T x = a[i];                                                                                                        \
    atomic_store(p, x);                                                                                                \
    wrong += *plain != x || atomic_load(p) != x;                                                                       \
    atomic_store_explicit(p, b[i], memory_order_release);                                                              \
    wrong += *plain != b[i] || atomic_load_explicit(p, memory_order_acquire) != b[i];                                  \
    atomic_store_explicit(p, x, i % 2 ? memory_order_relaxed : memory_order_seq_cst, scopeOf(i));                      \
    wrong +=                                                                                                           \
        *plain != x || atomic_load_explicit(p, i % 2 ? memory_order_relaxed : memory_order_seq_cst, scopeOf(i)) != x;  \
  }
#define INIT(T)                                                                                                        \
  for (uint i = 0; i < n; ++i) {                                                                                       \
    T x = a[i];                                                                                                        \
    atomic_init(p, x);                                                                                                 \
    wrong += *plain != x;                                                                                              \
  }
#define MIN_MAX(SPACE, A, T)                                                                                           \
  FETCH(SPACE, A, T, atomic_fetch_min, x < y ? x : y)                                                                  \
  FETCH(SPACE, A, T, atomic_fetch_max, x > y ? x : y)
#define ADD_SUB(SPACE, A, T)                                                                                           \
  FETCH(SPACE, A, T, atomic_fetch_add, x + y)                                                                          \
  FETCH(SPACE, A, T, atomic_fetch_sub, x - y)
#define BITS(SPACE, A, T)                                                                                              \
  FETCH(SPACE, A, T, atomic_fetch_and, x &y)                                                                           \
  FETCH(SPACE, A, T, atomic_fetch_or, x | y)                                                                           \
  FETCH(SPACE, A, T, atomic_fetch_xor, x ^ y)
#define TEST(SPACE, KIND, A, T, ...)                                                                                   \
  ulong KIND##_##T(SPACE T *plain, global T *a, global T *b, uint n) {                                                 \
    volatile SPACE A *p = (volatile SPACE A *)plain;                                                                   \
    ulong wrong = 0;                                                                                                   \
    __VA_ARGS__                                                                                                        \
    return wrong;                                                                                                      \
  }
#define INTEGER(SPACE, KIND, A, T)                                                                                     \
  TEST(SPACE, KIND, A, T,                                                                                              \
       ADD_SUB(SPACE, A, T) BITS(SPACE, A, T) MIN_MAX(SPACE, A, T) ACCESS(SPACE, A, T) INIT(T)                         \
           COMPARE(SPACE, T, atomic_compare_exchange_strong) COMPARE(SPACE, T, atomic_compare_exchange_weak))
#define FLOATING(SPACE, KIND, A, T)                                                                                    \
  TEST(SPACE, KIND, A, T,                                                                                              \
       ADD_SUB(SPACE, A, T) MIN_MAX(SPACE, A, T) ACCESS(SPACE, A, T) INIT(T)                                           \
           COMPARE(SPACE, T, atomic_compare_exchange_strong))
#define ALL(SPACE, KIND)                                                                                               \
  INTEGER(SPACE, KIND, atomic_int, int)                                                                                \
  INTEGER(SPACE, KIND, atomic_uint, uint)                                                                              \
  INTEGER(SPACE, KIND, atomic_long, long)                                                                              \
  INTEGER(SPACE, KIND, atomic_ulong, ulong)                                                                            \
  FLOATING(SPACE, KIND, atomic_float, float)                                                                           \
  FLOATING(SPACE, KIND, atomic_double, double)
ALL(global, global)
ALL(local, local)
ALL(__generic, generic)

#define CHECK_1X(CALL, NOW)                                                                                            \
  *p = x;                                                                                                              \
  wrong += CALL != x || *p != (NOW);
#define PREFIX(T, NAME)                                                                                                \
  CHECK_1X(NAME##_add(p, y), (T)(x + y))                                                                               \
  CHECK_1X(NAME##_sub(p, y), (T)(x - y))                                                                               \
  CHECK_1X(NAME##_xchg(p, y), y)                                                                                       \
  CHECK_1X(NAME##_inc(p), (T)(x + 1))                                                                                  \
  CHECK_1X(NAME##_dec(p), (T)(x - 1))                                                                                  \
  CHECK_1X(NAME##_cmpxchg(p, x, y), y)                                                                                 \
  CHECK_1X(NAME##_cmpxchg(p, x + 1, y), x)                                                                             \
  CHECK_1X(NAME##_min(p, y), x < y ? x : y)                                                                            \
  CHECK_1X(NAME##_max(p, y), x > y ? x : y)                                                                            \
  CHECK_1X(NAME##_and(p, y), (T)(x & y))                                                                               \
  CHECK_1X(NAME##_or(p, y), (T)(x | y))                                                                                \
  CHECK_1X(NAME##_xor(p, y), (T)(x ^ y))
#define OLD(SPACE, T, ...)                                                                                             \
  ulong old_##SPACE##_##T(volatile SPACE T *p, global T *a, global T *b, uint n) {                                     \
    ulong wrong = 0;                                                                                                   \
    for (uint i = 0; i < n; ++i) {                                                                                     \
      T x = a[i], y = b[i];                                                                                            \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
    return wrong;                                                                                                      \
  }
#define OLD_SPACE(SPACE)                                                                                               \
  OLD(SPACE, int, PREFIX(int, atomic) PREFIX(int, atom))                                                               \
  OLD(SPACE, uint, PREFIX(uint, atomic) PREFIX(uint, atom))                                                            \
  OLD(SPACE, long, PREFIX(long, atom))                                                                                 \
  OLD(SPACE, ulong, PREFIX(ulong, atom))                                                                               \
  OLD(SPACE, float, CHECK_1X(atomic_xchg(p, y), y))
OLD_SPACE(global)
OLD_SPACE(local)

uint flags(global int *word) {
  volatile global atomic_flag *flag = (volatile global atomic_flag *)word;
  uint wrong = 0;
  *word = 0;
  wrong += atomic_flag_test_and_set(flag) || !atomic_flag_test_and_set(flag);
  atomic_flag_clear(flag);
  wrong += *word != 0 || atomic_flag_test_and_set_explicit(flag, memory_order_acquire);
  atomic_flag_clear_explicit(flag, memory_order_release);
  wrong += *word != 0 || atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device);
  atomic_flag_clear_explicit(flag, memory_order_release, memory_scope_work_group);
  return wrong + (*word != 0);
}

// Run by several threads at once; counters holds one of each kind.
void contend(global int *counters, global float *sum, global double *least, uint thread, uint rounds) {
  volatile global atomic_int *atomic = (volatile global atomic_int *)counters;
  for (uint i = 0; i < rounds; ++i) {
    atomic_add(counters, 1);
    atomic_fetch_add_explicit(atomic + 1, 2, memory_order_relaxed, memory_scope_device);
    int expected = atomic_load(atomic + 2);
    while (!atomic_compare_exchange_weak(atomic + 2, &expected, expected + 3)) {
    }
    atomic_fetch_add((volatile global atomic_float *)sum, 1.0f);
    atomic_fetch_min((volatile global atomic_double *)least, -(double)(thread * rounds + i));
    // A lock around a plain variable.
    while (atomic_flag_test_and_set_explicit((volatile global atomic_flag *)(counters + 3), memory_order_acquire)) {
    }
    counters[4] += 1;
    atomic_flag_clear_explicit((volatile global atomic_flag *)(counters + 3), memory_order_release);
  }
}

// Message passing by fences: 1 if the message had come when the flag had.
void send(global int *data, volatile global atomic_int *ready, int message) {
  *data = message;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  atomic_store_explicit(ready, message, memory_order_relaxed);
}
int receive(global int *data, volatile global atomic_int *ready, int message) {
  while (atomic_load_explicit(ready, memory_order_relaxed) != message) {
  }
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  read_mem_fence(CLK_LOCAL_MEM_FENCE);
  write_mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  return *data == message;
}
