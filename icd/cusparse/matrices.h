// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generic interface is told of vectors and matrices, and how their entries are read.
#pragma once

#include "icd/cuda/include/cusparse.h"
#include "icd/math/numbers.h"

#include <algorithm>
#include <vector>

namespace us::cusparse {

inline size_t sizeOfIndex(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_32I ? 4 : 2;
}

} // namespace us::cusparse

struct cusparseSpVecDescr {
  int64_t size, count;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, leading;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches = 1;
  int64_t batchStride = 0;

  int64_t at(int64_t row, int64_t column) const {
    return order == CUSPARSE_ORDER_COL ? row + column * leading : row * leading + column;
  }
  /// One of several matrices; if there is but one, that.
  cusparseDnMatDescr of(int batch) const {
    cusparseDnMatDescr one = *this;
    if (batches > 1) one.values = static_cast<char *>(values) + batch * batchStride * us::math::sizeOf(type);
    return one;
  }
};
/// Of formats with offsets these are rows' (CSR) or columns' (CSC); else there are two indices for each entry.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, count;
  void *offsets, *indices, *values; ///< offsets: of COO the rows
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batches = 1;
  int64_t offsetStride = 0, entryStride = 0;

  /// As above. COO's rows lie as its other indices do.
  cusparseSpMatDescr of(int batch) const {
    using namespace us;
    cusparseSpMatDescr one = *this;
    if (batches == 1) return one;
    const auto move = [&](void *pointer, int64_t stride, size_t size) {
      return static_cast<char *>(pointer) + batch * stride * int64_t(size);
    };
    one.offsets = move(offsets, offsetStride, cusparse::sizeOfIndex(offsetType));
    one.indices = move(indices, entryStride, cusparse::sizeOfIndex(indexType));
    one.values = move(values, entryStride, math::sizeOf(type));
    return one;
  }
};

namespace us::cusparse {

using Number = std::complex<double>;
using Vector = cusparseDnVecDescr;
using Matrix = cusparseDnMatDescr;
using Sparse = cusparseSpMatDescr;
struct Entry {
  int64_t column;
  Number value;
};

inline int64_t indexAt(const void *indices, cusparseIndexType_t type, int64_t i) {
  switch (type) {
  case CUSPARSE_INDEX_64I:
    return static_cast<const int64_t *>(indices)[i];
  case CUSPARSE_INDEX_32I:
    return static_cast<const int32_t *>(indices)[i];
  default:
    return static_cast<const uint16_t *>(indices)[i];
  }
}
inline void setIndex(void *indices, cusparseIndexType_t type, int64_t i, int64_t value) {
  if (type == CUSPARSE_INDEX_64I)
    static_cast<int64_t *>(indices)[i] = value;
  else if (type == CUSPARSE_INDEX_32I)
    static_cast<int32_t *>(indices)[i] = int32_t(value);
  else
    static_cast<uint16_t *>(indices)[i] = uint16_t(value);
}

/// Calls use(row, column, place) for each entry, as they lie in memory; those outside of the matrix are left out.
template <class Use> void forEntries(const Sparse &A, Use use) {
  const auto inside = [](int64_t i, int64_t size) { return i >= 0 && i < size; };
  if (A.format == CUSPARSE_FORMAT_COO) {
    for (int64_t i = 0; i < A.count; ++i) {
      const int64_t row = indexAt(A.offsets, A.offsetType, i) - A.base,
                    column = indexAt(A.indices, A.indexType, i) - A.base;
      if (inside(row, A.rows) && inside(column, A.columns)) use(row, column, i);
    }
    return;
  }
  const bool isByRow = A.format == CUSPARSE_FORMAT_CSR;
  const int64_t lines = isByRow ? A.rows : A.columns, length = isByRow ? A.columns : A.rows;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t first = std::max<int64_t>(indexAt(A.offsets, A.offsetType, line) - A.base, 0);
    const int64_t end = std::min(indexAt(A.offsets, A.offsetType, line + 1) - A.base, A.count);
    for (int64_t i = first; i < end; ++i)
      if (const int64_t other = indexAt(A.indices, A.indexType, i) - A.base; inside(other, length))
        isByRow ? use(line, other, i) : use(other, line, i);
  }
}

/// A type's numbers, found once instead of for each.
class Reader {
public:
  Reader(const void *values, cudaDataType type) : values_(values) {
    math::withType(type, [&](auto *null) {
      using From = std::remove_pointer_t<decltype(null)>;
      read_ = [](const void *from, int64_t i) { return math::convert<Number>(static_cast<const From *>(from)[i]); };
    });
  }
  Number operator[](int64_t i) const { return read_(values_, i); }

private:
  const void *values_;
  Number (*read_)(const void *, int64_t) = nullptr;
};

inline Number op(cusparseOperation_t how, Number value) {
  return how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value;
}
/// a * b, in which no part is asked whether it is infinite.
inline Number times(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// A vector as a matrix of one column.
inline Matrix columnOf(const Vector &x) {
  return {x.size, 1, std::max<int64_t>(x.size, 1), x.values, x.type, CUSPARSE_ORDER_COL};
}

inline bool isIndexType(cusparseIndexType_t type) { return type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I; }
inline bool isBase(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}

} // namespace us::cusparse
