// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: what the calls check, and that host, kernels and commands see one memory.
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>
#include <numeric>

namespace us::test {
namespace {

class Svm : public OpenCl {
protected:
  void *alloc(size_t size, cl_svm_mem_flags flags = CL_MEM_READ_WRITE, cl_uint alignment = 0) {
    void *made = clSVMAlloc(context, flags, size, alignment);
    EXPECT_NE(nullptr, made);
    if (made) cleanup([=, this] { clSVMFree(context, made); });
    return made;
  }
  int *ints(size_t count) {
    auto *made = static_cast<int *>(alloc(count * sizeof(int)));
    std::iota(made, made + count, 0);
    return made;
  }
  cl_kernel kernel(const char *source) { return makeKernel(buildProgram(source, "-cl-std=CL3.0"), "k"); }
  cl_int launch(cl_kernel kernel, size_t global) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  }
  cl_command_queue notAQueue() { return reinterpret_cast<cl_command_queue>(context); }
  cl_context notAContext() { return reinterpret_cast<cl_context>(queue); }
  cl_kernel notAKernel() { return reinterpret_cast<cl_kernel>(queue); }
  cl_device_svm_capabilities capabilities() {
    return ask<cl_device_svm_capabilities>(clGetDeviceInfo, CL_DEVICE_SVM_CAPABILITIES, device);
  }
};

TEST_F(Svm, TheDeviceHasEveryKind) {
  EXPECT_EQ(cl_device_svm_capabilities(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                       CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS),
            capabilities());
}

TEST_F(Svm, clSVMAlloc) {
  const size_t largest = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device);
  for (cl_uint alignment : {0u, 1u, 2u, 64u, 128u, 4096u, 65536u}) {
    void *made = alloc(100, 0, alignment);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(made) % std::max(alignment, 128u));
    std::memset(made, 1, 100);
  }
  for (cl_svm_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_SVM_FINE_GRAIN_BUFFER,
                                 CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS})
    alloc(64, flags);
  EXPECT_EQ(nullptr, clSVMAlloc(notAContext(), 0, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, 0, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, largest + 1, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, SIZE_MAX, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, 64, 3));
}

TEST_F(Svm, SharedMemoryAndBuffersHaveOneAccount) {
  const size_t largest = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device);
  const size_t all = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_GLOBAL_MEM_SIZE, device);
  for (size_t sum = 2 * largest; sum <= all; sum += largest) alloc(largest);
  void *last = clSVMAlloc(context, 0, largest, 0);
  ASSERT_NE(nullptr, last);
  // No room: at once, and for a buffer when it is first needed.
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, largest, 0));
  cl_mem buffer = makeBuffer(largest);
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, nullptr, nullptr));
  // What a pending command will free is waited for.
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMFree(queue, 1, &last, nullptr, nullptr, 0, nullptr, nullptr));
  void *made = clSVMAlloc(context, 0, largest, 0);
  EXPECT_NE(nullptr, made);
  clSVMFree(context, made);
  EXPECT_CL(CL_SUCCESS, clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(Svm, clSVMFree) {
  clSVMFree(context, nullptr);
  EXPECT_FALSE(hasHeard("clSVMFree"));
  int value = 0;
  clSVMFree(context, &value);
  EXPECT_TRUE(eventually([&] { return hasHeard("is not the beginning of shared memory"); }));
  clSVMFree(notAContext(), &value);
}

TEST_F(Svm, FreeingWhatCommandsUseNamesThem) {
  cl_kernel k = kernel("kernel void k(global int *x) { x[get_global_id(0)] += 5; }");
  auto *x = static_cast<int *>(clSVMAlloc(context, 0, 4096, 0));
  ASSERT_NE(nullptr, x);
  std::memset(x, 0, 4096);
  cl_event gate = makeUserEvent(), done = nullptr;
  int result[1024] = {};
  ASSERT_CL(clSetKernelArgSVMPointer(k, 0, x));
  size_t global = 1024;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &global, nullptr, 1, &gate, nullptr));
  ASSERT_CL(clEnqueueSVMMemcpy(queue, CL_FALSE, result, x, sizeof result, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  clSVMFree(context, x); // does not wait
  EXPECT_TRUE(eventually([&] { return hasHeard("4096 bytes of shared memory"); }));
  EXPECT_TRUE(hasHeard("kernel 'k', a copy"));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &done));
  EXPECT_EQ(5, result[0]);
  EXPECT_EQ(5, result[1023]);
}

