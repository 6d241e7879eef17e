// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build options of OpenCL 3.0 (section "Build Options") and earlier: what is accepted where, and what it means.
#include "frontend/opencl/build_options.h"

#include "frontend/frontend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace us::frontend::opencl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SplitOptions, SplitsAtWhiteSpace) {
  EXPECT_THAT(splitOptions("  -w\t-g\n-D  X "), ElementsAre("-w", "-g", "-D", "X"));
  EXPECT_TRUE(splitOptions("").empty());
  EXPECT_TRUE(splitOptions(" \t ").empty());
}

TEST(SplitOptions, QuotesAndBackslashesProtectSpaces) {
  EXPECT_THAT(splitOptions(R"(-I "a folder" -I'b folder' -I c\ folder)"),
              ElementsAre("-I", "a folder", "-Ib folder", "-I", "c folder"));
  EXPECT_THAT(splitOptions(R"(-DTEXT=\"hello\" "-DA=\"x y\"")"), ElementsAre("-DTEXT=\"hello\"", "-DA=\"x y\""));
  EXPECT_THAT(splitOptions(R"(-D "")"), ElementsAre("-D", ""));
}

TEST(BuildOptions, DefaultLanguageIsTheHighestOpenClC1) {
  EXPECT_EQ(parseBuildOptions("", BuildStep::Build)->languageVersion, 120u);
}

TEST(BuildOptions, LanguageVersions) {
  const std::pair<const char *, unsigned> versions[] = {{"-cl-std=CL1.0", 100},
                                                        {"-cl-std=CL1.1", 110},
                                                        {"-cl-std=CL1.2", 120},
                                                        {"-cl-std=CL2.0", 200},
                                                        {"-cl-std=CL3.0", 300}};
  for (const auto &[text, version] : versions)
    EXPECT_EQ(parseBuildOptions(text, BuildStep::Compile)->languageVersion, version) << text;
  EXPECT_FALSE(parseBuildOptions("-cl-std=CL2.1", BuildStep::Build));
  EXPECT_FALSE(parseBuildOptions("-cl-std=CL4.0", BuildStep::Build));
}

TEST(BuildOptions, DefinitionsAndIncludePathsKeepTheirOrder) {
  const Expected<BuildOptions> options = parseBuildOptions("-D A -DB=2 -I x -Iy -D C=3", BuildStep::Build);
  ASSERT_TRUE(options);
  EXPECT_THAT(options->definitions, ElementsAre("A", "B=2", "C=3"));
  EXPECT_THAT(options->includePaths, ElementsAre("x", "y"));
}

TEST(BuildOptions, EveryCompilerOptionIsAcceptedByBuildAndCompile) {
  const char *const all[] = {"-cl-single-precision-constant",
                             "-cl-denorms-are-zero",
                             "-cl-fp32-correctly-rounded-divide-sqrt",
                             "-cl-opt-disable",
                             "-cl-strict-aliasing",
                             "-cl-uniform-work-group-size",
                             "-cl-no-subgroup-ifp",
                             "-cl-mad-enable",
                             "-cl-no-signed-zeros",
                             "-cl-unsafe-math-optimizations",
                             "-cl-finite-math-only",
                             "-cl-fast-relaxed-math",
                             "-w",
                             "-Werror",
                             "-cl-std=CL3.0",
                             "-cl-kernel-arg-info",
                             "-g",
                             "-D X",
                             "-I ."};
  for (const char *option : all) {
    EXPECT_TRUE(parseBuildOptions(option, BuildStep::Build)) << option;
    EXPECT_TRUE(parseBuildOptions(option, BuildStep::Compile)) << option;
  }
}

TEST(BuildOptions, FlagsAreSet) {
  const Expected<BuildOptions> options = parseBuildOptions(
      "-cl-mad-enable -w -Werror -g -cl-opt-disable -cl-uniform-work-group-size -cl-single-precision-constant",
      BuildStep::Build);
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->madEnable);
  EXPECT_FALSE(options->warnings);
  EXPECT_TRUE(options->warningsAreErrors);
  EXPECT_TRUE(options->debugInfo);
  EXPECT_FALSE(options->optimise);
  EXPECT_TRUE(options->uniformWorkGroups);
  EXPECT_TRUE(options->singlePrecisionConstant);
  EXPECT_FALSE(options->fastRelaxedMath);
}

TEST(BuildOptions, AnUnknownOptionIsTheErrorOfItsStepAndIsNamed) {
  const std::pair<BuildStep, ErrorCode> steps[] = {{BuildStep::Build, ErrorCode::InvalidBuildOptions},
                                                   {BuildStep::Compile, ErrorCode::InvalidCompilerOptions},
                                                   {BuildStep::Link, ErrorCode::InvalidLinkerOptions}};
  for (const auto &[step, code] : steps) {
    const Expected<BuildOptions> options = parseBuildOptions("-cl-unheard-of", step);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().code, code);
    EXPECT_THAT(options.error().message, HasSubstr("'-cl-unheard-of'"));
  }
}

TEST(BuildOptions, AMissingArgumentIsAnError) {
  EXPECT_FALSE(parseBuildOptions("-D", BuildStep::Build));
  EXPECT_FALSE(parseBuildOptions("-w -I", BuildStep::Build));
  EXPECT_FALSE(parseBuildOptions("-D \"\"", BuildStep::Build));
}

TEST(BuildOptions, AStrayWordIsAnError) { EXPECT_FALSE(parseBuildOptions("fast", BuildStep::Build)); }

TEST(BuildOptions, CompilerAndLinkerOptionsDoNotMix) {
  EXPECT_FALSE(parseBuildOptions("-create-library", BuildStep::Build));
  EXPECT_FALSE(parseBuildOptions("-create-library", BuildStep::Compile));
  EXPECT_FALSE(parseBuildOptions("-Werror", BuildStep::Link));
  EXPECT_FALSE(parseBuildOptions("-D X", BuildStep::Link));
}

TEST(LinkOptions, LibraryOptions) {
  EXPECT_FALSE(parseLinkOptions("")->createLibrary);
  EXPECT_TRUE(parseLinkOptions("-create-library")->createLibrary);
  EXPECT_TRUE(parseLinkOptions("-create-library -enable-link-options")->enableLinkOptions);
  // "This option must be specified with the create-library option."
  ASSERT_FALSE(parseLinkOptions("-enable-link-options"));
  EXPECT_EQ(parseLinkOptions("-enable-link-options").error().code, ErrorCode::InvalidLinkerOptions);
}

TEST(LinkOptions, EveryProgramLinkOptionIsAccepted) {
  const char *const all[] = {"-cl-denorms-are-zero", "-cl-no-signed-zeroes",  "-cl-unsafe-math-optimizations",
                             "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp"};
  for (const char *option : all) EXPECT_TRUE(parseLinkOptions(option)) << option;
}

} // namespace
} // namespace us::frontend::opencl
