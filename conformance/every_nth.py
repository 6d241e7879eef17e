# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest: the first test and every EVERY_NTH-th after it, in the order they were collected."""
import os


def pytest_collection_modifyitems(config, items):
    step = int(os.environ.get("EVERY_NTH", "1"))
    left = [item for number, item in enumerate(items) if number % step]
    items[:] = items[::step]
    if left:
        config.hook.pytest_deselected(items=left)
