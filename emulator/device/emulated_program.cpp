// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/emulated_program.h"

#include "emulator/abi/block_kernels.h"
#include "emulator/device/builder.h"
#include "emulator/device/compiler_library.h"
#include "emulator/device/emulated_texture.h"

#include <algorithm>
#include <cstring>

namespace us::emulator {
namespace {

/// One block holds all variables of a program; the names of many would make no sentence.
MemoryOwner ownerOf(const abi::ProgramVariables &variables) {
  constexpr size_t kMostNames = 4;
  const std::vector<abi::NamedVariable> &named = variables.names;
  MemoryOwner owner{.what = named.size() == 1 ? "program variable" : "block of program variables"};
  for (size_t i = 0; i < std::min(named.size(), kMostNames); ++i) owner.name += (i ? ", " : "") + named[i].name;
  if (named.size() > kMostNames) owner.name += ", ...";
  return owner;
}

StoredProgram withBlocksLast(StoredProgram stored) {
  std::vector<KernelInfo> sorted;
  for (const bool blocks : {false, true})
    for (KernelInfo &kernel : stored.module.kernels)
      if (abi::isBlockKernel(kernel.name) == blocks) sorted.push_back(kernel);
  stored.module.kernels = std::move(sorted);
  return stored;
}

} // namespace

EmulatedProgram::EmulatedProgram(Ref<Engine> engine, StoredProgram stored)
    : engine_(std::move(engine)), stored_(withBlocksLast(std::move(stored))) {
  for (const KernelInfo &info : stored_.module.kernels) code_.push_back(std::make_unique<KernelCode>(*this, info));
}

EmulatedProgram::~EmulatedProgram() = default;

std::span<const KernelInfo> EmulatedProgram::kernels() const {
  if (kind() != ProgramKind::Executable) return {};
  const std::vector<KernelInfo> &all = stored_.module.kernels;
  const auto blocks =
      std::ranges::find_if(all, [](const KernelInfo &kernel) { return abi::isBlockKernel(kernel.name); });
  return std::span(all.begin(), blocks);
}

KernelCode *EmulatedProgram::blockKernel(std::string_view name) const {
  if (abi::isBlockKernel(name))
    for (const std::unique_ptr<KernelCode> &code : code_)
      if (code->info().name == name) return code.get();
  return nullptr;
}

Expected<Ref<DeviceKernel>> EmulatedProgram::kernel(std::string_view name) {
  if (kind() != ProgramKind::Executable)
    return fail(ErrorCode::InvalidProgramExecutable, "the program is compiled but not linked into an executable");
  for (const std::unique_ptr<KernelCode> &code : code_)
    if (code->info().name == name && !abi::isBlockKernel(name)) {
      US_CHECK(prepareVariables());
      return Ref<DeviceKernel>(new EmulatedKernel(Ref<EmulatedProgram>(this), *code));
    }
  return fail(ErrorCode::InvalidKernelName, "the program has no kernel '" + std::string(name) + "'");
}

Expected<std::vector<std::byte>> EmulatedProgram::binary() {
  Bytes packed = pack(ContentKind::Program, codeIdentity(engine_->target), serialize(stored_));
  if (packed.empty()) return fail(ErrorCode::OutOfHostMemory, "the program's binary could not be compressed");
  return packed;
}

Expected<DeviceVariable> EmulatedProgram::variable(std::string_view name) {
  for (const abi::NamedVariable &known : stored_.module.variables.names)
    if (known.name == name) {
      US_CHECK(prepareVariables());
      return DeviceVariable{reinterpret_cast<uint64_t>(storage_) + known.offset, known.size};
    }
  return fail(ErrorCode::InvalidValue, "the program has no variable '" + std::string(name) + "'");
}

Expected<TextureVariable> EmulatedProgram::textureVariable(std::string_view name) {
  US_TRY(const DeviceVariable variable, this->variable(name));
  abi::TextureDescriptor text;
  if (variable.size != sizeof text)
    return fail(ErrorCode::InvalidValue, "the variable '" + std::string(name) + "' does not stand for a texture");
  // As the program was built: another texture may be bound to it now.
  const abi::ProgramVariables &all = stored_.module.variables;
  const uint64_t offset = variable.address - reinterpret_cast<uint64_t>(storage_);
  if (offset + sizeof text <= all.image.size()) std::memcpy(&text, all.image.data() + offset, sizeof text);
  return TextureVariable{variable.address, samplingOf(text)};
}

Expected<DeviceVariable> EmulatedProgram::variables() {
  US_CHECK(prepareVariables());
  return DeviceVariable{reinterpret_cast<uint64_t>(storage_), stored_.module.variables.size};
}

bool EmulatedProgram::shareVariables(DeviceProgram &other) {
  auto *const owner = dynamic_cast<EmulatedProgram *>(&other);
  if (!owner || owner == this) return false;
  const abi::ProgramVariables &own = stored_.module.variables, &theirs = owner->stored_.module.variables;
  const auto isAlike = [](const abi::NamedVariable &a, const abi::NamedVariable &b) {
    return a.name == b.name && a.offset == b.offset && a.size == b.size;
  };
  if (own.size != theirs.size || own.image != theirs.image || own.relocations != theirs.relocations ||
      !std::ranges::equal(own.names, theirs.names, isAlike))
    return false;
  if (own.size == 0 || !owner->prepareVariables()) return false;
  std::scoped_lock lock(mutex_);
  if (storage_) return false;
  owner_ = Ref<EmulatedProgram>(owner);
  storage_ = owner->storage();
  return true;
}

const CacheKey &EmulatedProgram::key() {
  std::scoped_lock lock(mutex_);
  if (key_.empty()) key_ = programKey(stored_.module);
  return key_;
}

Expected<void> EmulatedProgram::prepareVariables() {
  const abi::ProgramVariables &wanted = stored_.module.variables;
  std::scoped_lock lock(mutex_);
  if (wanted.size == 0 || storage_) return {};
  auto memory = memory::allocateGlobal(engine_->account,
                                       {.size = wanted.size, .alignment = wanted.alignment, .owner = ownerOf(wanted)});
  if (!memory)
    return fail(ErrorCode::OutOfResources, "no room for " + std::to_string(wanted.size) +
                                               " bytes of program variables: " + memory.error().message);
  std::byte *const storage = (*memory)->hostAddress();
  std::memset(storage, 0, wanted.size);
  std::ranges::copy(std::as_bytes(std::span(wanted.image)), storage);
  for (auto &[at, target] : wanted.relocations) {
    uint64_t address = reinterpret_cast<uint64_t>(storage) + target;
    std::memcpy(storage + at, &address, sizeof(address));
  }
  variables_ = std::move(*memory);
  storage_ = storage;
  return {};
}

} // namespace us::emulator
