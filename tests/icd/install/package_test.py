#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build into a prefix, into a staging folder and into a Debian package, and looks at what came out.
Usage: package_test.py BUILD_DIR"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else "build/dev").resolve()
LIBRARIES = ["libunderstudy-compiler.so", "libunderstudy-cuda-compiler.so", "libunderstudy-icd.so", "libunderstudy.so"]
ICD = "etc/OpenCL/vendors/understudy.icd"
# The folder shaped like a toolkit: the build's, with its headers in great number, and the libraries that programs load.
TOOLKIT = "usr/lib/understudy/cuda"
CUDA_LIBRARIES = {"libcuda.so.1", "libcuda.so", "libcudart.so.12", "libcudart.so.13", "libcurand.so.10"}
CUDA_LIBRARIES |= {"libcublas.so.12", "libcublas.so.13", "libcufft.so.11", "libcufft.so.12"}
CUDA_LIBRARIES |= {"libcublasLt.so.12", "libcublasLt.so.13", "libcusparse.so.12"}
CUDA_LIBRARIES |= {"libcusolver.so.11", "libcusolver.so.12"}
CUDA_LIBRARIES |= {"libnvrtc.so.12", "libnvrtc.so.13", "libnvJitLink.so.12", "libnvJitLink.so.13", "libnvvm.so.4"}
CUDA_FILES = {"bin/nvcc", "include/cuda.h", "include/cuda_runtime.h", "include/curand_kernel.h"}  # and more


