// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetSamplerInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/sampler.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

/// Of cl_khr_mipmap_image.
template <class T> Expected<void> putOfMipmaps(const ClSampler &sampler, InfoWriter &w, T value) {
  if (!hasMipmaps(*sampler.context))
    return fail(ErrorCode::InvalidValue, "the context's devices have no samplers of mipmaps");
  return w.put<T>(value);
}

constexpr InfoRow<ClSampler> kSamplerInfo[] = {
    {CL_SAMPLER_REFERENCE_COUNT, [](auto &s, InfoWriter &w) { return w.put<cl_uint>(s.applicationCount()); }},
    {CL_SAMPLER_CONTEXT, [](auto &s, InfoWriter &w) { return w.put<cl_context>(s.context->handle()); }},
    {CL_SAMPLER_NORMALIZED_COORDS,
     [](auto &s, InfoWriter &w) { return w.put<cl_bool>(s.sampler.normalizedCoordinates); }},
    {CL_SAMPLER_ADDRESSING_MODE,
     [](auto &s, InfoWriter &w) {
       return w.put<cl_addressing_mode>(CL_ADDRESS_NONE + static_cast<cl_addressing_mode>(s.sampler.addressing));
     }},
    {CL_SAMPLER_FILTER_MODE,
     [](auto &s, InfoWriter &w) {
       return w.put<cl_filter_mode>(CL_FILTER_NEAREST + static_cast<cl_filter_mode>(s.sampler.filter));
     }},
    {CL_SAMPLER_MIP_FILTER_MODE_KHR,
     [](auto &s, InfoWriter &w) {
       return putOfMipmaps(s, w, CL_FILTER_NEAREST + static_cast<cl_filter_mode>(s.sampler.mipFilter));
     }},
    {CL_SAMPLER_LOD_MIN_KHR, [](auto &s, InfoWriter &w) { return putOfMipmaps<cl_float>(s, w, s.sampler.leastLevel); }},
    {CL_SAMPLER_LOD_MAX_KHR, [](auto &s, InfoWriter &w) { return putOfMipmaps<cl_float>(s, w, s.sampler.mostLevel); }},
    // "must return the values specified in the properties argument in the same order and without including additional
    // properties"
    {CL_SAMPLER_PROPERTIES,
     [](auto &s, InfoWriter &w) { return w.template putArray<cl_sampler_properties>(s.properties); }},
};

} // namespace

// clGetSamplerInfo
Expected<void> getSamplerInfo(cl_sampler handle, cl_sampler_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_SAMPLER if sampler is a not a valid sampler object."
  US_TRY(ClSampler & sampler, samplerFrom(handle));
  return icd::answer(kSamplerInfo, sampler, name, size, value, sizeReturned);
}

} // namespace us::opencl
