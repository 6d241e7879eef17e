// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/touched_bytes.h"

namespace us::check {

TouchedBytes::Page &TouchedBytes::pageOf(uint64_t number) {
  if (number == lastNumber_) return *lastPage_;
  std::unique_ptr<Page> &page = pages_[number];
  if (!page) page = std::make_unique<Page>();
  lastNumber_ = number;
  lastPage_ = page.get();
  return *page;
}

void TouchedBytes::add(const abi::MemoryAccess &access) {
  using abi::AccessKind;
  const AccessKind kind = access.kind;
  for (uint64_t at = access.address, end = at + access.bytes; at < end; ++at) {
    Page &page = pageOf(at / kPageBytes);
    const uint64_t byte = at % kPageBytes;
    if (kind == AccessKind::Read) page.read.set(byte);
    if (kind == AccessKind::Write) page.written.set(byte);
    if (kind >= AccessKind::AtomicRead) page.atomic.set(byte);
  }
}

std::vector<TouchedRange> TouchedBytes::ranges() const {
  std::vector<TouchedRange> ranges;
  for (const auto &[number, page] : pages_)
    for (uint64_t byte = 0; byte < kPageBytes; ++byte) {
      const TouchedRange one{number * kPageBytes + byte, number * kPageBytes + byte + 1, page->read[byte],
                             page->written[byte], page->atomic[byte]};
      if (!one.reads && !one.writes && !one.isAtomic) continue;
      TouchedRange *const last = ranges.empty() ? nullptr : &ranges.back();
      if (last && last->end == one.begin && last->reads == one.reads && last->writes == one.writes &&
          last->isAtomic == one.isAtomic)
        last->end = one.end;
      else
        ranges.push_back(one);
    }
  return ranges;
}

} // namespace us::check
