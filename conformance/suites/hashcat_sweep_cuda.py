# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modes of hashcat_sweep on our CUDA device. hashcat compiles its kernels with NVRTC, which has to be there."""
from suites import hashcat_sweep

PACKAGES = hashcat_sweep.PACKAGES


def run(device, scratch):
    return hashcat_sweep.run(device, scratch, ("--backend-ignore-opencl",))
