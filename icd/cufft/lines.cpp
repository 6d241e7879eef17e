// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/lines.h"

#include <algorithm>

namespace us::cufft {

/// The lines of a dimension: one at each place of the others.
template <class R> struct Transform<R>::Lines {
  struct Axis {
    int64_t size, inStride, outStride;
  };
  size_t length;
  int64_t inStride, outStride;
  std::array<Axis, 3> others; ///< neighbours in memory first
  size_t count = 1;

  std::pair<int64_t, int64_t> start(size_t line) const {
    int64_t in = 0, out = 0;
    for (const Axis &axis : others) {
      const auto place = int64_t(line % size_t(axis.size));
      line /= size_t(axis.size);
      in += place * axis.inStride;
      out += place * axis.outStride;
    }
    return {in, out};
  }
};

namespace {

/// A line may be read and written where it lies when every line has its memory for itself. Else what is read is copied.
template <class In, class Out> bool areApart(const Shape &shape, const Layout &in, const Layout &out) {
  // The same places in bytes, but along the last dimension, where numbers of two sizes follow one another.
  const auto isSame = [](int64_t a, int64_t b) { return a * int64_t(sizeof(In)) == b * int64_t(sizeof(Out)); };
  const unsigned last = shape.rank - 1;
  for (unsigned i = 0; i < last; ++i)
    if (!isSame(in.strides[i], out.strides[i])) return false;
  if (shape.batch > 1 && !isSame(in.distance, out.distance)) return false;
  return sizeof(In) == sizeof(Out) ? in.strides[last] == out.strides[last]
                                   : in.strides[last] == 1 && out.strides[last] == 1;
}

/// One line after the other, each of that many numbers.
Layout packed(const Shape &shape, int64_t lineSize) {
  Layout layout;
  int64_t stride = 1;
  for (unsigned i = shape.rank; i-- > 0;) {
    layout.strides[i] = stride;
    stride *= i + 1 == shape.rank ? lineSize : shape.sizes[i];
  }
  layout.distance = stride;
  return layout;
}

} // namespace

template <class R> Transform<R>::Transform(const Shape &shape) : shape_(shape) {
  for (unsigned i = 0; i < shape.rank; ++i) {
    const auto size = size_t(shape.sizes[i]);
    const bool isReal = i + 1 == shape.rank && shape.kind != Kind::Complex;
    const bool isHalved = isReal && size % 2 == 0;
    const size_t length = isHalved ? size / 2 : size;
    Dimension &dimension = dimensions_[i];
    if (isHalved)
      for (size_t k = 0; k <= length; ++k) dimension.halves.push_back(root<R>(k, size));
    size_t lines = size_t(shape.batch);
    for (unsigned other = 0; other < shape.rank; ++other)
      if (other != i) lines *= size_t(shape.sizes[other]);
    if (Long<R>::isFor(length) && (length >= 4096 || lines < kLanes<R>))
      dimension.isLong = std::make_unique<Long<R>>(length);
    else
      dimension.sideBySide = std::make_unique<SideBySide<R>>(length);
  }
}

template <class R>
typename Transform<R>::Lines Transform<R>::linesOf(unsigned dimension, const Layout &in, const Layout &out) const {
  Lines lines = {size_t(shape_.sizes[dimension]), in.strides[dimension], out.strides[dimension], {}, 1};
  unsigned count = 0;
  for (unsigned i = shape_.rank; i-- > 0;)
    if (i != dimension)
      lines.others[count++] = {i + 1 == shape_.rank ? shape_.complexSize() : shape_.sizes[i], in.strides[i],
                               out.strides[i]};
  lines.others[count++] = {shape_.batch, in.distance, out.distance};
  while (count < 3) lines.others[count++] = {1, 0, 0};
  std::stable_sort(lines.others.begin(), lines.others.end(),
                   [](const auto &a, const auto &b) { return a.size > 1 && (b.size <= 1 || a.inStride < b.inStride); });
  for (const auto &axis : lines.others) lines.count *= size_t(axis.size);
  return lines;
}

template <class R>
void Transform<R>::complexLines(unsigned number, const Lines &lines, const std::complex<R> *in, std::complex<R> *out,
                                bool isInverse) const {
  const Dimension &dimension = dimensions_[number];
  const size_t length = lines.length;
  if (dimension.isLong) {
    return inPieces(lines.count, length * 8, [&](size_t begin, size_t end) {
      const std::unique_ptr<std::complex<R>[]> work(new std::complex<R>[length]);
      for (size_t line = begin; line < end; ++line) {
        const auto [from, into] = lines.start(line);
        for (size_t i = 0; i < length; ++i) {
          const std::complex<R> value = in[from + int64_t(i) * lines.inStride];
          work[i] = isInverse ? std::complex<R>(value.imag(), value.real()) : value;
        }
        dimension.isLong->run(work.get());
        for (size_t i = 0; i < length; ++i)
          out[into + int64_t(i) * lines.outStride] =
              isInverse ? std::complex<R>(work[i].imag(), work[i].real()) : work[i];
      }
    });
  }
  constexpr size_t lanes = kLanes<R>;
  inPieces((lines.count + lanes - 1) / lanes, lanes * length * 8, [&](size_t begin, size_t end) {
    const auto work = makeNumbers<R>(length + dimension.sideBySide->scratch());
    for (size_t first = begin * lanes; first < std::min(end * lanes, lines.count); first += lanes) {
      const size_t used = std::min(lanes, lines.count - first);
      int64_t from[lanes], into[lanes];
      for (size_t lane = 0; lane < lanes; ++lane)
        std::tie(from[lane], into[lane]) = lines.start(first + std::min(lane, used - 1));
      for (size_t i = 0; i < length; ++i)
        for (size_t lane = 0; lane < lanes; ++lane) {
          const std::complex<R> value = in[from[lane] + int64_t(i) * lines.inStride];
          work[i].re[lane] = isInverse ? value.imag() : value.real();
          work[i].im[lane] = isInverse ? value.real() : value.imag();
        }
      dimension.sideBySide->run(work.get(), work.get() + length);
      for (size_t i = 0; i < length; ++i)
        for (size_t lane = 0; lane < used; ++lane) {
          const R re = work[i].re[lane], im = work[i].im[lane];
          out[into[lane] + int64_t(i) * lines.outStride] =
              isInverse ? std::complex<R>(im, re) : std::complex<R>(re, im);
        }
    }
  });
}

namespace {

/// Halves: z = FFT(x[2j] + i x[2j + 1]) has the transforms of the even and of the odd numbers as its even and its odd
/// part, e and o; number k of the whole is e + root o. In: z[k] and z[h - k].
template <class V, class R>
void joinHalves(V re, V im, V otherRe, V otherIm, std::complex<R> root, V &outRe, V &outIm) {
  const V evenRe = (re + otherRe) * R(0.5), evenIm = (im - otherIm) * R(0.5);
  const V oddRe = (im + otherIm) * R(0.5), oddIm = (otherRe - re) * R(0.5);
  outRe = evenRe + (oddRe * root.real() - oddIm * root.imag());
  outIm = evenIm + (oddRe * root.imag() + oddIm * root.real());
}

/// The way back, twice as large: e + i o from x[k] and x[h - k].
template <class V, class R>
void splitHalves(V re, V im, V otherRe, V otherIm, std::complex<R> root, V &outRe, V &outIm) {
  const V evenRe = re + otherRe, evenIm = im - otherIm;
  const V differenceRe = re - otherRe, differenceIm = im + otherIm;
  const V oddRe = differenceRe * root.real() + differenceIm * root.imag(); // times the root's conjugate
  const V oddIm = differenceIm * root.real() - differenceRe * root.imag();
  outRe = evenRe - oddIm;
  outIm = evenIm + oddRe;
}

} // namespace

template <class R> void Transform<R>::toComplex(const Lines &lines, const R *in, std::complex<R> *out) const {
  const Dimension &dimension = dimensions_[shape_.rank - 1];
  const size_t length = lines.length, kept = length / 2 + 1, half = length / 2;
  const bool isHalved = !dimension.halves.empty();
  if (dimension.isLong) {
    return inPieces(lines.count, length * 4, [&](size_t begin, size_t end) {
      const std::unique_ptr<std::complex<R>[]> work(new std::complex<R>[length]);
      for (size_t line = begin; line < end; ++line) {
        const auto [from, into] = lines.start(line);
        const auto at = [&, from = from](size_t i) { return in[from + int64_t(i) * lines.inStride]; };
        for (size_t i = 0; i < (isHalved ? half : length); ++i)
          work[i] = isHalved ? std::complex<R>(at(2 * i), at(2 * i + 1)) : std::complex<R>(at(i));
        dimension.isLong->run(work.get());
        for (size_t k = 0; k < kept; ++k) {
          std::complex<R> value = work[isHalved ? k % half : k];
          if (isHalved) {
            const std::complex<R> other = work[(half - k) % half];
            R re, im;
            joinHalves(value.real(), value.imag(), other.real(), other.imag(), dimension.halves[k], re, im);
            value = {re, im};
          }
          out[into + int64_t(k) * lines.outStride] = value;
        }
      }
    });
  }
  constexpr size_t lanes = kLanes<R>;
  inPieces((lines.count + lanes - 1) / lanes, lanes * length * 4, [&](size_t begin, size_t end) {
    const auto work = makeNumbers<R>(length + dimension.sideBySide->scratch());
    for (size_t first = begin * lanes; first < std::min(end * lanes, lines.count); first += lanes) {
      const size_t used = std::min(lanes, lines.count - first);
      int64_t from[lanes], into[lanes];
      for (size_t lane = 0; lane < lanes; ++lane)
        std::tie(from[lane], into[lane]) = lines.start(first + std::min(lane, used - 1));
      for (size_t i = 0; i < (isHalved ? half : length); ++i)
        for (size_t lane = 0; lane < lanes; ++lane) {
          const R *const number = in + from[lane] + int64_t(isHalved ? 2 * i : i) * lines.inStride;
          work[i].re[lane] = *number;
          work[i].im[lane] = isHalved ? number[lines.inStride] : R(0);
        }
      dimension.sideBySide->run(work.get(), work.get() + dimension.sideBySide->length());
      for (size_t k = 0; k < kept; ++k) {
        Complex<R> value = work[isHalved ? k % half : k];
        if (isHalved) {
          const Complex<R> &other = work[(half - k) % half];
          joinHalves(value.re, value.im, other.re, other.im, dimension.halves[k], value.re, value.im);
        }
        for (size_t lane = 0; lane < used; ++lane)
          out[into[lane] + int64_t(k) * lines.outStride] = {value.re[lane], value.im[lane]};
      }
    }
  });
}

template <class R> void Transform<R>::toReal(const Lines &lines, const std::complex<R> *in, R *out) const {
  const Dimension &dimension = dimensions_[shape_.rank - 1];
  const size_t length = lines.length, half = length / 2;
  const bool isHalved = !dimension.halves.empty();
  // Number k of the whole line: the upper half is the lower one's conjugate, and what has no partner is real.
  const auto at = [&](int64_t from, size_t k) {
    const std::complex<R> value = in[from + int64_t(k <= half ? k : length - k) * lines.inStride];
    if (k == 0 || 2 * k == length) return std::complex<R>(value.real());
    return k <= half ? value : std::conj(value);
  };
  // Numbers for a forward transform whose result has its parts exchanged.
  if (dimension.isLong) {
    return inPieces(lines.count, length * 4, [&](size_t begin, size_t end) {
      const std::unique_ptr<std::complex<R>[]> work(new std::complex<R>[length]);
      for (size_t line = begin; line < end; ++line) {
        const auto [from, into] = lines.start(line);
        for (size_t k = 0; k < (isHalved ? half : length); ++k) {
          const std::complex<R> value = at(from, k);
          R re = value.real(), im = value.imag();
          if (isHalved) {
            const std::complex<R> other = at(from, half - k);
            splitHalves(value.real(), value.imag(), other.real(), other.imag(), dimension.halves[k], re, im);
          }
          work[k] = {im, re};
        }
        dimension.isLong->run(work.get());
        R *const line0 = out + into;
        for (size_t i = 0; i < (isHalved ? half : length); ++i) {
          line0[int64_t(isHalved ? 2 * i : i) * lines.outStride] = work[i].imag();
          if (isHalved) line0[int64_t(2 * i + 1) * lines.outStride] = work[i].real();
        }
      }
    });
  }
  constexpr size_t lanes = kLanes<R>;
  inPieces((lines.count + lanes - 1) / lanes, lanes * length * 4, [&](size_t begin, size_t end) {
    const auto work = makeNumbers<R>(length + dimension.sideBySide->scratch());
    for (size_t first = begin * lanes; first < std::min(end * lanes, lines.count); first += lanes) {
      const size_t used = std::min(lanes, lines.count - first);
      int64_t from[lanes], into[lanes];
      for (size_t lane = 0; lane < lanes; ++lane)
        std::tie(from[lane], into[lane]) = lines.start(first + std::min(lane, used - 1));
      for (size_t k = 0; k < (isHalved ? half : length); ++k) {
        Complex<R> value, other;
        for (size_t lane = 0; lane < lanes; ++lane) {
          const std::complex<R> here = at(from[lane], k);
          value.re[lane] = here.real();
          value.im[lane] = here.imag();
        }
        if (isHalved) {
          for (size_t lane = 0; lane < lanes; ++lane) {
            const std::complex<R> there = at(from[lane], half - k);
            other.re[lane] = there.real();
            other.im[lane] = there.imag();
          }
          splitHalves(value.re, value.im, other.re, other.im, dimension.halves[k], value.re, value.im);
        }
        work[k] = {value.im, value.re};
      }
      dimension.sideBySide->run(work.get(), work.get() + dimension.sideBySide->length());
      for (size_t i = 0; i < (isHalved ? half : length); ++i)
        for (size_t lane = 0; lane < used; ++lane) {
          R *const number = out + into[lane] + int64_t(isHalved ? 2 * i : i) * lines.outStride;
          *number = work[i].im[lane];
          if (isHalved) number[lines.outStride] = work[i].re[lane];
        }
    }
  });
}

template <class R>
void Transform<R>::run(const void *in, const Layout &inLayout, void *out, const Layout &outLayout,
                       bool isInverse) const {
  using Number = std::complex<R>;
  const unsigned last = shape_.rank - 1;
  const bool isSafe =
      in != out || (shape_.kind == Kind::Complex         ? areApart<Number, Number>
                    : shape_.kind == Kind::RealToComplex ? areApart<R, Number>
                                                         : areApart<Number, R>)(shape_, inLayout, outLayout);
  const auto after = [&](const auto *from, const Layout &fromLayout) {
    using From = std::remove_const_t<std::remove_pointer_t<decltype(from)>>;
    auto *const into = static_cast<Number *>(out);
    if constexpr (std::is_same_v<From, R>) {
      toComplex(linesOf(last, fromLayout, outLayout), from, into);
    } else if (shape_.kind == Kind::Complex) {
      complexLines(last, linesOf(last, fromLayout, outLayout), from, into, isInverse);
    } else {
      if (shape_.rank == 1) return toReal(linesOf(last, fromLayout, outLayout), from, static_cast<R *>(out));
      // "An out-of-place transform preserves its input": what comes before the last dimension is done elsewhere.
      const Layout between = packed(shape_, shape_.complexSize());
      const std::unique_ptr<Number[]> work(new Number[size_t(between.distance * shape_.batch)]);
      complexLines(last - 1, linesOf(last - 1, fromLayout, between), from, work.get(), true);
      if (shape_.rank == 3) complexLines(0, linesOf(0, between, between), work.get(), work.get(), true);
      return toReal(linesOf(last, between, outLayout), work.get(), static_cast<R *>(out));
    }
    for (unsigned i = last; i-- > 0;) complexLines(i, linesOf(i, outLayout, outLayout), into, into, isInverse);
  };
  const auto runOf = [&](const auto *from) {
    if (isSafe) return after(from, inLayout);
    using From = std::remove_const_t<std::remove_pointer_t<decltype(from)>>;
    const Layout copied = packed(shape_, std::is_same_v<From, R> ? shape_.sizes[last] : shape_.complexSize());
    const std::unique_ptr<From[]> copy(new From[size_t(copied.distance * shape_.batch)]);
    const Lines lines = linesOf(last, inLayout, copied);
    for (size_t line = 0; line < lines.count; ++line) {
      const auto [start, into] = lines.start(line);
      const int64_t length = std::is_same_v<From, R> ? shape_.sizes[last] : shape_.complexSize();
      for (int64_t i = 0; i < length; ++i) copy[size_t(into + i)] = from[start + i * lines.inStride];
    }
    after(static_cast<const From *>(copy.get()), copied);
  };
  if (shape_.kind == Kind::RealToComplex)
    runOf(static_cast<const R *>(in));
  else
    runOf(static_cast<const Number *>(in));
}

template class Transform<float>;
template class Transform<double>;

} // namespace us::cufft
