// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// What programs find without including anything: types, macros, defaults of arguments, functions of the host.
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "programs ask for these"
#endif

// CHECK: .visible .entry distances(
extern "C" __global__ void distances(ptrdiff_t *to, const int *a, const int *b) { *to = b - a; }

// CHECK: .visible .entry claims(
// CHECK: __assertfail
extern "C" __global__ void claims(const int *a) { assert(*a == 0); }

// Host code is not translated, but it is read.
long least(int i, unsigned u, long l, unsigned long ul, long long ll, float f, double d) {
  const float *numbers = nullptr;
  double *others = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  if (cudaMalloc(&numbers, 4) || cudaMalloc(&others, 8) || cudaMalloc((void **)&others, 8)) return 0;
  cudaMemcpyAsync(others, numbers, 4, cudaMemcpyDeviceToDevice);
  cudaMemcpy2DAsync(others, 4, numbers, 4, 4, 1, cudaMemcpyDeviceToDevice);
  cudaMemsetAsync(others, 0, 4);
  cudaMemset2DAsync(others, 4, 0, 4, 1);
  cudaEventRecord(event);
  cudaStreamWaitEvent(stream, event);
  static_assert(__is_same(decltype(min(f, d)), double) && __is_same(decltype(max(u, i)), unsigned), "the wider type");
  return min(i, i) + max(u, i) + min(l, l) + max(ul, l) + min(ll, ll) + long(min(f, f) + max(d, f));
}

// Templates ask so what a type can do.
template <class T> __host__ __device__ char asked(typename T::type *) { return 0; }
template <class T> __host__ __device__ long asked(...) { return 0; }
struct Typed {
  typedef int type;
};
// CHECK: .visible .entry answers(
// CHECK: mov.b32 %[[SUM:r[0-9]+]], 129;
// CHECK: st.global.u32 [%rd{{[0-9]+}}], %[[SUM]];
extern "C" __global__ void answers(unsigned *to) { to[0] = sizeof(asked<Typed>(0)) + 16 * sizeof(asked<int>(0)); }

// CHECK: .visible .entry parameters(
// CHECK: isspacep.param
extern "C" __global__ void parameters(unsigned *to, const __grid_constant__ int n) { to[0] = __isGridConstant(&n); }

// Orders are fences.
// CHECK: .visible .entry ordered(
// CHECK: ld.volatile.global.u32
// CHECK: membar.gl
// CHECK: membar.sys
// CHECK: atom.sys.cas.b32
// CHECK: membar.sys
extern "C" __global__ void ordered(int *at, int *to) {
  to[0] = __nv_atomic_load_n(at, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  to[1] = __nv_atomic_fetch_max(at, 5, __NV_ATOMIC_ACQ_REL);
}
