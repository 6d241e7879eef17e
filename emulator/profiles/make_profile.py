#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a profile of devices/ from a file of measured facts: usage make_profile.py FACTS.json [BASE] >
devices/WORD.json. Keeps what a program can ask for or run into, by the names of the queries; a fact that the base has
too is left to it. Devices of which only the CUDA side is known get what follows from it for OpenCL."""
import json
import re
import sys
from pathlib import Path

ORDERS = (
    "R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx DEPTH DEPTH_STENCIL sRGB sRGBx sRGBA sBGRA " "ABGR"
).split()
TYPES = (
    "SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555 UNORM_INT_101010 SIGNED_INT8 "
    "SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32 HALF_FLOAT FLOAT UNORM_INT24 "
    "UNORM_INT_101010_2"
).split()
# What an instance has, not a model; and what repeats another query.
DROPPED = re.compile(
    r"_KHR$|_WITH_VERSION$|NUMERIC_VERSION$|REFERENCE_COUNT|AVAILABLE$|_PARENT_|UUID|LUID|CONFORMANCE_VERSION|"
    r"PARTITION_TYPE|_APPROX$|PCI_|TOPOLOGY|FREE_MEMORY|BUILT_IN_KERNELS|_EXT$|NODE_MASK"
)


def opencl_facts(facts):
    kept = {}
    for name, value in facts["device"].items():
        if isinstance(value, dict) and ("error" in value or "bytes" in value):
            continue
        if not re.match(r"CL_(DEVICE|DRIVER)_", name) or DROPPED.search(name):
            continue
        kept[name] = value
    for name, value in kept.items():
        if isinstance(value, bool):
            kept[name] = int(value)
    if isinstance(kept.get("CL_DEVICE_EXTENSIONS"), str):
        kept["CL_DEVICE_EXTENSIONS"] = kept["CL_DEVICE_EXTENSIONS"].split()
    if isinstance(kept.get("CL_DEVICE_OPENCL_C_FEATURES"), dict):
        kept["CL_DEVICE_OPENCL_C_FEATURES"] = sorted(kept["CL_DEVICE_OPENCL_C_FEATURES"])
    kept.pop("CL_DEVICE_OPENCL_C_ALL_VERSIONS", None)  # not complete in every source
    for name in ("GLOBAL_MEM_SIZE", "MAX_MEM_ALLOC_SIZE"):
        approximate = facts["device"].get(f"CL_DEVICE_{name}_MB_APPROX")
        if approximate:
            kept[f"CL_DEVICE_{name}"] = approximate << 20
    return kept


def format_lists(facts):
    lists = {}
    for key, pairs in facts.get("image_formats", {}).items():
        kind, access = key.split("/")
        if kind != "IMAGE2D":
            continue
        lists[access] = [f"{ORDERS[int(o, 16) - 0x10B0]}/{TYPES[int(t, 16) - 0x10D0]}" for o, t in pairs]
    return lists


def opencl_from_cuda(cuda):
    of = lambda name: cuda["attributes"].get("CU_DEVICE_ATTRIBUTE_" + name)
    major, minor = cuda["compute_capability"]
    facts = {
        "CL_DEVICE_NAME": cuda["name"],
        "CL_DEVICE_MAX_COMPUTE_UNITS": of("MULTIPROCESSOR_COUNT"),
        "CL_DEVICE_MAX_CLOCK_FREQUENCY": (of("CLOCK_RATE") or 0) // 1000 or None,
        "CL_DEVICE_GLOBAL_MEM_SIZE": cuda["total_mem"],
        "CL_DEVICE_MAX_MEM_ALLOC_SIZE": cuda["total_mem"] // 4,
        "CL_DEVICE_MAX_WORK_GROUP_SIZE": of("MAX_THREADS_PER_BLOCK"),
        "CL_DEVICE_LOCAL_MEM_SIZE": of("MAX_SHARED_MEMORY_PER_BLOCK"),
        "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE": of("TOTAL_CONSTANT_MEMORY"),
        "CL_DEVICE_ERROR_CORRECTION_SUPPORT": of("ECC_ENABLED"),
        "CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV": major,
        "CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV": minor,
        "CL_DEVICE_REGISTERS_PER_BLOCK_NV": of("MAX_REGISTERS_PER_BLOCK"),
        "CL_DEVICE_WARP_SIZE_NV": of("WARP_SIZE"),
        "CL_DEVICE_INTEGRATED_MEMORY_NV": of("INTEGRATED"),
    }
    block = [of("MAX_BLOCK_DIM_" + axis) for axis in "XYZ"]
    if all(block):
        facts["CL_DEVICE_MAX_WORK_ITEM_SIZES"] = block
    return {name: value for name, value in facts.items() if value is not None}


def main():
    source = json.loads(Path(sys.argv[1]).read_text())
    base = json.loads(Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else {}
    cuda, opencl = source.get("cuda"), source.get("opencl")
    facts = opencl_facts(opencl) if opencl else opencl_from_cuda(cuda)
    profile = {"title": source["name"], "source": source["source"], "partial": bool(source.get("partial"))}
    if base:
        profile["base"] = Path(sys.argv[2]).stem
    if not opencl:
        profile["source"] += "; its OpenCL facts are derived from these and from the base"
    inherited = base.get("opencl", {})
    profile["opencl"] = {name: value for name, value in facts.items() if inherited.get(name) != value}
    formats = format_lists(opencl or {})
    if formats and formats != base.get("formats"):
        profile["formats"] = formats
    if cuda:
        profile["cuda"] = {
            "name": cuda["name"],
            "total_mem": cuda["total_mem"],
            "compute_capability": cuda["compute_capability"],
            "attributes": cuda["attributes"],
            "derived_attributes": cuda.get("attributes_from_the_compute_capability_table", {}),
        }
    json.dump(profile, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
