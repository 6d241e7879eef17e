// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ELF for x86-64, as "System V Application Binary Interface, AMD64 Supplement" describes it. Every offset is checked:
// objects come from files.
#include "emulator/device/object_linker.h"

#include "emulator/memory/address_space.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <string_view>
#include <vector>

namespace us::emulator {
namespace {

#if defined(__x86_64__)

/// What compilers call on their own, and kernels through it.
struct HostFunction {
  std::string_view name;
  void *address;
};
const HostFunction kHostFunctions[] = {
    {"memcpy", reinterpret_cast<void *>(static_cast<void *(*)(void *, const void *, size_t)>(std::memcpy))},
    {"memmove", reinterpret_cast<void *>(static_cast<void *(*)(void *, const void *, size_t)>(std::memmove))},
    {"memset", reinterpret_cast<void *>(static_cast<void *(*)(void *, int, size_t)>(std::memset))},
};

constexpr uint64_t kStubSize = 16; ///< jmp *slot(%rip), then the slot
constexpr uint64_t kNotPlaced = ~0ull;

class Linker {
public:
  explicit Linker(const abi::CodeData &code) : code_(code), object_(code.object.data()), size_(code.object.size()) {}

  LinkedCode link() {
    if (!readHeader() || !readSymbols() || !layOut() || !allocate()) return {};
    if (placeSections() && relocateAll() && findEntry() &&
        memory::AddressSpace::makeExecutable(result_.pages, result_.size))
      return result_;
    unlinkObject(result_);
    return {};
  }

private:
  /// A table of T at an offset of the object; null if it is not inside.
  template <class T> const T *at(uint64_t offset, uint64_t count = 1) const {
    if (offset % alignof(T) != 0 || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T *>(object_ + offset);
  }
  std::string_view text(const Elf64_Shdr &strings, uint64_t offset) const {
    if (!at<char>(strings.sh_offset, strings.sh_size) || offset >= strings.sh_size) return {};
    const char *begin = object_ + strings.sh_offset + offset;
    return {begin, strnlen(begin, strings.sh_size - offset)};
  }

  bool readHeader() {
    if (reinterpret_cast<uintptr_t>(object_) % 8 != 0) return false;
    const auto *header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_type != ET_REL ||
        header->e_machine != EM_X86_64 || header->e_shentsize != sizeof(Elf64_Shdr))
      return false;
    sections_ = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    sectionCount_ = header->e_shnum;
    if (!sections_ || header->e_shstrndx >= sectionCount_) return false;
    sectionNames_ = &sections_[header->e_shstrndx];
    return true;
  }

  bool readSymbols() {
    for (uint32_t index = 0; index < sectionCount_; ++index) {
      const Elf64_Shdr &section = sections_[index];
      if (section.sh_type != SHT_SYMTAB) continue;
      symbolCount_ = section.sh_size / sizeof(Elf64_Sym);
      symbols_ = at<Elf64_Sym>(section.sh_offset, symbolCount_);
      if (!symbols_ || section.sh_link >= sectionCount_) return false;
      symbolNames_ = &sections_[section.sh_link];
      return true;
    }
    return false;
  }

  /// Sections that a kernel's memory holds. Unwind tables are not among them: nothing is ever thrown through a kernel.
  bool wanted(const Elf64_Shdr &section) const {
    return (section.sh_flags & SHF_ALLOC) && section.sh_size > 0 &&
           text(*sectionNames_, section.sh_name) != ".eh_frame";
  }

  bool layOut() {
    places_.assign(sectionCount_, kNotPlaced);
    uint64_t end = 0;
    // Code first, constants behind it.
    for (bool executable : {true, false}) {
      for (uint32_t index = 0; index < sectionCount_; ++index) {
        const Elf64_Shdr &section = sections_[index];
        if (!wanted(section) || executable != ((section.sh_flags & SHF_EXECINSTR) != 0)) continue;
        if ((section.sh_flags & (SHF_WRITE | SHF_TLS)) || section.sh_type == SHT_NOBITS) return false;
        if (!at<char>(section.sh_offset, section.sh_size)) return false;
        uint64_t alignment = std::max<uint64_t>(section.sh_addralign, 1);
        if (alignment > 4096 || (alignment & (alignment - 1)) != 0) return false;
        end = alignTo(end, alignment);
        places_[index] = end;
        end += section.sh_size;
      }
      if (executable) codeEnd_ = end;
    }
    // One stub and one slot for each symbol would do; there are few.
    stubs_ = (end + 15) & -16ull;
    slots_.assign(symbolCount_, kNotPlaced);
    total_ = stubs_ + symbolCount_ * kStubSize;
    return codeEnd_ > 0 && total_ < (1ull << 30);
  }

  bool allocate() {
    result_.size = (total_ + 4095) & -4096ull;
    result_.pages = memory::AddressSpace::instance().allocateCode(result_.size);
    return result_.pages != nullptr;
  }

