// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boost.Compute: sort, scan, reduce, transform with lambda and a custom function, checked against the standard library.
#include <boost/compute.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace compute = boost::compute;
BOOST_COMPUTE_FUNCTION(int, scramble, (int x), { return (x ^ (x >> 3)) * 2654435; });

#define REQUIRE(condition)                                                                                             \
  if (!(condition)) return std::printf("failed: %s\n", #condition), 1

int main() {
  compute::device device = compute::system::default_device();
  compute::context context(device);
  compute::command_queue queue(context, device);
  std::mt19937 random(1);
  std::vector<int> host(100003);
  for (int &v : host) v = static_cast<int>(random());
  compute::vector<int> values(host.begin(), host.end(), queue);

  compute::vector<int> changed(host.size(), context);
  compute::transform(values.begin(), values.end(), changed.begin(), scramble, queue);
  std::vector<int> got(host.size()), expected(host.size());
  compute::copy(changed.begin(), changed.end(), got.begin(), queue);
  std::transform(host.begin(), host.end(), expected.begin(),
                 [](int x) { return static_cast<int>(static_cast<unsigned>(x ^ (x >> 3)) * 2654435u); });
  REQUIRE(got == expected);

  compute::sort(values.begin(), values.end(), queue);
  compute::copy(values.begin(), values.end(), got.begin(), queue);
  expected = host;
  std::sort(expected.begin(), expected.end());
  REQUIRE(got == expected);

  std::vector<unsigned> small(50021);
  for (unsigned &v : small) v = random() % 100;
  compute::vector<unsigned> numbers(small.begin(), small.end(), queue), sums(small.size(), context);
  compute::inclusive_scan(numbers.begin(), numbers.end(), sums.begin(), queue);
  std::vector<unsigned> sumsHost(small.size()), sumsExpected(small.size());
  compute::copy(sums.begin(), sums.end(), sumsHost.begin(), queue);
  std::partial_sum(small.begin(), small.end(), sumsExpected.begin());
  REQUIRE(sumsHost == sumsExpected);

  unsigned total = 0;
  compute::reduce(numbers.begin(), numbers.end(), &total, queue);
  REQUIRE(total == sumsExpected.back());
  REQUIRE(compute::count(numbers.begin(), numbers.end(), 7u, queue) ==
          static_cast<size_t>(std::count(small.begin(), small.end(), 7u)));
  std::printf("sort, transform, scan, reduce and count agree on '%s'\n", device.name().c_str());
  return 0;
}
