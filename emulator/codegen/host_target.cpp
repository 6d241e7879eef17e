// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/host_target.h"

#include "emulator/codegen/codegen.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace us::codegen {
namespace {

/// Intel's processors of which gathers could leak what others had read ("Downfall", 2023): since its microcode was
/// mended, one of four elements takes as long as one of sixteen, and twice as long as eight loads (Skylake-SP).
bool hasSlowGathers(llvm::StringRef processor) {
  static constexpr llvm::StringLiteral kNames[] = {"skylake",        "skylake-avx512", "cascadelake",
                                                   "cooperlake",     "cannonlake",     "icelake-client",
                                                   "icelake-server", "tigerlake",      "rocketlake"};
  return llvm::is_contained(kNames, processor);
}

/// LLVM 19 forgets to turn a comparison of halves around when, under a mask, it takes the second operand from memory
/// (random kernel 99910321). Without the instructions for halves it computes in float, as for all other targets.
constexpr llvm::StringLiteral kWronglyUsed = "avx512fp16";

/// "+avx2,-sse4a,…", sorted.
std::string hostFeatures() {
  std::vector<std::string> features;
  if (hasSlowGathers(llvm::sys::getHostCPUName())) features = {"-fast-gather", "+prefer-no-gather"};
  for (const auto &[name, present] : llvm::sys::getHostCPUFeatures())
    features.push_back((present && name != kWronglyUsed ? "+" : "-") + name.str());
  std::ranges::sort(features, {}, [](const std::string &feature) { return feature.substr(1); });
  std::string text;
  for (const std::string &feature : features) text += (text.empty() ? "" : ",") + feature;
  return text;
}

llvm::TargetMachine *makeTargetMachine(abi::Target wanted, bool baseline) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  const std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  // Contraction was decided in the IR; what the code generator would fuse on its own depends on the tier.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.FunctionSections = true;
  options.EmitStackSizeSection = true;
  options.ExceptionModel = llvm::ExceptionHandling::None;
  const auto level = baseline ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  const abi::TargetInfo &info = abi::targetInfo(wanted);
  const bool isHost = wanted == abi::Target::Host;
  llvm::TargetMachine *const machine = target->createTargetMachine(
      triple, isHost ? llvm::sys::getHostCPUName() : info.cpu, isHost ? hostFeatures() : info.features, options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, level, /*JIT=*/true);
  if (machine) machine->setO0WantsFastISel(baseline);
  return machine;
}

} // namespace

llvm::TargetMachine &targetMachine(abi::Target target, bool baseline) {
  // Leaked on purpose: threads may still compile while the process exits.
  thread_local llvm::TargetMachine *machines[std::size(abi::kTargets)][2] = {};
  llvm::TargetMachine *&machine = machines[size_t(target)][baseline];
  if (!machine) machine = makeTargetMachine(target, baseline);
  return *machine;
}

bool hasFma(abi::Target target) {
  const llvm::TargetMachine &machine = targetMachine(target);
  return !machine.getTargetTriple().isX86() || machine.getMCSubtargetInfo()->checkFeatures("+fma");
}

void setVectorBits(llvm::Function &function, abi::Target target) {
  const unsigned bits = abi::targetInfo(target).vectorBits;
  function.addFnAttr("prefer-vector-width", std::to_string(bits));
  // Else vectors that are there already are as long as registers allow.
  if (bits < 512) function.addFnAttr("min-legal-vector-width", "0");
}

void alignStackForSpills(llvm::Function &function) {
  constexpr uint64_t kAligned = 128; // bits, by the calling convention
  const auto isLong = [](const llvm::Instruction &instruction) {
    const llvm::Type *type = instruction.getType();
    return type->isVectorTy() && type->getPrimitiveSizeInBits().getFixedValue() > kAligned;
  };
  if (llvm::any_of(llvm::instructions(function), isLong)) function.addFnAttr("stackrealign");
}

namespace {

/// The code generator's passes with a place for what they write. To make them takes longer than to run them on a small
/// kernel, so a thread keeps them from one module to the next.
class Emitter {
public:
  explicit Emitter(const EmitOptions &options)
      : stream_(bytes_),
        made_(addPasses(static_cast<llvm::LLVMTargetMachine &>(targetMachine(options.target, options.baseline)),
                        options)) {}

  bool emit(llvm::Module &module, llvm::SmallVectorImpl<char> &object) {
    if (!made_) return false;
    running_ = true;
    passes_.run(module);
    object.assign(bytes_.begin(), bytes_.end());
    bytes_.clear();
    running_ = false;
    return true;
  }
  /// A crash of the compiler, caught further out, left it in the middle of a module.
  bool abandoned() const { return running_; }

private:
  /// What addPassesToEmitFile does, without the passes that do nothing for us.
  bool addPasses(llvm::LLVMTargetMachine &target, const EmitOptions &options) {
    llvm::TargetPassConfig *const config = target.createPassConfig(passes_);
    config->setDisableVerify(true);
    // There are debug locations, but never variables to find.
    config->disablePass(&llvm::LiveDebugValuesID);
    if (!options.hoistConstants) config->disablePass(&llvm::EarlyMachineLICMID);
    if (options.isLong) config->disablePass(&llvm::PostRASchedulerID);
    passes_.add(config);
    auto *const machineModule = new llvm::MachineModuleInfoWrapperPass(&target);
    passes_.add(machineModule);
    if (config->addISelPasses()) return false;
    config->addMachinePasses();
    config->setInitialized();
    const auto type = options.assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
    if (target.addAsmPrinter(passes_, stream_, nullptr, type, machineModule->getMMI().getContext())) return false;
    passes_.add(llvm::createFreeMachineFunctionPass());
    return true;
  }

  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream stream_;
  llvm::legacy::PassManager passes_;
  bool made_, running_ = false;
};

} // namespace

bool emitObject(llvm::Module &module, llvm::SmallVectorImpl<char> &object, const EmitOptions &options) {
  if (options.assembly) return Emitter(options).emit(module, object);
  // Leaked on purpose, as the target machine is.
  thread_local Emitter *emitters[std::size(abi::kTargets)][2][2][2] = {};
  Emitter *&emitter = emitters[size_t(options.target)][options.baseline][options.hoistConstants][options.isLong];
  if (!emitter || emitter->abandoned()) emitter = new Emitter(options);
  return emitter->emit(module, object);
}

std::string hostIdentity() {
  static const std::string *const identity =
      new std::string(llvm::sys::getHostCPUName().str() + " " + hostFeatures() + " LLVM " LLVM_VERSION_STRING " code " +
                      std::to_string(abi::kCodeVersion) + "." + std::to_string(abi::kAbiVersion));
  return *identity;
}

} // namespace us::codegen
