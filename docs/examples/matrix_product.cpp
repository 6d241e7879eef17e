// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary OpenCL program: a tiled matrix product with local memory and barriers, checked against the host.
#include <CL/cl.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const char *kSource = R"(
#define TILE 16
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float tileA[TILE][TILE], tileB[TILE][TILE];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    tileA[ly][lx] = a[y * n + t + lx];
    tileB[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += tileA[ly][k] * tileB[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
)";

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed: %d\n", what, status);
  std::exit(1);
}

int main() {
  const int n = 512;
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  char name[256];
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr), "clGetDeviceInfo");

  cl_int status;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &status);
  check(status, "clCreateCommandQueueWithProperties");
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "product", &status);
  check(status, "clCreateKernel");

  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 17) - 8;
    b[i] = static_cast<float>(i % 23) / 23;
  }
  size_t bytes = sizeof(float) * n * n;
  cl_mem bufferA = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a.data(), &status);
  check(status, "clCreateBuffer");
  cl_mem bufferB = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b.data(), &status);
  check(status, "clCreateBuffer");
  cl_mem bufferC = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, nullptr, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof bufferA, &bufferA), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof bufferB, &bufferB), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof bufferC, &bufferC), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");

  size_t global[] = {n, n}, local[] = {16, 16};
  cl_ulong best = ~cl_ulong(0);
  for (int run = 0; run < 5; ++run) {
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    cl_ulong start, end;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr), "start time");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "end time");
    if (end - start < best) best = end - start;
    clReleaseEvent(event);
  }
  check(clEnqueueReadBuffer(queue, bufferC, CL_TRUE, 0, bytes, c.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");

  double worst = 0;
  for (int y = 0; y < n; y += 7)
    for (int x = 0; x < n; x += 5) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += double(a[y * n + k]) * double(b[k * n + x]);
      worst = std::fmax(worst, std::fabs(sum - c[y * n + x]) / (1 + std::fabs(sum)));
    }
  std::printf("%d x %d matrix product on '%s': %.2f ms, %.1f Gflop/s, largest relative error %.1e\n", n, n, name,
              double(best) * 1e-6, 2.0 * n * n * n / double(best), worst);
  clReleaseMemObject(bufferA);
  clReleaseMemObject(bufferB);
  clReleaseMemObject(bufferC);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return worst < 1e-4 ? 0 : 1;
}
