// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `understudy` command: `run` starts any program on our platform with nothing installed system-wide, `diff` also
// compares what its kernels come to on two devices, `check` says what is wrong with them, `trace` when they ran,
// `report` where their time goes; `info` lists what is there; `doctor` says what is wrong.
#include "icd/install/check_program.h"
#include "icd/install/device_report.h"
#include "icd/install/diff_report.h"
#include "icd/install/doctor.h"
#include "icd/install/perfetto_trace.h"
#include "icd/install/report_html.h"
#include "icd/install/run_summary.h"
#include "icd/install/start_program.h"
#include "icd/install/timeline_file.h"
#include "icd/install/vendors_directory.h"
#include "icd/platform/compose.h"
#include "runtime/base/c_locale.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"

// It runs once, and optimizing it took half of this file's time.
#ifdef __clang__
#pragma clang optimize off
#endif
#include <CLI/CLI.hpp>
#ifdef __clang__
#pragma clang optimize on
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>

namespace us::install {
namespace {

/// "MAX_WORK_GROUP_SIZE" -> "--max-work-group-size".
std::string flagOf(std::string_view option) {
  std::string flag = "--";
  for (char c : option) flag += c == '_' ? '-' : lowerCase(c);
  return flag;
}

/// Under which heading the help has an option.
std::string headingOf(std::string_view option) {
  constexpr std::pair<const char *, const char *> kHeadings[] = {
      {"DEVICE", "Devices"},          {"FORWARD", "Devices"},
      {"PASS_THROUGH", "Devices"},    {"CUDA", "Devices"},
      {"MEMORY", "Devices"},          {"LOCAL_MEMORY", "Devices"},
      {"COMPUTE_UNITS", "Devices"},   {"MAX_WORK_GROUP", "Devices"},
      {"SUB_GROUP", "Devices"},       {"CHECK", "Checks"},
      {"CACHE", "What is kept"},      {"LOG", "What is told"},
      {"TRACE", "What is told"},      {"DUMP", "What is told"},
      {"REMARKS", "What is told"},    {"SUMMARY", "What is told"},
      {"TIMELINE", "What is told"},   {"COUNT_LINES", "What is told"},
      {"DEBUG_INFO", "What is told"}, {"PROGRESS", "What is told"},
  };
  for (const auto &[beginning, heading] : kHeadings)
    if (option.starts_with(beginning)) return heading;
  return "How kernels run";
}

/// As CLI11's, with lines that a terminal shows whole.
class HelpText : public CLI::Formatter {
public:
  HelpText() { column_width(kColumn); }
  std::string make_option(const CLI::Option *option, bool isPositional) const override {
    const std::string text = CLI::Formatter::make_option(option, isPositional);
    std::string wrapped;
    size_t column = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find_first_of(" \n", at), text.size());
      if (column > kColumn && column + (end - at) > kWidth && text[at] != '\n') {
        while (!wrapped.empty() && wrapped.back() == ' ') wrapped.pop_back();
        wrapped += "\n" + std::string(kColumn, ' ');
        column = kColumn;
      }
      wrapped += text.substr(at, end + 1 - at);
      column = end < text.size() && text[end] == '\n' ? 0 : column + (end + 1 - at);
      at = end + 1;
    }
    return wrapped;
  }

private:
  static constexpr size_t kColumn = 30, kWidth = 110;
};

/// The options of `understudy diff` that are words for others of the table, which no command has as they are.
struct DiffWord {
  const char *flag, *option;
};
constexpr DiffWord kDiffWords[] = {
    {"--against", "DIFF"},           {"--ulps", "DIFF_ULPS"},     {"--absolute", "DIFF_ABSOLUTE"},
    {"--relative", "DIFF_RELATIVE"}, {"--repeat", "DIFF_REPEAT"},
};

/// One flag for each row of the options table; `chosen` receives what was given.
void addOptionFlags(CLI::App &command, std::map<std::string, std::string> &chosen) {
  for (const OptionRow &row : optionRows()) {
    if (row.name.starts_with("DIFF")) continue;
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
        ->type_name(std::string(row.type))
        ->group(headingOf(name));
  }
}

enum class Takes : uint8_t { Nothing, YesOrNo, Value };

