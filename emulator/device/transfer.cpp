// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/transfer.h"

#include "emulator/exec/scheduler.h"

#include <algorithm>
#include <bit>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace us::emulator {
namespace {

/// Below this, another core's help costs more than it brings.
constexpr uint64_t kShareFrom = 4 << 20;
/// What one turn of a thread moves.
constexpr uint64_t kPiece = 1 << 20;
/// From here on the target will not be in a cache when it is read next: stores go around the caches, which saves
/// reading the lines first.
constexpr uint64_t kStreamFrom = 16 << 20;

/// [0, total) of something, piece by piece, on several threads.
template <class Function> class PieceJob final : public exec::Job {
public:
  PieceJob(uint64_t total, uint64_t piece, Function function) : total_(total), piece_(piece), function_(function) {}
  void work(exec::TicketSource &tickets) override {
    for (exec::GroupRange range; tickets.next(range);)
      function_(range.first * piece_, std::min(range.last * piece_, total_));
  }
  uint64_t pieces() const { return (total_ + piece_ - 1) / piece_; }

private:
  uint64_t total_, piece_;
  Function function_;
};

/// Who may take a part.
struct Helpers {
  exec::Scheduler &scheduler;
  unsigned maxThreads;
};

/// Calls function(begin, end) for parts of [0, total), `unit` bytes each element.
template <class Function> void share(const Helpers &helpers, uint64_t total, uint64_t unit, Function function) {
  if (total * unit < kShareFrom || helpers.maxThreads == 1) return function(0, total);
  PieceJob job(total, std::max<uint64_t>(kPiece / unit, 1), function);
  // About 10 GB/s: a fixed figure, since it varies little and first launches need it too.
  exec::CostEstimate cost{100};
  helpers.scheduler.run(
      job, {.groups = job.pieces(), .itemsPerGroup = kPiece, .cost = &cost, .maxThreads = helpers.maxThreads});
}

void copyBytes(std::byte *to, const std::byte *from, uint64_t size, bool stream) {
#if defined(__SSE2__)
  if (stream) {
    uint64_t head = std::min<uint64_t>(-reinterpret_cast<uintptr_t>(to) & 63, size);
    std::memcpy(to, from, head);
    to += head, from += head, size -= head;
    auto *target = reinterpret_cast<__m128i *>(to);
    auto *source = reinterpret_cast<const __m128i *>(from);
    for (uint64_t line = 0; line < size / 64; ++line, target += 4, source += 4) {
      __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1), c = _mm_loadu_si128(source + 2),
              d = _mm_loadu_si128(source + 3);
      _mm_stream_si128(target, a);
      _mm_stream_si128(target + 1, b);
      _mm_stream_si128(target + 2, c);
      _mm_stream_si128(target + 3, d);
    }
    _mm_sfence();
    to += size / 64 * 64, from += size / 64 * 64, size %= 64;
  }
#endif
  std::memcpy(to, from, size);
}

/// Fills [to, to + size) with a 128-byte block; `to` begins a block.
void fillBlocks(std::byte *to, const std::byte *block, uint64_t size, bool stream) {
#if defined(__SSE2__)
  if (stream && reinterpret_cast<uintptr_t>(to) % 16 == 0) {
    __m128i parts[8];
    std::memcpy(parts, block, 128);
    auto *target = reinterpret_cast<__m128i *>(to);
    for (uint64_t at = 0; at < size / 128; ++at, target += 8)
      for (int i = 0; i < 8; ++i) _mm_stream_si128(target + i, parts[i]);
    _mm_sfence();
    to += size / 128 * 128, size %= 128;
  }
#endif
  for (; size >= 128; to += 128, size -= 128) std::memcpy(to, block, 128);
  std::memcpy(to, block, size);
}

/// One row of a box; a pixel's pattern is short, so the row itself serves as the source of what follows.
void fillRow(std::byte *to, const FillCommand &fill) {
  uint64_t filled = std::min<uint64_t>(fill.patternSize, fill.size);
  std::memcpy(to, fill.pattern.data(), filled);
  for (; filled < fill.size; filled *= 2) std::memcpy(to + filled, to, std::min(filled, fill.size - filled));
}

} // namespace

void runCopy(const CopyCommand &copy, exec::Scheduler &scheduler, unsigned maxThreads) {
  const Helpers helpers{scheduler, maxThreads};
  Size3 region = copy.region;
  if (spanOf(copy.toLayout, region) == 0) return;
  // Rows that lie together are one row; then slices that lie together are.
  auto together = [&](uint64_t toPitch, uint64_t fromPitch) { return toPitch == region[0] && fromPitch == region[0]; };
  if (region[1] > 1 && together(copy.toLayout.rowPitch, copy.fromLayout.rowPitch))
    region = {region[0] * region[1], 1, region[2]};
  if (region[1] == 1 && region[2] > 1 && together(copy.toLayout.slicePitch, copy.fromLayout.slicePitch))
    region = {region[0] * region[2], 1, 1};
  std::byte *to = copy.to + copy.toLayout.offset;
  const std::byte *from = copy.from + copy.fromLayout.offset;
  if (region[1] == 1 && region[2] == 1) {
    bool stream = region[0] >= kStreamFrom;
    return share(helpers, region[0], 1,
                 [=](uint64_t begin, uint64_t end) { copyBytes(to + begin, from + begin, end - begin, stream); });
  }
  if (region[0] * region[1] * region[2] < kShareFrom)
    return copyPitched(copy.to, copy.toLayout, copy.from, copy.fromLayout, region);
  share(helpers, region[1] * region[2], region[0], [&](uint64_t begin, uint64_t end) {
    for (uint64_t row = begin; row < end; ++row) {
      uint64_t y = row % region[1], z = row / region[1];
      std::memcpy(to + z * copy.toLayout.slicePitch + y * copy.toLayout.rowPitch,
                  from + z * copy.fromLayout.slicePitch + y * copy.fromLayout.rowPitch, region[0]);
    }
  });
}

void runFill(const FillCommand &command, exec::Scheduler &scheduler, unsigned maxThreads) {
  const Helpers helpers{scheduler, maxThreads};
  FillCommand fill = command;
  const std::byte *pattern = fill.pattern.data();
  if (fill.rows > 1 && fill.rowPitch == fill.size) fill.size *= fill.rows, fill.rows = 1;
  if (fill.rows == 1 && fill.slices > 1 && fill.slicePitch == fill.size) fill.size *= fill.slices, fill.slices = 1;
  if (fill.size == 0) return;
  if (fill.rows > 1 || fill.slices > 1) {
    share(helpers, fill.rows * fill.slices, fill.size, [&](uint64_t begin, uint64_t end) {
      for (uint64_t row = begin; row < end; ++row)
        fillRow(fill.to + row / fill.rows * fill.slicePitch + row % fill.rows * fill.rowPitch, fill);
    });
    return;
  }
  if (!std::has_single_bit(fill.patternSize)) {
    for (uint64_t at = 0; at < fill.size; at += fill.patternSize)
      std::memcpy(fill.to + at, pattern, std::min<uint64_t>(fill.patternSize, fill.size - at));
    return;
  }
  std::byte block[128];
  for (uint32_t at = 0; at < sizeof(block); at += fill.patternSize) std::memcpy(block + at, pattern, fill.patternSize);
  bool stream = fill.size >= kStreamFrom;
  // Pieces begin at multiples of 1 MiB from the start, so each begins a block.
  share(helpers, fill.size, 1,
        [&](uint64_t begin, uint64_t end) { fillBlocks(fill.to + begin, block, end - begin, stream); });
}

} // namespace us::emulator
