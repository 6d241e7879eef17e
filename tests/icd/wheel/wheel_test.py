#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of the build, installs it by pip beside PyOpenCL's into a fresh environment, and uses it as its users
do; then runs the tests of its pytest plugin (plugin_test.py) there. Usage: wheel_test.py BUILD_DIR [TESTS…]"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[3]
# PyOpenCL, numpy and pytest are there.
TOOLS = ROOT / "build/venv"

WHERE = "import sysconfig; print(sysconfig.get_path('purelib'))"
PLATFORMS = "import pyopencl as cl\nprint([p.name for p in cl.get_platforms()])"
DEVICES = "import pyopencl as cl\nprint([d.name for p in cl.get_platforms() for d in p.get_devices()])"
# What a program of CUDA does that knows nothing of us.
CUDA_DEVICE = """
import ctypes
driver = ctypes.CDLL("libcuda.so.1")
assert driver.cuInit(0) == 0
name = ctypes.create_string_buffer(100)
assert driver.cuDeviceGetName(name, 100, 0) == 0
print(name.value.decode())
"""


def run(*command, fails=False, cwd=None, **environment):
    keep = {
        k: v for k, v in os.environ.items() if not k.startswith(("UNDERSTUDY_", "OCL_ICD_", "LD_LIBRARY", "PYTHON"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        env={**keep, **environment},
        cwd=cwd or FOLDER,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if bool(done.returncode) != fails:
        raise AssertionError(f"{' '.join(map(str, command))} returned {done.returncode}:\n{done.stdout}")
    return done.stdout


def python(text, **more):
    return run(PYTHON, "-c", text, **more).strip()


def pip(*arguments):
    return run(TOOLS / "bin/python", "-m", "pip", "--python", PYTHON, "--disable-pip-version-check", *arguments)


class Contents(unittest.TestCase):
    def test_each_library_has_its_own_name(self):
        """Under its SONAME, by which the dynamic linker knows it; but what programs are linked with has the name that
        -l looks for."""
        for path in PACKAGE.rglob("*.so*"):
            if path.read_bytes()[:4] != b"\x7fELF":
                self.assertRegex(path.read_text(), r"^INPUT \( (\.\./)+[\w.]+ \)$")
                self.assertTrue((path.parent / path.read_text().split()[2]).exists())
                continue
            listing = run("readelf", "-d", path)
            soname = listing.partition("Library soname: [")[2].partition("]")[0]
            if soname and "lib64" not in path.parts:
                self.assertEqual(path.name, soname)
            self.assertNotIn(str(BUILD), listing, path)

    def test_archives_link_with_older_compilers(self):
        """std::__throw_bad_array_new_length has the version GLIBCXX_3.4.29 in libstdc++: GCC 11's."""
        archives = list(PACKAGE.rglob("libcudart_static.a"))
        self.assertEqual(len(archives), 2)
        for archive in archives:
            self.assertRegex(run("nm", archive), r" [tW] _ZSt28__throw_bad_array_new_lengthv\n")

    def test_no_path_of_the_build(self):
        for path in PACKAGE.rglob("*"):
            if path.is_file():
                self.assertNotIn(str(BUILD).encode(), path.read_bytes(), path)

    def test_the_same_build_makes_the_same_wheel(self):
        run("python3", ROOT / "icd/wheel/make_wheel.py", BUILD, FOLDER / "again")
        self.assertEqual((FOLDER / "again" / WHEEL.name).read_bytes(), WHEEL.read_bytes())


class OpenCl(unittest.TestCase):
    def test_listed_beside_the_systems_drivers(self):
        """With no import of ours and no variable."""
        names = python(PLATFORMS)
        self.assertIn("Understudy", names)
        self.assertIn("Portable Computing Language", names)

    def test_once_below_run(self):
        self.assertEqual(run(BIN / "understudy", "run", "--", PYTHON, "-c", PLATFORMS).strip(), "['Understudy']")

    def test_devices(self):
        told = python(f"import understudy\nunderstudy.enable(devices=['h200', 'rx7900xtx'])\n{DEVICES}")
        self.assertEqual(told, "['NVIDIA H200', 'gfx1100']")
        (FOLDER / "devices.py").write_text(DEVICES)
        self.assertEqual(run(PYTHON, "-m", "understudy", "--device=h200", "devices.py").strip(), "['NVIDIA H200']")
        told = python("import understudy\nunderstudy.enable(devices='voodoo2')", fails=True)
        self.assertIn("ValueError: understudy: there is no device 'voodoo2'", told)

    def test_kernels_run(self):
        told = run(PYTHON, ROOT / "docs/examples/mandelbrot.py", FOLDER / "mandelbrot.png", PYOPENCL_CTX="Understudy")
        self.assertIn("Understudy", told)

    def test_doctor(self):
        """Says what is missing in PyOpenCL's folder, and the command that it names mends it."""
        doctor = BIN / "understudy", "doctor"
        self.assertIn("PyOpenCL's own loader finds us by", run(*doctor))
        (SITE / "pyopencl/.libs/understudy.icd").unlink()
        self.assertNotIn("Understudy", python(PLATFORMS))
        told = run(*doctor, fails=True)
        self.assertRegex(
            told, r"(?m)^wrong  our driver is gone from PyOpenCL's folder .*: pip install --force-reinstall"
        )
        pip("install", "--no-index", "--no-deps", "--force-reinstall", WHEEL)
        self.assertIn("PyOpenCL's own loader finds us by", run(*doctor))
        self.assertIn("Understudy", python(PLATFORMS))
        first = SITE / "pyopencl/__init__.py"
        first.rename(first.with_suffix(".away"))
        self.assertIn("PyOpenCL is not beside us", run(*doctor))
        first.with_suffix(".away").rename(first)

    def test_reinstalled(self):
        """Removing PyOpenCL and us, in either order, leaves nothing of who is gone."""
        driver = SITE / "pyopencl/.libs/understudy.icd"
        # What pip removes: PyOpenCL's own files, and folders that nobody else has files in.
        for path in sorted(PYOPENCL.rglob("*"), reverse=True):
            ours = SITE / "pyopencl" / path.relative_to(PYOPENCL)
            if ours.is_file():
                ours.unlink()
        shutil.copytree(PYOPENCL, SITE / "pyopencl", dirs_exist_ok=True)
        self.assertTrue(driver.exists())
        self.assertIn("Understudy", python(PLATFORMS))
        pip("uninstall", "--yes", "understudy")
        self.assertEqual([str(p) for p in SITE.rglob("*understudy*")], [])
        self.assertEqual([p.name for p in BIN.glob("understudy*")], [])
        self.assertNotIn("Understudy", python(PLATFORMS))
        pip("install", "--no-index", "--no-deps", WHEEL)
        self.assertIn("Understudy", python(PLATFORMS))


class Cuda(unittest.TestCase):
    def test_found_by_its_name(self):
        self.assertEqual(python("import understudy" + CUDA_DEVICE), "Understudy GPU")
        self.assertEqual(python("import understudy\nunderstudy.enable(devices=['h200'])" + CUDA_DEVICE), "NVIDIA H200")

    def test_children_too(self):
        text = "import understudy, subprocess, sys\nunderstudy.enable(devices=['h200'])\n"
        text += f"subprocess.run([sys.executable, '-c', {CUDA_DEVICE!r}], check=True)"
        self.assertEqual(python(text), "NVIDIA H200")

    def test_compiler(self):
        run(BIN / "understudy-nvcc", ROOT / "docs/examples/vector_add.cu", "-o", "vector_add")
        told = run(BIN / "understudy", "run", "--require-launches", "1", "--", FOLDER / "vector_add")
        self.assertNotIn("understudy:", told)
        run(BIN / "understudy", "run", "--", "nvcc", "--ptx", "-o", "saxpy.ptx", ROOT / "docs/examples/saxpy.cu")
        self.assertIn(".entry", (FOLDER / "saxpy.ptx").read_text())
        self.assertIn("ptxas", run(BIN / "understudy", "run", "--", "ptxas", "--version"))


class Pages(unittest.TestCase):
    """docs/use: each file that a page shows is written, each command executed, from its first to its last."""

    def test_pages(self):
        pages = sorted((ROOT / "docs/use").glob("*.md"))
        self.assertGreater(len(pages), 6)
        for page in pages:
            with self.subTest(page=page.name):
                text = page.read_text()
                self.assertLess(len(text.splitlines()), 60, "more than a screen")
                folder = FOLDER / "pages" / page.stem
                folder.mkdir(parents=True)
                commands = ""
                blocks = re.findall(r"^([^\n]*)\n\n```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
                for before, language, content in blocks:
                    if language == "sh":
                        commands += content
                    else:
                        (folder / re.search(r"`([\w.]+)`", before)[1]).write_text(content)
                if "pip install pycuda" in commands and not PYCUDA.exists():
                    self.skipTest("PyCUDA was not compiled: conformance/suites/pycuda.py does")
                (folder / "commands.sh").write_text(commands)
                run("bash", "-ex", "commands.sh", cwd=folder, **PAGES_ENVIRONMENT)

    def test_action(self):
        """The composite action's steps, one after the other as GitHub runs them: what comes next has the device."""
        text = (ROOT / "docs/use/action.yml").read_text()
        steps = re.findall(
            r'^    - shell: bash\n      env: \{(\w+): "\$\{\{ inputs\.(\w+) \}\}"\}\n'
            r"      run: (?:\|\n((?:        .*\n)+)|(.*)\n)",
            text,
            re.MULTILINE,
        )
        self.assertEqual(len(steps), text.count("    - shell:"))
        # An input in the text of a command would be the shell's to read.
        self.assertEqual(len(steps), text.count("${{"))
        for inputs, device in {("==0.1.0", "h200"): "NVIDIA H200", ("", ""): "Understudy GPU"}.items():
            values = dict(zip(("version", "devices"), inputs))
            folder = FOLDER / "action" / (inputs[1] or "none")
            folder.mkdir(parents=True)
            (folder / "env").write_text("")
            for number, (variable, given, block, line) in enumerate(steps):
                script = folder / f"{number}.sh"
                script.write_text(block or line)
                # "shell: bash": `bash --noprofile --norc -eo pipefail {0}`.
                told = run(
                    *("bash", "--noprofile", "--norc", "-eo", "pipefail", script),
                    GITHUB_ENV=str(folder / "env"),
                    **{variable: values[given]},
                    **PAGES_ENVIRONMENT,
                )
            self.assertIn("understudy:", told)
            after = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
            self.assertIn(repr(device), python(DEVICES, **after))


class Plugin(unittest.TestCase):
    def test_plugin(self):
        run(
            PYTHON,
            "-m",
            "pytest",
            "-q",
            "-p",
            "pytester",
            "-p",
            "no:cacheprovider",
            Path(__file__).parent / "plugin_test.py",
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        FOLDER = Path(scratch)
        run("python3", ROOT / "icd/wheel/make_wheel.py", BUILD, FOLDER / "wheels")
        WHEEL = next((FOLDER / "wheels").iterdir())
        run(TOOLS / "bin/python", "-m", "venv", FOLDER / "venv")
        BIN = FOLDER / "venv/bin"
        PYTHON = BIN / "python"
        SITE = Path(python(WHERE))
        others = Path(run(TOOLS / "bin/python", "-c", WHERE).strip())
        PYOPENCL, PACKAGE = others / "pyopencl", SITE / "understudy"
        PYCUDA = BUILD / "pycuda-venv/built"
        with_pycuda = Path(run(BUILD / "pycuda-venv/bin/python", "-c", WHERE).strip()) if PYCUDA.exists() else others
        (SITE / "others.pth").write_text(f"{others}\n{with_pycuda}\n")
        shutil.copytree(PYOPENCL, SITE / "pyopencl")
        pip("install", "--no-index", "--no-deps", WHEEL)
        # Where pages say pip: what is not here already comes from this folder.
        PAGES_ENVIRONMENT = {
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(FOLDER / "wheels"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
