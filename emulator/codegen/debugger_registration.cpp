// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/debugger_registration.h"

#include "runtime/base/private_folder.h"

#include <llvm/BinaryFormat/ELF.h>

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

// The interface that GDB defines: it puts a breakpoint on the function and reads the descriptor. The names are fixed.
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
void __jit_debug_register_code();
}

namespace us::codegen {
namespace {

enum Action : uint32_t { kNone, kRegister, kUnregister };

/// Guards the descriptor. Never destroyed: kernels may be loaded while the process exits.
std::mutex &descriptorMutex() {
  static auto *mutex = new std::mutex;
  return *mutex;
}

struct Registration {
  jit_code_entry entry{};
  std::vector<char> object;
};

void tell(jit_code_entry &entry, Action action) {
  __jit_debug_descriptor.relevant_entry = &entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = kNone;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

/// A copy of the object whose section headers say where the sections are.
bool placeSections(std::vector<char> &object, const SectionAddresses &sections) {
  using namespace llvm::ELF;
  Elf64_Ehdr header;
  if (object.size() < sizeof header) return false;
  std::memcpy(&header, object.data(), sizeof header);
  if (!header.checkMagic() || header.e_shoff + uint64_t(header.e_shnum) * sizeof(Elf64_Shdr) > object.size())
    return false;
  auto *table = reinterpret_cast<Elf64_Shdr *>(object.data() + header.e_shoff);
  const char *names = object.data() + table[header.e_shstrndx].sh_offset;
  for (unsigned i = 0; i < header.e_shnum; ++i)
    for (const auto &[name, address] : sections)
      if (name == names + table[i].sh_name && (table[i].sh_flags & SHF_ALLOC)) table[i].sh_addr = address;
  return true;
}

void writePerfMap(const std::string &symbol, const std::byte *begin, const std::byte *end) {
  char path[64];
  std::snprintf(path, sizeof path, "/tmp/perf-%d.map", int(getpid()));
  // In a folder for all, another user may have put something there: a link to a file of ours, or a file of his.
  Descriptor file(open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat facts;
  if (!file || fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1 ||
      !objectionTo(file).empty())
    return;
  if (std::FILE *map = fdopen(file.get(), "a")) {
    file.detach();
    std::fprintf(map, "%llx %llx %s\n", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(begin)),
                 static_cast<unsigned long long>(end - begin), symbol.c_str());
    std::fclose(map);
  }
}

} // namespace

void *registerObject(const abi::CodeData &code, const SectionAddresses &sections, std::byte *entry,
                     std::byte *codeEnd) {
  auto *registration = new Registration;
  registration->object = code.object;
  if (!placeSections(registration->object, sections)) {
    delete registration;
    return nullptr;
  }
  registration->entry.symfile_addr = registration->object.data();
  registration->entry.symfile_size = registration->object.size();
  std::lock_guard lock(descriptorMutex());
  jit_code_entry *&first = __jit_debug_descriptor.first_entry;
  registration->entry.next_entry = first;
  if (first) first->prev_entry = &registration->entry;
  first = &registration->entry;
  tell(registration->entry, kRegister);
  writePerfMap(code.symbol, entry, codeEnd);
  return registration;
}

void unregisterObject(void *handle) {
  auto *registration = static_cast<Registration *>(handle);
  {
    std::lock_guard lock(descriptorMutex());
    jit_code_entry &entry = registration->entry;
    (entry.prev_entry ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = entry.next_entry;
    if (entry.next_entry) entry.next_entry->prev_entry = entry.prev_entry;
    tell(entry, kUnregister);
  }
  delete registration;
}

} // namespace us::codegen
