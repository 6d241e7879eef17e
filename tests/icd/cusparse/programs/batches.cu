// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of several matrices, of vectors, rotations, and triangles whose values change after their analysis.
//! nvcc: -lcusparse
#include "common.h"

constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// Three matrices of the same pattern; the strides leave places between them.
template <class T> struct Three {
  static constexpr int kRows = 3, kColumns = 4, kCount = 5, kOffsetStride = 6, kStride = 7;
  std::vector<int> rows, columns, offsets;
  std::vector<T> values = numbers<T>(3 * kStride, 4);
  explicit Three(int base) {
    const int row[] = {0, 0, 1, 2, 2}, column[] = {1, 3, 0, 2, 3};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < kStride; ++k) {
        rows.push_back(k < kCount ? row[k] + base : 99);
        columns.push_back(k < kCount ? column[k] + base : 99);
      }
      for (const int offset : {0, 2, 3, 5, 99, 99}) offsets.push_back(offset + base);
    }
  }
  Dense dense(int batch) const {
    Dense all(kRows, kColumns);
    const int row[] = {0, 0, 1, 2, 2}, column[] = {1, 3, 0, 2, 3};
    for (int k = 0; k < kCount; ++k) all(row[k], column[k]) = wide(values[batch * kStride + k]);
    return all;
  }
};

