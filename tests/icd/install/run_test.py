# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `understudy` command: run_test.py <understudy>"""
import os
import signal
import subprocess
import sys
import unittest

UNDERSTUDY = sys.argv.pop(1)
# Asks for the devices, as any OpenCL program does first, and then does what the line after says.
USES_THE_DEVICE = """
import ctypes, os, signal, sys
cl = ctypes.CDLL("libOpenCL.so.1")
platform, count = ctypes.c_void_p(), ctypes.c_uint()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
assert cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xffffffff), 0, None, ctypes.byref(count)) == 0
"""

# Runs two kernels, of which only one can be run by the loop tier.
RUNS_KERNELS = (
    USES_THE_DEVICE
    + """
def make(name, *arguments):
    function = getattr(cl, name)
    function.restype = ctypes.c_void_p
    return ctypes.c_void_p(function(*arguments))

device, size = ctypes.c_void_p(), ctypes.c_size_t(64)
assert cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xffffffff), 1, ctypes.byref(device), None) == 0
context = make("clCreateContext", None, 1, ctypes.byref(device), None, None, None)
queue = make("clCreateCommandQueue", context, device, ctypes.c_ulong(0), None)
source = ctypes.c_char_p(
    b"kernel void plain(global int *x) { x[get_global_id(0)] = 1; }"
    b"kernel void waits(global int *x) { x[get_global_id(0)] = sub_group_reduce_add(1); }"
)
program = make("clCreateProgramWithSource", context, 1, ctypes.byref(source), None, None)
assert cl.clBuildProgram(program, 0, None, b"-cl-std=CL3.0", None, None) == 0
memory = make("clCreateBuffer", context, ctypes.c_ulong(1), ctypes.c_size_t(256), None, None)
for name, times in (b"plain", 3), (b"waits", 2):
    kernel = make("clCreateKernel", program, name, None)
    assert cl.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(memory)) == 0
    for _ in range(times):
        assert cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(size), None, 0, None, None) == 0
assert cl.clFinish(queue) == 0
"""
)


def understudy(*arguments, **keywords):
    return subprocess.run([UNDERSTUDY, *arguments], capture_output=True, text=True, timeout=120, **keywords)


