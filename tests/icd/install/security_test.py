#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/security.md says, held against the build. Other users are played where we are root and skipped elsewhere.
Usage: security_test.py BUILD_DIR"""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else "build/dev").resolve()
CLIENT = BUILD / "bin/security_client"
UNDERSTUDY = BUILD / "bin/understudy"
OTHER = 65534
IS_ROOT = os.geteuid() == 0
as_root = unittest.skipUnless(IS_ROOT, "only root can play another user")


def become(user):
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


def run(*command, user=None, mask=0o022, before=None, **variables):
    """The finished program; its environment is `variables` and a path."""

    def prepare():
        os.umask(mask)
        if before:
            before(os.getpid())
        become(user)

    return subprocess.run(
        [str(part) for part in command],
        env={"PATH": os.environ["PATH"], **variables},
        text=True,
        capture_output=True,
        preexec_fn=prepare,
        cwd="/",
    )


def facts(done):
    """The client's lines, each a name and a value."""
    return dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)


def below(folder):
    return sorted(p.relative_to(folder).as_posix() for p in Path(folder).rglob("*"))


def modes_below(folder):
    return {oct(stat.S_IMODE(p.lstat().st_mode)) for p in [folder, *Path(folder).rglob("*")] if not p.is_dir()}, {
        oct(stat.S_IMODE(p.lstat().st_mode)) for p in [folder, *Path(folder).rglob("*")] if p.is_dir()
    }


