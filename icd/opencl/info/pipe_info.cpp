// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetPipeInfo.
#include "icd/common/info_table.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/memory.h"

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

constexpr InfoRow<ClMem> kPipeInfo[] = {
    {CL_PIPE_PACKET_SIZE, [](auto &m, InfoWriter &w) { return w.put<cl_uint>(m.pipe->description().packetSize); }},
    {CL_PIPE_MAX_PACKETS, [](auto &m, InfoWriter &w) { return w.put<cl_uint>(m.pipe->description().maxPackets); }},
    // "If the properties argument specified in clCreatePipe ... was NULL, the implementation must return
    // param_value_size_ret equal to 0": it always is.
    {CL_PIPE_PROPERTIES, [](auto &, InfoWriter &w) { return w.template putArray<cl_pipe_properties>({}); }},
};

} // namespace

// clGetPipeInfo
Expected<void> getPipeInfo(cl_mem handle, cl_pipe_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_MEM_OBJECT if pipe is a not a valid pipe object."
  US_TRY(ClMem & pipe, pipeFrom(handle));
  return icd::answer(kPipeInfo, pipe, name, size, value, sizeReturned);
}

} // namespace us::opencl
