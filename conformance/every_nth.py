# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest: of each file's tests the first and every EVERY_NTH-th after it, in the order they were collected."""
import os


def pytest_collection_modifyitems(config, items):
    step, seen, kept, left = int(os.environ.get("EVERY_NTH", "1")), {}, [], []
    for item in items:
        number = seen[item.path] = seen.get(item.path, -1) + 1
        (kept if number % step == 0 else left).append(item)
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)
