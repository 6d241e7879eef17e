// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's generic interface: what is described is gone through entry by entry when the stream gets there, and summed
// in double precision.
#include "icd/cusparse/descriptor.h"
#include "icd/math/numbers.h"
#include "icd/math/session.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <vector>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

struct cusparseContext {
  us::math::Session session;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
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
};
struct cusparseSpSVDescr {
  bool isAnalysed = false;
};
struct cusparseSpSMDescr {
  bool isAnalysed = false;
};

namespace us::cusparse {
namespace {

using Number = std::complex<double>;
using Vector = cusparseDnVecDescr;
using Matrix = cusparseDnMatDescr;
using Sparse = cusparseSpMatDescr;
struct Entry {
  int64_t column;
  Number value;
};

/// Rows of a product that is on its way into a matrix.
struct Rows {
  std::vector<std::vector<Entry>> rows;
  int64_t count = 0;
};

} // namespace
} // namespace us::cusparse

struct cusparseSpGEMMDescr {
  std::shared_ptr<const us::cusparse::Rows> product;
};

namespace us::cusparse {
namespace {

size_t sizeOfIndex(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_32I ? 4 : 2;
}
int64_t indexAt(const void *indices, cusparseIndexType_t type, int64_t i) {
  switch (type) {
  case CUSPARSE_INDEX_64I:
    return static_cast<const int64_t *>(indices)[i];
  case CUSPARSE_INDEX_32I:
    return static_cast<const int32_t *>(indices)[i];
  default:
    return static_cast<const uint16_t *>(indices)[i];
  }
}
void setIndex(void *indices, cusparseIndexType_t type, int64_t i, int64_t value) {
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

/// What a call checks before its work is given to the stream.
class Call {
public:
  Call(const char *function, cusparseHandle_t handle) : function_(function), handle_(handle) {
    if (!math::isHandle(handle)) fail(CUSPARSE_STATUS_NOT_INITIALIZED);
  }
  void fail(cusparseStatus_t status) {
    if (status_ == CUSPARSE_STATUS_SUCCESS) status_ = status;
  }
  /// "CUSPARSE_STATUS_INVALID_VALUE: an unsupported value or parameter was passed to the function"
  void require(bool isSo) {
    if (!isSo) fail(CUSPARSE_STATUS_INVALID_VALUE);
  }
  bool isOk() const { return status_ == CUSPARSE_STATUS_SUCCESS; }
  cusparseStatus_t status() const { return status_; }

  void type(cudaDataType type) {
    if (!math::sizeOf(type)) fail(CUSPARSE_STATUS_NOT_SUPPORTED);
  }
  void memory(const void *pointer, uint64_t bytes) {
    if (!isOk() || math::Session::reaches(pointer, bytes)) return;
    math::say(function_, "%llu bytes at %p are not all in one allocation that the device can reach",
              static_cast<unsigned long long>(bytes), pointer);
    fail(CUSPARSE_STATUS_INVALID_VALUE);
  }
  void operation(cusparseOperation_t op) {
    require(op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  }
  void vector(const Vector *x, int64_t size) {
    require(x && x->size == size);
    if (isOk()) memory(x->values, uint64_t(x->size) * math::sizeOf(x->type));
  }
  void matrix(const Matrix *B, int64_t rows, int64_t columns) {
    require(B && B->rows == rows && B->columns == columns);
    if (isOk() && rows > 0 && columns > 0)
      memory(B->values, uint64_t(B->at(rows - 1, columns - 1) + 1) * math::sizeOf(B->type));
  }
  void sparse(const Sparse *A) {
    require(A != nullptr);
    if (!isOk()) return;
    const int64_t lines = A->format == CUSPARSE_FORMAT_COO   ? A->count
                          : A->format == CUSPARSE_FORMAT_CSR ? A->rows + 1
                                                             : A->columns + 1;
    memory(A->offsets, uint64_t(lines) * sizeOfIndex(A->offsetType));
    memory(A->indices, uint64_t(A->count) * sizeOfIndex(A->indexType));
    memory(A->values, uint64_t(A->count) * math::sizeOf(A->type));
  }

  /// A number that the host gave, or that lies in memory of the device until the work is done.
  struct Scalar {
    Number value;
    const void *address;
    cudaDataType type;
    Number operator()() const { return address ? math::load<Number>(type, address) : value; }
  };
  Scalar scalar(const void *pointer, cudaDataType type) {
    require(pointer != nullptr);
    this->type(type);
    if (!isOk()) return {};
    if (handle_->mode == CUSPARSE_POINTER_MODE_HOST) return {math::load<Number>(type, pointer), nullptr, type};
    memory(pointer, math::sizeOf(type));
    return {{}, pointer, type};
  }

  template <class Work> cusparseStatus_t run(Work work, bool wait = false) {
    if (!isOk()) return status_;
    const CUresult result = handle_->session.run(
        [work = std::move(work), function = function_] {
          try {
            work();
          } catch (const std::bad_alloc &) {
            math::say(function, "there is no memory for sums: the work is left out");
          }
        },
        wait);
    return result == CUDA_SUCCESS ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
  }

private:
  const char *function_;
  cusparseHandle_t handle_;
  cusparseStatus_t status_ = CUSPARSE_STATUS_SUCCESS;
};

Number op(cusparseOperation_t how, Number value) {
  return how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value;
}
/// a * b, in which no part is asked whether it is infinite.
Number times(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

cusparseStatus_t bufferSize(Call &call, size_t *size) {
  call.require(size != nullptr);
  if (call.isOk()) *size = 0; // nothing here needs memory of the device
  return call.status();
}

struct Product {
  int64_t rows, columns, inner;
};

/// y = alpha op(A) x + beta y, or of matrices: each column of op(B) and C.
cusparseStatus_t multiply(Call call, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,
                          const Sparse *A, const Matrix *B, const void *beta, const Matrix *C, cudaDataType type) {
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, type), b = call.scalar(beta, type);
  call.sparse(A);
  call.require(B && C);
  if (!call.isOk()) return call.status();
  const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t rows = isTurned ? A->columns : A->rows, inner = isTurned ? A->rows : A->columns, columns = C->columns;
  call.matrix(B, isTurnedB ? columns : inner, isTurnedB ? inner : columns);
  call.matrix(C, rows, columns);
  return call.run([=, A = *A, B = *B, C = *C] {
    std::vector<Number> sums(size_t(rows) * size_t(columns));
    const Reader values(A.values, A.type), from(B.values, B.type);
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      if (isTurned) std::swap(row, column);
      const Number value = op(opA, values[place]);
      for (int64_t i = 0; i < columns; ++i)
        sums[size_t(row * columns + i)] += times(value, op(opB, from[isTurnedB ? B.at(i, column) : B.at(column, i)]));
    });
    const Number factor = a(), kept = b();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < columns; ++i) {
        Number value = times(factor, sums[size_t(row * columns + i)]);
        if (kept != 0.0) value += times(kept, math::load<Number>(C.type, C.values, C.at(row, i)));
        math::store<Number>(C.type, C.values, value, C.at(row, i));
      }
  });
}

/// A vector as a matrix of one column.
Matrix columnOf(const Vector &x) {
  return {x.size, 1, std::max<int64_t>(x.size, 1), x.values, x.type, CUSPARSE_ORDER_COL};
}

/// op(A) C = alpha op(B) for a triangle of A.
cusparseStatus_t solve(Call call, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha, const Sparse *A,
                       const Matrix *B, const Matrix *C, cudaDataType type) {
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, type);
  call.sparse(A);
  call.require(A && B && C && A->rows == A->columns);
  if (!call.isOk()) return call.status();
  const bool isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t size = A->rows, columns = C->columns;
  call.matrix(B, isTurnedB ? columns : size, isTurnedB ? size : columns);
  call.matrix(C, size, columns);
  return call.run([=, A = *A, B = *B, C = *C] {
    const bool isTurned = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isUnit = A.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    const bool isLower = (A.fill == CUSPARSE_FILL_MODE_LOWER) != isTurned;
    std::vector<std::vector<Entry>> rows(static_cast<size_t>(size));
    std::vector<Number> diagonal(size_t(size), isUnit ? 1.0 : 0.0);
    const Reader values(A.values, A.type);
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      if (isTurned) std::swap(row, column);
      const Number value = op(opA, values[place]);
      if (row == column) {
        if (!isUnit) diagonal[size_t(row)] += value;
      } else if (isLower == (column < row)) {
        rows[size_t(row)].push_back({column, value});
      }
    });
    const Number factor = a();
    std::vector<Number> x(static_cast<size_t>(size));
    for (int64_t i = 0; i < columns; ++i) {
      for (int64_t step = 0; step < size; ++step) {
        const int64_t row = isLower ? step : size - 1 - step;
        Number value =
            times(factor, op(opB, math::load<Number>(B.type, B.values, isTurnedB ? B.at(i, row) : B.at(row, i))));
        for (const Entry &entry : rows[size_t(row)]) value -= times(entry.value, x[size_t(entry.column)]);
        x[size_t(row)] = value / diagonal[size_t(row)];
      }
      for (int64_t row = 0; row < size; ++row) math::store<Number>(C.type, C.values, x[size_t(row)], C.at(row, i));
    }
  });
}

