// C++ for OpenCL 2021: templates, classes, lambdas, references, constexpr, namespaces, overloads of address spaces.
//! kernel combine
//! options -cl-std=CLC++2021
//! global 64
//! local 32
//! arg buffer int 64 random(-100, 100)
//! arg buffer int 64 expect(a0[i] * 2 + i + 7)
//! arg buffer int 64 expect(sum(j, i / 32 * 32, i / 32 * 32 + 32, a0[j]))
//! arg buffer int 64 expect(i % 32 == 31 ? a0[i / 32 * 32] : a0[i + 1])
namespace parts {
template <class T> struct Adder {
  T sum{};
  Adder &operator+=(const T &more) {
    sum += more;
    return *this;
  }
};
constexpr int seven() { return 7; }
int where(__global const int *) { return 1; }
int where(const int *) { return 0; }
enum class Scale { One = 1, Two };
} // namespace parts

__global int table[2] = {parts::seven(), 0};

template <int N> struct Shared {
  int values[N];
  int next(int i) __local const { return values[(i + 1) % N]; }
};

kernel void combine(__global const int *in, __global int *out, __global int *sums, __global int *next) {
  const int i = get_global_id(0);
  parts::Adder<int> adder;
  const auto twice = [&](int x) { return x * static_cast<int>(parts::Scale::Two); };
  adder += twice(in[i]);
  adder += parts::where(in) * i;
  int &sum = adder.sum;
  sum += table[0] + parts::where(&sum);
  out[i] = adder.sum;
  if constexpr (__OPENCL_CPP_VERSION__ == 202100) sums[i] = work_group_reduce_add(in[i]);
  __local Shared<32> shared;
  shared.values[get_local_id(0)] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  next[i] = shared.next(get_local_id(0));
}
