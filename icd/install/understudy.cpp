// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `understudy` command: `run` starts any program on our platform with nothing installed system-wide; `info` lists
// what is there; `doctor` says what is wrong.
#include "icd/install/cuda_toolkit.h"
#include "icd/install/device_report.h"
#include "icd/install/doctor.h"
#include "icd/install/run_summary.h"
#include "icd/install/vendors_directory.h"
#include "runtime/base/c_locale.h"
#include "runtime/base/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace us::install {
namespace {

/// "MAX_WORK_GROUP_SIZE" -> "--max-work-group-size".
std::string flagOf(std::string_view option) {
  std::string flag = "--";
  for (char c : option) flag += c == '_' ? '-' : lowerCase(c);
  return flag;
}

/// One flag for each row of the options table; `chosen` receives what was given.
void addOptionFlags(CLI::App &command, std::map<std::string, std::string> &chosen) {
  for (const OptionRow &row : optionRows()) {
    std::string name(row.name);
    command
        .add_option_function<std::string>(
            flagOf(name),
            [&chosen, name](const std::string &text) {
              Options scratch;
              if (auto set = setOption(scratch, name, text); !set)
                throw CLI::ValidationError(flagOf(name), set.error().message);
              chosen[name] = text;
            },
            std::string(row.sentence) + " [" + std::string(row.defaultValue) + "]")
        ->type_name(std::string(row.type));
  }
}

enum class Takes : uint8_t { Nothing, YesOrNo, Value };

Takes takenBy(const std::string &flag) {
  if (flag == "--require-launches" || flag == "--library") return Takes::Value;
  if (flag == "--summary") return Takes::Nothing; // `run` has its own
  for (const OptionRow &row : optionRows())
    if (flagOf(row.name) == flag) return row.type == "Flag" ? Takes::YesOrNo : Takes::Value;
  return Takes::Nothing;
}

bool saysYesOrNo(const std::string &text) {
  Options scratch;
  return setOption(scratch, "TRACE", text).has_value();
}

/// The command line, in which every flag has a value: one that nothing follows, or something that is no yes or no,
/// means yes. (The parser takes what follows for the value, be it "--" or the program.)
std::vector<std::string> withFlagValues(int count, char **arguments) {
  std::vector<std::string> line(arguments + 1, arguments + count);
  for (size_t at = 1; at < line.size(); ++at) {
    // Here the program begins, and its own options.
    if (line[at] == "--" || !line[at].starts_with("--")) break;
    if (line[at].find('=') != std::string::npos) continue;
    const Takes takes = takenBy(line[at]);
    if (takes == Takes::YesOrNo && !(at + 1 < line.size() && saysYesOrNo(line[at + 1])))
      line[at] += "=true";
    else if (takes != Takes::Nothing)
      ++at;
  }
  return line;
}

struct RunRequest {
  std::map<std::string, std::string> options;
  std::vector<std::string> program;
  std::string summary; ///< empty: none is asked for
  uint64_t requiredLaunches = 0;
};

pid_t childProcess = 0;

/// The program's exit status: its code, or 128 plus the signal that ended it.
int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      std::fprintf(stderr, "understudy: how the program ended is not known: %s\n", std::strerror(errno));
      return 125;
    }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(const RunRequest &request) {
  Expected<std::string> vendors = vendorsDirectory();
  if (!vendors) {
    std::fprintf(stderr, "understudy: %s\n", vendors.error().message.c_str());
    return 125;
  }
  setenv("OCL_ICD_VENDORS", vendors->c_str(), 1);
  // Nothing but this puts our libcuda.so.1 before a real driver's.
  if (const std::string cuda = cudaDirectory(); !cuda.empty()) {
    const char *const others = secure_getenv("LD_LIBRARY_PATH");
    setenv("LD_LIBRARY_PATH", others && *others ? (cuda + ":" + others).c_str() : cuda.c_str(), 1);
  }
  // Clients compile CUDA C++ with the nvcc they find first.
  if (const std::string programs = cudaProgramsFolder(); !programs.empty()) {
    const char *const others = secure_getenv("PATH");
    setenv("PATH", others && *others ? (programs + ":" + others).c_str() : programs.c_str(), 1);
  }
  // Khronos's loader adds these to ours; an old one, as in CUDA's toolkit, knows no other variable, and new ones know a
  // library that they have.
  if (const Expected<std::string> library = icdLibrary())
    setenv("OCL_ICD_FILENAMES", library->c_str(), 1);
  else
    unsetenv("OCL_ICD_FILENAMES");
  for (auto &[name, text] : request.options)
    if (!text.empty()) setenv(("UNDERSTUDY_" + name).c_str(), text.c_str(), 1);
  if (!request.options.contains("INTERRUPT")) setenv("UNDERSTUDY_INTERRUPT", "1", 0);

  const bool counts = !request.summary.empty() || request.requiredLaunches > 0;
  RunSummary summary;
  if (counts) {
    if (auto started = summary.start(request.summary); !started) {
      std::fprintf(stderr, "understudy: %s\n", started.error().message.c_str());
      return 125;
    }
  }
  std::vector<char *> arguments;
  arguments.reserve(request.program.size() + 1);
  for (const std::string &argument : request.program) arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  if (!counts) {
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "understudy: cannot start '%s': %s\n", arguments[0], std::strerror(errno));
    return errno == ENOENT ? 127 : 126;
  }
  // Whoever started us may have it ignored, which programs inherit; the kernel then forgets how a child ended.
  const auto childSignal = std::signal(SIGCHLD, SIG_DFL);
  childProcess = fork();
  if (childProcess < 0) {
    std::fprintf(stderr, "understudy: no process can be started: %s\n", std::strerror(errno));
    return 125;
  }
  if (childProcess == 0) {
    std::signal(SIGCHLD, childSignal);
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "understudy: cannot start '%s': %s\n", arguments[0], std::strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
  }
  // Ctrl-C reaches the whole foreground group: the program decides, we wait for it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, [](int signal) { kill(childProcess, signal); });
  int code = waitFor(childProcess);
  if (auto read = summary.finish(); !read) {
    std::fprintf(stderr, "understudy: %s\n", read.error().message.c_str());
    return 125;
  }
  if (!request.summary.empty()) summary.print(stderr);
  if (code == 0 && summary.launches() < request.requiredLaunches) {
    std::fprintf(stderr, "understudy: %llu kernels were to run, %llu did\n",
                 static_cast<unsigned long long>(request.requiredLaunches),
                 static_cast<unsigned long long>(summary.launches()));
    return 124;
  }
  return code;
}

