#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In place of ptxas, for clients that run one: hands the PTX text on, which our driver compiles. The name says a
release that knows what such clients ask for."""
import shutil
import sys

if "--version" in sys.argv:
    print("ptxas: a stand-in that hands PTX on\nCuda compilation tools, release 12.8, V12.8.0")
    sys.exit(0)
output = next((sys.argv[i + 1] for i, word in enumerate(sys.argv) if word in ("-o", "--output-file")), "elf.o")
source = next(word for word in sys.argv[1:] if word.endswith(".ptx") or word.endswith("ptx"))
shutil.copyfile(source, output)
