// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a test framework in the same process asks of libunderstudy.so, without a header: the pytest plugin (icd/wheel)
// does by ctypes.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// What ran up to now, if UNDERSTUDY_SUMMARY asks for a summary: its lines of JSON as they would be written at exit, as
/// much of them as there is room for. Their whole length.
[[gnu::visibility("default")]] size_t understudySummary(char *into, size_t room);

/// The next launch has this number. With a seed (UNDERSTUDY_SEED) a test's launches are in an order that does not
/// depend on which tests ran before.
[[gnu::visibility("default")]] void understudyNumberLaunches(uint64_t next);
}
