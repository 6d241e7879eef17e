// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us-opt: runs passes, ours by the names of emulator/codegen/passes.def and LLVM's by LLVM's names, on a module, and
// prints the module; print<NAME> writes an analysis of emulator/codegen/analysis/analyses.def to standard error. What
// the text tests of passes run.
#include "emulator/abi/check_classes.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/host_target.h"
#include "emulator/codegen/pass_table.h"
#include "emulator/codegen/pipeline.h"
#include "frontend/frontend.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace {

namespace cl = llvm::cl;
cl::OptionCategory category("us-opt");
cl::opt<std::string> input(cl::Positional, cl::desc("<module.ll or .bc, - is standard input>"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> passes("passes", cl::desc("comma-separated passes, in order"), cl::cat(category));
cl::opt<std::string> kernel("kernel", cl::desc("the kernel that passes of one kernel work on"), cl::cat(category));
cl::list<std::string> stages("stage", cl::desc("comma-separated stages of the product, in order, before -passes"),
                             cl::CommaSeparated, cl::cat(category));
cl::opt<std::string> tier("tier", cl::desc("execution tier"), cl::init("loop"), cl::cat(category));
cl::opt<bool> baseline("baseline", cl::desc("baseline code"), cl::cat(category));
cl::list<unsigned> localSize("local-size", cl::desc("constant local size, comma-separated"), cl::CommaSeparated,
                             cl::cat(category));
cl::opt<unsigned> workDimensions("work-dimensions", cl::init(3), cl::cat(category));
cl::opt<bool> smallIndex("small-index", cl::desc("every global id is below 2^31"), cl::cat(category));
cl::opt<bool> zeroOffset("zero-offset", cl::desc("the global offset is zero"), cl::cat(category));
cl::opt<unsigned> vectorPlan("vector-plan", cl::init(0),
                             cl::desc("work-items side by side: 0 where faster, 1 always, 2 never"), cl::cat(category));
cl::opt<std::string> target("target", cl::desc("the processor, as the option TARGET has it"), cl::init("host"),
                            cl::cat(category));
cl::opt<unsigned> subGroupSize("sub-group-size", cl::desc("work-items of a sub-group"), cl::init(32),
                               cl::cat(category));
cl::opt<bool> ragged("ragged", cl::desc("a group at an edge may be smaller"), cl::cat(category));
cl::list<unsigned> opaque("opaque", cl::desc("image and sampler arguments as Specialization::opaque has them"),
                          cl::CommaSeparated, cl::cat(category));
cl::opt<std::string> checks("checks", cl::desc("what checked execution looks for, as the option CHECK has it"),
                            cl::cat(category));
cl::opt<uint64_t> counters("counters", cl::desc("where count_lines puts its counters"), cl::cat(category));
cl::opt<std::string> exhaustive("exhaustive", cl::desc("checks of which nothing is left out"), cl::cat(category));
cl::opt<bool> tellsAccesses("tells-accesses", cl::desc("of global memory that races, the runtime is told all accesses"),
                            cl::cat(category));
cl::opt<uint64_t> followed("followed", cl::desc("arguments as Specialization::followed has them"), cl::cat(category));
cl::opt<uint64_t> copied("copied", cl::desc("arguments as Specialization::copied has them"), cl::cat(category));
cl::opt<bool> il("il", cl::desc("the input is a SPIR-V module"), cl::cat(category));
cl::opt<bool> ptx("ptx", cl::desc("the input is PTX"), cl::cat(category));
cl::list<std::string> specializations("specialize", cl::desc("ID=VALUE: a specialization constant of 32 bits"),
                                      cl::cat(category));
cl::opt<bool> noVerify("no-verify", cl::desc("do not verify the result"), cl::cat(category));

us::codegen::KernelRequest requestFromOptions() {
  us::codegen::KernelRequest request;
  request.kernel = kernel;
  us::abi::Specialization &specialization = request.specialization;
  specialization.tier = us::abi::tierNamed(tier.getValue()).value_or(us::abi::Tier::Loop);
  specialization.target = us::abi::targetNamed(target.getValue()).value_or(us::abi::Target::Host);
  specialization.baseline = baseline;
  specialization.workDimensions = workDimensions;
  for (unsigned i = 0; i < localSize.size() && i < 3; ++i) specialization.localSize[i] = localSize[i];
  if (!localSize.empty())
    for (unsigned i = unsigned(localSize.size()); i < 3; ++i) specialization.localSize[i] = 1;
  specialization.smallIndex = smallIndex;
  specialization.zeroOffset = zeroOffset;
  specialization.subGroupSize = subGroupSize;
  specialization.ragged = ragged;
  specialization.vectorPlan = us::abi::VectorPlan(vectorPlan.getValue());
  specialization.instrumentation = us::abi::checksNamed(checks.getValue());
  specialization.exhaustive = us::abi::checksNamed(exhaustive.getValue());
  specialization.counters = counters;
  specialization.tellsAccesses = tellsAccesses;
  specialization.followed = followed;
  specialization.copied = copied;
  for (unsigned i = 0; i < opaque.size() && i < us::abi::kOpaqueArguments; ++i)
    specialization.opaque[i] = uint16_t(opaque[i]);
  return request;
}

int fail(const llvm::Twine &message) {
  llvm::errs() << "us-opt: " << message << "\n";
  return 1;
}

/// A device that lacks nothing a SPIR-V module may ask for.
us::LanguageFacts everything() {
  return {.extensions = {"cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_subgroup_non_uniform_vote",
                         "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle",
                         "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce",
                         "cl_khr_subgroup_rotate", "cl_khr_extended_bit_ops", "cl_khr_expect_assume",
                         "cl_khr_integer_dot_product", "cl_khr_mipmap_image"},
          .features = {"__opencl_c_generic_address_space", "__opencl_c_subgroups", "__opencl_c_images",
                       "__opencl_c_read_write_images", "__opencl_c_pipes", "__opencl_c_device_enqueue"}};
}

/// Reads the input with that front end; the log goes to standard error. (With a table of all of them Clang would be
/// linked in.)
us::Expected<us::frontend::KernelModule> moduleFrom(decltype(us::frontend::compile) &frontEnd) {
  const auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file) {
    llvm::errs() << "the file cannot be read\n";
    return us::fail(us::ErrorCode::InvalidValue);
  }
  us::CompileRequest request{(*file)->getBuffer(), {}, {}, false};
  for (const std::string &text : specializations) {
    const auto [id, number] = llvm::StringRef(text).split('=');
    uint32_t value = 0;
    us::SpecializationValue one;
    id.getAsInteger(0, one.id);
    number.getAsInteger(0, value);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    one.bytes.assign(bytes.begin(), bytes.end());
    request.specializations.push_back(std::move(one));
  }
  us::Logged<us::frontend::KernelModule> made = frontEnd(request, everything());
  llvm::errs() << made.log;
  return made;
}

} // namespace

