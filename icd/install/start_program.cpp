// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/start_program.h"

#include "icd/install/cuda_toolkit.h"
#include "icd/install/vendors_directory.h"
#include "icd/platform/compose.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

namespace us::install {
namespace {

pid_t childProcess = 0;

/// The program's exit status: its code, or 128 plus the signal that ended it.
int waitFor(pid_t child, const std::function<void()> &meanwhile) {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 20'000'000};
  int status = 0;
  for (pid_t ended; (ended = waitpid(child, &status, meanwhile ? WNOHANG : 0)) != child;) {
    if (ended < 0 && errno != EINTR) {
      std::fprintf(stderr, "understudy: how the program ended is not known: %s\n", std::strerror(errno));
      return 125;
    }
    if (!meanwhile) continue;
    meanwhile();
    nanosleep(&kPause, nullptr);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A variable that lists folders has these, too, at its beginning.
void putFirst(const char *variable, const std::string &folders) {
  const char *const others = secure_getenv(variable);
  setenv(variable, others && *others ? (folders + ":" + others).c_str() : folders.c_str(), 1);
}

void enterCuda() {
  // Nothing but this puts our libcuda.so.1 before a real driver's.
  if (const std::string cuda = cudaDirectory(); !cuda.empty()) {
    putFirst("LD_LIBRARY_PATH", cuda);
    putFirst("LIBRARY_PATH", cuda); // where a compiler finds -lcuda, as if a driver were installed
  }
  // Clients compile CUDA C++ with the nvcc they find first, and look for headers and device functions in the folder
  // that one of these variables names.
  if (const std::string programs = cudaProgramsFolder(); !programs.empty()) {
    putFirst("PATH", programs);
    const std::string toolkit = programs.substr(0, programs.find_last_of('/'));
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"}) setenv(variable, toolkit.c_str(), 1);
  }
}

/// Who has a real device only keeps the toolkit that he has: its runtime, its compilers and their device functions.
void enterRealCuda() {
  const std::string cuda = cudaDirectory();
  if (cuda.empty()) return;
  const Expected<std::string> driver = cudaDriverDirectories(cuda);
  putFirst("LD_LIBRARY_PATH", driver ? *driver : cuda);
}

bool findsRealCudaOnly() {
  Options asked;
  for (const char *const name : {"DEVICES", "FORWARD"})
    if (const char *const text = secure_getenv((std::string("UNDERSTUDY_") + name).c_str()))
      (void)setOption(asked, name, text); // what is wrong with it the program will say
  return platform::mayListRealCudaOnly(asked);
}

} // namespace

int failed(const Error &error) {
  std::fprintf(stderr, "understudy: %s\n", error.message.c_str());
  return 125;
}

Expected<void> enterPlatform(const std::map<std::string, std::string> &options) {
  US_TRY(const std::string vendors, vendorsDirectory());
  setenv("OCL_ICD_VENDORS", vendors.c_str(), 1);
  // Khronos's loader adds these to ours; an old one, as in CUDA's toolkit, knows no other variable, and new ones know a
  // library that they have.
  if (const Expected<std::string> library = icdLibrary())
    setenv("OCL_ICD_FILENAMES", library->c_str(), 1);
  else
    unsetenv("OCL_ICD_FILENAMES");
  for (auto &[name, text] : options)
    if (!text.empty()) setenv(("UNDERSTUDY_" + name).c_str(), text.c_str(), 1);
  for (const char *option : {"INTERRUPT", "PROGRESS"})
    if (!options.contains(option)) setenv((std::string("UNDERSTUDY_") + option).c_str(), "1", 0);
  if (findsRealCudaOnly())
    enterRealCuda();
  else
    enterCuda();
  return {};
}

int becomeProgram(const std::vector<std::string> &program) {
  std::vector<char *> arguments;
  arguments.reserve(program.size() + 1);
  for (const std::string &argument : program) arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::fprintf(stderr, "understudy: cannot start '%s': %s\n", arguments[0], std::strerror(errno));
  return errno == ENOENT ? 127 : 126;
}

int runProgram(const std::vector<std::string> &program, const std::function<void()> &meanwhile) {
  // Whoever started us may have it ignored, which programs inherit; the kernel then forgets how a child ended.
  const auto childSignal = std::signal(SIGCHLD, SIG_DFL);
  childProcess = fork();
  if (childProcess < 0) {
    std::fprintf(stderr, "understudy: no process can be started: %s\n", std::strerror(errno));
    return 125;
  }
  if (childProcess == 0) {
    std::signal(SIGCHLD, childSignal);
    _exit(becomeProgram(program));
  }
  // Ctrl-C reaches the whole foreground group: the program decides, we wait for it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, [](int signal) { kill(childProcess, signal); });
  return waitFor(childProcess, meanwhile);
}

} // namespace us::install
