// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thousands of damaged modules: each is translated or refused with a message, and nothing crashes or hangs.
#include "tests/support/compile_source.h"

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

using Words = std::vector<uint32_t>;

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

/// Where instructions begin.
std::vector<size_t> placesOf(const Words &module) {
  std::vector<size_t> places;
  for (size_t place = 5; place < module.size() && module[place] >> 16 != 0; place += module[place] >> 16)
    places.push_back(place);
  return places;
}

void mutate(Words &module, std::mt19937 &random) {
  const auto below = [&](size_t limit) { return size_t(random() % std::max<size_t>(limit, 1)); };
  const std::vector<size_t> places = placesOf(module);
  if (places.empty()) return;
  const size_t place = places[below(places.size())];
  const size_t count = std::min<size_t>(module[place] >> 16, module.size() - place);
  switch (below(9)) {
  case 0: // any word becomes anything
    module[below(module.size())] = uint32_t(random());
    break;
  case 1: // an operand becomes another id
    module[place + below(count)] = uint32_t(below(module[3]));
    break;
  case 2: // a bit flips
    module[place + below(count)] ^= 1u << below(32);
    break;
  case 3: // another instruction of the same length
    module[place] = (module[place] & 0xFFFF0000) | uint32_t(below(420));
    break;
  case 4: // an instruction goes
    module.erase(module.begin() + ptrdiff_t(place), module.begin() + ptrdiff_t(place + count));
    break;
  case 5: { // one comes twice
    const Words copy(module.begin() + ptrdiff_t(place), module.begin() + ptrdiff_t(place + count));
    const size_t target = places[below(places.size())];
    module.insert(module.begin() + ptrdiff_t(target), copy.begin(), copy.end());
    break;
  }
  case 6: // the end is missing
    module.resize(below(module.size()));
    break;
  case 7: // two words change places
    std::swap(module[place + below(count)], module[below(module.size())]);
    break;
  case 8: // small numbers, as literals have them
    module[place + below(count)] = uint32_t(below(70));
    break;
  default:
    break;
  }
}

LanguageFacts everything() {
  LanguageFacts facts = tests::ampleFacts();
  for (const char *name :
       {"cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic",
        "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce",
        "cl_khr_subgroup_rotate", "cl_khr_expect_assume", "cl_khr_integer_dot_product"})
    facts.extensions.emplace_back(name);
  for (const char *name : {"__opencl_c_pipes", "__opencl_c_device_enqueue"}) facts.features.emplace_back(name);
  return facts;
}

TEST(Mutation, nothingCrashes) {
  const char *const wanted = std::getenv("US_MUTATIONS");
  const unsigned rounds = wanted ? unsigned(std::atoi(wanted)) : 4000;
  const char *const seed = std::getenv("US_MUTATION_SEED");
  const char *const keep = std::getenv("US_MUTATION_FILE"); // the module in progress, for whoever looks for a crash
  const std::vector<Words> seeds = seedModules();
  ASSERT_GT(seeds.size(), 20u);
  const LanguageFacts facts = everything();
  unsigned accepted = 0;
  const auto begin = std::chrono::steady_clock::now();
  tests::onLargeStack([&] {
    std::mt19937 random(seed ? unsigned(std::atoi(seed)) : 1);
    for (unsigned round = 0; round < rounds; ++round) {
      Words module = seeds[round % seeds.size()];
      const unsigned changes = round < seeds.size() ? 0 : 1 + random() % 4;
      for (unsigned i = 0; i < changes; ++i) mutate(module, random);
      if (keep) {
        std::ofstream file(keep, std::ios::binary);
        file.write(reinterpret_cast<const char *>(module.data()), std::streamsize(module.size() * 4));
      }
      const CompileResult result = compileSpirv({std::as_bytes(std::span(module)), {}, {}, false, facts});
      accepted += result.ok;
      if (changes == 0) {
        EXPECT_TRUE(result.ok || result.log.find("asks for") != std::string::npos ||
                    result.log.find("has operand") != std::string::npos)
            << round << ": " << result.log;
      }
      if (!result.ok) EXPECT_NE("", result.log);
    }
  });
  const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%u modules, %u translated, %.1f s\n", rounds, accepted, seconds);
  // An undamaged module takes milliseconds; no damage makes one that takes minutes.
  EXPECT_LT(seconds, 0.1 * rounds + 10);
}

} // namespace
} // namespace us::frontend
