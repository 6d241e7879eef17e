// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch prints: records in the order of (work-group, work-item, sequence), written to standard output at its
// end, so that the text does not depend on which thread ran what.
#pragma once

#include "emulator/abi/kernel_abi.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace us::exec {

class KernelGuard;

enum class PrintStyle {
  Bounded,  ///< what does not fit, as records or as text, is lost with all behind it, and the kernel is told
  Circular, ///< what does not fit takes the place of the oldest; the format may be gone later
};

class PrintfBuffer {
public:
  explicit PrintfBuffer(uint64_t limit) : limit_(limit) {}
  /// Keeps one record; strings and the format are copied, everything else is taken as it is. False: it does not fit.
  /// Called from kernels: reading a string may fault, after that `guard` keeps the call from being left.
  bool append(uint64_t group, uint64_t item, const char *format, const std::byte *record, uint32_t size,
              KernelGuard *guard = nullptr, PrintStyle style = PrintStyle::Bounded);
  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  /// All records as text, in order; the buffer is empty afterwards.
  std::string take();
  /// Writes what take() would give to standard output, piece by piece, and flushes it.
  void flush();

private:
  /// Writes the text and empties it.
  using WritePiece = std::function<void(std::string &text)>;
  void takeInPieces(std::string &text, const WritePiece &writePiece);
  struct Entry {
    uint64_t group, item, sequence;
    const char *format;
    std::unique_ptr<std::byte[]> bytes; ///< the record, then the strings that it and the entry point to
    uint32_t size;                      ///< of the record
    uint64_t cost;
  };
  /// What a launch that prints has.
  struct Records {
    std::deque<Entry> entries;
    /// OpenCL's formats: the latest copy of each. Nearly always one literal, so it is not copied with every record; but
    /// a kernel may compute a format, in memory that is gone or holds something else when the text is made.
    std::unordered_map<const char *, const char *> formats;
    std::vector<std::unique_ptr<char[]>> formatTexts;
    uint64_t formatBytes = 0, used = 0, sequence = 0;
    uint64_t printed = 0; ///< bytes of text of the first `measured` entries
    size_t measured = 0;  ///< none while all fits as records
    bool isFull = false;  ///< something did not fit

    const char *keepFormat(const char *format, size_t length, uint64_t limit);
    bool fits(const Entry &entry, uint64_t limit);
  };
  const uint64_t limit_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;                 ///< guards the next
  std::unique_ptr<Records> records_; ///< null: nothing was printed
};

/// One record as text (OpenCL C 6.15.14 "printf"). Strings in the record are addresses of the text.
std::string formatRecord(const char *format, const std::byte *record, uint32_t size);

/// What of a record the format does not allow (OpenCL C 6.15.14), for a person; empty: nothing.
std::string formatMismatch(const char *format, const std::byte *record, uint32_t size);

} // namespace us::exec
