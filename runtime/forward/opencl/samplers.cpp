// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/samplers.h"

#include "runtime/device/image.h"

namespace us::forward {
namespace {

// Our numbers are theirs, counted from these.
static_assert(CL_ADDRESS_NONE + static_cast<int>(AddressingMode::MirroredRepeat) == CL_ADDRESS_MIRRORED_REPEAT);

constexpr uint64_t kNormalized = samplerBits({true, AddressingMode::None, FilterMode::Nearest}) ^
                                 samplerBits({false, AddressingMode::None, FilterMode::Nearest});
constexpr uint64_t kLinear = samplerBits({false, AddressingMode::None, FilterMode::Linear});

} // namespace

Samplers::~Samplers() {
  for (const auto &[bits, sampler] : made_) call_.clReleaseSampler(sampler);
}

Expected<cl_sampler> Samplers::find(cl_context context, uint64_t bits) {
  std::lock_guard hold(mutex_);
  if (const auto found = made_.find(bits); found != made_.end()) return found->second;
  const cl_addressing_mode addressing = CL_ADDRESS_NONE + static_cast<cl_addressing_mode>(bits >> 1 & 7);
  const cl_filter_mode filter = bits & kLinear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  cl_int code = CL_SUCCESS;
  const cl_sampler made =
      call_.clCreateSampler(context, bits & kNormalized ? CL_TRUE : CL_FALSE, addressing, filter, &code);
  US_CHECK(driverResult("clCreateSampler", code));
  made_.emplace(bits, made);
  return made;
}

} // namespace us::forward