bool isIndexType(cusparseIndexType_t type) { return type >= CUSPARSE_INDEX_16U && type <= CUSPARSE_INDEX_64I; }
bool isBase(cusparseIndexBase_t base) { return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE; }

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

const char *const kNames[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "feature absent from the device"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "memory could not be accessed"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "the device failed to execute"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};

/// Offsets from indices in their order, counted.
void countOffsets(int *offsets, int lines, int base, const std::vector<int> &counts) {
  int sum = base;
  for (int line = 0; line < lines; ++line) {
    offsets[line] = sum;
    sum += counts[size_t(line)];
  }
  offsets[lines] = sum;
}

template <class T> cusparseStatus_t tell(cusparseMatDescr_t descr, T cusparseMatDescr::*field, T value, int most) {
  if (!descr || int(value) < 0 || int(value) > most) return CUSPARSE_STATUS_INVALID_VALUE;
  descr->*field = value;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace
} // namespace us::cusparse

using namespace us;
using namespace us::cusparse;

US_EXPORT cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  auto made = std::make_unique<cusparseContext>();
  if (const CUresult result = made->session.start(__func__); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUSPARSE_STATUS_ARCH_MISMATCH : CUSPARSE_STATUS_NOT_INITIALIZED;
  math::addHandle(made.get());
  *handle = made.release();
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (!math::removeHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!version) return CUSPARSE_STATUS_INVALID_VALUE;
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUSPARSE_STATUS_INVALID_VALUE;
  const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
  *value = parts[type];
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT const char *cusparseGetErrorName(cusparseStatus_t status) {
  return unsigned(status) < std::size(kNames) ? kNames[status][0] : "unrecognized error code";
}
US_EXPORT const char *cusparseGetErrorString(cusparseStatus_t status) {
  return unsigned(status) < std::size(kNames) ? kNames[status][1] : "unrecognized error code";
}
US_EXPORT cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->session.stream = reinterpret_cast<CUstream>(stream);
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!stream) return CUSPARSE_STATUS_INVALID_VALUE;
  *stream = reinterpret_cast<cudaStream_t>(handle->session.stream);
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE) return CUSPARSE_STATUS_INVALID_VALUE;
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!mode) return CUSPARSE_STATUS_INVALID_VALUE;
  *mode = handle->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

