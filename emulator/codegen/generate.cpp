// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// generate: bitcode of an executable in, machine code of one kernel out.
#include "emulator/codegen/codegen.h"

#include "emulator/codegen/host_target.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/pipeline.h"
#include "emulator/codegen/uniformity.h"
#include "emulator/codegen/work_item_vectors.h"
#include "runtime/base/expected.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace us::codegen {
namespace {

/// Larger frames would not fit the stacks that kernels run on; such a kernel runs in the fiber tier.
constexpr uint64_t kLargestFrame = uint64_t(8) << 20;

/// Instructions of a kernel whose constants fit the registers.
constexpr unsigned kShortCode = 300;

/// What LLVM has to say goes into the error instead of to stderr.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(std::string &text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    stream << '\n';
    return true;
  }

private:
  std::string &text_;
};

/// Intermediate results for a curious developer, if a directory is given.
struct Dump {
  std::string directory, stem;
  void operator()(const char *stage, auto write) const {
    if (directory.empty()) return;
    std::error_code failed;
    (void)llvm::sys::fs::create_directories(directory); // opening the file says so
    llvm::raw_fd_ostream stream(directory + "/" + stem + "." + stage, failed);
    if (!failed) write(stream);
  }
  void module(const char *stage, const llvm::Module &module) const {
    (*this)(stage, [&](llvm::raw_ostream &stream) { module.print(stream, nullptr); });
  }
};

Expected<std::unique_ptr<llvm::Module>> readModule(const abi::CodeInput &input, llvm::LLVMContext &context) {
  llvm::MemoryBufferRef bitcode({input.ir.data(), input.ir.size()}, "program");
  auto module = llvm::getLazyBitcodeModule(bitcode, context, /*ShouldLazyLoadMetadata=*/true);
  if (!module) return fail(ErrorCode::Internal, "unreadable kernel IR: " + llvm::toString(module.takeError()));
  if (llvm::Error error = (*module)->materializeMetadata())
    return fail(ErrorCode::Internal, "unreadable kernel IR: " + llvm::toString(std::move(error)));
  return std::move(*module);
}

/// Bytes of stack of all functions of the object together: an upper bound unless something recurses.
uint64_t frameBytes(llvm::ArrayRef<char> object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "object"), /*InitContent=*/false);
  if (!file) return llvm::consumeError(file.takeError()), 0;
  uint64_t total = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    if (!name || *name != ".stack_sizes") {
      if (!name) llvm::consumeError(name.takeError());
      continue;
    }
    auto contents = section.getContents();
    if (!contents) return llvm::consumeError(contents.takeError()), 0;
    // Each entry: an address, then the size as ULEB128.
    llvm::DataExtractor data(*contents, true, 8);
    llvm::DataExtractor::Cursor cursor(0);
    while (cursor && cursor.tell() < contents->size()) {
      data.getU64(cursor);
      total += data.getULEB128(cursor) + 16;
    }
    if (!cursor) llvm::consumeError(cursor.takeError());
  }
  return total;
}

/// A function that remains may call itself, directly or through others, or allocate as much as it likes.
bool stackIsUnbounded(llvm::Function &function, llvm::SmallPtrSetImpl<llvm::Function *> &active,
                      llvm::SmallPtrSetImpl<llvm::Function *> &done) {
  if (function.isDeclaration() || done.contains(&function)) return false;
  if (!active.insert(&function).second) return true;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && !slot->isStaticAlloca()) return true;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (llvm::Function *callee = call->getCalledFunction(); callee && stackIsUnbounded(*callee, active, done))
        return true;
  }
  active.erase(&function);
  done.insert(&function);
  return false;
}

/// A work-item executes no instruction twice, so that slow code costs it little.
bool runsStraightThrough(llvm::Module &module, llvm::Function &kernel) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 4> backEdges;
    llvm::FindFunctionBackedges(function, backEdges);
    if (!backEdges.empty()) return false;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isIndirectCall()) return false;
  }
  llvm::SmallPtrSet<llvm::Function *, 8> active, done;
  return !stackIsUnbounded(kernel, active, done);
}

/// In long scalar code the constants of a loop are more than there are registers. To hoist them all, and to bring each
/// back to its use while registers are allocated, takes a third of the time of code generation and gains nothing.
/// Vectors take their constants from registers: a broadcast from memory is not free.
bool mayHoistConstants(llvm::Function &kernel, Tier tier) {
  if (kernel.getInstructionCount() <= kShortCode) return true;
  return tier == Tier::Loop && workItemLoopsWereVectorized(kernel);
}

/// PTX lets threads end, or go elsewhere, before a barrier at which the others wait; OpenCL C does not.
bool mayMissBarriers(llvm::Function &kernel) {
  const auto barriers = machineCalls(kernel, "barrier");
  if (barriers.empty()) return false;
  const Uniformity uniformity(kernel);
  const auto divergent = divergentBlocks(kernel, uniformity);
  return llvm::any_of(barriers, [&](llvm::CallInst *call) { return divergent.contains(call->getParent()); });
}

