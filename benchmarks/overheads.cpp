// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overheads of the OpenCL platform that the ICD loader shows. `cold` and `warm`: process start to first result;
// `steady`: launches, small transfers, builds. Prints a JSON object of figures.
#include "benchmarks/opencl_device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace us::benchmarks;

/// Milliseconds since this process was started, from the kernel's own record.
double processAgeMs() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const char *at = std::strrchr(text.c_str(), ')') + 1;
  unsigned long long start = 0;
  for (int field = 3; field <= 22 && at; ++field) {
    start = std::strtoull(at + 1, nullptr, 10);
    at = std::strchr(at + 1, ' ');
  }
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6 - double(start) * 10;
}

double residentMb() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096 / 1e6;
}

std::string saxpy(const std::string &name) {
  return "kernel void " + name +
         "(global float *y, global const float *x, float a) {"
         " int i = get_global_id(0); y[i] = a * x[i] + y[i]; }";
}

/// Builds, runs and checks one small kernel.
void firstResult(Device &d, const std::string &name) {
  cl_kernel kernel = d.kernel(saxpy(name), name.c_str());
  std::vector<float> x(1024, 2), y(1024, 3);
  cl_mem bufferX = d.buffer(4096), bufferY = d.buffer(4096);
  clEnqueueWriteBuffer(d.queue, bufferX, CL_FALSE, 0, 4096, x.data(), 0, nullptr, nullptr);
  clEnqueueWriteBuffer(d.queue, bufferY, CL_FALSE, 0, 4096, y.data(), 0, nullptr, nullptr);
  float a = 4;
  clSetKernelArg(kernel, 0, sizeof bufferY, &bufferY);
  clSetKernelArg(kernel, 1, sizeof bufferX, &bufferX);
  clSetKernelArg(kernel, 2, sizeof a, &a);
  d.launch(kernel, 1024, 64);
  check(clEnqueueReadBuffer(d.queue, bufferY, CL_TRUE, 0, 4096, y.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");
  if (y[0] != 11 || y[1023] != 11) check(-1, "the result");
}

/// The median over batches of the microseconds of one call.
double perCall(int batches, int calls, const std::function<void()> &call) {
  std::vector<double> figures;
  for (int b = 0; b < batches; ++b) {
    auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    figures.push_back(microseconds(begin) / calls);
  }
  std::nth_element(figures.begin(), figures.begin() + batches / 2, figures.end());
  return figures[batches / 2];
}

/// A program of `kernels` kernels of some fifty lines each, all different.
std::string largeProgram(int kernels) {
  std::string source;
  for (int k = 0; k < kernels; ++k) {
    std::string n = std::to_string(k);
    source += "float helper" + n +
              "(float x, int r) {\n  float s = x;\n  for (int i = 0; i < r; ++i) {\n"
              "    s = s * 0.99f + native_sin(s + " +
              n +
              ".0f);\n    if (s > 2.0f) s -= exp(-s);\n"
              "    else s += sqrt(fabs(s)) * 0.5f;\n  }\n  return s;\n}\n";
    source += "kernel void k" + n +
              "(global const float *a, global float *b, local float *t, int n) {\n"
              "  int g = get_global_id(0), l = get_local_id(0), w = get_local_size(0);\n"
              "  float4 v = vload4(l & 3, a);\n  t[l] = a[g] + v.x;\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
    for (int i = 0; i < 6; ++i)
      source += "  float p" + std::to_string(i) + " = t[(l + " + std::to_string(i + k) +
                ") % w];\n"
                "  p" +
                std::to_string(i) + " = mad(p" + std::to_string(i) +
                ", v.y, v.z);\n"
                "  if (p" +
                std::to_string(i) + " > 100.0f)\n    p" + std::to_string(i) + " = fmod(p" + std::to_string(i) +
                ", 7.0f);\n";
    source += "  barrier(CLK_LOCAL_MEM_FENCE);\n  for (int d = w / 2; d > 0; d /= 2) {\n    if (l < d)\n      t[l] += "
              "t[l + d];\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  float r = helper" +
              n +
              "(p0 + p1 * p2 - p3 + p4 * p5, n);\n"
              "  int4 q = convert_int4_sat(v * r);\n  b[g] = r + t[0] + q.x + clamp(q.y, -5, 5);\n}\n";
  }
  return source;
}

void print(const std::vector<std::pair<std::string, double>> &figures) {
  std::printf("{");
  for (size_t i = 0; i < figures.size(); ++i)
    std::printf("%s\"%s\": %.4f", i ? ", " : "", figures[i].first.c_str(), figures[i].second);
  std::printf("}\n");
}

void start(const char *mode) {
  Device d;
  double before = residentMb();
  firstResult(d, "saxpy");
  // The process record counts in hundredths of a second, so this is good to 10 ms; the median of rounds does better.
  std::string name = std::string("process start to first result, ") + mode;
  print({{name + ", ms", processAgeMs()},
         {"resident before the first build, MB", before},
         {std::string("resident after the first result, ") + mode + ", MB", residentMb()}});
}

void steady() {
  Device d;
  // Another name is another program, and other code: no cache helps, and the first one wakes the compiler.
  auto newProgram = [&] { firstResult(d, "saxpy" + std::to_string(Clock::now().time_since_epoch().count())); };
  newProgram();
  std::vector<std::pair<std::string, double>> figures;
  auto second = Clock::now();
  newProgram();
  figures.emplace_back("second small program built and run, ms", microseconds(second) / 1000);

  cl_kernel empty = d.kernel("kernel void e(global int *p) { if (p && get_global_id(0) == 1000000) p[0] = 1; }", "e");
  cl_mem buffer = d.buffer(1 << 20);
  clSetKernelArg(empty, 0, sizeof buffer, &buffer);
  d.launch(empty, 1, 1);
  clFinish(d.queue);
  figures.emplace_back("launch of 1 item + finish, us", perCall(41, 200, [&] {
                         d.launch(empty, 1, 1);
                         clFinish(d.queue);
                       }));
  d.launch(empty, 16384, 64);
  clFinish(d.queue);
  figures.emplace_back("launch of 256 groups of 64 + finish, us", perCall(41, 100, [&] {
                         d.launch(empty, 16384, 64);
                         clFinish(d.queue);
                       }));
  figures.emplace_back("10,000 enqueues then finish, us each", perCall(5, 1, [&] {
                                                                 for (int i = 0; i < 10000; ++i) d.launch(empty, 1, 1);
                                                                 clFinish(d.queue);
                                                               }) / 10000);
  int word = 0;
  figures.emplace_back("blocking read of 4 bytes, us", perCall(41, 200, [&] {
                         clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr);
                       }));
  figures.emplace_back("blocking write of 4 bytes, us", perCall(41, 200, [&] {
                         clEnqueueWriteBuffer(d.queue, buffer, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr);
                       }));
  figures.emplace_back("map and unmap of 1 MB, us", perCall(41, 100, [&] {
                         cl_int status;
                         void *at = clEnqueueMapBuffer(d.queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 1 << 20,
                                                       0, nullptr, nullptr, &status);
                         clEnqueueUnmapMemObject(d.queue, buffer, at, 0, nullptr, nullptr);
                         clFinish(d.queue);
                       }));
  void *shared = clSVMAlloc(d.context, CL_MEM_READ_WRITE, 1 << 20, 0);
  if (shared && clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_READ, shared, 1 << 20, 0, nullptr, nullptr) == CL_SUCCESS) {
    clEnqueueSVMUnmap(d.queue, shared, 0, nullptr, nullptr);
    figures.emplace_back("SVM map and unmap of 1 MB, us", perCall(41, 100, [&] {
                           clEnqueueSVMMap(d.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, shared, 1 << 20, 0, nullptr,
                                           nullptr);
                           clEnqueueSVMUnmap(d.queue, shared, 0, nullptr, nullptr);
                           clFinish(d.queue);
                         }));
    clSVMFree(d.context, shared);
  }

  size_t large = 256 << 20;
  cl_mem bigA = d.buffer(large), bigB = d.buffer(large);
  std::vector<char> host(large, 1);
  auto gigabytes = [&](const std::function<void()> &call) {
    call();
    return double(large) / 1e3 / perCall(3, 1, [&] {
             call();
             clFinish(d.queue);
           });
  };
  figures.emplace_back("write 256 MB, GB/s", gigabytes([&] {
                         clEnqueueWriteBuffer(d.queue, bigA, CL_TRUE, 0, large, host.data(), 0, nullptr, nullptr);
                       }));
  figures.emplace_back("read 256 MB, GB/s", gigabytes([&] {
                         clEnqueueReadBuffer(d.queue, bigA, CL_TRUE, 0, large, host.data(), 0, nullptr, nullptr);
                       }));
  figures.emplace_back("copy 256 MB, GB/s",
                       gigabytes([&] { clEnqueueCopyBuffer(d.queue, bigA, bigB, 0, 0, large, 0, nullptr, nullptr); }));
  figures.emplace_back("fill 256 MB, GB/s",
                       gigabytes([&] { clEnqueueFillBuffer(d.queue, bigA, &word, 4, 0, large, 0, nullptr, nullptr); }));

  constexpr int kernels = 14;
  std::string source = largeProgram(kernels) + "// " + std::to_string(Clock::now().time_since_epoch().count());
  auto begin = Clock::now();
  cl_int status;
  const char *text = source.c_str();
  cl_program program = clCreateProgramWithSource(d.context, 1, &text, nullptr, &status);
  check(clBuildProgram(program, 1, &d.device, "", nullptr, nullptr), "clBuildProgram");
  figures.emplace_back("14-kernel program: build, ms", microseconds(begin) / 1000);
  int n = 2;
  for (int k = 0; k < kernels; ++k) {
    cl_kernel kernel = clCreateKernel(program, ("k" + std::to_string(k)).c_str(), &status);
    check(status, "clCreateKernel");
    clSetKernelArg(kernel, 0, sizeof bigA, &bigA);
    clSetKernelArg(kernel, 1, sizeof bigB, &bigB);
    clSetKernelArg(kernel, 2, 64 * 4, nullptr);
    clSetKernelArg(kernel, 3, sizeof n, &n);
    d.launch(kernel, 256, 64);
  }
  check(clFinish(d.queue), "clFinish");
  figures.emplace_back("14-kernel program: build and run all, ms", microseconds(begin) / 1000);
  print(figures);
}

} // namespace

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "steady";
  mode == "steady" ? steady() : start(mode.c_str());
}
