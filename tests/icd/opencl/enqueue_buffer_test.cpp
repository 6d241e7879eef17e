// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <numeric>

namespace us::test {
namespace {

class Transfer : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    cl_int error = 0;
    other_ = keep(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext);
    foreign_ = keep(clCreateBuffer(other_, 0, 64, nullptr, &error), clReleaseMemObject);
    foreignEvent_ = keep(clCreateUserEvent(other_, &error), clReleaseEvent);
    buffer_ = makeBuffer(64);
    hostReads_ = makeBuffer(64, CL_MEM_HOST_READ_ONLY);
    hostWrites_ = makeBuffer(64, CL_MEM_HOST_WRITE_ONLY);
    hidden_ = makeBuffer(64, CL_MEM_HOST_NO_ACCESS);
  }
  std::vector<unsigned char> contents(cl_mem buffer, size_t size) {
    std::vector<unsigned char> bytes(size);
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }
  /// A buffer of the bytes 0, 1, 2 …
  cl_mem counting(size_t size) {
    std::vector<unsigned char> bytes(size);
    std::iota(bytes.begin(), bytes.end(), 0);
    return makeBuffer(size, CL_MEM_COPY_HOST_PTR, bytes.data());
  }
  cl_context other_ = nullptr;
  cl_mem foreign_ = nullptr, buffer_ = nullptr, hostReads_ = nullptr, hostWrites_ = nullptr, hidden_ = nullptr;
  cl_event foreignEvent_ = nullptr;
  char host_[64] = {};
};

TEST_F(Transfer, clEnqueueReadBuffer) {
  auto read = [&](cl_mem from, size_t offset, size_t size, void *to, cl_uint count = 0,
                  const cl_event *list = nullptr) {
    return clEnqueueReadBuffer(queue, from, CL_TRUE, offset, size, to, count, list, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, read(counting(64), 3, 4, host_));
  EXPECT_EQ(6, host_[3]);
  EXPECT_CL(CL_SUCCESS, read(hostReads_, 0, 1, host_));
  EXPECT_CL(CL_SUCCESS, read(buffer_, 64, 0, host_));
  EXPECT_CL(CL_INVALID_VALUE, read(buffer_, 0, 65, host_));
  EXPECT_CL(CL_INVALID_VALUE, read(buffer_, 65, 0, host_));
  EXPECT_CL(CL_INVALID_VALUE, read(buffer_, 8, SIZE_MAX, host_));
  EXPECT_CL(CL_INVALID_VALUE, read(buffer_, 0, 4, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, read(hostWrites_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_OPERATION, read(hidden_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_CONTEXT, read(foreign_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_CONTEXT, read(buffer_, 0, 4, host_, 1, &foreignEvent_));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, read(nullptr, 0, 4, host_));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, read(buffer_, 0, 4, host_, 1, nullptr));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, read(buffer_, 0, 4, host_, 0, &foreignEvent_));
  cl_event bad = reinterpret_cast<cl_event>(buffer_);
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, read(buffer_, 0, 4, host_, 1, &bad));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(reinterpret_cast<cl_command_queue>(context), buffer_, CL_TRUE,
                                                          0, 4, host_, 0, nullptr, nullptr));
  // A blocking read behind a failed event.
  cl_event failed = makeUserEvent();
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(failed, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, read(buffer_, 0, 4, host_, 1, &failed));
}

TEST_F(Transfer, clEnqueueWriteBuffer) {
  auto write = [&](cl_mem to, size_t offset, size_t size, const void *from) {
    return clEnqueueWriteBuffer(queue, to, CL_TRUE, offset, size, from, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, write(buffer_, 2, 3, "abc"));
  EXPECT_EQ('c', contents(buffer_, 64)[4]);
  EXPECT_CL(CL_SUCCESS, write(hostWrites_, 0, 1, host_));
  EXPECT_CL(CL_INVALID_VALUE, write(buffer_, 60, 5, host_));
  EXPECT_CL(CL_INVALID_VALUE, write(buffer_, 0, 4, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, write(hostReads_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_OPERATION, write(hidden_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_CONTEXT, write(foreign_, 0, 4, host_));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, write(nullptr, 0, 4, host_));
}

TEST_F(Transfer, clEnqueueCopyBuffer) {
  auto copy = [&](cl_mem from, cl_mem to, size_t a, size_t b, size_t size) {
    return clEnqueueCopyBuffer(queue, from, to, a, b, size, 0, nullptr, nullptr);
  };
  cl_mem from = counting(64);
  EXPECT_CL(CL_SUCCESS, copy(from, buffer_, 8, 0, 16));
  EXPECT_EQ(23, contents(buffer_, 64)[15]);
  EXPECT_CL(CL_SUCCESS, copy(from, from, 0, 32, 32));
  EXPECT_EQ(31, contents(from, 64)[63]);
  EXPECT_CL(CL_SUCCESS, copy(from, buffer_, 64, 64, 0));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, buffer_, 60, 0, 5));
  EXPECT_CL(CL_INVALID_VALUE, copy(from, buffer_, 0, 60, 5));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, 0, 31, 32));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(from, from, 4, 4, 1));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(from, foreign_, 0, 0, 4));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(from, nullptr, 0, 0, 4));
  // Sub-buffers of one buffer overlap where their buffer's bytes do.
  cl_mem whole = makeBuffer(1024);
  cl_buffer_region first{0, 512}, second{256, 512};
  cl_int error = 0;
  cl_mem a = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, &error), clReleaseMemObject);
  cl_mem b = keep(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &error), clReleaseMemObject);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(a, b, 200, 0, 100));
  EXPECT_CL(CL_SUCCESS, copy(a, b, 0, 0, 100));
}

