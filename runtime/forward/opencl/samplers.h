// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's samplers of a context. An argument block holds what a sampler is and no object: each kind is made once.
#pragma once

#include "runtime/forward/opencl/errors.h"

#include <CL/cl_icd.h>

#include <cstdint>
#include <map>
#include <mutex>

namespace us::forward {

/// Thread-safe.
class Samplers {
public:
  explicit Samplers(const cl_icd_dispatch &call) : call_(call) {}
  ~Samplers();

  /// The sampler that samplerBits (runtime/device/image.h) describes. It lives as long as this object.
  Expected<cl_sampler> find(cl_context context, uint64_t bits);

private:
  const cl_icd_dispatch &call_;
  std::mutex mutex_; // guards made_
  std::map<uint64_t, cl_sampler> made_;
};

} // namespace us::forward
