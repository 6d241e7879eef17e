// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLASLt: D = epilogue(alpha op(A) op(B) + beta C), of matrices and with steps that are described before.
#include "icd/cuda/include/cublasLt.h"
#include "icd/cublas/blas.h"
#include "icd/math/numbers.h"
#include "icd/math/session.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

struct cublasLtContext {
  us::math::Session session;
};

namespace us::cublaslt {
namespace {

// What lies in the caller's opaque structures.
struct Layout {
  cudaDataType type;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows, columns;
  int64_t leading;
  int32_t count = 1;
  int64_t stride = 0, plane = 0;

  int64_t at(int64_t row, int64_t column) const {
    return order == CUBLASLT_ORDER_COL ? row + column * leading : row * leading + column;
  }
};
struct Description {
  int32_t computeType, scaleType, pointerMode = 0, transA = 0, transB = 0, transC = 0, fill = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void *bias = nullptr;
  int64_t biasStride = 0;
  void *aux = nullptr;
  int64_t auxLeading = 0, auxStride = 0, alphaStride = 0;
  int32_t smCountTarget = 0;
  void *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr, *scaleD = nullptr, *amax = nullptr;
  int32_t auxType = -1, biasType = -1;
  int8_t fastAccumulation = 0;
};
struct Preference {
  int32_t search = 0;
  uint64_t workspace = 0;
  uint32_t schemes = 7, alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  uint64_t implementations = ~uint64_t{0};
};
static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(Description) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

struct Attribute {
  int name;
  size_t offset, size;
};
#define US_ROW(STRUCT, NAME, FIELD) {NAME, offsetof(STRUCT, FIELD), sizeof(STRUCT::FIELD)}
constexpr Attribute kLayoutAttributes[] = {
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, count),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    US_ROW(Layout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane),
};
constexpr Attribute kDescriptionAttributes[] = {
    US_ROW(Description, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, computeType),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scaleType),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointerMode),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_TRANSA, transA),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_TRANSB, transB),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_TRANSC, transC),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_FILL_MODE, fill),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, biasStride),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, auxLeading),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, auxStride),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alphaStride),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, smCountTarget),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scaleA),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scaleB),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scaleC),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scaleD),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, amax),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, auxType),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fastAccumulation),
    US_ROW(Description, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, biasType),
};
constexpr Attribute kPreferenceAttributes[] = {
    US_ROW(Preference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search),
    US_ROW(Preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    US_ROW(Preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes),
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, offsetof(Preference, alignments), 4},
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, offsetof(Preference, alignments) + 4, 4},
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, offsetof(Preference, alignments) + 8, 4},
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, offsetof(Preference, alignments) + 12, 4},
    US_ROW(Preference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, waves),
    US_ROW(Preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementations),
};

