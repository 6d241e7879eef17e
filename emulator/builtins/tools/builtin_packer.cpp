// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Build tool of the builtin library.
//   builtin_packer family IN.bc OUT.bc OUT.symbols   retarget to the host, optimise lightly, strip, list what it
//   defines builtin_packer index OUT.S NAME=FILE.bc,FILE.symbols …   the embedded bitcode and the symbol index, as
//   assembly
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "emulator/builtins/symbol_hash.h"
#include "emulator/builtins/tools/opaque_types.h"

using namespace llvm;

namespace {

// A function up to this many instructions is inlined wherever it is called; the others are left to the inliner.
constexpr unsigned kAlwaysInlineInstructions = 120;

[[noreturn]] void die(const Twine &message) {
  errs() << "builtin_packer: " << message << "\n";
  exit(1);
}

/// What each function of the machine may do to memory; without it no query would ever be hoisted out of a loop. The
/// others stay opaque and convergent.
enum class Effects { Query, Inaccessible, Memory, Convergent, NoReturn };
struct MachineFunction {
  StringRef name;
  Effects effects;
};
const MachineFunction kMachineFunctions[] = {
#define US_MACHINE_FUNCTION(name, signature, effects, ...) {"us." #name, Effects::effects},
#include "emulator/abi/machine_functions.def"
};

void annotateMachineFunctions(Module &module) {
  for (const MachineFunction &known : kMachineFunctions) {
    Function *function = module.getFunction(known.name);
    if (!function || (known.effects != Effects::Query && known.effects != Effects::Inaccessible)) continue;
    function->removeFnAttr(Attribute::Convergent);
    function->setMemoryEffects(known.effects == Effects::Query ? MemoryEffects::none()
                                                               : MemoryEffects::inaccessibleMemOnly());
    function->setWillReturn();
    function->setNoSync();
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::Convergent);
  }
}

/// Clang calls an intrinsic that is declared by label like any OpenCL function; the optimiser expects the plain form.
void normaliseIntrinsicCalls(Module &module) {
  for (Function &function : module) {
    if (!function.isIntrinsic()) continue;
    function.setCallingConv(CallingConv::C);
    function.setAttributes(Intrinsic::getAttributes(module.getContext(), function.getIntrinsicID()));
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCallingConv() != CallingConv::C) {
        call->setCallingConv(CallingConv::C);
        call->setAttributes({});
      }
  }
}

/// An image's descriptor does not change while a kernel runs, so that stores to pixels do not matter to it.
void markInvariant(Value &descriptor) {
  for (User *user : descriptor.users())
    if (auto *load = dyn_cast<LoadInst>(user))
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
    else if (isa<GetElementPtrInst>(user))
      markInvariant(*user);
}

/// OpenCL C has no way from an opaque value to what it is in kernel IR: the image family declares `us.image.*` for the
/// pointer to an image's descriptor and `us.sampler` for a sampler's bits, and here each call becomes its argument.
void openHandles(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    const bool image = function.getName().starts_with("us.image."), sampler = function.getName() == "us.sampler";
    if (!image && !sampler) continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallBase>(user);
      Value *handle = call->getArgOperand(0);
      if (sampler) handle = new PtrToIntInst(handle, call->getType(), "", call);
      call->replaceAllUsesWith(handle);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

/// Through slots too, which is how descriptors look before anything is optimised.
void markDescriptors(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *element = dyn_cast<GetElementPtrInst>(&instruction);
      auto *type = element ? dyn_cast<StructType>(element->getSourceElementType()) : nullptr;
      if (type && type->hasName() && type->getName().starts_with("struct.us_descriptor")) markInvariant(*element);
    }
}

