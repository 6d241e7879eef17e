// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// generate: bitcode of an executable in, machine code of one kernel out.
#include "emulator/codegen/codegen.h"

#include "emulator/codegen/analysis/code_shape.h"
#include "emulator/codegen/analysis/work_item_vectors.h"
#include "emulator/codegen/host_target.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/instrument/check_uninitialized.h"
#include "emulator/codegen/instrument/count_lines.h"
#include "emulator/codegen/pass_watch.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/passes/copy_updated_arguments.h"
#include "emulator/codegen/passes/form_work_item_loops.h"
#include "emulator/codegen/pipeline.h"
#include "emulator/codegen/remarks.h"
#include "emulator/codegen/tiers/tier_rules.h"
#include "emulator/codegen/vectorize/vectorize_work_items.h"
#include "runtime/base/expected.h"
#include "runtime/base/work_limit.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace us::codegen {
namespace {

/// Instructions of a kernel whose constants fit the registers.
constexpr unsigned kShortCode = 300;
/// Of one that searches that are not linear take too long for.
constexpr unsigned kLongCode = 10'000;

/// What LLVM has to say goes into the error, or into the remarks, instead of to stderr.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  Diagnostics(std::string &errors, std::vector<std::string> *remarks) : errors_(errors), remarks_(remarks) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    // Some passes do not ask whether anybody wants what they say.
    auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (remark && wants(remark->getPassName())) {
      std::string text = remark->getLocationStr() + ": " + remark->getMsg();
      if (!llvm::is_contained(*remarks_, text)) remarks_->push_back(std::move(text));
    }
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    stream << '\n';
    return true;
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  bool isAnyRemarkEnabled() const override { return remarks_; }

private:
  bool wants(llvm::StringRef pass) const { return remarks_ && (pass == "loop-vectorize" || pass == kRemarks); }

  std::string &errors_;
  std::vector<std::string> *remarks_; ///< null: none are wanted
};

/// What the code generator's passes ask before they run: a place to give up at.
class Steps final : public llvm::OptPassGate {
public:
  /// Numbers that are only moved and compared go to registers of masks, where there are any. In long code the search
  /// for them is quadratic, and half the time of making a checked kernel of 50,000 instructions.
  explicit Steps(bool findsMasks) : findsMasks_(findsMasks) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) override {
    workStep();
    return findsMasks_ || pass != "X86 Domain Reassignment Pass";
  }

private:
  const bool findsMasks_;
};

Expected<std::unique_ptr<llvm::Module>> readModule(const abi::CodeInput &input, llvm::LLVMContext &context) {
  llvm::MemoryBufferRef bitcode({input.ir.data(), input.ir.size()}, "program");
  auto module = llvm::getLazyBitcodeModule(bitcode, context, /*ShouldLazyLoadMetadata=*/true);
  if (!module) return fail(ErrorCode::Internal, "unreadable kernel IR: " + llvm::toString(module.takeError()));
  if (llvm::Error error = (*module)->materializeMetadata())
    return fail(ErrorCode::Internal, "unreadable kernel IR: " + llvm::toString(std::move(error)));
  return std::move(*module);
}

/// In long scalar code the constants of a loop are more than there are registers. To hoist them all, and to bring each
/// back to its use while registers are allocated, takes a third of the time of code generation and gains nothing.
bool mayHoistConstants(llvm::Function &kernel, const TierRules &tier) {
  return kernel.getInstructionCount() <= kShortCode || tier.hoistsConstants(kernel);
}

/// "8 x float": of vectors of numbers, those that most instructions make or store.
std::string vectorsIn(const llvm::Module &module) {
  llvm::MapVector<llvm::FixedVectorType *, unsigned> uses;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      llvm::Type *type = store ? store->getValueOperand()->getType() : instruction.getType();
      auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      if (vector && vector->getScalarSizeInBits() >= 8) ++uses[vector];
    }
  if (uses.empty()) return {};
  const auto most = llvm::max_element(uses, [](const auto &a, const auto &b) { return a.second < b.second; });
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << most->first->getNumElements() << " x " << *most->first->getElementType();
  return text;
}