US_EXPORT cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr) {
  if (!descr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descr = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  delete descr;
  return CUSPARSE_STATUS_SUCCESS;
}
#define US_FIELD(NAME, TYPE, FIELD, MOST)                                                                              \
  US_EXPORT cusparseStatus_t cusparseSetMat##NAME(cusparseMatDescr_t descr, TYPE value) {                              \
    return tell(descr, &cusparseMatDescr::FIELD, value, MOST);                                                         \
  }                                                                                                                    \
  US_EXPORT TYPE cusparseGetMat##NAME(const cusparseMatDescr_t descr) { return descr ? descr->FIELD : TYPE(0); }
US_FIELD(Type, cusparseMatrixType_t, type, 3)
US_FIELD(FillMode, cusparseFillMode_t, fill, 1)
US_FIELD(DiagType, cusparseDiagType_t, diagonal, 1)
US_FIELD(IndexBase, cusparseIndexBase_t, base, 1)

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
  if (batchCount > 1) {
    math::say(__func__, "%d matrices: products of several are not supported", batchCount);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
  descr->batches = batchCount;
  descr->batchStride = batchStride;
  return CUSPARSE_STATUS_SUCCESS;
}
US_EXPORT cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t descr, int *batchCount,
                                                        int64_t *batchStride) {
  return get(descr, std::pair(&cusparseDnMatDescr::batches, batchCount),
             std::pair(&cusparseDnMatDescr::batchStride, batchStride));
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

#define US_SPMV                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha, cusparseConstSpMatDescr_t matA,                 \
      cusparseConstDnVecDescr_t vecX, const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,           \
      cusparseSpMVAlg_t
US_EXPORT cusparseStatus_t cusparseSpMV_bufferSize(US_SPMV, size_t *size) {
  Call call(__func__, handle);
  call.require(alpha && matA && vecX && beta && vecY);
  call.operation(opA);
  call.type(computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSpMV_preprocess(US_SPMV, void *) {
  Call call(__func__, handle);
  call.require(alpha && matA && vecX && beta && vecY);
  call.operation(opA);
  call.type(computeType);
  return call.status();
}
US_EXPORT cusparseStatus_t cusparseSpMV(US_SPMV, void *) {
  if (!vecX || !vecY) return math::isHandle(handle) ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
  const Matrix x = columnOf(*vecX), y = columnOf(*vecY);
  return multiply({__func__, handle}, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matA, &x, beta, &y, computeType);
}

#define US_SPMM                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,     \
      cudaDataType computeType, cusparseSpMMAlg_t
US_EXPORT cusparseStatus_t cusparseSpMM_bufferSize(US_SPMM, size_t *size) {
  Call call(__func__, handle);
  call.require(alpha && matA && matB && beta && matC);
  call.operation(opA);
  call.operation(opB);
  call.type(computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSpMM_preprocess(US_SPMM, void *) {
  Call call(__func__, handle);
  call.require(alpha && matA && matB && beta && matC);
  call.operation(opA);
  call.operation(opB);
  call.type(computeType);
  return call.status();
}
US_EXPORT cusparseStatus_t cusparseSpMM(US_SPMM, void *) {
  return multiply({__func__, handle}, opA, opB, alpha, matA, matB, beta, matC, computeType);
}

#define US_SDDMM                                                                                                       \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,     \
      cudaDataType computeType, cusparseSDDMMAlg_t
US_EXPORT cusparseStatus_t cusparseSDDMM_bufferSize(US_SDDMM, size_t *size) {
  Call call(__func__, handle);
  call.require(alpha && matA && matB && beta && matC);
  call.operation(opA);
  call.operation(opB);
  call.type(computeType);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSDDMM_preprocess(US_SDDMM, void *) {
  Call call(__func__, handle);
  call.require(alpha && matA && matB && beta && matC);
  call.operation(opA);
  call.operation(opB);
  call.type(computeType);
  return call.status();
}
// "C = alpha (op(A) op(B)) o spy(C) + beta C"
US_EXPORT cusparseStatus_t cusparseSDDMM(US_SDDMM, void *) {
  Call call(__func__, handle);
  call.operation(opA);
  call.operation(opB);
  const auto a = call.scalar(alpha, computeType), b = call.scalar(beta, computeType);
  call.require(matA && matB);
  call.sparse(matC);
  if (!call.isOk()) return call.status();
  const bool isTurnedA = opA != CUSPARSE_OPERATION_NON_TRANSPOSE, isTurnedB = opB != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int64_t inner = isTurnedA ? matA->rows : matA->columns;
  call.matrix(matA, isTurnedA ? inner : matC->rows, isTurnedA ? matC->rows : inner);
  call.matrix(matB, isTurnedB ? matC->columns : inner, isTurnedB ? inner : matC->columns);
  return call.run([=, A = *matA, B = *matB, C = *matC] {
    const Reader left(A.values, A.type), right(B.values, B.type), old(C.values, C.type);
    const Number factor = a(), kept = b();
    forEntries(C, [&](int64_t row, int64_t column, int64_t place) {
      Number sum = 0;
      for (int64_t i = 0; i < inner; ++i)
        sum += times(op(opA, left[isTurnedA ? A.at(i, row) : A.at(row, i)]),
                     op(opB, right[isTurnedB ? B.at(column, i) : B.at(i, column)]));
      sum = times(factor, sum);
      if (kept != 0.0) sum += times(kept, old[place]);
      math::store<Number>(C.type, C.values, sum, place);
    });
  });
}

#define US_SPSV                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha, cusparseConstSpMatDescr_t matA,                 \
      cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t,          \
      cusparseSpSVDescr_t descr
#define US_SPSM                                                                                                        \
  cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *alpha,                        \
      cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,                       \
      cudaDataType computeType, cusparseSpSMAlg_t, cusparseSpSMDescr_t descr
#define US_SOLVER(NAME, PARAMETERS, FROM, INTO)                                                                        \
  US_EXPORT cusparseStatus_t cusparse##NAME##_createDescr(cusparse##NAME##Descr_t *descr) {                            \
    if (!descr) return CUSPARSE_STATUS_INVALID_VALUE;                                                                  \
    *descr = new cusparse##NAME##Descr;                                                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_destroyDescr(cusparse##NAME##Descr_t descr) {                            \
    delete descr;                                                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_bufferSize(PARAMETERS, size_t *size) {                                   \
    Call call(__func__, handle);                                                                                       \
    call.require(alpha &&matA &&FROM &&INTO &&descr);                                                                  \
    call.operation(opA);                                                                                               \
    call.type(computeType);                                                                                            \
    return bufferSize(call, size);                                                                                     \
  }                                                                                                                    \
  US_EXPORT cusparseStatus_t cusparse##NAME##_analysis(PARAMETERS, void *) {                                           \
    Call call(__func__, handle);                                                                                       \
    call.require(alpha &&matA &&FROM &&INTO &&descr);                                                                  \
    call.operation(opA);                                                                                               \
    call.type(computeType);                                                                                            \
    if (call.isOk()) descr->isAnalysed = true;                                                                         \
    return call.status();                                                                                              \
  }
US_SOLVER(SpSV, US_SPSV, vecX, vecY)
US_SOLVER(SpSM, US_SPSM, matB, matC)
// "cusparseSpSV_analysis() must be called before": without it there is nothing to solve with.
US_EXPORT cusparseStatus_t cusparseSpSV_solve(US_SPSV) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!vecX || !vecY || !descr || !descr->isAnalysed) return CUSPARSE_STATUS_INVALID_VALUE;
  const Matrix x = columnOf(*vecX), y = columnOf(*vecY);
  return solve({__func__, handle}, opA, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matA, &x, &y, computeType);
}
US_EXPORT cusparseStatus_t cusparseSpSM_solve(US_SPSM) {
  if (!math::isHandle(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descr || !descr->isAnalysed) return CUSPARSE_STATUS_INVALID_VALUE;
  return solve({__func__, handle}, opA, opB, alpha, matA, matB, matC, computeType);
}

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
// size, does what the second would: our size is 0, and nobody has a buffer of that.
US_EXPORT cusparseStatus_t cusparseSpGEMM_compute(US_SPGEMM, size_t *size, void *) {
  Call call(__func__, handle);
  const auto a = call.scalar(alpha, computeType);
  call.require(beta != nullptr);
  checkProduct(call, opA, opB, matA, matB, matC, descr);
  call.sparse(matA);
  call.sparse(matB);
  if (const cusparseStatus_t status = bufferSize(call, size); status != CUSPARSE_STATUS_SUCCESS) return status;
  const auto product = std::make_shared<Rows>();
  const cusparseStatus_t status = call.run(
      [=, A = *matA, B = *matB] {
        std::vector<std::vector<Entry>> right(static_cast<size_t>(B.rows));
        const Reader left(A.values, A.type), values(B.values, B.type);
        forEntries(B, [&](int64_t row, int64_t column, int64_t place) {
          right[size_t(row)].push_back({column, values[place]});
        });
        std::vector<std::map<int64_t, Number>> sums(static_cast<size_t>(A.rows));
        const Number factor = a();
        forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
          const Number value = times(factor, left[place]);
          for (const Entry &entry : right[size_t(column)]) sums[size_t(row)][entry.column] += times(value, entry.value);
        });
        for (const auto &row : sums) {
          std::vector<Entry> &entries = product->rows.emplace_back();
          for (const auto &[column, value] : row) entries.push_back({column, value});
          product->count += int64_t(entries.size());
        }
      },
      true);
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
    const Number kept = b();
    int64_t place = 0;
    for (size_t row = 0; row < product->rows.size(); ++row) {
      setIndex(C.offsets, C.offsetType, int64_t(row), place + C.base);
      for (const Entry &entry : product->rows[row]) {
        Number value = entry.value; // with beta the old entries have the same places
        if (kept != 0.0) value += times(kept, math::load<Number>(C.type, C.values, place));
        setIndex(C.indices, C.indexType, place, entry.column + C.base);
        math::store<Number>(C.type, C.values, value, place++);
      }
    }
    setIndex(C.offsets, C.offsetType, C.rows, place + C.base);
  });
}

