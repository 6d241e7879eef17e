// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetContextInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/context.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/info/handles.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

constexpr InfoRow<ClContext> kContextInfo[] = {
    {CL_CONTEXT_REFERENCE_COUNT, [](auto &c, InfoWriter &w) { return w.put<cl_uint>(c.applicationCount()); }},
    {CL_CONTEXT_NUM_DEVICES, [](auto &c, InfoWriter &w) { return w.put<cl_uint>(c.devices.size()); }},
    {CL_CONTEXT_DEVICES,
     [](auto &c, InfoWriter &w) { return w.template putArray<cl_device_id>(handlesOf(c.devices)); }},
    // "If the properties argument specified in clCreateContext or clCreateContextFromType ... is NULL, the
    // implementation may return a param_value_size_ret of 0".
    {CL_CONTEXT_PROPERTIES,
     [](auto &c, InfoWriter &w) { return w.template putArray<cl_context_properties>(c.properties); }},
};

} // namespace

// clGetContextInfo
Expected<void> getContextInfo(cl_context handle, cl_context_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_TRY(ClContext & context, contextFrom(handle));
  return icd::answer(kContextInfo, context, name, size, value, sizeReturned);
}

} // namespace us::opencl