/// "CUBLAS_STATUS_INVALID_VALUE: if buf is NULL or sizeInBytes doesn't match the size of the internal storage"
template <size_t rows>
cublasStatus_t write(const Attribute (&table)[rows], void *structure, int name, const void *value, size_t size) {
  for (const Attribute &row : table) {
    if (row.name != name) continue;
    if (!structure || !value || size != row.size) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(static_cast<char *>(structure) + row.offset, value, size);
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
/// "If sizeInBytes is 0 and buf is NULL, sizeWritten is the number of bytes that is needed."
template <size_t rows>
cublasStatus_t read(const Attribute (&table)[rows], const void *structure, int name, void *value, size_t size,
                    size_t *written) {
  for (const Attribute &row : table) {
    if (row.name != name) continue;
    if (!structure || (size == 0 && !written) || (size != 0 && (!value || size < row.size)))
      return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = row.size;
    if (size != 0) std::memcpy(value, static_cast<const char *>(structure) + row.offset, row.size);
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}
template <class Own, class Opaque> cublasStatus_t initialize(Opaque *opaque, size_t size, const Own &own) {
  if (!opaque || size < sizeof(Own)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(opaque, 0, size);
  new (opaque) Own(own);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Own, class Opaque> cublasStatus_t create(Opaque **opaque, const Own &own) {
  if (!opaque) return CUBLAS_STATUS_INVALID_VALUE;
  *opaque = new Opaque();
  return initialize(*opaque, sizeof(Opaque), own);
}
template <class Own, class Opaque> const Own &own(Opaque *opaque) { return *reinterpret_cast<const Own *>(opaque); }

/// A product with everything that it needs, as its work has it.
struct Product {
  Description d;
  Layout A, B, C, D;
  const void *a, *b, *c;
  void *out;
  int64_t m, n, k;

  bool has(uint32_t step) const { return (d.epilogue & step) == step; }
  bool writesBiasGradient() const { return d.epilogue & (16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB); }
  bool readsBias() const { return has(CUBLASLT_EPILOGUE_BIAS); }
  bool usesAux() const { return has(128); }
  bool isGradient() const { return has(8) || has(64); }
  bool hasBits() const { return has(2) || has(8); } ///< the rest is a bit for each number that was positive
  cudaDataType biasType() const {
    if (d.biasType >= 0) return cudaDataType(d.biasType);
    return D.type == CUDA_R_8I ? cudaDataType(d.scaleType) : D.type;
  }
  cudaDataType auxType() const { return d.auxType >= 0 ? cudaDataType(d.auxType) : D.type; }
  int64_t biasSize() const { return d.epilogue == CUBLASLT_EPILOGUE_BGRADB ? n : m; }
};

/// "GELU by the tanh approximation": 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
template <class T> T geluInner(T x) { return T(0.7978845608028654) * (x + T(0.044715) * x * x * x); }
template <class T> T gelu(T x) { return T(0.5) * x * (1 + std::tanh(geluInner(x))); }
template <class T> T geluSlope(T x) {
  const T t = std::tanh(geluInner(x));
  return T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * T(0.7978845608028654) * (1 + 3 * T(0.044715) * x * x);
}

template <class T> void compute(const Product &p, T alpha, T beta, int64_t number) {
  const auto offset = [&](const Layout &layout) { return number * layout.stride * int64_t(math::sizeOf(layout.type)); };
  // op(A) and op(B), column by column.
  const auto gather = [&](const void *memory, const Layout &layout, int trans, int64_t rows, int64_t columns) {
    std::vector<T> all(size_t(rows) * size_t(columns));
    const char *const from = static_cast<const char *>(memory) + offset(layout);
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = 0; row < rows; ++row) {
        const T value = math::load<T>(layout.type, from, trans ? layout.at(column, row) : layout.at(row, column));
        all[size_t(column * rows + row)] = trans == CUBLAS_OP_C ? cublas::conjugate(value) : value;
      }
    return all;
  };
  const std::vector<T> a = gather(p.a, p.A, p.d.transA, p.m, p.k), b = gather(p.b, p.B, p.d.transB, p.k, p.n);
  std::vector<T> sums(size_t(p.m) * size_t(p.n));
  if (p.m && p.n && p.k)
    cublas::call<"gemm", T>('N', 'N', int(p.m), int(p.n), int(p.k), T(1), a.data(), int(p.m), b.data(), int(p.k), T(0),
                            sums.data(), int(p.m));
  const char *const c = static_cast<const char *>(p.c) + offset(p.C);
  char *const out = static_cast<char *>(p.out) + offset(p.D);
  char *const bias = static_cast<char *>(p.d.bias) + number * p.d.biasStride * int64_t(math::sizeOf(p.biasType()));
  const size_t auxSize = p.hasBits() ? 1 : math::sizeOf(p.auxType());
  char *const aux = static_cast<char *>(p.d.aux) +
                    (p.hasBits() ? number * p.d.auxStride / 8 : number * p.d.auxStride * int64_t(auxSize));
  std::vector<T> gradient(size_t(p.biasSize()));
  for (int64_t column = 0; column < p.n; ++column)
    for (int64_t row = 0; row < p.m; ++row) {
      T value = alpha * sums[size_t(column * p.m + row)];
      if (beta != T(0)) value += beta * math::load<T>(p.C.type, c, p.C.at(row, column));
      if constexpr (!cublas::kIsComplex<T>) {
        if (p.readsBias()) value += math::load<T>(p.biasType(), bias, row);
        const int64_t place = column * p.d.auxLeading + row;
        if (p.isGradient()) {
          if (p.has(8))
            value = aux[place / 8] >> (place % 8) & 1 ? value : T(0);
          else
            value *= geluSlope(math::load<T>(p.auxType(), aux, place));
        } else {
          if (p.usesAux() && p.has(2))
            aux[place / 8] = char((aux[place / 8] & ~(1 << place % 8)) | (value > 0) << (place % 8));
          else if (p.usesAux())
            math::store<T>(p.auxType(), aux, value, place);
          if (p.has(2)) value = value > 0 ? value : T(0);
          if (p.has(32)) value = gelu(value);
        }
        if (p.has(16)) gradient[size_t(row)] += value;
      }
      math::store<T>(p.D.type, out, value, p.D.at(row, column));
    }
  if (p.d.epilogue == CUBLASLT_EPILOGUE_BGRADA)
    for (int64_t i = 0; i < p.m * p.k; ++i) gradient[size_t(i % p.m)] += a[size_t(i)];
  if (p.d.epilogue == CUBLASLT_EPILOGUE_BGRADB)
    for (int64_t i = 0; i < p.k * p.n; ++i) gradient[size_t(i / p.k)] += b[size_t(i)];
  if (p.writesBiasGradient())
    for (size_t i = 0; i < gradient.size(); ++i) math::store<T>(p.biasType(), bias, gradient[i], int64_t(i));
}

bool isEpilogue(uint32_t epilogue) {
  for (const uint32_t known : {0, 1, 2, 130, 4, 6, 134, 136, 152, 32, 160, 36, 164, 192, 208, 256, 512})
    if (epilogue == known) return true;
  return false;
}

/// What both the heuristic and the product look at: do the parts fit together, and are they what we compute?
cublasStatus_t fill(Product &p, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc) {
  if (!desc || !Adesc || !Bdesc || !Cdesc || !Ddesc) return CUBLAS_STATUS_INVALID_VALUE;
  p.d = own<Description>(desc);
  p.A = own<Layout>(Adesc);
  p.B = own<Layout>(Bdesc);
  p.C = own<Layout>(Cdesc);
  p.D = own<Layout>(Ddesc);
  for (const int32_t trans : {p.d.transA, p.d.transB})
    if (trans < CUBLAS_OP_N || trans > CUBLAS_OP_C) return CUBLAS_STATUS_INVALID_VALUE;
  constexpr uint64_t largest = INT32_MAX;
  for (const Layout *layout : {&p.A, &p.B, &p.C, &p.D}) {
    if (layout->order != CUBLASLT_ORDER_COL && layout->order != CUBLASLT_ORDER_ROW) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!math::sizeOf(layout->type) || layout->plane != 0) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (layout->rows > largest || layout->columns > largest || layout->count < 1 || layout->stride < 0 ||
        layout->leading < int64_t(layout->order == CUBLASLT_ORDER_COL ? layout->rows : layout->columns))
      return CUBLAS_STATUS_INVALID_VALUE;
    if (layout->count != p.D.count) return CUBLAS_STATUS_INVALID_VALUE;
  }
  p.m = int64_t(p.d.transA ? p.A.columns : p.A.rows);
  p.k = int64_t(p.d.transA ? p.A.rows : p.A.columns);
  p.n = int64_t(p.d.transB ? p.B.rows : p.B.columns);
  if (int64_t(p.d.transB ? p.B.columns : p.B.rows) != p.k) return CUBLAS_STATUS_INVALID_VALUE;
  for (const Layout *layout : {&p.C, &p.D})
    if (int64_t(layout->rows) != p.m || int64_t(layout->columns) != p.n) return CUBLAS_STATUS_INVALID_VALUE;
  if (!isEpilogue(p.d.epilogue)) return CUBLAS_STATUS_INVALID_VALUE;
  const bool isPlain = p.d.epilogue <= CUBLASLT_EPILOGUE_DEFAULT;
  if (!math::sizeOf(cudaDataType(p.d.scaleType)) || p.d.pointerMode < 0 ||
      p.d.pointerMode > CUBLASLT_POINTER_MODE_DEVICE || p.d.transC != CUBLAS_OP_N ||
      p.d.fill != CUBLAS_FILL_MODE_FULL || p.d.scaleA || p.d.scaleB || p.d.scaleC || p.d.scaleD || p.d.amax ||
      (!isPlain && math::isComplex(p.D.type)) || !math::sizeOf(p.biasType()) || !math::sizeOf(p.auxType()))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t run(const math::Session &session, const Product &p, const void *alpha, const void *beta) {
  const bool isOnDevice = p.d.pointerMode == CUBLASLT_POINTER_MODE_DEVICE;
  const auto type = cudaDataType(p.d.scaleType);
  const T now[2] = {isOnDevice ? T() : math::load<T>(type, alpha), isOnDevice ? T() : math::load<T>(type, beta)};
  const CUresult result = session.run([=] {
    try {
      const T a = isOnDevice ? math::load<T>(type, alpha) : now[0], b = isOnDevice ? math::load<T>(type, beta) : now[1];
      for (int64_t number = 0; number < p.D.count; ++number) compute<T>(p, a, b, number);
    } catch (const std::bad_alloc &) {
      math::say("cublasLtMatmul", "there is no memory for the product: it is left out");
    }
  });
  return result == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

} // namespace
} // namespace us::cublaslt

using namespace us;
using namespace us::cublaslt;

US_EXPORT cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!cublas::routineOf<"gemm", double>()) {
    math::say("cublasLtCreate", "there is no BLAS that computes: install libopenblas0, or another libblas.so.3");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (const CUresult result = math::makeHandle(handle, "cublasLtCreate"); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CUBLAS_STATUS_ARCH_MISMATCH : CUBLAS_STATUS_NOT_INITIALIZED;
  return CUBLAS_STATUS_SUCCESS;
}
US_EXPORT cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return math::endHandle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
US_EXPORT size_t cublasLtGetVersion(void) { return US_CUBLAS_MAJOR * 10000; }
US_EXPORT size_t cublasLtGetCudartVersion(void) { return US_CUBLAS_MAJOR * 1000; }
US_EXPORT cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION ? US_CUBLAS_MAJOR : 0;
  return CUBLAS_STATUS_SUCCESS;
}
US_EXPORT const char *cublasLtGetStatusName(cublasStatus_t status) {
  switch (status) {
#define US_NAME(NAME)                                                                                                  \
  case NAME:                                                                                                           \
    return #NAME;
    US_NAME(CUBLAS_STATUS_SUCCESS)
    US_NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    US_NAME(CUBLAS_STATUS_ALLOC_FAILED)
    US_NAME(CUBLAS_STATUS_INVALID_VALUE)
    US_NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    US_NAME(CUBLAS_STATUS_MAPPING_ERROR)
    US_NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    US_NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    US_NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    US_NAME(CUBLAS_STATUS_LICENSE_ERROR)
  }
  return "unknown status";
}
US_EXPORT const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasLtGetStatusName(status); }

#define US_STRUCTURE(NAME, HANDLE, ATTRIBUTE, TABLE)                                                                   \
  US_EXPORT cublasStatus_t cublasLt##NAME##Destroy(HANDLE structure) {                                                 \
    delete structure;                                                                                                  \
    return CUBLAS_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasLt##NAME##SetAttribute(HANDLE structure, ATTRIBUTE attribute, const void *value,      \
                                                        size_t size) {                                                 \
    return write(TABLE, structure, attribute, value, size);                                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublasLt##NAME##GetAttribute(HANDLE structure, ATTRIBUTE attribute, void *value,            \
                                                        size_t size, size_t *written) {                                \
    return read(TABLE, structure, attribute, value, size, written);                                                    \
  }
