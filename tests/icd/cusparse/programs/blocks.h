// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of blocks of the programs beside it.
#pragma once
#include "common.h"

constexpr auto kNoLevel = CUSPARSE_SOLVE_POLICY_NO_LEVEL, kLevel = CUSPARSE_SOLVE_POLICY_USE_LEVEL;

/// Blocks at some places, in memory as BSR has them; with blocks of one element as CSR has them.
template <class T> struct Blocks {
  int rows, size, base;
  bool isByRow;
  std::vector<int> offsets, columns;
  std::vector<T> values;
  Dense dense, isThere;

  Blocks(int rows, int size, int base, bool isByRow, bool isHermitian)
      : rows(rows), size(size), base(base), isByRow(isByRow), dense(rows * size, rows * size), isThere(dense) {
    const int n = rows * size;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int row = i / size, column = j / size;
        const int low = row < column ? row : column, high = row + column - low;
        if (row != column && (isHermitian ? high * 3 + low * 2 : row * 3 + column * 5) % 5 > 1) continue;
        isThere(i, j) = 1;
        Wide value = isHermitian && j > i ? std::conj(number(j * n + i)) : number(i * n + j);
        if (i == j) value = 3.0 * n + (isHermitian ? Wide(value.real()) : value);
        T rounded;
        set(rounded, value);
        dense(i, j) = wide(rounded);
      }
    offsets.push_back(base);
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < rows; ++column)
        if (isThere(row * size, column * size) != 0.0) columns.push_back(column + base);
      offsets.push_back(int(columns.size()) + base);
    }
    values.resize(columns.size() * size * size);
    each([&](int i, int j, int place) { set(values[place], dense(i, j)); });
  }
  template <class Use> void each(Use use) const {
    for (int row = 0; row < rows; ++row)
      for (int block = offsets[row] - base; block < offsets[row + 1] - base; ++block)
        for (int i = 0; i < size; ++i)
          for (int j = 0; j < size; ++j)
            use(row * size + i, (columns[block] - base) * size + j,
                block * size * size + (isByRow ? i * size + j : j * size + i));
  }
  Dense read(const T *from) const {
    Dense all(rows * size, rows * size);
    each([&](int i, int j, int place) { all(i, j) = wide(from[place]); });
    return all;
  }
};