def run(*command, **environment):
    """What the command wrote; an exception that shows it if the command failed."""
    keep = {
        k: v for k, v in os.environ.items() if not k.startswith(("UNDERSTUDY_", "OCL_ICD_", "LD_LIBRARY", "OPENCL_"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        env={**keep, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))} returned {done.returncode}:\n{done.stdout}")
    return done.stdout


def files_below(folder):
    return {p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if not p.is_dir()}


# What Debian's packages are split into: each, what it needs of the others, and a file that it has.
PACKAGES = {
    "understudy": ("understudy-opencl-icd", "usr/bin/understudy"),
    "understudy-opencl-icd": (None, ICD),
    "understudy-cuda": ("understudy-opencl-icd", f"{TOOLKIT}/libcuda.so.1"),
    "understudy-cuda-toolkit": ("understudy-cuda", "usr/bin/understudy-nvcc"),
}


def contents():
    """Every file that an installation has, and no other."""
    toolkit = files_below(BUILD / "cuda")
    assert CUDA_FILES <= toolkit, CUDA_FILES - toolkit
    return {
        ICD,
        *(f"usr/share/doc/{package}/{name}" for package in PACKAGES for name in ("copyright", "changelog.gz")),
        *(f"usr/share/lintian/overrides/{package}" for package in ("understudy-opencl-icd", "understudy-cuda-toolkit")),
        *(f"usr/share/man/man1/{name}.1.gz" for name in ("understudy", "understudy-nvcc")),
        "usr/share/bash-completion/completions/understudy",
        "usr/bin/understudy",
        "usr/bin/understudy-nvcc",
        "usr/lib/understudy/understudy-driver-probe",
        f"{TOOLKIT}/bin/understudy-cuda-tool",
        *(f"usr/lib/understudy/{l}" for l in LIBRARIES),
        *(f"{TOOLKIT}/{f}" for f in toolkit | CUDA_LIBRARIES),
    }


class Installation(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_prefix(self):
        """Below a prefix of one's own everything lies there, and programs run from it."""
        prefix = self.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        self.assertEqual(files_below(prefix), {name.removeprefix("usr/") for name in contents()})
        self.assertEqual((prefix / ICD).read_text(), f"{prefix}/lib/understudy/libunderstudy-icd.so\n")
        for name in ["bin/understudy", *(f"lib/understudy/{l}" for l in LIBRARIES)]:
            self.assertNotIn(str(BUILD), run("readelf", "-d", prefix / name), name)
        # Where an installation looks for libraries.
        run("python3", Path(__file__).parents[2] / "architecture/check.py", "run-paths", prefix)

        program = BUILD / "bin/matrix_product"
        home = {"HOME": str(self.folder)}
        run(prefix / "bin/understudy", "run", "--require-launches", "1", "--", program, **home)
        self.assertIn(f"{prefix}/lib/understudy/libunderstudy-icd.so", run(prefix / "bin/understudy", "info", **home))
        run(program, OCL_ICD_VENDORS=str(prefix / "etc/OpenCL/vendors"), **home)

    def test_staging(self):
        """Staged for /usr, the .icd file goes where loaders look and names the library's final place."""
        run("cmake", "--install", BUILD, "--prefix", "/usr", DESTDIR=str(self.folder))
        self.assertEqual(files_below(self.folder), contents())
        self.assertEqual((self.folder / ICD).read_text(), "/usr/lib/understudy/libunderstudy-icd.so\n")

    def test_packages(self):
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder)
        architecture = run("dpkg", "--print-architecture").strip()
        packages = {path.name.partition("_")[0]: path for path in self.folder.glob("*.deb")}
        self.assertEqual(set(packages), set(PACKAGES))
        unpacked, needed = self.folder / "unpacked", set()
        for name, package in packages.items():
            self.assertRegex(package.name, rf"^{name}_[0-9.]+(-[0-9]+)?_{architecture}\.deb$")
            fields = dict(
                line.split(": ", 1)
                for line in run("dpkg-deb", "--field", package).splitlines()
                if ": " in line and not line.startswith(" ")
            )
            self.assertEqual(fields["Package"], name)
            self.assertEqual(fields["Architecture"], architecture)
            depends = {entry.split()[0] for entry in fields["Depends"].split(", ")}
            needed |= depends
            other, file = PACKAGES[name]
            self.assertEqual({entry for entry in depends if entry.startswith("understudy")}, {other} - {None})
            self.assertEqual(fields.get("Provides"), "opencl-icd" if name == "understudy-opencl-icd" else None)

            alone = self.folder / "alone" / name
            alone.mkdir(parents=True)
            run("dpkg-deb", "--extract", package, alone)
            self.assertIn(file, files_below(alone))
            self.assertFalse(
                files_below(alone) & (files_below(unpacked) if unpacked.exists() else set()), "in two packages"
            )
            run("dpkg-deb", "--extract", package, unpacked)
            for mode, owner, *_ in (line.split() for line in run("dpkg-deb", "--contents", package).splitlines()):
                self.assertEqual(owner, "root/root")
                self.assertNotRegex(mode, r"^[^l].{4}w|^[^l].{7}w", "written by the owner only")
            # No configuration file: it would outlive the package, a vendor that cannot be loaded. No script: for one
            # that runs after the removal dpkg remembers the package, and there is nothing to do.
            (self.folder / "control").mkdir(exist_ok=True)
            run("dpkg-deb", "--control", package, self.folder / "control" / name)
            self.assertEqual(files_below(self.folder / "control" / name), {"control", "md5sums"})
        # LLVM is part of the compiler library; libraries that only building needs must not be asked for.
        for name in ("libc6", "libstdc++6", "libtbb12", "libzstd1", "liblz4-1"):
            self.assertIn(name, needed)
        self.assertFalse(
            [name for name in needed if name.startswith(("libllvm", "libclang", "ocl-icd")) or "-dev" in name]
        )
        self.assertEqual(files_below(unpacked), contents())
        self.assertEqual([p for p in unpacked.rglob("*") if not p.exists()], [], "links that lead nowhere")
        self.assertEqual((unpacked / ICD).read_text(), "/usr/lib/understudy/libunderstudy-icd.so\n")

    def test_tarball(self):
        """What it holds works wherever the folder is, also once it was moved."""
        root = Path(__file__).parents[3]
        run("python3", root / "icd/install/make_tarball.py", BUILD, self.folder, XZ_OPT="-0")
        run("tar", "-xf", next(self.folder.glob("*.tar.xz")), "-C", self.folder)
        first = next(self.folder.glob("understudy-*/"))
        expected = {name.removeprefix("usr/") for name in contents() if not name.startswith("etc/")} | {"README"}
        self.assertEqual(files_below(first), {name for name in expected if not name.startswith("share/lintian/")})
        self.assertEqual([p for p in first.rglob("*") if not p.exists()], [], "links that lead nowhere")
        moved = self.folder / "another place" / "understudy"
        moved.parent.mkdir()
        home = {"HOME": str(self.folder)}
        for folder in (first, moved):
            if folder == moved:
                first.rename(moved)
            understudy = folder / "bin/understudy"
            run(understudy, "run", "--require-launches", "1", "--", BUILD / "bin/matrix_product", **home)
            self.assertIn(f"{folder}/lib/understudy/libunderstudy-icd.so", run(understudy, "info", **home))
            run(folder / "bin/understudy-nvcc", root / "docs/examples/vector_add.cu", "-o", folder / "add", **home)
            run(understudy, "run", "--require-launches", "1", "--", folder / "add", **home)

    def test_completion(self):
        """Bash offers the commands, and the options that a command's own help lists."""
        script = Path(__file__).parents[3] / "icd/install/debian/completion.bash"
        ask = "source {}; COMP_WORDS=({}); COMP_CWORD={}; _understudy; echo ${{COMPREPLY[@]}}"
        path = {"PATH": f"{BUILD}/bin:{os.environ['PATH']}"}
        self.assertEqual(run("bash", "-c", ask.format(script, "understudy tr", 1), **path).split(), ["trace"])
        offered = run("bash", "-c", ask.format(script, "understudy run --se", 2), **path).split()
        self.assertEqual(offered, ["--seed"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
