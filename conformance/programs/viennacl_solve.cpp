// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ViennaCL: a sparse conjugate-gradient solve, dense products and reductions on the device, checked on the host.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

int main() {
  const unsigned n = 2000;
  // The one-dimensional Poisson matrix plus a diagonal: well conditioned, so that single precision converges.
  std::vector<std::map<unsigned, float>> host(n);
  for (unsigned i = 0; i < n; ++i) {
    host[i][i] = 3;
    if (i > 0) host[i][i - 1] = -1;
    if (i + 1 < n) host[i][i + 1] = -1;
  }
  viennacl::compressed_matrix<float> matrix(n, n);
  viennacl::copy(host, matrix);
  std::vector<float> rightHostSide(n), solutionHost(n);
  for (unsigned i = 0; i < n; ++i) rightHostSide[i] = std::sin(0.01f * i);
  viennacl::vector<float> right(n);
  viennacl::copy(rightHostSide, right);
  viennacl::vector<float> solution = viennacl::linalg::solve(matrix, right, viennacl::linalg::cg_tag(1e-6, 500));
  viennacl::copy(solution, solutionHost);
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    double sum = 0;
    for (auto &[j, value] : host[i]) sum += double(value) * solutionHost[j];
    worst = std::fmax(worst, std::fabs(sum - rightHostSide[i]));
  }

  const unsigned m = 96;
  std::vector<std::vector<float>> a(m, std::vector<float>(m)), b = a, c = a;
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < m; ++j) a[i][j] = (i * 7 + j) % 11, b[i][j] = (i + j * 5) % 13;
  viennacl::matrix<float> deviceA(m, m), deviceB(m, m), deviceC(m, m);
  viennacl::copy(a, deviceA);
  viennacl::copy(b, deviceB);
  deviceC = viennacl::linalg::prod(deviceA, deviceB);
  viennacl::copy(deviceC, c);
  double productError = 0;
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < m; ++j) {
      double sum = 0;
      for (unsigned k = 0; k < m; ++k) sum += a[i][k] * b[k][j];
      productError = std::fmax(productError, std::fabs(sum - c[i][j]) / (1 + sum));
    }
  double dot = viennacl::linalg::inner_prod(right, right), dotHost = 0;
  for (float v : rightHostSide) dotHost += double(v) * v;
  std::printf("residual %g, product error %g, dot error %g\n", worst, productError, std::fabs(dot - dotHost) / dotHost);
  return worst < 1e-4 && productError < 1e-5 && std::fabs(dot - dotHost) < 1e-4 * dotHost ? 0 : 1;
}
