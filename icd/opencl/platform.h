// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_platform_id: there is one.
#pragma once

#include "icd/opencl/device.h"
#include "icd/opencl/handle.h"

#include <string>
#include <vector>

namespace us::opencl {

class ClPlatform : public ClObjectOf<ClPlatform, cl_platform_id, HandleKind::Platform, ErrorCode::InvalidPlatform> {
public:
  static constexpr const char *kName = "platform";
  std::vector<Ref<ClDevice>> devices; ///< the root devices; the first is the default
};

/// The platform, made at the first call. Errors: OutOfHostMemory.
ExpectedRef<ClPlatform> thePlatform();

/// "OpenCL 3.1 ...": UNDERSTUDY_OPENCL_VERSION says which.
const std::string &platformVersion();

} // namespace us::opencl