struct Freed {
  std::atomic<int> calls{0};
  cl_context context = nullptr;
  std::vector<void *> pointers;
};

TEST_F(Svm, clEnqueueSVMFree) {
  auto enqueue = [&](cl_uint count, void **pointers) {
    return clEnqueueSVMFree(queue, count, pointers, nullptr, nullptr, 0, nullptr, nullptr);
  };
  int value = 0;
  void *wrong = &value;
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree(notAQueue(), 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, enqueue(0, &wrong));
  EXPECT_CL(CL_INVALID_VALUE, enqueue(1, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, enqueue(1, &wrong));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMFree(queue, 0, nullptr, nullptr, nullptr, 1, nullptr, nullptr));
  // A list with a null pointer; the list itself may go.
  void *pointers[] = {clSVMAlloc(context, 0, 64, 0), nullptr, clSVMAlloc(context, 0, 64, 0)};
  cl_event event = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMFree(queue, 3, pointers, nullptr, nullptr, 0, nullptr, &event));
  std::memset(pointers, 0, sizeof pointers);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &event));
  EXPECT_EQ(cl_command_type(CL_COMMAND_SVM_FREE), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, event));
  clReleaseEvent(event);
  EXPECT_CL(CL_SUCCESS, enqueue(0, nullptr));

  // With a callback, which may free anything: here one block, and memory of the host's.
  static Freed freed;
  freed.context = context;
  void *two[] = {clSVMAlloc(context, 0, 64, 0), &value};
  auto callback = [](cl_command_queue given, cl_uint count, void *list[], void *data) {
    auto *seen = static_cast<Freed *>(data);
    cl_context of = nullptr;
    clGetCommandQueueInfo(given, CL_QUEUE_CONTEXT, sizeof of, &of, nullptr);
    seen->pointers.assign(list, list + count);
    if (of == seen->context) clSVMFree(of, list[0]);
    ++seen->calls;
  };
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMFree(queue, 2, two, callback, &freed, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(1, freed.calls.load());
  ASSERT_EQ(2u, freed.pointers.size());
  EXPECT_EQ(two[0], freed.pointers[0]);
  EXPECT_EQ(&value, freed.pointers[1]);
}

TEST_F(Svm, AFreeThatFailsFreesNothing) {
  int *x = ints(16);
  cl_event failed = makeUserEvent();
  void *pointer = x;
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMFree(queue, 1, &pointer, nullptr, nullptr, 1, &failed, nullptr));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(failed, -7));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(15, x[15]);
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, x, 64, 0, nullptr, nullptr));
}