Takes takenBy(const std::string &command, const std::string &flag) {
  if (flag == "--require-launches" || flag == "--library") return Takes::Value;
  if (command == "run" && flag == "--junit") return Takes::Value;
  if (command == "diff" && (flag == "--json" || flag == "--blocks" ||
                            std::ranges::find(kDiffWords, flag, &DiffWord::flag) != std::end(kDiffWords)))
    return Takes::Value;
  if ((command == "trace" || command == "report") && flag == "--output") return Takes::Value;
  if (command == "report" && flag == "--count") return Takes::Value;
  for (const char *own : {"--checks", "--json", "--sarif", "--junit", "--html", "--suppressions",
                          "--write-suppressions", "--accept", "--blocks"})
    if (command == "check" && flag == own) return Takes::Value;
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
    if ((line.front() == "trace" || line.front() == "report") && line[at] == "-o") {
      ++at;
      continue;
    }
    if (line[at] == "--" || !line[at].starts_with("--")) break;
    if (line[at].find('=') != std::string::npos) continue;
    const Takes takes = takenBy(line.front(), line[at]);
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
  std::string junit;   ///< a file; empty: none
  uint64_t requiredLaunches = 0;
};

int run(const RunRequest &request) {
  if (auto entered = enterPlatform(request.options); !entered) return failed(entered.error());
  if (request.summary.empty() && request.junit.empty() && request.requiredLaunches == 0)
    return becomeProgram(request.program);
  std::ofstream junit;
  if (!request.junit.empty()) {
    junit.open(request.junit); // before the program runs for an hour
    if (!junit) return failed({ErrorCode::InvalidValue, request.junit + " cannot be written"});
  }
  RunSummary summary;
  if (auto started = summary.start(request.summary); !started) return failed(started.error());
  const uint64_t began = monotonicNanoseconds();
  const int code = runProgram(request.program);
  const double seconds = double(monotonicNanoseconds() - began) * 1e-9;
  if (auto read = summary.finish(); !read) return failed(read.error());
  if (!request.summary.empty()) summary.print(stderr);
  const bool ranTooLittle = code == 0 && summary.launches() < request.requiredLaunches;
  const std::string problem = ranTooLittle ? std::to_string(request.requiredLaunches) + " kernels were to run, " +
                                                 std::to_string(summary.launches()) + " did"
                                           : "";
  if (ranTooLittle) std::fprintf(stderr, "understudy: %s\n", problem.c_str());
  if (junit.is_open()) {
    junit << summary.junit(code, problem, seconds);
    junit.close();
    if (!junit) return failed({ErrorCode::OutOfResources, request.junit + " could not be written"});
  }
  return ranTooLittle ? 124 : code;
}

struct DiffRequest {
  std::map<std::string, std::string> options{{"DIFF", "emulated"}};
  std::vector<std::string> program;
  std::string json; ///< empty: none is asked for
  uint64_t blocks = 10;
};

int diff(const DiffRequest &request) {
  Options scratch;
  for (auto &[name, text] : request.options)
    if (Expected<void> set; !text.empty() && !(set = setOption(scratch, name, text))) return failed(set.error());
  if (auto checked = platform::checkComparison(scratch); !checked) return failed(checked.error());
  if (auto entered = enterPlatform(request.options); !entered) return failed(entered.error());
  DiffReport report(request.blocks);
  if (auto started = report.start(request.json); !started) return failed(started.error());
  const int code = runProgram(request.program);
  if (auto read = report.finish(); !read) return failed(read.error());
  report.print(stderr);
  if (report.different()) return 1;
  return code == 0 && report.compared() == 0 ? 124 : code;
}

struct TraceRequest {
  std::map<std::string, std::string> options;
  std::vector<std::string> program;
  std::string output = "understudy.perfetto-trace";
};

int trace(const TraceRequest &request) {
  if (auto entered = enterPlatform(request.options); !entered) return failed(entered.error());
  TimelineFile timeline;
  if (auto started = timeline.start(); !started) return failed(started.error());
  // Before the program runs for an hour.
  std::ofstream output(request.output, std::ios::binary);
  if (!output) return failed({ErrorCode::InvalidValue, request.output + " cannot be written"});
  const int code = runProgram(request.program);
  const Expected<std::vector<TimedEvent>> events = timeline.finish();
  if (!events) return failed(events.error());
  output << perfettoTraceOf(*events);
  output.close();
  if (!output) return failed({ErrorCode::OutOfResources, request.output + " could not be written"});
  const auto launches = std::ranges::count(*events, "launch", &TimedEvent::what);
  std::fprintf(
      stderr,
      "understudy: %zu launches, %zu calls, builds and transfers are in %s: Perfetto (ui.perfetto.dev) shows them\n",
      size_t(launches), events->size() - size_t(launches), request.output.c_str());
  return code == 0 && launches == 0 ? 124 : code;
}

