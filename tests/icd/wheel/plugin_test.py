# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pytest plugin, by pytest's own pytester: run by wheel_test.py where the wheel is installed. Each inner pytest is
a process of its own, since a process has its devices for life."""
import xml.etree.ElementTree as xml

import pytest

# PyOpenCL's users write this: a context for each device that the machine has.
OPENCL_TEST = """
    import numpy, pytest
    import pyopencl as cl
    from pyopencl.tools import pytest_generate_tests_for_pyopencl as pytest_generate_tests

    def run(context, text, size=64):
        queue = cl.CommandQueue(context)
        out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * size)
        cl.Program(context, text).build().f(queue, (size,), None, out)
        result = numpy.zeros(size, numpy.uint32)
        cl.enqueue_copy(queue, result, out)
        return result

    def test_ids(ctx_factory):
        text = "kernel void f(global uint *out) { out[get_global_id(0)] = get_global_id(0); }"
        assert (run(ctx_factory(), text) == numpy.arange(64)).all()
"""
WRONG_TEST = """
    def test_outside(ctx_factory):
        run(ctx_factory(), "kernel void f(global uint *out) { out[get_global_id(0) + 1] = 7; }")
"""


@pytest.fixture
def inner(pytester, monkeypatch):
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)

    def run(text, *options):
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)

    return run


def test_devices_without_a_change_to_the_tests(inner):
    result = inner(OPENCL_TEST, "--understudy=h200,rx7900xtx", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines_random(["*test_ids*NVIDIA H200*PASSED*", "*test_ids*gfx1100*PASSED*"])
    result.stdout.fnmatch_lines(["devices: NVIDIA H200, gfx1100", "2 launches of 1 kernels, 128 work-items"])


def test_paths_follow_options(inner, pytester):
    pytester.mkdir("tests").joinpath("conftest.py").write_text("def pytest_report_header(): return 'early conftest'")
    pytester.path.joinpath("tests/test_it.py").write_text("def test_it(): pass")
    result = inner("def test_other(): pass", "--understudy", "--understudy-checks", "tests")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["early conftest", "devices: none was used", "0 findings"])


def test_leaves_no_file(inner, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    inner(OPENCL_TEST + WRONG_TEST, "--understudy", "--understudy-checks=memory").assert_outcomes(passed=1, failed=1)
    inner(OPENCL_TEST, "--understudy=voodoo2")
    assert [path.name for path in tmp_path.rglob("understudy-*")] == []


def test_own_device(inner):
    result = inner(OPENCL_TEST, "--understudy")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["devices: Understudy GPU"])


def test_nothing_without_the_option(inner):
    result = inner("def test_it(): pass")
    result.assert_outcomes(passed=1)
    assert "understudy" not in result.stdout.str().partition("plugins:")[2].partition("\n")[2]


@pytest.mark.parametrize("options", [[], ["-n2"]])
def test_findings_fail_their_test(inner, options):
    result = inner(OPENCL_TEST + WRONG_TEST, "--understudy", "--understudy-checks=memory", *options)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*test_outside*"])
    result.stdout.fnmatch_lines(["*kernels did what is wrong*", "kernel 'f' wrote 4 bytes out of bounds*"])
    result.stdout.fnmatch_lines(["2 launches of 1 kernels, 128 work-items", "1 findings"])


def test_xdist_adds_up(inner):
    result = inner(OPENCL_TEST, "--understudy=h200,rx7900xtx", "-n2")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["devices: NVIDIA H200, gfx1100", "2 launches of 1 kernels, 128 work-items"])


def test_marked_gpu_must_launch(inner):
    marked = """
    @pytest.mark.gpu
    def test_nothing(): pass

    @pytest.mark.gpu
    def test_also(ctx_factory): test_ids(ctx_factory)
    """
    result = inner(OPENCL_TEST + marked, "--understudy", "--strict-markers")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*test_nothing*", "*it launched no kernel*"])


def test_a_child_process_launches(inner):
    text = """
    import subprocess, sys, pytest
    @pytest.mark.gpu
    def test_child():
        text = "import pyopencl as cl, pyopencl.array as a; "
        text += "(a.zeros(cl.CommandQueue(cl.create_some_context(False)), 64, 'f4') + 1).get()"
        subprocess.run([sys.executable, "-c", text], check=True)
    """
    inner(text, "--understudy").assert_outcomes(passed=1)


ORDER_TEST = (
    OPENCL_TEST
    + """
    ORDER = '''kernel void f(global uint *out) {
                 uint turn = atomic_inc((volatile global uint *)out);
                 if (get_global_id(0)) out[get_global_id(0)] = turn;
               }'''

    def test_before(ctx_factory):
        run(ctx_factory(), ORDER)

    def test_order(ctx_factory):
        context = ctx_factory()
        queue = cl.CommandQueue(context)
        out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 64)
        cl.enqueue_fill_buffer(queue, out, numpy.uint32(0), 0, 256)
        cl.Program(context, ORDER).build().f(queue, (64,), (1,), out)
        result = numpy.zeros(64, numpy.uint32)
        cl.enqueue_copy(queue, result, out)
        with open("orders", "a") as file:
            print(result.tolist(), file=file)
        assert False
"""
)


def test_seed_and_name_decide_the_order(inner, pytester):
    """Whether another test ran before it or not; another seed makes another order."""
    inner(ORDER_TEST, "--understudy", "--understudy-seed=5")
    result = inner(ORDER_TEST, "--understudy", "--understudy-seed=5", "-k", "test_order", "--junitxml=result.xml")
    result.stdout.fnmatch_lines(["*pytest --understudy --understudy-seed=5 '*::test_order*"])
    inner(ORDER_TEST, "--understudy", "--understudy-seed=6", "-k", "test_order")
    first, alone, other = (pytester.path / "orders").read_text().splitlines()
    assert first == alone
    assert first != other
    properties = {p.get("name"): p.get("value") for p in xml.parse(pytester.path / "result.xml").iter("property")}
    assert properties["understudy-seed"] == "5"
    assert properties["understudy-launches"] == "1"


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--understudy=voodoo2"], "*there is no device 'voodoo2'*"),
        (["--understudy=h200,h200"], "*cannot be told apart*"),
        (["--understudy-seed=1"], "*want --understudy*"),
        (["--understudy", "--understudy-checks=luck"], "*'luck'*"),
    ],
)
def test_wrong_options(inner, options, sentence):
    result = inner("def test_it(): pass", *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([sentence])
