// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_context.
#pragma once

#include "icd/opencl/device.h"
#include "icd/opencl/handle.h"
#include "icd/opencl/unified_memory.h"
#include "runtime/core/context.h"

#include <memory>
#include <string>
#include <vector>

namespace us::opencl {

struct CheckedContext;

class ClContext : public ClObjectOf<ClContext, cl_context, HandleKind::Context, ErrorCode::InvalidContext> {
public:
  static constexpr const char *kName = "context";

  bool has(const ClDevice &device) const;
  bool hasErrorCallback() const { return hasErrorCallback_; }
  /// Tells the application's callback, later and on a thread of the runtime.
  void report(const std::string &sentence) { core->report(Error{ErrorCode::InvalidOperation, sentence}); }

  Ref<core::Context> core;
  std::vector<Ref<ClDevice>> devices;
  std::vector<cl_context_properties> properties; ///< as given, with the final 0; empty if none were given
  bool hasErrorCallback_ = false;
  UnifiedMemory unified;
  std::shared_ptr<CheckedContext> checked; ///< CommandChecks'
};

/// The context behind a handle; failures of the call in progress are told to its callback from here on.
ExpectedRef<ClContext> contextFrom(cl_context handle);

/// The devices of an optional (count, list) pair of a call on something with devices of its own: null means all of
/// them. InvalidValue if the pair is inconsistent, InvalidDevice for a device that is not among them.
Expected<std::vector<Ref<ClDevice>>> devicesAmong(const std::vector<Ref<ClDevice>> &known, cl_uint count,
                                                  const cl_device_id *list, const char *owner);

/// The devices as the core has them.
std::vector<Ref<Device>> coreDevices(const std::vector<Ref<ClDevice>> &devices);

} // namespace us::opencl
