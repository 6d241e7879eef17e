// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/argument_copies.h"

#include "emulator/memory/address_space.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace us::exec {
namespace {

using abi::Combination;
using memory::AddressSpace;

/// What is combined in memory of elements of one type.
template <class Element> struct Combining {
  using Signed = std::make_signed_t<Element>;
  template <auto kTogether> static void plain(std::byte *into, const std::byte *from, uint64_t count) {
    auto *sums = reinterpret_cast<Element *>(into);
    const auto *more = reinterpret_cast<const Element *>(from);
    for (uint64_t i = 0; i < count; ++i) sums[i] = kTogether(sums[i], more[i]);
  }
  template <auto kTogether> static void atomically(std::byte *into, const std::byte *from, uint64_t count) {
    auto *memory = reinterpret_cast<Element *>(into);
    const auto *numbers = reinterpret_cast<const Element *>(from);
    for (uint64_t i = 0; i < count; ++i) {
      const std::atomic_ref<Element> element(memory[i]);
      Element old = element.load(std::memory_order_relaxed);
      for (Element now = kTogether(old, numbers[i]); now != old; now = kTogether(old, numbers[i]))
        if (element.compare_exchange_weak(old, now)) break;
    }
  }
  struct Row {
    void (*plain)(std::byte *, const std::byte *, uint64_t);
    void (*atomically)(std::byte *, const std::byte *, uint64_t);
  };
  template <auto kTogether> static constexpr Row kRow = {plain<kTogether>, atomically<kTogether>};
  /// By abi::Combination.
  static constexpr Row kRows[] = {
      kRow<[](Element a, Element b) { return Element(a + b); }>,
      kRow<[](Element a, Element b) { return Element(a & b); }>,
      kRow<[](Element a, Element b) { return Element(a | b); }>,
      kRow<[](Element a, Element b) { return Element(a ^ b); }>,
      kRow<[](Element a, Element b) { return Element(std::max(Signed(a), Signed(b))); }>,
      kRow<[](Element a, Element b) { return Element(std::min(Signed(a), Signed(b))); }>,
      kRow<[](Element a, Element b) { return std::max(a, b); }>,
      kRow<[](Element a, Element b) { return std::min(a, b); }>,
  };
  static void fill(std::byte *memory, uint64_t count, Combination combination) {
    std::fill_n(reinterpret_cast<Element *>(memory), count, Element(abi::identityOf(combination, 8 * sizeof(Element))));
  }
};

/// By whichever type the elements have.
template <class Function> void withElements(const abi::ArgumentCopy &kind, Function function) {
  kind.bytes == sizeof(uint64_t) ? function(Combining<uint64_t>()) : function(Combining<uint32_t>());
}

} // namespace

ArgumentCopies::ArgumentCopies(std::span<const abi::ArgumentCopy> wanted, std::span<const ArgumentInfo> parameters,
                               const std::byte *arguments)
    : parameters_(parameters.size()) {
  for (const abi::ArgumentCopy &kind : wanted) {
    uint64_t pointer;
    std::memcpy(&pointer, arguments + parameters[kind.argument].offset, sizeof pointer);
    const FoundMemory memory = AddressSpace::instance().locate(pointer);
    copied_.push_back(
        {kind, reinterpret_cast<std::byte *>(memory.base), memory.size, pointer - memory.base, memory.owner.what});
  }
}

ArgumentCopies::OfThread::~OfThread() {
  for (std::byte *one : memory) AddressSpace::instance().release(one);
}

std::byte *const *ArgumentCopies::add() {
  if (copied_.empty()) return nullptr;
  OfThread thread;
  thread.arguments.resize(parameters_);
  thread.memory.reserve(copied_.size());
  for (const Copied &one : copied_) {
    std::byte *memory =
        AddressSpace::instance().allocate(memory::RangeKind::Buffer, one.size, memory::kPageSize, {.what = one.owner});
    if (!memory) throw std::bad_alloc();
    thread.memory.push_back(memory);
    thread.arguments[one.kind.argument] = memory + one.offset;
    withElements(one.kind, [&]<class Element>(Combining<Element> elements) {
      elements.fill(memory, one.size / sizeof(Element), one.kind.combination);
    });
  }
  std::byte *const *all = thread.arguments.data(); // where it stays
  const std::scoped_lock lock(mutex_);
  threads_.push_back(std::move(thread));
  return all;
}

void ArgumentCopies::combine() {
  for (size_t number = 0; number < copied_.size() && !threads_.empty(); ++number) {
    const Copied &one = copied_[number];
    withElements(one.kind, [&]<class Element>(Combining<Element> elements) {
      const auto &row = elements.kRows[size_t(one.kind.combination)];
      const uint64_t count = one.size / sizeof(Element);
      std::byte *sums = threads_.front().memory[number];
      for (const OfThread &thread : std::span(threads_).subspan(1)) row.plain(sums, thread.memory[number], count);
      row.atomically(one.memory, sums, count);
    });
  }
}

uint64_t ArgumentCopies::original(uint64_t address) const {
  if (copied_.empty()) return address;
  const FoundMemory found = AddressSpace::instance().locate(address);
  const std::scoped_lock lock(mutex_);
  for (const OfThread &thread : threads_)
    for (size_t number = 0; number < copied_.size(); ++number)
      if (found.kind == FoundMemory::Kind::Allocation &&
          found.base == reinterpret_cast<uint64_t>(thread.memory[number]))
        return address - found.base + reinterpret_cast<uint64_t>(copied_[number].memory);
  return address;
}

} // namespace us::exec
