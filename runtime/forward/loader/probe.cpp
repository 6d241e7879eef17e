// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/probe.h"

#include "runtime/base/clock.h"
#include "runtime/base/list_text.h"
#include "runtime/base/private_folder.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/probe_lines.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace us::forward {
namespace {

/// A driver that says more than this says nothing that we want to know.
constexpr size_t kMostText = 1 << 20;

/// A list of folders without the one that holds our libcuda.so.1, which is no part of any driver.
std::string withoutOurFolder(std::string_view folders) {
  const std::string ours = fileIdentity(besideOurLibrary("cuda/libcuda.so.1"));
  std::string left;
  while (!folders.empty()) {
    const std::string folder(takeItem(folders, ":"));
    if (!ours.empty() && fileIdentity(folder + "/libcuda.so.1") == ours) continue;
    left += (left.empty() ? "" : ":") + folder;
  }
  return left;
}

/// The environment of the other process: there, another copy of this library asks no drivers in its turn.
std::vector<std::string> environmentOfProbe(bool isUnfiltered) {
  constexpr std::string_view kForward = "UNDERSTUDY_FORWARD=", kLibraries = "LD_LIBRARY_PATH=",
                             kVisible = "CUDA_VISIBLE_DEVICES=";
  std::vector<std::string> lines{std::string(kForward) + "none"};
  for (char **line = environ; line && *line; ++line) {
    const std::string_view text = *line;
    if (text.starts_with(kLibraries))
      lines.push_back(std::string(kLibraries) + withoutOurFolder(text.substr(kLibraries.size())));
    else if (!text.starts_with(kForward) && !(isUnfiltered && text.starts_with(kVisible)))
      lines.emplace_back(text);
  }
  return lines;
}

std::vector<char *> pointersTo(std::vector<std::string> &lines) {
  std::vector<char *> pointers;
  for (std::string &line : lines) pointers.push_back(line.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A started process that is alone in its group, ended with its owner.
class Process {
public:
  Process(std::vector<std::string> arguments, std::vector<std::string> environment, int output) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    error_ = posix_spawn(&id_, arguments[0].c_str(), &files, &attributes, pointersTo(arguments).data(),
                         pointersTo(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
  ~Process() { (void)end(0); }
  int error() const { return error_; } ///< errno's if it could not be started
  /// Says how it ended, "signal 11 (Segmentation fault)"; empty if that is not known, or it had not by then and was
  /// ended.
  std::string end(uint64_t deadline) {
    if (error_ || id_ <= 0) return {};
    const pid_t id = std::exchange(id_, -1);
    int status = 0;
    pid_t ended = waitpid(id, &status, WNOHANG);
    for (; ended == 0 && monotonicNanoseconds() < deadline; ended = waitpid(id, &status, WNOHANG)) usleep(500);
    if (ended == 0) {
      kill(-id, SIGKILL);
      while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
      return {};
    }
    kill(-id, SIGKILL);       // what it may have left
    if (ended < 0) return {}; // the host program has taken it, or wants to know of no child
    if (WIFSIGNALED(status))
      return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    return "exit code " + std::to_string(WEXITSTATUS(status));
  }

private:
  pid_t id_ = -1;
  int error_ = 0;
};

/// Nanoseconds of the clock; the last one there is where there is no limit.
uint64_t deadlineAfter(uint64_t milliseconds) {
  const uint64_t now = monotonicNanoseconds();
  const bool isLimited = milliseconds != 0 && milliseconds < (UINT64_MAX - now) / 1'000'000;
  return isLimited ? now + milliseconds * 1'000'000 : UINT64_MAX;
}

enum class Heard : uint8_t { All, Ended, TooLate };

/// Reads until the last line is there, the other side is gone, or the time is up.
Heard listen(int from, uint64_t deadline, std::string &text) {
  for (char piece[4096];;) {
    if (text.ends_with(std::string("\n") + kLastLine)) return Heard::All;
    const uint64_t now = monotonicNanoseconds();
    if (now >= deadline) return Heard::TooLate;
    pollfd waited{from, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::min<uint64_t>((deadline - now) / 1'000'000 + 1, INT_MAX)));
    if (ready < 0 && errno != EINTR) return Heard::Ended;
    if (ready <= 0) continue;
    const ssize_t length = read(from, piece, sizeof piece);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0 || text.size() > kMostText) return Heard::Ended;
    text.append(piece, static_cast<size_t>(length));
  }
}

std::string_view takeField(std::string_view &line) { return takeItem(line, "\t"); }

uint64_t numberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void readLine(std::string_view line, DriverReport &report) {
  const std::string_view word = takeField(line);
  if (word == kLibraryLine) {
    report.library = line;
  } else if (word == kProblemLine) {
    report.problem = line;
  } else if (word == kQuietLine) {
    report.isQuiet = true;
  } else if (word == kPlatformLine) {
    report.platforms.emplace_back(line);
  } else if (word == kDeviceLine) {
    DriverDevice device;
    device.type = numberIn(takeField(line));
    device.name = takeField(line);
    device.driverVersion = takeField(line);
    report.devices.push_back(std::move(device));
  }
}

} // namespace

bool DriverDevice::accelerates() const { return type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR); }

DriverReport probe(const Candidate &candidate, const ProbeSettings &settings) {
  DriverReport report;
  report.file = candidate.file;
  report.library = candidate.library;
  const auto passOver = [&](std::string problem) {
    report.problem = std::move(problem);
    return report;
  };
  if (!candidate.problem.empty()) return passOver(candidate.problem);
  const std::vector<std::string> own = settings.own.empty() ? ownLibraries() : settings.own;
  if (candidate.library.contains('/') && std::ranges::find(own, fileIdentity(candidate.library)) != own.end()) {
    report.isQuiet = true;
    return passOver("is this library itself");
  }
  const std::string program = settings.program.empty() ? besideOurLibrary("understudy-driver-probe") : settings.program;
  if (program.empty()) return passOver("cannot be asked: understudy-driver-probe is not beside our libraries");

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return passOver(std::string("cannot be asked: ") + std::strerror(errno));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  std::vector<std::string> arguments{program, settings.api == DriverApi::Cuda ? kAskCuda : kAskOpenCl,
                                     candidate.library};
  arguments.insert(arguments.end(), own.begin(), own.end());
  const uint64_t deadline = deadlineAfter(settings.milliseconds);
  Process process(arguments, environmentOfProbe(settings.isUnfiltered), to.get());
  to = Descriptor();
  if (process.error()) return passOver(std::string("cannot be asked: ") + std::strerror(process.error()));
  std::string text = "\n";
  const Heard heard = listen(from.get(), deadline, text);
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) break; // the piece of a line that was not finished
    readLine(rest.substr(0, end), report);
    rest.remove_prefix(end + 1);
  }
  if (heard == Heard::All) return report;
  report.isQuiet = false;
  if (heard == Heard::TooLate)
    return passOver("did not say within " + std::to_string(settings.milliseconds) + " ms which devices it has");
  // It is gone, or about to be: its side of the pipe is closed.
  const std::string how = process.end(std::min(deadline, monotonicNanoseconds() + 1'000'000'000));
  return passOver("ended the process that asked which devices it has" + (how.empty() ? how : ": " + how));
}

std::string sentenceOf(const DriverReport &report) {
  std::string sentence = "the driver " + (report.library.empty() ? report.file : report.library);
  if (!report.file.empty() && !report.library.empty()) sentence += " (" + report.file + ")";
  return sentence + (report.problem.empty() ? " is used" : " is passed over: it " + report.problem);
}

} // namespace us::forward
