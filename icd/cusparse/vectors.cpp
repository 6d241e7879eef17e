// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse vectors with dense ones.
#include "icd/cusparse/call.h"

using namespace us;
using namespace us::cusparse;

namespace {
/// Calls body(place in the dense vector, place among the entries).
template <class Body> void forPlaces(const cusparseSpVecDescr &x, int64_t size, Body body) {
  for (int64_t i = 0; i < x.count; ++i)
    if (const int64_t place = indexAt(x.indices, x.indexType, i) - x.base; place >= 0 && place < size) body(place, i);
}
void check(Call &call, const cusparseSpVecDescr *x, const cusparseDnVecDescr *y) {
  call.require(x && y && x->size == y->size);
  if (!call.isOk()) return;
  call.vector(y, x->size);
  call.memory(x->indices, uint64_t(x->count) * sizeOfIndex(x->indexType));
  call.memory(x->values, uint64_t(x->count) * math::sizeOf(x->type));
}
} // namespace

// "Y = alpha * X + beta * Y"
US_EXPORT cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha, cusparseConstSpVecDescr_t vecX,
                                         const void *beta, cusparseDnVecDescr_t vecY) {
  Call call(__func__, handle);
  check(call, vecX, vecY);
  if (!call.isOk()) return call.status();
  const auto a = call.scalar(alpha, vecX->type), b = call.scalar(beta, vecX->type);
  return call.run([=, x = *vecX, y = *vecY] {
    const Number factor = a(), kept = b();
    for (int64_t i = 0; i < y.size; ++i)
      math::store<Number>(y.type, y.values, kept == 0.0 ? 0.0 : times(kept, math::load<Number>(y.type, y.values, i)),
                          i);
    forPlaces(x, y.size, [&](int64_t place, int64_t i) {
      math::store<Number>(
          y.type, y.values,
          math::load<Number>(y.type, y.values, place) + times(factor, math::load<Number>(x.type, x.values, i)), place);
    });
  });
}
US_EXPORT cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                          cusparseSpVecDescr_t vecX) {
  Call call(__func__, handle);
  check(call, vecX, vecY);
  if (!call.isOk()) return call.status();
  return call.run([x = *vecX, y = *vecY] {
    forPlaces(x, y.size, [&](int64_t place, int64_t i) {
      math::store<Number>(x.type, x.values, math::load<Number>(y.type, y.values, place), i);
    });
  });
}
US_EXPORT cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                           cusparseDnVecDescr_t vecY) {
  Call call(__func__, handle);
  check(call, vecX, vecY);
  if (!call.isOk()) return call.status();
  return call.run([x = *vecX, y = *vecY] {
    forPlaces(x, y.size, [&](int64_t place, int64_t i) {
      math::store<Number>(y.type, y.values, math::load<Number>(x.type, x.values, i), place);
    });
  });
}
