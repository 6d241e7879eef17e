// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target's short form, a test like any other: the seeds, then so many damaged ones, the same each time.
//
//   fuzz_TARGET_short ROUNDS [SEED]   what it finds is kept as fuzz_TARGET_short.found
//   fuzz_TARGET_short FILE…           runs these inputs only
#include "tests/fuzz/fuzz_target.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

std::string input, foundFile;

void keepInput(int number) {
  const int file = open(foundFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, input.data(), input.size()) == ssize_t(input.size())) {
    const char text[] = "the input is kept as ";
    (void)!write(2, text, sizeof text - 1);
    (void)!write(2, foundFile.data(), foundFile.size());
    (void)!write(2, "\n", 1);
  }
  std::signal(number, SIG_DFL);
  raise(number);
}

void runOne(std::string text) {
  input = std::move(text);
  us::fuzz::run(input);
}

} // namespace

int main(int argumentCount, char **arguments) {
  if (argumentCount < 2) return 2;
  foundFile = std::string(arguments[0]) + ".found";
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(number, keepInput);
  char *end = nullptr;
  const unsigned long rounds = std::strtoul(arguments[1], &end, 10);
  if (*end != '\0') {
    for (int i = 1; i < argumentCount; ++i) {
      std::ostringstream bytes;
      bytes << std::ifstream(arguments[i], std::ios::binary).rdbuf();
      runOne(std::move(bytes).str());
    }
    return 0;
  }
  us::fuzz::Random random(argumentCount > 2 ? unsigned(std::atoi(arguments[2])) : 1);
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> seeds = us::fuzz::seeds();
  if (seeds.empty()) us::fuzz::found("the target has no seeds");
  for (const std::string &seed : seeds) runOne(seed);
  for (unsigned long round = 0; round < rounds; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (unsigned changes = 1 + random() % 6; changes > 0; --changes)
      if (random() % 2 || !us::fuzz::damage(text, random)) us::fuzz::damageBytes(text, random);
    runOne(std::move(text));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%zu seeds and %lu damaged ones in %.1f s\n", seeds.size(), rounds, took.count());
  return 0;
}
