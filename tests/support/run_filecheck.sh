#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the "RUN:" lines of a text test. usage: run_filecheck.sh FILE [NAME=COMMAND …]
# In a RUN line %s is the file, %S its folder, %t a scratch file, and each NAME at the start of a command is replaced by
# COMMAND, e.g. us-opt=/build/bin/us-opt. A line that ends with \ goes on in the next RUN line.
set -o pipefail
file=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for pair in "$@"; do
  printf '#!/bin/sh\nexec "%s" "$@"\n' "${pair#*=}" > "$scratch/${pair%%=*}"
  chmod +x "$scratch/${pair%%=*}"
done
# "not COMMAND" succeeds if the command fails in an ordinary way.
printf '#!/bin/sh\n"$@"\nstatus=$?\n[ $status -gt 0 ] && [ $status -lt 128 ]\n' > "$scratch/not"
chmod +x "$scratch/not"
PATH="$scratch:$PATH"

lines=$(sed -n 's/^[;/#]*[[:space:]]*RUN:[[:space:]]*//p' "$file" | sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}')
if [ -z "$lines" ]; then
  echo "$file has no RUN line" >&2
  exit 1
fi
status=0
while IFS= read -r line; do
  line=${line//%s/$file}
  line=${line//%S/$(dirname "$file")}
  line=${line//%t/$scratch/t}
  if ! bash -o pipefail -c "$line"; then
    echo "$file: failed: $line" >&2
    status=1
  fi
done <<< "$lines"
exit $status