void stripAttributesAndMetadata(Module &module) {
  static const StringRef kDropped[] = {"no-trapping-math",
                                       "stack-protector-buffer-size",
                                       "uniform-work-group-size",
                                       "frame-pointer",
                                       "min-legal-vector-width",
                                       "no-builtins",
                                       "target-cpu",
                                       "target-features",
                                       "denormal-fp-math",
                                       "denormal-fp-math-f32"};
  for (Function &function : module) {
    for (StringRef name : kDropped) function.removeFnAttr(name);
    function.setDoesNotThrow();
    function.clearMetadata();
    for (Argument &argument : function.args()) argument.setName("");
    for (BasicBlock &block : function) block.setName("");
    for (Instruction &instruction : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&instruction))
        for (StringRef name : kDropped) call->removeFnAttr(name);
      instruction.dropUnknownNonDebugMetadata({LLVMContext::MD_invariant_load, LLVMContext::MD_prof});
      instruction.setName("");
    }
  }
  while (!module.named_metadata_empty()) module.eraseNamedMetadata(&*module.named_metadata_begin());
  module.setSourceFileName("");
  module.setModuleIdentifier("");
}

void optimise(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  // No vectoriser and nothing that needs a cost model: the program that uses the function is optimised as a whole
  // later.
  auto scalarPasses = [] {
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass());
    return passes;
  };
  ModulePassManager passes;
  // What a family says of its rare cases becomes weights of branches, before anything moves these.
  passes.addPass(createModuleToFunctionPassAdaptor(LowerExpectIntrinsicPass()));
  passes.addPass(createModuleToFunctionPassAdaptor(scalarPasses()));
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(createModuleToFunctionPassAdaptor(scalarPasses()));
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
  passes.addPass(GlobalDCEPass());
  passes.run(module, modules);
}

/// A call of the machine must be inlined into the kernel (docs/ir-conventions.md); so must what is small, and what its
/// source calls hot: a math function that stays a call would keep a loop over work-items from being vectorised. What is
/// cold stays a call.
void markForInlining(Module &module) {
  std::vector<Function *> callers;
  auto mark = [&](Function &function) {
    if (function.isDeclaration() || function.hasFnAttribute("us-machine")) return;
    function.addFnAttr("us-machine");
    function.addFnAttr(Attribute::AlwaysInline);
    function.removeFnAttr(Attribute::NoInline);
    callers.push_back(&function);
  };
  auto markCallersOf = [&](Function &function) {
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user)) mark(*call->getFunction());
  };
  for (Function &function : module)
    if (function.getName().starts_with("us.")) markCallersOf(function);
  while (!callers.empty()) {
    Function *function = callers.back();
    callers.pop_back();
    markCallersOf(*function);
  }
  for (Function &function : module) {
    function.removeFnAttr("us-machine");
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::NoInline)) continue;
    if (function.hasFnAttribute(Attribute::Cold)) continue;
    if (function.getInstructionCount() <= kAlwaysInlineInstructions || function.hasFnAttribute(Attribute::Hot))
      function.addFnAttr(Attribute::AlwaysInline);
    function.removeFnAttr(Attribute::Hot); // it would also choose a section
    function.removeFnAttr(Attribute::InlineHint);
  }
}

void packFamily(StringRef input, StringRef output, StringRef symbols) {
  InitializeNativeTarget();
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("builtin_packer", errs());
    exit(1);
  }
  module = us::builtins::replaceOpaqueTypes(std::move(module));
  if (!module) die("replacing opaque types failed");

  std::string error;
  const std::string triple = sys::getDefaultTargetTriple();
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) die(error);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(triple, "", "", TargetOptions(), Reloc::PIC_));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());

  annotateMachineFunctions(*module);
  openHandles(*module);
  markDescriptors(*module);
  normaliseIntrinsicCalls(*module);
  stripAttributesAndMetadata(*module);
  optimise(*module, *machine);
  stripAttributesAndMetadata(*module);
  markForInlining(*module);
  if (verifyModule(*module, &errs())) die("invalid module: " + input);

  std::error_code failure;
  raw_fd_ostream bitcode(output, failure, sys::fs::OF_None);
  if (failure) die(output + ": " + failure.message());
  WriteBitcodeToFile(*module, bitcode);

  raw_fd_ostream list(symbols, failure, sys::fs::OF_None);
  if (failure) die(symbols + ": " + failure.message());
  for (Function &function : *module)
    if (!function.isDeclaration() && function.hasExternalLinkage()) list << function.getName() << "\n";
  // A variable with a name would clash when two programs hold it; families keep their tables static.
  for (GlobalVariable &variable : module->globals())
    if (variable.hasExternalLinkage()) die("external variable in " + input + ": " + variable.getName());
}

