// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// generate, load, sourceLine, hostIdentity: what they give and what they refuse.
#include "emulator/codegen/codegen.h"
#include "emulator/codegen/host_target.h"
#include "tests/emulator/codegen/code_range.h"
#include "tests/emulator/codegen/kernel_runner.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <fstream>
#include <iterator>
#include <thread>

namespace us::test {
namespace {

const std::vector<char> &ir() {
  static const std::vector<char> bytes = [] {
    std::ifstream stream(US_KERNEL_DIRECTORY "/errors.bc", std::ios::binary);
    return std::vector<char>{std::istreambuf_iterator<char>(stream), {}};
  }();
  return bytes;
}

Expected<abi::CodeData> generated(const char *kernel, abi::Tier tier) {
  const LaunchShape shape{1, {256, 1, 1}, {256, 1, 1}};
  return codegen::generate({ir(), kernel, specializationFor(shape, tier)});
}

TEST(Generate, SaysWhichKernelIsMissing) {
  const Expected<abi::CodeData> output = generated("nobody", abi::Tier::Loop);
  EXPECT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::InvalidKernelName);
  EXPECT_NE(output.error().message.find("nobody"), std::string::npos);
}

TEST(Generate, RefusesBytesThatAreNoIr) {
  const std::string bytes = "these are not bitcode";
  const Expected<abi::CodeData> output = codegen::generate({bytes, "k", {}});
  EXPECT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::Internal);
}

// 32 KiB for each of 256 work-items: more than the loop tier may keep on a stack.
TEST(Generate, LeavesLargeFramesToTheFiberTier) {
  const Expected<abi::CodeData> loop = generated("large_private_array_across", abi::Tier::Loop);
  EXPECT_FALSE(loop);
  EXPECT_EQ(loop.error().code, ErrorCode::Unsupported);
  const Expected<abi::CodeData> fiber = generated("large_private_array_across", abi::Tier::Fiber);
  ASSERT_TRUE(fiber) << fiber.error().message;
  EXPECT_GE(fiber->frameBytes, 32u * 1024);
}

// A sub-group is a vector of work-items with neighbouring linear ids, which are known where all groups have one size.
TEST(Generate, LeavesSubGroupsOfGroupsThatDifferToTheFiberTier) {
  EXPECT_TRUE(generated("sub_groups", abi::Tier::Loop));
  abi::Specialization rows = specializationFor({2, {64, 64, 1}, {16, 16, 1}}, abi::Tier::Loop);
  EXPECT_TRUE(codegen::generate({ir(), "sub_groups", rows}));
  rows = specializationFor({2, {60, 64, 1}, {16, 16, 1}}, abi::Tier::Loop);
  const Expected<abi::CodeData> output = codegen::generate({ir(), "sub_groups", rows});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::Unsupported);
  rows.tier = abi::Tier::Fiber;
  EXPECT_TRUE(codegen::generate({ir(), "sub_groups", rows}));
}

// OpenCL C forbids recursion, but nothing stops a program from trying; the executor must know that the stack has no
// bound.
TEST(Generate, KnowsNoFrameOfARecursiveKernel) {
  const Expected<abi::CodeData> output = generated("recursive", abi::Tier::Fiber);
  ASSERT_TRUE(output) << output.error().message;
  EXPECT_EQ(output->frameBytes, 0u);
  EXPECT_GT(generated("store_on_line_six", abi::Tier::Fiber)->frameBytes, 0u);
}

// A thread keeps its code generator; what a new thread makes with a new one is the same.
TEST(Generate, MakesTheSameAfterOtherKernels) {
  std::vector<char> fresh, again;
  std::thread([&] { fresh = generated("store_on_line_six", abi::Tier::Loop)->object; }).join();
  for (const char *other : {"sub_groups", "recursive", "large_private_array_across", "store_on_line_six"}) {
    (void)generated(other, abi::Tier::Loop); // some are refused half way
    ASSERT_TRUE(generated(other, abi::Tier::Fiber));
  }
  again = generated("store_on_line_six", abi::Tier::Loop)->object;
  ASSERT_FALSE(fresh.empty());
  EXPECT_EQ(fresh, again);
}

TEST(Load, NamesWhatCannotBeFound) {
  const Expected<abi::CodeData> output = generated("calls_what_is_not_there", abi::Tier::Fiber);
  ASSERT_TRUE(output) << output.error().message;
  const Expected<abi::LoadedCode> loaded = codegen::load(*output, systemCodeMemory(), false);
  EXPECT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("missing"), std::string::npos) << loaded.error().message;
}

