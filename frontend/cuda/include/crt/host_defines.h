/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The execution space and launch keywords of CUDA C++: Clang's attributes where CUDA C++ is compiled, nothing where the
   host's C or C++ compiler reads the same headers. */
#ifndef UNDERSTUDY_HOST_DEFINES_H
#define UNDERSTUDY_HOST_DEFINES_H

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define __HOST_DEFINES_H__

/* The release of the runtime that a program is compiled for: the compiler's, which -DCUDART_VERSION changes for a host
   compiler. */
#ifndef CUDART_VERSION
#ifdef __CUDACC_VER_MAJOR__
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#else
#define CUDART_VERSION 13000
#endif
#endif

/* What the architecture that is compiled for has. The host's compilation reads device code as well, and knows all of
   it; Clang's own header calls that 9999 for a while. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 9999
#define UNDERSTUDY_ARCH __CUDA_ARCH__
#else
#define UNDERSTUDY_ARCH 1000000
#endif

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Clang knows the attribute in HIP only; our passes look for the annotation (lower_managed). */
#define __managed__ __attribute__((device, annotate("us.managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
/* Likewise (lower_clusters). */
#define __cluster_dims__(...) __attribute__((annotate("us.cluster_dims", ##__VA_ARGS__)))
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#endif
#define __grid_constant__
/* "__noinline__" is a keyword of Clang's in CUDA C++, and an attribute that the C++ library of GCC writes. */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(n) __align__(n)
#define __CUDA_ALIGN__(n) __align__(n)
#define __specialization_static static
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define __nv_pure__ __attribute__((pure))

#endif