US_STRUCTURE(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, kLayoutAttributes)
US_STRUCTURE(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, kDescriptionAttributes)
US_STRUCTURE(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, kPreferenceAttributes)

US_EXPORT cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                           cudaDataType type, uint64_t rows, uint64_t cols,
                                                           int64_t ld) {
  return initialize(layout, size, Layout{.type = type, .rows = rows, .columns = cols, .leading = ld});
}
US_EXPORT cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                                    uint64_t cols, int64_t ld) {
  return create(layout, Layout{.type = type, .rows = rows, .columns = cols, .leading = ld});
}
US_EXPORT cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t size,
                                                         cublasComputeType_t computeType, cudaDataType_t scaleType) {
  return initialize(desc, size, Description{.computeType = computeType, .scaleType = scaleType});
}
US_EXPORT cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t computeType,
                                                  cudaDataType_t scaleType) {
  return create(desc, Description{.computeType = computeType, .scaleType = scaleType});
}
US_EXPORT cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t size) {
  return initialize(preference, size, Preference{});
}
US_EXPORT cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference, Preference{});
}

// One way computes everything, without a workspace.
US_EXPORT cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                                        cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                                        cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                                        cublasLtMatmulPreference_t, int requested,
                                                        cublasLtMatmulHeuristicResult_t results[], int *returned) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  // "CUBLAS_STATUS_INVALID_VALUE: if requestedAlgoCount is less or equal to zero"
  if (requested <= 0 || !results || !returned) return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  Product product;
  if (const cublasStatus_t status = fill(product, desc, Adesc, Bdesc, Cdesc, Ddesc); status != CUBLAS_STATUS_SUCCESS)
    return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}

