// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of sparse matrices.
#include "icd/cusparse/call.h"

#include <map>
#include <memory>

namespace us::cusparse {
namespace {

/// Rows of a product that is on its way into a matrix.
struct Rows {
  std::vector<std::vector<Entry>> rows;
  int64_t count = 0, products = 0; ///< products: of two numbers
};

/// A B: sums of zero are there too, so that matrices of one pattern have products of one pattern.
Rows multiply(const Sparse &A, const Sparse &B, Number factor) {
  Rows product;
  std::vector<std::vector<Entry>> right(static_cast<size_t>(B.rows));
  const Reader left(A.values, A.type), values(B.values, B.type);
  forEntries(
      B, [&](int64_t row, int64_t column, int64_t place) { right[size_t(row)].push_back({column, values[place]}); });
  std::vector<std::map<int64_t, Number>> sums(static_cast<size_t>(A.rows));
  forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
    const Number value = times(factor, left[place]);
    for (const Entry &entry : right[size_t(column)]) sums[size_t(row)][entry.column] += times(value, entry.value);
    product.products += int64_t(right[size_t(column)].size());
  });
  for (const auto &row : sums) {
    std::vector<Entry> &entries = product.rows.emplace_back();
    for (const auto &[column, value] : row) entries.push_back({column, value});
    product.count += int64_t(entries.size());
  }
  return product;
}

void storePattern(const Rows &product, const Sparse &C) {
  int64_t place = 0;
  for (size_t row = 0; row < product.rows.size(); ++row) {
    setIndex(C.offsets, C.offsetType, int64_t(row), place + C.base);
    for (const Entry &entry : product.rows[row]) setIndex(C.indices, C.indexType, place++, entry.column + C.base);
  }
  setIndex(C.offsets, C.offsetType, C.rows, place + C.base);
}
/// With beta the old entries have the same places.
void storeValues(const Rows &product, const Sparse &C, Number kept) {
  int64_t place = 0;
  for (const std::vector<Entry> &row : product.rows)
    for (const Entry &entry : row) {
      Number value = entry.value;
      if (kept != 0.0) value += times(kept, math::load<Number>(C.type, C.values, place));
      math::store<Number>(C.type, C.values, value, place++);
    }
}

} // namespace
} // namespace us::cusparse

struct cusparseSpGEMMDescr {
  std::shared_ptr<const us::cusparse::Rows> product;
};

using namespace us;
using namespace us::cusparse;

#define US_SPGEMM                                                                                                      \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,     \
      cudaDataType computeType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr
US_EXPORT cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr) {
  if (!descr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
namespace {
/// "opA == opB == CUSPARSE_OPERATION_NON_TRANSPOSE, and only CSR"
cusparseStatus_t checkProduct(Call &call, cusparseOperation_t opA, cusparseOperation_t opB, const Sparse *A,
                              const Sparse *B, const Sparse *C, const void *descr) {
  call.require(A && B && C && descr && A->columns == B->rows && C->rows == A->rows && C->columns == B->columns);
  if (call.isOk() &&
      (opA != CUSPARSE_OPERATION_NON_TRANSPOSE || opB != CUSPARSE_OPERATION_NON_TRANSPOSE ||
       A->format != CUSPARSE_FORMAT_CSR || B->format != CUSPARSE_FORMAT_CSR || C->format != CUSPARSE_FORMAT_CSR))
    call.fail(CUSPARSE_STATUS_NOT_SUPPORTED);
  return call.status();
}
} // namespace
US_EXPORT cusparseStatus_t cusparseSpGEMM_workEstimation(US_SPGEMM, size_t *size, void *buffer) {
  Call call(__func__, handle);
  call.require(alpha && beta);
  call.type(computeType);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  return buffer ? call.status() : bufferSize(call, size);
}
// The host learns how many entries there are, so that this waits. The first of two calls, which asks for the buffer's
// size, does what the second does: a program may leave a buffer out that it takes for empty.
US_EXPORT cusparseStatus_t cusparseSpGEMM_compute(US_SPGEMM, size_t *size, void *) {
  Call call(__func__, handle);
  const auto a = call.scalar(alpha, computeType);
  call.require(beta != nullptr);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.sparse(matA);
  call.sparse(matB);
  if (const cusparseStatus_t status = bufferSize(call, size); status != CUSPARSE_STATUS_SUCCESS) return status;
  const auto product = std::make_shared<Rows>();
  const cusparseStatus_t status = call.run([=, A = *matA, B = *matB] { *product = multiply(A, B, a()); }, true);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (int64_t(product->rows.size()) != matC->rows) return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  matC->count = product->count;
  descr->product = product;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSpGEMM_copy(US_SPGEMM) {
  Call call(__func__, handle);
  const auto b = call.scalar(beta, computeType);
  call.require(alpha != nullptr);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.require(descr && descr->product);
  if (!call.isOk()) return call.status();
  call.require(matC->count == descr->product->count);
  call.sparse(matC);
  return call.run([=, C = *matC, product = descr->product] {
    storePattern(*product, C);
    storeValues(*product, C, b());
  });
}

US_EXPORT cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t *num_prods) {
  if (!descr || !num_prods || !descr->product) return CUSPARSE_STATUS_INVALID_VALUE;
  *num_prods = descr->product->products;
  return CUSPARSE_STATUS_SUCCESS;
}

// The pattern once, values often: "the routine allows the reuse of the output pattern".
#define US_REUSE                                                                                                       \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,           \
      cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr
US_EXPORT cusparseStatus_t cusparseSpGEMMreuse_workEstimation(US_REUSE, size_t *size, void *buffer) {
  Call call(__func__, handle);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  return buffer ? call.status() : bufferSize(call, size);
}
// The host learns how many entries there are, so that this waits.
US_EXPORT cusparseStatus_t cusparseSpGEMMreuse_nnz(US_REUSE, size_t *size2, void *, size_t *size3, void *,
                                                   size_t *size4, void *) {
  Call call(__func__, handle);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.sparse(matA);
  call.sparse(matB);
  for (size_t *const size : {size2, size3, size4})
    if (const cusparseStatus_t status = bufferSize(call, size); status != CUSPARSE_STATUS_SUCCESS) return status;
  const auto product = std::make_shared<Rows>();
  const cusparseStatus_t status = call.run([=, A = *matA, B = *matB] { *product = multiply(A, B, 0.0); }, true);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (int64_t(product->rows.size()) != matC->rows) return CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
  matC->count = product->count;
  descr->product = product;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSpGEMMreuse_copy(US_REUSE, size_t *size, void *) {
  Call call(__func__, handle);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.require(descr && descr->product);
  if (const cusparseStatus_t status = bufferSize(call, size); status != CUSPARSE_STATUS_SUCCESS) return status;
  call.require(matC->count == descr->product->count);
  call.sparse(matC);
  return call.run([C = *matC, product = descr->product] { storePattern(*product, C); });
}
US_EXPORT cusparseStatus_t cusparseSpGEMMreuse_compute(US_SPGEMM) {
  Call call(__func__, handle);
  const auto a = call.scalar(alpha, computeType), b = call.scalar(beta, computeType);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.require(descr && descr->product);
  if (!call.isOk()) return call.status();
  call.require(matC->count == descr->product->count);
  call.sparse(matA);
  call.sparse(matB);
  call.sparse(matC);
  return call.run([=, A = *matA, B = *matB, C = *matC, function = call.function()] {
    const Rows product = multiply(A, B, a());
    if (product.count == C.count)
      storeValues(product, C, b());
    else
      math::say(function, "the matrices have another pattern than they had: the product is left out");
  });
}
