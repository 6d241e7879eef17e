// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: builds, their states, links, binaries, kernels attached.
#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

class ProgramTest : public CoreTest {
protected:
  void SetUp() override {
    CoreTest::SetUp();
    addKernels(*device);
  }
  static void addKernels(FakeDevice &device) {
    for (const char *name : {"one", "two"})
      device.addKernel(test::fakeKernelInfo(name, {ArgumentKind::Value}),
                       [](const test::FakeLaunch &) { return Expected<void>(); });
  }
  BuildStatus status(Program &program) { return program.stateOn(*device)->status; }
};

TEST_F(ProgramTest, BeforeAnyBuildThereIsNothingAndNoError) {
  auto program = Program::fromSource(*context, "one");
  const auto state = program->stateOn(*device);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->status, BuildStatus::None);
  EXPECT_TRUE(state->log.empty());
  EXPECT_EQ(state->kind(), ProgramKind::None);
  EXPECT_TRUE(program->binaryFor(*device)->empty());
  EXPECT_EQ(program->kernelNames().error().code, ErrorCode::InvalidProgramExecutable);
  EXPECT_EQ(program->createKernel("one").error().code, ErrorCode::InvalidProgramExecutable);
}

TEST_F(ProgramTest, ABuildGivesKernels) {
  auto program = Program::fromSource(*context, "one two");
  ASSERT_TRUE(program->build({}, "-cl-opt"));
  EXPECT_EQ(status(*program), BuildStatus::Success);
  EXPECT_EQ(program->stateOn(*device)->options, "-cl-opt");
  EXPECT_EQ(program->stateOn(*device)->log, "built");
  EXPECT_EQ(*program->kernelNames(), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(program->createKernel("two"));
  EXPECT_EQ(program->createKernel("three").error().code, ErrorCode::InvalidKernelName);
}

TEST_F(ProgramTest, AFailedBuildLeavesItsLogAndCanBeRepeated) {
  auto program = Program::fromSource(*context, "one broken");
  EXPECT_EQ(program->build({}, "").error().code, ErrorCode::BuildProgramFailure);
  EXPECT_EQ(status(*program), BuildStatus::Failed);
  EXPECT_EQ(program->stateOn(*device)->log, "error: broken is not a kernel");
  EXPECT_EQ(program->createKernel("one").error().code, ErrorCode::InvalidProgramExecutable);
  EXPECT_EQ(program->build({}, "-bad").error().code, ErrorCode::InvalidBuildOptions);
}

TEST_F(ProgramTest, AttachedKernelsForbidABuild) {
  auto program = Program::fromSource(*context, "one");
  ASSERT_TRUE(program->build({}, ""));
  auto kernel = *program->createKernel("one");
  auto clone = kernel->clone();
  EXPECT_EQ(program->attachedKernels(), 2u);
  EXPECT_EQ(program->build({}, "").error().code, ErrorCode::InvalidOperation);
  kernel = nullptr;
  EXPECT_EQ(program->compile({}, "", {}).error().code, ErrorCode::InvalidOperation);
  clone = nullptr;
  EXPECT_TRUE(program->build({}, ""));
}

TEST_F(ProgramTest, ABuildWithACallbackIsObservedInProgress) {
  Gate gate;
  device->onBuild([&] { gate.pass(); });
  auto program = Program::fromSource(*context, "one");
  std::atomic<bool> called{false};
  std::thread::id thread;
  ASSERT_TRUE(program->build({}, "", [&] {
    thread = std::this_thread::get_id();
    EXPECT_EQ(status(*program), BuildStatus::Success);
    called = true;
  }));
  EXPECT_EQ(status(*program), BuildStatus::InProgress);
  EXPECT_EQ(program->build({}, "").error().code, ErrorCode::InvalidOperation);
  EXPECT_FALSE(called);
  gate.open();
  EXPECT_TRUE(eventually([&] { return called.load(); }));
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_TRUE(program->createKernel("one"));
}

TEST_F(ProgramTest, AFailedBuildWithACallbackCallsItToo) {
  auto program = Program::fromSource(*context, "broken");
  std::atomic<bool> called{false};
  ASSERT_TRUE(program->build({}, "", [&] { called = true; }));
  EXPECT_TRUE(eventually([&] { return called.load(); }));
  EXPECT_EQ(status(*program), BuildStatus::Failed);
  EXPECT_TRUE(eventually([&] { return errorCount() == 1; }));
}

TEST_F(ProgramTest, AProgramReleasedDuringItsBuildLivesUntilTheCallback) {
  Gate gate;
  device->onBuild([&] { gate.pass(); });
  std::atomic<bool> called{false};
  {
    auto program = Program::fromSource(*context, "one");
    ASSERT_TRUE(program->build({}, "", [&] { called = true; }));
  }
  gate.open();
  EXPECT_TRUE(eventually([&] { return called.load(); }));
}

TEST_F(ProgramTest, SeveralDevicesHaveStatesOfTheirOwn) {
  auto second = FakeDevice::create({.name = "second"});
  addKernels(*second);
  second->addKernel(test::fakeKernelInfo("only", {}), [](const test::FakeLaunch &) { return Expected<void>(); });
  auto both = Context::create({device, second});
  auto program = Program::fromSource(*both, "one only");
  EXPECT_EQ(program->build({}, "").error().code, ErrorCode::BuildProgramFailure);
  EXPECT_EQ(program->stateOn(*device)->status, BuildStatus::Failed);
  EXPECT_EQ(program->stateOn(*second)->status, BuildStatus::Success);
  auto kernel = *program->createKernel("only");
  EXPECT_EQ(kernel->devices().size(), 1u);
  EXPECT_TRUE(kernel->on(*second));
  EXPECT_EQ(kernel->on(*device).error().code, ErrorCode::InvalidProgramExecutable);
  auto foreign = FakeDevice::create();
  EXPECT_EQ(program->build(std::vector<Ref<Device>>{foreign}, "").error().code, ErrorCode::InvalidDevice);
  EXPECT_EQ(program->stateOn(*foreign).error().code, ErrorCode::InvalidDevice);
}

TEST_F(ProgramTest, KernelsThatDifferBetweenDevicesAreRefused) {
  auto second = FakeDevice::create();
  second->addKernel(test::fakeKernelInfo("one", {ArgumentKind::GlobalPointer}),
                    [](const test::FakeLaunch &) { return Expected<void>(); });
  auto both = Context::create({device, second});
  auto program = Program::fromSource(*both, "one");
  ASSERT_TRUE(program->build({}, ""));
  EXPECT_EQ(program->createKernel("one").error().code, ErrorCode::InvalidKernelDefinition);
}

TEST_F(ProgramTest, CompileWithHeadersAndLink) {
  auto header = Program::fromSource(*context, "two");
  auto part = Program::fromSource(*context, "one"), rest = Program::fromSource(*context, "two");
  ASSERT_TRUE(part->compile({}, "", {{"two.h", header}}));
  EXPECT_EQ(part->stateOn(*device)->kind(), ProgramKind::CompiledObject);
  Expected<void> outcome;
  const std::vector<Ref<Program>> inputs{part};
  auto linked = *Program::link(*context, {}, inputs, "", {}, &outcome);
  EXPECT_TRUE(outcome);
  EXPECT_EQ(linked->origin(), ProgramOrigin::Linked);
  EXPECT_EQ(*linked->kernelNames(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(linked->build({}, "").error().code, ErrorCode::InvalidOperation);

  const std::vector<Ref<Program>> mixed{part, rest};
  EXPECT_EQ(Program::link(*context, {}, mixed, "", {}, &outcome).error().code, ErrorCode::InvalidOperation);
  EXPECT_EQ(Program::link(*context, {}, {}, "", {}, &outcome).error().code, ErrorCode::InvalidValue);
}

TEST_F(ProgramTest, LibrariesAreLinkedAgain) {
  auto part = Program::fromSource(*context, "one");
  ASSERT_TRUE(part->compile({}, "", {}));
  Expected<void> outcome;
  const std::vector<Ref<Program>> parts{part};
  auto library = *Program::link(*context, {}, parts, "-create-library", {}, &outcome);
  EXPECT_EQ(library->stateOn(*device)->kind(), ProgramKind::Library);
  EXPECT_EQ(library->createKernel("one").error().code, ErrorCode::InvalidProgramExecutable);
  std::atomic<bool> called{false};
  const std::vector<Ref<Program>> libraries{library};
  auto whole = *Program::link(*context, {}, libraries, "", [&] { called = true; }, &outcome);
  EXPECT_TRUE(eventually([&] { return called.load(); }));
  EXPECT_TRUE(whole->createKernel("one"));
}

TEST_F(ProgramTest, BinariesRoundTrip) {
  auto program = Program::fromSource(*context, "one two");
  ASSERT_TRUE(program->build({}, ""));
  const auto bytes = *program->binaryFor(*device);
  const std::vector<Ref<Device>> devices{device};
  const std::vector<std::span<const std::byte>> binaries{bytes};
  auto loaded = *Program::fromBinaries(*context, devices, binaries);
  EXPECT_EQ(status(*loaded), BuildStatus::None);
  EXPECT_EQ(*loaded->binaryFor(*device), bytes);
  ASSERT_TRUE(loaded->build({}, ""));
  EXPECT_EQ(loaded->kernelNames()->size(), 2u);
  EXPECT_EQ(loaded->compile({}, "", {}).error().code, ErrorCode::InvalidOperation);
}

TEST_F(ProgramTest, CompiledBinariesAreLinkedByABuild) {
  auto program = Program::fromSource(*context, "one");
  ASSERT_TRUE(program->compile({}, "", {}));
  const auto bytes = *program->binaryFor(*device);
  const std::vector<Ref<Device>> devices{device};
  const std::vector<std::span<const std::byte>> binaries{bytes};
  auto loaded = *Program::fromBinaries(*context, devices, binaries);
  ASSERT_TRUE(loaded->build({}, ""));
  EXPECT_TRUE(loaded->createKernel("one"));
}

TEST_F(ProgramTest, ForeignBinariesAreRefusedOneByOne) {
  auto second = FakeDevice::create();
  auto both = Context::create({device, second});
  const std::string text = "something else";
  const std::vector<Ref<Device>> devices{device, second};
  const std::vector<std::span<const std::byte>> binaries{std::as_bytes(std::span(text)), {}};
  std::vector<Expected<void>> results;
  EXPECT_EQ(Program::fromBinaries(*both, devices, binaries, &results).error().code, ErrorCode::InvalidBinary);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].error().code, ErrorCode::InvalidBinary);
  EXPECT_EQ(results[1].error().code, ErrorCode::InvalidValue);
}

} // namespace
} // namespace us::core
