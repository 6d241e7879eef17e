#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a folder to link against that has the symbols of an older glibc and no newer ones: what is linked with it runs
wherever that glibc or a later one is. The lists are those of Zig's linker driver (package ziglang), which makes stub
libraries of them. Usage: old_glibc.py VERSION FOLDER"""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARIES = ["libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"]


def main(version, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "empty.c"
        source.write_text("int main(void) { return 0; }\n")
        places = {"ZIG_GLOBAL_CACHE_DIR": f"{scratch}/zig", "ZIG_LOCAL_CACHE_DIR": f"{scratch}/zig", "HOME": scratch}
        subprocess.run(
            [sys.executable, "-m", "ziglang", "cc", "-target", f"x86_64-linux-gnu.{version}", "-fPIE", "-pie"]
            + [str(source), "-o", f"{scratch}/empty"],
            env={"PATH": "/usr/bin:/bin", **places},
            check=True,
        )
        for name in [*LIBRARIES, "libc_nonshared.a", "Scrt1.o", "libld.so.2"]:
            found = list(Path(scratch, "zig").rglob(name))
            if len(found) != 1:
                sys.exit(f"Zig made {len(found)} files {name}")
            shutil.copy(found[0], folder / name)
    shutil.copy(folder / "Scrt1.o", folder / "crt1.o")
    for name in LIBRARIES:
        (folder / (name.split(".so")[0] + ".so")).write_text(f"INPUT ( {name} )\n")
    # What is in libc for newer headers is in three libraries here; libc_nonshared has what is no symbol of the library,
    # stat for one.
    (folder / "libc.so").write_text(
        "GROUP ( libc.so.6 libc_nonshared.a AS_NEEDED ( libld.so.2 libpthread.so.0 libdl.so.2 librt.so.1 ) )\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