TEST_F(Svm, clEnqueueSVMMemcpy) {
  int *from = ints(64), *to = ints(64), host[64] = {};
  auto copy = [&](void *target, const void *source, size_t size) {
    return clEnqueueSVMMemcpy(queue, CL_TRUE, target, source, size, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, copy(to, from + 32, 128));
  EXPECT_EQ(63, to[31]);
  EXPECT_EQ(32, to[32]);
  EXPECT_CL(CL_SUCCESS, copy(host, to, 256)); // to the host's memory, from it, and within it
  EXPECT_EQ(63, host[31]);
  EXPECT_CL(CL_SUCCESS, copy(from, host, 4));
  EXPECT_EQ(32, from[0]);
  EXPECT_CL(CL_SUCCESS, copy(host, host + 31, 4));
  EXPECT_EQ(63, host[0]);
  EXPECT_CL(CL_SUCCESS, copy(from, to, 0));
  EXPECT_CL(CL_SUCCESS, copy(from, from, 0));
  EXPECT_CL(CL_SUCCESS, copy(from, from + 8, 32)); // neighbours
  EXPECT_CL(CL_INVALID_VALUE, copy(nullptr, from, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, nullptr, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, to, 257));
  EXPECT_CL(CL_INVALID_VALUE, copy(host, to + 60, 20));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from + 8, 33));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from + 8, from, 33));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, 4));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(host, host, 4));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(notAQueue(), CL_TRUE, to, from, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 4, 1, nullptr, nullptr));
  cl_event failed = makeUserEvent();
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(failed, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, 4, 1, &failed, nullptr));
}

TEST_F(Svm, clEnqueueSVMMemFill) {
  auto *bytes = static_cast<unsigned char *>(alloc(512));
  auto fill = [&](void *to, const void *pattern, size_t patternSize, size_t size) {
    return clEnqueueSVMMemFill(queue, to, pattern, patternSize, size, 0, nullptr, nullptr);
  };
  for (size_t size = 1; size <= 128; size *= 2) {
    unsigned char pattern[128];
    for (size_t i = 0; i < size; ++i) pattern[i] = static_cast<unsigned char>(i + size);
    std::memset(bytes, 0, 512);
    EXPECT_CL(CL_SUCCESS, fill(bytes + 128, pattern, size, 256));
    std::memset(pattern, 0xff, sizeof pattern); // it was taken before the call returned
    EXPECT_CL(CL_SUCCESS, clFinish(queue));
    EXPECT_EQ(0, bytes[127]);
    EXPECT_EQ(0, bytes[384]);
    for (size_t i = 0; i < 256; ++i) ASSERT_EQ((i % size) + size, bytes[128 + i]) << size;
  }
  int host[4] = {}, seven = 7;
  EXPECT_CL(CL_SUCCESS, fill(host, &seven, 4, 16)); // the device reaches all memory of the host
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(7, host[3]);
  EXPECT_CL(CL_SUCCESS, fill(bytes, &seven, 4, 0));
  EXPECT_CL(CL_INVALID_VALUE, fill(nullptr, &seven, 4, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, nullptr, 4, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, &seven, 0, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, &seven, 3, 15));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, host, 256, 256));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, &seven, 4, 14));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes + 2, &seven, 4, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(bytes, &seven, 4, 516));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill(notAQueue(), bytes, &seven, 4, 16, 0, nullptr, nullptr));
}

TEST_F(Svm, clEnqueueSVMMap) {
  int *x = ints(16);
  auto map = [&](void *pointer, size_t size, cl_map_flags flags) {
    return clEnqueueSVMMap(queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, map(x, 64, CL_MAP_READ | CL_MAP_WRITE));
  EXPECT_CL(CL_SUCCESS, map(x + 3, 4, CL_MAP_WRITE_INVALIDATE_REGION));
  EXPECT_CL(CL_INVALID_VALUE, map(nullptr, 64, CL_MAP_READ));
  EXPECT_CL(CL_INVALID_VALUE, map(x, 0, CL_MAP_READ));
  EXPECT_CL(CL_INVALID_VALUE, map(x, 65, CL_MAP_READ));
  EXPECT_CL(CL_INVALID_VALUE, map(x, 64, 1 << 10));
  EXPECT_CL(CL_INVALID_VALUE, map(x, 64, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMap(notAQueue(), CL_TRUE, CL_MAP_READ, x, 4, 0, nullptr, nullptr));
}

TEST_F(Svm, clEnqueueSVMUnmap) {
  int *x = ints(16);
  cl_event event = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueSVMUnmap(queue, x, 0, nullptr, &event));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &event));
  EXPECT_EQ(cl_command_type(CL_COMMAND_SVM_UNMAP), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, event));
  clReleaseEvent(event);
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(notAQueue(), x, 0, nullptr, nullptr));
  x[0] = 1; // stays the host's to read and write
  EXPECT_EQ(15, x[15]);
}