template <class T> static void products(int base, bool isListed, bool isOneA, bool isOneB) {
  using A = Three<T>;
  const A a(base);
  const int n = 2, strideB = 10, strideC = 9;
  Array<int> rows(isListed ? a.rows : a.offsets), columns(a.columns);
  Array<T> values(a.values);
  const auto b0 = numbers<T>(3 * strideB, 1), c0 = numbers<T>(3 * strideC, 2);
  Array<T> b(b0), c(c0);
  cusparseSpMatDescr_t S;
  cusparseDnMatDescr_t B, C;
  const auto index = CUSPARSE_INDEX_32I;
  if (isListed) {
    SPARSE(cusparseCreateCoo(&S, A::kRows, A::kColumns, A::kCount, rows.data, columns.data, values.data, index,
                             cusparseIndexBase_t(base), kType<T>));
    if (!isOneA) SPARSE(cusparseCooSetStridedBatch(S, 3, A::kStride));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseCsrSetStridedBatch(S, 3, 0, 0));
  } else {
    SPARSE(cusparseCreateCsr(&S, A::kRows, A::kColumns, A::kCount, rows.data, columns.data, values.data, index, index,
                             cusparseIndexBase_t(base), kType<T>));
    if (!isOneA) SPARSE(cusparseCsrSetStridedBatch(S, 3, A::kOffsetStride, A::kStride));
    IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseCsrSetStridedBatch(S, 0, 0, 0));
  }
  int count = 0;
  SPARSE(cusparseSpMatGetStridedBatch(S, &count));
  CHECK(count == (isOneA ? 1 : 3));
  SPARSE(cusparseCreateDnMat(&B, A::kColumns, n, A::kColumns, b.data, kType<T>, CUSPARSE_ORDER_COL));
  if (!isOneB) SPARSE(cusparseDnMatSetStridedBatch(B, 3, strideB));
  SPARSE(cusparseCreateDnMat(&C, A::kRows, n, A::kRows, c.data, kType<T>, CUSPARSE_ORDER_COL));
  SPARSE(cusparseDnMatSetStridedBatch(C, 3, strideC));
  T alpha, beta;
  set(alpha, {1.5, 0.5});
  set(beta, {-0.5, 0.25});
  SPARSE(cusparseSpMM(handle, kPlain, kPlain, &alpha, S, B, &beta, C, kType<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    const Dense dense = a.dense(isOneA ? 0 : i);
    const T *const from = &b0[isOneB ? 0 : i * strideB];
    for (int row = 0; row < A::kRows; ++row)
      for (int column = 0; column < n; ++column) {
        const int at = i * strideC + column * A::kRows + row;
        Wide sum = 0;
        for (int k = 0; k < A::kColumns; ++k) sum += dense(row, k) * wide(from[column * A::kColumns + k]);
        CHECK(near(wide(c.data[at]), wide(alpha) * sum + wide(beta) * wide(c0[at])));
      }
    for (int k = A::kRows * n; k < strideC; ++k) CHECK(wide(c.data[i * strideC + k]) == wide(c0[i * strideC + k]));
  }
  if (!isOneA) { // "C_i = (A_i B_i) o C_i": S's values become that
    const auto l0 = numbers<T>(3 * strideB, 6);
    Array<T> l(l0);
    cusparseDnMatDescr_t L, R;
    SPARSE(cusparseCreateDnMat(&L, A::kRows, n, A::kRows, l.data, kType<T>, CUSPARSE_ORDER_COL));
    SPARSE(cusparseDnMatSetStridedBatch(L, 3, strideB));
    SPARSE(cusparseCreateDnMat(&R, n, A::kColumns, A::kColumns, b.data, kType<T>, CUSPARSE_ORDER_ROW));
    if (!isOneB) SPARSE(cusparseDnMatSetStridedBatch(R, 3, strideB));
    SPARSE(
        cusparseSDDMM(handle, kPlain, kPlain, &alpha, L, R, &beta, S, kType<T>, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < A::kCount; ++k) {
        const int row = a.rows[k] - base, column = a.columns[k] - base;
        Wide sum = 0;
        for (int inner = 0; inner < n; ++inner)
          sum += wide(l0[i * strideB + inner * A::kRows + row]) *
                 wide(b0[(isOneB ? 0 : i * strideB) + inner * A::kColumns + column]);
        CHECK(near(wide(values.data[i * A::kStride + k]),
                   wide(alpha) * sum + wide(beta) * wide(a.values[i * A::kStride + k])));
      }
    SPARSE(cusparseDestroyDnMat(L));
    SPARSE(cusparseDestroyDnMat(R));
    SPARSE(cusparseDnMatSetStridedBatch(C, 2, strideC)); // not as many as the others
    IS(CUSPARSE_STATUS_INVALID_VALUE,
       cusparseSpMM(handle, kPlain, kPlain, &alpha, S, B, &beta, C, kType<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  }
  SPARSE(cusparseDnMatSetStridedBatch(C, 3, 1 << 20)); // outside of the allocation
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseSpMM(handle, kPlain, kPlain, &alpha, S, B, &beta, C, kType<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  SPARSE(cusparseDestroySpMat(S));
  SPARSE(cusparseDestroyDnMat(B));
  SPARSE(cusparseDestroyDnMat(C));
}

template <class T> static void vectors(int base) {
  const int places[] = {6, 1, 4};
  const auto x0 = numbers<T>(3, 2), y0 = numbers<T>(8, 7);
  Array<int> indices(std::vector<int>{6 + base, 1 + base, 4 + base});
  Array<T> x(x0), y(y0), answer{std::vector<T>(1)};
  cusparseSpVecDescr_t X;
  cusparseDnVecDescr_t Y;
  SPARSE(cusparseCreateSpVec(&X, 8, 3, indices.data, x.data, CUSPARSE_INDEX_32I, cusparseIndexBase_t(base), kType<T>));
  SPARSE(cusparseCreateDnVec(&Y, 8, y.data, kType<T>));
  for (const auto how : kOperations) {
    Wide wanted = 0;
    for (int i = 0; i < 3; ++i) wanted += op(how, wide(x0[i])) * wide(y0[places[i]]);
    T got;
    size_t bytes = 1;
    SPARSE(cusparseSpVV_bufferSize(handle, how, X, Y, &got, kType<T>, &bytes));
    SPARSE(cusparseSpVV(handle, how, X, Y, &got, kType<T>, nullptr)); // waits
    CHECK(near(wide(got), wanted));
    SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
    SPARSE(cusparseSpVV(handle, how, X, Y, answer.data, kType<T>, nullptr));
    OK(cudaDeviceSynchronize());
    CHECK(near(wide(answer.data[0]), wanted));
    SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  }
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpVV(handle, kPlain, X, Y, nullptr, kType<T>, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpVV(handle, kPlain, nullptr, Y, answer.data, kType<T>, nullptr));
  T c, s;
  set(c, 0.75);
  set(s, 0.5);
  SPARSE(cusparseRot(handle, &c, &s, X, Y));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    const Wide one = wide(x0[i]), other = wide(y0[places[i]]);
    CHECK(near(wide(x.data[i]), 0.75 * one + 0.5 * other));
    CHECK(near(wide(y.data[places[i]]), 0.75 * other - 0.5 * one));
  }
  CHECK(wide(y.data[0]) == wide(y0[0]));
  SPARSE(cusparseDestroySpVec(X));
  SPARSE(cusparseDestroyDnVec(Y));
}

/// {{a0, 0}, {a1, a2}} x = b
template <class T> static void updates() {
  Array<int> offsets(std::vector<int>{0, 1, 3}), columns(std::vector<int>{0, 0, 1});
  Array<T> values(numbers<T>(3, 1)), whole(numbers<T>(3, 5)), diagonal(numbers<T>(2, 9)), b(numbers<T>(2, 3)),
      x(numbers<T>(2));
  cusparseSpMatDescr_t A;
  cusparseDnVecDescr_t B, X;
  cusparseDnMatDescr_t Bs, Xs;
  cusparseSpSVDescr_t one;
  cusparseSpSMDescr_t many;
  SPARSE(cusparseCreateCsr(&A, 2, 2, 3, offsets.data, columns.data, values.data, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, kType<T>));
  SPARSE(cusparseCreateDnVec(&B, 2, b.data, kType<T>));
  SPARSE(cusparseCreateDnVec(&X, 2, x.data, kType<T>));
  SPARSE(cusparseCreateDnMat(&Bs, 2, 1, 2, b.data, kType<T>, CUSPARSE_ORDER_COL));
  SPARSE(cusparseCreateDnMat(&Xs, 2, 1, 2, x.data, kType<T>, CUSPARSE_ORDER_COL));
  SPARSE(cusparseSpSV_createDescr(&one));
  SPARSE(cusparseSpSM_createDescr(&many));
  T alpha;
  set(alpha, 1);
  const auto holds = [&](Wide a0, Wide a1, Wide a2) {
    OK(cudaDeviceSynchronize());
    CHECK(near(a0 * wide(x.data[0]), wide(b.data[0])));
    CHECK(near(a1 * wide(x.data[0]) + a2 * wide(x.data[1]), wide(b.data[1])));
  };
#define VECTOR handle, kPlain, &alpha, A, B, X, kType<T>, CUSPARSE_SPSV_ALG_DEFAULT, one
#define MATRIX handle, kPlain, kPlain, &alpha, A, Bs, Xs, kType<T>, CUSPARSE_SPSM_ALG_DEFAULT, many
  IS(CUSPARSE_STATUS_INVALID_VALUE,
     cusparseSpSV_updateMatrix(handle, one, whole.data, CUSPARSE_SPSV_UPDATE_GENERAL)); // not analysed
  SPARSE(cusparseSpSV_analysis(VECTOR, nullptr));
  SPARSE(cusparseSpSM_analysis(MATRIX, nullptr));
  IS(CUSPARSE_STATUS_INVALID_VALUE, cusparseSpSV_updateMatrix(handle, one, nullptr, CUSPARSE_SPSV_UPDATE_GENERAL));
  for (const bool isVector : {true, false}) {
    const auto solve = [&] { SPARSE(isVector ? cusparseSpSV_solve(VECTOR) : cusparseSpSM_solve(MATRIX)); };
    const auto update = [&](T *from, bool isDiagonal) {
      SPARSE(isVector ? cusparseSpSV_updateMatrix(handle, one, from, cusparseSpSVUpdate_t(isDiagonal))
                      : cusparseSpSM_updateMatrix(handle, many, from, cusparseSpSMUpdate_t(isDiagonal)));
    };
    solve();
    holds(wide(values.data[0]), wide(values.data[1]), wide(values.data[2]));
    update(diagonal.data, true);
    solve();
    holds(wide(diagonal.data[0]), wide(values.data[1]), wide(diagonal.data[1]));
    update(whole.data, false);
    solve();
    holds(wide(whole.data[0]), wide(whole.data[1]), wide(whole.data[2]));
    update(diagonal.data, true);
    solve();
    holds(wide(diagonal.data[0]), wide(whole.data[1]), wide(diagonal.data[1]));
  }
  SPARSE(cusparseSpSV_destroyDescr(one));
  SPARSE(cusparseSpSM_destroyDescr(many));
  SPARSE(cusparseDestroyDnMat(Bs));
  SPARSE(cusparseDestroyDnMat(Xs));
  SPARSE(cusparseDestroyDnVec(B));
  SPARSE(cusparseDestroyDnVec(X));
  SPARSE(cusparseDestroySpMat(A));
}

template <class T> static void all() {
  for (const int base : {0, 1}) {
    for (int which = 0; which < 8; ++which) products<T>(base, which & 1, which & 2, which & 4);
    vectors<T>(base);
  }
  updates<T>();
}

int main() {
  SPARSE(cusparseCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  SPARSE(cusparseDestroy(handle));
  return failures != 0;
}
