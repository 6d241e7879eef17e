# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --understudy[=h200,rx7900xtx]: tests run on this platform, on the devices that are named. They are set before
any test module is imported, so that PyOpenCL's own hook finds them; nothing that PyOpenCL parametrizes is parametrized
here."""
import copy
import ctypes
import json
import os
import shutil
import tempfile
import zlib

import pytest

# `import understudy`, which loads libraries, only where it was asked for: every pytest imports this.

_COUNTERS = ("launches", "failed_launches", "work_items", "builds")


class _Totals:
    """What ran, by counter and by kernel; sums of processes can be added up."""

    def __init__(self, record=None):
        record = record or {}
        self.counters = {name: record.get(name, 0) for name in _COUNTERS}
        self.kernels = set(record.get("kernels", ()))
        self.devices = list(record.get("devices", ()))
        self.findings = list(record.get("findings", ()))

    def add(self, other):
        for name, value in other.counters.items():
            self.counters[name] += value
        self.kernels |= other.kernels
        self.devices += [name for name in other.devices if name not in self.devices]
        self.findings += [finding for finding in other.findings if finding not in self.findings]

    def plain(self):
        """For a worker to send."""
        return {**self.counters, "kernels": sorted(self.kernels), "devices": self.devices, "findings": self.findings}


class _Runtime:
    """libunderstudy.so in this process, once something has loaded it, and what other processes wrote to the files."""

    def __init__(self, summary, findings):
        self._summary_path, self._findings_path, self._library, self._read = summary, findings, None, 0

    def _functions(self):
        if not self._library:
            import understudy

            path = understudy._loaded("libunderstudy.so")
            if not path:
                return None
            self._library = ctypes.CDLL(path)
            self._library.understudySummary.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
            self._library.understudySummary.restype = ctypes.c_size_t
            self._library.understudyNumberLaunches.argtypes = [ctypes.c_uint64]
            self._library.understudyNumberLaunches.restype = None
        return self._library

    def _lines(self):
        library = self._functions()
        if library:
            room = library.understudySummary(None, 0) + 65536
            text = ctypes.create_string_buffer(room)
            size = library.understudySummary(text, room)
            yield from text.raw[: min(size, room)].decode(errors="replace").splitlines()
        # Processes that tests started, at their end.
        with open(self._summary_path, encoding="utf-8", errors="replace") as file:
            yield from file

    def totals(self):
        totals = _Totals()
        for line in self._lines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if not record.get("began"):
                totals.add(_Totals(record))
        return totals

    def new_findings(self):
        """Sentences that were told since the last call."""
        with open(self._findings_path, encoding="utf-8", errors="replace") as file:
            file.seek(self._read)
            text = file.read()
        whole = text.rfind("\n") + 1
        self._read += len(text[:whole].encode(errors="replace"))
        return [sentence for sentence in map(_sentence, text[:whole].splitlines()) if sentence]

    def begin(self, seed):
        """What this test launches has an order that depends on the seed only."""
        library = self._functions()
        if library:
            library.understudyNumberLaunches(seed << 20)


class _Plugin:
    def __init__(self, runtime, seed, config):
        self.runtime, self.seed, self.config = runtime, seed, config
        devices = config.getoption("understudy")
        self.options = f"={devices}" if devices else ""
        self.totals, self.gone = _Totals(), []

    def _seed_of(self, item):
        """Of the test's name: it is the same whichever tests run before it, and on whichever worker."""
        return (zlib.crc32(item.nodeid.encode()) ^ self.seed) & 0x7FFFFFFF

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        item.understudy_before = self.runtime.totals().counters["launches"]
        if self.seed is not None:
            item.user_properties.append(("understudy-seed", self.seed))
            self.runtime.begin(self._seed_of(item))
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = (yield).get_result()
        if call.when != "call":
            return
        found = self.runtime.new_findings()
        self.totals.findings += found
        if found:
            item.user_properties.append(("understudy-findings", len(found)))
            if report.passed:
                report.outcome, report.longrepr = "failed", "kernels did what is wrong:\n" + "\n".join(found)
            else:
                report.sections.append(("understudy: findings", "\n".join(found)))
        launched = self.runtime.totals().counters["launches"] - item.understudy_before
        item.user_properties.append(("understudy-launches", launched))
        if report.passed and launched == 0 and item.get_closest_marker("gpu"):
            report.outcome = "failed"
            report.longrepr = "this test is marked gpu, and it launched no kernel"
        if report.failed and self.seed is not None:
            line = f"pytest --understudy{self.options} --understudy-seed={self.seed} '{item.nodeid}'"
            report.sections.append(("understudy: the same order again", line))
        report.user_properties = list(item.user_properties)

    def pytest_sessionfinish(self, session):
        found = self.totals.findings + self.runtime.new_findings()
        self.totals = self.runtime.totals()
        self.totals.findings = found
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["understudy"] = self.totals.plain()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        sent = getattr(node, "workeroutput", {}).get("understudy")
        if sent:
            self.gone.append(_Totals(sent))

    def pytest_terminal_summary(self, terminalreporter):
        for other in self.gone:
            self.totals.add(other)
        totals, counters = self.totals, self.totals.counters
        terminalreporter.section("understudy")
        terminalreporter.line("devices: " + (", ".join(totals.devices) or "none was used"))
        terminalreporter.line(
            f"{counters['launches']} launches of {len(totals.kernels)} kernels, {counters['work_items']} work-items"
            + (f", {counters['failed_launches']} launches failed" if counters["failed_launches"] else "")
        )
        if self.config.getoption("understudy_checks") is not None:
            terminalreporter.line(f"{len(totals.findings)} findings")
        for finding in totals.findings[:10]:
            terminalreporter.line("  " + finding.splitlines()[0])


