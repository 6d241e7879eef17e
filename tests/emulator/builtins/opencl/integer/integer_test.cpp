// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions against 128-bit arithmetic: exhaustively for 8 bits, edges and random values for the others.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

using Wide = __int128;
constexpr std::size_t kCount = 1 << 16;

#define ONE(F, R, A)                                                                                                   \
  extern "C" void test_##F##_##A(const A *, R *, ulong);                                                               \
  extern "C" ulong widths_##F##_##A(const A *, ulong);
#define TWO(F, R, A, B)                                                                                                \
  extern "C" void test_##F##_##A(const A *, const B *, R *, ulong);                                                    \
  extern "C" ulong widths_##F##_##A(const A *, const B *, ulong);
#define THREE(F, R, A, B, C)                                                                                           \
  extern "C" void test_##F##_##A(const A *, const B *, const C *, R *, ulong);                                         \
  extern "C" ulong widths_##F##_##A(const A *, const B *, const C *, ulong);
#include "tests/emulator/builtins/opencl/integer/functions.def"

// What the specification says, in words of 128 bits. The type's width is needed by some.
template <typename T> constexpr int kBits = 8 * sizeof(T);
template <typename T> Wide saturate(Wide x) {
  return std::clamp(x, Wide(std::numeric_limits<T>::min()), Wide(std::numeric_limits<T>::max()));
}
template <typename T> struct Reference {
  using U = std::make_unsigned_t<T>;
  static Wide abs(Wide x) { return x < 0 ? -x : x; }
  static Wide abs_diff(Wide x, Wide y) { return abs(x - y); }
  static Wide add_sat(Wide x, Wide y) { return saturate<T>(x + y); }
  static Wide sub_sat(Wide x, Wide y) { return saturate<T>(x - y); }
  static Wide hadd(Wide x, Wide y) { return (x + y) >> 1; }
  static Wide rhadd(Wide x, Wide y) { return (x + y + 1) >> 1; }
  static Wide min(Wide x, Wide y) { return std::min(x, y); }
  static Wide max(Wide x, Wide y) { return std::max(x, y); }
  static Wide clamp(Wide x, Wide low, Wide high) { return std::min(std::max(x, low), high); }
  static Wide clz(Wide x) { return std::countl_zero(U(x)); }
  static Wide ctz(Wide x) { return std::countr_zero(U(x)); }
  static Wide popcount(Wide x) { return std::popcount(U(x)); }
  static Wide bit_reverse(Wide x) {
    U result = 0;
    for (int i = 0; i < kBits<T>; ++i)
      if (x >> i & 1) result |= U(1) << (kBits<T> - 1 - i);
    return result;
  }
  // The unsigned product of 64 bits may pass the sign bit of Wide, so the shift must be unsigned.
  static Wide upper(Wide x, Wide y) {
    if (std::is_unsigned_v<T>) return Wide((unsigned __int128)x * (unsigned __int128)y >> kBits<T>);
    return x * y >> kBits<T>;
  }
  static Wide mul_hi(Wide x, Wide y) { return upper(x, y); }
  static Wide mad_hi(Wide x, Wide y, Wide z) { return upper(x, y) + z; }
  static Wide mad_sat(Wide x, Wide y, Wide z) {
    if (std::is_unsigned_v<T> && sizeof(T) == 8) {
      unsigned __int128 exact = (unsigned __int128)x * (unsigned __int128)y + (unsigned __int128)z;
      return exact > std::numeric_limits<T>::max() ? Wide(std::numeric_limits<T>::max()) : Wide(exact);
    }
    return saturate<T>(x * y + z);
  }
  static Wide rotate(Wide x, Wide count) { return std::rotl(U(x), int(U(count) % kBits<T>)); }
  static Wide upsample(Wide high, Wide low) { return high << kBits<T> | low; }
  static Wide mul24(Wide x, Wide y) { return x * y; }
  static Wide mad24(Wide x, Wide y, Wide z) { return x * y + z; }
};

// mul24 promises something only for 24-bit operands.
template <typename T> std::vector<T> operands(const char *function, unsigned seed) {
  std::vector<T> values = integers<T>(kCount, seed);
  if (std::string_view(function).ends_with("24"))
    for (T &value : values) value = static_cast<T>(static_cast<T>(static_cast<uint>(value) << 8) >> 8);
  return values;
}

template <typename R> void compare(const char *name, const std::vector<R> &got, auto &&expected) {
  int failures = 0;
  for (std::size_t i = 0; i < got.size() && failures < 5; ++i)
    if (R want = static_cast<R>(expected(i)); got[i] != want) {
      ADD_FAILURE() << name << " case " << i << ": got " << +got[i] << ", want " << +want;
      ++failures;
    }
}

