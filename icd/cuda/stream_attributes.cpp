// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of streams: kept and told again; all but the priority are hints about caches and waiting.
#include "icd/cuda/context.h"
#include "icd/cuda/entry_points.h"

namespace us::cuda {
namespace {

using Value = CUlaunchAttributeValue;

Expected<void> checkWindow(const Value &value) {
  const CUaccessPolicyWindow &window = value.accessPolicyWindow;
  if (!(window.hitRatio >= 0.0f && window.hitRatio <= 1.0f))
    return fail(CUDA_ERROR_INVALID_VALUE, "the hit ratio is not from 0 to 1");
  // "CU_ACCESS_PROPERTY_PERSISTING" is for hits only.
  if (unsigned(window.hitProp) > CU_ACCESS_PROPERTY_PERSISTING ||
      unsigned(window.missProp) > CU_ACCESS_PROPERTY_STREAMING)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("access properties {} and {}", int(window.hitProp), int(window.missProp)));
  return {};
}

Expected<void> checkPolicy(const Value &value) {
  if (value.syncPolicy < CU_SYNC_POLICY_AUTO || value.syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no synchronisation policy {}", int(value.syncPolicy)));
  return {};
}

Expected<void> checkPriority(const Value &value) {
  if (value.priority < kHighestPriority || value.priority > 0)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("priority {}, which is from {} to 0", value.priority, kHighestPriority));
  return {};
}

Expected<void> checkDomain(const Value &value) {
  if (unsigned(value.memSyncDomain) > CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no domain {}", int(value.memSyncDomain)));
  return {};
}

Expected<void> checkDomains(const Value &) { return {}; }

struct StreamAttributeRow {
  CUlaunchAttributeID id;
  Expected<void> (*check)(const Value &);
};
/// What is "valid for streams".
constexpr StreamAttributeRow kStreamAttributes[] = {{CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, checkWindow},
                                                    {CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, checkPolicy},
                                                    {CU_LAUNCH_ATTRIBUTE_PRIORITY, checkPriority},
                                                    {CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, checkDomains},
                                                    {CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, checkDomain}};

Expected<const StreamAttributeRow *> rowOf(CUstreamAttrID attribute) {
  for (const StreamAttributeRow &row : kStreamAttributes)
    if (row.id == attribute) return &row;
  return fail(CUDA_ERROR_INVALID_VALUE, format("streams have no attribute {}", int(attribute)));
}

} // namespace

Value initialStreamAttribute(CUstreamAttrID attribute) {
  Value value = {};
  if (attribute == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY) value.syncPolicy = CU_SYNC_POLICY_AUTO;
  // "the default map is (0, 1)"
  if (attribute == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP) value.memSyncDomainMap.remote = 1;
  return value;
}

Expected<void> streamGetAttribute(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_CHECK(rowOf(attribute));
  *value = stream->attribute(attribute);
  return {};
}

Expected<void> streamSetAttribute(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value) {
  US_CHECK(checkOut(value, "the value"));
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  US_TRY(const StreamAttributeRow *row, rowOf(attribute));
  US_CHECK(row->check(*value));
  stream->setAttribute(attribute, *value);
  return {};
}

Expected<void> streamCopyAttributes(CUstream to, CUstream from) {
  US_TRY(const Ref<Stream> destination, streamOf(to));
  US_TRY(const Ref<Stream> source, streamOf(from));
  // "Copies attributes from source stream src to destination stream dst. Both streams must have the same context."
  if (&destination->context() != &source->context())
    return fail(CUDA_ERROR_INVALID_VALUE, "the streams belong to different contexts");
  for (const StreamAttributeRow &row : kStreamAttributes) destination->setAttribute(row.id, source->attribute(row.id));
  return {};
}

} // namespace us::cuda