TEST_F(Svm, clEnqueueSVMMigrateMem) {
  int *x = ints(16), value = 0;
  const void *pointers[] = {x, x + 8};
  size_t sizes[] = {64, 32};
  auto migrate = [&](cl_uint count, const void **list, const size_t *bytes, cl_mem_migration_flags flags) {
    return clEnqueueSVMMigrateMem(queue, count, list, bytes, flags, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, migrate(2, pointers, sizes, 0));
  EXPECT_CL(CL_SUCCESS, migrate(2, pointers, nullptr, CL_MIGRATE_MEM_OBJECT_HOST));
  EXPECT_CL(CL_INVALID_VALUE, migrate(0, pointers, sizes, 0));
  EXPECT_CL(CL_INVALID_VALUE, migrate(2, nullptr, sizes, 0));
  EXPECT_CL(CL_INVALID_VALUE, migrate(2, pointers, sizes, 1 << 5));
  sizes[1] = 33;
  EXPECT_CL(CL_INVALID_VALUE, migrate(2, pointers, sizes, 0));
  const void *wrong = &value;
  EXPECT_CL(CL_INVALID_VALUE, migrate(1, &wrong, nullptr, 0));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clEnqueueSVMMigrateMem(notAQueue(), 1, pointers, nullptr, 0, 0, nullptr, nullptr));
}

TEST_F(Svm, clSetKernelArgSVMPointer) {
  cl_kernel k = kernel("kernel void k(global int *x, constant int *c, local int *l, int v) {"
                       "  size_t i = get_global_id(0); if (x) x[i] = x[i] * 2 + (c ? c[0] : 0); }");
  int *x = ints(64), *c = ints(4), four = 4, host[8] = {1, 2, 3};
  ASSERT_CL(clSetKernelArg(k, 2, 16, nullptr));
  ASSERT_CL(clSetKernelArg(k, 3, sizeof four, &four));
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, x + 60)); // the middle of an allocation
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 1, c + 3));
  EXPECT_CL(CL_SUCCESS, launch(k, 4));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(59, x[59]);
  EXPECT_EQ(123, x[60]);
  EXPECT_EQ(129, x[63]);
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, host)); // fine-grain system: any memory of the host
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 1, nullptr));
  EXPECT_CL(CL_SUCCESS, launch(k, 3));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(6, host[2]);
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, nullptr));
  EXPECT_CL(CL_SUCCESS, launch(k, 3));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  // A buffer in its place, and a pointer in the buffer's again.
  cl_mem buffer = makeBuffer(256, CL_MEM_COPY_HOST_PTR, x);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(k, 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_SUCCESS, launch(k, 64));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(129, x[63]);
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, x));
  EXPECT_CL(CL_SUCCESS, launch(k, 64));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(258, x[63]);

  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(notAKernel(), 0, x));
  EXPECT_CL(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(k, 4, x));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(k, 2, x));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(k, 3, x));
}