class Toolkit(unittest.TestCase):
    """Which CUDA toolkit a program finds."""

    PROGRAM = (
        "import ctypes, os; ctypes.CDLL('libcuda.so.1')\n"
        "print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libcuda.so' in line})\n"
        "print(*[name for folder in os.environ['LD_LIBRARY_PATH'].split(':') for name in os.listdir(folder)])\n"
        "print(os.environ['CUDA_HOME'], os.environ['PATH'])\n"
        "print(os.environ.get('LIBRARY_PATH'))"
    )

    def lines(self, devices):
        environment = {**os.environ, "CUDA_HOME": "/of/the/user", "LD_LIBRARY_PATH": ""}
        done = understudy("run", "--devices", devices, "--", sys.executable, "-c", self.PROGRAM, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_is_ours_beside_an_emulated_device(self):
        library, there, toolkit, linked = self.lines("both")
        self.assertIn(os.path.dirname(os.path.dirname(UNDERSTUDY)), library)
        self.assertIn("libcudart.so.13", there)
        self.assertNotIn("/of/the/user", toolkit)
        # "gcc ... -lcuda" works as with a driver.
        self.assertTrue(os.path.exists(os.path.join(linked.split(":")[0], "libcuda.so")))

    def test_is_the_users_where_devices_are_real(self):
        library, there, toolkit, _ = self.lines("real")
        self.assertIn(os.path.dirname(os.path.dirname(UNDERSTUDY)), library)
        self.assertIn("libcuda.so.1", there)
        self.assertNotIn("libcudart", there)
        self.assertNotIn("libnvrtc", there)
        self.assertEqual(toolkit, "/of/the/user " + os.environ["PATH"])


class ExitCode(unittest.TestCase):
    def test_is_the_programs_though_sigchld_is_ignored(self):
        for option in ("--summary", "--require-launches=0", "--require-launches=1"):
            done = understudy(
                "run",
                option,
                "--",
                "sh",
                "-c",
                "exit 3",
                preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
            )
            self.assertEqual(done.returncode, 3, option)

    def test_the_program_sees_sigchld_as_it_was(self):
        shows = [sys.executable, "-c", "import signal; print(signal.getsignal(signal.SIGCHLD).name)"]
        for action in (signal.SIG_IGN, signal.SIG_DFL):
            done = understudy(
                "run", "--summary", "--", *shows, preexec_fn=lambda: signal.signal(signal.SIGCHLD, action)
            )
            self.assertEqual(done.stdout.strip(), action.name)

    def test_of_a_program_that_is_killed(self):
        done = understudy("run", "--summary", "--", "sh", "-c", "kill -9 $$")
        self.assertEqual(done.returncode, 128 + 9)


class Summary(unittest.TestCase):
    def test_counts_a_process_that_was_killed(self):
        kill = USES_THE_DEVICE + "os.kill(os.getpid(), signal.SIGKILL)"
        done = understudy("run", "--summary", "--", sys.executable, "-c", kill)
        self.assertEqual(done.returncode, 128 + 9)
        self.assertIn("1 process used the device", done.stderr)
        self.assertIn("1 of them ended without a word", done.stderr)

    def test_says_nothing_of_the_kind_where_all_ended(self):
        done = understudy("run", "--summary", "--", sys.executable, "-c", USES_THE_DEVICE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 process used the device", done.stderr)
        self.assertNotIn("without a word", done.stderr)

    def of_kernels(self, *options):
        done = understudy("run", *options, "--", sys.executable, "-c", RUNS_KERNELS)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_names_the_kernels(self):
        self.assertRegex(self.of_kernels("--summary"), r"kernel plain +3 launches\n(.*\n)*.*kernel waits +2 launches\n")

    def test_says_how_each_kernel_ran(self):
        text = self.of_kernels("--summary=kernels")
        self.assertRegex(text, r"kernel plain +3 launches, \d+\.\d+ ms, loop tier\n")
        reason = "there is little work"
        self.assertRegex(text, rf"kernel waits +2 launches, \d+\.\d+ ms, fiber tier; not loop: {reason}\n")

    def test_says_that_an_option_chose_the_tier(self):
        text = self.of_kernels("--summary=kernels", "--tier", "fiber")
        self.assertRegex(text, r"kernel plain +3 launches, .* ms, fiber tier; not loop: the option TIER excludes it\n")


class Flags(unittest.TestCase):
    SHOW = ["sh", "-c", "echo trace=$UNDERSTUDY_TRACE memory=$UNDERSTUDY_MEMORY arguments=$*", "name"]

    def shown(self, *arguments):
        environment = {name: text for name, text in os.environ.items() if not name.startswith("UNDERSTUDY_")}
        done = understudy("run", *arguments, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_without_a_value_mean_yes(self):
        for line in (
            ["--trace", "--"],
            ["--trace"],
            ["--trace", "--memory", "1G", "--"],
            ["--memory", "1G", "--trace"],
            ["--trace", "--cache", "--"],
        ):
            self.assertIn("trace=true", self.shown(*line, *self.SHOW), line)

    def test_take_a_value(self):
        for line in (["--trace", "no", "--"], ["--trace=no", "--"], ["--trace", "no"], ["--trace", "off", "--cache"]):
            self.assertRegex(self.shown(*line, *self.SHOW), "trace=(no|off) ", line)

    def test_of_the_program_are_the_programs(self):
        self.assertIn(
            "trace= memory= arguments=--trace --memory --", self.shown("--", *self.SHOW, "--trace", "--memory", "--")
        )
        self.assertIn("arguments=--trace no", self.shown(*self.SHOW, "--trace", "no"))

    def test_of_info(self):
        self.assertEqual(understudy("info", "--trace", "--json").returncode, 0)

    def test_wrong_values_are_refused(self):
        self.assertNotEqual(understudy("run", "--trace=perhaps", "--", "true").returncode, 0)
        self.assertNotEqual(understudy("run", "--summary=everything", "--", "true").returncode, 0)
        tier = understudy("run", "--tier", "fibre", "--", "true")
        self.assertNotEqual(tier.returncode, 0)
        self.assertIn("'fibre' is not auto, loop or fiber", tier.stderr)


if __name__ == "__main__":
    unittest.main()
