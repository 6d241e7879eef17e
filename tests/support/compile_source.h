// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: compiles OpenCL C as the runtime does, on a thread with a large stack.
#pragma once

#include "frontend/frontend.h"

#include <pthread.h>

#include <functional>
#include <optional>
#include <string_view>

namespace us::frontend::tests {

/// Runs `work` on a thread with the 64 MiB stack that compilation is promised.
inline void onLargeStack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t(64) << 20);
  pthread_t thread;
  auto start = [](void *argument) -> void * {
    (*static_cast<std::function<void()> *>(argument))();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, start, &work) != 0) abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// A device with most of what OpenCL C 3.0 makes optional.
inline LanguageFacts ampleFacts() {
  return {.extensions = {"cl_khr_byte_addressable_store", "cl_khr_fp64", "cl_khr_fp16", "cl_khr_subgroups",
                         "cl_khr_global_int32_base_atomics", "cl_khr_int64_base_atomics", "cl_khr_extended_bit_ops",
                         "cl_khr_3d_image_writes", "cl_khr_depth_images"},
          .features = {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_generic_address_space",
                       "__opencl_c_program_scope_global_variables", "__opencl_c_subgroups",
                       "__opencl_c_work_group_collective_functions", "__opencl_c_atomic_order_acq_rel",
                       "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device", "__opencl_c_images",
                       "__opencl_c_3d_image_writes", "__opencl_c_read_write_images"},
          .hasFma = true};
}

inline Logged<KernelModule> compileRequest(const CompileRequest &request, const LanguageFacts &facts = ampleFacts()) {
  std::optional<Logged<KernelModule>> result;
  onLargeStack([&] { result = compile(request, facts); });
  return *std::move(result);
}

inline Logged<KernelModule> compileSource(std::string_view source, std::string_view options = {},
                                          const LanguageFacts &facts = ampleFacts()) {
  return compileRequest({.source = source, .options = options, .headers = {}}, facts);
}

} // namespace us::frontend::tests