int main(int argc, char **argv) {
  CLI::App app{"An OpenCL device in software: runs GPU programs on machines without a GPU."};
  app.set_version_flag("--version", US_VERSION);
  app.require_subcommand(1);

  RunRequest request;
  CLI::App *runCommand =
      app.add_subcommand("run", "run a program on this platform only: understudy run [options] -- program …");
  addOptionFlags(*runCommand, request.options);
  // One option for these two.
  for (const char *own : {"--summary", "--summary-detail"}) runCommand->remove_option(runCommand->get_option(own));
  runCommand
      ->add_flag("--summary{totals}", request.summary,
                 "print what ran (devices, kernels, launches, builds, cache hits) to standard error at the end; "
                 "--summary=kernels: for each kernel also its tier, why it is not a faster one, and its time")
      ->check(CLI::IsMember({"totals", "kernels"}));
  runCommand->add_option("--require-launches", request.requiredLaunches,
                         "exit with 124 if the program succeeds having run fewer kernels than this");
  runCommand->add_option("program", request.program, "the program and its arguments");
  runCommand->positionals_at_end();
  runCommand->footer(
      "Each option is also the environment variable UNDERSTUDY_<NAME>.\n"
      "Exit code: the program's, 124 (too few launches), 125 (our failure), 126 and 127 (cannot start it), "
      "128 + N (ended by signal N).");

  std::map<std::string, std::string> infoOptions;
  bool json = false;
  CLI::App *infoCommand = app.add_subcommand("info", "list devices, versions, features, options and the cache");
  addOptionFlags(*infoCommand, infoOptions);
  infoCommand->add_flag("--json", json, "as JSON");

  std::map<std::string, std::string> doctorOptions;
  std::string libraryName;
  CLI::App *doctorCommand = app.add_subcommand(
      "doctor",
      "say what keeps programs from seeing a device: loaders, drivers, permissions (exit code 1: something is wrong)");
  addOptionFlags(*doctorCommand, doctorOptions);
  doctorCommand->add_option("--library", libraryName, "print only which library a program opens by this name");

  std::vector<std::string> line = withFlagValues(argc, argv);
  std::ranges::reverse(line); // as the parser takes it
  try {
    app.name(argv[0])->parse(std::move(line));
  } catch (const CLI::ParseError &wrong) {
    return app.exit(wrong);
  }
  std::map<std::string, std::string> &chosen =
      *runCommand ? request.options : (*doctorCommand ? doctorOptions : infoOptions);
  const std::string device = chosen["DEVICE"];
  if (device == "list") return listKnownDevices();
  if (!device.empty() && !areKnownDevices(device)) return 125;
  if (!isDeviceChoice(chosen["DEVICES"])) return 125;
  if (*runCommand && request.program.empty()) {
    std::fprintf(stderr, "understudy: no program was given: understudy run [options] -- program …\n");
    return 106; // as the other errors of the command line
  }
  if (*runCommand) return run(request);
  if (!libraryName.empty()) return reportLibrary(libraryName);
  // As in a program that `run` starts, which sees no platform but ours. The doctor looks at the machine as it is.
  if (const Expected<std::string> library = icdLibrary(); library && *infoCommand)
    setenv("OCL_ICD_VENDORS", library->c_str(), 1);
  for (auto &[name, text] : chosen)
    if (!text.empty()) setenv(("UNDERSTUDY_" + name).c_str(), text.c_str(), 1);
  return *doctorCommand ? reportHealth() : reportDevices(json);
}

} // namespace
} // namespace us::install

int main(int argc, char **argv) {
  try {
    return us::install::main(argc, argv);
  } catch (const std::exception &problem) { // of a library: no memory, say
    std::fprintf(stderr, "understudy: %s\n", problem.what());
    return 125;
  }
}
