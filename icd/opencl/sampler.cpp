// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points that make, retain and release samplers.
#include "icd/opencl/sampler.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace us::opencl {
namespace {

// The runtime's numbers are the API's, counted from these.
static_assert(CL_ADDRESS_NONE + static_cast<int>(AddressingMode::MirroredRepeat) == CL_ADDRESS_MIRRORED_REPEAT);
static_assert(CL_FILTER_NEAREST + static_cast<int>(FilterMode::Linear) == CL_FILTER_LINEAR);

Expected<void> setNormalized(SamplerDescription &sampler, cl_sampler_properties value) {
  if (value != CL_TRUE && value != CL_FALSE)
    return fail(ErrorCode::InvalidValue, icd::format("normalized coordinates {:#x}: CL_TRUE or CL_FALSE", value));
  sampler.normalizedCoordinates = value == CL_TRUE;
  return {};
}
Expected<void> setAddressing(SamplerDescription &sampler, cl_sampler_properties value) {
  if (value < CL_ADDRESS_NONE || value > CL_ADDRESS_MIRRORED_REPEAT)
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no addressing mode", value));
  sampler.addressing = static_cast<AddressingMode>(value - CL_ADDRESS_NONE);
  return {};
}
Expected<void> setFilter(SamplerDescription &sampler, cl_sampler_properties value) {
  if (value != CL_FILTER_NEAREST && value != CL_FILTER_LINEAR)
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no filter mode", value));
  sampler.filter = static_cast<FilterMode>(value - CL_FILTER_NEAREST);
  return {};
}

Expected<void> setMipFilter(SamplerDescription &sampler, cl_sampler_properties value) {
  if (value != CL_FILTER_NEAREST && value != CL_FILTER_LINEAR)
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no filter mode", value));
  sampler.mipFilter = static_cast<FilterMode>(value - CL_FILTER_NEAREST);
  return {};
}
/// A cl_float stands in the value's first bytes.
Expected<void> setLevel(float &level, cl_sampler_properties value) {
  const auto given = std::bit_cast<float>(static_cast<uint32_t>(value));
  if (std::isnan(given)) return fail(ErrorCode::InvalidValue, "the level of detail is not a number");
  level = given;
  return {};
}
Expected<void> setLeastLevel(SamplerDescription &sampler, cl_sampler_properties value) {
  return setLevel(sampler.leastLevel, value);
}
Expected<void> setMostLevel(SamplerDescription &sampler, cl_sampler_properties value) {
  return setLevel(sampler.mostLevel, value);
}

struct PropertyRow {
  cl_sampler_properties name;
  Expected<void> (*set)(SamplerDescription &sampler, cl_sampler_properties value);
  bool isOfMipmaps = false; ///< of cl_khr_mipmap_image
};
constexpr PropertyRow kProperties[] = {
    {CL_SAMPLER_NORMALIZED_COORDS, setNormalized}, {CL_SAMPLER_ADDRESSING_MODE, setAddressing},
    {CL_SAMPLER_FILTER_MODE, setFilter},           {CL_SAMPLER_MIP_FILTER_MODE_KHR, setMipFilter, true},
    {CL_SAMPLER_LOD_MIN_KHR, setLeastLevel, true}, {CL_SAMPLER_LOD_MAX_KHR, setMostLevel, true},
};

/// `properties`: as given, or empty for clCreateSampler. The last 0 is not looked at.
Expected<SamplerDescription> samplerOf(const ClContext &context, const std::vector<cl_sampler_properties> &properties) {
  SamplerDescription sampler;
  for (size_t i = 0; i + 1 < properties.size(); i += 2) {
    const auto row = std::find_if(std::begin(kProperties), std::end(kProperties),
                                  [&](const PropertyRow &each) { return each.name == properties[i]; });
    // "CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name"
    if (row == std::end(kProperties) || (row->isOfMipmaps && !hasMipmaps(context)))
      return fail(ErrorCode::InvalidValue, icd::format("there is no sampler property {:#x}", properties[i]));
    // "or if the same property name is specified more than once"
    for (size_t j = 0; j < i; j += 2)
      if (properties[j] == properties[i])
        return fail(ErrorCode::InvalidValue, icd::format("the property {:#x} is given twice", properties[i]));
    // "if the value specified for a supported property name is not valid"
    US_CHECK(row->set(sampler, properties[i + 1]));
  }
  return sampler;
}

Expected<cl_sampler> makeSampler(ClContext &context, const SamplerDescription &description,
                                 std::vector<cl_sampler_properties> properties) {
  US_TRY(Ref<ClSampler> sampler, makeObject<ClSampler>());
  sampler->context = Ref<ClContext>(&context);
  sampler->sampler = description;
  sampler->properties = std::move(properties);
  return giveToApplication(std::move(sampler));
}

/// "CL_INVALID_OPERATION if images are not supported by any device associated with context"
Expected<void> checkImages(const ClContext &context) {
  const bool any = std::any_of(context.devices.begin(), context.devices.end(),
                               [](const Ref<ClDevice> &device) { return device->info().images; });
  if (any) return {};
  return fail(ErrorCode::InvalidOperation, "the context has no device with images");
}

} // namespace

bool hasMipmaps(const ClContext &context) { return haveImageExtension(context.devices, "cl_khr_mipmap_image"); }

ExpectedRef<ClSampler> samplerFrom(cl_sampler handle) {
  auto sampler = fromHandle<ClSampler>(handle);
  if (sampler) noteContext(*sampler->get().context);
  return sampler;
}

// clCreateSampler
Expected<cl_sampler> createSampler(cl_context handle, cl_bool normalized, cl_addressing_mode addressing,
                                   cl_filter_mode filter) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  US_CHECK(checkImages(context));
  // "CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a combination of these arguments are not
  // valid."
  US_TRY(SamplerDescription sampler,
         samplerOf(context, {CL_SAMPLER_NORMALIZED_COORDS, normalized, CL_SAMPLER_ADDRESSING_MODE, addressing,
                             CL_SAMPLER_FILTER_MODE, filter, 0}));
  return makeSampler(context, sampler, {});
}

// clCreateSamplerWithProperties
Expected<cl_sampler> createSamplerWithProperties(cl_context handle, const cl_sampler_properties *given) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  US_CHECK(checkImages(context));
  std::vector<cl_sampler_properties> properties;
  if (given) {
    for (; *given; given += 2) properties.insert(properties.end(), given, given + 2);
    properties.push_back(0);
  }
  US_TRY(SamplerDescription sampler, samplerOf(context, properties));
  return makeSampler(context, sampler, std::move(properties));
}

// clRetainSampler
Expected<void> retainSampler(cl_sampler sampler) { return retainHandle<ClSampler>(sampler); }

// clReleaseSampler
Expected<void> releaseSampler(cl_sampler sampler) { return releaseHandle<ClSampler>(sampler); }

} // namespace us::opencl
