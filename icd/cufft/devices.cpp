// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that are told their devices, of which one is supported: memory by descriptors, and what is done with it. And
// callbacks, which are not.
#include "icd/cufft/plan.h"

#include <algorithm>
#include <new>

namespace us::cufft {
namespace {

struct Answer {
  cufftResult result;
  std::shared_ptr<Plan> plan;
};
Answer madePlan(cufftHandle handle) {
  const std::shared_ptr<Plan> plan = find(handle);
  return {plan && plan->made ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, plan};
}

/// What numbers of this format take; 0 for a format that one device has not.
size_t bytesOf(const Made &made, int format) {
  const Extent inPlace = extentOf(made, true), apart = extentOf(made, false);
  switch (format) {
  case CUFFT_XT_FORMAT_INPUT:
    return apart.in;
  case CUFFT_XT_FORMAT_OUTPUT:
    return apart.out;
  case CUFFT_XT_FORMAT_INPLACE:
  case CUFFT_XT_FORMAT_INPLACE_SHUFFLED: // of one device the order is the natural one
    return std::max(inPlace.in, inPlace.out);
  default:
    return 0;
  }
}

/// Numbers by a descriptor: null unless they are on one device.
void *dataOf(const cudaLibXtDesc *descriptor) {
  return descriptor && descriptor->descriptor && descriptor->descriptor->nGPUs == 1 ? descriptor->descriptor->data[0]
                                                                                    : nullptr;
}

cufftResult execute(const char *function, cufftHandle handle, std::optional<cufftType> type, const cudaLibXtDesc *in,
                    const cudaLibXtDesc *out, int direction) {
  return us::cufft::execute(function, handle, type, dataOf(in), dataOf(out), direction);
}

cufftResult missing(const char *function, cufftHandle handle) {
  if (!find(handle)) return CUFFT_INVALID_PLAN;
  math::say(function, "callbacks are not supported: transforms are computed by the host");
  return CUFFT_NOT_IMPLEMENTED;
}

} // namespace
} // namespace us::cufft

using namespace us;
using namespace us::cufft;

// "This function must be called before the plan is made."
US_EXPORT cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || plan->made) return CUFFT_INVALID_PLAN;
  if (nGPUs < 1 || nGPUs > MAX_CUDA_DESCRIPTOR_GPUS || !whichGPUs) return CUFFT_INVALID_VALUE;
  int device = 0, count = 0;
  if (const CUresult result = plan->session.where(&device, &count); result != CUDA_SUCCESS) return resultOf(result);
  // "CUFFT_INVALID_DEVICE: An invalid GPU index was specified"
  if (std::any_of(whichGPUs, whichGPUs + nGPUs, [&](int gpu) { return gpu < 0 || gpu >= count; }))
    return CUFFT_INVALID_DEVICE;
  if (nGPUs == 1 && *whichGPUs == device) return CUFFT_SUCCESS;
  math::say(__func__, "a plan computes on the one device that was current when its handle was made");
  return CUFFT_NOT_SUPPORTED;
}

US_EXPORT cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **descriptor, cufftXtSubFormat format) {
  const auto [result, plan] = madePlan(handle);
  if (result != CUFFT_SUCCESS) return result;
  const size_t bytes = bytesOf(*plan->made, format);
  if (!descriptor || !bytes) return CUFFT_INVALID_VALUE;
  int device = 0, count = 0;
  void *memory = nullptr;
  if (const CUresult got = plan->session.where(&device, &count); got != CUDA_SUCCESS) return resultOf(got);
  if (const CUresult got = plan->session.allocate(&memory, bytes); got != CUDA_SUCCESS) return resultOf(got);
  auto *const described = new cudaXtDesc{};
  described->version = CUDA_XT_DESCRIPTOR_VERSION;
  described->nGPUs = 1;
  described->GPUs[0] = device;
  described->data[0] = memory;
  described->size[0] = bytes;
  *descriptor = new cudaLibXtDesc{CUDA_XT_DESCRIPTOR_VERSION, described, LIB_FORMAT_CUFFT, format, nullptr};
  return CUFFT_SUCCESS;
}

