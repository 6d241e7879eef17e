// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors and matrices of the generic interface: what they are made of, and what is asked of them.
#include "icd/cusparse/call.h"

#include <cstring>
#include <utility>

namespace us::cusparse {
namespace {

cusparseStatus_t createSparse(Sparse **descr, const Sparse &made) {
  const bool hasOffsets = made.format != CUSPARSE_FORMAT_COO;
  if (!descr || made.rows < 0 || made.columns < 0 || made.count < 0 || !isIndexType(made.offsetType) ||
      !isIndexType(made.indexType) || !isBase(made.base))
    return CUSPARSE_STATUS_INVALID_VALUE;
  // "nnz" is at most what the matrix has; without entries there may be no arrays, which come by SetPointers.
  if (__int128(made.count) > __int128(made.rows) * made.columns) return CUSPARSE_STATUS_INVALID_VALUE;
  if (made.count > 0 && (!made.indices || !made.values || !made.offsets)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!math::sizeOf(made.type) || (hasOffsets && made.offsetType == CUSPARSE_INDEX_16U))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  *descr = new Sparse(made);
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

US_EXPORT cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *descr, int64_t size, int64_t nnz, void *indices,
                                               void *values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                               cudaDataType valueType) {
  if (!descr || size < 0 || nnz < 0 || nnz > size || !isIndexType(idxType) || !isBase(idxBase) ||
      (nnz > 0 && (!indices || !values)))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!math::sizeOf(valueType)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *descr = new cusparseSpVecDescr{size, nnz, indices, values, idxType, idxBase, valueType};
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *descr, int64_t size, void *values,
                                               cudaDataType valueType) {
  if (!descr || size < 0 || (size > 0 && !values)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!math::sizeOf(valueType)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *descr = new cusparseDnVecDescr{size, values, valueType};
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *descr, int64_t rows, int64_t cols, int64_t ld,
                                               void *values, cudaDataType valueType, cusparseOrder_t order) {
  if (!descr || rows < 0 || cols < 0 || (order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW) ||
      ld < (order == CUSPARSE_ORDER_COL ? rows : cols) || (rows > 0 && cols > 0 && !values))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!math::sizeOf(valueType)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *descr = new cusparseDnMatDescr{rows, cols, ld, values, valueType, order};
  return CUSPARSE_STATUS_SUCCESS;
}
#define US_COMPRESSED(NAME, FORMAT)                                                                                    \
  US_EXPORT cusparseStatus_t cusparseCreate##NAME(cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols,             \
                                                  int64_t nnz, void *offsets, void *indices, void *values,             \
                                                  cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,    \
                                                  cusparseIndexBase_t idxBase, cudaDataType valueType) {               \
    return createSparse(                                                                                               \
        descr, {FORMAT, rows, cols, nnz, offsets, indices, values, offsetsType, indicesType, idxBase, valueType});     \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparseCreateConst##NAME(                                                                \
      cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz, const void *offsets,                  \
      const void *indices, const void *values, cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,       \
      cusparseIndexBase_t idxBase, cudaDataType valueType) {                                                           \
    return cusparseCreate##NAME(const_cast<cusparseSpMatDescr_t *>(descr), rows, cols, nnz,                            \
                                const_cast<void *>(offsets), const_cast<void *>(indices), const_cast<void *>(values),  \
                                offsetsType, indicesType, idxBase, valueType);                                         \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##SetPointers(cusparseSpMatDescr_t descr, void *offsets, void *indices,     \
                                                         void *values) {                                               \
    if (!descr || descr->format != FORMAT || !offsets) return CUSPARSE_STATUS_INVALID_VALUE;                           \
    descr->offsets = offsets;                                                                                          \
    descr->indices = indices;                                                                                          \
    descr->values = values;                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
US_COMPRESSED(Csr, CUSPARSE_FORMAT_CSR)
US_COMPRESSED(Csc, CUSPARSE_FORMAT_CSC)
US_EXPORT cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *descr, int64_t rows, int64_t cols, int64_t nnz,
                                             void *rowInd, void *colInd, void *values, cusparseIndexType_t idxType,
                                             cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return createSparse(
      descr, {CUSPARSE_FORMAT_COO, rows, cols, nnz, rowInd, colInd, values, idxType, idxType, idxBase, valueType});
}
US_EXPORT cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t descr, void *rows, void *columns, void *values) {
  if (!descr || descr->format != CUSPARSE_FORMAT_COO || !rows) return CUSPARSE_STATUS_INVALID_VALUE;
  descr->offsets = rows;
  descr->indices = columns;
  descr->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *descr, int64_t rows, int64_t cols,
                                                  int64_t nnz, const void *rowInd, const void *colInd,
                                                  const void *values, cusparseIndexType_t idxType,
                                                  cusparseIndexBase_t idxBase, cudaDataType valueType) {
  return cusparseCreateCoo(const_cast<cusparseSpMatDescr_t *>(descr), rows, cols, nnz, const_cast<void *>(rowInd),
                           const_cast<void *>(colInd), const_cast<void *>(values), idxType, idxBase, valueType);
}
US_EXPORT cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descr, int64_t size, int64_t nnz,
                                                    const void *indices, const void *values,
                                                    cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                                    cudaDataType valueType) {
  return cusparseCreateSpVec(const_cast<cusparseSpVecDescr_t *>(descr), size, nnz, const_cast<void *>(indices),
                             const_cast<void *>(values), idxType, idxBase, valueType);
}
US_EXPORT cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descr, int64_t size, const void *values,
                                                    cudaDataType valueType) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t *>(descr), size, const_cast<void *>(values), valueType);
}
US_EXPORT cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descr, int64_t rows, int64_t cols,
                                                    int64_t ld, const void *values, cudaDataType valueType,
                                                    cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t *>(descr), rows, cols, ld, const_cast<void *>(values),
                             valueType, order);
}
#define US_DESCRIPTOR(NAME)                                                                                            \
  US_EXPORT cusparseStatus_t cusparseDestroy##NAME(cusparseConst##NAME##Descr_t descr) {                               \
    delete descr;                                                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##GetValues(cusparse##NAME##Descr_t descr, void **values) {                 \
    if (!descr || !values) return CUSPARSE_STATUS_INVALID_VALUE;                                                       \
    *values = descr->values;                                                                                           \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparseConst##NAME##GetValues(cusparseConst##NAME##Descr_t descr, const void **values) { \
    if (!descr || !values) return CUSPARSE_STATUS_INVALID_VALUE;                                                       \
    *values = descr->values;                                                                                           \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##SetValues(cusparse##NAME##Descr_t descr, void *values) {                  \
    if (!descr || !values) return CUSPARSE_STATUS_INVALID_VALUE;                                                       \
    descr->values = values;                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