Expected<void> formAndOptimize(llvm::Module &module, Analyses &analyses, const KernelRequest &request,
                               const Dump &dump) {
  llvm::ModulePassManager passes;
  addTier(passes, request);
  passes.run(module, *analyses.module);
  dump.module("formed.ll", module);
#ifndef NDEBUG
  if (llvm::verifyModule(module, &llvm::errs()))
    return fail(ErrorCode::Internal, "invalid IR after forming " + request.kernel);
#endif
  analyses.module->clear();
  llvm::ModulePassManager optimize;
  if (request.specialization.baseline)
    addBaselineCleaning(optimize);
  else
    addOptimization(optimize, request);
  optimize.run(module, *analyses.module);
  dump.module("optimized.ll", module);
  return {};
}

Expected<abi::CodeData> generateCode(const abi::CodeInput &input) {
  KernelRequest request{std::string(input.kernel), input.specialization};
  const bool loop = request.specialization.tier == Tier::Loop;
  const Dump dump{input.dumpDirectory, request.kernel + (loop ? ".loop" : ".fiber")};
  llvm::LLVMContext context;
  std::string complaints;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(complaints));
  US_TRY(std::unique_ptr<llvm::Module> module, readModule(input, context));
  llvm::Function *kernel = module->getFunction(request.kernel);
  if (!kernel || (kernel->isDeclaration() && !kernel->isMaterializable()))
    return fail(ErrorCode::InvalidKernelName, "the program has no kernel " + request.kernel);

  // A body that cannot be read shows up as a missing symbol when the object is linked.
  if (llvm::Error error = kernel->materialize()) llvm::consumeError(std::move(error));
  const bool isPtx = kernel->hasMetadata("us_language_target");
  llvm::TargetMachine &target = hostTarget();
  module->setDataLayout(target.createDataLayout());
  module->setTargetTriple(target.getTargetTriple().str());
  {
    Analyses analyses(&target);
    llvm::ModulePassManager extract;
    addExtraction(extract, request);
    extract.run(*module, *analyses.module);
    request.specialization.baseline &= runsStraightThrough(*module, *module->getFunction(request.kernel));
    llvm::ModulePassManager prepare;
    if (!request.specialization.baseline) addEarlyOptimization(prepare, request);
    addLowering(prepare, request);
    prepare.run(*module, *analyses.module);
    llvm::stripNonLineTableDebugInfo(*module);
    dump.module("prepared.ll", *module);
    kernel = module->getFunction(request.kernel);
    if (loop && !machineCalls(*kernel, "sub_group_sync").empty())
      return fail(ErrorCode::Unsupported, "sub-group operations that wait need the fiber tier");
    if (loop && isPtx && mayMissBarriers(*kernel))
      return fail(ErrorCode::Unsupported, "barriers that some threads may not come to need the fiber tier");
    if (loop && !machineCalls(*kernel, "yield").empty())
      return fail(ErrorCode::Unsupported,
                  "a loop of " + request.kernel + " waits for other work-items: that needs the fiber tier");
    const bool split = kernel->hasFnAttribute(kSplitVectors);
    std::unique_ptr<llvm::Module> whole = split ? llvm::CloneModule(*module) : nullptr;
    if (split) {
      llvm::ModulePassManager splitting;
      addVectorSplitting(splitting);
      splitting.run(*module, *analyses.module);
    }
    US_CHECK(formAndOptimize(*module, analyses, request, dump));
    if (split && !workItemLoopsWereVectorized(*module->getFunction(request.kernel))) {
      analyses.module->clear();
      module = std::move(whole);
      module->getFunction(request.kernel)->removeFnAttr(kSplitVectors);
      US_CHECK(formAndOptimize(*module, analyses, request, dump));
    }
  }
  for (const llvm::Function &function : *module)
    if (function.getName().starts_with("us.") && !function.use_empty())
      return fail(ErrorCode::Unsupported, "a recursive function that uses " + function.getName().str());

  abi::CodeData code;
  code.symbol = request.kernel;
  code.baseline = request.specialization.baseline;
  llvm::SmallPtrSet<llvm::Function *, 8> active, done;
  const bool unbounded = stackIsUnbounded(*module->getFunction(request.kernel), active, done);
  const bool hoist = mayHoistConstants(*module->getFunction(request.kernel), request.specialization.tier);
  if (!input.dumpDirectory.empty())
    dump("s", [&](llvm::raw_ostream &stream) {
      std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
      llvm::SmallVector<char, 0> text;
      if (emitObject(*copy, text, {.assembly = true, .baseline = code.baseline, .hoistConstants = hoist}))
        stream << llvm::StringRef(text.data(), text.size());
    });
  llvm::SmallVector<char, 0> object;
  if (!emitObject(*module, object, {.baseline = code.baseline, .hoistConstants = hoist}))
    return fail(ErrorCode::Internal, "the host's code generator is missing");
  if (!complaints.empty()) return fail(ErrorCode::Unsupported, complaints);
  code.object.assign(object.begin(), object.end());
  code.frameBytes = frameBytes(object);
  if (loop && code.frameBytes > kLargestFrame)
    return fail(ErrorCode::Unsupported,
                "values that live across barriers need " + std::to_string(code.frameBytes) + " bytes for a work-group");
  if (unbounded) code.frameBytes = 0;
  return code;
}

} // namespace

void generate(const abi::CodeInput &input, abi::CodeOutput &output) {
  Expected<abi::CodeData> code = generateCode(input);
  output.ok = code.has_value();
  if (code)
    output.code = std::move(*code);
  else
    output.error = std::move(code.error());
}

} // namespace us::codegen