struct ReportRequest {
  std::map<std::string, std::string> options;
  std::vector<std::string> program;
  std::string output = "understudy-report.html";
  uint64_t counted = 1;
};

int report(const ReportRequest &request) {
  if (auto entered = enterPlatform(request.options); !entered) return failed(entered.error());
  // Before the program runs for an hour.
  std::ofstream output(request.output, std::ios::binary);
  if (!output) return failed({ErrorCode::InvalidValue, request.output + " cannot be written"});
  TimelineFile timeline;
  if (auto started = timeline.start(); !started) return failed(started.error());
  const int code = runProgram(request.program);
  const Expected<std::vector<TimedEvent>> events = timeline.finish();
  if (!events) return failed(events.error());
  const auto launches = std::ranges::count(*events, "launch", &TimedEvent::what);
  // Code that counts is no code to be timed: the program runs once more.
  std::vector<TimedEvent> counted;
  if (code == 0 && launches && request.counted) {
    setenv("UNDERSTUDY_COUNT_LINES", std::to_string(request.counted).c_str(), 1);
    if (auto started = timeline.start(); !started) return failed(started.error());
    std::fprintf(stderr, "understudy: the program runs a second time, in which lines are counted (--count 0: it does "
                         "not)\n");
    runProgram(request.program);
    Expected<std::vector<TimedEvent>> again = timeline.finish();
    if (!again) return failed(again.error());
    counted = *std::move(again);
  }
  output << htmlReportOf(request.program, code, *events, counted);
  output.close();
  if (!output) return failed({ErrorCode::OutOfResources, request.output + " could not be written"});
  std::fprintf(stderr, "understudy: what %zu launches did is in %s\n", size_t(launches), request.output.c_str());
  return code == 0 && launches == 0 ? 124 : code;
}

void addDiffFlags(CLI::App &command, DiffRequest &request) {
  addOptionFlags(command, request.options);
  for (const auto &[flag, name] : kDiffWords)
    for (const OptionRow &row : optionRows())
      if (row.name == name)
        command.add_option(flag, request.options[name], std::string(row.sentence))->type_name(std::string(row.type));
  command.add_option("--json", request.json, "write all launches and the summary to this file, too");
  command.add_option("--blocks", request.blocks, "print so many of the launches that differ in full [10]");
}

void addCheckFlags(CLI::App &command, CheckRequest &request) {
  addOptionFlags(command, request.options);
  for (const OptionRow &row : optionRows())
    if (row.name == "CHECK" || row.name == "CHECK_REPORT") command.remove_option(command.get_option(flagOf(row.name)));
  command.add_option("--checks", request.checks,
                     "which checks, separated by commas [default: all that find nothing but bugs]");
  command.add_option("--json", request.json, "write all findings and the summary to this file, too");
  command.add_option("--sarif", request.sarif, "the findings as SARIF 2.1.0, for code hosts");
  command.add_option("--junit", request.junit, "as results of tests: a case for each kernel");
  command.add_option("--html", request.html, "as a page that needs nothing but a browser");
  command
      .add_option("--suppressions", request.suppressions,
                  "a file of keys of findings, one a line, that are only counted; * is any text, # begins a comment")
      ->allow_extra_args(false);
  command.add_option("--write-suppressions", request.writtenSuppressions,
                     "write the keys of all that was found to this file");
  command
      .add_option("--accept", request.accepted,
                  "a key of findings that are only counted; * is any text; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--blocks", request.blocks, "print so many findings in full [50]");
}