/// The making of one kernel's code.
class Generation {
public:
  Generation(const abi::CodeInput &input, const std::string &dumpDirectory, std::vector<std::string> *remarks)
      : input_(input), request_{std::string(input.kernel), input.specialization},
        tier_(tierRules(input.specialization.tier)),
        watch_(dumpDirectory, request_.kernel + "." + std::string(abi::tierInfo(request_.specialization.tier).name)) {
    context_.setDiagnosticHandler(std::make_unique<Diagnostics>(complaints_, remarks));
    static Steps &steps = *new Steps(/*findsMasks=*/true);
    if (workIsLimited()) context_.setOptPassGate(steps);
  }

  Expected<abi::CodeData> run() {
    US_TRY(module_, readModule(input_, context_));
    if (const llvm::Function *kernel = module_->getFunction(request_.kernel);
        !kernel || (kernel->isDeclaration() && !kernel->isMaterializable()))
      return fail(ErrorCode::InvalidKernelName, "the program has no kernel " + request_.kernel);
    // A body that cannot be read shows up as a missing symbol when the object is linked.
    if (llvm::Error error = kernel().materialize()) llvm::consumeError(std::move(error));
    llvm::TargetMachine &target = targetMachine(request_.specialization.target);
    module_->setDataLayout(target.createDataLayout());
    module_->setTargetTriple(target.getTargetTriple().str());
    {
      Analyses analyses(&target, &watch_.callbacks());
      runStages(analyses, {Stage::Extract, Stage::Simplify});
      bool &baseline = request_.specialization.baseline;
      baseline &= runsStraightThrough(*module_, kernel()) && !tier_.needsOptimizing(kernel());
      if (!baseline) runStages(analyses, {Stage::Improve});
      runStages(analyses, {Stage::Lower});
      if (const std::string obstacle = tier_.obstacleInCode(kernel(), *analyses.functions, request_); !obstacle.empty())
        return refuse(obstacle);
      formAndOptimize(analyses);
    }
    if (kernel().hasFnAttribute(kVectorObstacle))
      return refuse("its sub-groups do not become vectors: " +
                    kernel().getFnAttribute(kVectorObstacle).getValueAsString().str());
    for (const llvm::Function &function : *module_)
      if (function.getName().starts_with("us.") && !function.use_empty())
        return refuse("a recursive function uses " + function.getName().str());
    return emit();
  }

private:
  llvm::Function &kernel() { return *module_->getFunction(request_.kernel); }

  std::unexpected<Error> refuse(const std::string &obstacle) { return fail(ErrorCode::Unsupported, obstacle); }

  void runStages(Analyses &analyses, std::initializer_list<Stage> stages) {
    for (Stage stage : stages) {
      llvm::ModulePassManager passes;
      addStage(passes, stage, request_);
      passes.run(*module_, *analyses.module);
      watch_.dump(nameOf(stage).str() + ".ll", *module_);
    }
  }

  /// With vectors split if that lets the loop vectorizer take the work-items side by side, else with vectors whole.
  void formAndOptimize(Analyses &analyses) {
    const Stage last = request_.specialization.baseline ? Stage::Clean : Stage::Optimize;
    if (!kernel().hasFnAttribute(kSplitVectors)) return runStages(analyses, {Stage::Form, last});
    std::unique_ptr<llvm::Module> whole = llvm::CloneModule(*module_);
    runStages(analyses, {Stage::SplitVectors, Stage::Form, last});
    if (workItemLoopsWereVectorized(kernel())) return;
    analyses.module->clear();
    module_ = std::move(whole);
    kernel().removeFnAttr(kSplitVectors);
    runStages(analyses, {Stage::Form, last});
  }