US_EXPORT cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                            cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                                            size_t *size) {
  Call call(__func__, handle);
  call.require(matA && matB);
  return bufferSize(call, size);
}
US_EXPORT cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                                 cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t, void *) {
  Call call(__func__, handle);
  call.sparse(matA);
  if (!call.isOk()) return call.status();
  call.matrix(matB, matA->rows, matA->columns);
  return call.run([A = *matA, B = *matB] {
    for (int64_t row = 0; row < B.rows; ++row)
      for (int64_t column = 0; column < B.columns; ++column)
        math::store<Number>(B.type, B.values, 0.0, B.at(row, column));
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      math::store<Number>(B.type, B.values, math::load<Number>(A.type, A.values, place), B.at(row, column));
    });
  });
}
US_EXPORT cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                            cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                            size_t *size) {
  Call call(__func__, handle);
  call.require(matA && matB);
  return bufferSize(call, size);
}
namespace {
/// Calls use(line, place in it) for what is not 0, by rows or, into CSC, by columns.
template <class Use> void forNonZeros(const Matrix &A, bool isByColumn, Use use) {
  const int64_t lines = isByColumn ? A.columns : A.rows, length = isByColumn ? A.rows : A.columns;
  const Reader values(A.values, A.type);
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t i = 0; i < length; ++i) {
      const Number value = values[isByColumn ? A.at(i, line) : A.at(line, i)];
      if (value != 0.0) use(line, i, value);
    }
}
} // namespace
// The host learns how many there are, so that this waits.
US_EXPORT cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                          cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                          void *) {
  Call call(__func__, handle);
  call.require(matA && matB);
  if (!call.isOk()) return call.status();
  call.matrix(matA, matB->rows, matB->columns);
  int64_t count = 0;
  const cusparseStatus_t status =
      call.run([&count, A = *matA] { forNonZeros(A, false, [&](int64_t, int64_t, Number) { ++count; }); }, true);
  if (status == CUSPARSE_STATUS_SUCCESS) matB->count = count;
  return status;
}
US_EXPORT cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
                                                         cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t,
                                                         void *) {
  Call call(__func__, handle);
  call.require(matA && matB);
  if (!call.isOk()) return call.status();
  call.matrix(matA, matB->rows, matB->columns);
  call.sparse(matB);
  return call.run([A = *matA, B = *matB] {
    const bool isByColumn = B.format == CUSPARSE_FORMAT_CSC, isListed = B.format == CUSPARSE_FORMAT_COO;
    int64_t place = 0, next = 0; // entries written, lines begun
    forNonZeros(A, isByColumn, [&](int64_t line, int64_t i, Number value) {
      if (place == B.count) return; // more than there were
      while (!isListed && next <= line) setIndex(B.offsets, B.offsetType, next++, place + B.base);
      if (isListed) setIndex(B.offsets, B.offsetType, place, line + B.base);
      setIndex(B.indices, B.indexType, place, i + B.base);
      math::store<Number>(B.type, B.values, value, place++);
    });
    const int64_t lines = isByColumn ? B.columns : B.rows;
    while (!isListed && next <= lines) setIndex(B.offsets, B.offsetType, next++, place + B.base);
  });
}

