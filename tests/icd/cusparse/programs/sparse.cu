// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's generic interface and conversions, in three formats, from both bases and with both sizes of indices,
// against loops over dense matrices.
//! nvcc: -lcusparse
#include "common.h"

/// A matrix with two of five entries, dense and sparse; in a row or column the last entry comes first.
template <class T, class I> struct Example {
  int rows, columns;
  std::vector<Wide> dense; ///< row by row
  std::vector<I> offsets, indices, rowIndices, columnIndices;
  std::vector<T> values;

  Example(int rows, int columns, cusparseFormat_t format, int base, int seed = 0)
      : rows(rows), columns(columns), dense(rows * columns) {
    const bool isByColumn = format == CUSPARSE_FORMAT_CSC;
    offsets.push_back(I(base));
    for (int line = 0; line < (isByColumn ? columns : rows); ++line) {
      for (int i = (isByColumn ? rows : columns) - 1; i >= 0; --i) {
        const int row = isByColumn ? i : line, column = isByColumn ? line : i;
        if ((row * 3 + column * 2 + seed) % 5 > 1) continue;
        T value;
        set(value, number(row * columns + column + seed));
        dense[row * columns + column] = wide(value);
        indices.push_back(I(i + base));
        rowIndices.push_back(I(row + base));
        columnIndices.push_back(I(column + base));
        values.push_back(value);
      }
      offsets.push_back(I(indices.size() + base));
    }
  }
  Wide at(cusparseOperation_t how, int row, int column) const {
    return how == CUSPARSE_OPERATION_NON_TRANSPOSE ? dense[row * columns + column]
                                                   : op(how, dense[column * columns + row]);
  }
};

template <class T, class I> struct Sparse {
  Array<I> offsets, indices;
  Array<T> values;
  cusparseSpMatDescr_t descr = nullptr;
  Sparse(const Example<T, I> &e, cusparseFormat_t format, int base)
      : offsets(format == CUSPARSE_FORMAT_COO ? e.rowIndices : e.offsets),
        indices(format == CUSPARSE_FORMAT_COO ? e.columnIndices : e.indices), values(e.values) {
    const int64_t count = e.values.size();
    if (format == CUSPARSE_FORMAT_COO)
      SPARSE(cusparseCreateCoo(&descr, e.rows, e.columns, count, offsets.data, indices.data, values.data, kIndex<I>,
                               cusparseIndexBase_t(base), kType<T>));
    else
      SPARSE((format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc)(
          &descr, e.rows, e.columns, count, offsets.data, indices.data, values.data, kIndex<I>, kIndex<I>,
          cusparseIndexBase_t(base), kType<T>));
  }
  ~Sparse() { SPARSE(cusparseDestroySpMat(descr)); }
};