  std::vector<uint32_t> numbersIn(const char *attribute) {
    llvm::SmallVector<llvm::StringRef, 8> texts;
    kernel().getFnAttribute(attribute).getValueAsString().split(texts, ' ', -1, /*KeepEmpty=*/false);
    std::vector<uint32_t> numbers(texts.size());
    for (auto [text, number] : llvm::zip(texts, numbers)) text.getAsInteger(10, number);
    return numbers;
  }

  Expected<abi::CodeData> emit() {
    abi::CodeData code;
    code.symbol = request_.kernel;
    code.baseline = request_.specialization.baseline;
    code.waits = kernel().hasFnAttribute(kWaits);
    code.inOrder = kernel().hasFnAttribute(kRacesAreChecked);
    code.writesByPointer = kernel().hasFnAttribute(kWritesByPointer);
    code.writesUnseen = kernel().hasFnAttribute(kWritesUnseen);
    code.localCellBytes = uint32_t(kernel().getFnAttributeAsParsedInteger(kLocalCells));
    code.globalCellBytes = uint32_t(kernel().getFnAttributeAsParsedInteger(kGlobalCells));
    code.cellArguments = numbersIn(kCellArguments);
    code.counted = countedLines(*module_);
    code.vectors = vectorsIn(*module_);
    const std::vector<uint32_t> copies = numbersIn(kArgumentCopies);
    for (size_t i = 0; i < copies.size(); i += 3)
      code.copies.push_back({copies[i], copies[i + 1], abi::Combination(copies[i + 2])});
    // Beside the kernel, from which a place in the code is counted where its source line is asked for.
    for (llvm::Function &function : *module_)
      if (!function.isDeclaration() && &function != &kernel()) {
        function.setSection(".text." + request_.kernel);
        setVectorBits(function, request_.specialization.target);
      }
    for (llvm::Function &function : *module_) alignStackForSpills(function);
    const bool unbounded = stackIsUnbounded(kernel());
    const EmitOptions options{.target = request_.specialization.target,
                              .baseline = code.baseline,
                              .isLong = kernel().getInstructionCount() > kLongCode,
                              .hoistConstants = mayHoistConstants(kernel(), tier_)};
    static Steps &withoutMasks = *new Steps(/*findsMasks=*/false);
    if (request_.specialization.instrumentation != 0 && kernel().getInstructionCount() > kLongCode)
      context_.setOptPassGate(withoutMasks);
    if (watch_.dumps())
      watch_.dump("s", [&](llvm::raw_ostream &stream) {
        std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module_);
        EmitOptions asText = options;
        asText.assembly = true;
        llvm::SmallVector<char, 0> text;
        if (emitObject(*copy, text, asText)) stream << llvm::StringRef(text.data(), text.size());
      });
    llvm::SmallVector<char, 0> object;
    if (!emitObject(*module_, object, options))
      return fail(ErrorCode::Internal, "the host's code generator is missing");
    if (!complaints_.empty()) return fail(ErrorCode::Unsupported, complaints_);
    code.object.assign(object.begin(), object.end());
    code.frameBytes = frameBytes(object);
    if (code.frameBytes > tier_.largestFrame)
      return refuse("values that live across barriers need " + std::to_string(code.frameBytes) +
                    " bytes for a work-group");
    if (unbounded) code.frameBytes = 0;
    return code;
  }

  const abi::CodeInput &input_;
  KernelRequest request_;
  const TierRules &tier_;
  PassWatch watch_;
  llvm::LLVMContext context_;
  std::string complaints_;
  std::unique_ptr<llvm::Module> module_;
};

} // namespace

Expected<abi::CodeData> generate(const abi::CodeInput &input, const abi::CompilerSettings &settings,
                                 std::vector<std::string> *remarks) {
  return Generation(input, settings.dumpDirectory, remarks).run();
}

} // namespace us::codegen
