// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries as tables: a row says how one fact is written; sizes, null pointers and size_ret are handled here, once.
#pragma once

#include "icd/common/format.h"
#include "runtime/base/expected.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <span>
#include <string>
#include <string_view>

namespace us::icd {

/// Where a query's answer goes: the caller's (param_value_size, param_value, param_value_size_ret).
class InfoWriter {
public:
  InfoWriter(size_t size, void *value, size_t *sizeReturned)
      : size_(size), value_(value), sizeReturned_(sizeReturned) {}

  Expected<void> putBytes(const void *bytes, size_t size) {
    // "CL_INVALID_VALUE ... if size in bytes specified by param_value_size is < size of return type and param_value is
    // not a NULL value."
    if (value_ && size_ < size)
      return fail(ErrorCode::InvalidValue, format("the answer has {} bytes, room was given for {}", size, size_));
    if (value_ && size) std::memcpy(value_, bytes, size);
    if (sizeReturned_) *sizeReturned_ = size;
    return {};
  }
  template <class T> Expected<void> put(T value) { return putBytes(&value, sizeof value); }
  /// With its terminating zero.
  Expected<void> putString(const std::string &text) { return putBytes(text.c_str(), text.size() + 1); }
  template <class T> Expected<void> putArray(std::span<const T> values) {
    return putBytes(values.data(), values.size_bytes());
  }
  Expected<void> putNothing() { return putBytes(nullptr, 0); }

  /// For answers that are more than bytes (CL_PROGRAM_BINARIES): the caller's memory, or null; and its size.
  void *value() const { return value_; }
  size_t size() const { return size_; }
  void returnSize(size_t size) {
    if (sizeReturned_) *sizeReturned_ = size;
  }

private:
  size_t size_;
  void *value_;
  size_t *sizeReturned_;
};

template <class Subject> struct InfoRow {
  uint32_t name;
  Expected<void> (*write)(Subject &subject, InfoWriter &writer);
};

/// The rows of a large table whose names begin with 0x10, as most of a device's do: found without a search.
template <class Subject, size_t N> class InfoPage {
public:
  consteval explicit InfoPage(const InfoRow<Subject> (&rows)[N]) : rows_(rows) {
    static_assert(N < 255);
    for (size_t i = 0; i < N; ++i)
      if (rows[i].name >> 8 == 0x10 && !places_[rows[i].name & 0xff])
        places_[rows[i].name & 0xff] = static_cast<uint8_t>(i + 1);
  }
  /// Null: not there.
  const InfoRow<Subject> *find(uint32_t name) const {
    const size_t place = name >> 8 == 0x10 ? places_[name & 0xff] : 0;
    return place ? &rows_[place - 1] : nullptr;
  }

private:
  const InfoRow<Subject> (&rows_)[N];
  uint8_t places_[256] = {};
};

/// Answers one query from a table.
template <class Subject, size_t N>
Expected<void> answer(const InfoRow<std::type_identity_t<Subject>> (&rows)[N], Subject &subject, uint32_t name,
                      size_t size, void *value, size_t *sizeReturned) {
  InfoWriter writer(size, value, sizeReturned);
  for (const auto &row : rows)
    if (row.name == name) return row.write(subject, writer);
  // "CL_INVALID_VALUE if param_name is not one of the supported values"
  return fail(ErrorCode::InvalidValue, format("there is no query {:#x} here", name));
}

} // namespace us::icd