  bool placeSections() {
    for (uint32_t index = 0; index < sectionCount_; ++index)
      if (places_[index] != kNotPlaced)
        std::memcpy(result_.pages + places_[index], object_ + sections_[index].sh_offset, sections_[index].sh_size);
    result_.codeBegin = result_.pages;
    result_.codeEnd = result_.pages + codeEnd_;
    return true;
  }

  uint64_t address(uint64_t offset) const { return reinterpret_cast<uint64_t>(result_.pages) + offset; }

  /// The address of a symbol; 0 if it is unknown.
  uint64_t valueOf(uint32_t index) const {
    const Elf64_Sym &symbol = symbols_[index];
    if (symbol.st_shndx == SHN_UNDEF) {
      for (const HostFunction &function : kHostFunctions)
        if (function.name == text(*symbolNames_, symbol.st_name)) return reinterpret_cast<uint64_t>(function.address);
      return 0;
    }
    if (symbol.st_shndx >= sectionCount_ || places_[symbol.st_shndx] == kNotPlaced) return 0;
    return address(places_[symbol.st_shndx]) + symbol.st_value;
  }

  /// A jump to the symbol, and the 8-byte slot with its address, within reach of the code.
  uint64_t stubFor(uint32_t index, uint64_t value) {
    uint64_t offset = stubs_ + index * kStubSize;
    if (slots_[index] == kNotPlaced) {
      constexpr unsigned char kJump[] = {0xff, 0x25, 2, 0, 0, 0, 0xcc, 0xcc}; // jmp *2(%rip): the slot behind it
      std::memcpy(result_.pages + offset, kJump, sizeof(kJump));
      std::memcpy(result_.pages + offset + 8, &value, 8);
      slots_[index] = offset + 8;
    }
    return address(offset);
  }

  bool relocateAll() {
    for (uint32_t index = 0; index < sectionCount_; ++index) {
      const Elf64_Shdr &section = sections_[index];
      bool relocates = section.sh_type == SHT_RELA || section.sh_type == SHT_REL;
      if (!relocates || section.sh_info >= sectionCount_ || places_[section.sh_info] == kNotPlaced) continue;
      uint64_t count = section.sh_size / sizeof(Elf64_Rela);
      const auto *entries = at<Elf64_Rela>(section.sh_offset, count);
      if (section.sh_type == SHT_REL || !entries) return false;
      for (uint64_t entry = 0; entry < count; ++entry)
        if (!relocate(entries[entry], section.sh_info)) return false;
    }
    return true;
  }

  bool relocate(const Elf64_Rela &entry, uint32_t section) {
    uint32_t type = ELF64_R_TYPE(entry.r_info), symbol = ELF64_R_SYM(entry.r_info);
    uint64_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4, room = sections_[section].sh_size;
    if (symbol >= symbolCount_ || entry.r_offset > room || room - entry.r_offset < width) return false;
    uint64_t value = valueOf(symbol), place = address(places_[section] + entry.r_offset);
    if (value == 0) return false;
    uint64_t target = 0;
    switch (type) {
    case R_X86_64_64:
      target = value + entry.r_addend;
      break;
    case R_X86_64_PC64:
      target = value + entry.r_addend - place;
      break;
    case R_X86_64_PLT32:
      if (symbols_[symbol].st_shndx == SHN_UNDEF) value = stubFor(symbol, value);
      target = value + entry.r_addend - place;
      break;
    case R_X86_64_PC32:
      target = value + entry.r_addend - place;
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      target = stubFor(symbol, value) + 8 + entry.r_addend - place;
      break;
    default:
      return false;
    }
    auto near = static_cast<int32_t>(target);
    if (width == 4 && static_cast<int64_t>(target) != near) return false;
    std::memcpy(reinterpret_cast<void *>(place), &target, width); // the machine is little-endian
    return true;
  }

  bool findEntry() {
    for (uint32_t index = 0; index < symbolCount_; ++index)
      if (symbols_[index].st_shndx != SHN_UNDEF && text(*symbolNames_, symbols_[index].st_name) == code_.symbol)
        result_.entry = reinterpret_cast<void *>(valueOf(index));
    return result_.entry >= result_.codeBegin && result_.entry < result_.codeEnd;
  }

  const abi::CodeData &code_;
  const char *const object_;
  const uint64_t size_;
  const Elf64_Shdr *sections_ = nullptr, *sectionNames_ = nullptr, *symbolNames_ = nullptr;
  const Elf64_Sym *symbols_ = nullptr;
  uint64_t sectionCount_ = 0, symbolCount_ = 0;
  std::vector<uint64_t> places_; ///< offset of each section in the pages
  std::vector<uint64_t> slots_;  ///< offset of each symbol's slot
  uint64_t codeEnd_ = 0, stubs_ = 0, total_ = 0;
  LinkedCode result_;
};

#endif

} // namespace

LinkedCode linkObject(const abi::CodeData &code) {
#if defined(__x86_64__)
  return Linker(code).link();
#else
  return {};
#endif
}

void unlinkObject(const LinkedCode &code) {
  if (code.pages) memory::AddressSpace::instance().releaseCode(code.pages, code.size);
}

} // namespace us::emulator
