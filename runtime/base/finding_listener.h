// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function of the program that hears of each finding of checked kernels, if there is one
// (icd/cuda/include/understudy.h).
#pragma once

#include <cstddef>
#include <string>

namespace us {

using FindingListener = void (*)(const char *sentence, const char *json, size_t size, void *userData);

/// Null: nobody. Thread-safe; whoever is being told meanwhile is told to the end.
void setFindingListener(FindingListener listener, void *userData);
/// With no lock held: it is the program's code.
void tellFindingListener(const std::string &sentence, const std::string &json);

} // namespace us
