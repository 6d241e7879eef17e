// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLASLt's products of every type with every step that may follow, against loops, and against what an H100 gave for
// the same matrices (CUDA 13.0).
//! nvcc: -lcublasLt
#include "../../cudart/check.h"

#include <cmath>
#include <cstring>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

#define LT(...) CHECK((__VA_ARGS__) == CUBLAS_STATUS_SUCCESS)
#define IS(status, ...) CHECK((__VA_ARGS__) == (status))

static cublasLtHandle_t handle;

template <class T> T number(int i) { return T(float((i * 7 + 3) % 13 - 6) / 4); }
template <> int8_t number<int8_t>(int i) { return int8_t((i * 7 + 3) % 13 - 6); }
template <> int number<int>(int i) { return (i * 7 + 3) % 13 - 6; }

template <class T> struct Array { ///< memory that host and device see
  T *data;
  explicit Array(int size, int step = 1, int first = 0) {
    OK(cudaMallocManaged(&data, size * sizeof(T)));
    for (int i = 0; i < size; ++i) data[i] = number<T>(step * i + first);
  }
  ~Array() { cudaFree(data); }
};

static double gelu(double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

struct Case {
  int m, n, k, epilogue;
  cublasOperation_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
  double alpha = 1, beta = 0;
  int batch = 1;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  bool isOnDevice = false;
};

/// What D is: numbers of In multiplied, of Out added and stored, with scalars of Scale.
template <class In, class Out, class Scale>
std::vector<double> test(const Case &c, cudaDataType inType, cudaDataType outType, cublasComputeType_t compute,
                         cudaDataType scaleType, double tolerance, unsigned char *bits = nullptr) {
  const int rowsA = c.transA ? c.k : c.m, columnsA = c.m + c.k - rowsA, rowsB = c.transB ? c.n : c.k,
            columnsB = c.k + c.n - rowsB;
  const bool isRow = c.order == CUBLASLT_ORDER_ROW;
  const auto at = [&](int row, int column, int rows, int columns) {
    return isRow ? row * columns + column : column * rows + row;
  };
  Array<In> A(c.batch * c.m * c.k), B(c.batch * c.k * c.n, 3, 1);
  Array<Out> C(c.batch * c.m * c.n), D(c.batch * c.m * c.n), bias(c.m, 5), aux(1024 * c.batch);
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t layouts[4];
  LT(cublasLtMatmulDescCreate(&desc, compute, scaleType));
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &c.transA, sizeof c.transA));
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &c.transB, sizeof c.transB));
  const cublasLtEpilogue_t epilogue = cublasLtEpilogue_t(c.epilogue);
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.data, sizeof bias.data));
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux.data, sizeof aux.data));
  const int64_t auxLeading = c.epilogue & 2 ? 128 : c.m, auxStride = c.epilogue & 2 ? 128 * c.n : c.m * c.n;
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &auxLeading, sizeof auxLeading));
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, &auxStride,
                                    sizeof auxStride));
  const cublasLtPointerMode_t mode = c.isOnDevice ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode));
  const int sizes[4][2] = {{rowsA, columnsA}, {rowsB, columnsB}, {c.m, c.n}, {c.m, c.n}};
  for (int i = 0; i < 4; ++i) {
    LT(cublasLtMatrixLayoutCreate(&layouts[i], i < 2 ? inType : outType, sizes[i][0], sizes[i][1],
                                  sizes[i][isRow ? 1 : 0]));
    const int64_t stride = sizes[i][0] * sizes[i][1];
    LT(cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_ORDER, &c.order, sizeof c.order));
    LT(cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &c.batch, sizeof c.batch));
    LT(cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                        sizeof stride));
  }
  cublasLtMatmulPreference_t preference;
  LT(cublasLtMatmulPreferenceCreate(&preference));
  const size_t workspace = 1 << 20;
  LT(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                          sizeof workspace));
  cublasLtMatmulHeuristicResult_t found[3];
  int count = 0;
  LT(cublasLtMatmulAlgoGetHeuristic(handle, desc, layouts[0], layouts[1], layouts[2], layouts[3], preference, 3, found,
                                    &count));
  CHECK(count >= 1 && found[0].state == CUBLAS_STATUS_SUCCESS && found[0].workspaceSize <= workspace);
  Array<Scale> scalars(2);
  scalars.data[0] = Scale(c.alpha);
  scalars.data[1] = Scale(c.beta);
  const Scale alpha = Scale(c.alpha), beta = Scale(c.beta);
  LT(cublasLtMatmul(handle, desc, c.isOnDevice ? scalars.data : &alpha, A.data, layouts[0], B.data, layouts[1],
                    c.isOnDevice ? scalars.data + 1 : &beta, C.data, layouts[2], D.data, layouts[3], &found[0].algo,
                    nullptr, 0, nullptr));
  OK(cudaDeviceSynchronize());
  std::vector<double> results;
  for (int b = 0; b < c.batch; ++b)
    for (int column = 0; column < c.n; ++column)
      for (int row = 0; row < c.m; ++row) {
        double sum = 0;
        for (int i = 0; i < c.k; ++i)
          sum += double(float(
                     A.data[b * c.m * c.k + (c.transA ? at(i, row, rowsA, columnsA) : at(row, i, rowsA, columnsA))])) *
                 double(float(B.data[b * c.k * c.n +
                                     (c.transB ? at(column, i, rowsB, columnsB) : at(i, column, rowsB, columnsB))]));
        const int place = b * c.m * c.n + at(row, column, c.m, c.n);
        double value = c.alpha * sum + c.beta * double(float(C.data[place]));
        if (c.epilogue & 4) value += double(float(bias.data[row]));
        const double before = value;
        if (c.epilogue & 2) value = std::max(value, 0.);
        if (c.epilogue & 32) value = gelu(value);
        const double got = double(float(D.data[place]));
        if (inType == CUDA_R_8I) value = std::nearbyint(value);
        if (outType == CUDA_R_8I) value = std::min(127., std::max(-128., value));
        CHECK(std::abs(got - value) <= tolerance * (1 + std::abs(value)));
        results.push_back(got);
        if ((c.epilogue & 130) == 130) {
          const auto *const mask = reinterpret_cast<const unsigned char *>(aux.data);
          const int64_t bit = b * auxStride + column * auxLeading + row;
          CHECK((mask[bit / 8] >> (bit % 8) & 1) == (before > 0));
        } else if (c.epilogue & 128) {
          CHECK(std::abs(double(float(aux.data[b * auxStride + column * auxLeading + row])) - before) <=
                tolerance * (1 + std::abs(before)));
        }
      }
  if (bits) std::memcpy(bits, aux.data, 18);
  LT(cublasLtMatmulPreferenceDestroy(preference));
  for (auto layout : layouts) LT(cublasLtMatrixLayoutDestroy(layout));
  LT(cublasLtMatmulDescDestroy(desc));
  return results;
}

