// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_sampler.
#pragma once

#include "icd/opencl/context.h"
#include "icd/opencl/handle.h"
#include "runtime/device/image.h"

#include <vector>

namespace us::opencl {

class ClSampler : public ClObjectOf<ClSampler, cl_sampler, HandleKind::Sampler, ErrorCode::InvalidSampler> {
public:
  static constexpr const char *kName = "sampler";

  Ref<ClContext> context;
  SamplerDescription sampler;
  std::vector<cl_sampler_properties> properties; ///< as given, with the final 0; empty if none were given
};

/// Whether samplers of the context may say how levels of mipmaps are chosen (cl_khr_mipmap_image).
bool hasMipmaps(const ClContext &context);

/// The sampler behind a handle; failures of the call in progress are told to its context's callback from here on.
ExpectedRef<ClSampler> samplerFrom(cl_sampler handle);

} // namespace us::opencl
