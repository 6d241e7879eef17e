// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/host_compiler.h"

#include "frontend/cuda/include_folders.h"
#include "frontend/cuda/open_mp.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace us::frontend::cuda {
namespace {
namespace fs = std::filesystem;

/// -ccbin names the compiler, or the folder that it is in.
std::string programOf(const std::string &named) {
  std::error_code error;
  if (named.empty()) return "g++";
  return fs::is_directory(named, error) ? (fs::path(named) / "g++").string() : named;
}

std::string wordOf(const LinkItem &item) {
  return item.object ? "/proc/self/fd/" + std::to_string(item.object->descriptor()) : item.word;
}

/// A file among the inputs: g++ takes C for C++.
std::vector<std::string> wordsOf(const LinkItem &item) {
  if (!item.object && item.word.ends_with(".c")) return {"-x", "c", item.word, "-x", "none"};
  return {wordOf(item)};
}

void append(std::vector<std::string> &words, const std::vector<std::string> &more) {
  words.insert(words.end(), more.begin(), more.end());
}

} // namespace

Expected<MemoryObject> memoryObject(std::string_view content) {
  US_TRY(MemoryObject object, MemoryFile::create("object"));
  US_CHECK(object->resize(content.size()));
  US_CHECK(object->write(0, content.data(), content.size()));
  return object;
}

HostCompiler::HostCompiler(const CommandLine &line, CudaRelease release, std::string toolkit)
    : line_(line), release_(release), toolkit_(std::move(toolkit)), program_(programOf(line.hostCompiler)) {}

std::vector<std::string> HostCompiler::compileOptions() const {
  std::vector<std::string> words = otherToolkitsBehind(line_.clang);
  append(words, line_.dependencies);
  words.push_back("-DCUDART_VERSION=" + std::to_string(release_.number()));
  append(words, {"-isystem", toolkit_ + "/include"});
  if (line_.host.ownDefaultStreams) words.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (line_.host.debug) words.push_back("-g");
  words.push_back("-O" + line_.host.optimisation);
  if (line_.shared) words.push_back("-fPIC");
  append(words, line_.host.compiler);
  return words;
}

std::vector<std::string> HostCompiler::libraryOptions() const {
  std::vector<std::string> words = {"-L" + toolkit_ + "/lib64/stubs"};
  // The layouts of the structures of each release are a library's.
  if (release_.major < 13) words.push_back("-L" + toolkit_ + "/lib64/cuda12");
  words.push_back("-L" + toolkit_ + "/lib64");
  return words;
}

Expected<int> HostCompiler::compile(const std::string &source, const std::string &object) const {
  std::vector<std::string> words = {program_};
  append(words, compileOptions());
  append(words, {"-c", "-o", object});
  append(words, wordsOf({source}));
  return run(words);
}

Expected<int> HostCompiler::link(std::span<const LinkItem> items, const std::string &output) const {
  std::vector<std::string> words = {program_};
  append(words, compileOptions());
  if (line_.shared) words.push_back("-shared");
  append(words, {"-o", output});
  // Also before the folders that a program names, of which one may be the toolkit's.
  if (release_.major < 13) words.push_back("-L" + toolkit_ + "/lib64/cuda12");
  append(words, line_.link);
  append(words, libraryOptions());
  // What Clang has made of OpenMP calls its own library, which knows the calls of g++'s code, too.
  const OpenMpFolders openMp = asksForOpenMp(line_.host.compiler) ? openMpFolders() : OpenMpFolders();
  if (!openMp.library.empty()) append(words, {"-L" + openMp.library, "-Wl,--no-as-needed", "-lomp", "-Wl,--as-needed"});
  // Libraries may stand before what needs them.
  words.push_back("-Wl,--start-group");
  for (const LinkItem &item : items)
    if (!item.word.starts_with("-l")) append(words, wordsOf(item));
  for (const LinkItem &item : items)
    if (item.word.starts_with("-l")) words.push_back(item.word);
  if (line_.runtime == "static") append(words, {"-lcudart_static", "-lrt", "-lpthread", "-ldl"});
  if (line_.runtime == "shared") words.push_back("-lcudart");
  words.push_back("-Wl,--end-group");
  return run(words, items);
}

Expected<int> HostCompiler::archive(std::span<const LinkItem> items, const std::string &output) const {
  std::vector<std::string> words = {"ar", "qcs", output};
  for (const LinkItem &item : items) words.push_back(wordOf(item));
  return run(words, items);
}

Expected<int> HostCompiler::emptyObject(const std::string &output) const {
  return run({program_, "-x", "c", "-c", "/dev/null", "-o", output});
}

Expected<int> HostCompiler::linkDeviceCode(std::span<const std::string> inputs, const std::string &architecture,
                                           const std::string &output) const {
  std::vector<std::string> words = {toolkit_ + "/bin/nvlink", "-arch=" + architecture};
  for (const std::string &option : line_.link)
    if (option.starts_with("-L")) words.push_back(option);
  for (const std::string &option : libraryOptions())
    if (option.starts_with("-L")) words.push_back(option);
  words.insert(words.end(), inputs.begin(), inputs.end());
  words.insert(words.end(), {"-o", output});
  return run(words);
}

Expected<int> HostCompiler::start(const std::string &program) const { return run({fs::absolute(program).string()}); }

Expected<int> HostCompiler::run(const std::vector<std::string> &words, std::span<const LinkItem> items) const {
  if (line_.dryRun || line_.verbose) {
    std::string text = "#$";
    for (const std::string &word : words) text += " \"" + word + "\"";
    std::fprintf(stderr, "%s\n", text.c_str());
    if (line_.dryRun) return 0;
  }
  std::vector<char *> arguments;
  for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A descriptor that is copied to itself is inherited.
  for (const LinkItem &item : items)
    if (item.object) posix_spawn_file_actions_adddup2(&actions, item.object->descriptor(), item.object->descriptor());
  std::fflush(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return fail(
        ErrorCode::OutOfResources,
        "'" + words[0] + "' cannot be started: " + std::strerror(error) +
            (words[0] == program_ ? " (it compiles and links what is the host's; -ccbin names another one)" : ""));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return fail(ErrorCode::Internal, std::string("waitpid: ") + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace us::frontend::cuda
