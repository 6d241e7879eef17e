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

// "X_i = c X_i + s Y_i, Y_i = c Y_i - s X_i"
US_EXPORT cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff, const void *s_coeff,
                                       cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  Call call(__func__, handle);
  check(call, vecX, vecY);
  if (!call.isOk()) return call.status();
  const auto c = call.scalar(c_coeff, vecX->type), s = call.scalar(s_coeff, vecX->type);
  return call.run([=, x = *vecX, y = *vecY] {
    const Number cosine = c(), sine = s();
    forPlaces(x, y.size, [&](int64_t place, int64_t i) {
      const Number one = math::load<Number>(x.type, x.values, i), other = math::load<Number>(y.type, y.values, place);
      math::store<Number>(x.type, x.values, times(cosine, one) + times(sine, other), i);
      math::store<Number>(y.type, y.values, times(cosine, other) - times(sine, one), place);
    });
  });
}

US_EXPORT cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                                   cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                                                   const void *result, cudaDataType computeType, size_t *size) {
  Call call(__func__, handle);
  call.require(vecX && vecY && result);
  call.operation(opX);
  call.type(computeType);
  return bufferSize(call, size);
}
// "result = op(X) . Y": only whether X is conjugated matters.
US_EXPORT cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                                        cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY, void *result,
                                        cudaDataType computeType, void *) {
  Call call(__func__, handle);
  call.operation(opX);
  call.type(computeType);
  check(call, vecX, vecY);
  call.answer(result, math::sizeOf(computeType));
  if (!call.isOk()) return call.status();
  return call.run(
      [=, x = *vecX, y = *vecY] {
        Number sum = 0;
        forPlaces(x, y.size, [&](int64_t place, int64_t i) {
          sum += times(op(opX, math::load<Number>(x.type, x.values, i)), math::load<Number>(y.type, y.values, place));
        });
        math::store<Number>(computeType, result, sum);
      },
      call.answersHost());
}