int main(int count, char **arguments) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(count, arguments, "runs passes on kernel IR\n");

  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  us::Expected<us::frontend::KernelModule> made;
  if (il || ptx) {
    made = moduleFrom(il ? us::frontend::compileSpirv : us::frontend::compilePtx);
    if (!made) return 1;
  }
  const std::unique_ptr<llvm::Module> module =
      il || ptx ? std::move(made->module) : llvm::parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("us-opt", llvm::errs());
    return 1;
  }

  const us::codegen::KernelRequest request = requestFromOptions();
  // Stages know the machine, as in the product; single passes give the same everywhere.
  us::codegen::Analyses analyses(stages.empty() ? nullptr : &us::codegen::targetMachine(request.specialization.target));
  llvm::PassBuilder builder;
  builder.registerPipelineParsingCallback(
      [&](llvm::StringRef name, llvm::ModulePassManager &manager, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        return us::codegen::addPassByName(name, request, manager);
      });
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::FunctionPassManager &manager, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        return us::codegen::addPrinterByName(name, manager);
      });
  if (!us::abi::tierNamed(tier.getValue())) return fail("there is no tier '" + tier + "'");
  if (!us::abi::targetNamed(target.getValue())) return fail("there is no target '" + target + "'");
  llvm::ModulePassManager manager;
  for (const std::string &name : stages) {
    const std::optional<us::codegen::Stage> stage = us::codegen::stageNamed(name);
    if (!stage) return fail("there is no stage '" + name + "'");
    addStage(manager, *stage, request);
  }
  if (!passes.empty())
    if (llvm::Error error = builder.parsePassPipeline(manager, passes)) return fail(llvm::toString(std::move(error)));
  manager.run(*module, *analyses.module);
  if (!noVerify && llvm::verifyModule(*module, &llvm::errs())) return fail("the result is not valid IR");
  module->print(llvm::outs(), nullptr);
}