template <class T, class I> static void test(cusparseFormat_t format, int base) {
  const int m = 7, n = 9, k = 4;
  const Example<T, I> e(m, n, format, base);
  Sparse<T, I> A(e, format, base);
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, {-0.5, 0.25});
  size_t bytes = 0;
  for (const auto how : kOperations) {
    const bool isTurned = how != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int rows = isTurned ? n : m, inner = isTurned ? m : n;
    const auto x0 = numbers<T>(inner, 5), y0 = numbers<T>(rows, 9);
    Array<T> x(x0), y(y0);
    cusparseDnVecDescr_t X, Y;
    SPARSE(cusparseCreateDnVec(&X, inner, x.data, kType<T>));
    SPARSE(cusparseCreateDnVec(&Y, rows, y.data, kType<T>));
    SPARSE(cusparseSpMV_bufferSize(handle, how, &alpha, A.descr, X, &beta, Y, kType<T>, CUSPARSE_SPMV_ALG_DEFAULT,
                                   &bytes));
    SPARSE(cusparseSpMV(handle, how, &alpha, A.descr, X, &beta, Y, kType<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (int row = 0; row < rows; ++row) {
      Wide sum = 0;
      for (int i = 0; i < inner; ++i) sum += e.at(how, row, i) * wide(x0[i]);
      CHECK(near(wide(y.data[row]), wide(alpha) * sum + wide(beta) * wide(y0[row])));
    }
    SPARSE(cusparseDestroyDnVec(X));
    SPARSE(cusparseDestroyDnVec(Y));
    for (const auto howB : kOperations)
      for (const auto order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
        const bool isTurnedB = howB != CUSPARSE_OPERATION_NON_TRANSPOSE;
        const int rowsB = isTurnedB ? k : inner, columnsB = isTurnedB ? inner : k, ld = 11;
        const auto b0 = numbers<T>(ld * ld, 2), c0 = numbers<T>(ld * ld, 4);
        Array<T> b(b0), c(c0);
        const auto at = [&](int row, int column) {
          return order == CUSPARSE_ORDER_COL ? column * ld + row : row * ld + column;
        };
        cusparseDnMatDescr_t B, C;
        SPARSE(cusparseCreateDnMat(&B, rowsB, columnsB, ld, b.data, kType<T>, order));
        SPARSE(cusparseCreateDnMat(&C, rows, k, ld, c.data, kType<T>, order));
        SPARSE(cusparseSpMM_bufferSize(handle, how, howB, &alpha, A.descr, B, &beta, C, kType<T>,
                                       CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
        SPARSE(cusparseSpMM(handle, how, howB, &alpha, A.descr, B, &beta, C, kType<T>, CUSPARSE_SPMM_ALG_DEFAULT,
                            nullptr));
        OK(cudaDeviceSynchronize());
        for (int row = 0; row < rows; ++row)
          for (int column = 0; column < k; ++column) {
            Wide sum = 0;
            for (int i = 0; i < inner; ++i)
              sum += e.at(how, row, i) * op(howB, wide(b0[isTurnedB ? at(column, i) : at(i, column)]));
            CHECK(near(wide(c.data[at(row, column)]), wide(alpha) * sum + wide(beta) * wide(c0[at(row, column)])));
          }
        SPARSE(cusparseDestroyDnMat(B));
        SPARSE(cusparseDestroyDnMat(C));
      }
  }
  { // To a dense matrix, and back.
    Array<T> dense(numbers<T>(m * n));
    cusparseDnMatDescr_t D;
    SPARSE(cusparseCreateDnMat(&D, m, n, n, dense.data, kType<T>, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseSparseToDense(handle, A.descr, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < m * n; ++i) CHECK(wide(dense.data[i]) == e.dense[i]);
    Example<T, I> other(m, n, format, base, 1); // as many places as that, and others
    other.values.resize(m * n), other.indices.resize(m * n), other.rowIndices.resize(m * n),
        other.columnIndices.resize(m * n);
    Sparse<T, I> back(other, format, base);
    SPARSE(cusparseDenseToSparse_analysis(handle, D, back.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    int64_t rows = 0, columns = 0, count = 0;
    SPARSE(cusparseSpMatGetSize(back.descr, &rows, &columns, &count));
    CHECK(rows == m && columns == n && count == int64_t(e.values.size()));
    SPARSE(cusparseDenseToSparse_convert(handle, D, back.descr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < m * n; ++i) set(dense.data[i], 77);
    SPARSE(cusparseSparseToDense(handle, back.descr, D, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < m * n; ++i) CHECK(wide(dense.data[i]) == e.dense[i]);
    SPARSE(cusparseDestroyDnMat(D));
  }
  { // What a dense product has at the places that are stored.
    const auto a0 = numbers<T>(m * k, 1), b0 = numbers<T>(k * n, 2);
    Array<T> a(a0), b(b0);
    cusparseDnMatDescr_t L, R;
    SPARSE(cusparseCreateDnMat(&L, m, k, k, a.data, kType<T>, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseCreateDnMat(&R, k, n, k, b.data, kType<T>, CUSPARSE_ORDER_COL));
    SPARSE(cusparseSDDMM(handle, kOperations[0], kOperations[0], &alpha, L, R, &beta, A.descr, kType<T>,
                         CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < e.values.size(); ++i) {
      const int row = int(e.rowIndices[i]) - base, column = int(e.columnIndices[i]) - base;
      Wide sum = 0;
      for (int inner = 0; inner < k; ++inner) sum += wide(a0[row * k + inner]) * wide(b0[column * k + inner]);
      CHECK(near(wide(A.values.data[i]), wide(alpha) * sum + wide(beta) * wide(e.values[i])));
    }
    SPARSE(cusparseDestroyDnMat(L));
    SPARSE(cusparseDestroyDnMat(R));
  }
}

/// A triangle solved for a vector and for a matrix: the product with what comes out is what went in.
template <class T> static void triangles() {
  const int n = 8, k = 3;
  for (auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (const auto how : kOperations) {
        Example<T, int> e(n, n, CUSPARSE_FORMAT_CSR, 0);
        for (size_t i = 0; i < e.values.size(); ++i) // a diagonal that can be divided by, where there is one
          if (e.rowIndices[i] == e.columnIndices[i]) {
            set(e.values[i], 5.0 + double(i));
            e.dense[e.rowIndices[i] * n + e.rowIndices[i]] = 5.0 + double(i);
          }
        for (int row = 0; row < n; ++row) // else one is added at the row's end
          if (e.dense[row * n + row] == 0.0) {
            const int place = e.offsets[row + 1];
            T value;
            set(value, 4);
            e.indices.insert(e.indices.begin() + place, row);
            e.rowIndices.insert(e.rowIndices.begin() + place, row);
            e.columnIndices.insert(e.columnIndices.begin() + place, row);
            e.values.insert(e.values.begin() + place, value);
            for (int later = row + 1; later <= n; ++later) ++e.offsets[later];
            e.dense[row * n + row] = 4;
          }
        Sparse<T, int> A(e, CUSPARSE_FORMAT_CSR, 0);
        SPARSE(cusparseSpMatSetAttribute(A.descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        SPARSE(cusparseSpMatSetAttribute(A.descr, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
        T alpha;
        set(alpha, {1.5, 0.5});
        const auto b0 = numbers<T>(n * k, 3);
        Array<T> b(b0), x(numbers<T>(n)), y(numbers<T>(n * k));
        cusparseDnVecDescr_t B, X;
        cusparseDnMatDescr_t Bs, Ys;
        cusparseSpSVDescr_t one;
        cusparseSpSMDescr_t many;
        size_t bytes = 0;
        SPARSE(cusparseCreateDnVec(&B, n, b.data, kType<T>));
        SPARSE(cusparseCreateDnVec(&X, n, x.data, kType<T>));
        SPARSE(cusparseCreateDnMat(&Bs, n, k, n, b.data, kType<T>, CUSPARSE_ORDER_COL));
        SPARSE(cusparseCreateDnMat(&Ys, n, k, k, y.data, kType<T>, CUSPARSE_ORDER_ROW));
        SPARSE(cusparseSpSV_createDescr(&one));
        SPARSE(cusparseSpSM_createDescr(&many));
#define VECTOR handle, how, &alpha, A.descr, B, X, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, one
#define MATRIX handle, how, kOperations[0], &alpha, A.descr, Bs, Ys, kType<T>, CUSPARSE_SPSM_ALG_DEFAULT, many
        SPARSE(cusparseSpSV_bufferSize(VECTOR, &bytes));
        IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpSV_solve(VECTOR)); // not analysed
        SPARSE(cusparseSpSV_analysis(VECTOR, nullptr));
        SPARSE(cusparseSpSV_solve(VECTOR));
        SPARSE(cusparseSpSM_bufferSize(MATRIX, &bytes));
        SPARSE(cusparseSpSM_analysis(MATRIX, nullptr));
        SPARSE(cusparseSpSM_solve(MATRIX));
        OK(cudaDeviceSynchronize());
        for (int column = 0; column < k; ++column)
          for (int row = 0; row < n; ++row) {
            Wide first = 0, second = 0;
            for (int i = 0; i < n; ++i) {
              const int r = how ? i : row, c = how ? row : i; // in A
              if (fill == CUSPARSE_FILL_MODE_LOWER ? c > r : c < r) continue;
              const Wide a = r == c && diagonal == CUSPARSE_DIAG_TYPE_UNIT ? Wide(1) : op(how, e.dense[r * n + c]);
              first += a * wide(x.data[i]);
              second += a * wide(y.data[i * k + column]);
            }
            CHECK(column > 0 || std::abs(first - wide(alpha) * wide(b0[row])) < 1e-3);
            CHECK(std::abs(second - wide(alpha) * wide(b0[column * n + row])) < 1e-3);
          }
        SPARSE(cusparseDestroyDnVec(B));
        SPARSE(cusparseDestroyDnVec(X));
        SPARSE(cusparseDestroyDnMat(Bs));
        SPARSE(cusparseDestroyDnMat(Ys));
        SPARSE(cusparseSpSV_destroyDescr(one));
        SPARSE(cusparseSpSM_destroyDescr(many));
      }
}

template <class T> static void products() {
  const int m = 6, n = 7, k = 8;
  const Example<T, int> left(m, k, CUSPARSE_FORMAT_CSR, 0), right(k, n, CUSPARSE_FORMAT_CSR, 1, 2);
  Sparse<T, int> A(left, CUSPARSE_FORMAT_CSR, 0), B(right, CUSPARSE_FORMAT_CSR, 1);
  Array<int> offsets{std::vector<int>(m + 1)}, indices{std::vector<int>(m * n)};
  Array<T> values{std::vector<T>(m * n)};
  cusparseSpMatDescr_t C;
  SPARSE(cusparseCreateCsr(&C, m, n, 0, offsets.data, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, kType<T>));
  cusparseSpGEMMDescr_t descr;
  SPARSE(cusparseSpGEMM_createDescr(&descr));
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, 0);
  size_t first = 1, second = 1;
#define PRODUCT                                                                                                        \
  handle, kOperations[0], kOperations[0], &alpha, A.descr, B.descr, &beta, C, kType<T>, CUSPARSE_SPGEMM_DEFAULT, descr
  SPARSE(cusparseSpGEMM_workEstimation(PRODUCT, &first, nullptr));
  void *buffer = nullptr;
  OK(cudaMalloc(&buffer, first));
  SPARSE(cusparseSpGEMM_workEstimation(PRODUCT, &first, buffer));
  SPARSE(cusparseSpGEMM_compute(PRODUCT, &second, nullptr));
  SPARSE(cusparseSpGEMM_compute(PRODUCT, &second, buffer));
  int64_t rows, columns, count;
  SPARSE(cusparseSpMatGetSize(C, &rows, &columns, &count));
  SPARSE(cusparseCsrSetPointers(C, offsets.data, indices.data, values.data));
  SPARSE(cusparseSpGEMM_copy(PRODUCT));
  OK(cudaDeviceSynchronize());
  CHECK(offsets.data[0] == 0 && offsets.data[m] == count);
  int64_t stored = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      Wide sum = 0;
      bool isThere = false;
      for (int i = 0; i < k; ++i) {
        sum += left.dense[row * k + i] * right.dense[i * n + column];
        isThere = isThere || (left.dense[row * k + i] != 0.0 && right.dense[i * n + column] != 0.0);
      }
      stored += isThere;
      Wide got = 0;
      for (int i = offsets.data[row]; i < offsets.data[row + 1]; ++i)
        if (indices.data[i] == column) got += wide(values.data[i]);
      CHECK(near(got, wide(alpha) * sum));
    }
  CHECK(stored == count);
  int64_t products = 0, multiplied = 0;
  SPARSE(cusparseSpGEMM_getNumProducts(descr, &products));
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      for (int column = 0; column < n; ++column)
        multiplied += left.dense[row * k + i] != 0.0 && right.dense[i * n + column] != 0.0;
  CHECK(products == multiplied);
  SPARSE(cusparseSpGEMM_destroyDescr(descr));
  SPARSE(cusparseDestroySpMat(C));
}

/// The pattern once, and values of other factors in it: C = alpha A B + beta C.
template <class T> static void reused() {
  const int m = 6, n = 7, k = 8;
  const Example<T, int> left(m, k, CUSPARSE_FORMAT_CSR, 1), right(k, n, CUSPARSE_FORMAT_CSR, 0, 2);
  Sparse<T, int> A(left, CUSPARSE_FORMAT_CSR, 1), B(right, CUSPARSE_FORMAT_CSR, 0);
  Array<int> offsets{std::vector<int>(m + 1)}, indices{std::vector<int>(m * n)};
  Array<T> values(numbers<T>(m * n, 8));
  cusparseSpMatDescr_t C;
  SPARSE(cusparseCreateCsr(&C, m, n, 0, offsets.data, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ONE, kType<T>));
  cusparseSpGEMMDescr_t descr;
  SPARSE(cusparseSpGEMM_createDescr(&descr));
  size_t size = 1, second = 1, third = 1;
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, {-0.5, 0.25});
#define REUSED handle, kOperations[0], kOperations[0], A.descr, B.descr, C, CUSPARSE_SPGEMM_DEFAULT, descr
#define COMPUTED                                                                                                       \
  handle, kOperations[0], kOperations[0], &alpha, A.descr, B.descr, &beta, C, kType<T>, CUSPARSE_SPGEMM_DEFAULT, descr
  SPARSE(cusparseSpGEMMreuse_workEstimation(REUSED, &size, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpGEMMreuse_copy(REUSED, &size, nullptr)); // no pattern yet
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpGEMMreuse_compute(COMPUTED));
  SPARSE(cusparseSpGEMMreuse_nnz(REUSED, &size, nullptr, &second, nullptr, &third, nullptr));
  int64_t rows, columns, count;
  SPARSE(cusparseSpMatGetSize(C, &rows, &columns, &count));
  SPARSE(cusparseCsrSetPointers(C, offsets.data, indices.data, values.data));
  SPARSE(cusparseSpGEMMreuse_copy(REUSED, &size, nullptr));
  for (int round = 0; round < 2; ++round) {
    const std::vector<T> before(values.data, values.data + m * n);
    SPARSE(cusparseSpGEMMreuse_compute(COMPUTED));
    OK(cudaDeviceSynchronize());
    CHECK(offsets.data[0] == 1 && offsets.data[m] == count + 1);
    for (int row = 0; row < m; ++row)
      for (int place = offsets.data[row] - 1; place < offsets.data[row + 1] - 1; ++place) {
        Wide sum = 0;
        for (int i = 0; i < k; ++i)
          sum += left.dense[row * k + i] * (1.0 + round) * right.dense[i * n + indices.data[place] - 1];
        CHECK(near(wide(values.data[place]), wide(alpha) * sum + wide(beta) * wide(before[place])));
      }
    for (size_t i = 0; i < left.values.size(); ++i) set(A.values.data[i], wide(left.values[i]) * 2.0);
  }
  SPARSE(cusparseSpGEMM_destroyDescr(descr));
  SPARSE(cusparseDestroySpMat(C));
}

static void vectorsAndConversions() {
  const std::vector<int> places = {7, 1, 4};
  Array<int> indices(places);
  Array<float> sparse(std::vector<float>{1, 2, 3}), dense(std::vector<float>{10, 11, 12, 13, 14, 15, 16, 17});
  cusparseSpVecDescr_t X;
  cusparseDnVecDescr_t Y;
  SPARSE(cusparseCreateSpVec(&X, 8, 3, indices.data, sparse.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&Y, 8, dense.data, CUDA_R_32F));
  const float two = 2, ten = 10;
  SPARSE(cusparseAxpby(handle, &ten, X, &two, Y));
  OK(cudaDeviceSynchronize());
  CHECK(dense.data[0] == 20 && dense.data[1] == 42 && dense.data[4] == 58 && dense.data[7] == 44);
  SPARSE(cusparseGather(handle, Y, X));
  OK(cudaDeviceSynchronize());
  CHECK(sparse.data[0] == 44 && sparse.data[1] == 42 && sparse.data[2] == 58);
  sparse.data[1] = -1;
  SPARSE(cusparseScatter(handle, X, Y));
  OK(cudaDeviceSynchronize());
  CHECK(dense.data[1] == -1 && dense.data[7] == 44 && dense.data[2] == 24);
  SPARSE(cusparseDestroySpVec(X));
  SPARSE(cusparseDestroyDnVec(Y));

  const Example<double, int> e(5, 6, CUSPARSE_FORMAT_CSR, 1);
  const int count = int(e.values.size());
  Array<int> offsets(e.offsets), columns(e.indices), columnOffsets{std::vector<int>(7)}, rows{std::vector<int>(count)};
  Array<double> values(e.values), turned{std::vector<double>(count)};
  size_t bytes = 0;
#define TURN                                                                                                           \
  handle, 5, 6, count, values.data, offsets.data, columns.data, turned.data, columnOffsets.data, rows.data,            \
      CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ONE, CUSPARSE_CSR2CSC_ALG_DEFAULT
  SPARSE(cusparseCsr2cscEx2_bufferSize(TURN, &bytes));
  // "If bytesize is 0, cuMemAlloc() returns CUDA_ERROR_INVALID_VALUE", and programs make their buffers with it, too.
  CHECK(bytes > 0);
  SPARSE(cusparseCsr2cscEx2(TURN, nullptr));
  OK(cudaDeviceSynchronize());
  CHECK(columnOffsets.data[0] == 1 && columnOffsets.data[6] == count + 1);
  for (int column = 0; column < 6; ++column) {
    int before = 0;
    for (int i = columnOffsets.data[column] - 1; i < columnOffsets.data[column + 1] - 1; ++i) {
      CHECK(rows.data[i] > before);
      before = rows.data[i];
      CHECK(turned.data[i] == e.dense[(rows.data[i] - 1) * 6 + column].real());
    }
  }
  Array<int> permutation{std::vector<int>(count)}, list{std::vector<int>(count)}, again{std::vector<int>(6)};
  SPARSE(cusparseXcsr2coo(handle, offsets.data, count, 5, list.data, CUSPARSE_INDEX_BASE_ONE));
  SPARSE(cusparseXcoo2csr(handle, list.data, count, 5, again.data, CUSPARSE_INDEX_BASE_ONE));
  SPARSE(cusparseCreateIdentityPermutation(handle, count, permutation.data));
  cusparseMatDescr_t descr;
  SPARSE(cusparseCreateMatDescr(&descr));
  SPARSE(cusparseSetMatIndexBase(descr, CUSPARSE_INDEX_BASE_ONE));
  CHECK(cusparseGetMatIndexBase(descr) == CUSPARSE_INDEX_BASE_ONE);
  SPARSE(cusparseXcsrsort(handle, 5, 6, count, descr, offsets.data, columns.data, permutation.data, nullptr));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i) CHECK(again.data[i] == e.offsets[i]);
  for (int row = 0; row < 5; ++row)
    for (int i = e.offsets[row] - 1; i < e.offsets[row + 1] - 1; ++i) {
      CHECK(list.data[i] == row + 1);
      CHECK(i == e.offsets[row] - 1 || columns.data[i] > columns.data[i - 1]);
      CHECK(e.values[permutation.data[i]] == e.dense[row * 6 + columns.data[i] - 1].real());
    }
  SPARSE(cusparseDestroyMatDescr(descr));
}

static void refused() {
  cusparseSpMatDescr_t A = nullptr;
  cusparseDnVecDescr_t X = nullptr, Y = nullptr;
  Array<int> offsets(std::vector<int>{0, 1, 2}), indices(std::vector<int>{0, 9}); // one outside of the matrix
  Array<float> values(std::vector<float>{2, 3}), x(std::vector<float>{1, 1}), y(std::vector<float>{5, 5});
#define CSR(ROWS, COUNT, OFFSETS, INDEX, TYPE)                                                                         \
  cusparseCreateCsr(&A, ROWS, 2, COUNT, OFFSETS, indices.data, values.data, INDEX, CUSPARSE_INDEX_32I,                 \
                    CUSPARSE_INDEX_BASE_ZERO, TYPE)
  IS(CUSPARSE_STATUS_INVALID_VALUE, CSR(-1, 2, offsets.data, CUSPARSE_INDEX_32I, CUDA_R_32F));
  IS(CUSPARSE_STATUS_INVALID_VALUE, CSR(2, 5, offsets.data, CUSPARSE_INDEX_32I, CUDA_R_32F));
  IS(CUSPARSE_STATUS_INVALID_VALUE, CSR(2, 2, nullptr, CUSPARSE_INDEX_32I, CUDA_R_32F));
  IS(CUSPARSE_STATUS_INVALID_VALUE, CSR(2, 2, offsets.data, cusparseIndexType_t(9), CUDA_R_32F));
  IS(CUSPARSE_STATUS_NOT_SUPPORTED, CSR(2, 2, offsets.data, CUSPARSE_INDEX_32I, cudaDataType(99)));
  SPARSE(CSR(2, 2, offsets.data, CUSPARSE_INDEX_32I, CUDA_R_32F));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseCreateDnVec(&X, -1, x.data, CUDA_R_32F));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseCreateDnVec(&X, 2, nullptr, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&X, 2, x.data, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&Y, 2, y.data, CUDA_R_32F));
  cusparseDnMatDescr_t M = nullptr;
  int count = 0;
  int64_t stride = 0, rows = 0, columns = 0, nonZeros = 0;
  SPARSE(cusparseCreateDnMat(&M, 2, 1, 2, x.data, CUDA_R_32F, CUSPARSE_ORDER_COL));
  SPARSE(cusparseDnMatSetStridedBatch(M, 1, 2));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDnMatSetStridedBatch(M, 2, -1));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseDnMatSetStridedBatch(M, 0, 2));
  SPARSE(cusparseDnMatGetStridedBatch(M, &count, &stride));
  CHECK(count == 1 && stride == 2);
  SPARSE(cusparseDestroyDnMat(M));
  void *o = nullptr, *i = nullptr, *v = nullptr;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  SPARSE(cusparseCsrGet(A, &rows, &columns, &nonZeros, &o, &i, &v, &offsetType, &indexType, &base, &type));
  CHECK(rows == 2 && columns == 2 && nonZeros == 2 && o == offsets.data && i == indices.data && v == values.data);
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseCscGet(A, &rows, &columns, &nonZeros, &o, &i, &v, &offsetType, &indexType, &base, &type));
  const float one = 1, zero = 0;
  const auto multiply = [&](cusparseHandle_t with, const void *alpha, cusparseSpMatDescr_t matrix,
                            cusparseDnVecDescr_t to) {
    return cusparseSpMV(with, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matrix, X, &zero, to, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  IS(CUSPARSE_STATUS_NOT_INITIALIZED, multiply(nullptr, &one, A, Y));
  IS(CUSPARSE_STATUS_INVALID_VALUE, multiply(handle, nullptr, A, Y));
  IS(CUSPARSE_STATUS_INVALID_VALUE, multiply(handle, &one, nullptr, Y));
  IS(CUSPARSE_STATUS_INVALID_VALUE, multiply(handle, &one, A, nullptr));
  SPARSE(multiply(handle, &one, A, Y));
  OK(cudaDeviceSynchronize());
  CHECK(y.data[0] == 2 && y.data[1] == 0); // what is outside is left out
  // Scalars in memory of the device.
  Array<float> scalars(std::vector<float>{4});
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  Array<float> zeros(std::vector<float>{0});
  SPARSE(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, scalars.data, A, X, zeros.data, Y, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  OK(cudaDeviceSynchronize());
  CHECK(y.data[0] == 8);
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  SPARSE(cusparseDestroyDnVec(X));
  SPARSE(cusparseDestroyDnVec(Y));
  SPARSE(cusparseDestroySpMat(A));
}

int main() {
  SPARSE(cusparseCreate(&handle));
  for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO})
    for (const int base : {0, 1}) {
      test<float, int>(format, base);
      test<cuDoubleComplex, int64_t>(format, base);
    }
  test<double, int64_t>(CUSPARSE_FORMAT_CSR, 0);
  test<cuComplex, int>(CUSPARSE_FORMAT_CSR, 0);
  triangles<double>();
  triangles<cuDoubleComplex>();
  products<float>();
  products<cuDoubleComplex>();
  reused<double>();
  reused<cuComplex>();
  vectorsAndConversions();
  refused();
  SPARSE(cusparseDestroy(handle));
  IS(CUSPARSE_STATUS_NOT_INITIALIZED, cusparseDestroy(handle));
  return failures != 0;
}