US_EXPORT cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                                        const void *A, cublasLtMatrixLayout_t Adesc, const void *B,
                                        cublasLtMatrixLayout_t Bdesc, const void *beta, const void *C,
                                        cublasLtMatrixLayout_t Cdesc, void *D, cublasLtMatrixLayout_t Ddesc,
                                        const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  Product p = {};
  if (const cublasStatus_t status = fill(p, desc, Adesc, Bdesc, Cdesc, Ddesc); status != CUBLAS_STATUS_SUCCESS)
    return status;
  p.a = A;
  p.b = B;
  p.c = C;
  p.out = D;
  if (p.m == 0 || p.n == 0) return CUBLAS_STATUS_SUCCESS;
  // "A cublasHandle_t may be cast to a cublasLtHandle_t": of that library we know no handles.
  math::Session session;
  if (math::isHandle(handle))
    session = handle->session;
  else if (session.start("cublasLtMatmul") != CUDA_SUCCESS)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  session.stream = reinterpret_cast<CUstream>(stream);
  const auto reaches = [](const char *what, const void *pointer, uint64_t bytes) {
    if (math::Session::reaches(pointer, bytes)) return true;
    math::say("cublasLtMatmul", "%s: %llu bytes at %p are not all in one allocation that the device can reach", what,
              static_cast<unsigned long long>(bytes), pointer);
    return false;
  };
  const auto has = [&](const char *what, const void *pointer, const Layout &layout) {
    if (layout.rows == 0 || layout.columns == 0) return true;
    const int64_t last =
        (layout.count - 1) * layout.stride + layout.at(int64_t(layout.rows) - 1, int64_t(layout.columns) - 1);
    return reaches(what, pointer, uint64_t(last + 1) * math::sizeOf(layout.type));
  };
  const bool isOnDevice = p.d.pointerMode == CUBLASLT_POINTER_MODE_DEVICE;
  const auto scaleType = cudaDataType(p.d.scaleType);
  const bool readsC = isOnDevice || math::load<std::complex<double>>(scaleType, beta) != 0.0;
  if (!has("A", A, p.A) || !has("B", B, p.B) || (readsC && !has("C", C, p.C)) || !has("D", D, p.D))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (isOnDevice &&
      (!reaches("alpha", alpha, math::sizeOf(scaleType)) || !reaches("beta", beta, math::sizeOf(scaleType))))
    return CUBLAS_STATUS_INVALID_VALUE;
  if ((p.readsBias() || p.writesBiasGradient()) &&
      !reaches("bias", p.d.bias,
               uint64_t((p.D.count - 1) * p.d.biasStride + p.biasSize()) * math::sizeOf(p.biasType())))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (p.usesAux()) {
    // "At least the number of rows of D, and of bits a multiple of 128"
    if (p.d.auxLeading < p.m || p.d.auxStride < 0 || (p.hasBits() && p.d.auxLeading % 128 != 0))
      return CUBLAS_STATUS_INVALID_VALUE;
    const auto numbers = uint64_t((p.D.count - 1) * p.d.auxStride + (p.n - 1) * p.d.auxLeading + p.m);
    if (!reaches("what is kept for later", p.d.aux,
                 p.hasBits() ? (numbers + 7) / 8 : numbers * math::sizeOf(p.auxType())))
      return CUBLAS_STATUS_INVALID_VALUE;
  }
  const bool isWide = scaleType == CUDA_R_32I || scaleType == CUDA_R_64F || scaleType == CUDA_C_64F ||
                      p.A.type == CUDA_R_64F || p.A.type == CUDA_C_64F || p.A.type == CUDA_R_8I;
  if (math::isComplex(p.A.type) || math::isComplex(p.D.type))
    return isWide ? run<std::complex<double>>(session, p, alpha, beta)
                  : run<std::complex<float>>(session, p, alpha, beta);
  return isWide ? run<double>(session, p, alpha, beta) : run<float>(session, p, alpha, beta);
}
