// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do with programs: builds, binaries, and the variables and textures that programs name.
#include "tests/device_contract/contract_steps.h"

#include <random>

namespace us::test {

TEST_P(DeviceContract, BuildsAProgram) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kind(), ProgramKind::Executable);
  ASSERT_EQ(program->kernels().size(), 1u);
  EXPECT_EQ(program->kernels()[0].name, "twice");
  ASSERT_EQ(program->kernels()[0].arguments.size(), 1u);
  EXPECT_EQ(program->kernels()[0].arguments[0].kind, ArgumentKind::GlobalPointer);
  Expected<Ref<DeviceKernel>> none = program->kernel("thrice");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidKernelName);
}

TEST_P(DeviceContract, SaysWhyABuildFails) {
  BuildResult result = device->compile({GetParam().broken, "", {}, true});
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BuildProgramFailure);
  EXPECT_NE(result.log.find("error"), std::string::npos) << result.log;
  result = device->compile({GetParam().broken, "", {}, false});
  EXPECT_EQ(result.error().code, ErrorCode::CompileProgramFailure);
}

TEST_P(DeviceContract, CompilesThenLinks) {
  BuildResult object = device->compile({GetParam().twice, "", {}, false});
  ASSERT_TRUE(object) << object.log;
  EXPECT_EQ((*object)->kind(), ProgramKind::CompiledObject);
  EXPECT_TRUE((*object)->kernels().empty());
  BuildResult library = device->link({{*object}, "-create-library"});
  ASSERT_TRUE(library) << library.log;
  EXPECT_EQ((*library)->kind(), ProgramKind::Library);
  BuildResult executable = device->link({{*library}, ""});
  ASSERT_TRUE(executable) << executable.log;
  EXPECT_EQ((*executable)->kind(), ProgramKind::Executable);
  expectTwice(*device, **executable, 64, {0, 0, 0});
}

TEST_P(DeviceContract, BinariesComeBack) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  Expected<std::vector<std::byte>> binary = program->binary();
  ASSERT_TRUE(binary);
  Expected<Ref<DeviceProgram>> loaded = device->load(*binary);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->kind(), ProgramKind::Executable);
  ASSERT_EQ((*loaded)->kernels().size(), 1u);
  expectTwice(*device, **loaded, 64, {0, 0, 0});
}

TEST_P(DeviceContract, OtherBytesAreNoBinary) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes(random() % 300);
    for (std::byte &byte : bytes) byte = static_cast<std::byte>(random());
    Expected<Ref<DeviceProgram>> loaded = device->load(bytes);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::InvalidBinary);
  }
}

TEST_P(DeviceContract, VariablesAreMemoryOfTheProgram) {
  if (GetParam().textures.empty()) GTEST_SKIP() << "the device has neither";
  BuildResult built = device->compile({GetParam().textures, "", {}, true, GetParam().texturesLanguage});
  ASSERT_TRUE(built) << built.log;
  Expected<DeviceVariable> number = (*built)->variable("number");
  ASSERT_TRUE(number) << number.error().message;
  EXPECT_EQ(number->size, 4u);
  EXPECT_EQ((*built)->variable("number")->address, number->address);
  EXPECT_EQ((*built)->variable("none").error().code, ErrorCode::InvalidValue);
  EXPECT_EQ((*built)->textureVariable("number").error().code, ErrorCode::InvalidValue);
  auto *const place = reinterpret_cast<std::byte *>(number->address);
  EXPECT_EQ(take<uint32_t>(*device, place, 1)[0], 7u);
  put(*device, place, std::vector<uint32_t>{9});
  std::unique_ptr<DeviceMemory> out = allocate(*device, 4);
  ASSERT_TRUE(run(*device, launchOf(**built, "fetchNumber", {out->address()}, 1)));
  EXPECT_EQ(take<uint32_t>(*device, begin(*out), 1)[0], 9u);
}

TEST_P(DeviceContract, TexturesAreKnownByHandleOrVariable) {
  if (GetParam().textures.empty()) GTEST_SKIP() << "the device has neither";
  BuildResult built = device->compile({GetParam().textures, "", {}, true, GetParam().texturesLanguage});
  ASSERT_TRUE(built) << built.log;
  std::unique_ptr<DeviceMemory> texels = allocate(*device, 2 * 4096), out = allocate(*device, 4);
  put(*device, begin(*texels), std::vector<uint32_t>{11});
  put(*device, begin(*texels, 4096), std::vector<uint32_t>{22});
  Ref<DeviceTexture> textures[2];
  for (uint64_t i = 0; i < 2; ++i) {
    TextureRequest request;
    request.levels.push_back({.address = texels->address() + i * 4096,
                              .rowPitch = 16,
                              .slicePitch = 16,
                              .width = 4,
                              .height = 1,
                              .depth = 1,
                              .layers = 1,
                              .type = TexelType::UInt32,
                              .channels = 1,
                              .elementSize = 4,
                              .format = {ChannelOrder::R, ChannelType::UnsignedInt32}});
    request.sampling.staysInteger = true;
    request.sampling.addressing.fill(TextureAddressing::Clamp);
    Expected<Ref<DeviceTexture>> made = device->createTexture(request);
    ASSERT_TRUE(made) << made.error().message;
    textures[i] = std::move(*made);
    EXPECT_NE(textures[i]->handle(), 0u);
  }
  EXPECT_NE(textures[0]->handle(), textures[1]->handle());
  const auto fetched = [&](const char *kernel, std::vector<uint64_t> arguments) {
    arguments.insert(arguments.begin(), out->address());
    EXPECT_TRUE(run(*device, launchOf(**built, kernel, arguments, 1)));
    return take<uint32_t>(*device, begin(*out), 1)[0];
  };
  EXPECT_EQ(fetched("fetch", {textures[0]->handle()}), 11u);
  EXPECT_EQ(fetched("fetch", {textures[1]->handle()}), 22u);

  Expected<TextureVariable> bound = (*built)->textureVariable("texref.bound");
  ASSERT_TRUE(bound) << bound.error().message;
  for (const Ref<DeviceTexture> &texture : textures) {
    ASSERT_TRUE(run(*device, BindCommand{bound->address, texture.get()}));
    EXPECT_EQ(fetched("fetchBound", {}), texture == textures[0] ? 11u : 22u);
  }
  // A kernel with a stale handle finds zeros.
  const uint64_t stale = textures[0]->handle();
  textures[0] = nullptr;
  EXPECT_EQ(fetched("fetch", {stale}), 0u);
  EXPECT_EQ(fetched("fetch", {textures[1]->handle()}), 22u);
}

} // namespace us::test