US_DESCRIPTOR(SpVec)
US_DESCRIPTOR(DnVec)
US_DESCRIPTOR(DnMat)
US_DESCRIPTOR(SpMat)
namespace {
/// What a descriptor says, all of it: "INVALID_VALUE" if there is no descriptor, or a place for an answer is missing.
template <class Descriptor, class... Answers> cusparseStatus_t get(const Descriptor *descr, Answers... answers) {
  if (!descr || !(... && answers.second)) return CUSPARSE_STATUS_INVALID_VALUE;
  ((*answers.second = descr->*answers.first), ...);
  return CUSPARSE_STATUS_SUCCESS;
}
} // namespace
#define US_GETTERS(CONST, C)                                                                                           \
  US_EXPORT cusparseStatus_t cusparse##CONST##SpVecGet(                                                                \
      cusparse##CONST##SpVecDescr_t descr, int64_t *size, int64_t *nnz, C void **indices, C void **values,             \
      cusparseIndexType_t *idxType, cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                           \
    using D = cusparseSpVecDescr;                                                                                      \
    return get(descr, std::pair(&D::size, size), std::pair(&D::count, nnz), std::pair(&D::indices, indices),           \
               std::pair(&D::values, values), std::pair(&D::indexType, idxType), std::pair(&D::base, idxBase),         \
               std::pair(&D::type, valueType));                                                                        \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##CONST##DnVecGet(cusparse##CONST##DnVecDescr_t descr, int64_t *size,             \
                                                       C void **values, cudaDataType *valueType) {                     \
    using D = cusparseDnVecDescr;                                                                                      \
    return get(descr, std::pair(&D::size, size), std::pair(&D::values, values), std::pair(&D::type, valueType));       \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##CONST##DnMatGet(cusparse##CONST##DnMatDescr_t descr, int64_t *rows,             \
                                                       int64_t *cols, int64_t *ld, C void **values,                    \
                                                       cudaDataType *type, cusparseOrder_t *order) {                   \
    using D = cusparseDnMatDescr;                                                                                      \
    return get(descr, std::pair(&D::rows, rows), std::pair(&D::columns, cols), std::pair(&D::leading, ld),             \
               std::pair(&D::values, values), std::pair(&D::type, type), std::pair(&D::order, order));                 \
  }                                                                                                                    \
  US_SPARSE_GETTER(CONST, Csr, CSR, C)                                                                                 \
  US_SPARSE_GETTER(CONST, Csc, CSC, C)                                                                                 \
  US_EXPORT cusparseStatus_t cusparse##CONST##CooGet(cusparse##CONST##SpMatDescr_t descr, int64_t *rows,               \
                                                     int64_t *cols, int64_t *nnz, C void **rowInd, C void **colInd,    \
                                                     C void **values, cusparseIndexType_t *idxType,                    \
                                                     cusparseIndexBase_t *idxBase, cudaDataType *valueType) {          \
    return getSparse(descr, CUSPARSE_FORMAT_COO, rows, cols, nnz, rowInd, colInd, values, idxType, idxType, idxBase,   \
                     valueType);                                                                                       \
  }
