// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 -rdc=true --ptx %s -o %t && FileCheck %s < %t
// RUN: not nvcc -arch=sm_86 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=WHOLE %s
// RUN: nvcc -arch=sm_86 -rdc=true -G --ptx %s -o %t && FileCheck --check-prefix=CALLS %s < %t
// RUN: UNDERSTUDY_CUDA_VERSION=11.8 nvcc -arch=sm_86 -rdc=true --ptx %s -o %t && FileCheck %s < %t
// RUN: not nvcc -arch=sm_86 -rdc=true -DWRONG=1 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=UNCONFIGURED %s
// RUN: not nvcc -arch=sm_86 -rdc=true -DWRONG=2 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=NO-KERNEL %s
// RUN: not nvcc -arch=sm_86 -rdc=true -DWRONG=3 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=OF-THE-HOST %s
// RUN: not nvcc -arch=sm_86 -rdc=true -DWRONG=4 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=NO-MATCH %s
// RUN: not nvcc -arch=sm_86 -rdc=true -DWRONG=5 --ptx %s -o %t 2>&1 | FileCheck --check-prefix=WAIT %s
// NVIDIA's compilers refuse a launch in code that is not linked.
// WHOLE: launches.cu:{{[0-9]+}}:{{[0-9]+}}: error: kernel launch from a __device__ or __global__ function requires separate compilation
// A launch in device code is a buffer, parameters at their offsets, and a call; no kernel is called.

// CHECK-DAG: .extern .entry elsewhere
// CHECK-DAG: .extern .func (.param .b64 func_retval0) cudaGetParameterBufferV2
// CHECK-DAG: .extern .func (.param .b32 func_retval0) cudaLaunchDeviceV2
// CALLS-NOT: call{{.*}}child
// CALLS-NOT: __cudaPushCallConfiguration
// CALLS-NOT: cudaConfigureCall
struct Big {
  char c;
  double d[2];
};
extern "C" __global__ void child(bool, short, Big, float4) {}
extern "C" __global__ void elsewhere(int);
template <class T> __global__ void of_type(T) {}
__global__ void chosen(float) {}
__global__ void chosen(double) {}
__device__ void function() {}
void of_the_host() {}

// CHECK-LABEL: .visible .entry parent(
// CHECK: mov.u64 [[CHILD:%rd[0-9]+]], child;
// CHECK: st.param.b64 [param0+0], [[CHILD]];
// CHECK: .param .align 4 .b8 param1[12];
// CHECK: st.param.b32 [param1+0],
// CHECK: st.param.b32 [param1+4],
// CHECK: st.param.b32 [param1+8],
// CHECK: .param .align 4 .b8 param2[12];
// CHECK: st.param.b32 [param2+0],
// CHECK: st.param.b32 [param3+0], 128;
// CHECK: cudaGetParameterBufferV2
// CHECK: ld.param.b64 [[BUFFER:%rd[0-9]+]], [retval0+0];
// CHECK: setp.eq.s64
// CHECK: st.u8 {{\[}}[[BUFFER]]],
// CHECK: st.u16 {{\[}}[[BUFFER]]+2],
// CHECK: st.f64 {{\[}}[[BUFFER]]+16],
// CHECK: st.v4.f32 {{\[}}[[BUFFER]]+32],
// CHECK: cudaLaunchDeviceV2
extern "C" __global__ void parent(cudaStream_t stream, bool b, double d, int n) {
  child<<<dim3(2, 3), 64, 128, stream>>>(b, 7, Big{'c', {d, d}}, make_float4(1, 2, 3, 4));
  // CHECK: mov.u64 {{%rd[0-9]+}}, elsewhere;
  // CHECK: cudaLaunchDeviceV2
  elsewhere<<<1, 1>>>(n);
  // CHECK: mov.u64 {{%rd[0-9]+}}, _Z7of_typeIdEvT_;
  of_type<<<1, 1>>>(d);
  // CHECK: mov.u64 {{%rd[0-9]+}}, _Z6chosenf;
  chosen<<<1, 1>>>(1.0f);
  // CHECK: selp.{{[bu]64}} {{.*}}
  // CHECK: cudaLaunchDeviceV2
  void (*either)(double) = n > 1 ? static_cast<void (*)(double)>(chosen) : of_type<double>;
  either<<<1, n>>>(n > 2 ? d : d + 1);
  // The kernel's name in device code is a value, too.
  auto launch = [&](auto kernel) { kernel<<<1, 1>>>(n); };
  launch(elsewhere);
#if WRONG == 1
  // UNCONFIGURED: error: call to global function 'chosen' not configured
  chosen(1.0f);
#elif WRONG == 2
  // NO-KERNEL: error: kernel call to non-global function 'function'
  function<<<1, 1>>>();
#elif WRONG == 3
  // OF-THE-HOST: error: no matching function for call to 'of_the_host'
  of_the_host();
#elif WRONG == 4
  // NO-MATCH: error: no matching function for call to 'chosen'
  chosen<<<1, 1>>>(1.0f, 2);
#elif WRONG == 5
  // WAIT: error: no matching function for call to 'cudaDeviceSynchronize'
  cudaDeviceSynchronize();
#endif
}
// Host functions may launch, too; their code is not made here.
void host() { parent<<<1, 1>>>(nullptr, true, 1.0, 1); }
