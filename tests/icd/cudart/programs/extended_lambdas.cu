// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that a function of the host hands to kernels, with what they have captured; and groups that a header library
// has declared before cooperative_groups.h is included.
//! nvcc: --extended-lambda -std=c++17
//! nvcc: -expt-extended-lambda -std=c++20
namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename ParentT> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "../check.h"
#include <cooperative_groups.h>

template <class F> __global__ void forEach(int *values, int n, F function) {
  const int i = cooperative_groups::this_grid().thread_rank();
  if (i < n) values[i] = function(values[i]);
}

template <class F> void transform(int *values, int n, F function) {
  // What CCCL asks of a function that it is given.
  static_assert(!__nv_is_extended_device_lambda_closure_type(F) ||
                    __nv_is_extended_host_device_lambda_closure_type(F) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(F),
                "a lambda of the device's whose result is asked for");
  forEach<<<(n + 63) / 64, 64>>>(values, n, function);
}

int main() {
  const int n = 1000;
  int *values, factor = 3;
  OK(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = i;
  transform(values, n, [=] __device__(int x) { return x * factor; });
  const auto plusOne = [] __host__ __device__(int x) { return x + 1; };
  transform(values, n, plusOne);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) CHECK(values[i] == plusOne(3 * i));
  return failures != 0;
}