TEST_F(Transfer, clEnqueueFillBuffer) {
  auto fill = [&](const void *pattern, size_t patternSize, size_t offset, size_t size) {
    return clEnqueueFillBuffer(queue, buffer_, pattern, patternSize, offset, size, 0, nullptr, nullptr);
  };
  unsigned char pattern[256] = {1, 2, 3, 4};
  EXPECT_CL(CL_SUCCESS, fill(pattern, 4, 8, 16));
  pattern[0] = 99; // the pattern was taken before the call returned
  EXPECT_EQ(1, contents(buffer_, 64)[20]);
  for (size_t size : {0, 3, 256}) EXPECT_CL(CL_INVALID_VALUE, fill(pattern, size, 0, 0)) << size;
  EXPECT_CL(CL_INVALID_VALUE, fill(nullptr, 4, 0, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(pattern, 4, 2, 16));
  EXPECT_CL(CL_INVALID_VALUE, fill(pattern, 4, 0, 6));
  EXPECT_CL(CL_INVALID_VALUE, fill(pattern, 4, 60, 8));
  EXPECT_CL(CL_SUCCESS, fill(pattern, 4, 64, 0));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, nullptr, pattern, 4, 0, 4, 0, nullptr, nullptr));
}

TEST_F(Transfer, clEnqueueMigrateMemObjects) {
  cl_mem both[] = {buffer_, hidden_};
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueMigrateMemObjects(queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_EQ(cl_command_type(CL_COMMAND_MIGRATE_MEM_OBJECTS),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, both, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, nullptr, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, both, 1 << 9, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 1, &foreign_, 0, 0, nullptr, nullptr));
  cl_mem none = nullptr;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 1, &none, 0, 0, nullptr, nullptr));
}

const size_t kZero[3] = {0, 0, 0};