def _sentence(line):
    """Of a finding; None where the line tells something else."""
    try:
        return json.loads(line)["finding"]["sentence"]
    except (ValueError, KeyError, TypeError):
        return None


def pytest_addoption(parser):
    group = parser.getgroup("understudy", "run GPU tests without a GPU")
    group.addoption(
        "--understudy",
        nargs="?",
        const="",
        metavar="DEVICES",
        help="run on Understudy's platform, as these devices (h200,rx7900xtx; without a value: its own one)",
    )
    group.addoption(
        "--understudy-checks",
        nargs="?",
        const="default",
        metavar="CHECKS",
        help="check kernels (memory,races; without a value: all that find nothing but bugs); a finding fails its test",
    )
    group.addoption(
        "--understudy-seed",
        type=int,
        metavar="N",
        help="work-groups and work-items in an order that N and the test's name decide",
    )


def _take_values_behind_equals_only(config, parser, args):
    """What follows these options is a path of tests, not their value."""
    for at, argument in enumerate(args):
        if argument == "--":
            break
        if argument in ("--understudy", "--understudy-checks"):
            args[at] += "="
    config.known_args_namespace = parser.parse_known_args(args, namespace=copy.copy(config.option))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    _take_values_behind_equals_only(early_config, parser, args)
    chosen = early_config.known_args_namespace
    devices, checks = chosen.understudy, chosen.understudy_checks
    if checks == "":
        checks = "default"
    if devices is None:
        if checks is not None or chosen.understudy_seed is not None:
            raise pytest.UsageError("--understudy-checks and --understudy-seed want --understudy")
        return
    # A folder: at the end of the process, after this plugin's, whoever writes to a file that is gone makes a new one.
    folder = tempfile.mkdtemp(prefix="understudy-pytest-")
    early_config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    options, summary, findings = {}, os.path.join(folder, "summary"), os.path.join(folder, "findings")
    for path in (summary, findings):
        open(path, "w").close()
    if devices:
        names = devices.split(",")
        if len(set(names)) != len(names):
            raise pytest.UsageError(
                f"--understudy={devices}: devices of one name cannot be told apart in names of tests"
            )
        options["device"] = devices
    if checks is not None:
        options.update(check=checks, check_report=findings)
    if chosen.understudy_seed is not None:
        options["seed"] = chosen.understudy_seed & 0x7FFFFFFF or 1
    import understudy

    # The command's own --summary is something else.
    os.environ["UNDERSTUDY_SUMMARY"] = summary
    try:
        understudy.enable(**options)
    except (ValueError, RuntimeError) as wrong:
        raise pytest.UsageError(str(wrong)) from wrong
    # PyOpenCL's own hook: all devices of the platforms of that name.
    os.environ["PYOPENCL_TEST"] = "understudy"
    early_config.understudy_runtime = _Runtime(summary, findings)


def pytest_configure(config):
    config.addinivalue_line("markers", "gpu: launches a kernel: with --understudy it fails if it does not")
    runtime = getattr(config, "understudy_runtime", None)
    if runtime:
        config.pluginmanager.register(
            _Plugin(runtime, config.getoption("understudy_seed"), config), "understudy-session"
        )