#define US_CSR2CSC                                                                                                     \
  cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal, const int *csrRowPtr, const int *csrColInd,      \
      void *cscVal, int *cscColPtr, int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,                 \
      cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t
US_EXPORT cusparseStatus_t cusparseCsr2cscEx2_bufferSize(US_CSR2CSC, size_t *size) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && isBase(idxBase));
  call.type(valType);
  return bufferSize(call, size);
}
// Within a column rows stay in their order.
US_EXPORT cusparseStatus_t cusparseCsr2cscEx2(US_CSR2CSC, void *) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && isBase(idxBase));
  call.type(valType);
  const bool isNumeric = copyValues == CUSPARSE_ACTION_NUMERIC;
  const size_t size = math::sizeOf(valType), count = size_t(std::max(nnz, 0));
  if (call.isOk()) {
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
    call.memory(csrColInd, count * 4);
    call.memory(cscColPtr, (size_t(n) + 1) * 4);
    call.memory(cscRowInd, count * 4);
    if (isNumeric) {
      call.memory(csrVal, count * size);
      call.memory(cscVal, count * size);
    }
  }
  return call.run([=] {
    const Sparse A = {CUSPARSE_FORMAT_CSR,
                      m,
                      n,
                      nnz,
                      const_cast<int *>(csrRowPtr),
                      const_cast<int *>(csrColInd),
                      nullptr,
                      CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I,
                      idxBase,
                      valType};
    std::vector<int> counts(static_cast<size_t>(n)), next(static_cast<size_t>(n));
    forEntries(A, [&](int64_t, int64_t column, int64_t) { ++counts[size_t(column)]; });
    countOffsets(cscColPtr, n, idxBase, counts);
    for (int column = 0; column < n; ++column) next[size_t(column)] = cscColPtr[column] - idxBase;
    forEntries(A, [&](int64_t row, int64_t column, int64_t place) {
      const int to = next[size_t(column)]++;
      cscRowInd[to] = int(row) + idxBase;
      if (isNumeric)
        std::memcpy(static_cast<char *>(cscVal) + size_t(to) * size,
                    static_cast<const char *>(csrVal) + size_t(place) * size, size);
    });
  });
}

