// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// InlineVector: a vector that holds its first elements itself, for what is made on one thread and let go on another a
// million times a second: memory that crosses threads is where an allocator is slow.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace us {

template <class T, size_t Inline> class InlineVector {
public:
  InlineVector() = default;
  InlineVector(const InlineVector &) = default;
  InlineVector(InlineVector &&other) noexcept { *this = std::move(other); }
  InlineVector &operator=(const InlineVector &) = default;
  InlineVector &operator=(InlineVector &&other) noexcept {
    if (this == &other) return *this;
    clear();
    if (other.size_ == 0) return *this;
    if (other.size_ <= Inline)
      std::move(other.few_.begin(), other.few_.begin() + other.size_, few_.begin());
    else
      many_ = std::move(other.many_);
    size_ = other.size_;
    other.clear();
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() { return size_ <= Inline ? few_.data() : many_.data(); }
  const T *data() const { return size_ <= Inline ? few_.data() : many_.data(); }
  T *begin() { return data(); }
  T *end() { return data() + size_; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size_; }
  T &operator[](size_t index) { return data()[index]; }
  const T &operator[](size_t index) const { return data()[index]; }

  void push_back(T value) {
    if (size_ < Inline) {
      few_[size_++] = std::move(value);
      return;
    }
    if (size_ == Inline) many_.assign(std::make_move_iterator(few_.begin()), std::make_move_iterator(few_.end()));
    many_.push_back(std::move(value));
    ++size_;
  }
  /// New elements are T().
  void resize(size_t size) {
    if (size > Inline) {
      if (size_ <= Inline)
        many_.assign(std::make_move_iterator(few_.begin()), std::make_move_iterator(few_.begin() + size_));
      many_.resize(size);
      size_ = size;
      return;
    }
    if (size_ > Inline) {
      std::move(many_.begin(), many_.begin() + size, few_.begin());
      many_.clear();
      size_ = size;
      return;
    }
    for (size_t i = size; i < size_; ++i) few_[i] = T();
    for (size_t i = size_; i < size; ++i) few_[i] = T();
    size_ = size;
  }
  void clear() {
    for (size_t i = 0; i < size_ && i < Inline; ++i) few_[i] = T();
    if (size_ > Inline) many_ = {};
    size_ = 0;
  }

private:
  size_t size_ = 0;
  std::array<T, Inline> few_; ///< all elements, if they fit
  std::vector<T> many_;       ///< all elements, if they do not
};

} // namespace us