std::unique_ptr<MemoryBuffer> readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer) die(path + ": " + buffer.getError().message());
  return std::move(*buffer);
}

struct IndexedSymbol {
  std::string name;
  unsigned family;
};

void writeIndex(StringRef output, ArrayRef<const char *> families) {
  std::map<std::uint64_t, IndexedSymbol> symbols;
  std::vector<StringRef> names, bitcodeFiles;
  for (StringRef argument : families) {
    auto [name, files] = argument.split('=');
    auto [bitcode, symbolFile] = files.split(',');
    std::unique_ptr<MemoryBuffer> list = readFile(symbolFile);
    SmallVector<StringRef> lines;
    list->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines) {
      auto [at, fresh] = symbols.try_emplace(us::builtins::symbolHash({line.data(), line.size()}),
                                             IndexedSymbol{line.str(), unsigned(names.size())});
      if (!fresh) die(line + " of " + name + " meets " + at->second.name + " of " + names[at->second.family]);
    }
    names.push_back(name);
    bitcodeFiles.push_back(bitcode);
  }

  std::error_code failure;
  raw_fd_ostream out(output, failure, sys::fs::OF_Text);
  if (failure) die(output + ": " + failure.message());
  auto symbol = [&](StringRef name, unsigned alignment) {
    out << "  .balign " << alignment << "\n  .globl " << name << "\n  .hidden " << name << "\n" << name << ":\n";
  };
  out << "# Generated by builtin_packer: the embedded builtin library.\n  .section "
         ".rodata.us_builtins,\"a\",@progbits\n";
  symbol("us_builtin_family_count", 4);
  out << "  .long " << names.size() << "\n";
  symbol("us_builtin_symbol_count", 4);
  out << "  .long " << symbols.size() << "\n";
  symbol("us_builtin_families", 16);
  size_t nameOffset = 0;
  for (size_t i = 0; i < names.size(); nameOffset += names[i++].size())
    out << "  .long " << nameOffset << ", " << names[i].size() << ", .Lfamily" << i << " - us_builtin_bitcode, .Lend"
        << i << " - .Lfamily" << i << "\n";
  symbol("us_builtin_names", 1);
  for (StringRef name : names) out << "  .ascii \"" << name << "\"\n";
  symbol("us_builtin_hashes", 64);
  for (auto &[hash, indexed] : symbols) out << "  .quad " << hash << "\n";
  symbol("us_builtin_family_of_symbol", 64);
  for (auto &[hash, indexed] : symbols) out << "  .short " << indexed.family << "\n";
  symbol("us_builtin_bitcode", 64);
  for (size_t i = 0; i < bitcodeFiles.size(); ++i)
    out << "  .balign 16\n.Lfamily" << i << ":\n  .incbin \"" << bitcodeFiles[i] << "\"\n.Lend" << i << ":\n";
  out << "  .section .note.GNU-stack,\"\",@progbits\n";
}

} // namespace

int main(int givenCount, char **givenArguments) {
  // The list of families is longer than a command line may be: it comes in a response file.
  BumpPtrAllocator memory;
  SmallVector<const char *> arguments(givenArguments, givenArguments + givenCount);
  StringSaver saver(memory);
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, arguments);
  const size_t count = arguments.size();
  if (count == 5 && StringRef(arguments[1]) == "family")
    packFamily(arguments[2], arguments[3], arguments[4]);
  else if (count >= 3 && StringRef(arguments[1]) == "index")
    writeIndex(arguments[2], ArrayRef<const char *>(arguments).drop_front(3));
  else
    die("usage: family IN.bc OUT.bc OUT.symbols | index OUT.S NAME=FILE.bc,FILE.symbols …");
}
