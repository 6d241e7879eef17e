// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What small launches take, in wall time and in CPU time of all threads. Each is waited for, or 32 are enqueued and
// then waited for, or the program sleeps for a while after each, so that workers that wait awake show. Prints a JSON
// object: {launch: [wall us, CPU us]}, the medians of `rounds`. With names of launches, those alone.
//
//   small_launches [rounds] [launch...]
#include "benchmarks/opencl_device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace us::benchmarks;

constexpr const char *kSource = R"(
kernel void nothing(global float *a, global const float *b, int n) { if (n == -1 && get_global_id(0) == 0) a[0] = 1; }
kernel void triad(global float *a, global const float *b, int n) {
  size_t i = get_global_id(0);
  a[i] = b[i] + 3 * b[i + n];
}
// As n bodies pull at one: 64 of them each time.
kernel void pull(global float *a, global const float *b, int n) {
  size_t i = get_global_id(0);
  float x = b[i], sum = 0;
  for (int k = 0; k < 64; ++k) {
    float d = b[k] - x, r = d * d + 0.01f;
    sum += d * native_rsqrt(r) / r;
  }
  a[i] = sum;
}
// Some groups have much more to do than others.
kernel void uneven(global float *a, global const float *b, int n) {
  size_t i = get_global_id(0);
  float x = b[i];
  int turns = get_group_id(0) % 16 == 0 ? 512 : 8;
  for (int k = 0; k < turns; ++k) x = x * 0.999f + b[k];
  a[i] = x;
}
)";

struct Launch {
  std::string name;
  const char *kernel;
  size_t items, local;
  int each; ///< enqueued before it waits
  double sleepUs = 0;
};

std::vector<Launch> launches() {
  std::vector<Launch> all;
  const auto add = [&](const std::string &name, const char *kernel, size_t items, size_t local) {
    all.push_back({name + ", waited for", kernel, items, local, 1});
    all.push_back({name + ", 32 of them", kernel, items, local, 32});
    all.push_back({name + ", sleeping 500 us", kernel, items, local, 1, 500});
  };
  for (size_t groups : {1, 4, 16, 256, 4096})
    add(std::to_string(groups) + " groups of nothing", "nothing", groups * 64, 64);
  for (size_t items : {16384, 65536, 262144}) add("triad of " + std::to_string(items), "triad", items, 256);
  for (size_t items : {1024, 4096, 16384, 65536}) add("pull of " + std::to_string(items), "pull", items, 64);
  add("uneven of 65536", "uneven", 65536, 64);
  all.push_back({"pull of 16 Mi", "pull", size_t(16) << 20, 256, 1});
  return all;
}

double cpuMicroseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

double median(std::vector<double> figures) {
  std::nth_element(figures.begin(), figures.begin() + figures.size() / 2, figures.end());
  return figures[figures.size() / 2];
}

/// Linux accounts for threads on other cores some milliseconds late: a round is long beside that.
constexpr double kRoundUs = 60'000;

} // namespace

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
  Device d;
  cl_mem a = d.buffer(size_t(16) << 22), b = d.buffer(size_t(16) << 22);
  const cl_float value = 0.5f;
  const cl_int n = 16;
  for (cl_mem buffer : {a, b})
    clEnqueueFillBuffer(d.queue, buffer, &value, sizeof value, 0, size_t(16) << 22, 0, nullptr, nullptr);
  bool first = true;
  std::printf("{");
  for (const Launch &launch : launches()) {
    if (!wanted.empty() && std::ranges::find(wanted, launch.name) == wanted.end()) continue;
    // Each its own kernel: what one has cost says nothing about another.
    cl_kernel kernel = d.kernel(kSource, launch.kernel);
    clSetKernelArg(kernel, 0, sizeof a, &a);
    clSetKernelArg(kernel, 1, sizeof b, &b);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    double busy = 0;
    const auto once = [&] {
      const auto start = Clock::now();
      for (int i = 0; i < launch.each; ++i) d.launch(kernel, launch.items, launch.local);
      clFinish(d.queue);
      busy += microseconds(start);
      if (launch.sleepUs > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(launch.sleepUs));
    };
    // Until its code is the optimized one, and its cost known.
    auto begin = Clock::now();
    for (int i = 0; i < 3 || (microseconds(begin) < kRoundUs && i < 5000); ++i) once();
    std::vector<double> wall, cpu;
    for (int round = 0; round < rounds; ++round) {
      int calls = 0;
      busy = 0;
      const double cpuBefore = cpuMicroseconds();
      for (begin = Clock::now(); microseconds(begin) < kRoundUs; ++calls) once();
      wall.push_back(busy / calls / launch.each);
      cpu.push_back((cpuMicroseconds() - cpuBefore) / calls / launch.each);
    }
    std::printf("%s\n \"%s\": [%.3f, %.3f]", first ? "" : ",", launch.name.c_str(), median(wall), median(cpu));
    std::fflush(stdout);
    first = false;
    clReleaseKernel(kernel);
  }
  std::printf("\n}\n");
}