US_EXPORT cufftResult cufftXtFree(cudaLibXtDesc *descriptor) {
  if (!descriptor) return CUFFT_SUCCESS;
  CUresult result = CUDA_SUCCESS;
  if (void *const memory = dataOf(descriptor)) result = math::Session::release(memory);
  delete descriptor->descriptor;
  delete descriptor;
  return resultOf(result);
}

// "cufftXtMemcpy copies from the host to the devices, from them to the host, or between them", after what the plan's
// stream has still to do.
US_EXPORT cufftResult cufftXtMemcpy(cufftHandle handle, void *into, void *from, cufftXtCopyType type) {
  const auto [result, plan] = madePlan(handle);
  if (result != CUFFT_SUCCESS) return result;
  if (!into || !from || type < CUFFT_COPY_HOST_TO_DEVICE || type > CUFFT_COPY_DEVICE_TO_DEVICE)
    return CUFFT_INVALID_VALUE;
  auto *const target = type == CUFFT_COPY_DEVICE_TO_HOST ? nullptr : static_cast<cudaLibXtDesc *>(into);
  auto *const source = type == CUFFT_COPY_HOST_TO_DEVICE ? nullptr : static_cast<cudaLibXtDesc *>(from);
  const size_t bytes = bytesOf(*plan->made, (source ? source : target)->subFormat);
  if (!bytes) return CUFFT_INVALID_VALUE;
  for (const cudaLibXtDesc *of : {target, source})
    if (of && (!dataOf(of) || of->descriptor->size[0] < bytes)) return CUFFT_INVALID_VALUE;
  if (const CUresult waited = plan->session.synchronize(); waited != CUDA_SUCCESS) return resultOf(waited);
  return resultOf(
      plan->session.copy(source ? dataOf(source) : from, bytes, target ? dataOf(target) : into, bytes, bytes, 1));
}

US_EXPORT cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                            int direction) {
  return execute(__func__, plan, std::nullopt, input, output, direction);
}
#define US_EXECUTE(NAME)                                                                                               \
  US_EXPORT cufftResult cufftXtExecDescriptor##NAME(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output) {   \
    return execute(__func__, plan, CUFFT_##NAME, input, output, 0);                                                    \
  }
#define US_EXECUTE_BOTH(NAME)                                                                                          \
  US_EXPORT cufftResult cufftXtExecDescriptor##NAME(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,     \
                                                    int direction) {                                                   \
    return execute(__func__, plan, CUFFT_##NAME, input, output, direction);                                            \
  }
US_EXECUTE_BOTH(C2C)
US_EXECUTE_BOTH(Z2Z)
US_EXECUTE(R2C)
US_EXECUTE(C2R)
US_EXECUTE(D2Z)
US_EXECUTE(Z2D)

// No work needs memory of the device.
US_EXPORT cufftResult cufftXtSetWorkArea(cufftHandle plan, void **) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
US_EXPORT cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *workSize) {
  if (!find(plan)) return CUFFT_INVALID_PLAN;
  if (policy < CUFFT_WORKAREA_MINIMAL || policy > CUFFT_WORKAREA_PERFORMANCE) return CUFFT_INVALID_VALUE;
  if (workSize) *workSize = 0;
  return CUFFT_SUCCESS;
}

// "cufftXtQueryPlan only supports multiple GPU 1D transforms": it tells in which order these leave their numbers.
US_EXPORT cufftResult cufftXtQueryPlan(cufftHandle plan, void *queryStruct, cufftXtQueryType queryType) {
  if (!find(plan)) return CUFFT_INVALID_PLAN;
  if (!queryStruct || queryType != CUFFT_QUERY_1D_FACTORS) return CUFFT_INVALID_VALUE;
  math::say(__func__, "a plan of one device has its numbers in their order, and no factors");
  return CUFFT_NOT_SUPPORTED;
}

US_EXPORT cufftResult cufftXtSetCallback(cufftHandle plan, void **, cufftXtCallbackType, void **) {
  return missing(__func__, plan);
}
US_EXPORT cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *, const void *, size_t, cufftXtCallbackType,
                                            void **) {
  return missing(__func__, plan);
}
US_EXPORT cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType) { return missing(__func__, plan); }
US_EXPORT cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType, size_t) {
  return missing(__func__, plan);
}