class Security(unittest.TestCase):
    def setUp(self):
        # Others can pass through it, and it is nobody's home.
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)

    def client(self, *arguments, **options):
        done = run(CLIENT, *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return facts(done)

    def folder_of(self, user, name):
        path = self.folder / name
        path.mkdir(mode=0o755)
        if user is not None:
            os.chown(path, user, user)
        return path

    def client_with_more_rights(self):
        """A copy of the client that runs with more rights than whoever starts it, and whom to start it as."""
        program = self.folder / "client"
        shutil.copy(CLIENT, program)
        if IS_ROOT:
            program.chmod(0o4755)
            user = OTHER
        else:
            groups = [g for g in os.getgroups() if g != os.getegid()]
            if not groups:
                self.skipTest("neither root nor in a second group: no program can get more rights")
            os.chown(program, -1, groups[0])
            program.chmod(0o2755)
            user = None
        if facts(run(program, "1", user=user)).get("secure") != "1":
            self.skipTest(f"{self.folder} is on a file system without set-user-id programs")
        return program, user

    def plant(self, user):
        """A user's cache in which the code for 1 is that for 2."""
        home = self.folder_of(user, "home")
        for number in ("1", "2"):
            answer = self.client(number, user=user, UNDERSTUDY_CACHE_DIRECTORY=str(home / number))["answer"]
            self.assertEqual(answer, number)
        codes = [list((home / number).rglob("*.code")) for number in ("1", "2")]
        self.assertEqual([len(c) for c in codes], [1, 1])
        shutil.copyfile(codes[1][0], codes[0][0])
        # As good as any other code to whoever trusts that user.
        self.assertEqual(self.client("1", user=user, UNDERSTUDY_CACHE_DIRECTORY=str(home / "1"))["answer"], "2")
        return home / "1"

    # What is trusted, what a kernel may do.

    def test_a_kernel_can_write_the_memory_of_its_program(self):
        self.assertEqual(self.client("42")["answer"], "42")

    def test_device_memory_lies_elsewhere_in_each_process(self):
        first, *others = [self.client("1")["memory"] for _ in range(3)]
        self.assertNotEqual([first, first], others)
        seeded = [self.client("1", UNDERSTUDY_SEED="7")["memory"] for _ in range(2)]
        self.assertEqual(*seeded)

    # The cache.

    def test_the_cache_is_its_owners_alone(self):
        home = self.folder_of(None, "home")
        self.client("1", HOME=str(home), mask=0)
        cache = home / ".cache/understudy"
        files, folders = modes_below(home / ".cache")
        self.assertEqual((files, folders), ({"0o600"}, {"0o700"}))
        self.assertTrue(list(cache.rglob("*.code")))

    def test_a_cache_that_others_may_write_is_not_used(self):
        cache = self.folder_of(None, "cache")
        cache.chmod(0o777)
        done = run(CLIENT, "1", UNDERSTUDY_CACHE_DIRECTORY=str(cache), UNDERSTUDY_LOG="error")
        self.assertEqual(facts(done)["answer"], "1")
        self.assertEqual(
            done.stderr,
            f"understudy: cache: {cache} can be written by other users (its mode is 0777): " "it is not used\n",
        )
        self.assertEqual(below(cache), [])
        report = run(UNDERSTUDY, "info", UNDERSTUDY_CACHE_DIRECTORY=str(cache)).stdout
        self.assertIn(f"not used: {cache} can be written by other users", report)

    @as_root
    def test_root_does_not_use_another_users_cache(self):
        planted = self.plant(OTHER)
        before = below(planted)
        self.assertEqual(self.client("1", UNDERSTUDY_CACHE_DIRECTORY=str(planted))["answer"], "1")
        self.assertEqual(below(planted), before)

    @as_root
    def test_root_makes_no_cache_in_another_users_home(self):
        home = self.folder_of(OTHER, "home")
        self.assertEqual(self.client("1", HOME=str(home))["answer"], "1")
        self.assertEqual(below(home), [])

    # Programs with more rights than whoever starts them.

    def test_a_set_user_id_program_takes_nothing_from_its_environment(self):
        program, user = self.client_with_more_rights()
        planted, other = self.plant(user), self.folder_of(user, "other")
        before = below(self.folder)
        done = run(program, "1", user=user, UNDERSTUDY_CACHE_DIRECTORY=str(planted))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((facts(done)["secure"], facts(done)["answer"]), ("1", "1"))
        done = run(
            program,
            "1",
            user=user,
            HOME=str(other),
            XDG_CACHE_HOME=str(other),
            XDG_RUNTIME_DIR=str(other),
            TMPDIR=str(other),
            UNDERSTUDY_CACHE_DIRECTORY=str(planted),
            UNDERSTUDY_DUMP=str(other),
            UNDERSTUDY_SUMMARY=str(other / "summary"),
            UNDERSTUDY_TRACE="1",
            UNDERSTUDY_LOG="debug",
            UNDERSTUDY_DEBUG_INFO="1",
            UNDERSTUDY_CUDA_COMPUTE_MODE="exclusive_process",
            UNDERSTUDY_MEMORY="nonsense",
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((facts(done)["secure"], facts(done)["answer"], done.stderr), ("1", "1", ""))
        self.assertEqual(below(self.folder), before)

    # Shared machines.

    def vendors(self, temporary, mask=0o022):
        """`understudy run` where there is no home: it names its library in the folder for temporary files."""
        return run(UNDERSTUDY, "run", "--", "printenv", "OCL_ICD_VENDORS", mask=mask, TMPDIR=str(temporary))

    def test_run_makes_a_folder_of_its_own_without_a_home(self):
        done = self.vendors(self.folder, mask=0)
        self.assertEqual(done.returncode, 0, done.stderr)
        own = self.folder / f"understudy-{os.geteuid()}"
        self.assertEqual(Path(done.stdout.strip()).parent, own)
        files, folders = modes_below(own)
        self.assertEqual((files, folders), ({"0o600"}, {"0o700"}))
        self.assertEqual(self.vendors(self.folder).stdout, done.stdout)

    @as_root
    def test_run_writes_nothing_through_another_users_links(self):
        name = Path(self.vendors(self.folder_of(None, "first")).stdout.strip()).name
        victim = self.folder_of(None, "victim")
        (victim / "understudy.icd").write_text("root's own\n")
        # A folder of the other user's with a link in it, and a link in the place of the folder.
        temporary = self.folder_of(None, "second")
        own = self.folder_of(OTHER, "second/understudy-0")
        (own / name).symlink_to(victim)
        other = self.folder_of(None, "third")
        (other / "understudy-0").symlink_to(victim)
        os.chown(other / "understudy-0", OTHER, OTHER, follow_symlinks=False)
        for place, reason in ((temporary, "belongs to user 65534"), (other, "cannot be opened")):
            done = self.vendors(place)
            self.assertEqual((victim / "understudy.icd").read_text(), "root's own\n")
            self.assertEqual(below(victim), ["understudy.icd"])
            self.assertEqual(done.returncode, 125)
            self.assertIn(reason, done.stderr)

    def perf_map(self, before):
        """What the client left in its map for perf, before which `before` was called with the path."""
        paths = []

        def prepare(process):
            before(Path(f"/tmp/perf-{process}.map"))

        done = run(
            "sh",
            "-c",
            f"echo process $$; exec {CLIENT} 1",
            before=prepare,
            UNDERSTUDY_DEBUG_INFO="1",
            UNDERSTUDY_CACHE="0",
        )
        self.assertEqual(facts(done)["answer"], "1", done.stderr)
        path = Path(f"/tmp/perf-{facts(done)['process']}.map")
        self.addCleanup(lambda: path.unlink(missing_ok=True))
        return path

    def test_the_map_for_perf_is_a_file_of_its_own(self):
        path = self.perf_map(lambda path: None)
        self.assertRegex(path.read_text(), r"(?m)^[0-9a-f]+ [0-9a-f]+ \S*answer")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_the_map_for_perf_follows_no_link(self):
        victim = self.folder / "victim"
        victim.write_text("mine\n")
        self.perf_map(lambda path: path.symlink_to(victim))
        self.perf_map(lambda path: path.hardlink_to(victim))
        self.assertEqual(victim.read_text(), "mine\n")
        self.perf_map(lambda path: os.mkfifo(path))  # and waits for no reader

    @as_root
    def test_the_map_for_perf_is_not_another_users(self):
        def other_users(path):
            path.touch()
            os.chown(path, OTHER, OTHER)

        self.assertEqual(self.perf_map(other_users).read_text(), "")

    def test_shared_memory_is_opened_by_the_same_user(self):
        exporter = subprocess.Popen([CLIENT, "export"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(exporter.communicate)
        handle = next(line.split()[1] for line in exporter.stdout if line.startswith("handle "))
        self.assertIn("opened", run(CLIENT, "import", handle).stdout)
        if IS_ROOT:  # CUDA_ERROR_MAP_FAILED
            self.assertIn("cuIpcOpenMemHandle", (done := run(CLIENT, "import", handle, user=OTHER)).stdout)
            self.assertIn(": 205", done.stdout)

    @as_root
    def test_nobody_can_take_a_device_from_another_user(self):
        temporary = self.folder_of(None, "temporary")
        temporary.chmod(0o1777)
        squatter = self.folder_of(OTHER, "temporary/understudy-0")
        alone = {"TMPDIR": str(temporary), "UNDERSTUDY_CUDA_COMPUTE_MODE": "exclusive_process"}
        done = run(CLIENT, "1", UNDERSTUDY_LOG="error", **alone)
        self.assertIn(f"{squatter} belongs to user 65534", done.stderr)
        squatter.rmdir()
        self.assertEqual(self.client("1", **alone)["answer"], "1")
        self.assertEqual(below(temporary), ["understudy-0", "understudy-0/understudy-cuda-0-0.lock"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
