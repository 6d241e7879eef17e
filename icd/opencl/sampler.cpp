// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers. No device has images yet, so there are none: these return the API's error for that case.
#include "icd/opencl/context.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {
namespace {

Expected<cl_sampler> refuseSampler(cl_context context) {
  US_CHECK(contextFrom(context));
  // "CL_INVALID_OPERATION if images are not supported by any device associated with context"
  return fail(ErrorCode::InvalidOperation, "the context has no device with images");
}

/// "CL_INVALID_SAMPLER if sampler is not a valid sampler object.": none is.
Expected<void> noSampler() { return fail(ErrorCode::InvalidSampler, "there are no samplers without images"); }

} // namespace

// clCreateSampler
Expected<cl_sampler> createSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode) {
  return refuseSampler(context);
}

// clCreateSamplerWithProperties
Expected<cl_sampler> createSamplerWithProperties(cl_context context, const cl_sampler_properties *) {
  return refuseSampler(context);
}

// clRetainSampler
Expected<void> retainSampler(cl_sampler) { return noSampler(); }

// clReleaseSampler
Expected<void> releaseSampler(cl_sampler) { return noSampler(); }

// clGetSamplerInfo
Expected<void> getSamplerInfo(cl_sampler, cl_sampler_info, size_t, void *, size_t *) { return noSampler(); }

} // namespace us::opencl
