#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel file as SPIR-V, by Clang 15 and the LLVM translator. usage: make_il.sh FILE OUTPUT
# The file's own options count; without -cl-std the language is OpenCL C 1.2, as for the runtime.
set -euo pipefail
options=$(sed -n 's/^\/\/! options //p' "$1")
[[ $options == *-cl-std* ]] || options="-cl-std=CL1.2 $options"
# shellcheck disable=SC2086
clang-15 -target spir64 $options -O1 -Xclang -disable-llvm-passes -gline-tables-only -cl-ext=+all -cl-kernel-arg-info \
  -Xclang -finclude-default-header -w -emit-llvm -c -o "$2.bc" "$1"
llvm-spirv-15 --spirv-max-version=1.3 --spirv-debug-info-version=ocl-100 \
  --spirv-ext=+SPV_KHR_integer_dot_product,+SPV_KHR_subgroup_rotate,+SPV_KHR_expect_assume,+SPV_KHR_bit_instructions -o "$2" "$2.bc"
rm "$2.bc"