US_EXPORT cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *,
                                                          const int *, size_t *size) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0);
  return bufferSize(call, size);
}
// "P is the permutation": sorted along with the columns.
US_EXPORT cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                            const cusparseMatDescr_t descr, const int *csrRowPtr, int *csrColInd,
                                            int *P, void *) {
  Call call(__func__, handle);
  call.require(m >= 0 && n >= 0 && nnz >= 0 && descr);
  if (call.isOk()) {
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
    call.memory(csrColInd, size_t(nnz) * 4);
    if (P) call.memory(P, size_t(nnz) * 4);
  }
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descr->base)] {
    std::vector<std::pair<int, int>> row;
    for (int i = 0; i < m; ++i) {
      const int first = std::max(csrRowPtr[i] - base, 0), end = std::min(csrRowPtr[i + 1] - base, nnz);
      row.clear();
      for (int place = first; place < end; ++place) row.emplace_back(csrColInd[place], P ? P[place] : 0);
      std::stable_sort(row.begin(), row.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
      for (size_t place = 0; place < row.size(); ++place) {
        csrColInd[first + int(place)] = row[place].first;
        if (P) P[first + int(place)] = row[place].second;
      }
    }
  });
}
US_EXPORT cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  Call call(__func__, handle);
  call.require(n >= 0);
  if (call.isOk()) call.memory(p, size_t(n) * 4);
  return call.run([=] {
    for (int i = 0; i < n; ++i) p[i] = i;
  });
}
US_EXPORT cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd, int nnz, int m,
                                            int *csrRowPtr, cusparseIndexBase_t idxBase) {
  Call call(__func__, handle);
  call.require(nnz >= 0 && m >= 0 && isBase(idxBase));
  if (call.isOk()) {
    call.memory(cooRowInd, size_t(nnz) * 4);
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
  }
  return call.run([=] {
    std::vector<int> counts(static_cast<size_t>(m));
    for (int i = 0; i < nnz; ++i)
      if (const int row = cooRowInd[i] - idxBase; row >= 0 && row < m) ++counts[size_t(row)];
    countOffsets(csrRowPtr, m, idxBase, counts);
  });
}
US_EXPORT cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *csrRowPtr, int nnz, int m,
                                            int *cooRowInd, cusparseIndexBase_t idxBase) {
  Call call(__func__, handle);
  call.require(nnz >= 0 && m >= 0 && isBase(idxBase));
  if (call.isOk()) {
    call.memory(cooRowInd, size_t(nnz) * 4);
    call.memory(csrRowPtr, (size_t(m) + 1) * 4);
  }
  return call.run([=] {
    for (int row = 0; row < m; ++row)
      for (int i = std::max(csrRowPtr[row] - int(idxBase), 0); i < std::min(csrRowPtr[row + 1] - int(idxBase), nnz);
           ++i)
        cooRowInd[i] = row + idxBase;
  });
}