int main(int argc, char **argv) {
  CLI::App app{"CUDA and OpenCL without a GPU: runs GPU programs, unmodified, on the processor."};
  app.formatter(std::make_shared<HelpText>());
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
  runCommand->add_option("--junit", request.junit, "what ran, as results of tests: a case for each kernel");
  runCommand->add_option("program", request.program, "the program and its arguments");
  runCommand->positionals_at_end();
  runCommand->footer(
      "Each option is also the environment variable UNDERSTUDY_<NAME>.\n"
      "Exit code: the program's, 124 (too few launches), 125 (our failure), 126 and 127 (cannot start it), "
      "128 + N (ended by signal N).");

  DiffRequest diffRequest;
  CLI::App *diffCommand = app.add_subcommand(
      "diff", "run a program, and each of its kernels on a second device, too: understudy diff [options] -- program …");
  addDiffFlags(*diffCommand, diffRequest);
  diffCommand->add_option("program", diffRequest.program, "the program and its arguments");
  diffCommand->positionals_at_end();
  diffCommand->footer(
      "Every launch runs on a reference, whose results the program sees, and from the same inputs on a candidate; what "
      "differs is\n"
      "printed to standard error, then a summary. Without --against the references are the real devices and the "
      "candidate is an\n"
      "emulated one; --forward pocl names a driver, --against tier=fiber compares two emulated devices.\n"
      "Exit code: 1 if something differs; 124 if nothing could be compared and the program succeeded; else the "
      "program's, 125\n"
      "(our failure), 126 and 127 (cannot start it), 128 + N (ended by signal N).");

  CheckRequest checkRequest;
  CLI::App *checkCommand = app.add_subcommand(
      "check", "run a program and say what is wrong with its kernels: understudy check [options] -- program …");
  addCheckFlags(*checkCommand, checkRequest);
  checkCommand->add_option("program", checkRequest.program, "the program and its arguments");
  checkCommand->positionals_at_end();
  checkCommand->footer(
      "What the checks find is printed to standard error as soon as it is known, then a summary.\n"
      "Exit code: 123 if something was found; 124 if nothing ran on a checked device and the program succeeded; 125 "
      "(our "
      "failure: what\n"
      "was found may not be all); else the program's, 126 and 127 (cannot start it), 128 + N (ended by signal N).");

  TraceRequest traceRequest;
  CLI::App *traceCommand = app.add_subcommand(
      "trace",
      "run a program and write what ran when as a trace for Perfetto: understudy trace [options] -- program …");
  addOptionFlags(*traceCommand, traceRequest.options);
  traceCommand->remove_option(traceCommand->get_option("--timeline"));
  traceCommand->add_option("-o,--output", traceRequest.output, "the trace [understudy.perfetto-trace]");
  traceCommand->add_option("program", traceRequest.program, "the program and its arguments");
  traceCommand->positionals_at_end();
  traceCommand->footer(
      "Times are those of an emulation on the processor. Exit code: the program's, 124 (it succeeded and no kernel ran "
      "on an\n"
      "emulated device), 125 (our failure), 126 and 127 (cannot start it), 128 + N (ended by signal N).");

  ReportRequest reportRequest;
  CLI::App *reportCommand = app.add_subcommand(
      "report", "run a program and say on a page where its kernels spend their time: understudy report [options] -- "
                "program …");
  addOptionFlags(*reportCommand, reportRequest.options);
  for (const char *own : {"--timeline", "--count-lines"}) reportCommand->remove_option(reportCommand->get_option(own));
  reportCommand->add_option("-o,--output", reportRequest.output,
                            "the page, which needs nothing but a browser "
                            "[understudy-report.html]");
  reportCommand->add_option("--count", reportRequest.counted,
                            "of each kernel, how often the lines of so many launches run, in a second run of the "
                            "program; 0: there is none [1]");
  reportCommand->add_option("program", reportRequest.program, "the program and its arguments");
  reportCommand->positionals_at_end();
  reportCommand->footer("Times are those of an emulation on the processor. Exit code: as of trace.");

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
  std::map<std::string, std::string> &chosen = *runCommand      ? request.options
                                               : *diffCommand   ? diffRequest.options
                                               : *checkCommand  ? checkRequest.options
                                               : *traceCommand  ? traceRequest.options
                                               : *reportCommand ? reportRequest.options
                                               : *doctorCommand ? doctorOptions
                                                                : infoOptions;
  const std::string device = chosen["DEVICE"];
  if (device == "list") return listKnownDevices();
  if (!device.empty() && !areKnownDevices(device)) return 125;
  if (!isDeviceChoice(chosen["DEVICES"])) return 125;
  Options asked; // options() would keep what the environment says now
  if (const std::string target = chosen["TARGET"]; !target.empty()) asked.target = target;
  if (auto executed = platform::checkTarget(asked); !executed) return failed(executed.error());
  for (const auto &[command, program] : {std::pair(runCommand, &request.program),
                                         {diffCommand, &diffRequest.program},
                                         {checkCommand, &checkRequest.program},
                                         {traceCommand, &traceRequest.program},
                                         {reportCommand, &reportRequest.program}})
    if (*command && program->empty()) {
      std::fprintf(stderr, "understudy: no program was given: understudy %s [options] -- program …\n",
                   command->get_name().c_str());
      return 106; // as the other errors of the command line
    }
  if (*runCommand) return run(request);
  if (*diffCommand) return diff(diffRequest);
  if (*checkCommand) return checkProgram(checkRequest);
  if (*traceCommand) return trace(traceRequest);
  if (*reportCommand) return report(reportRequest);
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