static void testAll(const Case &c) {
  test<float, float, float>(c, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-5);
  test<double, double, double>(c, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, 1e-6); // compared as floats
  test<__half, __half, float>(c, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-3);
  test<__nv_bfloat16, __nv_bfloat16, float>(c, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, 8e-3);
  test<__half, float, float>(c, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-5);
}

/// The gradients of the steps: products, times the slope at what was kept, and their sums.
static void gradients() {
  const int n = 16;
  Array<float> A(n * n), B(n * n, 3, 1), D(n * n), bias(n), kept(n * n, 11);
  unsigned char *mask;
  OK(cudaMallocManaged(&mask, 16 * n));
  for (int i = 0; i < 16 * n; ++i) mask[i] = i * 37 + 5;
  for (const int epilogue : {CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA,
                             CUBLASLT_EPILOGUE_BGRADB}) {
    cublasLtMatmulDescOpaque_t desc;
    cublasLtMatrixLayoutOpaque_t layout;
    LT(cublasLtMatmulDescInit(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    LT(cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, n, n, n));
    const bool isRelu = epilogue == CUBLASLT_EPILOGUE_DRELU_BGRAD;
    void *const aux = isRelu ? (void *)mask : kept.data;
    const int64_t leading = isRelu ? 128 : n;
    LT(cublasLtMatmulDescSetAttribute(&desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 4));
    LT(cublasLtMatmulDescSetAttribute(&desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux));
    LT(cublasLtMatmulDescSetAttribute(&desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &leading, sizeof leading));
    LT(cublasLtMatmulDescSetAttribute(&desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.data, sizeof bias.data));
    const float one = 1, zero = 0;
    LT(cublasLtMatmul(handle, &desc, &one, A.data, &layout, B.data, &layout, &zero, D.data, &layout, D.data, &layout,
                      nullptr, nullptr, 0, nullptr));
    OK(cudaDeviceSynchronize());
    std::vector<double> sums(n);
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < n; ++row) {
        double value = 0;
        for (int i = 0; i < n; ++i) value += double(A.data[i * n + row]) * B.data[column * n + i];
        const double x = kept.data[column * n + row], h = 1e-5;
        if (isRelu) value *= mask[column * 16 + row / 8] >> (row % 8) & 1;
        if (epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD) value *= (gelu(x + h) - gelu(x - h)) / (2 * h);
        CHECK(std::abs(D.data[column * n + row] - value) < 1e-4 * (1 + std::abs(value)));
        if (epilogue == CUBLASLT_EPILOGUE_BGRADA)
          sums[row] += A.data[column * n + row];
        else if (epilogue == CUBLASLT_EPILOGUE_BGRADB)
          sums[column] += B.data[column * n + row];
        else
          sums[row] += value;
      }
    for (int i = 0; i < n; ++i) CHECK(std::abs(bias.data[i] - sums[i]) < 1e-3 * (1 + std::abs(sums[i])));
  }
  OK(cudaFree(mask));
}