TEST(Load, FailsWithoutMemory) {
  const Expected<abi::CodeData> output = generated("store_on_line_six", abi::Tier::Loop);
  ASSERT_TRUE(output);
  abi::CodeMemory memory = systemCodeMemory();
  memory.allocate = [](void *, uint64_t) -> std::byte * { return nullptr; };
  const Expected<abi::LoadedCode> loaded = codegen::load(*output, memory, false);
  EXPECT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::OutOfResources);
}

TEST(Load, GivesTheRangeOfTheCode) {
  const Expected<abi::CodeData> output = generated("store_on_line_six", abi::Tier::Loop);
  ASSERT_TRUE(output);
  for (bool debuggers : {false, true}) {
    const Expected<abi::LoadedCode> loaded = codegen::load(*output, systemCodeMemory(), debuggers);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_LE(static_cast<void *>(loaded->codeBegin), loaded->entry);
    EXPECT_LT(loaded->entry, static_cast<void *>(loaded->codeEnd));
    codegen::unload(loaded->handle);
  }
}

TEST(SourceLine, FindsTheStore) {
  for (abi::Tier tier : {abi::Tier::Loop, abi::Tier::Fiber}) {
    const Expected<abi::CodeData> output = generated("store_on_line_six", tier);
    ASSERT_TRUE(output);
    const Expected<abi::LoadedCode> loaded = codegen::load(*output, systemCodeMemory(), false);
    ASSERT_TRUE(loaded);
    const uint64_t size = loaded->codeEnd - static_cast<std::byte *>(loaded->entry);
    bool found = false;
    for (uint64_t offset = 0; offset < size && !found; ++offset) {
      const abi::SourceLine line = codegen::sourceLine(*output, offset);
      found = line.line == 6 && line.file.ends_with("errors.cl") && line.function == "store_on_line_six";
    }
    EXPECT_TRUE(found);
    codegen::unload(loaded->handle);
  }
}

#if defined(__x86_64__)
// What a target lacks is asked of no machine: the code generator knows nothing of it.
TEST(TargetMachine, HasTheFeaturesOfItsTargetAlone) {
  const auto has = [](abi::Target target, const char *feature) {
    return codegen::targetMachine(target).getMCSubtargetInfo()->checkFeatures(feature);
  };
  EXPECT_TRUE(has(abi::Target::Sse42, "+sse4.2"));
  EXPECT_FALSE(has(abi::Target::Sse42, "+avx"));
  EXPECT_TRUE(has(abi::Target::Avx2, "+avx2,+fma"));
  EXPECT_FALSE(has(abi::Target::Avx2, "+fast-gather"));
  EXPECT_TRUE(has(abi::Target::Avx2Gather, "+avx2,+fast-gather"));
  EXPECT_FALSE(has(abi::Target::Avx2Gather, "+avx512f"));
  EXPECT_TRUE(has(abi::Target::Avx512, "+avx512vl,+avx512dq"));
}

/// The instructions of a function that keeps a vector while it calls another, as text.
std::string whatKeepsAVector(const char *type) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text = "declare void @other()\ndefine void @keeps(ptr %from, ptr %to) {\n%x = load " +
                           std::string(type) + ", ptr %from\ncall void @other()\nstore " + type +
                           " %x, ptr %to\nret void }\n";
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  const llvm::TargetMachine &machine = codegen::targetMachine(abi::Target::Avx2);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  codegen::alignStackForSpills(*module->getFunction("keeps"));
  llvm::SmallVector<char, 0> made;
  EXPECT_TRUE(codegen::emitObject(*module, made, {.target = abi::Target::Avx2, .assembly = true}));
  return {made.begin(), made.end()};
}

TEST(AlignStackForSpills, KeepsLongVectorsWithinCacheLines) {
  EXPECT_NE(whatKeepsAVector("<8 x float>").find("andq\t$-32, %rsp"), std::string::npos);
  EXPECT_EQ(whatKeepsAVector("<4 x float>").find("andq"), std::string::npos);
}
#endif

TEST(HostIdentity, NamesProcessorFeaturesAndVersion) {
  const std::string identity = codegen::hostIdentity();
  EXPECT_NE(identity.find("+sse2"), std::string::npos);
  EXPECT_NE(identity.find("LLVM 19"), std::string::npos);
  EXPECT_EQ(identity, codegen::hostIdentity());
}

} // namespace
} // namespace us::test