TEST_F(Transfer, clEnqueueReadBufferRect) {
  // An 8 x 8 picture; read the 3 x 2 box at (2, 3) into rows of 4.
  cl_mem picture = counting(64);
  const size_t at[3] = {2, 3, 0}, box[3] = {3, 2, 1}, empty[3] = {3, 0, 1}, far[3] = {6, 7, 0};
  unsigned char rows[8] = {};
  auto read = [&](const size_t *origin, const size_t *region, size_t row, size_t slice, void *to = nullptr) {
    return clEnqueueReadBufferRect(queue, picture, CL_TRUE, origin, kZero, region, row, slice, 4, 0, to, 0, nullptr,
                                   nullptr);
  };
  EXPECT_CL(CL_SUCCESS, read(at, box, 8, 0, rows));
  EXPECT_EQ(26, rows[0]);
  EXPECT_EQ(36, rows[6]);
  EXPECT_CL(CL_INVALID_VALUE, read(at, empty, 8, 0, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(at, box, 2, 0, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(at, box, 8, 12, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(at, box, 8, 20, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(far, box, 8, 0, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(nullptr, box, 8, 0, rows));
  EXPECT_CL(CL_INVALID_VALUE, read(at, box, 8, 0, nullptr));
  const size_t huge[3] = {0, SIZE_MAX / 4, 0};
  EXPECT_CL(CL_INVALID_VALUE, read(huge, box, 8, 0, rows));
  EXPECT_CL(CL_INVALID_OPERATION,
            clEnqueueReadBufferRect(queue, hidden_, CL_TRUE, at, kZero, box, 8, 0, 4, 0, rows, 0, nullptr, nullptr));
}

TEST_F(Transfer, clEnqueueWriteBufferRect) {
  const size_t at[3] = {1, 1, 1}, box[3] = {2, 2, 2};
  const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned char zero = 0;
  EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer_, &zero, 1, 0, 64, 0, nullptr, nullptr));
  // A 4 x 4 x 4 volume.
  EXPECT_CL(CL_SUCCESS,
            clEnqueueWriteBufferRect(queue, buffer_, CL_TRUE, at, kZero, box, 4, 16, 0, 0, bytes, 0, nullptr, nullptr));
  auto volume = contents(buffer_, 64);
  EXPECT_EQ(1, volume[16 + 4 + 1]);
  EXPECT_EQ(8, volume[32 + 8 + 2]);
  EXPECT_EQ(0, volume[16 + 4 + 3]);
  EXPECT_CL(CL_INVALID_OPERATION, clEnqueueWriteBufferRect(queue, hostReads_, CL_TRUE, at, kZero, box, 4, 16, 0, 0,
                                                           bytes, 0, nullptr, nullptr));
}

TEST_F(Transfer, clEnqueueCopyBufferRect) {
  cl_mem picture = counting(64);
  const size_t a[3] = {0, 0, 0}, b[3] = {4, 4, 0}, c[3] = {1, 1, 0}, box[3] = {2, 2, 1};
  auto copy = [&](cl_mem to, const size_t *from, const size_t *at, size_t fromRow, size_t toRow) {
    return clEnqueueCopyBufferRect(queue, picture, to, from, at, box, fromRow, 0, toRow, 0, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, copy(buffer_, b, a, 8, 4));
  EXPECT_EQ(45, contents(buffer_, 64)[5]);
  EXPECT_CL(CL_SUCCESS, copy(picture, a, b, 8, 8));
  EXPECT_EQ(9, contents(picture, 64)[45]);
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(picture, a, c, 8, 8));
  EXPECT_CL(CL_INVALID_VALUE, copy(picture, a, b, 8, 4));
  EXPECT_CL(CL_INVALID_VALUE, copy(buffer_, a, nullptr, 8, 8));
  EXPECT_CL(CL_INVALID_CONTEXT, copy(foreign_, a, b, 8, 8));
}

TEST_F(Transfer, clEnqueueMapBuffer) {
  cl_int error = 0;
  auto map = [&](cl_mem buffer, cl_map_flags flags, size_t offset, size_t size) {
    error = 99;
    return static_cast<char *>(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &error));
  };
  auto fails = [&](cl_int code, cl_mem buffer, cl_map_flags flags, size_t offset, size_t size) {
    EXPECT_EQ(nullptr, map(buffer, flags, offset, size));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_VALUE, buffer_, CL_MAP_READ, 0, 0);
  fails(CL_INVALID_VALUE, buffer_, CL_MAP_READ, 60, 5);
  fails(CL_INVALID_VALUE, buffer_, 1 << 8, 0, 4);
  fails(CL_INVALID_VALUE, buffer_, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4);
  fails(CL_INVALID_OPERATION, hostWrites_, CL_MAP_READ, 0, 4);
  fails(CL_INVALID_OPERATION, hostReads_, CL_MAP_WRITE, 0, 4);
  fails(CL_INVALID_OPERATION, hidden_, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4);
  fails(CL_INVALID_CONTEXT, foreign_, CL_MAP_READ, 0, 4);
  fails(CL_INVALID_MEM_OBJECT, nullptr, CL_MAP_READ, 0, 4);
  char *written = map(buffer_, CL_MAP_WRITE, 8, 8);
  ASSERT_CL(error);
  EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_MAP_COUNT, buffer_));
  // "CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped for writing."
  fails(CL_INVALID_OPERATION, buffer_, CL_MAP_WRITE, 12, 8);
  std::memset(written, 5, 8);
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer_, written, 0, nullptr, nullptr));
  EXPECT_EQ(5, contents(buffer_, 64)[15]);
}

TEST_F(Transfer, clEnqueueUnmapMemObject) {
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer_, host_, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer_, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, nullptr, host_, 0, nullptr, nullptr));
  cl_int error = 0;
  void *pointer = clEnqueueMapBuffer(queue, buffer_, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error);
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, hidden_, pointer, 0, nullptr, nullptr));
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer_, pointer, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_EQ(cl_command_type(CL_COMMAND_UNMAP_MEM_OBJECT),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer_, pointer, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &done));
}

} // namespace
} // namespace us::test
