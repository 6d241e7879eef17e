// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel file says what to launch and what to expect: lines that begin with "//!" in the file itself, or JSON
// (docs/howto/run-one-kernel.md).
#pragma once

#include "emulator/tools/expression.h"
#include "runtime/base/expected.h"
#include "runtime/base/geometry.h"
#include "runtime/device/image.h"
#include "runtime/device/memory.h"

#include <optional>
#include <string>
#include <vector>

namespace us::tools {

enum class Element : uint8_t { Char, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Half, Float, Double };

struct ElementType {
  const char *name;
  Element element;
  uint32_t size;
  bool real;
};
/// Null if there is no such scalar type.
const ElementType *elementType(std::string_view name);
/// Writes a number as that type, as a C cast would; reads one.
void storeElement(const ElementType &type, std::byte *at, Number number);
Number loadElement(const ElementType &type, const std::byte *at);

enum class ArgumentUse : uint8_t { Buffer, Value, Local, Image, Sampler, Pipe, Queue };

/// Bytes that a buffer has before and behind the part of it that is an argument.
inline constexpr uint64_t kBesidePart = 1024;

struct ArgumentDescription {
  ArgumentUse use = ArgumentUse::Buffer;
  const ElementType *type = nullptr;
  uint64_t count = 1;                              ///< elements; Local: of the type too
  ImageDescription image;                          ///< Image: elements are its pixels' channels, row by row
  SamplerDescription sampler;                      ///< Sampler
  uint64_t packets = 0;                            ///< Pipe: it holds the first so many of `count` before the launch
  std::optional<Expression> fill;                  ///< contents before the launch; Value: the value of each component
  std::vector<Expression> values;                  ///< Value: one per component
  std::optional<std::pair<double, double>> random; ///< contents: uniform in [first, second), by the seed
  std::optional<Expression> expect;                ///< contents afterwards
  double tolerance = 0;                            ///< relative (absolute below 1)
  std::string hash;                                ///< xxh64 of the contents afterwards; empty: not asked
  bool dump = false;                               ///< contents into the result
  KernelAccess access;                             ///< Buffer: what it was made for
  bool isPart = false;                             ///< Buffer: there are kBesidePart bytes before and behind it
  bool isUnwritten = false;                        ///< Buffer: nobody writes it before the launch
  uint64_t writtenElements = 0;                    ///< Buffer: but its first so many elements
  bool isHosts = false;                            ///< Buffer: it lies in memory of the host's
};

struct LaunchDescription {
  std::string kernel, options;
  uint32_t dimensions = 1;
  Size3 global{1, 1, 1}, local{0, 0, 0}, offset{0, 0, 0};
  std::vector<ArgumentDescription> arguments;
  Size3 cluster{0, 0, 0};         ///< work-groups; zeros: nothing is said
  bool together = false;          ///< the work-groups may wait for each other
  uint64_t repeat = 1;            ///< launches one after the other
  std::vector<std::string> print; ///< the lines the kernel prints
  bool checksPrint = false;
  std::string buildError, launchError; ///< what the log contains; name of the error code
};

/// From the file's own "//!" lines. InvalidValue names the line.
Expected<LaunchDescription> describeFromSource(std::string_view source);
/// From JSON: an object with the same words as members.
Expected<LaunchDescription> describeFromJson(std::string_view json);

} // namespace us::tools