#define ONE(F, R, A)                                                                                                   \
  TEST(Integer, F##_##A) {                                                                                             \
    auto a = operands<A>(#F, 0);                                                                                       \
    std::vector<R> r(kCount);                                                                                          \
    test_##F##_##A(a.data(), r.data(), kCount);                                                                        \
    compare(#F, r, [&](auto i) { return Reference<A>::F(a[i]); });                                                     \
    EXPECT_EQ(widths_##F##_##A(a.data(), kCount), 0u);                                                                 \
  }
#define TWO(F, R, A, B)                                                                                                \
  TEST(Integer, F##_##A) {                                                                                             \
    auto a = operands<A>(#F, 0);                                                                                       \
    auto b = operands<B>(#F, 1);                                                                                       \
    std::vector<R> r(kCount);                                                                                          \
    test_##F##_##A(a.data(), b.data(), r.data(), kCount);                                                              \
    compare(#F, r, [&](auto i) { return Reference<A>::F(a[i], b[i]); });                                               \
    EXPECT_EQ(widths_##F##_##A(a.data(), b.data(), kCount), 0u);                                                       \
  }
#define THREE(F, R, A, B, C)                                                                                           \
  TEST(Integer, F##_##A) {                                                                                             \
    auto a = operands<A>(#F, 0);                                                                                       \
    auto b = operands<B>(#F, 1);                                                                                       \
    auto c = operands<C>(#F, 2);                                                                                       \
    if (std::string_view(#F) == "clamp")                                                                               \
      for (std::size_t i = 0; i < kCount; ++i)                                                                         \
        if (b[i] > c[i]) std::swap(b[i], c[i]);                                                                        \
    std::vector<R> r(kCount);                                                                                          \
    test_##F##_##A(a.data(), b.data(), c.data(), r.data(), kCount);                                                    \
    compare(#F, r, [&](auto i) { return Reference<A>::F(a[i], b[i], c[i]); });                                         \
    EXPECT_EQ(widths_##F##_##A(a.data(), b.data(), c.data(), kCount), 0u);                                             \
  }
#include "tests/emulator/builtins/opencl/integer/functions.def"

extern "C" ulong scalar_bounds(const int *, ulong);
TEST(Integer, scalar_bounds) {
  auto a = integers<int>(kCount, 0);
  EXPECT_EQ(scalar_bounds(a.data(), kCount), 0u);
}

#define BITFIELD(T, S, U) extern "C" void test_bitfield_##T(const T *, const T *, uint, uint, T *, S *, U *, ulong);
BITFIELD(char, char, uchar)
BITFIELD(ushort, short, ushort)
BITFIELD(int, int, uint)
BITFIELD(ulong, long, ulong)

template <typename T, typename S, typename U>
void checkBitfields(void (*run)(const T *, const T *, uint, uint, T *, S *, U *, ulong)) {
  constexpr std::size_t n = 1000;
  auto base = integers<T>(n, 0), insert = integers<T>(n, 5);
  std::vector<T> inserted(n);
  std::vector<S> s(n);
  std::vector<U> u(n);
  for (uint offset = 0; offset <= uint(kBits<T>); ++offset)
    for (uint count = 0; offset + count <= uint(kBits<T>); ++count) {
      run(base.data(), insert.data(), offset, count, inserted.data(), s.data(), u.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        const Wide mask = ((Wide(1) << count) - 1), field = Wide(U(base[i])) >> offset & mask;
        ASSERT_EQ(U(inserted[i]), U((Wide(U(base[i])) & ~(mask << offset)) | (Wide(U(insert[i])) & mask) << offset))
            << offset << " " << count;
        ASSERT_EQ(u[i], U(field)) << offset << " " << count;
        const bool negative = count > 0 && (field >> (count - 1) & 1);
        ASSERT_EQ(s[i], S(negative ? field - (Wide(1) << count) : field)) << offset << " " << count;
      }
    }
}
TEST(Integer, bitfields) {
  checkBitfields(test_bitfield_char);
  checkBitfields(test_bitfield_ushort);
  checkBitfields(test_bitfield_int);
  checkBitfields(test_bitfield_ulong);
}

extern "C" void test_dot(const uint *, const uint *, const int *, int *, ulong);
TEST(Integer, dot_product) {
  auto a = integers<uint>(kCount, 0), b = integers<uint>(kCount, 1);
  auto c = integers<int>(kCount, 2);
  std::vector<int> r(16 * kCount);
  test_dot(a.data(), b.data(), c.data(), r.data(), kCount);
  auto byte = [](uint x, int k, bool isSigned) {
    return isSigned ? Wide(std::int8_t(x >> 8 * k)) : Wide(uchar(x >> 8 * k));
  };
  const bool signs[4][2] = {{false, false}, {true, true}, {false, true}, {true, false}};
  for (std::size_t i = 0; i < kCount; ++i)
    for (int kind = 0; kind < 4; ++kind) {
      Wide sum = 0;
      for (int k = 0; k < 4; ++k) sum += byte(a[i], k, signs[kind][0]) * byte(b[i], k, signs[kind][1]);
      const Wide accumulated = kind == 0 ? saturate<uint>(sum + uint(c[i])) : saturate<int>(sum + c[i]);
      for (int packed = 0; packed < 2; ++packed) {
        ASSERT_EQ(r[16 * i + 8 * packed + kind], int(sum)) << i << " " << kind;
        ASSERT_EQ(r[16 * i + 8 * packed + 4 + kind], int(accumulated)) << i << " " << kind;
      }
    }
}

} // namespace
} // namespace us::test
