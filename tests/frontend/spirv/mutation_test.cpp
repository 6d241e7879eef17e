// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thousands of damaged modules: each is translated or refused with a message, and nothing crashes or hangs.
#include "tests/frontend/spirv/damage_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace us::frontend {
namespace {

using tests::Words;

std::vector<Words> seedModules() {
  std::vector<std::filesystem::path> files;
  std::istringstream folders(US_MODULE_DIRECTORIES);
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Words> modules;
  for (const std::filesystem::path &path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    modules.push_back(std::move(words));
  }
  return modules;
}

TEST(Mutation, nothingCrashes) {
  const char *const wanted = std::getenv("US_MUTATIONS");
  const unsigned rounds = wanted ? unsigned(std::atoi(wanted)) : 4000;
  const char *const seed = std::getenv("US_MUTATION_SEED");
  const char *const keep = std::getenv("US_MUTATION_FILE"); // the module in progress, for whoever looks for a crash
  const std::vector<Words> seeds = seedModules();
  ASSERT_GT(seeds.size(), 20u);
  const LanguageFacts facts = tests::everything();
  unsigned accepted = 0;
  const auto begin = std::chrono::steady_clock::now();
  tests::onLargeStack([&] {
    std::mt19937 random(seed ? unsigned(std::atoi(seed)) : 1);
    for (unsigned round = 0; round < rounds; ++round) {
      Words module = seeds[round % seeds.size()];
      const unsigned changes = round < seeds.size() ? 0 : 1 + random() % 4;
      for (unsigned i = 0; i < changes; ++i) tests::damageModule(module, random);
      if (keep) {
        std::ofstream file(keep, std::ios::binary);
        file.write(reinterpret_cast<const char *>(module.data()), std::streamsize(module.size() * 4));
      }
      const std::string_view bytes(reinterpret_cast<const char *>(module.data()), module.size() * 4);
      const Logged<KernelModule> result = compileSpirv({bytes, {}, {}, false}, facts);
      accepted += result.has_value();
      if (changes == 0) {
        EXPECT_TRUE(result || result.log.find("asks for") != std::string::npos ||
                    result.log.find("has operand") != std::string::npos)
            << round << ": " << result.log;
      }
      if (!result) EXPECT_NE("", result.log);
    }
  });
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%u modules, %u translated, %.1f s\n", rounds, accepted, seconds);
  // An undamaged module takes milliseconds; no damage makes one that takes minutes.
  EXPECT_LT(seconds, 0.1 * rounds + 10);
}

} // namespace
} // namespace us::frontend