static void refused() {
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t layout, narrow;
  LT(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  LT(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 4, 4));
  LT(cublasLtMatrixLayoutCreate(&narrow, CUDA_R_32F, 3, 4, 4));
  int value = 0;
  size_t written = 0;
  // As on an H100.
  LT(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, 4, &written));
  CHECK(value == CUBLASLT_EPILOGUE_DEFAULT && written == 4);
  LT(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, nullptr, 0, &written));
  CHECK(written == 4);
  LT(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &value, 4, &written));
  CHECK(value == 1);
  IS(CUBLAS_STATUS_INVALID_VALUE,
     cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, 2, &written));
  IS(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, 2));
  IS(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescSetAttribute(desc, (cublasLtMatmulDescAttributes_t)99, &value, 4));
  IS(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescSetAttribute(nullptr, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, 4));
  IS(CUBLAS_STATUS_INVALID_VALUE, cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4));
  Array<float> memory(16);
  const float one = 1;
  float *const M = memory.data;
#define MULTIPLY(LT_, ALPHA, A, LAYOUT)                                                                                \
  cublasLtMatmul(LT_, desc, ALPHA, A, LAYOUT, M, layout, &one, M, layout, M, layout, nullptr, nullptr, 0, nullptr)
  IS(CUBLAS_STATUS_NOT_INITIALIZED, MULTIPLY(nullptr, &one, M, layout));
  IS(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, nullptr, M, layout));
  IS(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, &one, nullptr, layout));
  IS(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, &one, M + 1, layout)); // one number beyond the end
  IS(CUBLAS_STATUS_INVALID_VALUE, MULTIPLY(handle, &one, M, narrow));
  LT(MULTIPLY(handle, &one, M, layout));
  int count = 0;
  IS(CUBLAS_STATUS_INVALID_VALUE,
     cublasLtMatmulAlgoGetHeuristic(handle, desc, layout, layout, layout, layout, nullptr, 0, nullptr, &count));
  // Scales of small types are not computed with.
  void *scale = M;
  LT(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale, sizeof scale));
  IS(CUBLAS_STATUS_NOT_SUPPORTED, MULTIPLY(handle, &one, M, layout));
  OK(cudaDeviceSynchronize());
  LT(cublasLtMatrixLayoutDestroy(layout));
  LT(cublasLtMatrixLayoutDestroy(narrow));
  LT(cublasLtMatmulDescDestroy(desc));
}

int main() {
  LT(cublasLtCreate(&handle));
  for (const int epilogue : {0, 1, 2, 4, 6, 32, 36, 130, 134, 160, 164}) testAll({16, 16, 16, epilogue});
  for (const auto transA : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto transB : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (const auto order : {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW})
        testAll({5, 7, 3, order == CUBLASLT_ORDER_COL ? 36 : 32, transA, transB, 0.5, 2, 3, order, transA != transB});
  const Case bytes = {16, 16, 16, 0, CUBLAS_OP_T};
  test<int8_t, int, int>(bytes, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, 0);
  // What an H100 gave for these.
  const auto small = test<int8_t, int8_t, float>({16, 16, 16, 0, CUBLAS_OP_T, CUBLAS_OP_N, 0.37f}, CUDA_R_8I, CUDA_R_8I,
                                                 CUBLAS_COMPUTE_32I, CUDA_R_32F, 0);
  const int bytesThere[] = {27, -15, 0, -4, -27, 2, 41, 18, 4, -28, -9, 2, -12, 27, -15, 0, -20, 45, -1, -13};
  for (int i = 0; i < 20; ++i) CHECK(small[i] == bytesThere[i]);
  unsigned char bits[18];
  const auto relu =
      test<float, float, float>({16, 16, 16, 130}, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-6, bits);
  const double reluThere[] = {0, 14.6875, 0, 9.625, 0, 5.375, 0, 0, 0, 0, 1.25, 0, 5.125, 0, 14.6875, 0, 0, 1.25};
  for (int i = 0; i < 18; ++i) CHECK(relu[i] == reluThere[i]);
  CHECK(bits[0] == 0x2a && bits[1] == 0x54 && bits[16] == 0x52 && bits[17] == 0x55);
  const auto curved =
      test<double, double, double>({16, 16, 16, 36}, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, 1e-6);
  const double curvedThere[] = {16.1875, 9.125, 6.125, -1.44752985e-05, -0.0128572052, -0.169293016, -9.4322575e-05};
  const int places[] = {1, 3, 5, 6, 7, 8, 9};
  for (int i = 0; i < 7; ++i)
    CHECK(std::abs(curved[places[i]] - curvedThere[i]) <= 2e-8 * std::abs(curvedThere[i]) + 1e-9);
  gradients();
  refused();
  LT(cublasLtDestroy(handle));
  IS(CUBLAS_STATUS_INVALID_VALUE, cublasLtDestroy(nullptr));
  return failures != 0;
}
