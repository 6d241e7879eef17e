// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf: scalars against the C library's snprintf, vectors against the specification's words, order and limit.
#include "emulator/exec/printf_buffer.h"

#include "tests/support/comma_locale.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::exec {
namespace {

using abi::PrintType;

/// Builds a record as generated code does.
struct Record {
  std::vector<std::byte> bytes;

  Record &add(PrintType type, const void *values, size_t size, uint8_t elements) {
    abi::PrintTag tag{type, elements};
    append(&tag, sizeof tag);
    append(values, size * elements);
    return *this;
  }
  template <class T> Record &add(PrintType type, std::initializer_list<T> values) {
    return add(type, values.begin(), sizeof(T), static_cast<uint8_t>(values.size()));
  }
  Record &integer(int32_t value) { return add(PrintType::Int32, {value}); }
  Record &wide(int64_t value) { return add(PrintType::Int64, {value}); }
  Record &real(double value) { return add(PrintType::Float64, {value}); }
  Record &text(const char *value) { return add(PrintType::String, {value}); }

private:
  void append(const void *from, size_t size) {
    const auto *begin = static_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
};

std::string formatted(const char *format, const Record &record) {
  return formatRecord(format, record.bytes.data(), static_cast<uint32_t>(record.bytes.size()));
}

template <class... Values> std::string byTheCLibrary(const char *format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// A kernel knows no locale: what it prints is the same in every program.
TEST(Printf, NumbersHaveAPointInEveryLocale) {
  const test::CommaLocale locale;
  if (!locale.isSet()) GTEST_SKIP() << "localedef made no locale with a comma";
  EXPECT_EQ(formatted("%.2f %g %a %e", Record().real(1.5).real(0.25).real(1.5).real(1.5)),
            "1.50 0.25 0x1.8p+0 1.500000e+00");
  EXPECT_EQ(byTheCLibrary("%.2f", 1.5), "1,50"); // the program's own output is as it wants
}

TEST(Printf, IntegersAsTheCLibrary) {
  for (const char *format : {"%d", "%i", "%5d", "%-5d|", "%+d", "% d", "%05d", "%.3d", "%8.3d", "%u",  "%o",     "%#o",
                             "%x", "%X", "%#x", "%#10X", "%c",  "%hd", "%hu",  "%hhd", "%hhu",  "%hx", "a%db%%c"})
    for (int32_t value :
         {0, 1, 42, 65, -1, 300, 70000, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
      if (std::strchr(format, 'c') && std::strcmp(format, "%c") == 0 && value % 256 == 0) continue; // ends a C string
      EXPECT_EQ(formatted(format, Record().integer(value)), byTheCLibrary(format, value)) << format << " " << value;
    }
  for (const char *format : {"%ld", "%lu", "%lx", "%20ld", "%lo"})
    for (int64_t value : {int64_t{0}, int64_t{-1}, std::numeric_limits<int64_t>::min(), int64_t{1} << 40})
      EXPECT_EQ(formatted(format, Record().wide(value)), byTheCLibrary(format, value)) << format << " " << value;
}

TEST(Printf, FloatsAsTheCLibrary) {
  for (const char *format : {"%f", "%F", "%e", "%E", "%g", "%G", "%a", "%A", "%10.3f", "%-12e|", "%+g", "%#g", "%.0f",
                             "%.15g", "%08.2f", "% f"})
    for (double value : {0.0, -0.0, 1.0, -2.5, 3.14159265358979, 1e300, 1e-300, 123456789.0, HUGE_VAL, -HUGE_VAL})
      EXPECT_EQ(formatted(format, Record().real(value)), byTheCLibrary(format, value)) << format << " " << value;
  EXPECT_EQ(formatted("%f %F", Record().real(NAN).real(NAN)), "nan NAN");
  EXPECT_EQ(formatted("%.200f", Record().real(0.1)), byTheCLibrary("%.200f", 0.1));
  EXPECT_EQ(formatted("%g", Record().add(PrintType::Float32, {0.1f})), "0.1");
  EXPECT_EQ(formatted("%g", Record().add(PrintType::Float16, {uint16_t{0x3e00}})), "1.5");
}

TEST(Printf, StringsAndPointers) {
  EXPECT_EQ(formatted("<%s>", Record().text("abc")), "<abc>");
  EXPECT_EQ(formatted("<%5s|%-5s|%.2s>", Record().text("abc").text("abc").text("abc")), "<  abc|abc  |ab>");
  EXPECT_EQ(formatted("%s", Record().text(nullptr)), "(null)");
  EXPECT_EQ(formatted("%p", Record().add(PrintType::Pointer, {uint64_t{0x1234}})), "0x1234");
}

// "The vector specifier ... The vector value is displayed in the following general form: value1 C value2 C ... C valuen
// where C is a separator character. The value for this separator character is a comma."
TEST(Printf, Vectors) {
  EXPECT_EQ(formatted("f4 = %2.2v4hlf\n", Record().add(PrintType::Float32, {1.0f, 2.0f, 3.0f, 4.0f})),
            "f4 = 1.00,2.00,3.00,4.00\n");
  EXPECT_EQ(formatted("uc = %#v4hhx\n", Record().add<uint8_t>(PrintType::Int8, {0xFA, 0xFB, 0xFC, 0xFD})),
            "uc = 0xfa,0xfb,0xfc,0xfd\n");
  EXPECT_EQ(formatted("%v3hd", Record().add<int16_t>(PrintType::Int16, {-1, 2, -3})), "-1,2,-3");
  EXPECT_EQ(formatted("%v2hu", Record().add<uint16_t>(PrintType::Int16, {65535, 1})), "65535,1");
  EXPECT_EQ(formatted("%v8hld", Record().add<int32_t>(PrintType::Int32, {1, -2, 3, -4, 5, -6, 7, -8})),
            "1,-2,3,-4,5,-6,7,-8");
  EXPECT_EQ(formatted("%v2ld", Record().add<int64_t>(PrintType::Int64, {-5'000'000'000, 7})), "-5000000000,7");
  EXPECT_EQ(formatted("%v2lf", Record().add(PrintType::Float64, {0.5, -0.25})), "0.500000,-0.250000");
  EXPECT_EQ(formatted("%v16hhd",
                      Record().add<int8_t>(PrintType::Int8, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -15})),
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,-15");
}

TEST(Printf, SizesAsArguments) {
  const auto withTwo = [](const char *format, int a, int b) {
    return formatted(format, Record().integer(a).integer(b));
  };
  for (const char *format : {"%*d|", "%-*d|", "%0*d|", "%.*d|"})
    for (int size : {0, 1, 7, -7})
      EXPECT_EQ(withTwo(format, size, 42), byTheCLibrary(format, size, 42)) << format << " " << size;
  for (int width : {-9, 0, 9})
    for (int precision : {-3, 0, 3})
      EXPECT_EQ(formatted("%*.*f|", Record().integer(width).integer(precision).real(2.5)),
                byTheCLibrary("%*.*f|", width, precision, 2.5))
          << width << " " << precision;
  EXPECT_EQ(formatted("%.f %.s|", Record().real(2.0).text("abc")), "2 |");
}

// C, 7.21.6.1, to which OpenCL C refers: "The number of characters that can be produced by any single conversion shall
// be at least 4095." What is wider than that is cut to it, or one work-item could ask for gigabytes.
TEST(Printf, NoConversionIsLargerThanItMustBe) {
  for (const char *format : {"%2000000000d", "%.2000000000d", "%99999999999999999999d", "%.99999999999999999999d"})
    EXPECT_EQ(formatted(format, Record().integer(1)).size(), 4095u) << format;
  for (const char *format : {"%*d", "%.*d", "%-*d"})
    EXPECT_EQ(formatted(format, Record().integer(2'000'000'000).integer(1)).size(), 4095u) << format;
  EXPECT_EQ(formatted("%*d", Record().integer(std::numeric_limits<int32_t>::min()).integer(1)).size(), 4095u);
  EXPECT_EQ(formatted("%.2000000000s|", Record().text("abc")), "abc|");
  EXPECT_EQ(formatted("%4095d", Record().integer(1)), byTheCLibrary("%400d", 1).insert(0, 3695, ' '));
  const std::string longText(20000, 'x');
  EXPECT_EQ(formatted("%.30000s", Record().text(longText.c_str())), longText);
}

TEST(Printf, WhatIsNoConversionIsShown) {
  EXPECT_EQ(formatted("100%", {}), "100%");
  EXPECT_EQ(formatted("%d and %d", Record().integer(1)), "1 and %d");
  EXPECT_EQ(formatted("%k %d", Record().integer(1)), "%k 1");
  EXPECT_EQ(formatted("", {}), "");
}

TEST(PrintfBuffer, IsWrittenInTheOrderOfGroupsItemsAndCalls) {
  PrintfBuffer buffer(1 << 20);
  auto print = [&](uint64_t group, uint64_t item, int value) {
    Record record = Record().integer(value);
    EXPECT_TRUE(buffer.append(group, item, "%d ", record.bytes.data(), static_cast<uint32_t>(record.bytes.size())));
  };
  EXPECT_TRUE(buffer.empty());
  print(2, 0, 6);
  print(0, 1, 3);
  print(0, 0, 1);
  print(0, 0, 2);
  print(1, 9, 5);
  print(1, 3, 4);
  EXPECT_FALSE(buffer.empty());
  EXPECT_EQ(buffer.take(), "1 2 3 4 5 6 ");
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.take(), "");
}

TEST(PrintfBuffer, CopiesStrings) {
  PrintfBuffer buffer(1 << 20);
  char text[] = "before";
  Record record = Record().text(text);
  ASSERT_TRUE(buffer.append(0, 0, "%s", record.bytes.data(), static_cast<uint32_t>(record.bytes.size())));
  std::strcpy(text, "after");
  EXPECT_EQ(buffer.take(), "before");
}

// A format may be computed: it says what it said when it was printed.
TEST(PrintfBuffer, CopiesFormats) {
  PrintfBuffer buffer(1 << 20);
  char format[] = "before %d ";
  const auto print = [&](int value) {
    Record record = Record().integer(value);
    ASSERT_TRUE(buffer.append(0, 0, format, record.bytes.data(), static_cast<uint32_t>(record.bytes.size())));
  };
  print(1);
  print(2);
  std::strcpy(format, "later %d ");
  print(3);
  std::strcpy(format, "late");
  print(4);
  std::memset(format, '!', sizeof format - 1);
  EXPECT_EQ(buffer.take(), "before 1 before 2 later 3 late");
}

// CL_DEVICE_PRINTF_BUFFER_SIZE is of "the internal buffer that holds the output of printf calls".
TEST(PrintfBuffer, HoldsItsLimitOfText) {
  PrintfBuffer buffer(1000);
  Record record = Record().integer('x');
  const auto print = [&] {
    return buffer.append(0, 0, "%c", record.bytes.data(), static_cast<uint32_t>(record.bytes.size()));
  };
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(print()) << i;
    EXPECT_FALSE(print());
    EXPECT_FALSE(buffer.append(0, 0, "", nullptr, 0)); // nothing behind what was lost
    EXPECT_EQ(buffer.take(), std::string(1000, 'x'));
  }
}

TEST(PrintfBuffer, OfCudaTheOldestIsLost) {
  PrintfBuffer buffer(1000);
  std::string format = "0 ";
  for (char c = 'a'; c <= 'z'; ++c) {
    format[0] = c;
    EXPECT_TRUE(buffer.append(0, 0, format.c_str(), nullptr, 0, nullptr, PrintStyle::Circular));
  }
  const std::string text = buffer.take();
  EXPECT_GT(text.size(), 10u);
  EXPECT_LT(text.size(), 52u);
  EXPECT_TRUE(text.ends_with("w x y z ")) << text;
  const std::vector<std::byte> large(2000);
  EXPECT_FALSE(buffer.append(0, 0, "", large.data(), 2000, nullptr, PrintStyle::Circular));
}

/// Standard output in a file meanwhile; what was written into it.
std::string written(const std::function<void()> &work) {
  std::fflush(stdout);
  std::FILE *const file = std::tmpfile();
  const int before = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  work();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::string text(static_cast<size_t>(lseek(fileno(file), 0, SEEK_END)), 0);
  EXPECT_EQ(pread(fileno(file), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  std::fclose(file);
  return text;
}

TEST(PrintfBuffer, WritesLongTextWhole) {
  PrintfBuffer buffer(1 << 20);
  std::string expected;
  for (int value = 0; value < 500; ++value) {
    Record record = Record().integer(value);
    ASSERT_TRUE(buffer.append(0, 0, "%4000d\n", record.bytes.data(), static_cast<uint32_t>(record.bytes.size())));
    std::string number = std::to_string(value);
    expected += std::string(4000 - number.size(), ' ') + number + "\n";
  }
  EXPECT_EQ(written([&] { buffer.flush(); }), expected);
  EXPECT_TRUE(buffer.empty());
}

// A host thread may hold the lock of stdout and wait for a kernel that prints.
TEST(PrintfBuffer, WritesWhereTheHostHoldsTheLockOfStdout) {
  PrintfBuffer buffer(1 << 20);
  ASSERT_TRUE(buffer.append(0, 0, "text", nullptr, 0));
  EXPECT_EQ(written([&] {
              flockfile(stdout);
              std::thread([&] { buffer.flush(); }).join();
              funlockfile(stdout);
            }),
            "text");
}

} // namespace
} // namespace us::exec