#define US_SPARSE_GETTER(CONST, NAME, FORMAT, C)                                                                       \
  US_EXPORT cusparseStatus_t cusparse##CONST##NAME##Get(                                                               \
      cusparse##CONST##SpMatDescr_t descr, int64_t *rows, int64_t *cols, int64_t *nnz, C void **offsets,               \
      C void **indices, C void **values, cusparseIndexType_t *offsetsType, cusparseIndexType_t *indicesType,           \
      cusparseIndexBase_t *idxBase, cudaDataType *valueType) {                                                         \
    return getSparse(descr, CUSPARSE_FORMAT_##FORMAT, rows, cols, nnz, offsets, indices, values, offsetsType,          \
                     indicesType, idxBase, valueType);                                                                 \
  }
namespace {
template <class Address>
cusparseStatus_t getSparse(const Sparse *descr, cusparseFormat_t format, int64_t *rows, int64_t *columns,
                           int64_t *count, Address *offsets, Address *indices, Address *values,
                           cusparseIndexType_t *offsetType, cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
                           cudaDataType *type) {
  if (descr && descr->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
  return get(descr, std::pair(&Sparse::rows, rows), std::pair(&Sparse::columns, columns),
             std::pair(&Sparse::count, count), std::pair(&Sparse::offsets, offsets),
             std::pair(&Sparse::indices, indices), std::pair(&Sparse::values, values),
             std::pair(&Sparse::offsetType, offsetType), std::pair(&Sparse::indexType, indexType),
             std::pair(&Sparse::base, base), std::pair(&Sparse::type, type));
}
} // namespace
US_GETTERS(, )
US_GETTERS(Const, const)
US_EXPORT cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t descr, cusparseIndexBase_t *idxBase) {
  return get(descr, std::pair(&cusparseSpVecDescr::base, idxBase));
}
US_EXPORT cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t descr, int batchCount,
                                                        int64_t batchStride) {
  if (!descr || batchCount < 1 || batchStride < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  descr->batches = batchCount;
  descr->batchStride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int *batchCount,
                                                        int64_t *batchStride) {
  return get(descr, std::pair(&cusparseDnMatDescr::batches, batchCount),
             std::pair(&cusparseDnMatDescr::batchStride, batchStride));
}
namespace {
cusparseStatus_t setBatches(Sparse *descr, cusparseFormat_t format, int count, int64_t offsetStride,
                            int64_t entryStride) {
  if (!descr || descr->format != format || count < 1 || offsetStride < 0 || entryStride < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  descr->batches = count;
  descr->offsetStride = offsetStride;
  descr->entryStride = entryStride;
  return CUSPARSE_STATUS_SUCCESS;
}
} // namespace
US_EXPORT cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount,
                                                      int64_t offsetsBatchStride, int64_t columnsValuesBatchStride) {
  return setBatches(descr, CUSPARSE_FORMAT_CSR, batchCount, offsetsBatchStride, columnsValuesBatchStride);
}
US_EXPORT cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t descr, int batchCount, int64_t batchStride) {
  return setBatches(descr, CUSPARSE_FORMAT_COO, batchCount, batchStride, batchStride);
}
US_EXPORT cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t descr, int *batchCount) {
  return get(descr, std::pair(&Sparse::batches, batchCount));
}
US_EXPORT cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t descr, int64_t *rows, int64_t *cols,
                                                int64_t *nnz) {
  return get(descr, std::pair(&Sparse::rows, rows), std::pair(&Sparse::columns, cols), std::pair(&Sparse::count, nnz));
}
US_EXPORT cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t descr, cusparseFormat_t *format) {
  return get(descr, std::pair(&Sparse::format, format));
}
US_EXPORT cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t descr, cusparseIndexBase_t *idxBase) {
  return get(descr, std::pair(&Sparse::base, idxBase));
}
US_EXPORT cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t descr, cusparseSpMatAttribute_t attribute,
                                                     void *data, size_t dataSize) {
  int value = 0;
  if (!descr || !data || dataSize != sizeof value) return CUSPARSE_STATUS_INVALID_VALUE;
  std::memcpy(&value, data, sizeof value);
  if (value != 0 && value != 1) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    descr->fill = cusparseFillMode_t(value);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE)
    descr->diagonal = cusparseDiagType_t(value);
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t descr,
                                                     cusparseSpMatAttribute_t attribute, void *data, size_t dataSize) {
  if (!descr || !data || dataSize != sizeof(int) || unsigned(attribute) > CUSPARSE_SPMAT_DIAG_TYPE)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int value = attribute == CUSPARSE_SPMAT_FILL_MODE ? int(descr->fill) : int(descr->diagonal);
  std::memcpy(data, &value, sizeof value);
  return CUSPARSE_STATUS_SUCCESS;
}