TEST_F(Svm, clSetKernelExecInfo) {
  struct Node {
    Node *next;
    int value;
  };
  cl_kernel k = kernel("typedef struct node { global struct node *next; int value; } Node;"
                       "kernel void k(global Node *n, global int *sum) {"
                       "  int all = 0; for (; n; n = n->next) all += n->value; *sum = all; }");
  auto *first = static_cast<Node *>(alloc(sizeof(Node))),
       *second = static_cast<Node *>(clSVMAlloc(context, 0, sizeof(Node), 0));
  int *sum = ints(1);
  Node third{nullptr, 400}; // the host's own
  *first = {second, 3};
  *second = {&third, 20};
  const void *pointers[] = {second};
  cl_bool yes = CL_TRUE;
  EXPECT_CL(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
  EXPECT_CL(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 0, first));
  EXPECT_CL(CL_SUCCESS, clSetKernelArgSVMPointer(k, 1, sum));
  cl_event gate = makeUserEvent();
  size_t one = 1;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 1, &gate, nullptr));
  clSVMFree(context, second); // the launch keeps what it was told of
  EXPECT_TRUE(eventually([&] { return hasHeard("kernel 'k'"); }));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(423, *sum);

  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelExecInfo(notAKernel(), CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, pointers));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, 0x1234, 8, pointers));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, pointers));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes));
}

TEST_F(Svm, BuffersOnSharedMemory) {
  int *x = ints(256);
  cl_mem buffer = makeBuffer(1024, CL_MEM_USE_HOST_PTR, x);
  EXPECT_EQ(cl_bool(CL_TRUE), ask<cl_bool>(clGetMemObjectInfo, CL_MEM_USES_SVM_POINTER, buffer));
  cl_buffer_region region{512, 64};
  cl_int error = 0;
  cl_mem part = keep(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
  EXPECT_EQ(cl_bool(CL_TRUE), ask<cl_bool>(clGetMemObjectInfo, CL_MEM_USES_SVM_POINTER, part));
  EXPECT_EQ(nullptr, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1025, x, &error));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, error);
  EXPECT_EQ(nullptr, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1024, x + 1, &error));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, error);
  cl_mem copied = makeBuffer(64, CL_MEM_COPY_HOST_PTR, x);
  EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(clGetMemObjectInfo, CL_MEM_USES_SVM_POINTER, copied));

  // One memory, whichever way it is named; pointers stored in a buffer lead back to it.
  struct Stored {
    int *pointer;
  } stored{x + 4};
  cl_mem holder = makeBuffer(sizeof stored, CL_MEM_COPY_HOST_PTR, &stored);
  cl_kernel k = kernel("typedef struct { global int *pointer; } Stored;"
                       "kernel void k(global Stored *s, global int *b) { s->pointer[0] = 77; b[0] += s->pointer[1]; }");
  ASSERT_CL(clSetKernelArg(k, 0, sizeof holder, &holder));
  ASSERT_CL(clSetKernelArg(k, 1, sizeof part, &part));
  ASSERT_CL(launch(k, 1));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(77, x[4]);
  EXPECT_EQ(128 + 5, x[128]);
}

TEST_F(Svm, ABufferKeepsTheMemoryItIsOn) {
  void *x = clSVMAlloc(context, 0, 256, 0);
  std::memset(x, 9, 256);
  cl_mem buffer = makeBuffer(256, CL_MEM_USE_HOST_PTR, x);
  clSVMFree(context, x);
  EXPECT_TRUE(eventually([&] { return hasHeard("a buffer or a blocking call"); }));
  unsigned char byte = 0;
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 255, 1, &byte, 0, nullptr, nullptr));
  EXPECT_EQ(9, byte);
}

TEST_F(Svm, AtomicsOfHostAndKernelMeet) {
  cl_kernel k = kernel("kernel void k(global atomic_int *x) { for (int i = 0; i < 100; ++i)"
                       "  atomic_fetch_add_explicit(x, 1, memory_order_seq_cst, memory_scope_all_svm_devices); }");
  auto *counter =
      static_cast<std::atomic<int> *>(alloc(sizeof(int), CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS));
  counter->store(0);
  ASSERT_CL(clSetKernelArgSVMPointer(k, 0, counter));
  ASSERT_CL(launch(k, 4096));
  ASSERT_CL(clFlush(queue));
  for (int i = 0; i < 100000; ++i) counter->fetch_add(1);
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(4096 * 100 + 100000, counter->load());
}

} // namespace
} // namespace us::test
