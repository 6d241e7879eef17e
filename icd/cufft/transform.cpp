// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/transform.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#if defined(US_CUFFT_TBB)
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#endif

namespace us::cufft {
namespace {

template <class R> RunPass<R> fastestPass() {
  if constexpr (sizeof(R) == sizeof(float))
    return runPassOfFloats();
  else
    return runPassOfDoubles();
}

/// Its factors, the radixes of passes; none if one is too large.
std::vector<size_t> factorsOf(size_t length) {
  std::vector<size_t> factors;
  const auto divide = [&](size_t by) {
    for (; length % by == 0; length /= by) factors.push_back(by);
  };
  if (std::countr_zero(length) % 2 == 1 && length % 8 == 0) { // fours, and one eight instead of a two
    factors.push_back(8);
    length /= 8;
  }
  for (size_t radix : {4, 2, 3, 5, 7}) divide(radix);
  for (size_t radix = 11; radix <= kLargestRadix; radix += 2) divide(radix);
  if (length != 1) factors.clear();
  return factors;
}

bool hasPasses(size_t length) { return length == 1 || !factorsOf(length).empty(); }

/// The next length that is a product of 2, 3 and 5.
size_t easyLength(size_t atLeast) {
  size_t best = std::bit_ceil(atLeast);
  for (size_t fives = 1; fives < best; fives *= 5)
    for (size_t threes = fives; threes < best; threes *= 3) {
      size_t length = threes;
      while (length < atLeast) length *= 2;
      best = std::min(best, length);
    }
  return best;
}

/// exp(-pi i k^2 / n)
template <class R> std::vector<std::complex<R>> chirpOf(size_t length) {
  std::vector<std::complex<R>> chirp;
  uint64_t square = 0; // modulo 2 n
  for (size_t k = 0; k < length; ++k) {
    chirp.push_back(root<R>(square, 2 * length));
    square = (square + 2 * k + 1) % (2 * length);
  }
  return chirp;
}

/// What the convolution is with: the chirp's conjugate to both sides.
template <class R> std::complex<R> filterAt(const std::vector<std::complex<R>> &chirp, size_t k, size_t longer) {
  const size_t distance = std::min(k, longer - k);
  return distance < chirp.size() ? std::conj(chirp[distance]) : std::complex<R>();
}

/// The two factors that are closest; 1 and the length if those are far apart.
std::pair<size_t, size_t> splitOf(size_t length) {
  size_t best = 1;
  for (size_t factor = 2; factor * factor <= length; ++factor)
    if (length % factor == 0) best = factor;
  return best * best * 64 >= length ? std::pair(best, length / best) : std::pair(size_t{1}, length);
}

} // namespace

template <class R> std::complex<R> root(uint64_t numerator, uint64_t denominator) {
  using Wide = std::conditional_t<sizeof(R) == sizeof(float), double, long double>;
  const Wide angle = 2 * std::numbers::pi_v<Wide> * Wide(numerator % denominator) / Wide(denominator);
  return {R(std::cos(angle)), R(-std::sin(angle))};
}

void inPieces(size_t count, size_t workEach, const std::function<void(size_t, size_t)> &body) {
  constexpr size_t worthAThread = 1 << 15;
  if (count * workEach < 2 * worthAThread) return body(0, count);
  const size_t grain = std::max<size_t>(1, worthAThread / std::max<size_t>(workEach, 1));
#if defined(US_CUFFT_TBB)
  tbb::parallel_for(tbb::blocked_range<size_t>(0, count, grain),
                    [&](const tbb::blocked_range<size_t> &range) { body(range.begin(), range.end()); });
#else // where nothing may be linked: the wheel
  for (size_t begin = 0; begin < count; begin += grain) body(begin, std::min(begin + grain, count));
#endif
}

template <class R> SideBySide<R>::SideBySide(size_t length) : length_(length), runPass_(fastestPass<R>()) {
  if (!hasPasses(length)) {
    longer_ = std::make_unique<SideBySide>(easyLength(2 * length - 1));
    const size_t size = longer_->length();
    chirp_ = chirpOf<R>(length);
    const auto numbers = makeNumbers<R>(size + longer_->scratch());
    for (size_t k = 0; k < size; ++k) {
      const std::complex<R> value = filterAt(chirp_, k, size);
      numbers[k] = {Vector<R>{} + value.real(), Vector<R>{} + value.imag()};
    }
    longer_->run(numbers.get(), numbers.get() + size);
    for (size_t k = 0; k < size; ++k) filter_.emplace_back(numbers[k].re[0] / R(size), numbers[k].im[0] / R(size));
    return;
  }
  size_t rest = length;
  for (const size_t radix : factorsOf(length)) {
    const size_t whole = rest;
    rest /= radix;
    std::vector<R> twiddles, roots;
    for (size_t p = 0; p < rest; ++p)
      for (size_t k = 1; k < radix; ++k) {
        const std::complex<R> twiddle = root<R>(p * k, whole);
        twiddles.push_back(twiddle.real());
        twiddles.push_back(twiddle.imag());
      }
    for (size_t k = 0; k < radix; ++k) roots.push_back(root<R>(k, radix).real());
    for (size_t k = 0; k < radix; ++k) roots.push_back(-root<R>(k, radix).imag());
    passes_.push_back({radix, rest, twiddles.data(), roots.data()}); // a vector's memory moves with it
    tables_.push_back(std::move(twiddles));
    tables_.push_back(std::move(roots));
  }
}

template <class R> size_t SideBySide<R>::scratch() const {
  return longer_ ? longer_->length() + longer_->scratch() : length_;
}

template <class R> void SideBySide<R>::run(Complex<R> *numbers, Complex<R> *scratch) const {
  longer_ ? runChirped(numbers, scratch) : runPasses(numbers, scratch);
}

template <class R> void SideBySide<R>::runPasses(Complex<R> *numbers, Complex<R> *scratch) const {
  Complex<R> *from = numbers, *into = scratch;
  size_t stride = 1;
  for (const Pass<R> &pass : passes_) {
    runPass_(pass, stride, from, into);
    stride *= pass.radix;
    std::swap(from, into);
  }
  if (from != numbers) std::copy_n(from, length_, numbers);
}

template <class R> void SideBySide<R>::runChirped(Complex<R> *numbers, Complex<R> *scratch) const {
  const auto times = [](const Complex<R> &a, std::complex<R> b) {
    return Complex<R>{a.re * b.real() - a.im * b.imag(), a.re * b.imag() + a.im * b.real()};
  };
  const size_t size = longer_->length();
  Complex<R> *const work = scratch;
  for (size_t k = 0; k < length_; ++k) work[k] = times(numbers[k], chirp_[k]);
  std::fill(work + length_, work + size, Complex<R>{});
  longer_->run(work, scratch + size);
  for (size_t k = 0; k < size; ++k) {
    const Complex<R> product = times(work[k], filter_[k]);
    work[k] = {product.im, product.re}; // for the inverse
  }
  longer_->run(work, scratch + size);
  for (size_t k = 0; k < length_; ++k) numbers[k] = times(Complex<R>{work[k].im, work[k].re}, chirp_[k]);
}

template <class R> bool Long<R>::isFor(size_t length) {
  return length >= 4096 || (length >= 256 && splitOf(length).first > 1);
}

template <class R> Long<R>::Long(size_t length) : length_(length) {
  const auto [rows, columns] = splitOf(length);
  if (rows == 1 && length >= 4096) { // no factors that are close to each other
    longer_ = std::make_unique<Long>(std::bit_ceil(2 * length - 1));
    chirp_ = chirpOf<R>(length);
    for (size_t k = 0; k < longer_->length_; ++k) filter_.push_back(filterAt(chirp_, k, longer_->length_));
    longer_->run(filter_.data());
    for (std::complex<R> &value : filter_) value /= R(longer_->length_);
    return;
  }
  columns_ = std::make_unique<SideBySide<R>>(rows); // a column has as many numbers as there are rows
  rows_ = std::make_unique<SideBySide<R>>(columns);
  lowBits_ = unsigned(std::bit_width(length)) / 2;
  for (uint64_t k = 0; k < uint64_t{1} << lowBits_; ++k) low_.push_back(root<double>(k, length));
  for (uint64_t k = 0; k <= length >> lowBits_; ++k) high_.push_back(root<double>(k << lowBits_, length));
}

template <class R> void Long<R>::run(std::complex<R> *numbers) const {
  longer_ ? runChirped(numbers) : runRowsAndColumns(numbers);
}

template <class R> void Long<R>::runRowsAndColumns(std::complex<R> *numbers) const {
  constexpr size_t lanes = kLanes<R>;
  const size_t rows = columns_->length(), columns = rows_->length();
  const std::unique_ptr<std::complex<R>[]> between(new std::complex<R>[length_]);

  inPieces((columns + lanes - 1) / lanes, lanes * rows * 8, [&](size_t begin, size_t end) {
    const auto work = makeNumbers<R>(rows + columns_->scratch());
    for (size_t first = begin * lanes; first < std::min(end * lanes, columns); first += lanes) {
      const size_t used = std::min(lanes, columns - first);
      for (size_t row = 0; row < rows; ++row) {
        Complex<R> &number = work[row];
        for (size_t lane = 0; lane < lanes; ++lane) {
          const std::complex<R> value = numbers[row * columns + first + std::min(lane, used - 1)];
          number.re[lane] = value.real();
          number.im[lane] = value.imag();
        }
      }
      columns_->run(work.get(), work.get() + rows);
      for (size_t row = 0; row < rows; ++row)
        for (size_t lane = 0; lane < used; ++lane) {
          const size_t angle = row * (first + lane);
          const std::complex<double> a = low_[angle & ((size_t{1} << lowBits_) - 1)], b = high_[angle >> lowBits_];
          const R re = R(a.real() * b.real() - a.imag() * b.imag()), im = R(a.real() * b.imag() + a.imag() * b.real());
          const R x = work[row].re[lane], y = work[row].im[lane];
          between[row * columns + first + lane] = {x * re - y * im, x * im + y * re};
        }
    }
  });
  inPieces((rows + lanes - 1) / lanes, lanes * columns * 8, [&](size_t begin, size_t end) {
    const auto work = makeNumbers<R>(columns + rows_->scratch());
    for (size_t first = begin * lanes; first < std::min(end * lanes, rows); first += lanes) {
      const size_t used = std::min(lanes, rows - first);
      for (size_t column = 0; column < columns; ++column)
        for (size_t lane = 0; lane < lanes; ++lane) {
          const std::complex<R> value = between[(first + std::min(lane, used - 1)) * columns + column];
          work[column].re[lane] = value.real();
          work[column].im[lane] = value.imag();
        }
      rows_->run(work.get(), work.get() + columns);
      for (size_t column = 0; column < columns; ++column)
        for (size_t lane = 0; lane < used; ++lane)
          numbers[first + lane + rows * column] = {work[column].re[lane], work[column].im[lane]};
    }
  });
}

template <class R> void Long<R>::runChirped(std::complex<R> *numbers) const {
  const auto times = [](std::complex<R> a, std::complex<R> b) {
    return std::complex<R>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  };
  const size_t size = longer_->length_;
  std::vector<std::complex<R>> work(size);
  for (size_t k = 0; k < length_; ++k) work[k] = times(numbers[k], chirp_[k]);
  longer_->run(work.data());
  for (size_t k = 0; k < size; ++k) {
    const std::complex<R> product = times(work[k], filter_[k]);
    work[k] = {product.imag(), product.real()}; // for the inverse
  }
  longer_->run(work.data());
  for (size_t k = 0; k < length_; ++k) numbers[k] = times({work[k].imag(), work[k].real()}, chirp_[k]);
}

template std::complex<float> root(uint64_t, uint64_t);
template std::complex<double> root(uint64_t, uint64_t);
template class SideBySide<float>;
template class SideBySide<double>;
template class Long<float>;
template class Long<double>;

} // namespace us::cufft
