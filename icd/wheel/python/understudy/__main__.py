# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m understudy [options of understudy run] program.py …` runs a Python program on our platform only."""
import os
import sys

from understudy import command


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.exit("usage: python -m understudy [options of 'understudy run', as --name=value] program.py …")
    options = []
    while arguments and arguments[0].startswith("--") and arguments[0] != "--":
        options.append(arguments.pop(0))
    if arguments and arguments[0] == "--":
        arguments.pop(0)
    os.execv(command(), [command(), "run", *options, "--", sys.executable, *arguments])


main()
